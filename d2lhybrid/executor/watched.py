"""Runs of a graph operator by operator, which report all computed values and gradients to a monitor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .. import autograd
from ..context import Context
from ..internals.core import tape
from ..internals.core.control_flow_bodies import is_open
from ..internals.core.infer import infer_shapes
from ..internals.core.invoke import wrap
from ..internals.core.node import Entry, Node, entry_name, input_names, program_order
from ..internals.core.operator_by_operator import evaluate
from ..ndarray import zeros
from ..ndarray.ndarray import NDArray

__all__ = ["Watch", "WatchedRun"]


class Watch(NamedTuple):
    """The monitor of an executor.

    Attributes
    ----------
    callback : callable
        The function that receives the name of a value, as bytes, and the array.
    inputs_too : bool
        Whether the callback also receives inputs.
    """

    callback: Callable[[bytes, Any], Any]
    inputs_too: bool

    def tell(self, name: str, array: Any) -> None:
        """Report an array to the callback.

        Parameters
        ----------
        name : str
            The name of the value.
        array : NDArray
            The array.
        """
        with autograd.pause(train_mode=autograd.is_training()):
            self.callback(name.encode(), wrap(NDArray, array._data, array._ctx))

    def before(self, node: Node, given: Sequence[Any]) -> None:
        """Report the inputs of an operator that is about to run.

        Parameters
        ----------
        node : Node
            The node of the operator.
        given : sequence of NDArray
            The inputs.
        """
        if self.inputs_too:
            for (child, _), name, value in zip(node.inputs, shown_input_names(node), given, strict=True):
                if child.op is None:
                    self.tell(child.name, value)
                self.tell(f"{node.name}_{name}", value)

    def after(self, node: Node, results: Sequence[Any]) -> None:
        """Report the results of an operator.

        Parameters
        ----------
        node : Node
            The node of the operator.
        results : sequence of NDArray
            The results.
        """
        for i, result in enumerate(results):
            self.tell(entry_name((node, i)), result)

    def gradient(self, node: Node, i: int, array: Any) -> None:
        """Report the gradient of one input of an operator.

        Parameters
        ----------
        node : Node
            The node of the operator.
        i : int
            Index of the input.
        array : NDArray
            The gradient.
        """
        self.tell(f"{node.name}_backward_output{i}", array)


def shown_input_names(node: Node) -> list[str]:
    """Return the names of a node's inputs for monitors.

    As in MXNet, the inputs of many operators are named ``input0``, ``input1``, and so on.

    Parameters
    ----------
    node : Node
        The node of an operator.

    Returns
    -------
    list of str
        The names.
    """
    op = node.op
    assert op is not None
    named = op.names_inputs
    if named is None:
        named = op.variadic is not None or op.names_outputs or [i.name for i in op.inputs] != ["data"]
    return input_names(node) if named else [f"input{i}" for i in range(len(node.inputs))]


class _Tap(tape.TapeNode):
    """A tape node at an input of an operator, which passes the gradient on and keeps or reports it."""

    __slots__ = ("arrived", "tell")

    def __init__(self, parent: Any, tell: Callable[[Any], None] | None) -> None:
        super().__init__([parent], 1)
        self.arrived: Any = None
        self.tell = tell

    def raw_vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the incoming gradient, and keep or report it."""
        if self.tell is None:
            self.arrived = output_grads[0]
        else:
            self.tell(output_grads[0])
        return output_grads

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the incoming gradient in a form that can be differentiated again."""
        if self.tell is not None and output_grads[0] is not None:
            self.tell(output_grads[0]._data)
        return output_grads


class WatchedRun:
    """A run of a graph, operator by operator, with a monitor.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    names : sequence of str
        The names of the graph's variables.
    arrays : sequence of NDArray
        The values of the variables.
    at_once : bool
        Whether to report requested gradients as soon as the backward pass computes them. If False, all gradients are
        kept for :meth:`tell_gradients`.
    """

    def __init__(self, symbol: Any, names: Sequence[str], arrays: Sequence[Any], at_once: bool = False) -> None:
        self._symbol, self._arrays = symbol, dict(zip(names, arrays, strict=True))
        self._at_once = at_once
        #: Each node with tapped inputs, and the tap and the array of each input.
        self._taps: list[tuple[Node, list[tuple[_Tap | None, Any]]]] = []

    def run(self, watch: Any, ctx: Context, record: bool) -> list[Any]:
        """Run the graph, call the monitor before and after each operator, and return the outputs.

        Parameters
        ----------
        watch : Watch, OpHook, or None
            The monitor.
        ctx : Context
            The device.
        record : bool
            Whether to record the operators, so that gradients can be reported.

        Returns
        -------
        list of NDArray
            The outputs of the graph.
        """
        entries: Sequence[Entry] = self._symbol._entries
        order = program_order(entries)
        values: dict[Entry, Any] = {}
        for node in order:
            if node.op is None:
                values[node, 0] = self._variable(node, record and not self._at_once)
        shapes = infer_shapes(entries, {n.name: values[n, 0].shape for n in order if n.op is None}, order=order)
        for node in order:
            if node.op is None:
                continue
            inputs = [values[entry] for entry in node.inputs]
            if watch is not None:
                watch.before(node, inputs)
            if record:
                inputs = self._tapped(node, inputs, watch)
            results = _results(node, inputs, ctx, shapes)
            for i, result in enumerate(results):
                values[node, i] = result
            if watch is not None:
                watch.after(node, results)
        return [values[entry] for entry in entries]

    def _variable(self, node: Node, record: bool) -> Any:
        array = self._arrays[node.name]
        if record and array._tape is None:  # its gradient is reported but not kept
            leaf = wrap(NDArray, array._data, array._ctx)
            if array._data.dtype.kind == "f":
                leaf._tape = (tape.Variable(None, "write"), 0)
            self._arrays[node.name] = leaf
            return leaf
        return array

    def _tapped(self, node: Node, given: Sequence[Any], watch: Any) -> list[Any]:
        """Return the inputs of an operator with a tap on each.

        The taps are created in reverse, as the tape runs backward.
        """
        assert node.op is not None
        taps: list[tuple[_Tap | None, Any]] = []
        arrays = []
        for i, name in reversed(list(enumerate(input_names(node)))):
            value = given[i]
            if name in node.op.aux:
                arrays.append(self._arrays_of_state(value))
                continue
            tap = _Tap(value._tape, self._teller(node, i, value._ctx, watch)) if tape.is_tracked(value) else None
            array = value if tap is None else wrap(NDArray, value._data, value._ctx)
            if tap is not None:
                array._tape = (tap, 0)
            taps.append((tap, value))
            arrays.append(array)
        if not self._at_once:
            self._taps.append((node, taps[::-1]))
        return arrays[::-1]

    def _teller(self, node: Node, i: int, ctx: Context, watch: Any) -> Callable[[Any], None] | None:
        if not self._at_once or watch is None:
            return None
        return lambda raw: watch.gradient(node, i, wrap(NDArray, raw, ctx))

    @staticmethod
    def _arrays_of_state(value: Any) -> Any:
        return wrap(NDArray, value._data, value._ctx)

    def tell_gradients(self, watch: Watch) -> None:
        """Report the gradients of the last backward pass, from the last operator to the first.

        Parameters
        ----------
        watch : Watch
            The monitor.
        """
        for node, taps in reversed(self._taps):
            if all(tap is None or tap.arrived is None for tap, _ in taps):
                continue
            for i, (tap, value) in enumerate(taps):
                if tap is None or tap.arrived is None:
                    gradient = zeros(value.shape, ctx=value._ctx, dtype=value.dtype)
                else:
                    gradient = wrap(NDArray, tap.arrived, value._ctx)
                watch.gradient(node, i, gradient)


def _results(node: Node, given: Sequence[Any], ctx: Context, shapes: Any) -> list[Any]:
    """Return the outputs of a node for given inputs."""
    params = node.params
    if is_open(node) and shapes[node, 0] is not None:
        params = {**params, "shape": shapes[node, 0]}
    variables = [Node(None, f"input{i}") for i in range(len(given))]
    alone = Node(node.op, node.name, tuple((v, 0) for v in variables), node.attrs, params, node.subgraphs)
    entries = [(alone, i) for i in range(alone.num_visible_outputs)]
    return evaluate(entries, {v.name: value for v, value in zip(variables, given, strict=True)}, ctx)
