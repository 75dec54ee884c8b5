"""What the pages of reports, programs, graphs, nets, arrays, and files say is so: each sentence is compared."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
import time
from pathlib import Path
from typing import Any

import numpy
import pytest
from said import Ledger, plain, texts_in

import d2lhybrid as mx
from d2lhybrid import autograd, nd, print_trace
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures import rich_display
from d2lhybrid.internals.pictures.check import check_hybridization
from d2lhybrid.internals.pictures.files_read import FilesRead
from d2lhybrid.internals.pictures.html import bytes_in_notebook
from d2lhybrid.internals.pictures.objects import html_of
from d2lhybrid.internals.pictures.timing.units import seconds_text
from d2lhybrid.internals.support import events
from d2lhybrid.internals.support.words import translate

X = nd.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
LEDGER = Ledger(texts_in("objects.py", "rich_display.py", "html.py", "files_read.py"))
says, never = LEDGER.says, LEDGER.never


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", LEDGER.scenes)
def test_what_is_said_is_what_ran(name: str, lang: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    LEDGER.play(name, lang, patch=monkeypatch, folder=tmp_path)


def test_every_sentence_is_compared() -> None:
    assert LEDGER.compared == LEDGER.texts


# --- what was traced and compiled -----------------------------------------------------------------------------------


class Counted(nn.HybridBlock):
    """It writes down what its lines ran with."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.runs: list[str] = []

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        self.runs.append(type(x).__name__)
        return F.relu(x) * 2


def shown(thing: Any) -> str:
    return plain(html_of(thing))


TRACED, COMPILED, KEPT = "traced: {n}", "compiled: {n}", "programs kept: {n}"
BEFORE, PROGRAMS_BEFORE = "... and {n} before them", "... and {n} programs before them"
PROGRAMS = "programs: {n}"


@LEDGER.scene(TRACED, COMPILED, KEPT, BEFORE, PROGRAMS_BEFORE, PROGRAMS)
def a_report_counts_what_was_made() -> None:
    net, made = Counted(), []
    with events.listening(program_compiled=made.append):
        for sizes, again in ((range(1, 3), False), (range(1, 16), True), (range(1, 20), False)):
            if again or not net._active:
                net.hybridize()
            for size in sizes:
                net(nd.ones((size, 3)))
            page = shown(net.explain(nd.ones((1, 3))))
            says(page, TRACED, n=net.runs.count("Symbol"))
            says(page, COMPILED, n=len(made))
            says(page, KEPT, n=len(sizes))
            says(shown(net._cached_op), PROGRAMS, n=len(sizes))
            rows = [line for line in page.split("\n") if re.fullmatch(r"[\d.,]+ ms", line.strip())]
            happened = net.runs.count("Symbol") + len(made)
            numbers = {int(n) for n in re.findall(translate("Program {n}: {mode}", n="(\\d+)", mode="."), page)}
            assert rows and max(numbers) == len(sizes)
            if happened > len(rows):
                says(page, BEFORE, n=happened - len(rows))
            else:
                never(page, BEFORE)
            if len(sizes) > len(numbers):
                says(page, PROGRAMS_BEFORE, n=len(sizes) - len(numbers))
            else:
                never(page, PROGRAMS_BEFORE)


PROGRAM, GRADIENTS = "Program {n}: {mode}", "gradients: {n} of {m} inputs"


class Sums(nn.HybridBlock):
    def hybrid_forward(self, F: Any, *inputs: Any) -> Any:
        total = inputs[0]
        for one in inputs[1:]:
            total = total * one
        return total


@LEDGER.scene(PROGRAM, GRADIENTS)
def a_program_has_the_mode_and_the_gradients_of_its_call() -> None:
    net = Sums()
    net.hybridize()
    net(*[nd.ones((2, 3))] * 3)
    page = shown(net.explain(*[X] * 3))
    says(page, PROGRAM, n=1, mode=translate("predict mode"))
    never(page, GRADIENTS)
    for number, wanted in ((2, 1), (3, 2)):
        inputs = [nd.ones((2, 3)) for _ in range(3)]
        for x in inputs[:wanted]:
            x.attach_grad()
        with autograd.record():
            y = net(*inputs)
            page = shown(net.explain(*inputs))
        y.backward()
        got = [x.grad is not None and bool(x.grad.asnumpy().all()) for x in inputs]
        assert len(net.programs) == number
        says(page, PROGRAM, n=number, mode=translate("training mode"))
        says(page, GRADIENTS, n=sum(got), m=len(got))


