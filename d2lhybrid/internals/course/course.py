"""The location of the course's notebooks, and functions that copy the notebooks to a user's folder.

The notebooks are in the repository's folder ``notebooks`` and in wheels. Users work on a copy. An update never
overwrites the user's changes: the copy records the original state of each notebook.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ...error import MXNetError
from ..support import package
from ..support.display import Shown
from ..support.filesystem import complete_folder, write_bytes, write_text
from ..support.plural import counted
from ..support.requirements import repository

__all__ = [
    "DEFAULT_FOLDER",
    "FIRST_NOTEBOOK",
    "Copied",
    "copy_course",
    "course_folder",
    "explained",
    "is_copy",
    "is_course",
    "original",
]

#: The default folder of a copy.
DEFAULT_FOLDER = "d2lhybrid-course"
#: The first notebook of the course.
FIRST_NOTEBOOK = "00_start_here.ipynb"
#: The file in a copy that records the original state of each of its files.
_RECORD = ".d2lhybrid-course.json"


def original() -> Path:
    """Return the folder of the original notebooks, in the repository or in the wheel."""
    folder = repository()
    return folder / "notebooks" if folder is not None else package.FOLDER / "data" / "course"


def is_course(folder: Path) -> bool:
    """Return whether a folder contains the course, in the repository or as a copy."""
    return (folder / FIRST_NOTEBOOK).is_file()


def is_copy(folder: Path) -> bool:
    """Return whether a folder contains a copy that :func:`copy_course` made."""
    return (folder / _RECORD).is_file()


def course_folder() -> Path | None:
    """Return the first folder with the course's notebooks that a search finds, or None if there is no such folder.

    The search covers the current folder, its subfolders ``notebooks`` and :data:`DEFAULT_FOLDER`, and the repository of
    this package, in this order.
    """
    folders = [Path.cwd(), Path.cwd() / "notebooks", Path.cwd() / DEFAULT_FOLDER]
    if repository() is not None:
        folders.append(original())
    return next((folder for folder in folders if is_course(folder)), None)


@dataclass(repr=False)
class Copied(Shown):
    """The result of copying or updating the course.

    Attributes
    ----------
    folder : Path
        Folder of the copy.
    new, updated : list of str
        New files, and updated files that the user had not changed.
    kept : list of str
        Files that the user has changed, and whose newer version is now in a separate file in the same folder.
    """

    folder: Path
    new: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = []
        if self.new:
            lines.append(f"The course was copied to {self.folder}: {counted(len(self.new), 'file')}.")
        if self.updated:
            lines.append(f"Updated {counted(len(self.updated), 'file')} in {self.folder} that you had not changed.")
        if self.kept:
            lines.append(f"Files that you had changed were kept in {self.folder}. The new versions are next to them: "
                         f"{', '.join(map(_beside, self.kept))}.")  # fmt: skip
        return "\n".join(lines)


def _beside(name: str) -> str:
    stem, ending = os.path.splitext(name)
    return f"{stem}.new{ending}"


def _files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file of a copy."""
    folder = original()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        hidden = any(part.startswith((".", "__")) for part in Path(name).parts)
        if path.suffix in (".ipynb", ".py") and not hidden and not path.stem.endswith(".new"):
            yield name, path.read_bytes()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _recorded(folder: Path) -> dict[str, str]:
    try:
        record = json.loads((folder / _RECORD).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def copy_course(folder: Path) -> Copied:
    """Copy the course to a folder, or update a copy without overwriting changes.

    Parameters
    ----------
    folder : Path
        Target folder, created if it doesn't exist. A new folder is either created completely or not at all.

    Returns
    -------
    Copied
        The folder, and what happened to the files.

    Raises
    ------
    OSError, MXNetError
        If the folder cannot be created or written to.
    """
    folder = Path(os.path.abspath(folder))
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            with complete_folder(folder) as unfinished:
                copied = _copy_into(Path(unfinished))
                os.rename(unfinished, folder)
            copied.folder = folder
            return copied
        except OSError:
            if not folder.is_dir():  # otherwise another process has created it meanwhile
                raise
    return _copy_into(folder)


def _copy_into(folder: Path) -> Copied:
    """Copy missing files, replace unchanged ones, and put new versions next to changed ones."""
    copied, record = Copied(folder), _recorded(folder)
    before = dict(record)
    for name, content in _files():
        target, came_as, comes_as = folder / name, record.get(name), _digest(content)
        there = _digest(target.read_bytes()) if target.exists() else None
        record[name] = comes_as
        if there is None:
            target.parent.mkdir(parents=True, exist_ok=True)
            copied.new.append(name)
        elif there == comes_as:
            continue
        elif there == came_as:
            copied.updated.append(name)
        elif comes_as == came_as:
            continue
        else:
            target = _free_place(folder / _beside(name), comes_as)
            copied.kept.append(name)
        write_bytes(target, content)
    if record != before:
        write_text(folder / _RECORD, json.dumps(record, indent=1) + "\n")
    return copied


def _free_place(path: Path, digest: str) -> Path:
    """Return the path, or a numbered path if the user has changed an earlier version at the path."""
    number = 1
    while path.exists() and _digest(path.read_bytes()) != digest:
        number += 1
        path = path.with_name(f"{path.name.split('.new')[0]}.new{number}{path.suffix}")
    return path


@contextlib.contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Return a context manager that converts an error about an unwritable folder into an MXNetError with advice.

    Raises
    ------
    MXNetError
        If the folder cannot be written to.
    """
    try:
        yield
    except (OSError, MXNetError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise MXNetError(f"The course cannot be copied to {folder}: {reason}. Pass another folder.") from error
