"""Sliding windows as matrices, with which a convolution becomes matrix products.

``unfold`` copies every window of an image into a column ("im2col"). Its adjoint, ``fold``, adds the columns to the
positions from which they were copied. Both functions process one axis after the other, starting with the last. This
method needs one more pass over a small array, but the last pass, which writes the large array, copies long contiguous
runs. It is twice as fast as copying all windows in one pass, and the axes of the weight keep their order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy

__all__ = ["Windows", "chunks", "columns_of", "fold", "pad_spatial", "strided_view", "unfold", "windows"]

#: The largest number of elements in the columns of several images, which stay in the caches.
CHUNK = 1 << 21
#: The largest number of elements in some columns of one image, which stay in the cache of one core.
BAND = 1 << 18


class Windows(NamedTuple):
    """The windows over an image, with one entry per spatial axis.

    Attributes
    ----------
    kernel, stride, dilate, pad : tuple of int
        The size of the window, its stride, the distance between its elements, and the number of zeros at both ends.
    padded : tuple of int
        The sizes of the padded image.
    output : tuple of int
        The number of window positions along each axis.
    trivial : bool
        Whether each window is one element and each element a window, so that no copy is needed.
    """

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilate: tuple[int, ...]
    pad: tuple[int, ...]
    padded: tuple[int, ...]
    output: tuple[int, ...]
    trivial: bool


@lru_cache(maxsize=1024)
def windows(
    spatial: tuple[int, ...],
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    dilate: tuple[int, ...],
    pad: tuple[int, ...],
) -> Windows:
    """Return the windows over an image whose sizes are `spatial`; empty tuples select the default values.

    Examples
    --------
    >>> windows((5, 6), (3, 2), (), (), (1, 0)).output
    (5, 5)
    """
    ones = (1,) * len(kernel)
    stride, dilate, pad = stride or ones, dilate or ones, pad or (0,) * len(kernel)
    padded = tuple(n + 2 * p for n, p in zip(spatial, pad, strict=True))
    output = tuple((n - t * (k - 1) - 1) // s + 1 for n, k, s, t in zip(padded, kernel, stride, dilate, strict=True))
    return Windows(kernel, stride, dilate, pad, padded, output, kernel == stride == ones and padded == spatial)


def chunks(count: int, size: int) -> range:
    """Return the index of the first example in each piece of a batch; an example has ``size`` elements.

    Examples
    --------
    >>> list(chunks(5, CHUNK // 2))
    [0, 2, 4]
    """
    return range(0, count, max(1, CHUNK // max(1, size)))


def columns_of(xp: Any, x: Any, w: Windows, groups: int) -> Iterator[tuple[slice, slice, Any]]:
    """Yield columns in pieces that fit into the caches: of several images, or of a range of positions in an image.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    x : array
        The images, of shape ``(batch, channel, ...)``, without padding.
    w : Windows
        The geometry of the windows.
    groups : int
        The number of groups of channels.

    Yields
    ------
    tuple
        The slices of images and positions, and their columns ``(image, group, window element, position)``.

    Examples
    --------
    >>> x = numpy.arange(5.0).reshape(1, 1, 5)
    >>> [(images, positions, columns)] = columns_of(numpy, x, windows((5,), (3,), (), (), ()), 1)
    >>> columns.shape, positions
    ((1, 1, 3, 3), slice(0, 3, None))
    """
    row, rows = math.prod(w.output[1:]), w.output[0]
    size = x.shape[1] * math.prod(w.kernel) * row
    steps = chunks(len(x), size * rows)
    if xp is numpy and size * rows > CHUNK:
        rows = max(1, BAND // size)
    first, stride, dilate = w.kernel[0], w.stride[0], w.dilate[0]
    for i in steps:
        piece = pad_spatial(xp, x[i : i + steps.step], w.pad)
        for start in range(0, w.output[0], max(rows, 1)):
            stop = min(start + rows, w.output[0])
            band = piece
            if stop - start < w.output[0]:
                band = piece[:, :, start * stride : (stop - 1) * stride + dilate * (first - 1) + 1]
            columns = unfold(xp, xp.ascontiguousarray(band), w._replace(output=(stop - start, *w.output[1:])))
            columns = columns.reshape(len(piece), groups, -1, (stop - start) * row)
            yield slice(i, i + steps.step), slice(start * row, stop * row), columns


def strided_view(xp: Any, array: Any, shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """Return a view of a contiguous array with another shape and strides, in bytes."""
    if xp is numpy:  # five times faster than as_strided
        return numpy.ndarray(shape, array.dtype, array, 0, strides)
    return xp.lib.stride_tricks.as_strided(array, shape, strides)


def pad_spatial(xp: Any, x: Any, pad: tuple[int, ...], after: tuple[int, ...] | None = None) -> Any:
    """Return images of shape ``(batch, channel, ...)`` as a contiguous array, padded with zeros.

    ``pad`` and ``after`` are the numbers of zeros before and after each spatial axis; by default, they are equal.
    """
    after = pad if after is None else after
    if not any(pad) and not any(after):
        return xp.ascontiguousarray(x)
    sizes = x.shape[2:]
    padded = xp.zeros((*x.shape[:2], *(p + n + q for n, p, q in zip(sizes, pad, after, strict=True))), x.dtype)
    padded[(slice(None), slice(None), *(slice(p, p + n) for n, p in zip(sizes, pad, strict=True)))] = x
    return padded


def unfold(xp: Any, x: Any, w: Windows, batch_inside: bool = False) -> Any:
    """Return all windows of images as columns.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    x : array
        The images, of shape ``(batch, channel, ...)``, padded and contiguous.
    w : Windows
        The geometry of the windows.
    batch_inside : bool
        Whether the batch is the axis before the positions.

    Returns
    -------
    array
        The columns, of shape ``(batch, channel, *kernel, *output)`` or ``(channel, *kernel, batch, *output)``.

    Examples
    --------
    >>> x = numpy.arange(5.0).reshape(1, 1, 5)
    >>> unfold(numpy, x, windows((5,), (3,), (), (), ()))
    array([[[[0., 1., 2.],
             [1., 2., 3.],
             [2., 3., 4.]]]])
    """
    shape, strides = x.shape, x.strides
    lead = 2
    if batch_inside:
        lead = 1
        shape = (shape[1], shape[0], *shape[2:])
        strides = (strides[1], strides[0], *strides[2:])
    last = len(w.kernel) - 1
    for axis in range(last, -1, -1):
        at = 2 + last  # the axis has moved here, behind the inserted kernel axes
        step = strides[at]
        shape = (*shape[:lead], w.kernel[axis], *shape[lead:at], w.output[axis], *shape[at + 1 :])
        strides = (
            *strides[:lead],
            step * w.dilate[axis],
            *strides[lead:at],
            step * w.stride[axis],
            *strides[at + 1 :],
        )
        x = strided_view(xp, x, shape, strides).copy()
        strides = x.strides
    return x


def fold(xp: Any, columns: Any, w: Windows) -> Any:
    """Add columns to the positions from which :func:`unfold` took them.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    columns : array
        The columns, of shape ``(batch, channel, *kernel, *output)``.
    w : Windows
        The geometry of the windows.

    Returns
    -------
    array
        The images, of shape ``(batch, channel, ...)``, without padding.

    Examples
    --------
    >>> fold(numpy, numpy.ones((1, 1, 3, 3)), windows((5,), (3,), (), (), ()))
    array([[[1., 2., 3., 2., 1.]]])
    """
    at = 1 + len(w.kernel)  # an axis of the image replaces this axis of positions
    for k, s, t, o, n in zip(w.kernel, w.stride, w.dilate, w.output, w.padded, strict=True):
        shape = columns.shape[:2] + columns.shape[3:]
        sums = xp.zeros((*shape[:at], n, *shape[at + 1 :]), columns.dtype)
        for i in range(k):
            place = (slice(None),) * at + (slice(i * t, i * t + (o - 1) * s + 1, s),)
            target = sums[place]
            xp.add(target, columns[:, :, i], out=target)
        columns = sums
    if any(w.pad):
        inner = (slice(p, n - p) for n, p in zip(w.padded, w.pad, strict=True))
        columns = xp.ascontiguousarray(columns[(slice(None), slice(None), *inner)])
    return columns
