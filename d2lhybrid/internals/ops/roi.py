"""Pooling over regions of interest, which computes a grid of values for each box in an image.

A region is a row ``(image index, x1, y1, x2, y2)`` in the coordinates of the input image. Each region is divided into a
grid of parts, and the operators compute one value for each part.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...error import MXNetError
from ..core.infer import require
from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules
from .index import integer_indices
from .not_differentiable import not_differentiable
from .portable import sums_at
from .unfold import chunks

__all__ = ["images_of", "most_points", "only_there"]

FAMILY = "pooling"

#: The largest plausible number of sampling points along one side of a part.
_MOST_POINTS = 1 << 16


def _rois_shape(data: Any, rois: Any, channels: Any, pooled_size: Any) -> list[Any]:
    """Return the shape of the result."""
    if data is not None:
        require(len(data) == 4, f"dshape.ndim() == 4U ({len(data)} vs. 4) : data should be a 4D tensor")
    if rois is None:
        return [None, channels, *pooled_size]
    require(
        len(rois) == 2 and rois[1] in (None, 5),
        "bshape.ndim() == 2U : bbox should be a 2D tensor of shape [batch, 5]",
    )
    return [rois[0], channels, *pooled_size]


def images_of(xp: Any, rois: Any, count: int) -> tuple[Any, Any]:
    """Return the image index of each region, and whether it is below ``count``; an invalid index becomes 0.

    Examples
    --------
    >>> images_of(numpy, numpy.array([[1.0], [-1.0], [2.0]]), 2)
    (array([1, 0, 0]), array([ True, False, False]))
    """
    image = integer_indices(rois[:, 0])
    there = (image >= 0) & (image < count)
    return xp.where(there, image, 0), there


def only_there(xp: Any, there: Any, values: Any) -> Any:
    """Return values of shape ``(region, ...)``, with zeros for regions whose image doesn't exist."""
    if xp is numpy and there.all():
        return values
    return xp.where(there.reshape(-1, *(1,) * (values.ndim - 1)), values, values.dtype.type(0))


def most_points(points: Any, argument: str) -> int:
    """Return the largest number of sampling points along one side of a part, over all regions.

    Parameters
    ----------
    points : array
        The number of sampling points of each region.
    argument : str
        The operator's argument that sets this number, for the message.

    Raises
    ------
    MXNetError
        If the number is implausibly large.
    """
    most = float(points.max()) if points.size else 1.0
    if most > _MOST_POINTS:
        error = MXNetError(
            f"a region of interest has {most:.10g} sampling points along one side of each bin, but at most "
            f"{_MOST_POINTS} are allowed"
        )
        error.add_note(f"Clip the regions to the image, or pass a positive {argument}.")
        raise error
    return int(most) if most >= 1 else 1


# --- maximum of each part --------------------------------------------------------------------------


def _bins(xp: Any, low: Any, high: Any, count: int, length: int) -> Any:
    """Return whether each element of an axis belongs to each part, as ``(region, part, element)``."""
    high = xp.where(xp.abs(high) < 2.0**31, high, low)  # as in MXNet, a part whose end isn't finite is empty
    size = xp.maximum(high - low + 1, 1)
    step = (size / low.dtype.type(count))[:, None]
    index = xp.arange(count, dtype=low.dtype)
    start = xp.clip(xp.floor(index * step) + low[:, None], 0, length)
    end = xp.clip(xp.ceil((index + 1) * step) + low[:, None], 0, length)
    places = xp.arange(length)
    return (places >= start[..., None]) & (places < end[..., None])


def _max_where(xp: Any, values: Any, masks: Any) -> tuple[Any, Any]:
    """Return the maxima, over the last axis, of the elements that each mask ``(region, part, element)`` selects."""
    lowest = xp.finfo(values.dtype).min
    parts = []
    for p in range(masks.shape[1]):
        chosen = masks[:, p].reshape(len(masks), *(1,) * (values.ndim - 2), -1)
        candidates = xp.where(chosen, values, lowest)
        where = xp.argmax(candidates, axis=-1)[..., None]
        parts.append((xp.take_along_axis(candidates, where, axis=-1), where))
    return tuple(xp.concatenate(p, axis=-1) for p in zip(*parts, strict=True))  # type: ignore[return-value]


def _max_of_elements(values: Any, masks: Any) -> tuple[Any, Any]:
    """Return the result of :func:`_max_where` for one region, over the first axis, as ``(part, ...)``."""
    best = numpy.zeros((len(masks), *values.shape[1:]), values.dtype)
    where = numpy.zeros(best.shape, int)
    for part, mask in enumerate(masks):
        elements = numpy.nonzero(mask)[0]
        if elements.size:
            best[part], where[part] = values[elements[0]], elements[0]
        for element in elements[1:]:
            numpy.copyto(where[part], element, where=values[element] > best[part])
            numpy.maximum(best[part], values[element], out=best[part])
    return best, where


