"""A session with one answer, and the registry of questions."""

from __future__ import annotations

import linecache
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...device import array_modules
from .codec import decode, encode

__all__ = ["AnswerError", "Session", "probe"]

#: All questions: name -> function of the session and the question's data.
_PROBES: dict[str, Callable[..., Any]] = {}


class AnswerError(Exception):
    """An error that an answer raised in a check.

    Parameters
    ----------
    type_name : str
        Name of the error's class.
    message : str
        Message of the error.
    notes : list of str
        Notes of the error.
    line : str
        Line of the answer that raised the error; empty if the error comes from other code.
    """

    type_name: str
    message: str
    notes: list[Any]
    line: str

    def __init__(self, type_name: str, message: str, notes: Any = (), line: str = "") -> None:
        super().__init__(f"{type_name}: {message}")
        self.type_name, self.message, self.notes, self.line = type_name, message, list(notes), line

    @classmethod
    def of(cls, error: BaseException) -> AnswerError:
        """Return the error that describes an exception raised by an answer."""
        line = ""
        for frame, number in traceback.walk_tb(error.__traceback__):
            if frame.f_globals.get("__name__") == "__main__":  # code of the notebook's cells
                line = linecache.getline(frame.f_code.co_filename, number).strip() or line
        notes = [str(note)[:1000] for note in getattr(error, "__notes__", [])][:20]
        if isinstance(error, SyntaxError) and error.text:
            line = error.text.strip()
        return cls(type(error).__name__, str(error)[:2000], notes, line[:300])

    def to_data(self) -> dict[str, Any]:
        """Return the error as a JSON-compatible dictionary."""
        return {"type": self.type_name, "message": self.message, "notes": self.notes, "line": self.line}

    @classmethod
    def from_data(cls, data: Any) -> AnswerError:
        """Return the error that :meth:`to_data` converted to plain data."""
        notes = [str(note) for note in data["notes"]]
        return cls(str(data["type"]), str(data["message"]), notes, str(data["line"]))


def probe(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a function that takes a session as the question with the function's name; return the function."""
    _PROBES[function.__name__] = function
    return function


class Session:
    """A session with an answer, and the objects that questions create from the answer.

    Parameters
    ----------
    answer : object
        The student's answer: a value, a function, a class, or a net.

    Attributes
    ----------
    net : Block or None
        The net that the question ``make`` created.
    """

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.net: Any = None
        self.kept: dict[str, Any] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def folder(self) -> Path:
        """A folder for the files of this session."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="d2lhybrid-")
        return Path(self._folder.name)

    def close(self) -> None:
        """Delete the folder of the session's files."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def reply(self, request: bytes) -> bytes:
        """Return the encoded result of an encoded question ``[name, data]``, or the encoded error."""
        from . import building, compilers, nets, tracing, values  # noqa: F401  they register their questions

        name, data = decode(request)
        try:
            with warnings.catch_warnings(), array_modules.separate_random_state():
                warnings.simplefilter("ignore")
                return encode({"result": _PROBES[name](self, **data)})
        except Exception as error:
            return encode({"error": AnswerError.of(error).to_data()})
