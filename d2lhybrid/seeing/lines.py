"""The tracer of lines: hears from Python of every function that begins, and has its lines told to who wants them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from ..core import events
from ..util import is_user_file

__all__ = ["Follower", "Stop", "tracing"]

#: Is told of what happens in one frame as ``sys.settrace`` tells it: the frame; ``"line"``, ``"return"``,
#: ``"exception"`` or ``"opcode"``; what was returned or raised. What it returns does not matter.
Follower = Callable[[FrameType, str, Any], object]


@contextlib.contextmanager
def tracing(entered: Callable[[FrameType], Follower | None]) -> Iterator[None]:
    """Have a function told of every function of Python's that this thread calls inside the scope.

    Several may trace at once, each within the other; a tracer of somebody else's pauses, and goes on afterwards.

    Parameters
    ----------
    entered : callable
        Is given the new frame; returns who follows its lines, None if nobody. For single instructions it sets
        ``frame.f_trace_opcodes``.

    Examples
    --------
    >>> def double(x):
    ...     return x * 2
    >>> seen = []
    >>> def follow(frame, event, argument):
    ...     seen.append((frame.f_code.co_name, event, argument))
    >>> with tracing(lambda frame: follow if frame.f_code is double.__code__ else None):
    ...     y = double(3)
    >>> seen
    [('double', 'line', None), ('double', 'return', 6)]
    """
    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # Python 3.12 counts instructions only if one frame asks before settrace
    with events.listening(function_entered=entered):
        sys.settrace(_enter)
        try:
            yield
        finally:
            sys.settrace(before)


def _enter(frame: FrameType, event: str, argument: Any) -> Any:
    followers = events.function_entered.tell(frame)
    if not followers:
        return None

    def follow(frame: FrameType, event: str, argument: Any) -> Any:
        for follower in followers:
            follower(frame, event, argument)
        return follow

    return follow


class Stop:
    """Stops a program that catches whatever is raised in it.

    An exception that comes while ``try`` is at work is caught again. One at the beginning of a line is not, if the line
    is that of ``while`` or stands below ``except``: each attempt raises at another one of the next lines.

    Parameters
    ----------
    error : callable
        Makes the exception.
    """

    def __init__(self, error: Callable[[], BaseException]) -> None:
        self._error = error
        self._left = self._attempts = 0
        self.armed = True

    def soon(self, frame: FrameType | None) -> None:
        """Raise at one of the next lines of a frame, or of a function that it calls or was called by."""
        self._attempts += 1
        self._left = 1 + self._attempts * 7 % 13
        while frame is not None:
            if is_user_file(frame.f_code.co_filename):
                frame.f_trace = self._follow
            frame = frame.f_back
        sys.settrace(self._follow)

    def _follow(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not self.armed:
            return None
        if event == "line":
            self._left -= 1
            if self._left <= 0:
                raise self._error()
        return self._follow
