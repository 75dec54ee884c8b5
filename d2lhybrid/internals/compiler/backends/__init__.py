"""The backends of the compiler: NumPy expressions, GPU kernels, C, oneDNN, and ONNX Runtime.

The default backend on a CPU is ``numpy``, which generates Python that calls NumPy and has no other dependency. The
default backend on a GPU is ``cupy``, which generates Python that launches generated kernels. The backend ``numpy`` also
works on a GPU, where its programs call CuPy's functions one by one.

A new backend needs a subclass of :class:`~d2lhybrid.internals.compiler.backends.python_backend.PythonBackend` in its
own file, and one line in :mod:`d2lhybrid.internals.support.plugins`. All backends register in
:mod:`d2lhybrid.internals.core.backends`.
"""

from __future__ import annotations

import functools

from ...core.backends import BACKENDS, Backend, get_backend, register_backend
from ...support import plugins

__all__ = ["BACKENDS", "Backend", "get_backend", "register_backends"]


def register_backends() -> None:
    """Register all backends with the core. The backend ``numpy`` replaces the core's own backend."""
    for name, place in plugins.BACKENDS.items():
        register_backend(name, functools.partial(_make, place))


def _make(place: str) -> Backend:
    return plugins.load(place)()
