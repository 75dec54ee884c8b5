"""Batch-norm folding: in prediction, merges a normalization into the convolution before it.

With moving statistics, ``(W * x + b - mean) / sqrt(var + eps) * gamma + beta`` is a convolution with weights ``W *
factor`` and bias ``(b - mean) * factor + beta``, where ``factor`` is ``gamma / sqrt(var + eps)``. The new weights and
bias depend on parameters alone, so the program computes them once, and again when a parameter has changed (see
``split``). A dense layer and a transposed convolution are folded in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.graph import Graph
from ...core.graph_space import GraphSpace, Value
from ...core.node import Entry, Node
from ...core.passes import looks_for

__all__ = ["fold_batch_norm"]
CHINESE = ("批量规范化折叠", "批量规范化折叠：预测时，卷积之后的规范化并入卷积。")


@looks_for("BatchNorm")
def fold_batch_norm(graph: Graph) -> Graph:
    """Return the graph with normalizations folded into the layers before them. A training graph remains unchanged."""
    if graph.training:
        return graph
    results = {n for n, _ in graph.roots}
    space = GraphSpace(graph.types)

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if node.op is None or node.op.name != "BatchNorm":
            return None
        layer, seen = inputs[0][0], node.inputs[0][0]
        used_once = len(graph.users.get(seen, [])) == 1 and seen not in results
        hidden_unused = not any(
            child is node and i > 0 for user in graph.users.get(node, []) for child, i in user.inputs
        )
        if not (used_once and hidden_unused and _can_take(graph, layer, node)):
            return None
        if any(e[0] is node and e[1] > 0 for e in graph.roots):
            return None
        space.prefix, space.source = f"{layer.name}_folded_", node.source
        gamma, beta, mean, variance = (space.wrap(e) for e in inputs[1:5])
        weight, bias = _folded(space, layer, gamma, beta, mean, variance, node)
        assert layer.op is not None
        folded = layer.into(layer.op, (layer.inputs[0], weight, bias), **{**layer.params, "no_bias": False})
        return [(folded, 0), *[(node, i) for i in range(1, node.num_outputs)]]

    return graph.rewrite(rule, {})


def _can_take(graph: Graph, layer: Node, norm: Node) -> bool:
    if layer.op is None or layer.op.name not in ("Convolution", "Deconvolution", "FullyConnected"):
        return False
    if layer.op.name == "Deconvolution" and layer.params.get("num_group", 1) != 1:  # its filters are on the second axis
        return False
    result = graph.types[layer, 0]
    rank = len(result.shape)
    channels = rank - 1 if layer.op.name == "FullyConnected" else 1
    channels_first = not (layer.params.get("layout") or "NCHW").endswith("C")
    kinds = {graph.types[e].dtype for e in (*layer.inputs, *norm.inputs[1:5])}
    return (
        norm.params.get("axis", 1) % rank == channels
        and channels_first
        and kinds == {result.dtype}
        and result.dtype.kind == "f"
    )


def _folded(
    space: GraphSpace, layer: Node, gamma: Value, beta: Value, mean: Value, variance: Value, norm: Node
) -> tuple[Entry, Entry]:
    """Return the weights and the bias of a layer with the normalization folded into it."""
    deviation = space.sqrt(variance + norm.params.get("eps", 0.001))
    factor = 1.0 / deviation if norm.params.get("fix_gamma", True) else gamma / deviation
    weight = space.wrap(layer.inputs[1])
    rank = len(space.types[layer.inputs[1]].shape)
    before = (1,) if layer.op is not None and layer.op.name == "Deconvolution" else ()
    column = space.Reshape(factor, shape=(*before, -1) + (1,) * (rank - 1 - len(before)))
    bias = layer.inputs[2:]
    shift = (space.wrap(bias[0]) - mean) if bias else -mean
    return space.broadcast_mul(weight, column).entry, (shift * factor + beta).entry
