"""Functions that resize, crop, and pad single images (height, width, channels).

As in MXNet, Python's module ``random`` draws random numbers, so ``random.seed`` makes results reproducible.
"""

from __future__ import annotations

import math
import numbers
import random
import warnings
from collections.abc import Sequence
from typing import Any

from ..internals.support.notes import with_note
from .arrays import of_the_kind, require_array, run

__all__ = [
    "center_crop", "color_normalize", "copyMakeBorder", "fixed_crop", "imresize", "random_crop", "random_size_crop",
    "resize_short", "scale_down",
]  # fmt: skip

#: The method that depends on the sizes, and the random method.
_BY_SIZE, _RANDOM = 9, 10


def interpolation_method(interp: int, sizes: Sequence[int] = ()) -> int:
    """Return the interpolation method, from 0 to 4, for a change of size.

    Parameters
    ----------
    interp : int
        Interpolation method: 0 for nearest neighbor, 1 for bilinear, 2 for bicubic, 3 for area, 4 for Lanczos. 9
        selects 2 if height and width increase, 3 if both decrease, and 1 in all other cases. 10 selects a random
        method.
    sizes : (int, int, int, int)
        The old height and width, and the new height and width.

    Returns
    -------
    int
        The method.

    Raises
    ------
    ValueError
        If ``interp`` is not one of these numbers.
    """
    if interp == _BY_SIZE:
        if not sizes:
            return 2
        height, width, new_height, new_width = sizes
        if new_height > height and new_width > width:
            return 2
        return 3 if new_height < height and new_width < width else 1
    if interp == _RANDOM:
        return random.randint(0, 4)
    if interp not in range(5):
        raise with_note(ValueError(f"Unknown interp method {interp}"), "Pass 0, 1, 2, 3, 4, 9, or 10 as interp.")
    return interp


def imresize(src: Any, w: int, h: int, interp: int = 1, out: Any = None, name: str | None = None) -> Any:
    """Resize an image.

    Parameters
    ----------
    src : NDArray
        The image (H, W, C).
    w, h : int
        The new width and height.
    interp : int
        Interpolation method: 0 for nearest neighbor, 1 for bilinear, 2 for bicubic, 3 for area, 4 for Lanczos.
    out : NDArray, optional
        The array to write to.
    name : str, optional
        Ignored; accepted because MXNet's function has this parameter.

    Returns
    -------
    NDArray
        The resized image (h, w, C).

    Raises
    ------
    AssertionError
        If the image is not an array.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> imresize(nd.array([[[0], [100]]]), 4, 1).reshape(-1)
    <BLANKLINE>
    [  0.  25.  75. 100.]
    <NDArray 4 @cpu(0)>
    """
    require_array(src)
    image = run("_cvimresize", src, w=w, h=h, interp=interp)
    if out is None:
        return image
    out[:] = image
    return out


