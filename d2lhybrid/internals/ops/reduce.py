"""Reductions of legacy MXNet: sums, means, products, extrema, norms, and positions of extrema.

All reductions have the attributes ``axis`` and ``keepdims``. Most also have ``exclude``; if it is true, ``axis``
contains the axes to keep. Unlike in NumPy, ``axis=()`` means all axes. If no axis remains, the result has the shape
``(1,)``, because legacy MXNet has no 0-D arrays. The element type never changes, so the mean of an integer array is an
integer.

All gradients *spread* a reduced array over the reduced axes, with the operators ``_backward_sum`` and
``_backward_mean``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...error import ShapeError
from ..core.operator import Array, DType, Operator, Shape, get_operator, operator
from ..support.notes import with_note
from . import rules

__all__ = ["reduction_axes", "shape_rule", "spreader", "wide_dtype", "without_overflow"]

FAMILY = "reduction"
MEANINGS = {
    "ord": "The order of the norm, 1 or 2.",
    "a": "An array of any shape.",
    "data": "An array of any shape.",
    "axis": "The axis or axes to reduce; negative numbers count from the last axis. By default, all axes are reduced.",
    "argmax.axis": "The axis to search, which may be negative; None for the flattened array.",
    "argmin.axis": "The axis to search, which may be negative; None for the flattened array.",
    "argmax_channel.data": "An array with at least two axes.",
    "_np_cumsum.axis": "The axis along which elements are added, which may be negative; None for the flattened array.",
}

Kernel = Callable[..., Any]
Rule = Callable[..., Any]

# --- axes --------------------------------------------------------------------------------------


def reduction_axes(axis: int | Sequence[int], shape: Sequence[int | None], exclude: bool = False) -> tuple[int, ...]:
    """Return the axes that a reduction removes, sorted and non-negative.

    Raises
    ------
    ShapeError
        If an axis is out of range or occurs twice.

    Examples
    --------
    >>> reduction_axes(-1, (2, 3))
    (1,)
    >>> reduction_axes((0, 2), (2, 3, 4), exclude=True)
    (1,)
    """
    ndim = len(shape)
    given = (axis,) if isinstance(axis, int) else tuple(axis)
    axes = sorted(a + ndim if a < 0 else a for a in given)
    if axes and axes[-1] >= ndim:
        error = ShapeError(
            f"Check failed: axes[axes.ndim()-1] < ishape.ndim() ({axes[-1]} vs. {ndim}) : "
            f"Reduction axis {axes[-1]} Exceeds input dimensions {rules.format_shape(tuple(shape))}"
        )
        raise with_note(error, _valid_axes(ndim))
    if axes and axes[0] < 0:
        error = ShapeError(
            f"Check failed: axes[0] >= 0 ({axes[0]} vs. 0) : Reduction axis {rules.format_shape(given)} "
            f"Exceeds input dimensions {rules.format_shape(tuple(shape))}"
        )
        raise with_note(error, _valid_axes(ndim))
    for a, b in itertools.pairwise(axes):
        if a == b:
            raise ShapeError(
                f"Check failed: axes[i-1] < axes[i] ({a} vs. {b}) : "
                f"Reduction axes have duplicates {rules.format_shape(tuple(axes))}"
            )
    if exclude:
        return tuple(i for i in range(ndim) if i not in axes)
    return tuple(axes)


def _valid_axes(ndim: int) -> str:
    return f"Pass axes from {-ndim} to {ndim - 1}." if ndim else "An array without axes has no axis to reduce."


def legacy_axis(axis: Any, shape: Sequence[int], exclude: bool = False) -> tuple[int, ...] | None:
    """Convert ``axis`` to NumPy's convention: None instead of ``()``, which means all axes in legacy MXNet."""
    return None if axis is None or axis == () else reduction_axes(axis, shape, exclude)


def shape_rule(scalar_shape: tuple[int, ...] = (1,), outputs: int = 1) -> Rule:
    """Return the shape rule of a reduction.

    Parameters
    ----------
    scalar_shape : tuple of int
        The shape of a result without axes: ``(1,)`` for legacy operators, ``()`` for NumPy operators.
    outputs : int
        The number of outputs with this shape.
    """

    def rule(data, *, axis=None, keepdims=False, exclude=False, **_):
        if data is None:
            return [None], [None] * outputs
        if axis is None or (axis == () and scalar_shape == (1,)):
            axes = tuple(range(len(data)))
        else:
            axes = reduction_axes(axis, data, exclude)
        return [data], [rules.reduced_shape(data, axes, keepdims, scalar_shape)] * outputs

    return rule


