"""Sum of picked: replaces the sum of a row that is zero except for one picked element with that element.

The gradient of a cross-entropy contains such a row for each example: one number at the label, and zeros at all other
classes. The gradient of the log-softmax, the operator before the cross-entropy, needs the sum of the row.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.graph import Graph
from ...core.node import Entry, Node

__all__ = ["sum_of_picked"]


def sum_of_picked(graph: Graph) -> Graph:
    """Return the graph in which a picked element replaces the sum of a row whose other elements are zero.

    The sign of a zero may change.
    """

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if node.op is None or node.op.name != "sum":
            return None
        row = node.inputs[0][0]
        if row.op is None or row.op.name != "_backward_pick" or not _is_along(graph, node, row):
            return None
        kind = graph.types[node, 0]
        if kind.dtype != graph.types[row.inputs[0]].dtype or 0 in graph.types[row, 0].shape or not kind.shape:
            return None  # in a reshape, 0 is a code
        return [graph.make("Reshape", f"{node.name}_picked", [inputs[0][0].inputs[0]], shape=kind.shape)]

    return graph.rewrite(rule, {}) if "_backward_pick" in graph.traits else graph


def _is_along(graph: Graph, node: Node, row: Node) -> bool:
    """Return whether a sum is only along the axis along which elements were picked."""
    assert node.op is not None
    assert row.op is not None
    attributes, rank = node.op.complete(node.params), len(graph.types[row, 0].shape)
    axis, along = attributes["axis"], row.op.complete(row.params)["axis"]
    if attributes.get("exclude") or along is None:
        return False
    axes = (axis,) if isinstance(axis, int) else axis
    return axes is not None and len(axes) == 1 and axes[0] % rank == along % rank
