"""How many threads oneDNN uses, and where they run: workers beside their caller's processor, the caller anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.internals.compiler import onednn, threads
from d2lhybrid.internals.compiler.backends import python_backend
from d2lhybrid.internals.compiler.onednn import binding, matmul
from d2lhybrid.internals.compiler.onednn import library as onednn_library
from d2lhybrid.internals.compiler.onednn.library import Unsupported
from d2lhybrid.internals.compiler.threads import placement
from d2lhybrid.internals.compiler.threads.library import Library

pytestmark = [
    pytest.mark.skipif(not onednn.is_available(), reason=f"oneDNN: {onednn.describe()}"),
    pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="threads cannot be bound here"),
    pytest.mark.skipif(
        hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) < 2, reason="there is one processor"
    ),
]


@pytest.fixture
def binder(monkeypatch: pytest.MonkeyPatch) -> binding.Binder:
    for name in (*placement.DECIDED, placement.VARIABLE):
        monkeypatch.delenv(name, raising=False)
    found = binding.Binder(onednn_library.library()._library)
    if not found._works:
        pytest.skip("its threads are not GNU's")
    return found


def everywhere() -> set[int]:
    return os.sched_getaffinity(0)


def test_workers_run_anywhere_but_where_their_caller_is(
    binder: binding.Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, allowed = [min(everywhere())], everywhere()
    running = [other.native_id for other in threading.enumerate() if other.native_id]
    before = {other: os.sched_getaffinity(other) for other in running}
    monkeypatch.setattr(placement, "find_processor", lambda: lambda: here[0])
    workers = binder.bind(2)
    assert len(workers) == 1 and threading.get_native_id() not in workers
    for here[0] in (min(allowed), max(allowed), min(allowed)):
        binder.follow()
        assert all(os.sched_getaffinity(worker) == allowed - set(here) for worker in workers)
    assert everywhere() == allowed
    for other, where in before.items():  # our own workers may be kept somewhere, too
        assert os.sched_getaffinity(other) == where


def test_one_thread_has_no_workers_and_one_processor_no_other(
    binder: binding.Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert binder.bind(1) == set()
    binder.follow()
    monkeypatch.setattr(os, "sched_getaffinity", lambda thread: {0})
    assert binder.bind(2) == set()


def test_threads_of_python_have_workers_of_their_own(binder: binding.Binder) -> None:
    found: list[set[int]] = []
    callers = [threading.Thread(target=lambda: found.append(binder.bind(2))) for _ in range(2)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    found.append(binder.bind(2))
    assert [len(workers) for workers in found] == [1, 1, 1]
    assert found[2].isdisjoint(found[0] | found[1])


@pytest.mark.parametrize("name", [placement.VARIABLE, "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"])
def test_whoever_decides_otherwise_is_heard(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "off")
    binder = binding.Binder(onednn_library.library()._library)
    assert binder.bind(2) == set()


def test_workers_are_bound_when_their_number_changes_and_after_a_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    library, asked, followed = onednn_library.library(), [], []
    noting = {"bind": lambda self, count: asked.append(count), "follow": lambda self: followed.append(1)}
    monkeypatch.setattr(library, "_binder", type("Noting", (), noting)())
    monkeypatch.setattr(library, "_local", threading.local())
    net, x = nn.Dense(256, in_units=256), nd.random.normal(shape=(64, 256))
    net.initialize()
    net.hybridize(backend="onednn")
    expected = None
    for wanted, number in ((2, [2]), (2, [2]), (1, [2, 1]), (2, [2, 1, 2])):
        monkeypatch.setattr(threads, "share", lambda wanted=wanted: wanted)
        y = net(x).asnumpy()
        expected = y if expected is None else expected
        numpy.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-5)
        assert asked == number
    library._before_fork()
    net(x)
    assert asked == [2, 1, 2, 2]
    assert not followed
    for _ in range(onednn_library.PATIENCE + 1):  # the caller may have moved meanwhile
        net(x)
    assert len(followed) == 1 and asked == [2, 1, 2, 2]
    monkeypatch.setattr(threads, "share", lambda: 0)  # the user has decided how many there are
    net(x)
    assert asked == [2, 1, 2, 2]


def primitives(net: Any) -> list[Any]:
    """Return the primitives of a net's programs, as far as they are to be found."""
    bodies = [n.params["body"] for p in net.programs for n in p.graph.nodes if "body" in n.params]
    owners = [getattr(body.run, "__self__", None) for body in bodies]
    found = [getattr(owner, "primitive", None) for owner in owners]
    found += [code.primitive for owner in owners for code in getattr(owner, "codes", ())]
    return [primitive for primitive in found if primitive is not None]


