"""Loops and branches: sizes that are left open, rows that bodies look up, and gradients that are certain."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd, sym
from d2lhybrid.gluon import HybridBlock, nn
from d2lhybrid.internals.core import control_flow_bodies, loops
from d2lhybrid.internals.core.graph import TensorType, TypeTable
from d2lhybrid.internals.core.no_program import ShapeFromValuesError
from d2lhybrid.internals.core.node import Node
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.internals.core.reached_inputs import reach
from d2lhybrid.internals.core.subgraph import Subgraph


class LookedUpInLoops(HybridBlock):
    """A loop in a loop, whose body looks rows up and scales them."""

    def __init__(self, factor: int) -> None:
        super().__init__()
        self.factor = factor
        self.table = self.params.get("table", shape=(6, 2), init="ones", grad_stype="row_sparse")

    def hybrid_forward(self, F: Any, x: Any, table: Any) -> Any:
        def inner(number: Any, state: Any) -> Any:
            return F.Embedding(number, table, input_dim=6, output_dim=2, sparse_grad=True) * self.factor, state

        def outer(numbers: Any, state: Any) -> Any:
            return F.contrib.foreach(inner, numbers, state)

        return F.contrib.foreach(outer, x, F.zeros((1,)))[0]


@pytest.mark.parametrize("factor", [1, 0])
def test_rows_that_are_looked_up_in_a_loop_of_a_loop_are_the_rows_of_the_gradient(factor: int) -> None:
    net = LookedUpInLoops(factor)
    net.initialize()
    x = nd.array([[1, 3], [4, 3]])
    for _ in range(2):
        with autograd.record():
            y = net(x)
        y.backward()
        gradient: Any = net.table.grad()
        assert gradient.indices.asnumpy().tolist() == [1, 3, 4]
        assert gradient.data.asnumpy().tolist() == [[factor * times] * 2 for times in (1, 2, 1)]
        net.hybridize()


def test_the_size_of_a_state_follows_from_what_the_body_makes_of_it() -> None:
    rows, last = sym.contrib.foreach(lambda row, state: (row + state, row + state), sym.var("x"), sym.zeros((0, 2)))
    both = sym.Group([rows, last])
    assert both.infer_shape(x=(3, 4, 2))[1] == [(3, 4, 2), (4, 2)]
    executor = both.simple_bind(mx.cpu(), x=(3, 4, 2))
    sums, total = executor.forward(x=nd.ones((3, 4, 2)))
    assert sums.asnumpy()[:, 0, 0].tolist() == [1, 2, 3] and numpy.all(total.asnumpy() == 3)


def test_a_state_is_as_large_as_what_takes_its_place() -> None:
    rows, _ = sym.contrib.foreach(lambda row, state: (sym.exp(state), row * 1), sym.var("x"), sym.zeros((0, 2)))
    assert rows.infer_shape(x=(3, 4, 2))[1] == [(3, 4, 2)]
    executor = rows.simple_bind(mx.cpu(), x=(3, 4, 2))
    assert numpy.allclose(executor.forward(x=nd.ones((3, 4, 2)))[0].asnumpy()[:, 0, 0], numpy.exp([0, 1, 1]))


def test_what_a_body_tells_of_what_it_reads_and_carries_is_known_of_its_loop() -> None:
    i, state, weight, x = (sym.var(name) for name in ("i", "s", "w", "x"))

    def multiply(i: Any, state: Any) -> Any:
        return state, [i + 1, sym.FullyConnected(state, weight, num_hidden=2, no_bias=True)]

    def replace(i: Any, state: Any) -> Any:
        return sym.exp(state), [i + 1, x * 1]

    for step, start, known, arguments in (
        (multiply, state, {"s": (4, 2)}, {"s": (4, 2), "w": (2, 2)}),
        (replace, sym.zeros((0, 2)), {"x": (4, 2)}, {"x": (4, 2)}),
    ):
        rows, (_, last) = sym.contrib.while_loop(lambda i, state: i < 3, step, [i, start], max_iterations=5)
        both = sym.Group([rows, last])
        found, results, _ = both.infer_shape(i=(1,), **known)
        assert dict(zip(both.list_arguments(), found, strict=True)) == {"i": (1,), **arguments}
        assert results == [(5, 4, 2), (4, 2)]


class Chosen(HybridBlock):
    """How many rows the second state has is known once the mask is."""

    def hybrid_forward(self, F: Any, x: Any, mask: Any) -> Any:
        return F.zeros((0, 2)) + F.contrib.boolean_mask(F.sqrt(F.ones((0, 2))) + x, mask)


def test_a_size_that_follows_from_values_is_found_as_late_as_need_be() -> None:
    net = Chosen()
    net.hybridize()
    for mask in ([1, 0, 1], [0, 1, 0]):
        y = net(nd.array([[1, 2], [3, 4], [5, 6]]), nd.array(mask))
        assert y.asnumpy().tolist() == [[a + 1, a + 2] for a, chosen in zip((1, 3, 5), mask, strict=True) if chosen]


def test_types_in_a_body_are_those_of_what_it_reads_unless_they_depend_on_values() -> None:
    x, mask = sym.var("x"), sym.var("mask")
    holder = Node(get_operator("exp"), "loop", ((Node(None, "x"), 0),))
    for dtype in ("float64", "int32"):
        body = Subgraph(sym.elemwise_add(x, x))
        types = control_flow_bodies.typed_body(body, [TensorType((2, 3), numpy.dtype(dtype))], holder)
        assert types[body.entries[0]] == TensorType((2, 3), numpy.dtype(dtype))
    flat = TensorType((4,), numpy.dtype("float32"))
    for symbol in (sym.contrib.boolean_mask(x, mask), sym.contrib.boolean_mask(sym.exp(x), mask)):
        body = Subgraph(symbol)
        with pytest.raises(ShapeFromValuesError, match=r"operator exp \(loop\)"):
            control_flow_bodies.typed_body(body, [flat] * len(body.variables), holder)


class NormedInLoops(HybridBlock):
    """A loop in a loop that draws numbers and moves the statistics of a layer: no program can."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm(in_channels=2)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        def inner(row: Any, state: Any) -> Any:
            noise = F.random.uniform(shape=(1, 1)) * 0
            return F.broadcast_add(self.norm(row), state + noise), state

        return F.contrib.foreach(lambda row, state: F.contrib.foreach(inner, row, state), x, F.zeros((1, 1)))[0]


