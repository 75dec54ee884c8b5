"""Every sentence of the stepper is what ran: it is compared with a second, plain call of the same net."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import sys
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from compiler import networks
from said import parsed, texts_in

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core import pipeline
from d2lhybrid.internals.core.invoke import invoke
from d2lhybrid.internals.pictures.compile_steps import compile_steps
from d2lhybrid.internals.pictures.steps.milestones import milestones_of, savings_of
from d2lhybrid.internals.support import events

#: Sentences about the view itself, or about what was left out; other tests are about these.
ABOUT_THE_VIEW = {
    "{n} bytes", "removed by {stage}", "Compiling {net}", "Only the first of {count} nodes are drawn.",
    "and {count} more buffers",
    "and {count} more lines",
    "Point at something to see what belongs to it. Click to keep it, double-click to show its step.",
    "and {count} more steps",
    "details ({count})", "{chapter}: {count} steps are left out.", "{count} more", "{count} steps", "{count} unchanged",
    "{name} again", "stage {n} of {count}", "step {n} of {count}",
    "{title}: {count} steps ({names})", "from the weights: {n} operators",
}  # fmt: skip
TEXTS = texts_in("steps/*.py", "compile_steps.py") - ABOUT_THE_VIEW


# --- nets --------------------------------------------------------------------------------------------------------


def twice(F: Any, x: Any) -> Any:
    return x * 2


class Speaking(nn.HybridBlock):
    """Lines that print, lines without an operator, a function, a layer that waits for its shape, a dead operator."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(10)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        print("x:", type(x).__name__)
        rounds = 2
        for _ in range(rounds):
            x = F.relu(self.hidden(x) if rounds == 3 else twice(F, x))
        F.tanh(x)
        print("to the layer\nand out")
        return self.hidden(x).astype("float64")


