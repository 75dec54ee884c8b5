"""``docs/peer_tests.md``: the figures, which are written here, and the reasons, which are read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).resolve().parents[2] / "docs" / "peer_tests.md"
_BEGIN = "<!-- written by `make peer-tests`: begin -->\n"
_END = "<!-- written by `make peer-tests`: end -->\n"
_REASON = re.compile(r"\| `(test_\w+\.py)` \| `([^`]+)` \| (.+) \|")


class Row(NamedTuple):
    """The figures of a file.

    Attributes
    ----------
    file : str
        Its name.
    real, passed : int
        How many tests pass on real MXNet, and how many of these here.
    explained : int
        How many of the others have a reason on the page.
    """

    file: str
    real: int
    passed: int
    explained: int


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
    real, passed = sum(row.real for row in rows), sum(row.passed for row in rows)
    lines = [
        f"**{passed} of {real}** tests that pass on real MXNet 1.9.1 pass here, {passed / max(real, 1):.1%}.",
        "",
        "| file | real MXNet | here | with a reason below |",
        "| --- | --: | --: | --: |",
        *(f"| `{row.file}` | {row.real} | {row.passed} | {row.explained or ''} |" for row in rows),
    ]
    before, _, rest = page.partition(_BEGIN)
    return f"{before}{_BEGIN}" + "\n".join(lines) + f"\n{_END}{rest.partition(_END)[2]}"
