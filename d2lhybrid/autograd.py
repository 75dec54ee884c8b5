"""Automatic differentiation: the tape, and the switches ``record``, ``pause``, ``train_mode``.

While recording, every call on an array that leads back to a variable leaves a node on the tape.
``backward`` walks the nodes from the newest to the oldest and asks each for its vector-Jacobian
product. The mechanism knows no operator and no array class: rules live with the operators, and an
array is anything with the attributes ``_data`` (the raw array) and ``_tape`` (None, or the node
and output index that made it).

Examples
--------
>>> from d2lhybrid import autograd, nd
>>> x = nd.array([1.0, 2.0, 3.0])
>>> x.attach_grad()
>>> with autograd.record():
...     y = (x * x).sum()
>>> y.backward()
>>> x.grad
<BLANKLINE>
[2. 4. 6.]
<NDArray 3 @cpu(0)>
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from typing import Any

import numpy

from .errors import MXNetError
from .support import clock
from .support.scopes import Scope, Switches

__all__ = [
    "Function",
    "TapeNode",
    "Variable",
    "backward",
    "get_symbol",
    "grad",
    "is_recording",
    "is_training",
    "mark_variables",
    "pause",
    "predict_mode",
    "record",
    "set_recording",
    "set_training",
    "train_mode",
]


#: Whether this thread records, and whether it trains.
state = Switches(recording=False, training=False)


def is_recording() -> bool:
    """Return whether calls are being recorded."""
    return state.recording


def is_training() -> bool:
    """Return whether layers behave as in training (Dropout drops, BatchNorm uses the batch)."""
    return state.training


def set_recording(is_record: bool) -> bool:
    """Switch recording on or off; return what it was."""
    previous, state.recording = state.recording, bool(is_record)
    return previous


def set_training(train_mode: bool) -> bool:
    """Switch training on or off; return what it was."""
    previous, state.training = state.training, bool(train_mode)
    return previous


def record(train_mode: bool = True) -> Scope:
    """Return a scope that records calls for ``backward``, in training mode by default."""
    return Scope(state, recording=True, training=train_mode)


def pause(train_mode: bool = False) -> Scope:
    """Return a scope inside ``record`` that does not record, in prediction mode by default."""
    return Scope(state, recording=False, training=train_mode)


def train_mode() -> Scope:
    """Return a scope in which layers behave as in training, recording or not."""
    return Scope(state, training=True)


def predict_mode() -> Scope:
    """Return a scope in which layers behave as in prediction, recording or not."""
    return Scope(state, training=False)


# --- the tape ----------------------------------------------------------------------------------

_order = itertools.count()

NOT_IN_GRAPH = (
    "Check failed: !AGInfo: :IsNone(*i): Cannot differentiate node because it is not in a computational "
    "graph. You need to set is_recording to true or use autograd.record() to save computational graphs "
    "for backward. If you want to differentiate the same graph twice, you need to pass retain_graph=True "
    "to backward."
)
IN_PLACE = (
    "Check failed: AGInfo: :IsNone(*output): Assigning to NDArrays that are already in a computational "
    "graph will cause undefined behavior when evaluating gradients. Please call backward first to clear "
    "the graph or do this out side of a record section. Also note that you cannot use inplace operations "
    "like +=, *=, relu(x, out=x), y[idx]=x, etc inside a record section."
)
NO_VARIABLES = (
    "Check failed: xs.size() > 0 (0 vs. 0) : There are no inputs in computation graph that require gradients."
)


class Variable:
    """A leaf of the tape: an array whose gradient is wanted.

    Attributes
    ----------
    grad : array or None
        The array that ``backward`` writes into.
    grad_req : str
        ``"write"``, ``"add"`` or ``"null"``.
    fresh : bool
        True from a ``backward`` that reached this variable until a trainer has used the gradient.
    """

    __slots__ = ("fresh", "grad", "grad_req", "order", "released")
    parents: tuple[Any, ...] = ()
    num_outputs = 1

    def __init__(self, grad: Any, grad_req: str) -> None:
        self.grad, self.grad_req = grad, grad_req
        self.fresh = self.released = False
        self.order = next(_order)


class TapeNode:
    """One recorded call.

    Subclasses know how to go backward. ``parents`` holds, for each input, the (node, output index)
    that made it, or None for a constant.
    """

    __slots__ = ("num_outputs", "order", "parents", "released")

    def __init__(self, parents: Sequence[Any], num_outputs: int) -> None:
        self.parents = parents
        self.num_outputs = num_outputs
        self.released = False
        self.order = next(_order)

    def vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the raw gradient of each input, None where it is zero or not needed."""
        raise NotImplementedError

    def recorded_vjp(self, space: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Do the same with arrays on the tape, so that the result can be differentiated again."""
        raise NotImplementedError

    def release(self) -> None:
        """Drop what was kept for the backward pass."""
        self.released = True
        self.parents = ()


#: How arrays of the front end are made and combined on the tape; set by the ndarray package.
recorded_space: Any = None


def install_recorded_space(space: Any) -> None:
    """Tell the tape which function space makes recorded arrays."""
    global recorded_space
    recorded_space = space


def is_tracked(array: Any) -> bool:
    """Return whether an array leads back to a variable."""
    ref = array._tape
    return ref is not None and not ref[0].released


def check_in_place(array: Any) -> None:
    """Refuse to overwrite an array that the tape still needs.

    Raises
    ------
    MXNetError
        While recording, for an array in the graph.
    """
    if state.recording and is_tracked(array):
        raise MXNetError(IN_PLACE)


def _reachable(roots: list[Any]) -> list[Any]:
    """Return all nodes that the roots depend on, newest first (an order that respects every edge)."""
    seen = {id(root): root for root in roots}
    stack = list(seen.values())
    while stack:
        for ref in stack.pop().parents:
            if ref is not None and id(ref[0]) not in seen:
                if ref[0].released:
                    continue
                seen[id(ref[0])] = ref[0]
                stack.append(ref[0])
    return sorted(seen.values(), key=lambda node: -node.order)


def _head_values(heads: Sequence[Any], head_grads: Any, create_graph: bool) -> list[Any]:
    if head_grads is None:
        head_grads = [None] * len(heads)
    if len(head_grads) != len(heads):
        raise ValueError(f"heads and head_grads must have the same length, but got {len(heads)} and {len(head_grads)}")
    values = []
    for head, given in zip(heads, head_grads, strict=True):
        if given is None:
            ones = recorded_space.ones_like(head)
            values.append(ones if create_graph else ones._data)
        else:
            if given.shape != head.shape:
                raise MXNetError(
                    "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 1-th input: "
                    f"expected [{','.join(map(str, given.shape))}], got [{','.join(map(str, head.shape))}]"
                )
            values.append(recorded_space.as_legacy(given) if create_graph else given._data)
    return values


def _run(
    heads: Sequence[Any],
    head_grads: Any,
    retain_graph: bool,
    create_graph: bool,
    training: bool,
    keep: frozenset[int] = frozenset(),
) -> dict[int, list[Any]]:
    """Walk the tape backward; return what arrived at each variable, and at the nodes to keep, by their ids."""
    for head in heads:
        if head._tape is None or head._tape[0].released:
            raise MXNetError(NOT_IN_GRAPH)
    arrived: dict[int, list[Any]] = {}

    def add(ref: Any, value: Any) -> None:
        slots = arrived.get(id(ref[0]))
        if slots is None:
            slots = arrived[id(ref[0])] = [None] * ref[0].num_outputs
        old = slots[ref[1]]
        if old is not None and not create_graph:
            recorded_space.module_of(old)  # makes its device the current one
        slots[ref[1]] = value if old is None else old + value

    for head, value in zip(heads, _head_values(heads, head_grads, create_graph), strict=True):
        add(head._tape, value)
    nodes = _reachable([head._tape[0] for head in heads])
    with Scope(state, recording=create_graph, training=training):
        for node in nodes:
            output_grads = arrived.get(id(node))
            if output_grads is None or isinstance(node, Variable):
                continue
            needs = tuple(ref is not None for ref in node.parents)
            if create_graph:
                grads = node.recorded_vjp(recorded_space, output_grads, needs)
            else:
                grads = node.vjp(output_grads, needs)
            for ref, value in zip(node.parents, grads, strict=True):
                if ref is not None and value is not None:
                    add(ref, value)
            if id(node) not in keep:
                del arrived[id(node)]
    if not retain_graph and not create_graph:
        for node in nodes:
            if not isinstance(node, Variable):
                node.release()
    return arrived


def backward(heads: Any, head_grads: Any = None, retain_graph: bool = False, train_mode: bool = True) -> None:
    """Compute the gradients of heads with respect to all marked variables.

    Parameters
    ----------
    heads : NDArray or list of NDArray
        What to differentiate; arrays of any shape count as sums of their elements.
    head_grads : NDArray or list of NDArray, optional
        Gradients with respect to the heads, ones by default.
    retain_graph : bool
        Keep the tape, so that the same graph can be differentiated again.
    train_mode : bool
        Whether layers go backward as in training.

    Raises
    ------
    MXNetError
        If a head was not recorded, or its graph is already used up.
    """
    if not isinstance(heads, list | tuple):
        heads = [heads]
        head_grads = None if head_grads is None else [head_grads]
    for head in heads:
        if head._tape is None or head._tape[0].released:
            raise MXNetError(NOT_IN_GRAPH)
    variables = [n for n in _reachable([h._tape[0] for h in heads]) if isinstance(n, Variable)]
    if not any(v.grad_req != "null" for v in variables):
        raise MXNetError(NO_VARIABLES)
    arrived = _run(heads, head_grads, retain_graph, False, train_mode)
    for variable in variables:
        if variable.grad_req == "null" or variable.grad is None:
            continue
        variable.fresh = True
        value = arrived.pop(id(variable), [None])[0]
        target = variable.grad._data
        if type(target) is not numpy.ndarray:
            recorded_space.module_of(target)
        if variable.grad_req == "add":
            if value is not None:
                target += value
        elif value is None:
            target[...] = 0
        elif (
            _may_replace(value, target)
            and _references(value) == _NOBODY_ELSE  # the gradient of two variables can be one array
            and _references(target) == _NOBODY_ELSE + 1  # a view of the old gradient would not see the new one
        ):
            variable.grad._data = value  # nobody can tell this from a copy
        else:
            target[...] = value
    clock.note_write()


def _references(array: Any) -> int:
    """Return how many references there are to an array that a local variable of the caller holds."""
    return sys.getrefcount(array)


def _references_to_a_new_array() -> int:
    array = numpy.empty(1)
    return _references(array)


#: What :func:`_references` says of an array that nobody but the caller holds.
_NOBODY_ELSE = _references_to_a_new_array()


def _may_replace(value: Any, target: Any) -> bool:
    """Return whether one array could stand in the place of another."""
    if type(value) is not numpy.ndarray or type(target) is not numpy.ndarray or value.base is not None:
        return False
    return value.shape == target.shape and value.dtype == target.dtype and value.flags.c_contiguous


def grad(
    heads: Any,
    variables: Any,
    head_grads: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> Any:
    """Return the gradients of heads with respect to variables, leaving ``.grad`` alone.

    Parameters
    ----------
    heads, head_grads, train_mode
        As for :func:`backward`.
    variables : NDArray or list of NDArray
        Arrays with ``attach_grad``.
    retain_graph : bool, optional
        Keep the tape; by default as ``create_graph``.
    create_graph : bool
        Record the backward pass, so that the result can be differentiated again.

    Returns
    -------
    list of NDArray
        One gradient for each variable; a single array where a single one was given.
    """
    single = not isinstance(variables, list | tuple)
    variables = [variables] if single else list(variables)
    if not isinstance(heads, list | tuple):
        heads = [heads]
        head_grads = None if head_grads is None else [head_grads]
    if not variables:
        raise ValueError("variables cannot be an empty list.")
    for variable in variables:
        if not is_tracked(variable):
            raise MXNetError(NOT_IN_GRAPH)
    retain = create_graph if retain_graph is None else retain_graph
    keep = frozenset(id(v._tape[0]) for v in variables)
    refs = [v._tape for v in variables]  # the tape may be gone afterwards
    arrived = _run(heads, head_grads, retain, create_graph, train_mode, keep)
    result = []
    for variable, (node, index) in zip(variables, refs, strict=True):
        slots = arrived.get(id(node))
        value = None if slots is None else slots[index]
        result.append(recorded_space.as_gradient(value, variable))
    return result[0] if single else result


def gradients_of(heads: Sequence[Any], head_grads: Sequence[Any], variables: Sequence[Any]) -> list[Any]:
    """Return the raw gradients of heads with respect to variables, None where nothing arrives; nothing is retained."""
    nodes = [v._tape[0] for v in variables]
    arrived = _run(heads, head_grads, False, False, state.training, frozenset(map(id, nodes)))
    return [arrived.get(id(node), [None])[0] for node in nodes]


def mark_variables(variables: Any, gradients: Any, grad_reqs: Any = "write") -> None:
    """Make arrays variables, with the arrays that their gradients are written into.

    Parameters
    ----------
    variables, gradients : NDArray or list of NDArray
        The variables, and for each the array for its gradient.
    grad_reqs : str or list of str
        ``"write"``, ``"add"`` or ``"null"``.

    Raises
    ------
    KeyError
        For another ``grad_req``.
    """
    if not isinstance(variables, list | tuple):
        variables, gradients = [variables], [gradients]
    if isinstance(grad_reqs, str):
        grad_reqs = [grad_reqs] * len(variables)
    for array, gradient, grad_req in zip(variables, gradients, grad_reqs, strict=True):
        if grad_req not in ("write", "add", "null"):
            raise KeyError(grad_req)
        array._tape = (Variable(gradient, grad_req), 0)


def get_symbol(x: Any) -> Any:
    """Return the recorded computation of an array as a Symbol.

    Variables are named ``var0``, ``var1`` ...; nodes ``node_0``, ``node_1`` ...
    """
    return recorded_space.symbol_of(x)


# --- functions with a gradient of the user's own ------------------------------------------------


class _FunctionCall(TapeNode):
    __slots__ = ("function",)

    def __init__(self, function: Function, parents: Sequence[Any], num_outputs: int) -> None:
        super().__init__(parents, num_outputs)
        self.function = function

    def _gradients(self, output_grads: list[Any]) -> list[Any]:
        result = self.function.backward(*output_grads)
        grads = list(result) if isinstance(result, list | tuple) else [result]
        if len(grads) != len(self.parents):
            raise ValueError(
                f"{type(self.function).__name__}.backward must return exactly the same number of NDArrays as "
                f"the number of NDArrays arguments to forward. Expecting {len(self.parents)} got {len(grads)}"
            )
        return grads

    def vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        boxes = recorded_space.box_like(output_grads, self.function._outputs)
        with pause():
            return [g._data for g in self._gradients(boxes)]

    def recorded_vjp(self, space: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        return self._gradients(space.box_like(output_grads, self.function._outputs))


class Function:
    """A differentiable function with a ``backward`` of the user's own.

    Subclasses write ``forward(self, *inputs)`` and ``backward(self, *output_grads)``, both on
    NDArrays; ``save_for_backward`` keeps arrays for the way back. Called with symbols it becomes a node that calls back
    into Python; a class whose ``forward`` returns several arrays says so there with ``num_outputs``.
    """

    def __init__(self) -> None:
        self._used = False
        self.saved_tensors: tuple[Any, ...] = ()
        self._outputs: list[Any] = []

    def save_for_backward(self, *args: Any) -> None:
        """Keep arrays; ``backward`` finds them in ``self.saved_tensors``."""
        self.saved_tensors = args

    def __call__(self, *inputs: Any) -> Any:
        """Call ``forward``, and note down that ``backward`` belongs to it."""
        if any(hasattr(x, "_entries") for x in inputs):
            return next(x for x in inputs if hasattr(x, "_entries"))._call_function(self, inputs)
        if self._used:
            raise AssertionError("Each Function instance can only be called once. Please create another instance.")
        self._used = True
        with pause(train_mode=state.training):
            outputs = self.forward(*inputs)
        if not state.recording:
            return outputs
        parents = [x._tape if is_tracked(x) else None for x in inputs]
        if not any(ref is not None for ref in parents):
            return outputs
        self._outputs = list(outputs) if isinstance(outputs, list | tuple) else [outputs]
        node = _FunctionCall(self, parents, len(self._outputs))
        for i, output in enumerate(self._outputs):
            output._tape = (node, i)
        return outputs

    def forward(self, *inputs: Any) -> Any:
        """Compute the outputs."""
        raise NotImplementedError

    def backward(self, *output_grads: Any) -> Any:
        """Compute the gradients of the inputs."""
        raise NotImplementedError
