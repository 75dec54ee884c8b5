"""What the check of hybridization says is so: every sentence is compared with calls that were only counted."""

from __future__ import annotations

import ast
import contextlib
import io
import logging
import os
import random
import re
import sys
import tempfile
import threading
import time
import warnings
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from said import parsed, texts_in

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.error import NotImplementedForSymbol
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.check import check_hybridization

X = nd.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
#: Headings, and the parts of sentences that stand for calls and values; they are compared inside of their sentences.
PARTS = {
    "Frozen: decided once, while the net was traced:", "Good to know:", "Hybridized, the net behaves differently:",
    "Not examined (frozen values there are not listed):", "batch size {n}", "eagerly, in {mode} mode",
    "hybridized ({calls})", "run {n} times", "run {n} times in all", "shape {shape}",
    "{inputs}, {mode} mode, seed {seed}", "{n} calls compared", "{operator} in layer {layer}", "{net}: {runs}.",
    "only the eager call uses {operator}", "only the graph has {operator}", "{why} (line {line})",
    "eagerly it has {what} {eager}, hybridized {hybrid}", "eagerly it is a {eager}, hybridized a {hybrid}",
    "{text}. Before that, {what} (line {line})", "in the graph, it fails: {error}",
    "{n} of {size} elements differ; the first of them, {where}, is {eager:.6g} eagerly and {hybrid:.6g} hybridized",
    "{net}: the eager and hybridized results are the same ({runs}), and nothing is frozen.",
    "In all of these calls, the hybridized and the eager results are the same.",
    "line {line}, `{code}`: a call consumes items of an iterator, which cannot be restored.",
    "line {line}, `{code}`: a graph has no scopes. Hybridized, gradients flow, and the mode is that of the call.",
    "line {line}, `{code}`: the source of {module} was not read.",
    "line {line}, `{code}`: what it reads is known only while it runs.",
    "line {line}, `{code}`: which function is called is known only while it runs.",
    "{name} ({path}) has no readable source, so nothing in it was checked.",
}  # fmt: skip
#: Advice, which says what to do and nothing of what ran; the pages of the traps run it.
ADVICE = re.compile(
    r"(Always pass|Call net|Change it|Derive|Do not rely|Draw in|In hybrid_forward, use|Print|Read |The inputs of a |"
    r"Remove the|Return the value|Use |Write |The mode is not frozen)"
)
TEXTS = {text for text in texts_in("check/*.py") - PARTS if not ADVICE.match(text)}
ALL = texts_in("check/*.py")


# --- nets ------------------------------------------------------------------------------------------------------------


def net_of(function: Any, **attributes: Any) -> Any:
    """Return a function that makes a net with this hybrid_forward and some attributes."""

    def make() -> Any:
        net = type("Net", (nn.HybridBlock,), {"hybrid_forward": function})()
        for name, value in attributes.items():
            setattr(net, name, value)
        net.initialize()
        return net

    return make


scale = 2.0
SETTING = "A_SCALE_OF_TRUE_FINDINGS"
HOOKED: list[int] = []


def choosing(self: Any, F: Any, x: Any) -> Any:
    if self.on:
        x = x + 1
    if self.off:
        x = x + 100
    y = self.off or self.on
    z = self.on and self.off
    for i in range(self.rounds):
        for _ in range(i):
            x = x * 2
        if i == 1:
            x = x + 3
    while self.off:
        x = x + 1000
    return x + int(y) + int(z) + sum([t * 2 for t in range(self.rounds)])


def computing(self: Any, F: Any, x: Any) -> Any:
    k = self.rounds**2 + 0.5
    return x * k


def printing(self: Any, F: Any, x: Any) -> Any:
    print("a message")
    print("an error", file=sys.stderr)
    warnings.warn("of the net", stacklevel=1)
    logging.getLogger("true findings").error("of the net")
    return x * 2


def counting(self: Any, F: Any, x: Any) -> Any:
    self.calls += 1
    self.seen[0] = numpy.arange(self.calls)
    return x * self.calls


def drawing(self: Any, F: Any, x: Any) -> Any:
    x = x + random.random()
    return x + time.perf_counter()


def reading(self: Any, F: Any, x: Any) -> Any:
    x = x * float(os.environ.get(SETTING, "2")) * scale
    with open(self.path, encoding="utf-8") as file:
        x = x + float(file.read())
    with open(self.path + ".log", "a", encoding="utf-8") as file:
        file.write("x")
    return x + threading.get_ident() % 2


def keeping(self: Any, F: Any, x: Any) -> Any:
    self.last = F.relu(x)
    return self.last * 2


