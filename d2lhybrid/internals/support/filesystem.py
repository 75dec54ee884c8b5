"""Functions that open, read, and replace files, with MXNet's errors.

All files are saved with :func:`replace_file`: a reader sees either the old file or the complete new file, even if the
program is killed while it writes. Files that belong together, such as a graph and its parameters, are written inside
:func:`files_together`. If a program is killed, the next program that writes into the same folder removes the temporary
files of the killed program.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextvars import ContextVar
from io import BufferedIOBase
from typing import Any, NamedTuple, TypeAlias

from ...error import MXNetError

try:
    import fcntl

    fcntl.flock  # noqa: B018  JupyterLite has a module of this name, and nothing in it
except (ImportError, AttributeError):  # Windows
    fcntl = None

__all__ = [
    "PathLike",
    "check_writable",
    "complete_folder",
    "files_together",
    "open_error",
    "open_file",
    "read_bytes",
    "read_text",
    "remove_abandoned",
    "replace_file",
    "write_bytes",
    "write_stream",
    "write_text",
]

PathLike: TypeAlias = "str | os.PathLike[str]"


def open_error(path: PathLike, reason: str) -> MXNetError:
    """Return the error that MXNet raises for a file that cannot be opened.

    Parameters
    ----------
    path : str or path-like
        The name of the file.
    reason : str
        The error message of the operating system.

    Returns
    -------
    MXNetError
        The error.

    Examples
    --------
    >>> print(open_error("net.params", "No such file or directory"))
    LocalFileSystem: Check failed: allow_null: :Open "net.params": No such file or directory
    """
    return MXNetError(f'LocalFileSystem: Check failed: allow_null: :Open "{os.fspath(path)}": {reason}')


@contextlib.contextmanager
def open_file(path: PathLike) -> Iterator[tuple[BufferedIOBase, int]]:
    """Return a context manager with a stream that reads a regular file, and the size of the file in bytes.

    Pipes and devices are rejected before they are opened. Their size is unknown, so lengths that a file declares could
    not be checked, and opening a pipe or a device may block forever.

    Raises
    ------
    MXNetError
        If the file does not exist, is not a regular file, or cannot be read.
    """
    path = os.fspath(path)  # raises an error for a number, which open() would take as a file descriptor
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
    """Return the contents of a regular file.

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
        error.add_note(f"The byte at position {reason.start} is not UTF-8 ({reason.reason}). Save the file as UTF-8.")
        raise error from None


