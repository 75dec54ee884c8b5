"""The functions of ``np.linalg``."""

from __future__ import annotations

from typing import Any

from . import registered
from .elementwise import FUNCTIONS, is_number
from .space import Array, Space

__all__ = [
    "cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "norm", "pinv", "slogdet", "solve", "svd",
    "tensorinv", "tensorsolve",
]  # fmt: skip

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "a": "A matrix or a stack of matrices.",
    "solve.b": "The right-hand side: a vector, or several vectors as columns.",
    "rcond": "The threshold, relative to the largest singular value, below which singular values count as zero.",
    "hermitian": "Not supported; a parameter of NumPy.",
    "UPLO": "The triangle to read: ``L`` for the lower or ``U`` for the upper triangle.",
    "tensorinv.a": "The array to invert.",
    "ind": "The number of leading axes that form the rows, if the array is seen as a matrix.",
    "tensorsolve.a": "The array of the coefficients.",
    "tensorsolve.b": "The right-hand side.",
    "axes": "The axes of ``a`` that are moved to the end before solving.",
}

# The values of the norm operator's attribute ``flag``, which tell its arguments apart.
_VECTOR_OF_ALL, _BY_ORDER, _SPECTRAL, _FROBENIUS, _NUCLEAR = -2, -1, 0, 1, 2


def norm(F: Space, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the norm of vectors or matrices.

    Parameters
    ----------
    F : Space
        The function space.
    x : array
        The vectors or matrices.
    ord : number, inf, -inf, "fro" or "nuc", optional
        The order of the norm; by default, the Euclidean (Frobenius) norm.
    axis : int or pair of int, optional
        The axis of vectors or the two axes of matrices.
    keepdims : bool
        Whether the reduced axes remain with size 1.

    Raises
    ------
    ValueError
        If the norm isn't defined for this number of axes.
    """
    if ord is None and axis is None:
        return F.call("_npi_norm", x, ord=2, axis=None, keepdims=keepdims, flag=_VECTOR_OF_ALL)
    if isinstance(axis, int):
        axis = (axis,)
    if axis is not None and len(axis) > 2:
        raise ValueError("Improper number of dimensions to norm.")
    if ord in ("inf", "-inf") and axis is not None and len(axis) == 2:
        ord = float(ord)  # the extremum of the sums remains to be computed
    if ord in ("inf", "-inf"):
        extreme = registered.max if ord == "inf" else registered.min
        return extreme(F, FUNCTIONS["abs"](F, x), axis, keepdims)
    if ord is None or ord == "fro":
        return F.call("_npi_norm", x, ord=2, axis=axis, keepdims=keepdims, flag=_FROBENIUS)
    if ord == "nuc":
        return F.call("_npi_norm", x, ord=2, axis=axis, keepdims=keepdims, flag=_NUCLEAR)
    if axis is not None and len(axis) == 2:
        if ord in (1, -1):
            return _by_columns(F, x, ord, axis, keepdims)
        if ord in (2, -2):
            return F.call("_npi_norm", x, ord=ord, axis=axis, keepdims=keepdims, flag=_SPECTRAL)
    return F.call("_npi_norm", x, ord=ord, axis=axis, keepdims=keepdims, flag=_BY_ORDER)


def _by_columns(F: Space, x: Any, ord: int, axis: Any, keepdims: bool) -> Array:
    """Return the largest (`ord` is 1) or smallest (-1) sum of the absolute values of a column."""
    row, column = axis
    if not keepdims and 0 <= row < column:
        column -= 1
    sums = registered.sum(F, FUNCTIONS["abs"](F, x), row, None, keepdims)
    return (registered.max if ord == 1 else registered.min)(F, sums, column, keepdims)


def svd(F: Space, a: Any) -> tuple[Array, ...] | list[Array]:
    """Return the singular value decomposition ``(ut, s, v)`` with ``a = ut @ diag(s) @ v``."""
    result = F.call("_npi_svd", a)
    return tuple(result) if F.eager else list(result)


def cholesky(F: Space, a: Any) -> Array:
    """Return the Cholesky factor: the lower triangular matrix L with ``a = L @ L.T``."""
    return F.call("_npi_cholesky", a)


def det(F: Space, a: Any) -> Array:
    """Return the determinant of a matrix."""
    return F.call("_npi_det", a)


def slogdet(F: Space, a: Any) -> list[Array]:
    """Return the sign of a matrix's determinant and the logarithm of the determinant's absolute value."""
    return list(F.call("_npi_slogdet", a))


def inv(F: Space, a: Any) -> Array:
    """Return the inverse of a matrix."""
    return F.call("_npi_inv", a)


def pinv(F: Space, a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> Array:
    """Return the pseudo-inverse; singular values below ``rcond`` times the largest singular value count as zero.

    Raises
    ------
    NotImplementedError
        If ``hermitian`` is true.
    """
    if hermitian:
        raise NotImplementedError("hermitian is not supported yet...")
    if is_number(rcond):
        return F.call("_npi_pinv_scalar_rcond", a, rcond=rcond, hermitian=hermitian)
    return F.call("_npi_pinv", a, rcond, hermitian=hermitian)


def solve(F: Space, a: Any, b: Any) -> Array:
    """Return the solution x of ``a @ x = b``."""
    return F.call("_npi_solve", a, b)


def tensorinv(F: Space, a: Any, ind: int = 2) -> Array:
    """Return the inverse of an array with respect to ``tensordot`` over the array's first ``ind`` axes."""
    return F.call("_npi_tensorinv", a, ind=ind)


def tensorsolve(F: Space, a: Any, b: Any, axes: Any = None) -> Array:
    """Return the solution x of ``tensordot(a, x, x.ndim) = b``."""
    return F.call("_npi_tensorsolve", a, b, a_axes=() if axes is None else axes)


def eig(F: Space, a: Any) -> tuple[Array, ...] | list[Array]:
    """Return the eigenvalues, and the eigenvectors as columns, of a matrix whose eigenvalues are real."""
    result = F.call("_npi_eig", a)
    return tuple(result) if F.eager else list(result)


def eigh(F: Space, a: Any, UPLO: str = "L") -> tuple[Array, ...] | list[Array]:  # noqa: N803  NumPy's name
    """Return the eigenvalues and eigenvectors of a symmetric matrix, computed from its triangle ``UPLO``."""
    result = F.call("_npi_eigh", a, UPLO=UPLO)
    return tuple(result) if F.eager else list(result)


def eigvals(F: Space, a: Any) -> Array:
    """Return the eigenvalues of a matrix whose eigenvalues are real."""
    return F.call("_npi_eigvals", a)


def eigvalsh(F: Space, a: Any, UPLO: str = "L") -> Array:  # noqa: N803  NumPy's name
    """Return the eigenvalues of a symmetric matrix, computed from its triangle ``UPLO``."""
    return F.call("_npi_eigvalsh", a, UPLO=UPLO)
