"""Functions that restore names, methods, and arguments."""

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
    """A restored name, as data for finding its uses in programs without running them.

    Attributes
    ----------
    kind : {"name", "member", "argument", "module"}
        Kind of the name.
    owner : str
        Module, class, or function that has the name, preceded by the name of its library.
    name, instead : str
        The restored name, and its present replacement.
    """

    kind: str
    owner: str
    name: str
    instead: str


#: All names that this process has restored.
RESTORED: list[Restored] = []

#: A function that returns the value of a name, and the present replacement.
Row = tuple[Callable[[], Any], str]


def names(module: types.ModuleType, rows: Mapping[str, Row], prefix: str = "") -> None:
    """Restore removed names of a module.

    A value is created and recorded when a program accesses the name. For libraries that handle removed names
    themselves, the name stays missing.

    Parameters
    ----------
    module : module
        The module.
    rows : dict
        By name, a function that returns the value, and the present replacement.
    prefix : str
        Name of the module in the list of used names; by default, the module's own name.
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
    """Restore removed methods and properties of a class. Existing methods and properties are kept.

    Parameters
    ----------
    kind : type
        The class.
    rows : dict
        By name, the function or property, and the present replacement.
    prefix : str
        Name of the class in the list of used names.
    """
    for name, (made, instead) in rows.items():
        if not hasattr(kind, name):
            RESTORED.append(Restored("member", _of_library(kind, prefix), name, instead))
            setattr(kind, name, _noting(made, f"{prefix}.{name}", instead))


def _of_library(owner: Any, name: str) -> str:
    """Return the name of an owner, preceded by the name of its library."""
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

    The dictionary of such a class is read-only for Python code, so this function uses the interpreter's internals. If
    the internals don't expose the dictionary, the class stays unchanged.

    Parameters
    ----------
    kind, rows, prefix
        Arguments of :func:`members`.
    """
    held = [found for found in gc.get_referents(vars(kind)) if type(found) is dict]
    if len(held) != 1 or not hasattr(ctypes, "pythonapi"):
        return
    for name, (made, instead) in rows.items():
        if not callable(getattr(kind, name, None)):  # NumPy 2.0 has descriptors that raise errors for removed methods
            RESTORED.append(Restored("member", _of_library(kind, prefix), name, instead))
            held[0][name] = _noting(made, f"{prefix}.{name}", instead)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def adapt(owner: Any, name: str, change: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]) -> None:
    """Replace a function with a wrapper that receives the function and its arguments.

    Parameters
    ----------
    owner : module or type
        Owner of the function.
    name : str
        Name of the function. If the owner has no such function, the call has no effect.
    change : callable
        Wrapper ``change(function, arguments, named)``, which calls the function.
    """
    function = getattr(owner, name, None)
    if function is None:
        return

    @functools.wraps(function)
    def run(*given: Any, **named: Any) -> Any:
        return change(function, given, named)

    setattr(owner, name, run)


def arguments(owner: Any, function: str, prefix: str, rename: Mapping[str, str] = {}, drop: Iterable[str] = ()) -> None:
    """Make a function accept removed arguments, which are renamed or ignored.

    Parameters
    ----------
    owner : module or type
        Owner of the function.
    function : str
        Name of the function.
    prefix : str
        Name of the owner in the list of used names.
    rename : dict
        The present name of each renamed argument.
    drop : iterable of str
        Names of arguments to ignore.
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
    """Make a function accept keyword-only arguments by position, in the order of the signature or of ``order``.

    Parameters
    ----------
    owner : module or type
        Owner of the function.
    function : str
        Name of the function.
    prefix : str
        Name of the owner in the list of used names.
    order : str
        Names of the function's parameters, including the positional parameters, separated by spaces.
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
