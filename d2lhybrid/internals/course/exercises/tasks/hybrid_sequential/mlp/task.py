"""Exercise 02.1: a net with any number of dense layers."""

from __future__ import annotations

import itertools

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for depth in (int(rng.integers(1, 4)), 0, 4):
        _check_depth(subject, rng, depth)


def _check_depth(subject: Subject, rng: numpy.random.Generator, depth: int) -> None:
    features = int(rng.integers(3, 8))
    widths = [int(n) for n in rng.choice(numpy.arange(3, 20), depth, replace=False)]
    classes = int(rng.integers(2, 6))

    def reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        pairs = list(zip(parameters[::2], parameters[1::2], strict=True))
        for weight, bias in pairs[:-1]:
            x = numpy.maximum(x @ weight.T + bias, 0)
        return x @ pairs[-1][0].T + pairs[-1][1]

    def linear(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        for weight, bias in zip(parameters[::2], parameters[1::2], strict=True):
            x = x @ weight.T + bias
        return x

    def always(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        return numpy.maximum(reference(parameters, x), 0)

    suspects = [
        (linear, "it is a linear function of the input. Where are the activations?"),
        (always, "no element is negative. Is there one activation too many?"),
    ]
    sizes = [features, *widths, classes]
    shapes = [s for a, b in itertools.pairwise(sizes) for s in [(b, a), (b,)]]
    inputs = [[floats(rng, n, features)] for n in (5, 2, 1)]
    case = Case(inputs, reference, [widths, classes], shapes, 0.7, suspects)
    # Without negative outputs, a final ReLU would have no effect.
    case.telling = lambda values: bool((reference(values, inputs[0][0]) < -0.1).any())
    check_net(subject, rng, case, "make_net")


EXERCISE = Exercise(__name__, number="02.1", answer="make_net", checker=_check, parts=PARTS_OF_NET)