def using(self: Any, F: Any, x: Any) -> Any:
    return x + {mx.nd: x}.get(F, self.other)


class Optional(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any, y: Any = None) -> Any:
        return x if y is None else x + y


WITHOUT_SOURCE: dict[str, Any] = {}
exec("def hybrid_forward(self, F, x):\n    print('hidden')\n    return x * 2", WITHOUT_SOURCE)


def first_row(self: Any, F: Any, x: Any) -> Any:
    x = F.tanh(x)
    return F.exp(x[0])


def of_another_kind(self: Any, F: Any, x: Any) -> Any:
    y = F.relu(x)
    return (y, y) if F is mx.nd else y


def nesting(self: Any, F: Any, x: Any) -> Any:
    return x, [x + 1]


def a_batch(self: Any, F: Any, x: Any) -> Any:
    return F.reshape(x, (2, -1)) * 2


def ones_of_a_batch(self: Any, F: Any, x: Any) -> Any:
    return F.elemwise_add(x, F.ones((2, 3)))


def unused(self: Any, F: Any, x: Any, y: Any) -> Any:
    return x * 2


def by_numpy(self: Any, F: Any, x: Any) -> Any:
    return nd.relu(x)


def failing_always(self: Any, F: Any, x: Any) -> Any:
    raise ValueError("of the net")


def failing_in_training(self: Any, F: Any, x: Any) -> Any:
    if autograd.is_training():
        raise ValueError("of the training")
    return x * 2


def other_operator(self: Any, F: Any, x: Any) -> Any:
    x = F.exp(x)
    if F is mx.nd:
        x = F.sin(x)
    return F.cos(x)


def another_result(self: Any, F: Any, x: Any) -> Any:
    y = F.relu(x)
    z = F.exp(y)
    return {mx.nd: z}.get(F, y)


def without_a_cause(self: Any, F: Any, x: Any) -> Any:
    return x * {mx.nd: 2}.get(F, 3)


def with_a_part_that_differs() -> Any:
    net = nn.Sequential()
    net.add(nn.HybridLambda(lambda F, x: x * {mx.nd: 2}.get(F, 3)))
    net.initialize()
    return net


def with_list() -> Any:
    net = net_of(lambda self, F, x: self.parts[0](x))()
    net.parts = [nn.Dense(2, in_units=3)]
    net.parts[0].initialize()
    return net


class Plain(nn.Block):
    def forward(self, x: Any) -> Any:
        return x * 2


class Overriding(nn.HybridBlock):
    def forward(self, x: Any) -> Any:
        return x * 2


def of_plain_blocks() -> Any:
    net = nn.Sequential()
    net.add(nn.Dense(2, in_units=3), Plain())
    net.initialize()
    return net


def hooked() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3))
    net.initialize()
    net[0].register_forward_hook(lambda *_: HOOKED.append(1))
    return net


def with_a_layer_too_many() -> Any:
    net = net_of(lambda self, F, x, weight: x * 2)()
    net.weight = net.params.get("weight", shape=(1,))
    net.initialize()
    return net


def reading_net() -> Any:
    folder = Path(tempfile.mkdtemp())
    (folder / "number.txt").write_text("3", encoding="utf-8")
    return net_of(reading, path=str(folder / "number.txt"))()


#: Case -> a function that makes the net, and its inputs.
CASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "a computed number": (net_of(computing, rounds=3), (X,)),
    "choices": (net_of(choosing, on=True, off=False, rounds=3), (X,)),
    "prints": (net_of(printing), (X,)),
    "a counter": (net_of(counting, calls=0, seen=[numpy.arange(1)]), (X,)),
    "draws": (net_of(drawing), (X,)),
    "reads": (reading_net, (X,)),
    "keeps": (net_of(keeping, last=None), (X,)),
    "a symbol from elsewhere": (net_of(using, other=mx.sym.Variable("other")), (X,)),
    "an optional input": (Optional, (X,)),
    "the first row": (net_of(first_row), (X,)),
    "other outputs": (net_of(of_another_kind), (X,)),
    "nested outputs": (net_of(nesting), (X,)),
    "a batch size": (net_of(a_batch), (X,)),
    "ones of a batch size": (net_of(ones_of_a_batch), (X,)),
    "an unused input": (net_of(unused), (X, X)),
    "an unused parameter": (with_a_layer_too_many, (X,)),
    "arrays in a trace": (net_of(by_numpy), (X,)),
    "failing": (net_of(failing_always), (X,)),
    "failing in training": (net_of(failing_in_training), (X,)),
    "another operator": (net_of(other_operator), (X,)),
    "a list of blocks": (with_list, (X,)),
    "plain blocks": (of_plain_blocks, (X,)),
    "forward": (Overriding, (X,)),
    "a hook": (hooked, (X,)),
    "another result": (net_of(another_result), (X,)),
    "no cause": (net_of(without_a_cause), (X,)),
    "a part that differs": (with_a_part_that_differs, (X,)),
    "a hidden print": (net_of(WITHOUT_SOURCE["hybrid_forward"]), (X,)),
    "nothing": (net_of(lambda self, F, x: F.relu(x)), (X,)),
}


