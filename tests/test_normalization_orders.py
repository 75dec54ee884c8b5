"""Normalisations can be differentiated again and again: compared with the same, composed of elementary operators."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd

EPS = 0.01


def layer(x: Any, gamma: Any, beta: Any, axis: int) -> Any:
    centred = nd.broadcast_sub(x, nd.mean(x, axis=axis, keepdims=True))
    deviation = nd.sqrt(nd.mean(nd.square(centred), axis=axis, keepdims=True) + EPS)
    shape = [-1 if i == axis % x.ndim else 1 for i in range(x.ndim)]
    scaled = nd.broadcast_mul(nd.broadcast_div(centred, deviation), gamma.reshape(shape))
    return nd.broadcast_add(scaled, beta.reshape(shape))


def batch(x: Any, gamma: Any, beta: Any, axis: int) -> Any:
    centred = nd.broadcast_sub(x, nd.mean(x, axis=axis, exclude=True, keepdims=True))
    deviation = nd.sqrt(nd.mean(nd.square(centred), axis=axis, exclude=True, keepdims=True) + EPS)
    shape = [-1 if i == axis % x.ndim else 1 for i in range(x.ndim)]
    scaled = nd.broadcast_mul(nd.broadcast_div(centred, deviation), gamma.reshape(shape))
    return nd.broadcast_add(scaled, beta.reshape(shape))


def running(x: Any, gamma: Any, beta: Any) -> Any:
    """With a mean of 0.5 and a variance of 2, which are no data."""
    scaled = nd.broadcast_mul((x - 0.5) / float(numpy.sqrt(2 + EPS)), gamma.reshape((1, -1, 1)))
    return nd.broadcast_add(scaled, beta.reshape((1, -1, 1)))


def groups(x: Any, gamma: Any, beta: Any, count: int) -> Any:
    rows = x.reshape((x.shape[0], count, -1))
    scaled = layer(rows, nd.ones((rows.shape[2],), dtype=x.dtype), nd.zeros((rows.shape[2],), dtype=x.dtype), 2)
    scaled = nd.broadcast_mul(scaled, gamma.reshape((1, -1, 1)))
    return nd.broadcast_add(scaled, beta.reshape((1, -1, 1))).reshape(x.shape)


def batch_norm(F: Any, x: Any, gamma: Any, beta: Any, *statistics: Any, **settings: Any) -> Any:
    return F.BatchNorm(x, gamma, beta, *statistics, eps=EPS, **settings)


#: What is tried, the same of elementary operators, the shape of the data, how many parameters there are.
CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[int, ...], int]] = {
    "layer": (lambda F, x, g, b: F.LayerNorm(x, g, b, eps=EPS), lambda x, g, b: layer(x, g, b, -1), (3, 4), 4),
    "layer, first axis": (
        lambda F, x, g, b: F.LayerNorm(x, g, b, axis=0, eps=EPS), lambda x, g, b: layer(x, g, b, 0), (3, 2, 4), 3
    ),
    "layer, axis 1": (
        lambda F, x, g, b: F.LayerNorm(x, g, b, axis=1, eps=EPS), lambda x, g, b: layer(x, g, b, 1), (2, 5, 3), 5
    ),
    "instance": (lambda F, x, g, b: F.InstanceNorm(x, g, b, eps=EPS), lambda x, g, b: groups(x, g, b, 3), (2, 3, 4), 3),
    "group": (
        lambda F, x, g, b: F.GroupNorm(x, g, b, num_groups=2, eps=EPS), lambda x, g, b: groups(x, g, b, 2),
        (2, 4, 3, 2), 2,
    ),
    "batch": (
        lambda F, x, g, b, *s: batch_norm(F, x, g, b, *s, fix_gamma=False), lambda x, g, b: batch(x, g, b, 1),
        (3, 2, 4), 2
    ),
    "batch, one row": (
        lambda F, x, g, b, *s: batch_norm(F, x, g, b, *s, fix_gamma=False), lambda x, g, b: batch(x, g, b, 1),
        (5, 3), 3
    ),
    "batch, last axis": (
        lambda F, x, g, b, *s: batch_norm(F, x, g, b, *s, axis=-1, fix_gamma=False), lambda x, g, b: batch(x, g, b, -1),
        (3, 4, 2), 2,
    ),
    "batch, fixed gamma": (
        lambda F, x, g, b, *s: batch_norm(F, x, g, b, *s), lambda x, g, b: batch(x, nd.ones_like(g), b, 1), (3, 2, 4), 2
    ),
    "batch, running statistics": (
        lambda F, x, g, b, *s: batch_norm(F, x, g, b, *s, use_global_stats=True, fix_gamma=False), running, (3, 2, 4), 2
    ),
}  # fmt: skip


def orders(function: Callable[..., Any], shape: tuple[int, ...], count: int) -> list[list[numpy.ndarray]]:
    """Return the gradients with respect to data, gamma and beta: the first, of the first, and of that again."""
    random = numpy.random.default_rng(4)
    values = [nd.array(random.normal(size=size), dtype="float64") for size in (shape, count, count)]
    weights = [nd.array(random.normal(size=value.shape), dtype="float64") for value in values]
    for value in values:
        value.attach_grad()
    found = []
    with autograd.record():
        total = nd.sum(nd.sin(function(*values)) * weights[0])
        for _ in range(3):
            gradients = autograd.grad(total, values, create_graph=True)
            found.append([gradient.asnumpy() for gradient in gradients])
            total = sum(nd.sum(nd.sin(g) * w) for g, w in zip(gradients, weights, strict=True))
    return found


class Net(gluon.HybridBlock):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def __call__(self, x: Any, gamma: Any, beta: Any) -> Any:
        """Call the function, and give it running statistics: variables, as MXNet demands of what is written to."""
        is_batch = self.function.__code__.co_flags & inspect.CO_VARARGS
        values = (0.5, 2) if is_batch else ()
        return super().__call__(x, gamma, beta, *(nd.full(gamma.shape, value, dtype=gamma.dtype) for value in values))

    def hybrid_forward(self, F: Any, *inputs: Any) -> Any:
        return self.function(F, *inputs)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", CASES)
def test_three_derivatives_equal_those_of_the_elementary_operators(name: str, hybridize: bool) -> None:
    function, elementary, shape, count = CASES[name]
    net = Net(function)
    if hybridize:
        net.hybridize()
    compared = zip(orders(net, shape, count), orders(elementary, shape, count), strict=True)
    for order, (got, expected) in enumerate(compared, 1):
        for g, e in zip(got, expected, strict=True):
            numpy.testing.assert_allclose(g, e, rtol=1e-9, atol=1e-9 * max(1, abs(e).max()), err_msg=f"{order}")


def penalties(hybridize: bool) -> list[float]:
    """Train a net to have slopes of length 1, and return how far they were from that at each step."""
    mx.random.seed(3)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(8), gluon.nn.BatchNorm(), gluon.nn.Activation("tanh"), gluon.nn.LayerNorm())
    net.add(gluon.nn.Dense(1, activation="sigmoid"))
    net.initialize()
    if hybridize:
        net.hybridize()
    x = nd.random.normal(shape=(16, 4))
    x.attach_grad()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    found = []
    for _ in range(10):
        with autograd.record():
            (slope,) = autograd.grad(net(x).sum(), [x], create_graph=True)
            penalty = nd.square(nd.norm(slope, axis=1) - 1).mean()
        penalty.backward()
        trainer.step(1)
        found.append(float(penalty.asscalar()))
    return found


def test_a_penalty_on_gradients_trains_a_net_with_normalisation() -> None:
    eager, hybridized = penalties(False), penalties(True)
    assert min(eager) < eager[0] / 2
    numpy.testing.assert_allclose(hybridized, eager, rtol=1e-3)


WAYS: dict[str, dict[str, bool]] = {"eager": {"active": False}, "hybridized": {}, "static": {"static_alloc": True}}
#: What is minimised, of the sum over a net's outputs, these squared, and the slope of the sum.
LOSSES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "slopes": lambda total, squares, slope: nd.square(slope).sum(),
    "outputs": lambda total, squares, slope: total,
    "both": lambda total, squares, slope: nd.square(slope).sum() + total,
    "both, squared": lambda total, squares, slope: nd.square(slope).sum() + squares,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("loss", LOSSES)
def test_a_layer_moves_its_statistics_once_in_a_backward_pass(loss: str, way: str) -> None:
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.BatchNorm(in_channels=2, momentum=0.5), gluon.nn.Activation("tanh"))
    net.add(gluon.nn.BatchNorm(in_channels=2, momentum=0.5))
    net.initialize()
    net.hybridize(**WAYS[way])
    x = nd.array([[1, 2], [3, 5], [4, 4]])
    x.attach_grad()
    for step in (1, 2):
        with autograd.record():
            y = net(x)
            total, squares = y.sum(), nd.square(y).sum()
            (slope,) = autograd.grad(total, [x], create_graph=True, retain_graph=True)
            value = LOSSES[loss](total, squares, slope)
        value.backward()
        expected = numpy.array([8 / 3, 11 / 3]) * (1 - 0.5**step)
        numpy.testing.assert_allclose(net[0].running_mean.data().asnumpy(), expected, rtol=1e-5)


#: Layers, and how many parameters of what precision they have where the data are of half.
HALF: dict[str, tuple[Callable[..., Any], int, str]] = {
    "batch": (lambda F, x, g, b, *s: batch_norm(F, x, g, b, *s, fix_gamma=False), 4, "float32"),
    "batch, running statistics": (
        lambda F, x, g, b, *s: batch_norm(F, x, g, b, *s, fix_gamma=False, use_global_stats=True), 4, "float32",
    ),
    "layer": (lambda F, x, g, b: F.LayerNorm(x, g, b, eps=EPS), 3, "float16"),
    "group": (lambda F, x, g, b: F.GroupNorm(x, g, b, num_groups=2, eps=EPS), 2, "float16"),
    "instance": (lambda F, x, g, b: F.InstanceNorm(x, g, b, eps=EPS), 4, "float16"),
}  # fmt: skip


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", HALF)
def test_second_derivatives_of_half_precision_are_those_of_single(name: str, hybridize: bool) -> None:
    function, count, parameters = HALF[name]
    random = numpy.random.default_rng(6)
    drawn = [random.normal(size=size).astype("float16") for size in ((3, 4, 3), count, count)]
    found = {}
    for data_type, parameter_type in (("float16", parameters), ("float32", "float32")):
        net = Net(function)
        if hybridize:
            net.hybridize()
        types = (data_type, parameter_type, parameter_type)
        values = [nd.array(value, dtype=dtype) for value, dtype in zip(drawn, types, strict=True)]
        for value in values:
            value.attach_grad()
        with autograd.record():
            total = nd.sum(nd.sin(net(*values).astype("float32")))
            slopes = autograd.grad(total, values, create_graph=True)
            penalty = sum(nd.sum(nd.square(slope.astype("float32"))) for slope in slopes)
        penalty.backward()
        assert [value.grad.dtype for value in values] == [numpy.dtype(dtype) for dtype in types]
        found[data_type] = [value.grad.asnumpy().astype("float32") for value in values]
    for got, expected in zip(found["float16"], found["float32"], strict=True):
        numpy.testing.assert_allclose(got, expected, rtol=0.02, atol=0.02 * max(1, abs(expected).max()))
