"""Common-subexpression elimination: merges nodes that compute the same value from the same inputs.

The method is value numbering. One sweep with a hash table compares nodes by operator, attributes, and the identity of
their inputs, which have already been merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph import Graph
from ..node import Entry, Node
from . import looks_for

__all__ = ["merge_equal"]
CHINESE = ("合并相同节点", "公共子表达式消除：算子和输入都相同的计算只做一次。")


def _attribute_key(params: dict[str, Any]) -> Any:
    return tuple(sorted((k, _hashable(v)) for k, v in params.items()))


def _hashable(value: Any) -> Any:
    if hasattr(value, "tobytes") and hasattr(value, "shape"):
        return ("array", value.dtype.str, value.shape, value.tobytes())
    return (type(value).__name__, repr(value))


@looks_for("equal")  # if two chains are equal, their first nodes have the same inputs
def merge_equal(graph: Graph) -> Graph:
    """Return the graph in which pure nodes that compute the same value are merged."""
    seen: dict[Any, Node] = {}

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        op = node.op
        if op is None or not op.pure or op.forward_updates is not None or node.subgraphs:
            return None
        key = (op.name, tuple((n, i) for n, i in inputs), _attribute_key(node.params))
        first = seen.get(key)
        if first is None:
            # If the node's inputs were merged, its copy with the merged inputs replaces the node.
            kept = node
            if any(a is not c or b != d for (a, b), (c, d) in zip(inputs, node.inputs, strict=True)):
                kept = node.with_inputs(inputs)
                graph.types.set(kept, [graph.types[node, i] for i in range(node.num_outputs)])
                seen[key] = kept
                return [(kept, i) for i in range(node.num_outputs)]
            seen[key] = kept
            return None
        return [(first, i) for i in range(first.num_outputs)]

    return graph.rewrite(rule, {})
