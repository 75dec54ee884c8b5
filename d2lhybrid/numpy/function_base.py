"""``mx.np.function_base``: where MXNet writes ``meshgrid``."""

from __future__ import annotations

from .creation import meshgrid

__all__ = ["meshgrid"]
