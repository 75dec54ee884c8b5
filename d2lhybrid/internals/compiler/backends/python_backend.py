"""The base class of most backends, which generates Python with NumPy expressions for operators with a lowering."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy

from ...core.backends import Backend
from ...core.codegen import PythonSource
from ...core.graph import Graph, TypeTable
from ...core.node import Node
from ...core.options import Options
from ...ops.conv import library_of
from ...reports.costs import flops_of, is_counted
from .. import threads
from ..emitter import numpy_lowering, plain_lowering
from ..numpy_writer import NumPyWriter
from ..static_writer import StaticWriter
from ..threads import SMALLEST, SMALLEST_ARRAY

if TYPE_CHECKING:
    from ...core.codegen import Halves
    from ...core.pipeline import Program, Settings, Stage

__all__ = ["PythonBackend", "is_threaded"]

#: The floating-point operations that NumPy does in one thread while another library's threads wait for NumPy's once.
_FLOPS_OF_A_WAIT = 1 << 25


def is_threaded(node: Node, types: TypeTable) -> bool:
    """Return whether a node's kernel may use several threads, as for linear algebra on large arrays.

    Parameters
    ----------
    node : Node
        The node.
    types : TypeTable
        Types of the values.

    Returns
    -------
    bool
        Whether the kernel may use several threads.
    """
    if "body" in node.params and getattr(node.params["body"], "threaded", False):
        return True
    if node.op is None or not node.op.threaded:
        return False
    sizes = sorted(math.prod(types[e].shape) for e in (*node.inputs, (node, 0)))
    # The number of multiplications of a product is at most the product of the sizes of its two largest arrays.
    if 2 * math.prod(sizes[-2:]) + sizes[-1] < 2 * SMALLEST and sizes[-1] < SMALLEST_ARRAY:
        return False
    if is_counted(node):
        return flops_of(node, types) >= 2 * SMALLEST
    return any(types[e].size >= SMALLEST_ARRAY for e in node.inputs)


class PythonBackend(Backend):
    """A backend whose programs call NumPy or CuPy, depending on the context."""

    def options(self, graph: Graph, settings: Settings) -> Options:
        """Return the options for the writer of the generated functions."""
        return dataclasses.replace(
            super().options(graph, settings),
            writer=StaticWriter if settings.static_alloc else NumPyWriter,
            lowering_of=numpy_lowering if settings.xp is numpy else plain_lowering,
        )

    def program(self, graph: Graph, stages: list[Stage], halves: Halves, settings: Settings) -> Program:
        """Return the program. NumPy computes in one thread if its threads would delay another library's threads."""
        program = super().program(graph, stages, halves, settings)
        if settings.xp is numpy and any(f.threaded for f in program.functions) and _gives_way(graph):
            for function in program.functions:
                if function.threaded:
                    _keep_alone(function)
        return program

    def works_in_threads(self, function: PythonSource, types: TypeTable) -> bool:
        """Return whether NumPy uses several threads when a function runs, for example for large matrix products."""
        asked: set[Any] = set()
        for node in set(function.line_nodes.values()):
            if node.op is not None and (node.op.threaded or "body" in node.params):
                use = node.op, str(node.params), *[types[entry] for entry in node.inputs]
                if use not in asked and is_threaded(node, types):
                    return True
                asked.add(use)  # most nets repeat the same kinds of nodes
        return False


def _gives_way(graph: Graph) -> bool:
    """Return whether NumPy's products should use one thread, because another library computes products with its own.

    The other library's threads wait for those of NumPy at each of its calls: about a millisecond on the machines that
    we measured. Several threads save at most the time that NumPy's products take in one thread.
    """
    ours = theirs = calls = 0
    for node in graph.nodes:
        if getattr(node.params.get("body"), "library", "") or library_of(node, graph.types):
            calls += 1
            theirs += flops_of(node, graph.types)
        elif is_threaded(node, graph.types):
            ours += flops_of(node, graph.types)
    return calls > 0 and ours < max(theirs, calls * _FLOPS_OF_A_WAIT)


def _keep_alone(function: PythonSource) -> None:
    """Limit NumPy's library to one thread during a function: more threads would spin on the other library's cores."""
    if function.workspaces is not None:
        function.workspaces.wrap(threads.alone)
    else:
        function.function = threads.alone(function.function)
