"""Legacy ``linalg``: products, triangular matrices, and diagonals, on stacks of matrices.

All operators use the last two axes, and all other axes are the batch. The names are BLAS's:
``gemm`` multiplies general matrices, ``trmm`` multiplies by a triangular matrix, ``trsm`` solves with a
triangular matrix, and ``syrk`` multiplies a matrix by its transpose. Decompositions are in
:mod:`~d2lhybrid.internals.ops.linalg_factor`.
"""

from __future__ import annotations

from typing import Any

import numpy

from ...error import MXNetError, ShapeError
from ..core.operator import Array, operator
from . import rules
from .elementwise import check_same_dtype
from .matrix import product_gradients

__all__ = [
    "check_float",
    "check_square",
    "largest_positive",
    "linear_algebra_error",
    "solve",
    "square_rule",
]

FAMILY = "linear"
MEANINGS = {
    "A": "A matrix or a stack of matrices.",
    "B": "A matrix or a stack of matrices.",
    "C": "The matrix to add to the product.",
    "alpha": "The factor of the product.",
    "beta": "The factor of ``C``.",
    "transpose": "Whether the first matrix is transposed.",
    "rightside": "Whether the first matrix is the right factor.",
    "lower": "Whether the triangle is the lower triangle.",
    "axis": "The axis of the rows; the last axis is that of the columns.",
}

# --- shared code ---------------------------------------------------------------------------------


def check_float(A: Any) -> None:
    """Raise MXNet's error if matrices of an array's element type cannot be factorized.

    Raises
    ------
    MXNetError
        If the element type is neither float32 nor float64.
    """
    if A.dtype.char not in "fd":
        raise MXNetError("This operation only supports 32-bit and 64-bit floating point")


def linear_algebra_error(message: str) -> Any:
    """Return a context manager that turns NumPy's ``LinAlgError`` into MXNet's error.

    On a GPU, a singular matrix raises no error, as in MXNet: the host doesn't wait for the check, and the result
    contains NaN or infinity. With ``cupyx.errstate(linalg="raise")``, CuPy raises an error.

    Examples
    --------
    >>> with linear_algebra_error("the input matrix is non-convertible"):
    ...     numpy.linalg.inv(numpy.zeros((2, 2)))
    Traceback (most recent call last):
    d2lhybrid.error.MXNetError: Check failed: ret == 0 (1 vs. 0) : the input matrix is non-convertible
    """
    return _Translation(message)


class _Translation:
    def __init__(self, message: str) -> None:
        self.message = message

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, numpy.linalg.LinAlgError):
            raise MXNetError(f"Check failed: ret == 0 (1 vs. 0) : {self.message}") from None


def _swapped(x: Any) -> Any:
    return x.swapaxes(-1, -2)


def _require_matrix(shape: Any, message: str = "Input A's dimension must be >= 2") -> None:
    rules.require(len(shape) >= 2, f"ndim >= 2 ({len(shape)} vs. 2) : {message}")


def square_rule(message: str, check: str = "in[ndim-2] == in[ndim-1]"):
    """Return the shape rule of an operator whose input and output are square matrices of the same shape."""

    def rule(A, **_):
        check_square(A, message, check)
        return [A], [A]

    return rule


def check_square(shape: Any, message: str, check: str = "in[ndim-2] == in[ndim-1]") -> None:
    """Raise MXNet's error unless the last two sizes of a shape are equal or unknown."""
    if shape is None:
        return
    _require_matrix(shape)
    rows, columns = shape[-2:]
    if rows != columns and None not in (rows, columns):
        rules.require(False, f"{check} ({rows} vs. {columns}) : {message}")


