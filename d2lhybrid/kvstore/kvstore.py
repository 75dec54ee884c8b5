"""Key-value stores within a single process."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy

from ..context import Context, cpu_pinned
from ..error import MXNetError
from ..internals.core.invoke import wrap
from ..internals.device import array_modules, collective
from ..internals.support import clock
from ..internals.support.display import Property
from ..internals.support.filesystem import write_bytes
from ..internals.support.notes import with_note
from ..internals.support.plural import counted
from ..ndarray import NDArray
from ..ndarray import array as array_of
from ..ndarray import sparse as nd_sparse
from ..ndarray.sparse_arrays import places_of_sum, with_places
from ..optimizer import Optimizer, get_updater
from .base import KVStoreBase

__all__ = ["KVStore", "check_kind", "create"]

Updater = Callable[[Any, Any, Any], Any]


class KVStore(KVStoreBase):
    """A key-value store within a single process.

    Parameters
    ----------
    kind : str
        Type of the store. If the type contains ``device`` or ``nccl``, values are stored on the first value's device.
        Otherwise, values are stored in host memory.
    """

    def __init__(self, kind: str = "local") -> None:
        self._kind = kind
        self._stored: dict[Any, NDArray] = {}
        self._key_type: type | None = None
        self._updater: Updater | None = None
        self._compression: _TwoBits | None = None

    def _shown(self) -> Iterator[Property]:
        yield Property("kind", self._kind)
        yield Property("keys", list(self._stored), not self._stored)

    # --- values --------------------------------------------------------------------------------

    def init(self, key: Any, value: Any) -> None:
        """Store initial values under keys.

        Parameters
        ----------
        key : int, str, or sequence of these
            Keys of the values.
        value : NDArray or sequence of NDArray
            A value for each key.

        Raises
        ------
        MXNetError
            If a key has a value already, or if integer and string keys are mixed.
        """
        for name, arrays in self._pairs(key, value):
            if name in self._stored:
                raise MXNetError(
                    f"Check failed: local_.find(keys[i]) == local_.end(): duplicate init of key {name}. Please double "
                    "check if you called kv.init or kv.broadcast with this key multiple times"
                    if isinstance(name, int)
                    else "Check failed: str_key_dict_.find(str_key) == str_key_dict_.end(): duplicate init of key "
                    f"{name}"
                )
            self._stored[name] = arrays[0].copyto(self._place(arrays))

    def push(self, key: Any, value: Any, priority: int = 0) -> None:
        """Sum values over devices, and update the stored values with the sums. Without an updater, store the sums.

        Parameters
        ----------
        key : int, str, or sequence of these
            Keys of the values.
        value : NDArray, list of NDArray, or list of such lists
            The arrays of all devices, for each key.
        priority : int
            Ignored, because all operations run in order.

        Raises
        ------
        MXNetError
            If a key is unknown, or if a shape differs from the stored value's shape.
        """
        grouped: dict[Any, list[NDArray]] = {}
        for one, arrays in self._pairs(key, value):
            grouped.setdefault(one, []).extend(arrays)
        for one, arrays in grouped.items():
            self._check_known(one, "!is_none(): ")
            for array in arrays:
                _check_shapes(array, self._stored[one])
        sums = self._sums(self._compressed(grouped))
        if self._updater is not None:
            self._update(sums)
            return
        for one, total in sums.items():
            stored = self._stored[one]
            if total._data.dtype != stored._data.dtype:
                self._stored[one] = total
            else:
                total.copyto(stored)

    def pull(self, key: Any, out: Any = None, priority: int = 0, ignore_sparse: bool = True) -> None:
        """Copy the stored values into arrays.

        Parameters
        ----------
        key : int, str, or sequence of these
            Keys of the values.
        out : NDArray, list of NDArray, or list of such lists
            The arrays to write to, for each key.
        priority : int
            Ignored, because all operations run in order.
        ignore_sparse : bool
            Whether to skip arrays with sparse storage.

        Raises
        ------
        AssertionError
            If ``out`` is None.
        MXNetError
            If a key is unknown, or if a shape differs from the stored value's shape.
        """
        assert out is not None, "pull requires out, the arrays that receive the values"
        pairs = self._pairs(key, out)
        for one, arrays in pairs:
            self._check_known(one, f"!local.is_none(): key {one} has not been inited")
            for array in arrays:
                _check_shapes(self._stored[one], array)
        for one, arrays in pairs:
            for array in arrays:
                if array.stype == "default" or not ignore_sparse:
                    self._stored[one].copyto(array)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Push ``value``, and then pull into ``out``, or into ``value`` if ``out`` is None.

        Parameters
        ----------
        key, value, out, priority
            Arguments of :meth:`push` and :meth:`pull`.
        """
        self.push(key, value, priority)
        self.pull(key, value if out is None else out, priority)

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Store an initial value, and copy it into ``out``. Call this method only once for each key.

        Parameters
        ----------
        key : int, str, or sequence of these
            Keys of the values.
        value : NDArray or sequence of NDArray
            A value for each key.
        out, priority
            Arguments of :meth:`pull`.
        """
        self.init(key, value)
        self.pull(key, out, priority)

    def row_sparse_pull(self, key: Any, out: Any = None, priority: int = 0, row_ids: Any = None) -> None:
        """Copy rows of the stored values into row-sparse arrays. All other rows become zero.

        Parameters
        ----------
        key : int, str, or sequence of these
            Keys of the values.
        out : RowSparseNDArray or sequence of these
            The arrays to write to.
        priority : int
            Ignored, because all operations run in order.
        row_ids : NDArray or sequence of NDArray
            Indices of the rows, for all arrays or for each array.

        Raises
        ------
        AssertionError
            If ``out`` or ``row_ids`` is None, or if the number of ``row_ids`` is neither 1 nor the number of arrays.
        MXNetError
            If a key is unknown, if an array or a stored value is not row-sparse, or if their shapes differ.
        """
        assert out is not None, "row_sparse_pull requires out, the arrays that receive the rows"
        assert row_ids is not None, "row_sparse_pull requires row_ids, the indices of the rows"
        all_rows = [row_ids] if isinstance(row_ids, NDArray) else list(row_ids)
        targets = [(name, array) for name, arrays in self._pairs(key, out) for array in arrays]
        assert len(all_rows) in (1, len(targets)), "the number of row_ids doesn't match the number of values"
        for name, array in targets:
            self._check_known(name, f"str_key_dict_.find(str_key) != str_key_dict_.end(): key {name} doesn't exist")
            _check_rows("val_stype", array, "Expected row_sparse storage type for row_sparse_pull values, but ")
            _check_rows("local.storage_type()", self._stored[name], "PullRowSparse expects row_sparse src NDArray: ")
            _check_shapes(self._stored[name], array)
        for (name, array), rows in zip(targets, all_rows * (len(targets) // len(all_rows)), strict=True):
            stored = self._stored[name]
            indices = array_of(numpy.unique(rows.asnumpy()), stored._ctx, rows.dtype)
            nd_sparse.retain(stored, indices).astype(array.dtype).copyto(array)

    # --- gradients of a Trainer, which are not stored ------------------------------------------

    def reduce(self, keys: Sequence[Any], groups: Sequence[Sequence[NDArray]]) -> list[NDArray]:
        """Return the sum of each group of arrays on the group's first device. The method stores no value.

        Parameters
        ----------
        keys : sequence
            A key for each group. With gradient compression, the remainder of a value is added to the next value with
            the same key.
        groups : sequence of list of NDArray
            The arrays of all devices, for each key.

        Returns
        -------
        list of NDArray
            The sums.
        """
        sent = self._compressed(dict(zip(keys, groups, strict=True)))
        contexts = [a._ctx for a in groups[0]]
        totals = collective.sum_on_first([[a._data for a in sent[k]] for k in keys], contexts)
        return [_sum(group, total, contexts[0]) for group, total in zip(groups, totals, strict=True)]

    def all_reduce(self, keys: Sequence[Any], groups: Sequence[Sequence[NDArray]]) -> None:
        """Replace each array with the sum of its group. The method stores no value.

        Parameters
        ----------
        keys, groups
            Arguments of :meth:`reduce`.
        """
        contexts, raws = [a._ctx for a in groups[0]], [[a._data for a in group] for group in groups]
        sparse = [(group, places_of_sum(group)) for group in groups if group[0].stype != "default"]
        clock.note_write(itertools.chain(*raws))
        if self._compression is None:
            collective.sum_everywhere(raws, contexts)
        else:
            for group, total in zip(groups, self.reduce(keys, groups), strict=True):
                total.copyto(group[0])
            collective.copy_from_first(raws, contexts)
        for group, places in sparse:
            for array in group:
                with_places(array, places)
        clock.note_write(itertools.chain(*raws))

    def _compressed(self, grouped: Mapping[Any, Sequence[NDArray]]) -> Mapping[Any, Sequence[NDArray]]:
        compression = self._compression
        if compression is None:
            return grouped
        return {key: [compression(key, i, a) for i, a in enumerate(arrays)] for key, arrays in grouped.items()}

    # --- optimizer -----------------------------------------------------------------------------

    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Set the optimizer that updates the stored values in each push. From now on, pushed values are gradients.

        Parameters
        ----------
        optimizer : Optimizer
            The optimizer.
        """
        self._set_updater(get_updater(optimizer))

    def _set_updater(self, updater: Updater) -> None:
        """Set the function ``updater(key, pushed, stored)`` that each push calls to change ``stored``."""
        self._updater = updater

    def is_capable(self, capability: str) -> bool:
        """Return True, because this store has the only capability, ``"optimizer"``.

        Parameters
        ----------
        capability : str
            Name of the capability.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ValueError
            If there is no capability of that name.
        """
        if capability.lower() == self.OPTIMIZER:
            return True
        raise ValueError(f"Unknown capability: {capability}")

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Save the states of the optimizer, and optionally the optimizer itself, to a file.

        Parameters
        ----------
        fname : str
            Path of the file.
        dump_optimizer : bool
            Whether to also save the optimizer itself.

        Raises
        ------
        AssertionError
            If :meth:`set_optimizer` has not been called.
        """
        self._require_optimizer("Cannot save states for distributed training")
        states = self._updater.get_states(dump_optimizer)  # type: ignore[union-attr]
        write_bytes(fname, states)

    def load_optimizer_states(self, fname: str) -> None:
        """Load states from a file that :meth:`save_optimizer_states` wrote.

        Parameters
        ----------
        fname : str
            Path of the file.

        Raises
        ------
        AssertionError
            If :meth:`set_optimizer` has not been called.
        MXNetError
            If the file is damaged, or contains objects other than states and an optimizer.
        """
        self._require_optimizer("Cannot load states for distributed training")
        with open(os.fspath(fname), "rb") as stream:  # os.fspath refuses numbers, which are file descriptors
            self._updater.set_states(stream.read())  # type: ignore[union-attr]

    def _require_optimizer(self, message: str) -> None:
        """Raise MXNet's error, which names another cause, if the store has no optimizer."""
        if self._updater is None:
            error = AssertionError(message)
            error.add_note("The store has no optimizer. Call kv.set_optimizer(optimizer) first.")
            raise error

    def set_gradient_compression(self, compression_params: Mapping[str, Any]) -> None:
        """Make pushes round values to 0 or plus or minus a threshold, and add the remainder to the device's next push.

        Parameters
        ----------
        compression_params : dict
            Settings: ``{"type": "2bit", "threshold": 0.5}``. Elements of at least the threshold are rounded to the
            threshold, elements of at most ``-threshold`` are rounded to ``-threshold``, and all other elements are
            rounded to 0.

        Raises
        ------
        Exception
            If the type of the store does not contain ``device``, as in MXNet.
        MXNetError
            If the settings are invalid.
        """
        if "device" not in self._kind:
            raise Exception("Gradient compression is not supported for this type of kvstore")
        self._compression = _TwoBits.from_params(compression_params)

    # --- properties ----------------------------------------------------------------------------

    @property
    def type(self) -> str:
        """The type of the store, such as ``"local"`` or ``"device"``."""
        return self._kind

    @property
    def rank(self) -> int:
        """The index of this process, which is always 0."""
        return 0

    @property
    def num_workers(self) -> int:
        """The number of processes that share the store, which is always 1."""
        return 1

    def _barrier(self) -> None:
        """Do nothing, because there are no other processes to wait for."""

    # --- helpers -------------------------------------------------------------------------------

    def _pairs(self, key: Any, value: Any) -> list[tuple[Any, list[NDArray]]]:
        """Return the pairs of key and arrays."""
        if isinstance(key, list | tuple):
            assert len(key) == len(value), f"key has {counted(len(key), 'element')}, but value has {len(value)}"
            return [pair for one, values in zip(key, value, strict=True) for pair in self._pairs(one, values)]
        assert isinstance(key, int | str), f"unexpected type for keys: {type(key)}"
        kind = str if isinstance(key, str) else int
        if self._key_type not in (None, kind):
            numbers = "(1 vs. 0)" if kind is str else "(0 vs. 1)"
            raise MXNetError(f"Check failed: key_type_ == key_type {numbers} : Mixed key types are not allowed")
        arrays = [value] if isinstance(value, NDArray) else list(value)
        for array in arrays:
            assert isinstance(array, NDArray), f"each value must be an NDArray, not {type(array).__name__}"
        self._key_type = kind
        return [(key, arrays)] if arrays else []

    def _check_known(self, key: Any, what: str) -> None:
        if key not in self._stored:
            error = MXNetError(f"Check failed: {what}")
            error.add_note(f"Call kv.init({key!r}, ...) first. Existing keys: {list(self._stored)}.")
            raise error

    def _place(self, arrays: Sequence[NDArray]) -> Context:
        """Return the context for the values of a key: the first device, or host memory."""
        return arrays[0]._ctx if "device" in self._kind or "nccl" in self._kind else cpu_pinned()

    def _sums(self, grouped: Mapping[Any, Sequence[NDArray]]) -> dict[Any, NDArray]:
        """Return the sum of each key's arrays, on the device of the stored value."""
        by_devices: dict[tuple[Context, ...], list[Any]] = {}
        for key, arrays in grouped.items():
            by_devices.setdefault(tuple(a._ctx for a in arrays), []).append(key)
        sums: dict[Any, NDArray] = {}
        for contexts, keys in by_devices.items():
            totals = collective.sum_on_first([[a._data for a in grouped[k]] for k in keys], contexts)
            for key, total in zip(keys, totals, strict=True):
                arrays = grouped[key]
                sums[key] = _sum(arrays, total, arrays[0]._ctx).as_in_context(self._stored[key]._ctx)
        return {key: sums[key] for key in grouped}

    def _update(self, sums: Mapping[Any, NDArray]) -> None:
        """Update the stored values: in one call if the updater runs an optimizer, and key by key otherwise."""
        updater = self._updater
        assert updater is not None
        keys = list(sums)
        if hasattr(updater, "optimizer"):
            updater(keys, [sums[k] for k in keys], [self._stored[k] for k in keys])
            return
        for key in keys:
            updater(key, sums[key], self._stored[key])


