"""Timers for laps and for blocks of code."""

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
    """A stopwatch that stores the durations of all laps. Creating a timer starts the first lap.

    Attributes
    ----------
    times : list of float
        Durations of the laps in seconds.

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
        """End the lap, and return its duration in seconds."""
        self.times.append(time.perf_counter() - self.tik)
        return self.times[-1]

    def avg(self) -> float:
        """Return the mean duration of the laps in seconds."""
        return sum(self.times) / len(self.times)

    def sum(self) -> float:
        """Return the total duration of the laps in seconds."""
        return sum(self.times)

    def cumsum(self) -> list[float]:
        """Return the cumulative durations of the laps in seconds."""
        return list(itertools.accumulate(self.times))


class benchmark(Shown):
    """A context manager that prints the duration of its body.

    Parameters
    ----------
    description : str
        Text to print, with a placeholder for the seconds (``%.4f``). Without a placeholder, a colon and the seconds are
        appended, as in newer editions of the book.

    Attributes
    ----------
    results : list of (str, float)
        Description and seconds of each benchmark, for a table or a bar chart. All benchmarks share this list;
        ``benchmark.results.clear()`` empties the list.
    seconds : float
        The duration of this benchmark in seconds, after its body has ended.

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
        """Return all results as a table with bars, grouped by description.

        Returns
        -------
        Collected
            The table, which a notebook displays.

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
    """:class:`benchmark` under its name in newer editions of the book: ``Benchmark("Without hybridization")``."""

    def __init__(self, description: str = "Done") -> None:
        super().__init__(description)
