"""The machine on a GPU, a simulated one: calls compute there what they compute on a CPU, wherever elements lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import pytest
from own_operators import own_operators
from simulated_gpu import simulated_gpu

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core import backends, tape
from d2lhybrid.internals.core.codegen import own_memory
from d2lhybrid.internals.core.invoke import invoke, prepare_write, wrap
from d2lhybrid.internals.core.operator import Array, operator
from d2lhybrid.internals.device import array_modules
from d2lhybrid.internals.support import clock
from d2lhybrid.internals.support.events import listening
from d2lhybrid.symbol.compose import compose

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


@pytest.mark.parametrize("ctx", [GPU, mx.cpu()], ids=str)
def test_a_program_gets_elements_in_order_on_a_gpu_and_the_arrays_themselves_on_a_cpu(ctx: Any) -> None:
    net = nn.Dense(2, in_units=3, use_bias=False)
    net.initialize(mx.init.One(), ctx=ctx)
    net.hybridize()
    x, head = (turned(numpy.ones((3, size), "float32"), ctx) for size in (3, 2))
    x.attach_grad()
    given: dict[str, Any] = {}

    def note(source: Any, run: Any) -> Any:
        def noted(*raws: Any) -> Any:
            given[source.name] = raws
            return run(*raws)

        return noted

    with listening(program_called=note):
        with autograd.record():
            y = net(x)
        y.backward(head)
    for raw, array in ((given["forward"][0], x), (given["backward"][-1], head)):
        assert raw.flags.c_contiguous if ctx == GPU else raw is array._data


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


def test_a_derivative_that_is_recorded_is_where_its_arrays_are() -> None:
    x = nd.array([0, 0], ctx=GPU)
    x.attach_grad()
    with autograd.record():
        [dx] = autograd.grad(nd.exp(x), [x], create_graph=True)
        z = dx * 3
    z.backward()
    assert dx.context == GPU and x.grad.asnumpy().tolist() == [3, 3]


def test_a_net_that_draws_numbers_on_a_gpu_is_not_differentiated_twice() -> None:
    net = nn.Dropout(0.5)
    net.hybridize()
    x = nd.ones((4,), ctx=GPU)
    x.attach_grad()
    with autograd.record():
        y = net(x)
        with pytest.raises(mx.MXNetError, match="cannot be differentiated twice") as caught:
            autograd.grad(y, [x], create_graph=True)
    assert any("net.hybridize(False)" in note for note in caught.value.__notes__)


def test_what_works_on_a_device_makes_it_the_current_one(gpu: Any) -> None:
    x, variable = nd.ones((2,), ctx=mx.gpu(1)), tape.Variable(nd.ones((2,), ctx=mx.gpu(1)), "add")
    works = (
        lambda: nd.exp(x), lambda: prepare_write(x), lambda: tape._add_raw(x._data, x._data),
        lambda: tape.store_by_copy(variable, x._data),
    )  # fmt: skip
    for work in works:
        nd.ones((2,), ctx=GPU)
        assert gpu.current == 0
        work()
        assert gpu.current == 1
    assert variable.grad.asnumpy().tolist() == [2, 2]


def test_a_result_that_shares_no_memory_is_not_copied() -> None:
    made, other = nd.array([1, 2], ctx=GPU)._data, nd.array([3, 4], ctx=GPU)._data
    [result] = own_memory([made], [other])
    [copied] = own_memory([made], [made])
    assert result is made and copied is not made


def test_the_limit_of_memory_is_for_the_host_alone() -> None:
    with mx.limits(memory=2000):
        net = make(mx.cpu())
        net.hybridize()
        with pytest.raises(mx.MXNetError, match="the graph, whose largest value"):
            net(nd.ones((1000, 3)))
        net = make(GPU)
        net.hybridize()
        assert net(nd.ones((1000, 3), ctx=GPU)).shape == (1000, 2)  # the driver knows how much memory a GPU has


def test_the_backend_follows_the_context() -> None:
    assert (
        backends.default_backend(numpy) == "numpy"
        and backends.default_backend(array_modules.array_module(GPU)) == "cupy"
    )
    net = make(GPU)
    net.hybridize()
    net(nd.ones((1, 3), ctx=GPU))
    [program] = net._cached_op.programs.values()
    assert not program.forward.threaded


def test_page_locked_memory_is_written_after_a_gpu_has_read_it(gpu: Any) -> None:
    nd.ones((2,), ctx=GPU)
    pinned, plain = nd.ones((2,), ctx=mx.cpu_pinned()), nd.ones((2,), ctx=mx.cpu())
    counts = []
    for array in (plain, pinned):
        before = gpu.devices[0].synchronizations
        prepare_write(array)
        counts.append(gpu.devices[0].synchronizations - before)
    assert counts == [0, 1]


def test_the_short_way_is_for_elements_in_order() -> None:
    net = make(GPU)
    net.hybridize()
    values = numpy.arange(9.0, dtype="float32").reshape(3, 3)
    x, other_order = in_order(values, GPU), turned(values, GPU)
    expected = net(x).asnumpy()
    fast, generation = net._cached_op.fast_call, clock.Arrays.generation
    y = fast(x, generation)
    assert y is not None and y.context == GPU and numpy.array_equal(y.asnumpy(), expected)
    assert fast(other_order, generation) is None and numpy.array_equal(net(other_order).asnumpy(), expected)


def test_a_net_whose_parameter_is_out_of_order_goes_the_general_way() -> None:
    net = nn.Dense(3, in_units=3, use_bias=False)
    net.initialize(mx.init.One(), ctx=GPU)
    net.hybridize()
    x = in_order(numpy.ones((1, 3), "float32"), GPU)
    values = numpy.arange(9.0, dtype="float32").reshape(3, 3)
    net.weight.data(GPU)._data = turned(values, GPU)._data
    for _ in range(2):
        assert net(x).asnumpy().tolist() == [values.sum(axis=1).tolist()]
        assert net._cached_op.fast_call(x, clock.Arrays.generation) is None


class Hungry:
    """An operator that doubles; its kernel and its gradient are kernels that may run out of memory."""

    def __init__(self) -> None:
        self.failures = {"_hungry": 0, "_hungry_backward": 0}

        @operator("_hungry")
        def hungry(xp: Any, data: Array) -> Any:
            """Twice the numbers."""
            self.need_memory("_hungry")
            return data * 2

        @operator("_hungry_backward")
        def hungry_backward(xp: Any, data: Array) -> Any:
            """Twice the gradient."""
            self.need_memory("_hungry_backward")
            return data * 2

        @hungry.gradient
        def _(F: Any, dy: Any, y: Any, data: Any) -> Any:
            return (F._hungry_backward(dy),)

        for op in (hungry, hungry_backward):
            op.infer_shape(lambda data: ([data], [data]))
            op.infer_type(lambda data: ([data], [data]))
        self.op, self.retried = hungry, ""

    def need_memory(self, kernel: str) -> None:
        cupy = array_modules.array_module(GPU)
        pool = cupy.get_default_memory_pool()
        if self.failures[kernel]:
            self.failures[kernel] -= 1
            cupy.zeros(100_000)  # its memory stays with the pool
            assert pool.free_bytes() > 0
            if not self.failures[kernel]:
                self.retried = kernel
            raise cupy.cuda.memory.OutOfMemoryError(1, 2, 3)
        if self.retried == kernel:
            assert pool.free_bytes() == 0
            self.retried = ""

    def call(self, hybridize: bool) -> Any:
        """Return a function that calls the operator, or a net of it."""
        if not hybridize:
            return lambda x: invoke(self.op, [x], {}, nd.NDArray)
        x = mx.sym.var("x", dtype="float32")
        return gluon.SymbolBlock(compose(self.op, "own", [x], {}, mx.sym.Symbol), x)


@pytest.mark.parametrize("failures", [1, 2])
@pytest.mark.parametrize("kernel", ["_hungry", "_hungry_backward"])
@pytest.mark.parametrize("hybridize", [False, True])
def test_memory_that_runs_out_is_freed_and_the_kernel_runs_once_more(
    hybridize: bool, kernel: str, failures: int
) -> None:
    with own_operators():
        hungry = Hungry()
        call = hungry.call(hybridize)
        x = nd.array([1, 2], ctx=GPU)
        x.attach_grad()

        def step() -> Any:
            with autograd.record():
                y = call(x)
            y.backward()
            return y

        step()
        hungry.failures[kernel] = failures
        if failures == 1:
            assert step().asnumpy().tolist() == [2, 4] and x.grad.asnumpy().tolist() == [2, 2]
            assert hungry.failures[kernel] == 0 and not hungry.retried
        else:
            with pytest.raises(mx.MXNetError, match="out of memory") as caught:
                step()
            notes = " ".join(caught.value.__notes__)
            if hybridize:
                assert "in the compiled program " in notes
            elif kernel == "_hungry_backward":
                assert "in the gradient of operator _hungry" in notes


@pytest.mark.parametrize("hybridize", [False, True])
def test_an_error_that_is_not_about_memory_of_a_gpu_is_raised(hybridize: bool) -> None:
    with own_operators():
        hungry = Hungry()
        call = hungry.call(hybridize)
        x = nd.array([1, 2], ctx=mx.cpu())
        x.attach_grad()
        with autograd.record():
            call(x)
            y = call(x)
        hungry.need_memory = lambda kernel: (_ for _ in ()).throw(MemoryError(kernel))
        with pytest.raises(MemoryError, match="_hungry_backward"):
            y.backward()
        with autograd.record(), pytest.raises(Exception, match="_hungry"):
            call(x)
