"""Writes docs/index_edges.md: ``make indices``.

Every call of :mod:`tests.indices.cases` runs here line by line and hybridized, for each backend that there is, and is
compared with what real MXNet answered. A row or a cell that nobody has explained is an error.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .judge import backends
from .table import judged, table

PAGE = Path(__file__).parents[2] / "docs" / "index_edges.md"


def main() -> int:
    """Judge all calls, and write the page if each difference is explained; return the number that is not."""
    words = sys.argv[1:]
    ways = (None, *backends())
    found = judged(ways, words)
    open_questions = [row for row in found if row.mark == "?"]
    for row in open_questions:
        print(f"{row.call} | {row.column} | {row.dtype} | {row.way}\n    MXNet {row.theirs}\n    here  {row.mine}")
    names = ", ".join("line by line" if way is None else f"hybridize(backend={way!r})" for way in ways)
    same = sum(row.mark == "=" for row in found)
    print(f"{len(found)} answers ({names}): {same} as MXNet's, {len(found) - same - len(open_questions)} explained, "
          f"{len(open_questions)} not explained")  # fmt: skip
    if not words and not open_questions:
        PAGE.write_text(table(found), "utf-8")
    return len(open_questions)


if __name__ == "__main__":
    raise SystemExit(min(main(), 1))
