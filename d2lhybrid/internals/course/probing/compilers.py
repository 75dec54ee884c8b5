"""Questions about operators and passes."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid import symbol as sym
from d2lhybrid.symbol.file import load_json
from d2lhybrid.symbol.symbol import Symbol

from ...core.graph import Graph
from ...core.kernel_space import kernel_space
from ...core.node import Node
from ...core.typed_graph import typed_graph
from ...core.well_formed import check_graph
from .foreign import ForeignArray, ForeignModule, from_foreign
from .session import Session, probe

__all__ = ["graph_of"]


def graph_of(symbol: str, shapes: dict[str, Any]) -> Graph:
    """Return the graph of a symbol in JSON, with the given shapes of the variables and the element type float32."""
    loaded = load_json(symbol)
    names = loaded.list_inputs()
    return typed_graph(
        loaded, names, {n: tuple(shapes[n]) for n in names}, {n: numpy.dtype("float32") for n in names}, False
    )


def _with_attributes(graph: Graph) -> Graph:
    """Return a graph in which the attributes of new nodes are strings, as in files."""

    def rule(node: Node, inputs: Any) -> Any:
        if node.op is None or node.attrs or not node.params:
            return None
        attrs = {k: node.op.attributes[k].format(v) for k, v in node.params.items() if k in node.op.attributes}
        made = Node(node.op, node.name, inputs, attrs, node.params, node.subgraphs)
        graph.types.set(made, [graph.types[node, i] for i in range(node.num_outputs)])
        return [(made, i) for i in range(node.num_outputs)]

    return graph.rewrite(rule)


@probe
def apply_pass(session: Session, symbol: str, shapes: dict[str, Any]) -> dict[str, Any]:
    """Apply the answer, a pass, to a graph, and describe the result.

    Parameters
    ----------
    session : Session
        The session, whose answer is a pass.
    symbol : str
        The graph, as a symbol in JSON.
    shapes : dict of str to tuple
        Shapes of the variables.

    Returns
    -------
    dict of str to object
        The type of the result; for a graph, also its JSON, whether the result is the argument, and whether the argument
        is unchanged.
    """
    graph = graph_of(symbol, shapes)
    before = str(graph)
    after = session.answer(graph)
    if not isinstance(after, Graph):
        return {"type": type(after).__name__}
    check_graph(after)
    result = Symbol(_with_attributes(after).outputs).tojson()
    return {"type": "Graph", "symbol": result, "same": after is graph, "untouched": str(graph) == before}


@probe
def operator_kernel(session: Session, inputs: list[Any], attributes: dict[str, Any]) -> Any:
    """Run the kernel of an operator, and return the result, and whether the kernel wrote to its inputs."""
    copies = [array.copy() for array in inputs]
    result = session.answer.kernel(numpy, *inputs, **attributes)
    changed = any(not numpy.array_equal(a, b) for a, b in zip(inputs, copies, strict=True))
    return {"result": result, "changed": changed}


@probe
def operator_kernel_elsewhere(session: Session, inputs: list[Any], attributes: dict[str, Any]) -> Any:
    """Run an operator's kernel on foreign arrays, and return the result, or the type of a result that isn't foreign."""
    result = session.answer.kernel(ForeignModule(), *map(ForeignArray, inputs), **attributes)
    return from_foreign(result) if isinstance(result, ForeignArray) else {"type": type(result).__name__}


@probe
def operator_shapes(session: Session, shapes: list[Any], attributes: dict[str, Any]) -> Any:
    """Run the shape rule of an operator, and return the shapes, or None if the operator has no shape rule."""
    rule = session.answer.shape_rule
    if rule is None:
        return None
    given = [None if shape is None else tuple(shape) for shape in shapes]
    return rule(*given, **session.answer.complete(attributes))


@probe
def operator_gradient(session: Session, dy: Any, inputs: list[Any], attributes: dict[str, Any]) -> Any:
    """Run the gradient rule of an operator, and return the gradients, or None if the operator has no gradient rule.

    Parameters
    ----------
    session : Session
        The session, whose answer is an operator.
    dy : array
        The gradient of the output.
    inputs : list of array
        The inputs of the call.
    attributes : dict of str to object
        The attributes of the call.

    Returns
    -------
    list of array, dict, or None
        The gradient of each input, None without a gradient rule, or the type of a result that is not a list.
    """
    op = session.answer
    if op.gradient_rule is None:
        return None
    y = op.kernel(numpy, *inputs, **attributes)
    gradients = op.gradient_rule(kernel_space(numpy), dy, y, *inputs, **op.complete(attributes))
    return gradients if isinstance(gradients, list | tuple) else {"type": type(gradients).__name__}


@probe
def operator_gradient_graph(session: Session, attributes: dict[str, Any]) -> Any:
    """Run the gradient rule of a one-input operator on symbols, and return the type of the gradient and its graph."""
    op = session.answer
    dy, y, data = sym.var("dy"), sym.var("y"), sym.var("data")
    (gradient,) = op.gradient_rule(sym, dy, y, data, **op.complete(attributes))
    return {"type": type(gradient).__name__, **({"symbol": gradient.tojson()} if isinstance(gradient, Symbol) else {})}


@probe
def operator_traits(session: Session) -> dict[str, Any]:
    """Return the declared name, inputs, attributes, and flags of an operator."""
    op = session.answer
    return {
        "name": op.name,
        "inputs": [i.name for i in op.inputs],
        "attributes": list(op.attributes),
        "elementwise": op.elementwise,
        "differentiable": op.differentiable,
    }
