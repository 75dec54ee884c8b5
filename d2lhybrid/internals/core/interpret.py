"""The reference interpreter, which runs a graph node by node, forward and backward.

The interpreter is simple and slow. Compiled programs must give the same results. The bodies of loops and branches
always run in the interpreter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy

from .gradient_starts import nodes_that_start
from .kernel_space import kernel_space
from .node import Entry, Node, program_order
from .reverse import walk_back

__all__ = ["interpret", "interpret_backward", "interpret_nodes"]

#: Values or gradients by entry.
Values = dict[Entry, Any]


def interpret(
    roots: Sequence[Entry], values: dict[Node, Any], training: bool = False, rng: Any = None, xp: Any = numpy
) -> list[Any]:
    """Compute the values of entries of a graph.

    Parameters
    ----------
    roots : sequence of Entry
        The entries to compute.
    values : dict of Node to array
        The values of the variables.
    training : bool
        Whether layers behave as in training.
    rng : Generator, optional
        The random generator for operators that draw random numbers.
    xp : module
        NumPy or CuPy.

    Returns
    -------
    list of array
        The value of each entry.
    """
    known = interpret_nodes(program_order(roots), values, training, rng, xp)
    return [known[n, i] for n, i in roots]


def interpret_nodes(
    order: Sequence[Node], values: dict[Node, Any], training: bool = False, rng: Any = None, xp: Any = numpy
) -> Values:
    """Compute the values of all outputs of a sequence of nodes.

    Parameters
    ----------
    order : sequence of Node
        The nodes in topological order.
    values, training, rng, xp
        As for :func:`interpret`.

    Returns
    -------
    dict of Entry to array
        The value of each entry.
    """
    known: Values = {}
    for node in order:
        op = node.op
        if op is None:
            known[node, 0] = values[node]
            continue
        extras: dict[str, Any] = {"training": training} if op.uses_training else {}
        if op.uses_generator:
            extras["rng"] = numpy.random.default_rng() if rng is None else rng
        arrays = op.arrange(node.params, [known[entry] for entry in node.inputs])
        result = op.kernel(xp, *arrays, **node.params, **extras)
        for i, value in enumerate(result if isinstance(result, tuple | list) else [result]):
            known[node, i] = value
    return known


def interpret_backward(
    order: Sequence[Node], known: Values, gradients: Values, training: bool = False, xp: Any = numpy,
    started: Collection[Node] = (),
) -> Values:  # fmt: skip
    """Compute the gradients of a graph's variables by reverse-mode differentiation.

    Parameters
    ----------
    order : sequence of Node
        The nodes in topological order.
    known : dict
        The result of :func:`interpret_nodes`.
    gradients : dict
        The incoming gradients of the results, by entry.
    training, xp
        As for :func:`interpret`.
    started : collection of Node
        The variables whose values come from another graph's loss operator, where backpropagation starts.

    Returns
    -------
    dict
        The gradients by entry; variables whose gradient is zero may be missing.
    """
    arrived = dict(gradients)
    F = kernel_space(xp)

    def vjp(node: Node, output_grads: list[Any]) -> tuple[Sequence[Entry], list[Any]]:
        op = node.op
        assert op is not None
        outputs = [known[node, i] for i in range(node.num_outputs)]
        inputs = op.arrange(node.params, [known[entry] for entry in node.inputs])
        grads = op.vjp(F, output_grads, outputs, inputs, node.params, (True,) * len(inputs), training)
        return node.inputs, op.pick(node.params, grads, len(node.inputs))

    nodes = [node for node in order if node.op is not None]
    zeros = lambda node, i: F.zeros_like(known[node.inputs[i]])  # noqa: E731
    walk_back(nodes[::-1], arrived, vjp, starting=nodes_that_start(nodes, started), zeros=zeros)
    return arrived
