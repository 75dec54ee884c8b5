"""Marks that a person has set: a table beside the marks, which every run respects and none writes."""

from __future__ import annotations

import csv
import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..exercises.results import State
from .arguments import UsageError
from .marks import Mark, Report
from .names import visible

__all__ = ["Override", "Overrides", "overridden", "overrides_path", "read_overrides"]

_COLUMNS = ("submission", "exercise", "points", "comment")


@dataclass(frozen=True)
class Override:
    """A mark that was set by hand.

    Attributes
    ----------
    points : float
        What counts.
    comment : str
        For the student.
    """

    points: float
    comment: str


Overrides = dict[tuple[str, str], Override]


def overrides_path(marks: Path) -> Path:
    """Return where the marks that were set by hand are.

    Examples
    --------
    >>> str(overrides_path(Path("marks.csv")))
    'marks-overrides.csv'
    """
    return marks.with_name(f"{marks.stem}-overrides.csv")


def read_overrides(path: Path, names: Sequence[str], numbers: Sequence[str]) -> Overrides:
    """Return what stands in a table of ``submission,exercise,points,comment``; nothing, if there is none.

    Parameters
    ----------
    path : Path
        The table.
    names, numbers : sequence of str
        The submissions and the exercises of the run.

    Raises
    ------
    UsageError
        For a line that means nothing: its mark would be lost in silence.
    """
    if not path.exists():
        return {}
    found: Overrides = {}
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = [name for name in _COLUMNS[:3] if name not in (reader.fieldnames or ())]
            if missing:
                raise UsageError(f"{visible(str(path))} has no column {', '.join(missing)}.")
            for row in reader:
                where = f"{visible(str(path))}, line {reader.line_num}"
                name, number = (row["submission"] or "").strip(), (row["exercise"] or "").strip()
                if name.removeprefix("'") not in names and name not in names:
                    raise UsageError(f"{where}: there is no submission {visible(name)!r}.")
                if number not in numbers:
                    raise UsageError(f"{where}: the exercise {visible(number)!r} is not one of those that count.")
                name = name if name in names else name.removeprefix("'")
                found[name, number] = Override(_points(row["points"], where), (row.get("comment") or "").strip())
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{visible(str(path))} cannot be read: {error}.") from None
    return found


def _points(text: str | None, where: str) -> float:
    try:
        points = float((text or "").replace(",", "."))
    except ValueError:
        points = math.nan
    if not (math.isfinite(points) and points >= 0):
        raise UsageError(f"{where}: {visible(text or '')!r} is no number of points.")
    return int(points) if points.is_integer() else points


def overridden(report: Report, overrides: Overrides) -> Report:
    """Return a report with the marks that were set by hand in the place of those that were found."""
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
