"""The command ``d2lhybrid check``, with which students run the checks of marking on their own notebooks."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence

from ...support.plural import counted
from ..exercises import ex
from ..exercises.results import State
from .arguments import UsageError, notebooks_and_exercises
from .checker_process import MachineryError
from .marking import grade
from .marks import Limits, Report
from .names import visible
from .submission import Submission, numbers_to_mark, read_submission

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Check the notebooks that the arguments name, and return the exit status.

    The status is 0 if all answers are right, 1 if an answer is not right, and 2 if the notebooks cannot be checked.
    """
    if os.name != "posix":
        print("Checking requires the process limits of Linux or macOS. On Windows, use WSL.", file=sys.stderr)
        return 2
    try:
        paths, asked = notebooks_and_exercises(arguments.notebooks, arguments.exercises)
        submissions = [read_submission(path) for path in paths]
        if len(paths) > 1:  # lessons are next to the exercises
            submissions = [s for s in submissions if s.problem or numbers_to_mark([s], asked)] or submissions
        reports = [_judged(submission, asked, arguments.seconds) for submission in submissions]
    except (UsageError, MachineryError, ValueError) as error:
        print(f"{error}", file=sys.stderr)
        return 2
    for report in reports:
        print(_text(report, alone=len(reports) == 1))
    return int(not all(mark.state == State.RIGHT.value for report in reports for mark in report.marks))


def _judged(submission: Submission, asked: Sequence[str], seconds: float) -> Report:
    if submission.problem:
        raise UsageError(f"{submission.name}: {submission.problem}.")
    numbers = numbers_to_mark([submission], asked)
    if not numbers:
        raise UsageError(
            f"{submission.name} contains no exercises. To check exercises anyway, pass their numbers, for example "
            "-e 03.1."
        )
    (report,) = grade([submission], numbers, Limits(seconds=seconds, trusted=True), workers=1)
    return report


def _text(report: Report, alone: bool) -> str:
    lines = [] if alone else [f"{visible(report.name)}:"]
    for mark in report.marks:
        title = ex(mark.number).title
        lines.append(f"{mark.number} {title}: {mark.state}, {mark.points} of {mark.out_of}. {visible(mark.message)}")
        lines += [f"    {visible(detail)}" for detail in mark.details]
        lines += [f"    {'✓' if p.right else '✗'} {p.name}{f': {visible(p.message)}' if p.message else ''}"
                  for p in mark.parts if mark.state != State.RIGHT.value]  # fmt: skip
    counts = Counter(mark.state for mark in report.marks)
    states = ", ".join(f"{counts[state.value]} {state.value}" for state in State if counts[state.value])
    return "\n".join([*lines, f"{report.points} of {counted(report.out_of, 'point')}: {states}."])
