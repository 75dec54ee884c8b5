"""The capabilities of the platform: in a browser, there are no threads, processes, or native code.

In a browser, Python runs as WebAssembly (Pyodide). Almost all functions of this package work in a browser. All other
functions raise the error of :func:`not_here`.
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
    """Return whether Python runs as WebAssembly, as in a browser.

    Examples
    --------
    >>> in_browser()
    False
    """
    return sys.platform in ("emscripten", "wasi")


def can_fork() -> bool:
    """Return whether this process can fork children, which inherit the contents of its memory.

    Only Linux is supported, because some libraries of macOS don't work after a fork. A daemonic process of
    ``multiprocessing``, such as a worker of a pool, can't have children.

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
    """Return the error for a feature that a browser doesn't support.

    Parameters
    ----------
    what : str
        The operation that failed, as the beginning of the message.
    instead : str
        The alternative, as a sentence, which becomes a note.

    Examples
    --------
    >>> print(not_here("Error optimizing for backend 'c'", "Leave `backend` out."))
    Error optimizing for backend 'c': Python runs in a browser, where it cannot start threads or other programs
    """
    error = MXNetError(f"{what}: Python runs in a browser, where it cannot start threads or other programs")
    error.add_note(instead)
    return error


def exit_refused(end: SystemExit, name: str) -> MXNetError:
    """Return the error to raise in place of SystemExit if a user's function calls ``sys.exit`` in a worker.

    SystemExit would end the program that waits for the worker silently, possibly with exit status 0.

    Parameters
    ----------
    end : SystemExit
        The exception.
    name : str
        The name of the class that owns the worker, such as ``"DataLoader"``.

    Examples
    --------
    >>> print(exit_refused(SystemExit(0), "DataLoader"))
    a worker of the DataLoader called sys.exit(0)
    """
    code = "" if end.code is None else repr(end.code)
    error = MXNetError(f"a worker of the {name} called sys.exit({code})")
    error.add_note("A worker cannot end the program. To report a failure, raise an exception with a message.")
    error.__cause__ = end
    return error


class _Pool(ThreadPoolExecutor):
    """A thread pool in which a call of ``sys.exit`` raises an error."""

    def __init__(self, count: int, name: str) -> None:
        super().__init__(count, thread_name_prefix=name)
        self._name = name

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Schedule a call of a function in a thread."""
        return super().submit(self._call, fn, *args, **kwargs)

    def _call(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except SystemExit as end:
            raise exit_refused(end, self._name) from end


def thread_pool(count: int, name: str, instead: str) -> ThreadPoolExecutor:
    """Return a thread pool, after starting one of its threads to check that threads work.

    Parameters
    ----------
    count : int
        The number of threads.
    name : str
        The name of the owner, which is the prefix of the threads' names.
    instead : str
        The alternative without threads, as a sentence, which becomes a note of the error.

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
            raise not_here(f"{name} needs threads", instead) from None
        error = MXNetError(f"{name} needs threads, but Python cannot start a thread: {failure}")
        error.add_note(instead)
        raise error from failure
    return pool


def affinity() -> int:
    """Return the number of cores on which this process may run.

    Examples
    --------
    >>> affinity() >= 1
    True
    """
    return max(len(own_processors()) or _all_processors(), 1)


def own_processors() -> set[int]:
    """Return the IDs of the cores to which this process is bound; an empty set if the system doesn't report the IDs."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


def _all_processors() -> int:
    count = getattr(os, "process_cpu_count", os.cpu_count)  # `process_cpu_count` is new in Python 3.13
    return count() or 1
