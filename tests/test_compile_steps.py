"""The steps of a compilation agree with what ran: the graph, the stages, the program, the values."""

from __future__ import annotations

import itertools
import json
import sys
import warnings
from typing import Any

import numpy
import pytest
from compiler import networks
from hypothesis import given, settings
from hypothesis import strategies as st

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.compile_steps import compile_steps
from d2lhybrid.internals.pictures.picture import to_json
from d2lhybrid.internals.pictures.steps import running
from d2lhybrid.internals.pictures.steps.comparing import compare
from d2lhybrid.internals.pictures.steps.running import owner_of, summary_of
from d2lhybrid.internals.support import events
from d2lhybrid.internals.support.places import new_source


class Net(nn.HybridBlock):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(10)
            self.output = nn.Dense(2)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        print("x:", x)
        x = F.relu(self.hidden(x))
        F.tanh(x)
        return self.output(x) * 1


def make() -> tuple[Any, Any]:
    mx.random.seed(3)
    net = Net(prefix="net_")
    net.initialize()
    return net, nd.array(numpy.random.RandomState(0).normal(size=(2, 4)))


def first_numbers(array: Any) -> tuple[float, ...]:
    return summary_of(array.asnumpy()).first


def operators(steps: Any, nodes: Any) -> list[str]:
    return [n.name for n in nodes if n.op is not None]


# --- the trace --------------------------------------------------------------------------------------


def test_the_trace_tells_which_line_made_which_node() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False)
    lines = {}
    for step in steps.chapter("trace").steps:
        for number in step.focus:
            source, line = step.lines[-1] if step.lines else (-1, 0)
            if source >= 0:
                lines[steps.nodes[number].op] = steps.sources[source].lines[line - steps.sources[source].first]
    assert "F.relu(self.hidden(x))" in lines["relu"]
    assert "F.tanh(x)" in lines["tanh"]
    assert "self.output(x) * 1" in lines["_mul_scalar"]
    assert "FullyConnected(" in lines["FullyConnected"]


def test_the_line_of_a_child_block_stands_below_the_line_that_called_it() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False)
    dense = next(n for n in steps.nodes if n.op == "FullyConnected")
    titles = [steps.sources[source].title for source, _ in dense.lines]
    assert titles == ["Net.hybrid_forward", "Dense.hybrid_forward"]


def test_what_is_printed_while_tracing_is_kept_with_its_line() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False)
    printed = [s for s in steps.chapter("trace").steps if s.printed]
    assert [s.printed for s in printed] == ["x: <Symbol data>\n"]
    source, line = printed[0].lines[-1]
    assert 'print("x:", x)' in steps.sources[source].lines[line - steps.sources[source].first]


def test_a_node_that_no_result_needs_is_marked() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False)
    dead = [s.marks.get("dead", ()) for s in steps.chapter("trace").steps]
    assert dead[0] == () and [steps.nodes[n].op for n in dead[-1]] == ["tanh"]


def test_the_graph_grows_with_the_trace() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False).chapter("trace").steps
    visible = [s.visible for s in steps[:-1]]
    assert visible == sorted(visible) and visible[0] <= 1 and visible[-1] == 6
    assert steps[-1].visible == -1


def test_another_net_gives_another_trace() -> None:
    class Other(Net):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.sigmoid(self.output(F.relu(self.hidden(x))))

    _, x = make()
    other = Other()
    other.initialize()
    text = compile_steps(other, x, measure=False).to_text()
    assert "sigmoid" in text and "_mul_scalar" not in text and "x:" not in text


