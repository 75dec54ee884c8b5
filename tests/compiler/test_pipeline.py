"""Every stage of a compilation computes what the traced graph computes."""

from __future__ import annotations

import ast
import itertools
import linecache
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import d2lhybrid as mx
from d2lhybrid import autograd, nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends import get_backend
from d2lhybrid.internals.core import pipeline
from d2lhybrid.internals.core.interpret import interpret
from d2lhybrid.internals.core.observing import observe
from d2lhybrid.internals.core.passes.differentiate import differentiate
from d2lhybrid.internals.core.pipeline import compile_graph
from d2lhybrid.internals.core.well_formed import check_graph

from .networks import FOR_PASSES, NETWORKS, make

ALL_NETWORKS = [*NETWORKS, *FOR_PASSES]


def flat(value: Any) -> list[Any]:
    return [v for part in value for v in flat(part)] if isinstance(value, list | tuple) else [value]


def compiled(name: str, training: bool, backend: str | None = None) -> tuple[Any, list[Any], Any]:
    """Return a hybridized network, its inputs, and the program of one call."""
    net, inputs = make(name)
    net(*inputs)
    net.hybridize(backend=backend)
    for x in inputs:
        x.attach_grad()
    with observe() as programs:
        if training:
            with autograd.record():
                net(*inputs)
        else:
            net(*inputs)
    return net, inputs, programs[-1]


def values_of(net: Any, inputs: list[Any], program: Any) -> dict[int, numpy.ndarray]:
    arrays = [inputs[i] for i in net._cached_op.form.data] + [p.data() for p in net._cached_op.form.parameters]
    values = {n: a._data for n, a in zip(program.graph.inputs, arrays, strict=True)}
    rng = numpy.random.default_rng(3)
    for head in program.graph.head_gradients:
        values[head] = rng.normal(size=program.graph.types[head, 0].shape).astype("float32")
    return values


def content_of(graph: Any) -> tuple[Any, ...]:
    """Return what a graph computes, to compare: nodes are equal if they are the same."""
    return graph.nodes, graph.outputs, graph.gradients, graph.updates


@pytest.mark.parametrize("backend", ["numpy", "c", "onednn"])
def test_every_pass_changes_something_in_one_of_the_networks(backend: str) -> None:
    """Of a pass that never has anything to do, the tests of this file say nothing."""
    try:
        maker = get_backend(backend)
    except MXNetError as error:
        pytest.skip(f"{error}")
    passes = [*pipeline.INFERENCE_PASSES, *pipeline.FORWARD_PASSES, *pipeline.PASSES]
    idle = dict(maker.passes(passes, pipeline.Settings(numpy, True, True, maker))).keys()
    for name, training in itertools.product(ALL_NETWORKS, (False, True)):
        stages = compiled(name, training, backend)[2].stages
        changed = {b.name for a, b in itertools.pairwise(stages) if content_of(a.graph) != content_of(b.graph)}
        idle -= changed
    assert not idle, f"tests/compiler/networks.py needs a network in which there is something to do for {idle}"


@pytest.mark.parametrize("training", [False, True], ids=["predict", "train"])
@pytest.mark.parametrize("name", ALL_NETWORKS)
def test_every_pass_keeps_the_results_of_the_reference_interpreter(name: str, training: bool) -> None:
    net, inputs, program = compiled(name, training)
    values = values_of(net, inputs, program)
    traced = program.stages[0].graph
    wanted = [g is not None for g in program.graph.gradients]
    heads = {h.name: values[h] for h in program.graph.head_gradients}

    def results_of(graph: Any) -> list[Any]:
        """Outputs and gradients, by the interpreter; a graph without gradients gets them first."""
        if training and not graph.head_gradients:
            graph = differentiate(graph, wanted)
        given = {**values, **{h: heads[h.name] for h in graph.head_gradients}}
        return interpret([*graph.outputs, *(g for g in graph.gradients if g is not None)], given, training)

    reference = results_of(traced)
    scale = max(1.0, *(float(numpy.abs(r).max()) for r in reference))
    before = traced
    for stage in program.stages:
        graph = stage.graph
        check_graph(graph)
        picture = f"\n--- before {stage.name} ---\n{before}\n--- after ---\n{graph}"
        for got, expected in zip(results_of(graph), reference, strict=True):
            # Sums that cancel (a bias before a normalisation) leave the rounding of what they sum.
            numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=2e-6 * scale, err_msg=picture)
        before = graph


