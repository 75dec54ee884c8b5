"""Marks from several runs and files, combined into a row for each student."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..exercises import ex
from .arguments import UsageError
from .handed_in import Student, student_of
from .marks import tidy
from .names import visible
from .tables import points_in, read_rows, read_table

__all__ = ["Gathered", "gather", "read_students"]

_NUMBER = re.compile(r"\d\d\.\d+")
_SHOWN = 10


@dataclass
class Gathered:
    """All marks of a student.

    Attributes
    ----------
    student : Student
        The student who has these marks.
    marks : dict
        The points for each exercise, by exercise number; "?" if a person must decide.
    submissions : list of str
        Names of the submissions.
    """

    student: Student
    marks: dict[str, float | str] = field(default_factory=dict)
    submissions: list[str] = field(default_factory=list)

    @property
    def points(self) -> float:
        """The total points, except those for exercises that a person must still mark."""
        return tidy(sum(points for points in self.marks.values() if not isinstance(points, str)))

    @property
    def unclear(self) -> list[str]:
        """The numbers of the exercises that a person must still mark."""
        return sorted(number for number, points in self.marks.items() if isinstance(points, str))


def read_students(path: Path) -> dict[str, Student]:
    """Return the student of each submission or folder, from a table with columns ``submission,student,name``.

    Raises
    ------
    UsageError
        If the table has other columns, a line without a submission or a student, or two lines for one submission.
    """
    found: dict[str, Student] = {}
    for where, row in read_table(path, ("submission", "student"), ("name",)):
        name = row["submission"].removesuffix(".ipynb").removeprefix("'")
        if not name or not row["student"]:
            raise UsageError(f"{where}: the row must have a submission and a student.")
        if name in found:
            raise UsageError(f"{where}: there is more than one row for the submission {visible(name)!r}.")
        found[name] = Student(row["student"], row["name"])
    return found


def gather(tables: Sequence[Path], students: Mapping[str, Student] | None = None) -> list[Gathered]:
    """Return the marks of each student, in the order of the students.

    Parameters
    ----------
    tables : sequence of Path
        Tables written by ``d2lhybrid grade``.
    students : mapping, optional
        The student of each submission or folder. Without this argument, file names determine the students: names from
        Canvas, Moodle, and Gradescope are parsed, and other names are names of students.

    Raises
    ------
    UsageError
        If the student of a submission is unknown, or if a student has two marks for one exercise.
    """
    found: dict[str, Gathered] = {}
    for student in (students or {}).values():  # students without a submission also have a row
        found.setdefault(student.id, Gathered(student))
    sources: dict[tuple[str, str], str] = {}
    unknown, double = [], []
    for path in tables:
        for name, marks in _marks_in(path):
            student = _whose(name, students)
            if student is None:
                unknown.append(visible(name))
                continue
            gathered = found.setdefault(student.id, Gathered(student))
            gathered.submissions.append(name)
            for number, points in marks.items():
                if number in gathered.marks:
                    both = f"{sources[student.id, number]!r} and {name!r}"
                    double.append(f"{visible(student.id)} has two marks for exercise {number}, in {visible(both)}")
                gathered.marks[number] = points
                sources[student.id, number] = name
    if unknown:
        raise UsageError(
            _listed(
                "The students of these submissions are unknown. Add a row for each of these submissions to the table "
                "of students:",
                unknown,
            )
        )
    if double:
        raise UsageError(
            _listed(
                "Some students have two marks for the same exercise. Remove one of the two submissions from its table:",
                double,
            )
        )
    return list(found.values())


def _listed(sentence: str, lines: Sequence[str]) -> str:
    more = [f"... and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
    return "\n    ".join([sentence, *lines[:_SHOWN], *more])


def _whose(name: str, students: Mapping[str, Student] | None) -> Student | None:
    if students:
        parts = name.split("/")
        for known in (name, *("/".join(parts[:n]) for n in range(len(parts) - 1, 0, -1)), parts[-1]):
            if known in students:
                return students[known]
    recognised = student_of(name)
    if recognised is not None or students is not None:
        return recognised
    return Student(name.partition("/")[0])


def _marks_in(path: Path) -> list[tuple[str, dict[str, float | str]]]:
    """Return the submission and the points by exercise number for each line of a table of marks."""
    headings, *rows = read_rows(path) or [[]]
    if "submission" not in headings or not any(_NUMBER.fullmatch(heading) for heading in headings):
        raise UsageError(
            f"{visible(str(path))} is not a table of marks. Such a table has a column 'submission' and a column for "
            "each exercise."
        )
    known = {exercise for exercise in headings if _NUMBER.fullmatch(exercise)}
    for number in known:
        try:
            ex(number)
        except (KeyError, ValueError):
            raise UsageError(f"{visible(str(path))}: there is no exercise {number}.") from None
    found = []
    for line, row in enumerate(rows, 2):
        cells = dict(zip(headings, row, strict=False))
        where = f"{visible(str(path))}, row {line}"
        marks = {n: "?" if cells[n] == "?" else points_in(cells[n], where) for n in sorted(known) if cells.get(n)}
        found.append((cells["submission"].removeprefix("'"), marks))
    return found
