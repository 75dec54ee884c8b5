"""Programs that are called often are compiled further: when, by whom, and that nothing is lost by it."""

from __future__ import annotations

import gc
import hashlib
import os
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import early_calls, onednn, tiers, vectors
from d2lhybrid.internals.compiler.backends import c_compiler
from tests.forked import is_right_in_a_fork

needs_compiler = pytest.mark.skipif(c_compiler.find_compiler() is None, reason="there is no C compiler")
needs_onnx = pytest.mark.skipif(
    not (find_spec("onnx") and find_spec("onnxruntime")), reason="ONNX Runtime is not installed"
)


def mlp(**flags):
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="tanh", in_units=8), nn.Dense(4, in_units=16))
    net.initialize()
    net.hybridize(**flags)
    return net


def convolutions():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(16, 3, in_channels=3, activation="relu"), nn.MaxPool2D(), nn.Dense(3, in_units=16 * 49))
    net.initialize()
    net.hybridize()
    return net


@pytest.fixture(autouse=True)
def with_avx512(monkeypatch):
    """Choose backends as on a CPU with AVX-512, whatever this one is."""
    monkeypatch.setattr(tiers, "lacks_avx512", lambda: False)


@pytest.fixture
def soon(monkeypatch):
    """Start compilers at the fifth call, and switch at the seventh, whatever the size."""
    monkeypatch.setattr(tiers, "LEAST_WORK", 0)
    monkeypatch.setattr(tiers, "plan_for", lambda program: (
        None if (backend := tiers.backend_for(program)) is None else tiers.Plan(backend, False, 5, 7)
    ))  # fmt: skip


@pytest.fixture
def without_others(monkeypatch):
    monkeypatch.setattr(tiers, "has_onednn", lambda: False)
    monkeypatch.setattr(tiers, "_fits_onnx_runtime", lambda graph: False)


