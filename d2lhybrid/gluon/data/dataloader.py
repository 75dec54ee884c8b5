"""The loader, which iterates over a data set in batches.

With ``num_workers``, workers make batches in advance. Workers are processes (:mod:`d2lhybrid.gluon.data.processes`), or
threads (:mod:`d2lhybrid.gluon.data.threads`) on request. On systems other than Linux, processes are unavailable or
slower, so the workers are threads there. Batches that are slices of arrays are also made by threads, because sending a
slice takes longer than slicing.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, overload

from ...context import cpu_pinned
from ...internals.support.absent import no_attribute
from ...internals.support.display import Shown
from ...internals.support.machine import can_fork
from ...internals.support.plural import counted
from ...ndarray import NDArray
from . import sampler as _sampler
from .batchify import default_batchify_fn
from .concurrency_limit import Turns
from .dataset import Dataset, Item, SimpleDataset, is_plain
from .pooled import MultiWorkerIter as _MultiWorkerIter  # noqa: F401  MXNet's name for it
from .pooled import as_in_context
from .pooled import as_in_context as _as_in_context  # noqa: F401
from .streams import Streams
from .threads import Threads

if TYPE_CHECKING:
    from ..calls import Items, Unsaid
    from .processes import Processes

__all__ = ["DataLoader", "default_batchify_fn", "default_mp_batchify_fn"]

default_mp_batchify_fn = default_batchify_fn


def _collect(dataset: Any, indices: list[Any]) -> list[Any]:
    return [dataset[i] for i in indices]


class DataLoader(Shown, Generic[Item]):
    """An iterable over the batches of a data set.

    Parameters
    ----------
    dataset : Dataset
        The data set, or any sequence, such as a list or an array.
    batch_size : int, optional
        Number of items in a batch.
    shuffle : bool
        Whether to shuffle the items in each epoch.
    sampler : Sampler, optional
        Sampler of the items' indices. It cannot be combined with ``shuffle``.
    last_batch : {"keep", "discard", "rollover"}, optional
        Whether to keep a shorter last batch (the default), to discard it, or to complete it in the next epoch.
    batch_sampler : Sampler, optional
        Sampler of lists of indices, which replaces ``batch_size``, ``shuffle``, ``sampler``, and ``last_batch``.
    batchify_fn : callable, optional
        Function that combines a list of items into a batch; :func:`default_batchify_fn` by default.
    num_workers : int
        Number of workers that make batches in advance. With 0, each batch is made on request. Workers are processes
        that start and end with an epoch. At most one worker per core works at a time. Workers are threads with
        ``thread_pool=True``, on systems other than Linux, and inside a worker. They are also threads if batches are
        slices of arrays and all transforms belong to this package and work on whole batches.
    pin_memory : bool
        Whether to put batches into page-locked memory, from which copies to a GPU are faster.
    pin_device_id : int
        Index of the GPU.
    prefetch : int, optional
        Number of batches to prepare in advance; twice the number of workers by default.
    thread_pool : bool
        Whether to use threads, which share memory. They suit data on a GPU, data that cannot be pickled, and data sets
        that change their own state.
    timeout : int
        Seconds to wait for a worker's batch.
    auto_reload : bool
        Whether to start the next epoch as soon as an epoch has ended.

    Raises
    ------
    ValueError
        If neither ``batch_size`` nor ``batch_sampler`` is specified, if ``sampler`` is combined with ``shuffle``, or if
        ``batch_sampler`` is combined with an argument that it replaces.

    Notes
    -----
    A worker process has a copy of the data set from the start of the epoch. As in MXNet, changes that a transform makes
    to objects stay in the worker. Batches return through shared memory, so their elements must be picklable. An
    exception in a worker is raised in the main process, with the worker's traceback as a note.

    ``mx.random.seed`` makes batches reproducible for any positive number of workers, and ``numpy.random.seed`` makes
    their order reproducible. Each batch has its own random streams. In a worker process, these streams include those
    of ``numpy.random`` and ``random``, which threads share. Without workers, random numbers come from the program's
    global streams.

    Examples
    --------
    >>> [batch.asnumpy().tolist() for batch in DataLoader([1, 2, 3], batch_size=2)]
    [[1, 2], [3]]
    """

    if TYPE_CHECKING:

        @overload
        def __init__(
            self,
            dataset: Items[Item],
            batch_size: int | None = None,
            shuffle: bool = False,
            sampler: Any = None,
            last_batch: str | None = None,
            batch_sampler: Any = None,
            batchify_fn: None = None,
            num_workers: int = 0,
            pin_memory: bool = False,
            pin_device_id: int = 0,
            prefetch: int | None = None,
            thread_pool: bool = False,
            timeout: int = 120,
            auto_reload: bool = False,
        ) -> None: ...
        @overload
        def __init__(
            self: DataLoader[Any],
            dataset: Any,
            batch_size: int | None = None,
            shuffle: bool = False,
            sampler: Any = None,
            last_batch: str | None = None,
            batch_sampler: Any = None,
            batchify_fn: Callable[[list[Any]], Any] | None = None,
            num_workers: int = 0,
            pin_memory: bool = False,
            pin_device_id: int = 0,
            prefetch: int | None = None,
            thread_pool: bool = False,
            timeout: int = 120,
            auto_reload: bool = False,
        ) -> None: ...

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Callable[[list[Any]], Any] | None = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        prefetch: int | None = None,
        thread_pool: bool = False,
        timeout: int = 120,
        auto_reload: bool = False,
    ) -> None:
        if batch_sampler is None:
            if batch_size is None:
                raise ValueError("batch_size must be specified unless batch_sampler is specified")
            if sampler is None:
                order = _sampler.RandomSampler if shuffle else _sampler.SequentialSampler
                sampler = order(len(dataset))
            elif shuffle:
                raise ValueError("shuffle must not be specified if sampler is specified")
            batch_sampler = _sampler.BatchSampler(sampler, batch_size, last_batch or "keep")
        elif batch_size is not None or shuffle or sampler is not None or last_batch is not None:
            raise ValueError(
                "batch_size, shuffle, sampler and last_batch must not be specified if batch_sampler is specified."
            )
        self._dataset = dataset
        self._batch_sampler = batch_sampler
        self._batchify_fn = default_batchify_fn if batchify_fn is None else batchify_fn
        self._num_workers = max(num_workers, 0)
        self._prefetch = max(2 * self._num_workers if prefetch is None else prefetch, 0)
        self._pin_memory, self._pin_device_id = pin_memory, pin_device_id  # used by subclasses with their own workers
        self._pinned = cpu_pinned(pin_device_id) if pin_memory else None
        self._thread_pool, self._timeout = thread_pool, timeout
        self._is_short = False  # whether the last epoch was short
        self._turns = Turns(max(self._num_workers, 1))
        self.auto_reload = auto_reload
        self._iter: Iterator[Any] | None = None
        if auto_reload:
            self.refresh()

    def refresh(self) -> None:
        """Start the next epoch before the program iterates over it. Workers, if any, begin to make the first batches.

        Examples
        --------
        >>> from d2lhybrid import gluon
        >>> data = gluon.data.ArrayDataset([1, 2, 3])
        >>> loader = gluon.data.DataLoader(data, batch_size=2, num_workers=1, thread_pool=True)
        >>> loader.refresh()
        >>> [batch.shape for batch in loader]
        [(2,), (1,)]
        """
        if self._num_workers == 0:
            self._iter = self._made_one_by_one()
        else:
            self._iter = self._made_ahead(begin=True)
            next(self._iter, None)

    def clean(self) -> None:
        """Discard the epoch that :meth:`refresh` has started. The next loop starts a new epoch."""
        self._iter = None

    def __len__(self) -> int:
        return len(self._batch_sampler)

    if TYPE_CHECKING:

        @overload
        def __iter__(self: DataLoader[Unsaid]) -> Iterator[Any]: ...
        @overload
        def __iter__(self: DataLoader[tuple[Any, ...]]) -> Iterator[list[NDArray]]: ...
        @overload
        def __iter__(self: DataLoader[NDArray]) -> Iterator[NDArray]: ...
        @overload
        def __iter__(self) -> Iterator[Any]: ...

    def __iter__(self) -> Iterator[Any]:
        begun, self._iter = self._iter, None  # use each epoch only once
        if begun is None:
            begun = self._made_one_by_one() if self._num_workers == 0 else self._made_ahead()
        return self._and_reload(begun) if self.auto_reload else begun

    def _and_reload(self, epoch: Iterator[Any]) -> Iterator[Any]:
        yield from epoch
        if self._iter is None:
            self.refresh()

    def _made_one_by_one(self) -> Iterator[Any]:
        return (self._pinned_if_wanted(self._make(indices, _collect)) for indices in self._batch_sampler)

    def _make(self, indices: list[Any], collect: Callable[[Any, list[Any]], list[Any]]) -> Any:
        dataset = self._dataset
        batch = None
        if self._batchify_fn is default_batchify_fn and isinstance(dataset, Dataset):
            batch = dataset._take_batch(indices)
        return self._batchify_fn(collect(dataset, indices)) if batch is None else batch

    def _pinned_if_wanted(self, batch: Any) -> Any:
        return batch if self._pinned is None else as_in_context(batch, self._pinned)

    def _made_ahead(self, begin: bool = False) -> Iterator[Any]:
        """Yield batches while workers make the next batches. With ``begin``, first yield None when they start."""
        crew = self._crew()
        try:
            for indices in self._batch_sampler:
                crew.ask(indices)
                if begin and len(crew) >= self._prefetch:
                    yield None
                    begin = False
                if len(crew) > self._prefetch:
                    yield self._next_of(crew)
            crew.all_asked()
            if begin:
                yield None
            while len(crew):
                yield self._next_of(crew)
            self._is_short = crew.is_short()
        finally:
            crew.close()

    def _crew(self) -> Processes | Threads:
        streams = Streams()
        if not self._thread_pool and can_fork() and not self._is_made_by_arrays():
            from .processes import Processes

            with contextlib.suppress(OSError):  # processes are forbidden, or too many are running
                make = functools.partial(self._make, collect=_collect)
                return Processes(make, self._num_workers, self._timeout, streams, at_once=not self._is_short)
        return Threads(self._make_in_turns, self._num_workers, self._timeout, streams)

    def _is_made_by_arrays(self) -> bool:
        """Return whether batches come from array operations only, which are fast and release the interpreter."""
        dataset = self._dataset
        if self._batchify_fn is not default_batchify_fn:
            return False
        if type(dataset) is SimpleDataset:
            dataset = dataset._data
        return is_plain(dataset) or (isinstance(dataset, Dataset) and dataset._axes_of_batches() is not None)

    def _make_in_turns(self, indices: list[Any], stopped: threading.Event) -> Any:
        return self._make(indices, lambda dataset, some: self._turns.collect(dataset, some, stopped))

    def _next_of(self, crew: Processes | Threads) -> Any:
        try:
            return self._pinned_if_wanted(crew.give())
        except TimeoutError as error:
            with contextlib.suppress(AttributeError):
                error.add_note(
                    f"The next batch was not ready after {counted(self._timeout or 0, 'second')}. Increase timeout or "
                    "num_workers."
                )
            raise


def __getattr__(name: str) -> Any:
    if name == "ForkingPickler":  # libraries import this name; a browser has no processes
        from multiprocessing.reduction import ForkingPickler

        return ForkingPickler
    raise no_attribute(__name__, name)
