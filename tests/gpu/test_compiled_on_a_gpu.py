"""Compiled programs on a GPU: generated kernels, products of every kind, recorded launches.

They run on the GPU of the machine; where there is none, on the simulated one.
"""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operator_cases import samples_of

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends import cuda_region, get_backend
from d2lhybrid.internals.compiler.backends.cuda_product import TILES, choose_tile
from d2lhybrid.internals.compiler.backends.cupy_program import VARIABLE
from d2lhybrid.internals.compiler.product_nodes import product_of
from d2lhybrid.internals.core.interpret import interpret
from d2lhybrid.internals.core.operator import all_operators, get_operator
from d2lhybrid.internals.core.pipeline import compile_graph
from d2lhybrid.internals.device import array_modules

from ..compiler.networks import NETWORKS, make
from ..compiler.test_arena import results_of
from ..compiler.test_backends import SPECIAL, expression_cases, node_of
from ..compiler.test_pipeline import flat, random_graphs

STATIC = {"static_alloc": True, "static_shape": True}
each_flags = pytest.mark.parametrize("flags", [{}, {"static_alloc": True}, STATIC], ids=["plain", "alloc", "static"])
GPU = mx.gpu(0)

pytestmark = pytest.mark.usefixtures("gpu")


def close(got: Any, expected: Any, dtype: str = "float32") -> None:
    tolerance = {"rtol": 1e-4, "atol": 1e-5} if dtype == "float32" else {"rtol": 1e-10, "atol": 1e-12}
    numpy.testing.assert_allclose(array_modules.asnumpy(got), expected, **tolerance)


def there(arrays: list[Any]) -> list[Any]:
    return [a.as_in_context(GPU) for a in arrays]


def on_gpu(net: Any) -> Any:
    net.collect_params().reset_ctx(GPU)
    return net


def dense(units: int = 3, features: int = 5, **flags: Any) -> Any:
    net = nn.Dense(units, in_units=features, activation="relu")
    net.initialize(mx.init.Uniform(0.5), ctx=GPU)
    net.hybridize(**(flags or STATIC))
    return net


# --- values ---------------------------------------------------------------------------------------


@each_flags
@pytest.mark.parametrize("name", NETWORKS)
def test_values_and_gradients_are_those_of_the_cpu(name: str, flags: dict[str, bool]) -> None:
    (eager, inputs), (compiled, _) = make(name), make(name)
    heads = [nd.random.normal(shape=y.shape) for y in flat(eager(*inputs))]
    on_gpu(compiled).hybridize(**flags)
    for _ in range(4):  # plain, recorded, repeated
        expected = results_of(eager, inputs, heads)
        for got, want in zip(results_of(compiled, there(inputs), there(heads)), expected, strict=True):
            close(got, want)
    for _ in range(4):
        for a, b in zip(flat(compiled(*there(inputs))), flat(eager(*inputs)), strict=True):
            assert a.context == GPU
            close(a.asnumpy(), b.asnumpy())
    assert all("kernel0" in program.other_source for program in compiled.programs)


