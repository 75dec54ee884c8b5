"""Sparse storage types, kept dense in memory.

Arrays of storage type ``row_sparse`` and ``csr`` print, report and save themselves as in MXNet,
so that programs and files that have them work; computing with them is computing with the dense
values. Nothing is gained in memory or time: this package is about hybrid programming.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..context import Context, cpu
from ..core.invoke import invoke, wrap
from ..core.operator import get_operator
from ..core.tape import is_tracked, state
from ..device import backend
from ..formats.serialization import SavedArray
from .ndarray import NDArray
from .ndarray import array as dense_array

__all__ = [
    "CSRNDArray",
    "RowSparseNDArray",
    "as_sparse",
    "cast_storage",
    "csr_matrix",
    "from_saved",
    "row_sparse_array",
]


class _SparseNDArray(NDArray):
    """What both storage types share."""

    __slots__ = ()
    _stype = ""

    @property
    def stype(self) -> str:
        """The storage type."""
        return self._stype

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"\n<{type(self).__name__} {shape} @{self._ctx}>"

    __str__ = __repr__

    def tostype(self, stype: str) -> Any:
        """Return the values with another storage type."""
        if stype == "default":
            backend.use(self._ctx)
            return wrap(NDArray, self._data.copy(), self._ctx)
        return as_sparse(self, stype)

    def as_dense(self) -> NDArray:
        """Return the values as an ordinary array."""
        return self.tostype("default")


class RowSparseNDArray(_SparseNDArray):
    """An array of which only some rows are stored."""

    __slots__ = ()
    _stype = "row_sparse"

    @property
    def indices(self) -> NDArray:
        """Numbers of the rows that are not zero."""
        return _on(self._ctx, self._stored_rows())

    @property
    def data(self) -> NDArray:
        """Values of those rows."""
        return wrap(NDArray, self._data[self.indices._data], self._ctx)

    def _stored_rows(self) -> numpy.ndarray:
        raw = backend.asnumpy(self._data)
        return numpy.flatnonzero(raw.reshape(len(raw), -1).any(axis=1)).astype(numpy.int64)

    def _saved(self) -> SavedArray:
        indices = self._stored_rows()
        return SavedArray(
            data=backend.asnumpy(self._data)[indices], device_type=self._ctx.device_typeid,
            device_id=self._ctx.device_id, storage="row_sparse", aux=(indices,), shape=self.shape,
        )  # fmt: skip


class CSRNDArray(_SparseNDArray):
    """A matrix in compressed sparse row form."""

    __slots__ = ()
    _stype = "csr"

    def _parts(self) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        raw = backend.asnumpy(self._data)
        rows, columns = numpy.nonzero(raw)
        pointers = numpy.zeros(len(raw) + 1, numpy.int64)
        numpy.add.at(pointers, rows + 1, 1)
        return raw[rows, columns], numpy.cumsum(pointers), columns.astype(numpy.int64)

    @property
    def data(self) -> NDArray:
        """The values that are not zero."""
        return _on(self._ctx, self._parts()[0])

    @property
    def indptr(self) -> NDArray:
        """Where each row begins in ``data``."""
        return _on(self._ctx, self._parts()[1])

    @property
    def indices(self) -> NDArray:
        """Column of each value."""
        return _on(self._ctx, self._parts()[2])

    def _saved(self) -> SavedArray:
        data, pointers, columns = self._parts()
        return SavedArray(
            data=data, device_type=self._ctx.device_typeid, device_id=self._ctx.device_id, storage="csr",
            aux=(pointers, columns), shape=self.shape,
        )  # fmt: skip


_CLASSES = {"row_sparse": RowSparseNDArray, "csr": CSRNDArray}


def as_sparse(array: NDArray, stype: str) -> Any:
    """Return the values of an array with a sparse storage type.

    Raises
    ------
    ValueError
        For ``csr`` of anything but a matrix.
    """
    if stype == "csr" and array.ndim != 2:
        raise ValueError(f"csr storage needs a matrix, but got {array.ndim} axes")
    backend.use(array._ctx)
    return wrap(_CLASSES[stype], array._data.copy(), array._ctx)


def _on(ctx: Context, raw: numpy.ndarray) -> NDArray:
    return wrap(NDArray, backend.to_context(raw, ctx), ctx)


def from_saved(saved: SavedArray) -> Any:
    """Return the array for what a file holds in sparse form."""
    values = saved.to_dense()
    return wrap(_CLASSES[saved.storage], values, cpu())


def row_sparse_array(arg1: Any, shape: Any = None, ctx: Context | None = None, dtype: Any = None) -> RowSparseNDArray:
    """Return a row-sparse array from dense values or from ``(data, indices)``."""
    if isinstance(arg1, tuple) and len(arg1) == 2 and not isinstance(arg1[0], int):
        data, indices = dense_array(arg1[0], ctx, dtype), dense_array(arg1[1], ctx, "int64")
        size = shape or (int(indices.asnumpy().max(initial=-1)) + 1, *data.shape[1:])
        values = numpy.zeros(size, data._data.dtype)
        values[indices.asnumpy()] = data.asnumpy()
        return as_sparse(dense_array(values, ctx, data.dtype), "row_sparse")
    if isinstance(arg1, tuple):
        return as_sparse(dense_array(numpy.zeros(arg1), ctx, dtype), "row_sparse")
    return as_sparse(dense_array(arg1, ctx, dtype), "row_sparse")


def csr_matrix(arg1: Any, shape: Any = None, ctx: Context | None = None, dtype: Any = None) -> CSRNDArray:
    """Return a CSR matrix from dense values or from ``(data, indices, indptr)``."""
    if isinstance(arg1, tuple) and len(arg1) == 3:
        data, columns, pointers = (a.asnumpy() if isinstance(a, NDArray) else numpy.asarray(a) for a in arg1)
        pointers, columns = pointers.astype(numpy.int64), columns.astype(numpy.int64)
        size = shape or (len(pointers) - 1, int(columns.max(initial=-1)) + 1)
        values = numpy.zeros(size, data.dtype)
        values[numpy.repeat(numpy.arange(len(pointers) - 1), numpy.diff(pointers)), columns] = data
        return as_sparse(dense_array(values, ctx, dtype), "csr")
    if isinstance(arg1, tuple):
        return as_sparse(dense_array(numpy.zeros(arg1), ctx, dtype), "csr")
    return as_sparse(dense_array(arg1, ctx, dtype), "csr")


def cast_storage(data: NDArray, stype: str, out: Any = None, name: str | None = None) -> Any:
    """Return an array with another storage type.

    Parameters
    ----------
    data : NDArray
        The array.
    stype : {"default", "row_sparse", "csr"}
        The storage type.
    out : NDArray, optional
        Where to put the values.
    name : str, optional
        Not used.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.cast_storage(nd.ones((2, 2)), "csr").stype
    'csr'
    """
    if out is not None:
        return data.copyto(out)
    if state.recording and is_tracked(data):
        op = get_operator("cast_storage")
        return invoke(op, (data,), op.parse({"stype": stype}), NDArray)
    return data.tostype(stype)


cast_storage.operator = get_operator("cast_storage")  # type: ignore[attr-defined]  # whose function of arrays it is


def zeros(stype: str, shape: Any, ctx: Context | None = None, dtype: Any = None, **kwargs: Any) -> Any:
    """Return zeros of a storage type."""
    array = dense_array(numpy.zeros(shape), ctx, dtype)
    return array if stype == "default" else as_sparse(array, stype)


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> Any:
    """Return a copy of a sparse array."""
    if isinstance(source_array, _SparseNDArray):
        return as_sparse(dense_array(source_array, ctx, dtype), source_array.stype)
    return csr_matrix(numpy.asarray(source_array), ctx=ctx, dtype=dtype)


def __getattr__(name: str) -> Any:
    """Operators of ``nd.sparse`` are those of ``nd``."""
    from .. import ndarray

    return getattr(ndarray, name)