OPERATORS, INPUTS, OUTPUTS = "operators: {n}", "inputs: {n}", "outputs: {n}"
STAGES, COMPILED_IN, STAGE = "stages: {n}", "compiled in {ms} ms, stages: {n}", "Stage: {name}"


@LEDGER.scene(OPERATORS, INPUTS, OUTPUTS, STAGES, COMPILED_IN, STAGE)
def a_graph_has_what_was_recorded_and_a_program_the_stages_that_ran() -> None:
    for layers, units in ((1, 1), (3, 2)):
        net = nn.HybridSequential()
        net.add(*(nn.Dense(2, in_units=3 if i == 0 else 2, use_bias=units == 2) for i in range(layers)))
        net.add(nn.HybridLambda(lambda F, x, units=units: x if units == 1 else [F.relu(x), F.tanh(x)]))
        net.initialize()
        net.hybridize()
        recorded: list[Any] = []
        stages: list[Any] = []
        before = time.perf_counter()
        scope = contextlib.nullcontext if units == 1 else autograd.record  # gradients are further stages
        with scope(), events.listening(node_made=recorded.append, pass_done=stages.append):
            outputs = net(X)
        took = 1e3 * (time.perf_counter() - before)
        operators = [node for node in recorded if node.op is not None]
        (program,) = net.programs
        traced = program.stages[0].graph
        page = shown(traced)
        says(page, OPERATORS, n=len(operators))
        says(page, INPUTS, n=1 + len(net.collect_params().keys()))
        says(page, OUTPUTS, n=len(outputs) if isinstance(outputs, list) else 1)
        says(shown(program), STAGES, n=len(stages))
        never(shown(traced), STAGES)
        with scope():
            report = net.explain(X)
        (told,) = report.programs
        assert 0 < told.milliseconds <= took
        says(shown(report), COMPILED_IN, ms=f"{told.milliseconds:.2f}", n=len(stages))
        for stage in stages:
            says(shown(stage), STAGE, name=stage.name)
        assert [stage.name for stage in stages] == [stage.name for stage in program.stages]


KEPT_BYTES = "kept between forward and backward: {n} bytes"


@LEDGER.scene(KEPT_BYTES)
def what_is_kept_for_the_backward_pass_are_these_bytes() -> None:
    for function, shape in ((lambda F, x: F.tanh(x), (2, 3)), (lambda F, x: F.tanh(F.exp(x)) * F.sin(x), (4, 5))):
        net = nn.HybridLambda(function)
        net.hybridize()
        x = nd.random.uniform(shape=shape)
        net(x)
        never(shown(net.explain(x)), KEPT_BYTES)
        x.attach_grad()
        found: dict[str, Any] = {}

        def watched(source: Any, run: Any, found: dict[str, Any] = found) -> Any:
            def call(*given: Any) -> Any:
                found[source.name] = given, run(*given)
                return found[source.name][1]

            return call

        with events.listening(program_called=watched), autograd.record():
            y = net(x)
            page = shown(net.explain(x))
        with events.listening(program_called=watched):
            y.backward()
        inputs, results = found["forward"]
        kept = found["backward"][0][len(inputs) : -1]  # between the inputs and the gradient of the output
        assert len(results) == 1 + len(kept), "the output, and what is kept"
        assert all(any(numpy.array_equal(array, result) for result in results) for array in kept)
        says(page, KEPT_BYTES, n=f"{sum(array.nbytes for array in kept):,}")


TIMES = "Time per line of program {n}: {us} µs (medians)"
OWN_TIMES = "Time per line of your code, in a call of {time} (medians)"


