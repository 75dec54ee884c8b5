"""Records what real MXNet 1.9.1 answers: ``python -m tests.reports.record``, with D2LHYBRID_MXNET_PYTHON set.

A program that ends the process, or that does not end, is recorded as ``null``. Programs run in two processes whose
memory is filled with different numbers: an answer that differs was read from memory outside an array, and is ``null``.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .programs import after_reports, generated
from .running import same

RECORDED = Path(__file__).parents[1] / "golden_data" / "reports.json.gz"


class MXNet:
    """A process with real MXNet."""

    def __init__(self, fill: str) -> None:
        command = [os.environ["D2LHYBRID_MXNET_PYTHON"], str(Path(__file__).with_name("running.py"))]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "MALLOC_PERTURB_": fill, "PYTHONPATH": ""},
        )  # fmt: skip

    def answer(self, program: str) -> Any:
        """Return what a program shows; None if it ends the process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(program) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def answers() -> Iterator[tuple[str, Any]]:
    """Yield the name of each program, and what MXNet answered both times."""
    first, second = MXNet("85"), MXNet("202")
    for name, program in {**after_reports(), **generated()}.items():
        one, other = first.answer(program), second.answer(program)
        if one is None or other is None or len(one) != len(other):
            yield name, None
        else:
            yield name, [a if same(a, b) else None for a, b in zip(one, other, strict=True)]


def main() -> None:
    """Ask MXNet, and write its answers."""
    lines = json.dumps(dict(answers()), separators=(",", ":"))
    RECORDED.write_bytes(gzip.compress(lines.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
