"""Optimizers and their operators against runs of real MXNet, and what surrounds them."""

import json
import pickle
import sys
import types
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.optimizer import saved_states
from d2lhybrid.optimizer.optimizer import BLOCK

GOLDEN = Path(__file__).parent / "golden_data" / "train"
RUNS = json.loads((GOLDEN / "optimizers.json").read_text("utf-8"))["cases"]
RUN_ARRAYS = numpy.load(GOLDEN / "optimizers.npz")
SETTINGS = json.loads((GOLDEN / "optimizer_settings.json").read_text("utf-8"))["cases"]
OPERATORS = json.loads((GOLDEN / "update_operators.json").read_text("utf-8"))["cases"]

ALL = sorted({case["optimizer"] for case in SETTINGS})


def decode(stored):
    return numpy.array(stored["values"], stored["dtype"]).reshape(stored["shape"])


def tolerance(dtype):
    return {"rtol": 5e-3, "atol": 5e-3} if dtype == numpy.float16 else {"rtol": 1e-4, "atol": 1e-5}


def assert_close(got, expected, precision=None):
    assert got.shape == expected.shape
    assert got.dtype == expected.dtype
    values = got.astype("float64"), expected.astype("float64")
    numpy.testing.assert_allclose(*values, **tolerance(precision or expected.dtype))


# --- operators ---


@pytest.mark.parametrize("case", OPERATORS, ids=[case["id"] for case in OPERATORS])
def test_update_operator(case):
    op = get_operator(case["op"])
    inputs = [decode(stored) for stored in case["inputs"]]
    before = [array.copy() for array in inputs]
    params = op.parse({k: tuple(v) if isinstance(v, list) else v for k, v in case["attrs"].items()})
    full = op.complete(params)
    result = op.kernel(numpy, *inputs, **params)
    outputs = list(result) if isinstance(result, tuple | list) else [result]
    for array, old in zip(inputs, before, strict=True):
        numpy.testing.assert_array_equal(array, old)  # kernels are pure
    assert len(outputs) == op.num_outputs(params)
    visible = [decode(stored) for stored in case["outputs"]]
    assert len(visible) == op.num_visible_outputs(params)
    for got, expected in zip(outputs, visible, strict=False):
        assert_close(got, expected, inputs[0].dtype)

    shapes, dtypes = [a.shape for a in inputs], [a.dtype for a in inputs]
    assert [tuple(s) for s in op.shape_rule(*shapes, **full)[1]] == [o.shape for o in outputs]
    assert list(op.type_rule(*dtypes, **full)[1]) == [o.dtype for o in outputs]
    nothing = [None] * len(inputs)
    assert len(op.shape_rule(*nothing, **full)[0]) == len(inputs)
    assert len(op.type_rule(*nothing, **full)[0]) == len(inputs)

    names = op.list_inputs(params)
    assert len(names) == len(inputs)
    updates = {}
    if op.forward_updates is not None:
        y = outputs if len(outputs) > 1 else outputs[0]
        updates = op.forward_updates(kernel_space(numpy), y, *inputs, **full)
    for i, stored in enumerate(case["after"]):
        key = names[i] if names[i] in updates else str(i)
        expected = inputs[i] if stored is None else decode(stored)
        assert (key in updates) or stored is None, names[i]
        if key in updates:
            assert_close(updates[key], expected)


def test_operator_updates_states_in_place():
    weight, grad, mom = nd.ones((2,)), nd.ones((2,)), nd.zeros((2,))
    result = nd.sgd_mom_update(weight, grad, mom, lr=0.5, momentum=0.9, out=weight)
    assert result is weight
    assert weight.asnumpy().tolist() == [0.5, 0.5]
    assert mom.asnumpy().tolist() == [-0.5, -0.5]


def test_operator_of_several_weights_updates_states_in_place():
    weights, grads, moms = ([f((n,)) for n in (2, 3)] for f in (nd.ones, nd.ones, nd.zeros))
    flat = [array for group in zip(weights, grads, moms, strict=True) for array in group]
    nd.multi_sgd_mom_update(*flat, lrs=(0.5, 0.25), wds=(0, 0), momentum=0.9, num_weights=2, out=weights)
    assert [w.asnumpy()[0] for w in weights] == [0.5, 0.75]
    assert [m.asnumpy()[0] for m in moms] == [-0.5, -0.25]


