"""Copies of nets: deep ones and pickled ones are nets of their own, hybridized as before, and go on training."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.gluon import nn, rnn


def through_pickle(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def through_cloudpickle(thing: Any) -> Any:
    return pickle.loads(pytest.importorskip("cloudpickle").dumps(thing))


WAYS = [copy.deepcopy, through_pickle, through_cloudpickle]
each_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)

X = nd.array(numpy.random.default_rng(0).normal(size=(4, 6)))


def a_net() -> Any:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(5, activation="tanh"), nn.BatchNorm(), nn.Dropout(0.5), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    return net


def train(net: Any, trainer: Any, x: Any = X) -> Any:
    loss = gluon.loss.L2Loss()
    with autograd.record(train_mode=False):
        value = loss(net(x), nd.ones((4, 3)))
    value.backward()
    trainer.step(4)
    return net(x).asnumpy()


@each_way
@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}, {"backend": "c"}], ids=str)
def test_a_net_that_ran_hybridized_is_copied_with_its_flags(way: Callable[[Any], Any], flags: dict[str, Any]) -> None:
    net = a_net()
    net.hybridize(**flags)
    expected = net(X).asnumpy()
    other = way(net)
    assert other._active and other._flags == net._flags and other.prefix == net.prefix
    assert not other.programs and len(net.programs) == 1  # what was compiled stays where it is
    numpy.testing.assert_array_equal(other(X).asnumpy(), expected)
    assert len(other.programs) == 1 and other.programs[0] is not net.programs[0]
    other[0].weight.set_data(nd.zeros((5, 6)))
    numpy.testing.assert_array_equal(net(X).asnumpy(), expected)
    assert abs(other(X).asnumpy() - expected).max() > 0


@each_way
@pytest.mark.parametrize("hybridized", [False, True])
def test_a_copy_trains_as_the_original_does(way: Callable[[Any], Any], hybridized: bool) -> None:
    net = a_net()
    if hybridized:
        net.hybridize()
    net[0].weight.lr_mult = 0.25
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
    train(net, trainer)  # the copies begin in the midst of it
    with autograd.record():
        net(X)  # recorded, and never used
    other, its_trainer = way((net, trainer))
    for _ in range(3):
        numpy.testing.assert_array_equal(train(other, its_trainer), train(net, trainer))
    numpy.testing.assert_array_equal(other[3].weight.grad().asnumpy(), net[3].weight.grad().asnumpy())


@each_way
def test_a_copy_without_the_trainer_gets_another_one(way: Callable[[Any], Any]) -> None:
    net = a_net()
    net.hybridize()
    train(net, gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}))
    other = way(net)
    before, kept = net(X).asnumpy(), other(X).asnumpy()
    after = train(other, gluon.Trainer(other.collect_params(), "sgd", {"learning_rate": 0.1}))
    assert abs(after - kept).max() > 0
    numpy.testing.assert_array_equal(net(X).asnumpy(), before)


@each_way
def test_a_net_whose_shapes_are_not_known_yet(way: Callable[[Any], Any]) -> None:
    net = a_net()
    net.hybridize()
    mx.random.seed(3)
    expected = way(net)(X).asnumpy()
    mx.random.seed(3)
    numpy.testing.assert_array_equal(net(X).asnumpy(), expected)


@each_way
def test_shared_parameters_stay_shared_and_hooks_stay(way: Callable[[Any], Any]) -> None:
    net = nn.HybridSequential()
    first = nn.Dense(6, in_units=6)
    net.add(first, nn.Dense(6, in_units=6, params=first.params))
    net.initialize()
    net.hybridize()
    net.register_forward_hook(_note)
    net(X)
    other = way(net)
    assert other[0].weight is other[1].weight is not net[0].weight
    del net.noted, other.noted
    other(X)
    assert other.noted and "noted" not in vars(net)


def _note(block: Any, inputs: Any, output: Any) -> None:
    block.noted = True


@pytest.mark.filterwarnings("ignore:Cannot decide type")
@each_way
def test_a_net_of_another_file_keeps_its_graph(way: Callable[[Any], Any], tmp_path: Path) -> None:
    net = a_net()
    net.hybridize()
    expected = net(X).asnumpy()
    net.export(str(tmp_path / "net"))
    block = gluon.SymbolBlock.imports(
        str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params"), ctx=mx.cpu()
    )
    for other in (way(block), (block(X), way(block))[1]):
        numpy.testing.assert_allclose(other(X).asnumpy(), expected, rtol=1e-6)


@each_way
def test_recurrent_layers_and_losses(way: Callable[[Any], Any]) -> None:
    layer, loss = rnn.LSTM(3), gluon.loss.SoftmaxCrossEntropyLoss()
    layer.initialize()
    layer.hybridize()
    loss.hybridize()
    x, labels = nd.random.normal(shape=(2, 4, 5)), nd.array([0, 1, 2, 0])
    expected = layer(x).asnumpy(), loss(X, labels).asnumpy()
    layer, loss = way((layer, loss))
    numpy.testing.assert_array_equal(layer(x).asnumpy(), expected[0])
    numpy.testing.assert_array_equal(loss(X, labels).asnumpy(), expected[1])


@each_way
def test_a_copy_inside_peek_is_an_ordinary_net(way: Callable[[Any], Any]) -> None:
    net = a_net()
    net.hybridize()
    expected = net(X).asnumpy()
    with net.peek():
        net(X)
        other = way(net)
    numpy.testing.assert_array_equal(other(X).asnumpy(), expected)


@each_way
def test_symbols_keep_their_flavour(way: Callable[[Any], Any]) -> None:
    legacy, modern = sym.var("a") + 1, mx.sym.np.ones((2,)) + sym.var("b").as_np_ndarray()
    for symbol in (legacy, modern):
        other = way(symbol)
        assert type(other) is type(symbol) and other.list_arguments() == symbol.list_arguments()


def test_a_pickled_net_runs_in_another_process(tmp_path: Path) -> None:
    net = a_net()
    net.hybridize()
    expected = net(X).asnumpy()
    (tmp_path / "net").write_bytes(pickle.dumps((net, X)))
    program = "import pickle, sys; net, x = pickle.load(open(sys.argv[1], 'rb')); print(net(x).asnumpy().tolist())"
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "net"], capture_output=True, text=True, check=True)
    numpy.testing.assert_array_equal(numpy.array(json.loads(done.stdout), "float32"), expected)


def test_nets_in_the_workers_of_a_data_loader() -> None:
    net = a_net()
    net.hybridize()
    expected = net(X).asnumpy()
    dataset = gluon.data.SimpleDataset([X, X, X]).transform(copy.deepcopy(net))
    for batch in gluon.data.DataLoader(dataset, batch_size=1, num_workers=2):
        numpy.testing.assert_array_equal(batch[0].asnumpy(), expected)


@each_way
def test_a_net_with_numpy_arrays(way: Callable[[Any], Any]) -> None:
    mx.npx.set_np()
    try:
        net = nn.HybridSequential()
        net.add(nn.Dense(3, activation="relu"), nn.Dense(2))
        net.initialize()
        net.hybridize()
        x = mx.np.ones((2, 4))
        expected = net(x).asnumpy()
        other = way(net)
        result = other(x)
        assert type(result) is mx.np.ndarray
        numpy.testing.assert_array_equal(result.asnumpy(), expected)
    finally:
        mx.npx.reset_np()
