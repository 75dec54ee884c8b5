"""``mx.np.io``: MXNet's module of ``genfromtxt``."""

from __future__ import annotations

from .creation import genfromtxt

__all__ = ["genfromtxt"]