def copyMakeBorder(  # noqa: N802
    src: Any, top: int, bot: int, left: int, right: int, type: int = 0, value: float = 0.0, values: Any = (),
    out: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Return an image with a border around it.

    Parameters
    ----------
    src : NDArray
        The image (H, W, C).
    top, bot, left, right : int
        The number of pixels to add on each side.
    type : int
        0 to fill the border with a color, 1 to repeat the outermost pixels, 2 to mirror the image including these
        pixels (``fedcba|abcdef``), 3 to wrap around to the opposite side, or 4 to mirror the image without these
        pixels (``fedcb|abcdef``).
    value : float
        Value of the border in all channels.
    values : float or tuple of float, optional
        Values of the border, with a number for each channel. They replace ``value``.
    out : NDArray, optional
        The destination of the result.
    name : str, optional
        Unused.

    Returns
    -------
    NDArray
        The enlarged image.
    """
    require_array(src)
    values = (values,) if isinstance(values, numbers.Number) else values
    image = run(
        "_cvcopyMakeBorder", src, top=top, bot=bot, left=left, right=right, type=type, value=value, values=values
    )
    if out is None:
        return image
    out[:] = image
    return out


def scale_down(src_size: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    """Reduce a size, if necessary, so that it fits into an image. The aspect ratio stays the same.

    Parameters
    ----------
    src_size : (int, int)
        Width and height of the image.
    size : (int, int)
        Desired width and height.

    Returns
    -------
    tuple of (int, int)
        The width and height that fit into the image.

    Examples
    --------
    >>> scale_down((640, 480), (720, 120))
    (640, 106)
    """
    width, height = size
    most_wide, most_high = src_size
    if most_high < height:
        width, height = width * most_high / height, most_high
    if most_wide < width:
        width, height = most_wide, height * most_wide / width
    return int(width), int(height)


def _within(src_size: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    """Return the result of :func:`scale_down`, but at least one pixel, even for a very narrow image."""
    width, height = scale_down(src_size, size)
    return max(1, width), max(1, height)


def resize_short(src: Any, size: int, interp: int = 2) -> Any:
    """Resize an image so that its shorter edge has a fixed length, and keep the aspect ratio.

    Parameters
    ----------
    src : NDArray
        The image (H, W, C).
    size : int
        Length of the shorter edge in pixels.
    interp : int
        Interpolation method; see :func:`interpolation_method`.

    Returns
    -------
    NDArray
        The resized image.
    """
    height, width, _ = src.shape
    if height > width:
        new_height, new_width = size * height // width, size
    else:
        new_height, new_width = size, size * width // height
    method = interpolation_method(interp, (height, width, new_height, new_width))
    return imresize(src, new_width, new_height, interp=method)


def fixed_crop(src: Any, x0: int, y0: int, w: int, h: int, size: Any = None, interp: int = 2) -> Any:
    """Crop a rectangle from an image, and optionally resize it.

    Parameters
    ----------
    src : NDArray
        The image (H, W, C).
    x0, y0 : int
        Left and upper edge of the rectangle.
    w, h : int
        Width and height of the rectangle.
    size : (int, int), optional
        Width and height of the result.
    interp : int
        Interpolation method; see :func:`interpolation_method`.

    Returns
    -------
    NDArray
        The crop.
    """
    cut = src[y0 : y0 + h, x0 : x0 + w]
    if size is None or (w, h) == tuple(size):
        return cut
    return imresize(cut, *size, interp=interpolation_method(interp, (h, w, size[1], size[0])))


def random_crop(src: Any, size: tuple[int, int], interp: int = 2) -> tuple[Any, tuple[int, int, int, int]]:
    """Crop a rectangle of a fixed size at a random position. A smaller image is enlarged.

    Parameters
    ----------
    src : NDArray
        The image (H, W, C).
    size : (int, int)
        Width and height of the result.
    interp : int
        Interpolation method; see :func:`interpolation_method`.

    Returns
    -------
    tuple of (NDArray, (int, int, int, int))
        The crop, and the left edge, upper edge, width, and height of the crop in the image.
    """
    height, width, _ = src.shape
    new_width, new_height = _within((width, height), size)
    x0 = random.randint(0, width - new_width)
    y0 = random.randint(0, height - new_height)
    return fixed_crop(src, x0, y0, new_width, new_height, size, interp), (x0, y0, new_width, new_height)


def center_crop(src: Any, size: tuple[int, int], interp: int = 2) -> tuple[Any, tuple[int, int, int, int]]:
    """Crop the center of an image. A smaller image is enlarged.

    Parameters
    ----------
    src, size, interp
        Arguments of :func:`random_crop`.

    Returns
    -------
    tuple of (NDArray, (int, int, int, int))
        The crop, and the left edge, upper edge, width, and height of the crop in the image.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> center_crop(nd.zeros((10, 20, 3)), (6, 4))[1]
    (7, 3, 6, 4)
    """
    height, width, _ = src.shape
    x0, y0, w, h = middle(width, height, size)
    return fixed_crop(src, x0, y0, w, h, size, interp), (x0, y0, w, h)


def middle(width: int, height: int, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return a rectangle at the center of an image.

    If a rectangle of the requested size doesn't fit, the result is smaller and has the same aspect ratio.

    Parameters
    ----------
    width, height : int
        The size of the image.
    size : (int, int)
        Maximum width and height of the rectangle, which also determine its aspect ratio.

    Returns
    -------
    tuple of four int
        Left edge, upper edge, width, and height of the rectangle.
    """
    new_width, new_height = _within((width, height), size)
    return (width - new_width) // 2, (height - new_height) // 2, new_width, new_height


def random_size_crop(
    src: Any, size: tuple[int, int], area: Any, ratio: tuple[float, float], interp: int = 2, **kwargs: Any
) -> tuple[Any, tuple[int, int, int, int]]:
    """Crop a rectangle of random position, size, and shape from an image, and resize it.

    Parameters
    ----------
    src : NDArray
        The image (H, W, C).
    size : (int, int)
        Width and height of the result.
    area : float or (float, float)
        Smallest area, or smallest and largest area, as a fraction of the image's area.
    ratio : (float, float)
        Smallest and largest ratio of width to height.
    interp : int
        Interpolation method; see :func:`interpolation_method`.
    **kwargs
        ``min_area``, the old name of ``area``.

    Returns
    -------
    tuple of (NDArray, (int, int, int, int))
        The resized crop, and the left edge, upper edge, width, and height of the crop in the image.
    """
    area = renamed_area(area, kwargs, "random_size_crop")
    height, width, _ = src.shape
    x0, y0, w, h = random_rectangle(width, height, size, area, ratio)
    return fixed_crop(src, x0, y0, w, h, size, interp), (x0, y0, w, h)


def random_rectangle(
    width: int, height: int, size: tuple[int, int], area: Any, ratio: tuple[float, float]
) -> tuple[int, int, int, int]:
    """Return the random rectangle that :func:`random_size_crop` crops.

    Parameters
    ----------
    width, height : int
        The size of the image.
    size, area, ratio
        Arguments of :func:`random_size_crop`.

    Returns
    -------
    tuple of four int
        Left edge, upper edge, width, and height of the rectangle. If ten random rectangles don't fit into the image,
        the result is the rectangle from :func:`middle`.
    """
    least, most = area if isinstance(area, Sequence) else (area, 1.0)
    for _ in range(10):  # a rectangle of this area and ratio may not fit
        wanted = random.uniform(least, most) * height * width
        shape = math.exp(random.uniform(math.log(ratio[0]), math.log(ratio[1])))
        w, h = round(math.sqrt(wanted * shape)), round(math.sqrt(wanted / shape))
        if 0 < w <= width and 0 < h <= height:
            x0 = random.randint(0, width - w)
            return x0, random.randint(0, height - h), w, h
    return middle(width, height, size)


def renamed_area(area: Any, kwargs: dict[str, Any], function: str) -> Any:
    """Return the argument ``area``, which callers may pass under its old name ``min_area``.

    Parameters
    ----------
    area : float or (float, float)
        The argument.
    kwargs : dict
        The other keyword arguments of the call. ``min_area`` is removed.
    function : str
        The name of the called function, for the error.

    Returns
    -------
    float or (float, float)
        The area.

    Raises
    ------
    AssertionError
        If there are other keyword arguments.
    """
    if "min_area" in kwargs:
        warnings.warn("`min_area` is deprecated. Please use `area` instead.", DeprecationWarning, stacklevel=3)
        area = kwargs.pop("min_area")
    if kwargs:
        error = AssertionError(f"unexpected keyword arguments for `{function}`.")
        raise with_note(error, f"Remove {', '.join(kwargs)}.")
    return area


def color_normalize(src: Any, mean: Any, std: Any = None) -> Any:
    """Subtract a mean color from an image and divide by a standard deviation, in place.

    Parameters
    ----------
    src : NDArray
        The image (H, W, C), of floating-point numbers.
    mean, std : array or number, optional
        Mean and standard deviation of each channel, or of all channels.

    Returns
    -------
    NDArray
        The image.
    """
    if mean is not None:
        src -= mean if isinstance(mean, int | float) else of_the_kind(src, mean)
    if std is not None:
        src /= std if isinstance(std, int | float) else of_the_kind(src, std)
    return src
