"""The format of ``-symbol.json`` files, as plain data: :func:`loads` and :func:`dumps`.

A file is one JSON object with, in this order,

================  ==============================================================================
``nodes``         the nodes, inputs before their users; ``"op": "null"`` is a variable. A node
                  has ``op``, ``name``, ``attrs`` (text to text), ``inputs`` and, for control
                  flow, ``subgraphs``
``arg_nodes``     the indices of the variables
``node_row_ptr``  how many outputs there are before each node, and in all
``heads``         the outputs of the graph
``attrs``         facts about the whole graph, each a pair of type and value
================  ==============================================================================

where inputs and heads are triples (node, which of its outputs, version); the version is 1 for an
auxiliary state. What operators exist, which attributes they take and how many outputs they have
is not the business of these modules.
"""

from .graph import Attributes, JsonEntry, JsonGraph, JsonNode
from .reader import loads
from .writer import dumps

__all__ = ["Attributes", "JsonEntry", "JsonGraph", "JsonNode", "dumps", "loads"]
