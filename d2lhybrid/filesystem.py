"""Opening, reading and replacing files, with MXNet's errors.

Everything that is saved goes through :func:`replace_file`: a reader sees the old file or the
complete new one, never half of it, even if the program is stopped in between.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from io import BufferedIOBase
from typing import TypeAlias

from .errors import MXNetError

__all__ = [
    "PathLike",
    "open_error",
    "open_file",
    "read_bytes",
    "read_text",
    "replace_file",
    "write_text",
]

PathLike: TypeAlias = "str | os.PathLike[str]"


def open_error(path: PathLike, reason: str) -> MXNetError:
    """Return the error that MXNet raises for a file that cannot be opened.

    Examples
    --------
    >>> print(open_error("net.params", "No such file or directory"))
    LocalFileSystem: Check failed: allow_null: :Open "net.params": No such file or directory
    """
    return MXNetError(f'LocalFileSystem: Check failed: allow_null: :Open "{os.fspath(path)}": {reason}')


@contextlib.contextmanager
def open_file(path: PathLike) -> Iterator[tuple[BufferedIOBase, int]]:
    """Open a regular file for reading; gives the stream and the number of bytes in it.

    Pipes and devices are refused before they are opened: they have no size that a claimed
    length could be checked against, and opening one may block for ever.

    Raises
    ------
    MXNetError
        If there is no such file, or it cannot be read.
    """
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise open_error(path, "Is a directory" if stat.S_ISDIR(mode) else "Not a regular file")
        stream = open(path, "rb")  # noqa: SIM115 (closed below)
    except (OSError, ValueError) as reason:
        raise open_error(path, _reason(reason)) from None
    with stream:
        yield stream, os.fstat(stream.fileno()).st_size


def read_bytes(path: PathLike) -> bytes:
    """Return the contents of a file.

    Raises
    ------
    MXNetError
        If the file cannot be read.
    """
    with open_file(path) as (stream, _):
        return stream.read()


def read_text(path: PathLike) -> str:
    """Return the text of a UTF-8 file.

    Raises
    ------
    MXNetError
        If the file cannot be read or is not UTF-8.
    """
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as reason:
        error = MXNetError(f'"{os.fspath(path)}" is not a text file')
        error.add_note(f"Byte {reason.start} is not UTF-8 text ({reason.reason}).")
        raise error from None


def write_text(path: PathLike, text: str) -> None:
    """Write a UTF-8 file with :func:`replace_file`."""
    content = text.encode("utf-8")
    with replace_file(path) as stream:
        stream.write(content)


@contextlib.contextmanager
def replace_file(path: PathLike) -> Iterator[BufferedIOBase]:
    """Open a stream whose contents become the file ``path`` when the block ends well.

    The bytes go into a temporary file in the same folder, which is flushed to the disk and then
    renamed. If the block raises, the temporary file is removed and an older file stays as it was.
    Symbolic links are followed and the permissions of an older file are kept.

    Raises
    ------
    MXNetError
        If the folder does not exist or cannot be written, or the disk is full.

    Examples
    --------
    >>> import tempfile
    >>> name = os.path.join(tempfile.mkdtemp(), "a.txt")
    >>> with replace_file(name) as stream:
    ...     _ = stream.write(b"hello")
    >>> read_text(name)
    'hello'
    """
    try:
        target = os.path.realpath(path)
        mode = _mode(target)
        if os.fspath(path) == "":
            raise open_error(path, os.strerror(2))
        if mode is not None and not stat.S_ISREG(mode):
            if stat.S_ISDIR(mode):
                raise open_error(path, "Is a directory")
            temporary = None  # A device such as /dev/null: there is nothing to replace.
            stream = open(target, "wb")  # noqa: SIM115 (closed below)
        else:
            # Not the tempfile module: its files are private, ours shall obey the umask.
            temporary = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.tmp")
            stream = open(temporary, "xb")  # noqa: SIM115 (closed below)
    except (OSError, ValueError) as reason:
        raise open_error(path, _reason(reason)) from None
    try:
        with stream:
            yield stream
            if temporary is not None:
                stream.flush()
                os.fsync(stream.fileno())
        if temporary is not None:
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            os.replace(temporary, target)
    except BaseException as reason:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.remove(temporary)
        if isinstance(reason, OSError):
            error = MXNetError(f'LocalFileSystem: writing "{os.fspath(path)}" failed: {_reason(reason)}')
            error.add_note("Nothing was written; a file that was there before is unchanged.")
            raise error from reason
        raise


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
