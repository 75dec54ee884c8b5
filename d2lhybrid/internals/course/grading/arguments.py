"""The arguments of ``d2lhybrid grade``, and their checks before anything runs."""

from __future__ import annotations

import argparse
import math
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from d2lhybrid.error import MXNetError

from ...support.filesystem import open_file
from .forms import is_of_the_system, is_script
from .journal import journal_path
from .names import visible

__all__ = ["UsageError", "check_outputs", "check_values", "notebooks_and_exercises", "passed_over"]

#: The number of a chapter or an exercise.
_NUMBER = re.compile(r"\d\d(\.\d+)?")


#: The number of bytes at the beginning of a Python file in which a cell marker is searched.
_BEGINNING = 1_000_000


class UsageError(Exception):
    """An error about an invalid command line; the message is a sentence for the user."""


def check_values(arguments: argparse.Namespace) -> None:
    """Check that the numbers in the arguments are in range.

    Raises
    ------
    UsageError
        For the first number that is out of range.
    """
    if arguments.seed is not None and arguments.seed < 0:
        raise UsageError(f"--seed must be 0 or more, not {arguments.seed}.")
    if not (arguments.seconds > 0 and math.isfinite(arguments.seconds)):
        raise UsageError(f"--seconds must be a finite number above 0, not {arguments.seconds:g}.")
    for name in ("memory", "workers"):
        value = getattr(arguments, name)
        if value is not None and value < 1:
            raise UsageError(f"--{name} must be 1 or more, not {value}.")


def notebooks_and_exercises(submissions: Sequence[Path], exercises: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Return the notebooks, and the numbers of the requested exercises and chapters.

    Files after ``--exercises`` count as notebooks, although the option consumes them. A folder contributes its
    notebooks, archives with notebooks, and Python files of cells, except Python files next to a notebook of the same
    name.

    Parameters
    ----------
    submissions : sequence of Path
        Paths of files and folders.
    exercises : sequence of str
        Values of ``--exercises``.

    Raises
    ------
    UsageError
        If there are no submissions, if a file does not exist, or if a folder has no notebook.
    """
    places, numbers = _places_and_numbers(submissions, exercises)
    if not places:
        raise UsageError("There are no submissions. Pass notebooks, or a folder of notebooks.")
    found: dict[str, Path] = {}
    for place in places:
        for path in _notebooks(place):
            found.setdefault(os.path.realpath(path), path)
    return list(found.values()), numbers


def passed_over(submissions: Sequence[Path], exercises: Sequence[str], table: Path, pages: Path) -> list[Path]:
    """Return the files in the submitted folders that are neither submissions nor outputs of marking.

    Parameters
    ----------
    submissions : sequence of Path
        Paths of files and folders.
    exercises : sequence of str
        Values of ``--exercises``.
    table, pages : Path
        Paths of the table of marks and of the folder for the students' pages.

    Returns
    -------
    list of Path
        The files, sorted within each folder.
    """
    places, _ = _places_and_numbers(submissions, exercises)
    found = []
    for place in (place for place in places if place.is_dir()):
        taken = set(_below(place))
        for path in sorted(_files(place)):
            ours = pages in path.parents or (path.parent.samefile(table.parent) and path.name.startswith(table.stem))
            if path not in taken and not ours and path.with_suffix(".ipynb") not in taken:
                found.append(path)
    return found


def _places_and_numbers(submissions: Sequence[Path], exercises: Sequence[str]) -> tuple[list[Path], list[str]]:
    words = [word for text in exercises for word in (text.split(",") if not os.path.exists(text) else [text]) if word]
    numbers = [word for word in words if _NUMBER.fullmatch(word)]
    return [*submissions, *(Path(word) for word in words if not _NUMBER.fullmatch(word))], numbers


def _notebooks(place: Path) -> list[Path]:
    if place.is_dir():
        found = sorted(_below(place))
        if not found:
            raise UsageError(f"There are no notebooks in the folder {visible(str(place))}.")
        return found
    if not os.path.lexists(place):
        raise UsageError(f"There is no file {visible(str(place))}.")
    return [place]


def _files(folder: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not is_of_the_system(name)]  # such as .ipynb_checkpoints
        for name in files:
            if not is_of_the_system(name):
                yield Path(where, name)


def _below(folder: Path) -> Iterator[Path]:
    for path in _files(folder):
        name = path.name.lower()
        if (
            ".ipynb" in name  # browsers append .txt or .json
            or (name.endswith(".zip") and _has_notebooks(path))
            or (name.endswith(".py") and not path.with_suffix(".ipynb").exists() and _has_cells(path))
        ):
            yield path


def _has_notebooks(path: Path) -> bool:
    """Return whether an archive contains a notebook or can't be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.lower().endswith(".ipynb") and not is_of_the_system(name) for name in archive.namelist())
    except (OSError, ValueError, zipfile.BadZipFile):
        return True


def _has_cells(path: Path) -> bool:
    try:
        with open_file(path) as (stream, _):
            return is_script(stream.read(_BEGINNING).decode("utf-8", "replace"))
    except (OSError, MXNetError):
        return True


def check_outputs(paths: Sequence[Path], table: Path, pages: Path) -> None:
    """Raise an error if an output would overwrite a submission, or if the table is a special file.

    Parameters
    ----------
    paths : sequence of Path
        Paths of the submissions.
    table, pages : Path
        Paths of the table of marks and of the folder for the students' pages.

    Raises
    ------
    UsageError
        If an output is a submission, or if the table exists and is neither a file nor a folder.
    """
    if table.exists() and not table.is_file() and not table.is_dir():
        raise UsageError(
            f"{visible(str(table))} is not a regular file, so the marks cannot be written to it. Pass another path "
            "with --output."
        )
    outputs = {os.path.realpath(table), os.path.realpath(journal_path(table)), os.path.realpath(pages)}
    for path in paths:
        if os.path.realpath(path) in outputs:
            raise UsageError(
                f"{visible(str(path))} is a submission, so the marks cannot be written to it. Pass another path with "
                "--output."
            )
