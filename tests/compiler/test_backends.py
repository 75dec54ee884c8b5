"""Backends: other makers of programs, the same values."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import threads
from d2lhybrid.internals.compiler.backends import BACKENDS, c_compiler, c_program, get_backend
from d2lhybrid.internals.compiler.backends.c_expressions import template_of
from d2lhybrid.internals.core.interpret import interpret
from d2lhybrid.internals.core.node import Node
from d2lhybrid.internals.core.operator import all_operators, get_operator
from d2lhybrid.internals.core.pipeline import compile_graph
from d2lhybrid.onnx import runtime_backend as onnx_runtime
from d2lhybrid.util import np_shape

from .networks import NETWORKS, make
from .test_arena import results_of
from .test_pipeline import flat, random_graphs

needs_c = pytest.mark.skipif(c_compiler.find_compiler() is None, reason="there is no C compiler")


@pytest.fixture(autouse=True)
def own_cache(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep what is compiled beside the tests, not in the user's home."""
    cache = getattr(request.config, "cache", None)  # none with `-p no:cacheprovider`, as in `make test-gpu`
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("c") if cache is None else cache.mkdir("c")))


@pytest.fixture
def small_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let regions of any size become C."""
    monkeypatch.setattr(c_program, "MIN_SIZE", 1)


def test_an_unknown_backend_is_refused_and_the_net_stays_as_it_was() -> None:
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 3)))
    with pytest.raises(MXNetError, match="Error optimizing for backend 'tensorrt'") as caught:
        net.hybridize(backend="tensorrt")
    assert "numpy" in caught.value.__notes__[0]
    with pytest.raises(MXNetError, match="tensorrt"):
        net.optimize_for(nd.ones((1, 3)), backend="tensorrt")
    assert net._active and len(net.programs) == 1


def test_every_backend_has_its_name() -> None:
    assert get_backend(None) is get_backend("numpy")
    for name in BACKENDS:
        try:
            assert get_backend(name).name == name
        except MXNetError as missing:
            assert missing.__notes__  # what to install


@needs_c
@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}], ids=["plain", "static"])
@pytest.mark.parametrize("name", NETWORKS)
def test_c_gives_the_values_and_gradients_of_the_imperative_run(
    name: str, flags: dict[str, bool], small_regions: None
) -> None:
    (eager, inputs), (compiled, _) = make(name), make(name)
    compiled.hybridize(backend="c", **flags)
    heads = [nd.random.normal(shape=y.shape) for y in flat(eager(*inputs))]
    for _ in range(2):
        for got, expected in zip(results_of(compiled, inputs, heads), results_of(eager, inputs, heads), strict=True):
            numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)
    for a, b in zip(flat(compiled(*inputs)), flat(eager(*inputs)), strict=True):
        numpy.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-4, atol=1e-5)
    assert any("region0" in program.source for program in compiled.programs)


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.3, -0.7, 3.0, -3.0, 20.0, -20.0, 88.0, 100.0, -100.0, 1e-30, -1e-8, 1e30]
SPECIAL += [numpy.inf, -numpy.inf, numpy.nan]


def expression_cases() -> list[Any]:
    settings_of = {"clip": {"a_min": -0.7, "a_max": 3.0}, "Activation": {"act_type": "relu"}}
    cases = [(op, settings_of.get(op.name.removeprefix("_backward_"), {})) for op in all_operators() if op.elementwise]
    cases += [(get_operator("Activation"), {"act_type": kind}) for kind in ("sigmoid", "tanh")]
    return [(op.name, params) for op, params in cases if template_of(Node(op, "tested", params=params)) is not None]


def test_functions_of_both_dialects_have_expressions() -> None:
    names = {name for name, _ in expression_cases()}
    assert {"exp", "_npi_exp", "relu", "_npx_relu", "_backward_relu", "clip", "_backward_clip", "reciprocal"} <= names
    assert {"_rminus_scalar", "_npi_rsubtract_scalar", "elemwise_add", "_npi_add", "rsqrt", "_grad_add"} <= names
    assert len(names) > 55


@needs_c
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("name", "params"), expression_cases(), ids=lambda v: v if isinstance(v, str) else "")
def test_every_expression_is_its_kernel_on_ordinary_and_special_numbers(
    name: str, params: dict[str, Any], dtype: str, small_regions: None
) -> None:
    op = get_operator(name)
    rng = numpy.random.default_rng(0)
    left, right = (a.reshape(-1) for a in numpy.meshgrid(SPECIAL, SPECIAL))
    x = numpy.concatenate([left, rng.normal(0, 3, 500)]).astype(dtype)
    y = numpy.concatenate([right, rng.normal(0, 3, 500)]).astype(dtype)
    for scalar in (2.5, -0.1, 1e30) if name.endswith("_scalar") else (None,):
        given_params = params if scalar is None else {"scalar": scalar}
        attributes = {**op.complete(given_params)}
        variables = [sym.var(n) for n in ("x", "y")[: len(op.inputs)]]
        twice = sym.Group([sym.negative(type(variables[0])([(node_of(op, variables, given_params), 0)]))])
        names = ["x", "y"][: len(op.inputs)]
        program = compile_graph(twice, names, dict.fromkeys(names, x.shape), dict.fromkeys(names, dtype), False, None,
                                numpy, backend="c")  # fmt: skip
        assert "region0" in program.source
        arrays = [x, y][: len(op.inputs)]
        with numpy.errstate(all="ignore"):
            [got] = program.forward.function(*arrays)
            expected = -op.kernel(numpy, *arrays, **attributes)
        tolerance = {"rtol": 2e-6, "atol": 1e-37} if dtype == "float32" else {"rtol": 1e-14, "atol": 1e-300}
        numpy.testing.assert_allclose(got, expected, **tolerance)


def node_of(op: Any, variables: list[Any], params: dict[str, Any]) -> Any:
    return Node(op, "tested", tuple(v._entries[0] for v in variables), params=params)


@needs_c
@settings(max_examples=25, deadline=None)
@given(random_graphs(), st.integers(0, 1000))
def test_c_programs_of_random_graphs_equal_the_interpreter(graph: Any, seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    names = ["x", "y"]
    arrays = {n: rng.uniform(-1, 1, (2, 3)).astype("float32") for n in names}
    least, c_program.MIN_SIZE = c_program.MIN_SIZE, 1
    try:
        program = compile_graph(graph, names, dict.fromkeys(names, (2, 3)), dict.fromkeys(names, "float32"), True,
                                [True, True], numpy, backend="c")  # fmt: skip
    finally:
        c_program.MIN_SIZE = least
    values = {v: arrays[v.name] for v in program.graph.inputs}
    results = program.forward.function(*[arrays[n] for n in names])
    expected = interpret(program.stages[0].graph.outputs, values, True)
    for got, want in zip(results, expected, strict=False):
        numpy.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


@needs_c
@pytest.mark.parametrize("kind", ["max", "avg", "sum"])
@pytest.mark.parametrize(("kernel", "stride"), [((2, 2), (2, 2)), ((3, 3), (2, 2)), ((3, 2), (1, 2))])
def test_pooling_in_c(kind: str, kernel: Any, stride: Any, small_regions: None) -> None:
    rng = numpy.random.default_rng(0)
    data = rng.integers(-2, 3, (3, 8, 8, 5)).astype("float32")  # many ties
    x = sym.var("x")
    op = get_operator("_pooling_batch_last")
    params = {"kernel": kernel, "stride": stride, "pool_type": kind}
    y = sym.relu(type(x)([(node_of(op, [x], params), 0)]))
    program = compile_graph(y, ["x"], {"x": data.shape}, {"x": "float32"}, True, [True], numpy, backend="c")
    assert "region0" in program.source
    results = program.forward.function(data)
    pooled = op.kernel(numpy, data, **op.complete(params))
    numpy.testing.assert_allclose(results[0], numpy.maximum(pooled, 0), rtol=1e-6)
    head = rng.normal(size=pooled.shape).astype("float32")
    [got] = program.backward.function(data, *results[program.num_outputs :], head)
    back = get_operator("_backward_pooling_batch_last")
    expected = back.kernel(numpy, head * (pooled > 0), data, pooled, **back.complete(params))
    numpy.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


@needs_c
def test_large_regions_are_divided_among_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    from d2lhybrid.internals.compiler.backends import c_region

    monkeypatch.setattr(c_region, "PARALLEL_WORK", 1)
    monkeypatch.setattr(threads, "available", lambda: 3)
    net = nn.HybridLambda(lambda F, x: F.tanh(x * 2) + F.relu(x))
    x = nd.random.normal(shape=(101, 61))
    expected = net(x).asnumpy()
    net.hybridize(backend="c")
    for _ in range(3):
        numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=1e-6)


@needs_c
def test_the_report_counts_what_a_region_of_c_does() -> None:
    net = nn.HybridLambda(lambda F, x: F.tanh(x) * 3 + 1)
    net.hybridize(backend="c")
    (program,) = net.explain(nd.ones((100, 100))).programs
    assert program.operators == 1 and program.flops == 3 * 100 * 100


@needs_c
def test_a_library_is_compiled_once_and_taken_from_the_cache_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_regions: None
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    runs: list[str] = []
    inner = c_compiler._compile
    monkeypatch.setattr(c_compiler, "_compile", lambda *a: runs.append("compiled") or inner(*a))
    for _ in range(2):
        monkeypatch.setattr(c_compiler, "_loaded", {})  # as in another process
        net = nn.HybridLambda(lambda F, x: F.tanh(x) * 3)
        net.hybridize(backend="c")
        net(nd.ones((7, 11)))
    assert runs == ["compiled"] and len(list(tmp_path.rglob("*.library"))) == 1


def test_without_a_compiler_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_program, "find_compiler", lambda: None)
    with pytest.raises(MXNetError, match="there is no C compiler") as caught:
        c_program.CBackend().check_available()
    assert "gcc" in caught.value.__notes__[0]


@needs_c
def test_nothing_of_a_hostile_graph_reaches_the_compiler(small_regions: None) -> None:
    evil = 'x; system("reboot"); //'
    x = sym.var(evil)
    y = sym.tanh(sym.relu(x, name="*/ #include </etc/passwd>") * float("nan"), name="__attribute__((constructor))")
    program = compile_graph(y, [evil], {evil: (3, 4)}, {evil: "float32"}, False, None, numpy, backend="c")
    assert "reboot" not in program.other_source and "passwd" not in program.other_source
    assert "constructor" not in program.other_source and "NAN" in program.other_source
    assert numpy.isnan(program.forward.function(numpy.ones((3, 4), "float32"))[0]).all()


def test_training_and_recording_work_with_every_backend_that_is_here() -> None:
    for name in set(BACKENDS) - {"cupy"}:  # that one is for arrays on a GPU: tests/gpu
        try:
            get_backend(name)
        except MXNetError:
            continue
        net, inputs = make("mlp")
        eager, _ = make("mlp")
        net.hybridize(backend=name)
        grads = []
        where = mx.gpu() if name == "cupy" else mx.cpu()
        inputs = [x.as_in_context(where) for x in inputs]
        for one in (net, eager):
            one.collect_params().reset_ctx(where)
            with autograd.record():
                loss = (one(*inputs) ** 2).sum()
            loss.backward()
            grads.append([p.grad().asnumpy() for p in one.collect_params().values()])
        for got, expected in zip(*grads, strict=True):
            numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-6)


# --- ONNX Runtime -------------------------------------------------------------------------------

needs_onnx = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("onnx", "onnxruntime")),
    reason="onnx or onnxruntime is not installed",
)


@needs_onnx
@pytest.mark.parametrize("name", [*NETWORKS, "recurrent"])
def test_onnx_runtime_gives_the_values_of_the_imperative_run(name: str) -> None:
    net, inputs = make(name)
    expected = [y.asnumpy() for y in flat(net(*inputs))]
    net.hybridize(backend="onnxruntime")
    for _ in range(3):
        got = flat(net(*inputs))
        for a, b in zip(got, expected, strict=True):
            numpy.testing.assert_allclose(a.asnumpy(), b, rtol=1e-4, atol=1e-5)
    [program] = net.programs
    assert "session.run" in program.source and program.backend == "onnxruntime"
    assert "make ONNX model" in str(net.explain(*inputs))


@needs_onnx
def test_onnx_runtime_sees_changed_parameters_and_new_shapes() -> None:
    net, inputs = make("lenet")
    net.hybridize(backend="onnxruntime")
    before = net(*inputs).asnumpy()
    for change in (lambda p: p.set_data(p.data() * 2), lambda p: p.data().__setitem__(0, 3)):
        change(next(iter(net.collect_params(".*weight").values())))
        for x in (*inputs, nd.random.normal(shape=(5, 1, 12, 12))):
            got = net(x).asnumpy()
            net.hybridize(False)
            numpy.testing.assert_allclose(got, net(x).asnumpy(), rtol=1e-4, atol=1e-5)
            net.hybridize(backend="onnxruntime")
    assert numpy.abs(net(*inputs).asnumpy() - before).max() > 1e-3


@needs_onnx
def test_onnx_runtime_sets_a_fixed_gamma_as_the_imperative_run_does() -> None:
    gammas = []
    for backend in (None, "onnxruntime"):
        net = nn.HybridSequential()
        net.add(nn.Dense(3, in_units=2), nn.BatchNorm(scale=False, in_channels=3))
        net.initialize()
        net[1].gamma.set_data(nd.array([2, 3, 4]))
        if backend:
            net.hybridize(backend=backend)
        net(nd.ones((2, 2)))
        gammas.append(net[1].gamma.data().asnumpy())
    numpy.testing.assert_array_equal(gammas[0], gammas[1])


@needs_onnx
def test_an_operator_that_onnx_does_not_have_is_named_and_the_net_works_again_without_the_backend() -> None:
    net = nn.HybridLambda(lambda F, x: F.linalg.potrf(x) + 1)
    x = nd.array([[4, 0], [0, 9]])
    net.hybridize(backend="onnxruntime")
    with pytest.raises(MXNetError, match="linalg_potrf"):
        net(x)
    net.hybridize()
    numpy.testing.assert_allclose(net(x).asnumpy(), [[3, 1], [1, 4]])


@needs_onnx
@pytest.mark.parametrize(
    "compute",
    [
        lambda F, x: F.moments(x, axes=(-1,)),
        lambda F, x: F.slice_like(F.reshape(x, shape=(2, 2)), F.slice_axis(x, axis=0, begin=0, end=1), axes=(-2,)),
        lambda F, x: [F.shape_array(x), F.size_array(x)],
        lambda F, x: F.contrib.div_sqrt_dim(F.Cast(x, dtype="int32")),
        lambda F, x: F.image.normalize(F.Cast(F.reshape(x, shape=(1, 2, 2)), dtype="int32"), mean=1, std=2),
    ],
)
def test_onnx_runtime_gives_results_of_the_same_shape_and_type(compute: Any) -> None:
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return compute(F, x)

    net, x = Net(), nd.array([1, -2, 3, 7])
    expected = flat(net(x))
    net.hybridize(backend="onnxruntime")
    for found, y in zip(flat(net(x)), expected, strict=True):
        assert found.shape == y.shape and found.dtype is y.dtype
        numpy.testing.assert_allclose(found.asnumpy(), y.asnumpy(), rtol=1e-6)
    assert "session.run" in net.programs[-1].source


@needs_onnx
def test_arrays_of_nothing_are_numpys() -> None:
    net = nn.HybridLambda(lambda F, x: F.LayerNorm(x, F.sum(x, axis=0), F.sum(x, axis=0)))
    net.hybridize(backend="onnxruntime")
    with np_shape():
        assert net(nd.zeros((0, 3))).shape == (0, 3)
    assert "session.run" not in net.programs[-1].source


def test_without_onnx_runtime_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MXNetError, match="missing packages: onnx, onnxruntime") as caught:
        onnx_runtime.OnnxRuntimeBackend().check_available()
    assert "pip install" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    "backend", ["numpy", pytest.param("c", marks=needs_c), pytest.param("onnxruntime", marks=needs_onnx)]
)
@pytest.mark.parametrize(
    "compute",
    {
        "exp": lambda F, x: F.np.exp(x),
        "mul": lambda F, x: x * 2,
        "sum": lambda F, x: F.np.sum(x),
        "transpose": lambda F, x: F.np.transpose(x),
        "expand_dims": lambda F, x: F.np.expand_dims(x, 0),
        "stack": lambda F, x: F.np.stack([x, x]),
        "tile": lambda F, x: F.np.tile(x, 2),
        "where": lambda F, x: F.np.where(x > 1, x, x * 2),
        "astype": lambda F, x: x.astype("int32"),
    }.items(),
    ids=lambda pair: pair[0],
)
def test_arrays_without_axes_stay_so(backend: str, compute: Any) -> None:
    mx.npx.set_np()
    try:
        net, x = nn.HybridLambda(compute[1]), mx.np.array(2.5)
        expected = net(x)
        net.hybridize(backend=backend)
        got = net(x)
    finally:
        mx.npx.reset_np()
    assert got.shape == expected.shape and got.dtype == expected.dtype
    numpy.testing.assert_allclose(got.asnumpy(), expected.asnumpy(), rtol=1e-6)


@needs_onnx
@pytest.mark.parametrize("shape", [(3,), (2, 3)])
@pytest.mark.parametrize("name", ["argmax", "argmin", "sum", "norm"])
def test_what_onnx_runtime_reduces_to_nothing_has_the_axis_of_legacy_arrays(name: str, shape: tuple[int, ...]) -> None:
    net = nn.HybridLambda(lambda F, x: getattr(F, name)(x, axis=0))
    x = nd.array(numpy.arange(numpy.prod(shape)).reshape(shape))
    expected = net(x)
    net.hybridize(backend="onnxruntime")
    assert net(x).shape == expected.shape
    numpy.testing.assert_array_equal(net(x).asnumpy(), expected.asnumpy())


@needs_onnx
def test_an_operator_that_onnx_runtime_lacks_is_named() -> None:
    net = nn.HybridLambda("erf")
    net.hybridize(backend="onnxruntime")
    net(mx.nd.ones((2, 3)))
    with pytest.raises(MXNetError, match=r"ONNX Runtime cannot run this net.*Erf") as caught:
        net(mx.nd.ones((2, 3), dtype="float64"))
    assert "float32" in caught.value.__notes__[0]


@needs_onnx
@pytest.mark.parametrize("name", ["SequenceReverse", "SequenceMask"])
def test_onnx_runtime_ends_sequences_where_the_data_ends(name: str) -> None:
    net = nn.HybridLambda(lambda F, x, lengths: getattr(F, name)(x, lengths, use_sequence_length=True))
    x = nd.arange(4 * 5 * 2).reshape((4, 5, 2))
    for lengths in (nd.array([7, -1, 2, 0, 4]), nd.array([5, 4, -3, 1, 100], dtype="int32")):
        expected = net(x, lengths).asnumpy()
        net.hybridize(backend="onnxruntime")
        numpy.testing.assert_array_equal(net(x, lengths).asnumpy(), expected)
        net.hybridize(False)


@needs_onnx
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_onnx_runtime_divides_integers_by_zero_as_numpy_does(dtype: str) -> None:
    a, b = nd.array([7, 0, -3, -7], dtype=dtype), nd.array([0, 0, 0, 2], dtype=dtype)
    net = nn.HybridLambda(lambda F, a, b: (F.broadcast_div(a, b), 7 / b, a / 2))
    expected = [y.asnumpy() for y in net(a, b)]
    net.hybridize(backend="onnxruntime")
    for got, right in zip(net(a, b), expected, strict=True):
        numpy.testing.assert_array_equal(got.asnumpy(), right)
    assert expected[0].tolist() == [0, 0, 0, -3]


# --- regions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", pytest.param("c", marks=needs_c)])
@pytest.mark.parametrize("count", [1, 3])
def test_regions_that_would_wait_for_each_other_are_not_made(backend: str, count: int) -> None:
    def compute(F: Any, x: Any, y: Any, row: Any) -> list[Any]:
        """The first result's region comes to need the second one's, before that one has come to need a member of it."""
        results = []
        for _ in range(count):
            quotient = x / y
            scaled = F.broadcast_mul(quotient, row)  # no member of a region
            largest = F.broadcast_maximum(x, x)
            results += [scaled / (largest * largest + 1), quotient + quotient * largest]
            x, y = results[-1], x + 1
        return results

    net = nn.HybridLambda(compute)
    arrays = [nd.random.uniform(1, 2, shape=shape) for shape in [(400, 400), (400, 400), (1, 400)]]
    expected = [y.asnumpy() for y in net(*arrays)]
    net.hybridize(backend=backend)
    for got, right in zip(net(*arrays), expected, strict=True):
        numpy.testing.assert_allclose(got.asnumpy(), right, rtol=1e-4)
    assert "fused" in net.programs[0].source or "region" in net.programs[0].source
