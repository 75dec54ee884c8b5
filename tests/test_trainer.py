"""Trainer: steps, several devices, stale gradients, learning rates, files."""

import numpy
import pytest
from exact_messages import raises

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, init, nd
from d2lhybrid.error import DeferredInitializationError, MXNetError
from d2lhybrid.gluon import nn

CPUS = [mx.cpu(0), mx.cpu(1)]
SGD = {"learning_rate": 0.1, "momentum": 0.9}


def stale(name, ctx="cpu(0)"):
    return (
        f"Gradient of Parameter `{name}` on context {ctx} has not been updated by backward since last "
        "`step`. This "
        "could mean a bug in your model that made it only use a subset of the Parameters (Blocks) for this "
        "iteration. If you are intentionally only using a subset, call step with ignore_stale_grad=True to "
        "suppress "
        "this warning and skip updating of Parameters with stale gradient"
    )


def make_net(ctx=None, **kwargs):
    net = nn.Dense(1, in_units=2, **kwargs)
    net.initialize(init.One(), ctx=ctx)
    return net


def backward(net, contexts=(None,)):
    """The gradient of weight and bias on the i-th device is 2 · (i + 1)."""
    with autograd.record():
        losses = [(net(nd.ones((2, 2), ctx=c)) * (i + 1)).sum() for i, c in enumerate(contexts)]
    for loss in losses:
        loss.backward()


def values(arrays):
    return [round(float(a.asnumpy().flat[0]), 5) for a in arrays]


def test_step():
    net = make_net()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    backward(net)
    trainer.step(2)
    assert net.weight.data().asnumpy().tolist() == [[0.5, 0.5]]
    assert net.bias.data().asnumpy().tolist() == [-0.5]
    assert trainer.optimizer.rescale_grad == 0.5
    assert trainer._update_on_kvstore is None


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "rmsprop", "adagrad"])
@pytest.mark.parametrize("update_on_kvstore", [False, True])
def test_the_size_of_a_batch_may_be_an_array_of_one_number(optimizer, update_on_kvstore):
    # Chapters on translation divide by a number of tokens, which they have added up.
    def trained(size):
        net = nn.Dense(2, in_units=3)
        net.initialize("ones")
        trainer = gluon.Trainer(net.collect_params(), optimizer, update_on_kvstore=update_on_kvstore)
        for _ in range(2):
            with autograd.record():
                loss = net(nd.array([[1, 2, 3]])).sum()
            loss.backward()
            trainer.step(size)
        assert type(trainer._optimizer.rescale_grad) is float
        return net.weight.data().asnumpy()

    sizes = [mx.np.array(4), mx.np.array([4]), nd.array([4]), numpy.array(4), numpy.float64(4), numpy.array([[4]])]
    for size in sizes:
        numpy.testing.assert_array_equal(trained(size), trained(4))


def test_the_size_of_a_batch_is_no_array_of_several_numbers():
    net = nn.Dense(2, in_units=3)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    with autograd.record():
        loss = net(nd.ones((1, 3)))
    loss.backward()
    for call in (trainer.step, trainer.update):
        with pytest.raises(MXNetError, match="expect float") as caught:
            call(mx.np.array([4, 5]))
        assert "Pass a number as `batch_size`, not an array of shape (2,)." in "".join(caught.value.__notes__)


def test_order_of_parameters():
    net = make_net(prefix="d_")
    names = [p.name for p in gluon.Trainer(net.collect_params(), "sgd")._params]
    assert names == ["d_bias", "d_weight"], "a dictionary is sorted"
    assert [p.name for p in gluon.Trainer({"a": net.weight, "b": net.bias}, "sgd")._params] == [
        "d_weight",
        "d_bias",
    ]
    assert [p.name for p in gluon.Trainer((net.weight,), "sgd")._params] == ["d_weight"]


