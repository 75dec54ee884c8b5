"""A pass that keeps the forward values of recurrent layers, so that the gradient nodes need not compute them again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...core.passes import looks_for
from ...ops.rnn import SETTINGS, rnn, rnn_gradient
from ...ops.rnn_kept import rnn_from_kept, rnn_keeping

__all__ = ["run_rnn_once", "runs_of"]
CHINESE = ("循环层只做一次前向传播", "循环层只做一次前向传播：保留算出的值，供求梯度用，否则反向传播时要再算一遍。")


def runs_of(graph: Graph) -> dict[Node, Node]:
    """Return, for each gradient node of recurrent layers, the forward node with the same inputs, if there is one."""
    forward = {_key(node, node.inputs): node for node in graph.nodes if node.op is rnn}
    found: dict[Node, Node] = {}
    for node in graph.nodes if forward else ():
        if node.op is not rnn_gradient:
            continue
        run = forward.get(_key(node, _given(node, node.inputs)))
        # With dropout, the last input, the masks, must come from this forward node.
        if run is not None and (not node.params["p"] or node.inputs[-1][0] is run):
            found[node] = run
    return found


def _given(node: Node, inputs: Sequence[Entry]) -> Sequence[Entry]:
    """Return the inputs that a gradient node shares with its forward node; they follow the gradients of the outputs."""
    first = rnn.num_visible_outputs(node.params)
    return inputs[first : first + len(rnn.list_inputs(node.params))]


def _key(node: Node, inputs: Sequence[Entry]) -> tuple[Any, ...]:
    """Return a key that is equal for a forward node and its gradient node."""
    return *inputs, *_settings(node).values()


@looks_for("_backward_RNN")
def run_rnn_once(graph: Graph) -> Graph:
    """Return the graph with recurrent layers that keep the forward values that their gradients need."""
    runs = runs_of(graph)
    if not runs:
        return graph
    made: dict[Node, Node | None] = dict.fromkeys(runs.values())

    def keeping(run: Node, inputs: Sequence[Entry]) -> Node:
        """Return the forward node that keeps values. The gradient node reads no output of it, so it may come first."""
        node = made[run]
        if node is None:
            node = made[run] = run.into(rnn_keeping, inputs, **_settings(run))
        return node

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if node in made:
            return [(keeping(node, inputs), i) for i in range(node.num_outputs)]
        if node in runs:
            run = keeping(runs[node], _given(node, inputs))
            kept = [(run, i) for i in range(runs[node].num_outputs, run.num_outputs)]
            gradient = node.into(rnn_from_kept, [*inputs, *kept], **_settings(node))
            return [(gradient, i) for i in range(node.num_outputs)]
        return None

    return graph.rewrite(rule, {})


def _settings(node: Node) -> dict[str, Any]:
    """Return the attributes that a forward node and its gradient node share."""
    assert node.op is not None
    attributes = node.op.complete(node.params)
    return {name: attributes[name] for name in SETTINGS}
