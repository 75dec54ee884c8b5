"""Exercise 06.2: the elimination of common subexpressions."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

Program = list[list[Any]]


def _random_program(rng: numpy.random.Generator) -> Program:
    names, program = ["x", "y"], []
    for i in range(int(rng.integers(4, 9))):
        if program and rng.random() < 0.5:
            _, op, inputs = program[int(rng.integers(len(program)))]
            program.append([f"t{i}", op, list(inputs)])
        else:
            program.append([f"t{i}", str(rng.choice(["+", "-", "*"])), [str(n) for n in rng.choice(names, 2)]])
        names.append(f"t{i}")
    program.append(["out", "+", [names[-1], names[-2]]])
    # The task says that the last line stays; in this program, an earlier line computes the last line's value.
    return program if _merged(program)[-1][0] == "out" else _random_program(rng)


def _merged(program: Program) -> Program:
    seen: dict[Any, str] = {}
    name_of: dict[str, str] = {}
    result = []
    for name, op, inputs in program:
        inputs = [name_of.get(n, n) for n in inputs]
        key = (op, *inputs)
        if key in seen:
            name_of[name] = seen[key]
        else:
            seen[key] = name
            result.append([name, op, inputs])
    return result


def _run(program: Any, values: dict[str, int], where: str) -> int:
    known: dict[str, int] = dict(values)
    operators = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
    result = 0
    for line in program:
        shaped = isinstance(line, list) and len(line) == 3 and line[1] in operators and isinstance(line[2], list)
        expect(
            shaped and len(line[2]) == 2,
            "{where} an item of the result is not a line of a program: {line}.",
            where=where,
            line=str(line)[:80],
        )
        name, op, inputs = line
        for n in inputs:
            expect(
                n in known, "{where} a line of the result uses `{n}`, which no earlier line defines.", where=where, n=n
            )
        known[str(name)] = result = operators[op](known[inputs[0]], known[inputs[1]]) % 1000003
    return result


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    fixed = [
        [["a", "+", ["x", "y"]], ["b", "+", ["x", "y"]], ["out", "*", ["a", "b"]]],
        [["a", "-", ["x", "y"]], ["b", "-", ["y", "x"]], ["out", "*", ["a", "b"]]],
        [["a", "+", ["x", "y"]], ["b", "+", ["x", "y"]], ["c", "*", ["a", "x"]], ["d", "*", ["b", "x"]],
         ["out", "+", ["c", "d"]]],
        [["a", "+", ["x", "y"]], ["b", "*", ["x", "y"]], ["c", "+", ["x", "y"]], ["out", "-", ["b", "c"]]],
    ]  # fmt: skip
    # Pairs of lines; the lines of a pair become equal only after the previous pair is merged.
    pairs = [[f"{side}{i}", "*-+"[i % 3], [f"{side}{i - 1}" if i else "x", "y"]] for i in range(12) for side in "ab"]
    fixed.append([*pairs, ["out", "-", ["a11", "b11"]]])
    parts = ("two lines", "two lines", "lines that become equal", "lines between", "lines that become equal")
    programs = [*zip(parts, fixed, strict=True)]
    for part, program in [*programs, *(("by chance", _random_program(rng)) for _ in range(8))]:
        with subject.part(part):
            _check_program(subject, rng, program)


def _check_program(subject: Subject, rng: numpy.random.Generator, program: list) -> None:
    lines = [f"{name} = {inputs[0]} {op} {inputs[1]}" for name, op, inputs in program]
    text = "; ".join(lines if len(lines) < 20 else [*lines[:5], "...", *lines[-3:]])
    got = subject.call(program, doing=translate("called for {text}", text=text))
    where = translate("For {text}:", text=text)
    expect(isinstance(got, list) and bool(got), "{where} the function does not return a list of lines.", where=where)
    right = _merged(program)
    for _ in range(3):
        values = {name: int(rng.integers(2, 1000)) for name in ("x", "y")}
        same = _run(got, values, where) == _run(program, values, where)
        expect(same, "{where} the result computes a different value.", where=where)
    if len(got) > len(right):
        raise Wrong(
            "{where} the result has {count} lines instead of {right}: it computes a value twice.",
            where=where,
            count=len(got),
            right=len(right),
        )


_PARTS = ("two lines", "lines that become equal", "lines between", "by chance")
EXERCISE = Exercise(__name__, number="06.2", answer="merge", checker=_check, points=2, parts=_PARTS)
