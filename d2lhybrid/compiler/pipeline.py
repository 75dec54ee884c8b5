"""The compilation, stage by stage: from a symbol and the types of its inputs to a program.

The list of passes is :data:`PASSES`. Every stage is kept as an object that can be printed, compared
with the one before and drawn; keeping them costs references, because stages share their nodes.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy

from ..errors import MXNetError
from ..symbol import infer
from ..symbol.node import Entry, Node, topological_order
from .codegen import PythonSource, generate
from .graph import Graph, TensorType, TypeTable, Update
from .passes.assign_layout import assign_layout
from .passes.differentiate import differentiate, state_updates
from .passes.fold_constants import fold_constants
from .passes.fuse_elementwise import fuse_elementwise
from .passes.merge_equal import merge_equal
from .passes.remove_dead import remove_dead
from .passes.simplify import simplify
from .passes.split import Halves, split
from .space import GraphSpace

__all__ = ["FORWARD_PASSES", "PASSES", "Program", "Stage", "compile_graph", "observe", "typed_graph"]

#: The passes before differentiation: what they choose decides what the backward pass looks like.
FORWARD_PASSES: list[tuple[str, Callable[[Graph], Graph]]] = [
    ("assign layout", assign_layout),
]

#: The passes between differentiation and the split, in order. A new pass is one file and one line here.
PASSES: list[tuple[str, Callable[[Graph], Graph]]] = [
    ("simplify", simplify),
    ("fold constants", fold_constants),
    ("merge equal", merge_equal),
    ("simplify again", simplify),
    ("remove dead", remove_dead),
    ("fuse element-wise", fuse_elementwise),
]


class Stage(NamedTuple):
    """One stage of a compilation.

    Attributes
    ----------
    name : str
        ``"infer"``, ``"differentiate"``, the name of a pass.
    graph : Graph
        The graph after it.
    seconds : float
        How long it took.
    """

    name: str
    graph: Graph
    seconds: float

    @property
    def num_operators(self) -> int:
        """Number of operators after this stage."""
        return self.graph.num_operators


class Program:
    """What a compilation makes: one function, or two with a backward pass.

    Attributes
    ----------
    graph : Graph
        The final graph.
    stages : list of Stage
        How it came about.
    forward, backward : PythonSource
        The generated functions; ``backward`` is None for inference.
    num_outputs : int
        How many of the forward results are outputs.
    forward_states, backward_states : list of int
        For each state that is written back, the number of the input that holds it.
    num_residuals : int
        How many forward results are kept for the backward function.
    gradient_of : list of int
        For each backward result that is a gradient, the number of its input.
    """

    def __init__(self, graph: Graph, stages: list[Stage], halves: Halves, xp: Any) -> None:
        self.graph, self.stages = graph, stages
        position = {id(n): i for i, n in enumerate(graph.inputs)}

        def states(stage: str) -> list[int]:
            return [position[id(u.variable)] for u in graph.updates if u.stage == stage]

        self.forward_states, self.backward_states = states("forward"), states("backward")
        self.num_outputs = len(graph.outputs)
        self.num_residuals = len(halves.residuals)
        self.gradient_of = [i for i, g in enumerate(graph.gradients) if g is not None]
        start = time.perf_counter()
        self.forward = generate(
            "forward", graph.inputs, halves.forward_roots, self.num_outputs, graph.types, xp, graph.training
        )
        self.backward: PythonSource | None = None
        if graph.head_gradients:
            inputs = [*graph.inputs, *halves.residuals, *graph.head_gradients]
            self.backward = generate("backward", inputs, halves.backward_roots, 0, graph.types, xp, graph.training)
        self.stages.append(Stage("generate code", graph, time.perf_counter() - start))
        self.constant_outputs = not graph.inputs

    @property
    def source(self) -> str:
        """The text of the generated functions."""
        return str(self.forward) + ("" if self.backward is None else f"\n\n{self.backward}")


#: What wants to hear of compilations, inside ``with observe()``.
_observers: list[list[Program]] = []


@contextlib.contextmanager
def observe() -> Iterator[list[Program]]:
    """Collect all programs that are compiled inside the scope.

    Examples
    --------
    >>> with observe() as programs:
    ...     pass
    >>> programs
    []
    """
    programs: list[Program] = []
    _observers.append(programs)
    try:
        yield programs
    finally:
        _observers.remove(programs)


def typed_graph(
    symbol: Any,
    names: Sequence[str],
    shapes: dict[str, tuple[int, ...]],
    dtypes: dict[str, Any],
    training: bool,
) -> Graph:
    """Return the graph of a symbol with all shapes and dtypes inferred.

    Parameters
    ----------
    symbol : Symbol
        The traced computation.
    names : sequence of str
        The variables, in the order in which the program will take them.
    shapes, dtypes : dict
        What is known of the variables.
    training : bool
        Whether layers behave as in training.

    Raises
    ------
    MXNetError
        If the inputs do not fit the operators, or a shape cannot be found.
    """
    entries = symbol._entries
    order = topological_order(entries)
    found_shapes = infer.infer_shapes(entries, shapes, order=order)
    found_types = infer.infer_types(entries, dtypes, found_shapes, order=order)
    if any(found_shapes.of(n) is None for n in order) and any(n.op and n.op.shape_rule is None for n in order):
        found_shapes = infer.infer_shapes(entries, shapes, found_types, order=order)
    types = TypeTable()
    variables: dict[str, list[Node]] = {}
    for node in order:
        if node.op is None:
            variables.setdefault(node.name, []).append(node)
        known = []
        for i in range(node.num_outputs):
            shape, dtype = found_shapes[node, i], found_types[node, i]
            if shape is None or None in shape:
                break
            known.append(TensorType(shape, numpy.dtype(numpy.float32 if dtype is None else dtype)))
        if len(known) == node.num_outputs:
            types.set(node, known)
        elif node.op is None:
            raise MXNetError(f"the shape of {node.name!r} cannot be inferred: {found_shapes.of(node)}")
    merged = {id(n): group[0] for group in variables.values() for n in group}
    inputs = []
    for name in names:
        if name in variables:
            inputs.append(variables[name][0])
        else:
            unused = Node(None, name)
            types.set(unused, [TensorType(tuple(shapes[name]), numpy.dtype(dtypes[name]))])
            inputs.append(unused)
    graph = Graph(tuple(inputs), tuple(entries), types, training)
    if any(len(group) > 1 for group in variables.values()):
        # Variables of one name are one array (a parameter that was traced twice).
        graph = graph.rewrite(lambda node, _: [(merged[id(node)], 0)] if node.op is None else None)
    if any(_has_open_shape(node, types) for node in graph.nodes):
        graph = graph.rewrite(lambda node, _: _with_found_shape(node, types))
    space = GraphSpace(types)
    updates: list[Update] = []
    for node in graph.nodes:
        if node.op is not None and node.op.forward_updates is not None:
            space.prefix = f"{node.name}_"
            updates += state_updates(space, node, "forward", training)
    return graph.replace(updates=tuple(updates)) if updates else graph


def _has_open_shape(node: Node, types: TypeTable) -> bool:
    """Return whether an operator without inputs leaves sizes to its users (the states of an RNN)."""
    if node.op is None or node.inputs or "shape" not in node.op.attributes:
        return False
    if not node.op.attributes["shape"].kind.startswith("Shape"):  # the gamma distribution has a shape, too
        return False
    shape = node.params.get("shape") or ()
    return any(n < 1 for n in shape) and types[node, 0].shape != shape


def _with_found_shape(node: Node, types: TypeTable) -> list[Entry] | None:
    """Write the inferred shape into ``zeros((0, 3))``: in legacy graphs a size of 0 is to be found out."""
    if not _has_open_shape(node, types):
        return None
    found = types[node, 0]
    attrs, params = {**node.attrs, "shape": str(found.shape)}, {**node.params, "shape": found.shape}
    closed = Node(node.op, node.name, (), attrs, params, source=node.source)
    types.set(closed, [found])
    return [(closed, 0)]


def compile_graph(
    symbol: Any,
    names: Sequence[str],
    shapes: dict[str, tuple[int, ...]],
    dtypes: dict[str, Any],
    training: bool,
    wanted: Sequence[bool] | None,
    xp: Any,
) -> Program:
    """Compile a symbol for inputs of known types.

    Parameters
    ----------
    symbol, names, shapes, dtypes, training
        As for :func:`typed_graph`.
    wanted : sequence of bool or None
        For each input whether a gradient is needed; None compiles the forward pass only.
    xp : module
        NumPy or CuPy.

    Returns
    -------
    Program
    """
    stages: list[Stage] = []

    def stage(name: str, make: Callable[[], Graph]) -> Graph:
        start = time.perf_counter()
        graph = make()
        stages.append(Stage(name, graph, time.perf_counter() - start))
        return graph

    graph = stage("infer", lambda: typed_graph(symbol, names, shapes, dtypes, training))
    for name, run in FORWARD_PASSES:
        current = graph
        graph = stage(name, lambda run=run, current=current: run(current))
    if wanted is not None:
        before = graph
        graph = stage("differentiate", lambda: differentiate(before, wanted))
    for name, run in PASSES:
        current = graph
        graph = stage(name, lambda run=run, current=current: run(current))
    start = time.perf_counter()
    halves = split(graph)
    stages.append(Stage("split", graph, time.perf_counter() - start))
    program = Program(graph, stages, halves, xp)
    for programs in _observers:
        programs.append(program)
    return program