def test_loops_of_python_are_unrolled_and_helpers_followed() -> None:
    def helper(F: Any, x: Any) -> Any:
        return F.sin(x)

    class Loop(nn.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            for _ in range(3):
                x = helper(F, x)
            return x

    steps = compile_steps(Loop(), nd.ones((2,)), measure=False)
    assert [n.op for n in steps.nodes].count("sin") == 3
    assert sum(s.text == "The function helper is called." for s in steps.chapter("trace").steps) == 3


def test_the_body_of_a_loop_operator_is_told_apart() -> None:
    class Foreach(nn.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            out, _ = F.contrib.foreach(lambda row, state: (row + state, row + state), x, F.zeros_like(F.sum(x, axis=0)))
            return out

    steps = compile_steps(Foreach(), nd.ones((3, 2)), measure=False)
    assert any("inside the body" in s.text for s in steps.chapter("trace").steps)
    assert "_foreach" in {n.op for n in steps.nodes}


def test_a_net_from_a_file_has_nothing_to_trace(tmp_path: Any) -> None:
    net, x = make()
    net.hybridize()
    expected = net(x).asnumpy()
    net.export(str(tmp_path / "net"))
    with pytest.warns(UserWarning, match="Cannot decide type"):
        files = str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params")
        loaded = gluon.SymbolBlock.imports(*files)
    steps = compile_steps(loaded, x, measure=False)
    assert "Nothing is traced" in steps.chapter("trace").steps[0].text
    assert steps.chapter("run").steps[-1].run.results[0].first == pytest.approx(summary_of(expected).first)


# --- inference --------------------------------------------------------------------------------------


def test_inference_finds_weights_from_the_data() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False)
    chapter = steps.chapter("infer")
    found = {steps.nodes[n].name: t for s in chapter.steps[:-1] for n, t in s.types.items()}
    assert found["data"] == "2×4" and found["net_dense0_weight"] == "10×4" and found["net_dense0_fwd"] == "2×10"
    where = next(s for s in chapter.steps if any(steps.nodes[n].name == "net_dense0_weight" for n in s.types))
    assert [steps.nodes[n].name for n in where.focus] == ["net_dense0_fwd"]


def test_shapes_that_are_known_are_given_at_the_beginning() -> None:
    net, x = make()
    net(x)
    first = compile_steps(net, x, measure=False).chapter("infer").steps[0]
    assert "net_dense0_weight 10×4" in first.text


def test_inferred_types_are_those_of_the_graph() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False)
    graph = steps.call.program.stages[0].graph
    last = steps.chapter("infer").steps[-1]
    found = {(steps.nodes[n].name, steps.nodes[n].type) for n in steps.drawings[last.drawing].nodes}
    expected = {(n.name, str(graph.types[n, 0])) for n in graph.nodes if n.name not in net.collect_params()}
    assert found == expected


# --- passes -----------------------------------------------------------------------------------------


def test_simplify_removes_a_product_with_one() -> None:
    net, x = make()
    chapter = next(c for c in compile_steps(net, x, measure=False).chapters if c.title == "simplify")
    assert "_mulscalar0 (_mul_scalar) is removed: net_dense1_fwd (FullyConnected) is used" in chapter.steps[0].text
    assert chapter.steps[-1].text == "After simplify: 3 operators, 4 before."


def kinds(name: str, record: bool = False) -> dict[str, list[str]]:
    net, inputs = networks.make(name)
    steps = compile_steps(net, *inputs, record=record, measure=False)
    return {c.title: [k for s in c.steps for k in s.marks] for c in steps.chapters if c.kind == "pass"}


def test_passes_say_what_they_did() -> None:
    found = kinds("tangle")
    assert found["merge equal"] == ["merged", "merged"]
    assert found["fold constants"] == ["folded", "added"]
    assert found["simplify"] == ["removed"]


def test_layout_is_told_as_replacement_and_move() -> None:
    found = kinds("lenet")["assign layout"]
    assert found.count("replaced") >= 6 and found.count("moved") == 1


def test_fusion_names_what_was_fused() -> None:
    net = nn.HybridLambda(lambda F, x: F.tanh(F.exp(x * 2) + x))
    steps = compile_steps(net, nd.ones((600, 600)), measure=False)
    chapter = next(c for c in steps.chapters if c.title == "fuse element-wise")
    (fused,) = (s for s in chapter.steps if "fused" in s.marks)
    assert {steps.nodes[n].op for n in fused.focus} == {"_mul_scalar", "exp", "elemwise_add", "tanh"}


