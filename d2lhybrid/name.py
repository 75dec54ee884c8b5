"""Automatic names of symbols: ``relu0``, ``relu1`` ..., with the prefix of the block that is traced."""

from __future__ import annotations

import threading

__all__ = ["NameManager", "Prefix", "current_manager"]


class NameManager:
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
        self._outer: list[NameManager] = []

    def get(self, name: str | None, hint: str) -> str:
        """Return the given name, or the hint with the next number."""
        if name:
            return name
        count = self._counter.get(hint, 0)
        self._counter[hint] = count + 1
        return f"{hint}{count}"

    def __enter__(self) -> NameManager:
        self._outer.append(_current.manager)
        _current.manager = self
        return self

    def __exit__(self, *exception: object) -> None:
        _current.manager = self._outer.pop()


class Prefix(NameManager):
    """A manager that puts a prefix before every name, given or automatic."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def get(self, name: str | None, hint: str) -> str:
        """Return the prefixed name."""
        return self._prefix + super().get(name, hint)


class _Current(threading.local):
    def __init__(self) -> None:
        self.manager: NameManager = NameManager()


_current = _Current()


def current_manager() -> NameManager:
    """Return the manager that names symbols in this thread."""
    return _current.manager
