"""The folders that a program adds to Python's search path, as far as its text shows them."""

from __future__ import annotations

import ast
import os
from collections.abc import Sequence
from pathlib import Path

from .scope import Scope

__all__ = ["added_folders"]

#: Functions of a path that leave its place unchanged.
_SAME = {"os.path.abspath", "os.path.realpath", "os.path.normpath", "os.path.expanduser", "os.fspath", "str",
         "pathlib.Path", "pathlib.PurePath"}  # fmt: skip
_CONSTANTS = {"os.pardir": "..", "os.path.pardir": "..", "os.curdir": ".", "os.path.curdir": ".", "os.sep": os.sep,
              "os.path.sep": os.sep}  # fmt: skip


def added_folders(tree: ast.Module, file: Path, starts: Sequence[Path]) -> list[Path] | None:
    r"""Return the folders that a file adds to ``sys.path``, or None if the text doesn't show one of them.

    Parameters
    ----------
    tree : ast.Module
        The parsed file.
    file : Path
        Its absolute path, the value of ``__file__``.
    starts : sequence of Path
        The folders in which the program may be started, the likeliest first.

    Examples
    --------
    >>> text = "import sys, os\nsys.path.append(os.path.join(os.path.dirname(__file__), '..', 'lib'))"
    >>> added_folders(ast.parse(text), Path("/project/tools/show.py"), [Path("/project")]) == [Path("/project/lib")]
    True
    >>> added_folders(ast.parse("import sys\nsys.path.append(input())"), Path("/a.py"), [Path("/")]) is None
    True
    """
    scope = Scope(tree)
    texts = _Texts(tree, scope, file, starts[0])
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


class _Texts:
    """The values of expressions that are texts or paths.

    Parameters
    ----------
    tree : ast.Module
        The file.
    scope : Scope
        Its names.
    file : Path
        The value of ``__file__``.
    start : Path
        The current folder.
    """

    def __init__(self, tree: ast.Module, scope: Scope, file: Path, start: Path) -> None:
        self._scope, self._file, self._start = scope, file, start
        values: dict[str, list[ast.expr | None]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                values.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.arg):
                values.setdefault(node.arg, []).append(None)
        stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        #: The variables that the file gives a value exactly once.
        self._values = {name: one[0] for name, one in values.items() if len(one) == 1 and stored.count(name) == 1}

    def of(self, node: ast.AST | None, depth: int = 0) -> str | None:
        """Return the value of an expression, or None if the text doesn't show it."""
        if node is None or depth > 20:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name) and node.id == "__file__":
            return str(self._file)
        if isinstance(node, ast.Name) and node.id in self._values:
            return self.of(self._values[node.id], depth + 1)
        if isinstance(node, ast.BinOp):
            left, right = self.of(node.left, depth + 1), self.of(node.right, depth + 1)
            if left is None or right is None:
                return None
            return left + right if isinstance(node.op, ast.Add) else os.path.join(left, right)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, depth + 1)
        if isinstance(node, ast.Subscript):
            return self._item(node, depth + 1)
        return self._call(node, depth + 1) if isinstance(node, ast.Call) else None

    def _attribute(self, node: ast.Attribute, depth: int) -> str | None:
        constant = _CONSTANTS.get(self._scope.dotted(node))
        if constant is not None:
            return constant
        value = self.of(node.value, depth) if node.attr == "parent" else None
        return None if value is None else os.path.dirname(value)

    def _item(self, node: ast.Subscript, depth: int) -> str | None:
        """Return the value of ``os.path.split(x)[0]``, ``path.parents[1]``, and ``sys.path[0]``."""
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(index, int) or index < 0:
            return None
        if self._scope.dotted(node.value) == "sys.path" and index == 0:
            return str(self._start)
        if isinstance(node.value, ast.Call) and self._scope.dotted(node.value.func) == "os.path.split" and index < 2:
            value = self.of(node.value.args[0], depth) if node.value.args else None
            return None if value is None else os.path.split(value)[index]
        if isinstance(node.value, ast.Attribute) and node.value.attr == "parents":
            value = self.of(node.value.value, depth)
            for _ in range(index + 1):
                value = None if value is None else os.path.dirname(value)
            return value
        return None

    def _call(self, node: ast.Call, depth: int) -> str | None:
        name = self._scope.dotted(node.func)
        if name in ("os.getcwd", "pathlib.Path.cwd"):
            return str(self._start)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("resolve", "absolute", "as_posix"):
            return self.of(node.func.value, depth)
        values = [self.of(argument, depth) for argument in node.args]
        known = [value for value in values if value is not None]
        if not known or len(known) < len(values):
            return None
        if name == "os.path.join" or (name in _SAME and len(known) > 1):
            return os.path.join(*known)
        if name == "os.path.dirname":
            return os.path.dirname(known[0])
        return known[0] if name in _SAME else None
