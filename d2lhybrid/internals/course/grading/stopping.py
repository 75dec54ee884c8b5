"""Requests to stop that come from Ctrl-C, the system, or a closed terminal."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

__all__ = ["stoppable", "undisturbed"]

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


@contextlib.contextmanager
def _handled(handler: Any) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    # Ignored signals stay ignored: nohup starts programs that way, so that they survive their terminal.
    before = {n: old for n in numbers if (old := signal.getsignal(n)) not in (signal.SIG_IGN, None)}
    try:
        for number in before:
            signal.signal(number, handler)
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def stoppable() -> contextlib.AbstractContextManager[None]:
    """Return a context manager inside which every request to stop raises ``KeyboardInterrupt``."""
    return _handled(_interrupt)


def undisturbed() -> contextlib.AbstractContextManager[None]:
    """Return a context manager that ignores requests to stop, for a short block that must not be interrupted."""
    return _handled(signal.SIG_IGN)
