"""Functions that rotate images (channels, height, width), and batches of images."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy

from ..internals.support.notes import with_note
from ..internals.support.plural import counted
from .arrays import of_the_kind, require_array, run

__all__ = ["imrotate", "random_rotate"]


def imrotate(src: Any, rotation_degrees: Any, zoom_in: bool = False, zoom_out: bool = False) -> Any:
    """Rotate an image, or each image of a batch, around its center.

    Parameters
    ----------
    src : NDArray
        Images (C, H, W) or (N, C, H, W) of float32.
    rotation_degrees : float or array
        Angle in degrees: one angle for all images, or an array with an angle for each image.
    zoom_in : bool
        Whether to enlarge the image so that there are no empty corners.
    zoom_out : bool
        Whether to shrink the image so that the whole image is visible.

    Returns
    -------
    NDArray
        The rotated images, in the shape of ``src``.

    Raises
    ------
    AssertionError
        If ``src`` is not an NDArray.
    TypeError
        If the element type is not float32, or if the angle of a single image is not a number.
    ValueError
        If ``src`` has neither 3 nor 4 axes, if ``zoom_in`` and ``zoom_out`` are both True, or if the number of angles
        differs from the number of images.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> imrotate(nd.array([[[1, 2, 3]] * 3]), 180)[0, 0].round()
    <BLANKLINE>
    [3. 2. 1.]
    <NDArray 3 @cpu(0)>
    """
    require_array(src)
    if zoom_in and zoom_out:
        error = ValueError("`zoom_in` and `zoom_out` cannot be both True")
        raise with_note(error, "Pass only one of them, or neither to keep the scale.")
    if src.dtype != numpy.float32:
        error = TypeError("Only `float32` images are supported by this function")
        raise with_note(error, f'The element type of src is {numpy.dtype(src.dtype)}. Pass src.astype("float32").')
    if src.ndim not in (3, 4):
        error = ValueError("Only 3D and 4D are supported by this function")
        raise with_note(error, f"The shape of src is {src.shape}. Pass an image (C, H, W) or a batch (N, C, H, W).")
    if src.ndim == 3:
        if not isinstance(rotation_degrees, Number):
            error = TypeError("When a single image is passed the rotation angle is required to be a scalar.")
            raise with_note(error, f"rotation_degrees has the type {type(rotation_degrees).__name__}. Pass a number.")
        return imrotate(src.reshape((1, *src.shape)), rotation_degrees, zoom_in, zoom_out)[0]
    if isinstance(rotation_degrees, Number):
        rotation_degrees = [rotation_degrees] * len(src)
    if len(rotation_degrees) != len(src):
        error = ValueError("The number of images must be equal to the number of rotation angles")
        raise with_note(
            error,
            f"src contains {counted(len(src), 'image')}, but rotation_degrees contains "
            f"{counted(len(rotation_degrees), 'angle')}.",
        )
    if hasattr(rotation_degrees, "asnumpy"):
        rotation_degrees = rotation_degrees.asnumpy()
    angles = numpy.radians(numpy.asarray(rotation_degrees, numpy.float64)).reshape(-1, 1, 1)
    height, width = src.shape[2:]
    grid = _rotated_grid(angles, height, width)
    if zoom_in or zoom_out:
        grid *= _zoom(angles, height, width, zoom_out)[..., None]
    return run("BilinearSampler", src, of_the_kind(src, grid))


def _rotated_grid(angles: numpy.ndarray, height: int, width: int) -> numpy.ndarray:
    """Return the source position of each pixel, of shape (N, 2, H, W), x first, with -1 and 1 at the edges."""
    half_height, half_width = (height - 1) / 2, (width - 1) / 2
    y = numpy.arange(height).reshape(-1, 1) - half_height
    x = numpy.arange(width) - half_width
    cosine, sine = numpy.cos(angles), numpy.sin(angles)
    # Dividing after the rotation keeps the aspect ratio. A single row must not be divided by zero.
    columns = (x * cosine - y * sine) / (half_width or 1.0)
    rows = (x * sine + y * cosine) / (half_height or 1.0)
    return numpy.stack([columns, rows], axis=1)


def _zoom(angles: numpy.ndarray, height: int, width: int, out: bool) -> numpy.ndarray:
    """Return the factors of the grids, of shape (N, 1, 1).

    With ``out``, all pixels of a rotated image are visible. Otherwise, the rotated image fills the result.
    """
    diagonal, slope = numpy.hypot(height, width), numpy.arctan(height / width)
    turned = numpy.abs(angles)
    corners = slope + turned, slope - turned
    widest = numpy.max([numpy.abs(diagonal * numpy.cos(corner)) for corner in corners], axis=0)
    highest = numpy.max([numpy.abs(diagonal * numpy.sin(corner)) for corner in corners], axis=0)
    if out:
        return numpy.maximum(widest / width, highest / height)
    return numpy.minimum(width / widest, height / highest)


def random_rotate(src: Any, angle_limits: tuple[float, float], zoom_in: bool = False, zoom_out: bool = False) -> Any:
    """Rotate an image by a random angle, or each image of a batch by its own random angle.

    Parameters
    ----------
    src : NDArray
        Images (C, H, W) or (N, C, H, W) of float32.
    angle_limits : (float, float)
        Smallest and largest angle in degrees.
    zoom_in, zoom_out : bool
        Arguments of :func:`imrotate`.

    Returns
    -------
    NDArray
        The rotated images, in the shape of ``src``.
    """
    angles = numpy.random.uniform(*angle_limits, size=None if src.ndim == 3 else src.shape[0])
    return imrotate(src, angles, zoom_in=zoom_in, zoom_out=zoom_out)