def test_master_copy_of_lamb_is_updated():
    master = nd.ones((2,))
    one = nd.ones((1,))
    weight = nd.mp_lamb_update_phase2(nd.ones((2,), dtype="float16"), nd.ones((2,)), one, one, master, lr=0.5)
    assert weight.dtype == numpy.float16
    assert master.asnumpy().tolist() == [0.5, 0.5]


@pytest.mark.parametrize("scale", [0.0, numpy.nan, numpy.inf])
def test_adamw_skips_an_update_without_a_usable_scale(scale):
    arrays = [nd.ones((2,)) for _ in range(4)]
    with numpy.errstate(invalid="ignore"):
        weight = nd.contrib.adamw_update(*arrays, nd.array([scale]), lr=0.1, eta=1.0)
    for array in (weight, *arrays):
        assert array.asnumpy().tolist() == [1.0, 1.0]


def test_reset_arrays():
    arrays = [nd.ones((2,)), nd.ones((3, 1))]
    nd.reset_arrays(*arrays, num_arrays=2)
    assert not any(a.asnumpy().any() for a in arrays)


# --- runs ---


@pytest.mark.parametrize("case", RUNS, ids=[f"{c['id']}-{c['optimizer']}" for c in RUNS])
def test_trainer_run(case):
    arrays = {name: RUN_ARRAYS[f"{case['id']}/{name}"] for name in ("w0", "b0", "X", "Y", "w", "b")}
    net = nn.Dense(3, in_units=2)
    net.initialize()
    net.weight.set_data(nd.array(arrays["w0"]))
    net.bias.set_data(nd.array(arrays["b0"]))
    trainer = gluon.Trainer(net.collect_params(), case["optimizer"], case["params"])
    x, y, loss = nd.array(arrays["X"]), nd.array(arrays["Y"]), gluon.loss.L2Loss()
    close = {"rtol": case["rtol"], "atol": case["atol"]}
    for step in range(case["steps"]):
        with autograd.record():
            value = loss(net(x), y)
        value.backward()
        numpy.testing.assert_allclose(value.mean().asscalar(), case["losses"][step], **close)
        trainer.step(case["batch_size"])
        numpy.testing.assert_allclose(net.weight.data().asnumpy(), arrays["w"][step], **close)
        numpy.testing.assert_allclose(net.bias.data().asnumpy(), arrays["b"][step], **close)


@pytest.mark.parametrize("hybridized", [False, True])
def test_convolutional_net(hybridized):
    case = json.loads((GOLDEN / "convnet.json").read_text("utf-8"))
    with numpy.load(GOLDEN / "convnet.npz") as stored:
        arrays = dict(stored)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(3, 3, activation="relu"), nn.BatchNorm(), nn.MaxPool2D(), nn.Flatten(), nn.Dense(3))
    net.initialize()
    net.hybridize(hybridized)
    x, y, loss = nd.array(arrays["X"]), nd.array(arrays["Y"]), gluon.loss.SoftmaxCrossEntropyLoss()
    net(x)
    parameters = net._collect_params_with_prefix()
    for name, parameter in parameters.items():
        parameter.set_data(nd.array(arrays[f"before/{name}"]))
    trainer = gluon.Trainer(net.collect_params(), *case["optimizer"])
    losses = []
    for _ in range(case["steps"]):
        with autograd.record():
            value = loss(net(x), y)
        value.backward()
        trainer.step(case["batch_size"])
        losses.append(value.mean().asscalar())
    close = {"rtol": case["rtol"], "atol": case["atol"]}
    numpy.testing.assert_allclose(losses, case["losses"], **close)
    for name, parameter in parameters.items():
        numpy.testing.assert_allclose(parameter.data().asnumpy(), arrays[f"after/{name}"], **close)
    numpy.testing.assert_allclose(net(x).asnumpy(), arrays["infer"], **close)


