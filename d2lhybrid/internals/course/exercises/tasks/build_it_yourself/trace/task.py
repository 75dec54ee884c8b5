"""Exercise 10.3: a function that traces a function of symbols and returns the graph."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

from ..graphs import Graph, check_form, matrices, random_graph, run, text_of

_CHAIN: Graph = [["s0", "relu", ["a"]], *([f"s{i + 1}", "add", [f"s{i}", f"s{i}"]] for i in range(11))]
_LONG: Graph = [["s0", "relu", ["a"]], *([f"s{i + 1}", "add", [f"s{i}", "b"]] for i in range(60))]
_PARTS = ("one after the other", "symbols that are used twice", "what is not needed")
_ROWS: list[Graph] = [
    [["p", "relu", ["a"]]],
    [["p", "add", ["a", "b"]], ["q", "relu", ["p"]], ["r", "mul", ["q", 2]]],
    [["p", "matmul", ["b", "a"]], ["q", "mul", ["p", -0.5]], ["r", "add", ["q", "b"]]],
    [["p", "relu", ["b"]], ["q", "relu", ["a"]], ["r", "matmul", ["q", "p"]]],
    [["p", "mul", ["a", 0]], ["q", "add", ["b", "p"]]],
    _LONG,
]
_SHARED: list[Graph] = [
    [["p", "add", ["a", "b"]], ["q", "relu", ["p"]], ["r", "mul", ["q", "p"]]],
    [["p", "relu", ["a"]], ["q", "matmul", ["p", "b"]], ["s", "matmul", ["b", "p"]], ["r", "add", ["s", "q"]]],
    [["p", "add", ["a", "a"]], ["q", "add", ["p", 1]], ["r", "matmul", ["q", "p"]]],
    _CHAIN,
]
_UNUSED: Graph = [["p", "add", ["a", "b"]], ["q", "matmul", ["p", "a"]], ["s", "mul", ["q", 3]], ["r", "relu", ["p"]]]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    advice = "A symbol that is used several times needs only one line."
    with subject.part("one after the other"):
        for graph in _ROWS:
            _check_graph(subject, rng, graph, ["a", "b"], len(graph), advice)
    with subject.part("symbols that are used twice"):
        for graph in _SHARED:
            _check_graph(subject, rng, graph, ["a", "b"], len(graph), advice)
        for graph in [random_graph(rng, ["a", "b", "c"], 7) for _ in range(4)]:
            _check_graph(subject, rng, graph, ["a", "b", "c"], len(graph), advice)
    with subject.part("what is not needed"):
        _check_graph(subject, rng, _UNUSED, ["a", "b"], 2, "Symbols that the result does not need require no line.")


def _check_graph(
    subject: Subject, rng: numpy.random.Generator, graph: Graph, names: list[str], lines: int, advice: str
) -> None:
    where = translate("For a function that computes {graph}:", graph=text_of(graph))
    found = subject.ask(
        "follow",
        translate("called for a function that computes {graph}", graph=text_of(graph)),
        names=names,
        graph=graph,
    )
    calls = found["calls"]
    expect(
        bool(calls),
        "{where} the function was not called. How can `trace` record what the function computes?",
        where=where,
    )
    expect(
        len(calls) == 1,
        "{where} the function was called {count} times. One call is enough.",
        where=where,
        count=len(calls),
    )
    expect(calls[0] is True, "{where} the function was not called with `*symbols`.", where=where)
    expect(
        found["tuple"] is False,
        "{where} the result contains a tuple. Lines and inputs are lists.",
        where=where,
    )
    got = check_form(found["graph"], names, where, nested=False)
    expect(
        len(got) <= lines,
        "{where} the graph has {count} lines, but {lines} lines are enough. {advice}",
        where=where,
        count=len(got),
        lines=lines,
        advice=translate(advice),
    )
    for _ in range(2):
        values = matrices(rng, names)
        right = run(graph, values)
        suspects = [(run(got[:n], values), "the result is not in the last line.") for n in range(1, len(got))]
        compare(run(got, values), right, translate("{where} the result of the graph", where=where), suspects)


EXERCISE = Exercise(__name__, number="10.3", answer="trace", checker=_check, points=2, parts=_PARTS)