@pytest.mark.parametrize("name", ALL_NETWORKS)
def test_the_program_equals_the_imperative_run(name: str) -> None:
    eager, inputs = make(name)
    hybrid, _ = make(name)
    hybrid.hybridize()
    rng = numpy.random.default_rng(5)
    heads: list[Any] = []
    gradients = []
    for net in (eager, hybrid):
        for x in inputs:
            x.attach_grad()
        with autograd.record():
            outputs = flat(net(*inputs))
        heads = heads or [nd.array(rng.normal(size=y.shape)) for y in outputs]
        autograd.backward(outputs, heads)
        grads = [p.grad().asnumpy().copy() for p in net.collect_params().values() if p.grad_req != "null"]
        states = [p.data().asnumpy() for p in net.collect_params().values() if p.grad_req == "null"]
        gradients.append(([y.asnumpy() for y in outputs], [x.grad.asnumpy().copy() for x in inputs], grads, states))
    for got, expected in zip(gradients[1], gradients[0], strict=True):
        for g, e in zip(got, expected, strict=True):
            numpy.testing.assert_allclose(g, e, rtol=1e-4, atol=1e-6)
    with autograd.predict_mode():
        for g, e in zip(flat(hybrid(*inputs)), flat(eager(*inputs)), strict=True):
            numpy.testing.assert_allclose(g.asnumpy(), e.asnumpy(), rtol=1e-5, atol=1e-6)


def test_the_lessons_sum_is_folded_to_one_constant() -> None:
    one = sym.ones((1,))
    total = (one + one * 2) + (one * 3 + one * 4)
    program = compile_graph(total, [], {}, {}, False, None, numpy)
    assert program.graph.num_operators == 0, "a constant computes nothing"
    [[node]] = [[n for n in program.graph.nodes if n.op is not None]]
    assert node.op.name == "_constant" and node.params["value"] == [10]


def test_equal_subexpressions_are_computed_once() -> None:
    x = sym.var("x")
    y = sym.exp(x + 1) * sym.exp(x + 1)
    program = compile_graph(y, ["x"], {"x": (2,)}, {"x": "float32"}, False, None, numpy)
    assert sum(n.op is not None and n.op.name == "exp" for n in program.graph.nodes) == 1


def test_random_operators_are_never_merged_or_folded() -> None:
    y = sym.random.normal(shape=(3,)) - sym.random.normal(shape=(3,))
    program = compile_graph(y, [], {}, {}, False, None, numpy)
    a, b = (program.forward.function(numpy.random.default_rng(s))[0] for s in (1, 2))
    assert numpy.any(a != 0) and numpy.any(a != b)


@pytest.mark.parametrize("name", ALL_NETWORKS)
def test_what_a_pass_makes_has_the_line_and_the_order_of_what_it_stands_for(name: str) -> None:
    _, _, program = compiled(name, training=False)
    lines = {node.order: node.source for node in program.stages[0].graph.nodes if node.op is not None}
    from_data = set(program.graph.inputs[: program.graph.num_data])
    for node in program.graph.nodes:
        if node.op is None or not from_data.intersection(n for n, _ in node.inputs):
            continue  # what follows from parameters alone is arithmetic of the compiler's
        from_data.add(node)
        assert node.op.view or node.order in lines, node
        assert node.source == lines.get(node.order), node


