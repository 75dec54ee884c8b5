"""Layout for a batch of one: matrices with one row become vectors.

A dense layer on one example is a product of a matrix and a vector. NumPy computes this product and adds the bias with
less overhead than for a matrix with one row, and at this size, overhead dominates. As in ``assign_layout``, a value
gets a *twin*. In this pass, the twin has no batch axis. Element-wise operators between dense layers use the twins. All
other operators use the values with a batch axis.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...core.operator import get_operator
from ...core.passes import looks_for

__all__ = ["drop_unit_batch"]
CHINESE = ("去掉单样本的批量轴", "单样本批量的布局：只有一行的矩阵变成向量。")


@looks_for("one row")
def drop_unit_batch(graph: Graph) -> Graph:
    """Return a graph in which dense layers on a batch of one and the operators between them compute vectors."""
    if not any(_is_dense_on_one(graph, node) for node in graph.nodes):
        return graph
    twins: dict[Entry, Entry] = {}

    def vector(entry: Entry) -> Entry:
        """Return the twin of an entry. The twin has no batch axis."""
        key = (entry[0], entry[1])
        if key not in twins:
            size = graph.types[entry].size
            twins[key] = graph.make("Reshape", f"{entry[0].name}_vector", [entry], shape=(size,))
        return twins[key]

    def back(twin: Entry, node: Node) -> Sequence[Entry]:
        """Return a twin with a batch axis; the node that adds the axis is dead unless it gets a user."""
        entry = graph.make("Reshape", f"{node.name}_row", [twin], shape=graph.types[node, 0].shape)
        twins[entry[0], 0] = twin
        return [entry]

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if _is_dense_on_one(graph, node):
            product = node.into(get_operator("_dense_vector"), (vector(inputs[0]), inputs[1]))
            twin = (product, 0)
            if len(inputs) > 2 and not node.params.get("no_bias", False):
                plus = get_operator("elemwise_add")
                twin = (node.into(plus, (twin, inputs[2]), "_bias"), 0)
            return back(twin, node)
        if node.op is None or not node.op.elementwise or node.num_outputs != 1:
            return None
        shape = graph.types[node, 0].shape
        if len(shape) != 2 or any(graph.types[e].shape != shape for e in inputs):
            return None
        if not any((n, i) in twins for n, i in inputs):
            return None
        return back((node.with_inputs(tuple(vector(e) for e in inputs)), 0), node)

    return graph.rewrite(rule, {})


def _is_dense_on_one(graph: Graph, node: Node) -> bool:
    """Return whether a node is a dense layer on a single example."""
    if node.op is None or node.op.name != "FullyConnected":
        return False
    data, result = graph.types[node.inputs[0]], graph.types[node, 0]
    flat = len(data.shape) == 2 or node.params.get("flatten", True)
    return flat and result.shape[0] == 1 and data.size > 0 and result.dtype.kind == "f"
