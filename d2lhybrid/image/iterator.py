"""``ImageIter``: batches of augmented images from record files, lists of files, or both."""

from __future__ import annotations

import logging
import numbers
import os
import random
from collections.abc import Sequence
from typing import Any

import numpy

from ..error import MXNetError
from ..internals.support.notes import with_note
from ..internals.support.number_arguments import whole_number
from ..internals.support.plural import counted
from ..io import DataBatch, DataIter
from ..ndarray import NDArray
from ..recordio import MXIndexedRecordIO, MXRecordIO, unpack
from .arrays import new_array
from .augmenters import CreateAugmenter
from .image_files import imdecode

__all__ = ["ImageIter"]

_LABEL_DTYPES = ("int32", "float32", "int64", "float64")
_LAST_BATCH = ("pad", "discard", "roll_over")


def read_list_file(path: str, dtype: str = "float32") -> dict[Any, tuple[Any, str]]:
    """Return the labels and file names in a file with lines ``index TAB label TAB ... TAB file``.

    Parameters
    ----------
    path : str
        Path of the file.
    dtype : str
        Element type of the labels.

    Returns
    -------
    dict of int to (NDArray, str)
        Label and file name, by index.

    Raises
    ------
    MXNetError
        If a line does not have this form.
    """
    entries = {}
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                key, *label, filename = line.strip().split("\t")
                entries[int(key)] = new_array(numpy.array([float(value) for value in label], dtype)), filename
            except ValueError:
                raise MXNetError(
                    f"line {number} of the list {path!r} must contain an integer index, numbers as labels, and a file "
                    f"name, separated by tabs, not {line.strip()[:200]!r}"
                ) from None
    return entries


def read_list(imglist: Sequence[Any], dtype: str = "float32") -> dict[Any, tuple[Any, str]]:
    """Return the labels and file names in a list of ``[label, ..., file]`` items.

    Parameters
    ----------
    imglist : sequence of list
        The list.
    dtype : str
        Element type of the labels.

    Returns
    -------
    dict of str to (NDArray, str)
        Label and file name, by position in the list. The first position is ``"1"``.

    Raises
    ------
    ValueError, TypeError
        If a label is not a number or an array of numbers.
    """
    entries = {}
    for index, item in enumerate(imglist, 1):
        label = item[:-1] if len(item) > 2 else [item[0]] if isinstance(item[0], numbers.Number) else item[0]
        values = label.asnumpy() if isinstance(label, NDArray) else label
        try:
            entries[str(index)] = new_array(numpy.array(values, dtype)), item[-1]
        except (ValueError, TypeError) as problem:
            problem.add_note(
                f"Write item {index} of imglist, {item!r}, as [label, ..., file name], with numbers as labels."
            )
            raise
    return entries


