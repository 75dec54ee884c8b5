"""``nd.save`` and ``nd.load``, which save and load arrays in MXNet's file format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..context import Context, cpu
from ..error import MXNetError
from ..internals.core.invoke import wrap
from ..internals.device import array_modules
from ..internals.formats.serialization import SavedArray, from_bytes, limits, read_arrays, write_arrays
from ..util import is_np_array, is_np_shape
from .ndarray import NDArray

__all__ = ["load", "load_frombuffer", "save"]


def save(fname: str, data: Any) -> None:
    """Save arrays to a file.

    Parameters
    ----------
    fname : str
        Path of the file. An existing file is replaced once the new file is complete.
    data : NDArray, list of NDArray or dict of str to NDArray
        The arrays.

    Raises
    ------
    TypeError, ValueError
        If a value is not an array, or if a name is not a string.
    """
    names: list[str] = []
    if isinstance(data, NDArray):
        arrays = [data]
    elif isinstance(data, dict):
        if any(not isinstance(k, str) or not isinstance(v, NDArray) for k, v in data.items()):
            raise TypeError("save only accept dict str->NDArray or list of NDArray")
        names, arrays = list(data), list(data.values())
    elif isinstance(data, list):
        if any(not isinstance(v, NDArray) for v in data):
            raise TypeError("save only accept dict str->NDArray or list of NDArray")
        arrays = list(data)
    else:
        raise ValueError("data needs to either be a NDArray, dict of str, NDArray pairs or a list of NDarrays.")
    write_arrays(fname, [to_saved(a) for a in arrays], names, np_shape=is_np_shape())


def to_saved(array: NDArray) -> SavedArray:
    """Convert an array to its representation in a file.

    Parameters
    ----------
    array : NDArray
        The array.

    Returns
    -------
    SavedArray
        The array for a file.
    """
    stored = getattr(array, "_saved", None)
    if stored is not None:
        return stored()
    return SavedArray(
        data=array_modules.asnumpy(array._data), device_type=array._ctx.device_typeid, device_id=array._ctx.device_id
    )


def _from_saved(saved: SavedArray, as_np: bool) -> Any:
    if saved.storage != "default":
        from .sparse import from_saved

        return from_saved(saved)
    if saved.data is None:
        raise MXNetError("Check failed: an array in the file has no shape and no values")
    on_gpu = saved.device_type == 2 and 0 <= saved.device_id < array_modules.num_gpus()
    ctx = Context("gpu", saved.device_id) if on_gpu else cpu()
    raw = array_modules.to_context(numpy.ascontiguousarray(saved.data).reshape(saved.data.shape), ctx)
    if as_np:
        from .numpy._array import ndarray

        return wrap(ndarray, raw, ctx)
    return wrap(NDArray, raw, ctx)


def _collect(arrays: Sequence[SavedArray], names: Sequence[str], as_np: bool = False) -> Any:
    # Sparse arrays are dense in memory: check the size of all of them together.
    sparse = [a for a in arrays if a.storage != "default"]
    stored = sum(a.stored_bytes for a in arrays)
    limits.check_expansion(sum(a.dense_bytes for a in sparse), stored, "the dense form of the file's sparse arrays")
    loaded = [_from_saved(a, as_np) for a in arrays]
    return dict(zip(names, loaded, strict=True)) if names else loaded


def load(fname: str) -> Any:
    """Load arrays from a file that :func:`save` or MXNet wrote.

    Parameters
    ----------
    fname : str
        Path of the file.

    Returns
    -------
    list or dict of NDArray
        A dict if the file contains names, or else a list. The arrays are NDArrays, even after ``npx.set_np()``.
        ``npx.load`` returns ``np`` arrays.

    Raises
    ------
    MXNetError
        If the file is missing or damaged, or is not in MXNet's format.
    """
    return _load(fname, is_np_shape())


def load_parameters(fname: str) -> Any:
    """Load saved parameters. After ``npx.set_np()``, even parameters from legacy files become ``np`` arrays.

    For example, the weights of model zoos are in legacy files.

    Parameters
    ----------
    fname : str
        Path of the file.

    Returns
    -------
    dict of str to NDArray, or list of NDArray
        The parameters.
    """
    return _load(fname, None if is_np_array() and is_np_shape() else is_np_shape(), is_np_array())


def _load(fname: str, np_shape: bool | None, as_np: bool = False) -> Any:
    if not isinstance(fname, str):
        raise TypeError("fname required to be a string")
    return _collect(*read_arrays(fname, np_shape), as_np)


def load_frombuffer(buf: bytes) -> Any:
    """Load arrays from the bytes of a file.

    Parameters
    ----------
    buf : bytes
        The bytes.

    Returns
    -------
    dict of str to NDArray, or list of NDArray
        The arrays: a dictionary if the file contains names, and a list otherwise.

    Raises
    ------
    TypeError
        If ``buf`` is neither a bytes object nor a string.
    """
    if not isinstance(buf, str | bytes):
        raise TypeError("buf required to be a string or bytes")
    return _collect(*from_bytes(buf if isinstance(buf, bytes) else buf.encode("latin-1"), np_shape=is_np_shape()))
