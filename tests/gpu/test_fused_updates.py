"""One kernel for all weights does what the optimizer does to each of them, and is one kernel."""

from __future__ import annotations

import importlib
import json
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
from nvrtc import ARCHITECTURES, errors_of, find_nvrtc
from update_cases import IDS, SETTINGS, assert_alike, make

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.internals.core.invoke import wrap
from d2lhybrid.internals.support import clock
from d2lhybrid.optimizer import fused
from d2lhybrid.optimizer.fused_source import CHUNK, Layout, source_of
from d2lhybrid.optimizer.update_rules import RULES, family_of

TYPES = ["float32", "float64", "float16"]

pytestmark = pytest.mark.usefixtures("gpu")


def arrays(dtype: str, shapes: Any = ((3, 4), (CHUNK + 5,), (1,), ()), seed: int = 0) -> list[Any]:
    rng = numpy.random.default_rng(seed)
    return [nd.array(rng.normal(size=shape), ctx=mx.gpu(), dtype=dtype) for shape in shapes]


def run(optimizer: Any, dtype: str, steps: int = 4) -> tuple[list[Any], Any]:
    """Return the weights after some steps, with other gradients in each, and the updater."""
    weights, updater = arrays(dtype), mx.optimizer.get_updater(optimizer)
    for step in range(steps):
        updater(list(range(len(weights))), arrays(dtype, seed=step + 1), weights)
    return weights, updater


def counted(monkeypatch: Any) -> list[int]:
    """Return a list that takes down how many weights each launch updates."""
    launches: list[int] = []
    launch = fused.Launcher.launch

    def noticed(self: Any, *arguments: Any) -> None:
        launches.append(len(self.waiting))
        launch(self, *arguments)

    monkeypatch.setattr(fused.Launcher, "launch", noticed)
    return launches


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("name", "settings"), SETTINGS, ids=IDS)
def test_one_kernel_does_what_the_steps_do(monkeypatch, name, settings, dtype):
    launches = counted(monkeypatch)
    together, apart = make(name, settings), make(name, settings)
    apart.fused = False
    weights, updater = run(together, dtype)
    assert launches == [4] * 4
    expected, plain = run(apart, dtype)
    assert launches == [4] * 4
    assert_alike(weights, expected, dtype)
    assert updater.states.keys() == plain.states.keys()
    for index, state in plain.states.items():
        assert_alike(updater.states[index], state, dtype)
    assert together._all_index_update_counts == apart._all_index_update_counts
    assert together.num_update == apart.num_update == (0 if name == "test" else 4)  # Test counts nothing, as in MXNet


@pytest.mark.parametrize(("name", "settings"), SETTINGS, ids=IDS)
def test_master_copies_of_float16(monkeypatch, name, settings):
    launches = counted(monkeypatch)
    results = []
    for together in (True, False):
        optimizer = make(name, {**settings, "multi_precision": True})
        optimizer.fused = together
        weights, updater = run(optimizer, "float16")
        results.append((weights, [updater.states[i] for i in range(4)]))
    assert launches == [4] * 4
    assert all(w.dtype == numpy.float16 for w in results[0][0])
    assert_alike(results[0][1], results[1][1], "float32")  # master copies and states
    for weight, (own, master) in zip(results[0][0], results[0][1], strict=True):
        if own is None or isinstance(own, tuple) or own.dtype != numpy.float16:
            pair = [own, master]
            whole = next(one for one in pair if hasattr(one, "dtype") and one.dtype == numpy.float32)
            assert whole.shape == weight.shape
    assert_alike(results[0][0], results[1][0], "float16")


@pytest.mark.filterwarnings("ignore:Accumulating with float16")
@pytest.mark.parametrize("name", ["sgd", "adagrad", "signum"])
def test_float16_without_a_master_copy(monkeypatch, name):
    launches = counted(monkeypatch)
    optimizer, plain = make(name, {"wd": 0.1}), make(name, {"wd": 0.1})
    plain.fused = False
    assert_alike(run(optimizer, "float16", 2)[0], run(plain, "float16", 2)[0], "float16")
    assert launches == [4, 4]


