"""``mx.executor_manager``: a function that splits a batch over devices, for user-defined iterators.

This module lacks MXNet's classes, which trained models before ``mx.mod`` existed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .internals.support.absent import refusing
from .internals.support.notes import with_note
from .internals.support.plural import counted
from .ndarray import NDArray

__all__ = ["split_input_slice"]


def split_input_slice(batch_size: int, work_load_list: Sequence[float]) -> list[slice]:
    """Return the slice of a batch for each device.

    Parameters
    ----------
    batch_size : int
        Number of examples.
    work_load_list : list of number
        Relative workload of each device.

    Returns
    -------
    list of slice
        The slices.

    Raises
    ------
    ValueError
        If a slice would be empty.

    Examples
    --------
    >>> split_input_slice(10, [1, 3])
    [slice(0, 2, None), slice(2, 10, None)]
    """
    total, slices, end = sum(work_load_list), [], 0
    counts = [round(load * batch_size / total) for load in work_load_list]
    if sum(counts) < batch_size:
        counts[-1] += batch_size - sum(counts)
    for count in counts:
        begin = min(end, batch_size)
        end = min(begin + count, batch_size)
        if begin >= end:
            error = ValueError("Too many slices. Some splits are empty.")
            raise with_note(
                error,
                f"A batch of {counted(batch_size, 'example')} cannot be divided among "
                f"{counted(len(work_load_list), 'device')} with the loads {list(work_load_list)}. Use larger batches, "
                "fewer devices, or loads that differ less.",
            )
        slices.append(slice(begin, end))
    return slices


def _check_arguments(symbol: Any) -> None:
    """Raise a ValueError if two arguments, or two auxiliary states, have the same name."""
    arguments, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    for name, count in Counter(arguments).items():
        if count > 1:
            raise ValueError(
                f'Find duplicated argument name "{name}", please make the weight name non-duplicated(using name '
                f"arguments), arguments are {arguments}"
            )
    for name, count in Counter(states).items():
        if count > 1:
            raise ValueError(
                f'Find duplicated auxiliary param name "{name}", please make the weight name non-duplicated(using '
                f"name arguments), arguments are {arguments}, auxiliary params are {states}"
            )


def _load_general(data: Sequence[Any], targets: Sequence[Any]) -> None:
    """Copy each array into a target array, or slices of it into target arrays on several devices."""
    for source, places in zip(data, targets, strict=False):
        if isinstance(places, NDArray):
            source.copyto(places)
            continue
        stop = places[-1][0].stop
        if stop != source.shape[0]:
            raise AssertionError(f"Batch size miss match. Expected {stop}, got {source.shape[0]}")
        for part, place in places:
            source[part].copyto(place)


def _load_data(batch: Any, targets: Sequence[Any]) -> None:
    """Copy the data of a batch."""
    _load_general(batch.data, targets)


def _load_label(batch: Any, targets: Sequence[Any]) -> None:
    """Copy the labels of a batch."""
    _load_general(batch.label, targets)


_split_input_slice = split_input_slice
__getattr__ = refusing(__name__)
