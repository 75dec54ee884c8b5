"""Changing graphs: replacing variables by other graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.node import Entry, Node, topological_order
from ..errors import MXNetError

__all__ = ["substitute"]


def substitute(symbol: Any, replacements: dict[str, Any], name: str | None = None) -> Any:
    """Return a graph with variables, found by name, replaced by the outputs of other symbols.

    Raises
    ------
    MXNetError
        If there is no variable of a given name.
    """
    names = symbol.list_inputs()
    for key in replacements:
        if key not in names:
            candidates = "".join(f"\n\t[{i}]{n}" for i, n in enumerate(names))
            raise MXNetError(f"Symbol.ComposeKeyword argument name {key} not found.\nCandidate arguments:{candidates}")
    last = symbol._entries[0][0]

    made: dict[Node, Sequence[Entry]] = {}
    for node in topological_order(symbol._entries):
        if node.op is None and node.name in replacements:
            made[node] = replacements[node.name]._entries
            continue
        inputs, kept = tuple(made[n][i] for n, i in node.inputs), node
        if inputs != node.inputs or (node is last and name):
            kept = Node(node.op, name if node is last and name else node.name, inputs, node.attrs, node.params,
                        node.subgraphs, node.source)  # fmt: skip
        made[node] = [(kept, i) for i in range(kept.num_outputs)]
    return type(symbol)([made[n][i] for n, i in symbol._entries])
