"""A layered layout of directed graphs: the positions of boxes and the routes of edges.

The method is Sugiyama's, in five steps, each iterative, so that the depth of graphs is not limited:
break cycles, assign ranks, insert dummy nodes where an edge crosses a rank, order the ranks by
barycenters to reduce crossings, and move boxes horizontally to straighten edges where the order
permits. The result depends on the names of the nodes, not on their order.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..support.natural_order import natural_key

__all__ = ["Layout", "LayoutEdge", "layered_layout"]

#: With more dummy nodes than this, the longest edges are drawn as straight lines.
MAX_DUMMIES = 12_000
#: With more ranks than this, a layout is compressed towards its middle.
DEEP = 25
#: Parts of a long edge that deviate from a vertical line by less than half of this are drawn as a vertical line.
_STRAIGHT = 4.0

Point = tuple[float, float]


class LayoutEdge(NamedTuple):
    """An edge of a graph to lay out.

    Attributes
    ----------
    tail, head : str
        Names of the nodes.
    net : str
        Name of the value. Edges with the same value leave their tail at the same point.
    tail_dx, head_dx : float or None
        Horizontal offset of the ends from the center of the node; None lets the layout choose.
    """

    tail: str
    head: str
    net: str = ""
    tail_dx: float | None = None
    head_dx: float | None = None


class Layout(NamedTuple):
    """The positions in a drawing; x points right, y points down, and the origin is the upper left corner.

    Attributes
    ----------
    width, height : float
        Size of the drawing.
    centers : dict of str to tuple
        Center of each node.
    routes : dict of LayoutEdge to list of tuple
        Points from the tail to the head. Between two points at different heights, an edge is a curve
        with vertical ends.
    """

    width: float
    height: float
    centers: dict[str, Point]
    routes: dict[LayoutEdge, list[Point]]


class _Chain(NamedTuple):
    """The path of an edge through the ranks, from its upper to its lower end."""

    edge: LayoutEdge
    items: list[int]
    reversed: bool


class _Ranked:
    """Nodes and dummy nodes with ranks, indexed from 0, with the nodes first."""

    def __init__(self, names: list[str], widths: list[float], ranks: list[int]) -> None:
        self.names, self.widths, self.ranks = names, widths, ranks
        self.num_nodes = len(names)
        self.above: list[list[int]] = [[] for _ in names]
        self.below: list[list[int]] = [[] for _ in names]
        self.shift: dict[tuple[int, int], float] = {}  # (upper, lower) -> desired offset of lower from upper
        self.layers: list[list[int]] = []

    def add_dummy(self, rank: int) -> int:
        self.widths.append(0.0)
        self.ranks.append(rank)
        self.above.append([])
        self.below.append([])
        return len(self.widths) - 1

    def connect(self, upper: int, lower: int, shift: float) -> None:
        self.below[upper].append(lower)
        self.above[lower].append(upper)
        self.shift[upper, lower] = shift


def layered_layout(
    sizes: Mapping[str, tuple[float, float]],
    edges: Iterable[LayoutEdge],
    *,
    top: Collection[str] = (),
    bottom: Collection[str] = (),
    order: Sequence[str] | None = None,
    exits: Mapping[str, float] | None = None,
    rank_gap: float = 40.0,
    node_gap: float = 24.0,
    port_gaps: tuple[float, float] | None = None,
) -> Layout:
    """Lay out a directed graph from top to bottom.

    Parameters
    ----------
    sizes : mapping of str to tuple
        Width and height of each node.
    edges : iterable of LayoutEdge
        Edges of the graph; cycles are permitted, and one edge of each cycle then points upwards.
    top, bottom : collection of str
        Nodes to place on the first and on the last rank.
    order : sequence of str, optional
        Initial order of the nodes; by default, by name.
    exits : mapping of str to float, optional
        For each node, the distance between edges with different values.
    rank_gap, node_gap : float
        Space between ranks, and between neighbors on a rank.
    port_gaps : tuple of float, optional
        Space below the nodes on the first rank, and above the nodes on the last rank; by default, ``rank_gap``.

    Returns
    -------
    Layout
        The positions of the nodes, and the routes of the edges.

    Examples
    --------
    >>> layout = layered_layout({"a": (40, 20), "b": (40, 20)}, [LayoutEdge("a", "b")])
    >>> layout.centers
    {'a': (20.0, 10.0), 'b': (20.0, 70.0)}
    """
    names = list(order) if order is not None else sorted(sizes, key=natural_key)
    number = {name: i for i, name in enumerate(names)}
    unique = dict.fromkeys(e for e in edges if e.tail != e.head)
    wanted = sorted(unique, key=lambda e: (number[e.tail], number[e.head], e.net))
    pairs = [(number[e.tail], number[e.head]) for e in wanted]
    turned = _back_edges(len(names), pairs)
    downward = [(h, t) if i in turned else (t, h) for i, (t, h) in enumerate(pairs)]
    ranks = _ranks(len(names), downward, {number[n] for n in top}, {number[n] for n in bottom})
    graph = _Ranked(names, [float(sizes[n][0]) for n in names], ranks)
    chains = _make_chains(graph, wanted, downward, turned)
    _order_layers(graph)
    x = _place(graph, node_gap)
    apart = {number[name]: step for name, step in (exits or {}).items() if name in number}
    gaps = [rank_gap] * len(graph.layers)
    if port_gaps is not None and len(gaps) > 1:
        if top:
            gaps[0] = port_gaps[0]
        if bottom:
            gaps[-2] = max(port_gaps[1], gaps[0] if len(gaps) == 2 and top else 0.0)
    return _finish(graph, chains, x, [float(sizes[n][1]) for n in names], gaps, apart)


# --- ranks ---


def _back_edges(count: int, pairs: list[tuple[int, int]]) -> set[int]:
    """Return the edges to reverse to remove all cycles: the back edges of a depth-first search."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    arriving = [0] * count
    for i, (tail, head) in enumerate(pairs):
        leaving[tail].append((i, head))
        arriving[head] += 1
    state = [0] * count  # 1: in progress, 2: done
    back: set[int] = set()
    for start in sorted(range(count), key=lambda n: (arriving[n] > 0, n)):
        if state[start]:
            continue
        state[start] = 1
        stack = [(start, iter(leaving[start]))]
        while stack:
            node, remaining = stack[-1]
            for i, head in remaining:
                if state[head] == 1:
                    back.add(i)
                elif state[head] == 0:
                    state[head] = 1
                    stack.append((head, iter(leaving[head])))
                    break
            else:
                state[node] = 2
                stack.pop()
    return back


