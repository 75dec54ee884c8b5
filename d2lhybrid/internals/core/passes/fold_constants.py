"""Constant folding: computes, at compile time, all values that depend on no input.

For example, ``print((1 + 2) + (3 + 4))`` becomes ``print(10)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from .. import trip_reasons as host_trips
from ..graph import Graph, TensorType
from ..node import Entry, Node
from ..operator import Array, operator
from . import looks_for

__all__ = ["constant", "fold_constants"]
CHINESE = ("常量折叠", "常量折叠：不依赖任何输入的部分在编译时就算好。")

#: The largest size of a folded constant in bytes. Larger values are computed at every call, so that a program doesn't
#: contain megabytes of constants.
MAX_CONSTANT_BYTES = 1 << 20


@operator("_constant", differentiable=False)
def constant(xp, *nothing: Array, value: Any = None):
    """Return the attribute `value`, a constant that was computed at compile time."""
    return xp.asarray(value)


constant.tells_device = host_trips.ATTRIBUTE


@looks_for("source")
def fold_constants(graph: Graph) -> Graph:
    """Return the graph with constant subgraphs replaced by their values, up to a size limit."""

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        op = node.op
        if op is None or op is constant or not op.pure or op.forward_updates is not None:
            return None
        if not all(n.is_constant for n, _ in inputs):
            return None
        types = [graph.types[node, i] for i in range(node.num_outputs)]
        if sum(t.nbytes for t in types) > MAX_CONSTANT_BYTES:
            return None
        extras = {"training": graph.training} if op.uses_training else {}
        arrays = op.arrange(node.params, [n.params["value"] for n, _ in inputs])
        value = op.kernel(numpy, *arrays, **node.params, **extras)
        values = value if isinstance(value, tuple | list) else [value]
        entries = []
        for i, v in enumerate(values):
            v = numpy.array(v)  # a copy that no caller can change
            v.flags.writeable = False
            folded = node.into(constant, (), "" if len(values) == 1 else str(i), value=v)
            graph.types.set(folded, [TensorType(v.shape, v.dtype)])
            entries.append((folded, 0))
        return entries

    return graph.rewrite(rule, {})
