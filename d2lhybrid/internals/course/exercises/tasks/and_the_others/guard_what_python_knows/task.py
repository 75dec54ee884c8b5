"""Exercise 09.3: a cache of programs with guards on the Python values that a trace froze."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

_FIRST_CHANGE = "a call after `scale` has changed"
_PARTS = ("a program is kept", "values", "types", "values that come back", "each function has its own")


def _calls(rng: numpy.random.Generator) -> list[tuple[str, str, int, dict[str, Any]]]:
    """Return part, description, index of the function, and values that the function reads, for each call."""
    a, b = (float(n) for n in rng.choice(numpy.arange(2, 9), 2, replace=False))
    kept, values, types, back, apart = _PARTS
    first = {"scale": a, "bias": b, "mode": "sum"}
    return [
        (kept, "the first call", 0, first),
        (kept, "a call in which nothing has changed", 0, first),
        (values, _FIRST_CHANGE, 0, {**first, "scale": a + 10}),
        (kept, "a second call in which nothing has changed", 0, {**first, "scale": a + 10}),
        (values, "a call after `mode` has changed", 0, {**first, "scale": a + 10, "mode": "mean"}),
        (back, "a call with the values of the first one", 0, first),
        (values, "a call after `scale` and `bias` were swapped", 0, {**first, "scale": b, "bias": a}),
        (types, "a call after `scale` has become an int", 0, {**first, "scale": int(a)}),
        (back, "a call with the values of an earlier program", 0, {**first, "scale": b, "bias": a}),
        (types, "a call after `bias` has become a bool", 0, {**first, "bias": True}),
        (types, "a call after `bias` has become the int 1", 0, {**first, "bias": 1}),
        (apart, "a call of another function", 1, first),
        (apart, "the first function again", 0, first),
        (back, "a call with the int again", 0, {**first, "scale": int(a)}),
    ]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    planned = _calls(rng)
    found = None
    with subject.part(_PARTS[0]):
        calls = [[which, state, float(rng.integers(1, 9))] for _, _, which, state in planned]
        found = subject.ask("guarded_calls", "called with `trace` and `read`", functions=2, calls=calls)
        expect(isinstance(found, list) and len(found) == len(planned), "The result does not have the required form.")
    if found is None:
        return
    seen: list[Any] = []
    for (part, words, which, state), got in zip(planned, found, strict=True):
        key = which, sorted((name, type(value).__name__, value) for name, value in state.items())
        with subject.part(part):
            _check_call(words, got, key in seen, bool(seen) and seen[-1] == key, part)
        seen.append(key)


def _check_call(words: str, got: dict[str, Any], known: bool, just_now: bool, part: str) -> None:
    where = translate("In {words},", words=translate(words))
    if known and got["traces"] and just_now:
        raise Wrong("{where} the function was traced again, although nothing that it reads has changed.", where=where)
    if known and got["traces"]:
        raise Wrong("{where} the function was traced again: the program for these values was not kept.", where=where)
    if not known and not got["traces"]:
        _say_why_not(where, part, got, words == _FIRST_CHANGE)
    expect(
        got["traces"] <= 1, "{where} the function was traced {count} times, not once.", where=where, count=got["traces"]
    )
    expect(got["fits"], "{where} the program that ran was traced for other values.", where=where)
    expect(got["ran"] > 0, "{where} no program ran, but the result depends on `x`.", where=where)
    expect(got["ran"] == 1, "{where} {count} programs ran, not one.", where=where, count=got["ran"])
    expect(
        got["returned"] is True,
        "{where} the result is not the program's result for this `x`.",
        where=where,
    )


def _say_why_not(where: str, part: str, got: dict[str, Any], first_change: bool) -> None:
    if got["others"]:
        raise Wrong("{where} a program of the first function ran.", where=where)
    if got["ran"] == 0:
        raise Wrong("{where} nothing was traced, and no program ran.", where=where)
    if part == "types":
        raise Wrong(
            "{where} the program that ran was traced for another type. `1 == 1.0 == True`, but their programs differ.",
            where=where,
        )
    if got["reads"] == 0:
        raise Wrong("{where} `read` was not called: a guard must be tested before each call.", where=where)
    if first_change:
        raise Wrong(
            "{where} an old program ran. Did you store the dictionary instead of a copy? A dictionary equals itself, "
            "even after it changes.",
            where=where,
        )
    raise Wrong("{where} an old program ran: your guard ignores the value that has changed.", where=where)


EXERCISE = Exercise(__name__, number="09.3", answer="guarded", checker=_check, points=2, parts=_PARTS)
