"""The source of a net's classes, and the creation of classes from a changed source in the same namespace."""

from __future__ import annotations
import __future__

import ast
import itertools
import linecache
import re
import textwrap
import types
from dataclasses import dataclass, field
from inspect import getblock
from typing import Any

from ...support.display import Shown
from ...support.words import add_words, translate
from ..check.source_reading import all_blocks, is_own_file

__all__ = ["ClassText", "NoClass", "as_file", "class_text", "classes_of", "forget", "text_of"]

_NUMBERS = itertools.count(1)


class NoClass(Exception):
    """An error about a source that doesn't define the required class."""


@dataclass(repr=False)
class ClassText(Shown):
    """The source of a net's classes, and its namespace.

    Attributes
    ----------
    text : str
        Source code.
    name : str
        Name of the edited class: the net's class, or the first class with a known source.
    classes : dict of str to type
        Classes in the source.
    names : dict
        Namespace of the module or notebook.
    cells : dict of str to cell
        Variables of enclosing functions.
    flags : int
        Compiler flags from ``from __future__ import``.
    """

    text: str
    name: str
    classes: dict[str, type]
    names: dict[str, Any]
    cells: dict[str, types.CellType] = field(default_factory=dict)
    flags: int = 0


def text_of(net: Any) -> ClassText | None:
    """Return the source of the user's classes in a net, or None if no source is known.

    Classes of other modules are omitted. Base classes precede derived classes.
    """
    found: dict[type, str] = {}
    for _, block in all_blocks(net):
        for cls in type(block).__mro__:
            if cls not in found and (text := class_text(cls)):
                found[cls] = text
    if not found:
        return None
    first = next((cls for cls in type(net).__mro__ if cls in found), next(iter(found)))
    names = _functions(first)[0].__globals__
    here = [cls for cls in found if _functions(cls)[0].__globals__ is names]
    here.sort(key=lambda cls: (len(cls.__mro__), *_place(cls)))
    functions = [function for cls in here for function in _functions(cls)]
    cells: dict[str, types.CellType] = {}
    for function in functions:
        cells.update(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells.pop("__class__", None)
    text = "\n\n".join(found[cls] for cls in here)
    flags = functions[0].__code__.co_flags & __future__.annotations.compiler_flag
    return ClassText(text, first.__name__, {cls.__name__: cls for cls in here}, names, cells, flags)


def class_text(cls: type) -> str:
    """Return the source of a class in the user's program; empty for other classes, or if the source is unknown."""
    functions = _functions(cls)
    if not functions:
        return ""
    file, line = _place(cls)
    lines = linecache.getlines(file)
    inside = _indent(lines[line - 1]) if line <= len(lines) else 0
    for start in range(min(line, len(lines)) - 1, -1, -1):
        text = lines[start]
        if re.match(rf"\s*class\s+{cls.__name__}\b", text) and _indent(text) < inside:
            block = getblock(lines[start:])
            while start and re.match(r"\s*@", lines[start - 1]) and _indent(lines[start - 1]) == _indent(text):
                start -= 1
                block = [lines[start], *block]
            return textwrap.dedent("".join(block).expandtabs(8) if "\t" in "".join(block) else "".join(block))
    return ""


def _functions(cls: type) -> list[Any]:
    """Return the user's functions that a class itself defines, without inherited ones."""
    values = (v.fget if isinstance(v, property) else getattr(v, "__func__", v) for v in vars(cls).values())
    return [f for f in values if isinstance(f, types.FunctionType) and is_own_file(f.__code__.co_filename)
            and f.__qualname__.rpartition(".")[0] == cls.__qualname__]  # fmt: skip


def _place(cls: type) -> tuple[str, int]:
    codes = [function.__code__ for function in _functions(cls)]
    return min((code.co_filename, code.co_firstlineno) for code in codes)


def _indent(line: str) -> int:
    line = line.expandtabs(8)
    return len(line) - len(line.lstrip())


def as_file(text: str, name: str) -> str:
    """Store a source in a virtual file, which tracebacks read until :func:`forget` removes it; return its name."""
    file = f"<live {name} {next(_NUMBERS)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    return file


def forget(file: str) -> None:
    """Remove a virtual file that :func:`as_file` created."""
    linecache.cache.pop(file, None)


def classes_of(text: str, where: ClassText, file: str) -> dict[str, type]:
    """Return the classes that a source defines.

    The source can read the notebook's names and the variables of enclosing functions, but its definitions do not change
    these names.

    Parameters
    ----------
    text : str
        Source code.
    where : ClassText
        The original source.
    file : str
        Virtual file name of the source.

    Raises
    ------
    SyntaxError
        If the source has invalid syntax.
    NoClass
        If the source does not define the class of the net.
    Exception
        Any error that the source raises.
    """
    tree = compile(text, file, "exec", ast.PyCF_ONLY_AST | where.flags, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    if where.name not in {node.name for node in tree.body if isinstance(node, ast.ClassDef)}:
        raise NoClass(translate("The code no longer has a class {name}.", name=where.name))
    made = _as_function(tree, where, file)()
    return {name: value for name, value in made.items() if isinstance(value, type)}


def _as_function(tree: ast.Module, where: ClassText, file: str) -> types.FunctionType:
    """Return a function that runs a source and returns its names.

    In a function, the class can refer to itself by a local name, as in ``super(Net, self)``.
    """
    shell = ast.parse("def around():\n    def text():\n        return locals()")
    around: Any = shell.body[0]
    inner = around.body[0]
    inner.body = [*tree.body, *inner.body]
    around.body = [*ast.parse("".join(f"{name} = None\n" for name in where.cells)).body, inner]
    code: Any = compile(shell, file, "exec", where.flags, dont_inherit=True)
    for name in ("around", "text"):
        code = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
    cells = tuple(where.cells[name] for name in code.co_freevars)
    return types.FunctionType(code, where.names, "text", None, cells)


add_words({"The code no longer has a class {name}.": "代码中不再有类 {name}。"})
