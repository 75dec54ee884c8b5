"""``ImageRecordIter``: batches of the images of a record file."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import Any

import numpy

from ..error import MXNetError
from ..image.iterator import read_list_file
from ..internals.formats.image_codec import decode
from ..internals.support.plural import counted
from ..ndarray import array, load, save
from ..recordio import MXRecordIO, unpack
from .augmentation import Augmentation
from .base import MXDataIter, part_of_records, refuse

__all__ = ["ImageRecordInt8Iter", "ImageRecordIter", "ImageRecordUInt8Iter"]

#: The only valid value of MXNet's argument ``aug_seq``.
_SEQUENCE = "aug_default"
#: Arguments for a fourth channel, which this package does not support.
_FOURTH_CHANNEL = ("mean_a", "std_a")


class ImageRecordIter(MXDataIter):
    """An iterator over batches of the images of a record file, cropped to one size and normalized.

    An image is resized, warped, padded, cropped (after enlarging an image that is too small), recolored, and mirrored.
    The last step is ``(pixel - mean) * scale / std``.

    Parameters
    ----------
    path_imgrec : str
        The record file. Its index is not needed.
    data_shape : (int, int, int)
        Number of channels (3, or 1 for gray), height, and width.
    batch_size : int
        Number of images in a batch.
    path_imglist : str, optional
        A list file with other labels; see :class:`d2lhybrid.image.ImageIter`.
    label_width : int
        Number of elements of a label.
    shuffle : bool
        Whether to use a new random order in every epoch.
    seed : int
        Seed of the random order.
    num_parts, part_index, round_batch
        See :class:`MXDataIter`.
    resize : int
        Length of the shorter edge before all other changes; -1 keeps the size.
    pad, fill_value : int
        Width of a border in pixels, and brightness of the border.
    rand_crop : bool
        Whether to crop at a random position instead of at the center.
    random_resized_crop : bool
        Whether to crop a random rectangle. Its area is between the fractions ``min_random_area`` and
        ``max_random_area`` of the image's area. Its ratio of width to height is between ``min_aspect_ratio`` and
        ``max_aspect_ratio``, or without the minimum, between ``1 - max_aspect_ratio`` and ``1 + max_aspect_ratio``.
        If False, the image is stretched by a random ratio from this range.
    min_crop_size, max_crop_size : int
        Range of the edge length of a random square to crop, in pixels.
    rotate, max_rotate_angle, rotate_list
        Rotation in degrees: ``rotate`` if positive, or else a random angle of at most ``max_rotate_angle`` in either
        direction. If ``rotate_list`` is specified, a random angle from that list replaces ``rotate`` and
        ``max_rotate_angle``.
    max_shear_ratio, min_random_scale, max_random_scale : float
        Largest shear, and range of the random scale.
    min_img_size, max_img_size : float
        Limits of both edge lengths in pixels before the image is cropped.
    brightness, contrast, saturation, pca_noise : float
        Maximum random change of brightness, contrast, and saturation, and standard deviation of the random multiples of
        the principal components of colors.
    random_h, random_s, random_l : int
        Maximum random changes of hue (0 ... 180), saturation, and lightness (0 ... 255).
    mirror, rand_mirror : bool
        Whether to mirror all images left to right, and whether to mirror with probability 1/2.
    mean_img : str, optional
        A file with the mean of all images, which is subtracted. If the file does not exist,
        the mean is computed and written.
    mean_r, mean_g, mean_b, std_r, std_g, std_b, scale : float
        Parameters of the normalization. ``mean_img`` replaces the three means.
    max_random_contrast, max_random_illumination : float
        Maximum difference between a random factor and 1, and maximum absolute value of a random offset.
    inter_method : int
        Interpolation method; see :func:`d2lhybrid.image.resize_short`.
    data_name, label_name : str
        Names of the inputs.
    **kwargs
        Arguments for MXNet's threads, which are ignored.

    Raises
    ------
    MXNetError
        If the file is damaged, or if an argument is not supported.
    """

    _dtype: str = "float32"

    def __init__(
        self,
        path_imgrec: str,
        data_shape: tuple[int, int, int],
        batch_size: int,
        path_imglist: str = "",
        label_width: int = 1,
        shuffle: bool = False,
        seed: int = 0,
        num_parts: int = 1,
        part_index: int = 0,
        round_batch: bool = True,
        resize: int = -1,
        pad: int = 0,
        fill_value: int = 255,
        rand_crop: bool = False,
        random_resized_crop: bool = False,
        min_random_area: float = 1.0,
        max_random_area: float = 1.0,
        min_aspect_ratio: float | None = None,
        max_aspect_ratio: float = 0.0,
        brightness: float = 0.0,
        contrast: float = 0.0,
        saturation: float = 0.0,
        pca_noise: float = 0.0,
        random_h: int = 0,
        random_s: int = 0,
        random_l: int = 0,
        rotate: int = -1,
        max_rotate_angle: int = 0,
        rotate_list: Sequence[int] | str = (),
        max_shear_ratio: float = 0.0,
        min_random_scale: float = 1.0,
        max_random_scale: float = 1.0,
        min_crop_size: int = -1,
        max_crop_size: int = -1,
        min_img_size: float = 0.0,
        max_img_size: float = 1e10,
        mirror: bool = False,
        rand_mirror: bool = False,
        mean_img: str = "",
        mean_r: float = 0.0,
        mean_g: float = 0.0,
        mean_b: float = 0.0,
        std_r: float = 1.0,
        std_g: float = 1.0,
        std_b: float = 1.0,
        scale: float = 1.0,
        max_random_contrast: float = 0.0,
        max_random_illumination: float = 0.0,
        inter_method: int = 1,
        data_name: str = "data",
        label_name: str = "softmax_label",
        **kwargs: Any,
    ) -> None:
        self._index = str(kwargs.pop("path_imgidx", ""))  # only for num_parts; record offsets are read from the file
        for name in _FOURTH_CHANNEL:
            kwargs.pop(name, None)
        if isinstance(rotate_list, str):  # MXNet's form
            rotate_list = [int(angle) for angle in rotate_list.split(",")]
        refuse(kwargs, type(self).__name__, {"aug_seq": _SEQUENCE, "dtype": kwargs.get("dtype")})
        if len(data_shape) != 3 or data_shape[0] not in (1, 3) or min(data_shape) < 1:
            raise MXNetError(
                "data_shape must be (channels, height, width) with 1 or 3 channels and positive sizes, not "
                f"{data_shape}"
            )
        channels, self._height, self._width = data_shape
        self._grey = channels == 1
        self._augment = Augmentation(
            data_shape, resize=resize, rotate=rotate, max_rotate_angle=max_rotate_angle, rotate_list=rotate_list,
            max_shear_ratio=max_shear_ratio, min_random_scale=min_random_scale, max_random_scale=max_random_scale,
            min_aspect_ratio=min_aspect_ratio, max_aspect_ratio=max_aspect_ratio, min_img_size=min_img_size,
            max_img_size=max_img_size, pad=pad, fill_value=fill_value, random_resized_crop=random_resized_crop,
            min_random_area=min_random_area, max_random_area=max_random_area, min_crop_size=min_crop_size,
            max_crop_size=max_crop_size, rand_crop=rand_crop, brightness=brightness, contrast=contrast,
            saturation=saturation, random_h=random_h, random_s=random_s, random_l=random_l, pca_noise=pca_noise,
            inter_method=inter_method,
        )  # fmt: skip
        self._mirror, self._rand_mirror = mirror, rand_mirror
        self._mean = numpy.array([mean_r, mean_g, mean_b][:channels], "float32")
        self._std = numpy.array([std_r, std_g, std_b][:channels], "float32")
        self._scale, self._contrast, self._light = scale, max_random_contrast, max_random_illumination
        self._label_width = label_width
        self._labels = {key: label for key, (label, _) in read_list_file(path_imglist).items()} if path_imglist else {}
        self._records = self._starts(path_imgrec)
        super().__init__(
            len(self._positions), batch_size, tuple(data_shape), (label_width,) if label_width > 1 else (),
            kwargs.get("dtype") or self._dtype, shuffle=shuffle, seed=seed, round_batch=round_batch,
            num_parts=num_parts, part_index=part_index, data_name=data_name, label_name=label_name,
        )  # fmt: skip
        if mean_img:
            self._mean = self._mean_image(mean_img)

    def _mean_image(self, path: str) -> numpy.ndarray:
        """Read the mean of all images from a file, or compute and write it."""
        shape = self._mean.size, self._height, self._width
        if not os.path.isfile(path):
            images = (self._pixels(number)[1].transpose(2, 0, 1) for number in range(len(self._positions)))
            mean = sum(images, numpy.zeros(shape)) / max(len(self._positions), 1)
            save(path, {"mean_img": array(mean)})
        found = list(load(path).values())
        if len(found) != 1 or found[0].shape != shape:
            error = MXNetError(f"{path!r} must contain exactly one array, a mean image of shape {shape}")
            error.add_note("To compute the mean image again, delete the file.")
            raise error
        return found[0].asnumpy()

    def _starts(self, path: str) -> MXRecordIO:
        """Open the file, and read the offsets of its records."""
        records = MXRecordIO(path, "r")
        self._positions = []
        while True:
            position = records.position()
            if records.read() is None:
                self._file_size = position
                return records
            self._positions.append(position)

    def _part(self, count: int, num_parts: int, part_index: int) -> numpy.ndarray:
        return part_of_records(self._positions, self._file_size, self._index, num_parts, part_index)

    def _read(self, number: int) -> tuple[Any, Any]:
        label, pixels = self._pixels(number)
        return self._normalized(pixels), label

    def _pixels(self, number: int) -> tuple[Any, numpy.ndarray]:
        """Return the label of an image, and the image's crop for the batch."""
        self._records.go_to(self._positions[number])
        record = self._records.read()
        assert record is not None
        header, data = unpack(record)
        label = self._labels[header.id].asnumpy() if header.id in self._labels else header.label
        label = numpy.ravel(label)
        if label.size != self._label_width:
            error = MXNetError(
                f"image {header.id} has {counted(label.size, 'label')}, but label_width is {self._label_width}"
            )
            error.add_note(f"Pass label_width={label.size}.")
            raise error
        pixels = self._augment(decode(data, int(not self._grey)))
        return label if label.size > 1 else label[0], pixels

    def getpad(self) -> int:
        """Return the number of padding examples in the current batch, or 0 with ``round_batch=False``."""
        return super().getpad() if self.round_batch else 0

    def _normalized(self, pixels: numpy.ndarray) -> numpy.ndarray:
        """Return the image (C, H, W) with normalized values."""
        mean, std = self._mean, self._std.reshape(-1, 1, 1)
        mean = mean if mean.ndim == 3 else mean.reshape(-1, 1, 1)
        if self._mirror or (self._rand_mirror and random.random() < 0.5):
            pixels, mean = pixels[:, ::-1], mean[:, :, ::-1]  # the mean image is mirrored together with the image
        values = pixels.transpose(2, 0, 1)
        if self.provide_data[0].dtype in (numpy.uint8, numpy.int8):
            limits = numpy.iinfo(self.provide_data[0].dtype)
            return (values.astype(int) - numpy.rint(mean).astype(int)).clip(limits.min, limits.max)
        factor = (1 + random.uniform(-self._contrast, self._contrast)) * self._scale if self._contrast else self._scale
        light = random.uniform(-self._light, self._light) * self._scale if self._light else 0.0
        return (values - mean) * (numpy.float32(factor) / std) + numpy.float32(light) / std


class ImageRecordUInt8Iter(ImageRecordIter):
    """:class:`ImageRecordIter` with batches of uint8, which subtracts the rounded mean but doesn't scale the values."""

    _dtype = "uint8"


class ImageRecordInt8Iter(ImageRecordIter):
    """:class:`ImageRecordIter` with batches of int8, which subtracts the rounded mean but doesn't scale the values."""

    _dtype = "int8"


class ImageRecordIter_v1(ImageRecordIter):  # noqa: N801  MXNet's name
    """The :class:`ImageRecordIter` of older versions, which always counts padding examples."""

    def getpad(self) -> int:
        """Return the number of padding examples in the current batch, even with ``round_batch=False``."""
        return super(ImageRecordIter, self).getpad()


class ImageRecordUInt8Iter_v1(ImageRecordIter_v1):  # noqa: N801  MXNet's name
    """:class:`ImageRecordIter_v1` with batches of uint8."""

    _dtype = "uint8"
