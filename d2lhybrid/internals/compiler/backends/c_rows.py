"""Row operators as C functions: softmax, log-softmax, and layer normalization.

NumPy reads and writes the array for each step: the maximum, the difference, the exponential, the sum, and the quotient.
In C, a row stays in the cache from the first step to the last. As in NumPy, a NaN spreads over its row, because the sum
is NaN.
"""

from __future__ import annotations

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...core.operator import Operator
from ...ops.norm import layer_norm
from ...ops.softmax import log_softmax, softmax
from ..passes.regions import fused
from .c_expressions import literal
from .c_region import CFunction

__all__ = ["CRows", "is_row_operator", "rows_for_c"]

_TYPE = "float"

#: The steps for one row of COLUMNS elements, whose loops the compiler vectorizes with several accumulators.
_LARGEST = """\
        float most = x[0];
        #pragma omp simd reduction(max: most)
        for (long j = 0; j < COLUMNS; ++j) most = x[j] > most ? x[j] : most;
        float total = 0;
"""
_SOFTMAX = f"""{_LARGEST}\
        #pragma omp simd reduction(+: total)
        for (long j = 0; j < COLUMNS; ++j) {{
            y[j] = exp_of_float(x[j] - most);
            total += y[j];
        }}
        #pragma omp simd
        for (long j = 0; j < COLUMNS; ++j) y[j] = y[j] / total;
"""
_LOG_SOFTMAX = f"""{_LARGEST}\
        #pragma omp simd reduction(+: total)
        for (long j = 0; j < COLUMNS; ++j) {{
            y[j] = x[j] - most;
            total += exp_of_float(y[j]);
        }}
        const float shift = log_of_float(total);
        #pragma omp simd
        for (long j = 0; j < COLUMNS; ++j) y[j] -= shift;
"""
_LAYER_NORM = """\
        float mean = 0, variance = 0;
        #pragma omp simd reduction(+: mean)
        for (long j = 0; j < COLUMNS; ++j) mean += x[j];
        mean /= COLUMNS;
        #pragma omp simd reduction(+: variance)
        for (long j = 0; j < COLUMNS; ++j) {
            y[j] = x[j] - mean;
            variance += y[j] * y[j];
        }
        const float deviation = root_float(variance / COLUMNS + EPS);
        #pragma omp simd
        for (long j = 0; j < COLUMNS; ++j) y[j] = y[j] / deviation * in1[j] + in2[j];
        out1[i] = mean;
        out2[i] = deviation;
"""
_STEPS: dict[Operator, str] = {softmax: _SOFTMAX, log_softmax: _LOG_SOFTMAX, layer_norm: _LAYER_NORM}


class CRows(CFunction):
    """A C function for an operator along the last axis of its first input."""

    nodes: tuple[Node]
    inputs: tuple[Entry, ...]
    types: list[TensorType]
    size: int
    #: The cost: three or four loops over the row, with exponentials and sums (measured against regions).
    weight = 28

    def __init__(self, node: Node, inputs: list[TensorType], outputs: list[TensorType]) -> None:
        assert node.op is not None
        self.nodes, self.inputs, self.types = (node,), node.inputs, outputs
        self.outputs: tuple[Entry, ...] = tuple((node, i) for i in range(len(outputs)))
        self.size, columns = inputs[0].size, inputs[0].shape[-1]
        self.length: int = self.size // columns
        eps = node.op.complete(node.params).get("eps", 0.0)
        steps = _STEPS[node.op].replace("EPS", literal(eps, _TYPE)).replace("COLUMNS", str(columns))
        parameters = [f"const float* restrict in{i}" for i in range(len(inputs))]
        parameters += [f"float* restrict out{i}" for i in range(len(outputs))]
        self.source: str = "\n".join([
            f"void NAME(long start, long stop, {', '.join(parameters)}) {{",
            "    for (long i = start; i < stop; ++i) {",
            f"        const float* restrict x = in0 + i * {columns};",
            f"        float* restrict y = out0 + i * {columns};",
            f"{steps}    }}",
            "}",
            "",
        ])  # fmt: skip


def is_row_operator(graph: Graph, node: Node, min_size: int) -> bool:
    """Return whether a row function pays off for a node.

    Parameters
    ----------
    graph : Graph
        The graph.
    node : Node
        The node.
    min_size : int
        The smallest number of elements for which a call pays off.

    Returns
    -------
    bool
        Whether there is a row function for the operator, its attributes, and its types, and the input is large enough.
    """
    if node.op not in _STEPS:
        return False
    assert node.op is not None
    types = [*(graph.types[e] for e in node.inputs), *(graph.types[node, i] for i in range(node.num_outputs))]
    attributes, rank = node.op.complete(node.params), len(types[0].shape)
    plain = not attributes.get("use_length") and attributes.get("temperature") in (None, 1.0)
    last = rank > 0 and attributes["axis"] in (-1, rank - 1)
    return plain and last and all(t.dtype.name == "float32" for t in types) and types[0].size >= max(min_size, 1)


def rows_for_c(graph: Graph, min_size: int) -> Graph:
    """Return the graph with row operators as C functions.

    Parameters
    ----------
    graph : Graph
        A graph for the CPU.
    min_size : int
        The smallest number of elements for which a call pays off.

    Returns
    -------
    Graph
        The new graph, or the same graph if nothing changes.
    """

    def rule(node: Node, inputs: tuple[Entry, ...]) -> list[Entry] | None:
        if not is_row_operator(graph, node, min_size):
            return None
        types = [graph.types[node, i] for i in range(node.num_outputs)]
        body = CRows(node, [graph.types[e] for e in node.inputs], types)
        new = node.into(fused, inputs, body=body)
        graph.types.set(new, types)
        return [(new, i) for i in range(node.num_outputs)]

    return graph.rewrite(rule) if any(node.op in _STEPS for node in graph.nodes) else graph
