"""Sparse storage types, kept dense in memory.

Arrays of storage type ``row_sparse`` and ``csr`` print, report and save themselves as in MXNet,
so that programs and files that have them work, and results have the storage type that they have there; computing with
them is computing with the dense values. Nothing is gained in memory or time: this package is about hybrid programming.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..context import Context, cpu
from ..core.invoke import invoke, wrap
from ..core.operator import Operator, get_operator
from ..core.tape import is_tracked, state
from ..device import backend
from ..formats.serialization import SavedArray
from .arithmetic import ARITHMETIC
from .ndarray import NDArray
from .ndarray import array as dense_array

__all__ = [
    "CSRNDArray",
    "RowSparseNDArray",
    "as_sparse",
    "cast_storage",
    "csr_matrix",
    "from_saved",
    "is_scipy_csr",
    "keep_storage",
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


def keep_storage(op: Operator, arrays: Sequence[Any], params: dict[str, Any], result: Any) -> Any:
    """Give the result of an operator the storage type that it has in MXNet.

    Parameters
    ----------
    op : Operator
        What was run.
    arrays : sequence of NDArray
        Its inputs, of which one at least is sparse.
    params : dict
        Its settings.
    result : NDArray
        The result, whose class changes.

    Returns
    -------
    NDArray
        The same.
    """
    kind = type(arrays[0])
    if not issubclass(kind, _SparseNDArray) or type(result) is not NDArray or result.shape != arrays[0].shape:
        return result
    if op.zero_stays is not None and op.zero_stays(**params):
        alike = all(type(array) is kind for array in arrays)
        if alike or (op.first_zero_counts and kind is RowSparseNDArray):
            result.__class__ = kind
    return result


def _keeping(name: str) -> Any:
    """Return a method of arithmetic that keeps the storage type where MXNet does."""
    of_arrays, of_number = ARITHMETIC[name]
    compute = getattr(NDArray, f"__{name}__")

    def method(self: Any, other: Any) -> Any:
        result = compute(self, other)
        if isinstance(other, NDArray):
            operands = (other, self) if name.startswith("r") else (self, other)
            return keep_storage(get_operator(of_arrays), operands, {}, result)
        return keep_storage(get_operator(of_number), (self,), {"scalar": float(other)}, result)

    return method


for _name in ARITHMETIC:
    setattr(_SparseNDArray, f"__{_name}__", _keeping(_name))


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
    """Return a CSR matrix.

    Parameters
    ----------
    arg1 : array-like, tuple or scipy.sparse.csr_matrix
        Dense values, ``(data, indices, indptr)``, ``(data, (row, column))``, a shape of zeros, or a matrix of SciPy's.
    shape : tuple of int, optional
        Its shape; by default, the smallest that holds everything.
    ctx : Context, optional
        The device.
    dtype : data type, optional
        The element type; by default, that of the values.

    Raises
    ------
    ValueError
        If the values do not fit into the shape, or the shape is not that of the matrix.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.sparse.csr_matrix(([1.0, 2.0], ([0, 1], [2, 0]))).asnumpy()
    array([[0., 0., 1.],
           [2., 0., 0.]], dtype=float32)
    """
    if is_scipy_csr(arg1):
        if shape is not None and tuple(shape) != arg1.shape:
            raise ValueError(f"Shape mismatch detected. {arg1.shape} v.s. {tuple(shape)}")
        dtype = arg1.dtype if dtype is None else dtype
        shape, arg1 = arg1.shape, (arg1.data, arg1.indices, arg1.indptr)
    match arg1:
        case data, columns, pointers:
            data, columns, pointers = _plain(data), _places(columns), _places(pointers)
            size = shape or (len(pointers) - 1, int(columns.max(initial=-1)) + 1)
            rows = numpy.repeat(numpy.arange(len(pointers) - 1), numpy.diff(pointers))
        case data, (_, _) as places:
            data, (rows, columns) = _plain(data), map(_places, places)
            size = shape or (int(rows.max(initial=-1)) + 1, int(columns.max(initial=-1)) + 1)
        case tuple():
            return as_sparse(dense_array(numpy.zeros(arg1), ctx, dtype), "csr")
        case _:
            return as_sparse(dense_array(arg1, ctx, dtype), "csr")
    for name, numbers, count in (("row", rows, size[0]), ("column", columns, size[1])):
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < count:
            raise ValueError(f"{name} index exceeds matrix dimensions")
    values = numpy.zeros(size, data.dtype)
    numpy.add.at(values, (rows, columns), data)  # what is named twice is added up
    return as_sparse(dense_array(values, ctx, dtype), "csr")


def is_scipy_csr(value: Any) -> bool:
    """Return whether a value is a CSR matrix of SciPy's, which need not be installed."""
    return type(value).__module__.startswith("scipy.sparse") and value.format == "csr"


def _plain(values: Any) -> numpy.ndarray:
    return values.asnumpy() if isinstance(values, NDArray) else numpy.asarray(values)


def _places(values: Any) -> numpy.ndarray:
    return _plain(values).astype(numpy.int64)


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
    """Return a copy of a sparse array, or of a CSR matrix of SciPy's."""
    if isinstance(source_array, _SparseNDArray):
        return as_sparse(dense_array(source_array, ctx, dtype), source_array.stype)
    return csr_matrix(source_array if is_scipy_csr(source_array) else numpy.asarray(source_array), ctx=ctx, dtype=dtype)


def __getattr__(name: str) -> Any:
    """Operators of ``nd.sparse`` are those of ``nd``."""
    from .. import ndarray

    return getattr(ndarray, name)
