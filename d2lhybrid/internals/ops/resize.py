"""Operators that change the size of images: upsampling, bilinear resizing, and adaptive average pooling.

Bilinear resizing and adaptive pooling are linear and treat rows and columns separately. Therefore, two products with
small matrices, ``R · image · Cᵀ``, compute each operator, and products with the transposed matrices compute its
gradient.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Literal

import numpy

from ..core import trip_reasons as host_trips
from ..core.infer import require
from ..core.operator import REQUIRED, Array, Shape, get_operator, operator
from . import rules
from .nn import require_float

FAMILY = "pooling"

# --- separable linear maps ---------------------------------------------------------------------


@lru_cache(maxsize=256)
def _averaging(length: int, count: int) -> numpy.ndarray:
    """Return the matrix ``(count, length)`` that averages over ``count`` intervals of an axis."""
    places = numpy.arange(length)
    index = numpy.arange(count)[:, None]
    start, end = index * length // count, -((index + 1) * -length // count)
    inside = (places >= start) & (places < end)
    return inside / (end - start)


@lru_cache(maxsize=256)
def _interpolating(length: int, count: int, align_corners: bool) -> numpy.ndarray:
    """Return the matrix ``(count, length)`` that interpolates ``count`` values linearly."""
    index = numpy.arange(count)
    if count < 2:  # the first value, as in MXNet
        source = index * 0.0
    elif align_corners:
        source = index * ((length - 1) / (count - 1))
    else:
        source = numpy.maximum((index + 0.5) * (length / count) - 0.5, 0.0)
    low = numpy.minimum(source.astype(int), length - 1)
    part = source - low
    matrix = numpy.zeros((count, length))
    matrix[index, low] += 1 - part
    matrix[index, numpy.minimum(low + 1, length - 1)] += part
    return matrix


def _separable(xp: Any, x: Any, rows: numpy.ndarray, columns: numpy.ndarray) -> Any:
    """Return ``rows · image · columnsᵀ`` for each image."""
    left, right = xp.asarray(rows, dtype=x.dtype), xp.asarray(columns, dtype=x.dtype)
    return xp.matmul(xp.matmul(left, x), right.T)


# --- adaptive average pooling --------------------------------------------------------------------


def _adaptive_size(output_size: Any) -> tuple[int, int]:
    if not 1 <= len(output_size) <= 2:
        return 1, 1  # as in MXNet
    return (output_size[0], output_size[-1])


@operator("_contrib_AdaptiveAvgPooling2D", threaded=True)
def adaptive_avg_pooling(xp, data: Array, output_size: Shape = ()):
    """Return the averages over a fixed number of windows, for images of any size.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, height, width)``.
    output_size : tuple of int
        The height and width of the result, or one number for height and width; 1 by default.

    Examples
    --------
    >>> nd.contrib.AdaptiveAvgPooling2D(nd.array([[[[0, 1, 2, 3]]]]), output_size=(1, 2))
    <BLANKLINE>
    [[[[0.5 2.5]]]]
    <NDArray 1x1x1x2 @cpu(0)>
    """
    require_float(data)
    height, width = _adaptive_size(output_size)
    return _separable(xp, data, _averaging(data.shape[2], height), _averaging(data.shape[3], width))


@adaptive_avg_pooling.infer_shape
def _(data, *, output_size):
    return [data], [None if data is None else (*data[:2], *_adaptive_size(output_size))]


adaptive_avg_pooling.tells_device = host_trips.TABLE
adaptive_avg_pooling.infer_type(rules.same_type)


@adaptive_avg_pooling.gradient
def _(F, dy, y, data, *, output_size):
    return [F._backward_contrib_AdaptiveAvgPooling2D(dy, data)]


@operator("_backward_contrib_AdaptiveAvgPooling2D", threaded=True)
def adaptive_avg_pooling_gradient(xp, dy: Array, data: Array):
    """Return the gradient of adaptive average pooling; only the shape of ``data`` is used."""
    rows = _averaging(data.shape[2], dy.shape[2])
    return _separable(xp, dy, rows.T, _averaging(data.shape[3], dy.shape[3]).T)


adaptive_avg_pooling_gradient.infer_shape(lambda dy, data: ([dy, data], [data]))
adaptive_avg_pooling_gradient.tells_device = host_trips.TABLE
adaptive_avg_pooling_gradient.infer_type(rules.same_type)


@adaptive_avg_pooling_gradient.gradient
def _(F, g, y, dy, data):
    return [F._adaptive_avg_pooling_like(g, dy), None]


@operator("_adaptive_avg_pooling_like", threaded=True)
def adaptive_avg_pooling_like(xp, data: Array, like: Array):
    """Return the averages over windows of an image, one for each element of ``like``."""
    return adaptive_avg_pooling(xp, data, like.shape[2:])


adaptive_avg_pooling_like.infer_shape(lambda data, like: ([data, like], [like]))
adaptive_avg_pooling_like.tells_device = host_trips.TABLE
adaptive_avg_pooling_like.infer_type(rules.same_type)
adaptive_avg_pooling_like.gradient(
    lambda F, dy, y, data, like: [F._backward_contrib_AdaptiveAvgPooling2D(dy, data), None]
)

# --- bilinear resizing -----------------------------------------------------------------------------


def _new_size(n: int | None, size: int, scale: float | None, mode: str) -> int | None:
    """Return the new size of an axis of n elements."""
    if n is None:
        return size if mode == "size" and scale is None else None
    if mode == "size":
        return size if scale is None else int(n * scale)
    if mode == "odd_scale":
        factor = 1.0 if scale is None else scale
        return int(n * factor) if n % 2 == 0 else int((n - 1) * factor) + 1
    change = n % 2 if "even" in mode else 1 - n % 2
    return n - change if mode.endswith("down") else n + change


@operator("_contrib_BilinearResize2D", threaded=True)
def bilinear_resize(
    xp,
    data: Array,
    like: Array | None = None,
    height: int = 1,
    width: int = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: Literal["like", "odd_scale", "size", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"] = "size",
    align_corners: bool = True,
):
    """Resize images with bilinear interpolation.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, height, width)``.
    like : array, optional
        An array with the new size, for ``mode="like"``.
    height, width : int
        The new size in pixels, for ``mode="size"`` without scale factors.
    scale_height, scale_width : float, optional
        The factors between the old and the new size, which replace ``height`` and ``width``.
    mode : str
        The rule for the new size. ``"size"`` uses ``height`` and ``width``, or the factors; ``"like"`` uses the size of
        ``like``. ``"odd_scale"`` multiplies an even size ``n`` by the factor, and changes an odd size to
        ``(n - 1) * factor + 1``; both are rounded down. ``"to_even_down"`` and similar modes change the old size by at
        most 1.
    align_corners : bool
        Whether the corners of the old image become the corners of the new image.

    Examples
    --------
    >>> nd.contrib.BilinearResize2D(nd.array([[[[0, 2]]]]), height=1, width=3)
    <BLANKLINE>
    [[[[0. 1. 2.]]]]
    <NDArray 1x1x1x3 @cpu(0)>
    """
    require_float(data)
    shape = None if like is None else like.shape
    _, [(_, _, height, width)] = _resize_shape(
        data.shape, *[shape] * (mode == "like"), height=height, width=width, scale_height=scale_height,
        scale_width=scale_width, mode=mode,
    )  # fmt: skip
    rows = _interpolating(data.shape[2], height, align_corners)
    return _separable(xp, data, rows, _interpolating(data.shape[3], width, align_corners))


@bilinear_resize.infer_shape
def _resize_shape(data, like=None, *, height, width, scale_height, scale_width, mode, **attributes):
    inputs = [data, like] if mode == "like" else [data]
    if data is None:
        return inputs, [None]
    require(len(data) == 4, f"dshape.ndim() == 4 ({len(data)} vs. 4) : Input data should be 4D")
    if mode == "like":
        return inputs, [(*data[:2], *(like[2:] if like is not None else (None, None)))]
    sizes = _new_size(data[2], height, scale_height, mode), _new_size(data[3], width, scale_width, mode)
    return inputs, [(*data[:2], *sizes)]


bilinear_resize.tells_device = host_trips.TABLE
bilinear_resize.infer_type(rules.type_of_first)


@bilinear_resize.input_names
def _(*, mode, **attributes):
    return ["data", "like"] if mode == "like" else ["data"]


@bilinear_resize.gradient
def _(F, dy, y, data, *like, align_corners, **attributes):
    dx = F._backward_contrib_BilinearResize2D(dy, data, align_corners=align_corners)
    return [dx, *(F.zeros_like(x) for x in like)]


@operator("_backward_contrib_BilinearResize2D", threaded=True)
def bilinear_resize_gradient(xp, dy: Array, data: Array, align_corners: bool = True):
    """Return the gradient of bilinear resizing; only the shape of ``data`` is used."""
    rows = _interpolating(data.shape[2], dy.shape[2], align_corners)
    return _separable(xp, dy, rows.T, _interpolating(data.shape[3], dy.shape[3], align_corners).T)


bilinear_resize_gradient.infer_shape(lambda dy, data, **attributes: ([dy, data], [data]))
bilinear_resize_gradient.tells_device = host_trips.TABLE
bilinear_resize_gradient.infer_type(rules.type_of_first)


@bilinear_resize_gradient.gradient
def _(F, g, y, dy, data, *, align_corners):
    return [F._contrib_BilinearResize2D(g, dy, mode="like", align_corners=align_corners), None]


# --- upsampling --------------------------------------------------------------------------------------


def _repeat(xp: Any, x: Any, scale: int) -> Any:
    """Return images in which a square of equal elements replaces every element."""
    n, c, h, w = x.shape
    y = xp.empty((n, c, h, scale, w, scale), x.dtype)
    y[...] = x[:, :, :, None, :, None]
    return y.reshape(n, c, h * scale, w * scale)


def _sum_squares(xp: Any, y: Any, scale: int) -> Any:
    """Return the sums over the squares that :func:`_repeat` creates."""
    n, c, h, w = y.shape
    return xp.einsum("nchiwj->nchw", y.reshape(n, c, h // scale, scale, w // scale, scale))


def _deconvolution_settings(scale: int, num_filter: int) -> dict[str, Any]:
    """Return the attributes of the transposed convolution that interpolates."""
    kernel, pad = 2 * scale - scale % 2, math.ceil((scale - 1) / 2)
    return {
        "kernel": (kernel, kernel), "stride": (scale, scale), "pad": (pad, pad),
        "num_filter": num_filter, "num_group": num_filter,
    }  # fmt: skip


@operator("UpSampling", threaded=True)
def up_sampling(
    xp,
    *data: Array,
    scale: int = REQUIRED,
    num_filter: int = 0,
    sample_type: Literal["bilinear", "nearest"] = REQUIRED,
    multi_input_mode: Literal["concat", "sum"] = "concat",
    workspace: int = 512,
):
    """Enlarge images by an integer factor.

    Parameters
    ----------
    *data : array
        The images, of shape ``(batch, channel, height, width)``. ``"nearest"`` takes several inputs, and enlarges all
        of them to the new size of the first input. ``"bilinear"`` takes the images and the weight of a transposed
        convolution, of shape ``(num_filter, 1, kernel, kernel)``.
    scale : int
        The factor by which height and width are multiplied.
    num_filter : int
        The number of channels for ``"bilinear"``.
    sample_type : {"nearest", "bilinear"}
        Whether to repeat elements or to interpolate.
    multi_input_mode : {"concat", "sum"}
        Whether to concatenate or to sum the results of several inputs.
    workspace
        Ignored.

    Examples
    --------
    >>> nd.UpSampling(nd.array([[[[1, 2]]]]), scale=2, sample_type="nearest")
    <BLANKLINE>
    [[[[1. 1. 2. 2.]
       [1. 1. 2. 2.]]]]
    <NDArray 1x1x2x4 @cpu(0)>
    """
    if sample_type == "bilinear":
        deconvolution = get_operator("Deconvolution")
        return deconvolution(xp, *data, **_deconvolution_settings(scale, num_filter))
    height = data[0].shape[2] * scale
    pieces = [_repeat(xp, x, height // x.shape[2]) for x in data]
    if len(pieces) == 1:
        return pieces[0]
    return sum(pieces[1:], pieces[0]) if multi_input_mode == "sum" else xp.concatenate(pieces, axis=1)


def _check_divides(sizes: list[Any], shape: Any) -> None:
    if shape is None or None in sizes or None in shape[2:]:
        return
    for i, axis in enumerate(("height", "width")):
        small, big = shape[2 + i], sizes[i]
        require(
            big % small == 0,
            f"o{axis[0]} % shape[{2 + i}] == 0U ({big % small} vs. 0) : "
            f"UpSamplingNearest: input {axis} of {small}does not divide output {axis} of {big}",
        )


up_sampling.initial = lambda *, sample_type, **_: {"weight": '["bilinear", {}]'} if sample_type == "bilinear" else {}
up_sampling.names_outputs = True
up_sampling.lenient = True


@up_sampling.infer_shape
def _(*shapes, scale, num_filter, sample_type, multi_input_mode, **attributes):
    first = shapes[0]
    if sample_type == "bilinear":
        kernel = 2 * scale - scale % 2
        shapes = (first, rules.unify(shapes[1], (num_filter, 1, kernel, kernel)))
    if first is None:
        return list(shapes), [None]
    sizes: list[Any] = [None if n is None else n * scale for n in first[2:]]
    channels = first[1]
    if sample_type == "nearest":
        for shape in shapes[1:]:
            _check_divides(sizes, shape)
        counts: list[Any] = [None if s is None else s[1] for s in shapes]
        if multi_input_mode == "concat":
            channels = None if None in counts else sum(counts)
    return list(shapes), [(first[0], channels, *sizes)]


up_sampling.infer_type(rules.same_type)


@up_sampling.input_names
def _(*, sample_type, num_args=1, **attributes):
    return ["data", "weight"] if sample_type == "bilinear" else [f"arg{i}" for i in range(num_args)]


@up_sampling.gradient
def _(F, dy, y, *data, scale, num_filter, sample_type, multi_input_mode, needs, **attributes):
    if sample_type == "bilinear":
        settings = _deconvolution_settings(scale, num_filter)
        return [
            F._backward_Deconvolution_data(dy, data[1], data[0], **settings) if needs[0] else None,
            F._backward_Deconvolution_weight(dy, data[0], **settings) if needs[1] else None,
        ]
    if len(data) == 1:
        square = (scale, scale)
        return [F.Pooling(dy, kernel=square, stride=square, pool_type="sum")]
    return list(F._backward_UpSampling(dy, *data, scale=scale, multi_input_mode=multi_input_mode))


@operator("_backward_UpSampling", outputs=lambda num_args=2, **attributes: num_args - 1)
def up_sampling_gradient(
    xp, *arrays: Array, scale: int = REQUIRED, multi_input_mode: Literal["concat", "sum"] = "concat"
):
    """Return the gradients of UpSampling with ``"nearest"``; the arrays are the output's gradient and all inputs."""
    dy, *data = arrays
    gradients, channel = [], 0
    for x in data:
        part = dy
        if multi_input_mode == "concat":
            part = dy[:, channel : channel + x.shape[1]]
            channel += x.shape[1]
        gradients.append(_sum_squares(xp, part, dy.shape[2] // x.shape[2]))
    return tuple(gradients)


up_sampling_gradient.infer_shape(lambda *shapes, **attributes: (list(shapes), list(shapes[1:])))
up_sampling_gradient.infer_type(lambda *dtypes, **attributes: (list(dtypes), list(dtypes[1:])))


@up_sampling_gradient.gradient
def _(F, g, y, dy, *data, **attributes):
    pieces = [F.zeros_like(x) if piece is None else piece for piece, x in zip(g, data, strict=True)]
    attributes.pop("num_args", None)
    return [F.UpSampling(*pieces, sample_type="nearest", **attributes), *(None for _ in data)]