def _pool_region(image: Any, rows: Any, columns: Any) -> tuple[Any, Any]:
    """Return the maxima and their positions for one region of a channels-last image, reading only the region."""
    inside = rows.any(axis=0)
    first = int(inside.argmax())
    image, rows = image[first : first + int(inside.sum())], rows[:, inside]
    across, column = _max_of_elements(image.swapaxes(0, 1), columns)  # (part across, row, channel)
    maxima, row = _max_of_elements(across.swapaxes(0, 1), rows)  # (part down, part across, channel)
    column = numpy.take_along_axis(column.swapaxes(0, 1), row, axis=0)
    return maxima.transpose(2, 0, 1), ((row + first) * columns.shape[1] + column).transpose(2, 0, 1)


@operator("ROIPooling", "_npx_roi_pooling", outputs=2, visible_outputs=1)
def roi_pooling(xp, data: Array, rois: Array, pooled_size: Shape = REQUIRED, spatial_scale: float = REQUIRED):
    """Divide each region of interest into parts, and return the maximum of each part.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, height, width)``.
    rois : array
        The regions, of shape ``(number, 5)``: image, x1, y1, x2, y2.
    pooled_size : tuple of int
        The number of rows and the number of columns into which to divide each region.
    spatial_scale : float
        The size of ``data`` divided by the size of the image to which the coordinates of regions refer.

    Notes
    -----
    The hidden second output contains the position of each maximum in the flattened images, or -1 for an empty part.
    """
    channels, height, width = data.shape[1:]
    corners = rois[:, 1:] * data.dtype.type(spatial_scale)
    corners = xp.trunc(corners + xp.copysign(data.dtype.type(0.5), corners))  # halves are rounded away from zero
    image, there = images_of(xp, rois, len(data))
    rows = _bins(xp, corners[:, 1], corners[:, 3], pooled_size[0], height) & there[:, None, None]
    columns = _bins(xp, corners[:, 0], corners[:, 2], pooled_size[1], width)
    shape = (len(rois), channels, *pooled_size)
    y, places = xp.empty(shape, data.dtype), xp.empty(shape, int)
    if xp is numpy:
        images = numpy.ascontiguousarray(data.transpose(0, 2, 3, 1))
        for i, of in enumerate(image):
            if rows[i].any() and columns[i].any():  # a region outside of the image has only empty parts
                y[i], places[i] = _pool_region(images[of], rows[i], columns[i])
    else:
        steps = chunks(len(rois), channels * height * width)
        for i in steps:
            piece = slice(i, i + steps.step)
            across, column = _max_where(xp, data[image[piece]], columns[piece])
            maxima, row = _max_where(xp, across.swapaxes(2, 3), rows[piece])
            row = row.swapaxes(2, 3)
            y[piece] = maxima.swapaxes(2, 3)
            places[piece] = row * width + xp.take_along_axis(column, row, axis=2)
    empty = ~(rows.any(axis=2)[:, None, :, None] & columns.any(axis=2)[:, None, None, :])
    places += ((image * channels)[:, None] + xp.arange(channels))[:, :, None, None] * (height * width)
    return xp.where(empty, data.dtype.type(0), y), xp.where(empty, -1, places).astype(numpy.int32)


roi_pooling.names_outputs = True
roi_pooling.hidden_names = ("maxidx",)
roi_pooling.lenient = True


@roi_pooling.infer_shape
def _(data, rois, *, pooled_size, **attributes):
    shape = tuple(_rois_shape(data, rois, None if data is None else data[1], pooled_size))
    return [data, rois], [shape, shape]


@roi_pooling.infer_type
def _(data, rois, **attributes):
    types, [dtype] = rules.same_type(data, rois)
    return types, [dtype, numpy.dtype(numpy.int32)]


@roi_pooling.gradient
def _(F, dy, y, data, rois, **attributes):
    return [F._backward_ROIPooling(dy[0], data, rois, y[1]), F.zeros_like(rois)]


@operator("_backward_ROIPooling")
def roi_pooling_gradient(xp, dy: Array, data: Array, rois: Array, places: Array):
    """Return the gradient of ROIPooling with respect to the images, which is nonzero at the maxima."""
    there = places >= 0
    heads, places = dy * there, places * there
    if not data.size:  # the images have no elements
        return xp.zeros_like(data)
    total = sums_at(xp, places.reshape(-1), heads.reshape(-1), data.size)
    return total.reshape(data.shape).astype(data.dtype)


