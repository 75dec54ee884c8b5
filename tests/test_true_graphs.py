"""What pictures of graphs say is so: each sentence is compared with what was recorded, compiled, and measured."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from said import Ledger, plain, texts_in

from d2lhybrid import autograd, nd, sym
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures import graph_data
from d2lhybrid.internals.pictures.graph_visible import Leaf, Visible
from d2lhybrid.internals.pictures.graph_words import microseconds
from d2lhybrid.internals.pictures.net_graph import NetGraph
from d2lhybrid.internals.support import events

X = nd.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
#: What a script says of boxes that it found or of which it knows nothing yet; tests in tests/browser look at these.
OF_SCRIPTS = {"{n} matches", "Point at a box, or click it."}
LEDGER = Ledger(texts_in("graph_*.py", "net_graph.py") - OF_SCRIPTS)
says, never = LEDGER.says, LEDGER.never


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", LEDGER.scenes)
def test_what_is_said_is_what_ran(name: str, lang: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    LEDGER.play(name, lang, patch=monkeypatch, folder=tmp_path)


def test_every_sentence_is_compared() -> None:
    assert LEDGER.compared == LEDGER.texts


def recorded_by(act: Callable[[], Any]) -> list[Any]:
    """Return the operators that an action records."""
    nodes: list[Any] = []
    with events.listening(node_made=nodes.append):
        act()
    return [node for node in nodes if node.op is not None]


def many(count: int) -> Any:
    return nn.HybridLambda(lambda F, x: F.stack(*(F.sin(x * k) for k in range(2, 2 + count))))


def all_texts(graph: Any, view: str) -> str:
    """Return what the boxes of a graph say."""
    return "\n".join(text for leaf in graph.visible(view).leaves.values() for text in leaf.texts)


def stops_of(graph: Any) -> dict[str, str]:
    return {stop[0]: stop[3] for _, _, stops in graph.to_dict()["ways"] for stop in stops}


# --- sizes ----------------------------------------------------------------------------------------------------------

OPERATORS, OUTPUTS, MORE = "{n} operators", "{n} outputs", "and {n} more"


@LEDGER.scene(OPERATORS)
def a_graph_and_a_closed_box_have_as_many_operators_as_were_recorded() -> None:
    for layers in (2, 3):
        net, part = nn.HybridSequential(), nn.HybridSequential()
        part.add(*(nn.HybridLambda(lambda F, x: F.relu(x) * 2) for _ in range(layers)))
        net.add(part, nn.HybridLambda("tanh"))
        count = len(recorded_by(lambda net=net: net(sym.Variable("x"))))
        graph = net.graph(X)
        says(graph.caption("traced"), OPERATORS, n=count)
        graph.close_all()
        says(all_texts(graph, "traced"), OPERATORS, n=len(recorded_by(lambda part=part: part(sym.Variable("x")))))


@LEDGER.scene(OUTPUTS)
def many_outputs_are_counted() -> None:
    for count in (12, 13, 20):
        net = nn.HybridLambda(lambda F, x, count=count: [x + i for i in range(count)])
        texts = all_texts(net.graph(X), "traced")
        if count == 12:
            never(texts, OUTPUTS)
        else:
            says(texts, OUTPUTS, n=len(net(X)))


@LEDGER.scene(MORE)
def what_a_graph_leaves_out_is_counted(patch: pytest.MonkeyPatch) -> None:
    for count in (3, 110):
        net = many(count)
        operators = len(recorded_by(lambda net=net: net(sym.Variable("x"))))
        graph = net.graph(X)
        graph.show("traced")
        text = graph.to_text()
        listed = [line for line in text.splitlines()[1:] if " -> " in line]
        code = {name: program.splitlines() for name, program in graph.programs.items()}
        page = plain(graph.to_html())
        if count == 3:
            assert len(listed) == operators
            never(text, MORE)
            never(page, MORE)
            continue
        says(text, MORE, n=operators - len(listed))
        brief = graph._repr_mimebundle_()[0]["text/plain"]
        says(brief, MORE, n=operators - sum(" -> " in line for line in brief.splitlines()))
        rows = re.findall(r"^\S+  +(?:stack|sin|_mul_scalar)\b", page, re.MULTILINE)
        says(page, MORE, n=operators - len(rows))
        (program,) = code.values()
        page = page[page.index("def forward") :]
        numbers = [int(n) for n in re.findall(r"^ +(\d+)  ", page, re.MULTILINE)]
        says(page, MORE, n=len(program) - max(numbers) + 1)  # the last number is that of the note
    patch.setattr(graph_data, "_EXTENTS", (graph_data._Extent(40, True),))
    (text,) = (text for text in graph.to_dict()["texts"] if text["generated"])
    *lines, note = text["lines"]
    says(str(note), MORE, n=len(program) - len(lines))
    graph = nn.HybridLambda(lambda F, *inputs: F.add_n(*inputs)).graph(*[X] * 45)
    (text,) = (text for text in graph.to_dict()["texts"] if text["generated"])
    signature = "".join(token for token, *_ in text["lines"][0][2])
    says(signature, MORE, n=45 - len(re.findall(r"\bdata\d+", signature)))


PARAMETERS, OTHERS = "{n} parameters", "{n} more"


@LEDGER.scene(PARAMETERS, OTHERS)
def parameters_that_have_no_room_in_their_box_are_counted() -> None:
    norm = nn.BatchNorm(in_channels=3)
    norm.initialize()
    texts = all_texts(norm.graph(X), "traced")
    says(texts, OTHERS, n=len(norm.collect_params().keys()) - 1)
    never(texts, PARAMETERS)
    x = sym.Variable("x")
    for bias, count in ((False, 1), (True, 2)):
        large = sym.Convolution(x, num_filter=1024, kernel=(10, 10, 10), no_bias=not bias, name="large")
        assert len(large.list_arguments()) == 1 + count
        texts = all_texts(NetGraph.of(large, x=(1, 1024, 10, 10, 10)), "forward")
        if bias:
            says(texts, PARAMETERS, n=count)
        never(texts, OTHERS)
    small = nn.Dense(2, in_units=3)
    small.initialize()
    never(all_texts(small.graph(X), "traced"), PARAMETERS)


# --- stages ---------------------------------------------------------------------------------------------------------

CODE = "The graph of your code: hybrid_forward ran once with symbols, and recorded these operators."
UNCHANGED = "The compiler found nothing to change here."
HIDDEN = "What the compiler changed is in closed boxes, or concerns parameters: open them to see it."
LEFT_OUT = "Some stages are left out: all have more than {n} boxes. graph.views names them, graph.show(name) shows one."


class Counted(nn.HybridBlock):
    def __init__(self, wasteful: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.runs: list[str] = []
        self.wasteful = wasteful

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        self.runs.append(type(x).__name__)
        return F.relu(x * 1) + F.relu(x * 1) if self.wasteful else F.relu(x) + F.tanh(x)


@LEDGER.scene(CODE, UNCHANGED, HIDDEN, LEFT_OUT)
def a_stage_says_what_the_compiler_changed(patch: pytest.MonkeyPatch) -> None:
    for wasteful in (False, True):
        net = Counted(wasteful)
        recorded: list[Any] = []
        graphs: list[Any] = []
        recorded += recorded_by(lambda net=net, graphs=graphs: graphs.append(net.graph(X)))
        (graph,) = graphs
        told = stops_of(graph)
        assert net.runs == ["Symbol"] and len(recorded) == len(graph.model("traced").operators)
        says(told["traced"], CODE)
        lines = graph.programs["forward"].count(" = ")
        assert (lines < len(recorded)) == wasteful
        never(told["traced"], HIDDEN)
        if wasteful:
            assert len(told) > 1
            for name, text in told.items():
                never(text, UNCHANGED)
                if name != "traced":
                    never(text, CODE)
        else:
            assert [*told] == ["traced"]
            says(told["traced"], UNCHANGED)

    for wasteful in (False, True):
        net, inside = nn.HybridSequential(), nn.HybridSequential()
        inside.add(Counted(wasteful), nn.HybridLambda("tanh"))
        net.add(inside, nn.HybridLambda("tanh"))
        graph = net.graph(X)
        graph.open_all()
        told = stops_of(graph)
        assert (len(told) > 1) == wasteful
        never(told["traced"], HIDDEN)
        graph.close_all()
        with patch.context() as here:
            here.setattr(Visible, "_group", lambda self, group: Leaf(group, "group", (group,)))  # without its size
            told = stops_of(graph)
        assert [*told] == ["traced"], "closed, all stages look the same"
        says(told["traced"], HIDDEN if wasteful else UNCHANGED)
        never(told["traced"], UNCHANGED if wasteful else HIDDEN)
    for backward in (False, True):
        graph = nn.HybridLambda(lambda F, x: F.softmax(x)).graph(X, backward=backward)
        told = [stop[3] for _, _, stops in graph.to_dict()["ways"] for stop in stops]
        assert len(told) == 1 + backward
        for text in told:
            says(text, UNCHANGED)
            never(text, HIDDEN)

    graph = net.graph(X)
    never(str(stops_of(graph)), LEFT_OUT)
    graph.open_all()
    views = stops_of(graph)
    boxes = sum(len(graph.visible(view).leaves) for view in views)
    for most in (3, 4):
        patch.setattr(graph_data, "_MANY", most)
        patch.setattr(graph_data, "_EXTENTS", graph_data._EXTENTS[-1:])
        told = stops_of(graph)
        assert boxes > most and len(told) < len(views)
        says(told[graph.view], LEFT_OUT, n=most)
    (name, *_) = [view for view in graph.views if view not in told]
    graph.show(name)
    assert name in stops_of(graph)


GRADIENT, NEW = "gradient of {name}", "new {name}"


@LEDGER.scene(GRADIENT, NEW)
def results_of_a_training_graph_are_gradients_and_new_statistics() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=3), nn.BatchNorm(in_channels=3))
    net.initialize()
    before = {name: p.data().asnumpy() for name, p in net.collect_params().items()}
    with autograd.record():
        y = net(X)
    y.backward()
    changed = {n for n, p in net.collect_params().items() if (p.data().asnumpy() != before[n]).any()}
    wanted = {n for n, p in net.collect_params().items() if p.grad_req != "null"}
    assert changed and len(wanted) == 4
    graph = net.graph(X, backward=True)
    told = "\n".join(result for view in graph.views for result in graph.model(view).results)
    for name in wanted:
        says(told, GRADIENT, name=name)
        assert net.collect_params()[name].grad().shape == net.collect_params()[name].shape
    for name in changed:
        says(told, NEW, name=name)
    told = "\n".join(result for view in net.graph(X).views for result in net.graph(X).model(view).results)
    for text in (GRADIENT, NEW):
        never(told, text)


# --- programs and times ---------------------------------------------------------------------------------------------

GENERATED, TOGETHER = "generated program: {name}", "{time} with others"
TOO_LARGE = "The picture is too large to stay in a notebook. Write it to a file with graph.save('graph.svg')."


@LEDGER.scene(GENERATED, TOO_LARGE)
def a_page_has_the_programs_that_run_and_a_picture_that_fits(folder: Path) -> None:
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.hybridize()
    for record in (False, True):
        ran: list[str] = []
        with events.listening(program_called=lambda source, run, ran=ran: ran.append(source.name)):
            if record:
                with autograd.record():
                    y = net(X)
                y.backward()
            else:
                net(X)
        graph = net.graph(X, backward=record)
        page = graph.to_html()
        assert {*ran} <= {*graph.programs} and ("backward" in ran) == record
        for name in ran:
            says(plain(page), GENERATED, name=name)
        assert "<img" in page
        never(plain(page), TOO_LARGE)
    page = graph.to_html_within(0)
    says(plain(page), TOO_LARGE)
    assert "<img" not in page and "<svg" in graph.save(folder / "graph.svg").read_text(encoding="utf-8")


@LEDGER.scene(TOGETHER)
def a_line_of_several_boxes_has_their_time_together() -> None:
    net = nn.HybridLambda(lambda F, x: F.exp(F.tanh(x)) * 2)
    net.hybridize()
    for shape, fused in (((512, 512), True), ((2, 3), False)):
        x = nd.ones(shape)
        net(x)
        graph = net.graph(x).measure()
        graph.open_all()
        texts = all_texts(graph, "traced")
        of = {line: [n for n in graph.model("traced").operators if line in n.lines] for line in graph.times}
        shared = [line for line, nodes in of.items() if len(nodes) > 1]
        assert bool(shared) == fused
        for line in shared:
            says(texts, TOGETHER, time=microseconds(graph.times[line]))
        if not fused:
            never(texts, TOGETHER)
