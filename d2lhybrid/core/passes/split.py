"""Split: cut the graph in programs: forward and backward, and what depends on parameters alone.

The forward program computes the outputs; what it made and the backward program needs are its
*residuals*. Values that follow from inputs alone by cheap element-wise operators are recomputed
rather than kept: the inputs are there anyway.

In prediction, parameters stay as they are for many calls. What follows from them alone (weights that
are turned around, packed, or folded with a normalisation) is *prepared*: computed by a program of its
own, once, and again when a parameter has changed.
"""

from __future__ import annotations

from typing import NamedTuple

from ...compiler.prepared import prepared_entries
from ..graph import Graph
from ..node import Entry, Node, topological_order

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
    prepared : tuple of Entry
        What depends on parameters alone, and is computed beforehand.
    """

    forward_roots: tuple[Entry, ...]
    backward_roots: tuple[Entry, ...]
    residuals: tuple[Entry, ...]
    prepared: tuple[Entry, ...] = ()


def split(graph: Graph) -> Halves:
    """Return the two halves of a graph with gradients.

    A graph without gradients is all forward.
    """
    forward = graph.outputs + tuple(u.value for u in graph.updates if u.stage == "forward")
    backward = tuple(g for g in graph.gradients if g is not None) + tuple(
        u.value for u in graph.updates if u.stage == "backward"
    )
    in_forward = {n for n in topological_order(forward) if n.op is not None}
    residuals: dict[Entry, Entry] = {}
    seen: set[Node] = set()
    stack: list[Node] = []

    def cross(entry: Entry) -> None:
        node = entry[0]
        if node in in_forward and not node.is_constant:
            residuals.setdefault((node, entry[1]), entry)
        elif node not in seen:
            seen.add(node)
            stack.append(node)

    for entry in backward:
        cross(entry)
    while stack:
        for entry in stack.pop().inputs:
            cross(entry)
    kept = tuple(residuals.values())
    return Halves(forward + kept, backward, kept, () if graph.head_gradients else prepared_entries(graph))
