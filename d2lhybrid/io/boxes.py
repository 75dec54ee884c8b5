"""``ImageDetRecordIter``: batches of the images of a record file, with the boxes of the objects in the images."""

from __future__ import annotations

import random
from typing import Any

import numpy

from ..error import MXNetError
from ..image.iterator import read_list_file
from ..internals.formats.image_codec import decode
from ..ndarray import array, load, save
from ..recordio import MXRecordIO, unpack
from .base import MXDataIter, part_of_records, refuse
from .box_changes import Label, crop_samplers, cropped, padded, resized
from .hue import colours_changed

__all__ = ["ImageDetRecordIter"]

_ONE, _NONE = (1.0,), (0.0,)


class ImageDetRecordIter(MXDataIter):
    """An iterator over batches of the images of a record file, with the boxes of the objects in the images.

    An image is resized so that its shorter edge has the length ``resize``, recolored, mirrored, padded, cropped,
    resized to its final size, and normalized: ``(pixel - mean) / std * scale``. Each change is also applied to the
    boxes.

    The label of an image in a batch consists of the number of channels, the height, and the width of the final image,
    the length of the image's label after all changes, that label, and padding.

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
        Required length of a label. If ``label_width`` is not positive, labels may have any length.
    label_pad_width : int
        Length to which labels are padded; by default, the length of the longest label.
    label_pad_value : float
        Value of the padding.
    shuffle, seed, num_parts, part_index, round_batch
        See :class:`MXDataIter`.
    resize : int
        Length of the shorter edge before all other changes; -1 keeps the size.
    rand_crop_prob : float
        Probability of a random crop.
    min_crop_scales, max_crop_scales, min_crop_aspect_ratios, max_crop_aspect_ratios : tuple of float
        Limits of the crop's scale and aspect ratio, one for each sampler. A single number applies to all samplers.
    min_crop_overlaps, max_crop_overlaps : tuple of float
        Limits of the crop's intersection over union with an object. One object that satisfies all limits is enough.
    min_crop_sample_coverages, max_crop_sample_coverages : tuple of float
        Limits of the fraction of the crop that the intersection covers.
    min_crop_object_coverages, max_crop_object_coverages : tuple of float
        Limits of the fraction of the object that the intersection covers.
    num_crop_sampler : int
        Number of samplers, which are tried in random order.
    crop_emit_mode : {'center', 'overlap'}
        The rule for dropping objects. ``center`` drops objects whose center is outside the crop. ``overlap`` drops
        objects whose fraction inside the crop is at most ``emit_overlap_thresh``.
    emit_overlap_thresh : float
        See ``crop_emit_mode``.
    max_crop_trials : tuple of int
        Number of attempts of each sampler.
    rand_pad_prob, max_pad_scale : float
        The probability of padding an image, and the largest scale of the padded image.
    max_random_hue, max_random_saturation, max_random_illumination : int
        Maximum random changes of hue (0 ... 180), saturation, and lightness (0 ... 255).
    max_random_contrast : float
        Maximum difference between the random color factor and 1.
    random_hue_prob, random_saturation_prob, random_illumination_prob, random_contrast_prob : float
        Probabilities of the changes of hue, saturation, lightness, and contrast.
    rand_mirror_prob : float
        Probability of mirroring an image left to right.
    fill_value : int
        Brightness of the border of an image.
    inter_method : int
        Interpolation method; see :func:`d2lhybrid.image.resize_short`.
    resize_mode : {'force', 'shrink', 'fit'}
        ``force`` resizes an image to exactly the size in ``data_shape``. ``shrink`` and ``fit`` keep the aspect ratio:
        ``shrink`` reduces images that are larger than this size, and ``fit`` resizes images to the largest size that
        fits. The remaining pixels are zero.
    mean_img : str, optional
        A file with the mean of all images, which is subtracted if no other mean is set. If the file does not exist,
        the mean is computed and written.
    mean_r, mean_g, mean_b, std_r, std_g, std_b, scale : float
        Parameters of the normalization. A standard deviation that is not positive has no effect.
    data_name, label_name : str
        Names of the inputs.
    **kwargs
        Arguments for MXNet's threads, which are ignored.

    Raises
    ------
    MXNetError
        If the file is damaged, if a label is not a label of boxes, or if an argument is not supported.
    """

    def __init__(
        self,
        path_imgrec: str = "./data/imgrec.rec",
        data_shape: tuple[int, int, int] = (3, 0, 0),
        batch_size: int = 0,
        path_imglist: str = "",
        label_width: int = -1,
        label_pad_width: int = 0,
        label_pad_value: float = -1.0,
        shuffle: bool = False,
        seed: int = 0,
        num_parts: int = 1,
        part_index: int = 0,
        round_batch: bool = True,
        resize: int = -1,
        rand_crop_prob: float = 0.0,
        min_crop_scales: Any = _NONE,
        max_crop_scales: Any = _ONE,
        min_crop_aspect_ratios: Any = _ONE,
        max_crop_aspect_ratios: Any = _ONE,
        min_crop_overlaps: Any = _NONE,
        max_crop_overlaps: Any = _ONE,
        min_crop_sample_coverages: Any = _NONE,
        max_crop_sample_coverages: Any = _ONE,
        min_crop_object_coverages: Any = _NONE,
        max_crop_object_coverages: Any = _ONE,
        num_crop_sampler: int = 1,
        crop_emit_mode: str = "center",
        emit_overlap_thresh: float = 0.3,
        max_crop_trials: Any = (25,),
        rand_pad_prob: float = 0.0,
        max_pad_scale: float = 1.0,
        max_random_hue: int = 0,
        random_hue_prob: float = 0.0,
        max_random_saturation: int = 0,
        random_saturation_prob: float = 0.0,
        max_random_illumination: int = 0,
        random_illumination_prob: float = 0.0,
        max_random_contrast: float = 0.0,
        random_contrast_prob: float = 0.0,
        rand_mirror_prob: float = 0.0,
        fill_value: int = 127,
        inter_method: int = 1,
        resize_mode: str = "force",
        mean_img: str = "",
        mean_r: float = 0.0,
        mean_g: float = 0.0,
        mean_b: float = 0.0,
        std_r: float = 0.0,
        std_g: float = 0.0,
        std_b: float = 0.0,
        scale: float = 1.0,
        data_name: str = "data",
        label_name: str = "softmax_label",
        **kwargs: Any,
    ) -> None:
        given = locals()
        self._index = str(kwargs.pop("path_imgidx", ""))  # only for num_parts; record offsets are read from the file
        none = {"aug_seq": "det_aug_default", "mean_a": 0, "std_a": 0, "dtype": kwargs.get("dtype")}
        refuse(kwargs, type(self).__name__, none)
        if len(data_shape) != 3 or data_shape[0] not in (1, 3) or min(data_shape) < 1:
            raise MXNetError(
                "data_shape must be (channels, height, width) with 1 or 3 channels and positive sizes, not "
                f"{data_shape}"
            )
        channels, self._height, self._width = data_shape
        for name, value, known in (
            ("crop_emit_mode", crop_emit_mode, ("center", "overlap")),
            ("resize_mode", resize_mode, ("fit", "force", "shrink")),
        ):
            if value not in known:
                raise MXNetError(f"Invalid Input: '{value}', valid values are: {known} for {name}")
        if inter_method not in (0, 1, 2, 3, 4, 9, 10):
            raise MXNetError("invalid inter_method: valid value 0,1,2,3,9,10")
        self._grey = channels == 1
        self._resize, self._size = resize, (self._height, self._width, resize_mode, inter_method)
        limits = {name: value for name, value in given.items() if name.startswith(("min_crop_", "max_crop_"))}
        self._crop = rand_crop_prob, crop_samplers(num_crop_sampler, limits)
        self._least_overlap = emit_overlap_thresh if crop_emit_mode == "overlap" else None
        self._pad_by = rand_pad_prob, max_pad_scale, fill_value
        self._mirror = rand_mirror_prob
        self._colours = (
            (max_random_hue, random_hue_prob), (max_random_saturation, random_saturation_prob),
            (max_random_illumination, random_illumination_prob), (max_random_contrast, random_contrast_prob),
        )  # fmt: skip
        self._mean = numpy.array([mean_r, mean_g, mean_b][:channels], "float32").reshape(-1, 1, 1)
        self._std = numpy.array([std_r, std_g, std_b][:channels], "float32").reshape(-1, 1, 1)
        self._scale = numpy.float32(scale)
        self._label_width, self._pad_value = label_width, label_pad_value
        listed = read_list_file(path_imglist) if path_imglist else {}
        self._listed = {key: label.asnumpy().ravel() for key, (label, _) in listed.items()} if path_imglist else None
        self._records = MXRecordIO(path_imgrec, "r")
        width = self._widest()
        if width > label_pad_width > 0:
            raise MXNetError(
                f"ImageDetRecordIOParser: label_pad_width: {label_pad_width} smaller than estimated width: {width}"
            )
        super().__init__(
            len(self._positions), batch_size, tuple(data_shape), (4 + max(width, label_pad_width),),
            kwargs.get("dtype") or "float32", shuffle=shuffle, seed=seed, round_batch=round_batch,
            num_parts=num_parts, part_index=part_index, data_name=data_name, label_name=label_name,
        )  # fmt: skip
        if mean_img and not self._mean.any():
            self._mean = self._mean_image(mean_img)

    def _widest(self) -> int:
        """Read the offsets of all records, and return the length of the longest label."""
        self._positions, widest = [], 0
        while True:
            position = self._records.position()
            record = self._records.read()
            if record is None:
                self._file_size = position
                break
            self._positions.append(position)
            if self._listed is None:
                widest = max(widest, self._label_of(unpack(record)[0]).size)
        return max(map(len, self._listed.values()), default=0) if self._listed is not None else widest

    def _part(self, count: int, num_parts: int, part_index: int) -> numpy.ndarray:
        return part_of_records(self._positions, self._file_size, self._index, num_parts, part_index)

    def _label_of(self, header: Any) -> numpy.ndarray:
        """Return the numbers of a label."""
        if self._listed is not None:
            if header.id not in self._listed:
                raise MXNetError(f"fail to find imagelabel for id {header.id}")
            numbers = self._listed[header.id]
        else:
            numbers = numpy.ravel(numpy.asarray(header.label, "float32"))
        if 0 < self._label_width != numbers.size:
            raise MXNetError(
                f"Check failed: param_.label_width == rec.num_label ({self._label_width} vs. {numbers.size}) : "
                f"rec file provide {numbers.size}-dimensional label but label_width is set to {self._label_width}"
            )
        return numbers

    def _mean_image(self, path: str) -> numpy.ndarray:
        """Read the mean of all images from a file, or compute and write it."""
        shape = self._mean.size, self._height, self._width
        try:
            found = list(load(path).values())
        except MXNetError:
            total = sum(
                (self._read(number)[0] for number in range(len(self._positions))), numpy.zeros(shape, "float32")
            )
            found = [array(total / max(len(self._positions), 1))]
            save(path, {"mean_img": found[0]})
        if len(found) != 1 or found[0].shape != shape:
            error = MXNetError(f"{path!r} must contain exactly one array, a mean image of shape {shape}")
            error.add_note("To compute the mean image again, delete the file.")
            raise error
        return found[0].asnumpy()

    def _read(self, number: int) -> tuple[Any, Any]:
        self._records.go_to(self._positions[number])
        record = self._records.read()
        assert record is not None
        header, data = unpack(record)
        pixels, label = self._changed(decode(data, int(not self._grey)), Label.of(self._label_of(header)))
        rows, columns, channels = pixels.shape
        values = numpy.zeros((channels, self._height, self._width), "float32")
        values[:, :rows, :columns] = pixels.transpose(2, 0, 1)
        values -= self._mean
        values = values / numpy.where(self._std > 0, self._std, numpy.float32(1)) * self._scale
        numbers = label.numbers()
        result = numpy.full(self.provide_label[0].shape[1], self._pad_value, "float32")
        result[: 4 + numbers.size] = [channels, rows, columns, numbers.size, *numbers]
        return values, result

    def _changed(self, pixels: numpy.ndarray, label: Label) -> tuple[numpy.ndarray, Label]:
        """Return the augmented image and its new label."""
        rows, columns = pixels.shape[:2]
        if self._resize != -1:
            short = self._resize
            size = (short * rows // columns, short) if rows > columns else (short, short * columns // rows)
            pixels = resized(pixels, *size, "force", self._size[3])
        if not self._grey and any(often > 0 for _, often in self._colours):
            hue, saturation, light, contrast = (
                random.uniform(-1, 1) * most if random.random() < often else 0 for most, often in self._colours
            )
            pixels = colours_changed(pixels, int(hue), int(saturation), int(light), contrast)
        if random.random() < self._mirror:
            pixels, label = pixels[:, ::-1], label.mirrored()
        often, most, fill = self._pad_by
        if most > 1 and random.random() < often:
            pixels, label = padded(pixels, label, most, fill)
        often, samplers = self._crop
        if random.random() < often:
            pixels, label = cropped(pixels, label, samplers, self._least_overlap)
        return resized(pixels, *self._size), label
