"""The classes of sparse arrays, with dense values and the positions of the stored values."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..context import Context, cpu
from ..error import MXNetError, NotSupportedForSparseNDArray
from ..internals.core.invoke import invoke, wrap
from ..internals.core.operator import Operator, get_operator
from ..internals.device import array_modules
from ..internals.formats.serialization import SavedArray, array_from_bytes
from ..internals.ops.stored_places import Held, Places, clear_others, places_of_result, rows_of, stored_places, union
from ..internals.support.plural import counted
from .arithmetic import ARITHMETIC, IN_PLACE
from .ndarray import NDArray
from .storage import Stored, storage_of_result

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "as_sparse",
    "copy_places",
    "from_saved",
    "give_storage",
    "held",
    "keep_storage",
    "places_of_sum",
    "storage_of_call",
    "with_places",
]


class BaseSparseNDArray(NDArray):
    """The base class of the sparse array classes."""

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
        """Return a copy of the array with the given storage type.

        Parameters
        ----------
        stype : {"default", "row_sparse", "csr"}
            The storage type of the result.

        Returns
        -------
        NDArray
            An array of the storage type.

        Raises
        ------
        ValueError
            If ``stype`` is a different sparse storage type.
        """
        if stype == "default":
            array_modules.use(self._ctx)
            return wrap(NDArray, self._data.copy(), self._ctx)
        if stype in _CLASSES and stype != self._stype:
            error = ValueError(f"cast_storage from {self._stype} to {stype} is not supported")
            error.add_note(f"Convert to a dense array first: x.tostype('default').tostype({stype!r}).")
            raise error
        return as_sparse(self, stype)

    def check_format(self, full_check: bool = True) -> None:
        """Raise an error if the stored positions are not unique and in ascending order.

        The constructor performs all other checks.

        Parameters
        ----------
        full_check : bool
            Whether to check the positions. With False, nothing is checked.

        Raises
        ------
        MXNetError
            If the positions are invalid.
        """
        if full_check and not self._is_in_order():
            raise MXNetError(self._out_of_order)

    def as_dense(self) -> NDArray:
        """Return the values as a dense array."""
        return self.tostype("default")

    def copyto(self, other: Any) -> Any:
        """Copy the values and the stored positions into another array, or into a new array on another device.

        Parameters
        ----------
        other : NDArray or Context
            The array to write to, or the device of a new array.

        Returns
        -------
        NDArray
            The array that contains the copy.
        """
        return copy_places(self, super().copyto(other))

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Return the array with another element type and the same stored positions.

        Parameters
        ----------
        dtype : str or numpy dtype
            Element type of the result.
        copy : bool
            Whether to copy even if the array already has this element type.

        Returns
        -------
        BaseSparseNDArray
            An array of the same storage type.
        """
        return copy_places(self, super().astype(dtype, copy))

    def detach(self) -> Any:
        """Return an array that shares memory with this array but is not part of the gradient graph."""
        return copy_places(self, super().detach())

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """Raise an error, because sparse arrays cannot be reshaped.

        Raises
        ------
        NotSupportedForSparseNDArray
            Always.
        """
        raise _not_supported("reshape", None, shape)

    def _at(self, idx: int) -> Any:
        raise _not_supported("_at", "[idx]", idx)

    def _slice(self, start: int | None, stop: int | None) -> Any:
        raise _not_supported("_slice", None, start, stop)

    def __setitem__(self, key: Any, value: Any) -> None:
        places = getattr(value, "_places", None)  # read first, because the next line resets it if value is self
        super().__setitem__(key, value)
        if isinstance(value, BaseSparseNDArray) and value.stype == self.stype:
            self._places = places

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.asnumpy(), self._ctx, self._stored())

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state of a pickle that MXNet wrote. A pickle by this package doesn't call this method."""
        super().__setstate__(state)
        saved = None if state.get("handle") is None else array_from_bytes(state["handle"])
        if saved is not None and saved.storage == self._stype:
            self._places = _places_in(saved)

    def _stored(self) -> Places:
        """Return the stored positions."""
        return stored_places(self._data, self._stype, getattr(self, "_places", None))

    def _is_in_order(self) -> bool:
        """Return whether the stored positions are in ascending order."""
        raise NotImplementedError

    _out_of_order = ""