@LEDGER.scene(TIMES, OWN_TIMES)
def times_are_those_of_the_program_of_the_call() -> None:
    net = Counted()
    net.hybridize()
    for number in (1, 2, 3, 4):
        x = nd.ones((number, 3))
        net(x)
        report = net.explain(x, profile=True)
        assert f"[{number},3]" in repr(net.programs[number - 1]), "the program of this shape"
        total = sum(line.microseconds for line in report.profile.lines)
        says(shown(report), TIMES, n=number, us=f"{total:.1f}")
        says(shown(report), OWN_TIMES, time=seconds_text(total * 1e-6))


BUSY = (
    "Your machine is busy: the lower quartiles of the lines add up to {lower}, and the upper quartiles to {upper}. "
    "Stop other programs, and measure again."
)


@LEDGER.scene(BUSY)
def a_profile_whose_rounds_differ_says_so() -> None:
    net = Counted()
    net.hybridize()
    profile = net.explain(X, profile=True).profile
    for factor in (1.4, 3.0):
        lines = tuple(
            dataclasses.replace(line, lower=line.microseconds, upper=factor * line.microseconds)
            for line in profile.lines
        )
        seen = dataclasses.replace(profile, lines=lines)
        total = sum(line.microseconds for line in lines)
        if factor < 1.5:
            never(shown(seen), BUSY)
        else:
            says(shown(seen), BUSY, lower=seconds_text(total * 1e-6), upper=seconds_text(factor * total * 1e-6))


ESTIMATES = "Operations (flops) and bytes are estimates from shapes."


@LEDGER.scene(ESTIMATES)
def estimates_depend_on_shapes_alone() -> None:
    net = nn.Dense(4, in_units=3)
    net.initialize()
    net.hybridize()
    never(shown(net.explain()), ESTIMATES)
    found = []
    for x in (nd.ones((2, 3)), nd.zeros((2, 3)), nd.ones((4, 3))):
        net(x)
        (function,) = net.explain(x).programs[-1].every_call
        found.append((function.flops, function.bytes_moved))
    says(shown(net.explain(X)), ESTIMATES)
    one, other, larger = found
    assert one == other and larger[0] == 2 * one[0] == 4 * (2 * 4 * 3 + 4) and larger[1] > one[1]


MORE_LINES, MORE = "... and {n} more lines", "... and {n} more"


@LEDGER.scene(MORE_LINES, MORE)
def what_a_page_leaves_out_is_counted() -> None:
    for count in (2, 140, 160):
        net = nn.HybridLambda(lambda F, x, count=count: F.stack(*(F.sin(x * k) for k in range(2, 2 + count))))
        net.hybridize()
        net(nd.ones((3,)))
        (program,) = net.programs
        lines = str(program.forward).splitlines()
        page = html_of(program.forward)
        there = len(re.findall(r"^ +\d+  ", plain(page, ""), re.MULTILINE))
        graph = program.stages[0].graph
        nodes = len(re.findall("<tr", html_of(graph))) - 1
        if count == 2:
            assert there == len(lines) and nodes == len(graph.nodes)
            never(plain(page), MORE_LINES)
            never(shown(graph), MORE)
        else:
            says(plain(page), MORE_LINES, n=len(lines) - there)
            says(shown(graph), MORE, n=len(graph.nodes) - nodes)
    net = Sums()
    net.hybridize()
    net(*[X] * 13)
    page = shown(net._cached_op)
    named = {n for n in range(13) if re.search(rf"\bdata{n}: ", page)}
    says(page, MORE, n=13 - len(named))


DIFFERENT, FROZEN = "Hybridized, the net behaves differently:", "Frozen: decided once, while the net was traced:"
KNOW, UNSEEN = "Good to know:", "Not examined (frozen values there are not listed):"
WITHOUT_SOURCE: dict[str, Any] = {}
exec("def hybrid_forward(self, F, x):\n    return x * 2", WITHOUT_SOURCE)


def net_of(function: Any, **attributes: Any) -> Any:
    net = type("Net", (nn.HybridBlock,), {"hybrid_forward": function})()
    for name, value in attributes.items():
        setattr(net, name, value)
    return net


def values_in_both_ways(net: Any, change: Any) -> tuple[Any, Any, Any]:
    """Return a result, the hybridized one, and the hybridized one after a change."""
    eager = net(X).asnumpy()
    net.hybridize()
    return eager, net(X).asnumpy(), (change(net), net(X).asnumpy())[1]


