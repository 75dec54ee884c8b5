"""The weights of a check's parts, which are equal or come from a table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..exercises import ex
from ..exercises.results import State
from .arguments import UsageError
from .marks import Mark, Report, tidy
from .names import visible
from .tables import points_in, read_table

__all__ = ["Weights", "read_weights", "weights_path"]


class Weights:
    """A rule that assigns points to marks.

    Parameters
    ----------
    points : mapping, optional
        The points of each part, by exercise number and by the part's name. In other exercises, all parts have equal
        points. A table of choices counts as a whole, because guesses between two choices would earn half the points.
    whole : bool
        Whether an answer gets all points or none.

    Examples
    --------
    >>> from d2lhybrid.internals.course.exercises.results import Part
    >>> mark = Mark("06.4", "wrong", 0, 3, "", parts=[Part("by chance", False), Part("one or two", True)])
    >>> Weights().weighed(mark).points
    1.5
    >>> Weights({"06.4": {"by chance": 1, "one or two": 5}}).weighed(mark).points
    5
    >>> mark = Mark("01.3", "wrong", 0, 1, "", parts=[Part("print", False), Part("reuse", True)])
    >>> Weights().weighed(mark).points
    0
    """

    points: dict[str, Mapping[str, float]]
    whole: bool

    def __init__(self, points: Mapping[str, Mapping[str, float]] | None = None, whole: bool = False) -> None:
        self.points, self.whole = dict(points or {}), whole

    def _worth(self, mark: Mark) -> list[float]:
        given = self.points.get(mark.number)
        if given is None:
            out_of = ex(mark.number).points
            return [out_of / len(mark.parts) for _ in mark.parts]
        return [given[part.name] for part in mark.parts]

    def weighed(self, mark: Mark) -> Mark:
        """Return a copy of a mark with its points, its maximum points, and the points for each part."""
        given = self.points.get(mark.number)
        out_of = ex(mark.number).points if given is None else tidy(sum(given.values()))
        whole = self.whole or (given is None and ex(mark.number).constant)
        worth = [] if whole else self._worth(mark)
        if mark.state == State.RIGHT.value:
            points = out_of
        elif whole or mark.state == State.NEEDS_A_LOOK.value:
            points = 0
        else:
            points = tidy(sum(points for part, points in zip(mark.parts, worth, strict=True) if part.right))
        return dataclasses.replace(mark, points=points, out_of=out_of, worth=worth)

    def report(self, report: Report) -> Report:
        """Return a copy of a report in which each mark has its points."""
        return dataclasses.replace(report, marks=[self.weighed(mark) for mark in report.marks])


def weights_path(marks: Path) -> Path:
    """Return the path of the table of weights that belongs to a table of marks.

    Examples
    --------
    >>> str(weights_path(Path("marks.csv")))
    'marks-weights.csv'
    """
    return marks.with_name(f"{marks.stem}-weights.csv")


def read_weights(path: Path, numbers: Sequence[str], whole: bool = False) -> Weights:
    """Return the weights in a table ``exercise,check,points``. Without the table, all parts have equal weights.

    Parameters
    ----------
    path : Path
        Path of the table, which must have a line for each part of each of its exercises. An exercise with one part has
        one line, with an empty check.
    numbers : sequence of str
        Numbers of the exercises of the run.
    whole : bool
        Whether an answer gets all points or none.

    Raises
    ------
    UsageError
        If the table cannot be read; if a row has invalid points, an exercise that is not marked, or an unknown check;
        if a check has two rows; or if an exercise in the table lacks a row for one of its checks.
    """
    found: dict[str, dict[str, float]] = {}
    for where, row in read_table(path, ("exercise", "check", "points"), needed=False):
        number, name = row["exercise"], row["check"]
        if number not in numbers:
            raise UsageError(f"{where}: the exercise {visible(number)!r} is not marked in this run.")
        parts = ex(number).parts or ("",)
        if name not in parts:
            known = ", ".join(repr(part) for part in parts)
            raise UsageError(f"{where}: exercise {number} has no check {visible(name)!r}. Its checks are {known}.")
        if name in found.setdefault(number, {}):
            raise UsageError(
                f"{where}: there is more than one row for the check {visible(name)!r} of exercise {number}."
            )
        found[number][name] = points_in(row["points"], where)
    for number, given in found.items():
        missing = [part for part in ex(number).parts or ("",) if part not in given]
        if missing:
            these = "this check" if len(missing) == 1 else "these checks"
            raise UsageError(
                f"{visible(str(path))} has no row for {these} of exercise {number}: {', '.join(map(repr, missing))}."
            )
    return Weights(found, whole)
