"""Exercise 06.3: the pass that makes each of several expressions cheaper."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject

_RIGHT = {"a": "fold constants", "b": "merge equal", "c": "simplify", "d": "fuse", "e": "simplify", "f": "none"}
_REASONS = {
    "a": {...: "`F.ones((2, 3)) * 2` does not depend on an input."},
    "b": {
        "fuse": "one loop would still compute the exponential twice.",
        ...: "the same operator is applied to the same input twice.",
    },
    "c": {...: "`* 1` has no effect. Algebra shows this for every `x`."},
    "d": {
        "merge equal": "the three operators are different.",
        ...: "the operators are three loops over the elements, one after the other.",
    },
    "e": {...: "two transposes cancel each other, which is algebra."},
    "f": {
        "fuse": "a matrix product is not element-wise: each element needs a whole row and a whole column.",
        ...: "the two products are different, and both are needed.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="06.3", answer="passes", checker=_check, constant=True, parts=tuple(_RIGHT))
