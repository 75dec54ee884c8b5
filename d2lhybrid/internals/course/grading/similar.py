"""The search for answers of different people that are identical except for names, spaces, and comments."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence

from ..exercises import ex
from .submission import Submission

__all__ = ["Alike", "alike", "shape_of"]

#: The minimum number of nodes in a syntax tree; smaller answers are similar by chance.
_LEAST = 60

Alike = dict[str, list[list[str]]]


class _Nameless(ast.NodeTransformer):
    """A transformer that replaces names with numbers in the order of their appearance, and removes docstrings."""

    def __init__(self) -> None:
        self.numbers: dict[str, str] = {}

    def _number(self, name: str) -> str:
        return self.numbers.setdefault(name, f"n{len(self.numbers)}")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._number(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self._number(node.arg))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._number(node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._number(node.name)
        return self.generic_visit(node)

    def visit_alias(self, node: ast.alias) -> ast.AST:
        return ast.alias(node.name, self._number(node.asname or node.name))

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if isinstance(node.value, ast.Constant):
            return None
        return self.generic_visit(node)


def shape_of(code: str) -> str:
    """Return a hash of an answer's structure without names and layout; empty for short answers and invalid Python.

    Examples
    --------
    >>> shape_of("def f(a): return " + "a + " * 40 + "1") == shape_of("def g( b ):  return " + "b+" * 40 + "1")
    True
    >>> shape_of("x = 1")
    ''
    """
    try:
        tree = _Nameless().visit(ast.parse(code))
        if sum(1 for _ in ast.walk(tree)) < _LEAST:
            return ""
        return hashlib.sha256(ast.dump(tree).encode("utf-8", "replace")).hexdigest()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def alike(submissions: Sequence[Submission], numbers: Sequence[str]) -> Alike:
    """Return the groups of submissions whose answers have the same :func:`shape_of`, by exercise.

    Short answers are omitted, as are starters and solutions, which all students have seen.
    """
    found: Alike = {}
    for number in numbers:
        exercise = ex(number)
        known = {shape_of(exercise.starter), shape_of(exercise.solution_code), ""}
        groups: dict[str, list[str]] = {}
        for submission in submissions:
            code = "\n".join(source for source, is_answer in submission.answers.get(number, ()) if is_answer)
            shape = shape_of(code)
            if shape not in known:
                groups.setdefault(shape, []).append(submission.name)
        found[number] = [names for names in groups.values() if len(names) > 1]
    return {number: groups for number, groups in found.items() if groups}
