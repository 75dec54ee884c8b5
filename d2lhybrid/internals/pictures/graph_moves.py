"""The movement of boxes between two graphs, for the animation of a transition between pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .steps.comparing import compare

if TYPE_CHECKING:
    from ..core.graph import Graph
    from .graph_build import NodeIds
    from .graph_visible import Visible

__all__ = ["Moves", "boxes_that_move", "moves_between"]

#: Id of an old node -> id of its replacement, and id of a new node -> id of its origin.
Moves = tuple[dict[str, str], dict[str, str]]


def moves_between(before: Graph, after: Graph, ids: NodeIds) -> Moves:
    """Return, by node id, the replacements of removed nodes, and the origins of new nodes.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> graph = nn.HybridLambda(lambda F, x: F.relu(x * 1), prefix="").graph(nd.ones((2,)))
    >>> into, come = graph.moves("traced", "forward")
    >>> [(graph.model("traced").by_id[old].title, new) for old, new in into.items()]
    [('× 1', 'data')]
    """
    into: dict[str, str] = {}
    come: dict[str, str] = {}
    for change in compare(before, after).changes:
        if change.kind == "moved":
            continue
        old = [name for node in change.before if (name := ids.known(node))]
        new = [name for node in change.after if (name := ids.known(node))]
        if change.kind != "added" and new:
            into |= dict.fromkeys(old, new[0])
        if old:
            come |= dict.fromkeys(new, old[0])
    return {a: b for a, b in into.items() if a != b}, {b: a for b, a in come.items() if a != b}


def boxes_that_move(moves: Moves, before: Visible, after: Visible) -> Moves:
    """Return the moves of visible boxes; nodes in a closed group move with the group."""

    def between(pairs: dict[str, str], here: Visible, there: Visible) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, other in pairs.items():
            if name in here.chains and other in there.chains:
                box, goal = here.chains[name][-1], there.chains[other][-1]
                if box != goal:
                    found.setdefault(box, goal)
        return found

    into, come = moves
    # A layer is opened if the other graph has more of its nodes.
    both = {name: name for name in before.chains.keys() & after.chains.keys()}
    return between(both | into, before, after), between(both | come, after, before)
