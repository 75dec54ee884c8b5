"""Graphs inside a node, such as the body of a loop or a branch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ..support.locks import cached_property
from . import infer
from .gradient_starts import nodes_that_start
from .interpret import Values, interpret_backward, interpret_nodes
from .node import Node, program_order
from .reverse import sums

__all__ = ["Subgraph"]


class Subgraph:
    """A graph inside a node, with methods that run and differentiate this graph.

    Subgraphs are compared by identity, because they are attributes of nodes.

    Attributes
    ----------
    symbol : Symbol
        The symbol of the graph.
    entries : sequence of Entry
        The results of the graph.
    order : list of Node
        The nodes of the graph in topological order.
    variables : list of Node
        The inputs of the graph, in topological order. The attributes of loops and branches use this order.
    """

    def __init__(self, symbol: Any) -> None:
        self.symbol = symbol
        self.entries: Any = symbol._entries
        self.order: list[Node] = program_order(self.entries)
        self.variables: list[Node] = [node for node in self.order if node.op is None]

    @cached_property
    def random(self) -> bool:
        """Whether a run of the graph draws random numbers."""
        return any(node.op is not None and node.op.draws(node.params) for node in self.order)

    @cached_property
    def starts(self) -> bool:
        """Whether the graph contains a loss that starts a gradient."""
        return any(node.op is not None and node.op.starts(node.params) for node in self.order)

    def started(self, first: Iterable[Node], carried: Iterable[tuple[int, int]]) -> frozenset[Node]:
        """Return the variables that depend, after the first step of a loop, on a loss that starts a gradient.

        Parameters
        ----------
        first : iterable of Node
            The variables that depend on such a loss in the first step.
        carried : iterable of tuple of (int, int)
            The index of each variable that a step passes to the next step, and the index of the result that becomes its
            next value.

        Returns
        -------
        frozenset of Node
            The variables, including those in `first`.
        """
        pairs, found = list(carried), frozenset(first)
        while True:
            starting = nodes_that_start(self.order, found)
            later = found.union(self.variables[v] for v, r in pairs if self.entries[r][0] in starting)
            if later == found:
                return found
            found = later

    def run(self, xp: Any, arrays: Sequence[Any], training: bool, rng: Any) -> Values:
        """Compute all entries of the graph from the values of its variables.

        Parameters
        ----------
        xp : module
            NumPy or CuPy.
        arrays : sequence of array
            Values of the variables.
        training : bool
            Whether layers behave as in training.
        rng : Generator or None
            The random generator.

        Returns
        -------
        dict of Entry to array
            The values of all entries.
        """
        values = dict(zip(self.variables, arrays, strict=True))
        return interpret_nodes(self.order, values, training, rng, xp)

    def outputs(self, known: Values) -> list[Any]:
        """Return the values of the graph's results.

        Parameters
        ----------
        known : dict of Entry to array
            The values of all entries.

        Returns
        -------
        list of array
            The value of each result.
        """
        return [known[node, i] for node, i in self.entries]

    def gradients(
        self, xp: Any, known: Values, output_grads: Sequence[Any], training: bool, started: Collection[Node] = ()
    ) -> list[Any]:
        """Return the gradients of the results with respect to each variable.

        Parameters
        ----------
        xp : module
            NumPy or CuPy.
        known : dict of Entry to array
            The values of all entries.
        output_grads : sequence of array
            Gradient of each result; None for a missing gradient.
        training : bool
            Whether layers behave as in training.
        started : collection of Node
            The variables whose values come from another graph's loss operator, where backpropagation starts.

        Returns
        -------
        list of (array or None)
            The gradients; None for a gradient that is zero.
        """
        arriving = sums((e, g) for e, g in zip(self.entries, output_grads, strict=True) if g is not None)
        arrived = interpret_backward(self.order, known, arriving, training, xp, started)
        return [arrived.get((node, 0)) for node in self.variables]

    def infer(self, given: Sequence[Any], what: str) -> tuple[list[Any], list[Any]]:
        """Complete the shapes or element types of the variables, and infer those of the results.

        Parameters
        ----------
        given : sequence
            Partial shapes or element types of the variables.
        what : {"shapes", "types"}
            Whether to infer shapes or element types.

        Returns
        -------
        tuple of (list, list)
            The partial shapes or element types of the variables and of the results.
        """
        known = {node: value for node, value in zip(self.variables, given, strict=True) if value is not None}
        rule = infer.infer_shapes if what == "shapes" else infer.infer_types
        found = rule(self.entries, known, order=self.order)
        return [found[node, 0] for node in self.variables], [found[entry] for entry in self.entries]

    def __repr__(self) -> str:
        return f"<Subgraph {self.symbol!r} {id(self):#x}>"
