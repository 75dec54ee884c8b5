"""``mx.np.function_base``: the module in which MXNet defines ``meshgrid``."""

from __future__ import annotations

from .creation import meshgrid

__all__ = ["meshgrid"]