class ImageIter(DataIter):
    """An iterator over batches of images. The images of a batch are decoded and augmented when the batch is requested.

    Images come from a record file (``path_imgrec``), or from files in the folder ``path_root`` that are listed in a
    file (``path_imglist``) or in a list (``imglist``). Shuffling a record file, or reading only a part of it, requires
    the index of the file (``path_imgidx``).

    Parameters
    ----------
    batch_size : int
        Number of images in a batch.
    data_shape : (int, int, int)
        Number of channels (3), height, and width.
    label_width : int
        Number of elements of a label.
    path_imgrec, path_imgidx : str, optional
        Record file, and index of the record file.
    path_imglist : str, optional
        File with lines of index, labels, and file name, separated by tabs.
    path_root : str, optional
        Folder of the files.
    shuffle : bool
        Whether to use a new random order after each reset.
    part_index, num_parts : int
        Index of the part to read, and number of parts.
    aug_list : list of Augmenter, optional
        Augmenters for each image; by default, the result of :func:`CreateAugmenter` for ``kwargs``.
    imglist : list, optional
        Items ``[label, file]`` or ``[label, label, ..., file]``.
    data_name, label_name : str
        Names of the inputs.
    dtype : str
        Element type of the labels in ``path_imglist`` or ``imglist``.
    last_batch_handle : {"pad", "discard", "roll_over"}
        Treatment of a shorter last batch: it is filled with images from the start, dropped, or kept for the next
        epoch.
    **kwargs
        Arguments of :func:`CreateAugmenter`.

    Raises
    ------
    AssertionError
        If there is no source of images, if ``dtype`` is unsupported, if ``part_index`` is out of range, or if the
        required index of a record file is missing.
    ValueError
        If ``last_batch_handle`` is unknown.
    MXNetError
        If a list or a record file is damaged.
    RuntimeError
        If an image cannot be decoded. The error names the image.
    """

    imgrec: Any
    imgidx: list[Any] | None
    batch_size: int
    data_shape: tuple[int, ...]
    label_width: int
    shuffle: bool

    def __init__(
        self,
        batch_size: int,
        data_shape: tuple[int, int, int],
        label_width: int = 1,
        path_imgrec: str | None = None,
        path_imglist: str | None = None,
        path_root: str | None = None,
        path_imgidx: str | None = None,
        shuffle: bool = False,
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: list[Any] | None = None,
        imglist: list[Any] | None = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: str = "float32",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        super().__init__()
        batch_size = whole_number("batch_size", batch_size)
        if not (path_imgrec or path_imglist or isinstance(imglist, list)):
            raise AssertionError("ImageIter requires path_imgrec, path_imglist, or a list as imglist")
        if dtype not in _LABEL_DTYPES:
            note = f"dtype must be one of {', '.join(_LABEL_DTYPES)}."
            raise with_note(AssertionError(f"{dtype} label not supported"), note)
        if last_batch_handle not in _LAST_BATCH:
            raise ValueError(f"last_batch_handle must be one of {', '.join(_LAST_BATCH)}, not {last_batch_handle!r}")
        self.imgrec, self.imgidx = self._open_records(path_imgrec, path_imgidx)
        self.imglist: dict[Any, tuple[Any, str]] | None = None
        if path_imglist:
            self.imglist = read_list_file(path_imglist, dtype)
        elif isinstance(imglist, list):
            self.imglist = read_list(imglist, dtype)
        self.path_root = path_root
        self.check_data_shape(data_shape)
        self.provide_data: list[tuple[str, tuple[int, ...]]] = [(data_name, (batch_size, *data_shape))]
        self.provide_label: list[tuple[str, tuple[int, ...]]] = [
            (label_name, (batch_size, label_width) if label_width > 1 else (batch_size,))
        ]
        self.batch_size, self.data_shape, self.label_width = batch_size, tuple(data_shape), label_width
        self.shuffle, self.last_batch_handle = shuffle, last_batch_handle
        self.seq: list[Any] | None = self._choose(shuffle, part_index, num_parts)
        self.num_image: int | None = None if self.seq is None else len(self.seq)
        self.auglist: list[Any] = CreateAugmenter(data_shape, **kwargs) if aug_list is None else aug_list
        self.cur: int = 0
        self._allow_read = True
        self._cache: tuple[numpy.ndarray, numpy.ndarray, int] | None = None
        self.reset()

    @staticmethod
    def _open_records(path_imgrec: str | None, path_imgidx: str | None) -> tuple[Any, list[Any] | None]:
        if not path_imgrec:
            return None, None
        if not path_imgidx:
            return MXRecordIO(path_imgrec, "r"), None
        records = MXIndexedRecordIO(path_imgidx, path_imgrec, "r")
        return records, list(records.keys)

    def _choose(self, shuffle: bool, part_index: int, num_parts: int) -> list[Any] | None:
        """Return the keys of the images in order, or None for a record file that is read from start to end."""
        keys = self.imgidx
        if self.imgrec is None:
            assert self.imglist is not None
            keys = list(self.imglist)
        elif keys is None and (shuffle or num_parts > 1):
            option = "shuffle=True" if shuffle else f"num_parts={num_parts}"
            raise AssertionError(f"{option} requires the index of the record file: pass path_imgidx")
        if keys is None or num_parts <= 1:
            return keys
        if not 0 <= part_index < num_parts:
            raise AssertionError(
                f"part_index must be at least 0 and less than {num_parts} (num_parts), not {part_index}"
            )
        length = len(keys) // num_parts
        return keys[part_index * length : (part_index + 1) * length]

    def reset(self) -> None:
        """Start a new epoch. With ``"roll_over"``, images that are left over from the last epoch come first."""
        if self.seq is not None and self.shuffle:
            random.shuffle(self.seq)
        if self.last_batch_handle != "roll_over" or self._cache is None:
            if self.imgrec is not None:
                self.imgrec.reset()
            self.cur = 0
            self._allow_read = True

    def hard_reset(self) -> None:
        """Start a new epoch, and drop images that are left over from the last epoch."""
        self._cache = None
        self.reset()

    def next_sample(self) -> tuple[Any, bytes]:
        """Return the label and the file content of the next image.

        Returns
        -------
        tuple of (float or array, bytes)
            The label and the file content.

        Raises
        ------
        StopIteration
            At the end of the epoch.
        MXNetError
            If the image list has no entry for an image of the record file.
        """
        if not self._allow_read:
            raise StopIteration
        if self.seq is None:
            record = self.imgrec.read()
            if record is None:
                if self.last_batch_handle != "discard":
                    self.imgrec.reset()
                raise StopIteration
            header, image = unpack(record)
            return header.label, image
        if self.cur >= len(self.seq):
            if self.last_batch_handle != "discard":
                self.cur = 0
            raise StopIteration
        key = self.seq[self.cur]
        self.cur += 1
        if self.imgrec is None:
            assert self.imglist is not None
            label, filename = self.imglist[key]
            return label, self.read_image(filename)
        header, image = unpack(self.imgrec.read_idx(key))
        if self.imglist is None:
            return header.label, image
        if key not in self.imglist:
            error = MXNetError(f"the image list has no entry for image {key} of the record file")
            error.add_note(f"Add a line with the index {key} to the list, or remove the image from the index file.")
            raise error
        return self.imglist[key][0], image

    def _batchify(self, batch_data: numpy.ndarray, batch_label: numpy.ndarray, start: int = 0) -> int:
        """Fill a batch from position ``start``, and return the position after the last image."""
        position = start
        while position < self.batch_size:
            try:
                label, image = self.next_sample()
            except StopIteration:
                break
            data = self.imdecode(image)
            try:
                self.check_valid_image(data)
            except RuntimeError as problem:
                logging.debug("Invalid image, skipping:  %s", problem)
                continue
            data = self.postprocess_data(self.augmentation_transform(data)).asnumpy()
            self._put(batch_data, batch_label, position, data, label)
            position += 1
        return position

    def _put(
        self, batch_data: numpy.ndarray, batch_label: numpy.ndarray, position: int, data: numpy.ndarray, label: Any
    ) -> None:
        self._put_data(batch_data, position, data)
        values = numpy.asarray(label.asnumpy() if isinstance(label, NDArray) else label)
        if values.size not in (1, batch_label[position].size):
            error = ValueError(f"an image has {counted(values.size, 'label')}, but label_width is {self.label_width}")
            error.add_note(f"Pass label_width={values.size}." if values.size else "Add a label to each image.")
            raise error
        batch_label[position] = values.reshape(-1) if batch_label.ndim > 1 else values.item()

    def _put_data(self, batch_data: numpy.ndarray, position: int, data: numpy.ndarray) -> None:
        if data.shape != batch_data.shape[1:]:
            error = ValueError(
                f"an image has the shape {data.shape} after augmentation, but data_shape is {batch_data.shape[1:]}"
            )
            error.add_note("Use augmenters that crop or resize to data_shape, as CreateAugmenter does.")
            raise error
        batch_data[position] = data

    def _empty_batch(self) -> tuple[numpy.ndarray, numpy.ndarray]:
        return tuple(numpy.zeros(shape, "float32") for _, shape in (*self.provide_data, *self.provide_label))  # type: ignore[return-value]

    def next(self) -> DataBatch:
        """Return the next batch. The batch's ``pad`` is the number of padding images at the end.

        Returns
        -------
        DataBatch
            The batch.

        Raises
        ------
        StopIteration
            At the end of the epoch.
        """
        if self._cache is not None:
            data, label, filled = self._cache
        else:
            data, label = self._empty_batch()
            filled = self._batchify(data, label)
        if not filled:
            raise StopIteration
        if filled < self.batch_size:
            self._fill(data, label, filled)
        return DataBatch([new_array(data)], [new_array(label)], pad=self.batch_size - filled)

    def _fill(self, data: numpy.ndarray, label: numpy.ndarray, filled: int) -> None:
        """Complete or drop a partial batch, depending on ``last_batch_handle``."""
        if self.last_batch_handle == "discard":
            raise StopIteration
        if self.last_batch_handle == "roll_over" and self._cache is None:
            self._cache = data, label, filled
            raise StopIteration
        self._cache = None
        position, before = filled, -1
        while before < position < self.batch_size:  # repeats images if there are fewer images than free positions
            before, position = position, self._batchify(data, label, position)
        if self.last_batch_handle == "pad":
            self._allow_read = False

    def check_data_shape(self, data_shape: Sequence[int]) -> None:
        """Raise an error if a shape is not (3, height, width).

        Parameters
        ----------
        data_shape : sequence of int
            The shape.

        Raises
        ------
        ValueError
            If the shape does not have three sizes, or if the first size is not 3.
        """
        if len(data_shape) != 3:
            error = ValueError("data_shape should have length 3, with dimensions CxHxW")
            raise with_note(error, f"Pass data_shape=(3, height, width), not {tuple(data_shape)}.")
        if data_shape[0] != 3:
            error = ValueError("This iterator expects inputs to have 3 channels.")
            raise with_note(error, f"Pass data_shape=(3, height, width), not {tuple(data_shape)}.")

    def check_valid_image(self, data: Any) -> None:
        """Raise an error if an image is empty. The iterator then skips the image.

        Parameters
        ----------
        data : list of NDArray
            A list that contains only the image.

        Raises
        ------
        RuntimeError
            If the image is empty.
        """
        if not data[0].shape:
            note = f"Remove or replace the image: its shape is {data[0].shape}, not (height, width, channels)."
            raise with_note(RuntimeError("Data shape is wrong"), note)

    def _where(self) -> str:
        """Return a description of the last image."""
        if self.seq is None:
            return "in the record file"
        key = self.seq[self.cur - 1]
        return f"index: {key}" if self.imglist is None else f"filename: {self.imglist[key][1]}"

    def imdecode(self, s: bytes) -> Any:
        """Decode an image file.

        Parameters
        ----------
        s : bytes
            Content of the file.

        Returns
        -------
        NDArray
            The image (H, W, 3).

        Raises
        ------
        RuntimeError
            If the bytes are not an image. The error names the image.
        """
        try:
            return imdecode(s)
        except MXNetError as problem:
            raise RuntimeError(f"Broken image {self._where()}, {problem}") from problem

    def read_image(self, fname: str) -> bytes:
        """Return the content of an image file in ``path_root``.

        Parameters
        ----------
        fname : str
            Name of the file.

        Returns
        -------
        bytes
            Content of the file.
        """
        with open(os.path.join(self.path_root or "", fname), "rb") as stream:
            return stream.read()

    def augmentation_transform(self, data: Any) -> Any:
        """Apply the augmenters to an image.

        Parameters
        ----------
        data : NDArray
            The image.

        Returns
        -------
        NDArray
            The augmented image.
        """
        for augmenter in self.auglist:
            data = augmenter(data)
        return data

    def postprocess_data(self, datum: Any) -> Any:
        """Convert an image (H, W, C) to a tensor (C, H, W).

        Parameters
        ----------
        datum : NDArray
            The image.

        Returns
        -------
        NDArray
            The tensor.
        """
        return datum.transpose((2, 0, 1))
