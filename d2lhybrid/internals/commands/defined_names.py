"""The names that a program defines, read from its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

__all__ = ["bound_by", "defined_names"]


def defined_names(nodes: Iterable[ast.AST]) -> set[str]:
    r"""Return the names that statements define, including the statements inside functions.

    The result contains neither the parameters of functions nor the names of ``except`` clauses, which Python deletes at
    the end of the clause.

    Parameters
    ----------
    nodes : iterable of ast.AST
        Statements, or a whole module.

    Returns
    -------
    set of str
        The names. The set contains ``*`` if an import binds names that the text doesn't list.

    Examples
    --------
    >>> tree = ast.parse("import a.b\nfrom c import *\ndef f(x):\n    for y in x: pass\n")
    >>> sorted(defined_names([tree]))
    ['*', 'a', 'f', 'y']
    """
    return {name for outer in nodes for node in ast.walk(outer) for name in bound_by(node)}


def bound_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that one node of a syntax tree binds, without the names that its children bind.

    Parameters
    ----------
    node : ast.AST
        The node.

    Yields
    ------
    str
        A name.
    """
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            pass