class Looping(nn.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.contrib.foreach(lambda row, state: (F.exp(row) + state, state + 1), x, F.zeros((3,)))[0]


class Absorbing(nn.HybridBlock):
    """A normalization that the convolution takes over, from weights alone, and a convolution in another layout."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.body = nn.HybridSequential()
            self.body.add(nn.Conv2D(4, 3, in_channels=2), nn.BatchNorm(in_channels=4), nn.Activation("relu"))

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.body(x)


def of_a_file() -> Any:
    data = mx.sym.Variable("data", dtype="float32")
    return gluon.SymbolBlock(mx.sym.relu(data) * 3, data)


def initialized(make: Any, *shapes: tuple[int, ...]) -> Any:
    def made() -> tuple[Any, list[Any]]:
        mx.random.seed(1)
        net = make()
        net.initialize(mx.init.Uniform(0.5))
        rng = numpy.random.default_rng(2)
        return net, [nd.array(rng.normal(size=shape)) for shape in shapes]

    return made


def failing(function: Any) -> Any:
    return initialized(lambda: nn.HybridLambda(function), (2, 3))


def failing_operator(name: str, where: str) -> Any:
    """Register an operator that fails at work, and return a function that calls it."""

    class Fails(mx.operator.CustomOp):
        def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            if where == "forward":
                raise ValueError("of the operator")
            self.assign(out_data[0], req[0], in_data[0])

        def backward(self, *arguments: Any, **named: Any) -> None:
            raise ValueError("of its gradient")

    @mx.operator.register(name)
    class FailsProp(mx.operator.CustomOpProp):
        def create_operator(self, *arguments: Any) -> Any:
            return Fails()

    return lambda F, x: F.Custom(F.exp(x), op_type=name) + 1


def failing_backward() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(2), nn.HybridLambda(failing_operator("fails_backward_in_true_steps", "backward")))
    return net


#: Case -> the net and its inputs, and whether it is recorded.
CASES: dict[str, tuple[Any, bool]] = {
    **{f"{name}, {record}": (lambda name=name: networks.make(name), record)
       for name in (*networks.NETWORKS, *networks.FOR_PASSES) for record in (False, True)},
    "speaking": (initialized(Speaking, (2, 4)), False),
    "speaking, recorded": (initialized(Speaking, (2, 4)), True),
    "looping": (initialized(Looping, (2, 3)), False),
    "absorbing": (initialized(Absorbing, (2, 2, 8, 8)), False),
    "a file": (initialized(of_a_file, (2, 3)), False),
    "nothing to improve": (failing(lambda F, x: F.relu(x)), False),
    "views": (failing(lambda F, x: (F.exp(x.reshape((3, 2)).reshape((6,))), x.reshape((3, 2)))), False),
    "freeing": (initialized(lambda: nn.HybridLambda(lambda F, x: F.sum(F.dot(F.dot(x, x), x))), (100, 100)), False),
    "fails while traced": (failing(lambda F, x: F.relu(x).asnumpy()), False),
    "fails in inference": (failing(lambda F, x: F.relu(x) + F.ones((1, 3))), False),
    "fails when run": (failing(failing_operator("fails_in_true_steps", "forward")), False),
    "fails backward": (initialized(failing_backward, (2, 3)), True),
}  # fmt: skip


# --- what ran ----------------------------------------------------------------------------------------------------


def in_words(nbytes: int) -> str:
    """Return a size as a reader would round it."""
    for unit, factor in (("MB", 2**20), ("kB", 2**10)):
        if nbytes >= factor:
            return f"{nbytes / factor:.3g} {unit}"
    return f"{nbytes} bytes"


def flat(out: Any) -> list[Any]:
    return [a for part in out for a in flat(part)] if isinstance(out, list | tuple) else [out]


class Ran:
    """A net, its steps, and a later call of it that nothing of the stepper watches."""

    def __init__(self, case: str) -> None:
        make, self.record = CASES[case]
        self.net, self.inputs = make()
        parameters = self.net.collect_params()
        self.waiting = [name for name, p in parameters.items() if not p.shape or 0 in p.shape]
        self.steps = compile_steps(self.net, *self.inputs, record=self.record, measure=False)
        self.error: Exception | None = None
        self.came_to = "nothing"
        #: (operator, name, names of inputs, line of the net's own file) of each node that the trace makes.
        self.made: list[tuple[str, str, list[str], int]] = []
        self.entered: list[str] = []
        printed = io.StringIO()

        def made(node: Any) -> None:
            if node.op is not None:
                self.made.append((node.op.name, node.name, [n.name for n, _ in node.inputs], _line()))

        self.net.hybridize()
        scope = autograd.record() if self.record else contextlib.nullcontext()
        stages: list[Any] = []
        listening = events.listening(node_made=made, pass_done=lambda stage: stages.append(stage))
        with contextlib.redirect_stdout(printed), listening:
            try:
                with scope:
                    self.out = self.net(*self.inputs)
                self.came_to = "backward"
                if self.record and self.net.programs[-1].backward is not None:
                    autograd.backward(flat(self.out))
            except Exception as error:
                self.error = error
        self.printed = printed.getvalue()
        self.program = self.net.programs[-1] if self.net.programs else None
        graph = self.net._cached_graph
        self.symbol = graph[1] if graph else None
        self.stages = self.program.stages if self.program is not None else stages

    @cached_property
    def json(self) -> list[dict[str, Any]]:
        return json.loads(self.symbol.tojson())["nodes"]

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every entry, as the symbol finds it from the inputs."""
        inner = self.symbol.get_internals()
        data = [v.name for v in self.net._cached_graph[0] if v is not None]
        known = {name: a.shape for name, a in zip(data, self.inputs, strict=False)}
        _, found, _ = inner.infer_shape_partial(**known) if self.error else inner.infer_shape(**known)
        return {name: shape for name, shape in zip(inner.list_outputs(), found, strict=True) if shape}

    def shape_of(self, node: str) -> list[str]:
        names = [n for n in self.shapes if n == node or re.fullmatch(re.escape(node) + r"_(output\d*|[a-z]+\d*)", n)]
        return ["×".join(map(str, self.shapes[n])) or "()" for n in names]

    def source(self, half: str) -> str:
        assert self.program is not None
        return getattr(self.program, half).text

    @cached_property
    def halves(self) -> dict[str, Half]:
        """Return what each generated function did in one more call, line by line."""
        found: dict[str, Half] = {}
        with _tracing(found), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            with autograd.record() if self.record else contextlib.nullcontext():
                out = self.net(*self.inputs)
            if self.record and self.program is not None and self.program.backward is not None:
                autograd.backward(flat(out))
        return found

    def stage(self, name: str) -> tuple[Any, Any]:
        """Return the graphs before and after the pass with this name."""
        at = [stage.name for stage in self.stages].index(name)
        return self.stages[at - 1].graph, self.stages[at].graph


class Half:
    """The run of a generated function: its arguments, the names after each line, and its results."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        self.arguments = {name: a for name, a in arguments.items() if isinstance(a, numpy.ndarray)}
        self.after: dict[int, dict[str, Any]] = {}
        #: The first numbers of each value after a line; a later line may write over them.
        self.numbers: dict[int, dict[str, list[float]]] = {}
        self.results: list[Any] = []

    def first(self, name: str) -> int:
        """Return the first line after which a name has a value."""
        return next(line for line, names in self.after.items() if name in names)

    def value(self, name: str) -> Any:
        return self.after[self.first(name)][name]

    @property
    def own(self) -> dict[int, None]:
        """The memory that the function itself made, in the order of its first use."""
        given = {memory_of(a) for a in self.arguments.values()}
        made = [memory_of(a) for names in self.after.values() for a in names.values()]
        return dict.fromkeys(m for m in made if m not in given)


def memory_of(array: Any) -> int:
    while isinstance(array.base, numpy.ndarray):
        array = array.base
    return id(array)


@contextlib.contextmanager
def _tracing(found: dict[str, Half]) -> Any:
    """Note what generated functions do; all their arrays are kept, so that no memory is used again."""
    before = sys.gettrace()

    def enter(frame: Any, event: str, _: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith("<d2lhybrid program") or code.co_name not in ("forward", "backward"):
            return None
        half = found[code.co_name] = Half(dict(frame.f_locals))
        last = [0]

        def inside(frame: Any, event: str, argument: Any) -> Any:
            if last[0]:
                arrays = {n: v for n, v in frame.f_locals.items() if isinstance(v, numpy.ndarray)}
                half.after[last[0]] = {n: v for n, v in arrays.items() if n not in half.arguments}
                half.numbers[last[0]] = {
                    n: v.ravel()[:4].astype(float).tolist() for n, v in half.after[last[0]].items()
                }
            last[0] = frame.f_lineno - code.co_firstlineno + 1 if event == "line" else 0
            if event == "return" and argument is not None:
                half.results = list(argument) if isinstance(argument, list | tuple) else [argument]
            return inside

        return inside

    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)


def _line() -> int:
    frame: Any = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename != __file__ and "networks" not in frame.f_code.co_filename:
        frame = frame.f_back
    return 0 if frame is None else frame.f_lineno


@cache
def ran(case: str) -> Ran:
    return Ran(case)


# --- what is said ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_every_sentence_of_the_steps_is_what_ran(case: str) -> None:
    found = said(case)
    assert found
    for text, values, step, chapter in found:
        TRUE[text](SimpleNamespace(ran=ran(case), step=step, chapter=chapter, **values))


def test_every_sentence_is_said_of_a_net_and_compared() -> None:
    assert not set(TRUE) & SELDOM
    assert set(TRUE) | SELDOM == TEXTS
    assert set(TRUE) == {text for case in CASES for text, *_ in said(case)}


#: Sentences that no net of NumPy's backend brings about; some have tests of their own.
SELDOM = {
    "This program runs as machine code: its lines cannot be watched.", "This line belongs to no node.",
    "All values together take {total}; the buffers take {buffers}.", "Some shapes have changed.",
    "Dropped, because unused: {before}.", "The graph is complete, with all its types. The compiler fails.",
}  # fmt: skip


def test_a_compiler_that_fails_is_said_to_fail_after_the_types(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(graph: Any, *settings: Any) -> Any:
        raise RuntimeError("of the pass")

    monkeypatch.setattr(pipeline, "FORWARD_PASSES", (("broken", broken), *pipeline.FORWARD_PASSES))
    net, inputs = networks.make("mlp")
    steps = compile_steps(net, *inputs, measure=False)
    assert "of the pass" in str(steps.error) and steps.call.stages[0].name == "infer"
    assert all(str(steps.call.stages[0].graph.types[n, 0]) for n in steps.call.stages[0].graph.nodes)
    assert steps.chapters[-1].steps[-1].text == "The graph is complete, with all its types. The compiler fails."


@pytest.mark.parametrize("case", CASES)
def test_what_is_said_to_be_saved_is_counted_again(case: str) -> None:
    found, rows = ran(case), {name: (before, after) for name, before, after, _ in savings_of(ran(case).steps)}
    if found.error is not None:
        assert not rows
        return
    assert rows.get("printed lines") == ((str(len(found.printed.splitlines())), "0") if found.printed else None)
    first = found.stages[0].graph
    own = {n["name"] for n in found.json}
    updating = [n for n in first.nodes if n.op is not None and n.name not in own]  # for states alone
    assert rows["operators in every call"] == (
        str(sum(n["op"] != "null" for n in found.json) + len(updating)),
        str(len({id(n) for n in found.program.forward.line_nodes.values()})),
    )
    half = found.halves["forward"]
    largest = {m: max(v.nbytes for names in half.after.values() for v in names.values() if memory_of(v) == m)
               for m in half.own}  # fmt: skip
    assert rows["memory for intermediate values"][1] == in_words(sum(largest.values()))


@cache
def said(case: str) -> list[tuple[str, dict[str, str], Any, Any]]:
    """Return every sentence of a net's steps, with its values, its step, and its chapter."""
    steps = ran(case).steps
    found = []
    for chapter in steps.chapters:
        for step in chapter.steps:
            told = [step.text]
            if step.failure is None and (chapter.kind not in ("pass", "unchanged") or chapter.title == "split"):
                told.append(step.why)  # the purpose of a pass is the documentation of its module
            for sentence in told:
                if sentence:
                    texts = parsed(sentence, TEXTS)
                    assert texts, sentence
                    inner = [one for _, values in texts for value in values.values() for one in parsed(value, TEXTS)]
                    found += [(text, values, step, chapter) for text, values in (*texts, *inner)]
    for milestone in milestones_of(steps):
        for sentence in (milestone.text, milestone.why):
            step = next((one for one in milestone.steps if sentence in (one.text, one.why)), milestone)
            found += [(text, values, step, milestone) for text, values in parsed(sentence, TEXTS)]
    return found


TRUE: dict[str, Any] = {}


def about(*texts: str) -> Any:
    """Note a function that compares sentences with what ran."""

    def note(function: Any) -> Any:
        TRUE.update(dict.fromkeys(texts, function))
        return function

    return note


# The trace.


def made_by(now: Any) -> tuple[str, str, list[str], int]:
    """Return the node of the plain call that a sentence names."""
    name = getattr(now, "name", None) or ran_step_name(now)
    (found,) = [one for one in now.ran.made if one[1] == name]
    return found


def ran_step_name(now: Any) -> str:
    return next(v["name"] for t, v, s, _ in said_of(now) if s is now.step and "name" in v)


def said_of(now: Any) -> Any:
    return said(next(case for case in CASES if ran(case) is now.ran))


def line_of(now: Any) -> str:
    """Return the line of the user's program that a step shows."""
    source, number = now.step.lines[-1]
    source = now.ran.steps.sources[source]
    return source.lines[number - source.first].strip()


@about(
    "The net is called for the first time after hybridize(): its hybrid_forward begins.",
    "It runs once, with Symbols in place of arrays: they have no numbers, only names.",
)
def the_forward_began(now: Any) -> None:
    assert now.ran.made or now.ran.came_to == "nothing"
    again: list[Any] = []
    if now.ran.error is None:
        with events.listening(node_made=again.append), contextlib.redirect_stdout(io.StringIO()):
            now.ran.net(*now.ran.inputs)
        assert not again, "of the calls with these shapes, one alone was traced"
    else:
        assert "hybrid_forward" in now.ran.steps.sources[now.step.lines[-1][0]].title


@about(
    "{path} ({kind}) is called: its hybrid_forward begins.",
    "Blocks inside the net are called like functions: all become one graph.",
)
def a_layer_was_called(now: Any) -> None:
    if not hasattr(now, "path"):
        return
    block = eval(now.path, {"self": now.ran.net})
    assert type(block).__name__ == now.kind and block is not now.ran.net
    prefix = block.prefix
    assert not list(block._reg_params) or any(n["name"].startswith(prefix) for n in now.ran.json)


@about(
    "The function {name} is called.",
    "A function is not in the graph: only the operators that it calls are.",
)
def a_function_was_called(now: Any) -> None:
    if hasattr(now, "name"):
        assert now.name not in {op for op, *_ in now.ran.made}
        assert now.name == "<lambda>" or line_of(now).startswith(f"def {now.name}(")


@about(
    "This line prints. It creates no node.",
    "Code that creates no node is not in the graph: the compiled program will not print.",
)
def a_line_printed(now: Any) -> None:
    assert line_of(now).startswith("print(") and now.step.printed in now.ran.printed
    assert now.step.lines[-1][1] not in {line for *_, line in now.ran.made}
    again = io.StringIO()
    with contextlib.redirect_stdout(again):
        now.ran.net(*now.ran.inputs)
    assert not again.getvalue()


@about(
    "Python runs this line. It creates no node.",
    "The graph contains only operators of F; what Python decides here is frozen.",
)
def a_line_made_nothing(now: Any) -> None:
    assert now.step.lines[-1][1] not in {line for *_, line in now.ran.made} or "for " in line_of(now)
    assert "print" not in line_of(now)


@about(
    "{op} of {inputs}: nothing is computed, and the node {name} is created.",
    "{op} of {inputs} makes {name}, inside the body of a loop or a branch.",
)
def a_node_was_made(now: Any) -> None:
    op, _, inputs, line = made_by(now)
    assert op == now.op and now.inputs == (", ".join(dict.fromkeys(inputs)) or "nothing")
    own = [number for source, number in now.step.lines if now.ran.steps.sources[source].filename == __file__]
    assert not own or own[-1] == line
    inside = now.name not in {n["name"] for n in now.ran.json} if now.ran.symbol is not None else False
    if "inside" in now.step.text:
        assert inside and any(now.name in str(n.get("subgraphs", "")) for n in now.ran.json)


@about("A Symbol records which operator to apply, and to what.")
def the_symbol_has_it(now: Any) -> None:
    if now.ran.symbol is None:
        assert now.ran.error is not None
        return
    found = {n["name"]: n for n in now.ran.json}[ran_step_name(now)]
    assert found["op"] == made_by(SimpleNamespace(ran=now.ran, name=found["name"]))[0]


@about("A body is a separate graph, stored in the node of the loop.")
def the_body_is_in_the_loop(now: Any) -> None:
    assert any(n.get("subgraphs") for n in now.ran.json)


@about("No result needs it: it will not be in the program.")
def no_result_needs_it(now: Any) -> None:
    name = ran_step_name(now)
    assert name not in {n["name"] for n in now.ran.json} and name not in now.ran.source("forward")


@about("hybrid_forward returns. The graph has {count} operators.")
def the_graph_has_as_many(now: Any) -> None:
    assert int(now.count) == sum(n["op"] != "null" for n in now.ran.json)


@about(
    "From now on, the graph replaces hybrid_forward, which will not run again.",
    "The next call with these shapes runs the program directly, without the earlier steps.",
)
def the_next_call_only_runs_the_program(now: Any) -> None:
    if now.ran.error is not None:
        return
    happened: list[Any] = []
    with events.listening(node_made=happened.append, program_compiled=happened.append):
        scope = autograd.record() if now.ran.record else contextlib.nullcontext()
        with scope:
            now.ran.net(*now.ran.inputs)
    assert not happened


@about("Nothing is traced: this net was made from a graph, so there is no Python code to run.")
def nothing_was_traced(now: Any) -> None:
    assert isinstance(now.ran.net, gluon.SymbolBlock) and not now.ran.made


@about(
    "Your code runs once, with symbols instead of numbers. Every operator that it calls becomes a node.",
    "{count} operators are recorded; nothing is computed.",
)
def as_many_are_recorded(now: Any) -> None:
    if hasattr(now, "count"):
        assert int(now.count) == len(now.ran.made)


@about("It prints {count} lines now, and never again.")
def as_many_lines_were_printed(now: Any) -> None:
    assert int(now.count) == len(now.ran.printed.splitlines())


# Inference.


def listed_shapes(texts: str) -> list[tuple[str, str]]:
    return [(name, shape) for name, _, shape in (text.partition(" ") for text in texts.split(", ") if text != "…")]


@about("Known at first: {names}.", "Inference goes from node to node until it finds no new shape.")
def known_at_first(now: Any) -> None:
    if not hasattr(now, "names"):
        return
    variables = [n["name"] for n in now.ran.json if n["op"] == "null" and n["name"] not in now.ran.waiting]
    named = listed_shapes(now.names)
    for name, shape in named:
        assert name in variables and (now.ran.error or now.ran.shape_of(name) == [shape])
    assert len(named) == len(variables) or (now.names.endswith("…") and len(named) < len(variables))


@about("The rule of {op} finds {name}: {shape}.")
def the_rule_finds(now: Any) -> None:
    assert now.op == {n["name"]: n["op"] for n in now.ran.json}[now.name]
    assert now.ran.error or now.shape in (now.ran.shape_of(now.name)[0], ", ".join(now.ran.shape_of(now.name)))


@about("The rule also infers input shapes, backwards: {inputs}.")
def it_infers_its_inputs(now: Any) -> None:
    (node,) = [n for n in now.ran.json if n["name"] == ran_step_name(now)]
    given = {now.ran.json[i]["name"] for i, *_ in node["inputs"]}
    for name, shape in listed_shapes(now.inputs):
        assert name in given and now.ran.shape_of(name) == [shape]


@about(
    "Each operator has a rule that finds the shapes of its outputs from those of its inputs.",
    "The shape of the input determines all other shapes: each operator has a rule.",
)
def every_shape_is_found(now: Any) -> None:
    assert now.ran.error or len(now.ran.shapes) >= len(now.ran.json)


@about(
    "This is how a layer without in_units gets the shape of its weight from the data.",
    "The parameters were deferred, because their initializers need shapes.",
    "The parameters get their values. Then inference runs again, for the compiler. {what}",
    "The result is the same.",
)
def a_weight_waited(now: Any) -> None:
    assert now.ran.waiting
    if hasattr(now, "what"):
        assert now.what == "The result is the same."
        assert all(now.ran.shape_of(name) == ["×".join(map(str, p.shape))]
                   for name, p in now.ran.net.collect_params().items())  # fmt: skip


@about("{count} weights had no shape yet; they infer it from the data.")
def as_many_waited(now: Any) -> None:
    assert int(now.count) == len(now.ran.waiting)


@about(
    "Dtypes are inferred in the same way: {dtype} everywhere.",
    "Dtypes are inferred in the same way: {dtypes}.",
    "Now every size is known, and the compiler can plan: a program is made for these shapes only.",
)
def the_types(now: Any) -> None:
    inner = now.ran.symbol.get_internals()
    if now.ran.program is None:
        return
    data = [v.name for v in now.ran.net._cached_graph[0] if v is not None]
    given = {name: a.dtype for name, a in zip(data, now.ran.inputs, strict=False)}
    found = sorted({numpy.dtype(t).name for t in inner.infer_type(**given)[1]})
    if hasattr(now, "dtype"):
        assert found == [now.dtype]
    elif hasattr(now, "dtypes"):
        assert ", ".join(found) == now.dtypes
    else:
        compiled: list[Any] = []
        larger = [nd.concat(a, a, dim=0) for a in now.ran.inputs]
        before = now.ran.program
        with events.listening(program_compiled=compiled.append), contextlib.suppress(mx.MXNetError, ValueError):
            now.ran.net(*larger)
        assert all(program is not before for program in compiled)


@about(
    "The program will write back states: {names}.",
    "The backward program will write back states: {names}.",
    "Operators change nothing; their new state is an ordinary output.",
)
def states_are_written(now: Any) -> None:
    if not hasattr(now, "names"):
        return
    make, record = CASES[next(case for case in CASES if ran(case) is now.ran)]
    net, inputs = make()
    states = {name: p.data().asnumpy() for name, p in net.collect_params().items() if p.grad_req == "null"}
    net.hybridize()
    with autograd.record() if record else contextlib.nullcontext():
        out = net(*inputs)
    if record and net.programs[-1].backward is not None:
        autograd.backward(flat(out))
    changed = {name for name, a in states.items() if (net.collect_params()[name].data().asnumpy() != a).any()}
    named = {re.sub(r"^\D+\d+", "", name) for name in now.names.split(", ")}
    assert {re.sub(r"^\D+\d+", "", name) for name in changed} <= named


# Passes.


def nodes_in(text: str) -> tuple[list[tuple[str, str]], int]:
    """Return names and operators of the nodes that a sentence lists, and the number of those that it only counts."""
    more = re.search(r"(?:, )?(\d+) more$", text)
    text = text[: more.start()] if more else text
    named = [re.fullmatch(r"(\S+)(?: \((\S+)\))?", one) for one in text.split(", ")]
    return [(one[1], one[2] or "") for one in named if one], int(more[1]) if more else 0


def in_graph(graph: Any) -> list[tuple[str, str]]:
    return [(n.name, "" if n.op is None else n.op.name) for n in graph.nodes]


def values_in(now: Any, graph: Any) -> dict[tuple[str, str], list[numpy.ndarray]]:
    """Run the operators of a graph one by one, as far as each has a function of its own."""
    parameters = now.ran.net.collect_params()
    data = dict(zip([v.name for v in now.ran.net._cached_graph[0] if v is not None], now.ran.inputs, strict=False))
    known: dict[Any, Any] = {}
    found: dict[tuple[str, str], list[numpy.ndarray]] = {}
    for node in graph.nodes:
        if node.op is None:
            given = data.get(node.name)
            if given is None and node.name in parameters:
                given = parameters[node.name].data()
            if given is None:  # the gradient of a result, which the plain call begins with ones
                given = nd.ones(graph.types[node, 0].shape)
            known[node, 0] = given
        elif node.op.name == "_constant":
            known[node, 0] = nd.array(node.params["value"], dtype=node.params["value"].dtype)
        elif node.op.name != "_written" and all(entry in known for entry in node.inputs):  # that one writes a state
            try:
                inputs = node.op.arrange(node.params, [known[entry] for entry in node.inputs])
                result = invoke(node.op, inputs, node.params, nd.NDArray, ctx=None if inputs else mx.cpu())
            except Exception:  # an operator of the compiler alone, which only generates lines
                continue
            for k, value in enumerate(result if isinstance(result, list) else [result]):
                known[node, k] = value
        key = node.name, "" if node.op is None else node.op.name
        found.setdefault(key, []).extend(known[e].asnumpy() for e in known if e[0] is node)
    return found


def same_numbers(a: numpy.ndarray, b: numpy.ndarray) -> bool:
    """Return whether two arrays have the same numbers, in any layout."""
    left, right = (numpy.sort(x.astype("float64"), axis=None) for x in (a, b))
    return left.shape == right.shape and bool(numpy.allclose(left, right, rtol=1e-3, atol=1e-4))


def graphs_of(now: Any) -> tuple[Any, Any]:
    return now.ran.stage(now.chapter.title)


def computes_the_same(now: Any, before: tuple[str, str], after: tuple[str, str]) -> None:
    old, new = graphs_of(now)
    if any("moves behind" in step.text for step in now.chapter.steps):
        return  # in another order, the values between are others
    left, right = values_in(now, old).get(before), values_in(now, new).get(after)
    if left and right:
        assert any(same_numbers(a, b) for a in left for b in right)


@about(
    "{before} is removed: {after} is used in its place.",
    "{before} computes the same as {after}, and is merged into it.",
    "{before} goes into {after}, which now does the work of both.",
    "{before} is replaced by {after}.",
)
def one_takes_the_place_of_others(now: Any) -> None:
    (old, new), (gone, more), (there, _) = graphs_of(now), nodes_in(now.before), nodes_in(now.after)
    assert {*gone} <= {*in_graph(old)} and {*there} <= {*in_graph(new)}
    for one in gone:
        assert one in there or in_graph(new).count(one) < in_graph(old).count(one), "it is there no more"
    assert len(old.nodes) >= len(gone) + more
    if "merged" in now.step.text or "removed" in now.step.text:
        assert there[0] in in_graph(old), "it was there before"
    if "merged" in now.step.text:
        assert gone[0][1] == there[0][1]
    if "replaced" in now.step.text:
        assert not {*there} <= {*in_graph(old)}
    if "goes into" in now.step.text:
        assert there[0] in in_graph(old) and there[0] in in_graph(new)
        (value,), (one, other) = values_in(now, new)[there[0]], (values_in(now, old)[n][0] for n in (there[0], gone[0]))
        assert same_numbers(value, one) or same_numbers(value, other)
    else:
        computes_the_same(now, gone[0], there[0])


@about("{before} depends on no input: it is computed now, once, and becomes a constant.")
def it_becomes_a_constant(now: Any) -> None:
    (old, new), (gone, _) = graphs_of(now), nodes_in(now.before)
    (node,) = [n for n in old.nodes if n.name == gone[0][0]]
    stack, seen = [node], set()
    while stack:
        seen.add(stack.pop())
        stack += [child for n in seen for child, _ in n.inputs if child not in seen]
    assert all(n.op is not None for n in seen), "no variable leads to it"
    assert not {one for one in gone if one[1] != "_constant"} & {*in_graph(new)}
    (value,) = values_in(now, old)[gone[0]]
    constants = [numpy.asarray(n.params["value"]) for n in new.nodes if n.op is not None and n.op.name == "_constant"]
    assert any(same_numbers(value, constant) for constant in constants)


@about("{before} are fused into one node, {after}.")
def several_are_fused(now: Any) -> None:
    (old, new), (gone, more), (there, _) = graphs_of(now), nodes_in(now.before), nodes_in(now.after)
    (fused,) = [n for n in new.nodes if n.name == there[0][0]]
    assert len(fused.params["body"].nodes) >= len(gone) + more > 1
    assert old.num_operators - new.num_operators == len(gone) + more - 1
    assert {*gone} <= {*in_graph(old)} - {*in_graph(new)}


@about("{first} moves behind {second}.")
def one_moves_behind_another(now: Any) -> None:
    (old, new), (first,), (second,) = graphs_of(now), nodes_in(now.first)[0], nodes_in(now.second)[0]
    before, after = ([name for name, _ in in_graph(graph)] for graph in (old, new))
    assert before.index(first[0]) < before.index(second[0]) and after.index(second[0]) < after.index(first[0])


@about("Added: {after}.", "The gradient of {before}: {after}.")
def nodes_are_added(now: Any) -> None:
    (old, new), (there, more) = graphs_of(now), nodes_in(now.after)
    counted = {one: in_graph(new).count(one) - in_graph(old).count(one) for one in there}
    assert all(counted[one] >= there.count(one) for one in there)
    assert new.num_operators - old.num_operators >= (len(there) + more if hasattr(now, "before") else 0)
    if hasattr(now, "before"):
        ((name, _),) = nodes_in(now.before)[0]
        assert (name, _) in in_graph(old) and all(one.startswith(name) for one, _ in there)
        assert len(getattr(now.step, "focus", there)) in (len(there) + more, len(there))


@about("New: {n} operators that are computed once, from the weights.")
def new_ones_are_computed_once(now: Any) -> None:
    old, new = graphs_of(now)
    weights = {*now.ran.net.collect_params()}
    fresh = [n for n in new.nodes if n.op is not None and n not in old.nodes]
    from_weights = [n for n in fresh if data_below(n) <= weights]
    assert 0 < int(now.n) <= len(from_weights)


def data_below(node: Any) -> set[str]:
    """Return the names of the variables that a node depends on."""
    stack, seen = [node], set()
    while stack:
        one = stack.pop()
        if one not in seen:
            seen.add(one)
            stack += [child for child, _ in one.inputs]
    return {n.name for n in seen if n.op is None}


def once_in(now: Any, graph: Any) -> int:
    """Return the number of operators that depend on weights alone, and that other operators use."""
    weights, results = {*now.ran.net.collect_params()}, {n for n, _ in graph.roots}
    found = [n for n in graph.nodes if n.op is not None and data_below(n) <= weights and n not in results]
    return len([n for n in found if n.op.name != "_constant" and data_below(n)])


@about("After {name}: {after} operators, {before} before.")
def as_many_after_as_before(now: Any) -> None:
    assert now.name == now.chapter.title
    old, new = graphs_of(now)
    counted = [sum(n.op is not None and n.op.name != "_constant" for n in graph.nodes) for graph in (old, new)]
    if "depend only on weights" in now.step.text + getattr(now.step, "why", ""):
        assert [int(now.before), int(now.after)] == [
            n - once_in(now, g) for n, g in zip(counted, (old, new), strict=True)
        ]
    else:
        assert [int(now.before), int(now.after)] == counted


@about("{count} operators depend only on weights, so they run once, not in every call.")
def as_many_run_once(now: Any) -> None:
    assert int(now.count) == once_in(now, graphs_of(now)[1]) > 0
    prepared = now.ran.program.prepare
    assert prepared is not None and "def " in prepared.text


@about("{names}: nothing to change here.", "The compiler finds nothing to improve in this graph.")
def nothing_changes(now: Any) -> None:
    names = now.names.split(", ") if hasattr(now, "names") else [s.name for s in now.ran.stages if s.name != "infer"]
    for name in names:
        if name not in ("split", "generate code"):
            old, new = now.ran.stage(name)
            assert in_graph(old) == in_graph(new)


@about("{name} now returns {new}; before, it returned {old}.")
def it_returns_another_layout(now: Any) -> None:
    (old, new), ((name, op),) = graphs_of(now), nodes_in(now.name)[0]
    for graph, text in ((old, now.old), (new, now.new)):
        assert text in [str(graph.types[n, 0]) for n in graph.nodes if n.name == name and n.op and n.op.name == op]
    if sorted(re.findall(r"\d+", now.new.partition("[")[2])) == sorted(re.findall(r"\d+", now.old.partition("[")[2])):
        computes_the_same(now, (name, op), (name, op))


@about("Split: cut the graph into programs: forward, backward, and the part that depends only on parameters.")
def there_are_programs(now: Any) -> None:
    program = now.ran.program
    assert program.backward is not None and program.forward.text != program.backward.text


@about("The graph is cut in two: {f} operators forward, {b} backward.")
def the_graph_is_cut(now: Any) -> None:
    graph = now.ran.program.graph
    assert int(now.f) + int(now.b) >= graph.num_operators
    assert int(now.f) <= graph.num_operators and int(now.b) <= graph.num_operators
    for half, count in (("forward", now.f), ("backward", now.b)):
        assert int(count) == len({id(n) for n in getattr(now.ran.program, half).line_nodes.values()})


def kept_nodes(program: Any) -> list[str]:
    """Return the nodes of the forward program that the backward program takes."""
    forward, backward = program.forward.line_nodes.values(), {*program.backward.line_nodes.values()}
    taken = {child for node in backward for child, _ in node.inputs}
    return [n.name for n in dict.fromkeys(forward) if n in taken and n not in backward]


@about(
    "Kept for the backward program: {names} ({nbytes} bytes).",
    "The backward program needs these values from the forward program; all others are freed.",
)
def values_are_kept(now: Any) -> None:
    program = now.ran.program
    if not hasattr(now, "names"):
        return
    results = now.ran.halves["forward"].results
    kept = results[len(results) - program.num_residuals :]
    assert int(now.nbytes) == sum(a.nbytes for a in kept)
    names = [] if now.names == "nothing" else [n for n in now.names.split(", ") if n != "…"]
    assert program.num_residuals == len(kept) >= len(names)
    assert now.names.endswith("…") == (len(names) < len({*kept_nodes(program)}))
    ordered = [n.name for n in program.graph.nodes]
    assert all(name in ordered for name in names)


@about("Before and after: the graph of your code, and the graph that runs in every call.")
def the_graphs_before_and_after(now: Any) -> None:
    drawings, nodes = now.ran.steps.drawings, now.ran.steps.nodes
    before, after = ({nodes[n].name for n in drawings[d].nodes if nodes[n].op}
                     for d in (now.step.before, now.step.drawing))  # fmt: skip
    assert before - {""} <= {n["name"] for n in now.ran.json} | {name for _, name, *_ in now.ran.made}
    lines = {n.name for n in now.ran.program.forward.line_nodes.values()}
    assert after - {""} <= {n.name for n in now.ran.program.graph.nodes} and lines & after == after & lines


# The generated functions.


def half_of(now: Any) -> Half:
    return now.ran.halves[now.step.half]


def loads(program: str, name: str) -> list[int]:
    """Return the lines of a generated function that read a name, or write into its array."""
    (function,) = [n for n in ast.walk(ast.parse(program)) if isinstance(n, ast.FunctionDef)][:1]
    own = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    written = {
        n.target.id for n in ast.walk(function) if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)
    }
    return [n.lineno for n in own if isinstance(n.ctx, ast.Load) or name in written]


