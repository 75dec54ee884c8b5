"""The machine on a GPU, a simulated one: calls compute there what they compute on a CPU, wherever elements lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import pytest
from simulated_gpu import simulated_gpu

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core import backends
from d2lhybrid.internals.core.invoke import wrap
from d2lhybrid.internals.device import backend

GPU = mx.gpu(0)


@pytest.fixture(autouse=True)
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A device, and the machine's own backend: every kernel is a function of CuPy's."""
    with simulated_gpu() as machine:
        monkeypatch.setattr(backends, "BACKENDS", {"numpy": backends.Backend, "cupy": backends.Backend})
        backends.get_backend.cache_clear()
        yield machine
    backends.get_backend.cache_clear()


def make(ctx: Any) -> Any:
    mx.random.seed(0)
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu", in_units=3), nn.BatchNorm(in_channels=4), nn.Dense(2, in_units=4))
    net.initialize(mx.init.Uniform(1), ctx=mx.cpu())
    net.collect_params().reset_ctx(ctx)
    return net


def turned(values: Any, ctx: Any) -> Any:
    """Return an array whose elements lie in memory in the order of the last axis."""
    there = nd.array(numpy.ascontiguousarray(values.T), ctx=ctx)
    array = wrap(nd.NDArray, there._data.T, ctx)
    assert not array._data.flags.c_contiguous
    return array


def results_of(ctx: Any, hybridize: bool, make_array: Any) -> list[Any]:
    net = make(ctx)
    if hybridize:
        net.hybridize()
    rng = numpy.random.default_rng(1)
    found = []
    for _ in range(2):
        x = make_array(rng.normal(size=(5, 3)).astype("float32"), ctx)
        head = make_array(rng.normal(size=(5, 2)).astype("float32"), ctx)
        x.attach_grad()
        with autograd.record():
            y = net(x)
        y.backward(head)
        assert y.context == ctx and x.grad.context == ctx
        found += [y, x.grad, *(p.data() for p in net.collect_params().values())]
        for p in net.collect_params().values():
            if p.grad_req != "null":
                found.append(p.grad())
                p.data()[:] -= 0.1 * p.grad()
    for _ in range(3):
        found.append(net(make_array(rng.normal(size=(5, 3)).astype("float32"), ctx)))
    return [array.asnumpy() for array in found]


def in_order(values: Any, ctx: Any) -> Any:
    return nd.array(values, ctx=ctx)


@pytest.mark.parametrize("make_array", [in_order, turned])
@pytest.mark.parametrize("hybridize", [False, True])
def test_a_step_of_training_is_that_of_a_cpu(hybridize: bool, make_array: Any) -> None:
    expected = results_of(mx.cpu(), False, in_order)
    for got, want in zip(results_of(GPU, hybridize, make_array), expected, strict=True):
        numpy.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def test_operators_run_where_their_arrays_are() -> None:
    x = nd.array([[1, 2], [3, 4]], ctx=GPU)
    assert nd.dot(x, x).asnumpy().tolist() == [[7, 10], [15, 22]] and nd.dot(x, x).context == GPU
    assert nd.zeros((2,), ctx=GPU).context == GPU and nd.ones_like(x).context == GPU
    y = nd.transpose(x)
    y[:] = 7
    assert x.asnumpy().tolist() == [[1, 2], [3, 4]]
    with pytest.raises(mx.MXNetError, match="require all inputs live on the same context"):
        nd.dot(x, nd.ones((2, 2)))
    out = nd.zeros((2, 2), ctx=GPU)
    assert nd.exp(x, out=out) is out and numpy.allclose(out.asnumpy(), numpy.exp(x.asnumpy()))
    halves = nd.split(x, num_outputs=2, axis=1)
    assert [h.asnumpy().tolist() for h in halves] == [[[1], [3]], [[2], [4]]] and halves[0].context == GPU


def test_the_backend_follows_the_context() -> None:
    assert backends.default_backend(numpy) == "numpy" and backends.default_backend(backend.array_module(GPU)) == "cupy"
    net = make(GPU)
    net.hybridize()
    net(nd.ones((1, 3), ctx=GPU))
    [program] = net._cached_op.programs.values()
    assert not program.forward.threaded
