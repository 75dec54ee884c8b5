"""Rows with one element among zeros are neither added up nor written, and nothing else is left out."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from d2lhybrid import autograd, nd
from d2lhybrid.gluon import loss, nn
from d2lhybrid.internals.compiler.backends.c_compiler import find_compiler
from d2lhybrid.internals.core.operator import get_operator

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


def gradient(function: Any, *arrays: Any) -> tuple[Any, list[str]]:
    """Return the gradient with respect to the first array, and which operators the compiled program has."""
    found = []
    for backend in (None, "c"):
        function.hybridize(backend is not None, backend=backend)
        arrays[0].attach_grad()
        with autograd.record():
            value = function(*arrays)
        value.backward()
        found.append(arrays[0].grad.asnumpy())
    numpy.testing.assert_allclose(found[1], found[0], rtol=1e-5, atol=1e-7)
    return found[1], [n.op.name for n in function.programs[-1].graph.nodes if n.op is not None]


@pytest.mark.parametrize(("shape", "axis"), [((7, 500), -1), ((5, 3, 400), 2), ((90, 8, 6), 1)], ids=str)
def test_the_gradient_of_a_cross_entropy_adds_up_no_rows(shape: tuple[int, ...], axis: int) -> None:
    x = nd.random.normal(shape=shape)
    labels = nd.array(numpy.random.default_rng(0).integers(0, shape[axis], numpy.delete(shape, axis)))
    _, operators = gradient(loss.SoftmaxCrossEntropyLoss(axis=axis), x, labels)
    assert "_add_picked" in operators and not {"_backward_pick", "sum"} & set(operators)


def test_what_is_not_a_number_stays_in_its_row() -> None:
    x, labels = nd.random.normal(shape=(4, 900)), nd.array([1, 2, 3, 899])
    weights = nd.array([[1], [numpy.nan], [numpy.inf], [0]])
    with numpy.errstate(all="ignore"):
        found, operators = gradient(loss.SoftmaxCrossEntropyLoss(), x, labels, weights)
    assert "sum" not in operators
    assert numpy.isnan(found[1]).all() and numpy.isfinite(found[[0, 3]]).all()


OTHERS: dict[str, Any] = {
    "another axis": lambda F, x, i: F.sum(F.pick(x, i) * 2) + F.sum(F.sum(x * x, axis=0)),
    "the gradient's sum over the other axis": lambda F, x, i: F.broadcast_add(F.sum(x, axis=0, keepdims=True), x).pick(
        i
    ),
    "all axes but one": lambda F, x, i: F.broadcast_mul(F.sum(x, axis=0, keepdims=True, exclude=True), x).pick(i),
    "positions that wrap": lambda F, x, i: F.log_softmax(x).pick(i + 1000, mode="wrap"),
    "positions outside": lambda F, x, i: F.log_softmax(x).pick(i - 1000),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_sums_and_positions(name: str) -> None:
    x, i = nd.random.normal(shape=(9, 300)), nd.array([0, 299, 5, 7, 7, 8, 1, 2, 3])
    gradient(nn.HybridLambda(OTHERS[name]), x, i)


@pytest.mark.parametrize("mode", ["clip", "wrap"])
def test_adding_picked_elements_gives_the_bits_of_the_difference(mode: str) -> None:
    rng = numpy.random.default_rng(0)
    softmax, values = rng.normal(size=(64, 50)).astype("float32"), rng.normal(size=64).astype("float32")
    softmax[:5], index = 0, (numpy.arange(64) % 60 - 5).astype("float32")
    gradient = get_operator("_backward_pick").kernel(numpy, values, index, softmax, mode=mode)
    negative = get_operator("_rminus_scalar").kernel(numpy, softmax, scalar=0.0)
    found = get_operator("_add_picked").kernel(numpy, negative, values, index, mode=mode)
    numpy.testing.assert_array_equal(found.view("int32"), (gradient - softmax).view("int32"))
