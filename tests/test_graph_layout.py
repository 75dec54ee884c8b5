"""The layered layout: boxes keep apart, edges point down, and nothing depends on the order of what is given."""

import itertools
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from d2lhybrid.internals.pictures.graph_layout import LayoutEdge, layered_layout
from d2lhybrid.internals.support.natural_order import natural_key

#: The first graph is slow to draw on a busy machine.
unhurried = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def graphs(draw, acyclic=True):
    count = draw(st.integers(1, 14))
    sizes = {f"n{i}": (draw(st.integers(0, 120)), draw(st.integers(0, 60))) for i in range(count)}
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1), st.sampled_from(["", "a", "b"]))
    edges = []
    for i, j, net in draw(st.lists(pairs, max_size=30)):
        if acyclic:
            i, j = min(i, j), max(i, j)
        if i != j:
            edges.append(LayoutEdge(f"n{i}", f"n{j}", net))
    return sizes, edges


def box(layout, sizes, name):
    (x, y), (width, height) = layout.centers[name], sizes[name]
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


@unhurried
@given(graphs(acyclic=False))
def test_no_two_boxes_overlap_and_none_leaves_the_paper(graph):
    sizes, edges = graph
    layout = layered_layout(sizes, edges)
    boxes = [box(layout, sizes, name) for name in sizes]
    for i, (left, top, right, bottom) in enumerate(boxes):
        assert left >= -0.02 and top >= -0.02 and right <= layout.width + 0.02 and bottom <= layout.height + 0.02
        for other in boxes[:i]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, "two boxes overlap"


@unhurried
@given(graphs())
def test_edges_point_downwards(graph):
    sizes, edges = graph
    layout = layered_layout(sizes, edges)
    for edge in edges:
        points = layout.routes[edge]
        assert layout.centers[edge.tail][1] < layout.centers[edge.head][1]
        heights = [y for _, y in points]
        assert heights == sorted(heights)
        tail, head = box(layout, sizes, edge.tail), box(layout, sizes, edge.head)
        assert points[0][1] == pytest.approx(tail[3], abs=0.02) and points[-1][1] == pytest.approx(head[1], abs=0.02)
        assert tail[0] - 0.02 <= points[0][0] <= tail[2] + 0.02
        assert head[0] - 0.02 <= points[-1][0] <= head[2] + 0.02


@unhurried
@given(graphs(acyclic=False), st.randoms(use_true_random=False))
def test_the_order_of_what_is_given_does_not_matter(graph, random):
    sizes, edges = graph
    layout = layered_layout(sizes, edges)
    names, shuffled = list(sizes), [*edges, *edges[:2]]
    random.shuffle(names)
    random.shuffle(shuffled)
    assert layered_layout({name: sizes[name] for name in names}, shuffled) == layout


@unhurried
@given(graphs(acyclic=False))
def test_every_edge_has_a_route_between_its_ends(graph):
    sizes, edges = graph
    layout = layered_layout(sizes, edges)
    assert set(layout.routes) == set(edges)
    assert set(layout.centers) == set(sizes)


@unhurried
@given(graphs())
def test_ports_stay_on_the_first_and_on_the_last_rank(graph):
    sizes, edges = graph
    first, last = "n0", f"n{len(sizes)}"
    sizes = {"in": (0, 0), **sizes, "out": (0, 0)}
    edges = [*edges, LayoutEdge("in", first), LayoutEdge(first, "out")]
    layout = layered_layout(sizes, edges, top=["in"], bottom=["out"])
    heights = {name: y for name, (_, y) in layout.centers.items()}
    assert all(heights["in"] < y for name, y in heights.items() if name != "in"), last
    assert all(heights["out"] > y for name, y in heights.items() if name != "out")


def test_an_edge_leaves_and_arrives_where_it_is_told_to():
    edge = LayoutEdge("a", "b", "", 15.0, -10.0)
    layout = layered_layout({"a": (60, 20), "b": (60, 20)}, [edge])
    points = layout.routes[edge]
    assert points[0][0] == layout.centers["a"][0] + 15
    assert points[-1][0] == layout.centers["b"][0] - 10


