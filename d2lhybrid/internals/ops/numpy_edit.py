"""NumPy's ``delete`` and ``insert``, by an integer, a slice, or an array of indices.

As in MXNet, these operators have no gradient, because programs use them to prepare data.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...error import OutOfBoundsError
from ..core import trip_reasons as host_trips
from ..core.infer import PartialShape
from ..core.operator import Array, operator
from . import rules
from .index import integer_indices
from .not_differentiable import not_differentiable

FAMILY = "shape"
MEANINGS = {
    "arr": "The original array; the result is a copy.",
    "obj": "The indices, if these are an array.",
    "values": "The elements to insert, which are broadcast.",
    "val": "The number to insert instead of ``values``.",
    "start": "The start of the slice.",
    "stop": "The end of the slice, which is excluded.",
    "step": "The distance between neighboring positions of the slice.",
    "int_ind": "The index, if there is only one.",
}


def _line(shape: tuple[Any, ...], axis: int | None) -> tuple[tuple[Any, ...], int]:
    """Return the shape and the axis to edit; without an axis, the shape is flattened."""
    if axis is None:
        return (rules.known_size(shape),), 0
    rules.require(
        -len(shape) <= axis < len(shape),
        f"axis < ndim && axis >= -ndim: axis {axis} exceeds the input dimension of {len(shape)}",
    )
    return shape, axis % len(shape)


def _resized(shape: tuple[Any, ...], axis: int, size: int | None) -> tuple[Any, ...]:
    return (*shape[:axis], size, *shape[axis + 1 :])


def _along(axis: int, index: Any) -> tuple[Any, ...]:
    return (*(slice(None),) * axis, index)


# --- delete --------------------------------------------------------------------------------------


def _kept(
    size: int, axis: int, start: int | None, stop: int | None, step: int | None, int_ind: int | None
) -> numpy.ndarray:
    """Return the positions that remain after one position or a slice is deleted."""
    gone: Any = slice(start, stop, step)
    if int_ind is not None:
        rules.require(
            -size <= int_ind < size,
            f"(index >= -1 * N) && (index < N): index {int_ind} is out of bounds for axis {axis} with size {size}",
        )
        gone = int_ind
    return numpy.delete(numpy.arange(size), gone)


@operator("_npi_delete")
def np_delete(
    xp,
    arr: Array,
    obj: Array | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
):
    """Remove elements along an axis, at an integer index, in a slice, or at the indices in the array ``obj``.

    On a GPU, the host waits only if ``obj`` is an array. Because ``obj`` may contain a position twice, the size of the
    result depends on the elements of ``obj``.
    """
    shape, place = _line(arr.shape, axis)
    data, size = arr.reshape(shape), shape[place]
    if obj is None:
        kept = xp.asarray(_kept(size, place, start, stop, step, int_ind))
    else:
        gone = integer_indices(obj.reshape(obj.size))
        there = (gone >= 0) & (gone < size)  # MXNet ignores positions out of range
        mask = xp.ones(size + 1, dtype=bool)
        mask[xp.where(there, gone, size)] = False
        kept = xp.nonzero(mask[:size])[0]
    return xp.take(data, kept, axis=place)


@np_delete.infer_shape
def _(arr, *obj, start, stop, step, int_ind, axis):
    inputs = [arr, *obj]
    if arr is None:
        return inputs, [None]
    shape, place = _line(arr, axis)
    size = shape[place]
    # The number of unique positions in an array depends on its values.
    left = None
    if not obj and size is not None:
        left = len(_kept(size, place, start, stop, step, int_ind))
    return inputs, [_resized(shape, place, left)]


np_delete.asks_device, np_delete.tells_device = host_trips.SIZE, host_trips.TABLE
np_delete.infer_type(lambda arr, *obj, **_: ([arr, *obj], [arr]))
np_delete.input_names(
    lambda *, start, stop, step, int_ind, **_: (
        ["arr", "obj"] if (start, stop, step, int_ind) == (None,) * 4 else ["arr"]
    )
)

# --- insert --------------------------------------------------------------------------------------


def _insertion_point(position: int, size: int) -> int:
    rules.require(
        -size <= position <= size,
        "index >= -1 * N && index <= N: Index should be in the range of [-r, r-1] where r is the dim size in 'axis'",
    )
    return position + size if position < 0 else position


def _wide(shape: tuple[Any, ...], rank: int) -> tuple[Any, ...]:
    return (1,) * (rank - len(shape)) + shape


def _insert(xp: Any, data: Any, axis: int, positions: Any, values: Any) -> Any:
    """Insert one slab of ``values`` before each position."""
    size, count = data.shape[axis], positions.shape[0]
    order = xp.argsort(positions, kind="stable")
    ordered = positions[order]
    places = xp.empty(count, dtype=numpy.int64)
    places[order] = ordered + xp.arange(count)
    numbers = xp.arange(size)
    old = numbers + xp.searchsorted(ordered, numbers, side="right")  # after all values that are inserted before it
    result = xp.empty(_resized(data.shape, axis, size + count), dtype=data.dtype)
    result[_along(axis, places)] = values
    result[_along(axis, old)] = data
    return result


def _insert_at(xp: Any, arr: Any, values: Any, val: float | None, position: int, axis: int | None) -> Any:
    """Insert slabs before a single position; the first axis of ``values`` counts the slabs."""
    shape, place = _line(arr.shape, axis)
    data, size = arr.reshape(shape), shape[place]
    start = _insertion_point(position, size)
    if values is None:
        slab = xp.full(_resized(shape, place, 1), arr.dtype.type(0 if val is None else val), dtype=arr.dtype)
    else:
        slab = xp.moveaxis(values.reshape(_wide(values.shape, len(shape))), 0, place)
        slab = xp.broadcast_to(slab, _resized(shape, place, slab.shape[place])).astype(arr.dtype)
    return xp.concatenate(
        [data[_along(place, slice(None, start))], slab, data[_along(place, slice(start, None))]], axis=place
    )


def _insert_before(xp: Any, data: Any, axis: int, positions: Any, values: Any, val: float | None) -> Any:
    """Insert slabs before positions. A single position takes all slabs of ``values`` along the axis."""
    dtype = data.dtype
    if values is None:
        return _insert(xp, data, axis, positions, dtype.type(0 if val is None else val))
    if positions.size == 1:
        values = values.reshape(_wide(values.shape, data.ndim))
        positions = xp.repeat(positions, values.shape[axis])
    return _insert(xp, data, axis, positions, values.astype(dtype))


@operator("_npi_insert_scalar")
def np_insert_scalar(
    xp,
    arr: Array,
    values: Array | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
):
    """Insert ``values`` or the number ``val`` before the position ``int_ind``."""
    return _insert_at(xp, arr, values, val, int_ind or 0, axis)


@operator("_npi_insert_slice")
def np_insert_slice(
    xp,
    arr: Array,
    values: Array | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
):
    """Insert ``values`` or the number ``val`` before the positions of a slice."""
    shape, place = _line(arr.shape, axis)
    positions = range(*slice(start, stop, step).indices(shape[place]))
    return _insert_before(xp, arr.reshape(shape), place, xp.asarray(tuple(positions), dtype=numpy.int64), values, val)


@operator("_npi_insert_tensor")
def np_insert_tensor(
    xp,
    arr: Array,
    values: Array | None = None,
    obj: Array | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
):
    """Insert ``values`` or the number ``val`` before the positions in the array ``obj``."""
    if obj is None:  # with ``val``, the only other array is ``obj``
        values, obj = None, values
    assert obj is not None
    shape, place = _line(arr.shape, axis)
    data, size = arr.reshape(shape), shape[place]
    positions = integer_indices(obj.reshape(obj.size))
    positions = xp.where(positions < 0, positions + size, positions)
    if xp is numpy and ((positions < 0) | (positions > size)).any():
        wrong = integer_indices(obj.reshape(obj.size))[(positions < 0) | (positions > size)][0]
        raise OutOfBoundsError(f"index {wrong} is out of bounds for axis {place} with size {size}")
    return _insert_before(xp, data, place, positions, values, val)


def _inserted_shape(arr: PartialShape, axis: int | None, count: Any) -> list[PartialShape]:
    """Return the shape after an insertion; ``count(size, place, rank)`` returns the number of slabs."""
    if arr is None:
        return [None]
    shape, place = _line(arr, axis)
    size = shape[place]
    more = None if size is None else count(size, place, len(shape))
    return [_resized(shape, place, None if size is None or more is None else size + more)]


def _size_along(values: PartialShape, rank: int, axis: int) -> int | None:
    return None if values is None else _wide(values, rank)[axis]


@np_insert_scalar.infer_shape
def _(arr, *values, val, axis, **_):
    def count(size: int, place: int, rank: int) -> int | None:
        return _size_along(values[0], rank, 0) if values else 1

    return [arr, *values], _inserted_shape(arr, axis, count)


@np_insert_slice.infer_shape
def _(arr, *values, val, start, stop, step, axis, **_):
    def count(size: int, place: int, rank: int) -> int | None:
        positions = len(range(*slice(start, stop, step).indices(size)))
        return _size_along(values[0], rank, place) if values and positions == 1 else positions

    return [arr, *values], _inserted_shape(arr, axis, count)


@np_insert_tensor.infer_shape
def _(arr, *others, val, axis, **_):
    def count(size: int, place: int, rank: int) -> int | None:
        obj = others[-1]
        positions = None if obj is None or None in obj else math.prod(obj)
        if positions == 1 and len(others) == 2:
            return _size_along(others[0], rank, place)
        return positions

    return [arr, *others], _inserted_shape(arr, axis, count)


np_insert_slice.tells_device = host_trips.TABLE
for _op in (np_insert_scalar, np_insert_slice, np_insert_tensor):
    _op.infer_type(lambda arr, *others, **_: ([arr, *others], [arr]))
for _op in (np_insert_scalar, np_insert_slice):
    _op.input_names(lambda *, val, **_: ["arr"] if val is not None else ["arr", "values"])
np_insert_tensor.input_names(lambda *, val, **_: ["arr", "obj"] if val is not None else ["arr", "values", "obj"])
for _op in (np_delete, np_insert_scalar, np_insert_slice, np_insert_tensor):
    not_differentiable(_op)
