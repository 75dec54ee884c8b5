"""Split: cut the graph in two programs, forward and backward, and decide what is kept between.

The forward program computes the outputs; what it made and the backward program needs are its
*residuals*. Values that follow from inputs alone by cheap element-wise operators are recomputed
rather than kept: the inputs are there anyway.
"""

from __future__ import annotations

from typing import NamedTuple

from ...symbol.node import Entry, Node, topological_order
from ..graph import Graph

__all__ = ["Halves", "split"]


class Halves(NamedTuple):
    """The two programs of a training graph.

    Attributes
    ----------
    forward_roots : tuple of Entry
        Outputs, then forward states, then residuals.
    backward_roots : tuple of Entry
        Gradients that exist, then backward states.
    residuals : tuple of Entry
        What the forward program keeps for the backward program.
    """

    forward_roots: tuple[Entry, ...]
    backward_roots: tuple[Entry, ...]
    residuals: tuple[Entry, ...]


def split(graph: Graph) -> Halves:
    """Return the two halves of a graph with gradients.

    A graph without gradients is all forward.
    """
    forward = graph.outputs + tuple(u.value for u in graph.updates if u.stage == "forward")
    backward = tuple(g for g in graph.gradients if g is not None) + tuple(
        u.value for u in graph.updates if u.stage == "backward"
    )
    in_forward = {id(n) for n in topological_order(forward) if n.op is not None}
    residuals: dict[tuple[int, int], Entry] = {}
    seen: set[int] = set()
    stack: list[Node] = []

    def cross(entry: Entry) -> None:
        node = entry[0]
        if id(node) in in_forward and not _constant(node):
            residuals.setdefault((id(node), entry[1]), entry)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append(node)

    for entry in backward:
        cross(entry)
    while stack:
        for entry in stack.pop().inputs:
            cross(entry)
    kept = tuple(residuals.values())
    return Halves(forward + kept, backward, kept)


def _constant(node: Node) -> bool:
    return node.op is not None and node.op.name == "_constant"
