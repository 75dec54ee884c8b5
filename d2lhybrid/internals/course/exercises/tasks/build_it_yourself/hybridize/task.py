"""Exercise 10.6: a cache of compiled programs."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import is_close
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

_PARTS = ("a program is kept", "shapes", "types", "each function has its own")


def _array(rng: numpy.random.Generator, shape: tuple[int, ...], dtype: str = "float32") -> numpy.ndarray:
    return rng.integers(1, 9, shape).astype(dtype)


def _calls(rng: numpy.random.Generator) -> list[tuple[str, str, int, list[tuple[tuple[int, ...], str]]]]:
    """Return part, description, index of the function, and shapes and types of the arrays, for each call."""
    few, many = int(rng.integers(2, 5)), int(rng.integers(5, 9))
    f, d = "float32", "float64"
    first = [((few, many), f), ((many,), f)]
    kept, shapes, types, apart = _PARTS
    return [
        (kept, "the first call", 0, first),
        (kept, "a call with the same shapes and other numbers", 0, first),
        (shapes, "a call with more rows", 0, [((few + 1, many), f), ((many,), f)]),
        (shapes, "a call with another shape of the second array", 0, [((few, many), f), ((1,), f)]),
        (kept, "a call with the shapes of the first call", 0, first),
        (types, "a call with another type", 0, [((few, many), d), ((many,), f)]),
        (types, "a call with another type of the second array", 0, [((few, many), f), ((many,), d)]),
        (shapes, "a call with the two arrays in the other order", 0, first[::-1]),
        (shapes, "a call with one array", 0, first[:1]),
        (shapes, "a call with another number of axes", 0, [((few * many,), f), ((many,), f)]),
        (shapes, "a call with the same number of elements in another shape", 0, [((many, few), f), ((many,), f)]),
        (shapes, "a call with the sizes split differently", 0, [((few,), f), ((many, many), f)]),
        (apart, "a call of another function", 1, first),
        (apart, "a call of the other function with more rows", 1, [((few + 1, many), f), ((many,), f)]),
        (apart, "the first function again", 0, first),
        (shapes, "a single number", 0, [((), f)]),
        (apart, "the other function again", 1, first),
        (kept, "a repeated call with one array", 0, first[:1]),
        (types, "a call with another type of the same size", 0, [((few, many), "int32"), ((many,), f)]),
        (shapes, "a call with three arrays", 0, [first[0], ((many,), f), ((many,), f)]),
        (shapes, "a call with another shape of the middle array", 0, [first[0], ((few, many), f), ((many,), f)]),
        (kept, "a repeated call with three arrays", 0, [first[0], ((many,), f), ((many,), f)]),
        (types, "a call with another type of the middle array", 0, [first[0], ((many,), d), ((many,), f)]),
    ]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    planned = _calls(rng)
    calls = [[which, [_array(rng, *one) for one in arrays]] for _, _, which, arrays in planned]
    found = None
    with subject.part(_PARTS[0]):
        found = subject.ask("cached_calls", "called with a function and a compiler", functions=2, calls=calls)
        shaped = isinstance(found, list) and len(found) == len(calls)
        expect(shaped, "The result does not have the required form.")
    if found is None:
        return
    seen: list[Any] = []
    for (part, words, which, arrays), (_, values), got in zip(planned, calls, found, strict=True):
        with subject.part(part):
            _check_call(words, which, arrays, values, got, seen)
        seen.append((which, *arrays))


def _check_call(words: str, which: int, arrays: Any, values: Any, got: Any, seen: list[Any]) -> None:
    shapes = ", ".join(f"{dtype} {shape}" for shape, dtype in arrays)
    where = translate("In {words} ({shapes}),", words=translate(words), shapes=shapes)
    builds = got["builds"]
    expect(
        "function" not in got["wrong"],
        "{where} the function itself was called. A program must run instead.",
        where=where,
    )
    new = (which, *arrays) not in seen
    if new and not builds:
        raise Wrong("{where} the compiler was not called, although there is no program for these arrays.", where=where)
    if not new and builds and seen[-1] == (which, *arrays):
        raise Wrong(
            "{where} the compiler was called again, although it had just compiled a program for these arrays.",
            where=where,
        )
    if not new and builds:
        raise Wrong("{where} the compiler was called again: an earlier program was not kept.", where=where)
    expect(len(builds) <= 1, "{where} the compiler was called {count} times, not once.", where=where, count=len(builds))
    expect(
        "program" not in got["wrong"],
        "{where} the program that ran was compiled for other shapes or types.",
        where=where,
    )
    if builds:
        asked = [[list(shape), dtype] for shape, dtype in arrays]
        expect(
            builds[0] == [which, asked],
            "{where} the arrays that the compiler received are not the arrays of the call.",
            where=where,
        )
    if got["value"] is None:
        raise Wrong("{where} the result is not the program's result, but a {type}.", where=where, type=got["type"])
    right = numpy.asarray(sum(float(v.sum()) for v in values) * (which + 1))
    expect(
        is_close(got["value"], right),
        "{where} the result is not the program's result for these arrays.",
        where=where,
    )


EXERCISE = Exercise(__name__, number="10.6", answer="hybridize", checker=_check, points=2, parts=_PARTS)
