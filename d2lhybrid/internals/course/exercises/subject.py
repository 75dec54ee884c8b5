"""The checker's access to an answer, through questions whose replies are plain data."""

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
    """An error about an answer whose process has ended; the message is the reason. No more questions are possible."""


class AnswerEnded(AnswerError):
    """An error about a question that the check skips, because the question ended an earlier process of the answer.

    Parameters
    ----------
    reason : str
        Reason for the end of the process.
    """

    def __init__(self, reason: str) -> None:
        super().__init__("", reason)

    def __str__(self) -> str:
        return self.message


class Subject(Shown):
    """An answer that replies to questions. Its replies are untrusted data, never a verdict.

    Attributes
    ----------
    parts : Parts
        Progress of the check.
    """

    parts: Parts = Parts()  # without an exercise, the first failure ends the check

    def _exchange(self, request: bytes) -> bytes:
        raise NotImplementedError

    def part(self, name: str) -> contextlib.AbstractContextManager[None]:
        """Return a context manager for one part of the check: ``with subject.part("hybridized"): ...``.

        If the check tries all parts, failures in the context are recorded instead of raised.
        """
        return self.parts.trying(name)

    def ask(self, question: str, doing: str = "", **data: Any) -> Any:
        """Ask the answer a question that :mod:`d2lhybrid.internals.course.probing` defines, and return the reply.

        Parameters
        ----------
        question : str
            Name of the question.
        doing : str
            Description of the test, for the message after a failure, such as ``"hybridized, on an input of shape (2,
            3)"``.
        **data
            Arguments of the question.

        Returns
        -------
        object
            The reply: numbers, strings, lists, dictionaries, and arrays.

        Raises
        ------
        AnswerError
            If the answer raised an error.
        CodecError
            If the reply is invalid.
        """
        reply = decode(self._exchange(encode([question, data])))
        if isinstance(reply, dict) and "error" in reply:
            try:
                error = AnswerError.from_data(reply["error"])
            except (KeyError, TypeError) as problem:
                raise CodecError(f"the message is not an error report: {problem}") from None
            error.doing = doing  # type: ignore[attr-defined]
            raise error
        if not isinstance(reply, dict) or "result" not in reply:
            raise CodecError(f"a reply must have the key 'result' or 'error', but is {repr(reply)[:100]}")
        return reply["result"]

    def call(self, *args: Any, raw: bool = True, doing: str = "", **kwargs: Any) -> Any:
        """Call the answer, which is a function, and return its result; ``raw=False`` passes arrays as NDArrays."""
        where = doing or translate("called with {inputs}", inputs=text_of_inputs(args))
        found = self.ask("call", where, args=list(args), kwargs=kwargs, raw=raw)
        result = found["result"]
        expect(found.get("changed") is not True, "Your code, {doing}, changes its arguments.", doing=where)
        return result

    def close(self) -> None:
        """Release the resources of the answer."""


class LocalSubject(Subject):
    """An answer that runs in the current process.

    Parameters
    ----------
    answer : object
        The student's answer.
    """

    def __init__(self, answer: Any) -> None:
        self.session: Session = Session(answer)

    def _exchange(self, request: bytes) -> bytes:
        return self.session.reply(request)

    def close(self) -> None:
        """Delete the session's files."""
        self.session.close()


def text_of_inputs(inputs: Sequence[Any]) -> str:
    """Return a short description of inputs; arrays are described by their shapes.

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