def _ranks(count: int, pairs: list[tuple[int, int]], top: set[int], bottom: set[int]) -> list[int]:
    """Return ranks by the longest path; nodes with more outputs than inputs are moved to their users."""
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for tail, head in pairs:
        below[tail].append(head)
        above[head].append(tail)
    ranks = [0] * count
    waiting = [len(tails) for tails in above]
    ready = [n for n in range(count) if not waiting[n]]
    for node in ready:  # the loop extends this list
        if node not in top and top and not above[node]:
            ranks[node] = 1
        for head in below[node]:
            ranks[head] = max(ranks[head], ranks[node] + 1)
            waiting[head] -= 1
            if not waiting[head]:
                ready.append(head)
    for node in reversed(ready):
        if node not in top and below[node] and len(below[node]) > len(above[node]):
            ranks[node] = min(ranks[head] for head in below[node]) - 1
    if bottom:
        last = max((ranks[n] for n in range(count) if n not in bottom), default=-1) + 1
        for node in bottom:
            ranks[node] = last
    used = {rank: i for i, rank in enumerate(sorted(set(ranks)))}  # removes empty ranks
    return [used[rank] for rank in ranks]


def _make_chains(
    graph: _Ranked, edges: list[LayoutEdge], downward: list[tuple[int, int]], turned: set[int]
) -> list[_Chain]:
    """Insert dummy nodes on the ranks that edges cross; edges with the same value from the same node share them."""
    spans = sorted((graph.ranks[lower] - graph.ranks[upper] for upper, lower in downward), reverse=True)
    total = sum(span - 1 for span in spans)
    longest = spans[0] if spans else 0
    for span in spans:
        if total <= MAX_DUMMIES:
            break
        longest, total = span - 1, total - (span - 1)
    shared: dict[tuple[int, str, bool], list[int]] = {}
    connected: set[tuple[int, int]] = set()
    chains = []
    for i, (edge, (upper, lower)) in enumerate(zip(edges, downward, strict=True)):
        back = i in turned
        span = graph.ranks[lower] - graph.ranks[upper]
        if span > longest:
            chains.append(_Chain(edge, [upper, lower], back))
            continue
        upper_dx, lower_dx = (edge.head_dx, edge.tail_dx) if back else (edge.tail_dx, edge.head_dx)
        key = (lower, edge.net, True) if back else (upper, edge.net, False)
        dummies = shared.setdefault(key, [])
        if back:  # counted from the bottom
            while len(dummies) < span - 1:
                dummies.append(graph.add_dummy(graph.ranks[lower] - 1 - len(dummies)))
            passed = dummies[: span - 1][::-1]
        else:
            while len(dummies) < span - 1:
                dummies.append(graph.add_dummy(graph.ranks[upper] + 1 + len(dummies)))
            passed = dummies[: span - 1]
        items = [upper, *passed, lower]
        for a, b in itertools.pairwise(items):
            if (a, b) not in connected:
                connected.add((a, b))
                start = (upper_dx or 0.0) if a == upper else 0.0
                end = (lower_dx or 0.0) if b == lower else 0.0
                graph.connect(a, b, start - end)
        chains.append(_Chain(edge, items, back))
    return chains


