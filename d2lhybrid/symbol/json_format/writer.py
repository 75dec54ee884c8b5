"""A writer of graph files that are byte-identical to MXNet's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...error import MXNetError
from .graph import MAX_SUBGRAPH_DEPTH, JsonEntry, JsonGraph, JsonNode

__all__ = ["dumps"]

# Longer lists are written with one element per line.
_LONGEST_LINE = 10
# All other characters are written unescaped.
_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def dumps(graph: JsonGraph) -> str:
    r"""Return the text of a graph's file, byte-identical to MXNet's.

    Parameters
    ----------
    graph : JsonGraph
        The graph.

    Returns
    -------
    str
        The text.

    Raises
    ------
    MXNetError
        If control flow is nested too deeply for :func:`loads`.

    Examples
    --------
    >>> graph = JsonGraph((JsonNode("null", "x"),), (0,), (0, 1), ((0, 0, 0),))
    >>> print(dumps(graph).replace(" \n", "\n"))
    {
      "nodes": [
        {
          "op": "null",
          "name": "x",
          "inputs": []
        }
      ],
      "arg_nodes": [0],
      "node_row_ptr": [0, 1],
      "heads": [[0, 0, 0]]
    }
    """
    return _write_graph(graph, "", 0)


def _write_graph(graph: JsonGraph, pad: str, depth: int) -> str:
    if depth > MAX_SUBGRAPH_DEPTH:
        raise MXNetError(f"subgraphs are nested more than {MAX_SUBGRAPH_DEPTH} levels deep")
    deeper = pad + "  "
    nodes = [_write_node(node, deeper + "  ", depth) for node in graph.nodes]
    fields = {"nodes": _write_list(nodes, deeper, multiline=bool(nodes))}
    fields["arg_nodes"] = _write_list(map(str, graph.arg_nodes), deeper)
    if graph.node_row_ptr:
        fields["node_row_ptr"] = _write_list(map(str, graph.node_row_ptr), deeper)
    fields["heads"] = _write_list(map(_write_entry, graph.heads), deeper)
    if graph.attrs:
        attrs = {key: f"[{_quote(kind)}, {_write_value(value)}]" for key, (kind, value) in graph.attrs.items()}
        fields["attrs"] = _write_map(attrs, deeper)
    return _write_object(fields, pad)


def _write_node(node: JsonNode, pad: str, depth: int) -> str:
    deeper = pad + "  "
    fields = {"op": _quote(node.op), "name": _quote(node.name)}
    if node.attrs:
        fields["attrs"] = _write_map({key: _quote(value) for key, value in node.attrs.items()}, deeper)
    fields["inputs"] = _write_list(map(_write_entry, node.inputs), deeper)
    if node.control_deps:
        fields["control_deps"] = _write_list(map(str, node.control_deps), deeper)
    if node.subgraphs:
        subgraphs = [_write_graph(graph, deeper + "  ", depth + 1) for graph in node.subgraphs]
        fields["subgraphs"] = _write_list(subgraphs, deeper, multiline=True)
    return _write_object(fields, pad)


def _write_object(fields: dict[str, str], pad: str) -> str:
    lines = (f'{pad}  "{key}": {value}' for key, value in fields.items())
    return "{\n" + ", \n".join(lines) + f"\n{pad}}}"


def _write_map(items: dict[str, str], pad: str) -> str:
    # MXNet doesn't escape keys. It couldn't read keys that need escapes, and its own keys need none.
    quoted = {_quote(key)[1:-1]: items[key] for key in sorted(items)}
    if len(items) > 1:
        return _write_object(quoted, pad)
    return "{" + ", ".join(f'"{key}": {value}' for key, value in quoted.items()) + "}"


def _write_list(items: Iterable[str], pad: str, multiline: bool = False) -> str:
    items = list(items)
    if multiline or len(items) > _LONGEST_LINE:
        return "[\n" + ", \n".join(f"{pad}  {item}" for item in items) + f"\n{pad}]"
    return f"[{', '.join(items)}]"


def _write_entry(entry: JsonEntry) -> str:
    return f"[{', '.join(map(str, entry))}]"


def _write_value(value: Any) -> str:
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_write_value, value))}]"
    return str(value)


def _quote(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'
