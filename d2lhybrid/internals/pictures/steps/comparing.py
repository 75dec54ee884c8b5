"""Comparison of two stages of a compilation: which nodes a pass removed, merged, folded, fused, replaced, or added.

Stages share all nodes that a pass did not change, so identity matches most nodes. To match the remaining nodes, both
graphs are walked in parallel from their outputs: nodes in the same position correspond. The comparison is
independent of the passes, so it also works for new passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...core.graph import Graph
from ...core.node import Entry, Node
from ...support.display import Shown

__all__ = ["Change", "Comparison", "compare"]


@dataclass(repr=False)
class Change(Shown):
    """A change of nodes that a pass made in a graph.

    Attributes
    ----------
    kind : str
        ``"removed"``, ``"merged"``, ``"folded"``, ``"fused"``, ``"absorbed"``, ``"replaced"``, ``"moved"``,
        ``"dead"``, or ``"added"``.
    before : tuple of Node
        Changed nodes of the older graph, the main node first.
    after : tuple of Node
        The nodes of the newer graph that replace ``before``.
    """

    kind: str
    before: tuple[Node, ...]
    after: tuple[Node, ...]


class Comparison:
    """The changes between the graphs of two stages of a compilation.

    Attributes
    ----------
    changes : list of Change
        Changes in the order of the graph.
    image : dict of Entry to Entry
        The entry of the newer graph that corresponds to each entry of the older graph.
    same : dict of Node to Node
        The corresponding older node of each newer node that the pass kept, or in which it changed only the inputs.
    """

    before: Graph
    after: Graph
    old: dict[Node, Node]
    new: dict[Node, Node]

    def __init__(self, before: Graph, after: Graph) -> None:
        self.before, self.after = before, after
        self.old = {n: n for n in before.nodes}
        self.new = {n: n for n in after.nodes}
        self.image: dict[Entry, Entry] = {}
        self.same: dict[Node, Node] = {}
        #: Entry of an older node whose attributes a pass changed -> entry of the newer node, which does more.
        self._into: dict[Node, Node] = {}
        self.changes: list[Change] = []
        self._walk()
        self._match_names()
        self.changes = list(self._find())

    # --- matching nodes --------------------------------------------------------------------------

    def _pairs(self) -> Iterator[tuple[Entry, Entry]]:
        yield from zip(self.before.outputs, self.after.outputs, strict=False)
        for a, b in zip(self.before.gradients, self.after.gradients, strict=False):
            if a is not None and b is not None:
                yield a, b
        later = {(u.variable, u.stage): u.value for u in self.after.updates}
        for update in self.before.updates:
            value = later.get((update.variable, update.stage))
            if value is not None:
                yield update.value, value

    def _walk(self) -> None:
        for node in self.before.nodes:
            if node in self.new:
                self.same[node] = node
                for i in range(node.num_outputs):
                    self.image[node, i] = (node, i)
        stack = list(self._pairs())[::-1]
        while stack:
            (old, i), (new, k) = stack.pop()
            if (old, i) in self.image:
                continue
            self.image[old, i] = (new, k)
            if old.op is not new.op or old.op is None or len(old.inputs) != len(new.inputs):
                continue
            if old.name == new.name and new not in self.old and self._same_type(old, new):
                self.same.setdefault(new, old)
            if old.inputs and old.params != new.params:  # those of a constant are an array
                self._into |= {child: new for child, _ in old.inputs}
            stack += list(zip(old.inputs, new.inputs, strict=True))[::-1]

    def _same_type(self, old: Node, new: Node) -> bool:
        return self.before.types[old, 0] == self.after.types[new, 0]

    def _match_names(self) -> None:
        """Match moved nodes, which have the same name and operator; then match nodes that have only the same name."""
        for with_operator in (True, False):
            taken = set(self.same.values())
            free: dict[tuple[str, Any], Node] = {}
            for node in self.after.nodes:
                if node not in self.same and node.op is not None:
                    free.setdefault((node.name, node.op if with_operator else None), node)
            for node in self.before.nodes:
                key = node.name, node.op if with_operator else None
                new = free.get(key) if node not in taken and node.op is not None else None
                placed = (node, 0) in self.image and not with_operator
                if new is None or node in self.new or placed:
                    continue
                if with_operator and not self._same_type(node, new):
                    continue
                if with_operator:
                    self.same[new] = node
                for i in range(min(node.num_outputs, new.num_outputs)):
                    self.image.setdefault((node, i), (new, i))
                del free[key]

    # --- classifying changes ---------------------------------------------------------------------

    def _find(self) -> Iterator[Change]:
        kept = set(self.same.values())
        gone = [n for n in self.before.nodes if n.op is not None and n not in kept]
        fused = self._fused()
        yield from fused.values()
        inside = {n for change in fused.values() for n in change.before}
        main: dict[Node, Change] = {}
        rest: list[Node] = []
        explained: set[Node] = {n for c in fused.values() for n in c.after}
        for node in gone:
            if node in inside:
                continue
            change = self._change_of(node)
            if change is None:
                rest.append(node)
            else:
                main[node] = change
        self._join_replaced(main)
        for node in reversed(rest):  # a node removed together with its only users belongs to their change
            users = [u for u in self.before.users.get(node, []) if u in main]
            if users:
                change = main[users[0]]
                change.before = (*change.before, node)
                main[node] = change
            else:
                main[node] = Change("dead", (node,), ())
        for change in {id(c): c for n in gone if (c := main.get(n)) is not None}.values():
            explained |= set(change.after)
            yield change
        yield from self._moved()
        added = [n for n in self.after.nodes if n.op and n not in self.same and n not in explained]
        yield from self._grouped(added)

    def _fused(self) -> dict[Node, Change]:
        found = {}
        for node in self.after.nodes:
            body = None if node in self.old else node.params.get("body")
            members = tuple(n for n in getattr(body, "nodes", ()) if self._older(n) is not None)
            if members:
                older = tuple(o for n in members if (o := self._older(n)) is not None)
                found[node] = Change("fused", older, (node,))
        return found

    def _older(self, node: Node) -> Node | None:
        return self.old.get(node) or self.same.get(node)

    def _change_of(self, node: Node) -> Change | None:
        """Return the change of a removed node, or None if no node replaces it."""
        found = self.image.get((node, 0))
        if found is None:
            return None
        new = found[0]
        if new.op is not None and new.op.name == "_constant" and new not in self.old:
            return Change("folded", (node,), (new,))
        twin = self.same.get(new)
        if node in self._into and twin is new and (node.op, node.inputs) == (self._into[node].op, ((new, found[1]),)):
            return Change("absorbed", (node,), (self._into[node],))
        if twin is None:
            if new.op is None:
                return Change("removed", (node,), (new,))
            return Change("replaced", (node,), (new,))
        if twin.op is node.op and twin is not node:
            return Change("merged", (node,), (new,))
        if twin is not new and twin.op is not None and self._absorbed(twin, new):
            return Change("absorbed", (node,), (new,))
        return Change("removed", (node,), (new,))

    def _absorbed(self, old: Node, new: Node) -> bool:
        """Return whether a kept node now computes another value."""
        if len(old.inputs) != len(new.inputs):
            return True
        images = [self.image.get((n, i)) for n, i in old.inputs]
        return any(a is None or a[0] is not b[0] for a, b in zip(images, new.inputs, strict=True))

    def _moved(self) -> Iterator[Change]:
        """Yield pairs of nodes in which the second node used the first one, and now precedes it."""
        position = {n: i for i, n in enumerate(self.after.nodes)}
        for node in self.before.nodes:
            later = self.image.get((node, 0))
            for child, i in node.inputs:
                first = self.image.get((child, i))
                if child.op is None or later is None or first is None or first[0] is later[0]:
                    continue
                kept = first[0].op is child.op and first[0].name == child.name  # replaced nodes have not moved
                if kept and position.get(later[0], 0) < position.get(first[0], 0):
                    yield Change("moved", (child, node), (first[0], later[0]))

    def _join_replaced(self, main: dict[Node, Change]) -> None:
        """Add each new node to the replacement of the node whose name it extends."""
        operators = {n.name: n for n in self.before.nodes if n.op is not None}
        given = {n for change in main.values() for n in change.after}
        for node in self.after.nodes:
            if node.op is None or node in self.same or node in given:
                continue
            owner = _owner(node.name, operators)
            change = None if owner is None else main.get(owner)
            if change is not None and change.kind == "replaced":
                change.after = (*change.after, node)

    def _grouped(self, added: list[Node]) -> Iterator[Change]:
        """Yield the changes that add nodes, grouped by the older node that the new nodes belong to."""
        operators = {n.name: n for n in self.before.nodes if n.op is not None}
        groups: dict[Node | None, tuple[Node | None, list[Node]]] = {}
        for node in added:
            owner = _owner(node.name, operators)
            groups.setdefault(owner, (owner, []))[1].append(node)
        position: dict[Node | None, int] = {n: i for i, n in enumerate(self.before.nodes)}
        gradient = self.after.gradients and not self.before.gradients
        order = sorted(groups.values(), key=lambda g: position.get(g[0], -1), reverse=bool(gradient))
        for owner, nodes in order:
            yield Change("added", () if owner is None else (owner,), tuple(nodes))


def _owner(name: str, operators: dict[str, Node]) -> Node | None:
    """Return the node whose name is the longest prefix of a new node's name."""
    parts = name.split("_")
    for end in range(len(parts), 0, -1):
        found = operators.get("_".join(parts[:end]))
        if found is not None:
            return found
    return None


def compare(before: Graph, after: Graph) -> Comparison:
    """Return the changes between two stages of a compilation.

    Parameters
    ----------
    before, after : Graph
        The graph of the earlier stage, and the graph of the later stage.

    Returns
    -------
    Comparison
        The changes.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.internals.core.observing import observe
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x * 1))
    >>> net.hybridize()
    >>> with observe() as programs:
    ...     y = net(nd.ones((2,)))
    >>> first, last = programs[0].stages[0].graph, programs[0].graph
    >>> [(c.kind, c.before[0].op.name) for c in compare(first, last).changes]
    [('removed', '_mul_scalar')]
    """
    return Comparison(before, after)
