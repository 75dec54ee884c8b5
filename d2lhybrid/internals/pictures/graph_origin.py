"""Origins of graphs: nets, symbols, programs, and stages of the compiler."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy

from ...error import MXNetError
from ...gluon import HybridBlock
from ...gluon.block import flatten
from ...gluon.parameter import DeferredInitializationError
from ...ndarray import NDArray
from ...symbol import Symbol
from ..core import infer
from ..core.codegen import PythonSource, split
from ..core.graph import Graph
from ..core.node import Node
from ..core.pipeline import Program, Stage, compile_graph
from ..core.typed_graph import typed_graph
from ..reports.lines_behind import of_its_origin
from ..reports.profile import profile_program
from ..support.display import Shown
from .graph_build import NodeIds, Surroundings, model_of_graph, model_of_nodes
from .graph_model import GraphModel, TensorInfo

__all__ = ["TRACED", "Origin", "origin_of"]

#: The traced graph of a net after type inference, which a picture shows first.
TRACED = "traced"


@dataclass(repr=False)
class Origin(Shown):
    """The graphs of an object, such as a net, and the functions that compute their data.

    Attributes
    ----------
    title : str
        Title of the object.
    views : dict of str to callable
        The function that returns the data of each graph, by the graph's name.
    programs : dict of str to PythonSource
        Generated functions.
    ways : dict of str to list of str
        The names of the graphs from the traced to the compiled graph, for ``"forward"`` and possibly ``"backward"``.
    passes : dict of str to str
        The pass that created each graph of ``ways``, by the graph's name.
    graphs : dict of str to Graph
        The compiler's graphs, by the names in ``views``.
    ids : NodeIds
        Ids of the nodes.
    measure : callable or None
        Function that runs the program and returns the microseconds of each line, by function name and line number;
        None without a program or inputs.
    """

    title: str
    views: dict[str, Callable[[], GraphModel]]
    programs: dict[str, PythonSource] = field(default_factory=dict)
    ways: dict[str, list[str]] = field(default_factory=dict)
    passes: dict[str, str] = field(default_factory=dict)
    graphs: dict[str, Graph] = field(default_factory=dict)
    ids: NodeIds = field(default_factory=NodeIds)
    measure: Callable[[], dict[tuple[str, int], float]] | None = None


def origin_of(thing: Any, inputs: Sequence[Any] = (), shapes: Any = None, dtypes: Any = None, **options: Any) -> Origin:
    """Return the graphs of a net, a symbol, a program, a stage, or a graph of the compiler.

    Parameters
    ----------
    thing : HybridBlock, Symbol, Program, Stage or Graph
        The object whose graphs are drawn.
    inputs : sequence of NDArray
        For a block, the arguments of the call.
    shapes, dtypes : dict, optional
        For a symbol, the shapes and element types of its variables.
    **options : object
        For a block, ``training`` and ``backward``.

    Returns
    -------
    Origin
        The graphs, which are computed on demand.

    Raises
    ------
    TypeError
        If the object has no graphs.
    ValueError
        If no inputs are passed and the net has no such graph yet, or if a symbol lacks a named input.
    """
    if isinstance(thing, HybridBlock):
        return _of_block(thing, inputs, **options)
    if isinstance(thing, Program):
        return _of_program(thing, "program", None)
    if isinstance(thing, Stage):
        return Origin(f"after {thing.name!r}", {thing.name: lambda: model_of_graph(thing.graph, thing.name)})
    if isinstance(thing, Graph):
        return Origin("graph", {"graph": lambda: model_of_graph(thing, "graph")})
    if isinstance(thing, Symbol):
        return _of_symbol(thing, shapes or {}, dtypes or {})
    raise TypeError(
        "NetGraph.of accepts a HybridBlock, a Symbol, a program (net.programs[0]), or a stage of a program "
        f"(net.programs[0].stages[0]), not {type(thing).__name__}"
    )


# --- nets ---


class _Stop(Exception):
    """An exception with the arguments of a block's ``hybrid_forward``."""


def _of_block(block: Any, inputs: Sequence[Any], training: bool | None = None, backward: bool = False) -> Origin:
    title = f"{type(block).__name__} {block.name}".rstrip()
    training = backward if training is None else training
    parameters = list(block.collect_params().keys())
    if inputs:
        arguments = _arguments_of(block, inputs)
        program = _program_for(block, arguments, training, backward)
        origin = _of_program(program, title, parameters)
        origin.measure = functools.partial(_measure, block, arguments, program)
        return origin
    programs = [p for p in block.programs if not backward or p.backward is not None]
    if programs:
        return _of_program(programs[-1], title, parameters)
    if block._cached_graph is None or backward:
        raise ValueError(
            f"There is no backward graph of {block.name} yet: pass inputs, as in net.graph(x, backward=True)"
            if backward
            else f"There is no graph of {block.name} yet: pass inputs, as in net.graph(x)"
        )
    known = {name: p.shape for name, p in block.collect_params().items() if p.shape and all(n > 0 for n in p.shape)}
    origin = _of_symbol(block._cached_graph[1], known, {}, parameters)
    origin.title = title
    return origin


