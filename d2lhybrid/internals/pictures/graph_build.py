"""The conversion of symbols and of the compiler's graphs to plain data: one :class:`GraphModel` for each graph."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..core.graph import Graph
from ..core.node import Entry, Node, topological_order
from ..reports.costs import bytes_of, flops_of
from ..reports.lines_behind import of_its_origin, places_of
from ..support.display import Shown
from ..support.places import Place
from ..support.words import translate
from . import graph_chinese  # noqa: F401  it adds words
from .graph_family import summary_of, title_of
from .graph_groups import Call, calls_of_names, make_groups
from .graph_model import GraphInput, GraphModel, GraphNode, TensorInfo

__all__ = ["NodeIds", "Surroundings", "model_of_graph", "model_of_nodes"]

#: Names of operators' arguments that are parameters, whatever the name of the variable.
_PARAMETER_ARGUMENTS = {"weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "running_mean", "running_var"}


class NodeIds:
    """A generator of unique node ids, stable across all graphs of one compilation.

    Examples
    --------
    >>> ids = NodeIds()
    >>> a, b = Node(None, "x"), Node(None, "x")
    >>> ids.of([a, b]), ids.of([b])
    (['x', 'x~2'], ['x~2'])
    """

    def __init__(self) -> None:
        self._known: dict[Node, str] = {}
        self._taken: dict[str, set[Node]] = {}
        self._keep: list[Node] = []

    def known(self, node: Node) -> str:
        """Return the id of a node; empty if the node has no id yet."""
        return self._known.get(node, "")

    def of(self, nodes: Sequence[Node]) -> list[str]:
        """Return the ids of the nodes of one graph.

        A node that replaces a node of the same name takes over that node's id, unless the graph contains both nodes.
        """
        present = set(nodes)
        result = []
        for node in nodes:
            if node not in self._known:
                base = re.sub(r"\s+", "_", node.name) or "value"
                candidate, number = base, 1
                while self._taken.get(candidate, set()) & present:
                    number += 1
                    candidate = f"{base}~{number}"
                self._known[node] = candidate
                self._taken.setdefault(candidate, set()).add(node)
                self._keep.append(node)
            result.append(self._known[node])
        return result


@dataclass(repr=False)
class Surroundings(Shown):
    """Facts about a graph that its nodes don't contain, such as the lines of code that created them.

    Attributes
    ----------
    parameters : collection of str or None
        Names of the variables that are parameters; None infers them from the operators.
    lines : dict of Node to sequence of (str, int)
        The generated lines that run each node, as pairs of function name and line number.
    calls : dict of str to tuple
        The calls of blocks that created each node, by the node's name.
    sources : dict of str to tuple
        The lines of user code that created each node, by the node's name.
    ids : NodeIds
        Ids that are already assigned.
    """

    parameters: Collection[str] | None = None
    lines: Mapping[Node, Sequence[tuple[str, int]]] = field(default_factory=dict)
    calls: dict[str, tuple[Call, ...]] = field(default_factory=dict)
    sources: dict[str, tuple[Place, ...]] = field(default_factory=dict)
    ids: NodeIds = field(default_factory=NodeIds)


def model_of_graph(
    graph: Graph,
    title: str = "",
    around: Surroundings | None = None,
    roots: Sequence[Entry] | None = None,
    given: Sequence[Entry] = (),
    given_kind: str = "saved",
) -> GraphModel:
    """Return the data of one of the compiler's graphs, or of a part of the graph.

    Parameters
    ----------
    graph : Graph
        The typed graph.
    title : str
        Title of the graph.
    around : Surroundings, optional
        Information that the origin of the graph provides.
    roots : sequence of Entry, optional
        Outputs of the part; by default, the outputs of the whole graph.
    given : sequence of Entry
        Inputs of the part, where the walk from the roots stops.
    given_kind : str
        Kind of these inputs: ``"saved"`` for values that the forward function keeps, or ``"parameter"``.
    """
    roots = graph.roots if roots is None else roots
    kept = {n: n for n, _ in given if n.op is not None}
    nodes = _walk(roots, kept)
    known = set(topological_order(graph.outputs + _forward_updates(graph)))
    backward = {node for node in nodes if node.op is not None and node not in known}
    types = graph.types
    names = functools.cache(lambda dtype: dtype.name)  # NumPy composes the name at every access

    def outputs(node: Node) -> list[TensorInfo]:
        return [TensorInfo(t.shape, names(t.dtype)) for t in (types[node, i] for i in range(node.num_outputs))]

    def costs(node: Node) -> tuple[int | None, int | None]:
        return flops_of(node, types), bytes_of(node, types)

    kinds = dict.fromkeys(graph.head_gradients, "gradient") | dict.fromkeys(kept, given_kind)
    model = model_of_nodes(nodes, roots, outputs, costs, title, around or Surroundings(), kinds, backward)
    return replace(model, results=_results(graph, roots))


def _results(graph: Graph, roots: Sequence[Entry]) -> tuple[str, ...]:
    """Return the description of each root, in the graph's order."""
    names = [(entry, "") for entry in graph.outputs]
    for variable, entry in zip(graph.inputs, graph.gradients, strict=False):
        if entry is not None:
            names.append((entry, translate("gradient of {name}", name=variable.name)))
    names += [(update.value, translate("new {name}", name=update.variable.name)) for update in graph.updates]
    waiting = iter(names)
    return tuple(next((name for entry, name in waiting if entry == root), "") for root in roots)


def _forward_updates(graph: Graph) -> tuple[Entry, ...]:
    return tuple(update.value for update in graph.updates if update.stage == "forward")


