"""Statistics of the profiler's record: the tables that ``dumps`` returns, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from .record import Note

__all__ = ["as_json", "as_text"]


class _Row(NamedTuple):
    name: str
    calls: int
    total: float
    least: float
    most: float
    average: float

    def by(self, key: str) -> float:
        return {"total": self.total, "avg": self.average, "min": self.least, "max": self.most, "count": self.calls}[key]


def _rows(notes: Sequence[Note], sort_by: str, ascending: bool) -> dict[str, list[_Row]]:
    """Return the rows of each category, with times in milliseconds."""
    values: dict[str, dict[str, list[float]]] = {}
    for note in notes:
        names = values.setdefault(note.category, {})
        if note.kind != "mark":
            names.setdefault(note.name, []).append(note.value * (1e3 if note.kind == "span" else 1e-3))
    return {
        category: sorted(
            (_Row(n, len(v), sum(v), min(v), max(v), sum(v) / len(v)) for n, v in names.items()),
            key=lambda row: row.by(sort_by),
            reverse=not ascending,
        )
        for category, names in sorted(values.items())
    }


def as_text(notes: Sequence[Note], sort_by: str, ascending: bool) -> str:
    """Return a plain-text table of statistics for each category.

    Parameters
    ----------
    notes : sequence of Note
        Entries of the record.
    sort_by : {"total", "avg", "min", "max", "count"}
        The statistic that determines the order of the rows.
    ascending : bool
        Whether to sort in ascending order.

    Returns
    -------
    str
        The tables.
    """
    lines = ["", "Profile Statistics:", "\tNote the difference in units for different entries."]
    titles = ("Total Count", "Time (ms)", "Min Time (ms)", "Max Time (ms)", "Avg Time (ms)")
    for category, rows in _rows(notes, sort_by, ascending).items():
        lines += [category, "================="]
        lines.append(f"{'Name':25s} {titles[0]:>15s}" + "".join(f" {title:>16s}" for title in titles[1:]))
        lines.append(f"{'----':25s} {'-' * len(titles[0]):>15s}" + "".join(f" {'-' * len(t):>16s}" for t in titles[1:]))
        for row in rows:
            numbers = "".join(f" {value:16.4f}" for value in (row.total, row.least, row.most, row.average))
            lines.append(f"{row.name:25s} {row.calls:15d}{numbers}")
        lines.append("")
    return "\n".join(lines) + "\n"


def as_json(notes: Sequence[Note], sort_by: str, ascending: bool) -> str:
    """Return the tables as JSON.

    Parameters
    ----------
    notes, sort_by, ascending
        Arguments of :func:`as_text`.

    Returns
    -------
    str
        The JSON text, with times in milliseconds.
    """
    times: dict[str, Any] = {
        category: {
            row.name: {
                "Count": row.calls, "Total": row.total, "Min": row.least, "Max": row.most, "Avg": row.average,
            }
            for row in rows
        }
        for category, rows in _rows(notes, sort_by, ascending).items()
    }  # fmt: skip
    units = {"Time": "ms", "Memory": "kB"}
    return json.dumps({"Time": times, "Memory": {}, "Unit": units}, indent=4)
