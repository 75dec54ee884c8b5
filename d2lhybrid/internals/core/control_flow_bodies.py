"""Checks and type inference for the bodies of loops and branches, which the interpreter runs.

The interpreter runs a loop or a branch as one operator. Therefore, all types in its body must be known beforehand, and
its operators must have no state. The compiler must also know which inputs of a loop or a branch get a gradient: if a
layer outside of the body gets no gradient, it must not update its state, and its parameters must keep their gradients.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from . import infer
from .graph import TensorType, TypeTable
from .loops import GRAPHS_OF, Rows, While
from .no_program import GradientFromValuesError, RowsFromValuesError, ShapeFromValuesError, StateInBodyError
from .node import Node
from .open_shapes import is_open
from .subgraph import Subgraph

__all__ = ["check_bodies", "check_rows", "has_bodies", "reached_inputs"]

#: A function that returns whether each variable of a body has a gradient. Its arguments are a tuple that contains
#: whether each result has a gradient, and the variables that depend on a loss that starts a gradient.
Reach = Callable[[tuple[bool, ...], frozenset[Node]], tuple[bool, ...]]


def has_bodies(node: Node) -> bool:
    """Return whether a node is a loop or a branch.

    Parameters
    ----------
    node : Node
        The node to examine.

    Returns
    -------
    bool
        Whether the node contains graphs.
    """
    return node.op is not None and node.op.name in GRAPHS_OF


def check_bodies(nodes: Sequence[Node]) -> None:
    """Check that the interpreter can run the bodies of all nodes.

    Parameters
    ----------
    nodes : sequence of Node
        The nodes of a graph.

    Raises
    ------
    StateInBodyError
        If an operator in a body has a state, which the interpreter can't update.
    ShapeFromValuesError
        If the users of an operator in a body determine a size of the operator's result.
    """
    for holder in nodes:
        for body in holder.params.get("subgraphs", ()) if has_bodies(holder) else ():
            for node in body.order:
                op = node.op
                if op is not None and op.moves_states:
                    raise StateInBodyError(op.name, node.name)
                if op is not None and is_open(node) and not op.name.startswith("_np"):
                    raise ShapeFromValuesError(op.name, node.name)
            check_bodies(body.order)


def check_rows(nodes: Sequence[Node]) -> None:
    """Check that no gradient through the body of a control-flow operator is row-sparse.

    Parameters
    ----------
    nodes : sequence of Node
        The nodes of a graph.

    Raises
    ------
    RowsFromValuesError
        If an operator in a body looks up rows; the interpreter supports only dense gradients.
    """
    for holder in nodes:
        for body in holder.params.get("subgraphs", ()) if has_bodies(holder) else ():
            for node in body.order:
                op = node.op
                looked_up = op.looks_up(**op.complete(node.params)) if op is not None and op.looks_up else None
                if looked_up is not None and looked_up.kind == "rows":
                    raise RowsFromValuesError(node.op.name, node.name)
            check_rows(body.order)


def typed_body(body: Subgraph, given: Sequence[TensorType], holder: Node) -> TypeTable:
    """Return the types of all entries of a body, inferred from the types of its variables.

    Parameters
    ----------
    body : Subgraph
        The body of a loop or a branch.
    given : sequence of TensorType
        Types of the body's variables.
    holder : Node
        The loop or branch, for the error message.

    Returns
    -------
    TypeTable
        The shape and element type of each entry.

    Raises
    ------
    ShapeFromValuesError
        If the shape of a value in the body depends on values.
    """
    places = dict(zip(body.variables, given, strict=True))
    shapes = infer.infer_shapes(body.entries, {k: t.shape for k, t in places.items()}, order=body.order)
    dtypes = infer.infer_types(body.entries, {k: t.dtype for k, t in places.items()}, shapes, order=body.order)
    types = TypeTable()
    for node in body.order:
        known = []
        for i in range(node.num_outputs):
            shape, dtype = shapes[node, i], dtypes[node, i]
            if shape is None or None in shape:
                assert holder.op is not None
                raise ShapeFromValuesError(holder.op.name, holder.name)
            known.append(TensorType(shape, numpy.dtype(numpy.float32 if dtype is None else dtype)))
        types.set(node, known)
    return types


def reached_inputs(
    node: Node, given: Sequence[bool], needs: Sequence[bool], of_losses: Sequence[bool], types: TypeTable,
    make_reach: Callable[..., Reach],
) -> list[bool]:  # fmt: skip
    """Return whether each input of a loop or branch has a gradient.

    Parameters
    ----------
    node : Node
        The loop or branch.
    given : sequence of bool
        Whether each output of the node has a gradient.
    needs : sequence of bool
        Whether the caller needs the gradient of each input of the node.
    of_losses : sequence of bool
        Whether each input of the node depends on a loss that starts a gradient. As in an eager call, such an input has
        a gradient, at least zeros, if a gradient reaches an operator of the body that reads the input.
    types : TypeTable
        The types of the node's inputs.
    make_reach : callable
        The function ``make_reach(body, types, wanted)``, which returns the :data:`Reach` of a body. `wanted` contains,
        for each variable of the body, whether its gradient is needed.

    Returns
    -------
    list of bool
        Whether each input of the node has a gradient.

    Raises
    ------
    GradientFromValuesError
        If the branch taken or the number of steps determines which inputs have a gradient.
    """
    assert node.op is not None
    inputs = [types[entry] for entry in node.inputs]
    ways = _WAYS[node.op.name](node, tuple(given), needs, of_losses, inputs, make_reach)
    for i, wanted in enumerate(needs):
        if wanted and len({way[i] for way in ways}) > 1:
            raise GradientFromValuesError(node.op.name, node.name)
    return list(ways[0])


def _foreach(
    node: Node, given: tuple[bool, ...], needs: Sequence[bool], of_losses: Sequence[bool], inputs: list[TensorType],
    make_reach: Any,
) -> list[list[bool]]:  # fmt: skip
    loop = Rows.of(node.params)
    shapes = [*loop.row_shapes([t.shape for t in inputs[loop.rows]]), *(t.shape for t in inputs[loop.rows.stop :])]
    known = loop.variables([TensorType(s, t.dtype) for s, t in zip(shapes, inputs, strict=True)])
    carried = [i in range(loop.carried.start, loop.carried.stop) for i in range(len(inputs))]
    wanted = loop.variables([need or state for need, state in zip(needs, carried, strict=True)])
    reach = make_reach(loop.body, typed_body(loop.body, known, node), wanted)
    first = frozenset(itertools.compress(loop.body.variables, loop.variables(of_losses)))
    later = loop.started(first)
    heads, states = given[: loop.num_out_data], given[loop.num_out_data :]
    found = [False] * len(inputs)
    for i in range(inputs[0].shape[0] - 1, -1, -1):
        step = loop.inputs(reach((*heads, *states), later if i else first))
        found = [a or b for a, b in zip(found, step, strict=True)]
        states = tuple(step[loop.carried])
    found[loop.carried] = states
    return [found]


def _while_loop(
    node: Node, given: tuple[bool, ...], needs: Sequence[bool], of_losses: Sequence[bool], inputs: list[TensorType],
    make_reach: Any,
) -> list[list[bool]]:  # fmt: skip
    loop = While.of(node.params)
    known = [inputs[i] for i in loop.inputs]
    wanted = [needs[i] or i in loop.carried for i in loop.inputs]
    reach = make_reach(loop.body, typed_body(loop.body, known, node), wanted)
    first = frozenset(itertools.compress(loop.body.variables, [of_losses[i] for i in loop.inputs]))
    later = loop.started(first)
    heads, states = given[: loop.num_out_data], given[loop.num_out_data :]
    found = [False] * len(inputs)

    def before(started: frozenset[Node]) -> tuple[list[bool], tuple[bool, ...]]:
        step = reach((*heads, *states), started)
        by_place = dict(zip(loop.inputs, step, strict=True))
        sums = [there or by_place.get(i, False) for i, there in enumerate(found)]
        return sums, tuple(by_place[i] for i in loop.carried)

    def way(sums: list[bool], states: Sequence[bool]) -> list[bool]:
        by_place = dict(zip(loop.carried, states, strict=True))
        return [by_place.get(i, there) for i, there in enumerate(sums)]

    ways, seen = [way(found, states)], set()
    while len(ways) <= loop.limit and (states, tuple(found)) not in seen:  # each iteration adds one step of the loop
        seen.add((states, tuple(found)))
        ways.append(way(*before(first)))
        found, states = before(later)
    return ways


def _cond(
    node: Node, given: tuple[bool, ...], needs: Sequence[bool], of_losses: Sequence[bool], inputs: list[TensorType],
    make_reach: Any,
) -> list[list[bool]]:  # fmt: skip
    ways = []
    for name, body in zip(("then_input_locs", "else_input_locs"), node.params["subgraphs"][1:], strict=True):
        places = node.params[name]
        types = typed_body(body, [inputs[i] for i in places], node)
        started = frozenset(itertools.compress(body.variables, [of_losses[i] for i in places]))
        step = make_reach(body, types, [needs[i] for i in places])(given, started)
        found = [False] * len(inputs)
        for i, reached in zip(places, step, strict=True):
            found[i] = found[i] or reached
        ways.append(found)
    return ways


_WAYS: dict[str, Callable[..., list[list[bool]]]] = {"_foreach": _foreach, "_while_loop": _while_loop, "_cond": _cond}