def test_passes_without_work_share_one_step() -> None:
    net = nn.HybridLambda(lambda F, x: F.relu(x))
    chapters = [c for c in compile_steps(net, nd.ones((2,)), measure=False).chapters if c.kind in ("pass", "unchanged")]
    assert [(c.kind, len(c.steps)) for c in chapters] == [("unchanged", 1)]


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_every_node_of_every_stage_is_accounted_for(name: str, record: bool) -> None:
    net, inputs = networks.make(name)
    stages = compile_steps(net, *inputs, record=record, measure=False).call.program.stages
    for before, after in itertools.pairwise(stages):
        check_comparison(before.graph, after.graph)


def check_comparison(before: Any, after: Any) -> None:
    found = compare(before, after)
    operators = [{n for n in graph.nodes if n.op} for graph in (before, after)]
    assert found.changes or all(n in found.same for n in after.nodes if n.op)
    assert not found.changes or operators[0] != operators[1]
    told = {n for c in found.changes for n in c.before} | set(found.same.values())
    assert all(n in told for n in before.nodes if n.op)
    told = {n for c in found.changes for n in c.after} | set(found.same)
    assert all(n in told for n in after.nodes if n.op)


def test_what_only_weights_take_part_in_is_one_box() -> None:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Dense(3))
    net.initialize()
    steps = compile_steps(net, nd.ones((8, 1, 8, 8)), measure=False)
    folding = next(c for c in steps.chapters if c.title == "fold batch norm").steps
    drawing = steps.drawings[folding[-1].drawing]
    drawn = [steps.nodes[n].op for n in drawing.nodes]
    assert sorted(drawn) == ["", "Activation", "Convolution", "FullyConnected", "prepared"]
    count = len(drawing.folded[drawing.prepared])
    assert folding[-1].text.startswith(f"After fold batch norm: 3 operators, 4 before. {count} operators depend only")
    assert f"New: {count} operators that are computed once, from the weights." in [s.text for s in folding]
    last = steps.drawings[steps.chapter("run").steps[-1].drawing]
    program = steps.call.program
    assert {steps.nodes[n].name for n in last.folded[last.prepared]} == {
        n.name for n in program.prepare.line_nodes.values()
    }
    box = str(drawing.prepared)
    data = steps.to_dict()
    shown = next(m for m in data["milestones"] if m["c"] == "fold batch norm")
    assert shown["m"][box] == "compiled" and data["nodes"][box], "it is marked as new, and has its lines"
    (texts,) = [b[6] for b in data["drawings"][shown["d"]]["b"] if b[0] == box]
    assert texts == ["computed once", f"from the weights: {count} operators"]
    recorded = compile_steps(net, nd.ones((8, 1, 8, 8)), record=True, measure=False)
    assert all(d.prepared < 0 for d in recorded.drawings), "in training weights change with every call"


def test_nodes_have_their_lines_after_fusion_layout_and_differentiation() -> None:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Dense(3))
    net.initialize()
    fused = nn.HybridLambda(lambda F, x: F.tanh(F.exp(x * 2) + x))
    for case in ((net, nd.ones((8, 1, 8, 8))), (fused, nd.ones((600, 600)))):
        for record in (False, True):
            steps = compile_steps(*case, record=record, measure=False)
            data = steps.to_dict()
            for program in data["programs"].values():
                lost = [steps.nodes[int(n)].name for n in program["n"] if n and n not in data["nodes"]]
                assert {*lost} <= {"data_batch_last"}, "the input that is turned is from no line"


# --- the program ------------------------------------------------------------------------------------


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_the_last_graph_and_the_text_are_the_programs(name: str, record: bool) -> None:
    net, inputs = networks.make(name)
    steps = compile_steps(net, *inputs, record=record, measure=False)
    program = steps.call.program
    for half in steps.programs:
        source = getattr(program, half)
        text = steps.programs[half]
        assert "\n".join(text.lines) + "\n" == source.text
        shown = {steps.nodes[n].name for c in steps.chapters if c.half == half for s in c.steps for n in s.focus}
        assert shown == {n.name for n in source.line_nodes.values()}
        for number, node in source.line_nodes.items():
            assert steps.nodes[text.nodes[number - 1]].name == node.name


