"""06.3: what each pass is good for."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject

_RIGHT = {"a": "fold constants", "b": "merge equal", "c": "simplify", "d": "fuse", "e": "simplify", "f": "none"}
_REASONS = {
    "a": {...: "no input is needed to know `F.ones((2, 3)) * 2`."},
    "b": {
        "fuse": "one loop would still compute the exponential twice.",
        ...: "the same operator on the same input, twice.",
    },
    "c": {...: "nothing is computed by `* 1`. That is known by algebra, whatever `x` is."},
    "d": {
        "merge equal": "the three operators are different.",
        ...: "three loops over the elements, one after the other.",
    },
    "e": {...: "two transposes undo each other: that is algebra."},
    "f": {
        "fuse": "a loop over the elements of what? A matrix product needs whole rows and columns.",
        ...: "two different products, each of them needed.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="06.3", answer="passes", checker=_check, constant=True, parts=tuple(_RIGHT))
