"""``mx.np.function_base``: MXNet's module of ``meshgrid``."""

from __future__ import annotations

from .creation import meshgrid

__all__ = ["meshgrid"]
