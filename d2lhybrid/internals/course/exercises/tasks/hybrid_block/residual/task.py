"""Exercise 03.1: a residual block."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    weight, bias = parameters
    return numpy.maximum(x @ weight.T + bias, 0) + x


_SUSPECTS = [
    (lambda p, x: numpy.maximum(x @ p[0].T + p[1] + x, 0), "no element is negative. What is the input of the ReLU?"),
    (lambda p, x: x @ p[0].T + p[1] + x, "it is a linear function of the input."),
    (lambda p, x: numpy.maximum(x @ p[0].T + p[1], 0), "it does not include the input itself."),
]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    units = int(rng.integers(5, 12))
    inputs = [[floats(rng, n, units)] for n in (5, 2, 1)]
    case = Case(inputs, _reference, [units], [(units, units), (units,)], suspects=_SUSPECTS)
    check_net(subject, rng, case, "Residual")


EXERCISE = Exercise(__name__, number="03.1", answer="Residual", checker=_check, parts=PARTS_OF_NET)
