"""The compiler behind ``hybridize()``: from a traced graph to a flat Python program.

Read it in this order: ``graph.py`` (what is compiled), ``pipeline.py`` (the stages),
``passes/`` (one idea a file), ``memory.py``, ``lowering.py``, ``codegen.py``.
"""

from __future__ import annotations

from .graph import Graph, TensorType
from .pipeline import PASSES, Program, Stage, compile_graph, observe

__all__ = ["PASSES", "Graph", "Program", "Stage", "TensorType", "compile_graph", "observe"]
