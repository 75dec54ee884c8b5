"""Data iterators of MXNet's older interface (``mx.io``): batches with names, shapes, and padding."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy

from ..internals.support.display import Shown
from ..internals.support.machine import thread_pool
from ..internals.support.number_arguments import whole_number
from ..internals.support.plural import counted
from ..ndarray import NDArray, array, concat
from ..ndarray.sparse import CSRNDArray
from .utils import getdata_by_idx, has_instance, init_data, is_h5py, slice_along_batch_axis

__all__ = [
    "DataBatch",
    "DataDesc",
    "DataIter",
    "NDArrayIter",
    "PrefetchingIter",
    "ResizeIter",
]


class _Desc(NamedTuple):
    name: str
    shape: tuple[int, ...]


class DataDesc(_Desc):
    """The description of an input: name, shape, element type, and layout. A description unpacks into name and shape.

    Parameters
    ----------
    name : str
        Name of the variable that takes the input.
    shape : tuple of int
        Shape of the input, including the batch axis.
    dtype : str or type
        Element type of the input.
    layout : str
        Layout, with a letter for each axis. ``N`` is the batch axis.
    """

    dtype: Any
    layout: str

    def __new__(cls, name: str, shape: Sequence[int], dtype: Any = numpy.float32, layout: str = "NCHW") -> DataDesc:
        """Create a pair of name and shape that also has an element type and a layout."""
        self = super().__new__(cls, name, tuple(shape))
        self.dtype, self.layout = dtype, layout
        return self

    def __repr__(self) -> str:
        return f"DataDesc[{self.name},{self.shape},{self.dtype},{self.layout}]"

    @staticmethod
    def get_batch_axis(layout: str | None) -> int:
        """Return the index of the batch axis in a layout, or 0 without a layout.

        Parameters
        ----------
        layout : str or None
            The layout, with a letter for each axis.

        Returns
        -------
        int
            Index of the batch axis; -1 if the layout has no ``N``.
        """
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(shapes: Sequence[Any], types: Sequence[Any] | None) -> list[DataDesc]:
        """Create descriptions of inputs from names, shapes, and element types.

        Parameters
        ----------
        shapes : list of (str, tuple of int)
            Names and shapes of the inputs.
        types : list of (str, dtype), optional
            Names and element types. All other inputs are float32.

        Returns
        -------
        list of DataDesc
            The descriptions.
        """
        dtypes = dict(types or ())
        return [DataDesc(name, shape, dtypes.get(name, numpy.float32)) for name, shape in shapes]


class DataBatch(Shown):
    """A batch of examples.

    Parameters
    ----------
    data, label : list of NDArray
        One array for each input, and one for each label.
    pad : int, optional
        Number of padding examples at the end of the batch.
    index : array, optional
        Indices of the examples.
    bucket_key : object, optional
        Key of the batch's bucket, for networks that depend on the length of the sequences.
    provide_data, provide_label : list of DataDesc, optional
        Descriptions of the arrays.

    Raises
    ------
    AssertionError
        If ``data`` or ``label`` is neither a list nor a tuple.
    """

    data: list[Any] | tuple[Any, ...]
    label: list[Any] | tuple[Any, ...] | None
    pad: int | None
    index: Any
    bucket_key: Any
    provide_data: Any
    provide_label: Any

    def __init__(
        self,
        data: Sequence[Any],
        label: Sequence[Any] | None = None,
        pad: int | None = None,
        index: Any = None,
        bucket_key: Any = None,
        provide_data: Any = None,
        provide_label: Any = None,
    ) -> None:
        if data is not None and not isinstance(data, list | tuple):
            raise AssertionError("Data must be list of NDArrays")
        if label is not None and not isinstance(label, list | tuple):
            raise AssertionError("Label must be list of NDArrays")
        self.data, self.label = data, label
        self.pad, self.index, self.bucket_key = pad, index, bucket_key
        self.provide_data, self.provide_label = provide_data, provide_label

    def __str__(self) -> str:
        data = [a.shape for a in self.data]
        label = [a.shape for a in self.label] if self.label else None
        return f"{type(self).__name__}: data shapes: {data} label shapes: {label}"


class DataIter(Shown):
    """The base class of data iterators. A subclass defines ``iter_next`` and the ``get...`` methods.

    Parameters
    ----------
    batch_size : int
        Number of examples in a batch.
    """

    def __init__(self, batch_size: int = 0) -> None:
        self.batch_size = batch_size

    def __iter__(self) -> Iterator[DataBatch]:
        return self

    def __next__(self) -> DataBatch:
        return self.next()

    def reset(self) -> None:
        """Return to the start of the data."""

    def next(self) -> DataBatch:
        """Return the next batch.

        Returns
        -------
        DataBatch
            The batch.

        Raises
        ------
        StopIteration
            At the end of the epoch. :meth:`reset` starts a new epoch.
        """
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())

    def iter_next(self) -> bool:
        """Move to the next batch. Return False at the end of the epoch.

        Returns
        -------
        bool
            Whether there is a next batch.
        """
        return False

    def getdata(self) -> Any:
        """Return the data of the current batch."""
        return None

    def getlabel(self) -> Any:
        """Return the labels of the current batch."""
        return None

    def getindex(self) -> Any:
        """Return the indices of the examples in the current batch."""
        return None

    def getpad(self) -> int | None:
        """Return the number of padding examples in the current batch."""
        return None


#: The values of ``last_batch_handle``.
_LAST_BATCH = ("pad", "discard", "roll_over")


class NDArrayIter(DataIter):
    """An iterator over batches of arrays in memory.

    Parameters
    ----------
    data : array, list of array or dict of str to array
        The inputs, which are sorted by name. An h5py data set stays in its file.
    label : array, list of array or dict of str to array, optional
        The labels.
    batch_size : int
        Number of examples in a batch.
    shuffle : bool
        Whether to use a new random order after each reset. NumPy's generator draws the order, so
        ``numpy.random.seed`` makes the order reproducible.
    last_batch_handle : {"pad", "discard", "roll_over"}
        Treatment of a shorter last batch: ``"pad"`` fills the batch with examples from the start, ``"discard"`` drops
        the batch, and ``"roll_over"`` keeps its examples for the next epoch.
    data_name, label_name : str
        Names of arrays without a name.
    layout : str
        Layout, with a letter for each axis. ``N`` is the batch axis.

    Raises
    ------
    AssertionError
        If there is no data.
    TypeError, ValueError
        If an argument has an invalid type or value, or if an array has fewer rows than the first array.
    NotImplementedError
        If an array is a CSRNDArray and ``last_batch_handle`` is not ``"discard"``.

    Examples
    --------
    >>> iterator = NDArrayIter(numpy.arange(3.0), batch_size=2)
    >>> [(batch.data[0].asnumpy().tolist(), batch.pad) for batch in iterator]
    [([0.0, 1.0], 0), ([2.0, 0.0], 1)]
    """

    shuffle: bool
    last_batch_handle: str
    layout: str

    def __init__(
        self,
        data: Any,
        label: Any = None,
        batch_size: int = 1,
        shuffle: bool = False,
        last_batch_handle: str = "pad",
        data_name: str = "data",
        label_name: str = "softmax_label",
        layout: str = "NCHW",
    ) -> None:
        batch_size = whole_number("batch_size", batch_size)
        super().__init__(batch_size)
        if last_batch_handle not in _LAST_BATCH:
            raise ValueError(f"last_batch_handle must be one of {', '.join(_LAST_BATCH)}, not {last_batch_handle!r}")
        self.data = init_data(data, allow_empty=False, default_name=data_name)
        self.label = init_data(label, allow_empty=True, default_name=label_name)
        sparse = has_instance(self.data, CSRNDArray) or has_instance(self.label, CSRNDArray)
        if last_batch_handle != "discard" and sparse:
            raise NotImplementedError(
                "`NDArrayIter` only supports ``CSRNDArray`` with `last_batch_handle` set to `discard`."
            )
        self.num_data: Any = self.data[0][1].shape[0]
        for name, values in [*self.data, *self.label]:
            if values.shape[0] < self.num_data:
                raise ValueError(
                    f"{name!r} has {counted(values.shape[0], 'row')}, but {self.data[0][0]!r} has {self.num_data}"
                )
        self.idx: Any = numpy.arange(self.num_data)
        self.shuffle, self.last_batch_handle, self.layout = shuffle, last_batch_handle, layout
        self.cursor: int = -batch_size
        self.reset()
        self.data_list: list[Any] = [values for _, values in [*self.data, *self.label]]
        self.num_source: int = len(self.data_list)
        self._cache_data: Any = None
        self._cache_label: Any = None

    @property
    def provide_data(self) -> list[DataDesc]:
        """The names and shapes of the inputs of each batch."""
        return self._describe(self.data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """The names and shapes of the labels of each batch."""
        return self._describe(self.label)

    def _describe(self, named: list[tuple[str, Any]]) -> list[DataDesc]:
        return [DataDesc(name, self._shape_of_batch(v.shape), v.dtype, self.layout) for name, v in named]

    def _shape_of_batch(self, shape: Sequence[int]) -> tuple[int, ...]:
        axis = self.layout.find("N")
        return (*shape[:axis], self.batch_size, *shape[axis + 1 :])

    def hard_reset(self) -> None:
        """Return to the start of the data, and drop examples that were kept for the next epoch.

        If ``shuffle`` is True, the data has a new order.
        """
        if self.shuffle:
            self._shuffle_data()
        self.cursor = -self.batch_size
        self._cache_data = self._cache_label = None

    def reset(self) -> None:
        """Return to the start of the data, with a new order if ``shuffle`` is True."""
        if self.shuffle:
            self._shuffle_data()
        left_over = self.num_data - self.batch_size < self.cursor < self.num_data
        if self.last_batch_handle == "roll_over" and left_over:
            self.cursor = self.cursor - self.num_data - self.batch_size
        else:
            self.cursor = -self.batch_size

    def _shuffle_data(self) -> None:
        """Shuffle all arrays with NumPy's generator, as MXNet does."""
        numpy.random.shuffle(self.idx)
        self.data = getdata_by_idx(self.data, self.idx)
        self.label = getdata_by_idx(self.label, self.idx)

    def iter_next(self) -> bool:
        """Move to the next batch, and return whether it contains at least one example.

        Returns
        -------
        bool
            False at the end of the epoch.
        """
        self.cursor += self.batch_size
        return self.cursor < self.num_data

    def next(self) -> DataBatch:
        """Return the next batch.

        With ``"roll_over"``, an incomplete last batch is kept for the next epoch instead.

        Returns
        -------
        DataBatch
            The batch.

        Raises
        ------
        StopIteration
            At the end of the epoch.
        """
        if not self.iter_next():
            raise StopIteration
        data, label = self.getdata(), self.getlabel()
        if data[0].shape[self.layout.find("N")] != self.batch_size:
            self._cache_data, self._cache_label = data, label
            raise StopIteration
        return DataBatch(data=data, label=label, pad=self.getpad(), index=None)

    def _getdata(self, data_source: list[tuple[str, Any]], start: int | None = None, end: int | None = None) -> Any:
        """Return a slice of all arrays. The rows of an h5py data set are in the order of the current epoch."""
        if start is None and end is None:
            raise AssertionError("should at least specify start or end")
        part = slice(start or 0, self.num_data if end is None else end)
        return [
            self._from_file(values, part) if is_h5py(values) else self._slice(values, part) for _, values in data_source
        ]

    def _slice(self, values: Any, part: slice) -> Any:
        return slice_along_batch_axis(values, part, self.layout.find("N"))

    def _from_file(self, values: Any, part: slice) -> NDArray:
        """Return rows of an h5py data set, which reads indices in increasing order only."""
        rows, places = numpy.unique(self.idx[part], return_inverse=True)
        return array(values[rows.tolist()][places])

    def _concat(self, first_data: list[Any], second_data: list[Any]) -> list[Any]:
        if not first_data or not second_data:
            return first_data or second_data
        axis = self.layout.find("N")
        return [concat(first, second, dim=axis) for first, second in zip(first_data, second_data, strict=True)]

    def _batchify(self, data_source: list[tuple[str, Any]], cached: list[Any] | None) -> list[Any]:
        """Return the current batch of all arrays, with the examples kept from the previous epoch first."""
        if self.cursor >= self.num_data:
            raise AssertionError("DataIter needs reset.")
        if self.cursor <= -self.batch_size:
            raise AssertionError("there is no batch: call iter_next() or next() first")
        end = self.cursor + self.batch_size
        if self.cursor < 0:
            if cached is None:
                raise AssertionError("next epoch should have cached data")
            return self._concat(cached, self._getdata(data_source, end=end))
        if self.last_batch_handle != "pad" or end <= self.num_data:
            return self._getdata(data_source, self.cursor, min(end, self.num_data))
        parts = self._getdata(data_source, start=self.cursor)
        missing = end - self.num_data
        while missing > 0:
            parts = self._concat(parts, self._getdata(data_source, end=min(missing, self.num_data)))
            missing -= self.num_data
        return parts

    def getdata(self) -> list[Any]:
        """Return the inputs of the current batch."""
        return self._batchify(self.data, self._cache_data)

    def getlabel(self) -> list[Any]:
        """Return the labels of the current batch."""
        return self._batchify(self.label, self._cache_label)

    def getpad(self) -> int:
        """Return the number of padding examples in the current batch.

        With ``"roll_over"``, return the number of examples from the previous epoch.
        """
        if self.last_batch_handle == "roll_over" and -self.batch_size < self.cursor < 0:
            return -self.cursor
        return max(0, self.cursor + self.batch_size - self.num_data) if self.last_batch_handle == "pad" else 0


