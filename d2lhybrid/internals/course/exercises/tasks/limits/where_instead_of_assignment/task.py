"""Exercise 04.3: the replacement of elements without an assignment."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    limits = rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], 2) / 8  # exact in float32, so that elements can equal them
    above, below = float(numpy.round(rng.uniform(3, 9), 2)), float(numpy.round(rng.uniform(-9, -3), 2))
    for limit, value in ((float(limits[0]), above), (float(limits[1]), 0.0), (0.0, below)):
        _check_value(subject, rng, limit, value)


def _check_value(subject: Subject, rng: numpy.random.Generator, limit: float, value: float) -> None:
    columns = int(rng.integers(5, 9))
    inputs = [[floats(rng, n, columns)] for n in (3, 5, 4, 1)]
    inputs[2][0][1:3] = limit  # elements that are equal to the limit are not smaller
    suspects = [
        (lambda p, x: numpy.where(x < limit, x, value), "exactly the other elements are replaced."),
        (lambda p, x: x + (x < limit) * value, "the replaced elements still contain the old values."),
        (lambda p, x: numpy.maximum(x, value), "all elements are replaced."),
        (lambda p, x: numpy.where(x <= limit, value, x), "elements that are equal to the limit are also replaced."),
    ]
    case = Case(inputs, lambda p, x: numpy.where(x < limit, value, x), [limit, value], suspects=suspects)
    check_net(subject, rng, case, "Replace")


EXERCISE = Exercise(__name__, number="04.3", answer="Replace", checker=_check, parts=PARTS_OF_NET)
