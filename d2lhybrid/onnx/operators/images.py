"""Operators that resize, sample, and preprocess images, and that compute means over regions."""

from __future__ import annotations

from typing import Any

import numpy

from ...internals.ops import resize as sizes
from ..builder import Builder
from ..translations import Untranslatable, translates
from ..values import Value
from .elementwise import real
from .layers import deconvolution

# --- resizing -------------------------------------------------------------------------------------


def _separable(g: Builder, x: Value, rows: Any, columns: Any) -> Value:
    """Return ``rows · image · columnsᵀ`` for each image."""
    left, right = rows.astype(x.dtype), numpy.ascontiguousarray(columns.T).astype(x.dtype)
    return g.MatMul(g.MatMul(g.array(left), x), right)


@translates("_contrib_AdaptiveAvgPooling2D", "_adaptive_avg_pooling_like")
def adaptive_avg_pooling(g: Builder, data: Value, *others: Value, **attributes: Any) -> Value:
    """Divide images into a grid of cells, and return the mean of each cell."""
    height, width = g.static_shape(g.results[0])[2:] if g.results[0].is_static else g.shape[2:]
    rows = sizes._averaging(g.size(data, 2), height)
    return _separable(g, data, rows, sizes._averaging(g.size(data, 3), width))


@translates("_contrib_BilinearResize2D")
def bilinear_resize(g: Builder, data: Value, *like: Value | None, align_corners: bool, **attributes: Any) -> Value:
    """Resize images with linear interpolation along both axes."""
    height, width = g.shape[2:]
    rows = sizes._interpolating(g.size(data, 2), height, align_corners)
    return _separable(g, data, rows, sizes._interpolating(g.size(data, 3), width, align_corners))