def wide_dtype(dtype: numpy.dtype) -> numpy.dtype:
    """Return the element type in which to accumulate: single precision instead of half precision."""
    return numpy.dtype("float32") if dtype == numpy.float16 else dtype


# --- spreading a reduced array back -------------------------------------------------------------


def _spread(xp, reduced, data, axis, keepdims, exclude):
    """Return a new array in the shape and type of ``data``, with a reduced array repeated over the reduced axes."""
    result = xp.empty(data.shape, data.dtype)
    if reduced.size == 1:
        reduced = reduced.reshape(())
    elif reduced.size == data.size:
        reduced = reduced.reshape(data.shape)
    elif not keepdims:
        axes = reduction_axes(axis, data.shape, exclude)
        reduced = reduced.reshape([1 if i in axes else n for i, n in enumerate(data.shape)])
    result[...] = reduced
    return result


@operator("_backward_sum", fresh=True)
def backward_sum(
    xp, grad: Array, data: Array, axis: Shape | None = None, keepdims: bool = False, exclude: bool = False
):
    """Repeat a reduced array over the reduced axes of ``data``; this is the gradient of ``sum``."""
    return _spread(xp, grad, data, axis, keepdims, exclude)


@operator("_backward_mean", fresh=True)
def backward_mean(
    xp,
    grad: Array,
    data: Array,
    axis: Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    ddof: int = 0,
):
    """Repeat ``grad / (n - ddof)`` over the ``n`` elements of each mean, which is the gradient of a mean."""
    count = data.size // grad.size if grad.size else 1
    if data.dtype.kind == "f":  # the mean may have a less precise element type
        grad = grad.astype(data.dtype, copy=False)
    return _spread(xp, xp.divide(grad, count - ddof), data, axis, keepdims, exclude)


def _like_second(first: Any, second: Any, **attributes: Any) -> tuple[list[Any], list[Any]]:
    return [first, second], [second]


backward_sum.infer_shape(_like_second)
backward_sum.infer_type(_like_second)
backward_sum.gradient(lambda F, dy, y, grad, data, **how: [F._sum_to_reduced(dy, grad, **how), None])
backward_mean.infer_shape(_like_second)
backward_mean.infer_type(_like_second)


@backward_mean.gradient
def _(F, dy, y, grad, data, *, ddof, **attributes):
    # A gradient rule can't read shapes, so the operator computes the factor 1 / (n - ddof).
    factor = F._backward_mean(F.ones_like(grad), data, ddof=ddof, **attributes)
    return [F._sum_to_reduced(dy * factor, grad, **attributes), None]


@operator("_sum_to_reduced")
def sum_to_reduced(
    xp,
    data: Array,
    reduced: Array,
    axis: Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
):
    """Sum an array to the shape of a reduced array; this is the gradient of ``_backward_sum``."""
    if reduced.size == data.size:
        return data.reshape(reduced.shape)
    axes = None if reduced.size == 1 else legacy_axis(axis, data.shape, exclude)
    return xp.add.reduce(data, axes).reshape(reduced.shape)


sum_to_reduced.infer_shape(_like_second)
sum_to_reduced.infer_type(rules.type_of_first)
sum_to_reduced.gradient(lambda F, dy, y, data, reduced, **how: [F._backward_sum(dy, data, **how), None])


def spreader(F: Any, data: Any, attributes: dict[str, Any]) -> Callable[[Any], Any]:
    """Return a function that broadcasts a reduced array to the shape of ``data``, for gradient rules."""
    return lambda reduced: F._backward_sum(reduced, data, **attributes)


# --- the family ---------------------------------------------------------------------------------


