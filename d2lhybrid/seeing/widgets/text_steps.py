"""The view of a program that is text: what it was, what it becomes, and what both print."""

from __future__ import annotations

from .base import Widget, action

__all__ = ["TextStepsWidget", "view"]


class TextStepsWidget(Widget):
    """Steps through a :class:`~d2lhybrid.seeing.text_steps.TextSteps`, and rewrites another program."""

    script = "text_steps"

    @action
    def rewrite(self, program: str) -> None:
        """Take another program."""
        self.picture.rewrite(program)


view = TextStepsWidget
