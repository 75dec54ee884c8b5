"""Experimental layers."""

from __future__ import annotations

from . import basic_layers
from .basic_layers import *  # noqa: F403

__all__: list[str] = []
__all__ += basic_layers.__all__