def test_bad_arguments():
    net = make_net()
    start = "First argument must be a list or dict of Parameters, got"
    for bad, text in ((5, "<class 'int'>"), ([5], "list of <class 'int'>"), (net, f"{type(net)}")):
        with raises(ValueError, f"{start} {text}."):
            gluon.Trainer(bad, "sgd")
    with raises(ValueError, "Cannot find optimizer foo"):
        gluon.Trainer(net.collect_params(), "foo")
    with raises(TypeError, "Optimizer.__init__() got an unexpected keyword argument 'lr'"):
        gluon.Trainer(net.collect_params(), "sgd", {"lr": 1})
    with raises(
        AssertionError,
        "optimizer_params must be None if optimizer is an instance of Optimizer instead of str",
    ):
        gluon.Trainer(net.collect_params(), mx.optimizer.SGD(), {"learning_rate": 1})
    with pytest.raises(MXNetError, match="several machines"):
        gluon.Trainer(net.collect_params(), "sgd", kvstore="dist_sync")
    two = make_net(CPUS, prefix="two_")
    with raises(
        AssertionError,
        "All Parameters must be initialized on the same set of contexts, but Parameter "
        f"{net.weight.name} is initialized on [cpu(0)] while previous Parameters are initialized on "
        "[cpu(0), cpu(1)].",
    ):
        gluon.Trainer([two.weight, net.weight], "sgd")
    bare = nn.Dense(1, prefix="bare_")
    with raises(RuntimeError, "Parameter 'bare_bias' has not been initialized"):
        gluon.Trainer(bare.collect_params(), "sgd")


def test_deferred_parameters():
    net = nn.Dense(1)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    with pytest.raises(DeferredInitializationError):
        trainer.step(1)
    backward(net)
    trainer.step(1)
    assert net.bias.data().asscalar() == -1


def test_stale_gradient():
    net = make_net(prefix="s_")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    backward(net)
    trainer.step(2)
    for call in (trainer.step, trainer.update):
        with raises(UserWarning, stale("s_bias")):
            call(2)
    trainer.step(2, ignore_stale_grad=True)
    assert values([net.weight.data()]) == [0.5]


def test_stale_gradient_of_one_parameter():
    used, unused = make_net(prefix="a_"), make_net(prefix="b_")
    trainer = gluon.Trainer([*used.collect_params().values(), *unused.collect_params().values()], "sgd")
    backward(used)
    with raises(UserWarning, stale("b_weight")):
        trainer.step(1)
    trainer.step(1, ignore_stale_grad=True)
    assert values([used.weight.data(), unused.weight.data()]) == [0.98, 1.0]


def test_parameters_that_do_not_train():
    net = make_net()
    net.weight.grad_req = "null"
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    backward(net)
    trainer.step(1)
    assert values([net.weight.data(), net.bias.data()]) == [1, -1]


def test_factors_of_the_learning_rate():
    net = make_net()
    net.weight.lr_mult = 0
    net.bias.wd_mult = 0
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5, "wd": 1.0})
    backward(net)
    trainer.step(1)
    assert values([net.weight.data(), net.bias.data()]) == [1, -1]


def test_learning_rate():
    net = make_net()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    assert trainer.learning_rate == 0.1
    trainer.set_learning_rate(0.5)
    assert trainer.learning_rate == 0.5
    scheduler = mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.1)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"lr_scheduler": scheduler})
    with pytest.raises(UserWarning, match="LRScheduler of the optimizer has already been defined"):
        trainer.set_learning_rate(5)
    for _ in range(2):
        backward(net)
        trainer.step(1)
    assert trainer.learning_rate == 0.05


def test_rescale_grad():
    net = make_net()
    optimizer = mx.optimizer.SGD(learning_rate=0.5, rescale_grad=0.25)
    trainer = gluon.Trainer(net.collect_params(), optimizer)
    backward(net)
    trainer.step(2)
    assert optimizer.rescale_grad == 0.125
    assert values([net.bias.data()]) == [-0.125]


def test_grad_req_add_over_several_batches():
    net = make_net()
    net.collect_params().setattr("grad_req", "add")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    for _ in range(3):
        backward(net)
    trainer.step(6)
    net.collect_params().zero_grad()
    assert values([net.bias.data(), net.bias.grad()]) == [-0.5, 0]


# Several devices ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kvstore", ["device", "local"])
@pytest.mark.parametrize("update_on_kvstore", [None, True, False])
def test_sum_over_devices(kvstore, update_on_kvstore):
    net = make_net(CPUS)
    trainer = gluon.Trainer(net.collect_params(), "sgd", SGD, kvstore=kvstore, update_on_kvstore=update_on_kvstore)
    backward(net, CPUS)
    assert values(net.weight.list_grad()) == [2, 4]
    trainer.step(2)
    assert values(net.weight.list_data()) == [0.7, 0.7]
    assert values(net.weight.list_grad()) == ([6, 6] if update_on_kvstore is False else [2, 4])
    assert trainer._update_on_kvstore is (update_on_kvstore is not False)
    backward(net, CPUS)
    trainer.step(2)
    assert values(net.weight.list_data()) == [0.13, 0.13]
    assert [a.context for a in net.weight.list_data()] == CPUS


