"""What a method's parameters mean, where its own docstring does not say: in that of a base, or of what it names."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any

from . import docstrings
from .docstrings import Item

__all__ = ["described"]

#: "The arguments are those of :meth:`fit`", "As :meth:`Module.bind`."
_NAMED = re.compile(r":(?:meth|func|class):`~?([\w.]+)`")


def described(owner: type, name: str) -> dict[str, Item]:
    """Return what is said of the parameters of a method: by itself, by its bases, and by what these refer to.

    Parameters
    ----------
    owner : type
        The class.
    name : str
        The method.

    Examples
    --------
    >>> class Store:
    ...     def save(self, path):
    ...         '''Write.
    ...
    ...         Parameters
    ...         ----------
    ...         path : str
    ...             The file.
    ...         '''
    ...     def load(self, path):
    ...         '''Read what :meth:`save` has written.'''
    >>> class Other(Store):
    ...     def load(self, path):
    ...         '''Read it from elsewhere.'''
    >>> described(Other, "load")["path"].text
    'The file.'
    """
    found: dict[str, Item] = {}
    _collect(owner, name, found, set())
    return found


def _collect(owner: type, name: str, found: dict[str, Item], seen: set[tuple[type, str]]) -> None:
    if (owner, name) in seen:
        return
    seen.add((owner, name))
    texts = [(each, _docstring(each, name)) for each in owner.__mro__ if name in vars(each)]
    for _, made in texts:
        _take(made, found)
    for each, made in texts:
        for reference in _NAMED.findall(made.text):
            _follow(reference, owner, each, found, seen)


def _docstring(owner: type, name: str) -> docstrings.Docstring:
    raw = vars(owner)[name]
    return docstrings.read(getattr(getattr(raw, "__func__", raw), "__doc__", None))


def _take(made: docstrings.Docstring, found: dict[str, Item]) -> None:
    for item in made.lists.get("Parameters", []):
        if item.text.strip():
            found.setdefault(item.name.lstrip("*"), item)


def _follow(reference: str, owner: type, writer: type, found: dict[str, Item], seen: set[tuple[type, str]]) -> None:
    """Add what is said of the parameters of something that a docstring of ``writer`` refers to."""
    head, _, tail = reference.rpartition(".")
    if not head and hasattr(owner, reference):
        _collect(owner, reference, found, seen)
        return
    home = next(_places(head, writer), None) if head else None
    if inspect.isclass(home) and tail in dir(home):
        _collect(home, tail, found, seen)
        return
    value = getattr(home, tail, None) if head else next(_places(reference, writer), None)
    if inspect.isclass(value):
        for each in value.__mro__:
            _take(docstrings.read(each.__doc__), found)
    elif callable(value):
        _take(docstrings.read(value.__doc__), found)


def _places(path: str, writer: type) -> Iterator[Any]:
    """Yield what a dotted name may mean in a docstring of a class: in its file, in the package around it, in Python."""
    package = writer.__module__.rpartition(".")[0]
    for module in (writer.__module__, package):
        value: Any = sys.modules.get(module)
        for part in path.split("."):
            value = getattr(value, part, None)
        if value is not None:
            yield value
    if path.startswith("d2lhybrid"):
        head, _, tail = path.rpartition(".")
        try:
            yield importlib.import_module(path)
        except ImportError:
            yield getattr(importlib.import_module(head), tail)
