"""Run something in a forked child, which can't hang the tests."""

from __future__ import annotations

import contextlib
import os
import signal
import warnings
from collections.abc import Callable

__all__ = ["is_right_in_a_fork"]


def is_right_in_a_fork(check: Callable[[], object], seconds: int = 60) -> bool:
    """Return whether a function returns something true in a forked child.

    Parameters
    ----------
    check : callable
        A function without arguments.
    seconds : int, optional
        The system ends the child after this time, even if it waits in a library's code.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: the process has several threads
        child = os.fork()
    if not child:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        code = 1
        with contextlib.suppress(BaseException):
            code = 0 if check() else 1
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
