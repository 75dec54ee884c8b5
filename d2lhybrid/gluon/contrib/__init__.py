"""Blocks that MXNet keeps apart from the stable ones."""

from __future__ import annotations

from . import nn

__all__ = ["nn"]
