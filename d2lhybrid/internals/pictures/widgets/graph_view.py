"""GraphView, an interactive graph with search, groups to open and close, and links to source lines."""

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
        Object to show.
    *inputs, **options
        Same as for :meth:`~d2lhybrid.viz.NetGraph.of`.
    """

    def __init__(self, thing: Any, *inputs: Any, **options: Any) -> None:
        super().__init__(NetGraph.of(thing, *inputs, **options))

    @property
    def graph(self) -> NetGraph:
        """The displayed graph."""
        return self.picture

    @action
    def show(self, view: str) -> None:
        """Display the graph with the name ``view``."""
        self.graph.show(view)

    @action
    def toggle(self, group: str, view: str | None = None) -> None:
        """Open a closed group of a graph, or close an open group."""
        if group in self.graph.collapsed_in(view or self.graph.view):
            self.graph.open(group, view)
        else:
            self.graph.close(group, view)

    @action
    def reveal(self, view: str, node: str) -> None:
        """Open the closed groups around the node with the name ``node``, except layers, because a layer is one box."""
        model = self.graph.model(view)
        groups = {group for one in model.nodes if one.name == node for group in model.groups_of(one)}
        for group in (groups - model.layers.keys()) & self.graph.collapsed_in(view):
            self.graph.open(group, view)

    @action
    def all(self, opened: bool) -> None:
        """Open or close all groups."""
        if opened:
            self.graph.open_all()
        else:
            self.graph.close_all()

    @action
    def parameters(self, shown: bool) -> None:
        """Show parameters and constants in separate boxes, or in the boxes of the operators that read them."""
        self.graph.parameters = shown

    @action
    def measure(self) -> None:
        """Measure the time of each box, and show the times."""
        self.graph.measure()

    @action
    def find(self, text: str) -> None:
        """Highlight the boxes that contain a text, and open the groups around them if there are few."""
        self.graph.find(text)

    @action
    def export(self, kind: str) -> None:
        """Send the visible graph as a file.

        Parameters
        ----------
        kind : str
            Format of the file: ``"svg"``, ``"png"``, or ``"dot"``.

        Raises
        ------
        ValueError
            If the format is unknown, or if a PNG picture would have too many pixels.
        ImportError
            If the format is ``"png"``, and Matplotlib is not installed.
        """
        if kind not in _TYPES:
            raise ValueError(f"A graph can be saved as svg, png, or dot, not as {kind!r}")
        made = getattr(self.graph, f"to_{kind}")()
        data = made if isinstance(made, bytes) else made.encode()
        link = f"data:{_TYPES[kind]};base64,{base64.b64encode(data).decode()}"
        self.send({"file": f"graph.{kind}", "data": link})


view = GraphView