def source_of(now: Any) -> list[str]:
    return now.ran.source(now.step.half).splitlines()


def in_short(array: Any) -> str:
    return f"{array.dtype}[{','.join(map(str, array.shape))}]"


@about(
    "The order is fixed, so the last use of each value is known. {count} values, {buffers} buffers.",
    "The bar of each value goes from the line that computes it to its last use.",
)
def as_many_buffers(now: Any) -> None:
    if hasattr(now, "buffers"):
        assert int(now.buffers) == len(half_of(now).own) <= int(now.count)


@about(
    "{name}: {nbytes}, from line {first} to the end, as a result.",
    "{name}: {nbytes}, from line {first} to line {last}.",
)
def a_value_lives(now: Any) -> None:
    half, program = half_of(now), now.ran.source(now.step.half)
    value, first = half.value(now.name), half.first(now.name)
    assert (int(now.first), now.nbytes) == (first, in_words(value.nbytes))
    same = {n for names in half.after.values() for n, v in names.items() if memory_of(v) == memory_of(value)}
    lives = [n for n in same if half.first(n) >= first]
    if hasattr(now, "last"):
        assert not any(memory_of(r) == memory_of(value) for r in half.results) or len(lives) > 1
        bars = [b for b in now.ran.steps.buffers[now.step.half] if now.name in [bar.name for bar in b.bars]]
        following = [bar.first for b in bars for bar in b.bars if bar.first > first]
        lives = [n for n in lives if half.first(n) < min([*following, 10**6])]
        assert int(now.last) == max([line for n in lives for line in loads(program, n)
                                     if line <= min([*following, 10**6])] or [first])  # fmt: skip
    else:
        assert any(memory_of(r) == memory_of(value) for r in half.results)


