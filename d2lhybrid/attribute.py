"""Scopes that attach attributes to all symbols that are created in them: ``with mx.AttrScope(ctx_group="dev1"):``."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

from .error import MXNetError
from .internals.support.notes import with_note
from .internals.support.scopes import Scope, Switches

__all__ = ["HIDDEN_KEYS", "AttrScope", "current_attributes", "of_operator", "of_variable"]

#: Attributes that MXNet stores with double underscores, and lists with and without them.
HIDDEN_KEYS = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage")


def of_variable(attributes: dict[str, str]) -> dict[str, str]:
    """Convert the attributes of a variable, or of an existing node, to their form in a graph.

    Names that MXNet defines, such as ``lr_mult``, get double underscores, and all values become strings.

    Parameters
    ----------
    attributes : dict of str to object
        The attributes.

    Returns
    -------
    dict of str to str
        The attributes in the form that a graph stores.

    Raises
    ------
    MXNetError
        If an attribute's name is a variable's name followed by a name that MXNet defines, such as ``weight_lr_mult``.
        Old versions of MXNet accepted such attributes.

    Examples
    --------
    >>> of_variable({"lr_mult": "2", "mood": "fine"})
    {'__lr_mult__': '2', 'mood': 'fine'}
    """
    return {f"__{key}__" if _hidden_part(key, value) == key else key: str(value) for key, value in attributes.items()}


def of_operator(attributes: dict[str, Any]) -> dict[str, str]:
    """Convert the attributes in an operator call to their form in a graph.

    As in MXNet, a name gets double underscores if it begins with a name that MXNet defines, such as ``lr_mult``. All
    values become strings.

    Parameters
    ----------
    attributes : dict of str to object
        The attributes.

    Returns
    -------
    dict of str to str
        The attributes in the form that a graph stores.

    Raises
    ------
    MXNetError
        If an attribute's name is a variable's name followed by a name that MXNet defines, such as ``weight_lr_mult``.
        Old versions of MXNet accepted such attributes.

    Examples
    --------
    >>> of_operator({"lr_mult": 2, "ctx_groups": "a", "mood": "fine"})
    {'__lr_mult__': '2', '__ctx_groups__': 'a', 'mood': 'fine'}
    """
    return {f"__{key}__" if _hidden_part(key, value) else key: str(value) for key, value in attributes.items()}


def _hidden_part(key: str, value: Any) -> str:
    """Return the hidden key that an attribute begins with, or an empty string if there is none."""
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
    """A metaclass that gives a class the thread-local attribute ``current``."""

    @property
    def current(cls) -> AttrScope:
        """The attributes of all open scopes in this thread, as one scope. Programs can assign another scope."""
        scope = AttrScope()
        scope._attr = dict(_current.attributes)
        return scope

    @current.setter
    def current(cls, scope: AttrScope) -> None:
        _current.attributes = dict(scope._attr)


class AttrScope(Scope, metaclass=_WithCurrent):
    """A scope that attaches attributes to all symbols that are created in it.

    Parameters
    ----------
    **attributes : str
        The attributes. Names that MXNet defines, such as ``lr_mult`` and ``ctx_group``, are stored with double
        underscores, as in the file format. Write all other names with double underscores, because an operator
        interprets attributes without double underscores as its own parameters.

    Raises
    ------
    ValueError
        If a value is not a string.
    """

    #: Number of uses of each name for the body of a loop or a branch.
    _subgraph_names: ClassVar[dict[str, int]] = defaultdict(int)

    def __init__(self, **attributes: str) -> None:
        for name, value in attributes.items():
            if not isinstance(value, str):
                error = ValueError("Attributes need to be string")
                raise with_note(error, f"Pass a string, {name}={str(value)!r}, not {name}={value!r}.")
        self._attr = attributes

    def inside(self) -> dict[str, Any]:
        """Return the thread-local settings that a ``with`` statement changes."""
        return {"attributes": {**_current.attributes, **self._attr}}

    def get(self, attr: dict[str, str] | None) -> dict[str, str]:
        """Merge the scope's attributes with the attributes in ``attr``, which take precedence.

        Parameters
        ----------
        attr : dict of str to str, optional
            Attributes that take precedence.

        Returns
        -------
        dict of str to str
            The merged attributes.
        """
        return {**self._attr, **(attr or {})}


_current = AttrScope.switches = Switches(attributes={})


def current_attributes() -> dict[str, str]:
    """Return the attributes of all open scopes in this thread."""
    return _current.attributes
