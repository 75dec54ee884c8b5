"""The content of a graph file, and the limits of the format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

__all__ = ["MAX_SUBGRAPH_DEPTH", "Attributes", "JsonEntry", "JsonGraph", "JsonNode"]

#: Index of a node, index of its output, and version.
JsonEntry: TypeAlias = tuple[int, int, int]
Attributes: TypeAlias = dict[str, tuple[str, Any]]

#: Maximum nesting depth of control flow.
MAX_SUBGRAPH_DEPTH = 24


@dataclass(frozen=True)
class JsonNode:
    """A node: a variable, or a call of an operator.

    Parameters
    ----------
    op : str
        Name of the operator; ``"null"`` for a variable.
    name : str
        Name of the node.
    attrs : dict
        Attributes: a string for each name.
    inputs : tuple of (int, int, int)
        Index of a node, index of its output, and version.
    subgraphs : tuple of JsonGraph
        The bodies of a control flow operator.
    control_deps : tuple of int
        Indices of nodes that must run before this node. MXNet's own files have none.
    """

    op: str
    name: str
    attrs: dict[str, str] = field(default_factory=dict)
    inputs: tuple[JsonEntry, ...] = ()
    subgraphs: tuple[JsonGraph, ...] = ()
    control_deps: tuple[int, ...] = ()


@dataclass(frozen=True)
class JsonGraph:
    """The content of a ``-symbol.json`` file.

    Parameters
    ----------
    nodes : tuple of JsonNode
        The nodes in topological order.
    arg_nodes : tuple of int
        Indices of the variables.
    node_row_ptr : tuple of int
        Number of outputs before each node, followed by the total; empty if the file lacks the field. As in MXNet, the
        loader does not use this field or compare it with the nodes.
    heads : tuple of (int, int, int)
        The outputs of the graph.
    attrs : dict
        Metadata of the graph: a pair of type and value for each name, such as
        ``{"mxnet_version": ("int", 10901)}``. Empty in subgraphs and in old files.
    """

    nodes: tuple[JsonNode, ...]
    arg_nodes: tuple[int, ...]
    node_row_ptr: tuple[int, ...] = ()
    heads: tuple[JsonEntry, ...] = ()
    attrs: Attributes = field(default_factory=dict)
