"""The view of a net that is changed while it is looked at: its text, its calls, its graph, its findings."""

from __future__ import annotations

from typing import Any

from .base import Widget
from .graph_view import GraphView

__all__ = ["LiveWidget", "view"]


class LiveWidget(GraphView):
    """The widget of a :class:`~.live.Live`: an editor of its text, with the actions of its pictures."""

    def __init__(self, picture: Any) -> None:
        Widget.__init__(self, picture)

    @property
    def graph(self) -> Any:
        """The graph that is shown."""
        return self.picture.graph

    def actors(self) -> tuple[Any, ...]:
        """Return whose actions buttons may ask for: the calls' own, too."""
        return self, self.picture, self.picture.trace

    def act(self, name: str, **arguments: Any) -> None:
        """Run the action of a button; the net has the same time limit as for an edit."""
        if name in ("rewrite", "keep", "reset"):
            super().act(name, **arguments)
            return
        with self.picture.running(self.picture.trace.net):
            super().act(name, **arguments)


view = LiveWidget
