"""Diagonals and triangles: ``diag`` in the legacy and the NumPy version, and ``tril``."""

from __future__ import annotations

from typing import Any

import numpy

from ...error import ShapeError
from ..core.infer import PartialShape, known_size
from ..core.operator import Array, operator
from . import rules

FAMILY = "shape"


def _length(rows: int | None, columns: int | None, k: int) -> int | None:
    """Return the number of elements on the k-th diagonal; negative if it is outside the matrix."""
    if rows is None or columns is None:
        return None
    return min(rows + min(k, 0), columns - max(k, 0))


def _plane(rank: int, axis1: int, axis2: int) -> tuple[int, int]:
    for axis in (axis1, axis2):
        rules.require(
            -rank <= axis < rank,
            f"axis < ndim && axis >= -ndim: axis {axis} exceeds the input dimension of {rank}",
        )
    x1, x2 = axis1 % rank, axis2 % rank
    rules.require(x1 != x2, f"x1 != x2 ({x1} vs. {x2}) : axis1 and axis2 cannot refer to the same axis {axis1}")
    return x1, x2


def _diagonal_shape(shape: tuple[Any, ...], k: int, axis1: int, axis2: int, strict: bool) -> tuple[Any, ...]:
    """Return the shape of a diagonal: the shape without the two axes, followed by the length of the diagonal."""
    a, b = _plane(len(shape), axis1, axis2)
    length = _length(shape[a], shape[b], k)
    if length is not None and length < 0:
        if strict:
            raise ShapeError("Diagonal does not exist.")
        length = 0
    return (*(n for i, n in enumerate(shape) if i not in (a, b)), length)


def _matrix_shape(n: int | None, k: int) -> tuple[Any, ...]:
    """Return the shape of the matrix whose k-th diagonal is a vector."""
    side = None if n is None else n + abs(k)
    return side, side


def diagonal_of(data: Any, k: int, axis1: int, axis2: int) -> Any:
    """Return a view of the k-th diagonal, which is empty outside of the array.

    Parameters
    ----------
    data : array
        The array.
    k : int
        The offset of the diagonal. NumPy itself crashes at -2**31.
    axis1, axis2 : int
        The axes of rows and columns.

    Returns
    -------
    array
        The diagonal, as the last axis.
    """
    return data.diagonal(max(-data.shape[axis1], min(k, data.shape[axis2])), axis1, axis2)


def _put_diagonal(xp: Any, dy: Any, shape: tuple[int, ...], k: int, axis1: int, axis2: int) -> Any:
    """Return zeros of the given shape with ``dy`` on a diagonal."""
    result = xp.zeros(shape, dtype=dy.dtype)
    a, b = axis1 % len(shape), axis2 % len(shape)
    others = [i for i in range(len(shape)) if i not in (a, b)]
    along = xp.arange(dy.shape[-1])
    result.transpose(*others, a, b)[..., along + max(-k, 0), along + max(k, 0)] = dy
    return result


# --- legacy diag, and NumPy's -----------------------------------------------------------------------


def _diag_rule(data: PartialShape, *, k: int = 0, axis1: int = 0, axis2: int = 1):
    if data is None:
        return [None], [None]
    if not data:
        raise ShapeError("Operator diag inferring shapes failed.")
    if len(data) == 1:
        return [data], [_matrix_shape(data[0], k)]
    return [data], [_diagonal_shape(data, k, axis1, axis2, strict=True)]


@operator("diag")
def diag(xp, data: Array, k: int = 0, axis1: int = 0, axis2: int = 1):
    """Return a matrix with a vector on its k-th diagonal, or the k-th diagonal of an array along two axes.

    Parameters
    ----------
    data : NDArray or Symbol
        A vector, or an array with at least two axes.
    k : int
        The index of the diagonal: 0 for the main diagonal, positive for the diagonals above it.
    axis1, axis2 : int
        The axes of the rows and columns, which must differ; they have no effect for a vector.
    """
    _diag_rule(data.shape, k=k, axis1=axis1, axis2=axis2)
    return (
        xp.diag(data, k) if data.ndim == 1 else diagonal_of(data, k, axis1, axis2).copy()
    )  # NumPy's view is read-only


diag.names_inputs = True
diag.infer_shape(_diag_rule)
diag.infer_type(rules.same_type)
diag.gradient(lambda F, dy, y, data, *, k, axis1, axis2: [F._backward_diag(dy, data, k=k, axis1=axis1, axis2=axis2)])


@operator("_backward_diag")
def diag_backward(xp, dy: Array, like: Array, k: int = 0, axis1: int = 0, axis2: int = 1):
    """Return the gradient of ``diag``: the diagonal of the gradient, or zeros with the gradient on a diagonal."""
    if like.ndim == 1:
        return diagonal_of(dy, k, 0, 1).copy()
    return _put_diagonal(xp, dy, like.shape, k, axis1, axis2)


