"""Image resizing with the arithmetic of OpenCV, the library that MXNet calls.

Each new row is a weighted sum of a few old rows, and each new column is a weighted sum of a few old columns. All values
are rounded as in OpenCV: 8-bit pixels are summed as integers with weights in units of 1/2048, or as float32 in some
methods.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

from ...error import MXNetError

__all__ = ["INTERPOLATIONS", "resample"]

_FLOAT32 = numpy.dtype("float32")

#: The interpolation methods, with their numbers in MXNet and OpenCV.
NEAREST, LINEAR, CUBIC, AREA, LANCZOS = range(5)
INTERPOLATIONS = {
    NEAREST: "nearest neighbour",
    LINEAR: "bilinear",
    CUBIC: "bicubic",
    AREA: "area",
    LANCZOS: "Lanczos",
}

#: The scale of the integer weights for 8-bit pixels.
_UNIT = 2048


class _Taps(NamedTuple):
    """The old positions and their weights for each new position, both of shape ``(new positions, taps)``."""

    positions: numpy.ndarray
    weights: numpy.ndarray


def _nearest_positions(size: int, new: int) -> numpy.ndarray:
    # The order of operations determines ties, as in OpenCV.
    scale = 1.0 / (new / size)
    return numpy.minimum(numpy.floor(numpy.arange(new) * scale).astype(numpy.int64), size - 1)


def _fractions(size: int, new: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return, for each new center, the old position to its left and the distance from this position."""
    scale = 1.0 / (new / size)
    centres = ((numpy.arange(new) + 0.5) * scale - 0.5).astype(_FLOAT32)
    left = numpy.floor(centres)
    return left.astype(numpy.int64), centres - left


def _linear(left: numpy.ndarray, beyond: numpy.ndarray, size: int) -> _Taps:
    positions = numpy.stack([left, left + 1], axis=1).clip(0, size - 1)
    return _Taps(positions, numpy.stack([1 - beyond, beyond], axis=1))


def _enlarged_area(size: int, new: int) -> _Taps:
    """Return the taps of the method "area" for enlarging an axis: blocks with soft edges."""
    scale, inverse = 1.0 / (new / size), new / size
    index = numpy.arange(new)
    left = numpy.floor(index * scale).astype(numpy.int64)
    beyond = ((index + 1) - (left + 1) * inverse).astype(_FLOAT32)
    beyond = numpy.where(beyond <= 0, _FLOAT32.type(0), beyond - numpy.floor(beyond))
    return _linear(left, beyond, size)


def _cubic(size: int, new: int) -> _Taps:
    left, x = _fractions(size, new)
    a = _FLOAT32.type(-0.75)
    first = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    second = ((a + 2) * x - (a + 3)) * x * x + 1
    third = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1
    weights = numpy.stack([first, second, third, 1 - first - second - third], axis=1)
    return _Taps((left[:, None] + numpy.arange(-1, 3)).clip(0, size - 1), weights)


def _lanczos(size: int, new: int) -> _Taps:
    left, x = _fractions(size, new)
    distance = x[:, None].astype(float) + numpy.arange(3, -5, -1)
    # sinc(d) sinc(d / 4), up to a factor that the division by the sum cancels.
    weights = (numpy.sinc(distance) * numpy.sinc(distance / 4)).astype(_FLOAT32)
    weights /= weights.sum(axis=1, keepdims=True)
    return _Taps((left[:, None] + numpy.arange(-3, 5)).clip(0, size - 1), weights)


def _shrunk_area(size: int, new: int) -> _Taps:
    """Return the taps of the method "area" for shrinking: the share of a new position that an old position covers."""
    scale = 1.0 / (new / size)
    starts = numpy.arange(new) * scale
    ends = starts + scale
    cell = numpy.minimum(scale, size - starts)
    first = numpy.floor(starts).astype(numpy.int64)
    taps = int(numpy.ceil(scale)) + 1
    positions = first[:, None] + numpy.arange(taps)
    overlap = numpy.minimum(ends[:, None], positions + 1) - numpy.maximum(starts[:, None], positions)
    overlap = numpy.where((overlap > 1e-3) & (positions < size), overlap, 0.0)  # tiny overlaps are rounding errors
    return _Taps(positions.clip(0, size - 1), (overlap / cell[:, None]).astype(_FLOAT32))


def _taps(interp: int, size: int, new: int, shrinks: bool) -> _Taps:
    if interp == LINEAR:
        return _linear(*_fractions(size, new), size)
    if interp == AREA:
        return _shrunk_area(size, new) if shrinks else _enlarged_area(size, new)
    return _cubic(size, new) if interp == CUBIC else _lanczos(size, new)


def _weigh(xp: Any, data: Any, taps: _Taps, axis: int) -> Any:
    """Return the weighted sums along an axis, in a loop over the taps."""
    shape = [1] * data.ndim
    shape[axis] = len(taps.positions)
    total: Any = None
    for positions, weights in zip(taps.positions.T, taps.weights.T, strict=True):
        if not weights.any():
            continue
        term = xp.take(data, xp.asarray(positions), axis=axis) * xp.asarray(weights).reshape(shape)
        total = term if total is None else total + term
    return total


