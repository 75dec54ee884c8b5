"""Passes, which are functions from a graph to a graph.

``CHINESE`` in the file of a pass contains the Chinese name of the pass and the first sentence of the file in Chinese.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["looks_for"]

Pass = TypeVar("Pass", bound=Callable[..., Any])


def looks_for(*traits: str) -> Callable[[Pass], Pass]:
    """Return a decorator that declares which graphs a pass can change.

    The pass runs only on graphs that have at least one of the given traits. A trait is the name of an operator, or a
    property that :attr:`d2lhybrid.internals.core.graph.Graph.traits` lists.

    Parameters
    ----------
    *traits : str
        The names of the traits.

    Returns
    -------
    callable
        The decorator, which returns the pass.

    Examples
    --------
    >>> @looks_for("BatchNorm", "update")
    ... def nothing(graph):
    ...     return graph
    >>> nothing.looks_for
    ('BatchNorm', 'update')
    """

    def declare(run: Pass) -> Pass:
        run.looks_for = traits  # type: ignore[attr-defined]
        return run

    return declare
