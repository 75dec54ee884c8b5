"""A function that waits, before a fork, until other threads have finished their imports.

Python locks a module while a thread imports it. A forked child doesn't have that thread, so the module stays locked and
incomplete, and an import of the module in the child would wait forever. Functions of this package import modules when
they first need them, so any thread that calls a net may be importing a module.

A callback of :func:`os.register_at_fork` would come too late: other callbacks, such as that of :mod:`logging`, may
already have acquired locks that the import needs.
"""

from __future__ import annotations

import _imp
import sys
import threading
import time
from typing import Any

__all__ = ["wait_for_imports"]

#: The maximum wait in seconds. An import may itself wait for the thread that forks.
_PATIENCE = 60.0
#: The interval between two checks in seconds.
_INTERVAL = 0.001


def wait_for_imports() -> None:
    """Wait until no other thread is importing a module, or until a minute has passed."""
    until = time.monotonic() + _PATIENCE
    while _others_import() and time.monotonic() < until:
        time.sleep(_INTERVAL)


def _others_import() -> bool:
    me = threading.get_ident()
    _imp.acquire_lock()  # a thread needs this lock before it can lock a module
    try:
        references: dict[str, Any] = getattr(sys.modules["_frozen_importlib"], "_module_locks", {})
        locks = [reference() for reference in references.values()]
    finally:
        _imp.release_lock()
    return any(getattr(lock, "owner", None) not in (None, me) for lock in locks)
