"""Differentiation: adds the backward pass to the graph as ordinary nodes.

The backward walk is the same as on the tape. From the outputs to the inputs, each operator's gradient rule runs once.
The function space ``F`` of a rule differs: its functions create nodes instead of computing arrays.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any

from ..control_flow_bodies import check_rows, has_bodies, reached_inputs
from ..gradient_starts import nodes_that_start
from ..graph import Graph, Update
from ..graph_space import GraphSpace, Value
from ..no_program import NoGradientError
from ..node import Entry, Node
from ..reverse import sums, walk_back
from ..sparse_rows import Source, sources_of
from ..state_writes import states_written

__all__ = ["backpropagate", "differentiate", "leading_to"]
CHINESE = ("求导", "求导：把反向传播加进计算图，成为普通的节点。")


def differentiate(graph: Graph, wanted: Sequence[bool], given: Sequence[bool] | None = None) -> Graph:
    """Return the graph with gradients for the wanted inputs.

    Parameters
    ----------
    graph : Graph
        The forward computation.
    wanted : sequence of bool
        Whether the gradient of each input is needed.
    given : sequence of bool, optional
        Whether a gradient arrives at each output; by default, True for all outputs.

    Returns
    -------
    Graph
        The graph with ``gradients``, ``head_gradients``, and the states that the backward pass updates.

    Raises
    ------
    NoProgramError
        If an operator has no gradient, or if a program can't compute the gradient.
    """
    space = GraphSpace(graph.types)
    leads_to_wanted = leading_to(graph.nodes, [n for n, w in zip(graph.inputs, wanted, strict=True) if w])
    arriving, heads = [], []
    for i, entry in enumerate(graph.outputs):
        if given is not None and not given[i]:
            continue
        head = Node(None, f"head_grad{i}")
        graph.types.set(head, [graph.types[entry]])
        heads.append(head)
        arriving.append((entry, space.wrap((head, 0))))
    arrived = sums(arriving)
    passed = backpropagate(space, graph.nodes, arrived, leads_to_wanted, graph.training)
    # in the order of the tape, from the newest call to the oldest
    updates = _moved_states(space, sorted(passed, key=lambda node: -node.order), graph.training)
    gradients = []
    for node, is_wanted in zip(graph.inputs, wanted, strict=True):
        value = arrived.get((node, 0)) if is_wanted else None
        gradients.append(None if value is None else value.entry)
    return graph.replace(
        gradients=tuple(gradients), head_gradients=tuple(heads), updates=graph.updates + tuple(updates),
        looked_up=_looked_up(graph, gradients, passed, given),
    )  # fmt: skip


def _looked_up(
    graph: Graph, gradients: Sequence[Entry | None], passed: Sequence[Node], given: Sequence[bool] | None
) -> tuple[Source, ...]:
    """Return the values that determine the stored rows of the gradients that are row-sparse in MXNet."""
    check_rows(passed)
    if not any(node.op is not None and node.op.looks_up for node in graph.nodes):
        return ()
    used, outputs = set(passed), set(graph.outputs)
    if given is not None and not all(given):  # MXNet passes zeros to the other outputs and differentiates them, too
        used |= {node for node, _ in outputs}
        for node in reversed(graph.nodes):
            if node in used and node.op is not None and node.op.gradient_rule is not None:
                used.update(child for child, _ in node.inputs)
    with_gradient = [node for node, gradient in zip(graph.inputs, gradients, strict=True) if gradient is not None]
    return tuple(source for node in with_gradient for source in sources_of(node, graph.users, used, outputs))


def backpropagate(
    space: GraphSpace, nodes: Sequence[Node], arrived: dict[Entry, Value], leading: set[Node], training: bool,
    started: Collection[Node] = (),
) -> list[Node]:  # fmt: skip
    """Run the gradient rules, and accumulate the gradients of each entry.

    Parameters
    ----------
    space : GraphSpace
        The function space, which creates nodes.
    nodes : sequence of Node
        The nodes in topological order.
    arrived : dict of Entry to Value
        The gradients by entry. Before the walk, the dictionary contains the gradients of the outputs.
    leading : set of Node
        The wanted variables, and the nodes whose values depend on them.
    training : bool
        Whether layers behave as in training.
    started : collection of Node
        The variables whose values come from another graph's loss operator, where backpropagation starts.

    Returns
    -------
    list of Node
        The nodes whose rules ran.

    Raises
    ------
    NoGradientError
        If a gradient reaches an operator whose gradient rule raises an error.
    GradientFromValuesError
        If values determine which inputs of a loop or branch have a gradient.
    """
    passed: list[Node] = []
    led = [node for node in nodes if node.op is not None and node in leading]
    starting = nodes_that_start(led, started)

    def vjp(node: Node, output_grads: list[Any]) -> tuple[Sequence[Entry], list[Any]]:
        op = node.op
        assert op is not None
        space.prefix, space.source = f"{node.name}_backward_", node.source
        outputs = [space.wrap((node, i)) for i in range(node.num_outputs)]
        inputs = op.arrange(node.params, [space.wrap(entry) for entry in node.inputs])
        needs = tuple(v is not None and v.entry[0] in leading for v in inputs)
        if op.refuses_gradient:
            raise NoGradientError(op.name, node.name)
        grads = op.vjp(space, output_grads, outputs, inputs, node.params, needs, training)
        if has_bodies(node):
            from ..reached_inputs import reach

            given = [g is not None for g in output_grads[: node.params["num_outputs"]]]
            of_losses = [child in starting for child, _ in node.inputs]
            make_reach = functools.partial(reach, training=training)
            reached = reached_inputs(node, given, needs, of_losses, space.types, make_reach)
            grads = [gradient if there else None for gradient, there in zip(grads, reached, strict=True)]
        passed.append(node)
        grads = op.pick(node.params, grads, len(node.inputs))
        return node.inputs, [g if child in leading else None for (child, _), g in zip(node.inputs, grads, strict=True)]

    # a loop propagates zeros in its steps; see reached_inputs
    zeros = lambda node, i: None if has_bodies(node) else space.zeros_like(space.wrap(node.inputs[i]))  # noqa: E731
    walk_back(led[::-1], arrived, vjp, starting=starting, zeros=zeros)
    return passed


def leading_to(nodes: Sequence[Node], wanted: Sequence[Node]) -> set[Node]:
    """Return the wanted variables and all nodes whose values depend on them.

    Parameters
    ----------
    nodes : sequence of Node
        The nodes of the graph in topological order.
    wanted : sequence of Node
        The variables whose gradients are needed.

    Returns
    -------
    set of Node
        The variables and nodes.
    """
    leading = set(wanted)
    for node in nodes:
        if node.op is not None and any(child in leading for child, _ in node.inputs):
            leading.add(node)
    return leading


def _moved_states(space: GraphSpace, nodes: Sequence[Node], training: bool) -> list[Update]:
    """Return the state updates of the backward pass (BatchNorm's running statistics), in order.

    Each update starts from the values of earlier updates, because a layer that is used twice updates its statistics
    twice.
    """
    written: dict[Node, Value] = {}
    for node in nodes:
        if node.op is None or node.op.backward_updates is None:
            continue
        current = [written.get(n) or space.wrap((n, i)) for n, i in node.inputs]
        written |= states_written(space, node, "backward", current, training)
    return [Update(variable, value.entry, "backward") for variable, value in written.items()]
