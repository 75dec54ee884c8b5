"""The backends that the compiler adds: lines of NumPy, kernels for a GPU, C, oneDNN and ONNX Runtime.

The default on a CPU is ``numpy``, a Python program over NumPy that needs nothing else. On a GPU it is ``cupy``, a
Python program that launches generated kernels. (``numpy`` on a GPU calls CuPy's functions one by one.)

A new backend is a subclass of :class:`~d2lhybrid.compiler.backends.backend.PythonBackend` in a file of its own, and one
line in :data:`MODULES`. The table that all backends register in is :mod:`d2lhybrid.core.backends`.
"""

from __future__ import annotations

import functools
import importlib

from ...core.backends import BACKENDS, Backend, get_backend, register_backend

__all__ = ["BACKENDS", "MODULES", "Backend", "get_backend", "register_backends"]

#: Name -> (module, class). Modules are imported when they are first asked for.
MODULES: dict[str, tuple[str, str]] = {
    "numpy": ("numpy_program", "NumPyBackend"),
    "cupy": ("cupy_program", "CupyBackend"),
    "c": ("c_program", "CBackend"),
    "onednn": ("onednn_program", "OneDnnBackend"),
    "onnxruntime": ("onnx_runtime", "OnnxRuntimeBackend"),
}


def _make(module: str, cls: str) -> Backend:
    return getattr(importlib.import_module(f".{module}", __name__), cls)()


def register_backends() -> None:
    """Register all of them with the core; ``numpy`` takes the place of the plain one."""
    for name, (module, cls) in MODULES.items():
        register_backend(name, functools.partial(_make, module, cls))
