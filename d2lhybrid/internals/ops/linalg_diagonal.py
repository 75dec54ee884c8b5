"""Legacy ``linalg``: conversions between diagonals or triangles of matrices and vectors."""

from __future__ import annotations

from typing import Any

import numpy

from ..core import trip_reasons as host_trips
from ..core.operator import Array, operator
from . import rules
from .linalg import check_square

FAMILY = "linear"
MEANINGS = {
    "A": "A matrix or a vector, or a stack of these.",
    "offset": "The index of the diagonal; positive numbers are above the main diagonal.",
    "lower": "Whether the triangle is the lower triangle; ignored unless ``offset`` is 0.",
}


def _diagonal_rule(A, *, offset):
    if A is None:
        return [None], [None]
    message = "Input operand must be a tensor of square matrices"
    check_square(A, message, "(*in_attrs)[0][ndim-2] == (*in_attrs)[0][ndim-1]")
    size = None if A[-1] is None else A[-1] - abs(offset)
    rules.require(
        size is None or size > 0,
        f"n > 0 ({size} vs. 0) : Illegal offset {offset} for diag/trian extraction of matrix with dimension {len(A)}",
    )
    return [A], [(*A[:-2], size)]


@operator("_linalg_extractdiag", "linalg_extractdiag")
def extractdiag(xp, A: Array, offset: int = 0):
    """Return the diagonal ``offset`` of each matrix as a vector."""
    _diagonal_rule(A.shape, offset=offset)
    return A.diagonal(offset, -2, -1).copy()


extractdiag.precision = "single"
extractdiag.infer_shape(_diagonal_rule)
extractdiag.infer_type(rules.same_type)
extractdiag.gradient(lambda F, dy, y, A, *, offset: [F._linalg_makediag(dy, offset=offset)])


@operator("_linalg_makediag", "linalg_makediag")
def makediag(xp, A: Array, offset: int = 0):
    """Return square matrices with vectors on a diagonal and zeros elsewhere."""
    size = A.shape[-1] + abs(offset)
    result = xp.zeros((*A.shape[:-1], size, size), A.dtype)
    numbers = xp.arange(A.shape[-1])
    result[..., numbers + max(-offset, 0), numbers + max(offset, 0)] = A
    return result


makediag.precision = "single"


@makediag.infer_shape
def _(A, *, offset):
    if A is None:
        return [None], [None]
    size = None if A[-1] is None else A[-1] + abs(offset)
    return [A], [(*A[:-1], size, size)]


makediag.infer_type(rules.same_type)
makediag.gradient(lambda F, dy, y, A, *, offset: [F._linalg_extractdiag(dy, offset=offset)])


def _triangle_indices(xp: Any, size: int, offset: int, lower: bool) -> tuple[Any, Any]:
    """Return the rows and columns of a triangle; a nonzero ``offset`` overrides ``lower``.

    The order of a lower triangle is row by row. That of an upper triangle is column by column, as in the transposed
    matrix.
    """
    if offset < 0 or (offset == 0 and lower):
        rows, columns = numpy.tril_indices(size, offset)
    else:
        columns, rows = numpy.tril_indices(size, -offset)
    return xp.asarray(rows), xp.asarray(columns)  # computed on the host from shapes, so that the host doesn't wait


def _triangle_size(length: int, offset: int) -> int:
    """Return the order of the matrix whose triangle has the given number of elements."""
    order = round(((8 * length + 1) ** 0.5 - 1) / 2)
    rules.require(
        order * (order + 1) // 2 == length,
        f"(m*(m+1))/2 == n ({order * (order + 1) // 2} vs. {length}) : "
        "Input tensor of maketrian has an invalid dimension for the last axis.",
    )
    return order + abs(offset)


@operator("_linalg_extracttrian", "linalg_extracttrian")
def extracttrian(xp, A: Array, offset: int = 0, lower: bool = True):
    """Return one triangle of each matrix as a vector: the lower triangle by rows, or the upper triangle by columns."""
    _diagonal_rule(A.shape, offset=offset)
    rows, columns = _triangle_indices(xp, A.shape[-1], offset, lower)
    return A[..., rows, columns]


extracttrian.precision = "single"


@extracttrian.infer_shape
def _(A, *, offset, **_):
    [A], [diagonal] = _diagonal_rule(A, offset=offset)
    if diagonal is None:
        return [A], [None]
    n = diagonal[-1]
    return [A], [(*diagonal[:-1], None if n is None else n * (n + 1) // 2)]


extracttrian.tells_device = host_trips.TABLE
extracttrian.infer_type(rules.same_type)
extracttrian.gradient(lambda F, dy, y, A, **which: [F._linalg_maketrian(dy, **which)])


@operator("_linalg_maketrian", "linalg_maketrian")
def maketrian(xp, A: Array, offset: int = 0, lower: bool = True):
    """Return square matrices with vectors as one triangle and zeros elsewhere, as the inverse of ``extracttrian``."""
    size = _triangle_size(A.shape[-1], offset)
    result = xp.zeros((*A.shape[:-1], size, size), A.dtype)
    rows, columns = _triangle_indices(xp, size, offset, lower)
    result[..., rows, columns] = A
    return result


maketrian.precision = "single"


@maketrian.infer_shape
def _(A, *, offset, **_):
    if A is None:
        return [None], [None]
    size = None if A[-1] is None else _triangle_size(A[-1], offset)
    return [A], [(*A[:-1], size, size)]


maketrian.tells_device = host_trips.TABLE
maketrian.infer_type(rules.same_type)
maketrian.gradient(lambda F, dy, y, A, **which: [F._linalg_extracttrian(dy, **which)])
