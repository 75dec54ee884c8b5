"""Reductions as in NumPy: results without axes have the shape ``()``, and element types are promoted.

The kernels are those of :mod:`~d2lhybrid.internals.ops.reduce`, with three differences: ``axis=()`` reduces no axis,
the sum of booleans is an int64, and the mean of integers is a float32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ...error import MXNetError, ShapeError
from ..core import trip_reasons as host_trips
from ..core.operator import Array, DType, Operator, Shape, operator
from . import rules
from .index import needed
from .reduce import (
    at_extremes,
    extreme_of,
    mean_of,
    position_of,
    product_of,
    reduction_axes,
    shape_rule,
    spreader,
    sum_of,
    wide_dtype,
)

FAMILY = "reduction"

Kernel = Callable[..., Any]
Rule = Callable[..., Any]

_BOOL = numpy.dtype(numpy.bool_)
_INT64 = numpy.dtype(numpy.int64)
_FLOAT32 = numpy.dtype(numpy.float32)

np_shape_rule = shape_rule(())


def _numpy_axis(axis: Any, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    return None if axis is None else reduction_axes(axis, shape)


def _refuse_initial(initial: float | None) -> None:
    if initial is not None:
        raise MXNetError("initial is not supported yet")


def _sum_dtype(dtype: numpy.dtype) -> numpy.dtype:
    return _INT64 if dtype.kind == "b" else dtype


def _mean_dtype(dtype: numpy.dtype) -> numpy.dtype:
    return dtype if dtype.kind == "f" else _FLOAT32


def _type_rule(default: Callable[[numpy.dtype], numpy.dtype]) -> Rule:
    """Return a dtype rule, which uses the attribute ``dtype``, or ``default`` of the input's dtype."""

    def rule(data, *, dtype=None, **_):
        if dtype is not None:
            return [data], [numpy.dtype(dtype)]
        return [data], [None if data is None else default(data)]

    return rule


# --- sum, product, mean -------------------------------------------------------------------------


def _totalling(
    names: tuple[str, ...],
    function: Kernel,
    default_dtype: Callable[[numpy.dtype], numpy.dtype],
    vjp: Rule | None,
    doc: str,
    backward: str = "_backward_sum",
) -> Operator:
    def run(
        xp,
        a: Array,
        axis: Shape | None = None,
        dtype: DType | None = None,
        keepdims: bool = False,
        initial: float | None = None,
    ):
        _refuse_initial(initial)
        result_dtype = numpy.dtype(dtype) if dtype is not None else default_dtype(a.dtype)
        # Sums are computed in the wider element type and then converted to the element type of the result.
        whole = a.dtype.kind != "f" and result_dtype.kind != "f"
        x = a.astype(result_dtype if whole else numpy.promote_types(a.dtype, result_dtype), copy=False)
        return function(xp, x, _numpy_axis(axis, a.shape), keepdims).astype(result_dtype, copy=False)

    run.__doc__ = doc
    op = operator(*names, fresh=True)(run)
    op.reduces = True
    op.infer_shape(np_shape_rule)
    op.infer_type(_type_rule(default_dtype))
    if vjp is None:
        return op

    @op.gradient
    def _(F, dy, y, a, *, axis, keepdims, **_):
        attributes = {"axis": axis, "keepdims": keepdims}
        return [vjp(F, dy, y, a, lambda reduced: getattr(F, backward)(reduced, a, **attributes))]

    return op


def _product_gradient(F, dy, y, a, *, axis, keepdims, **_):
    if axis == ():  # no axis is reduced
        return [dy]
    return [F._backward_sum(dy, a, axis=axis, keepdims=keepdims) * F._backward_prod(a, axis=axis)]


