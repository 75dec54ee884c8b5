"""A reader of compressed files with a limit on their expansion, because a small file can unpack to fill the memory."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from d2lhybrid.error import MXNetError

from ...support.filesystem import PathLike, open_file
from .limits import limits

__all__ = ["open_unpacked"]

_CHUNK = 2**20


class _Unpacked(io.RawIOBase):
    """A stream of a file's unpacked contents, which counts the bytes that are read.

    Parameters
    ----------
    stream : file object
        The stream of unpacked contents.
    path : str
        The name of the file, for errors.
    stored : int
        The size of the file in bytes.
    """

    def __init__(self, stream: BinaryIO, path: str, stored: int) -> None:
        self._stream, self._path, self._stored, self._count = stream, path, stored, 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """Return `size` bytes, or fewer at the end of the file; by default, all remaining bytes.

        Raises
        ------
        MXNetError
            If the file is damaged, or unpacks to more bytes than the limits allow.
        """
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(_CHUNK), b""))
        pieces = []
        while size > 0:
            try:
                piece = self._stream.read(min(size, _CHUNK))
            except (OSError, EOFError, zlib.error, ValueError) as reason:
                raise MXNetError(f'"{self._path}" is damaged: {reason}') from None
            if not piece:
                break
            self._count += len(piece)
            limits.check_expansion(self._count, self._stored, f'the content of "{self._path}"')
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)


@contextlib.contextmanager
def open_unpacked(path: PathLike) -> Iterator[_Unpacked]:
    """Return a context manager with a stream that reads a file.

    If the file's name ends in ``.gz``, the stream unpacks the file.

    Parameters
    ----------
    path : str or path-like
        The path of the file.

    Returns
    -------
    context manager
        The context, whose value is the stream.

    Raises
    ------
    MXNetError
        If the file can't be opened. The stream raises this error if the file is damaged, or if it unpacks to more bytes
        than :mod:`~d2lhybrid.internals.formats.serialization.limits` allows.

    Examples
    --------
    >>> import tempfile
    >>> name = os.path.join(tempfile.mkdtemp(), "a.gz")
    >>> with gzip.open(name, "wb") as packed:
    ...     _ = packed.write(b"hello")
    >>> with open_unpacked(name) as stream:
    ...     stream.read()
    b'hello'
    """
    path = os.fspath(path)
    with open_file(path) as (stream, size):
        if not path.endswith(".gz"):
            yield _Unpacked(stream, path, size)  # type: ignore[arg-type]
            return
        with gzip.GzipFile(fileobj=stream) as unpacked:  # type: ignore[arg-type]
            yield _Unpacked(unpacked, path, size)  # type: ignore[arg-type]
