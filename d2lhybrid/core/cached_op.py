"""The cached graph of a hybridized block: one program for every signature it was called with.

A signature is what the compiled program depends on: shapes, dtypes, context, training mode, and,
while recording, which inputs need gradients. A call with a known signature is a dictionary
lookup and a function call; a new one compiles again, without tracing again.
"""

from __future__ import annotations

import itertools
import operator
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from .. import autograd
from ..compiler.history import Event, reasons_to_compile
from ..compiler.no_program import NoProgramError
from ..context import Context
from ..device import backend, threads
from ..errors import MXNetError
from ..ndarray.ndarray import NDArray
from ..support import clock
from ..support.locks import new_lock
from .by_operator import evaluate
from .invoke import invoke, wrap
from .operator import get_operator
from .pipeline import Program, compile_graph

__all__ = ["CachedOp", "CallForm", "FastCall", "ProgramCall"]

_state = autograd.state


#: A net that is called with ever new shapes keeps the programs of this many; the oldest go first.
MAX_PROGRAMS = 128


class CallForm(NamedTuple):
    """How the arguments of a block become arrays of its graph, and its results again what the block returns.

    Attributes
    ----------
    inputs, outputs
        The structures, as of :func:`~d2lhybrid.core.trace.flatten`.
    data : list of int
        Which of the flat arguments the graph takes, in its order.
    parameters : list of Parameter
        What it takes after them.
    single_input : bool
        Whether there is one argument, which is an array.
    """

    inputs: Any
    outputs: Any
    data: list[int]
    parameters: list[Any]
    single_input: bool


