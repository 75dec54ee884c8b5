"""The stages of a compilation, from a symbol and the types of its inputs to a program.

:func:`begin_compilation`, at the end of this file, infers types, runs the passes (:data:`PASSES`), and splits the
graph. :func:`compile_graph` also makes the :class:`Program`. Every stage is kept as an object that can be printed,
drawn, and compared with the previous stage. Keeping a stage costs only references, because stages share their nodes.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ..support import events
from ..support.display import Shown
from ..support.plural import counted
from .backends import Backend, default_backend, get_backend
from .codegen import Halves, PythonSource, generate, split
from .footprint import check_footprint
from .graph import Graph
from .node import Entry, Node
from .passes.differentiate import differentiate
from .passes.fold_constants import fold_constants
from .passes.merge_equal import merge_equal
from .passes.remove_dead import remove_dead
from .passes.simplify import simplify
from .promotion import Promotion
from .typed_graph import typed_graph

__all__ = [
    "FORWARD_PASSES", "INFERENCE_PASSES", "PASSES", "Compilation", "Program", "Settings", "Stage", "begin_compilation",
    "compile_graph", "finish_stage", "run_passes",
]  # fmt: skip

#: The passes that run only for inference, because gradients would be wrong after them.
INFERENCE_PASSES: list[tuple[str, Callable[[Graph], Graph]]] = []

#: The passes before differentiation, which also change the backward pass.
FORWARD_PASSES: list[tuple[str, Callable[[Graph], Graph]]] = []

#: The passes between differentiation and the split, in order. ``compiler/registration.py`` adds to all three lists.
PASSES: list[tuple[str, Callable[[Graph], Graph]]] = [
    ("simplify", simplify),
    ("fold constants", fold_constants),
    ("merge equal", merge_equal),
    ("simplify again", simplify),
    ("remove dead", remove_dead),
]


class Settings(NamedTuple):
    """The settings of a compilation.

    Attributes
    ----------
    xp : module
        NumPy or CuPy.
    training : bool
        Whether layers behave as in training.
    recording : bool
        Whether the program has a backward pass.
    backend : Backend
        The backend that makes the program.
    static_alloc, static_shape : bool
        Whether the program keeps the memory of values, and views of this memory, between calls.
    heads : tuple of bool
        Whether a gradient arrives at each output; empty if gradients arrive at all outputs.
    """

    xp: Any
    training: bool
    recording: bool
    backend: Backend
    static_alloc: bool = False
    static_shape: bool = False
    heads: tuple[bool, ...] = ()


class Stage(NamedTuple):
    """One stage of a compilation.

    Attributes
    ----------
    name : str
        The stage's name, such as ``"infer"``, ``"differentiate"``, ``"generate code"``, or the name of a pass.
    graph : Graph
        The graph after the stage.
    seconds : float
        The stage's duration in seconds.
    """

    name: str
    graph: Graph
    seconds: float

    @property
    def num_operators(self) -> int:
        """The number of operators after this stage."""
        return self.graph.num_operators

    def __repr__(self) -> str:
        return f"<Stage {self.name!r}: {counted(self.num_operators, 'operator')}, {1e3 * self.seconds:.2f} ms>"

    def _repr_html_(self) -> str | None:
        return Shown._repr_html_(self)  # type: ignore[arg-type]


def finish_stage(stages: list[Stage], name: str, graph: Graph, start: float) -> None:
    """Append a finished stage to a list, and publish the stage as an event.

    Parameters
    ----------
    stages : list of Stage
        The stages so far, to which the stage is appended.
    name : str
        Name of the stage.
    graph : Graph
        The graph after the stage.
    start : float
        Start time of the stage, as a value of ``time.perf_counter`` in seconds.
    """
    stages.append(Stage(name, graph, time.perf_counter() - start))
    if events.pass_done:
        events.pass_done.tell(stages[-1])


def run_passes(
    graph: Graph,
    wanted: Sequence[bool] | None,
    settings: Settings,
    stage: Callable[[str, Callable[[], Graph]], Graph] = lambda name, make: make(),
) -> Graph:
    """Run the forward passes, differentiation, and all other passes.

    Parameters
    ----------
    graph : Graph
        The traced graph, with types.
    wanted : sequence of bool or None
        Whether each input needs a gradient; None for the forward pass only.
    settings : Settings
        The settings, whose backend may have its own passes.
    stage : callable, optional
        The function ``stage(name, make)``, which runs a stage: it calls ``make()`` and returns the resulting graph.

    Returns
    -------
    Graph
        The graph after all passes.
    """
    maker = settings.backend
    for name, run in maker.passes([*(INFERENCE_PASSES if wanted is None else []), *FORWARD_PASSES], settings):
        graph = stage(name, functools.partial(_apply, run, graph))
    if wanted is not None:
        graph = stage("differentiate", functools.partial(differentiate, graph, wanted, settings.heads or None))
    for name, run in maker.passes(PASSES, settings):
        graph = stage(name, functools.partial(_apply, run, graph))
    return graph


def _apply(run: Callable[[Graph], Graph], graph: Graph) -> Graph:
    """Run a pass if the graph has a trait that the pass looks for."""
    traits = getattr(run, "looks_for", None)
    return graph if traits is not None and graph.traits.isdisjoint(traits) else run(graph)


class Program(Shown):
    """The result of a compilation, with one function for inference, or two for training.

    Attributes
    ----------
    graph : Graph
        The final graph.
    stages : list of Stage
        The stages of the compilation.
    forward, backward : PythonSource
        The generated functions; ``backward`` is None for inference.
    prepare : PythonSource or None
        The generated function that computes the prepared values; None if there are no such values.
    num_outputs : int
        The number of forward results that are outputs.
    forward_states, backward_states : list of int
        For each state that ``forward`` or ``backward`` updates, the index of the input that holds the state.
    num_residuals : int
        The number of forward results that are kept for the backward function.
    gradient_of : list of int
        For each backward result that is a gradient, the index of the input that the gradient belongs to.
    backend : str
        The name of the backend.
    heads : tuple of bool
        Whether a gradient arrives at each output.
    other_source : str
        The source code in another language that the backend compiled; empty if the program consists of Python.
    starts : bool
        Whether the program has a loss that starts a gradient.
    tier : int
        The tier: 0 for the program of the first call, 1 for the program that replaces it after many calls.
    since_call : int
        The number of the first call that ran this program, counted from 1.
    replaced : Program or None
        The program of tier 0 that this program replaced; None if it replaced none.
    promotion : Promotion or None
        The counter of calls (:mod:`.promotion`); None if no faster program can replace this program.
    prepared_values : dict
        The results of ``prepare``, by the text of this function. The programs of a net for different shapes share this
        dictionary. They prepare the same values, and a copy for each program would multiply the memory of the weights.
    """

    def __init__(self, graph: Graph, stages: list[Stage], halves: Halves, settings: Settings) -> None:
        self.graph: Graph = graph
        self.stages: list[Stage] = stages
        self.backend: str = settings.backend.name
        position = {n: i for i, n in enumerate(graph.inputs)}

        def states(stage: str) -> list[int]:
            return [position[u.variable] for u in graph.updates if u.stage == stage]

        self.forward_states: list[int] = states("forward")
        self.backward_states: list[int] = states("backward")
        self.num_outputs: int = len(graph.outputs)
        self.num_residuals: int = len(halves.residuals)
        self.gradient_of: list[int] = [i for i, g in enumerate(graph.gradients) if g is not None]
        #: Input -> the values that name the rows of its gradient: the kind, whether the value is an input of the
        #: program, and its index among the inputs or the results of ``backward``.
        self.rows_named_by: dict[int, list[tuple[Any, bool, int]]] = {}
        computed = len(self.gradient_of) + len(self.backward_states)
        for source in graph.looked_up:
            is_input = source.value[0].op is None
            place = position[source.value[0]] if is_input else computed
            computed += not is_input
            self.rows_named_by.setdefault(position[source.variable], []).append((source.kind, is_input, place))
        self.heads: tuple[bool, ...] = settings.heads or (True,) * len(graph.outputs)
        self.other_source = ""
        self.starts: bool = any(n.op is not None and n.op.starts(n.params) for n in stages[0].graph.nodes)
        self.prepared_values: dict[str, Any] = {}
        self.tier: int = 0
        self.since_call: int = 1
        self.replaced: Program | None = None
        self.promotion: Promotion | None = None
        start = time.perf_counter()
        options = settings.backend.options(graph, settings)
        self._recorded = options.recorder is not None
        inputs: list[Node | Entry] = [*graph.inputs, *halves.prepared]
        self.prepare: PythonSource | None = None
        if halves.prepared:
            plain = settings.backend.options(graph, settings._replace(static_alloc=False, static_shape=False))
            self.prepare = generate("prepare", graph.inputs, halves.prepared, graph.types, plain)
        data = frozenset(range(graph.num_data))
        leaving = dataclasses.replace(
            options, num_outputs=self.num_outputs, num_leaving=self.num_outputs, changing=data
        )
        self.forward: PythonSource = generate("forward", inputs, halves.forward_roots, graph.types, leaving)
        self.backward: PythonSource | None = None
        if graph.head_gradients:
            inputs = [*graph.inputs, *halves.residuals, *graph.head_gradients]
            heads = range(len(inputs) - len(graph.head_gradients), len(inputs))
            leaving = dataclasses.replace(options, num_leaving=len(self.gradient_of), changing=data.union(heads))
            self.backward = generate("backward", inputs, halves.backward_roots, graph.types, leaving)
        if settings.xp is numpy:
            for function in self.functions:
                function.threaded = settings.backend.works_in_threads(function, graph.types)
        finish_stage(self.stages, "generate code", graph, start)

    def __repr__(self) -> str:
        mode = "training mode" if self.graph.training else "predict mode"
        given = ", ".join(
            f"{node.name} {self.graph.types[node, 0]}" for node in self.graph.inputs[: self.graph.num_data][:4]
        )
        made = ", ".join(str(self.graph.types[entry]) for entry in self.graph.outputs[:4])
        count = self.graph.num_operators
        return f"<Program: {mode}, {count} operator{'s' * (count != 1)}, {given} -> {made}>"

    @property
    def functions(self) -> list[PythonSource]:
        """The generated functions that aren't None, in the order ``prepare``, ``forward``, ``backward``."""
        return [f for f in (self.prepare, self.forward, self.backward) if f is not None]

    @property
    def source(self) -> str:
        """The source code of all generated functions and of compiled code in other languages."""
        parts = [str(function) for function in self.functions]
        return "\n\n".join([*parts, self.other_source] if self.other_source else parts)


