"""Exercise 09.2: the properties of a call that are part of the key of a cached trace."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.probing import encode
from d2lhybrid.internals.support.words import translate

_PARTS = ("numbers", "shapes", "types", "flags")
_TITLES = {"gluon": "Gluon", "jax": "JAX", "tensorflow": "TensorFlow"}
#: Part -> description of two calls that differ in it.
_WORDS = {
    "shapes": "arrays of shapes {a} and {b}",
    "types": "arrays of types {a} and {b}",
    "flags": "calls with `training={a}` and `training={b}`",
}
_SAME = {
    "shapes": "{framework}: {calls} have the same key. A stand-in with a shape is right for that shape only.",
    "types": "{framework}: {calls} have the same key. A stand-in with a type is right for that type only.",
    "flags": "{framework}: {calls} have the same key. Python chooses the branch, and a trace contains only one.",
}
_DIFFERENT = {
    "shapes": "{framework}: {calls} have different keys. A symbol has no shape.",
    "types": "{framework}: {calls} have different keys. A symbol has no type.",
    "flags": "{framework}: {calls} have different keys. The flag is an attribute, which is only read in the trace.",
}


def shares_a_trace(framework: str, part: str) -> bool:
    """Return whether two calls that differ only in one part of the call run the same trace in a framework."""
    return part == "numbers" or framework == "gluon"


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    few, many = int(rng.integers(2, 5)), int(rng.integers(5, 9))

    def array(*shape: int, dtype: str = "float32") -> numpy.ndarray:
        return rng.integers(1, 99, shape).astype(dtype)

    def key(framework: str, x: numpy.ndarray, training: bool) -> bytes:
        return encode(subject.call(framework, x, training, raw=False))

    def compare(part: str, one: numpy.ndarray, other: numpy.ndarray, flags: tuple[bool, bool], **values: Any) -> None:
        for framework, title in _TITLES.items():
            same = key(framework, one, flags[0]) == key(framework, other, flags[1])
            if same != shares_a_trace(framework, part):
                said = (_SAME if same else _DIFFERENT)[part]
                raise Wrong(said, framework=title, calls=_calls(part, **values))

    with subject.part("numbers"):
        for framework, title in _TITLES.items():
            first, x = array(few, many), array(few, many)
            keys = [key(framework, one, True) for one in (first, x, first)]
            expect(
                keys[0] == keys[1] == keys[2],
                "{framework}: arrays that differ only in their values have different keys. A stand-in has no values.",
                framework=title,
            )
            other = array(few + 1, many)
            calls = [(other, True), (array(few, many, dtype="float64"), True), (first, False)]
            if framework != "gluon" and all(key(framework, *call) == keys[0] for call in calls):
                shapes = _calls("shapes", a=first.shape, b=other.shape)  # a key that never changes earns nothing
                raise Wrong(_SAME["shapes"], framework=title, calls=shapes)
    with subject.part("shapes"):
        first = array(few, many)
        for shape in ((few + 1, many), (few, many + 1), (many, few), (few * many,), (1, few, many)):
            compare("shapes", first, array(*shape), (True, True), a=first.shape, b=shape)
    with subject.part("types"):
        first = array(few, many)
        for dtype in ("float64", "int32", "float16"):
            compare("types", first, array(few, many, dtype=dtype), (True, True), a="float32", b=dtype)
    with subject.part("flags"):
        first = array(few, many)
        compare("flags", first, array(few, many), (True, False), a=True, b=False)


def _calls(part: str, **values: Any) -> str:
    return translate(_WORDS[part], **values)


EXERCISE = Exercise(__name__, number="09.2", answer="key", checker=_check, parts=_PARTS)