@cache
def findings(case: str) -> Any:
    make, inputs = CASES[case]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return check_hybridization(make(), *inputs)


@cache
def said(case: str) -> list[tuple[str, dict[str, str], Any]]:
    """Return every sentence of the findings about a net, with its values and the finding."""
    found = []
    for finding in findings(case):
        for sentence in (finding.what, finding.why):
            if finding.kind == "error" and sentence is finding.what:
                sentence = sentence.replace(f" {sentence.partition('the net raises ')[2]}", "")
            texts = parsed(sentence, ALL)
            others = any(silent.what in sentence for silent in findings(case).of_kind("silent"))  # those of a Symbol
            assert texts or not sentence or others or finding.kind in ("error", "silent"), sentence
            found += [(text, values, finding) for text, values in texts if text in TEXTS]
    return found


TRUE: dict[str, Any] = {}


def about(*texts: str) -> Any:
    """Note a function that compares sentences with what ran."""

    def note(function: Any) -> Any:
        TRUE.update(dict.fromkeys(texts, function))
        return function

    return note


@pytest.mark.parametrize("case", CASES)
def test_every_sentence_about_a_net_is_what_ran(case: str) -> None:
    for text, values, finding in said(case):
        make, inputs = CASES[case]
        TRUE[text](SimpleNamespace(make=make, inputs=inputs, finding=finding, said=findings(case), **values))


#: Sentences about what no net here does: a fault of the compiler, and kinds of nets with tests of their own.
SELDOM: set[str] = set()


def test_every_sentence_is_said_of_a_net_and_compared() -> None:
    assert set(TRUE) | SELDOM == TEXTS
    assert not TEXTS - SELDOM - {text for case in CASES for text, *_ in said(case)}


# --- calls that are only counted --------------------------------------------------------------------------------------


def called(net: Any, *inputs: Any, mode: str = "predict", seed: int = 0) -> SimpleNamespace:
    """Return the arrays of a call, what it printed, and its error."""
    mx.random.seed(seed)
    random.seed(seed)
    numpy.random.seed(seed)
    out, err = io.StringIO(), io.StringIO()
    found = SimpleNamespace(arrays=[], result=None, error=None)
    scope = autograd.record() if mode == "train" else autograd.predict_mode()
    logger, handler = logging.getLogger("true findings"), logging.StreamHandler(err)
    logger.addHandler(handler)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            with scope:
                found.result = net(*inputs)
            found.arrays = [a.asnumpy() for a in flat(found.result)]
        except Exception as error:
            found.error = error
    logger.removeHandler(handler)
    found.printed, found.messages = out.getvalue(), err.getvalue() + "".join(str(w.message) for w in seen)
    return found


def flat(out: Any) -> list[Any]:
    return [a for part in out for a in flat(part)] if isinstance(out, list | tuple) else [out]


