"""The profiler: operators, gradients and lines of programs with their times, in a file and in tables."""

from __future__ import annotations

import json

import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, profiler


@pytest.fixture
def run(tmp_path):
    """Run a function with the profiler on; return its events and its table."""

    def measure(work):
        file = tmp_path / "trace.json"
        profiler.set_config(profile_all=True, aggregate_stats=True, filename=file)
        profiler.dumps(reset=True)
        profiler.set_state("run")
        try:
            work()
        finally:
            profiler.set_state("stop")
        table = json.loads(profiler.dumps(format="json"))
        profiler.dump()
        return json.loads(file.read_text())["traceEvents"], table["Time"]

    yield measure
    profiler.set_state("stop")
    profiler.dumps(reset=True)
    profiler.set_config()


def test_operators_and_their_gradients_are_counted(run):
    def work():
        x = nd.ones((4, 4))
        x.attach_grad()
        with autograd.record():
            y = nd.dot(x, x) + 1
            y = y + 2
        y.backward()

    spans, table = run(work)
    assert table["operator"]["_plus_scalar"]["Count"] == 2
    assert table["operator"]["_backward_dot"]["Count"] == 1
    named = [e for e in spans if e["name"] == "dot"]
    assert len(named) == 1
    assert named[0]["ph"] == "X"
    assert named[0]["dur"] > 0


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}], ids=str)
def test_lines_of_programs_are_noted_down_and_compute_the_same(run, flags):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(8, activation="relu"), gluon.nn.Dense(2))
    net.initialize()
    net.hybridize(**flags)
    x = nd.random.normal(shape=(3, 5))
    for _ in range(3):
        expected = net(x).asnumpy()  # by the quickest way
    found = []

    def work():
        found.append(net(x).asnumpy())
        with autograd.record():
            y = net(x)
        y.backward()

    spans, _ = run(work)
    assert (found[0] == expected).all()
    lines = [e["args"]["line"] for e in spans if e.get("args", {}).get("line")]
    assert any("dot(" in line for line in lines)
    assert {e["args"]["program"].split(": ")[1] for e in spans if "program" in e.get("args", {})} == {
        "forward>", "backward>"
    }  # fmt: skip
    assert (net(x).asnumpy() == expected).all()


def test_what_a_program_says_itself_is_in_the_file(run):
    def work():
        domain = profiler.Domain("mine")
        with domain.new_task("task"):
            pass
        domain.new_frame("frame").start()
        profiler.Event("nothing begun").stop()
        counter = domain.new_counter("counter", 5)
        counter += 2
        counter -= 4
        domain.new_marker("now").mark("thread")

    events, table = run(work)
    by_name = {}
    for e in events:
        by_name.setdefault(e["name"], []).append(e)
    assert [e["args"]["counter"] for e in by_name["counter"]] == [5, 7, 3]
    assert by_name["now"][0]["s"] == "t"
    assert "frame" not in by_name  # never ended
    assert table["mine"]["task"]["Count"] == 1
    rows = {e["pid"]: e["args"]["name"] for e in by_name["process_name"]}
    assert rows[by_name["task"][0]["pid"]] == "mine"


def test_nothing_is_noted_down_while_it_is_off(run):
    def work():
        profiler.pause()
        nd.ones(3) + 1
        profiler.resume()
        nd.ones(3) * 2

    nd.ones(3) - 1
    _, table = run(work)
    assert "_plus_scalar" not in table["operator"]
    assert "_minus_scalar" not in table["operator"]
    assert "_mul_scalar" in table["operator"]


def test_an_operator_that_fails_leaves_the_others_right(run):
    def work():
        with pytest.raises(mx.MXNetError):
            nd.dot(nd.ones((2, 3)), nd.ones((2, 3)))
        nd.ones(3) + 1

    _, table = run(work)
    assert "dot" not in table["operator"]
    assert table["operator"]["_plus_scalar"]["Count"] == 1


def test_custom_operators_have_a_table_of_their_own(run):
    class Op(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] + 1)

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            self.assign(in_grad[0], req[0], out_grad[0])

    @mx.operator.register("profiled")
    class Prop(mx.operator.CustomOpProp):
        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Op()

    def work():
        x = nd.ones(3)
        x.attach_grad()
        with autograd.record():
            y = nd.Custom(x, op_type="profiled")
        y.backward()

    _, table = run(work)
    custom = table["Custom Operator"]
    assert {"profiled::pure_python", "_backward_profiled::pure_python", "profiled::_plus_scalar"} <= set(custom)


@pytest.mark.parametrize("sort_by", ["total", "avg", "min", "max", "count"])
@pytest.mark.parametrize("ascending", [True, False])
def test_tables_are_sorted(run, sort_by, ascending):
    run(lambda: [nd.ones(3) + i for i in range(3)])
    table = json.loads(profiler.dumps(format="json", sort_by=sort_by, ascending=ascending))["Time"]["operator"]
    values = [row[sort_by.capitalize()] for row in table.values()]
    assert values == sorted(values, reverse=not ascending)
    text = profiler.dumps(sort_by=sort_by, ascending=ascending)
    assert "Profile Statistics:" in text
    assert all(len(line) < 110 for line in text.splitlines())


MISTAKES = {
    "a keyword": (lambda: profiler.set_config(profile_al=True), mx.MXNetError, "Cannot find argument 'profile_al'"),
    "a truth": (
        lambda: profiler.set_config(profile_all="x"),
        mx.MXNetError,
        "Invalid Parameter format for profile_all",
    ),
    "a state": (lambda: profiler.set_state("walk"), KeyError, "walk"),
    "a form": (lambda: profiler.dumps(format="x"), AssertionError, "Invalid value provided for format: x"),
    "an order": (lambda: profiler.dumps(sort_by="x"), AssertionError, "Invalid value provided for sort_by: x"),
    "a scope": (lambda: profiler.Marker(profiler.Domain("d"), "m").mark("x"), mx.MXNetError, "Invalid Input: 'x'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name):
    make, kind, message = MISTAKES[name]
    with pytest.raises(kind, match=message):
        make()


def test_features_are_named():
    features = mx.runtime.Features()
    assert features is mx.runtime.Features()
    assert len(features) >= 30
    assert features.is_enabled("profiler")
    assert repr(features["TENSORRT"]) == "✖ TENSORRT"
    with pytest.raises(RuntimeError, match="Feature 'FOO' is unknown"):
        features.is_enabled("foo")
