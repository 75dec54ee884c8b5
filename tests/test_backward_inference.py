"""Sizes that are left open in zeros((0, 5)) follow from what is done with them, through any operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import d2lhybrid as mx
from d2lhybrid import sym
from d2lhybrid.internals.core.backward_inference import from_outputs

STATE = sym.zeros((0, 5))
X = sym.var("x")

#: What is computed of a state of unknown size and of x, the shape of x, and that of the result.
CASES: dict[str, tuple[Callable[[], Any], tuple[int, ...], tuple[int, ...]]] = {
    "dense": (lambda: sym.FullyConnected(STATE, num_hidden=3) + sym.FullyConnected(X, num_hidden=3), (4, 7), (4, 3)),
    "two steps": (lambda: sym.FullyConnected(STATE, num_hidden=3) * 2 + X, (4, 3), (4, 3)),
    "full": (lambda: sym.relu(sym.full((0, 5), 2)) + X, (4, 5), (4, 5)),
    "relu": (lambda: sym.relu(STATE) + X, (4, 5), (4, 5)),
    "Activation": (lambda: sym.Activation(STATE, act_type="tanh") + X, (4, 5), (4, 5)),
    "split": (lambda: sym.split(sym.FullyConnected(STATE, num_hidden=4), num_outputs=2)[1] + X, (4, 2), (4, 2)),
    "concat": (lambda: sym.concat(STATE, STATE, dim=1) + X, (4, 10), (4, 10)),
    "transpose": (lambda: sym.transpose(STATE) + X, (5, 4), (5, 4)),
    "expand_dims": (lambda: sym.expand_dims(STATE, axis=0) + X, (1, 4, 5), (1, 4, 5)),
    "slice_axis": (lambda: sym.slice_axis(STATE, axis=1, begin=0, end=2) + X, (4, 2), (4, 2)),
    "softmax": (lambda: sym.softmax(STATE) + X, (4, 5), (4, 5)),
    "sum": (lambda: sym.sum(STATE, axis=1) + X, (4,), (4,)),
    "dot": (lambda: sym.dot(STATE, sym.ones((5, 2))) + X, (4, 2), (4, 2)),
    "Dropout": (lambda: sym.Dropout(STATE) + X, (4, 5), (4, 5)),
    "LayerNorm": (lambda: sym.LayerNorm(STATE, sym.ones((5,)), sym.zeros((5,))) + X, (4, 5), (4, 5)),
    "where of two states": (lambda: sym.where(sym.ones((4, 5)), STATE, sym.zeros((0, 5))) + X, (4, 5), (4, 5)),
    "rows of two states": (lambda: sym.where(sym.ones((4,)), STATE, sym.ones((0, 5))) + X, (4, 5), (4, 5)),
    "tile": (lambda: sym.tile(STATE, reps=(3, 1)) + X, (12, 5), (12, 5)),
    "Convolution": (
        lambda: sym.Convolution(sym.zeros((0, 2, 5, 5)), kernel=(3, 3), num_filter=2) + X,
        (4, 2, 3, 3),
        (4, 2, 3, 3),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_open_size_follows_from_the_result(case: Any) -> None:
    make, shape, expected = case
    executor = make().simple_bind(mx.cpu(), x=shape)
    assert executor.forward()[0].shape == expected


def test_what_does_not_follow_is_not_guessed() -> None:
    with pytest.raises(mx.MXNetError):
        sym.broadcast_add(STATE, X).simple_bind(mx.cpu(), x=(4, 5)).forward()  # one row, or four
    strided = sym.Convolution(sym.zeros((1, 2, 0, 5)), kernel=(3, 3), stride=(2, 2), num_filter=2)
    with pytest.raises(mx.MXNetError):
        (strided + X).simple_bind(mx.cpu(), x=(1, 2, 2, 2)).forward()  # five rows, or six


#: Draws without a shape, and arrays whose shape is to be found out altogether.
SHAPELESS: dict[str, Callable[[], Any]] = {
    "randn": sym.random.randn,
    "normal": sym.random.normal,
    "uniform": sym.uniform,
    "gamma": sym.random.gamma,
    "randint": lambda: sym.random.randint(0, 9).astype("float32"),
    "shape ()": lambda: sym.random.poisson(shape=()),
    "zeros": lambda: sym.zeros(()),
    "ones": lambda: sym.ones(shape=()),
    "full": lambda: sym.full((), 2),
}


@pytest.mark.parametrize("case", SHAPELESS.values(), ids=SHAPELESS)
def test_what_has_no_shape_takes_that_of_its_users(case: Any) -> None:
    made = case()
    result = sym.relu(made) * 2 + X
    assert result.infer_shape(x=(4, 5)) == ([(4, 5)], [(4, 5)], [])
    assert result.simple_bind(mx.cpu(), x=(4, 5)).forward()[0].shape == (4, 5)
    with pytest.warns(UserWarning, match="Cannot decide shape"):
        assert made.infer_shape() == (None, None, None)


class _Draws(mx.gluon.HybridBlock):
    def __init__(self, body: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.body = body

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.body(F, x)


@pytest.mark.parametrize(
    "body",
    [
        lambda F, x: F.broadcast_add(x, F.random.normal()),
        lambda F, x: F.broadcast_add(x, 2 * F.relu(F.random.uniform())),
        lambda F, x: F.contrib.foreach(lambda row, _: (F.broadcast_add(row, F.random.normal()), []), x, [])[0],
    ],
    ids=["normal", "chain", "loop"],
)
def test_a_draw_that_is_broadcast_is_one_number_line_by_line_and_hybridized(body: Any) -> None:
    net, x = _Draws(body), mx.nd.zeros((2, 3))
    for _ in range(2):
        rows = net(x).asnumpy()
        assert (rows == rows[:, :1]).all() and rows.any()
        net.hybridize()


def test_a_draw_that_is_added_is_drawn_for_every_element_when_hybridized() -> None:
    net = _Draws(lambda F, x: x + F.random.normal())
    net.hybridize()
    assert len(set(net(mx.nd.zeros((4, 5))).asnumpy().flat)) == 20


def test_numpy_shapes_leave_no_shape_to_users() -> None:
    with mx.util.np_shape(True):
        assert sym.random.randn().infer_shape() == ([], [()], [])
        assert sym.zeros(()).bind(mx.cpu(), {}).forward()[0].shape == ()


def test_a_size_that_cannot_be_is_refused() -> None:
    with pytest.raises(mx.MXNetError):
        (sym.tile(STATE, reps=(3, 1)) + X).simple_bind(mx.cpu(), x=(13, 5)).forward()


def test_a_rule_is_not_asked_where_nothing_is_known() -> None:
    def rule(*shapes: Any, **attributes: Any) -> Any:
        raise AssertionError

    assert from_outputs(rule, [(None, 5)], [None], {}) == [(None, 5)]
    assert from_outputs(rule, [(4, 5)], [(4, 5)], {}) == [(4, 5)]
