"""A sampler that iterates over a data set in strides."""

from __future__ import annotations

from collections.abc import Iterator

from ...data.sampler import Sampler

__all__ = ["IntervalSampler"]


class IntervalSampler(Sampler):
    """A sampler of every n-th index: first from index 0, then from index 1, and so on.

    Parameters
    ----------
    length : int
        Number of indices.
    interval : int
        Distance between consecutive indices.
    rollover : bool
        Whether to start again from the next index after each pass, until all indices have been sampled.

    Raises
    ------
    AssertionError
        If ``interval`` is greater than ``length``.

    Examples
    --------
    >>> list(IntervalSampler(7, interval=3))
    [0, 3, 6, 1, 4, 2, 5]
    >>> list(IntervalSampler(7, interval=3, rollover=False))
    [0, 3, 6]
    """

    def __init__(self, length: int, interval: int, rollover: bool = True) -> None:
        if interval > length:
            raise AssertionError(f"Interval {interval} must be smaller than or equal to length {length}")
        self._length, self._interval, self._rollover = length, interval, rollover

    def __iter__(self) -> Iterator[int]:
        for start in range(self._interval if self._rollover else 1):
            yield from range(start, self._length, self._interval)

    def __len__(self) -> int:
        return self._length if self._rollover else len(range(0, self._length, self._interval))
