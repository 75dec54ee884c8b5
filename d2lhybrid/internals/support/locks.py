"""The locks of this package.

All are made here. In a child process after a fork there is one thread, and what the others held is free: they cannot
give it back. (What a lock protects is written in one step, see :mod:`d2lhybrid.internals.support.commit`, so the child
finds it whole.)

The order in which one thread may take several: :data:`building`, then the one of a
:class:`~d2lhybrid.internals.core.cached_op.CachedOp`, then any other.
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
    """Return a lock that a thread may take several times, and that a fork does not leave taken.

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
    """Free what threads of the parent process held; what the thread that forked holds, it goes on holding."""
    for lock in list(_locks):
        if not lock._is_owned():
            lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free_all)

#: Held while a block is traced, and while shapes and first values of parameters are found.
building: Any = new_lock()


if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801  the name of Python's own
        """A property that is computed once, like that of functools, and without the lock that Python 3.11 has there.

        It is one lock for all objects of a class; a fork leaves it taken. Two threads may compute the same value twice.
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