@pytest.fixture
def new_cache(monkeypatch, tmp_path):
    """Keep no compiled library from before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(c_compiler, "_loaded", {})
    monkeypatch.setattr(c_compiler, "_running", {})


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


# --- when --------------------------------------------------------------------------------------


@needs_compiler
def test_a_net_that_is_called_three_times_starts_no_compiler(monkeypatch):
    started = []
    monkeypatch.setattr(subprocess, "Popen", lambda *args, **kwargs: started.append(args))
    net = nn.HybridSequential()
    net.add(nn.Dense(4096, in_units=4096), nn.Dense(4096, in_units=4096))
    net.initialize()
    net.hybridize()
    x = nd.ones((512, 4096))
    net(nd.ones((1, 4096)))
    program = net.programs[0]
    assert (tiers.plan_for(program) or pytest.fail("nothing is planned")).start > early_calls.CALLS > 3
    monkeypatch.setattr(tiers, "SECONDS_BEFORE", 0.0)
    monkeypatch.setattr(tiers, "COMPILING", 0.0)
    net.hybridize()
    for _ in range(3):
        net(x[:1])
    assert started == []


@needs_compiler
def test_the_switch_is_at_the_planned_call_and_is_told(soon, without_others):
    net, x = mlp(), nd.random.normal(shape=(2, 8))
    tier_of_call = []
    for _ in range(9):
        net(x)
        tier_of_call.append(net.programs[0].tier)
    assert tier_of_call == [0, 0, 0, 0, 0, 0, 1, 1, 1]
    (program,) = net.programs
    assert (program.backend, program.since_call, program.replaced.backend) == ("c", 7, "numpy")
    assert program.replaced.tier == 0 and "def forward" in program.replaced.source
    assert net.explain().compilations[-1].kind == "promote"
    assert "called 6 times" in str(net.explain())


@needs_compiler
def test_results_agree_in_prediction_and_training(soon, without_others):
    net, eager, x = mlp(), mlp(active=False), nd.random.normal(shape=(5, 8))
    for mine, other in zip(net.collect_params().values(), eager.collect_params().values(), strict=True):
        other.set_data(mine.data())
    losses = [gluon.loss.L2Loss(), gluon.loss.L2Loss()]
    losses[0].hybridize()
    trainers = [gluon.Trainer(n.collect_params(), "adam") for n in (net, eager)]
    for _ in range(12):
        for n, loss, trainer in zip((net, eager), losses, trainers, strict=True):
            with autograd.record():
                value = loss(n(x), nd.ones((5, 4)))
            value.backward()
            trainer.step(5)
        np.testing.assert_allclose(net(x).asnumpy(), eager(x).asnumpy(), rtol=1e-4, atol=1e-6)
    assert {program.tier for program in net.programs} == {1}
    for mine, other in zip(net.collect_params().values(), eager.collect_params().values(), strict=True):
        np.testing.assert_allclose(mine.data().asnumpy(), other.data().asnumpy(), rtol=1e-4, atol=1e-6)


@needs_compiler
@pytest.mark.parametrize("flags", [{"static_alloc": True}, {"static_alloc": True, "static_shape": True}], ids=str)
def test_memory_that_is_kept_between_calls_is_kept_in_tier_1(soon, without_others, flags):
    net, x = mlp(**flags), nd.random.normal(shape=(2, 8))
    expected = net(x).asnumpy()
    for _ in range(9):
        np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    (program,) = net.programs
    assert program.tier == 1 and program.forward.workspaces is not None


@needs_compiler
def test_second_gradients_go_through_tier_1(soon, without_others):
    net, x = mlp(), nd.random.normal(shape=(3, 8))
    x.attach_grad()
    found = []
    for _ in range(9):
        with autograd.record():
            (dx,) = autograd.grad(net(x).sum(), [x], create_graph=True)
            (dx * dx).sum().backward()
        found.append(x.grad.asnumpy().copy())
    assert {program.tier for program in net.programs} == {1}
    np.testing.assert_allclose(found[-1], found[0], rtol=1e-4, atol=1e-6)


# --- who ---------------------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize("flags", [{"backend": "numpy"}, {"backend": "c"}], ids=str)
def test_a_backend_that_was_chosen_stays(soon, flags):
    net, x = mlp(**flags), nd.ones((2, 8))
    for _ in range(9):
        net(x)
    assert (net.programs[0].tier, net.programs[0].backend) == (0, flags["backend"])


@needs_compiler
def test_a_setting_says_no_for_all(soon):
    net, x = mlp(), nd.ones((2, 8))
    with mx.config(tiers=False):
        for _ in range(9):
            net(x)
    assert net.programs[0].tier == 0


@needs_compiler
def test_a_setting_says_at_once(without_others, monkeypatch):
    monkeypatch.setattr(tiers, "LEAST_WORK", 0)
    net = mlp()
    with mx.config(tiers="first"):
        net(nd.ones((2, 8)))
    assert (net.programs[0].tier, net.programs[0].backend, net.programs[0].since_call) == (1, "c", 1)


def test_an_unknown_setting_is_refused():
    with pytest.raises(ValueError, match="True, False, or 'first', not 'soon'"):
        mx.config(tiers="soon")


def test_without_a_compiler_nothing_is_planned(monkeypatch, without_others):
    monkeypatch.setattr(tiers, "find_compiler", lambda: None)
    net = mlp()
    net(nd.ones((64, 8)))
    for _ in range(5):
        net(nd.ones((64, 8)))
    assert net.programs[0].promotion is None


@needs_compiler
@pytest.mark.skipif(not onednn.is_available(), reason="oneDNN is not installed")
def test_the_estimate_gives_large_products_to_the_library_and_small_nets_to_c():
    chosen = []
    for units in (64, 1024):
        net = nn.Dense(units, in_units=units)
        net.initialize()
        net.hybridize()
        net(nd.ones((64, units)))
        chosen.append(tiers.backend_for(net.programs[0]))
    assert chosen == ["c", "onednn"]


@needs_compiler
@needs_onnx
def test_without_avx512_onnx_runtime_predicts_large_products_and_c_trains_them(monkeypatch):
    """oneDNN needs AVX-512 to be faster than NumPy's products; ONNX Runtime is twice as fast as both without it."""
    monkeypatch.setattr(tiers, "lacks_avx512", lambda: True)
    chosen = {}
    for units in (64, 1024):
        net = nn.Dense(units, in_units=units)
        net.initialize()
        net.hybridize()
        x = nd.ones((64, units))
        net(x)
        with autograd.record():
            net(x)
        predicting, training = (tiers.backend_for(net.programs[i]) for i in (0, 1))
        chosen[units] = predicting, training
    assert chosen == {64: ("c", "c"), 1024: ("onnxruntime", "c")}
    monkeypatch.setattr(tiers, "_fits_onnx_runtime", lambda program: False)
    assert tiers.backend_for(net.programs[0]) == "c"


@pytest.mark.parametrize(
    ("machine", "baseline", "found", "lacks"),
    [
        ("x86_64", ["X86_V2"], ["X86_V3"], True),
        ("x86_64", ["X86_V2"], ["X86_V3", "X86_V4"], False),
        ("AMD64", ["SSE", "SSE2", "SSE3"], ["SSSE3", "AVX2"], True),
        ("AMD64", ["SSE", "SSE2", "SSE3"], ["AVX2", "AVX512F", "AVX512CD", "AVX512_SKX"], False),
        ("aarch64", ["NEON", "ASIMD"], ["ASIMDHP"], False),
    ],
)
def test_numpy_tells_whether_the_cpu_has_avx512(machine, baseline, found, lacks, monkeypatch):
    monkeypatch.setattr(vectors.platform, "machine", lambda: machine)
    extensions = {"SIMD Extensions": {"baseline": baseline, "found": found}}
    monkeypatch.setattr(np, "show_config", lambda mode: extensions)
    assert vectors.lacks_avx512.__wrapped__() is lacks


