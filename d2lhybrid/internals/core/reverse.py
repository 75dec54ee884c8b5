"""The backward walk, which propagates gradients from the results of a computation to its inputs.

The walk is independent of arrays and operators, and has three users. The tape walks over its calls with raw arrays, or
with recorded arrays if the gradient will be differentiated again. The compiler walks over a graph with values that
create nodes. The interpreter walks over a graph, such as the body of a loop, with raw arrays.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

__all__ = ["sums", "walk_back"]


def sums(arriving: Iterable[tuple[Any, Any]], add: Callable[[Any, Any], Any] = operator.add) -> dict[Any, Any]:
    """Return the sum of the gradients that arrive at each entry.

    Parameters
    ----------
    arriving : iterable of (entry, gradient)
        Pairs of an entry and a gradient that arrives at the entry.
    add : callable
        Function that returns the sum of two gradients.

    Returns
    -------
    dict
        The sum by entry.

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
    """Run each node's gradient rule, and add the resulting gradients to the totals of the node's inputs.

    Parameters
    ----------
    nodes : iterable of node
        The calls or operators, each after all of its users. A node has the attribute ``num_outputs``.
    arrived : dict
        The gradients by entry, that is, by (node, output index). Before the walk, the dictionary contains the gradients
        of the results; after the walk, those of entries outside of `nodes`. The walk drops a gradient after its use to
        free memory.
    vjp : callable
        The function ``vjp(node, output_grads) -> (entries, gradients)``, which returns the entries that the node reads
        and the gradient of each entry, a vector-Jacobian product. Entries and gradients may be None.
    keep : collection of node
        The nodes whose gradients remain in `arrived`.
    add : callable
        A function that returns the sum of two gradients of one entry.
    starting : collection of node
        The nodes that start a gradient or depend on such a node. These nodes always get a gradient, even if it is all
        zeros.
    zeros : callable, optional
        The function ``zeros(node, i)``, which returns zeros for the node's input `i`. The walk calls ``zeros`` if the
        node of this input is in `starting` and the rule returns None as the gradient.

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
