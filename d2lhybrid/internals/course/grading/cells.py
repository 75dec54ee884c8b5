"""The cells of a submitted notebook, which may have any encoding, large outputs, and damaged cells."""

from __future__ import annotations

import ast
import builtins
import functools
import json
import re
import symtable
import types
from collections import Counter
from dataclasses import dataclass
from typing import Any

from .magics import without_magics

__all__ = ["Cell", "TooLarge", "cells_of", "without_outputs"]

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]]', re.DOTALL)
_DEFINITION = re.compile(r"^(?:def|class)\s+(\w+)|^(\w+)\s*=(?!=)", re.MULTILINE)
_CHECK = re.compile(r"""\bex\(\s*["']?(\d\d\.\d+)["']?\s*\)\s*\.\s*check\(""")
_HEADING = re.compile(r"^#{1,6}\s.*?(?<![\d.])(\d\d\.\d+)(?![\d.]*\d)", re.MULTILINE)


def _builtin_names() -> set[str]:
    """Return the built-in names of Python, without the names that IPython adds."""
    added = types.FunctionType | types.MethodType
    return {name for name, value in vars(builtins).items() if not isinstance(value, added)}


class TooLarge(Exception):
    """An error about a notebook that is too large to have been typed by a person."""


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook.

    Attributes
    ----------
    kind : str
        Type of the cell: ``"code"``, ``"markdown"``, or ``"raw"``.
    text : str
        Content of the cell.
    label : str
        Identifier of the cell for programs: nbgrader's name, or the cell's id.
    """

    kind: str
    text: str
    label: str = ""

    @functools.cached_property
    def source(self) -> str:
        """The Python program in the cell; empty for a cell that is not code."""
        return without_magics(self.text) if self.kind == "code" else ""

    @functools.cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree of the program, or None if the program is invalid."""
        try:
            return ast.parse(self.source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @functools.cached_property
    def definitions(self) -> Counter[str]:
        """The names that the cell defines, except by imports, and the number of definitions of each."""
        if self.tree is None:
            return Counter(a or b for a, b in _DEFINITION.findall(self.source))
        found: Counter[str] = Counter()
        for node in _outer(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found[node.name] += 1
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] += 1
        return found

    @property
    def defines(self) -> set[str]:
        """The names that the cell defines, except by imports."""
        return set(self.definitions)

    @functools.cached_property
    def changes(self) -> set[str]:
        """The names whose values the cell may modify by setting attributes or items, or by calling methods."""
        found: set[str] = set()
        for node in _outer(self.tree) if self.tree is not None else ():
            touched: list[ast.expr] = []
            if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
                touched = [node.value]
            elif isinstance(node, ast.Call):
                named = isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr")
                touched = node.args[:1] if named else [node.func.value] if isinstance(node.func, ast.Attribute) else []
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                touched = [part for one in node.decorator_list for part in ast.walk(one) if isinstance(part, ast.Name)]
            found |= {root.id for one in touched if isinstance(root := _root(one), ast.Name)}
        return found

    @functools.cached_property
    def imports(self) -> dict[str, str]:
        """The import statement of each name that the cell imports; ``"*"`` represents all names of a module."""
        found = {}
        for node in _outer(self.tree) if self.tree is not None else ():
            if isinstance(node, ast.Import | ast.ImportFrom):
                for alias in node.names:
                    one = ast.Import([alias]) if isinstance(node, ast.Import) else ast.ImportFrom(
                        node.module, [alias], node.level)  # fmt: skip
                    found[alias.asname or alias.name.partition(".")[0]] = ast.unparse(one)
        return found

    @functools.cached_property
    def uses(self) -> set[str]:
        """The global names that the cell reads, except built-in names; empty if the cell is invalid."""
        try:
            waiting = [symtable.symtable(self.source, "<cell>", "exec")]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return set()
        found: set[str] = set()
        for table in waiting:
            waiting.extend(table.get_children())
            outer = table.get_type() == "module"
            found |= {s.get_name() for s in table.get_symbols() if s.is_referenced() and (outer or s.is_global())}
        return found - _builtin_names()

    @functools.cached_property
    def checks(self) -> list[tuple[str, str]]:
        """The number of each exercise that the cell checks, and the checked expression (empty in an invalid cell)."""
        if self.kind != "code":
            return []
        if self.tree is None:
            return [(number, "") for number in _CHECK.findall(self.text)]
        return [found for node in ast.walk(self.tree) if (found := _check(node))]

    @functools.cached_property
    def headings(self) -> list[str]:
        """The numbers of exercises in the headings of a Markdown cell."""
        return _HEADING.findall(self.text) if self.kind != "code" else []

    def pieces(self) -> list[Cell]:
        """Return the cell's parts, split after each check, or the cell itself if it checks at most one exercise."""
        if self.tree is None or len({number for number, _ in self.checks}) < 2:
            return [self]
        lines, begin, found = self.source.split("\n"), 0, list[Cell]()
        following = [*(statement.lineno for statement in self.tree.body[1:]), len(lines) + 1]
        for statement, after in zip(self.tree.body, following, strict=True):
            end = statement.end_lineno or statement.lineno
            if end < after and any(_check(node) for node in ast.walk(statement)):
                found.append(Cell(self.kind, "\n".join(lines[begin:end])))
                begin = end
        rest = "\n".join(lines[begin:])
        return [*found, Cell(self.kind, rest)] if rest.strip() else found


def _outer(tree: ast.AST) -> list[ast.AST]:
    """Return the nodes of a cell whose names are global, that is, outside functions and classes."""
    found, waiting = [], list(ast.iter_child_nodes(tree))
    closed = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp,
              ast.GeneratorExp)  # fmt: skip
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, closed):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def _root(node: ast.expr) -> ast.expr:
    """Return the root ``a`` of an expression such as ``a.b[0].c``."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node


def _check(node: ast.AST) -> tuple[str, str] | None:
    """Return the exercise and the answer in ``ex("03.1").check(answer)``, or None for other expressions."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                attr="check",
                value=ast.Call(func=ast.Name(id="ex") | ast.Attribute(attr="ex"), args=[ast.Constant(value=number)])
                | ast.Call(
                    func=ast.Name(id="ex") | ast.Attribute(attr="ex"),
                    args=[],
                    keywords=[ast.keyword(arg="number", value=ast.Constant(value=number))],
                ),
            )
        ):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            return str(number), ast.unparse(given[0]) if given else ""
    return None


