"""The strings that expressions of a program compute, if the program's text determines them."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from .scope import Scope

__all__ = ["Texts"]

#: Functions that return a path to the same file or folder.
_SAME = {"os.path.abspath", "os.path.realpath", "os.path.normpath", "os.path.expanduser", "os.fspath", "str",
         "pathlib.Path", "pathlib.PurePath"}  # fmt: skip
_CONSTANTS = {"os.pardir": "..", "os.path.pardir": "..", "os.curdir": ".", "os.path.curdir": ".", "os.sep": os.sep,
              "os.path.sep": os.sep}  # fmt: skip
#: Usual names of the parsed options, in functions that receive them as an argument.
_PARSED = {"args", "opt", "opts", "options", "flags", "FLAGS"}


class Texts:
    """An evaluator of the expressions in a file whose values are strings or paths.

    Parameters
    ----------
    tree : ast.Module
        Syntax tree of the file.
    scope : Scope
        Names of the file.
    file : Path
        The value of ``__file__``.
    start : Path
        The current folder.
    """

    def __init__(self, tree: ast.Module, scope: Scope, file: Path, start: Path) -> None:
        self._scope, self._file, self._start = scope, file, start
        self._options = dict(_options(tree))
        self._parsed = _PARSED | set(_parsed_names(tree))
        values: dict[str, list[ast.expr | None]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                values.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.arg):
                values.setdefault(node.arg, []).append(None)
        stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        #: The variables to which the file assigns exactly once.
        self._values = {name: one[0] for name, one in values.items() if len(one) == 1 and stored.count(name) == 1}

    def of(self, node: ast.AST | None, depth: int = 0) -> str | None:
        """Return the string or path that an expression evaluates to, or None if the text doesn't determine it.

        Parameters
        ----------
        node : ast.AST or None
            The expression.
        depth : int
            Number of nested calls of this method.

        Returns
        -------
        str or None
            The value.
        """
        if node is None or depth > 20:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name) and node.id == "__file__":
            return str(self._file)
        if isinstance(node, ast.Name) and node.id in self._values:
            return self.of(self._values[node.id], depth + 1)
        if isinstance(node, ast.JoinedStr):
            parts = [self.of(part, depth + 1) for part in node.values]
            return None if None in parts else "".join(filter(None, parts))
        if isinstance(node, ast.FormattedValue):
            return self.of(node.value, depth + 1) if node.format_spec is None else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div)):
            left, right = self.of(node.left, depth + 1), self.of(node.right, depth + 1)
            if left is None or right is None:
                return None
            return left + right if isinstance(node.op, ast.Add) else os.path.join(left, right)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, depth + 1)
        if isinstance(node, ast.Subscript):
            return self._item(node, depth + 1)
        return self._call(node, depth + 1) if isinstance(node, ast.Call) else None

    def option(self, node: ast.AST) -> str:
        """Return the command-line option that an expression reads, if the option has no default.

        Parameters
        ----------
        node : ast.AST
            The expression.

        Returns
        -------
        str
            The option; empty if the expression reads no such option.
        """
        while isinstance(node, ast.Name) and isinstance(self._values.get(node.id), ast.Attribute):
            node = self._values[node.id] or node
        default = self._options.get(node.attr, "") if self._is_option(node) else ""  # type: ignore[union-attr]
        return default if isinstance(default, str) else ""

    def _is_option(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self._parsed

    def _attribute(self, node: ast.Attribute, depth: int) -> str | None:
        default = self._options.get(node.attr) if self._is_option(node) else None
        if isinstance(default, ast.expr):
            return self.of(default, depth)
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


def _calls(tree: ast.Module, *methods: str) -> Iterator[tuple[ast.AST, ast.Call]]:
    """Return the calls of the methods, each with its statement if the statement is an assignment."""
    for node in ast.walk(tree):
        call = node.value if isinstance(node, ast.Assign) else node
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in methods:
            yield node, call


def _options(tree: ast.Module) -> Iterator[tuple[str, ast.expr | str]]:
    """Return each command-line option with its default, or with its name if it has no default."""
    for _, node in _calls(tree, "add_argument"):
        names = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        if not names or "action" in given:
            continue
        long = next((name for name in names if name.startswith("--")), names[0])
        target, default = given.get("dest"), given.get("default")
        dest = target.value if isinstance(target, ast.Constant) else long.lstrip("-").replace("-", "_")
        has_none = default is None or (isinstance(default, ast.Constant) and default.value is None)
        yield str(dest), long if default is None or has_none else default


def _parsed_names(tree: ast.Module) -> Iterator[str]:
    """Return the variables that hold parsed options."""
    for node, _ in _calls(tree, "parse_args", "parse_known_args"):
        for target in node.targets if isinstance(node, ast.Assign) else []:
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            yield from (part.id for part in parts[:1] if isinstance(part, ast.Name))
