"""Operators that only a test knows: the package forgets them when it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from d2lhybrid.internals.core import operator as registry

__all__ = ["own_operators"]


@contextlib.contextmanager
def own_operators() -> Iterator[None]:
    """Forget at the end which operators were registered inside: by the test, or by an answer that it runs."""
    known = dict(registry._OPERATORS)
    try:
        yield
    finally:
        registry._OPERATORS.clear()
        registry._OPERATORS.update(known)