def test_separate_calls():
    net = make_net(CPUS)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, update_on_kvstore=False)
    backward(net, CPUS)
    trainer.allreduce_grads()
    assert values(net.weight.list_grad()) == [6, 6]
    gluon.utils.clip_global_norm(net.weight.list_grad(), 1.0)
    trainer.update(2)
    assert len(set(values(net.weight.list_data()))) == 1
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    for name in ("allreduce_grads", "update"):
        with raises(
            AssertionError,
            f"{name}() when parameters are updated on kvstore is not supported. Try setting "
            "`update_on_kvstore` to "
            "False when creating trainer.",
        ):
            getattr(trainer, name)(*([2] if name == "update" else []))


def test_devices_on_their_own():
    net = make_net(CPUS)
    trainer = gluon.Trainer(net.collect_params(), "sgd", SGD, kvstore=None)
    for expected in ([0.9, 0.8], [0.71, 0.42]):
        backward(net, CPUS)
        trainer.step(2)
        assert values(net.weight.list_data()) == expected


@pytest.mark.parametrize("update_on_kvstore", [None, False])
@pytest.mark.parametrize("first", ["step", "allreduce_grads", "save_states"])
def test_devices_that_start_from_other_values_get_those_of_the_first(update_on_kvstore, first, tmp_path):
    net = make_net(CPUS)
    net.bias.grad_req = "null"  # as running means, which no gradient makes equal
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0}, update_on_kvstore=update_on_kvstore)
    for parameter in (net.weight, net.bias):
        parameter.data(CPUS[1])[:] = 5
    backward(net, CPUS)
    if first == "save_states":
        trainer.save_states(tmp_path / "states")
    elif first == "step" or update_on_kvstore is None:
        trainer.step(1)
    else:
        trainer.allreduce_grads()
    assert values(net.weight.list_data()) == [1, 1] and values(net.bias.list_data()) == [0, 0]
    for parameter in (net.weight, net.bias):  # and once only
        parameter.data(CPUS[1])[:] = 5
    backward(net, CPUS)
    trainer.step(1)
    assert values(net.weight.list_data()) == ([1, 1] if update_on_kvstore is None else [1, 5])
    assert values(net.bias.list_data()) == [0, 5]


def test_devices_on_their_own_keep_the_values_that_they_start_from():
    net = make_net(CPUS)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0}, kvstore=None)
    net.weight.data(CPUS[1])[:] = 5
    backward(net, CPUS)
    trainer.step(1)
    assert values(net.weight.list_data()) == [1, 5]


def test_a_parameter_that_gets_its_shape_later_is_handed_out_then():
    net = nn.HybridSequential()
    net.add(nn.Dense(1, in_units=2), nn.Dense(1))
    net.initialize(init.One(), ctx=CPUS)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0})
    backward(net[0], CPUS)
    with pytest.raises(DeferredInitializationError):
        trainer.step(1)
    for context in CPUS:
        net(nd.ones((1, 2), ctx=context))
    net[0].weight.data(CPUS[1])[:] = 5  # handed out already
    net[1].weight.grad_req = net[0].weight.grad_req = "null"
    net[1].weight.data(CPUS[1])[:] = 5
    backward(net, CPUS)
    trainer.step(1)
    assert values(net[1].weight.list_data()) == [1, 1]
    assert values(net[0].weight.list_data()) == [1, 5]


class Recording(mx.kvstore.KVStoreBase):
    """A store of somebody else, which writes down what it is asked."""

    def __init__(self, updates):
        self.updates, self.asked, self.kept = updates, [], {}

    def is_capable(self, capability):
        assert capability == "optimizer"
        return self.updates

    def set_optimizer(self, optimizer):
        self.asked.append("set_optimizer")
        self.update = mx.optimizer.get_updater(optimizer)

    def broadcast(self, key, value, out, priority=0):
        self.asked.append(("broadcast", key))
        self.kept[key] = value.copy()
        for array in out:
            array[:] = value

    def pushpull(self, key, value, out=None, priority=0):
        self.asked.append(("pushpull", key, priority))
        total = sum(v.as_in_context(mx.cpu()) for v in value)
        if out is not None:
            self.update(key, total, self.kept[key])
            total = self.kept[key]
        for array in value if out is None else out:
            array[:] = total

    def save_optimizer_states(self, fname, dump_optimizer=False):
        self.asked.append(("save", fname, dump_optimizer))

    def load_optimizer_states(self, fname):
        self.asked.append(("load", fname))


