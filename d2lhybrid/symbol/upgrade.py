"""Upgrades of graph files from older versions of MXNet to version 1.9.1, which change the plain data of the file.

=============  =======================================================================================================
written        what changes
=============  =======================================================================================================
before 1.9.1   ``lr_mult`` of a node becomes ``__lr_mult__``; ``weight_lr_mult`` of an operator becomes ``__lr_mult__``
               of its input ``weight``
before 0.9.0   missing inputs become variables, because files did not list auxiliary states such as running means
before 0.9.4   variables get the initializers that their operators define: ``["zero", {}]`` for running means
before 0.9.5   ``axis=-1`` of ``argmax`` and ``argmin`` is removed; it meant all axes, as a missing axis does
=============  =======================================================================================================

A file without a version is older than 0.9. The upgrade doesn't change bodies of loops and branches,
which MXNet added later, or nodes that no output depends on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..attribute import HIDDEN_KEYS
from ..error import MXNetError
from ..internals.core.operator import Operator
from .compose import initializers
from .json_format import JsonEntry, JsonGraph, JsonNode

__all__ = ["MXNET_VERSION", "parsed_attributes", "upgraded"]

#: The version that files are upgraded to, 1.9.1.
MXNET_VERSION = 10901
_UNNAMED_VERSION = 800
_SAYS_ITS_VERSION = "mxnet_version"


@dataclass
class _Use:
    """A node during the upgrade, with its pending changes."""

    node: JsonNode
    attrs: dict[str, str]
    #: Variables to append to the inputs in the file.
    added: list[JsonNode] = field(default_factory=list)
    #: Attributes of inputs that the file does not list, by name.
    of_missing: dict[str, dict[str, str]] = field(default_factory=dict)


def upgraded(graph: JsonGraph, operator_of: Callable[[str, dict[str, str]], Operator]) -> JsonGraph:
    """Upgrade a graph of any version to MXNet 1.9.1. A graph of this version is returned unchanged.

    Parameters
    ----------
    graph : JsonGraph
        Contents of the file.
    operator_of : callable
        Function that returns a node's operator for the name of the operator and the node's attributes.

    Returns
    -------
    JsonGraph
        The upgraded graph.
    """
    version = graph.attrs.get(_SAYS_ITS_VERSION, ("int", _UNNAMED_VERSION))[1]
    if version >= MXNET_VERSION:
        if version > MXNET_VERSION:
            logging.warning(
                "The symbol was saved by MXNet %s, which is newer than %s. d2lhybrid may not support all of it.",
                _words(version), _words(MXNET_VERSION),
            )  # fmt: skip
        return graph
    uses = [_Use(node, dict(node.attrs)) for node in graph.nodes]
    order = _order(graph)
    for i in order:
        _sort_hidden_keys(uses[i], uses, operator_of, version < 900)
    for i in order:
        use = uses[i]
        if use.node.op == "null":
            continue
        if version < 904:
            op, params = _reading(use, operator_of)
            if op is None or params is None:
                continue  # an error is raised later, when the node is created
            if version < 900:
                _add_inputs(use, op, params)
            _say_initializers(use, uses, op, params)
        if version < 905 and use.node.op in ("argmax", "argmin") and use.attrs.get("axis") == "-1":
            del use.attrs["axis"]
    return _joined(graph, uses)


def _own_attributes(op: Operator, attrs: dict[str, str]) -> dict[str, str]:
    """Return the attributes of a node that are settings of its operator, and attributes that are invalid for it."""
    return {
        k: v
        for k, v in attrs.items()
        if not (k.startswith("__") and k.endswith("__")) and (k in op.attributes or not op.takes_anything)
    }


def parsed_attributes(op: Operator, json_node: JsonNode) -> tuple[dict[str, Any], int | None]:
    """Return the parsed attributes of a node, and the number of inputs that the file specifies.

    Parameters
    ----------
    op : Operator
        The operator of the node.
    json_node : JsonNode
        The node.

    Returns
    -------
    tuple of dict and (int or None)
        The attributes, and the number of inputs, or None if the file doesn't specify it.

    Raises
    ------
    MXNetError
        If an attribute is unknown, missing, or cannot be parsed; MXNet's message includes the node's name.
    """
    params = op.parse(_own_attributes(op, dict(json_node.attrs)), json_node.name)
    claimed = params.pop("num_args", None)
    if op.variadic is not None and "num_args" in op.attributes:
        params["num_args"] = len(json_node.inputs)
    return params, claimed


def _words(version: int) -> str:
    return f"{version // 10000}.{version // 100 % 100}.{version % 100}"


def _order(graph: JsonGraph) -> list[int]:
    """Return the nodes that outputs depend on, depth first. In a conflict between nodes, the last node wins."""
    order: list[int] = []
    seen: set[int] = set()
    for head, _, _ in graph.heads:
        stack = [(head, 0)]
        while stack:
            i, position = stack.pop()
            inputs = graph.nodes[i].inputs
            if position == 0:
                if i in seen:
                    continue
                seen.add(i)
            while position < len(inputs) and inputs[position][0] in seen:
                position += 1
            if position < len(inputs):
                stack += [(i, position + 1), (inputs[position][0], 0)]
            else:
                order.append(i)
    return order


def _reading(use: _Use, operator_of: Callable[..., Operator]) -> tuple[Operator | None, dict[str, Any] | None]:
    """Return the operator of a node and its parsed attributes, or None if the node is damaged."""
    try:
        op = operator_of(use.node.op, use.attrs)
        params = op.parse(_own_attributes(op, use.attrs), use.node.name)
    except MXNetError:
        return None, None
    params.pop("num_args", None)
    return op, params


def _sort_hidden_keys(use: _Use, uses: list[_Use], operator_of: Callable[..., Operator], adds: bool) -> None:
    """Add underscores to hidden keys, and move the keys that are meant for an input to that variable."""
    hidden = {key: value for key, value in use.attrs.items() if any(map(key.startswith, HIDDEN_KEYS))}
    hidden |= {key: value for key, value in use.attrs.items() if any(map(key.endswith, HIDDEN_KEYS))}
    if not hidden:
        return
    for key in hidden:
        del use.attrs[key]
    names: list[str] | None = None
    for key, value in hidden.items():
        if key in HIDDEN_KEYS:
            use.attrs[f"__{key}__"] = value
            continue
        suffix = next((h for h in HIDDEN_KEYS if key.endswith(h) and len(key) > len(h) + 1), "")
        target = None
        if suffix and use.node.op != "null":
            if names is None:
                op, params = _reading(use, operator_of)
                if op is None or params is None or (op.takes_anything and len(op.inputs) == 1):
                    names = []  # in MXNet, the single input of a function without settings has no name
                else:
                    names = op.needed_inputs(params)
            target = _attributes_of(use, uses, names, key[: -len(suffix) - 1], adds)
        if target is None:
            use.attrs[key] = value
        else:
            target[f"__{suffix}__"] = value


def _attributes_of(use: _Use, uses: list[_Use], names: list[str], name: str, adds: bool) -> dict[str, str] | None:
    """Return the attributes of the variable at an input, or None if there is no variable."""
    if name not in names:
        return None
    position = names.index(name)
    if position >= len(use.node.inputs):
        return use.of_missing.setdefault(name, {}) if adds else None
    variable = uses[use.node.inputs[position][0]]
    return variable.attrs if variable.node.op == "null" else None


def _add_inputs(use: _Use, op: Operator, params: dict[str, Any]) -> None:
    """Add variables for inputs that the file doesn't list, with the operator's attributes."""
    for name in op.needed_inputs(params)[len(use.node.inputs) :]:
        full = f"{use.node.name}_{name}" if use.node.name else name
        use.added.append(JsonNode("null", full, use.attrs | use.of_missing.get(name, {})))


def _say_initializers(use: _Use, uses: list[_Use], op: Operator, params: dict[str, Any]) -> None:
    """Set the operator's default initializers of the variables at its inputs that have none."""
    own = initializers(op, params)
    if not own:
        return
    variables = [uses[i].attrs if uses[i].node.op == "null" else None for i, _, _ in use.node.inputs]
    variables += [node.attrs for node in use.added]
    for name, attrs in zip(op.needed_inputs(params), variables, strict=False):
        if attrs is not None and name in own:
            attrs.setdefault("__init__", own[name])


def _joined(graph: JsonGraph, uses: list[_Use]) -> JsonGraph:
    """Return the graph with all changes. An added variable is inserted before the node that uses it."""
    nodes: list[JsonNode] = []
    index: list[int] = []

    def moved(entries: Iterable[JsonEntry]) -> tuple[JsonEntry, ...]:
        return tuple((index[i], output, version) for i, output, version in entries)

    for use in uses:
        added = tuple((len(nodes) + k, 0, 0) for k in range(len(use.added)))
        nodes += use.added
        index.append(len(nodes))
        dependencies = tuple(index[i] for i in use.node.control_deps)
        inputs = moved(use.node.inputs) + added
        nodes.append(replace(use.node, attrs=use.attrs, inputs=inputs, control_deps=dependencies))
    return JsonGraph(
        nodes=tuple(nodes),
        arg_nodes=tuple(i for i, node in enumerate(nodes) if node.op == "null"),
        heads=moved(graph.heads),
        attrs={k: v for k, v in graph.attrs.items() if k != _SAYS_ITS_VERSION},
    )