@needs_onnx
def test_convolutions_are_predicted_by_onnx_runtime_until_parameters_change_all_the_time(soon, monkeypatch):
    monkeypatch.setattr(tiers, "CONVOLVING", 1)
    net, x = convolutions(), nd.random.normal(shape=(2, 3, 16, 16))
    expected = net(x).asnumpy()
    for _ in range(7):
        np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    assert net.programs[0].backend == "onnxruntime"
    for i in range(4):
        net[2].bias.set_data(nd.ones((3,)) * i)
        np.testing.assert_allclose(net(x).asnumpy(), expected + i, rtol=1e-4, atol=1e-5)
    assert net.programs[0].backend != "onnxruntime"
    assert net.programs[0].replaced.backend == "numpy"


@needs_compiler
@needs_onnx
@pytest.mark.parametrize("at_once", [False, True])
def test_a_net_with_an_operator_that_onnx_lacks_is_compiled_by_the_next_best_backend(
    at_once, soon, monkeypatch, caplog
):
    monkeypatch.setattr(tiers, "CONVOLVING", 1)
    net, x = nn.HybridSequential(), nd.random.normal(shape=(2, 3, 16, 16))
    net.add(convolutions(), nn.HybridLambda(lambda F, x: F.gammaln(F.exp(x) + 2)))
    expected = net(x).asnumpy()
    net.hybridize()
    backends = []
    with mx.config(tiers="first" if at_once else True):
        for _ in range(10):
            np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-3, atol=1e-4)
            backends.append(net.programs[0].backend)
    first = 0 if at_once else 8
    assert set(backends[:first]) <= {"numpy"} and set(backends[first:]) <= {"c", "onednn"}
    assert at_once or net.programs[0].since_call == 9
    assert not caplog.records


@needs_compiler
@needs_onnx
def test_a_net_that_a_session_cannot_run_is_compiled_by_the_next_best_backend(soon, monkeypatch, caplog):
    class WithNothing(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.convolutions = convolutions()

        def hybrid_forward(self, F, x, nothing):
            return self.convolutions(x), F.exp(nothing)

    monkeypatch.setattr(tiers, "CONVOLVING", 1)
    net, x = WithNothing(), nd.random.normal(shape=(2, 3, 16, 16))
    net.hybridize()
    with mx.util.np_shape(True):
        nothing = nd.zeros((0, 3))  # ONNX Runtime does not take it
        expected = net(x, nothing)[0].asnumpy()
        for _ in range(8):
            np.testing.assert_allclose(net(x, nothing)[0].asnumpy(), expected, rtol=1e-4, atol=1e-5)
    assert net.programs[0].tier == 1 and net.programs[0].backend != "onnxruntime"
    assert not caplog.records


# --- reproducible ------------------------------------------------------------------------------

PROGRAM = """
import gc
import hashlib
from d2lhybrid import nd, autograd, gluon
from d2lhybrid.gluon import nn
import d2lhybrid as mx
from d2lhybrid.internals.compiler import tiers
mx.random.seed(7)
net = nn.HybridSequential()
net.add(nn.Conv2D(4, 3, activation="relu"), nn.MaxPool2D(), nn.Dense(32, activation="tanh"), nn.Dense(3))
net.initialize(mx.init.Xavier())
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
loss = gluon.loss.SoftmaxCrossEntropyLoss()
loss.hybridize()
x, y = nd.random.normal(shape=(64, 1, 28, 28)), nd.arange(64) % 3
digest = hashlib.sha256()
step, switch = 0, 1000
while step < switch + 20:
    step += 1
    with autograd.record():
        value = loss(net(x), y)
    value.backward()
    trainer.step(64)
    digest.update(value.asnumpy().tobytes())
    if step == 1:
        switch = tiers.plan_for(net.programs[0]).switch
print([program.tier for program in net.programs], digest.hexdigest())
"""


@needs_compiler
@pytest.mark.slow
def test_a_slow_compiler_changes_no_bit(tmp_path):
    """The same program twice, each with a cache of its own; the second one's compiler takes a second longer."""
    # How many threads a product gets depends on how busy the machine is, and its last bits on that.
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    slow = script(tmp_path / "slowcc", f'sleep 1\nexec {c_compiler.find_compiler()} "$@"')
    said = []
    for number, compiler in enumerate([c_compiler.find_compiler(), slow]):
        environment = {**os.environ, **one, "CC": str(compiler), "XDG_CACHE_HOME": str(tmp_path / f"cache{number}")}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        said.append(done.stdout)
    assert said[0] == said[1]
    assert said[0].startswith("[1]") and len(said[0]) > len(hashlib.sha256().hexdigest())


# --- never worse -------------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize(
    "text", ["sleep 60", "exit 1", "kill -9 $$", "echo >&2 error; exit 4"], ids=["hangs", "fails", "dies", "says why"]
)
def test_a_compiler_that_does_not_work_leaves_tier_0(
    soon, without_others, new_cache, monkeypatch, tmp_path, caplog, text
):
    monkeypatch.setenv("CC", script(tmp_path / "cc", text))
    monkeypatch.setattr(c_compiler, "PATIENCE", 0.3)
    monkeypatch.setattr(c_compiler, "SECONDS", 0.3)
    net, x = mlp(), nd.random.normal(shape=(2, 8))
    expected = net(x).asnumpy()
    for _ in range(9):
        assert (net(x).asnumpy() == expected).all()
    assert (net.programs[0].tier, net.programs[0].backend, net.programs[0].promotion) == (0, "numpy", None)
    assert [record.message.count("NumPy continues to run") for record in caplog.records] == [1]
    assert not any(one.process.poll() is None for one in c_compiler._running.values())


