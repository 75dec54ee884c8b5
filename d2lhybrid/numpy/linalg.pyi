# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from typing import Any

from ..ndarray.numpy._array import ndarray

def cholesky(a: Any) -> ndarray:
    """Return the lower triangular L with ``a = L @ L.T``."""

def cond(*args: Any, **kwargs: Any) -> Any:
    """Return the condition number: how much a solution moves with the right-hand side."""

def det(a: Any) -> ndarray:
    """Return the determinant."""

def eig(a: Any) -> tuple[ndarray, ...] | list[ndarray]:
    """Return the eigenvalues and the eigenvectors (as columns); real ones only."""

def eigh(a: Any, UPLO: str = "L") -> tuple[ndarray, ...] | list[ndarray]:
    """Return eigenvalues and eigenvectors of a symmetric matrix, of which one triangle is read."""

def eigvals(a: Any) -> ndarray:
    """Return the eigenvalues; real ones only."""

def eigvalsh(a: Any, UPLO: str = "L") -> ndarray:
    """Return the eigenvalues of a symmetric matrix, of which one triangle is read."""

def inv(a: Any) -> ndarray:
    """Return the inverse matrix."""

def lstsq(*args: Any, **kwargs: Any) -> Any:
    """Return the x for which ``a @ x`` is closest to b, the residuals, the rank and the singular values."""

def matrix_power(*args: Any, **kwargs: Any) -> Any:
    """Return a power of a square matrix."""

def matrix_rank(*args: Any, **kwargs: Any) -> Any:
    """Return the rank of matrices, by their singular values."""

def multi_dot(*args: Any, **kwargs: Any) -> Any:
    """Return the product of several matrices, computed in the cheapest order."""

def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> ndarray:
    """Return the norm of vectors or matrices."""

def pinv(a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> ndarray:
    """Return the pseudo-inverse; singular values below ``rcond`` times the largest count as zero."""

def qr(*args: Any, **kwargs: Any) -> Any:
    """Return an orthogonal matrix and an upper triangular one, whose product is the matrix."""

def slogdet(a: Any) -> tuple[ndarray, ...] | list[ndarray]:
    """Return the sign of the determinant and the logarithm of its absolute value."""

def solve(a: Any, b: Any) -> ndarray:
    """Return x with ``a @ x = b``."""

def svd(a: Any) -> tuple[ndarray, ...] | list[ndarray]:
    """Return (ut, singular values, v) with ``a = ut @ diag(s) @ v``."""

def tensorinv(a: Any, ind: int = 2) -> ndarray:
    """Return the inverse of an array under tensordot over its first ``ind`` axes."""

def tensorsolve(a: Any, b: Any, axes: Any = None) -> ndarray:
    """Return x with ``tensordot(a, x, x.ndim) = b``."""
