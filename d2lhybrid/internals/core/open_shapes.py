"""Open shapes: shapes of operators without inputs, such as ``zeros((0, 3))``, whose users determine some sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .graph import Graph, TypeTable
from .infer import Inference
from .node import Entry, Node

__all__ = ["close_shapes", "default_draws", "is_open"]


def is_open(node: Node) -> bool:
    """Return whether a node has no inputs and its users determine some of its sizes.

    Parameters
    ----------
    node : Node
        The node to examine.

    Returns
    -------
    bool
        Whether the users determine a size of the node's result.
    """
    if node.op is None or node.inputs or node.op.shape_rule is None:
        return False
    if node.params.get("infer_range") and node.params["stop"] is None:
        return True
    if "shape" not in node.op.attributes:
        return False
    if not node.op.attributes["shape"].kind.startswith("Shape"):  # the gamma distribution's shape
        return False
    shape = node.op.shape_rule(**node.op.complete(node.params))[1][0]
    return shape is None or None in shape


def default_draws(order: Sequence[Node], found: Inference) -> dict[Entry, tuple[int, ...]]:
    """Return the shape ``(1,)``, as in eager mode, for each random draw whose shape no user determines.

    Parameters
    ----------
    order : sequence of Node
        The nodes of the graph.
    found : Inference
        The inferred shapes.

    Returns
    -------
    dict of Entry to tuple
        A mapping from the first output of each such node to the shape ``(1,)``.
    """
    return {
        (node, 0): (1,)
        for node in order
        if found[node, 0] is None and is_open(node) and node.op is not None and node.op.draws(node.params)
    }


def close_shapes(graph: Graph) -> Graph:
    """Return the graph with the inferred sizes as attributes of the nodes with open shapes.

    Parameters
    ----------
    graph : Graph
        The graph after inference.

    Returns
    -------
    Graph
        The new graph, or this graph if it has no open shapes.
    """
    if any(not n.inputs and n.op is not None and _has_open_shape(n, graph.types) for n in graph.nodes):
        return graph.rewrite(lambda node, _: _with_found_shape(node, graph.types), {})
    return graph


def _has_open_shape(node: Node, types: TypeTable) -> bool:
    """Return whether a node's attributes lack sizes that inference has found."""
    return is_open(node) and types[node, 0].shape != node.params.get("shape")


def _with_found_shape(node: Node, types: TypeTable) -> list[Entry] | None:
    """Return a node with its inferred shape as an attribute, or None if the shape isn't open.

    In legacy graphs, a size of 0 is unknown, as in ``zeros((0, 3))``.
    """
    if not _has_open_shape(node, types):
        return None
    found = types[node, 0]
    name, value = _found_setting(node.params, found.shape)
    attrs, params = {**node.attrs, name: str(value)}, {**node.params, name: value}
    closed = Node(node.op, node.name, (), attrs, params, source=node.source, order=node.order)
    types.set(closed, [found])
    return [(closed, 0)]


def _found_setting(params: dict[str, Any], shape: tuple[int, ...]) -> tuple[str, Any]:
    """Return the name of the attribute that determines a node's shape, and its value for this shape."""
    if not params.get("infer_range"):
        return "shape", shape
    return "stop", params["start"] + params["step"] * -(-shape[0] // params["repeat"])
