"""Reductions: sums, means, extremes, norms, indices of extremes, and cumulative sums."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ...internals.ops.numpy_svd import _norm_plan
from ..builder import Builder
from ..translations import Untranslatable, translates
from ..values import Value

Reduction = Callable[[Builder, Value, list[int], bool], Value]


def _axes(g: Builder, data: Value, axis: Any, exclude: bool = False) -> list[int]:
    """Return the axes as nonnegative indices. None means all axes."""
    rank = g.rank(data)
    if axis is None or axis == ():
        return [] if exclude and axis == () else list(range(rank))
    chosen = [a % rank for a in (axis if isinstance(axis, tuple) else (axis,))]
    return [a for a in range(rank) if a not in chosen] if exclude else sorted(chosen)


def _reduce(op_type: str) -> Reduction:
    def run(g: Builder, x: Value, axes: list[int], keepdims: bool) -> Value:
        if not axes:
            return x
        return g.make(op_type, [x, axes], keepdims=int(keepdims))

    return run


_SUM, _PROD, _MEAN = _reduce("ReduceSum"), _reduce("ReduceProd"), _reduce("ReduceMean")


def _without_nan(reduction: Reduction, neutral: float) -> Reduction:
    def run(g: Builder, x: Value, axes: list[int], keepdims: bool) -> Value:
        if x.dtype.kind == "f":
            x = g.Where(g.IsNaN(x), g.value(neutral, x.dtype), x)
        return reduction(g, x, axes, keepdims)

    return run


def _integer_mean(g: Builder, x: Value, axes: list[int], keepdims: bool) -> Value:
    return _MEAN(g, x if x.dtype.kind == "f" else g.cast(x, numpy.float64), axes, keepdims)


def _sum_of_squares(g: Builder, x: Value, axes: list[int], keepdims: bool) -> Value:
    return _SUM(g, g.Mul(x, x), axes, keepdims)


_LEGACY: dict[str, Reduction] = {
    "sum": _SUM,
    "mean": _integer_mean,
    "max": _reduce("ReduceMax"),
    "min": _reduce("ReduceMin"),
    "prod": _PROD,
    "nansum": _without_nan(_SUM, 0.0),
    "nanprod": _without_nan(_PROD, 1.0),
    "_square_sum": _sum_of_squares,
}


def _at_least_one_axis(g: Builder, result: Value, data: Value, axes: list[int], keepdims: bool) -> Value:
    """Add an axis to the result of a full reduction, because legacy arrays have at least one."""
    everything = axes and len(axes) == g.rank(data) and not keepdims
    return g.Reshape(result, [1]) if everything and g.shape == (1,) else result


def _legacy(reduction: Reduction) -> Any:
    def translation(g: Builder, data: Value, *, axis: Any, keepdims: bool, exclude: bool) -> Value:
        axes = _axes(g, data, axis, exclude)
        return _at_least_one_axis(g, reduction(g, data, axes, keepdims), data, axes, keepdims)

    return translation


for _name, _reduction in _LEGACY.items():
    translates(_name)(_legacy(_reduction))


@translates("_sum_to_reduced")
def sum_to_reduced(g: Builder, data: Value, reduced: Value, *, axis: Any, keepdims: bool, exclude: bool) -> Value:
    """Sum an array along the axes of a reduction. The result has the shape of ``reduced``, which is not read."""
    axes = _axes(g, data, axis, exclude)
    return _at_least_one_axis(g, _SUM(g, data, axes, keepdims), data, axes, keepdims)


# --- np -------------------------------------------------------------------------------------------

_NUMPY: dict[str, tuple[Reduction, str]] = {
    "_np_sum": (_SUM, "Add"),
    "_np_prod": (_PROD, "Mul"),
    "_np_max": (_reduce("ReduceMax"), "Max"),
    "_np_min": (_reduce("ReduceMin"), "Min"),
}


def _numpy(reduction: Reduction, combine: str) -> Any:
    def translation(
        g: Builder, a: Value, *, axis: Any, keepdims: bool, initial: float | None, dtype: Any = None
    ) -> Value:
        axes = [] if axis == () else _axes(g, a, axis)
        result = reduction(g, g.cast(a, g.dtype), axes, keepdims)
        return result if initial is None else g.make(combine, [result, g.value(initial, result.dtype)])

    return translation


for _name, (_reduction, _combine) in _NUMPY.items():
    translates(_name)(_numpy(_reduction, _combine))


@translates("_npi_mean")
def mean(g: Builder, a: Value, *, axis: Any, dtype: Any, keepdims: bool, initial: float | None) -> Value:
    """Return the mean along axes. Integers are converted to the element type of the result first."""
    return _integer_mean(g, g.cast(a, g.dtype), [] if axis == () else _axes(g, a, axis), keepdims)


def _deviations(g: Builder, x: Value, axes: list[int], keepdims: bool, ddof: int = 0) -> tuple[Value, Value]:
    """Return the mean and the variance."""
    center = _MEAN(g, x, axes, True)
    off = g.Sub(x, center)
    squares = g.Mul(off, off)
    average = center if keepdims else _MEAN(g, x, axes, False)
    if ddof == 0:
        return average, _MEAN(g, squares, axes, keepdims)
    count = math.prod(g.size(x, axis) for axis in axes)
    return average, g.Div(_SUM(g, squares, axes, keepdims), float(count - ddof))


@translates("_npi_var")
def variance(g: Builder, a: Value, *, axis: Any, dtype: Any, ddof: int, keepdims: bool) -> list[Value]:
    """Return the variance and the mean along axes."""
    x = _typed(g, a)
    average, found = _deviations(g, x, _axes(g, x, axis), keepdims, ddof)
    return [found, average]


@translates("_npi_std")
def deviation(g: Builder, a: Value, *, axis: Any, dtype: Any, ddof: int, keepdims: bool) -> list[Value]:
    """Return the standard deviation and the mean along axes."""
    x = _typed(g, a)
    average, found = _deviations(g, x, _axes(g, x, axis), keepdims, ddof)
    if x.dtype.kind != "f":  # ONNX computes roots of floating-point numbers only
        return [g.cast(g.Sqrt(g.cast(found, numpy.float64)), x.dtype), average]
    return [g.Sqrt(found), average]


def _typed(g: Builder, a: Value) -> Value:
    x = g.cast(a, g.dtype)
    x.shape = a.shape
    return x


@translates("moments")
def moments(g: Builder, data: Value, *, axes: Any, keepdims: bool) -> tuple[Value, Value]:
    """Return the mean and the variance along axes."""
    mean, variance = _deviations(g, data, _axes(g, data, axes), keepdims)
    if keepdims or g.shape != (1,):
        return mean, variance
    return g.Reshape(mean, [1]), g.Reshape(variance, [1])  # legacy arrays have at least one axis


@translates("_npi_average")
def average(g: Builder, a: Value, weights: Value | None = None, *, axis: Any, returned: bool, weighted: bool) -> Any:
    """Return the weighted mean along axes, and the sum of the weights."""
    x = g.cast(a, g.dtype)
    axes = _axes(g, a, axis)
    if not weighted or weights is None:
        count = math.prod(g.size(a, place) for place in axes) if returned else 1
        return [_MEAN(g, x, axes, False), g.fill(g.results[0], count, g.dtype)]
    w = g.cast(weights, g.dtype)
    if g.rank(weights) != g.rank(a):
        w = g.channelwise(w, g.rank(a), axes[0])
    total = _SUM(g, g.Mul(x, g.Expand(w, g.shape_vector(a))), axes, False)
    weight = _SUM(g, g.Expand(w, g.shape_vector(a)), axes, False)
    return [g.Div(total, weight), weight]


def _truth(op_type: str) -> Any:
    def translation(g: Builder, data: Value, *, axis: Any, keepdims: bool) -> Value:
        truths = g.cast(g.cast(data, bool), numpy.int32)
        return g.cast(_reduce(op_type)(g, truths, _axes(g, data, axis), keepdims), bool)

    return translation


translates("_np_any")(_truth("ReduceMax"))
translates("_np_all")(_truth("ReduceMin"))

# --- norms ----------------------------------------------------------------------------------------


@translates("norm")
def norm(g: Builder, data: Value, *, ord: int, axis: Any, out_dtype: Any, keepdims: bool) -> Value:
    """Return the L1 norm or the L2 norm along axes."""
    x = g.cast(data, g.dtype) if g.dtype.kind == "f" else g.cast(data, numpy.float64)
    axes = _axes(g, data, axis)
    length = g.make("ReduceL1" if ord == 1 else "ReduceL2", [x, axes], keepdims=int(keepdims))
    return _at_least_one_axis(g, length, data, axes, keepdims)


@translates("_npi_norm")
def np_norm(g: Builder, data: Value, *, ord: float, axis: Any, keepdims: bool, flag: int) -> Value:
    """Return vector norms, or matrix norms that require no singular values."""
    kind, axes, ord = _norm_plan(g.shape_of(data), axis, ord, flag)
    if kind in ("singular", "nuclear"):
        raise Untranslatable("the matrix norm requires singular values, which ONNX cannot compute: use another norm")
    x = data if data.dtype.kind == "f" else g.cast(data, numpy.float32)
    size = g.Abs(x)
    if kind == "sums":
        sums = g.ReduceSum(size, [axes[0]], keepdims=1)
        result = g.make("ReduceMax" if ord > 0 else "ReduceMin", [sums, [axes[1]]], keepdims=1)
    elif abs(ord) == numpy.inf:
        result = g.make("ReduceMax" if ord > 0 else "ReduceMin", [size, list(axes)], keepdims=1)
    elif ord == 0:
        result = _SUM(g, g.cast(g.Not(g.Equal(x, 0)), x.dtype), list(axes), True)
    elif ord in (1, 2):
        result = g.make(f"ReduceL{int(ord)}", [x, list(axes)], keepdims=1)
    else:
        result = g.Pow(_SUM(g, g.Pow(size, ord), list(axes), True), 1 / ord)
    return g.reshape(result, g.shape)


# --- indices of extremes --------------------------------------------------------------------------


def _place(op_type: str) -> Any:
    def translation(g: Builder, data: Value, *, axis: int | None = 1, keepdims: bool = False) -> Value:
        if axis is not None and g.rank(data):  # a scalar has an axis 0 for this function of NumPy
            found = g.make(op_type, [data], axis=axis, keepdims=int(keepdims))
            return _at_least_one_axis(g, found, data, [axis], keepdims)
        found = g.make(op_type, [g.Reshape(data, [-1])], axis=0, keepdims=0 if not keepdims else 1)
        return g.reshape(found, g.shape)

    return translation


translates("argmax", "_npi_argmax", "argmax_channel")(_place("ArgMax"))
translates("argmin", "_npi_argmin")(_place("ArgMin"))

# --- cumulative sums ------------------------------------------------------------------------------


@translates("_np_cumsum")
def cumsum(g: Builder, a: Value, *, axis: int | None, dtype: Any) -> Value:
    """Return the cumulative sum along an axis, or of all elements in order if the axis is None."""
    x = g.cast(a, g.dtype)
    if axis is None:
        x, axis = g.Reshape(x, [-1]), 0
    return g.CumSum(x, numpy.array(axis, numpy.int64))


@translates("multi_sum_sq")
def multi_sum_sq(g: Builder, *data: Value, **attributes: Any) -> Value:
    """Return the sum of squares of each array."""
    sums = [g.Reshape(g.ReduceSumSquare(g.cast(x, numpy.float32), keepdims=0), [1]) for x in data]
    return g.concat(sums, 0)
