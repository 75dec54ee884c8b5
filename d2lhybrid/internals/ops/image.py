"""Image operators: conversion to tensors, cropping, resizing, mirroring, and random changes of color.

Images have the shape ``(height, width, channels)``, or for some operators ``(batch, height, width, channels)``.
Operators that change colors keep the element type, and integer pixels are clipped to the range from 0 to 255.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ...error import MXNetError, ShapeError
from ..core import trip_reasons as host_trips
from ..core.operator import REQUIRED, Array, Floats, Generator, Operator, Shape, operator
from . import rules
from .not_differentiable import not_differentiable
from .portable import either, values_on_host
from .resampling import resample

FAMILY = "shape"
MEANINGS = {
    "mean": "The number to subtract, or one number for each channel.",
    "std": "The divisor, or one divisor for each channel.",
    "x": "The left edge of the cropped rectangle.",
    "y": "The upper edge of the cropped rectangle.",
    "width": "The width of the cropped image.",
    "height": "The height of the cropped image.",
    "alpha": "The weight of each principal color to add.",
    "alpha_std": "The standard deviation of the weights of the principal colors.",
    "min_factor": "The smallest factor that can be drawn.",
    "max_factor": "The largest factor that can be drawn.",
    "brightness": "The largest relative change of brightness.",
    "contrast": "The largest relative change of contrast.",
    "saturation": "The largest relative change of saturation.",
    "hue": "The largest relative change of the hue.",
    "data": "The image, of shape ``(height, width, channels)``.",
    "_image_to_tensor.data": (
        "The images, of shape ``(height, width, channels)`` or ``(batch, height, width, channels)``."
    ),
    "_image_crop.data": "The images, of shape ``(height, width, channels)`` or ``(batch, height, width, channels)``.",
    "_image_normalize.data": (
        "The images, of shape ``(channels, height, width)`` or ``(batch, channels, height, width)``, with 1 or 3 "
        "channels."
    ),
    "_image_random_hue.min_factor": "The smallest fraction of the color circle that can be drawn.",
    "_image_random_hue.max_factor": "The largest fraction of the color circle that can be drawn.",
}

_FLOAT32 = numpy.dtype("float32")


def image_operator(
    name: str, differentiable: bool = False, threaded: bool = False
) -> Callable[[Callable[..., Any]], Operator]:
    """Return a decorator that registers a kernel as ``image.<name>`` of ``nd``, ``sym``, and ``npx``."""
    return operator(f"_image_{name}", f"_npx__image_{name}", differentiable=differentiable, threaded=threaded)


# --- tensors -----------------------------------------------------------------------------------


def _channels_first(shape: rules.PartialShape) -> rules.PartialShape:
    if shape is None:
        return None
    if len(shape) not in (3, 4):
        raise ShapeError(
            "Check failed: (shp.ndim() == 3) || (shp.ndim() == 4): Input image must have shape "
            "(height, width, channels), or (N, height, width, channels) but got " + rules.format_shape(shape)
        )
    return (*shape[:-3], shape[-1], *shape[-3:-1])


@image_operator("to_tensor", differentiable=True)
def to_tensor(xp, data: Array):
    """Convert images ``(H, W, C)`` with values up to 255 to float32 arrays ``(C, H, W)`` with values up to 1.

    A batch ``(N, H, W, C)`` becomes ``(N, C, H, W)``.
    """
    shape = _channels_first(data.shape)
    order = (2, 0, 1) if data.ndim == 3 else (0, 3, 1, 2)
    tensor = xp.empty(shape, _FLOAT32)
    if data.dtype == numpy.float16:  # the quotient has half precision, as in MXNet
        tensor[...] = data.transpose(order) / data.dtype.type(255.0)
        return tensor
    return xp.divide(data.transpose(order), _FLOAT32.type(255.0), out=tensor, casting="unsafe")


to_tensor.names_inputs = True
to_tensor.infer_shape(lambda data: ([data], [_channels_first(data)]))
to_tensor.infer_type(lambda data: ([data], [_FLOAT32]))


@to_tensor.gradient
def _(F, dy, y, data):
    pixels = F._np_moveaxis(dy, source=(-3,), destination=(-1,)) * (1 / 255)
    return [F._backward_cast(pixels, data)]


def _check_channels(shape: tuple[int, ...], values: Floats, what: str) -> None:
    if len(shape) not in (3, 4):
        raise ShapeError(
            "Check failed: (dshape.ndim() == 3) || (dshape.ndim() == 4): Input tensor must have shape "
            f"(channels, height, width), or (N, channels, height, width), but got {rules.format_shape(shape)}"
        )
    channels = shape[-3]
    if channels not in (1, 3):
        raise ShapeError(
            "Check failed: nchannels == 3 || nchannels == 1: The first dimension of input tensor must be the "
            "channel dimension with either 1 or 3 elements, but got input with shape " + rules.format_shape(shape)
        )
    if len(values) not in (1, channels):
        listed = ",".join(f"{v:g}" for v in values)
        raise ShapeError(
            f"Check failed: (param.{what}.ndim() == 1) || (param.{what}.ndim() == nchannels): "
            f"Invalid {what} for input with shape {rules.format_shape(shape)}. "
            f"{what} must have either 1 or {channels} elements, but got [{listed}]"
        )


@image_operator("normalize", differentiable=True)
def normalize(xp, data: Array, mean: Floats = (0.0,), std: Floats = (1.0,)):
    """Subtract a mean from each channel of tensors ``(C, H, W)`` or ``(N, C, H, W)``, and divide by ``std``.

    For an integer element type, the result is truncated to an integer.
    """
    _check_channels(data.shape, mean, "mean")
    _check_channels(data.shape, std, "std")
    exact = data.dtype if data.dtype.kind == "f" else numpy.float64
    shift, scale = (xp.asarray(values, exact).reshape(-1, 1, 1) for values in (mean, std))
    return ((data - shift) / scale).astype(data.dtype, copy=False)


normalize.names_inputs = True
normalize.infer_shape(rules.same)
normalize.tells_device = host_trips.ATTRIBUTE
normalize.infer_type(rules.same_type)
normalize.gradient(lambda F, dy, y, data, *, mean, std: [F._image_normalize(dy, mean=(0.0,), std=std)])


# --- cropping and mirroring --------------------------------------------------------------------


@image_operator("crop", differentiable=True)
def crop(
    xp,
    data: Array,
    x: int = REQUIRED,
    y: int = REQUIRED,
    width: int = REQUIRED,
    height: int = REQUIRED,
):
    """Crop an image, or each image of a batch, to the rectangle with upper left corner (x, y)."""
    _cropped(data.shape, x, y, width, height)
    return data[..., y : y + height, x : x + width, :].copy()


def _cropped(shape: rules.PartialShape, x: int, y: int, width: int, height: int) -> rules.PartialShape:
    if shape is None:
        return None
    rows, columns = shape[-3:-1]
    if height <= 0 or width <= 0:
        raise ShapeError(
            "Check failed: (param.height > 0) && (param.width > 0): Input height and width must be greater than 0"
        )
    if x < 0 or y < 0:
        raise ShapeError(
            f"Check failed: (param.x >= 0) && (param.y >= 0): x and y must not be negative, but they are {x} and {y}"
        )
    if columns is not None and x + width > columns:
        raise ShapeError(
            "Check failed: param.x + param.width <= ishape[ishape.ndim() - 2]: "
            "x + width should not be greater than input width"
        )
    if rows is not None and y + height > rows:
        raise ShapeError(
            "Check failed: param.y + param.height <= ishape[ishape.ndim() - 3]: "
            "y + height should not be greater than input height"
        )
    return (*shape[:-3], height, width, shape[-1])


crop.infer_shape(lambda data, **attributes: ([data], [_cropped(data, **attributes)]))
crop.infer_type(rules.same_type)


@crop.gradient
def _(F, dy, out, data, **rectangle):
    return [F._backward_image_crop(dy, data, x=rectangle["x"], y=rectangle["y"])]


@operator("_backward_image_crop")
def backward_crop(xp, dy: Array, data: Array, x: int = REQUIRED, y: int = REQUIRED):
    """Return the gradient of ``crop``: zeros in the shape of the image, with ``dy`` in the cropped rectangle."""
    whole = xp.zeros(data.shape, dy.dtype)
    height, width = dy.shape[-3:-1]
    whole[..., y : y + height, x : x + width, :] = dy
    return whole


backward_crop.infer_shape(lambda dy, data, **_: ([dy, data], [data]))
backward_crop.infer_type(lambda dy, data, **_: ([dy, data], [dy]))

not_differentiable(backward_crop)


def _require_image(shape: tuple[int, ...]) -> None:
    if len(shape) != 3:
        raise ShapeError(
            f"Check failed: dshape.ndim() == 3 ({len(shape)} vs. 3) : Input image must have shape "
            f"(height, width, channels), but got {rules.format_shape(shape)}"
        )


def _flip(name: str, axis: int, doc: str) -> None:
    index = (slice(None),) * axis + (slice(None, None, -1),)

    def always(xp, data: Array):
        _require_image(data.shape)
        return data[index].copy()

    def sometimes(xp, data: Array, *, rng: Generator):
        _require_image(data.shape)
        return either(xp, rng.random() < 0.5, lambda: data[index].copy(), lambda: data.copy())

    for kernel, prefix, text in (
        (always, "", doc),
        (sometimes, "random_", f"{doc[:-1]} with probability 1/2."),
    ):
        kernel.__doc__ = text
        op = image_operator(prefix + name, differentiable=not prefix)(kernel)
        op.infer_shape(rules.same)
        op.infer_type(rules.same_type)
        if prefix:
            not_differentiable(op)  # the result doesn't show whether the image was mirrored
        else:
            op.gradient(lambda F, dy, y, data: [getattr(F, f"_image_{name}")(dy)])


_flip("flip_left_right", 1, "Mirror an image left to right.")
_flip("flip_top_bottom", 0, "Flip an image upside down.")


# --- resizing ----------------------------------------------------------------------------------


def to_pixels(xp: Any, values: Any, dtype: numpy.dtype, offset: float) -> Any:
    """Convert computed colors to the type of an image; for an integer type, values are truncated and clipped.

    ``offset`` is added before truncation; with 0.5, values are rounded to the nearest integer.
    """
    if dtype.kind == "f":
        return values.astype(dtype, copy=False)
    return xp.clip(xp.floor(values + offset), 0, 255).astype(dtype)


def _resized(shape: rules.PartialShape, size: tuple[int, ...], keep_ratio: bool) -> rules.PartialShape:
    if shape is None:
        return None
    if len(size) not in (1, 2):
        raise ShapeError(
            f"Check failed: size.ndim() == 1 || size.ndim() == 2: size must have 1 or 2 elements, not {len(size)}"
        )
    width, height = size if len(size) == 2 else (size[0], size[0])
    rows, columns = shape[-3:-1]
    if keep_ratio and len(size) == 1:
        if rows is None or columns is None:
            return (*shape[:-3], None, None, shape[-1])
        if columns >= rows:
            width = columns * size[0] // rows
        else:
            height = rows * size[0] // columns
    return (*shape[:-3], height, width, shape[-1])


@image_operator("resize", threaded=True)
def resize(xp, data: Array, size: Shape = (), keep_ratio: bool = False, interp: int = 1):
    """Resize an image, or each image of a batch.

    Parameters
    ----------
    data : NDArray
        The images, of shape ``(H, W, C)`` or ``(N, H, W, C)``.
    size : int or (int, int)
        The new size; two numbers are the width and the height.
    keep_ratio : bool
        Whether a single number in ``size`` is the length of the shorter edge, so that the image keeps its aspect ratio.
    interp : int
        The interpolation: 0 for nearest neighbor, 1 for bilinear, 2 for bicubic, 3 for area, and 4 for Lanczos.
    """
    shape = _resized(data.shape, size, keep_ratio)
    assert shape is not None
    return resample(xp, data, int(shape[-3] or 0), int(shape[-2] or 0), interp)


resize.infer_shape(lambda data, *, size, keep_ratio, interp: ([data], [_resized(data, size, keep_ratio)]))
resize.tells_device = host_trips.TABLE
resize.infer_type(rules.same_type)
not_differentiable(resize)


def _require_axes(shape: tuple[Any, ...]) -> None:
    if len(shape) != 3:
        found = rules.format_shape(shape)
        raise ShapeError(f"src must be an image of shape (height, width, channels), not an array of shape {found}")


def _exact_size(shape: rules.PartialShape, width: int, height: int) -> rules.PartialShape:
    if shape is None:
        return None
    _require_axes(shape)
    return (height, width, shape[2])


@operator("_cvimresize", "_npi_cvimresize", differentiable=False)
def resize_exactly(xp, src: Array, w: int = REQUIRED, h: int = REQUIRED, interp: int = 1):
    """Resize an image to a width of ``w`` and a height of ``h`` pixels; ``mx.image.imresize`` calls this operator.

    Parameters
    ----------
    src : NDArray
        The image, of shape ``(H, W, C)``.
    w, h : int
        The new width and height in pixels.
    interp : int
        The interpolation: 0 for nearest neighbor, 1 for bilinear, 2 for bicubic, 3 for area, and 4 for Lanczos.
    """
    _exact_size(src.shape, w, h)
    return resample(xp, src, h, w, interp)


resize_exactly.infer_shape(lambda src, *, w, h, interp: ([src], [_exact_size(src, w, h)]))
resize_exactly.tells_device = host_trips.TABLE
resize_exactly.infer_type(rules.same_type)


# --- borders -----------------------------------------------------------------------------------

#: The names of NumPy's padding modes, by OpenCV's numbers.
_BORDERS = {0: "constant", 1: "edge", 2: "symmetric", 3: "wrap", 4: "reflect"}

#: The flag, added to the number of a mode, that restricts the border to the image itself.
_ISOLATED = 16


def _bordered(shape: rules.PartialShape, top: int, bot: int, left: int, right: int) -> rules.PartialShape:
    if min(top, bot, left, right) < 0:
        raise ShapeError(f"the width of a border cannot be negative: {top=}, {bot=}, {left=}, {right=}")
    if shape is None:
        return None
    _require_axes(shape)
    rows, columns, channels = shape
    return (None if rows is None else rows + top + bot, None if columns is None else columns + left + right, channels)


@operator("_cvcopyMakeBorder", differentiable=False)
def make_border(
    xp,
    src: Array,
    top: int = REQUIRED,
    bot: int = REQUIRED,
    left: int = REQUIRED,
    right: int = REQUIRED,
    type: int = 0,
    value: float = 0.0,
    values: Floats = (),
):
    """Add a border around an image ``(H, W, C)``.

    Parameters
    ----------
    src : NDArray
        The image, of shape ``(H, W, C)``.
    top, bot, left, right : int
        The number of pixels to add on each side.
    type : int
        The content of the border: 0 for a color, 1 for the outermost pixels, 2 for the mirror image with the outermost
        pixels (``fedcba|abcdef``), 3 for the pixels of the opposite side, and 4 for the mirror image without the
        outermost pixels (``fedcb|abcdef``).
    value : float
        The color for the first three channels, if ``values`` is empty; all other channels are filled with 0.
    values : tuple of float, optional
        The color, as a number for each channel; channels without a number are filled with 0.
    """
    _bordered(src.shape, top, bot, left, right)
    way = _BORDERS.get(type - _ISOLATED if type >= _ISOLATED else type)
    if way is None:
        raise MXNetError(
            f"type must be from 0 to {len(_BORDERS) - 1}, or from {_ISOLATED} to "
            f"{_ISOLATED + len(_BORDERS) - 1}, not {type}"
        )
    around = ((top, bot), (left, right), (0, 0))
    if way != "constant":
        return xp.pad(src, around, mode=way)
    colour = numpy.zeros(src.shape[2])
    given = values or (value,) * min(3, len(colour))
    colour[: len(given)] = given[: len(colour)]
    if src.dtype.kind in "ui":
        limits = numpy.iinfo(src.dtype)
        colour = numpy.rint(colour).clip(limits.min, limits.max)
    padded = xp.empty(_bordered(src.shape, top, bot, left, right), src.dtype)
    padded[...] = xp.asarray(colour.astype(src.dtype))
    padded[top : top + src.shape[0], left : left + src.shape[1]] = src
    return padded


make_border.infer_shape(lambda src, *, top, bot, left, right, **_: ([src], [_bordered(src, top, bot, left, right)]))
make_border.tells_device = host_trips.ATTRIBUTE
make_border.infer_type(rules.same_type)


# --- color -------------------------------------------------------------------------------------

#: The weights of red, green, and blue in brightness.
_LUMINANCE = (0.299, 0.587, 0.114)

#: The principal components of the colors of ImageNet, times their standard deviations (AlexNet).
_COLOR_AXES = (
    (55.46 * -0.5675, 4.794 * 0.7192, 1.148 * 0.4009),
    (55.46 * -0.5808, 4.794 * -0.0045, 1.148 * -0.8140),
    (55.46 * -0.5836, 4.794 * -0.6948, 1.148 * 0.4203),
)


def _luminance(xp: Any, values: Any) -> Any:
    if values.shape[-1] == 1:
        return values
    return xp.matmul(values, xp.asarray(_LUMINANCE, _FLOAT32))[..., None]


def _brighten(xp: Any, values: Any, factor: Any) -> Any:
    return values * factor


def _contrast(xp: Any, values: Any, factor: Any) -> Any:
    return values * factor + (1.0 - factor) * _luminance(xp, values).mean()


def _saturate(xp: Any, values: Any, factor: Any) -> Any:
    return values * factor + (1.0 - factor) * _luminance(xp, values)


def _turn_hue(xp: Any, values: Any, factor: Any) -> Any:
    """Rotate the color circle of hue, lightness, and saturation by ``factor`` times 360 degrees."""
    if values.shape[-1] == 1:
        return values
    largest, smallest = values.max(axis=-1), values.min(axis=-1)
    chroma = largest - smallest
    safe = chroma + (chroma == 0)
    red, green, blue = values[..., 0], values[..., 1], values[..., 2]
    hue = xp.where(
        largest == red,
        (green - blue) / safe,
        xp.where(largest == green, 2.0 + (blue - red) / safe, 4.0 + (red - green) / safe),
    )
    hue = (hue + 6.0 * factor)[..., None] % 6.0
    # Red, green, and blue are the same trapezoidal function of the hue, shifted by two sixths of the circle.
    position = xp.abs((hue + xp.asarray((0.0, 4.0, 2.0), _FLOAT32)) % 6.0 - 3.0) - 1.0
    return smallest[..., None] + chroma[..., None] * position.clip(0.0, 1.0)


def _light(xp: Any, values: Any, alpha: Any) -> Any:
    if values.shape[-1] == 1:
        return values
    return values + xp.matmul(xp.asarray(_COLOR_AXES, _FLOAT32), alpha)


def _changed(xp: Any, data: Any, change: Callable[..., Any], amount: Any) -> Any:
    _require_image(data.shape)
    values = change(xp, data.astype(_FLOAT32, copy=False), amount)
    # MXNet truncates fractions. With the offset, 12.99999 becomes 13.
    return to_pixels(xp, values, data.dtype, 1e-3)


def _color_operator(name: str, change: Callable[..., Any], doc: str) -> Operator:
    def kernel(xp, data: Array, min_factor: float = REQUIRED, max_factor: float = REQUIRED, *, rng: Generator):
        return _changed(xp, data, change, min_factor + (max_factor - min_factor) * rng.random())

    kernel.__doc__ = doc
    op = image_operator(name, threaded=True)(kernel)
    op.infer_shape(rules.same)
    op.infer_type(rules.same_type)
    return not_differentiable(op)  # the result doesn't show the factor


_FACTOR = "by a random factor from ``min_factor`` to ``max_factor``."
_color_operator("random_brightness", _brighten, f"Multiply all colors {_FACTOR}")
_with_tables = [
    _color_operator("random_contrast", _contrast, f"Scale the distances from the mean gray {_FACTOR}"),
    _color_operator("random_saturation", _saturate, f"Scale the distances from the gray of each pixel {_FACTOR}"),
    _color_operator(
        "random_hue",
        _turn_hue,
        "Rotate all hues by a random fraction of the color circle; 1 is a full turn, which changes nothing.",
    ),
]


@image_operator("random_color_jitter", threaded=True)
def random_color_jitter(
    xp,
    data: Array,
    brightness: float = REQUIRED,
    contrast: float = REQUIRED,
    saturation: float = REQUIRED,
    hue: float = REQUIRED,
    *,
    rng: Generator,
):
    """Change brightness, contrast, saturation, and hue, in random order, each by a random amount up to a limit."""
    amounts = ((_brighten, brightness), (_contrast, contrast), (_saturate, saturation), (_turn_hue, hue))
    for i in numpy.argsort(values_on_host(rng.random(len(amounts)))):
        change, amount = amounts[i]
        if amount > 0.0:
            data = _changed(xp, data, change, 1.0 + amount * (2.0 * rng.random() - 1.0))
    return data


@image_operator("adjust_lighting", differentiable=True, threaded=True)
def adjust_lighting(xp, data: Array, alpha: Floats = REQUIRED):
    """Add the principal components of the colors of natural images, weighted by ``alpha``."""
    return _changed(xp, data, _light, xp.asarray(alpha, _FLOAT32))


@image_operator("random_lighting", differentiable=True, threaded=True)
def random_lighting(xp, data: Array, alpha_std: float = 0.05, *, rng: Generator):
    """Apply ``adjust_lighting`` with normally distributed weights, whose standard deviation is ``alpha_std``."""
    return _changed(xp, data, _light, rng.standard_normal(3, dtype=_FLOAT32) * alpha_std)


random_color_jitter.asks_device = "the host needs the random order of the changes"
adjust_lighting.tells_device = host_trips.ATTRIBUTE
for _op in (*_with_tables, random_color_jitter, random_lighting):
    _op.tells_device = host_trips.TABLE
for _op in (random_color_jitter, adjust_lighting, random_lighting):
    _op.infer_shape(rules.same)
    _op.infer_type(rules.same_type)
not_differentiable(random_color_jitter)
adjust_lighting.gradient(lambda F, dy, y, data, **_: [dy])
random_lighting.gradient(lambda F, dy, y, data, **_: [dy])
