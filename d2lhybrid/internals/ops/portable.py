"""Functions with different implementations for NumPy and CuPy.

A kernel is written once, for the module ``xp``. This file contains functions that NumPy or CuPy lacks, and
replacements for functions that make the host wait for the device.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy

__all__ = [
    "add_at",
    "chosen",
    "constants",
    "count_between",
    "count_in_bins",
    "either",
    "greatest",
    "sums_at",
    "unique",
    "values_on_host",
]

#: The element types for which CuPy has an atomic addition, and the replacement for each other type.
_ATOMIC = "iILQefd"
#: The smallest number of elements for which whole words are selected bit by bit, and the words of each size.
_MANY = 1 << 14
_WORDS = {2: numpy.int16, 4: numpy.int32, 8: numpy.int64}
_ADDED_AS = {"l": numpy.uint64, "q": numpy.uint64}


def greatest(xp: Any, x: Any, axis: Any) -> Any:
    """Return the maximum along one or several axes, which remain with size 1.

    CuPy supports ``reduce`` only for sums and products. NumPy's method ``max`` takes a microsecond longer than
    ``reduce``.

    Examples
    --------
    >>> greatest(numpy, numpy.array([[1, 3], [2, 0]]), axis=1)
    array([[3],
           [2]])
    """
    return numpy.maximum.reduce(x, axis=axis, keepdims=True) if xp is numpy else x.max(axis=axis, keepdims=True)


def chosen(xp: Any, condition: Any, x: Any, y: Any) -> Any:
    """Return the elements of ``x`` where a condition is true, and those of ``y`` elsewhere; all three arrays broadcast.

    NumPy's ``where`` branches for each element. If conditions have no pattern, the CPU mispredicts half of the
    branches, and selecting bits of whole words is nine times faster.

    Examples
    --------
    >>> chosen(numpy, numpy.array([True, False]), numpy.array([1, 2]), numpy.array([3, 4]))
    array([1, 4])
    """
    same = xp is numpy and condition.size >= _MANY and condition.shape == x.shape == y.shape and x.dtype == y.dtype
    word = _WORDS.get(x.dtype.itemsize) if same and x.dtype.kind in "fiu" else None
    if word is None:
        return xp.where(condition, x, y)
    ones = numpy.negative(condition.view(numpy.int8)).astype(word)  # all bits of a word are 1, or all are 0
    other = y.view(word)
    result = numpy.bitwise_xor(x.view(word), other)
    result &= ones
    result ^= other
    return result.view(x.dtype)


def add_at(xp: Any, target: Any, key: Any, values: Any) -> None:
    """Add values to positions of an array, in place. A position may occur several times.

    Examples
    --------
    >>> total = numpy.zeros(3)
    >>> add_at(numpy, total, numpy.array([0, 2, 2]), numpy.array([1.0, 2.0, 3.0]))
    >>> total
    array([1., 0., 5.])
    """
    if xp is numpy or target.dtype.char in _ATOMIC:
        xp.add.at(target, key, values)
    else:  # signedness and width of a type don't change the low bits of a sum
        other = _ADDED_AS.get(target.dtype.char, numpy.int32)
        total = target.astype(other)
        xp.add.at(total, key, values.astype(other))
        target[...] = total


def sums_at(xp: Any, positions: Any, values: Any, size: int) -> Any:
    """Return a 1-D array of ``size`` sums, to which every value has been added at its position.

    NumPy's ``bincount`` is faster than ``add.at``. CuPy's ``bincount`` would copy the largest position to the host.

    Examples
    --------
    >>> sums_at(numpy, numpy.array([0, 2, 2]), numpy.array([1.0, 2.0, 3.0]), 4)
    array([1., 0., 5., 0.])
    """
    if xp is numpy:
        return numpy.bincount(positions, values, size)
    result = xp.zeros(size, numpy.promote_types(values.dtype, numpy.float32))
    xp.add.at(result, positions, values.astype(result.dtype, copy=False))
    return result


def constants(xp: Any, values: Sequence[int], dtype: Any) -> Any:
    """Return an array with numbers that are known on the host. Most neighboring numbers should be equal.

    On a GPU, kernels fill the array, one for each run of equal numbers, because no copy is allowed while a CUDA graph
    is recorded.

    Examples
    --------
    >>> constants(numpy, [2, 3, 3, 3, 2], "float32")
    array([2., 3., 3., 3., 2.], dtype=float32)
    """
    if xp is numpy:
        return numpy.array(values, dtype)
    result, start = xp.empty(len(values), dtype), 0
    for value, same in itertools.groupby(values):
        stop = start + sum(1 for _ in same)
        result[start:stop] = value
        start = stop
    return result


def count_between(xp: Any, data: Any, edges: Any) -> Any:
    """Return the number of elements between neighboring edges, as in a histogram; the last bin includes its right edge.

    CuPy's ``histogram`` would wait for a check on the host that the edges ascend.

    Examples
    --------
    >>> count_between(numpy, numpy.array([0.0, 0.5, 1.0, 2.0, 9.0]), numpy.array([0.0, 1.0, 2.0]))
    array([2, 2])
    """
    if xp is numpy:
        return numpy.histogram(data, bins=edges)[0]
    flat, last = data.reshape(-1), len(edges) - 1
    place = xp.searchsorted(edges, flat, side="right") - 1
    place = xp.where(flat == edges[-1], last - 1, place)
    return _count(xp, xp.where((place < 0) | (place >= last), last, place), last)


def count_in_bins(xp: Any, data: Any, low: float, high: float, edges: Any) -> Any:
    """Return the number of elements in each bin of equal width between two numbers, with MXNet's choice of the bin.

    The edges are rounded to the element type of the data, so bins may be empty. The choice starts from the exact width.

    Examples
    --------
    >>> count_in_bins(numpy, numpy.array([0, 1, 2, 2, 9]), 0.0, 5.0, numpy.array([0, 0, 1, 2, 2, 3, 4, 5]))
    array([0, 1, 1, 2, 0, 0, 0])
    """
    flat, last = data.reshape(-1), len(edges) - 1
    exact = flat.astype(numpy.float64)
    inside = (exact >= low) & (exact <= high)
    place = xp.floor((xp.where(inside, exact, low) - low) * last / (high - low)).astype(numpy.int64)
    place = xp.minimum(place, last - 1)
    place = xp.maximum(place - (flat < edges[place]), 0)
    place = place + ((place < last - 1) & (flat >= edges[place + 1]))
    return _count(xp, xp.where(inside, place, last), last)


def _count(xp: Any, places: Any, last: int) -> Any:
    """Return how often each number below `last` occurs."""
    if xp is numpy:
        return numpy.bincount(places, minlength=last + 1)[:last]
    counts = xp.zeros(last + 1, numpy.uint64)
    xp.add.at(counts, places, 1)
    return counts[:last].astype(numpy.int64)


def either(xp: Any, condition: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """Return one of two arrays of the same shape, selected by a single truth value on the device.

    NumPy computes only the selected array. On a GPU, computing both arrays is cheaper than a synchronization.

    Examples
    --------
    >>> either(numpy, numpy.bool_(True), lambda: numpy.ones(2), lambda: numpy.zeros(2))
    array([1., 1.])
    """
    if xp is numpy:
        return yes() if condition else no()
    return xp.where(condition, yes(), no())


def values_on_host(array: Any) -> list[Any]:
    """Return the elements of a small array as Python numbers, with one copy from a GPU."""
    return array.tolist()


def unique(xp: Any, data: Any, **wanted: Any) -> Any:
    """Return the result of ``numpy.unique``. On a GPU, the host waits once, for the number of unique values.

    Along an axis, CuPy would compare the slices one by one on the host, so the whole array is copied to the host.

    Examples
    --------
    >>> unique(numpy, numpy.array([3, 1, 3]), axis=None)
    array([1, 3])
    """
    if xp is numpy or wanted["axis"] is None:
        return xp.unique(data, **wanted)
    found = numpy.unique(data.get(), **wanted)
    return tuple(map(xp.asarray, found)) if isinstance(found, tuple) else xp.asarray(found)