@LEDGER.scene(DIFFERENT, FROZEN, KNOW, UNSEEN)
def findings_are_below_what_they_are() -> None:
    def nothing(net: Any) -> None:
        pass

    def first_row(self: Any, F: Any, x: Any) -> Any:
        return x[0]

    def scaled(self: Any, F: Any, x: Any) -> Any:
        return x * self.factor

    def of_two_rows(self: Any, F: Any, x: Any) -> Any:
        return F.reshape(x, (2, -1)) * 2

    def rescale(net: Any) -> None:
        net.factor = 7

    cases = {
        "nothing": (lambda: net_of(lambda self, F, x: F.relu(x)), nothing, set()),
        "different": (lambda: net_of(first_row), nothing, {DIFFERENT}),
        "frozen": (lambda: net_of(scaled, factor=3), rescale, {FROZEN}),
        "a batch size": (lambda: net_of(of_two_rows), nothing, {KNOW}),
        "no source": (lambda: net_of(WITHOUT_SOURCE["hybrid_forward"]), nothing, {UNSEEN}),
    }
    for make, change, texts in cases.values():
        eager, hybridized, later = values_in_both_ways(make(), change)
        assert numpy.array_equal(eager, hybridized) == (DIFFERENT not in texts)
        if FROZEN in texts:
            assert numpy.array_equal(later, hybridized)
        page = shown(check_hybridization(make(), X))
        for text in (DIFFERENT, FROZEN, KNOW, UNSEEN):
            (says if text in texts else never)(page, text)
    net = net_of(of_two_rows)
    with pytest.raises(mx.MXNetError):
        net(nd.ones((3, 3)))  # what is good to know


# --- nets and arrays ------------------------------------------------------------------------------------------------

LAYERS, OTHERS = "layers: {n}", "... and others: {n}"
PARAMETERS = "parameters: {n}"
DEFERRED = "parameters: {n}, without those that the first call finds"
HYBRIDIZED = "hybridized, programs: {n}"


@LEDGER.scene(LAYERS, OTHERS, PARAMETERS, DEFERRED, HYBRIDIZED)
def a_net_says_what_it_has() -> None:
    for layers, calls in ((2, 1), (3, 2), (105, 0)):
        net = nn.HybridSequential()
        net.add(*(nn.Dense(4) for _ in range(layers)))
        net.initialize()
        net.hybridize()
        page = net._repr_html_()
        known = [p.shape for p in net.collect_params().values() if 0 not in p.shape]
        says(plain(page), DEFERRED, n=f"{sum(map(numpy.prod, known)):,}")
        never(plain(page), HYBRIDIZED)
        made: list[Any] = []
        with events.listening(program_compiled=made.append):
            for rows in range(calls):
                net(nd.ones((1 + rows, 3)))
        page = net._repr_html_()
        says(plain(page), LAYERS, n=len(net))
        rows = page.count("<tr") - 1
        if layers > 100:
            says(plain(page), OTHERS, n=len(net) - rows)
        else:
            never(plain(page), OTHERS)
        if calls:
            values = [p.data().asnumpy() for p in net.collect_params().values()]
            says(plain(page), PARAMETERS, n=f"{sum(value.size for value in values):,}")
            never(plain(page), DEFERRED)
            says(plain(page), HYBRIDIZED, n=len(made))


EACH, TRUE, ODD = "of one element in {n}:", "{share} true", "{n} nan or infinite"
ALL, ALL_OTHERS, MEAN = "all {value}", "all others {value}", "mean {value}"


