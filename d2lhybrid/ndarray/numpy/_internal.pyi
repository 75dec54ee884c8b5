# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy

from ._array import ndarray

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]
_Pairs: TypeAlias = Sequence[Sequence[int]]
_DType: TypeAlias = str | type | numpy.dtype[Any]

def abs(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Absolute value."""

def absolute(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Absolute value."""

def add(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Sum of two arrays, element by element."""

def add_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``x + scalar``."""

def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Numbers from ``start`` to ``stop`` (not included); there may be none."""

def arccos(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Inverse cosine, between 0 and π."""

def arccosh(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Inverse hyperbolic cosine."""

def arcsin(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Inverse sine, between -π/2 and π/2."""

def arcsinh(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Inverse hyperbolic sine."""

def arctan(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Inverse tangent, between -π/2 and π/2."""

def arctan2(x1: ndarray, x2: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Angle of the point (x2, x1), between -π and π."""

def arctan2_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Angle of the point (scalar, x)."""

def arctanh(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Inverse hyperbolic tangent."""

def argmax(
    data: ndarray,
    axis: int | None = None,
    keepdims: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Position of the greatest element along an axis, as int64."""

def argmin(
    data: ndarray,
    axis: int | None = None,
    keepdims: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Position of the smallest element along an axis, as int64."""

def argsort(
    data: ndarray,
    axis: int | None = -1,
    is_ascend: bool = True,
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Indices that put the elements in order along an axis."""

def around(
    x: ndarray, decimals: int = 0, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Round to so many decimals, halves to the even neighbour."""

def average(
    a: ndarray,
    weights: ndarray | None = None,
    axis: _Shape | None = None,
    returned: bool = False,
    weighted: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray | Any:
    """Weighted average over the given axes, and the sum of the weights."""

def backward_ediff1d(
    grad: ndarray,
    input1: ndarray,
    input2: ndarray | None = None,
    input3: ndarray | None = None,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray | Any:
    """Gradients of ``ediff1d`` with respect to the array and to what was put at its ends."""

def bernoulli(
    input1: ndarray | None = None,
    prob: float | None = ...,
    logit: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    is_logit: bool = ...,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw ones with the probability ``prob``, or with the log odds ``logit``, and zeros."""

def bincount(
    data: ndarray,
    weights: ndarray | None = None,
    minlength: int = 0,
    has_weights: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """How often each number 0, 1, 2 ... occurs, or the sum of the weights at its places."""

def bitwise_and(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Bitwise and of two arrays."""

def bitwise_and_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Bitwise and of an array and a number."""

def bitwise_not(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Bitwise complement of integers, logical not of booleans."""

def bitwise_or(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Bitwise or of two arrays."""

def bitwise_or_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Bitwise or of an array and a number."""

def bitwise_xor(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Bitwise exclusive or of two arrays."""

def bitwise_xor_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Bitwise exclusive or of an array and a number."""

def blackman(
    M: int | None = None,
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """The Blackman window: a sum of two cosines."""

def boolean_mask(
    data: ndarray, index: ndarray, axis: int = 0, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Rows of ``data`` at which ``index`` is not zero."""

def boolean_mask_assign_scalar(
    data: ndarray,
    mask: ndarray,
    value: float = 0.0,
    start_axis: int = 0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """A copy of ``data`` that holds a number wherever the mask is not zero."""

def boolean_mask_assign_tensor(
    data: ndarray,
    mask: ndarray,
    value: ndarray,
    start_axis: int = 0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """A copy of ``data`` that holds the elements of ``value`` wherever the mask is not zero."""

def broadcast_to(
    array: ndarray, shape: _Shape = (), out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Stretch sizes of 1, and add axes in front, until the array has the shape ``shape``; -2 there keeps a size."""

def cast(data: ndarray, dtype: _DType, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Convert to another dtype; a float becomes an integer by cutting off its fraction."""

def cbrt(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Cube root."""

def ceil(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Least integer that is not below x."""

def choice(
    input1: ndarray | None = None,
    input2: ndarray | None = None,
    a: int | None = ...,
    size: _Shape | None = ...,
    ctx: str = "cpu",
    replace: bool = True,
    weighted: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw positions in a population."""

def cholesky(A: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Cholesky factor: the lower triangular ``L`` with ``A = L · Lᵀ``."""

def clip(
    data: ndarray, a_min: float, a_max: float, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Clamp values to the interval from ``a_min`` to ``a_max``."""

def column_stack(*data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Join arrays along the second axis; one-dimensional arrays become columns."""

def concatenate(
    *data: ndarray,
    axis: int | None = 0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Join arrays along an existing axis, or flatten and join them if ``axis`` is None."""

def copysign(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """The first array with the signs of the second."""

def copysign_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """x with the sign of a number."""

def copyto(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Copy of an array, to be written elsewhere."""

def cos(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Cosine."""

def cosh(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Hyperbolic cosine."""

def cvimresize(
    src: ndarray, w: int, h: int, interp: int = 1, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Resize an image to ``w`` times ``h`` pixels; what ``mx.image.imresize`` calls."""

def degrees(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Radians to degrees."""

def delete(
    arr: ndarray,
    obj: ndarray | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Remove positions along an axis: one, a slice, or those that the array ``obj`` names."""

def det(A: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Determinant of each matrix."""

def diag_indices_from(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Indices of the main diagonal of an array with equal sizes, one row for each axis."""

def diff(
    a: ndarray, n: int = 1, axis: int = -1, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Differences of neighbours along an axis, taken ``n`` times."""

def dsplit(
    data: ndarray,
    indices: _Shape,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> Any:
    """Cut an array along its third axis."""

def dstack(
    *data: ndarray,
    dim: int = 1,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Join arrays along the third axis, after ``(n,)`` becomes ``(1, n, 1)``."""

def ediff1d(
    input1: ndarray,
    input2: ndarray | None = None,
    input3: ndarray | None = None,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Differences of neighbours in the flattened array, with something put before and after them."""

def eig(A: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> list[ndarray]:
    """Eigenvalues of a general matrix, which must be real, and eigenvectors as columns."""

def eigh(
    A: ndarray, UPLO: Literal["L", "U"] = "L", out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> list[ndarray]:
    """Eigenvalues of a symmetric matrix, in ascending order, and eigenvectors as columns."""

def eigvals(A: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Eigenvalues of a general matrix, which must be real."""

def eigvalsh(
    A: ndarray, UPLO: Literal["L", "U"] = "L", out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Eigenvalues of a symmetric matrix, in ascending order."""

def einsum(
    *data: ndarray,
    subscripts: str = "",
    optimize: int = 0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Sum of products over letters: ``"ij,jk->ik"`` multiplies matrices, ``"ii->i"`` takes a diagonal."""

def equal(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """True where x equals the other."""

def equal_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """True where x equals the number."""

def exp(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Exponential, e to the power x."""

def expand_dims(
    data: ndarray, axis: int, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Insert an axis of size 1 at position ``axis``."""

def expm1(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """``exp(x) - 1``, exact near 0."""

def exponential(
    input1: ndarray | None = None,
    scale: float | None = 1.0,
    size: _Shape | None = None,
    ctx: str = "cpu",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw exponentially distributed numbers with mean ``scale``."""

def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """A matrix with ones on the k-th diagonal; M columns, or as many as rows."""

def fix(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Integer part of x."""

def flip(
    data: ndarray, axis: _Shape | None, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Reverse the order of the elements along the axes ``axis``, or along all."""

def floor(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Greatest integer not above x."""

def full(
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType = "float32",
    value: float = ...,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """An array with ``value`` everywhere."""

def full_like(
    a: ndarray,
    fill_value: float,
    ctx: str = "",
    dtype: _DType | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """An array with the shape of another and ``fill_value`` everywhere."""

def gamma(
    input1: ndarray | None = None,
    input2: ndarray | None = None,
    shape: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw gamma distributed numbers."""

def gather_nd(
    data: ndarray, indices: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Elements or slices ``data[indices[0], indices[1], ...]``; negative indices count from the end."""

def greater(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """True where x is greater than the other."""

def greater_equal(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """True where x is greater than or equal to the other."""

def greater_equal_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """True where x is greater than or equal to the number."""

def greater_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """True where x is greater than the number."""

def gumbel(
    input1: ndarray | None = None,
    input2: ndarray | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw numbers with Gumbel's distribution, that of the greatest of many."""

def hamming(
    M: int | None = None,
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """The Hamming window: a raised cosine that does not reach 0."""

def hanning(
    M: int | None = None,
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """The Hann window: one period of a raised cosine."""

def histogram(
    data: ndarray,
    bins: ndarray | None = None,
    bin_cnt: int | None = None,
    range: _Floats | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> list[ndarray]:
    """How many elements lie in each bin, and the edges of the bins."""

def hsplit(
    data: ndarray,
    indices: _Shape,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> Any:
    """Cut an array along its second axis, or along the only one."""

def hstack(
    *data: ndarray,
    dim: int = 1,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Put arrays side by side: join along the second axis, or along the only one."""

def hypot(x1: ndarray, x2: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Hypotenuse ``√(x1² + x2²)`` of a right triangle."""

def hypot_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Hypotenuse ``√(x² + scalar²)``."""

def identity(
    shape: _Shape = (),
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """The unit matrix of the shape ``(n, n)``."""

def indices(
    dimensions: _Shape,
    dtype: _DType = "int32",
    ctx: str = "",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Indices of a grid: element i of the result holds each place's i-th index."""

def insert_scalar(
    arr: ndarray,
    values: ndarray | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Insert ``values`` (or the number ``val``) in front of the position ``int_ind``."""

def insert_slice(
    arr: ndarray,
    values: ndarray | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Insert ``values`` (or the number ``val``) in front of the positions of a slice."""

def insert_tensor(
    arr: ndarray,
    values: ndarray | None = None,
    obj: ndarray | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Insert ``values`` (or the number ``val``) in front of the positions in the array ``obj``."""

def inv(A: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Inverse of each matrix."""

def isfinite(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """True where x is a finite number."""

def isinf(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """True where x is infinite."""

def isnan(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """True where x is not a number."""

def isneginf(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """True where x is negative infinity."""

def isposinf(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """True where x is positive infinity."""

def lcm(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Least common multiple of the integers in two arrays."""

def lcm_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Least common multiple of the integers in an array and a number."""

def ldexp(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """``x1 · 2^x2``."""

def ldexp_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``x · 2^scalar``."""

def less(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """True where x is less than the other."""

def less_equal(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """True where x is less than or equal to the other."""

def less_equal_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """True where x is less than or equal to the number."""

def less_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """True where x is less than the number."""

def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``num`` numbers from ``start`` to ``stop`` at equal distances."""

def log(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Natural logarithm."""

def log10(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Logarithm to base 10."""

def log1p(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """``log(1 + x)``, exact near 0."""

def log2(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Logarithm to base 2."""

def logical_not(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """True where x is 0."""

def logistic(
    input1: ndarray | None = None,
    input2: ndarray | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw numbers with the logistic distribution."""

def logspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    base: float = 10.0,
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``num`` powers of ``base``, the exponents at equal distances from ``start`` to ``stop``."""

def matmul(a: ndarray, b: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Matrix product over the last two axes; the axes before them broadcast, vectors are promoted."""

def maximum(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """The larger of two numbers, element by element."""

def maximum_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """The larger of x and a number."""

def mean(
    a: ndarray,
    axis: _Shape | None = None,
    dtype: _DType | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Mean of the elements over the given axes; a float32 for integers."""

def minimum(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """The smaller of two numbers, element by element."""

def minimum_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """The smaller of x and a number."""

def mod(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Remainder of a division, with the sign of the divisor; 0 where the divisor is 0."""

def mod_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``x % scalar``, with the sign of the divisor; 0 where the divisor is 0."""

def multinomial(
    a: ndarray | None = None,
    n: int = ...,
    pvals: _Floats | None = None,
    size: _Shape | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Throw ``n`` balls into bins with the probabilities ``a`` (or ``pvals``); count each bin's."""

def multiply(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Product of two arrays, element by element."""

def multiply_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``x * scalar``."""

def nan_to_num(
    data: ndarray,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Replace nan and infinities by numbers, by default 0 and the largest finite ones."""

def negative(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """``-x``."""

def nonzero(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Indices of the elements that are not zero, one row for each, as int64."""

def norm(
    data: ndarray,
    ord: float = 2.0,
    axis: _Shape | None = None,
    keepdims: bool = False,
    flag: int = -1,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Vector norm (``flag`` -2, -1) or matrix norm (0: ``ord``, 1: Frobenius, 2: nuclear)."""

def normal(
    input1: ndarray | None = None,
    input2: ndarray | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw normally distributed numbers."""

def normal_n(
    input1: ndarray | None = None,
    input2: ndarray | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw ``size`` normally distributed numbers for each pair of parameters."""

def not_equal(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """True where x differs from the other."""

def not_equal_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """True where x differs from the number."""

def ones(
    shape: _Shape = (),
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """An array of ones; sizes may be 0 and the shape may be ()."""

def pad(
    data: ndarray,
    pad_width: _Pairs,
    mode: Literal["constant", "edge", "maximum", "minimum", "reflect", "symmetric"] = "constant",
    constant_value: float = 0.0,
    reflect_type: str = "even",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Extend an array along its axes."""

def pareto(
    input1: ndarray | None = None,
    a: float | None = None,
    size: _Shape | None = None,
    ctx: str = "cpu",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw numbers with the Pareto II (Lomax) distribution."""

def percentile(
    a: ndarray,
    q: ndarray | None = None,
    axis: _Shape | None = None,
    interpolation: Literal["higher", "linear", "lower", "midpoint", "nearest"] = "linear",
    keepdims: bool = False,
    q_scalar: float | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Percentiles along the given axes: ``q_scalar``, or each of ``q``, in per cent."""

def pinv(
    A: ndarray,
    rcond: ndarray,
    hermitian: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Moore-Penrose pseudo-inverse; singular values below ``rcond`` times the greatest count as 0."""

def pinv_scalar_rcond(
    A: ndarray,
    rcond: float = 1e-15,
    hermitian: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Moore-Penrose pseudo-inverse; singular values below ``rcond`` times the greatest count as 0."""

def polyval(p: ndarray, x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Value of the polynomial with coefficients ``p``, highest power first, at every ``x``."""

def power(lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """The first array to the power of the second, element by element."""

def power_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``x ** scalar``."""

def powerd(
    input1: ndarray | None = None,
    a: float | None = None,
    size: _Shape | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw numbers between 0 and 1 with the density ``a * x**(a - 1)``."""

def radians(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Degrees to radians."""

def random_randint(
    low: int,
    high: int,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw integers from ``low`` (included) to ``high`` (not included), all equally likely."""

def rarctan2_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Angle of the point (x, scalar)."""

def rayleigh(
    input1: ndarray | None = None,
    scale: float | None = 1.0,
    size: _Shape | None = None,
    ctx: str = "cpu",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw numbers with Rayleigh's distribution, that of the length of a normal vector in the plane."""

def rcopysign_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """A number with the signs of x."""

def reciprocal(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """``1 / x``."""

def reshape(
    a: ndarray,
    newshape: _Shape,
    reverse: bool = False,
    order: str = "C",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Give an array a new shape, with codes for copying, merging and splitting sizes."""

def resize(
    a: ndarray, new_shape: _Shape, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Give an array another shape, with its elements in their order, again and again."""

def rint(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Nearest integer, halves down: ``rint(0.5)`` is 0 and ``rint(-0.5)`` is -1."""

def rldexp_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``scalar · 2^x``."""

def rmod_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``scalar % x``, with the sign of the divisor; 0 where the divisor is 0."""

def rnn_param_concat(
    *data: ndarray,
    dim: int = 1,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Join arrays along an axis: how a recurrent layer makes its vector of parameters."""

def rot90(
    data: ndarray,
    k: int = 1,
    axes: _Shape | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Rotate by ``k`` quarter turns in the plane of two axes, the first two by default."""

def rpower_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``scalar ** x``."""

def rsubtract_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``scalar - x``."""

def rtrue_divide_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``scalar / x``; of integers in float32."""

def scatter_set_nd(
    lhs: ndarray,
    rhs: ndarray,
    indices: ndarray,
    shape: _Shape,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """A copy of ``lhs`` with ``rhs`` put at ``[indices[0], indices[1], ...]``."""

def share_memory(
    a: ndarray, b: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Whether two arrays may share memory, as a boolean array of shape ()."""

def shuffle(data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Put the elements of the first axis into random order."""

def sign(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Sign: -1, 0 or 1."""

def sin(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Sine."""

def sinh(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Hyperbolic sine."""

def slice(
    data: ndarray,
    begin: _Shape,
    end: _Shape,
    step: _Shape | None = (),
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Take a part of an array, as ``data[begin[0]:end[0]:step[0], ...]`` does."""

def slice_assign(
    lhs: ndarray,
    rhs: ndarray,
    begin: _Shape,
    end: _Shape,
    step: _Shape = (),
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """A copy of ``lhs`` whose slice ``begin:end:step`` holds ``rhs``."""

def slice_assign_scalar(
    data: ndarray,
    scalar: float = 0.0,
    begin: _Shape = ...,
    end: _Shape = ...,
    step: _Shape = (),
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """A copy of ``data`` whose slice ``begin:end:step`` holds a number."""

def slogdet(A: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> list[ndarray]:
    """Sign of the determinant, and the logarithm of its modulus."""

def solve(A: ndarray, B: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Solution ``X`` of ``A · X = B``, for a vector or for a matrix ``B``."""

def sort(
    data: ndarray,
    axis: int | None = -1,
    is_ascend: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Elements in order along an axis, or of the flattened array."""

def split(
    data: ndarray,
    indices: _Shape,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> Any:
    """Cut an array at given positions, or into nearly equal pieces."""

def sqrt(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Square root."""

def square(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """``x²``."""

def stack(
    *data: ndarray,
    axis: int = 0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Join arrays of equal shape along a new axis."""

def std(
    a: ndarray,
    axis: _Shape | None = None,
    dtype: _DType | None = None,
    ddof: int = 0,
    keepdims: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Standard deviation over the given axes, with the divisor ``n - ddof``."""

def subtract(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Difference of two arrays, element by element."""

def subtract_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``x - scalar``."""

def svd(A: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> list[ndarray]:
    """Singular value decomposition ``A = U · diag(L) · V``, for no more rows than columns."""

def swapaxes(
    data: ndarray, dim1: int = 0, dim2: int = 0, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Exchange two axes."""

def take(
    a: ndarray,
    indices: ndarray,
    axis: int = 0,
    mode: Literal["clip", "raise", "wrap"] = "clip",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Slices of ``a`` along an axis, in the order of the indices."""

def tan(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Tangent."""

def tanh(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Hyperbolic tangent."""

def tensordot(
    a: ndarray,
    b: ndarray,
    a_axes_summed: _Shape,
    b_axes_summed: _Shape,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Sum the products over pairs of axes of two tensors."""

def tensordot_int_axes(
    a: ndarray, b: ndarray, axes: int, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Sum the products over the last ``axes`` axes of ``a`` and the first ones of ``b``."""

def tensorinv(a: ndarray, ind: int = 2, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Inverse of a tensor seen as a matrix, its first ``ind`` axes as rows and the rest as columns."""

def tensorsolve(
    a: ndarray, b: ndarray, a_axes: _Shape = (), out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Solution ``x`` of ``tensordot(a, x, x.ndim) = b``, after ``a_axes`` have been moved to the end."""

def tile(data: ndarray, reps: _Shape, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Repeat the whole array ``reps[i]`` times along axis i; not 0 times, but with NumPy's shapes."""

def tril(data: ndarray, k: int = 0, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Keep the elements on and below the k-th diagonal; the others become 0."""

def true_divide(
    lhs: ndarray, rhs: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """Quotient of two arrays, element by element; of integers in float32."""

def true_divide_scalar(
    data: ndarray,
    scalar: float = 1.0,
    is_int: bool = True,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """``x / scalar``; of integers in float32."""

def trunc(x: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Integer part of x."""

def uniform(
    input1: ndarray | None = None,
    input2: ndarray | None = None,
    low: float | None = ...,
    high: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw numbers between ``low`` (included) and ``high``."""

def uniform_n(
    input1: ndarray | None = None,
    input2: ndarray | None = None,
    low: float | None = ...,
    high: float | None = ...,
    size: _Shape | None = None,
    ctx: str = "cpu",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw ``size`` numbers between ``low`` and ``high`` for each pair of parameters."""

def unique(
    data: ndarray,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray | Any:
    """The different elements in order, and on demand where they are, what became of each, how many."""

def var(
    a: ndarray,
    axis: _Shape | None = None,
    dtype: _DType | None = None,
    ddof: int = 0,
    keepdims: bool = False,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Variance over the given axes, divided by ``n - ddof``."""

def vstack(*data: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Put arrays on top of each other: join along the first axis, after ``(n,)`` becomes ``(1, n)``."""

def weibull(
    input1: ndarray | None = None,
    a: float | None = None,
    size: _Shape | None = None,
    ctx: str = "cpu",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Draw numbers with Weibull's distribution."""

def where(
    condition: ndarray, x: ndarray, y: ndarray, out: ndarray | list[ndarray] | None = None, name: str | None = None
) -> ndarray:
    """``x`` where the condition is not zero, else ``y``; all three broadcast."""

def where_lscalar(
    condition: ndarray,
    x: ndarray,
    scalar: float = 0.0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """The number where the condition is not zero, else the array."""

def where_rscalar(
    condition: ndarray,
    y: ndarray,
    scalar: float = 0.0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """The array where the condition is not zero, else the number."""

def where_scalar2(
    condition: ndarray,
    x: float = 0.0,
    y: float = 0.0,
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """One number where the condition is not zero, else another, as float32."""

def zeros(
    shape: _Shape = (),
    ctx: str = "",
    dtype: _DType = "float32",
    out: ndarray | list[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """An array of zeros; sizes may be 0 and the shape may be ()."""