def reduction(
    names: tuple[str, ...], function: Kernel, vjp: Rule | None, doc: str, backward: str | None = None
) -> Operator:
    """Register a legacy reduction.

    Parameters
    ----------
    names : tuple of str
        MXNet's names, the canonical name first.
    function : callable
        The function ``function(xp, x, axis, keepdims)``, with NumPy's meaning of ``axis``.
    vjp : callable or None
        The gradient ``vjp(F, dy, y, x, spread)``, where ``spread`` repeats an array over the reduced axes; None if the
        caller attaches the gradient rule later.
    doc : str
        A sentence that becomes the documentation.
    backward : str, optional
        The name of the operator that spreads a reduced array, by default ``_backward_sum``.
    """

    def run(xp, data: Array, axis: Shape | None = None, keepdims: bool = False, exclude: bool = False):
        result = function(xp, data, legacy_axis(axis, data.shape, exclude), keepdims)
        return result if result.ndim else result.reshape(1)

    run.__doc__ = doc
    op = operator(*names, fresh=True)(run)
    op.reduces = True
    op.infer_shape(shape_rule())
    op.infer_type(rules.same_type)
    spreading = backward or "_backward_sum"
    if vjp is None:
        return op

    @op.gradient
    def _(F, dy, y, data, **attributes):
        return [vjp(F, dy, y, data, lambda reduced: getattr(F, spreading)(reduced, data, **attributes))]

    return op


def _product_gradient(F, dy, y, data, *, axis, keepdims, exclude):
    others = F._backward_prod(data, axis=axis, exclude=exclude)
    return [F._backward_sum(dy, data, axis=axis, keepdims=keepdims, exclude=exclude) * others]


def _nan_product_gradient(F, dy, y, data, **attributes):
    """Return the gradient of a product in which NaN counts as 1."""
    is_number = F._equal(data, data)
    numbers = F.where(is_number, data, F.ones_like(data))
    [gradient] = _product_gradient(F, dy, y, numbers, **attributes)
    return [F.where(is_number, gradient, F.zeros_like(data))]


def sum_of(xp, x, axis, keepdims):
    """Return the sum over ``axis``, as in NumPy, in the type of ``x``; half precision is added in single precision."""
    if x.dtype == numpy.float16:
        return xp.add.reduce(x, axis, numpy.float32, None, keepdims).astype(x.dtype)
    return xp.add.reduce(x, axis, x.dtype, None, keepdims)


def product_of(xp, x, axis, keepdims):
    """Return the product over ``axis``, as in NumPy, in the element type of ``x``."""
    return xp.multiply.reduce(x, axis, wide_dtype(x.dtype), None, keepdims).astype(x.dtype, copy=False)


