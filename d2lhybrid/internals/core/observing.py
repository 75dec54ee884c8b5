"""Which programs are compiled: told to those who ask."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ..support import events
from .pipeline import Program

__all__ = ["observe"]


@contextlib.contextmanager
def observe() -> Iterator[list[Program]]:
    """Collect all programs that this thread compiles inside the scope.

    Examples
    --------
    >>> with observe() as programs:
    ...     pass
    >>> programs
    []
    """
    programs: list[Program] = []
    with events.listening(program_compiled=programs.append):
        yield programs
