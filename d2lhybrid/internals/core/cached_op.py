"""The cached graph of a hybridized block, with one compiled program for every signature of its calls.

A signature holds everything on which the compiled program depends: shapes, element types, context, training mode,
and, while recording, the inputs that need gradients. A call with a known signature is a cache hit, which costs one
dictionary lookup and one function call. A cache miss compiles the graph again, without a retrace. :class:`FastCall` is
a fast path for the most common call, from the second ``net(x)`` on.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy

from ...context import Context
from ...error import MXNetError
from ..device import array_modules
from ..device.readiness import ready, run_again
from ..support import clock, events
from ..support.display import Shown, said
from ..support.locks import new_lock
from ..support.scopes import collecting_later
from . import parallel, promotion, tape
from .fallback_call import outputs_of
from .history import Event, reasons_to_compile
from .no_program import NoProgramError
from .operator_by_operator import evaluate
from .pipeline import Compilation, Program, begin_compilation
from .prepared import prepared_values
from .program_call import ProgramCall

__all__ = ["CachedOp", "CallForm", "FastCall"]

_state = tape.state
#: The value that ``next`` returns for an exhausted iterator.
_NO_MORE: Any = object()

#: The largest number of programs that a net keeps; the oldest program is dropped first.
MAX_PROGRAMS = 128


class CallForm(NamedTuple):
    """The mapping from a block's arguments to its graph's inputs, and from the graph's outputs to the block's results.

    Attributes
    ----------
    inputs, outputs : object
        The nested structures of the arguments and the results, as :func:`~d2lhybrid.gluon.block.flatten` returns them.
    data : list of int
        The indices of the flattened arguments that are inputs of the graph, in the order of these inputs.
    parameters : list of Parameter
        The parameters that are inputs of the graph, after the data.
    single_input : bool
        Whether the only argument is an array.
    storage : tuple
        A pair: whether the graph converts dense arrays to sparse arrays, and a function that returns the storage types
        of the results.
    """

    inputs: Any
    outputs: Any
    data: list[int]
    parameters: list[Any]
    single_input: bool
    storage: Any = None

    def __repr__(self) -> str:
        return said(self, self._asdict())


class CachedOp(Shown):
    """A traced graph that runs as compiled programs.

    Parameters
    ----------
    symbol : Symbol
        The traced computation.
    names : sequence of str
        The names of the graph's variables, in the order in which a call passes their arrays.
    num_data : int
        The number of leading variables that are data; the remaining variables are parameters.
    flags : dict, optional
        ``static_alloc``, ``static_shape``, and MXNet's other options.
    history : list of Event, optional
        The list to which each compilation adds an event.
    form : CallForm, optional
        The mapping from a block's arguments to the graph's inputs.

    Attributes
    ----------
    programs : dict
        The :class:`~d2lhybrid.internals.core.pipeline.Program` of each signature.
    events : dict
        The :class:`~d2lhybrid.internals.core.history.Event` of each signature's compilation, with the reason.

    Raises
    ------
    MXNetError
        If ``static_shape`` is true without ``static_alloc``.
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
        self.flags: dict[str, Any] = flags or {}
        if self.flags.get("static_shape") and not self.flags.get("static_alloc"):
            raise MXNetError("Check failed: config_.static_alloc: static_alloc must be True when static_shape is True")
        self.symbol, self._legacy, self.names, self.num_data = symbol, symbol._legacy, list(names), num_data
        self.programs: dict[Any, Program] = Newest(MAX_PROGRAMS)
        self.events: dict[Any, Event] = Newest(MAX_PROGRAMS)
        self._without_program: dict[Any, None] = Newest(MAX_PROGRAMS)
        #: Signature -> whether a gradient arrives at each output, unless gradients arrive at all of them.
        self._heads: dict[Any, tuple[bool, ...]] = Newest(MAX_PROGRAMS)
        #: (Signature, heads) -> program.
        self._programs_of_heads: dict[Any, Program] = Newest(MAX_PROGRAMS)
        self.history: list[Event] = [] if history is None else history
        self._prepared_values: dict[Context, dict[str, Any]] = {}
        self.form: CallForm = CallForm([], [], [], [], False) if form is None else form
        self.fast_call: FastCall = FastCall()
        self._lock = new_lock()
        #: The clock's stamp and the arrays of the last write of states in prediction mode.
        self._states_written: tuple[Any, list[Any]] = (None, [])

    def __repr__(self) -> str:
        count = len(self.programs)
        return f"<CachedOp: {count} program{'s' * (count != 1)}>"

    def __call__(self, arrays: Sequence[Any], cls: Any, ctx: Context) -> list[Any]:
        """Run the graph's program for these arrays. If the signature is new, compile the program first.

        Parameters
        ----------
        arrays : sequence of NDArray
            The data, then the parameters, in the order of ``names``.
        cls : type
            The class of the results.
        ctx : Context
            The device of all arrays.

        Returns
        -------
        list of NDArray
            The outputs of the graph, in its order.
        """
        raws = [a._data for a in arrays]
        if ctx.device_typeid == 2:
            raws = ready(raws, ctx)
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
                with self._lock:
                    self._without_program[key] = None
                return self._run_by_operator(arrays, cls, ctx)
        elif program.promotion is not None and next(program.promotion.ticks, _NO_MORE) is _NO_MORE:
            program = program.promotion.advance(raws)
        forward = program.forward
        given, draws = raws, None
        if program.prepare is not None:
            given = [*raws, *prepared_values(program, raws)]
        if forward.uses_generator:
            generator = array_modules.generator(ctx)
            given = [*given, generator]
            if wanted is not None:
                draws = array_modules.random_state(generator)
        workspaces = forward.workspaces
        try:
            run = forward.function if workspaces is None else workspaces.take()
            called = events.program_called.first(run, forward, run) if events.program_called else run
            if forward.threaded and parallel.threads.crowded():
                results = parallel.threads.limited(called, *given)
            else:
                results = called(*given)
        except MemoryError as error:
            run, results = run_again(forward, given, ctx, error)
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
            node.in_arena = None if workspaces is None else run  # the residuals are in its arena
            node.draws, node.key = draws, key
            for i, array in enumerate(outputs):
                array._tape = (node, i)
        elif workspaces is not None:
            workspaces.give(run)
        return outputs

    def _run_by_operator(self, arrays: Sequence[Any], cls: Any, ctx: Context) -> list[Any]:
        """Run the graph operator by operator, as in eager mode, because no program can be compiled."""
        results = evaluate(self.symbol._entries, dict(zip(self.names, arrays, strict=True)), ctx)
        return outputs_of(results, arrays, cls)

    def _write_states(self, raws: Sequence[Any], places: Sequence[int], values: Sequence[Any], training: bool) -> None:
        """Write the new values of states.

        In prediction mode, the values are the same at every call (a fixed gamma of 1). The first call writes the
        values, and so does the first call after any write into one of these arrays. Values on a GPU aren't compared,
        because the host would have to wait for them.
        """
        states = [raws[i] for i in places]
        if not training:
            when, before = self._states_written
            if when is clock.stamp(states) is not clock.SHARED and all(map(operator.is_, before, states)):
                return
            clock.watch(states)
            now = clock.stamp(states)
            # On a CPU, a comparison is cheaper than a write, which would make all prepared values stale.
            if all(type(s) is numpy.ndarray and (s == v).all() for s, v in zip(states, values, strict=False)):
                self._states_written = (now, states)
                return
        clock.note_write(states)
        for state, value in zip(states, values, strict=False):
            state[...] = value
        clock.note_write(states)
        if not training:
            self._states_written = (clock.stamp(states), states)

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
            xp = array_modules.array_module(ctx) if ctx.device_typeid == 2 else numpy
            static = bool(self.flags.get("static_alloc"))

            def compile_as(backend: str | None, static_alloc: bool) -> Compilation:
                return begin_compilation(
                    self.symbol, self.names, shapes, dtypes, training, wanted, xp, num_data=self.num_data,
                    backend=backend, static_alloc=static or static_alloc,
                    static_shape=bool(self.flags.get("static_shape")), heads=heads,
                )  # fmt: skip

            start = time.perf_counter()
            chosen = self.flags.get("backend")
            program = collecting_later(lambda: compile_as(chosen, static).finish())
            program.prepared_values = self._prepared_values.setdefault(ctx, {})
            seconds = time.perf_counter() - start
            again = any(event.kind in ("compile", "recompile") for event in self.history)
            reasons = reasons_to_compile(self.programs, key, self.names) if self.programs else ("first call",)
            if again and not self.programs:
                reasons = ("first call since the programs were dropped",)
            if other is not None:
                reasons = (f"gradients arrive at {sum(heads)} of {len(heads)} outputs",)
            event = Event("recompile" if again else "compile", reasons, seconds)
            self.events[key] = event
            self.history.append(event)
            self.programs[key] = program
            if wanted is not None:
                self._programs_of_heads[key, program.heads] = program
            if chosen is None:
                program.promotion = promotion.promoter(self, key, program, compile_as, raws)
                program = self.programs[key]  # a promoter may have replaced the compiled program already
            return program

    def replace(self, key: Any, old: Program, new: Program, event: Event) -> None:
        """Replace a program with an equivalent program. The caller must hold the lock of this object.

        Parameters
        ----------
        key : tuple
            The signature of the calls that run the program.
        old, new : Program
            The program to replace, and its replacement.
        event : Event
            The event to add to the history.
        """
        values = old.prepared_values
        new.replaced = old
        if self.programs.get(key) is old:
            self.programs[key], self.events[key] = new, event
        if self._programs_of_heads.get((key, old.heads)) is old:
            self._programs_of_heads[key, old.heads] = new
        self.history.append(event)
        if old.prepare is not None:  # the new program seldom prepares the same values
            used = {p.prepare.text for p in self.programs.values() if p.prepare is not None}
            if old.prepare.text not in used:
                values.pop(old.prepare.text, None)

    def expect_heads(self, key: Any, heads: tuple[bool, ...]) -> None:
        """Set the outputs at which gradients arrive, so that the next call runs a program for exactly these outputs.

        Parameters
        ----------
        key : tuple
            The signature of the calls.
        heads : tuple of bool
            Whether a gradient arrives at each output.
        """
        with self._lock:
            self._heads[key] = heads

    def signature(self, arrays: Sequence[Any], ctx: Context) -> tuple[Any, ...]:
        """Return the signature of a call, the key of its compiled program.

        Parameters
        ----------
        arrays : sequence of NDArray
            The arrays of the call.
        ctx : Context
            The device of all arrays.

        Returns
        -------
        tuple
            The training mode, the inputs that need gradients, the device, and the shape and element type of each array.
        """
        wanted = None
        if _state.recording:
            wanted = tuple([a._tape is not None and not a._tape[0].released for a in arrays])
        types = [(a._data.shape, a._data.dtype) for a in arrays]
        return (_state.training, wanted if wanted and True in wanted else None, ctx, *types)

    def program_for(self, raws: Sequence[Any], ctx: Context) -> Program | None:
        """Return the cached program for a call in which no gradient is recorded, or None if there is none.

        Parameters
        ----------
        raws : sequence of numpy.ndarray or cupy.ndarray
            The raw arrays of the call.
        ctx : Context
            The device of all arrays.

        Returns
        -------
        Program or None
            The program for the current mode and the types of the arrays.
        """
        return self.programs.get((_state.training, None, ctx, *[(r.shape, r.dtype) for r in raws]))