def largest_positive(xp: Any, vectors: Any, axis: int) -> Any:
    """Return 1 or -1 for each vector along ``axis``: the sign of the component with the largest absolute value.

    The sign of a singular vector or an eigenvector is arbitrary. Multiplied by this sign, the vector is unique.

    Examples
    --------
    >>> largest_positive(numpy, numpy.array([[0.6, -0.8], [0.8, 0.6]]), -1)
    array([[-1.],
           [ 1.]])
    """
    if not vectors.size:
        return xp.ones([1 if i == axis % vectors.ndim else n for i, n in enumerate(vectors.shape)], vectors.dtype)
    greatest, least = vectors.max(axis=axis, keepdims=True), vectors.min(axis=axis, keepdims=True)
    return xp.where(greatest >= -least, 1, -1).astype(vectors.dtype)


@operator("_matrix_transpose")
def matrix_transpose(xp, data: Array):
    """Return the transpose of the matrices in the last two axes."""
    return _swapped(data).copy()


matrix_transpose.infer_shape(lambda data: ([data], [None if data is None else (*data[:-2], data[-1], data[-2])]))
matrix_transpose.infer_type(rules.same_type)
matrix_transpose.gradient(lambda F, dy, y, data: [F._matrix_transpose(dy)])


@operator("_triangular_part")
def triangular_part(xp, data: Array, lower: bool = True, offset: int = 0):
    """Return the lower or upper triangle of each matrix, up to the diagonal ``offset``, with zeros elsewhere."""
    return xp.tril(data, offset) if lower else xp.triu(data, offset)


triangular_part.infer_shape(rules.same)
triangular_part.infer_type(rules.same_type)
triangular_part.gradient(lambda F, dy, y, data, **which: [F._triangular_part(dy, **which)])

# --- general products ---------------------------------------------------------------------------


def _times(x: Any, alpha: float) -> Any:
    return x if alpha == 1 else x * x.dtype.type(alpha)


def _product(xp: Any, A: Any, B: Any, transpose_a: bool, transpose_b: bool, alpha: float, axis: int) -> Any:
    """Return the products of stacks of matrices, with rows along ``axis`` and columns along the last axis."""
    check_same_dtype(A, B)
    moved = axis not in (-2, A.ndim - 2)
    if moved:
        A, B = A.swapaxes(axis, -2), B.swapaxes(axis, -2)
    if A.ndim < 2 or A.shape[:-2] != B.shape[:-2]:
        _gemm_rule(A.shape, B.shape, transpose_a=transpose_a, transpose_b=transpose_b, axis=-2)
    a = _swapped(A) if transpose_a else A
    b = _swapped(B) if transpose_b else B
    if a.shape[-1] != b.shape[-2]:
        _gemm_rule(A.shape, B.shape, transpose_a=transpose_a, transpose_b=transpose_b, axis=-2)
    result = _times(xp.matmul(a, b), alpha)
    return result.swapaxes(axis, -2) if moved else result


def _gemm_rule(A, B, *rest, transpose_a, transpose_b, axis, **_):
    if A is None or B is None:
        return [A, B, *rest], [rest[0] if rest else None]
    if len(A) < 2 or len(A) != len(B):
        raise ShapeError("Operator _linalg_gemm inferring shapes failed.")
    row = axis % len(A)
    batch = []
    for i, (m, n) in enumerate(zip(A[:-1], B[:-1], strict=True)):
        if i != row:
            rules.require(
                None in (m, n) or m == n,
                f"(*in_attrs)[0][i] == (*in_attrs)[1][i] ({m} vs. {n}) : "
                "Shapes of inputs 0, 1 must be the same, except on row/col axis",
            )
            batch.append(n if m is None else m)
    rows, left = (A[-1], A[row]) if transpose_a else (A[row], A[-1])
    right, columns = (B[-1], B[row]) if transpose_b else (B[row], B[-1])
    rules.require(
        None in (left, right) or left == right,
        "(transpose_a ? (*in_attrs)[0][axis] : (*in_attrs)[0][ndim-1]) == "
        f"(transpose_b ? (*in_attrs)[1][ndim-1] : (*in_attrs)[1][axis]) ({left} vs. {right}) : "
        "Incompatible matrix dimensions for multiplication",
    )
    batch.insert(row, rows)
    result = (*batch, columns)
    return [A, B, *(rules.unify(s, result) for s in rest)], [result]


