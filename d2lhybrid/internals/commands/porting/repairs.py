"""Mechanical fixes of findings: replacements of names, arguments, and imports in single lines."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator

from d2lhybrid.internals.commands.running import python2

from .findings import Edit
from .scope import Scope, root

__all__ = ["Repairs", "repaired"]

_PLAIN = re.compile(r"-?[A-Za-z_][\w.]*")
#: Names of Python 2 -> present names with the same meaning.
_SAME = {"xrange": "range", "raw_input": "input", "unicode": "str", "basestring": "str", "unichr": "chr", "long": "int",
         "buffer": "memoryview"}  # fmt: skip
_WITH_IMPORT = {"reduce": "from functools import reduce", "reload": "from importlib import reload"}
#: Replacements whose arguments or results differ from the removed function's, so that a person must review them.
_NOT_THE_SAME = frozenset(
    [
        "artist", "getbbox", "textbbox", "ast.literal_eval", "colormaps.register", "inspect.getfullargspec",
        "inspect.getsource", "matplotlib.colormaps.register", "numpy.finfo", "numpy.genfromtxt", "numpy.longdouble",
        "numpy.result_type", "numpy.set_printoptions", "print", "warnings.warn",
    ]
)  # fmt: skip
_ITERATORS = {"izip": "zip", "imap": "map", "ifilter": "filter"}


def repaired(text: str, edits: Iterable[Edit]) -> list[str]:
    """Apply edits to a program, and return its lines. An edit may turn one line into several lines.

    Parameters
    ----------
    text : str
        The program.
    edits : iterable of Edit
        Edits to apply. Of two overlapping edits, the edit further right is applied.

    Returns
    -------
    list of str
        The lines.

    Examples
    --------
    >>> repaired("a = xrange(3)", [Edit(1, 4, 10, "range")])
    ['a = range(3)']
    """
    lines = text.splitlines()
    taken: dict[int, int] = {}
    for edit in sorted(set(edits), reverse=True):
        if edit.end > taken.get(edit.line, len(text) + 1) or edit.line > len(lines):
            continue
        line = lines[edit.line - 1]
        lines[edit.line - 1] = line[: edit.begin] + edit.new + line[edit.end :]
        taken[edit.line] = edit.begin
    return lines


class Repairs:
    """A generator of edits that fix findings in one program.

    Parameters
    ----------
    text : str
        The program.
    scope : Scope
        Meanings of the program's names.
    """

    def __init__(self, text: str, scope: Scope) -> None:
        self._lines, self._scope = text.splitlines(), scope

    def _column(self, line: int, offset: int) -> int:
        """Return a column in characters; syntax trees count bytes."""
        return len(self._lines[line - 1].encode()[:offset].decode(errors="ignore"))

    def replaced(self, node: ast.expr | ast.alias | ast.keyword, new: str) -> list[Edit]:
        """Return the edits that replace a node with a text.

        Parameters
        ----------
        node : ast.AST
            The node.
        new : str
            The new text.

        Returns
        -------
        list of Edit
            The edits; empty for a node on several lines.
        """
        if node.end_lineno != node.lineno or node.end_col_offset is None:
            return []
        begin, end = self._column(node.lineno, node.col_offset), self._column(node.lineno, node.end_col_offset)
        return [Edit(node.lineno, begin, end, new)]

    def wrapped(self, node: ast.expr, function: str) -> list[Edit]:
        """Return the edits that wrap a node in a function call.

        Parameters
        ----------
        node : ast.expr
            The node.
        function : str
            Name of the function.

        Returns
        -------
        list of Edit
            The edits.
        """
        begin = self._column(node.lineno, node.col_offset)
        last = node.end_lineno or node.lineno
        end = self._column(last, node.end_col_offset or 0)
        return [Edit(node.lineno, begin, begin, f"{function}("), Edit(last, end, end, ")")]

    def floored(self, node: ast.expr) -> list[Edit]:
        """Return the edits that replace the divisions in an expression with integer divisions.

        Parameters
        ----------
        node : ast.expr
            The expression that contains the divisions.

        Returns
        -------
        list of Edit
            The edits; empty if there is no mechanical fix.
        """
        return [edit for division in _divisions(node) for edit in self._floored(division)]

    def _floored(self, node: ast.BinOp) -> list[Edit]:
        line = node.right.lineno
        if node.left.end_lineno != line or node.left.end_col_offset is None:
            return []
        begin, end = self._column(line, node.left.end_col_offset), self._column(line, node.right.col_offset)
        place = self._lines[line - 1].index("/", begin, end)
        return [Edit(line, place, place + 1, "//")]

    def _written(self, today: str) -> str:
        """Return the present name in the form that fits this program's imports; empty if an import is missing."""
        if not _PLAIN.fullmatch(today) or today in _NOT_THE_SAME:
            return ""
        sign, bare = ("-", today[1:]) if today[0] == "-" else ("", today)
        if "." not in bare:
            return today if hasattr(builtins, bare) and bare not in self._scope.bound else ""
        for name, stands_for in self._scope.imported.items():
            if name not in self._scope.bound and (bare == stands_for or bare.startswith(stands_for + ".")):
                return sign + name + bare.removeprefix(stands_for)
        return ""

    def name(self, node: ast.AST, key: str, today: str) -> list[Edit]:
        """Return the edits for a use or an import of a removed name.

        Parameters
        ----------
        node : ast.AST
            The node.
        key : str
            The removed name.
        today : str
            The new name, such as ``numpy.float64``.

        Returns
        -------
        list of Edit
            The edits; empty if there is no mechanical fix.
        """
        if isinstance(node, ast.ImportFrom):
            return self._imported_name(node, key, today)
        found: ast.AST = node
        while isinstance(found, ast.Attribute) and self._scope.dotted(found) != key:
            found = found.value
        new = self._written(today)
        if not new or not isinstance(found, ast.Attribute):  # a name without a dot is fixed at its import
            return []
        return self.replaced(found, new)

    def _imported_name(self, node: ast.ImportFrom, key: str, today: str) -> list[Edit]:
        """Return the edits that import one name from its present module, and keep the imports of the other names."""
        module, _, name = today.rpartition(".")
        alias = next((alias for alias in node.names if f"{node.module}.{alias.name}" == key), None)
        if not module or alias is None or name != alias.name or not _PLAIN.fullmatch(today):
            return []
        if len(node.names) == 1:
            return self._from(node, module)
        if node.end_lineno != node.lineno:
            return []
        indent = self._lines[node.lineno - 1][: self._column(node.lineno, node.col_offset)]
        if indent.strip():
            return []
        place = next(i for i, one in enumerate(node.names) if one is alias)
        neighbour = node.names[place - 1] if place else node.names[1]
        line = node.lineno
        if place:
            cut = (self._column(line, neighbour.end_col_offset or 0), self._column(line, alias.end_col_offset or 0))
        else:
            cut = (self._column(line, alias.col_offset), self._column(line, neighbour.col_offset))
        bound = f" as {alias.asname}" if alias.asname else ""
        first = Edit(line, 0, 0, f"{indent}from {module} import {name}{bound}\n")
        return [first, Edit(line, *cut, "")]

    def _from(self, node: ast.ImportFrom, module: str) -> list[Edit]:
        line = self._lines[node.lineno - 1]
        found = re.compile(r"from\s+([\w.]+)").match(line, self._column(node.lineno, node.col_offset))
        return [Edit(node.lineno, found.start(1), found.end(1), module)] if found else []

    def module(self, node: ast.stmt, module: str, today: str) -> list[Edit]:
        """Return the edits for the import of a removed module.

        Parameters
        ----------
        node : ast.stmt
            The import.
        module : str
            The removed module.
        today : str
            The new import statement, such as ``import pickle``.

        Returns
        -------
        list of Edit
            The edits; empty if there is no mechanical fix.
        """
        home = today.removeprefix("import ")
        if today == home or not _PLAIN.fullmatch(home):
            return []
        if isinstance(node, ast.ImportFrom):
            return self._from(node, home) if node.module == module else []
        return self._import(node, module, home)

    def _import(self, node: ast.stmt, module: str, home: str) -> list[Edit]:
        for alias in node.names if isinstance(node, ast.Import) else ():
            if alias.name == module:
                name = alias.asname or module
                if "." in name:
                    return []
                return self.replaced(alias, home if name == home else f"{home} as {name}")
        return []

    def method(self, node: ast.Attribute, today: str) -> list[Edit]:
        """Return the edits for a renamed method.

        Parameters
        ----------
        node : ast.Attribute
            The method.
        today : str
            The new method, such as ``items()``.

        Returns
        -------
        list of Edit
            The edits; empty if there is no mechanical fix.
        """
        found = re.fullmatch(r"(\w+)(?:\(\))?", today)
        return [] if found is None or found[1] in _NOT_THE_SAME else self._attribute(node, found[1])

    def _attribute(self, node: ast.Attribute, new: str) -> list[Edit]:
        if node.end_lineno is None or node.end_col_offset is None:
            return []
        end = self._column(node.end_lineno, node.end_col_offset)
        begin = end - len(node.attr)
        line = self._lines[node.end_lineno - 1]
        return [Edit(node.end_lineno, begin, end, new)] if line[begin:end] == node.attr else []

    def argument(self, call: ast.Call, keyword: ast.keyword, today: str) -> list[Edit]:
        """Return the edits for a renamed or removed argument.

        Parameters
        ----------
        call : ast.Call
            The call.
        keyword : ast.keyword
            The argument.
        today : str
            The new name of the argument, followed by ``=``. Any other text means that the argument was removed.

        Returns
        -------
        list of Edit
            The edits; empty if there is no mechanical fix.
        """
        line, begin = keyword.lineno, self._column(keyword.lineno, keyword.col_offset)
        if today.endswith("="):
            return [Edit(line, begin, begin + len(keyword.arg or ""), today[:-1])]
        given = sorted([*call.args, *call.keywords], key=lambda node: (node.lineno, node.col_offset))
        place = next(i for i, node in enumerate(given) if node is keyword)
        end = self._column(line, keyword.end_col_offset or 0)
        before, after = given[place - 1 : place], given[place + 1 : place + 2]
        text = self._lines[line - 1]
        if keyword.end_lineno != line:
            return []
        if before and before[0].end_lineno == line:
            cut = self._column(line, before[0].end_col_offset or 0)
            return [Edit(line, cut, end, "")] if not text[cut:begin].strip(" ,") else []
        if after and after[0].lineno == line:
            cut = self._column(line, after[0].col_offset)
            return [Edit(line, begin, cut, "")] if not text[end:cut].strip(" ,") else []
        return [] if before or after else [Edit(line, begin, end, "")]

    # --- Python 2 ---

    def python2_name(self, node: ast.Name) -> list[Edit]:
        """Return the edits for a removed built-in name.

        Parameters
        ----------
        node : ast.Name
            The name.

        Returns
        -------
        list of Edit
            The edits; empty if there is no mechanical fix.
        """
        if node.id in _SAME:
            return self.replaced(node, _SAME[node.id])
        return self._importing(_WITH_IMPORT[node.id]) if node.id in _WITH_IMPORT else []

    def _importing(self, statement: str) -> list[Edit]:
        """Return the edits that insert an import before the first import."""
        for number, line in enumerate(self._lines, 1):
            if re.match(r"(import|from)\s", line) and "__future__" not in line:
                return [Edit(number, 0, 0, statement + "\n")]
        return []

    def python2_module(self, node: ast.stmt) -> list[Edit]:
        """Return the edits for the import of a renamed module.

        Parameters
        ----------
        node : ast.stmt
            The import.

        Returns
        -------
        list of Edit
            The edits; empty if there is no mechanical fix.
        """
        if isinstance(node, ast.ImportFrom) and node.module in python2.MODULES:
            home = _home(python2.MODULES[node.module])
            return self._from(node, home) if home else []
        edits = []
        for alias in node.names if isinstance(node, ast.Import) else ():
            home = _home(python2.MODULES.get(alias.name, ""))
            edits += self._import(node, alias.name, home) if home else []
        return edits

    def python2_member(self, node: ast.AST, dotted: str) -> list[Edit]:
        """Return the edits for a removed name in an existing module.

        Parameters
        ----------
        node : ast.AST
            The node.
        dotted : str
            The removed name, with its module.

        Returns
        -------
        list of Edit
            The edits; empty if there is no mechanical fix.
        """
        owner, _, name = dotted.rpartition(".")
        today = _ITERATORS.get(name, "") if owner == "itertools" else python2.OF_MODULES.get(owner, {}).get(name, "")
        if isinstance(node, ast.ImportFrom):
            alone = len(node.names) == 1 and node.end_lineno == node.lineno
            if not alone or owner != "itertools" or name not in _ITERATORS:
                return []
            line = self._lines[node.lineno - 1]
            begin, end = self._column(node.lineno, node.col_offset), self._column(node.lineno, node.end_col_offset or 0)
            bound = node.names[0].asname or name
            return [Edit(node.lineno, begin, end, f"{bound} = {today}" if bound != today else "pass")] if line else []
        if not isinstance(node, ast.Attribute) or not _PLAIN.fullmatch(today):
            return []
        if today.startswith("urllib."):
            module = today.rpartition(".")[0]
            return [*self._importing(f"import {module}"), *self.replaced(node, f"{module}.{name}")]
        if today == "string.ascii_letters" and name != "letters":
            today = f"string.ascii_{name}"
        return self.replaced(node, self._written(today) or today if root(today) in _ITERATORS.values() else
                             self._written(today)) if self._written(today) else []  # fmt: skip

    def of_dictionary(self, node: ast.Attribute) -> list[Edit]:
        """Return the edits for a removed method of dictionaries.

        Parameters
        ----------
        node : ast.Attribute
            The method.

        Returns
        -------
        list of Edit
            The edits; empty if there is no mechanical fix.
        """
        today = python2.OF_DICTIONARIES[node.attr]
        return self._attribute(node, today[:-2] if today.endswith("()") else "__contains__")


def _home(today: str) -> str:
    """Return the module in ``import module`` or ``from module import name``."""
    found = re.match(r"(?:import|from) ([\w.]+)", today)
    return found[1] if found else ""


def _divisions(node: ast.expr) -> Iterator[ast.BinOp]:
    """Return the divisions in an expression, without those in the arguments of functions."""
    if isinstance(node, ast.BinOp):
        yield from _divisions(node.left)
        yield from _divisions(node.right)
        if isinstance(node.op, ast.Div):
            yield node
    elif isinstance(node, ast.UnaryOp):
        yield from _divisions(node.operand)
    elif isinstance(node, (ast.List, ast.Tuple)):
        for part in node.elts:
            yield from _divisions(part)
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        yield from _divisions(node.elt)