class ResizeIter(DataIter):
    """An iterator with a fixed number of batches in each epoch, which restarts another iterator if necessary.

    Parameters
    ----------
    data_iter : DataIter
        Source of the batches.
    size : int
        Number of batches in an epoch.
    reset_internal : bool
        Whether a reset also resets ``data_iter``.
    """

    data_iter: DataIter
    size: int
    reset_internal: bool

    def __init__(self, data_iter: DataIter, size: int, reset_internal: bool = True) -> None:
        super().__init__(data_iter.batch_size)
        self.data_iter, self.size, self.reset_internal = data_iter, whole_number("size", size, least=0), reset_internal
        self.cur: int = 0
        self.current_batch: DataBatch | None = None

    @property
    def provide_data(self) -> Any:
        """The names and shapes of the inputs of each batch."""
        return self.data_iter.provide_data  # type: ignore[attr-defined]

    @property
    def provide_label(self) -> Any:
        """The names and shapes of the labels of each batch."""
        return self.data_iter.provide_label  # type: ignore[attr-defined]

    def reset(self) -> None:
        """Start a new epoch."""
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

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
        if self.cur == self.size:
            raise StopIteration
        self.cur += 1
        try:
            self.current_batch = self.data_iter.next()
        except StopIteration:
            self.data_iter.reset()
            self.current_batch = self.data_iter.next()
        return self.current_batch


