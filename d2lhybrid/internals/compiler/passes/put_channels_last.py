"""Channels last: run convolutional parts of the graph as ``(batch, *sizes, channels)``.

oneDNN is fastest in this layout: all channels of a pixel are contiguous, so a vector register holds several channels.
The batch-last layout of :mod:`.assign_layout` suits matrix products. Channels last pays off for all convolutions,
including grouped and transposed convolutions. Values get twins (:mod:`.layout_copies`). The transposed weights are
views, because kernels pack weights anyway.
"""

from __future__ import annotations

import numpy

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...core.passes import looks_for
from .layout_copies import Twins

__all__ = ["put_channels_last"]
CHINESE = ("通道放最后", "通道放最后：在计算图的卷积部分，轴的顺序是批量、各空间轴（如高、宽）、通道。")

#: MXNet's channels-last layouts of images with two and three spatial axes, by the total number of axes.
_LAYOUTS = {4: "NHWC", 5: "NDHWC"}


@looks_for("Convolution", "Deconvolution")
def put_channels_last(graph: Graph) -> Graph:
    """Return the graph with channels last in convolutions and the operators after them."""
    return _ChannelsLast(graph).run()


class _ChannelsLast(Twins):
    """One run of the pass."""

    suffix, suffix_back = "channels_last", "channels_first"

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.rules = {
            "Convolution": self.convolution,
            "Deconvolution": self.convolution,
            "Pooling": self.pooling,
            "BatchNorm": self.batch_norm,
            "Concat": self.concat,
            "Flatten": self.flatten,
            "Reshape": self.flatten,
        }

    def order(self, rank: int) -> tuple[int, ...]:
        return (0, *range(2, rank), 1) if rank > 2 else tuple(range(rank))

    def convolution(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        """Return the twin of a convolution or transposed convolution; weights are transposed like the images."""
        types = [self.types[e] for e in inputs]
        layout = _LAYOUTS.get(len(types[0].shape))
        if layout is None or any(t.dtype != numpy.float32 for t in types) or not _is_channels_first(node):
            return None
        axes = self.order(len(types[1].shape))
        weight = self.graph.make("transpose", f"{node.name}_weight_channels_last", [inputs[1]], axes=axes)
        return self.alike(node, [self.twin(inputs[0]), weight, *inputs[2:]], layout=layout)

    def pooling(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        """Return the twin of a pooling, if its input has a twin."""
        layout = _LAYOUTS.get(len(self.types[inputs[0]].shape))
        if layout is None or not self.has_twin(inputs[0]) or not _is_channels_first(node):
            return None
        return self.alike(node, [self.twin(inputs[0])], layout=layout)

    def elementwise(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        """Return the twin of an element-wise operator, with or without broadcasting."""
        twin = super().elementwise(node, inputs)
        if twin is not None or node.num_outputs != 1 or not any(self.has_twin(e) for e in inputs):
            return twin
        rank = len(self.types[node, 0].shape)
        if any(len(self.types[e].shape) != rank for e in inputs):
            return None
        return self.alike(node, [self.twin(e) for e in inputs])

    def flatten(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        """Return the value of flattened one-pixel images, which have the same order in memory in both layouts."""
        before, after = self.types[inputs[0]].shape, self.types[node, 0].shape
        if not self.has_twin(inputs[0]) or set(before[2:]) != {1} or after != before[:2]:
            return None
        return self.make("Reshape", node, [self.twin(inputs[0])], shape=after)


def _is_channels_first(node: Node) -> bool:
    """Return whether a layer has its channels on the second axis."""
    layout = node.params.get("layout")
    return layout is None or layout[1] == "C"