@LEDGER.scene(EACH, TRUE, ODD, ALL, ALL_OTHERS, MEAN)
def an_array_says_what_numpy_finds(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rich_display, "_LOOKED_AT", 4000)
    draw = numpy.random.default_rng(0)
    some = draw.normal(size=3000).astype("float32")
    odd = some.copy()
    odd[::5], odd[1::500] = numpy.nan, numpy.inf
    lone = numpy.full(2000, 3.0, "float32")
    lone[:7] = numpy.nan
    arrays = {
        "numbers": some, "odd": odd, "lone": lone, "equal": numpy.full(2000, 2.5, "float32"),
        "larger": draw.normal(3, size=9000).astype("float32"), "largest": numpy.arange(16000, dtype="int32"),
        "half": draw.random(3000) > 0.5, "few": draw.random(3000) > 0.9,
    }  # fmt: skip
    for values in arrays.values():
        page = plain(mx.np.array(values, dtype=values.dtype)._repr_html_())
        step = -(-values.size // 4000)
        seen = values[::step]
        (says if step > 1 else never)(page, EACH, **({"n": step} if step > 1 else {}))
        if values.dtype == bool:
            says(page, TRUE, share=f"{seen.mean():.1%}")
            never(page, MEAN)
            continue
        never(page, TRUE)
        finite = seen[numpy.isfinite(seen)].astype("float64")
        if len(finite) < len(seen):
            says(page, ODD, n=f"{len(seen) - len(finite):,}")
        else:
            never(page, ODD)
        if (finite == finite[0]).all():
            says(page, ALL if len(finite) == len(seen) else ALL_OTHERS, value=f"{finite[0]:.4g}")
            never(page, MEAN)
            if len(finite) == len(seen):
                never(page, ALL_OTHERS)
        else:
            says(page, MEAN, value=f"{finite.mean():.4g}")
            never(page, ALL)


TOO_LARGE = "This part is too large for a saved page. The interactive view has it."


@LEDGER.scene(TOO_LARGE)
def what_a_page_has_no_room_for_is_in_the_view() -> None:
    trace = print_trace(Counted(), X)
    whole = trace.to_html()
    line = "self.runs.append"
    never(plain(whole), TOO_LARGE)
    assert line in plain(whole, "")
    page = trace.to_html_within(bytes_in_notebook(trace.to_text()) + 3000)
    says(plain(page), TOO_LARGE)
    tokens = json.dumps([["".join(t[0] for t in row[1]) for row in s["lines"]] for s in trace.to_dict()["sources"]])
    assert line not in plain(page, "") and line in tokens


# --- files ----------------------------------------------------------------------------------------------------------

GRAPH, ARRAYS = "a graph: {n} operators, {m} variables", "{n} arrays, {count} numbers"
SHAPE, SAME = "It returns an array of shape {shape}, not {wanted}.", "It returns the same {n} numbers."
NEAR = "It returns the same {n} numbers up to {difference}."
OTHER = "It returns other numbers. The largest difference is {difference}."


@LEDGER.scene(GRAPH, ARRAYS, SHAPE, SAME, NEAR, OTHER)
def files_have_what_is_said_and_readers_return_it(folder: Path) -> None:
    for layers in (1, 3):
        net = nn.HybridSequential()
        net.add(*(nn.Dense(4, in_units=4) for _ in range(layers)))
        net.initialize(mx.init.Uniform())
        net.hybridize()
        recorded: list[Any] = []
        with events.listening(node_made=recorded.append):
            wanted = net(nd.ones((2, 4))).asnumpy()
        net.export(str(folder / "net"))
        values = [p.data().asnumpy() for p in net.collect_params().values()]
        operators = sum(node.op is not None for node in recorded)
        results = {
            SAME: wanted, NEAR: wanted + numpy.float32(1e-6), OTHER: wanted + layers, SHAPE: wanted[:layers],
        }  # fmt: skip
        if layers > 1:
            results[SHAPE] = wanted.ravel()
        picture = FilesRead(sorted(folder.glob("net*")), {name: ([], got, wanted) for name, got in results.items()})
        told = {name: text for name, _, text, _ in picture.verdicts}
        text = "\n".join(" ".join(row) for row in picture.rows)
        says(text, GRAPH, n=operators, m=1 + len(values))
        says(text, ARRAYS, n=len(values), count=f"{sum(value.size for value in values):,}")
        says(told[SAME], SAME, n=wanted.size)
        for name in (NEAR, OTHER):
            largest = max(abs(results[name].astype("float64") - wanted).ravel())
            says(told[name], name, n=wanted.size, difference=f"{largest:.1g}")
            never(told[name], SAME)
        never(told[OTHER], NEAR)
        never(told[SAME], NEAR)
        says(told[SHAPE], SHAPE, shape=results[SHAPE].shape, wanted=(2, 4))
        assert {name for name, *_, same in picture.verdicts if same} == {SAME, NEAR}
