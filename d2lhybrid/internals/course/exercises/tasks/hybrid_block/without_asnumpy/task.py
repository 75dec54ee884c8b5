"""Exercise 03.4: a block that computes everything within the graph, without ``asnumpy``."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return (x - x.mean()) / (numpy.abs(x).max() + 1)


def _for_each_row(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return (x - x.mean(axis=1, keepdims=True)) / (numpy.abs(x).max() + 1)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(2, 7))
    rows = int(rng.integers(2, 6))
    suspects = [(_for_each_row, "each row must have its own mean.")]
    inputs = [[floats(rng, 2, columns)], [floats(rng, 6, columns)]]
    inputs += [[floats(rng, rows, columns, low=-5, high=1)], [floats(rng, rows, columns, low=-1, high=5)]]
    inputs += [[floats(rng, 1, columns, low=-9, high=-7)], [floats(rng, rows, 1)], [numpy.zeros((2, 3), "float32")]]
    case = Case(inputs, _reference, suspects=suspects, differentiated=False, rtol=1e-4)
    check_net(subject, rng, case, "Normalize")


EXERCISE = Exercise(__name__, number="03.4", answer="Normalize", checker=_check, parts=PARTS_OF_NET)