def _not_supported(function: str, alias: str | None, *arguments: Any) -> NotSupportedForSparseNDArray:
    method = getattr(NDArray, function)
    error = NotSupportedForSparseNDArray(method, alias, *arguments)
    error.add_note(f"Convert to a dense array first: x.tostype('default').{function}(...).")
    return error


def _rebuild(kind: Any, raw: numpy.ndarray, ctx: Context, places: Places) -> Any:
    """Restore a sparse array from a pickle."""
    return with_places(wrap(kind, array_modules.to_context(raw, ctx), ctx), places)


def with_places(array: Any, places: Places) -> Any:
    """Set the stored positions of a new sparse array, and return the array.

    Parameters
    ----------
    array : BaseSparseNDArray
        The array.
    places : array, tuple of array or None
        The stored positions; None for the positions of nonzero values.

    Returns
    -------
    BaseSparseNDArray
        The array.
    """
    array._places = places
    return array


def copy_places(source: Any, target: Any) -> Any:
    """Copy the stored positions to another array of the same storage type, and return the other array.

    Parameters
    ----------
    source, target : NDArray
        The array with the stored positions, and the array to change. If the storage types differ or the target is
        dense, the target stays unchanged.

    Returns
    -------
    NDArray
        The target.
    """
    if isinstance(target, BaseSparseNDArray) and target.stype == getattr(source, "stype", None):
        target._places = getattr(source, "_places", None)
    return target


def places_of_sum(arrays: Sequence[Any]) -> Places:
    """Return the stored positions of a sum of arrays.

    Parameters
    ----------
    arrays : sequence of NDArray
        The terms.

    Returns
    -------
    array or None
        The row indices that at least one term stores, or None if a term is not row-sparse.
    """
    alike = all(isinstance(array, RowSparseNDArray) for array in arrays)
    return union(*[array._stored() for array in arrays]) if alike else None


def held(array: Any) -> Held:
    """Return the properties of an input that determine the stored positions of a result.

    Parameters
    ----------
    array : NDArray or None
        The input, or None for an absent input.

    Returns
    -------
    Held
        The properties.
    """
    if array is None:
        return Held("default", ())
    positions = array._stored() if isinstance(array, BaseSparseNDArray) else None
    return Held(array.stype, array.shape, positions, array._data)


#: The operators of equal shapes, which keep more storage types, by broadcasting operator.
_OF_ONE_SHAPE = {f"broadcast_{name}": f"elemwise_{name}" for name in ("add", "sub", "mul", "div")}


def _operation(name: str, array: Any, other: Any) -> tuple[Operator, tuple[Any, ...], dict[str, Any]]:
    """Return MXNet's operator for an arithmetic method, with its inputs and attributes."""
    of_arrays, of_number = ARITHMETIC[name]
    if not isinstance(other, NDArray):
        return get_operator(of_number), (array,), {"scalar": float(other)}
    operands = (other, array) if name.startswith("r") else (array, other)
    alike = other.shape == array.shape and isinstance(operands[0], BaseSparseNDArray)
    return get_operator(_OF_ONE_SHAPE.get(of_arrays, of_arrays) if alike else of_arrays), operands, {}


def _keeping(name: str) -> Callable[[Any, Any], Any]:
    """Return an arithmetic method that preserves the storage type where MXNet does."""
    compute = getattr(NDArray, f"__{name}__")

    def method(self: Any, other: Any) -> Any:
        result = compute(self, other)
        return keep_storage(*_operation(name, self, other), result)

    return method