class FastCall:
    """The fast path of the most common call, which has one input and one output and is not recorded.

    The object keeps the program of the last call and the raw arrays of the parameters. If a guard fails, a call returns
    None, and the caller takes the general path.
    """

    __slots__ = ("_memory",)

    def __init__(self) -> None:
        self._memory: Any = None

    def prime(self, x: Any, raws: list[Any], program: Program, training: bool, generation: object) -> None:
        """Store the program and the parameters of a call that took the general path, for the next call.

        The method stores nothing if the program has several outputs, updates states, or draws random numbers, or if the
        raw arrays of the parameters can't be kept.

        Parameters
        ----------
        x : NDArray
            The input of the call.
        raws : list of numpy.ndarray or cupy.ndarray
            The raw arrays of the parameters.
        program : Program
            The program that the call ran.
        training : bool
            Whether the call was in training mode.
        generation : object
            The generation of the parameters' arrays when the call began. Replacing an array starts a new generation.
        """
        simple = program.num_outputs == 1 and not program.forward_states and not program.forward.uses_generator
        if x._ctx.device_typeid == 2:
            simple = simple and all(map(operator.is_, raws, ready(raws, x._ctx)))
        if simple:
            raw, written = x._data, None
            if program.prepare is not None:
                written = clock.stamp(raws)
                if written is clock.SHARED:
                    return
                raws = [*raws, *prepared_values(program, [raw, *raws])]
            forward = program.forward
            # One tuple, assigned atomically, so that other threads see either the old or the new state.
            self._memory = (
                type(x), x._ctx, raw.shape, raw.dtype, training, generation, forward.function, forward.workspaces,
                tuple(raws), written, forward.threaded, None if program.promotion is None else program.promotion.ticks,
            )  # fmt: skip

    def __call__(self, x: Any, generation: object) -> Any:
        """Return the program's output for the input `x`, or None if a guard fails."""
        memory = self._memory
        if memory is None or _state.recording or events.program_called:
            return None
        cls, ctx, shape, dtype, training, when, function, workspaces, raws, written, threaded, ticks = memory
        if type(x) is not cls or x._ctx is not ctx or generation is not when or _state.training is not training:
            return None
        raw = x._data
        if raw.shape != shape or raw.dtype is not dtype or (written is not None and written is not clock.last_write):
            return None
        if ctx.device_typeid == 2 and ready([raw], ctx)[0] is not raw:
            return None
        if threaded and parallel.threads.crowded():
            return None
        if ticks is not None and next(ticks, _NO_MORE) is _NO_MORE:
            return None
        array = cls.__new__(cls)
        try:
            if workspaces is None:
                array._data = function(raw, *raws)[0]
            else:
                run = workspaces.take()
                array._data = run(raw, *raws)[0]
                workspaces.give(run)
        except MemoryError:  # the general path frees the GPU's memory pool and tries again
            return None
        array._ctx = ctx
        array._tape = None
        return array


_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Newest(dict[_Key, _Value]):
    """A dictionary with a limited number of keys, which drops the oldest keys.

    Parameters
    ----------
    limit : int
        The largest number of keys.

    Examples
    --------
    >>> table = Newest(2)
    >>> for key in "abc":
    ...     table[key] = key.upper()
    >>> table
    {'b': 'B', 'c': 'C'}
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def __setitem__(self, key: _Key, value: _Value) -> None:
        super().__setitem__(key, value)
        while len(self) > self.limit:
            del self[next(iter(self))]
