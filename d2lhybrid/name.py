"""Automatic names of symbols, such as ``relu0`` and ``relu1``, which begin with the prefix of the traced block."""

from __future__ import annotations

from typing import Any

from .internals.support.scopes import Scope, Switches

__all__ = ["NameManager", "Prefix", "current_manager"]


class _WithCurrent(type):
    """A metaclass that gives a class the thread-local attribute ``current``."""

    @property
    def current(cls) -> NameManager:
        """The manager that names symbols in this thread. Programs can set it."""
        return switches.manager

    @current.setter
    def current(cls, manager: NameManager) -> None:
        switches.manager = manager


class NameManager(Scope, metaclass=_WithCurrent):
    """A manager that names each unnamed symbol with a prefix, such as the operator's name, and a consecutive number.

    A ``with`` statement makes the manager current. Each manager has its own numbering.

    Examples
    --------
    >>> manager = NameManager()
    >>> manager.get(None, "relu"), manager.get(None, "relu"), manager.get("mine", "relu")
    ('relu0', 'relu1', 'mine')
    """

    def __init__(self) -> None:
        self._counter: dict[str, int] = {}

    def inside(self) -> dict[str, Any]:
        """Return the thread-local settings that a ``with`` statement changes."""
        return {"manager": self}

    def get(self, name: str | None, hint: str) -> str:
        """Return the name of a symbol: the symbol's own name, or the hint followed by the next number.

        Parameters
        ----------
        name : str or None
            The symbol's own name. None or an empty string requests an automatic name.
        hint : str
            Prefix of the automatic name.

        Returns
        -------
        str
            The name.
        """
        if name:
            return name
        count = self._counter.get(hint, 0)
        self._counter[hint] = count + 1
        return f"{hint}{count}"


class Prefix(NameManager):
    """A manager that adds a prefix to the name of each symbol.

    Parameters
    ----------
    prefix : str
        The prefix.
    """

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def get(self, name: str | None, hint: str) -> str:
        """Return the name of a symbol, with the prefix.

        Returns
        -------
        str
            The name.
        """
        return self._prefix + super().get(name, hint)


class _Switches(Switches):
    def __init__(self) -> None:
        super().__init__(manager=NameManager(), scope=None)


#: The current name manager of this thread, and the block scope in which new blocks are named.
switches = NameManager.switches = _Switches()


def current_manager() -> NameManager:
    """Return the manager that names symbols in this thread."""
    return switches.manager
