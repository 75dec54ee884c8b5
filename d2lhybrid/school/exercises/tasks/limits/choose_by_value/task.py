"""04.4: no if on values."""

from __future__ import annotations

import numpy

from ....exercise import Exercise
from ....judging import Case, check_net, compare, floats
from ....results import expect
from ....subject import Subject


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return x if x.sum() > 0 else -2 * x


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(2, 6))
    inputs = []
    for rows, sign in ((3, 1), (3, -1), (4, 1), (5, -1)):
        x = floats(rng, rows, columns, low=-1, high=1)
        x += numpy.float32(sign * 0.3) - x.mean()
        inputs.append([x])
    suspects = [
        (lambda p, x: numpy.where(x > 0, x, -2 * x), "each element is judged by itself, not by the sum."),
        (lambda p, x: -2 * x if x.sum() > 0 else x, "it is just the other way round."),
    ]
    graph = check_net(subject, rng, Case(inputs, _reference, shapes=[], suspects=suspects), "Upright")
    for (x,) in inputs:
        sign = "positive" if x.sum() > 0 else "negative"
        compare(graph.run(x)[0], _reference([], x), f"The graph's output for a {sign} sum")
    expect(bool(graph.operators), "The graph is empty.")


EXERCISE = Exercise(__name__, number="04.4", answer="Upright", checker=_check, points=2)
