"""Functions that prepare arrays for iterators, under the names that MXNet programs import."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy

from ..internals.ops.stored_places import places_of_rows
from ..ndarray import NDArray, array
from ..ndarray.sparse import CSRNDArray, is_scipy_csr
from ..ndarray.sparse_arrays import BaseSparseNDArray, with_places

__all__ = ["getdata_by_idx", "has_instance", "init_data", "slice_along_batch_axis"]


def is_h5py(data: Any) -> bool:
    """Return whether an object is an h5py data set.

    Parameters
    ----------
    data : object
        The object.

    Returns
    -------
    bool
        Whether the object is an h5py data set.
    """
    h5py = sys.modules.get("h5py")
    return h5py is not None and isinstance(data, h5py.Dataset)


def init_data(data: Any, allow_empty: bool, default_name: str) -> list[tuple[str, Any]]:
    """Return pairs of names and arrays, sorted by name.

    Parameters
    ----------
    data : array, list of array or dict of str to array
        The arrays. Values other than NDArrays and h5py data sets are converted to NDArrays with float32 elements.
    allow_empty : bool
        Whether ``data`` may be empty.
    default_name : str
        Name of an array without a name. The names of several arrays are numbered.

    Returns
    -------
    list of (str, array)
        Names and arrays.

    Raises
    ------
    AssertionError, TypeError
        If there is no data and ``allow_empty`` is False, or if ``data`` has an unsupported type.

    Examples
    --------
    >>> [name for name, _ in init_data([numpy.ones(2), numpy.ones(2)], False, "data")]
    ['_0_data', '_1_data']
    """
    if data is None and not allow_empty:
        raise AssertionError(f"{default_name!r} must contain at least one array, but is None")
    if data is None:
        data = []
    if isinstance(data, NDArray | numpy.ndarray) or is_scipy_csr(data) or is_h5py(data):
        data = [data]
    if isinstance(data, list | tuple):
        if not data and not allow_empty:
            raise AssertionError(f"{default_name!r} must contain at least one array, but is {data!r}")
        names = [default_name] if len(data) == 1 else [f"_{i}_{default_name}" for i in range(len(data))]
        data = dict(zip(names, data, strict=True))
    if not isinstance(data, dict):
        raise TypeError("Input must be NDArray, numpy.ndarray, h5py.Dataset a list of them or dict with them as values")
    return [(name, _as_array(name, data[name])) for name in sorted(data)]


def _as_array(name: str, values: Any) -> Any:
    if is_h5py(values):
        return values
    if isinstance(values, BaseSparseNDArray):
        return values
    if isinstance(values, NDArray):
        return values.as_nd_ndarray()
    try:
        return array(values)
    except Exception as error:
        raise TypeError(
            f"Invalid type '{type(values)}' for {name}, should be NDArray, numpy.ndarray or h5py.Dataset"
        ) from error


def has_instance(data: Sequence[tuple[str, Any]], dtype: Any) -> bool:
    """Return whether at least one array is an instance of a class.

    Parameters
    ----------
    data : sequence of (str, array)
        Names and arrays.
    dtype : type
        The class.

    Returns
    -------
    bool
        Whether ``data`` contains such an array.
    """
    return any(isinstance(values, dtype) for _, values in data)


def getdata_by_idx(data: Sequence[tuple[str, Any]], idx: Any) -> list[tuple[str, Any]]:
    """Return the rows of all arrays at the same indices.

    Parameters
    ----------
    data : sequence of (str, array)
        Names and arrays.
    idx : numpy.ndarray
        The indices.

    Returns
    -------
    list of (str, array)
        Names and rows. An h5py data set is returned unchanged.
    """
    return [(name, values if is_h5py(values) else _rows(values, idx)) for name, values in data]


def _rows(values: Any, idx: Any) -> Any:
    chosen = array(values.asnumpy()[idx], ctx=values.context)
    if not isinstance(values, CSRNDArray):
        return chosen
    columns = numpy.split(values.indices.asnumpy(), values.indptr.asnumpy()[1:-1])
    numbers = numpy.arange(len(values))[idx]
    return with_places(chosen.tostype("csr"), places_of_rows([columns[n] for n in numbers]))


def slice_along_batch_axis(data: Any, s: slice, batch_axis: int) -> Any:
    """Return a slice of an array along the batch axis.

    Parameters
    ----------
    data : NDArray
        The array.
    s : slice
        The slice.
    batch_axis : int
        The axis.

    Returns
    -------
    NDArray
        The slice.
    """
    return data.slice_axis(axis=batch_axis, begin=s.start, end=s.stop)


_init_data, _has_instance, _getdata_by_idx = init_data, has_instance, getdata_by_idx
_slice_along_batch_axis = slice_along_batch_axis
