"""A graph file as plain data, and the limits of the format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

__all__ = ["MAX_SUBGRAPH_DEPTH", "Attributes", "JsonEntry", "JsonGraph", "JsonNode"]

#: Index of a node, which of its outputs, version.
JsonEntry: TypeAlias = tuple[int, int, int]
Attributes: TypeAlias = dict[str, tuple[str, Any]]

#: How deep control flow may be nested in control flow.
MAX_SUBGRAPH_DEPTH = 24


@dataclass(frozen=True)
class JsonNode:
    """A node: a variable, or the use of an operator.

    Parameters
    ----------
    op : str
        Name of the operator, ``"null"`` for a variable.
    name : str
        Name of the node.
    attrs : dict
        Attributes, text to text.
    inputs : tuple of (int, int, int)
        Index of a node, which of its outputs, version.
    subgraphs : tuple of JsonGraph
        The bodies of a control-flow operator.
    control_deps : tuple of int
        Nodes that must run before; MXNet's own files have none.
    """

    op: str
    name: str
    attrs: dict[str, str] = field(default_factory=dict)
    inputs: tuple[JsonEntry, ...] = ()
    subgraphs: tuple[JsonGraph, ...] = ()
    control_deps: tuple[int, ...] = ()


@dataclass(frozen=True)
class JsonGraph:
    """A graph.

    Parameters
    ----------
    nodes : tuple of JsonNode
        The nodes, inputs before their users.
    arg_nodes : tuple of int
        Indices of the variables.
    node_row_ptr : tuple of int
        How many outputs there are before each node, and in all; empty if the file does not say.
        MXNet does not use it when loading, and it is not checked against the nodes.
    heads : tuple of (int, int, int)
        The outputs of the graph.
    attrs : dict
        Facts about the graph, text to (type, value): ``{"mxnet_version": ("int", 10901)}``.
        Empty in subgraphs and old files.
    """

    nodes: tuple[JsonNode, ...]
    arg_nodes: tuple[int, ...]
    node_row_ptr: tuple[int, ...] = ()
    heads: tuple[JsonEntry, ...] = ()
    attrs: Attributes = field(default_factory=dict)
