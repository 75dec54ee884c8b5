"""``print_trace`` for functions of ``jax.jit``, ``torch.compile``, and ``tf.function``, in three lanes."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import linecache
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np

from ...support.words import add_words, in_brackets, labelled, translate
from ..html import details, element, escape, heading, table
from ..listing import listing_of, tokens_of
from ..picture import Picture
from ..theme import MONOSPACE
from .drawn import drawing_of
from .peers import PEERS, peer_of
from .recording import read, verdict_between
from .side_by_side import cell_of as _cell
from .side_by_side import page_data
from .side_by_side import summary_of as _summary
from .watching import Peer, Program, Watched, noted, observe

__all__ = ["ForeignTrace", "foreign_trace", "framework_of"]

_LANES = {"eager": "eager", "traced": "traced", "compiled": "compiled"}


def framework_of(value: Any) -> str:
    """Return ``"jax"``, ``"torch"``, or ``"tensorflow"`` for a compiled function or a module, and otherwise ``""``.

    This check imports no framework.

    Examples
    --------
    >>> framework_of(print)
    ''
    """
    if hasattr(value, "_torchdynamo_orig_callable") or hasattr(value, "_orig_mod"):
        return "torch"
    kinds = [f"{kind.__module__}." for kind in type(value).__mro__]
    if any(kind.startswith("torch.nn.") for kind in kinds):
        return "torch"
    if hasattr(value, "get_concrete_function") and any(kind.startswith("tensorflow.") for kind in kinds):
        return "tensorflow"
    if hasattr(vars(type(value)).get("__call__"), "get_concrete_function"):
        return "tensorflow"
    if (
        hasattr(value, "lower")
        and hasattr(value, "__wrapped__")
        and any(k.startswith(("jax", "jaxlib")) for k in kinds)
    ):
        return "jax"
    return ""


class _Calls(Program):
    """The source file of a function, and its current call."""

    def __init__(self, source: str, path: str, namespace: dict[str, Any]) -> None:
        super().__init__(source, path)
        self.namespace = namespace
        self.now: tuple[Any, list[Any], dict[str, Any]] | None = None

    def calls_in(self, node: ast.stmt) -> list[tuple[Any, list[Any], dict[str, Any]]]:
        """Return the current call."""
        return [self.now] if self.now else []


class ForeignTrace(Picture):
    """The trace that ``print_trace`` creates for a function of another framework.

    Attributes
    ----------
    framework : str
        ``"jax"``, ``"torch"``, or ``"tensorflow"``.
    calls : list of dict
        Observations of six calls: a plain call and two compiled calls, and the same three calls with one more row in
        the inputs.
    graphs : list of (int, Graph)
        Recorded graphs, and compiled programs if the framework returns them, each with the index of its call.
    """

    view_name = "side_by_side"

    def __init__(self, framework: str, title: str, version: str, listing: tuple[int, list[str]]) -> None:
        self.framework, self.title, self.version = framework, title, version
        self.first, self.lines = listing
        self.calls: list[dict[str, Any]] = []
        self.graphs: list[tuple[int, Any]] = []

    def _about(self) -> str:
        return translate("run here: {versions}", versions=f"{PEERS[self.framework]} {self.version}")

    def _step(self, i: int) -> str:
        return translate("your inputs" if i == 0 else "inputs with a row more")

    def _lane(self, i: int) -> list[dict[str, Any]]:
        return self.calls[i::3]

    def _shifted(self, call: dict[str, Any]) -> dict[str, Any]:
        def moved(lines: dict[str, Any]) -> dict[str, Any]:
            return {
                str(int(n) - self.first + 1): v for n, v in lines.items() if 0 <= int(n) - self.first < len(self.lines)
            }

        return {**call, "states": moved(call["states"]), "frozen": moved(call["frozen"]), "line": 0}

    def to_dict(self) -> dict[str, Any]:
        """Return the three lanes of calls as a JSON-compatible dictionary, with the observations of each call."""
        tokens = [[list(t) for t in line] for line in tokens_of(self.lines)]
        runs = []
        frozen: dict[str, Any] = {}
        for i in range(3):
            calls = []
            for k, call in enumerate(self._lane(i)):
                verdict = verdict_between(self._lane(0)[k], call) if i else verdict_between(call, call)
                frozen = self._shifted(call)["frozen"] if i == 1 else frozen
                calls.append(self._shifted(call) | {"verdict": verdict.data(), "frozen": frozen if i else {}})
            graphs = []
            for at, g in self.graphs:
                if (i == 1 and g.title not in _COMPILED) or (i == 2 and g.title in _COMPILED):
                    own = [n - self.first + 1 if n else 0 for n in g.lines]
                    graphs.append([at // 3, g.title, g.text, own, drawing_of(g.title, g.text, own)])
            runs.append({"lines": tokens, "calls": calls, "graphs": graphs, "cell": ["same", "", "muted", "", False]})
        peers = [[self.framework, translate(word), ""] for word in _LANES.values()]
        program = {
            "name": self.title, "title": f"{self.title} · {PEERS[self.framework]}", "asks": "",
            "calls": [self._step(k) for k in range(len(self._lane(0)))], "runs": runs,
        }  # fmt: skip
        return page_data([program], peers, self._about(), "program") | {"plain": True}

    def to_text(self) -> str:
        """Return the description of each call, and the graphs, as text."""
        parts = [f"PrintTrace {self.title}, {PEERS[self.framework]} {self.version}"]
        for i, call in enumerate(self.calls):
            parts += [
                "",
                labelled(
                    in_brackets(translate("call {n}", n=i + 1), self._step(i // 3)), _summary(call, self.framework)
                ),
            ]
            signs = {"e": "▶", "t": "●", "p": "○", "c": "■", "b": "◐", "x": "✗"}
            states = self._shifted(call)["states"]
            for n, line in enumerate(self.lines, 1):
                parts.append(f"  {signs.get(states.get(str(n), ''), ' ')} {line}".rstrip())
            parts += [f"    {line}" for why in call["why"] for line in why.split("\n")]
        for at, graph in self.graphs:
            parts += ["", labelled(_title(graph, at)), *(f"  {line}" for line in graph.text)]
        return "\n".join(parts)

    def to_html(self) -> str:
        """Return a table of the calls, and collapsible graphs."""
        style = f"font: 12px/1.5 {MONOSPACE}; white-space: pre-wrap; background: none; margin: 2px 0"
        rows = [
            [escape(self._step(k)), *(_cell(call, self.framework) for call in self.calls[3 * k : 3 * k + 3])]
            for k in range(len(self._lane(0)))
        ]
        parts = [heading(self.title, self._about()), table(rows, ["", *map(translate, _LANES.values())])]
        parts.append(details(translate("code"), element("pre", escape("\n".join(self.lines)), style=style)))
        for at, graph in self.graphs:
            text = element("pre", escape("\n".join(graph.text)), style=style)
            parts.append(details(_title(graph, at), text))
        return "".join(parts)


def _title(graph: Any, at: int) -> str:
    """Return the title of a graph, with the number of the call that recorded it."""
    return in_brackets(graph.title, translate("call {n}", n=at + 1))


#: Titles of texts that are compiled programs.
_COMPILED = ("HLO, optimised", "Inductor's code")


def foreign_trace(value: Any, inputs: tuple[Any, ...]) -> ForeignTrace:
    """Call a function of another framework once in plain Python and twice compiled, and again with one more input row.

    Parameters
    ----------
    value : callable
        Function from ``jax.jit``, ``torch.compile``, or ``tf.function``, or a module of PyTorch or TensorFlow.
    inputs : tuple
        Arguments of the call.

    Returns
    -------
    ForeignTrace
        The trace of the calls.

    Raises
    ------
    TypeError
        If there are no inputs.
    ValueError
        If Python can't find the source of the function.
    RuntimeError
        If the framework's release is too old or too new to observe.
    """
    framework = framework_of(value)
    if not inputs:
        raise TypeError(
            f"print_trace needs inputs to call a function of {PEERS[framework]}. Pass them, as in print_trace(f, x)"
        )
    peer = peer_of(framework)
    plain = _plain_of(value, framework)
    code = _code_of(plain)
    listing = listing_of(code)
    if not listing.lines:
        raise ValueError(
            f"print_trace requires the source of {code.co_name}, which Python cannot find. Define the function in a "
            "file or a notebook cell"
        )
    program = _program_of(code, [line.text for line in listing.lines], plain)
    owner = plain.args[0] if isinstance(plain, functools.partial) else plain
    name = getattr(owner, "__name__", type(owner).__name__)
    first, texts = listing.lines[0].number, [line.text for line in listing.lines]
    trace = ForeignTrace(framework, name, peer.version().partition("+")[0], (first, texts))
    try:
        peer.begin(program)
        compiled = _compiled_anew(value, plain, framework, peer)
        for step in (inputs, *_with_a_row_more(inputs)):
            _three_calls(trace, peer, program, plain, compiled, step)
    except (AttributeError, ImportError, TypeError) as error:
        told = {"name": PEERS[framework], "here": peer.version(), "known": read()["versions"][framework]}
        raise RuntimeError(
            "print_trace supports {name} {known}, but cannot observe {name} {here}".format(**told)
        ) from error
    finally:
        peer.end()
    return trace


def _three_calls(
    trace: ForeignTrace, peer: Peer, program: _Calls, plain: Any, compiled: Any, inputs: tuple[Any, ...]
) -> None:
    ever = len(trace.calls) > 0
    for lane in range(3):
        results: list[Any] = []
        function = compiled if lane else plain
        program.now = (compiled, [*inputs], {}) if lane else None
        watcher = peer if lane else Peer()
        watched = observe(watcher, program, Watched(), lambda f=function, out=results: out.append(f(*inputs)))
        for graph in watched.graphs:
            trace.graphs.append((len(trace.calls), graph))
        value = results[0] if results else None
        trace.calls.append(noted(watcher, program, watched, value, ever=ever and lane > 0))


def _plain_of(value: Any, framework: str) -> Any:
    """Return the compiled function or module itself."""
    if framework == "jax":
        return value.__wrapped__
    if framework == "torch":
        return getattr(value, "_orig_mod", None) or getattr(value, "_torchdynamo_orig_callable", value)
    if hasattr(value, "python_function"):
        return value.python_function
    return functools.partial(vars(type(value))["__call__"].python_function, value)


def _code_of(plain: Any) -> CodeType:
    """Return the code of a function, of a method, or of an object's ``__call__``."""
    function = inspect.unwrap(plain.func if isinstance(plain, functools.partial) else plain)
    if not inspect.isroutine(function):
        function = getattr(type(plain), "forward", None) or type(plain).__call__
    function = inspect.unwrap(getattr(function, "__func__", function))
    return function.__code__