def _in_units(taps: _Taps) -> _Taps:
    return _Taps(taps.positions, numpy.rint(taps.weights * _FLOAT32.type(_UNIT)).astype(numpy.int32))


def _settle_edges(taps: _Taps) -> _Taps:
    """Move the weights of a repeated position to its first tap, because rounded weights may not add up to 1."""
    twice = taps.positions[:, 0] == taps.positions[:, 1]
    weights = numpy.where(twice[:, None], numpy.array([1, 0], _FLOAT32), taps.weights)
    return _Taps(taps.positions, weights)


def _resample_bytes(xp: Any, data: Any, down: _Taps, across: _Taps, interp: int) -> Any:
    """Return weighted sums of 8-bit pixels in fixed-point arithmetic, with weights of 11 bits for each direction."""
    two_rows = interp in (LINEAR, AREA)
    # OpenCV moves weights only along columns.
    across = _in_units(_settle_edges(across) if two_rows else across)
    down = _in_units(down)
    rows = _weigh(xp, data.astype(xp.int32), across, -2)
    if two_rows:
        # OpenCV drops low bits before each product, so that the product fits into 16 bits.
        rows >>= 4
        upper, lower = (
            (
                xp.take(rows, xp.asarray(down.positions[:, i]), axis=-3)
                * xp.asarray(down.weights[:, i]).reshape(-1, 1, 1)
            )
            >> 16
            for i in (0, 1)
        )
        return (upper + lower + 2) >> 2
    if interp == CUBIC:
        return _weigh(xp, rows.astype(_FLOAT32), _Taps(down.positions, down.weights / _FLOAT32.type(_UNIT**2)), -3)
    return (_weigh(xp, rows, down, -3) + (1 << 21)) >> 22


def _shrink_area(xp: Any, data: Any, height: int, width: int, down: _Taps, across: _Taps) -> Any:
    """Return images shrunk by the method "area": each new pixel is the mean of a rectangle."""
    rows, columns = data.shape[-3:-1]
    if rows % height == 0 and columns % width == 0:  # rectangles of whole pixels
        tall, wide = rows // height, columns // width
        pixels = data.dtype.kind == "u"
        blocks = data.reshape(*data.shape[:-3], height, tall, width, wide, data.shape[-1])
        total = blocks.sum(axis=(-4, -2), dtype=xp.int64 if pixels else data.dtype)
        if pixels and tall == wide == 2:
            return (total + 2) >> 2
        return (total.astype(_FLOAT32) if pixels else total) * _FLOAT32.type(1.0 / (tall * wide))
    return _weigh(xp, _weigh(xp, data.astype(_FLOAT32, copy=False), across, -2), down, -3)


def resample(xp: Any, data: Any, height: int, width: int, interp: int) -> Any:
    """Resize an image, or a batch of images.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    data : array
        The images, of shape ``(..., H, W, C)``, of 8-bit pixels or floating-point numbers.
    height, width : int
        The new height and width in pixels.
    interp : int
        The interpolation: 0 for nearest neighbor, 1 for bilinear, 2 for bicubic, 3 for area, and 4 for Lanczos.

    Raises
    ------
    MXNetError
        If the method doesn't exist, or if the image has no pixels.

    Examples
    --------
    >>> image = numpy.array([[[0], [100]]], dtype="uint8")
    >>> resample(numpy, image, 1, 4, 1)[0, :, 0]
    array([  0,  25,  75, 100], dtype=uint8)
    """
    if interp not in INTERPOLATIONS:
        raise MXNetError(f"interp must be one of {sorted(INTERPOLATIONS)}, not {interp}")
    rows, columns = data.shape[-3:-1]
    if min(rows, columns, height, width) < 1:
        raise MXNetError(
            f"an image of {rows} x {columns} pixels cannot be resized to {height} x {width}, because all sizes must be "
            "positive"
        )
    if (rows, columns) == (height, width):
        return data.copy()
    if interp == NEAREST:
        picked = xp.take(data, xp.asarray(_nearest_positions(rows, height)), axis=-3)
        return xp.take(picked, xp.asarray(_nearest_positions(columns, width)), axis=-2)
    if interp == LINEAR and (rows, columns) == (2 * height, 2 * width):
        interp = AREA  # gives the same result, as in OpenCV
    shrinks = interp == AREA and rows >= height and columns >= width
    down, across = _taps(interp, rows, height, shrinks), _taps(interp, columns, width, shrinks)
    if shrinks:
        values = _shrink_area(xp, data, height, width, down, across)
    elif data.dtype == xp.uint8:
        values = _resample_bytes(xp, data, down, across, interp)
    else:
        work = data if data.dtype.kind == "f" and data.dtype.itemsize >= 4 else data.astype(_FLOAT32)
        values = _weigh(xp, _weigh(xp, work, across, -2), down, -3)
    return _to_pixels(xp, values, data.dtype)


def _to_pixels(xp: Any, values: Any, dtype: Any) -> Any:
    if dtype.kind == "f":
        return values.astype(dtype, copy=False)
    if values.dtype.kind == "f":
        values = xp.rint(values)
    limits = numpy.iinfo(dtype)
    return values.clip(limits.min, limits.max).astype(dtype)
