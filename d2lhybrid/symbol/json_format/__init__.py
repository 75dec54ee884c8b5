"""The format of ``-symbol.json`` files: :func:`loads` and :func:`dumps`.

A file is a JSON object with the following fields, in this order:

================  ==============================================================================
``nodes``         the nodes in topological order. ``"op": "null"`` is a variable. A node has
                  ``op``, ``name``, ``attrs`` (strings by name), ``inputs``, and, for control
                  flow, ``subgraphs``
``arg_nodes``     the indices of the variables
``node_row_ptr``  the number of outputs before each node, followed by the total
``heads``         the outputs of the graph
``attrs``         metadata of the whole graph, each a pair of type and value
================  ==============================================================================

Inputs and heads are triples (index of a node, index of its output, version). The version is 1 for an auxiliary state.
These modules don't check which operators exist, which attributes they accept, or how many outputs they have.
"""

from .graph import Attributes, JsonEntry, JsonGraph, JsonNode
from .reader import loads
from .writer import dumps

__all__ = ["Attributes", "JsonEntry", "JsonGraph", "JsonNode", "dumps", "loads"]
