"""Nonlinear operators of one array, such as relu, sigmoid, and clip."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ..core.operator import REQUIRED, Array, operator
from . import rules
from .activation import lower_relu
from .elementwise import at_least, at_most, in_double, unary
from .nn import require_float

FAMILY = "activation"
MEANINGS = {
    "alpha": "The slope of the middle piece of the hard sigmoid.",
    "beta": "The value of the hard sigmoid at 0.",
    "scalar": "The number that sets where the parabola becomes straight lines: at ``abs(data) == 1 / scalar ** 2``.",
    "a": "The coefficient of ``x²``.",
    "b": "The coefficient of ``x``.",
    "c": "The constant term.",
    "data": "An array of any shape.",
    "hard_sigmoid.data": "An array of floats, of any shape.",
    "_contrib_div_sqrt_dim.data": "An array with at least one axis.",
}

# --- relu ----------------------------------------------------------------------------------------


def _relu(xp, data: Array):
    """Return the rectified linear unit, ``max(x, 0)``."""
    if data.dtype.kind == "f":
        return at_least(xp, data, 0)
    return xp.maximum(data, 0)


relu = operator("relu", "_sparse_relu", elementwise=True)(_relu)
npx_relu = operator("_npx_relu", elementwise=True)(_relu)


@operator("_backward_relu", elementwise=True, fresh=True)
def backward_relu(xp, lhs: Array, rhs: Array):
    """Return the gradient of relu: ``lhs``, the incoming gradient, where ``rhs``, the output, is positive."""
    return lhs * (rhs > 0)


for _op in (relu, npx_relu, backward_relu):
    _op.infer_shape(rules.same)
    _op.infer_type(rules.same_type)
for _op in (relu, npx_relu):
    _op.gradient(lambda F, dy, y, data: [F._backward_relu(dy, y)])
    _op.lowering(lower_relu)
    _op.expression("larger({0}, zero)")
backward_relu.gradient(lambda F, dy, y, lhs, rhs: [F._backward_relu(dy, rhs), None])
backward_relu.expression("{0} * ({1} > zero ? one : zero)")
backward_relu.overwrites = (0,)


@backward_relu.lowering
def _(emit):
    """Emit the product of the incoming gradient and a mask, which is several times faster than ``where``."""
    gradient, y = emit.arguments
    mask = emit.temporary("mask", emit.result.shape, "greater", y, emit.number(0, "zero"), dtype=bool)
    emit.call("multiply", gradient, mask)


# --- functions without parameters ----------------------------------------------------------------


def _sigmoid(xp, x):
    result = xp.exp(-x)
    result += 1
    return 1 / result


for _names in (("sigmoid", "_sparse_sigmoid"), ("_npx_sigmoid",)):
    sigmoid = unary(
        _names,
        _sigmoid,
        lambda F, dy, y, x: dy * y * (1 - y),
        "Return the logistic function, ``1 / (1 + exp(-x))``.",
    )
    sigmoid.expression("sigmoid({0})")
    sigmoid.family = FAMILY


def _softsign_vjp(F, dy, y, x):
    denominator = F.abs(x) + 1
    return dy / (denominator * denominator)


softsign = unary(("softsign",), lambda xp, x: x / (xp.abs(x) + 1), _softsign_vjp, "Return ``x / (1 + |x|)``.")
softsign.family = FAMILY

# --- functions with parameters -------------------------------------------------------------------


@operator("hard_sigmoid", elementwise=True)
def hard_sigmoid(xp, data: Array, alpha: float = 0.2, beta: float = 0.5):
    """Return the piecewise linear sigmoid, ``min(max(alpha · x + beta, 0), 1)``."""
    require_float(data)
    return at_most(xp, at_least(xp, data * alpha + beta, 0), 1)


@hard_sigmoid.gradient
def _(F, dy, y, data, *, alpha, beta):
    inside = F._greater_scalar(y, scalar=0.0) * F._lesser_scalar(y, scalar=1.0)
    return [F.where(inside, dy * alpha, F.zeros_like(dy))]


@operator("clip", "_npi_clip", "_sparse_clip", elementwise=True)
def clip(xp, data: Array, a_min: float = REQUIRED, a_max: float = REQUIRED):
    """Return the values clamped to the interval from ``a_min`` to ``a_max``.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.clip(nd.array([-2.0, 0.5, 9.0]), a_min=-1, a_max=1).asnumpy()
    array([-1. ,  0.5,  1. ], dtype=float32)

    Notes
    -----
    If `a_min` is larger than `a_max`, values above `a_max` become `a_max`, and all other values become `a_min`.
    """
    if data.dtype.kind != "f":
        return _clipped_integers(xp, data, a_min, a_max)
    return _clipped(xp, data, a_min, a_max)


def _clipped_integers(xp: Any, data: Any, a_min: float, a_max: float) -> Any:
    """Compare integers with the ends in single precision, in which MXNet keeps the ends, and change no others."""
    with numpy.errstate(over="ignore"):
        low, high = numpy.float32(a_min), numpy.float32(a_max)
    ends = in_double(xp, lambda xp, x: _clipped(xp, x, float(low), float(high)), data)
    single = data.astype(numpy.float32)
    return xp.where((single > high) | (single < low), ends, data)


def _clipped(xp: Any, data: Any, a_min: float, a_max: float) -> Any:
    if math.isnan(a_min) or math.isnan(a_max):  # an end that is NaN limits no number
        a_min, a_max = (-math.inf if math.isnan(a_min) else a_min), (math.inf if math.isnan(a_max) else a_max)
    if a_min > a_max:
        low = xp.maximum(data, data.dtype.type(a_min))  # propagates NaN
        return xp.where(data > a_max, data.dtype.type(a_max), low)
    return data.clip(a_min, a_max)


@operator("_backward_clip", elementwise=True)
def backward_clip(xp, grad: Array, data: Array, a_min: float = REQUIRED, a_max: float = REQUIRED):
    """Return the gradient of clip: the incoming gradient where the input is in the closed interval, and 0 elsewhere."""
    return xp.where((data < a_min) | (data > a_max), grad.dtype.type(0), grad)  # also where the gradient is NaN


@clip.expression
def _(*, a_min, a_max):
    low = "{0}" if math.isnan(a_min) else "larger({0}, {low})"
    if a_min > a_max:
        return f"({{0}} > {{high}} ? {{high}} : {low})"
    return low if math.isnan(a_max) else f"smaller({low}, {{high}})"


clip.gradient(
    lambda F, dy, y, data, *, a_min, a_max: [F._backward_clip(dy, data, a_min=a_min, a_max=a_max)],
)
backward_clip.expression("({1} < {low} || {1} > {high} ? zero : {0})")
backward_clip.gradient(
    lambda F, dy, y, grad, data, *, a_min, a_max: [
        F._backward_clip(dy, data, a_min=a_min, a_max=a_max),
        None,
    ],
)


def _smooth_l1(xp, x, scalar):
    square, size = scalar * scalar, xp.abs(x)
    if square == 0 or square > numpy.finfo(x.dtype).max:  # a parabola alone, or lines alone
        width, square = (math.inf, 0.0) if square == 0 else (0.0, math.inf)
        return xp.where(size > width, size - 0.5 * width, 0.5 * square * x * x)
    width = 1 / square
    near = at_most(xp, size, width)  # the quadratic part, which continues as a line
    return (size - near * 0.5) * near * (1 / width)


@operator("smooth_l1", "_npx_smooth_l1", elementwise=True)
def smooth_l1(xp, data: Array, scalar: float = 1.0):
    """Return the smooth L1 loss, ``(scalar · x)² / 2`` if ``|x| < 1 / scalar²``, else ``|x| - 1 / (2 scalar²)``."""
    if data.dtype.kind != "f":
        return in_double(xp, lambda xp, x: _smooth_l1(xp, x, float(int(scalar))), data)  # an integer, as the data
    return _smooth_l1(xp, data, scalar)


smooth_l1.precision = "single"


@smooth_l1.gradient
def _(F, dy, y, data, *, scalar):
    product = F._mul_scalar(data, scalar=scalar * scalar)  # integers times an integer
    return [dy * F.clip(product, a_min=-1.0, a_max=1.0)]


@operator("_contrib_quadratic", elementwise=True)
def quadratic(xp, data: Array, a: float = 0.0, b: float = 0.0, c: float = 0.0):
    """Return the quadratic function ``a x² + b x + c``."""
    if data.dtype.kind != "f":
        return in_double(xp, lambda xp, x: (x * a + b) * x + c, data)
    return (data * a + b) * data + c


quadratic.names_inputs = True


@quadratic.gradient
def _(F, dy, y, data, *, a, b, c):
    return [dy * (data * (2 * a) + b)]


@operator("_contrib_div_sqrt_dim")
def div_sqrt_dim(xp, data: Array):
    """Divide an array by the square root of its last axis's size, as attention layers scale their scores.

    For integers, the square root is truncated.
    """
    root = math.sqrt(max(1, data.shape[-1]))
    return data * (1 / root) if data.dtype.kind == "f" else in_double(xp, lambda xp, x: x / int(root), data)


div_sqrt_dim.gradient(lambda F, dy, y, data: [F._contrib_div_sqrt_dim(dy)])

for _op in (hard_sigmoid, clip, backward_clip, smooth_l1, quadratic, div_sqrt_dim):
    _op.infer_shape(rules.same)
    _op.infer_type(rules.same_type)