class _TwoBits:
    """Gradient compression, which rounds elements to the threshold, its negative, or 0, and keeps the remainder."""

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold
        self._rest: dict[tuple[Any, int], Any] = {}

    @classmethod
    def from_params(cls, params: Mapping[str, Any]) -> _TwoBits:
        if "type" not in params:
            error = MXNetError("Required parameter type of string is not presented")
            raise with_note(error, f"The parameters {dict(params)} contain no 'type'. Pass {{'type': '2bit'}}.")
        if params["type"] != "2bit":
            error = MXNetError(f"Unknown type for gradient compression {params['type']}")
            raise with_note(error, "The only supported type is '2bit'.")
        threshold = float(params.get("threshold", 0.5))
        if threshold <= 0:
            raise MXNetError(
                f"Check failed: params.threshold > 0 ({threshold:g} vs. 0) : threshold must be greater than 0"
            )
        return cls(threshold)

    def __call__(self, key: Any, device: int, gradient: NDArray) -> NDArray:
        xp = array_modules.array_module(gradient._ctx)
        rest = self._rest.get((key, device))
        total = gradient._data.copy() if rest is None else rest + gradient._data
        signs = (total >= self.threshold).astype(total.dtype) - (total <= -self.threshold).astype(total.dtype)
        sent = xp.multiply(signs, total.dtype.type(self.threshold))
        self._rest[key, device] = total - sent
        return wrap(type(gradient), sent, gradient._ctx)


