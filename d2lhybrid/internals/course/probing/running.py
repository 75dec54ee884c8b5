"""Running the cells of an answer as a notebook does, one statement after the other.

Answers run with only Python, NumPy, and this package, in a separate folder. If a student's code needs another package
or, for example, a mounted cloud drive, the code fails at the first use of the missing object, not at its import.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import importlib.util
import inspect
import linecache
import sys
import types
from collections.abc import Iterator
from typing import Any, NoReturn, TypeGuard

__all__ = ["Absent", "run_cells"]

_FEATURES = [getattr(__future__, name).compiler_flag for name in __future__.all_feature_names]
#: Names that IPython interprets as commands, unless a variable has the name.
_COMMANDS = ("cd", "ll", "ls", "pwd", "who", "whos")


class Absent:
    """A placeholder for a name of a missing package; any use raises an error.

    Parameters
    ----------
    name : str
        Name of the missing package.

    Examples
    --------
    >>> pandas = Absent("pandas")
    >>> pandas.DataFrame()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: No module named 'pandas'
    """

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def _missed(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ModuleNotFoundError(f"No module named {self._name!r}", name=self._name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._missed()

    __call__ = __getitem__ = __iter__ = __enter__ = __setattr__ = __mro_entries__ = _missed
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _missed


class _Notebook:
    """A runner of cells in a new ``__main__``; as in IPython, imports from ``__future__`` apply to all later cells."""

    def __init__(self) -> None:
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        self.names = vars(module)
        self.flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

    def run(self, text: str, file: str) -> None:
        """Run a cell to its end, or to the first error that the environment does not cause.

        Statements that fail because of a missing package or file, which the student may have, are skipped. The first of
        these errors is raised at the end, or when a skipped statement leaves a name undefined.
        """
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        tree = compile(text, file, "exec", flags=self.flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        failed: Exception | None = None
        for statement in _one_by_one(tree.body):
            try:
                self._run_statement(statement, file)
            except Exception as error:
                if self._replaced(error, statement):
                    continue
                if failed is not None and isinstance(error, NameError):
                    raise failed from None
                if not _is_of_the_surroundings(error):
                    if isinstance(failed, PermissionError):
                        raise failed from None  # an earlier denied access also explains this error
                    raise
                failed = failed or error
        if failed is not None:
            raise failed

    def _run_statement(self, statement: ast.stmt, file: str) -> None:
        """Run a statement; top-level ``await`` is allowed, as in a notebook, but has no effect."""
        code = compile(ast.Module([statement], []), file, "exec", flags=self.flags, dont_inherit=True)
        for feature in _FEATURES:
            self.flags |= code.co_flags & feature
        if not code.co_flags & inspect.CO_COROUTINE:
            exec(code, self.names)
            return
        steps = eval(code, self.names)
        with contextlib.suppress(StopIteration):
            while True:
                steps.send(None)

    def _replaced(self, error: Exception, statement: ast.stmt) -> bool:
        """Replace a failed import of a missing package with placeholders, and return whether this was possible."""
        names = statement.names if isinstance(statement, ast.Import | ast.ImportFrom) else []
        if not names or names[0].name == "*" or not _is_package_missing(error):
            return False
        for alias in names:
            self.names[alias.asname or alias.name.partition(".")[0]] = Absent(str(error.name).partition(".")[0])
        return True


def _is_package_missing(error: Exception) -> TypeGuard[ModuleNotFoundError]:
    package = str(error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return bool(package) and importlib.util.find_spec(package) is None


def _is_of_the_surroundings(error: Exception) -> bool:
    """Return whether an error is caused by the environment: a missing package, file, keyboard, or shell."""
    if isinstance(error, NameError):
        return error.name in _COMMANDS
    return isinstance(error, OSError | EOFError) or _is_package_missing(error)


def _one_by_one(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, with ``import a, b`` as two statements."""
    for statement in statements:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                yield ast.copy_location(ast.Import([alias]), statement)
        else:
            yield statement


def run_cells(cells: list[tuple[str, bool]], prelude: str, name: str) -> dict[str, Any]:
    """Run an answer's cells as a notebook does, in a new ``__main__``, and return the values of all names.

    Parameters
    ----------
    cells : list of (str, bool)
        Source of each cell, and whether it is the answer cell. Errors in other cells are ignored, as are errors in the
        answer cell after the definition of the required name.
    prelude : str
        Source of the imports.
    name : str
        The required name.
    """
    notebook = _Notebook()
    exec(prelude, notebook.names)
    for i, (source, is_answer) in enumerate(cells):
        try:
            notebook.run(source if _compiles(source) else _without_commands(source), f"<cell {i + 1}>")
        except Exception:
            if is_answer and name not in notebook.names:
                raise
    return notebook.names


def _compiles(source: str) -> bool:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST
    try:
        compile(source, "<cell>", "exec", flags=flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _without_commands(source: str) -> str:
    """Return a cell in which lines that are valid only in IPython are empty."""
    lines = source.split("\n")
    kept = ["" if line.strip().startswith(("%", "!", "?")) or line.rstrip().endswith("?") else line for line in lines]
    return "\n".join(kept)
