"""Dead updates: removes updates that write a state back unchanged.

A graph contains no other dead code, because it consists of the nodes that its outputs depend on.
"""

from __future__ import annotations

from ..graph import Graph
from . import looks_for

__all__ = ["remove_dead"]
CHINESE = ("去掉多余的写回", "多余的写回：状态没有变化时，不再写回层里。")


@looks_for("update")
def remove_dead(graph: Graph) -> Graph:
    """Return the graph without state updates that change nothing."""
    live = tuple(u for u in graph.updates if u.value[0] is not u.variable)
    return graph if len(live) == len(graph.updates) else graph.replace(updates=live)
