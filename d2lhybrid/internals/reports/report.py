"""Reports on the compilations of a block: its programs, their costs, and the reasons for each compilation.

Reports are computed on demand, from the stages that programs keep and the block's history of traces and compilations.
Operations and bytes are estimates; see ``costs.py``.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.codegen import PythonSource, split
from ..core.graph import Graph, TypeTable
from ..core.history import WORDS, Event
from ..core.node import Node, topological_order
from ..core.pipeline import Program
from ..ops import conv
from ..support.display import Shown
from ..support.printing import printed
from .advice import advice
from .costs import total_cost
from .profile import LineTime, OwnTime, own_times, profile_program
from .text import text_of

__all__ = ["FunctionReport", "InputReport", "ProfileReport", "ProgramReport", "Report", "StageReport", "explain"]


@dataclass(frozen=True, repr=False)
class InputReport(Shown):
    """An input of the signature for which a program was compiled.

    Attributes
    ----------
    name : str
        The name of the variable.
    shape : tuple of int
        The shape of the input.
    dtype : str
        The element type of the input.
    gradient : bool
        Whether the program computes the gradient of the input.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    gradient: bool


@dataclass(frozen=True, repr=False)
class StageReport(Shown):
    """The report on one stage of a compilation.

    Attributes
    ----------
    name : str
        The stage's name, such as ``"infer"``, ``"generate code"``, or the name of a pass.
    operators_before, operators_after : int
        The number of operators before and after the stage.
    flops, bytes_moved : int
        The estimated operations and bytes of the whole graph after the stage.
    milliseconds : float
        The stage's duration in milliseconds.
    """

    name: str
    operators_before: int
    operators_after: int
    flops: int
    bytes_moved: int
    milliseconds: float


@dataclass(frozen=True, repr=False)
class FunctionReport(Shown):
    """The report on one generated function.

    Attributes
    ----------
    name : {"forward", "backward", "prepare"}
        The function's name; ``"prepare"`` computes the values that depend on parameters alone.
    operators : int
        The number of operators in the function.
    flops, bytes_moved : int
        The estimated operations and bytes of one call.
    peak_bytes : int
        The largest number of bytes of intermediate values and results that are live at the same time, according to the
        memory plan, without the workspaces of kernels.
    buffers : int
        The number of separate allocations.
    arena_bytes : int
        With ``static_alloc``, the size in bytes of the arena, which holds all values except the results; otherwise 0.
    callbacks : tuple of str
        The names of the user-defined operators, which call back into Python.
    libraries : tuple of str
        The kernels of other libraries, each with the number of operators that use it, such as
        ``"oneDNN brgconv:avx512_core (20)"``.
    launches : str
        On a GPU with ``static_alloc`` and ``static_shape``, whether the launches are recorded as a CUDA graph, or the
        reason why not; otherwise empty.
    source : str
        The source code of the function.
    """

    name: str
    operators: int
    flops: int
    bytes_moved: int
    peak_bytes: int
    buffers: int
    arena_bytes: int
    callbacks: tuple[str, ...]
    libraries: tuple[str, ...]
    launches: str
    source: str


@dataclass(frozen=True, repr=False)
class ProgramReport(Shown):
    """The report on one compiled program, with its signature and its compilation.

    Attributes
    ----------
    context : str
        The context.
    training : bool
        Whether layers behave as in training.
    recording : bool
        Whether the program has a backward function.
    inputs : tuple of InputReport
        Data, then parameters.
    reasons : tuple of str
        The reasons for the compilation.
    stages : tuple of StageReport
        The stages of the compilation.
    functions : tuple of FunctionReport
        The generated functions.
    residual_bytes : int
        The size in bytes of the values that the forward function keeps for the backward function.
    milliseconds : float
        The duration of the compilation in milliseconds.
    backend : str
        The name of the backend.
    advice : tuple of str
        Options and packages that would make the program faster.
    tier : int
        0 for the program of the first call, 1 for the program that replaced it after many calls.
    since_call : int
        The number of the first call that the program ran.
    forecast : str
        A sentence that says which program will replace this program, and when; empty if no replacement is planned.
    """

    context: str
    training: bool
    recording: bool
    inputs: tuple[InputReport, ...]
    reasons: tuple[str, ...]
    stages: tuple[StageReport, ...]
    functions: tuple[FunctionReport, ...]
    residual_bytes: int
    milliseconds: float
    backend: str = "numpy"
    advice: tuple[str, ...] = ()
    tier: int = 0
    since_call: int = 1
    forecast: str = ""

    @property
    def every_call(self) -> tuple[FunctionReport, ...]:
        """The functions that run at every call, without ``prepare``, which runs only after a change of parameters."""
        return tuple(f for f in self.functions if f.name != "prepare")

    @property
    def operators(self) -> int:
        """The number of operators that run at every call."""
        return sum(f.operators for f in self.every_call)

    @property
    def flops(self) -> int:
        """The estimated number of operations of one call."""
        return sum(f.flops for f in self.every_call)

    @property
    def bytes_moved(self) -> int:
        """The estimated number of bytes that one call reads and writes."""
        return sum(f.bytes_moved for f in self.every_call)

    @property
    def source(self) -> str:
        """The source code of all functions."""
        return "\n\n".join(f.source for f in self.functions)


