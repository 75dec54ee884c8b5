"""Exercise 04.2: the selection of a column without an index."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(5, 9))
    for column in (int(rng.integers(1, columns - 1)), 0, columns - 1):
        inputs = [[floats(rng, n, columns)] for n in (2, 4, 1, columns)]
        case = Case(inputs, lambda parameters, x, c=column: x[:, c] - x[:, -1], [column], [])
        case.suspects.append(
            (lambda parameters, x, c=column: x[:, c] - x[:, -2], "which column does the index -2 select?")
        )
        case.suspects.append((lambda parameters, x: x[0] - x[-1], "it is computed from rows, not from columns."))
        check_net(subject, rng, case, "Column")


EXERCISE = Exercise(__name__, number="04.2", answer="Column", checker=_check, parts=PARTS_OF_NET)
