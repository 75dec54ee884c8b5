"""When an array was last written to in place, whose memory may be written to without a word, and who has new arrays.

A program keeps what it has computed from parameters alone. Every place that writes into an existing array
says so here; what was computed before the last write is computed again. From memory that others hold, too
(by DLPack, or as a NumPy array that is no copy), nothing is kept, for they may write into it at any time.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

__all__ = ["SHARED", "Arrays", "last_write", "note_foreign", "note_sharing", "note_write", "stamp"]

#: What :func:`stamp` returns for memory that others hold, too: no time at all.
SHARED: object = object()

#: An object that is another one after every write. Setting it is one step for Python, so threads need no lock.
last_write: object = object()

#: The arrays that own memory which others hold, too, by their ids, as long as they live.
_handed_out: dict[int, weakref.ref[Any]] = {}


def note_write() -> None:
    """Say that an array has been written to; to be called after the write, and before it, too.

    Afterwards for other threads, which may have looked at the array in between; before it for Ctrl-C, which may come
    between the write and the word.

    Examples
    --------
    >>> from d2lhybrid.support import clock
    >>> before = clock.last_write
    >>> clock.note_write()
    >>> clock.last_write is before
    False
    """
    global last_write
    last_write = object()


def note_sharing(raw: Any) -> None:
    """Say that somebody outside may write into the memory of a raw array from now on.

    Examples
    --------
    >>> import numpy
    >>> from d2lhybrid.support import clock
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
    """Return the time that what is computed from raw arrays now belongs to; ``SHARED`` if it cannot be kept."""
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