def _keeping_in_place(name: str, plain: str) -> Callable[[Any, Any], Any]:
    """Return an in-place method such as ``__iadd__``, after which the array has the stored positions of the result."""
    compute = getattr(NDArray, f"__{name}__")

    def method(self: Any, other: Any) -> Any:
        supported = isinstance(other, NDArray | numbers.Number)  # the method raises an error for all other types
        storage = storage_of_call(*_operation(plain, self, other), self.shape) if supported else None
        result = compute(self, other)
        if storage is not None and storage[0] == self.stype:
            give_storage(self, *storage)
        return result

    return method


for _name in ARITHMETIC:
    setattr(BaseSparseNDArray, f"__{_name}__", _keeping(_name))
for _name, (_function, _method) in IN_PLACE.items():
    setattr(BaseSparseNDArray, f"__{_name}__", _keeping_in_place(_name, _method.strip("_")))


class RowSparseNDArray(BaseSparseNDArray):
    """An array of the storage type ``row_sparse``. All rows that the array doesn't store are zero."""

    __slots__ = ()
    _stype = "row_sparse"

    @property
    def indices(self) -> NDArray:
        """The indices of the stored rows."""
        return _on(self._ctx, self._stored())

    @property
    def data(self) -> NDArray:
        """The values of the stored rows."""
        return wrap(NDArray, self._data[self.indices._data], self._ctx)

    def retain(self, indices: Any, out: Any = None, name: str | None = None) -> RowSparseNDArray:
        """Return an array with the selected rows. All other rows are zero; see ``nd.sparse.retain``."""
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
        if isinstance(value, numbers.Number):
            self._places = numpy.arange(len(self))  # as in MXNet, including zeros

    _out_of_order = (
        "Check failed: err != kRSPIdxErr (5 vs. 5) : Indices of row_sparse NDArray should be non-negative, less than "
        "the size of first dimension and in ascending order"
    )

    def _is_in_order(self) -> bool:
        return bool((numpy.diff(self._stored()) > 0).all())

    def _saved(self) -> SavedArray:
        indices = self._stored()
        return SavedArray(
            data=array_modules.asnumpy(self._data)[indices], device_type=self._ctx.device_typeid,
            device_id=self._ctx.device_id, storage="row_sparse", aux=(indices,), shape=self.shape,
        )  # fmt: skip


class CSRNDArray(BaseSparseNDArray):
    """A matrix in compressed sparse row form."""

    __slots__ = ()
    _stype = "csr"

    def __getitem__(self, key: Any) -> Any:
        """Return rows of the matrix as a CSR matrix. A single row also has two axes."""
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
                raise IndexError(f"row {begin} is out of bounds for a matrix with {counted(len(self), 'row')}")
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
        """Return the matrix as a ``scipy.sparse.csr_matrix``.

        Raises
        ------
        ImportError
            If SciPy, which is an optional dependency, is not installed.
        """
        try:
            from scipy.sparse import csr_matrix  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            error.add_note("Install SciPy with `pip install scipy`, or call x.asnumpy() instead of x.asscipy().")
            raise
        data, pointers, columns = self._parts()
        return csr_matrix((data, columns, pointers), shape=self.shape, dtype=data.dtype)

    _out_of_order = (
        "Check failed: err != kCSRIdxErr (3 vs. 3) : Indices of csr NDArray should be non-negative, in ascending order "
        "per row  and less than the number of columns."
    )

    def _is_in_order(self) -> bool:
        places = self._stored()
        return bool((numpy.diff(rows_of(places) * self.shape[1] + places[1]) > 0).all())

    def _parts(self) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        places = self._stored()
        return array_modules.asnumpy(self._data)[rows_of(places), places[1]], *places

    @property
    def data(self) -> NDArray:
        """The stored values."""
        return _on(self._ctx, self._parts()[0])

    @property
    def indptr(self) -> NDArray:
        """The start of each row in ``data``."""
        return _on(self._ctx, self._parts()[1])

    @property
    def indices(self) -> NDArray:
        """The column of each stored value."""
        return _on(self._ctx, self._parts()[2])

    def _saved(self) -> SavedArray:
        data, pointers, columns = self._parts()
        return SavedArray(
            data=data, device_type=self._ctx.device_typeid, device_id=self._ctx.device_id, storage="csr",
            aux=(pointers, columns), shape=self.shape,
        )  # fmt: skip