roi_pooling_gradient.infer_shape(lambda dy, data, rois, places: ([dy, data, rois, places], [data]))
roi_pooling_gradient.infer_type(lambda dy, data, rois, places: ([dy, data, rois, places], [data]))
not_differentiable(roi_pooling_gradient)

# --- mean of interpolated points -------------------------------------------------------------------


def _samples(
    xp: Any, low: Any, high: Any, count: int, length: int, sample_ratio: int, aligned: bool
) -> tuple[Any, Any, Any]:
    """Return the sampling points of one axis, as the elements on both sides of each point and their weights.

    Returns
    -------
    tuple of array
        The elements before and after each point, ``(2, region, part, point)``; their weights, which are 0
        for points that don't exist or are outside of the image; and the number of points in a part, ``(region,)``.
    """
    extent = high - low if aligned else xp.maximum(high - low, 1)
    step = extent / count
    points = xp.full_like(step, sample_ratio)
    if sample_ratio <= 0:
        points = xp.where(xp.isfinite(step), xp.ceil(step), 0)  # an infinite region has no points, as in MXNet
    most = most_points(points, "sample_ratio") if sample_ratio <= 0 else sample_ratio
    index = xp.arange(most, dtype=low.dtype)
    within = (index + 0.5) * (step / xp.maximum(points, 1))[:, None]
    position = low[:, None, None] + xp.arange(count, dtype=low.dtype)[:, None] * step[:, None, None]
    position = position + within[:, None]
    exists = (index < points[:, None])[:, None] & (position >= -1) & (position <= length)
    position = xp.where(exists, xp.clip(position, 0, length - 1), position.dtype.type(0))
    before = xp.minimum(xp.floor(position), max(length - 2, 0))
    part = position - before
    places = xp.stack([before, xp.minimum(before + 1, length - 1)]).astype(int)
    return places, xp.stack([1 - part, part]) * exists, points


def _align(
    xp: Any, data: Any, rois: Any, pooled_size: Any, spatial_scale: float, sample_ratio: int, aligned: bool
) -> tuple[Any, Any, Any, Any]:
    """Return the positions and the weights of rows and columns; sums with these weights are means."""
    scale, offset = data.dtype.type(spatial_scale), data.dtype.type(0.5 if aligned else 0)
    x1, y1, x2, y2 = (rois[:, i] * scale - offset for i in range(1, 5))
    rows, down, n_down = _samples(xp, y1, y2, pooled_size[0], data.shape[2], sample_ratio, aligned)
    columns, across, n_across = _samples(xp, x1, x2, pooled_size[1], data.shape[3], sample_ratio, aligned)
    total = xp.maximum(n_down * n_across, 1)
    return rows, down / total[:, None, None], columns, across


def _matrix(xp: Any, places: Any, weights: Any, length: int) -> Any:
    """Return the matrices ``(region, part, element)`` that interpolate along one axis and add up points."""
    one_hot = places[..., None] == xp.arange(length)
    return xp.einsum("krpsl,krps->rpl", one_hot.astype(weights.dtype), weights)


