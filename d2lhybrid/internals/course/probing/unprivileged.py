"""Functions that drop root's privileges."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

__all__ = ["count_of_tasks", "give_up_privileges"]

#: Unused user IDs; systemd reserves the same range for dynamic users.
_FIRST_USER, _USERS = 61184, 4336
_NOBODY = 65534
_READ_EVERYTHING = 1 << 2  # CAP_DAC_READ_SEARCH
_KEEP_CAPABILITIES = 8  # of prctl


def count_of_tasks() -> int:
    """Return the number of processes and threads of the current user, or 0 for root or if there is no ``/proc``.

    These tasks count toward the user's limit. Root's answers run as a separate user, who has no other processes.
    """
    if os.geteuid() == 0 or not os.path.isdir("/proc/self"):
        return 0
    count, me = 0, os.getuid()
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == me:
                    count += len(os.listdir(f"/proc/{name}/task"))
    return count


def _is_for_everybody(path: str) -> bool:
    real = Path(os.path.realpath(path))
    try:
        return all(folder.stat().st_mode & 0o001 for folder in real.parents) and bool(real.stat().st_mode & 0o004)
    except OSError:
        return True  # missing files need not be readable


def give_up_privileges(read: Iterable[str], write: str) -> None:
    """Switch permanently to an unused user ID.

    Parameters
    ----------
    read : iterable of str
        Paths that must be readable afterwards. On Linux, if a path is in a folder that is closed to other users, such
        as root's home, the process keeps the privilege to read all files. Landlock then restricts which files the
        process can read.
    write : str
        Folder that the new user will own.

    Raises
    ------
    OSError
        If this system does not permit root to switch to another user.
    """
    user = _FIRST_USER + os.getpid() % _USERS
    libc = ctypes.CDLL(None, use_errno=True)
    kept = _READ_EVERYTHING if sys.platform == "linux" and not all(map(_is_for_everybody, [*read, write])) else 0
    try:
        os.chown(write, user, _NOBODY)
    except OSError:  # a container may have few user IDs
        user = _NOBODY
        os.chown(write, user, _NOBODY)
    if kept:
        libc.prctl(_KEEP_CAPABILITIES, 1, 0, 0, 0)
    os.setgroups([])
    os.setresgid(_NOBODY, _NOBODY, _NOBODY) if hasattr(os, "setresgid") else os.setgid(_NOBODY)
    os.setresuid(user, user, user) if hasattr(os, "setresuid") else os.setuid(user)
    if sys.platform == "linux":
        header = struct.pack("=Ii", 0x20080522, 0)
        if libc.capset(header, struct.pack("=6I", kept, kept, 0, 0, 0, 0)) != 0:
            raise OSError(ctypes.get_errno(), "root's privileges cannot be dropped")
