"""01.1: a program as a text."""

from __future__ import annotations

import ast

import numpy

from ....exercise import Exercise
from ....results import expect
from ....subject import Subject

PARTS = ("numbers by chance", "equal numbers and zeros", "large numbers", "one number alone")


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    drawn = [[int(n) for n in rng.integers(-50, 50, count)] for count in (2, int(rng.integers(3, 9)))]
    special = zip(PARTS[1:], ([8, 8, -3, 0, -3], [10**12, -1], [int(rng.integers(2, 99))]), strict=True)
    for part, numbers in [*((PARTS[0], numbers) for numbers in drawn), *special]:
        with subject.part(part):
            text = subject.call(numbers)
            given = f"For {numbers} the function returns"
            expect(not isinstance(text, int | float), f"{given} a number: it has computed instead of described.")
            expect(isinstance(text, str), f"{given} no text.")
            _check_program(text, numbers, given)


def _check_program(text: str, numbers: list[int], given: str) -> None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        expect(False, f"{given} a text that is no Python program: {text[:60]!r}.")
        return
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
    names = [c.func.id for c in calls if isinstance(c.func, ast.Name)]
    expect("print" in names, f"{given} a program that prints nothing.")
    expect(names == ["print"] and len(calls) == 1, f"{given} a program that leaves the additions to a function.")
    alone = len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) and tree.body[0].value is calls[0]
    expect(alone and not calls[0].keywords, f"{given} a program that is more than one `print`.")
    expect(len(calls[0].args) == 1, f"{given} a program that prints {len(calls[0].args)} things, not one sum.")
    found: list[int] = []
    stack: list[ast.AST] = list(calls[0].args)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            stack += [node.left, node.right]
            continue
        number = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
        if not (isinstance(number, ast.Constant) and type(number.value) is int):
            expect(False, f"{given} a program with more in it than numbers and `+`.")
            return
        found.append(number.value if number is node else -number.value)
    if len([n for n in found if n]) < len([n for n in numbers if n]):
        additions = len(found) - 1
        expect(
            False,
            f"{given} a program with {additions} additions: that is not every addition of {len(numbers)} numbers.",
        )
    added = sorted(n for n in found if n)  # to begin with 0 is as good
    expect(added == sorted(n for n in numbers if n), f"{given} a program that adds other numbers.")


EXERCISE = Exercise(__name__, number="01.1", answer="describe_sum", checker=_check, parts=PARTS)
