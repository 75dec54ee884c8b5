"""Exercise 04.7: a loop in the graph over an unknown number of rows."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    decay = float(numpy.round(rng.uniform(0.6, 0.9), 2))

    def reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        rows, state = [], numpy.zeros_like(x[0])
        for row in x:
            state = decay * state + (1 - decay) * row
            rows.append(state)
        return numpy.stack(rows)

    suspects = [
        (lambda p, x: reference(p, x)[-1], "it is only the last average."),
        (lambda p, x: (1 - decay) * x, "no row depends on earlier rows."),
    ]
    columns = int(rng.integers(2, 5))
    inputs = [[floats(rng, n, columns)] for n in (6, 3, 9, 1, 100)] + [[floats(rng, 5, columns, low=-1000, high=1000)]]
    check_net(subject, rng, Case(inputs, reference, [decay], suspects=suspects), "RunningAverage")


EXERCISE = Exercise(__name__, number="04.7", answer="RunningAverage", checker=_check, points=2, parts=PARTS_OF_NET)
