"""Temporary folders that are always removed, even if their content is unusual or their process was killed."""

from __future__ import annotations

import contextlib
import itertools
import os
import tempfile
from pathlib import Path

__all__ = ["make_scratch", "remove_of", "remove_tree", "remove_what_is_left", "size_of"]

_PREFIX = "d2lhybrid-grading"


def make_scratch(purpose: str) -> str:
    """Create a temporary folder whose name contains its purpose and the ID of this process, and return its path.

    Examples
    --------
    >>> path = make_scratch("example")
    >>> os.path.basename(path).split("-")[2] == "example"
    True
    >>> remove_tree(path)
    >>> os.path.exists(path)
    False
    """
    return tempfile.mkdtemp(prefix=f"{_PREFIX}-{purpose}-{os.getpid()}-")


def remove_tree(folder: str | os.PathLike[str]) -> None:
    """Remove a folder and its content, at any depth, if the system permits.

    Subfolders are moved to the top before their removal, so that paths are short and no recursion is necessary.
    """
    root = os.fspath(folder)
    if os.path.islink(root) or not os.path.isdir(root):
        return
    numbers = itertools.count()
    try:
        while inside := os.listdir(root):
            done = False
            for name in inside:
                with contextlib.suppress(OSError):
                    done = _remove_or_lift(root, os.path.join(root, name), numbers) or done
            if not done:
                return
        os.rmdir(root)
    except OSError:
        return


def _remove_or_lift(root: str, path: str, numbers: itertools.count[int]) -> bool:
    if os.path.islink(path) or not os.path.isdir(path):
        os.unlink(path)
        return True
    os.chmod(path, 0o700)
    for child in os.listdir(path):
        below = os.path.join(path, child)
        if os.path.islink(below) or not os.path.isdir(below):
            os.unlink(below)
        else:
            os.chmod(below, 0o700)
            os.rename(below, os.path.join(root, f".lifted-{next(numbers)}"))
    os.rmdir(path)
    return True


def size_of(folder: str, most: int, entries: int = 100_000) -> int:
    """Return the total size of the files in a folder and its subfolders, or ``most + 1`` if there are too many files.

    Parameters
    ----------
    folder : str
        Path of the folder.
    most : int
        Size limit in bytes. If there are too many files, the result exceeds the limit by 1.
    entries : int
        The largest permitted number of files and folders.

    Returns
    -------
    int
        The size in bytes, or ``most + 1``.
    """
    total, stack = 0, [folder]
    while stack:
        with contextlib.suppress(OSError), os.scandir(stack.pop()) as found:
            for entry in found:
                entries -= 1
                if entries < 0:
                    return most + 1
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                else:
                    total += entry.stat(follow_symlinks=False).st_size
    return total


def remove_of(pid: int) -> None:
    """Remove the temporary folders of a process that has ended."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}-*-{pid}-*"):
        remove_tree(path)


def remove_what_is_left() -> None:
    """Remove the temporary folders of processes that no longer run."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}-*-*-*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            pid = int(path.name.removeprefix(f"{_PREFIX}-").split("-")[1])
            if path.stat().st_uid == os.getuid() or os.getuid() == 0:
                try:
                    os.kill(pid, 0)
                except ProcessLookupError:
                    remove_tree(path)
