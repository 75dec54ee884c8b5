# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from typing import Any

from .symbol import Symbol

def det(
    A: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Determinant of each matrix."""

def extractdiag(
    A: Symbol | None = None,
    offset: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The diagonal of each matrix, ``offset`` steps above the main one, as a vector."""

def extracttrian(
    A: Symbol | None = None,
    offset: int = 0,
    lower: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """One triangle of each matrix as a vector: the lower one row by row, the upper one column by column."""

def gelqf(
    A: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Orthonormal rows ``Q`` and the lower triangular ``L`` with ``A = L · Q``."""

def gemm(
    A: Symbol | None = None,
    B: Symbol | None = None,
    C: Symbol | None = None,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Matrix product and sum ``alpha · op(A) · op(B) + beta · C``."""

def gemm2(
    A: Symbol | None = None,
    B: Symbol | None = None,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Matrix product ``alpha · op(A) · op(B)``, where ``op`` may transpose."""

def inverse(
    A: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Inverse of each matrix."""

def makediag(
    A: Symbol | None = None,
    offset: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Square matrices with vectors on a diagonal, zeros elsewhere."""

def maketrian(
    A: Symbol | None = None,
    offset: int = 0,
    lower: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Square matrices with vectors as one triangle, zeros elsewhere: what ``extracttrian`` undoes."""

def potrf(
    A: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    *,
    lower: bool = True,
    **kwargs: Any,
) -> Symbol:
    """Cholesky factor: the lower triangular ``L`` with ``A = L · Lᵀ``, or the upper one, which is ``Lᵀ``."""

def potri(
    A: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    *,
    lower: bool = True,
    **kwargs: Any,
) -> Symbol:
    """Inverse of ``A · Aᵀ`` for a lower triangular ``A``: what a Cholesky factor is wanted for."""

def slogdet(
    A: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sign of the determinant, and the logarithm of its modulus."""

def sumlogdiag(
    A: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sum of the logarithms of the diagonal: half the log-determinant, from a Cholesky factor."""

def syevd(
    A: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Eigenvectors as rows of ``U`` and eigenvalues ``L`` of a symmetric matrix: ``A = Uᵀ · diag(L) · U``."""

def syrk(
    A: Symbol | None = None,
    transpose: bool = False,
    alpha: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Product of a matrix and its own transpose: ``alpha · A · Aᵀ``, or ``alpha · Aᵀ · A``."""

def trmm(
    A: Symbol | None = None,
    B: Symbol | None = None,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Product with a triangular matrix: ``alpha · op(A) · B``, on the right side ``alpha · B · op(A)``."""

def trsm(
    A: Symbol | None = None,
    B: Symbol | None = None,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Solve with a triangular matrix: ``alpha · op(A)⁻¹ · B``, on the right ``alpha · B · op(A)⁻¹``."""
