"""A problem in an edited source, with its line, its cause, and a fix."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..support.display import Shown
from ..support.remedies import place_of
from ..support.words import add_words, sentences, translate
from .error_lens import PLACE_NOTES, error_lens, values_at
from .html import plain
from .limit import Overtime
from .traps import trap_of
from .traps.notes import in_words

__all__ = ["Problem", "problem_of", "when_it_failed"]

_ENDLESS = "Does the loop on this line come to an end?"


@dataclass(repr=False)
class Problem(Shown):
    """An error in an edited source, with its line and an explanation.

    Attributes
    ----------
    line : int
        Line number in the source; 0 if the error is elsewhere.
    message : str
        Type and message of the error.
    when : str
        Sentence that says when the error occurred.
    why : str
        Cause, if the error is a trap of hybridization; otherwise empty.
    instead : list of str
        Sentences that say what to do.
    corrected : str
        The fixed line; empty if unknown.
    values : list of [str, str]
        The name and a description of F and of each variable in the line.
    page : str
        Number and title of the trap; empty if the error is not a trap.
    """

    line: int
    message: str
    when: str = ""
    why: str = ""
    instead: list[str] = field(default_factory=list)
    corrected: str = ""
    values: list[list[str]] = field(default_factory=list)
    page: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as a JSON-compatible dictionary."""
        return asdict(self)


def problem_of(error: BaseException, file: str, when: str = "") -> Problem:
    """Return an explanation of an error in a source.

    Parameters
    ----------
    error : BaseException
        The error.
    file : str
        Virtual file name of the source.
    when : str
        Sentence that says when the error occurred.
    """
    message = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, SyntaxError) and error.filename in (file, None):
        return Problem(
            error.lineno or 1, f"{type(error).__name__}: {error.msg}", translate("This is not a valid program yet.")
        )
    if isinstance(error, Overtime):
        return Problem(_line_in(error, file), str(error), when, instead=[translate(_ENDLESS)])
    notes = list(getattr(error, "__notes__", []))
    found = Problem(_line_in(error, file), message, when)
    found.instead = [in_words(n) for n in notes if not n.startswith(PLACE_NOTES) or n.startswith("Did you mean")]
    if "has not been initialized" in message:
        found.instead = [translate("Call net.initialize() first.")]
    trap = trap_of(error)
    if trap is not None:
        lens = error_lens(error)
        found.why, found.page = plain(translate(trap.reason)), lens.title
        found.instead = found.instead or [plain(translate(trap.remedy))]
        found.values = [list(pair) for pair in lens.values]
        if lens.filename == file:
            found.line, found.corrected = lens.line, lens.corrected
    elif found.line:
        found.values = [list(pair) for pair in values_at(error, file, found.line)]
    return found


def _line_in(error: BaseException, file: str) -> int:
    """Return the innermost line of a file through which an error propagated, or 0."""
    remembered = place_of(error)
    if remembered is not None and remembered.file == file:
        return remembered.line
    found, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == file:
            found = step.tb_lineno
        step = step.tb_next
    if not found and error.__cause__ is not None:
        return _line_in(error.__cause__, file)
    return found


def when_it_failed(lanes: list[str]) -> str:
    """Return a sentence that says when the last call failed. ``lanes`` has the lane of each call."""
    if lanes[-1] == "symbol":
        works = translate("It works eagerly.") if "array" in lanes[:-1] else ""
        return sentences(works, translate("The code fails while it is traced, with Symbols in place of arrays."))
    if lanes[-1] == "program":
        return translate("The code fails in the compiled program.")
    return translate("The code fails when it runs eagerly.")


add_words({
    "This is not a valid program yet.": "这还不是有效的程序。",
    "It works eagerly.": "逐行运行没有问题。",
    "The code fails while it is traced, with Symbols in place of arrays.": (
        "追踪时出错：此时传入的是 Symbol，而不是数组。"
    ),
    "The code fails in the compiled program.": "编译后的程序运行时出错。",
    "The code fails when it runs eagerly.": "逐行运行时出错。",
    _ENDLESS: "这一行的循环会结束吗？",
})  # fmt: skip