@pytest.mark.parametrize("training", [False, True], ids=["prediction", "training"])
@pytest.mark.parametrize("name", ALL_NETWORKS)
def test_a_pass_that_does_not_find_what_it_looks_for_would_have_changed_nothing(
    name: str, training: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_out = []

    def run_all_the_same(run: Any, graph: Any) -> Any:
        if graph.traits.isdisjoint(getattr(run, "looks_for", graph.traits)):
            left_out.append(run.__name__)
            assert run(graph) is graph, run.__name__
        return usual(run, graph)

    usual = pipeline._apply
    monkeypatch.setattr(pipeline, "_apply", run_all_the_same)
    compiled(name, training)
    assert left_out


def test_stages_share_the_nodes_that_a_pass_did_not_touch() -> None:
    _, _, program = compiled("mlp", training=False)
    first, last = program.stages[0].graph, program.stages[-1].graph
    assert set(last.nodes) <= set(first.nodes)


def test_a_program_shows_its_source_in_tracebacks_and_to_inspect() -> None:
    import inspect
    import traceback

    _, _, program = compiled("mlp", training=False)
    assert "dense" in inspect.getsource(program.forward.function)
    with pytest.raises(Exception) as caught:
        program.forward.function(*[numpy.ones((2, 3, 4))] * len(program.graph.inputs))
    assert "_fwd" in "".join(traceback.format_exception(caught.value))


def test_the_text_of_a_program_that_is_gone_is_forgotten_but_not_while_somebody_reads() -> None:
    _, _, program = compiled("mlp", training=False)
    filename = program.forward.filename
    assert filename in linecache.cache
    program.forward.__del__()  # as the garbage collector would, in the middle of a traceback
    assert filename in linecache.cache
    compiled("mlp", training=False)
    assert filename not in linecache.cache


def test_names_and_attributes_of_a_hostile_graph_never_become_code() -> None:
    evil = "x\nimport os; os.abort()  #"
    x = sym.var(evil)
    y = sym.relu(x, name='")\nraise SystemExit\n#')
    z = sym.FullyConnected(y, num_hidden=2, name="__import__('os').abort()")
    names = z.list_inputs()
    shapes = dict(zip(names, [(1, 3), (2, 3), (2,)], strict=True))
    program = compile_graph(z, names, shapes, dict.fromkeys(names, "float32"), False, None, numpy)
    tree = ast.parse(program.forward.text)
    assert len(tree.body) == 1
    kinds = {type(n) for n in ast.walk(tree)}
    assert not kinds & {ast.Import, ast.ImportFrom, ast.Raise, ast.Lambda, ast.Try}
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    assert called <= {"maximum", "dot", "add"}
    program.forward.function(*[numpy.ones(shapes[n], "float32") for n in names])


def test_a_graph_of_thousands_of_layers_compiles_without_recursion() -> None:
    x = sym.var("x")
    y = x
    for _ in range(5000):
        y = sym.tanh(y)
    program = compile_graph(y, ["x"], {"x": (2,)}, {"x": "float32"}, True, [True], numpy)
    value = program.forward.function(numpy.ones(2, "float32"))[0]
    assert numpy.isfinite(value).all()


# --- random graphs ---------------------------------------------------------------------------------

UNARY = ["tanh", "exp", "relu", "sigmoid", "square", "abs", "negative", "identity"]
SCALAR = [
    lambda a: a * 1,
    lambda a: a + 0,
    lambda a: a * 2.5,
    lambda a: 1 - a,
    lambda a: a / 4,
    lambda a: a * 2,
]
BINARY = [lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b, lambda a, b: sym.maximum(a, b)]


@st.composite
def random_graphs(draw: Any) -> Any:
    x, y = sym.var("x"), sym.var("y")
    values = [x, y, sym.ones((2, 3)), x * 0.5]
    for _ in range(draw(st.integers(1, 12))):
        kind = draw(st.sampled_from(["unary", "scalar", "binary", "shape"]))
        a = draw(st.sampled_from(values))
        if kind == "unary":
            values.append(getattr(sym, draw(st.sampled_from(UNARY)))(sym.tanh(a)))
        elif kind == "scalar":
            values.append(draw(st.sampled_from(SCALAR))(a))
        elif kind == "binary":
            values.append(draw(st.sampled_from(BINARY))(a, draw(st.sampled_from(values))))
        else:
            b = sym.transpose(sym.reshape(a, shape=(3, 2)))
            values.append(sym.broadcast_add(b, sym.sum(a, axis=1, keepdims=True)))
    return sym.Group(values[-2:])


@settings(max_examples=60, deadline=None)
@given(random_graphs(), st.integers(0, 1000))
def test_programs_of_random_graphs_equal_the_interpreter(graph: Any, seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    names = ["x", "y"]
    arrays = {n: rng.uniform(-1, 1, (2, 3)).astype("float32") for n in names}
    shapes, dtypes = dict.fromkeys(names, (2, 3)), dict.fromkeys(names, "float32")
    program = compile_graph(graph, names, shapes, dtypes, True, [True, True], numpy)
    before = {n: a.copy() for n, a in arrays.items()}
    values = {v: arrays[v.name] for v in program.graph.inputs}
    results = program.forward.function(*[arrays[n] for n in names])
    expected = interpret(program.stages[0].graph.outputs, values, True)
    with numpy.errstate(all="ignore"):
        for got, want in zip(results, expected, strict=False):
            numpy.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
    differentiated = next(s for s in program.stages if s.name == "differentiate").graph
    heads = [rng.normal(size=(2, 3)).astype("float32") for _ in program.graph.head_gradients]
    values.update(dict(zip(program.graph.head_gradients, heads, strict=True)))
    wanted = [g for g in differentiated.gradients if g is not None]
    expected = interpret(wanted, values, True)
    residuals = results[program.num_outputs :]
    found = program.backward.function(*[arrays[n] for n in names], *residuals, *heads)
    for got, want in zip(found, expected, strict=True):
        numpy.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4)
    for n in names:
        numpy.testing.assert_array_equal(arrays[n], before[n], err_msg="an input was overwritten")


# --- layout ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "weight", "pays"),
    [
        ((16, 1, 28, 28), (6, 1, 5, 5), True),
        ((1, 6, 12, 12), (16, 6, 5, 5), True),
        ((2, 512, 4, 4), (512, 512, 3, 3), False),
        ((16, 64, 32, 32), (128, 64, 1, 1), False),
    ],
    ids=["LeNet, batch 16", "LeNet, batch 1", "few columns, large weights", "kernel of one by one"],
)
def test_the_layout_is_chosen_by_what_pays(shape: Any, weight: Any, pays: bool) -> None:
    x, w = sym.var("x"), sym.var("w")
    y = sym.Convolution(x, w, kernel=weight[2:], num_filter=weight[0], no_bias=True)
    shapes, dtypes = {"x": shape, "w": weight}, dict.fromkeys("xw", "float32")
    program = compile_graph(y, ["x", "w"], shapes, dtypes, False, None, numpy)
    names = {n.op.name for n in program.graph.nodes if n.op is not None}
    assert ("_convolution_batch_last" in names) is pays