def test_a_chain_is_a_straight_line():
    names = [f"n{i}" for i in range(30)]
    edges = [LayoutEdge(a, b) for a, b in itertools.pairwise(names)]
    layout = layered_layout({name: (40 + i, 20) for i, name in enumerate(names)}, edges)
    assert len({x for x, _ in layout.centers.values()}) == 1
    assert all(len({x for x, _ in points}) == 1 for points in layout.routes.values())


def test_an_edge_that_passes_many_ranks_keeps_away_from_their_boxes():
    names = [f"n{i}" for i in range(6)]
    edges = [LayoutEdge(a, b) for a, b in itertools.pairwise(names)]
    skip = LayoutEdge("n0", "n5", "skip")
    sizes = dict.fromkeys(names, (80, 20))
    layout = layered_layout(sizes, [*edges, skip])
    for x, y in layout.routes[skip][2:-2]:
        for name in names[1:-1]:
            left, top, right, bottom = box(layout, sizes, name)
            assert not (left < x < right and top <= y <= bottom)


def test_two_branches_do_not_cross():
    edges = [LayoutEdge(*pair) for pair in ("sa", "sb", "ac", "bd", "ct", "dt")]
    layout = layered_layout(dict.fromkeys("sabcdt", (40, 20)), edges)
    x = {name: place[0] for name, place in layout.centers.items()}
    assert (x["a"] < x["b"]) == (x["c"] < x["d"])


@settings(deadline=None, max_examples=5)
@given(st.integers(2, 5))
def test_a_cycle_has_one_edge_that_points_up(count):
    names = [f"n{i}" for i in range(count)]
    edges = [LayoutEdge(a, b) for a, b in zip(names, [*names[1:], names[0]], strict=True)]
    layout = layered_layout(dict.fromkeys(names, (40, 20)), edges)
    assert sum(layout.centers[e.tail][1] > layout.centers[e.head][1] for e in edges) == 1


def test_twice_as_many_nodes_take_about_twice_as_much_work():
    few, many = _calls(250), _calls(500)
    assert many < 3 * few, (few, many)


def _calls(count):
    """Return how many functions the layout of a graph calls, which does not depend on how busy the machine is."""
    names = [f"n{i}" for i in range(count)]
    edges = [LayoutEdge(f"n{i - step}", f"n{i}") for i in range(1, count) for step in (1, 2 + i % 7) if i >= step]
    calls = itertools.count()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: next(calls) if event in ("call", "c_call") else None)
    try:
        layered_layout(dict.fromkeys(names, (100, 40)), edges)
    finally:
        sys.setprofile(before)
    return next(calls)


def test_a_deep_graph_with_long_edges_does_not_end_the_recursion_or_the_memory():
    names = [f"n{i}" for i in range(3000)]
    edges = [LayoutEdge(a, b) for a, b in itertools.pairwise(names)]
    edges += [LayoutEdge(f"n{i}", f"n{2999 - i}") for i in range(0, 1400, 3)]
    layout = layered_layout(dict.fromkeys(names, (100, 40)), edges)
    assert len(layout.routes) == len(edges)


def test_a_long_chain_of_equal_pieces_does_not_run_aslant():
    sizes, edges = {"x0": (80, 20)}, []
    for i in range(100):
        sizes |= {f"{kind}{i + (kind == 'x')}": (80, 20) for kind in "tsmx"}
        pairs = [("x", "t", 0), ("t", "s", 0), ("x", "m", 0), ("t", "m", 0), ("s", "x", 1), ("m", "x", 1)]
        edges += [LayoutEdge(f"{a}{i}", f"{b}{i + step}") for a, b, step in pairs]
    layout = layered_layout(sizes, edges)
    assert layout.width < 400


def test_names_are_sorted_as_people_do():
    assert sorted(["a10", "a9", "a", "b1"], key=natural_key) == ["a", "a9", "a10", "b1"]
