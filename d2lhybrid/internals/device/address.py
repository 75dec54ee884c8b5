"""Where the elements of an array begin in memory, for functions that are not Python's."""

from __future__ import annotations

import ctypes
from typing import Any

__all__ = ["address"]

_at, _place_of = ctypes.c_char.from_buffer, ctypes.addressof


def address(array: Any) -> int:
    """Return where an array's elements begin; the caller must keep the array until the last read.

    Examples
    --------
    >>> import numpy
    >>> x = numpy.zeros(3, numpy.float32)
    >>> address(x[1:]) - address(x)
    4
    """
    try:
        return _place_of(_at(array))  # four times faster than what follows
    except (TypeError, ValueError):  # it cannot be written to, is empty, or its elements lie in another order
        return array.__array_interface__["data"][0]
