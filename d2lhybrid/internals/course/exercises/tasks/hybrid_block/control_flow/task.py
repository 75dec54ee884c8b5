"""03.5: the lesson's third exercise, what if and for become."""

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
        ...: "`range(3)` is Python's. How often does the body run while the block is traced, and what does each "
        "run leave?"
    },
    "flag": {
        "error": "`self.fast` is an ordinary Python value: Python can decide.",
        ...: "Python decides while tracing. Is it asked again?",
    },
    "value": {
        "frozen": "to choose a branch Python would have to know whether the sum is positive. Try it.",
        ...: "what can `bool` say of a symbol?",
    },
    "rows": {
        "unrolled": "how many rows has a symbol? Print what the loop runs over.",
        ...: "try it: compare with the result line by line.",
    },
    "attribute": {...: "nothing looks at `self.depth` any more once there is a graph."},
    "operators": {
        1: "a loop is no operator here.",
        ...: "print `len` of the list of operators of `net(sym.var('x'))`.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="03.5", answer="becomes", checker=_check, constant=True, parts=tuple(_RIGHT))
