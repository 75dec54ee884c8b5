"""The names that a program defines, read from its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable

__all__ = ["defined_names"]


def defined_names(nodes: Iterable[ast.AST]) -> set[str]:
    r"""Return the names that statements define, including those inside functions.

    Parameters of functions are left out, and so are the names of ``except`` clauses, which Python deletes at their end.

    Parameters
    ----------
    nodes : iterable of ast.AST
        Statements, or a whole module.

    Returns
    -------
    set of str
        The names. ``*`` among them means that an import brings names that the text doesn't list.

    Examples
    --------
    >>> tree = ast.parse("import a.b\nfrom c import *\ndef f(x):\n    for y in x: pass\n")
    >>> sorted(defined_names([tree]))
    ['*', 'a', 'f', 'y']
    """
    names: set[str] = set()
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names.add(other or name.partition(".")[0])
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.add(name)
            case ast.MatchMapping(rest=str(name)):
                names.add(name)
            case _:
                pass
    return names
