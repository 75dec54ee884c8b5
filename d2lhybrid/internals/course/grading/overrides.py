"""Marks set by a person, in a separate table that every run reads and no run writes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..exercises.results import State
from .arguments import UsageError
from .marks import Mark, Report
from .names import visible
from .tables import points_in, read_table

__all__ = ["Override", "Overrides", "overridden", "overrides_path", "read_overrides"]

_COLUMNS = ("submission", "exercise", "points", "comment")


@dataclass(frozen=True)
class Override:
    """A mark that was set by hand.

    Attributes
    ----------
    points : float
        The points that replace the mark.
    comment : str
        Comment for the student.
    """

    points: float
    comment: str


Overrides = dict[tuple[str, str], Override]


def overrides_path(marks: Path) -> Path:
    """Return the path of the table with marks that were set by hand for a table of marks.

    Examples
    --------
    >>> str(overrides_path(Path("marks.csv")))
    'marks-overrides.csv'
    """
    return marks.with_name(f"{marks.stem}-overrides.csv")


def read_overrides(path: Path, names: Sequence[str], numbers: Sequence[str]) -> Overrides:
    """Return the entries of a table ``submission,exercise,points,comment``, or no entries if the file does not exist.

    Parameters
    ----------
    path : Path
        Path of the table.
    names, numbers : sequence of str
        Names of the submissions, and numbers of the exercises of the run.

    Raises
    ------
    UsageError
        If the table is invalid, or if a line does not match the run, so that its mark would be lost.
    """
    found: Overrides = {}
    for where, row in read_table(path, _COLUMNS[:3], _COLUMNS[3:], needed=False):
        name, number = row["submission"], row["exercise"]
        if name.removeprefix("'") not in names and name not in names:
            raise UsageError(f"{where}: there is no submission {visible(name)!r}.")
        if number not in numbers:
            raise UsageError(f"{where}: the exercise {visible(number)!r} is not marked in this run.")
        name = name if name in names else name.removeprefix("'")
        found[name, number] = Override(points_in(row["points"], where), row["comment"])
    return found


def overridden(report: Report, overrides: Overrides) -> Report:
    """Return a report in which marks that were set by hand replace the original marks."""
    marks = [_set(mark, overrides.get((report.name, mark.number))) for mark in report.marks]
    return report if marks == report.marks else dataclasses.replace(report, marks=marks)


def _set(mark: Mark, override: Override | None) -> Mark:
    if override is None:
        return mark
    state = mark.state
    if override.points >= mark.out_of:
        state = State.RIGHT.value
    elif state in (State.RIGHT.value, State.NEEDS_A_LOOK.value):
        state = State.WRONG.value
    message = f"Set by hand: {override.comment}" if override.comment else "Set by hand."
    details = [f"Before: {mark.state}, {mark.points} of {mark.out_of}. {mark.message}", *mark.details]
    return dataclasses.replace(mark, state=state, points=override.points, message=message, details=details)
