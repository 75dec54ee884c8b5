"""The nodes of a graph, and the orders in which to walk them.

A node is a variable, which has no operator, or one use of an operator. An *entry* is one output of a node, as a pair
(node, output index). Nodes are immutable: passes create new nodes and share unchanged nodes. The exception is
MXNet's ``Symbol._set_attr``, which writes attributes into a node that several symbols may share
(``symbol/transform.py``).
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ..support.places import Place
from .operator import Operator

__all__ = ["Entry", "Node", "entry_name", "input_names", "program_order", "topological_order"]

_orders = itertools.count()


class Node:
    """A node of a graph: a variable, or one use of an operator.

    Attributes
    ----------
    op : Operator or None
        The operator; None for a variable.
    name : str
        The node's name, which need not be unique: a block that is used twice repeats its names.
    inputs : tuple of Entry
        The inputs of the operator.
    attrs : dict of str to str
        Attributes as text, as in a graph file. The attributes of a variable may include ``__shape__``.
    params : dict
        The operator's attributes, parsed.
    subgraphs : tuple
        The bodies of a loop or a branch.
    source : Place or None
        The line of user code that created the node while a block was traced; passes copy it to new nodes.
    order : int
        A number that increases in the order of the traced code; passes copy it to new nodes.
    num_outputs : int
        The number of outputs, including hidden outputs.
    is_constant : bool
        Whether the node holds a value that was computed at compile time.
    """

    __slots__ = (
        "attrs", "inputs", "is_constant", "name", "num_outputs", "op", "order", "params", "source", "subgraphs",
    )  # fmt: skip

    def __init__(
        self,
        op: Operator | None,
        name: str,
        inputs: tuple[Entry, ...] = (),
        attrs: dict[str, str] | None = None,
        params: dict[str, Any] | None = None,
        subgraphs: tuple[Any, ...] = (),
        source: Place | None = None,
        order: int | None = None,
    ) -> None:
        self.op: Operator | None = op
        self.name: str = name
        self.inputs: tuple[Entry, ...] = inputs
        self.attrs: dict[str, str] = {} if attrs is None else attrs
        self.params: dict[str, Any] = {} if params is None else params
        self.subgraphs: tuple[Any, ...] = subgraphs
        self.source: Place | None = source
        self.order: int = next(_orders) if order is None else order
        self.num_outputs: int = 1 if op is None else op.num_outputs(self.params, len(inputs))
        self.is_constant: bool = op is not None and op.name == "_constant"

    @property
    def is_view(self) -> bool:
        """Whether the node's result is a reshaped or transposed view of its first input."""
        return self.op is not None and bool(self.op.view)

    @property
    def num_visible_outputs(self) -> int:
        """The number of outputs that a call returns; all other outputs are hidden."""
        return 1 if self.op is None else self.op.num_visible_outputs(self.params, len(self.inputs))

    def with_inputs(self, inputs: tuple[Entry, ...]) -> Node:
        """Return a copy of this node with new inputs.

        Parameters
        ----------
        inputs : tuple of Entry
            The new inputs.

        Returns
        -------
        Node
            The copy, with all other properties of this node.
        """
        return Node(self.op, self.name, inputs, self.attrs, self.params, self.subgraphs, self.source, self.order)

    def into(self, op: Operator, inputs: Sequence[Entry], suffix: str = "", **params: Any) -> Node:
        """Return a node with a new operator, and with the source line and the order of this node.

        Parameters
        ----------
        op : Operator
            The operator of the new node.
        inputs : sequence of Entry
            The inputs of the new node, in order.
        suffix : str
            Suffix of the name.
        **params : object
            The attributes of the new node, without defaults.

        Returns
        -------
        Node
            The new node.
        """
        return Node(op, self.name + suffix, tuple(inputs), params=params, source=self.source, order=self.order)

    def __repr__(self) -> str:
        if self.op is None:
            return f"<Node {self.name}>"
        arguments = ", ".join(f"{n.name}[{i}]" if n.num_outputs > 1 else n.name for n, i in self.inputs)
        return f"<Node {self.name} = {self.op.name}({arguments})>"


Entry = tuple[Node, int]


