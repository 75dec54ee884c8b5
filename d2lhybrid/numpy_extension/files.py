"""``npx.save`` and ``npx.load``: ``np`` arrays in MXNet's file format."""

from __future__ import annotations

from typing import Any

from ..ndarray import io
from ..ndarray.numpy._array import ndarray
from ..util import is_np_array

__all__ = ["load", "save"]


def save(file: str, arr: Any) -> None:
    """Save arrays to a file.

    Parameters
    ----------
    file : str
        Path of the file. An existing file is replaced once the new file is complete.
    arr : ndarray, list of ndarray or dict of str to ndarray
        The arrays.

    Raises
    ------
    TypeError, ValueError
        If a value is not an ``np`` array, if a name is not a string, or if legacy mode is on.
    """
    _require_np_mode("save")
    if isinstance(arr, ndarray):
        arr = [arr]
    if isinstance(arr, dict):
        items, names = list(arr.values()), list(arr)
    elif isinstance(arr, list | tuple):
        items, names = list(arr), []
    else:
        raise ValueError("data needs to either be a ndarray, dict of (str, ndarray) pairs or a list of ndarrays.")
    if any(not isinstance(name, str) for name in names) or any(not isinstance(a, ndarray) for a in items):
        raise TypeError("Only accepts dict str->ndarray or list of ndarrays")
    io.save(file, arr)


def _require_np_mode(what: str) -> None:
    if not is_np_array():
        raise ValueError(
            f"Cannot {what} `mxnet.numpy.ndarray` in legacy mode. Please activate numpy semantics by calling "
            "`npx.set_np()` in the global scope before calling this function."
        )


def load(file: str) -> Any:
    """Load arrays that :func:`save` wrote. The result is a list, or a dict if the arrays have names.

    Parameters
    ----------
    file : str
        Path of the file.

    Returns
    -------
    list of ndarray, or dict of str to ndarray
        The arrays.

    Raises
    ------
    TypeError
        If the file name is not a string.
    ValueError
        If legacy mode is on.
    MXNetError
        If the file is missing or damaged, or is not in MXNet's format.
    """
    _require_np_mode("load")
    loaded = io.load(file)
    if isinstance(loaded, dict):
        return {name: array.as_np_ndarray() for name, array in loaded.items()}
    return [array.as_np_ndarray() for array in loaded]
