"""Attributes that every symbol made inside a scope gets: ``with mx.AttrScope(ctx_group="dev1"):``."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

from .error import MXNetError
from .internals.support.scopes import Scope, Switches

__all__ = ["HIDDEN_KEYS", "AttrScope", "current_attributes", "of_operator", "of_variable"]

#: Attributes that MXNet keeps with underscores, and lists with and without them.
HIDDEN_KEYS = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage")


def of_variable(attributes: dict[str, str]) -> dict[str, str]:
    """Convert the attributes of a variable, or of an existing node, to the form in a graph.

    Raises
    ------
    MXNetError
        For an attribute of another variable, in the way of old versions of MXNet: ``weight_lr_mult``.

    Examples
    --------
    >>> of_variable({"lr_mult": "2", "mood": "fine"})
    {'__lr_mult__': '2', 'mood': 'fine'}
    """
    return {f"__{key}__" if _hidden_part(key, value) == key else key: str(value) for key, value in attributes.items()}


def of_operator(attributes: dict[str, Any]) -> dict[str, str]:
    """Convert the attributes in the call of an operator to the form in a graph.

    All that begins like a hidden attribute becomes one here, and every value becomes text, as in MXNet.

    Raises
    ------
    MXNetError
        For an attribute of another variable, in the way of old versions of MXNet: ``weight_lr_mult``.

    Examples
    --------
    >>> of_operator({"lr_mult": 2, "ctx_groups": "a", "mood": "fine"})
    {'__lr_mult__': '2', '__ctx_groups__': 'a', 'mood': 'fine'}
    """
    return {f"__{key}__" if _hidden_part(key, value) else key: str(value) for key, value in attributes.items()}


def _hidden_part(key: str, value: Any) -> str:
    """Return the hidden key with which an attribute begins, nothing for another attribute."""
    for hidden in HIDDEN_KEYS:
        if key.startswith(hidden) and key.rfind(hidden) == 0:
            return hidden
        if key.endswith(hidden):
            variable = key.removesuffix(hidden)[:-1]
            raise MXNetError(
                f"setting variable attributes with {key} is deprecated. please instead use\n"
                f"w = Variable({hidden}={value})\nsym = YourSymbolName({variable}=w)"
            )
    return ""


class _WithCurrent(type):
    """The class of a class with an attribute that each thread has for itself."""

    @property
    def current(cls) -> AttrScope:
        """The attributes of all scopes that are open in this thread, as one scope; it can be set."""
        scope = AttrScope()
        scope._attr = dict(_current.attributes)
        return scope

    @current.setter
    def current(cls, scope: AttrScope) -> None:
        _current.attributes = dict(scope._attr)


class AttrScope(Scope, metaclass=_WithCurrent):
    """A scope whose attributes are attached to all symbols made inside.

    Parameters
    ----------
    **attributes : str
        The symbols keep those that MXNet knows (``lr_mult``, ``ctx_group``) with the double underscores of the file
        format; others should have them, too, for an operator with settings takes an attribute without for one.

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

    def inside(self) -> dict[str, Any]:
        """Return what a ``with`` statement sets."""
        return {"attributes": {**_current.attributes, **self._attr}}

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
    """Return the attributes of all open scopes in this thread."""
    return _current.attributes