def test_max_pooling_overtakes_bias_and_relu() -> None:
    _, _, program = compiled("lenet", training=False)
    names = [n.op.name for n in program.graph.nodes if n.op is not None]
    assert names.index("_pooling_batch_last") < names.index("_bias_batch_last") < names.index("relu")


def test_large_chains_of_elementwise_operators_become_one_node_and_equal_the_imperative_run() -> None:
    rng = numpy.random.default_rng(0)
    x, y = sym.var("x"), sym.var("y")
    z = sym.relu(sym.tanh(x) * 1.5 + 0.1) * y
    z = sym.sigmoid(z + x) - 0.2
    arrays = {n: rng.normal(size=(500, 400)).astype("float32") for n in "xy"}
    program = compile_graph(z, ["x", "y"], dict.fromkeys("xy", (500, 400)), dict.fromkeys("xy", "float32"), True,
                            [True, True], numpy)  # fmt: skip
    forward = [n.op.name for n in program.graph.nodes if n.op is not None]
    assert forward.count("_fused") >= 2 and len(forward) < 10
    results = program.forward.function(arrays["x"], arrays["y"])
    values = {v: arrays[v.name] for v in program.stages[0].graph.inputs}
    [expected] = interpret(program.stages[0].graph.outputs, values)
    numpy.testing.assert_allclose(results[0], expected, rtol=1e-5, atol=1e-6)
    inputs = [nd.array(arrays[n]) for n in "xy"]
    for a in inputs:
        a.attach_grad()
    with autograd.record():
        out = nd.sigmoid(nd.relu(nd.tanh(inputs[0]) * 1.5 + 0.1) * inputs[1] + inputs[0]) - 0.2
    out.backward()
    head = numpy.ones((500, 400), "float32")
    gradients = program.backward.function(arrays["x"], arrays["y"], *results[program.num_outputs :], head)
    for got, a in zip(gradients, inputs, strict=True):
        numpy.testing.assert_allclose(got, a.grad.asnumpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}])
@pytest.mark.parametrize("shape", [(5, 3, 8), (1, 1, 8), (0, 3, 8), (2, 2, 3, 8)])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("bias", [False, True])
def test_a_dense_layer_over_many_axes_is_one_product(
    flags: dict[str, bool], shape: tuple[int, ...], turned: bool, bias: bool
) -> None:
    class Layer(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(4, flatten=False, in_units=8, use_bias=bias, bias_initializer="ones")

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.tanh(self.dense(F.swapaxes(x, 0, 1) if turned else x))

    with mx.util.np_shape(True):
        net = Layer()
        net.initialize()
        expected = []
        for hybrid in (False, True):
            if hybrid:
                net.hybridize(**flags)
            for seed in range(2):
                x = nd.array(numpy.random.default_rng(seed).normal(size=shape))
                x.attach_grad()
                with autograd.record():
                    y = net(x)
                y.backward()
                found = [a.asnumpy() for a in (y, x.grad, *(p.grad() for p in net.collect_params().values()))]
                if not hybrid:
                    expected.append(found)
                    continue
                for one, other in zip(found, expected[seed], strict=True):
                    assert numpy.array_equal(one, other)
    assert "matmul" not in net.programs[-1].source
