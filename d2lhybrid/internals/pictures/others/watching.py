"""Observation of a program in one framework: the lines that Python runs, printed text, and graphs of each call.

Comments in the program's source mark statements: ``# call 1`` marks a call of the compiled function, and ``# shows``
marks a value to display.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import platform
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from ...support.display import Shown
from ..lines import tracing

__all__ = ["Graph", "Peer", "Program", "Watched", "noted", "numbers_of", "observe", "run", "shown"]

_MARK = re.compile(r"#\s*(call \d+|shows)\b")
#: The maximum length of error messages.
_MOST = 700


@dataclass
class Graph:
    """A graph, or a compiled program, as text.

    Attributes
    ----------
    title : str
        The framework's name for the graph, such as ``"jaxpr"``.
    text : list of str
        Lines of the text.
    lines : list of int
        Source line of each line; 0 if unknown.
    """

    title: str
    text: list[str]
    lines: list[int]


@dataclass
class Watched:
    """The observations of one statement of a program."""

    node: ast.stmt = field(default_factory=ast.Pass)
    ran: dict[int, None] = field(default_factory=dict)  # lines that Python ran, in order
    traced: set[int] = field(default_factory=set)  # lines that ran while a graph was recorded
    recorded: set[int] = field(default_factory=set)  # lines that added operators to a graph
    frozen: dict[int, list[str]] = field(default_factory=dict)
    printed: str = ""
    error: BaseException | None = None
    why: list[str] = field(default_factory=list)
    graphs: list[Graph] = field(default_factory=list)  # new graphs
    used: set[int] = field(default_factory=set)  # lines whose operators are in the graphs that this call ran
    parts: int = 0  # number of compiled graphs that ran
    fresh: bool = False  # whether a graph was recorded
    loaded: bool = False  # whether a program from a file ran
    recompiled: bool = False  # whether an existing graph became a new program


class Peer(Shown):
    """An observer of programs in one framework. The base class observes plain Python, which records no graphs."""

    name = "python"
    title = "Python"
    #: Name of the framework's module.
    module = "numpy"

    def version(self) -> str:
        """Return the version of the framework."""
        return platform.python_version()

    def begin(self, program: Program) -> None:
        """Prepare to observe a program."""

    def entered(self, program: Program, frame: FrameType) -> dict[int, int] | None:
        """Return a dict that maps a frame's lines to the program's lines, or None for frames outside the program."""
        code = frame.f_code
        return program.own if code.co_filename == program.path and code.co_name != "<module>" else None

    def line_of(self, program: Program, file: str, line: int) -> int:
        """Return the program's line for a line of a file, or 0 if the line does not belong to the program."""
        return line if file == program.path else 0

    def is_standin(self, value: Any) -> bool:
        """Return whether a value is a placeholder for an array in a trace."""
        return False

    def counted(self) -> Any:
        """Return the graph under construction and its number of operators, or None if there is no such graph."""
        return None

    def after(self, program: Program, watched: Watched) -> None:
        """Record the operators that a statement added to graphs, and why. This implementation records nothing."""

    def end(self) -> None:
        """Stop observing, and undo the effects of :meth:`begin`."""


class Program(Shown):
    """The source of a program, its statements, and its variables."""

    def __init__(self, source: str, path: str) -> None:
        self.source, self.path = source, path
        self.tree = ast.parse(source, path)
        self.namespace: dict[str, Any] = {"__name__": "program", "__file__": path}
        self.lines = source.splitlines()
        #: Map of each line in a function to itself, for frameworks that run the original lines.
        self.own: dict[int, int] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef):
                self.own.update((i, i) for i in range(node.body[0].lineno, (node.end_lineno or 0) + 1))
            elif isinstance(node, ast.Lambda):
                self.own[node.lineno] = node.lineno
        #: Names that each line reads, such as ``scale`` and ``self.scale``.
        self.reads: dict[int, list[ast.expr]] = {}
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.Name | ast.Attribute)
                and isinstance(node.ctx, ast.Load)
                and node.lineno in self.own
            ):
                self.reads.setdefault(node.lineno, []).append(node)

    def mark(self, node: ast.stmt) -> str:
        """Return the mark in a statement's comment, such as ``"call 1"`` or ``"shows"``; empty if there is none."""
        found = _MARK.search("\n".join(self.lines[node.lineno - 1 : node.end_lineno]))
        return found[1] if found else ""

    def calls_in(self, node: ast.stmt) -> list[tuple[Any, list[Any], dict[str, Any]]]:
        """Return the function and the arguments of each call in a statement, except calls that cannot be evaluated."""
        found = []
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute):
                with contextlib.suppress(Exception):
                    value = [self.value(part) for part in (call.func, *call.args)]
                    found.append((value[0], value[1:], {k.arg or "": self.value(k.value) for k in call.keywords}))
        return found

    def value(self, node: ast.expr) -> Any:
        """Return the value of an expression with the current variables."""
        return eval(compile(ast.Expression(node), self.path, "eval"), self.namespace)

    def place_of(self, error: BaseException, peer: Peer) -> int:
        """Return the innermost line of the program's functions through which an error propagated, or 0."""
        found = [peer.line_of(self, f.filename, f.lineno or 0) for f in traceback.extract_tb(error.__traceback__)]
        return next((line for line in reversed(found) if line in self.own), 0)

    def own_text(self, text: str) -> str:
        """Return a text without folder names, addresses, and ids, which depend on the machine and the run."""
        text = text.replace(self.path, Path(self.path).name)
        text = re.sub(r"[\w./~-]*/__autograph_generated_file\w+\.py", "autograph.py", text)
        text = re.sub(r"(?<![\w.])/[\w./+-]*/(?:site-packages|lib/python3\.\d+)/", "", text)
        text = re.sub(r"\S*\bprogram\.py", "program.py", text)
        text = re.sub(r"\b\d{9,}\b", "…", text)
        return re.sub(r" id=\d+| at 0x[0-9a-f]+|0x[0-9a-f]{8,}", "", text)