@needs_compiler
def test_an_interrupted_wait_is_taken_up_again(soon, without_others, new_cache, monkeypatch):
    net, x = mlp(), nd.random.normal(shape=(2, 8))
    for _ in range(6):
        expected = net(x).asnumpy()
    (running,) = c_compiler._running.values()

    def interrupted(seconds=None):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(running.process, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            net(x)
    np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    assert net.programs[0].tier == 1


@needs_compiler
def test_threads_switch_once_and_get_right_results(soon, without_others):
    net, x = mlp(), nd.random.normal(shape=(2, 8))
    expected, wrong = net(x).asnumpy(), []

    def call():
        for _ in range(30):
            y = net(x).asnumpy()
            if not np.allclose(y, expected, rtol=1e-5, atol=1e-6):
                wrong.append(y)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert [event.kind for event in net._history].count("promote") == 1


@needs_compiler
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_child_of_a_fork_waits_for_no_compiler_of_its_parent(soon, without_others, new_cache):
    net, x = mlp(), nd.random.normal(shape=(2, 8))
    for _ in range(6):  # the compiler was started
        expected = net(x).asnumpy()

    def check():
        right = all(np.allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=1e-6) for _ in range(3))
        return right and net.programs[0].tier == 1

    assert is_right_in_a_fork(check)
    np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    assert net.programs[0].tier == 1


def test_a_program_that_returns_its_input_stays(monkeypatch):
    monkeypatch.setattr(tiers, "LEAST_WORK", 0)
    net = nn.HybridLambda(lambda F, x: x)
    net.hybridize()
    x = nd.ones((2, 3))
    with mx.config(tiers="first"):
        for _ in range(8):
            assert net(x).asnumpy().tolist() == x.asnumpy().tolist()
    assert net.programs[0].tier == 0


@needs_onnx
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_child_of_a_fork_runs_no_session_of_its_parent(soon, monkeypatch):
    monkeypatch.setattr(tiers, "CONVOLVING", 1)
    net, x = convolutions(), nd.random.normal(shape=(2, 3, 16, 16))
    for _ in range(8):
        expected = net(x).asnumpy()
    assert net.programs[0].backend == "onnxruntime"
    time.sleep(0.3)  # its threads wait in the system: that is when its destructor would wait for them

    def check():
        right = np.allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
        return right and net.programs[0].backend != "onnxruntime"

    assert is_right_in_a_fork(check)
    assert net.programs[0].backend == "onnxruntime"


@needs_onnx
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_child_of_a_fork_starts_a_session_of_its_own_if_asked_for_onnx_runtime():
    net, x = convolutions(), nd.random.normal(shape=(2, 3, 16, 16))
    net.hybridize(backend="onnxruntime")
    expected = net(x).asnumpy()
    time.sleep(0.3)  # as above

    def check():
        right = all(np.array_equal(net(x).asnumpy(), expected) for _ in range(3))
        net.hybridize()
        net(x)
        gc.collect()  # the parent's session isn't destroyed here: its destructor would wait for its threads
        return right

    assert is_right_in_a_fork(check)
    assert np.array_equal(net(x).asnumpy(), expected)


@needs_onnx
def test_what_onnx_cannot_say_stays(soon, monkeypatch, caplog):
    monkeypatch.setattr(tiers, "CONVOLVING", 1)

    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x, weight):
            y = F.Convolution(x, weight, num_filter=2, kernel=(1, 1), no_bias=True)
            return F.contrib.BilinearResize2D(y, height=5, width=5)

        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(2, 3, 1, 1))

    net, x = Net(), nd.ones((1, 3, 4, 4))
    net.initialize()
    net.hybridize()
    expected = net(x).asnumpy()
    for _ in range(7):
        np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5)
