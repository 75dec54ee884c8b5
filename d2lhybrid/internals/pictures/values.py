"""Short descriptions of values: arrays with their numbers, symbols with their names, F, and plain Python values."""

from __future__ import annotations

import hashlib
import reprlib
import types
from typing import Any, NamedTuple

import numpy

from ...ndarray.ndarray import NDArray
from ...symbol.symbol import Symbol
from ..device import array_modules

__all__ = ["Value", "describe", "digest", "fingerprint"]

#: The maximum length of a description.
_WIDTH = 72
#: The maximum size in bytes of arrays that are examined for changes in place.
_MAX_SEARCHED = 2**16

_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = 48


class Value(NamedTuple):
    """A description of the value of a variable at one time.

    Attributes
    ----------
    kind : str
        ``"array"``, ``"symbol"``, ``"functions"`` (for F), or ``"python"``.
    text : str
        Description, such as ``NDArray 1×3 float32 [[1 2 3]]``.
    """

    kind: str
    text: str


def describe(value: Any) -> Value:
    """Return a description of a value. The function calls no user code except ``__repr__`` methods.

    Examples
    --------
    >>> from d2lhybrid import nd, sym
    >>> describe(nd.array([[1, 2, 3]]))
    Value(kind='array', text='NDArray 1×3 float32 [[1 2 3]]')
    >>> describe(sym.var("data") * 2).kind, describe(nd).text, describe("text").text
    ('symbol', 'd2lhybrid.ndarray', "'text'")
    """
    if isinstance(value, NDArray):
        raw = value._data
        size = "×".join(map(str, raw.shape)) or "()"
        return Value("array", f"{type(value).__name__} {size} {raw.dtype} {_numbers(raw)}")
    if isinstance(value, Symbol):
        return Value("symbol", repr(value))
    if isinstance(value, types.ModuleType):
        return Value("functions", value.__name__)
    if isinstance(value, list | tuple) and value and len(value) <= 4:
        parts = [describe(part) for part in value]
        kinds = {part.kind for part in parts} - {"python"}
        if kinds:
            opening, closing = "[]" if isinstance(value, list) else "()"
            return Value(kinds.pop(), _cut(opening + ", ".join(part.text for part in parts) + closing, 2 * _WIDTH))
    try:
        text = _short.repr(value)
    except Exception as error:  # raised by a user's __repr__
        text = f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    return Value("python", _cut(" ".join(text.split())))


def _numbers(raw: Any) -> str:
    """Return the first and the last numbers of an array."""
    if raw.size > 64:  # avoid copying a large array from the device
        raw = array_modules.asnumpy(raw[tuple(slice(0, 3) for _ in raw.shape)])
        return _cut(_written(raw).rstrip("]")[:40], 42).rstrip("… ") + " …"
    return _cut(_written(array_modules.asnumpy(raw)))


def _written(raw: numpy.ndarray) -> str:
    text = numpy.array2string(raw, precision=4, threshold=12, edgeitems=2, suppress_small=True, max_line_width=10_000)
    return " ".join(text.replace(".]", "]").replace(". ", " ").split()).replace("[ ", "[").replace(" ]", "]")


def _cut(text: str, width: int = _WIDTH) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def fingerprint(value: Any) -> Any:
    """Return a key that changes with a value's identity, the numbers in a small array, or the length of a container."""
    if isinstance(value, NDArray) and value._data.nbytes <= _MAX_SEARCHED:
        return id(value), array_modules.asnumpy(value._data).tobytes()
    return id(value), len(value) if isinstance(value, list | dict | set) else 0


def digest(value: Any) -> str | None:
    """Return a hash of the numbers, types, and shapes in a value, or None if an array is larger than 1 MiB.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> digest(nd.ones((2,))) == digest([nd.ones((2,))]) != digest(nd.ones((3,)))
    True
    """
    if isinstance(value, list | tuple):
        parts = [digest(part) for part in value]
        if len(parts) == 1:
            return parts[0]  # a hybridized net may return a list
        return None if None in parts else hashlib.md5(" ".join(map(str, parts)).encode()).hexdigest()
    if not isinstance(value, NDArray):
        return hashlib.md5(describe(value).text.encode()).hexdigest()
    raw = value._data
    if raw.nbytes > 2**20:
        return None
    return hashlib.md5(f"{raw.shape} {raw.dtype} ".encode() + array_modules.asnumpy(raw).tobytes()).hexdigest()
