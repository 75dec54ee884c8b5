"""Readers for tables that people write or programs export, with clear error messages."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from .arguments import UsageError
from .names import visible

__all__ = ["columns_of", "points_in", "read_rows", "read_table"]


def read_rows(path: Path) -> list[list[str]]:
    """Return the nonempty rows of a table whose columns are separated by commas, semicolons, or tabs.

    Parameters
    ----------
    path : Path
        Path of the table, in UTF-8.

    Raises
    ------
    UsageError
        If the table cannot be read.
    """
    try:
        text = path.read_text("utf-8-sig")
        first = text.partition("\n")[0]
        separator = max(",;\t", key=first.count)
        return [row for row in csv.reader(text.splitlines(keepends=True), delimiter=separator) if any(row)]
    except FileNotFoundError:
        raise UsageError(f"There is no file {visible(str(path))}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{visible(str(path))} is not encoded in UTF-8. Export the table in UTF-8.") from None
    except (OSError, csv.Error) as error:
        raise UsageError(f"{visible(str(path))} cannot be read: {error}.") from None


def columns_of(names: Sequence[str]) -> str:
    """Return the quoted names of columns, after "column" or "columns", for a message.

    Examples
    --------
    >>> columns_of(["student"]), columns_of(["exercise", "points"])
    ("column 'student'", "columns 'exercise', 'points'")
    """
    return f"column{'s' if len(names) > 1 else ''} {', '.join(map(repr, names))}"


def read_table(
    path: Path, columns: Sequence[str], optional: Sequence[str] = (), needed: bool = True
) -> list[tuple[str, dict[str, str]]]:
    """Return the position of each row of a table, and the row's values by column.

    Parameters
    ----------
    path : Path
        Path of the table, with a line of headings.
    columns, optional : sequence of str
        Required and optional columns. Other columns raise errors, because they may be misspelled.
    needed : bool
        Whether the file must exist. If not, a missing file is an empty table.

    Raises
    ------
    UsageError
        If the table cannot be read, lacks a required column, or has an unknown column.
    """
    if not needed and not path.exists():
        return []
    name = visible(str(path))
    headings, *rows = read_rows(path) or [[]]
    headings = [heading.strip() for heading in headings]
    missing = [column for column in columns if column not in headings]
    if missing:
        raise UsageError(f"{name} has no {columns_of(missing)}.")
    unknown = [heading for heading in headings if heading not in (*columns, *optional)]
    if unknown:
        known = ", ".join((*columns, *optional))
        raise UsageError(f"{name} has an unknown column {visible(unknown[0])!r}. The known columns are {known}.")
    found = []
    for line, row in enumerate(rows, 2):
        cells = [cell.strip() for cell in row] + [""] * (len(headings) - len(row))
        found.append(
            (f"{name}, row {line}", {**dict.fromkeys(optional, ""), **dict(zip(headings, cells, strict=False))})
        )
    return found


def points_in(text: str, where: str) -> float:
    """Parse a number of points, which is written with a decimal point or a decimal comma.

    Raises
    ------
    UsageError
        If the text is not a number of points.

    Examples
    --------
    >>> points_in("1,5", "here")
    1.5
    """
    try:
        points = float(text.replace(",", "."))
    except ValueError:
        points = math.nan
    if not (math.isfinite(points) and points >= 0):
        raise UsageError(f"{where}: the points must be a number that is 0 or more, not {visible(text)!r}.")
    return int(points) if points.is_integer() else points
