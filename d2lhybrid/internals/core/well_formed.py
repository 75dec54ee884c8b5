"""A check that the graph is well formed after a pass that a student wrote."""

from __future__ import annotations

from .graph import Graph

__all__ = ["check_graph"]


def check_graph(graph: Graph) -> None:
    """Verify that a graph is well formed.

    Parameters
    ----------
    graph : Graph
        The graph to verify.

    Raises
    ------
    AssertionError
        If a variable is not an input, if an entry does not exist, or if the shape of a gradient or a new state differs
        from that of its variable.
    """
    known = {*graph.inputs, *graph.head_gradients}
    for node in graph.nodes:
        assert node.op is not None or node in known, f"{node} is not an input"
        for child, index in node.inputs:
            assert 0 <= index < child.num_outputs, f"{node} uses output {index} of {child}"
    for node, gradient in zip(graph.inputs, graph.gradients, strict=False):
        if gradient is not None:
            expected, got = graph.types[node, 0], graph.types[gradient]
            assert expected.shape == got.shape, f"gradient of {node.name} is {got}, the input {expected}"
    for update in graph.updates:
        expected, got = graph.types[update.variable, 0], graph.types[update.value]
        assert expected.shape == got.shape, f"new value of {update.variable.name} is {got}, not {expected}"