class CachedOp:
    """A traced graph that runs as compiled programs.

    Parameters
    ----------
    symbol : Symbol
        The traced computation.
    names : sequence of str
        Its variables in the order of the arrays that a call is given.
    num_data : int
        How many of them are data; the rest are parameters.
    flags : dict
        ``static_alloc``, ``static_shape`` and MXNet's other options.
    history : list of Event, optional
        Where to add an event for each compilation.
    form : CallForm, optional
        How a block calls it.

    Attributes
    ----------
    programs : dict
        Signature -> :class:`~d2lhybrid.core.pipeline.Program`.
    events : dict
        Signature -> :class:`~d2lhybrid.compiler.history.Event`: why there is a program for it.
    """

    def __init__(
        self,
        symbol: Any,
        names: Sequence[str],
        num_data: int,
        flags: dict[str, Any] | None = None,
        history: list[Event] | None = None,
        form: CallForm | None = None,
    ) -> None:
        flags = flags or {}
        if flags.get("static_shape") and not flags.get("static_alloc"):
            raise MXNetError("Check failed: config_.static_alloc: static_alloc must be True when static_shape is True")
        self.symbol, self.names, self.num_data, self.flags = symbol, list(names), num_data, flags
        self.programs: dict[Any, Program] = {}
        self.events: dict[Any, Event] = {}
        self._without_program: dict[Any, None] = {}
        #: Signature -> the outputs at which gradients arrive, where they are not all; with them -> program.
        self._heads: dict[Any, tuple[bool, ...]] = {}
        self._programs_of_heads: dict[Any, Program] = {}
        self.history: list[Event] = [] if history is None else history
        self._prepared_values: dict[Context, dict[str, Any]] = {}
        self.form = CallForm([], [], [], [], False) if form is None else form
        self.fast_call = FastCall()
        self._lock = new_lock()
        self._legacy = symbol._legacy
        #: When the states were last written in prediction, and into which arrays.
        self._states_written: tuple[Any, list[Any]] = (None, [])

    def __call__(self, arrays: Sequence[Any], cls: Any, ctx: Context) -> list[Any]:
        """Run the graph.

        Parameters
        ----------
        arrays : sequence of NDArray
            Data, then parameters, in the order of ``names``.
        cls : type
            Class of the results.
        ctx : Context
            Where to run.

        Returns
        -------
        list of NDArray
        """
        raws = [a._data for a in arrays]
        if ctx.device_typeid == 2:
            raws = _ready(raws, ctx)
        training = _state.training
        wanted = None
        if _state.recording:
            wanted = tuple([a._tape is not None and not a._tape[0].released for a in arrays])
            if True not in wanted:
                wanted = None
        key = (training, wanted, ctx, *[(r.shape, r.dtype) for r in raws])
        program = self.programs.get(key)
        if program is not None and wanted is not None and self._heads.get(key, program.heads) != program.heads:
            program = None
        if program is None:
            if key in self._without_program:
                return self._run_by_operator(arrays, cls, ctx)
            try:
                program = self._compile(key, raws, ctx, training, wanted)
            except NoProgramError:
                self._note_without_program(key)
                return self._run_by_operator(arrays, cls, ctx)
        forward = program.forward
        given = raws
        draws = None
        if program.prepare is not None:
            given = [*raws, *program.prepared(raws)]
        if forward.uses_generator:
            generator = backend.generator(ctx)
            given = [*given, generator]
            if wanted is not None:
                draws = backend.random_state(generator)
        workspaces = forward.workspaces
        try:
            run = forward.function if workspaces is None else workspaces.take()
            if forward.threaded and threads.crowded():
                results = threads.limited(run, *given)
            else:
                results = run(*given)
        except MemoryError as error:
            run, results = _run_again(forward, given, ctx, error)
        count = program.num_outputs
        if program.forward_states:
            self._write_states(raws, program.forward_states, results[count:], training)
        outputs = []
        for raw in results[:count]:
            array = cls.__new__(cls)
            array._data = raw
            array._ctx = ctx
            array._tape = None
            outputs.append(array)
        if wanted is not None:
            parents = [a._tape if w else None for a, w in zip(arrays, wanted, strict=True)]
            residuals = results[count + len(program.forward_states) :]
            node = ProgramCall(program, parents, list(arrays), raws, list(results[:count]), residuals, ctx, self)
            node.in_arena = None if workspaces is None else run  # the residuals lie there
            node.draws, node.key = draws, key
            for i, array in enumerate(outputs):
                array._tape = (node, i)
        elif workspaces is not None:
            workspaces.give(run)
        return outputs

    def _run_by_operator(self, arrays: Sequence[Any], cls: Any, ctx: Context) -> list[Any]:
        """Run a graph for which there is no program as the imperative program would."""
        results = evaluate(self.symbol._entries, dict(zip(self.names, arrays, strict=True)), ctx)
        own, known = [], {id(a) for a in arrays}
        for result in results:
            if id(result) in known:  # every output is memory of its own
                result = invoke(get_operator("_copy"), [result], {}, NDArray)
            known.add(id(result))
            own.append(result)
        outputs = []
        for result in _joined(own, arrays):
            output = wrap(cls, result._data, result._ctx)
            output._tape = result._tape
            outputs.append(output)
        return outputs

    def _write_states(self, raws: Sequence[Any], places: Sequence[int], values: Sequence[Any], training: bool) -> None:
        """Write new values of states.

        In prediction they are the same at every call (a fixed gamma of 1), so that they are written at the first one
        only, and again after anybody has written into an array. To compare them would make the host wait for a GPU.
        """
        states = [raws[i] for i in places]
        now = clock.stamp(states)
        if not training:
            when, before = self._states_written
            if when is now is not clock.SHARED and all(map(operator.is_, before, states)):
                return
            # On a CPU a look costs less than a write, after which everything computed from parameters is stale.
            if all(type(s) is numpy.ndarray and (s == v).all() for s, v in zip(states, values, strict=False)):
                self._states_written = (now, states)
                return
        clock.note_write()
        for state, value in zip(states, values, strict=False):
            state[...] = value
        clock.note_write()
        if not training:
            self._states_written = (clock.stamp(states), states)

    def _note_without_program(self, key: Any) -> None:
        with self._lock:
            self._without_program[key] = None
            while len(self._without_program) > MAX_PROGRAMS:
                del self._without_program[next(iter(self._without_program))]

    def _compile(self, key: Any, raws: list[Any], ctx: Context, training: bool, wanted: Any) -> Program:
        with self._lock:
            heads = self._heads.get(key, ())
            other = self.programs.get(key)
            program = self._programs_of_heads.get((key, heads)) if heads else other
            if program is not None:
                self.programs[key] = program
                return program
            shapes = {n: r.shape for n, r in zip(self.names, raws, strict=True)}
            dtypes = {n: r.dtype for n, r in zip(self.names, raws, strict=True)}
            xp = backend.array_module(ctx) if ctx.device_typeid == 2 else numpy
            start = time.perf_counter()
            program = compile_graph(
                self.symbol, self.names, shapes, dtypes, training, wanted, xp, num_data=self.num_data,
                backend=self.flags.get("backend"), static_alloc=bool(self.flags.get("static_alloc")),
                static_shape=bool(self.flags.get("static_shape")), heads=heads,
            )  # fmt: skip
            program.prepared_values = self._prepared_values.setdefault(ctx, {})
            seconds = time.perf_counter() - start
            again = any(event.kind in ("compile", "recompile") for event in self.history)
            reasons = reasons_to_compile(self.programs, key, self.names) if self.programs else ("first call",)
            if again and not self.programs:
                reasons = ("first call since the programs were dropped",)
            if other is not None:
                reasons = (f"gradients of {sum(heads)} of {len(heads)} outputs",)
            event = Event("recompile" if again else "compile", reasons, seconds)
            self.events[key] = event
            self.history.append(event)
            self.programs[key] = program
            while len(self.programs) > MAX_PROGRAMS:
                oldest = next(iter(self.programs))
                del self.programs[oldest], self.events[oldest]
            if wanted is not None:
                self._programs_of_heads[key, program.heads] = program
                while len(self._programs_of_heads) > MAX_PROGRAMS:
                    del self._programs_of_heads[next(iter(self._programs_of_heads))]
            return program

    def expect_heads(self, key: Any, heads: tuple[bool, ...]) -> None:
        """Be told at which outputs gradients have arrived: the next call runs a program that is made for them."""
        with self._lock:
            self._heads[key] = heads
            while len(self._heads) > MAX_PROGRAMS:
                del self._heads[next(iter(self._heads))]

    def signature(self, arrays: Sequence[Any], ctx: Context) -> tuple[Any, ...]:
        """Return the key that a call with these arrays looks up now."""
        wanted = None
        if _state.recording:
            wanted = tuple([a._tape is not None and not a._tape[0].released for a in arrays])
        types = [(a._data.shape, a._data.dtype) for a in arrays]
        return (_state.training, wanted if wanted and True in wanted else None, ctx, *types)

    def program_for(self, raws: Sequence[Any], ctx: Context) -> Program | None:
        """Return the inference program that was compiled for these arrays, if there is one."""
        return self.programs.get((_state.training, None, ctx, *[(r.shape, r.dtype) for r in raws]))


