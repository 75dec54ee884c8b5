"""The recognition of code that the course provides in notebooks, which is not part of an answer.

A task may contain a broken class with the required name, and a lesson may define helpers between its exercises. Even
an unchanged notebook contains this code, although the student wrote none of it.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator

from ..course import original
from ..exercises import exercises
from ..exercises.files import folder_of, statement_in
from ..exercises.notebooks import LANGUAGES
from .cells import Cell, cells_of

__all__ = ["definitions_in_text", "is_given", "is_given_definition"]

#: The maximum number of characters in a notebook of the course.
_LIMIT = 10**7


def _plain(text: str) -> str:
    """Return a text without differences that editors cause, in spaces, line endings, and blank lines."""
    return " ".join(text.split())


@functools.cache
def _course() -> tuple[Cell, ...]:
    """Return the cells of the course's notebooks in all languages; empty if the notebooks are not installed."""
    return tuple(
        cell for path in sorted(original().rglob("*.ipynb")) if ".ipynb_checkpoints" not in path.parts
        for cell in cells_of(path.read_bytes(), _LIMIT)[0]
    )  # fmt: skip


@functools.cache
def _texts() -> str:
    """Return the texts of all lessons and exercises, including installed courses."""
    folders = [folder_of(exercise.module) for exercise in exercises()]
    tasks = (statement_in(folder, lang).task for folder in folders for lang in LANGUAGES)
    return "\n".join(map(_plain, [*tasks, *(cell.text for cell in _course() if cell.kind != "code")]))


@functools.cache
def _programs() -> frozenset[str]:
    starters = (Cell("code", exercise.starter) for exercise in exercises())
    cells = [*starters, *(cell for cell in _course() if cell.kind == "code")]
    return frozenset(ast.dump(cell.tree) for cell in cells if cell.tree is not None)


@functools.cache
def _definitions() -> frozenset[str]:
    trees = [cell.tree for cell in _course() if cell.kind == "code"]
    return frozenset(ast.dump(node) for tree in trees if tree is not None for node in tree.body)


def is_given(cell: Cell) -> bool:
    """Return whether a code cell is unchanged from the course, apart from whitespace and comments."""
    return cell.tree is not None and ast.dump(cell.tree) in _programs()


def is_given_definition(node: ast.stmt) -> bool:
    """Return whether the course's code contains the statement `node`, apart from whitespace and comments."""
    return ast.dump(node) in _definitions()


def definitions_in_text(text: str, name: str) -> Iterator[str]:
    r"""Yield each definition of a name in a text, unless the course or an exercise contains the same definition.

    Parameters
    ----------
    text : str
        Text, such as the text of a Markdown cell.
    name : str
        Name that the definitions define.

    Examples
    --------
    >>> list(definitions_in_text("This is mine:\n\n    def fold(text):\n        return text\n\nand it works", "fold"))
    ['    def fold(text):\n        return text']
    """
    lines = text.split("\n")
    start = re.compile(rf"(\s*)(?:(?:async\s+)?def\s+{name}\b|class\s+{name}\b|{name}\s*=(?!=))")
    for i, line in enumerate(lines):
        if not (found := start.match(line)):
            continue
        end = i + 1
        while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > len(found[1])):
            end += 1
        block = "\n".join(lines[i:end]).rstrip()
        if _plain(block) not in _texts():
            yield block


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
