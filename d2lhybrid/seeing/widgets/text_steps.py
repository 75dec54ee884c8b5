"""The view of a program that is text: what it was, what it becomes, and what both print."""

from __future__ import annotations

from .base import Widget, action

__all__ = ["TextStepsWidget", "view"]


class TextStepsWidget(Widget):
    """Steps through a :class:`~d2lhybrid.seeing.text_steps.TextSteps`, and takes another program as it is written."""

    script = "text_steps"

    @action
    def write(self, program: str) -> None:
        """Take what was written, if it is a program."""
        self.picture.write(program)


view = TextStepsWidget
