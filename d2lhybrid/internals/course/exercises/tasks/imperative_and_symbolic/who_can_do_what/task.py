"""Exercise 01.3: the costs and benefits of imperative and symbolic programs."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject

_RIGHT = {
    "print": "imperative",
    "reuse": "symbolic",
    "if": "imperative",
    "phone": "symbolic",
    "fuse": "symbolic",
    "typo": "imperative",
}
_REASONS = {
    "print": {...: "in which style does `left` have a value in the line after `left = a + b`?"},
    "reuse": {...: "in which style is it known, while the line runs, that no later line needs the value?"},
    "if": {...: "to choose a branch, Python needs the value of `x` when it reaches the line."},
    "phone": {...: "which style has a description that another program can store and run?"},
    "fuse": {...: "to fuse two steps, both must be known before the first one runs."},
    "typo": {...: "describing raises no error. When does the description run, and where does the error point then?"},
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="01.3", answer="choices", checker=_check, constant=True, parts=tuple(_RIGHT))
