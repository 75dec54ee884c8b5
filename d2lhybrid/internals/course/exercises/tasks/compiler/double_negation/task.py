"""Exercise 06.4: a pass that removes double negations."""

from __future__ import annotations

import functools
from typing import Any

import numpy

from d2lhybrid import sym
from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import TracedGraph, compare, floats
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate


def _random_graph(rng: numpy.random.Generator) -> Any:
    """Return a random symbol with chains of negations, some of them used twice."""
    negative: Any = sym.negative
    values: list[Any] = [sym.var("a"), sym.var("b")]
    for _ in range(int(rng.integers(2, 5))):
        value: Any = values[int(rng.integers(len(values)))]
        for _ in range(int(rng.integers(1, 5))):
            value = negative(value)
        other = values[int(rng.integers(len(values)))]
        values.append(sym.tanh(value) + other if rng.random() < 0.5 else value * other)
    return negative(values[-1]) * values[-2] if rng.random() < 0.5 else values[-1] + values[0] * values[1]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    a: Any = sym.var("a")
    b: Any = sym.var("b")
    negative: Any = sym.negative
    tanh: Any = sym.tanh
    fixed = [
        negative(negative(a)) + b,
        negative(a) + b,
        negative(negative(negative(a))) * b,
        negative(negative(negative(negative(a)))) * b,
        tanh(negative(tanh(negative(a)))) + b,
        tanh(tanh(a)) + b + b,
        negative(negative(tanh(a) + b)),  # the output is a negation of a negation
        functools.reduce(lambda value, _: negative(value), range(9), a) + b,
        functools.reduce(lambda value, _: negative(value), range(32), tanh(a)) * b,
    ]
    graphs = [(part, fixed[i]) for i, part in enumerate(("one or two",) * 2 + ("three or four",) * 2)]
    graphs += [("by chance", symbol) for symbol in [*fixed[4:], *(_random_graph(rng) for _ in range(6))]]
    for part, symbol in graphs:
        with subject.part(part):
            _check_graph(subject, rng, symbol)


def _check_graph(subject: Subject, rng: numpy.random.Generator, symbol: Any) -> None:
    before = TracedGraph(symbol.tojson())
    operators = translate(", ").join(before.operators)
    where = translate("For a graph of the operators {operators}:", operators=operators)
    doing = translate("applied to a graph of the operators {operators}", operators=operators)
    names = before.variables
    shape = (int(rng.integers(2, 5)), int(rng.integers(2, 5)))
    found = subject.ask("apply_pass", doing, symbol=symbol.tojson(), shapes={n: list(shape) for n in names})
    if found["type"] != "Graph":
        raise Wrong("{where} the pass returns a {type}, not a graph.", where=where, type=found["type"])
    expect(
        found["untouched"] is True,
        "{where} the pass has changed its argument. Graphs are immutable.",
        where=where,
    )
    after = TracedGraph(found["symbol"])
    for _ in range(2):
        values = {n: floats(rng, *shape) for n in names}
        got = after.run(**{n: values[n] for n in after.variables if n in values})[0]
        compare(got, before.run(**values)[0], translate("{where} after the pass, the value", where=where))
    pairs = [
        node for node in after.symbol._nodes()
        if node.op is not None and node.op.name == "negative" and node.inputs[0][0].op is not None
        and node.inputs[0][0].op.name == "negative"
    ]  # fmt: skip
    expect(not pairs, "{where} after the pass, there is still a negation of a negation.", where=where)
    expect(len(after.operators) <= len(before.operators), "{where} the pass has added operators.", where=where)


_PARTS = ("one or two", "three or four", "by chance")
EXERCISE = Exercise(__name__, number="06.4", answer="remove_double_negation", checker=_check, points=3, parts=_PARTS)
