"""Twins: values of a graph in another layout, in addition to the original values.

A pass that changes the layout gives a value a *twin*, which has the same elements with the axes in another order.
Operators with a version for this order read and create twins, and element-wise operators accept either layout. All
other operators read the twin transposed back. The node that transposes the twin back is dead unless another node uses
its result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...core.operator import get_operator

__all__ = ["Twins"]

#: A function from a node and its rewritten inputs to the twin of its first output, or None.
Rule = Callable[[Node, tuple[Entry, ...]], Entry | None]


class Twins:
    """The base class of layout passes, with the twins of values and the rules by which operators create twins.

    A twin contains the elements of a value, with the axes in another order.

    Attributes
    ----------
    suffix, suffix_back : str
        The suffixes for the names of transposed values, and of values that were transposed back.
    twins : dict of Entry to Entry
        The twin of each value, including values that were transposed back.
    results : set of Node
        The nodes whose values are results of the graph.
    rules : dict of str to callable
        The rule of each operator, by name.
    """

    graph: Graph

    suffix, suffix_back = "turned", "turned_back"

    def __init__(self, graph: Graph) -> None:
        self.graph, self.types = graph, graph.types
        self.twins: dict[Entry, Entry] = {}
        self.turned: dict[Entry, Entry] = {}
        self.results: set[Node] = {n for n, _ in graph.roots}
        self.rules: dict[str, Rule] = {}

    def order(self, rank: int) -> tuple[int, ...]:
        """Return the axes of a value in the order of its twin.

        Parameters
        ----------
        rank : int
            Number of axes.

        Returns
        -------
        tuple of int
            The axes.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def run(self) -> Graph:
        """Return the graph in which operators with rules compute twins."""
        return self.graph.rewrite(self.rule, {})

    def rule(self, node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        """Return the entries that replace the outputs of a node whose operator creates a twin.

        Parameters
        ----------
        node : Node
            The node.
        inputs : sequence of Entry
            The inputs, after rewriting.

        Returns
        -------
        sequence of Entry, or None
            The replacements; None to keep the node.
        """
        if node.op is None:
            return None
        rule = self.rules.get(node.op.name)
        if rule is None:
            rule = self.elementwise if node.op.elementwise else None
        twin = None if rule is None else rule(node, inputs)
        if twin is None:
            return None
        entries = [self.back(twin, node)]
        entries += [(twin[0], i) for i in range(1, node.num_outputs)]
        return entries

    def has_twin(self, entry: Entry) -> bool:
        """Return whether a value has a twin.

        Parameters
        ----------
        entry : Entry
            The value.

        Returns
        -------
        bool
            Whether the value has a twin.
        """
        return (entry[0], entry[1]) in self.twins

    def twin(self, entry: Entry) -> Entry:
        """Return the twin of a value. If necessary, a transpose creates the twin.

        Parameters
        ----------
        entry : Entry
            The value.

        Returns
        -------
        Entry
            The twin.
        """
        key = (entry[0], entry[1])
        if key in self.twins:
            return self.twins[key]
        if key not in self.turned:
            axes = self.order(len(self.types[entry].shape))
            self.turned[key] = self.graph.make("transpose", f"{entry[0].name}_{self.suffix}", [entry], axes=axes)
        return self.turned[key]

    def back(self, twin: Entry, node: Node) -> Entry:
        """Return the value that results from transposing a twin back to the original layout.

        The node that transposes the twin is eliminated if no other node uses it.

        Parameters
        ----------
        twin : Entry
            The twin.
        node : Node
            The node whose value has this twin.

        Returns
        -------
        Entry
            The value.
        """
        order = self.order(len(self.types[twin].shape))
        axes = tuple(order.index(axis) for axis in range(len(order)))
        entry = self.graph.make("transpose", f"{node.name}_{self.suffix_back}", [twin], axes=axes)
        self.twins[entry[0], 0] = twin
        return entry

    def make(self, op: str, node: Node, inputs: Sequence[Entry], suffix: str = "", **params: Any) -> Entry:
        """Return the first output of a new node that replaces an existing node.

        Parameters
        ----------
        op : str
            The operator's name.
        node : Node
            The node to replace.
        inputs : sequence of Entry
            The inputs, after rewriting.
        suffix : str
            Suffix of the name.
        **params : object
            The attributes.

        Returns
        -------
        Entry
            The value.
        """
        return node.into(get_operator(op), inputs, suffix, **params), 0

    def alike(self, node: Node, inputs: Sequence[Entry], **params: Any) -> Entry:
        """Return the first output of a copy of a node with different inputs.

        Parameters
        ----------
        node : Node
            The node to copy.
        inputs : sequence of Entry
            The inputs, after rewriting.
        **params : object
            Changed attributes.

        Returns
        -------
        Entry
            The value.
        """
        assert node.op is not None
        return node.into(node.op, inputs, **{**node.params, **params}), 0

    # --- rules for every layout ---

    def elementwise(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        """Return the twin of an element-wise operator, if all shapes are equal and an input has a twin.

        Parameters
        ----------
        node : Node
            The node.
        inputs : sequence of Entry
            The inputs, after rewriting.

        Returns
        -------
        Entry or None
            The twin; None if there is none.
        """
        if node.num_outputs != 1 or not any(self.has_twin(e) for e in inputs):
            return None
        shape = self.types[node, 0].shape
        if len(shape) < 2 or any(self.types[e].shape != shape for e in inputs):
            return None
        return self.alike(node, [self.twin(e) for e in inputs])

    def batch_norm(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        """Return the twin of a batch normalization over the second axis.

        Parameters
        ----------
        node : Node
            The node.
        inputs : sequence of Entry
            The inputs, after rewriting.

        Returns
        -------
        Entry or None
            The twin; None if there is none.
        """
        rank = len(self.types[inputs[0]].shape)
        if not self.has_twin(inputs[0]) or node.params.get("axis", 1) % rank != 1:
            return None
        return self.alike(node, [self.twin(inputs[0]), *inputs[1:]], axis=self.order(rank).index(1))

    def concat(self, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
        """Return the twin of a concatenation, if all of its inputs have twins.

        Parameters
        ----------
        node : Node
            The node.
        inputs : sequence of Entry
            The inputs, after rewriting.

        Returns
        -------
        Entry or None
            The twin; None if there is none.
        """
        if not all(self.has_twin(e) for e in inputs):
            return None
        rank = len(self.types[node, 0].shape)
        axis = self.order(rank).index(node.params.get("dim", 1) % rank)
        return self.make("Concat", node, [self.twin(e) for e in inputs], dim=axis)