@settings(max_examples=6, deadline=None)  # a C++ compiler runs for each
@given(random_graphs(), st.integers(0, 1000))
def test_programs_of_random_graphs_equal_the_interpreter(graph: Any, seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    names, xp = ["x", "y"], array_modules.array_module(GPU)
    arrays = {n: rng.uniform(-1, 1, (2, 3)).astype("float32") for n in names}
    program = compile_graph(
        graph, names, dict.fromkeys(names, (2, 3)), dict.fromkeys(names, "float32"), True, [True, True], xp
    )
    values = {v: arrays[v.name] for v in program.graph.inputs}
    results = program.forward.function(*[xp.asarray(arrays[n]) for n in names])
    for got, want in zip(results, interpret(program.stages[0].graph.outputs, values, True), strict=False):
        close(got, want)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_expression_is_its_kernel_on_ordinary_and_special_numbers(dtype: str) -> None:
    xp, rng = array_modules.array_module(GPU), numpy.random.default_rng(0)
    left, right = (a.reshape(-1) for a in numpy.meshgrid(SPECIAL, SPECIAL))
    x = numpy.concatenate([left, rng.normal(0, 3, 500)]).astype(dtype)
    y = numpy.concatenate([right, rng.normal(0, 3, 500)]).astype(dtype)
    inputs, outputs, expected = [sym.var("x"), sym.var("y")], [], []
    for name, params in expression_cases():
        op = get_operator(name)
        for scalar in (2.5, -0.1) if name.endswith("_scalar") else (None,):
            params = params if scalar is None else {"scalar": scalar}
            node = node_of(op, inputs[: len(op.inputs)], params)
            outputs.append(sym.negative(type(inputs[0])([(node, 0)])))
            with numpy.errstate(all="ignore"):
                expected.append(-op.kernel(numpy, *[x, y][: len(op.inputs)], **op.complete(params)))
    names = ["x", "y"]
    program = compile_graph(
        sym.Group(outputs), names, dict.fromkeys(names, x.shape), dict.fromkeys(names, dtype), False, None, xp
    )
    assert program.other_source.count("__global__") >= 30
    tolerance = {"rtol": 2e-6, "atol": 1e-37} if dtype == "float32" else {"rtol": 1e-14, "atol": 1e-300}
    for got, want in zip(program.forward.function(xp.asarray(x), xp.asarray(y)), expected, strict=True):
        numpy.testing.assert_allclose(array_modules.asnumpy(got), want, **tolerance)


def test_a_transpose_of_a_square_reads_what_is_finished() -> None:
    net = nn.HybridLambda(lambda F, x: F.relu(F.transpose(F.exp(x) + 1) - x) * F.transpose(x))
    net.hybridize()
    x = nd.random.normal(shape=(5, 5), ctx=GPU)
    a = x.asnumpy()
    close(net(x).asnumpy(), numpy.maximum((numpy.exp(a) + 1).T - a, 0) * a.T)
    assert net.programs[0].other_source.count("__global__") == 2


@pytest.mark.parametrize("offset", [0, 1])
def test_threads_take_several_neighbours_where_memory_allows_it(offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_region, "VECTOR_SIZE", 1)
    net = nn.HybridLambda(lambda F, x, y: F.relu(x * 2 + y))
    net.hybridize()
    base = nd.random.normal(shape=(2, 1003), ctx=GPU)
    x, y = base.reshape((-1,))[offset : offset + 1001], base.reshape((-1,))[:1001]
    got = net(x, y)
    assert "float4" in net.programs[0].other_source
    close(got.asnumpy(), numpy.maximum(x.asnumpy() * 2 + y.asnumpy(), 0))


@pytest.mark.parametrize("kind", ["max", "avg", "sum"])
@pytest.mark.parametrize(("kernel", "stride"), [((2, 2), (2, 2)), ((3, 3), (2, 2)), ((3, 2), (1, 2))])
def test_pooling(kind: str, kernel: Any, stride: Any) -> None:
    xp, rng = array_modules.array_module(GPU), numpy.random.default_rng(0)
    data = rng.integers(-2, 3, (3, 8, 8, 5)).astype("float32")  # many ties
    x, op = sym.var("x"), get_operator("_pooling_batch_last")
    params = {"kernel": kernel, "stride": stride, "pool_type": kind}
    y = sym.relu(type(x)([(node_of(op, [x], params), 0)]))
    program = compile_graph(y, ["x"], {"x": data.shape}, {"x": "float32"}, True, [True], xp)
    results = program.forward.function(xp.asarray(data))
    pooled = op.kernel(numpy, data, **op.complete(params))
    close(results[0], numpy.maximum(pooled, 0))
    head = rng.normal(size=pooled.shape).astype("float32")
    [got] = program.backward.function(xp.asarray(data), *results[program.num_outputs :], xp.asarray(head))
    back = get_operator("_backward_pooling_batch_last")
    close(got, back.kernel(numpy, head * (pooled > 0), data, pooled, **back.complete(params)))


# --- products -------------------------------------------------------------------------------------


Calls = list[tuple[str, list[numpy.ndarray], dict[str, Any]]]


def together(calls: Calls, xp: Any) -> Any:
    """Return one program that makes all calls of operators."""
    names, outputs, arrays = [], [], []
    for number, (name, inputs, params) in enumerate(calls):
        mine = [f"x{number}_{i}" for i in range(len(inputs))]
        variables = [sym.var(n) for n in mine]
        outputs.append(type(variables[0])([(node_of(get_operator(name), variables, params), 0)]))
        names += mine
        arrays += inputs
    shapes, dtypes = ({n: getattr(a, k) for n, a in zip(names, arrays, strict=True)} for k in ("shape", "dtype"))
    return compile_graph(sym.Group(outputs), names, shapes, dtypes, False, None, xp)


def run_together(calls: Calls) -> tuple[list[Any], Any]:
    """Return what the program gives, and the program."""
    xp = array_modules.array_module(GPU)
    program = together(calls, xp)
    arrays = [xp.asarray(a) for _, inputs, _ in calls for a in inputs]
    return [array_modules.asnumpy(y) for y in program.forward.function(*arrays)], program


def run_one(name: str, *arrays: numpy.ndarray, **params: Any) -> tuple[numpy.ndarray, Any]:
    [got], program = run_together([(name, list(arrays), params)])
    return got, program


#: The operators that may be products.
PRODUCTS = [op.name for op in all_operators() if op.product_rule is not None]


def product_calls(dtype: str) -> Calls:
    calls = []
    for name in PRODUCTS:
        samples = samples_of(get_operator(name))
        assert samples, name
        for sample in samples:
            if all(a is not None and a.dtype == "float32" and a.size for a in sample.arrays):
                calls.append((name, [a.astype(dtype) for a in sample.arrays], sample.params))
    return calls


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("choice", ["own", "cublas"])
def test_every_product_is_its_kernel(choice: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, choice)
    calls = product_calls(dtype)
    assert {name for name, _, _ in calls} == set(PRODUCTS)
    assert {"FullyConnected", "Convolution", "dot", "batch_dot", "_npi_matmul", "_dense_vector"} <= set(PRODUCTS)
    assert len(PRODUCTS) >= 12
    results, _ = run_together(calls)
    for got, (name, arrays, params) in zip(results, calls, strict=True):
        op = get_operator(name)
        close(got, op.kernel(numpy, *arrays, **op.complete(params)), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("choice", ["own", "cublas"])
def test_products_of_matrices_of_all_sizes(choice: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, choice)
    rng = numpy.random.default_rng(0)
    sizes = [(1, 70, 40), (70, 1, 40), (3, 3, 33), (1, 1, 1), (2, 65, 1), (33, 34, 17), (70, 129, 65), (6, 200, 25)]
    calls: Calls = []
    for m, n, k in sizes:
        for turn_a, turn_b in [(False, False), (True, False), (False, True), (True, True)]:
            a, b = rng.normal(size=(k, m) if turn_a else (m, k)), rng.normal(size=(n, k) if turn_b else (k, n))
            calls.append(("dot", [a.astype(dtype), b.astype(dtype)], {"transpose_a": turn_a, "transpose_b": turn_b}))
    results, program = run_together(calls)
    assert ("__global__" in program.other_source) == (choice == "own")
    for got, (_, (a, b), flags) in zip(results, calls, strict=True):
        expected = (a.T if flags["transpose_a"] else a) @ (b.T if flags["transpose_b"] else b)
        numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-4 if dtype == "float32" else 1e-12)


def test_large_products_go_to_cublas_and_small_ones_do_not() -> None:
    a, b = numpy.ones((400, 500), "float32"), numpy.ones((500, 400), "float32")
    (large, small), program = run_together([("dot", [a, b], {}), ("dot", [a[:20, :40], b[:40, :20]], {})])
    assert program.other_source.count("__global__") == 1
    assert (large == 500).all() and (small == 40).all()


def convolution(rng: numpy.random.Generator) -> nn.Conv2D:
    groups = int(rng.choice([1, 1, 2]))
    net = nn.Conv2D(
        groups * int(rng.integers(1, 5)), (int(rng.integers(1, 4)), int(rng.integers(1, 4))), in_channels=2,
        strides=(int(rng.integers(1, 4)), int(rng.integers(1, 3))), groups=groups, use_bias=bool(rng.integers(2)),
        padding=(int(rng.integers(3)), int(rng.integers(3))), dilation=(int(rng.choice([1, 1, 2])), 1),
        activation=str(rng.choice(["relu", "tanh"])),
    )  # fmt: skip
    net.initialize(mx.init.Uniform(1))
    return net


class Several(gluon.HybridBlock):
    """Several layers side by side, so that one program holds them all."""

    def __init__(self, layers: list[Any]) -> None:
        super().__init__()
        self.layers = layers
        for layer in layers:
            self.register_child(layer)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return [layer(x) for layer in self.layers]


@settings(max_examples=2, deadline=None)  # of fifteen convolutions each
@given(st.integers(0, 1000))
def test_convolutions_of_all_kinds_and_their_gradients(seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    net = Several([convolution(rng) for _ in range(15)])
    x = nd.array(rng.normal(size=(int(rng.integers(1, 5)), 2, 8, 7)))
    heads = [nd.random.normal(shape=y.shape) for y in net(x)]
    expected = results_of(net, [x], heads)
    on_gpu(net).hybridize()
    for got, want in zip(results_of(net, there([x]), there(heads)), expected, strict=True):
        numpy.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_every_tile_gives_the_product(tile: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("d2lhybrid.internals.compiler.backends.cuda_product.choose_tile", lambda *sizes: tile)
    rng = numpy.random.default_rng(0)
    a, b = rng.normal(size=(37, 50)).astype("float32"), rng.normal(size=(50, 141)).astype("float32")
    got, program = run_one("dot", a, b)
    assert f"__launch_bounds__({tile.threads})" in program.other_source
    numpy.testing.assert_allclose(got, a @ b, rtol=1e-3, atol=1e-4)


def test_long_sums_are_cut_in_pieces() -> None:
    rng = numpy.random.default_rng(0)
    a, b = rng.normal(size=(5, 3000)).astype("float32"), rng.normal(size=(3000, 7)).astype("float32")
    got, program = run_one("dot", a, b)
    assert "_sum(" in program.other_source
    numpy.testing.assert_allclose(got, a @ b, rtol=1e-3, atol=1e-3)
    again, _ = run_one("dot", a, b)
    assert (got == again).all()


def test_tiles_fit_the_result() -> None:
    sizes = [(2000, 2000), (700, 900), (250, 1000), (16, 40000), (300, 300), (6, 40000), (16, 1000), (16, 64)]
    chosen = [choose_tile(m, n) for m, n in sizes]
    assert set(chosen) <= set(TILES) and len(set(chosen)) >= 4
    assert chosen[0].m * chosen[0].n > chosen[-1].m * chosen[-1].n


def test_a_layer_is_one_kernel_with_its_bias_and_activation() -> None:
    net = dense(4, 6, static_alloc=False)
    x = nd.random.normal(shape=(3, 6), ctx=GPU)
    close(net(x).asnumpy(), numpy.maximum(x.asnumpy() @ net.weight.data().asnumpy().T + net.bias.data().asnumpy(), 0))
    (program,) = net.programs
    assert program.other_source.count("__global__") == 1 and len(program.forward.line_nodes) == 1


def test_equal_layers_share_a_kernel() -> None:
    net = nn.HybridSequential()
    net.add(*[nn.Dense(8, activation="relu", in_units=8) for _ in range(5)])
    net.initialize(ctx=GPU)
    net.hybridize()
    net(nd.ones((2, 8), ctx=GPU))
    assert net.programs[0].other_source.count("__global__") == 1


def test_a_choice_that_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "tensorcores")
    with pytest.raises(MXNetError, match="auto, own, or cublas"):
        dense()(nd.ones((1, 5), ctx=GPU))


def test_products_of_integers_and_of_nothing_are_left_to_cupy() -> None:
    types = [mx_type((2, 3), "int32"), mx_type((3, 2), "int32")]
    variables = [sym.var("a"), sym.var("b")]
    node = node_of(get_operator("dot"), variables, {})
    assert product_of(node, types, mx_type((2, 2), "int32")) is None
    empty = [mx_type((2, 0), "float32"), mx_type((0, 2), "float32")]
    assert product_of(node, empty, mx_type((2, 2), "float32")) is None


def mx_type(shape: tuple[int, ...], dtype: str) -> Any:
    from d2lhybrid.internals.core.graph import TensorType

    return TensorType(shape, numpy.dtype(dtype))


# --- choosing -------------------------------------------------------------------------------------


def test_the_backend_follows_the_context() -> None:
    net = dense()
    net(nd.ones((1, 5), ctx=GPU))
    assert net.programs[0].backend == "cupy"
    net.hybridize(backend="numpy")
    close(net(nd.ones((1, 5), ctx=GPU)).asnumpy(), dense_by_hand(net))
    assert net.programs[0].backend == "numpy" and not net.programs[0].other_source


def dense_by_hand(net: Any) -> Any:
    return numpy.maximum(net.weight.data().asnumpy().sum(axis=1) + net.bias.data().asnumpy(), 0)[None]


def test_the_backend_for_a_gpu_refuses_arrays_of_the_cpu() -> None:
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.hybridize(backend="cupy")
    with pytest.raises(MXNetError, match="the arrays are on the CPU") as caught:
        net(nd.ones((1, 3)))
    assert "as_in_context" in caught.value.__notes__[0]
    assert get_backend("cupy").name == "cupy"


# --- recorded launches ----------------------------------------------------------------------------


def state_of(net: Any) -> str:
    return net.programs[-1].forward.launches


def test_launches_are_recorded_and_new_data_is_seen() -> None:
    net = dense()
    for k in range(6):
        x = nd.random.normal(shape=(2, 5), ctx=GPU) * k
        expected = x.asnumpy() @ net.weight.data().asnumpy().T + net.bias.data().asnumpy()
        close(net(x).asnumpy(), numpy.maximum(expected, 0))
    assert state_of(net) == "one CUDA graph"
    assert "forward: one CUDA graph" in str(net.explain(x))


@pytest.mark.parametrize(
    "change",
    [
        lambda net: net.weight.set_data(nd.ones((3, 5), ctx=GPU)),
        lambda net: net.weight.data().__setitem__(slice(None), 0.5),
        lambda net: net.initialize(mx.init.Constant(0.25), ctx=GPU, force_reinit=True),
    ],
    ids=["set_data", "in place", "initialize"],
)
def test_a_parameter_that_changes_is_seen_by_the_next_call(change: Any) -> None:
    net, x = dense(), nd.ones((2, 5), ctx=GPU)
    for _ in range(3):
        net(x)
    change(net)
    for _ in range(4):
        expected = x.asnumpy() @ net.weight.data().asnumpy().T + net.bias.data().asnumpy()
        close(net(x).asnumpy(), numpy.maximum(expected, 0))


def test_nothing_that_a_caller_holds_is_overwritten() -> None:
    net = dense()
    net(nd.ones((2, 5), ctx=GPU))
    held = [net(nd.full((2, 5), k, ctx=GPU)) for k in range(5)]
    fresh = [net(nd.full((2, 5), k, ctx=GPU)).asnumpy() for k in range(5)]
    for got, expected in zip(held, fresh, strict=True):
        close(got.asnumpy(), expected)


def test_two_recorded_calls_wait_for_their_backward_passes() -> None:
    net = dense()
    a, b = nd.random.normal(shape=(2, 5), ctx=GPU), nd.random.normal(shape=(2, 5), ctx=GPU)
    for _ in range(4):
        for x in (a, b):
            x.attach_grad()
        with autograd.record():
            first, second = net(a), net(b)
        second.backward()
        first.backward()
        weight = net.weight.data().asnumpy()
        for x, y in ((a, first), (b, second)):
            close(x.grad.asnumpy(), (y.asnumpy() > 0).astype("float32") @ weight)


def test_a_training_loop_is_that_of_the_cpu() -> None:
    def train(ctx: Any, flags: dict[str, bool] | None) -> list[Any]:
        mx.random.seed(3)
        rng = numpy.random.default_rng(0)
        net = nn.HybridSequential()
        net.add(nn.Conv2D(3, 3, activation="relu", in_channels=1), nn.MaxPool2D(2), nn.Dense(4, in_units=27))
        for p in net.collect_params().values():
            p.initialize(ctx=ctx)
            p.set_data(nd.array(rng.normal(0, 0.3, p.shape), ctx=ctx))
        loss = gluon.loss.SoftmaxCrossEntropyLoss()
        if flags is not None:
            net.hybridize(**flags)
            loss.hybridize(**flags)
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
        losses = []
        for _ in range(6):
            x, y = (nd.array(a, ctx=ctx) for a in (rng.normal(size=(4, 1, 8, 8)), rng.integers(0, 4, 4)))
            with autograd.record():
                value = loss(net(x), y)
            value.backward()
            trainer.step(4)
            losses.append(value.asnumpy())
        return losses

    expected = train(mx.cpu(), None)
    for flags in ({}, STATIC):
        for got, want in zip(train(GPU, flags), expected, strict=True):
            numpy.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4)


def test_dropout_draws_anew_in_every_recorded_call() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dropout(0.5))
    net.hybridize(**STATIC)
    x = nd.ones((50, 50), ctx=GPU)
    with autograd.train_mode():
        masks = [net(x).asnumpy() for _ in range(6)]
    for mask in masks:
        assert set(numpy.unique(mask)) == {0, 2} and 0.4 < (mask > 0).mean() < 0.6
    assert all((a != b).any() for i, a in enumerate(masks) for b in masks[:i])


