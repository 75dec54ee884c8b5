"""One thing, or several: as a list."""

from __future__ import annotations

from typing import Any

__all__ = ["as_given_list"]


def as_given_list(obj: Any) -> Any:
    """Return a list or tuple as it is, anything else in a list."""
    return obj if isinstance(obj, list | tuple) else [obj]
