"""``docs/peer_tests.md``: the figures, which are written here, and the reasons, which are read."""

from __future__ import annotations

import re
from pathlib import Path

from ..foreign_tests import Row, table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "peer_tests.md"
_BEGIN = "<!-- written by `make peer-tests`: begin -->\n"
_END = "<!-- written by `make peer-tests`: end -->\n"
_REASON = re.compile(r"\| `(test_\w+\.py)` \| `([^`]+)` \| (.+) \|")


def reasons() -> dict[str, dict[str, str]]:
    """Return file -> test -> why it does not pass."""
    found: dict[str, dict[str, str]] = {}
    for file, test, why in _REASON.findall(PAGE.read_text("utf-8")):
        found.setdefault(file, {})[test] = why
    return found


def with_figures(page: str, rows: list[Row]) -> str:
    """Return the page with the figures of a run.

    Parameters
    ----------
    page : str
        The page as it is.
    rows : list of Row
        A row for each file.

    Returns
    -------
    str
        The page as it should be.
    """
    before, _, rest = page.partition(_BEGIN)
    return f"{before}{_BEGIN}" + "\n".join(table(rows)) + f"\n{_END}{rest.partition(_END)[2]}"
