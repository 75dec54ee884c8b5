"""A compiled program never reads memory that is not written yet or written again, and writes into nobody else's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn

FLAGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "static_alloc": {"static_alloc": True},
    "static_shape": {"static_alloc": True, "static_shape": True},
    "c": {"backend": "c"},
}


class Of(gluon.HybridBlock):
    """A block of one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def hybrid_forward(self, F: Any, *inputs: Any) -> Any:
        return self.function(F, *inputs)


def listed(outputs: Any) -> list[Any]:
    return list(outputs) if isinstance(outputs, list | tuple) else [outputs]


def run(net: Any, arrays: list[numpy.ndarray], *, record: bool) -> list[numpy.ndarray]:
    """Return outputs, and gradients of their weighted sum."""
    inputs = [nd.array(a, dtype=a.dtype) for a in arrays]
    if not record:
        return [y.asnumpy() for y in listed(net(*inputs))]
    for x in inputs:
        x.attach_grad()
    with autograd.record():
        outputs = listed(net(*inputs))
    heads = [nd.array(numpy.cos(numpy.arange(y.size)).reshape(y.shape)) for y in outputs]
    autograd.backward(outputs, heads)
    return [a.asnumpy() for a in (*outputs, *(x.grad for x in inputs))]


def check(function: Callable[..., Any], *shapes: tuple[int, ...], flags: dict[str, Any], calls: int = 3) -> None:
    """Compare several calls with fresh values, eager and hybridized, with and without gradients."""
    for record in (False, True):
        eager, hybrid = Of(function), Of(function)
        hybrid.hybridize(**flags)
        for seed in range(calls):
            rng = numpy.random.default_rng(seed)
            arrays = [rng.normal(size=shape).astype("float32") for shape in shapes]
            expected = run(eager, arrays, record=record)
            for got, wanted in zip(run(hybrid, arrays, record=record), expected, strict=True):
                numpy.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


def gated(F: Any, x: Any) -> Any:
    a, b = F.split(x, num_outputs=2, axis=1)
    return F.tanh(a) * b + a


def joined_by_where(F: Any, x: Any, y: Any) -> Any:
    a = F.relu(x / 2)
    b = F.broadcast_add(x, y)
    c = F.where(x > 0, a, b)
    d = F.exp(y)
    return c * 2, d + F.exp(d), a * 3, b * 5


def flattened_after_a_transpose(F: Any, x: Any, w: Any) -> Any:
    return F.FullyConnected(F.transpose(F.exp(x), axes=(0, 2, 1)), w, no_bias=True, num_hidden=4)


def reshaped_after_a_transpose(F: Any, x: Any) -> Any:
    return F.tanh(F.Reshape(F.transpose(F.exp(x), axes=(0, 2, 1)), shape=(-1,))) + 1


def written_over_a_broadcast(F: Any, x: Any) -> Any:
    m = F.broadcast_to(F.mean(F.square(x), axis=1, keepdims=True), shape=(3, 4))
    return x / F.sqrt(m + 1e-5)


def channel_attention(F: Any, x: Any) -> Any:
    return F.tanh(F.broadcast_mul(x, F.sigmoid(F.mean(x, axis=(2, 3))).expand_dims(2).expand_dims(3)))


def position_attention(F: Any, x: Any) -> Any:
    e = F.batch_dot(x, x, transpose_b=True)
    return F.max(e, axis=-1, keepdims=True).broadcast_like(e) - e


def twice_in_a_row(F: Any, x: Any) -> Any:
    y = F.relu(x)
    return F.concat(y, y, dim=1)


def three_times_in_a_row(F: Any, x: Any) -> Any:
    return F.concat(x, x, x, dim=0)


