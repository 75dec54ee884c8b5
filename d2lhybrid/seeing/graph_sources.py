"""The user's own lines behind a graph: the functions that they stand in."""

from __future__ import annotations

import ast
import contextlib
import linecache
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..support.places import Place

__all__ = ["SourceText", "sources_of"]

#: Lines shown around one whose function is not found.
_AROUND = 2


@dataclass(frozen=True)
class SourceText:
    """Some lines of one file.

    Attributes
    ----------
    filename : str
        The file.
    title : str
        The function, or a short name of the file.
    start : int
        Number of the first line.
    lines : tuple of str
        The text.
    """

    filename: str
    title: str
    start: int
    lines: tuple[str, ...]

    def holds(self, filename: str, line: int) -> bool:
        """Return whether a line is among these."""
        return filename == self.filename and self.start <= line < self.start + len(self.lines)


def sources_of(places: Iterable[Place]) -> list[SourceText]:
    """Return the functions around some lines, each once, in the order of their first use.

    Parameters
    ----------
    places : iterable of Place
        The lines.
    """
    found: list[SourceText] = []
    functions: dict[str, list[tuple[int, int, str]]] = {}
    for filename, line in dict.fromkeys(places):
        if any(text.holds(filename, line) for text in found):
            continue
        lines = linecache.getlines(filename)
        if not 0 < line <= len(lines):
            continue
        if filename not in functions:
            functions[filename] = _functions("".join(lines))
        around = [f for f in functions[filename] if f[0] <= line <= f[1]]
        if around:
            start, end, name = min(around, key=lambda f: f[1] - f[0])
        else:
            start, end, name = max(1, line - _AROUND), min(len(lines), line + _AROUND), _short(filename)
        text = [part.rstrip("\n") for part in lines[start - 1 : end]]
        indent = min((len(part) - len(part.lstrip()) for part in text if part.strip()), default=0)
        found.append(SourceText(filename, name, start, tuple(part[indent:] for part in text)))
    return found


def _functions(text: str) -> list[tuple[int, int, str]]:
    """Return (first line, last line, name) of all functions of a program."""
    tree = ast.parse("")
    for candidate in (text, re.sub(r"^([ \t]*)[%!?].*$", r"\1pass", text, flags=re.MULTILINE)):  # magic commands
        with contextlib.suppress(SyntaxError):
            tree = ast.parse(candidate)
            break
    found = []
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, prefix = stack.pop()
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}{child.name}."
                if not isinstance(child, ast.ClassDef):
                    first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                    found.append((first, child.end_lineno or child.lineno, name[:-1]))
            stack.append((child, name))
    return found


def _short(filename: str) -> str:
    return "this notebook" if "ipykernel" in filename or filename.startswith("<ipython") else os.path.basename(filename)
