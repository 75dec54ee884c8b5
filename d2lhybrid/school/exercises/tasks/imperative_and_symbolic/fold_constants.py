"""01.2: a compiler of one rule."""

from __future__ import annotations

import ast

import numpy

from ...exercise import Exercise, Mistake
from ...results import Wrong, expect
from ...subject import Subject

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
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, variables)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, variables), _value(node.right, variables))
    raise Wrong(f"The result has something in it that was not in the expression: {type(node).__name__}.")


def _is_number(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.Constant)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    fixed = ["(1 + 2)", "((1 + 2) + (3 + 4))", "((2 * 3) + x)", "(x - (y * (7 - 9)))"]
    for expression in [*fixed, *(_random_expression(rng, int(rng.integers(2, 4))) for _ in range(8))]:
        text = subject.call(expression)
        given = f"For `{expression}`"
        expect(isinstance(text, str), f"{given} the function returns no text but a {type(text).__name__}.")
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Wrong(f"{given} the result is no expression: {text[:60]!r}.") from None
        before = ast.parse(expression, mode="eval")
        for _ in range(3):
            variables = {name: int(rng.integers(-9, 10)) for name in ("x", "y")}
            same = _value(tree, variables) == _value(before, variables)
            expect(same, f"{given} and {variables} the result is worth something else.")
        left = [
            ast.unparse(n)
            for n in ast.walk(tree)
            if isinstance(n, ast.BinOp) and _is_number(n.left) and _is_number(n.right)
        ]
        expect(not left, f"{given} there is still work left that needs no variable: `{left[0] if left else ''}`.")


EXERCISE = Exercise(
    number="01.2",
    title="Be the compiler",
    answer="fold",
    points=2,
    task="""
A compiler sees the whole program before it runs. So it can do now what does not depend on the inputs.

Write `fold(text)`. It gets an expression of whole numbers, the variables `x` and `y`, `+`, `-`, `*` and brackets, as
a text. It returns an expression of the same value, as a text, in which no operator is left that has a number on
both sides: `((1 + 2) * x)` becomes `3 * x`, and `((1 + 2) + (3 + 4))` becomes `10`.

Python's module `ast` reads and writes expressions: `ast.parse(text, mode="eval")`, `ast.unparse(tree)`, and
`ast.NodeTransformer` to walk a tree and replace parts of it.
""",
    starter="""
import ast


def fold(text):
    ...
""",
    solution_code="""
import ast


class Folder(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)  # the inner ones first: they may become numbers
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            return ast.Constant(eval(ast.unparse(node)))
        return node


def fold(text):
    return ast.unparse(Folder().visit(ast.parse(text, mode="eval")))
""",
    hints=(
        "Look at the smallest case first: an operator between two numbers. What should stand there instead?",
        "In a `NodeTransformer`, `visit_BinOp(self, node)` is called for each operator; what it returns replaces the "
        "node. `node.left` and `node.right` are `ast.Constant` where there are numbers.",
        "`(1 + 2) + (3 + 4)`: the outer operator has numbers on both sides only after the inner ones are folded. Call "
        "`self.generic_visit(node)` first.",
        "The value of an operator between numbers: `eval(ast.unparse(node))`; a number as a node: "
        "`ast.Constant(value)`.",
    ),
    checker=_check,
    insight="This is constant folding, a pass that every compiler has; ours does it to graphs of arrays.",
    mistakes=(
        Mistake(
            "inner expressions stay",
            "import ast\nclass Folder(ast.NodeTransformer):\n    def visit_BinOp(self, node):\n"
            "        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):\n"
            "            return ast.Constant(eval(ast.unparse(node)))\n        return self.generic_visit(node)\n"
            "def fold(text):\n    return ast.unparse(Folder().visit(ast.parse(text, mode='eval')))",
            "For `((1 + 2) + (3 + 4))` there is still work left",
        ),
        Mistake("evaluates everything", "def fold(text):\n    return str(eval(text))", "NameError"),
        Mistake("does nothing", "def fold(text):\n    return text", "For `(1 + 2)` there is still work left"),
        Mistake("returns a number", "def fold(text):\n    return eval(text)", "returns no text"),
        Mistake(
            "adds where it should subtract",
            "import ast\nclass Folder(ast.NodeTransformer):\n    def visit_BinOp(self, node):\n"
            "        self.generic_visit(node)\n"
            "        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):\n"
            "            return ast.Constant(eval(ast.unparse(node).replace('-', '+')))\n        return node\n"
            "def fold(text):\n    return ast.unparse(Folder().visit(ast.parse(text, mode='eval')))",
            "For `(x - (y * (7 - 9)))` and {",
        ),
        Mistake("hard-coded", "def fold(text):\n    return '3'", "For `((1 + 2) + (3 + 4))` and {"),
    ),
)
