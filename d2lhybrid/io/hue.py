"""Functions that convert between RGB and HLS colors in OpenCV's units, and change the colors of an image."""

from __future__ import annotations

import numpy

__all__ = ["colours_changed", "to_hls", "to_rgb"]


def to_hls(pixels: numpy.ndarray) -> numpy.ndarray:
    """Convert RGB colors to hue, lightness, and saturation, rounded to integers.

    Parameters
    ----------
    pixels : numpy.ndarray
        Colors of shape (..., 3), uint8.

    Returns
    -------
    numpy.ndarray
        Hue from 0 to 180, and lightness and saturation from 0 to 255, of shape (..., 3).

    Examples
    --------
    >>> import numpy
    >>> to_hls(numpy.array([[255, 0, 0], [0, 0, 128], [90, 90, 90]], "uint8")).astype(int)
    array([[  0, 128, 255],
           [120,  64, 255],
           [  0,  90,   0]])
    """
    red, green, blue = numpy.moveaxis(pixels.astype(float) / 255, -1, 0)
    most, least = pixels.max(axis=-1) / 255, pixels.min(axis=-1) / 255
    spread, light = most - least, (most + least) / 2
    safe = numpy.where(spread > 0, spread, 1)
    saturation = numpy.where(
        spread > 0, spread / numpy.where(light < 0.5, most + least, 2 - most - least + (spread <= 0)), 0
    )
    hue = numpy.select(
        [most == red, most == green], [(green - blue) / safe, 2 + (blue - red) / safe], 4 + (red - green) / safe
    )
    return numpy.rint(numpy.stack([hue % 6 * 30, light * 255, saturation * 255], axis=-1))


def to_rgb(hls: numpy.ndarray) -> numpy.ndarray:
    """Convert hue, lightness, and saturation to RGB colors.

    Parameters
    ----------
    hls : numpy.ndarray
        Hue from 0 to 180, and lightness and saturation from 0 to 255, of shape (..., 3).

    Returns
    -------
    numpy.ndarray
        Colors of shape (..., 3), uint8.

    Examples
    --------
    >>> import numpy
    >>> to_rgb(numpy.array([[0, 128, 255], [120, 64, 255], [180, 90, 0]]))
    array([[255,   1,   1],
           [  0,   0, 128],
           [ 90,  90,  90]], dtype=uint8)
    """
    hue, light, saturation = numpy.moveaxis(hls / [30, 255, 255], -1, 0)
    chroma = (1 - numpy.abs(2 * light - 1)) * saturation
    # Each color is brightest around its own hue: red at 0, green at 2, blue at 4.
    away = [numpy.abs((hue - place + 3) % 6 - 3) for place in (0, 2, 4)]
    colours = [light + chroma * (numpy.clip(2 - distance, 0, 1) - 0.5) for distance in away]
    return numpy.rint(numpy.stack(colours, axis=-1) * 255).clip(0, 255).astype(numpy.uint8)


def colours_changed(pixels: numpy.ndarray, hue: int, saturation: int, light: int, contrast: float) -> numpy.ndarray:
    """Return a color image with shifted hue, saturation, and lightness, and scaled contrast.

    Parameters
    ----------
    pixels : numpy.ndarray
        The image, as uint8.
    hue, saturation, light : int
        Offsets to add. The hue ranges from 0 to 180, and saturation and lightness range from 0 to 255.
    contrast : float
        Relative change of the brightness.

    Returns
    -------
    numpy.ndarray
        The changed image, as uint8.
    """
    if hue or saturation or light:
        changed = to_hls(pixels) + numpy.array([hue, light, saturation])
        pixels = to_rgb(numpy.clip(changed, 0, [180, 255, 255]))
    if abs(contrast) > 1e-3:
        pixels = numpy.rint(pixels * numpy.float32(1 + contrast)).clip(0, 255).astype(numpy.uint8)
    return pixels
