"""A limit on the number of a loader's workers that make items at the same time.

Only one Python thread runs at a time. If an item takes a few large operations or mostly waits, threads seldom compete
for the interpreter, and several threads are faster than one. If an item takes many small operations, each of which
briefly releases the interpreter, threads compete all the time, and several threads are slower than one. This module
cannot know the cost of a user's function, so it measures the speed of one worker, of as many workers as cores, and of
all workers. It then continues with the number of workers that was fastest.
"""

from __future__ import annotations

import contextlib
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from ...internals.support.locks import new_lock
from ...internals.support.machine import affinity

__all__ = ["Stopped", "Turns"]

#: Seconds between two checks of a waiting worker.
_SLICE = 0.003
#: Seconds that an item may take while other workers wait for their turn.
_PATIENCE = 0.05
#: The minimum of a measurement: seconds, and items per worker.
_PERIOD, _ITEMS = 0.008, 4
#: Number of trials of each number of workers.
_TRIES = 5
#: Speedup that justifies more workers.
_GAIN = 1.25
#: Seconds of work before a new measurement, and its maximum. The time doubles each time that nothing has changed.
_AGAIN, _MOST = 4.0, 128.0


class Stopped(Exception):
    """The exception that interrupts a worker whose items are no longer needed."""


class Turns:
    """A scheduler that limits how many of a loader's workers make items at the same time.

    Parameters
    ----------
    workers : int
        Number of workers.

    Attributes
    ----------
    limit : int
        Maximum number of workers that make items at the same time.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._choices = sorted({1, min(workers, affinity()), workers})
        self.limit = 1 if workers > 1 else sys.maxsize
        self._changed = threading.Condition(new_lock())
        self._working = self._made = 0
        self._busy, self._since = 0.0, time.perf_counter()  # seconds in which workers were busy
        self._long = False
        self._begun = 0.0, -1  # busy time and number of items at the start of the count
        self._tries: list[int] = []
        self._rates: dict[int, list[float]] = {}
        self._best, self._pause, self._again = 0, _AGAIN, 0.0
        if workers > 1:
            self._measure()

    def __reduce__(self) -> tuple[Any, ...]:
        return Turns, (self._workers,)

    def collect(self, dataset: Any, indices: Sequence[Any], stopped: threading.Event) -> list[Any]:
        """Wait for this worker's turn, and then make and return items.

        Parameters
        ----------
        dataset : Dataset
            The source of the items: a data set, or any sequence.
        indices : sequence
            Indices of the items.
        stopped : threading.Event
            An event that is set when the items are no longer needed.

        Raises
        ------
        Stopped
            If the event was set before all items were made.
        """
        clock, items = time.perf_counter, []
        with self._turn(stopped):
            start = last = clock()
            for i in indices:
                items.append(dataset[i])
                self._made += 1
                now = clock()
                if now - start >= _SLICE:
                    self._look(now, now - last)
                    self._take_turns(stopped)
                    start = now = clock()
                last = now
            self._look(clock(), 0.0)
        return items

    # --- turns ---------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _turn(self, stopped: threading.Event) -> Iterator[None]:
        """Return a scope that waits for a turn and ends it afterwards."""
        with self._changed:
            self._enter(stopped)
        try:
            if stopped.is_set():
                raise Stopped
            yield
        finally:
            with self._changed:
                self._leave()

    def _take_turns(self, stopped: threading.Event) -> None:
        """Yield the turn to another worker if the limit has fallen."""
        if self._working > self.limit:
            with self._changed:
                self._leave()
                self._enter(stopped)
        if stopped.is_set():
            raise Stopped

    def _enter(self, stopped: threading.Event) -> None:
        while self._working >= self.limit and not stopped.is_set():
            completed = self._made
            if not self._changed.wait(_PATIENCE) and completed == self._made:
                break  # the worker with the turn may be waiting for this worker
        if not self._working:
            self._since = time.perf_counter()
        self._working += 1

    def _leave(self) -> None:
        self._working -= 1
        if not self._working:
            self._busy += time.perf_counter() - self._since
        self._changed.notify()

    # --- measuring -----------------------------------------------------------------------------

    def _measure(self) -> None:
        """Start to try each number of workers in turn, several times, because the machine may have other work."""
        self._tries, self._rates = self._choices * _TRIES, {}
        self._set(self._tries[0])

    def _set(self, limit: int) -> None:
        self._begun = 0.0, -1
        if limit != self.limit:
            self.limit = limit
            with self._changed:
                self._changed.notify_all()

    def _look(self, now: float, item: float) -> None:
        """Record the items made so far and set the number of active workers.

        Parameters
        ----------
        now : float
            The current time in seconds.
        item : float
            Duration of the last item in seconds.
        """
        if self._workers == 1:
            return
        with self._changed:
            busy = self._busy + now - self._since
            long_before, self._long = self._long, item > _PATIENCE
            if self._long and long_before:  # a single long item may have waited for a core
                self._decide(self._choices[-1], busy)  # long items need no turns
            elif not self._tries:
                if busy > self._again:
                    self._measure()
            elif self._begun[1] < 0 or self._working > self.limit:
                self._begun = busy, self._made
            else:
                seconds, made = busy - self._begun[0], self._made - self._begun[1]
                if seconds >= _PERIOD and made >= _ITEMS * self.limit:
                    self._rates.setdefault(self._tries.pop(0), []).append(made / seconds)
                    if self._tries:
                        self._set(self._tries[0])
                    else:
                        self._decide(self._fastest(), busy)

    def _fastest(self) -> int:
        rates = {limit: statistics.median(rates) for limit, rates in self._rates.items()}
        best = 1
        for limit in self._choices[1:]:
            best = limit if rates[limit] > _GAIN * rates[best] else best
        return best

    def _decide(self, limit: int, busy: float) -> None:
        """Continue with a number of workers until the next measurement."""
        self._pause = min(2 * self._pause, _MOST) if limit == self._best else _AGAIN
        self._best, self._again, self._tries = limit, busy + self._pause, []
        self._set(limit)
