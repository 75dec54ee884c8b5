"""Losses that start a gradient even if no gradient arrives, and the operators that depend on these losses.

As in MXNet, ``BlockGrad`` and other operators without a gradient propagate zeros, so that a ``SoftmaxOutput`` before
them still starts its gradient. If no input depends on such a loss, operators without a gradient propagate nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = ["calls_that_start", "nodes_that_start", "zeros_for"]


def nodes_that_start(nodes: Iterable[Any], variables: Iterable[Any] = ()) -> set[Any]:
    """Return the nodes of a graph that start a gradient, and all nodes that depend on such a node.

    Parameters
    ----------
    nodes : iterable of Node
        The nodes of the graph in topological order.
    variables : iterable of Node
        The variables of the graph whose values depend on such a node of another graph.

    Returns
    -------
    set of Node
        The nodes that start a gradient or depend on such a node.
    """
    nodes = [node for node in nodes if node.op is not None]
    starts = [*variables, *(n for n in nodes if n.op.starts(n.params))]
    return _with_users(starts, nodes, lambda n: [child for child, _ in n.inputs])


def calls_that_start(calls: Sequence[Any]) -> set[Any]:
    """Return the calls on the tape that start a gradient, and all calls that depend on such a call.

    Parameters
    ----------
    calls : sequence of TapeNode
        The calls on the tape, from the newest to the oldest.

    Returns
    -------
    set of TapeNode
        The calls that start a gradient or depend on such a call.
    """
    starts = [call for call in calls if call.starts]
    return _with_users(starts, calls[::-1] if starts else calls, lambda call: [ref[0] for ref in call.parents if ref])


def zeros_for(F: Any, raw: bool) -> Callable[[Any, int], Any]:
    """Return the function ``zeros(call, i)``, which makes zeros in the shape of a recorded call's input `i`.

    ``zeros`` returns None if the call didn't keep its inputs.

    Parameters
    ----------
    F : RecordedSpace
        All operators as functions of arrays.
    raw : bool
        Whether the function returns raw arrays.

    Returns
    -------
    callable
        The function ``zeros``.
    """

    def zeros(call: Any, i: int) -> Any:
        made = F.zeros_like(call.arrays[i]) if i < len(call.arrays) else None
        return made._data if raw and made is not None else made

    return zeros


def _with_users(starts: Sequence[Any], nodes: Iterable[Any], before: Callable[[Any], Iterable[Any]]) -> set[Any]:
    found = set(starts)
    for node in nodes if found else ():
        if not found.isdisjoint(before(node)):
            found.add(node)
    return found
