"""Measurement in rounds, in which all modes alternate after a warm-up that does not count."""

from __future__ import annotations

import contextlib
import gc
import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...support.display import Property, Shown
from .ways import Subject, Way

__all__ = ["Spread", "Times", "measure", "spread"]

#: The minimum duration of one measurement in seconds; short calls are timed several at a time.
_LEAST = 1e-3
_WARM_UP = 3
_MIN_ROUNDS = 5


@dataclass(frozen=True, repr=False)
class Spread(Shown):
    """The median of measurements, and an interval: the quartiles or a confidence interval."""

    median: float
    lower: float
    upper: float

    def to_list(self) -> list[float]:
        """Return the lower end of the interval, the median, and the upper end."""
        return [self.lower, self.median, self.upper]


def spread(values: Sequence[float]) -> Spread:
    """Return the median and the quartiles of the values.

    Examples
    --------
    >>> spread([1.0, 2.0, 3.0, 4.0, 5.0])
    Spread(median=3.0, lower=2.0, upper=4.0)
    """
    if len(values) < 2:
        return Spread(values[0], values[0], values[0])
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, lower, upper)


@dataclass(repr=False)
class Times(Shown):
    """The measurements of one mode of a net. All times are in seconds.

    Attributes
    ----------
    way : str
        ``"imperative"``, ``"hybridized"``, ``"static_alloc"``, ``"static_shape"``, or ``"often"``.
    first : float
        Time of the first call, including tracing and compiling.
    trace, compile : float
        Time of tracing and compiling in the first call, from the net's history; 0 if nothing was traced or compiled.
    warm_up : list of float
        Times of the warm-up calls after the first call, which do not count.
    calls : int
        Number of calls that were timed together in each round.
    seconds : list of float
        Time of one call in each round.
    """

    way: str
    first: float = 0.0
    trace: float = 0.0
    compile: float = 0.0
    warm_up: list[float] = field(default_factory=list)
    calls: int = 1
    seconds: list[float] = field(default_factory=list)

    def _shown(self) -> Iterator[Property]:
        yield Property("way", self.way)
        if self.seconds:
            found = self.spread
            yield Property("microseconds", round(1e6 * found.median, 1))
            yield Property("quartiles", (round(1e6 * found.lower, 1), round(1e6 * found.upper, 1)))
            yield Property("rounds", len(self.seconds))
            yield Property("calls", self.calls)
        yield Property("first_call_microseconds", round(1e6 * self.first, 1), not self.first)

    @property
    def spread(self) -> Spread:
        """The median and the quartiles of the rounds."""
        return spread(self.seconds)

    @property
    def preparation(self) -> float:
        """The total time of tracing and compiling in seconds."""
        return self.trace + self.compile


def _time_of(subject: Subject, calls: int, clock: Callable[[], float]) -> float:
    step = subject.step
    start = clock()
    for _ in range(calls):
        step()
    return (clock() - start) / calls


def measure(
    subject: Subject,
    ways: Sequence[str],
    rounds: int,
    seconds: float,
    clock: Callable[[], float],
    progress: Callable[[float], None],
) -> tuple[list[Times], list[Way]]:
    """Time a net in several modes, inside the context :meth:`Subject.opened`.

    Parameters
    ----------
    subject : Subject
        The net to time.
    ways : sequence of str
        Names of the modes.
    rounds : int
        Maximum number of rounds.
    seconds : float
        Time in seconds after which no new round starts, except for the first five rounds.
    clock : callable
        Function that returns the time in seconds.
    progress : callable
        Function to call with the progress, from 0 to 1.

    Returns
    -------
    tuple of (list of Times, list of Way)
        The times of each mode, and the net's state in each mode.
    """
    subject.prepare("imperative")
    with _telling("imperative"):
        subject.step()  # runs deferred initialization outside the measured time
    found = [_prepare(subject, name, clock) for name in ways]
    collecting = gc.isenabled()
    gc.disable()
    try:
        start = clock()
        for i in range(rounds):
            # Each round begins with another mode, so that no mode always follows a pause.
            for k in range(len(found)):
                times, way = found[(i + k) % len(found)]
                subject.switch(way)
                times.seconds.append(_time_of(subject, times.calls, clock))
            spent = (clock() - start) / seconds if seconds > 0 else 1.0
            progress(min(1.0, max((i + 1) / rounds, spent if i + 1 >= _MIN_ROUNDS else 0.0)))
            if i + 1 >= _MIN_ROUNDS and spent >= 1:
                break
    finally:
        if collecting:
            gc.enable()
    return [times for times, _ in found], [way for _, way in found]


@contextlib.contextmanager
def _telling(way: str) -> Iterator[None]:
    """Add the current mode to an error."""
    try:
        yield
    except Exception as error:
        error.add_note(f"compare() was calling the net in the mode {way!r}. The state of the net has been restored.")
        raise


def _prepare(subject: Subject, name: str, clock: Callable[[], float]) -> tuple[Times, Any]:
    """Make the first call and the warm-up calls in a mode."""
    way = subject.prepare(name)
    times = Times(name)
    with _telling(name):
        times.first = _time_of(subject, 1, clock)
    times.warm_up = [_time_of(subject, 1, clock) for _ in range(_WARM_UP)]
    subject.remember(way)
    times.trace, times.compile = way.trace, way.compile
    shortest = min(times.warm_up)
    times.calls = 1 if shortest <= 0 else max(1, math.ceil(_LEAST / shortest))
    return times, way
