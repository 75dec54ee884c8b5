"""Contexts on a GPU: where arrays are made, how they move, what waits, what is said when something is not there.

On a machine without a GPU, the stand-in for CuPy of ``tests/simulated_gpu`` takes its place.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.internals.device import array_modules

CPU, GPU = mx.cpu(), mx.gpu()


@pytest.fixture(autouse=True)
def machine(gpu: Any) -> Any:
    """The stand-in, None on a real GPU."""
    return gpu


@pytest.fixture
def second() -> Any:
    """Another device: a second GPU."""
    if array_modules.num_gpus() < 2:
        pytest.skip("needs two GPUs")
    return mx.gpu(1)


@pytest.fixture
def counted(machine: Any) -> Any:
    """A scope in which the host must not wait for the device."""
    if machine is None:
        pytest.skip("a real GPU does not count")

    @contextlib.contextmanager
    def scope() -> Iterator[None]:
        before = [(d.transfers_to_host, d.synchronizations) for d in machine.devices]
        yield
        assert [(d.transfers_to_host, d.synchronizations) for d in machine.devices] == before

    return scope


def on_device(array: Any) -> int:
    """Return on which device the memory of an array is."""
    assert not isinstance(array._data, numpy.ndarray)
    return array._data.device.id


# --- making and moving ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda ctx: nd.array([[1, 2], [3, 4]], ctx=ctx),
        lambda ctx: nd.array(nd.ones((2, 2)), ctx=ctx),
        lambda ctx: nd.zeros((2, 2), ctx=ctx),
        lambda ctx: nd.empty((2, 2), ctx=ctx),
        lambda ctx: nd.full((2, 2), 3, ctx=ctx),
        lambda ctx: nd.arange(4, ctx=ctx),
        lambda ctx: nd.random.normal(shape=(2, 2), ctx=ctx),
        lambda ctx: nd.ones((2, 2)).copyto(ctx),
        lambda ctx: nd.ones((2, 2)).as_in_context(ctx),
        lambda ctx: nd.ones((2, 2), dtype="float16").as_in_ctx(ctx),
        lambda ctx: mx.np.array([[1.0, 2.0]], ctx=ctx),
        lambda ctx: mx.np.empty((2, 2), ctx=ctx),
        lambda ctx: mx.np.random.uniform(size=(2, 2), ctx=ctx),
        lambda ctx: pickle.loads(pickle.dumps(nd.ones((2, 2), ctx=ctx))),
        lambda ctx: nd.sparse.zeros("row_sparse", (2, 2), ctx=ctx).data,
    ],
)
def test_an_array_is_made_where_it_is_asked_for(make):
    array = make(GPU)
    assert array.context == GPU
    assert on_device(array) == 0


def test_the_context_of_a_scope(second):
    with second:
        x = nd.ones((2,))
        with mx.gpu(0):
            y = nd.ones((2,))
        z = nd.random.uniform(shape=(3,))
    assert [on_device(a) for a in (x, y, z)] == [1, 0, 1]
    assert nd.ones((2,)).context == CPU


def test_to_the_gpu_and_back():
    values = numpy.random.rand(3, 4).astype("float32")
    there = nd.array(values, ctx=GPU)
    for back in (there.asnumpy(), there.as_in_context(CPU)._data, numpy.array(there), there.copyto(CPU)._data):
        assert isinstance(back, numpy.ndarray)
        numpy.testing.assert_array_equal(back, values)
    assert there.as_in_context(GPU) is there
    assert there.copyto(GPU) is not there


def test_from_one_gpu_to_another(second):
    x = nd.arange(6, ctx=GPU).reshape(2, 3)
    y = x.as_in_context(second)
    assert on_device(y) == 1
    z = x.T.as_in_context(second)  # whose elements lie in another order
    y += 1
    assert x.asnumpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert z.asnumpy().tolist() == [[0, 3], [1, 4], [2, 5]]
    y.copyto(x)
    assert x.asnumpy().tolist() == [[1, 2, 3], [4, 5, 6]]


def test_a_copy_into_an_array_casts():
    target = nd.zeros((2,), ctx=GPU, dtype="int32")
    nd.array([1.5, 2.5]).copyto(target)
    assert target.asnumpy().tolist() == [1, 2]


def test_the_gradient_of_a_copy_goes_back(second):
    x, w = nd.array([1.0, 2.0], ctx=GPU), nd.array([3.0, 4.0], ctx=second)
    for a in (x, w):
        a.attach_grad()
    with autograd.record():
        y = (x.as_in_context(second) * w).as_in_context(CPU) * 2
    y.backward()
    assert (on_device(x.grad), on_device(w.grad)) == (0, 1)
    assert x.grad.asnumpy().tolist() == [6, 8]
    assert w.grad.asnumpy().tolist() == [2, 4]


def test_the_gradient_of_a_copy_twice():
    x = nd.array([2.0], ctx=GPU)
    x.attach_grad()
    with autograd.record():
        y = x.as_in_context(CPU) ** 3
        (first,) = autograd.grad([y], [x], create_graph=True)
    first.backward()
    assert x.grad.asnumpy().tolist() == [12]


def test_page_locked_memory():
    x = nd.arange(6, ctx=GPU)
    pinned = x.as_in_context(mx.cpu_pinned())
    assert pinned.context == mx.cpu_pinned()
    assert isinstance(pinned._data, numpy.ndarray)
    assert not pinned._data.flags.owndata  # the memory is CuPy's
    pinned += 1
    pinned[0] = 7
    assert pinned.as_in_context(GPU).asnumpy().tolist() == [7, 2, 3, 4, 5, 6]
    assert (pinned * 2).asnumpy().tolist() == [14, 4, 6, 8, 10, 12]


def test_a_data_loader_pins_its_batches():
    data = gluon.data.ArrayDataset(numpy.arange(8, dtype="float32").reshape(4, 2), numpy.arange(4))
    loader = gluon.data.DataLoader(data, batch_size=2, pin_memory=True, pin_device_id=0, num_workers=1)
    for images, labels in loader:
        assert images.context == labels.context == mx.cpu_pinned(0)
        assert not images._data.flags.owndata
        assert on_device(images.as_in_context(GPU)) == 0


def test_split_and_load(second):
    parts = gluon.utils.split_and_load(nd.arange(6).reshape(6, 1), [GPU, second, CPU])
    assert [p.context for p in parts] == [GPU, second, CPU]
    assert [p.asnumpy().ravel().tolist() for p in parts] == [[0, 1], [2, 3], [4, 5]]
    norm = gluon.utils.clip_global_norm([p.astype("float32") for p in parts], 1.0)
    assert norm == pytest.approx(55**0.5)


def test_a_file(tmp_path, second):
    name = str(tmp_path / "arrays")
    nd.save(name, {"a": nd.arange(3, ctx=second), "b": nd.ones((2,)), "c": nd.ones((2,), ctx=GPU)})
    found = nd.load(name)
    assert [found[k].context for k in "abc"] == [second, CPU, GPU]
    assert on_device(found["a"]) == 1
    assert found["a"].asnumpy().tolist() == [0, 1, 2]


def test_parameters_move(second):
    net = gluon.nn.Dense(2, in_units=3)
    net.initialize(ctx=[GPU, second])
    assert [on_device(w) for w in net.weight.list_data()] == [0, 1]
    numpy.testing.assert_array_equal(*[w.asnumpy() for w in net.weight.list_data()])
    net.weight.set_data(numpy.ones((2, 3)))
    with autograd.record():
        outputs = [net(nd.ones((1, 3), ctx=ctx)) for ctx in (GPU, second)]
    autograd.backward(outputs)
    assert [on_device(g) for g in net.weight.list_grad()] == [0, 1]
    net.collect_params().zero_grad()
    net.collect_params().reset_ctx(CPU)
    assert net(nd.ones((1, 3))).asnumpy().tolist() == [[3, 3]]
    net.collect_params().reset_ctx(second)
    assert on_device(net(nd.ones((1, 3), ctx=second))) == 1


# --- the current device ---------------------------------------------------------------------------


def test_calls_on_two_gpus_take_turns(second):
    arrays = [nd.ones((2, 3), ctx=ctx) for ctx in (GPU, second)]
    for x in [*arrays, *arrays]:
        x[:] = 2
        x[0, 1] = 5
        x += x
        y = nd.dot(x, x, transpose_b=True).sum()
        assert on_device(y) == on_device(x)
        assert x[nd.array([0, 1], ctx=x.context)].asnumpy().tolist() == x.asnumpy().tolist()
        assert 10 in x
        x[:] = 1


def test_a_backward_walk_over_two_gpus(second):
    xs = [nd.ones((2,), ctx=ctx) for ctx in (GPU, second)]
    for x in xs:
        x.attach_grad("add")
    for _ in range(2):
        with autograd.record():
            ys = [(x * x + x[0] + x).sum() for x in xs]
        autograd.backward(ys)
    for x in xs:
        assert x.grad.asnumpy().tolist() == [10, 6]
        assert on_device(x.grad) == x.context.device_id


def test_another_thread_has_its_own_current_device(second):
    found = []

    def work() -> None:
        found.append(nd.ones((2,), ctx=second) + 1)

    x = nd.ones((2,), ctx=GPU)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert on_device(x + 1) == 0
    assert on_device(found[0]) == 1


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_net_on_two_gpus(second, hybridize):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(4, activation="relu"), gluon.nn.BatchNorm(), gluon.nn.Dropout(0.5), gluon.nn.Dense(2))
    net.initialize(ctx=[GPU, second])
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    for _ in range(2):
        with autograd.record():
            losses = [net(nd.ones((3, 5), ctx=ctx)).sum() for ctx in (GPU, second)]
        autograd.backward(losses)
        trainer.step(6)
    weights = [w.asnumpy() for w in net[0].weight.list_data()]
    numpy.testing.assert_array_equal(*weights)
    assert on_device(net(nd.ones((3, 5), ctx=second))) == 1


# --- views, writes --------------------------------------------------------------------------------


def test_operators_hand_out_copies_and_methods_views():
    x = nd.arange(6, ctx=GPU)
    nd.reshape(x, shape=(2, 3))[:] = 9
    nd.slice(x, begin=(0,), end=(3,))[:] = 9
    nd.flip(x, axis=0)[:] = 9
    nd.split(x, num_outputs=2, axis=0)[0][:] = 9
    assert x.asnumpy().tolist() == [0, 1, 2, 3, 4, 5]
    x.reshape(2, 3)[1] = 7
    x[0:2][:] = 8
    assert x.asnumpy().tolist() == [8, 8, 2, 7, 7, 7]


@pytest.mark.parametrize(
    "value",
    [5, 5.0, numpy.float32(5), [5, 5, 5], numpy.full(3, 5.0), nd.full((3,), 5), nd.full((1, 3), 5)],
    ids=lambda value: type(value).__name__,
)
def test_what_may_be_written(value):
    x = nd.zeros((2, 3), ctx=GPU)
    x[1] = value
    assert x.asnumpy().tolist() == [[0, 0, 0], [5, 5, 5]]
    with pytest.raises(ValueError, match="could not be broadcast"):
        x[:] = numpy.ones((4, 3))


@pytest.mark.parametrize("where", [CPU, GPU])
def test_what_may_be_an_index(where):
    x = nd.arange(6, ctx=GPU).reshape(3, 2)
    rows = nd.array([2, 0], ctx=where)
    assert x[rows].asnumpy().tolist() == [[4, 5], [0, 1]]
    assert x[rows, 1].asnumpy().tolist() == [5, 1]
    assert x[[2, 0]].asnumpy().tolist() == x[numpy.array([2, 0])].asnumpy().tolist() == [[4, 5], [0, 1]]
    x[rows] = -1
    assert x.asnumpy().tolist() == [[-1, -1], [2, 3], [-1, -1]]
    y = mx.np.array([[1.0, 2.0]], ctx=GPU)
    mask = mx.np.array([[True, False]], dtype="bool", ctx=where)
    assert y[mask].asnumpy().tolist() == [1]
    y[mask] = 7
    assert y.asnumpy().tolist() == [[7, 2]]


def test_the_gradient_of_an_index():
    x = nd.arange(4, ctx=GPU)
    x.attach_grad()
    with autograd.record():
        y = x[nd.array([1, 1, 3], ctx=GPU)] * x[0:3]
    y.backward()
    assert x.grad.asnumpy().tolist() == [1, 2, 3, 2]


def test_text_and_numbers():
    x = nd.array([[1.0]], ctx=GPU)
    assert repr(x) == "\n[[1.]]\n<NDArray 1x1 @gpu(0)>"
    assert (x.asscalar(), bool(x)) == (1, True)
    assert mx.np.array([1.5], ctx=GPU).tolist() == [1.5]


# --- what waits -----------------------------------------------------------------------------------


def test_nothing_waits_that_need_not(counted):
    x = nd.random.normal(shape=(4, 8), ctx=GPU)
    y = nd.zeros((4, 8), ctx=GPU)
    net = gluon.nn.Dense(3)
    net.initialize(ctx=GPU)
    net(x)
    trainer = gluon.Trainer(net.collect_params(), "adam")
    label = nd.array([0, 1, 2, 0], ctx=GPU)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    with counted():
        y[:] = x * 2 + 1
        y[1:3] += x[0:2]
        y[nd.array([0, 2], ctx=GPU)] = 0
        nd.random.shuffle(x)
        with autograd.record():
            value = loss(net(x), label)
        value.backward()
        trainer.step(4)
        gluon.utils.clip_global_norm([net.weight.grad()], 1.0, check_isfinite=False)


def test_prediction_does_not_wait_for_the_scale_of_a_batch_norm(counted):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(3), gluon.nn.BatchNorm(scale=False))
    net.initialize(ctx=GPU)
    net.hybridize()
    x = nd.ones((2, 4), ctx=GPU)
    expected = net(x).asnumpy()
    with counted():
        found = net(x)
    numpy.testing.assert_array_equal(found.asnumpy(), expected)
    gamma = net[1].gamma.data()
    gamma[:] = 5  # which a fixed scale of one does not look at
    with counted():
        net(x)
    assert gamma.asnumpy().tolist() == [1, 1, 1]


def test_waiting(machine):
    x = nd.ones((2,), ctx=GPU)
    before = machine.devices[0].synchronizations if machine else 0
    x.wait_to_read()
    nd.waitall()
    mx.nd.ones((2,)).wait_to_read()
    if machine is not None:
        assert machine.devices[0].synchronizations == before + 2
        assert machine.devices[1].synchronizations == 0  # never used: nothing to wait for


# --- random streams -------------------------------------------------------------------------------


def test_seeds_of_one_device_and_of_all(second):
    def draw(ctx: Any) -> Any:
        return nd.random.uniform(shape=(4,), ctx=ctx).asnumpy().tolist()

    mx.random.seed(3)
    first = [draw(ctx) for ctx in (GPU, second, CPU)]
    assert first[0] != first[1]
    mx.random.seed(3)
    assert [draw(ctx) for ctx in (CPU, second, GPU)] == first[::-1]
    mx.random.seed(4, ctx=GPU)
    again = draw(GPU)
    draw(second)
    mx.random.seed(4, ctx=GPU)
    assert draw(GPU) == again


# --- errors ---------------------------------------------------------------------------------------


def notes(error: BaseException) -> str:
    return "\n".join(error.__notes__)


def test_no_such_device():
    count = array_modules.num_gpus()
    with pytest.raises(mx.MXNetError) as caught:
        nd.ones((2,), ctx=mx.gpu(count))
    assert str(caught.value).endswith("CUDA: invalid device ordinal")
    assert f"gpu({count}) does not exist. This machine has" in notes(caught.value)
    assert (nd.ones((2,), ctx=GPU) + 1).asnumpy().tolist() == [2, 2]


@pytest.mark.parametrize(
    "use", [lambda x, y: x + y, lambda x, y: nd.dot(x, y), lambda x, y: x.__iadd__(y), lambda x, y: nd.concat(x, y)]
)
def test_operands_on_different_devices(use):
    x, y = nd.ones((2, 2), ctx=GPU), nd.ones((2, 2))
    for a, b in ((x, y), (y, x)):
        with pytest.raises(mx.MXNetError, match="require all inputs live on the same context") as caught:
            use(a, b)
        assert f"as_in_context(mx.{a.context})" in notes(caught.value)


def test_operands_on_two_gpus(second):
    with pytest.raises(mx.MXNetError, match=r"first argument is on gpu\(0\) while the 2-th argument is on gpu\(1\)"):
        nd.ones((2,), ctx=GPU) + nd.ones((2,), ctx=second)


def too_large() -> int:
    """Return how many float32 numbers no device here has room for."""
    return array_modules.gpu_memory_info(0)[1] // 4 + 1


@pytest.mark.parametrize(
    ("use", "what"),
    [
        (lambda n: nd.zeros((n,), ctx=GPU), "in operator _zeros("),
        (lambda n: nd.random.normal(shape=(n,), ctx=GPU), "in operator _random_normal("),
        (lambda n: nd.ones((n // 1024, 1), ctx=GPU) + nd.ones((1, 1025), ctx=GPU), "in operator broadcast_add("),
    ],
)
def test_out_of_memory(use, what):
    keep = nd.ones((1024,), ctx=GPU)
    with pytest.raises(mx.MXNetError) as caught:
        use(too_large())
    assert str(caught.value) == "cudaMalloc retry failed: out of memory"
    said = notes(caught.value)
    assert "gpu(0): Out of memory allocating" in said
    assert "This process holds" in said
    assert what in said
    assert float(keep.sum().asscalar()) == 1024  # the process goes on


def test_out_of_memory_while_copying(machine):
    if machine is None:
        pytest.skip("would fill the memory of the host, too")
    with pytest.raises(mx.MXNetError, match="out of memory") as caught:
        nd.array(numpy.zeros(too_large(), "float32"), ctx=GPU)
    assert "while copying an array of shape" in notes(caught.value)


def test_out_of_memory_in_a_gradient(machine):
    if machine is None:
        pytest.skip("needs a device whose memory is full soon")
    x = nd.ones((1 << 22,), ctx=GPU)  # 16 of 64 MiB, and as much again for its gradient
    x.attach_grad()
    with autograd.record():
        y = x.sum()
    filler = nd.ones((7 << 20,), ctx=GPU)
    with pytest.raises(mx.MXNetError, match="out of memory") as caught:
        y.backward()
    assert "in the gradient of operator sum" in notes(caught.value)
    del filler


@pytest.mark.parametrize("record", [False, True])
def test_out_of_memory_in_a_compiled_program(machine, record):
    if machine is None:
        pytest.skip("needs a device whose memory is full soon")
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(1 << 12, use_bias=False), gluon.nn.Dense(1, use_bias=False))
    net.initialize(ctx=GPU)
    net.hybridize()
    net(nd.ones((2, 3), ctx=GPU))
    large = nd.ones((1 << 13, 3), ctx=GPU)  # whose hidden layer needs 128 of 64 MiB
    scope = autograd.record() if record else contextlib.nullcontext()
    with pytest.raises(mx.MXNetError, match="out of memory") as caught, scope:
        net(large)
    assert "in the compiled program forward" in notes(caught.value)
    assert net(nd.ones((2, 3), ctx=GPU)).shape == (2, 1)


def test_what_is_free_in_the_pool_is_used_before_an_error(machine):
    if machine is None:
        pytest.skip("needs a device whose memory is full soon")
    for size in (20, 40, 60):  # MiB, each time another size, of 64
        nd.zeros((size << 18,), ctx=GPU)
    assert nd.ones((60 << 18,), ctx=GPU).shape == (60 << 18,)


# --- memory ---------------------------------------------------------------------------------------


def test_memory_goes_back():
    x = nd.ones((1 << 20,), ctx=GPU)
    x.wait_to_read()
    during, total = mx.context.gpu_memory_info(0)
    assert 0 < during < total
    del x
    GPU.empty_cache()
    assert mx.context.gpu_memory_info(0)[0] >= during
    mx.cpu().empty_cache()


def test_a_part_of_the_memory_is_kept_free(machine, monkeypatch):
    if machine is None:
        pytest.skip("would change the pool of the other tests")
    monkeypatch.setenv("MXNET_GPU_MEM_POOL_RESERVE", "75")
    nd.ones((12 << 18,), ctx=GPU)
    with pytest.raises(mx.MXNetError, match="out of memory"):
        nd.ones((20 << 18,), ctx=GPU)
    monkeypatch.setenv("MXNET_GPU_MEM_POOL_RESERVE", "half")
    array_modules.forget_devices()
    with pytest.raises(mx.MXNetError, match="MXNET_GPU_MEM_POOL_RESERVE must be a percentage"):
        nd.ones((2,), ctx=GPU)


# --- sharing --------------------------------------------------------------------------------------


def test_dlpack(machine):
    if machine is not None:
        pytest.skip("the stand-in has no DLPack")
    x = nd.arange(3, ctx=GPU)
    for source in (x, x.to_dlpack_for_read()):
        y = nd.from_dlpack(source)
        assert y.context == GPU
        y[0] += 1
    assert x.asnumpy().tolist() == [2, 1, 2]


class Doubling(mx.operator.CustomOp):
    """Makes arrays of its own beside those that it is given."""

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] + in_data[0] * nd.ones(in_data[0].shape, ctx=in_data[0].context))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 2 * out_grad[0])


@mx.operator.register("doubling_on_a_gpu")
class DoublingProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return Doubling()


def test_an_operator_in_python_runs_where_its_inputs_are() -> None:
    """Whatever the current context is: that of the program is a CPU."""
    x = nd.array([1.0, 2.0], ctx=GPU)
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, op_type="doubling_on_a_gpu")
    y.backward()
    assert (y.context, y.asnumpy().tolist(), x.grad.asnumpy().tolist()) == (GPU, [2, 4], [2, 2])


def test_a_function_in_a_hybridized_net_runs_where_its_inputs_are() -> None:
    class Twice(autograd.Function):
        def forward(self, x: Any) -> Any:
            return x + x * nd.ones(x.shape, ctx=x.context)

        def backward(self, dy: Any) -> Any:
            return 2 * dy

    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return Twice()(x) * 1

    net = Net()
    net.hybridize()
    x = nd.array([1.0, 2.0], ctx=GPU)
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    assert (y.context, y.asnumpy().tolist(), x.grad.asnumpy().tolist()) == (GPU, [2, 4], [2, 2])
