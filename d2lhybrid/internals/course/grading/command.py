"""The command ``d2lhybrid grade``."""

from __future__ import annotations

import argparse
import functools
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from d2lhybrid.error import MXNetError

from ...support.install_commands import extra_command
from ...support.plural import counted
from .arguments import UsageError, check_outputs, check_values, notebooks_and_exercises, passed_over
from .checker_process import MachineryError
from .cluster import ClusterError, grade_on_cluster
from .folders import one_a_student
from .journal import Journal, Plan, journal_path, read_plan
from .marking import checked_seed, grade
from .marks import Limits, Report
from .names import perhaps_of_one, visible
from .overrides import overridden, overrides_path, read_overrides
from .overview import overview_path
from .protection import check_protection
from .reports import has_more_rows, partial_table, prepare, write_reports, write_results
from .similar import alike
from .stopping import stoppable, undisturbed
from .submission import Submission, held_in, numbers_to_mark, read_all
from .weights import read_weights, weights_path

__all__ = ["run"]

_Executor = Callable[..., list[Report]]


class _Bar:
    """A progress bar on the terminal that grows with every report; without a terminal, there is no bar."""

    def __init__(self, total: int, count: int = 0) -> None:
        self.total, self.count = total, count
        self.shown = sys.stderr.isatty()

    def __call__(self, report: Report) -> None:
        self.count += 1
        if self.shown:
            filled = 30 * self.count // self.total
            line = f"[{'#' * filled}{'.' * (30 - filled)}] {self.count}/{self.total}  {visible(report.name)[:30]}"
            end = "\n" if self.count == self.total else ""
            print(f"\r\x1b[K{line}", end=end, file=sys.stderr, flush=True)


