"""Exercise 07.4: a maxout layer."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    units, pieces, features = int(rng.integers(2, 6)), int(rng.integers(3, 6)), int(rng.integers(6, 9))

    def parts(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        weight, bias = parameters
        return (x @ weight.T + bias).reshape(len(x), units, pieces)

    suspects = [
        (lambda p, x: parts(p, x).sum(axis=2), "it is a linear function of the input."),
        (
            lambda p, x: (x @ p[0].T + p[1]).reshape(len(x), pieces, units).max(axis=1),
            "each unit must use different rows.",
        ),
        (lambda p, x: parts([p[0], 0 * p[1]], x).max(axis=2), "the bias is missing."),
    ]
    shapes = [(units * pieces, features), (units * pieces,)]
    inputs = [[floats(rng, n, features)] for n in (5, 2, 1)]
    case = Case(inputs, lambda p, x: parts(p, x).max(axis=2), [units, pieces], shapes, suspects=suspects)
    case.telling = lambda values: bool((parts(values, inputs[0][0]).max(axis=2) < -0.1).any())  # no maximum with 0
    check_net(subject, rng, case, "Maxout")


EXERCISE = Exercise(__name__, number="07.4", answer="Maxout", checker=_check, points=3, parts=PARTS_OF_NET)
