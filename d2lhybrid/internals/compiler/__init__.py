"""The compiler's additions to :mod:`d2lhybrid.internals.core`: passes, backends, layouts, and arenas.

The package also exports functions and classes of the core, such as ``compile_graph``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..core.graph import Graph, TensorType
    from ..core.observing import observe
    from ..core.pipeline import PASSES, Program, Stage, compile_graph
    from .backends.cupy_program import cuda_source

#: Public names and their modules, which are imported at the first use.
_HOMES = {
    "PASSES": "core.pipeline", "Graph": "core.graph", "Program": "core.pipeline", "Stage": "core.pipeline",
    "TensorType": "core.graph", "compile_graph": "core.pipeline", "cuda_source": "compiler.backends.cupy_program",
    "observe": "core.observing",
}  # fmt: skip

__all__ = ["PASSES", "Graph", "Program", "Stage", "TensorType", "compile_graph", "cuda_source", "observe"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"d2lhybrid.internals.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
