"""The conversion of a single object to a list of one item."""

from __future__ import annotations

from typing import Any

__all__ = ["as_given_list"]


def as_given_list(obj: Any) -> Any:
    """Return a list or tuple unchanged, and any other object as the only item of a list."""
    return obj if isinstance(obj, list | tuple) else [obj]
