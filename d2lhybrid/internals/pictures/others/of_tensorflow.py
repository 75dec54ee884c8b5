"""Observation of TensorFlow: autograph's source, lines that run in the trace, and the graph of each signature."""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import inspect
import logging
import os
import re
import warnings
from types import FrameType, FunctionType
from typing import Any

from .watching import Graph, Peer, Program, Watched

__all__ = ["TensorFlow"]

#: Operations that only rename or forward values.
_SILENT = {"NoOp"}
_MOST_LINES = 60


class TensorFlow(Peer):
    """The observer of TensorFlow programs with ``tf.function``."""

    name = "tensorflow"
    title = "TensorFlow"
    module = "tensorflow"

    def __init__(self) -> None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.tf = importlib.import_module("tensorflow")
        logging.getLogger("tensorflow").setLevel(logging.ERROR)

    def version(self) -> str:
        """Return the version of TensorFlow."""
        return self.tf.__version__

    def begin(self, program: Program) -> None:
        """Reset the observations before a program runs."""
        self._known: dict[int, tuple[Any, set[int]]] = {}
        self._maps: dict[str, dict[int, int]] = {}
        self._entered = False

    def entered(self, program: Program, frame: FrameType) -> dict[int, int] | None:
        """Return a dict from a frame's lines (also in autograph's code) to the user's lines, or None elsewhere."""
        name = frame.f_code.co_filename
        if "__autograph_generated_file" in name and frame.f_code.co_name not in (
            "<module>",
            "outer_factory",
            "inner_factory",
        ):
            if name not in self._maps or not self._maps[name]:
                self._maps[name] = _lines_of(frame, program.path)
            return self._maps[name]
        return super().entered(program, frame)

    def line_of(self, program: Program, file: str, line: int) -> int:
        """Return the line of user code from which autograph generated a line."""
        return self._maps[file].get(line, 0) if file in self._maps else super().line_of(program, file, line)

    def is_standin(self, value: Any) -> bool:
        """Return whether a value is a symbolic tensor, which stands in for a tensor in a trace."""
        return self.tf.is_symbolic_tensor(value)

    def counted(self) -> Any:
        """Return the graph under construction and its number of operations, or None if TensorFlow runs eagerly."""
        if self.tf.executing_eagerly():
            return None
        graph = self.tf.compat.v1.get_default_graph()
        return graph, len(graph.get_operations())

    def after(self, program: Program, watched: Watched) -> None:
        """Record the concrete function of each call. The function exists already, so no Python code runs."""
        if watched.error is not None:
            return
        watched.fresh = bool(watched.traced)
        for function, args, keywords in program.calls_in(watched.node):
            if not hasattr(function, "get_concrete_function"):
                function: Any = getattr(function, "__call__", None)  # noqa: B004
                if not hasattr(function, "get_concrete_function"):
                    continue
            with contextlib.suppress(Exception):
                concrete = function.get_concrete_function(*args, **keywords)
                if id(concrete) not in self._known:
                    self._add(program, watched, function, concrete)
                watched.used |= self._known[id(concrete)][1]
                watched.parts += 1

    def _add(self, program: Program, watched: Watched, function: Any, concrete: Any) -> None:
        graph = _graph_of(concrete.graph, program.path)
        wholes = _statements(program)
        lines = {line for at in {*watched.recorded, *graph.lines} - {0} for line in wholes.get(at, (at,))}
        graph.lines = [wholes[at][0] if at in wholes else at for at in graph.lines]
        first = not self._known
        self._known[id(concrete)] = (concrete, lines if watched.fresh else set())
        watched.traced |= lines if watched.fresh else set()
        watched.graphs.append(graph)
        if watched.fresh:
            said = function.pretty_printed_concrete_signatures().strip()
            last = [part for part in said.split("Input Parameters:") if part.strip()][-1]
            signature = [line.strip() for line in last.partition("Output Type")[0].splitlines() if line.strip()]
            watched.why.append("new signature:\n" + "\n".join(signature))
        if first and watched.fresh and hasattr(function, "python_function"):
            with contextlib.suppress(Exception):
                plain = _own_function(function.python_function, program.path)
                text = self.tf.autograph.to_code(plain).rstrip().splitlines()
                made = self.tf.autograph.to_graph(plain)
                lines = {k.lineno: v.loc.lineno for k, v in made.ag_source_map.items()}
                start = made.__code__.co_firstlineno
                if len(text) <= _MOST_LINES:
                    places = [lines.get(start + i, 0) for i in range(len(text))]
                    watched.graphs.append(
                        Graph("autograph's source", text, [n if n in program.own else 0 for n in places])
                    )


def _statements(program: Program) -> dict[int, range]:
    """Return all lines of a multi-line statement for each of its lines, because autograph maps only one of them."""
    found: dict[int, range] = {}
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Return | ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            if len(lines) > 1 and {*lines} <= {*program.own}:
                found |= dict.fromkeys(lines, lines)
    return found


def _lines_of(frame: FrameType, path: str) -> dict[int, int]:
    """Return the user's line for each line of a generated function, from the function's own map."""
    place = frame.f_code
    found: dict[int, int] = {}
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename == place.co_filename:
            source_map = getattr(one, "ag_source_map", None)
            if source_map:
                found |= {k.lineno: v.loc.lineno for k, v in source_map.items() if v.loc.filename == path}
    return found


def _own_function(function: Any, path: str) -> Any:
    """Return the user's function inside TensorFlow's wrappers, which store methods in closures."""
    function = inspect.unwrap(function)
    if function.__code__.co_filename == path:
        return function
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    return next(one for one in held if inspect.isfunction(one) and one.__code__.co_filename == path)


def _graph_of(graph: Any, path: str) -> Graph:
    text, lines = [], []
    for op in graph.get_operations():
        if op.type in _SILENT:
            continue
        inputs = ", ".join(re.sub(r":0$", "", i.name) for i in op.inputs)
        value = ""
        if op.type == "Const":
            with contextlib.suppress(Exception):
                tensor = op.get_attr("value")
                found = re.search(r"(?:float|int|bool|double)_val: (\S+)", str(tensor))
                value = found[1] if found else ""
        text.append(f"{op.name} = {op.type}({inputs or value})")
        own = [f.lineno for f in op.traceback or () if f.filename == path and f.name != "<module>"]
        lines.append(own[-1] if own else 0)
    return Graph("FuncGraph", text, lines)
