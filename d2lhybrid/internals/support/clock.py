"""The times of in-place writes to arrays, which determine whether values computed from parameters are still valid.

A program keeps the values that it has computed from parameters alone. All code that writes into an existing array
reports the write to this module. Values computed from an array before its last write are computed again. Values
computed from memory that is shared with other owners (by DLPack, or as a NumPy array without a copy) are never kept,
because this memory may be written to at any time.

There is one global time, :data:`last_write`. While it stays the same, no watched array has been written to. When it
changes, each watcher checks the times of its own arrays. Writes to arrays that aren't watched (input data, gradients,
the parameters of a net in training) don't change the global time.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Iterable
from typing import Any

__all__ = ["SHARED", "Arrays", "last_write", "note_foreign", "note_sharing", "note_write", "stamp", "watch"]

#: The result of :func:`stamp` for shared memory, instead of a time.
SHARED: object = object()

#: An object that is replaced at every write to a watched array. The assignment is atomic, so threads need no lock.
last_write: object = object()

#: An object that is replaced at every write into an unknown array.
_last_anywhere: object = object()

#: The times of the last writes to watched arrays that own memory, by the ids of these arrays, while the arrays exist.
_watched: dict[int, object] = {}
_alive: dict[int, weakref.ref[Any]] = {}

#: The arrays that own shared memory, by the ids of these arrays, while the arrays exist.
_handed_out: dict[int, weakref.ref[Any]] = {}


def note_write(raws: Iterable[Any] | None = None) -> None:
    """Report a write to raw arrays, so that values that depend on the arrays are computed again.

    Call this function before and after the write: before, because Ctrl-C may interrupt the program between the write
    and the report, and after, because another thread may have read the array in between.

    Parameters
    ----------
    raws : iterable of array, optional
        The raw arrays; by default, all arrays are reported as written.

    Examples
    --------
    >>> import numpy
    >>> from d2lhybrid.internals.support import clock
    >>> weight, data = numpy.ones(3), numpy.ones(3)
    >>> before, times = clock.last_write, clock.watch([weight])
    >>> clock.note_write([data])
    >>> clock.last_write is before
    True
    >>> clock.note_write([weight[1:]])
    >>> clock.last_write is before, clock.watch([weight]) == times
    (False, False)
    """
    global last_write, _last_anywhere
    if raws is None:
        _last_anywhere = last_write = object()
    elif _watched:
        for raw in raws:
            key = id(_owner(raw))
            if key in _watched:
                _watched[key] = last_write = object()


def watch(raws: Iterable[Any]) -> list[object]:
    """Watch raw arrays, and return a list of times, which differs from an earlier list if an array was written to.

    The first time is that of the last :func:`note_write` without arguments. The others are those of the last writes to
    each array. Call this function before you read the arrays, so that a write in between changes the times.
    """
    times = [_last_anywhere]
    for raw in raws:
        owner = _owner(raw)
        key = id(owner)
        known = _alive.get(key)
        if known is None or known() is not owner:
            _watched[key] = object()  # before the weak reference, through which other threads find the array
            _alive[key] = weakref.ref(owner, functools.partial(_forget, key))
        times.append(_watched.setdefault(key, object()))  # a freed array with this id may be forgotten now
    return times


def _forget(key: int, ended: Any) -> None:
    """Forget a freed array, unless another array has its id now."""
    if _alive.get(key) is ended:
        del _alive[key]
        _watched.pop(key, None)


def note_sharing(raw: Any) -> None:
    """Record that other code now shares the memory of a raw array, and may write to it without a report to this module.

    Examples
    --------
    >>> import numpy
    >>> from d2lhybrid.internals.support import clock
    >>> weight, other = numpy.ones(3), numpy.ones(3)
    >>> clock.note_sharing(weight)
    >>> clock.stamp([other, weight[1:]]) is clock.SHARED, clock.stamp([other]) is clock.SHARED
    (True, False)
    """
    note_foreign(raw)
    note_write()  # invalidates kept values whose owners compare only the global time


def note_foreign(raw: Any) -> None:
    """Report that a new raw array is in memory that other code shares."""
    owner = _owner(raw)
    key = id(owner)
    _handed_out[key] = weakref.ref(owner, lambda ended: _handed_out.pop(key, None))


def stamp(raws: Iterable[Any]) -> object:
    """Return the time stamp of values computed from raw arrays now, or ``SHARED`` if such values can't be kept.

    The time stamp is meaningful only for watched arrays.
    """
    if _handed_out and any(id(_owner(raw)) in _handed_out for raw in raws):
        return SHARED
    return last_write


def _owner(raw: Any) -> Any:
    """Return the array that owns the memory of a view."""
    while True:
        base = getattr(raw, "base", None)
        if base is None or not hasattr(base, "dtype"):
            return raw
        raw = base


class Arrays:
    """The global state that says whether arrays kept from parameters are still those of the parameters.

    Attributes
    ----------
    generation : object
        An object that is replaced when a parameter gets new arrays, but not when a parameter gets new values. Code
        that keeps arrays of parameters compares this object.
    """

    generation: object = object()
