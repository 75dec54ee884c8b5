"""04.8: six symptoms."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject

_RIGHT = {"a": "error", "b": "silent", "c": "same", "d": "silent", "e": "error", "f": "same", "g": "silent"}
_REASONS = {
    "a": {...: "who knows the length of a row while the block is traced?"},
    "b": {
        "error": "no line of it asks for a value. Hybridize it, and compare.",
        ...: "`x[0]` of an array is its first row. What is it of a symbol with one output?",
    },
    "c": {...: "`-1` is worked out when the shape is known; nobody has to ask for it."},
    "d": {
        "same": "call it twice after `hybridize()`, and look at `self.count` in the result.",
        ...: "a number of Python's is no value of a symbol: nothing fails.",
    },
    "e": {...: "is there a function `array` for symbols?"},
    "f": {
        "silent": "Dropout is an operator. Does it look at the mode while tracing, or while running?",
        ...: "try it.",
    },
    "g": {
        "same": "in which mode was it traced? Call it in the other one.",
        ...: "`is_training()` gives Python a bool: nothing fails.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="04.8", answer="diagnosis", checker=_check, constant=True, parts=tuple(_RIGHT))
