"""Convolution without copied windows, for a GPU: the gradient of the weights reads the image itself.

The convolution of ``batch_last.py`` returns its copied windows as a second result, which the gradient of its
weights reuses. If a kernel reads the windows directly from the image, the second result is unnecessary.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...core.operator import get_operator

__all__ = ["convolve_directly"]
CHINESE = ("直接卷积", "直接卷积，用于 GPU：权重的梯度直接从图像算出，不用先把各个窗口复制出来。")


def convolve_directly(graph: Graph) -> Graph:
    """Return the graph with batch-last convolutions that read the image itself instead of copying its windows."""
    direct = get_operator("_convolution_direct")
    gradient = get_operator("_backward_convolution_direct_weight")
    images: dict[Node, tuple[Node, Entry]] = {}

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if node.op is None:
            return None
        if node.op.name == "_convolution_batch_last":
            made = node.into(direct, inputs, **node.params)
            images[made] = node, inputs[0]
            return [(made, 0)] * 2  # only the weight gradient, which is replaced below, uses the second result
        if node.op.name == "_backward_convolution_batch_last_weight":
            dy, (convolution, _), matrix = inputs
            if convolution not in images:  # the windows are a variable, if the graph has only this node
                return None
            forward, data = images[convolution]
            made = node.into(gradient, (dy, data, matrix), **forward.params)
            return [(made, 0)]
        return None

    return graph.rewrite(rule, {})
