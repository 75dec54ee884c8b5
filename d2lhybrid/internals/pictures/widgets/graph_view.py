"""GraphView: a graph to search, to open and close, and to follow to the lines behind it."""

from __future__ import annotations

import base64
from typing import Any

from ..net_graph import NetGraph
from .base import Widget, action

__all__ = ["GraphView", "view"]

_TYPES = {"svg": "image/svg+xml", "png": "image/png", "dot": "text/vnd.graphviz"}


class GraphView(Widget):
    """The interactive view of a graph.

    Parameters
    ----------
    thing : NetGraph, HybridBlock, Symbol, Program or Stage
        What to show.
    *inputs, **options
        As for :meth:`~d2lhybrid.viz.NetGraph.of`.
    """

    def __init__(self, thing: Any, *inputs: Any, **options: Any) -> None:
        super().__init__(NetGraph.of(thing, *inputs, **options))

    @property
    def graph(self) -> NetGraph:
        """The graph that is shown."""
        return self.picture

    @action
    def show(self, view: str) -> None:
        """Change to another graph."""
        self.graph.show(view)

    @action
    def toggle(self, group: str) -> None:
        """Open a group that is closed, close one that is open."""
        if group in self.graph.collapsed:
            self.graph.open(group)
        else:
            self.graph.close(group)

    @action
    def all(self, opened: bool) -> None:
        """Open or close all groups."""
        if opened:
            self.graph.open_all()
        else:
            self.graph.close_all()

    @action
    def parameters(self, shown: bool) -> None:
        """Show parameters and constants as boxes of their own, or write them into their users."""
        self.graph.parameters = shown

    @action
    def measure(self) -> None:
        """Measure how long each box takes."""
        self.graph.measure()

    @action
    def find(self, text: str) -> None:
        """Mark the boxes that contain a text, and open the groups around them."""
        self.graph.find(text)

    @action
    def export(self, kind: str) -> None:
        """Send what is shown as a file."""
        if kind not in _TYPES:
            raise ValueError(f"A graph is saved as svg, png or dot, not as {kind!r}")
        made = getattr(self.graph, f"to_{kind}")()
        data = made if isinstance(made, bytes) else made.encode()
        link = f"data:{_TYPES[kind]};base64,{base64.b64encode(data).decode()}"
        self.send({"file": f"graph.{kind}", "data": link})


view = GraphView
