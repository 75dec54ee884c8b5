"""Processor time that a piece of code takes itself, for tests of what must not be quadratic."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Iterator

__all__ = ["Taken", "taken"]


class Taken:
    """How long it was."""

    seconds: float = 0.0


@contextlib.contextmanager
def taken() -> Iterator[Taken]:
    """Measure a ``with`` block; collecting the garbage of all tests before it takes seconds, and is not its own."""
    measured, enabled = Taken(), gc.isenabled()
    gc.disable()
    start = time.process_time()
    try:
        yield measured
    finally:
        measured.seconds = time.process_time() - start
        if enabled:
            gc.enable()
