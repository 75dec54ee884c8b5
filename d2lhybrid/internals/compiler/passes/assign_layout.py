"""Layout assignment: run convolutional parts of the graph with the batch as the last axis.

A convolution in NumPy is a product of matrices cut out of the image. With ``(N, C, H, W)``, the rows of these matrices
are short. With ``(C, H, W, N)``, the rows are long and contiguous, and the product is three to five times faster. A
single operator can't choose this layout, because transposing its data would take longer than the time saved. The
compiler transforms the whole graph, so one transpose at the beginning and one at the end are enough.

Values get twins with the batch last (:mod:`.layout_copies`).
"""

from __future__ import annotations

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...core.passes import looks_for
from ...ops import conv
from ...ops.batch_last import hw
from .activations import is_relu
from .layout_copies import Twins

__all__ = ["assign_layout"]
CHINESE = ("选择布局", "布局选择：在计算图的卷积部分，把批量轴移到最后。")

#: The smallest number of columns for which long rows gain more than reloading large weights for every row costs
#: (measured).
FEW_COLUMNS = 64
#: The largest size of weights, in bytes, that stay in the L2 cache from one row to the next.
CACHED_BYTES = 1 << 18
#: The number of channels from which a library with the batch first is faster than NumPy with the batch last (measured).
MANY_CHANNELS = 32


@looks_for("Convolution")
def assign_layout(graph: Graph, always: bool = False) -> Graph:
    """Return the graph with the batch last in convolutions and the operators after them, if that pays off.

    Parameters
    ----------
    graph : Graph
        The graph.
    always : bool
        Whether to apply the layout even if it doesn't pay off on a CPU.
    """
    gain = 0
    for node in graph.nodes:
        if _is_suitable_convolution(graph, node):
            work = graph.types[node, 0].size * graph.types[node.inputs[1]].size // graph.types[node, 0].shape[1]
            gain += work if always or _gains(graph, node) else -work
    return _BatchLast(graph).run() if gain > 0 else graph


def _gains(graph: Graph, node: Node) -> bool:
    """Return whether one convolution is faster with the batch last.

    For each row of the output, the weights are multiplied by a matrix that has a column for each pixel of the row and
    each image of the batch. The layout pays off unless the columns are few and the weights don't fit into the cache, so
    that every row loads them again. It doesn't pay off for a 1 x 1 kernel, which is a plain matrix product in either
    layout. oneDNN, if it is installed, computes convolutions with many channels with the batch first.
    """
    weight, result = graph.types[node.inputs[1]], graph.types[node, 0].shape
    if min(weight.shape[:2]) >= MANY_CHANNELS and conv.library_of(node, graph.types):
        return False
    columns = result[0] * result[3]
    return max(weight.shape[2:]) > 1 and (columns >= FEW_COLUMNS or weight.nbytes <= CACHED_BYTES)


def _is_suitable_convolution(graph: Graph, node: Node) -> bool:
    """Return whether a node is a 2-D convolution with one group and without dilation of rows."""
    if node.op is None or node.op.name != "Convolution":
        return False
    p = node.params
    data = graph.types[node.inputs[0]]
    return (
        len(data.shape) == 4
        and data.dtype.kind == "f"
        and data.dtype.itemsize >= 4
        and p.get("num_group", 1) == 1
        and (p.get("layout") or "NCHW") == "NCHW"
        and all(d == 1 for d in p.get("dilate", ()))
        and 0 not in data.shape
    )


