"""The function space ``F`` for graphs: its functions create nodes instead of computing values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..support.places import Place
from .graph import TypeTable
from .node import Entry, Node
from .operator import Operator, get_operator

__all__ = ["GraphSpace", "Value"]


def _arithmetic(array_op: str, numpy_op: str, scalar_op: str, reverse: bool = False) -> Callable[[Any, Any], Any]:
    """Return an arithmetic method that calls an operator for equal types, one for mixed types, or one for scalars."""

    def method(self: Value, other: Any) -> Value:
        space = self.space
        if isinstance(other, Value):
            left, right = (other, self) if reverse else (self, other)
            same = space.types[left.entry].dtype == space.types[right.entry].dtype
            return space.make(array_op if same else numpy_op, [left, right])[0]
        return space.make(scalar_op, [self], scalar=float(other))[0]

    return method


class Value:
    """One entry of a graph under construction, with Python's arithmetic operators."""

    entry: Entry
    space: GraphSpace

    __slots__ = ("entry", "space")

    def __init__(self, space: GraphSpace, entry: Entry) -> None:
        self.space, self.entry = space, entry

    def __neg__(self) -> Value:
        return self.space.make("_mul_scalar", [self], scalar=-1.0)[0]

    __add__ = _arithmetic("elemwise_add", "_npi_add", "_plus_scalar")
    __radd__ = _arithmetic("elemwise_add", "_npi_add", "_plus_scalar", reverse=True)
    __sub__ = _arithmetic("elemwise_sub", "_npi_subtract", "_minus_scalar")
    __rsub__ = _arithmetic("elemwise_sub", "_npi_subtract", "_rminus_scalar", reverse=True)
    __mul__ = _arithmetic("elemwise_mul", "_npi_multiply", "_mul_scalar")
    __rmul__ = _arithmetic("elemwise_mul", "_npi_multiply", "_mul_scalar", reverse=True)
    __truediv__ = _arithmetic("elemwise_div", "_npi_true_divide", "_div_scalar")
    __rtruediv__ = _arithmetic("elemwise_div", "_npi_true_divide", "_rdiv_scalar", reverse=True)
    __pow__ = _arithmetic("_power", "_npi_power", "_power_scalar")


class GraphSpace:
    """A function space with all operators as functions that create nodes.

    Parameters
    ----------
    types : TypeTable
        The table of types, to which the types of new nodes are added.
    """

    def __init__(self, types: TypeTable) -> None:
        self.types = types
        self.prefix = ""
        self.source: Place | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        op = get_operator(name)

        def call(*arrays: Value | None, **attributes: Any) -> Any:
            outputs = self.make(op, [a for a in arrays if a is not None], **attributes)
            return outputs[0] if len(outputs) == 1 else outputs

        self.__dict__[name] = call
        return call

    def make(self, op: Operator | str, inputs: list[Value], **attributes: Any) -> list[Value]:
        """Create a node from inputs and attributes, and return its outputs.

        Parameters
        ----------
        op : Operator or str
            The operator of the node, or the operator's name.
        inputs : list of Value
            The inputs of the node, in order.
        **attributes : object
            The attributes of the node, without defaults.

        Returns
        -------
        list of Value
            A value for each output of the node.
        """
        op = get_operator(op) if isinstance(op, str) else op
        name = f"{self.prefix}{op.name.strip('_').removeprefix('backward_').replace('_batch_last', '')}"
        inputs_of_node = tuple(v.entry for v in inputs)
        node = Node(op, name, inputs_of_node, params=attributes, source=self.source)
        return [Value(self, (node, i)) for i in range(node.num_outputs)]

    def wrap(self, entry: Entry) -> Value:
        """Return a value that represents an existing entry.

        Parameters
        ----------
        entry : Entry
            The pair of a node and an output index.

        Returns
        -------
        Value
            The value in this space.
        """
        return Value(self, entry)
