"""Observation of a running net (its lines, operators, and printed text), and restoration of its state."""

from __future__ import annotations

import builtins
import contextlib
import copy
import dis
import io
import operator
import os
import random
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy

from d2lhybrid import autograd
from d2lhybrid.gluon import HybridBlock
from d2lhybrid.ndarray.ndarray import NDArray
from d2lhybrid.util import config, is_user_file

from ...core.invoke import wrap
from ...core.node import Node
from ...device import array_modules
from ...support import clock, events
from ...support.commit import commit, new_generation
from ...support.display import Shown
from ...support.places import Place
from ..lines import Follower, tracing
from ..values import describe
from .source_reading import Function, all_blocks, codes_of, is_plain

__all__ = [
    "Origin", "Preserved", "Record", "Run", "find_variables", "note_hits", "note_plain", "noting_nodes",
    "start_generators", "watched_call",
]  # fmt: skip


@dataclass(frozen=True, repr=False)
class Origin(Shown):
    """The location of an operator's call.

    Attributes
    ----------
    place : Place or None
        The line of user code, or None if there is none.
    layer : str
        Name of the layer, if one of the package's layers calls the operator.
    inside : bool
        Whether the line runs during the observed call; False for a line of the caller.
    """

    place: Place | None
    layer: str = ""
    inside: bool = False

    @property
    def key(self) -> tuple[str, int]:
        """The key of an operator, which is the same in an eager run and in a trace."""
        return self.layer, self.place.line if self.place is not None and self.inside else 0


def find_origin() -> Origin:
    """Return the location from which the running operator was called."""
    frame: types.FrameType | None = sys._getframe(1)
    layer, outside = "", False
    while frame is not None:
        code = frame.f_code
        if is_user_file(code.co_filename):
            return Origin(Place.of_frame(frame), layer, not outside)
        if code is watched_call.__code__:
            outside = True
        elif not outside and not layer and code.co_name in ("hybrid_forward", "forward"):
            layer = getattr(frame.f_locals.get("self"), "name", "")
        frame = frame.f_back
    return Origin(None, layer)


@dataclass(repr=False)
class Record(Shown):
    """A call of an operator, with its origin and copies of its results."""

    op: Any
    origin: Origin
    results: list[Any]


@dataclass(repr=False)
class Run(Shown):
    """The observations of a call of a net."""

    out: Any = None
    error: Exception | None = None
    printed: str = ""
    warned: list[warnings.WarningMessage] = field(default_factory=list)
    #: (file, first line, first column, last line, last column) of source code -> the smallest and the
    #: largest number of runs of its instructions.
    hits: dict[tuple[str, int, int, int, int], tuple[int, int]] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    #: (function, local variable) -> the numbers and strings that it had, as text.
    plain: dict[tuple[types.CodeType, str], set[str]] = field(default_factory=dict)
    #: Files that the user's functions opened, with the lines, and whether for writing.
    opened: list[tuple[str, Place, bool]] = field(default_factory=list)


@contextlib.contextmanager
def _tracing_lines(codes: set[types.CodeType], run: Run) -> Iterator[None]:
    """Count the runs of the instructions in some code objects."""
    counts: dict[types.CodeType, dict[int, int]] = {}

    def inside(frame: types.FrameType, event: str, argument: Any) -> None:
        if event == "opcode":
            offsets = counts.setdefault(frame.f_code, {})
            offsets[frame.f_lasti] = offsets.get(frame.f_lasti, 0) + 1
        elif event in ("line", "return"):
            note_plain(frame, run)

    def enter(frame: types.FrameType) -> Follower | None:
        if frame.f_code not in codes:
            return None
        frame.f_trace_opcodes = True
        return inside

    try:
        with tracing(enter):
            yield
    finally:
        note_hits(counts, run)


def note_plain(frame: types.FrameType, run: Run) -> None:
    """Record the local variables of a frame that are numbers or strings."""
    for name, value in frame.f_locals.items():
        if isinstance(value, bool | int | float | complex | str | numpy.generic):
            run.plain.setdefault((frame.f_code, name), set()).add(describe(value).text)