def write_text(path: PathLike, text: str) -> None:
    """Write a text into a UTF-8 file atomically, with :func:`replace_file`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: PathLike, content: bytes) -> None:
    """Write bytes into a file atomically, with :func:`replace_file`."""
    with replace_file(path) as stream:
        stream.write(content)


def write_stream(path: PathLike, source: Any) -> None:
    """Write the contents of a stream into a file with :func:`replace_file`. The stream's errors are raised unchanged.

    Parameters
    ----------
    path : str or path-like
        Path of the file.
    source : binary stream
        The stream to read.
    """
    failure: list[OSError] = []

    def chunk() -> bytes:
        try:
            return source.read(1 << 20)
        except OSError as error:
            failure.append(error)
            raise

    try:
        with replace_file(path) as stream:
            while data := chunk():
                stream.write(data)
    except MXNetError:
        if failure:
            raise failure[0] from None
        raise


@contextlib.contextmanager
def replace_file(path: PathLike) -> Iterator[BufferedIOBase]:
    """Return a context manager with a stream whose contents become the file `path` at the end of the block.

    The bytes are written into a temporary file in the same folder. This file is flushed to the disk and then renamed.
    If the block raises an error, the temporary file is removed, and an existing file remains unchanged. Paths that
    ``open(path, "wb")`` rejects are rejected. Symbolic links are followed. The owner and the permissions of an existing
    file are kept. If they can be kept only by writing into the existing file (because another user owns it, or because
    the folder isn't writable), this file is overwritten at the end of the block. Pipes, devices, and ``/dev/stdout``
    are written to directly.

    Raises
    ------
    MXNetError
        If the folder does not exist, if the file or the folder cannot be written, or if the disk is full.

    Examples
    --------
    >>> import tempfile
    >>> name = os.path.join(tempfile.mkdtemp(), "a.txt")
    >>> with replace_file(name) as stream:
    ...     _ = stream.write(b"hello")
    >>> read_text(name)
    'hello'
    """
    temporary = None
    try:
        try:
            target, old = os.path.realpath(path), _writable(path)
            if _is_no_file(path, old):
                stream = open(path, "wb")  # noqa: SIM115 (closed below)
            else:
                remove_abandoned(os.path.dirname(target))
                # The name is set first, so that the file is removed after any error.
                temporary = _beside(target)
                stream = _create(temporary, old)
        except (OSError, ValueError) as reason:
            raise open_error(path, _reason(reason)) from None
        with contextlib.ExitStack() as closing:
            closing.enter_context(stream)
            yield stream
            if temporary is not None:
                complete = _Complete(path, stream, temporary, target)
                others = _waiting.get()
                if others is None:
                    complete.put_in_place()
                else:
                    complete.flush()
                    others.append(complete)
                    closing.pop_all()  # the file remains open and locked until the other files are complete
    except BaseException as reason:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.remove(temporary)
        if isinstance(reason, OSError):
            raise _write_error(path, reason, temporary is not None) from reason
        raise


@contextlib.contextmanager
def files_together() -> Iterator[None]:
    """Return a context manager in which :func:`replace_file` replaces existing files only at the end of the block.

    If the block raises an error, all existing files remain unchanged. If blocks are nested, files are replaced at the
    end of the outermost block. Until then, the new contents can't be read.

    Raises
    ------
    MXNetError
        If a file can't be replaced. In this case, files that were written earlier in the block have been replaced.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with contextlib.suppress(ZeroDivisionError), files_together():
    ...     write_text(os.path.join(folder, "graph"), "new")
    ...     1 / 0
    >>> os.listdir(folder)
    []
    """
    if _waiting.get() is not None:
        yield
        return
    waiting: list[_Complete] = []
    token = _waiting.set(waiting)
    try:
        try:
            yield
        finally:
            _waiting.reset(token)
        for complete in waiting:
            try:
                complete.put_in_place()
            except OSError as reason:
                raise _write_error(complete.path, reason, True) from reason
    finally:
        for complete in waiting:
            with contextlib.suppress(OSError):
                complete.stream.close()
            with contextlib.suppress(OSError):
                os.remove(complete.temporary)


def _write_error(path: PathLike, reason: OSError, replaces: bool) -> MXNetError:
    error = MXNetError(f'LocalFileSystem: writing "{os.fspath(path)}" failed: {_reason(reason)}')
    unchanged = "If a file with this name exists, it is unchanged. " if replaces else ""
    error.add_note(f"{unchanged}Check the free space and the permissions.")
    return error


class _Checked(Exception):
    """The exception that ends a block of :func:`replace_file` before the file is replaced."""


def check_writable(path: PathLike) -> None:
    """Check that :func:`replace_file` can write a file, without changing the file.

    Pipes and devices aren't opened, because opening could block or have side effects.

    Raises
    ------
    MXNetError
        If the folder does not exist, or if the file or the folder cannot be written.
    """
    with contextlib.suppress(OSError):
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            return
    with contextlib.suppress(_Checked), replace_file(path):
        raise _Checked


def _writable(path: PathLike) -> os.stat_result | None:
    """Return the status of an existing file, or None for a new file; raise the errors of ``open(path, "wb")``."""
    name = os.fspath(path)
    try:
        old = os.stat(name)
    except FileNotFoundError:
        if not name:
            raise
        if name.endswith(os.sep):
            raise IsADirectoryError(21, "Is a directory") from None
        return None
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(21, "Is a directory")
    if stat.S_ISREG(old.st_mode):  # because a rename checks only the permissions of the folder
        os.close(os.open(name, os.O_WRONLY | _PRIVATE))
    return old


def _is_no_file(path: PathLike, old: os.stat_result | None) -> bool:
    """Return whether a path is a device or an open stream instead of a regular file in a folder."""
    if old is not None and not stat.S_ISREG(old.st_mode):
        return True
    name = os.path.abspath(path)
    for _ in range(40):
        if os.path.realpath(os.path.dirname(name)).startswith(("/proc/", "/dev/fd")):
            return True  # such as /dev/stdout, into which other code writes, too
        if not os.path.islink(name):
            return False
        name = os.path.join(os.path.dirname(name), os.readlink(name))
    return False


# --- temporary files ---
#
# The writer of a temporary file or folder holds a lock on it, which ends with the process. Therefore, an unlocked file
# or folder is abandoned.

_NAME = re.compile(r"\.d2lhybrid-[0-9a-f]{16}\.tmp")
#: The flags of files that child processes don't inherit.
_PRIVATE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
#: The age, in seconds, from which temporary files count as abandoned on a system without locks. Windows doesn't remove
#: open files, so on Windows, the age only has to exceed the time between closing and renaming a file.
_OLD = 60.0 if os.name == "nt" else 24 * 3600.0


def _beside(target: str) -> str:
    """Return an unused name for a temporary file in the folder that contains a file or folder."""
    return os.path.join(os.path.dirname(target), f".d2lhybrid-{secrets.token_hex(8)}.tmp")


def _create(name: str, old: os.stat_result | None) -> BufferedIOBase:
    """Open a new temporary file with the owner and permissions of an existing file that it may replace.

    If the owner or the permissions can't be set, the temporary file is anonymous.
    """
    try:
        # Files of the tempfile module would be private, whereas this file must get the permissions of the umask.
        mode = 0o666 if old is None else 0o600
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | _PRIVATE, mode)
        stream = open(descriptor, "w+b")  # noqa: SIM115 (the caller closes it)
        try:
            _lock(descriptor)
            if os.fstat(descriptor).st_nlink == 0:  # another process removed the file before it was locked
                stream.close()
                return _create(name, old)
            if old is not None and hasattr(os, "fchown"):
                _like(descriptor, old)
        except BaseException:
            stream.close()
            raise
    except PermissionError:
        if old is None:
            raise
        with contextlib.suppress(OSError):
            os.remove(name)
        return tempfile.TemporaryFile()
    return stream


def _like(descriptor: int, old: os.stat_result) -> None:
    made = os.fstat(descriptor)
    if (made.st_uid, made.st_gid) != (old.st_uid, old.st_gid):
        os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def _lock(descriptor: int) -> None:
    if fcntl is not None:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)


class _Complete(NamedTuple):
    """A completely written temporary file, which only has to be renamed.

    Attributes
    ----------
    path : str or os.PathLike
        The path that the caller passed.
    stream : file object
        The stream of the temporary file.
    temporary, target : str
        The current name, empty for an anonymous file, and the final name.
    """

    path: PathLike
    stream: BufferedIOBase
    temporary: str
    target: str

    def flush(self) -> None:
        """Flush the bytes to the disk; raise an error if the disk is full."""
        self.stream.flush()
        if os.path.exists(self.temporary):
            os.fsync(self.stream.fileno())

    def put_in_place(self) -> None:
        """Replace the old file with the new one."""
        self.flush()
        if not os.path.exists(self.temporary):  # an anonymous file
            _rewrite(self.target, self.stream)
            return
        if fcntl is None:
            self.stream.close()  # Windows doesn't rename open files
        try:
            os.replace(self.temporary, self.target)  # while it is locked, because an unlocked file counts as abandoned
        except OSError as reason:
            if reason.errno not in (errno.EBUSY, errno.EXDEV) or self.stream.closed:
                raise
            _rewrite(self.target, self.stream)  # the target is a mounted file
            os.remove(self.temporary)
        _sync_folder(os.path.dirname(self.target))


#: The complete files of the current :func:`files_together` block.
_waiting: ContextVar[list[_Complete] | None] = ContextVar("files that wait for others", default=None)


def _rewrite(target: str, stream: BufferedIOBase) -> None:
    """Copy a stream into an existing file; restore its contents if the disk is full."""
    stream.seek(0)
    with open(target, "r+b") as file:
        before = file.read()
        try:
            _overwrite(file, stream)
        except BaseException:
            _overwrite(file, io.BytesIO(before))
            raise


def _overwrite(file: BufferedIOBase, source: BufferedIOBase) -> None:
    file.seek(0)
    shutil.copyfileobj(source, file)
    file.truncate()
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: str) -> None:
    """Flush a folder to the disk, so that new names survive a power failure, if the system supports this."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | _PRIVATE)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_abandoned(folder: str) -> None:
    """Remove this package's temporary files and folders from `folder` if their writers were killed."""
    with contextlib.suppress(OSError):
        with os.scandir(folder) as entries:
            names = [entry.path for entry in entries if _NAME.fullmatch(entry.name)]
        for name in names:
            with contextlib.suppress(OSError):
                _remove_if_abandoned(name)


def _remove_if_abandoned(name: str) -> None:
    status = os.lstat(name)
    is_folder = stat.S_ISDIR(status.st_mode)
    if not is_folder and not stat.S_ISREG(status.st_mode):
        return
    remove = shutil.rmtree if is_folder else os.remove
    if fcntl is None:
        if time.time() - status.st_mtime > _OLD:
            remove(name)
        return
    kind = os.O_RDONLY | os.O_DIRECTORY if is_folder else os.O_RDWR
    descriptor = os.open(name, kind | _PRIVATE | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as reason:
            held = reason.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)  # another process holds the lock
            if held or time.time() - status.st_mtime <= _OLD:  # the fallback for file systems without locks
                return
        remove(name)  # a writer that hasn't locked its new file yet notices the removal
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def complete_folder(folder: PathLike) -> Iterator[str]:
    """Return a context manager with a new temporary folder, which the block must rename to its final name.

    If the temporary folder still exists at the end of the block, it is removed. If the process is killed, the next
    process that writes into the same parent folder removes the temporary folder.

    Parameters
    ----------
    folder : str or path-like
        The final name, in an existing folder.

    Raises
    ------
    OSError
        If the folder can't be created.

    Examples
    --------
    >>> folder = tempfile.mkdtemp()
    >>> with complete_folder(f"{folder}/course") as unfinished:
    ...     write_text(f"{unfinished}/lesson", "Hello")
    ...     os.rename(unfinished, f"{folder}/course")
    >>> os.listdir(folder), os.listdir(f"{folder}/course")
    (['course'], ['lesson'])
    """
    target = os.path.abspath(folder)
    remove_abandoned(os.path.dirname(target))
    while True:
        unfinished = _beside(target)
        os.mkdir(unfinished)
        descriptor = -1
        try:
            if fcntl is not None:
                with contextlib.suppress(OSError):  # another process removed the folder before it was locked
                    descriptor = os.open(unfinished, os.O_RDONLY | _PRIVATE)
                    _lock(descriptor)
                if not os.path.isdir(unfinished):
                    continue
            yield unfinished
            return
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
            if descriptor >= 0:
                os.close(descriptor)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
