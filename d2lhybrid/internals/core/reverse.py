"""The backward walk: propagates gradients from the results of a computation to its inputs.

It is written once and knows neither arrays nor operators. The tape walks over its calls with raw arrays, or with
recorded arrays if the gradient is to be differentiated again. The compiler walks over a graph with values that create
nodes. The body of a loop is walked over with the arrays of its loop.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

__all__ = ["sums", "walk_back"]


def sums(arriving: Iterable[tuple[Any, Any]], add: Callable[[Any, Any], Any] = operator.add) -> dict[Any, Any]:
    """Return the sum of the gradients that arrive at each entry, from (entry, gradient) pairs.

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
    """Run each node's gradient rule and accumulate the results at the node's inputs.

    Parameters
    ----------
    nodes : iterable of node
        Calls or operators, each after all that use it. A node has ``num_outputs``.
    arrived : dict
        Gradients by entry, that is by (node, output index): at first those of the results, at the end those of entries
        outside of `nodes`. A gradient is dropped after its use, and its memory freed.
    vjp : callable
        ``vjp(node, output_grads) -> (entries, gradients)``: the entries that the node reads, and for each its
        gradient, a vector-Jacobian product. Both may contain None.
    keep : collection of node
        Nodes whose gradients are also wanted at the end.
    add : callable
        Returns the sum of two gradients of one entry.
    starting, zeros : collection of node, callable
        Nodes whose rules run regardless of incoming gradients, and ``zeros(node, i)`` for an input among them that
        gets None.

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
