"""The class of an exercise: its task, starter, hints, check, and solution."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy

from ...support.printing import printed
from ...support.settings import settings
from ...support.words import translate
from ..probing import AnswerError, CodecError
from . import records
from .display import Note
from .files import Statement, answer_in, folder_of, statement_in
from .parts import ODD_DATA, Parts
from .results import Result, State, Wrong
from .subject import AnswerEnded, LocalSubject, Subject, SubjectLost

__all__ = ["PRELUDE", "Exercise", "report_answer_error"]

#: The imports that every answer cell may rely on.
PRELUDE = """\
import numpy

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.gluon import nn
"""

Check = Callable[[Subject, numpy.random.Generator], None]

#: Errors that checks raise for replies with another structure than they assume.
_ODD_DATA = (CodecError, KeyError, TypeError, IndexError, AttributeError, ValueError)


@dataclass(frozen=True)
class Exercise:
    """An exercise, which ``task.py`` and the other files in the exercise's folder define.

    Attributes
    ----------
    module : str
        ``__name__`` of the module that defines the exercise. The module's folder contains the texts and the answers.
    number : str
        Number of the exercise, which begins with its chapter, such as ``"03.1"``.
    answer : str
        Name that the answer cell defines and the check tests.
    checker : callable
        Function that takes a :class:`~d2lhybrid.internals.course.exercises.subject.Subject` and a random generator, and
        raises ``Wrong`` if the answer is wrong.
    points : int
        Points for a right answer.
    constant : bool
        Whether the answer is a table of choices, so that all right answers are identical.
    parts : tuple of str
        Properties that the check tests separately, each with its own points; empty for a check of one property.
    """

    module: str
    number: str
    answer: str
    checker: Check
    points: int = 1
    constant: bool = False
    parts: tuple[str, ...] = ()

    @property
    def _statement(self) -> Statement:
        return _statement_of(self.module, settings.lang)

    @property
    def title(self) -> str:
        """The title, in a few words."""
        return self._statement.title

    @property
    def task(self) -> str:
        """The task in Markdown."""
        return self._statement.task

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints, from vague to explicit."""
        return self._statement.hints

    @property
    def insight(self) -> str:
        """The lesson that a right answer teaches, in one sentence."""
        return self._statement.insight

    @property
    def starter(self) -> str:
        """The initial source of the answer cell."""
        return answer_in(folder_of(self.module), "starter")

    @property
    def solution_code(self) -> str:
        """The source of the answer cell with a possible solution."""
        return answer_in(folder_of(self.module), "solution")

    @property
    def chapter(self) -> str:
        """The number of the exercise's chapter."""
        return self.number.partition(".")[0]

    def judge(self, subject: Subject, rng: numpy.random.Generator, all_parts: bool = False) -> Result:
        """Return the verdict on an answer, without recording the verdict.

        Parameters
        ----------
        subject : Subject
            The answer to check.
        rng : Generator
            Random generator for the inputs.
        all_parts : bool
            Whether to test the remaining parts after a failure. These tests do not change the verdict.
        """
        ours = isinstance(subject, LocalSubject)  # in this process, only our own bugs raise these errors
        subject.parts = Parts(self.parts, all_parts, (CodecError,) if ours else _ODD_DATA)
        try:
            result = self._judged(subject, rng)
        finally:
            parts, subject.parts = subject.parts, Subject.parts
        return dataclasses.replace(result, parts=parts.outcome()) if all_parts and parts.complete else result

    def _judged(self, subject: Subject, rng: numpy.random.Generator) -> Result:
        try:
            if subject.ask("describe")["unwritten"] is True:
                return Result(
                    self.number, State.NOT_ATTEMPTED, translate("`{answer}` is still empty.", answer=self.answer)
                )
            self._try_all(subject, rng)
        except Wrong as wrong:
            return Result(self.number, State.WRONG, str(wrong))
        except AnswerError as error:
            return report_answer_error(self.number, error)
        except _ODD_DATA as error:
            if isinstance(subject, LocalSubject) and not isinstance(error, CodecError):
                raise
            return Result(self.number, State.WRONG, translate(ODD_DATA, error=error))
        return Result(self.number, State.RIGHT, self.insight)

    def _try_all(self, subject: Subject, rng: numpy.random.Generator) -> None:
        try:
            self.checker(subject, rng)
            subject.parts.complete = True
        except (Wrong, AnswerError, SubjectLost):
            raise
        except Exception:  # errors after a failed part are less informative than that failure
            if not subject.parts.failures:
                raise
        subject.parts.raise_first()

    def check(self, answer: Any = None) -> Result:
        """Check an answer on fresh random inputs.

        Parameters
        ----------
        answer : object
            Answer to the task; for None or the starter's value, the verdict is "not attempted".

        Returns
        -------
        Result
            The verdict, displayed in a notebook as a colored line.

        Raises
        ------
        AssertionError
            If the answer is not right and nbgrader marks the notebook, because nbgrader expects an exception.
        """
        result = self._verdict(answer)
        if os.environ.get("NBGRADER_EXECUTION"):
            if not result:
                raise AssertionError(str(result))
        else:
            records.note_check(self.number, result.state)
        return result

    def _verdict(self, answer: Any) -> Result:
        if answer is not None and answer is _OURS.get(self.number):  # exists only if a later cell has requested it
            message = translate(
                "This `{answer}` is ours. Run the cell with your own, then this one.", answer=self.answer
            )
            return Result(self.number, State.NOT_ATTEMPTED, message)
        subject = LocalSubject(answer)
        try:
            return self.judge(subject, numpy.random.default_rng())
        finally:
            subject.close()

    def yours_or_ours(self, answer: Any = None) -> Any:
        """Return the answer if it is right, or else the exercise's solution, for use in later exercises.

        Parameters
        ----------
        answer : object
            Answer to the task.

        Returns
        -------
        object
            The answer, or the object that the solution defines, after a printed message.
        """
        if self._verdict(answer):
            return answer
        said = "{number}: continuing with our {answer}. Run this cell again when yours is right."
        print(translate(said, number=self.number, answer=self.answer))
        return _ours(self)

    def hint(self) -> Note:
        """Return the next hint, or the last hint again if there are no more hints."""
        shown = records.note_hint(self.number, len(self.hints))
        title = translate("Hint {n} of {count}", n=shown, count=len(self.hints))
        last = '(The last hint. `ex("{number}").solution()` shows a solution.)'
        end = "" if shown < len(self.hints) else f"\n\n{translate(last, number=self.number)}"
        return Note(title, self.hints[shown - 1] + end)

    def solution(self) -> Note:
        """Return a solution with its insight, and record that the solution was displayed."""
        records.note_solution(self.number)
        return Note(translate("One solution"), f"```python\n{self.solution_code.strip()}\n```\n\n{self.insight}")

    @printed
    def __str__(self) -> str:
        return f"{self.number} {self.title}\n\n{self.task.strip()}"

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return f"### {self.number} {self.title}\n\n{self.task.strip()}"


