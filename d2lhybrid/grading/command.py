"""The command ``d2lhybrid grade``."""

from __future__ import annotations

import argparse
import functools
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import MXNetError
from ..probing.confine import layers
from .cluster import grade_on_cluster
from .marking import Limits, Report, grade
from .reports import write_reports
from .submission import numbers_to_mark, read_all

__all__ = ["run"]


class _Bar:
    """A bar on the terminal that grows with every report; silent where nobody looks."""

    def __init__(self, total: int) -> None:
        self.total, self.count = total, 0
        self.shown = sys.stderr.isatty()

    def __call__(self, report: Report) -> None:
        self.count += 1
        if self.shown:
            filled = 30 * self.count // self.total
            line = f"[{'#' * filled}{'.' * (30 - filled)}] {self.count}/{self.total}  {report.name[:30]}"
            end = "\n" if self.count == self.total else ""
            print(f"\r\x1b[K{line}", end=end, file=sys.stderr, flush=True)


def _complain(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


def _executor(arguments: argparse.Namespace) -> Callable[..., list[Report]] | str:
    """Return the function that marks, or why there is none."""
    if arguments.executor == "local":
        return functools.partial(grade, workers=arguments.workers)
    if importlib.util.find_spec("distributed") is None:
        return f"Dask is not installed: {sys.executable} -m pip install 'd2lhybrid[grading]'"
    if arguments.scheduler is None and "DASK_SCHEDULER_ADDRESS" not in os.environ:
        return "Which cluster? Name it with --scheduler tcp://HOST:8786, or in DASK_SCHEDULER_ADDRESS."
    return functools.partial(grade_on_cluster, address=arguments.scheduler)


def _unsafe() -> str:
    """Return a warning if this system cannot keep answers away from files."""
    found = layers()
    if "Landlock" in found and "seccomp" in found:
        return ""
    return (
        f"Careful: this system confines answers by {', '.join(found)} only. Marks are computed elsewhere all the same, "
        "but an answer that sets out to could read files of this account. Linux 5.13 or newer confines fully."
    )


def run(arguments: argparse.Namespace) -> int:
    """Mark what the arguments name; the exit status."""
    if os.name != "posix":
        return _complain("Marking needs the process limits of Linux or macOS; on Windows, use WSL.")
    missing = [str(path) for path in arguments.submissions if not path.is_file()]
    if missing:
        return _complain(f"There is no file {missing[0]}.")
    executor = _executor(arguments)
    if isinstance(executor, str):
        return _complain(executor)
    submissions = read_all(arguments.submissions)
    try:
        numbers = numbers_to_mark(submissions, arguments.exercises)
    except ValueError as error:
        return _complain(f"{error}.")
    if not numbers:
        return _complain("There are no exercises in these notebooks. Name those that count: --exercises 03 04.1")
    if warning := _unsafe():
        print(warning, file=sys.stderr)
    limits = Limits(arguments.seconds, arguments.memory * 2**20)
    reports = executor(submissions, numbers, limits=limits, seed=arguments.seed, done=_Bar(len(submissions)))
    folder = arguments.reports or arguments.output.with_name(f"{arguments.output.stem}-reports")
    try:
        write_reports(reports, arguments.output, folder)
    except (OSError, MXNetError) as error:
        return _complain(f"The marks cannot be written: {error}")
    print(_summary(reports, arguments.output, folder))
    return 0


def _summary(reports: Sequence[Report], output: Path, folder: Path) -> str:
    unread = [report.name for report in reports if report.problem]
    lines = [f"{len(reports)} submissions, {len(reports[0].marks)} exercises, {reports[0].out_of} points at most."]
    if unread:
        lines.append(f"Not readable: {', '.join(unread)}.")
    lines += [f"Marks: {output}", f"A page for each student: {folder}", f"Seed: {reports[0].seed}"]
    return "\n".join(lines)
