"""A table that keeps what came last, and forgets the rest."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["Newest"]

Key = TypeVar("Key")
Value = TypeVar("Value")


class Newest(dict[Key, Value]):
    """A dictionary of at most so many keys: the oldest go first.

    Parameters
    ----------
    limit : int
        How many keys are kept.

    Examples
    --------
    >>> table = Newest(2)
    >>> for key in "abc":
    ...     table[key] = key.upper()
    >>> table
    {'b': 'B', 'c': 'C'}
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        while len(self) > self.limit:
            del self[next(iter(self))]
