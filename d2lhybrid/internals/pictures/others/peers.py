"""The observed frameworks. A framework is imported only to run one of its programs."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import re
from types import FrameType
from typing import Any

from .watching import Graph, Peer, Program, Watched

__all__ = ["PEERS", "Gluon", "installed", "peer_of"]

#: The maximum number of lines of a compiled program.
_MOST_LINES = 45


class Gluon(Peer):
    """The observer of Gluon programs, which use the blocks of this package."""

    name = "gluon"
    title = "Gluon"
    module = "d2lhybrid"

    def version(self) -> str:
        """Return the version of this package."""
        return importlib.import_module("d2lhybrid").__version__

    def begin(self, program: Program) -> None:
        """Reset the observations before a program runs."""
        self._graphs: list[Any] = []
        #: Id of a block -> the block, and the numbers of its known events and programs.
        self._seen: dict[int, tuple[Any, int, int]] = {}
        self._called: set[int] = set()

    def entered(self, program: Program, frame: FrameType) -> dict[int, int] | None:
        """Return a dict from a frame's lines to the program's lines, or None elsewhere, and record a called block."""
        if frame.f_code.co_name == "__call__":
            self._called.add(id(frame.f_locals.get("self")))
        return super().entered(program, frame)

    def is_standin(self, value: Any) -> bool:
        """Return whether a value is a symbol, which stands in for an array in a trace."""
        return isinstance(value, importlib.import_module("d2lhybrid.symbol").Symbol)

    def after(self, program: Program, watched: Watched) -> None:
        """Record traces and compilations of the program's blocks after a statement."""
        blocks = {id(b): b for b in program.namespace.values() if hasattr(b, "_cached_graph")}
        called, self._called = self._called, set()
        for key, block in blocks.items():
            if key not in self._seen:
                self._seen[key] = block, 0, 0
            if block._cached_graph and block._active:
                self._look(program, watched, block, key in called)

    def _look(self, program: Program, watched: Watched, block: Any, called: bool) -> None:
        _, events, programs = self._seen[id(block)]
        nodes = [n for n in block._cached_graph[1]._nodes() if n.op is not None]
        places = [n.source.line if n.source and n.source.file == program.path else 0 for n in nodes]
        report = block.explain()
        new = [*report.traces, *report.compilations][events:] if len(report.traces) == 1 else []
        watched.why += [f"{event.kind}: {'; '.join(event.reasons)}" for event in new]
        watched.recompiled = bool(events) and bool(new)
        if not any(graph is block._cached_graph for graph in self._graphs):
            self._graphs.append(block._cached_graph)
            watched.fresh = bool(watched.traced)
            watched.graphs.append(Graph("Symbol", [_written(n) for n in nodes], places))
        if report.programs and not programs:
            text = [line for one in report.programs[0].functions for line in [*one.source.splitlines(), ""]][:-1]
            if len(text) <= _MOST_LINES:
                watched.graphs.append(Graph("compiled program", text, [0] * len(text)))
        self._seen[id(block)] = block, events + len(new), len(report.programs)
        if called and watched.error is None:
            watched.used |= _lines_of(block._cached_graph[1], program.path)
            watched.parts += 1


def _lines_of(symbol: Any, path: str) -> set[int]:
    """Return the source lines of a graph and of its subgraphs, such as the branches of a ``cond``."""
    found: set[int] = set()
    for node in symbol._nodes():
        if node.op is not None:
            found |= {node.source.line} if node.source and node.source.file == path else set()
            for subgraph in node.params.get("subgraphs", ()):
                found |= _lines_of(subgraph.symbol, path)
    return found


def _written(node: Any) -> str:
    params = [re.sub(r" 0x[0-9a-f]+", "", f"{k}={v!r}") for k, v in node.params.items()]  # without memory addresses
    inputs = [entry[0].name for entry in node.inputs]
    return f"{node.name} = {node.op.name}({', '.join([*inputs, *params])})"


def peer_of(name: str) -> Peer:
    """Return the observer of a framework by the framework's name.

    Raises
    ------
    ImportError
        If the framework is not installed.
    """
    if name in ("python", "gluon"):
        return Peer() if name == "python" else Gluon()
    if importlib.util.find_spec(name) is None:
        raise ImportError(f"{PEERS[name]} is not installed. Install it with: pip install {name}")
    module = importlib.import_module(f"{__package__}.of_{name}")
    return getattr(module, PEERS[name])()


#: Name -> title. Except for Python and Gluon, the name is the name of the framework's module.
PEERS = {"python": "Python", "gluon": "Gluon", "torch": "PyTorch", "jax": "JAX", "tensorflow": "TensorFlow"}


def installed() -> list[str]:
    """Return the names of the installed frameworks."""
    found = ["python", "gluon"]
    for name in ("torch", "jax", "tensorflow"):
        with contextlib.suppress(ImportError, ValueError):
            if importlib.util.find_spec(name) is not None:
                found.append(name)
    return found
