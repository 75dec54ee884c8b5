"""Functions that change an image and the boxes in the image in the same way, for ``ImageDetRecordIter``.

A label is a header and a list of objects. The header consists of its own length, the number of values for each object,
and optional numbers. An object consists of its class, the left, top, right, and bottom edges as fractions of the image,
and optional numbers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from ..error import MXNetError
from ..image.cropping import interpolation_method
from ..internals.ops.resampling import resample

__all__ = ["CropSampler", "Label", "crop_samplers", "cropped", "padded", "resized"]

#: A border that enlarges an image by a smaller factor is left out.
_LEAST_PAD = 1.05


class Label(NamedTuple):
    """A label, split into header and objects.

    Attributes
    ----------
    header : numpy.ndarray
        The header: its length, the number of values for each object, and optional numbers.
    objects : numpy.ndarray
        A row for each object.
    """

    header: numpy.ndarray
    objects: numpy.ndarray

    @classmethod
    def of(cls, numbers: numpy.ndarray) -> Label:
        """Parse an array of numbers into a label. Boxes without an area are dropped.

        Parameters
        ----------
        numbers : numpy.ndarray
            A one-dimensional array with the header, followed by the objects.

        Returns
        -------
        Label
            The label.

        Raises
        ------
        MXNetError
            If the numbers are not a label of boxes.
        """
        if numbers.size < 7:
            raise MXNetError(f"Check failed: label_width >= 7 ({numbers.size} vs. 7) : ")
        if not numpy.isfinite(numbers[:2]).all():
            raise MXNetError(
                "a label must begin with two finite numbers, the header length and the object length, not "
                f"{numbers[:2]}"
            )
        header, width = int(numbers[0]), int(numbers[1])
        if header < 2:
            raise MXNetError(f"Check failed: header_width >= 2 ({header} vs. 2) : ")
        if width < 5:
            raise MXNetError(f"Check failed: object_width_ >= 5 ({width} vs. 5) : ")
        left = (numbers.size - header) % width
        if left or header > numbers.size:
            raise MXNetError(f"Check failed: (label_width - header_width) % object_width_ == 0 ({left} vs. 0) : ")
        objects = numbers[header:].reshape(-1, width)
        there = (objects[:, 3] > objects[:, 1]) & (objects[:, 4] > objects[:, 2])
        return cls(numbers[:header], objects[there])

    def numbers(self) -> numpy.ndarray:
        """Return the label as a one-dimensional array, with the header before the objects."""
        return numpy.concatenate([self.header, self.objects.ravel()])

    def within(self, box: Sequence[float]) -> Label:
        """Return the label of a crop or of a padded image.

        Parameters
        ----------
        box : sequence of four float
            Left and upper edge, width, and height of the new image, as fractions of this image's size.

        Returns
        -------
        Label
            The label, with edges as fractions of the new size, limited to 0 ... 1.
        """
        left, top, width, height = box
        objects = self.objects.copy()
        objects[:, 1] = numpy.maximum((objects[:, 1] - left) / width, 0)
        objects[:, 2] = numpy.maximum((objects[:, 2] - top) / height, 0)
        objects[:, 3] = numpy.minimum((objects[:, 3] - left) / width, 1)
        objects[:, 4] = numpy.minimum((objects[:, 4] - top) / height, 1)
        return Label(self.header, objects)

    def mirrored(self) -> Label:
        """Return the label of the mirrored image (left to right)."""
        objects = self.objects.copy()
        objects[:, 1], objects[:, 3] = 1 - self.objects[:, 3], 1 - self.objects[:, 1]
        return Label(self.header, objects)


# --- crops ---------------------------------------------------------------------------------------------


class CropSampler(NamedTuple):
    """The constraints of a random crop: pairs of the smallest and the largest value, and a number of trials.

    Attributes
    ----------
    scales, aspect_ratios : (float, float)
        Limits of the crop's scale and aspect ratio.
    overlaps, sample_coverages, object_coverages : (float, float)
        Limits of the crop's intersection over union with an object, and of the fractions of the crop and of the object
        that the intersection covers. One object that satisfies all limits is enough.
    trials : int
        Number of random crops to try.
    """

    scales: tuple[float, float]
    aspect_ratios: tuple[float, float]
    overlaps: tuple[float, float]
    sample_coverages: tuple[float, float]
    object_coverages: tuple[float, float]
    trials: int

    def box(self, picture_ratio: float) -> tuple[float, float, float, float]:
        """Return a random rectangle to crop from an image.

        Parameters
        ----------
        picture_ratio : float
            Ratio of the image's width to its height.

        Returns
        -------
        tuple of four float
            Left and upper edge, width, and height of the rectangle, as fractions of the image's size.
        """
        scale = random.uniform(*self.scales) + 1e-12
        least = max(self.aspect_ratios[0] / picture_ratio, scale * scale)
        most = min(self.aspect_ratios[1] / picture_ratio, 1 / (scale * scale))
        ratio = math.sqrt(random.uniform(least, most))
        width, height = min(1.0, scale * ratio), min(1.0, scale / ratio)
        return random.uniform(0, 1 - width), random.uniform(0, 1 - height), width, height

    def allows(self, box: Sequence[float], objects: numpy.ndarray) -> bool:
        """Return whether the overlap of a crop with at least one object satisfies all constraints.

        Parameters
        ----------
        box : sequence of four float
            Left and upper edge, width, and height of the crop.
        objects : numpy.ndarray
            Objects of a :class:`Label`.

        Returns
        -------
        bool
            Whether at least one object satisfies all constraints.
        """
        common, area = _common(box, objects), _areas(objects)
        cut = box[2] * box[3]
        limited = [
            (common / (cut + area - common), self.overlaps),
            (common / cut, self.sample_coverages),
            (common / area, self.object_coverages),
        ]
        fits = numpy.ones(len(objects), bool)
        for values, (least, most) in limited:
            if least > 0 or most < 1:
                fits &= (values >= least) & (values <= most)
        return bool(fits.any())


def _areas(objects: numpy.ndarray) -> numpy.ndarray:
    return (objects[:, 3] - objects[:, 1]) * (objects[:, 4] - objects[:, 2])


def _common(box: Sequence[float], objects: numpy.ndarray) -> numpy.ndarray:
    """Return the areas of the intersections of objects with a crop."""
    left, top, width, height = box
    across = numpy.minimum(objects[:, 3], left + width) - numpy.maximum(objects[:, 1], left)
    down = numpy.minimum(objects[:, 4], top + height) - numpy.maximum(objects[:, 2], top)
    return numpy.maximum(across, 0) * numpy.maximum(down, 0)


def crop_samplers(count: int, settings: dict[str, Any]) -> list[CropSampler]:
    """Return crop samplers from lists of settings. A single number applies to all samplers.

    Parameters
    ----------
    count : int
        Number of samplers.
    settings : dict
        ``min_crop_scales`` and similar settings, and ``max_crop_trials``.

    Returns
    -------
    list of CropSampler
        The samplers.

    Raises
    ------
    MXNetError
        If the length of a list is not ``count``, or if limits contradict each other.
    """
    if count < 1:
        return []
    lists = {}
    for name, given in settings.items():
        values = list(numpy.ravel(given).tolist())
        if len(values) not in (1, count):
            raise MXNetError(
                f"Check failed: param->ndim() == num_sampler ({len(values)} vs. {count}) : "
                f"# of parameters/crop_samplers mismatch: {name}"
            )
        lists[name] = values * (count if len(values) == 1 else 1)
    samplers = []
    for i in range(count):
        pairs = {
            name: (lists[f"min_crop_{name}"][i], lists[f"max_crop_{name}"][i]) for name in CropSampler._fields[:-1]
        }
        for name, (least, most) in pairs.items():
            impossible = least >= most if name == "scales" else least > most
            if impossible or (name in ("scales", "aspect_ratios") and least < 0) or (name == "scales" and most > 1):
                limits = {
                    "scales": "from 0 to 1 and in strictly ascending order",
                    "aspect_ratios": "at least 0 and in ascending order",
                }.get(name, "in ascending order")
                raise MXNetError(
                    f"min_crop_{name} and max_crop_{name} of sampler {i} must be {limits}, not {least} and {most}"
                )
        samplers.append(CropSampler(**pairs, trials=int(lists["max_crop_trials"][i])))
    return samplers


def cropped(
    pixels: numpy.ndarray, label: Label, samplers: Sequence[CropSampler], least_overlap: float | None
) -> tuple[numpy.ndarray, Label]:
    """Return a random crop that a sampler allows, and its label, or the unchanged arguments if no sampler finds a crop.

    Parameters
    ----------
    pixels : numpy.ndarray
        The image.
    label : Label
        The image's label.
    samplers : sequence of CropSampler
        Samplers to try in random order.
    least_overlap : float or None
        Fraction of an object that must be inside the crop to keep the object. With None, the object's center must be
        inside the crop.

    Returns
    -------
    tuple of (numpy.ndarray, Label)
        The image and its label.
    """
    rows, columns = pixels.shape[:2]
    for sampler in random.sample(samplers, len(samplers)):
        for _ in range(sampler.trials):
            box = sampler.box(columns / rows)
            kept = label
            if len(label.objects):
                if not sampler.allows(box, label.objects):
                    continue
                if least_overlap is None:
                    x, y = ((label.objects[:, i] + label.objects[:, i + 2]) / 2 for i in (1, 2))
                    stays = (x >= box[0]) & (x < box[0] + box[2]) & (y >= box[1]) & (y < box[1] + box[3])
                else:
                    stays = _common(box, label.objects) / _areas(label.objects) > least_overlap
                if not stays.any():
                    continue
                kept = Label(label.header, label.objects[stays]).within(box)
            left, top, width, height = (int(part * size) for part, size in zip(box, (columns, rows) * 2, strict=True))
            if width and height:
                return pixels[top : top + height, left : left + width], kept
    return pixels, label


# --- borders and sizes -----------------------------------------------------------------------------------


def padded(pixels: numpy.ndarray, label: Label, most: float, fill: int) -> tuple[numpy.ndarray, Label]:
    """Pad an image to a random larger size, at a random position, and adjust its label.

    A random factor below 1.05 leaves the image unchanged.

    Parameters
    ----------
    pixels : numpy.ndarray
        The image.
    label : Label
        The image's label.
    most : float
        The maximum factor by which each side is enlarged.
    fill : int
        Brightness of the border.

    Returns
    -------
    tuple of (numpy.ndarray, Label)
        The image and its label.
    """
    scale = random.uniform(1, most)
    if scale < _LEAST_PAD:
        return pixels, label
    x, y = random.uniform(0, scale - 1), random.uniform(0, scale - 1)
    rows, columns = pixels.shape[:2]
    around = [(int(before * size), int((scale - 1 - before) * size)) for before, size in ((y, rows), (x, columns))]
    return numpy.pad(pixels, [*around, (0, 0)], constant_values=fill), label.within((-x, -y, scale, scale))


def resized(pixels: numpy.ndarray, height: int, width: int, mode: str, method: int) -> numpy.ndarray:
    """Resize an image.

    Parameters
    ----------
    pixels : numpy.ndarray
        The image.
    height, width : int
        The new size in pixels.
    mode : {'force', 'shrink', 'fit'}
        ``force`` resizes to exactly this size. ``shrink`` and ``fit`` keep the aspect ratio: ``shrink`` reduces images
        that are larger than this size, and ``fit`` resizes to the largest size that fits.
    method : int
        The interpolation method.

    Returns
    -------
    numpy.ndarray
        The resized image.
    """
    rows, columns = pixels.shape[:2]
    if mode != "force":
        if mode == "shrink" and rows <= height and columns <= width:
            return pixels
        ratio = min(numpy.float32(height) / numpy.float32(rows), numpy.float32(width) / numpy.float32(columns))
        height, width = (max(1, int(ratio * numpy.float32(size))) for size in (rows, columns))
    return resample(numpy, pixels, height, width, interpolation_method(method, (rows, columns, height, width)))