#: The precision of the time of a line in microseconds.
_RESOLUTION = 0.2


@dataclass(frozen=True, repr=False)
class ProfileReport(Shown):
    """The time of one program, line by line.

    Attributes
    ----------
    program : int
        The index of the program in :attr:`Report.programs`.
    lines : tuple of LineTime
        The lines of the program's functions, in order.
    own : tuple of OwnTime
        The lines of user code and the times of their operators in the program, in the order of the source.
    """

    program: int
    lines: tuple[LineTime, ...]
    own: tuple[OwnTime, ...] = ()

    @property
    def microseconds(self) -> float:
        """The total time of all lines in microseconds."""
        return sum(line.microseconds for line in self.lines)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The sums of the lower and of the upper quartiles of all lines in microseconds."""
        return sum(line.lower for line in self.lines), sum(line.upper for line in self.lines)

    @property
    def is_busy(self) -> bool:
        """Whether the quartiles differ by more than half, which is likely if other programs use the machine."""
        lower, upper = self.quartiles
        return upper > 1.5 * lower + _RESOLUTION * len(self.lines)


@dataclass(frozen=True, repr=False)
class Report(Shown):
    """The result of ``net.explain()``, which is displayed as text, or as tables in a notebook.

    Attributes
    ----------
    block : str
        The class and the name of the block.
    hybridized : bool
        Whether calls run compiled programs.
    traces : tuple of Event
        The runs of ``hybrid_forward`` with symbols, and their reasons.
    compilations : tuple of Event
        The compilations and their reasons, including those of programs that have been dropped.
    programs : tuple of ProgramReport
        The current programs, the oldest first.
    profile : ProfileReport or None
        The times of all lines, if requested.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x) * 2, prefix="double_")
    >>> net.hybridize()
    >>> report = net.explain(nd.ones((2, 3)))
    >>> report.programs[0].flops
    12
    >>> report
    HybridLambda double: hybridized, traced 1 time, 1 program compiled, 1 kept
    ...
      Program 1: predict mode, cpu(0)
        data  float32 (2, 3)
    ...
    """

    block: str
    hybridized: bool
    traces: tuple[Event, ...]
    compilations: tuple[Event, ...]
    programs: tuple[ProgramReport, ...]
    profile: ProfileReport | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the report as nested dictionaries, tuples, numbers, and text, for ``json.dumps``.

        Examples
        --------
        >>> Report("Dense dense0", True, (), (), ()).to_dict()["programs"]
        ()
        """
        return {**dataclasses.asdict(self), "words": {kind: dict(words) for kind, words in WORDS.items()}}

    @printed
    def __repr__(self) -> str:
        return text_of(self)


