"""``net.explain()``: numbers against a count by hand, and the reason of every trace and compilation."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends.c_compiler import find_compiler
from d2lhybrid.internals.core.graph import TensorType, TypeTable
from d2lhybrid.internals.core.history import WORDS
from d2lhybrid.internals.core.node import Node
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.internals.reports.costs import bytes_of, flops_by_line, flops_of

from .networks import NETWORKS, make

FLOAT = numpy.dtype("float32")


def mlp(in_units: int = 5) -> Any:
    """Dense 5 -> 8 with ReLU, Dense 8 -> 3."""
    net = nn.HybridSequential(prefix="mlp_")
    with net.name_scope():
        net.add(nn.Dense(8, activation="relu", in_units=in_units), nn.Dense(3, in_units=8))
    net.initialize(mx.init.Uniform(0.5))
    net.hybridize()
    return net


# --- numbers -----------------------------------------------------------------------------------


def test_the_numbers_of_a_forward_program() -> None:
    net = mlp()
    net(nd.ones((4, 5)))
    report = net.explain()
    assert report.block == "HybridSequential mlp"
    assert report.hybridized and report.profile is None
    (program,) = report.programs
    assert not program.training and not program.recording and program.context == "cpu(0)"
    assert [(i.name.removeprefix("mlp_"), i.shape, i.dtype, i.gradient) for i in program.inputs] == [
        ("data", (4, 5), "float32", False),
        ("dense0_weight", (8, 5), "float32", False),
        ("dense0_bias", (8,), "float32", False),
        ("dense1_weight", (3, 8), "float32", False),
        ("dense1_bias", (3,), "float32", False),
    ]
    (forward,) = program.functions
    product, bias, relu, product2, bias2 = 2 * 4 * 5 * 8, 4 * 8, 4 * 8, 2 * 4 * 8 * 3, 4 * 3
    assert forward.flops == program.flops == product + bias + relu + product2 + bias2
    dense, activation, dense2 = 20 + 40 + 8 + 32, 32 + 32, 32 + 24 + 3 + 12  # read and written elements
    assert forward.bytes_moved == program.bytes_moved == 4 * (dense + activation + dense2)
    assert forward.operators == program.operators == 3
    assert forward.buffers == 2  # the ReLU writes over the hidden layer
    assert forward.peak_bytes == 4 * (32 + 12)  # the hidden layer and the output
    assert program.residual_bytes == 0
    assert forward.source == program.source == net.programs[0].source
    assert program.milliseconds > 0


def test_the_numbers_of_a_training_program() -> None:
    net = mlp()
    with autograd.record():
        net(nd.ones((4, 5)))
    (program,) = net.explain().programs
    assert program.training and program.recording
    assert [i.gradient for i in program.inputs] == [False, True, True, True, True]
    forward, backward = program.functions
    assert (forward.name, backward.name) == ("forward", "backward")
    assert forward.flops == 588
    # hidden gradient (4,3)x(3,8), ReLU, weight (8,4)x(4,5), bias, weight (3,4)x(4,8), bias
    assert backward.flops == 2 * 4 * 3 * 8 + 32 + 2 * 8 * 4 * 5 + 32 + 2 * 3 * 4 * 8 + 12
    reads_and_writes = [12 + 24 + 32, 32 + 32 + 32, 32 + 20 + 40, 32 + 8, 12 + 32 + 24, 12 + 3]
    assert backward.bytes_moved == 4 * sum(reads_and_writes)
    assert backward.operators == 6
    assert program.operators == 9 and program.flops == 588 + 780
    assert program.residual_bytes == 4 * 32  # the hidden layer after its ReLU
    plans = [net.programs[0].forward.plan, net.programs[0].backward.plan]
    assert [f.peak_bytes for f in program.functions] == [p.peak_bytes for p in plans]


def test_the_stages() -> None:
    net = mlp()
    with autograd.record():
        net(nd.ones((4, 5)))
    (program,) = net.explain().programs
    stages = program.stages
    assert [s.name for s in stages] == [s.name for s in net.programs[0].stages]
    assert stages[0].operators_before == stages[0].operators_after == 3
    for before, after in itertools.pairwise(stages):
        assert after.operators_before == before.operators_after
    by_name = {s.name: s for s in stages}
    assert by_name["infer"].flops == 588 and by_name["infer"].bytes_moved == 940
    assert by_name["differentiate"].operators_before == 3
    assert by_name["simplify"].operators_after < by_name["simplify"].operators_before
    assert stages[-1].operators_after == program.operators
    assert stages[-1].flops == program.flops and stages[-1].bytes_moved == program.bytes_moved
    assert all(s.milliseconds >= 0 for s in stages)
    assert sum(s.milliseconds for s in stages) <= program.milliseconds


def node_of(
    name: str, inputs: list[tuple[int, ...]], outputs: list[tuple[int, ...]], **params: Any
) -> tuple[Node, TypeTable]:
    types = TypeTable()
    variables = [Node(None, f"x{i}") for i in range(len(inputs))]
    for variable, shape in zip(variables, inputs, strict=True):
        types.set(variable, [TensorType(shape, FLOAT)])
    node = Node(get_operator(name), "node", tuple((v, 0) for v in variables), params=params)
    types.set(node, [TensorType(shape, FLOAT) for shape in outputs])
    return node, types


# m, k, n = 4, 5, 3; convolution of (2, 3, 8, 8) with 6 filters of (3, 3, 3) gives (2, 6, 6, 6)
CONVOLUTION = 2 * (2 * 6 * 6 * 6) * 27
FLOPS: dict[str, tuple[Any, int]] = {
    "dense": (node_of("FullyConnected", [(4, 5), (3, 5), (3,)], [(4, 3)]), 2 * 60 + 12),
    "dense without bias": (node_of("FullyConnected", [(4, 5), (3, 5)], [(4, 3)], no_bias=True), 2 * 60),
    "dense, flattened": (node_of("FullyConnected", [(4, 5, 2), (3, 10)], [(4, 3)], no_bias=True), 2 * 120),
    "dot": (node_of("dot", [(4, 5), (5, 3)], [(4, 3)]), 2 * 60),
    "dot, a transposed": (node_of("dot", [(5, 4), (5, 3)], [(4, 3)], transpose_a=True), 2 * 60),
    "batch_dot": (node_of("batch_dot", [(7, 4, 5), (7, 5, 3)], [(7, 4, 3)]), 2 * 7 * 60),
    "batch_dot, a transposed": (
        node_of("batch_dot", [(7, 5, 4), (7, 5, 3)], [(7, 4, 3)], transpose_a=True),
        2 * 7 * 60,
    ),
    "matmul": (node_of("_npi_matmul", [(7, 4, 5), (5, 3)], [(7, 4, 3)]), 2 * 7 * 60),
    "matmul, gradient": (node_of("_backward_matmul_lhs", [(7, 4, 3), (7, 4, 5), (5, 3)], [(7, 4, 5)]), 2 * 7 * 60),
    "tensordot": (node_of("_npi_tensordot", [(4, 5, 2), (5, 2, 3)], [(4, 3)]), 2 * 4 * 10 * 3),
    "tensordot, gradient": (
        node_of("_backward_tensordot_lhs", [(4, 3), (4, 5), (5, 3)], [(4, 5)], lhs_axes=(1,), rhs_axes=(0,)),
        2 * 60,
    ),
    "convolution": (
        node_of("Convolution", [(2, 3, 8, 8), (6, 3, 3, 3), (6,)], [(2, 6, 6, 6)]),
        CONVOLUTION + 2 * 6 * 6 * 6,
    ),
    "convolution in 3 groups": (
        node_of("Convolution", [(2, 3, 8, 8), (6, 1, 3, 3)], [(2, 6, 6, 6)], num_group=3, no_bias=True),
        CONVOLUTION // 3,
    ),
    "convolution, data": (
        node_of("_backward_Convolution_data", [(2, 6, 6, 6), (6, 3, 3, 3), (2, 3, 8, 8)], [(2, 3, 8, 8)]),
        CONVOLUTION,
    ),
    "convolution, weight": (
        node_of("_backward_Convolution_weight", [(2, 6, 6, 6), (2, 3, 8, 8)], [(6, 3, 3, 3)]),
        CONVOLUTION,
    ),
    "batch last": (
        node_of("_convolution_batch_last", [(3, 8, 8, 2), (6, 3, 3, 3)], [(6, 6, 6, 2), (8, 3, 3, 12)]),
        CONVOLUTION,
    ),
    "batch last, data": (
        node_of("_backward_convolution_batch_last_data", [(6, 6, 6, 2), (6, 3, 3, 3), (3, 8, 8, 2)], [(3, 8, 8, 2)]),
        CONVOLUTION,
    ),
    "batch last, weight": (
        node_of("_backward_convolution_batch_last_weight", [(6, 6, 6, 2), (8, 3, 3, 12), (6, 3, 3, 3)], [(6, 3, 3, 3)]),
        CONVOLUTION,
    ),
    "transposed convolution": (
        node_of("Deconvolution", [(2, 6, 6, 6), (6, 3, 3, 3)], [(2, 3, 8, 8)], no_bias=True),
        CONVOLUTION,
    ),
    "dense batch last": (node_of("_dense_batch_last", [(5, 4), (3, 5)], [(3, 4)]), 2 * 60),
    "dense batch last, weight": (
        node_of("_backward_dense_batch_last_weight", [(3, 4), (5, 4)], [(3, 5)]),
        2 * 60,
    ),
    "element-wise": (node_of("elemwise_add", [(4, 5), (4, 5)], [(4, 5)]), 20),
    "a reduction": (node_of("sum", [(4, 5)], [(5,)], axis=0), 20),
    "hidden outputs": (node_of("BatchNorm", [(4, 5), (5,), (5,), (5,), (5,)], [(4, 5), (5,), (5,)]), 20),
    "a view": (node_of("Reshape", [(4, 5)], [(20,)], shape=(20,)), 0),
}


@pytest.mark.parametrize("case", FLOPS)
def test_operations_by_hand(case: str) -> None:
    (node, types), expected = FLOPS[case]
    assert flops_of(node, types) == expected


def test_bytes_count_hidden_outputs_and_no_views() -> None:
    node, types = FLOPS["hidden outputs"][0]
    assert bytes_of(node, types) == 4 * (20 + 4 * 5 + 20 + 5 + 5)
    assert bytes_of(*FLOPS["a view"][0]) == 0


def test_the_operations_of_a_node_are_spread_over_its_lines() -> None:
    assert flops_by_line(*FLOPS["dense"][0], lines=["y = dot(x, w.T)", "y += b"]) == [120, 12]
    assert flops_by_line(*FLOPS["dense"][0], lines=["y = FullyConnected(x, w, b)"]) == [132]
    copied = ["y_rows = ascontiguousarray(x)", "y = dot(y_rows, w.T)", "y += b"]
    assert flops_by_line(*FLOPS["dense"][0], lines=copied) == [0, 120, 12]


def test_a_fused_region_counts_each_of_its_operators() -> None:
    net = nn.HybridLambda(lambda F, x: F.exp(F.relu(x) + 1) * 2)
    net.hybridize()
    size = 1 << 18
    report = net.explain(nd.zeros((size,)))
    (program,) = report.programs
    assert program.operators == 1 and "fused" in program.source
    assert program.flops == 4 * size
    assert program.bytes_moved == 4 * 2 * size  # in once, out once: that is what fusion is for
    assert program.stages[0].bytes_moved == 4 * 4 * 2 * size


@pytest.mark.parametrize("training", [False, True], ids=["predict", "train"])
@pytest.mark.parametrize("name", NETWORKS)
def test_the_parts_of_every_report_fit_together(name: str, training: bool) -> None:
    net, inputs = make(name)
    net.hybridize()
    for x in inputs:
        x.attach_grad()
    with autograd.record() if training else autograd.predict_mode():
        report = net.explain(*inputs, profile=True)
    (program,) = report.programs
    assert program.recording is training and len(program.every_call) == 1 + training
    assert report.profile is not None
    for function in program.every_call:
        lines = [line for line in report.profile.lines if line.function == function.name]
        assert sum(line.flops for line in lines) == function.flops > 0
        assert [f"{line.number}: {line.text}" for line in lines] == [
            f"{i}: {text.strip()}" for i, text in enumerate(function.source.splitlines(), 1) if i > 1
        ]
        assert function.bytes_moved > 0 and function.peak_bytes > 0
    assert json.dumps(report.to_dict())
    assert program.source.splitlines()[0] in str(report)


# --- traces ------------------------------------------------------------------------------------


def traces(net: Any) -> list[tuple[str, tuple[str, ...]]]:
    return [(event.kind, event.reasons) for event in net.explain().traces]


def test_the_first_call_traces_and_later_calls_leave_nothing() -> None:
    net = mlp()
    assert traces(net) == [] and net.explain().programs == ()
    for _ in range(5):
        net(nd.ones((4, 5)))
    assert traces(net) == [("trace", ("first call",))]
    assert len(net._history) == 2


def test_hybridize_traces_again() -> None:
    net = mlp()
    net(nd.ones((4, 5)))
    net.hybridize()
    net.hybridize()
    net(nd.ones((4, 5)))
    assert traces(net)[1:] == [("retrace", ("hybridize() was called",))]


@pytest.mark.parametrize("dtype", ["float64", numpy.float64])
def test_cast_traces_again(dtype: Any) -> None:
    net = mlp()
    net(nd.ones((4, 5)))
    net.cast(dtype)
    net(nd.ones((4, 5), dtype="float64"))
    assert traces(net)[1:] == [("retrace", ("cast(float64) was called",))]


def test_a_new_or_another_child_traces_again() -> None:
    class Net(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Activation("relu")

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.first(x)

    net = Net()
    net.hybridize()
    net(nd.ones((2,)))
    net.first = nn.Activation("tanh")
    net(nd.ones((2,)))
    net.second = nn.Activation("tanh")
    net(nd.ones((2,)))
    assert traces(net)[1:] == [
        ("retrace", ("the child first was changed",)),
        ("retrace", ("the child second was added",)),
    ]
    net = mlp()
    net(nd.ones((4, 5)))
    net.add(nn.Activation("relu"))
    net(nd.ones((4, 5)))
    assert traces(net)[1:] == [("retrace", ("the child 2 was added",))]


def test_deferred_shapes_are_found_by_a_trace() -> None:
    net = nn.Dense(3)
    net.initialize()
    net(nd.ones((4, 5)))
    assert traces(net) == [("trace", ("first call", "shapes of parameters had to be inferred"))]


# --- compilations ------------------------------------------------------------------------------


def last_reasons(net: Any) -> tuple[str, ...]:
    event = net.explain().compilations[-1]
    assert event.reasons == net.explain().programs[-1].reasons
    return event.reasons


def test_reasons_of_compilations() -> None:
    net = mlp()
    net(nd.ones((1, 5)))
    assert [(e.kind, e.reasons) for e in net.explain().compilations] == [("compile", ("first call",))]
    net(nd.ones((4, 5)))
    assert last_reasons(net) == ("the shape of data changed from (1, 5) to (4, 5)",)
    with autograd.train_mode():
        net(nd.ones((4, 5)))
    assert last_reasons(net) == ("training mode",)
    x = nd.ones((4, 5))
    with autograd.record():
        net(x)
    assert last_reasons(net) == ("recording gradients for 4 of 5 inputs",)
    x.attach_grad()
    with autograd.record():
        net(x)
    assert last_reasons(net) == ("recording gradients for 5 of 5 inputs, previously for 4",)
    with autograd.record(train_mode=False):
        net(x)
    assert last_reasons(net) == ("predict mode",)
    assert [e.kind for e in net.explain().compilations] == ["compile"] + ["recompile"] * 5
    assert len(net.explain().programs) == 6
    assert len(net.explain().traces) == 1


def test_reasons_compare_with_the_most_similar_signature() -> None:
    net = mlp()
    with autograd.record():
        net(nd.ones((4, 5)))
    net(nd.ones((4, 5)))
    assert last_reasons(net) == ("predict mode", "not recording")
    net(nd.ones((2, 5)))
    assert last_reasons(net) == ("the shape of data changed from (4, 5) to (2, 5)",)
    with autograd.record():
        net(nd.ones((2, 5)))
    assert last_reasons(net) == ("the shape of data changed from (4, 5) to (2, 5)",)


def test_dtypes_and_contexts_are_reasons() -> None:
    net = nn.HybridLambda(lambda F, x: F.relu(x))
    net.hybridize()
    net(nd.ones((2,)))
    net(nd.ones((2,), dtype="float64"))
    assert last_reasons(net) == ("the dtype of data changed from float32 to float64",)
    net(nd.ones((2,), ctx=mx.cpu(1)))
    assert last_reasons(net) == ("the context changed from cpu(0) to cpu(1)",)


def test_long_lists_of_changes_are_cut() -> None:
    net = nn.HybridSequential()
    for _ in range(4):
        net.add(nn.Dense(2, in_units=2))
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 2)))
    for child in net:
        child.cast("float64")
    net(nd.ones((1, 2), dtype="float64"))
    reasons = last_reasons(net)
    assert len(reasons) == 5 and reasons[-1] == "and 5 more changes"  # 9 inputs


def test_programs_that_were_dropped_are_compiled_again() -> None:
    net = mlp()
    net(nd.ones((4, 5)))
    net.hybridize()
    net(nd.ones((4, 5)))
    assert last_reasons(net) == ("first call since the programs were dropped",)
    assert [e.kind for e in net.explain().compilations] == ["compile", "recompile"]
    assert len(net.explain().programs) == 1


# --- profile -----------------------------------------------------------------------------------


def test_a_profile_has_every_line() -> None:
    net = mlp()
    x = nd.ones((4, 5))
    net(nd.ones((1, 5)))
    with autograd.record():
        report = net.explain(x, profile=True)
    profile = report.profile
    assert profile is not None and profile.program == 1
    texts = [f.source.splitlines()[1:] for f in report.programs[1].functions]
    expected = [line.strip() for lines in texts for line in lines if line.strip()]
    assert [line.text for line in profile.lines] == expected
    assert {line.function for line in profile.lines} == {"forward", "backward"}
    assert profile.lines[0].number == 2 and profile.lines[0].operator == "FullyConnected"
    assert sum(line.flops for line in profile.lines) == report.programs[1].flops
    assert sum(line.percent for line in profile.lines) == pytest.approx(100)
    assert profile.microseconds > 0
    for line in profile.lines:
        if line.microseconds:
            assert line.gflops_per_second == pytest.approx(1e-3 * line.flops / line.microseconds)


class TwoLines(gluon.HybridBlock):
    """Two lines that become one line of the program, and a line with a layer."""

    def __init__(self) -> None:
        super().__init__()
        self.out = nn.Dense(3, in_units=500)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        x = F.exp(x) * 3  # fused
        x = F.tanh(x + 1)  # fused
        return self.out(x)  # layer


def marked(text: str) -> list[int]:
    """Return the numbers of the lines of this file that end with a comment."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if line.endswith(f"# {text}")]


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
def test_a_profile_adds_up_the_times_of_each_line_of_ones_own_code() -> None:
    net = TwoLines()
    net.initialize()
    net.hybridize(backend="c")
    x = nd.ones((400, 500))
    x.attach_grad()
    with autograd.record():
        profile = net.explain(x, profile=True).profile
    assert profile is not None
    fused, layer = profile.own
    assert fused.file == __file__ and [*fused.numbers] == marked("fused")
    assert [*layer.numbers] == marked("layer") and layer.text.startswith("return self.out(x)")
    of_layer = [line for line in profile.lines if line.operator and ("FullyConnected" in line.operator)]
    assert layer.microseconds >= sum(line.microseconds for line in of_layer) - 1e-9 > 0
    assert fused.backward > 0 and layer.backward > 0, "each line has a gradient"
    total = sum(own.microseconds for own in profile.own)
    assert total <= profile.microseconds + 1e-9
    assert [own.percent for own in profile.own] == [
        pytest.approx(100 * own.microseconds / profile.microseconds) for own in profile.own
    ]


