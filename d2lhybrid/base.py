"""``mx.base``: the names that programs import from there."""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Any

import numpy

from .errors import MXNetError, NotImplementedForSymbol

__all__ = [
    "MXNetError", "NotImplementedForSymbol", "c_array", "c_str", "data_dir", "data_dir_default", "integer_types",
    "mx_float", "mx_real_t", "mx_uint", "numeric_types", "py_str", "string_types",
]  # fmt: skip

integer_types: tuple[type, ...] = (int, numpy.int32, numpy.int64)
numeric_types: tuple[type, ...] = (float, int, numpy.generic)
string_types: tuple[type[str]] = (str,)

mx_float, mx_uint = ctypes.c_float, ctypes.c_uint
mx_real_t = numpy.float32


def data_dir_default() -> str:
    """Return the folder of data sets and models where no other is set: ``~/.mxnet``; on Windows it is in APPDATA."""
    if platform.system() == "Windows":
        return os.path.join(os.environ["APPDATA"], "mxnet")
    return os.path.join(os.path.expanduser("~"), ".mxnet")


def data_dir() -> str:
    """Return the folder of data sets and models: ``MXNET_HOME``, or that of :func:`data_dir_default`."""
    return os.environ.get("MXNET_HOME") or data_dir_default()


def py_str(text: bytes) -> str:
    """Return text of bytes, such as the names that monitors are told."""
    return text.decode("utf-8")


def c_str(string: str) -> ctypes.c_char_p:
    """Return text as C has it."""
    return ctypes.c_char_p(string.encode("utf-8"))


def c_array(ctype: Any, values: Any) -> Any:
    """Return numbers as C has them: ``c_array(mx_uint, [1, 2])``."""
    return (ctype * len(values))(*values)


def _as_list(obj: Any) -> Any:
    """Return a list or tuple as it is, anything else in a list."""
    return obj if isinstance(obj, list | tuple) else [obj]
