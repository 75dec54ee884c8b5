"""Augmenters for detection, which change an image and the boxes of its objects.

A label is an array of shape (objects, 5 or more). The columns contain the class, the left, top, right, and bottom edge,
and optional additional values. Edges are fractions of the image's size.
"""

from __future__ import annotations

import json
import logging
import math
import numbers
import random
import warnings
from collections.abc import Sequence
from typing import Any

import numpy

from ..internals.support.display import Shown
from ..internals.support.notes import with_note
from ..internals.support.plural import counted
from .arrays import run
from .augmenters import (
    Augmenter,
    CastAug,
    ForceResizeAug,
    ResizeAug,
    colour_augmenters,
    normalizing_augmenters,
    plain_settings,
)
from .cropping import copyMakeBorder, fixed_crop

__all__ = [
    "CreateDetAugmenter", "CreateMultiRandCropAugmenter", "DetAugmenter", "DetBorrowAug", "DetHorizontalFlipAug",
    "DetRandomCropAug", "DetRandomPadAug", "DetRandomSelectAug",
]  # fmt: skip


class DetAugmenter(Shown):
    """The base class of augmenters for detection. Subclasses override ``__call__``.

    Parameters
    ----------
    **kwargs
        Settings, which :meth:`dumps` includes in its result.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = plain_settings(kwargs)

    def dumps(self) -> Any:
        """Return the class's name and the settings as JSON. Augmenters that contain other augmenters return a list.

        Returns
        -------
        str or list
            JSON list of the name in lower case and the settings.
        """
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, src: Any, label: numpy.ndarray) -> tuple[Any, numpy.ndarray]:
        """Return the augmented image and its label. Subclasses override this method."""
        raise NotImplementedError("Must override implementation.")


class DetBorrowAug(DetAugmenter):
    """An augmenter for detection that applies an image augmenter, which must not move objects.

    Parameters
    ----------
    augmenter : Augmenter
        The augmenter.

    Raises
    ------
    TypeError
        If ``augmenter`` is not an Augmenter.
    """

    def __init__(self, augmenter: Augmenter) -> None:
        if not isinstance(augmenter, Augmenter):
            note = f"Pass an image.Augmenter as augmenter, not {augmenter!r}."
            raise with_note(TypeError("Borrowing from invalid Augmenter"), note)
        super().__init__(augmenter=augmenter.dumps())
        self.augmenter = augmenter

    def dumps(self) -> Any:
        """Return the name, and the result of ``dumps()`` for the image augmenter.

        Returns
        -------
        list
            The name and the result.
        """
        return [type(self).__name__.lower(), self.augmenter.dumps()]

    def __call__(self, src: Any, label: numpy.ndarray) -> tuple[Any, numpy.ndarray]:
        """Return the augmented image and the unchanged label."""
        return self.augmenter(src), label


class DetRandomSelectAug(DetAugmenter):
    """An augmenter that applies one of several augmenters, chosen at random, or none.

    Parameters
    ----------
    aug_list : DetAugmenter or list of DetAugmenter
        The augmenters.
    skip_prob : float
        Probability of applying no augmenter.

    Raises
    ------
    ValueError
        If an element of ``aug_list`` is not a DetAugmenter.
    """

    def __init__(self, aug_list: Any, skip_prob: float = 0) -> None:
        super().__init__(skip_prob=skip_prob)
        augmenters = aug_list if isinstance(aug_list, list | tuple) else [aug_list]
        for augmenter in augmenters:
            if not isinstance(augmenter, DetAugmenter):
                note = f"aug_list contains {augmenter!r}. To use an image.Augmenter, pass DetBorrowAug(augmenter)."
                raise with_note(ValueError("Allow DetAugmenter in list only"), note)
        self.aug_list: list[Any] = list(augmenters)
        self.skip_prob = skip_prob if self.aug_list else 1

    def dumps(self) -> Any:
        """Return the name, and a list of the results of ``dumps()`` for the augmenters.

        Returns
        -------
        list
            The name and the results.
        """
        return [type(self).__name__.lower(), [augmenter.dumps() for augmenter in self.aug_list]]

    def __call__(self, src: Any, label: numpy.ndarray) -> tuple[Any, numpy.ndarray]:
        """Apply one augmenter or none, and return the image and its label."""
        if random.random() < self.skip_prob:
            return src, label
        random.shuffle(self.aug_list)
        return self.aug_list[0](src, label)


class DetHorizontalFlipAug(DetAugmenter):
    """An augmenter that mirrors an image left to right and changes the label in place.

    Parameters
    ----------
    p : float
        Probability of mirroring.
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: Any, label: numpy.ndarray) -> tuple[Any, numpy.ndarray]:
        """Return the image and its label, both mirrored or both unchanged."""
        if random.random() < self.p:
            src = run("reverse", src, axis=(1,))
            label[:, (1, 3)] = 1.0 - label[:, (3, 1)]
        return src, label


