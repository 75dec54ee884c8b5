"""Data iterators of MXNet's older interface (``mx.io``): batches with names, shapes and padding."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy

from ..context import cpu
from ..device import backend
from ..ndarray import NDArray, array
from ..ndarray.sparse import CSRNDArray, is_scipy_csr
from ..support.machine import thread_pool
from ..support.numbers_given import whole_number

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
    """Name, shape, element type and layout of an input; unpacks into name and shape.

    Parameters
    ----------
    name : str
        Name of the variable that takes it.
    shape : tuple of int
        Its shape, batch included.
    dtype : str or type
        Its element type.
    layout : str
        What the axes are; ``N`` is the batch.
    """

    dtype: Any
    layout: str

    def __new__(cls, name: str, shape: Sequence[int], dtype: Any = numpy.float32, layout: str = "NCHW") -> DataDesc:
        """Make a pair that carries an element type and a layout."""
        self = super().__new__(cls, name, tuple(shape))
        self.dtype, self.layout = dtype, layout
        return self

    def __repr__(self) -> str:
        return f"DataDesc[{self.name},{self.shape},{self.dtype},{self.layout}]"

    @staticmethod
    def get_batch_axis(layout: str | None) -> int:
        """Return which axis of a layout is the batch."""
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(shapes: Sequence[Any], types: Sequence[Any] | None) -> list[DataDesc]:
        """Make descriptions of lists of (name, shape) and of (name, dtype)."""
        dtypes = dict(types or ())
        return [DataDesc(name, shape, dtypes.get(name, numpy.float32)) for name, shape in shapes]


class DataBatch:
    """A batch.

    Parameters
    ----------
    data, label : list of NDArray
        One array for each input.
    pad : int, optional
        How many examples at the end are only there to fill the batch.
    index : array, optional
        Numbers of the examples.
    bucket_key : any, optional
        For networks that change with the length of sequences.
    provide_data, provide_label : list of DataDesc, optional
        What the arrays are.
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


class DataIter:
    """Base of data iterators: a subclass defines ``iter_next`` and the ``get...`` methods.

    Parameters
    ----------
    batch_size : int
        Examples in a batch.
    """

    def __init__(self, batch_size: int = 0) -> None:
        self.batch_size = batch_size

    def __iter__(self) -> Iterator[DataBatch]:
        return self

    def __next__(self) -> DataBatch:
        return self.next()

    def reset(self) -> None:
        """Go back to the start."""

    def next(self) -> DataBatch:
        """Return the next batch.

        Raises
        ------
        StopIteration
            At the end; :meth:`reset` starts again.
        """
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())

    def iter_next(self) -> bool:
        """Go to the next batch; return whether there is one."""
        return False

    def getdata(self) -> Any:
        """Return the data of this batch."""
        return None

    def getlabel(self) -> Any:
        """Return the labels of this batch."""
        return None

    def getindex(self) -> Any:
        """Return the numbers of the examples of this batch."""
        return None

    def getpad(self) -> int | None:
        """Return how many examples of this batch only fill it."""
        return None


def _named(data: Any, default_name: str, allow_empty: bool = False) -> list[tuple[str, numpy.ndarray]]:
    """Return data as a list of (name, NumPy array)."""
    if data is None:
        data = []
    if isinstance(data, NDArray | numpy.ndarray) or is_scipy_csr(data):
        data = [data]
    if isinstance(data, list | tuple):
        if not data and not allow_empty:
            raise AssertionError("there is no data")
        names = [default_name] if len(data) == 1 else [f"_{i}_{default_name}" for i in range(len(data))]
        data = dict(zip(names, data, strict=True))
    if not isinstance(data, Mapping):
        raise TypeError("Input must be NDArray, numpy.ndarray, h5py.Dataset a list of them or dict with them as values")
    named = []
    for name, values in data.items():
        if is_scipy_csr(values):
            values = values.toarray()
        if not isinstance(values, NDArray | numpy.ndarray):
            raise TypeError(f"Invalid type '{type(values)}' for {name}, should be NDArray, numpy.ndarray")
        # As nd.array does: whatever NumPy array comes in becomes float32.
        raw = values.asnumpy() if isinstance(values, NDArray) else values.astype(numpy.float32)
        named.append((name, raw))
    return named


