# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from typing import Any

from ._symbol import _Symbol

def cholesky(a: Any) -> _Symbol:
    """Return the lower triangular L with ``a = L @ L.T``."""

def det(a: Any) -> _Symbol:
    """Return the determinant."""

def eig(a: Any) -> tuple[_Symbol, ...] | list[_Symbol]:
    """Return the eigenvalues and the eigenvectors (as columns); real ones only."""

def eigh(a: Any, UPLO: str = "L") -> tuple[_Symbol, ...] | list[_Symbol]:
    """Return eigenvalues and eigenvectors of a symmetric matrix, of which one triangle is read."""

def eigvals(a: Any) -> _Symbol:
    """Return the eigenvalues; real ones only."""

def eigvalsh(a: Any, UPLO: str = "L") -> _Symbol:
    """Return the eigenvalues of a symmetric matrix, of which one triangle is read."""

def inv(a: Any) -> _Symbol:
    """Return the inverse matrix."""

def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> _Symbol:
    """Return the norm of vectors or matrices."""

def pinv(a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> _Symbol:
    """Return the pseudo-inverse; singular values below ``rcond`` times the largest count as zero."""

def slogdet(a: Any) -> tuple[_Symbol, ...] | list[_Symbol]:
    """Return the sign of the determinant and the logarithm of its absolute value."""

def solve(a: Any, b: Any) -> _Symbol:
    """Return x with ``a @ x = b``."""

def svd(a: Any) -> tuple[_Symbol, ...] | list[_Symbol]:
    """Return (ut, singular values, v) with ``a = ut @ diag(s) @ v``."""

def tensorinv(a: Any, ind: int = 2) -> _Symbol:
    """Return the inverse of an array under tensordot over its first ``ind`` axes."""

def tensorsolve(a: Any, b: Any, axes: Any = None) -> _Symbol:
    """Return x with ``tensordot(a, x, x.ndim) = b``."""
