"""A problem in an edited text: the line, the reason, and the remedy."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..support.display import Shown
from ..support.remedies import place_of
from ..support.words import add_words, sentences, translate
from .error_lens import PLACE_NOTES, error_lens, values_at
from .limit import Overtime
from .traps import trap_of
from .traps.notes import in_words

__all__ = ["Problem", "problem_of", "when_it_failed"]

_ENDLESS = "Does the loop on this line come to an end?"


@dataclass(repr=False)
class Problem(Shown):
    """An error with its line.

    Attributes
    ----------
    line : int
        Number of the line in the text; 0 if it is in none of them.
    message : str
        Type and message.
    when : str
        What was done when it happened, in a sentence.
    why : str
        The reason, where the error is a trap of hybridization.
    instead : list of str
        What to do.
    corrected : str
        The fixed line; empty if unknown.
    values : list of [str, str]
        What F and the names on the line were.
    page : str
        Number and title of the trap.
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
        """Return it as plain data."""
        return asdict(self)


def problem_of(error: BaseException, file: str, when: str = "") -> Problem:
    """Explain an error in a text.

    Parameters
    ----------
    error : BaseException
        What was raised.
    file : str
        The file that the text seems to be in.
    when : str
        What was done.
    """
    message = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, SyntaxError) and error.filename in (file, None):
        return Problem(error.lineno or 1, f"{type(error).__name__}: {error.msg}", translate("This is no program yet."))
    if isinstance(error, Overtime):
        return Problem(_line_in(error, file), str(error), when, instead=[translate(_ENDLESS)])
    notes = list(getattr(error, "__notes__", []))
    found = Problem(_line_in(error, file), message, when)
    found.instead = [in_words(n) for n in notes if not n.startswith(PLACE_NOTES) or n.startswith("Did you mean")]
    if "has not been initialized" in message:
        found.instead = [translate("Call net.initialize() before.")]
    trap = trap_of(error)
    if trap is not None:
        lens = error_lens(error)
        found.why, found.page = translate(trap.reason).replace("`", ""), lens.title
        found.instead = found.instead or [translate(trap.remedy).replace("`", "")]
        found.values = [list(pair) for pair in lens.values]
        if lens.filename == file:
            found.line, found.corrected = lens.line, lens.corrected
    elif found.line:
        found.values = [list(pair) for pair in values_at(error, file, found.line)]
    return found


def _line_in(error: BaseException, file: str) -> int:
    """Return the innermost line of a file that an error came through; 0 if there is none."""
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
    """Return when a call failed: the lanes of the calls, the last of which failed."""
    if lanes[-1] == "symbol":
        works = translate("It works eagerly.") if "array" in lanes[:-1] else ""
        return sentences(works, translate("It fails while it is traced, with Symbols in place of arrays."))
    if lanes[-1] == "program":
        return translate("It fails in the compiled program.")
    return translate("It fails when it runs eagerly.")


add_words({
    "This is no program yet.": "这还不是一个程序。",
    "It works eagerly.": "逐行运行没有问题。",
    "It fails while it is traced, with Symbols in place of arrays.": "追踪时出错：此时是 Symbol，而不是数组。",
    "It fails in the compiled program.": "编译好的程序出错。",
    "It fails when it runs eagerly.": "逐行运行时出错。",
    _ENDLESS: "这一行的循环会结束吗？",
})  # fmt: skip
