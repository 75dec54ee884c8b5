"""Operator-by-operator runs of a graph, which return the same results as eager code.

Graphs without a program, and graphs that are differentiated twice, run this way. Loops become Python loops, in which
the tape records calls. If the users of an operator determine one of its sizes, the operator runs just before its first
user.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...context import Context
from . import infer
from .control_flow_bodies import has_bodies
from .invoke import invoke
from .loops import Rows, While
from .node import Entry, Node, program_order, topological_order
from .open_shapes import default_draws, is_open
from .operator import get_operator
from .subgraph import Subgraph
from .tape import space

__all__ = ["evaluate"]

#: The values of entries, as NDArrays.
Values = dict[Entry, Any]


def evaluate(
    entries: Sequence[Entry], arrays: dict[str, Any], ctx: Context, first: Sequence[int] = (), unroll: bool = True
) -> list[Any]:
    """Run a graph operator by operator on NDArrays.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs of the graph.
    arrays : dict of str to NDArray
        The values of the graph's variables, by name.
    ctx : Context
        The device for the results of operators without inputs.
    first : sequence of int
        The :attr:`Node.order` of each operator that draws random numbers, in the order in which they draw. Names
        wouldn't identify the operators, because the nodes of a layer that is used twice have the same names.
    unroll : bool
        Whether bodies of loops and branches that draw random numbers run operator by operator, too. Their random
        numbers are then drawn in a different order than in the program.

    Returns
    -------
    list of NDArray
        The value of each entry.
    """
    order = _order(entries, first)
    known: Values = {(node, 0): arrays[node.name] for node in order if node.op is None}
    _run(order, known, ctx, unroll)
    return [known[n, i] for n, i in entries]


def _order(entries: Sequence[Entry], first: Sequence[int]) -> list[Node]:
    """Return the nodes of a graph in topological order, with the random operators in the order of `first`."""
    nodes = program_order(entries)
    if not first:
        return nodes
    place = {order: i for i, order in enumerate(first)}
    drawing = [n for n in nodes if n.op is not None and n.op.draws(n.params)]
    drawing.sort(key=lambda n: place.get(n.order, len(first)))
    return topological_order([*((n, 0) for n in drawing), *entries])


def _run(order: Sequence[Node], known: Values, ctx: Context, unroll: bool) -> None:
    """Compute the values of all nodes and add them to `known`."""
    late: list[Node] = []  # nodes with a size that their users determine
    for node in order:
        if node.op is None:
            continue
        if is_open(node):
            late.append(node)
            continue
        if late and any((n, i) not in known for n, i in node.inputs):
            late = _make_late(late, order, known, ctx)
        inputs = node.op.arrange(node.params, [known[n, i] for n, i in node.inputs])
        if has_bodies(node) and (unroll or not node.op.draws(node.params)):
            result = _LOOPS[node.op.name](node, inputs, ctx)
        else:
            result = invoke(node.op, inputs, node.params, space().array_class, ctx=None if inputs else ctx)
        for i, value in enumerate(result if isinstance(result, list) else [result]):
            known[node, i] = value
    _make_late(late, order, known, ctx)


def _make_late(late: Sequence[Node], order: Sequence[Node], known: Values, ctx: Context) -> list[Node]:
    """Compute the late nodes whose shape can be inferred now, and return the remaining nodes."""
    shapes = {key: array.shape for key, array in known.items()}
    found = infer.infer_shapes((), shapes, order=list(order))
    found.update(default_draws(late, found))
    rest = []
    for node in late:
        assert node.op is not None
        shape = found[node, 0]
        if shape is None or None in shape:
            rest.append(node)
        else:
            known[node, 0] = invoke(node.op, [], {**node.params, "shape": shape}, space().array_class, ctx=ctx)
    return rest


def _truth(condition: Any) -> bool:
    return bool(space().array_class.asscalar(condition))


def _run_body(body: Subgraph, arrays: Sequence[Any], ctx: Context) -> list[Any]:
    known: Values = {(v, 0): array for v, array in zip(body.variables, arrays, strict=True)}
    _run(body.order, known, ctx, True)
    return [known[n, i] for n, i in body.entries]


def _stack(arrays: Sequence[Any]) -> Any:
    return invoke(get_operator("stack"), arrays, {"axis": 0}, space().array_class)


def _row(array: Any, i: int, as_numpy: bool) -> Any:
    return array.as_np_ndarray()[i].as_nd_ndarray() if as_numpy else array.as_nd_ndarray()[i]


def _foreach(node: Node, inputs: Sequence[Any], ctx: Context) -> list[Any]:
    loop, rows = Rows.of(node.params), []
    data, states, free = inputs[loop.rows], inputs[loop.carried], inputs[loop.fixed]
    if not len(data[0]):
        return invoke(node.op, inputs, node.params, space().array_class)  # type: ignore[arg-type]
    for i in range(len(data[0])):
        row = [_row(array, i, plain) for array, plain in zip(data, loop.numpy_rows, strict=True)]
        results = _run_body(loop.body, loop.variables([*row, *states, *free]), ctx)
        rows.append(results[: loop.num_out_data])
        states = results[loop.num_out_data :]
    return [*(_stack(column) for column in zip(*rows, strict=True)), *states]


def _while_loop(node: Node, inputs: Sequence[Any], ctx: Context) -> list[Any]:
    loop, rows, current = While.of(node.params), [], list(inputs)
    while len(rows) < loop.limit:
        (test,) = _run_body(loop.test_body, [current[i] for i in loop.test_inputs], ctx)
        if not _truth(test):
            break
        results = _run_body(loop.body, [current[i] for i in loop.inputs], ctx)
        rows.append(results[: loop.num_out_data])
        for i, value in zip(loop.carried, results[loop.num_out_data :], strict=True):
            current[i] = value
    if not rows:
        return invoke(node.op, inputs, node.params, space().array_class)  # type: ignore[arg-type]
    outputs = []
    for column in zip(*rows, strict=True):
        zeros = invoke(get_operator("zeros_like"), [column[0]], {}, space().array_class)
        outputs.append(_stack([*column, *[zeros] * (loop.limit - len(column))]))
    return [*outputs, *(current[i] for i in loop.carried)]


def _cond(node: Node, inputs: Sequence[Any], ctx: Context) -> list[Any]:
    bodies, params = node.params["subgraphs"], node.params
    (test,) = _run_body(bodies[0], [inputs[i] for i in params["cond_input_locs"]], ctx)
    branch, places = (bodies[1], "then_input_locs") if _truth(test) else (bodies[2], "else_input_locs")
    return _run_body(branch, [inputs[i] for i in params[places]], ctx)


_LOOPS = {"_foreach": _foreach, "_while_loop": _while_loop, "_cond": _cond}
