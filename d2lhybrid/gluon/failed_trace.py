"""Explanations of failed traces: the line of user code, and what to write instead."""

from __future__ import annotations

import dis
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from ..internals.support.places import Place
from ..internals.support.remedies import explain, remember_place, source_line
from ..util import is_user_file

__all__ = ["explain_failure", "explain_shapes"]


def explain_failure(error: BaseException, method: Callable[..., Any]) -> None:
    """Add notes to a trace error: what to write instead, and the user's own line.

    Parameters
    ----------
    error : BaseException
        The exception of ``hybrid_forward`` with symbols, or caused by its result.
    method : callable
        The ``hybrid_forward``; if none of its lines raised the error, its ``return`` is named.
    """
    if any(note.startswith("while tracing") for note in getattr(error, "__notes__", [])):
        return
    explain(error)
    where = _place_of_return(method)
    for frame, line in traceback.walk_tb(error.__traceback__):
        if is_user_file(frame.f_code.co_filename):
            where = Place(frame.f_code.co_filename, line, frame.f_code.co_qualname)
    remember_place(error, where)
    name = where.function.rpartition("<locals>.")[2]
    error.add_note(f"while tracing {name} with Symbols, {source_line(*where)}")


def explain_shapes(error: BaseException, operators: Iterable[Any]) -> None:
    """Add to a shape inference error the user's functions that leave shapes unknown.

    Parameters
    ----------
    error : BaseException
        The error.
    operators : iterable of Operator
        The operators of the graph.
    """
    unknown = [op.name.removeprefix("_Function_") for op in operators if not getattr(op, "knows_shapes", True)]
    if unknown:
        names = ", ".join(dict.fromkeys(f"`{name}`" for name in unknown))
        error.add_note(
            f"The shape of what {names} returns is known only after it has run. Call the net once with arrays before "
            "hybridize(), or give the layers after it their sizes (in_units, in_channels)."
        )


def _place_of_return(method: Callable[..., Any]) -> Place:
    """Return the line of the only ``return``; of the ``def`` if there are several."""
    code = method.__code__  # type: ignore[attr-defined]
    returns = {i.positions.lineno for i in dis.get_instructions(code) if i.opname.startswith("RETURN_") and i.positions}
    line = returns.pop() if len(returns) == 1 else None
    return Place(code.co_filename, line or code.co_firstlineno, method.__qualname__)