def note_hits(counts: dict[types.CodeType, dict[int, int]], run: Run) -> None:
    """Record how often each part of the source ran, given the number of runs of each instruction."""
    for code, offsets in counts.items():
        positions = list(code.co_positions())
        for offset, count in offsets.items():
            line, last, column, end = positions[offset // 2]
            if line is not None and last is not None and column is not None and end is not None:
                key = code.co_filename, line, column, last, end
                low, high = run.hits.get(key, (count, count))
                run.hits[key] = min(low, count), max(high, count)


def _watching_operators(run: Run) -> events.listening:
    def ran(op: Any, params: dict[str, Any], results: list[Any]) -> None:
        run.records.append(Record(op, find_origin(), [array_modules.asnumpy(r._data).copy() for r in results]))

    return events.listening(operator_ran=ran)


@contextlib.contextmanager
def _watching_files(codes: set[types.CodeType], run: Run) -> Iterator[None]:
    """Record the files that some functions, or functions called by them, open."""
    original, thread = builtins.open, threading.get_ident()

    def opening(file: Any, *args: Any, **kwargs: Any) -> Any:
        frame = sys._getframe(1) if threading.get_ident() == thread else None
        while frame is not None:
            if frame.f_code in codes:
                name = os.fspath(file) if isinstance(file, str | os.PathLike) else repr(file)
                mode = str(kwargs.get("mode", args[0] if args else "r"))
                run.opened.append((str(name), Place.of_frame(frame), not {*mode}.isdisjoint("wax")))
                break
            frame = frame.f_back
        return original(file, *args, **kwargs)

    builtins.open = io.open = opening
    try:
        yield
    finally:
        builtins.open = io.open = original


def noting_nodes(origins: dict[Node, Origin]) -> events.listening:
    """Return a scope that records the place where each node is created, in order."""
    return events.listening(node_made=lambda node: origins.update({node: find_origin()}))


def scope_of(mode: str) -> Any:
    """Return the ``autograd`` scope for the mode ``"train"`` or ``"predict"``."""
    return autograd.record() if mode == "train" else autograd.pause(train_mode=False)


@contextlib.contextmanager
def _surroundings(functions: list[Function], run: Run, operators: bool, lines: bool) -> Iterator[None]:
    printed = io.StringIO()
    codes = {code for f in functions for code in codes_of(f.function.__code__)}
    with contextlib.ExitStack() as stack:
        run.warned = stack.enter_context(warnings.catch_warnings(record=True))  # type: ignore[assignment]
        warnings.simplefilter("always")
        stack.enter_context(contextlib.redirect_stdout(printed))
        stack.enter_context(config(warn_silent_differences=True))
        stack.enter_context(_watching_files(codes, run))
        if operators:
            stack.enter_context(_watching_operators(run))
        if lines and codes:  # tracing is slow, so it needs a reason
            stack.enter_context(_tracing_lines(codes, run))
        yield
    run.printed = printed.getvalue()


def watched_call(
    net: Any,
    args: tuple[Any, ...],
    mode: str,
    functions: list[Function],
    operators: bool = False,
    lines: bool = True,
) -> Run:
    """Call a net and return the observations, including an exception.

    Parameters
    ----------
    net : Block
        The net to call.
    args : tuple
        Arguments of the net.
    mode : str
        ``"train"`` or ``"predict"``.
    functions : list of Function
        The user's functions that the call may run.
    operators : bool
        Whether to record the calls of operators.
    lines : bool
        Whether to record the lines that run.

    Returns
    -------
    Run
        The result or the exception, and the observations that were requested.
    """
    run = Run()
    with _surroundings(functions, run, operators, lines), scope_of(mode):
        try:
            run.out = net(*args)
        except Exception as error:
            run.error = error
    return run


# --- restoring the state ------------------------------------------------------------------------------


def same(a: Any, b: Any) -> bool:
    """Return whether two stored states of a variable are equal; arrays must be bitwise identical."""
    if hasattr(a, "shape") and hasattr(b, "shape"):
        left, right = array_modules.asnumpy(a), array_modules.asnumpy(b)
        return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()
    if isinstance(a, _Contents) or isinstance(b, _Contents):
        return isinstance(a, _Contents) and isinstance(b, _Contents) and a.same(b)
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and (a == b or (a != a and b != b))  # a NaN has not changed


def _state_of(value: Any) -> Any:
    """Return the state needed to restore a value, or None for values that aren't restored."""
    if isinstance(value, NDArray):
        return value._data.copy()
    if isinstance(value, numpy.ndarray):
        return value.copy()
    if isinstance(value, random.Random):
        return value.getstate()
    if isinstance(value, numpy.random.RandomState):
        return value.get_state()
    if isinstance(value, numpy.random.Generator):
        return copy.deepcopy(value.bit_generator.state)
    if isinstance(value, list | dict | set) and not is_plain(value):
        return _Contents(copy.copy(value))
    return copy.deepcopy(value) if is_plain(value) else None


@dataclass(repr=False)
class _Contents(Shown):
    """The contents of a container, compared by identity."""

    values: Any

    def same(self, other: _Contents) -> bool:
        """Return whether another container holds the identical objects."""
        if isinstance(self.values, set) or type(self.values) is not type(other.values):
            return self.values == other.values
        if isinstance(self.values, dict):
            return self.values.keys() == other.values.keys() and all(
                v is other.values[k] for k, v in self.values.items()
            )
        return len(self.values) == len(other.values) and all(map(operator.is_, self.values, other.values))


def _bring_back(value: Any, state: Any) -> None:
    """Restore the contents of an object."""
    if isinstance(value, NDArray):
        value._data[...] = state
        clock.note_write()
    elif isinstance(value, numpy.ndarray):
        value[...] = state
        clock.note_write()
    elif isinstance(value, random.Random):
        value.setstate(state)
    elif isinstance(value, numpy.random.RandomState):
        value.set_state(state)
    elif isinstance(value, numpy.random.Generator):
        value.bit_generator.state = copy.deepcopy(state)
    elif isinstance(value, list):
        value[:] = state.values if isinstance(state, _Contents) else copy.deepcopy(state)
    elif isinstance(value, dict | set):
        value.clear()
        value.update(state.values if isinstance(state, _Contents) else copy.deepcopy(state))


@dataclass(repr=False)
class Variable(Shown):
    """A Python variable that ``hybrid_forward`` can change: an attribute, a closure variable, or a global variable."""

    name: str
    owner: Any
    read: Callable[[], Any]
    write: Callable[[Any], None]
    value: Any = None
    state: Any = None

    def remember(self) -> None:
        """Store the current value of the variable."""
        self.value = self.read()
        self.state = _state_of(self.value)

    def reset(self) -> None:
        """Restore the stored value of the variable."""
        if self.read() is not self.value:
            self.write(self.value)
        if self.state is not None and not same(_state_of(self.value), self.state):
            _bring_back(self.value, self.state)

    @property
    def stored(self) -> Any:
        """The stored value; for a container, its stored contents."""
        if isinstance(self.state, _Contents):
            return self.state.values
        return self.state if isinstance(self.state, list | tuple | dict) else self.value

    @property
    def changed(self) -> bool:
        """Whether the value differs from the stored value; False for values that cannot be stored."""
        now = self.read()
        state = _state_of(now)
        if state is None and self.state is None:
            return False
        return not same(state, self.state)


class Preserved:
    """A net and all state that its calls may change; the state can be restored repeatedly.

    While the context is open, the parameters have copies of their arrays, so that the user's arrays
    do not change.
    """

    blocks: list[Any]

    def __init__(self, net: Any, functions: list[Function]) -> None:
        self.blocks = [block for _, block in all_blocks(net)]
        parameters = {id(p): p for b in self.blocks for p in [*b._reg_params.values(), *b.params.values()]}
        self.parameters: list[Any] = list(parameters.values())
        self.functions = functions
        self.variables: list[Variable] = []
        self._values: list[Any] = []

    def __enter__(self) -> Preserved:
        self._block_dicts = [dict(vars(b)) for b in self.blocks]
        self._parameter_dicts = [dict(vars(p)) for p in self.parameters]
        self.remember_generators()
        self.variables = find_variables(self.blocks, self.functions)
        self.remember_variables()
        for parameter in self.parameters:
            if parameter._data is not None:
                copies = [wrap(type(a), a._data.copy(), a._ctx) for a in parameter._data]
                commit(parameter._with_arrays(copies, parameter._ctx_list))
        for block in self.blocks:
            if isinstance(block, HybridBlock):
                block._clear_cached_op()
                block._history = []  # hide the traces of the check
        return self

    def __exit__(self, *exception: object) -> None:
        for thing, before in [
            *zip(self.blocks, self._block_dicts, strict=True),
            *zip(self.parameters, self._parameter_dicts, strict=True),
        ]:
            vars(thing).clear()
            vars(thing).update(before)
        commit(new_generation())
        self.restore_generators()
        for variable in self.variables:
            variable.reset()

    def remember_generators(self) -> None:
        """Store the states of all random generators."""
        self._generators = dict(array_modules._generators)
        self._seed = array_modules._base_seed
        self._random = random.getstate(), numpy.random.get_state()

    def restore_generators(self) -> None:
        """Restore the states of all random generators."""
        with array_modules._generators_lock:
            array_modules._generators.clear()
            array_modules._generators.update(self._generators)
            array_modules._base_seed = self._seed
        random.setstate(self._random[0])
        numpy.random.set_state(self._random[1])

    def remember_variables(self) -> None:
        """Store the current values of all variables."""
        for variable in self.variables:
            variable.remember()

    def remember_parameters(self) -> None:
        """Store the current values of all parameters."""
        self._values = [None if p._data is None else [a._data.copy() for a in p._data] for p in self.parameters]

    def reset(self, seed: int) -> None:
        """Restore parameters and variables, and seed all random generators."""
        for parameter, values in zip(self.parameters, self._values, strict=False):
            if values is not None and parameter._data is not None:
                for array, value in zip(parameter._data, values, strict=True):
                    array._data[...] = value
                    clock.note_write()
        for variable in self.variables:
            variable.reset()
        start_generators(seed)


def start_generators(seed: int) -> None:
    """Seed the random generators of this package, of Python, and of NumPy."""
    array_modules.seed(seed)
    random.seed(seed)
    numpy.random.seed(seed)


def find_variables(blocks: list[Any], functions: list[Function]) -> list[Variable]:
    """Return the variables that calls of a net can change."""
    found: list[Variable] = []
    internal = vars(HybridBlock(prefix="internal_"))  # attributes that blocks use internally
    for block in blocks:
        for name in vars(block):
            if name not in internal:
                found.append(_attribute(block, name))
    seen: set[Any] = set()
    for function in functions:
        plain = function.function
        for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True):
            if id(cell) not in seen and name != "__class__":
                seen.add(id(cell))
                found.append(_closed_over(cell, name))
        names = {n for code in codes_of(plain.__code__) for n in code.co_names}
        stored = _stored_globals(plain.__code__)
        for name in sorted(names & plain.__globals__.keys()):
            key = (id(plain.__globals__), name)
            if key not in seen and (name in stored or _state_of(plain.__globals__[name]) is not None):
                seen.add(key)
                found.append(_global(plain.__globals__, name))
    return found


def _stored_globals(code: types.CodeType) -> set[str]:
    """Return the global variables that a function sets."""
    return {i.argval for part in codes_of(code) for i in dis.get_instructions(part) if i.opname == "STORE_GLOBAL"}


def _attribute(block: Any, name: str) -> Variable:
    def read() -> Any:
        return vars(block).get(name)

    def write(value: Any) -> None:
        vars(block)[name] = value

    return Variable(f"self.{name}", block, read, write)


def _closed_over(cell: Any, name: str) -> Variable:
    def read() -> Any:
        try:
            return cell.cell_contents
        except ValueError:
            return None

    def write(value: Any) -> None:
        cell.cell_contents = value

    return Variable(name, None, read, write)


def _global(names: dict[str, Any], name: str) -> Variable:
    def read() -> Any:
        return names.get(name)

    def write(value: Any) -> None:
        names[name] = value

    return Variable(name, None, read, write)
