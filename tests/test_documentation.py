"""``nd.relu?`` and ``sym.relu?`` say what a function does and what it takes."""

import inspect
import re

import pytest

import d2lhybrid as mx
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.internals.frontends.documentation import function_docstring

MODULES = [mx.nd.op, mx.nd.contrib, mx.nd.linalg, mx.nd.image, mx.nd._internal]
MODULES += [mx.sym.op, mx.sym.contrib, mx.sym.linalg, mx.sym.image, mx.sym._internal]


def _described(text: str) -> list[str]:
    section = text.partition("\nParameters\n----------\n")[2].partition("\n\n")[0]
    lines = [line for line in section.split("\n") if line and not line.startswith(" ")]
    return [name.strip(" *") for line in lines for name in line.partition(" : ")[0].split(",")]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_every_function_documents_all_its_parameters(module) -> None:
    for name in module._public.names():
        function = getattr(module, name)
        if not hasattr(function, "operator"):
            continue
        text = inspect.getdoc(function)
        assert re.match(r"\S.*", text) and text.split("\n\n")[0].rstrip().endswith("."), name
        described = _described(text)
        expected = [p for p in inspect.signature(function).parameters if p != "kwargs"]
        assert sorted(described) == sorted(expected), name


def test_what_the_author_wrote_stays() -> None:
    op = get_operator("FullyConnected")
    text = function_docstring(op, "NDArray", ("out", "name"))
    for line in inspect.cleandoc(op.__doc__).split("\n"):
        assert line in text
    assert text.index("Parameters") < text.index("out : NDArray") < text.index("Examples")
    assert "no_bias : bool, default False" in text


def test_what_the_author_left_out_is_filled_in() -> None:
    text = mx.nd.one_hot.__doc__
    assert "\ndepth : int\n    The number of classes.\non_value : float, default 1.0\n" in text  # of its file
    assert "dtype : str or dtype, default 'float32'\n    The element type of the result.\n" in text  # of all
    assert "attr : dict of str to str, optional\n" in mx.sym.one_hot.__doc__
    assert "*args : NDArray\n    The input arrays.\n" in mx.nd.add_n.__doc__
