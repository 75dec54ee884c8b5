"""Dead-code elimination: drops computations that no result needs.

A graph contains no unreachable nodes, because it consists of the nodes that its outputs depend on. Therefore, this pass
removes only updates that write a state back unchanged.
"""

from __future__ import annotations

from ..graph import Graph
from . import looks_for

__all__ = ["remove_dead"]
CHINESE = ("删除死代码", "死代码消除：删除结果用不到的部分。")


@looks_for("update")
def remove_dead(graph: Graph) -> Graph:
    """Return the graph without state updates that change nothing."""
    live = tuple(u for u in graph.updates if u.value[0] is not u.variable)
    return graph if len(live) == len(graph.updates) else graph.replace(updates=live)
