"""Observation of PyTorch: Dynamo's graphs, graph breaks, lines that Python runs, and reasons for recompiles."""

from __future__ import annotations

import ast
import contextlib
import importlib
import logging
import re
import shutil
import warnings
from typing import Any

from .watching import Graph, Peer, Program, Watched

__all__ = ["PyTorch"]

_ARTIFACTS = ("trace_source", "recompiles", "graph_breaks", "guards", "output_code")
_MOST_LINES = 45


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.said: dict[str, list[str]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        artifact = record.name.rpartition(".__")[2]
        if artifact in _ARTIFACTS:
            self.said.setdefault(artifact, []).append(record.getMessage())


class PyTorch(Peer):
    """The observer of PyTorch programs with ``torch.compile``."""

    name = "torch"
    title = "PyTorch"
    module = "torch"

    def __init__(self) -> None:
        warnings.filterwarnings("ignore", module=r"torch\b.*")
        self.torch: Any = importlib.import_module("torch")
        self.logging = importlib.import_module("torch._logging")
        importlib.import_module("torch._dynamo")
        importlib.import_module("torch._inductor.compile_fx")
        self._fake = importlib.import_module("torch._subclasses.fake_tensor").FakeTensor
        self._listener = _Listener()
        self._compile = self.torch.compile
        #: The backend. Without a C++ compiler, the captured graphs run without Inductor.
        self.backend = "inductor" if shutil.which("g++") or shutil.which("clang++") else "aot_eager"

    def version(self) -> str:
        """Return the version of PyTorch."""
        return self.torch.__version__

    def begin(self, program: Program) -> None:
        """Subscribe to every captured graph, and enable PyTorch's logs."""
        self.torch.compiler.reset()
        self._made: list[tuple[Any, set[int]]] = []
        self._runs: list[int] = []
        self._program = program
        self.logging.set_logs(**dict.fromkeys(_ARTIFACTS, True))
        self._loggers = [
            logger for name, logger in logging.root.manager.loggerDict.items()
            if isinstance(logger, logging.Logger) and re.fullmatch(rf"torch.*\.__({'|'.join(_ARTIFACTS)})", name)
        ]  # fmt: skip
        self._handlers = [(logger, logger.handlers[:], logger.propagate) for logger in self._loggers]
        for logger in self._loggers:
            logger.handlers[:] = [self._listener]
            logger.propagate = False

        def compiled(model: Any = None, **options: Any) -> Any:
            options.setdefault("backend", self._spy)
            return self._compile(model, **options)

        self.torch.compile = compiled

    def end(self) -> None:
        """Restore PyTorch's settings."""
        self.torch.compile = self._compile
        for logger, handlers, propagate in self._handlers:
            logger.handlers[:] = handlers
            logger.propagate = propagate
        self.logging.set_logs()
        self.torch.compiler.reset()

    def _spy(self, module: Any, inputs: Any) -> Any:
        text = module.print_readable(print_output=False, include_stride=False, include_device=False, colored=False)
        graph = _fx_graph(text, self._program.path)
        number = len(self._made)
        self._made.append((graph, {*graph.lines} - {0}))
        backend = importlib.import_module("torch._dynamo").lookup_backend(self.backend)
        program = backend(module, inputs)

        def run(*args: Any) -> Any:
            self._runs.append(number)
            return program(*args)

        return run

    def is_standin(self, value: Any) -> bool:
        """Return whether a value is a fake tensor. ``torch.export``, but not Dynamo, runs programs on fake tensors."""
        return isinstance(value, self._fake)

    def after(self, program: Program, watched: Watched) -> None:
        """Record PyTorch's messages, new graphs, and the graphs that ran."""
        said, self._listener.said = self._listener.said, {}
        runs, self._runs = self._runs, []
        first = getattr(self, "_before", 0) if getattr(self, "_of", None) is program else 0
        new = self._made[first:]
        self._before, self._of = len(self._made), program
        read = {
            int(found[1])
            for text in said.get("trace_source", [])
            if (found := re.search(rf"TRACE starts_line {re.escape(program.path)}:(\d+)", text))
        } & {*program.own}  # fmt: skip
        faked, watched.traced = watched.traced, set()
        watched.fresh = bool(new) or bool(faked)
        watched.graphs += [graph for graph, _ in new]
        watched.traced = (read - {*watched.ran}) | faked
        watched.parts = len(runs)
        watched.used = set().union(*(self._made[i][1] for i in runs))
        watched.why += [program.own_text(_reason(t)) for t in said.get("recompiles", [])]
        watched.why += [program.own_text(t) for text in said.get("graph_breaks", []) if (t := _break(text))]
        watched.why = list(dict.fromkeys(watched.why))
        guards = "\n".join(said.get("guards", []))
        watched.frozen = {line: [f for f in texts if _name(f) in guards] for line, texts in watched.frozen.items()}
        watched.frozen |= {line: found for line in read if (found := self._guarded(program, line, guards))}
        watched.frozen = _constants(watched.frozen, [graph for graph, _ in new])
        for value in program.namespace.values():
            if faked and hasattr(value, "graph_module"):
                text = value.graph_module.print_readable(print_output=False, colored=False)
                watched.graphs.append(_fx_graph(text, program.path, "exported FX graph"))
                watched.used |= {*watched.graphs[-1].lines} - {0}
        if len(new) >= 1 and first == 0:
            for text in said.get("output_code", [])[:1]:
                code = _kernel(text)
                if 0 < len(code) <= _MOST_LINES:
                    watched.graphs.append(Graph("Inductor's code", code, [0] * len(code)))

    def _guarded(self, program: Program, line: int, guards: str) -> list[str]:
        """Return the plain values that a line reads and a guard compares before each call."""
        found = {}
        for node in program.reads.get(line, []):
            text = ast.unparse(node)
            root, _, rest = text.partition(".")
            candidates = [f"G['{root}']", f"L['{root}']"]
            with contextlib.suppress(Exception):
                value = program.value(node) if root in program.namespace else None
                if isinstance(value, bool | int | float | str) and any(c in guards for c in candidates):
                    found[text] = f"{text} = {value!r}"
            if rest and not found and (got := re.search(rf"\.{re.escape(rest)} == ([^\s,]+)", guards)):
                found[text] = f"{text} = {got[1]}"
        return list(found.values())


def _constants(frozen: dict[int, list[str]], graphs: list[Graph]) -> dict[int, list[str]]:
    """Return the guarded values that are fixed in a graph, without the inputs of the graph.

    A value is fixed if the graph contains it as a constant, or if its line has no operators, and so decided a branch.
    """
    held: dict[int, str] = {}
    for graph in graphs:
        for line, text in zip(graph.lines, graph.text, strict=True):
            held[line] = f"{held.get(line, '')} {text}"

    def fixed(line: int, text: str) -> bool:
        value = re.escape(text.partition(" = ")[2])
        return line not in held or bool(re.search(rf"(?<![\w.]){value}(?![\w.])", held[line]))

    found = {line: [text for text in texts if fixed(line, text)] for line, texts in frozen.items()}
    return {line: texts for line, texts in found.items() if texts}


def _name(text: str) -> str:
    return text.partition(" = ")[0].rpartition(".")[2]


def _reason(text: str) -> str:
    """Return the reason for a recompilation without the user's stack trace, because the picture shows the line."""
    lines = [line.strip() for line in text.partition("- User stack trace")[0].splitlines()]
    return "\n".join(re.sub(r"\s{2,}# .*$", "", line) for line in lines if line)


def _break(text: str) -> str:
    """Return the location, the reason, and the explanation of a graph break from a message."""
    kept = []
    for line in text.splitlines():
        line = line.strip()
        if line.startswith(("Graph break", "Graph Break Reason", "Explanation", "Reason")):
            kept.append(line)
    return "\n".join(kept)


def _fx_graph(text: str, path: str, title: str = "FX graph") -> Graph:
    """Return a captured graph as text, with the source line of each of its lines."""
    kept, lines, now = [], [], 0
    for line in text.splitlines():
        found = re.match(r"\s*#\s*File: (.*?):(\d+) in ", line)
        if found:
            now = int(found[2]) if found[1] == path else 0
        elif line.strip() and not line.strip().startswith("#"):
            kept.append(line)
            lines.append(0 if "def forward" in line or line.strip().startswith(("class ", "return")) else now)
    return Graph(title, kept, lines)


def _kernel(text: str) -> list[str]:
    """Return the kernels and the call of Inductor's code, without imports and boilerplate."""
    kept, inside = [], False
    for line in text.splitlines():
        if re.match(r"cpp_fused\w* = |    def call\(", line):
            inside = True
        if re.match(r"async_compile\.wait|class Runner|runner = |def ", line) or "integer_div_error" in line:
            inside = inside and "integer_div_error" in line
            continue
        if inside and line.strip():
            kept.append(line)
    return kept
