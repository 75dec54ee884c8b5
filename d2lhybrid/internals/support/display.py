"""The representation of an object by its class and constructor arguments, for example at the end of a cell.

An object of a class that derives from :class:`Shown` is printed as a constructor call without default arguments. In a
notebook, the object is a small table (:mod:`d2lhybrid.internals.pictures.objects`).
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .plugins import service
from .printing import printed

__all__ = ["Property", "Shown", "brief", "properties", "said", "shorter"]

#: The largest number of characters for a value, and for an object with all its values.
_ROOM, _MOST = 60, 400
#: The largest number of items of a list that is shown completely; a longer list shows its first items and its length.
_FEW = 4
_PLAIN = (type(None), bool, int, float, complex)
_FUNCTIONS = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)


class Property(NamedTuple):
    """A constructor argument of an object.

    Attributes
    ----------
    name : str
        The name of the parameter.
    value : object
        The current value.
    by_default : bool
        Whether the value is the default.
    """

    name: str
    value: Any
    by_default: bool = False


class Shown:
    """The base class of objects with a readable representation.

    The representation contains the parameters of ``__init__`` that the object keeps as attributes of the same names,
    with or without a leading underscore. A class with other attributes overrides ``_shown``.

    Examples
    --------
    >>> class Crop(Shown):
    ...     def __init__(self, size, keep=True, where="middle"):
    ...         self.size, self._keep, self.where = size, keep, where
    >>> Crop((2, 3)), Crop(5, where="above")
    (Crop(size=(2, 3)), Crop(size=5, where='above'))
    """

    __slots__ = ()

    def _shown(self) -> Iterator[Property]:
        """Yield the properties to show."""
        return properties(self)

    @printed
    def __repr__(self) -> str:
        return _call(self, 0)

    def _repr_html_(self) -> str | None:
        return service("html_of")(self) or None


def properties(thing: Any, **kept: str) -> Iterator[Property]:
    """Yield the constructor arguments that an object keeps as attributes.

    Parameters
    ----------
    thing : object
        The object. The function calls none of its properties or methods.
    **kept
        The names of attributes by parameter name, if the names differ.
    """
    found = _attributes(thing)
    for parameter in _parameters(type(thing)):
        for name in (kept.get(parameter.name, parameter.name), f"_{parameter.name}"):
            if name in found:
                yield Property(parameter.name, found[name], _is_same(found[name], parameter.default))
                break


def _attributes(thing: Any) -> dict[str, Any]:
    found = dict(getattr(thing, "__dict__", {}))
    for cls in type(thing).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            slot = vars(cls).get(name)
            if isinstance(slot, types.MemberDescriptorType) and hasattr(thing, name):
                found.setdefault(name, slot.__get__(thing))
    return found


def _parameters(cls: type) -> Iterator[inspect.Parameter]:
    """Yield the constructor parameters of a class, including those of base classes to which it passes keywords."""
    given: set[str] = set()
    for base in cls.__mro__:
        init = vars(base).get("__init__")
        if not isinstance(init, types.FunctionType):
            continue
        found = list(inspect.signature(init).parameters.values())[1:]
        for parameter in found:
            if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) and parameter.name not in given:
                given.add(parameter.name)
                yield parameter
        if all(parameter.kind is not parameter.VAR_KEYWORD for parameter in found):
            return


def _is_same(value: Any, default: Any) -> bool:
    if value is default:
        return True
    plain = (*_PLAIN, str, tuple)
    return type(value) is type(default) and isinstance(value, plain) and repr(value) == repr(default)


def _call(thing: Any, depth: int) -> str:
    return said(thing, {p.name: p.value for p in thing._shown() if not p.by_default}, depth)


def said(thing: Any, values: Mapping[str, Any], depth: int = 0) -> str:
    """Return the text of a call that would construct an object; a long text is truncated.

    Parameters
    ----------
    thing : object
        The object.
    values : mapping
        The arguments, by parameter name.
    depth : int
        The depth at which the object is nested in other objects.

    Examples
    --------
    >>> said(3, {"base": 10, "digits": [1] * 100})
    'int(base=10, digits=[1, 1, ... 100 items])'
    """
    name, parts = type(thing).__name__, [f"{n}={brief(v, depth=depth + 1)}" for n, v in values.items()]
    text = f"{name}({', '.join(parts)})"
    while len(text) > _MOST and parts:
        parts.pop()
        text = f"{name}({', '.join([*parts, '...'])})"
    return text


def brief(value: Any, room: int = _ROOM, depth: int = 0) -> str:
    """Return a short text that represents a value.

    This function calls no user code. The text for an object of an unknown class is the name of the class in angle
    brackets.

    Parameters
    ----------
    value : object
        Any object.
    room : int
        The desired number of characters.
    depth : int
        The depth at which the value is nested in other objects.

    Examples
    --------
    >>> import numpy
    >>> brief([1, 2, 3]), brief(list(range(1000))), brief("a" * 100, room=10), brief(numpy.ones((2, 3)))
    ('[1, 2, 3]', '[0, 1, ... 1000 items]', "'aaaaaa...", '<ndarray 2x3 float64>')
    """
    numpy: Any = sys.modules.get("numpy")  # ``doctor`` must run without NumPy
    has_numpy = hasattr(numpy, "ufunc")
    if has_numpy and isinstance(value, numpy.generic):
        value = value.item()
    if type(value) in _PLAIN:
        return _cut(repr(value), room)
    if type(value) in (str, bytes):
        return _cut(repr(value[: room + 1]), room)
    if has_numpy and isinstance(value, numpy.dtype):
        return repr(str(value))
    if isinstance(value, _FUNCTIONS) or (has_numpy and isinstance(value, numpy.ufunc)):
        return str(value.__name__)
    if type(value) in (list, tuple, set, frozenset, dict):
        return _items(value, room, depth)
    ours = type(value).__module__.partition(".")[0] == __name__.partition(".")[0]
    if has_numpy and (isinstance(value, numpy.ndarray) or (ours and hasattr(type(value), "stype"))):
        shape = "x".join(map(str, value.shape)) or "()"
        return f"<{type(value).__name__} {shape} {numpy.dtype(value.dtype)}>"
    if isinstance(value, Shown) and depth < 2:
        has_own = type(value).__repr__ is not Shown.__repr__
        if not has_own:
            text = _call(value, depth)
            return text if len(text) <= room else f"{type(value).__name__}(...)"
        if ours:
            return _cut(repr(value), room)
    name = next((n for key in ("name", "_name") if ours and type(n := _attributes(value).get(key)) is str), "")
    return f"<{type(value).__name__}{f' {name}' if name else ''}>"


def _items(value: Any, room: int, depth: int) -> str:
    """Return the text of a list or another collection; a long collection is truncated after its first items."""
    opening, closing = {list: "[]", tuple: "()"}.get(type(value), "{}")
    if depth > 2:
        return f"{opening}...{closing}"
    pairs = isinstance(value, dict)
    few = list(value.items() if pairs else value)[:_FEW] if len(value) <= _FEW else _first(value, 2)
    said = [
        f"{brief(item[0], depth=depth + 1)}: {brief(item[1], depth=depth + 1)}"
        if pairs
        else brief(item, depth=depth + 1)
        for item in few
    ]
    comma = "," if type(value) is tuple and len(value) == 1 else ""
    text = f"{opening}{', '.join(said)}{comma}{closing}"
    if len(value) <= _FEW and len(text) <= room:
        return text if value or not isinstance(value, set | frozenset) else "set()"
    count = f"... {len(value)} items"
    while said and len(", ".join([*said, count])) + 2 > room:
        said.pop()
    return f"{opening}{', '.join([*said, count])}{closing}"


def _first(value: Any, count: int) -> list[Any]:
    items = iter(value.items() if isinstance(value, dict) else value)
    return [item for item, _ in zip(items, range(count), strict=False)]


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 3]}..."


def shorter(line: str, most: int = 160) -> str:
    """Return a line of a program for a report or a saved page; a very long line is truncated with an ellipsis.

    Parameters
    ----------
    line : str
        The line.
    most : int
        The number of characters to keep.

    Examples
    --------
    >>> shorter("def forward(a, b, c, d):", 12)
    'def forward(…'
    """
    return line if len(line) <= most else f"{line[:most]}…"