def explain(block: Any, inputs: Sequence[Any], profile: bool) -> Report:
    """Return the report of a HybridBlock; see :meth:`~d2lhybrid.gluon.HybridBlock.explain`.

    Parameters
    ----------
    block : HybridBlock
        The block.
    inputs : sequence of NDArray
        Arguments of a call to run first; empty to run no call.
    profile : bool
        Whether to measure the lines of the program.

    Returns
    -------
    Report
        The report.

    Raises
    ------
    ValueError
        If a profile is requested without inputs.
    RuntimeError
        If there is no compiled program to profile.
    """
    if profile and not inputs:
        raise ValueError("A profile needs inputs. Pass them: net.explain(x, profile=True)")
    arguments = _run(block, inputs) if inputs else None
    cached, history = block._cached_op, block._history
    if profile and (cached is None or arguments is None):
        raise RuntimeError("There is no compiled program to profile. Call net.hybridize() first")
    measured = None
    programs: dict[Any, Program] = {}
    reports: list[ProgramReport] = []
    if cached is not None:
        programs = dict(cached.programs)
        operators = sum(node.op is not None for node in topological_order(cached.symbol._entries))
        reports = [_report_program(k, p, operators, cached.names, cached.events[k]) for k, p in programs.items()]
    if profile and arguments is not None:
        key, arrays, ctx = block._signature_of(*arguments)
        if key not in programs:
            raise RuntimeError("There is no compiled program to profile: the net runs operator by operator")
        lines = profile_program(programs[key], [array._data for array in arrays], ctx)
        measured = ProfileReport(list(programs).index(key), tuple(lines), own_times(programs[key], lines))
    return Report(
        block=f"{type(block).__name__} {block.name}",
        hybridized=block._active,
        traces=tuple(event for event in history if event.kind in ("trace", "retrace")),
        compilations=tuple(event for event in history if event.kind in ("compile", "recompile", "promote")),
        programs=tuple(reports),
        profile=measured,
    )


def _run(block: Any, inputs: Sequence[Any]) -> tuple[Any, ...] | None:
    """Run the block and return the arguments of its program; None if no program ran.

    The arguments may differ from those of the block, because a recurrent layer adds states.
    """
    seen: list[tuple[Any, ...]] = []
    call = block._call_cached_op

    def watch(*args: Any) -> Any:
        seen.append(args)
        return call(*args)

    block._fast_call = None  # the fast path publishes no event
    block.__dict__["_call_cached_op"] = watch
    try:
        block(*inputs)
    finally:
        del block.__dict__["_call_cached_op"]
    return seen[-1] if seen else None


def _report_program(key: Any, program: Program, operators: int, names: Sequence[str], event: Event) -> ProgramReport:
    training, wanted, ctx, *types = key
    stages = []
    costs: dict[Graph, tuple[int, int]] = {}
    for stage in program.stages:
        graph = stage.graph
        if graph not in costs:  # a pass that changes nothing returns the same graph
            costs[graph] = total_cost(graph.nodes, graph.types)
        after = graph.num_operators
        stages.append(StageReport(stage.name, operators, after, *costs[graph], 1e3 * stage.seconds))
        operators = after
    return ProgramReport(
        context=str(ctx),
        training=training,
        recording=program.backward is not None,
        inputs=tuple(
            InputReport(name, tuple(shape), str(dtype), bool(wanted and wanted[i]))
            for i, (name, (shape, dtype)) in enumerate(zip(names, types, strict=True))
        ),
        reasons=event.reasons,
        stages=tuple(stages),
        functions=tuple(_report_function(f, program.graph.types) for f in program.functions),
        residual_bytes=sum(program.graph.types[entry].nbytes for entry in split(program.graph).residuals),
        milliseconds=1e3 * event.seconds,
        backend=program.backend,
        advice=advice(program),
        tier=program.tier,
        since_call=program.since_call,
        forecast="" if program.promotion is None else program.promotion.forecast(),
    )


def _report_function(function: PythonSource, types: TypeTable) -> FunctionReport:
    nodes: list[Node] = list({node: node for node in function.line_nodes.values()}.values())
    flops, moved = total_cost(nodes, types)
    plan = function.plan
    if plan is None:  # without the compiler, there is no memory plan, and every value lives until the call ends
        kept = [types[node, i].nbytes for node in nodes for i in range(node.num_outputs)]
        peak, buffers = sum(kept), len(kept)
    else:
        peak, buffers = plan.peak_bytes, len(plan.lifetimes)
    return FunctionReport(
        name=function.name,
        operators=len(nodes),
        flops=flops,
        bytes_moved=moved,
        peak_bytes=peak,
        buffers=buffers,
        arena_bytes=function.arena_bytes,
        callbacks=tuple(node.name for node in nodes if node.op is not None and node.op.calls_python),
        libraries=_libraries(nodes, types),
        launches=function.launches,
        source=function.text,
    )


def _libraries(nodes: Sequence[Node], types: TypeTable) -> tuple[str, ...]:
    """Return the kernels of other libraries, each with the number of nodes that it computes."""
    found = Counter(getattr(node.params.get("body"), "library", "") or conv.library_of(node, types) for node in nodes)
    return tuple(f"{name} ({count})" for name, count in found.most_common() if name)
