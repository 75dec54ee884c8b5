"""Key-value stores: the numbers and messages are those of MXNet 1.9.1 with cpu(0) and cpu(1)."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.error import MXNetError

CPUS = [mx.cpu(0), mx.cpu(1)]


def on(ctx, *values):
    return nd.array(values, ctx=ctx)


def both(first, second):
    return [on(CPUS[0], first, first), on(CPUS[1], second, second)]


def firsts(arrays):
    return [a.asnumpy()[0] for a in arrays]


def pulled(kv, key):
    out = both(0, 0)
    kv.pull(key, out=out)
    a, b = firsts(out)
    assert a == b
    return a


@pytest.mark.parametrize("name", ["local", "Device", "local_update_cpu", "local_allreduce_device"])
def test_create(name):
    kv = mx.kv.create(name)
    assert (kv.type, kv.rank, kv.num_workers) == (name.lower(), 0, 1)
    assert kv.is_capable("optimizer") and kv.is_capable("OPTIMIZER")
    with pytest.raises(ValueError, match="Unknown capability: speed"):
        kv.is_capable("speed")


def test_what_cannot_be_created():
    with pytest.raises(TypeError, match="name must be a string"):
        mx.kv.create(3)
    with pytest.raises(MXNetError, match="is for training on several machines"):
        mx.kv.create("dist_sync")
    if not mx.context.num_gpus():
        with pytest.raises(MXNetError, match="compile with USE_NCCL=1 to use nccl"):
            mx.kv.create("nccl")


@pytest.mark.parametrize("kind", ["local", "device"])
def test_push_sums_and_replaces(kind):
    kv = mx.kv.create(kind)
    value = on(CPUS[0], 1, 1)
    kv.init(3, value)
    value += 5
    assert pulled(kv, 3) == 1  # a copy was stored
    kv.push(3, on(CPUS[0], 5, 5))
    assert pulled(kv, 3) == 5
    pushed = both(5, 6)
    kv.push(3, pushed)
    assert pulled(kv, 3) == 11
    assert firsts(pushed) == [5, 6]


@pytest.mark.parametrize("kind", ["local", "device"])
def test_pushpull(kind):
    kv = mx.kv.create(kind)
    kv.init("w", on(CPUS[0], 0, 0))
    out = both(0, 0)
    kv.pushpull("w", both(1, 2), out=out)
    assert firsts(out) == [3, 3]
    values = both(1, 3)
    kv.pushpull("w", values)
    assert firsts(values) == [4, 4] == [pulled(kv, "w")] * 2
    assert [a.context for a in values] == CPUS


def test_several_keys():
    kv = mx.kv.create()
    kv.init(["a", "b"], [on(CPUS[0], 1, 1), on(CPUS[0], 2, 2)])
    out = [both(0, 0), both(0, 0)]
    kv.push(["a", "b"], [both(1, 2), both(3, 4)])
    kv.pull(["a", "b"], out=out)
    assert [firsts(o) for o in out] == [[3, 3], [7, 7]]
    kv.push(["b", "b"], [on(CPUS[0], 1, 1), on(CPUS[0], 2, 2)])
    assert pulled(kv, "b") == 3


def test_broadcast_once():
    kv = mx.kv.create("device")
    out = both(0, 0)
    kv.broadcast("z", on(CPUS[0], 7, 7), out=out)
    assert firsts(out) == [7, 7]
    with pytest.raises(MXNetError, match="duplicate init of key z"):
        kv.broadcast("z", on(CPUS[0], 9, 9), out=out)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda kv: kv.init(3, nd.ones((2,))), "local_.find(keys[i]) == local_.end(): duplicate init of key 3."),
        (lambda kv: kv.push(99, nd.ones((2,))), "Check failed: !is_none(): "),
        (lambda kv: kv.pull(99, out=nd.ones((2,))), "!local.is_none(): key 99 has not been inited"),
        (lambda kv: kv.init("x", nd.ones((2,))), "key_type_ == key_type (1 vs. 0) : Mixed key types are not allowed"),
        (lambda kv: kv.push(3, nd.ones((3,))), "operands shape mismatch from.shape = [3] to.shape=[2]"),
        (lambda kv: kv.pull(3, out=nd.ones((2, 2))), "operands shape mismatch from.shape = [2] to.shape=[2,2]"),
        (lambda kv: kv.row_sparse_pull(3, out=nd.ones((2,)), row_ids=nd.ones((1,))), "val_stype == kRowSparseStorage"),
    ],
)
def test_errors(call, message):
    kv = mx.kv.create("device")
    kv.init(3, nd.ones((2,)))
    with pytest.raises(MXNetError) as caught:
        call(kv)
    assert message in str(caught.value)
    assert pulled(kv, 3) == 1


def test_bad_arguments():
    kv = mx.kv.create()
    with pytest.raises(AssertionError, match="unexpected type for keys: <class 'float'>"):
        kv.init(1.5, nd.ones((2,)))
    with pytest.raises(AssertionError, match="key has 2 elements, but value has 1"):
        kv.init([1, 2], [nd.ones((2,))])
    with pytest.raises(TypeError, match="not iterable"):
        kv.init(1, 3)
    with pytest.raises(AssertionError, match="each value must be an NDArray"):
        kv.init(1, [numpy.ones(2)])


def test_an_updater_of_ones_own():
    calls = []

    def update(key, pushed, stored):
        calls.append((key, pushed.asnumpy()[0], stored.asnumpy()[0]))
        stored += pushed * 2

    kv = mx.kv.create()
    kv.init(4, on(CPUS[0], 1, 1))
    kv._set_updater(update)
    kv.push(4, both(1, 2))
    assert calls == [(4, 3, 1)]
    assert pulled(kv, 4) == 7
    values = both(1, 1)
    kv.pushpull(4, values)
    assert firsts(values) == [11, 11]


def test_an_optimizer_and_its_states(tmp_path):
    kv = mx.kv.create("device")
    with pytest.raises(AssertionError, match="Cannot save states"):
        kv.save_optimizer_states(str(tmp_path / "states"))
    kv.init([0, 1], [on(CPUS[0], 1, 1)] * 2)
    kv.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.5, momentum=0.9))
    kv.push([0, 1], [both(1, 1), both(1, 1)])
    assert pulled(kv, 0) == 0
    kv.save_optimizer_states(str(tmp_path / "states"))
    kv.push(0, both(1, 1))
    assert pulled(kv, 0) == numpy.float32(-1.9)
    kv.load_optimizer_states(str(tmp_path / "states"))
    kv.push(1, both(1, 1))
    assert pulled(kv, 1) == numpy.float32(-1.9)


def test_gradient_compression_keeps_what_it_does_not_send():
    kv = mx.kv.create("device")
    kv.set_gradient_compression({"type": "2bit", "threshold": 0.5})
    kv.init(0, nd.zeros((4,)))
    out = nd.zeros((4,))
    for expected in ([1, 0, -1, 0], [1, 0.5, -1, 0.5]):
        kv.push(0, [on(CPUS[0], 1, 0.2, -0.7, 0.3), on(CPUS[1], 1, 0.4, -0.7, 0.1)])
        kv.pull(0, out=out)
        assert out.asnumpy().tolist() == expected


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"type": "1bit"}, "Unknown type for gradient compression 1bit"),
        ({"threshold": 1}, "Required parameter type of string is not presented"),
        ({"type": "2bit", "threshold": -1}, r"params.threshold > 0 \(-1 vs. 0\) : threshold must be greater than 0"),
    ],
)
def test_gradient_compression_that_cannot_be(params, message):
    with pytest.raises(MXNetError, match=message):
        mx.kv.create("device").set_gradient_compression(params)
    with pytest.raises(Exception, match="not supported for this type of kvstore"):
        mx.kv.create("local").set_gradient_compression(params)


# --- what a Trainer makes of it ---


def trained(**settings):
    net = gluon.nn.Dense(1, in_units=1, use_bias=False)
    net.initialize(mx.init.One(), ctx=CPUS)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, **settings)
    with autograd.record():
        losses = [net(nd.ones((1, 1), ctx=c) * (i + 1)) for i, c in enumerate(CPUS)]
    autograd.backward(losses)
    trainer.step(1)
    return trainer, [w.asscalar().item() for w in net.weight.list_data()]


@pytest.mark.parametrize("update_on_kvstore", [None, True, False])
@pytest.mark.parametrize("kvstore", ["device", "local", mx.kv.create("device")])
def test_trainer(kvstore, update_on_kvstore):
    trainer, weights = trained(kvstore=kvstore, update_on_kvstore=update_on_kvstore)
    assert weights == pytest.approx([0.7, 0.7])
    assert type(trainer._kvstore).__name__ == "KVStore"


@pytest.mark.parametrize("kvstore", ["teststore", mx.kv.create("teststore")])
def test_trainer_with_a_store_that_cannot_update(kvstore):
    trainer, weights = trained(kvstore=kvstore)
    assert weights == pytest.approx([0.7, 0.7])
    assert trainer._update_on_kvstore is False
    with pytest.raises(ValueError, match="Please set update_on_kvstore=False when training with"):
        trained(kvstore=kvstore, update_on_kvstore=True)


def test_trainer_with_a_store_of_ones_own(monkeypatch):
    monkeypatch.setattr(mx.kvstore.KVStoreBase, "kv_registry", {})

    @mx.kvstore.KVStoreBase.register
    class Largest(mx.kvstore.TestStore):
        def pushpull(self, key, value, out=None, priority=0):
            assert (key, priority) == (0, 0)
            for v in value:
                v[:] = 10

    _, weights = trained(kvstore="largest")
    assert weights == pytest.approx([0, 0])
    with pytest.warns(UserWarning, match="New kvstore .* is overriding existing kvstore"):
        mx.kvstore.KVStoreBase.register(Largest)


@pytest.mark.parametrize("update_on_kvstore", [True, False])
def test_trainer_compresses_gradients(update_on_kvstore):
    compression = {"type": "2bit", "threshold": 0.5}
    _, weights = trained(compression_params=compression, update_on_kvstore=update_on_kvstore)
    assert weights == pytest.approx([0.9, 0.9])  # 0.5 of each device


def test_trainer_without_nccl():
    if mx.context.num_gpus():
        pytest.skip("there may be NCCL")
    with pytest.raises(MXNetError, match="compile with USE_NCCL=1 to use nccl"):
        trained(kvstore="nccl")
