"""The ways in which a name, a method or an argument comes back."""

from __future__ import annotations

import ctypes
import functools
import gc
import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .relied import asked_by_a_library_of_today, note

__all__ = ["RESTORED", "Restored", "adapt", "arguments", "in_c_type", "members", "names", "positional"]


class Restored(NamedTuple):
    """A restored name, for finding its uses in programs without running them.

    Attributes
    ----------
    kind : {"name", "member", "argument", "module"}
        What it is.
    owner : str
        The module, the class or the function that has it, with the name of its library at the beginning.
    name, instead : str
        Its name, and what to write today.
    """

    kind: str
    owner: str
    name: str
    instead: str


#: Everything restored in this process, by name.
RESTORED: list[Restored] = []

#: The value of a name, made on demand, and its present replacement.
Row = tuple[Callable[[], Any], str]


def names(module: types.ModuleType, rows: Mapping[str, Row], prefix: str = "") -> None:
    """Restore removed names of a module.

    Each is made when a program asks for it, and noted; libraries of today do not see it.

    Parameters
    ----------
    module : module
        The module.
    rows : dict
        Name -> (function that makes it, what to write today).
    prefix : str
        The name of the module in what is noted; its own by default.
    """
    before = getattr(module, "__getattr__", None)
    prefix = prefix or module.__name__
    RESTORED.extend(Restored("name", module.__name__, name, instead) for name, (_, instead) in rows.items())

    def get(name: str) -> Any:
        if name in rows and not asked_by_a_library_of_today():
            make, instead = rows[name]
            found = make()
            note(f"{prefix}.{name}", instead)
            return found
        if before is not None:
            return before(name)
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

    module.__getattr__ = get  # type: ignore[method-assign]


def members(kind: Any, rows: Mapping[str, tuple[Any, str]], prefix: str) -> None:
    """Restore removed methods and properties of a class; existing ones are kept.

    Parameters
    ----------
    kind : type
        The class.
    rows : dict
        Name -> (function or property, what to write today).
    prefix : str
        The name of the class in what is noted.
    """
    for name, (made, instead) in rows.items():
        if not hasattr(kind, name):
            RESTORED.append(Restored("member", _of_library(kind, prefix), name, instead))
            setattr(kind, name, _noting(made, f"{prefix}.{name}", instead))


def _of_library(owner: Any, name: str) -> str:
    """Return the name of an owner with that of its library before it."""
    home = owner.__name__ if isinstance(owner, types.ModuleType) else owner.__module__
    library = home.partition(".")[0]
    return name if name.partition(".")[0] == library else f"{library}.{name}"


def _noting(made: Any, what: str, instead: str) -> Any:
    if isinstance(made, property):
        return property(_noting(made.fget, what, instead))
    if isinstance(made, (classmethod, staticmethod)):
        return type(made)(_noting(made.__func__, what, instead))

    @functools.wraps(made)
    def run(*given: Any, **named: Any) -> Any:
        note(what, instead)
        return made(*given, **named)

    return run


def in_c_type(kind: type, rows: Mapping[str, tuple[Any, str]], prefix: str) -> None:
    """Restore removed methods of a class written in C.

    Its dictionary is read-only for Python: where an interpreter does not hand it out, nothing is changed.
    """
    held = [found for found in gc.get_referents(vars(kind)) if type(found) is dict]
    if len(held) != 1 or not hasattr(ctypes, "pythonapi"):
        return
    for name, (made, instead) in rows.items():
        if not callable(getattr(kind, name, None)):  # NumPy 2.0 has descriptors that say what is gone
            RESTORED.append(Restored("member", _of_library(kind, prefix), name, instead))
            held[0][name] = _noting(made, f"{prefix}.{name}", instead)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def adapt(owner: Any, name: str, change: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]) -> None:
    """Route calls of a function through a wrapper, which gets the function and the arguments.

    Parameters
    ----------
    owner : module or type
        What has the function.
    name : str
        Its name there. Where there is none, nothing is changed.
    change : callable
        ``change(function, arguments, named)`` calls the function.
    """
    function = getattr(owner, name, None)
    if function is None:
        return

    @functools.wraps(function)
    def run(*given: Any, **named: Any) -> Any:
        return change(function, given, named)

    setattr(owner, name, run)


def arguments(owner: Any, function: str, prefix: str, rename: Mapping[str, str] = {}, drop: Iterable[str] = ()) -> None:
    """Accept removed arguments of a function, which are renamed or ignored.

    Parameters
    ----------
    owner : module or type
        What has the function.
    function : str
        Its name.
    prefix : str
        The name of its owner in what is noted.
    rename : dict
        Old name -> today's.
    drop : iterable of str
        Names of those that nothing asks for any more.
    """
    what = f"{prefix}.{function}({{}}=)"

    def change(run: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        for name in [name for name in named if name in dropped or name in rename]:
            value = named.pop(name)
            if name in rename:
                named.setdefault(rename[name], value)
            note(what.format(name), rename[name] + "=" if name in rename else "leave it out")
        return run(*given, **named)

    dropped = frozenset(drop)
    if hasattr(owner, function):
        home = _of_library(owner, f"{owner.__name__}.{function}")
        rows = [*((name, f"{today}=") for name, today in rename.items()), *((name, "leave it out") for name in dropped)]
        RESTORED.extend(Restored("argument", home, name, instead) for name, instead in rows)
    adapt(owner, function, change)


def positional(owner: Any, function: str, prefix: str, order: str = "") -> None:
    """Accept keyword-only arguments by position, in the order of the signature or the given one.

    Parameters
    ----------
    owner : module or type
        What has the function.
    function : str
        Its name.
    prefix : str
        The name of its owner in what is noted.
    order : str
        The names of its parameters, the first that it takes by place included.
    """
    plain = getattr(owner, function, None)
    if plain is None:
        return
    parameters = inspect.signature(plain).parameters
    places = [n for n, p in parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters.values()):
        return
    listed = order.split() or [n for n, p in parameters.items() if p.kind is not p.VAR_KEYWORD]

    def change(run: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if len(given) > len(places):
            for name, value in zip(listed[len(places) :], given[len(places) :], strict=False):
                named.setdefault(name, value)
                note(f"{prefix}.{function}: {name} by place", f"{name}=")
            given = given[: len(places)]
        return run(*given, **named)

    adapt(owner, function, change)
