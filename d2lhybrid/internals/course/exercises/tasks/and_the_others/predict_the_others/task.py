"""Exercise 09.1: predictions for three programs in four frameworks."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.pictures.others.recording import program

_FRAMEWORKS = ("gluon", "torch", "jax", "tensorflow")
_PARTS = tuple(f"{letter} {framework}" for letter in "abc" for framework in _FRAMEWORKS)
_TRACED = {
    "a": {
        0: "the trace also runs the function, including the line that appends.",
        ...: "Python runs the function only during the trace. How many traces do two equal calls need?",
    },
    "c": {
        0: "the trace also runs the function, including the print.",
        ...: "the second call runs the compiled program. Is there a print in it?",
    },
}
_STAND_IN = {
    1: "the stand-in has a type. Can a program for floats compute integers?",
    3: "call 3 has the types of call 1. Is the program of call 1 gone?",
    ...: "count the calls with new types.",
}
_REASONS: dict[str, dict[Any, str]] = {
    "a gluon": _TRACED["a"],
    "a torch": {...: "Dynamo changes Python's objects after each call as the function would have changed them."},
    "a jax": _TRACED["a"],
    "a tensorflow": _TRACED["a"],
    "b gluon": {...: "a symbol has no type. New types need another program, but do they need another trace?"},
    "b torch": _STAND_IN,
    "b jax": _STAND_IN,
    "b tensorflow": _STAND_IN,
    "c gluon": _TRACED["c"],
    "c torch": {...: "Dynamo leaves the print to Python, in each call."},
    "c jax": _TRACED["c"],
    "c tensorflow": _TRACED["c"],
}


def recorded() -> dict[str, int]:
    """Return the right answer to each part, from the recorded runs of the gallery's programs."""
    found: dict[str, int] = {}
    for framework in _FRAMEWORKS:
        appended, types, printed = (
            program(name)["runs"][framework]["calls"] for name in ("append", "dtype", "gradient")
        )
        found[f"a {framework}"] = next(int(call["value"]) for call in appended if call["mark"] == "shows")
        found[f"b {framework}"] = sum(call["kind"] in ("traced", "again") for call in types)
        found[f"c {framework}"] = sum(call["printed"].count("\n") for call in printed)
    return {part: found[part] for part in _PARTS}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, recorded(), _REASONS)


EXERCISE = Exercise(__name__, number="09.1", answer="prediction", checker=_check, constant=True, parts=_PARTS)
