# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy

from . import _internal as _internal
from . import linalg as linalg
from . import random as random
from ._symbol import _Symbol as _Symbol

_Shape: TypeAlias = int | Sequence[int | None]
_DType: TypeAlias = str | type | numpy.dtype[Any]

def abs(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Absolute values."""

def absolute(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Absolute values."""

def add(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 + x2``."""

def all(
    data: _Symbol | None = None,
    axis: _Shape | None = None,
    keepdims: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Whether all elements over the given axes are not zero."""

def amax(
    a: _Symbol | None = None,
    axis: _Shape | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Greatest element over the given axes."""

def amin(
    a: _Symbol | None = None,
    axis: _Shape | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Smallest element over the given axes."""

def any(
    data: _Symbol | None = None,
    axis: _Shape | None = None,
    keepdims: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Whether any element over the given axes is not zero."""

def append(arr: Any, values: Any, axis: int | None = None) -> _Symbol:
    """Return two arrays joined along an axis, flat ones by default."""

def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, ctx: Any = None) -> _Symbol:
    """Return evenly spaced numbers from ``start`` (0 if there is one argument) to before ``stop``, float32."""

def arccos(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Inverse cosine."""

def arccosh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Inverse hyperbolic cosine."""

def arcsin(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Inverse sine."""

def arcsinh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Inverse hyperbolic sine."""

def arctan(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Inverse tangent."""

def arctan2(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The angle of the point (x2, x1)."""

def arctanh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Inverse hyperbolic tangent."""

def argmax(a: Any, axis: int | None = None, out: Any = None) -> _Symbol:
    """Return the position of the largest element along an axis, as int64."""

def argmin(a: Any, axis: int | None = None, out: Any = None) -> _Symbol:
    """Return the position of the smallest element along an axis, as int64."""

def argsort(a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> _Symbol:
    """Return the positions that would sort an array, as int64; ``kind`` is accepted and ignored."""

def around(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> _Symbol:
    """Return the elements rounded to a number of decimals."""

def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[_Symbol]:
    """Return pieces whose sizes differ by at most one, or the pieces between indices."""

def atleast_1d(
    *arys: _Symbol,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Give each array at least one axis."""

def atleast_2d(
    *arys: _Symbol,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Give each array at least two axes."""

def atleast_3d(
    *arys: _Symbol,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Give each array at least three axes."""

def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, out: Any = None) -> _Symbol | Any:
    """Return the weighted mean along axes, and the sum of the weights if ``returned``."""

def bincount(x: Any, weights: Any = None, minlength: int = 0) -> _Symbol:
    """Return how often each of the numbers 0, 1, 2 ... occurs, or the sums of their weights."""

def bitwise_and(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The bits that both have."""

def bitwise_not(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """All bits inverted."""

def bitwise_or(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The bits that one or both have."""

def bitwise_xor(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The bits that exactly one has."""

def blackman(M: int, dtype: Any = "float32", ctx: Any = None) -> _Symbol:
    """Return the Blackman window."""

def broadcast_to(array: Any, shape: Any) -> _Symbol:
    """Return the array repeated along axes of size 1 and new axes in front."""

def cbrt(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Cube root."""

def ceil(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The smallest integer not less than each element."""

def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> _Symbol:
    """Return the elements, those outside of an interval replaced by its ends."""

def column_stack(tup: Any) -> _Symbol:
    """Return vectors as the columns of a matrix."""

def concatenate(seq: Any, axis: int | None = 0, out: Any = None) -> _Symbol:
    """Return arrays joined along an axis; flat ones for axis None."""

def copy(
    a: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Copy an array."""

def copysign(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1`` with the sign of ``x2``."""

def cos(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Cosine."""

def cosh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Hyperbolic cosine."""

def cumsum(
    a: _Symbol | None = None,
    axis: int | None = None,
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Running sum along an axis, or over the flattened array."""

def deg2rad(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Degrees as radians."""

def degrees(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Radians as degrees."""

def delete(arr: Any, obj: Any, axis: int | None = None) -> _Symbol:
    """Return the array without the parts at positions: an int, a slice or an array."""

def diag(
    data: _Symbol | None = None,
    k: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Make a matrix of a vector, or take the k-th diagonal of a matrix."""

def diag_indices_from(arr: Any) -> tuple[_Symbol, ...]:
    """Return the positions of the main diagonal of an array with equal axes."""

def diagflat(
    data: _Symbol | None = None,
    k: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Make a matrix whose k-th diagonal holds all elements of an array."""

def diagonal(
    data: _Symbol | None = None,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Take a diagonal along two axes; it becomes the last axis."""

def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> _Symbol:
    """Return the n-th differences of neighbours along an axis."""

def divide(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 / x2``; of integers, too, a float."""

def dot(
    a: _Symbol | None = None,
    b: _Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Sum over the last axis of ``a`` and the last but one of ``b``; a scalar multiplies."""

def dsplit(ary: Any, indices_or_sections: Any) -> list[_Symbol]:
    """Return the pieces along the third axis."""

def dstack(arrays: Any) -> _Symbol:
    """Return arrays behind each other, along the third axis."""

def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> _Symbol:
    """Return the differences of neighbours in the flat array, with values before and after them."""

def einsum(*operands: Any, **kwargs: Any) -> _Symbol:
    """Return sums of products by Einstein's convention: ``np.einsum("ij,jk->ik", a, b)``."""

def empty_like(prototype: Any, dtype: Any = None, order: str = "C", subok: bool = False, shape: Any = None) -> _Symbol:
    """Return an array in the shape of another, whose values mean nothing (they are zeros)."""

def equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 == x2``."""

def exp(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The exponential function."""

def expand_dims(a: Any, axis: int) -> _Symbol:
    """Return the array with a further axis of size 1."""

def expm1(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``exp(x) - 1``, exact near 0."""

def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = "float32", **kwargs: Any) -> _Symbol:
    """Return a matrix with ones on a diagonal, zeros elsewhere."""

def fabs(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Absolute values."""

def fix(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Rounded towards zero."""

def flip(m: Any, axis: Any = None, out: Any = None) -> _Symbol:
    """Return the elements in reverse order along axes, all by default."""

def fliplr(m: Any) -> _Symbol:
    """Return the columns in reverse order."""

def flipud(m: Any) -> _Symbol:
    """Return the rows in reverse order."""

def floor(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The greatest integer not greater than each element."""

def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None) -> _Symbol:
    """Return an array of one value (or of the values of an array, broadcast), float32 by default."""

def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None
) -> _Symbol:
    """Return an array of one value in the shape, and by default of the dtype, of another."""

def greater(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 > x2``."""

def greater_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 >= x2``."""

def hamming(M: int, dtype: Any = "float32", ctx: Any = None) -> _Symbol:
    """Return the Hamming window."""

def hanning(M: int, dtype: Any = "float32", ctx: Any = None) -> _Symbol:
    """Return the Hann window."""

def histogram(
    a: Any, bins: Any = 10, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None
) -> list[_Symbol]:
    """Return [counts, bin edges]; a number of bins needs ``range``."""

def hsplit(ary: Any, indices_or_sections: Any) -> list[_Symbol]:
    """Return the pieces between columns (of a vector: between elements); their sizes may differ by one."""

def hstack(arrays: Any) -> _Symbol:
    """Return arrays side by side."""

def hypot(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``sqrt(x1**2 + x2**2)``."""

def identity(n: int, dtype: Any = None, ctx: Any = None) -> _Symbol:
    """Return a square matrix with ones on the main diagonal."""

def indices(dimensions: Any, dtype: Any = "int32", ctx: Any = None) -> _Symbol:
    """Return the indices of a grid: element i of the result holds each place's i-th index."""

def inner(a: Any, b: Any) -> _Symbol:
    """Return the sums of products over the last axes."""

def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> _Symbol:
    """Return the array with values put in before positions: an int, a slice or an array."""

def invert(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """All bits inverted."""

def isfinite(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Whether each element is neither infinite nor NaN."""

def isinf(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Whether each element is infinite."""

def isnan(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Whether each element is NaN."""

def isneginf(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Whether each element is negative infinity."""

def isposinf(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Whether each element is positive infinity."""

def lcm(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The least common multiple."""

def ldexp(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 * 2**x2``."""

def less(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 < x2``."""

def less_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 <= x2``."""

def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    ctx: Any = None,
) -> _Symbol:
    """Return ``num`` evenly spaced numbers from start to stop, and their distance if ``retstep``."""

def log(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Natural logarithm."""

def log10(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Logarithm to base 10."""

def log1p(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``log(1 + x)``, exact near 0."""

def log2(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Logarithm to base 2."""

def logical_not(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Whether each element is zero."""

def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
    axis: int = 0,
    ctx: Any = None,
) -> _Symbol:
    """Return powers of a base whose exponents are evenly spaced from start to stop."""

def matmul(a: Any, b: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Return the matrix product of the last two axes; axes before them are broadcast."""

def max(
    a: _Symbol | None = None,
    axis: _Shape | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Greatest element over the given axes."""

def maximum(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The larger of two values."""

def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Return whether two arrays share memory."""

def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> _Symbol:
    """Return the mean along axes; float32 for integers."""

def min(
    a: _Symbol | None = None,
    axis: _Shape | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Smallest element over the given axes."""

def minimum(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The smaller of two values."""

def mod(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The remainder, with the sign of the divisor."""

def moveaxis(
    a: _Symbol | None = None,
    source: _Shape = ...,
    destination: _Shape = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Move axes to new places; the others keep their order."""

def multiply(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 * x2``."""

def nan_to_num(
    x: Any,
    copy: bool = True,
    nan: float = 0.0,
    posinf: Any = None,
    neginf: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Return the elements with numbers in the places of NaN and infinities."""

def negative(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``-x``."""

def not_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 != x2``."""

def ones(shape: Any, dtype: Any = "float32", order: str = "C", ctx: Any = None) -> _Symbol:
    """Return ones, float32 by default."""

def ones_like(a: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None) -> _Symbol:
    """Return ones in the shape, and by default of the dtype, of another array."""

def outer(a: Any, b: Any) -> _Symbol:
    """Return all products of an element of ``a`` and an element of ``b``."""

def pad(x: Any, pad_width: Any, mode: str = "constant", **kwargs: Any) -> _Symbol:
    """Return the array with elements around it."""

def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> _Symbol:
    """Return percentiles along axes."""

def polyval(p: Any, x: Any) -> _Symbol:
    """Return a polynomial's values; the first coefficient is that of the highest power."""

def power(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 ** x2``."""

def prod(
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
    """Product of the elements over the given axes."""

def product(
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
    """Product of the elements over the given axes."""

def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> _Symbol:
    """Return quantiles along axes: percentiles with ``q`` from 0 to 1."""

def rad2deg(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Radians as degrees."""

def radians(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Degrees as radians."""

def ravel(x: Any, order: str = "C") -> _Symbol:
    """Return the elements as one row."""

def reciprocal(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``1 / x``."""

def remainder(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """The remainder, with the sign of the divisor."""

def repeat(
    data: _Symbol | None = None,
    repeats: int = ...,
    axis: int | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Repeat each element ``repeats`` times along an axis; without ``axis``, flatten first."""

def reshape(
    a: _Symbol | None = None,
    newshape: _Shape = ...,
    order: str = "C",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Give an array a new shape; one size may be -1 and is inferred."""

def resize(a: Any, new_shape: Any) -> _Symbol:
    """Return an array of a shape, filled with the elements again and again."""

def rint(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Rounded to the nearest integer."""

def roll(
    data: _Symbol | None = None,
    shift: _Shape | None = None,
    axis: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Shift elements along axes; what leaves at one end comes in at the other."""

def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> _Symbol:
    """Return the array turned by ``k`` right angles in the plane of two axes."""

def round(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> _Symbol:
    """Return the elements rounded to a number of decimals."""

def round_(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> _Symbol:
    """Return the elements rounded to a number of decimals."""

def row_stack(arrays: Any, out: Any = None) -> _Symbol:
    """Return arrays on top of each other."""

def shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Return whether two arrays share memory."""

def sign(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """-1, 0 or 1."""

def sin(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Sine."""

def sinh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Hyperbolic sine."""

def sometrue(
    data: _Symbol | None = None,
    axis: _Shape | None = None,
    keepdims: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Whether any element over the given axes is not zero."""

def sort(a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> _Symbol:
    """Return the elements in ascending order along an axis; ``kind`` is accepted and ignored."""

def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[_Symbol]:
    """Return equal pieces, or the pieces between indices."""

def sqrt(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Square root."""

def square(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x * x``."""

def squeeze(
    a: _Symbol | None = None,
    axis: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Remove axes of size 1: those named by ``axis``, or all."""

def stack(arrays: Any, axis: int = 0, out: Any = None) -> _Symbol:
    """Return arrays joined along a new axis."""

def std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False) -> _Symbol:
    """Return the standard deviation along axes; the divisor is the number of elements minus ``ddof``."""

def subtract(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 - x2``."""

def sum(
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
    """Sum of the elements over the given axes."""

def swapaxes(a: Any, axis1: int, axis2: int) -> _Symbol:
    """Return the array with two axes exchanged."""

def take(a: Any, indices: Any, axis: int | None = None, mode: str = "raise", out: Any = None) -> _Symbol:
    """Return the elements at positions."""

def tan(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tangent."""

def tanh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Hyperbolic tangent."""

def tensordot(a: Any, b: Any, axes: Any = 2) -> _Symbol:
    """Return the sums of products over axes."""

def tile(A: Any, reps: Any) -> _Symbol:
    """Return the array repeated as a whole along its axes."""

def trace(
    data: _Symbol | None = None,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Sum of the diagonal of the matrices in two axes."""

def transpose(
    a: _Symbol | None = None,
    axes: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Permute the axes; without ``axes``, reverse their order."""

def tril(m: Any, k: int = 0) -> _Symbol:
    """Return the lower triangle: zeros above a diagonal."""

def true_divide(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """``x1 / x2``; of integers, too, a float."""

def trunc(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Without the digits after the point."""

def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> _Symbol | Any:
    """Return the different elements in ascending order."""

def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[_Symbol, ...]:
    """Return positions in the flat array as positions along the axes: one array for each axis."""

def var(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False) -> _Symbol:
    """Return the variance along axes; the divisor is the number of elements minus ``ddof``."""

def vdot(a: Any, b: Any) -> _Symbol:
    """Return the sum of all products of corresponding elements."""

def vsplit(ary: Any, indices_or_sections: Any) -> list[_Symbol]:
    """Return the pieces between rows."""

def vstack(arrays: Any, out: Any = None) -> _Symbol:
    """Return arrays on top of each other."""

def where(condition: Any, x: Any = None, y: Any = None) -> _Symbol | Any:
    """Return elements of ``x`` where a condition is true (not zero), else of ``y``."""

def zeros(shape: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> _Symbol:
    """Return zeros, float32 by default."""

def zeros_like(a: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None) -> _Symbol:
    """Return zeros in the shape, and by default of the dtype, of another array."""
