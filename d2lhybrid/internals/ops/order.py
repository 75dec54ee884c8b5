"""Sorting operators: ``sort``, ``argsort``, ``topk``, and ``unique``.

Equal elements keep their order, both in ascending and in descending order. Legacy MXNet returns
indices as float32 unless another element type is requested.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy

from ...error import ShapeError
from ..core import trip_reasons as host_trips
from ..core.operator import Array, DType, operator
from . import portable, rules
from .index import integer_indices, positions_along

FAMILY = "reduction"
MEANINGS = {
    "k": "The number of elements; less than 1 for all.",
    "ret_typ": "The type of the result: values, indices, both, or a mask.",
    "data": "An array of any shape.",
    "sort.axis": "The axis along which elements are ordered, which may be negative; None for the flattened array.",
    "argsort.axis": "The axis along which elements are ordered, which may be negative; None for the flattened array.",
    "topk.axis": "The axis along which elements are ordered, which may be negative; None for the flattened array.",
    "is_ascend": "Whether the smallest elements come first, instead of the largest.",
}

_INT64 = numpy.dtype(numpy.int64)

# --- reading and writing along an axis ----------------------------------------------------------


def _order_axis(axis: int | None, shape: tuple[Any, ...]) -> int:
    if axis is None:
        return 0
    if not -len(shape) <= axis < len(shape):
        raise ShapeError(
            "Check failed: *axis >= 0 && *axis < static_cast<int>(src_shape.ndim()): "
            f"Invalid axis! axis should be between 0 and {len(shape)}, found axis={axis}"
        )
    return axis % len(shape)


def _line(data: Any, axis: int | None) -> tuple[Any, int]:
    """Return an array and the axis along which to sort; if `axis` is None, the flattened array and its only axis."""
    along = _order_axis(axis, data.shape)
    return (data.reshape(-1), 0) if axis is None else (data, along)


def _read(xp: Any, data: Any, axis: int, indices: Any) -> Any:
    if data.ndim == 1:
        return data.take(indices)
    positions = positions_along(xp, data.shape, axis, indices)
    return data.reshape(-1).take(positions).reshape(indices.shape)


@operator("_gather_along")
def gather_along(xp, data: Array, indices: Array, axis: int | None = -1):
    """Return elements of ``data`` along an axis, selected by an array with an index for each element of the result."""
    line, along = _line(data, axis)
    return _read(xp, line, along, integer_indices(indices))


gather_along.infer_shape(lambda data, indices, **_: ([data, indices], [indices]))
gather_along.infer_type(rules.type_of_first)
gather_along.gradient(lambda F, dy, y, data, indices, *, axis: [F._backward_topk(dy, indices, data, axis=axis), None])


@operator("_backward_topk")
def backward_topk(xp, grad: Array, indices: Array, data: Array, axis: int | None = -1):
    """Return the gradient of ``_gather_along``: zeros, with elements at the positions that ``_gather_along`` read."""
    line, along = _line(data, axis)
    result = xp.zeros(data.size, grad.dtype)
    # An ordering contains every element at most once, so a plain assignment suffices.
    positions = positions_along(xp, line.shape, along, integer_indices(indices))
    result[positions.reshape(-1)] = grad.reshape(-1)
    return result.reshape(data.shape)


backward_topk.infer_shape(lambda grad, indices, data, **_: ([grad, indices, data], [data]))
backward_topk.infer_type(rules.type_of_first)
backward_topk.gradient(
    lambda F, dy, y, grad, indices, data, *, axis: [F._gather_along(dy, indices, axis=axis), None, None]
)


def _order(xp: Any, line: Any, axis: int, ascending: bool) -> Any:
    """Return the indices that sort along an axis; equal elements keep their order."""
    if ascending:
        return line.argsort(axis=axis, kind="stable")
    # The stable descending order is the reversed stable ascending order of the reversed line.
    reversed_order = xp.flip(xp.flip(line, axis).argsort(axis=axis, kind="stable"), axis)
    return line.shape[axis] - 1 - reversed_order


#: The largest number of elements to find one after the other; more elements are selected by a limit.
FEW = 16
#: The smallest length of a line in which a few elements are found without sorting the whole line.
LONG = 64


def _first_of_order(xp: Any, line: Any, axis: int, ascending: bool, count: int) -> Any:
    """Return the indices of the first `count` elements in order along an axis, without sorting all elements."""
    length = line.shape[axis]
    numbers = xp is numpy and line.size and line.dtype.kind in "fiu"
    if numbers and length >= LONG and 4 * count <= length:
        rows = numpy.ascontiguousarray(numpy.moveaxis(line, axis, -1)).reshape(-1, length)
        find = _found_in_turn if count <= FEW else _found_by_a_limit
        found = find(rows, ascending, count)
        if found is not None:
            shape = (*line.shape[:axis], *line.shape[axis + 1 :], count)
            return numpy.moveaxis(found.reshape(shape), -1, axis)
    return _order(xp, line, axis, ascending)[(slice(None),) * axis + (slice(count),)]


def _found_in_turn(rows: Any, ascending: bool, count: int) -> Any:
    """Return the columns of the best elements of each row, which are found one after the other.

    Return None if an element is NaN or equals the value that marks removed elements.
    """
    if rows.dtype.kind == "f":
        worst = numpy.inf if ascending else -numpy.inf
    else:
        limits = numpy.iinfo(rows.dtype)
        worst = limits.max if ascending else limits.min
    best_of = numpy.argmin if ascending else numpy.argmax
    left, each = rows.copy(), numpy.arange(len(rows))
    found = numpy.empty((len(rows), count), numpy.intp)
    for k in range(count):
        found[:, k] = best = best_of(left, axis=1)
        values = left[each, best]
        if (values == worst).any() or (values != values).any():
            return None
        left[each, best] = worst
    return found


def _found_by_a_limit(rows: Any, ascending: bool, count: int) -> Any:
    """Return the columns of the best elements of each row: the elements beyond a limit are selected and sorted.

    Return None if an element is NaN, or if more than `count` elements are selected because several equal the limit.
    """
    place = count - 1 if ascending else rows.shape[1] - count
    limit = numpy.partition(rows, place, axis=1)[:, place, None]
    chosen = rows <= limit if ascending else rows >= limit
    if (numpy.count_nonzero(chosen, axis=1) != count).any() or (rows.dtype.kind == "f" and numpy.isnan(rows).any()):
        return None
    columns = numpy.nonzero(chosen)[1].reshape(-1, count)
    values = numpy.take_along_axis(rows, columns, axis=1)
    return numpy.take_along_axis(columns, _order(numpy, values, 1, ascending), axis=1)


# --- sort and argsort ---------------------------------------------------------------------------


@operator("sort", "_npi_sort", outputs=2, visible_outputs=1)
def sort(xp, data: Array, axis: int | None = -1, is_ascend: bool = True):
    """Return the elements sorted along an axis, or those of the flattened array if ``axis`` is None."""
    line, along = _line(data, axis)
    indices = _order(xp, line, along, is_ascend)
    return [_read(xp, line, along, indices), indices]


def _sorted_shape(data, axis):
    if data is None:
        return None
    _order_axis(axis, data)
    return data if axis is not None else (rules.known_size(data),)


sort.infer_shape(lambda data, *, axis, **_: ([data], [_sorted_shape(data, axis)] * 2))
sort.infer_type(lambda data, **_: ([data], [data, _INT64]))
sort.output_names(lambda **_: ["output0"])
sort.hidden_names = ("output1",)
sort.gradient(lambda F, dy, y, data, *, axis, is_ascend: [F._backward_topk(dy[0], y[1], data, axis=axis)])


@operator("argsort", "_npi_argsort", differentiable=False)
def argsort(xp, data: Array, axis: int | None = -1, is_ascend: bool = True, dtype: DType = "float32"):
    """Return the indices that sort the elements along an axis."""
    line, along = _line(data, axis)
    return _order(xp, line, along, is_ascend).astype(dtype, copy=False)


argsort.precision = "single"
argsort.infer_shape(lambda data, *, axis, **_: ([data], [_sorted_shape(data, axis)]))
argsort.infer_type(lambda data, *, dtype, **_: ([data], [numpy.dtype(dtype)]))

# --- topk ---------------------------------------------------------------------------------------


def _count(k: int, length: int | None) -> int | None:
    """Return the number of elements that ``topk`` selects; all elements for ``k < 1``."""
    if k < 1:
        return length
    if length is not None and k > length:
        raise ShapeError(f"Check failed: *k >= 0 && *k <= *element_num: k must be smaller than {length}, get k = {k}")
    return k


def _topk_outputs(*, ret_typ, **_):
    return 2 if ret_typ in ("value", "both") else 1


@operator(
    "topk",
    "_npx_topk",
    outputs=_topk_outputs,
    visible_outputs=lambda *, ret_typ, **_: 2 if ret_typ == "both" else 1,
)
def topk(
    xp,
    data: Array,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: Literal["both", "indices", "mask", "value"] = "indices",
    is_ascend: bool = False,
    dtype: DType = "float32",
):
    """Return the ``k`` largest elements along an axis, in order, as indices, values, both, or a mask.

    With ``is_ascend=True``, the result contains the smallest elements. With ``k < 1``, it contains all elements.
    """
    line, along = _line(data, axis)
    count = _count(k, line.shape[along])
    assert count is not None  # the length of an array is known
    if count == 1:  # needs no sorting, so that greedy decoding is fast
        best = line.argmin(along) if is_ascend else line.argmax(along)
        indices = xp.expand_dims(best, along)
    else:
        indices = _first_of_order(xp, line, along, is_ascend, count)
    if ret_typ == "indices":
        return indices.astype(dtype)
    if ret_typ == "mask":
        mask = xp.zeros(line.size, data.dtype)
        mask[positions_along(xp, line.shape, along, indices).reshape(-1)] = 1
        return mask.reshape(data.shape)
    return [_read(xp, line, along, indices), indices.astype(dtype)]


topk.precision = "single"


@topk.output_names
def _(*, ret_typ, **_):
    return {"value": ["output0"], "both": ["output0", "output1"]}.get(ret_typ, ["output"])


@topk.infer_shape
def _(data, *, axis, k, ret_typ, **_):
    outputs = _topk_outputs(ret_typ=ret_typ)
    if data is None:
        return [None], [None] * outputs
    along = _order_axis(axis, data)
    line = data if axis is not None else (rules.known_size(data),)
    shape = (*line[:along], _count(k, line[along]), *line[along + 1 :])
    return [data], [data if ret_typ == "mask" else shape] * outputs


@topk.infer_type
def _(data, *, ret_typ, dtype, **_):
    if ret_typ == "indices":
        return [data], [numpy.dtype(dtype)]
    return [data], [data] if ret_typ == "mask" else [data, numpy.dtype(dtype)]


@topk.gradient
def _(F, dy, y, data, *, axis, ret_typ, **_):
    if ret_typ in ("indices", "mask") or dy[0] is None:
        return [None]
    return [F._backward_topk(dy[0], y[1], data, axis=axis)]


# --- unique -------------------------------------------------------------------------------------


def _unique_outputs(*, return_index, return_inverse, return_counts, **_):
    return 1 + sum((return_index, return_inverse, return_counts))


@operator("_npi_unique", outputs=_unique_outputs, differentiable=False)
def unique(
    xp,
    data: Array,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
):
    """Return the sorted unique elements, and optionally the first and the inverse indices, and the counts.

    On a GPU, the host waits for the number of unique elements.
    """
    results = portable.unique(
        xp,
        data,
        return_index=return_index,
        return_inverse=return_inverse,
        return_counts=return_counts,
        axis=axis,
    )
    if not isinstance(results, tuple):
        return results
    return [results[0], *(r.reshape(-1).astype(_INT64, copy=False) for r in results[1:])]


unique.names_inputs = True


@unique.infer_shape
def _(data, *, axis, **returns):
    # The number of unique elements depends on values.
    if data is None or axis is None:
        first: Any = (None,) if axis is None else None
    else:
        along = _order_axis(axis, data)
        first = (*data[:along], None, *data[along + 1 :])
    extra: list[Any] = [(None,)] * (_unique_outputs(**returns) - 1)
    if returns["return_inverse"] and data is not None:
        length = rules.known_size(data) if axis is None else data[axis]
        extra[1 if returns["return_index"] else 0] = (length,)
    return [data], [first, *extra]


unique.asks_device = host_trips.SIZE
unique.infer_type(lambda data, **a: ([data], [data] + [_INT64] * (_unique_outputs(**a) - 1)))
