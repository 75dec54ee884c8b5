"""Tiers: if a program is called often, the best installed compiler compiles it again.

The program of the first call, tier 0, runs on NumPy. Tier 0 is readable and available immediately. After enough calls
for compilation to pay off, a compiler starts in the background. After enough further calls for the compiler to finish,
tier 1 replaces tier 0. HotSpot and V8 compile Java and JavaScript in tiers, too.

Both numbers of calls depend on the graph alone. Therefore, a program switches at the same call on a fast and on a slow
machine, and the results are bitwise identical. If the compiler hasn't finished at the switch, the call waits for up to
:data:`~d2lhybrid.internals.compiler.backends.c_compiler.PATIENCE` seconds, after which tier 0 remains.
"""

from __future__ import annotations

import logging
import math
import os
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from d2lhybrid.error import MXNetError

from ..core.backends import get_backend
from ..core.graph import Graph
from ..core.history import Event
from ..core.node import Node
from ..core.prepared import prepared_values
from ..core.promotion import Promotion
from ..reports.costs import flops_of, is_counted, total_cost
from ..support.scopes import collecting_later
from ..support.settings import settings
from .backends.c_compiler import find_compiler
from .early_calls import CALLS
from .onednn import is_available as has_onednn
from .vectors import lacks_avx512

if TYPE_CHECKING:
    from ..core.cached_op import CachedOp
    from ..core.pipeline import Compilation, Program

__all__ = ["Plan", "backend_for", "forecast", "plan_for", "planned"]

#: The estimated run time of tier 0, in seconds, after which a compiler starts: a third of the compile time.
SECONDS_BEFORE = 0.05
#: The estimated compile time, in seconds: a constant, and a time for each operator.
COMPILING, COMPILING_AN_OPERATOR = 0.15, 0.001
#: The estimates for tier 0: seconds per operator, arithmetic operations per second, and bytes per second.
PER_OPERATOR, FLOPS, BYTES = 1e-6, 1.5e11, 5e10
#: The smallest work of a program for which tier 1 is faster. One or two operators on a few elements are below it.
LEAST_WORK = 1 << 11

#: The smallest number of channels for which a convolution is faster in oneDNN than in C (measured).
CHANNELS = 16
#: The smallest number of operations for which a matrix product is faster in oneDNN; without AVX-512, it is faster in
#: ONNX Runtime instead, by a factor of two (measured).
PRODUCT = 1 << 22
#: The limits for prediction by ONNX Runtime: the smallest number of operations in convolutions, and the largest size
#: of the parameters in bytes, because ONNX Runtime copies them.
CONVOLVING, PARAMETERS = 1 << 24, 128 << 20
#: The number of calls between two changes of the parameters from which a session of ONNX Runtime pays off.
CALLS_OF_A_SESSION = 100

_CONVOLUTIONS = ("Convolution", "Deconvolution")
_log = logging.getLogger("d2lhybrid")


class Plan(NamedTuple):
    """The plan of a program's promotion: the backend, and the calls at which its compiler starts and tier 1 takes over.

    Attributes
    ----------
    backend : str
        The backend of tier 1.
    static : bool
        Whether tier 1 keeps its memory between calls.
    start : int
        The number of the call at which the compiler starts.
    switch : int
        The number of the first call that tier 1 runs.
    """

    backend: str
    static: bool
    start: int
    switch: int


def planned(
    cached: CachedOp,
    key: Any,
    program: Program,
    compile_as: Callable[[str, bool], Compilation],
    raws: Sequence[Any],
    at_once: bool,
) -> Promotion | None:
    """Return the object that counts a program's calls, and replaces the program with one of a faster backend.

    Parameters
    ----------
    cached, key, program, compile_as, raws
        Arguments of :data:`~d2lhybrid.internals.core.promotion.promoter`.
    at_once : bool
        Whether to replace the program now, at its first call.

    Returns
    -------
    Promotion or None
        The counter; None if no faster backend is available, or if `at_once` is true.
    """
    plan = plan_for(program)
    if plan is None:
        return None
    if not at_once:
        return _ByCalls(cached, key, program, compile_as, plan)
    program.promotion = promotion = _ByCalls(cached, key, program, compile_as, plan._replace(start=1, switch=1))
    promotion.advance(raws)
    return None


def forecast(program: Program) -> str:
    """Return a sentence that says which program will replace a program, and when.

    Parameters
    ----------
    program : Program
        The program.

    Returns
    -------
    str
        The sentence; empty if there is no replacement.
    """
    plan = plan_for(program)
    return "" if plan is None else f"from call {plan.switch:,} on, tier 1: compiled by {plan.backend!r}"


