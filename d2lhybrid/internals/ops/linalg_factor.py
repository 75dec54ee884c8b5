"""Legacy ``linalg``: decompositions of stacks of matrices, inverses, and determinants.

The gradients follow from the matrix identities in the comments. In these identities, dX is the gradient of the loss
with respect to X, tril is the lower triangle, and mirror(M) is the symmetric matrix with the lower triangle of M.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..core.operator import Array, get_operator, operator
from . import rules
from .linalg import check_float, check_square, largest_positive, linear_algebra_error, square_rule
from .not_differentiable import not_differentiable

FAMILY = "linear"
MEANINGS = {
    "A": "A matrix or a stack of matrices.",
    "lower": "Whether the triangle is the lower triangle.",
}

_SQUARE = "Input A's last two dimension must be equal"


def _swapped(x: Any) -> Any:
    return x.swapaxes(-1, -2)


def _mirror(F: Any, M: Any) -> Any:
    """Return the symmetric matrix with the lower triangle of ``M``, computed with operators."""
    return F._triangular_part(M, lower=True) + F._matrix_transpose(F._triangular_part(M, lower=True, offset=-1))


# --- Cholesky -----------------------------------------------------------------------------------


def _cholesky(xp, A):
    check_float(A)
    check_square(A.shape, "No square matrix as input to potrf.", "A.size(0) == A.size(1)")
    letter = "s" if A.dtype == numpy.float32 else "d"
    with linear_algebra_error(
        f"{letter}potrf failed in lapack on cpu. This may happen when the input matrix is either not "
        "symmetric or not positive definite."
    ):
        return xp.linalg.cholesky(A)


def _cholesky_gradient(F, dy, y, A):
    # With A = L Lᵀ: dA = ½ L⁻ᵀ mirror(Lᵀ tril(dL)) L⁻¹.
    M = _mirror(F, F._linalg_gemm2(y, F._triangular_part(dy, lower=True), transpose_a=True))
    return [F._linalg_trsm(y, F._linalg_trsm(y, M, rightside=True), transpose=True) * 0.5]


@operator("_linalg_potrf", "linalg_potrf", threaded=True)
def potrf(xp, A: Array, lower: bool = True):
    """Return the Cholesky factor: the lower triangular ``L`` with ``A = L · Lᵀ``, or the upper triangular ``Lᵀ``."""
    L = _cholesky(xp, A)
    return L if lower else _swapped(L).copy()


potrf.precision = "single"
potrf.by_name = ("lower",)


@potrf.gradient
def _(F, dy, y, A, *, lower):
    if lower:
        return _cholesky_gradient(F, dy, y, A)
    return _cholesky_gradient(F, F._matrix_transpose(dy), F._matrix_transpose(y), A)


@operator("_npi_cholesky", threaded=True)
def cholesky(xp, A: Array):
    """Return the Cholesky factor, the lower triangular ``L`` with ``A = L · Lᵀ``."""
    return _cholesky(xp, A)


for _factor in (potrf, cholesky):
    _factor.infer_shape(square_rule(_SQUARE))
    _factor.infer_type(rules.same_type)
cholesky.gradient(_cholesky_gradient)
cholesky.takes_anything = False


@operator("_linalg_potri", "linalg_potri", threaded=True)
def potri(xp, A: Array, lower: bool = True):
    """Return the inverse of ``A · Aᵀ`` for a lower triangular ``A``, such as a Cholesky factor.

    For an upper triangular ``A``, the result is the inverse of ``Aᵀ · A``.
    """
    check_float(A)
    check_square(A.shape, "No square matrix as input to potri.", "A.size(0) == A.size(1)")
    letter = "s" if A.dtype == numpy.float32 else "d"
    with linear_algebra_error(
        f"{letter}potri failed in lapack on cpu. This may happen when the input matrix is not a Cholesky "
        "factorization obtained by a prior call of the potrf-operator."
    ):
        inverse = xp.linalg.inv(xp.tril(A if lower else _swapped(A)))
    return xp.matmul(_swapped(inverse), inverse)


potri.precision = "single"
potri.by_name = ("lower",)
potri.infer_shape(square_rule(_SQUARE))
potri.infer_type(rules.same_type)


@potri.gradient
def _(F, dy, y, A, *, lower):
    # With B = L⁻ᵀ L⁻¹: dL = -tril(B (dB + dBᵀ) L⁻ᵀ).
    product = F._linalg_gemm2(y, dy + F._matrix_transpose(dy), alpha=-1.0)
    L = A if lower else F._matrix_transpose(A)
    result = F._triangular_part(F._linalg_trsm(L, product, rightside=True, transpose=True), lower=True)
    return [result if lower else F._matrix_transpose(result)]


@operator("_linalg_sumlogdiag", "linalg_sumlogdiag")
def sumlogdiag(xp, A: Array):
    """Return the sum of the diagonal's logarithms; for the Cholesky factor of M, the sum is ``log(det(M)) / 2``."""
    check_square(A.shape, "sumlogdiag operator requires square matrices as input.", "A.size(1) == A.size(2)")
    result = xp.log(A.diagonal(0, -2, -1)).sum(axis=-1)
    return result if result.ndim else result.reshape(1)


