"""Products of a large matrix and a vector as C functions, such as a dense layer for a batch of one.

Such a product reads each weight once, so the memory bandwidth limits its speed, and several cores read faster than one.
NumPy's library would use its own threads. After the product, its threads spin for a while on cores that the threads of
C or oneDNN need for the next operator. Therefore, the rows are divided among the threads of C.
"""

from __future__ import annotations

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...ops import unit_batch
from ..passes.regions import fused
from .c_region import CFunction

__all__ = ["CVectorProduct", "vector_products_for_c"]

#: The smallest number of weights that don't stay in a cache between two calls.
MIN_WEIGHTS = 1 << 21
_SOURCE = """\
void NAME(long start, long stop, const float* restrict vector, const float* restrict weight, float* restrict out) {
    for (long i = start; i < stop; ++i) {
        const float* restrict row = weight + i * COLUMNS;
        float sum = 0;
        #pragma omp simd reduction(+: sum)
        for (long j = 0; j < COLUMNS; ++j) sum += row[j] * vector[j];
        out[i] = sum;
    }
}
"""


class CVectorProduct(CFunction):
    """The product of a matrix and a vector, row by row."""

    nodes: tuple[Node, ...]
    inputs: tuple[Entry, ...]
    outputs: tuple[Entry, ...]
    types: list[TensorType]
    length: int
    size: int
    #: One multiplication and one addition per weight.
    weight = 2
    label = "vector_product"

    def __init__(self, node: Node, weight: TensorType, result: TensorType) -> None:
        self.nodes, self.inputs, self.outputs, self.types = (node,), node.inputs, ((node, 0),), [result]
        (self.length, columns), self.size = weight.shape, weight.size
        self.source: str = _SOURCE.replace("COLUMNS", str(columns))


def vector_products_for_c(graph: Graph) -> Graph:
    """Return the graph with products of large matrices and vectors as C functions.

    Parameters
    ----------
    graph : Graph
        A graph for the CPU.

    Returns
    -------
    Graph
        The new graph, or the same graph if nothing changes.
    """

    def rule(node: Node, inputs: tuple[Entry, ...]) -> list[Entry] | None:
        if node.op is not unit_batch.dense:
            return None
        weight, result = graph.types[node.inputs[1]], graph.types[node, 0]
        floats = all(graph.types[entry].dtype.name == "float32" for entry in (*node.inputs, (node, 0)))
        if not floats or weight.size < MIN_WEIGHTS:
            return None
        body = CVectorProduct(node, weight, result)
        new = node.into(fused, inputs, body=body)
        graph.types.set(new, body.types)
        return [(new, 0)]

    return graph.rewrite(rule) if any(node.op is unit_batch.dense for node in graph.nodes) else graph
