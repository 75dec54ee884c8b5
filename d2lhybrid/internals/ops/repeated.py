"""Numbers as arrays of equal elements: NumPy vectorizes the maximum of two arrays, but not of an array and a number.

In single precision, NumPy computes 14 elements per nanosecond with vectorization, and 3 without (NumPy 2.0 to 2.4).
Therefore, a number that is combined with a large array becomes an array with the shape of the last axes. This small
array stays in the cache while it is broadcast along all other axes. From NumPy 2.1 on, ``clip`` is as fast, but it
doesn't change -0, whereas ``maximum(-0., 0.)`` is 0.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy

__all__ = ["repeated"]

#: The smallest number of elements for which a repeated number pays off.
MIN_SIZE = 1 << 12
#: The number of elements that fit into the L1 cache, together with as many of the other array.
MANY = 1 << 12
#: The number of elements that fit into the L2 cache.
MOST = 1 << 16
#: The smallest number of elements of the last axes for which the loop over the other axes pays off.
FEWEST = 1 << 6


def repeated(value: float, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return a number in the form in which NumPy combines it fastest with an array.

    Parameters
    ----------
    value : float
        The number to combine with the array.
    shape : tuple of int
        The shape of the array, which must be contiguous.
    dtype : dtype
        The element type of the array.

    Returns
    -------
    array or number
        The number, or an array of this number that broadcasts to `shape`.

    Examples
    --------
    >>> repeated(0, (32, 8, 100), numpy.dtype("float32")).shape
    (8, 100)
    >>> repeated(0, (32, 8), numpy.dtype("float32"))
    np.float32(0.0)
    """
    if dtype.char not in "fd" or math.prod(shape) < MIN_SIZE:
        return dtype.type(value)
    first, size = len(shape), 1
    while first and size * shape[first - 1] <= (MANY if size >= FEWEST else MOST):
        first -= 1
        size *= shape[first]
    number = dtype.type(value)
    return _filled(number.tobytes(), dtype.char, shape[first:]) if size >= FEWEST else number


@functools.lru_cache(128)
def _filled(number: bytes, dtype: str, shape: tuple[int, ...]) -> Any:
    """Return an array filled with a number.

    The number is passed as bytes, because this function is cached: 0 equals -0, and numbers of different element types
    may be equal.
    """
    array = numpy.full(shape, numpy.frombuffer(number, dtype)[0], dtype)
    array.flags.writeable = False
    return array
