"""Division of a graph before its large parameters: ONNX Runtime runs the first part, and oneDNN runs the rest.

A session of ONNX Runtime copies its parameters. In AlexNet and VGG, the convolutions take most of the time, and the
dense layers at the end contain most of the parameters. After a division, the session copies only the parameters of the
convolutions, and the time of a call is the same.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

from ..internals.core.graph import Graph
from ..internals.core.node import Entry, Node
from ..internals.reports.costs import flops_of

__all__ = ["LARGE", "WORTH_A_SESSION", "Division", "divide"]

#: The size in bytes from which a parameter stays outside the session.
LARGE = 16 << 20
#: The smallest number of operations in convolutions for which the first part runs in a session.
WORTH_A_SESSION = 1 << 24


class Division(NamedTuple):
    """The two parts of a graph.

    Attributes
    ----------
    front : Graph
        The operators before all large parameters, and all updates of states.
    rest : Graph
        The operators that use a large parameter, and all operators that depend on them. The inputs of this part are a
        variable for each output of ``front``, followed by the inputs of the whole graph.
    """

    front: Graph
    rest: Graph


def divide(graph: Graph) -> Division | None:
    """Divide a graph before the first operators that use a large parameter.

    Parameters
    ----------
    graph : Graph
        The traced graph, in prediction mode.

    Returns
    -------
    Division or None
        The two parts; None if no operator uses a large parameter, or the convolutions in the first part are too small
        for a session to pay off.
    """
    parameters = {n for n in graph.inputs[graph.num_data :] if graph.types[n, 0].nbytes >= LARGE}
    behind: set[Node] = set()
    for node in graph.nodes:
        if any(child in behind or child in parameters for child, _ in node.inputs):
            behind.add(node)
    if not behind or any(update.value[0] in behind for update in graph.updates):
        return None
    before = [node for node in graph.nodes if node not in behind]
    convolutions = [node for node in before if node.op is not None and node.op.name == "Convolution"]
    if sum(flops_of(node, graph.types) for node in convolutions) < WORTH_A_SESSION:
        return None
    read = itertools.chain(graph.outputs, *(node.inputs for node in graph.nodes if node in behind))
    cut = [*dict.fromkeys(entry for entry in read if entry[0].op is not None and entry[0] not in behind)]
    variables = {entry: (_variable(graph, entry), 0) for entry in cut}

    def rule(node: Node, inputs: tuple[Entry, ...]) -> list[Entry] | None:
        if node.op is None or node in behind:
            return None
        return [variables.get((node, i), (node, i)) for i in range(node.num_outputs)]

    front = graph.replace(outputs=tuple(cut))
    inputs = (*(variable for variable, _ in variables.values()), *graph.inputs)
    rest = graph.rewrite(rule).replace(inputs=inputs, num_data=len(cut) + graph.num_data, updates=())
    return Division(_without_unused_inputs(front), rest)


def _variable(graph: Graph, entry: Entry) -> Node:
    """Return a variable for an output of the first part."""
    node, i = entry
    variable = Node(None, f"{node.name}_output{i}")
    graph.types.set(variable, [graph.types[entry]])
    return variable


def _without_unused_inputs(graph: Graph) -> Graph:
    used = {*graph.nodes, *(update.variable for update in graph.updates)}
    data = [node for node in graph.inputs[: graph.num_data] if node in used]
    parameters = [node for node in graph.inputs[graph.num_data :] if node in used]
    return graph.replace(inputs=(*data, *parameters), num_data=len(data))