@pytest.mark.parametrize("case", SETTINGS, ids=[f"{c['id']}-{c['optimizer']}" for c in SETTINGS])
@pytest.mark.filterwarnings("ignore:Accumulating with float16")
def test_settings(case):
    names = {0: "d_weight", 1: "d_bias", 2: "n_gamma"}
    update = mx.optimizer.get_updater(mx.optimizer.create(case["optimizer"], param_idx2name=names, **case["params"]))
    weights = [nd.array(decode(stored), dtype=case["dtype"]) for stored in case["weights"]]
    grads = [decode(stored) for stored in case["grads"]]
    after = [decode(stored) for stored in case["after"]]
    for t in range(len(after[0])):
        for k, weight in enumerate(weights):
            update(k, nd.array(grads[k][t], dtype=case["dtype"]), weight)
            assert_close(weight.asnumpy(), after[k][t])


@pytest.mark.parametrize("name", ALL)
def test_pieces_give_what_the_whole_gives(name):
    rng = numpy.random.default_rng(0)
    start, grads = rng.standard_normal((2, BLOCK + 1000)), rng.standard_normal((3, 2, BLOCK + 1000))
    results = []
    for in_pieces in (True, False):
        optimizer = mx.optimizer.create(name, learning_rate=0.1, wd=0.01)
        if not in_pieces:
            optimizer.elementwise = False
        update, weight = mx.optimizer.get_updater(optimizer), nd.array(start)
        for grad in grads:
            update(0, nd.array(grad), weight)
        results.append(weight.asnumpy())
    numpy.testing.assert_allclose(*results, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ALL)
def test_weight_of_shape_zero_dimensional(name):
    weight, grad = nd.array(2.0), nd.array(1.0)
    assert weight.shape == ()
    mx.optimizer.get_updater(mx.optimizer.create(name, learning_rate=0.1))(0, grad, weight)
    assert weight.shape == ()
    assert weight.asscalar() != 2.0


@pytest.mark.parametrize("name", ALL)
def test_numpy_arrays_change_as_legacy_arrays_do(name):
    weights = nd.ones((2, 2)), mx.np.ones((2, 2))
    for weight in weights:
        update = mx.optimizer.get_updater(mx.optimizer.create(name, learning_rate=0.1, wd=0.01))
        for _ in range(2):
            update(0, weight * 0 + 1, weight)
    assert type(weights[1]) is mx.np.ndarray
    numpy.testing.assert_array_equal(weights[0].asnumpy(), weights[1].asnumpy())


@pytest.mark.parametrize("name", ALL)
def test_gradient_stays_as_it_is(name):
    weight, grad = nd.ones((3,)), nd.array([1.0, -2.0, 3.0])
    optimizer = mx.optimizer.create(name, learning_rate=0.1, wd=0.1, rescale_grad=0.5, clip_gradient=0.7)
    update = mx.optimizer.get_updater(optimizer)
    update(0, grad, weight)
    update(0, grad, weight)
    assert grad.asnumpy().tolist() == [1.0, -2.0, 3.0]


@pytest.mark.parametrize("name", sorted(set(ALL) - {"lbsgd"}))
def test_saved_states_continue_the_run(name):
    grads = [nd.array([1.0, -0.5]), nd.array([0.3, 0.2])]
    update, weight = mx.optimizer.get_updater(mx.optimizer.create(name, learning_rate=0.1)), nd.ones((2,))
    update(0, grads[0], weight)
    other, copy = mx.optimizer.get_updater(mx.optimizer.create("sgd")), weight.copy()
    other.set_states(update.get_states(dump_optimizer=True))
    assert type(other.optimizer) is type(update.optimizer)
    update(0, grads[1], weight)
    other(0, grads[1], copy)
    numpy.testing.assert_array_equal(weight.asnumpy(), copy.asnumpy())


def test_states_without_the_optimizer():
    update = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9, learning_rate=0.1))
    update(0, nd.ones((2,)), nd.ones((2,)))
    saved = update.get_states()
    assert list(saved_states.read_states(saved)) == [0]
    other = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9, learning_rate=0.1))
    other.set_states(saved)
    weight = nd.zeros((2,))
    other(0, nd.zeros((2,)), weight)
    numpy.testing.assert_allclose(weight.asnumpy(), -0.09, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "settings", "kinds"),
    [
        ("sgd", {}, type(None)),
        ("sgd", {"momentum": 0.9}, nd.NDArray),
        ("nag", {}, type(None)),
        ("adam", {}, (nd.NDArray, nd.NDArray)),
        ("rmsprop", {}, (nd.NDArray,)),
        ("rmsprop", {"centered": True}, (nd.NDArray,) * 3),
        ("dcasgd", {}, (type(None), nd.NDArray)),
        ("signum", {}, nd.NDArray),
        ("ftml", {}, (nd.NDArray,) * 3),
        ("sgld", {}, type(None)),
    ],
)
def test_kind_of_state(name, settings, kinds):
    state = mx.optimizer.create(name, **settings).create_state(0, nd.ones((2,)))
    found = tuple(type(part) for part in state) if isinstance(state, tuple) else type(state)
    assert found == kinds


