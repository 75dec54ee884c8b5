"""Recurrent layers as C functions: what the kernel computes, in every shape, forward and back, and divided or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import rnn
from d2lhybrid.internals.compiler import onednn, threads
from d2lhybrid.internals.compiler.backends import c_region, c_steps
from d2lhybrid.internals.compiler.backends.c_compiler import NoRoomError, find_compiler
from d2lhybrid.internals.compiler.backends.c_recurrent import CRecurrent, CRecurrentGradient

from ..verified import verified_programs
from .test_onednn import FLAGS, everything
from .test_onednn_recurrent import net_and_inputs, results_of

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")

#: The layer, whether it is given states, and the data's shape.
LAYERS: dict[str, tuple[Callable[[], Any], bool, tuple[int, ...]]] = {
    "one layer": (lambda: rnn.LSTM(6), False, (4, 8, 2)),
    "states": (lambda: rnn.LSTM(6), True, (4, 8, 2)),
    "one step": (lambda: rnn.LSTM(5), True, (1, 9, 2)),
    "one unit": (lambda: rnn.LSTM(1), True, (3, 4, 1)),
    "three layers": (lambda: rnn.LSTM(16, num_layers=3), True, (4, 16, 2)),
    "both directions": (lambda: rnn.LSTM(5, bidirectional=True), True, (4, 7, 2)),
    "two layers in both directions": (lambda: rnn.LSTM(5, num_layers=2, bidirectional=True), True, (4, 11, 2)),
    "the batch first": (lambda: rnn.LSTM(5, layout="NTC"), False, (9, 4, 2)),
    "dropout, one layer": (lambda: rnn.LSTM(5, dropout=0.5), True, (4, 8, 2)),
    "wide": (lambda: rnn.LSTM(48, num_layers=2), True, (7, 33, 130)),
    "gated": (lambda: rnn.GRU(6), True, (4, 8, 2)),
    "gated, two layers in both directions": (lambda: rnn.GRU(16, num_layers=2, bidirectional=True), True, (4, 19, 5)),
    "the simplest": (lambda: rnn.RNN(6, activation="tanh"), True, (4, 8, 2)),
    "the simplest, two layers in both directions": (
        lambda: rnn.RNN(7, num_layers=2, bidirectional=True),
        True,
        (4, 19, 5),
    ),
}
#: With oneDNN, an LSTM is the library's.
CASES = [(name, "c") for name in LAYERS]
CASES += [(name, "onednn") for name in LAYERS if onednn.is_available() and name.startswith(("gated", "the simplest"))]


def bodies(net: Any) -> set[type]:
    nodes = [n for p in net.programs for n in p.graph.nodes]
    return {type(n.params["body"]) for n in nodes if "body" in n.params} & {CRecurrent, CRecurrentGradient}


def assert_near(found: list[Any], expected: list[Any]) -> None:
    for one, other in zip(found, expected, strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5 * max(1.0, float(abs(other).max())))


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize(("name", "backend"), CASES)
def test_predictions_and_gradients_are_the_eager_ones(name: str, backend: str, flags: dict[str, bool]) -> None:
    net, inputs = net_and_inputs(*LAYERS[name])
    expected = results_of(net, inputs)
    net.hybridize(backend=backend, **flags)
    with verified_programs():
        for _ in range(2):  # the second time from memory that is kept
            assert_near(results_of(net, inputs), expected)
    assert bodies(net) == {CRecurrent, CRecurrentGradient}


@pytest.mark.parametrize("batch", [4, 7, 8, 15, 35])
@pytest.mark.parametrize(("layer", "hidden"), [(rnn.LSTM, 1), (rnn.LSTM, 8), (rnn.GRU, 3), (rnn.RNN, 6)])
def test_every_batch_is_cut_into_vectors_of_every_width(batch: int, layer: Any, hidden: int) -> None:
    net, x = layer(hidden), nd.random.normal(shape=(3, batch, 4))
    net.initialize(mx.init.Uniform(0.5))
    expected = everything(net, x)
    net.hybridize(backend="c")
    assert_near(everything(net, x), expected)
    assert bodies(net) == {CRecurrent, CRecurrentGradient}


@pytest.mark.parametrize("name", ["both directions", "wide", "gated", "the simplest"])
def test_the_sequences_are_divided_among_the_processors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_region, "PARALLEL_WORK", 1)
    monkeypatch.setattr(threads, "available", lambda: 3)
    monkeypatch.setattr(c_steps, "lanes", lambda: 4)
    net, inputs = net_and_inputs(*LAYERS[name])
    expected = results_of(net, inputs)
    net.hybridize(backend="c")
    for _ in range(3):
        assert_near(results_of(net, inputs), expected)


@pytest.mark.parametrize("layer", [rnn.LSTM, rnn.GRU, rnn.RNN])
def test_what_is_not_a_number_and_what_is_large_spread_as_in_the_kernel(layer: Any) -> None:
    net = layer(3)
    net.initialize(mx.init.Uniform(0.5))
    values = numpy.random.default_rng(0).normal(size=(5, 8, 2)).astype("float32")
    for sequence, value in enumerate((numpy.nan, numpy.inf, -numpy.inf, 3e38, -3e38, 1e4)):
        values[2, sequence, 0] = value
    x = nd.array(values)
    with numpy.errstate(all="ignore"):
        expected = net(x).asnumpy()
    net.hybridize(backend="c")
    found = net(x).asnumpy()
    numpy.testing.assert_array_equal(numpy.isnan(found), numpy.isnan(expected))
    assert numpy.isnan(found[2:, 0]).all() and not numpy.isnan(found[:2]).any()
    numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
    assert bodies(net) == {CRecurrent}


OTHERS: dict[str, tuple[Callable[[], Any], str, int]] = {
    "double precision": (lambda: rnn.LSTM(5), "float64", 8),
    "a projection": (lambda: rnn.LSTM(5, projection_size=3), "float32", 8),
    "a gated layer of double precision": (lambda: rnn.GRU(5), "float64", 8),
    "a few sequences": (lambda: rnn.LSTM(5), "float32", 3),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_layers_are_the_kernels(name: str) -> None:
    build, dtype, batch = OTHERS[name]
    net = build()
    net.initialize(mx.init.Uniform(0.4))
    net.cast(dtype)
    x = nd.random.normal(shape=(4, batch, 2)).astype(dtype)
    net(x)
    expected = everything(net, x)
    net.hybridize(backend="c")
    assert_near(everything(net, x), expected)
    assert not bodies(net)


def test_dropout_between_layers_is_the_kernels_in_training_alone() -> None:
    net = rnn.LSTM(8, num_layers=2, dropout=0.5)
    net.initialize(mx.init.Uniform(0.8))
    x = nd.random.normal(shape=(6, 8, 3))
    expected = net(x).asnumpy()
    net.hybridize(backend="c")
    numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    assert bodies(net) == {CRecurrent}
    with autograd.record():
        assert abs(net(x).asnumpy() - expected).max() > 0.01
    with autograd.record(train_mode=False):
        numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_gradients_are_added_and_a_graph_is_gone_through_twice(flags: dict[str, bool]) -> None:
    net, x = rnn.LSTM(6, num_layers=2), nd.random.normal(shape=(3, 9, 4))
    net.initialize(mx.init.Uniform(0.4))
    found = []
    for hybrid in (False, True):
        net.hybridize(hybrid, backend="c", **flags)
        for parameter in net.collect_params().values():
            parameter.grad_req = "add"
            parameter.zero_grad()
        with autograd.record():
            first, second = net(x), net(x * 2)
            loss = (first * first).sum() + second.sum()
        loss.backward(retain_graph=True)
        loss.backward()
        found.append([p.grad().asnumpy() for p in net.collect_params().values()])
    assert_near(found[1], found[0])


@pytest.mark.parametrize("name", [name for name in LAYERS if "two layers" in name])
def test_without_room_for_what_the_compiler_makes_the_kernel_computes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: str) -> Any:
        raise NoRoomError("no space left on device")

    net, inputs = net_and_inputs(*LAYERS[name])
    expected = results_of(net, inputs)
    monkeypatch.setattr(c_region, "build", full)
    monkeypatch.setattr(c_region, "_warned", [NoRoomError("said before")])
    net.hybridize(backend="c")
    for _ in range(2):
        assert_near(results_of(net, inputs), expected)
    assert bodies(net) == {CRecurrent, CRecurrentGradient}