@operator("_linalg_gemm2", "linalg_gemm2", threaded=True)
def gemm2(
    xp,
    A: Array,
    B: Array,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
):
    """Return the matrix product ``alpha · op(A) · op(B)``, where ``op`` optionally transposes a matrix."""
    return _product(xp, A, B, transpose_a, transpose_b, alpha, axis)


gemm2.precision = "single"
gemm2.infer_shape(_gemm_rule)
gemm2.infer_type(rules.same_type)


def _gemm_gradients(F, dy, A, B, transpose_a, transpose_b, alpha, axis, needs):
    def product(a, b, ta, tb):
        return F._linalg_gemm2(a, b, transpose_a=ta, transpose_b=tb, alpha=alpha, axis=axis)

    return product_gradients(product, dy, A, B, transpose_a, transpose_b, needs)


@gemm2.gradient
def _(F, dy, y, A, B, *, transpose_a, transpose_b, alpha, axis, needs=(True, True)):
    return _gemm_gradients(F, dy, A, B, transpose_a, transpose_b, alpha, axis, needs)


@operator("_linalg_gemm", "linalg_gemm", threaded=True)
def gemm(
    xp,
    A: Array,
    B: Array,
    C: Array,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
):
    """Return ``alpha · op(A) · op(B) + beta · C``, where ``op`` optionally transposes a matrix."""
    product = _product(xp, A, B, transpose_a, transpose_b, alpha, axis)
    if product.shape != C.shape:
        rules.unify(C.shape, product.shape)
    return product + _times(C, beta)


gemm.precision = "single"
gemm.lenient = True
gemm.infer_shape(_gemm_rule)
gemm.infer_type(rules.same_type)


@gemm.gradient
def _(F, dy, y, A, B, C, *, transpose_a, transpose_b, alpha, beta, axis, needs=(True, True, True)):
    da, db = _gemm_gradients(F, dy, A, B, transpose_a, transpose_b, alpha, axis, needs)
    return [da, db, dy * beta]


@operator("_linalg_syrk", "linalg_syrk", threaded=True)
def syrk(xp, A: Array, transpose: bool = False, alpha: float = 1.0):
    """Return the product of a matrix and its transpose, ``alpha · A · Aᵀ`` or ``alpha · Aᵀ · A``."""
    _require_matrix(A.shape)
    return _times(xp.matmul(_swapped(A), A) if transpose else xp.matmul(A, _swapped(A)), alpha)


syrk.precision = "single"


@syrk.infer_shape
def _(A, *, transpose, **_):
    if A is None:
        return [None], [None]
    _require_matrix(A)
    size = A[-1 if transpose else -2]
    return [A], [(*A[:-2], size, size)]


syrk.infer_type(rules.same_type)


@syrk.gradient
def _(F, dy, y, A, *, transpose, alpha):
    symmetric = dy + F._matrix_transpose(dy)
    if transpose:
        return [F._linalg_gemm2(A, symmetric, alpha=alpha)]
    return [F._linalg_gemm2(symmetric, A, alpha=alpha)]


# --- triangular matrices ------------------------------------------------------------------------


def _triangle(xp: Any, A: Any, transpose: bool, lower: bool) -> Any:
    """Return ``op(A)`` with zeros in the other triangle."""
    part = xp.tril(A) if lower else xp.triu(A)
    return _swapped(part) if transpose else part


