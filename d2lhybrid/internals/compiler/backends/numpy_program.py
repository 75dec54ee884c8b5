"""The default backend: a flat Python program over NumPy, or over CuPy on a GPU."""

from __future__ import annotations

from .python_backend import PythonBackend

__all__ = ["NumPyBackend"]


class NumPyBackend(PythonBackend):
    """The default backend on a CPU, which generates only Python."""

    name = "numpy"
