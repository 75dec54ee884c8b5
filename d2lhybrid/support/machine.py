"""What is below Python: in a browser there are no threads, no programs to start, and nothing compiled runs.

Python is WebAssembly there (Pyodide). Almost everything of this package works in it, and what cannot says so by
:func:`not_here`.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor

from ..errors import MXNetError

__all__ = ["can_fork", "in_browser", "not_here", "thread_pool"]


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
    pool = ThreadPoolExecutor(count, thread_name_prefix=name)
    try:
        pool.submit(int)
    except RuntimeError as failure:
        if in_browser():
            raise not_here(f"{name} works with threads", instead) from None
        error = MXNetError(f"{name} works with threads, and none can be started: {failure}")
        error.add_note(instead)
        raise error from failure
    return pool
