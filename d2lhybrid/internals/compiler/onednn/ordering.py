"""Copies of arrays from one layout of memory into another: packed weights, and images in the order of their axes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy

from ...device.address import address
from .primitive import Descriptor, Primitive, described, reorder, strides_of

__all__ = ["Copier", "InOrder", "Packing", "channels_last", "channels_second", "in_order"]

#: Smaller arrays NumPy copies sooner than the library is called.
SMALL = 1 << 12


def channels_second(values: Sequence[int]) -> tuple[int, ...]:
    """Return what belongs to each axis of ``(batch, *sizes, channels)`` in the library's order.

    Examples
    --------
    >>> channels_second(("batch", "height", "width", "channels"))
    ('batch', 'channels', 'height', 'width')
    """
    return (values[0], values[-1], *values[1:-1])


def channels_last(shape: Sequence[int]) -> Descriptor:
    """Return how an array ``(batch, *sizes, channels)`` lies in memory, with the channels as the second axis."""
    return described(channels_second(shape), channels_second(strides_of(shape)))


class Packing(Protocol):
    """What packs weights into a vector of ``count`` numbers."""

    count: int

    def run(self, array: Any, out0_given: Any = None) -> Any:
        """Return the packed weights."""
        ...


class InOrder:
    """Copies arrays, however they lie in memory, into the order of their axes.

    Parameters
    ----------
    count : int
        How many elements they have.
    """

    def __init__(self, count: int) -> None:
        self.count = count

    def run(self, array: Any, out0_given: Any = None) -> Any:
        """Return the copy, as a vector."""
        result = numpy.empty(self.count, numpy.float32) if out0_given is None else out0_given
        result[...] = array.ravel()
        return result


class Copier:
    """Copies arrays, however they lie in memory, into one layout.

    Parameters
    ----------
    shape : tuple of int
        The shape of the arrays.
    target : Descriptor
        The layout of the copies.
    sizes : sequence of int
        The shape as the library counts it.
    order : callable
        From the strides of an array to the strides of its axes as the library counts them.
    """

    shape: tuple[int, ...]
    target: Descriptor
    sizes: tuple[int, ...]

    def __init__(
        self,
        shape: tuple[int, ...],
        target: Descriptor,
        sizes: Sequence[int],
        order: Callable[[Sequence[int]], Sequence[int]],
    ) -> None:
        self.shape, self.target, self.sizes, self.order = shape, target, tuple(sizes), order
        self.count: int = target.size // 4
        self._by_strides: dict[tuple[int, ...], Primitive | None] = {}

    def run(self, array: Any, out0_given: Any = None) -> Any:
        """Return the copy, as a vector."""
        result = numpy.empty(self.count, numpy.float32) if out0_given is None else out0_given
        strides = array.strides
        if strides not in self._by_strides:
            self._by_strides[strides] = self._make(strides)
        primitive = self._by_strides[strides]
        if primitive is None:  # elements that lie on each other, or backwards
            return self.run(numpy.array(array, order="C"), result)
        primitive.run(address(array), address(result))
        return result

    def _make(self, strides: tuple[int, ...]) -> Primitive | None:
        if any(s < 4 or s % 4 for s, n in zip(strides, self.shape, strict=True) if n > 1):
            return None
        # The stride of an axis of size one is anything, and the library wants it to be positive.
        counted = [s // 4 if n > 1 else 1 for s, n in zip(strides, self.shape, strict=True)]
        return reorder(described(self.sizes, self.order(counted)), self.target)


@functools.lru_cache(maxsize=256)
def _image_copier(shape: tuple[int, ...]) -> Copier:
    """Return what copies images of any layout into ``(batch, *sizes, channels)``."""
    return Copier(shape, channels_last(shape), channels_second(shape), channels_second)


def in_order(array: Any) -> Any:
    """Return an array whose elements lie in memory in the order of its axes: itself or a copy."""
    if array.flags.c_contiguous:
        return array
    if array.ndim < 3 or array.size < SMALL:
        return numpy.ascontiguousarray(array)
    return _image_copier(array.shape).run(array).reshape(array.shape)