def one_view_twice(F: Any, x: Any, w: Any) -> Any:
    a = x - 0.25
    turned = F.tile(F.Reshape(a, shape=(-1,)), reps=(2,)) * 2
    return F.FullyConnected(a, w, no_bias=True, num_hidden=4), turned


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "two outputs of one operator in a region": (gated, ((512, 512),)),
    "pieces that one value may lie in": (joined_by_where, ((4, 3), (4, 3))),
    "large pieces that one value may lie in": (joined_by_where, ((64, 96), (64, 96))),
    "dense layer after a transpose": (flattened_after_a_transpose, ((2, 3, 5), (4, 15))),
    "reshape after a transpose": (reshaped_after_a_transpose, ((2, 3, 5),)),
    "one view of one value, twice": (one_view_twice, ((1, 12), (4, 12))),
    "a broadcast view": (written_over_a_broadcast, ((3, 4),)),
    "attention over channels": (channel_attention, ((1, 64, 8, 8),)),
    "attention over positions": (position_attention, ((2, 6, 5),)),
    "one array joined with itself": (twice_in_a_row, ((1, 256, 28, 28),)),
    "one array joined three times": (three_times_in_a_row, ((512, 512),)),
}


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_that_share_memory_in_unusual_ways_compute_what_the_eager_run_does(
    name: str, flags: dict[str, Any]
) -> None:
    function, shapes = PROGRAMS[name]
    check(function, *shapes, flags=flags)


