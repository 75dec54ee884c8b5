"""The graph for ONNX Runtime: the traced graph without computations that are inefficient in ONNX Runtime.

ONNX Runtime optimizes most graphs itself. An exception is the transposed convolution of one-pixel images, which is
the first layer of many generators. This convolution is a product of two matrices, but ONNX Runtime computes a product
for each image, and copies each element of the result separately.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..internals.compiler.passes.fold_batch_norm import fold_batch_norm
from ..internals.core.graph import Graph
from ..internals.core.graph_space import GraphSpace
from ..internals.core.node import Entry, Node

__all__ = ["for_onnx_runtime"]


def for_onnx_runtime(graph: Graph) -> Graph:
    """Return a graph in which dense layers replace transposed convolutions of single pixels.

    In a graph with replaced layers, the function also folds normalizations into the preceding layers. ONNX Runtime does
    not fold a normalization if the preceding dense layer's result is reshaped before the normalization.

    Parameters
    ----------
    graph : Graph
        The traced graph.

    Returns
    -------
    Graph
        The new graph, or ``graph`` if nothing changes.
    """
    if not any(_is_of_single_pixels(graph, node) for node in graph.nodes):
        return graph
    graph = fold_batch_norm(graph)
    space = GraphSpace(graph.types)

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if not _is_of_single_pixels(graph, node):
            return None
        space.prefix, space.source = f"{node.name}_product_", node.source
        data, weight, *bias = (space.wrap(e) for e in inputs)
        shape = graph.types[node, 0].shape
        pixels = math.prod(shape[2:])
        rows = space.transpose(space.Reshape(weight, shape=(graph.types[node.inputs[1]].shape[0], -1)), axes=(1, 0))
        if bias:  # the bias, once for each pixel
            bias = [space.Reshape(space.repeat(bias[0], repeats=pixels, axis=0), shape=(-1,))]
        dense = space.FullyConnected(data, rows, *bias, num_hidden=shape[1] * pixels, no_bias=not bias)
        return [space.Reshape(dense, shape=shape).entry]

    return graph.rewrite(rule, {})


def _is_of_single_pixels(graph: Graph, node: Node) -> bool:
    """Return whether a node is a transposed convolution of one-pixel images that returns whole filters."""
    if node.op is None or node.op.name != "Deconvolution" or node.params.get("num_group", 1) != 1:
        return False
    kinds = {graph.types[e].dtype for e in (*node.inputs, (node, 0))}
    before, after = graph.types[node.inputs[0]].shape[2:], graph.types[node, 0].shape[2:]
    return (
        len(kinds) == 1
        and next(iter(kinds)).kind == "f"
        and not (node.params.get("layout") or "NCHW").endswith("C")
        and set(before) == {1}
        and set(node.params.get("dilate") or ()) <= {1}
        and not any(node.params.get("pad") or ())
        and after == tuple(node.params["kernel"])
    )
