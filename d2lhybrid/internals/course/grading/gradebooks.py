"""Marks in the forms that Canvas, Moodle and Gradescope import.

What these forms are is said by the programs themselves: `gradebook_exporter.rb` and `gradebook_importer.rb` in
`Canvas's lib <https://github.com/instructure/canvas-lms/tree/master/lib>`_, `importgradeslib.php` and `locallib.php` in
`Moodle's mod/assign/feedback/offline <https://github.com/moodle/moodle/tree/main/mod/assign/feedback/offline>`_, and
the `specification of Gradescope's autograders <https://gradescope-autograders.readthedocs.io/en/latest/specs/>`_.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...support.plural import counted
from ..exercises import ex
from .arguments import UsageError
from .gathering import Gathered
from .marks import Report, tidy
from .names import visible
from .tables import points_in, read_rows

__all__ = ["canvas_table", "class_table", "gradescope_results", "moodle_table"]

_CANVAS_IDS = ("ID", "SIS User ID", "SIS Login ID")
#: All columns before those of assignments that Canvas may export, in its order; names are in one column or in two.
_CANVAS_NAMES = ("Student", "LastName", "FirstName")
_CANVAS_KEPT = (*_CANVAS_NAMES, *_CANVAS_IDS, "Integration ID", "Root Account", "Section")
#: Canvas's entries for a student who is excused, and for one without the assignment.
_CANVAS_WITHOUT = ("EX", "N/A")
_MOODLE_IDS = ("Identifier", "ID number", "Email address")
#: Without one of these Moodle refuses a worksheet.
_MOODLE_NEEDED = ("Identifier", "Grade", "Last modified (grade)")


def _csv(rows: Sequence[Sequence[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _field(text: str) -> str:
    """Return text that a spreadsheet takes for text."""
    text = visible(text)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def class_table(students: Sequence[Gathered]) -> str:
    """Return a row for each student as CSV: who, points, and a column for each exercise."""
    numbers = sorted({number for student in students for number in student.marks})
    rows: list[list[object]] = [["student", "name", "points", *numbers, "needs a look", "submissions"]]
    for one in students:
        marks = [one.marks.get(number, "") for number in numbers]
        handed_in = _field("; ".join(one.submissions))
        who = [_field(one.student.id), _field(one.student.name)]
        rows.append([*who, one.points, *marks, len(one.unclear), handed_in])
    return _csv(rows)


def _by_id(
    path: Path, headings: Sequence[str], rows: Sequence[Sequence[str]], ids: Sequence[str], students: Sequence[Gathered]
) -> dict[int, float]:
    """Return place of a row -> points of the student in it; every student has a row, and no row has two."""
    columns = [headings.index(name) for name in ids if name in headings]
    places: dict[str, int] = {}
    double: set[str] = set()
    for place, row in enumerate(rows):
        for column in columns:
            key = row[column].strip().removeprefix("Participant ") if column < len(row) else ""
            if key and places.setdefault(key, place) != place:  # the number of one is the login of another
                double.add(key)
    for one in students:
        if one.student.id in double:
            raise UsageError(f"{visible(str(path))} has more than one row for {visible(one.student.id)}.")
    lost = [visible(one.student.id) for one in students if one.student.id not in places]
    if lost:
        looked = ", ".join(name for name in ids if name in headings)
        raise UsageError(f"{visible(str(path))} has no row for {', '.join(lost[:10])} (looked for in {looked}).")
    found: dict[int, float] = {}
    for one in students:
        place = places[one.student.id]
        if place in found:
            raise UsageError(f"{visible(str(path))}: two students have the row of {visible(one.student.id)}.")
        if not one.unclear:  # a sum that is not final is nothing to publish
            found[place] = one.points
    return found


def _needed(path: Path, headings: Sequence[str], columns: Sequence[str], hint: str = "") -> None:
    missing = [name for name in columns if name not in headings]
    if missing:
        raise UsageError(f"{visible(str(path))} has no column {', '.join(map(repr, missing))}.{hint}")


def canvas_table(path: Path, assignment: str, students: Sequence[Gathered], notes: list[str] | None = None) -> str:
    """Return a table to import into the gradebook of Canvas.

    Canvas wants the student, the ID and the section, and those of its other columns for people that it has exported,
    in its order; of assignments, the columns that are there. It knows students by their ID, and then by what its SIS
    calls them; assignments by the number in brackets behind their name. The row of "Points Possible" stays, and so do
    rows of remarks on posting.

    Parameters
    ----------
    path : Path
        The gradebook, as Canvas has exported it.
    assignment : str
        The heading of the assignment's column, or its beginning: Canvas adds a number.
    students : sequence of Gathered
        The marks. Who has handed in nothing, needs a look, or is excused (EX), keeps what is in the gradebook.
    notes : list of str, optional
        Gets a sentence on students whose marks are left out.

    Raises
    ------
    UsageError
        If a student has no row, or there is no such column.
    """
    headings, *rows = read_rows(path) or [[]]
    names = _CANVAS_NAMES[:1] if "LastName" not in headings else _CANVAS_NAMES[1:]
    _needed(path, headings, (*names, "ID", "Section"))
    columns = [
        i for i, heading in enumerate(headings) if heading == assignment or heading.startswith(f"{assignment} (")
    ]
    if len(columns) != 1:
        known = ", ".join(repr(visible(heading)) for heading in headings if heading not in _CANVAS_KEPT)
        how_many = "no column" if not columns else "more than one column"
        raise UsageError(f"{visible(str(path))} has {how_many} for {visible(assignment)!r}. There are {known}.")
    points = _by_id(path, headings, rows, _CANVAS_IDS, [one for one in students if one.submissions])
    if any("Points Possible" in row[0] and "read only" in row[columns[0]] for row in rows if len(row) > columns[0]):
        raise UsageError(
            f"{visible(str(path))}: Canvas calculates {visible(assignment)!r} itself, and imports nothing."
        )
    kept = [i for i, heading in enumerate(headings) if heading in _CANVAS_KEPT] + columns
    rows = [row + [""] * (len(headings) - len(row)) for row in rows]
    without = [place for place in points if rows[place][columns[0]].strip() in _CANVAS_WITHOUT]
    if without and notes is not None:
        listed = ", ".join(f"{rows[place][headings.index(names[0])]} ({rows[place][columns[0]]})" for place in without)
        notes.append(f"These keep what the gradebook has, though they have marks: {visible(listed)}.")
    for place in points.keys() - set(without):
        rows[place][columns[0]] = str(tidy(points[place]))
    return _csv([[row[i] for i in kept] for row in [headings, *rows]])


def moodle_table(path: Path, students: Sequence[Gathered]) -> str:
    """Return a grading worksheet to upload to Moodle.

    Moodle knows its columns by their headings, in the language in which it was downloaded, and students by the number
    at the end of the identifier. Without a word it passes over grades above the maximum, and those of students whose
    grade has been changed since the worksheet was downloaded.

    Parameters
    ----------
    path : Path
        The worksheet of the assignment, as it was downloaded.
    students : sequence of Gathered
        The marks. Who has handed in nothing, or needs a look, keeps what is in the worksheet.

    Raises
    ------
    UsageError
        If a student has no row, or more points than Moodle takes, or it is no worksheet.
    """
    headings, *rows = read_rows(path) or [[]]
    _needed(path, headings, _MOODLE_NEEDED, " Is it a worksheet, downloaded with Moodle in English?")
    points = _by_id(path, headings, rows, _MOODLE_IDS, [one for one in students if one.submissions])
    column = headings.index("Grade")
    rows = [row + [""] * (len(headings) - len(row)) for row in rows]
    for place, number in points.items():
        most = rows[place][headings.index("Maximum Grade")] if "Maximum Grade" in headings else ""
        if most and number > points_in(most, visible(str(path))):
            who = visible(rows[place][headings.index("Identifier")])
            raise UsageError(f"{visible(str(path))}: {who} has {number} points. Moodle passes over more than {most}.")
        rows[place][column] = str(tidy(number))
    return _csv([headings, *rows])


def gradescope_results(report: Report) -> str:
    """Return the results.json of a submission: a test for each part of each exercise.

    Gradescope reads ``score``, which stands in the place of the sum of the tests, ``output``, and of each of the
    ``tests`` ``name``, ``score``, ``max_score`` and ``output``, texts as plain ones. An exercise that needs a look
    counts nothing, and the output of the whole says how many there are.
    """
    tests: list[Mapping[str, object]] = []
    for mark in report.marks:
        title = f"{mark.number} {ex(mark.number).title}"
        gained = sum(worth for part, worth in zip(mark.parts, mark.worth, strict=False) if part.right)
        if mark.worth and abs(gained - mark.points) < 0.01:  # otherwise it was set by hand
            names = [f"{title}: {part.name}" for part in mark.parts]
            tests += [{"name": name, "score": round(worth, 4) if part.right else 0, "max_score": round(worth, 4),
                       "output": visible(part.message)}
                      for name, part, worth in zip(names, mark.parts, mark.worth, strict=True)]  # fmt: skip
        else:
            tests.append(
                {"name": title, "score": mark.points, "max_score": mark.out_of, "output": visible(mark.message)}
            )
    looks = f"; to be looked at by a person: {', '.join(report.unclear)}" if report.unclear else ""
    output = visible(report.problem) or f"{report.points} of {counted(report.out_of, 'point')}{looks}"
    return json.dumps({"score": report.points, "output": output, "tests": tests}, indent=1)