def test_lists_of_weights():
    update = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.1, momentum=0.9))
    weights = [nd.ones((2,)), nd.ones((3,))]
    update([0, 1], [nd.ones((2,)), nd.ones((3,))], weights)
    assert sorted(update.states) == [0, 1]
    for weight in weights:
        numpy.testing.assert_allclose(weight.asnumpy(), 0.9, rtol=1e-6)


def test_adamax_without_a_gradient():
    optimizer, weight = mx.optimizer.Adamax(), nd.ones((2,))
    optimizer.update(0, weight, nd.array([0.0, 1.0]), optimizer.create_state(0, weight))
    assert weight.asnumpy()[0] == 1.0


def test_adamw_decays_beside_the_gradient():
    optimizer, weight = mx.optimizer.contrib.AdamW(learning_rate=0.1, wd=0.5), nd.array([2.0])
    optimizer.update(0, weight, nd.array([3.0]), optimizer.create_state(0, weight))
    # The first step of Adam has the length of the learning rate.
    assert weight.asscalar() == pytest.approx(2.0 - 0.1 * 0.5 * 2.0 - 0.1, rel=1e-5)


def test_group_adagrad_has_one_rate_for_each_row():
    optimizer, weight = mx.optimizer.create("groupadagrad", learning_rate=1.0), nd.zeros((2, 2))
    state = optimizer.create_state(0, weight)
    assert state.shape == (2, 1)
    optimizer.update(0, weight, nd.array([[3.0, 4.0], [0.0, 2.0]]), state)
    root = numpy.sqrt([[12.5], [2.0]])
    numpy.testing.assert_allclose(weight.asnumpy(), -numpy.array([[3, 4], [0, 2]]) / root, rtol=1e-4)


def test_noise_of_sgld():
    mx.random.seed(0)
    optimizer, weight = mx.optimizer.SGLD(learning_rate=0.04), nd.zeros((100, 100))
    optimizer.update(0, weight, nd.ones((100, 100)), None)
    assert weight.asnumpy().mean() == pytest.approx(-0.02, abs=0.01)
    assert weight.asnumpy().std() == pytest.approx(0.2, rel=0.05)


# --- settings, names, errors ---


def test_created_by_name():
    assert type(mx.optimizer.create("AdaGrad")) is mx.optimizer.AdaGrad
    assert type(mx.optimizer.create("ccsgd")) is mx.optimizer.ccSGD
    for name in ("foo", "adamw", "rmsporp"):
        with pytest.raises(ValueError) as raised:
            mx.optimizer.create(name)
        assert str(raised.value) == f"Cannot find optimizer {name}"
    assert raised.value.__notes__ == ["Did you mean 'rmsprop'?"]
    with pytest.raises(TypeError, match="unexpected keyword argument 'lr'"):
        mx.optimizer.create("sgd", lr=1)


def test_registered_class(monkeypatch):
    monkeypatch.setattr(mx.optimizer.Optimizer, "opt_registry", dict(mx.optimizer.Optimizer.opt_registry))

    class SGD(mx.optimizer.Optimizer):
        def update(self, index, weight, grad, state):
            weight[:] = 7

    with pytest.warns(UserWarning, match="is overriding existing optimizer"):
        mx.optimizer.register(SGD)
    weight = nd.ones((1,))
    mx.optimizer.get_updater(mx.optimizer.create("sgd"))(0, weight, weight)
    assert weight.asscalar() == 7


def test_optimizer_without_a_step():
    with pytest.raises(NotImplementedError):
        mx.optimizer.Optimizer().update(0, nd.ones((1,)), nd.ones((1,)), None)


def test_learning_rate():
    optimizer = mx.optimizer.SGD()
    assert optimizer.learning_rate == 0.01
    optimizer.set_learning_rate(3)
    assert optimizer.learning_rate == 3


