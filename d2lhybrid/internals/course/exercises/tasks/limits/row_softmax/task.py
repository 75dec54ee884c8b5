"""Exercise 04.5: a softmax with operators that broadcast."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import TracedGraph, floats
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    e = numpy.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _over_all_rows(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    e = numpy.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum()


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(3, 8))
    inputs = [[floats(rng, n, columns)] for n in (2, 5)] + [[floats(rng, 3, columns, low=200, high=300)]]
    spread, apart = floats(rng, 3, columns), floats(rng, 4, columns)
    spread[:, int(rng.integers(columns))] += 400  # subtracting the mean or the minimum would still overflow
    apart += numpy.array(
        [[-400], [0], [400], [800]], "float32"
    )  # subtracting the maximum of all rows would make some rows 0 / 0
    inputs += [[spread], [apart], [-spread], [floats(rng, 1, columns)], [floats(rng, 3, 1)]]
    inputs += [[numpy.full((2, columns), 7, "float32")], [floats(rng, columns, columns)]]
    suspects = [(_over_all_rows, "the rows do not add up to one.")]
    check_net(subject, rng, Case(inputs, _reference, shapes=[], suspects=suspects), "Softmax", _is_built)


def _is_built(graph: TracedGraph) -> None:
    ready = [name for name in graph.operators if "softm" in name.lower()]
    expect(
        not ready, "The graph contains `{ready}`, which the task asks you to build.", ready=ready[0] if ready else ""
    )


EXERCISE = Exercise(__name__, number="04.5", answer="Softmax", checker=_check, parts=PARTS_OF_NET)
