"""Marks as a table for the teacher, and a page for each student."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Sequence
from pathlib import Path

from ..exercises import ex
from ..exercises.results import State, inline_html
from ..filesystem import write_text
from .marking import Report

__all__ = ["page", "table", "write_reports"]

_COLOURS = {State.RIGHT: "#2e8b57", State.WRONG: "#a07800", State.ERROR: "#c2571a", State.NOT_ATTEMPTED: "#707070"}

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{name}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }}
section {{ border-left: 4px solid; padding: 0 1em; margin: 1em 0; }}
h2 {{ font-size: 1.1em; margin: 0; }}
p, ul {{ margin: .3em 0; color: #222; white-space: pre-wrap; overflow-wrap: anywhere; }}
code {{ background: #f2f2f2; }}
</style>
<h1>{name}: {points} of {out_of} points</h1>
{problem}{sections}
</html>
"""


def _field(text: str) -> str:
    """Return text that a spreadsheet takes for text: it would run what begins with one of these."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def table(reports: Sequence[Report]) -> str:
    """Return all marks as CSV: a line a submission, a column an exercise.

    Parameters
    ----------
    reports : sequence of Report
        Of the same exercises.
    """
    numbers = [mark.number for mark in reports[0].marks] if reports else []
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["submission", "points", "out of", *numbers, "problem"])
    for report in reports:
        points = [mark.points for mark in report.marks]
        writer.writerow([_field(report.name), report.points, report.out_of, *points, _field(report.problem)])
    return stream.getvalue()


def page(report: Report) -> str:
    """Return the page for one student, in HTML."""
    sections = []
    for mark in report.marks:
        details = "".join(f"<li>{inline_html(detail)}</li>" for detail in mark.details)
        colour = _COLOURS[State(mark.state)]
        sections.append(
            f'<section style="border-color:{colour}"><h2>{mark.number} {html.escape(ex(mark.number).title)}: '
            f'<span style="color:{colour}">{mark.state}</span>, {mark.points} of {mark.out_of}</h2>'
            f"<p>{inline_html(mark.message)}</p>{f'<ul>{details}</ul>' if details else ''}</section>"
        )
    return _PAGE.format(
        name=html.escape(report.name),
        points=report.points,
        out_of=report.out_of,
        problem=f"<p><b>{html.escape(report.problem)}</b></p>\n" if report.problem else "",
        sections="\n".join(sections),
    )


def write_reports(reports: Sequence[Report], marks: Path, folder: Path) -> None:
    """Write the table, and a page for each student.

    Parameters
    ----------
    reports : sequence of Report
        What was found.
    marks : Path
        The file of the table.
    folder : Path
        Where the pages go.
    """
    folder.mkdir(parents=True, exist_ok=True)
    used: set[str] = set()
    for report in reports:
        stem = re.sub(r"[^\w.-]+", "_", report.name).lstrip(".") or "submission"
        name = next(n for n in (stem, *(f"{stem}-{i}" for i in range(2, len(reports) + 2))) if n.lower() not in used)
        used.add(name.lower())
        write_text(folder / f"{name}.html", page(report))
    write_text(marks, table(reports))
