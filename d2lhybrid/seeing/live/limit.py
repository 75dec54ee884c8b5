"""A limit of time for the user's own program: a loop that never ends must not take the kernel with it."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import signal
import threading
from collections.abc import Iterator
from typing import Any

from ...support.words import add_words, translate
from ..lines import Stop

__all__ = ["Overtime", "time_limit"]

#: After the limit the program is stopped again and again, in seconds: it may catch what stops it.
_AGAIN = 0.02


class Overtime(BaseException):
    """A program did not end in time. No ``except Exception`` of the program's own catches it."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(translate("It was stopped: it did not end within {n:g} seconds.", n=seconds))


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop what runs inside of the scope if it takes longer.

    A program that Python runs is stopped wherever it is; a single call of compiled code, such as one product of two
    matrices, ends first.

    Parameters
    ----------
    seconds : float
        How long it may take.

    Raises
    ------
    Overtime
        At the line that ran when the time was over.

    Examples
    --------
    >>> with time_limit(0.05):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    d2lhybrid.seeing.live.limit.Overtime: It was stopped: it did not end within 0.05 seconds.
    """
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        with _by_signal(seconds):
            yield
    else:
        with _by_thread(seconds):
            yield


@contextlib.contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    stop, times = Stop(lambda: Overtime(seconds)), itertools.count()

    def alarm(number: int, frame: Any) -> None:
        if next(times) % 2:  # it was caught
            stop.soon(frame)
        else:
            raise Overtime(seconds)

    before = signal.signal(signal.SIGALRM, alarm)
    rest, every = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        stop.armed = False
        _quiet(lambda: signal.setitimer(signal.ITIMER_REAL, rest, every))
        signal.signal(signal.SIGALRM, before)


def _quiet(act: Any) -> None:
    """Do something although a signal may come while it is done."""
    while True:
        try:
            act()
            return
        except Overtime:
            continue


@contextlib.contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    """Where there are no signals: another thread has the exception raised in this one."""
    raise_in, me = ctypes.pythonapi.PyThreadState_SetAsyncExc, ctypes.c_ulong(threading.get_ident())
    over, stopped = threading.Event(), False

    def watch() -> None:
        nonlocal stopped
        wait = seconds
        while not over.wait(wait):
            stopped, wait = True, _AGAIN * 10
            raise_in(me, ctypes.py_object(Overtime))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    except Overtime:
        raise Overtime(seconds) from None
    finally:
        _quiet(over.set)
        _quiet(watcher.join)
        if stopped:
            raise_in(me, None)  # what was not raised yet


add_words({"It was stopped: it did not end within {n:g} seconds.": "已停止：{n:g} 秒内没有结束。"})
