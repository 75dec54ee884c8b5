"""Tables that people write and other programs export, read with a sentence for whatever is wrong in them."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from .arguments import UsageError
from .names import visible

__all__ = ["points_in", "read_rows", "read_table"]


def read_rows(path: Path) -> list[list[str]]:
    """Return the unprocessed rows of a table, separated by commas, semicolons or tabs.

    Parameters
    ----------
    path : Path
        The table, in UTF-8.

    Raises
    ------
    UsageError
        If it cannot be read.
    """
    try:
        text = path.read_text("utf-8-sig")
        first = text.partition("\n")[0]
        separator = max(",;\t", key=first.count)
        return [row for row in csv.reader(text.splitlines(keepends=True), delimiter=separator) if any(row)]
    except FileNotFoundError:
        raise UsageError(f"There is no file {visible(str(path))}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{visible(str(path))} is not in UTF-8: export it as such.") from None
    except (OSError, csv.Error) as error:
        raise UsageError(f"{visible(str(path))} cannot be read: {error}.") from None


def read_table(
    path: Path, columns: Sequence[str], optional: Sequence[str] = (), needed: bool = True
) -> list[tuple[str, dict[str, str]]]:
    """Return the position of each row of a table, and the values of its columns.

    Parameters
    ----------
    path : Path
        The table, with a line of headings.
    columns, optional : sequence of str
        The columns that it must have, and those that it may have; others are refused, for they might be misspelt ones.
    needed : bool
        Whether there has to be such a file.

    Raises
    ------
    UsageError
        If it cannot be read, or has other columns.
    """
    if not needed and not path.exists():
        return []
    name = visible(str(path))
    headings, *rows = read_rows(path) or [[]]
    headings = [heading.strip() for heading in headings]
    missing = [column for column in columns if column not in headings]
    if missing:
        raise UsageError(f"{name} has no column {', '.join(missing)}.")
    unknown = [heading for heading in headings if heading not in (*columns, *optional)]
    if unknown:
        known = ", ".join((*columns, *optional))
        raise UsageError(f"{name} has a column {visible(unknown[0])!r}, which is none of {known}.")
    found = []
    for line, row in enumerate(rows, 2):
        cells = [cell.strip() for cell in row] + [""] * (len(headings) - len(row))
        found.append(
            (f"{name}, row {line}", {**dict.fromkeys(optional, ""), **dict(zip(headings, cells, strict=False))})
        )
    return found


def points_in(text: str, where: str) -> float:
    """Return a number of points; a comma is accepted as the decimal point.

    Raises
    ------
    UsageError
        If it is none.

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
        raise UsageError(f"{where}: {visible(text)!r} is not a number of points.")
    return int(points) if points.is_integer() else points
