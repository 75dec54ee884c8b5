"""Exercise 04.8: the effect of hybridizing on seven blocks."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject

_RIGHT = {"a": "error", "b": "silent", "c": "same", "d": "silent", "e": "error", "f": "same", "g": "silent"}
_REASONS = {
    "a": {...: "is the length of a row known while the block is traced?"},
    "b": {
        "error": "no line needs a value. Hybridize it, and compare.",
        ...: "`x[0]` of an array is its first row. What is `x[0]` of a symbol with one output?",
    },
    "c": {...: "`-1` is inferred when the shape is known; no code has to read the shape."},
    "d": {
        "same": "call it twice after `hybridize()`, and look at `self.count` in the result.",
        ...: "`self.count` is a Python number, so the trace raises no error.",
    },
    "e": {...: "is there a function `array` for symbols?"},
    "f": {
        "silent": "Dropout is an operator. Does it read the mode in the trace, or when it runs?",
        ...: "try it.",
    },
    "g": {
        "same": "in which mode was it traced? Call it in the other mode.",
        ...: "`is_training()` returns a Python bool, so the trace raises no error.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="04.8", answer="diagnosis", checker=_check, constant=True, parts=tuple(_RIGHT))