@about(
    "A buffer is free for another value after the last use of its value.",
    "It overwrites {over}, which is no longer needed.",
    "Writing in place saves memory, and the time to fetch it.",
)
def a_value_overwrites_another(now: Any) -> None:
    if hasattr(now, "over"):
        half = half_of(now)
        name = ran_step_name(now)
        assert memory_of(half.value(name)) == memory_of(half.value(now.over))
        assert max(loads(now.ran.source(now.step.half), now.over)) <= half.first(name)


@about(
    "All values together take {total}; the buffers take {buffers}; the plan's peak is {peak}.",
    "Arguments and parameters do not count: they exist anyway.",
)
def the_sums(now: Any) -> None:
    if not hasattr(now, "peak"):
        return
    half, kept = half_of(now), {}
    for names in half.after.values():
        for v in names.values():
            kept[memory_of(v)] = max(kept.get(memory_of(v), 0), v.nbytes)
    assert now.buffers == in_words(sum(kept[m] for m in half.own))


@about(
    "The program is a Python function of {count} arrays.",
    "It has no Symbol, NDArray, or block, only lines on plain arrays.",
)
def a_function_of_arrays(now: Any) -> None:
    if hasattr(now, "count"):
        assert int(now.count) == len(half_of(now).arguments)
    else:
        values = [v for names in half_of(now).after.values() for v in names.values()]
        assert all(type(v) is numpy.ndarray for v in [*values, *half_of(now).arguments.values()])


