"""What became of each test on real MXNet 1.9.1: the measure for ours."""

from __future__ import annotations

import json
from pathlib import Path

from ..foreign_tests import Result

_RECORD = Path(__file__).with_name("real_mxnet.json")

Record = dict[str, dict[str, Result]]


def read_record() -> Record:
    """Return file -> test -> how it ended."""
    if not _RECORD.exists():
        return {}
    words = json.loads(_RECORD.read_text("utf-8"))
    return {
        file: {name: Result(outcome) for outcome, names in ends.items() for name in names}
        for file, ends in words.items()
    }


def write_record(record: Record) -> None:
    """Write what became of each test. Messages are not kept."""
    words = {}
    for file, results in sorted(record.items()):
        ends: dict[str, list[str]] = {}
        for name, result in sorted(results.items()):
            ends.setdefault(result.outcome, []).append(name)
        words[file] = dict(sorted(ends.items()))
    _RECORD.write_text(json.dumps(words, indent=1) + "\n", "utf-8")
