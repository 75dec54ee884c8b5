"""Explanations of failed traces, which quote the line of user code and the code to write instead."""

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
    """Add notes to a trace error that quote the user's line and say what to write instead.

    Parameters
    ----------
    error : BaseException
        The exception that ``hybrid_forward`` raised with symbols, or that the method's result caused.
    method : callable
        The ``hybrid_forward`` method. If no line of the method raised the error, the note quotes the line of its
        ``return`` statement, or of its ``def`` statement if there are several returns.
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
    """Add a note to a shape inference error that names the user's functions with unknown output shapes.

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
            f"The shapes of the outputs of {names} are known only after a call. Call the net once with arrays before "
            "hybridize(), or pass the input sizes (in_units, in_channels) to the layers that use the outputs."
        )


def _place_of_return(method: Callable[..., Any]) -> Place:
    """Return the line of the only ``return``, or the line of the ``def`` if there are several."""
    code = method.__code__  # type: ignore[attr-defined]
    returns = {i.positions.lineno for i in dis.get_instructions(code) if i.opname.startswith("RETURN_") and i.positions}
    line = returns.pop() if len(returns) == 1 else None
    return Place(code.co_filename, line or code.co_firstlineno, method.__qualname__)
