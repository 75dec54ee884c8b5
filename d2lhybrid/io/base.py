"""The base class of iterators over files: the order of the examples, and the handling of a partial batch."""

from __future__ import annotations

import functools
import inspect
import logging
import os
from collections.abc import Callable
from typing import Any

import numpy

from ..error import MXNetError
from ..internals.core.attributes import REQUIRED, make_attribute, shorten
from ..internals.support.mxnet_compatibility import OldPrograms
from ..ndarray import array
from ..util import warn_user
from .io import DataBatch, DataDesc, DataIter

__all__ = ["MXDataIter"]

#: Arguments that MXNet needs for its threads. This package ignores them.
_WITHOUT_MEANING = {
    "ctx", "device_id", "prefetch_buffer", "preprocess_threads", "seed_aug", "shuffle_chunk_seed",
    "shuffle_chunk_size", "silent", "verbose",
}  # fmt: skip


_KINDS = {"int": "int", "float": "float", "bool": "bool", "str": "str", "float | None": "float | None"}
_SHAPES = ("data_shape", "label_shape")


def _reading(init: Callable[..., None]) -> Callable[..., None]:
    """Return a constructor that parses its arguments as MXNet does: numbers and shapes may be strings."""
    signature = inspect.signature(init)
    known = {
        name: make_attribute(name, "Shape" if name in _SHAPES else _KINDS[parameter.annotation], parameter.default)
        for name, parameter in signature.parameters.items()
        if name in _SHAPES or parameter.annotation in _KINDS
    }

    @functools.wraps(init)
    def read_and_init(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            given = signature.bind_partial(self, *args, **kwargs)
        except TypeError:  # raises Python's error, which is clearer than MXNet's
            return init(self, *args, **kwargs)
        for name, attribute in known.items():
            if name not in given.arguments:
                if attribute.default in (REQUIRED, inspect.Parameter.empty):
                    what = "int (non-negative)" if name == "batch_size" else attribute.what
                    raise MXNetError(f"Required parameter {name} of {what} is not presented, in {type(self).__name__}")
                continue
            value = given.arguments[name]
            try:
                read = attribute.parse(value)
                if name in _SHAPES and any(size is None or size < 0 for size in read):
                    raise ValueError
            except (ValueError, TypeError, OverflowError):
                what = f"Invalid Parameter format for {name} expect {attribute.what} but value='{shorten(value)}'"
                raise MXNetError(f"{what}, in {type(self).__name__}") from None
            given.arguments[name] = read
        return init(*given.args, **given.kwargs)

    return read_and_init


class MXDataIter(DataIter):
    """The base class of iterators over files. A subclass reads examples by their index.

    Parameters
    ----------
    count : int
        The number of examples.
    batch_size : int
        Number of examples in a batch.
    data_shape, label_shape : tuple of int
        Shape of an example, and of its label.
    dtype : str
        Element type of the data.
    label_dtype : str
        Element type of the labels.
    shuffle : bool
        Whether to use a new random order in every epoch.
    seed : int
        Seed of the random order.
    round_batch : bool
        Whether to fill the last batch with examples from the start, which the next epoch then skips. If False, the
        padding consists of zeros or, in a ``CSVIter``, of the last rows of the previous batch.
    num_parts, part_index : int
        Number of equal parts of the file, and the index of the part to read.
    data_name, label_name : str
        Names of the data and of the label.

    Raises
    ------
    MXNetError
        If an argument is out of range, or if the part contains too few examples.
    """

    round_batch: bool
    #: Whether a partial batch keeps the last rows of the previous batch, with ``round_batch=False``.
    _keeps_rows = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__init__" in cls.__dict__:
            cls.__init__ = _reading(cls.__init__)  # type: ignore[method-assign]

    def __init__(
        self,
        count: int,
        batch_size: int,
        data_shape: tuple[int, ...],
        label_shape: tuple[int, ...] = (),
        dtype: Any = "float32",
        label_dtype: Any = "float32",
        shuffle: bool = False,
        seed: int = 0,
        round_batch: bool = True,
        num_parts: int = 1,
        part_index: int = 0,
        data_name: str = "data",
        label_name: str = "softmax_label",
    ) -> None:
        super().__init__(batch_size)
        if batch_size < 1:
            raise MXNetError(f"value {batch_size} for Parameter batch_size should be greater equal to 1")
        if num_parts < 1:
            raise MXNetError(f"value {num_parts} for Parameter num_parts should be greater equal to 1")
        if not 0 <= part_index < num_parts:
            raise MXNetError(f"part_index must be at least 0 and less than {num_parts} (num_parts), not {part_index}")
        self._examples = self._part(count, num_parts, part_index)
        if not len(self._examples):
            part = f"the part with part_index={part_index} and num_parts={num_parts}" if num_parts > 1 else "the data"
            raise MXNetError(f"{part} contains no examples")
        if round_batch and batch_size > 2 * len(self._examples):
            raise MXNetError("Check failed: base_->Next(): number of input must be bigger than batch size")
        self.round_batch, self._shuffle = round_batch, shuffle
        self._random = numpy.random.RandomState(seed % 2**32)
        self.provide_data: list[DataDesc] = [DataDesc(data_name, (batch_size, *data_shape), numpy.dtype(dtype).type)]
        self.provide_label: list[DataDesc] = [
            DataDesc(label_name, (batch_size, *label_shape), numpy.dtype(label_dtype).type)
        ]
        self._position = self._overflow = 0
        self._chosen: numpy.ndarray | None = None
        self._skips_loading = False
        self._has_loaded = False  # examples of the current epoch
        self._start_epoch()

    def _part(self, count: int, num_parts: int, part_index: int) -> numpy.ndarray:
        """Return the indices of the examples in one of several parts. Each example is in at least one part."""
        return numpy.arange(count * part_index // num_parts, count * (part_index + 1) // num_parts)

    def debug_skip_load(self) -> None:
        """Make :meth:`next` return the same batch in every call, so that you can time a net without reading data."""
        self._skips_loading = True
        logging.info("Set debug_skip_load to be true, will simply return first batch")

    def _start_epoch(self) -> None:
        self._order = self._random.permutation(self._examples) if self._shuffle else self._examples

    def _read(self, number: int) -> tuple[Any, Any]:
        """Return an example and its label."""
        raise NotImplementedError

    def reset(self) -> None:
        """Start a new epoch. If the first examples padded the last batch, the epoch starts after these examples."""
        self._position, self._overflow = self._overflow, 0
        self._has_loaded = False
        if not self._position:
            self._start_epoch()

    def iter_next(self) -> bool:
        """Move to the next batch. Return False at the end of the epoch.

        Returns
        -------
        bool
            Whether there is a next batch.
        """
        left = len(self._order) - self._position
        if left <= 0:
            return False
        before = self._chosen
        self._chosen = self._order[self._position : self._position + self.batch_size]
        self._pad = self.batch_size - len(self._chosen)
        if self._pad and self._keeps_rows and not self.round_batch and before is not None and self._position:
            self._chosen = numpy.concatenate([self._chosen, before[len(self._chosen) :]])
        self._position += self.batch_size
        if self._pad and self.round_batch:
            self._start_epoch()
            self._chosen = numpy.concatenate([self._chosen, numpy.resize(self._order, self._pad)])
            self._overflow = self._pad % len(self._order)
            self._position = len(self._order)
        self._load()
        return True

    def _load(self) -> None:
        assert self._chosen is not None
        (_, shape), (_, label_shape) = self.provide_data[0], self.provide_label[0]
        data = numpy.zeros(shape, self.provide_data[0].dtype)
        label = numpy.zeros(label_shape, self.provide_label[0].dtype)
        for i, number in enumerate(self._chosen):
            data[i], label[i] = self._read(int(number))
        self._data, self._label = array(data, dtype=data.dtype), array(label, dtype=label.dtype)

    def _current(self, what: str) -> Any:
        if self._chosen is None:
            raise AssertionError("there is no batch: call iter_next() or next() first")
        return getattr(self, what)

    def next(self) -> DataBatch:
        """Return the next batch.

        Returns
        -------
        DataBatch
            The batch.

        Raises
        ------
        StopIteration
            At the end of the epoch.
        """
        if not (self._skips_loading and self._has_loaded) and not self.iter_next():
            raise StopIteration
        self._has_loaded = True
        return DataBatch([self.getdata()], [self.getlabel()], self.getpad(), self.getindex())

    def getdata(self) -> Any:
        """Return the data of the current batch."""
        return self._current("_data")

    def getlabel(self) -> Any:
        """Return the labels of the current batch."""
        return self._current("_label")

    def getindex(self) -> Any:
        """Return the indices of the examples in the current batch."""
        return self._current("_chosen")

    def getpad(self) -> int:
        """Return the number of padding examples in the current batch."""
        return self._current("_pad")


def part_of_records(starts: list[int], size: int, index: str, num_parts: int, part_index: int) -> numpy.ndarray:
    """Return the indices of the records in one of several parts of a file.

    Parameters
    ----------
    starts : list of int
        Byte offsets of the records.
    size : int
        Size of the file in bytes. Without an index, all parts have equal numbers of bytes, rounded to multiples of 4.
    index : str
        Name of the index file. With an index, all parts have equal numbers of records.
    num_parts, part_index : int
        Number of parts, and the index of the part to return.

    Returns
    -------
    numpy.ndarray
        Indices of the records.

    Raises
    ------
    MXNetError
        If the index does not exist.
    """
    numbers = numpy.arange(len(starts))
    if num_parts == 1:
        return numbers
    if index:
        if not os.path.isfile(index):
            raise MXNetError(f'Check failed: Open "{index}": No such file or directory')
        step = -(-len(starts) // num_parts)
        return numbers[part_index * step : (part_index + 1) * step]
    step = (-(-size // num_parts) + 3) // 4 * 4
    places = numpy.array(starts)
    return numbers[(part_index * step <= places) & (places < (part_index + 1) * step)]


def refuse(kwargs: dict[str, Any], name: str, without_effect: dict[str, Any] | None = None) -> None:
    """Raise an error for keyword arguments that an iterator does not support.

    After :func:`~d2lhybrid.as_mxnet`, an argument that MXNet also lacks only causes a warning. MXNet ignores such
    arguments, and its own examples pass ``data_shape`` to ``MNISTIter``.

    Parameters
    ----------
    kwargs : dict
        Remaining keyword arguments. Arguments that only configure MXNet's threads are ignored.
    name : str
        Name of the iterator.
    without_effect : dict, optional
        MXNet's arguments that this package doesn't implement, each with the value that has no effect.

    Raises
    ------
    MXNetError
        If an argument remains that would have an effect.
    """
    known = without_effect or {}
    left = {
        key: value
        for key, value in kwargs.items()
        if key not in _WITHOUT_MEANING and not (key in known and value == known[key])
    }
    unknown = sorted(key for key in left if key not in known)
    if unknown and len(unknown) == len(left) and OldPrograms.served:
        warn_user(f"{name} ignores the unknown {_arguments(unknown)}, as MXNet does.")
    elif unknown:
        raise MXNetError(f"{name} has no {_arguments(unknown)}")
    elif left:
        key = min(left)
        raise MXNetError(f"{name} supports only {key}={known[key]!r}, not {key}={left[key]!r}")


def _arguments(names: list[str]) -> str:
    return f"argument{'s' * (len(names) > 1)} {', '.join(names)}"
