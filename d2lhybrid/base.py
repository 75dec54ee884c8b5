"""``mx.base``: names that MXNet defines in this module and that programs import from it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy

from .error import MXNetError, NotImplementedForSymbol, NotSupportedForSparseNDArray
from .internals.support.data_folder import data_dir, data_dir_default
from .internals.support.lists import as_given_list

__all__ = [
    "MXNetError", "NotImplementedForSymbol", "NotSupportedForSparseNDArray", "c_array", "c_str", "data_dir",
    "data_dir_default", "integer_types", "mx_float", "mx_real_t", "mx_uint", "numeric_types", "py_str", "string_types",
]  # fmt: skip

integer_types: tuple[type, ...] = (int, numpy.int32, numpy.int64)
numeric_types: tuple[type, ...] = (float, int, numpy.generic)
string_types: tuple[type[str]] = (str,)

mx_float, mx_uint = ctypes.c_float, ctypes.c_uint

# The types of handles of MXNet's C objects, which this package lacks. Some programs use the names of these types.
CachedOpHandle = CudaKernelHandle = CudaModuleHandle = DLPackHandle = DataIterCreatorHandle = ctypes.c_void_p
DataIterHandle = ExecutorHandle = FunctionHandle = KVStoreHandle = NDArrayHandle = OpHandle = ctypes.c_void_p
ProfileHandle = RecordIOHandle = RtcHandle = SymbolHandle = ctypes.c_void_p
mx_real_t = numpy.float32


def py_str(text: bytes) -> str:
    """Decode bytes, such as the names that monitors receive, as UTF-8.

    Parameters
    ----------
    text : bytes
        The bytes.

    Returns
    -------
    str
        The text.
    """
    return text.decode("utf-8")


def c_str(string: str) -> ctypes.c_char_p:
    """Convert a string to a C string in UTF-8.

    Parameters
    ----------
    string : str
        The string.

    Returns
    -------
    ctypes.c_char_p
        The C string.
    """
    return ctypes.c_char_p(string.encode("utf-8"))


def c_array(ctype: Any, values: Any) -> Any:
    """Convert numbers to a C array: ``c_array(mx_uint, [1, 2])``.

    Parameters
    ----------
    ctype : type
        The element type, a class of ``ctypes``.
    values : sequence of numbers
        The numbers.

    Returns
    -------
    ctypes.Array
        The C array.
    """
    return (ctype * len(values))(*values)


_as_list = as_given_list
