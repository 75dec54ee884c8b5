"""Backends: who makes a program out of the final graph.

``hybridize(backend=...)`` and ``optimize_for(x, backend=...)`` choose one by its name. The default on a CPU is
``numpy``, a Python program over NumPy that needs nothing else; on a GPU it is ``cupy``, a Python program that launches
generated kernels. (``numpy`` on a GPU calls CuPy's functions one by one.)

A new backend is a subclass of :class:`Backend` in a file of its own, and one line in
:data:`BACKENDS`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib

from ...errors import MXNetError
from ...support.machine import in_browser, not_here
from .backend import Backend

__all__ = ["BACKENDS", "Backend", "get_backend"]

#: Name -> (module, class). Modules are imported when they are first asked for.
BACKENDS: dict[str, tuple[str, str]] = {
    "numpy": ("numpy_program", "NumPyBackend"),
    "cupy": ("cupy_program", "CupyBackend"),
    "c": ("c_program", "CBackend"),
    "onednn": ("onednn_program", "OneDnnBackend"),
    "onnxruntime": ("onnx_runtime", "OnnxRuntimeBackend"),
}


#: MXNet's own names of what it compiles for processors with.
_OF_MXNET = ("MKLDNN", "MKLDNN_QUANTIZE")


@functools.cache
def get_backend(name: str | None) -> Backend:
    """Return a backend by its name; None is the default of a CPU.

    Raises
    ------
    MXNetError
        If there is none of that name, or if it cannot work here; the note says what it needs.

    Examples
    --------
    >>> get_backend(None).name
    'numpy'
    """
    if name is None:
        return get_backend("numpy")
    if name in _OF_MXNET:
        return _with_onednn()
    if name not in BACKENDS:
        error = MXNetError(f"Error optimizing for backend '{name}', the backend is not registered")
        error.add_note(f"There are: {', '.join(sorted(BACKENDS))}.")
        raise error
    if name != "numpy" and in_browser():
        raise not_here(f"Error optimizing for backend '{name}'", "Leave `backend` out: the program then runs on NumPy.")
    module, cls = BACKENDS[name]
    backend: Backend = getattr(importlib.import_module(f".{module}", __name__), cls)()
    backend.check_available()
    return backend


def _with_onednn() -> Backend:
    """Return what stands for MXNet's oneDNN, which it comes with: ours where it is installed, else the default."""
    if not in_browser():
        with contextlib.suppress(MXNetError):
            return get_backend("onednn")
    return get_backend(None)
