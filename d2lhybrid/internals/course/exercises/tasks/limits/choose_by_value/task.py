"""Exercise 04.4: a choice that depends on values, without ``if``."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return x if x.sum() > 0 else -2 * x


#: Functions whose results students mistake for the sum of all elements.
_OTHERS = [
    lambda x: x.max() + x.min(),
    lambda x: x[0].sum(),
    lambda x: x[-1].sum(),
    lambda x: x[:, 0].sum(),
    lambda x: x[:, -1].sum(),
    lambda x: x[0, 0],
    lambda x: x[-1, -1],
    lambda x: numpy.median(x),
    lambda x: numpy.sign(x).sum(),
]


def _misleading(rng: numpy.random.Generator, rows: int, columns: int, sign: int) -> numpy.ndarray:
    """Return an array whose sum has this sign, and whose values that are mistaken for the sum have the other sign."""
    while True:
        x = rng.uniform(-0.4, -0.1, (rows, columns))
        chosen = rng.random((rows, columns)) < 0.4
        x[chosen] = rng.uniform(0.8, 1.2, int(chosen.sum()))
        x.flat[rng.integers(x.size)] = -1.5
        x = (sign * x).astype("float32")
        if x.sum() * sign > 0.2 and all(other(x) * sign < -1e-2 for other in _OTHERS):
            return x


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(4, 7))
    inputs = [[_misleading(rng, rows, columns, sign)] for rows, sign in ((3, 1), (3, -1), (4, 1), (5, -1))]
    positive = floats(rng, 1, columns, low=0.1, high=1)
    inputs += [[positive], [-positive], [numpy.array([[1, 2, -3], [5, -4, -1]], "float32")]]  # the last sum is 0
    inputs += [[numpy.float32(1e-3) * positive]]
    hardly = numpy.array([[1, 2, -3 + 2**-20]], "float32")  # its sum, which float32 has exactly, is hardly positive
    inputs += [[hardly], [-hardly]]
    suspects = [
        (lambda p, x: numpy.where(x > 0, x, -2 * x), "each element is chosen by its own value, not by the sum."),
        (lambda p, x: -2 * x if x.sum() > 0 else x, "the two branches are swapped."),
    ]
    case = Case(inputs, _reference, suspects=suspects)
    check_net(subject, rng, case, "Upright", lambda graph: expect(bool(graph.operators), "The graph is empty."))


EXERCISE = Exercise(__name__, number="04.4", answer="Upright", checker=_check, points=2, parts=PARTS_OF_NET)
