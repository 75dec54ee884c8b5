"""Automatic names of symbols: ``relu0``, ``relu1`` ..., with the prefix of the block that is traced."""

from __future__ import annotations

from typing import Any

from .internals.support.scopes import Scope, Switches

__all__ = ["NameManager", "Prefix", "current_manager"]


class _WithCurrent(type):
    """The class of a class with an attribute that each thread has for itself."""

    @property
    def current(cls) -> NameManager:
        """The manager that names symbols in this thread; it can be set."""
        return switches.manager

    @current.setter
    def current(cls, manager: NameManager) -> None:
        switches.manager = manager


class NameManager(Scope, metaclass=_WithCurrent):
    """Gives each nameless symbol its operator's name and a number.

    Used as a context manager, it starts its own count.

    Examples
    --------
    >>> manager = NameManager()
    >>> manager.get(None, "relu"), manager.get(None, "relu"), manager.get("mine", "relu")
    ('relu0', 'relu1', 'mine')
    """

    def __init__(self) -> None:
        self._counter: dict[str, int] = {}

    def inside(self) -> dict[str, Any]:
        """Return what a ``with`` statement sets."""
        return {"manager": self}

    def get(self, name: str | None, hint: str) -> str:
        """Return the given name, or the hint with the next number.

        Parameters
        ----------
        name : str or None
            The given name.
        hint : str
            What is numbered where there is none.
        """
        if name:
            return name
        count = self._counter.get(hint, 0)
        self._counter[hint] = count + 1
        return f"{hint}{count}"


class Prefix(NameManager):
    """A manager that puts a prefix before every name, given or automatic."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def get(self, name: str | None, hint: str) -> str:
        """Return the prefixed name."""
        return self._prefix + super().get(name, hint)


class _Switches(Switches):
    def __init__(self) -> None:
        super().__init__(manager=NameManager(), scope=None)


#: Who names symbols in this thread; and in which block's scope new blocks are made.
switches = NameManager.switches = _Switches()


def current_manager() -> NameManager:
    """Return the manager that names symbols in this thread."""
    return switches.manager
