"""The folders that a program adds to Python's search path, if its text shows them."""

from __future__ import annotations

import ast
import os
from collections.abc import Sequence
from pathlib import Path

from .scope import Scope
from .texts import Texts

__all__ = ["added_folders"]


def added_folders(tree: ast.Module, file: Path, starts: Sequence[Path]) -> list[Path] | None:
    r"""Return the folders that a file adds to ``sys.path``, or None if the text doesn't show all of them.

    Parameters
    ----------
    tree : ast.Module
        The parsed file.
    file : Path
        Absolute path of the file, the value of ``__file__``.
    starts : sequence of Path
        Folders in which the program may be started, most likely first.

    Returns
    -------
    list of Path, or None
        The folders.

    Examples
    --------
    >>> text = "import sys, os\nsys.path.append(os.path.join(os.path.dirname(__file__), '..', 'lib'))"
    >>> added_folders(ast.parse(text), Path("/project/tools/show.py"), [Path("/project")]) == [Path("/project/lib")]
    True
    >>> added_folders(ast.parse("import sys\nsys.path.append(input())"), Path("/a.py"), [Path("/")]) is None
    True
    """
    scope = Scope(tree)
    texts = Texts(tree, scope, file, starts[0])
    found: list[Path] = []
    for node in _additions(tree, scope):
        text = texts.of(node)
        if text is None:
            return None
        found += [Path(os.path.normpath(start / text)) for start in starts]
    return list(dict.fromkeys(found))


def _additions(tree: ast.Module, scope: Scope) -> list[ast.expr]:
    """Return the expressions that a file adds to ``sys.path``."""
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and scope.dotted(node.func.value) == "sys.path":
                found += _arguments(node, node.func.attr)
            elif scope.dotted(node.func) == "site.addsitedir":
                found += node.args[:1]
        elif isinstance(node, ast.AugAssign) and scope.dotted(node.target) == "sys.path":
            found += _elements(node.value)
        elif isinstance(node, ast.Assign) and any(scope.dotted(t) == "sys.path" for t in _whole(node.targets)):
            found += [part for part in _elements(node.value) if scope.dotted(part) != "sys.path"]
    return found


def _arguments(node: ast.Call, method: str) -> list[ast.expr]:
    if method == "append":
        return node.args[:1]
    if method == "insert":
        return node.args[1:2]
    return _elements(node.args[0]) if method == "extend" and node.args else []


def _whole(targets: list[ast.expr]) -> list[ast.expr]:
    """Return targets of an assignment, with a slice or an item replaced by its list."""
    return [target.value if isinstance(target, ast.Subscript) else target for target in targets]


def _elements(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, (ast.List, ast.Tuple)):
        return list(node.elts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_elements(node.left), *_elements(node.right)]
    return [node]
