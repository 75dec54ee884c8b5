"""Rewriting of a program in a string: inlining of functions, and constant folding.

The lesson says that ``print(fancy_func(1, 2, 3, 4))`` can become ``print((1 + 2) + (3 + 4))``, and then
``print(10)``. This module rewrites any program in this way, on syntax trees. It keeps code that it cannot rewrite
safely, and reports the reason.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..support.display import Shown
from ..support.words import translate
from .text_folding import NegativeNumbers, folded, operations, replace, value_of

__all__ = ["Rewrite", "Rewriter", "to_text"]

#: The maximum number of nodes in an inlined expression, and of nodes that inlining adds to a program.
MAX_NODES = 400

_PURE = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp)


@dataclass(repr=False)
class Rewrite(Shown):
    """One rewriting of a program in a string.

    Attributes
    ----------
    kind : str
        ``"inlined"``, ``"propagated"``, ``"folded"``, ``"removed"``, or ``"kept"`` if the code was
        not rewritten.
    text : str
        Sentence about the rewriting, or the reason for keeping the code.
    line : int
        Line of the original program.
    old, new : ast.AST or None
        The replaced node, and its replacement.
    program : ast.Module
        Program after the rewriting.
    """

    kind: str
    text: str
    line: int
    old: Any
    new: Any
    program: ast.Module


# --- source ----------------------------------------------------------------------------------------------


def to_text(node: ast.AST) -> str:
    """Return the source of a node, with parentheses around every nested operation.

    Examples
    --------
    >>> to_text(ast.parse("print((1 + 2) + (3 + 4))"))
    'print((1 + 2) + (3 + 4))'
    """
    if isinstance(node, ast.Module):
        return "\n".join(map(to_text, node.body))
    if isinstance(node, ast.Expr):
        return to_text(node.value)
    if isinstance(node, ast.Assign) and all(isinstance(t, ast.Name) for t in node.targets):
        return "".join(f"{to_text(t)} = " for t in node.targets) + to_text(node.value)
    if isinstance(node, ast.BinOp):
        sign = ast.unparse(ast.BinOp(ast.Name("a"), node.op, ast.Name("b")))[2:-2]
        return f"{_inside(node.left)} {sign} {_inside(node.right)}"
    if isinstance(node, ast.Call) and not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args):
        return f"{to_text(node.func)}({', '.join(map(to_text, node.args))})"
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node)))


def _inside(node: ast.AST) -> str:
    negative = isinstance(node, ast.Constant) and str(node.value).startswith("-")
    plain = isinstance(node, ast.Constant | ast.Name | ast.Call | ast.Subscript | ast.Attribute) and not negative
    return to_text(node) if plain else f"({to_text(node)})"


# --- rewriting -------------------------------------------------------------------------------------------


class Rewriter:
    """A rewriter of one program in a string.

    Parameters
    ----------
    text : str
        Source of the program.

    Raises
    ------
    SyntaxError
        If the source is invalid.
    """

    def __init__(self, text: str) -> None:
        self.program: ast.Module = NegativeNumbers().visit(ast.parse(text))
        self._count = itertools.count()
        #: The program before the first rewriting.
        self.start: ast.Module = self._copied()
        self.functions: dict[str, ast.FunctionDef] = {}
        #: Name of a function -> reason why the function is not inlined.
        self.reasons: dict[str, str] = {}
        self._find_functions()

    def run(self) -> Iterator[Rewrite]:
        """Rewrite the program, and yield each rewriting."""
        for name, reason in self.reasons.items():
            line = next((s.lineno for s in self.program.body if getattr(s, "name", None) == name), 0)
            yield self._kept(translate("{name} is left as it is: {reason}.", name=name, reason=reason), line)
        yield from self._inline()
        yield from self._remove_unused()
        yield from self._fold()

    def _copied(self) -> ast.Module:
        """Return a copy of the current program; nodes are numbered, and copies and rewritings keep the numbers."""
        seen: set[int] = set()
        for node in ast.walk(self.program):
            if isinstance(node, ast.expr):
                number = getattr(node, "number", None)
                if number is None or number in seen:
                    number = next(self._count)
                    node.number = number  # type: ignore[attr-defined]
                seen.add(number)
        return copy.deepcopy(self.program)

    def _kept(self, text: str, line: int) -> Rewrite:
        return Rewrite("kept", text, line, None, None, self._copied())

    # --- inlinable functions ---

    def _find_functions(self) -> None:
        """Find the functions that can be inlined, because they only compute."""
        bound = list(_bindings(self.program))
        defined = [s for s in self.program.body if isinstance(s, ast.FunctionDef)]
        candidates: dict[str, ast.FunctionDef] = {}
        for function in defined:
            reason = _obstacle(function)
            if bound.count(function.name) > 1:
                reason = translate("the name means more than one thing in this program")
            if reason:
                self.reasons[function.name] = reason
            else:
                candidates[function.name] = function
        while True:  # a function can be inlined if all functions that it calls can be; this excludes recursion
            good = [n for n, f in candidates.items() if n not in self.functions and set(_calls(f)) <= {*self.functions}]
            if not good:
                break
            self.functions.update({n: candidates[n] for n in good})
        for name, function in candidates.items():
            if name not in self.functions:
                others = [c for c in dict.fromkeys(_calls(function)) if c not in self.functions]
                itself = translate("it calls itself")
                other = translate("it calls {names}, which may do more than compute", names=", ".join(others))
                self.reasons[name] = itself if name in others else other

    # --- inlining ---

    def _inline(self) -> Iterator[Rewrite]:
        """Replace calls, outermost first, until no more calls can be replaced."""
        largest = _size(self.program) + MAX_NODES
        defined: set[str] = set()
        known: dict[str, ast.Constant] = {}
        bound = list(_bindings(self.program))
        for statement in self.program.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                defined.add(statement.name)
                continue
            yield from self._propagate(statement, known)
            refused: set[int] = set()
            while True:
                call = next((c for c in _program_calls(statement, self.functions) if id(c) not in refused), None)
                if call is None:
                    break
                name = call.func.id  # type: ignore[attr-defined]
                new = _expansion(self.functions[name], call, set(self.functions)) if name in defined else translate(
                    "{name} is not defined yet", name=name)  # fmt: skip
                if not isinstance(new, str) and _size(self.program) - _size(call) + _size(new) > largest:
                    new = translate("the text would become too long")
                if isinstance(new, str):
                    refused.add(id(call))
                    text = translate("{call} stays: {reason}.", call=to_text(call), reason=new)
                    yield self._kept(text, call.lineno)
                    continue
                replace(statement, call, new)
                text = translate("{call} becomes {new}.", call=to_text(call), new=to_text(new))
                yield Rewrite("inlined", text, call.lineno, call, new, self._copied())
            target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
            if isinstance(target, ast.Name) and bound.count(target.id) == 1:
                value = folded(copy.deepcopy(statement.value))  # type: ignore[union-attr]
                if isinstance(value, ast.Constant):
                    known[target.id] = value

    def _propagate(self, statement: ast.stmt, known: dict[str, ast.Constant]) -> Iterator[Rewrite]:
        """Replace each name that is bound to a single constant with the constant."""
        for node in list(ast.walk(statement)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in known:
                new = ast.copy_location(ast.Constant(known[node.id].value), node)
                replace(statement, node, new)
                text = translate("{name} is always {value} here.", name=node.id, value=to_text(new))
                yield Rewrite("propagated", text, node.lineno, node, new, self._copied())

    def _remove_unused(self) -> Iterator[Rewrite]:
        while True:
            for function in self.program.body:
                if isinstance(function, ast.FunctionDef) and function.name in self.functions:
                    others = [s for s in self.program.body if s is not function]
                    used = {n.id for s in others for n in ast.walk(s) if isinstance(n, ast.Name)}
                    if function.name not in used:
                        break
            else:
                return
            if len(self.program.body) == 1:
                return  # a program with only a definition is meant to be imported
            self.program.body.remove(function)
            text = translate("{name} is no longer called, so its definition is removed.", name=function.name)
            yield Rewrite("removed", text, function.lineno, None, None, self._copied())

    # --- folding ---

    def _fold(self) -> Iterator[Rewrite]:
        """Compute operations on constants, innermost first."""
        refused: set[int] = set()
        while True:
            found = next((n for n in operations(self.program) if id(n) not in refused), None)
            if found is None:
                return
            value = value_of(found)
            line = getattr(found, "lineno", 0)
            if isinstance(value, Exception):
                refused.add(id(found))
                text = translate("{old} stays: {error}.", old=to_text(found), error=f"{type(value).__name__}: {value}")
                yield self._kept(text, line)
                continue
            new = ast.copy_location(ast.Constant(value[0]), found)
            replace(self.program, found, new)
            text = translate("{old} is {value}: computed now, once.", old=to_text(found), value=to_text(new))
            yield Rewrite("folded", text, line, found, new, self._copied())


def _size(tree: ast.AST) -> int:
    """Return the number of nodes in a tree."""
    return sum(1 for _ in ast.walk(tree))


def _bindings(tree: ast.AST) -> Iterator[str]:
    """Yield a name for every binding, except for local names of functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
            for inner in ast.walk(node):
                if isinstance(inner, ast.Global | ast.Nonlocal):
                    yield from inner.names
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        yield from _bindings(node)


