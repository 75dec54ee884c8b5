"""The locks of this package.

This module creates all locks. A forked child has a single thread, and locks that other threads of the parent held are
released in the child. The state that a lock protects is written atomically
(:mod:`d2lhybrid.internals.support.commit`), so it is consistent in the child.

A thread that acquires several locks must acquire :data:`building` first, then the lock of a
:class:`~d2lhybrid.internals.core.cached_op.CachedOp`, and then any other lock.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["building", "cached_property", "new_lock"]

_locks: weakref.WeakSet[Any] = weakref.WeakSet()


def new_lock() -> Any:
    """Return a reentrant lock. A forked child releases the lock if another thread of the parent held it.

    Examples
    --------
    >>> lock = new_lock()
    >>> with lock, lock:
    ...     print("taken")
    taken
    """
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def _free_all() -> None:
    """Release the locks that other threads of the parent process held; the forking thread keeps its locks."""
    for lock in list(_locks):
        if not lock._is_owned():
            lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free_all)

#: The lock that a thread holds while it traces a block, infers the shapes of parameters, or initializes values.
building: Any = new_lock()


if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801  the name of Python's own
        """A property that is computed once, like ``functools.cached_property``, but without a lock on Python 3.11.

        On Python 3.11, functools uses one lock for all objects of a class, and a fork may leave this lock locked.
        Without the lock, two threads may both compute the value.
        """

        def __init__(self, function: Callable[[Any], Any]) -> None:
            self.func, self.__doc__ = function, function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, thing: Any, owner: type | None = None) -> Any:
            if thing is None:
                return self
            value = vars(thing)[self._name] = self.func(thing)
            return value
