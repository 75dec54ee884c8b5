"""``mx.viz``: MXNet's two functions that display a symbol, ``plot_network`` and ``print_summary``.

Both functions read the graph from its JSON. Their output is identical to that of MXNet's functions.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...symbol import Symbol

__all__ = ["plot_network", "print_summary"]

Json = dict[str, Any]

#: Suffixes of parameter names; variables with these suffixes are not drawn.
_WEIGHTS = (
    "_weight", "_bias", "_beta", "_gamma", "_moving_var", "_moving_mean", "_running_var", "_running_mean",
)  # fmt: skip
_NODE = {"shape": "box", "fixedsize": "true", "width": "1.3", "height": "0.8034", "style": "filled"}
_FILL = {
    "null": "#8dd3c7", "Convolution": "#fb8072", "FullyConnected": "#fb8072", "BatchNorm": "#bebada",
    "Activation": "#ffffb3", "LeakyReLU": "#ffffb3", "Pooling": "#80b1d3", "Concat": "#fdb462", "Flatten": "#fdb462",
    "Reshape": "#fdb462", "Softmax": "#b3de69",
}  # fmt: skip
_OTHER = "#fccde5"


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def _attrs(node: Json) -> Mapping[str, str]:
    return node.get("attrs", {})


def _results(internals: Symbol, what: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shape or the type of every value by name."""
    _, found, _ = getattr(internals, f"infer_{what}")(**known)
    if found is None:
        raise ValueError(f"Input {what} is incomplete")
    return dict(zip(internals.list_outputs(), found, strict=True))


def _result_name(node: Json) -> str:
    """Return the name of the (last) output of a node."""
    if node["op"] == "null":
        return node["name"]
    count = _attrs(node).get("num_outputs")
    return f"{node['name']}_output{'' if count is None else int(count) - 1}"


def _times(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape))


# --- plot_network ---


def _label(node: Json) -> str:
    attrs, op = _attrs(node), node["op"]

    def window(key: str, missing: str) -> str:
        return "x".join(_numbers(attrs[key])) if key in attrs else missing

    if op == "Convolution":
        return f"Convolution\n{'x'.join(_numbers(attrs['kernel']))}/{window('stride', '1')}, {attrs['num_filter']}"
    if op == "FullyConnected":
        return f"FullyConnected\n{attrs['num_hidden']}"
    if op == "Activation":
        return f"Activation\n{attrs['act_type']}"
    if op == "LeakyReLU":
        return f"LeakyReLU\n{attrs.get('act_type', 'Leaky')}"
    if op == "Pooling":
        return f"Pooling\n{attrs['pool_type']}, {window('kernel', '[]')}/{window('stride', '1')}"
    if op == "Custom":
        return attrs["op_type"]
    return node["name"]