def mean_of(xp, x, axis, keepdims):
    """Return the mean over ``axis``, as in NumPy, in the element type of ``x``; integers are divided as in C.

    The mean of an empty array is NaN, or 0 for integers.
    """
    if x.dtype.kind == "b":
        return xp.any(x, axis=axis, keepdims=keepdims)  # a fraction of truth values is true if it is not 0
    total = xp.add.reduce(x, axis, wide_dtype(x.dtype), None, keepdims)
    count = x.size // total.size if x.size else 1
    if x.dtype.kind == "f":
        if not x.size:
            return xp.full(total.shape, numpy.nan, x.dtype)
        return (total / count).astype(x.dtype, copy=False)
    return (xp.abs(total) // count * xp.sign(total)).astype(x.dtype, copy=False)


def extreme_of(name: str) -> Kernel:
    """Return the kernel of ``max`` or ``min`` over ``axis``, as in NumPy."""
    word = {"max": "maximum", "min": "minimum"}[name]

    def kernel(xp, x, axis, keepdims):
        if not x.size and 0 in (x.shape if axis is None else [x.shape[a] for a in numpy.atleast_1d(axis)]):
            raise ShapeError(
                "Check failed: is_all_reducded_axes_not_zero: "
                f"zero-size array to reduction operation {word} which has no identity"
            )
        return getattr(x, name)(axis=axis, keepdims=keepdims)

    return kernel


def at_extremes(F, dy, y, x, spread):
    """Return the gradient of ``max`` and ``min``; every element that equals the extremum gets the whole gradient."""
    return spread(dy) * F._equal(x, spread(y))


def _without_nan(xp, x, value):
    return x if x.dtype.kind != "f" else xp.where(xp.isnan(x), x.dtype.type(value), x)


# Only NaN differs from itself, so ``x == x`` is true for all other values.
reduction(
    ("sum", "sum_axis", "_sparse_sum"),
    sum_of,
    lambda F, dy, y, x, spread: spread(dy),
    "Return the sum of the elements over the given axes.",
)
reduction(
    ("mean", "_sparse_mean"),
    mean_of,
    lambda F, dy, y, x, spread: spread(dy),
    "Return the mean of the elements over the given axes.",
    backward="_backward_mean",
)
reduction(("max", "max_axis"), extreme_of("max"), at_extremes, "Return the largest element over the given axes.")
reduction(("min", "min_axis"), extreme_of("min"), at_extremes, "Return the smallest element over the given axes.")
reduction(("prod",), product_of, None, "Return the product of the elements over the given axes.").gradient(
    _product_gradient
)
reduction(
    ("nansum",),
    lambda xp, x, axis, keepdims: sum_of(xp, _without_nan(xp, x, 0), axis, keepdims),
    lambda F, dy, y, x, spread: spread(dy) * F._equal(x, x),
    "Return the sum of the elements over the given axes; NaN counts as 0.",
)
reduction(
    ("nanprod",),
    lambda xp, x, axis, keepdims: product_of(xp, _without_nan(xp, x, 1), axis, keepdims),
    None,
    "Return the product of the elements over the given axes; NaN counts as 1.",
).gradient(_nan_product_gradient)
reduction(
    ("_square_sum",),
    lambda xp, x, axis, keepdims: sum_of(xp, x * x, axis, keepdims),
    lambda F, dy, y, x, spread: spread(dy) * x * 2,
    "Return the sum of the squares over the given axes.",
)

# --- norm ---------------------------------------------------------------------------------------


@operator("norm", "_sparse_norm", threaded=True)
def norm(
    xp,
    data: Array,
    ord: int = 2,
    axis: Shape | None = None,
    out_dtype: DType | None = None,
    keepdims: bool = False,
):
    """Return the norm along axes: the Euclidean norm for ``ord=2``, or the sum of absolute values for ``ord=1``."""
    _check_ord(ord)
    x = data if data.dtype.kind == "f" else data.astype(numpy.float32)
    axes = legacy_axis(axis, data.shape)
    wide = wide_dtype(x.dtype)
    if ord == 1:
        result = xp.add.reduce(xp.abs(x), axes, wide, None, keepdims)
    elif axes is None and wide == x.dtype:
        flat = x.reshape(-1)  # no temporary array, so that gradient clipping is fast
        result = xp.sqrt(xp.dot(flat, flat)).reshape((1,) * data.ndim if keepdims else (1,))
    else:
        result = xp.sqrt(xp.add.reduce(x * x, axes, wide, None, keepdims))
    if ord == 2:
        result = without_overflow(xp, x, axes, wide, result)
    result = result.astype(out_dtype or data.dtype, copy=False)
    return result if result.ndim else result.reshape(1)


def without_overflow(xp: Any, x: Any, axes: Any, wide: Any, norms: Any) -> Any:
    """Return `norms`, recomputed from scaled elements where the squares of `x` overflow or underflow."""
    limits = numpy.finfo(wide)
    plain = (norms > (limits.tiny / limits.eps) ** 0.5) & (norms < numpy.inf)
    if not x.size or (xp is numpy and plain.all()):  # on a GPU, the host would have to wait
        return norms
    unit = xp.max(xp.abs(x), axis=axes, keepdims=True).astype(wide, copy=False)
    unit = xp.where((unit > 0) & (unit < numpy.inf), unit, wide.type(1))
    parts = x / unit
    scaled = xp.sqrt(xp.sum(parts * parts, axis=axes, dtype=wide, keepdims=True)) * unit
    return xp.where(plain, norms, scaled.reshape(norms.shape))


def _check_ord(ord: int) -> None:
    rules.require(ord in (1, 2), "param.ord == 1 || param.ord == 2: norm only supports ord=1 and ord=2")


norm.precision = "single"


@norm.infer_shape
def _(data, *, ord, axis, keepdims, **_):
    _check_ord(ord)
    return shape_rule()(data, axis=axis, keepdims=keepdims)


norm.reduces = True
norm.infer_type(lambda data, *, out_dtype, **_: ([data], [data if out_dtype is None else numpy.dtype(out_dtype)]))


@norm.gradient
def _(F, dy, y, data, *, ord, out_dtype, **attributes):
    spread = spreader(F, data, attributes)
    return [spread(dy) * F.sign(data) if ord == 1 else spread(dy / y) * data]


# --- positions of extremes ----------------------------------------------------------------------


def position_of(name: str, xp, data, axis, keepdims):
    """Return the first extremum's position along ``axis``, or in the flattened array if ``axis`` is None.

    Raises
    ------
    ShapeError
        If the axis is out of range.
    """
    if axis is None:
        result = getattr(data, name)()
        return result.reshape((1,) * data.ndim) if keepdims else result
    ndim = data.ndim
    if not -ndim <= axis < ndim:
        raise ShapeError(_axis_message(axis, ndim))
    result = getattr(data, name)(axis)
    return xp.expand_dims(result, axis) if keepdims else result


def _axis_message(axis: int, ndim: int) -> str:
    return f"Check failed: axis < ndim && axis >= -ndim: axis {axis} exceeds the input dimension of {ndim}"


def _position_rule(data, *, axis=None, keepdims=False):
    if data is not None and axis is not None and not -len(data) <= axis < len(data):
        raise ShapeError(_axis_message(axis, len(data)))
    return shape_rule()(data, axis=axis, keepdims=keepdims)


def _position(name: str, doc: str) -> None:
    def run(xp, data: Array, axis: int | None = None, keepdims: bool = False):
        result = position_of(name, xp, data, axis, keepdims).astype(data.dtype)
        return result if result.ndim else result.reshape(1)

    run.__doc__ = doc
    op = operator(name, differentiable=False)(run)
    op.reduces = True
    op.infer_shape(_position_rule)
    op.infer_type(rules.same_type)


_position("argmax", "Return the position of the largest element along an axis, in the element type of the input.")
_position("argmin", "Return the position of the smallest element along an axis, in the element type of the input.")


@operator("argmax_channel", differentiable=False)
def argmax_channel(xp, data: Array):
    """Return the position of the largest element along axis 1, in the element type of the input."""
    return position_of("argmax", xp, data, 1, False).astype(data.dtype)


argmax_channel.infer_shape(lambda data: _position_rule(data, axis=1))
argmax_channel.reduces = True
argmax_channel.infer_type(rules.same_type)

# --- cumulative sums ----------------------------------------------------------------------------


@operator("_np_cumsum", "cumsum")
def cumsum(xp, a: Array, axis: int | None = None, dtype: DType | None = None):
    """Return the cumulative sum along an axis, or over the flattened array."""
    _check_cumsum_axis(axis, a.ndim)
    kept = numpy.dtype(numpy.int64) if a.dtype.kind == "b" else a.dtype
    return xp.cumsum(a, axis=axis, dtype=dtype or kept)


def _check_cumsum_axis(axis: int | None, ndim: int) -> None:
    if axis is not None and not -ndim <= axis < ndim:
        raise ShapeError(
            "Check failed: !axis.has_value() || ((axis.value() >= -out.shape_.ndim()) && "
            f"axis.value() < out.shape_.ndim()): axis value {axis} out of range"
        )


@cumsum.infer_shape
def _(a, *, axis, dtype):
    if a is None:
        return [None], [None]
    _check_cumsum_axis(axis, len(a))
    return [a], [a if axis is not None else (rules.known_size(a),)]


@cumsum.infer_type
def _(a, *, axis, dtype):
    if dtype is not None or a is None:
        return [a], [None if dtype is None else numpy.dtype(dtype)]
    return [a], [numpy.dtype(numpy.int64) if a.kind == "b" else a]


cumsum.gradient(lambda F, dy, y, a, *, axis, dtype: [F._backward_np_cumsum(dy, a, axis=axis)])


@operator("_backward_np_cumsum")
def backward_cumsum(xp, grad: Array, a: Array, axis: int | None = None):
    """Return the gradient of ``cumsum``: the cumulative sum of ``grad`` from the end to the start."""
    along = 0 if axis is None else axis
    backward = xp.flip(xp.cumsum(xp.flip(grad, along), axis=along), along)
    return backward.reshape(a.shape).astype(a.dtype, copy=False)


backward_cumsum.infer_shape(_like_second)
backward_cumsum.infer_type(_like_second)
backward_cumsum.gradient(lambda F, dy, y, grad, a, *, axis: [F._np_cumsum(dy, axis=axis), None])

for _name in ("_square_sum", "mean", "nanprod", "nansum", "prod", "sum"):
    get_operator(_name).precision = "single"