def _next_or_none(iterator: DataIter) -> DataBatch | None:
    try:
        return iterator.next()
    except StopIteration:
        return None


class PrefetchingIter(DataIter):
    """An iterator that prefetches the batches of other iterators in threads, and combines one batch of each iterator.

    Parameters
    ----------
    iters : DataIter or list of DataIter
        Source of the batches.
    rename_data, rename_label : list of dict of str to str, optional
        For each iterator, new names of its inputs and labels.

    Raises
    ------
    AssertionError
        If ``iters`` is empty.

    Examples
    --------
    >>> first, second = NDArrayIter(numpy.arange(4.0), batch_size=2), NDArrayIter(numpy.ones(4), batch_size=2)
    >>> both = PrefetchingIter([first, second], rename_data=[{"data": "a"}, {"data": "b"}])
    >>> [desc.name for desc in both.provide_data], [[a.asnumpy().tolist() for a in batch.data] for batch in both]
    (['a', 'b'], [[[0.0, 1.0], [1.0, 1.0]], [[2.0, 3.0], [1.0, 1.0]]])
    """

    rename_data: Sequence[Mapping[str, str]] | None
    rename_label: Sequence[Mapping[str, str]] | None

    def __init__(
        self,
        iters: Any,
        rename_data: Sequence[Mapping[str, str]] | None = None,
        rename_label: Sequence[Mapping[str, str]] | None = None,
    ) -> None:
        super().__init__()
        self.iters: list[Any] = iters if isinstance(iters, list) else [iters]
        if not self.iters:
            raise AssertionError("PrefetchingIter needs at least one iterator, but `iters` is empty")
        self.n_iter: int = len(self.iters)
        self.rename_data, self.rename_label = rename_data, rename_label
        self.batch_size: int = self.provide_data[0].shape[0]
        self.current_batch: DataBatch | None = None
        self._pool = thread_pool(
            self.n_iter, "PrefetchingIter", "Use the iterator itself, which returns the same batches."
        )
        self._coming: list[Future[DataBatch | None]] = []
        self._prefetch()

    def _prefetch(self) -> None:
        self._coming = [self._pool.submit(_next_or_none, iterator) for iterator in self.iters]

    def __del__(self) -> None:
        if hasattr(self, "_pool"):
            self._pool.shutdown(wait=False, cancel_futures=True)

    @staticmethod
    def _renamed(described: Sequence[Sequence[Any]], names: Sequence[Mapping[str, str]] | None) -> list[DataDesc]:
        found = []
        for i, of_one in enumerate(described):
            for desc in of_one:
                desc = desc if isinstance(desc, DataDesc) else DataDesc(*desc)
                name = desc.name if names is None else names[i].get(desc.name, desc.name)
                found.append(DataDesc(name, desc.shape, desc.dtype, desc.layout))
        return found

    @property
    def provide_data(self) -> list[DataDesc]:
        """The names and shapes of the inputs of each batch."""
        return self._renamed([iterator.provide_data for iterator in self.iters], self.rename_data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """The names and shapes of the labels of each batch."""
        return self._renamed([iterator.provide_label for iterator in self.iters], self.rename_label)

    def reset(self) -> None:
        """Restart all iterators, and drop prefetched batches."""
        for coming in self._coming:
            coming.exception()  # waits for the threads
        for iterator in self.iters:
            iterator.reset()
        self._prefetch()

    def iter_next(self) -> bool:
        """Move to the next batch, and return whether there is a next batch.

        Returns
        -------
        bool
            False at the end of the epoch.

        Raises
        ------
        AssertionError
            If the iterators do not end at the same time.
        Exception
            Any error of an iterator.
        """
        batches = [coming.result() for coming in self._coming]
        there = [batch for batch in batches if batch is not None]
        if not there:
            return False
        if len(there) < len(batches) or any(batch.pad != there[0].pad for batch in there):
            raise AssertionError("Number of entry mismatches between iterators")
        self.current_batch = DataBatch(
            [array_ for batch in there for array_ in batch.data],
            [array_ for batch in there for array_ in batch.label or ()],
            there[0].pad,
            there[0].index,
            provide_data=self.provide_data,
            provide_label=self.provide_label,
        )
        self._prefetch()
        return True

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
        if not self.iter_next():
            raise StopIteration
        return self._batch()

    def _batch(self) -> DataBatch:
        if self.current_batch is None:
            raise AssertionError("there is no batch: call iter_next() or next() first")
        return self.current_batch

    def getdata(self) -> Any:
        """Return the inputs of the current batch."""
        return self._batch().data

    def getlabel(self) -> Any:
        """Return the labels of the current batch."""
        return self._batch().label

    def getindex(self) -> Any:
        """Return the indices of the examples in the current batch."""
        return self._batch().index

    def getpad(self) -> int | None:
        """Return the number of padding examples in the current batch."""
        return self._batch().pad


# Programs that define their own iterators import these names from this module.
_init_data, _has_instance, _getdata_by_idx = init_data, has_instance, getdata_by_idx


def __getattr__(name: str) -> Any:
    # In MXNet, this module also has the iterators over files, which are imported on first use.
    package = importlib.import_module(__name__.rpartition(".")[0])
    if name in package.ITERATORS_OVER_FILES:
        return getattr(package, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