def test_every_optimizer_with_states_of_arrays_has_rules():
    without = {
        "sgld",  # draws noise
        *("lamb", "lars", "groupadagrad"),  # elements depend on one another
        *("_svrgoptimizer", "_assignmentoptimizer"),  # hand on to another, or write what they are given
    }
    importlib.import_module("d2lhybrid.contrib.svrg_optimization")  # which registers two
    registered = {  # classes of modules: examples in docstrings register some, too, in whatever order tests run
        name: kind
        for name, kind in mx.optimizer.Optimizer.opt_registry.items()
        if "d2lhybrid" in kind.__module__ and getattr(sys.modules[kind.__module__], kind.__name__, None) is kind
    }
    assert {name for name, kind in registered.items() if family_of(kind) is None} == without
    assert set(RULES) == {type(make(name, settings)) for name, settings in SETTINGS} - {mx.optimizer.ccSGD}
    reached = {(type(make(n, s)), r.states) for n, s in SETTINGS for r in [_rule_of(make(n, s))]}
    assert {(owner, rule.states) for owner, family in RULES.items() for rule in family.rules} <= reached | {
        (mx.optimizer.LBSGD, ())
    }


def _rule_of(optimizer: Any) -> Any:
    state = optimizer.create_state(0, nd.ones((2,)))
    listed = () if state is None else state if isinstance(state, tuple) else (state,)
    family = family_of(type(optimizer))
    assert family is not None
    return family.rule_for(listed)


def test_switching_in_the_middle():
    results = []
    for pattern in ([True] * 4, [False, True, False, True]):
        optimizer = make("adam", {"wd": 0.1})
        weights, updater = arrays("float32"), mx.optimizer.get_updater(optimizer)
        for step, together in enumerate(pattern):
            optimizer.fused = together
            updater(list(range(4)), arrays("float32", seed=step + 1), weights)
        results.append(weights)
    assert_alike(results[0], results[1], "float32")


def test_saved_states_continue_the_run():
    weights, updater = run(make("adam", {}), "float32")
    states = updater.get_states(dump_optimizer=True)
    assert b"cupy" not in states  # states can be read where there is no GPU
    other = mx.optimizer.get_updater(make("adam", {}))
    other.set_states(states)
    copies = [w.copy() for w in weights]
    for run_on, targets in ((updater, weights), (other, copies)):
        run_on(list(range(4)), arrays("float32", seed=9), targets)
    assert_alike(weights, copies, "float32")
    assert pickle.loads(pickle.dumps(updater.optimizer)).num_update == 5


def test_arrays_keep_their_addresses():
    weights, updater = arrays("float32"), mx.optimizer.get_updater(make("sgd", {"momentum": 0.9}))
    raws = [w._data for w in weights]
    before = clock.watch(raws)
    updater(list(range(4)), arrays("float32", seed=1), weights)
    assert all(w._data is raw for w, raw in zip(weights, raws, strict=True))
    assert not any(now is then for now, then in zip(clock.watch(raws)[1:], before[1:], strict=True))
    states = [s._data for s in updater.states.values()]
    updater(list(range(4)), arrays("float32", seed=2), weights)
    assert all(s._data is raw for s, raw in zip(updater.states.values(), states, strict=True))


def test_the_same_gradient_array_with_other_values():
    weights, updater = arrays("float32"), mx.optimizer.get_updater(make("sgd", {}))
    grads, before = arrays("float32", seed=1), weights[1].asnumpy()
    updater(list(range(4)), grads, weights)
    grads[1][:] = 0
    after = weights[1].asnumpy()
    updater(list(range(4)), grads, weights)
    assert (after != before).all()
    numpy.testing.assert_array_equal(weights[1].asnumpy(), after)


def test_a_weight_that_is_another_array_than_before():
    weights, updater = arrays("float32"), mx.optimizer.get_updater(make("sgd", {}))
    updater(list(range(4)), arrays("float32", seed=1), weights)
    kept = weights[0].asnumpy()
    others = arrays("float32", seed=5)
    updater(list(range(4)), arrays("float32", seed=1), others)
    numpy.testing.assert_array_equal(weights[0].asnumpy(), kept)
    expected = arrays("float32", seed=5)[0] - 0.05 * arrays("float32", seed=1)[0]
    numpy.testing.assert_allclose(others[0].asnumpy(), expected.asnumpy(), rtol=1e-6)


def test_more_weights_than_one_launch_can_update(gpu):
    family = RULES[mx.optimizer.Adam]
    number = Layout(family, family.rules[0], "f").capacity + 3
    results = []
    for together in (True, False):
        optimizer = mx.optimizer.create("adam", learning_rate=0.1)
        optimizer.fused = together
        weights = arrays("float32", [(i % 7 + 1,) for i in range(number)])
        grads = arrays("float32", [(i % 7 + 1,) for i in range(number)], seed=1)
        updater = mx.optimizer.get_updater(optimizer)
        updater(list(range(number)), grads, weights)
        results.append(weights)
        before = gpu.devices[0].launches if gpu else 0
        updater(list(range(number)), grads, weights)
        if gpu and together:
            assert gpu.devices[0].launches - before == 2
            assert gpu.devices[0].transfers_to_host == 0
    assert_alike(results[0], results[1], "float32")


