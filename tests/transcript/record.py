"""Record the sessions anew on real MXNet 1.9.1 (in an interpreter that has it, `make mxnet`).

    python -m tests.transcript.record .venv-mxnet/bin/python

Each session runs twice, with different random numbers: what is not the same is recorded without its numbers.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from .comparison import common, leave_out
from .sessions import NAMES, RECORDS, recorded, run


def record(name: str, python: str) -> list[dict]:
    """Return the cells of a session with what MXNet shows."""
    cells = []
    for cell, first, second in zip(recorded(name), run(name, python), run(name, python, "--other-seed"), strict=True):
        new: dict[str, Any] = {"title": cell["title"], "code": cell["code"]}
        seen, again = _seen(first), _seen(second)
        new["seen"] = [
            common(a, b) if isinstance(a, str) else [a[0], common(a[1], b[1])] for a, b in zip(seen, again, strict=True)
        ]
        for part in ("result", "raises"):
            if part in first:
                new[part] = common(leave_out(first[part]), leave_out(second.get(part, "")))
        if "warnings" in first:
            new["warnings"] = first["warnings"]
        cells.append({key: value for key, value in new.items() if value or key == "title"})
    return cells


def _seen(record: dict) -> list[Any]:
    return [
        leave_out(what) if isinstance(what, str) else [what[0], leave_out(what[1])] for what in record.get("seen", [])
    ]


def main(python: str, *names: str) -> None:
    """Record all sessions."""
    for name in names or NAMES:
        text = json.dumps(record(name, python), indent=1, ensure_ascii=False)
        (RECORDS / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
