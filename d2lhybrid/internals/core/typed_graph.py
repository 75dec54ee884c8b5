"""The first stage of a compilation, which makes a graph with known types from a symbol.

A call determines the types of all variables, and one walk from inputs to users infers all other types (:func:`follow`).
If the type of a variable is incomplete, or a rule adds to the types of its inputs, inference sweeps over the graph in
both directions (:mod:`d2lhybrid.internals.core.infer`). The sweeps also raise the errors about a graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ...error import MXNetError
from ..support import events
from . import infer
from .control_flow_bodies import check_bodies
from .graph import Graph, TensorType, TypeTable, results_of
from .loops import GRAPHS_OF
from .no_program import ShapeFromValuesError
from .node import Node
from .open_shapes import close_shapes, default_draws
from .state_writes import with_written_states

__all__ = ["follow", "sweep", "typed_graph"]


def typed_graph(
    symbol: Any,
    names: Sequence[str],
    shapes: dict[str, tuple[int, ...]],
    dtypes: dict[str, Any],
    training: bool,
    num_data: int = -1,
) -> Graph:
    """Return the graph of a symbol with all shapes and element types inferred.

    Parameters
    ----------
    symbol : Symbol
        The traced computation.
    names : sequence of str
        The names of the variables, in the order of the program's arguments.
    shapes, dtypes : dict
        The shapes and element types of the variables, by name.
    training : bool
        Whether layers behave as in training.
    num_data : int
        The number of leading variables that are data; all by default.

    Returns
    -------
    Graph
        The typed graph, with the state updates of its forward pass.

    Raises
    ------
    MXNetError
        If the inputs don't fit the operators, or if a shape can't be inferred.
    NoProgramError
        If a shape depends on values, or if the interpreter can't run the body of a loop.
    """
    entries = symbol._entries
    order = list(symbol._nodes())
    operators = [node.op for node in order if node.op is not None]
    if any(op.name in GRAPHS_OF for op in operators):
        check_bodies(order)
    types = None if events.shape_found else follow(order, shapes, dtypes)
    if types is None:
        types = sweep(entries, order, shapes, dtypes)
    variables: dict[str, list[Node]] = {}
    for node in order:
        if node.op is None:
            variables.setdefault(node.name, []).append(node)
    inputs = []
    for name in names:
        if name in variables:
            inputs.append(variables[name][0])
        else:
            unused = Node(None, name)
            types.set(unused, [TensorType(tuple(shapes[name]), numpy.dtype(dtypes[name]))])
            inputs.append(unused)
    graph = Graph(tuple(inputs), tuple(entries), types, training, num_data=num_data)
    # Variables with the same name are the same array. For example, a parameter may be traced twice.
    twice = {node: (group[0], 0) for group in variables.values() for node in group[1:]}
    if twice:
        graph = graph.rewrite(lambda node, _: None, twice)
    if any(node.op is not None and not node.inputs for node in order):
        graph = close_shapes(graph)
    return with_written_states(graph) if any(op.forward_updates for op in operators) else graph


def follow(order: Sequence[Node], shapes: dict[str, tuple[int, ...]], dtypes: dict[str, Any]) -> TypeTable | None:
    """Return all types, inferred in one walk from inputs to users.

    Parameters
    ----------
    order : sequence of Node
        The nodes in topological order.
    shapes, dtypes : dict
        Known shapes and element types of variables, by name.

    Returns
    -------
    TypeTable or None
        The types; None if sweeps in both directions are necessary.
    """
    types = TypeTable()
    for node in order:
        if node.op is None:
            shape, dtype = shapes.get(node.name), dtypes.get(node.name)
            if dtype is None or shape is None or None in shape:
                return None
            types[node, 0] = TensorType(tuple(shape), numpy.dtype(dtype))
            continue
        try:
            found, settled = results_of(node, tuple([types[entry] for entry in node.inputs]))
        except Exception:  # the sweeps raise this error again, with its location
            return None
        if not settled:
            return None
        types.set(node, found)
    return types


def sweep(
    entries: Sequence[tuple[Node, int]], order: list[Node], shapes: dict[str, tuple[int, ...]], dtypes: dict[str, Any]
) -> TypeTable:
    """Return all types, inferred by sweeps over the graph in both directions.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs of the graph.
    order : sequence of Node
        The nodes in topological order.
    shapes, dtypes : dict
        Known shapes and element types of variables, by name.

    Returns
    -------
    TypeTable
        The shape and element type of each entry.

    Raises
    ------
    MXNetError
        If the shape of a variable cannot be inferred, or if types contradict each other.
    ShapeFromValuesError
        If a shape depends on values.
    """
    found_shapes = infer.infer_shapes(entries, shapes, order=order)
    if draws := default_draws(order, found_shapes):
        found_shapes = infer.infer_shapes(entries, {**shapes, **draws}, order=order)
    found_types = infer.infer_types(entries, dtypes, found_shapes, order=order)
    types = TypeTable()
    for node in order:
        known = []
        for i in range(node.num_outputs):
            shape, dtype = found_shapes[node, i], found_types[node, i]
            if shape is None or None in shape:
                break
            known.append(TensorType(shape, numpy.dtype(numpy.float32 if dtype is None else dtype)))
        if len(known) == node.num_outputs:
            types.update({(node, i): found for i, found in enumerate(known)})
        elif node.op is None:
            found = found_shapes[node, 0]
            raise MXNetError(
                f"the shape of the variable {node.name!r} cannot be inferred"
                + (f": its known part is {found}, where None is an unknown size" if found else "")
            )
        elif node.inputs and all(entry in types for entry in node.inputs):
            raise ShapeFromValuesError(node.op.name, node.name)
    return types
