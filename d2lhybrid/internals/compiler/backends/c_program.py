"""The C backend: the program remains Python, and computations that need many NumPy calls become C functions.

NumPy computes large matrix products with a compiled library. In NumPy, each operator between two products would read
and write whole arrays. In C, a region of such operators is one loop, which is vectorized and divided among the cores.
In prediction, small products and the operators between them become one function (:mod:`.c_chain`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy

from d2lhybrid.error import MXNetError

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ..passes.add_picked import add_picked
from ..passes.regions import find_regions, fused, replace_regions
from ..passes.sum_of_picked import sum_of_picked
from .c_chain import chain_for_c
from .c_compiler import find_compiler, is_built, start
from .c_expressions import is_dear
from .c_recurrent import recurrent_for_c
from .c_region import CFunction, CRegion, compile_regions, source_of
from .c_rows import rows_for_c
from .c_sizes import numbers_for
from .c_vector import vector_products_for_c
from .python_backend import PythonBackend
from .region_code import element_kind

if TYPE_CHECKING:
    from ...core.backends import Passes
    from ...core.codegen import Halves
    from ...core.pipeline import Program, Settings, Stage

__all__ = ["CBackend", "fuse_for_c"]
CHINESE = ("为 C 融合", "NumPy 要分许多步完成的计算交给 C：程序仍是 Python 代码，其中一部分变成对 C 函数的调用。")

#: The smallest number of elements for which a C call is faster than the NumPy calls that it replaces (measured).
MIN_SIZE = 1 << 11


class CBackend(PythonBackend):
    """The backend that runs large products in NumPy, and the operators between them and small nets in C."""

    name = "c"
    updates_in_c = True

    def check_available(self) -> None:
        """Raise an error if there is no C compiler.

        Raises
        ------
        MXNetError
            If there is no C compiler.
        """
        if find_compiler() is None:
            error = MXNetError("Error optimizing for backend 'c': there is no C compiler")
            error.add_note(
                "Install a C compiler (Debian: `apt install gcc`), or set the environment variable CC to its path."
            )
            raise error

    def passes(self, passes: Passes, settings: Settings) -> Passes:
        """Return the passes, in which fusion for C replaces blockwise fusion on a CPU."""
        if settings.xp is not numpy:
            return passes
        return [("fuse for C", fuse_for_c) if name == "fuse element-wise" else (name, run) for name, run in passes]

    def start(self, graph: Graph) -> Callable[[], bool]:
        """Compile the C functions of a graph in the background, and return a function that waits for the result."""
        regions = regions_of(graph)
        if not regions:
            return super().start(graph)
        _choose_numbers(graph, regions)
        source = source_of(regions)
        start(source)
        return functools.partial(is_built, source)

    def program(self, graph: Graph, stages: list[Stage], halves: Halves, settings: Settings) -> Program:
        """Compile all regions with one call of the compiler, and return the program that calls the C functions."""
        regions = regions_of(graph)
        _choose_numbers(graph, regions)
        source = compile_regions(regions) if regions else ""
        program = super().program(graph, stages, halves, settings)
        program.other_source = _values_of_arguments(regions) + source
        return program


def _choose_numbers(graph: Graph, regions: Sequence[CFunction]) -> None:
    """Make the numbers that differ between batch sizes arguments of the C functions."""
    new = [region for region in regions if not region.is_chosen]
    if new:
        parameters = tuple(graph.types[node, 0] for node in graph.inputs[graph.num_data :])
        for region, numbers in zip(new, numbers_for(new, parameters), strict=True):
            region.numbers, region.is_chosen = numbers, True


def _values_of_arguments(regions: Sequence[CFunction]) -> str:
    """Return a comment with the numbers that this program passes to its C functions."""
    lines = [
        f" * region{k}: {', '.join(f'size{i} = {v}' for i, v in enumerate(region.numbers.values.tolist()) if i)}"
        for k, region in enumerate(regions)
        if region.numbers is not None
    ]
    return "\n".join(["/* This text serves several batch sizes. For this one:", *lines, " */", ""]) if lines else ""


def regions_of(graph: Graph) -> list[CFunction]:
    """Return the C functions of a graph.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    list of CFunction
        The functions.
    """
    return [n.params["body"] for n in graph.nodes if n.op is fused and isinstance(n.params["body"], CFunction)]


def fuse_for_c(graph: Graph) -> Graph:
    """Return the graph in which nodes with C functions replace operators that need many NumPy calls.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    Graph
        The new graph, or the same graph if nothing changes.
    """
    graph = recurrent_for_c(add_picked(sum_of_picked(chain_for_c(graph))))

    def kind_of(node: Node) -> TensorType | None:
        kind = element_kind(graph, node)
        return kind if kind is not None and kind.size >= MIN_SIZE else None

    regions = [r for r in find_regions(graph, kind_of) if len(r) > 1 or (r and _is_dear(r[0]))]

    def make(nodes: list[Node], inputs: list[Entry], outputs: list[Entry]) -> CRegion:
        kind = kind_of(nodes[0])
        assert kind is not None
        return CRegion(graph, nodes, inputs, outputs, kind)

    return vector_products_for_c(rows_for_c(replace_regions(graph, regions, make), MIN_SIZE))


def _is_dear(node: Node) -> bool:
    """Return whether a node is expensive enough to be a region by itself."""
    pooling = ("_pooling_batch_last", "_backward_pooling_batch_last")
    return is_dear(node) or (node.op is not None and node.op.name in pooling)