def _calls(function: ast.FunctionDef) -> list[str]:
    return [n.func.id for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]


def _body(function: ast.FunctionDef) -> list[ast.stmt]:
    """Return the statements of a function without its docstring."""
    first = function.body[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1:] if text else function.body


def _obstacle(function: ast.FunctionDef) -> str:
    """Return the reason why a function cannot be inlined, or ``""`` if the function can be inlined."""
    arguments = function.args
    if function.decorator_list:
        return translate("it is decorated")
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        return translate("it takes more than plain arguments")
    if any(not isinstance(d, ast.Constant) for d in arguments.defaults):
        return translate("the default of an argument is computed")
    body = _body(function)
    if not body or not isinstance(body[-1], ast.Return) or body[-1].value is None:
        return translate("it does not end with the return of a value")
    known = {a.arg for a in arguments.args}
    for statement in body:
        if isinstance(statement, ast.Return):
            if statement is not body[-1]:
                return translate("it returns in more than one place")
        elif not (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
        ):
            kind = type(statement).__name__
            return translate(
                "line {line} contains a statement ({kind}) other than `name = ...`", line=statement.lineno, kind=kind
            )
        reason = _impurity(statement.value, known)  # type: ignore[union-attr, arg-type]
        if reason:
            return reason
        if isinstance(statement, ast.Assign):
            known.add(statement.targets[0].id)  # type: ignore[attr-defined]
    return ""


