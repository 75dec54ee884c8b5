"""Gradients of products: exact where an element is zero, infinite or no number, as often as one differentiates."""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn

ROWS = [[2.0, 0.0, 3.0, 0.5], [2.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0, -2.0, 3.0, 4.0]]


def products_of_others(row: list[float]) -> list[float]:
    return [float(numpy.prod([*row[:i], *row[i + 1 :]])) for i in range(len(row))]


def gradient(compute: Any, values: Any, hybridized: bool = False) -> numpy.ndarray:
    x = nd.array(values)
    net = nn.HybridLambda(compute)
    if hybridized:
        net.hybridize()
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    return x.grad.asnumpy()


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize("keepdims", [False, True])
def test_a_product_over_one_axis(keepdims: bool, hybridized: bool) -> None:
    expected = numpy.array([products_of_others(row) for row in ROWS])
    for axis, values, wanted in ((1, ROWS, expected), (-2, numpy.transpose(ROWS), expected.T)):
        found = gradient(lambda F, x, axis=axis: F.prod(x, axis=axis, keepdims=keepdims) * 2, values, hybridized)
        numpy.testing.assert_array_equal(found, 2 * wanted)


@pytest.mark.parametrize("hybridized", [False, True])
def test_a_product_over_several_axes_and_over_all_others(hybridized: bool) -> None:
    values = numpy.array(ROWS[:3], "float32").reshape(3, 2, 2)
    expected = numpy.array([products_of_others(row) for row in ROWS[:3]]).reshape(3, 2, 2)
    for attributes in ({"axis": (1, 2)}, {"axis": 0, "exclude": True}, {"axis": (-1, -2)}):
        found = gradient(lambda F, x, attributes=attributes: F.prod(x, **attributes), values, hybridized)
        numpy.testing.assert_array_equal(found, expected)
    found = gradient(lambda F, x: F.prod(x), [[2.0, 0.0], [3.0, 4.0]], hybridized)
    numpy.testing.assert_array_equal(found, [[0, 24], [0, 0]])


def test_what_is_infinite_or_no_number() -> None:
    numpy.testing.assert_array_equal(gradient(lambda F, x: F.prod(x), [2, numpy.inf, 3]), [numpy.inf, 6, numpy.inf])
    numpy.testing.assert_array_equal(gradient(lambda F, x: F.nanprod(x), [2, 0, numpy.nan, 3]), [0, 6, 0, 0])
    numpy.testing.assert_array_equal(gradient(lambda F, x: F.nanprod(x), [2, 5, numpy.nan, 3]), [15, 6, 0, 10])


@pytest.mark.parametrize("axis", [None, 1, (0, 1), ()])
def test_products_of_numpy_arrays(axis: Any) -> None:
    mx.npx.set_np()
    try:
        x = mx.np.array([[2.0, 0.0, 3.0], [1.0, 2.0, 4.0]])
        x.attach_grad()
        with autograd.record():
            y = mx.np.prod(x, axis=axis)
        y.backward()
        found = x.grad.asnumpy()
    finally:
        mx.npx.reset_np()
    one_zero = [[0, 48, 0], [0, 0, 0]]
    numpy.testing.assert_array_equal(
        found, {None: one_zero, (0, 1): one_zero, 1: [[0, 6, 0], [8, 4, 2]], (): numpy.ones((2, 3))}[axis]
    )


@pytest.mark.parametrize("row", [[2.0, 0.0, 3.0, 0.5], [0.0, 0.0, 3.0, 2.0], [1.0, 2.0, 3.0, 4.0]])
def test_second_and_third_derivatives_at_zeros(row: list[float]) -> None:
    x = nd.array(row)
    x.attach_grad()
    indices = range(len(row))

    def left(*without: int) -> float:
        return (
            float(numpy.prod([v for k, v in enumerate(row) if k not in without]))
            if len(set(without)) == len(without)
            else 0.0
        )

    with autograd.record():
        [first] = autograd.grad([nd.prod(x)], [x], create_graph=True)
        [second] = autograd.grad([first[1]], [x], create_graph=True)
        [third] = autograd.grad([second[2]], [x], create_graph=True)
        third[0].backward()
    numpy.testing.assert_array_equal(second.asnumpy(), [left(1, j) for j in indices])
    numpy.testing.assert_array_equal(third.asnumpy(), [left(1, 2, j) for j in indices])
    numpy.testing.assert_array_equal(x.grad.asnumpy(), [left(1, 2, 0, j) for j in indices])


def test_products_over_nothing() -> None:
    for shape, axis in itertools.product([(0, 3), (3, 0)], [0, 1]):
        with mx.util.np_shape():
            assert gradient(lambda F, x, axis=axis: F.prod(x, axis=axis), numpy.zeros(shape)).shape == shape