def without_outputs(text: str) -> str:
    """Return a notebook's JSON without the outputs of its cells.

    Examples
    --------
    >>> without_outputs('{"cells": [{"outputs": [{"text": ["]"]}], "source": "1"}]}')
    '{"cells": [{"outputs": [], "source": "1"}]}'
    """
    kept, begin, depth, previous = [], 0, 0, ""
    for match in _STRING_OR_BRACKET.finditer(text):
        token = match[0]
        if depth:
            depth += {"[": 1, "]": -1}.get(token, 0)
            begin = match.start() if depth == 0 else begin
        elif token == "[" and previous == '"outputs"':
            kept.append(text[begin : match.end()])
            depth = 1
        previous = token
    return "".join([*kept, text[begin:]]) if not depth else text


def cells_of(data: bytes, limit: int) -> tuple[list[Cell], int]:
    """Return the cells of a notebook, and the number of damaged cells.

    Parameters
    ----------
    data : bytes
        Content of the file in UTF-8 or UTF-16, with or without a byte-order mark. U+FFFD replaces invalid bytes.
    limit : int
        Maximum number of characters, not counting outputs.

    Raises
    ------
    TooLarge
        If the notebook has more characters than `limit`.
    ValueError, KeyError, TypeError, AttributeError, RecursionError, MemoryError
        If the file is not a notebook.
    """
    text = data.decode(json.detect_encoding(data), "replace")
    text = without_outputs(text.removeprefix("\ufeff"))
    if len(text) > limit:
        raise TooLarge
    notebook = json.loads(text)
    found = notebook["cells"] if "cells" in notebook else [c for s in notebook["worksheets"] for c in s["cells"]]
    cells, damaged = [], 0
    for cell in list(found):
        try:
            cells.append(_cell(cell))
        except (KeyError, TypeError, AttributeError):
            damaged += 1
    return cells, damaged


def _cell(cell: dict[str, Any]) -> Cell:
    source = cell["source"] if "source" in cell else cell["input"]
    source = source if isinstance(source, str) else "".join(source)
    metadata = cell.get("metadata") or {}
    nbgrader = metadata.get("nbgrader") or {}
    label = str(nbgrader.get("grade_id") or cell.get("id") or "")
    kind = str(cell["cell_type"])
    if kind == "heading":  # a type of cell in old notebooks
        return Cell("markdown", f"## {source}", label)
    return Cell(kind, source, label)