class _BatchLast(Twins):
    """One run of the pass."""

    suffix, suffix_back = "batch_last", "batch_first"

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.rules = {
            "Convolution": self.convolution,
            "Pooling": self.pooling,
            "FullyConnected": self.fully_connected,
            "dot": self.dot,
            "Flatten": self.flatten,
            "Reshape": self.flatten,
            "_np_reshape": self.flatten,
            "_npx_reshape": self.flatten,
            "BatchNorm": self.batch_norm,
            "Concat": self.concat,
        }
        #: Twin of an operator that max pooling may move ahead of -> the twin of the operator's input.
        self.monotone: dict[Node, Node] = {}

    def order(self, rank: int) -> tuple[int, ...]:
        return (*range(1, rank), 0)

    # --- operators ---

    def convolution(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        if not _is_suitable_convolution(self.graph, node):
            return None
        p = node.params
        o, c, kh, kw = self.types[inputs[1]].shape
        # The weights get the layout for the row products. In prediction, they are transposed only once.
        turned = self.make("transpose", node, [inputs[1]], "_weight_by_row", axes=(0, 2, 1, 3))
        matrix = self.make("Reshape", node, [turned], "_weight_matrix", shape=(o, kh * c * kw))
        twin = self.make(
            "_convolution_batch_last", node, [self.twin(inputs[0]), matrix], kernel=(kh, kw),
            stride=tuple(p.get("stride", ())), pad=tuple(p.get("pad", ())),
        )  # fmt: skip
        return self.biased(node, twin, inputs)

    def biased(self, node: Node, twin: Entry, inputs: tuple[Entry, ...]) -> Entry:
        if len(inputs) < 3 or node.params.get("no_bias", False):
            return twin
        biased = self.make("_bias_batch_last", node, [twin, inputs[2]], "_bias")
        self.may_be_overtaken(biased, node)
        return biased

    def may_be_overtaken(self, twin: Entry, node: Node) -> None:
        """Record a monotonic function, before which max pooling may run; its value has a single user."""
        users = self.graph.users.get(node, [])
        if len(users) == 1 and node not in self.results:
            self.monotone[twin[0]] = twin[0]

    def pooling(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        p = node.params
        kind = p.get("pool_type", "max")
        if not self.has_twin(inputs[0]) or (p.get("layout") or "NCHW") != "NCHW" or kind == "lp":
            return None
        data = self.twin(inputs[0])
        if len(self.types[data].shape) != 4:
            return None
        if p.get("global_pool", False):
            # ``max`` passes its gradient to all equal maxima, a pooling only to the first of them.
            reduction = {"avg": "mean", "sum": "sum"}.get(kind)
            if reduction is None:
                return None
            return self.make(reduction, node, [data], axis=(1, 2), keepdims=True)
        convention = p.get("pooling_convention", "valid")
        pad = tuple(p.get("pad", ()))
        if convention == "same" or (kind == "avg" and (any(pad) or convention != "valid")):
            return None
        # max(relu(x + b)) equals relu(max(x) + b), and after pooling, bias and ReLU run on fewer elements.
        overtaken = []
        while kind == "max" and data[0] in self.monotone and self.sees_data(node):
            overtaken.append(data[0])
            data = data[0].inputs[0]
        kernel = tuple(p.get("kernel", ()))
        pooled = self.make(
            "_pooling_batch_last", node, [data], kernel=kernel, pool_type=kind,
            stride=tuple(p.get("stride", ())), pad=pad, full=convention == "full",
        )  # fmt: skip
        for late in reversed(overtaken):
            pooled = late.with_inputs((pooled, *late.inputs[1:])), 0
        return pooled

    def sees_data(self, node: Node) -> bool:
        """Return whether every window of a pooling contains an element of the image; the last windows may not."""
        sizes, counts = self.types[node.inputs[0]].shape[2:], self.types[node, 0].shape[2:]
        steps, pads = hw(node.params.get("stride", ()), 1), hw(node.params.get("pad", ()), 0)
        return all((n - 1) * step - pad < size for n, step, pad, size in zip(counts, steps, pads, sizes, strict=True))

    def elementwise(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        twin = super().elementwise(node, inputs)
        if twin is not None and is_relu(node):
            self.may_be_overtaken(twin, node)
        return twin

    def flatten(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        before, after = self.types[inputs[0]].shape, self.types[node, 0].shape
        if not self.has_twin(inputs[0]) or len(before) != 4 or len(after) != 2 or before[0] != after[0]:
            return None
        return self.make("Reshape", node, [self.twin(inputs[0])], shape=(after[1], after[0]))

    def fully_connected(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        if not self.has_twin(inputs[0]):
            return None
        if len(self.types[inputs[0]].shape) != 2 and not node.params.get("flatten", True):
            return None
        twin = self.make("_dense_batch_last", node, [self.twin(inputs[0]), inputs[1]])
        return self.biased(node, twin, inputs)

    def dot(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        ranks = [len(self.types[e].shape) for e in inputs]
        fits = node.params.get("transpose_b", False) and not node.params.get("transpose_a", False)
        if ranks != [2, 2] or not fits or not self.has_twin(inputs[0]) or self.has_twin(inputs[1]):
            return None
        return self.make("_dense_batch_last", node, [self.twin(inputs[0]), inputs[1]])