def test_learning_rate_of_a_schedule(capsys):
    schedule = mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=1.0)
    optimizer = mx.optimizer.SGD(lr_scheduler=schedule)
    weight = nd.zeros((1,))
    for expected in (-1.0, -1.5, -1.75):
        optimizer.update(0, weight, nd.ones((1,)), None)
        assert weight.asscalar() == expected
    with pytest.raises(UserWarning, match="LRScheduler of the optimizer has already been defined"):
        optimizer.set_learning_rate(3)
    optimizer = mx.optimizer.SGD(learning_rate=0.3, lr_scheduler=schedule)
    assert optimizer.learning_rate == 0.3 == schedule.base_lr
    assert "has been overwritten by ``learning_rate``" in capsys.readouterr().out


def test_factors_by_name_index_and_parameter():
    names = {0: "a_weight", 1: "a_bias", 2: "a_gamma", 3: "b_beta"}
    optimizer = mx.optimizer.SGD(learning_rate=0.5, wd=0.5, param_idx2name=names)
    assert optimizer._get_wds([0, 1, 2, 3]) == [0.5, 0.0, 0.5, 0.0]
    optimizer.set_wd_mult({"a_bias": 2.0})
    optimizer.set_lr_mult({0: 3, "a_bias": 4})
    assert optimizer._get_wds([0, 1]) == [0.5, 1.0]
    assert optimizer._get_lrs([0, 1, 2]) == [1.5, 2.0, 0.5]

    class Parameter:
        lr_mult, wd_mult = 2.0, 3.0

    optimizer = mx.optimizer.SGD(learning_rate=0.5, wd=0.5, param_dict={0: Parameter()})
    assert (optimizer._get_lr(0), optimizer._get_wd(0)) == (1.0, 1.5)
    assert pickle.loads(pickle.dumps(optimizer)).param_dict == {}


def test_factors_in_a_graph():
    x = mx.sym.Variable("a_weight", lr_mult=5.0, wd_mult=6.0)
    optimizer = mx.optimizer.SGD(learning_rate=1.0, wd=1.0, sym=x, param_idx2name={0: "a_weight"})
    assert (optimizer._get_lr(0), optimizer._get_wd(0)) == (5.0, 6.0)


def test_each_device_is_counted_by_itself():
    optimizer = mx.optimizer.Adam(learning_rate=0.1)
    weights = [nd.ones((1,), ctx=mx.cpu(i)) for i in range(2)]
    updaters = [mx.optimizer.get_updater(optimizer) for _ in weights]
    for _ in range(3):
        for update, weight in zip(updaters, weights, strict=True):
            update(0, weight * 0 + 1, weight)
    assert weights[0].asscalar() == weights[1].asscalar()
    assert optimizer.num_update == 3


def test_float16_warns_without_a_master_copy():
    for optimizer, name in ((mx.optimizer.Adam(), "the optimizer"), (mx.optimizer.NAG(), "the NAG optimizer")):
        with pytest.warns(UserWarning, match=f"Accumulating with float16 in optimizer can lead to .* option of {name}"):
            optimizer.create_state_multi_precision(0, nd.ones((2,), dtype="float16"))


def test_shapes_must_be_equal():
    with pytest.raises(mx.MXNetError, match=r"Incompatible attr in node  at 1-th input: expected \[2\], got \[3\]"):
        mx.optimizer.SGD().update(0, nd.ones((2,)), nd.ones((3,)), None)
    with pytest.raises(AssertionError):
        mx.optimizer.SGD().update(0, numpy.ones(2), nd.ones((2,)), None)


#: Where a learning rate of 0 is no number: FTML divides by it.
RANDOM_UPDATES = [name for name in ALL if name not in ("sgld", "ftml")]


