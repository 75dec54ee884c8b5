"""Questions about values and functions."""

from __future__ import annotations

import contextlib
import copy
import dis
import inspect
import io
from typing import Any

import numpy

from d2lhybrid import ndarray as nd
from d2lhybrid.gluon import Block, HybridBlock
from d2lhybrid.ndarray.ndarray import NDArray
from d2lhybrid.symbol.symbol import Symbol

from ...core.operator import Operator
from .session import Session, probe

__all__ = ["is_unwritten", "to_arrays", "to_plain"]


class _Empty: ...


def _nothing() -> None: ...


_IN_EVERY_CLASS = vars(_Empty).keys()


def is_unwritten(value: Any) -> bool:
    """Return whether a value is a stub, like the values in an exercise's starter.

    Examples
    --------
    >>> def f(x):
    ...     "Say what it should do."
    ...     ...
    >>> is_unwritten(f), is_unwritten(None), is_unwritten({"a": ...}), is_unwritten(lambda x: x)
    (True, True, True, False)
    """
    if value is None or value is Ellipsis:
        return True
    if isinstance(value, dict):
        return all(is_unwritten(item) for item in value.values())
    if isinstance(value, list | tuple):
        return bool(value) and all(is_unwritten(item) for item in value)
    if isinstance(value, Operator):
        value = value.kernel
    if inspect.isfunction(value):
        return _returns_none(value)
    if isinstance(value, type):
        if value.__bases__ == (object,) and not vars(value).keys() - _IN_EVERY_CLASS:
            return True
        written = [m for name, m in vars(value).items() if inspect.isfunction(m) and name != "__init__"]
        return bool(written) and all(map(_returns_none, written))
    return False


def _returns_none(function: Any) -> bool:
    """Return whether a function has the instructions of a function without statements, which depend on the Python."""
    return _instructions(function) == _instructions(_nothing)


def _instructions(function: Any) -> list[tuple[str, Any]]:
    """Return the name and the argument of each instruction of a function, except instructions that compute nothing."""
    return [
        (i.opname, i.argval)
        for i in dis.get_instructions(function)
        if i.opname not in ("RESUME", "NOP", "COPY_FREE_VARS")
    ]


def to_arrays(value: Any) -> Any:
    """Return plain data with NumPy arrays converted to NDArrays of the same type."""
    if isinstance(value, numpy.ndarray):
        return nd.array(value, dtype=value.dtype)
    if isinstance(value, list):
        return [to_arrays(item) for item in value]
    if isinstance(value, dict):
        return {key: to_arrays(item) for key, item in value.items()}
    return value


def to_plain(value: Any) -> Any:
    """Return a result with tuples as lists and symbols as ``{"symbol": JSON}``; other values are unchanged."""
    if isinstance(value, Symbol):
        return {"symbol": value.tojson()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    return value


@probe
def describe(session: Session) -> dict[str, Any]:
    """Return the kind, the type, and the base classes of the answer, and whether the answer has been written."""
    answer = session.answer
    kind = "value"
    if isinstance(answer, type):
        kind = "class"
    elif isinstance(answer, Block):
        kind = "net"
    elif isinstance(answer, Symbol):
        kind = "symbol"
    elif isinstance(answer, NDArray | numpy.ndarray):
        kind = "array"
    elif isinstance(answer, Operator):
        kind = "operator"
    elif callable(answer):
        kind = "function"
    bases = [base.__name__ for base in answer.__mro__] if isinstance(answer, type) else []
    hybrid = isinstance(answer, type) and issubclass(answer, HybridBlock)
    block = isinstance(answer, type) and issubclass(answer, Block)
    return {
        "kind": kind,
        "type": type(answer).__name__,
        "unwritten": is_unwritten(answer),
        "bases": bases,
        "block": block,
        "hybrid": hybrid,
    }


@probe
def value(session: Session) -> Any:
    """Return the answer, converted by :func:`to_plain`."""
    return to_plain(session.answer)


@probe
def call(session: Session, args: Any = (), kwargs: Any = None, raw: bool = False) -> dict[str, Any]:
    """Call the answer, and return the result, its type, the printed text, and whether the arguments have changed.

    Only ``raw`` arguments are compared with copies from before the call.
    """
    convert = (lambda v: v) if raw else to_arrays
    args, kwargs = [convert(a) for a in args], {k: convert(v) for k, v in (kwargs or {}).items()}
    given = copy.deepcopy(args) if raw else args
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = session.answer(*args, **kwargs)
    return {"result": to_plain(result), "type": type(result).__name__, "printed": printed.getvalue()[:10000],
            "changed": raw and given != args}  # fmt: skip


@probe
def call_with_symbols(session: Session, names: list[str]) -> Any:
    """Call the answer with symbols of the given names, and return the result, with symbols as JSON, and its type."""
    from d2lhybrid import symbol as sym

    result = session.answer(*[sym.var(name) for name in names])
    return {"result": to_plain(result), "type": type(result).__name__}
