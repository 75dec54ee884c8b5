"""The line tracer, which receives every function call from Python and distributes lines to subscribers."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from ..support import events

__all__ = ["Follower", "pause", "tracing"]

#: A function that receives the events of a frame, as in ``sys.settrace``: the frame; ``"line"``, ``"return"``,
#: ``"exception"``, or ``"opcode"``; and the returned or raised object. Its result is ignored.
Follower = Callable[[FrameType, str, Any], object]


@contextlib.contextmanager
def tracing(entered: Callable[[FrameType], Follower | None]) -> Iterator[None]:
    """Return a scope in which `entered` is called for every Python function that this thread calls.

    Scopes may be nested. A tracer of another library is paused during the scope, and restored afterwards.

    Parameters
    ----------
    entered : callable
        Function that receives the frame of a call, and returns None or a function ``follow(frame, event, argument)``
        to call for each line. To follow single instructions, `entered` sets ``frame.f_trace_opcodes``.

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
    sys._getframe().f_trace_opcodes = True  # Python 3.12 only traces instructions if requested before settrace
    with events.listening(function_entered=entered):
        sys.settrace(_enter)
        try:
            yield
        finally:
            sys.settrace(before)


def pause() -> Callable[[], None]:
    """Stop tracing in this thread, so that code runs at full speed, and return a function that resumes tracing.

    Even if tracing is not resumed, leaving the scope :func:`tracing` restores the earlier state.

    Examples
    --------
    >>> def double(x):
    ...     return x * 2
    >>> seen = []
    >>> with tracing(lambda frame: seen.append(frame.f_code.co_name)):
    ...     go_on = pause()
    ...     y = double(3)
    ...     go_on()
    ...     y = double(4)
    >>> seen.count("double")
    1
    """
    before = sys.gettrace()
    sys.settrace(None)
    return functools.partial(sys.settrace, before)


def _enter(frame: FrameType, event: str, argument: Any) -> Any:
    followers = events.function_entered.tell(frame)
    if not followers:
        return None

    def follow(frame: FrameType, event: str, argument: Any) -> Any:
        for follower in followers:
            follower(frame, event, argument)
        return follow

    return follow
