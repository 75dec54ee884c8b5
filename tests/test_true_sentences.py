"""What a picture says in a sentence is what ran: every sentence is compared with a net that was only counted."""

from __future__ import annotations

import random
import re
import time

import pytest

import d2lhybrid as mx
from d2lhybrid import nd, print_trace
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.model_zoo import vision
from d2lhybrid.internals.pictures import graph_data
from d2lhybrid.internals.pictures.print_trace_data import question_of

X = nd.array([[1, 2, 3]])


class Counted(nn.HybridBlock):
    """It writes down what each run of its lines was given."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.runs = []
        self.factor = 2
        self.weight = self.params.get("weight", shape=(2, 0), allow_deferred_init=True)

    def hybrid_forward(self, F, x, weight):
        self.runs.append(type(x).__name__)
        print("seen", type(x).__name__)
        return F.FullyConnected(x * self.factor, weight, no_bias=True, num_hidden=2)


def counted():
    net = Counted()
    net.initialize()
    return net


#: What is done to a net before a call -> the sentence of that call, and what its lines are run with there.
DONE = {
    "nothing": (lambda trace: None, "The compiled program ran. It only has the recorded operators, so no line", []),
    "hybridize": (
        lambda trace: trace.hybridize(),
        "Traced again, because hybridize() was called: hybrid_forward ran once more with Symbols",
        ["Symbol"],
    ),
    "a shape": (
        lambda trace: trace.new_shape((4, 3)),
        "Compiled again without tracing, because the shape of data changed from (1, 3) to (4, 3)",
        [],
    ),
    "eager": (
        lambda trace: trace.hybridize(False),
        "The net was not hybridized, so Python ran hybrid_forward line by line, on arrays.",
        ["NDArray"],
    ),
}


def test_the_reason_of_a_call_says_how_often_its_lines_ran_and_on_what():
    net = counted()
    trace = print_trace(net, X)
    eager, traced, compiled = (call.reason for call in trace.calls)
    assert net.runs == ["Symbol", "NDArray", "Symbol"]
    assert "Python ran hybrid_forward line by line, on arrays." in eager
    assert "Before that, its lines ran once with Symbols, to find the shapes of the parameters." in eager
    assert "hybrid_forward ran once more with Symbols" in traced and "no line of hybrid_forward ran" in compiled


@pytest.mark.parametrize("done", DONE)
def test_the_reason_of_a_later_call_is_what_ran(done):
    act, sentence, expected = DONE[done]
    net = counted()
    trace = print_trace(net, X)
    net.runs.clear()
    number = len(trace.calls)
    act(trace)
    if len(trace.calls) == number:
        trace.again()
    assert sentence in trace.calls[-1].reason and net.runs == expected
    assert trace.calls[-1].printed_lines == len(expected), "and as many lines were printed"
    programs = len(net.programs)
    trace.again()
    assert len(net.programs) == programs, "what the call made is used by the next one"
    assert len(net.runs) == len(expected) + (done == "eager")


@pytest.mark.parametrize("done", DONE)
def test_room_is_kept_for_the_longest_reason_that_a_call_has(done):
    trace = print_trace(counted(), X)
    longest = trace.to_dict()["longest"]
    DONE[done][0](trace)
    trace.again()
    assert all(len(call.reason) <= len(longest) for call in trace.calls)


def test_the_answer_to_the_question_is_what_the_call_printed(capsys):
    trace = print_trace(counted(), X)
    assert [call.lane for call in trace.calls] == ["array", "symbol", "program"]
    number, question = question_of(trace)
    net = counted()
    net(X)
    net.hybridize()
    net(X)
    capsys.readouterr()
    net(X)
    printed = capsys.readouterr().out.splitlines()
    assert number == 3 and question.text == "How many lines will call 3 print?"
    assert question.options[question.answer] == str(len(printed)) == "0"


# --- what is frozen -----------------------------------------------------------------------------------------------


class Freezes(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.factor, self.flag, self.rounds, self.calls = 10, False, 3, 0

    def hybrid_forward(self, F, x, y=None):
        self.calls += 1
        x = x * self.factor
        if self.flag:
            x = -x
        for _ in range(self.rounds):
            x = x + 1
        x = x + random.random()
        x = x + time.time() * 0
        return x if y is None else x + y


def freezes():
    trace = print_trace(Freezes(), X)
    return trace, {one.text: one for one in trace.calls[-1].frozen}


def value_of(net, *inputs):
    return net(*(inputs or (X,))).asnumpy()


def test_an_attribute_stays_as_the_sentence_says():
    trace, said = freezes()
    before = value_of(trace.net)
    assert "self.factor is frozen at 10" in said
    trace.net.factor = 99
    assert (value_of(trace.net) == before).all()
    trace.set_attribute("self.factor", "3")
    trace.again()
    assert "self.factor is frozen at 10, although it is 3 now" in {one.text for one in trace.calls[-1].frozen}
    assert (value_of(trace.net) == before).all()


def test_the_times_of_generated_lines_show_the_number_that_the_trace_froze():
    trace, _ = freezes()
    trace.set_attribute("self.factor", "3")
    trace.again()
    trace.look("times")
    lines = [row["line"] for row in trace.panel.parts[-1]["rows"]]
    assert [line for line in lines if "multiply(" in line and "number = 10" in line], lines
    assert not [line for line in lines if "#" in line and "number" not in line]


def test_a_branch_is_said_to_be_decided_and_never_to_be_a_value():
    trace, said = freezes()
    assert "decided: always not taken" in said and "self.flag is frozen at False" in said
    assert not [text for text in said if "although" in text], "nothing was changed"
    before = value_of(trace.net)
    trace.set_attribute("self.flag", "True")
    trace.again()
    now = {one.text: one.stale for one in trace.calls[-1].frozen}
    assert now["self.flag is frozen at False, although it is True now"]
    assert now["decided: always not taken"] is False
    assert (value_of(trace.net) == before).all()


def test_a_loop_goes_round_as_often_as_the_sentence_says():
    trace, said = freezes()
    assert "unrolled: always run 3 times" in said
    added = [node for node in trace.net.programs[-1].stages[0].graph.nodes if node.op is not None]
    assert sum(node.op.name == "_plus_scalar" and node.params["scalar"] == 1 for node in added) == 3
    before = value_of(trace.net)
    trace.net.rounds = 50
    assert (value_of(trace.net) == before).all()


def test_what_is_drawn_and_read_once_is_the_value_that_is_said():
    trace, said = freezes()
    drawn = float(next(re.search("drawn once: always (.+)", text)[1] for text in said if "drawn once" in text))
    assert any(text.startswith("read once: always") for text in said)
    result = value_of(trace.net)
    assert result == pytest.approx(X.asnumpy() * 10 + 3 + drawn, abs=1e-5)
    assert (value_of(trace.net) == result).all(), "at every later call"


def test_a_counter_goes_on_in_traced_calls_alone():
    trace, said = freezes()
    assert "only a traced call changes self.calls: it stays 2" in said
    value_of(trace.net)
    assert trace.net.calls == 2
    trace.net.hybridize()
    value_of(trace.net)
    assert trace.net.calls == 3


def test_whether_an_input_is_given_is_decided():
    trace, said = freezes()
    assert "whether y is passed is decided" in said
    with pytest.raises((ValueError, mx.MXNetError)):
        trace.net(X, X)


def test_a_print_is_said_to_vanish_where_it_does(capsys):
    trace = print_trace(counted(), X)
    assert "prints while traced, never again" in {one.text for one in trace.calls[-1].frozen}
    capsys.readouterr()
    trace.net(X)
    assert not capsys.readouterr().out


def test_what_is_frozen_is_told_from_the_first_line_to_the_last():
    trace, _ = freezes()
    lines = [one.line for one in trace.calls[-1].frozen]
    assert lines == sorted(lines) and len(set(lines)) > 4


def test_the_check_says_that_the_net_is_older_than_its_attributes():
    trace, _ = freezes()
    trace.look("check")
    assert "Not now" not in trace.panel.about
    trace.set_attribute("self.factor", "3")
    trace.again()
    trace.look("check")
    assert trace.panel.about.startswith("Not now: self.factor is frozen at 10, although it is 3 now. Traced again")
    trace.hybridize()
    trace.again()
    trace.look("check")
    assert "Not now" not in trace.panel.about


# --- graphs ------------------------------------------------------------------------------------------------------


def stops_of(graph):
    return [stop for way, _, stops in graph.to_dict()["ways"] for stop in stops if way == "forward"]


UNCHANGED = "The compiler found nothing to change here."


def test_that_nothing_was_to_change_is_said_of_a_graph_without_a_change_alone():
    plain, wasteful = (
        nn.HybridLambda(function).graph(nd.ones((3,)))
        for function in (lambda F, x: F.relu(x), lambda F, x: F.relu(x * 1) + F.relu(x * 1))
    )
    ((name, _, _, said),) = stops_of(plain)
    assert name == "traced" and said.endswith(UNCHANGED)
    assert plain.programs["forward"].count("\n    ") == 2, "one line computes, one returns"
    assert len(stops_of(wasteful)) > 1 and not any(UNCHANGED in stop[3] for stop in stops_of(wasteful))


def test_of_a_graph_whose_stages_are_left_out_it_is_not_said_that_nothing_changed(monkeypatch):
    graph = vision.resnet18_v1().graph(nd.ones((1, 3, 32, 32)))
    assert len(stops_of(graph)) > 1, "the compiler changes it"
    monkeypatch.setattr(graph_data, "_MANY", 5)
    monkeypatch.setattr(graph_data, "_EXTENTS", graph_data._EXTENTS[-1:])
    ((name, _, _, said),) = stops_of(graph)
    assert name == "traced" and UNCHANGED not in said
    assert "Some stages are left out" in said


OPERATORS = {
    "a batch of one": (nn.Dense(3, in_units=4, activation="relu"), (1, 4)),
    "a fused chain": (nn.HybridLambda(lambda F, x: F.tanh(F.exp(x) * 2) + F.sin(x)), (1 << 18,)),
    "equal operators": (nn.HybridLambda(lambda F, x: F.exp(x) / (F.exp(x) + 1)), (5,)),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_every_traced_box_lights_the_lines_that_compute_it(name):
    net, shape = OPERATORS[name]
    net.initialize()
    graph = net.graph(nd.ones(shape))
    graph.open_all()
    data = graph.to_dict()
    lines = {row[0]: "".join(text for text, *_ in row[2]) for text in data["texts"] for row in text["lines"]}
    generated = {key for key, line in lines.items() if key[0] == "p" and " = " in line}
    lit = set()
    for node in graph.model("traced").operators:
        mine = {key for key in data["abouts"][data["boxes"]["traced"][node.id]]["lines"] if key[0] == "p"}
        assert mine, f"{node.name} became no line, though nothing is thrown away"
        lit |= mine
    assert lit >= generated - {key for key in generated if "data_vector" in lines[key]}
