"""03.2: what Python still does, and when."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject

_RIGHT = {"printed": 2, "calls": 2, "F first": "nd", "F last": "sym", "output": "NDArray", "after hybridize": 3}
_REASONS = {
    "printed": {
        4: "so it is without `hybridize()`. Who runs the `print` when the compiled program runs?",
        1: "the first call is still line by line, and prints as always.",
        ...: "count: which of the four calls run the method?",
    },
    "calls": {
        4: "adding to `self.calls` is Python, not a computation with `x`.",
        ...: "it changes where the print prints.",
    },
    "F first": {...: "before `hybridize()` the block runs on arrays."},
    "F last": {
        "nd": "what does the trace hand to the method?",
        ...: "the last time that the method ran was the trace.",
    },
    "output": {...: "the caller gave an array. Did he ever get anything else back?"},
    "after hybridize": {
        2: "`hybridize()` drops the graph.",
        ...: "how many traces does one call after `hybridize()` need?",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="03.2", answer="seen", checker=_check, constant=True, parts=tuple(_RIGHT))
