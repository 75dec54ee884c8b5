"""A large class is marked: ``python -m tests.large_class 600`` makes it, and prints seconds and the most memory."""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from judged import right_answers, wrong_answers

from d2lhybrid.exercises import chapters, exercises

__all__ = ["make_class"]


def make_class(folder: Path, count: int, chapter: str) -> int:
    """Write notebooks with right answers in many styles, wrong ones and mistakes, and outputs; return their bytes."""
    found = next(chapter_ for chapter_ in chapters() if chapter_.number == chapter)
    asked = exercises(found)
    answers = {}
    for exercise in asked:
        known = [*right_answers(exercise).values(), *wrong_answers(exercise).values()]
        answers[exercise.number] = itertools.cycle([exercise.solution_code, exercise.starter, *known])
    total = 0
    for i in range(count):
        cells = []
        for number, codes in answers.items():
            name = number.replace(".", "-")
            cells += [{"cell_type": "code", "source": source, "outputs": [{"text": ["x" * 100] * 500}],
                       "metadata": {"nbgrader": {"grade_id": f"{kind}-{name}"}}}
                      for source, kind in ((next(codes), "answer"), ("", "check"))]  # fmt: skip
        text = json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5})
        (folder / f"student{i:04}.ipynb").write_text(text, "utf-8")
        total += len(text)
    return total


def _memory(pid: int) -> dict[int, int]:
    """Return process -> bytes that are in memory, of a process and all that it has started."""
    parents, sizes = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(path.parent.name)], sizes[int(path.parent.name)] = int(fields[1]), int(fields[21]) * 4096
    ours = {pid}
    while more := {child for child, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return {one: sizes[one] for one in ours if one in sizes}


def main() -> int:
    """Make a class, mark it, and print what it took."""
    parser = argparse.ArgumentParser(prog="python -m tests.large_class", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=600)
    parser.add_argument("--chapter", default="01")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        size = make_class(folder / "in", options.count, options.chapter)
        command = [sys.executable, "-m", "d2lhybrid", "grade", "in", "-e", options.chapter, "--seed", "1"]
        begin = time.monotonic()
        process = subprocess.Popen([*command, "--workers", str(options.workers)], cwd=folder, stdout=subprocess.DEVNULL)
        own = together = 0
        ended = threading.Event()
        while process.poll() is None:
            found = _memory(process.pid)
            own, together = max(own, found.get(process.pid, 0)), max(together, sum(found.values()))
            ended.wait(0.2)
        seconds = time.monotonic() - begin
        rows = list(csv.DictReader((folder / "marks.csv").read_text("utf-8").splitlines()))
        states = Counter(
            s for row in rows for s in ("right", "wrong", "error", "not attempted") for _ in range(int(row[s]))
        )
        print(f"{len(rows)} of {options.count} submissions ({size / 1e6:.0f} MB) marked, {dict(states)}")
        print(f"{seconds:.0f} s with {options.workers} workers; at most {own / 1e6:.0f} MB for the command, "
              f"{together / 1e6:.0f} MB with all processes")  # fmt: skip
    return process.returncode or int(len(rows) != options.count)


if __name__ == "__main__":
    sys.exit(main())
