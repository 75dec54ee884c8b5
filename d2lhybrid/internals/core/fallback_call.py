"""Calls to a net that run or are differentiated operator by operator, because no compiled program supports them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...error import MXNetError
from ..device import array_modules
from ..support.scopes import Scope
from . import tape
from .invoke import OperatorCall, invoke, wrap
from .operator import get_operator
from .operator_by_operator import evaluate
from .sparse_rows import Rows

if TYPE_CHECKING:
    from .pipeline import Program
    from .program_call import ProgramCall

__all__ = ["CallByOperator", "call_again", "drawing_orders", "outputs_of", "raw_vjp_by_operator"]

_state = tape.state


class CallByOperator(tape.TapeNode):
    """A tape node for a call without a program. Its parents are the operators' results, and the arguments of the call.

    An argument that affects no result gets a gradient of zeros, as in a call with a program.
    """

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the incoming gradients as the gradients of the results, and None for each argument."""
        return [*output_grads, *[None] * (len(needs) - len(output_grads))]

    def raw_vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the incoming raw gradients as the gradients of the results, and None for each argument."""
        return self.vjp(None, output_grads, needs)

    def rows_of(self, i: int, given: Sequence[Rows]) -> Rows:
        """Return the stored rows of the incoming gradient of result `i`, or None for an argument."""
        return given[i] if i < len(given) else None


def outputs_of(results: Sequence[Any], arrays: Sequence[Any], cls: Any) -> list[Any]:
    """Return the results of an operator-by-operator run as the outputs of one call.

    Parameters
    ----------
    results : sequence of NDArray
        The results of the run.
    arrays : sequence of NDArray
        The inputs of the call.
    cls : type
        Class of the outputs.

    Returns
    -------
    list of NDArray
        The results, as arrays that don't alias the inputs or each other.
    """
    own, known = [], {id(a) for a in arrays}
    for result in results:
        if id(result) in known:  # outputs don't alias each other
            result = invoke(get_operator("_copy"), [result], {}, tape.space().array_class)
        known.add(id(result))
        own.append(result)
    outputs = []
    for result in _joined(own, arrays):
        output = wrap(cls, result._data, result._ctx)
        output._tape = result._tape
        outputs.append(output)
    return outputs


def _joined(results: Sequence[Any], arrays: Sequence[Any]) -> list[Any]:
    """Return the results as the outputs of one tape node, or unchanged if none of them is recorded."""
    parents = [a._tape if a._tape is not None and not a._tape[0].released else None for a in [*results, *arrays]]
    if not _state.recording or all(ref is None for ref in parents[: len(results)]):
        return list(results)
    node = CallByOperator(parents, len(results))
    found = []
    for i, result in enumerate(results):
        array = wrap(tape.space().array_class, result._data, result._ctx)
        array._tape = None if parents[i] is None else (node, i)
        found.append(array)
    return found


def raw_vjp_by_operator(call: ProgramCall, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
    """Run the graph of a call again, one operator at a time, and return the gradients of its inputs.

    This function is used if the compiled backward function expects gradients at different outputs. Zeros in place of
    missing gradients would be wrong: a layer that gets no gradient must not update its state, and zero times infinity
    is NaN.

    Parameters
    ----------
    call : ProgramCall
        The recorded call of the program.
    output_grads : list of array
        Gradient of each output; None for a missing gradient.
    needs : tuple of bool
        Whether the gradient of each input is needed.

    Returns
    -------
    sequence of array
        The gradient of each input; None for a gradient that is zero or not needed.
    """
    arrays, leaves = [], []
    for raw, wanted in zip(call.raws, needs, strict=False):
        arrays.append(wrap(tape.space().array_class, raw, call.ctx))
        if wanted:
            arrays[-1]._tape = (tape.Variable(None, "write"), 0)
            leaves.append(arrays[-1])
    with Scope(tape.state, recording=True, training=call.program.graph.training):
        outputs = call_again(call, arrays)
    grads = [None if g is None else wrap(tape.space().array_class, g, call.ctx) for g in output_grads]
    pairs = [(y, g) for y, g in zip(outputs, grads, strict=True) if g is not None and tape.is_tracked(y)]
    retain_graph = True  # for the rows
    arrived = tape.gradients([y for y, _ in pairs], [g for _, g in pairs], retain_graph, False, tape.state.training)
    rows = tape.rows_behind([y for y in outputs if tape.is_tracked(y)], arrived)
    call.rows = {i: rows.get(array._tape) for i, array in enumerate(arrays) if array._tape is not None}
    found = iter([arrived.get(leaf._tape) for leaf in leaves])
    return [next(found) if wanted else None for wanted in needs]


def call_again(call: ProgramCall, arrays: Sequence[Any]) -> list[Any]:
    """Run a call's graph again operator by operator, and draw the same random numbers in the program's order.

    Each recorded node stores a reference to the call and to this run.

    Parameters
    ----------
    call : ProgramCall
        The recorded call of the program.
    arrays : sequence of NDArray
        The values of the graph's inputs, in order.

    Returns
    -------
    list of NDArray
        The outputs of the graph, in order.

    Raises
    ------
    MXNetError
        If the program drew random numbers on a GPU, where they can't be drawn again.
    """
    run = tape.TapeNode((), 0)
    outputs = _evaluate_again(call, arrays)
    for node in tape.reachable([y._tape[0] for y in outputs if tape.is_tracked(y)]):
        if isinstance(node, OperatorCall) and node.order > run.order:
            node.again = call, run
    return outputs


def _evaluate_again(call: ProgramCall, arrays: Sequence[Any]) -> list[Any]:
    known = dict(zip(call.cached.names, arrays, strict=True))
    traced = call.program.stages[0].graph.outputs  # the traced graph, with all sizes inferred
    drawing = drawing_orders(call.program)
    if not drawing:
        return evaluate(traced, known, call.ctx)
    if call.draws is None:
        error = MXNetError("On a GPU, a hybridized net that draws random numbers cannot be differentiated twice")
        error.add_note("Call `net.hybridize(False)` before the forward pass.")
        raise error
    with array_modules.drawing_from(call.draws):
        return evaluate(traced, known, call.ctx, drawing, unroll=False)


def drawing_orders(program: Program) -> list[int]:
    """Return the :attr:`Node.order` of a program's random operators, in the order of the program.

    Parameters
    ----------
    program : Program
        The compiled program.

    Returns
    -------
    list of int
        The order of each random operator.
    """
    nodes = program.forward.line_nodes
    drawing = dict.fromkeys(nodes[line] for line in sorted(nodes))
    return [node.order for node in drawing if node.op is not None and node.op.draws(node.params)]
