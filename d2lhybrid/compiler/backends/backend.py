"""The interface of a backend, and what most of them share: a generated Python program."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...core.codegen import PythonSource
from ...core.graph import Graph, TypeTable
from ...core.node import Node
from ...device.threads import SMALLEST, SMALLEST_ARRAY
from ..costs import flops_of, is_counted
from ..emitter import numpy_lowering, plain_lowering
from ..numpy_writer import NumPyWriter
from ..options import Options
from ..static_writer import StaticWriter

if TYPE_CHECKING:
    from ...core.codegen import Halves
    from ...core.pipeline import Program, Settings, Stage

__all__ = ["Backend", "common_prefix", "is_threaded"]

Passes = Sequence[tuple[str, Callable[[Graph], Graph]]]


def common_prefix(names: Sequence[str]) -> str:
    """Return what all names begin with, up to an underscore.

    Examples
    --------
    >>> common_prefix(["lenet0_conv0_weight", "lenet0_conv1_weight"])
    'lenet0_'
    """
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)  # what these two share, all in between share
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[: first.rfind("_", 0, same) + 1]


def is_threaded(node: Node, types: TypeTable) -> bool:
    """Return whether a node's kernel may work in several threads: linear algebra, and arrays that are large enough."""
    if "body" in node.params and getattr(node.params["body"], "threaded", False):
        return True
    if node.op is None or not node.op.threaded:
        return False
    sizes = sorted(math.prod(types[e].shape) for e in (*node.inputs, (node, 0)))
    # No product takes more multiplications than there are pairs of elements of its two largest arrays.
    if 2 * math.prod(sizes[-2:]) + sizes[-1] < 2 * SMALLEST and sizes[-1] < SMALLEST_ARRAY:
        return False
    if is_counted(node):
        return flops_of(node, types) >= 2 * SMALLEST
    return any(types[e].size >= SMALLEST_ARRAY for e in node.inputs)


class Backend:
    """Makes programs. This one writes Python over NumPy or CuPy, whichever the context asks for.

    Attributes
    ----------
    name : str
        What ``hybridize(backend=...)`` calls it.
    updates_in_c : bool
        Whether a Trainer updates the parameters of such a block by a function of C.
    """

    name = ""
    updates_in_c = False

    def check_available(self) -> None:
        """Raise :class:`MXNetError` if something that the backend needs is not installed."""

    def check_settings(self, settings: Settings) -> None:
        """Raise :class:`MXNetError` if the backend cannot make such a program."""

    def passes(self, passes: Passes, settings: Settings) -> Passes:
        """Return the passes before or after differentiation: those of the pipeline, or others in their place."""
        return passes

    def options(self, graph: Graph, settings: Settings) -> Options:
        """Return how the generated functions are written."""
        return Options(
            xp=settings.xp,
            prefix=common_prefix([node.name for node in graph.inputs[graph.num_data :]]),
            training=settings.training,
            writer=StaticWriter if settings.static_alloc else NumPyWriter,
            static_shape=settings.static_shape,
            lowering_of=numpy_lowering if settings.xp is numpy else plain_lowering,
        )

    def works_in_threads(self, function: PythonSource, types: TypeTable) -> bool:
        """Return whether a function of NumPy's works in several threads: it has a large product, or the like."""
        asked: set[Any] = set()
        for node in set(function.line_nodes.values()):
            if node.op is not None and (node.op.threaded or "body" in node.params):
                use = node.op, str(node.params), *[types[entry] for entry in node.inputs]
                if use not in asked and is_threaded(node, types):
                    return True
                asked.add(use)  # most nets have many of one kind
        return False

    def program(self, graph: Graph, stages: list[Stage], halves: Halves, settings: Settings) -> Program:
        """Return the program of a graph that went through all passes."""
        from ...core.pipeline import Program

        return Program(graph, stages, halves, settings)

    def __repr__(self) -> str:
        return f"<backend {self.name}>"
