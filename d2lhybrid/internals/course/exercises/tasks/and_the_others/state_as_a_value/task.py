"""Exercise 09.4: a compiled function that takes its state as an argument and returns the new state."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare, floats
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

_PARTS = ("traced once", "two averages at a time", "line by line")
_NAMES = ("the new `total`", "the new `count`", "the average")
_FROZEN = "it is the value of a first call. State that the function stores itself is frozen in the trace."


def _after(total: numpy.ndarray, count: numpy.ndarray, x: numpy.ndarray) -> list[numpy.ndarray]:
    return [total + x, count + 1, (total + x) / (count + 1)]


def _suspects(total: numpy.ndarray, count: numpy.ndarray, x: numpy.ndarray) -> list[list[tuple[Any, str]]]:
    """Return the results of typical mistakes for each of the three values."""
    first = _after(0 * x, 0 * x, x)
    with numpy.errstate(divide="ignore", invalid="ignore"):  # the count is 0 in the first call
        average = [
            ((total + x) / count, "it is the sum divided by the old count."),
            (total / (count + 1), "the sum does not include the new number."),
            (total / count, "it is the average before this call."),
            (total + x, "it is the sum."),
        ]
    old = "it is the old value. The next call gets the returned values."
    return [[(first[0], _FROZEN), (total, old)], [(first[1], _FROZEN), (count, old)], [(first[2], _FROZEN), *average]]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    size = int(rng.integers(2, 6))
    rows = [[floats(rng, size, low=low, high=low + 9) for _ in range(4)] for low in (1, 20)]
    with subject.part("traced once"):
        _check_calls(subject, rng, rows[:1], "Traced once", traced=True)
    with subject.part("two averages at a time"):
        _check_calls(subject, rng, rows, "Traced once, with two averages at a time", traced=True)
    with subject.part("line by line"):
        _check_calls(subject, rng, rows, "Line by line", traced=False)


def _check_calls(
    subject: Subject, rng: numpy.random.Generator, rows: list[list[numpy.ndarray]], how: str, traced: bool
) -> None:
    turns = [(which, row[n]) for n in range(len(rows[0])) for which, row in enumerate(rows)]
    states = [[numpy.zeros_like(row[0])] * 2 for row in rows]
    # The calls start from a saved state, because after one call from zero, the sum equals the average.
    states[0] = [floats(rng, *rows[0][0].shape, low=30, high=40), numpy.full_like(rows[0][0], rng.integers(3, 7))]
    doing = how[0].lower() + how[1:]
    found = subject.ask("steps", doing, traced=traced, states=[list(s) for s in states], turns=[list(t) for t in turns])
    for n, ((which, x), got) in enumerate(zip(turns, found, strict=True), 1):
        where = translate("{how}, in call {n},", how=translate(how), n=n)
        expect(len(got["values"]) == 3, "{where} the function returns {kind}.", where=where, kind=got["kind"])
        total, count = states[which]
        right, known_mistakes = _after(total, count, x), _suspects(total, count, x)
        for value, expected, name, known in zip(got["values"], right, _NAMES, known_mistakes, strict=True):
            compare(value, expected, f"{where} {translate(name)}", known)
        states[which] = right[:2]
    if traced:
        expect(
            found[-1]["runs"] == 1, "After one trace, Python ran the function {n} times, not once.", n=found[-1]["runs"]
        )


EXERCISE = Exercise(__name__, number="09.4", answer="average", checker=_check, points=2, parts=_PARTS)
