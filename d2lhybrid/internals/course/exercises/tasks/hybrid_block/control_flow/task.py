"""Exercise 03.5: the effect of hybridizing on ``if`` and ``for``, from the lesson's third exercise."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject

_RIGHT = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "error",
    "rows": "different",
    "attribute": "no",
    "operators": 5,
}
_REASONS = {
    "depth": {
        ...: "Python runs the loop during the trace. How often does the body run, and what does each run add to the "
        "graph?"
    },
    "flag": {
        "error": "`self.fast` is an ordinary Python value, so Python can choose the branch.",
        ...: "Python chooses the branch during the trace. Does it choose again later?",
    },
    "value": {
        "frozen": "to choose a branch, Python must know whether the sum is positive. Try it.",
        ...: "what is the `bool` of a symbol?",
    },
    "rows": {
        "unrolled": "how many rows does a symbol have? Print the items of the loop.",
        ...: "try it: compare the result with the eager one.",
    },
    "attribute": {...: "no code reads `self.depth` after the trace."},
    "operators": {
        1: "this loop does not become an operator.",
        ...: "print `net(sym.var('x')).get_internals().list_outputs()`. Every entry except `x` is an operator's.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="03.5", answer="becomes", checker=_check, constant=True, parts=tuple(_RIGHT))
