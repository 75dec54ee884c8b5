"""Element types: their names, their NumPy dtypes, and the type flags that MXNet writes into files."""

from __future__ import annotations

import functools
from typing import Any

import numpy

__all__ = ["CODES", "DEFAULT_DTYPE", "as_dtype", "dtype_code", "dtype_from_code", "name_of"]

#: NumPy dtype -> MXNet's type flag, as found in ``.params`` files and ``__dtype__`` attributes.
CODES: dict[numpy.dtype, int] = {
    numpy.dtype("float32"): 0,
    numpy.dtype("float64"): 1,
    numpy.dtype("float16"): 2,
    numpy.dtype("uint8"): 3,
    numpy.dtype("int32"): 4,
    numpy.dtype("int8"): 5,
    numpy.dtype("int64"): 6,
    numpy.dtype("bool"): 7,
}
_FROM_CODE = {code: dtype for dtype, code in CODES.items()}
_FROM_NAME = {dtype.name: dtype for dtype in CODES}
DEFAULT_DTYPE = numpy.dtype("float32")


@functools.cache
def name_of(dtype: numpy.dtype) -> str:
    """Return the name of an element type. The names are cached, because NumPy composes a name at every access.

    Examples
    --------
    >>> name_of(numpy.dtype("f4"))
    'float32'
    """
    return dtype.name


def as_dtype(dtype: Any) -> numpy.dtype:
    """Return the NumPy dtype for a name, a NumPy scalar class, or a dtype, or ``float32`` for None.

    Raises
    ------
    TypeError
        If NumPy has no such element type.
    KeyError
        If MXNet has no type flag for the element type (such as ``int16``). The key is the NumPy scalar class, as
        in MXNet.

    Examples
    --------
    >>> as_dtype("float16")
    dtype('float16')
    >>> as_dtype(None)
    dtype('float32')
    """
    if type(dtype) is str and (known := _FROM_NAME.get(dtype)) is not None:
        return known
    if dtype is None:
        return DEFAULT_DTYPE
    result = numpy.dtype(dtype)
    if result not in CODES:
        raise KeyError(result.type)
    return result


def dtype_code(dtype: Any) -> int:
    """Return MXNet's type flag of an element type (0 for float32)."""
    return CODES[as_dtype(dtype)]


def dtype_from_code(code: int) -> numpy.dtype:
    """Return the element type of a type flag from a file of MXNet.

    Raises
    ------
    ValueError
        If this package has no element type for the flag, such as 12 for bfloat16.
    """
    try:
        return _FROM_CODE[code]
    except KeyError:
        hint = " (bfloat16, which NumPy does not have)" if code == 12 else ""
        raise ValueError(f"unknown element type flag {code}{hint}") from None