def _channels_of_parts(xp: Any, data: Any, pooled_size: Any) -> Any:
    """Return data as ``(batch, channel, part row, part column, height, width)``, with channels for each part."""
    n, channels, height, width = data.shape
    down, across = pooled_size
    return data.reshape(n, channels // (down * across), down, across, height, width)


@operator("_contrib_ROIAlign", threaded=True)
def roi_align(
    xp,
    data: Array,
    rois: Array,
    pooled_size: Shape = REQUIRED,
    spatial_scale: float = REQUIRED,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
):
    """Divide each region of interest into parts, and return the mean of interpolated points in each part.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, height, width)``.
    rois : array
        The regions, of shape ``(number, 5)``: image, x1, y1, x2, y2.
    pooled_size : tuple of int
        The numbers of rows and columns into which to divide each region.
    spatial_scale : float
        The size of ``data`` divided by the size of the image to which the coordinates of regions refer.
    sample_ratio : int
        The number of points along each side of a part. By default, the number of elements along the side is used, and
        on a GPU, the host waits for the size of the largest region.
    position_sensitive : bool
        Whether each part has its own channels.
    aligned : bool
        Whether coordinates refer to the centers of elements, so that they are shifted by half an element.
    """
    rows, down, columns, across = _align(xp, data, rois, pooled_size, spatial_scale, sample_ratio, aligned)
    left = _matrix(xp, rows, down, data.shape[2])
    right = _matrix(xp, columns, across, data.shape[3])
    image, there = images_of(xp, rois, len(data))
    if position_sensitive:
        parts = _channels_of_parts(xp, data[image], pooled_size)
        y = xp.einsum("rcpqhw,rph,rqw->rcpq", parts, left, right, optimize=True)
    elif xp is numpy:
        y = _mean_of_regions(data, image, left, right)
    else:
        y = xp.matmul(xp.matmul(left[:, None], data[image]), right[:, None].swapaxes(2, 3))
    return only_there(xp, there, y)


def _seen(weights: Any) -> list[slice]:
    """Return, for each region, the slice of an axis with all nonzero weights of the matrix ``(part, element)``."""
    there = weights.any(axis=1)
    if not there.shape[1]:
        return [slice(0)] * len(there)
    first, last = there.argmax(axis=1), there.shape[1] - there[:, ::-1].argmax(axis=1)
    ends = zip(first.tolist(), last.tolist(), there.any(axis=1).tolist(), strict=True)
    return [slice(start, stop) if seen else slice(0) for start, stop, seen in ends]


def _mean_of_regions(data: Any, image: Any, left: Any, right: Any) -> Any:
    """Return the means of all parts, in a loop over regions that reads only the elements of each region."""
    channels, (down, across) = data.shape[1], (left.shape[1], right.shape[1])
    images = numpy.ascontiguousarray(data.transpose(0, 2, 3, 1))
    y = numpy.zeros((len(image), down, across, channels), data.dtype)
    for i, of, rows, columns in zip(range(len(image)), image, _seen(left), _seen(right), strict=True):
        seen = images[of, rows, columns]
        if seen.size:
            lines = left[i, :, rows] @ seen.reshape(len(seen), -1)
            numpy.matmul(right[i, :, columns], lines.reshape(down, -1, channels), out=y[i])
    return numpy.ascontiguousarray(y.transpose(0, 3, 1, 2))


roi_align.precision = "widest"
roi_align.names_outputs = True
roi_align.lenient = True


@roi_align.infer_shape
def _(data, rois, *, pooled_size, position_sensitive, **attributes):
    channels = None if data is None else data[1]
    if position_sensitive and channels is not None:
        channels //= pooled_size[0] * pooled_size[1]
    return [data, rois], [tuple(_rois_shape(data, rois, channels, pooled_size))]


roi_align.infer_type(rules.same_type)


@roi_align.gradient
def _(F, dy, y, data, rois, **attributes):
    return [F._backward_ROIAlign(dy, data, rois, **attributes), F.zeros_like(rois)]


@operator("_backward_ROIAlign", threaded=True)
def roi_align_gradient(
    xp,
    dy: Array,
    data: Array,
    rois: Array,
    pooled_size: Shape = REQUIRED,
    spatial_scale: float = REQUIRED,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
):
    """Return the gradient of ROIAlign with respect to the images."""
    rows, down, columns, across = _align(xp, data, rois, pooled_size, spatial_scale, sample_ratio, aligned)
    left = _matrix(xp, rows, down, data.shape[2])
    right = _matrix(xp, columns, across, data.shape[3])
    if position_sensitive:
        images = xp.einsum("rcpq,rph,rqw->rcpqhw", dy, left, right, optimize=True)
        images = images.reshape(len(rois), *data.shape[1:])
    elif xp is numpy:
        return _gradient_of_means(dy, data, *images_of(xp, rois, len(data)), left, right)
    else:
        images = xp.matmul(xp.matmul(left[:, None].swapaxes(2, 3), dy), right[:, None])
    belongs = integer_indices(rois[:, 0]) == xp.arange(len(data))[:, None]
    sums = xp.matmul(belongs.astype(dy.dtype), images.reshape(len(rois), math.prod(data.shape[1:])))
    return sums.reshape(data.shape)


def _gradient_of_means(dy: Any, data: Any, image: Any, there: Any, left: Any, right: Any) -> Any:
    """Return the gradient of :func:`_mean_of_regions`, summed in a loop over regions."""
    n, channels, height, width = data.shape
    total = numpy.zeros((n, height, width, channels), dy.dtype)
    heads = numpy.ascontiguousarray(dy.transpose(0, 2, 3, 1))
    for i, of, rows, columns in zip(range(len(image)), image, _seen(left), _seen(right), strict=True):
        target = total[of, rows, columns]
        if there[i] and target.size:
            lines = numpy.matmul(right[i, :, columns].T, heads[i])  # (part down, column, channel)
            target += (left[i, :, rows].T @ lines.reshape(len(lines), -1)).reshape(target.shape)
    return numpy.ascontiguousarray(total.transpose(0, 3, 1, 2))


roi_align_gradient.infer_shape(lambda dy, data, rois, **attributes: ([dy, data, rois], [data]))
roi_align_gradient.infer_type(rules.same_type)
not_differentiable(roi_align_gradient)
