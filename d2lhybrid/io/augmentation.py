"""The augmentation of ``ImageRecordIter`` before normalization: MXNet's "default augmenter"."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy

from ..error import MXNetError
from ..image.augmenters import colour_augmenters
from ..image.cropping import interpolation_method
from ..internals.ops.resampling import resample
from ..ndarray import array
from .hue import colours_changed
from .warping import warp_affine

__all__ = ["Augmentation"]

#: The default of ``max_img_size``, in pixels.
_NO_LIMIT = 1e10
#: Number of random rectangles to try. A rectangle may be larger than the image.
_ATTEMPTS = 10


class Augmentation:
    """An augmenter that resizes, warps, pads, crops, and recolors an image, in this order.

    Parameters
    ----------
    data_shape : (int, int, int)
        Number of channels, height, and width of the result.
    resize : int
        Length of the shorter edge before all other changes; -1 keeps the size.
    rotate, max_rotate_angle : int
        ``rotate`` is the angle of rotation in degrees. If ``rotate`` is not positive, the angle is a random integer
        between ``-max_rotate_angle`` and ``max_rotate_angle``.
    rotate_list : sequence of int
        Angles in degrees to choose from at random, which replace ``rotate`` and ``max_rotate_angle``.
    max_shear_ratio : float
        The maximum shift of a row, as a fraction of the row's distance from the center.
    min_random_scale, max_random_scale : float
        The range of the random scale, which can't be combined with ``random_resized_crop``.
    min_aspect_ratio, max_aspect_ratio : float
        The range of the random aspect ratio. Without ``min_aspect_ratio``, the range is
        ``1 - max_aspect_ratio`` to ``1 + max_aspect_ratio``.
    min_img_size, max_img_size : float
        Limits of both edge lengths after warping, in pixels.
    pad, fill_value : int
        Width of a border in pixels, and the brightness of the border and of the areas that warping leaves empty.
    random_resized_crop, min_random_area, max_random_area
        Whether to crop a rectangle of random aspect ratio, and the range of its area as a fraction of the image's area.
    min_crop_size, max_crop_size : int
        Range of the edge of a random square to crop and resize, in pixels; -1 disables this crop.
    rand_crop : bool
        Whether to crop at a random position instead of at the center.
    brightness, contrast, saturation, pca_noise : float
        The maximum random change of brightness, contrast, and saturation, and the standard deviation of the random
        multiples of the principal components of colors.
    random_h, random_s, random_l : int
        The maximum random changes of hue (0 ... 180), saturation, and lightness (0 ... 255).
    inter_method : int
        Interpolation method; see :func:`d2lhybrid.image.resize_short`.

    Raises
    ------
    MXNetError
        If two arguments contradict each other, or if an argument doesn't support the number of channels in
        ``data_shape``.
    """

    def __init__(
        self,
        data_shape: Sequence[int],
        resize: int = -1,
        rotate: int = -1,
        max_rotate_angle: int = 0,
        rotate_list: Sequence[int] = (),
        max_shear_ratio: float = 0.0,
        min_random_scale: float = 1.0,
        max_random_scale: float = 1.0,
        min_aspect_ratio: float | None = None,
        max_aspect_ratio: float = 0.0,
        min_img_size: float = 0.0,
        max_img_size: float = _NO_LIMIT,
        pad: int = 0,
        fill_value: int = 255,
        random_resized_crop: bool = False,
        min_random_area: float = 1.0,
        max_random_area: float = 1.0,
        min_crop_size: int = -1,
        max_crop_size: int = -1,
        rand_crop: bool = False,
        brightness: float = 0.0,
        contrast: float = 0.0,
        saturation: float = 0.0,
        random_h: int = 0,
        random_s: int = 0,
        random_l: int = 0,
        pca_noise: float = 0.0,
        inter_method: int = 1,
    ) -> None:
        self._channels, self._height, self._width = data_shape
        self._resize, self._pad, self._fill, self._inter_method = resize, pad, fill_value, inter_method
        self._angles, self._most_angle, self._shear = tuple(rotate_list), max_rotate_angle, max_shear_ratio
        if not self._angles and rotate > 0:
            self._angles = (rotate,)
        self._scales, self._areas = (min_random_scale, max_random_scale), (min_random_area, max_random_area)
        self._ratios = (1 - max_aspect_ratio, 1 + max_aspect_ratio)
        if min_aspect_ratio is not None:
            self._ratios = (min_aspect_ratio, max_aspect_ratio)
        self._sizes = (min_img_size, max_img_size)
        self._squares = (min_crop_size, max_crop_size)
        self._resized_crop, self._rand_crop = random_resized_crop, rand_crop
        self._colours = colour_augmenters(brightness, contrast, saturation, 0, pca_noise, 0)
        self._hsl = random_h, random_s, random_l
        self._check()
        self._warps = (
            max_rotate_angle > 0 or max_shear_ratio > 0 or bool(self._angles) or self._scales != (1, 1)
            or (not random_resized_crop and self._ratios != (1, 1)) or self._sizes != (0, _NO_LIMIT)
        )  # fmt: skip

    def _check(self) -> None:
        if self._resized_crop and (self._scales != (1, 1) or self._squares != (-1, -1) or self._rand_crop):
            raise MXNetError(
                "Setting random_resized_crop to true conflicts with min_random_scale, max_random_scale, "
                "min_crop_size, max_crop_size, and rand_crop."
            )
        for name, (least, most) in (("aspect_ratio", self._ratios), ("random_area", self._areas)):
            if self._resized_crop and not 0 < least <= most:
                raise MXNetError(
                    f"min_{name} and max_{name} must be positive and in ascending order, not {least} and {most}"
                )
        if self._squares != (-1, -1) and not 0 < self._squares[0] <= self._squares[1]:
            raise MXNetError(
                "min_crop_size and max_crop_size must be positive and in ascending order, not "
                f"{self._squares[0]} and {self._squares[1]}"
            )
        if any(self._hsl) and self._channels != 3:
            raise MXNetError(f"random_h, random_s, and random_l require images with 3 channels, not {self._channels}")

    def __call__(self, pixels: numpy.ndarray) -> numpy.ndarray:
        """Return an augmented image (height, width, channels) of the requested size.

        Raises
        ------
        MXNetError
            If an edge of the image is shorter than ``max_crop_size``.
        """
        if self._resize > 0:
            rows, columns = pixels.shape[:2]
            short = self._resize
            size = (short * rows // columns, short) if rows > columns else (short, short * columns // rows)
            pixels = self._resampled(pixels, *size)
        if self._warps:
            pixels = self._warped(pixels)
        if self._pad > 0:
            pixels = numpy.pad(pixels, ((self._pad,) * 2, (self._pad,) * 2, (0, 0)), constant_values=self._fill)
        return self._coloured(self._cut(pixels))

    def _resampled(self, pixels: numpy.ndarray, height: int, width: int, method: int | None = None) -> numpy.ndarray:
        if method is None:
            method = interpolation_method(self._inter_method, (*pixels.shape[:2], height, width))
        return resample(numpy, pixels, height, width, method)

    def _warped(self, pixels: numpy.ndarray) -> numpy.ndarray:
        """Return an image that is rotated, sheared, scaled, and stretched around its center."""
        rows, columns = pixels.shape[:2]
        shear = random.uniform(-self._shear, self._shear)
        angle = random.choice(self._angles) if self._angles else random.randint(-self._most_angle, self._most_angle)
        cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        scale = ratio = 1.0
        if not self._resized_crop:
            scale, ratio = random.uniform(*self._scales), random.uniform(*self._ratios)
        along = 2 * scale / (1 + ratio)  # rows grow by the factor by which columns shrink
        down = ratio * along
        matrix = numpy.array(
            [
                [along * cosine - shear * sine * down, along * sine + shear * cosine * down, 0],
                [-sine * down, cosine * down, 0],
            ],
            "float32",
        )
        least, most = self._sizes
        width, height = (max(least, min(most, scale * size)) for size in (columns, rows))
        middle = matrix[:, :2] @ numpy.array([columns, rows], "float32")
        matrix[:, 2] = (numpy.array([width, height], "float32") - middle) / 2
        method = interpolation_method(self._inter_method, (rows, columns, int(height), int(width)))
        return warp_affine(pixels, matrix, int(height), int(width), method, self._fill)

    def _cut(self, pixels: numpy.ndarray) -> numpy.ndarray:
        """Return the crop of an image for the batch."""
        if self._resized_crop and (self._areas != (1, 1) or self._ratios != (1, 1)):
            found = self._rectangle(*pixels.shape[:2])
            if found is not None:
                y, x, rows, columns = found
                return self._resampled(pixels[y : y + rows, x : x + columns], self._height, self._width)
        if self._squares != (-1, -1):
            if min(pixels.shape[:2]) < self._squares[1]:
                raise MXNetError(
                    f"input image size smaller than max_crop_size: the image has {pixels.shape[1]} x {pixels.shape[0]} "
                    f"pixels, but max_crop_size is {self._squares[1]}"
                )
            size = random.randint(*self._squares)
            return self._resampled(self._part(pixels, size, size), self._height, self._width)
        rows, columns = pixels.shape[:2]
        method = interpolation_method(self._inter_method, (rows, columns, self._height, self._width))
        if rows < self._height:
            columns = int(numpy.float32(self._height) / numpy.float32(rows) * numpy.float32(columns))
            rows, pixels = self._height, self._resampled(pixels, self._height, columns, method)
        if columns < self._width:
            rows = int(numpy.float32(self._width) / numpy.float32(columns) * numpy.float32(rows))
            pixels = self._resampled(pixels, rows, self._width, method)
        return self._part(pixels, self._height, self._width)

    def _part(self, pixels: numpy.ndarray, height: int, width: int) -> numpy.ndarray:
        y, x = pixels.shape[0] - height, pixels.shape[1] - width
        y, x = (random.randint(0, y), random.randint(0, x)) if self._rand_crop else (y // 2, x // 2)
        return pixels[y : y + height, x : x + width]

    def _rectangle(self, rows: int, columns: int) -> tuple[int, int, int, int] | None:
        """Return top, left, height, and width of a random rectangle, or None if every attempt is too large."""
        for _ in range(_ATTEMPTS):
            area, ratio = rows * columns * random.uniform(*self._areas), random.uniform(*self._ratios)
            height, width = (int(math.sqrt(one) + 0.5) for one in (area / ratio, area * ratio))
            if random.random() > 0.5:
                height, width = width, height
            if 0 < height <= rows and 0 < width <= columns:
                return random.randint(0, rows - height), random.randint(0, columns - width), height, width
        return None

    def _coloured(self, pixels: numpy.ndarray) -> numpy.ndarray:
        """Return an image after all color changes."""
        if self._colours and self._channels == 3:
            changed: Any = array(pixels, dtype="float32")
            for augmenter in self._colours:
                changed = augmenter(changed)
            pixels = changed.asnumpy().clip(0, 255).round()
        if any(self._hsl):
            # The weighted mean of two random numbers (weights 1 and 4): large changes are rarer than small changes.
            draws = [(random.random() + 4 * random.random()) / 5 for _ in self._hsl]
            steps = [int((2 * draw - 1) * most) for draw, most in zip(draws, self._hsl, strict=True)]
            pixels = colours_changed(pixels, *steps, contrast=0.0)
        return pixels
