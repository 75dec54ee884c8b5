"""Stopwatches: how long a lap or a block of code took."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Self

from ..internals.support.display import Property, Shown

if TYPE_CHECKING:
    from ..internals.pictures.timing import Collected

__all__ = ["Benchmark", "Timer", "benchmark"]


class Timer(Shown):
    """A stopwatch that remembers every lap; it starts when it is made.

    Attributes
    ----------
    times : list of float
        Seconds of each lap so far.

    Examples
    --------
    >>> timer = Timer()
    >>> seconds = timer.stop()
    >>> timer.start()
    >>> timer.stop() >= 0
    True
    >>> len(timer.times)
    2
    """

    def __init__(self) -> None:
        self.times: list[float] = []
        self.start()

    def _shown(self) -> Iterator[Property]:
        yield Property("times", self.times)

    def start(self) -> None:
        """Start a lap."""
        self.tik: float = time.perf_counter()

    def stop(self) -> float:
        """End the lap and return its seconds."""
        self.times.append(time.perf_counter() - self.tik)
        return self.times[-1]

    def avg(self) -> float:
        """Return the mean lap in seconds."""
        return sum(self.times) / len(self.times)

    def sum(self) -> float:
        """Return the seconds of all laps together."""
        return sum(self.times)

    def cumsum(self) -> list[float]:
        """Return, for each lap, the seconds from the first lap to the end of this one."""
        return list(itertools.accumulate(self.times))


class benchmark(Shown):
    """Scope that prints how long its body took.

    Parameters
    ----------
    description : str
        What to print, with a place for the seconds (``%.4f``). Without such a place, a colon and the
        seconds are put behind it, as newer editions of the book do.

    Attributes
    ----------
    results : list of (str, float)
        Description and seconds of every benchmark so far, for a table or a bar chart afterwards.
        One list for all of them; ``benchmark.results.clear()`` empties it.
    seconds : float
        What this one measured, after the body has ended.

    Examples
    --------
    >>> with benchmark("Sum of squares: %.0f sec"):
    ...     total = sum(i * i for i in range(10))
    Sum of squares: 0 sec
    >>> label, seconds = benchmark.results[-1]
    >>> label
    'Sum of squares: %.0f sec'
    """

    results: ClassVar[list[tuple[str, float]]] = []

    def __init__(self, description: str = "Done in %.4f sec") -> None:
        self.description = description

    @classmethod
    def summary(cls) -> Collected:
        """Return everything that was measured so far as a table and bars, those of one description together.

        Examples
        --------
        >>> benchmark.results.clear()
        >>> with benchmark("Nothing: %.0f sec"):
        ...     pass
        Nothing: 0 sec
        >>> list(benchmark.summary().counts)
        ['Nothing']
        """
        from ..internals.pictures.timing import Collected

        return Collected(cls.results)

    def __enter__(self) -> Self:
        self.timer: Timer = Timer()
        return self

    def __exit__(self, *exception: object) -> None:
        self.seconds: float = self.timer.stop()
        self.results.append((self.description, self.seconds))
        if re.search(r"%[-+.0-9]*[defgs]", self.description):
            print(self.description % self.seconds)
        else:
            print(f"{self.description}: {self.seconds:.4f} sec")


class Benchmark(benchmark):
    """:class:`benchmark` as newer editions of the book write it: ``Benchmark("Without hybridization")``."""

    def __init__(self, description: str = "Done") -> None:
        super().__init__(description)
