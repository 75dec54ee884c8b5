"""Constant folding in a syntax tree, with Python's semantics for operations on constants."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any

from ..support.words import translate

__all__ = ["NegativeNumbers", "folded", "operations", "replace", "value_of"]

#: The maximum number of digits or characters of a folded constant.
MAX_SIZE = 4000

_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Invert: operator.invert, ast.Not: operator.not_,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


def replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Replace a node of a tree with another node."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
            elif isinstance(value, list) and any(v is old for v in value):
                value[:] = [new if v is old else v for v in value]


def operations(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield a tree's operations on constants, except operations inside functions and classes."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from operations(node)
    if isinstance(tree, ast.BinOp | ast.UnaryOp | ast.Compare | ast.IfExp):
        parts = [n for n in ast.iter_child_nodes(tree) if isinstance(n, ast.expr)]
        needed = [tree.test, tree.body, tree.orelse] if isinstance(tree, ast.IfExp) else parts
        if all(isinstance(n, ast.Constant) for n in needed):
            yield tree


class NegativeNumbers(ast.NodeTransformer):
    """A transformer that merges a minus sign and a number into a constant. Python parses ``-1`` as an operation."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Replace a minus sign and a number with a negative constant. Any other operation is returned unchanged."""
        self.generic_visit(node)
        number = node.operand
        if isinstance(node.op, ast.USub) and isinstance(number, ast.Constant) and type(number.value) in (int, float):
            return ast.copy_location(ast.Constant(-number.value), node)  # pyright: ignore[reportOperatorIssue, reportOptionalOperand]
        return node


def value_of(node: ast.expr) -> tuple[Any] | Exception:
    """Return the value of an operation on constants, in a tuple, or an error if the operation fails or isn't folded."""
    try:
        if isinstance(node, ast.IfExp):
            chosen = node.body if node.test.value else node.orelse  # type: ignore[attr-defined]
            return (chosen.value,)  # type: ignore[attr-defined]
        if isinstance(node, ast.Compare):
            if len(node.ops) > 1 or type(node.ops[0]) not in _OPERATORS:
                return ValueError(translate("only simple comparisons are computed"))
            return (_OPERATORS[type(node.ops[0])](node.left.value, node.comparators[0].value),)  # type: ignore[attr-defined]
        if isinstance(node, ast.UnaryOp):
            return (_OPERATORS[type(node.op)](node.operand.value),)  # type: ignore[attr-defined]
        assert isinstance(node, ast.BinOp)
        left, right = node.left.value, node.right.value  # type: ignore[attr-defined]
        if type(node.op) not in _OPERATORS or _is_large(node.op, left, right):
            return ValueError(translate("the result would be too large"))
        value = _OPERATORS[type(node.op)](left, right)
    except Exception as error:  # the error must occur at run time
        return error
    return (value,)


def _is_large(sign: ast.operator, left: Any, right: Any) -> bool:
    size = [
        v.bit_length() if isinstance(v, int) else len(v) if isinstance(v, str | bytes) else 64 for v in (left, right)
    ]
    if isinstance(sign, ast.Pow | ast.LShift):
        return isinstance(right, int) and size[0] * abs(right) > MAX_SIZE
    if isinstance(sign, ast.Mult) and not (isinstance(left, int | float) and isinstance(right, int | float)):
        return any(isinstance(n, int) and n * s > MAX_SIZE for n, s in ((left, size[1]), (right, size[0])))
    return sum(size) > MAX_SIZE


def folded(expression: ast.expr) -> ast.expr:
    """Return an expression after constant folding."""
    holder = ast.Expr(expression)
    refused: set[int] = set()
    while True:
        found = next((n for n in operations(holder) if id(n) not in refused), None)
        if found is None:
            return holder.value
        value = value_of(found)
        if isinstance(value, Exception):
            refused.add(id(found))
        else:
            replace(holder, found, ast.copy_location(ast.Constant(value[0]), found))
