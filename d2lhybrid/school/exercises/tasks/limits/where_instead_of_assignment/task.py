"""04.3: no assignment to elements."""

from __future__ import annotations

import numpy

from ....exercise import Exercise
from ....judging import Case, check_net, floats
from ....subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    limit, value = float(numpy.round(rng.uniform(-0.5, 0.5), 2)), float(numpy.round(rng.uniform(3, 9), 2))
    columns = int(rng.integers(5, 9))
    inputs = [[floats(rng, n, columns)] for n in (3, 5)]
    suspects = [
        (lambda p, x: numpy.where(x < limit, x, value), "just the other elements are replaced."),
        (lambda p, x: x + (x < limit) * value, "the old elements are still in the new ones."),
        (lambda p, x: numpy.maximum(x, value), "all elements are replaced."),
    ]
    case = Case(
        inputs,
        lambda parameters, x: numpy.where(x < limit, value, x).astype("float32"),
        [limit, value],
        [],
        suspects=suspects,
    )
    check_net(subject, rng, case, "Replace")


EXERCISE = Exercise(__name__, number="04.3", answer="Replace", checker=_check)