def shown(value: Any) -> str:
    """Return a short text for a value, empty for None. Equal arrays of different frameworks have the same text.

    Examples
    --------
    >>> shown(np.ones(2)), shown(3), shown(None)
    ('[1. 1.]', '3', '')
    """
    array = _array(value)
    if array is None:
        return (
            ""
            if value is None
            else str(value)
            if isinstance(value, str | int | float | tuple)
            else type(value).__name__
        )
    if array.size > 12:
        return f"{array.dtype}{list(array.shape)}"
    return np.array2string(array, precision=4, suppress_small=True, floatmode="maxprec")


def numbers_of(value: Any) -> list[float]:
    """Return the rounded numbers in a value, for comparisons, or an empty list for large arrays and other values.

    Examples
    --------
    >>> numbers_of(np.ones((1, 2))), numbers_of(True), numbers_of("a")
    ([1.0, 1.0], [1.0], [])
    """
    array = _array(value)
    if array is None:
        return [float(value)] if isinstance(value, int | float) else []
    return [round(float(n), 4) for n in array.ravel()[:12]] if array.size <= 12 else []


def _array(value: Any) -> Any:
    if isinstance(value, int | float | str | list | tuple | dict | None):
        return None
    with contextlib.suppress(Exception):
        value = (
            value.asnumpy()
            if hasattr(value, "asnumpy")
            else value.detach().numpy()
            if hasattr(value, "detach")
            else value
        )
        array = np.asarray(value)
        return array if array.dtype.kind in "biuf" else None
    return None


def run(peer: Peer, source: str, folder: Path) -> dict[str, Any]:
    """Run a program, and return the observations as a JSON-compatible dictionary.

    Parameters
    ----------
    peer : Peer
        Observer of the program's framework.
    source : str
        Source of the program.
    folder : Path
        Empty folder for the program and its files, which is also the current folder of this process.
    """
    path = folder / "program.py"
    path.write_text(source, "utf-8")
    linecache.checkcache(str(path))
    program = Program(source, str(path))
    calls: list[dict[str, Any]] = []
    graphs: list[dict[str, Any]] = []
    peer.begin(program)
    ever = False
    of_python = type(peer) is Peer
    try:
        for node in program.tree.body:
            mark = program.mark(node)
            watched = _watched(peer, program, node, bool(mark))
            if watched.error is not None and not mark:
                mark = "shows"
            if not mark:
                continue
            for graph in watched.graphs:
                graphs.append({"call": len(calls), "title": graph.title, "text": graph.text, "lines": graph.lines})
            # Without Python code, only a compiled program can have produced the result.
            watched.loaded = not of_python and mark != "shows" and isinstance(node, ast.Assign)
            calls.append(_call(peer, program, watched, mark, ever))
            ever = ever or watched.fresh
    finally:
        peer.end()
        linecache.cache.pop(str(path), None)
    return {"code": source, "calls": calls, "graphs": graphs}


def _watched(peer: Peer, program: Program, node: ast.stmt, follow: bool) -> Watched:
    """Run a statement; with ``follow``, observe its lines."""
    code = compile(ast.Module([node], []), program.path, "exec")
    return observe(peer, program, Watched(node), lambda: exec(code, program.namespace), follow)


def observe(peer: Peer, program: Program, watched: Watched, act: Callable[[], object], follow: bool = True) -> Watched:
    """Call a function that runs code of a program, and observe this code.

    Parameters
    ----------
    peer : Peer
        Observer of the program's framework.
    program : Program
        The program.
    watched : Watched
        Object that receives the observations.
    act : callable
        Function to call.
    follow : bool
        Whether to observe lines.

    Returns
    -------
    Watched
        The object that received the observations.
    """
    printed = io.StringIO()
    watching = tracing(_follower(peer, program, watched)) if follow else contextlib.nullcontext()
    with contextlib.redirect_stdout(printed):
        try:
            with watching:
                act()
        except Exception as error:
            watched.error = error
    watched.printed = program.own_text(printed.getvalue())
    with contextlib.redirect_stdout(io.StringIO()):
        peer.after(program, watched)
    return watched


