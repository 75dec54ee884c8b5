"""When an array was last written to in place.

A program keeps what it has computed from parameters alone. Every place that writes into an existing array
says so here; what was computed before the last write is computed again.
"""

from __future__ import annotations

__all__ = ["SHARED", "last_write", "note_sharing", "note_write"]

#: What ``last_write`` is once memory was handed out: from then on anything may change without a word.
SHARED: object = object()

#: An object that is another one after every write. Setting it is one step for Python, so threads need no lock.
last_write: object = object()


def note_write() -> None:
    """Say that an array has been written to; to be called after the write.

    Examples
    --------
    >>> from d2lhybrid import clock
    >>> before = clock.last_write
    >>> clock.note_write()
    >>> clock.last_write is before
    False
    """
    global last_write
    if last_write is not SHARED:
        last_write = object()


def note_sharing() -> None:
    """Say that somebody outside may write into an array from now on: nothing can be kept any more."""
    global last_write
    last_write = SHARED
