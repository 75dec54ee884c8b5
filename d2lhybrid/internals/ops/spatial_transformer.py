"""The operators of a spatial transformer network, which samples an image at the points of a grid."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal

from ..core.infer import require
from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules
from .nn import require_float
from .not_differentiable import not_differentiable
from .portable import sums_at

FAMILY = "pooling"

# --- grids ---------------------------------------------------------------------------------------


def _positions(xp: Any, height: int, width: int, dtype: Any) -> tuple[Any, Any]:
    """Return the column index and the row index of each element of an image."""
    rows, columns = xp.arange(height, dtype=dtype), xp.arange(width, dtype=dtype)
    return xp.broadcast_to(columns, (height, width)), xp.broadcast_to(rows[:, None], (height, width))


def _unit(n: int) -> float:
    """Return the distance between neighboring elements of an axis with coordinates from -1 to 1."""
    return 2.0 / max(n - 1, 1)


def _homogeneous(xp: Any, height: int, width: int, dtype: Any) -> Any:
    """Return the points of a regular grid as columns (x, y, 1)."""
    x, y = _positions(xp, height, width, dtype)
    x, y = x.reshape(-1) * _unit(width) - 1, y.reshape(-1) * _unit(height) - 1
    return xp.stack([x, y, xp.ones_like(x)])


@operator("GridGenerator", threaded=True)
def grid_generator(xp, data: Array, transform_type: Literal["affine", "warp"] = REQUIRED, target_shape: Shape = (0, 0)):
    """Return the points at which to sample an image, as coordinates from -1 to 1.

    Parameters
    ----------
    data : array
        For ``"affine"``, six numbers for each image: the rows of the matrix that maps points of the result to points of
        the image. For ``"warp"``, a flow, measured in elements, of shape ``(batch, 2, height, width)``.
    transform_type : {"affine", "warp"}
        The meaning of `data`: matrices of affine maps, or a flow.
    target_shape : tuple of int
        The height and width of the grid, for ``"affine"``.

    Examples
    --------
    >>> nd.GridGenerator(nd.array([[1, 0, 0, 0, 1, 0]]), transform_type="affine", target_shape=(1, 3))
    <BLANKLINE>
    [[[[-1.  0.  1.]]
      [[-1. -1. -1.]]]]
    <NDArray 1x2x1x3 @cpu(0)>
    """
    require_float(data)
    if transform_type == "affine":
        height, width = target_shape
        points = _homogeneous(xp, height, width, data.dtype)
        return xp.matmul(data.reshape(len(data), 2, 3), points).reshape(len(data), 2, height, width)
    height, width = data.shape[2:]
    x, y = _positions(xp, height, width, data.dtype)
    return xp.stack([(data[:, 0] + x) * _unit(width) - 1, (data[:, 1] + y) * _unit(height) - 1], axis=1)


grid_generator.names_outputs = True
grid_generator.lenient = True


@grid_generator.infer_shape
def _(data, *, transform_type, target_shape):
    if transform_type == "affine":
        data = rules.unify(data, (None, 6))
        return [data], [(data[0], 2, *target_shape)]  # type: ignore[index]
    if data is not None:
        require(len(data) == 4, f"lshape.ndim() == 4U ({len(data)} vs. 4) : input data should be 4D")
    return [data], [data]


grid_generator.hidden_in_mxnet = 1
grid_generator.infer_type(rules.same_type)


@grid_generator.gradient
def _(F, dy, y, data, **attributes):
    return [F._backward_GridGenerator(dy, data, **attributes)]


@operator("_backward_GridGenerator", threaded=True)
def grid_generator_gradient(
    xp,
    dy: Array,
    data: Array,
    transform_type: Literal["affine", "warp"] = REQUIRED,
    target_shape: Shape = (0, 0),
):
    """Return the gradient of GridGenerator with respect to the data."""
    height, width = dy.shape[2:]
    if transform_type == "affine":
        points = _homogeneous(xp, height, width, dy.dtype)
        return xp.matmul(dy.reshape(len(dy), 2, height * width), points.T).reshape(data.shape)
    return xp.stack([dy[:, 0] * _unit(width), dy[:, 1] * _unit(height)], axis=1)


grid_generator_gradient.infer_shape(lambda dy, data, **attributes: ([dy, data], [data]))
grid_generator_gradient.infer_type(rules.same_type)
not_differentiable(grid_generator_gradient)

# --- sampling ------------------------------------------------------------------------------------


def _corners(xp: Any, grid: Any, height: int, width: int) -> Iterator[tuple[Any, Any, Any, Any, Any]]:
    """Yield the four elements around each point.

    Yields
    ------
    tuple
        The position of the element in the flattened image; its weights along x and y, which are 0 outside of the image;
        and the derivatives of these weights.
    """
    x, y = (grid[:, 0] + 1) * ((width - 1) / 2), (grid[:, 1] + 1) * ((height - 1) / 2)
    left, top = xp.floor(x), xp.floor(y)
    for down in (0, 1):
        for right in (0, 1):
            column, row = left + right, top + down
            inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
            place = xp.where(inside, row * width + column, 0).astype(int)
            weight_x = (1 - xp.abs(x - column)) * inside
            weight_y = (1 - xp.abs(y - row)) * inside
            yield place, weight_x, weight_y, (2 * right - 1) * inside, (2 * down - 1) * inside


def _at(xp: Any, data: Any, place: Any) -> Any:
    """Return the elements at positions that differ between images, as ``(batch, channel, ...)``."""
    n, channels = data.shape[:2]
    size, count = (math.prod(x.shape[-2:]) for x in (data, place))
    values = xp.take_along_axis(data.reshape(n, channels, size), place.reshape(n, 1, count), axis=2)
    return values.reshape(n, channels, *place.shape[1:])


@operator("BilinearSampler")
def bilinear_sampler(xp, data: Array, grid: Array, cudnn_off: bool | None = None):
    """Sample images at the points of a grid with bilinear interpolation; points outside of the image are 0.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, height, width)``.
    grid : array
        The x and y coordinates of each point, from -1 to 1, of shape ``(batch, 2, height, width)``.
    cudnn_off
        Ignored.
    """
    require_float(data)
    total: Any = 0
    for place, weight_x, weight_y, _, _ in _corners(xp, grid, *data.shape[2:]):
        total = total + _at(xp, data, place) * (weight_x * weight_y)[:, None]
    return total


bilinear_sampler.names_outputs = True
bilinear_sampler.lenient = True


@bilinear_sampler.infer_shape
def _(data, grid, **attributes):
    if data is None or grid is None:
        return [data, grid], [None]
    require(
        len(data) == 4,
        f"dshape.ndim() == 4U ({len(data)} vs. 4) : input data should be 4D in batch-num_filter-y-x",
    )
    require(len(grid) == 4, f"lshape.ndim() == 4U ({len(grid)} vs. 4) : Sampler grid should be 4D in batch-2-y-x")
    return [data, grid], [(*data[:2], *grid[2:])]


bilinear_sampler.hidden_in_mxnet = 1
bilinear_sampler.infer_type(rules.same_type)
bilinear_sampler.gradient(lambda F, dy, y, data, grid, **_: list(F._backward_BilinearSampler(dy, data, grid)))


@operator("_backward_BilinearSampler", outputs=2)
def bilinear_sampler_gradient(xp, dy: Array, data: Array, grid: Array):
    """Return the gradients of BilinearSampler with respect to images and grid."""
    n, channels, height, width = data.shape
    size = height * width
    image = xp.arange(n * channels).reshape(n, channels, 1, 1) * size
    d_data = xp.zeros(data.size, data.dtype)
    d_x = d_y = 0
    for place, weight_x, weight_y, slope_x, slope_y in _corners(xp, grid, height, width):
        weight = weight_x * weight_y
        heads = dy * xp.where(xp.isnan(weight), 0, weight)[:, None]  # a point with NaN coordinates reads no element
        places = (image + place[:, None]).reshape(-1)
        d_data += sums_at(xp, places, heads.reshape(-1), data.size).astype(data.dtype)
        along = xp.einsum("nchw,nchw->nhw", dy, _at(xp, data, place))
        d_x = d_x + along * slope_x * weight_y
        d_y = d_y + along * slope_y * weight_x
    d_grid = xp.stack([d_x * ((width - 1) / 2), d_y * ((height - 1) / 2)], axis=1)
    return d_data.reshape(data.shape), d_grid.astype(grid.dtype)


bilinear_sampler_gradient.infer_shape(lambda dy, data, grid: ([dy, data, grid], [data, grid]))
bilinear_sampler_gradient.infer_type(lambda dy, data, grid: ([dy, data, grid], [data, grid]))
not_differentiable(bilinear_sampler_gradient)


@operator("SpatialTransformer", threaded=True)
def spatial_transformer(
    xp,
    data: Array,
    loc: Array,
    target_shape: Shape = (0, 0),
    transform_type: Literal["affine"] = REQUIRED,
    sampler_type: Literal["bilinear"] = REQUIRED,
    cudnn_off: bool | None = None,
):
    """Transform images by affine maps, with GridGenerator and BilinearSampler.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, height, width)``.
    loc : array
        Six numbers for each image, as for GridGenerator.
    target_shape : tuple of int
        The height and width of the result; (0, 0) keeps the size.
    transform_type, sampler_type : str
        Only ``"affine"`` and ``"bilinear"`` are supported.
    cudnn_off
        Ignored.
    """
    require_float(data)
    size = target_shape if any(target_shape) else data.shape[2:]
    return bilinear_sampler(xp, data, grid_generator(xp, loc, transform_type, size))


spatial_transformer.names_outputs = True
spatial_transformer.lenient = True


@spatial_transformer.infer_shape
def _(data, loc, *, target_shape, **attributes):
    if data is None:
        return [data, rules.unify(loc, (None, 6))], [None]
    size = target_shape if any(target_shape) else data[2:]
    return [data, rules.unify(loc, (data[0], 6))], [(*data[:2], *size)]


spatial_transformer.hidden_in_mxnet = 2
spatial_transformer.infer_type(rules.same_type)


@spatial_transformer.gradient
def _(F, dy, y, data, loc, **attributes):
    return list(F._backward_SpatialTransformer(dy, data, loc))


@operator("_backward_SpatialTransformer", outputs=2, threaded=True)
def spatial_transformer_gradient(xp, dy: Array, data: Array, loc: Array):
    """Return the gradients of SpatialTransformer with respect to images and maps."""
    size = dy.shape[2:]
    grid = grid_generator(xp, loc, "affine", size)
    d_data, d_grid = bilinear_sampler_gradient(xp, dy, data, grid)
    return d_data, grid_generator_gradient(xp, d_grid, loc, "affine", size)


spatial_transformer_gradient.infer_shape(lambda dy, data, loc: ([dy, data, loc], [data, loc]))
spatial_transformer_gradient.infer_type(lambda dy, data, loc: ([dy, data, loc], [data, loc]))
not_differentiable(spatial_transformer_gradient)
