"""Changing graphs: replacing variables by other graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.node import Entry, Node, rebuild
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

    def replace(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry]:
        if node.op is None and node.name in replacements:
            return replacements[node.name]._entries
        if inputs != node.inputs or (node is last and name):
            node = Node(node.op, name if node is last and name else node.name, inputs, node.attrs, node.params,
                        node.subgraphs, node.source)  # fmt: skip
        return [(node, i) for i in range(node.num_outputs)]

    return type(symbol)(rebuild(symbol._entries, replace))
