"""``autograd.Function`` on symbols: a node that calls back into Python whenever the graph runs.

The shapes of the node's outputs are known only after the node has run, unless other nodes determine them. The gradient
is a method of the function instance that ran. A net with such a node therefore usually has no program, and recorded
calls never use a program. The graph runs operator by operator, and each call has its own copy of the traced function
instance. If ``forward`` returns several arrays, the class must define ``num_outputs``.
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Sequence
from typing import Any

from .. import autograd
from .. import name as naming
from ..error import MXNetError
from ..internals.core import tape
from ..internals.core.graph_space import GraphSpace
from ..internals.core.invoke import wrap
from ..internals.core.no_program import GradientOfACallError
from ..internals.core.node import Entry, Node
from ..internals.support.places import new_source
from ..internals.support.plural import counted
from ..ndarray.ndarray import NDArray
from .node import CallbackOperator, _context, _signature

__all__ = ["call_with_symbols"]

FAMILY = "other"


class _FreeNames(naming.NameManager):
    """A name manager that generates names with a block's prefix that are unused in the block's graph."""

    def __init__(self, prefix: str, taken: set[str]) -> None:
        super().__init__()
        self._prefix, self._taken = prefix, taken

    def get(self, name: str | None, hint: str) -> str:
        """Return an unused name."""
        unused = self._prefix + super().get(name, hint)
        while unused in self._taken:
            unused = self._prefix + super().get(None, hint)
        self._taken.add(unused)
        return unused


class _FunctionNode(CallbackOperator):
    """A function that was called with symbols."""

    def __init__(self, function: Any, symbol: type) -> None:
        self._function, self._num_results = function, int(getattr(function, "num_outputs", 1))
        self._symbol = symbol
        #: The output, the function, and the inputs of each call, by the id of the output, which stays valid because the
        #: output is stored.
        self._calls: dict[int, tuple[Any, Any, list[Any]]] = {}
        super().__init__(
            f"_Function_{type(function).__name__}",
            type(function).__name__,
            self._run,
            _signature(["data"], [], variadic=True),
            self._num_results,
            (),
        )
        unknown = [None] * self._num_results
        self.infer_shape(lambda *shapes, **attributes: (list(shapes), unknown))
        self.infer_type(lambda *dtypes, **attributes: (list(dtypes), unknown))
        self.gradient_rule = lambda *arrays, **attributes: None  # marks the operator as differentiable; see vjp

    def starts(self, params: dict[str, Any]) -> bool:
        """Return True, because user code may return nonzero gradients even for zeros."""
        return True

    knows_shapes = False
    #: The error for a Python function in a graph that is saved to a file.
    in_files = False  # type: ignore[assignment]

    def as_operators(self, name: str, inputs: Sequence[Entry], taken: set[str]) -> list[Entry] | None:
        """Return the outputs of a call in MXNet's saved form: as outputs of the operators that ``forward`` calls.

        Parameters
        ----------
        name : str
            The name of the node, whose prefix is used for the operators, too.
        inputs : sequence of Entry
            The inputs of the call.
        taken : set of str
            The names in the graph. New names are added.

        Returns
        -------
        list of Entry or None
            The outputs, or None if ``forward`` does not accept symbols.
        """
        function, label = copy.copy(self._function), type(self._function).__name__.lower()
        prefix = name[: name.rfind(label)] if label in name else ""
        try:
            with autograd.pause(), _FreeNames(prefix, taken):
                outputs_of_forward = function.forward(*(self._symbol([entry]) for entry in inputs))
        except Exception:  # user code may raise anything for unexpected arguments
            return None
        outputs = list(outputs_of_forward) if isinstance(outputs_of_forward, list | tuple) else [outputs_of_forward]
        if len(outputs) != self._num_results or not all(hasattr(one, "_entries") for one in outputs):
            return None
        return [one._entries[0] for one in outputs]

    def _run(self, xp: Any, arrays: Sequence[Any], training: bool) -> tuple[Any, ...]:
        function, ctx = copy.copy(self._function), _context(xp)
        with autograd.pause(train_mode=training):
            inputs = [wrap(NDArray, raw, ctx) for raw in arrays]
            results = function.forward(*inputs)
        outputs = list(results) if isinstance(results, list | tuple) else [results]
        if len(outputs) != self._num_results:
            name = type(self._function).__name__
            error = MXNetError(
                f"{name}.forward returned {counted(len(outputs), 'output')}, but the graph has {self._num_results}"
            )
            error.add_note(
                f"Define num_outputs = {len(outputs)} in the class {name}. Calls with symbols require this attribute."
            )
            raise error
        function._outputs = outputs
        raws = tuple(output._data.copy() for output in outputs)
        key = id(raws[0])
        self._calls[key] = (weakref.ref(raws[0], lambda _: self._calls.pop(key, None)), function, inputs)
        return raws

    def vjp(
        self,
        F: Any,
        output_grads: list[Any],
        outputs: list[Any],
        inputs: Sequence[Any],
        params: dict[str, Any],
        needs: tuple[bool, ...],
        training: bool,
    ) -> list[Any]:
        """Call ``backward`` of the function instance whose ``forward`` computed the outputs."""
        if isinstance(F, GraphSpace):
            raise GradientOfACallError(self.name, outputs[0].entry[0].name)
        recorded = isinstance(outputs[0], NDArray)
        raws = [y._data if recorded else y for y in outputs]
        call = self._calls.get(id(raws[0]))
        if call is None:
            name = type(self._function).__name__
            error = MXNetError(f"{name}.backward cannot run, because the outputs of {name}.forward no longer exist")
            error.add_note(f"Call {name} again before you call backward().")
            raise error
        function = call[1]
        boxes = tape.space().box_like(output_grads, function._outputs)
        if recorded:
            function = _on_the_tape(function, [*call[2], *function._outputs], [*inputs, *outputs])
            grads = function.backward(*boxes)
        else:
            with autograd.pause():
                grads = function.backward(*boxes)
        grads = list(grads) if isinstance(grads, list | tuple) else [grads]
        if len(grads) != len(inputs):
            raise MXNetError(
                f"{type(function).__name__}.backward must return exactly the same number of NDArrays as the number of "
                f"NDArrays arguments to forward. Expecting {len(inputs)} got {len(grads)}"
            )
        return grads if recorded else [g._data for g in grads]


def _on_the_tape(function: Any, kept: Sequence[Any], recorded: Sequence[Any]) -> Any:
    """Return a copy of a function whose saved arrays are those on the tape, which second derivatives require."""
    recorded_by_id = {id(box): place for box, place in zip(kept, recorded, strict=True)}
    function = copy.copy(function)
    saved = function.saved_tensors
    if isinstance(saved, tuple):
        function.saved_tensors = tuple(recorded_by_id.get(id(one), one) for one in saved)
    return function


def call_with_symbols(function: Any, inputs: Sequence[Any]) -> Any:
    """Create the node for a call of a function with symbols.

    Parameters
    ----------
    function : autograd.Function
        The function.
    inputs : sequence of Symbol
        The inputs.

    Returns
    -------
    Symbol
        The outputs of the node.

    Raises
    ------
    TypeError
        If an input is an array.
    """
    first = next(x for x in inputs if hasattr(x, "_entries"))
    if any(not hasattr(x, "_entries") for x in inputs):
        raise TypeError(f"{type(function).__name__} takes either symbols or NDArrays, but not both")
    op = _FunctionNode(function, type(first))
    entries = tuple(entry for x in inputs for entry in x._entries)
    node = Node(op, naming.switches.manager.get(None, type(function).__name__.lower()), entries, source=new_source())
    return type(first)([(node, i) for i in range(op._num_results)])
