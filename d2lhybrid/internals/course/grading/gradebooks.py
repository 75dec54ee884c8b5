"""Marks in the formats that Canvas, Moodle, and Gradescope import.

The sources of these formats are `gradebook_exporter.rb` and `gradebook_importer.rb` in
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
from .tables import columns_of, points_in, read_rows

__all__ = ["canvas_table", "class_table", "gradescope_results", "moodle_table"]

_CANVAS_IDS = ("ID", "SIS User ID", "SIS Login ID")
#: All columns that Canvas may export before the assignments' columns, in order; names have one column or two.
_CANVAS_NAMES = ("Student", "LastName", "FirstName")
_CANVAS_KEPT = (*_CANVAS_NAMES, *_CANVAS_IDS, "Integration ID", "Root Account", "Section")
#: Canvas's entries for an excused student, and for a student without the assignment.
_CANVAS_WITHOUT = ("EX", "N/A")
_MOODLE_IDS = ("Identifier", "ID number", "Email address")
#: Columns that Moodle requires in a worksheet.
_MOODLE_NEEDED = ("Identifier", "Grade", "Last modified (grade)")


def _csv(rows: Sequence[Sequence[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _field(text: str) -> str:
    """Return a text in a form that spreadsheets interpret neither as a formula nor as a number."""
    text = visible(text)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def class_table(students: Sequence[Gathered]) -> str:
    """Return all students' marks as CSV, with a row for each student and a column for each exercise."""
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
    """Return the points by row index; each student must have one row, and each row at most one student."""
    columns = [headings.index(name) for name in ids if name in headings]
    places: dict[str, int] = {}
    double: set[str] = set()
    for place, row in enumerate(rows):
        for column in columns:
            key = row[column].strip().removeprefix("Participant ") if column < len(row) else ""
            if key and places.setdefault(key, place) != place:  # one student's number is another's login
                double.add(key)
    for one in students:
        if one.student.id in double:
            raise UsageError(f"{visible(str(path))} has more than one row for {visible(one.student.id)}.")
    lost = [visible(one.student.id) for one in students if one.student.id not in places]
    if lost:
        looked = ", ".join(name for name in ids if name in headings)
        more = f" and {len(lost) - 10} more" if len(lost) > 10 else ""
        raise UsageError(
            f"{visible(str(path))} has no row for {', '.join(lost[:10])}{more} (searched columns: {looked})."
        )
    found: dict[int, float] = {}
    for one in students:
        place = places[one.student.id]
        if place in found:
            raise UsageError(f"{visible(str(path))}: two students match the row of {visible(one.student.id)}.")
        if not one.unclear:  # incomplete sums must not be published
            found[place] = one.points
    return found


def _needed(path: Path, headings: Sequence[str], columns: Sequence[str], hint: str = "") -> None:
    missing = [name for name in columns if name not in headings]
    if missing:
        raise UsageError(f"{visible(str(path))} has no {columns_of(missing)}.{hint}")


