"""The inputs of a loop or a branch that have a gradient, found by differentiating the body."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from .control_flow_bodies import Reach
from .graph import TypeTable
from .graph_space import GraphSpace
from .node import Node
from .passes.differentiate import backpropagate, leading_to
from .reverse import sums
from .subgraph import Subgraph

__all__ = ["reach"]


def reach(body: Subgraph, types: TypeTable, wanted: Sequence[bool], training: bool) -> Reach:
    """Return a function that determines which variables of a body have a gradient.

    The function differentiates the body.

    Parameters
    ----------
    body : Subgraph
        The body of a loop or a branch.
    types : TypeTable
        Types of the body's entries.
    wanted : sequence of bool
        Whether the gradient of each variable is needed.
    training : bool
        Whether layers behave as in training.

    Returns
    -------
    callable
        The function ``reached(given, started)``, which returns whether each variable has a gradient. `given` contains
        whether each result has a gradient. `started` contains the variables whose values come from another graph's
        loss operator; empty by default.
    """
    leading = leading_to(body.order, [v for v, w in zip(body.variables, wanted, strict=True) if w])

    @functools.cache
    def reached(given: tuple[bool, ...], started: frozenset[Node] = frozenset()) -> tuple[bool, ...]:
        space = GraphSpace(types)
        arriving = []
        for entry, there in zip(body.entries, given, strict=True):
            if there:
                head = Node(None, "head_grad")
                types.set(head, [types[entry]])
                arriving.append((entry, space.wrap((head, 0))))
        arrived = sums(arriving)
        backpropagate(space, body.order, arrived, leading, training, started)
        return tuple((variable, 0) in arrived for variable in body.variables)

    return reached