def _arguments_of(block: Any, inputs: Sequence[Any]) -> tuple[Any, ...]:
    """Return the inputs of a block's graph for a call, to which a recurrent layer adds its states.

    The block does not run: the call ends before ``hybrid_forward`` or the program begins.
    """

    def stop(*arguments: Any) -> Any:
        raise _Stop(arguments)

    own = vars(block)
    own["_run_eagerly"], own["_call_cached_op"] = (lambda ctx, *arguments: stop(*arguments)), stop
    block._fast_call = None  # the fast path would bypass this function
    try:
        block(*inputs)
    except _Stop as reached:
        return reached.args[0]
    finally:
        del own["_run_eagerly"], own["_call_cached_op"]
    raise TypeError(f"{type(block).__name__}.forward does not call hybrid_forward, so the block has no graph")


def _program_for(block: Any, arguments: tuple[Any, ...], training: bool, backward: bool) -> Program:
    """Return the program that a call runs: the block's own program if it exists, otherwise a new one."""
    variables, out = block._get_graph(*arguments)
    flat, _ = flatten(arguments, "input")
    for value in flat:
        if value is not None and not isinstance(value, NDArray):
            raise TypeError(f"the inputs of net.graph() must be arrays, not {type(value).__name__}")
    given = {v.name: a for v, a in zip(variables, flat, strict=True) if v is not None}
    parameters = dict(block.collect_params().items())
    used = list(dict.fromkeys(out.list_inputs()))
    names = [n for n in used if n in given] + [n for n in used if n not in given]
    types = tuple((given[n].shape, numpy.dtype(given[n].dtype)) for n in names if n in given)
    for key, program in () if block._cached_op is None else reversed(block._cached_op.programs.items()):
        if key[0] == training and (key[1] is not None) == backward and key[3 : 3 + len(types)] == types:
            return program
    shapes = {n: given[n].shape for n in names if n in given}
    dtypes = {n: numpy.dtype(given[n].dtype) for n in names if n in given}
    for name in names[len(types) :]:
        parameter = parameters[name]
        dtypes[name] = numpy.dtype(parameter.dtype)
        if parameter.shape and all(n > 0 for n in parameter.shape):
            shapes[name] = parameter.shape
    wanted = [n not in given and parameters[n].grad_req != "null" for n in names] if backward else None
    return compile_graph(out, names, shapes, dtypes, training, wanted, numpy, num_data=len(types))


def _measure(block: Any, arguments: tuple[Any, ...], program: Program) -> dict[tuple[str, int], float]:
    """Run a block's program line by line, and return the microseconds of each line."""
    variables, _ = block._get_graph(*arguments)
    flat, _ = flatten(arguments, "input")
    given = {v.name: a for v, a in zip(variables, flat, strict=True) if v is not None}
    parameters = dict(block.collect_params().items())
    ctx = next(array._ctx for array in given.values())
    own = block._cached_op is not None and any(program is one for one in block._cached_op.programs.values())
    if ctx.device_typeid == 2 and not own:
        raise ValueError(
            "There is no compiled GPU program for these inputs: hybridize the net, and call it with these inputs first"
        )
    try:
        arrays = [given[n.name] if n.name in given else parameters[n.name].data(ctx) for n in program.graph.inputs]
    except DeferredInitializationError:
        raise ValueError("The parameters have no values yet: call the net once before you call measure()") from None
    lines = profile_program(program, [array._data for array in arrays], ctx)
    return {(line.function, line.number): line.microseconds for line in lines}


# --- programs ---


def _lines_of(programs: dict[str, PythonSource], stages: Sequence[Stage]) -> dict[Node, list[tuple[str, int]]]:
    """Return the lines that run each node, or that run its replacements by later passes.

    All nodes of a fused region have the region's line.
    """
    lines: dict[Node, list[tuple[str, int]]] = {}
    for name, source in programs.items():
        for number, node in source.line_nodes.items():
            body = node.params.get("body")
            for part in (node, *getattr(body, "nodes", ())):
                lines.setdefault(part, []).append((name, number))
    for stage in (stage for stage in stages if not stage.graph.gradients):
        gone = {node.name: (node,) for node in stage.graph.nodes if node.op is not None and node not in lines}
        made: dict[Node, dict[tuple[str, int], None]] = {}
        for node, at in lines.items():
            for old in of_its_origin(node.name, gone):
                made.setdefault(old, {}).update(dict.fromkeys(at))
        for old, at in made.items():  # the gradient of an operator has boxes of its own
            lines[old] = [one for one in at if one[0] != "backward"]
    return lines


