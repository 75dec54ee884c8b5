"""``mx.error``: exceptions by the names that they have in messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .errors import MXNetError

__all__ = ["InternalError", "MXNetError", "register"]

_TYPES: dict[str, type] = {}


def register(func_name: Any = None, cls: type | None = None) -> Any:
    """Make an exception known under the name that it has in messages: a decorator, or a call with both.

    Parameters
    ----------
    func_name : str or type, optional
        The name; the class itself where the decorator is used without one.
    cls : type, optional
        The class.

    Examples
    --------
    >>> @register
    ... class PowerError(MXNetError): ...
    >>> register("ValueError", ValueError)
    <class 'ValueError'>
    """
    if isinstance(func_name, type):
        func_name, cls = func_name.__name__, func_name

    def note(kind: type) -> type:
        _TYPES[func_name if isinstance(func_name, str) else kind.__name__] = kind
        return kind

    return note if cls is None else note(cls)


@register
class InternalError(MXNetError):
    """An error of the machine, not of the program that it runs."""

    def __init__(self, msg: str) -> None:
        super().__init__(msg)


_built_in: Callable[[str, type], Any] = register
for _kind in (ValueError, TypeError, AttributeError, IndexError, NotImplementedError):
    _built_in(_kind.__name__, _kind)
