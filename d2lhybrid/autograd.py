"""Automatic differentiation: ``record``, ``backward``, ``grad``, and functions with custom gradients.

In ``record``, each call on an array that depends on a variable adds a node to the tape
(:mod:`~d2lhybrid.internals.core.tape`). ``backward`` traverses the tape in reverse order, and stores the gradients in
the ``grad`` arrays of the variables.

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

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy

from .error import MXNetError
from .internals.core import tape
from .internals.core.sparse_rows import Rows
from .internals.core.tape import (
    NO_VARIABLES,
    NOT_IN_GRAPH,
    TapeNode,
    Variable,
    gradients,
    gradients_of,
    is_tracked,
    reachable,
    space,
    state,
)
from .internals.support import clock
from .internals.support.display import Shown
from .internals.support.lists import as_given_list
from .internals.support.notes import with_note
from .internals.support.plugins import service
from .internals.support.scopes import Scope

if TYPE_CHECKING:
    from .ndarray import NDArray

    _Array = TypeVar("_Array", bound=NDArray)

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


def is_recording() -> bool:
    """Return whether autograd records calls."""
    return state.recording


def is_training() -> bool:
    """Return whether layers behave as in training. For example, Dropout drops elements only in training."""
    return state.training


def set_recording(is_recording: bool) -> bool:
    """Switch recording on or off, and return whether it was on.

    Parameters
    ----------
    is_recording : bool
        Whether to record calls.

    Returns
    -------
    bool
        The previous setting: True if calls were recorded.
    """
    previous, state.recording = state.recording, bool(is_recording)
    return previous


def set_training(train_mode: bool) -> bool:
    """Switch training mode on or off, and return whether it was on.

    Parameters
    ----------
    train_mode : bool
        Whether layers behave as in training.

    Returns
    -------
    bool
        The previous mode: True if layers behaved as in training.
    """
    previous, state.training = state.training, bool(train_mode)
    return previous


def record(train_mode: bool = True) -> Scope:
    """Return a scope in which autograd records calls for ``backward``. By default, layers behave as in training.

    Parameters
    ----------
    train_mode : bool
        Whether layers behave as in training.

    Returns
    -------
    Scope
        The scope, for a ``with`` statement.
    """
    return Scope(state, recording=True, training=train_mode)


def pause(train_mode: bool = False) -> Scope:
    """Return a scope inside ``record`` in which autograd records nothing. By default, layers behave as in prediction.

    Parameters
    ----------
    train_mode : bool
        Whether layers behave as in training.

    Returns
    -------
    Scope
        The scope, for a ``with`` statement.
    """
    return Scope(state, recording=False, training=train_mode)


def train_mode() -> Scope:
    """Return a scope in which layers behave as in training. The scope does not change whether calls are recorded."""
    return Scope(state, training=True)


def predict_mode() -> Scope:
    """Return a scope in which layers behave as in prediction. The scope does not change whether calls are recorded."""
    return Scope(state, training=False)


def backward(heads: Any, head_grads: Any = None, retain_graph: bool = False, train_mode: bool = True) -> None:
    """Compute the gradients of heads, and store them in the ``grad`` arrays of the variables that the heads depend on.

    Parameters
    ----------
    heads : NDArray or list of NDArray
        Arrays to differentiate. An array with several elements counts as the sum of its elements.
    head_grads : NDArray or list of NDArray, optional
        Gradients of the final result with respect to the heads; ones by default.
    retain_graph : bool
        Whether to keep the tape, so that the same graph can be differentiated again.
    train_mode : bool
        Whether the backward pass runs in training mode.

    Raises
    ------
    MXNetError
        If a head was not recorded, if the heads depend on no variable that requests a gradient, or if the graph was
        already freed.
    """
    heads, head_grads = as_given_list(heads), None if head_grads is None else as_given_list(head_grads)
    for head in heads:
        if not is_tracked(head):
            raise MXNetError(NOT_IN_GRAPH)
    variables = [node for node in reachable([h._tape[0] for h in heads]) if isinstance(node, Variable)]
    if not any(v.grad_req != "null" for v in variables):
        raise MXNetError(NO_VARIABLES)
    sparse = any(v.grad is not None and v.grad.stype != "default" for v in variables)
    rows: dict[Any, Rows] | None = {} if sparse else None
    arrived = gradients(heads, head_grads, retain_graph, False, train_mode, rows=rows)
    for variable in variables:
        if variable.grad_req != "null" and variable.grad is not None:
            variable.fresh = True
            before = _stored_before(variable) if sparse else None
            tape.store(variable, arrived.pop((variable, 0), None))
            if rows is not None and variable.grad.stype == "row_sparse":
                stored_rows = rows.get((variable, 0), numpy.zeros(0, numpy.int64))
                variable.grad._places = (
                    stored_rows if before is None or stored_rows is None else numpy.union1d(before, stored_rows)
                )
        elif not retain_graph:
            variable.grad = None  # as in MXNet, the gradient is freed together with the graph
    clock.note_write(v.grad._data for v in variables if v.grad is not None)


def _stored_before(variable: Variable) -> Any:
    """Return the stored rows of a row-sparse gradient that accumulates, or None for all other gradients."""
    adds = variable.grad_req == "add" and variable.grad.stype == "row_sparse"
    return variable.grad._stored() if adds else None


if TYPE_CHECKING:

    @overload
    def grad(
        heads: Any,
        variables: _Array,
        head_grads: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        train_mode: bool = True,
    ) -> _Array: ...
    @overload
    def grad(
        heads: Any,
        variables: Sequence[_Array],
        head_grads: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        train_mode: bool = True,
    ) -> list[_Array]: ...


def grad(
    heads: Any,
    variables: Any,
    head_grads: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> Any:
    """Return the gradients of heads with respect to variables, without changing ``.grad``.

    Parameters
    ----------
    heads, head_grads, train_mode
        Arguments of :func:`backward`.
    variables : NDArray or list of NDArray
        Arrays on the tape: marked variables, or results that were recorded.
    retain_graph : bool, optional
        Whether to keep the tape; by default, the value of ``create_graph``.
    create_graph : bool
        Whether to record the backward pass, so that you can differentiate the result again. This also works if the
        derivative is zero everywhere, as for ``floor``.

    Returns
    -------
    list of NDArray
        A gradient for each variable. The result is a list even for a single variable.

    Raises
    ------
    AssertionError
        If ``variables`` is empty.
    MXNetError
        If the heads do not depend on one of the variables, or if a head or a variable was not recorded.
    """
    variables = list(variables) if isinstance(variables, list | tuple) else [variables]
    heads, head_grads = as_given_list(heads), None if head_grads is None else as_given_list(head_grads)
    if not variables:
        raise AssertionError("variables cannot be an empty list.")
    for variable in variables:
        if not is_tracked(variable):
            raise MXNetError(NOT_IN_GRAPH)
    retain = create_graph if retain_graph is None else retain_graph
    if all(is_tracked(head) for head in heads):  # otherwise, the next line raises the error
        _check_reached(reachable([head._tape[0] for head in heads]), [v._tape[0] for v in variables])
    return gradients_of(heads, variables, head_grads, retain, create_graph, train_mode)


def _check_reached(reached: list[Any], nodes: list[Any]) -> None:
    reached_nodes = set(reached)
    for i, node in enumerate(nodes, 1):
        if node not in reached_nodes:
            raise MXNetError(
                "Check failed: output_grads.find(xs[i].node.get()) != output_grads.end(): Cannot differentiate with "
                f"respect to the {i}-th variable because it is unreachable from the outputs."
            )


def mark_variables(variables: Any, gradients: Any, grad_reqs: Any = "write") -> None:
    """Mark arrays as variables, and assign the arrays that receive the variables' gradients.

    Parameters
    ----------
    variables, gradients : NDArray or list of NDArray
        The variables, and an array for the gradient of each variable.
    grad_reqs : str or list of str
        The gradient request of all variables or of each variable: ``"write"``, ``"add"``, or ``"null"``.

    Raises
    ------
    KeyError
        If a request is unknown.
    """
    if not isinstance(variables, list | tuple):
        variables, gradients = [variables], [gradients]
    if isinstance(grad_reqs, str):
        grad_reqs = [grad_reqs] * len(variables)
    for array, gradient, grad_req in zip(variables, gradients, grad_reqs, strict=True):
        if grad_req not in ("write", "add", "null"):
            raise with_note(KeyError(grad_req), "Pass 'write', 'add', or 'null' as grad_reqs, or a list of them.")
        array._tape = (Variable(gradient, grad_req), 0)


def get_symbol(x: Any) -> Any:
    """Return the recorded computation of an array as a Symbol.

    The symbol's variables are named ``var0``, ``var1``, and so on. Its nodes are named ``node_0``, ``node_1``, and so
    on.

    Parameters
    ----------
    x : NDArray
        An array that was computed in a :func:`record` scope.

    Returns
    -------
    Symbol
        The graph of the operators that computed the array.
    """
    return space().symbol_of(x)


# --- functions with a user-defined gradient -----------------------------------------------------


class _FunctionCall(TapeNode):
    __slots__ = ("function",)
    starts = True  # user code may return nonzero gradients even for zeros

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

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        return self._gradients(F.box_like(output_grads, self.function._outputs))

    def raw_vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        with pause():
            return [gradient._data for gradient in self.vjp(space(), output_grads, needs)]


class Function(Shown):
    """A differentiable function with a custom ``backward``.

    Subclasses define ``forward(self, *inputs)`` and ``backward(self, *output_grads)``. The arguments of both methods
    are arrays. In ``forward``, :meth:`save_for_backward` stores the arrays that ``backward`` needs. An instance can be
    called only once.
    """

    def __init__(self) -> None:
        self._used = False
        self.saved_tensors: tuple[Any, ...] = ()
        self._outputs: list[Any] = []

    def save_for_backward(self, *args: Any) -> None:
        """Save arrays for ``backward``, which reads them from ``self.saved_tensors``.

        Parameters
        ----------
        *args : NDArray
            The arrays.
        """
        self.saved_tensors = args

    def __call__(self, *inputs: Any) -> Any:
        """Call ``forward``, and record the call, so that the backward pass calls the function's ``backward``.

        Parameters
        ----------
        *inputs : NDArray or Symbol
            The inputs. Symbols create a node that calls the function.

        Raises
        ------
        AssertionError
            If the instance was already called with arrays.
        """
        if any(hasattr(x, "_entries") for x in inputs):
            return service("call_with_symbols")(self, inputs)
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
        """Compute the outputs. Subclasses override this method.

        Parameters
        ----------
        *inputs : NDArray
            The inputs.

        Returns
        -------
        NDArray or sequence of NDArray
            The outputs.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise with_note(NotImplementedError(), f"Define the method forward in {type(self).__name__}.")

    def backward(self, *output_grads: Any) -> Any:
        """Compute the gradients of the inputs. Subclasses override this method.

        Parameters
        ----------
        *output_grads : NDArray
            The gradients of the outputs.

        Returns
        -------
        NDArray or sequence of NDArray
            A gradient for each input.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise with_note(NotImplementedError(), f"Define the method backward in {type(self).__name__}.")
