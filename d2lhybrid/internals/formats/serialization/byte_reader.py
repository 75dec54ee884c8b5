"""A stream reader that compares every declared size with the remaining bytes."""

from __future__ import annotations

import math
import struct
from io import BufferedIOBase
from typing import NoReturn

import numpy

from d2lhybrid.error import MXNetError

from ...support.dtypes import dtype_from_code
from ...support.plural import counted
from .saved_array import BFLOAT16

__all__ = ["MAX_DIMENSIONS", "ByteReader"]

#: NumPy's largest number of dimensions.
MAX_DIMENSIONS = 64


class ByteReader:
    """A reader of numbers, shapes, and values, which raises MXNet's errors with a note about the byte position.

    Parameters
    ----------
    stream : io.BufferedIOBase
        The binary stream to read from.
    size : int
        The number of bytes in the stream.
    path : str, optional
        The name of the file; None for a buffer.

    Attributes
    ----------
    stage : str
        MXNet's description of the item that is being read, for MXNet's message about a short file.
    what : str
        The description of the item that is being read, for the note.
    """

    position: int

    def __init__(self, stream: BufferedIOBase, size: int, path: str | None):
        self._stream = stream
        self._size = size
        self._path = path
        self.position = 0
        self.stage = "&header"
        self.what = "the file's header"

    @property
    def left(self) -> int:
        """The number of bytes that haven't been read."""
        return self._size - self.position

    def fail(self, note: str, message: str = "", position: int | None = None) -> NoReturn:
        """Raise an error with MXNet's message and a note about the position.

        Parameters
        ----------
        note : str
            Description of the problem.
        message : str
            MXNet's message; empty for ``Invalid NDArray file format``.
        position : int, optional
            Byte offset of the problem; by default, the current position.

        Raises
        ------
        MXNetError
            Always.
        """
        error = MXNetError(message or f"Check failed: fi->Read({self.stage}): Invalid NDArray file format")
        position = self.position if position is None else position
        source = "the buffer" if self._path is None else f'"{self._path}"'
        error.add_note(f"At byte {position} of {source} ({self._size} bytes), {self.what}: {note}")
        raise error

    def need(self, count: int, of_what: str) -> None:
        """Raise an error unless the stream has enough bytes left.

        Parameters
        ----------
        count : int
            Number of bytes.
        of_what : str
            Description of the bytes, for the note.

        Raises
        ------
        MXNetError
            If fewer bytes are left.
        """
        if count > self.left:
            message = "Check failed: curr_ptr_ + size <= buffer_size_: " if self._path is None else ""
            self.fail(
                f"reading {of_what} requires {counted(count, 'byte')}, but the input has only "
                f"{counted(self.left, 'byte')} left.",
                message,
            )

    def take(self, count: int, of_what: str) -> bytes:
        """Return the next `count` bytes.

        Parameters
        ----------
        count : int
            Number of bytes.
        of_what : str
            Description of the bytes, for the error message.

        Returns
        -------
        bytes
            Exactly `count` bytes.
        """
        self.need(count, of_what)
        taken = self._stream.read(count)
        self._advance(len(taken), count, of_what)
        return taken

    def _advance(self, got: int, count: int, of_what: str) -> None:
        if got < count:  # another process has truncated the file
            self._size = self.position + got
            self.need(count, of_what)
        self.position += count

    def unpack(self, layout: str, of_what: str) -> tuple[int, ...]:
        """Read the next numbers, and return them.

        Parameters
        ----------
        layout : str
            Format of :mod:`struct`.
        of_what : str
            Description of the numbers, for the error message.

        Returns
        -------
        tuple of int
            The numbers, in the order of the layout.
        """
        return struct.unpack(layout, self.take(struct.calcsize(layout), of_what))

    def shape(self, of_what: str) -> tuple[int, ...] | None:
        """Read the next shape, and return it.

        Parameters
        ----------
        of_what : str
            Description of the shape, for the error message.

        Returns
        -------
        tuple of int, or None
            The shape, or None for an unknown shape (-1 dimensions).
        """
        (dimensions,) = self.unpack("<i", f"the number of dimensions of {of_what}")
        if dimensions == -1:
            return None
        if dimensions < -1:
            self.fail(
                f"{of_what} has {dimensions} dimensions.",
                f"Check failed: ndim >= -1 ({dimensions} vs. -1) : ndim cannot be less than -1, received {dimensions}",
            )
        self.need(8 * dimensions, of_what)
        if dimensions > MAX_DIMENSIONS:
            self.fail(f"{of_what} has {dimensions} dimensions, but at most {MAX_DIMENSIONS} are allowed.")
        shape = self.unpack(f"<{dimensions}q", of_what)
        smallest = min(shape, default=0)
        if smallest < -1:
            self.fail(
                f"{of_what} is {shape}.",
                f"Check failed: dim_size >= -1 ({smallest} vs. -1) : shape dim size must be >= -1, "
                f"while received {smallest}",
            )
        if smallest == -1:
            self.fail(
                f"{of_what} is {shape}.",
                "Check failed: dim_size_is_known(*it): Shape dim size cannot be a negative value -1",
            )
        return shape

    def values(self, flag: int, shape: tuple[int, ...], of_what: str) -> numpy.ndarray:
        """Read the next array of values, and return it.

        Memory is allocated only if the stream has enough bytes.

        Parameters
        ----------
        flag : int
            MXNet's code of the element type.
        shape : tuple of int
            Shape of the array.
        of_what : str
            Description of the array, for the error message.

        Returns
        -------
        numpy.ndarray
            The array in the machine's byte order; bfloat16 values become float32.
        """
        if flag == BFLOAT16:
            # bfloat16 is the upper half of a float32.
            halves = self._raw(numpy.dtype("<u2"), shape, of_what)
            return (halves.astype(numpy.uint32) << 16).view(numpy.float32)
        dtype = self.dtype(flag)
        if dtype == numpy.bool_:
            # Bytes other than 0 and 1 would make an invalid boolean array.
            return self._raw(numpy.dtype(numpy.uint8), shape, of_what).astype(bool)
        return self._raw(dtype.newbyteorder("<"), shape, of_what).astype(dtype, copy=False)

    def dtype(self, flag: int) -> numpy.dtype:
        """Return the element type of a type flag that has just been read.

        Parameters
        ----------
        flag : int
            MXNet's code of the element type.

        Returns
        -------
        numpy.dtype
            The element type.
        """
        try:
            return dtype_from_code(flag)
        except ValueError as reason:
            self.fail(f"{reason}.", f"Unknown type enum {flag}")

    def _raw(self, dtype: numpy.dtype, shape: tuple[int, ...], of_what: str) -> numpy.ndarray:
        count = math.prod(shape)
        size = count * dtype.itemsize
        of_what = f"{of_what} of shape {shape}"
        self.need(size, of_what)
        try:
            flat = numpy.empty(count, dtype)
            array = flat.reshape(shape)
        except (ValueError, MemoryError) as reason:
            self.fail(f"{of_what} does not fit into memory ({reason}).", "Failed to allocate CPU Memory")
        self._advance(self._stream.readinto(flat.view(numpy.uint8).data), size, of_what)
        return array
