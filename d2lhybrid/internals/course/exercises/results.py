"""The result of a check: a state, and a sentence with the reason."""

from __future__ import annotations

import enum
import html
import re
from dataclasses import dataclass, field

from ...support.display import Shown
from ...support.printing import printed
from ...support.words import translate

__all__ = ["Part", "Result", "State", "Wrong", "expect"]


class State(enum.Enum):
    """The state of an answer."""

    NOT_ATTEMPTED = "not attempted"
    ERROR = "error"
    WRONG = "wrong"
    RIGHT = "right"
    #: Only of a marked submission: a person has to decide.
    NEEDS_A_LOOK = "needs a look"

    def __str__(self) -> str:
        return self.value

    @property
    def shown(self) -> str:
        """Its name in the language that is set."""
        return translate(self.value)


class Wrong(Exception):
    """Raised by a check: names the property that the answer lacks, and the input that shows it.

    Parameters
    ----------
    message : str
        The sentence in English, with places ``{name}`` where there is something to fill in; it is shown in the language
        that is set, if there is a translation.
    **values
        What to fill in. Without any, braces are nothing but braces.

    Examples
    --------
    >>> str(Wrong("{given} is no text.", given=3)), str(Wrong("{} is no text."))
    ('3 is no text.', '{} is no text.')
    """

    def __init__(self, message: str = "", /, **values: object) -> None:
        super().__init__(translate(message, **values))


def expect(condition: bool, message: str, /, **values: object) -> None:
    """Raise :class:`Wrong` with a message, and what to fill in there, unless a condition holds."""
    if not condition:
        raise Wrong(message, **values)


#: Of borders and backgrounds. Letters keep the color of the page: none of these can be read on white and on black.
_COLOURS = {
    State.NOT_ATTEMPTED: "#888888",
    State.ERROR: "#c2571a",
    State.WRONG: "#c9a000",
    State.RIGHT: "#2e8b57",
    State.NEEDS_A_LOOK: "#3a6ea5",
}
_MARKS = {State.NOT_ATTEMPTED: "○", State.ERROR: "!", State.WRONG: "✗", State.RIGHT: "✓", State.NEEDS_A_LOOK: "?"}


def inline_html(text: str) -> str:
    """Return text as HTML, with text in backticks as code.

    Examples
    --------
    >>> inline_html("`a < b` holds")
    '<code>a &lt; b</code> holds'
    """
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(text, quote=False))


@dataclass(frozen=True, repr=False)
class Part(Shown):
    """The result of one part of a check.

    Attributes
    ----------
    name : str
        The property: ``"hybridized"``.
    right : bool
        Whether the answer has it.
    message : str
        What it lacks, if so.
    """

    name: str
    right: bool
    message: str = ""


@dataclass(frozen=True)
class Result:
    """The verdict on an answer. True if it is right.

    Attributes
    ----------
    number : str
        The exercise.
    state : State
        How far the answer is.
    message : str
        The missing property, or the insight.
    details : tuple of str
        What else helps: the notes of an error, the line that raised it.
    parts : tuple of Part
        What became of each part of the check, where each was tried.
    """

    number: str
    state: State
    message: str
    details: tuple[str, ...] = field(default=())
    parts: tuple[Part, ...] = field(default=())

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.state is State.RIGHT

    def __bool__(self) -> bool:
        return self.right

    @printed
    def __str__(self) -> str:
        said = translate(
            "{number} {state}. {message}", number=self.number, state=self.state.shown, message=self.message
        )
        return "\n".join([said, *(f"  - {detail}" for detail in self.details)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        colour = _COLOURS[self.state]
        details = "".join(f"<li>{inline_html(detail)}</li>" for detail in self.details)
        return (
            f'<div style="border-left:4px solid {colour};padding:4px 12px;margin:4px 0">'
            f'<b style="border-bottom:2px solid {colour}">{_MARKS[self.state]} {self.number} {self.state.shown}</b> '
            f'<span style="white-space:pre-wrap">{inline_html(self.message)}</span>'
            + (f'<ul style="margin:4px 0">{details}</ul>' if details else "")
            + "</div>"
        )
