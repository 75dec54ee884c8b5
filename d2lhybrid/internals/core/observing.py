"""A context manager that collects the programs compiled in its context."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ..support import events
from .pipeline import Program

__all__ = ["observe"]


@contextlib.contextmanager
def observe() -> Iterator[list[Program]]:
    """Return a context manager that yields a list of the programs that this thread compiles in the context.

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
