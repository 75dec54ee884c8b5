"""Numbers repeated as arrays: NumPy vectorizes the maximum of two arrays, but not of an array and a number.

In single precision, NumPy computes 14 elements per nanosecond with vectorization, and 3 without (NumPy 2.0 to 2.4).
Therefore, a number that is combined with a large array becomes an array with the shape of the last axes. This array
stays in the cache while it is repeated along the other axes. ``clip`` is as fast from NumPy 2.1 on, but it doesn't
change -0, whereas ``maximum(-0., 0.)`` is 0.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy

__all__ = ["repeated"]

#: Smaller arrays are ready before another one has been looked up.
MIN_SIZE = 1 << 12
#: This many elements, with those of the other array, fit in the L1 cache ...
MANY = 1 << 12
#: ... and so many in the next one.
MOST = 1 << 16
#: Where the last axes have fewer, going over the axes before takes longer than is saved.
FEWEST = 1 << 6


def repeated(value: float, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return a number in the form in which NumPy compares it fastest with an array.

    Parameters
    ----------
    value : float
        The number.
    shape : tuple of int
        The shape of the array, which must be contiguous.
    dtype : dtype
        The dtype of the array.

    Returns
    -------
    array or number
        The number, or an array of this number that broadcasts along the first axes of the other array.

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

    The number is given as bytes, because 0 and -0 are equal, and so are equal numbers of two dtypes.
    """
    array = numpy.full(shape, numpy.frombuffer(number, dtype)[0], dtype)
    array.flags.writeable = False
    return array
