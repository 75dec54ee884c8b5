"""Hooks that receive the results of all operators of a hybridized block."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from .. import autograd
from ..executor.watched import WatchedRun, shown_input_names
from ..internals.core.fallback_call import outputs_of
from ..internals.core.invoke import wrap
from ..internals.core.node import Entry, Node
from ..internals.support.commit import commit, put
from ..internals.support.display import Shown
from ..internals.support.locks import building
from ..ndarray.ndarray import NDArray
from .block import Block

if TYPE_CHECKING:
    from ..internals.core.cached_op import CachedOp
    from .hybrid_block import HybridBlock

__all__ = ["OpHook", "hook_names", "register_op_hook"]


class OpHook(Shown):
    """The hook that ``register_op_hook`` creates. It runs the block's graph operator by operator.

    Parameters
    ----------
    callback : callable
        The function. It receives the name of the value and the name of the operator, both as bytes, and the array.
    inputs_too : bool
        Whether to also report inputs.

    Raises
    ------
    TypeError
        If ``callback`` is not callable.
    """

    def __init__(self, callback: Callable[[bytes, bytes, Any], Any], inputs_too: bool) -> None:
        if not callable(callback):
            raise TypeError(f"callback must be a function of three arguments, not {callback!r}")
        self._callback, self._inputs_too = callback, inputs_too
        self._cls: type = NDArray
        #: The results that other operators use, or None if all results are reported.
        self._used: Collection[Entry] | None = None

    def run(self, cached: CachedOp, arrays: Sequence[Any], cls: type, ctx: Any) -> list[Any]:
        """Run the graph of a block on arrays, and return the block's outputs.

        Parameters
        ----------
        cached : CachedOp
            The compiled block.
        arrays : sequence of NDArray
            The inputs and the parameters, in the order of ``cached.names``.
        cls : type
            The class of the outputs.
        ctx : Context
            The device.

        Returns
        -------
        list of NDArray
            The outputs.
        """
        hook = OpHook(self._callback, self._inputs_too)
        hook._cls = cls
        if not autograd.is_recording():
            entries = cached.symbol._entries
            hook._used = {*entries, *(entry for node in cached.symbol._nodes() for entry in node.inputs)}
        watched = WatchedRun(cached.symbol, cached.names, arrays, at_once=True)
        return outputs_of(watched.run(hook, ctx, autograd.is_recording()), arrays, cls)

    def before(self, node: Node, given: Sequence[Any]) -> None:
        """Report the inputs of an operator that is about to run.

        Parameters
        ----------
        node : Node
            The node of the operator.
        given : sequence of NDArray
            The inputs.
        """
        if self._inputs_too:
            for name, value in zip(hook_names(node)[0], given, strict=True):
                self._tell(name, node, "", value)

    def after(self, node: Node, results: Sequence[Any]) -> None:
        """Report the results of an operator. Results that nothing reads are reported only while gradients are recorded.

        Parameters
        ----------
        node : Node
            The node of the operator.
        results : sequence of NDArray
            The results.
        """
        for i, (name, value) in enumerate(zip(hook_names(node)[1], results, strict=True)):
            if self._used is None or (node, i) in self._used:
                self._tell(name, node, "", value)

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
        self._tell(f"{node.name}_backward_{i}", node, "_backward_", array)

    def _tell(self, name: str, node: Node, way: str, array: Any) -> None:
        assert node.op is not None
        with autograd.pause(train_mode=autograd.is_training()):
            self._callback(name.encode(), f"{way}{node.op.name}".encode(), wrap(self._cls, array._data, array._ctx))


def hook_names(node: Node) -> tuple[list[str], list[str]]:
    """Return the names of a node's inputs and outputs for a hook.

    As in MXNet, the inputs of many operators are named ``input0``, ``input1``, and so on, and the outputs are numbered.

    Parameters
    ----------
    node : Node
        The node of an operator.

    Returns
    -------
    tuple of two lists of str
        The names of the inputs and of the outputs, each with the name of the node as its prefix.
    """
    op = node.op
    assert op is not None
    inputs, count = shown_input_names(node), node.num_visible_outputs
    outputs = op.list_outputs(node.params, len(node.inputs)) if op.names_outputs else list(map(str, range(count)))
    return [f"{node.name}_{name}" for name in inputs], [f"{node.name}_{name}" for name in outputs]


def register_op_hook(self: HybridBlock, callback: Callable[..., Any] | None, monitor_all: bool = False) -> None:
    """Register a callback for the outputs of all operators in calls of the hybridized block.

    Parameters
    ----------
    callback, monitor_all
        Arguments of :meth:`Block.register_op_hook`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x) * 2, prefix="double_")
    >>> net.hybridize()
    >>> net.register_op_hook(lambda name, operator, array: print(name, operator, array.shape))
    >>> y = net(nd.ones((2, 3)))
    b'double_relu0_0' b'relu' (2, 3)
    b'double__mulscalar0_0' b'_mul_scalar' (2, 3)
    """
    hook = None if callback is None else OpHook(callback, bool(monitor_all))
    with building:
        commit(put(self, _op_hook=hook, _fast_call=None))
    Block.register_op_hook(self, callback, monitor_all)
