"""The recipes of CONTRIBUTING are programs that run."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd, sym
from d2lhybrid.gluon.nn import basic_layers
from d2lhybrid.internals.core.passes.merge_equal import merge_equal
from d2lhybrid.internals.core.pipeline import compile_graph
from d2lhybrid.internals.pictures import html, picture
from d2lhybrid.internals.support import words

TEXT = (Path(__file__).resolve().parent.parent / "CONTRIBUTING.md").read_text("utf-8")


def recipe(heading, kind="python"):
    """Return the first program below a heading of CONTRIBUTING."""
    block = re.search(rf"## {heading}\n.*?```{kind}\n(.*?)```", TEXT, flags=re.DOTALL)
    assert block
    return block[1]


CHECK_THE_EXAMPLE = """
from __future__ import annotations
import sys
import numpy
import d2lhybrid.internals.ops
from d2lhybrid.internals.ops import rules
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import Array, get_operator, operator

exec(sys.stdin.read())
swish = get_operator("swish")
x = numpy.linspace(-3, 3, 7)
y = swish.kernel(numpy, x, beta=1.5)
assert abs(y - x / (1 + numpy.exp(-1.5 * x))).max() < 1e-12
assert swish.shape_rule((2, None), beta=1.5)[1] == [(2, None)]
(gradient,) = swish.gradient_rule(kernel_space(numpy), numpy.ones(7), y, x, beta=1.5)
step = 1e-6
numeric = (swish.kernel(numpy, x + step, beta=1.5) - swish.kernel(numpy, x - step, beta=1.5)) / (2 * step)
assert abs(gradient - numeric).max() < 1e-8
"""


def test_the_operator_of_contributing_is_right():
    # In a process of its own, so that the registry of the other tests stays as it is.
    command = [sys.executable, "-W", "error", "-c", CHECK_THE_EXAMPLE]
    done = subprocess.run(command, input=recipe("An operator"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_pass_of_contributing_is_right():
    names = {
        "__name__": "d2lhybrid.internals.compiler.passes.order_sums",
        "__package__": "d2lhybrid.internals.compiler.passes",
    }
    exec(recipe("A pass"), names)
    x, y = sym.var("x"), sym.var("y")
    z = (x + y) * (y + x)
    program = compile_graph(
        z, ["x", "y"], dict.fromkeys("xy", (2,)), dict.fromkeys("xy", "float32"), False, None, numpy
    )
    before = program.stages[0].graph
    after = merge_equal(names["order_sums"](before))
    assert (before.num_operators, after.num_operators) == (3, 2)
    assert names["order_sums"](after) is after
    assert all(re.search("[\u4e00-\u9fff]", text) for text in names["CHINESE"])


def test_the_layer_of_contributing_is_right():
    names = {**vars(basic_layers)}
    exec("from __future__ import annotations\n" + recipe("A layer"), names)
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(names["Shift"], "Shift", globs=names):
        runner.run(test)
    assert (runner.failures, runner.tries > 2) == (0, True)
    net = names["Shift"](prefix="shift0_")
    net.initialize()
    net.hybridize()
    assert net(nd.ones((2, 3))).shape == (2, 3) and [*net.collect_params()] == ["shift0_shift"]


def test_the_widget_of_contributing_is_right(monkeypatch):
    base = pytest.importorskip("d2lhybrid.internals.pictures.widgets.base", reason="anywidget is not installed")
    monkeypatch.setattr(words, "_CHINESE", dict(words._CHINESE))  # the recipe adds some
    names = {**vars(picture), **vars(html), "add_words": words.add_words}
    exec("from __future__ import annotations\n" + recipe("A widget"), names)
    widget = base.Widget(names["Answer"]())
    widget.act("ask_again")
    assert widget.data["asked"] == 1 and "42, asked for 1 time" in widget.picture.to_html()
    with pytest.raises(AttributeError, match="has no action 'to_dict'"):
        widget.act("to_dict")
    with mx.config(lang="zh"):
        assert widget.picture.to_text() == "42，问了 1 次"
    script = recipe("A widget", "js")
    assert 'ask(model, root, "ask_again")' in script and script.startswith("export default {")
