"""The data address of an array, for native functions."""

from __future__ import annotations

import ctypes
from typing import Any

__all__ = ["address"]

_at, _place_of = ctypes.c_char.from_buffer, ctypes.addressof


def address(array: Any) -> int:
    """Return the data address of an array. The caller must keep the array alive while it uses the address.

    Examples
    --------
    >>> import numpy
    >>> x = numpy.zeros(3, numpy.float32)
    >>> address(x[1:]) - address(x)
    4
    """
    try:
        return _place_of(_at(array))  # four times faster than the general method
    except (TypeError, ValueError):  # the array is read-only, empty, or not contiguous
        return array.__array_interface__["data"][0]
