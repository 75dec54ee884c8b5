"""Expressions of ``np`` and ``npx`` give what they give in MXNet; where not, a table says why."""

import json
from pathlib import Path

import numpy_expressions
import pytest
from numpy_expressions import PLACES, expressions

import d2lhybrid as mx

GOLDEN = json.loads((Path(__file__).parent / "golden_data/text/numpy_expressions.json").read_text(encoding="utf-8"))

_ROUNDING = "the last digit: sums are made in another order"

DIFFERENCES: dict[str, str] = {
    "np.outer(i,i)": "MXNet multiplies floating-point numbers only",
    "np.linalg.norm(x)": _ROUNDING,
    "np.linalg.norm(x,'fro')": _ROUNDING,
    "onp.linalg.norm(x)": _ROUNDING,
    "x.sum(foo=1)": "Python names the class in which the method is written",
    "np.random.choice([1,2,3],2)": "the arguments of the call are listed in another order",
}


@pytest.fixture(autouse=True)
def _numpy_semantics():
    mx.npx.set_np()
    yield
    mx.npx.reset_np()


def _as_in_mxnet(seen):
    seen = json.loads(json.dumps(seen).replace("d2lhybrid.", "mxnet."))
    if seen.get("raises") == "ShapeError":
        seen["raises"] = "MXNetError"
    return seen


def _each(place):
    marks = {e: [pytest.mark.xfail(strict=True, reason=DIFFERENCES[e])] for e in DIFFERENCES}
    return pytest.mark.parametrize("expression", [pytest.param(e, marks=marks.get(e, [])) for e in expressions(place)])


@_each("arrays")
def test_arrays(expression):
    assert _as_in_mxnet(numpy_expressions.evaluate(mx, expression)) == GOLDEN["arrays"][expression]


@_each("symbols")
def test_symbols(expression):
    assert _as_in_mxnet(numpy_expressions.evaluate(mx, expression)) == GOLDEN["symbols"][expression]


def test_every_difference_is_an_expression():
    assert not {*DIFFERENCES} - {e for place in PLACES for e in expressions(place)}