@pytest.mark.filterwarnings("ignore:Accumulating with float16")
@pytest.mark.parametrize("name", RANDOM_UPDATES)
def test_random_updates_of_a_trainer_are_those_of_one_parameter_after_the_other(name, tmp_path):
    """Several shapes and element types at once, with multipliers, clipping, and states that go through a file."""
    for seed in range(12):
        rng = numpy.random.default_rng(seed)

        def choose(*items, rng=rng):
            return items[rng.integers(len(items))]

        settings = {"learning_rate": choose(0.1, 0.01), "wd": choose(0.0, 0.01)}
        settings |= choose({}, {"clip_gradient": 0.1}) | choose({}, {"multi_precision": True})
        if name in ("sgd", "nag", "signum"):
            settings["momentum"] = choose(0.0, 0.9)
        kinds = [
            (choose((3,), (2, 3), (1,), (4, 2, 2), (7,)), choose("float32", "float32", "float16", "float64"))
            for _ in range(rng.integers(1, 6))
        ]
        rates = [choose(1.0, 0.5, 0.0) for _ in kinds]
        start = [rng.normal(size=shape).astype(dtype) for shape, dtype in kinds]
        gradients = [[choose(0, 1, 3) * rng.normal(size=w.shape).astype(w.dtype) for w in start] for _ in range(4)]
        batch, saved = choose(1, 2, 4), choose(0, 1, 9)

        parameters = []
        for i, (value, rate) in enumerate(zip(start, rates, strict=True)):
            parameter = gluon.Parameter(f"weight{i}", shape=value.shape, dtype=value.dtype, lr_mult=rate)
            parameter.initialize()
            parameter.set_data(nd.array(value, dtype=value.dtype))
            parameters.append(parameter)
        trainer = gluon.Trainer(parameters, name, dict(settings))
        optimizer = mx.optimizer.create(name, rescale_grad=1 / batch, **settings)
        optimizer.lr_mult = dict(enumerate(rates))
        updater = mx.optimizer.get_updater(optimizer)
        weights = [nd.array(value, dtype=value.dtype) for value in start]
        for step, values in enumerate(gradients):
            with autograd.record():
                loss = [(p.data() * nd.array(g, dtype=g.dtype)).sum() for p, g in zip(parameters, values, strict=True)]
            autograd.backward(loss)
            if step == saved:
                trainer.save_states(str(tmp_path / "states"))
                trainer = gluon.Trainer(parameters, name, dict(settings))
                trainer.load_states(str(tmp_path / "states"))
            trainer.step(batch)
            for i, (weight, value) in enumerate(zip(weights, values, strict=True)):
                updater(i, nd.array(value, dtype=value.dtype), weight)
        for parameter, weight in zip(parameters, weights, strict=True):
            precision = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-12}[weight.asnumpy().dtype.name]
            numpy.testing.assert_allclose(
                parameter.data().asnumpy(), weight.asnumpy(), rtol=precision, atol=precision, err_msg=f"{seed}"
            )


# --- states that MXNet has written ---------------------------------------------------------------------------


def _of_mxnet(name):
    return saved_states.read_states((GOLDEN / f"{name}.states").read_bytes())


def test_states_and_optimizers_of_mxnet_are_read():
    states, optimizer = _of_mxnet("adam_with_schedule")
    assert sorted(states) == [0, 1, 4, 5, 6, 7] and type(optimizer) is mx.optimizer.Adam
    mean, variance = states[6]
    assert (mean.asscalar(), variance.asscalar()) == (
        numpy.float32(-0.03346836194396019),
        numpy.float32(9.035567927639931e-05),
    )
    assert (optimizer.wd, optimizer.beta2, optimizer.num_update) == (0.01, 0.999, 4)
    schedule = optimizer.lr_scheduler
    assert type(schedule) is mx.lr_scheduler.FactorScheduler and (schedule.base_lr, schedule.count) == (0.05, 2)


def _small_net(start):
    """Return a net whose automatic names begin with the number ``start``."""
    with mx.name.NameManager() as names:
        for _ in range(start):
            names.get(None, "dense")
        net = nn.HybridSequential()
        net.add(nn.Dense(3, in_units=4), nn.BatchNorm(in_channels=3), nn.Dense(1, in_units=3))
    net.initialize()
    return net


def test_training_goes_on_from_states_of_mxnet():
    net = _small_net(0)
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    states, _ = _of_mxnet("sgd_with_momentum")
    trainer.load_states(str(GOLDEN / "sgd_with_momentum.states"))
    parameters = trainer._params
    before = [p.data().asnumpy() for p in parameters]
    with autograd.record(train_mode=False):
        loss = (net(nd.ones((2, 4))) * 0).sum()
    loss.backward()
    trainer.step(1)
    for i, (parameter, old) in enumerate(zip(parameters, before, strict=True)):
        if parameter.grad_req != "null":  # momentum 0.9, rate 0.1, decay 0.01
            moved = 0.9 * states[i].asnumpy() - 0.1 * 0.01 * old
            numpy.testing.assert_allclose(parameter.data().asnumpy(), old + moved, rtol=1e-5, atol=1e-7)


