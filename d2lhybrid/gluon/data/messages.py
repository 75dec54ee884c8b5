"""The protocol that the processes of a loader use to exchange item indices and batches.

Objects are pickled, except for large arrays, which are copied once into shared memory and once out of it. Each array of
a batch therefore has its own memory, which no other process writes to. The shared memory is kept for the next batch,
because allocating it takes ten times as long as a copy. The shared memory has no name, so the system frees it when the
processes end, and it uses no space in ``/dev/shm``, which is small in containers.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import mmap
import os
import pickle
import socket
import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ...context import Context
from ...internals.core.invoke import wrap
from ...internals.device import array_modules
from ...ndarray import NDArray

__all__ = ["SMALL", "Inbox", "Outbox", "Parcel", "pack", "receive_message", "send_message", "unpack"]

#: Parcels of up to this many bytes go through the socket itself.
SMALL = 1 << 15
#: The maximum length of a message, in bytes.
LONGEST = SMALL + 64
#: Arrays of fewer bytes are part of the pickle.
SMALLEST_ARRAY = 1 << 10
#: The largest number of shared memory blocks with unread parcels. A process with more blocks waits.
MOST_PIECES = 16
#: The parts of a parcel begin at multiples of this many bytes.
_ALIGNMENT = 64
#: The header of a parcel: its number, its kind, its memory block (-1 for none), and its number of parts.
_HEADER = struct.Struct("=4q")
_PIECE = struct.Struct("=q")


class Parcel(NamedTuple):
    """A message that has arrived: a pickled object, and the large arrays outside the pickle.

    Attributes
    ----------
    number : int
        The index of the batch in the epoch.
    kind : int
        The type of the message, which is one of the caller's constants.
    parts : list
        The pickle, and the contents of the large arrays.
    """

    number: int
    kind: int
    parts: list[Any]


# --- contents -------------------------------------------------------------------------------------


class _Pickler(pickle.Pickler):
    """A pickler that doesn't copy arrays. Of a view, it stores only the view's elements."""

    def reducer_override(self, obj: Any) -> Any:
        """Return the function and arguments that rebuild an array."""
        if isinstance(obj, NDArray) and type(obj).__reduce__ is NDArray.__reduce__:
            return _array, (type(obj), array_modules.asnumpy(obj._data), obj._ctx)
        if type(obj) is numpy.ndarray and not obj.flags.forc and not obj.dtype.hasobject:
            return numpy.asarray(obj, order="C").__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        return NotImplemented


def _array(cls: Any, raw: numpy.ndarray, ctx: Context) -> Any:
    return wrap(cls, array_modules.to_context(raw, ctx), ctx)


def pack(thing: Any) -> list[Any]:
    """Serialize an object into the parts of a parcel.

    Parameters
    ----------
    thing : object
        Any picklable object.

    Returns
    -------
    list of buffers
        The pickle, and the contents of the large arrays.
    """
    text, arrays = io.BytesIO(), list[memoryview]()

    def keep(buffer: pickle.PickleBuffer) -> bool:
        memory = buffer.raw()
        if memory.nbytes < SMALLEST_ARRAY:
            return True  # in the pickle
        arrays.append(memory)
        return False

    _Pickler(text, pickle.HIGHEST_PROTOCOL, buffer_callback=keep).dump(thing)
    return [text.getbuffer(), *arrays]


def unpack(parts: Sequence[Any]) -> Any:
    """Return the object that :func:`pack` serialized, in this process or in a forked process.

    Parameters
    ----------
    parts : sequence of buffers
        The pickle, and the contents of the large arrays.

    Returns
    -------
    object
        A copy of the object that was serialized.
    """
    return pickle.loads(parts[0], buffers=parts[1:])


# --- messages ----------------------------------------------------------------------------------


def send_message(connection: socket.socket, message: bytes, descriptor: int = -1, flags: int = 0) -> None:
    """Send a nonempty message and, if there is a descriptor, an open file.

    Parameters
    ----------
    connection : socket.socket
        A socket that preserves message boundaries.
    message : bytes
        The message, at most ``LONGEST`` bytes.
    descriptor : int
        Descriptor of the file, or -1 for none.
    flags : int
        Flags of the system call.
    """
    # Python's socket.send_fds and socket.recv_fds ignore their flags argument.
    files = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", descriptor))] if descriptor >= 0 else []
    connection.sendmsg([message], files, flags)


def receive_message(connection: socket.socket, flags: int = 0) -> tuple[bytes, int]:
    """Return the next message and the descriptor of its file (-1 for none). The message is empty at the end of data.

    Parameters
    ----------
    connection : socket.socket
        The socket to read from.
    flags : int
        Flags of the system call.
    """
    room = socket.CMSG_SPACE(struct.calcsize("i"))
    message, files, _, _ = connection.recvmsg(LONGEST, room, flags | socket.MSG_CMSG_CLOEXEC)
    return message, struct.unpack("i", files[0][2])[0] if files else -1


# --- transport ------------------------------------------------------------------------------------


class _Piece:
    """A block of memory that two processes share."""

    def __init__(self, number: int, size: int, descriptor: int = -1) -> None:
        self.number, self.size, self.free = number, size, True
        new = descriptor < 0
        if new:
            descriptor = os.memfd_create("d2lhybrid")
        try:
            if new:
                os.ftruncate(descriptor, size)
            self.memory = mmap.mmap(descriptor, size)
        except BaseException:
            os.close(descriptor)
            raise
        self.descriptor = descriptor

    def close(self) -> None:
        """Free the memory if no other process uses it."""
        self.forget_descriptor()
        with contextlib.suppress(BufferError):
            self.memory.close()

    def forget_descriptor(self) -> None:
        """Close the file descriptor of the memory. The memory stays mapped."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


