"""The lessons: where they are, what is run of them, and the records of real MXNet 1.9.1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from .extract import SHOWN, Block, extract

REPOSITORY = Path(__file__).resolve().parents[2]
LESSONS = REPOSITORY.parent / "shared" / "lessons"
RECORDS = REPOSITORY / "tests" / "golden_data" / "lessons"

#: Lessons whose code cannot run as it is printed, run once more with one line corrected.
CORRECTED = {
    "004-corrected": ("004", "net = HybridNet()", "net = Net()", "the lesson's class is called Net"),
}

#: Lessons that have the same code as another one.
SAME_CODE = {"001": "000"}

#: Everything that is run. A lesson's name is the number that its file begins with.
NAMES = ["000", "001", "002", "003", "004", *CORRECTED]


def lesson_file(name: str) -> Path | None:
    """Return the file of a lesson, None where the lessons are not."""
    return next(LESSONS.glob(f"{name}_*.txt"), None)


def read(name: str) -> str | None:
    """Return the text of a lesson."""
    file = lesson_file(CORRECTED[name][0] if name in CORRECTED else name)
    return None if file is None else file.read_text(encoding="utf-8")


def blocks_of(name: str) -> list[Block] | None:
    """Return the blocks that are run of a lesson."""
    text = read(name)
    if text is None:
        return None
    blocks = [block for block in extract(text) if block.kind != SHOWN]
    if name in CORRECTED:
        _, wrong, right, _ = CORRECTED[name]
        blocks = [Block(b.number, b.kind, b.source.replace(wrong, right)) for b in blocks]
    return blocks


def run(name: str, python: str, *options: str) -> list[dict]:
    """Run a lesson in a fresh interpreter and a fresh folder; return its records."""
    blocks = blocks_of(name)
    assert blocks is not None
    with tempfile.TemporaryDirectory(prefix="lesson-") as folder:
        file = Path(folder, ".blocks.json")
        file.write_text(json.dumps([[b.number, b.kind, b.source] for b in blocks]), encoding="utf-8")
        script = Path(__file__).parent / "run_blocks.py"
        done = subprocess.run(
            [python, str(script), file.name, ".records.json", *options],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(Path(folder, ".records.json").read_text(encoding="utf-8"))


@cache
def run_here(name: str) -> list[dict]:
    """Run a lesson with this package in MXNet's place."""
    return run(name, sys.executable, "--as-mxnet")


@cache
def recorded(name: str) -> list[dict]:
    """Return what real MXNet 1.9.1 printed."""
    name = SAME_CODE.get(name, name)
    return json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))


def key_of(record: dict) -> str:
    """Return what tells a record from the others of its lesson."""
    return " ".join([f"block {record['block']}", *([record["mode"]] if "mode" in record else [])])
