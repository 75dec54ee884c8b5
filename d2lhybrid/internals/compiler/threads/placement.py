"""The binding of helper threads to cores other than the core of their caller.

Some systems treat a sleeping core as busy (virtual machines do), and run a woken thread on the core of the thread that
woke it. Two threads then take turns on one core while another core is idle. Therefore, helpers are bound to all cores
of the process except the core of their caller. The caller and all other threads are never bound. After the system has
moved the caller to another core, the caller's helpers are bound again.

The binding is disabled by ``D2LHYBRID_BIND=off``, and by the variables with which users bind threads, such as
``OMP_PROC_BIND``.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

__all__ = ["VARIABLE", "Apart", "find_processor", "is_wanted", "started_by"]

_Result = TypeVar("_Result")

#: The environment variable that disables binding with ``off``.
VARIABLE = "D2LHYBRID_BIND"
#: The environment variables with which users bind threads.
DECIDED = ("OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY")

#: The folder of this process's threads, and the file that contains the name of the calling thread, as bytes.
_TASKS, _OWN_NAME = Path("/proc/self/task"), Path("/proc/thread-self/comm")
#: A counter that makes the names of threads unique between calls of :func:`started_by`.
_numbers = itertools.count()


def is_wanted() -> bool:
    """Return whether threads can be bound on this system and no setting disables binding."""
    if any(os.environ.get(name) for name in DECIDED) or os.environ.get(VARIABLE, "").lower() == "off":
        return False
    return hasattr(os, "sched_setaffinity")


@functools.cache
def find_processor() -> Callable[[], int] | None:
    """Return the C function that returns the index of the calling thread's core; None if this function is missing."""
    try:
        import ctypes

        found = ctypes.PyDLL(None).sched_getcpu  # a short call, which keeps the GIL
    except (ImportError, OSError, TypeError, AttributeError):
        return None
    found.argtypes, found.restype = [], ctypes.c_int
    return found


class Apart:
    """The helper threads of one calling thread, which are bound to cores other than the caller's core.

    Attributes
    ----------
    helpers : list of int
        The thread IDs of the helpers in the operating system.

    Examples
    --------
    >>> Apart().follow()
    """

    def __init__(self, helpers: Iterable[int] = ()) -> None:
        self.helpers: list[int] = list(helpers)
        self._processor, self._process = find_processor() if is_wanted() else None, os.getpid()
        #: The caller's core and the number of helpers when they were last bound.
        self._bound = -1, 0

    def join(self) -> None:
        """Add the calling thread to the helpers."""
        self.helpers.append(threading.get_native_id())

    def follow(self) -> None:
        """Bind the helpers to cores other than that of the calling thread, unless they are bound already."""
        if not self.helpers or self._processor is None:
            return
        now = here, count = self._processor(), len(self.helpers)
        if now != self._bound:
            self._bound = now
            if os.getpid() != self._process:  # in a forked child, the IDs belong to threads of the parent
                self.helpers = []
                return
            others = os.sched_getaffinity(0) - {here}
            for helper in self.helpers[:count] if others else ():
                with contextlib.suppress(OSError):  # the helper has ended, or the system doesn't allow binding
                    os.sched_setaffinity(helper, others)


def started_by(run: Callable[[], _Result], name: str) -> tuple[_Result, set[int]]:
    """Run a function and return its result and the IDs of the threads that it started and that still run.

    On Linux, a new thread inherits the name of its creator. Therefore, the calling thread has a unique name during the
    call, which distinguishes its threads from threads that other threads start at the same time.

    Parameters
    ----------
    run : callable
        A function without arguments that starts threads.
    name : str
        The first letters of the threads' name, which are followed by a number.

    Returns
    -------
    result
        The function's result.
    threads : set of int
        The IDs; empty on systems other than Linux, or if threads can't be renamed.

    Examples
    --------
    >>> started_by(lambda: 3, "none")
    (3, set())
    """
    passing = f"{name}-{next(_numbers)}".encode()
    try:
        before = _OWN_NAME.read_bytes().rstrip(b"\n")
        _OWN_NAME.write_bytes(passing)
    except OSError:
        return run(), set()
    try:
        result = run()
    finally:
        with contextlib.suppress(OSError):
            _OWN_NAME.write_bytes(before)
    return result, set(_called(passing))


def _called(name: bytes) -> Iterator[int]:
    """Yield the IDs of the threads with a name."""
    for task in _TASKS.iterdir():
        with contextlib.suppress(OSError):  # the thread has ended in the meantime
            if (task / "comm").read_bytes().rstrip(b"\n") == name:
                yield int(task.name)