def test_nothing_waits_and_nothing_is_copied(gpu):
    if gpu is None:
        pytest.skip("only a pretended GPU counts")
    weights, grads, updater = arrays("float32"), arrays("float32", seed=1), mx.optimizer.get_updater(make("nadam", {}))
    updater(list(range(4)), grads, weights)
    device = gpu.devices[0]
    before = device.launches, device.transfers_to_device, device.transfers_to_host, device.synchronizations
    updater(list(range(4)), grads, weights)
    after = device.launches, device.transfers_to_device, device.transfers_to_host, device.synchronizations
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 0, 0, 0]


def test_weights_that_no_kernel_can_update_are_updated_all_the_same(monkeypatch):
    launches = counted(monkeypatch)
    whole = nd.array(numpy.ones((4, 3)), ctx=mx.gpu())
    transposed = wrap(type(whole), whole._data.T, mx.gpu())
    empty = mx.np.zeros((0, 3), ctx=mx.gpu())
    weights = [nd.ones((2,), ctx=mx.gpu()), transposed, empty]
    grads = [nd.ones((2,), ctx=mx.gpu()), nd.ones((3, 4), ctx=mx.gpu()), empty.copy()]
    optimizer = mx.optimizer.create("sgd", learning_rate=-1.0)  # which adds the gradient
    mx.optimizer.get_updater(optimizer)(list(range(3)), grads, weights)
    assert launches == [1]
    assert [w.asnumpy().tolist() for w in weights] == [[2, 2], [[2] * 4] * 3, []]
    assert optimizer._index_update_count == {0: 1, 1: 1, 2: 1}


def test_optimizers_of_ones_own_are_left_alone(monkeypatch):
    launches = counted(monkeypatch)

    class Halving(mx.optimizer.SGD):
        def step(self, xp, weight, grad, states, lr, wd, t):
            weight *= 0.5

    class Scaled(mx.optimizer.SGD):
        def scaled(self, xp, grad, factor=1.0):
            return 2 * grad * factor

    for kind, expected in ((Halving, 0.5), (Scaled, 0.8)):
        weight = nd.ones((2,), ctx=mx.gpu())
        mx.optimizer.get_updater(kind(learning_rate=0.1))([0], [nd.ones((2,), ctx=mx.gpu())], [weight])
        assert weight.asnumpy()[0] == numpy.float32(expected)
    assert not launches


def test_a_subclass_that_changes_nothing_of_the_step_is_updated_together(monkeypatch):
    launches = counted(monkeypatch)

    class Named(mx.optimizer.Adam):
        pass

    run(Named(), "float32", 1)
    assert launches == [4]


def test_a_schedule_of_the_learning_rate():
    results = []
    for together in (True, False):
        schedule = mx.lr_scheduler.FactorScheduler(step=1, factor=0.5, base_lr=0.4)
        optimizer = mx.optimizer.create("sgd", lr_scheduler=schedule)
        optimizer.fused = together
        results.append(run(optimizer, "float32")[0])
    assert_alike(results[0], results[1], "float32")


def test_nan_and_infinity_go_where_numpy_lets_them_go():
    given = numpy.array([numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1e30], "float32")
    for name in ("sgd", "signum", "adamax"):
        results = []
        for together in (True, False):
            optimizer = mx.optimizer.create(name, learning_rate=0.1, clip_gradient=1.0)
            optimizer.fused = together
            weight = nd.ones((6,), ctx=mx.gpu())
            mx.optimizer.get_updater(optimizer)([0], [nd.array(given, ctx=mx.gpu())], [weight])
            results.append(weight.asnumpy())
        numpy.testing.assert_allclose(results[0], results[1], rtol=1e-6)


# --- numbers of 16 bits, taken apart by hand ---

CONVERSION = """
extern "C" __global__ void widen(const half_bits *given, float *result, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = load(given[i]);
}
extern "C" __global__ void narrow(const float *given, half_bits *result, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) store(result + i, given[i]);
}
"""