def _triangular_rule(A, B, *, rightside, **_):
    if A is not None:
        message = "First operand must be a tensor of square matrices"
        check_square(A, message, "(*in_attrs)[0][ndim-2] == (*in_attrs)[0][ndim-1]")
    if A is None or B is None:
        return [A, B], [B]
    if len(A) != len(B):
        raise ShapeError("Operator _linalg_trmm inferring shapes failed.")
    fitting, order = B[-1 if rightside else -2], A[-2 if rightside else -1]
    where = "[ndim-1]" if rightside else "[ndim-2]"
    other = "[ndim-2]" if rightside else "[ndim-1]"
    rules.require(
        None in (fitting, order) or fitting == order,
        f"(*in_attrs)[1]{where} == (*in_attrs)[0]{other} ({fitting} vs. {order}) : "
        "Incompatible matrix dimensions for multiplication",
    )
    return [A, B], [B]


@operator("_linalg_trmm", "linalg_trmm", threaded=True)
def trmm(
    xp,
    A: Array,
    B: Array,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
):
    """Return the product with a triangular matrix, ``alpha · op(A) · B`` or ``alpha · B · op(A)``.

    ``op(A)`` is ``A``, or with ``transpose``, the transpose of ``A``.
    """
    check_same_dtype(A, B)
    _triangular_rule(A.shape, B.shape, rightside=rightside)
    triangle = _triangle(xp, A, transpose, lower)
    return _times(xp.matmul(B, triangle) if rightside else xp.matmul(triangle, B), alpha)


trmm.precision = "single"
trmm.infer_shape(_triangular_rule)
trmm.infer_type(rules.same_type)


@trmm.gradient
def _(F, dy, y, A, B, *, transpose, rightside, lower, alpha):
    db = F._linalg_trmm(A, dy, transpose=not transpose, rightside=rightside, lower=lower, alpha=alpha)
    if rightside:
        first, second = (dy, B) if transpose else (B, dy)
        da = F._linalg_gemm2(first, second, transpose_a=True, alpha=alpha)
    else:
        first, second = (B, dy) if transpose else (dy, B)
        da = F._linalg_gemm2(first, second, transpose_b=True, alpha=alpha)
    return [F._triangular_part(da, lower=lower), db]


def solve(xp: Any, A: Any, B: Any) -> Any:
    """Return ``A⁻¹ · B``.

    Raises
    ------
    MXNetError
        If a matrix is singular.
    """
    with linear_algebra_error("the input matrix is singular"):
        return xp.linalg.solve(A, B)


@operator("_linalg_trsm", "linalg_trsm", threaded=True)
def trsm(
    xp,
    A: Array,
    B: Array,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
):
    """Return the solution of equations with a triangular matrix, ``alpha · op(A)⁻¹ · B`` or ``alpha · B · op(A)⁻¹``.

    ``op(A)`` is ``A``, or with ``transpose``, the transpose of ``A``.
    """
    check_same_dtype(A, B)
    check_float(A)
    _triangular_rule(A.shape, B.shape, rightside=rightside)
    if rightside:  # X · T = B is Tᵀ · Xᵀ = Bᵀ
        solution = _swapped(solve(xp, _triangle(xp, A, not transpose, lower), _swapped(B))).copy()
    else:
        solution = solve(xp, _triangle(xp, A, transpose, lower), B)
    return _times(solution, alpha)


trsm.precision = "single"
trsm.infer_shape(_triangular_rule)
trsm.infer_type(rules.same_type)


@trsm.gradient
def _(F, dy, y, A, B, *, transpose, rightside, lower, alpha):
    # W is the gradient of the right-hand side. The gradient of the matrix is minus W times the solution.
    W = F._linalg_trsm(A, dy, transpose=not transpose, rightside=rightside, lower=lower)
    if rightside:
        first, second = (W, y) if transpose else (y, W)
        da = F._linalg_gemm2(first, second, transpose_a=True, alpha=-1.0)
    else:
        first, second = (y, W) if transpose else (W, y)
        da = F._linalg_gemm2(first, second, transpose_b=True, alpha=-1.0)
    return [F._triangular_part(da, lower=lower), W * alpha]
