"""Data sets: objects with a length and indexed items."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy

from ...internals.core.invoke import wrap
from ...internals.device import array_modules
from ...internals.support.display import Property, Shown
from ...internals.support.locks import new_lock
from ...internals.support.notes import with_note
from ...ndarray import NDArray
from ...recordio import MXIndexedRecordIO
from . import sampler as _sampler
from .batchify import default_batchify_fn, new_array

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # with a default, so that Dataset needs no type argument

    Item = TypeVar("Item", default=Any)
    Other = TypeVar("Other")
else:
    Item = TypeVar("Item")

__all__ = ["ArrayDataset", "Dataset", "RecordFileDataset", "SimpleDataset"]


class Dataset(Shown, Generic[Item]):
    """The base class of all data sets. A subclass defines ``__getitem__`` and ``__len__``.

    Examples
    --------
    >>> squares = SimpleDataset(range(10)).transform(lambda x: x * x)
    >>> squares[3], len(squares)
    (9, 10)
    """

    def __getitem__(self, idx: Any) -> Item:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def _take_batch(self, indices: list[int]) -> Any:
        """Return the batch that :func:`default_batchify_fn` makes of the items with these indices, or None.

        A data loader calls this method first, because indexing a whole array once is much faster than indexing each
        item. None makes the loader fetch each item.
        """
        return None

    def _axes_of_batches(self) -> int | None:
        """Return the number of axes of the first array of a batch, or None if :meth:`_take_batch` returns None.

        This method makes no batch and calls no user function. If the result is a number, making batches is so fast that
        processes would make the loader slower.
        """
        return None

    def filter(self, fn: Callable[[Any], Any]) -> Dataset[Item]:
        """Return a data set of the items for which a condition is true.

        This method evaluates the condition for all items immediately.

        Parameters
        ----------
        fn : callable
            The condition, which is called with each item.

        Returns
        -------
        Dataset
            The selected items.
        """
        return _SampledDataset(self, _sampler.FilterSampler(fn, self))

    def shard(self, num_shards: int, index: int) -> Dataset[Item]:
        """Return one of several shards of the data set.

        If the length is not divisible by ``num_shards``, the first shards have one more item.

        Parameters
        ----------
        num_shards : int
            Number of shards.
        index : int
            Index of the shard, from 0.

        Returns
        -------
        Dataset
            The items of the shard.

        Raises
        ------
        AssertionError
            If the index is out of range.
        """
        if not 0 <= index < num_shards:
            error = AssertionError(f"Shard index of out bound: {index} out of {num_shards}")
            raise with_note(error, "index must be at least 0 and less than num_shards.")
        length, longer = divmod(len(self), num_shards)
        start = length * index + min(index, longer)
        return _SampledDataset(self, _sampler.SequentialSampler(length + (index < longer), start))

    def take(self, count: int | None) -> Dataset[Item]:
        """Return a data set of the first ``count`` items.

        Parameters
        ----------
        count : int or None
            Number of items. None selects all items.

        Returns
        -------
        Dataset
            The data set.
        """
        length = len(self)
        return _SampledDataset(self, _sampler.SequentialSampler(length if count is None else min(count, length)))

    def sample(self, sampler: _sampler.Sampler) -> Dataset[Item]:
        """Return a data set of the items that a sampler selects, in the sampler's order.

        Parameters
        ----------
        sampler : Sampler
            Sampler of the items' indices.

        Returns
        -------
        Dataset
            The data set.

        Raises
        ------
        TypeError
            If ``sampler`` is not a Sampler.
        """
        if not isinstance(sampler, _sampler.Sampler):
            raise TypeError(f"Invalid sampler type: {type(sampler)}. Expected gluon.data.Sampler instead.")
        return _SampledDataset(self, sampler)

    def transform(self, fn: Callable[..., Other], lazy: bool = True) -> Dataset[Other]:
        """Return a data set whose items are the results of a function.

        Parameters
        ----------
        fn : callable
            A function of an item. If an item is a tuple, the function receives its elements as separate arguments.
        lazy : bool
            Whether to call ``fn`` at each access to an item, as random transforms require. If False, this method calls
            ``fn`` once for each item.

        Returns
        -------
        Dataset
            The transformed items.
        """
        transformed = _LazyTransformDataset(self, fn)
        return transformed if lazy else SimpleDataset([transformed[i] for i in range(len(self))])

    if TYPE_CHECKING:

        @overload
        def transform_first(
            self: Dataset[tuple[Any, ...]], fn: Callable[[Any], Any], lazy: bool = True
        ) -> Dataset[tuple[Any, ...]]: ...
        @overload
        def transform_first(self, fn: Callable[[Any], Any], lazy: bool = True) -> Dataset[Any]: ...

    def transform_first(self, fn: Callable[[Any], Any], lazy: bool = True) -> Dataset[Any]:
        """Return a data set with a function applied to the first element of each item (the image, not the label).

        Parameters
        ----------
        fn : callable
            A function of the first element.
        lazy : bool
            Whether to call ``fn`` at each access to an item. If False, this method calls ``fn`` once for each item.

        Returns
        -------
        Dataset
            The transformed items.
        """
        return self.transform(_TransformFirstClosure(fn), lazy)


class SimpleDataset(Dataset[Item]):
    """A data set whose items are those of a list or of another sequence.

    Parameters
    ----------
    data : sequence
        The items.
    """

    def __init__(self, data: Sequence[Item]) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, idx: Any) -> Item:
        return self._data[idx]


class _LazyTransformDataset(Dataset[Item]):
    """A data set whose items pass through a function."""

    def __init__(self, data: Dataset[Any], fn: Callable[..., Item]) -> None:
        self._data, self._fn = data, fn

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, idx: Any) -> Item:
        item = self._data[idx]
        return self._fn(*item) if isinstance(item, tuple) else self._fn(item)

    def _take_batch(self, indices: list[int]) -> Any:
        from .vision.transforms import works_on_batches  # needs gluon.Block, which comes later

        first_only = isinstance(self._fn, _TransformFirstClosure)
        fn: Any = self._fn._fn if isinstance(self._fn, _TransformFirstClosure) else self._fn
        batch = self._data._take_batch(indices) if works_on_batches(fn) else None
        images = batch[0] if isinstance(batch, list) else batch
        if not isinstance(images, NDArray) or images.ndim != 4:  # (batch, height, width, channels)
            return None
        if not isinstance(batch, list):
            return fn(images)
        return [fn(images), *batch[1:]] if first_only else None

    def _axes_of_batches(self) -> int | None:
        from .vision.transforms import works_on_batches

        axes = self._data._axes_of_batches()
        fn = self._fn._fn if isinstance(self._fn, _TransformFirstClosure) else self._fn
        return axes if axes == 4 and works_on_batches(fn) else None


class _TransformFirstClosure:
    """A function of the first element of an item. It is a class, so that it can be pickled."""

    def __init__(self, fn: Callable[[Any], Any]) -> None:
        self._fn = fn

    def __call__(self, x: Any, *args: Any) -> Any:
        return (self._fn(x), *args) if args else self._fn(x)


class _SampledDataset(Dataset[Item]):
    """The items that a sampler selects."""

    def __init__(self, dataset: Dataset[Item], sampler: _sampler.Sampler) -> None:
        self._dataset = dataset
        self._indices = list(sampler)

    def __len__(self) -> int:
        return len(self._indices)

    def __getitem__(self, idx: int) -> Item:
        return self._dataset[self._indices[idx]]

    def _take_batch(self, indices: list[int]) -> Any:
        return self._dataset._take_batch([self._indices[i] for i in indices])

    def _axes_of_batches(self) -> int | None:
        return self._dataset._axes_of_batches()


class _DownloadedDataset(Dataset[Item]):
    """The base class of data sets in files. The method ``_get_data`` reads the files into ``_data`` and ``_label``."""

    def __init__(self, root: str, transform: Callable[..., Any] | None) -> None:
        super().__init__()
        self._transform = transform
        self._data: Any = None
        self._label: Any = None
        self._root = os.path.expanduser(root)
        os.makedirs(self._root, exist_ok=True)
        self._get_data()

    def __getitem__(self, idx: Any) -> Any:
        item = self._data[idx], self._label[idx]
        return item if self._transform is None else self._transform(*item)

    def __len__(self) -> int:
        return len(self._label)

    def _get_data(self) -> None:
        raise NotImplementedError


def is_plain(data: Any) -> bool:
    """Return whether an object is an array, list, tuple, or range, whose items are accessed without user code.

    Parameters
    ----------
    data : object
        The object.

    Returns
    -------
    bool
        Whether the object has one of these types.
    """
    return isinstance(data, NDArray) or type(data) in (list, tuple, range, numpy.ndarray)


class ArrayDataset(Dataset[Item]):
    """A data set of tuples, made from several arrays, lists, or data sets of equal length.

    Each tuple contains one element from each argument.

    Parameters
    ----------
    *args : sequence
        The arrays, lists, or data sets. If there is only one argument, its elements are the items of the data set.

    Raises
    ------
    AssertionError
        If the lengths differ, or if there is no argument.

    Examples
    --------
    >>> ArrayDataset([10, 20, 30], ["a", "b", "c"])[1]
    (20, 'b')
    """

    if TYPE_CHECKING:

        @overload
        def __init__(self: ArrayDataset[tuple[Any, ...]], first: Any, second: Any, /, *args: Any) -> None: ...
        @overload
        def __init__(self: ArrayDataset[Any], *args: Any) -> None: ...

    def __init__(self, *args: Any) -> None:
        if not args:
            raise AssertionError("Needs at least 1 arrays")
        self._length = len(args[0])
        self._data: list[Any] = []
        for i, data in enumerate(args):
            if len(data) != self._length:
                raise AssertionError(
                    "All arrays must have the same length; "
                    f"array[0] has length {self._length} while array[{i + 1}] has {len(data)}."
                )
            if isinstance(data, NDArray) and len(data.shape) == 1:
                data = data.asnumpy()  # items are NumPy numbers, as labels should be
            self._data.append(data)

    def _shown(self) -> Iterator[Property]:
        yield Property("length", self._length)
        yield Property("arrays", tuple(self._data))

    def __getitem__(self, idx: Any) -> Item:
        if len(self._data) == 1:
            return self._data[0][idx]
        return tuple([data[idx] for data in self._data])  # type: ignore[return-value]

    def _take_batch(self, indices: list[int]) -> Any:
        if type(self).__getitem__ is not ArrayDataset.__getitem__:
            return None
        parts = []
        for data in self._data:
            if isinstance(data, NDArray):
                array_modules.use(data._ctx)
                parts.append(wrap(type(data), data._data[indices], data._ctx))
            elif type(data) is numpy.ndarray:
                parts.append(new_array(data[indices]))
            else:
                parts.append(default_batchify_fn([data[i] for i in indices]))
        return parts[0] if len(parts) == 1 else parts

    def _axes_of_batches(self) -> int | None:
        if type(self).__getitem__ is not ArrayDataset.__getitem__ or not all(map(is_plain, self._data)):
            return None
        first = self._data[0]
        if isinstance(first, NDArray | numpy.ndarray):
            return first.ndim
        item = first[0] if len(first) else None
        return 1 + (item.ndim if isinstance(item, NDArray | numpy.ndarray) else 0)

    def __len__(self) -> int:
        return self._length


class RecordFileDataset(Dataset):
    """A data set whose items are the records of a file, as bytes.

    Parameters
    ----------
    filename : str
        The record file. The index file is in the same folder, and has the same name with the suffix ``.idx``.

    Raises
    ------
    MXNetError
        If the record file or the index file cannot be read.
    """

    idx_file: str
    filename: str

    def __init__(self, filename: str) -> None:
        filename = os.fspath(filename)
        self.idx_file, self.filename = os.path.splitext(filename)[0] + ".idx", filename
        self._record = MXIndexedRecordIO(self.idx_file, self.filename, "r")
        self._lock = new_lock()  # a loader's workers share the reader

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the lock, which cannot be pickled."""
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state, with a new lock."""
        self.__dict__.update(state, _lock=new_lock())

    def __getitem__(self, idx: int) -> Any:
        with self._lock:
            return self._record.read_idx(self._record.keys[idx])

    def __len__(self) -> int:
        return len(self._record.keys)