def _warn_of_repeated(nodes: list[Json]) -> None:
    names = [node["name"] for node in nodes]
    repeated = {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()
    if repeated:
        warnings.warn(
            "There are multiple variables with the same name in your graph, this may result in cyclic graph. "
            f"Repeated names: {','.join(sorted(repeated))}",
            RuntimeWarning,
            stacklevel=3,
        )


def plot_network(
    symbol: Symbol,
    title: str = "plot",
    save_format: str = "pdf",
    shape: Mapping[str, Any] | None = None,
    dtype: Mapping[str, Any] | None = None,
    node_attrs: Mapping[str, str] | None = None,
    hide_weights: bool = True,
) -> Any:
    """Return a symbol's graph as a ``graphviz.Digraph``, as MXNet does.

    Rendering the object requires the program ``dot``, which ``NetGraph.of(symbol)`` doesn't need.

    Parameters
    ----------
    symbol : Symbol
        The symbol to draw.
    title : str
        Name of the graph.
    save_format : str
        File format of ``render()``.
    shape, dtype : dict, optional
        Shapes and element types of inputs by name, for the labels of the edges.
    node_attrs : dict, optional
        Attributes of nodes in Graphviz, such as ``{"shape": "oval", "fixedsize": "false"}``.
    hide_weights : bool
        Whether to omit the nodes of parameters.

    Raises
    ------
    ImportError
        If the package graphviz is not installed.
    TypeError
        If ``symbol`` is not a symbol.
    ValueError
        If shapes or dtypes cannot be inferred from ``shape`` or ``dtype``.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> net = sym.FullyConnected(sym.var("data"), num_hidden=128, name="fc1")
    >>> print(plot_network(net).source)  # doctest: +SKIP
    digraph plot {
        ...
    """
    try:
        from graphviz import Digraph
    except ImportError:
        error = ImportError("Draw network requires graphviz library")
        error.add_note(
            "Install the library with `pip install graphviz`, or call net.graph(x) or viz.NetGraph.of(symbol) instead."
        )
        raise error from None
    if not isinstance(symbol, Symbol):
        raise TypeError("symbol must be a Symbol")
    internals = symbol.get_internals()
    shapes = None if shape is None else _results(internals, "shape", shape)
    types = None if dtype is None else _results(internals, "type", dtype)
    nodes = json.loads(symbol.tojson())["nodes"]
    _warn_of_repeated(nodes)
    picture = Digraph(name=title, format=save_format)
    hidden = set()
    for node in nodes:
        name, op = node["name"], node["op"]
        if op == "null" and name.endswith(_WEIGHTS):
            if hide_weights:
                hidden.add(name)
            continue  # weights are drawn with their edges
        look = {**_NODE, **(node_attrs or {})}
        if op == "null":
            look["shape"] = "oval"
        picture.node(name=name, label=_label(node), **{**look, "fillcolor": _FILL.get(op, _OTHER)})
    for node in nodes:
        inputs = [] if node["op"] == "null" else node["inputs"]
        for number, *_ in inputs[:1] if node["op"] == "_contrib_BilinearResize2D" else inputs:
            tail = nodes[number]
            if tail["name"] in hidden:
                continue
            label = "" if shapes is None else _times(shapes[_result_name(tail)][1:])
            label += "" if types is None else f"({types[_result_name(tail)].__name__})"
            picture.edge(tail_name=node["name"], head_name=tail["name"], dir="back", arrowtail="open", label=label)
    return picture


# --- print_summary ---


def _size(text: str) -> int:
    size = 1
    for number in _numbers(text):
        size *= int(number)
    return size


def _convolution(attrs: Mapping[str, str], width: int) -> int:
    filters = int(attrs["num_filter"])
    count = width * filters // int(attrs.get("num_group", "1")) * _size(attrs["kernel"])
    return count if attrs.get("no_bias") == "True" else count + filters


def _fully_connected(attrs: Mapping[str, str], width: int) -> int:
    return (width + (attrs.get("no_bias") != "True")) * int(attrs["num_hidden"])


def _embedding(attrs: Mapping[str, str], width: int) -> int:
    return int(attrs["input_dim"]) * int(attrs["output_dim"])


#: Operator -> function of its attributes and input channels that returns the number of parameters.
_COUNTS: dict[str, Callable[[Mapping[str, str], int], int]] = {
    "Convolution": _convolution,
    "FullyConnected": _fully_connected,
    "Embedding": _embedding,
}


def print_summary(
    symbol: Symbol,
    shape: Mapping[str, Any] | None = None,
    line_length: int = 120,
    positions: Sequence[float] = (0.44, 0.64, 0.74, 1.0),
) -> None:
    """Print a table of a symbol's operators with their shapes and numbers of parameters, as MXNet does.

    Parameters
    ----------
    symbol : Symbol
        The symbol to list.
    shape : dict, optional
        Shapes of inputs by name. Without this argument, shapes are omitted, and numbers of parameters are wrong.
    line_length : int
        Number of characters in a line.
    positions : sequence of float
        End of each column, in characters or as a fraction of the line.

    Raises
    ------
    TypeError
        If ``symbol`` is not a symbol.
    ValueError
        If shapes cannot be inferred from ``shape``.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> net = sym.FullyConnected(sym.var("data"), num_hidden=10, name="fc")
    >>> print_summary(net, {"data": (1, 4)}, line_length=72)
    ________________________________________________________________________
    Layer (type)                   Output Shape  Param #Previous Layer
    ========================================================================
    data(null)                     4             0
    ________________________________________________________________________
    fc(FullyConnected)             10            50     data
    ========================================================================
    Total params: 50
    ________________________________________________________________________
    """
    if not isinstance(symbol, Symbol):
        raise TypeError("symbol must be Symbol")
    shapes = {} if shape is None else _results(symbol.get_internals(), "shape", shape)
    graph = json.loads(symbol.tojson())
    nodes, heads = graph["nodes"], set(graph["heads"][0])  # MXNet treats all three numbers of the first head as nodes
    ends = [int(line_length * p) for p in positions] if positions[-1] <= 1 else [int(p) for p in positions]

    def row(*fields: Any) -> None:
        line = ""
        for field, end in zip(fields, ends, strict=False):
            line = f"{line}{field}"[:end].ljust(end)
        print(line)

    print("_" * line_length)
    row("Layer (type)", "Output Shape", "Param #", "Previous Layer")
    print("=" * line_length)
    total = 0
    for number, node in enumerate(nodes):
        is_variable = node["op"] == "null"
        if is_variable and number > 0:
            continue
        before = [] if is_variable else [nodes[i] for i, *_ in node["inputs"] if nodes[i]["op"] != "null" or i in heads]
        found = () if is_variable and number not in heads else shapes.get(_own_name(node), (None,))[1:]
        count = _count(node, before, shapes)
        row(f"{node['name']}({node['op']})", _times(found), count, before[0]["name"] if before else "")
        for other in before[1:]:
            row("", "", "", other["name"])
        total += count
        print(("=" if number == len(nodes) - 1 else "_") * line_length)
    print(f"Total params: {total}")
    print("_" * line_length)


def _own_name(node: Json) -> str:
    return node["name"] if node["op"] == "null" else f"{node['name']}_output"


def _count(node: Json, before: list[Json], shapes: Mapping[str, Any]) -> int:
    """Return the number of parameters of a node, computed from the channels of its inputs, as MXNet does."""
    op, name = node["op"], _own_name(node)
    if op == "BatchNorm":
        return int(shapes[name][1]) * 2 if shapes else 0
    if op not in _COUNTS:
        return 0
    width = sum(int(shapes[_own_name(n)][1]) for n in before if _own_name(n) in shapes)
    return _COUNTS[op](_attrs(node), width)
