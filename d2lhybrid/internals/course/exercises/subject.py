"""The checker's side of an answer: questions go out, plain data comes back."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from ...support.display import Shown
from ...support.words import translate
from ..probing import AnswerError, CodecError, Session, decode, encode
from .parts import Parts
from .results import expect

__all__ = ["AnswerEnded", "LocalSubject", "Subject", "SubjectLost", "text_of_inputs"]


class SubjectLost(Exception):
    """The answer's process has come to an end, or was brought to one: why, in a sentence. Nothing more can be asked."""


class AnswerEnded(AnswerError):
    """A question at which the answer's process came to its end before, and which is therefore not asked again.

    Parameters
    ----------
    reason : str
        Why it did.
    """

    def __init__(self, reason: str) -> None:
        super().__init__("", reason)

    def __str__(self) -> str:
        return self.message


class Subject(Shown):
    """An answer that can be asked. What it returns is data of unknown quality, never a verdict.

    Attributes
    ----------
    parts : Parts
        How far the check of the answer has come.
    """

    parts: Parts = Parts()  # of no exercise: the first failure ends a check

    def _exchange(self, request: bytes) -> bytes:
        raise NotImplementedError

    def part(self, name: str) -> contextlib.AbstractContextManager[None]:
        """Try one part of the check in a block: ``with subject.part("hybridized"): ...``."""
        return self.parts.trying(name)

    def ask(self, question: str, doing: str = "", **data: Any) -> Any:
        """Ask one of the questions of :mod:`d2lhybrid.internals.course.probing`.

        Parameters
        ----------
        question : str
            Its name.
        doing : str
            What is being tried, for the message if it fails: ``"hybridized, on an input of shape (2, 3)"``.
        **data
            What the question needs.

        Raises
        ------
        AnswerError
            If the answer raised an exception.
        """
        reply = decode(self._exchange(encode([question, data])))
        if isinstance(reply, dict) and "error" in reply:
            try:
                error = AnswerError.from_data(reply["error"])
            except (KeyError, TypeError) as problem:
                raise CodecError(f"this is not an error report: {problem}") from None
            error.doing = doing  # type: ignore[attr-defined]
            raise error
        if not isinstance(reply, dict) or "result" not in reply:
            raise CodecError("this is not a reply")
        return reply["result"]

    def call(self, *args: Any, raw: bool = True, doing: str = "", **kwargs: Any) -> Any:
        """Call the answer, a function, and return its result; ``raw=False`` turns arrays into NDArrays."""
        where = doing or translate("called with {inputs}", inputs=text_of_inputs(args))
        found = self.ask("call", where, args=list(args), kwargs=kwargs, raw=raw)
        result = found["result"]
        expect(found.get("changed") is not True, "Your code, {doing}, changes its arguments.", doing=where)
        return result

    def close(self) -> None:
        """Forget the answer."""


class LocalSubject(Subject):
    """An answer in this process.

    Parameters
    ----------
    answer : object
        What the student wrote.
    """

    def __init__(self, answer: Any) -> None:
        self.session: Session = Session(answer)

    def _exchange(self, request: bytes) -> bytes:
        return self.session.reply(request)

    def close(self) -> None:
        """Remove the files of the session."""
        self.session.close()


def text_of_inputs(inputs: Sequence[Any]) -> str:
    """Return inputs in a few words: arrays by their shape.

    Examples
    --------
    >>> import numpy
    >>> text_of_inputs([numpy.zeros((2, 3)), 4])
    'an array of shape (2, 3), 4'
    """
    return translate(", ").join(
        translate("an array of shape {shape}", shape=value.shape)
        if hasattr(value, "shape")
        else _shortened(repr(value))
        for value in inputs
    )


def _shortened(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else text[: limit - 4] + " ..."