def test_states_refused_because_dense10_comes_before_dense9_say_so():
    trainer = gluon.Trainer(_small_net(9).collect_params(), "sgd")
    said = r"\(1,\)\. A trainer sorts parameters by name, so dense10_bias comes before dense9_bias\. .* prefix$"
    with pytest.raises(mx.MXNetError, match=said):
        trainer.load_states(str(GOLDEN / "sgd_with_momentum.states"))
    trainer = gluon.Trainer(_small_net(10).collect_params(), "sgd")
    trainer.load_states(str(GOLDEN / "sgd_with_momentum.states"))


@pytest.mark.parametrize("handle", [None, "text", b"", b"\x00" * 40])
def test_arrays_of_mxnet_without_values_are_refused(handle):
    class NDArray:
        def __reduce__(self):
            return NDArray, (None,), {"handle": handle}

    NDArray.__module__, NDArray.__qualname__ = "mxnet.ndarray.ndarray", "NDArray"
    module = types.ModuleType("mxnet.ndarray.ndarray")
    module.NDArray = NDArray
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "mxnet.ndarray.ndarray", module)
        patch.setitem(sys.modules, "mxnet.ndarray", types.ModuleType("mxnet.ndarray"))
        patch.setitem(sys.modules, "mxnet", types.ModuleType("mxnet"))
        data = pickle.dumps({0: NDArray()})
    with pytest.raises(mx.MXNetError, match="not a file of optimizer states"):
        saved_states.read_states(data)


@pytest.mark.parametrize("precise", [False, True])
def test_the_momentum_waits_while_it_is_switched_off(precise):
    dtype = "float16" if precise else "float32"
    optimizer = mx.optimizer.SGD(learning_rate=0.5, momentum=0.5, multi_precision=precise)
    weight, gradient = nd.array([8.0], dtype=dtype), nd.array([1.0], dtype=dtype)
    state, seen = optimizer.create_state_multi_precision(0, weight), []
    for momentum in (0.5, 0.5, 0, -0.5, 0.5):
        optimizer.momentum = momentum
        optimizer.update_multi_precision(0, weight, gradient, state)
        seen.append(float(weight.asscalar()))
    # -0.5, -0.75; plain steps of -0.5; then 0.5 * -0.75 - 0.5
    assert seen == [7.5, 6.75, 6.25, 5.75, 4.875]


def test_the_momentum_waits_in_a_trainer_too():
    net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    net.initialize(mx.init.Constant(8))
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5, "momentum": 0.5})
    seen = []
    for momentum in (0.5, 0.5, 0, 0, 0.5):
        trainer.optimizer.momentum = momentum
        with mx.autograd.record():
            loss = net(nd.ones((1, 1)))
        loss.backward()
        trainer.step(1)
        seen.append(net.weight.data().asscalar())
    assert seen == [7.5, 6.75, 6.25, 5.75, 4.875]


@pytest.mark.parametrize(("name", "kind"), [("sgd", AssertionError), ("nag", mx.MXNetError), ("signum", mx.MXNetError)])
def test_a_momentum_that_begins_late_has_no_state(name, kind):
    optimizer = mx.optimizer.create(name, momentum=0.0)
    weight = nd.ones(2)
    state = optimizer.create_state(0, weight)
    optimizer.update(0, weight, weight, state)
    optimizer.momentum = 0.9
    with pytest.raises(kind) as caught:
        optimizer.update(0, weight, weight, state)
    assert "Create a new optimizer" in caught.value.__notes__[0]


def _trained(optimizer, steps, in_c):
    """Return the weight after each step with gradients that are arrays of their own, and what the optimizer counted."""
    update, weight, seen = mx.optimizer.get_updater(optimizer), nd.array([1.0, -2.0, 3.0]), []
    update.in_c = in_c
    for i in range(steps):
        update(0, nd.array([0.5, -0.25 * i, 1.0]), weight)
        seen.append(weight.asnumpy())
    return seen, optimizer.num_update, optimizer.learning_rate


