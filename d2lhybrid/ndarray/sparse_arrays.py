"""The classes of sparse arrays, which hold dense values."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..context import Context, cpu
from ..core.invoke import invoke, wrap
from ..core.operator import Operator, get_operator
from ..device import backend
from ..formats.serialization import SavedArray
from .arithmetic import ARITHMETIC
from .ndarray import NDArray
from .storage import Stored, storage_of_result

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "as_sparse",
    "from_saved",
    "give_storage",
    "keep_storage",
]


class BaseSparseNDArray(NDArray):
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

    def __str__(self) -> str:
        return repr(self)

    def tostype(self, stype: str) -> Any:
        """Return the values with another storage type."""
        if stype == "default":
            backend.use(self._ctx)
            return wrap(NDArray, self._data.copy(), self._ctx)
        if stype in _CLASSES and stype != self._stype:
            error = ValueError(f"cast_storage from {self._stype} to {stype} is not supported")
            error.add_note(f"Through a dense array it is: x.tostype('default').tostype({stype!r}).")
            raise error
        return as_sparse(self, stype)

    def check_format(self, full_check: bool = True) -> None:
        """Do nothing: which rows or places are stored follows from the values, and cannot be wrong.

        What is wrong with parts that an array is made of, its constructor says.

        Parameters
        ----------
        full_check : bool
            Accepted for compatibility.
        """

    def as_dense(self) -> NDArray:
        """Return the values as an ordinary array."""
        return self.tostype("default")


#: Operators of arrays that broadcast -> those of arrays of one shape, which more storage types go through.
_OF_ONE_SHAPE = {f"broadcast_{name}": f"elemwise_{name}" for name in ("add", "sub", "mul", "div")}


def _keeping(name: str) -> Callable[[Any, Any], Any]:
    """Return a method of arithmetic that keeps the storage type where MXNet does."""
    of_arrays, of_number = ARITHMETIC[name]
    compute = getattr(NDArray, f"__{name}__")

    def method(self: Any, other: Any) -> Any:
        result = compute(self, other)
        if isinstance(other, NDArray):
            operands = (other, self) if name.startswith("r") else (self, other)
            alike = other.shape == self.shape and isinstance(operands[0], BaseSparseNDArray)
            op = _OF_ONE_SHAPE.get(of_arrays, of_arrays) if alike else of_arrays
            return keep_storage(get_operator(op), operands, {}, result)
        return keep_storage(get_operator(of_number), (self,), {"scalar": float(other)}, result)

    return method


for _name in ARITHMETIC:
    setattr(BaseSparseNDArray, f"__{_name}__", _keeping(_name))


class RowSparseNDArray(BaseSparseNDArray):
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

    def retain(self, indices: Any, out: Any = None, name: str | None = None) -> RowSparseNDArray:
        """Return the rows that are named, and zeros in the place of the others, as ``retain`` does."""
        op = get_operator("_sparse_retain")
        kept = keep_storage(op, (self, indices), {}, invoke(op, (self, indices), {}, NDArray))
        return kept if out is None else kept.copyto(out)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) and key == slice(None):
            return self
        if isinstance(key, slice):
            raise IndexError("RowSparseNDArray only supports [:] for __getitem__")
        raise IndexError("__getitem__ with int key is not implemented for RowSparseNDArray yet")

    def __setitem__(self, key: Any, value: Any) -> None:
        if not (isinstance(key, slice) and key == slice(None)):
            raise TypeError("RowSparseNDArray only supports [:] for assignment")
        super().__setitem__(key, value)

    def _stored_rows(self) -> numpy.ndarray:
        raw = backend.asnumpy(self._data)
        return numpy.flatnonzero(raw.reshape(len(raw), -1).any(axis=1)).astype(numpy.int64)

    def _saved(self) -> SavedArray:
        indices = self._stored_rows()
        return SavedArray(
            data=backend.asnumpy(self._data)[indices], device_type=self._ctx.device_typeid,
            device_id=self._ctx.device_id, storage="row_sparse", aux=(indices,), shape=self.shape,
        )  # fmt: skip


class CSRNDArray(BaseSparseNDArray):
    """A matrix in compressed sparse row form."""

    __slots__ = ()
    _stype = "csr"

    def __getitem__(self, key: Any) -> Any:
        """Return rows, with this storage type: one row has two axes, too."""
        if isinstance(key, slice):
            if key.step is not None:
                raise ValueError("CSRNDArray only supports continuous slicing on axis 0")
            if key == slice(None):
                return self
            begin, end = key.start or 0, key.stop
        elif isinstance(key, tuple):
            raise ValueError("Multi-dimension indexing is not supported")
        else:
            try:
                begin = operator.index(key)
            except TypeError:
                raise ValueError(f"Undefined behaviour for {key}") from None
            if not -len(self) <= begin < len(self):
                raise IndexError(f"row {begin} is out of bounds for {len(self)} rows")
            end = begin + 1 or None
        op = get_operator("slice")
        params = op.parse({"begin": (begin,), "end": (end,)})
        return keep_storage(op, (self,), params, invoke(op, (self,), params, NDArray))

    def __setitem__(self, key: Any, value: Any) -> None:
        if not (isinstance(key, slice) and key == slice(None)):
            raise TypeError("CSRNDArray only supports [:] for assignment")
        if isinstance(value, numbers.Number):
            raise ValueError("Assigning numeric types to CSRNDArray is not implemented yet.")
        super().__setitem__(key, value)

    def asscipy(self) -> Any:
        """Return the matrix as one of SciPy's, ``scipy.sparse.csr_matrix``.

        Raises
        ------
        ImportError
            If SciPy is not installed, which this package does not need otherwise.
        """
        try:
            from scipy.sparse import csr_matrix  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            error.add_note("asscipy() gives a matrix of SciPy's: pip install scipy. x.asnumpy() needs nothing.")
            raise
        data, pointers, columns = self._parts()
        return csr_matrix((data, columns, pointers), shape=self.shape, dtype=data.dtype)

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


# --- what becomes of them ----------------------------------------------------------------------------


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
    if type(result) is NDArray:
        inputs = [Stored("default", ()) if array is None else Stored(array.stype, array.shape) for array in arrays]
        give_storage(result, storage_of_result(op, inputs, params, result.shape))
    return result


def give_storage(array: NDArray, stype: str) -> None:
    """Make an array that was just computed one of a storage type."""
    array.__class__ = _CLASSES.get(stype, NDArray)
