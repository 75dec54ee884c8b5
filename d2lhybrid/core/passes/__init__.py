"""Passes: functions from a graph to a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["looks_for"]

Pass = TypeVar("Pass", bound=Callable[..., Any])


def looks_for(*operators: str) -> Callable[[Pass], Pass]:
    """Declare of a pass that it changes nothing in a graph without one of these operators: there it need not run.

    Examples
    --------
    >>> @looks_for("BatchNorm")
    ... def nothing(graph):
    ...     return graph
    >>> nothing.looks_for
    ('BatchNorm',)
    """

    def declare(run: Pass) -> Pass:
        run.looks_for = operators  # type: ignore[attr-defined]
        return run

    return declare
