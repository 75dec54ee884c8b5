"""The live editor's view: source, calls, graph, and findings of a net."""

from __future__ import annotations

from typing import Any

from .base import Widget
from .graph_view import GraphView

__all__ = ["LiveWidget", "view"]


class LiveWidget(GraphView):
    """The widget of a :class:`~.live.Live`: an editor with the actions of its graph and its trace."""

    def __init__(self, picture: Any) -> None:
        Widget.__init__(self, picture)

    @property
    def graph(self) -> Any:
        """The displayed graph."""
        return self.picture.graph

    def actors(self) -> tuple[Any, ...]:
        """Return the objects whose actions buttons can call, including the trace of calls."""
        return self, self.picture, self.picture.trace

    def act(self, name: str, **arguments: Any) -> None:
        """Run a button's action with the same time limit as for an edit."""
        if name in ("rewrite", "keep", "reset"):
            super().act(name, **arguments)
            return
        with self.picture.running(self.picture.trace.net):
            super().act(name, **arguments)


view = LiveWidget
