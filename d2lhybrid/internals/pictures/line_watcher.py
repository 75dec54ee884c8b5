"""Observation of a net's calls: every line of user code, its output, and the values of its variables.

A :class:`Watcher` traces lines while it is open. Closing it restores the previous tracer and ``sys.stdout``. Calls
in other threads are not observed.
"""

from __future__ import annotations

import dis
import sys
import threading
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...symbol.symbol import Symbol
from ..support.display import Shown
from ..support.places import Place
from .check.findings import Finding
from .check.freezing import frozen_variables
from .check.observing import Run, find_variables, note_hits, note_plain
from .check.source_reading import all_blocks, codes_of, functions_of, is_plain
from .lines import Follower, tracing
from .values import Value, describe, digest, fingerprint

__all__ = ["Seen", "Visit", "Watcher"]

#: The maximum number of iterations of a loop whose values are recorded.
_MAX_VALUES = 3
#: The maximum number of lines whose order is recorded.
_MAX_ORDER = 160


@dataclass(repr=False)
class Visit(Shown):
    """A run of a user's function.

    Attributes
    ----------
    code : code object
        The code of the function.
    path : str
        Path of the function's block, such as ``"self.hidden"``; empty for a plain function.
    symbolic : bool
        Whether the inputs were symbols.
    hits : dict
        The number of runs of each line.
    values : dict
        The new values of variables, by line and by name. Arguments belong to the line of the ``def``.
    printed : dict
        The text that each line printed.
    returned : (int, Value) or None
        The line that returned, and the returned value; None if the function did not return.
    """

    code: types.CodeType
    path: str
    symbolic: bool
    hits: dict[int, int] = field(default_factory=dict)
    values: dict[int, dict[str, list[Value]]] = field(default_factory=dict)
    printed: dict[int, str] = field(default_factory=dict)
    returned: tuple[int, Value] | None = None

    def note(self, line: int, name: str, value: Any) -> None:
        """Record a new value of a variable at a line, unless the line already has many."""
        found = self.values.setdefault(line, {}).setdefault(name, [])
        if len(found) < _MAX_VALUES:
            found.append(describe(value))


@dataclass(repr=False)
class Seen(Shown):
    """The observations of a call of the net.

    Attributes
    ----------
    args : tuple
        Arguments of the net.
    active : bool
        Whether the net was hybridized.
    inputs : list of Value
        Descriptions of the arguments.
    output : Value or None
        Description of the result; None if the call failed.
    error : BaseException or None
        Error that the call raised, if any.
    printed : str
        Complete printed text.
    visits : list of Visit
        Runs of the user's functions, in the order of their start.
    events : list of (str, Event)
        Traces and compilations, with the paths of their blocks.
    run : Run
        Record of the code that ran, for :func:`~d2lhybrid.internals.pictures.check.freezing.frozen_in`.
    counters : list of Finding
        Python variables that the call changed.
    functions : list of Function
        User's functions that a call may run.
    order : list of (int, int, int)
        Lines in the order of execution: index of the visit, line, and number of characters printed before the line.
    failed_at : Place or None
        The innermost line of user code through which an error propagated, if any.
    mark : str or None
        Hash of the output's numbers, which is the same for two calls with the same values; None if there is no hash.
    """

    args: tuple[Any, ...]
    active: bool
    inputs: list[Value]
    output: Value | None = None
    error: BaseException | None = None
    printed: str = ""
    visits: list[Visit] = field(default_factory=list)
    events: list[tuple[str, Any]] = field(default_factory=list)
    run: Run = field(default_factory=Run)
    counters: list[Finding] = field(default_factory=list)
    functions: list[Any] = field(default_factory=list)
    order: list[tuple[int, int, int]] = field(default_factory=list)
    failed_at: Place | None = None
    mark: str | None = None