@translates("UpSampling")
def up_sampling(
    g: Builder,
    *data: Value,
    scale: int,
    num_filter: int,
    sample_type: str,
    multi_input_mode: str,
    **attributes: Any,
) -> Value:
    """Enlarge images by an integer factor. Several inputs are summed or concatenated."""
    if sample_type == "bilinear":
        settings = sizes._deconvolution_settings(scale, num_filter)
        return deconvolution(g, *data, dilate=(), adj=(), target_shape=(), layout=None, **settings)  # pyright: ignore[reportArgumentType]
    height = g.size(data[0], 2) * scale
    pieces = []
    for x in data:
        factor = float(height // g.size(x, 2))
        pieces.append(
            g.Resize(
                x,
                None,
                numpy.array([1, 1, factor, factor], numpy.float32),
                mode="nearest",
                coordinate_transformation_mode="asymmetric",
                nearest_mode="floor",
            )
        )
    return g.all(g.Add, pieces) if multi_input_mode == "sum" else g.concat(pieces, 1)


# --- sampling at points ---------------------------------------------------------------------------


def _unit(n: int) -> float:
    return 2.0 / max(n - 1, 1)


def _affine_grid(g: Builder, data: Value, height: int, width: int) -> Value:
    """Return the points (batch, 2, height, width) of affine maps with six parameters each."""
    x, y = numpy.meshgrid(numpy.arange(width) * _unit(width) - 1, numpy.arange(height) * _unit(height) - 1)
    points = numpy.stack([x.reshape(-1), y.reshape(-1), numpy.ones(x.size)]).astype(data.dtype)
    return g.Reshape(g.MatMul(g.Reshape(data, [-1, 2, 3]), points), [-1, 2, height, width])


@translates("GridGenerator")
def grid_generator(g: Builder, data: Value, *, transform_type: str, target_shape: Any) -> Value:
    """Return a grid of sampling positions, with coordinates from -1 to 1."""
    if transform_type == "affine":
        return _affine_grid(g, data, *target_shape)
    height, width = g.size(data, 2), g.size(data, 3)
    x, y = numpy.meshgrid(numpy.arange(width), numpy.arange(height))
    moved = g.Add(data, numpy.stack([x, y])[None].astype(data.dtype))
    scale = numpy.array([_unit(width), _unit(height)]).reshape(1, 2, 1, 1).astype(data.dtype)
    return g.Sub(g.Mul(moved, scale), 1)


def _sample(g: Builder, data: Value, grid: Value) -> Value:
    points = g.make("Transpose", [grid], perm=[0, 2, 3, 1])
    return g.GridSample(data, points, align_corners=1, mode="linear", padding_mode="zeros")


@translates("BilinearSampler")
def bilinear_sampler(g: Builder, data: Value, grid: Value, **attributes: Any) -> Value:
    """Sample images at positions, with bilinear interpolation."""
    return _sample(g, data, grid)


@translates("SpatialTransformer")
def spatial_transformer(g: Builder, data: Value, loc: Value, *, target_shape: Any, **attributes: Any) -> Value:
    """Sample images at the positions that affine maps determine."""
    height, width = target_shape if target_shape and any(target_shape) else (g.size(data, 2), g.size(data, 3))
    return _sample(g, data, _affine_grid(g, loc, height, width))


# --- regions --------------------------------------------------------------------------------------


@translates("_contrib_ROIAlign")
def roi_align(
    g: Builder,
    data: Value,
    rois: Value,
    *,
    pooled_size: Any,
    spatial_scale: float,
    sample_ratio: int,
    position_sensitive: bool,
    aligned: bool,
) -> Value:
    """Return the mean of the sampled points in each cell of each region. ONNX lacks the position-sensitive variant."""
    if position_sensitive:
        raise Untranslatable(
            "ONNX has no position-sensitive ROIAlign: use position_sensitive=False, and select the channels of each "
            "cell with slice operators"
        )
    image = g.cast(g.Reshape(g.slice(rois, 1, 0, 1), [-1]), numpy.int64)
    # ONNX Runtime rejects the index of an image that doesn't exist. Such a region has zeros.
    zero = g.value(0, numpy.int64)
    there = g.And(g.Not(g.Less(image, zero)), g.Less(image, g.slice(g.shape_vector(data), 0, 0, 1)))
    result = g.RoiAlign(
        data, g.slice(rois, 1, 1, 5), g.Where(there, image, zero),
        output_height=pooled_size[0], output_width=pooled_size[-1], sampling_ratio=max(sample_ratio, 0),
        spatial_scale=spatial_scale, mode="avg",
        coordinate_transformation_mode="half_pixel" if aligned else "output_half_pixel",
    )  # fmt: skip
    return g.Where(g.unsqueeze(there, [1, 2, 3]), result, g.value(0, result.dtype))


# --- preprocessing --------------------------------------------------------------------------------


@translates("_image_to_tensor")
def to_tensor(g: Builder, data: Value) -> Value:
    """Move the channels before height and width, and scale pixels from 0 to 255 to values from 0 to 1."""
    rank = g.rank(data)
    order = [*range(rank - 3), rank - 1, rank - 3, rank - 2]
    return g.Div(g.cast(g.transpose(data, order), numpy.float32), 255)


@translates("_image_normalize")
def normalize(g: Builder, data: Value, *, mean: Any, std: Any) -> Value:
    """Subtract a mean and divide by a standard deviation for each channel."""
    x = real(g, data)
    shift, scale = (numpy.asarray(v, x.dtype).reshape(-1, 1, 1) for v in (mean, std))
    return g.cast(g.Div(g.Sub(x, shift), scale), data.dtype)


@translates("_image_crop")
def image_crop(g: Builder, data: Value, *, x: int, y: int, width: int, height: int) -> Value:
    """Crop a window from images."""
    rank = g.rank(data)
    return g.slice(g.slice(data, rank - 3, y, y + height), rank - 2, x, x + width)


@translates("_image_flip_left_right")
def flip_left_right(g: Builder, data: Value) -> Value:
    """Mirror images left to right."""
    return g.slice(data, g.rank(data) - 2, None, None, -1)


@translates("_image_flip_top_bottom")
def flip_top_bottom(g: Builder, data: Value) -> Value:
    """Flip images upside down."""
    return g.slice(data, g.rank(data) - 3, None, None, -1)
