"""Loops and branches: sizes that are left open, rows that bodies look up, and gradients that are certain."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd, sym
from d2lhybrid.gluon import HybridBlock


class LookedUpInLoops(HybridBlock):
    """A loop in a loop, whose body looks rows up."""

    def __init__(self) -> None:
        super().__init__()
        self.table = self.params.get("table", shape=(6, 2), init="ones", grad_stype="row_sparse")

    def hybrid_forward(self, F: Any, x: Any, table: Any) -> Any:
        def inner(number: Any, state: Any) -> Any:
            return F.Embedding(number, table, input_dim=6, output_dim=2, sparse_grad=True), state

        def outer(numbers: Any, state: Any) -> Any:
            return F.contrib.foreach(inner, numbers, state)

        return F.contrib.foreach(outer, x, F.zeros((1,)))[0]


def test_rows_that_are_looked_up_in_a_loop_of_a_loop_are_the_rows_of_the_gradient() -> None:
    net = LookedUpInLoops()
    net.initialize()
    x = nd.array([[1, 3], [4, 3]])
    for _ in range(2):
        with autograd.record():
            y = net(x)
        y.backward()
        gradient: Any = net.table.grad()
        assert gradient.indices.asnumpy().tolist() == [1, 3, 4]
        assert gradient.data.asnumpy().tolist() == [[1, 1], [2, 2], [1, 1]]
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


class Grown(HybridBlock):
    def __init__(self, body: Any) -> None:
        super().__init__()
        self.body = body

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        def step(i: Any, a: Any) -> Any:
            return a * 1, [i + 1, self.body(F, a, y)]

        rows, (_, last) = F.contrib.while_loop(lambda i, a: i < 3, step, [F.zeros((1,)), x], max_iterations=5)
        return rows, last, y * 1


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
