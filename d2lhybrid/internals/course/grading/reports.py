"""Reports of marks: a table for the teacher, and a page for each student."""

from __future__ import annotations

import csv
import functools
import html
import io
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from d2lhybrid.error import MXNetError

from ...support.filesystem import check_writable, write_bytes
from ...support.plural import counted
from ..exercises import ex
from ..exercises.results import Part, State, inline_html
from .gradebooks import gradescope_results
from .marks import Mark, Report, tidy
from .names import file_names, visible
from .overview import overview, overview_path
from .similar import Alike
from .submission import Submission

__all__ = ["has_more_rows", "page", "partial_table", "prepare", "table", "write_reports", "write_results"]

_COLOURS = {State.RIGHT: "#2e8b57", State.WRONG: "#a07800", State.ERROR: "#c2571a", State.NOT_ATTEMPTED: "#707070",
            State.NEEDS_A_LOOK: "#3a6ea5"}  # fmt: skip

#: The states with a column for their number of exercises.
_COUNTED = (State.RIGHT, State.WRONG, State.ERROR, State.NOT_ATTEMPTED, State.NEEDS_A_LOOK)

#: The maximum number of characters of an answer on a page.
_LONGEST_CODE = 20_000

#: Characters that HTML does not allow.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{name}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }}
section {{ border-left: 4px solid; padding: 0 1em; margin: 1em 0; }}
h2 {{ font-size: 1.1em; margin: 0; }}
p, ul {{ margin: .3em 0; color: #222; white-space: pre-wrap; overflow-wrap: anywhere; }}
code, pre {{ background: #f2f2f2; }}
pre {{ padding: .5em; overflow-x: auto; }}
td {{ padding: 0 1em 0 0; vertical-align: top; overflow-wrap: anywhere; }}
td:nth-child(3) {{ white-space: nowrap; }}
</style>
<h1>{name}: {points} of {out_of}</h1>
{problem}{sections}
</html>
"""


def _field(text: str) -> str:
    """Return a text in a form that spreadsheets don't run as a formula, as they do after certain first characters."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def table(reports: Sequence[Report]) -> str:
    """Return all marks as CSV, with a row for each submission and a column for each exercise.

    An exercise that a person must still mark has a "?" and no points; a separate column has the number of such
    exercises. An exercise that the submission does not contain has an empty cell.

    Parameters
    ----------
    reports : sequence of Report
        Reports with the same exercises.
    """
    numbers = [mark.number for mark in reports[0].marks] if reports else []
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["submission", "points", "out of", *numbers, *map(str, _COUNTED), "problem"])
    for report in reports:
        looks = set(report.unclear)
        points = ["?" if m.number in looks else "" if m.missing and not m.points else m.points for m in report.marks]
        states = Counter(mark.state for mark in report.marks)
        counts = [states[state.value] for state in _COUNTED]
        name, problem = _field(visible(report.name)), _field(visible(report.problem))
        writer.writerow([name, report.points, report.out_of, *points, *counts, problem])
    return stream.getvalue()


def _shown(text: str) -> str:
    return inline_html(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text))


def _points(mark: Mark) -> str:
    return f"{'?' if mark.state == State.NEEDS_A_LOOK.value else mark.points} of {mark.out_of}"


def _part(part: Part, worth: float | None) -> str:
    """Return the line about a part of a check; ``worth`` is None if the part has no separate points."""
    sign = "✓" if part.right else "✗"
    gained = "" if worth is None else f"{tidy(worth) if part.right else 0} of {tidy(worth)}"
    return f"<tr><td>{sign}</td><td>{_shown(part.name)}</td><td>{gained}</td><td>{_shown(part.message)}</td></tr>"


def _code(text: str) -> str:
    """Return the code of an answer as HTML; long code is truncated."""
    rest = f"\n... ({len(text)} characters)" if len(text) > _LONGEST_CODE else ""
    return html.escape(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text[:_LONGEST_CODE]) + rest)


def page(report: Report, answers: Mapping[str, str] | None = None) -> str:
    """Return the page with a student's marks as HTML.

    Parameters
    ----------
    report : Report
        The student's marks.
    answers : mapping, optional
        The student's code, by exercise number.
    """
    answers = answers or {}
    sections = []
    for mark in report.marks:
        details = "".join(f"<li>{_shown(detail)}</li>" for detail in mark.details)
        colour = _COLOURS[State(mark.state)]
        parts = "".join(map(_part, mark.parts, mark.worth or [None] * len(mark.parts)))
        code = answers.get(mark.number, "").strip()
        sections.append(
            f'<section style="border-color:{colour}"><h2>{mark.number} {html.escape(ex(mark.number).title)}: '
            f'<span style="color:{colour}">{mark.state}</span>, {_points(mark)}</h2>'
            f"<p>{_shown(mark.message)}</p>{f'<ul>{details}</ul>' if details else ''}"
            f"{f'<table>{parts}</table>' if parts else ''}"
            f"{f'<details><summary>Your answer</summary><pre>{_code(code)}</pre></details>' if code else ''}</section>"
        )
    return _PAGE.format(
        name=html.escape(visible(report.name)),
        points=f"at least {report.points}" if report.unclear else report.points,
        out_of=counted(report.out_of, "point"),
        problem=f"<p><b>{html.escape(visible(report.problem))}</b></p>\n" if report.problem else "",
        sections="\n".join(sections),
    )


def _bytes(text: str) -> bytes:
    """Return a text as UTF-8; unpaired surrogates, which an answer may produce, become "?"."""
    return text.encode("utf-8", "replace")


def prepare(marks: Path, folder: Path) -> None:
    """Ensure, before marking begins, that the table and the pages can be written.

    Parameters
    ----------
    marks : Path
        Path of the table. An existing file stays unchanged.
    folder : Path
        Folder of the pages, created if necessary.

    Raises
    ------
    MXNetError
        If the table or a page cannot be written.
    """
    check_writable(marks)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f'The folder "{folder}" for the pages of the students cannot be created: {error.strerror}'
        raise MXNetError(problem) from None
    check_writable(folder / "page.html")


def partial_table(marks: Path) -> Path:
    """Return the path for the marks of a stopped run, for use if the table has more marks from an earlier run.

    Examples
    --------
    >>> str(partial_table(Path("marks.csv")))
    'marks-incomplete.csv'
    """
    return marks.with_name(f"{marks.stem}-incomplete.csv")


def has_more_rows(marks: Path, count: int) -> bool:
    """Return whether an existing table has more rows than the given number of submissions."""
    try:
        with open(marks, encoding="utf-8", errors="replace", newline="") as stream:
            return sum(1 for _ in csv.reader(stream)) - 1 > count
    except (OSError, csv.Error):
        return False


def write_reports(
    reports: Sequence[Report],
    marks: Path,
    folder: Path,
    similar: Alike | None = None,
    submissions: Sequence[Submission] = (),
) -> list[str]:
    """Write the table, a page for each student, and a page for the class.

    Parameters
    ----------
    reports : sequence of Report
        Reports to write.
    marks : Path
        Path of the table.
    folder : Path
        Folder of the pages.
    similar : dict, optional
        Groups of similar answers.
    submissions : sequence of Submission, optional
        Submissions, whose code the pages display.

    Returns
    -------
    list of str
        Files that could not be written, with the reasons.
    """
    _, *names = file_names([overview_path(marks).stem, *(report.name for report in reports)])
    pages = zip(reports, names, strict=True)
    problems = _write(marks, lambda: table(reports))
    handed_in = {submission.name: submission for submission in submissions}
    for report, name in pages:
        submission = handed_in.get(report.name)
        answers = submission.code() if submission is not None else {}
        problems += _write(folder / f"{name}.html", functools.partial(page, report, answers))
    problems += _write(overview_path(marks), lambda: overview(reports, similar or {}))
    return problems


def write_results(reports: Sequence[Report], folder: Path) -> list[str]:
    """Write Gradescope's ``results.json`` for each submission, and return the files that failed, with the reasons."""
    problems = []
    for report, name in zip(reports, file_names([report.name for report in reports]), strict=True):
        try:
            (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problems.append(f"{folder / name}: {error.strerror}")
            continue
        problems += _write(folder / name / "results.json", functools.partial(gradescope_results, report))
    return problems


def _write(path: Path, make: Callable[[], str]) -> list[str]:
    try:
        write_bytes(path, _bytes(make()))
    except (OSError, MXNetError) as error:
        return [str(error)]
    return []
