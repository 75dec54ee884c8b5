"""The default backend: a flat Python program over NumPy, or over CuPy on a GPU."""

from __future__ import annotations

from .backend import PythonBackend

__all__ = ["NumPyBackend"]


class NumPyBackend(PythonBackend):
    """The backend that generates Python alone."""

    name = "numpy"
