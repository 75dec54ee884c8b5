"""``mx.np.io``: where MXNet writes ``genfromtxt``."""

from __future__ import annotations

from .creation import genfromtxt

__all__ = ["genfromtxt"]
