"""Worker threads of a data loader.

NumPy releases the interpreter's lock in its larger operations, so reading, decoding, and stacking overlap with the
computation. A transform that is a Python loop does not become faster. The loader measures how many threads should work
concurrently; see :mod:`d2lhybrid.gluon.data.concurrency_limit`. Threads share memory, so nothing is copied, and changes
to the data set's state persist.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ...internals.support.machine import thread_pool
from ...util import is_np_array, is_np_shape, np_array, np_shape
from .streams import Streams

__all__ = ["Threads"]


class Threads:
    """A group of worker threads, which make batches and return them in the order of the requests.

    Parameters
    ----------
    make : callable
        Function that returns a batch: ``make(indices, stopped)``. ``stopped`` is an event that is set when the batch is
        no longer needed.
    count : int
        Number of threads.
    timeout : float or None
        Seconds to wait for a batch.
    streams : Streams
        The random streams of the batches.

    Raises
    ------
    MXNetError
        If no thread can be started.
    """

    def __init__(
        self, make: Callable[[Any, threading.Event], Any], count: int, timeout: float | None, streams: Streams
    ) -> None:
        self._make, self._timeout, self._streams = make, timeout, streams
        self._semantics = is_np_shape(), is_np_array()  # each thread has its own settings
        self._stopped = threading.Event()
        self._pending: deque[Future[Any]] = deque()
        self._asked = 0
        self._pool = thread_pool(count, "DataLoader", "Use num_workers=0, which makes the same batches.")

    def __len__(self) -> int:
        """Return the number of requested batches that were not returned yet."""
        return len(self._pending)

    def ask(self, indices: Any) -> None:
        """Request a batch.

        Parameters
        ----------
        indices : list of int
            The indices of the items.
        """
        self._pending.append(self._pool.submit(self._made, self._asked, indices))
        self._asked += 1

    def all_asked(self) -> None:
        """Do nothing. Only worker processes must be told that there are no more requests."""

    def give(self) -> Any:
        """Wait for the next batch, and return the batch or raise the exception that occurred in the thread."""
        return self._pending.popleft().result(self._timeout)

    def is_short(self) -> bool:
        """Return False. Short epochs need fewer processes, but the number of threads does not matter."""
        return False

    def close(self) -> None:
        """End the threads as soon as they have made their current items."""
        self._stopped.set()
        for future in self._pending:
            future.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _made(self, number: int, indices: Any) -> Any:
        shape, array = self._semantics
        with np_shape(shape), np_array(array), self._streams.lent(number):
            return self._make(indices, self._stopped)
