"""Questions about the next result of a program. The program itself computes the answers.

>>> from d2lhybrid import predict
>>> predict("What is 3 + 4?", lambda: 3 + 4, choices=[6, 7, 12])
What is 3 + 4?
  6
  7
  12
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..support.display import Shown
from ..support.settings import settings
from ..support.words import add_words, translate
from .html import details, element, escape
from .picture import Picture
from .theme import MONOSPACE, tint

__all__ = ["Prediction", "Question", "predict"]


@dataclass(repr=False)
class Question(Shown):
    """A question with its answer.

    Attributes
    ----------
    text : str
        Text of the question.
    options : list of str
        Options to choose from.
    answer : int
        Index of the correct option.
    why : str
        Sentence that explains the answer.
    """

    text: str
    options: list[str]
    answer: int
    why: str = ""

    def to_dict(self) -> dict[str, Any] | None:
        """Return the question as a JSON-compatible dictionary, or None if questions are off (``config(ask=False)``)."""
        if not settings.ask:
            return None
        return {"text": self.text, "options": self.options, "answer": self.answer, "why": self.why,
                "words": {text: translate(text) for text in _TEXTS}}  # fmt: skip


_TEXTS = ["Right: {answer}.", "Not {chosen}, but {answer}.", "Think first:", "show me"]


class Prediction(Picture):
    """A question of a lesson, as returned by :func:`predict`.

    Attributes
    ----------
    question : Question
        The question.
    printed : str
        Text that was printed while the answer was computed.
    """

    question: Question
    printed: str

    view_name = "predict"

    def __init__(self, question: Question, printed: str = "") -> None:
        self.question, self.printed = question, printed

    def to_dict(self) -> dict[str, Any]:
        """Return the question, and whether to show the answer immediately."""
        asked = self.question.to_dict()
        with _asking():
            data = self.question.to_dict()
        return {"question": data, "open": asked is None, "printed": self.printed,
                "words": {"printed": translate("printed"), "A question": translate("A question")}}  # fmt: skip

    def to_text(self) -> str:
        """Return the question and its options, and the answer if questions are switched off."""
        lines = [self.question.text, *(f"  {option}" for option in self.question.options)]
        return "\n".join(lines if settings.ask else [*lines, "", self._solution()])

    def _solution(self) -> str:
        return f"{self.question.options[self.question.answer]}. {self.question.why}".strip()

    def to_html(self) -> str:
        """Return the question, and a collapsible answer."""
        style = f"background: {tint('traced')}; padding: 2px 10px; border-radius: 6px; margin-right: 8px"
        options = [element("span", escape(option), style=style) for option in self.question.options]
        hidden = element("p", escape(self._solution()), style="margin: 4px 0")
        if self.printed:
            hidden += element("pre", escape(self.printed), style=f"font: 12px/1.5 {MONOSPACE}; background: none")
        ask = element("p", element("b", escape(self.question.text)), style="margin: 4px 0")
        answer = details(translate("the answer"), hidden, opened=not settings.ask)
        return element("div", ask, element("p", *options, style="margin: 6px 0; line-height: 2"), answer)


@contextlib.contextmanager
def _asking() -> Any:
    before, settings.ask = settings.ask, True
    try:
        yield
    finally:
        settings.ask = before


def predict(question: str, answer: Callable[[], Any], choices: Sequence[Any], why: str = "") -> Prediction:
    """Ask what code returns, and show the result after the reader's choice.

    The answer is the result of ``answer()``, which is called immediately, so that saved pages can show the result. Text
    that ``answer()`` prints appears with the answer.

    Parameters
    ----------
    question : str
        Text of the question.
    answer : callable
        Function that computes the answer, which must be one of ``choices``.
    choices : sequence
        Options, in the order of their display.
    why : str
        Sentence that explains the answer.

    Returns
    -------
    Prediction
        The question, interactive in a notebook; after ``config(ask=False)``, the question with its answer.

    Raises
    ------
    ValueError
        If the answer is not one of the choices.

    Examples
    --------
    >>> asked = predict("How many numbers are there?", lambda: len([1, 2]), choices=[1, 2, 3])
    >>> asked.question.answer
    1
    """
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        found = answer()
    texts = [choice if isinstance(choice, str) else repr(choice) for choice in choices]
    text = found if isinstance(found, str) else repr(found)
    if text not in texts:
        raise ValueError(f"The answer is {text}, which is not among the choices {', '.join(texts)}")
    return Prediction(Question(question, texts, texts.index(text), why), printed.getvalue())


add_words(
    {
        "Right: {answer}.": "正确：{answer}。",
        "Not {chosen}, but {answer}.": "不是“{chosen}”，而是“{answer}”。",
        "Think first:": "先想一想：",
        "show me": "直接看答案",
        "the answer": "答案",
        "A question": "一个问题",
    }
)