def _impurity(expression: ast.AST, known: set[str]) -> str:
    """Return the reason why an expression is more than arithmetic on known names; ``""`` for plain arithmetic."""
    for node in ast.walk(expression):
        if isinstance(node, ast.Call):
            if not isinstance(node.func, ast.Name) or any(isinstance(a, ast.Starred) for a in node.args):
                return translate("{piece} is not a call of a function by its name", piece=to_text(node))
            if node.func.id in known:
                return translate("it calls its argument {name}", name=node.func.id)
    called = {id(n.func) for n in ast.walk(expression) if isinstance(n, ast.Call)}
    for node in ast.walk(expression):
        if isinstance(node, ast.Name) and id(node) not in called and node.id not in known:
            return translate("it uses {name} from outside", name=node.id)
        if isinstance(node, ast.expr) and not isinstance(node, (*_PURE, ast.Name, ast.Constant, ast.Call)):
            return translate("{piece} is more than arithmetic", piece=to_text(node))
    return ""


def _program_calls(tree: ast.AST, functions: dict[str, ast.FunctionDef]) -> Iterator[ast.Call]:
    """Yield the calls of functions in the program, outermost first."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
            yield node
        yield from _program_calls(node, functions)


def _expansion(function: ast.FunctionDef, call: ast.Call, functions: set[str]) -> ast.expr | str:
    """Return the expression that replaces a call, or the reason why the call is kept."""
    names = [a.arg for a in function.args.args]
    given = dict(zip(names, call.args, strict=False))
    if len(call.args) > len(names) or any(k.arg is None or k.arg in given or k.arg not in names for k in call.keywords):
        return translate("the arguments do not match the parameters")
    given |= {k.arg: k.value for k in call.keywords if k.arg}
    defaults = dict(zip(names[len(names) - len(function.args.defaults) :], function.args.defaults, strict=True))
    given = {**defaults, **given}
    if set(given) != set(names):
        return translate("the arguments do not match the parameters")
    for name in names:
        reason = _doubt(given[name], functions)
        if reason:
            return reason
    values = {name: _Value(name, expression) for name, expression in given.items()}
    every = list(values.values())
    for statement in _body(function):
        text = _substituted(statement.value, values)  # type: ignore[union-attr, arg-type]
        if _size(text) > MAX_NODES:
            return translate("the text would become too long")
        if isinstance(statement, ast.Return):
            reason = next(filter(None, (v.reason(functions) for v in every)), "")
            return reason or text
        name = statement.targets[0].id  # type: ignore[attr-defined]
        values[name] = _Value(name, text)
        every.append(values[name])
    raise AssertionError("an inlined function must end with a return")


@dataclass(repr=False)
class _Value(Shown):
    """The value of a name between two assignments, the number of its uses, and whether it is certainly used."""

    name: str
    expression: ast.expr
    uses: int = 0
    sure: int = 0

    def reason(self, functions: set[str]) -> str:
        """Return the reason why the expression can't replace the name, or ``""`` if there is no reason."""
        if isinstance(self.expression, ast.Name | ast.Constant):
            return ""
        if not self.sure:  # moving it could hide an error
            piece = to_text(self.expression)
            if self.uses:
                return translate(
                    "{name} is not always used, and {piece} may raise an error", name=self.name, piece=piece
                )
            return translate(
                "{name} is not used, and leaving out {piece} could hide an error", name=self.name, piece=piece
            )
        constant = all(not isinstance(n, ast.Name) or n.id in functions for n in ast.walk(self.expression))
        if self.uses > 1 and not constant:
            return translate("{name} would be computed {count} times", name=self.name, count=self.uses)
        return ""


