"""The adjoint of a convolution, computed as convolutions with stride 1, which are called phases.

With stride ``s`` and padding ``p``, element ``i`` of an axis is at position ``i + p = q·s + r``. This position is
position ``r`` in window ``q``, ``r + s`` in window ``q - 1``, ``r + 2s`` in window ``q - 2``, and so on. Therefore, for
each *phase* ``r``, the adjoint is an ordinary convolution with every s-th element of the filters, in reverse order. All
phases use the same windows, so one product with one set of columns computes all phases. The results are then
interleaved. In signal processing, this is the polyphase form of an interpolating filter; in deep learning, it is a
sub-pixel convolution (Shi et al. 2016). With stride 1, there is one phase, which is the convolution with reversed
filters.

:func:`~d2lhybrid.internals.ops.unfold.fold` creates ``channels × window`` numbers for each position, and adds numbers
that overlap. The functions in this file copy only ``filters × window / phases`` numbers for each position, and their
results don't overlap.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Any, NamedTuple

from .unfold import Windows, chunks, columns_of, pad_spatial, windows

__all__ = ["adjoint_by_phases", "phases_pay"]

#: The time per number in nanoseconds, measured with one thread: a multiplication and an addition, sums of columns with
#: a stride of 1 and with larger strides, copies of columns, the interleaving of phases, and the reordering of filters.
_MULTIPLY, _FOLD, _FOLD_STEPS, _COPY, _LAY, _SORT = 0.025, 1.3, 2.0, 0.3, 0.4, 1.5
#: Phases are used if their estimated time, divided by that of folding columns, is below this number.
ENOUGH = 0.9


class _Axis(NamedTuple):
    """The gradient along one axis.

    Attributes
    ----------
    taps : int
        The number of elements of a filter in a phase.
    before, after : int
        The number of zeros before and after the positions. A negative number counts positions to omit because they
        touch only padding.
    places : tuple of slice
        The elements of the image that each phase computes.
    sources : tuple of slice
        The positions of these elements in the product, for each phase.
    """

    taps: int
    before: int
    after: int
    places: tuple[slice, ...]
    sources: tuple[slice, ...]


def _axis(kernel: int, stride: int, dilate: int, pad: int, padded: int, output: int) -> _Axis:
    size, taps = padded - 2 * pad, -(-kernel // stride)
    first, last = pad // stride, (pad + size - 1) // stride
    starts = [(phase - pad) % stride for phase in range(stride)]
    sources = []
    for phase, start in enumerate(starts):
        position = (start + pad - phase) // stride - first
        sources.append(slice(position, position + len(range(start, size, stride))))
    places = tuple(slice(start, size, stride) for start in starts)
    return _Axis(taps, dilate * (taps - 1) - first, last - output + 1, places, tuple(sources))


@lru_cache(maxsize=1024)
def _plan(w: Windows) -> tuple[tuple[_Axis, ...], Windows]:
    """Return the gradient along each axis, and the windows over the padded image."""
    axes = tuple(map(_axis, w.kernel, w.stride, w.dilate, w.pad, w.padded, w.output))
    sizes = tuple(n + axis.before + axis.after for n, axis in zip(w.output, axes, strict=True))
    return axes, windows(sizes, tuple(axis.taps for axis in axes), (), w.dilate, ())


def phases_pay(w: Windows, batch: int, filters: int, channels: int, groups: int) -> bool:
    """Return whether phases are estimated to be faster than folding columns.

    Parameters
    ----------
    w : Windows
        The windows of the convolution.
    batch, filters, channels : int
        The numbers of images, filters, and channels.
    groups : int
        The number of groups into which filters and channels are divided.

    Examples
    --------
    >>> phases_pay(windows((32, 32), (4, 4), (2, 2), (), (1, 1)), 8, 64, 32, 1)
    True
    >>> phases_pay(windows((28, 28), (1, 1), (2, 2), (), ()), 8, 128, 64, 1)  # three of the four phases are zero
    False
    """
    return _share_of_folding(w, batch, filters, channels, groups) < ENOUGH


@lru_cache(maxsize=1024)
def _share_of_folding(w: Windows, batch: int, filters: int, channels: int, groups: int) -> float:
    if any(s > 1 and d > 1 for s, d in zip(w.stride, w.dilate, strict=True)):
        return math.inf  # dilated taps of a phase aren't evenly spaced
    turned = _plan(w)[1]
    phases, taps, window = math.prod(w.stride), math.prod(turned.kernel), math.prod(w.kernel)
    here, there = batch * math.prod(w.output), batch * math.prod(turned.output)
    pairs = filters * channels // groups
    by_folding = _MULTIPLY * pairs * window * here + (_FOLD if phases == 1 else _FOLD_STEPS) * channels * window * here
    by_phases = _MULTIPLY * pairs * taps * phases * there + _SORT * pairs * taps * phases
    by_phases += (_COPY * filters * taps + _LAY * channels * phases) * there
    return by_phases / max(by_folding, 1e-9)


def adjoint_by_phases(xp: Any, dy: Any, weight: Any, w: Windows, groups: int) -> Any:
    """Return the gradient of a convolution with respect to the images.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    dy : array
        The gradient, of shape ``(batch, filter, position, ...)``.
    weight : array
        The filters, of shape ``(filter, channel of a group, ...)``.
    w : Windows
        The windows, which must not be dilated along axes with a stride greater than 1.
    groups : int
        The number of groups of channels.

    Returns
    -------
    array
        The gradient, of shape ``(batch, channel, ...)``.

    Examples
    --------
    >>> import numpy
    >>> w = windows((6,), (3,), (2,), (), (1,))
    >>> adjoint_by_phases(numpy, numpy.array([[[1.0, 10.0, 100.0]]]), numpy.array([[[1.0, 2.0, 3.0]]]), w, 1)
    array([[[  2.,  13.,  20., 130., 200., 300.]]])
    """
    axes, turned = _plan(w)
    channels, whole = weight.shape[1], slice(None)
    matrix = _phases_of_filters(xp, weight, axes, w.stride, groups)
    sizes = tuple(n - 2 * p for n, p in zip(w.padded, w.pad, strict=True))
    dx = xp.empty((len(dy), groups, channels, *sizes), dy.dtype)
    steps = chunks(len(dy), dy.shape[1] * math.prod(turned.kernel) * math.prod(turned.output))
    for i in steps:
        piece = _with_border(xp, dy[i : i + steps.step], axes)
        made = xp.empty((len(piece), groups, matrix.shape[1], math.prod(turned.output)), dy.dtype)
        for images, positions, columns in columns_of(xp, piece, turned, groups):
            xp.matmul(matrix, columns, out=made[images, :, :, positions])
        made = made.reshape(len(piece), groups, *w.stride, channels, *turned.output)
        for phase in itertools.product(*map(range, w.stride)):
            places = (axis.places[r] for axis, r in zip(axes, phase, strict=True))
            sources = (axis.sources[r] for axis, r in zip(axes, phase, strict=True))
            dx[(slice(i, i + steps.step), whole, whole, *places)] = made[(whole, whole, *phase, whole, *sources)]
    return dx.reshape(len(dy), groups * channels, *sizes)


def _with_border(xp: Any, dy: Any, axes: tuple[_Axis, ...]) -> Any:
    """Return dy with a border of zeros, or without positions that touch only padding, as a contiguous array."""
    inside = (slice(max(0, -axis.before), n - max(0, -axis.after)) for axis, n in zip(axes, dy.shape[2:], strict=True))
    before, after = (tuple(max(0, n) for n in ends) for ends in zip(*((a.before, a.after) for a in axes), strict=True))
    return pad_spatial(xp, dy[(..., *inside)], before, after)


def _phases_of_filters(xp: Any, weight: Any, axes: tuple[_Axis, ...], stride: tuple[int, ...], groups: int) -> Any:
    """Return the filters as (group, phase and channel, filter and tap)."""
    filters, channels, *kernel = weight.shape
    even = [axis.taps * s for axis, s in zip(axes, stride, strict=True)]
    if even != kernel:  # pads the last taps of some phases with zeros
        padded = xp.zeros((filters, channels, *even), weight.dtype)
        padded[(..., *map(slice, kernel))] = weight
        weight = padded
    split = weight.reshape(filters, channels, *itertools.chain(*zip((a.taps for a in axes), stride, strict=True)))
    split = split[(slice(None), slice(None), *(slice(None, None, -1), slice(None)) * len(axes))]
    taps, phases = range(2, split.ndim, 2), range(3, split.ndim, 2)
    # The channels are the last axis, so that writes are contiguous. The product uses the transposed matrix.
    sorted_out = xp.ascontiguousarray(split.transpose(0, *taps, *phases, 1))
    return sorted_out.reshape(groups, -1, math.prod(stride) * channels).swapaxes(1, 2)