sumlogdiag.precision = "single"
sumlogdiag.infer_shape(lambda A: ([A], [None if A is None else A[:-2] or (1,)]))
sumlogdiag.infer_type(rules.same_type)


@sumlogdiag.gradient
def _(F, dy, y, A):
    diagonal = F._linalg_extractdiag(A)
    return [F._linalg_makediag(F._backward_sum(dy, diagonal, axis=(-1,)) / diagonal)]


# --- inverse and determinant --------------------------------------------------------------------


@operator("_linalg_inverse", "linalg_inverse", "_npi_inv", threaded=True)
def inverse(xp, A: Array):
    """Return the inverse of each matrix."""
    check_float(A)
    check_square(A.shape, _SQUARE)
    with linear_algebra_error("the input matrix is non-convertible"):
        return xp.linalg.inv(A)


inverse.precision = "single"
inverse.infer_shape(square_rule(_SQUARE))
inverse.infer_type(rules.same_type)


@inverse.gradient
def _(F, dy, y, A):
    # With B = A⁻¹: dA = -Bᵀ dB Bᵀ.
    return [F._linalg_gemm2(F._linalg_gemm2(y, dy, transpose_a=True), y, transpose_b=True, alpha=-1.0)]


def _determinant_rule(scalar_shape: tuple[int, ...], outputs: int):
    def rule(A):
        check_square(A, _SQUARE)
        return [A], [None if A is None else A[:-2] or scalar_shape] * outputs

    return rule


def _times_inverse_transposed(F, scale, A):
    """Return ``scale · A⁻ᵀ`` with one scale for each matrix, which is the gradient of a determinant."""
    return F._backward_sum(scale, A, axis=(-2, -1)) * F._matrix_transpose(F._linalg_inverse(A))


def _determinant(names: tuple[str, ...], scalar_shape: tuple[int, ...]) -> None:
    def run(xp, A: Array):
        check_float(A)
        check_square(A.shape, _SQUARE)
        return xp.linalg.det(A).reshape(A.shape[:-2] or scalar_shape)

    run.__doc__ = "Return the determinant of each matrix."
    op = operator(*names, threaded=True)(run)
    op.hidden_in_mxnet = 2
    op.infer_shape(_determinant_rule(scalar_shape, 1))
    op.infer_type(rules.same_type)
    op.output_names(lambda: ["output0"])
    op.gradient(lambda F, dy, y, A: [_times_inverse_transposed(F, dy * y, A)])


def _log_determinant(names: tuple[str, ...], scalar_shape: tuple[int, ...]) -> None:
    def run(xp, A: Array):
        check_float(A)
        check_square(A.shape, _SQUARE)
        sign, logarithm = xp.linalg.slogdet(A)
        shape = A.shape[:-2] or scalar_shape
        return [sign.reshape(shape), logarithm.reshape(shape)]

    run.__doc__ = "Return the sign of each determinant, and the logarithm of its absolute value."
    op = operator(*names, outputs=2, threaded=True)(run)
    op.hidden_in_mxnet = 2
    op.infer_shape(_determinant_rule(scalar_shape, 2))
    op.infer_type(lambda A: ([A], [A, A]))
    op.gradient(lambda F, dy, y, A: [None if dy[1] is None else _times_inverse_transposed(F, dy[1], A)])


# The determinant of a single matrix has shape (1,) in legacy mode and () in NumPy mode.
_determinant(("_linalg_det", "linalg_det"), (1,))
_determinant(("_npi_det",), ())
_log_determinant(("_linalg_slogdet", "linalg_slogdet"), (1,))
_log_determinant(("_npi_slogdet",), ())

# --- eigenvalues --------------------------------------------------------------------------------


