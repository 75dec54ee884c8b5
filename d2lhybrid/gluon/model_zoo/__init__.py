"""Well-known networks, ready to train."""

from __future__ import annotations

from . import model_store, vision

__all__ = ["model_store", "vision"]
