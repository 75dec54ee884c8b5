"""``mx.contrib.io``: adapters from data loaders to iterators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from .. import ndarray as nd
from ..io import DataDesc, DataIter

__all__ = ["DataLoaderIter"]


class DataLoaderIter(DataIter):
    """An iterator over the batches of a :class:`~d2lhybrid.gluon.data.DataLoader`, for modules.

    Parameters
    ----------
    loader : DataLoader
        Loader of pairs of data and label.
    data_name, label_name : str
        Names of the inputs.
    dtype : str or dtype
        Element type of the batches.

    Examples
    --------
    >>> from d2lhybrid import gluon, nd
    >>> data = gluon.data.ArrayDataset(nd.ones((5, 2)), nd.arange(5))
    >>> batches = DataLoaderIter(gluon.data.DataLoader(data, 3))
    >>> batches.provide_data
    [DataDesc[data,(3, 2),<class 'numpy.float32'>,NCHW]]
    >>> [batch.pad for batch in batches]
    [0, 1]
    """

    dtype: Any

    def __init__(
        self, loader: Any, data_name: str = "data", label_name: str = "softmax_label", dtype: Any = "float32"
    ) -> None:
        super().__init__()
        self._loader, self.dtype = loader, dtype
        self._batches: Iterator[Any] = iter(loader)
        data, label = next(self._batches)
        self.batch_size: Any = data.shape[0]
        self.provide_data: list[DataDesc] = [DataDesc(data_name, data.shape, numpy.dtype(dtype).type)]
        self.provide_label: list[DataDesc] = [DataDesc(label_name, label.shape, numpy.dtype(dtype).type)]
        self._batch: Any = None
        self.reset()

    def reset(self) -> None:
        """Return to the start of the data."""
        self._batches = iter(self._loader)

    def iter_next(self) -> bool:
        """Move to the next batch, and return whether there is a next batch.

        Returns
        -------
        bool
            False at the end of the data.
        """
        self._batch = next(self._batches, None)
        return self._batch is not None

    def _filled(self, array: Any) -> Any:
        """Return an array with the element type of the batches, padded with zeros to the batch size."""
        array = array.astype(self.dtype)
        missing = self.getpad()
        if not missing:
            return array
        return nd.concat(array, nd.zeros((missing, *array.shape[1:]), dtype=self.dtype), dim=0)

    def getdata(self) -> list[Any]:
        """Return a list with the data of the current batch, padded with zeros to the batch size."""
        return [self._filled(self._batch[0])]

    def getlabel(self) -> list[Any]:
        """Return a list with the labels of the current batch, padded with zeros to the batch size."""
        return [self._filled(self._batch[1])]

    def getpad(self) -> int:
        """Return the number of padding examples in the current batch."""
        return self.batch_size - self._batch[0].shape[0]

    def getindex(self) -> None:
        """Return None, because a loader does not return the indices of examples."""
