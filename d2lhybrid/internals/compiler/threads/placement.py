"""Keeping threads that help with a computation off the processor of the thread that they help.

Some systems run a sleeping thread where it was woken, beside the one that woke it: virtual machines do, for which a
processor that sleeps counts as taken. Then two threads take turns on one processor while another has nothing to do. So
helpers may run on all processors of the process but the one of their caller. The caller itself is never bound, nor is
any other thread; when the system has moved it, its helpers are bound anew.

``D2LHYBRID_BIND=off`` leaves all threads alone, and so does binding them yourself (``OMP_PROC_BIND`` and its
like).
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

#: Set to ``off``, nothing is bound.
VARIABLE = "D2LHYBRID_BIND"
#: Who sets one of these has decided where threads run.
DECIDED = ("OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY")

#: Where the system lists the threads of this process, and the name of the calling one, which is any bytes.
_TASKS, _OWN_NAME = Path("/proc/self/task"), Path("/proc/thread-self/comm")
#: No two calls of :func:`started_by` give threads the same name.
_numbers = itertools.count()


def is_wanted() -> bool:
    """Return whether threads can be bound here, and nobody has decided otherwise."""
    if any(os.environ.get(name) for name in DECIDED) or os.environ.get(VARIABLE, "").lower() == "off":
        return False
    return hasattr(os, "sched_setaffinity")


@functools.cache
def find_processor() -> Callable[[], int] | None:
    """Return the function that says on which processor the calling thread is, None where there is none."""
    try:
        import ctypes

        found = ctypes.PyDLL(None).sched_getcpu  # short: the interpreter's lock is kept
    except (ImportError, OSError, TypeError, AttributeError):
        return None
    found.argtypes, found.restype = [], ctypes.c_int
    return found


class Apart:
    """The helpers of one thread.

    Attributes
    ----------
    helpers : list of int
        Their numbers, as the system knows them.

    Examples
    --------
    >>> Apart().follow()
    """

    def __init__(self, helpers: Iterable[int] = ()) -> None:
        self.helpers: list[int] = list(helpers)
        self._processor, self._process = find_processor() if is_wanted() else None, os.getpid()
        #: Where the caller was when they were bound, and how many they were.
        self._bound = -1, 0

    def join(self) -> None:
        """Make the calling thread a helper."""
        self.helpers.append(threading.get_native_id())

    def follow(self) -> None:
        """Bind the helpers to other processors than the one that the calling thread is on, if they are not yet."""
        if not self.helpers or self._processor is None:
            return
        now = here, count = self._processor(), len(self.helpers)
        if now != self._bound:
            self._bound = now
            if os.getpid() != self._process:  # a fork's child has none of them: they are its parent's
                self.helpers = []
                return
            others = os.sched_getaffinity(0) - {here}
            for helper in self.helpers[:count] if others else ():
                with contextlib.suppress(OSError):  # it has ended, or a system forbids it
                    os.sched_setaffinity(helper, others)


def started_by(run: Callable[[], _Result], name: str) -> tuple[_Result, set[int]]:
    """Run a function; return what it returns, and the numbers of the threads that it has started and that still run.

    A new thread has the name of the thread that starts it, unless it is given another one. So the calling thread has a
    name of its own meanwhile, by which its threads are told from those that others start at the same time.

    Parameters
    ----------
    run : callable
        A function without arguments, which starts threads.
    name : str
        What these threads are called in lists of threads, with a number behind it: a few letters.

    Returns
    -------
    result
        What the function returned.
    threads : set of int
        Empty where the system does not tell (all but Linux), or does not let a thread be renamed.

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
    """Yield the numbers of the threads with a name."""
    for task in _TASKS.iterdir():
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if (task / "comm").read_bytes().rstrip(b"\n") == name:
                yield int(task.name)
