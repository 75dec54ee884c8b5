"""Exercise 02.2: a net with ``HybridConcurrent``, from the lesson's first exercise."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.references import convolution
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _branches(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    outputs = []
    for weight, bias in zip(parameters[::2], parameters[1::2], strict=True):
        outputs.append(convolution(x, weight, bias, padding=weight.shape[2] // 2))
    return numpy.concatenate(outputs, axis=1)


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return numpy.maximum(_branches(parameters, x), 0)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for branches in (int(rng.integers(3, 5)), 6, 1):  # more branches than a hand-written list would have
        _check_branches(subject, rng, branches)


def _check_branches(subject: Subject, rng: numpy.random.Generator, branches: int) -> None:
    channels = [int(n) for n in rng.choice(numpy.arange(2, 9), branches, replace=False)]
    incoming, height, width = int(rng.integers(1, 4)), int(rng.integers(6, 10)), int(rng.integers(6, 10))
    shapes = [s for i, n in enumerate(channels) for s in [(n, incoming, 2 * i + 1, 2 * i + 1), (n,)]]
    inputs = [[floats(rng, n, incoming, height, width)] for n in (2, 3, 1)]
    suspects = [(_branches, "it has negative elements. Where are the activations?")]
    check_net(subject, rng, Case(inputs, _reference, [channels], shapes, 0.5, suspects, trained=4), "make_net")


EXERCISE = Exercise(__name__, number="02.2", answer="make_net", checker=_check, points=2, parts=PARTS_OF_NET)
