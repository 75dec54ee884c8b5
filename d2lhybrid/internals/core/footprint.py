"""A lower bound for the memory of a graph, computed from the graph's shapes before the graph runs.

A file of a few kilobytes can describe forty concatenations of a value with itself. Such a graph would exhaust the
machine's memory, and the operating system could terminate other processes. Therefore, a graph's memory is estimated
before it runs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from ..formats.serialization import limits
from .graph import Graph
from .node import Entry, Node

__all__ = ["check_footprint", "graph_bytes", "least_bytes", "total_bytes"]


def least_bytes(order: Sequence[Node], outputs: Sequence[Entry], size_of: Callable[[Node, int], int]) -> int:
    """Return a lower bound for the peak memory of a graph without a backward pass, in bytes.

    The bound assumes that values are computed in topological order and freed after their last use, and that a value
    needs no memory if it is inside a fused loop or can overwrite an input at the input's last use.

    Parameters
    ----------
    order : sequence of Node
        The nodes in topological order.
    outputs : sequence of Entry
        The results of the graph, whose memory is never reused.
    size_of : callable
        The function ``size_of(node, i)``, which returns the size of the node's output `i` in bytes.

    Returns
    -------
    int
        The bound in bytes.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> graph = sym.concat(sym.var("x"), sym.var("x"))
    >>> least_bytes(graph._nodes(), graph._entries, lambda node, i: 8 if node.op else 4)
    8
    """
    ends, inside = _last_uses(order, outputs)
    dropped: dict[int, list[int]] = {}
    sizes: dict[Entry, int] = {}
    alive = peak = 0
    for position, node in enumerate(order):
        if node.op is None:
            continue
        keys = {(n, i) for n, i in node.inputs}
        room, reused = [sizes[key] for key in keys if key in sizes and ends[key] == position], 0
        for i in range(node.num_outputs):
            key = node, i
            if key in inside:
                continue
            size = sizes[key] = size_of(node, i)
            alive += size
            if size in room:  # the output overwrites an input
                room.remove(size)
                reused += size
            peak = max(peak, alive - reused)
            dropped.setdefault(ends[key], []).append(size)
        alive -= sum(dropped.pop(position, ()))
    return peak


def _last_uses(order: Sequence[Node], outputs: Sequence[Entry]) -> tuple[dict[Entry, int], set[Entry]]:
    """Return the position of each value's last use, and the values that exist only inside a fused loop."""
    users: dict[Entry, list[int]] = {}
    for position, node in enumerate(order):
        for n, i in node.inputs:
            users.setdefault((n, i), []).append(position)
    ends: dict[Entry, int] = {(n, i): len(order) for n, i in outputs}
    inside: set[Entry] = set()
    for position in range(len(order) - 1, -1, -1):
        node = order[position]
        for i in range(node.num_outputs):
            key = node, i
            if key in ends:
                continue
            end = position
            for p in users.get(key, ()):
                result = order[p], 0
                # The inputs of a fused loop are live until the loop runs.
                end = max(end, ends[result] if result in inside else p)
            ends[key] = end
            only = set(users.get(key, ()))
            if _fused(node) and len(only) == 1 and _fused(order[only.pop()]):
                inside.add(key)
    return ends, inside


def _fused(node: Node) -> bool:
    return node.op is not None and node.op.elementwise


def graph_bytes(graph: Graph) -> int:
    """Return a lower bound for the peak memory of running a graph and computing its gradients, in bytes.

    Parameters
    ----------
    graph : Graph
        The graph, with types and, possibly, gradients.

    Returns
    -------
    int
        The bound in bytes.
    """
    return least_bytes(graph.nodes, graph.roots, functools.partial(_size, graph))


def _size(graph: Graph, node: Node, i: int) -> int:
    return graph.types[node, i].nbytes if (node, i) in graph.types else 0


def total_bytes(graph: Graph) -> int:
    """Return the total size in bytes of all values that a graph computes, an upper bound for a program's memory.

    Parameters
    ----------
    graph : Graph
        The graph, with types.

    Returns
    -------
    int
        The size in bytes.
    """
    types, computed = graph.types, [node for node in graph.nodes if node.op is not None]
    return sum(types[n, i].nbytes for n in computed for i in range(n.num_outputs) if (n, i) in types)


def check_footprint(graph: Graph) -> None:
    """Check that a graph needs no more memory than :mod:`~d2lhybrid.internals.formats.serialization.limits` allows.

    Parameters
    ----------
    graph : Graph
        The graph to check.

    Raises
    ------
    MXNetError
        If the graph needs more memory than the limit. The message names the largest value, and a note says how to raise
        the limit.
    """
    if total_bytes(graph) <= limits.allowed_memory:  # a cheap upper bound first
        return
    needed = least_bytes(graph.nodes, graph.outputs, functools.partial(_size, graph))
    if needed > limits.allowed_memory:
        sizes = [(_size(graph, n, i), n.name) for n in graph.nodes if n.op is not None for i in range(n.num_outputs)]
        limits.check_memory(needed, f"the graph, whose largest value is that of {max(sizes)[1][:200]!r},")