def test_what_cannot_be_recorded_runs_as_it_is_written_and_the_report_says_why() -> None:
    class Solve(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.relu(F.linalg.potrf(F.dot(x, x, transpose_b=True) + F.eye(3)))

    net, x = Solve(), nd.random.normal(shape=(3, 3), ctx=GPU)
    expected = net(x).asnumpy()
    net.hybridize(**STATIC)
    for _ in range(4):
        close(net(x).asnumpy(), expected)
    assert state_of(net).startswith("no CUDA graph: ")
    close(dense()(nd.ones((1, 5), ctx=GPU)).asnumpy() * 0, numpy.zeros((1, 3)))  # and the device goes on


def test_large_data_is_not_copied_for_the_sake_of_one_launch() -> None:
    net = nn.HybridLambda(lambda F, x: F.relu(x) * 2)
    net.hybridize(**STATIC)
    x = nd.ones((1 << 20,), ctx=GPU)
    for _ in range(3):
        net(x)
    assert "copying" in state_of(net)


def test_threads_share_a_recorded_net() -> None:
    net = dense()
    xs = [nd.full((2, 5), k, ctx=GPU) for k in range(4)]
    expected = [net(x).asnumpy() for x in xs]
    wrong: list[Any] = []

    def work(k: int) -> None:
        for _ in range(10):
            if not numpy.allclose(net(xs[k]).asnumpy(), expected[k], rtol=1e-4, atol=1e-5):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_memory_of_a_recording_lives_as_long_as_it() -> None:
    class Rows(gluon.HybridBlock):  # softmax allocates inside of CuPy, where no arena is
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.softmax(F.relu(x) * 2) + 1

    net, x = Rows(), nd.random.normal(shape=(4, 5), ctx=GPU)
    expected = net(x).asnumpy()
    net.hybridize(**STATIC)
    for _ in range(3):
        net(x)
    gc.collect()
    others = [nd.full((4, 5), 7, ctx=GPU) for _ in range(50)]  # takes whatever was given back
    close(net(x).asnumpy(), expected)
    assert all((o.asnumpy() == 7).all() for o in others)


class Forked(nn.HybridBlock):
    """A branch that draws nothing, and a layer with a state, as two outputs."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.norm = nn.BatchNorm(in_channels=3)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.contrib.cond(F.sum(x) < 1e9, lambda: x * x, lambda: x * 2), self.norm(x)


@each_flags
def test_a_branch_that_draws_nothing_can_be_run_again(flags: dict[str, Any]) -> None:
    """For gradients from one of two outputs, and for second derivatives."""
    net = Forked()
    net.initialize(ctx=GPU)
    net.hybridize(**flags)
    x = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], ctx=GPU)
    x.attach_grad()
    for _ in range(3):
        with autograd.record():
            y = net(x)
        y[0].backward()
        close(x.grad._data, 2 * x.asnumpy())
    assert not net.norm.running_mean.data(GPU).asnumpy().any()
    with autograd.record():
        (gradient,) = autograd.grad(net(x)[0], [x], create_graph=True)
    gradient.backward()
    close(x.grad._data, numpy.full((2, 3), 2.0))


@pytest.mark.parametrize("layer", [nn.GELU, nn.PReLU, nn.ELU])
def test_second_derivatives_go_through_operators_that_could_draw_and_do_not(layer: Any) -> None:
    def second(ctx: Any) -> Any:
        net = layer()
        net.initialize(mx.init.Constant(0.3), ctx=ctx)
        net.hybridize()
        x = nd.array([[[0.5, -1.0, 2.0], [1.5, -0.5, 0.2]]], ctx=ctx)
        x.attach_grad()
        with autograd.record():
            (gradient,) = autograd.grad(net(x * 1), [x], create_graph=True)
        gradient.backward()
        return x.grad.asnumpy()

    close(second(GPU), second(mx.cpu()))
