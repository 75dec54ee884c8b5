"""Where exercises are found: each chapter is a folder, and each folder in it, whose ``task.py`` makes ``EXERCISE``."""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from importlib.resources import files

from ...errors import did_you_mean
from .exercise import Exercise

__all__ = ["Chapter", "chapters", "ex", "exercises"]


@dataclass(frozen=True)
class Chapter:
    """A chapter: its number, its title, and the folder of its exercises."""

    number: str
    title: str
    folder: str


_CHAPTERS = [
    Chapter("01", "Imperative and symbolic", "imperative_and_symbolic"),
    Chapter("02", "Hybrid sequential", "hybrid_sequential"),
    Chapter("03", "Hybrid block", "hybrid_block"),
    Chapter("04", "Limits", "limits"),
    Chapter("05", "Export", "export"),
    Chapter("06", "Inside the compiler", "compiler"),
    Chapter("07", "Training", "training"),
    Chapter("10", "Build it yourself", "build_it_yourself"),
]


def chapters() -> list[Chapter]:
    """Return the chapters, in order."""
    return list(_CHAPTERS)


@functools.cache
def _exercises_of(chapter: Chapter) -> tuple[Exercise, ...]:
    package = f"{__package__}.tasks.{chapter.folder}"
    names = [folder.name for folder in files(package).iterdir() if (folder / "task.py").is_file()]
    modules = [importlib.import_module(f"{package}.{name}.task") for name in names]
    return tuple(sorted((module.EXERCISE for module in modules), key=lambda e: e.number))


def exercises(chapter: Chapter | None = None) -> list[Exercise]:
    """Return the exercises of a chapter, or all, in order."""
    wanted = _CHAPTERS if chapter is None else [chapter]
    return [exercise for c in wanted for exercise in _exercises_of(c)]


def ex(number: str) -> Exercise:
    """Return an exercise by its number.

    Parameters
    ----------
    number : str
        Chapter and number.

    Raises
    ------
    ValueError
        If there is none; a note names the closest one.

    Examples
    --------
    >>> ex("03.1").number
    '03.1'
    """
    number = str(number)
    chapter = next((c for c in _CHAPTERS if c.number == number.partition(".")[0]), None)
    for exercise in exercises(chapter) if chapter else []:
        if exercise.number == number:
            return exercise
    error = ValueError(f"there is no exercise {number!r}")
    error.add_note(f'Exercises have numbers such as "03.1".{did_you_mean(number, [e.number for e in exercises()])}')
    raise error
