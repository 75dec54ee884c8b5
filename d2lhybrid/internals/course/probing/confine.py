"""Limits for a process that runs untrusted code: time, memory, files, processes, and network.

The process limits itself permanently before the untrusted code begins. The limits combine several mechanisms. All
systems have resource limits, and an audit hook of Python, which turns most attempts into a clear error. Linux also has
Landlock for files and a seccomp filter for system calls. Without Landlock, the hook is the only protection of files.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import sysconfig
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from .system_calls import forbid_system_calls, is_known_machine
from .unprivileged import count_of_tasks, give_up_privileges

__all__ = ["confine", "layers", "readable_folders"]

#: The number of threads that an answer may have in addition to its user's existing ones.
_THREADS = 64

_LIBC = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def readable_folders(stage: str) -> list[str]:
    """Return the readable folders: the staged package, NumPy, and the standard library without site-packages."""
    library = Path(sysconfig.get_path("stdlib"))
    parts = [str(p) for p in library.iterdir() if p.name not in ("site-packages", "dist-packages", "ensurepip")]
    platform_library = Path(sysconfig.get_path("platstdlib"))
    if platform_library != library and platform_library.is_dir():
        parts += [str(p) for p in platform_library.iterdir() if p.name not in ("site-packages", "dist-packages")]
    numpy_parts = [os.path.realpath(p) for p in Path(stage).iterdir() if p.is_symlink()]
    return [stage, *numpy_parts, *parts]


# Landlock ----------------------------------------------------------------------------------------------

_FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
_READ = 1 << 2 | 1 << 3
_WRITE = 1 << 1


def _syscall(number: int, *arguments: Any) -> int:
    assert _LIBC is not None
    result = _LIBC.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def _landlock_version() -> int:
    if sys.platform != "linux":
        return 0
    try:
        return _syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    except OSError:
        return 0


def _landlock(read: Sequence[str], write: str) -> None:
    """Permit access to only some folders; forbid TCP, and signals to other processes."""
    version = _landlock_version()
    rights = (1 << 13) - 1
    rights |= (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0) | (1 << 15 if version >= 5 else 0)
    fields = [rights]
    if version >= 4:
        fields.append(0b11)
    if version >= 6:
        fields.append(0b11)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _syscall(444, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0))
    devices = [("/dev/null", _READ | _WRITE), ("/dev/zero", _READ), ("/dev/urandom", _READ)]
    for path, allowed in [*((p, _READ) for p in read), *devices, (write, rights)]:
        try:
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        if not os.path.isdir(path):
            allowed &= _FILE_RIGHTS
        rule = struct.pack("=Qi", allowed & rights, folder)
        _syscall(445, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint(0))
        os.close(folder)
    _syscall(446, ctypes.c_int(ruleset), ctypes.c_uint(0))
    os.close(ruleset)


# The audit hook ----------------------------------------------------------------------------------------

_REFUSED_EVENTS = (
    "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.kill", "os.killpg",
    "os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr", "os.link", "os.symlink", "os.chflags",
    "os.startfile", "pty.spawn", "subprocess.Popen", "socket.", "ctypes.", "signal.pthread_kill", "syslog.",
    "resource.", "webbrowser.", "ftplib.", "urllib.", "http.client.", "shutil.chown",
)  # fmt: skip
_WRITING_EVENTS = {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate"}
_LISTING_EVENTS = {"os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.chdir"}


def _audit_hook(read: Sequence[str], write: str) -> Callable[[str, tuple[Any, ...]], None]:
    realpath, fspath, fsdecode = os.path.realpath, os.fspath, os.fsdecode
    writable = (realpath(write),)
    readable = (*(realpath(p) for p in read), *writable, "/dev/null", "/dev/zero", "/dev/urandom")
    writing_flags = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def below(path: Any, folders: tuple[str, ...]) -> bool:
        if isinstance(path, int) or path is None:
            return True
        real = realpath(fsdecode(fspath(path)))
        return any(real == folder or real.startswith(folder + "/") for folder in folders)

    def refuse(what: str) -> None:
        raise PermissionError(f"an answer is not permitted to do this: {what}")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            writing = bool((flags or 0) & writing_flags) and path != "/dev/null"
            if not below(path, writable if writing else readable):
                refuse(f"{'write' if writing else 'read'} {path}")
        elif event in _WRITING_EVENTS:
            for path in arguments[:2] if event == "os.rename" else arguments[:1]:
                if not below(path, writable):
                    refuse(f"{event} {path}")
        elif event in _LISTING_EVENTS:
            if not below(arguments[0], readable):
                refuse(f"{event} {arguments[0]}")
        elif event.startswith(_REFUSED_EVENTS):
            refuse(event)

    return hook


# All limits --------------------------------------------------------------------------------------------


def _limit_resources(seconds: float, memory: int, file_size: int) -> None:
    import resource

    limits = {
        "RLIMIT_AS": memory,
        "RLIMIT_DATA": memory,
        "RLIMIT_CPU": int(seconds) + 1,
        "RLIMIT_FSIZE": file_size,
        "RLIMIT_NOFILE": 64,
        "RLIMIT_CORE": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_NPROC": 0 if sys.platform != "linux" and os.geteuid() != 0 else count_of_tasks() + _THREADS,
    }
    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            if name != "RLIMIT_AS":  # macOS has no limit of the address space
                raise


def layers() -> list[str]:
    """Return the layers of protection that this system supports.

    Examples
    --------
    >>> "resource limits" in layers()
    True
    """
    found = ["resource limits", "audit hook"]
    if sys.platform == "linux":
        if _landlock_version():
            found.append("Landlock")
        if is_known_machine():
            found.append("seccomp")
    return found


def confine(read: Iterable[str], write: str, seconds: float, memory: int, file_size: int = 2**25) -> None:
    """Limit the rights and the resources of this process permanently.

    Parameters
    ----------
    read : iterable of str
        Readable folders and files.
    write : str
        The only writable folder.
    seconds : float
        Maximum processor time.
    memory : int
        Maximum address space in bytes.
    file_size : int
        Maximum size of a file in bytes.

    Raises
    ------
    OSError
        If an available protection cannot be activated, or if root cannot switch to another user. The caller must then
        run no untrusted code.
    """
    read = list(read)
    available = layers()
    privileged = os.geteuid() == 0
    _limit_resources(seconds, memory, file_size)
    if sys.platform == "linux":
        assert _LIBC is not None
        if _LIBC.prctl(38, 1, 0, 0, 0) != 0:  # no new privileges, which Landlock and seccomp require
            raise OSError(ctypes.get_errno(), "the process cannot set PR_SET_NO_NEW_PRIVS")
    if "Landlock" in available:
        _landlock(read, write)
    if privileged:
        give_up_privileges(read, write)
    if sys.platform == "linux":
        assert _LIBC is not None
        _LIBC.prctl(1, 9, 0, 0, 0)  # end with the parent; changing the user has reset this
    if "seccomp" in available:
        forbid_system_calls()
    sys.addaudithook(_audit_hook(read, write))
