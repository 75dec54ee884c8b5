"""How much memory a graph needs at least, known from its shapes before anything of it runs.

A file of a few kilobytes can describe forty concatenations of a value with itself. Running it would take the memory of
the whole machine with it, and the work of everybody on it; so the need is estimated first.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from ..formats.serialization import limits
from .graph import Graph
from .node import Entry, Node

__all__ = ["check_footprint", "graph_bytes", "least_bytes", "total_bytes"]


def least_bytes(order: Sequence[Node], outputs: Sequence[Entry], size_of: Callable[[Node, int], int]) -> int:
    """Return how many bytes are alive at once, at least, when a graph runs without a backward pass.

    Values are made in topological order and dropped after their last use. A value that a fused loop does not keep, and
    one that can take the place of an input that is dropped, costs nothing.

    Parameters
    ----------
    order : sequence of Node
        The nodes, inputs before users.
    outputs : sequence of Entry
        The results, which are kept.
    size_of : callable
        ``size_of(node, i)``: the bytes of an output.

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
            if size in room:  # it takes the place of an input
                room.remove(size)
                reused += size
            peak = max(peak, alive - reused)
            dropped.setdefault(ends[key], []).append(size)
        alive -= sum(dropped.pop(position, ()))
    return peak


def _last_uses(order: Sequence[Node], outputs: Sequence[Entry]) -> tuple[dict[Entry, int], set[Entry]]:
    """Return where each value is needed last, and which values only exist inside of a fused loop."""
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
                # What a fused loop reads is needed until the loop runs.
                end = max(end, ends[result] if result in inside else p)
            ends[key] = end
            only = set(users.get(key, ()))
            if _fused(node) and len(only) == 1 and _fused(order[only.pop()]):
                inside.add(key)
    return ends, inside


def _fused(node: Node) -> bool:
    return node.op is not None and node.op.elementwise


def graph_bytes(graph: Graph) -> int:
    """Return how many bytes a run of a graph needs at least, with its gradients if it has any."""
    return least_bytes(graph.nodes, graph.roots, functools.partial(_size, graph))


def _size(graph: Graph, node: Node, i: int) -> int:
    return graph.types[node, i].nbytes if (node, i) in graph.types else 0


def total_bytes(graph: Graph) -> int:
    """Return what all values that a graph computes take together: a program never needs more."""
    types, computed = graph.types, [node for node in graph.nodes if node.op is not None]
    return sum(types[n, i].nbytes for n in computed for i in range(n.num_outputs) if (n, i) in types)


def check_footprint(graph: Graph) -> None:
    """Raise an error if a graph needs more memory than :data:`~d2lhybrid.internals.formats.serialization.limits` allow.

    Raises
    ------
    MXNetError
        If so; it names the largest value, and says how to allow more.
    """
    if total_bytes(graph) <= limits.allowed_memory:  # more than it needs, and found quickly
        return
    needed = least_bytes(graph.nodes, graph.outputs, functools.partial(_size, graph))
    if needed > limits.allowed_memory:
        sizes = [(_size(graph, n, i), n.name) for n in graph.nodes if n.op is not None for i in range(n.num_outputs)]
        limits.check_memory(needed, f"the graph, whose largest value is that of {max(sizes)[1][:200]!r},")