def plan_for(program: Program) -> Plan | None:
    """Return the plan for promoting a program from tier 0 to tier 1.

    Parameters
    ----------
    program : Program
        The program.

    Returns
    -------
    Plan or None
        The plan; None if the program remains in use.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x))
    >>> net.hybridize()
    >>> y = net(nd.ones((2, 3)))
    >>> plan_for(net.programs[0]) is None  # six elements: nothing is faster than NumPy
    True
    """
    recording, final = program.backward is not None, program.graph
    backend = backend_for(program)
    if backend is None:
        return None
    flops, moved = total_cost(final.nodes, final.types)
    operators = final.num_operators
    seconds = operators * PER_OPERATOR + flops / FLOPS + moved / BYTES
    if not seconds:
        return None  # the program only returns its inputs
    start = max(CALLS + 1, math.ceil(SECONDS_BEFORE / seconds))
    compiling = COMPILING + COMPILING_AN_OPERATOR * operators
    switch = start + max(1, math.ceil(compiling / seconds))
    return Plan(backend, backend == "onednn" and not recording, start, switch)


def backend_for(program: Program) -> str | None:
    """Return the name of the installed backend that is estimated to be the fastest.

    Parameters
    ----------
    program : Program
        The program of tier 0.

    Returns
    -------
    str or None
        The name; None if no backend is estimated to be faster than NumPy.
    """
    graph = program.stages[0].graph
    nodes = [node for node in graph.nodes if node.op is not None]
    types = graph.types
    if sum(types[node, 0].size for node in nodes) + sum(flops_of(n, types) for n in nodes) < LEAST_WORK:
        return None
    if any(node.op is not None and node.op.calls_python for node in nodes):
        return None
    products = [node for node in nodes if is_counted(node)]
    if program.backward is None and not graph.training:
        convolving = sum(flops_of(n, types) for n in products if n.op is not None and n.op.name == "Convolution")
        multiplying = sum(flops_of(n, types) for n in products) - convolving if lacks_avx512() else 0
        if (convolving >= CONVOLVING or multiplying >= PRODUCT) and _fits_onnx_runtime(program):
            return "onnxruntime"
    return _without_onnx_runtime(program)


def _without_onnx_runtime(program: Program) -> str | None:
    """Return the name of the best backend other than ONNX Runtime; None if that is NumPy."""
    graph, types = program.stages[0].graph, program.stages[0].graph.types
    products = [node for node in graph.nodes if node.op is not None and is_counted(node)]
    ours = sum(flops_of(node, types) for node in products)
    theirs = sum(flops_of(node, types) for node in products if _suits_the_library(node, graph))
    compiler = find_compiler() is not None
    if theirs and (2 * theirs > ours or not compiler) and has_onednn():  # last, because this check loads the library
        return "onednn"
    return "c" if compiler else None


def _suits_the_library(node: Node, graph: Graph) -> bool:
    """Return whether oneDNN computes a node faster than NumPy's products or C."""
    assert node.op is not None
    kinds = [graph.types[entry] for entry in node.inputs]
    if any(kind.dtype != numpy.float32 for kind in kinds):
        return False
    if node.op.name in _CONVOLUTIONS:
        weight = kinds[1].shape
        return min(weight[0], kinds[0].shape[1]) >= CHANNELS
    if node.op.name == "RNN":
        return node.params.get("mode") == "lstm"
    return flops_of(node, graph.types) >= PRODUCT and not lacks_avx512()


def _fits_onnx_runtime(program: Program) -> bool:
    """Return whether ONNX Runtime is installed, can run a program's graph, and copies few parameters."""
    if not _is_installed("onnxruntime"):
        return False
    backend = get_backend("onnxruntime")
    return backend.takes(program.graph) and backend.copied_bytes(program.stages[0].graph) <= PARAMETERS


def _is_installed(backend: str) -> bool:
    try:
        get_backend(backend)
    except MXNetError:
        return False
    return True


