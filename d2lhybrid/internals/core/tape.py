"""The tape: the nodes of recorded calls, and the backward walk over them.

While recording, every call on an array that depends on a variable adds a node. A backward pass visits the nodes
from the newest to the oldest. The tape is independent of operators and array classes: nodes have their own rules, and
an array is any object with the attributes ``_data`` (the raw array) and ``_tape`` (None, or the node and the index of
the output that produced the array).
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Collection, Container, Sequence
from typing import Any

from ...error import MXNetError
from ..support.scopes import Scope, Switches
from .gradient_starts import calls_that_start, zeros_for
from .reverse import sums, walk_back
from .sparse_rows import Rows, add_rows

__all__ = [
    "NOT_IN_GRAPH", "NO_VARIABLES", "TapeNode", "Variable", "check_in_place", "gradients", "gradients_of",
    "install_recorded_space", "install_store", "is_tracked", "reachable", "rows_behind", "space", "state",
    "store_by_copy",
]  # fmt: skip

# The tape's error messages, in MXNet's words.
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

#: The state of this thread: whether it records, and whether it is in training mode. During a backward walk, ``moved``
#: holds the run that updated each state of a net.
state: Switches = Switches(recording=False, training=False, moved=None)

_order = itertools.count()


class Variable:
    """A leaf of the tape, which represents an array whose gradient is wanted.

    Attributes
    ----------
    grad : array or None
        The array into which ``backward`` writes.
    grad_req : str
        ``"write"``, ``"add"``, or ``"null"``.
    fresh : bool
        Whether ``backward`` has reached this variable and no trainer has used the gradient since.
    """

    __slots__ = ("fresh", "grad", "grad_req", "order", "released")
    parents: tuple[Any, ...] = ()
    num_outputs = 1
    goes_back = False

    def __init__(self, grad: Any, grad_req: str) -> None:
        self.grad: Any = grad
        self.grad_req: str = grad_req
        self.fresh: bool = False
        self.released: bool = False
        self.order: int = next(_order)


class TapeNode:
    """A recorded call, as a node of the tape.

    Subclasses implement the gradient. ``parents`` holds, for each input, the pair (node, output index) that produced
    the input, or None for a constant.
    """

    __slots__ = ("num_outputs", "order", "parents", "released")
    #: Whether the call starts a gradient, even if no gradient arrives.
    starts: Any = False
    #: The inputs of the call; empty if the node doesn't keep them.
    arrays: Any = ()
    #: Whether the call propagates an incoming gradient.
    goes_back: Any = True

    def __init__(self, parents: Sequence[Any], num_outputs: int) -> None:
        self.parents: Sequence[Any] = parents
        self.num_outputs: int = num_outputs
        self.released = False
        self.order: int = next(_order)

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the gradient of each input.

        Parameters
        ----------
        F : RecordedSpace
            The function space of recorded arrays, whose calls are recorded if the gradient will be differentiated
            again.
        output_grads : list of (array or None)
            The gradient of each output; None for a missing gradient.
        needs : tuple of bool
            Whether the gradient of each input is needed.

        Returns
        -------
        sequence of (array or None)
            The gradients; None for a gradient that is zero or not needed.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def context(self) -> Any:
        """Return the context of the call's outputs.

        Returns
        -------
        Context
            The device of the outputs.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def raw_vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the gradients as raw arrays, without recording.

        The default implementation calls :meth:`vjp`.

        Parameters
        ----------
        output_grads : list of (array or None)
            The gradient of each output; None for a missing gradient.
        needs : tuple of bool
            Whether the gradient of each input is needed.

        Returns
        -------
        sequence of (array or None)
            The gradient of each input; None for a gradient that is zero or not needed.
        """
        F, ctx = space(), self.context()
        boxes = [None if g is None else F.box(g, ctx, None) for g in output_grads]
        return [None if g is None else g._data for g in self.vjp(F, boxes, needs)]

    def rows_of(self, i: int, given: Sequence[Rows]) -> Rows:
        """Return the numbers of the stored rows of an input's gradient, or None for a dense gradient.

        The backward walk calls this method after it has computed the gradient and before it releases the node.

        Parameters
        ----------
        i : int
            The index of the input.
        given : sequence of array or None
            The rows of the gradient of each output.
        """
        return None

    def release(self) -> None:
        """Drop the references to values that the node keeps for the backward pass."""
        self.released: bool = True
        self.parents = ()


_recorded_space: Any = None


def install_recorded_space(installed: Any) -> None:
    """Install the front end's ``F`` for recorded arrays, with which the tape creates and combines arrays.

    Parameters
    ----------
    installed : object
        The function space.
    """
    global _recorded_space
    _recorded_space = installed


def space() -> Any:
    """Return the function space ``F`` of recorded arrays."""
    return _recorded_space


def is_tracked(array: Any) -> bool:
    """Return whether an array depends on a variable.

    Parameters
    ----------
    array : NDArray
        The array to examine.

    Returns
    -------
    bool
        Whether the array is on the tape.
    """
    ref = array._tape
    return ref is not None and not ref[0].released


def store_by_copy(variable: Variable, value: Any) -> None:
    """Write a gradient into the gradient array of its variable, or add it if ``grad_req`` is ``"add"``.

    Parameters
    ----------
    variable : Variable
        A variable that has a gradient array.
    value : raw array or None
        The gradient; None for zeros. The caller must not keep a reference to the array.
    """
    target = variable.grad._data
    space().module_of(target)  # makes the array's device the current device
    if variable.grad_req == "add":
        if value is not None:
            target += value
    else:
        target[...] = 0 if value is None else value


#: The function that stores a gradient in its array. ``compiler/gradient_stores.py`` installs a faster function.
store: Callable[[Variable, Any], None] = store_by_copy


def install_store(installed: Callable[[Variable, Any], None]) -> None:
    """Replace the function that stores a gradient in the gradient array of a variable.

    Parameters
    ----------
    installed : callable
        The new function: ``store(variable, value)``.
    """
    global store
    store = installed


def check_in_place(array: Any) -> None:
    """Check that an in-place write doesn't overwrite an array that the tape needs.

    Parameters
    ----------
    array : NDArray
        The array to write to.

    Raises
    ------
    MXNetError
        If this thread is recording and the array depends on a variable.
    """
    if state.recording and is_tracked(array):
        raise MXNetError(IN_PLACE)


def reachable(roots: Sequence[Any]) -> list[Any]:
    """Return all nodes that the roots depend on, from the newest to the oldest node.

    Each node precedes the nodes that it depends on.

    Parameters
    ----------
    roots : sequence of TapeNode
        The nodes at which the walk starts.

    Returns
    -------
    list of TapeNode
        The roots and the nodes that they depend on.
    """
    seen = set(roots)
    stack = list(seen)
    while stack:
        for ref in stack.pop().parents:
            if ref is not None and ref[0] not in seen and not ref[0].released:
                seen.add(ref[0])
                stack.append(ref[0])
    return sorted(seen, key=lambda node: -node.order)


def rows_behind(heads: Sequence[Any], arrived: Container[Any]) -> dict[Any, Rows]:
    """Return the stored rows of all gradients that a backward walk from `heads` would compute.

    In MXNet, an output of a hybridized net that gets no gradient propagates zeros, and the rows of these zeros count.

    Parameters
    ----------
    heads : sequence of NDArray
        The arrays at which the walk starts.
    arrived : container of (TapeNode, int)
        The variables that got a gradient. Other variables have no rows, so row numbers that don't exist in them are
        not an error.

    Returns
    -------
    dict of (TapeNode, int) to Rows
        The rows of each entry; None for a dense gradient.
    """
    rows: dict[Any, Rows] = dict.fromkeys(head._tape for head in heads)
    for node in reachable([head._tape[0] for head in heads]):
        keys = [(node, i) for i in range(node.num_outputs)]
        if node.goes_back and any(key in rows for key in keys):
            given = [rows.get(key) for key in keys]
            for i, ref in enumerate(node.parents):
                if ref is not None and (ref in arrived or not isinstance(ref[0], Variable)):
                    add_rows(rows, ref, node.rows_of(i, given))
    return rows


def _head_values(heads: Sequence[Any], head_grads: Any, create_graph: bool) -> list[Any]:
    if head_grads is None:
        head_grads = [None] * len(heads)
    if len(head_grads) != len(heads):
        raise ValueError(
            f"heads and head_grads must have the same length, but their lengths are {len(heads)} and {len(head_grads)}"
        )
    F, values = space(), []
    for head, given in zip(heads, head_grads, strict=True):
        if given is None:
            ones = F.ones_like(head)
            values.append(ones if create_graph else ones._data)
        else:
            if given.shape != head.shape:
                raise MXNetError(
                    "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 1-th input: "
                    f"expected [{','.join(map(str, given.shape))}], got [{','.join(map(str, head.shape))}]"
                )
            values.append(F.as_legacy(given) if create_graph else given._data)
    return values


def _add_raw(total: Any, value: Any) -> Any:
    space().module_of(total)  # makes the array's device the current device
    return total + value


def gradients(
    heads: Sequence[Any],
    head_grads: Any,
    retain_graph: bool,
    create_graph: bool,
    training: bool,
    keep: Collection[Any] = (),
    rows: dict[Any, Rows] | None = None,
) -> dict[Any, Any]:
    """Walk back from arrays and return the gradients of variables and of the nodes in `keep`.

    Parameters
    ----------
    heads : sequence of array
        The arrays to start from.
    head_grads : sequence of array or None
        The gradients of the heads; ones by default.
    retain_graph : bool
        Whether to keep the tape for another walk.
    create_graph : bool
        Whether to return recorded arrays instead of raw arrays.
    training : bool
        Whether layers compute gradients as in training mode.
    keep : collection of node
        The calls whose gradients are also returned.
    rows : dict, optional
        A dictionary to fill with the stored rows of the returned gradients, by (node, index); None for a dense
        gradient.

    Returns
    -------
    dict
        The gradients by (node, index).

    Raises
    ------
    MXNetError
        If a head was not recorded, if an earlier walk released its tape, or if a head and its gradient have different
        shapes.
    ValueError
        If the numbers of heads and gradients differ.
    """
    for head in heads:
        if head._tape is None or head._tape[0].released:
            raise MXNetError(NOT_IN_GRAPH)
    add = operator.add if create_graph else _add_raw
    values = _head_values(heads, head_grads, create_graph)
    arrived = sums(zip([head._tape for head in heads], values, strict=True), add)
    if rows is not None:
        rows.update(dict.fromkeys(arrived))
    calls = [node for node in reachable([head._tape[0] for head in heads]) if not isinstance(node, Variable)]
    F = space()

    def vjp(node: TapeNode, output_grads: list[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
        needs = tuple([ref is not None for ref in node.parents])
        found = node.vjp(F, output_grads, needs) if create_graph else node.raw_vjp(output_grads, needs)
        if rows is not None:
            given = [rows.get((node, i)) for i in range(node.num_outputs)]
            for i, (ref, gradient) in enumerate(zip(node.parents, found, strict=True)):
                if ref is not None and gradient is not None:
                    add_rows(rows, ref, node.rows_of(i, given))
        return node.parents, found

    with Scope(state, recording=create_graph, training=training, moved={} if state.moved is None else state.moved):
        walk_back(calls, arrived, vjp, keep, add, calls_that_start(calls), zeros_for(F, raw=not create_graph))
    if not retain_graph and not create_graph:
        for node in calls:
            node.release()
    return arrived


def gradients_of(
    heads: Any, variables: Any, head_grads: Any, retain: bool = True, create_graph: bool = True, train_mode: bool = True
) -> list[Any]:
    """Return the gradients for ``autograd.grad``; zeros for variables on which the heads don't depend.

    Parameters
    ----------
    heads, head_grads, retain, create_graph, train_mode
        As for :func:`gradients`, whose parameters ``retain_graph`` and ``training`` correspond to ``retain`` and
        ``train_mode``.
    variables : sequence of NDArray
        The arrays whose gradients are wanted.

    Returns
    -------
    list of NDArray
        The gradient of each variable.
    """
    refs = [v._tape for v in variables]  # the walk may release the tape
    keep = frozenset(node for node, _ in refs)
    rows: dict[Any, Rows] = {}
    arrived = gradients(heads, head_grads, retain, create_graph, train_mode, keep, rows)
    if create_graph:
        with Scope(state, recording=True):
            for ref, variable in zip(refs, variables, strict=True):
                if arrived.get(ref) is None and is_tracked(variable):
                    arrived[ref] = space().recorded_zeros_like(space().as_legacy(variable))
    return [space().as_gradient(arrived.get(ref), v, rows.get(ref)) for v, ref in zip(variables, refs, strict=True)]
