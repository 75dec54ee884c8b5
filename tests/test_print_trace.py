"""PrintTrace shows what ran: the lines, the prints, the values, the reason."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import d2lhybrid as mx
from d2lhybrid import autograd, nd, print_trace
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.print_trace_forms import STATES
from d2lhybrid.internals.pictures.values import describe


class Gate(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.scale = 2

    def hybrid_forward(self, F, x):
        print("the gate is", self.scale)
        if self.scale > 1:
            x = x * self.scale
        else:
            x = x + 1
        return F.relu(x)


class Net(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(4, in_units=3)
        self.gate = Gate()
        self.calls = 0

    def hybrid_forward(self, F, x):
        """Two layers."""
        print("x is", type(x).__name__)
        self.calls += 1
        noise = random.random()
        for i in range(3):
            x = x + noise * i
        # nothing to run
        y = self.hidden(x)
        return self.gate(y)


def make(kind=Net):
    mx.random.seed(1)
    random.seed(1)
    net = kind()
    net.initialize()
    return net


X = nd.array([[1, 2, 3]])


def states(call, trace, title):
    """Return {text of the line: state} of a function in a call."""
    (source,) = [s for s in trace.sources if s.listing.title == title]
    return {line.text.strip(): call.state(source, line.number) for line in source.listing.lines}


def values(visit):
    """Return the texts of all values of a visit, by name."""
    return {name: [v.text for v in found] for names in visit.values.values() for name, found in names.items()}


@pytest.fixture(autouse=True)
def everything_is_as_before():
    before = sys.gettrace(), sys.stdout
    yield
    assert (sys.gettrace(), sys.stdout) == before


# --- what ran -----------------------------------------------------------------------------------------


def test_before_hybridize_while_traced_and_after():
    trace = print_trace(make(), X)
    assert [call.kind for call in trace.calls] == ["eager", "traced", "compiled"]
    assert [call.printed.split("\n")[0] for call in trace.calls] == ["x is NDArray", "x is Symbol", ""]
    assert [[(v.path, v.symbolic) for v in call.visits] for call in trace.calls] == [
        [("self", False), ("self.gate", False)],
        [("self", True), ("self.gate", True)],
        [],
    ]
    assert [call.before for call in trace.calls] == [[], ["net.hybridize()"], []]
    assert trace.calls[1].output == trace.calls[2].output != trace.calls[0].output  # its noise is frozen


def test_every_line_has_its_state():
    trace = print_trace(make(), X)
    eager, traced, compiled = (states(call, trace, "Net.hybrid_forward") for call in trace.calls)
    assert set(eager.values()) == {"e", " "}
    for text in ("def hybrid_forward(self, F, x):", '"""Two layers."""', "# nothing to run"):
        assert eager[text] == traced[text] == compiled[text] == " "
    for text in ('print("x is", type(x).__name__)', "self.calls += 1", "for i in range(3):"):
        assert (eager[text], traced[text], compiled[text]) == ("e", "p", "s")
    for text in ("x = x + noise * i", "y = self.hidden(x)"):
        assert (eager[text], traced[text], compiled[text]) == ("e", "t", "c")
    eager, traced, compiled = (states(call, trace, "Gate.hybrid_forward") for call in trace.calls)
    other_way = "x = x + 1"
    assert eager[other_way] == traced[other_way] == compiled[other_way] == "s"
    assert traced["x = x * self.scale"] == "t" and compiled["x = x * self.scale"] == "c"


def test_another_net_another_trace():
    net = make()
    net.gate.scale = 0
    trace = print_trace(net, X)
    eager, traced, compiled = (states(call, trace, "Gate.hybrid_forward") for call in trace.calls)
    assert (eager["x = x * self.scale"], eager["x = x + 1"]) == ("s", "e")
    assert (traced["x = x + 1"], compiled["x = x + 1"]) == ("t", "c")
    assert "the gate is 0" in trace.calls[0].printed


def test_values_are_those_of_the_run():
    trace = print_trace(make(), X)
    seen = values(trace.calls[0].visits[0])
    assert seen["F"] == ["d2lhybrid.ndarray"] and seen["x"][-1].startswith("NDArray 1×3 float32 [[")
    assert seen["i"] == ["0", "1", "2"] and seen["self.calls"] == ["1"]
    noise = float(seen["noise"][0])
    random.seed(1)
    assert noise == random.random()
    assert [v.text for v in trace.calls[0].visits[0].values[0]["x"]] == ["NDArray 1×3 float32 [[1 2 3]]"]
    seen = values(trace.calls[1].visits[0])
    assert seen["F"] == ["d2lhybrid.symbol"] and seen["x"][0].startswith("<Symbol net") and seen["self.calls"] == ["2"]
    assert [v.text for v in trace.calls[1].visits[0].values[0]["x"]] == ["<Symbol data>"]
    gate = trace.calls[0].visits[1]
    assert gate.returned is not None and gate.returned[1].kind == "array"
    assert gate.returned[1].text == trace.calls[0].output


def test_values_changed_in_place_are_seen():
    class InPlace(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            y = x * 1
            y += 2
            y[0] = 7
            return y

    trace = print_trace(InPlace(), nd.array([1, 2]), calls=1)
    numbers = [text.split("[")[1] for text in values_in_order(trace.calls[0].visits[0], "y")]
    assert numbers == ["1 2]", "3 4]", "7 4]"]


def values_in_order(visit, name):
    return [v.text for line in sorted(visit.values) for v in visit.values[line].get(name, [])]


def test_prints_stand_at_their_lines(capsys):
    trace = print_trace(make(), X, calls=1)
    net, gate = trace.calls[0].visits
    assert list(net.printed.values()) == ["x is NDArray\n"] and list(gate.printed.values()) == ["the gate is 2\n"]
    assert trace.calls[0].printed == "x is NDArray\nthe gate is 2\n"
    assert not capsys.readouterr().out, "above the picture it would tell before one is asked"
    with print_trace(trace.net):
        trace.net(X)
    assert capsys.readouterr().out.startswith("x is "), "who calls the net herself reads what it prints"


ACTIONS = st.lists(st.sampled_from(["call", "more rows", "train", "hybridize", "off", "scale"]), max_size=8)


def perform(net, actions):
    """Do something to a net; return what came out."""
    out, rows = [], 1
    for action in actions:
        rows += action == "more rows"
        x = nd.ones((rows, 3))
        if action == "hybridize":
            net.hybridize()
        elif action == "off":
            net.hybridize(False)
        elif action == "scale":
            net.gate.scale += 1
        elif action == "train":
            with autograd.record():
                y = net(x)
            y.backward()
            out.append(y.asnumpy().tolist())
        else:
            out.append(net(x).asnumpy().tolist())
    return out


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(ACTIONS)
def test_a_watched_net_prints_and_computes_what_it_does_unwatched(actions):
    printed, watched = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed):
        expected = perform(make(), actions)
    net = make()
    with contextlib.redirect_stdout(watched), print_trace(net) as trace:
        found = perform(net, actions)
    assert found == expected
    assert watched.getvalue() == printed.getvalue() == "".join(call.printed for call in trace.calls)
    assert len(trace.calls) == len(expected)
    for call in trace.calls:  # who prints has run
        assert bool(call.printed) == bool(call.visits) == (call.kind in ("eager", "traced"))
    json.dumps(trace.to_dict())


def test_functions_beside_the_block_are_seen_too():
    def helper(F, x):
        return F.relu(x)

    class Helped(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return sum([helper(F, x) for _ in range(2)])

    trace = print_trace(Helped(), X, calls=1)
    assert [v.code.co_name for v in trace.calls[0].visits] == ["hybrid_forward", "helper", "helper"]
    assert set(states(trace.calls[0], trace, "Helped.hybrid_forward").values()) == {" ", "e"}


# --- why ------------------------------------------------------------------------------------------------


def test_reasons():
    net = make()
    trace = print_trace(net, X)
    assert "not hybridized" in trace.calls[0].reason and "first call" in trace.calls[1].reason
    trace.new_shape()
    assert trace.calls[-1].kind == "recompiled" and not trace.calls[-1].visits
    assert "the shape of data changed from (1, 3) to (2, 3)" in trace.calls[-1].reason
    trace.hybridize()
    assert trace.pending == ["net.hybridize()"] and len(trace.calls) == 4
    trace.again()
    assert trace.calls[-1].kind == "traced" and "hybridize() was called" in trace.calls[-1].reason
    with autograd.record():
        trace.again()
    assert trace.calls[-1].kind == "recompiled" and "training mode" in trace.calls[-1].reason
    trace.hybridize(False)
    trace.again()
    assert trace.calls[-1].kind == "eager" and trace.calls[-1].before == ["net.hybridize(False)"]


def test_shapes_are_found_by_a_trace_of_its_own():
    class Late(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(2, 0), allow_deferred_init=True)

        def hybrid_forward(self, F, x, weight):
            print(type(x).__name__)
            return F.FullyConnected(x, weight, no_bias=True, num_hidden=2)

    net = make(Late)
    trace = print_trace(net, X, calls=1)
    assert trace.calls[0].kind == "eager" and [v.symbolic for v in trace.calls[0].visits] == [True, False]
    assert "to find the shapes" in trace.calls[0].reason


def test_a_block_with_hybrid_parts():
    class Outer(nn.Block):
        def __init__(self):
            super().__init__()
            self.gate = Gate()

        def forward(self, x):
            return self.gate(x)

    trace = print_trace(make(Outer), X)
    assert [call.kind for call in trace.calls] == ["eager", "traced", "eager"]
    assert "self.gate was traced" in trace.calls[1].reason
    assert [[v.path for v in call.visits] for call in trace.calls[1:]] == [["self", "self.gate"], ["self"]]
    assert states(trace.calls[2], trace, "Outer.forward")["return self.gate(x)"] == "e"
    assert states(trace.calls[2], trace, "Gate.hybrid_forward")["return F.relu(x)"] == "c"


# --- what is frozen ---------------------------------------------------------------------------------------


def frozen(call, trace):
    lines = {(s.listing.filename, line.number): line.text.strip() for s in trace.sources for line in s.listing.lines}
    return {(lines[f.filename, f.line], f.text) for f in call.frozen}


def test_what_is_frozen_stands_at_its_line_with_its_value():
    trace = print_trace(make(), X)
    eager, traced, compiled = (frozen(call, trace) for call in trace.calls)
    assert not eager and traced == compiled
    noise = values(trace.calls[1].visits[0])["noise"][0]
    assert ("noise = random.random()", f"drawn once: always {noise}") in traced
    assert ("for i in range(3):", "unrolled: always run 3 times") in traced
    assert ("if self.scale > 1:", "decided: always taken") in traced
    assert ("x = x * self.scale", "self.gate.scale is frozen at 2") in traced
    assert ("self.calls += 1", "only a traced call changes self.calls: it stays 2") in traced


def test_a_changed_attribute_is_not_what_the_graph_has():
    trace = print_trace(make(), X)
    trace.set_attribute("self.gate.scale", "5")
    assert trace.net.gate.scale == 5 and trace.pending == ["net.gate.scale = 5"]
    trace.again()
    call = trace.calls[-1]
    assert call.kind == "compiled" and call.output == trace.calls[1].output
    stale = {f.text for f in call.frozen if f.stale}
    assert stale == {"self.gate.scale is frozen at 2, although it is 5 now"}
    trace.hybridize()
    trace.again()
    assert "self.gate.scale is frozen at 5" in {f.text for f in trace.calls[-1].frozen}


# --- everything stays as it was -------------------------------------------------------------------------


class Fails(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        y = x * 2
        return y.reshape(y.shape)


def test_a_net_that_cannot_be_traced():
    net = Fails()
    trace = print_trace(net, X)
    assert [call.kind for call in trace.calls] == ["eager", "failed"]
    call = trace.calls[1]
    assert call.error.startswith("AttributeError: 'Symbol' object has no attribute 'shape'")
    assert "while tracing Fails.hybrid_forward" in call.error and not call.output
    assert states(call, trace, "Fails.hybrid_forward")["return y.reshape(y.shape)"] == "p"
    assert net._active is False and net(X).shape == X.shape
    assert call.error.split("\n")[0] in trace.to_text() and "no attribute" in trace.to_html()


def test_an_error_passes_through_the_context():
    net = Fails()
    net.hybridize()
    with pytest.raises(AttributeError, match="no attribute 'shape'"), print_trace(net) as trace:
        net(X)
    assert trace.calls[0].kind == "failed"


def test_an_error_that_the_user_catches_is_no_failure():
    class Catches(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            with contextlib.suppress(ValueError):
                raise ValueError
            return x * 2

    trace = print_trace(Catches(), X)
    assert [call.kind for call in trace.calls] == ["eager", "traced", "compiled"]
    assert trace.calls[0].output.endswith("[[2 4 6]]")


def test_whoever_traced_before_goes_on():
    seen = []

    def other(frame, event, argument):
        seen.append(frame.f_code.co_name)

    before = sys.gettrace()
    sys.settrace(other)
    try:
        with print_trace(make()) as trace:
            trace.net(X)
        assert sys.gettrace() is other
    finally:
        sys.settrace(before)
    assert len(trace.calls) == 1


def test_other_threads_are_left_alone(capsys):
    net = make()
    with print_trace(net) as trace:
        thread = threading.Thread(target=net, args=(X,))
        thread.start()
        thread.join()
    assert not trace.calls
    assert capsys.readouterr().out == "x is NDArray\nthe gate is 2\n"


def test_nothing_stays_behind():
    net, twin = make(), make()
    print_trace(net, X)
    with contextlib.redirect_stdout(io.StringIO()):
        twin(X)
        twin.hybridize()
        twin(X), twin(X)
    for one, other in ((net, twin), (net.gate, twin.gate), (net.hidden, twin.hidden)):
        assert vars(one).keys() == vars(other).keys()


def test_the_same_trace_can_be_entered_again():
    net = make()
    trace = print_trace(net)
    for _ in range(2):
        with trace:
            net(X)
        net(X)  # nobody watches
    assert [call.number for call in trace.calls] == [1, 2]


# --- what can be tried ------------------------------------------------------------------------------------


def test_a_shape_that_the_net_refuses():
    trace = print_trace(make(), X)
    trace.new_shape("(2, 7)")
    assert trace.calls[-1].kind == "failed" and trace.calls[-1].error
    trace.again()
    assert trace.calls[-1].kind == "compiled" and "1×3" in trace.calls[-1].inputs


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda t: t.new_shape("two"), "A shape must be a tuple of non-negative integers, such as (2, 3), not 'two'"),
        (lambda t: t.new_shape("(2, -3)"), "A shape must be a tuple of non-negative integers"),
        (lambda t: t.new_shape("(1000, 1000, 1000)"), "at most 1,000,000 elements, not 1,000,000,000"),
        (
            lambda t: t.set_attribute("self.nothing", 1),
            "set_attribute cannot set self.nothing. Attributes that it can set: self.calls, self.gate.scale",
        ),
        (lambda t: t.look("up"), "what must be 'memory', 'times', or 'check', not 'up'"),
        (lambda t: print_trace(t.net, X, calls=0), "calls must be at least 1, not 0"),
    ],
)
def test_bad_input(act, message):
    trace = print_trace(make(), X)
    before = len(trace.calls)
    with pytest.raises(ValueError, match=re.escape(message)):
        act(trace)
    assert len(trace.calls) == before


def test_what_cannot_be_watched():
    with pytest.raises(TypeError, match=r"print_trace needs a Block, a module of PyTorch .*, not int"):
        print_trace(3, X)
    with pytest.raises(TypeError, match="needs arrays as inputs, not 'x'"):
        print_trace(make(), "x")
    trace = print_trace(make())
    for act in (trace.again, trace.new_shape):
        with pytest.raises(ValueError, match="The net has not been called yet"):
            act()


def test_memory_times_and_differences_are_one_step_away():
    trace = print_trace(make(), X, calls=1)
    trace.look("memory")
    assert "There is no program yet" in trace.panel.to_text()  # said where the answer would stand
    trace.hybridize()
    trace.again()
    trace.look("memory")
    (plan,) = trace.panel.parts
    lives = trace.net.programs[-1].forward.plan.lifetimes.values()
    assert sorted((r["name"], r["from"]) for r in plan["rows"]) == sorted((life.name, life.start) for life in lives)
    assert re.search(r"forward: \d+ values, at most \d+ (bytes|kB) at once", plan["title"])
    assert all(0 <= r["from"] <= r["to"] < plan["count"] for r in plan["rows"])
    assert sum(r["result"] for r in plan["rows"]) == 1
    trace.look("times")
    once, own, lines = trace.panel.parts
    written = [line.text.strip() for source in trace.sources for line in source.listing.lines]
    assert own["rows"] and all(r["line"].strip() in written for r in own["rows"])
    assert all(r["where"].startswith("line ") for r in own["rows"])
    assert "traced (1×) and compiled (1×)" in once["text"] and "first call" in once["text"]
    source = trace.net.programs[-1].forward.text
    assert lines["rows"] and all(r["line"].strip() in source for r in lines["rows"])
    assert not re.search("TensorFlow|JAX|PyTorch|flops", trace.panel.to_text())
    trace.look("check")
    assert "The first operator whose result differs" in trace.panel.to_text()
    pages = [r["page"] for p in trace.panel.parts for r in p["rows"] if r["page"]]
    assert pages and all(page["wrong"] != page["right"] and page["text"] for page in pages)
    trace.look("")
    assert trace.panel is None


class TwoInOneLine(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        y = x * 2
        z = F.exp(y) + F.sin(y)
        return F.relu(z)


@pytest.mark.parametrize(("size", "lines", "groups"), [(3, [1, 3, 1], 3), (600, [1, 1, 1], 1)])
def test_a_line_has_its_generated_lines_their_memory_and_their_time(size, lines, groups):
    trace = print_trace(TwoInOneLine(prefix="two_"), nd.ones((size, 600)))
    compiled = trace.to_dict()["calls"][2]
    assert [len(compiled["made"][f"0,{i}"]) for i in (1, 2, 3)] == lines, "large arrays' operators are fused"
    text = trace.net.programs[-1].forward.text.splitlines()
    for rows in compiled["made"].values():
        for kind, number, told in rows:
            assert kind == "made" and told.startswith(text[int(number) - 1].strip()) and "µs" not in told
            assert told.endswith(f"{2400 * size / 1024:.3g} kB" if size == 3 else "1.37 MB")
    assert not trace.to_dict()["calls"][1]["made"]
    trace.look("times")
    own = trace.panel.parts[1]["rows"]
    assert len(own) == groups and sum(row["line"].count("⏎") + 1 for row in own) == 3
    assert all("µs" in told for rows in trace.to_dict()["calls"][2]["made"].values() for *_, told in rows)
    trace.new_shape((size + 1, 600))
    assert trace.calls[-1].kind != "compiled" and not trace.times, "another program has other times"


# --- its forms --------------------------------------------------------------------------------------------


def test_all_forms_say_the_same():
    trace = print_trace(make(), X)
    data, text, page = trace.to_dict(), trace.to_text(), trace.to_html()
    assert json.loads(json.dumps(data)) == data
    for call in trace.calls:
        assert call.reason in text and call.reason in page.replace("&#x27;", "'")
    assert [set("".join(c["states"])) for c in data["calls"]] == [
        {" ", "e", "s"},
        {" ", "p", "s", "t"},
        {" ", "c", "s"},
    ]
    assert set("".join(s for c in data["calls"] for s in c["states"])) - {" "} == set(STATES)
    assert len(json.dumps(data)) + len(page) + len(text) < 60_000


def test_a_page_is_not_written_by_the_net():
    class Odd(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            print("<script>alert(1)</script>")
            return x * 1

    page = print_trace(Odd(), X).to_html()
    assert "<script" not in page and "&lt;script&gt;" in page


def test_chinese():
    net = make()
    with mx.config(lang="zh"):
        trace = print_trace(net, X)
        trace.new_shape()
        data = trace.to_dict()
    assert [key for key, word in data["words"].items() if word == key] == []
    texts = [text for c in data["calls"] for text in (c["reason"], c["word"])]
    texts += [text for lane in data["lanes"] for text in (lane["name"], lane["about"])]
    texts += [data["ask"]["text"], data["ask"]["why"], *data["ask"]["words"].values()]
    texts += [text for c in data["calls"] for f in c["frozen"] for text in (f[2], data["remedies"][f[3]])]
    texts += [state[2] for state in data["states"].values()] + [data["frozen"][1]]
    assert [text for text in texts if not re.search(r"[\u4e00-\u9fff]", text)] == []


def test_lines_without_notes_have_none():
    assert not re.search(r"#\s*$", print_trace(make(), X).to_text(), re.MULTILINE)


@pytest.mark.slow
def test_more_runs_of_a_function_than_can_be_shown_are_counted():
    net = nn.HybridSequential()
    for _ in range(30):
        net.add(Gate())
    trace = print_trace(net, X)
    data = trace.to_dict()
    assert len(trace.calls[0].visits) == 30 and len(data["sources"]) == 1
    assert [(len(c["runs"]), c["more"]) for c in data["calls"]] == [(12, 18), (12, 18), (0, 0)]
    assert len(json.dumps(data)) < 30_000 and "30" not in trace.calls[2].printed


def test_numpy_arrays_and_nested_inputs():
    class Nested(nn.HybridBlock):
        def hybrid_forward(self, F, x, states):
            return x + states[0], [states[1] * 2]

    trace = print_trace(Nested(), X, [X, X])
    assert [call.kind for call in trace.calls] == ["eager", "traced", "compiled"]
    eager, traced, compiled = (call.output for call in trace.calls)
    assert eager == "(NDArray 1×3 float32 [[2 4 6]], [NDArray 1×3 float32 [[2 4 6]]])"
    assert traced == compiled == "[" + eager[1:-1] + "]"  # a hybridized net returns lists
    trace.new_shape()
    assert "the shape of data2 changed from (1, 3) to (2, 3)" in trace.calls[-1].reason
    with mx.util.np_array(True), mx.util.np_shape(True):
        net = make(lambda: nn.HybridLambda(lambda F, x: F.np.tanh(x) if hasattr(F, "np") else F.tanh(x)))
        trace = print_trace(net, mx.np.ones((2, 2)))
    assert [call.kind for call in trace.calls] == ["eager", "traced", "compiled"]
    assert trace.calls[2].output.startswith("ndarray 2×2")


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (nd.array([1.5]), "array", "NDArray 1 float32 [1.5]"),
        (nd.zeros((100, 100)), "array", "NDArray 100×100 float32 [[0 0 0] [0 0 0] [0 0 0 …"),
        ([nd.array([1]), None], "array", "[NDArray 1 float32 [1], None]"),
        (mx.sym.var("x"), "symbol", "<Symbol x>"),
        (mx.sym, "functions", "d2lhybrid.symbol"),
        ("a\nb", "python", "'a\\nb'"),
    ],
)
def test_values_in_words(value, kind, text):
    assert describe(value) == (kind, text)


def test_a_repr_that_fails_harms_nobody():
    class Bad:
        def __repr__(self):
            raise RuntimeError

    assert re.match("<Bad", describe(Bad()).text)


# --- its widget, without a browser ---------------------------------------------------------------------


def test_actions_of_the_widget():
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    widget = print_trace(make(), X).widget()
    widget.act("hybridize", active=False)
    assert widget.data["active"] is False and widget.data["pending"] == ["net.hybridize(False)"]
    widget.act("set_attribute", path="self.gate.scale", value="7")
    widget.act("again")
    assert widget.data["calls"][-1]["kind"] == "eager" and "the gate is 7" in widget.data["calls"][-1]["printed"]
    widget.act("new_shape", shape=widget.data["shape"])
    assert widget.data["calls"][-1]["in"].startswith("NDArray 2×3")
    widget.act("look", what="memory")
    assert "There is no program yet" in widget.data["panel"]["parts"][0]["text"]
    with pytest.raises(AttributeError, match="has no action 'close'"):
        widget.act("close")
