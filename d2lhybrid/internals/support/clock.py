"""When an array was last written to in place, whose memory may be written to without a word, and who has new arrays.

A program keeps what it has computed from parameters alone. Every place that writes into an existing array
says so here; what was computed from an array before the last write into it is computed again. From memory that others
hold, too (by DLPack, or as a NumPy array that is no copy), nothing is kept, for they may write into it at any time.

There is one global time, :data:`last_write`: while it stays the same, no watched array was written to. When it changes,
each watcher checks the times of its own arrays. Writes to other arrays (input data, gradients, the parameters of a net
in training) do not change it.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Iterable
from typing import Any

__all__ = ["SHARED", "Arrays", "last_write", "note_foreign", "note_sharing", "note_write", "stamp", "watch"]

#: What :func:`stamp` returns for memory that others hold, too: no time at all.
SHARED: object = object()

#: An object that is another one after every write. Setting it is one step for Python, so threads need no lock.
last_write: object = object()

#: The same, for writes of which nobody has said into what.
_last_anywhere: object = object()

#: When arrays that own memory were last written to, by their ids, as far as they are watched, and as long as they live.
_watched: dict[int, object] = {}
_alive: dict[int, weakref.ref[Any]] = {}

#: The arrays that own memory which others hold, too, by their ids, as long as they live.
_handed_out: dict[int, weakref.ref[Any]] = {}


def note_write(raws: Iterable[Any] | None = None) -> None:
    """Say that arrays have been written to; to be called after the write, and before it, too.

    Afterwards for other threads, which may have looked at the array in between; before it for Ctrl-C, which may come
    between the write and the word.

    Parameters
    ----------
    raws : iterable of array, optional
        The raw arrays; by default it may have been any.

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
    """Have writes into raw arrays noted from now on; return when each was last written to.

    Ask before the arrays are read: the times are other ones once something was written in between.
    """
    times = [_last_anywhere]
    for raw in raws:
        owner = _owner(raw)
        key = id(owner)
        known = _alive.get(key)
        if known is None or known() is not owner:
            _watched[key] = object()  # first, for another thread that finds the array alive
            _alive[key] = weakref.ref(owner, functools.partial(_forget, key))
        times.append(_watched.setdefault(key, object()))  # an array that had this place may be forgotten just now
    return times


def _forget(key: int, ended: Any) -> None:
    """Forget an array that has ended, unless another one has taken its place meanwhile."""
    if _alive.get(key) is ended:
        del _alive[key]
        _watched.pop(key, None)


def note_sharing(raw: Any) -> None:
    """Say that somebody outside may write into the memory of a raw array from now on.

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
    note_write()  # for those who remember what they computed from it, and look at nothing but the time


def note_foreign(raw: Any) -> None:
    """Say that a new raw array lies in memory that somebody outside may write into."""
    owner = _owner(raw)
    key = id(owner)
    _handed_out[key] = weakref.ref(owner, lambda ended: _handed_out.pop(key, None))


def stamp(raws: Iterable[Any]) -> object:
    """Return the time that what is computed from raw arrays now belongs to; ``SHARED`` if it cannot be kept.

    It says something of arrays that are watched.
    """
    if _handed_out and any(id(_owner(raw)) in _handed_out for raw in raws):
        return SHARED
    return last_write


def _owner(raw: Any) -> Any:
    """Return the array that a view is a view of."""
    while True:
        base = getattr(raw, "base", None)
        if base is None or not hasattr(base, "dtype"):
            return raw
        raw = base


class Arrays:
    """Which arrays the parameters have.

    Attributes
    ----------
    generation : object
        Another one whenever any parameter has got new arrays (not new values): what remembers arrays looks here.
    """

    generation: object = object()