@functools.cache
def _statement_of(module: str, lang: str) -> Statement:
    return statement_in(folder_of(module), lang)


#: Number of an exercise -> solution that later cells have requested.
_OURS: dict[str, Any] = {}


def _ours(exercise: Exercise) -> Any:
    """Return the object that the solution defines; every call returns the same object."""
    if exercise.number in _OURS:
        return _OURS[exercise.number]
    space: dict[str, Any] = {"__name__": "ours"}
    exec(PRELUDE, space)
    exec(compile(exercise.solution_code, f"<our {exercise.answer}>", "exec"), space)
    _OURS[exercise.number] = space[exercise.answer]
    return _OURS[exercise.number]


def report_answer_error(number: str, error: AnswerError) -> Result:
    """Return the verdict on an answer that raised an error, or whose process ended."""
    doing = getattr(error, "doing", "")
    if isinstance(error, AnswerEnded):
        details = (translate("The answer was {doing}.", doing=translate(doing)),) if doing else ()
        return Result(number, State.ERROR, str(error), details)
    where = "Your code, {doing}, raised {error}" if doing else "Your code raised {error}"
    said = translate(where, doing=translate(doing), error=f"`{error.type_name}: {error.message}`")
    details = [translate("In the line `{line}`", line=error.line)] if error.line else []
    from ...pictures.traps.notes import in_words  # imported late, because this module loads all traps

    details += [in_words(note) for note in error.notes if not note.startswith("while tracing")]
    return Result(number, State.ERROR, said, tuple(details))
