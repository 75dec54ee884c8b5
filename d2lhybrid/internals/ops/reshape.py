"""Reshaping operators: ``Reshape``, ``reshape_like``, ``Flatten``, their NumPy versions, and shapes as arrays."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy

from ...error import ShapeError
from ..core import trip_reasons as host_trips
from ..core.infer import PartialShape, format_shape
from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules
from .reshape_codes import LEGACY, NP, NPX, resolve_codes

__all__ = ["legacy_reshape"]

FAMILY = "shape"
MEANINGS = {
    "lhs": "The array to reshape, with as many elements as the new shape.",
    "rhs": "The array that determines the shape.",
    "lhs_begin": "The first axis of ``lhs`` to replace, 0 by default; negative numbers count from the end.",
    "lhs_end": "The axis of ``lhs`` after the last axis to replace; by default, the number of axes.",
    "rhs_begin": "The first axis of ``rhs`` to copy, 0 by default; negative numbers count from the end.",
    "rhs_end": "The axis of ``rhs`` after the last axis to copy; by default, the number of axes.",
    "data": "An array of any shape and element type.",
    "Flatten.data": "An array with at least one axis, usually ``(batch, ...)``.",
}

# --- legacy ------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def legacy_reshape(
    source: PartialShape,
    shape: tuple[int, ...],
    reverse: bool = False,
    target_shape: tuple[int, ...] = (),
    keep_highest: bool = False,
) -> tuple[PartialShape, PartialShape]:
    """Return the result of :func:`resolve_codes` for the attributes of the legacy operator.

    In the older attribute ``target_shape``, a single 0 is the inferred size.

    Raises
    ------
    ShapeError
        If the new shape is invalid or doesn't fit the array.
    """
    if shape:
        return resolve_codes(source, shape, LEGACY, reverse)
    if not target_shape:
        raise ShapeError("Operator Reshape inferring shapes failed.")
    if any(n < 0 for n in target_shape):
        bad = next(n for n in target_shape if n < 0)
        raise ShapeError(f"Check failed: dim_size_is_known(*it): Shape dim size cannot be a negative value {bad}")
    codes = [-1 if n == 0 else n for n in target_shape]
    if keep_highest:
        codes[0] = 0
    return resolve_codes(source, tuple(codes), LEGACY)


@operator("Reshape", "reshape")
def reshape(
    xp,
    data: Array,
    shape: Shape = (),
    reverse: bool = False,
    target_shape: Shape = (),
    keep_highest: bool = False,
):
    """Return an array in a new shape, with the elements in the same order.

    Parameters
    ----------
    data : NDArray or Symbol
        The array to reshape, with as many elements as the new shape.
    shape : tuple of int
        The new shape. ``0`` copies a size, ``-1`` stands for the inferred size, ``-2`` copies all remaining sizes,
        ``-3`` merges two sizes, and ``-4, a, b`` splits a size into ``a`` and ``b``.
    reverse : bool
        Whether to match the codes from right to left.
    target_shape, keep_highest
        Attributes in old files, used without ``shape``: a shape in which 0 stands for the inferred size, and whether
        the first size remains.
    """
    return data.reshape(legacy_reshape(data.shape, shape, reverse, target_shape, keep_highest)[1])


@reshape.infer_shape
def _(data, *, shape, reverse, target_shape, keep_highest):
    if not shape and not target_shape:  # without a new shape, no size is known
        return [data], [None]
    source, target = legacy_reshape(data, shape, reverse, target_shape, keep_highest)
    return [source], [target]


reshape.infer_type(rules.same_type)
reshape.gradient(lambda F, dy, y, data, **_: [F.reshape_like(dy, data)])


def _one_size_from_output(outputs: list[PartialShape], source: PartialShape, **_: Any) -> list[PartialShape]:
    """Return the input shape; a single unknown size is inferred from the number of elements of the result."""
    target = outputs[0]
    if source is None or target is None or None in target or source.count(None) != 1:
        return [source]
    known = math.prod(n for n in source if n is not None)
    total = math.prod(n for n in target if n is not None)
    if known == 0 or total % known:
        return [source]
    return [tuple(total // known if n is None else n for n in source)]


reshape.infer_input_shapes(_one_size_from_output)


def _span(begin: int | None, end: int | None, rank: int, side: str) -> tuple[int, int]:
    """Return the first axis of a range and the axis after its last; both are counted from the start."""
    first = 0 if begin is None else begin + rank if begin < 0 else begin
    last = rank if end is None else end + rank if end < 0 else end
    rules.require(last <= rank, f"*cend <= ndims: Invalid end for {side}_end={end} as dimension number is {rank}")
    rules.require(
        0 <= first < last or rank == 0,
        f"(*cbegin < *cend): Invalid begin, end, get {side}_begin={begin}, {side}_end={end}",
    )
    return first, last


def _like_shape(lhs: PartialShape, rhs: PartialShape, spans: tuple[int | None, ...]) -> PartialShape:
    if lhs is None or rhs is None:
        return rhs if spans == (None,) * 4 else None
    if spans == (None,) * 4:
        target = rhs
    else:
        a, b = _span(spans[0], spans[1], len(lhs), "lhs")
        c, d = _span(spans[2], spans[3], len(rhs), "rhs")
        target = lhs[:a] + rhs[c:d] + lhs[b:]
    have, want = rules.known_size(lhs), rules.known_size(target)
    if None not in (have, want):
        rules.require(
            have == want,
            f"(*in_attrs)[0].Size() == oshape.Size() ({have} vs. {want}) : "
            f"Cannot reshape lhs with shape {format_shape(lhs)}to new shape {format_shape(target)} "
            "because they have different size.",
        )
    return target


@operator("reshape_like", "_npx_reshape_like")
def reshape_like(
    xp,
    lhs: Array,
    rhs: Array,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
):
    """Return ``lhs`` in the shape of ``rhs``, or with some axes replaced by axes with the sizes of axes of ``rhs``."""
    if lhs_begin is lhs_end is rhs_begin is rhs_end is None and lhs.size == rhs.size:
        return lhs.reshape(rhs.shape)
    return lhs.reshape(_like_shape(lhs.shape, rhs.shape, (lhs_begin, lhs_end, rhs_begin, rhs_end)))


@reshape_like.infer_shape
def _(lhs, rhs, *, lhs_begin, lhs_end, rhs_begin, rhs_end):
    return [lhs, rhs], [_like_shape(lhs, rhs, (lhs_begin, lhs_end, rhs_begin, rhs_end))]


reshape_like.infer_type(rules.type_of_first)
reshape_like.gradient(lambda F, dy, y, lhs, rhs, **_: [F.reshape_like(dy, lhs), None])


@operator("Flatten", "flatten", "_npx_batch_flatten")
def flatten(xp, data: Array):
    """Merge all axes except the first: ``(n, a, b, ...)`` becomes ``(n, a*b*...)``."""
    if data.ndim == 2:
        return data
    if data.ndim == 0:
        raise ShapeError("Operator Flatten inferring shapes failed.")
    return data.reshape(data.shape[0], math.prod(data.shape[1:]))


@flatten.infer_shape
def _(data):
    if not data:  # unknown, or without axes
        return [data], [None]
    return [data], [(data[0], rules.known_size(data[1:]))]


flatten.infer_type(rules.same_type)
flatten.gradient(lambda F, dy, y, data: [F.reshape_like(dy, data)])

# --- np and npx --------------------------------------------------------------------------------


@operator("_np_reshape")
def np_reshape(xp, a: Array, newshape: Shape = REQUIRED, order: str = "C"):
    """Return an array in a new shape; a size of -1 is inferred from the other sizes."""
    return a.reshape(resolve_codes(a.shape, newshape, NP)[1])


@operator("_npx_reshape", "_npi_reshape")
def npx_reshape(xp, a: Array, newshape: Shape = REQUIRED, reverse: bool = False, order: str = "C"):
    """Return an array in a new shape, with codes to copy, merge, and split sizes.

    Parameters
    ----------
    a : ndarray
        The array to reshape, with as many elements as the new shape.
    newshape : int or tuple of int
        The new shape. ``-1`` stands for the inferred size, ``-2`` copies a size, ``-3`` skips a size of 1, ``-4``
        copies all remaining sizes, ``-5`` merges two sizes, and ``-6, a, b`` splits a size into ``a`` and ``b``.
    reverse : bool
        Whether to match the codes from right to left.
    order : str
        The order of the elements; only ``'C'`` is supported, in which the last axis changes fastest.
    """
    return a.reshape(resolve_codes(a.shape, newshape, NPX, reverse)[1])


@np_reshape.infer_shape
def _(a, *, newshape, order):
    source, target = resolve_codes(a, newshape, NP)
    return [source], [target]


@npx_reshape.infer_shape
def _(a, *, newshape, reverse, order):
    source, target = resolve_codes(a, newshape, NPX, reverse)
    return [source], [target]


for _op in (np_reshape, npx_reshape):
    _op.infer_input_shapes(_one_size_from_output)
    _op.infer_type(rules.same_type)
    _op.gradient(lambda F, dy, y, a, **_: [F.reshape_like(dy, a)])
for _op in (reshape, reshape_like, flatten, np_reshape, npx_reshape):
    _op.view = "reshape"


# --- shapes as arrays --------------------------------------------------------------------------


@operator("shape_array", "_npx_shape_array", differentiable=False)
def shape_array(xp, data: Array):
    """Return the shape as a 1-D int64 array."""
    return xp.asarray(data.shape, dtype=numpy.int64)


@operator("size_array", differentiable=False)
def size_array(xp, data: Array):
    """Return the number of elements as an int64 array of shape (1,)."""
    return xp.asarray((data.size,), dtype=numpy.int64)


shape_array.infer_shape(lambda data: ([data], [None if data is None else (len(data),)]))
size_array.infer_shape(lambda data: ([data], [(1,)]))
shape_array.tells_device = size_array.tells_device = host_trips.ANSWER
shape_array.infer_type(lambda data: ([data], [numpy.dtype("int64")]))
size_array.infer_type(lambda data: ([data], [numpy.dtype("int64")]))