class _ByCalls(Promotion):
    """A counter that promotes a program according to its plan."""

    __slots__ = ("_began", "_compilation", "_ready", "cached", "compile_as", "key", "plan", "program")

    def __init__(
        self,
        cached: CachedOp,
        key: Any,
        program: Program,
        compile_as: Callable[[str, bool], Compilation],
        plan: Plan,
    ) -> None:
        super().__init__(max(plan.start - CALLS - 1, 0))  # exhausted at the call that starts the compiler
        self.cached, self.key, self.program, self.compile_as, self.plan = cached, key, program, compile_as, plan
        self._compilation: Compilation | None = None
        self._ready: Callable[[], bool] | None = None
        self._began = 0.0

    def advance(self, raws: Sequence[Any]) -> Program:
        """Start the compiler, or switch to tier 1."""
        with self.cached._lock:
            program = self.cached.programs.get(self.key)
            if program is None or program is not self.program or program.promotion is not self:
                return program or self.program  # another thread has switched already
            if not settings.tiers:
                return self._stay()
            while True:
                try:
                    if self._ready is None:
                        self._start()
                        if self.plan.switch > self.plan.start:
                            return self.program
                    return self._switch(raws)
                except Exception as error:  # after any failure, tier 0 remains in use
                    if not self._has_next_best():
                        return self._stay(f"{type(error).__name__}: {error}".splitlines()[0])

    def _has_next_best(self) -> bool:
        """Change the plan if ONNX Runtime, which lacks some operators, has failed; return whether the plan changed."""
        plan = self.plan
        backend = _without_onnx_runtime(self.program) if plan.backend == "onnxruntime" else None
        if backend is None:
            return False
        later = plan.switch + plan.switch - plan.start
        self.plan = plan._replace(backend=backend, static=backend == "onednn", start=plan.switch, switch=later)
        self._compilation = self._ready = None
        return True

    def forecast(self) -> str:
        """Return a sentence that says which program will replace this one, and when."""
        return forecast(self.program)

    def _start(self) -> None:
        before = time.perf_counter()
        self._compilation = collecting_later(self.compile_as, self.plan.backend, self.plan.static)
        self._ready = self._compilation.settings.backend.start(self._compilation.graph)
        self._began = time.perf_counter() - before
        self.ticks = iter([None] * (self.plan.switch - self.plan.start - 1))

    def _switch(self, raws: Sequence[Any]) -> Program:
        assert self._compilation is not None and self._ready is not None
        before = time.perf_counter()
        if not self._ready():
            return self._stay(f"the backend {self.plan.backend!r} could not create a program")
        new = collecting_later(self._compilation.finish)
        new.tier, new.since_call = 1, self.plan.switch
        new.prepared_values = self.program.prepared_values
        if self.plan.backend == "onnxruntime":
            new.promotion = _Session(self, new)
        prepared_values(new, raws)  # raises if the backend can't run the program
        seconds = self._began + time.perf_counter() - before
        self._replace(self.program, new, self.plan.switch - 1, seconds)
        self._compilation = None
        return new

    def _replace(self, old: Program, new: Program, calls: int, seconds: float) -> None:
        reason = f"called {calls:,} times" if calls else "config(tiers='first') asks for it at once"
        old.promotion = None
        self.cached.replace(self.key, old, new, Event("promote", (reason,), seconds))
        if get_backend(new.backend).updates_in_c:
            for parameter in self.cached.form.parameters:
                parameter._in_c = True

    def _stay(self, why: str = "") -> Program:
        """Stop counting calls, so that tier 0 remains in use."""
        self.program.promotion = self._compilation = None
        if why:
            _log.warning(
                "NumPy continues to run a program that is called often: %s. Run `d2lhybrid doctor` for details.", why
            )
        return self.program


class _Calls(Iterator[int]):
    """An iterator over the numbers of a program's calls, until counting ends."""

    def __init__(self) -> None:
        self.count, self.is_over = 0, False

    def __next__(self) -> int:
        if self.is_over:
            raise StopIteration
        self.count += 1
        return self.count


#: The monitors of tier-1 programs with ONNX Runtime, whose threads don't exist in a forked child.
_sessions: weakref.WeakSet[_Session] = weakref.WeakSet()


class _Session(Promotion):
    """A monitor of a program that runs in an ONNX Runtime session, which contains the parameters and is slow to create.

    The next best backend replaces the program if the parameters change every few calls, or in a forked child.
    """

    __slots__ = ("__weakref__", "_before", "_last", "_make", "calls", "new")

    def __init__(self, before: _ByCalls, new: Program) -> None:
        self.calls: _Calls = _Calls()
        self.ticks = self.calls
        self._before, self.new, self._last = before, new, 0
        assert new.prepare is not None
        self._make = new.prepare.function
        new.prepare.function = self.make
        _sessions.add(self)

    def make(self, *arrays: Any) -> Any:
        """Create a session with the current parameters, which `arrays` contain."""
        if self._last and self.calls.count - self._last < CALLS_OF_A_SESSION:
            self.calls.is_over = True
        self._last = self.calls.count or 1
        return self._make(*arrays)

    def advance(self, raws: Sequence[Any]) -> Program:
        """Switch to the best backend other than ONNX Runtime."""
        before = self._before
        with before.cached._lock:
            program = before.cached.programs.get(before.key)
            if program is None or program is not self.new or program.promotion is not self:
                return program or self.new
            start = time.perf_counter()
            backend = _without_onnx_runtime(before.program)
            new = collecting_later(lambda: before.compile_as(backend or "numpy", backend == "onednn").finish())
            new.tier, new.since_call = int(backend is not None), before.plan.switch + self.calls.count
            new.prepared_values = before.program.prepared_values
            before._replace(program, new, new.since_call - 1, time.perf_counter() - start)
            new.replaced = before.program
            return new


def _end_sessions() -> None:
    for session in [*_sessions]:
        session.calls.is_over = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_end_sessions)
