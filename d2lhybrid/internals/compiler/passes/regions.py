"""Regions: sets of operators that become one node, whose function a backend writes.

A region is *convex*: no path leaves the region and comes back to it. A region that isn't convex couldn't run as one
node. All operators of a region have the same *kind*, which is the shape and element type of their iteration space.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node, topological_order
from ...core.operator import Array, operator
from ..emitter import Emitter

__all__ = ["RegionBody", "edges_of", "find_regions", "fused", "replace_regions"]

#: The number of newer regions after which a region takes no more members, so that the search takes linear time.
OPEN_REGIONS = 64


class RegionBody:
    """The body of a fused node.

    Attributes
    ----------
    nodes : tuple of Node
        The operators in topological order.
    inputs, outputs : tuple of Entry
        The entries outside the region that the region reads, and the values of the region that are used outside.
    types : list of TensorType
        The types of the outputs.
    run : callable
        The function from the inputs to an array or a tuple of arrays, with the destinations ``out0_given=``,
        ``out1_given=``, and so on as keywords.
    label : str
        The name of the function in a program.
    threaded : bool
        Whether the region's matrix products are large enough for several threads of NumPy's linear algebra library.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[Entry, ...]
    outputs: tuple[Entry, ...]
    types: list[TensorType]
    run: Callable[..., Any]
    label: str = "fused"
    threaded: bool = False

    def known(self, arrays: Sequence[Any]) -> dict[Entry, Any]:
        """Return the values outside the region that the region reads, by entry.

        Parameters
        ----------
        arrays : sequence of array
            The inputs of the region.

        Returns
        -------
        dict of Entry to array
            The values by entry.
        """
        return dict(zip([(n, i) for n, i in self.inputs], arrays, strict=True))


@operator("_fused", outputs=lambda body=None, **_: len(body.types), fresh=True)
def fused(xp, *data: Array, body: Any = None):
    """Evaluate a region of operators with one function, or operator by operator on a GPU.

    Parameters
    ----------
    *data : array
        The inputs of the region.
    body : RegionBody
        The region.

    Returns
    -------
    array or tuple of array
        The outputs of the region.
    """
    if xp is numpy:
        return body.run(*data)
    known = body.known(data)
    for node in body.nodes:
        arrays = [known[c, i] for c, i in node.inputs]
        known[node, 0] = node.op.kernel(xp, *arrays, **node.params)
    results = [known[n, i] for n, i in body.outputs]
    return results[0] if len(results) == 1 else tuple(results)


fused.differentiable = False  # the operator is created after differentiation
fused.family = "elementwise"
fused.infer_shape(lambda *shapes, body, **_: (list(shapes), [t.shape for t in body.types]))
fused.infer_type(lambda *dtypes, body, **_: (list(dtypes), [t.dtype for t in body.types]))


@fused.numpy_lowering
def _(emit: Emitter) -> None:
    """Emit a call of the region's function, and pass the destinations that its results have."""
    run = emit.host.bound((body := emit.node.params["body"]).label, body.run)
    if any(name in emit.host.static for name in emit.outs):
        places = [f"out{i}_given={emit.memory(i)}" for i in range(len(emit.outs))]
        emit.line(f"{run}({', '.join([*emit.arguments, *places])})")
    else:
        emit.line(f"{', '.join(emit.outs)} = {run}({', '.join(emit.arguments)})")


def find_regions(
    graph: Graph,
    kind_of: Callable[[Node], TensorType | None],
    begins: Callable[[Node], bool] = lambda node: False,
) -> list[list[Node]]:
    """Return regions of a graph: connected, convex sets of nodes whose iteration spaces are equal.

    Parameters
    ----------
    graph : Graph
        The graph to search.
    kind_of : callable
        A function that returns the shape and element type of a node's iteration space, or None to exclude the node.
    begins : callable, optional
        A function that returns whether an element of a node depends on input elements at other positions. The inputs of
        such a node must be outside the node's region.

    Returns
    -------
    list of list of Node
        The regions.
    """
    return _without_circles(graph, _Search(graph).run(kind_of, begins))