class Outbox:
    """The sender of parcels through a socket. Large parcels use shared memory.

    Parameters
    ----------
    connection : socket.socket
        A socket that preserves message boundaries. Its other end belongs to an :class:`Inbox`.
    look : callable
        Function that is called after each timeout of the socket. It raises an exception to end the waiting.
    """

    def __init__(self, connection: socket.socket, look: Callable[[], None]) -> None:
        self._connection, self._look = connection, look
        self._pieces: list[_Piece] = []

    def send(self, number: int, kind: int, parts: Sequence[Any]) -> None:
        """Wait until there is room for a parcel, and send the parcel.

        Parameters
        ----------
        number : int
            The index of the batch in the epoch.
        kind : int
            The type of the message, which is one of the caller's constants.
        parts : sequence of buffers
            The contents.

        Raises
        ------
        OSError
            If the receiver has closed the connection.
        """
        views = [memoryview(part) for part in parts]
        sizes = numpy.array([view.nbytes for view in views], "int64").tobytes()
        if len(sizes) + sum(view.nbytes for view in views) <= SMALL:
            self._send(b"".join([_HEADER.pack(number, kind, -1, len(views)), sizes, *views]))
            return
        starts = [*itertools.accumulate([0, len(sizes), *(view.nbytes for view in views)], _next_start)]
        piece = self._piece(starts[-1])
        with memoryview(piece.memory) as memory:
            for start, part in zip(starts, [sizes, *views], strict=False):
                memory[start : start + len(part)] = part
        piece.free = False
        message = _HEADER.pack(number, kind, piece.number, len(views)) + _PIECE.pack(piece.size)
        self._send(message, piece.descriptor)
        piece.forget_descriptor()

    def _send(self, message: bytes, descriptor: int = -1) -> None:
        while True:
            try:
                send_message(self._connection, message, descriptor)
                return
            except BlockingIOError:
                self._look()

    def _piece(self, size: int) -> _Piece:
        """Return a free memory block that is large enough."""
        while self._take_back(wait=False):
            pass
        while True:
            free = [piece for piece in self._pieces if piece.free]
            fitting = [piece for piece in free if piece.size >= size]
            if fitting:
                return min(fitting, key=lambda piece: piece.size)
            if free:  # replace a free block with a larger one
                free[0].close()
                piece = self._pieces[free[0].number] = _Piece(free[0].number, _rounded(size))
                return piece
            if len(self._pieces) < MOST_PIECES:
                self._pieces.append(_Piece(len(self._pieces), _rounded(size)))
                return self._pieces[-1]
            if not self._take_back(wait=True):
                self._look()

    def _take_back(self, wait: bool) -> bool:
        """Record a block that the receiver has emptied. Return False if there was none."""
        try:
            message = self._connection.recv(_PIECE.size, 0 if wait else socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        if not message:
            raise BrokenPipeError("the process that receives the messages has ended")
        self._pieces[_PIECE.unpack(message)[0]].free = True
        return True


class Inbox:
    """The receiver of parcels from an :class:`Outbox`.

    Parameters
    ----------
    connection : socket.socket
        The other end of the outbox's socket.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._pieces: dict[int, _Piece] = {}

    def receive(self) -> Parcel | None:
        """Return the next parcel.

        Returns
        -------
        Parcel or None
            The parcel, or None if the sender has closed the connection.

        Raises
        ------
        BlockingIOError
            If no parcel has arrived yet.
        """
        try:
            message, descriptor = receive_message(self._connection, socket.MSG_DONTWAIT)
        except ConnectionResetError:  # the process has ended, but its earlier messages are available
            message, descriptor = receive_message(self._connection, socket.MSG_DONTWAIT)
        if not message:
            return None
        number, kind, where, count = _HEADER.unpack_from(message)
        if where < 0:
            return Parcel(number, kind, _parts(message, _HEADER.size, count, aligned=False))
        if descriptor >= 0:
            (size,) = _PIECE.unpack_from(message, _HEADER.size)
            if where in self._pieces:  # the previous block was too small for this parcel
                self._pieces.pop(where).close()
            piece = self._pieces[where] = _Piece(where, size, descriptor)
            piece.forget_descriptor()
        parts = _parts(self._pieces[where].memory, 0, count, aligned=True)
        with contextlib.suppress(OSError):  # the sender has ended
            self._connection.send(_PIECE.pack(where), socket.MSG_DONTWAIT)
        return Parcel(number, kind, parts)

    def close(self) -> None:
        """Close the socket and release the shared memory."""
        self._connection.close()
        while self._pieces:
            self._pieces.popitem()[1].close()


def _parts(memory: Any, start: int, count: int, aligned: bool) -> list[Any]:
    """Return copies of the parts of a parcel in a block of memory."""
    sizes = numpy.frombuffer(memory, "int64", count, start).tolist()
    parts, begin = [], start
    for size, last in zip(sizes, [8 * count, *sizes], strict=False):
        begin = _next_start(begin, last) if aligned else begin + last
        part = numpy.empty(size, "uint8")  # separate memory for each array, which the caller may keep
        part[...] = numpy.frombuffer(memory, "uint8", size, begin)
        parts.append(part)
    return parts


def _next_start(begin: int, size: int) -> int:
    """Return the start of the part that follows a part of a given size."""
    return begin + -(-size // _ALIGNMENT) * _ALIGNMENT


def _rounded(size: int) -> int:
    """Return a size rounded up, with room for a somewhat larger batch."""
    return -(-(size + size // 4) // mmap.PAGESIZE) * mmap.PAGESIZE
