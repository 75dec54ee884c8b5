"""Exercise 02.3: a net whose middle layer is a plain ``Block``."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    size = float(numpy.round(rng.uniform(1.2, 2.5), 2))
    for factor in (size, -size):
        _check_factor(subject, rng, factor)


def _check_factor(subject: Subject, rng: numpy.random.Generator, factor: float) -> None:
    features, hidden, classes = (int(n) for n in rng.choice(numpy.arange(3, 12), 3, replace=False))

    def reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        weight, bias, weight2, bias2 = parameters
        x = numpy.maximum(x @ weight.T + bias, 0)
        x = factor * (x - x.mean(axis=1, keepdims=True))
        return x @ weight2.T + bias2

    shapes = [(hidden, features), (hidden,), (classes, hidden), (classes,)]
    inputs = [[floats(rng, n, features)] for n in (4, 2, 1)]
    check_net(subject, rng, Case(inputs, reference, [hidden, classes, factor], shapes), "make_net")


EXERCISE = Exercise(__name__, number="02.3", answer="make_net", checker=_check, parts=PARTS_OF_NET)
