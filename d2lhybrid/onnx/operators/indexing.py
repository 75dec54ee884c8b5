"""Operators that select elements: by index, by condition, and by order."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ..builder import Builder
from ..translations import Untranslatable, translates
from ..values import Value


def _indices(g: Builder, x: Value, size: int, mode: str) -> Value:
    """Return indices as int64, within the range of an axis of a given size."""
    x = g.cast(x, numpy.int64)
    if mode == "clip":
        return g.Clip(x, 0, size - 1)
    return g.Mod(x, size) if mode == "wrap" else x


@translates("take")
def take(g: Builder, a: Value, indices: Value, *, axis: int, mode: str) -> Value:
    """Return the slices of an array at indices along an axis."""
    return g.Gather(a, _indices(g, indices, g.size(a, axis), mode), axis=axis % g.rank(a))


@translates("Embedding", "_contrib_SparseEmbedding")
def embedding(g: Builder, data: Value, weight: Value, *, input_dim: int, **attributes: Any) -> Value:
    """Return the rows of ``weight`` whose indices are in ``data``."""
    return g.Gather(weight, _indices(g, data, input_dim, "clip"), axis=0)


@translates("pick")
def pick(g: Builder, data: Value, index: Value, *, axis: int, keepdims: bool, mode: str) -> Value:
    """Return, for each position along all other axes, the element with the requested index along ``axis``."""
    rank = g.rank(data)
    place = axis % rank
    chosen = _indices(g, index, g.size(data, place), mode)
    if g.rank(index) < rank:
        chosen = g.unsqueeze(chosen, [place])
    found = g.GatherElements(data, chosen, axis=place)
    return found if keepdims else g.reshape(found, g.shape)


@translates("batch_take")
def batch_take(g: Builder, a: Value, indices: Value) -> Value:
    """Return one element of each row."""
    if g.rank(a) == 2 and g.rank(indices) == 1:
        rows, width = a, g.size(a, 1)
    else:
        count = math.prod(g.static_shape(indices))
        rows, width = g.Reshape(a, [count, -1]), math.prod(g.static_shape(a)) // max(count, 1)
    chosen = g.Reshape(_indices(g, indices, width, "clip"), [-1, 1])
    return g.reshape(g.GatherElements(rows, chosen, axis=1), g.shape)


@translates("gather_nd")
def gather_nd(g: Builder, data: Value, indices: Value) -> Value:
    """Return elements or slices at multidimensional indices. Indices are columns in this package, and rows in ONNX."""
    return g.GatherND(data, g.move_axis(g.cast(indices, numpy.int64), 0, -1) if g.rank(indices) > 1 else indices)


@translates("_gather_along")
def gather_along(g: Builder, data: Value, indices: Value, *, axis: int | None) -> Value:
    """Return elements along an axis, each selected by its own index."""
    line = g.Reshape(data, [-1]) if axis is None else data
    return g.GatherElements(line, g.cast(indices, numpy.int64), axis=0 if axis is None else axis)


@translates("scatter_nd")
def scatter_nd(g: Builder, data: Value, indices: Value, *, shape: Any) -> Value:
    """Return an array of zeros in which ``data`` replaces the elements at the indices."""
    zeros = g.array(numpy.zeros(shape, data.dtype))
    return g.ScatterND(zeros, g.move_axis(g.cast(indices, numpy.int64), 0, -1), data)


@translates("_scatter_set_nd")
def scatter_set_nd(g: Builder, lhs: Value, rhs: Value, indices: Value, *, shape: Any) -> Value:
    """Return a copy of ``lhs`` in which ``rhs`` replaces the elements at the indices."""
    return g.ScatterND(lhs, g.move_axis(g.cast(indices, numpy.int64), 0, -1), rhs)


@translates("_contrib_index_copy")
def index_copy(g: Builder, old_tensor: Value, index_vector: Value, new_tensor: Value) -> Value:
    """Return a copy of an array in which other rows replace the rows at the indices."""
    return g.ScatterND(old_tensor, g.unsqueeze(g.cast(index_vector, numpy.int64), [1]), new_tensor)


@translates("one_hot")
def one_hot(g: Builder, indices: Value, *, depth: int, on_value: float, off_value: float, dtype: Any) -> Value:
    """Return ``on_value`` at each index and ``off_value`` elsewhere. Indices out of range are ignored."""
    places = g.array(numpy.arange(depth, dtype=numpy.int64))
    found = g.Equal(g.unsqueeze(g.cast(indices, numpy.int64), [g.rank(indices)]), places)
    return g.Where(found, g.value(on_value, g.dtype), g.value(off_value, g.dtype))


# --- assignment to slices -------------------------------------------------------------------------


def _positions(g: Builder, lhs: Value, begin: Any, end: Any, step: Any) -> Any:
    """Return the indices of the elements of a slice, in the form of ScatterND."""
    shape = g.static_shape(lhs)
    steps = step or (None,) * len(begin)
    index = tuple(slice(*bounds) for bounds in zip(begin, end, steps, strict=True))
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(n) for n in shape], indexing="ij"), axis=-1)
    return grid[index].astype(numpy.int64)


@translates("_slice_assign")
def slice_assign(g: Builder, lhs: Value, rhs: Value, *, begin: Any, end: Any, step: Any) -> Value:
    """Return a copy of an array in which another array replaces a slice."""
    return g.ScatterND(lhs, _positions(g, lhs, begin, end, step), rhs)


@translates("_slice_assign_scalar")
def slice_assign_scalar(g: Builder, data: Value, *, scalar: float, begin: Any, end: Any, step: Any) -> Value:
    """Return a copy of an array in which a number replaces a slice."""
    places = _positions(g, data, begin, end, step)
    return g.ScatterND(data, places, numpy.full(places.shape[:-1], scalar, data.dtype))


# --- conditions -----------------------------------------------------------------------------------


@translates("where")
def where(g: Builder, condition: Value, x: Value, y: Value) -> Value:
    """Return elements of one of two arrays, selected by a condition. A condition vector selects whole rows."""
    truth = g.cast(condition, bool)
    if g.rank(condition) != g.rank(x):
        truth = g.unsqueeze(truth, list(range(1, g.rank(x))))
    return g.Where(truth, x, y)


@translates("_npi_where")
def np_where(g: Builder, condition: Value, x: Value, y: Value) -> Value:
    """Return elements of two arrays, selected by a condition. All three arrays are broadcast."""
    return g.Where(g.cast(condition, bool), x, y)


@translates("_npi_where_rscalar")
def where_right(g: Builder, condition: Value, y: Value, *, scalar: float) -> Value:
    """Return a number where the condition is false, and elements of an array elsewhere."""
    return g.Where(g.cast(condition, bool), y, g.value(scalar, y.dtype))


@translates("_npi_where_lscalar")
def where_left(g: Builder, condition: Value, x: Value, *, scalar: float) -> Value:
    """Return a number where the condition is true, and elements of an array elsewhere."""
    return g.Where(g.cast(condition, bool), g.value(scalar, x.dtype), x)


@translates("_npi_where_scalar2")
def where_numbers(g: Builder, condition: Value, *, x: float, y: float) -> Value:
    """Return one of two numbers, selected by a condition."""
    return g.Where(g.cast(condition, bool), g.value(x, g.dtype), g.value(y, g.dtype))


@translates("_contrib_boolean_mask")
def boolean_mask(g: Builder, data: Value, index: Value, *, axis: int) -> Value:
    """Return the slices along ``axis`` for which the mask is not zero."""
    return g.Compress(data, g.cast(index, bool), axis=axis)


@translates("_npx_nonzero")
def nonzero(g: Builder, x: Value) -> Value:
    """Return the indices of the nonzero elements, with one index in each row."""
    return g.make("Transpose", [g.NonZero(x)], perm=[1, 0])


@translates("_npi_boolean_mask_assign_scalar")
def mask_assign_scalar(g: Builder, data: Value, mask: Value, *, value: float, start_axis: int) -> Value:
    """Return a copy of an array in which a number replaces the elements for which the mask is true."""
    rank = g.rank(data)
    truth = g.unsqueeze(g.cast(mask, bool), list(range(start_axis)))
    after = list(range(start_axis + g.rank(mask), rank))
    truth = g.Unsqueeze(truth, after) if after else truth
    return g.Where(truth, g.value(value, data.dtype), data)


# --- order ----------------------------------------------------------------------------------------


def _sorted(g: Builder, data: Value, axis: int | None, count: int | None, ascending: bool) -> tuple[Value, Value, int]:
    """Return sorted values, their indices, and the axis."""
    line, along = (g.flatten(data), 0) if axis is None else (data, axis % g.rank(data))
    size = g.size(line, along) if count is None or count < 1 else count
    values, places = g.make("TopK", [line, [size]], outputs=2, axis=along, largest=int(not ascending), sorted=1)
    return values, places, along


@translates("sort")
def sort(g: Builder, data: Value, *, axis: int | None, is_ascend: bool) -> list[Value]:
    """Return the elements, sorted along an axis, and their indices."""
    return list(_sorted(g, data, axis, None, is_ascend)[:2])


@translates("argsort")
def argsort(g: Builder, data: Value, *, axis: int | None, is_ascend: bool, dtype: Any) -> Value:
    """Return the indices that sort the elements along an axis."""
    return _sorted(g, data, axis, None, is_ascend)[1]


@translates("topk")
def topk(g: Builder, data: Value, *, axis: int | None, k: int, ret_typ: str, is_ascend: bool, dtype: Any) -> Any:
    """Return the ``k`` largest or smallest elements along an axis, their indices, both, or a mask."""
    values, places, along = _sorted(g, data, axis, k, is_ascend)
    if ret_typ == "indices":
        return places
    if ret_typ != "mask":
        return [values, places]
    line = g.flatten(data) if axis is None else data
    zeros, ones = g.fill(line, 0, data.dtype), g.Cast(g.Greater(g.Add(places, 1), 0), dtype=data.dtype, to=data.dtype)
    mask = g.ScatterElements(zeros, places, ones, axis=along)
    return g.reshape(mask, g.shape)


@translates("_npi_unique")
def unique(
    g: Builder, data: Value, *, return_index: bool, return_inverse: bool, return_counts: bool, axis: int | None
) -> list[Value]:
    """Return the distinct elements in ascending order, and the requested indices and counts."""
    values, first, inverse, counts = g.make("Unique", [data], outputs=4, axis=axis, sorted=1)
    for places in (first, inverse, counts):
        places.dtype = numpy.dtype(numpy.int64)
    wanted = zip((first, inverse, counts), (return_index, return_inverse, return_counts), strict=True)
    return [values, *(v for v, asked in wanted if asked)]


# --- flat and multidimensional indices ------------------------------------------------------------


def _whole(g: Builder, x: Value) -> Value:
    """Return the integer parts of numbers."""
    return g.Mul(g.Sign(x), g.Floor(g.Abs(x))) if x.dtype.kind == "f" else x


@translates("_ravel_multi_index")
def ravel_multi_index(g: Builder, data: Value, *, shape: Any) -> Value:
    """Return the flat index of each multidimensional index."""
    rows = [g.Gather(data, numpy.array(i, numpy.int64), axis=0) for i in range(len(shape))]
    result = _whole(g, rows[0])
    for size, row in zip(shape[1:], rows[1:], strict=True):
        result = _whole(g, g.Add(g.Mul(result, size), row))
    return result


@translates("_unravel_index")
def unravel_index(g: Builder, data: Value, *, shape: Any) -> Value:
    """Return the multidimensional index of each flat index."""
    rest, parts = g.cast(data, numpy.int64), []
    for size in reversed(shape[1:]):
        whole = g.Div(rest, size)
        parts.append(g.Sub(rest, g.Mul(whole, size)))
        rest = whole
    return g.concat([g.Unsqueeze(p, [0]) for p in (rest, *reversed(parts))], 0)


@translates("_contrib_index_array")
def index_array(g: Builder, data: Value, *, axes: Any) -> Value:
    """Return the multidimensional index of each element."""
    grids = numpy.indices(g.static_shape(data), dtype=numpy.int64)
    return g.array(numpy.stack([grids[a] for a in (range(len(grids)) if axes is None else axes)], axis=-1))


# --- sequences of different lengths ---------------------------------------------------------------


def _lengths(g: Builder, data: Value, lengths: Value, axis: int) -> Value:
    """Return whether a step is before the end of its sequence, in a shape that broadcasts with the data."""
    steps = numpy.arange(g.size(data, axis), dtype=numpy.int64).reshape((-1, 1) if axis == 0 else (1, -1))
    ends = g.unsqueeze(g.cast(lengths, numpy.int64), [axis])
    inside = g.Less(g.array(steps), ends)
    rest = list(range(2, g.rank(data)))
    return g.Unsqueeze(inside, rest) if rest else inside


@translates("SequenceMask")
def sequence_mask(
    g: Builder, data: Value, lengths: Value | None = None, *, use_sequence_length: bool, value: float, axis: int
) -> Value:
    """Replace the steps after the end of each sequence with ``value``."""
    if not use_sequence_length or lengths is None:
        return data
    return g.Where(_lengths(g, data, lengths, axis), data, g.value(value, data.dtype))


@translates("SequenceLast")
def sequence_last(
    g: Builder, data: Value, lengths: Value | None = None, *, use_sequence_length: bool, axis: int
) -> Value:
    """Return the last step of each sequence."""
    if not use_sequence_length or lengths is None:
        return g.Gather(data, numpy.array(g.size(data, axis) - 1, numpy.int64), axis=axis)
    last = g.Clip(g.Sub(g.cast(lengths, numpy.int64), 1), 0, g.size(data, axis) - 1)
    batch_first = data if axis == 1 else g.move_axis(data, 1, 0)
    return g.GatherND(batch_first, g.unsqueeze(last, [1]), batch_dims=1)


@translates("SequenceReverse")
def sequence_reverse(
    g: Builder, data: Value, lengths: Value | None = None, *, use_sequence_length: bool, axis: int
) -> Value:
    """Reverse the order of the steps in each sequence. With sequence lengths, the time axis must be axis 0."""
    if not use_sequence_length or lengths is None:
        return g.slice(data, axis, None, None, -1)
    if axis != 0:
        raise Untranslatable(f"the time axis must be axis 0, not {axis}: transpose the sequences")
    steps = g.Gather(g.shape_vector(data), numpy.array(0, numpy.int64), axis=0)
    inside = g.Clip(g.cast(lengths, numpy.int64), 0, steps)  # lengths are at most the size of the time axis
    return g.ReverseSequence(data, inside, time_axis=0, batch_axis=1)
