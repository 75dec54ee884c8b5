"""Sparse storage types, with dense values in memory.

Arrays of the storage types ``row_sparse`` and ``csr`` are printed and saved as in MXNet, so MXNet's programs and files
work. Each array records which values are stored, including zeros. Results have MXNet's storage types and stored
positions (:mod:`~d2lhybrid.internals.ops.stored_places`). All operators compute with dense values, so sparse arrays
save neither memory nor time.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy

from ..context import Context
from ..internals.core.invoke import invoke
from ..internals.core.operator import get_operator
from ..internals.core.tape import is_tracked, state
from ..internals.ops.stored_places import places_of_values
from ..internals.support.plural import counted
from ._functions import operators as _operators
from .ndarray import NDArray
from .ndarray import array as dense_array
from .ndarray import zeros as dense_zeros
from .numbers_of_c import (  # noqa: F401  programs import them from here
    _DTYPE_MX_TO_NP,
    _DTYPE_NP_TO_MX,
    _STORAGE_AUX_TYPES,
    _STORAGE_TYPE_CSR,
    _STORAGE_TYPE_DEFAULT,
    _STORAGE_TYPE_ROW_SPARSE,
    _STORAGE_TYPE_STR_TO_ID,
    _STORAGE_TYPE_UNDEFINED,
)
from .sparse_arrays import (
    BaseSparseNDArray,
    CSRNDArray,
    RowSparseNDArray,
    as_sparse,
    from_saved,
    keep_storage,
    with_places,
)
from .storage import Stored, storage_of_result

__all__ = [
    "BaseSparseNDArray", "CSRNDArray", "RowSparseNDArray", "add", "array", "as_sparse", "cast_storage", "csr_matrix",
    "divide", "empty", "from_saved", "is_scipy_csr", "keep_storage", "multiply", "retain", "row_sparse_array",
    "subtract", "zeros",
]  # fmt: skip

_SPARSE = ("row_sparse", "csr")


def row_sparse_array(arg1: Any, shape: Any = None, ctx: Context | None = None, dtype: Any = None) -> RowSparseNDArray:
    """Create a row-sparse array from dense values, from stored rows, or from a shape.

    Parameters
    ----------
    arg1 : array-like or tuple
        Dense values; ``(data, indices)`` with the stored rows and their indices; or the shape of an array of zeros.
    shape : tuple of int, optional
        Shape of the array; by default, the smallest shape that contains all stored rows.
    ctx : Context, optional
        The device; the current device by default.
    dtype : data type, optional
        The element type; by default, the element type of an array, or float32 for lists.

    Returns
    -------
    RowSparseNDArray
        An array that stores the specified rows, or the nonzero rows of dense values.

    Raises
    ------
    ValueError
        If the values do not fit the shape.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.sparse.row_sparse_array(([[1, 2]], [1]), shape=(3, 2)).asnumpy()
    array([[0., 0.],
           [1., 2.],
           [0., 0.]], dtype=float32)
    """
    if not isinstance(arg1, tuple) or isinstance(arg1[0], int):
        return _of_values(arg1, RowSparseNDArray, shape, ctx, dtype)
    if len(arg1) != 2:
        raise ValueError(f"Unexpected length of input tuple: {len(arg1)}")
    data, places = dense_array(arg1[0], ctx, _type_of(arg1[0], dtype)), _places(arg1[1])
    size = tuple(shape or (int(places.max(initial=-1)) + 1, *data.shape[1:]))
    if places.ndim != 1:
        raise ValueError(f"indices must have 1 axis, not {places.ndim}")
    if data.shape != (len(places), *size[1:]):
        raise ValueError(
            f"data must have the shape {(len(places), *size[1:])}, with one slice for each index, not {data.shape}"
        )
    _check_range("row", places, size[0])
    values = numpy.zeros(size, data._data.dtype)
    values[places] = data.asnumpy()
    return with_places(as_sparse(dense_array(values, ctx, data.dtype), "row_sparse"), places)


def csr_matrix(arg1: Any, shape: Any = None, ctx: Context | None = None, dtype: Any = None) -> CSRNDArray:
    """Create a CSR matrix from dense values, from stored values, from a shape, or from a SciPy matrix.

    Parameters
    ----------
    arg1 : array-like, tuple or scipy.sparse.csr_matrix
        Dense values; ``(data, indices, indptr)``; ``(data, (row, column))``; the shape of a matrix of zeros; or a SciPy
        matrix.
    shape : tuple of int, optional
        Shape of the matrix; by default, the smallest shape that fits.
    ctx : Context, optional
        The device; the current device by default.
    dtype : data type, optional
        The element type; by default, the element type of an array, or float32 for lists. Lists in the form
        ``(data, (row, column))`` have NumPy's element type for ``data``.

    Returns
    -------
    CSRNDArray
        A matrix that stores the specified elements, or the nonzero elements of dense values.

    Raises
    ------
    ValueError
        If the values do not fit the shape.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.sparse.csr_matrix(([1.0, 2.0], ([0, 1], [2, 0]))).asnumpy()
    array([[0., 0., 1.],
           [2., 0., 0.]])
    """
    if is_scipy_csr(arg1):
        _check_shape(arg1.shape, shape)
        dtype = arg1.dtype if dtype is None else dtype
        shape, arg1 = arg1.shape, (arg1.data, arg1.indices, arg1.indptr)
    stored = None
    match arg1 if isinstance(arg1, tuple | list) else None:  # some libraries register arrays as sequences
        case data, columns, pointers:
            dtype = _type_of(data, dtype)
            data, columns, pointers = _plain(data), _places(columns), _places(pointers)
            counts = _counts(len(data), len(columns), pointers)
            size = shape or (len(counts), int(columns.max(initial=-1)) + 1)
            rows = numpy.repeat(numpy.arange(len(counts)), counts)
            stored = pointers, columns
        case data, (_, _) as places:
            data, (rows, columns) = _plain(data), map(_places, places)
            dtype = data.dtype if dtype is None else dtype
            size = shape or (int(rows.max(initial=-1)) + 1, int(columns.max(initial=-1)) + 1)
        case _:
            return _of_values(arg1, CSRNDArray, shape, ctx, dtype)
    if len(size) != 2:
        raise ValueError(f"invalid shape {tuple(size)}: a csr matrix must have 2 axes")
    _check_range("row", rows, size[0])
    _check_range("column", columns, size[1])
    values = numpy.zeros(size, data.dtype)
    numpy.add.at(values, (rows, columns), data)  # duplicate entries are summed
    if (
        stored is None
        or len(stored[0]) != size[0] + 1
        or len({*zip(rows.tolist(), columns.tolist(), strict=False)}) < len(rows)
    ):
        named = numpy.zeros(size, bool)
        named[rows, columns] = True
        stored = places_of_values(named, "csr")
    return with_places(as_sparse(dense_array(values, ctx, dtype), "csr"), stored)


def _counts(values: int, columns: int, pointers: numpy.ndarray) -> numpy.ndarray:
    """Return the number of values in each row of a CSR matrix; raise an error if the three arrays don't fit."""
    counts = numpy.diff(pointers)
    if not len(pointers):
        problem = "indptr must not be empty"
    elif pointers[0]:
        problem = f"indptr must begin with 0, not {pointers[0]}"
    elif (counts < 0).any():
        i = int(counts.argmin())
        problem = f"indptr must not decrease, but it contains {pointers[i]} before {pointers[i + 1]}"
    elif not values == columns == pointers[-1]:
        problem = (
            f"data has {counted(values, 'element')} and indices has {columns}, but each must have {pointers[-1]}, the "
            "last number in indptr"
        )
    else:
        return counts
    raise ValueError(f"invalid CSR arrays: {problem}")


