"""Add picked: adds a few picked elements in place instead of subtracting from an array of zeros.

The gradient of a cross-entropy is a difference: a number at the label of each example and zeros at all other classes,
minus the softmax. For many classes, most of the time goes into writing the zeros and reading them again. Instead, the
program computes zero minus the softmax, and adds the numbers at the labels. The bits of the result are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...ops.add_picked import add_picked as add_picked_operator

__all__ = ["add_picked"]


def add_picked(graph: Graph) -> Graph:
    """Return the graph in which no array is subtracted from the gradient of ``pick``, an array that is mostly zero."""

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if node.op is None or node.op.name != "elemwise_sub":
            return None
        (row, number), subtracted = node.inputs
        if row.op is None or row.op.name != "_backward_pick" or graph.types[row, number] != graph.types[subtracted]:
            return None
        if graph.types[node, 0].dtype.kind != "f":
            return None
        values, index = inputs[0][0].inputs[:2]
        base = graph.make("_rminus_scalar", f"{node.name}_negative", [inputs[1]], scalar=0.0)
        picked = row.op.complete(row.params)
        name = add_picked_operator.name
        attributes = {"axis": picked["axis"], "mode": picked["mode"]}
        return [graph.make(name, f"{node.name}_picked", [base, values, index], **attributes)]

    return graph.rewrite(rule, {}) if "_backward_pick" in graph.traits else graph