def test_every_float16_is_read_and_written_as_numpy_does():
    from d2lhybrid.internals.device import array_modules
    from d2lhybrid.optimizer.fused_source import _PRELUDE

    cupy = array_modules.array_module(mx.gpu())
    module = array_modules.cuda_module(_PRELUDE.replace("NUMBER", "float") + CONVERSION)
    halves = numpy.arange(65536, dtype="uint16").view("float16")
    wide = cupy.empty(65536, "float32")
    module.get_function("widen")((256,), (256,), (cupy.asarray(halves), wide, numpy.int32(65536)))
    with numpy.errstate(invalid="ignore"):
        numpy.testing.assert_array_equal(wide.get(), halves.astype("float32"))
    finite = halves[numpy.isfinite(halves)].astype("float32")
    between = (finite[:-1] + numpy.diff(finite) / 2).astype("float32")  # ties, and the largest steps
    rng = numpy.random.default_rng(0)
    random = (rng.normal(size=4096) * 10.0 ** rng.integers(-10, 7, 4096)).astype("float32")
    special = numpy.array([numpy.nan, numpy.inf, -numpy.inf, 65519.99, 65520, -70000, 1e30, 1e-30, 0, -0.0], "float32")
    given = numpy.concatenate([finite, between, numpy.nextafter(between, 9e9), random, special]).astype("float32")
    narrowed = cupy.empty(given.size, "float16")
    blocks = -(-given.size // 256)
    module.get_function("narrow")((blocks,), (256,), (cupy.asarray(given), narrowed, numpy.int32(given.size)))
    with numpy.errstate(over="ignore"):
        expected = given.astype("float16")
    found = narrowed.get()
    numpy.testing.assert_array_equal(found, expected)
    numpy.testing.assert_array_equal(numpy.signbit(found[given == 0]), numpy.signbit(given[given == 0]))


# --- a Trainer ---


def test_a_trainer_updates_all_parameters_by_one_kernel(monkeypatch, gpu):
    launches = counted(monkeypatch)
    results = []
    for context in (mx.gpu(), mx.cpu()):
        mx.random.seed(0)
        net = gluon.nn.HybridSequential()
        net.add(gluon.nn.Dense(8, activation="tanh", in_units=3), gluon.nn.Dense(2, in_units=8))
        net.initialize(mx.init.Constant(0.1), ctx=context)
        net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1, "wd": 0.01})
        x = nd.array(numpy.arange(6.0).reshape(2, 3), ctx=context)
        weights = [p.data() for p in net.collect_params().values()]
        raws = [w._data for w in weights]
        for _ in range(3):
            with autograd.record():
                loss = (net(x) ** 2).sum()
            loss.backward()
            trainer.step(2)
        assert all(w._data is raw for w, raw in zip(weights, raws, strict=True))  # CUDA graphs count on it
        results.append(weights)
        assert trainer._updaters[0].states.keys() == {0, 1, 2, 3}
    assert launches == [4] * 3
    assert_alike(results[0], results[1], "float32")


GOLDEN = Path(__file__).resolve().parent.parent / "golden_data" / "train"
RUNS = json.loads((GOLDEN / "optimizers.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", RUNS, ids=[f"{c['id']}-{c['optimizer']}" for c in RUNS])
def test_runs_of_mxnet(case):
    with numpy.load(GOLDEN / "optimizers.npz") as arrays:
        stored = dict(arrays)
    given = {name: stored[f"{case['id']}/{name}"] for name in ("w0", "b0", "X", "Y", "w", "b")}
    net = gluon.nn.Dense(3, in_units=2)
    net.initialize(ctx=mx.gpu())
    net.weight.set_data(nd.array(given["w0"], ctx=mx.gpu()))
    net.bias.set_data(nd.array(given["b0"], ctx=mx.gpu()))
    trainer = gluon.Trainer(net.collect_params(), case["optimizer"], case["params"])
    x, y = (nd.array(given[name], ctx=mx.gpu()) for name in ("X", "Y"))
    for step in range(case["steps"]):
        with autograd.record():
            value = gluon.loss.L2Loss()(net(x), y)
        value.backward()
        trainer.step(case["batch_size"])
        for parameter, expected in ((net.weight, given["w"]), (net.bias, given["b"])):
            numpy.testing.assert_allclose(
                parameter.data().asnumpy(), expected[step], rtol=case["rtol"], atol=case["atol"]
            )


ALL_RULES = [(owner.__name__, family, rule) for owner, family in RULES.items() for rule in family.rules]


def test_the_source_names_no_number_twice():
    for _, family, rule in ALL_RULES:
        names = [*rule.present, *family.shared, *family.own, "w", "g", "i", "batch", "own", "start", "end"]
        assert len(set(names)) == len(names)
        assert Layout(family, rule, "f").size <= 4096


@pytest.mark.skipif(find_nvrtc() is None, reason="nvidia-cuda-nvrtc is not installed")
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(("stored", "rounded"), [("f", False), ("d", False), ("e", False), ("f", True)])
def test_nvrtc_takes_every_source(stored, rounded, architecture):
    for name, family, rule in ALL_RULES:
        assert errors_of(source_of(Layout(family, rule, stored, rounded)), architecture) == "", (name, rule.states)