_CLASSES = {"row_sparse": RowSparseNDArray, "csr": CSRNDArray}


def as_sparse(array: NDArray, stype: str) -> Any:
    """Return an array with the same values and a sparse storage type.

    Parameters
    ----------
    array : NDArray
        The array.
    stype : {"row_sparse", "csr"}
        The storage type.

    Returns
    -------
    BaseSparseNDArray
        The sparse array.

    Raises
    ------
    ValueError
        If the storage type is ``csr`` and the array is not a matrix.
    """
    if stype == "csr" and array.ndim != 2:
        raise ValueError(f"csr storage requires a matrix, but the array has shape {array.shape}")
    array_modules.use(array._ctx)
    return copy_places(array, wrap(_CLASSES[stype], array._data.copy(), array._ctx))


def _on(ctx: Context, raw: numpy.ndarray) -> NDArray:
    return wrap(NDArray, array_modules.to_context(raw, ctx), ctx)


def from_saved(saved: SavedArray) -> Any:
    """Return a sparse array from its representation in a file."""
    values = saved.to_dense()
    return with_places(wrap(_CLASSES[saved.storage], values, cpu()), _places_in(saved))


def _places_in(saved: SavedArray) -> Places:
    """Return the stored positions from a file. An array of zeros may lack row pointers."""
    aux = [part.astype(numpy.int64) for part in saved.aux]
    if saved.storage == "row_sparse":
        return aux[0]
    return (aux[0], aux[1]) if len(aux[0]) else None


# --- results -----------------------------------------------------------------------------------------


def keep_storage(op: Operator, arrays: Sequence[Any], params: dict[str, Any], result: Any) -> Any:
    """Set the storage type and the stored positions of an operator's result, as in MXNet.

    Parameters
    ----------
    op : Operator
        The operator.
    arrays : sequence of NDArray
        The inputs, at least one of which is sparse.
    params : dict
        The operator's attributes.
    result : NDArray
        The result. Its class changes in place.

    Returns
    -------
    NDArray
        ``result``.
    """
    if type(result) is NDArray:
        give_storage(result, *storage_of_call(op, arrays, params, result.shape))
    return result


def storage_of_call(
    op: Operator, arrays: Sequence[Any], params: dict[str, Any], shape: tuple[int, ...]
) -> tuple[str, Places]:
    """Return the storage type of a result, and the stored positions if the result is sparse.

    Parameters
    ----------
    op : Operator
        The operator.
    arrays : sequence of (NDArray or None)
        The inputs.
    params : dict
        The operator's attributes.
    shape : tuple of int
        The shape of the result.

    Returns
    -------
    tuple of (str, array), (str, tuple of array), or (str, None)
        The storage type, and the stored positions, or None for a dense result.
    """
    inputs = [Stored("default", ()) if array is None else Stored(array.stype, array.shape) for array in arrays]
    stype = storage_of_result(op, inputs, params, shape)
    if stype == "default":
        return stype, None
    return stype, places_of_result(op, [held(array) for array in arrays], params, stype)


def give_storage(array: NDArray, stype: str, places: Places = None) -> None:
    """Set the storage type and the stored positions of a newly computed array.

    Parameters
    ----------
    array : NDArray
        The array.
    stype : str
        The storage type.
    places : array, tuple of array or None
        The stored positions; by default, the positions of nonzero values.
    """
    array.__class__ = _CLASSES.get(stype, NDArray)
    if stype != "default":
        array._places = places
        if places is not None:
            clear_others(array._data, stype, places)
