"""Changes that belong together are made in one step.

State that must be consistent is computed first, all of it, and written here: :func:`commit` is a single call of a
function in C, so that neither Ctrl-C nor another thread can come between two of its changes.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from . import clock

__all__ = ["Change", "all_or_nothing", "commit", "new_generation", "put", "write"]

#: A function in C, and what to call it with.
Change: TypeAlias = "tuple[Callable[[Any, Any, Any], Any], Any, Any, Any]"


def put(thing: Any, **values: Any) -> list[Change]:
    """Return the changes that set attributes.

    Examples
    --------
    >>> class Point:
    ...     x = y = 0
    >>> a, b = Point(), Point()
    >>> commit([*put(a, x=1, y=2), *put(b, x=3)])
    >>> a.x, a.y, b.x, b.y
    (1, 2, 3, 0)
    """
    # A class of ours may have a __setattr__ in Python, which could be interrupted.
    change = setattr if isinstance(thing, type) else object.__setattr__
    return [(change, thing, name, value) for name, value in values.items()]


def write(array: Any, value: Any) -> Change:
    """Return the change that writes a value of the same shape into a raw array."""
    return (operator.setitem, array, ..., value)


def new_generation() -> list[Change]:
    """Return the change after which nobody who remembers arrays of parameters relies on them."""
    return put(clock.Arrays, generation=object())


def commit(changes: Iterable[Change]) -> None:
    """Make all changes in one step."""
    changes = list(changes)
    written = [thing for _, thing, name, _ in changes if not isinstance(name, str)]
    # What is replaced is freed afterwards: whatever runs at its end does not run in between.
    replaced = [getattr(thing, name, None) for _, thing, name, _ in changes if isinstance(name, str)]
    clock.note_write(written)  # before, for Ctrl-C; and afterwards, for a thread that has looked in between
    collections.deque(itertools.starmap(operator.call, changes), maxlen=0)
    clock.note_write(written)
    del replaced


@contextlib.contextmanager
def all_or_nothing(*things: Any) -> Iterator[None]:
    """Have the attributes of some objects be as before if the block raises, or is interrupted."""
    before = [(thing, dict(vars(thing))) for thing in things]
    try:
        yield
    except BaseException:
        commit([*new_generation(), *(change for thing, values in before for change in put(thing, **values))])
        raise