def test_statistics_are_moved_in_a_loop_of_a_loop() -> None:
    x = nd.array(numpy.arange(16).reshape(2, 2, 2, 2))
    means = []
    for hybridize in (False, True):
        net: Any = NormedInLoops()
        net.initialize()
        if hybridize:
            net.hybridize()
        with autograd.record():
            y = net(x)
        y.backward()
        means.append(net.norm.running_mean.data().asnumpy().tolist())
    assert means[0] == means[1] != [0, 0]


def test_a_body_is_differentiated_only_until_nothing_new_is_found() -> None:
    asked: list[Any] = []

    def make_reach(body: Subgraph, types: Any, wanted: Any) -> Any:
        reached = reach(body, types, wanted, training=True)
        return lambda given, started: asked.append(given) or reached(given, started)

    i, state = sym.var("i"), sym.var("s")
    step = lambda i, s: (s * 2, [i + 1, s + 1])  # noqa: E731
    rows, _ = sym.contrib.while_loop(lambda i, s: i < 3, step, [i, state], max_iterations=1000)
    node = rows._entries[0][0]
    kind = TensorType((1,), numpy.dtype("float32"))
    types = TypeTable(dict.fromkeys(node.inputs, kind))
    given = [True, *[False] * (node.num_outputs - 1)][: node.params["num_outputs"]]
    none = [False] * len(node.inputs)
    found = control_flow_bodies.reached_inputs(node, given, none, none, types, make_reach)
    assert len(found) == len(node.inputs) and len(asked) < 9


