"""The number of a loader's workers that make items at the same time.

Threads of Python take turns anyway. Where an item is made by large operations, or is waited for, they give each other
the interpreter seldom, and several are faster than one. Where it is made by many small ones, each of which lets go of
the interpreter for a moment, they take it from each other all the time, and several are slower than one. Of a function
of the user's nobody can know that, so it is measured: now one worker at a time, now as many as there are processors,
now all, and then on with what was fastest.
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

#: Seconds after which a worker looks whether it may go on.
_SLICE = 0.003
#: Seconds that an item may take while others wait for their turn.
_PATIENCE = 0.05
#: The shortest measurement in seconds, and the number of items for each worker.
_PERIOD, _ITEMS = 0.008, 4
#: How often each number of workers is tried.
_TRIES = 5
#: How much faster more workers have to be.
_GAIN = 1.25
#: After how many seconds of work it is measured again, and the most: each time that nothing has changed, it doubles.
_AGAIN, _MOST = 4.0, 128.0


class Stopped(Exception):
    """The items aren't needed any longer."""


class Turns:
    """Lets the workers of one loader make items, as many of them at once as is fastest.

    Parameters
    ----------
    workers : int
        How many there are.

    Attributes
    ----------
    limit : int
        How many may work at once now.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._choices = sorted({1, min(workers, affinity()), workers})
        self.limit = 1 if workers > 1 else sys.maxsize
        self._changed = threading.Condition(new_lock())
        self._working = self._made = 0
        self._busy, self._since = 0.0, time.perf_counter()  # seconds in which a worker was busy
        self._long = False
        self._begun = 0.0, -1  # their busy time when the count began, and the items made by then
        self._tries: list[int] = []
        self._rates: dict[int, list[float]] = {}
        self._best, self._pause, self._again = 0, _AGAIN, 0.0
        if workers > 1:
            self._measure()

    def __reduce__(self) -> tuple[Any, ...]:
        return Turns, (self._workers,)

    def collect(self, dataset: Any, indices: Sequence[Any], stopped: threading.Event) -> list[Any]:
        """Return the items of these numbers, made when it is this worker's turn.

        Parameters
        ----------
        dataset : Dataset
            What has the items, or anything else that has.
        indices : sequence
            Their numbers.
        stopped : threading.Event
            Set when the items aren't needed any longer.

        Raises
        ------
        Stopped
            If that was so before all were made.
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
        """Wait for a turn, and have it."""
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
        """Let another one work, if fewer may now."""
        if self._working > self.limit:
            with self._changed:
                self._leave()
                self._enter(stopped)
        if stopped.is_set():
            raise Stopped

    def _enter(self, stopped: threading.Event) -> None:
        while self._working >= self.limit and not stopped.is_set():
            made = self._made
            if not self._changed.wait(_PATIENCE) and made == self._made:
                break  # the worker with the turn may be waiting for this one
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
        """Try each number of workers from now on, by turns, for the machine may have other work, too."""
        self._tries, self._rates = self._choices * _TRIES, {}
        self._set(self._tries[0])

    def _set(self, limit: int) -> None:
        self._begun = 0.0, -1
        if limit != self.limit:
            self.limit = limit
            with self._changed:
                self._changed.notify_all()

    def _look(self, now: float, item: float) -> None:
        """Record the items made so far, and set the number of active workers.

        Parameters
        ----------
        now : float
            The time.
        item : float
            How many seconds the last item took.
        """
        if self._workers == 1:
            return
        with self._changed:
            busy = self._busy + now - self._since
            long_before, self._long = self._long, item > _PATIENCE
            if self._long and long_before:  # one alone may have waited for a processor
                self._decide(self._choices[-1], busy)  # such items need no turns
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
        rates = {limit: statistics.median(found) for limit, found in self._rates.items()}
        best = 1
        for limit in self._choices[1:]:
            best = limit if rates[limit] > _GAIN * rates[best] else best
        return best

    def _decide(self, limit: int, busy: float) -> None:
        """Go on with a number of workers, for a while."""
        self._pause = min(2 * self._pause, _MOST) if limit == self._best else _AGAIN
        self._best, self._again, self._tries = limit, busy + self._pause, []
        self._set(limit)