def _range(value: Any, what: str, name: str) -> tuple[float, float]:
    if isinstance(value, tuple | list):
        return tuple(value)  # type: ignore[return-value]
    if not isinstance(value, numbers.Number):
        argument = what if what.endswith("_range") else f"{what}_range"
        raise AssertionError(f"{argument} must be a number, or a list or tuple of two numbers, not {value!r}")
    logging.info("Using fixed %s: %s in %s", what.replace("_", " "), value, name)
    return (value, value)  # type: ignore[return-value]


def _is_possible(name: str, area_range: Any, aspect_ratio_range: Any, least_area: float) -> bool:
    if area_range[1] <= least_area or area_range[0] > area_range[1]:
        warnings.warn(f"Skip {name} due to invalid area_range: {area_range}", stacklevel=3)
        return False
    if aspect_ratio_range[0] <= 0 or aspect_ratio_range[0] > aspect_ratio_range[1]:
        warnings.warn(f"Skip {name} due to invalid aspect_ratio_range: {aspect_ratio_range}", stacklevel=3)
        return False
    return True


def _areas(boxes: numpy.ndarray) -> numpy.ndarray:
    """Return the areas of boxes (left, top, right, bottom)."""
    return numpy.maximum(0, boxes[:, 2] - boxes[:, 0]) * numpy.maximum(0, boxes[:, 3] - boxes[:, 1])


class DetRandomCropAug(DetAugmenter):
    """An augmenter that crops a random rectangle that covers enough of the objects, or returns the image unchanged.

    Parameters
    ----------
    min_object_covered : float
        Smallest fraction of each overlapping object that must be inside the crop.
    aspect_ratio_range : float or (float, float)
        Smallest and largest ratio of width to height, or a fixed ratio.
    area_range : float or (float, float)
        Smallest and largest area, or a fixed area, as fractions of the image's area.
    min_eject_coverage : float
        Smallest fraction of an object that must be inside the crop to keep the object in the label.
    max_attempts : int
        Maximum number of rectangles to try.

    Raises
    ------
    AssertionError
        If a range is neither a number nor a pair of numbers.
    """

    min_object_covered: float
    min_eject_coverage: float
    aspect_ratio_range: Any
    area_range: Any
    max_attempts: int

    def __init__(
        self,
        min_object_covered: float = 0.1,
        aspect_ratio_range: Any = (0.75, 1.33),
        area_range: Any = (0.05, 1.0),
        min_eject_coverage: float = 0.3,
        max_attempts: int = 50,
    ) -> None:
        aspect_ratio_range = _range(aspect_ratio_range, "aspect_ratio", type(self).__name__)
        area_range = _range(area_range, "area_range", type(self).__name__)
        super().__init__(
            min_object_covered=min_object_covered,
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            min_eject_coverage=min_eject_coverage,
            max_attempts=max_attempts,
        )
        self.min_object_covered, self.min_eject_coverage = min_object_covered, min_eject_coverage
        self.aspect_ratio_range, self.area_range, self.max_attempts = aspect_ratio_range, area_range, max_attempts
        self.enabled: bool = _is_possible(type(self).__name__, area_range, aspect_ratio_range, 0.0)

    def __call__(self, src: Any, label: numpy.ndarray) -> tuple[Any, numpy.ndarray]:
        """Return the crop and its label, or the unchanged image and label."""
        height, width = src.shape[:2]
        if not self.enabled or height <= 0 or width <= 0:
            return src, label
        for _ in range(self.max_attempts):
            size = self._propose_size(height, width)
            if size is None:
                continue
            w, h = size
            y = random.randint(0, max(0, height - h))
            x = random.randint(0, max(0, width - w))
            if w * h < 2 or not self._covers(label, (x / width, y / height, (x + w) / width, (y + h) / height), src):
                continue
            kept = self._cut_boxes(label, x / width, y / height, w / width, h / height)
            if len(kept):
                return fixed_crop(src, x, y, w, h), kept
        return src, label

    def _propose_size(self, height: int, width: int) -> tuple[int, int] | None:
        """Return a random width and height, or None if they do not fit into the image."""
        least, most = (share * height * width for share in self.area_range)
        ratio = random.uniform(*self.aspect_ratio_range)
        if ratio <= 0:
            return None
        h, highest = round(math.sqrt(least / ratio)), round(math.sqrt(most / ratio))
        if round(highest * ratio) > width:
            highest = int((width + 0.4999999) / ratio)
        highest = min(highest, height)
        h = min(h, highest)
        if h < highest:
            h = random.randint(h, highest)
        # Rounding may have exceeded the range by one row.
        if h * round(h * ratio) < least:
            h += 1
        if h * round(h * ratio) > most:
            h -= 1
        w = round(h * ratio)
        return (w, h) if least <= w * h <= most and 0 <= w <= width and 0 <= h <= height else None

    def _covers(self, label: numpy.ndarray, cut: tuple[float, float, float, float], src: Any) -> bool:
        """Return whether the crop overlaps an object, and covers enough of each object that it overlaps."""
        boxes = label[:, 1:5]
        areas = _areas(boxes)
        visible = areas * src.shape[1] * src.shape[0] > 2  # areas in pixels
        boxes, areas = boxes[visible], areas[visible]
        common = numpy.concatenate([numpy.maximum(boxes[:, :2], cut[:2]), numpy.minimum(boxes[:, 2:], cut[2:])], axis=1)
        shares = _areas(common) / areas
        shares = shares[shares > 0]
        return bool(shares.size) and bool(shares.min() > self.min_object_covered)

    def _cut_boxes(self, label: numpy.ndarray, x: float, y: float, w: float, h: float) -> numpy.ndarray:
        """Return the label of a crop, without objects that are mostly outside the crop."""
        out = label.copy()
        out[:, (1, 3)] = (out[:, (1, 3)] - x) / w
        out[:, (2, 4)] = (out[:, (2, 4)] - y) / h
        out[:, 1:5] = out[:, 1:5].clip(0, 1)
        with numpy.errstate(invalid="ignore", divide="ignore"):
            share = _areas(out[:, 1:5]) * w * h / _areas(label[:, 1:5])
        return out[(out[:, 3] > out[:, 1]) & (out[:, 4] > out[:, 2]) & (share > self.min_eject_coverage)]


