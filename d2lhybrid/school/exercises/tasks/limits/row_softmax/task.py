"""04.5: plus does not broadcast."""

from __future__ import annotations

import numpy

from ....exercise import Exercise
from ....judging import Case, check_net, floats
from ....results import expect
from ....subject import Subject


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    e = numpy.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _over_all_rows(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    e = numpy.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum()


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(3, 8))
    inputs = [[floats(rng, n, columns)] for n in (2, 5)] + [[floats(rng, 3, columns, low=200, high=300)]]
    suspects = [(_over_all_rows, "the rows do not add up to one.")]
    graph = check_net(subject, rng, Case(inputs, _reference, shapes=[], suspects=suspects), "Softmax")
    ready = [name for name in graph.operators if "oftmax" in name]
    expect(not ready, f"The graph has `{ready[0] if ready else ''}` in it: that is what you are to build.")


EXERCISE = Exercise(__name__, number="04.5", answer="Softmax", checker=_check)
