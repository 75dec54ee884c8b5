"""Hue, lightness and saturation of 8-bit pixels, in OpenCV's units, and back."""

from __future__ import annotations

import numpy

__all__ = ["from_hls", "to_hls"]


def to_hls(pixels: numpy.ndarray) -> numpy.ndarray:
    """Return hue (half degrees, 0 to 179), lightness and saturation (0 to 255) of pixels.

    Parameters
    ----------
    pixels : numpy.ndarray
        Red, green and blue of uint8 along the last axis.

    Examples
    --------
    >>> import numpy
    >>> to_hls(numpy.array([[255, 0, 0], [0, 0, 128], [90, 90, 90]], "uint8"))
    array([[  0, 128, 255],
           [120,  64, 255],
           [  0,  90,   0]], dtype=uint8)
    """
    colours = pixels.astype("float32") / 255
    red, green, blue = numpy.moveaxis(colours, -1, 0)
    most, least = colours.max(-1), colours.min(-1)
    both, range_ = most + least, most - least
    with numpy.errstate(divide="ignore", invalid="ignore"):
        saturation = range_ / numpy.where(both < 1, both, 2 - both)
        sixth = numpy.where(
            most == red, (green - blue) / range_,
            numpy.where(most == green, 2 + (blue - red) / range_, 4 + (red - green) / range_),
        )  # fmt: skip
    grey = range_ < numpy.finfo("float32").eps
    hue = numpy.where(grey, 0, sixth * 30 % 180)
    whole = numpy.rint(numpy.stack([hue, both * 127.5, numpy.where(grey, 0, saturation) * 255], -1))
    whole[..., 0] %= 180  # what is rounded up to a whole turn
    return whole.astype("uint8")


def from_hls(parts: numpy.ndarray) -> numpy.ndarray:
    """Return red, green and blue of uint8; the inverse of :func:`to_hls`, but for what was rounded.

    Parameters
    ----------
    parts : numpy.ndarray
        Hue, lightness and saturation along the last axis, in the units of :func:`to_hls`; a hue may be 180.

    Examples
    --------
    >>> import numpy
    >>> from_hls(numpy.array([[0, 128, 255], [120, 64, 255], [180, 90, 0]]))
    array([[255,   1,   1],
           [  0,   0, 128],
           [ 90,  90,  90]], dtype=uint8)
    """
    hue, lightness, saturation = numpy.moveaxis(parts.astype("float32"), -1, 0)
    lightness, saturation = lightness / 255, saturation / 255
    most = numpy.where(lightness <= 0.5, lightness * (1 + saturation), lightness + saturation - lightness * saturation)
    least = 2 * lightness - most
    turned = (hue / 30)[..., None] + numpy.array([2, 0, 4], "float32")  # red is two sixths of a turn before green
    place = turned % 6
    slope = numpy.where(
        place < 1, place, numpy.where(place < 3, 1, numpy.where(place < 4, 4 - place, 0))
    )  # fmt: skip
    colours = least[..., None] + (most - least)[..., None] * slope
    return numpy.rint(colours * 255).clip(0, 255).astype("uint8")