class DetRandomPadAug(DetAugmenter):
    """An augmenter that adds a border of random size to an image.

    Parameters
    ----------
    aspect_ratio_range : float or (float, float)
        Smallest and largest ratio of width to height of the result, or a fixed ratio.
    area_range : float or (float, float)
        Smallest and largest area of the result, or a fixed area, as fractions of the image's area.
    max_attempts : int
        Maximum number of sizes to try. If no size fits, the image stays unchanged.
    pad_val : float or tuple of float
        Color of the border.

    Raises
    ------
    AssertionError
        If ``pad_val`` is neither a number nor a sequence, or if a range is neither a number nor a pair of numbers.
    """

    max_attempts: int
    aspect_ratio_range: Any
    area_range: Any

    def __init__(
        self,
        aspect_ratio_range: Any = (0.75, 1.33),
        area_range: Any = (1.0, 3.0),
        max_attempts: int = 50,
        pad_val: Any = (128, 128, 128),
    ) -> None:
        if not isinstance(pad_val, list | tuple | numbers.Number):
            raise AssertionError(f"pad_val must be a number, or a list or tuple of numbers, not {pad_val!r}")
        aspect_ratio_range = _range(aspect_ratio_range, "aspect_ratio", type(self).__name__)
        area_range = _range(area_range, "area_range", type(self).__name__)
        super().__init__(
            aspect_ratio_range=aspect_ratio_range, area_range=area_range, max_attempts=max_attempts, pad_val=pad_val
        )
        self.pad_val, self.max_attempts = pad_val, max_attempts
        self.aspect_ratio_range, self.area_range = aspect_ratio_range, area_range
        self.enabled: bool = _is_possible(type(self).__name__, area_range, aspect_ratio_range, 1.0)

    def __call__(self, src: Any, label: numpy.ndarray) -> tuple[Any, numpy.ndarray]:
        """Return the image with a border and its label, or the unchanged image and label."""
        height, width = src.shape[:2]
        if not self.enabled or height <= 0 or width <= 0:
            return src, label
        for _ in range(self.max_attempts):
            w, h = self._propose_size(height, width)
            if h - height < 2 or w - width < 2:
                continue  # a border of a single pixel does not count as a change
            y = random.randint(0, max(0, h - height))
            x = random.randint(0, max(0, w - width))
            out = label.copy()
            out[:, (1, 3)] = (out[:, (1, 3)] * width + x) / w
            out[:, (2, 4)] = (out[:, (2, 4)] * height + y) / h
            colour = (self.pad_val,) * 3 if isinstance(self.pad_val, numbers.Number) else self.pad_val
            return copyMakeBorder(src, y, h - y - height, x, w - x - width, 0, values=colour), out
        return src, label

    def _propose_size(self, height: int, width: int) -> tuple[int, int]:
        """Return a random width and height, which may be too small."""
        least, most = (share * height * width for share in self.area_range)
        ratio = random.uniform(*self.aspect_ratio_range)
        if ratio <= 0:
            return 0, 0
        h, highest = round(math.sqrt(least / ratio)), round(math.sqrt(most / ratio))
        if round(h * ratio) < width:
            h = int((width + 0.499999) / ratio)
        h = min(max(h, height), highest)
        if h < highest:
            h = random.randint(h, highest)
        return round(h * ratio), h