def canvas_table(path: Path, assignment: str, students: Sequence[Gathered], notes: list[str] | None = None) -> str:
    """Return a table for an import into the gradebook of Canvas.

    Canvas requires all columns about students that it exported, such as the name, the ID, and the section, in the same
    order. Columns of assignments are optional. Canvas identifies a student by the ID, then by the SIS identifiers, and
    an assignment by the number in parentheses after its name. The table keeps the row "Points Possible" and the row on
    manual posting.

    Parameters
    ----------
    path : Path
        Path of the gradebook that Canvas exported.
    assignment : str
        Heading of the assignment's column, possibly without the number that Canvas appends.
    students : sequence of Gathered
        Marks of the students. Students without a submission, with an unclear mark, or excused (EX) keep the entries of
        the exported gradebook.
    notes : list of str, optional
        List that receives sentences about students whose marks are omitted.

    Raises
    ------
    UsageError
        If a student does not have exactly one row, if the file lacks columns, or if the assignment does not have
        exactly one column that accepts marks.
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
        raise UsageError(f"{visible(str(path))} has {how_many} for {visible(assignment)!r}. Its columns are {known}.")
    points = _by_id(path, headings, rows, _CANVAS_IDS, [one for one in students if one.submissions])
    if any("Points Possible" in row[0] and "read only" in row[columns[0]] for row in rows if len(row) > columns[0]):
        raise UsageError(
            f"{visible(str(path))}: Canvas calculates {visible(assignment)!r} itself, so marks cannot be imported "
            "into this column."
        )
    kept = [i for i, heading in enumerate(headings) if heading in _CANVAS_KEPT] + columns
    rows = [row + [""] * (len(headings) - len(row)) for row in rows]
    without = [place for place in points if rows[place][columns[0]].strip() in _CANVAS_WITHOUT]
    if without and notes is not None:
        listed = ", ".join(f"{rows[place][headings.index(names[0])]} ({rows[place][columns[0]]})" for place in without)
        notes.append(
            "The marks of these students are not imported, because their entries in the gradebook are kept: "
            f"{visible(listed)}."
        )
    for place in points.keys() - set(without):
        rows[place][columns[0]] = str(tidy(points[place]))
    return _csv([[row[i] for i in kept] for row in [headings, *rows]])


def moodle_table(path: Path, students: Sequence[Gathered]) -> str:
    """Return a grading worksheet for an upload to Moodle.

    Moodle identifies columns by their headings, in the language of the download, and students by the number
    at the end of the identifier. Moodle silently ignores grades above the maximum, and grades that changed in
    Moodle after the download of the worksheet.

    Parameters
    ----------
    path : Path
        Path of the downloaded worksheet of the assignment.
    students : sequence of Gathered
        Marks of the students. Students without a submission or with an unclear mark keep the entries of the worksheet.

    Raises
    ------
    UsageError
        If a student does not have exactly one row, if a student has more points than Moodle accepts, or if the file is
        not a worksheet.
    """
    headings, *rows = read_rows(path) or [[]]
    _needed(path, headings, _MOODLE_NEEDED, " Download the worksheet with Moodle set to English.")
    points = _by_id(path, headings, rows, _MOODLE_IDS, [one for one in students if one.submissions])
    column = headings.index("Grade")
    rows = [row + [""] * (len(headings) - len(row)) for row in rows]
    for place, number in points.items():
        most = rows[place][headings.index("Maximum Grade")] if "Maximum Grade" in headings else ""
        if most and number > points_in(most, visible(str(path))):
            who = visible(rows[place][headings.index("Identifier")])
            raise UsageError(
                f"{visible(str(path))}: {who} has {counted(number, 'point')}, but Moodle ignores marks above the "
                f"maximum grade, {most}. Increase the maximum grade in Moodle, and download the worksheet again."
            )
        rows[place][column] = str(tidy(number))
    return _csv([headings, *rows])


def gradescope_results(report: Report) -> str:
    """Return the content of results.json for a submission, with a test for each exercise or each of its marked parts.

    Gradescope reads ``score`` (instead of the sum of the tests), ``output``, and the ``name``, ``score``,
    ``max_score``, and ``output`` of each of the ``tests``, all as plain text. Exercises that a person must still mark
    have no points, and ``output`` lists these exercises.
    """
    tests: list[Mapping[str, object]] = []
    for mark in report.marks:
        title = f"{mark.number} {ex(mark.number).title}"
        gained = sum(worth for part, worth in zip(mark.parts, mark.worth, strict=False) if part.right)
        if mark.worth and abs(gained - mark.points) < 0.01:  # otherwise the mark was set by hand
            names = [f"{title}: {part.name}" for part in mark.parts]
            tests += [{"name": name, "score": round(worth, 4) if part.right else 0, "max_score": round(worth, 4),
                       "output": visible(part.message)}
                      for name, part, worth in zip(names, mark.parts, mark.worth, strict=True)]  # fmt: skip
        else:
            tests.append(
                {"name": title, "score": mark.points, "max_score": mark.out_of, "output": visible(mark.message)}
            )
    looks = f"; need a look by a person: {', '.join(report.unclear)}" if report.unclear else ""
    output = visible(report.problem) or f"{report.points} of {counted(report.out_of, 'point')}{looks}"
    return json.dumps({"score": report.points, "output": output, "tests": tests}, indent=1)