class _Search:
    """A search in topological order: each node joins the regions of its inputs, or begins a new region.

    A region has a number. A region that has absorbed other regions has their numbers, too.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.region: dict[Node, int] = {}
        self.members: list[list[Node]] = []
        self.kinds: list[TensorType] = []
        #: The numbers of each region, and of the regions that its members depend on through paths outside of it.
        self.numbers: list[set[int]] = []
        self.needed: list[set[int]] = []
        #: The regions that a node depends on through paths outside of its own region.
        self.outside: dict[Node, frozenset[int]] = {}
        forward = graph.outputs + tuple(u.value for u in graph.updates if u.stage == "forward")
        self.in_forward = set(topological_order(forward))  # forward and backward nodes go into two functions

    def run(self, kind_of: Callable[[Node], TensorType | None], begins: Callable[[Node], bool]) -> list[list[Node]]:
        """Return the regions in topological order; some of them may be empty."""
        position = {}
        for node in self.graph.nodes:
            position[node] = len(position)
            open_from = len(self.members) - OPEN_REGIONS
            through = {r for c, _ in node.inputs for r in self.outside[c] if r >= open_from}
            through.update(self.region[c] for c, _ in node.inputs if c in self.region)
            kind = kind_of(node)
            if kind is not None:
                mine = self.place(node, kind, begins(node))
                through -= self.numbers[mine]
                self.needed[mine] |= through
            self.outside[node] = frozenset(through)
        return [sorted(nodes, key=lambda n: position[n]) for nodes in self.members]

    def place(self, node: Node, kind: TensorType, begins: bool) -> int:
        """Put a node into the merged regions of its inputs if possible, or into a new region; return its number."""
        candidates = dict.fromkeys(self.region[c] for c, _ in node.inputs if c in self.region)
        joined = [] if begins else [r for r in candidates if self.may_join(r, node, kind)]
        if not joined:
            joined = [len(self.members)]
            self.members.append([])
            self.kinds.append(kind)
            self.numbers.append({joined[0]})
            self.needed.append(set())
        mine = joined[0]
        for other in joined[1:]:
            if not (self.numbers[mine] & self.needed[other] or self.numbers[other] & self.needed[mine]):
                self.take_in(mine, other)
        self.region[node] = mine
        self.members[mine].append(node)
        return mine

    def may_join(self, candidate: int, node: Node, kind: TensorType) -> bool:
        """Return whether a region with this kind remains convex with a node."""
        numbers = self.numbers[candidate]
        if self.kinds[candidate] != kind or min(numbers) < len(self.members) - OPEN_REGIONS:
            return False
        if (self.members[candidate][0] in self.in_forward) != (node in self.in_forward):
            return False
        others = [c for c, _ in node.inputs if self.region.get(c) != candidate]
        return all(numbers.isdisjoint(self.outside[c]) for c in others)  # no path leaves the region and comes back

    def take_in(self, mine: int, other: int) -> None:
        """Merge two regions that don't depend on each other."""
        for node in self.members[other]:
            self.region[node] = mine
        self.members[mine] += self.members[other]
        self.members[other] = []
        self.numbers[mine] |= self.numbers[other]
        self.needed[mine] |= self.needed[other]


def _without_circles(graph: Graph, regions: list[list[Node]]) -> list[list[Node]]:
    """Return the regions; one region of each dependency cycle is divided.

    Even if each region is convex, two regions may depend on each other through different members.
    """
    while sum(len(nodes) > 1 for nodes in regions) > 1:
        region_of = {n: i for i, nodes in enumerate(regions) for n in nodes}
        circle = _find_circle(graph, region_of)
        if not circle:
            break
        divided = min((i for i in circle if len(regions[i]) > 1), key=lambda i: len(regions[i]))
        regions = [nodes for i, nodes in enumerate(regions) if i != divided] + [[n] for n in regions[divided]]
    return regions


