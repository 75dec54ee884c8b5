"""Conversions between graphs and MXNet's ``-symbol.json`` format."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..error import MXNetError
from ..internals.core.infer import declared_shape
from ..internals.core.loops import GRAPHS_OF
from ..internals.core.node import Entry, Node, input_names, program_order, topological_order
from ..internals.core.operator import get_operator, is_registered
from ..internals.formats.literals import read_shape
from ..internals.formats.serialization.limits import VALUES_PER_NODE, Deadline, format_bytes, limits, too_much
from ..internals.support.absent import reason
from ..internals.support.filesystem import open_file, read_text, write_text
from ..internals.support.plugins import service
from ..internals.support.plural import counted
from ..internals.support.scopes import collecting_later
from ..util import is_np_shape
from .fused_layers import spelled_out
from .json_format import JsonGraph, JsonNode, dumps, loads
from .transform import without_functions
from .upgrade import MXNET_VERSION, parsed_attributes, upgraded

__all__ = ["debug_str", "dump_json", "load", "load_json", "save"]


def _num_outputs_in_file(node: Node) -> int:
    """Return the number of outputs that MXNet counts for a node, including hidden outputs."""
    if node.op is None:
        return 1
    extra = -1 if node.subgraphs else node.op.hidden_in_mxnet  # in this package, loops have a hidden seed
    if node.op.name == "RNN" and node.params.get("p", 0.0) > 0:
        extra = -1  # in this package, the dropout mask is an output
    if node.op.name == "Pooling":  # with oneDNN, max pooling has a workspace output
        channels_first = not (node.params.get("layout") or "NCHW").endswith("C")
        extra = int(node.params.get("pool_type", "max") == "max" and channels_first)
    return node.num_outputs + extra


_MAX_OUTPUTS = 65536

#: Operators that MXNet shares between both shape semantics. With NumPy's shapes, a matrix has a scalar determinant.
_OF_NUMPY_SHAPES = {"_linalg_det": "_npi_det", "_linalg_slogdet": "_npi_slogdet"}
_IN_FILES = {ours: written for written, ours in _OF_NUMPY_SHAPES.items()}


def to_json_graph(entries: Sequence[Entry], top_level: bool = True) -> JsonGraph:
    """Convert a graph to plain data, in which the operators that a Python ``Function`` calls replace the ``Function``.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs of the graph.
    top_level : bool
        Whether the graph is the whole file, and not the body of a loop or branch.

    Returns
    -------
    JsonGraph
        The plain data.
    """
    entries = without_functions(entries)
    names = _IN_FILES if is_np_shape() else {}
    order = program_order(entries)
    index = {node: i for i, node in enumerate(order)}
    nodes, row = [], [0]
    for node in order:
        op = node.op
        if op is None:
            inputs: tuple[tuple[int, int, int], ...] = ()
        else:
            aux = [name in op.aux for name in input_names(node)] if op.aux else [False] * len(node.inputs)
            inputs = tuple(
                (index[n], i, int(is_aux and n.op is None)) for (n, i), is_aux in zip(node.inputs, aux, strict=True)
            )
        subgraphs = tuple(to_json_graph(s._entries, top_level=False) for s in node.subgraphs)
        written = "null" if op is None else names.get(op.name, op.name)
        nodes.append(JsonNode(written, node.name, dict(node.attrs), inputs, subgraphs))
        row.append(row[-1] + _num_outputs_in_file(node))
    attrs: dict[str, Any] = {}
    if top_level:
        if is_np_shape():
            attrs["is_np_shape"] = ("int", 1)
        attrs["mxnet_version"] = ("int", MXNET_VERSION)
    return JsonGraph(
        nodes=tuple(nodes),
        arg_nodes=tuple(i for i, node in enumerate(order) if node.op is None),
        node_row_ptr=tuple(row),
        heads=tuple((index[n], i, 0) for n, i in entries),
        attrs=attrs,
    )


def dump_json(entries: Sequence[Entry]) -> str:
    """Return a graph as the text of a file.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs of the graph.

    Returns
    -------
    str
        The text.
    """
    return dumps(to_json_graph(entries))


def save(symbol: Any, fname: str) -> None:
    """Write a graph to a file atomically.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    fname : str
        Path of the file.

    Raises
    ------
    MXNetError
        If the graph has a Python ``Function`` that calls anything but operators.
    """
    for node in topological_order(without_functions(symbol._entries)):
        if node.op is not None and hasattr(node.op, "as_operators"):
            error = MXNetError(
                f"the graph cannot be saved: node {node.name!r} calls {node.op.name}, whose forward does not accept "
                "symbols"
            )
            error.add_note("In forward, call methods of the arguments, such as x.exp(), instead of functions of nd.")
            raise error
    write_text(fname, dump_json(symbol._entries))


#: The names of custom operators in files.
_CUSTOM = ("Custom", "_npi_Custom")


def _operator_of(name: str, attrs: dict[str, str]) -> Any:
    """Return the operator of a node. A custom operator is created for the node."""
    if name not in _CUSTOM:
        public = name.removeprefix("_contrib_")
        hint = "" if is_registered(name) else reason("symbol" if public == name else "symbol.contrib", public)
        if hint:
            raise MXNetError(f"Check failed: op != nullptr: Operator {name} is not registered. {hint}")
        return get_operator(name)
    return service("custom_operator")({k: v for k, v in attrs.items() if not k.startswith("__")})[0]


def _make_node(json_node: JsonNode, nodes: list[Node], from_json: Any, zero_is_unknown: bool) -> Node:
    inputs = tuple((nodes[i], output) for i, output, _ in json_node.inputs)
    attrs = dict(json_node.attrs)
    if json_node.op == "null":
        if zero_is_unknown and "__shape__" in attrs:  # legacy shapes
            with contextlib.suppress(ValueError):  # invalid shapes are rejected below
                attrs["__shape__"] = str(tuple(n or -1 for n in read_shape(attrs["__shape__"])))
        variable = Node(None, json_node.name, attrs=attrs)
        declared_shape(variable)
        return variable
    where = f"Failed loading Op {json_node.name[:200]} of type {json_node.op[:200]}: "
    try:
        op = _operator_of(json_node.op, attrs)
        if not op.in_files and op.name not in GRAPHS_OF:
            raise MXNetError(f"Operator {op.name} is internal to the compiler and is not allowed in a file")
    except MXNetError as error:
        located = MXNetError(where + str(error))
        for note in getattr(error, "__notes__", ()):
            located.add_note(note)
        raise located from None
    params, claimed = parsed_attributes(op, json_node)
    subgraphs = tuple(from_json(s) for s in json_node.subgraphs)
    if op.name in GRAPHS_OF:
        from .control_flow import attach_subgraphs

        try:
            attach_subgraphs(op, params, subgraphs, len(inputs))
        except MXNetError as error:
            raise MXNetError(f"{where}{error}") from None
    elif subgraphs:
        raise MXNetError(
            f"{where}the operator takes no subgraphs, but the node has {counted(len(subgraphs), 'subgraph')}"
        )
    if json_node.op in _CUSTOM:
        params["instance"] = id(op)
    node = Node(op, json_node.name, inputs, attrs, params, subgraphs)
    if op.variadic is None:
        required = sum(not i.optional for i in op.inputs)
        if not required <= len(inputs) <= len(op.inputs):
            limits = (
                f"{required} to {len(op.inputs)} inputs" if required < len(op.inputs) else counted(required, "input")
            )
            raise MXNetError(f"{where}the operator takes {limits}, but the node has {len(inputs)}")
    elif own := op.needed_inputs(params):
        if len(inputs) != len(own):
            raise MXNetError(f"{where}the operator takes {counted(len(own), 'input')}, but the node has {len(inputs)}")
    elif claimed is not None and claimed * op.inputs_each != len(inputs) + len(subgraphs):
        wanted = counted(claimed * op.inputs_each - len(subgraphs), "input")
        raise MXNetError(f"{where}num_args is {claimed}, which requires {wanted}, but the node has {len(inputs)}")
    for child, output in inputs:
        if output >= child.num_outputs:
            raise MXNetError(
                f"{where}input {child.name} has {counted(child.num_outputs, 'output')}, but the file refers to the "
                f"output with index {output}"
            )
    try:
        count = node.num_outputs
    except (TypeError, ValueError, ArithmeticError) as error:
        raise MXNetError(f"{where}{error}") from None
    except MXNetError as error:
        raise MXNetError(f"{where}{error}") from None
    if not 0 < count <= _MAX_OUTPUTS:
        raise MXNetError(f"{where}the number of outputs must be in the range 1 to {_MAX_OUTPUTS}, not {count}")
    return node


def from_json_graph(graph: JsonGraph) -> Any:
    """Return a symbol from a graph in plain data. Graphs from older versions of MXNet are upgraded.

    Parameters
    ----------
    graph : JsonGraph
        The plain data.

    Returns
    -------
    Symbol
        The graph.

    Raises
    ------
    MXNetError
        If an operator does not exist, if an attribute cannot be parsed, or if the inputs are invalid.
    """
    graph = upgraded(spelled_out(graph), _operator_of)
    written_so = graph.attrs.get("is_np_shape", ("int", 0))[1]
    if written_so:
        graph = _with_numpy_shapes(graph)
    return _from_json_graph(graph, limits.deadline(), is_np_shape() and not written_so)


def _with_numpy_shapes(graph: JsonGraph) -> JsonGraph:
    """Return a graph with the operators that return scalars under NumPy's shapes, as MXNet's operators do."""
    nodes = tuple(
        replace(
            node,
            op=_OF_NUMPY_SHAPES.get(node.op, node.op),
            subgraphs=tuple(map(_with_numpy_shapes, node.subgraphs)),
        )
        for node in graph.nodes
    )
    return replace(graph, nodes=nodes)


def _from_json_graph(graph: JsonGraph, deadline: Deadline, zero_is_unknown: bool) -> Any:
    from .symbol import Symbol

    nodes: list[Node] = []
    outputs = 0
    for json_node in graph.nodes:
        node = _make_node(
            json_node, nodes, lambda subgraph: _from_json_graph(subgraph, deadline, zero_is_unknown), zero_is_unknown
        )
        nodes.append(node)
        outputs += node.num_outputs
        if len(nodes) % 1024 == 0:
            deadline.check("creating the graph")
    if outputs > VALUES_PER_NODE * limits.nodes:
        too_much(
            f"the nodes of the graph have {outputs} outputs in total, but at most {VALUES_PER_NODE * limits.nodes} are "
            "allowed",
            f"nodes={2 * outputs // VALUES_PER_NODE}",
        )
    entries = []
    for i, output, _ in graph.heads:
        if len(entries) % 1024 == 0:
            deadline.check("creating the graph")
        if output >= nodes[i].num_outputs:
            raise MXNetError(
                f"head {nodes[i].name} has {counted(nodes[i].num_outputs, 'output')}, but the file refers to the "
                f"output with index {output}"
            )
        entries.append((nodes[i], output))
    return Symbol(entries)


def load_json(json_str: str) -> Any:
    """Return a symbol from a string in MXNet's JSON format.

    Parameters
    ----------
    json_str : str
        The graph in MXNet's JSON format.

    Returns
    -------
    Symbol
        The graph.

    Raises
    ------
    TypeError
        If the argument is not a string.
    MXNetError
        If the text is damaged or contains unknown operators.
    """
    if not isinstance(json_str, str):
        raise TypeError("fname required to be string")
    return collecting_later(lambda: from_json_graph(loads(json_str)))


def load(fname: str) -> Any:
    """Return a symbol from a file.

    Parameters
    ----------
    fname : str
        Path of the file.

    Returns
    -------
    Symbol
        The graph.

    Raises
    ------
    TypeError
        If ``fname`` is not a string.
    MXNetError
        If the file is missing, too large, or damaged, or contains unknown operators.
    """
    if not isinstance(fname, str):
        raise TypeError("fname need to be string")
    try:
        with open_file(fname) as (_, size):
            if size > limits.graph_bytes:
                found_size, allowed = format_bytes(size), format_bytes(limits.graph_bytes)
                too_much(f"a graph of {found_size} exceeds the limit of {allowed}", f"graph_bytes={2 * size}")
        return load_json(read_text(fname))
    except MXNetError as error:
        if fname not in str(error):
            error.add_note(f'The graph was read from the file "{fname}".')
        raise


def debug_str(entries: Sequence[Entry]) -> str:
    """Return a listing of a graph, with its variables, its operators, and their inputs and attributes.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs of the graph.

    Returns
    -------
    str
        The listing.
    """
    lines = ["Symbol Outputs:"]
    lines += [f"\toutput[{k}]={n.name}({i})" for k, (n, i) in enumerate(entries)]
    for node in topological_order(entries):
        if node.op is None:
            lines.append(f"Variable:{node.name}")
            continue
        lines += ["--------------------", f"Op:{node.op.name}, Name={node.name}", "Inputs:"]
        for k, (n, i) in enumerate(node.inputs):
            version = f" version={int(n.name in node.op.aux)}" if n.op is None else ""
            lines.append(f"\targ[{k}]={n.name}({i}){version}")
        if node.attrs:
            lines.append("Attrs:")
            lines += [f"\t{k}={v}" for k, v in sorted(node.attrs.items())]
    return "\n".join(lines) + "\n"
