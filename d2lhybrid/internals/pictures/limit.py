"""A limit of time for the user's own program: a loop that never ends must not take the kernel with it."""

from __future__ import annotations

import contextlib
import dis
import functools
import time
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

from ...util import is_own_file
from ..support.words import add_words, translate
from .lines import Follower, tracing

__all__ = ["Overtime", "time_limit"]

#: How many more lines are looked at for one that stands in no ``try``, a second at most; then the best is taken.
_PATIENCE = 500


class Overtime(BaseException):
    """A program did not end in time. No ``except Exception`` of the program's own catches it."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(translate("It was stopped: it did not end within {n:g} seconds.", n=seconds))


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop the user's functions that are called inside the scope when the time is over.

    The clock is looked at before each line of the user's. Nothing comes from outside, neither a signal nor another
    thread, so that nothing can come too late, twice, or in the middle of what this package does. A call without lines
    of the user's ends first, such as a product of two matrices, or ``time.sleep``.

    Parameters
    ----------
    seconds : float
        How long it may take.

    Raises
    ------
    Overtime
        At one of the lines that ran when the time was over.

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
    d2lhybrid.internals.pictures.limit.Overtime: It was stopped: it did not end within 0.05 seconds.
    """
    stop = _Stop(seconds)
    try:
        with tracing(stop.entered):
            yield
    except Exception:
        if stop.raised is None:
            raise
    if stop.raised is not None:  # the program caught it, and its further steps were not traced
        raise stop.raised


class _Stop:
    """A tracer that raises once, at a line of user code inside the fewest ``try`` and ``with``.

    Python lets a tracer raise once: then it does not call it any more. What is raised in the midst of ``try`` is
    caught there, and a loop around it goes on. The line of ``try`` itself is outside of it, and so the least enclosed
    of the lines that a loop comes to is one from which the way leads out of the loop.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._seen, self._fewest = 0, 1 << 30
        self.raised: Overtime | None = None

    def entered(self, frame: FrameType) -> Follower | None:
        """Return the tracer of a function's lines."""
        if not is_own_file(frame.f_code.co_filename):
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
    """Return whether there is ``while True: pass``, a single instruction: Python 3.11 tells of no line there."""
    return any("BACKWARD" in i.opname and i.argval == i.offset for i in dis.get_instructions(code))


@functools.lru_cache(maxsize=4096)
def _handlers(code: CodeType, place: int) -> list[int]:
    """Return where an exception at an instruction goes, and where it goes from there if it is raised again."""
    entries = dis.Bytecode(code).exception_entries  # type: ignore[attr-defined]  # since 3.11
    found: list[int] = []
    while (entry := next((e for e in entries if e.start <= place < e.end), None)) and entry.target not in found:
        place = entry.target
        found.append(place)
    return found


add_words({"It was stopped: it did not end within {n:g} seconds.": "已停止：{n:g} 秒内没有结束。"})
