"""Exercise 06.1: the peak memory of a program, from the live ranges of its values."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

Program = list[list]


def _random_program(rng: numpy.random.Generator) -> Program:
    names, program = ["x"], [["x", int(rng.integers(1, 10)), []]]
    for i in range(int(rng.integers(4, 9))):
        inputs = [str(n) for n in rng.choice(names[-3:], min(len(names[-3:]), int(rng.integers(1, 3))), replace=False)]
        program.append([f"t{i}", int(rng.integers(1, 10)), inputs])
        names.append(f"t{i}")
    used = {n for _, _, inputs in program for n in inputs}
    program.append(["y", int(rng.integers(1, 5)), [n for n in names if n not in used] or [names[-1]]])
    return program


def _peak(program: Program, free_before: bool = False, first_use: bool = False) -> int:
    """Return the largest sum of the sizes of live values; a line's inputs are live while the line runs."""
    uses = [(name, i) for i, (_, _, inputs) in enumerate(program) for name in inputs]
    last = dict(uses[::-1] if first_use else uses)
    last[program[-1][0]] = len(program)
    alive: dict[str, int] = {}
    peak = 0
    for i, (name, size, _) in enumerate(program):
        if free_before:
            alive = {n: s for n, s in alive.items() if last[n] > i}
        alive[name] = size
        peak = max(peak, sum(alive.values()))
        alive = {n: s for n, s in alive.items() if last[n] > i}
    return peak


_PARTS = ("one line after the other", "values used again", "programs by chance")


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    chain = [["x", 4, []], ["a", 3, ["x"]], ["b", 5, ["a"]], ["y", 1, ["b"]]]
    long = [["x", 4, []], ["a", 3, ["x"]], ["b", 5, ["a"]], ["c", 2, ["b"]], ["y", 1, ["c", "x"]]]
    late = [["x", 4, []], ["a", 3, ["x"]], ["y", 9, ["a", "x"]]]
    wide = [["x", 4, []], ["a", 3, ["x"]], ["b", 0, ["x"]], ["c", 7, ["a", "x"]], ["y", 1, ["c", "b", "a"]]]
    twice = [["x", 4, []], ["a", 3, ["x"]], ["b", 5, ["a", "a"]], ["c", 6, ["b"]], ["y", 1, ["c"]]]
    fixed = [
        (_PARTS[1], long),
        (_PARTS[0], chain),
        (_PARTS[1], late),
        (_PARTS[1], wide),
        (_PARTS[0], [["x", 5, []]]),
        (_PARTS[1], twice),
    ]
    for part, program in [*fixed, *((_PARTS[2], _random_program(rng)) for _ in range(8))]:
        with subject.part(part):
            _check_peak(subject, program)


def _check_peak(subject: Subject, program: list) -> None:
    text = "; ".join(f"{n}[{s}] <- {', '.join(i) or translate('input')}" for n, s, i in program)
    got = subject.call(program, doing=translate("called for {text}", text=text))
    expect(isinstance(got, int | float), "For {text}, the function does not return a number.", text=text)
    if got == _peak(program):
        return
    if got == sum(size for _, size, _ in program):
        raise Wrong("For {text}, the function returns {got:g}, as if no value were ever freed.", text=text, got=got)
    if got == max(size for _, size, _ in program):
        raise Wrong(
            "For {text}, the function returns {got:g}, the size of the largest value. Which other values are live "
            "then?",
            text=text,
            got=got,
        )
    if got == _peak(program, free_before=True):
        raise Wrong(
            "For {text}, the function returns {got:g}. A line still needs its inputs while it runs.", text=text, got=got
        )
    if got == _peak(program, first_use=True):
        raise Wrong(
            "For {text}, the function returns {got:g}. It frees a value that a later line uses.", text=text, got=got
        )
    raise Wrong("For {text}, the function returns {got:g}, which is not the peak memory.", text=text, got=got)


EXERCISE = Exercise(__name__, number="06.1", answer="peak", checker=_check, points=2, parts=_PARTS)