def test_the_lines_of_predefined_layers_are_those_that_created_them() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(4, in_units=5, activation="relu"))  # first
    net.add(nn.Dense(2, in_units=4))  # second
    net.initialize()
    net.hybridize()
    report = net.explain(nd.ones((3, 5)), profile=True)
    assert report.profile is not None
    assert [own.numbers for own in report.profile.own] == [(marked("first")[0],), (marked("second")[0],)]
    assert "Time per line of your code" in str(report)
    assert all(own.backward == 0 for own in report.profile.own)


def test_a_profile_leaves_values_states_and_random_numbers_alone() -> None:
    class Net(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.norm, self.drop = nn.BatchNorm(in_channels=3), nn.Dropout(0.5)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.drop(self.norm(x))

    def run(profile: bool) -> list[Any]:
        mx.random.seed(1)
        net = Net()
        net.initialize()
        net.hybridize()
        x = nd.array(numpy.arange(12.0).reshape(4, 3))
        with autograd.record():
            net.explain(x, profile=profile)
        return [x.asnumpy(), net.norm.running_mean.data().asnumpy(), nd.random.uniform(shape=(3,)).asnumpy()]

    for got, expected in zip(run(True), run(False), strict=True):
        numpy.testing.assert_array_equal(got, expected)


def test_a_profile_of_a_layer_that_adds_arguments() -> None:
    layer = gluon.rnn.LSTM(4, input_size=3)
    layer.initialize()
    layer.hybridize()
    report = layer.explain(nd.ones((2, 1, 3)), profile=True)
    assert report.profile is not None and report.profile.lines


def test_a_profile_needs_inputs_and_a_program() -> None:
    net = mlp()
    with pytest.raises(ValueError, match="A profile needs inputs"):
        net.explain(profile=True)
    net.hybridize(False)
    with pytest.raises(RuntimeError, match="no compiled program to profile"):
        net.explain(nd.ones((4, 5)), profile=True)


# --- the report as data and as text ------------------------------------------------------------


def test_a_report_is_plain_data_that_cannot_be_changed() -> None:
    net = mlp()
    report = net.explain(nd.ones((4, 5)), profile=True)
    data = json.loads(json.dumps(report.to_dict()))
    assert data["programs"][0]["functions"][0]["flops"] == 588
    assert data["compilations"][0]["kind"] == "compile"
    assert data["words"]["recompile"]["PyTorch"] == "recompile (guard failure)"
    assert data["profile"]["lines"][0]["function"] == "forward"
    with pytest.raises(AttributeError):
        report.block = "another"  # type: ignore[misc]


def test_the_text_has_the_words_the_tables_and_the_source() -> None:
    net = mlp()
    with autograd.record():
        net(nd.ones((1, 5)))
    net.hybridize()
    net(nd.ones((1, 5)))
    text = str(net.explain(nd.ones((4, 5)), profile=True))
    for kind in {*WORDS} - {"promote"}:  # tests/compiler/test_tiers.py
        assert f"     {kind}: " in text
        for framework, word in WORDS[kind].items():
            assert f"{framework} {word!r}" in text
    assert text.startswith("HybridSequential mlp: hybridized, traced 2 times, 3 programs compiled, 2 kept\n")
    assert "the shape of data changed from (1, 5) to (4, 5)" in text
    assert "because: first call since the programs were dropped" in text
    for name in ("infer", "differentiate", "fuse element-wise", "generate code"):
        assert (name in text) is (name != "differentiate")  # the program with gradients was dropped
    assert "3 -> 3" in text and "588" in text and "940" in text
    assert "def forward(data" in text
    assert "Time per line of program 2" in text and "GFLOP/s" in text
    assert "estimates" in text
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_the_text_of_a_net_that_was_never_called() -> None:
    net = nn.Dense(3, in_units=2, prefix="dense_")
    assert str(net.explain()) == "Dense dense: not hybridized, traced 0 times, 0 programs compiled, 0 kept"


def test_explain_of_a_symbol_block() -> None:
    x = mx.sym.var("data", dtype="float32")
    block = gluon.SymbolBlock(mx.sym.relu(x), x)
    report = block.explain(nd.ones((2, 3)), profile=True)
    assert report.traces == () and report.programs[0].flops == 6
    assert report.profile is not None