class FastCall:
    """The commonest call, with nothing left to decide: one array in, one out, not recording.

    Remembers the program of the last call and the raw arrays of the parameters; answers None when
    anything that they depend on is different, and the general way is taken.
    """

    __slots__ = ("_memory",)

    def __init__(self) -> None:
        self._memory: Any = None

    def prime(self, x: Any, raws: list[Any], program: Program, training: bool, generation: object) -> None:
        """Remember a call that went the general way."""
        simple = program.num_outputs == 1 and not program.forward_states and not program.forward.uses_generator
        if x._ctx.device_typeid == 2:
            simple = simple and all(map(operator.is_, raws, _ready(raws, x._ctx)))
        if simple:
            raw, written = x._data, None
            if program.prepare is not None:
                written = clock.stamp(raws)
                if written is clock.SHARED:
                    return
                raws = [*raws, *program.prepared([raw, *raws])]
            forward = program.forward
            # One tuple, set at once: other threads see the old memory or the new one, never a mixture.
            self._memory = (
                type(x), x._ctx, raw.shape, raw.dtype, training, generation, forward.function, forward.workspaces,
                tuple(raws), written, forward.threaded,
            )  # fmt: skip

    def __call__(self, x: Any, generation: object) -> Any:
        """Return the output, or None."""
        memory = self._memory
        if memory is None or _state.recording:
            return None
        cls, ctx, shape, dtype, training, when, function, workspaces, raws, written, threaded = memory
        if type(x) is not cls or x._ctx is not ctx or generation is not when or _state.training is not training:
            return None
        raw = x._data
        if raw.shape != shape or raw.dtype is not dtype or (written is not None and written is not clock.last_write):
            return None
        if ctx.device_typeid == 2 and _ready([raw], ctx)[0] is not raw:
            return None
        if threaded and threads.crowded():
            return None
        array = cls.__new__(cls)
        try:
            if workspaces is None:
                array._data = function(raw, *raws)[0]
            else:
                run = workspaces.take()
                array._data = run(raw, *raws)[0]
                workspaces.give(run)
        except MemoryError:  # the general way empties the pool of a GPU and tries again
            return None
        array._ctx = ctx
        array._tape = None
        return array


