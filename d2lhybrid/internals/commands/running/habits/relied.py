"""The restored names that a program has used, each with the line of its first use."""

from __future__ import annotations

import ast
import json
import linecache
import os
import sys
import types
from typing import Any, NamedTuple

__all__ = ["RELIED", "RELIED_FILE", "Use", "asked_by_a_library_of_today", "caller", "note"]

#: An environment variable with the path of a file that also receives the uses, as lines of JSON.
RELIED_FILE = "D2LHYBRID_RELIED_FILE"

_HERE = os.path.dirname(os.path.abspath(__file__))

#: Libraries that handle removed names themselves, and therefore get the usual errors.
_OF_TODAY = frozenset(
    [
        "IPython",
        "PIL",
        "bottleneck",
        "cv2",
        "d2lhybrid",
        "ipykernel",
        "joblib",
        "matplotlib",
        "mpl_toolkits",
        "networkx",
        "numexpr",
        "numpy",
        "pandas",
        "pyarrow",
        "pytest",
        "scipy",
        "seaborn",
        "skimage",
        "sklearn",
        "statsmodels",
        "traitlets",
    ]
)


class Use(NamedTuple):
    """A restored name and the location of its first use.

    Attributes
    ----------
    what : str
        The restored name.
    instead : str
        The current replacement for the name.
    where : str
        File or notebook cell that used the name; empty if unknown.
    line : int
        Line of the use.
    """

    what: str
    instead: str
    where: str
    line: int


#: All uses in this process, in the order of their first use.
RELIED: dict[str, Use] = {}


def caller() -> types.FrameType | None:
    """Return the frame of the code that uses a restored name, or None if it is unknown."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and _is_between(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _is_between(file: str) -> bool:
    return file.startswith((_HERE, "<frozen importlib", "<__array_function__"))


def asked_by_a_library_of_today() -> bool:
    """Return whether the caller is a library that handles removed names itself."""
    frame = caller()
    return frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] in _OF_TODAY


def note(what: str, instead: str) -> None:
    """Record the first use of a removed name by a program, unless the line handles a missing name itself.

    Parameters
    ----------
    what, instead : str
        The removed name, and its present replacement.
    """
    if what in RELIED:
        return
    frame = caller()
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] in _OF_TODAY:
        frame = frame.f_back  # a library may have called a callback of the program
    if frame is not None and _copes(frame):
        return
    file, line = ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
    RELIED[what] = use = Use(what, instead, _shown(file, frame), line)
    if RELIED_FILE in os.environ:
        with open(os.environ[RELIED_FILE], "a", encoding="utf-8") as stream:
            stream.write(json.dumps(use) + "\n")


def _shown(file: str, frame: types.FrameType | None) -> str:
    """Return the displayed name of a file; for a notebook cell, whose file is temporary, return its number."""
    shell = frame.f_globals.get("get_ipython") if frame is not None else None
    running: Any = shell() if callable(shell) else None
    named = running.compile.format_code_name(file) if running is not None else None
    return named[-1] if named else file


def _copes(frame: types.FrameType) -> bool:
    """Return whether the line handles a missing name itself: ``try: import x`` ``except ImportError: ...``."""
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and node.body[0].lineno <= frame.f_lineno <= (node.body[-1].end_lineno or 0):
            plain = all(isinstance(part, (ast.Import, ast.ImportFrom, ast.Assign, ast.Expr)) for part in node.body)
            if plain and any(_catches(handler) for handler in node.handlers):
                return True
    return False


def _catches(handler: ast.ExceptHandler) -> bool:
    caught = (
        {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} if handler.type else {"Exception"}
    )
    return bool(caught & {"AttributeError", "Exception", "ImportError", "ModuleNotFoundError", "NameError"})
