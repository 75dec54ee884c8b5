"""Functions that replace variables of a graph, copy nodes, and set attributes of a node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..attribute import of_variable
from ..error import MXNetError
from ..internals.core.node import Entry, Node, topological_order

__all__ = ["duplicate", "set_attributes", "substitute", "without_functions"]


def substitute(symbol: Any, replacements: dict[str, Any], name: str | None = None) -> Any:
    """Return a graph in which other symbols replace variables.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    replacements : dict of str to Symbol
        A symbol for the name of each variable to replace.
    name : str, optional
        Name of the result's node.

    Returns
    -------
    Symbol
        The new graph.

    Raises
    ------
    MXNetError
        If the graph has no variable of one of the names.
    """
    names = symbol.list_inputs()
    for key in replacements:
        if key not in names:
            candidates = "".join(f"\n\t[{i}]{n}" for i, n in enumerate(names))
            raise MXNetError(f"Symbol.ComposeKeyword argument name {key} not found.\nCandidate arguments:{candidates}")
    last = symbol._entries[0][0]

    entries: dict[Node, Sequence[Entry]] = {}
    for node in topological_order(symbol._entries):
        if node.op is None and node.name in replacements:
            entries[node] = replacements[node.name]._entries
            continue
        inputs, new_node = tuple(entries[n][i] for n, i in node.inputs), node
        if inputs != node.inputs or (node is last and name):
            new_node = Node(node.op, name if node is last and name else node.name, inputs, node.attrs, node.params,
                        node.subgraphs, node.source)  # fmt: skip
        entries[node] = [(new_node, i) for i in range(new_node.num_outputs)]
    return type(symbol)([entries[n][i] for n, i in symbol._entries])


def duplicate(entries: Sequence[Entry], made: dict[Node, Node]) -> list[Entry]:
    """Copy the nodes of a graph, and return the outputs of the copy.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs of the graph.
    made : dict of Node to Node
        The copies of nodes that exist already. The function adds the new copies.

    Returns
    -------
    list of Entry
        The outputs of the copy.
    """
    for node in topological_order(entries):
        if node not in made:
            made[node] = node.with_inputs(tuple((made[n], i) for n, i in node.inputs))
    return [(made[n], i) for n, i in entries]


def set_attributes(entries: Sequence[Entry], attributes: dict[str, str]) -> None:
    """Set attributes of a node, and parse the operator's attributes again. All symbols of the node get the attributes.

    Compiled programs don't change, and executors and ``nd.CachedOp`` have their own copies of nodes.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs of the node.
    attributes : dict of str to str
        The new attributes, by name.

    Raises
    ------
    MXNetError
        If the outputs belong to several nodes, or if an attribute is invalid. In this case, the node stays unchanged.
    """
    node = entries[0][0]
    if any(other is not node for other, _ in entries):
        raise MXNetError("Check failed: node == e.node.get(): Symbol.SetAttrs only works for non-grouped symbol")
    texts = of_variable(attributes)
    name = texts.pop("name", node.name)
    params, count = node.params, node.num_outputs
    op = node.op
    if op is not None and (op.attributes or op.variadic is not None):
        own = {k: v for k, v in texts.items() if not (k.startswith("__") and k.endswith("__"))}
        unchanged = {k: v for k, v in params.items() if k in op.attributes and k not in own}
        read = op.parse({**own, **unchanged}, node.name)
        count = len(node.inputs) // op.inputs_each
        expected = read.pop("num_args", count)
        if expected != count:
            raise MXNetError(
                f"Check failed: in_shape->size() == static_cast<size_t>(param_.num_args) ({count} vs. {expected}) : "
            )
        params = {**params, **{k: v for k, v in read.items() if k in own}}
        count = op.num_outputs(params, len(node.inputs))
    # Use new dictionaries, because nodes that passes derived from this node share the old ones.
    node.name, node.attrs, node.params, node.num_outputs = name, {**node.attrs, **texts}, params, count


def without_functions(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the outputs of a graph in which operators replace calls of ``autograd.Function``.

    A call whose ``forward`` accepts no symbols is kept.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs of the graph.

    Returns
    -------
    sequence of Entry
        The outputs of the new graph.
    """
    order = topological_order(entries)
    if not any(hasattr(node.op, "as_operators") for node in order):
        return entries
    names = {node.name for node in order}
    replacements: dict[Node, Sequence[Entry]] = {}
    for node in order:
        inputs = tuple(replacements[n][i] for n, i in node.inputs)
        find: Any = getattr(node.op, "as_operators", None)
        operators = None if find is None else find(node.name, inputs, names)
        if operators is not None:
            replacements[node] = without_functions(operators)
            continue
        new_node = node if inputs == node.inputs else node.with_inputs(inputs)
        replacements[node] = [(new_node, i) for i in range(new_node.num_outputs)]
    return [replacements[n][i] for n, i in entries]