class Both(gluon.HybridBlock):
    """Convolution, normalisation, a dense layer and an LSTM."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2D(16, 3, padding=1, use_bias=False), nn.BatchNorm()
        self.dense = nn.Dense(64, flatten=False)
        self.lstm = rnn.LSTM(32, num_layers=2, bidirectional=True)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = F.relu(self.norm(self.conv(x)))
        return self.lstm(self.dense(F.reshape(y, (0, 0, -1))))


def test_a_net_follows_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also between a forward run and its gradient, which takes up what that has left."""
    net, x = Both(), nd.random.normal(shape=(16, 8, 16, 16))
    net.initialize(mx.init.Xavier())
    net(x)
    x.attach_grad()
    expected = None
    net.hybridize(backend="onednn", static_alloc=True)
    for forward, backward in ((None, None), (1, 1), (2, 2), (2, 1), (1, 2), (3, 1)):
        if forward is not None:
            monkeypatch.setattr(threads, "share", lambda forward=forward: forward)
        with autograd.record():
            y = net(x)
        if backward is not None:
            monkeypatch.setattr(threads, "share", lambda backward=backward: backward)
        y.backward()
        parameters = [p.grad().asnumpy() for p in net.collect_params().values() if p.grad_req != "null"]
        found = [y.asnumpy(), x.grad.asnumpy(), *parameters]
        expected = found if expected is None else expected
        for one, other in zip(found, expected, strict=True):
            numpy.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4 * float(abs(other).max()))
    made = primitives(net)
    assert len(made) > 8 and all({1, 2} <= set(primitive._by_count) for primitive in made)
    assert any(code is not primitive._first for primitive in made for code in primitive._by_count.values())


def test_code_that_wants_its_weights_otherwise_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is packed stays packed; so the code that it was packed for goes on."""
    from d2lhybrid.internals.compiler.onednn.matmul import Dense
    from d2lhybrid.internals.compiler.onednn.primitive import WEIGHTS, described

    monkeypatch.setattr(threads, "share", lambda: 2)
    layer, rng = Dense((32, 64), 48), numpy.random.default_rng(0)
    x, weight = rng.normal(size=(32, 48)).astype("float32"), rng.normal(size=(64, 48)).astype("float32")
    assert layer.pack is not None
    packed = layer.pack.run(weight)
    arguments_of, other = layer.primitive._arguments_of, described((48, 64), (1, 48))
    assert other != layer.primitive.layout(WEIGHTS)

    def others(descriptor: Any) -> Any:
        return [(number, other if number == WEIGHTS else kind) for number, kind in arguments_of(descriptor)]

    def refused() -> Any:
        raise Unsupported("not for so many threads")

    for count, name, value in ((1, "_arguments_of", others), (3, "_describe", refused)):
        monkeypatch.setattr(layer.primitive, name, value)
        monkeypatch.setattr(threads, "share", lambda count=count: count)
        numpy.testing.assert_allclose(layer.run(x, packed), x @ weight.T, rtol=1e-4, atol=1e-4)
        assert layer.primitive._by_count[count] is layer.primitive._first


class Tail(gluon.HybridBlock):
    """A convolution, and a dense layer for two images, whose weights are too many for C."""

    def __init__(self, channels: int, units: int) -> None:
        super().__init__()
        self.conv, self.dense = nn.Conv2D(channels, 3, padding=1), nn.Dense(units)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.dense(F.mean(self.conv(x), axis=(2, 3)))


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}])
@pytest.mark.parametrize(("units", "size", "alone"), [(4096, 64, True), (4096, 1, False), (16, 64, False)])
def test_threads_of_another_library_stay_out_where_most_is_onednns(
    units: int, size: int, alone: bool, flags: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small product in several threads would keep the processors busy that a convolution wants."""
    monkeypatch.setattr(python_backend, "_FLOPS_OF_A_WAIT", 1 << 20)
    monkeypatch.setattr(matmul, "MIN_COLUMNS", units + 1)  # NumPy computes the dense layer
    brake, told = threads.Brake(), list[int]()
    monkeypatch.setattr(threads, "_chosen", lambda: "")
    fake = Library("Fake", lambda: told[-1] if told else 4, told.append)
    monkeypatch.setattr(threads, "find_library", lambda: fake)
    brake.start()
    told.clear()
    brake._due = float("inf")
    for name in ("alone", "crowded", "limited", "run", "share"):
        monkeypatch.setattr(threads, name, getattr(brake, name))
    net, x = Tail(512, units), nd.random.normal(shape=(2, 8, size, size))
    net.initialize()
    expected = net(x).asnumpy()
    net.hybridize(backend="onednn", **flags)
    numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    for _ in range(3):
        told.clear()
        net(x)
        assert told == ([1, 4] if alone else [])
    assert "dense" in str(net.explain(x, profile=True))  # line by line, whatever is around the function


PROGRAM = """
import os, sys
from d2lhybrid import nd
from d2lhybrid.internals.compiler import threads
from d2lhybrid.gluon import nn
threads.share = lambda: 2
net = nn.Conv2D(16, 3, in_channels=8)
net.initialize()
net.hybridize(backend="onednn")
net(nd.ones((4, 8, 64, 64)))
masks = [os.sched_getaffinity(int(task)) for task in os.listdir("/proc/self/task")]
print(sum(mask != os.sched_getaffinity(0) for mask in masks), len(os.sched_getaffinity(0)))
if hasattr(os, "fork"):
    child = os.fork()
    if not child:
        net(nd.ones((4, 8, 64, 64)))
        os._exit(0 if os.sched_getaffinity(0) == os.sched_getaffinity(os.getppid()) else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.parametrize("setting", ["", "off"])
def test_a_program_of_two_threads_binds_one(setting: str, binder: binding.Binder) -> None:
    drop = {*placement.DECIDED, *threads.VARIABLES, "D2LHYBRID_THREADS"}
    environment = {name: value for name, value in os.environ.items() if name not in drop}
    environment |= {"OPENBLAS_NUM_THREADS": "1", placement.VARIABLE: setting}
    answer: Any = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM], capture_output=True, text=True, env=environment, check=False,
        timeout=120,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.split() == ["0" if setting else "1", str(len(everywhere())), "0"]
