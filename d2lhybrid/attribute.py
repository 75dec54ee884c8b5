"""Attributes that every symbol made inside a scope gets: ``with mx.AttrScope(ctx_group="dev1"):``."""

from __future__ import annotations

import threading

__all__ = ["AttrScope", "current_attributes"]


class AttrScope:
    """A scope whose attributes are attached to all symbols made inside.

    Parameters
    ----------
    **attributes : str
        Names may be given with or without the double underscores of the file format.

    Raises
    ------
    ValueError
        If a value is not a string.
    """

    def __init__(self, **attributes: str) -> None:
        for value in attributes.values():
            if not isinstance(value, str):
                raise ValueError("Attributes need to be string")
        self._attributes = {n if n.startswith("__") else f"__{n}__": v for n, v in attributes.items()}
        self._outer: list[dict[str, str]] = []

    def get(self, attributes: dict[str, str] | None) -> dict[str, str]:
        """Return the scope's attributes, overridden by given ones."""
        return {**self._attributes, **(attributes or {})}

    def __enter__(self) -> AttrScope:
        self._outer.append(_current.attributes)
        _current.attributes = {**_current.attributes, **self._attributes}
        return self

    def __exit__(self, *exception: object) -> None:
        _current.attributes = self._outer.pop()


class _Current(threading.local):
    def __init__(self) -> None:
        self.attributes: dict[str, str] = {}


_current = _Current()


def current_attributes() -> dict[str, str]:
    """Return the attributes of the scopes that are open in this thread."""
    return _current.attributes
