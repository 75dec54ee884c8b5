"""01.1: a program as a text."""

from __future__ import annotations

import ast

import numpy

from ....exercise import Exercise
from ....results import expect
from ....subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for count in (2, int(rng.integers(3, 5)), int(rng.integers(5, 9))):
        numbers = [int(n) for n in rng.integers(-50, 50, count)]
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
    found: list[int] = []
    additions = 0
    stack: list[ast.AST] = list(calls[0].args)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            additions += 1
            stack += [node.left, node.right]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            found.append(-node.operand.value)  # type: ignore[operator]
        elif isinstance(node, ast.Constant):
            found.append(node.value)  # type: ignore[arg-type]
        else:
            expect(False, f"{given} a program with more in it than numbers and `+`.")
    expect(
        additions == len(numbers) - 1,
        f"{given} a program with {additions} additions: that is not every addition of {len(numbers)} numbers.",
    )
    expect(sorted(map(str, found)) == sorted(map(str, numbers)), f"{given} a program that adds other numbers.")


EXERCISE = Exercise(__name__, number="01.1", answer="describe_sum", checker=_check)
