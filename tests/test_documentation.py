"""``nd.relu?`` and ``sym.relu?`` say what a function does and what it takes."""

import inspect
import re

import pytest

import d2lhybrid as mx
from d2lhybrid.internals.core.operator import all_operators, get_operator
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
    depth = "\ndepth : int\n    The number of classes, which is the length of each vector; at least 0.\n"
    assert f"{depth}on_value : float, default 1.0\n" in text  # of its file
    assert "dtype : str or dtype, default 'float32'\n    The element type of the result.\n" in text  # of all
    assert "attr : dict of str to str, optional\n" in mx.sym.one_hot.__doc__
    assert "*args : NDArray\n    One or more arrays, all of the same shape and element type.\n" in mx.nd.add_n.__doc__


def test_only_operators_that_accept_several_axes_mention_a_tuple_of_axes() -> None:
    several = {"tuple of int": 0, "int": 0}
    for op in all_operators():
        found = re.search(r"^axis : ([^,\n]*).*\n    (.*)$", function_docstring(op, "NDArray", ()), re.MULTILINE)
        if found is not None and found[1] in several:
            several[found[1]] += 1
            assert found[1] == "tuple of int" or "tuple of axes" not in found[2], op.name
    assert all(several.values())


def test_operands_of_one_file_have_the_shapes_of_their_own_operator() -> None:
    assert "of the shape and the element type of ``rhs``" in mx.nd.elemwise_add.__doc__
    assert "of a shape that broadcasts with its shape" in mx.nd.broadcast_add.__doc__
    assert "The axis to search" in mx.nd.argmax.__doc__ and "The axis or axes to reduce" in mx.nd.sum.__doc__