def _program_of(code: CodeType, lines: list[str], plain: Any) -> _Calls:
    """Return the source file of a function; for a cell with IPython syntax, only the function, at its position."""
    function = plain.func if isinstance(plain, functools.partial) else plain
    function = inspect.unwrap(function) if inspect.isroutine(function) else type(function)
    module = inspect.getmodule(function)
    namespace = getattr(function, "__globals__", None) or getattr(module, "__dict__", {})
    for source in ("".join(linecache.getlines(code.co_filename)), "\n" * (code.co_firstlineno - 1) + "\n".join(lines)):
        try:
            return _Calls(source, code.co_filename, namespace)
        except SyntaxError:
            continue
    raise ValueError(f"print_trace cannot parse the source of {code.co_name}")


def _compiled_anew(value: Any, plain: Any, framework: str, peer: Peer) -> Callable[..., Any]:
    """Return the function compiled again, without the cache of earlier calls."""
    if framework == "jax":
        value.clear_cache()
        return value
    if framework == "torch":
        return importlib.import_module("torch").compile(plain)
    return value


def _with_a_row_more(inputs: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the inputs with the first row of arrays repeated."""
    found = []
    for value in inputs:
        array = value.detach().numpy() if hasattr(value, "detach") else np.asarray(value)
        if not hasattr(value, "shape") or array.ndim == 0 or array.dtype.kind not in "biuf":
            return []
        more = np.concatenate([array, array[:1]])
        kind = type(value).__module__.partition(".")[0]
        if kind == "numpy":
            found.append(more)
        elif kind == "torch":
            found.append(importlib.import_module("torch").from_numpy(more))
        elif kind == "tensorflow":
            found.append(importlib.import_module("tensorflow").constant(more))
        else:
            found.append(importlib.import_module("jax.numpy").asarray(more))
    return [tuple(found)] if found else []


add_words({
    "your inputs": "你的输入",
    "inputs with a row more": "多出一行的输入",
})  # fmt: skip