class Compilation(NamedTuple):
    """A compilation after all passes, before the backend makes the program."""

    graph: Graph
    stages: list[Stage]
    halves: Halves
    settings: Settings

    def finish(self) -> Program:
        """Make the program with the backend, and return the program."""
        program = self.settings.backend.program(self.graph, self.stages, self.halves, self.settings)
        if events.program_compiled:
            events.program_compiled.tell(program)
        return program


def compile_graph(*arguments: Any, **settings: Any) -> Program:
    """Compile a symbol for inputs of known types and return its program.

    Parameters
    ----------
    *arguments, **settings
        As for :func:`begin_compilation`.

    Returns
    -------
    Program
        The compiled program.
    """
    return begin_compilation(*arguments, **settings).finish()


def begin_compilation(
    symbol: Any,
    names: Sequence[str],
    shapes: dict[str, tuple[int, ...]],
    dtypes: dict[str, Any],
    training: bool,
    wanted: Sequence[bool] | None,
    xp: Any,
    *,
    num_data: int = -1,
    backend: str | None = None,
    static_alloc: bool = False,
    static_shape: bool = False,
    heads: tuple[bool, ...] = (),
) -> Compilation:
    """Infer the types of a symbol's graph, run all passes, and split the graph into the functions of a program.

    Parameters
    ----------
    symbol, names, shapes, dtypes, training
        As for :func:`~d2lhybrid.internals.core.typed_graph.typed_graph`.
    wanted : sequence of bool or None
        Whether each input needs a gradient; None for the forward pass only.
    xp : module
        NumPy or CuPy.
    num_data : int
        The number of leading inputs that are data, all by default. The remaining inputs are parameters.
    backend : str, optional
        The name of the backend; see :mod:`~d2lhybrid.internals.compiler.backends`.
    static_alloc, static_shape : bool
        Whether the program keeps the memory of values, and views of this memory, between calls.
    heads : tuple of bool
        Whether a gradient arrives at each output; by default, True for outputs with a floating-point type.

    Returns
    -------
    Compilation
        The compilation after all passes.
    """
    stages: list[Stage] = []
    maker = get_backend(backend or default_backend(xp))
    settings = Settings(xp, training, wanted is not None, maker, static_alloc, static_shape, heads)
    maker.check_settings(settings)

    def stage(name: str, make: Callable[[], Graph]) -> Graph:
        start = time.perf_counter()
        graph = make()
        finish_stage(stages, name, graph, start)
        return graph

    graph = stage("infer", lambda: typed_graph(symbol, names, shapes, dtypes, training, num_data))
    if wanted is not None and not heads:  # gradients seldom arrive at outputs of an integer type
        settings = settings._replace(heads=tuple(graph.types[entry].dtype.kind == "f" for entry in graph.outputs))
    if xp is numpy:  # if a GPU's memory is exhausted, the driver raises an error, and no other process fails
        check_footprint(graph)
    graph = run_passes(graph, wanted, settings, stage)
    start = time.perf_counter()
    halves = split(graph)
    finish_stage(stages, "split", graph, start)
    return Compilation(graph, stages, halves, settings)
