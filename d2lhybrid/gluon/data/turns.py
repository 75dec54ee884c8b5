"""How many workers of a loader make items at once.

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

from ...device.threads.processors import affinity
from ...support.locks import new_lock

__all__ = ["Stopped", "Turns"]

#: Seconds of work after which it is measured.
_SLICE = 0.003
#: Seconds that an item may take while others wait for their turn.
_PATIENCE = 0.05
#: How many slices of each number of workers are measured.
_TRIES = 4
#: How much faster more workers have to be.
_GAIN = 1.1
#: After how many slices it is measured again, and the most: each time that nothing has changed, it doubles.
_AGAIN, _MOST = 512, 16384


class Stopped(Exception):
    """Nobody waits for these items any longer."""


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
        self._tries: list[int] = []
        self._rates: dict[int, list[float]] = {}
        self._items = self._seconds = self._each = 0.0
        self._best, self._pause, self._slices_left = 0, _AGAIN, 0
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
            Set when nobody wants the items any longer.

        Raises
        ------
        Stopped
            If that was so before all were made.
        """
        clock, items, counted = time.perf_counter, [], 0
        with self._turn(stopped):
            before, start = (self.limit, self._working), clock()
            for i in indices:
                items.append(dataset[i])
                self._made += 1
                seconds = clock() - start
                if seconds >= _SLICE:
                    self._learn(before, len(items) - counted, seconds)
                    self._take_turns(stopped)
                    before, counted, start = (self.limit, self._working), len(items), clock()
            if len(items) > counted:
                self._learn(before, len(items) - counted, clock() - start)
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
                break  # who has the turn waits for something: perhaps for this worker
        self._working += 1

    def _leave(self) -> None:
        self._working -= 1
        self._changed.notify()

    # --- how many ------------------------------------------------------------------------------

    def _measure(self) -> None:
        """Try each number of workers from now on, several times, for the machine may have other work, too."""
        self._tries, self._rates = self._choices * _TRIES, {}
        self._set(self._tries[0])

    def _set(self, limit: int) -> None:
        self._items = self._seconds = self._each = 0.0
        if limit != self.limit:
            self.limit = limit
            with self._changed:
                self._changed.notify_all()

    def _learn(self, before: tuple[int, int], made: int, seconds: float) -> None:
        """Take note of how long a worker took for some items, and say how many may work from now on."""
        if self._workers == 1:
            return
        with self._changed:
            if made == 1 and seconds > _PATIENCE:
                self._decide(self._choices[-1])  # such items need no turns
            if before != (self.limit, self._working):
                return  # another number worked on a part of them
            self._items += made
            self._seconds += seconds
            self._each += seconds / self._working
            if self._seconds < _SLICE:
                return
            if not self._tries:
                self._set(self.limit)
                self._slices_left -= 1
                if self._slices_left <= 0:
                    self._measure()
                return
            self._rates.setdefault(self._tries.pop(0), []).append(self._items / self._each)
            if self._tries:
                self._set(self._tries[0])
                return
            rates = {limit: statistics.median(found) for limit, found in self._rates.items()}
            best = 1
            for limit in self._choices[1:]:
                best = limit if rates[limit] > _GAIN * rates[best] else best
            self._decide(best)

    def _decide(self, limit: int) -> None:
        """Go on with a number of workers, for a while."""
        self._pause = min(2 * self._pause, _MOST) if limit == self._best else _AGAIN
        self._best = limit
        self._tries, self._slices_left = [], self._pause
        self._set(limit)
