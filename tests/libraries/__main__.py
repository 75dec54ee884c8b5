"""Run a library's own unit tests, and print how many of those pass here that pass on real MXNet.

python -m tests.libraries GIT_DIR                          # all files, and the figures of docs/library_tests.md
python -m tests.libraries GIT_DIR test_models.py           # those whose paths end so
python -m tests.libraries GIT_DIR --record MXNETS_PYTHON   # run real MXNet, and note what passes there

What came of a file is kept: the same command once more goes on where it was broken off. The status is 1 if a test fails
that has no reason in ``docs/library_tests.md``, or has one there and passes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import tempfile
from pathlib import Path

from ..foreign_tests import Result, Row
from .libraries import Library, build, extract
from .page import PAGE, meant, reasons, with_figures
from .record import RECORD, by_end, read_record, write_record
from .run import Workshop, state

_BUILD = Path(__file__).resolve().parents[2] / "build" / "library_tests"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.libraries", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("git_directory", type=Path, help="a clone of the library")
    parser.add_argument("files", nargs="*", help="how the paths of files end; all of them if none is named")
    parser.add_argument("--record", type=Path, metavar="PYTHON", help="run real MXNet with its interpreter instead")
    parser.add_argument("--seconds", type=int, default=120, help="for one test (default: 120)")
    parser.add_argument("--seconds-per-file", type=int, default=1200, help="for a whole file (default: 1200)")
    parser.add_argument("--log", action="store_true", help="print what pytest printed")
    parser.add_argument("--fresh", action="store_true", help="run what was run before once more")
    return parser.parse_intermixed_args()


def _judge(file: str, results: dict[str, Result], passing: list[str]) -> tuple[Row, list[str]]:
    """Return a file's figures, and what has to be looked at."""
    told = reasons(PAGE.read_text("utf-8"), file)
    lost = results.get("(the file)", Result("failed", "it did not run"))
    ends = {name: results.get(name, lost) for name in passing}
    failed = {name: result for name, result in ends.items() if result.outcome != "passed"}
    known = [name for name in failed if any(meant(words, name) for words in told)]
    remarks = [f"{name}: {_line(result)}" for name, result in failed.items() if name not in known]
    idle = [words for words in told if not any(meant(words, name) for name in failed)]
    remarks += [f"{words} passes, and {PAGE.name} says it does not" for words in idle]
    return Row(file, len(passing), len(passing) - len(failed), len(known)), remarks


def _line(result: Result) -> str:
    return " ".join((result.message or result.outcome).split())[:200]


def _known(path: Path, now: str) -> dict[str, dict[str, Result]]:
    """Return what was run before with everything as it is now."""
    if not path.exists():
        return {}
    kept = json.loads(path.read_text("utf-8"))
    if kept["state"] != now:
        return {}
    return {file: {name: Result(*end) for name, end in results.items()} for file, results in kept["files"].items()}


def _record(workshop: Workshop, files: list[str]) -> int:
    """Run real MXNet, and note what became of each test."""
    for file in files:
        results = workshop.run(file)
        record = read_record()
        record.setdefault(workshop.library.title, {})[file] = by_end(results)
        write_record(record)
        counts = [sum(r.outcome == word for r in results.values()) for word in ("passed", "failed", "skipped")]
        print(f"{file:60} {counts[0]:4} passed, {counts[1]:3} failed, {counts[2]:3} skipped", flush=True)
        for name, result in results.items():
            if result.outcome == "failed":
                print(f"    {name}: {_line(result)}")
    return 0


def _compare(workshop: Workshop, files: list[str], whole: bool, fresh: bool, log: bool) -> int:
    """Run this package, and print and write down the figures."""
    library, rows, looked_at = workshop.library, [], 0
    now, kept = state(), _BUILD / f"{library.title}.json"
    known = {} if fresh else _known(kept, now)
    record = read_record().get(library.title, {})
    files = [file for file in files if record.get(file, {}).get("passed")]  # what else is there is not counted
    if not files:
        raise SystemExit(f"No test of these passes on real MXNet by {RECORD.name}; --record looks again.")
    for file in files:
        if file not in known:
            known[file] = workshop.run(file)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps({"state": now, "files": known}), "utf-8")
            print(workshop.log.read_text("utf-8", "replace") if log else "", end="")
        row, remarks = _judge(file, known[file], record.get(file, {}).get("passed", []))
        rows.append(row)
        looked_at += len(remarks)
        print(f"{file:60} {row.passed:4} of {row.real:4}", *remarks, sep="\n    ", flush=True)
    real, passed = sum(row.real for row in rows), sum(row.passed for row in rows)
    print(f"\n{library.title:60} {passed:4} of {real:4}, {passed / max(real, 1):.1%}; {looked_at} to look at")
    if whole:
        PAGE.write_text(with_figures(PAGE.read_text("utf-8"), library, rows), "utf-8")
    return bool(looked_at)


def _chosen(library: Library, source: Path, ends: list[str]) -> list[str]:
    files = [file for file in library.files(source) if not ends or file.endswith(tuple(ends))]
    if not files:
        raise SystemExit(f"{library.title} {library.version} has no tests {' or '.join(ends)} that are run here.")
    return files


def main() -> int:
    """Run what is asked for, and return the status."""
    asked = _arguments()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place, source = Path(name) / "place", Path(name) / "source"
        place.mkdir()
        library = extract(asked.git_directory, source)
        python = asked.record.absolute() if asked.record else Path(sys.executable)
        build(library, source, python)
        files = _chosen(library, source, asked.files)
        workshop = Workshop(
            library, source, place, python, asked.record is not None, asked.seconds, asked.seconds_per_file
        )
        if asked.record:
            return _record(workshop, files)
        return _compare(workshop, files, not asked.files, asked.fresh, asked.log)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)  # the process of a file ends, too, and nothing stays
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