# --- order within ranks ---


def _order_layers(graph: _Ranked) -> None:
    """Order every rank by barycenters, downwards and upwards in turn; the best order is kept."""
    depth = max(graph.ranks, default=-1) + 1
    layers: list[list[int]] = [[] for _ in range(depth)]
    for item in _first_order(graph):
        layers[graph.ranks[item]].append(item)
    position = [0] * len(graph.ranks)

    def settle(layer: list[int]) -> None:
        for i, item in enumerate(layer):
            position[item] = i

    for layer in layers:
        settle(layer)
    best, fewest = [list(layer) for layer in layers], _crossings(graph, layers, position)
    sweeps = 14 if len(graph.ranks) < 2000 else 6
    for sweep in range(sweeps):
        if not fewest:
            break
        down = sweep % 2 == 0
        neighbours = graph.above if down else graph.below
        for layer in layers if down else reversed(layers):
            centre = {}
            for i, item in enumerate(layer):
                near = neighbours[item]
                centre[item] = sum(position[n] for n in near) / len(near) if near else float(i)
            # Ties keep the previous order.
            layer.sort(key=lambda item, centre=centre: (centre[item], position[item]))
            settle(layer)
        crossings = _crossings(graph, layers, position)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    graph.layers = best


def _first_order(graph: _Ranked) -> list[int]:
    """Return all items in the order of a walk along the edges."""
    found: list[int] = []
    seen = [False] * len(graph.ranks)
    for start in sorted(range(graph.num_nodes), key=lambda n: (len(graph.above[n]) > 0, n)):
        stack = [start]
        while stack:
            item = stack.pop()
            if seen[item]:
                continue
            seen[item] = True
            found.append(item)
            stack.extend(reversed(graph.below[item]))
    return found


def _crossings(graph: _Ranked, layers: list[list[int]], position: list[int]) -> int:
    """Count the crossings between adjacent ranks with a binary indexed tree."""
    total = 0
    for layer, lower in itertools.pairwise(layers):
        ends = [e for item in layer for e in sorted(position[b] for b in graph.below[item])]
        size = len(lower)
        tree = [0] * (size + 1)
        for count, end in enumerate(ends):
            index, before = end + 1, 0
            while index:
                before += tree[index]
                index -= index & -index
            total += count - before
            index = end + 1
            while index <= size:
                tree[index] += 1
                index += index & -index
    return total


# --- positions on the ranks ---


def _place(graph: _Ranked, gap: float) -> list[float]:
    """Move the items of every rank toward their neighbors, without changing the order."""
    x = [0.0] * len(graph.ranks)
    for layer in graph.layers:
        cursor = 0.0
        for item in layer:
            x[item] = cursor + graph.widths[item] / 2
            cursor += graph.widths[item] + gap
    sweeps = 12 if len(x) < 3000 else 6
    # Rounding moves each part of a long chain slightly to one side; moving toward the center prevents accumulation.
    pull = 0.4 if len(graph.layers) > DEEP else 0.0
    for sweep in range(sweeps + 1):
        down = sweep % 2 == 0
        both = sweep >= sweeps - 2
        middle = sum(x) / len(x) if x else 0.0
        for layer in graph.layers if down else reversed(graph.layers):
            targets, weights = [], []
            for item in layer:
                total, weight = pull * middle, pull
                if down or both:
                    for n in graph.above[item]:
                        w = _weight(graph, item, n)
                        total, weight = total + w * (x[n] + graph.shift[n, item]), weight + w
                if not down or both:
                    for n in graph.below[item]:
                        w = _weight(graph, item, n)
                        total, weight = total + w * (x[n] - graph.shift[item, n]), weight + w
                targets.append(total / weight if weight else x[item])
                weights.append(weight or 0.1)
            _spread(graph, layer, targets, weights, gap, x)
    left = min((x[i] - graph.widths[i] / 2 for i in range(len(x))), default=0.0)
    return [round(v - left, 2) for v in x]


def _weight(graph: _Ranked, a: int, b: int) -> float:
    """Return the weight of an edge for straightening, largest between dummy nodes, where bends are most visible."""
    dummies = (a >= graph.num_nodes) + (b >= graph.num_nodes)
    return (1.0, 2.0, 8.0)[dummies]


