"""The reader of row_sparse and csr arrays, with checks that their indices are valid."""

from __future__ import annotations

from typing import TypeAlias

import numpy

from .byte_reader import ByteReader
from .saved_array import STORAGE_TYPES, SavedArray, Storage

__all__ = ["read_sparse"]

_Shape: TypeAlias = tuple[int, ...]


def read_sparse(reader: ByteReader, storage: Storage) -> SavedArray | None:
    """Read a sparse array from a reader that has already read the storage type.

    Parameters
    ----------
    reader : ByteReader
        The reader, after the storage type.
    storage : str
        The storage type.

    Returns
    -------
    SavedArray or None
        The array, or None if it has no values.
    """
    stored = reader.shape("the shape of the values") or ()
    shape = reader.shape("the shape")
    if not shape:
        return None
    device_type, device_id, flag = reader.unpack("<3i", "context and element type")
    aux_flags, aux_shapes = [], []
    for _ in range(STORAGE_TYPES[storage]):
        (aux_flag,) = reader.unpack("<i", "the element type of the indices")
        if reader.dtype(aux_flag).kind != "i":
            reader.fail(
                f"the element type of the indices must be a signed integer type, not {reader.dtype(aux_flag)}.",
                position=reader.position - 4,
            )
        aux_flags.append(aux_flag)
        aux_shapes.append(reader.shape("the shape of the indices") or ())
    check_shapes = _check_rows if storage == "row_sparse" else _check_csr
    if wrong := check_shapes(stored, shape, aux_shapes):
        reader.fail(wrong)
    data = reader.values(flag, stored, "values")
    aux = tuple(
        reader.values(aux_flag, aux_shape, "indices") for aux_flag, aux_shape in zip(aux_flags, aux_shapes, strict=True)
    )
    if wrong := _check_indices(storage, shape, aux):
        reader.fail(wrong)
    return SavedArray(data, device_type, device_id, storage, aux, shape)


def _check_rows(stored: _Shape, shape: _Shape, aux: list[_Shape]) -> str | None:
    """Return an error message about the shapes of a row_sparse array, or None if they are valid."""
    if not stored or stored[1:] != shape[1:] or aux[0] != stored[:1]:
        return f"indices of shape {aux[0]} and values of shape {stored} do not fit a row_sparse array of shape {shape}."
    return None


def _check_csr(stored: _Shape, shape: _Shape, aux: list[_Shape]) -> str | None:
    """Return an error message about the shapes of a csr array, or None if they are valid."""
    pointers, columns = aux
    if len(shape) != 2 or len(stored) != 1 or columns != stored:
        return (
            f"column indices of shape {columns} and values of shape {stored} do not fit a csr array of shape {shape}."
        )
    # A csr array without stored values may have no row pointers.
    if pointers != (shape[0] + 1,) and not pointers == stored == (0,):
        return f"the row pointers of a csr array of shape {shape} must have shape {(shape[0] + 1,)}, not {pointers}."
    return None


def _check_indices(storage: Storage, shape: _Shape, aux: tuple[numpy.ndarray, ...]) -> str | None:
    """Return an error message about the values of the indices, or None if they are valid."""
    indices = aux[-1]
    size = shape[0] if storage == "row_sparse" else shape[1]
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        return f"indices must be from 0 to {size - 1}, but they are from {indices.min()} to {indices.max()}."
    if storage == "csr" and aux[0].size:
        pointers = aux[0]
        if pointers[0] != 0 or pointers[-1] != indices.size or (pointers[1:] < pointers[:-1]).any():
            return f"row pointers must begin with 0, end with {indices.size}, and never decrease."
    return None
