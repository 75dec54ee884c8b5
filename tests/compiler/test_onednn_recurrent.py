"""LSTM layers by oneDNN: forward and backward, in every shape that a course uses, and left to NumPy in the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.internals.compiler import onednn
from d2lhybrid.internals.compiler.backends.onednn_bodies import OneDnnBody

from .test_onednn import FLAGS, everything

pytestmark = pytest.mark.skipif(not onednn.is_available(), reason=f"oneDNN: {onednn.describe()}")


class Model(gluon.HybridBlock):
    """A layer between others, whose states come from the data or are zeros."""

    def __init__(self, layer: Any, states: bool) -> None:
        super().__init__()
        self.before, self.layer, self.after = nn.Dense(6, flatten=False), layer, nn.Dense(3, flatten=False)
        self._states = states

    def hybrid_forward(self, F: Any, x: Any, *states: Any) -> Any:
        x = self.before(x)
        if not self._states:
            return self.after(self.layer(x))
        y, (h, *others) = self.layer(x, list(states))
        return self.after(y), F.tanh(h), *others


#: The layer, whether it is given states, and the data's shape.
LAYERS: dict[str, tuple[Callable[[], Any], bool, tuple[int, ...]]] = {
    "one layer": (lambda: rnn.LSTM(5), False, (4, 3, 2)),
    "states": (lambda: rnn.LSTM(5), True, (4, 3, 2)),
    "a batch of one": (lambda: rnn.LSTM(5), True, (4, 1, 2)),
    "one step": (lambda: rnn.LSTM(5), True, (1, 3, 2)),
    "one of everything": (lambda: rnn.LSTM(1), True, (1, 1, 1)),
    "three layers": (lambda: rnn.LSTM(5, num_layers=3), True, (4, 3, 2)),
    "both directions": (lambda: rnn.LSTM(5, bidirectional=True), True, (4, 3, 2)),
    "two layers in both directions": (lambda: rnn.LSTM(5, num_layers=2, bidirectional=True), True, (4, 3, 2)),
    "the batch first": (lambda: rnn.LSTM(5, layout="NTC"), False, (3, 4, 2)),
    "dropout, one layer": (lambda: rnn.LSTM(5, dropout=0.5), True, (4, 3, 2)),
    "wide": (lambda: rnn.LSTM(48, num_layers=2), True, (7, 17, 33)),
}


def net_and_inputs(build: Callable[[], Any], states: bool, shape: tuple[int, ...]) -> tuple[Any, list[Any]]:
    layer = build()
    net = Model(layer, states)
    net.initialize(mx.init.Uniform(0.4))
    x = nd.random.normal(shape=shape)
    batch = shape[layer._layout.find("N")]
    given = [nd.random.normal(shape=info["shape"]) for info in layer.state_info(batch)] if states else []
    net(x, *given)
    return net, [x, *given]


def results_of(net: Any, inputs: list[Any]) -> list[Any]:
    """Return a prediction, and outputs and gradients with respect to everything."""

    def run(x: Any) -> Any:
        outputs = net(x, *inputs[1:])
        return tuple(outputs) if isinstance(outputs, (list, tuple)) else (outputs,)

    run.collect_params = net.collect_params  # type: ignore[attr-defined]
    for state in inputs[1:]:
        state.attach_grad()
    found = everything(run, inputs[0])
    return found + [state.grad.asnumpy() for state in inputs[1:]]


def bodies(net: Any) -> list[str]:
    nodes = [n for p in net.programs for n in p.graph.nodes if isinstance(n.params.get("body"), OneDnnBody)]
    return [n.params["body"].label for n in nodes]


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("name", LAYERS)
def test_predictions_and_gradients_are_the_eager_ones(name: str, flags: dict[str, bool]) -> None:
    net, inputs = net_and_inputs(*LAYERS[name])
    expected = results_of(net, inputs)
    net.hybridize(backend="onednn", **flags)
    for _ in range(2):  # the second time from memory that is kept
        for found, right in zip(results_of(net, inputs), expected, strict=True):
            numpy.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-5 * max(1.0, float(abs(right).max())))
    assert {"onednn_rnn", "onednn_backward_rnn"} <= set(bodies(net))


OTHERS: dict[str, tuple[Callable[[], Any], str]] = {
    "double precision": (lambda: rnn.LSTM(5), "float64"),
    "a projection": (lambda: rnn.LSTM(5, projection_size=3), "float32"),
    "gated recurrent units": (lambda: rnn.GRU(5), "float32"),
    "the simplest": (lambda: rnn.RNN(5), "float32"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_layers_are_numpys(name: str) -> None:
    build, dtype = OTHERS[name]
    net = build()
    net.initialize(mx.init.Uniform(0.4))
    net.cast(dtype)
    x = nd.random.normal(shape=(4, 3, 2)).astype(dtype)
    net(x)
    expected = everything(net, x)
    net.hybridize(backend="onednn")
    for found, right in zip(everything(net, x), expected, strict=True):
        numpy.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-6)
    assert not bodies(net)


def test_sequences_of_different_lengths_are_numpys() -> None:
    net = rnn.LSTM(5, use_sequence_length=True)
    net.initialize(mx.init.Uniform(0.4))
    x, lengths = nd.random.normal(shape=(4, 3, 2)), nd.array([4, 1, 2])
    expected = net(x, None, lengths)
    net.hybridize(backend="onednn")
    numpy.testing.assert_allclose(net(x, None, lengths).asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
    assert not bodies(net)


def test_dropout_between_layers_drops_in_training_alone() -> None:
    net = rnn.LSTM(8, num_layers=2, dropout=0.5)
    net.initialize(mx.init.Uniform(0.8))
    x = nd.random.normal(shape=(6, 4, 3))
    expected = net(x).asnumpy()
    net.hybridize(backend="onednn")
    numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    assert "onednn_rnn" in bodies(net)
    values = []
    for hybrid in (True, False):
        net.hybridize(hybrid, backend="onednn")
        mx.random.seed(3)
        with autograd.record():
            y = net(x)
        y.backward()
        values.append((y.asnumpy(), net.collect_params()[f"{net.prefix}l0_i2h_weight"].grad().asnumpy()))
    for one, other in zip(*values, strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
    assert abs(values[0][0] - expected).max() > 1e-2
    net.hybridize(backend="onednn")
    with autograd.record(train_mode=False):  # a gradient of a prediction: a mask that drops nothing
        y = net(x)
    y.backward()
    numpy.testing.assert_allclose(y.asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_one_layer_over_two_sequences_keeps_both() -> None:
    """Each gradient takes up what its own run has left."""

    class Twice(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.layer = rnn.LSTM(5)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.layer(self.layer(x)) * self.layer(x * 2)

    net = Twice()
    net.initialize(mx.init.Uniform(0.8))
    x = nd.random.normal(shape=(4, 3, 5))
    expected = everything(net, x)
    net.hybridize(backend="onednn")
    for found, right in zip(everything(net, x), expected, strict=True):
        numpy.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-5)
    assert bodies(net).count("onednn_backward_rnn") == 3


def test_a_graph_that_is_retained_goes_back_twice_to_the_same_gradients() -> None:
    net, inputs = net_and_inputs(*LAYERS["two layers in both directions"])
    net.hybridize(backend="onednn")
    weight = net.layer.l0_i2h_weight
    with autograd.record():
        y = net(*inputs)[0]
    y.backward(retain_graph=True)
    first = weight.grad().asnumpy()
    y.backward()
    numpy.testing.assert_array_equal(weight.grad().asnumpy(), first)
    assert first.any()


def test_what_is_not_a_number_stays_so() -> None:
    net, (x, *states) = net_and_inputs(*LAYERS["states"])
    x[2, 1, 0] = numpy.nan
    expected = [a.asnumpy() for a in net(x, *states)]
    net.hybridize(backend="onednn")
    for found, right in zip(net(x, *states), expected, strict=True):
        numpy.testing.assert_array_equal(numpy.isnan(found.asnumpy()), numpy.isnan(right))
    assert numpy.isnan(expected[0]).any() and not numpy.isnan(expected[0]).all()


@pytest.mark.parametrize("scale", [30.0, 1e4, 1e30])
def test_gates_far_from_zero_are_shut_or_open(scale: float) -> None:
    net, (x, *states) = net_and_inputs(*LAYERS["states"])
    x[:] = x * scale
    expected = [a.asnumpy() for a in net(x, *states)]
    net.hybridize(backend="onednn")
    for found, right in zip(net(x, *states), expected, strict=True):
        numpy.testing.assert_allclose(found.asnumpy(), right, rtol=1e-4, atol=1e-5)


def test_parameters_are_packed_once_and_again_when_they_change() -> None:
    net, (x, *states) = net_and_inputs(*LAYERS["three layers"])
    net.hybridize(backend="onednn")
    for factor in (1.0, -2.0):
        for p in net.layer.collect_params().values():
            p.set_data(p.data() * factor)
        found = net(x, *states)[0].asnumpy()
        net.hybridize(False)
        numpy.testing.assert_allclose(found, net(x, *states)[0].asnumpy(), rtol=1e-4, atol=1e-5)
        net.hybridize(backend="onednn")
    net(x, *states)
    assert "pack" in str(net.programs[-1].prepare)