def _of_values(arg1: Any, kind: type[BaseSparseNDArray], shape: Any, ctx: Any, dtype: Any) -> Any:
    """Return a sparse array from dense values, from a sparse array of the same type, or from the shape of zeros."""
    if isinstance(arg1, tuple):
        _check_shape(arg1, shape)
        return zeros(kind._stype, arg1, ctx, dtype)
    if isinstance(arg1, BaseSparseNDArray) and not isinstance(arg1, kind):
        raise ValueError(f"Unexpected input type: {type(arg1).__name__}")
    values = dense_array(arg1, ctx, _type_of(arg1, dtype))
    _check_shape(values.shape, shape)
    return as_sparse(values, kind._stype)  # a sparse array keeps its stored positions


def _check_shape(found: Any, expected: Any) -> None:
    if expected is not None and tuple(expected) != tuple(found):
        raise ValueError(f"Shape mismatch detected. {tuple(found)} v.s. {tuple(expected)}")


def _check_range(name: str, numbers: numpy.ndarray, count: int) -> None:
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < count:
        error = ValueError(f"{name} index exceeds matrix dimensions")
        error.add_note(
            f"The {name} indices range from {numbers.min()} to {numbers.max()}. They must be at least 0 and less than "
            f"{count}."
        )
        raise error


