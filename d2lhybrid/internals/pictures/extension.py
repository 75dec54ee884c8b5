"""Explanations of hybridization errors where they occur.

A notebook that imports the package shows them, and IPython in a terminal shows them after ``%load_ext d2lhybrid``.
``d2lhybrid.config(explain=False)`` switches them off.

A notebook shows the explanation above the traceback, which omits the frames of this package; the explanation
contains the complete traceback. A terminal shows the explanation after the traceback, where it is visible.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from ..support import package
from ..support.settings import settings
from ..support.words import translate

__all__ = ["load", "load_in_notebook", "unload"]

_PACKAGE = str(package.FOLDER)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_HIDDEN = "    … {n} frames inside d2lhybrid are in the explanation above."


def _lens_of(error: Any) -> Any:
    if not settings.explain:
        return None
    from .error_lens import error_lens
    from .traps import trap_of

    return error_lens(error) if isinstance(error, Exception) and trap_of(error) is not None else None


def _explain(result: Any) -> None:
    """Show the lens for a cell's error after the traceback."""
    lens = _lens_of(result.error_in_exec)
    if lens is not None:
        from IPython.display import display

        display(lens)


def _show_first(shell: Any) -> None:
    """Make a notebook's kernel show the lens above the traceback."""
    plain = shell._showtraceback

    def show(kind: Any, error: Any, frames: list[str]) -> None:
        lens = _lens_of(error)
        if lens is not None:
            from IPython.display import display

            lens.traceback = _COLOURS.sub("", "\n".join(frames))
            display(lens)
            frames = _folded(frames)
        plain(kind, error, frames)

    show.instead_of = plain  # type: ignore[attr-defined]
    shell._showtraceback = show


def _folded(frames: list[str]) -> list[str]:
    """Return a traceback with consecutive frames of this package folded into one line.

    Examples
    --------
    >>> inside = f"File {_PACKAGE}/gluon/block.py:1, in __call__()"
    >>> _folded(["TypeError", "Cell In[1], line 2", inside, inside, "Cell In[1], line 5", "TypeError: no"])[2]
    '    … 2 frames inside d2lhybrid are in the explanation above.'
    """
    kept: list[str] = []
    hidden = 0
    for frame in [*frames, ""]:
        first = _COLOURS.sub("", frame).lstrip().split("\n", 1)[0]
        if first.startswith("File ") and _PACKAGE in _expanded(first):
            hidden += 1
            continue
        if hidden:
            kept.append(translate(_HIDDEN, n=hidden))
            hidden = 0
        kept.append(frame)
    return kept[:-1]


def _expanded(text: str) -> str:
    """Return a line of a traceback with the full path; IPython abbreviates the home folder as ``~``."""
    return text.replace("File ~", f"File {Path.home()}", 1)


def load_in_notebook() -> None:
    """Start explaining hybridization errors in the notebook that imports the package; elsewhere, do nothing."""
    shell_of = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = None if shell_of is None else shell_of()
    if getattr(shell, "kernel", None) is not None:
        load(shell)


def load(shell: Any) -> None:
    """Start explaining the hybridization errors that occur in an IPython shell."""
    if getattr(shell, "kernel", None) is not None:
        if not hasattr(shell._showtraceback, "instead_of"):
            _show_first(shell)
    elif _explain not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _explain)


def unload(shell: Any) -> None:
    """Stop explaining the hybridization errors that occur in an IPython shell."""
    if hasattr(shell._showtraceback, "instead_of"):
        shell._showtraceback = shell._showtraceback.instead_of
    if _explain in shell.events.callbacks["post_run_cell"]:
        shell.events.unregister("post_run_cell", _explain)
