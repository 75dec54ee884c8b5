"""Split bias: divides a layer with a bias into a product and an addition.

The addition can then be fused with the following operators, such as an activation, and these operators can be fused
into the kernel of the product.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...core.operator import get_operator

__all__ = ["split_bias"]
CHINESE = ("拆分偏置", "拆分偏置：带偏置的层变成一次乘积和一次加法。")


def split_bias(graph: Graph) -> Graph:
    """Return a graph in which separate operators add the biases of dense layers and convolutions."""

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if node.op is None or node.op.name not in ("FullyConnected", "Convolution"):
            return None
        if len(inputs) < 3 or node.params.get("no_bias", False):
            return None
        product = node.into(node.op, inputs[:2], **{**node.params, "no_bias": True})
        bias = inputs[2]
        if node.op.name == "Convolution":
            rank = len(graph.types[node, 0].shape) - 2
            bias = graph.make("Reshape", f"{node.name}_bias_column", [bias], shape=(-1, *(1,) * rank))
        return [(node.into(get_operator("_npi_add"), ((product, 0), bias), "_bias"), 0)]

    return graph.rewrite(rule, {})
