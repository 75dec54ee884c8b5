"""An overview of the class: the results of each exercise, the most common mistakes, and similar answers."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ...support.plural import counted
from ..exercises import ex
from ..exercises.results import State, inline_html
from .marks import Mark, Report
from .names import visible
from .similar import Alike

__all__ = ["common_mistakes", "overview", "overview_path"]

_SHOWN = 3

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Overview</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }}
table {{ border-collapse: collapse; }}
th, td {{ border-bottom: 1px solid #ccc; padding: .3em .6em; text-align: right; vertical-align: top; }}
th:first-child, td:first-child, td:last-child, th:last-child {{ text-align: left; overflow-wrap: anywhere; }}
code {{ background: #f2f2f2; }}
</style>
<h1>{count}</h1>
<table>
<tr><th>exercise</th>{states}<th>most common messages</th></tr>
{rows}
</table>
{alike}</html>
"""


def overview_path(marks: Path) -> Path:
    """Return the path of the overview that belongs to a table of marks.

    Examples
    --------
    >>> str(overview_path(Path("marks.csv")))
    'marks-overview.html'
    """
    return marks.with_name(f"{marks.stem}-overview.html")


def _kind(message: str) -> str:
    """Return a message without its numbers, shapes, and quoted texts, which differ between students."""
    return re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "…", re.sub(r"[\[(][-\d., …()\[\]]*[\])]", "(…)", message))


def common_mistakes(marks: Sequence[Mark], most: int = _SHOWN) -> list[tuple[int, str]]:
    """Return the most common kinds of messages about mistakes, in order: the count and an example of each kind.

    Examples
    --------
    >>> marks = [Mark("01.1", "wrong", 0, 1, f"For {n} it is wrong.") for n in (3, 4)]
    >>> common_mistakes([*marks, Mark("01.1", "right", 1, 1, "Good.")])
    [(2, 'For 3 it is wrong.')]
    """
    counted = (State.WRONG.value, State.ERROR.value)
    messages = [mark.message for mark in marks if mark.state in counted]
    examples: dict[str, str] = {}
    for message in messages:
        examples.setdefault(_kind(message), message)
    found = Counter(map(_kind, messages)).most_common(most)
    return [(count, examples[kind]) for kind, count in found]


def overview(reports: Sequence[Report], alike: Alike) -> str:
    """Return the overview of the class as HTML.

    Parameters
    ----------
    reports : sequence of Report
        Reports with the same exercises.
    alike : dict
        The groups of names with the same answer, by exercise.
    """
    rows = []
    for marks in zip(*(report.marks for report in reports), strict=True):
        number = marks[0].number
        counts = Counter(mark.state for mark in marks)
        cells = "".join(f"<td>{counts[state.value] or ''}</td>" for state in State)
        said = "<br>".join(f"{count}× {inline_html(visible(text[:300]))}" for count, text in common_mistakes(marks))
        rows.append(f"<tr><td>{number} {html.escape(ex(number).title)}</td>{cells}<td>{said}</td></tr>")
    groups = [f"<li>{number}: {html.escape(', '.join(map(visible, names)))}</li>" for number, found in alike.items()
              for names in found]  # fmt: skip
    note = "<h2>Similar answers</h2>\n<p>Equal except for names, spaces, and comments. Ask before you judge.</p>\n"
    return _PAGE.format(
        count=counted(len(reports), "submission"),
        states="".join(f"<th>{state.value}</th>" for state in State),
        rows="\n".join(rows),
        alike=f"{note}<ul>{''.join(groups)}</ul>\n" if groups else "",
    )
