"""Affine transformations of images, with the results of OpenCV, which MXNet calls."""

from __future__ import annotations

import functools

import numpy

__all__ = ["warp_affine"]

#: Subpixel resolution: positions are rounded to 1/32 of a pixel, and computed with 1024 times that resolution.
_PARTS, _STEPS = 32, 1024
#: The integer that represents a weight of 1.
_ONE = 1 << 15


def warp_affine(
    pixels: numpy.ndarray, matrix: numpy.ndarray, height: int, width: int, method: int, fill: float
) -> numpy.ndarray:
    """Return an image whose pixel at ``matrix @ (x, y, 1)`` is the input's pixel at ``(x, y)``.

    Parameters
    ----------
    pixels : numpy.ndarray
        An image (H, W, C) of uint8.
    matrix : numpy.ndarray
        The transformation, an invertible matrix of shape (2, 3).
    height, width : int
        Size of the result in pixels.
    method : int
        Interpolation method: 0 for nearest neighbor, 1 or 3 for bilinear, 2 for bicubic, 4 for Lanczos.
    fill : float
        Value of the pixels outside the image.

    Returns
    -------
    numpy.ndarray
        An image of shape (height, width, C), uint8.

    Examples
    --------
    >>> import numpy
    >>> image = numpy.arange(6, dtype="uint8").reshape(2, 3, 1)
    >>> warp_affine(image, numpy.array([[1.0, 0, 1], [0, 1, 0]]), 2, 3, 1, 9)[..., 0]  # one pixel to the right
    array([[9, 0, 1],
           [9, 3, 4]], dtype=uint8)
    """
    inverse = _inverse(matrix.astype("float64"))
    x, y = numpy.arange(width), numpy.arange(height).reshape(-1, 1)
    places = []
    for along, down, start in inverse:
        steps = numpy.rint(along * x * _STEPS).astype(int) + numpy.rint((down * y + start) * _STEPS).astype(int)
        half = _STEPS // 2 if method == 0 else _STEPS // _PARTS // 2
        places.append((steps + half) // (_STEPS if method == 0 else _STEPS // _PARTS))
    columns, rows = places
    if method == 0:
        return _pixels_at(pixels, rows, columns, fill).astype("uint8")
    weights = _weights(_KERNELS[method])
    taps = weights.shape[-1]
    own = weights[rows % _PARTS, columns % _PARTS]
    columns, rows = columns // _PARTS - (taps // 2 - 1), rows // _PARTS - (taps // 2 - 1)
    total = numpy.zeros((height, width, pixels.shape[2]), int)
    for i in range(taps):
        for j in range(taps):
            total += own[..., i, j, None] * _pixels_at(pixels, rows + i, columns + j, fill)
    return ((total + _ONE // 2) // _ONE).clip(0, 255).astype("uint8")


def _inverse(matrix: numpy.ndarray) -> numpy.ndarray:
    """Return the inverse transformation."""
    linear = numpy.linalg.inv(matrix[:, :2])
    return numpy.column_stack([linear, -linear @ matrix[:, 2]])


def _pixels_at(pixels: numpy.ndarray, rows: numpy.ndarray, columns: numpy.ndarray, fill: float) -> numpy.ndarray:
    """Return the pixels at the given positions, with the fill value outside the image."""
    height, width = pixels.shape[:2]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    found = pixels[rows.clip(0, height - 1), columns.clip(0, width - 1)]
    return numpy.where(inside[..., None], found, fill)


def _cubic(distance: numpy.ndarray) -> numpy.ndarray:
    """Return the weight of a pixel by its distance: OpenCV's bicubic kernel with the parameter -0.75."""
    a, d = -0.75, numpy.abs(distance)
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return numpy.where(d <= 1, near, numpy.where(d < 2, far, 0.0))


def _lanczos(distance: numpy.ndarray) -> numpy.ndarray:
    """Return the weight of a pixel by its distance, before division by the sum of all weights."""
    return numpy.sinc(distance) * numpy.sinc(distance / 4)


def _line(kernel: str) -> numpy.ndarray:
    """Return the weights of the pixels around a position on a line, one row for each fraction of a pixel."""
    part = numpy.arange(_PARTS).reshape(-1, 1) / _PARTS
    if kernel == "linear":
        return numpy.concatenate([1 - part, part], axis=1)
    taps, function = (4, _cubic) if kernel == "cubic" else (8, _lanczos)
    weights = function(part - (numpy.arange(taps) - (taps // 2 - 1)))
    return weights / weights.sum(1, keepdims=True)


@functools.cache
def _weights(kernel: str) -> numpy.ndarray:
    """Return the weights of the pixels around a position, by its vertical and horizontal fraction of a pixel.

    The sum of the weights is ``_ONE``. The rounding error is added to the largest or the smallest of the four weights
    in the middle.
    """
    line = _line(kernel).astype("float32")
    taps = line.shape[1]
    weights = numpy.rint(line[:, None, :, None] * line[None, :, None, :] * numpy.float32(_ONE)).astype(int)
    middle = weights[..., taps // 2 : taps // 2 + 2, taps // 2 : taps // 2 + 2] if taps > 2 else weights
    for down, along in numpy.ndindex(_PARTS, _PARTS):
        excess = weights[down, along].sum() - _ONE
        if excess:
            near = middle[down, along]
            near[numpy.unravel_index(near.argmax() if excess < 0 else near.argmin(), near.shape)] -= excess
    return weights


#: The weights of each interpolation method.
_KERNELS = {1: "linear", 2: "cubic", 3: "linear", 4: "lanczos"}
