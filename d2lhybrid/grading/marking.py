"""From submissions to marks: checkers at work side by side, and what they found."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import secrets
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..exercises import ex
from ..exercises.results import Result, State
from .stage import stage_folder
from .submission import Submission

__all__ = ["CheckerProcess", "Limits", "Mark", "Report", "grade", "grade_submission"]


@dataclass(frozen=True)
class Limits:
    """What one answer may take.

    Attributes
    ----------
    seconds : float
        Time, and time of the processor.
    memory : int
        Bytes of address space.
    checking : float
        Seconds that the checker may take on top, to judge what comes back.
    """

    seconds: float = 20.0
    memory: int = 2 * 2**30
    checking: float = 60.0


@dataclass(frozen=True)
class Mark:
    """What one answer was worth.

    Attributes
    ----------
    number : str
        The exercise.
    state : str
        ``"right"``, ``"wrong"``, ``"error"`` or ``"not attempted"``.
    points, out_of : int
        The mark.
    message : str
        Why.
    details : list of str
        More of it.
    """

    number: str
    state: str
    points: int
    out_of: int
    message: str
    details: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """All marks of one submission.

    Attributes
    ----------
    name : str
        Whose it is.
    marks : list of Mark
        One for each exercise that was asked for.
    problem : str
        Why nothing could be marked, if so.
    seed : int
        What the random inputs were made from: the same seed gives the same inputs again.
    """

    name: str
    marks: list[Mark]
    problem: str = ""
    seed: int = 0

    @property
    def points(self) -> int:
        """The sum of the points."""
        return sum(mark.points for mark in self.marks)

    @property
    def out_of(self) -> int:
        """The most that could have been."""
        return sum(mark.out_of for mark in self.marks)


class CheckerProcess:
    """A checker in a process of its own; if it is lost, a new one takes its place."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    def _start(self) -> subprocess.Popen[str]:
        package = Path(__file__).resolve().parent.parent.parent
        paths = [str(package), *filter(None, [os.environ.get("PYTHONPATH")])]
        threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "d2lhybrid.grading.checker", str(stage_folder())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **threads},
            start_new_session=True,
        )
        lines: queue.Queue[str | None] = queue.Queue()

        def read() -> None:
            assert process.stdout is not None
            with contextlib.suppress(ValueError, OSError), process.stdout as stream:
                for line in stream:
                    lines.put(line)
            lines.put(None)

        self._reader = threading.Thread(target=read, daemon=True)
        self._reader.start()
        self._lines, self._process = lines, process
        if self._receive(60) != {"ready": True}:
            raise RuntimeError("the checker does not start")
        return process

    def _receive(self, seconds: float) -> Any:
        line = self._lines.get(timeout=seconds)
        return None if line is None else json.loads(line)

    def judge(self, number: str, cells: Sequence[tuple[str, bool]], seed: list[int], limits: Limits) -> Result:
        """Return the verdict on one answer, whatever happens."""
        process = self._process
        if process is None or process.poll() is not None:
            process = self._start()
        work = {"number": number, "cells": cells, "seed": seed, **asdict(limits)}
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(work) + "\n")
            process.stdin.flush()
            found = self._receive(limits.seconds + limits.checking)
        except queue.Empty:
            self.close(kill=True)
            return Result(number, State.ERROR, "What the answer returned took too long to be checked.")
        except OSError:
            found = None
        if found is None:
            self.close(kill=True)
            return Result(number, State.ERROR, "What the answer returned could not be checked: the checker ended.")
        return Result(number, State(found["state"]), found["message"], tuple(found["details"]))

    def close(self, kill: bool = False) -> None:
        """End the checker, and the answer that it is asking."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            assert process.stdin is not None
            if kill:
                process.kill()
            process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join(5)


def _report(
    submission: Submission, numbers: Sequence[str], limits: Limits, seed: int, checker: CheckerProcess
) -> Report:
    marks = []
    for number in numbers:
        exercise = ex(number)
        cells = submission.answers.get(number)
        if cells is None:
            result = Result(number, State.NOT_ATTEMPTED, "The exercise is not in the notebook.")
        else:
            result = checker.judge(number, cells, [seed, *number.encode()], limits)
        points = exercise.points if result.right else 0
        marks.append(Mark(number, result.state.value, points, exercise.points, result.message, list(result.details)))
    return Report(submission.name, marks, submission.problem, seed)


#: Checkers that have nothing to do, for calls one by one (as a cluster makes them).
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
        The answers.
    numbers : sequence of str
        The exercises that count.
    limits : Limits, optional
        What each answer may take.
    seed : int, optional
        For the random inputs; secret and new by default.

    Returns
    -------
    Report
        Always: whatever an answer does, there is a mark for it.
    """
    seed = secrets.randbits(63) if seed is None else seed
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
    """Mark submissions side by side, on the cores of this machine.

    Parameters
    ----------
    submissions : iterable of Submission
        Whatever was handed in.
    numbers : sequence of str
        The exercises that count.
    limits : Limits, optional
        What each answer may take.
    workers : int, optional
        How many at once; by default one for each core.
    seed : int, optional
        For the random inputs; secret and new by default.
    done : callable
        Called with each report, as they come in.

    Returns
    -------
    list of Report
        In the order of the submissions.
    """
    submissions = list(submissions)
    limits = limits or Limits()
    seed = secrets.randbits(63) if seed is None else seed
    workers = max(1, min(workers or os.cpu_count() or 1, len(submissions)))
    idle: queue.Queue[CheckerProcess] = queue.Queue()
    for _ in range(workers):
        idle.put(CheckerProcess())

    def work(submission: Submission) -> Report:
        checker = idle.get()
        try:
            return _report(submission, numbers, limits, seed, checker)
        finally:
            idle.put(checker)

    try:
        with ThreadPoolExecutor(workers) as pool:
            futures = [pool.submit(work, submission) for submission in submissions]
            for future in as_completed(futures):
                done(future.result())
            return [future.result() for future in futures]
    finally:
        while not idle.empty():
            idle.get().close()
