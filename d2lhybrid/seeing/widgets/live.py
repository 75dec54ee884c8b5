"""The view of a net that is changed while it is looked at: its text, its calls, its graph, its findings."""

from __future__ import annotations

from typing import Any

from .base import Widget, action
from .graph_view import GraphView
from .print_trace import PrintTraceWidget

__all__ = ["LiveWidget", "view"]


class LiveWidget(PrintTraceWidget, GraphView):
    """Write in the text of a :class:`~d2lhybrid.seeing.live.Live`, and do with its pictures what they can do alone."""

    script = "live"

    def __init__(self, picture: Any) -> None:
        Widget.__init__(self, picture)

    @property
    def trace(self) -> Any:
        """The calls that are shown."""
        return self.picture.trace

    @property
    def graph(self) -> Any:
        """The graph that is shown."""
        return self.picture.graph

    def act(self, name: str, **arguments: Any) -> None:
        """Do what a button does; the net gets as much time as when its text is rewritten."""
        if name in ("rewrite", "keep", "back"):
            super().act(name, **arguments)
            return
        with self.picture.running(self.trace.net):
            super().act(name, **arguments)

    @action
    def rewrite(self, text: str) -> None:
        """Take another text."""
        self.picture.rewrite(text)

    @action
    def keep(self) -> None:
        """Make the user's own net what is seen."""
        self.picture.keep()

    @action
    def back(self) -> None:
        """Go back to the text of the net."""
        self.picture.reset()


view = LiveWidget
