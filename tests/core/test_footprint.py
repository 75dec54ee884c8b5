"""How much memory a graph needs at least: what is alive at once, when values are dropped after their last use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import sym
from d2lhybrid.internals.core.footprint import check_footprint, graph_bytes, least_bytes, total_bytes
from d2lhybrid.internals.core.typed_graph import typed_graph

X = sym.var("x")


def product(of: Any, name: str = "") -> Any:
    """Return what no loop is fused with."""
    return sym.dot(of, X, name=name or None)


def twice(of: Any) -> Any:
    return [sym.exp(of), sym.cos(of)]


def halves(of: Any) -> Any:
    return sym.split(of, num_outputs=2)


#: A graph, the sizes of its values by name, 8 otherwise, and what it needs.
CASES: dict[str, tuple[Callable[[], Any], dict[str, int], int]] = {
    "an input": (lambda: X, {}, 0),
    "one value": (lambda: product(X), {}, 8),
    "each in the place of the one before": (lambda: product(product(product(X))), {}, 8),
    "of another size": (lambda: product(product(X, "a"), "b"), {"b": 5}, 13),
    "dropped after its last use": (lambda: product(product(product(X, "a"), "b"), "c"), {"b": 5, "c": 4}, 13),
    "a result": (lambda: sym.Group([product(X, "a"), product(product(X, "a2"))]), {}, 16),
    "fused": (lambda: sym.exp(sym.sin(sym.cos(X))), {}, 8),
    "fused with nothing": (lambda: product(sym.sin(X)), {}, 8),
    "read by two": (lambda: sym.Group(twice(sym.sin(X))), {}, 16),
    "fused, however large": (lambda: sym.exp(sym.sin(X, name="s")), {"s": 50}, 8),
    "large, and read by two": (lambda: sym.Group(twice(sym.sin(X, name="s"))), {"s": 50}, 66),
    "needed until the loop runs": (lambda: sym.sin(product(X, "a")) * product(X, "b"), {}, 16),
    "two results, one of no use": (lambda: product(halves(X)[0]), {}, 16),
    "two results at the end, one of no use": (lambda: halves(X)[0], {}, 16),
    "two results, one in the place of the input": (lambda: sym.Group(list(halves(product(X)))), {}, 16),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_alive_at_once_is_counted(case: Any) -> None:
    make, sizes, needed = case
    graph = make()
    assert least_bytes(graph._nodes(), graph._entries, lambda node, i: sizes.get(node.name, 8)) == needed


def test_a_graph_is_refused_only_if_what_it_needs_at_once_is_too_much() -> None:
    wide = sym.tile(X, reps=(1, 4), name="wide")
    result = sym.sum(product(sym.transpose(wide)), name="total")
    types = {"x": (1000, 1000)}
    graph = typed_graph(result, ["x"], types, {"x": numpy.float32}, False)
    assert total_bytes(graph) == 48_000_004 and graph_bytes(graph) == 16_000_004  # a sum, and one of three large values
    with mx.limits(memory=16_000_004):
        check_footprint(graph)
    with mx.limits(memory=16_000_003), pytest.raises(mx.MXNetError, match="whose largest value is that of 'wide'"):
        check_footprint(graph)
