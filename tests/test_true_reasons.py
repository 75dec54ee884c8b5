"""Why a call was traced or compiled, and what a closer look says: each sentence is compared with a net that counts."""

from __future__ import annotations

import ast
import functools
import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from said import parsed, texts_in

import d2lhybrid as mx
from d2lhybrid import autograd, nd, print_trace
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures import net_inspection
from d2lhybrid.internals.pictures.reasons import in_words

#: What is frozen; test_true_sentences compares these.
FROZEN = {
    "{name} is frozen at {value}", "decided: always {value}", "unrolled: always {value}",
    "drawn once: always {value}", "read once: always {value}", "whether {name} is passed is decided",
    "only a traced call changes {name}: it stays {value}", "{name} is frozen at {value}, although it is {now} now",
}  # fmt: skip
#: Headings and parts of sentences.
PARTS = {
    "Does the hybridized net compute the same?",
    "In your own lines:",
    "line {n}",
    "lines {n}",
    "and {n} more",
    "Good to know:",
}
TEXTS = texts_in("reasons.py", "net_inspection.py") - FROZEN - PARTS
#: The sentences that a test of this file compares.
COMPARED: set[str] = set()
SPOKEN: list[str] = []


def about(*texts: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Note which texts a test compares; it fails where it meets none of them, or another one."""

    def note(test: Callable[..., None]) -> Callable[..., None]:
        COMPARED.update(texts)

        @functools.wraps(test)
        def check(*arguments: Any, **named: Any) -> None:
            SPOKEN.clear()
            test(*arguments, **named)
            assert SPOKEN and set(SPOKEN) <= set(texts), set(SPOKEN) - set(texts)
            if not named:  # of several cases, each has its own
                assert set(SPOKEN) == set(texts), set(texts) - set(SPOKEN)

        return check

    return note


def said(shown: str) -> list[tuple[str, dict[str, str]]]:
    """Return the texts that are shown, with their values."""
    found = parsed(shown, TEXTS)
    assert found, f"no text of the pictures: {shown}"
    SPOKEN.extend(text for text, _ in found)
    return found


def test_every_sentence_is_compared_by_a_test() -> None:
    assert COMPARED == TEXTS


class Counted(nn.HybridBlock):
    """It writes down what its lines ran with."""

    def __init__(self, units: int = 0, fails: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.runs: list[str] = []
        self.fails = fails
        if units:
            self.weight = self.params.get("weight", shape=(units, 0), allow_deferred_init=True)

    def hybrid_forward(self, F: Any, *inputs: Any, weight: Any = None) -> Any:
        self.runs.append(type(inputs[0]).__name__)
        if self.fails == type(inputs[0]).__name__:
            raise ValueError("as it was told")
        total = inputs[0] * 2
        for other in inputs[1:]:
            total = total + other
        return total if weight is None else F.FullyConnected(total, weight, no_bias=True, num_hidden=2)


class Own(nn.Block):
    """A Block, whose own lines run in every call; it has a part."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.runs: list[str] = []
        with self.name_scope():
            self.part = Counted()

    def forward(self, x: Any) -> Any:
        self.runs.append(type(x).__name__)
        return self.part(x)


def seen(act: Callable[[], Any], net: Any) -> tuple[list[str], int]:
    """Return what a net's lines ran with in an action, and how many programs it made."""
    runs, programs = len(net.runs), len(net.programs)
    act()
    return net.runs[runs:], len(net.programs) - programs


X = nd.ones((2, 3))
NO_LINE = "The compiled program ran. It only has the recorded operators, so no line of hybrid_forward ran."
EAGER = "The net was not hybridized, so Python ran hybrid_forward line by line, on arrays."
DEFERRED = "Before that, its lines ran once with Symbols, to find the shapes of the parameters."
TRACED = (
    "Traced ({why}): hybrid_forward ran once with Symbols, which have no numbers. The recorded graph was compiled, "
    "and the program computed the result."
)
AGAIN = "Traced again, because {why}: hybrid_forward ran once more with Symbols, and a new program was compiled."
FAILED = "The call failed."
FAILED_TRACING = "The call failed while hybrid_forward was traced: Symbols describe a computation and have no values."
BLOCK = "The net is a Block, not a HybridBlock: its own lines run in every call. No part of it was traced or compiled."
PART_TRACED = "The net is a Block, whose own lines run in every call. Of its parts, {paths} was traced ({why})."
PART_ANEW = "The net is a Block, whose own lines run in every call. Of its parts, {paths} was compiled again: {why}."
ONCE = "Before it could run, the net was traced ({traces}×) and compiled ({compiled}×): {why}. That took {ms:.1f} ms."
DIFFERENT = "Hybridized, the net behaves differently:"
FOUND_FROZEN = "Frozen: decided once, while the net was traced:"
CALLED = "{call} was called"
ANEW = "Compiled again without tracing, because {why}: the graph already existed, so no line of hybrid_forward ran."
COMPOSED = (
    "The input is a Symbol, so hybrid_forward ran with Symbols: its operators became part of a graph, and nothing was "
    "computed."
)
OVERRIDDEN = "The net overrides forward, whose lines run in every call, on arrays: hybridize() has no effect on them."
ALONE = (
    "Traced ({why}): hybrid_forward ran once with Symbols, which have no numbers. No program can be compiled from the "
    "recorded graph, so its operators ran one by one."
)
AGAIN_ALONE = (
    "Traced again, because {why}: hybrid_forward ran once more with Symbols. No program can be compiled from the "
    "recorded graph, so its operators ran one by one."
)
BY_OPERATOR = (
    "No program can be compiled from the recorded graph, so its operators ran one by one. "
    "No line of hybrid_forward ran."
)


@about(EAGER, TRACED, NO_LINE, ANEW, AGAIN)
def test_a_call_says_what_ran_in_it() -> None:
    net = Counted()
    trace = print_trace(net)
    acts: list[tuple[Callable[[], Any], str, list[str], int]] = [
        (lambda: net(X), EAGER, ["NDArray"], 0),
        (lambda: (net.hybridize(), net(X)), TRACED, ["Symbol"], 1),
        (lambda: net(X), NO_LINE, [], 0),
        (lambda: net(nd.ones((4, 3))), ANEW, [], 1),
        (lambda: net(nd.ones((4, 3))), NO_LINE, [], 0),
        (lambda: (net.hybridize(), net(X)), AGAIN, ["Symbol"], 1 - 2),  # it drops two programs
        (lambda: (net.hybridize(False), net(X)), EAGER, ["NDArray"], -1),
    ]
    with trace:
        for act, expected, runs, programs in acts:
            happened = seen(act, net)
            ((text, _),) = said(trace.calls[-1].reason)
            assert (text, *happened) == (expected, runs, programs)


class Masked(Counted):
    """Its result has as many rows as there are numbers above 0."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        self.runs.append(type(x).__name__)
        return F.contrib.boolean_mask(x, F.sum(x, axis=1) > 0)


@about(EAGER, ALONE, BY_OPERATOR, AGAIN_ALONE)
def test_of_a_graph_that_has_no_program_it_is_said_that_its_operators_ran() -> None:
    net = Masked()
    with print_trace(net) as trace:
        for act, expected, runs in (
            (lambda: net(X), EAGER, ["NDArray"]),
            (lambda: (net.hybridize(), net(X)), ALONE, ["Symbol"]),
            (lambda: net(X), BY_OPERATOR, []),
            (lambda: net(nd.ones((4, 3))), BY_OPERATOR, []),
            (lambda: (net.hybridize(), net(X)), AGAIN_ALONE, ["Symbol"]),
        ):
            assert seen(act, net) == (runs, 0) and not net.programs
            ((text, _),) = said(trace.calls[-1].reason)
            assert text == expected


@pytest.mark.parametrize("active", [True, False])
@about(COMPOSED)
def test_a_net_that_is_called_with_a_symbol_computes_nothing(active: bool) -> None:
    net = Counted()
    net.hybridize(active)
    with print_trace(net) as trace:
        result = net(mx.sym.Variable("x"))
    ((text, _),) = said(trace.calls[-1].reason)
    assert text == COMPOSED and net.runs == ["Symbol"] and not net.programs and isinstance(result, mx.sym.Symbol)
    assert trace.calls[-1].lane == "symbol"


class Overrides(Counted):
    """Its own lines are those of forward."""

    def forward(self, x: Any) -> Any:
        self.runs.append(type(x).__name__)
        return x * 2


@about(OVERRIDDEN)
def test_the_lines_of_a_forward_that_is_overridden_run_in_every_call() -> None:
    net = Overrides()
    with print_trace(net) as trace:
        for active in (False, True, True):
            net.hybridize(active)
            assert seen(lambda: net(X), net) == (["NDArray"], 0)
            ((text, _),) = said(trace.calls[-1].reason)
            assert text == OVERRIDDEN and trace.calls[-1].lane == "array"


@about(EAGER, DEFERRED)
def test_what_runs_before_the_first_call_is_said() -> None:
    net = Counted(units=2)
    net.initialize()
    with print_trace(net) as trace:
        runs, _ = seen(lambda: net(X), net)
    assert [text for text, _ in said(trace.calls[-1].reason)] == [EAGER, DEFERRED]
    assert runs == ["Symbol", "NDArray"] and net.weight.shape == (2, 3)


@pytest.mark.parametrize(("of", "expected"), [("NDArray", FAILED), ("Symbol", FAILED_TRACING)])
@about(FAILED, FAILED_TRACING)
def test_where_a_call_fails_is_said(of: str, expected: str) -> None:
    net = Counted(fails=of)
    if of == "Symbol":
        net.hybridize()
    with print_trace(net) as trace, pytest.raises(ValueError, match="as it was told"):
        net(X)
    ((text, _),) = said(trace.calls[-1].reason)
    assert text == expected and net.runs == [of]


@about(BLOCK, PART_TRACED, PART_ANEW)
def test_of_a_block_it_is_said_which_part_was_traced() -> None:
    net = Own()
    with print_trace(net) as trace:
        net(X)
        ((text, _),) = said(trace.calls[-1].reason)
        assert text == BLOCK and not net.part.programs
        assert net.runs == net.part.runs == ["NDArray"]
        for act, expected, runs, programs in (
            (lambda: (net.hybridize(), net(X)), PART_TRACED, ["Symbol"], 1),
            (lambda: net(nd.ones((5, 3))), PART_ANEW, [], 1),
        ):
            own = len(net.runs)
            assert seen(act, net.part) == (runs, programs)
            ((text, values),) = said(trace.calls[-1].reason)
            assert text == expected and values["paths"] == "self.part"
            assert net.runs[own:] == ["NDArray"], "its own lines run in every call"


# --- why ----------------------------------------------------------------------------------------------------------


def recorded(*of: int) -> Callable[[Any, list[Any]], Any]:
    """Return a call that records the gradients of some of the inputs."""

    def call(net: Any, inputs: list[Any]) -> None:
        for i in of:
            inputs[i].attach_grad()
        with autograd.record():
            net(*inputs)

    return call


#: What is done after a call -> the text of the reason, with its values.
WHYS: dict[str, tuple[Any, list[tuple[str, dict[str, str]]]]] = {
    "a shape": (
        [lambda net, inputs: net(nd.ones((5, 3)), nd.ones((5, 3)))],
        [("the shape of {name} changed from {old} to {new}", {"name": f"data{i}", "old": "(2, 3)", "new": "(5, 3)"})
         for i in range(2)],
    ),
    "a type": (
        [lambda net, inputs: net(*(x.astype("float64") for x in inputs))],
        [("the dtype of {name} changed from {old} to {new}", {"name": f"data{i}", "old": "float32", "new": "float64"})
         for i in range(2)],
    ),
    "a device": (
        [lambda net, inputs: net(*(x.as_in_context(mx.cpu(1)) for x in inputs))],
        [("the context changed from {old} to {new}", {"old": "cpu(0)", "new": "cpu(1)"})],
    ),
    "a gradient": (
        [recorded(1)],
        [("recording gradients for {n} of {all} inputs", {"n": "1", "all": "2"})],
    ),
    "another gradient": (
        [recorded(0), recorded(1)],
        [("recording gradients for {n} of {all} inputs, but not the same inputs as before", {"n": "1", "all": "2"})],
    ),
    "more gradients": (
        [recorded(0), recorded(0, 1)],
        [("recording gradients for {n} of {all} inputs, previously for {old}", {"n": "2", "all": "2", "old": "1"})],
    ),
}  # fmt: skip


@pytest.mark.parametrize("done", WHYS)
@about(*(text for _, told in WHYS.values() for text, _ in told))
def test_the_reason_of_a_compilation_is_what_was_done(done: str) -> None:
    acts, expected = WHYS[done]
    net = Counted()
    net.hybridize()
    net(nd.ones((2, 3)), nd.ones((2, 3)))
    for act in acts:
        ran = seen(lambda act=act: act(net, [nd.ones((2, 3)), nd.ones((2, 3))]), net)
        assert ran == ([], 1), "compiled, and not traced"
    last = net.explain(X, X).compilations[-1].reasons
    told = [found for reason in last if reason != "training mode" for found in said(in_words([reason]))]
    assert told == expected


@pytest.mark.parametrize("used", [1, 2])
@about("gradients arrive at {n} of {all} outputs")
def test_the_outputs_at_which_gradients_arrive_are_counted(used: int) -> None:
    net = nn.HybridLambda(lambda F, x: (F.exp(x), F.sin(x), F.tanh(x)))
    net.hybridize()
    x = X.copy()
    x.attach_grad()
    reasons = []
    with print_trace(net) as trace:
        for _ in range(3):
            with autograd.record():
                outputs = net(x)
            reasons.append(trace.calls[-1].reason)
            autograd.backward(list(outputs[:used]))
    expected = [X.exp(), X.cos()][:used]
    assert numpy.allclose(x.grad.asnumpy(), sum(one.asnumpy() for one in expected)), "of as many outputs"
    assert trace.calls[-1].kind == "compiled", "the program is ready for them"
    (why,) = parsed(reasons[1], {ANEW})
    ((_, values),) = said(why[1]["why"])
    assert values == {"n": str(used), "all": str(len(outputs))}
    with mx.config(lang="zh"):
        (told,) = [in_words(event.reasons) for event in net._history if event.kind == "recompile"]
    assert told == f"3 个输出中有 {used} 个收到梯度"


@about("and {n} more changes")
def test_many_reasons_are_counted() -> None:
    net = Counted()
    net.hybridize()
    net(*(nd.ones((2, 3)) for _ in range(12)))
    net(*(nd.ones((4, 3)) for _ in range(12)))
    *listed, rest = net.explain(*[X] * 12).compilations[-1].reasons
    ((text, values),) = said(in_words([rest]))
    assert text == "and {n} more changes" and len(listed) + int(values["n"]) == 12


@about("the child {name} was changed", "the child {name} was added", CALLED)
def test_the_child_that_was_changed_or_added_is_named() -> None:
    class Holder(nn.HybridBlock):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.part = nn.HybridLambda("relu")

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.part(x)

    net = Holder()
    net.hybridize()
    net(X)
    told = []
    net.part = nn.HybridLambda("tanh")
    net(X)
    told += said(in_words(net.explain(X).traces[-1].reasons))
    net.register_child(nn.HybridLambda("relu"), "more")
    net(X)
    told += said(in_words(net.explain(X).traces[-1].reasons))
    net.cast("float32")
    net(X)
    told += said(in_words(net.explain(X).traces[-1].reasons))
    assert [(text, next(iter(values.values()))) for text, values in told] == [
        ("the child {name} was changed", "part"),
        ("the child {name} was added", "more"),
        (CALLED, "cast(float32)"),
    ]


# --- a closer look ------------------------------------------------------------------------------------------------


def chain(prefix: str = "") -> Any:
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu", in_units=3), nn.Dense(5, in_units=4), nn.Dense(2, in_units=5))
    net.initialize()
    return net


def lives_in(program: Any) -> dict[str, tuple[int, int]]:
    """Return for each value that gets memory of its own the first and the last line that names it, or what is in it."""
    (function,) = ast.parse(program.text).body
    assert isinstance(function, ast.FunctionDef)
    memory: dict[str, str] = {}  # name -> whose memory it is in
    found: dict[str, tuple[int, int]] = {}
    for at, line in enumerate(function.body):
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call) and isinstance(line.targets[0], ast.Name):
            out = [k.value.id for k in line.value.keywords if k.arg == "out" and isinstance(k.value, ast.Name)]
            name = line.targets[0].id
            memory[name] = memory[out[0]] if out else name
        for node in ast.walk(line):
            if isinstance(node, ast.Name) and node.id in memory:
                own = memory[node.id]
                found[own] = found.get(own, (at, at))[0], at
    return found


@about(
    "Each row is a value of the program, and each column one of its operators, in order. A bar goes from the operator "
    "that computes the value to the last one that uses it; then its memory is free. Inputs do not count.",
    "{name}: {n} values, at most {peak} at once",
)
def test_the_memory_plan_is_what_the_lines_of_the_program_name() -> None:
    net = chain()
    net.hybridize()
    net(X)
    look = net_inspection.looked_up(net, [X], "memory")
    said(look.about)
    (plan,) = look.parts
    ((_, values),) = said(plan["title"])
    program, rows = net.programs[-1].forward, plan["rows"]
    lives = lives_in(program)
    assert values["name"] == program.name and int(values["n"]) == len(rows) == len(lives) == 3 and not plan["more"]
    assert [row["name"] for row in rows] == sorted(lives, key=lambda name: lives[name][0]), "inputs do not count"
    for one, other in itertools.combinations(rows, 2):
        (begins, ends), (starts, stops) = lives[one["name"]], lives[other["name"]]
        assert (one["from"] <= other["to"] and other["from"] <= one["to"]) == (begins <= stops and starts <= ends)
    sizes = [int(row["size"].removesuffix(" bytes")) for row in rows]
    assert sizes == [4 * 2 * units for units in (4, 5, 2)]
    alive = [
        sum(size for size, row in zip(sizes, rows, strict=True) if row["from"] <= at <= row["to"])
        for at in range(plan["count"])
    ]
    assert values["peak"] == f"{max(alive)} bytes"
    assert [row["name"] for row in rows if row["result"]] == [rows[-1]["name"]]
    assert lives[rows[-1]["name"]][1] == program.text.count("\n    ") - 1, "the result is named by the last line"


@about("{name}: memory is not planned, so every value is kept until the call ends")
def test_a_program_of_which_no_memory_is_planned_has_no_bars() -> None:
    net = chain()
    net.hybridize()
    net(X)
    source = net.programs[-1].forward
    source.plan = None  # as the machine makes it where the compiler is missing
    (part,) = net_inspection.looked_up(net, [X], "memory").parts
    ((_, values),) = said(part["title"])
    assert values["name"] == source.name and not part["rows"]


def test_what_is_beyond_the_listed_values_is_counted() -> None:
    net = nn.HybridLambda(lambda F, x: F.stack(*(F.sin(x * k) for k in range(2, 92))))
    net.hybridize()
    net(X)
    (plan,) = net_inspection.looked_up(net, [X], "memory").parts
    assert plan["more"] > 0 and len(plan["rows"]) + plan["more"] == len(lives_in(net.programs[-1].forward))


@about(
    ONCE,
    "Measured now, line by line. What Python does around the program, to find it and to wrap its result, comes on top.",
    "One call spends {us:.1f} µs in the lines of the program (medians):",
)
def test_times_are_those_of_the_lines_and_of_what_was_made() -> None:
    net = Counted(units=2)
    net.initialize()
    net.hybridize()
    began = time.perf_counter()
    net(X)
    took = 1e3 * (time.perf_counter() - began)
    looks: list[Any] = []
    runs, programs = seen(lambda: looks.append(net_inspection.looked_up(net, [X], "times")), net)
    (look,) = looks
    assert (runs, programs) == ([], 0), "what is measured is the program"
    said(look.about)
    once, own, lines = look.parts
    ((_, made),) = said(once["text"])
    assert int(made["traces"]) == 1 and int(made["compiled"]) == len(net.programs)
    assert 0 < float(made["ms"]) <= took + 0.05
    ((_, values),) = said(lines["title"])
    listed = [float(row["time"].split()[0]) for row in lines["rows"]]
    assert abs(sum(listed) - float(values["us"])) <= 0.05 * (len(listed) + 1) + 0.01 * float(values["us"]) * 3
    assert own["title"] == "In your own lines:"


@pytest.mark.parametrize("same", [True, False])
@about("Yes, in all calls ({runs}).", "No ({runs}).", "{n} calls compared", DIFFERENT, FOUND_FROZEN)
def test_whether_the_hybridized_net_computes_the_same_is_so(same: bool) -> None:
    net = chain() if same else nn.HybridLambda(lambda F, x: x * (2 if F is nd else 3))
    eager = net(X)
    net.hybridize()
    assert (net(X).asnumpy() == eager.asnumpy()).all() == same
    net.hybridize(False)
    look = net_inspection.looked_up(net, [X], "check")
    ((text, values),) = said(look.about)
    assert text.startswith("Yes" if same else "No")
    ((_, counted),) = said(values["runs"])
    assert int(counted["n"]) >= 2
    titles = {text for part in look.parts for text, _ in said(part["title"])}
    assert (DIFFERENT in titles) == (not same)


class Frozen(nn.HybridBlock):
    factor = 3

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return x * self.factor


@about(FOUND_FROZEN)
def test_what_is_below_the_heading_of_what_is_frozen_stays_in_the_program() -> None:
    net = Frozen()
    net.hybridize()
    before = net(X).asnumpy()
    net.factor = 5
    assert (net(X).asnumpy() == before).all()
    (part,) = net_inspection.looked_up(Frozen(), [X], "check").parts
    said(part["title"])
    assert "self.factor" in part["rows"][0]["what"]


@about("The net fails: {error}")
def test_a_net_that_fails_is_said_to_fail_as_it_does() -> None:
    net = Counted(units=2)
    net.initialize()
    net.hybridize()
    net(X)
    wrong = nd.ones((2, 9))
    with pytest.raises(mx.MXNetError) as error:
        net(wrong)
    look = net_inspection.looked_up(net, [wrong], "times")
    ((_, values),) = said(look.parts[0]["text"])
    assert values["error"].partition("\n")[0] == f"{type(error.value).__name__}: {error.value}".partition("\n")[0]