def topological_order(outputs: Iterable[Entry], given: Collection[Entry] = frozenset()) -> list[Node]:
    """Return all nodes that outputs depend on, in depth-first order with inputs before users, as in MXNet's files.

    The walk is iterative, so that only memory limits the depth of a graph.

    Parameters
    ----------
    outputs : iterable of Entry
        The outputs of the graph.
    given : collection of Entry
        Entries at which the walk stops.

    Returns
    -------
    list of Node
        The nodes, each after its inputs.
    """
    order: list[Node] = []
    seen = {node for node, _ in given if node.num_outputs == 1}
    some = {entry for entry in given if entry[0].num_outputs > 1} if given else given
    for output in outputs:
        root = output[0]
        if root in seen or output in some:
            continue
        seen.add(root)
        stack = [(root, iter(root.inputs))]
        while stack:
            node, remaining = stack[-1]
            for entry in remaining:
                child = entry[0]
                if child in seen or (some and entry in some):
                    continue
                seen.add(child)
                if child.inputs:
                    stack.append((child, iter(child.inputs)))
                    break
                order.append(child)
            else:
                order.append(node)
                stack.pop()
    return order


def program_order(outputs: Sequence[Entry], given: Collection[Entry] = frozenset()) -> list[Node]:
    """Return all nodes in the topological order in which a program computes them.

    Nodes whose order affects results are in the order of the traced code. Therefore, a net draws the same random
    numbers before and after it is hybridized. If a layer is used twice, its running statistics are updated in the
    same order as in eager mode, even if the graph comes from a file.

    Parameters
    ----------
    outputs, given
        As for :func:`topological_order`.

    Returns
    -------
    list of Node
        The nodes, each after its inputs.
    """
    order = topological_order(outputs, given)
    kept = _in_sequence(order)
    as_it_ran = sorted(kept, key=lambda node: node.order)
    if as_it_ran == kept:
        return order
    return topological_order([*((node, 0) for node in as_it_ran), *outputs], given)


def _in_sequence(order: Sequence[Node]) -> list[Node]:
    """Return the nodes whose order affects results: those that draw random numbers or read an updated, shared state."""
    if not any(node.op is not None and (node.op.uses_generator or node.op.moves_states) for node in order):
        return []
    readers: dict[Node, list[Node]] = {}
    moved: set[Node] = set()
    drawing: set[Node] = set()
    for node in order:
        op = node.op
        if op is None:
            continue
        if op.draws(node.params):
            drawing.add(node)
        for variable in {n for n, _ in node.inputs if n.op is None}:
            readers.setdefault(variable, []).append(node)
            if op.moves_states:
                moved.add(variable)
    shared = {node for variable in moved if len(readers[variable]) > 1 for node in readers[variable]}
    return [node for node in order if node in drawing or node in shared]


def entry_name(entry: Entry) -> str:
    """Return the name of an output, such as ``fc_output`` or ``split_output0``.

    The output of a variable has the variable's name.

    Parameters
    ----------
    entry : Entry
        The pair of a node and an output index.

    Returns
    -------
    str
        The name of the node, with a suffix for the output.
    """
    node, index = entry
    if node.op is None:
        return node.name
    suffixes: Sequence[str] = node.op.list_outputs(node.params, len(node.inputs))
    if index >= len(suffixes):  # only files select a hidden output
        names = node.op.hidden_names
        suffixes = [*suffixes, *(names or [f"hidden{i}" for i in range(len(suffixes), index + 1)])]
    suffix = suffixes[index]
    return f"{node.name}_{suffix}" if node.name else suffix


def input_names(node: Node) -> list[str]:
    """Return the operator's names for the inputs of a node.

    Parameters
    ----------
    node : Node
        The node, which must have an operator.

    Returns
    -------
    list of str
        The name of each input, such as ``data`` and ``weight``.
    """
    op = node.op
    assert op is not None
    if op.variadic is not None:
        return [f"arg{i}" for i in range(len(node.inputs))]
    names = op.list_inputs(node.params)
    if len(names) != len(node.inputs):
        names = [i.name for i in op.inputs][: len(node.inputs)]
    return names