def _spread(
    graph: _Ranked, layer: list[int], targets: list[float], weights: list[float], gap: float, x: list[float]
) -> None:
    """Return the positions closest to the targets that keep order and distance (pool adjacent violators)."""
    offsets, cursor = [], 0.0
    for i, item in enumerate(layer):
        if i:
            before = layer[i - 1]
            tight = item >= graph.num_nodes and before >= graph.num_nodes
            cursor += (graph.widths[before] + graph.widths[item]) / 2 + (gap / 2 if tight else gap)
        offsets.append(cursor)
    blocks: list[list[float]] = []  # sum of weighted targets, weight, number of items
    for target, offset, weight in zip(targets, offsets, weights, strict=True):
        blocks.append([weight * (target - offset), weight, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, weight_, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += weight_
            blocks[-1][2] += count
    i = 0
    for total, weight, count in blocks:
        for _ in range(int(count)):
            x[layer[i]] = total / weight + offsets[i]
            i += 1


# --- the result ---


def _finish(
    graph: _Ranked,
    chains: list[_Chain],
    x: list[float],
    heights: list[float],
    gaps: list[float],
    apart: dict[int, float],
) -> Layout:
    tallest = [max((heights[i] for i in layer if i < graph.num_nodes), default=0.0) for layer in graph.layers]
    tops, cursor = [], 0.0
    for height, gap in zip(tallest, [*gaps[: len(tallest) - 1], 0.0], strict=False):
        tops.append(cursor)
        cursor += height + gap
    middle = [top + height / 2 for top, height in zip(tops, tallest, strict=True)]
    centers = {name: (x[i], middle[graph.ranks[i]]) for i, name in enumerate(graph.names)}
    ends = _ends(graph, chains, x, apart)
    routes = {}
    for number, chain in enumerate(chains):
        straight = dict(zip(chain.items[1:-1], _straightened([x[item] for item in chain.items[1:-1]]), strict=True))
        upper, lower = chain.items[0], chain.items[-1]
        points: list[Point] = []
        for item in chain.items:
            rank = graph.ranks[item]
            top, bottom = tops[rank], tops[rank] + tallest[rank]
            if item == upper:
                at = x[item] + ends[number, True]
                points += [(at, middle[rank] + heights[item] / 2), (at, bottom)]
            elif item == lower:
                at = x[item] + ends[number, False]
                points += [(at, top), (at, middle[rank] - heights[item] / 2)]
            else:
                at = straight[item]
                if len(points) > 1 and points[-1][0] == points[-2][0] == at:
                    points.pop()  # the line continues straight down
                points += [(at, top), (at, bottom)] if points[-1][0] != at else [(at, bottom)]
        points = [(round(a, 2), round(b, 2)) for a, b in dict.fromkeys(points)]
        routes[chain.edge] = points[::-1] if chain.reversed else points
    right = max((x[i] + graph.widths[i] / 2 for i in range(len(x))), default=0.0)
    return Layout(round(right, 2), round(cursor, 2), centers, routes)


def _straightened(line: list[float]) -> list[float]:
    """Return the positions of a long edge's dummy nodes, where parts that are almost vertical are vertical.

    Examples
    --------
    >>> _straightened([10.0, 11.0, 13.0, 30.0])
    [11.5, 11.5, 11.5, 30.0]
    """
    found: list[float] = []
    while len(found) < len(line):
        low = high = line[len(found)]
        count = 0
        for at in line[len(found) :]:
            if max(high, at) - min(low, at) > _STRAIGHT:
                break
            low, high, count = min(low, at), max(high, at), count + 1
        found += [(low + high) / 2] * count
    return found


def _ends(
    graph: _Ranked, chains: list[_Chain], x: list[float], apart: dict[int, float]
) -> dict[tuple[int, bool], float]:
    """Return the offset from the node's center at which each chain leaves its upper (True) and lower (False) end.

    Ends without a given offset are spread over a part of the node, in the order of the edges.
    """
    result: dict[tuple[int, bool], float] = {}
    free: dict[tuple[int, bool], dict[str, list[int]]] = {}
    for i, chain in enumerate(chains):
        for is_upper in (True, False):
            edge = chain.edge
            given = edge.tail_dx if is_upper != chain.reversed else edge.head_dx
            if given is not None:
                result[i, is_upper] = given
                continue
            node = chain.items[0] if is_upper else chain.items[-1]
            key = edge.net if is_upper else f"{edge.net}\0{edge.tail}"
            free.setdefault((node, is_upper), {}).setdefault(key, []).append(i)
    for (node, is_upper), nets in free.items():

        def towards(key: str, is_upper: bool = is_upper, nets: dict[str, list[int]] = nets) -> tuple[float, str]:
            near = [x[chains[i].items[1 if is_upper else -2]] for i in nets[key]]
            return sum(near) / len(near), key

        step = min(14.0, graph.widths[node] / (len(nets) + 1))
        step = apart.get(node, step) if is_upper else step
        for place, key in enumerate(sorted(nets, key=towards)):
            for i in nets[key]:
                result[i, is_upper] = (place - (len(nets) - 1) / 2) * step
    return result
