"""A checker: judges answers, one after the other. Run as a process: work comes in, verdicts go out, a line each.

No student's code runs in it. It sees their cells as text, which it hands on, and plain data, which it judges.
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

#: So many processes an answer may end, and so many times its seconds all of them may take, as long as each part of the
#: check that ends one costs its own points only.
_PROCESSES, _TIMES = 20, 3
#: A question's share of the seconds, once a process has been ended for taking too long.
_SHARE = 10


class Checker:
    """Judges answers in confined processes.

    Parameters
    ----------
    stage : Path
        The copy of the package that answers run with.
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
        """Return the verdict on one answer.

        Where the answer's process ends at a question, the check begins anew with a fresh process, on the same inputs,
        and takes that question as failed: so the other parts are judged, too.

        Parameters
        ----------
        number : str
            The exercise.
        cells : list of (str, bool)
            The student's cells, each with whether it is the answer cell.
        seed : list of int
            For the random inputs.
        seconds, memory : float, int
            What the answer may take.
        again : callable
            Called whenever the check begins anew.
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
        """Load everything and start the server now, so that no answer has to wait for it."""
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
                self.close()  # the server is gone: a new one, once
                if attempt == 2:
                    raise
        raise AssertionError

    def close(self) -> None:
        """End the server of answers."""
        if self._server is not None:
            self._server.close()
            self._server = None


def _says_something(source: str) -> bool:
    """Return whether there is more in a cell than spaces and remarks."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in source.split("\n"))


def _looked_at(result: Result, absent: str) -> Result:
    """Return the verdict, which is a person's where an answer was not right for want of a package that is not here."""
    if result.right or not absent:
        return result
    why = f"The answer uses something that the checker does not have: {absent}."
    return Result(result.number, State.NEEDS_A_LOOK, why, (str(result), *result.details))


@contextlib.contextmanager
def _within(memory: int) -> Iterator[None]:
    """Limit the additional memory of the checker: a reply may unpack into something huge.

    What it asks for then ends in a MemoryError, not in a machine that stands still.
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
    """Judge what comes in on standard input, until it ends."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever prints, it does not print into the verdicts
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
        except Exception as error:  # a mistake of the check is not the student's
            message = f"The check itself failed ({type(error).__name__}: {error})."
            result = Result(work["number"], State.NEEDS_A_LOOK, message)
        parts = [asdict(part) for part in result.parts]
        say(state=result.state.value, message=result.message, details=list(result.details), parts=parts)
    checker.close()


if __name__ == "__main__":
    main()
