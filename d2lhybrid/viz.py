"""``mx.viz``: functions that draw and print nets, which are defined in :mod:`d2lhybrid.internals.pictures`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .internals import pictures as seeing

if TYPE_CHECKING:
    from .internals.pictures import GraphView, NetGraph, plot_network, print_summary

__all__ = ["GraphView", "NetGraph", "plot_network", "print_summary"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(seeing, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