class _Tee:
    """Standard output with a listener."""

    def __init__(self, stream: Any, listen: Callable[[str], None]) -> None:
        self._stream, self._listen = stream, listen

    def write(self, text: str) -> Any:
        self._listen(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Watcher:
    """An observer of a net's calls, active within its ``with`` block.

    Parameters
    ----------
    net : Block
        The net to observe.
    on_call : callable
        Function to call with a :class:`Seen` after each call of the net.
    on_event : callable
        Function to call with each change of the net between calls, as source code such as ``"net.hybridize()"``.
    """

    net: Any

    def __init__(self, net: Any, on_call: Callable[[Seen], None], on_event: Callable[[str], None]) -> None:
        self.net, self._on_call, self._on_event = net, on_call, on_event
        self._thread = threading.get_ident()
        self._seen: Seen | None = None
        self._outermost: types.FrameType | None = None
        self._stack: list[tuple[Visit, types.FrameType]] = []
        self._counts: dict[types.CodeType, dict[int, int]] = {}
        self._hybridize = _code(type(net).hybridize)
        self._assign = _code(type(net).__setattr__)

    def __enter__(self) -> Watcher:
        self._stdout = sys.stdout
        self._tee = _Tee(sys.stdout, self._heard)
        sys.stdout = self._tee
        self._before = _histories(self.net)
        self._tracing = tracing(self._enter)
        self._tracing.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._tracing.__exit__(None, None, None)
        if sys.stdout is self._tee:
            sys.stdout = self._stdout

    # --- the net ---------------------------------------------------------------------------------

    def _enter(self, frame: types.FrameType) -> Follower | None:
        code = frame.f_code
        if self._seen is not None:
            return self._enter_function(frame)
        if code.co_name == "__call__" and _owner(frame) is self.net:
            return self._begin(frame)
        if code is self._hybridize and _owner(frame) is self.net:
            self._on_event(_hybridize_text(frame.f_locals))
        elif code is self._assign:
            self._note_assignment(frame)
        return None

    def _note_assignment(self, frame: types.FrameType) -> None:
        block, name, value = (frame.f_locals.get(n) for n in frame.f_code.co_varnames[:3])
        if isinstance(name, str) and not name.startswith("_") and is_plain(value) and name in vars(block):
            path = next((path for path, other in all_blocks(self.net) if other is block), None)
            if path is not None:
                self._on_event(f"{path.replace('self', 'net', 1)}.{name} = {describe(value).text}")

    def _begin(self, frame: types.FrameType) -> Follower:
        code = frame.f_code
        args = frame.f_locals[code.co_varnames[code.co_argcount]] if code.co_flags & 4 else ()
        functions = functions_of(self.net)
        self._functions = {f.function.__code__: f for f in functions}
        self._paths = {id(f.block): f.path for f in functions}
        self._inner = {c for f in functions for c in codes_of(f.function.__code__)} - self._functions.keys()
        self._files = {f.filename for f in functions}
        self._before = _histories(self.net)
        self._variables = find_variables([f.block for f in functions], functions)
        for variable in self._variables:
            variable.remember()
        self._seen = Seen(tuple(args), bool(getattr(self.net, "_active", False)), [describe(a) for a in args])
        self._seen.functions = functions
        self._outermost, self._counts = frame, {}
        inside = self._enter_function(frame)

        def outermost(frame: types.FrameType, event: str, argument: Any) -> None:
            if inside is not None:
                inside(frame, event, argument)
            if event == "exception" and self._seen is not None:
                self._seen.error = argument[1]
            elif event == "return":
                self._end(frame, argument)

        return outermost

    def _end(self, frame: types.FrameType, output: Any) -> None:
        seen, self._seen = self._seen, None
        self._stack.clear()
        assert seen is not None
        if _returns(frame):
            seen.output, seen.error, seen.mark = describe(output), None, digest(output)
        else:
            seen.failed_at = self._failed_at(seen.error)
        note_hits(self._counts, seen.run)
        seen.run.printed = seen.printed
        seen.counters = list(frozen_variables(seen.functions, self._variables))
        self._variables = []
        for path, block in all_blocks(self.net):
            history = getattr(block, "_history", [])
            seen.events += [(path, event) for event in history[self._before.get(id(block), 0) :]]
        self._outermost = None
        self._on_call(seen)

    def _failed_at(self, error: BaseException | None) -> Place | None:
        """Return the innermost line of the user's functions through which an error propagated."""
        found, step = None, error.__traceback__ if error is not None else None
        while step is not None:
            if step.tb_frame.f_code in self._functions or step.tb_frame.f_code.co_filename in self._files:
                found = Place(step.tb_frame.f_code.co_filename, step.tb_lineno)
            step = step.tb_next
        return found

    def _note_order(self, visit: Visit, line: int) -> None:
        seen = self._seen
        if seen is not None and len(seen.order) < _MAX_ORDER:
            number = next(i for i in range(len(seen.visits) - 1, -1, -1) if seen.visits[i] is visit)
            seen.order.append((number, line, len(seen.printed)))

    def _heard(self, text: str) -> None:
        if self._seen is None or threading.get_ident() != self._thread:
            return
        self._seen.printed += text
        if self._stack:
            visit, frame = self._stack[-1]
            visit.printed[frame.f_lineno] = visit.printed.get(frame.f_lineno, "") + text

    # --- the user's functions ----------------------------------------------------------------------

    def _enter_function(self, frame: types.FrameType) -> Follower | None:
        code = frame.f_code
        assert self._seen is not None
        if code in self._inner:  # a comprehension or lambda belongs to the enclosing function
            frame.f_trace_opcodes = True
            return self._inside_inner
        if code not in self._functions and (code.co_filename not in self._files or code.co_name == "<module>"):
            return None
        path = self._paths.get(id(_owner(frame)), "")
        if code in self._functions and not path:
            path = self._functions[code].path  # a lambda stored in a block
        variables = frame.f_locals
        visit = Visit(code, path, any(isinstance(v, Symbol) for v in variables.values()) or _is_symbolic(variables))
        for name, value in variables.items():
            if name != "self":
                visit.note(0, name, value)
        self._seen.visits.append(visit)
        self._stack.append((visit, frame))
        frame.f_trace_opcodes = True
        return _Inside(self, visit, frame).follow

    def _inside_inner(self, frame: types.FrameType, event: str, argument: Any) -> None:
        if event == "opcode":
            self._count(frame)
        elif event == "line" and self._stack:
            hits = self._stack[-1][0].hits
            hits[frame.f_lineno] = hits.get(frame.f_lineno, 0) + 1

    def _count(self, frame: types.FrameType) -> None:
        offsets = self._counts.setdefault(frame.f_code, {})
        offsets[frame.f_lasti] = offsets.get(frame.f_lasti, 0) + 1

    def _leave(self, visit: Visit) -> None:
        while self._stack and self._stack.pop()[0] is not visit:
            pass


class _Inside:
    """A tracer of one frame, which records the frame's lines and the changes of its variables."""

    def __init__(self, watcher: Watcher, visit: Visit, frame: types.FrameType) -> None:
        self._watcher, self._visit = watcher, visit
        owner = _owner(frame)
        self._attributes = vars(owner) if visit.path and hasattr(owner, "_children") else {}
        values = self._values(frame)
        self._known = {name: fingerprint(value) for name, value in values.items()}
        self._kept = list(values.values())  # keeps the objects alive, so that ids stay unique
        self._line = 0

    def _values(self, frame: types.FrameType) -> dict[str, Any]:
        """Return the variables of the function, and the plain attributes of its block."""
        own = {f"self.{n}": v for n, v in self._attributes.items() if not n.startswith("_") and is_plain(v)}
        return {**frame.f_locals, **own}

    def follow(self, frame: types.FrameType, event: str, argument: Any) -> None:
        """Handle a line event, or the end of the function."""
        if event == "opcode":
            self._watcher._count(frame)
        elif event == "line":
            self._finish_line(frame)
            self._line = frame.f_lineno
            self._visit.hits[self._line] = self._visit.hits.get(self._line, 0) + 1
            self._watcher._note_order(self._visit, self._line)
        elif event == "return":
            self._finish_line(frame)
            if _returns(frame):
                self._visit.returned = frame.f_lineno, describe(argument)
            self._watcher._leave(self._visit)

    def _finish_line(self, frame: types.FrameType) -> None:
        if self._watcher._seen is not None:
            note_plain(frame, self._watcher._seen.run)
        for name, value in self._values(frame).items():
            mark = fingerprint(value)
            if self._known.get(name) != mark:
                self._known[name] = mark
                self._kept.append(value)
                self._visit.note(self._line, name, value)


def _code(function: Any) -> Any:
    return getattr(function, "__code__", None)


def _owner(frame: types.FrameType) -> Any:
    names = frame.f_code.co_varnames
    return frame.f_locals.get(names[0]) if names else None


def _returns(frame: types.FrameType) -> bool:
    """Return whether a frame ends by returning, rather than by propagating an exception."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")


def _is_symbolic(variables: dict[str, Any]) -> bool:
    space = variables.get("F")
    return isinstance(space, types.ModuleType) and "symbol" in space.__name__


def _histories(net: Any) -> dict[int, int]:
    return {id(block): len(getattr(block, "_history", [])) for _, block in all_blocks(net)}


def _hybridize_text(given: dict[str, Any]) -> str:
    parts = ["False"] if given.get("active") is False else []
    parts += [f"{name}=True" for name in ("static_alloc", "static_shape") if given.get(name) is True]
    return f"net.hybridize({', '.join(parts)})"
