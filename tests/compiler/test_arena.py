"""``static_alloc``: values in one arena, and nobody's results overwritten."""

from __future__ import annotations

import inspect
import threading
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d2lhybrid import autograd, nd
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.arena import ALIGNMENT, Place, assign_offsets
from d2lhybrid.internals.core.graph import TensorType

from .networks import NETWORKS, make
from .test_pipeline import flat

FLAGS = [{"static_alloc": True}, {"static_alloc": True, "static_shape": True}]
each_flags = pytest.mark.parametrize("flags", FLAGS, ids=["alloc", "alloc and shape"])


@st.composite
def places(draw: Any) -> list[Place]:
    found = []
    start = 0
    for i in range(draw(st.integers(1, 30))):
        start += draw(st.integers(0, 2))
        kind = TensorType((draw(st.integers(0, 400)),), numpy.dtype("float32"))
        found.append(Place(f"v{i}", kind, start, start + draw(st.integers(0, 8))))
    return found


@settings(max_examples=200, deadline=None)
@given(places())
def test_values_that_live_at_the_same_time_never_share_memory(found: list[Place]) -> None:
    offsets, total = assign_offsets(found)
    ranges = [(o, o + p.type.nbytes) for o, p in zip(offsets, found, strict=True)]
    assert all(o % ALIGNMENT == 0 and end <= total for o, (_, end) in zip(offsets, ranges, strict=True))
    for i, a in enumerate(found):
        for j, b in enumerate(found[:i]):
            if a.start <= b.end and b.start <= a.end:
                apart = ranges[i][0] >= ranges[j][1] or ranges[j][0] >= ranges[i][1]
                assert apart, (a, b)


def test_values_one_after_the_other_share_memory() -> None:
    kind = TensorType((1000,), numpy.dtype("float32"))
    _, total = assign_offsets([Place(f"v{i}", kind, i, i + 1) for i in range(50)])
    assert total <= 2 * (kind.nbytes + ALIGNMENT)


def results_of(net: Any, inputs: list[Any], heads: list[Any]) -> list[numpy.ndarray]:
    for x in inputs:
        x.attach_grad()
    with autograd.record():
        outputs = flat(net(*inputs))
    autograd.backward(outputs, heads)
    grads = [p.grad() for p in net.collect_params().values() if p.grad_req != "null"]
    return [a.asnumpy().copy() for a in [*outputs, *[x.grad for x in inputs], *grads]]


@each_flags
@pytest.mark.parametrize("name", NETWORKS)
def test_values_and_gradients_are_those_without_an_arena(name: str, flags: dict[str, bool]) -> None:
    (eager, inputs), (static, _) = make(name), make(name)
    static.hybridize(**flags)
    heads = [nd.random.normal(shape=y.shape) for y in flat(eager(*inputs))]
    for _ in range(3):  # the later rounds use the arena again
        for got, expected in zip(results_of(static, inputs, heads), results_of(eager, inputs, heads), strict=True):
            numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)
    got, expected = flat(static(*inputs)), flat(eager(*inputs))
    for a, b in zip(got, expected, strict=True):
        numpy.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-4, atol=1e-5)


@each_flags
@pytest.mark.parametrize("name", NETWORKS)
def test_nothing_that_a_caller_holds_is_overwritten(name: str, flags: dict[str, bool]) -> None:
    net, inputs = make(name)
    net.hybridize(**flags)
    others = [nd.random.normal(shape=x.shape) for x in inputs]
    held = flat(net(*inputs))
    for x in [*inputs, *others]:
        x.attach_grad()
    with autograd.record():
        recorded = flat(net(*inputs))
    leaves = [*inputs, *(p.data() for p in net.collect_params().values() if p.grad_req != "null")]
    gradients = autograd.grad(recorded, leaves, retain_graph=True)
    kept = [a.asnumpy() for a in [*held, *recorded, *gradients]]
    for _ in range(2):
        net(*others)
        with autograd.record():
            y = flat(net(*others))
        autograd.backward(y)
    for a, b in zip([*held, *recorded, *gradients], kept, strict=True):
        numpy.testing.assert_array_equal(a.asnumpy(), b)
    # The residuals of the first recording are still there, too.
    again = autograd.grad(recorded, leaves)
    for a, b in zip(again, gradients, strict=True):
        numpy.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def siamese(net: Any, a: Any, b: Any) -> list[numpy.ndarray]:
    with autograd.record():
        y = net(a) * net(b)
        z = net(y.reshape((4, -1))[:, :5].tile((1, 2))[:, :5])
    z.backward()
    return [p.grad().asnumpy().copy() for p in net.collect_params().values()]


@each_flags
def test_one_net_several_times_in_one_recording(flags: dict[str, bool]) -> None:
    nets = []
    for _ in range(2):
        net = nn.HybridSequential(prefix="net_")
        net.add(nn.Dense(8, activation="relu", in_units=5), nn.Dense(5, in_units=8))
        net.initialize()
        nets.append(net)
    for a, b in zip(nets[0].collect_params().values(), nets[1].collect_params().values(), strict=True):
        b.set_data(a.data())
    nets[1].hybridize(**flags)
    a, b = nd.random.normal(shape=(4, 5)), nd.random.normal(shape=(4, 5))
    for _ in range(2):
        for got, expected in zip(siamese(nets[1], a, b), siamese(nets[0], a, b), strict=True):
            numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-6)


@each_flags
def test_threads_never_share_an_arena(flags: dict[str, bool]) -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(64, activation="relu"), nn.Dense(64, activation="tanh"), nn.Dense(8))
    net.initialize()
    inputs = [nd.random.normal(shape=(32, 16)) for _ in range(4)]
    expected = [net(x).asnumpy() for x in inputs]
    net.hybridize(**flags)
    net(inputs[0])
    wrong: list[int] = []

    def work(i: int) -> None:
        for _ in range(100):
            if not numpy.allclose(net(inputs[i]).asnumpy(), expected[i], rtol=1e-4, atol=1e-6):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_step_uses_the_arena_of_the_step_before() -> None:
    net, inputs = make("lenet")
    net.hybridize(static_alloc=True)

    def step() -> None:
        with autograd.record():
            y = net(*inputs)
        y.backward()

    step()
    [program] = [p for p in net.programs if p.backward is not None]
    made = []
    workspaces = program.forward.workspaces
    inner = workspaces._with_arena
    workspaces._with_arena = lambda: made.append(1) or inner()
    for _ in range(5):
        step()
    with autograd.record():
        net(*inputs)  # nobody goes backward from here
    step()
    assert not made


def test_the_arena_is_as_large_as_the_report_says_and_no_larger_than_its_values() -> None:
    net, inputs = make("lenet")
    net.hybridize(static_alloc=True, static_shape=True)
    report = net.explain(*inputs)
    [function] = report.programs[0].every_call
    source = net.programs[0].forward
    assert function.arena_bytes == source.arena_bytes > 0
    run = source.workspaces.take()
    values = inspect.getclosurevars(run).nonlocals
    sizes = [v.nbytes for v in values.values() if v.base is not None and v.flags.c_contiguous]
    assert max(sizes) <= source.arena_bytes <= sum(sizes) + ALIGNMENT * len(sizes)


def test_a_call_that_fails_leaves_the_net_as_it_was() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(4, in_units=3))
    net.initialize()
    net.hybridize(static_alloc=True)
    x = nd.ones((2, 3))
    y = net(x).asnumpy()
    with pytest.raises(MXNetError, match=r"Shape inconsistent|[Ii]ncompatible"):
        net(nd.ones((2, 5)))
    numpy.testing.assert_array_equal(net(x).asnumpy(), y)
