"""What is below Python: in a browser there are no threads, no programs to start, and nothing compiled runs.

Python is WebAssembly there (Pyodide). Almost everything of this package works in it, and what cannot says so by
:func:`not_here`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ...error import MXNetError

__all__ = ["affinity", "can_fork", "exit_refused", "in_browser", "not_here", "own_processors", "thread_pool"]


def in_browser() -> bool:
    """Return whether Python is WebAssembly, as in a browser.

    Examples
    --------
    >>> in_browser()
    False
    """
    return sys.platform in ("emscripten", "wasi")


def can_fork() -> bool:
    """Return whether this process can have children that go on with what it has in memory: on Linux.

    macOS has libraries that do not bear it. A daemon of ``multiprocessing``, as a worker of a pool is, may have none.

    Examples
    --------
    >>> can_fork()  # doctest: +SKIP
    True
    """
    if sys.platform != "linux" or not hasattr(os, "fork") or not hasattr(os, "memfd_create"):
        return False
    children = sys.modules.get("multiprocessing")
    return children is None or not children.current_process().daemon


def not_here(what: str, instead: str) -> MXNetError:
    """Return the error for what a browser does not give.

    Parameters
    ----------
    what : str
        What was asked for, and cannot be had.
    instead : str
        What to do, as a sentence.

    Examples
    --------
    >>> print(not_here("Error optimizing for backend 'c'", "Leave `backend` out."))
    Error optimizing for backend 'c': this Python runs in a browser, where it can start no thread and no other program
    """
    error = MXNetError(f"{what}: this Python runs in a browser, where it can start no thread and no other program")
    error.add_note(instead)
    return error


def exit_refused(end: SystemExit, name: str) -> MXNetError:
    """Return the error to raise where a function of the user's calls ``sys.exit`` in a worker.

    Raised in the program that waits for the worker, the exit would end it without a word, and perhaps with the status
    of success.

    Parameters
    ----------
    end : SystemExit
        What it raised.
    name : str
        Whose worker it is.

    Examples
    --------
    >>> print(exit_refused(SystemExit(0), "DataLoader"))
    a worker of the DataLoader was told to exit: sys.exit(0)
    """
    code = "" if end.code is None else repr(end.code)
    error = MXNetError(f"a worker of the {name} was told to exit: sys.exit({code})")
    error.add_note("Nothing ends the program from a worker. Where something is wrong, raise an exception that says so.")
    error.__cause__ = end
    return error


class _Pool(ThreadPoolExecutor):
    """Threads in which ``sys.exit`` is an error."""

    def __init__(self, count: int, name: str) -> None:
        super().__init__(count, thread_name_prefix=name)
        self._name = name

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a thread call a function."""
        return super().submit(self._call, fn, *args, **kwargs)

    def _call(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except SystemExit as end:
            raise exit_refused(end, self._name) from end


def thread_pool(count: int, name: str, instead: str) -> ThreadPoolExecutor:
    """Return a pool of threads, one of which has been started.

    Parameters
    ----------
    count : int
        How many threads.
    name : str
        Who wants them; their names begin with it.
    instead : str
        What to do without, as a sentence.

    Raises
    ------
    MXNetError
        If no thread can be started.

    Examples
    --------
    >>> with thread_pool(1, "Adding", "Add by hand.") as pool:
    ...     pool.submit(sum, [1, 2]).result()
    3
    """
    pool = _Pool(count, name)
    try:
        pool.submit(int)
    except RuntimeError as failure:
        if in_browser():
            raise not_here(f"{name} works with threads", instead) from None
        error = MXNetError(f"{name} works with threads, and none can be started: {failure}")
        error.add_note(instead)
        raise error from failure
    return pool


def affinity() -> int:
    """Return on how many processors this process may run.

    Examples
    --------
    >>> affinity() >= 1
    True
    """
    return max(len(own_processors()) or _all_processors(), 1)


def own_processors() -> set[int]:
    """Return the numbers of the processors that this process is bound to; none where the system does not tell."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


def _all_processors() -> int:
    count = getattr(os, "process_cpu_count", os.cpu_count)  # the first one is new in Python 3.13
    return count() or 1
