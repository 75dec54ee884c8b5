"""Indexing by arrays: ``take``, ``Embedding``, ``pick``, and ``gather_nd``.

Legacy MXNet accepts indices of any type, and truncates floats. By default, an index that is out of range is moved to
the nearest end (``mode="clip"``).

The gradient of reading ``data[index]`` is an addition at ``index``. If an index occurs several times, its gradients are
summed. :func:`scatter_add` computes the addition on the flattened array, for which NumPy and CuPy have fast paths.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy

from ...error import MXNetError, OutOfBoundsError, ShapeError
from ..core.operator import REQUIRED, Array, DType, operator
from ..core.sparse_rows import LookedUp
from . import rules
from .portable import add_at

__all__ = ["bounded_indices", "integer_indices", "needed", "positions_along", "scatter_add"]

FAMILY = "shape"
MEANINGS = {
    "a": "The array from which to take elements.",
    "mode": "The handling of positions that are out of range.",
    "weight": "The table, with one row for each index.",
    "index": "The position of the element to pick along the axis.",
    "input_dim": "The number of rows of the table.",
    "output_dim": "The number of columns of the table.",
    "sparse_grad": "Whether the gradient is row-sparse, so that an optimizer can skip rows that weren't looked up.",
    "indices": "The positions of the elements or slices.",
    "take.axis": "The axis along which slices are taken; negative numbers count from the last axis.",
    "pick.axis": "The axis along which an element is picked; negative numbers count from the last axis.",
    "pick.data": "An array with at least one axis.",
    "pick.index": (
        "The position of the element to pick along ``axis``, in the shape of ``data`` without this axis or with "
        "size 1 along it."
    ),
    "Embedding.data": (
        "The indices of rows of ``weight``, an array of any shape; fractions are truncated, and indices out of "
        "range are clipped."
    ),
    "_contrib_SparseEmbedding.data": (
        "The indices of rows of ``weight``, an array of any shape; fractions are truncated, and indices out of "
        "range are clipped."
    ),
    "gather_nd.data": "The array from which to take elements or slices.",
    "gather_nd.indices": (
        "The positions, an array with at least two axes; row ``i`` contains indices along axis ``i`` of ``data``."
    ),
}

# --- inputs and indices -------------------------------------------------------------------------


def needed(array: Any, operator_name: str, count: int) -> Any:
    """Return an optional input, or raise an error if the input is missing although the attributes require it.

    Raises
    ------
    MXNetError
        If the input is missing.
    """
    if array is None:
        raise MXNetError(
            f"Check failed: num_inputs == infered_num_inputs ({count - 1} vs. {count}) : "
            f"Operator {operator_name} expects {count} inputs, but got {count - 1} instead."
        )
    return array


#: Whether a cast of NaN and infinity to int64 gives the smallest number, as on x86 CPUs.
with numpy.errstate(invalid="ignore"):
    _CASTS_TO_SMALLEST = bool(
        (numpy.array([numpy.nan, numpy.inf] * 8).astype(numpy.int64) == numpy.iinfo(numpy.int64).min).all()
    )


def integer_indices(indices: Any) -> Any:
    """Convert indices to int32 or int64; floats are truncated.

    On all CPUs, NaN and numbers that are too large become the smallest int64, which is out of range.
    """
    if indices.dtype.char in "lqi":
        return indices
    if indices.dtype.kind == "f" and not _CASTS_TO_SMALLEST and isinstance(indices, numpy.ndarray):
        wide = indices.astype(numpy.float64)
        indices = numpy.where(numpy.abs(wide) < 2.0**63, wide, -(2.0**63))
    with numpy.errstate(invalid="ignore"):
        return indices.astype(numpy.int64)


def bounded_indices(xp: Any, indices: Any, size: int, mode: str) -> Any:
    """Convert indices to integers from 0 to ``size - 1``.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    indices : array
        Indices of any shape and element type; fractions are truncated.
    size : int
        The size of the axis to which the indices refer.
    mode : {"clip", "wrap", "raise"}
        The handling of indices out of range: clip to the nearest end, wrap around, or raise an error.

    Raises
    ------
    MXNetError
        If an index is out of range with ``mode="raise"``, or if ``size`` is 0.
    """
    given, indices = indices, integer_indices(indices)
    if not size and indices.size:
        raise MXNetError("cannot take elements along an axis of size 0, because every index is out of range")
    if mode == "clip":
        return xp.minimum(xp.maximum(indices, 0), size - 1)
    if mode == "wrap":
        return indices % size
    # As in MXNet, this check precedes truncation: 2.5 is not an index of three elements.
    if not bool(((given >= 0) & (given <= size - 1)).all()):
        raise MXNetError("Check failed: is_valid: take operator contains indices out of bound")
    return indices


def positions_along(xp: Any, shape: tuple[int, ...], axis: int, indices: Any) -> Any:
    """Return the positions of ``indices`` along ``axis`` in the flattened array, in the shape ``(lead, k, rest)``.

    ``indices`` has the shape of the array, except that its size along ``axis`` is ``k``. If ``indices`` doesn't have
    this axis, ``k`` is 1.
    """
    length = shape[axis]
    lead, rest = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    if not indices.size:
        return indices.reshape(lead, indices.shape[axis] if indices.ndim == len(shape) else 1, rest)
    indices = indices.reshape(lead, -1, rest)
    if rest == 1:
        return indices + xp.arange(0, lead * length, length).reshape(lead, 1, 1)
    starts = xp.arange(0, lead * length * rest, length * rest).reshape(lead, 1, 1)
    return indices * rest + (starts + xp.arange(rest))


def scatter_add(xp: Any, size: int, positions: Any, values: Any) -> Any:
    """Return a 1-D array of zeros to which every value has been added at its position.

    Examples
    --------
    >>> scatter_add(numpy, 3, numpy.array([0, 2, 0]), numpy.array([1.0, 2.0, 3.0]))
    array([4., 0., 2.])
    """
    result = xp.zeros(size, values.dtype)
    add_at(xp, result, positions.reshape(-1), values.reshape(-1))
    return result


# --- take ---------------------------------------------------------------------------------------


def _take_axis(axis: int, ndim: int) -> int:
    rules.require(
        -ndim <= axis < ndim,
        "param.axis >= -1 * arrshape.ndim() && param.axis < arrshape.ndim(): "
        "Axis should be in the range of [-r, r-1] where r is the rank of input tensor",
    )
    return axis % ndim


@operator("take", "_npi_take")
def take(xp, a: Array, indices: Array, axis: int = 0, mode: Literal["clip", "raise", "wrap"] = "clip"):
    """Return the slices of ``a`` along an axis, in the order of the indices.

    On a GPU, the host waits only for ``mode="raise"``, which reads the indices.
    """
    axis = _take_axis(axis, a.ndim)
    return a.take(bounded_indices(xp, indices, a.shape[axis], mode), axis=axis)


@take.infer_shape
def _(a, indices, *, axis, mode):
    if a is None:
        return [a, indices], [None]
    axis = _take_axis(axis, len(a))
    return [a, indices], [None if indices is None else a[:axis] + indices + a[axis + 1 :]]


take.asks_device = lambda *, mode, **_: "with mode='raise', the host checks the indices" if mode == "raise" else ""
take.infer_type(rules.type_of_first)
take.gradient(
    lambda F, dy, y, a, indices, *, axis, mode: [
        F._backward_take(dy, indices, a, axis=axis, mode=mode),
        None,
    ]
)


@operator("_backward_take")
def backward_take(
    xp,
    grad: Array,
    indices: Array,
    a: Array,
    axis: int = 0,
    mode: Literal["clip", "raise", "wrap"] = "clip",
):
    """Return the gradient of ``take``: zeros, with slices added at the positions from which ``take`` read them."""
    axis = axis % a.ndim
    length, rest = a.shape[axis], math.prod(a.shape[axis + 1 :])
    chosen = bounded_indices(xp, indices, length, "clip" if mode == "raise" else mode).reshape(-1)
    lead = math.prod(a.shape[:axis])
    rows = chosen if lead == 1 else chosen + xp.arange(0, lead * length, length).reshape(-1, 1)
    positions = rows.reshape(-1, 1) * rest + xp.arange(rest) if rest != 1 else rows
    return scatter_add(xp, a.size, positions, grad).reshape(a.shape)


backward_take.infer_shape(lambda grad, indices, a, **_: ([grad, indices, a], [a]))
backward_take.infer_type(rules.type_of_first)
backward_take.gradient(
    lambda F, dy, y, grad, indices, a, *, axis, mode: [
        F.take(dy, indices, axis=axis, mode="clip" if mode == "raise" else mode),
        None,
        None,
    ]
)

# --- embedding ----------------------------------------------------------------------------------


def _embedding_weight(weight: Any, input_dim: int, output_dim: int) -> tuple[int, int]:
    expected = (input_dim, output_dim)
    if weight is not None and (
        len(weight) != 2 or any(n not in (None, m) for n, m in zip(weight, expected, strict=True))
    ):
        raise ShapeError(
            f"Shape inconsistent, Provided = {rules.format_shape(weight)}, inferred shape=({input_dim},{output_dim})"
        )
    return expected


def _embedding(name: str, aliases: tuple[str, ...], doc: str, always_sparse: bool = False) -> None:
    def run(
        xp,
        data: Array,
        weight: Array,
        input_dim: int = REQUIRED,
        output_dim: int = REQUIRED,
        dtype: DType = "float32",
        sparse_grad: bool = False,
    ):
        if weight.shape != (input_dim, output_dim):
            _embedding_weight(weight.shape, input_dim, output_dim)
        return weight.take(bounded_indices(xp, data, input_dim, "clip"), axis=0)

    run.__doc__ = doc
    op = operator(name, *aliases, fresh=True)(run)

    @op.infer_shape
    def _(data, weight, *, input_dim, output_dim, **_):
        weight = _embedding_weight(weight, input_dim, output_dim)
        return [data, weight], [None if data is None else (*data, output_dim)]

    @op.infer_type
    def _(data, weight, *, dtype, **_):
        weight = numpy.dtype(dtype) if weight is None else weight
        return [data, weight], [weight]

    @op.gradient
    def _(F, dy, y, data, weight, **_):
        return [None, F._backward_take(dy, data, weight, axis=0, mode="clip")]

    op.looks_up = lambda *, sparse_grad, **_: LookedUp(1, 0, "rows") if sparse_grad or always_sparse else None


_embedding(
    "Embedding",
    ("_npx_embedding", "_sparse_Embedding"),
    "Return the rows of the weight at the indices in ``data``.",
)
_embedding(
    "_contrib_SparseEmbedding",
    (),
    "Return rows of the weight, like ``Embedding``, with a row-sparse gradient.",
    always_sparse=True,
)

# --- pick ---------------------------------------------------------------------------------------


def pick_axis(axis: int | None, ndim: int) -> int:
    if axis is None:
        raise MXNetError("axis=None is not supported by pick yet. Must specify an axis.")
    if not -ndim <= axis < ndim:
        raise ShapeError(
            f"Check failed: axis < ndim && axis >= -ndim: axis {axis} exceeds the input dimension of {ndim}"
        )
    return axis % ndim


def _check_pick(data: tuple[Any, ...], index: tuple[Any, ...], axis: int) -> None:
    reduced = data[:axis] + data[axis + 1 :]
    if index == reduced or index == (*data[:axis], 1, *data[axis + 1 :]) or (not reduced and index == ()):
        return
    try:
        rules.unify(index, (*data[:axis], 1, *data[axis + 1 :]) if len(index) == len(data) else reduced)
    except ShapeError:
        raise ShapeError(
            f"Shape inconsistent, Provided = {rules.format_shape(index)}, inferred shape={rules.format_shape(reduced)}"
        ) from None


def pick_positions(xp, data, index, axis, mode):
    _check_pick(data.shape, index.shape, axis)
    return positions_along(xp, data.shape, axis, bounded_indices(xp, index, data.shape[axis], mode))


def _picked_shape(data, axis, keepdims):
    if keepdims:
        return (*data[:axis], 1, *data[axis + 1 :])
    return data[:axis] + data[axis + 1 :] or (1,)


@operator("pick", "choose_element_0index", "_npx_pick")
def pick(
    xp,
    data: Array,
    index: Array,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: Literal["clip", "wrap"] = "clip",
):
    """Return one element along an axis for every position along all other axes: ``data[i, index[i]]`` for matrices."""
    axis = pick_axis(axis, data.ndim)
    positions = pick_positions(xp, data, index, axis, mode)
    return data.reshape(-1).take(positions).reshape(_picked_shape(data.shape, axis, keepdims))


@pick.infer_shape
def _(data, index, *, axis, keepdims, mode):
    if data is None:
        return [data, index], [None]
    axis = pick_axis(axis, len(data))
    if index is None:
        index = _picked_shape(data, axis, keepdims)
    _check_pick(data, index, axis)
    return [data, index], [_picked_shape(data, axis, keepdims)]


pick.infer_type(rules.type_of_first)
pick.gradient(
    lambda F, dy, y, data, index, *, axis, keepdims, mode: [
        F._backward_pick(dy, index, data, axis=axis, mode=mode),
        None,
    ]
)


@operator("_backward_pick")
def backward_pick(
    xp,
    grad: Array,
    index: Array,
    data: Array,
    axis: int | None = -1,
    mode: Literal["clip", "wrap"] = "clip",
):
    """Return the gradient of ``pick``: zeros, with elements at the positions from which ``pick`` read them."""
    axis = pick_axis(axis, data.ndim)
    result = xp.zeros(data.size, grad.dtype)
    # No element is picked twice, so a plain assignment suffices.
    result[pick_positions(xp, data, index, axis, mode).reshape(-1)] = grad.reshape(-1)
    return result.reshape(data.shape)


backward_pick.infer_shape(lambda grad, index, data, **_: ([grad, index, data], [data]))
backward_pick.infer_type(rules.type_of_first)
backward_pick.gradient(
    lambda F, dy, y, grad, index, data, *, axis, mode: [
        F.reshape_like(F.pick(dy, index, axis=axis, mode=mode), grad),
        None,
        None,
    ]
)


def _check_batch_take(a: tuple[Any, ...], indices: tuple[Any, ...]) -> None:
    rules.require(
        len(a) >= 2,
        f"(*in_attrs)[0].ndim() >= 2 ({len(a)} vs. 2) : Data array must have at least 2 dimensional",
    )
    if None in a or None in indices:
        return
    rows, count = math.prod(a[:-1]), math.prod(indices)
    rules.require(
        rows == count,
        "(*in_attrs)[0].Size()/(*in_attrs)[0][(*in_attrs)[0].ndim()-1] == (*out_attrs)[0].Size() "
        f"({rows} vs. {count}) : "
        "Index array's size must be the same as data array's size excluding the first dimension",
    )


@operator("batch_take")
def batch_take(xp, a: Array, indices: Array):
    """Return one element of every row, ``a[i, indices[i]]``, in the shape of the indices.

    ``pick`` replaces this operator.
    """
    _check_batch_take(a.shape, indices.shape)
    return pick(xp, a.reshape(indices.size, a.shape[-1]), indices.reshape(-1), axis=1).reshape(indices.shape)


@batch_take.infer_shape
def _(a, indices):
    if a is not None and indices is not None:
        _check_batch_take(a, indices)
    return [a, indices], [a[:-1] if indices is None and a is not None else indices]


@batch_take.gradient
def _(F, dy, y, a, indices):
    rows = F.reshape(a, shape=(-1, 0), reverse=True)
    dx = F._backward_pick(F.reshape(dy, shape=(-1,)), F.reshape(indices, shape=(-1,)), rows, axis=1, mode="clip")
    return [F.reshape_like(dx, a), None]


batch_take.infer_type(
    lambda data, indices, **_: ([data, numpy.dtype(numpy.int32) if indices is None else indices], [data])
)

# --- gather_nd ----------------------------------------------------------------------------------


def _check_gather(data: tuple[Any, ...], indices: tuple[Any, ...]) -> None:
    rules.require(
        len(indices) > 1,
        f"ishape.ndim() > 1 ({len(indices)} vs. 1) : gather_nd requires index tensor to have at least 2 dimensions",
    )
    rules.require(
        indices[0] is None or indices[0] <= len(data),
        f"ishape[0] <= dshape.ndim() ({indices[0]} vs. {len(data)}) : Number of indices exceeds data dimension",
    )


@operator("gather_nd", "_npi_gather_nd", "_npx_gather_nd")
def gather_nd(xp, data: Array, indices: Array):
    """Return the elements or slices ``data[indices[0], indices[1], ...]``; negative indices count from the end."""
    _check_gather(data.shape, indices.shape)
    if xp is numpy and indices.dtype.kind == "f":
        for axis, row in enumerate(indices):  # before truncation, as in MXNet
            n = data.shape[axis]
            outside = ~((row >= -n) & (row <= n - 1))
            if outside.any():
                raise OutOfBoundsError(f"index {row[outside][0]:g} is out of bounds for axis {axis} with size {n}")
    try:
        return data[tuple(integer_indices(indices))]
    except IndexError as error:
        raise OutOfBoundsError(str(error)) from None


@gather_nd.infer_shape
def _(data, indices):
    if data is None or indices is None:
        return [data, indices], [None]
    _check_gather(data, indices)
    return [data, indices], [None if indices[0] is None else indices[1:] + data[indices[0] :]]


gather_nd.infer_type(rules.type_of_first)
gather_nd.gradient(lambda F, dy, y, data, indices: [F._backward_gather_nd(dy, indices, data), None])


@operator("_backward_gather_nd")
def backward_gather_nd(xp, grad: Array, indices: Array, data: Array):
    """Return the gradient of ``gather_nd``: zeros, with slices added at the positions that ``gather_nd`` read."""
    indices = integer_indices(indices)
    depth = len(indices)
    rows = indices[0] % data.shape[0]
    for i in range(1, depth):
        rows = rows * data.shape[i] + indices[i] % data.shape[i]
    rest = math.prod(data.shape[depth:])
    positions = rows if rest == 1 else rows.reshape(-1, 1) * rest + xp.arange(rest)
    return scatter_add(xp, data.size, positions, grad).reshape(data.shape)


backward_gather_nd.infer_shape(lambda grad, indices, data: ([grad, indices, data], [data]))
backward_gather_nd.infer_type(rules.type_of_first)
backward_gather_nd.gradient(lambda F, dy, y, grad, indices, data: [F.gather_nd(dy, indices), None, None])