def hybridized(net: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of hooks, and of a Sequential of hybrid blocks
        net.hybridize()
    return net


def same(one: Any, other: Any) -> bool:
    return all(numpy.array_equal(a, b) for a, b in zip(one.arrays, other.arrays, strict=True))


def runs_of(now: Any, traced: bool) -> dict[int, int]:
    """Return how often each line of this file ran in one call of the net."""
    net, counts = now.make(), {}

    def enter(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != __file__ or frame.f_code.co_name in ("called", "flat"):
            return None
        if event == "line":
            counts[frame.f_lineno] = counts.get(frame.f_lineno, 0) + 1
        return enter

    if traced:
        net.hybridize()
    before = sys.gettrace()
    sys.settrace(enter)
    try:
        called(net, *now.inputs)
    finally:
        sys.settrace(before)
    return counts


def source_line(number: int) -> str:
    return Path(__file__).read_text(encoding="utf-8").splitlines()[number - 1]


def call_of(text: str) -> dict[str, Any]:
    """Return mode and seed of a call that a sentence names, whose inputs are the user's."""
    match = re.fullmatch(r"your inputs, (\w+) mode, seed (\d+)", text)
    assert match is not None, text
    return {"mode": match[1], "seed": int(match[2])}


# --- what is frozen ---------------------------------------------------------------------------------------------------


@about("{name} is frozen at {value}, whatever it is set to later.")
def it_is_this_value(now: Any) -> None:
    net = hybridized(now.make())
    first = called(net, *now.inputs)
    owner, name = (net, now.name.removeprefix("self.")) if now.name.startswith("self.") else (None, now.name)
    value = getattr(net, name) if owner is not None else globals()[name]
    assert repr(value)[:10] == now.value[:10] or tempfile.gettempdir() in now.value
    if isinstance(value, bool | int | float):
        change = (lambda v: setattr(net, name, v)) if owner is not None else (lambda v: globals().update({name: v}))
        try:
            change(not value if isinstance(value, bool) else value + 5)
            assert same(called(net, *now.inputs), first)
        finally:
            change(value)


@about("`{name}` is frozen at {value}: Python computed it while the net was traced.")
def python_computed_this_value(now: Any) -> None:
    net = hybridized(now.make())
    frame_values: list[str] = []
    before = sys.gettrace()

    def follow(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_filename == __file__ and event == "return" and now.name in frame.f_locals:
            frame_values.append(repr(frame.f_locals[now.name]))
        return follow

    sys.settrace(follow)
    try:
        called(net, *now.inputs)
        traced = len(frame_values)
        called(net, *now.inputs)
    finally:
        sys.settrace(before)
    assert traced and {*frame_values} == {now.value} and len(frame_values) == traced, "no later call computes it"
    assert now.name in source_line(now.finding.line).partition("=")[0]


@about("hybrid_forward runs once, while the net is traced; what Python decides or computes then is frozen.")
def the_lines_run_once(now: Any) -> None:
    net = hybridized(now.make())
    if called(net, *now.inputs).error is not None:
        return
    assert now.finding.line in runs_of(now, traced=True) or "def " in source_line(now.finding.line)
    before = sys.gettrace()
    seen: list[int] = []

    def enter(frame: Any, event: str, _: Any) -> None:
        if frame.f_code.co_name == type(net).hybrid_forward.__name__ and frame.f_code.co_filename == __file__:
            seen.append(frame.f_lineno)

    sys.settrace(enter)
    try:
        called(net, *now.inputs)
    finally:
        sys.settrace(before)
    assert not seen


@about("The branch on `{code}` is decided: in the graph, it is always {way}.")
def a_branch_is_decided(now: Any) -> None:
    assert now.way in ("taken", "not taken", "both ways, by turns")
    counts, line = runs_of(now, traced=True), now.finding.line
    text = source_line(line).strip()
    if text.startswith("if "):
        assert ast.unparse(ast.parse(f"{text} pass").body[0].test) == now.code  # type: ignore[attr-defined]
        inside, reached = counts.get(line + 1, 0), counts[line]
        assert now.way == ("not taken" if not inside else "taken" if inside == reached else "both ways, by turns")
    else:
        assert (now.way == "taken") is bool(eval(now.code, {"self": now.make(), "F": mx.sym, "mx": mx, "y": None}))


@about("The loop over `{code}` is unrolled: in the graph, it is always {way}.")
def a_loop_is_unrolled(now: Any) -> None:
    line = now.finding.line
    text = source_line(line).strip()
    assert now.code in text
    if text.startswith(("for ", "while ")):
        rounds = runs_of(now, traced=True).get(line + 1, 0)
        inner = source_line(line + 1).strip().startswith("for ")
        rounds = now.make().rounds if inner else rounds  # the line of an inner loop runs again in each of its rounds
    else:
        rounds = len(eval(now.code, {"self": now.make()}))
    assert now.way.removesuffix(" in all") == ("run once" if rounds == 1 else f"run {rounds} times")
    assert now.way.endswith(" in all") == (now.code == "range(i)")


@about("Eagerly, {calls}, it is {way}.")
def eagerly_it_goes_another_way(now: Any) -> None:
    call_of(now.calls)
    counts = runs_of(now, traced=False)
    text = source_line(now.finding.line)
    if text.strip().startswith("if ") and text.rstrip().endswith(":"):
        assert (now.way == "taken") is (now.finding.line + 1 in counts)
        assert (now.finding.value == "taken") is (now.finding.line + 1 in runs_of(now, traced=True))
    else:
        assert now.way != now.finding.value


@about("The value of `{code}` is a constant of the graph: the one it had while the net was traced.", "Here: {value}.")
def a_value_is_a_constant(now: Any) -> None:
    net = hybridized(now.make())
    results = [called(net, *now.inputs, seed=seed) for seed in (0, 1)]
    assert same(*results)
    plain = now.make()
    assert not same(*(called(plain, *now.inputs, seed=seed) for seed in (0, 1)))
    if hasattr(now, "value"):
        op, number = now.value.split(" ")
        nodes = [n for n in net._cached_graph[1].get_internals()._nodes() if n.op is not None and n.op.name == op]
        code = re.search(r"`(.+?)`", now.finding.what)[1]  # type: ignore[index]
        random.seed(0)
        if code == "random.random()":
            assert float(number) == pytest.approx(random.random(), rel=1e-4)
            assert any(float(n.params["scalar"]) == pytest.approx(float(number), rel=1e-4) for n in nodes)
        else:
            assert nodes and float(number) > 0


@about(
    "`{name}` goes from {before} to {now} in one call; hybridized, only the call that is traced does that.",
    "`{name}` changes in one call; hybridized, only the call that is traced does that.",
    "All later calls use the value from the trace.",
)
def a_variable_changes(now: Any) -> None:
    name = (getattr(now, "name", now.finding.name) or "self.calls").removeprefix("self.")
    net = now.make()
    before = repr(getattr(net, name))
    called(net, *now.inputs)
    after = repr(getattr(net, name))
    if hasattr(now, "before"):
        assert (now.before, now.now) == (before, after)
    assert before != after or "array" in before  # another array
    hybridized(net)
    first = called(net, *now.inputs)
    kept = repr(getattr(net, name))
    assert same(called(net, *now.inputs), first) and repr(getattr(net, name)) == kept


@about("The output of the second call differs: {how}.")
def the_second_call_differs(now: Any) -> None:
    eager, hybrid = now.make(), hybridized(now.make())
    pair = [[called(net, *now.inputs) for _ in range(2)][1] for net in (eager, hybrid)]
    differs(now.how, *(one.arrays[0] for one in pair))


def differs(how: str, eager: numpy.ndarray, hybrid: numpy.ndarray) -> None:
    """Compare a sentence about two arrays with the arrays."""
    match = re.match(
        r"(\d+) of (\d+) elements differ; the first of them, (\[.*?\]), is (\S+) eagerly and (\S+) hyb", how
    )
    if match is None:
        match = re.match(r"eagerly it has shape (\(.*?\)), hybridized (\(.*?\))", how)
        assert match is not None, how
        assert [str(eager.shape), str(hybrid.shape)] == [match[1], match[2]]
        return
    wrong = numpy.argwhere(~numpy.isclose(eager, hybrid, rtol=2e-4))
    assert (int(match[1]), int(match[2])) == (len(wrong), eager.size)
    assert ast.literal_eval(match[3]) == wrong[0].tolist()
    at = tuple(wrong[0])
    assert [float(match[4]), float(match[5])] == pytest.approx([eager[at], hybrid[at]], rel=1e-5)


@about(
    "`{code}` prints while the net is traced, and never again.",
    "`{code}` prints a message while the net is traced, and never again.",
    "Compiled calls do not run it.",
)
def it_prints_while_traced(now: Any) -> None:
    text = ast.literal_eval(re.findall(r"'[^']*'", now.finding.name)[-1])
    assert now.finding.name.split("(")[0] in source_line(now.finding.line)
    net = now.make()
    eager = called(net, *now.inputs)
    hybridized(net)
    traced, later = (called(net, *now.inputs) for _ in range(2))
    for call, is_said in ((eager, True), (traced, True), (later, False)):
        assert (text in call.printed + call.messages) is is_said


@about("A call prints {text}; hybridized, only the trace does.")
def a_call_prints(now: Any) -> None:
    net = now.make()
    assert repr(called(net, *now.inputs).printed) == now.text
    hybridized(net)
    traced, later = (called(net, *now.inputs).printed for _ in range(2))
    assert repr(traced) == now.text and not later


@about(
    "The file {name} is read while the net is traced, and never again.",
    "The file {name} is written while the net is traced, and never again.",
)
def a_file_is_opened(now: Any) -> None:
    net = hybridized(now.make())
    path = Path(net.path)
    written = Path(f"{path}.log")
    name = Path(ast.literal_eval(now.name)).name
    first = called(net, *now.inputs)
    sizes = [written.stat().st_size]
    path.write_text("30", encoding="utf-8")
    assert same(called(net, *now.inputs), first)
    sizes.append(written.stat().st_size)
    assert sizes == [1, 1] and name == (written.name if "written" in now.finding.what else path.name)
    net.hybridize(False)
    assert not same(called(net, *now.inputs), first) and written.stat().st_size == 2


@about("`{code}` is read while the net is traced, and never again.")
def it_is_read_while_traced(now: Any) -> None:
    assert now.code in source_line(now.finding.line)
    net = hybridized(now.make())
    first = called(net, *now.inputs)
    found: list[Any] = []
    if now.code == "os.environ":
        os.environ[SETTING] = "20"
        try:
            assert same(called(net, *now.inputs), first)
            net.hybridize(False)
            assert not same(called(net, *now.inputs), first)
        finally:
            del os.environ[SETTING]
    else:
        thread = threading.Thread(target=lambda: found.append(called(net, *now.inputs)))
        thread.start()
        thread.join()
        assert now.code == "threading.get_ident()" and same(found[0], first)


@about(
    "`{name}` keeps a Symbol of the trace.",
    "Eagerly, it keeps an array; hybridized, only the trace sets it, and a Symbol has no values.",
)
def a_symbol_is_kept(now: Any) -> None:
    name = now.finding.name.removeprefix("self.")
    net = now.make()
    called(net, *now.inputs)
    assert isinstance(getattr(net, name), nd.NDArray)
    hybridized(net)
    called(net, *now.inputs)
    kept = getattr(net, name)
    assert isinstance(kept, mx.sym.Symbol)
    with pytest.raises(NotImplementedForSymbol):
        kept.asnumpy()
    called(net, *now.inputs)
    assert getattr(net, name) is kept


@about(
    "`{name}` is a Symbol of another trace.",
    "A Symbol belongs to its own graph; in another graph, it is an additional input, or raises an error.",
)
def a_symbol_is_of_another_trace(now: Any) -> None:
    net = hybridized(now.make())
    assert isinstance(getattr(net, now.finding.name.removeprefix("self.")), mx.sym.Symbol), (
        "it is there before the call"
    )
    call = called(net, *now.inputs)
    assert call.error is not None or len(net._cached_graph[0]) > len(now.inputs)


@about(
    "The first call decides whether `{name}` is passed.",
    "The graph has the inputs of the call that was traced; a call with more or fewer inputs raises an error.",
)
def the_first_call_decides(now: Any) -> None:
    for first, second in (((X,), (X, X)), ((X, X), (X,))):
        net = hybridized(now.make())
        assert called(net, *first).error is None and called(net, *second).error is not None
    if hasattr(now, "name"):
        assert f"{now.name}: Any = None" in source_line(now.finding.line)


# --- differences ------------------------------------------------------------------------------------------------------


@about("{when}, the net raises")
def the_net_raises(now: Any) -> None:
    match = re.fullmatch(r"(.*?), the net raises (\w+): (.*)", now.finding.what, re.DOTALL)
    assert match is not None
    mode = "train" if "train" in now.when else "predict"
    eager = called(now.make(), *now.inputs, mode=mode).error
    hybrid = called(hybridized(now.make()), *now.inputs, mode=mode).error
    for named, error in (("eagerly", eager), ("hybridized", hybrid)):
        if named in now.when and "(" not in now.when:
            assert type(error).__name__ == match[2]
            assert " ".join(str(error).split())[:300].startswith(re.sub(r"\d+", "", match[3])[:20])
    if now.when == "hybridized":
        assert eager is None
    if now.when.startswith("hybridized ("):  # with a call of another size, or in another mode
        size = re.search(r"batch size (\d+)", now.when)
        count = int(size[1]) if size else len(X)
        given = nd.array(X.asnumpy()[numpy.arange(count) % len(X)])
        net = hybridized(now.make())
        called(net, *now.inputs)
        assert type(called(net, given, mode="train" if "train" in now.when else "predict").error).__name__ == match[2]


@about("The net is being traced: hybrid_forward runs with Symbols, which describe a computation and have no values.")
def it_fails_while_traced(now: Any) -> None:
    net = hybridized(now.make())
    assert called(net, *now.inputs).error is not None
    assert not net._cached_graph


@about(
    "The first operator whose result differs is {operator} ({calls}): {how}.",
    "The output differs, and {operator} ({calls}): {how}.",
)
def an_operator_has_another_value(now: Any) -> None:
    eager, hybrid = now.make(), hybridized(now.make())
    pair = [called(net, *now.inputs, **call_of(now.calls)).arrays[0] for net in (eager, hybrid)]
    traced = hybrid if isinstance(hybrid, nn.HybridBlock) else hybrid[0]
    names = [n.op.name for n in traced._cached_graph[1]._nodes() if n.op is not None]
    alone = re.fullmatch(r"only the (eager call uses|graph has) (\w+)", now.operator)
    if alone:
        assert (alone[2] in names) is (alone[1] == "graph has")
    else:
        assert now.operator.split(" in layer")[0] in names
    before = re.search(r"Before that, only the eager call uses (\w+) \(line (\d+)\)", now.how)
    if before:
        assert before[1] not in names and f"F.{before[1]}(" in source_line(int(before[2]))
    differs(now.how, *pair)


@about(
    "The same line has different effects on Symbols and on arrays, or uses a value that Python computed.",
    "An output differs ({calls}): {how}.",
    "The parts of the net are checked one by one.",
)
def a_line_does_something_else(now: Any) -> None:
    pair = [called(net, *now.inputs).arrays[0] for net in (now.make(), hybridized(now.make()))]
    assert not numpy.array_equal(*pair)
    if hasattr(now, "how") and now.calls.startswith("your inputs"):
        differs(now.how, *pair)


@about("The net has {eager} outputs eagerly, but {hybrid} hybridized ({calls}).")
def there_are_other_outputs(now: Any) -> None:
    counts = [len(called(net, *now.inputs).arrays) for net in (now.make(), hybridized(now.make()))]
    assert counts == [int(now.eager), int(now.hybrid)]


@about(
    "Eagerly, the net returns {eager}; hybridized, it returns {hybrid}.",
    "A graph has a flat list of outputs. The net nests the outputs again, in lists, not tuples.",
)
def outputs_are_nested_in_another_way(now: Any) -> None:
    shown = [nested(called(net, *now.inputs).result) for net in (now.make(), hybridized(now.make()))]
    assert shown[0] != shown[1] and (not hasattr(now, "eager") or shown == [now.eager, now.hybrid])


def nested(out: Any) -> str:
    return re.sub(r"<[^<>]*>", "x", repr(_marked(out))).replace("'x'", "x")


def _marked(out: Any) -> Any:
    return type(out)(map(_marked, out)) if isinstance(out, list | tuple) else "x"


# --- notes ------------------------------------------------------------------------------------------------------------


@about(
    "The reshape to {shape} contains the batch size {n} as a constant.",
    "{operator} creates an array of shape {shape}, which contains the batch size {n} as a constant.",
    "With another number of examples, the net fails, or mixes values of different examples.",
)
def the_batch_size_is_a_constant(now: Any) -> None:
    net = hybridized(now.make())
    first = called(net, *now.inputs)
    if hasattr(now, "shape"):
        assert int(now.n) == len(X) == ast.literal_eval(now.shape)[0]
        assert now.shape in [str(tuple(n.params.get("shape", ()))) for n in net._cached_graph[1]._nodes() if n.op]
        assert getattr(now, "operator", "Reshape").lower() in [
            n.op.name.lower() for n in net._cached_graph[1]._nodes() if n.op
        ]
    more = called(net, nd.concat(X, X * 2, dim=0))
    assert more.error is not None or more.arrays[0].shape[0] == first.arrays[0].shape[0], "rows are mixed"


@about(
    "The {n}-th input to HybridBlock is not used by any computation.",
    "Parameter {names} is not used by any computation.",
    "The graph contains only what its outputs depend on.",
)
def something_is_not_used(now: Any) -> None:
    net = hybridized(now.make())
    first = called(net, *now.inputs)
    inputs = net._cached_graph[1].list_inputs()
    if hasattr(now, "n"):
        others = [*now.inputs]
        others[int(now.n)] = others[int(now.n)] + 100
        assert same(called(net, *others), first) and len(inputs) < len(now.inputs)
    elif hasattr(now, "names"):
        assert re.sub(r"\d+", "", now.names) in [re.sub(r"\d+", "", name) for name in net.collect_params()]
        assert not any("weight" in name for name in inputs)


@about(
    "The blocks in {path} are not children of the net: they are in a {kind}.",
    "collect_params() and initialize() do not find their parameters, and they are not in the graph.",
)
def blocks_are_no_children(now: Any) -> None:
    net = now.make()
    if hasattr(now, "path"):
        held = eval(now.path, {"self": net})
        assert type(held).__name__ == now.kind and held[0] not in net._children.values()
    assert not list(net.collect_params())


@about(
    "{path} is a {kind}, a Block and not a HybridBlock.",
    "Its forward is Python, and runs in every call, hybridized or not.",
    "{path} is a HybridBlock, but {kind} overrides forward.",
    "hybridize() only affects HybridBlock.forward. This forward is Python, and runs in every call.",
)
def the_forward_is_python(now: Any) -> None:
    net = hybridized(now.make())
    if hasattr(now, "path"):
        block = eval(now.path, {"self": net})
        assert type(block).__name__ == now.kind
        assert isinstance(block, nn.HybridBlock) is ("overrides" in now.finding.what)
    counts = []
    for _ in range(3):
        seen: list[int] = []
        before = sys.gettrace()
        sys.settrace(lambda frame, event, _, seen=seen: seen.append(1) if frame.f_code.co_name == "forward"
                     and frame.f_code.co_filename == __file__ else None)  # fmt: skip
        try:
            called(net, *now.inputs)
        finally:
            sys.settrace(before)
        counts.append(len(seen))
    assert counts == [1, 1, 1]


@about(
    "The hook on {path} is called in eager calls and during the trace, and then never.",
    "A compiled program calls no blocks: the layers are operators of one graph.",
)
def the_hook_is_called(now: Any) -> None:
    net = now.make()
    counts = []
    for hybridize in (False, True, None, None):
        if hybridize:
            hybridized(net)
        HOOKED.clear()
        called(net, *now.inputs)
        counts.append(len(HOOKED))
    assert counts == [1, 1, 0, 0]
    if hasattr(now, "path"):
        assert eval(now.path, {"self": net})._forward_hooks


# --- the whole of it --------------------------------------------------------------------------------------------------


def test_as_many_calls_are_compared_as_are_said() -> None:
    """Count the calls in which both ways gave arrays."""
    for case in ("nothing", "a batch size", "failing", "failing in training"):
        make, inputs = CASES[case]
        compared = 0
        for given in variations(inputs):
            for mode in ("predict", "train"):
                eager, hybrid = make(), hybridized(make())
                called(hybrid, *inputs)  # traced with the inputs of the user
                both = [called(net, *given, mode=mode) for net in (eager, hybrid)]
                seeds = 2 if given is inputs else 1
                compared += seeds * (all(one.error is None for one in both))
        text = (
            f"{compared} calls compared"
            if compared
            else "no call compared, because the eager or the hybridized call fails"
        )
        assert text in str(findings(case)) and len(findings(case).runs) == compared, case


def variations(inputs: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the inputs, other values, and two other batch sizes."""
    sizes = [tuple(nd.array(a.asnumpy()[numpy.arange(n) % len(a)]) for a in inputs) for n in (3, 4)]
    return [inputs, tuple(a * -1 for a in inputs), *sizes]


def test_nothing_is_said_of_a_net_that_computes_the_same() -> None:
    found = findings("nothing")
    assert (
        str(found) == "Net: the eager and hybridized results are the same (10 calls compared), and nothing is frozen."
    )
    net = CASES["nothing"][0]()
    assert same(called(net, X), called(hybridized(net), X))


FACTOR = {"name": 2.0}


def in_scopes(self: Any, F: Any, x: Any) -> Any:
    with autograd.pause():
        x = x * 2
    x = x * vars(self).get("scale", 2)
    x = x * {"relu": len}["relu"]([1])
    x = x * next(self.numbers)
    return x * len(repr(pytest.approx(2.0)))


def test_what_was_not_read_is_a_line_of_the_net() -> None:
    net = net_of(in_scopes)()
    net.numbers = iter([2.0] * 1000)
    found = check_hybridization(net, X).unseen
    patterns = {
        "a graph has no scopes. Hybridized, gradients flow": "autograd.pause()",
        "what it reads is known only while it runs.": "vars(self)",
        "the source of _pytest": "pytest.approx(2.0)",
    }
    for sentence in found:
        match = re.fullmatch(r"line (\d+), `(.+?)`: (.+)", sentence)
        assert match is not None and match[2] in source_line(int(match[1])), sentence
    for text, code in patterns.items():
        assert any(text in sentence and f"`{code}`" in sentence for sentence in found), (text, found)
    hidden = check_hybridization(CASES["a hidden print"][0](), X).unseen
    assert hidden == ["hybrid_forward (self) has no readable source, so nothing in it was checked."]


def test_in_a_scope_that_a_graph_does_not_have_gradients_flow() -> None:
    for hybridize, expected in ((False, 0), (True, 2)):
        net = net_of(paused)()
        x = X.copy()
        x.attach_grad()
        if hybridize:
            hybridized(net)
        with autograd.record():
            y = net(x).sum()
        y.backward()
        assert (x.grad.asnumpy() == 1 + expected).all()


def paused(self: Any, F: Any, x: Any) -> Any:
    with autograd.pause():
        y = x * 2
    return x + y