class Inception(gluon.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.a = nn.Conv2D(8, 1, activation="relu")
            self.b = nn.Conv2D(8, 3, padding=1, activation="relu")
            self.pool = nn.MaxPool2D()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.pool(F.np.concatenate([self.a(x), self.b(x)], axis=1))


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_branches_that_are_joined_and_pooled(flags: dict[str, Any]) -> None:
    from d2lhybrid import npx

    npx.set_np()
    try:
        net = Inception()
        net.initialize()
        x = nd.random.normal(shape=(4, 3, 32, 32)).as_np_ndarray()
        expected = net(x).asnumpy()
        net.hybridize(**flags)
        for _ in range(2):
            numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
            with autograd.record():
                y = net(x)
            y.backward()
    finally:
        npx.reset_np()


SHARING: dict[str, Callable[..., Any]] = {
    "the same expression": lambda F, x: (F.exp(x), F.exp(x)),
    "a neutral operation": lambda F, x: ((y := F.exp(x)), y * 1),
    "a reshape": lambda F, x: ((y := F.exp(x)), F.reshape(y, shape=(-1,))),
    "a slice": lambda F, x: ((y := F.exp(x)), F.slice_axis(y, axis=0, begin=0, end=1)),
    "two slices": lambda F, x: tuple(F.SliceChannel(F.exp(x), num_outputs=2, axis=0)) * 2,
    "the input": lambda F, x: (F.reshape(x, shape=(-1,)), F.identity(x), F.BlockGrad(x)),
    "a broadcast": lambda F, x: (F.broadcast_to(F.sum(x, keepdims=True), shape=(4, 3)), F.sum(x, keepdims=True)),
    "a piece of a copy, and the copy": lambda F, x: (
        (*F.split(y := F.reshape(x.transpose(), shape=(6, 2)), num_outputs=2, axis=0), y)
    ),
    "pieces of a copy that meet": lambda F, x: (
        F.slice_axis(y := F.reshape(x.transpose(), shape=(6, 2)), axis=0, begin=0, end=4),
        F.slice_axis(y, axis=0, begin=2, end=6),
    ),
    "a constant": lambda F, x: (F.ones((2, 2)), F.ones((2, 2)), x + 1),
}


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
@pytest.mark.parametrize("record", [False, True], ids=["predict", "record"])
@pytest.mark.parametrize("name", SHARING)
def test_a_write_into_one_output_changes_nothing_else(name: str, record: bool, flags: dict[str, Any]) -> None:
    net = Of(SHARING[name])
    net.hybridize(**flags)
    x = nd.arange(12).reshape((4, 3)) / 12
    given = x.asnumpy()
    for _ in range(2):
        if record:
            x.attach_grad()
            with autograd.record():
                outputs = listed(net(x))
        else:
            outputs = listed(net(x))
        before = [y.asnumpy() for y in outputs]
        for k, y in enumerate(outputs):
            y[:] = 100 + k
            for other, value in zip(outputs[k + 1 :], before[k + 1 :], strict=True):
                numpy.testing.assert_array_equal(other.asnumpy(), value)
            numpy.testing.assert_array_equal(y.asnumpy(), numpy.full(y.shape, 100 + k))
            numpy.testing.assert_array_equal(x.asnumpy(), given)


class SharedNorm(gluon.HybridBlock):
    """One normalisation for two branches, the second of which is traced first in the order of the graph."""

    def __init__(self, *, turned: bool) -> None:
        super().__init__()
        self.turned = turned
        with self.name_scope():
            self.norm = nn.BatchNorm()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        a = self.norm(x * 2 + 1)
        b = self.norm(F.square(x))
        return b - a if self.turned else a - b


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
@pytest.mark.parametrize("turned", [False, True])
def test_a_normalisation_that_is_used_twice_moves_its_statistics_twice(turned: bool, flags: dict[str, Any]) -> None:
    states = []
    for hybridize in (False, True):
        net = SharedNorm(turned=turned)
        net.initialize()
        if hybridize:
            net.hybridize(**flags)
        for seed in range(3):
            x = nd.array(numpy.random.default_rng(seed).normal(size=(5, 4)))
            x.attach_grad()
            with autograd.record():
                y = net(x)
            y.backward()
        states.append([net.norm.running_mean.data().asnumpy(), net.norm.running_var.data().asnumpy()])
    numpy.testing.assert_allclose(states[1], states[0], rtol=1e-5)


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_an_array_that_is_passed_twice_has_the_gradient_of_both_places_once(flags: dict[str, Any]) -> None:
    net = Of(lambda F, x, y: x * y * y)
    net.hybridize(**flags)
    x = nd.array([3.0])
    x.attach_grad()
    with autograd.record():
        y = net(x, x)
        (first,) = autograd.grad(y, [x], create_graph=True, retain_graph=True)
    assert first.asscalar() == 27
    first.backward()
    assert x.grad.asscalar() == 18


class Skip(gluon.HybridBlock):
    """A coarse map that is cut to the size of a fine one and added to it."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.coarse = nn.Conv2D(4, 1)
            self.fine = nn.Conv2D(4, 3, padding=1)

    def hybrid_forward(self, F: Any, a: Any, b: Any) -> Any:
        return self.fine(b) + F.Crop(self.coarse(a), self.fine(b), num_args=2)


class Loop(gluon.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.dense = nn.Dense(40, in_units=40)

    def hybrid_forward(self, F: Any, x: Any, s: Any) -> Any:
        def step(x: Any, s: Any) -> Any:
            new = F.tanh(self.dense(x) + s)
            return new * 2, new

        outputs, last = F.contrib.foreach(step, x, s)
        return F.relu(outputs) + 1, last


BLOCKS: dict[str, tuple[Callable[[], Any], tuple[tuple[int, ...], ...]]] = {
    "a cut and a sum": (Skip, ((1, 3, 44, 44), (1, 3, 40, 40))),
    "a loop": (Loop, ((5, 128, 40), (128, 40))),
}


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_of_published_models_are_trained_as_the_eager_run_trains_them(name: str, flags: dict[str, Any]) -> None:
    make, shapes = BLOCKS[name]
    net = make()
    net.initialize()
    for seed in range(2):
        rng = numpy.random.default_rng(seed)
        arrays = [rng.normal(size=shape).astype("float32") for shape in shapes]
        for record in (False, True):
            net.hybridize(False)
            expected = run(net, arrays, record=record)
            net.hybridize(**flags)
            for got, wanted in zip(run(net, arrays, record=record), expected, strict=True):
                numpy.testing.assert_allclose(got, wanted, rtol=1e-3, atol=1e-4)
