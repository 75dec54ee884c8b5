"""A cache of compiled libraries, which are verified before loading, replaced atomically, and evicted when old.

A damaged library would crash the process that loads it, so no file is loaded directly from the disk. Instead, the file
is read, its content is compared with the checksum at its beginning, and the verified bytes are loaded from sealed
memory. If the checksum is wrong, the library is compiled again.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import itertools
import os
import stat
import tempfile
from pathlib import Path

from d2lhybrid.error import MXNetError

from ...support.filesystem import write_bytes

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

__all__ = ["cache_folder", "fetch", "keep", "load"]

#: The largest number of files, and of bytes, in the cache. Above these limits, the least recently used files are
#: evicted.
MAX_FILES, MAX_BYTES = 512, 64 << 20

_MAGIC = b"d2lhybrid library 1\n"
_SUFFIX = ".library"
_numbers = itertools.count()


def cache_folder() -> Path | None:
    """Return the cache folder, which is in ``$XDG_CACHE_HOME``, by default ``~/.cache``.

    Return None if there is no home folder, the folder isn't writable, or another user owns the folder.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(base):
        return None
    folder = Path(base) / "d2lhybrid" / "c"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.stat()
        if not _is_ours(status):
            return None
        if status.st_mode & 0o077:
            folder.chmod(0o700)
        return folder if os.access(folder, os.W_OK) else None
    except OSError:
        return None


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def fetch(key: str) -> bytes | None:
    """Return the compiled library that the cache stores under a key.

    Parameters
    ----------
    key : str
        The key.

    Returns
    -------
    bytes or None
        The library; None if it is missing, unreadable, or damaged.
    """
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / (key + _SUFFIX)
    flags = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    try:
        with open(os.open(path, os.O_RDONLY | flags), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode) or not _is_ours(status) or status.st_size > MAX_BYTES:
                return None
            content = stream.read()
        os.utime(path)  # the time of the last use, which the eviction compares
    except OSError:
        return None
    library = content[len(_MAGIC) + 32 :]
    return library if content == _sealed(key, library) else None


def keep(key: str, library: bytes) -> None:
    """Cache a library if possible, and evict the least recently used libraries if the cache exceeds its limits.

    Parameters
    ----------
    key : str
        The key.
    library : bytes
        The library.
    """
    folder = cache_folder()
    if folder is None:
        return
    with contextlib.suppress(MXNetError):  # for example, the disk is full: the library will be compiled again
        write_bytes(folder / (key + _SUFFIX), _sealed(key, library))
    _evict(folder)


def _sealed(key: str, library: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(key.encode() + library).digest() + library


def _evict(folder: Path) -> None:
    """Remove the least recently used files; other processes may remove files at the same time."""
    files = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if not entry.name.startswith(".") and stat.S_ISREG(status.st_mode):
                    files.append((status.st_mtime, status.st_size, entry.path))
    files.sort(reverse=True)
    total = 0
    for number, (_, size, path) in enumerate(files):
        total += size
        if number >= MAX_FILES or total > MAX_BYTES:
            with contextlib.suppress(OSError):
                os.remove(path)


def load(library: bytes) -> ctypes.CDLL:
    """Load a compiled library from a private copy of its bytes.

    Parameters
    ----------
    library : bytes
        The library.

    Returns
    -------
    ctypes.CDLL
        The loaded library.

    Raises
    ------
    OSError
        If the dynamic linker rejects the library, or if there is no space for the copy.
    """
    if hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # some systems don't allow executable memory files
            return _load_from_memory(library)
    with tempfile.TemporaryDirectory(prefix="d2lhybrid-c-") as folder:
        path = Path(folder) / "program.so"
        path.write_bytes(library)
        return ctypes.CDLL(str(path))


def _load_from_memory(library: bytes) -> ctypes.CDLL:
    descriptor = os.memfd_create("d2lhybrid", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with open(descriptor, "wb") as stream:
        stream.write(library)
        stream.flush()
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _seals())  # type: ignore[union-attr]
        # The linker identifies libraries by path, and file descriptor numbers are reused. Therefore, every load uses a
        # different spelling of the path, with more or fewer "." and "/".
        spelling = "".join("./" if bit == "1" else "/" for bit in f"{next(_numbers):b}")
        return ctypes.CDLL(f"/proc/self/fd/{spelling}{descriptor}")


@functools.cache
def _seals() -> int:
    assert fcntl is not None
    return fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
