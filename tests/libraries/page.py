"""``docs/library_tests.md``: the figures, which are written here, and the reasons, which are read."""

from __future__ import annotations

import re
from pathlib import Path

from ..foreign_tests import Row, table
from .libraries import Library

PAGE = Path(__file__).resolve().parents[2] / "docs" / "library_tests.md"
_END = "<!-- written by `make library-tests`: end "
_REASON = re.compile(r"^\| `([\w/]+\.py)` \| `([^`]+)` \| (.+) \|$", re.MULTILINE)


def reasons(page: str, file: str) -> dict[str, str]:
    """Return test -> why it does not pass.

    Parameters
    ----------
    page : str
        The page.
    file : str
        The file of the tests.

    Examples
    --------
    >>> reasons("| `a/test_b.py` | `test_c[*` | rounding |", "a/test_b.py")
    {'test_c[*': 'rounding'}
    """
    below = page.rpartition(_END)[2]  # what stands between figures is written over
    return {test: why for path, test, why in _REASON.findall(below) if path == file}


def meant(told: str, test: str) -> bool:
    """Return whether a test is meant by what stands on the page, which may end with a star.

    Examples
    --------
    >>> meant("test_c[*", "test_c[1-True]"), meant("test_c", "test_c[1-True]")
    (True, False)
    """
    return test.startswith(told[:-1]) if told.endswith("*") else test == told


def with_figures(page: str, library: Library, rows: list[Row]) -> str:
    """Return the page with the figures of a run of one library.

    Parameters
    ----------
    page : str
        The page as it is.
    library : Library
        Whose tests were run.
    rows : list of Row
        A row for each file.

    Returns
    -------
    str
        The page as it should be.
    """
    begin = f"<!-- written by `make library-tests`: begin {library.title} -->\n"
    end = f"{_END}{library.title} -->\n"
    lines = table([row for row in rows if row.real], f"tests of {library.title} {library.version}")
    if library.left_out or library.marks:
        left = [f"`{path}` ({why})" for path, why in library.left_out.items()]
        left += [f"what is marked `{mark}` ({why})" for mark, why in library.marks.items()]
        lines += ["", f"Left out: {', '.join(left)}."]
    before, _, rest = page.partition(begin)
    if not rest:
        raise ValueError(f"{PAGE.name} has no place for the figures of {library.title}: write the lines {begin}{end}")
    return f"{before}{begin}" + "\n".join(lines) + f"\n{end}{rest.partition(end)[2]}"
