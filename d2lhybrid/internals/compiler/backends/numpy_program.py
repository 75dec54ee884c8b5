"""The default: a flat Python program over NumPy, or over CuPy on a GPU."""

from __future__ import annotations

from .backend import PythonBackend

__all__ = ["NumPyBackend"]


class NumPyBackend(PythonBackend):
    """Generated Python, and nothing else."""

    name = "numpy"
