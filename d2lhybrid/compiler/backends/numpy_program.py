"""The default: a flat Python program over NumPy, or over CuPy on a GPU."""

from __future__ import annotations

from .backend import Backend

__all__ = ["NumPyBackend"]


class NumPyBackend(Backend):
    """Generated Python, and nothing else."""

    name = "numpy"
