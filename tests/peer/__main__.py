"""Run MXNet's own unit tests against this package, and print how many of those pass that pass on MXNet.

    python -m tests.peer GIT_DIR                       # all files, and the figures of docs/peer_tests.md
    python -m tests.peer GIT_DIR test_gluon.py         # one of them
    python -m tests.peer GIT_DIR --record MXNETS_PYTHON   # run real MXNet, and note what passes there

The Python that runs this has pytest and SciPy; so has MXNet's, or ``PEER_PATH`` names a folder with them. The status is
1 if a test fails that has no reason in ``docs/peer_tests.md``, or has one there and passes.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from ..foreign_tests import Result, Row
from .extract import extract
from .page import PAGE, reasons, with_figures
from .record import read_record, write_record
from .run import run
from .scope import LEFT_OUT


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.peer", description=__doc__.partition("\n")[0])
    parser.add_argument("git_directory", type=Path, help="a clone of apache/mxnet that has tag 1.9.1")
    parser.add_argument("files", nargs="*", help="test_gluon.py and the like; all of them if none is named")
    parser.add_argument("--record", type=Path, metavar="PYTHON", help="run real MXNet with its interpreter instead")
    parser.add_argument("--seconds", type=int, default=300, help="for one test (default: 300)")
    parser.add_argument("--seconds-per-file", type=int, default=3600, help="for a whole file (default: 3600)")
    return parser.parse_intermixed_args()


def _judge(file: str, results: dict[str, Result], passing: list[str]) -> tuple[Row, list[str]]:
    """Return a file's figures, and what has to be looked at."""
    told = reasons().get(file, {})
    failed = {name: results.get(name, Result("failed", "it did not run")) for name in passing}
    failed = {name: result for name, result in failed.items() if result.outcome != "passed"}
    remarks = [f"{file}: {name}: {_line(result)}" for name, result in failed.items() if name not in told]
    remarks += [f"{file}: {name} passes, and {PAGE.name} says it does not" for name in told if name not in failed]
    return Row(file, len(passing), len(passing) - len(failed), sum(name in told for name in failed)), remarks


def _line(result: Result) -> str:
    return " ".join((result.message or result.outcome).split())[:200]


def main() -> int:
    """Run what is asked for, and return the status."""
    asked = _arguments()
    record, rows, remarks = read_record(), [], []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tests = extract(asked.git_directory, Path(folder), soften=asked.record is None)
        files = asked.files or sorted(path.name for path in tests.glob("test_*.py") if path.name not in LEFT_OUT)
        for file in files:
            python = asked.record or Path(sys.executable)
            results = run(tests, file, python, asked.record is not None, asked.seconds, asked.seconds_per_file)
            if asked.record:
                record[file] = results
                write_record(record)
                counts = [sum(r.outcome == word for r in results.values()) for word in ("passed", "failed", "skipped")]
                print(f"{file:36} {counts[0]:4} passed, {counts[1]:3} failed, {counts[2]:3} skipped", flush=True)
                continue
            passing = [name for name, result in record.get(file, {}).items() if result.outcome == "passed"]
            row, found = _judge(file, results, passing)
            rows.append(row)
            remarks += found
            print(f"{file:36} {row.passed:4} of {row.real:4}", *found, sep="\n    ", flush=True)
    if asked.record:
        return 0
    real, passed = sum(row.real for row in rows), sum(row.passed for row in rows)
    print(f"\n{'all':36} {passed:4} of {real:4}, {passed / max(real, 1):.1%}; {len(remarks)} to look at")
    if not asked.files:
        PAGE.write_text(with_figures(PAGE.read_text("utf-8"), rows), "utf-8")
    return bool(remarks)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