def _walk(roots: Sequence[Entry], kept: Mapping[Node, Node]) -> list[Node]:
    """Return the nodes that the roots depend on, in topological order, without the nodes behind kept entries."""
    order: list[Node] = []
    seen: set[Node] = set()
    for root, _ in roots:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(() if root in kept else root.inputs))]
        while stack:
            node, remaining = stack[-1]
            for child, _ in remaining:
                if child not in seen:
                    seen.add(child)
                    stack.append((child, iter(() if child in kept else child.inputs)))
                    break
            else:
                order.append(node)
                stack.pop()
    return order


def model_of_nodes(
    nodes: Sequence[Node],
    roots: Sequence[Entry],
    outputs: Callable[[Node], list[TensorInfo]],
    costs: Callable[[Node], tuple[int | None, int | None]],
    title: str,
    around: Surroundings,
    kinds: Mapping[Node, str],
    backward: Collection[Node] = (),
) -> GraphModel:
    """Return the data of nodes in topological order.

    Parameters
    ----------
    nodes, roots
        Nodes and outputs of the graph.
    outputs, costs : callable
        Functions that return the types of a node's outputs, and the numbers of the node's operations and bytes.
    title, around
        Same as for :func:`model_of_graph`.
    kinds : mapping of Node to str
        The kinds of nodes whose kind does not follow from the node itself, such as ``"saved"``.
    backward : collection of Node
        The nodes of the backward pass.
    """
    ids = dict(zip(nodes, around.ids.of(nodes), strict=True))
    arguments = {node: _arguments(node) for node in nodes}
    parameters = _parameters(nodes, arguments, around.parameters)
    calls = [_calls(node, around) for node in nodes]
    if not any(calls):
        calls = calls_of_names(nodes)
    operators = [node.op is not None and node not in kinds for node in nodes]
    users: dict[int, list[int]] = {i: [] for i, node in enumerate(nodes) if kinds.get(node) == "saved"}
    number = {node: i for i, node in enumerate(nodes)}
    for i, node in enumerate(nodes):
        for child, _ in () if node in kinds else node.inputs:  # the part is drawn without inputs of its inputs
            if number[child] in users:
                users[number[child]].append(i)
    groups, places = make_groups(calls, operators, [node in backward for node in nodes], users)
    alone = Counter(
        (path, node in backward) for node, path, is_op in zip(nodes, calls, operators, strict=True) if is_op
    )
    made = []
    for node, place, path in zip(nodes, places, calls, strict=True):
        kind = kinds.get(node) or _kind(node, parameters)
        taken = () if node in kinds else node.inputs  # the part is drawn without inputs of its inputs
        made.append(
            replace(
                _plain(node, kind),
                id=ids[node],
                inputs=tuple(
                    GraphInput(ids[n], i, argument) for (n, i), argument in zip(taken, arguments[node], strict=False)
                ),
                outputs=tuple(outputs(node)),
                group=place,
                path=".".join(call.text for call in path),
                block=_only_block(path, place) if alone[path, node in backward] == 1 and kind == "operator" else "",
                sources=tuple(dict.fromkeys(place.written for place in places_of(node, around.sources))),
                lines=tuple(around.lines.get(node, ())),
                **dict(zip(("flops", "bytes"), costs(node) if kind == "operator" else (None, None), strict=True)),
            )
        )
    return GraphModel(title, tuple(made), groups, tuple((ids[n], i) for n, i in roots))


def _only_block(path: tuple[Call, ...], group: str) -> str:
    """Return the class of the innermost block; empty if a frame around the node already shows the class."""
    return "" if not path or group.replace("/", ".").endswith(f".{path[-1].text}") else path[-1].kind


def _plain(node: Node, kind: str) -> GraphNode:
    """Return the plain data of a node."""
    op, source = node.op, None if node.source is None else node.source.written
    if op is None or kind == "constant":
        return GraphNode("", node.name, kind, source=source)
    shown = {k: v for k, v in node.attrs.items() if k in op.attributes or k.startswith("__")}
    shown |= {k: str(v) for k, v in node.params.items() if k not in shown and not hasattr(v, "shape") and k != "body"}
    summary = summary_of(op.name, op.complete(node.params) if not op.name.startswith("_fused") else node.params)
    title = title_of(op, node.params)
    return GraphNode("", node.name, kind, op.name, title, op.family, summary, shown, source=source)


def _kind(node: Node, parameters: set[Node]) -> str:
    if node.op is None:
        return "parameter" if node in parameters else "input"
    return "constant" if node.op.name == "_constant" else "operator"


def _arguments(node: Node) -> list[str]:
    """Return the operator's names for the inputs of a node."""
    op = node.op
    if op is None:
        return []
    names = [] if op.variadic is not None else list(op.list_inputs(node.params))
    return [names[i] if i < len(names) else f"{op.variadic or 'input'}{i}" for i in range(len(node.inputs))]


def _parameters(nodes: Sequence[Node], arguments: Mapping[Node, list[str]], names: Collection[str] | None) -> set[Node]:
    if names is not None:
        return {node for node in nodes if node.op is None and node.name in names}
    found = set()
    for node in nodes:
        if node.op is None:
            continue
        for (child, _), argument in zip(node.inputs, arguments[node], strict=True):
            is_own = argument in _PARAMETER_ARGUMENTS or argument in node.op.aux
            if child.op is None and (is_own or (argument == "parameters" and node.op.name == "RNN")):
                found.add(child)
    return found


def _calls(node: Node, around: Surroundings) -> tuple[Call, ...]:
    """Return the calls of blocks around a node.

    A node from a pass may have no calls; then the node whose name is a prefix of its name provides them.
    """
    if node.source is not None:
        found = tuple(Call(c.key, c.kind, c.number) for c in node.source.calls)
        around.calls[node.name] = found
        return found
    return of_its_origin(node.name, around.calls)
