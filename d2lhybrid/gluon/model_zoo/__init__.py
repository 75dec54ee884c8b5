"""Well-known networks, ready to train."""

from __future__ import annotations

from . import vision

__all__ = ["vision"]