def _type_of(values: Any, dtype: Any) -> Any:
    """Return the requested element type; by default, the element type of an array, or None (float32) for lists."""
    return getattr(values, "dtype", None) if dtype is None else dtype


def is_scipy_csr(value: Any) -> bool:
    """Return whether a value is a SciPy CSR matrix. SciPy need not be installed.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    bool
        Whether the value is a CSR matrix of SciPy.
    """
    return type(value).__module__.startswith("scipy.sparse") and value.format == "csr"


def _plain(values: Any) -> numpy.ndarray:
    return values.asnumpy() if isinstance(values, NDArray) else numpy.asarray(values)


def _places(values: Any) -> numpy.ndarray:
    return _plain(values).astype(numpy.int64)


def cast_storage(data: NDArray, stype: str, out: Any = None, name: str | None = None) -> Any:
    """Convert an array to a storage type. The result is a new array, or ``out``.

    Parameters
    ----------
    data : NDArray
        The array.
    stype : {"default", "row_sparse", "csr"}
        The storage type.
    out : NDArray, optional
        The array to write the result to. It keeps its own storage type.
    name : str, optional
        Unused.

    Returns
    -------
    NDArray
        The converted array.

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
        params = op.parse({"stype": stype})
        return keep_storage(op, (data,), params, invoke(op, (data,), params, NDArray))
    return data.tostype(stype)


cast_storage.operator = get_operator("cast_storage")  # type: ignore[attr-defined]  # whose function of arrays it is


def retain(data: Any, indices: Any, out: Any = None, name: str | None = None) -> Any:
    """Return a row-sparse array with the selected rows. All other rows are zero.

    Parameters
    ----------
    data : RowSparseNDArray
        The array.
    indices : NDArray
        Indices of the rows. Invalid indices are ignored.
    out : RowSparseNDArray, optional
        The array to write the result to.
    name : str, optional
        Unused.

    Returns
    -------
    RowSparseNDArray
        The array with the selected rows.

    Raises
    ------
    MXNetError
        If the storage type of the array is not row-sparse.
    AssertionError
        If an argument is not an NDArray.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> x = nd.array([[1, 2], [3, 4], [5, 6]]).tostype("row_sparse")
    >>> nd.sparse.retain(x, nd.array([0, 2])).indices.asnumpy()
    array([0, 2])
    """
    for argument, value in (("data", data), ("indices", indices)):
        if not isinstance(value, NDArray):
            raise AssertionError(f"Argument {argument} must have NDArray type, but got {value}")
    op, inputs = get_operator("_sparse_retain"), [Stored(one.stype, one.shape) for one in (data, indices)]
    storage_of_result(op, inputs, {}, data.shape)  # refuses other storage types
    return keep_storage(op, (data, indices), {}, invoke(op, (data, indices), {}, NDArray, out))


def _function(compute: Callable[[Any, Any], Any], word: str) -> Callable[[Any, Any], Any]:
    """Create an arithmetic function of arrays and numbers that preserves the storage type where MXNet does."""

    def function(lhs: Any, rhs: Any) -> Any:
        if isinstance(rhs, BaseSparseNDArray) and type(lhs) is NDArray and lhs.shape == rhs.shape and word == "*":
            return rhs * lhs  # with equal shapes, either factor keeps the storage type
        return compute(lhs, rhs)

    function.__name__ = function.__qualname__ = {"*": "multiply", "/": "divide", "+": "add", "-": "subtract"}[word]
    function.__doc__ = f"""Return ``lhs {word} rhs``, with the storage type of the operands if MXNet preserves it.

    Parameters
    ----------
    lhs, rhs : NDArray, RowSparseNDArray, CSRNDArray or number
        The operands.
    """
    return function


add: Callable[[Any, Any], Any] = _function(operator.add, "+")
subtract: Callable[[Any, Any], Any] = _function(operator.sub, "-")
multiply: Callable[[Any, Any], Any] = _function(operator.mul, "*")
divide: Callable[[Any, Any], Any] = _function(operator.truediv, "/")


def zeros(stype: str, shape: Any, ctx: Context | None = None, dtype: Any = None, **kwargs: Any) -> Any:
    """Return an array of zeros with the given storage type.

    Parameters
    ----------
    stype : {"default", "row_sparse", "csr"}
        The storage type.
    shape, ctx, dtype, **kwargs
        Arguments of :func:`d2lhybrid.ndarray.zeros`.

    Returns
    -------
    NDArray
        An array of the storage type, which stores no elements if it is sparse.

    Raises
    ------
    ValueError
        If the storage type is unknown.
    """
    if stype not in ("default", *_SPARSE):
        error = ValueError(f"unknown storage type: {stype}")
        error.add_note(f"Use one of {', '.join(('default', *_SPARSE))}.")
        raise error
    array = dense_zeros(shape, ctx, dtype, **kwargs)
    return array if stype == "default" else as_sparse(array, stype)


def empty(stype: str, shape: Any, ctx: Context | None = None, dtype: Any = None) -> Any:
    """Return a sparse array without stored elements. All elements are zero.

    Parameters
    ----------
    stype : {"row_sparse", "csr"}
        The storage type.
    shape, ctx, dtype
        Arguments of :func:`d2lhybrid.ndarray.zeros`.

    Returns
    -------
    NDArray
        An array of the storage type.

    Raises
    ------
    ValueError
        If the storage type is unknown or ``"default"``.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.sparse.empty("csr", (2, 3)).asnumpy()
    array([[0., 0., 0.],
           [0., 0., 0.]], dtype=float32)
    """
    if stype not in _SPARSE:
        error = ValueError(f"unknown stype : {stype}")
        error.add_note(f"Use one of {', '.join(_SPARSE)}, or nd.empty(shape) for a dense array.")
        raise error
    return zeros(stype, shape, ctx, dtype)


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> Any:
    """Return a copy of a sparse array, or of a SciPy CSR matrix.

    Parameters
    ----------
    source_array : BaseSparseNDArray, scipy.sparse.csr_matrix or array-like
        The array to copy. Dense values are converted to a CSR matrix.
    ctx : Context, optional
        Device of the copy; by default, the current context.
    dtype : dtype, optional
        Element type; by default, the type of ``source_array``.

    Returns
    -------
    BaseSparseNDArray
        The copy.
    """
    if isinstance(source_array, BaseSparseNDArray):
        return as_sparse(dense_array(source_array, ctx, dtype), source_array.stype)
    return csr_matrix(source_array if is_scipy_csr(source_array) else numpy.asarray(source_array), ctx=ctx, dtype=dtype)


_own = _operators("sparse", __name__, globals())


def __getattr__(name: str) -> Any:
    """Return an operator of ``nd``, or a function that only ``nd.sparse`` has."""
    from .. import ndarray

    return _own.get(name) if name == "adagrad_update" else getattr(ndarray, name)
