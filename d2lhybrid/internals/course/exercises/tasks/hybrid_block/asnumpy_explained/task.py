"""Exercise 03.3: the reason why ``asnumpy`` fails in a hybridized block, from the lesson's second exercise."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import check_choices
from d2lhybrid.internals.course.exercises.subject import Subject

_RIGHT = {"imperative": "runs", "hybridized": "fails", "error": "NotImplementedForSymbol", "when": "trace", "why": "b"}
_REASONS = {
    "imperative": {...: "line by line, `x` is an array with numbers in it. Try it."},
    "hybridized": {...: "what is `x` while the block is traced? Try it."},
    "error": {
        "AttributeError": "that is the error of `x.shape`. The method `asnumpy` exists, and raises a different error.",
        ...: "copy the name of the exception: in the last line of the traceback, the text before the colon.",
    },
    "when": {
        "hybridize": "`hybridize()` itself runs nothing. Which line raises the exception?",
        ...: "which of the two calls runs the method?",
    },
    "why": {
        "a": "the conversion would be as easy as in eager mode, if there were values to convert.",
        "c": "a GPU makes no difference.",
        "d": "the first call raises the exception, before anything is compiled.",
        ...: "write one of the four letters.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(__name__, number="03.3", answer="explained", checker=_check, constant=True, parts=tuple(_RIGHT))
