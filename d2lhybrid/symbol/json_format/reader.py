"""A parser of untrusted graph files.

The parser checks the type of every value and every index, in linear time and without recursion that depends on the
file. The parser raises no exception other than MXNetError.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

from ...error import MXNetError
from ...internals.formats.serialization.limits import VALUES_PER_NODE, Deadline, format_bytes, limits, too_much
from ...internals.support.plural import counted
from ...internals.support.suggestions import did_you_mean
from .graph import MAX_SUBGRAPH_DEPTH, Attributes, JsonEntry, JsonGraph, JsonNode

__all__ = ["loads"]

#: Maximum nesting depth of brackets: five in a graph, and four more for each subgraph around it.
MAX_BRACKETS = 5 + 4 * MAX_SUBGRAPH_DEPTH
#: Indices are unsigned 32-bit integers.
MAX_INDEX = 2**32 - 1

_GRAPH_FIELDS = {"nodes": True, "arg_nodes": True, "node_row_ptr": False, "heads": True, "attrs": False}
_NODE_FIELDS = {
    "op": True,
    "name": True,
    "inputs": True,
    "attrs": False,
    "attr": False,  # Until version 0.9, `param` and `attr` were the two parts of `attrs`.
    "param": False,
    "subgraphs": False,
    "control_deps": False,
    "backward_source_id": False,
}
# Types of the values in a graph's attrs: the Python type, and the nesting depth of lists.
_ATTRIBUTE_TYPES = {
    "int": (int, 0),
    "size_t": (int, 0),
    "str": (str, 0),
    "list_int": (int, 1),
    "list_str": (str, 1),
    "list_shape": (int, 2),
}
# A string that is not closed extends to the end of the text, so each character is examined only once.
_TEXT_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)


def loads(text: str | bytes) -> JsonGraph:
    """Parse the text of a file into a graph.

    The function also accepts old files, which contain ``attr`` or ``param`` instead of ``attrs``, and lack versions,
    ``node_row_ptr``, or metadata.

    Parameters
    ----------
    text : str or bytes
        The text, or its bytes in UTF-8.

    Returns
    -------
    JsonGraph
        The graph.

    Raises
    ------
    MXNetError
        If the text is not a graph file. A note gives the location.
    """
    deadline = limits.deadline()
    if len(text) > limits.graph_bytes:
        found, allowed = format_bytes(len(text)), format_bytes(limits.graph_bytes)
        too_much(f"JSONReader: a graph of {found} exceeds the limit of {allowed}", f"graph_bytes={2 * len(text)}")
    if not isinstance(text, str):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as reason:
            _fail(
                f"JSONReader: the text is not UTF-8: {reason.reason}",
                f"The invalid byte is at index {reason.start}.",
            )
    _check_brackets(text)
    try:
        # Not strict, because MXNet writes control characters unescaped.
        data = json.loads(text, strict=False)
    except json.JSONDecodeError as reason:
        around = _shorten(text[reason.pos : reason.pos + 60].split("\n")[0])
        _fail(
            f"JSONReader: Error at Line {reason.lineno}, around ^`{around}`, {reason.msg}",
            f"The text is not valid JSON at line {reason.lineno}, column {reason.colno}.",
        )
    except ValueError as reason:  # A number has thousands of digits.
        _fail(f"JSONReader: {reason}", "A valid graph contains no number with so many digits.")
    except RecursionError:  # The call stack was already deep.
        _fail("JSONReader: the call stack is almost full", "Read the graph outside of deeply nested function calls.")
    return _read_graphs(data, deadline)


def _check_brackets(text: str) -> None:
    """Raise an error if brackets are nested too deeply for a recursive JSON parser, or if there are too many values."""
    depth = 0
    count = text.count(",") + text.count("[") + text.count("{")
    if count > VALUES_PER_NODE * limits.nodes:
        too_much(
            f"JSONReader: the graph contains about {count} values, but at most {VALUES_PER_NODE * limits.nodes} are "
            "allowed",
            f"nodes={2 * count // VALUES_PER_NODE}",
        )
    for match in _TEXT_OR_BRACKET.finditer(text):
        bracket = match[0]
        if bracket in "[{":
            depth += 1
            if depth > MAX_BRACKETS:
                _fail(
                    f"JSONReader: brackets are nested more than {MAX_BRACKETS} levels deep",
                    f"The limit is exceeded at character {match.start()}. A graph has 5 levels of brackets, and 4 more "
                    "for each level of subgraphs.",
                )
        elif bracket in "]}":
            depth -= 1


@dataclass
class _Draft:
    """A graph whose own values are checked, but whose subgraphs may not be checked yet."""

    where: str
    data: dict[str, Any]
    subgraphs: dict[int, list[_Draft]] = field(default_factory=dict)
    graph: JsonGraph | None = None


def _read_graphs(data: Any, deadline: Deadline) -> JsonGraph:
    """Create a graph and its subgraphs. Collect the graphs from the outside in, and build them from the inside out."""
    drafts = [_Draft("", data)]
    total = 0
    for draft in drafts:  # The list grows during the loop.
        _check_object(draft.data, _GRAPH_FIELDS, draft.where or "the graph")
        nodes = _list(draft.data["nodes"], f"{draft.where}nodes")
        total += len(nodes)
        if total > limits.nodes:
            too_much(f"JSONReader: the graph has more than {limits.nodes} nodes", f"nodes={2 * total}")
        for index, node in enumerate(nodes):
            where = f"{draft.where}nodes[{index}]"
            _check_object(node, _NODE_FIELDS, where)
            if "subgraphs" in node:
                subgraphs = _list(node["subgraphs"], f"{where}.subgraphs")
                children = [_Draft(f"{where}.subgraphs[{i}].", child) for i, child in enumerate(subgraphs)]
                draft.subgraphs[index] = children
                drafts += children
    for draft in reversed(drafts):
        draft.graph = _read_graph(draft, deadline)
    return _built(drafts[0])


def _built(draft: _Draft) -> JsonGraph:
    assert draft.graph is not None
    return draft.graph


def _read_graph(draft: _Draft, deadline: Deadline) -> JsonGraph:
    data, where = draft.data, draft.where
    count = len(data["nodes"])
    nodes = []
    for index, node in enumerate(data["nodes"]):
        nodes.append(_read_node(node, index, count, where, tuple(map(_built, draft.subgraphs.get(index, ())))))
        if index % 1024 == 0:
            deadline.check("reading the graph")
    arg_nodes = _numbers(data["arg_nodes"], f"{where}arg_nodes")
    for position, index in enumerate(arg_nodes):
        if index >= count:
            _fail(
                "Check failed: nid < jgraph.nodes.size(): ",
                f"{where}arg_nodes[{position}] is {index}, but the graph has {counted(count, 'node')}.",
            )
        if nodes[index].op != "null":
            _fail(
                "Check failed: jgraph.nodes[nid].node->is_variable(): ",
                f"{where}arg_nodes[{position}] is {index}, but this node is {_describe(nodes[index])}, not a variable.",
            )
    return JsonGraph(
        nodes=tuple(nodes),
        arg_nodes=arg_nodes,
        node_row_ptr=_numbers(data.get("node_row_ptr", []), f"{where}node_row_ptr"),
        heads=_entries(data["heads"], count, f"{where}heads"),
        attrs=_read_graph_attributes(data.get("attrs", {}), f"{where}attrs"),
    )


def _read_node(data: dict[str, Any], index: int, count: int, graph: str, subgraphs: tuple[JsonGraph, ...]) -> JsonNode:
    where = f"{graph}nodes[{index}]"
    node = JsonNode(
        op=_text(data["op"], f"{where}.op"),
        name=_text(data["name"], f"{where}.name"),
        attrs=_read_attributes(data, where),
        inputs=_entries(data["inputs"], count, f"{where}.inputs"),
        subgraphs=subgraphs,
        control_deps=_numbers(data.get("control_deps", []), f"{where}.control_deps"),
    )
    if node.op == "null" and (node.inputs or node.subgraphs):
        extra = "inputs" if node.inputs else "subgraphs"
        _fail(f'JSONReader: the variable "{_shorten(node.name)}" has {extra}', f"The variable is {where}.")
    sources = [("an input", entry[0]) for entry in node.inputs]
    for kind, source in (*sources, *(("a control dependency", source) for source in node.control_deps)):
        if source >= index:
            _fail(
                f"JSONReader: {kind} of {_describe(node)} is not an earlier node",
                f"{where} depends on node {source}. Each node must come after the nodes that it depends on.",
            )
    return node


def _read_attributes(data: dict[str, Any], where: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    # As in MXNet, `attr` or `attrs` (the last one in the file) takes precedence over `param`.
    newest = [key for key in data if key in ("attr", "attrs")][-1:]
    for key in ("param", *newest):
        if key in data:
            for name, value in _object(data[key], f"{where}.{key}").items():
                path = f"{where}.{key}"
                attributes[_text(name, path)] = _text(value, f'{path}["{_shorten(name)}"]')
    return attributes


def _read_graph_attributes(data: Any, where: str) -> Attributes:
    attributes = {}
    for name, pair in _object(data, where).items():
        path = f'{where}["{_shorten(_text(name, where))}"]'
        if len(_list(pair, path)) != 2:
            negation = "" if len(pair) < 2 else "!"
            message = f"Check failed: {negation}reader->NextArrayItem(): invalid any json format"
            _fail(message, f"{path} must be a pair of type and value.")
        kind = _text(pair[0], path)
        if kind not in _ATTRIBUTE_TYPES:
            _fail(
                "Check failed: it != tmap.end() && it->first == type_name: "
                f"Typename {_shorten(kind)} has not been registered via DMLC_JSON_ENABLE_ANY",
                f"{path} must have one of the types {', '.join(_ATTRIBUTE_TYPES)}.",
            )
        python_type, depth = _ATTRIBUTE_TYPES[kind]
        attributes[name] = (kind, _read_value(pair[1], python_type, depth, path))
    return attributes


def _read_value(value: Any, kind: type, depth: int, path: str) -> Any:
    if depth:  # The depth is at most 2.
        return tuple(_read_value(item, kind, depth - 1, path) for item in _list(value, path))
    if kind is int and type(value) is int:
        return value
    return _text(value, path) if kind is str else _wrong_type(value, "a whole number", path)


# Single values -------------------------------------------------------------------------------------


def _check_object(data: Any, fields: dict[str, bool], where: str) -> None:
    """Check that `data` is an object with the given fields. The value True marks required fields."""
    for key in _object(data, where):
        if key not in fields:
            short = _shorten(key)
            candidates = "\n".join(f'"{name}"' for name in sorted(fields))
            _fail(
                f"JSONReader: Unknown field {short}, candidates are: \n{candidates}\n",
                f"The field is in {where.removesuffix('.')}.{did_you_mean(short, fields)}",
            )
    for key in sorted(fields):
        if fields[key] and key not in data:
            _fail(
                f'JSONReader: Check failed: visited.count(it->first) != 0U (0 vs. 0) : Missing field "{key}"',
                f"The field is missing in {where.removesuffix('.')}.",
            )


def _object(value: Any, path: str) -> dict[str, Any]:
    return value if type(value) is dict else _wrong_type(value, "an object", path)


def _list(value: Any, path: str) -> list[Any]:
    return value if type(value) is list else _wrong_type(value, "a list", path)


def _text(value: Any, path: str) -> str:
    if type(value) is not str:
        _wrong_type(value, "a text", path)
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:  # JSON can contain lone surrogates: "\ud800".
            _fail(f"JSONReader: {path} is not Unicode text", f"The text is {value[:60]!r}.")
    return value


def _numbers(value: Any, path: str) -> tuple[int, ...]:
    for number in _list(value, path):
        if type(number) is not int or not 0 <= number <= MAX_INDEX:
            _wrong_type(number, "an index", path)
    return tuple(value)


def _entries(value: Any, count: int, path: str) -> tuple[JsonEntry, ...]:
    """Return the inputs or the heads of a graph with `count` nodes. The version may be missing."""
    entries = []
    for position, entry in enumerate(_list(value, path)):
        numbers = _numbers(entry, path)
        if not 2 <= len(numbers) <= 3:
            negation = "" if len(numbers) < 2 else "!"
            _fail(
                f"Check failed: {negation}reader->NextArrayItem(): invalid json format",
                f"{path}[{position}] must consist of two or three numbers: node, output, and optionally version.",
            )
        if numbers[0] >= count:
            _fail(
                "Check failed: e.node_id < jgraph.nodes.size(): ",
                f"{path}[{position}] refers to node {numbers[0]}, but the graph has {counted(count, 'node')}.",
            )
        entries.append((*numbers, 0)[:3])
    return tuple(entries)


def _wrong_type(value: Any, expected: str, path: str) -> NoReturn:
    names = {dict: "an object", list: "a list", type(None): "null"}
    actual = names.get(type(value)) or _shorten(json.dumps(value, ensure_ascii=False))
    _fail(f"JSONReader: {path.removesuffix('.')}: Expect {expected} but get {actual}")


def _describe(node: JsonNode) -> str:
    return f'the {_shorten(node.op)} "{_shorten(node.name)}"'


def _shorten(text: str) -> str:
    short = text if len(text) <= 60 else text[:57] + "..."
    return short.encode("utf-8", "replace").decode("utf-8")


def _fail(message: str, note: str = "") -> NoReturn:
    error = MXNetError(message)
    if note:
        error.add_note(note)
    raise error from None
