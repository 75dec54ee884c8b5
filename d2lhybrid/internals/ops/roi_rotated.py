"""Pooling over rotated regions of interest, which computes a grid of values for each rotated box in an image.

A region is a row ``(image index, x, y, width, height, angle)``: the center, the size, and the counterclockwise rotation
in degrees, in the coordinates of the input image.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy

from ..core.infer import require
from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules
from .nn import require_float
from .not_differentiable import not_differentiable
from .portable import sums_at
from .roi import images_of, most_points, only_there
from .unfold import chunks

FAMILY = "pooling"
MEANINGS = {
    "rois": "The regions, of shape ``(number, 6)``: image, x and y of the center, width, height, degrees.",
    "pooled_size": "The number of parts in each direction.",
    "spatial_scale": "The size of ``data`` divided by the size of the image to which the coordinates refer.",
    "sampling_ratio": (
        "The number of points along each side of a part. If not positive, the number of elements along the "
        "side is used, and on a GPU, the host waits for the size of the largest region."
    ),
}


class _Points(NamedTuple):
    """The sampling points of some regions, and the four elements around each point.

    Attributes
    ----------
    regions : slice
        The indices of the regions.
    corners : list of (array, array)
        The positions of elements in an image, and their weights in the mean of a part, of shape ``(region, point)``.
    in_part : int
        The number of points in a part.
    """

    regions: slice
    corners: list[tuple[Any, Any]]
    in_part: int


def _along(xp: Any, extent: Any, parts: int, ratio: int, most: int) -> tuple[Any, Any, Any]:
    """Return the points of one side relative to the center, ``(region, part, point)``.

    The function also returns whether each point exists, and the number of points.
    """
    kind = extent.dtype.type
    step = extent / kind(parts)
    count = xp.full_like(step, ratio)
    if ratio <= 0:
        count = xp.where(xp.isfinite(step), xp.ceil(step), kind(1))
    index = xp.arange(most, dtype=extent.dtype)
    inside = (index + kind(0.5)) * step[:, None] / count[:, None]
    start = (-extent / kind(2))[:, None] + xp.arange(parts, dtype=extent.dtype) * step[:, None]
    return start[:, :, None] + inside[:, None, :], index < count[:, None], count


def _around(xp: Any, position: Any, length: int) -> tuple[Any, Any, Any]:
    """Return the elements before and after each point of one axis, and the weight of the element after it."""
    position = xp.maximum(position, 0)
    before = xp.minimum(xp.floor(position), length - 1)
    share = xp.where(before >= length - 1, position.dtype.type(0), position - before)
    return before.astype(int), xp.minimum(before + 1, length - 1).astype(int), share


def _points(xp: Any, rois: Any, shape: tuple[int, ...], parts: Any, scale: float, ratio: int) -> Iterator[_Points]:
    """Yield the points of a few regions at a time."""
    kind = rois.dtype.type
    factor = kind(numpy.float32(scale))  # as in MXNet, because the number of points may depend on the last digit
    channels, height, width = shape[1:]
    wide, tall = (xp.maximum(rois[:, i] * factor, kind(1)) for i in (3, 4))
    most = [ratio, ratio]
    if ratio <= 0 and len(rois):
        most = [
            most_points(xp.where(xp.isfinite(side), xp.ceil(side / kind(p)), 1), "sampling_ratio")
            for side, p in zip((tall, wide), parts, strict=True)
        ]
    in_part = most[0] * most[1]
    steps = chunks(len(rois), max(channels, 1) * math.prod(parts) * in_part)
    for i in steps:
        piece = slice(i, i + steps.step)
        down, rows_exist, rows = _along(xp, tall[piece], parts[0], ratio, most[0])
        across, columns_exist, columns = _along(xp, wide[piece], parts[1], ratio, most[1])
        down, across = down[:, :, None, :, None], across[:, None, :, None, :]  # (region, part, part, point, point)
        angle = (rois[piece, 5] * (math.pi / 180.0)).astype(rois.dtype)[:, None, None, None, None]
        cosine, sine = xp.cos(angle), xp.sin(angle)
        x, y = ((rois[piece, c] * factor)[:, None, None, None, None] for c in (1, 2))
        x, y = across * cosine + down * sine + x, down * cosine - across * sine + y
        exists = rows_exist[:, None, None, :, None] & columns_exist[:, None, None, None, :]
        exists = exists & (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
        x, y = xp.where(exists, x, kind(0)), xp.where(exists, y, kind(0))
        mean = exists / (rows * columns).astype(rois.dtype)[:, None, None, None, None]
        top, bottom, lower = _around(xp, y, height)
        left, right, later = _around(xp, x, width)
        corners = [
            (r * width + c, mean * a * b)
            for r, a in ((top, 1 - lower), (bottom, lower))
            for c, b in ((left, 1 - later), (right, later))
        ]
        flat = (len(angle), math.prod(parts) * in_part)
        yield _Points(piece, [(p.reshape(flat), w.reshape(flat)) for p, w in corners], in_part)


@operator("_contrib_RROIAlign", fresh=True)
def rroi_align(
    xp,
    data: Array,
    rois: Array,
    pooled_size: Shape = REQUIRED,
    spatial_scale: float = REQUIRED,
    sampling_ratio: int = -1,
):
    """Divide each rotated region of interest into parts, and return the mean of interpolated points in each part.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, height, width)``. Unlike in MXNet, they have a gradient.

    Examples
    --------
    >>> data = nd.arange(9).reshape((1, 1, 3, 3))
    >>> rois = nd.array([[0, 1, 1, 2, 1, 0], [0, 1, 1, 2, 1, 90]])  # a horizontal and a vertical region
    >>> nd.contrib.RROIAlign(data, rois, pooled_size=(1, 2), spatial_scale=1, sampling_ratio=1)
    <BLANKLINE>
    [[[[3.5 4.5]]]
    <BLANKLINE>
    <BLANKLINE>
     [[[5.5 2.5]]]]
    <NDArray 2x1x1x2 @cpu(0)>
    """
    require_float(data)
    images, channels = data.shape[:2]
    planes = data.reshape(images, channels, math.prod(data.shape[2:]))
    y = xp.empty((len(rois), math.prod(pooled_size), channels), data.dtype)
    images_at, there = images_of(xp, rois, images)
    for points in _points(xp, rois, data.shape, pooled_size, spatial_scale, sampling_ratio):
        image = images_at[points.regions, None]
        read: Any = 0
        for place, weight in points.corners:
            read = read + planes[image, :, place] * weight[..., None]  # (region, point, channel)
        read = read.reshape(len(read), math.prod(pooled_size), points.in_part, channels)
        y[points.regions] = xp.add.reduce(read, axis=2)
    y = only_there(xp, there, y)
    return xp.ascontiguousarray(y.swapaxes(1, 2)).reshape(len(rois), channels, *pooled_size)


rroi_align.names_outputs = rroi_align.lenient = True
rroi_align.asks_device = "the size of the largest region determines the number of points"


@rroi_align.infer_shape
def _(data, rois, *, pooled_size, **attributes):
    require(
        len(pooled_size) == 2 and min(pooled_size) > 0,
        f"param.pooled_size.ndim() == 2: pooled_size of RROIAlign must be two positive numbers, not {pooled_size}",
    )
    if data is not None:
        require(len(data) == 4, f"dshape.ndim() == 4U ({len(data)} vs. 4) : data should be a 4D tensor")
    if rois is not None:
        told = "bbox should be a 2D tensor of shape [batch, 6]"
        require(len(rois) == 2, f"bshape.ndim() == 2U ({len(rois)} vs. 2) : {told}")
        require(rois[1] in (None, 6), f"bshape[1] == 6U ({rois[1]} vs. 6) : {told}")
    count, channels = (None if shape is None else shape[i] for shape, i in ((rois, 0), (data, 1)))
    return [data, rois], [(count, channels, *pooled_size)]


rroi_align.infer_type(rules.same_type)


@rroi_align.gradient
def _(F, dy, y, data, rois, **attributes):
    return [F._backward_RROIAlign(dy, data, rois, **attributes), None]


@operator("_backward_RROIAlign", fresh=True)
def rroi_align_gradient(
    xp,
    dy: Array,
    data: Array,
    rois: Array,
    pooled_size: Shape = REQUIRED,
    spatial_scale: float = REQUIRED,
    sampling_ratio: int = -1,
):
    """Return the gradient of RROIAlign with respect to the images."""
    channels, size = data.shape[1], math.prod(data.shape[2:])
    heads = dy.reshape(*dy.shape[:2], math.prod(pooled_size)).swapaxes(1, 2)
    total = xp.zeros(data.size, data.dtype)
    image, there = images_of(xp, rois, len(data))
    heads = only_there(xp, there, heads)
    for points in _points(xp, rois, data.shape, pooled_size, spatial_scale, sampling_ratio):
        start = image[points.regions, None] * channels + xp.arange(channels)
        given = xp.repeat(heads[points.regions], points.in_part, axis=1)  # (region, point, channel)
        for place, weight in points.corners:
            places = start[:, None] * size + place[..., None]
            sums = sums_at(xp, places.reshape(-1), (given * weight[..., None]).reshape(-1), data.size)
            total += sums.astype(data.dtype, copy=False)
    return total.reshape(data.shape)


rroi_align_gradient.infer_shape(lambda dy, data, rois, **attributes: ([dy, data, rois], [data]))
rroi_align_gradient.infer_type(rules.same_type)
rroi_align_gradient.asks_device = rroi_align.asks_device
not_differentiable(rroi_align_gradient)
