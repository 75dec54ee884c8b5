"""Exercise 01.2: a compiler with one rule, constant folding."""

from __future__ import annotations

import ast

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

_OPERATORS = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b}


def _random_expression(rng: numpy.random.Generator, depth: int) -> str:
    if depth == 0:
        return str(rng.choice(["x", "y"])) if rng.random() < 0.4 else str(rng.integers(1, 10))
    operator = rng.choice(["+", "-", "*"])
    return f"({_random_expression(rng, depth - 1)} {operator} {_random_expression(rng, depth - 1)})"


def _value(node: ast.AST, variables: dict[str, int]) -> int:
    if isinstance(node, ast.Expression):
        return _value(node.body, variables)
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 10**12:
        return node.value
    if isinstance(node, ast.Name) and node.id in variables:
        return variables[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand, variables)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, variables), _value(node.right, variables))
    raise Wrong("The result contains syntax that the expression does not have: {name}.", name=type(node).__name__)


def _is_number(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.Constant)


def _chains(rng: numpy.random.Generator) -> list[str]:
    """Return expressions in which each operator depends on the one inside it, on the left or on the right."""
    left = right = str(rng.integers(1, 10))
    for number in rng.integers(1, 10, 30):
        operator = rng.choice(["+", "-"])
        left, right = f"({left} {operator} {number})", f"({number} {operator} {right})"
    return [left, right, f"(x * {left})", f"({right} - y)"]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    fixed = ["(1 + 2)", "((1 + 2) + (3 + 4))", "((2 * 3) + x)", "(x - (y * (7 - 9)))"]
    fixed += ["((3 - 5) * (2 - 9))", "((x * (1 - 4)) - ((2 - 7) - y))", "x", "7", "(0 * x)", "((12 - 345) + (x - 10))"]
    # Expressions that could be simplified further, and products of sums, for answers that do more than the task asks.
    fixed += ["((2 - 1) * x)", "(x * (3 - 2))", "((1 - 2) * x)", "((1 + 1) * x)", "(x * 2)", "((1 - 1) - x)", "(x - x)"]
    fixed += ["((x + 2) * (x + 3))", "((x - y) * (x + y))", "((x * y) - ((y + 1) * (x - 1)))", "(y * (y * (0 - y)))"]
    fixed += ["((2 + x) * (3 + x))", "((y + 2) * (y + 3))", "((2 + y) * (3 + y))", "((x + y) * (y + x))"]
    fixed += ["(((x * x) + x) * (x + 2))", "((y + 2) * (y + (y * y)))"]
    fixed += ["2 * 3 + x", "x - (4 - 6)", "(x-y)-(1*0)", "1 + 2 * 3 - y", "x - y - 5 * 2"]
    expressions = [("numbers and variables" if "x" in text or "y" in text else "numbers alone", text) for text in fixed]
    expressions += [("long chains", text) for text in _chains(rng)]
    expressions += [("by chance", _random_expression(rng, int(rng.integers(2, 4)))) for _ in range(8)]
    for part, expression in expressions:
        with subject.part(part):
            _check_expression(subject, rng, expression)


def _check_expression(subject: Subject, rng: numpy.random.Generator, expression: str) -> None:
    text = subject.call(expression)
    shown = expression if len(expression) <= 80 else f"{expression[:45]} ... {expression[-25:]}"
    given = translate("For `{expression}`", expression=shown)
    expect(
        isinstance(text, str),
        "{given}, the function returns a {name}, not a string.",
        given=given,
        name=type(text).__name__,
    )
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Wrong("{given}, the result is not an expression: {text!r}.", given=given, text=text[:60]) from None
    before = ast.parse(expression, mode="eval")
    for _ in range(3):
        variables = {name: int(rng.integers(-10000, 10000)) for name in ("x", "y")}
        same = _value(tree, variables) == _value(before, variables)
        expect(
            same,
            "{given} and {variables}, the result does not have the value of the expression.",
            given=given,
            variables=variables,
        )
    left = [
        ast.unparse(n)
        for n in ast.walk(tree)
        if isinstance(n, ast.BinOp) and _is_number(n.left) and _is_number(n.right)
    ]
    expect(
        not left,
        "{given}, the result still contains a computation without variables: `{left}`.",
        given=given,
        left=left[0][:80] if left else "",
    )


_PARTS = ("numbers alone", "numbers and variables", "long chains", "by chance")
EXERCISE = Exercise(__name__, number="01.2", answer="fold", checker=_check, points=2, parts=_PARTS)