class ProgramCall(autograd.TapeNode):
    """A call of a compiled program on the tape: the whole net is one node."""

    __slots__ = ("arrays", "cached", "ctx", "draws", "in_arena", "key", "outputs", "program", "raws", "residuals")

    def __init__(
        self,
        program: Program,
        parents: Sequence[Any],
        arrays: list[Any],
        raws: list[Any],
        outputs: list[Any],
        residuals: Sequence[Any],
        ctx: Context,
        cached: CachedOp,
    ) -> None:
        super().__init__(parents, program.num_outputs)
        self.program, self.arrays, self.raws = program, arrays, raws
        self.outputs, self.residuals, self.ctx, self.cached = outputs, residuals, ctx, cached
        #: The function whose arena holds the residuals: nobody else may use it until they are used up.
        self.in_arena: Callable[..., Any] | None = None
        #: The state of the random generator before the call, None if nothing is drawn (or on a GPU).
        self.draws: Any = None
        #: The signature of the call.
        self.key: Any = None

    def vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Run the backward program."""
        program = self.program
        given = tuple([g is not None for g in output_grads])
        # What a GPU has drawn cannot be drawn again.
        if given != program.heads and (self.draws is not None or not _drawing(program)):
            self.cached.expect_heads(self.key, given)
            return self._vjp_by_operator(output_grads, needs)
        source = program.backward
        assert source is not None
        xp = backend.module_of(self.outputs[0])
        heads = [xp.zeros_like(y) if g is None else g for g, y in zip(output_grads, self.outputs, strict=True)]
        heads = list(itertools.compress(heads, program.heads))
        if self.ctx.device_typeid == 2:
            heads = _ready(heads, self.ctx)
        inputs = self.raws[: len(self.arrays)]
        extra = [backend.generator(self.ctx)] if source.uses_generator else []
        given = (*inputs, *self.residuals, *heads, *extra)
        try:
            if source.threaded and threads.crowded():
                results = threads.limited(source.function, *given)
            else:
                results = source.function(*given)
        except MemoryError as error:
            _, results = _run_again(source, given, self.ctx, error)
        grads: list[Any] = [None] * len(self.arrays)
        for i, value in zip(program.gradient_of, results, strict=False):
            grads[i] = value
        self.cached._write_states(inputs, program.backward_states, results[len(program.gradient_of) :], True)
        return grads

    def _vjp_by_operator(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Run the graph again operator by operator: the program is made for gradients that arrive at other outputs.

        Zeros in their place would not do. A layer that no gradient reaches makes no update, and zero times infinity
        is no number.
        """
        arrays, leaves = [], []
        for raw, wanted in zip(self.raws, needs, strict=False):
            arrays.append(wrap(NDArray, raw, self.ctx))
            if wanted:
                arrays[-1]._tape = (autograd.Variable(None, "write"), 0)
                leaves.append(arrays[-1])
        with autograd.record(train_mode=self.program.graph.training):
            outputs = self._again(arrays)
        grads = [None if g is None else wrap(NDArray, g, self.ctx) for g in output_grads]
        pairs = [(y, g) for y, g in zip(outputs, grads, strict=True) if g is not None and autograd.is_tracked(y)]
        found = iter(autograd.gradients_of([y for y, _ in pairs], [g for _, g in pairs], leaves))
        return [next(found) if wanted else None for wanted in needs]

    def _again(self, arrays: Sequence[Any]) -> list[Any]:
        """Run the graph operator by operator; draw the same random numbers, in the order of the program."""
        known = dict(zip(self.cached.names, arrays, strict=True))
        traced = self.program.stages[0].graph.outputs  # the graph as it was traced, with every size found
        drawing = _drawing(self.program)
        if not drawing:
            return evaluate(traced, known, self.ctx)
        if self.draws is None:
            raise MXNetError(
                "On a GPU, a hybridized net that draws random numbers cannot be differentiated twice: call "
                "net.hybridize(False)"
            )
        with backend.drawing_from(self.draws):
            return evaluate(traced, known, self.ctx, drawing, unroll=False)

    def recorded_vjp(self, space: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Run the graph again operator by operator, recorded, and differentiate that.

        A program cannot be differentiated, the graph it was made from can.
        """
        with autograd.record(train_mode=self.program.graph.training):
            # The gradient of each input on its own: an array that was passed twice is two of them.
            arrays = [space.as_legacy(a) for a in self.arrays]
            arrays = [space._copy(a) if wanted else a for a, wanted in zip(arrays, needs, strict=True)]
            leaves = [a for a, wanted in zip(arrays, needs, strict=True) if wanted]
            outputs = self._again(arrays)
            pairs = [(y, g) for y, g in zip(outputs, output_grads, strict=True) if g is not None]
            pairs = [(y, g) for y, g in pairs if autograd.is_tracked(y)]
            found = autograd.grad([y for y, _ in pairs], leaves, [g for _, g in pairs], create_graph=True)
        grads = iter(found)
        return [next(grads) if wanted else None for wanted in needs]

    def release(self) -> None:
        """Drop everything that was kept for the backward pass."""
        super().release()
        self.arrays, self.raws, self.outputs, self.residuals = [], [], [], ()
        self._give_back()

    def _give_back(self) -> None:
        """Let others use the arena: called once the residuals are used up, or nobody can reach them any more."""
        run = getattr(self, "in_arena", None)  # None, too, if it was never made to the end
        workspaces = None if run is None else self.program.forward.workspaces
        if run is not None and workspaces is not None:
            self.in_arena = None
            workspaces.give(run)

    def __del__(self) -> None:
        self._give_back()


class CallByOperator(autograd.TapeNode):
    """A call without a program on the tape: its results, and the arrays that it was given, as parents of one node.

    An array that no result depends on is given zeros, as by a program.
    """

    def vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Hand on what arrives."""
        return [*output_grads, *[None] * (len(needs) - len(output_grads))]

    def recorded_vjp(self, space: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Do the same."""
        return self.vjp(output_grads, needs)


def _joined(results: Sequence[Any], arrays: Sequence[Any]) -> list[Any]:
    """Return arrays with the same numbers, which are on the tape as results of one call, if there is anything there."""
    parents = [a._tape if a._tape is not None and not a._tape[0].released else None for a in [*results, *arrays]]
    if not _state.recording or all(ref is None for ref in parents[: len(results)]):
        return list(results)
    node = CallByOperator(parents, len(results))
    joined = []
    for i, result in enumerate(results):
        array = wrap(NDArray, result._data, result._ctx)
        array._tape = None if parents[i] is None else (node, i)
        joined.append(array)
    return joined


def _ready(raws: Sequence[Any], ctx: Context) -> list[Any]:
    """Make a GPU current, and return arrays whose elements lie in the order of the axes, as kernels expect."""
    xp = backend.array_module(ctx)
    return [raw if raw.flags.c_contiguous else xp.ascontiguousarray(raw) for raw in raws]


def _run_again(source: Any, given: Sequence[Any], ctx: Context, error: MemoryError) -> tuple[Any, Any]:
    """Run a program a second time, for the memory of a GPU was short; return the function that ran, and its results."""
    if not backend.is_out_of_memory(error):
        raise error
    error.__traceback__ = None  # it holds what the program had made so far

    def start() -> tuple[Any, Any]:
        run = source.function if source.workspaces is None else source.workspaces.take()
        return run, run(*given)

    try:
        return backend.with_memory(start, ctx, error)
    except MXNetError as second:
        second.add_note(f"in the compiled program {source.name}")
        raise


def _drawing(program: Program) -> list[str]:
    """Return the names of the operators of a program that draw random numbers, in their order."""
    nodes = program.forward.line_nodes
    drawing = dict.fromkeys(nodes[line] for line in sorted(nodes))
    return [node.name for node in drawing if node.op is not None and node.op.draws(node.params)]