@pytest.mark.parametrize("contexts", [CPUS, CPUS[:1]])
@pytest.mark.parametrize(("capable", "wanted"), [(True, None), (True, True), (True, False), (False, None)])
def test_a_store_of_somebody_else_is_asked_as_by_mxnet(contexts, capable, wanted):
    net = make_net(contexts)
    store = Recording(capable)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, store, update_on_kvstore=wanted)
    for data in net.weight.list_data()[1:]:
        data[:] = 5
    for _ in range(2):
        backward(net, contexts)
        trainer.step(1)
    updates = capable and wanted is not False
    pushed = [("pushpull", 0, 0), ("pushpull", 1, -1)] * 2
    assert store.asked == ["set_optimizer"] * updates + [("broadcast", 0), ("broadcast", 1), *pushed]
    total = 2 if len(contexts) == 1 else 6
    assert values(net.weight.list_data()) == [round(1 - 2 * 0.1 * total, 5)] * len(contexts)
    with pytest.raises(UserWarning, match="has not been updated by backward"):
        trainer.step(1)
    store.asked.clear()
    if updates:
        trainer.save_states("there")
        trainer.load_states("here")
        assert store.asked == [("save", "there", True), ("load", "here")]


def test_a_store_that_cannot_update_is_not_made_to():
    with pytest.raises(ValueError, match="Please set update_on_kvstore=False when training with"):
        gluon.Trainer(make_net(CPUS).collect_params(), "sgd", kvstore=Recording(False), update_on_kvstore=True)


def test_stale_gradient_on_one_device():
    net = make_net(CPUS, prefix="s_")
    trainer = gluon.Trainer(net.collect_params(), "sgd", update_on_kvstore=False)
    backward(net, CPUS[:1])
    with raises(UserWarning, stale("s_bias", "cpu(1)")):
        trainer.step(1)


def test_several_devices_train_as_one():
    """Half a batch on each of two devices is the same as the whole batch on one."""
    x = nd.array(numpy.random.default_rng(0).normal(size=(6, 2)))
    results = []
    for contexts in (CPUS[:1], CPUS):
        net = make_net(contexts)
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
        for _ in range(4):
            with autograd.record():
                losses = [(net(part) ** 2).sum() for part in gluon.utils.split_and_load(x, contexts)]
            autograd.backward(losses)
            trainer.step(len(x))
        results.append(net.weight.data(mx.cpu(0)).asnumpy())
    numpy.testing.assert_allclose(results[0], results[1], rtol=1e-5)


# Files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("contexts", [CPUS[:1], CPUS])
@pytest.mark.parametrize("update_on_kvstore", [None, False])
def test_save_and_load_states(tmp_path, contexts, update_on_kvstore):
    def train(net, trainer, steps):
        for _ in range(steps):
            backward(net, contexts)
            trainer.step(2)

    def make():
        net = make_net(contexts, prefix="n_")
        return net, gluon.Trainer(
            net.collect_params(), "adam", {"learning_rate": 0.1}, update_on_kvstore=update_on_kvstore
        )

    net, trainer = make()
    train(net, trainer, 2)
    net.save_parameters(str(tmp_path / "net"))
    trainer.save_states(str(tmp_path / "states"))
    train(net, trainer, 2)
    other, other_trainer = make()
    other.load_parameters(str(tmp_path / "net"))
    other_trainer.load_states(str(tmp_path / "states"))
    assert other_trainer.optimizer.param_dict[0] is other.bias
    train(other, other_trainer, 2)
    for a, b in zip(net.weight.list_data(), other.weight.list_data(), strict=True):
        numpy.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6)


def test_missing_file():
    trainer = gluon.Trainer(make_net().collect_params(), "sgd")
    with raises(FileNotFoundError, "[Errno 2] No such file or directory: 'nofile'"):
        trainer.load_states("nofile")


def test_trains_hybridized():
    x, y = nd.array([[0, 0], [0, 1], [1, 0], [1, 1]]), nd.array([0, 1, 1, 0])
    mx.random.seed(3)
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="tanh"), nn.Dense(2))
    net.initialize(init.Xavier(magnitude=6))
    net.hybridize()
    loss_function = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    losses = []
    for _ in range(200):
        with autograd.record():
            loss = loss_function(net(x), y)
        loss.backward()
        trainer.step(4)
        losses.append(float(loss.mean().asscalar()))
    assert losses[-1] < 0.05 < 0.3 < losses[0]
