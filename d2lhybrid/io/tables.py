"""Iterators over tables of numbers in text files, and over the digits of MNIST."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy

from ..error import MXNetError
from ..internals.core.attributes import REQUIRED
from ..internals.formats.idx import read_idx
from ..internals.ops.stored_places import places_of_rows
from ..internals.support.dtypes import as_dtype
from ..internals.support.filesystem import read_text
from ..internals.support.plural import counted
from ..ndarray.sparse_arrays import with_places
from .base import MXDataIter, refuse

__all__ = ["CSVIter", "LibSVMIter", "MNISTIter"]


def _read_table(path: str, shape: tuple[int, ...], dtype: Any) -> numpy.ndarray:
    """Return the rows of a file of comma-separated numbers, each reshaped to ``shape``."""
    size, rows = math.prod(shape), []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            parts = line.split(",")
            if len(parts) == size + 1 and not parts[-1].strip():  # a comma at the end
                parts.pop()
            row = numpy.array([float(part) for part in parts])
        except ValueError as problem:
            raise MXNetError(f"line {number} of {path!r} is not a list of comma-separated numbers: {problem}") from None
        if row.size != size:
            raise MXNetError(
                f"line {number} of {path!r} has {counted(row.size, 'number')}, but the shape {shape} requires {size}"
            )
        rows.append(row)
    if not rows:
        raise MXNetError(f"{path!r} contains no examples")
    return numpy.array(rows, dtype).reshape(-1, *shape)


class CSVIter(MXDataIter):
    """An iterator over the rows of a file of comma-separated numbers, in batches.

    Parameters
    ----------
    data_csv : str
        The file with the data.
    data_shape : tuple of int
        Shape of an example.
    label_csv : str, optional
        File with the labels. Without this file, all labels are 0.
    label_shape : tuple of int
        Shape of a label.
    batch_size : int
        Number of examples in a batch.
    round_batch : bool
        See :class:`MXDataIter`.
    dtype : str, optional
        Element type of data and labels; float32 by default.
    data_name, label_name : str
        Names of the inputs.
    **kwargs
        Arguments for MXNet's threads, which are ignored.

    Raises
    ------
    MXNetError
        If a line of a file doesn't match the shape, or if the files have different numbers of rows. The error names the
        line.
    """

    _keeps_rows = True

    def __init__(
        self,
        data_csv: str,
        data_shape: Any,
        label_csv: str = "NULL",
        label_shape: Any = (1,),
        batch_size: int = REQUIRED,
        round_batch: bool = True,
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        **kwargs: Any,
    ) -> None:
        refuse(kwargs, "CSVIter")
        dtype = "float32" if dtype in (None, "None") else _dtype_of(dtype)
        self._rows = _read_table(data_csv, data_shape, dtype)
        self._labels = numpy.zeros((len(self._rows), 1), dtype)
        if label_csv != "NULL":
            self._labels = _read_table(label_csv, label_shape, dtype)
        if len(self._labels) != len(self._rows):
            data, label = counted(len(self._rows), "row"), len(self._labels)
            raise MXNetError(f"{data_csv!r} has {data}, but {label_csv!r} has {label}")
        if label_csv == "NULL" or math.prod(label_shape) == 1:  # a label with a single number has no axes
            self._labels, label_shape = self._labels.reshape(len(self._labels), -1)[:, 0], ()
        super().__init__(
            len(self._rows), batch_size, data_shape, label_shape, dtype, dtype, round_batch=round_batch,
            data_name=data_name, label_name=label_name,
        )  # fmt: skip

    def _read(self, number: int) -> tuple[Any, Any]:
        return self._rows[number], self._labels[number]


def _dtype_of(name: Any) -> numpy.dtype:
    try:
        return as_dtype(name)
    except (KeyError, TypeError):
        raise MXNetError(f"Invalid Input: {str(name)!r} is not an element type of MXNet") from None


class _SparseTable(NamedTuple):
    rows: numpy.ndarray
    labels: list[list[float]]
    positions: list[list[int]]
    starts: list[int]  # offsets of the rows in the file, in bytes
    size: int


def _read_sparse(path: str, shape: tuple[int, ...]) -> _SparseTable:
    """Return the table in a file with lines ``label ... position:value ...``. Positions start at 0."""
    size, rows, labels, positions, starts, end = math.prod(shape), [], [], [], [], 0
    for number, line in enumerate(read_text(path).splitlines(keepends=True), 1):
        start, end = end, end + len(line.encode())
        parts = line.split("#")[0].split()
        if not parts:
            continue
        row = numpy.zeros(size, numpy.float32)
        try:
            labels.append([float(part) for part in parts if ":" not in part])
            positions.append([])
            for part in parts:
                if ":" in part:
                    position, value = part.split(":")
                    if not 0 <= int(position) < size:
                        error = MXNetError(
                            f"line {number} of {path!r} contains the index {position}, which is out of range for the "
                            f"shape {shape}"
                        )
                        error.add_note("Indices start at 0.")
                        raise error
                    row[int(position)] = float(value)
                    positions[-1].append(int(position))
        except ValueError as problem:
            raise MXNetError(f"line {number} of {path!r} is not in LibSVM format: {problem}") from None
        rows.append(row)
        starts.append(start)
    if not rows:
        raise MXNetError(f"{path!r} contains no examples")
    return _SparseTable(numpy.array(rows, numpy.float32).reshape(-1, *shape), labels, positions, starts, end)


class LibSVMIter(MXDataIter):
    """An iterator over batches of the rows of a file in LibSVM's format, ``label position:value ...``.

    The batches are CSR matrices, whose values are dense in memory.

    Parameters
    ----------
    data_libsvm : str
        Path of the file with the data. Positions start at 0.
    data_shape : tuple of int
        Shape of an example.
    label_libsvm : str, optional
        File with the labels in the same format. Without this file, each line of ``data_libsvm`` begins with its label.
    label_shape : tuple of int
        Shape of a label.
    batch_size : int
        Number of examples in a batch.
    num_parts, part_index, round_batch
        See :class:`MXDataIter`.
    data_name, label_name : str
        Names of the inputs.
    **kwargs
        Arguments for MXNet's threads, which are ignored.

    Raises
    ------
    MXNetError
        If a line of a file is not in LibSVM's format, if ``round_batch`` is False, or if the files don't match each
        other or the shapes. The error names the line.
    """

    def __init__(
        self,
        data_libsvm: str,
        data_shape: Any,
        label_libsvm: str = "NULL",
        label_shape: Any = (1,),
        batch_size: int = REQUIRED,
        num_parts: int = 1,
        part_index: int = 0,
        round_batch: bool = True,
        data_name: str = "data",
        label_name: str = "softmax_label",
        **kwargs: Any,
    ) -> None:
        refuse(kwargs, "LibSVMIter", {"dtype": None})
        if not round_batch:
            raise MXNetError("sparse batch loader doesn't support round_batch == false yet")
        if len(data_shape) != 1:
            raise MXNetError(
                f"Check failed: param_.data_shape.ndim() == 1 ({len(data_shape)} vs. 1) : "
                "dimension of data_shape is expected to be 1"
            )
        self._rows, labels, self._positions, self._starts, self._file_size = _read_sparse(data_libsvm, data_shape)
        self._label_positions: list[list[int]] = []
        if label_libsvm != "NULL":
            self._labels, first, self._label_positions, _, _ = _read_sparse(label_libsvm, label_shape)
            if any(len(label) != 1 for label in first):
                error = MXNetError(
                    f"each line of the label file {label_libsvm!r} must begin with exactly one number before its "
                    "index:value pairs"
                )
                error.add_note("The iterator ignores this number, but the format requires it.")
                raise error
        elif label_shape != (1,):
            raise MXNetError(f"without label_libsvm, label_shape must be (1,), not {label_shape}")
        elif any(len(label) != 1 for label in labels):
            error = MXNetError(f"each line of {data_libsvm!r} must begin with exactly one label")
            error.add_note("To use several labels for each example, pass a file of labels as label_libsvm.")
            raise error
        else:
            self._labels = numpy.array(labels, numpy.float32)
        if len(self._labels) != len(self._rows):
            data, label = counted(len(self._rows), "row"), len(self._labels)
            raise MXNetError(f"{data_libsvm!r} has {data}, but {label_libsvm!r} has {label}")
        if label_shape == (1,):
            self._labels, label_shape = self._labels[:, 0], ()
        super().__init__(
            len(self._rows), batch_size, data_shape, label_shape, num_parts=num_parts, part_index=part_index,
            round_batch=round_batch, data_name=data_name, label_name=label_name,
        )  # fmt: skip

    def _read(self, number: int) -> tuple[Any, Any]:
        return self._rows[number], self._labels[number]

    def _load(self) -> None:
        super()._load()
        if self._data.ndim == 2:
            self._data = self._matrix(self._data, self._positions)
        if self._label.ndim == 2:  # a file of labels has several labels for each row
            self._label = self._matrix(self._label, self._label_positions)

    def _part(self, count: int, num_parts: int, part_index: int) -> numpy.ndarray:
        step, starts = (
            -(-self._file_size // num_parts),
            numpy.array(self._starts),
        )  # parts have equal numbers of bytes, rounded to whole lines
        after = starts > part_index * step if part_index else starts >= 0
        return numpy.flatnonzero(after & (starts <= (part_index + 1) * step))

    def _matrix(self, values: Any, positions: list[list[int]]) -> Any:
        """Return a batch as a CSR matrix that stores the positions in the file, including explicit zeros."""
        assert self._chosen is not None
        return with_places(values.tostype("csr"), places_of_rows([positions[int(n)] for n in self._chosen]))


class MNISTIter(MXDataIter):
    """An iterator over batches of MNIST's handwritten digits, with values from 0 to 1 (pixels divided by 256).

    A last batch with fewer digits is dropped.

    Parameters
    ----------
    image, label : str
        The files in MNIST's format, optionally compressed (``.gz``).
    batch_size : int
        Number of examples in a batch.
    shuffle : bool
        Whether to read the digits in random order. The order is the same in every epoch.
    flat : bool
        Whether batches have the shape (batch, pixels) instead of (batch, 1, height, width).
    seed : int
        Seed of the random order.
    num_parts, part_index
        See :class:`MXDataIter`.
    data_name, label_name : str
        Names of the inputs.
    **kwargs
        Arguments for MXNet's threads, which are ignored.

    Raises
    ------
    MXNetError
        If a file can't be read, or has an invalid format.
    """

    def __init__(
        self,
        image: str = "./train-images-idx3-ubyte",
        label: str = "./train-labels-idx1-ubyte",
        batch_size: int = 128,
        shuffle: bool = True,
        flat: bool = False,
        seed: int = 0,
        num_parts: int = 1,
        part_index: int = 0,
        data_name: str = "data",
        label_name: str = "softmax_label",
        **kwargs: Any,
    ) -> None:
        kwargs.pop("input_shape", None)  # the files contain the shape
        refuse(kwargs, "MNISTIter", {"dtype": None})
        self._images, self._labels = read_idx(image), read_idx(label)
        if self._images.ndim != 3 or self._labels.shape != self._images.shape[:1]:
            shapes = f"{self._images.shape} and {self._labels.shape}"
            raise MXNetError(
                f"the images in {image!r} and the labels in {label!r} must have the shapes (N, height, width) and "
                f"(N,), not {shapes}"
            )
        if shuffle:
            order = numpy.random.RandomState(seed).permutation(len(self._labels))
            self._images, self._labels = self._images[order], self._labels[order]
        height, width = self._images.shape[1:]
        self._shape = (height * width,) if flat else (1, height, width)
        super().__init__(
            len(self._images), batch_size, self._shape, num_parts=num_parts, part_index=part_index,
            round_batch=False, data_name=data_name, label_name=label_name,
        )  # fmt: skip

    def iter_next(self) -> bool:
        """Move to the next batch, and return whether there is a complete batch.

        Returns
        -------
        bool
            False if fewer digits than the batch size remain.
        """
        return self._position + self.batch_size <= len(self._order) and super().iter_next()

    def _read(self, number: int) -> tuple[Any, Any]:
        return self._images[number].reshape(self._shape) / numpy.float32(256), self._labels[number]
