"""Sums over several GPUs: by NCCL where it can, by copies where it cannot, with the same numbers."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.internals.device import array_modules, collective


@pytest.fixture
def contexts(gpu: Any) -> list[Any]:
    number = 2 if gpu else array_modules.num_gpus()
    if number < 2:
        pytest.skip("this machine has one GPU")
    return [mx.gpu(0), mx.gpu(1)]


@pytest.fixture
def calls(monkeypatch: Any) -> list[str]:
    """The names of the calls of NCCL, in order; a communicator is asked for each device."""
    made: list[str] = []
    together = collective._together

    def noticed(call: Any, groups: Any, contexts: Any) -> None:
        if groups:
            made.append(f"{call.__name__} {len(groups)}")
        together(call, groups, contexts)

    monkeypatch.setattr(collective, "_together", noticed)
    return made


@pytest.fixture(params=["NCCL", "copies"])
def nccl(request: Any, contexts: Any, monkeypatch: Any) -> bool:
    if request.param == "copies":
        monkeypatch.setattr(array_modules, "nccl", lambda: None)
        return False
    if array_modules.nccl() is None:
        pytest.skip("there is no NCCL")
    return True


def groups(contexts: Any, dtype: str = "float32") -> list[list[Any]]:
    """Return three groups of raw arrays, one of them large, and one that lies transposed."""
    rng = numpy.random.default_rng(0)
    made = []
    for shape in ((3, 4), (5000,), (2, 3)):
        values = [(rng.normal(size=shape) * 10).astype(dtype) for _ in contexts]
        made.append([array_modules.to_context(v, c) for v, c in zip(values, contexts, strict=True)])
    made[-1] = [a.T for a in made[-1]]
    return made


def host(arrays: Any) -> list[Any]:
    return [array_modules.asnumpy(a) for a in arrays]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32"])
def test_sum_everywhere(contexts, nccl, calls, dtype):
    given = groups(contexts, dtype)
    expected = [sum(host(g)) for g in given]
    addresses = [[a.data.ptr for a in g] for g in given]
    collective.sum_everywhere(given, contexts)
    for group, total in zip(given, expected, strict=True):
        for context, array in zip(contexts, group, strict=True):
            assert array.device.id == context.device_id
            numpy.testing.assert_allclose(
                array_modules.asnumpy(array), total, rtol=1e-3 if dtype == "float16" else 1e-6
            )
    assert [[a.data.ptr for a in g] for g in given] == addresses
    assert calls == (["reduce 2"] if nccl else [])


def test_sum_on_first(contexts, nccl, calls):
    given = groups(contexts)
    before = [host(g) for g in given]
    totals = collective.sum_on_first(given, contexts)
    for group, was, total in zip(given, before, totals, strict=True):
        assert total.device.id == 0
        numpy.testing.assert_allclose(array_modules.asnumpy(total), was[0] + was[1], rtol=1e-6)
        for now, then in zip(host(group), was, strict=True):
            numpy.testing.assert_array_equal(now, then)
    assert calls == (["reduce 2"] if nccl else [])


def test_copy_from_first(contexts, nccl, calls):
    given = groups(contexts)
    expected = [host(g)[0] for g in given]
    collective.copy_from_first(given, contexts)
    for group, first in zip(given, expected, strict=True):
        for array in host(group):
            numpy.testing.assert_array_equal(array, first)
    assert calls == (["broadcast 2"] if nccl else [])


def test_one_device_twice_is_summed_by_copies(gpu, calls):
    contexts = [mx.gpu(0), mx.gpu(0)]
    given = groups(contexts)
    expected = [sum(host(g)) for g in given]
    collective.sum_everywhere(given, contexts)
    for group, total in zip(given, expected, strict=True):
        for array in host(group):
            numpy.testing.assert_allclose(array, total, rtol=1e-6)
    assert not calls


def test_a_cpu_among_them(gpu, calls):
    contexts = [mx.gpu(0), mx.cpu(0)]
    given = groups(contexts)
    expected = [sum(host(g)) for g in given]
    collective.sum_everywhere(given, contexts)
    for group, total in zip(given, expected, strict=True):
        assert not isinstance(group[0], numpy.ndarray) and isinstance(group[1], numpy.ndarray)
        for array in host(group):
            numpy.testing.assert_allclose(array, total, rtol=1e-6)
    assert not calls


def train(contexts: Any, optimizer: str = "adam", **settings: Any) -> list[Any]:
    mx.random.seed(0)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(8, activation="tanh", in_units=3), gluon.nn.Dense(2, in_units=8))
    net.initialize(mx.init.Constant(0.1), ctx=contexts)
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": 0.1}, **settings)
    x = nd.array(numpy.random.default_rng(0).normal(size=(6, 3)))
    for _ in range(3):
        with autograd.record():
            losses = [(net(part) ** 2).sum() for part in gluon.utils.split_and_load(x, contexts)]
        autograd.backward(losses)
        trainer.step(6)
    return [[host([w._data])[0] for w in p.list_data()] for p in net.collect_params().values()]


@pytest.mark.parametrize("update_on_kvstore", [None, False])
@pytest.mark.parametrize("kvstore", ["device", "local", "nccl"])
def test_two_gpus_train_as_one_cpu(contexts, nccl, calls, kvstore, update_on_kvstore):
    if kvstore == "nccl" and not nccl:
        with pytest.raises(mx.MXNetError, match="compile with USE_NCCL=1 to use nccl"):
            train(contexts, kvstore=kvstore)
        return
    found = train(contexts, kvstore=kvstore, update_on_kvstore=update_on_kvstore)
    expected = train([mx.cpu()])
    for copies, (weight,) in zip(found, expected, strict=True):
        numpy.testing.assert_array_equal(copies[0], copies[1])
        numpy.testing.assert_allclose(copies[0], weight, rtol=2e-5, atol=1e-7)
    step = ["reduce 4"] if update_on_kvstore is False else ["reduce 4", "broadcast 4"]
    assert calls == (["broadcast 4", *step * 3] if nccl else [])  # first, all devices begin with the same values


def test_gradients_can_be_changed_between_sum_and_update(contexts, nccl):
    weight = gluon.Parameter("w", shape=(2,), init="ones")
    weight.initialize(ctx=contexts)
    trainer = gluon.Trainer([weight], "sgd", {"learning_rate": 1.0}, update_on_kvstore=False)
    with autograd.record():
        losses = [weight.data(c) * (i + 1) for i, c in enumerate(contexts)]
    autograd.backward(losses)
    trainer.allreduce_grads()
    assert [g.asnumpy().tolist() for g in weight.list_grad()] == [[3, 3], [3, 3]]
    gluon.utils.clip_global_norm([weight.list_grad()[0]], 0.1)
    gluon.utils.clip_global_norm([weight.list_grad()[1]], 0.1)
    trainer.update(1)
    first, second = host([w._data for w in weight.list_data()])
    numpy.testing.assert_array_equal(first, second)
    numpy.testing.assert_allclose(first, 1 - 0.1 / numpy.sqrt(2), rtol=1e-5)


@pytest.mark.parametrize("kind", ["device", "local", "nccl"])
def test_key_value_stores(contexts, calls, kind):
    if kind == "nccl" and array_modules.nccl() is None:
        pytest.skip("there is no NCCL")
    kv = mx.kv.create(kind)
    kv.init([0, 1], [nd.zeros((2,), ctx=contexts[0])] * 2)
    values = [[nd.ones((2,), ctx=c) * (i + 1) for i, c in enumerate(contexts)] for _ in range(2)]
    kv.pushpull([0, 1], values)
    for arrays in values:
        assert [a.asnumpy().tolist() for a in arrays] == [[3, 3], [3, 3]]
        assert [a.context for a in arrays] == contexts
    out = nd.zeros((2,), ctx=mx.cpu())
    kv.set_optimizer(mx.optimizer.create("sgd", learning_rate=1.0))
    kv.push(0, values[0])
    kv.pull(0, out=out)
    assert out.asnumpy().tolist() == [-3, -3]
    if array_modules.nccl() is not None:
        assert calls == ["reduce 2", "reduce 1"]


def test_compression_on_each_device(contexts):
    kv = mx.kv.create("device")
    kv.set_gradient_compression({"type": "2bit", "threshold": 0.5})
    kv.init(0, nd.zeros((4,), ctx=contexts[0]))
    pushed = [[1, 0.2, -0.7, 0.3], [1, 0.4, -0.7, 0.1]]
    for expected in ([1, 0, -1, 0], [1, 0.5, -1, 0.5]):
        kv.push(0, [nd.array(v, ctx=c) for v, c in zip(pushed, contexts, strict=True)])
        out = nd.zeros((4,), ctx=contexts[1])
        kv.pull(0, out=out)
        assert out.asnumpy().tolist() == expected
