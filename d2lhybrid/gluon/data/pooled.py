"""Batches from an external pool: for loaders of libraries with their own workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

from ...context import Context, cpu_pinned
from ...internals.support.display import Shown
from ...ndarray import NDArray

__all__ = ["MultiWorkerIter", "as_in_context", "make_batch"]


def make_batch(samples: list[Any], batchify_fn: Callable[[list[Any]], Any], dataset: Any = None) -> Any:
    """Return a batch, made in a worker.

    Parameters
    ----------
    samples : list of int
        Which items are in it.
    batchify_fn : callable
        Makes a batch of a list of items.
    dataset : Dataset
        Where they come from.
    """
    return batchify_fn([dataset[i] for i in samples])


class MultiWorkerIter(Shown):
    """Batches in their order, while a pool of processes or threads makes the next ones.

    :class:`DataLoader` has threads of its own and does without it. Libraries derive from it, by MXNet's name
    ``_MultiWorkerIter``, and say in ``_push_next`` what a worker is given.

    Parameters
    ----------
    worker_pool : multiprocessing.pool.Pool
        The workers, or anything else with ``apply_async``.
    batchify_fn : callable
        Makes a batch of a list of items; it is handed to the workers.
    batch_sampler : Sampler
        Gives lists of numbers.
    pin_memory : bool
        Put batches into page-locked memory.
    pin_device_id : int
        For which GPU.
    worker_fn : callable
        ``worker_fn(samples, batchify_fn, dataset)``, run by a worker. Without a ``dataset`` it returns its batch
        as a pickle.
    prefetch : int
        The number of batches requested at once.
    dataset : Dataset, optional
        Where the items come from, if workers do not know it already.
    data_loader : DataLoader, optional
        Who wants them: it lives as long as this.
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
        #: Number of a batch -> its future, for requested batches that weren't returned yet.
        self._data_buffer: dict[int, Any] = {}
        self._sent_idx = self._rcvd_idx = 0
        for _ in range(prefetch):
            self._push_next()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        return self

    def _push_next(self) -> None:
        """Ask a worker for one more batch, if there is one."""
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
            batch = pickle.loads(batch)  # made by a worker of this very program
        return as_in_context(batch, cpu_pinned(self._pin_device_id)) if self._pin_memory else batch

    def next(self) -> Any:
        """Return the next batch."""
        return self.__next__()


def as_in_context(data: Any, ctx: Context) -> Any:
    """Return a batch with all its parts in a context."""
    if isinstance(data, NDArray):
        return data.as_in_context(ctx)
    if isinstance(data, list | tuple):
        return [as_in_context(part, ctx) for part in data]
    return data
