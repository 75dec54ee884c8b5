"""Batches from an external pool, for loaders of other libraries with their own workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

from ...context import Context, cpu_pinned
from ...internals.support.display import Shown
from ...ndarray import NDArray

__all__ = ["MultiWorkerIter", "as_in_context", "make_batch"]


def make_batch(samples: list[Any], batchify_fn: Callable[[list[Any]], Any], dataset: Any = None) -> Any:
    """Return a batch of items. Each worker calls this function.

    Parameters
    ----------
    samples : list of int
        Indices of the items.
    batchify_fn : callable
        Function that combines a list of items into a batch.
    dataset : Dataset
        The source of the items.

    Returns
    -------
    object
        The result of ``batchify_fn``.
    """
    return batchify_fn([dataset[i] for i in samples])


class MultiWorkerIter(Shown):
    """An iterator that returns batches in order, while a pool of processes or threads makes the next batches.

    :class:`DataLoader` has its own workers and doesn't use this class. Other libraries define subclasses, with MXNet's
    name ``_MultiWorkerIter``, and override ``_push_next`` to pass other arguments to the workers.

    Parameters
    ----------
    worker_pool : multiprocessing.pool.Pool
        The workers: a pool, or any object with ``apply_async``.
    batchify_fn : callable
        Function that combines a list of items into a batch. The iterator passes it to the workers.
    batch_sampler : Sampler
        Sampler of lists of indices.
    pin_memory : bool
        Whether to put batches into page-locked memory.
    pin_device_id : int
        Index of the GPU.
    worker_fn : callable
        Function that a worker calls: ``worker_fn(samples, batchify_fn, dataset)``. Without a ``dataset``, the function
        returns the batch as a pickle.
    prefetch : int
        Number of batches to request in advance.
    dataset : Dataset, optional
        The source of the items, unless workers have their own reference to the data set.
    data_loader : DataLoader, optional
        The loader that uses the batches. The iterator keeps the loader alive.
    timeout : int
        Seconds to wait for a batch.
    """

    def __init__(
        self,
        worker_pool: Any,
        batchify_fn: Callable[[list[Any]], Any],
        batch_sampler: Any,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        worker_fn: Callable[..., Any] = make_batch,
        prefetch: int = 0,
        dataset: Any = None,
        data_loader: Any = None,
        timeout: int = 120,
    ) -> None:
        self._worker_pool, self._worker_fn, self._batchify_fn = worker_pool, worker_fn, batchify_fn
        self._batch_sampler, self._dataset, self._data_loader = batch_sampler, dataset, data_loader
        self._pin_memory, self._pin_device_id, self._timeout = pin_memory, pin_device_id, timeout
        self._iter: Iterator[Any] = iter(batch_sampler)
        #: The future of each requested batch that wasn't returned yet, by number of the batch.
        self._data_buffer: dict[int, Any] = {}
        self._sent_idx = self._rcvd_idx = 0
        for _ in range(prefetch):
            self._push_next()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        return self

    def _push_next(self) -> None:
        """Request the next batch from a worker, if there is another batch."""
        samples = next(self._iter, None)
        if samples is None:
            return
        arguments = (samples, self._batchify_fn, self._dataset)
        self._data_buffer[self._sent_idx] = self._worker_pool.apply_async(self._worker_fn, arguments)
        self._sent_idx += 1

    def __next__(self) -> Any:
        self._push_next()
        if self._rcvd_idx == self._sent_idx:
            raise StopIteration
        asked_for = self._data_buffer.pop(self._rcvd_idx)
        try:
            batch = asked_for.get(self._timeout)
        except Exception:
            self._worker_pool.terminate()
            raise
        self._rcvd_idx += 1
        if self._dataset is None and isinstance(batch, bytes):
            batch = pickle.loads(batch)  # from a worker of this program
        return as_in_context(batch, cpu_pinned(self._pin_device_id)) if self._pin_memory else batch

    def next(self) -> Any:
        """Return the next batch."""
        return self.__next__()


def as_in_context(data: Any, ctx: Context) -> Any:
    """Return a batch on a device. Arrays that are already on the device are not copied.

    Parameters
    ----------
    data : NDArray, list of NDArray, or object
        The batch. Objects that are not arrays are returned unchanged.
    ctx : Context
        The device.

    Returns
    -------
    NDArray, list of NDArray, or object
        The batch.
    """
    if isinstance(data, NDArray):
        return data.as_in_context(ctx)
    if isinstance(data, list | tuple):
        return [as_in_context(part, ctx) for part in data]
    return data
