"""The loader: goes through a data set in batches.

With ``num_workers`` the batches are made ahead, by threads. NumPy releases the interpreter lock in
its larger operations, so reading, decoding and stacking overlap with the computation; a transform
that is a Python loop does not become faster. How many of them work at once is what is fastest, see
:mod:`d2lhybrid.gluon.data.turns`. Threads share memory, so nothing is copied between processes, and a
program needs no ``if __name__ == "__main__"``.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Generic, overload

from ...context import cpu_pinned
from ...ndarray import NDArray
from ...support.absent import no_attribute
from ...support.machine import thread_pool
from ...util import is_np_array, is_np_shape, np_array, np_shape
from . import sampler as _sampler
from .batchify import default_batchify_fn
from .dataset import Dataset, Item
from .pooled import MultiWorkerIter as _MultiWorkerIter  # noqa: F401  MXNet's name for it
from .pooled import as_in_context
from .pooled import as_in_context as _as_in_context  # noqa: F401
from .turns import Turns

if TYPE_CHECKING:
    from ..calls import Items, Unsaid

__all__ = ["DataLoader", "default_batchify_fn", "default_mp_batchify_fn"]

default_mp_batchify_fn = default_batchify_fn


def _collect(dataset: Any, indices: list[Any]) -> list[Any]:
    return [dataset[i] for i in indices]


class DataLoader(Generic[Item]):
    """An iterable of batches of a data set.

    Parameters
    ----------
    dataset : Dataset
        Or any sequence: a list, an array.
    batch_size : int, optional
        Items in a batch.
    shuffle : bool
        A new random order in each epoch.
    sampler : Sampler, optional
        The order; not together with ``shuffle``.
    last_batch : {"keep", "discard", "rollover"}, optional
        What happens to a shorter last batch; by default it is kept.
    batch_sampler : Sampler, optional
        Gives lists of numbers; instead of the four arguments before.
    batchify_fn : callable, optional
        Makes a batch of a list of items; :func:`default_batchify_fn` by default.
    num_workers : int
        How many threads make batches ahead; 0 makes each batch when it is asked for. Where items are made by many
        small operations, the threads take turns.
    pin_memory : bool
        Put batches into page-locked memory, from where copies to a GPU are faster.
    pin_device_id : int
        For which GPU.
    prefetch : int, optional
        How many batches may be ready ahead; twice the number of workers by default.
    thread_pool : bool
        Accepted for compatibility: workers are always threads.
    timeout : int
        Seconds to wait for a worker's batch.
    auto_reload : bool
        Accepted for compatibility.

    Raises
    ------
    ValueError
        If neither a batch size nor a batch sampler is given, or both.

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
        self._pin_memory, self._pin_device_id = pin_memory, pin_device_id  # of subclasses that bring their own workers
        self._pinned = cpu_pinned(pin_device_id) if pin_memory else None
        self._timeout = timeout
        self._turns = Turns(max(self._num_workers, 1))
        self.auto_reload = auto_reload
        self._iter: Iterator[Any] | None = None
        if auto_reload:
            self.refresh()

    def refresh(self) -> None:
        """Begin an epoch, whose batches the next loop gets: with workers, the first of them are made from now on.

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
        """Drop the epoch that :meth:`refresh` has begun: the next loop begins one of its own."""
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
        begun, self._iter = self._iter, None  # no epoch is used twice
        if begun is None:
            begun = self._made_one_by_one() if self._num_workers == 0 else self._made_ahead()
        return self._and_reload(begun) if self.auto_reload else begun

    def _and_reload(self, epoch: Iterator[Any]) -> Iterator[Any]:
        yield from epoch
        if self._iter is None:
            self.refresh()

    def _made_one_by_one(self) -> Iterator[Any]:
        return (self._make(indices, _collect) for indices in self._batch_sampler)

    def _make(self, indices: list[Any], collect: Callable[[Any, list[Any]], list[Any]]) -> Any:
        dataset = self._dataset
        batch = None
        if self._batchify_fn is default_batchify_fn and isinstance(dataset, Dataset):
            batch = dataset._take_batch(indices)
        if batch is None:
            batch = self._batchify_fn(collect(dataset, indices))
        return batch if self._pinned is None else as_in_context(batch, self._pinned)

    def _made_ahead(self, begin: bool = False) -> Iterator[Any]:
        """Yield batches in order, while threads work on the next ones; with ``begin``, None once they do."""
        semantics = is_np_shape(), is_np_array()  # each thread has its own
        stopped = threading.Event()

        def collect(dataset: Any, indices: list[Any]) -> list[Any]:
            return self._turns.collect(dataset, indices, stopped)

        def make(indices: list[Any]) -> Any:
            with np_shape(semantics[0]), np_array(semantics[1]):
                return self._make(indices, collect)

        pending: deque[Future[Any]] = deque()
        pool = thread_pool(self._num_workers, "DataLoader", "Leave num_workers at 0: the batches are the same.")
        try:
            todo = iter(self._batch_sampler)
            for indices in todo:
                pending.append(pool.submit(make, indices))
                if begin and len(pending) >= self._prefetch:
                    yield None
                    begin = False
                if len(pending) > self._prefetch:
                    yield self._wait(pending.popleft())
            if begin:
                yield None
            while pending:
                yield self._wait(pending.popleft())
        finally:
            stopped.set()
            for future in pending:
                future.cancel()
            pool.shutdown(wait=False, cancel_futures=True)

    def _wait(self, future: Future[Any]) -> Any:
        try:
            return future.result(self._timeout)
        except TimeoutError as error:
            with contextlib.suppress(AttributeError):
                error.add_note(f"A worker of the DataLoader took more than {self._timeout} seconds for a batch.")
            raise


def __getattr__(name: str) -> Any:
    if name == "ForkingPickler":  # libraries find it here, and a browser has no processes
        from multiprocessing.reduction import ForkingPickler

        return ForkingPickler
    raise no_attribute(__name__, name)
