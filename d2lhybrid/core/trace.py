"""Tracing: run ``hybrid_forward`` once with symbols; what goes in and what comes out."""

from __future__ import annotations

from typing import Any

from ..ndarray.ndarray import NDArray
from ..support.remedies import with_remedy
from ..symbol.symbol import Group, Symbol
from ..util import is_np_array

__all__ = ["flatten", "group_outputs", "regroup"]


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
        count = len(args._entries)
        return [args], count if count > 1 else 0
    if args is None:
        return [None], -1
    if not isinstance(args, list | tuple):
        error = ValueError(
            f"When hybridized, the input of HybridBlock {what} must be (nested) list of Symbol or NDArray, "
            f"but got {args} of type {type(args)}"
        )
        raise with_remedy(error, what, not is_np_array())
    flat, structure = [], []
    for arg in args:
        part, form = flatten(arg, what)
        flat += part
        structure.append(form)
    return flat, structure


def group_outputs(out: Any) -> tuple[Symbol, Any]:
    """Return what ``hybrid_forward`` returned as one symbol, and the structure it had.

    Raises
    ------
    ValueError, TypeError
        If it is not made of symbols.
    """
    outputs, structure = flatten(out, "output")
    try:
        return Group(outputs), structure
    except TypeError as error:
        missing = any(output is None for output in outputs)
        raise with_remedy(error, "no output" if missing else "array", not is_np_array())  # noqa: B904  the same error


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
