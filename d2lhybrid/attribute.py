"""Attributes that every symbol made inside a scope gets: ``with mx.AttrScope(ctx_group="dev1"):``."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

from .support.scopes import Scope, Switches

__all__ = ["HIDDEN_KEYS", "AttrScope", "current_attributes", "hidden"]

#: Attributes that MXNet keeps with underscores, and lists with and without them.
HIDDEN_KEYS = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage", "profiler_scope")


def hidden(attributes: dict[str, str]) -> dict[str, str]:
    """Return attributes of a symbol as a graph keeps them: ``lr_mult`` becomes ``__lr_mult__``.

    Examples
    --------
    >>> hidden({"lr_mult": "2", "mood": "fine"})
    {'__lr_mult__': '2', 'mood': 'fine'}
    """
    return {f"__{key}__" if key in HIDDEN_KEYS else key: value for key, value in attributes.items()}


class _WithCurrent(type):
    """The class of a class with an attribute that each thread has for itself."""

    @property
    def current(cls) -> AttrScope:
        """The attributes of all scopes that are open in this thread, as one scope; it can be set."""
        scope = AttrScope()
        scope._attributes = dict(_current.attributes)
        scope._attr = {n[2:-2] if n[2:-2] in HIDDEN_KEYS else n: v for n, v in scope._attributes.items()}
        return scope

    @current.setter
    def current(cls, scope: AttrScope) -> None:
        _current.attributes = dict(scope._attributes)


class AttrScope(Scope, metaclass=_WithCurrent):
    """A scope whose attributes are attached to all symbols made inside.

    Parameters
    ----------
    **attributes : str
        Those that MXNet knows (``lr_mult``, ``ctx_group``) are kept with the double underscores of the file format;
        others should have them, too, for an operator with settings takes an attribute without for one.

    Raises
    ------
    ValueError
        If a value is not a string.
    """

    #: How often each name of a body of a loop or a branch has been given.
    _subgraph_names: ClassVar[dict[str, int]] = defaultdict(int)

    def __init__(self, **attributes: str) -> None:
        for value in attributes.values():
            if not isinstance(value, str):
                raise ValueError("Attributes need to be string")
        self._attr = attributes
        self._attributes = hidden(attributes)

    def inside(self) -> dict[str, Any]:
        """Return what a ``with`` statement sets."""
        return {"attributes": {**_current.attributes, **self._attributes}}

    def get(self, attr: dict[str, str] | None) -> dict[str, str]:
        """Return the scope's attributes, overridden by given ones.

        Parameters
        ----------
        attr : dict of str to str, optional
            The given ones.
        """
        return {**self._attr, **(attr or {})}


_current = AttrScope.switches = Switches(attributes={})


def current_attributes() -> dict[str, str]:
    """Return the attributes of the scopes that are open in this thread."""
    return _current.attributes
