"""The catalogue of exercises. Each chapter is a folder of exercise folders, whose ``task.py`` defines ``EXERCISE``.

Installed packages can add chapters, such as courses that teachers create with ``d2lhybrid new-course``. Such a package
declares the name of its list of chapters as an entry point in its ``pyproject.toml``::

    [project.entry-points."d2lhybrid.exercises"]
    my-course = "my_course:CHAPTERS"
"""

from __future__ import annotations

import functools
import importlib
import re
import warnings
from collections.abc import Container
from dataclasses import dataclass
from importlib.resources import files

from ...support.display import Shown
from ...support.suggestions import did_you_mean
from .exercise import Exercise

__all__ = ["ENTRY_POINTS", "Chapter", "chapters", "ex", "exercises"]

#: The entry point group in which packages declare their chapters.
ENTRY_POINTS = "d2lhybrid.exercises"


@dataclass(frozen=True, repr=False)
class Chapter(Shown):
    """A chapter of exercises.

    Attributes
    ----------
    number : str
        Two digits; the numbers of this package's chapters are below 50.
    title : str
        Title in a few words.
    folder : str
        Folder of the chapter's exercises, relative to the package.
    package : str
        Package that contains the folder; by default, this package.
    lang : str
        Language of the chapter's notebook, hints, and checks, ``"en"`` or ``"zh"``. The chapters of this package have
        notebooks in both languages.
    """

    number: str
    title: str
    folder: str
    package: str = f"{__package__}.tasks"
    lang: str = "en"


_CHAPTERS = [
    Chapter("01", "Imperative and symbolic", "imperative_and_symbolic"),
    Chapter("02", "Hybrid sequential", "hybrid_sequential"),
    Chapter("03", "Hybrid block", "hybrid_block"),
    Chapter("04", "Limits", "limits"),
    Chapter("05", "Export", "export"),
    Chapter("06", "Inside the compiler", "compiler"),
    Chapter("07", "Training", "training"),
    Chapter("09", "Other frameworks", "and_the_others"),
    Chapter("10", "Build it yourself", "build_it_yourself"),
]


def chapters(installed: bool = True) -> list[Chapter]:
    """Return all chapters in order: the chapters of this package, then the chapters of other installed packages.

    Parameters
    ----------
    installed : bool
        Whether to include the chapters of other installed packages.
    """
    return [*_CHAPTERS, *(_installed_chapters() if installed else ())]


@functools.cache
def _installed_chapters() -> tuple[Chapter, ...]:
    """Return the chapters of other packages; skip packages that fail to load, with a warning."""
    found: dict[str, Chapter] = {chapter.number: chapter for chapter in _CHAPTERS}
    try:
        import importlib.metadata
    except ImportError:  # without sockets, package metadata cannot be read, and no packages are installed
        return tuple(found.values())
    for point in sorted(importlib.metadata.entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            theirs: dict[str, Chapter] = {}
            for chapter in point.load():
                _check_chapter(chapter, {**found, **theirs})
                theirs[chapter.number] = chapter
                _exercises_of(chapter)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            warnings.warn(f"The exercises of the course {point.name!r} cannot be loaded: {reason}", stacklevel=4)
        else:
            found |= theirs
    return tuple(found[number] for number in sorted(found) if found[number] not in _CHAPTERS)


def _check_chapter(chapter: Chapter, taken: Container[str]) -> None:
    if not isinstance(chapter, Chapter):
        raise TypeError(f"each chapter must be an instance of Chapter, not of {type(chapter).__name__}")
    if not re.fullmatch(r"\d\d", chapter.number):
        raise ValueError(f"the number of a chapter must have two digits, not {chapter.number!r}")
    if chapter.number in taken:
        raise ValueError(
            f"another chapter already has the number {chapter.number}: choose another number for {chapter.title!r}"
        )


@functools.cache
def _exercises_of(chapter: Chapter) -> tuple[Exercise, ...]:
    package = f"{chapter.package}.{chapter.folder}"
    names = [folder.name for folder in files(package).iterdir() if (folder / "task.py").is_file()]
    modules = [importlib.import_module(f"{package}.{name}.task") for name in names]
    found = tuple(sorted((module.EXERCISE for module in modules), key=lambda e: e.number))
    numbers = [exercise.number for exercise in found]
    if odd := [n for n in numbers if not re.fullmatch(rf"{chapter.number}\.\d+", n) or numbers.count(n) > 1]:
        raise ValueError(
            f"the exercises of chapter {chapter.number} must have different numbers such as {chapter.number}.1. "
            f"Invalid or repeated numbers: {', '.join(odd)}"
        )
    return found


def exercises(chapter: Chapter | None = None) -> list[Exercise]:
    """Return the exercises of a chapter, or of all chapters, in order."""
    wanted = chapters() if chapter is None else [chapter]
    return [exercise for c in wanted for exercise in _exercises_of(c)]


def ex(number: str) -> Exercise:
    """Return the exercise with the given number.

    Parameters
    ----------
    number : str
        Number of the exercise, which begins with its chapter, such as ``"03.1"``.

    Raises
    ------
    ValueError
        If no exercise has this number; a note names a similar number, if there is one.

    Examples
    --------
    >>> ex("03.1").number
    '03.1'
    """
    number = str(number)
    wanted = number.partition(".")[0]
    ours = any(c.number == wanted for c in _CHAPTERS)  # then other packages are not loaded
    chapter = next((c for c in chapters(installed=not ours) if c.number == wanted), None)
    for exercise in exercises(chapter) if chapter else []:
        if exercise.number == number:
            return exercise
    error = ValueError(f"there is no exercise {number!r}")
    error.add_note(f'Exercises have numbers such as "03.1".{did_you_mean(number, [e.number for e in exercises()])}')
    raise error
