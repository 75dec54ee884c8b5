"""Exercise 01.4: a function of symbols that creates a graph."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import TracedGraph, compare, floats
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for first, second in (("a", "b"), ("from_here", "to_there")):
        _check_symbols(subject, rng, first, second)


def _check_symbols(subject: Subject, rng: numpy.random.Generator, first: str, second: str) -> None:
    found = subject.ask("call_with_symbols", "called with two symbols", names=[first, second])
    expect(
        isinstance(found["result"], dict),
        "Called with two symbols, the function returns a {type}, not a symbol.",
        type=found["type"],
    )
    graph = TracedGraph(found["result"]["symbol"])
    missing = {first, second} - set(graph.variables)
    expect(
        not missing,
        "The result does not depend on {missing}.",
        missing=translate("{a} and {b}", a=first, b=second) if len(missing) == 2 else "".join(missing),
    )
    expect(
        set(graph.variables) == {first, second},
        "The variables of the result are {variables}, not only the two symbols.",
        variables=graph.variables,
    )
    few, many = int(rng.integers(2, 5)), int(rng.integers(5, 8))
    for rows, columns in ((few, many), (many, few), (many, many), (1, many), (few, 1)):
        a, b = floats(rng, rows, columns, low=-5, high=5), floats(rng, rows, columns, low=-5, high=5)
        b[0] = a[0]  # a distance of zero
        expected = numpy.sqrt(((a - b) ** 2).sum(axis=1))
        squares = (a - b) ** 2
        suspects = [
            (numpy.sqrt(squares.sum(axis=0)), "it has a number for each column, not for each row."),
            (numpy.sqrt(squares.sum()).reshape(1), "it is one number for all rows together."),
            (squares.sum(axis=1), "these are squares of distances."),
        ]
        compare(
            graph.run(**{first: a, second: b})[0],
            expected,
            translate("The result for two arrays of shape {shape}", shape=a.shape),
            suspects,
        )
    expect(
        len(graph.operators) <= 6,
        "The result is right, but uses {count} operators: {operators}.",
        count=len(graph.operators),
        operators=translate(", ").join(graph.operators),
    )


EXERCISE = Exercise(__name__, number="01.4", answer="distance", checker=_check)
