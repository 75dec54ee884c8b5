# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from .ndarray import NDArray

def det(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Determinant of each matrix."""

def extractdiag(
    A: NDArray, offset: int = 0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """The diagonal of each matrix, ``offset`` steps above the main one, as a vector."""

def extracttrian(
    A: NDArray, offset: int = 0, lower: bool = True, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """One triangle of each matrix as a vector: the lower one row by row, the upper one column by column."""

def gelqf(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Orthonormal rows ``Q`` and the lower triangular ``L`` with ``A = L · Q``."""

def gemm(
    A: NDArray,
    B: NDArray,
    C: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Matrix product and sum ``alpha · op(A) · op(B) + beta · C``."""

def gemm2(
    A: NDArray,
    B: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Matrix product ``alpha · op(A) · op(B)``, where ``op`` may transpose."""

def inverse(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Inverse of each matrix."""

def makediag(
    A: NDArray, offset: int = 0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Square matrices with vectors on a diagonal, zeros elsewhere."""

def maketrian(
    A: NDArray, offset: int = 0, lower: bool = True, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Square matrices with vectors as one triangle, zeros elsewhere: what ``extracttrian`` undoes."""

def potrf(
    A: NDArray,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
    *,
    lower: bool = True,
) -> NDArray:
    """Cholesky factor: the lower triangular ``L`` with ``A = L · Lᵀ``, or the upper one, which is ``Lᵀ``."""

def potri(
    A: NDArray,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
    *,
    lower: bool = True,
) -> NDArray:
    """Inverse of ``A · Aᵀ`` for a lower triangular ``A``: what a Cholesky factor is wanted for."""

def slogdet(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Sign of the determinant, and the logarithm of its modulus."""

def sumlogdiag(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Sum of the logarithms of the diagonal: half the log-determinant, from a Cholesky factor."""

def syevd(A: NDArray, out: NDArray | list[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Eigenvectors as rows of ``U`` and eigenvalues ``L`` of a symmetric matrix: ``A = Uᵀ · diag(L) · U``."""

def syrk(
    A: NDArray,
    transpose: bool = False,
    alpha: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Product of a matrix and its own transpose: ``alpha · A · Aᵀ``, or ``alpha · Aᵀ · A``."""

def trmm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Product with a triangular matrix: ``alpha · op(A) · B``, on the right side ``alpha · B · op(A)``."""

def trsm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Solve with a triangular matrix: ``alpha · op(A)⁻¹ · B``, on the right ``alpha · B · op(A)⁻¹``."""
