"""The display of hints, solutions, and progress in notebooks and terminals."""

from __future__ import annotations

import html
import unicodedata
from dataclasses import dataclass
from typing import Any

from ...support.printing import printed
from ...support.words import translate
from .results import _COLOURS, _MARKS, State

__all__ = ["Note", "Progress"]


@dataclass(frozen=True)
class Note:
    """A short text with a title, such as a hint or a solution."""

    title: str
    text: str

    @printed
    def __str__(self) -> str:
        return translate("{title}:\n{text}", title=self.title, text=self.text)

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return (
            translate("**{title}.** {text}", title=self.title, text=self.text)
            if not self.text.startswith("```")
            else f"**{self.title}**\n\n{self.text}"
        )


class Progress:
    """A user's progress, with a line for each chapter and a sign for each exercise."""

    def __init__(self, rows: list[tuple[Any, list[tuple[Any, Any]]]]) -> None:
        self.rows = rows

    @property
    def states(self) -> dict[str, State]:
        """The best recorded state of each exercise."""
        return {e.number: record.best for _, row in self.rows for e, record in row}

    @property
    def right(self) -> int:
        """The number of exercises that the user solved."""
        return sum(state is State.RIGHT for state in self.states.values())

    @printed
    def __str__(self) -> str:
        lines = [translate("{right} of {all} exercises solved", right=self.right, all=len(self.states))]
        for chapter, row in self.rows:
            marks = " ".join(f"{e.number.partition('.')[2]}{_MARKS[record.best]}" for e, record in row)
            title = translate(chapter.title)
            lines.append(f"{chapter.number} {title}{' ' * (28 - _columns(title))} {marks}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        body = ""
        for chapter, row in self.rows:
            cells = "".join(
                f'<span title="{html.escape(f"{e.number} {e.title}: {record.best.shown}")}" '
                f'style="display:inline-block;'
                f"min-width:3.2em;margin:1px;padding:1px 4px;border:1px solid {_COLOURS[record.best]};"
                f'background:{_COLOURS[record.best]}33;border-radius:4px;text-align:center">'
                f"{e.number.partition('.')[2]} {_MARKS[record.best]}</span>"
                for e, record in row
            )
            body += (
                f'<tr><td style="text-align:left">{chapter.number} {html.escape(translate(chapter.title))}</td>'
                f'<td style="text-align:left">{cells}</td></tr>'
            )
        solved = translate("<b>{right} of {all}</b> exercises solved", right=self.right, all=len(self.states))
        return f"<p>{solved}</p><table>{body}</table>"


def _columns(text: str) -> int:
    """Return the width of a text in a terminal in columns; Chinese characters have two columns."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
