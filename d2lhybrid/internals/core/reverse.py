"""The reverse walk: how a gradient goes from the results of a computation back to what it began with.

It is written once, and knows neither arrays nor operators. The tape walks over its calls with raw arrays, or with
recorded arrays where the gradient is to be differentiated again; the compiler walks over a graph with values that make
nodes; the body of a loop is walked over with whatever its loop runs on.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

__all__ = ["sums", "walk_back"]


def sums(arriving: Iterable[tuple[Any, Any]], add: Callable[[Any, Any], Any] = operator.add) -> dict[Any, Any]:
    """Return the sum of the gradients that arrive at each entry, given as pairs.

    Examples
    --------
    >>> sums([("y", 1.0), ("z", 2.0), ("y", 3.0)])
    {'y': 4.0, 'z': 2.0}
    """
    total: dict[Any, Any] = {}
    for entry, gradient in arriving:
        total[entry] = add(total[entry], gradient) if entry in total else gradient
    return total


def walk_back(
    nodes: Iterable[Any],
    arrived: dict[Any, Any],
    vjp: Callable[[Any, list[Any]], tuple[Sequence[Any], Sequence[Any]]],
    keep: Collection[Any] = (),
    add: Callable[[Any, Any], Any] = operator.add,
    starting: Collection[Any] = (),
    zeros: Callable[[Any, int], Any] | None = None,
) -> None:
    """Take each node's gradients, and add what its rule makes of them to what has arrived before it.

    Parameters
    ----------
    nodes : iterable of node
        Calls or operators, each after all that use it. A node has ``num_outputs``.
    arrived : dict
        Gradients by entry, that is by (node, number of its output): those of the results at first, at the end those of
        whatever is not among the nodes. What a node was given is dropped once it is used, and its memory with it.
    vjp : callable
        ``vjp(node, output_grads) -> (entries, gradients)``: the entries that the node has read, and for each its
        gradient, a vector-Jacobian product. Of either None says that there is none.
    keep : collection of node
        Nodes whose gradients are wanted at the end, too.
    add : callable
        The sum of two gradients of one entry.
    starting, zeros : collection of node, callable
        Nodes that go back whatever arrives, and ``zeros(node, i)`` for an input that is one and gets None.

    Examples
    --------
    The gradient of ``x * x``, with numbers:

    >>> class Product:
    ...     num_outputs = 1
    >>> square = Product()
    >>> arrived = {(square, 0): 1.0}
    >>> walk_back([square], arrived, lambda node, grads: ([("x", 0), ("x", 0)], [3.0 * grads[0], 3.0 * grads[0]]))
    >>> arrived
    {('x', 0): 6.0}
    """
    for node in nodes:
        take = arrived.get if node in keep else arrived.pop
        output_grads = [take((node, i), None) for i in range(node.num_outputs)]
        if all(gradient is None for gradient in output_grads):
            continue
        for i, (entry, gradient) in enumerate(zip(*vjp(node, output_grads), strict=True)):
            if gradient is None and zeros is not None and entry is not None and entry[0] in starting:
                gradient = zeros(node, i)
            if entry is not None and gradient is not None:
                arrived[entry] = add(arrived[entry], gradient) if entry in arrived else gradient
