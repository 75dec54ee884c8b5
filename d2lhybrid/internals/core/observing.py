"""Observers of compilations."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ..support import events
from .pipeline import Program

__all__ = ["observe"]


@contextlib.contextmanager
def observe() -> Iterator[list[Program]]:
    """Return a scope that collects all programs that this thread compiles.

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
