"""Exercise 01.1: a function that returns the text of a program."""

from __future__ import annotations

import ast

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

PARTS = ("numbers by chance", "equal numbers and zeros", "large numbers", "one number alone")


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    drawn = [[int(n) for n in rng.integers(-50, 50, count)] for count in (2, int(rng.integers(3, 9)))]
    special = zip(PARTS[1:], ([8, 8, -3, 0, -3], [10**12, -1], [int(rng.integers(2, 99))]), strict=True)
    for part, numbers in [*((PARTS[0], numbers) for numbers in drawn), *special]:
        with subject.part(part):
            text = subject.call(numbers)
            given = translate("For {numbers}, the function returns", numbers=numbers)
            expect(
                not isinstance(text, int | float),
                "{given} a number: the function computes the sum instead of describing it.",
                given=given,
            )
            expect(isinstance(text, str), "{given} an object that is not a string.", given=given)
            _check_program(text, numbers, given)


def _check_program(text: str, numbers: list[int], given: str) -> None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        expect(False, "{given} a text that is not a Python program: {text!r}.", given=given, text=text[:60])
        return
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
    names = [c.func.id for c in calls if isinstance(c.func, ast.Name)]
    expect("print" in names, "{given} a program that prints nothing.", given=given)
    expect(
        names == ["print"] and len(calls) == 1,
        "{given} a program that calls a function for the additions.",
        given=given,
    )
    alone = len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) and tree.body[0].value is calls[0]
    expect(alone and not calls[0].keywords, "{given} a program with more than one `print`.", given=given)
    expect(
        len(calls[0].args) == 1,
        "{given} a program that prints {count} values, not one sum.",
        given=given,
        count=len(calls[0].args),
    )
    found: list[int] = []
    stack: list[ast.AST] = list(calls[0].args)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            stack += [node.left, node.right]
            continue
        number = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
        if not (isinstance(number, ast.Constant) and type(number.value) is int):
            expect(False, "{given} a program that contains more than numbers and `+`.", given=given)
            return
        found.append(number.value if number is node else -number.value)
    if len([n for n in found if n]) < len([n for n in numbers if n]):
        additions = len(found) - 1
        expect(
            False,
            "{given} a program with {additions} additions, which is not enough for {count} numbers.",
            given=given,
            additions=additions,
            count=len(numbers),
        )
    added = sorted(n for n in found if n)  # starting with 0 is also right
    expect(added == sorted(n for n in numbers if n), "{given} a program that adds the wrong numbers.", given=given)


EXERCISE = Exercise(__name__, number="01.1", answer="describe_sum", checker=_check, parts=PARTS)