@pytest.mark.parametrize("name", networks.NETWORKS)
def test_the_run_ends_with_what_the_net_returns(name: str) -> None:
    net, inputs = networks.make(name)
    expected = flat(net(*inputs))
    steps = compile_steps(net, *inputs, measure=False)
    results = steps.chapter("run").steps[-1].run.results
    for array, summary in zip(expected, results, strict=False):
        assert summary.first == pytest.approx(first_numbers(array), rel=1e-4, abs=1e-6)
        assert summary.mean == pytest.approx(float(array.asnumpy().mean()), rel=1e-4, abs=1e-6)


def flat(out: Any) -> list[Any]:
    return [a for part in out for a in flat(part)] if isinstance(out, list | tuple) else [out]


def test_the_backward_run_ends_with_the_gradients() -> None:
    net, x = make()
    net(x)
    steps = compile_steps(net, x, record=True, measure=False)
    program = steps.call.program
    results = steps.chapter("run", "backward").steps[-1].run.results
    with autograd.record():
        y = net(x)
    y.backward()
    names = [program.graph.inputs[i].name for i in program.gradient_of]
    parameters = net.collect_params()
    for name, summary in zip(names, results, strict=False):
        assert summary.first == pytest.approx(first_numbers(parameters[name].grad()), rel=1e-4, abs=1e-6)


def test_every_line_that_ran_is_a_step_with_its_value() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False)
    run = steps.chapter("run").steps
    assert [s.line for s in run] == list(range(2, len(steps.programs["forward"].lines) + 1))
    relu = next(s for s in run if "relu" in s.text)
    assert relu.run.value.smallest == 0 and relu.run.value.shape == (2, 10)


def test_lines_are_measured() -> None:
    net, x = make()
    program = compile_steps(net, x).programs["forward"]
    times = program.microseconds
    assert (
        set(times) == set(range(2, len(program.lines) + 1))
        and all(us >= 0 for us in times.values())
        and max(times.values()) > 0
    )


# --- memory -----------------------------------------------------------------------------------------


def test_a_value_written_in_place_lies_in_the_same_buffer() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False)
    names = [[bar.name for bar in buffer.bars] for buffer in steps.buffers["forward"]]
    assert ["dense0_fwd", "relu0"] in [[name.removeprefix("net_") for name in each] for each in names]
    step = next(s for s in steps.chapter("memory").steps if "overwrites" in s.text)
    assert step.text.endswith("dense0_fwd, which is no longer needed.")


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_values_in_one_buffer_do_not_live_at_once(name: str, record: bool) -> None:
    net, inputs = networks.make(name)
    steps = compile_steps(net, *inputs, record=record, measure=False)
    for buffers in steps.buffers.values():
        for buffer in buffers:
            for a, b in itertools.pairwise(buffer.bars):
                assert a.last <= b.first and not a.result
            assert all(bar.first <= bar.last for bar in buffer.bars)


