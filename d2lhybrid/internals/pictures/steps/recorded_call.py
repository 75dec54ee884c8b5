"""Observation of a real call of a net: tracing, inference, compilation, and the run, line by line.

The module calls the net once, as a user does, and records the events of :mod:`d2lhybrid.internals.support.events`.
Afterwards, the module restores the net's state.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from d2lhybrid import autograd
from d2lhybrid.gluon import Block, HybridBlock
from d2lhybrid.gluon.block import flatten
from d2lhybrid.ndarray.ndarray import NDArray
from d2lhybrid.util import is_own_file

from ...core.node import Entry, Node
from ...core.pipeline import Program, Stage, compile_graph
from ...reports.profile import LineTime, profile_program
from ...support import events
from ...support.display import Shown
from ...support.places import Place
from ..check.observing import Preserved
from ..check.source_reading import all_blocks, functions_of
from ..lines import Follower, pause, tracing
from .running import LineRun, ProgramWatch

__all__ = ["Call", "Found", "TraceEvent", "watch_call"]


@dataclass(repr=False)
class TraceEvent(Shown):
    """An event while ``hybrid_forward`` ran with symbols.

    Attributes
    ----------
    kind : str
        ``"enter"``: a block's ``hybrid_forward`` or a user's function begins; ``"line"``: a line is about
        to run; ``"node"``: an operator was called and created a node; ``"leave"``: the function returns.
    stack : tuple of (code, int)
        Active functions, outermost first, and their current lines.
    path : str
        Path of the block, such as ``"self.hidden"``; empty for a plain function.
    node : Node or None
        The created node, for the kind ``"node"``.
    printed : str
        Text printed since the previous event.
    made : Place or None
        The line of user code that created the innermost running block, if it is known.
    """

    kind: str
    stack: tuple[tuple[CodeType, int], ...]
    path: str = ""
    block: str = ""
    node: Node | None = None
    printed: str = ""
    made: Place | None = None


@dataclass(repr=False)
class Found(Shown):
    """A shape or type that a node's rule inferred for an entry. ``deferred`` marks shapes of deferred parameters."""

    node: Node
    entry: Entry
    value: Any
    deferred: bool


@dataclass(repr=False)
class Call(Shown):
    """The observations of one call."""

    net: Any
    program: Program | None = None
    symbol: Any = None
    parameters: list[str] = field(default_factory=list)
    traced: list[TraceEvent] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    runs: dict[str, list[LineRun]] = field(default_factory=dict)
    outputs: list[Any] = field(default_factory=list)
    gradients: dict[str, Any] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    times: list[LineTime] = field(default_factory=list)
    paths: dict[int, str] = field(default_factory=dict)
    #: Id of a node's source -> index of the node; a node from a pass shares the source of its original.
    order: dict[int, int] = field(default_factory=dict)
    #: The completed stages of the compilation.
    stages: list[Stage] = field(default_factory=list)
    #: The inputs of the graph by name, and their partial shapes before inference.
    given: dict[str, Any] = field(default_factory=dict)
    #: The exception of the call, and the line of each generated function at that time.
    error: Exception | None = None
    failed_lines: dict[str, int] = field(default_factory=dict)

    @property
    def came_to(self) -> str:
        """The stage in which the call failed: ``"trace"``, ``"infer"``, ``"compile"``, ``"run"``, or ``"backward"``."""
        if self.symbol is None:
            return "trace"
        if self.program is None:
            return "compile" if self.stages else "infer"
        return "backward" if "backward" in self.runs or self.outputs else "run"

    def order_of(self, node: Node) -> int:
        """Return the trace index of a node, or of the traced node that it derives from; -1 if there is none."""
        return self.order.get(id(node.source), -1)


def watch_call(net: Any, inputs: tuple[Any, ...], record: bool, measure: bool = True) -> Call:
    """Call a net once, restore its state, and return the observations, including an error.

    Parameters
    ----------
    net : HybridBlock
        The net.
    inputs : tuple
        Arguments of the call.
    record : bool
        Whether to record the call, compile gradients, and also run the backward program.
    measure : bool
        Whether to run the program several times afterwards, to measure its lines.

    Raises
    ------
    TypeError
        If the net is not a HybridBlock, or if there is no input.
    """
    _check(net, inputs)
    call = Call(net)
    call.paths = {id(block): path for path, block in all_blocks(net)}
    with Preserved(net, functions_of(net)) as kept:
        for block in kept.blocks:
            if isinstance(block, HybridBlock):
                block._active, block._fast_call = True, None
        watch = _Watch(call, {id(b) for b in kept.blocks})
        scope = autograd.record() if record else autograd.pause(train_mode=False)
        programs: list[Program] = []
        with watch.everything(programs):
            try:
                with scope:
                    call.outputs = _arrays(net(*_copied(inputs)))
                call.program = _program_of(net, programs)
                if record and call.program is not None and call.program.backward is not None:
                    autograd.backward(call.outputs)
            except Exception as error:
                call.error, call.program = error, _program_of(net, programs)
        if call.program is not None:
            call.stages = call.program.stages
        graph = net._cached_graph
        call.symbol = None if graph is None else graph[1]
        if graph is not None and call.error is not None:
            call.given = _shapes_given(net, graph[0], inputs)
        call.parameters = [p.name for p in net.collect_params().values()]
        call.gradients = {p.name: p.grad() for p in _with_gradient(net)} if record else {}
        call.seconds = {e.kind: e.seconds for e in net._history}
        if measure and call.program is not None and call.error is None:
            _, arrays, ctx = net._signature_of(*inputs)
            call.times = profile_program(call.program, [a._data for a in arrays], ctx)
    return call