def create(name: str = "local") -> KVStoreBase:
    """Create a store.

    Parameters
    ----------
    name : str
        Type of the store. ``"local"`` stores values in host memory, and ``"device"`` on the devices. ``"nccl"`` is like
        ``"device"``, but requires NCCL. The name of a registered class creates an instance of the class.

    Returns
    -------
    KVStoreBase
        The store.

    Raises
    ------
    TypeError
        If the name is not a string.
    MXNetError
        If the type requires several machines, or is ``"nccl"`` and NCCL is not installed.

    Examples
    --------
    >>> create("device").type
    'device'
    """
    if not isinstance(name, str):
        raise TypeError("name must be a string")
    name = name.lower()
    if name in KVStoreBase.kv_registry:
        return KVStoreBase.kv_registry[name]()
    check_kind(name)
    return KVStore(name)


def check_kind(name: str) -> None:
    """Raise an error if this machine does not support a type of store.

    Parameters
    ----------
    name : str
        Type of the store.

    Raises
    ------
    MXNetError
        If the type requires several machines, or is ``"nccl"`` and NCCL is not installed.
    """
    if name.startswith(("dist", "horovod", "byteps", "p3")):
        error = MXNetError(
            f"KVStore type {name!r} is for training on several machines, which d2lhybrid does not support"
        )
        error.add_note('Use the type "device" or "local".')
        raise error
    if "nccl" in name and array_modules.nccl() is None:
        error = MXNetError("compile with USE_NCCL=1 to use nccl")
        error.add_note(
            "Install NCCL with `pip install nvidia-nccl-cu12` (CUDA 13: nvidia-nccl-cu13), or use the type 'device'."
        )
        raise error


def _sum(arrays: Sequence[NDArray], total: Any, ctx: Context) -> NDArray:
    """Return the sum of arrays as an array of the same class."""
    result = wrap(type(arrays[0]), total, ctx)
    return result if result.stype == "default" else with_places(result, places_of_sum(arrays))


def _check_shapes(source: NDArray, target: NDArray) -> None:
    if source.shape != target.shape:
        a, b = (str(list(x.shape)).replace(" ", "") for x in (source, target))
        raise MXNetError(
            f"Check failed: from.shape() == to.shape(): operands shape mismatch from.shape = {a} to.shape={b}"
        )


def _check_rows(what: str, array: NDArray, meaning: str) -> None:
    """Raise an error if an array is not row-sparse."""
    if array.stype != "row_sparse":
        number = {"default": 0, "csr": 2}[array.stype]
        raise MXNetError(
            f"Check failed: {what} == kRowSparseStorage ({number} vs. 1) : {meaning}detected storage type {number}"
        )