def _doubt(argument: ast.expr, functions: set[str]) -> str:
    """Return the reason why an argument cannot move into the function's body, or ``""`` if there is no reason."""
    for node in ast.walk(argument):
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in functions):
            return translate("{piece} may do more than compute", piece=to_text(node))
        if isinstance(node, ast.expr) and not isinstance(node, (*_PURE, ast.Name, ast.Constant, ast.Call)):
            return translate("{piece} is more than arithmetic", piece=to_text(node))
    return ""


class _Substitution(ast.NodeTransformer):
    """A transformer that replaces names with expressions, and counts the uses."""

    def __init__(self, values: dict[str, _Value]) -> None:
        self.values, self.sure = values, True

    def _perhaps(self, node: ast.expr) -> ast.expr:
        """Visit an operand that Python does not always evaluate."""
        before, self.sure = self.sure, False
        try:
            return self.visit(node)
        finally:
            self.sure = before

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Visit the condition, which Python always evaluates, and both branches."""
        node.test = self.visit(node.test)
        node.body, node.orelse = self._perhaps(node.body), self._perhaps(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Visit the first operand, which Python always evaluates, and the other operands."""
        node.values = [self.visit(node.values[0]), *map(self._perhaps, node.values[1:])]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Visit the first two operands, which Python always evaluates, and the other operands."""
        node.left = self.visit(node.left)
        node.comparators = [self.visit(node.comparators[0]), *map(self._perhaps, node.comparators[1:])]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Visit only the arguments, because the function's name is not a variable."""
        node.args = [self.visit(a) for a in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Return the expression that replaces the name."""
        value = self.values.get(node.id)
        if value is None:
            return node
        value.uses += 1
        value.sure += self.sure
        return copy.deepcopy(value.expression)


def _substituted(expression: ast.expr, values: dict[str, _Value]) -> ast.expr:
    """Return an expression with names replaced; the values count the uses."""
    return _Substitution(values).visit(copy.deepcopy(expression))