def _program_of(net: Any, programs: list[Program]) -> Program | None:
    """Return the net's own program, the last one, because children called with arrays are compiled first."""
    return net.programs[-1] if net.programs else (programs[-1] if programs else None)


def _shapes_given(net: Any, variables: list[Any], inputs: tuple[Any, ...]) -> dict[str, Any]:
    """Return the shapes that are known before inference: the shapes of inputs and initialized parameters."""
    arrays = flatten(inputs, "input")[0]
    found = {v.name: a.shape for v, a in zip(variables, arrays, strict=False) if v is not None and a is not None}
    return found | {p.name: p.shape for p in net.collect_params().values() if p._data is not None}


def _check(net: Any, inputs: tuple[Any, ...]) -> None:
    if not isinstance(net, HybridBlock):
        kind = type(net).__name__
        if kind == "Sequential":
            remedy = ": use HybridSequential"
        elif isinstance(net, Block):
            remedy = ": derive the class from HybridBlock, and define hybrid_forward"
        else:
            remedy = ""
        raise TypeError(f"compile_steps compiles a HybridBlock, but {kind} is not a HybridBlock{remedy}.")
    if not inputs:
        raise TypeError("compile_steps needs inputs for the net. Pass them: compile_steps(net, x)")


def _copied(args: Any) -> Any:
    if isinstance(args, NDArray):
        copied = args.copy()
        if args._tape is not None:
            copied.attach_grad()
        return copied
    return type(args)(_copied(a) for a in args) if isinstance(args, list | tuple) else args


def _arrays(out: Any) -> list[Any]:
    if isinstance(out, list | tuple):
        return [a for part in out for a in _arrays(part)]
    return [] if out is None else [out]


def _with_gradient(net: Any) -> list[Any]:
    return [p for p in net.collect_params().values() if p.grad_req != "null" and p._data is not None]


class _Watch:
    """The listener of an observed call."""

    def __init__(self, call: Call, blocks: set[int]) -> None:
        self.call, self.blocks = call, blocks
        self.printed = io.StringIO()
        self.frames: list[FrameType] = []
        self.made_at: list[Place | None] = []
        #: The parameters whose shapes may have to be inferred; None before they are determined.
        self.waiting: list[Any] | None = None
        #: Resumes line events after a pause.
        self.go_on: Callable[[], None] | None = None

    @contextlib.contextmanager
    def everything(self, programs: list[Program]) -> Iterator[None]:
        """Listen to all events, and collect the compiled programs."""

        def compiled(program: Program) -> None:
            programs.append(program)
            self.call.stages = []
            if self.go_on is not None:
                self.go_on()

        told = events.listening(
            node_made=self.made, shape_found=self.inferred, program_compiled=compiled,
            pass_done=lambda stage: self.call.stages.append(stage),
        )  # fmt: skip
        with contextlib.redirect_stdout(self.printed), told, tracing(self.enter):
            yield

    # --- the trace -------------------------------------------------------------------------------

    def made(self, node: Node) -> None:
        if node.source is not None:
            self.call.order[id(node.source)] = len(self.call.order)
        self.event("node", node=node)

    def inferred(self, node: Node, entry: Entry, value: Any) -> None:
        deferred = self.call.net._cached_op is not None and not self.call.runs and self.is_deferred()
        self.call.found.append(Found(node, entry, value, deferred))

    def is_deferred(self) -> bool:
        """Return whether a parameter's shape is still unknown; cache the result once all shapes are known."""
        if self.waiting is None:
            self.waiting = list(self.call.net.collect_params().values())
        if not any(p._deferred_init for p in self.waiting):
            self.waiting = []
        return bool(self.waiting)

    def event(self, kind: str, path: str = "", block: str = "", node: Node | None = None) -> None:
        printed = self.printed.getvalue()
        if printed:
            self.printed.seek(0)
            self.printed.truncate()
        stack = tuple((f.f_code, f.f_lineno) for f in self.frames)
        made = self.made_at[-1] if self.made_at else None
        self.call.traced.append(TraceEvent(kind, stack, path, block, node, printed, made))

    # --- lines -----------------------------------------------------------------------------------

    def enter(self, frame: FrameType) -> Follower | None:
        code = frame.f_code
        if code.co_filename.startswith("<d2lhybrid program"):
            if code.co_name in ("<module>", "with_arena"):  # lines that define the function, not its body
                return None
            return ProgramWatch(self.call.runs, code.co_name, self.call.failed_lines)
        if code is compile_graph.__code__ and not self.frames:  # its thousands of calls are not traced
            self.go_on = pause()
            return None
        block = frame.f_locals.get("self") if code.co_name == "hybrid_forward" else None
        if block is not None and id(block) in self.blocks:
            path, name = self.call.paths.get(id(block), ""), type(block).__name__
            made = None if block is self.call.net else block._made_at
        elif self.frames and is_own_file(code.co_filename):
            if code.co_filename.startswith("<") and "ipython" not in code.co_filename:
                return None
            path, name = "", code.co_name
            made = self.made_at[-1] if self.made_at else None
        else:
            return None
        self.frames.append(frame)
        self.made_at.append(made)
        self.event("enter", path, name)
        return self.inside

    def inside(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "line":
            self.event("line")
        elif event == "return" and self.frames and self.frames[-1] is frame:
            self.event("leave")
            self.frames.pop()
            self.made_at.pop()
