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
    """The state of an answer to an exercise."""

    NOT_ATTEMPTED = "not attempted"
    ERROR = "error"
    WRONG = "wrong"
    RIGHT = "right"
    #: A state of marked submissions only, which means that a person must decide.
    NEEDS_A_LOOK = "needs a look"

    def __str__(self) -> str:
        return self.value

    @property
    def shown(self) -> str:
        """The name of the state in the current language."""
        return translate(self.value)


class Wrong(Exception):
    """An error that a check raises for a wrong answer.

    The message says what is wrong and, where possible, for which input.

    Parameters
    ----------
    message : str
        Sentence in English with placeholders ``{name}``. If there is a translation, it replaces the sentence.
    **values
        Values of the placeholders. Without values, braces have no special meaning.

    Examples
    --------
    >>> str(Wrong("{given} is no text.", given=3)), str(Wrong("{} is no text."))
    ('3 is no text.', '{} is no text.')
    """

    def __init__(self, message: str = "", /, **values: object) -> None:
        super().__init__(translate(message, **values))


def expect(condition: bool, message: str, /, **values: object) -> None:
    """Raise :class:`Wrong` with a message and values for its placeholders unless a condition holds."""
    if not condition:
        raise Wrong(message, **values)


#: Colors of borders and backgrounds. Text has the page's color, because none of these colors is readable on both white
#: and black.
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
        Name of the property, such as ``"hybridized"``.
    right : bool
        Whether the answer has the property.
    message : str
        Explanation if the answer does not have the property.
    """

    name: str
    right: bool
    message: str = ""


@dataclass(frozen=True)
class Result:
    """The verdict on an answer; true if the answer is right.

    Attributes
    ----------
    number : str
        Number of the exercise.
    state : State
        State of the answer.
    message : str
        Sentence about the missing property or the error, or the insight of a right answer.
    details : tuple of str
        Further help, such as the line that raised an error, and the notes of the error.
    parts : tuple of Part
        Results of the parts of the check, if all were tested.
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
