# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from builtins import bool as bool
from typing import Any

from numpy import bool_ as bool_
from numpy import e as e
from numpy import finfo as finfo
from numpy import float16 as float16
from numpy import float32 as float32
from numpy import float64 as float64
from numpy import inf as inf
from numpy import int8 as int8
from numpy import int32 as int32
from numpy import int64 as int64
from numpy import nan as nan
from numpy import newaxis as newaxis
from numpy import pi as pi
from numpy import uint8 as uint8

from ..ndarray.numpy._array import ndarray as ndarray
from . import fallback as fallback
from . import function_base as function_base
from . import io as io
from . import linalg as linalg
from . import multiarray as multiarray
from . import random as random
from .creation import array as array
from .creation import broadcast_arrays as broadcast_arrays
from .creation import empty as empty
from .creation import genfromtxt as genfromtxt
from .creation import meshgrid as meshgrid
from .creation import set_printoptions as set_printoptions

def abs(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Absolute values."""

def absolute(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Absolute values."""

def add(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 + x2``."""

def all(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Return whether all elements along axes are true."""

def allclose(*args: Any, **kwargs: Any) -> Any:
    """Return whether all elements are equal up to a tolerance."""

def alltrue(*args: Any, **kwargs: Any) -> Any:
    """Return whether all elements along axes are true."""

def amax(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Return the largest element along axes."""

def amin(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Return the smallest element along axes."""

def any(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Return whether at least one element along axes is true."""

def append(arr: Any, values: Any, axis: int | None = None) -> ndarray:
    """Return two arrays joined along an axis, flat ones by default."""

def apply_along_axis(*args: Any, **kwargs: Any) -> Any:
    """Return what a function makes of each part of an array along an axis."""

def apply_over_axes(*args: Any, **kwargs: Any) -> Any:
    """Return what a function makes of an array, called with one axis after the other."""

def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Return evenly spaced numbers from ``start`` (0 if there is one argument) to before ``stop``, float32."""

def arccos(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Inverse cosine."""

def arccosh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Inverse hyperbolic cosine."""

def arcsin(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Inverse sine."""

def arcsinh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Inverse hyperbolic sine."""

def arctan(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Inverse tangent."""

def arctan2(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The angle of the point (x2, x1)."""

def arctanh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Inverse hyperbolic tangent."""

def argmax(a: Any, axis: int | None = None, out: Any = None) -> ndarray:
    """Return the position of the largest element along an axis, as int64."""

def argmin(a: Any, axis: int | None = None, out: Any = None) -> ndarray:
    """Return the position of the smallest element along an axis, as int64."""

def argpartition(*args: Any, **kwargs: Any) -> Any:
    """Return positions in an order with the k-th smallest element at its place, smaller ones before it."""

def argsort(a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> ndarray:
    """Return the positions that would sort an array, as int64; ``kind`` is accepted and ignored."""

def argwhere(*args: Any, **kwargs: Any) -> Any:
    """Return the positions of the elements that are not zero, one in each row."""

def around(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> ndarray:
    """Return the elements rounded to a number of decimals."""

def array_equal(*args: Any, **kwargs: Any) -> Any:
    """Return whether two arrays have the same shape and the same elements."""

def array_equiv(*args: Any, **kwargs: Any) -> Any:
    """Return whether two arrays are the same after one is broadcast."""

def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray]:
    """Return pieces whose sizes differ by at most one, or the pieces between indices."""

def atleast_1d(*arys: Any) -> ndarray | Any:
    """Return the arrays with one axis at least."""

def atleast_2d(*arys: Any) -> ndarray | Any:
    """Return the arrays with two axes at least."""

def atleast_3d(*arys: Any) -> ndarray | Any:
    """Return the arrays with three axes at least."""

def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, out: Any = None) -> ndarray | Any:
    """Return the weighted mean along axes, and the sum of the weights if ``returned``."""

def bincount(x: Any, weights: Any = None, minlength: int = 0) -> ndarray:
    """Return how often each of the numbers 0, 1, 2 ... occurs, or the sums of their weights."""

def bitwise_and(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The bits that both have."""

def bitwise_not(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """All bits inverted."""

def bitwise_or(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The bits that one or both have."""

def bitwise_xor(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The bits that exactly one has."""

def blackman(M: int, dtype: Any = "float32", ctx: Any = None) -> ndarray:
    """Return the Blackman window."""

def broadcast_to(array: Any, shape: Any) -> ndarray:
    """Return the array repeated along axes of size 1 and new axes in front."""

def cbrt(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Cube root."""

def ceil(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The smallest integer not less than each element."""

def choose(*args: Any, **kwargs: Any) -> Any:
    """Return elements of several arrays; a first array says for each place, of which."""

def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> ndarray:
    """Return the elements, those outside of an interval replaced by its ends."""

def column_stack(tup: Any) -> ndarray:
    """Return vectors as the columns of a matrix."""

def compress(*args: Any, **kwargs: Any) -> Any:
    """Return the parts along an axis for which a condition is true."""

def concatenate(seq: Any, axis: int | None = 0, out: Any = None) -> ndarray:
    """Return arrays joined along an axis; flat ones for axis None."""

def copy(a: Any, out: Any = None) -> ndarray:
    """Return a copy."""

def copysign(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1`` with the sign of ``x2``."""

def corrcoef(*args: Any, **kwargs: Any) -> Any:
    """Return the coefficients of correlation between variables."""

def correlate(*args: Any, **kwargs: Any) -> Any:
    """Return the cross-correlation of two vectors."""

def cos(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Cosine."""

def cosh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Hyperbolic cosine."""

def count_nonzero(*args: Any, **kwargs: Any) -> Any:
    """Return how many elements are not zero."""

def cov(*args: Any, **kwargs: Any) -> Any:
    """Return the covariances between variables."""

def cumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Return the sums of the first elements along an axis, or of the flat array."""

def deg2rad(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Degrees as radians."""

def degrees(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Radians as degrees."""

def delete(arr: Any, obj: Any, axis: int | None = None) -> ndarray:
    """Return the array without the parts at positions: an int, a slice or an array."""

def diag(array: Any, k: int = 0) -> ndarray:
    """Return a diagonal of a matrix, or a matrix with a vector on a diagonal."""

def diag_indices_from(arr: Any) -> tuple[ndarray, ...]:
    """Return the positions of the main diagonal of an array with equal axes."""

def diagflat(array: Any, k: int = 0) -> ndarray:
    """Return a matrix with the flat array on a diagonal."""

def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """Return diagonals."""

def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> ndarray:
    """Return the n-th differences of neighbours along an axis."""

def digitize(*args: Any, **kwargs: Any) -> Any:
    """Return in which bin each value lies."""

def divide(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 / x2``; of integers, too, a float."""

def divmod(*args: Any, **kwargs: Any) -> Any:
    """Return the quotients rounded down, and the remainders."""

def dot(a: Any, b: Any, out: Any = None) -> ndarray:
    """Return the product of vectors or matrices: sums over the last axis of ``a``."""

def dsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """Return the pieces along the third axis."""

def dstack(arrays: Any) -> ndarray:
    """Return arrays behind each other, along the third axis."""

def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> ndarray:
    """Return the differences of neighbours in the flat array, with values before and after them."""

def einsum(*operands: Any, **kwargs: Any) -> ndarray:
    """Return sums of products by Einstein's convention: ``np.einsum("ij,jk->ik", a, b)``."""

def empty_like(prototype: Any, dtype: Any = None, order: str = "C", subok: bool = False, shape: Any = None) -> ndarray:
    """Return an array in the shape of another, whose values mean nothing (they are zeros)."""

def equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 == x2``."""

def exp(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The exponential function."""

def expand_dims(a: Any, axis: int) -> ndarray:
    """Return the array with a further axis of size 1."""

def expm1(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``exp(x) - 1``, exact near 0."""

def extract(*args: Any, **kwargs: Any) -> Any:
    """Return the elements for which a condition is true, as one row."""

def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = "float32", **kwargs: Any) -> ndarray:
    """Return a matrix with ones on a diagonal, zeros elsewhere."""

def fabs(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Absolute values."""

def fix(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Rounded towards zero."""

def flatnonzero(*args: Any, **kwargs: Any) -> Any:
    """Return the positions in the flat array of the elements that are not zero."""

def flip(m: Any, axis: Any = None, out: Any = None) -> ndarray:
    """Return the elements in reverse order along axes, all by default."""

def fliplr(m: Any) -> ndarray:
    """Return the columns in reverse order."""

def flipud(m: Any) -> ndarray:
    """Return the rows in reverse order."""

def float_power(*args: Any, **kwargs: Any) -> Any:
    """Return powers, computed as float64."""

def floor(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The greatest integer not greater than each element."""

def frexp(*args: Any, **kwargs: Any) -> Any:
    """Return mantissas between 0.5 and 1, and exponents: ``x = mantissa * 2**exponent``."""

def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None) -> ndarray:
    """Return an array of one value (or of the values of an array, broadcast), float32 by default."""

def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None
) -> ndarray:
    """Return an array of one value in the shape, and by default of the dtype, of another."""

def greater(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 > x2``."""

def greater_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 >= x2``."""

def hamming(M: int, dtype: Any = "float32", ctx: Any = None) -> ndarray:
    """Return the Hamming window."""

def hanning(M: int, dtype: Any = "float32", ctx: Any = None) -> ndarray:
    """Return the Hann window."""

def heaviside(*args: Any, **kwargs: Any) -> Any:
    """Return 0 where an element is negative, 1 where it is positive, and a second value where it is 0."""

def histogram(
    a: Any, bins: Any = 10, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None
) -> list[ndarray]:
    """Return [counts, bin edges]; a number of bins needs ``range``."""

def histogram2d(*args: Any, **kwargs: Any) -> Any:
    """Return the counts of pairs of values in a grid of bins, and the edges along both axes."""

def histogram_bin_edges(*args: Any, **kwargs: Any) -> Any:
    """Return the edges of the bins that ``numpy.histogram`` would count in."""

def histogramdd(*args: Any, **kwargs: Any) -> Any:
    """Return the counts of points in a grid of bins in any number of dimensions, and the edges."""

def hsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """Return the pieces between columns (of a vector: between elements); their sizes may differ by one."""

def hstack(arrays: Any) -> ndarray:
    """Return arrays side by side."""

def hypot(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``sqrt(x1**2 + x2**2)``."""

def i0(*args: Any, **kwargs: Any) -> Any:
    """Return the modified Bessel function of the first kind and of order 0."""

def identity(n: int, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Return a square matrix with ones on the main diagonal."""

def in1d(*args: Any, **kwargs: Any) -> Any:
    """Return for each element, in a flat array, whether it is among others."""

def indices(dimensions: Any, dtype: Any = "int32", ctx: Any = None) -> ndarray:
    """Return the indices of a grid: element i of the result holds each place's i-th index."""

def inner(a: Any, b: Any) -> ndarray:
    """Return the sums of products over the last axes."""

def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> ndarray:
    """Return the array with values put in before positions: an int, a slice or an array."""

def interp(*args: Any, **kwargs: Any) -> Any:
    """Return the values of a function between points at which it is known, along straight lines."""

def intersect1d(*args: Any, **kwargs: Any) -> Any:
    """Return the different elements that two arrays have in common, in ascending order."""

def invert(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """All bits inverted."""

def isclose(*args: Any, **kwargs: Any) -> Any:
    """Return for each pair of elements whether they are equal up to a tolerance."""

def isfinite(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Whether each element is neither infinite nor NaN."""

def isin(*args: Any, **kwargs: Any) -> Any:
    """Return for each element whether it is among others."""

def isinf(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Whether each element is infinite."""

def isnan(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Whether each element is NaN."""

def isneginf(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Whether each element is negative infinity."""

def isposinf(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Whether each element is positive infinity."""

def ix_(*args: Any, **kwargs: Any) -> Any:
    """Return vectors shaped so that together they pick the crossings of rows and columns."""

def lcm(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The least common multiple."""

def ldexp(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 * 2**x2``."""

def less(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 < x2``."""

def less_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 <= x2``."""

def lexsort(*args: Any, **kwargs: Any) -> Any:
    """Return the positions that would sort by several keys, the last of which counts most."""

def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    ctx: Any = None,
) -> ndarray:
    """Return ``num`` evenly spaced numbers from start to stop, and their distance if ``retstep``."""

def log(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Natural logarithm."""

def log10(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Logarithm to base 10."""

def log1p(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``log(1 + x)``, exact near 0."""

def log2(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Logarithm to base 2."""

def logical_not(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
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
) -> ndarray:
    """Return powers of a base whose exponents are evenly spaced from start to stop."""

def matmul(a: Any, b: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Return the matrix product of the last two axes; axes before them are broadcast."""

def max(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Return the largest element along axes."""

def maximum(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The larger of two values."""

def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Return whether two arrays share memory."""

def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Return the mean along axes; float32 for integers."""

def min(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Return the smallest element along axes."""

def min_scalar_type(*args: Any, **kwargs: Any) -> Any:
    """Return the smallest element type that can hold a value."""

def minimum(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The smaller of two values."""

def mod(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The remainder, with the sign of the divisor."""

def modf(*args: Any, **kwargs: Any) -> Any:
    """Return the parts after the point and before it."""

def moveaxis(a: Any, source: Any, destination: Any) -> ndarray:
    """Return the array with axes moved to new places."""

def msort(*args: Any, **kwargs: Any) -> Any:
    """Return the elements in ascending order along the first axis."""

def multiply(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 * x2``."""

def nan_to_num(
    x: Any,
    copy: bool = True,
    nan: float = 0.0,
    posinf: Any = None,
    neginf: Any = None,
    **kwargs: Any,
) -> ndarray:
    """Return the elements with numbers in the places of NaN and infinities."""

def nanargmax(*args: Any, **kwargs: Any) -> Any:
    """Return the position of the largest element; NaN does not count."""

def nanargmin(*args: Any, **kwargs: Any) -> Any:
    """Return the position of the smallest element; NaN does not count."""

def nancumprod(*args: Any, **kwargs: Any) -> Any:
    """Return the products of the first elements; NaN counts as 1."""

def nancumsum(*args: Any, **kwargs: Any) -> Any:
    """Return the sums of the first elements; NaN counts as 0."""

def nanmax(*args: Any, **kwargs: Any) -> Any:
    """Return the largest element along axes; NaN does not count."""

def nanmedian(*args: Any, **kwargs: Any) -> Any:
    """Return the median along axes; NaN does not count."""

def nanmin(*args: Any, **kwargs: Any) -> Any:
    """Return the smallest element along axes; NaN does not count."""

def nanpercentile(*args: Any, **kwargs: Any) -> Any:
    """Return percentiles along axes; NaN does not count."""

def nanprod(*args: Any, **kwargs: Any) -> Any:
    """Return the product along axes; NaN counts as 1."""

def nanquantile(*args: Any, **kwargs: Any) -> Any:
    """Return quantiles along axes; NaN does not count."""

def ndim(*args: Any, **kwargs: Any) -> Any:
    """Return the number of axes."""

def negative(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``-x``."""

def nonzero(a: Any) -> tuple[ndarray, ...]:
    """Return the positions of the elements that are not zero: one int64 array for each axis."""

def not_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 != x2``."""

def ones(shape: Any, dtype: Any = "float32", order: str = "C", ctx: Any = None) -> ndarray:
    """Return ones, float32 by default."""

def ones_like(a: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None) -> ndarray:
    """Return ones in the shape, and by default of the dtype, of another array."""

def outer(a: Any, b: Any) -> ndarray:
    """Return all products of an element of ``a`` and an element of ``b``."""

def packbits(*args: Any, **kwargs: Any) -> Any:
    """Return bits, which are given as numbers, eight to a byte."""

def pad(x: Any, pad_width: Any, mode: str = "constant", **kwargs: Any) -> ndarray:
    """Return the array with elements around it."""

def partition(*args: Any, **kwargs: Any) -> Any:
    """Return the elements in an order with the k-th smallest at its place, smaller ones before it."""

def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> ndarray:
    """Return percentiles along axes."""

def piecewise(*args: Any, **kwargs: Any) -> Any:
    """Return values of different functions, by conditions."""

def poly(*args: Any, **kwargs: Any) -> Any:
    """Return the coefficients of the polynomial with these zeros."""

def polyadd(*args: Any, **kwargs: Any) -> Any:
    """Return the coefficients of the sum of two polynomials."""

def polydiv(*args: Any, **kwargs: Any) -> Any:
    """Return the coefficients of the quotient and of the remainder of two polynomials."""

def polyfit(*args: Any, **kwargs: Any) -> Any:
    """Return the coefficients of the polynomial that lies closest to points."""

def polyint(*args: Any, **kwargs: Any) -> Any:
    """Return the coefficients of an integral of a polynomial."""

def polymul(*args: Any, **kwargs: Any) -> Any:
    """Return the coefficients of the product of two polynomials."""

def polysub(*args: Any, **kwargs: Any) -> Any:
    """Return the coefficients of the difference of two polynomials."""

def polyval(p: Any, x: Any) -> ndarray:
    """Return a polynomial's values; the first coefficient is that of the highest power."""

def positive(*args: Any, **kwargs: Any) -> Any:
    """Return the elements as they are: ``+x``."""

def power(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 ** x2``."""

def prod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Return the product along axes."""

def product(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Return the product along axes."""

def promote_types(*args: Any, **kwargs: Any) -> Any:
    """Return the smallest element type that holds all values of two."""

def ptp(*args: Any, **kwargs: Any) -> Any:
    """Return the largest element minus the smallest along an axis."""

def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> ndarray:
    """Return quantiles along axes: percentiles with ``q`` from 0 to 1."""

def rad2deg(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Radians as degrees."""

def radians(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Degrees as radians."""

def ravel(x: Any, order: str = "C") -> ndarray:
    """Return the elements as one row."""

def real(*args: Any, **kwargs: Any) -> Any:
    """Return the real parts."""

def reciprocal(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``1 / x``."""

def remainder(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The remainder, with the sign of the divisor."""

def repeat(a: Any, repeats: int, axis: int | None = None) -> ndarray:
    """Return the elements repeated, along an axis or of the flat array."""

def reshape(a: Any, newshape: Any, order: str = "C", out: Any = None) -> ndarray:
    """Return the array in another shape (a copy); -1 stands for the size that follows from the rest."""

def resize(a: Any, new_shape: Any) -> ndarray:
    """Return an array of a shape, filled with the elements again and again."""

def result_type(*args: Any, **kwargs: Any) -> Any:
    """Return the element type that a computation with these has."""

def rint(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Rounded to the nearest integer."""

def roll(a: Any, shift: Any, axis: Any = None) -> ndarray:
    """Return the elements shifted; those that leave at the end come in at the front."""

def rollaxis(*args: Any, **kwargs: Any) -> Any:
    """Return the array with an axis moved back to a position."""

def roots(*args: Any, **kwargs: Any) -> Any:
    """Return the zeros of a polynomial."""

def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> ndarray:
    """Return the array turned by ``k`` right angles in the plane of two axes."""

def round(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> ndarray:
    """Return the elements rounded to a number of decimals."""

def round_(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> ndarray:
    """Return the elements rounded to a number of decimals."""

def row_stack(arrays: Any, out: Any = None) -> ndarray:
    """Return arrays on top of each other."""

def searchsorted(*args: Any, **kwargs: Any) -> Any:
    """Return where values would have to be put into a sorted vector."""

def select(*args: Any, **kwargs: Any) -> Any:
    """Return elements of several arrays: of the first whose condition is true."""

def setdiff1d(*args: Any, **kwargs: Any) -> Any:
    """Return the different elements of one array that are not in another, in ascending order."""

def setxor1d(*args: Any, **kwargs: Any) -> Any:
    """Return the different elements that exactly one of two arrays has, in ascending order."""

def shape(a: Any) -> tuple[int, ...]:
    """Return the sizes of the axes."""

def shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Return whether two arrays share memory."""

def sign(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """-1, 0 or 1."""

def signbit(*args: Any, **kwargs: Any) -> Any:
    """Return for each element whether it has a minus sign."""

def sin(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Sine."""

def sinh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Hyperbolic sine."""

def size(*args: Any, **kwargs: Any) -> Any:
    """Return the number of elements."""

def sometrue(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Return whether at least one element along axes is true."""

def sort(a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> ndarray:
    """Return the elements in ascending order along an axis; ``kind`` is accepted and ignored."""

def spacing(*args: Any, **kwargs: Any) -> Any:
    """Return the distance from each element to the next number of its type."""

def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray]:
    """Return equal pieces, or the pieces between indices."""

def sqrt(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Square root."""

def square(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x * x``."""

def squeeze(a: Any, axis: Any = None, out: Any = None) -> ndarray:
    """Return the array without axes of size 1."""

def stack(arrays: Any, axis: int = 0, out: Any = None) -> ndarray:
    """Return arrays joined along a new axis."""

def std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False) -> ndarray:
    """Return the standard deviation along axes; the divisor is the number of elements minus ``ddof``."""

def subtract(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 - x2``."""

def sum(
    a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None, out: Any = None
) -> ndarray:
    """Return the sum along axes."""

def swapaxes(a: Any, axis1: int, axis2: int) -> ndarray:
    """Return the array with two axes exchanged."""

def take(a: Any, indices: Any, axis: int | None = None, mode: str = "raise", out: Any = None) -> ndarray:
    """Return the elements at positions."""

def take_along_axis(*args: Any, **kwargs: Any) -> Any:
    """Return the elements at positions along an axis, which are given for every place."""

def tan(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tangent."""

def tanh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Hyperbolic tangent."""

def tensordot(a: Any, b: Any, axes: Any = 2) -> ndarray:
    """Return the sums of products over axes."""

def tile(A: Any, reps: Any) -> ndarray:
    """Return the array repeated as a whole along its axes."""

def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, out: Any = None) -> ndarray:
    """Return the sum of a diagonal."""

def transpose(a: Any, axes: Any = None) -> ndarray:
    """Return the array with its axes in another order, reversed by default."""

def trapz(*args: Any, **kwargs: Any) -> Any:
    """Return the integral by the trapezoidal rule."""

def tril(m: Any, k: int = 0) -> ndarray:
    """Return the lower triangle: zeros above a diagonal."""

def tril_indices_from(*args: Any, **kwargs: Any) -> Any:
    """Return the positions of the lower triangle of a matrix."""

def trim_zeros(*args: Any, **kwargs: Any) -> Any:
    """Return a vector without the zeros at its ends."""

def triu_indices_from(*args: Any, **kwargs: Any) -> Any:
    """Return the positions of the upper triangle of a matrix."""

def true_divide(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """``x1 / x2``; of integers, too, a float."""

def trunc(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Without the digits after the point."""

def union1d(*args: Any, **kwargs: Any) -> Any:
    """Return the different elements that one or both of two arrays have, in ascending order."""

def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> ndarray | Any:
    """Return the different elements in ascending order."""

def unpackbits(*args: Any, **kwargs: Any) -> Any:
    """Return the bits of bytes as numbers, eight for each."""

def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[ndarray, ...]:
    """Return positions in the flat array as positions along the axes: one array for each axis."""

def unwrap(*args: Any, **kwargs: Any) -> Any:
    """Return angles without jumps: full turns are added or taken away."""

def vander(*args: Any, **kwargs: Any) -> Any:
    """Return the Vandermonde matrix: the powers of a vector as columns."""

def var(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False) -> ndarray:
    """Return the variance along axes; the divisor is the number of elements minus ``ddof``."""

def vdot(a: Any, b: Any) -> ndarray:
    """Return the sum of all products of corresponding elements."""

def vsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """Return the pieces between rows."""

def vstack(arrays: Any, out: Any = None) -> ndarray:
    """Return arrays on top of each other."""

def where(condition: Any, x: Any = None, y: Any = None) -> ndarray | Any:
    """Return elements of ``x`` where a condition is true (not zero), else of ``y``."""

def zeros(shape: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> ndarray:
    """Return zeros, float32 by default."""

def zeros_like(a: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None) -> ndarray:
    """Return zeros in the shape, and by default of the dtype, of another array."""
