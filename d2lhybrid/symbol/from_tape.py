"""The recorded computation of an array as a Symbol, for ``autograd.get_symbol``."""

from __future__ import annotations

from typing import Any

from ..autograd import Variable
from ..error import MXNetError
from ..internals.core.node import Entry, Node
from .symbol import Symbol

__all__ = ["symbol_of"]


def symbol_of(array: Any, call_class: type) -> Symbol:
    """Return the graph of operators that the tape holds for an array.

    Parameters
    ----------
    array : NDArray
        The recorded array. All arrays that it depends on become variables.
    call_class : type
        The class of tape nodes that represent operator calls.

    Returns
    -------
    Symbol
        The graph.

    Raises
    ------
    MXNetError
        If the array was not recorded, the record was deleted by ``backward``, or the array depends on anything but
        operators: an index, a call of a hybridized block, or a ``Function``.
    """
    if array._tape is None:
        error = MXNetError("the array was not recorded")
        error.add_note("Call attach_grad() on the inputs, and compute the array in a `with autograd.record():` block.")
        raise error
    if array._tape[0].released:
        error = MXNetError("the recorded operators of the array were deleted when gradients were computed")
        error.add_note("Call get_symbol() before backward(), or pass retain_graph=True to backward().")
        raise error
    entries: dict[tuple[int, int], Entry] = {}
    variables: dict[int, Node] = {}

    def entry_of(source: Any, value: Any) -> Entry:
        """Return the entry of an input: an output of a node, or the variable of an array."""
        if source is not None and not isinstance(source[0], Variable):
            return entries[id(source[0]), source[1]]
        key = id(value if source is None else source[0])
        if key not in variables:
            variables[key] = Node(None, f"var{len(variables)}")
        return variables[key], 0

    calls = _calls(array._tape[0])
    for number, call in enumerate(calls):
        if not isinstance(call, call_class):
            error = MXNetError(
                f"the array depends on a recorded call of type {type(call).__name__}, but a Symbol can only contain "
                "operators"
            )
            error.add_note(
                "Compute the array with operators of nd. Indexing, hybridized blocks, and Functions cannot be part of "
                "the Symbol."
            )
            raise error
        op = call.op
        inputs = tuple(
            entry_of(source, value)
            for source, value in zip(call.parents, call.arrays, strict=True)
            if value is not None
        )
        params = {**call.params, **({"num_args": len(inputs)} if "num_args" in op.attributes else {})}
        attrs = {k: op.attributes[k].format(v) for k, v in params.items() if k in op.attributes}
        if op.variadic is not None:
            attrs["num_args"] = str(len(inputs) // op.inputs_each)
        node = Node(op, f"node_{number}", inputs, attrs, params)
        entries.update({(id(call), i): (node, i) for i in range(node.num_outputs)})
    return Symbol([entry_of(array._tape, array)])


def _calls(last: Any) -> list[Any]:
    """Return all recorded calls that a node depends on, in topological order, without the variables."""
    calls, stack = {id(last): last}, [last]
    while stack:
        for source in stack.pop().parents:
            if source is not None and id(source[0]) not in calls:
                calls[id(source[0])] = source[0]
                stack.append(source[0])
    return sorted((n for n in calls.values() if not isinstance(n, Variable)), key=lambda node: node.order)