def _complain(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


def _executor(arguments: argparse.Namespace) -> _Executor:
    """Return the function that marks submissions."""
    if arguments.executor == "local":
        return functools.partial(grade, workers=arguments.workers)
    if importlib.util.find_spec("distributed") is None:
        raise UsageError(f"Dask is not installed. Install it with: {extra_command('grading')}")
    if arguments.scheduler is None and "DASK_SCHEDULER_ADDRESS" not in os.environ:
        raise UsageError(
            "The address of the Dask cluster is missing. Pass --scheduler tcp://HOST:8786, or set "
            "DASK_SCHEDULER_ADDRESS."
        )
    return functools.partial(grade_on_cluster, address=arguments.scheduler)


def run(arguments: argparse.Namespace) -> int:
    """Mark the submissions that the arguments name, and return the exit status."""
    if os.name != "posix":
        return _complain("Marking requires the process limits of Linux or macOS. On Windows, use WSL.")
    with stoppable():
        try:
            return _run(arguments)
        except (UsageError, MXNetError) as error:
            return _complain(str(error))
        except KeyboardInterrupt:
            _complain("Stopped. If anything was marked, run the same command with --resume to continue.")
            return 130


def _run(arguments: argparse.Namespace) -> int:
    check_values(arguments)
    if arguments.executor == "local" and (warning := check_protection(arguments.trust_submissions)):
        print(warning, file=sys.stderr)
    paths, asked = notebooks_and_exercises(arguments.submissions, arguments.exercises)
    executor = _executor(arguments)
    table: Path = arguments.output
    pages: Path = arguments.reports or table.with_name(f"{table.stem}-reports")
    check_outputs(paths, table, pages)
    prepare(table, pages)
    separate = read_all(paths)
    submissions = one_a_student(paths, separate)
    if len(submissions) < len(separate):
        print(
            f"Reading {len(separate)} files as the submissions of {counted(len(submissions), 'student')}.",
            file=sys.stderr,
        )
    _say_what_is_odd(submissions, passed_over(arguments.submissions, arguments.exercises, table, pages))
    plan = _plan(arguments, submissions, asked)
    weights = read_weights(weights_path(table), plan.numbers, arguments.all_or_nothing)
    overrides = read_overrides(overrides_path(table), [s.name for s in submissions], plan.numbers)
    with Journal(journal_path(table), plan, resume=arguments.resume) as journal:
        found, why = _mark(submissions, plan, executor, journal)
    found = [report and overridden(weights.report(report), overrides) for report in found]
    with undisturbed():
        return _finish(submissions, found, why, table, pages, arguments.gradescope)


def _say_what_is_odd(submissions: Sequence[Submission], others: Sequence[Path]) -> None:
    """Print warnings about files that are not notebooks, and about submissions that may be by the same person."""
    if others:
        listed = _listed([str(path) for path in others])
        print(f"These files are ignored, because they are not notebooks: {listed}.", file=sys.stderr)
    for names in perhaps_of_one([submission.name for submission in submissions]):
        said = f"These submissions may be by the same person, but all of them are marked: {_listed(names)}."
        print(said, file=sys.stderr)


def _counted(held: Mapping[str, int]) -> str:
    return ", ".join(f"chapter {chapter} is in {count}" for chapter, count in held.items())


def _listed(names: Sequence[str], most: int = 10) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(visible(name) for name in names[:most]) + more


def _plan(arguments: argparse.Namespace, submissions: Sequence[Submission], asked: Sequence[str]) -> Plan:
    """Return the plan of the run, or, with ``--resume``, the plan of the earlier run."""
    journal = journal_path(arguments.output)
    limits = Limits(arguments.seconds, arguments.memory * 2**20, trusted=arguments.trust_submissions)
    if arguments.resume and not journal.exists():
        raise UsageError(f"There is nothing to resume: {journal} does not exist. Run the command without --resume.")
    earlier = read_plan(journal) if arguments.resume else {}
    try:
        numbers = numbers_to_mark(submissions, asked) if asked or not earlier else earlier["exercises"]
    except ValueError as error:
        raise UsageError(f"{error}.") from None
    held = held_in(submissions)
    if not numbers and not held:
        raise UsageError(
            "These notebooks contain no exercises. To mark exercises anyway, pass their numbers, for example "
            "-e 03 04.1."
        )
    if not numbers:
        raise UsageError(
            f"No exercise is in more than half of the {len(submissions)} submissions ({_counted(held)}), so it is "
            "unclear which exercises to mark. To get one row for each student, pass a folder for each student, "
            "with a notebook for each chapter. Otherwise, mark all of these chapters, and then combine the rows of "
            "each student:\n"
            f"    d2lhybrid grade ... -e {' '.join(held)} -o {visible(str(arguments.output))}\n"
            f"    d2lhybrid gather {visible(str(arguments.output))} --students students.csv"
        )
    counted = {number.partition(".")[0] for number in numbers}
    others = {c: n for c, n in held_in(submissions, touched=True).items() if c not in counted}
    if others and not asked:
        print(
            f"Chapters in at most half of the {len(submissions)} submissions are not marked: {_counted(others)}. "
            f"To mark them, use --exercises {' '.join(sorted({*counted, *others}))}",
            file=sys.stderr,
        )
    return Plan(numbers, limits, checked_seed(earlier.get("seed") if arguments.seed is None else arguments.seed))


def _mark(
    submissions: Sequence[Submission], plan: Plan, executor: _Executor, journal: Journal
) -> tuple[list[Report | None], str]:
    """Return a report for each marked submission, and the reason why others were not marked; empty if all were."""
    by_name = {submission.name: submission for submission in submissions}
    found = {s.name: report for s in submissions if (report := journal.find(s))}
    bar = _Bar(len(submissions), len(found))

    def done(report: Report) -> None:
        journal.add(by_name[report.name], report)
        found[report.name] = report
        bar(report)

    why = ""
    try:
        missing = [s for s in submissions if s.name not in found]
        if missing:
            executor(missing, plan.numbers, limits=plan.limits, seed=plan.seed, done=done)
    except KeyboardInterrupt:
        why = "Stopped."
    except MachineryError as error:
        why = f"Stopped: verdicts on this machine are not reliable, because {error}."
    except (MXNetError, ClusterError) as error:
        why = f"Stopped: {error}"
    return [found.get(submission.name) for submission in submissions], why


def _finish(
    submissions: Sequence[Submission],
    found: Sequence[Report | None],
    why: str,
    table: Path,
    pages: Path,
    gradescope: Path | None,
) -> int:
    """Write the results, and print a summary; return the exit status."""
    reports = [report for report in found if report is not None]
    whole, partial = table, partial_table(table)
    if len(reports) < len(submissions) and has_more_rows(whole, len(reports)):
        table = partial  # do not replace an earlier table with more rows
    similar = alike(submissions, [mark.number for mark in reports[0].marks]) if reports else {}
    problems = write_reports(reports, table, pages, similar, submissions) if reports else []
    if gradescope:
        problems += write_results(reports, gradescope)
    for problem in problems[:10]:
        print(f"Not written: {visible(problem)}", file=sys.stderr)
    if not why and not problems:
        partial.unlink(missing_ok=True)
        print(_summary(reports, table, pages))
        return 0
    print(why or "Not everything could be written.", file=sys.stderr)
    print(f"Marked {len(reports)} of {counted(len(submissions), 'submission')}.", file=sys.stderr)
    if table is partial:
        said = f"{visible(str(whole))} is from an earlier run. The new marks are in {visible(str(table))}."
        print(said, file=sys.stderr)
    print("To continue, run the same command with --resume.", file=sys.stderr)
    return 130 if why == "Stopped." else 1


def _summary(reports: Sequence[Report], output: Path, folder: Path) -> str:
    unread = [visible(report.name) for report in reports if report.problem]
    looks = [visible(report.name) for report in reports if report.unclear and not report.problem]
    lines = [
        f"{counted(len(reports), 'submission')}, {counted(len(reports[0].marks), 'exercise')}, "
        f"at most {counted(reports[0].out_of, 'point')}."
    ]
    if unread:
        lines.append(f"Not readable: {', '.join(unread)}.")
    if looks:
        lines.append(
            'These submissions contain exercises with a "?" in the table, which have no points until a person decides: '
            f"{', '.join(looks)}. Write the points into {visible(str(overrides_path(output)))}."
        )
    places = [f"Marks: {visible(str(output))}", f"A page for each student: {visible(str(folder))}"]
    places.append(f"The class on one page: {visible(str(overview_path(output)))}")
    return "\n".join([*lines, *places, f"Seed: {reports[0].seed}"])
