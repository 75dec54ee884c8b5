"""Exercise 03.2: the calls of a hybridized block in which Python code still runs."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject

_RIGHT = {"printed": 2, "calls": 2, "F first": "nd", "F last": "sym", "output": "NDArray", "after hybridize": 3}
_REASONS = {
    "printed": {
        4: "that is right without `hybridize()`. Does the compiled program run the `print`?",
        1: "the first call is still line by line, and prints as always.",
        ...: "count: which of the four calls run the method?",
    },
    "calls": {
        4: "adding to `self.calls` is Python, not a computation with `x`.",
        ...: "it changes whenever the method prints.",
    },
    "F first": {...: "before `hybridize()` the block runs on arrays."},
    "F last": {
        "nd": "what does the trace pass to the method?",
        ...: "the last run of the method was the trace.",
    },
    "output": {...: "the caller passes an array. Does a call on an array ever return a symbol?"},
    "after hybridize": {
        2: "`hybridize()` drops the graph.",
        ...: "how many traces does one call after `hybridize()` need?",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="03.2", answer="seen", checker=_check, constant=True, parts=tuple(_RIGHT))
