"""Well-known networks, ready to train."""

from __future__ import annotations

from ...support.absent import refusing
from . import vision

__all__ = ["vision"]

globals()["__getattr__"] = refusing(__name__)
