"""State updates in a graph, and later reads of the updated states.

In eager mode, after an operator has written into an array (such as BatchNorm's fixed gamma), all later calls read the
new value. A program writes states back at its end, so reads after a write are redirected to the written value.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from .graph import Graph, Update
from .graph_space import GraphSpace, Value
from .node import Entry, Node
from .operator import get_operator

__all__ = ["states_written", "with_written_states"]


def with_written_states(graph: Graph) -> Graph:
    """Return a traced graph to which the state updates of the forward pass have been added.

    Parameters
    ----------
    graph : Graph
        The traced graph.

    Returns
    -------
    Graph
        The new graph.
    """
    space, types = GraphSpace(graph.types), graph.types
    new: dict[Entry, Entry] = {}  # the current replacement of an entry
    written: dict[Node, Value] = {}
    for node in _as_it_ran(graph.nodes):
        if node.op is None:
            continue
        inputs = tuple(new.get(entry, entry) for entry in node.inputs)
        kept = node
        if inputs != node.inputs:
            kept = node.with_inputs(inputs)
            types.set(kept, [types[node, i] for i in range(node.num_outputs)])
            new |= {(node, i): (kept, i) for i in range(node.num_outputs)}
        if node.op.forward_updates is None:
            continue
        values = states_written(space, kept, "forward", [space.wrap(entry) for entry in inputs], graph.training)
        for variable, value in values.items():
            name, read = f"{node.name}_written", (value.entry, (variable, 0))
            late = Node(get_operator("_written"), name, read, source=node.source, order=node.order)
            new[variable, 0] = late, 0
        written |= values
    return graph.replace(
        outputs=tuple(new.get(entry, entry) for entry in graph.outputs),
        updates=tuple(Update(variable, value.entry, "forward") for variable, value in written.items()),
    )


def states_written(
    space: GraphSpace, node: Node, stage: str, current: Sequence[Value], training: bool
) -> dict[Node, Value]:
    """Return the values that a node's operator writes into variables.

    Parameters
    ----------
    space : GraphSpace
        The function space, which creates the nodes of the new values.
    node : Node
        The node whose operator writes.
    stage : {"forward", "backward"}
        The pass in which the operator writes.
    current : sequence of Value
        The current values of the node's inputs.
    training : bool
        Whether layers behave as in training.

    Returns
    -------
    dict of Node to Value
        The new value of each variable.
    """
    op = node.op
    assert op is not None
    space.prefix, space.source = f"{node.name}_" if stage == "forward" else f"{node.name}_backward_", node.source
    variables = op.arrange(node.params, [_variable(entry) for entry in node.inputs])
    outputs = [space.wrap((node, i)) for i in range(node.num_outputs)]
    values = op.updates(stage, space, outputs, op.arrange(node.params, list(current)), node.params, training)
    places = {declared.name: i for i, declared in enumerate(op.inputs)}
    found = {variables[places[name] if name in places else int(name)]: value for name, value in values.items()}
    return {variable: value for variable, value in found.items() if variable is not None}


def _variable(entry: Entry) -> Node | None:
    """Return the variable that an entry represents, or None if the entry is computed."""
    node = entry[0]
    if node.op is not None and node.op.name == "_written":
        node = node.inputs[1][0]
    return node if node.op is None else None


def _as_it_ran(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield nodes in the order of the traced code, each after its inputs."""
    place = {node: i for i, node in enumerate(nodes)}
    missing = {node: len({child for child, _ in node.inputs}) for node in nodes}
    users: dict[Node, list[Node]] = {node: [] for node in nodes}
    for node in nodes:
        for child in {child for child, _ in node.inputs}:
            users[child].append(node)
    ready = [(node.order, place[node]) for node in nodes if not missing[node]]
    heapq.heapify(ready)
    while ready:
        node = nodes[heapq.heappop(ready)[1]]
        yield node
        for user in users[node]:
            missing[user] -= 1
            if not missing[user]:
                heapq.heappush(ready, (user.order, place[user]))
