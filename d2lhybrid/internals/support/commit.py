"""Atomic commits of changes that belong together.

State that must be consistent is first computed completely, and then written by :func:`commit`. A commit is a single
call of a C function, so Ctrl-C can't interrupt the commit between two changes. Another thread can run in between only
while NumPy copies the values of a large array.
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

#: A change: a C function and its arguments.
Change: TypeAlias = "tuple[Callable[[Any, Any, Any], Any], Any, Any, Any]"


def put(thing: Any, **values: Any) -> list[Change]:
    """Return the changes that set attributes of an object.

    Parameters
    ----------
    thing : object
        The object.
    **values : object
        The new value of each attribute.

    Returns
    -------
    list of Change
        The changes, for :func:`commit`.

    Examples
    --------
    >>> class Point:
    ...     x = y = 0
    >>> a, b = Point(), Point()
    >>> commit([*put(a, x=1, y=2), *put(b, x=3)])
    >>> a.x, a.y, b.x, b.y
    (1, 2, 3, 0)
    """
    # Ctrl-C could interrupt a class's own __setattr__, which is Python code.
    change = setattr if isinstance(thing, type) else object.__setattr__
    return [(change, thing, name, value) for name, value in values.items()]


def write(array: Any, value: Any) -> Change:
    """Return the change that writes a value into a raw array of the same shape.

    Parameters
    ----------
    array : numpy.ndarray or cupy.ndarray
        The raw array.
    value : array
        The value.

    Returns
    -------
    Change
        The change, for :func:`commit`.
    """
    return (operator.setitem, array, ..., value)


def new_generation() -> list[Change]:
    """Return the changes that start a new generation in :class:`.clock.Arrays`, so that no kept arrays are used."""
    return put(clock.Arrays, generation=object())


def commit(changes: Iterable[Change]) -> None:
    """Make all changes in one step that Ctrl-C cannot interrupt."""
    changes = list(changes)
    written = [thing for _, thing, name, _ in changes if not isinstance(name, str)]
    # The replaced objects are freed afterwards, so that their finalizers don't run between two changes.
    replaced = [getattr(thing, name, None) for _, thing, name, _ in changes if isinstance(name, str)]
    clock.note_write(written)  # before and after the write; see :func:`.clock.note_write`
    collections.deque(itertools.starmap(operator.call, changes), maxlen=0)
    clock.note_write(written)
    del replaced


@contextlib.contextmanager
def all_or_nothing(*things: Any) -> Iterator[None]:
    """Return a context manager that resets attributes of objects if its block raises an error or is interrupted."""
    before = [(thing, dict(vars(thing))) for thing in things]
    try:
        yield
    except BaseException:
        commit([*new_generation(), *(change for thing, values in before for change in put(thing, **values))])
        raise