def _mean(xp, x, axis, keepdims):
    total = xp.add.reduce(x, axis, wide_dtype(x.dtype), None, keepdims)
    count = x.size // total.size if x.size else 1
    if x.dtype.kind == "f":
        return (total / count).astype(x.dtype, copy=False)
    towards_zero = xp.sign(total) * (abs(total) // count)
    return towards_zero.astype(x.dtype, copy=False)


_totalling(
    ("_np_sum",),
    sum_of,
    _sum_dtype,
    lambda F, dy, y, a, spread: spread(dy),
    "Return the sum of the elements over the given axes.",
)
_totalling(
    ("_np_prod", "_np_product"),
    product_of,
    _sum_dtype,
    None,
    "Return the product of the elements over the given axes.",
).gradient(_product_gradient)
_totalling(
    ("_npi_mean",),
    _mean,
    _mean_dtype,
    lambda F, dy, y, a, spread: spread(dy),
    "Return the mean of the elements over the given axes, as float32 for integers.",
    backward="_backward_mean",
)

# --- extremes -----------------------------------------------------------------------------------


def _extreme(names: tuple[str, ...], name: str, doc: str) -> None:
    function = extreme_of(name)

    def run(xp, a: Array, axis: Shape | None = None, keepdims: bool = False, initial: float | None = None):
        _refuse_initial(initial)
        return function(xp, a, _numpy_axis(axis, a.shape), keepdims)

    run.__doc__ = doc
    op = operator(*names, fresh=True)(run)
    op.reduces = True
    op.infer_shape(np_shape_rule)
    op.infer_type(rules.same_type)

    @op.gradient
    def _(F, dy, y, a, *, axis, keepdims, initial):
        return [at_extremes(F, dy, y, a, spreader(F, a, {"axis": axis, "keepdims": keepdims}))]


_extreme(("_np_max", "_np_amax"), "max", "Return the largest element over the given axes.")
_extreme(("_np_min", "_np_amin"), "min", "Return the smallest element over the given axes.")


def _numpy_position_axis(axis: int | None, shape: tuple[int, ...]) -> int | None:
    """Return the axis along which to search; a scalar counts as a vector of one element, as in older NumPy."""
    return None if not shape and axis in (0, -1) else axis


def _position(name: str, doc: str) -> None:
    def run(xp, data: Array, axis: int | None = None, keepdims: bool = False):
        axis = _numpy_position_axis(axis, data.shape)
        if not (data.size if axis is None else data.shape[axis]):
            raise ShapeError(
                "Check failed: inputs[0].shape_.Size() != 0U (0 vs. 0) : attempt to search an empty sequence"
            )
        return position_of(name, xp, data, axis, keepdims).astype(_INT64, copy=False)

    run.__doc__ = doc
    op = operator(f"_npi_{name}", differentiable=False)(run)
    op.reduces = True

    @op.infer_shape
    def _(data, *, axis=None, keepdims=False):
        return np_shape_rule(data, axis=axis if data is None else _numpy_position_axis(axis, data), keepdims=keepdims)

    op.infer_type(lambda data, **_: ([data], [_INT64]))


_position("argmax", "Return the position of the largest element along an axis, or in the flattened array, as int64.")
_position("argmin", "Return the position of the smallest element along an axis, or in the flattened array, as int64.")


def _logical(names: tuple[str, ...], method: str, doc: str) -> None:
    def run(xp, data: Array, axis: Shape | None = None, keepdims: bool = False):
        return getattr(data, method)(axis=_numpy_axis(axis, data.shape), keepdims=keepdims)

    run.__doc__ = doc
    op = operator(*names, differentiable=False)(run)
    op.reduces = True
    op.infer_shape(np_shape_rule)
    op.infer_type(lambda data, **_: ([data], [_BOOL]))
    op.names_inputs = True


_logical(("_np_any", "_np_sometrue"), "any", "Return whether any element over the given axes is nonzero.")
_logical(("_np_all",), "all", "Return whether all elements over the given axes are nonzero.")

# --- variance and standard deviation ------------------------------------------------------------


def _spread_measure(name: str, doc: str, vjp: Rule) -> None:
    """Register ``std`` or ``var``; the mean is a hidden second output."""

    def run(
        xp,
        a: Array,
        axis: Shape | None = None,
        dtype: DType | None = None,
        ddof: int = 0,
        keepdims: bool = False,
    ):
        result_dtype = numpy.dtype(dtype) if dtype is not None else a.dtype
        axes = _numpy_axis(axis, a.shape)
        x = a.astype(wide_dtype(result_dtype), copy=False)
        mean = mean_of(xp, x, axes, True)  # has an integer element type if x has
        centred = x - mean
        total = xp.add.reduce(centred * centred, axes, x.dtype, None, keepdims)
        count = a.size // max(total.size, 1) - ddof
        measure = total / count if x.dtype.kind == "f" else total // count
        if name == "std":
            measure = xp.sqrt(measure)
        return [
            measure.astype(result_dtype, copy=False),
            mean.reshape(measure.shape).astype(result_dtype, copy=False),
        ]

    run.__doc__ = doc
    op = operator(f"_npi_{name}", outputs=2, visible_outputs=1)(run)
    op.reduces = True
    op.infer_shape(shape_rule((), outputs=2))

    @op.infer_type
    def _(a, **attributes):
        inputs, outputs = _type_rule(lambda given: given)(a, **attributes)
        return inputs, outputs * 2

    op.output_names(lambda **_: [name])
    op.names_outputs = True

    @op.gradient
    def _(F, dy, y, a, *, axis, dtype, ddof, keepdims):
        attributes = {"axis": axis, "keepdims": keepdims}
        # y[1] can't be used, because the tape treats hidden outputs as constants.
        centred = a - F._backward_sum(F._npi_mean(a, **attributes), a, **attributes)
        return [F._backward_mean(vjp(F, dy[0], y[0]), a, ddof=ddof, **attributes) * centred]


_spread_measure(
    "var", "Return the variance over the given axes, with the divisor ``n - ddof``.", lambda F, dy, y: dy * 2
)
# If the deviation is 0, all elements equal the mean, and the divisor has no effect.
_spread_measure(
    "std",
    "Return the standard deviation over the given axes, with the divisor ``n - ddof``.",
    lambda F, dy, y: dy / (y + F._equal_scalar(y, scalar=0.0)),
)

# --- weighted average ---------------------------------------------------------------------------


def _weights_shape(weights: tuple[int, ...], a: tuple[int, ...], axis: Any) -> list[int]:
    """Return the shape with which weights broadcast along their axis of ``a``."""
    if weights == a:
        return list(a)
    if axis is None:
        raise ShapeError(
            "Check failed: param.axis.has_value() == true (0 vs. 1) : "
            "Axis must be specified when shapes of a and weights differ."
        )
    axes = reduction_axes(axis, a)
    rules.require(
        len(weights) == 1 and len(axes) == 1,
        "weights->ndim() == 1: 1D weights expected when shapes of a and weights differ.",
    )
    rules.require(weights[0] == a[axes[0]], "Length of weights not compatible with specified axis.")
    return [n if i == axes[0] else 1 for i, n in enumerate(a)]


@operator("_align_weights")
def align_weights(xp, weights: Array, a: Array, axis: Shape | None = None):
    """Broadcast weights, which belong to one axis of ``a``, to the shape of ``a``."""
    result = xp.empty(a.shape, a.dtype)
    result[...] = weights.reshape(_weights_shape(weights.shape, a.shape, axis))
    return result


@operator("_sum_to_weights")
def sum_to_weights(xp, a: Array, weights: Array, axis: Shape | None = None):
    """Sum ``a`` to the shape of the weights along one axis; this is the gradient of ``_align_weights``."""
    laid = _weights_shape(weights.shape, a.shape, axis)
    axes = tuple(i for i, n in enumerate(laid) if n != a.shape[i])
    return xp.add.reduce(a, axes).reshape(weights.shape)


align_weights.infer_shape(lambda weights, a, **_: ([weights, a], [a]))
align_weights.infer_type(lambda weights, a, **_: ([weights, a], [a]))
align_weights.gradient(lambda F, dy, y, weights, a, *, axis: [F._sum_to_weights(dy, weights, axis=axis), None])
sum_to_weights.infer_shape(lambda a, weights, **_: ([a, weights], [weights]))
sum_to_weights.infer_type(rules.type_of_first)
sum_to_weights.gradient(lambda F, dy, y, a, weights, *, axis: [F._align_weights(dy, a, axis=axis), None])


@operator(
    "_npi_average",
    outputs=2,
    visible_outputs=lambda *, returned, **_: 2 if returned else 1,
)
def average(
    xp,
    a: Array,
    weights: Array | None = None,
    axis: Shape | None = None,
    returned: bool = False,
    weighted: bool = True,
):
    """Return the weighted average over axes and, if ``returned`` is true, also the sum of the weights."""
    axes = _numpy_axis(axis, a.shape)
    dtype = _mean_dtype(a.dtype)
    if not weighted:
        mean = _mean(xp, a.astype(dtype, copy=False), axes, False)
        if not a.size:  # NaN, although ``mean`` returns 0
            mean = xp.full(mean.shape, numpy.nan, dtype)
        return [mean, xp.asarray(a.size // max(mean.size, 1), dtype=dtype)]
    given = needed(weights, "_npi_average", 2)
    laid = given.reshape(_weights_shape(given.shape, a.shape, axis)).astype(dtype, copy=False)
    total = xp.add.reduce(a * laid, axes)
    scale = xp.add.reduce(laid, axes) if given.shape == a.shape else given.sum()
    return [(total / scale).astype(dtype, copy=False), scale.astype(dtype, copy=False)]


average.tells_device = host_trips.ANSWER


@average.input_names
def _(*, weighted, **_):
    return ["a", "weights"] if weighted else ["a"]


@average.output_names
def _(*, returned, **_):
    return ["output0", "output1"] if returned else ["output0"]


@average.infer_shape
def _(a, *weights, axis, weighted, **_):
    inputs = [a, *weights]
    if a is None:
        return inputs, [None, None]
    _, [mean] = np_shape_rule(a, axis=axis)
    if not weighted:
        return inputs, [mean, ()]
    if weights[0] is None:
        return inputs, [mean, None]
    return inputs, [mean, mean if len(weights[0]) == len(a) != 1 else (() if len(a) > 1 else mean)]


@average.infer_type
def _(a, *weights, **_):
    dtype = None if a is None else _mean_dtype(a)
    return [a, *weights], [dtype, dtype]


@average.gradient
def _(F, dy, y, a, *weights, axis, weighted, returned):
    if not weighted:  # without weights, the sum is the number of elements, a constant
        return [F._backward_mean(dy[0], a, axis=axis)]
    spread = spreader(F, a, {"axis": axis})
    laid = F._align_weights(weights[0], a, axis=axis)
    scale = spread(F._np_sum(laid, axis=axis))
    share = spread(dy[0]) / scale
    weight_grad = share * (a - spread(y[0]))
    if returned:
        # One-dimensional weights are repeated along the other axes of ``a``, but counted once.
        ones = F.ones_like(a)
        repeats = F._align_weights(F._sum_to_weights(ones, weights[0], axis=axis), a, axis=axis)
        weight_grad = weight_grad + spread(dy[1]) * ones / repeats
    return [share * laid, F._sum_to_weights(weight_grad, weights[0], axis=axis)]
