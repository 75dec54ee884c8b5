"""Record the lessons anew on real MXNet 1.9.1 (in an interpreter that has it, `make mxnet`).

    python -m tests.lessons.record .venv-mxnet/bin/python

Each lesson runs twice, with different random numbers: what is not the same is marked as random.
"""

from __future__ import annotations

import json
import sys

from .differences import leave_out
from .lessons import NAMES, RECORDS, SAME_CODE, run

PARTS = ("printed", "result", "raises", "warnings")


def record(name: str, python: str) -> list[dict]:
    """Return the records of a lesson."""
    found = []
    for first, second in zip(run(name, python), run(name, python, "--other-seed"), strict=True):
        kept = {"block": first["block"], **({"mode": first["mode"]} if "mode" in first else {})}
        what, again = _comparable(first), _comparable(second)
        if what != again:
            kept["random"] = True
        found.append({**kept, **what})
    return found


def _comparable(seen: dict) -> dict:
    """Return the parts of a record, without what may differ anyway."""
    return {
        part: seen[part] if part == "warnings" else leave_out(seen[part], random=False)
        for part in PARTS
        if part in seen
    }


def main(python: str) -> None:
    """Record all lessons."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        if name not in SAME_CODE:
            text = json.dumps(record(name, python), indent=1, ensure_ascii=False)
            (RECORDS / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
