"""Checks of an operator's rules on concrete arrays: gradients by finite differences, shapes, dtypes.

Gradient rules may only use operators and arithmetic between arrays of one shape. They are run here on
opaque values that refuse anything else, so that a rule which peeks at a shape is found out.
"""

from __future__ import annotations

import numpy as np

import d2lhybrid.internals.ops  # noqa: F401  (registers the operators)
from d2lhybrid import autograd
from d2lhybrid.context import cpu
from d2lhybrid.internals.core.invoke import invoke, wrap
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.ndarray import NDArray

F = kernel_space(np)
STEP = 1e-6


class Opaque:
    """An array of which a gradient rule sees nothing but arithmetic."""

    __array_priority__ = 1000

    def __init__(self, array):
        self._array = np.asarray(array)

    def _binary(self, other, function):
        if isinstance(other, Opaque):
            assert other._array.shape == self._array.shape, "arithmetic between different shapes"
            other = other._array
        else:
            assert isinstance(other, int | float), type(other)
        return Opaque(function(self._array, other))

    def __add__(self, other):
        return self._binary(other, np.add)

    def __sub__(self, other):
        return self._binary(other, np.subtract)

    def __mul__(self, other):
        return self._binary(other, np.multiply)

    def __truediv__(self, other):
        return self._binary(other, np.divide)

    def __neg__(self):
        return Opaque(-self._array)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return -self + other


class OpaqueSpace:
    def __getattr__(self, name):
        op = get_operator(name)

        def call(*arrays, **attributes):
            assert all(isinstance(a, Opaque) for a in arrays), name
            outputs = op.kernel(np, *(a._array for a in arrays), **op.parse(attributes))
            if isinstance(outputs, list | tuple):
                return [Opaque(o) for o in outputs]
            return Opaque(outputs)

        return call


def run(name, arrays, attributes):
    """Return all outputs of a kernel as a list of arrays."""
    op = get_operator(name)
    outputs = op.kernel(np, *arrays, **op.parse(attributes))
    return [np.asarray(o) for o in outputs] if isinstance(outputs, list | tuple) else [np.asarray(outputs)]


def gradients(name, arrays, attributes, heads):
    """Return what the gradient rule says, run on opaque values; None becomes zeros."""
    op = get_operator(name)
    outputs = [Opaque(o) for o in run(name, arrays, attributes)]
    boxed = [Opaque(h) for h in heads] + [None] * (len(outputs) - len(heads))
    inputs = [Opaque(a) for a in arrays]
    needs = (True,) * len(arrays)
    found = op.vjp(OpaqueSpace(), boxed, outputs, inputs, op.parse(attributes), needs, training=True)
    assert len(found) == len(arrays)
    return [np.zeros_like(a) if g is None else g._array for g, a in zip(found, arrays, strict=True)]


def numeric_gradient(function, array):
    """Return the central differences of a scalar function of one float64 array."""
    result = np.zeros_like(array)
    for i in np.ndindex(array.shape):
        moved = []
        for sign in (1, -1):
            shifted = array.copy()
            shifted[i] += sign * STEP
            moved.append(function(shifted))
        result[i] = (moved[0] - moved[1]) / (2 * STEP)
    return result


def with_array(arrays, i, array):
    return [array if j == i else a for j, a in enumerate(arrays)]


def visible_heads(name, arrays, attributes, rng):
    op = get_operator(name)
    count = op.num_visible_outputs(op.parse(attributes), len(arrays))
    outputs = run(name, arrays, attributes)[:count]
    return [rng.normal(size=o.shape).astype(o.dtype) for o in outputs]


def check_rules(name, arrays, attributes):
    """Compare the shape rule and the dtype rule with what the kernel returns."""
    op = get_operator(name)
    outputs = run(name, arrays, attributes)
    full = op.complete(op.parse(attributes))
    _, shapes = op.shape_rule(*(a.shape for a in arrays), **full)
    assert len(shapes) == len(outputs)
    for shape, output in zip(shapes, outputs, strict=True):
        assert len(shape) == output.ndim
        assert all(n in (None, m) for n, m in zip(shape, output.shape, strict=True)), (shapes, output.shape)
    _, dtypes = op.type_rule(*(a.dtype for a in arrays), **full)
    assert [np.dtype(d) for d in dtypes] == [o.dtype for o in outputs]
    op.shape_rule(*[None] * len(arrays), **full)
    op.type_rule(*[None] * len(arrays), **full)


def check_first_derivative(name, arrays, attributes, seed=0, rtol=1e-6, atol=1e-7):
    """Compare a gradient rule with finite differences of the kernel, in float64."""
    rng = np.random.default_rng(seed)
    heads = visible_heads(name, arrays, attributes, rng)

    def loss(*inputs):
        outputs = run(name, inputs, attributes)
        return sum(float((h * o).sum()) for h, o in zip(heads, outputs, strict=False))

    found = gradients(name, arrays, attributes, heads)
    for i, array in enumerate(arrays):
        assert found[i].shape == array.shape
        assert found[i].dtype == array.dtype
        if array.dtype != np.float64:
            continue
        expected = numeric_gradient(lambda x, i=i: loss(*with_array(arrays, i, x)), array)
        np.testing.assert_allclose(found[i], expected, rtol=rtol, atol=atol, err_msg=f"{name}, input {i}")


def check_second_derivative(name, arrays, attributes, seed=0, rtol=1e-5, atol=1e-6):
    """Compare the tape's derivative of a recorded backward pass with finite differences of the rule.

    The head gradients are variables, too: with respect to them, an adjoint's adjoint is checked.
    """
    rng = np.random.default_rng(seed)
    heads = visible_heads(name, arrays, attributes, rng)
    smooth = [i for i, a in enumerate(arrays) if a.dtype == np.float64]
    weights = {i: rng.normal(size=arrays[i].shape) for i in smooth}
    count = len(arrays)

    def loss(*values):
        found = gradients(name, values[:count], attributes, values[count:])
        return sum(float((weights[i] * found[i]).sum()) for i in smooth)

    op = get_operator(name)
    values = [*arrays, *heads]
    boxes = [wrap(NDArray, a.copy(), cpu()) for a in values]
    variables = [*smooth, *range(count, len(values))]
    for i in variables:
        boxes[i].attach_grad()
    with autograd.record():
        outputs = invoke(op, boxes[:count], op.parse(attributes), NDArray)
        outputs = outputs if isinstance(outputs, list) else [outputs]
        first = autograd.grad(outputs, [boxes[i] for i in smooth], boxes[count:], create_graph=True)
        terms = [
            invoke(get_operator("_np_sum"), [g * wrap(NDArray, weights[i], cpu())], {}, NDArray)
            for i, g in zip(smooth, first, strict=True)
        ]
        total = sum(terms[1:], terms[0])
    total.backward()
    for i in variables:
        expected = numeric_gradient(lambda x, i=i: loss(*with_array(values, i, x)), values[i])
        np.testing.assert_allclose(boxes[i].grad._data, expected, rtol=rtol, atol=atol, err_msg=f"{name}, value {i}")