#: Optimizer, its settings, what MXNet 1.9.1 comes to, the updates that it counts, and the learning rate at the end.
RECORDED = {
    "a schedule keeps its own rate in Ftrl": (
        lambda: mx.optimizer.Ftrl(
            learning_rate=0.5, lr_scheduler=mx.lr_scheduler.MultiFactorScheduler([1, 3], 0.5, base_lr=0.1)
        ),
        [[0.29933330, 0.0, 1.4495], [0.1531796, 0.0096, 0.8283867], [0.13978215, 0.02563575, 0.8100854]],
        3,
        0.05,
    ),
    "LBSGD asks the schedule before it counts": (
        lambda: mx.optimizer.LBSGD(learning_rate=0.5, lr_scheduler=mx.lr_scheduler.FactorScheduler(1, 0.5)),
        [[0.75, -2.0, 2.5], [0.5, -1.875, 2.0], [0.375, -1.75, 1.75], [0.3125, -1.65625, 1.625]],
        4,
        0.0625,
    ),
    "LBSGD warms up by the batches of the weight": (
        lambda: mx.optimizer.LBSGD(
            learning_rate=0.1, batch_scale=2, warmup_epochs=2, updates_per_epoch=4, begin_num_update=3, wd=0.1,
            momentum=0.9,
        ),
        [[1.0, -2.0, 3.0], [0.925, -1.959375, 2.8375], [0.925, -1.959375, 2.8375], [0.768625, -1.7996719, 2.4986875]],
        7,
        0.1,
    ),
    "FTML without a learning rate is NaN": (
        lambda: mx.optimizer.FTML(learning_rate=0.0), [[numpy.nan] * 3] * 2, 2, 0.0
    ),
    "Test counts nothing": (
        lambda: mx.optimizer.Test(begin_num_update=5), [[1.5, -2.0, 4.0], [2.0, -2.25, 5.0], [2.5, -2.75, 6.0]], 5, 0.01
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ["sgd", "lars"])
def test_factors_in_the_graph_come_before_those_of_names(name):
    """The variables of Gluon's parameters say ``__wd_mult__``; so MXNet decays a bias of a module made of them."""
    bias = mx.sym.var("net_bias", wd_mult=1.0)
    made = mx.optimizer.create(name, wd=0.1, sym=bias, param_idx2name={0: "net_bias", 1: "net_beta", 2: "net_weight"})
    assert made._get_wds([0, 1, 2]) == [0.1, 0.0, 0.1]


@pytest.mark.parametrize("name", RECORDED)
@pytest.mark.parametrize("in_c", [True, False])
def test_peculiarities_of_optimizers_are_those_of_mxnet(name, in_c):
    make, weights, count, rate = RECORDED[name]
    seen, counted, left = _trained(make(), len(weights), in_c)
    numpy.testing.assert_allclose(seen, weights, rtol=1e-6)
    assert (counted, left) == (count, pytest.approx(rate))


#: Optimizer, its settings, and what MXNet 1.9.1 makes of two weights that are updated together, and not equally often.
TOGETHER = {
    "sgd": ({"momentum": 0.9}, [[0.7377056, 1.4754112], [2.7096503, 3.6128671]]),
    "lars": ({"momentum": 0.9, "eta": 0.1}, [[0.9696121, 1.9392241], [2.9606781, 3.9475713]]),
    "lamb": ({}, [[0.71994996, 1.7190361], [2.657341, 3.6571958]]),
    "lbsgd": ({}, [[0.86893827, 1.7378765], [2.8523321, 3.8031096]]),
}


@pytest.mark.parametrize("name", TOGETHER)
@pytest.mark.parametrize("in_c", [True, False])
def test_weights_updated_by_one_call_are_counted_as_in_mxnet(name, in_c):
    """SGD and LARS count all of them before they ask the schedule, and LARS corrects the momentum of them all."""
    settings, weights = TOGETHER[name]
    schedule = mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.1)
    update = mx.optimizer.get_updater(mx.optimizer.create(name, lr_scheduler=schedule, learning_rate=0.1, **settings))
    update.in_c = in_c
    seen = [nd.array([1.0, 2.0]), nd.array([3.0, 4.0])]
    for those in ((0,), (0, 1), (0, 1), (1, 0)):
        update(list(those), [seen[i] * 0.5 for i in those], [seen[i] for i in those])
    numpy.testing.assert_allclose([one.asnumpy() for one in seen], weights, rtol=1e-6)