#: Whether a row of one axis has no axes, the row, what is known of the data of four rows, and what is known then.
DATA: list[tuple[bool, Any, Any, Any]] = [
    (False, (2, 3), None, (4, 2, 3)), (False, None, None, None), (False, None, (None, None), None),
    (True, (), None, (4,)),
    (False, (1,), None, None), (False, (1,), (None,), (None,)), (False, (1,), (None, None), (4, 1)),
    (True, (1,), None, (4, 1)), (False, (1, 1), (None,), (4, 1, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("plain", "row", "known", "found"), DATA)
def test_the_shape_of_data_follows_from_its_rows_where_it_is_certain(
    plain: bool, row: Any, known: Any, found: Any
) -> None:
    loop: Any = SimpleNamespace(numpy_rows=[plain])
    assert loops.Rows.data_shapes(loop, 4, [row], [known]) == [found]


def test_a_row_has_an_axis_less_but_not_less_than_one() -> None:
    loop: Any = SimpleNamespace(numpy_rows=[False, True, False, True])
    assert loops.Rows.row_shapes(loop, [(4,), (4,), (4, 2), None]) == [(1,), (), (2,), None]


class Grown(HybridBlock):
    def __init__(self, body: Any) -> None:
        super().__init__()
        self.body = body

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        def step(i: Any, a: Any) -> Any:
            return a * 1, [i + 1, self.body(F, a, y)]

        rows, (_, last) = F.contrib.while_loop(lambda i, a: i < 3, step, [F.zeros((1,)), x], max_iterations=5)
        return rows, last, y * 1


class Delayed(HybridBlock):
    """A loop that returns each product two steps later, by way of states that begin with zeros."""

    def hybrid_forward(self, F: Any, rows: Any, weight: Any) -> Any:
        start = F.zeros((1, 2))
        made, _ = F.contrib.foreach(lambda row, s: (s[0], [s[1], row * weight]), rows, [start, start])
        return made


def test_a_gradient_goes_back_over_as_many_steps_as_there_are_rows() -> None:
    net = Delayed()
    rows, weight = nd.array(numpy.arange(8).reshape(4, 1, 2)), nd.ones((1, 2))
    for _ in range(2):
        weight.attach_grad()
        with autograd.record():
            made = net(rows, weight)
        made.backward()
        assert made.asnumpy().tolist() == [[[0, 0]], [[0, 0]], [[0, 1]], [[2, 3]]]
        assert weight.grad.asnumpy().tolist() == [[2, 4]]
        net.hybridize()


class Replaced(HybridBlock):
    """A loop whose second state is the normalized input for one step only, and then a row."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm(in_channels=2)

    def hybrid_forward(self, F: Any, rows: Any, x: Any) -> Any:
        states = F.contrib.foreach(lambda row, s: (row * s[0], [s[1], row * 3]), rows, [x, self.norm(x)])[1]
        return states[0]


@pytest.mark.parametrize(("count", "moves"), [(1, True), (2, False)])
@pytest.mark.parametrize("hybridize", [False, True])
def test_a_first_state_that_no_gradient_reaches_moves_no_statistics(hybridize: bool, count: int, moves: bool) -> None:
    net: Any = Replaced()
    net.initialize()
    if hybridize:
        net.hybridize()
    rows, x = nd.ones((count, 2, 2)), nd.array([[1, 2], [3, 4]])
    for array in (rows, x):
        array.attach_grad()
    with autograd.record():
        last = net(rows, x)
    last.backward()
    assert (net.norm.running_mean.data().asnumpy().tolist() != [0, 0]) is moves
    assert rows.grad.asnumpy()[0, 0, 0] == (0 if moves else 3)


#: What a step makes of the state and of another input, and whether which gradients there are is certain.
BODIES: dict[str, tuple[Any, bool]] = {
    "the state alone": (lambda F, a, y: a * a, True),
    "both": (lambda F, a, y: a * y, False),  # without a step, nothing leads to y
    "neither": (lambda F, a, y: F.BlockGrad(a), False),
}


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("case", BODIES.values(), ids=BODIES)
def test_gradients_of_a_loop_are_those_of_its_steps(case: Any, which: int) -> None:
    body, is_certain = case
    found = []
    for hybridize in (False, True):
        net: Any = Grown(body)
        if hybridize:
            net.hybridize()
        x, y = nd.array([1.5, -0.5]), nd.array([2, 3])
        for array in (x, y):
            array.attach_grad()
        with autograd.record():
            loss = net(x, y)[which] + (y * 0).sum()
        loss.backward()
        found.append([x.grad.asnumpy(), y.grad.asnumpy()])
    for eager, hybrid in zip(*found, strict=True):
        numpy.testing.assert_allclose(hybrid, eager, rtol=1e-5)
    if is_certain:
        assert len(net._cached_op.programs) == 1