def _of_program(program: Program, title: str, parameters: Collection[str] | None) -> Origin:
    graph = program.graph
    programs = {"forward": program.forward} | ({"backward": program.backward} if program.backward else {})
    if program.prepare is not None:
        programs["prepare"] = program.prepare
    around = Surroundings(parameters, _lines_of(programs, program.stages), ids=NodeIds())
    # The trace shows which blocks were called; nodes of later stages begin with the names of traced nodes.
    traced = model_of_graph(program.stages[0].graph, TRACED, around)
    halves = split(graph)
    forward_roots = halves.forward_roots[: len(halves.forward_roots) - len(halves.residuals)]
    views: dict[str, Callable[[], GraphModel]] = {
        "forward": lambda: model_of_graph(graph, "forward", around, forward_roots, halves.prepared, "parameter")
    }
    if halves.prepared:  # computed only from parameters, and not in every call
        views["prepare"] = lambda: model_of_graph(graph, "prepare", around, halves.prepared)
    if program.backward is not None:
        views["backward"] = lambda: model_of_graph(graph, "backward", around, halves.backward_roots, halves.residuals)
    before, stages, forward = None, [], []
    passes: dict[str, str] = {}
    graphs = {"forward": graph, "backward": graph}
    for number, stage in enumerate(program.stages, 1):
        if stage.graph is not before:
            name = TRACED if number == 1 else f"{number} {stage.name}"
            views[name] = lambda stage=stage, name=name: model_of_graph(stage.graph, name, around)
            stages.append(name)
            passes[name], graphs[name] = stage.name, stage.graph
            if not stage.graph.gradients:
                forward.append(name)
        before = stage.graph
    views[TRACED] = lambda: traced
    passes |= {"forward": passes[stages[-1]], "backward": "split"}
    if halves.prepared or program.backward is not None:
        passes["forward"] = "split"
    ways = _ways(stages, forward, bool(halves.prepared), program.backward is not None)
    return Origin(title, views, programs, ways, passes, graphs, around.ids)


def _ways(stages: list[str], forward: list[str], prepared: bool, backward: bool) -> dict[str, list[str]]:
    """Return the sequence of graphs to show, without a last stage that equals the compiled graph."""
    if not backward:
        same = forward if prepared or len(forward) == 1 else forward[:-1]
        return {"forward": [*same, "forward"] if len(forward) > 1 or prepared else forward}
    return {"forward": [*forward, "forward"], "backward": [*stages, "backward"]}


# --- symbols ---


def _of_symbol(
    symbol: Symbol, shapes: dict[str, Any], dtypes: dict[str, Any], parameters: Collection[str] | None = None
) -> Origin:
    title = f"Symbol {symbol.name}" if symbol.name else "Symbol"
    names = symbol.list_inputs()
    for name in (*shapes, *dtypes):
        if name not in names:
            raise ValueError(f"The graph has no input {name!r}. Its inputs: {', '.join(names) or 'none'}")
    around = Surroundings(parameters)

    def make() -> GraphModel:
        try:
            graph = typed_graph(symbol, names, shapes, dtypes, training=False)
        except (MXNetError, KeyError):
            return _untyped(symbol, shapes, dtypes, around)
        return model_of_graph(graph, "forward", around)

    if shapes:  # report an error in the arguments immediately
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            infer.infer_shapes(symbol._entries, {n: tuple(s) for n, s in shapes.items()})
    return Origin(title, {"forward": make})


def _untyped(symbol: Symbol, shapes: dict[str, Any], dtypes: dict[str, Any], around: Surroundings) -> GraphModel:
    """Return the data of a graph with some unknown shapes."""
    nodes = symbol._nodes()
    found_shapes = found_types = None
    try:
        found_shapes = infer.infer_shapes(symbol._entries, {n: tuple(s) for n, s in shapes.items()})
        found_types = infer.infer_types(symbol._entries, dtypes, found_shapes)
    except MXNetError:  # the shapes contradict each other, so the picture has none
        pass

    def outputs(node: Node) -> list[TensorInfo]:
        result = []
        for i in range(node.num_outputs):
            shape = None if found_shapes is None else found_shapes[node, i]
            dtype = None if found_types is None else found_types[node, i]
            result.append(TensorInfo(shape, None if dtype is None or shape is None else numpy.dtype(dtype).name))
        return result

    return model_of_nodes(nodes, symbol._entries, outputs, lambda node: (None, None), "forward", around, {})
