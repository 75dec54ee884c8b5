"""The meanings of names that a program's text determines: modules of imported names, and libraries of values."""

from __future__ import annotations

import ast
import builtins

from .facts import MXNET, names_of_star

__all__ = ["Scope", "main_guard", "root"]

_BUILTIN_TYPES = {"str", "list", "dict", "set", "tuple", "bytes", "open", "range", "sorted", "zip", "map", "filter"}


def root(dotted: str) -> str:
    """Return the first part of a dotted name.

    Parameters
    ----------
    dotted : str
        The name.

    Returns
    -------
    str
        The first part.
    """
    return dotted.partition(".")[0]


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def main_guard(test: ast.expr) -> bool:
    """Return whether a condition reads ``__name__``, such as ``__name__ == "__main__"``.

    Parameters
    ----------
    test : ast.expr
        The condition.

    Returns
    -------
    bool
        Whether the condition is a main guard.
    """
    return "__name__" in {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}


class Scope:
    r"""The names of a file, and the libraries to which they refer.

    One table covers the whole file, because old programs import at the top and seldom use a name with two meanings.

    Parameters
    ----------
    tree : ast.Module
        Syntax tree of the file.

    Attributes
    ----------
    imported : dict of str to str
        The dotted path of each imported name.
    bound : set of str
        Names that statements other than imports bind.
    values : dict of str to str
        The library that created the value of each variable.
    takes_all : bool
        Whether names may come from unknown sources: ``from module import *``, ``exec``, ``globals()``.

    Examples
    --------
    >>> scope = Scope(ast.parse("from mxnet import nd as F\nx = F.ones(3)"))
    >>> scope.dotted(ast.parse("F.relu", mode="eval").body), scope.values
    ('mxnet.nd.relu', {'x': 'mxnet'})
    """

    def __init__(self, tree: ast.Module) -> None:
        self.imported: dict[str, str] = {}
        self.bound: set[str] = set()
        self._also: set[str] = set()
        self.values: dict[str, str] = {}
        self.takes_all = any(
            (isinstance(node, ast.ImportFrom) and node.names[0].name == "*")
            or (isinstance(node, ast.Name) and node.id in ("exec", "globals", "locals", "execfile"))
            for node in ast.walk(tree)
        )
        self._imports(tree)
        self._bindings(tree)
        self._other_names(tree)
        self._values(tree)

    def _imports(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.asname or root(alias.name)
                    self.imported.setdefault(name, alias.name if alias.asname else root(alias.name))
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                for alias in node.names:
                    if alias.name != "*":
                        self.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                    elif root(node.module) in MXNET:
                        for name in names_of_star(node.module):
                            self.imported.setdefault(name, f"{node.module}.{name}")

    def _bindings(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                self.bound.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.bound.add(node.name)
            elif isinstance(node, ast.arg):
                self.bound.add(node.arg)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                self.bound.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):  # of the program's own modules
                self._also.update(alias.asname or root(alias.name) for alias in node.names)
            elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
                self.bound.add(node.name)

    def _other_names(self, tree: ast.Module) -> None:
        """Treat ``vision = gluon.data.vision`` as an import if the name has no other value anywhere."""
        given: dict[str, set[str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                leads = self.dotted(node.value) if isinstance(node.value, ast.Attribute) else ""
                given.setdefault(node.targets[0].id, set()).add(leads)
        stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        assigned = [_name_of(node) for n in ast.walk(tree) if isinstance(n, ast.Assign) for node in n.targets]
        others = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
        for name, leads in given.items():
            alone = len(leads) == 1 and "" not in leads and name not in others and name not in self.imported
            if alone and stored.count(name) == assigned.count(name):
                self.imported[name] = next(iter(leads))
                self.bound.discard(name)

    def _values(self, tree: ast.Module) -> None:
        many: dict[str, set[str]] = {}
        assignments = [node for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.For, ast.withitem))]
        for _ in range(2):  # values that libraries' values return belong to the library
            for node in assignments:
                if isinstance(node, ast.Assign):
                    targets, value = node.targets, node.value
                elif isinstance(node, ast.For):
                    targets, value = [node.target], node.iter
                else:
                    targets, value = [node.optional_vars] if node.optional_vars else [], node.context_expr
                library = self.library(value)
                for target in targets:
                    names = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
                    for name in names:
                        if isinstance(name, ast.Name):
                            many.setdefault(name.id, set()).add(library)
            self.values = {n: next(iter(k)) for n, k in many.items() if len(k) == 1 and k != {""}}

    def knows(self, name: str) -> bool:
        """Return whether the file binds a name.

        Parameters
        ----------
        name : str
            The name.

        Returns
        -------
        bool
            Whether a statement binds the name.
        """
        return name in self.imported or name in self.bound or name in self._also

    def dotted(self, node: ast.AST) -> str:
        """Return the full name of an expression that refers to an imported or built-in name.

        Parameters
        ----------
        node : ast.AST
            The expression.

        Returns
        -------
        str
            The full name; empty for other expressions.
        """
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        if node.id in self.imported and node.id not in self.bound:
            return ".".join([self.imported[node.id], *reversed(parts)])
        if not parts and node.id not in self.bound and node.id not in self.imported:
            return node.id if hasattr(builtins, node.id) else ""
        return ""

    def library(self, node: ast.AST) -> str:
        """Return the name of the library that created the value of an expression.

        Parameters
        ----------
        node : ast.AST
            The expression.

        Returns
        -------
        str
            Name of the library; empty if it is unknown.
        """
        if isinstance(node, (ast.Constant, ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.JoinedStr)):
            return "builtins"
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr == "asnumpy":
                return "numpy"
            name = self.dotted(node.func)
            if name in _BUILTIN_TYPES:
                return "builtins"
            return root(name) if name else self.library(node.func)
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            name = self.dotted(node)
            return root(name) if name else self.library(node.value)
        if isinstance(node, ast.BinOp):
            return self.library(node.left) or self.library(node.right)
        if isinstance(node, ast.Name):
            if node.id in self.imported and node.id not in self.bound:
                return root(self.imported[node.id])
            return self.values.get(node.id, "")
        return ""
