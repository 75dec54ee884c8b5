"""``mx.np.io``: the module in which MXNet defines ``genfromtxt``."""

from __future__ import annotations

from .creation import genfromtxt

__all__ = ["genfromtxt"]