@operator("_linalg_syevd", "linalg_syevd", outputs=2, threaded=True)
def syevd(xp, A: Array):
    """Return eigenvectors as rows of ``U`` and eigenvalues ``L`` of a symmetric matrix, ``A = Uᵀ · diag(L) · U``."""
    check_float(A)
    check_square(A.shape, "Input A shape wrong: Last two dimensions must be equal", _SYEVD_CHECK)
    values, columns = xp.linalg.eigh(A)
    rows = _swapped(columns)
    return [rows * largest_positive(xp, rows, -1), values]


_SYEVD_CHECK = "in_a[ndim-2] == in_a[ndim-1]"


syevd.precision = "single"


@syevd.infer_shape
def _(A):
    check_square(A, "Input A shape wrong: Last two dimensions must be equal", _SYEVD_CHECK)
    return [A], [A, None if A is None else A[:-1]]


syevd.infer_type(lambda A: ([A], [A, A]))


@syevd.gradient
def _(F, dy, y, A):
    vectors, values = y
    du = F.zeros_like(vectors) if dy[0] is None else dy[0]
    dl = F.zeros_like(values) if dy[1] is None else dy[1]
    return [F._backward_linalg_syevd(du, dl, vectors, values)]


# There is no second derivative, because it would contain the third powers of differences of eigenvalues.
@operator("_backward_linalg_syevd", threaded=True)
def backward_syevd(xp, grad_vectors: Array, grad_values: Array, vectors: Array, values: Array):
    """Return the gradient of the eigendecomposition of a symmetric matrix."""
    # dA = Uᵀ (diag(dL) + sym(G ∘ (dU Uᵀ)ᵀ)) U with G[i, j] = 1 / (L[j] - L[i]), zeros on the diagonal.
    gaps = values[..., None, :] - values[..., :, None]
    equal = gaps == 0
    reciprocal = xp.where(equal, 0, 1 / xp.where(equal, 1, gaps)).astype(values.dtype, copy=False)
    inner = reciprocal * xp.matmul(vectors, _swapped(grad_vectors))
    inner = (inner + _swapped(inner)) / 2
    numbers = xp.arange(values.shape[-1])
    inner[..., numbers, numbers] += grad_values
    return xp.matmul(xp.matmul(_swapped(vectors), inner), vectors)


backward_syevd.infer_shape(lambda du, dl, U, L: ([du, dl, U, L], [U]))
backward_syevd.infer_type(rules.type_of_first)
not_differentiable(backward_syevd)

# --- LQ -----------------------------------------------------------------------------------------


@operator("_linalg_gelqf", "linalg_gelqf", outputs=2, threaded=True)
def gelqf(xp, A: Array):
    """Return the orthonormal rows ``Q`` and the lower triangular ``L`` with ``A = L · Q``."""
    check_float(A)
    _gelqf_rule(A.shape)
    orthonormal, triangle = xp.linalg.qr(_swapped(A))  # Aᵀ = Q R, hence A = Rᵀ Qᵀ
    return [_swapped(orthonormal).copy(), _swapped(triangle).copy()]


def _gelqf_rule(A):
    if A is None:
        return [None], [None, None]
    rules.require(len(A) >= 2, f"ndim >= 2 ({len(A)} vs. 2) : Input A's dimension must be >= 2")
    rows, columns = A[-2:]
    rules.require(
        None in (rows, columns) or rows <= columns,
        f"in_a[ndim-2] <= in_a[ndim-1] ({rows} vs. {columns}) : "
        "Input A shape wrong: Last dimension must be >= than second to last",
    )
    return [A], [A, (*A[:-1], rows)]


gelqf.precision = "single"
gelqf.infer_shape(_gelqf_rule)
gelqf.infer_type(lambda A: ([A], [A, A]))


@gelqf.gradient
def _(F, dy, y, A):
    # dA = L⁻ᵀ (dQ + mirror(M) Q) with M = Lᵀ dL - dQ Qᵀ.
    Q, L = y
    dq = F.zeros_like(Q) if dy[0] is None else dy[0]
    dl = F.zeros_like(L) if dy[1] is None else F._triangular_part(dy[1], lower=True)
    M = F._linalg_gemm2(L, dl, transpose_a=True) - F._linalg_gemm2(dq, Q, transpose_b=True)
    return [F._linalg_trsm(L, dq + F._linalg_gemm2(_mirror(F, M), Q), transpose=True)]


for _name in ("_linalg_det", "_linalg_slogdet"):
    get_operator(_name).precision = "single"