# --- the standard lists ----------------------------------------------------------------------------------


def CreateMultiRandCropAugmenter(  # noqa: N802
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 1.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    skip_prob: float = 0,
) -> DetRandomSelectAug:
    """Return an augmenter that applies one of several random crops.

    Parameters
    ----------
    min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        Arguments of :class:`DetRandomCropAug`. Each argument may be a list with a value for each crop.
    skip_prob : float
        Probability of no crop.

    Returns
    -------
    DetRandomSelectAug
        The augmenter.

    Raises
    ------
    AssertionError
        If two lists with several values have different lengths.

    Examples
    --------
    >>> len(CreateMultiRandCropAugmenter(min_object_covered=[0.1, 0.5, 0.9]).aug_list)
    3
    """
    settings = {
        "min_object_covered": min_object_covered,
        "aspect_ratio_range": aspect_ratio_range,
        "area_range": area_range,
        "min_eject_coverage": min_eject_coverage,
        "max_attempts": max_attempts,
    }
    lists = {name: value if isinstance(value, list) else [value] for name, value in settings.items()}
    longest = max(lists, key=lambda name: len(lists[name]))
    count = len(lists[longest])
    for name, values in lists.items():
        if len(values) not in (1, count):
            error = AssertionError(f"{name} has {counted(len(values), 'value')}, but {longest} has {count}")
            error.add_note(f"Pass 1 or {count} values as {name}.")
            raise error
        lists[name] = values * (count // len(values))
    cuts = [DetRandomCropAug(**{name: values[i] for name, values in lists.items()}) for i in range(count)]
    return DetRandomSelectAug(cuts, skip_prob=skip_prob)


def CreateDetAugmenter(  # noqa: N802
    data_shape: tuple[int, int, int],
    resize: int = 0,
    rand_crop: float = 0,
    rand_pad: float = 0,
    rand_gray: float = 0,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    pca_noise: float = 0,
    hue: float = 0,
    inter_method: int = 2,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 3.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    pad_val: Any = (127, 127, 127),
) -> list[DetAugmenter]:
    """Return the standard list of augmenters for detection.

    Parameters
    ----------
    data_shape : (int, int, int)
        Number of channels, height, and width of the result.
    resize : int
        Length of the shorter edge before all other changes; 0 keeps the size.
    rand_crop, rand_pad, rand_gray : float
        Probabilities of a random crop, a border, and a gray image.
    rand_mirror : bool
        Whether to mirror images left to right with probability 1/2.
    mean, std : True, array or None
        Mean color to subtract, and standard deviation to divide by. True selects the values of ImageNet.
    brightness, contrast, saturation, pca_noise, hue : float
        Maximum random change of brightness, contrast, and saturation, standard deviation of the multiples of
        :class:`LightingAug`, and maximum random change of hue. With 0, the property does not change.
    inter_method : int
        Interpolation method: 0 for nearest neighbor, 1 for bilinear, 2 for bicubic, 3 for area, 4 for Lanczos, 9 for a
        method that depends on the sizes, 10 for a random method.
    min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        See :func:`CreateMultiRandCropAugmenter`. A border may enlarge the image up to the maximum of ``area_range``.
    pad_val : float or tuple of float
        Color of the border.

    Returns
    -------
    list of DetAugmenter
        The augmenters, in the order of their application.
    """
    augmenters: list[DetAugmenter] = [DetBorrowAug(ResizeAug(resize, inter_method))] if resize > 0 else []
    if rand_crop > 0:
        augmenters.append(
            CreateMultiRandCropAugmenter(
                min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts, 1 - rand_crop
            )
        )
    if rand_mirror:
        augmenters.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:  # after cropping, to save computation
        border = DetRandomPadAug(aspect_ratio_range, (1.0, _largest(area_range)), _first(max_attempts), pad_val)
        augmenters.append(DetRandomSelectAug([border], 1 - rand_pad))
    of_images: Sequence[Augmenter] = [
        ForceResizeAug((data_shape[2], data_shape[1]), inter_method),
        CastAug(),
        *colour_augmenters(brightness, contrast, saturation, hue, pca_noise, rand_gray),
        *normalizing_augmenters(mean, std),
    ]
    return [*augmenters, *(DetBorrowAug(augmenter) for augmenter in of_images)]


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) else value


def _largest(area_range: Any) -> float:
    """Return the upper end of a range, or of several ranges."""
    return max(part[1] for part in area_range) if isinstance(area_range, list) else area_range[1]
