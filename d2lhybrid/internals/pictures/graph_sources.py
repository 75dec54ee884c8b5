"""The user's functions with the lines from which a graph was traced."""

from __future__ import annotations

import ast
import contextlib
import linecache
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..support.display import Shown
from ..support.places import Place
from ..support.words import translate

__all__ = ["SourceText", "sources_of"]

#: The number of lines shown around a line outside of functions, and the maximum length of a statement shown completely.
_AROUND, _LONG = 2, 30


@dataclass(frozen=True, repr=False)
class SourceText(Shown):
    """Consecutive lines of a file, such as a function.

    Attributes
    ----------
    filename : str
        Path of the file.
    title : str
        Name of the function, or a short name of the file.
    start : int
        Number of the first line.
    lines : tuple of str
        Source of the lines.
    """

    filename: str
    title: str
    start: int
    lines: tuple[str, ...]

    def holds(self, filename: str, line: int) -> bool:
        """Return whether the text contains a line of a file."""
        return filename == self.filename and self.start <= line < self.start + len(self.lines)


def sources_of(places: Iterable[Place]) -> list[SourceText]:
    """Return the functions that contain lines of user code, without repetitions, in the order of the lines.

    For a line outside of functions, the text is its statement, joined with statements that are only a few lines away.

    Parameters
    ----------
    places : iterable of Place
        Files and numbers of the lines.
    """
    wanted = list(dict.fromkeys((filename, line) for filename, line in places))
    texts = {name: linecache.getlines(name) for name in dict.fromkeys(name for name, _ in wanted)}
    parts = {name: _Parts("".join(lines)) for name, lines in texts.items() if lines}
    outside: dict[str, list[int]] = {}
    for name, line in wanted:
        if name in parts and parts[name].function(line) is None:
            outside.setdefault(name, []).append(line)
    ranges = {name: parts[name].statements(lines, len(texts[name])) for name, lines in outside.items()}
    found: list[SourceText] = []
    for filename, line in wanted:
        lines = texts[filename]
        if not 0 < line <= len(lines) or any(text.holds(filename, line) for text in found):
            continue
        around = parts[filename].function(line)
        if around is None:
            start, end = next(r for r in ranges[filename] if r[0] <= line <= r[1])
            around = start, end, _short(filename)
        start, end, name = around
        text = [part.rstrip("\n") for part in lines[start - 1 : end]]
        indent = min((len(part) - len(part.lstrip()) for part in text if part.strip()), default=0)
        found.append(SourceText(filename, name, start, tuple(part[indent:] for part in text)))
    return found


class _Parts:
    """The functions and statements of a source file."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse("")
        for candidate in (text, re.sub(r"^([ \t]*)[%!?].*$", r"\1pass", text, flags=re.MULTILINE)):  # magic commands
            with contextlib.suppress(SyntaxError):
                self.tree = ast.parse(candidate)
                break
        self.functions = _functions(self.tree)

    def function(self, line: int) -> tuple[int, int, str] | None:
        """Return the first line, the last line, and the name of the innermost function around a line."""
        around = [f for f in self.functions if f[0] <= line <= f[1]]
        return min(around, key=lambda f: f[1] - f[0]) if around else None

    def statements(self, lines: list[int], last: int) -> list[tuple[int, int]]:
        """Return the ranges of the statements that contain some lines, merged if they are close."""
        spans = []
        for line in sorted(lines):
            inside = [s for s in self.tree.body if s.lineno <= line <= (s.end_lineno or s.lineno)]
            first, end = (inside[0].lineno, inside[0].end_lineno or line) if inside else (line, line)
            if end - first > _LONG:  # a part of a long statement
                first, end = max(first, line - _AROUND), min(end, line + _AROUND)
            if spans and first - spans[-1][1] <= _AROUND + 1:
                spans[-1] = spans[-1][0], max(end, spans[-1][1])
            else:
                spans.append((first, min(end, last)))
        return spans


def _functions(tree: ast.Module) -> list[tuple[int, int, str]]:
    """Return the first line, the last line, and the name of each function in a source file."""
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
    if "ipykernel" in filename or filename.startswith("<ipython"):
        return translate("this notebook")
    return os.path.basename(filename)
