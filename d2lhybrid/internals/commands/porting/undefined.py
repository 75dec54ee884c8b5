"""Names that a program uses but does not define, which are mistakes that linters also find."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator, Sequence

from ..defined_names import defined_names

__all__ = ["before_their_definition", "in_no_reachable_scope", "of_the_module"]


def in_no_reachable_scope(text: str, known: set[str]) -> dict[str, set[str]]:
    r"""Return the names that a file and its functions read, and that no enclosing scope defines.

    Parameters
    ----------
    text : str
        The program.
    known : set of str
        Additional names that exist.

    Returns
    -------
    dict of str to set of str
        By name, the functions that read the name. An empty string represents the file itself.

    Examples
    --------
    >>> in_no_reachable_scope("def f():\n    x = 1\ndef g():\n    return x\n", set())
    {'x': {'g'}}
    """
    try:
        table = symtable.symtable(text, "program", "exec")
    except (SyntaxError, ValueError, RecursionError):  # valid for the parser, and refused later
        return {}
    scopes = _all_scopes(table)
    defined = _defined_globally(scopes)
    found: dict[str, set[str]] = {}
    for scope in scopes:
        for symbol in scope.get_symbols():
            name = symbol.get_name()
            is_open = symbol.is_global() or (scope is table and not symbol.is_assigned() and not symbol.is_imported())
            if symbol.is_referenced() and is_open and name not in defined | known and not hasattr(builtins, name):
                found.setdefault(name, set()).add("" if scope is table else scope.get_name())
    return found


def of_the_module(text: str) -> set[str] | None:
    r"""Return the names that a module defines for files that import it; None if the text doesn't show all of them.

    Parameters
    ----------
    text : str
        The module.

    Examples
    --------
    >>> sorted(of_the_module("import os\ndef f():\n    global x\n    x = y = 1\n"))
    ['f', 'os', 'x']
    >>> of_the_module("def __getattr__(name): ...")
    """
    try:
        table = symtable.symtable(text, "module", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return None
    defined = _defined_globally(_all_scopes(table))
    return None if "__getattr__" in defined or "sys.modules" in text else defined


def _all_scopes(table: symtable.SymbolTable) -> list[symtable.SymbolTable]:
    """Return the scope of a file, and those of its functions and classes."""
    scopes = [table]
    for scope in scopes:
        scopes += scope.get_children()
    return scopes


def _defined_globally(scopes: Sequence[symtable.SymbolTable]) -> set[str]:
    """Return the names that a file defines outside functions and classes, and as global names inside these."""
    table = scopes[0]
    defined = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    for scope in scopes[1:]:
        defined |= {s.get_name() for s in scope.get_symbols() if s.is_declared_global() and s.is_assigned()}
    # Since Python 3.14, the annotations of a file have a scope of their own, "__annotate__".
    return defined | {child.get_name() for child in table.get_children() if child.get_type() != "annotation"}


def before_their_definition(tree: ast.Module) -> Iterator[ast.Name]:
    r"""Yield the names that top-level lines of a file read, and that only later lines define.

    In the body of a loop, this applies to the first iteration.

    Parameters
    ----------
    tree : ast.Module
        The parsed program.

    Yields
    ------
    ast.Name
        A node that reads such a name.

    Examples
    --------
    >>> [node.id for node in before_their_definition(ast.parse("print(x)\nx = 1\nprint(x)"))]
    ['x']
    >>> [node.id for node in before_their_definition(ast.parse("for x in 'ab':\n    n = n + 1"))]
    ['n']
    """
    by_functions = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    yield from _too_early(tree.body, _defined_at_once(tree.body) - by_functions, set())


def _too_early(body: Sequence[ast.stmt], later: set[str], so_far: set[str]) -> Iterator[ast.Name]:
    """Return the names that statements read before any statement defines them.

    Parameters
    ----------
    body : sequence of ast.stmt
        The statements, in the order in which they run for the first time.
    later : set of str
        The names that the file defines somewhere.
    so_far : set of str
        The names that earlier lines define; the function adds those of the statements.
    """
    for statement in body:
        before = set(so_far)
        so_far |= _defined_at_once([statement])
        reads = list(_read_at_once(statement))
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            reads.append(statement.target)
        there = before if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr)) else so_far
        for node in reads:
            if node.id in later and node.id not in there and not hasattr(builtins, node.id):
                yield node
        if isinstance(statement, (ast.For, ast.While, ast.With)):
            yield from _too_early(statement.body, later, before | _defined_at_once(_heading(statement)))


def _heading(statement: ast.For | ast.While | ast.With) -> list[ast.AST]:
    """Return the parts of a block that run before its body."""
    if isinstance(statement, ast.For):
        return [statement.target, statement.iter]
    return [statement.test] if isinstance(statement, ast.While) else [*statement.items]


def _defined_at_once(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that statements define when they run, without the names inside functions and classes."""
    names: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Name, ast.alias, ast.pattern)):
            names |= defined_names([node])
        elif not isinstance(node, (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            waiting += ast.iter_child_nodes(node)
    return names


def _read_at_once(statement: ast.AST) -> Iterator[ast.Name]:
    """Return the names that a statement reads when it runs, without the bodies of functions and conditions."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
        elif isinstance(node, (ast.If, ast.IfExp)):
            waiting.append(node.test)
        elif isinstance(node, ast.BoolOp):  # Python may skip the values after the first
            waiting.append(node.values[0])
        elif isinstance(node, ast.Try):
            waiting += [] if node.handlers else node.body
        elif isinstance(node, (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.ClassDef)):
            continue
        else:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield node
            waiting += ast.iter_child_nodes(node)
