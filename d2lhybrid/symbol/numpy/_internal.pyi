# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy

from ._symbol import _Symbol

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]
_Pairs: TypeAlias = Sequence[Sequence[int]]
_DType: TypeAlias = str | type | numpy.dtype[Any]

def abs(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Absolute value."""

def absolute(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Absolute value."""

def add(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Sum of two arrays, element by element."""

def add_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x + scalar``."""

def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Numbers from ``start`` to ``stop`` (not included); there may be none."""

def arccos(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Inverse cosine, between 0 and π."""

def arccosh(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Inverse hyperbolic cosine."""

def arcsin(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Inverse sine, between -π/2 and π/2."""

def arcsinh(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Inverse hyperbolic sine."""

def arctan(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Inverse tangent, between -π/2 and π/2."""

def arctan2(
    x1: _Symbol | None = None,
    x2: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Angle of the point (x2, x1), between -π and π."""

def arctan2_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Angle of the point (scalar, x)."""

def arctanh(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Inverse hyperbolic tangent."""

def argmax(
    data: _Symbol | None = None,
    axis: int | None = None,
    keepdims: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Position of the greatest element along an axis, as int64."""

def argmin(
    data: _Symbol | None = None,
    axis: int | None = None,
    keepdims: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Position of the smallest element along an axis, as int64."""

def argsort(
    data: _Symbol | None = None,
    axis: int | None = -1,
    is_ascend: bool = True,
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Indices that put the elements in order along an axis."""

def around(
    x: _Symbol | None = None,
    decimals: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Round to so many decimals, halves to the even neighbour."""

def average(
    a: _Symbol | None = None,
    weights: _Symbol | None = None,
    axis: _Shape | None = None,
    returned: bool = False,
    weighted: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Weighted average over the given axes, and the sum of the weights."""

def backward_ediff1d(
    grad: _Symbol | None = None,
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    input3: _Symbol | None = None,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Gradients of ``ediff1d`` with respect to the array and to what was put at its ends."""

def bernoulli(
    input1: _Symbol | None = None,
    prob: float | None = ...,
    logit: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    is_logit: bool = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw ones with the probability ``prob``, or with the log odds ``logit``, and zeros."""

def bincount(
    data: _Symbol | None = None,
    weights: _Symbol | None = None,
    minlength: int = 0,
    has_weights: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """How often each number 0, 1, 2 ... occurs, or the sum of the weights at its places."""

def bitwise_and(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Bitwise and of two arrays."""

def bitwise_and_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Bitwise and of an array and a number."""

def bitwise_not(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Bitwise complement of integers, logical not of booleans."""

def bitwise_or(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Bitwise or of two arrays."""

def bitwise_or_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Bitwise or of an array and a number."""

def bitwise_xor(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Bitwise exclusive or of two arrays."""

def bitwise_xor_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Bitwise exclusive or of an array and a number."""

def blackman(
    M: int | None = None,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The Blackman window: a sum of two cosines."""

def boolean_mask(
    data: _Symbol | None = None,
    index: _Symbol | None = None,
    axis: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Rows of ``data`` at which ``index`` is not zero."""

def boolean_mask_assign_scalar(
    data: _Symbol | None = None,
    mask: _Symbol | None = None,
    value: float = 0.0,
    start_axis: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """A copy of ``data`` that holds a number wherever the mask is not zero."""

def boolean_mask_assign_tensor(
    data: _Symbol | None = None,
    mask: _Symbol | None = None,
    value: _Symbol | None = None,
    start_axis: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """A copy of ``data`` that holds the elements of ``value`` wherever the mask is not zero."""

def broadcast_to(
    array: _Symbol | None = None,
    shape: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Stretch sizes of 1, and add axes in front, until the array has the shape ``shape``; -2 there keeps a size."""

def cast(
    data: _Symbol | None = None,
    dtype: _DType = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Convert to another dtype; a float becomes an integer by cutting off its fraction."""

def cbrt(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Cube root."""

def ceil(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Least integer that is not below x."""

def choice(
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    a: int | None = ...,
    size: _Shape | None = ...,
    ctx: str = "cpu",
    replace: bool = True,
    weighted: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw positions in a population."""

def cholesky(
    A: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Cholesky factor: the lower triangular ``L`` with ``A = L · Lᵀ``."""

def clip(
    data: _Symbol | None = None,
    a_min: float = ...,
    a_max: float = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Clamp values to the interval from ``a_min`` to ``a_max``."""

def column_stack(
    *data: _Symbol,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Join arrays along the second axis; one-dimensional arrays become columns."""

def concatenate(
    *data: _Symbol,
    axis: int | None = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Join arrays along an existing axis, or flatten and join them if ``axis`` is None."""

def copysign(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The first array with the signs of the second."""

def copysign_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """x with the sign of a number."""

def copyto(
    data: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Copy of an array, to be written elsewhere."""

def cos(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Cosine."""

def cosh(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Hyperbolic cosine."""

def cvimresize(
    src: _Symbol | None = None,
    w: int = ...,
    h: int = ...,
    interp: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Resize an image to ``w`` times ``h`` pixels; what ``mx.image.imresize`` calls."""

def degrees(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Radians to degrees."""

def delete(
    arr: _Symbol | None = None,
    obj: _Symbol | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Remove positions along an axis: one, a slice, or those that the array ``obj`` names."""

def det(
    A: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Determinant of each matrix."""

def diag_indices_from(
    data: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Indices of the main diagonal of an array with equal sizes, one row for each axis."""

def diff(
    a: _Symbol | None = None,
    n: int = 1,
    axis: int = -1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Differences of neighbours along an axis, taken ``n`` times."""

def dsplit(
    data: _Symbol | None = None,
    indices: _Shape = ...,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Cut an array along its third axis."""

def dstack(
    *data: _Symbol,
    dim: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Join arrays along the third axis, after ``(n,)`` becomes ``(1, n, 1)``."""

def ediff1d(
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    input3: _Symbol | None = None,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Differences of neighbours in the flattened array, with something put before and after them."""

def eig(
    A: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Eigenvalues of a general matrix, which must be real, and eigenvectors as columns."""

def eigh(
    A: _Symbol | None = None,
    UPLO: Literal["L", "U"] = "L",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Eigenvalues of a symmetric matrix, in ascending order, and eigenvectors as columns."""

def eigvals(
    A: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Eigenvalues of a general matrix, which must be real."""

def eigvalsh(
    A: _Symbol | None = None,
    UPLO: Literal["L", "U"] = "L",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Eigenvalues of a symmetric matrix, in ascending order."""

def einsum(
    *data: _Symbol,
    subscripts: str = "",
    optimize: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Sum of products over letters: ``"ij,jk->ik"`` multiplies matrices, ``"ii->i"`` takes a diagonal."""

def equal(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x equals the other."""

def equal_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x equals the number."""

def exp(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Exponential, e to the power x."""

def expand_dims(
    data: _Symbol | None = None,
    axis: int = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Insert an axis of size 1 at position ``axis``."""

def expm1(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``exp(x) - 1``, exact near 0."""

def exponential(
    input1: _Symbol | None = None,
    scale: float | None = 1.0,
    size: _Shape | None = None,
    ctx: str = "cpu",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw exponentially distributed numbers with mean ``scale``."""

def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """A matrix with ones on the k-th diagonal; M columns, or as many as rows."""

def fix(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Integer part of x."""

def flip(
    data: _Symbol | None = None,
    axis: _Shape | None = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Reverse the order of the elements along the axes ``axis``, or along all."""

def floor(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Greatest integer not above x."""

def full(
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType = "float32",
    value: float = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """An array with ``value`` everywhere."""

def full_like(
    a: _Symbol | None = None,
    fill_value: float = ...,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """An array with the shape of another and ``fill_value`` everywhere."""

def gamma(
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    shape: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw gamma distributed numbers."""

def gather_nd(
    data: _Symbol | None = None,
    indices: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Elements or slices ``data[indices[0], indices[1], ...]``; negative indices count from the end."""

def greater(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is greater than the other."""

def greater_equal(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is greater than or equal to the other."""

def greater_equal_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is greater than or equal to the number."""

def greater_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is greater than the number."""

def gumbel(
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw numbers with Gumbel's distribution, that of the greatest of many."""

def hamming(
    M: int | None = None,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The Hamming window: a raised cosine that does not reach 0."""

def hanning(
    M: int | None = None,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The Hann window: one period of a raised cosine."""

def histogram(
    data: _Symbol | None = None,
    bins: _Symbol | None = None,
    bin_cnt: int | None = None,
    range: _Floats | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """How many elements lie in each bin, and the edges of the bins."""

def hsplit(
    data: _Symbol | None = None,
    indices: _Shape = ...,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Cut an array along its second axis, or along the only one."""

def hstack(
    *data: _Symbol,
    dim: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Put arrays side by side: join along the second axis, or along the only one."""

def hypot(
    x1: _Symbol | None = None,
    x2: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Hypotenuse ``√(x1² + x2²)`` of a right triangle."""

def hypot_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Hypotenuse ``√(x² + scalar²)``."""

def identity(
    shape: _Shape = (),
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The unit matrix of the shape ``(n, n)``."""

def indices(
    dimensions: _Shape,
    dtype: _DType = "int32",
    ctx: str = "",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Indices of a grid: element i of the result holds each place's i-th index."""

def insert_scalar(
    arr: _Symbol | None = None,
    values: _Symbol | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Insert ``values`` (or the number ``val``) in front of the position ``int_ind``."""

def insert_slice(
    arr: _Symbol | None = None,
    values: _Symbol | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Insert ``values`` (or the number ``val``) in front of the positions of a slice."""

def insert_tensor(
    arr: _Symbol | None = None,
    values: _Symbol | None = None,
    obj: _Symbol | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Insert ``values`` (or the number ``val``) in front of the positions in the array ``obj``."""

def inv(
    A: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Inverse of each matrix."""

def isfinite(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is a finite number."""

def isinf(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is infinite."""

def isnan(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is not a number."""

def isneginf(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is negative infinity."""

def isposinf(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is positive infinity."""

def lcm(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Least common multiple of the integers in two arrays."""

def lcm_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Least common multiple of the integers in an array and a number."""

def ldexp(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x1 · 2^x2``."""

def ldexp_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x · 2^scalar``."""

def less(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is less than the other."""

def less_equal(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is less than or equal to the other."""

def less_equal_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is less than or equal to the number."""

def less_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is less than the number."""

def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``num`` numbers from ``start`` to ``stop`` at equal distances."""

def log(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Natural logarithm."""

def log10(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Logarithm to base 10."""

def log1p(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``log(1 + x)``, exact near 0."""

def log2(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Logarithm to base 2."""

def logical_not(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x is 0."""

def logistic(
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw numbers with the logistic distribution."""

def logspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    base: float = 10.0,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``num`` powers of ``base``, the exponents at equal distances from ``start`` to ``stop``."""

def matmul(
    a: _Symbol | None = None,
    b: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Matrix product over the last two axes; the axes before them broadcast, vectors are promoted."""

def maximum(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The larger of two numbers, element by element."""

def maximum_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The larger of x and a number."""

def mean(
    a: _Symbol | None = None,
    axis: _Shape | None = None,
    dtype: _DType | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Mean of the elements over the given axes; a float32 for integers."""

def minimum(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The smaller of two numbers, element by element."""

def minimum_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The smaller of x and a number."""

def mod(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Remainder of a division, with the sign of the divisor; 0 where the divisor is 0."""

def mod_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x % scalar``, with the sign of the divisor; 0 where the divisor is 0."""

def multinomial(
    a: _Symbol | None = None,
    n: int = ...,
    pvals: _Floats | None = None,
    size: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Throw ``n`` balls into bins with the probabilities ``a`` (or ``pvals``); count each bin's."""

def multiply(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Product of two arrays, element by element."""

def multiply_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x * scalar``."""

def nan_to_num(
    data: _Symbol | None = None,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Replace nan and infinities by numbers, by default 0 and the largest finite ones."""

def negative(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``-x``."""

def nonzero(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Indices of the elements that are not zero, one row for each, as int64."""

def norm(
    data: _Symbol | None = None,
    ord: float = 2.0,
    axis: _Shape | None = None,
    keepdims: bool = False,
    flag: int = -1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Vector norm (``flag`` -2, -1) or matrix norm (0: ``ord``, 1: Frobenius, 2: nuclear)."""

def normal(
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw normally distributed numbers."""

def normal_n(
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw ``size`` normally distributed numbers for each pair of parameters."""

def not_equal(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x differs from the other."""

def not_equal_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """True where x differs from the number."""

def ones(
    shape: _Shape = (),
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """An array of ones; sizes may be 0 and the shape may be ()."""

def pad(
    data: _Symbol | None = None,
    pad_width: _Pairs = ...,
    mode: Literal["constant", "edge", "maximum", "minimum", "reflect", "symmetric"] = "constant",
    constant_value: float = 0.0,
    reflect_type: str = "even",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Extend an array along its axes."""

def pareto(
    input1: _Symbol | None = None,
    a: float | None = None,
    size: _Shape | None = None,
    ctx: str = "cpu",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw numbers with the Pareto II (Lomax) distribution."""

def percentile(
    a: _Symbol | None = None,
    q: _Symbol | None = None,
    axis: _Shape | None = None,
    interpolation: Literal["higher", "linear", "lower", "midpoint", "nearest"] = "linear",
    keepdims: bool = False,
    q_scalar: float | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Percentiles along the given axes: ``q_scalar``, or each of ``q``, in per cent."""

def pinv(
    A: _Symbol | None = None,
    rcond: _Symbol | None = None,
    hermitian: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Moore-Penrose pseudo-inverse; singular values below ``rcond`` times the greatest count as 0."""

def pinv_scalar_rcond(
    A: _Symbol | None = None,
    rcond: float = 1e-15,
    hermitian: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Moore-Penrose pseudo-inverse; singular values below ``rcond`` times the greatest count as 0."""

def polyval(
    p: _Symbol | None = None,
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Value of the polynomial with coefficients ``p``, highest power first, at every ``x``."""

def power(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The first array to the power of the second, element by element."""

def power_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x ** scalar``."""

def powerd(
    input1: _Symbol | None = None,
    a: float | None = None,
    size: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw numbers between 0 and 1 with the density ``a * x**(a - 1)``."""

def radians(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Degrees to radians."""

def random_randint(
    low: int,
    high: int,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw integers from ``low`` (included) to ``high`` (not included), all equally likely."""

def rarctan2_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Angle of the point (x, scalar)."""

def rayleigh(
    input1: _Symbol | None = None,
    scale: float | None = 1.0,
    size: _Shape | None = None,
    ctx: str = "cpu",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw numbers with Rayleigh's distribution, that of the length of a normal vector in the plane."""

def rcopysign_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """A number with the signs of x."""

def reciprocal(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``1 / x``."""

def reshape(
    a: _Symbol | None = None,
    newshape: _Shape = ...,
    reverse: bool = False,
    order: str = "C",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Give an array a new shape, with codes for copying, merging and splitting sizes."""

def resize(
    a: _Symbol | None = None,
    new_shape: _Shape = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Give an array another shape, with its elements in their order, again and again."""

def rint(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Nearest integer, halves down: ``rint(0.5)`` is 0 and ``rint(-0.5)`` is -1."""

def rldexp_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``scalar · 2^x``."""

def rmod_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``scalar % x``, with the sign of the divisor; 0 where the divisor is 0."""

def rnn_param_concat(
    *data: _Symbol,
    dim: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Join arrays along an axis: how a recurrent layer makes its vector of parameters."""

def rot90(
    data: _Symbol | None = None,
    k: int = 1,
    axes: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Rotate by ``k`` quarter turns in the plane of two axes, the first two by default."""

def rpower_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``scalar ** x``."""

def rsubtract_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``scalar - x``."""

def rtrue_divide_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``scalar / x``; of integers in float32."""

def scatter_set_nd(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    indices: _Symbol | None = None,
    shape: _Shape = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """A copy of ``lhs`` with ``rhs`` put at ``[indices[0], indices[1], ...]``."""

def share_memory(
    a: _Symbol | None = None,
    b: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Whether two arrays may share memory, as a boolean array of shape ()."""

def shuffle(
    data: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Put the elements of the first axis into random order."""

def sign(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Sign: -1, 0 or 1."""

def sin(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Sine."""

def sinh(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Hyperbolic sine."""

def slice(
    data: _Symbol | None = None,
    begin: _Shape = ...,
    end: _Shape = ...,
    step: _Shape | None = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

def slice_assign(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    begin: _Shape = ...,
    end: _Shape = ...,
    step: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """A copy of ``lhs`` whose slice ``begin:end:step`` holds ``rhs``."""

def slice_assign_scalar(
    data: _Symbol | None = None,
    scalar: float = 0.0,
    begin: _Shape = ...,
    end: _Shape = ...,
    step: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """A copy of ``data`` whose slice ``begin:end:step`` holds a number."""

def slogdet(
    A: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Sign of the determinant, and the logarithm of its modulus."""

def solve(
    A: _Symbol | None = None,
    B: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Solution ``X`` of ``A · X = B``, for a vector or for a matrix ``B``."""

def sort(
    data: _Symbol | None = None,
    axis: int | None = -1,
    is_ascend: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Elements in order along an axis, or of the flattened array."""

def split(
    data: _Symbol | None = None,
    indices: _Shape = ...,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Cut an array at given positions, or into nearly equal pieces."""

def sqrt(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Square root."""

def square(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x²``."""

def stack(
    *data: _Symbol,
    axis: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Join arrays of equal shape along a new axis."""

def std(
    a: _Symbol | None = None,
    axis: _Shape | None = None,
    dtype: _DType | None = None,
    ddof: int = 0,
    keepdims: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Standard deviation over the given axes, with the divisor ``n - ddof``."""

def subtract(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Difference of two arrays, element by element."""

def subtract_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x - scalar``."""

def svd(
    A: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Singular value decomposition ``A = U · diag(L) · V``, for no more rows than columns."""

def swapaxes(
    data: _Symbol | None = None,
    dim1: int = 0,
    dim2: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Exchange two axes."""

def take(
    a: _Symbol | None = None,
    indices: _Symbol | None = None,
    axis: int = 0,
    mode: Literal["clip", "raise", "wrap"] = "clip",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Slices of ``a`` along an axis, in the order of the indices."""

def tan(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Tangent."""

def tanh(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Hyperbolic tangent."""

def tensordot(
    a: _Symbol | None = None,
    b: _Symbol | None = None,
    a_axes_summed: _Shape = ...,
    b_axes_summed: _Shape = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Sum the products over pairs of axes of two tensors."""

def tensordot_int_axes(
    a: _Symbol | None = None,
    b: _Symbol | None = None,
    axes: int = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Sum the products over the last ``axes`` axes of ``a`` and the first ones of ``b``."""

def tensorinv(
    a: _Symbol | None = None,
    ind: int = 2,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Inverse of a tensor seen as a matrix, its first ``ind`` axes as rows and the rest as columns."""

def tensorsolve(
    a: _Symbol | None = None,
    b: _Symbol | None = None,
    a_axes: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Solution ``x`` of ``tensordot(a, x, x.ndim) = b``, after ``a_axes`` have been moved to the end."""

def tile(
    data: _Symbol | None = None,
    reps: _Shape = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Repeat the whole array ``reps[i]`` times along axis i; not 0 times, but with NumPy's shapes."""

def tril(
    data: _Symbol | None = None,
    k: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Keep the elements on and below the k-th diagonal; the others become 0."""

def true_divide(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Quotient of two arrays, element by element; of integers in float32."""

def true_divide_scalar(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x / scalar``; of integers in float32."""

def trunc(
    x: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Integer part of x."""

def uniform(
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    low: float | None = ...,
    high: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw numbers between ``low`` (included) and ``high``."""

def uniform_n(
    input1: _Symbol | None = None,
    input2: _Symbol | None = None,
    low: float | None = ...,
    high: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw ``size`` numbers between ``low`` and ``high`` for each pair of parameters."""

def unique(
    data: _Symbol | None = None,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The different elements in order, and on demand where they are, what became of each, how many."""

def var(
    a: _Symbol | None = None,
    axis: _Shape | None = None,
    dtype: _DType | None = None,
    ddof: int = 0,
    keepdims: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Variance over the given axes, divided by ``n - ddof``."""

def vstack(
    *data: _Symbol,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Put arrays on top of each other: join along the first axis, after ``(n,)`` becomes ``(1, n)``."""

def weibull(
    input1: _Symbol | None = None,
    a: float | None = None,
    size: _Shape | None = None,
    ctx: str = "cpu",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Draw numbers with Weibull's distribution."""

def where(
    condition: _Symbol | None = None,
    x: _Symbol | None = None,
    y: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """``x`` where the condition is not zero, else ``y``; all three broadcast."""

def where_lscalar(
    condition: _Symbol | None = None,
    x: _Symbol | None = None,
    scalar: float = 0.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The number where the condition is not zero, else the array."""

def where_rscalar(
    condition: _Symbol | None = None,
    y: _Symbol | None = None,
    scalar: float = 0.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """The array where the condition is not zero, else the number."""

def where_scalar2(
    condition: _Symbol | None = None,
    x: float = 0.0,
    y: float = 0.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """One number where the condition is not zero, else another, as float32."""

def zeros(
    shape: _Shape = (),
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """An array of zeros; sizes may be 0 and the shape may be ()."""
