"""Exercise 07.2: a block that computes the Huber loss."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _elements(error: numpy.ndarray, rho: float) -> numpy.ndarray:
    size = numpy.abs(error)
    return numpy.where(size < rho, 0.5 * size**2 / rho, size - 0.5 * rho)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for low, high in ((1.2, 2), (0.3, 0.8)):
        _check_rho(subject, rng, float(numpy.round(rng.uniform(low, high), 2)))


def _check_rho(subject: Subject, rng: numpy.random.Generator, rho: float) -> None:
    columns = int(rng.integers(2, 5))
    inputs = [[floats(rng, n, columns), floats(rng, n, columns)] for n in (7, 9, 1)]
    inputs.append([inputs[0][0], inputs[0][0].copy()])  # no error at all
    inputs.append([inputs[1][0], inputs[1][0] + numpy.float32(30)])
    suspects = [
        (lambda p, x, y: _elements(x - y, rho), "it has a number for each element, not for each example."),
        (lambda p, x, y: _elements(x - y, rho).mean().reshape(1), "it is one number for the whole batch."),
        (lambda p, x, y: _elements(x - y, rho).sum(axis=1), "it is a sum instead of a mean."),
        (lambda p, x, y: numpy.abs(x - y).mean(axis=1), "large and small errors are treated alike."),
        (lambda p, x, y: _jump(x - y, rho).mean(axis=1), "the two branches have different values at rho."),
    ]
    case = Case(inputs, lambda p, x, y: _elements(x - y, rho).mean(axis=1), [rho], [], suspects=suspects)
    check_net(subject, rng, case, "Huber")


def _jump(error: numpy.ndarray, rho: float) -> numpy.ndarray:
    size = numpy.abs(error)
    return numpy.where(size < rho, 0.5 * size**2 / rho, size)


EXERCISE = Exercise(__name__, number="07.2", answer="Huber", checker=_check, points=2, parts=PARTS_OF_NET)