@pytest.mark.parametrize("length", [5, 40])
def test_of_a_long_program_each_line_is_watched_alone(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    """What a line costs to be watched is what it changes, not what the program holds."""
    asked = []
    monkeypatch.setattr(running, "owner_of", lambda array: asked.append(array) or owner_of(array))
    cell = gluon.rnn.LSTMCell(4)
    net = nn.HybridLambda(lambda F, x: cell.unroll(length, x, layout="NTC", merge_outputs=True)[0])
    net.register_child(cell)
    net.initialize()
    steps = compile_steps(net, nd.ones((2, length, 3)), record=True, measure=False)
    lines = sum(len(runs) for runs in steps.call.runs.values())
    assert lines > 30 * length and len(asked) < 12 * lines


def test_buffers_fill_and_are_freed_while_the_program_runs() -> None:
    net = nn.HybridLambda(lambda F, x: F.sum(F.dot(F.dot(x, x), x)))
    steps = compile_steps(net, nd.ones((100, 100)), measure=False)
    live = [len(s.live) for s in steps.chapter("run").steps]
    assert any(after < before for before, after in itertools.pairwise(live))


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize("name", networks.NETWORKS)
def test_a_program_with_memory_of_its_own_is_watched_too(name: str, record: bool) -> None:
    net, inputs = networks.make(name)
    expected = flat(net(*inputs))
    net.hybridize(static_alloc=True, static_shape=True)
    steps = compile_steps(net, *inputs, record=record)
    assert [s.line for s in steps.chapter("run").steps] == list(range(2, len(steps.programs["forward"].lines) + 1))
    for half, buffers in steps.buffers.items():
        assert buffers, half
        for buffer in buffers:
            for a, b in itertools.pairwise(buffer.bars):
                assert a.last <= b.first
    if not record:
        results = steps.chapter("run").steps[-1].run.results
        for array, summary in zip(expected, results, strict=False):
            assert summary.first == pytest.approx(first_numbers(array), rel=1e-4, abs=1e-6)


# --- nothing is changed, and errors -----------------------------------------------------------------


def test_the_net_is_as_before() -> None:
    net, x = make()
    mx.random.seed(5)
    expected = nd.random.uniform(shape=(3,)).asnumpy()
    mx.random.seed(5)
    steps = compile_steps(net, x, record=True, measure=False)
    assert (nd.random.uniform(shape=(3,)).asnumpy() == expected).all()
    assert not net._active and net.programs == [] and net.hidden.weight.shape == (10, 0)
    assert steps.call.program is not None


def test_running_statistics_are_not_touched() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=2), nn.BatchNorm(in_channels=3))
    net.initialize()
    before = net[1].running_mean.data().asnumpy()
    steps = compile_steps(net, nd.ones((4, 2)) * 5, record=True, measure=True)
    assert (net[1].running_mean.data().asnumpy() == before).all()
    assert any("running_mean" in s.text for c in steps.chapters if c.title == "split" for s in c.steps)


def test_a_tracing_function_that_was_there_is_there_again() -> None:
    def tracer(*_: Any) -> None:
        return None

    net, x = make()
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        compile_steps(net, x, measure=False)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


