"""One array of a file, and the constants of the format."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy

from d2lhybrid.error import MXNetError

from .limits import limits

__all__ = ["BFLOAT16", "FILE_MAGIC", "STORAGE_TYPES", "V1", "V2", "V3", "Buffer", "SavedArray", "Storage"]

Storage: TypeAlias = Literal["default", "row_sparse", "csr"]
Buffer: TypeAlias = bytes | bytearray | memoryview

#: The first word of a file.
FILE_MAGIC = 0x112
#: The first word of an array, which the oldest version, V0, lacks.
V1, V2, V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA
#: The codes of the storage types, each equal to its number of auxiliary arrays.
STORAGE_TYPES: dict[Storage, int] = {"default": 0, "row_sparse": 1, "csr": 2}
#: The type flag of bfloat16, which NumPy lacks.
BFLOAT16 = 12


@dataclass(frozen=True, eq=False)
class SavedArray:
    """One array of a saved file.

    Parameters
    ----------
    data : numpy.ndarray or None
        The values, or the stored values of a sparse array; None for an array that has no values yet.
    device_type, device_id : int
        The array's device: 1 for cpu, 2 for gpu, and 3 for cpu_pinned. Other numbers in a file are kept, too. MXNet
        loads arrays with such numbers on the CPU.
    storage : {"default", "row_sparse", "csr"}
        The storage type.
    aux : tuple of numpy.ndarray
        The row indices of a row_sparse array, or the row pointers and column indices of a csr array.
    shape : tuple of int
        The shape of the whole array; optional for a dense array.
    version : int
        The version of the file format (0 to 3) from which the array was read. Writers ignore this number.
    """

    data: numpy.ndarray | None
    device_type: int = 1
    device_id: int = 0
    storage: Storage = "default"
    aux: tuple[numpy.ndarray, ...] = ()
    shape: tuple[int, ...] = ()
    version: int = 2

    def __post_init__(self) -> None:
        if self.storage == "default" and self.data is not None:
            object.__setattr__(self, "shape", self.data.shape)

    @property
    def dense_bytes(self) -> int:
        """The size of the whole array in bytes, including the zeros of a sparse array."""
        return 0 if self.data is None else math.prod(self.shape) * self.data.itemsize

    @property
    def stored_bytes(self) -> int:
        """The size of the stored data in bytes."""
        return 0 if self.data is None else self.data.nbytes + sum(a.nbytes for a in self.aux)

    def to_dense(self) -> numpy.ndarray | None:
        """Return the values of the array as a dense array, or None if the array has no values.

        Raises
        ------
        MXNetError
            If the dense array would be far larger than the stored data, or does not fit into memory.

        Examples
        --------
        >>> rows = SavedArray(numpy.ones((1, 2)), storage="row_sparse", aux=(numpy.array([1]),), shape=(2, 2))
        >>> rows.to_dense()
        array([[0., 0.],
               [1., 1.]])
        """
        if self.storage == "default" or self.data is None:
            return self.data
        what = f"Failed to allocate CPU Memory: the dense form of a {self.storage} array of shape {self.shape}"
        limits.check_expansion(self.dense_bytes, self.stored_bytes, what)
        try:
            dense = numpy.zeros(self.shape, self.data.dtype)
        except (MemoryError, ValueError) as reason:
            raise MXNetError(f"{what} does not fit into memory") from reason
        if self.storage == "row_sparse":
            dense[self.aux[0]] = self.data
        elif self.data.size:
            row_pointers, columns = self.aux
            rows = numpy.repeat(numpy.arange(self.shape[0]), numpy.diff(row_pointers))
            dense[rows, columns] = self.data
        return dense
