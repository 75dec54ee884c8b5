"""From a symbol to a graph in which the type of every value is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..compiler.bodies import check_bodies
from ..compiler.no_program import ShapeFromValuesError
from ..compiler.open_shapes import close_shapes
from ..compiler.space import GraphSpace
from ..errors import MXNetError
from ..ops.control_flow import GRAPHS_OF
from . import infer
from .graph import Graph, TensorType, TypeTable
from .node import Node, topological_order
from .passes.differentiate import state_updates

__all__ = ["typed_graph"]


def typed_graph(
    symbol: Any,
    names: Sequence[str],
    shapes: dict[str, tuple[int, ...]],
    dtypes: dict[str, Any],
    training: bool,
    num_data: int = -1,
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
    num_data : int
        How many of the variables, from the left, are data; all by default.

    Raises
    ------
    MXNetError
        If the inputs do not fit the operators, or a shape cannot be found.
    NoProgramError
        If a shape follows from values, or the interpreter cannot run the body of a loop.
    """
    entries = symbol._entries
    order = topological_order(entries)
    if any(node.op is not None and node.op.name in GRAPHS_OF for node in order):
        check_bodies(order)
    found_shapes = infer.infer_shapes(entries, shapes, order=order)
    found_types = infer.infer_types(entries, dtypes, found_shapes, order=order)
    if any(found_shapes[n, 0] is None for n in order) and any(n.op and n.op.shape_rule is None for n in order):
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
            types.update({(node, i): found for i, found in enumerate(known)})
        elif node.op is None:
            raise MXNetError(f"the shape of {node.name!r} cannot be inferred: {found_shapes[node, 0]}")
        elif node.inputs and all(entry in types for entry in node.inputs):
            raise ShapeFromValuesError(node.op.name, node.name)
    inputs = []
    for name in names:
        if name in variables:
            inputs.append(variables[name][0])
        else:
            unused = Node(None, name)
            types.set(unused, [TensorType(tuple(shapes[name]), numpy.dtype(dtypes[name]))])
            inputs.append(unused)
    graph = Graph(tuple(inputs), tuple(entries), types, training, num_data=num_data)
    # Variables of one name are one array (a parameter that was traced twice).
    twice = {node: (group[0], 0) for group in variables.values() for node in group[1:]}
    if twice:
        graph = graph.rewrite(lambda node, _: None, twice)
    graph = close_shapes(graph)
    if not any(node.op is not None and node.op.forward_updates for node in order):
        return graph
    in_order = sorted(graph.nodes, key=lambda node: node.order)
    return graph.replace(updates=tuple(state_updates(GraphSpace(types), in_order, "forward", training)))
