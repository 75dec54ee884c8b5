"""Pictures of running programs, as dictionaries, text, SVG, and HTML, without widgets or scripts.

Every picture is a :class:`~d2lhybrid.internals.pictures.picture.Picture`. :mod:`d2lhybrid.internals.pictures.widgets`
has the interactive views.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .net_graph import GraphView, NetGraph
    from .network import plot_network, print_summary

#: Public names and their modules, which are imported on first use.
_HOMES = {
    "GraphView": "net_graph", "NetGraph": "net_graph", "plot_network": "network", "print_summary": "network",
}  # fmt: skip

__all__ = ["GraphView", "NetGraph", "plot_network", "print_summary"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
