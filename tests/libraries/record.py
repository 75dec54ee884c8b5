"""What became of each test on real MXNet 1.9.1: the measure for ours."""

from __future__ import annotations

import json
from pathlib import Path

from ..foreign_tests import Result

RECORD = Path(__file__).with_name("real_mxnet.json")

#: Library -> file -> how a test ended -> the names of such tests.
Record = dict[str, dict[str, dict[str, list[str]]]]


def read_record() -> Record:
    """Return what is recorded."""
    return json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}


def write_record(record: Record) -> None:
    """Write what became of each test. Messages are not kept."""
    RECORD.write_text(json.dumps(record, indent=0, sort_keys=True) + "\n", "utf-8")


def by_end(results: dict[str, Result]) -> dict[str, list[str]]:
    """Return how tests ended -> their names, in order."""
    ends: dict[str, list[str]] = {}
    for name, result in sorted(results.items()):
        ends.setdefault(result.outcome, []).append(name)
    return ends
