"""Differentiate: add the backward pass to the graph, as nodes like all others.

Reverse-mode differentiation on the graph: from the outputs to the inputs, each operator's gradient
rule runs once with ``F`` making nodes; what arrives at a node from several users is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...symbol.node import Entry, Node
from ..graph import Graph, Update
from ..space import GraphSpace, Value

__all__ = ["differentiate", "gradient_symbol"]


def differentiate(graph: Graph, wanted: Sequence[bool]) -> Graph:
    """Return the graph with gradients for the wanted inputs.

    Parameters
    ----------
    graph : Graph
        The forward computation.
    wanted : sequence of bool
        For each input whether its gradient is needed.

    Returns
    -------
    Graph
        With ``gradients``, ``head_gradients`` and the states that are updated in the backward pass.
    """
    space = GraphSpace(graph.types)
    leads_to_wanted = _leading(graph, wanted)
    arrived: dict[tuple[int, int], Value] = {}
    heads = []
    for i, entry in enumerate(graph.outputs):
        head = Node(None, f"head_grad{i}")
        graph.types.set(head, [graph.types[entry]])
        heads.append(head)
        _add(arrived, entry, space.wrap((head, 0)))
    passed: list[Node] = []
    for node in reversed(graph.nodes):
        if node.op is None or id(node) not in leads_to_wanted:
            continue
        count = node.num_outputs
        output_grads = [arrived.get((id(node), i)) for i in range(count)]
        if all(g is None for g in output_grads):
            continue
        space.prefix, space.source = f"{node.name}_backward_", node.source
        outputs = [space.wrap((node, i)) for i in range(count)]
        inputs = node.op.arrange(node.params, [space.wrap(e) for e in node.inputs])
        needs = tuple(v is not None and id(v.entry[0]) in leads_to_wanted for v in inputs)
        grads = node.op.vjp(space, output_grads, outputs, inputs, node.params, needs, graph.training)
        grads = node.op.pick(node.params, grads, len(node.inputs))
        for child, gradient in zip(node.inputs, grads, strict=True):
            if gradient is not None and id(child[0]) in leads_to_wanted:
                _add(arrived, child, gradient)
        passed.append(node)
    # The tape goes from the newest call to the oldest.
    updates = state_updates(space, sorted(passed, key=lambda node: -node.order), "backward", graph.training)
    gradients = []
    for node, is_wanted in zip(graph.inputs, wanted, strict=True):
        value = arrived.get((id(node), 0)) if is_wanted else None
        gradients.append(None if value is None else value.entry)
    return graph.replace(
        gradients=tuple(gradients), head_gradients=tuple(heads), updates=graph.updates + tuple(updates)
    )


def _leading(graph: Graph, wanted: Sequence[bool]) -> set[int]:
    """Return the ids of all nodes whose value depends on a wanted input."""
    leading = {id(n) for n, w in zip(graph.inputs, wanted, strict=True) if w}
    for node in graph.nodes:
        if node.op is not None and any(id(child) in leading for child, _ in node.inputs):
            leading.add(id(node))
    return leading


def _add(arrived: dict[tuple[int, int], Value], entry: Entry, value: Value) -> None:
    key = (id(entry[0]), entry[1])
    arrived[key] = arrived[key] + value if key in arrived else value


def state_updates(space: GraphSpace, nodes: Sequence[Node], stage: str, training: bool) -> list[Update]:
    """Return what nodes write into their states (BatchNorm's running statistics), in the order in which they do it.

    Each starts from what those before it have written: a layer that is used twice moves its statistics twice.
    """
    written: dict[Node, Value] = {}
    for node in nodes:
        op = node.op
        if op is None or (op.forward_updates if stage == "forward" else op.backward_updates) is None:
            continue
        space.prefix, space.source = f"{node.name}_" if stage == "forward" else f"{node.name}_backward_", node.source
        outputs = [space.wrap((node, i)) for i in range(node.num_outputs)]
        inputs = op.arrange(node.params, [space.wrap(e) for e in node.inputs])
        variables = [None if value is None else value.entry[0] for value in inputs]
        current = [value if n is None else written.get(n, value) for n, value in zip(variables, inputs, strict=True)]
        values = op.updates(stage, space, outputs, current, node.params, training)
        by_name = dict(zip([declared.name for declared in op.inputs], variables, strict=False))
        if op.variadic is not None:
            by_name |= {str(i): variable for i, variable in enumerate(variables)}
        for name, value in values.items():
            variable = by_name[name]
            if variable is not None and variable.op is None:
                written[variable] = value
    return [Update(variable, value.entry, stage) for variable, value in written.items()]


def gradient_symbol(symbol: Any, wrt: list[str]) -> Any:
    """Return the symbol of the gradients of a symbol's outputs with respect to variables.

    Shapes must be known from the variables' ``__shape__`` attributes.
    """
    from ..pipeline import typed_graph

    names = symbol.list_inputs()
    graph = typed_graph(symbol, names, {}, {}, training=True)
    graph = differentiate(graph, [n in wrt for n in names])
    ones = {
        id(head): graph.make("ones_like", f"{head.name}_ones", [entry])
        for head, entry in zip(graph.head_gradients, graph.outputs, strict=True)
    }
    graph = graph.rewrite(lambda node, inputs: [ones[id(node)]] if id(node) in ones else None)
    by_name = dict(zip(names, graph.gradients, strict=True))
    entries = []
    for name in wrt:
        entry = by_name[name]
        if entry is None:
            entry = graph.make("zeros_like", f"{name}_grad", [(graph.inputs[names.index(name)], 0)])
        entries.append(entry)
    return type(symbol)(entries)
