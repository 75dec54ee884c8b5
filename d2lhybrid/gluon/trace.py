"""Tracing: run ``hybrid_forward`` once with symbols, and know which line of the user's made what."""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from ..ndarray.ndarray import NDArray
from ..symbol.symbol import Symbol, set_source_finder

__all__ = ["flatten", "note_user_line", "regroup", "remember_lines"]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def _is_user_file(filename: str) -> bool:
    return not (filename.startswith((_PACKAGE, "<d2lhybrid", "<string>")) and not filename.startswith("<ipython"))


def _user_line() -> tuple[str, int] | None:
    """Return the innermost frame outside this package: the user's own line."""
    frame = sys._getframe(2)
    while frame is not None:
        filename = frame.f_code.co_filename
        if not filename.startswith((_PACKAGE, "<d2lhybrid")):
            return filename, frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return None


@contextlib.contextmanager
def remember_lines() -> Iterator[None]:
    """Have every node that is made inside the scope remember the user's line."""
    previous = set_source_finder(_user_line)
    try:
        yield
    finally:
        set_source_finder(previous)


def note_user_line(error: BaseException, what: str) -> None:
    """Add the user's own line to an error that happened while tracing."""
    if any(note.startswith("while tracing") for note in getattr(error, "__notes__", [])):
        return
    for filename, line in reversed(
        [(f.filename, f.lineno) for f in traceback.extract_tb(error.__traceback__, limit=-200)]
    ):
        if line is not None and _is_user_file(filename):
            text = linecache.getline(filename, line).strip()
            error.add_note(f'while tracing {what} with Symbols, File "{filename}", line {line}: {text}')
            return


def flatten(args: Any, what: str) -> tuple[list[Any], Any]:
    """Return the arrays or symbols in nested lists as one list, and the structure they came from.

    The structure is 0 for an array, the number of outputs for a grouped symbol, -1 for None, and
    a list for a list.

    Raises
    ------
    ValueError
        For anything else.
    """
    if isinstance(args, NDArray):
        return [args], 0
    if isinstance(args, Symbol):
        count = len(args)
        return [args], count if count > 1 else 0
    if args is None:
        return [None], -1
    if not isinstance(args, list | tuple):
        raise ValueError(
            f"When hybridized, the input of HybridBlock {what} must be (nested) list of Symbol or NDArray, "
            f"but got {args} of type {type(args)}"
        )
    flat, structure = [], []
    for arg in args:
        part, form = flatten(arg, what)
        flat += part
        structure.append(form)
    return flat, structure


def regroup(flat: list[Any], structure: Any) -> Any:
    """Undo :func:`flatten`; sequences come back as lists."""
    result, rest = _regroup(flat, structure)
    if rest:
        raise ValueError("There are more outputs than the structure of the output says")
    return result


def _regroup(flat: list[Any], structure: Any) -> tuple[Any, list[Any]]:
    if isinstance(structure, int):
        if structure == 0:
            return flat[0], flat[1:]
        if structure == -1:
            return None, flat[1:]
        return flat[:structure], flat[structure:]
    result = []
    for form in structure:
        value, flat = _regroup(flat, form)
        result.append(value)
    return result, flat