diag_backward.infer_shape(lambda dy, like, **_: ([dy, like], [like]))
diag_backward.infer_type(rules.type_of_first)
diag_backward.gradient(
    lambda F, dy, y, grad, like, *, k, axis1, axis2: [F.diag(dy, k=k, axis1=axis1, axis2=axis2), None]
)


def _np_diag_rule(data: PartialShape, *, k: int):
    if data is None:
        return [None], [None]
    rank = len(data)
    rules.require(rank <= 2, f"ishape.ndim() <= 2 ({rank} vs. 2) : Input must be 1- or 2-d")
    rules.require(rank >= 1, "i >= 0 && i < ndim(): index = 0 must be in range [0, 0)")
    return [data], [_matrix_shape(data[0], k) if rank == 1 else _diagonal_shape(data, k, 0, 1, strict=False)]


@operator("_np_diag")
def np_diag(xp, data: Array, k: int = 0):
    """Return a matrix with a vector on its k-th diagonal, or the k-th diagonal of a matrix."""
    _np_diag_rule(data.shape, k=k)
    return xp.diag(data, k) if data.ndim == 1 else diagonal_of(data, k, 0, 1).copy()


np_diag.names_inputs = True
np_diag.infer_shape(_np_diag_rule)
np_diag.infer_type(rules.same_type)
np_diag.gradient(lambda F, dy, y, data, *, k: [F._backward_diag(dy, data, k=k)])


@operator("_np_diagflat")
def np_diagflat(xp, data: Array, k: int = 0):
    """Return a matrix whose k-th diagonal contains all elements of an array."""
    return xp.diag(data.reshape(data.size), k)


np_diagflat.names_inputs = True


@np_diagflat.infer_shape
def _(data, *, k):
    return [data], [_matrix_shape(None if data is None else known_size(data), k)]


np_diagflat.infer_type(rules.same_type)
np_diagflat.gradient(lambda F, dy, y, data, *, k: [F.reshape_like(F._np_diag(dy, k=k), data)])


def _np_diagonal_rule(data: PartialShape, *, offset: int, axis1: int, axis2: int):
    if data is None:
        return [None], [None]
    rules.require(len(data) >= 2, f"ishape.ndim() >= 2 ({len(data)} vs. 2) : Input array should be at least 2d")
    return [data], [_diagonal_shape(data, offset, axis1, axis2, strict=False)]


@operator("_np_diagonal")
def np_diagonal(xp, data: Array, offset: int = 0, axis1: int = 0, axis2: int = 1):
    """Return a diagonal along two axes as the last axis of the result."""
    _np_diagonal_rule(data.shape, offset=offset, axis1=axis1, axis2=axis2)
    return diagonal_of(data, offset, axis1, axis2).copy()


np_diagonal.names_inputs = True
np_diagonal.infer_shape(_np_diagonal_rule)
np_diagonal.infer_type(rules.same_type)
np_diagonal.gradient(
    lambda F, dy, y, data, *, offset, axis1, axis2: [F._backward_diag(dy, data, k=offset, axis1=axis1, axis2=axis2)]
)

# --- triangles -------------------------------------------------------------------------------------


@operator("_npi_tril")
def np_tril(xp, data: Array, k: int = 0):
    """Return the elements on and below the k-th diagonal, with zeros above it."""
    return xp.tril(data, k)


np_tril.names_inputs = True


@np_tril.infer_shape
def _(data, *, k):
    if data is None:
        return [None], [None]
    rules.require(len(data) >= 1, "i >= 0 && i < ndim(): index = 0 must be in range [0, 0)")
    return [data], [data if len(data) > 1 else data * 2]


np_tril.infer_type(rules.same_type)
np_tril.gradient(lambda F, dy, y, data, *, k: [F._reduce_like(F._npi_tril(dy, k=k), data)])


def _diag_indices_rule(data: PartialShape):
    if data is None:
        return [None], [None]
    if len(data) < 2:
        raise ValueError(f"Check failed: ishape.ndim() >= 2 ({len(data)} vs. 2) : Input array should be at least 2d")
    size = next((n for n in data if n is not None), None)
    for n in data:
        if n not in (None, size):
            raise ValueError(
                f"Check failed: ishape[i] == size ({n} vs. {size}) : All dimensions of input must be of equal length"
            )
    return [(size,) * len(data)], [(len(data), size)]


@operator("_npi_diag_indices_from", differentiable=False)
def np_diag_indices_from(xp, data: Array):
    """Return the indices of the main diagonal of an array whose axes have equal sizes, with one row for each axis."""
    _diag_indices_rule(data.shape)
    return xp.tile(xp.arange(data.shape[0], dtype=numpy.int64), (data.ndim, 1))


np_diag_indices_from.names_inputs = True
np_diag_indices_from.infer_shape(_diag_indices_rule)
np_diag_indices_from.infer_type(lambda data: ([data], [numpy.dtype("int64")]))
