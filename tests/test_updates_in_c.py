"""One function of C for all weights does what the optimizer does to each of them."""

from __future__ import annotations

import threading
from typing import Any

import numpy
import pytest
from update_cases import IDS, SETTINGS, assert_alike, make, numbers

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends.c_compiler import NoRoomError, find_compiler
from d2lhybrid.optimizer import in_c
from d2lhybrid.optimizer.fused_source import CHUNK

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")

#: The last one is divided among threads.
SHAPES = ((3, 4), (CHUNK + 5,), (1,), (), (in_c.PARALLEL_SIZE + 7,))


def arrays(dtype: str, seed: int = 0, shapes: Any = SHAPES) -> list[Any]:
    """Return arrays of the same numbers in every element type."""
    rng = numpy.random.default_rng(seed)
    return [nd.array(numpy.float32(rng.normal(size=shape)), dtype=dtype) for shape in shapes]


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that takes down how many blocks each call of a function of C computes."""
    found: list[int] = []
    order = in_c._LauncherInC.order

    def noticed(self: Any, xp: Any, count: int) -> None:
        found.append(count)
        order(self, xp, count)

    monkeypatch.setattr(in_c._LauncherInC, "order", noticed)
    return found


def updater_of(optimizer: Any, compiled: bool) -> Any:
    updater = mx.optimizer.get_updater(optimizer)
    updater.in_c = compiled
    return updater


def run(optimizer: Any, dtype: str, compiled: bool) -> tuple[list[Any], Any]:
    weights, updater = arrays(dtype), updater_of(optimizer, compiled)
    for step in range(4):
        updater(list(range(len(weights))), arrays(dtype, step + 1), weights)
    return weights, updater


def assert_no_less_exact(found: list[Any], steps: list[Any], exact: list[Any]) -> None:
    """Compare the errors of the C function with those of the steps.

    Terms may cancel, as in the variance of a centered RMSProp, and compilers contract and reorder them differently: no
    number says how many digits are left. But the steps in NumPy lose as many.
    """
    for c, numpys, right in zip(found, steps, exact, strict=True):
        error, usual = numpy.abs(c - right).max(initial=0), numpy.abs(numpys - right).max(initial=0)
        assert error <= 4 * usual + 1e-6 * numpy.abs(right).max(initial=0)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("name", "settings"), SETTINGS, ids=IDS)
def test_one_function_does_what_the_steps_do(blocks, name, settings, dtype):
    together, apart = make(name, settings), make(name, settings)
    weights, updater = run(together, dtype, True)
    assert len(blocks) == 4
    expected, plain = run(apart, dtype, False)
    assert len(blocks) == 4
    assert updater.states.keys() == plain.states.keys()
    states = [updater.states[index] for index in plain.states]
    if dtype == "float64":
        assert_alike([weights, states], [expected, list(plain.states.values())], dtype)
    else:
        exact, double = run(make(name, settings), "float64", False)
        assert_no_less_exact(
            numbers([weights, states]),
            numbers([expected, list(plain.states.values())]),
            numbers([exact, [double.states[index] for index in plain.states]]),
        )
    assert together._all_index_update_counts == apart._all_index_update_counts
    assert together.num_update == apart.num_update == (0 if name == "test" else 4)


@pytest.mark.parametrize("sparse", [0, 1, 2])
def test_a_row_sparse_gradient_is_in_its_turn(blocks, sparse):
    # Nadam's weights share the product of all momenta, which each update multiplies.
    results = []
    for compiled in (True, False):
        weights, updater = arrays("float32", 0, [(3, 2)] * 3), updater_of(mx.optimizer.Nadam(wd=0.1), compiled)
        for step in range(3):
            grads = arrays("float32", step + 1, [(3, 2)] * 3)
            rows = nd.sparse.row_sparse_array((grads[sparse][1:2], [1]), shape=(3, 2))
            updater([0, 1, 2], [*grads[:sparse], rows, *grads[sparse + 1 :]], weights)
        results.append(weights)
    assert len(blocks) == 3
    assert_alike(results[0], results[1], "float32")


def test_more_weights_than_one_call_takes(blocks):
    shapes = [(i % 5 + 1,) for i in range(200)]
    given, grads = arrays("float32", 0, shapes), arrays("float32", 1, shapes)
    expected = [w.copy() for w in given]
    updater_of(make("adam", {}), True)(list(range(200)), grads, given)
    updater_of(make("adam", {}), False)(list(range(200)), grads, expected)
    assert_alike(given, expected, "float32")
    assert sum(blocks) == 200 and len(blocks) > 1


@pytest.mark.filterwarnings("ignore:Accumulating with float16")
def test_what_no_function_can_update_is_updated_by_numpy(blocks):
    half, read_only = nd.ones((4,), dtype="float16"), nd.ones((4,))
    whole, backwards = nd.ones((4,)), nd.array(numpy.arange(6.0).reshape(2, 3))
    backwards._data = numpy.asfortranarray(backwards._data)
    weights = [half, whole, backwards]
    grads = [nd.ones(w.shape, dtype=w.dtype) for w in weights]
    updater_of(mx.optimizer.SGD(learning_rate=0.5), True)([0, 1, 2], grads, weights)
    assert blocks == [1]
    for weight, expected in zip(weights, [[0.5] * 4, [0.5] * 4, [[-0.5, 0.5, 1.5], [2.5, 3.5, 4.5]]], strict=True):
        assert weight.asnumpy().tolist() == expected
    read_only._data.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        updater_of(mx.optimizer.SGD(), True)([0], [nd.ones((4,))], [read_only])


def test_gradients_may_be_other_arrays_in_each_step_and_lie_in_another_order(blocks):
    weight, updater = nd.zeros((2, 3)), updater_of(mx.optimizer.SGD(learning_rate=1.0), True)
    gradient = nd.zeros((2, 3))
    for _ in range(3):
        gradient = nd.array(numpy.arange(6.0).reshape(2, 3))
        updater([0], [gradient], [weight])
    gradient._data = numpy.asfortranarray(gradient._data)
    updater([0], [gradient], [weight])
    assert weight.asnumpy().tolist() == [[0, -4, -8], [-12, -16, -20]] and blocks == [1, 1, 1]


def test_new_arrays_and_states_are_found(blocks):
    weight = nd.ones((3,))
    updater = updater_of(mx.optimizer.SGD(learning_rate=1.0, momentum=0.5), True)
    updater([0], [nd.ones((3,))], [weight])
    weight._data = numpy.full(3, 10, "float32")
    updater([0], [nd.ones((3,))], [weight])
    assert weight.asnumpy().tolist() == [8.5] * 3
    updater.set_states(updater.get_states())
    updater([0], [nd.ones((3,))], [weight])
    assert weight.asnumpy().tolist() == [6.75] * 3 and len(blocks) == 3


def net_of(backend: str | None) -> Any:
    net = nn.HybridSequential(prefix="net_")
    net.add(nn.Dense(5, activation="relu", in_units=3), nn.BatchNorm(in_channels=5), nn.Dense(2, in_units=5))
    mx.random.seed(1)
    net.initialize(mx.init.Xavier())
    net.hybridize(backend=backend)
    return net


def trained(net: Any, steps: int = 3) -> list[Any]:
    trainer = gluon.Trainer(net.collect_params(), "adam")
    x = nd.array(numpy.random.default_rng(0).normal(size=(4, 3)))
    for _ in range(steps):
        with autograd.record():
            loss = (net(x) ** 2).sum()
        loss.backward()
        trainer.step(4)
    return [p.data() for p in net.collect_params().values()]


def test_a_trainer_asks_for_it_where_the_net_computes_in_c(blocks):
    expected = trained(net_of(None))
    assert blocks == []
    assert_alike(trained(net_of("c")), expected, "float32")
    assert len(blocks) == 3


def test_a_net_that_is_hybridized_otherwise_is_updated_otherwise(blocks):
    net = net_of("c")
    net.hybridize()
    trained(net)
    net.hybridize(False, backend="c")
    trained(net)
    assert blocks == []
    net.hybridize(backend="c")
    trained(net, 1)
    assert len(blocks) == 1


def test_a_prediction_sees_what_was_updated():
    net = net_of("c")
    x = nd.ones((4, 3))
    before = net(x).asnumpy()
    trained(net, 1)
    after = net(x).asnumpy()
    net.hybridize(False)
    assert not numpy.array_equal(before, after)
    numpy.testing.assert_allclose(after, net(x).asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("error", [NoRoomError("the disk is full"), mx.base.MXNetError("there is none")])
def test_without_room_or_compiler_numpy_updates_and_nobody_asks_again(monkeypatch, error):
    asked: list[str] = []

    def refuse(source: str) -> Any:
        asked.append(source)
        raise error

    monkeypatch.setattr(in_c, "build", refuse)
    (weights, _), (expected, _) = (run(make("adam", {}), "float32", compiled) for compiled in (True, False))
    assert_alike(weights, expected, "float32")
    assert len(asked) == 1


def test_threads_that_share_an_updater_do_not_mix_up_their_weights():
    updater = updater_of(mx.optimizer.SGD(learning_rate=1.0), True)
    weights = [nd.zeros((1000 + i,)) for i in range(4)]
    updater([9], [nd.zeros((1,))], [nd.zeros((1,))])

    def work(i: int) -> None:
        gradient = nd.full(weights[i].shape, -1 - i)
        for _ in range(200):
            updater([i], [gradient], [weights[i]])

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [set(w.asnumpy().tolist()) for w in weights] == [{200.0 * (i + 1)} for i in range(4)]
