"""Tables of packages, backends, and services, through which lower packages use higher packages without an import.

:mod:`d2lhybrid.internals.core` computes every result without the packages that make it faster, and never imports them.
Each of these packages has a function ``plug_in`` that registers passes, backends, and faster implementations with the
core. To run the core alone, set ``D2LHYBRID_UNPLUGGED=1``, or empty :data:`ROOMS`
before arrays are first used::

    from d2lhybrid.internals.support import plugins
    plugins.ROOMS.clear()

A *service* is a function or a class of a higher package that a method of a lower package needs. For example,
``Symbol.bind`` makes an executor, and ``net.graph()`` returns a picture. The lower package looks up the service by name
(:func:`service`), like an entry point of a package.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

__all__ = ["BACKENDS", "ROOMS", "SERVICES", "load", "plug_in", "service"]

#: The modules with a function ``plug_in``, in the order in which these functions are called.
ROOMS: list[str] = (
    []
    if os.environ.get("D2LHYBRID_UNPLUGGED") == "1"
    else ["d2lhybrid.internals.compiler.threads", "d2lhybrid.internals.compiler.registration"]
)

#: Name of a backend that the compiler registers -> its class, whose module is imported at the first use.
BACKENDS = {
    "numpy": "d2lhybrid.internals.compiler.backends.numpy_program:NumPyBackend",
    "cupy": "d2lhybrid.internals.compiler.backends.cupy_program:CupyBackend",
    "c": "d2lhybrid.internals.compiler.backends.c_program:CBackend",
    "onednn": "d2lhybrid.internals.compiler.backends.onednn_program:OneDnnBackend",
    "onnxruntime": "d2lhybrid.onnx.runtime_backend:OnnxRuntimeBackend",
}

#: Name of a service of a higher package for lower packages -> its module and object.
SERVICES = {
    "array_html": "d2lhybrid.internals.pictures.rich_display:array_html",
    "CachedOp": "d2lhybrid.ndarray:CachedOp",
    "bind": "d2lhybrid.executor:bind",
    "call_function": "d2lhybrid.numpy.dispatch:call_function",
    "call_ufunc": "d2lhybrid.numpy.dispatch:call_ufunc",
    "call_with_symbols": "d2lhybrid.operator.function:call_with_symbols",
    "custom_operator": "d2lhybrid.operator.node:custom_operator",
    "export_onnx": "d2lhybrid.onnx:export_to_file",
    "html_of": "d2lhybrid.internals.pictures.objects:html_of",
    "net_graph": "d2lhybrid.internals.pictures:NetGraph",
    "net_html": "d2lhybrid.internals.pictures.rich_display:net_html",
    "simple_bind": "d2lhybrid.executor:simple_bind",
    "symbol_of": "d2lhybrid.symbol.from_tape:symbol_of",
}


def load(place: str) -> Any:
    """Import and return the object that a text such as ``"d2lhybrid.executor:bind"`` names."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def service(name: str) -> Any:
    """Return a service by its name in :data:`SERVICES`.

    Examples
    --------
    >>> service("bind").__module__
    'd2lhybrid.executor.binding'
    """
    return load(SERVICES[name])


def plug_in() -> None:
    """Call ``plug_in`` of all packages in :data:`ROOMS`. The import of the array classes calls this function once."""
    for package in ROOMS:
        importlib.import_module(package).plug_in()
