"""Observation of JAX: lines that run in the trace, the jaxpr, the compiled HLO, and the reasons for retraces."""

from __future__ import annotations

import ast
import contextlib
import importlib
import logging
import re
from collections.abc import Iterator
from typing import Any

from .watching import Graph, Peer, Program, Watched

__all__ = ["JAX", "hlo_of", "jaxpr_of"]

#: The maximum number of lines of a compiled program; longer programs are no more informative than their graphs.
_MOST_LINES = 40
#: The maximum width of a jaxpr in columns, which JAX does not always respect.
_WIDTH = 36


class _Reasons(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


class JAX(Peer):
    """The observer of JAX programs with ``jax.jit``."""

    name = "jax"
    title = "JAX"
    module = "jax"

    def __init__(self) -> None:
        self.jax = importlib.import_module("jax")
        importlib.import_module("jax.export")
        self._reasons = _Reasons()

    def version(self) -> str:
        """Return the version of JAX."""
        return self.jax.__version__

    def begin(self, program: Program) -> None:
        """Make JAX log the reasons for traces."""
        self._known: dict[str, set[int]] = {}
        self._logger = logging.getLogger("jax")
        self._logger.addHandler(self._reasons)
        self._before = self._logger.propagate
        self._logger.propagate = False
        self.jax.config.update("jax_explain_cache_misses", True)

    def end(self) -> None:
        """Restore the settings of JAX's log."""
        self.jax.config.update("jax_explain_cache_misses", False)
        self._logger.removeHandler(self._reasons)
        self._logger.propagate = self._before

    def is_standin(self, value: Any) -> bool:
        """Return whether a value is a tracer or contains a tracer."""
        if isinstance(value, dict | list | tuple):
            return any(map(self.is_standin, value.values() if isinstance(value, dict) else value))
        return isinstance(value, self.jax.core.Tracer)

    def after(self, program: Program, watched: Watched) -> None:
        """Record the reasons for traces, and the jaxpr of each call. The jaxpr is in JAX's cache, so no code runs."""
        said, self._reasons.said = self._reasons.said, []
        own = [text for text in said if f"defined at {program.path}" in text]
        watched.why += [_reason(program.own_text(text)) for text in own]
        if watched.error is not None:
            return
        watched.fresh = bool(watched.traced)
        for function, args, keywords in [*program.calls_in(watched.node), *self._exports_in(program, watched.node)]:
            if not (hasattr(function, "trace") and hasattr(function, "lower")):
                continue
            with contextlib.suppress(Exception):
                traced = function.trace(*args, **keywords)
                graph = jaxpr_of(traced.jaxpr, program.path)
                key = "\n".join(graph.text)
                if key not in self._known:
                    self._known[key] = _used(traced.jaxpr, program.path)
                    watched.graphs.append(graph)
                    hlo = hlo_of(traced.lower().compile().as_text(), program.path)
                    if len(hlo.text) <= _MOST_LINES and len(self._known) == 1:
                        watched.graphs.append(hlo)
                watched.used |= self._known[key]
                watched.parts += 1
        self._reasons.said.clear()

    def _exports_in(self, program: Program, node: ast.stmt) -> Iterator[tuple[Any, list[Any], dict[str, Any]]]:
        """Yield the function and arguments of ``export.export(function)(*arguments)``, which traces the function."""
        for call in ast.walk(node):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Call):
                continue
            with contextlib.suppress(Exception):
                parts = call.func.func, call.func.args[0], *call.args
                exporting, function, *args = map(program.value, parts)
                if exporting is self.jax.export.export:
                    yield function, args, {}


def _reason(text: str) -> str:
    lines = [
        re.sub(r"^(TRACING CACHE MISS) at \S*foreign_trace\.py:\S+ \(.*\):", r"\1:", line.strip())
        for line in text.splitlines()
    ]
    return "\n".join(line for line in lines if line)


def jaxpr_of(jaxpr: Any, path: str) -> Graph:
    """Return a jaxpr as text, with the source line of each equation."""
    text: list[str] = []
    lines: list[int] = []
    for line in _printed(jaxpr, width=_WIDTH).splitlines():
        found = re.search(r"\s*# (\S+?):(\d+)(?::\d+)? \(.*\)$", line)
        place = int(found[2]) if found and found[1] == path else 0
        head = line[: found.start()] if found else line
        head = re.sub(r"\s+#$", "", head)  # the empty source of an equation of JAX itself
        if head.strip():
            text.append(head.rstrip())
            lines.append(place)
    return Graph("jaxpr", text, lines)


def _printed(jaxpr: Any, **options: Any) -> str:
    """Return the text of a jaxpr without colors, which JAX adds under IPython."""
    return jaxpr.pretty_print(source_info=True, name_stack=False, use_color=False, **options)


def _used(jaxpr: Any, path: str) -> set[int]:
    """Return the lines of a program for which a jaxpr has equations."""
    text = _printed(jaxpr)
    return {int(line) for file, line in re.findall(r"# (\S+?):(\d+)", text) if file == path}


def hlo_of(text: str, path: str) -> Graph:
    """Return XLA's optimized program without its tables, with the source line of each instruction."""
    body, sep, table = text.partition("\n\n%") if "\n\n%" in text else text.partition("\n\nENTRY")
    rest = sep.lstrip("\n") + table
    files = dict(re.findall(r'^(\d+) "(.*)"$', body.partition("FunctionNames")[0], re.MULTILINE))
    places = {n: (files.get(f, ""), int(line)) for n, f, line in re.findall(
        r"^(\d+) \{file_name_id=(\d+) .*?\bline=(\d+)", body, re.MULTILINE)}  # fmt: skip
    frames = dict(re.findall(r"^(\d+) \{file_location_id=(\d+)", body, re.MULTILINE))
    kept, lines = [], []
    for line in rest.rstrip().splitlines():
        found = re.search(r"stack_frame_id=(\d+)", line)
        place = places.get(frames.get(found[1], ""), ("", 0)) if found else ("", 0)
        kept.append(re.sub(r", (?:metadata|frontend_attributes|backend_config)=\{.*?\}(?=,|$)", "", line))
        lines.append(place[1] if place[0] == path else 0)
    return Graph("HLO, optimised", kept, lines)
