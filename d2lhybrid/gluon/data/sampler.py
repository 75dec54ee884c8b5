"""Samplers, which iterate over the indices of a data set's items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy

from ...internals.support.display import Shown
from ...internals.support.number_arguments import whole_number

__all__ = ["BatchSampler", "FilterSampler", "RandomSampler", "Sampler", "SequentialSampler"]


class Sampler(Shown):
    """The base class of all samplers.

    A subclass defines ``__iter__``, which yields indices of items, and ``__len__``.
    """

    def __len__(self) -> int:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


class SequentialSampler(Sampler):
    """A sampler of consecutive indices in increasing order.

    Parameters
    ----------
    length : int
        Number of indices.
    start : int
        The first index.
    """

    def __init__(self, length: int, start: int = 0) -> None:
        self._length, self._start = length, start

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._start, self._start + self._length))

    def __len__(self) -> int:
        return self._length


class RandomSampler(Sampler):
    """A sampler of the indices from 0 to ``length - 1`` in random order. Each iteration shuffles again.

    As in MXNet, NumPy's generator determines the order, so ``numpy.random.seed`` makes the order reproducible.

    Parameters
    ----------
    length : int
        Number of indices.
    """

    def __init__(self, length: int) -> None:
        self._length = length

    def __iter__(self) -> Iterator[int]:
        order = numpy.arange(self._length)
        numpy.random.shuffle(order)
        return iter(order.tolist())

    def __len__(self) -> int:
        return self._length


class FilterSampler(Sampler):
    """A sampler of the indices of items for which a condition is true.

    Parameters
    ----------
    fn : callable
        The condition, which is called with each item.
    dataset : Dataset
        The items. The constructor evaluates the condition for all items.
    """

    def __init__(self, fn: Callable[[Any], Any], dataset: Any) -> None:
        self._fn, self._dataset = fn, dataset
        self._indices = [i for i in range(len(dataset)) if fn(dataset[i])]

    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)


class BatchSampler(Sampler):
    """A sampler of lists of ``batch_size`` indices.

    Parameters
    ----------
    sampler : Sampler
        Sampler of the indices.
    batch_size : int
        Number of indices in a list.
    last_batch : {"keep", "discard", "rollover"}
        Treatment of a shorter last list: it is kept, dropped, or completed with the first indices of the next epoch.

    Examples
    --------
    >>> list(BatchSampler(SequentialSampler(5), 2, "keep"))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[Any], batch_size: int, last_batch: str = "keep") -> None:
        self._sampler, self._batch_size = sampler, whole_number("batch_size", batch_size)
        self._last_batch = last_batch  # as in MXNet, an invalid value raises only if there is a remainder
        self._prev: list[Any] = []

    def __iter__(self) -> Iterator[list[Any]]:
        batch, self._prev = self._prev, []
        for i in self._sampler:
            batch.append(i)
            if len(batch) == self._batch_size:
                yield batch
                batch = []
        if batch:
            if self._last_batch == "keep":
                yield batch
            elif self._last_batch == "rollover":
                self._prev = batch
            elif self._last_batch != "discard":
                raise self._unknown()

    def __len__(self) -> int:
        count = len(self._sampler)  # type: ignore[arg-type]
        if self._last_batch == "keep":
            return (count + self._batch_size - 1) // self._batch_size
        if self._last_batch == "discard":
            return count // self._batch_size
        if self._last_batch == "rollover":
            return (len(self._prev) + count) // self._batch_size
        raise self._unknown()

    def _unknown(self) -> ValueError:
        return ValueError(f"last_batch must be one of 'keep', 'discard', or 'rollover', but got {self._last_batch}")
