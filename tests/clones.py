"""What is in a clone of somebody's repository: which files a version has, and how they are taken out of it."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path

from d2lhybrid.internals.support.archives import unpack_tar

__all__ = ["files_of", "unpack"]


def files_of(git_directory: Path, commit: str, *folders: str) -> list[str]:
    """Return the paths of the files of a version, or of some of its folders.

    Raises
    ------
    subprocess.CalledProcessError
        If the clone has no such version.
    """
    listed = _git(git_directory, "ls-tree", "-r", "--name-only", commit, *folders)
    return listed.decode().splitlines()


def unpack(git_directory: Path, commit: str, paths: Sequence[str], folder: Path) -> None:
    """Write files of a version into a folder."""
    archive = _git(git_directory, "archive", commit, "--", *paths)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        unpack_tar(files, folder)


def _git(git_directory: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(git_directory), *arguments], capture_output=True, check=True).stdout
