"""A time limit for the user's program, so that an infinite loop does not block the kernel."""

from __future__ import annotations

import contextlib
import dis
import functools
import gc
import time
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

from ...util import is_own_file
from ..support.words import add_words, translate
from .lines import Follower, tracing

__all__ = ["Overtime", "time_limit"]

#: The number of lines to examine after the time limit, for at most a second, to find one outside of all ``try`` blocks.
_PATIENCE = 500


class Overtime(BaseException):
    """An error about a program that exceeds its time limit. ``except Exception`` in the program does not catch it."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(translate("The code was stopped, because it did not end within {n:g} seconds.", n=seconds))


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Return a scope in which a user's function that runs beyond a time limit is stopped.

    The clock is checked before each line of user code. No signal or other thread is involved, so the error cannot be
    late, repeated, or raised inside this package. A running call without user code, such as a matrix product or
    ``time.sleep``, is not interrupted.

    Parameters
    ----------
    seconds : float
        Time limit of the ``with`` block in seconds.

    Raises
    ------
    Overtime
        At a line of user code, after the time limit.

    Examples
    --------
    >>> def endless():
    ...     while True:
    ...         try:
    ...             pass
    ...         except:
    ...             pass
    >>> with time_limit(0.05):
    ...     endless()
    Traceback (most recent call last):
    d2lhybrid.internals.pictures.limit.Overtime: The code was stopped, because it did not end within 0.05 seconds.
    """
    stop = _Stop(seconds)
    try:
        with tracing(stop.entered):
            yield
    except Exception:
        if stop.raised is None:
            raise
    if stop.raised is not None:  # the program caught the error, which ends tracing
        raise stop.raised


class _Stop:
    """A tracer that raises once, at a line of user code inside the fewest ``try`` and ``with`` blocks.

    A tracer can raise only once, because Python then removes it. If ``try`` catches the error, an enclosing loop
    continues. The line of ``try`` itself is outside the block, so an error at the least enclosed line of a loop
    leaves the loop.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._seen, self._fewest = 0, 1 << 30
        self.raised: Overtime | None = None

    def entered(self, frame: FrameType) -> Follower | None:
        """Return the tracer for the lines of a function."""
        if not is_own_file(frame.f_code.co_filename) or _is_gc_callback(frame.f_code):
            return None
        if _spins(frame.f_code):
            frame.f_trace_opcodes = True
        return self._follow

    def _follow(self, frame: FrameType, event: str, argument: Any) -> None:
        if event not in ("line", "opcode") or time.monotonic() < self._end:
            return
        around = _enclosing(frame)
        self._seen, self._fewest = self._seen + 1, min(self._fewest, around)
        patient = self._seen < _PATIENCE and time.monotonic() < self._end + 1
        if around == 0 or (around <= self._fewest and not patient):
            self.raised = Overtime(self._seconds)
            raise self.raised


def _is_gc_callback(code: CodeType) -> bool:
    """Return whether the garbage collector calls a function: it ignores errors, so the program would go on."""
    return any(getattr(callback, "__code__", None) is code for callback in gc.callbacks)


def _enclosing(frame: FrameType | None) -> int:
    """Return the number of catching blocks around the current lines of user code."""
    count = 0
    while frame is not None:
        if frame.f_trace is not None and is_own_file(frame.f_code.co_filename):
            count += len(_handlers(frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return count


@functools.lru_cache(maxsize=256)
def _spins(code: CodeType) -> bool:
    """Return whether code has ``while True: pass``, a single instruction for which Python 3.11 reports no lines."""
    return any("BACKWARD" in i.opname and i.argval == i.offset for i in dis.get_instructions(code))


@functools.lru_cache(maxsize=4096)
def _handlers(code: CodeType, place: int) -> list[int]:
    """Return the handlers of an exception at an instruction: the first handler, and the handler of each re-raise."""
    entries = dis.Bytecode(code).exception_entries  # type: ignore[attr-defined]  # since Python 3.11
    found: list[int] = []
    while (entry := next((e for e in entries if e.start <= place < e.end), None)) and entry.target not in found:
        place = entry.target
        found.append(place)
    return found


add_words({"The code was stopped, because it did not end within {n:g} seconds.": "已停止：{n:g} 秒内没有结束。"})