@pytest.mark.parametrize(
    ("net", "message"),
    [(nn.Sequential(), "use HybridSequential"), (gluon.Block(), "not a HybridBlock"), (3, "int is not a HybridBlock")],
)
def test_only_hybrid_blocks_are_compiled(net: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        compile_steps(net, nd.ones((2,)))


def test_inputs_are_needed() -> None:
    with pytest.raises(TypeError, match="needs inputs"):
        compile_steps(make()[0])


def test_an_error_of_the_net_becomes_the_last_chapter_and_leaves_nothing_behind() -> None:
    net = nn.HybridLambda(lambda F, x: F.relu(x) + x.shape[0])
    tracer_before = sys.gettrace()
    steps = compile_steps(net, nd.ones((2,)))
    assert isinstance(steps.error, AttributeError) and not net._active and not net.programs
    assert not events.node_made and new_source() is None and sys.gettrace() is tracer_before


class FailsWhenTraced(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = F.relu(x)
        print("y is", type(y).__name__)
        half = y // 2
        return half + 1


class FailsInInference(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = F.relu(x)
        return y + F.ones((1, 3))


class FailsAtWork(mx.operator.CustomOp):
    def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        raise ValueError("of the operator")

    def backward(self, *arguments: Any, **named: Any) -> None:
        raise ValueError("of its gradient")


@mx.operator.register("fails_at_work")
class FailsAtWorkProp(mx.operator.CustomOpProp):
    def create_operator(self, *arguments: Any) -> Any:
        return FailsAtWork()


class FailsWhenRun(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.Custom(F.exp(x), op_type="fails_at_work") + 1


def too_wide() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(4, in_units=7), nn.Dense(3))
    return net


@pytest.mark.parametrize(
    ("make_net", "kinds", "line", "said"),
    [
        (FailsWhenTraced, ["trace"], "half = y // 2", "+ half = F.floor(y / 2)"),
        (FailsInInference, ["trace", "infer"], "return y + F.ones((1, 3))", "+ return F.broadcast_add(y, F.ones"),
        (too_wide, ["trace", "infer"], "net.add(nn.Dense(4, in_units=7), nn.Dense(3))", "data (2, 3), dense"),
        (
            FailsWhenRun,
            ["trace", "infer", "unchanged", "memory", "code", "run"],
            'raise ValueError("of the operator")',
            "of the operator",
        ),
    ],
)
def test_of_a_net_that_fails_the_steps_tell_how_far_it_came(
    make_net: Any, kinds: list[str], line: str, said: str
) -> None:
    net = make_net()
    net.initialize()
    steps = compile_steps(net, nd.ones((2, 3)), measure=False)
    assert [c.kind for c in steps.chapters] == [*kinds, "failed"]
    (step,) = steps.chapter("failed").steps
    assert step.failure is not None and step.failure.place is not None
    source, number = step.failure.place
    assert steps.sources[source].lines[number - steps.sources[source].first].strip() == line
    assert str(steps.error).split("\n")[0] in step.failure.problem.message
    for form in (steps.to_text(), steps.to_html()):
        assert said in form.replace("&quot;", '"') and line.split("(")[0] in form
    data = steps.to_dict()
    assert data["milestones"][-1]["x"][0] == step.failure.place and not data["saved"]
    assert json.loads(to_json(data)) == json.loads(json.dumps(data))


def test_of_a_trace_that_fails_the_nodes_are_there_that_were_made() -> None:
    steps = compile_steps(FailsWhenTraced(), nd.ones((2, 3)))
    trace = steps.chapter("trace").steps
    assert [s.printed for s in trace if s.printed] == ["y is Symbol\n"]
    last = steps.chapter("failed").steps[-1]
    assert [steps.nodes[n].op for n in steps.drawings[last.drawing].nodes] == ["", "relu"]
    assert not any("No result needs it" in s.why for s in trace), "nobody knows, for there is no result"
    before = compile_steps(nn.HybridLambda(lambda F, x: x.shape), nd.ones((2,)))
    assert before.chapter("failed").steps[-1].drawing == -1


def test_the_node_that_refuses_its_inputs_is_marked() -> None:
    steps = compile_steps(FailsInInference(), nd.ones((2, 3)))
    step = steps.chapter("failed").steps[-1]
    assert [steps.nodes[n].op for n in step.marks["failed"]] == ["elemwise_add"]
    shapes = {steps.nodes[n].op: t for s in steps.chapter("infer").steps for n, t in s.types.items()}
    assert shapes == {"": "2×3", "relu": "2×3", "_ones": "1×3"}


def test_a_way_back_that_fails_is_told_after_the_run() -> None:
    class Fine(FailsAtWork):
        def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            self.assign(out_data[0], req[0], in_data[0])

    @mx.operator.register("fails_on_the_way_back")
    class FineProp(mx.operator.CustomOpProp):
        def create_operator(self, *arguments: Any) -> Any:
            return Fine()

    net = nn.HybridSequential()
    net.add(nn.Dense(2), nn.HybridLambda(lambda F, x: F.Custom(x, op_type="fails_on_the_way_back")))
    net.initialize()
    steps = compile_steps(net, nd.ones((2, 3)), record=True, measure=False)
    assert steps.call.came_to == "backward" and "of its gradient" in str(steps.error)
    assert "backward pass fails" in steps.chapter("failed").steps[-1].text


# --- what is shown ----------------------------------------------------------------------------------


def test_the_data_are_plain_and_small() -> None:
    net, x = make()
    steps = compile_steps(net, x, record=True)
    data = steps.to_dict()
    assert json.loads(to_json(data)) == json.loads(json.dumps(data))
    assert len(to_json(data)) < 30_000
    assert len(steps.to_html()) < 50_000


def test_of_a_large_net_a_part_is_sent_and_a_note_says_so() -> None:
    net = nn.HybridSequential()
    for _ in range(90):
        net.add(nn.Dense(3, activation="relu"))
    net.initialize()
    steps = compile_steps(net, nd.ones((1, 3)), measure=False)
    data = steps.to_dict()
    assert len(to_json(data)) < 200_000
    assert any("left out" in note for note in data["notes"]) and any("nodes" in note for note in data["notes"])
    assert len(steps.chapter("trace").steps) > 200  # in Python everything is there


def test_steps_can_be_read_in_chinese() -> None:
    net, x = make()
    with mx.config(lang="zh"):
        steps = compile_steps(net, x, record=True, measure=False)
        data = steps.to_dict()
    told = [s.why for c in steps.chapters if c.kind not in ("pass", "unchanged") for s in c.steps if s.why]
    words = [s.text for s in steps.steps] + told + [c.title for c in steps.chapters if c.kind != "pass"]
    english = [w for w in words if not any("\u4e00" <= letter <= "\u9fff" for letter in w)]
    assert not english
    assert data["words"]["Graph"] == "计算图"


def test_the_page_without_scripts_has_every_chapter() -> None:
    net, x = make()
    steps = compile_steps(net, x, record=True, measure=False)
    page = steps.to_html()
    assert page.count("<details") == len(steps.chapters)
    assert "data:image/svg+xml," in page and "<svg" not in page and "<script" not in page


def test_recording_can_be_switched_on_later() -> None:
    net, x = make()
    steps = compile_steps(net, x, measure=False)
    assert "backward" not in steps.programs
    steps.set_record(True)
    assert "backward" in steps.programs and steps.chapter("run", "backward")


# --- any net ----------------------------------------------------------------------------------------

STEPS = ["relu", "tanh", "twice", "same", "times", "square", "turn", "dense", "constant", "again", "copy"]


class Random(nn.HybridBlock):
    def __init__(self, what: list[str]) -> None:
        super().__init__()
        self.what = what
        self.dense = nn.Dense(3, flatten=False, in_units=3)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        for what in self.what:
            if what == "relu":
                x = F.relu(x)
            elif what == "tanh":
                x = F.tanh(x)
            elif what == "twice":
                x = F.sin(x) + F.sin(x)
            elif what == "same":
                x = x * 1
            elif what == "times":
                x = x * 2 * 0.5
            elif what == "square":
                x = F.square(x)
            elif what == "turn":
                x = F.transpose(F.transpose(x))
            elif what == "dense":
                x = self.dense(x)
            elif what == "constant":
                x = F.broadcast_add(x, F.ones((1, 3)) * 2)
            elif what == "again":
                x = F.elemwise_mul(x, x)
            else:
                x = F.identity(x)
        return x


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(STEPS), min_size=1, max_size=7), st.booleans())
def test_the_steps_of_any_net_are_what_ran(what: list[str], record: bool) -> None:
    net = Random(what)
    net.initialize(mx.init.Uniform(0.5))
    x = nd.array(numpy.random.RandomState(1).normal(size=(3, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a net that does not use its layer
        expected = net(x).asnumpy()
        steps = compile_steps(net, x, record=record, measure=False)
    program = steps.call.program
    made = [s for s in steps.chapter("trace").steps if s.focus and s.visible >= 0]
    assert len(made) == sum(n.op is not None for n in program.stages[0].graph.nodes)
    for before, after in itertools.pairwise(program.stages):
        check_comparison(before.graph, after.graph)
    run = steps.chapter("run").steps[-1].run
    assert run.results[0].first == pytest.approx(summary_of(expected).first, rel=1e-3, abs=1e-5)
    assert json.loads(to_json(steps.to_dict()))


def test_the_view_begins_with_the_chapter_that_was_asked_for() -> None:
    net = nn.HybridLambda(lambda F, x: F.tanh(F.sin(x) * F.cos(x)))
    data = (steps := compile_steps(net, nd.ones((2, 2)), start="memory")).to_dict()
    assert data["milestones"][data["at"]]["c"] == "Memory"
    (opened,) = steps.to_html().split("<details open>")[1:]
    assert "Memory" in opened[:90], "the static page opens the same chapter, and no other"
    assert compile_steps(net, nd.ones((2, 2))).to_dict()["at"] == 0
    with pytest.raises(KeyError, match=r"no chapter 'pass' with half='backward'\. The chapters with half='backward' "):
        steps.chapter("pass", "backward")
    with pytest.raises(ValueError, match=r"one of 'trace', 'infer', .*, not 'memries'"):
        compile_steps(net, nd.ones((2, 2)), start="memries")
    failing = nn.HybridLambda(lambda F, x: F.tanh(x).asnumpy())
    data = compile_steps(failing, nd.ones((2, 2))).to_dict()
    assert "x" in data["milestones"][data["at"]], "an error is what a person came for"
