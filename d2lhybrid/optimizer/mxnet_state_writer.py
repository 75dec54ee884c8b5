"""A writer of optimizer states in MXNet's format.

A file of states is a pickle, which contains the names of its objects' classes. This module writes MXNet's names, and
:mod:`.saved_states` also recognizes these names. MXNet and this package can therefore read each other's files.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from typing import Any

from ..internals.formats.serialization import array_to_bytes
from ..lr_scheduler import LRScheduler
from ..ndarray import NDArray
from ..ndarray.io import to_saved
from . import adaptive, contrib, descent, large_batch
from .optimizer import Optimizer

__all__ = ["write_states"]

_OPTIMIZERS = {
    "mxnet.optimizer.optimizer": (adaptive, descent, large_batch),
    "mxnet.optimizer.contrib": (contrib,),
}
#: MXNet's names in a file, by name of our class. MXNet has no AdamW, which keeps our name.
_NAMES = {
    f"{getattr(ours, name).__module__} {name}": f"{theirs} {name}"
    for theirs, modules in _OPTIMIZERS.items()
    for ours in modules
    for name in ours.__all__
    if name != "AdamW"
}


class _Array:
    """The placeholder of an array while a pickle is written."""


class _ArrayOfNumpy:
    """The placeholder of an ``mx.np`` array."""


class _RowSparse:
    """The placeholder of a row-sparse array."""


class _CSR:
    """The placeholder of a matrix in compressed sparse row form."""


_NAMES |= {
    f"{__name__} _Array": "mxnet.ndarray.ndarray NDArray",
    f"{__name__} _ArrayOfNumpy": "mxnet.numpy.multiarray ndarray",
    f"{__name__} _RowSparse": "mxnet.ndarray.sparse RowSparseNDArray",
    f"{__name__} _CSR": "mxnet.ndarray.sparse CSRNDArray",
}
_STAND_INS = {"NDArray": _Array, "ndarray": _ArrayOfNumpy, "RowSparseNDArray": _RowSparse, "CSRNDArray": _CSR}


def write_states(states: Any) -> bytes:
    """Return states, optionally with their optimizer, as the bytes of a file that MXNet reads.

    Optimizers and schedules of user-defined classes keep their names.

    Parameters
    ----------
    states : dict or (dict, Optimizer)
        The states by the index of the weight, optionally with the optimizer.

    Returns
    -------
    bytes
        The contents of the file.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> b"mxnet.ndarray.ndarray" in write_states({0: nd.ones((2,))})
    True
    """
    stream = io.BytesIO()
    try:
        _Pickler(stream, protocol=3).dump(states)
    except OverflowError:  # an array exceeds 4 GB, which MXNet's protocol does not support
        return pickle.dumps(states)
    return _renamed(stream.getvalue())


class _Pickler(pickle.Pickler):
    """A pickler that writes arrays as MXNet does, as the bytes of a file of arrays."""

    def reducer_override(self, obj: Any) -> Any:
        """Return the function and the arguments that restore an array. Other objects are pickled as usual."""
        stand_in = _STAND_INS.get(type(obj).__name__) if isinstance(obj, NDArray) else None
        if stand_in is None or obj._data is None:
            return NotImplemented
        saved = to_saved(obj)
        # Only this form supports arrays without dimensions or without elements.
        handle = array_to_bytes(saved, np_shape=saved.storage == "default" and 0 in (len(saved.shape), *saved.shape))
        return stand_in, (None,), {"handle": bytearray(handle)}


def _renamed(data: bytes) -> bytes:
    """Return a pickle with MXNet's names."""
    pieces, end = [], 0
    for opcode, name, position in pickletools.genops(data):
        assert position is not None
        if opcode.name == "GLOBAL":
            assert isinstance(name, str)
            after = position + len(name.encode()) + 2
            pieces += [data[end:position], b"c", _name_there(name).replace(" ", "\n").encode(), b"\n"]
            end = after
    return b"".join((*pieces, data[end:]))


def _name_there(name: str) -> str:
    if name.startswith(f"{LRScheduler.__module__} "):
        return "mxnet.lr_scheduler " + name.partition(" ")[2]
    if name.startswith("numpy._core."):  # a name in NumPy 2, which also accepts the old name for MXNet
        return name.replace("numpy._core.", "numpy.core.", 1)
    if name == f"{Optimizer.__module__} Optimizer":
        return "mxnet.optimizer.optimizer Optimizer"
    return _NAMES.get(name, name)
