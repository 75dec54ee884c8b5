"""Tracing: run ``hybrid_forward`` once with symbols, and know which line of the user's made what."""

from __future__ import annotations

import dis
import sys
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

from ..ndarray.ndarray import NDArray
from ..support.remedies import explain, place, source_line, with_remedy
from ..support.scopes import Scope, Switches
from ..symbol.symbol import Group, Symbol, source_scope
from ..util import is_np_array, is_user_file

__all__ = [
    "BlockCall",
    "Source",
    "calling",
    "explain_failure",
    "flatten",
    "group_outputs",
    "regroup",
    "remember_lines",
]


class BlockCall(NamedTuple):
    """One call of a child block while its parent was traced.

    Attributes
    ----------
    key : str
        Under which name the parent has the child: ``"hidden"``, ``"0"``.
    kind : str
        Its class.
    name : str
        Its own name: ``"dense0"``.
    number : int
        Which call of this child it was in this call of the parent, from 1.
    """

    key: str
    kind: str
    name: str
    number: int


class Source(tuple[str, int]):
    """Where a node comes from: (file name, line) of the user's code, and the calls of blocks around it.

    Attributes
    ----------
    calls : tuple of BlockCall
        From the outermost child of the traced block to the innermost.

    Examples
    --------
    >>> filename, line = Source("net.py", 7, (BlockCall("hidden", "Dense", "dense0", 1),))
    >>> filename, line
    ('net.py', 7)
    """

    calls: tuple[BlockCall, ...]

    def __new__(cls, filename: str, line: int, calls: tuple[BlockCall, ...] = ()) -> Source:
        """Make the pair."""
        source = super().__new__(cls, (filename, line))
        source.calls = calls
        return source

    def __reduce__(self) -> tuple[Any, ...]:
        return Source, (*self, self.calls)


#: The calls that are being traced now; and of the innermost block, the names of its children by id, and how often
#: each of them was called (None outside a trace).
_calling = Switches(calls=(), block=None)


def calling(block: Any) -> Scope:
    """Return a scope in which new nodes remember that this block was called."""
    calls = _calling.calls
    if _calling.block is not None:
        keys, counts = _calling.block
        key = str(keys.get(id(block), block.name))
        counts[key] = counts.get(key, 0) + 1
        calls = (*calls, BlockCall(key, type(block).__name__, block.name, counts[key]))
    return Scope(_calling, calls=calls, block=({id(child): key for key, child in block._children.items()}, {}))


def _user_line() -> Source | None:
    """Return the innermost frame outside this package: the user's own line."""
    frame = sys._getframe(2)
    while frame is not None:
        if is_user_file(frame.f_code.co_filename):
            return Source(frame.f_code.co_filename, frame.f_lineno, _calling.calls)
        frame = frame.f_back
    return None


def remember_lines() -> Scope:
    """Return a scope in which every new node remembers the user's line.

    Who follows the lines already, further outside, goes on doing so in his own way.
    """
    return source_scope(_user_line)


def explain_failure(error: BaseException, method: Callable[..., Any]) -> None:
    """Add to an error of the trace what to write instead, and the user's own line.

    Parameters
    ----------
    error : BaseException
        What was raised while ``hybrid_forward`` ran with symbols, or by what it returned.
    method : callable
        That ``hybrid_forward``: its line is named when no line of it raised the error.
    """
    if any(note.startswith("while tracing") for note in getattr(error, "__notes__", [])):
        return
    explain(error)
    where = method.__qualname__, *_line_of_return(method)
    for frame, line in traceback.walk_tb(error.__traceback__):
        if is_user_file(frame.f_code.co_filename):
            where = frame.f_code.co_qualname, frame.f_code.co_filename, line
    name, filename, line = where
    place(error, filename, line)
    error.add_note(f"while tracing {name.rpartition('<locals>.')[2]} with Symbols, {source_line(filename, line)}")


def _line_of_return(method: Callable[..., Any]) -> tuple[str, int]:
    """Return the file, and the line of the only ``return``; of the ``def`` if there are several."""
    code = method.__code__  # type: ignore[attr-defined]
    returns = {i.positions.lineno for i in dis.get_instructions(code) if i.opname.startswith("RETURN_") and i.positions}
    line = returns.pop() if len(returns) == 1 else None
    return code.co_filename, line or code.co_firstlineno


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