def _has_csr(data: Any) -> bool:
    parts = data.values() if isinstance(data, Mapping) else data if isinstance(data, list | tuple) else [data]
    return any(is_scipy_csr(part) or isinstance(part, CSRNDArray) for part in parts)


#: What may become of examples that do not fill a batch.
_LAST_BATCH = ("pad", "discard", "roll_over")


class NDArrayIter(DataIter):
    """Batches of arrays in memory.

    Parameters
    ----------
    data : array, list of array or dict of str to array
        The inputs.
    label : the same, optional
        The labels.
    batch_size : int
        Examples in a batch.
    shuffle : bool
        A new random order after each reset.
    last_batch_handle : {"pad", "discard", "roll_over"}
        A shorter last batch is filled with examples from the start, dropped, or kept for the next
        epoch.
    data_name, label_name : str
        Names of arrays that come without.
    layout : str
        What the axes are.

    Raises
    ------
    TypeError, ValueError
        For arguments that are none of these, no data, or an array with fewer rows than the first.

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
        self.data = _named(data, data_name)
        self.label = _named(label, label_name, allow_empty=True)
        self.num_data: Any = self.data[0][1].shape[0]
        for name, values in [*self.data, *self.label]:
            if len(values) < self.num_data:
                raise ValueError(f"{name!r} has {len(values)} rows, and {self.data[0][0]!r} {self.num_data}")
        if last_batch_handle != "discard" and (_has_csr(data) or _has_csr(label)):
            raise NotImplementedError(
                "`NDArrayIter` only supports ``CSRNDArray`` with `last_batch_handle` set to `discard`."
            )
        self.shuffle, self.last_batch_handle, self.layout = shuffle, last_batch_handle, layout
        self.data_list: list[Any] = [values for _, values in [*self.data, *self.label]]
        self.num_source: int = len(self.data_list)
        self.cursor: int = -batch_size
        self._left_over: numpy.ndarray | None = None
        self._shuffle_order()
        self._queue = self.idx

    def _shuffle_order(self) -> None:
        self.idx = numpy.arange(self.num_data)
        if self.shuffle:
            self.idx: Any = backend.generator(cpu()).permutation(self.num_data)

    @property
    def provide_data(self) -> list[DataDesc]:
        """Name and shape of the inputs of each batch."""
        return self._describe(self.data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """Name and shape of the labels of each batch."""
        return self._describe(self.label)

    def _describe(self, named: list[tuple[str, numpy.ndarray]]) -> list[DataDesc]:
        return [DataDesc(n, (self.batch_size, *v.shape[1:]), v.dtype, self.layout) for n, v in named]

    def hard_reset(self) -> None:
        """Go back to the start, and forget what was left over."""
        self._left_over = None
        self.reset()

    def reset(self) -> None:
        """Go back to the start, in a new order with ``shuffle``."""
        self._shuffle_order()
        kept = self._left_over if self.last_batch_handle == "roll_over" else None
        self._queue = self.idx if kept is None else numpy.concatenate([kept, self.idx])
        self._left_over = None
        self.cursor = -self.batch_size

    def iter_next(self) -> bool:
        """Go to the next batch; return whether there is one."""
        self.cursor += self.batch_size
        left = len(self._queue) - self.cursor
        if self.last_batch_handle == "pad" or left >= self.batch_size:
            return left > 0
        if left > 0 and self.last_batch_handle == "roll_over":
            self._left_over = self._queue[self.cursor :]
        return False

    def _take(self, named: list[tuple[str, numpy.ndarray]]) -> list[Any]:
        if not 0 <= self.cursor < len(self._queue):
            raise AssertionError("there is no batch: call iter_next() or next() first")
        chosen = self._queue[self.cursor : self.cursor + self.batch_size]
        if len(chosen) < self.batch_size:
            chosen = numpy.concatenate([chosen, numpy.resize(self.idx, self.batch_size - len(chosen))])
        return [array(values[chosen], dtype=values.dtype) for _, values in named]

    def getdata(self) -> list[Any]:
        """Return the inputs of this batch."""
        return self._take(self.data)

    def getlabel(self) -> list[Any]:
        """Return the labels of this batch."""
        return self._take(self.label)

    def getpad(self) -> int:
        """Return how many examples of this batch only fill it."""
        return max(0, self.cursor + self.batch_size - len(self._queue))


class ResizeIter(DataIter):
    """An iterator that gives a fixed number of batches an epoch, starting again where it must.

    Parameters
    ----------
    data_iter : DataIter
        Where the batches come from.
    size : int
        How many.
    reset_internal : bool
        Reset that iterator, too, with each reset.
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
        """Name and shape of the inputs of each batch."""
        return self.data_iter.provide_data  # type: ignore[attr-defined]

    @property
    def provide_label(self) -> Any:
        """Name and shape of the labels of each batch."""
        return self.data_iter.provide_label  # type: ignore[attr-defined]

    def reset(self) -> None:
        """Start counting again."""
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

    def next(self) -> DataBatch:
        """Return the next batch."""
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
    """Batches of one or several iterators, made ahead by threads; those of several are put together.

    Parameters
    ----------
    iters : DataIter or list of DataIter
        Where the batches come from.
    rename_data, rename_label : list of dict of str to str, optional
        For each iterator, new names of its inputs and labels.

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
            raise AssertionError("PrefetchingIter needs an iterator")
        self.n_iter: int = len(self.iters)
        self.rename_data, self.rename_label = rename_data, rename_label
        self.batch_size: int = self.provide_data[0].shape[0]
        self.current_batch: DataBatch | None = None
        self._pool = thread_pool(self.n_iter, "PrefetchingIter", "Use the iterator itself: its batches are the same.")
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
        """Name and shape of the inputs of each batch."""
        return self._renamed([iterator.provide_data for iterator in self.iters], self.rename_data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """Name and shape of the labels of each batch."""
        return self._renamed([iterator.provide_label for iterator in self.iters], self.rename_label)

    def reset(self) -> None:
        """Go back to the start; what was made ahead is dropped."""
        for coming in self._coming:
            coming.exception()  # waits
        for iterator in self.iters:
            iterator.reset()
        self._prefetch()

    def iter_next(self) -> bool:
        """Go to the next batch; return whether there is one.

        Raises
        ------
        AssertionError
            If the iterators do not end together.
        Exception
            Whatever an iterator raised while it made the batch.
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
        """Return the next batch."""
        if not self.iter_next():
            raise StopIteration
        return self._batch()

    def _batch(self) -> DataBatch:
        if self.current_batch is None:
            raise AssertionError("there is no batch: call iter_next() or next() first")
        return self.current_batch

    def getdata(self) -> Any:
        """Return the inputs of this batch."""
        return self._batch().data

    def getlabel(self) -> Any:
        """Return the labels of this batch."""
        return self._batch().label

    def getindex(self) -> Any:
        """Return the numbers of the examples of this batch."""
        return self._batch().index

    def getpad(self) -> int | None:
        """Return how many examples of this batch only fill it."""
        return self._batch().pad


def __getattr__(name: str) -> Any:
    # MXNet has the iterators over files here, too. They are loaded when one is used first.
    package = importlib.import_module(__name__.rpartition(".")[0])
    if name in package.ITERATORS_OVER_FILES:
        return getattr(package, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
