"""A clone of a repository: which files a version has, and how they are taken out."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from d2lhybrid.internals.support.archives import unpack_tar

__all__ = ["Clone", "Version"]


class Version(Protocol):
    """A version of a repository.

    Attributes
    ----------
    title : str
        What messages call it.
    commit : str
        The tag, branch or commit.
    mark : str
        A file or folder that shows that a clone is one of this repository.
    """

    @property
    def title(self) -> str: ...
    @property
    def commit(self) -> str: ...
    @property
    def mark(self) -> str: ...


_V = TypeVar("_V", bound=Version)


class Clone:
    """A clone of a repository.

    Parameters
    ----------
    folder : Path
        The git directory, or a folder with one.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _git(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
        command = ["git", "-C", str(self.folder), "-c", "core.quotePath=off", *arguments]
        return subprocess.run(command, capture_output=True, check=check)

    def has(self, version: Version) -> bool:
        """Return whether the clone has a version."""
        return self._git("cat-file", "-e", f"{version.commit}:{version.mark}", check=False).returncode == 0

    def held(self, versions: Iterable[_V]) -> list[_V]:
        """Return which of several versions the clone has.

        Raises
        ------
        SystemExit
            If it has none of them.
        """
        versions = list(versions)
        held = [version for version in versions if self.has(version)]
        if not held:
            names = ", ".join(f"{version.title} ({version.commit})" for version in versions)
            raise SystemExit(f"{self.folder} has none of these versions: {names}.")
        return held

    def files(self, commit: str, *folders: str, at_hand: bool = False) -> list[str]:
        """Return the paths of the files of a version, or of some of its folders.

        Parameters
        ----------
        commit : str
            The version.
        *folders : str
            The folders; all of them if none is named.
        at_hand : bool
            Whether to leave out the files that a partial clone lacks.

        Raises
        ------
        subprocess.CalledProcessError
            If the clone has no such version.
        """
        size = ["-l"] if at_hand else []
        listed = self._git("ls-tree", "-r", *size, commit, *folders).stdout.decode().splitlines()
        rows = (line.split("\t", 1) for line in listed)
        return [path for facts, path in rows if not size or facts.split()[3] not in ("BAD", "-")]

    def content(self, commit: str, path: str) -> bytes:
        """Return the content of one file."""
        return self._git("show", f"{commit}:{path}").stdout

    def unpack(self, commit: str, paths: Sequence[str], folder: Path) -> None:
        """Write files of a version into a folder."""
        archive = self._git("archive", commit, "--", *paths).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            unpack_tar(files, folder)
