"""Copies of arrays between memory layouts: packed weights, and contiguous images."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy

from ...device.address import address
from .primitive import Descriptor, Primitive, described, reorder, strides_of

__all__ = ["Copier", "InOrder", "Packing", "channels_last", "channels_second", "in_order"]

#: The smallest number of elements for which a copy by oneDNN is faster than a copy by NumPy.
SMALL = 1 << 12


def channels_second(values: Sequence[int]) -> tuple[int, ...]:
    """Move the last of the values for the axes ``(batch, *sizes, channels)`` to the second position, as oneDNN expects.

    Parameters
    ----------
    values : sequence
        The values.

    Returns
    -------
    tuple
        The values for batch, channels, and sizes.

    Examples
    --------
    >>> channels_second(("batch", "height", "width", "channels"))
    ('batch', 'channels', 'height', 'width')
    """
    return (values[0], values[-1], *values[1:-1])


def channels_last(shape: Sequence[int]) -> Descriptor:
    """Return the descriptor of an array ``(batch, *sizes, channels)``, with the channels as the second axis.

    Parameters
    ----------
    shape : sequence of int
        Shape of the array.

    Returns
    -------
    Descriptor
        The descriptor.
    """
    return described(channels_second(shape), channels_second(strides_of(shape)))


class Packing(Protocol):
    """The interface of objects that pack weights into a vector of ``count`` numbers."""

    count: int

    def run(self, array: Any, out0_given: Any = None) -> Any:
        """Return the weights packed into a vector.

        Parameters
        ----------
        array : array
            The weights.
        out0_given : array, optional
            Destination of the result.
        """
        ...


class InOrder:
    """A packing that copies arrays of any memory layout into contiguous vectors.

    Parameters
    ----------
    count : int
        The number of elements of each array.
    """

    def __init__(self, count: int) -> None:
        self.count = count

    def run(self, array: Any, out0_given: Any = None) -> Any:
        """Return a contiguous copy of an array, as a vector.

        Parameters
        ----------
        array : array
            The array.
        out0_given : array, optional
            Destination of the result.

        Returns
        -------
        array
            The vector.
        """
        result = numpy.empty(self.count, numpy.float32) if out0_given is None else out0_given
        result[...] = array.ravel()
        return result


class Copier:
    """An object that copies arrays of any memory layout into one layout.

    Parameters
    ----------
    shape : tuple of int
        The shape of the arrays.
    target : Descriptor
        The layout of the copies.
    sizes : sequence of int
        The sizes of the arrays in oneDNN's order of axes.
    order : callable
        A function that permutes the strides of an array into oneDNN's order of axes.
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
        """Return a copy of an array in the target layout, as a vector.

        Parameters
        ----------
        array : array
            The array.
        out0_given : array, optional
            Destination of the result.

        Returns
        -------
        array
            The vector.
        """
        result = numpy.empty(self.count, numpy.float32) if out0_given is None else out0_given
        strides = array.strides
        if strides not in self._by_strides:
            self._by_strides[strides] = self._make(strides)
        primitive = self._by_strides[strides]
        if primitive is None:  # broadcast axes, or negative strides
            return self.run(numpy.array(array, order="C"), result)
        primitive.run(address(array), address(result))
        return result

    def _make(self, strides: tuple[int, ...]) -> Primitive | None:
        if any(s < 4 or s % 4 for s, n in zip(strides, self.shape, strict=True) if n > 1):
            return None
        # The stride of an axis of size 1 is arbitrary, and oneDNN requires a positive stride.
        counted = [s // 4 if n > 1 else 1 for s, n in zip(strides, self.shape, strict=True)]
        return reorder(described(self.sizes, self.order(counted)), self.target)


@functools.lru_cache(maxsize=256)
def _image_copier(shape: tuple[int, ...]) -> Copier:
    """Return the copier from images of any layout to ``(batch, *sizes, channels)``."""
    return Copier(shape, channels_last(shape), channels_second(shape), channels_second)


def in_order(array: Any) -> Any:
    """Return a contiguous array, as a copy if the argument isn't contiguous.

    Parameters
    ----------
    array : array
        The array.

    Returns
    -------
    array
        The contiguous array.
    """
    if array.flags.c_contiguous:
        return array
    if array.ndim < 3 or array.size < SMALL:
        return numpy.ascontiguousarray(array)
    return _image_copier(array.shape).run(array).reshape(array.shape)
