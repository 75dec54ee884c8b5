"""Sums and copies between devices, for groups of raw arrays such as a parameter's gradients, one for each device.

Distinct GPUs use NCCL, which CuPy wraps as ``cupy.cuda.nccl``. Gluon runs all devices from one process, so one process
creates NCCL's communicators for all devices (``initAll``); ``cupyx.distributed`` would need one process for each
device. One NCCL group call launches the operations of all groups, without copies through a common buffer. If contexts
share a device or are CPUs, or if NCCL is missing, the arrays are copied to the first device and added there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...context import Context
from . import array_modules

__all__ = ["copy_from_first", "sum_everywhere", "sum_on_first"]

Group = Sequence[Any]

#: The element type of an array -> the name of NCCL's type.
_TYPES = {
    "int8": "NCCL_INT8", "uint8": "NCCL_UINT8", "int32": "NCCL_INT32", "int64": "NCCL_INT64",
    "float16": "NCCL_FLOAT16", "float32": "NCCL_FLOAT32", "float64": "NCCL_FLOAT64",
}  # fmt: skip


def sum_everywhere(groups: Sequence[Group], contexts: Sequence[Context]) -> None:
    """Replace every array with the sum of its group, in place.

    Parameters
    ----------
    groups : sequence of sequence of array
        The groups of raw arrays, each in the order of ``contexts``.
    contexts : sequence of Context
        The context of each array of a group.

    Examples
    --------
    >>> import numpy
    >>> from d2lhybrid import cpu
    >>> first, second = numpy.ones(2), numpy.full(2, 3.0)
    >>> sum_everywhere([[first, second]], [cpu(0), cpu(1)])
    >>> first, second
    (array([4., 4.]), array([4., 4.]))
    """
    nccl, others = _split(groups, contexts)

    def reduce(communicator: Any, rank: int, group: Group, stream: int) -> None:
        data, kind = group[rank].data.ptr, _nccl_type(group[rank])
        communicator.allReduce(data, data, group[rank].size, kind, array_modules.nccl().NCCL_SUM, stream)

    _together(reduce, nccl, contexts)
    for group in others:
        total = _added_up(group, contexts)
        for array, context in zip(group, contexts, strict=True):
            _write(array, total, context)


def sum_on_first(groups: Sequence[Group], contexts: Sequence[Context]) -> list[Any]:
    """Return the sum of each group, as a new array on the first device; see :func:`sum_everywhere`.

    Parameters
    ----------
    groups, contexts
        As for :func:`sum_everywhere`.

    Returns
    -------
    list of array
        The sum of each group.
    """
    nccl, others = _split(groups, contexts)
    totals: dict[int, Any] = {}
    if nccl:
        xp = array_modules.array_module(contexts[0])
        totals = {id(group): xp.empty_like(group[0]) for group in nccl}

    def reduce(communicator: Any, rank: int, group: Group, stream: int) -> None:
        data, kind = group[rank].data.ptr, _nccl_type(group[rank])
        target = totals[id(group)].data.ptr if rank == 0 else data  # only the first device's result is used
        communicator.reduce(data, target, group[rank].size, kind, array_modules.nccl().NCCL_SUM, 0, stream)

    _together(reduce, nccl, contexts)
    for group in others:
        totals[id(group)] = _added_up(group, contexts)
    return [totals[id(group)] for group in groups]


def copy_from_first(groups: Sequence[Group], contexts: Sequence[Context]) -> None:
    """Copy the first array of each group into the group's other arrays; see :func:`sum_everywhere`.

    Parameters
    ----------
    groups, contexts
        As for :func:`sum_everywhere`.
    """
    nccl, others = _split(groups, contexts)

    def broadcast(communicator: Any, rank: int, group: Group, stream: int) -> None:
        data = group[rank].data.ptr
        communicator.broadcast(data, data, group[rank].size, _nccl_type(group[rank]), 0, stream)

    _together(broadcast, nccl, contexts)
    for group in others:
        for array, context in list(zip(group, contexts, strict=True))[1:]:
            _write(array, group[0], context)


def _write(array: Any, value: Any, context: Context) -> None:
    value = array_modules.to_context(value, context)
    array_modules.array_module(context)  # makes the device current
    array[...] = value


def _added_up(group: Group, contexts: Sequence[Context]) -> Any:
    array_modules.array_module(contexts[0])  # makes the device current
    total = group[0].copy()
    for array in group[1:]:
        here = array_modules.to_context(array, contexts[0])
        array_modules.array_module(contexts[0])
        total += here
    return total


# --- NCCL --------------------------------------------------------------------------------------


def _split(groups: Sequence[Group], contexts: Sequence[Context]) -> tuple[list[Group], list[Group]]:
    """Return the groups that NCCL supports, and the remaining groups."""
    devices = {c.device_id for c in contexts if c.device_typeid == 2}
    if len(contexts) < 2 or len(devices) < len(contexts) or array_modules.nccl() is None:
        return [], list(groups)
    fit: list[Group] = []
    others: list[Group] = []
    for group in groups:
        first = group[0]
        alike = all(a.flags.c_contiguous and a.dtype == first.dtype and a.size == first.size for a in group)
        (fit if alike and first.size and first.dtype.name in _TYPES else others).append(group)
    return fit, others


def _nccl_type(array: Any) -> int:
    return getattr(array_modules.nccl(), _TYPES[array.dtype.name])


@functools.cache
def _communicators(nccl: Any, devices: tuple[int, ...]) -> list[Any]:
    """Return one communicator for each device; they are cached, because their creation takes a second."""
    return nccl.NcclCommunicator.initAll(list(devices))


@contextmanager
def _group_call(nccl: Any) -> Iterator[None]:
    nccl.groupStart()
    try:
        yield
    finally:
        nccl.groupEnd()


def _together(
    call: Callable[[Any, int, Group, int], None], groups: Sequence[Group], contexts: Sequence[Context]
) -> None:
    """Call NCCL for every group and device within one NCCL group call, on the current stream of each device."""
    if not groups:
        return
    nccl = array_modules.nccl()
    communicators = _communicators(nccl, tuple(c.device_id for c in contexts))
    streams = [array_modules.stream_address(context) for context in contexts]
    with _group_call(nccl):
        for group in groups:
            for rank, communicator in enumerate(communicators):
                call(communicator, rank, group, streams[rank])