def _find_circle(graph: Graph, region_of: dict[Node, int]) -> list[int]:
    """Return the numbers of the regions in a dependency cycle; empty if there is none."""
    needed: dict[int | Node, dict[int | Node, None]] = {}
    users: dict[int | Node, list[int | Node]] = {}
    for node in graph.nodes:
        mine = region_of.get(node, node)
        before = needed.setdefault(mine, {})
        for child, _ in node.inputs:
            other = region_of.get(child, child)
            if other != mine and other not in before:
                before[other] = None
                users.setdefault(other, []).append(mine)
    waits_for = {unit: len(before) for unit, before in needed.items()}
    ready = [unit for unit, count in waits_for.items() if not count]
    for unit in ready:  # the list grows during the loop
        for user in users.get(unit, ()):
            waits_for[user] -= 1
            if not waits_for[user]:
                ready.append(user)
    unit = next((unit for unit, count in waits_for.items() if count), None)
    way: dict[int | Node, int] = {}
    while unit is not None and unit not in way:  # walks from a unit to one of its dependencies
        way[unit] = len(way)
        unit = next(before for before in needed[unit] if waits_for[before])
    return [] if unit is None else [u for u, place in way.items() if place >= way[unit] and isinstance(u, int)]


def edges_of(graph: Graph, nodes: Sequence[Node], wanted: Collection[Node]) -> tuple[list[Entry], list[Entry]]:
    """Return the entries outside a region that the region reads, and the region's values that are used outside.

    Parameters
    ----------
    graph : Graph
        The graph of the region.
    nodes : sequence of Node
        The members of the region, each with one output.
    wanted : collection of Node
        The nodes whose values are results of the graph.

    Returns
    -------
    tuple of (list of Entry, list of Entry)
        The inputs and the outputs of the region.
    """
    inside = set(nodes)
    inputs = list(dict.fromkeys((c, i) for n in nodes for c, i in n.inputs if c not in inside))
    outputs = [(n, 0) for n in nodes if n in wanted or any(user not in inside for user in graph.users.get(n, []))]
    return inputs, outputs


def replace_regions(
    graph: Graph,
    regions: Sequence[list[Node]],
    make_body: Callable[[list[Node], list[Entry], list[Entry]], RegionBody],
) -> Graph:
    """Return the graph with each region as one node.

    Parameters
    ----------
    graph : Graph
        The graph of the regions.
    regions : sequence of list of Node
        The regions, which are disjoint and convex.
    make_body : callable
        A function that makes the body of a region from its nodes, inputs, and outputs.

    Returns
    -------
    Graph
        The new graph, or the same graph if there are no regions.
    """
    if not regions:
        return graph
    region_of = {n: nodes for nodes in regions for n in nodes}
    wanted = {n for n, _ in graph.roots}
    new: dict[Node, Sequence[Entry]] = {}

    def needs(node: Node) -> list[Node]:
        """Return the dependencies of a node, or of the region that contains it."""
        group = region_of.get(node, [node])
        inside = set(group)
        return [c for n in group for c, _ in n.inputs if c not in inside and c not in new]

    stack = list(reversed(graph.nodes))
    while stack:
        node = stack[-1]
        if node in new:
            stack.pop()
            continue
        missing = needs(node)
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if node in region_of:
            _replace(graph, region_of[node], make_body, new, wanted)
            continue
        inputs = tuple(new[c][i] for c, i in node.inputs)
        same = all(a is c and b == d for (a, b), (c, d) in zip(inputs, node.inputs, strict=True))
        kept = node if same else node.with_inputs(inputs)
        if not same:
            graph.types.set(kept, [graph.types[node, i] for i in range(node.num_outputs)])
        new[node] = [(kept, i) for i in range(node.num_outputs)]

    def at(entry: Entry) -> Entry:
        return new[entry[0]][entry[1]]

    return graph.replace(
        outputs=tuple(at(e) for e in graph.outputs),
        gradients=tuple(None if e is None else at(e) for e in graph.gradients),
        updates=tuple(u._replace(value=at(u.value)) for u in graph.updates),
        looked_up=tuple(source._replace(value=at(source.value)) for source in graph.looked_up),
    )


def _replace(
    graph: Graph, nodes: list[Node], make_body: Any, new: dict[Node, Sequence[Entry]], wanted: set[Node]
) -> None:
    inputs, outputs = edges_of(graph, nodes, wanted)
    body = make_body(nodes, inputs, outputs)
    entries = tuple(new[c][i] for c, i in inputs)
    node = nodes[-1].into(fused, entries, "_fused", body=body)
    graph.types.set(node, [graph.types[e] for e in outputs])
    position = {n: i for i, (n, _) in enumerate(outputs)}
    for n in nodes:
        new[n] = [(node, position.get(n, 0))]