def _follower(peer: Peer, program: Program, watched: Watched) -> Any:
    stack: list[int] = []  # current line of each active function of the program
    known: dict[int, tuple[Any, int]] = {}  # id of a graph -> (the graph, number of its operators that are assigned)

    def flush() -> Any:
        """Assign new operators to the innermost line."""
        now = peer.counted()
        if now is not None:
            graph, count = now
            if count > known.get(id(graph), (None, 0))[1] and stack and stack[-1]:
                watched.recorded.add(stack[-1])
            known[id(graph)] = now
        return now

    def entered(frame: FrameType) -> Any:
        lines = peer.entered(program, frame)
        if lines is None:
            return None
        flush()
        stack.append(0)

        def follow(frame: FrameType, event: str, argument: Any) -> None:
            now = flush()
            if event == "return":
                stack.pop()
            line = lines.get(frame.f_lineno, 0) if event == "line" else 0
            if not line:
                return
            stack[-1] = line
            watched.ran.setdefault(line)
            if now is not None or any(map(peer.is_standin, frame.f_locals.values())):
                watched.traced.add(line)
            if line not in watched.frozen:
                watched.frozen[line] = _plain_values(program, frame, line)

        return follow

    return entered


def _plain_values(program: Program, frame: FrameType, line: int) -> list[str]:
    """Return the plain Python values that a line reads, except values that the function created."""
    code: CodeType = frame.f_code
    given = {n: frame.f_locals[n] for n in code.co_varnames[: code.co_argcount] if n in frame.f_locals}
    found = {}
    for node in program.reads.get(line, []):
        text = ast.unparse(node)
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or (root.id in code.co_varnames and root.id not in given):
            continue
        with contextlib.suppress(Exception):
            value = eval(text, program.namespace, given)
            if isinstance(value, bool | int | float | str) and not callable(value):
                found[text] = f"{text} = {value!r}"
    return list(found.values())


def _call(peer: Peer, program: Program, watched: Watched, mark: str, ever: bool) -> dict[str, Any]:
    value = None
    if watched.error is None:
        with contextlib.suppress(Exception):
            targets = [n for n in ast.walk(watched.node) if isinstance(n, ast.Assign)]
            if targets:
                value = program.value(_loaded(targets[-1].targets[0]))
            elif isinstance(watched.node, ast.Expr) and mark == "shows":
                value = program.value(watched.node.value)
    return {"line": watched.node.lineno, **noted(peer, program, watched, value, mark, ever)}


def noted(
    peer: Peer, program: Program, watched: Watched, value: Any, mark: str = "call 1", ever: bool = False
) -> dict[str, Any]:
    """Return the observations of a call as a JSON-compatible dictionary.

    Parameters
    ----------
    peer, program, watched
        Same as for :func:`observe`.
    value : object
        Result of the call.
    mark : str
        ``"call N"``, or ``"shows"`` for a displayed value.
    ever : bool
        Whether a graph was recorded earlier.
    """
    error = watched.error
    failed = 0 if error is None else program.place_of(error, peer)
    states = _states(program, watched, failed)
    return {
        "mark": mark,
        "kind": _kind(watched, mark, ever),
        "states": {str(line): state for line, state in sorted(states.items())},
        "parts": watched.parts,
        "printed": watched.printed,
        "value": shown(value),
        "numbers": numbers_of(value),
        "error": "" if error is None else _message(program, error),
        "failed": failed,
        "why": watched.why,
        "frozen": {str(k): v for k, v in sorted(watched.frozen.items()) if v} if watched.fresh else {},
    }


def _loaded(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


def _message(program: Program, error: BaseException) -> str:
    """Return an error's message without the library's internal details."""
    said = re.sub(r"\n[^\n]* was defined here:\n.*", "", program.own_text(str(error)), flags=re.DOTALL).strip()
    parts = [part.strip() for part in re.split(r"\n\s*\n", said) if part.strip()]
    if parts and parts[0].startswith("in user code"):
        return "\n".join(parts[1:])[-_MOST:].strip() if len(parts) < 3 else parts[-1][:_MOST]
    text = "\n".join(parts)
    return f"{type(error).__name__}: {text[:_MOST].rstrip()}{' …' if len(text) > _MOST else ''}"


def _kind(watched: Watched, mark: str, ever: bool) -> str:
    if watched.error is not None:
        return "failed"
    if watched.fresh:
        return "again" if ever else "traced"
    if watched.parts:
        return "recompiled" if watched.recompiled else "compiled"
    return "eager" if watched.ran else "compiled" if watched.loaded else "shows"


def _states(program: Program, watched: Watched, failed: int) -> dict[int, str]:
    """Return the state of each line.

    ``e`` ran on values, ``t`` was recorded, ``p`` ran or was read during a recording, ``c`` is in the
    compiled program that ran, ``b`` is in a graph but Python also runs it, ``x`` failed.
    """
    found: dict[int, str] = {}
    for line in program.own:
        ran, used = line in watched.ran, line in watched.used
        if used and ran and line not in watched.traced:
            found[line] = "b"
        elif used:
            found[line] = "t" if watched.fresh and line in watched.traced else "c"
        elif ran or line in watched.traced:
            found[line] = "p" if line in watched.traced else "e"
    if failed:
        found[failed] = "x"
    return found
