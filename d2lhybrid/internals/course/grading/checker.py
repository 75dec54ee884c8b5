"""A checker, which judges answers one after the other; a checker process reads tasks and writes verdicts as lines.

No student code runs in the checker, which forwards cells as text and judges plain data.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import resource
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy

from ...support.words import translate
from ..exercises import ex, exercises
from ..exercises.exercise import report_answer_error
from ..exercises.parts import ODD_DATA
from ..exercises.results import Result, State
from ..exercises.subject import SubjectLost
from ..probing import AnswerError, CodecError
from .remote import AnswerServer, Lost, RemoteSubject, absent_for

__all__ = ["Checker", "main"]

#: The maximum number of processes that an answer may end, and the maximum multiple of the time limit for all of them.
#: With several processes, a failing part of the check costs only its own points.
_PROCESSES, _TIMES = 20, 3
#: The divisor of the time limit for a single question, after a process has exceeded the time limit.
_SHARE = 10


class Checker:
    """A judge of answers that run in confined processes.

    Parameters
    ----------
    stage : Path
        Folder with the copy of the package for answers.
    """

    def __init__(self, stage: Path) -> None:
        self.stage = stage
        self._server: AnswerServer | None = None

    def judge(
        self,
        number: str,
        cells: list[tuple[str, bool]],
        seed: list[int],
        seconds: float,
        memory: int,
        again: Callable[[], object] = lambda: None,
    ) -> Result:
        """Return the verdict on an answer.

        If the answer's process ends during a part of the check, the check starts again in a new process, with the same
        inputs, unless this happens too often. The question that ended the process then counts as failed, and the check
        continues with the other parts.

        Parameters
        ----------
        number : str
            Number of the exercise.
        cells : list of (str, bool)
            The student's cells, each with a bool, which is True for the answer cell.
        seed : list of int
            Seed of the random inputs.
        seconds, memory : float, int
            Limits for the answer, in seconds and bytes.
        again : callable
            Function to call when the check starts again.
        """
        if not any(_says_something(source) for source, _ in cells):
            return Result(number, State.NOT_ATTEMPTED, "There is no answer.")
        lost: Lost = {}
        taken, each = 0.0, math.inf
        while True:
            subject = None
            try:
                try:
                    subject = self._start(cells, ex(number).answer, seconds, memory, lost, each)
                    return _looked_at(self._judged(number, subject, seed), subject.absent)
                finally:
                    if subject is not None:
                        subject.close()
            except AnswerError as error:
                return _looked_at(report_answer_error(number, error), absent_for(error))
            except SubjectLost as reason:
                part = subject.place[0] if subject is not None else ""
                taken += subject.taken if subject is not None else 0
                if subject is None or not part or len(lost) == _PROCESSES or taken > _TIMES * seconds:
                    return Result(number, State.ERROR, next(iter(lost.values()), str(reason)))
                lost[subject.place] = str(reason)
                if subject.taken > seconds / 2:
                    each = seconds / _SHARE
                again()
            except (CodecError, KeyError, TypeError) as error:
                return Result(number, State.WRONG, translate(ODD_DATA, error=error))

    def _judged(self, number: str, subject: RemoteSubject, seed: list[int]) -> Result:
        exercise = ex(number)
        if subject.missing:
            return Result(number, State.ERROR, f"There is no `{exercise.answer}` after the answer cell has run.")
        with contextlib.redirect_stdout(sys.stderr), _within(subject.memory):
            return exercise.judge(subject, numpy.random.default_rng(seed), all_parts=True)

    def get_ready(self) -> None:
        """Import all modules and start the server, so that the first answer doesn't wait for either."""
        exercises()
        self._server = AnswerServer(self.stage)
        self._server.command([], do="nothing")

    def _start(
        self, cells: list[tuple[str, bool]], name: str, seconds: float, memory: int, lost: Lost, each: float
    ) -> RemoteSubject:
        for attempt in (1, 2):
            if self._server is None:
                self._server = AnswerServer(self.stage)
            try:
                return RemoteSubject(self._server, cells, name, seconds, memory, lost, each)
            except (OSError, ValueError) as error:
                if isinstance(error, CodecError):
                    raise
                self.close()  # the server has ended: start a new one, once
                if attempt == 2:
                    raise
        raise AssertionError

    def close(self) -> None:
        """End the server that starts answers."""
        if self._server is not None:
            self._server.close()
            self._server = None


def _says_something(source: str) -> bool:
    """Return whether a cell contains more than whitespace and comments."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in source.split("\n"))


def _looked_at(result: Result, absent: str) -> Result:
    """Return the verdict, or "needs a look" if the answer failed because a package is missing here."""
    if result.right or not absent:
        return result
    why = f"The answer uses something that the checker does not have: {absent}."
    return Result(result.number, State.NEEDS_A_LOOK, why, (str(result), *result.details))


@contextlib.contextmanager
def _within(memory: int) -> Iterator[None]:
    """Limit the additional memory of the checker, because a small reply may decode into a huge object.

    Beyond the limit, a MemoryError is raised, and the machine remains usable.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        with open("/proc/self/statm") as stream:
            pages = int(stream.read().split()[0])
        most = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    except (OSError, ValueError):  # macOS has neither the file nor the limit
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def main() -> None:
    """Judge the answers from standard input until the input ends."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keep other output separate from the verdicts
    checker = Checker(Path(sys.argv[1]))

    def say(**message: Any) -> None:
        print(json.dumps(message), file=out, flush=True)

    checker.get_ready()
    say(ready=True)
    for line in sys.stdin:
        work = json.loads(line)
        cells = [(str(source), bool(is_answer)) for source, is_answer in work["cells"]]
        try:
            limits = work["seconds"], work["memory"]
            result = checker.judge(work["number"], cells, work["seed"], *limits, again=lambda: say(again=True))
        except MemoryError:
            result = Result(work["number"], State.ERROR, "The result takes too much memory to be checked.")
        except Exception as error:  # an error of the check is not the student's fault
            message = f"The check itself failed ({type(error).__name__}: {error})."
            result = Result(work["number"], State.NEEDS_A_LOOK, message)
        parts = [asdict(part) for part in result.parts]
        say(state=result.state.value, message=result.message, details=list(result.details), parts=parts)
    checker.close()


if __name__ == "__main__":
    main()
