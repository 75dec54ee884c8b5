"""Marking of submissions by parallel checkers."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import secrets
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import replace

from ..exercises import ex
from ..exercises.results import Result, State
from .checker_process import CheckerProcess
from .marks import Limits, Mark, Report
from .submission import Submission
from .weights import Weights

__all__ = ["checked_seed", "grade", "grade_submission"]


#: The maximum length of messages and details, and the maximum number of details, because answers influence them.
_LONGEST, _DETAILS = 2000, 20


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ... ({len(text)} characters)"


def _mark(result: Result, missing: bool) -> Mark:
    details = [_short(detail) for detail in result.details[:_DETAILS]]
    parts = [replace(part, message=_short(part.message)) for part in result.parts]
    mark = Mark(result.number, result.state.value, 0, ex(result.number).points, _short(result.message), details, parts)
    return Weights().weighed(replace(mark, missing=missing))


def _result(submission: Submission, number: str, limits: Limits, seed: int, checker: CheckerProcess) -> Result:
    if submission.problem:
        return Result(number, State.NEEDS_A_LOOK, f"The submission could not be read: {submission.problem}.")
    cells = submission.answers.get(number)
    if cells is None:
        result = Result(number, State.NOT_ATTEMPTED, "The submission does not contain the exercise.")
    else:
        result = checker.judge(number, cells, [seed, *number.encode()], limits)
    why = submission.unclear.get(number)
    if why is None or result.right:
        return result
    return Result(number, State.NEEDS_A_LOOK, f"A person must decide: {why}.", (str(result), *result.details))


def _report(
    submission: Submission, numbers: Sequence[str], limits: Limits, seed: int, checker: CheckerProcess
) -> Report:
    marks = [
        _mark(_result(submission, n, limits, seed, checker), not submission.problem and n not in submission.answers)
        for n in numbers
    ]
    return Report(submission.name, marks, submission.problem, seed)


def checked_seed(seed: int | None) -> int:
    """Return the seed of the random inputs, which is a new secret number if the argument is None.

    Raises
    ------
    ValueError
        If the seed is negative.
    """
    if seed is None:
        return secrets.randbits(63)
    if seed < 0:
        raise ValueError(f"seed must be 0 or more, not {seed}")
    return seed


#: Idle checkers for calls that mark a single submission, as on a cluster.
_idle: queue.SimpleQueue[CheckerProcess] = queue.SimpleQueue()


@atexit.register
def _close_idle() -> None:
    while not _idle.empty():
        _idle.get().close()


def grade_submission(
    submission: Submission, numbers: Sequence[str], limits: Limits | None = None, seed: int | None = None
) -> Report:
    """Mark one submission.

    Parameters
    ----------
    submission : Submission
        The submission to mark.
    numbers : sequence of str
        Numbers of the exercises to mark.
    limits : Limits, optional
        Limits for each answer.
    seed : int, optional
        Seed of the random inputs; by default, a new secret number.

    Returns
    -------
    Report
        The report, which has a mark for every exercise, even if answers crash.
    """
    seed = checked_seed(seed)
    try:
        checker = _idle.get_nowait()
    except queue.Empty:
        checker = CheckerProcess()
    try:
        return _report(submission, numbers, limits or Limits(), seed, checker)
    finally:
        _idle.put(checker)


def grade(
    submissions: Iterable[Submission],
    numbers: Sequence[str],
    limits: Limits | None = None,
    workers: int | None = None,
    seed: int | None = None,
    done: Callable[[Report], object] = lambda report: None,
) -> list[Report]:
    """Mark submissions in parallel on the cores of this machine.

    Parameters
    ----------
    submissions : iterable of Submission
        The submissions to mark.
    numbers : sequence of str
        Numbers of the exercises to mark.
    limits : Limits, optional
        Limits for each answer.
    workers : int, optional
        Number of answers to mark at the same time; by default, one for each core.
    seed : int, optional
        Seed of the random inputs; by default, a new secret number.
    done : callable
        Function to call with each report when it is ready.

    Returns
    -------
    list of Report
        Reports in the order of the submissions.

    Raises
    ------
    MachineryError
        If this machine judges known answers wrongly, so that its verdicts are not reliable.
    ValueError
        If the seed is negative.
    """
    submissions = list(submissions)
    limits = limits or Limits()
    seed = checked_seed(seed)
    workers = max(1, min(workers or os.cpu_count() or 1, len(submissions)))
    checkers = [CheckerProcess() for _ in range(workers)]
    idle: queue.Queue[CheckerProcess] = queue.Queue()
    for checker in checkers:
        idle.put(checker)

    def work(submission: Submission) -> Report:
        checker = idle.get()
        try:
            return _report(submission, numbers, limits, seed, checker)
        finally:
            idle.put(checker)

    pool = ThreadPoolExecutor(workers)

    def halt() -> None:
        for checker in checkers:
            checker.stop()
        pool.shutdown(cancel_futures=True)

    try:
        return _collect((pool.submit(work, submission) for submission in submissions), done, halt)
    finally:
        pool.shutdown(cancel_futures=True)
        for checker in checkers:
            checker.close()


def _collect(
    started: Iterable[Future[Report]], done: Callable[[Report], object], halt: Callable[[], object]
) -> list[Report]:
    """Return all reports in order; pass each finished report to ``done``, even after the run is stopped."""
    futures: list[Future[Report]] = []
    given: set[Future[Report]] = set()

    def give(future: Future[Report]) -> None:
        done(future.result())
        given.add(future)

    try:
        for future in started:
            futures.append(future)  # one by one, so that an interruption keeps those already started
        for future in as_completed(futures):
            give(future)
    except BaseException:
        halt()
        for future in futures:
            if future.done() and future not in given and not future.cancelled() and future.exception() is None:
                with contextlib.suppress(Exception):  # the first error is the one to report
                    give(future)
        raise
    return [future.result() for future in futures]