@about(
    "The nodes become lines: the program is a Python function of {count} lines.",
    "A second program computes the gradients (∂), in {count} lines.",
)
def as_many_lines(now: Any) -> None:
    assert int(now.count) == len([line for line in source_of(now) if line.strip()])


def targets(line: str) -> list[str]:
    return [n.id for n in ast.walk(ast.parse(line.strip())) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


@about(
    "{name} ({op}) becomes this line; the result is {type}.",
    "{name} ({op}) becomes {count} lines, from here on; the result is {type}.",
    "One more line for {name}.",
    "The name is the node's; the comment describes the result.",
)
def a_node_becomes_a_line(now: Any) -> None:
    program = getattr(now.ran.program, now.step.half)
    if not hasattr(now, "name"):
        return
    node = program.line_nodes[now.step.line]
    mine = [line for line, n in program.line_nodes.items() if n is node]
    assert node.name == now.name
    if not hasattr(now, "type"):
        assert now.step.line > min(mine)
        return
    assert node.op.name == now.op and now.step.line == min(mine) and int(getattr(now, "count", 1)) == len(mine)
    last = source_of(now)[max(mine) - 1].strip()
    written = targets(last) or re.findall(r"out=(\w+)", last)
    if written and half_of(now).after.get(max(mine), {}).get(written[0]) is not None:
        value = half_of(now).after[max(mine)][written[0]]
        assert now.type == in_short(value) or value.size == 0


@about("The memory of {names} is freed.", "The memory of {names} is free again.", "This was their last use.")
def memory_is_freed(now: Any) -> None:
    line = source_of(now)[now.step.line - 1].strip()
    for name in getattr(now, "names", "").split(", ") if hasattr(now, "names") else ():
        assert line.startswith("del ") and name in line and name not in half_of(now).after[now.step.line]
        assert max(loads(now.ran.source(now.step.half), name)) < now.step.line


@about("The results are returned.", "After the outputs come {count} values that the backward program needs.")
def results_are_returned(now: Any) -> None:
    if hasattr(now, "count"):
        results, outputs = half_of(now).results, flat(now.ran.out)
        assert int(now.count) == now.ran.program.num_residuals <= len(results) - len(outputs)
        given = {memory_of(a) for a in now.ran.halves["backward"].arguments.values()}
        assert {memory_of(r) for r in results[len(results) - int(now.count) :]} <= given
    else:
        assert source_of(now)[now.step.line - 1].strip().startswith("return")


@about(
    "The program runs. The memory of each value is next to its line.",
    "The generated program runs; these are its real values.",
    "This line runs.",
)
def these_are_the_values(now: Any) -> None:
    run = getattr(now.step, "run", None)
    if run is None or run.value is None:
        return
    assert run.value.shape == half_of(now).after[run.number][run.name].shape
    if not [
        *now.ran.program.forward_states,
        *now.ran.program.backward_states,
    ]:  # otherwise the first call has changed what the second one finds
        assert run.value.first == pytest.approx(half_of(now).numbers[run.number][run.name], rel=1e-4, abs=1e-6)


@about("The program returns one array.", "The program returns {count} arrays.")
def as_many_are_returned(now: Any) -> None:
    step = now.step if hasattr(now.step, "run") else now.step.steps[-1]
    assert int(getattr(now, "count", 1)) == len(now.ran.halves[step.half].results)


@about(
    "{name} is changed in place.",
    "{name} is computed: {type}, a view of an argument.",
    "{name} is computed: {type}, another view of {over}.",
    "{name} is computed: {type}, in buffer {buffer}.",
    "{name} gets memory, buffer {buffer}, for {type}; it has no values yet.",
    "{name} is computed: {type}, written over {over}.",
)
def a_value_is_computed(now: Any) -> None:
    half, line = half_of(now), now.step.line
    value = half.after[line][now.name]
    if not hasattr(now, "type"):
        assert half.first(now.name) < line
        return
    assert now.type == in_short(value) and half.first(now.name) == line
    allocates = source_of(now)[line - 1].strip().startswith(f"{now.name} = empty(")
    assert allocates == ("no values yet" in now.step.text) == (now.step.run.value is None)
    if hasattr(now, "buffer"):
        assert list(half.own).index(memory_of(value)) == int(now.buffer) - 1
    elif hasattr(now, "over"):
        assert memory_of(value) == memory_of(half.value(now.over))
    else:
        assert memory_of(value) not in half.own


# Failures.


@about("The code fails while it is traced, with Symbols in place of arrays.")
def it_fails_while_traced(now: Any) -> None:
    assert now.ran.error is not None and now.ran.symbol is None


@about("The trace succeeded, because a Symbol has no shape that could be wrong. Shape inference fails.")
def it_fails_in_inference(now: Any) -> None:
    assert now.ran.error is not None and now.ran.symbol is not None and now.ran.program is None
    with pytest.raises(mx.MXNetError):
        now.ran.symbol.infer_shape(data=(2, 3))


@about("The program is ready. It fails while it runs.")
def it_fails_when_run(now: Any) -> None:
    assert now.ran.error is not None and now.ran.program is not None and now.ran.came_to == "nothing"


@about("The program ran. The backward pass fails.")
def it_fails_backward(now: Any) -> None:
    assert now.ran.error is not None and now.ran.came_to == "backward"
