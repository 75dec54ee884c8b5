"""A file that grows line by line and never loses a complete line."""

from __future__ import annotations

import contextlib
import os

from d2lhybrid.error import MXNetError

from ...support.filesystem import PathLike, open_error

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

__all__ = ["GrowingFile"]


class GrowingFile:
    """A file of lines that keeps every added line, even if the program is killed.

    A line is on the disk when :meth:`add` returns. If the program ends or the disk fills up in the middle
    of a line, the incomplete line is removed. Only one program at a time can open the file.

    Parameters
    ----------
    path : str or path-like
        Path of the file, created if necessary.

    Raises
    ------
    MXNetError
        If the file cannot be written, or if another program has opened it.

    Examples
    --------
    >>> import tempfile
    >>> with GrowingFile(os.path.join(tempfile.mkdtemp(), "log")) as file:
    ...     file.add(b"first")
    ...     file.add(b"second")
    ...     file.lines()
    [b'first', b'second']
    """

    def __init__(self, path: PathLike) -> None:
        self.path = path
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as reason:
            raise open_error(path, reason.strerror or str(reason)) from None
        try:
            self._own()
            self._cut()
        except BaseException:
            os.close(self._descriptor)
            raise

    def _own(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise open_error(self.path, "Another program is writing to the file") from None
        except OSError:  # a file system without locks
            return

    def _cut(self) -> None:
        """Remove an incomplete last line."""
        content = self._content()
        self._size = content.rfind(b"\n") + 1
        if self._size < len(content):
            os.ftruncate(self._descriptor, self._size)

    def _content(self) -> bytes:
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        parts = []
        while part := os.read(self._descriptor, 1 << 20):
            parts.append(part)
        return b"".join(parts)

    def lines(self) -> list[bytes]:
        """Return all lines of the file without line endings."""
        return self._content()[: self._size].split(b"\n")[:-1]

    def add(self, line: bytes) -> None:
        """Add a line, which must not contain a line ending.

        Raises
        ------
        MXNetError
            If the line cannot be written, for example because the disk is full; the file then remains unchanged.
        """
        data = memoryview(line + b"\n")
        try:
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
            while data:
                data = data[os.write(self._descriptor, data) :]
            os.fsync(self._descriptor)
        except BaseException as reason:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            if isinstance(reason, OSError):
                name = os.fspath(self.path)
                raise MXNetError(f'LocalFileSystem: writing "{name}" failed: {reason.strerror}') from reason
            raise
        self._size += len(line) + 1

    def close(self) -> None:
        """Close the file; no more lines can be added."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> GrowingFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
