"""Memory plan: where each value lies, when each piece of memory is used last, and what may be written again.

A *value* is one output of a node: an entry. A *piece* of memory is what one line of the program allocates; it is
named after the value that it was allocated for. Every value has a :class:`Placement`: it lies in a piece of its own,
it is a view of its first input, or nobody can tell, because a kernel decides while it runs. Pieces in which one
value may lie form a *group*: they are given back together, after the last use of the last value in any of them.

An operator may write its result over an input if the group of that input is not needed any more, and if it is
certain in which piece, made by this program, the input lies with each of its elements once. The result is then
another value in the same piece.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..core.graph import TypeTable
from ..core.node import Entry, Node
from ..support.display import Shown

__all__ = ["Lifetime", "MemoryPlan", "Placement", "plan_memory"]


class Placement(enum.Enum):
    """Where the results of a node lie."""

    #: Each in a piece of its own.
    FRESH = "fresh"
    #: In the piece of the first input, each element once: reshaped or transposed.
    VIEW = "view"
    #: In a piece of its own or in that of any input, perhaps with elements that appear many times, or not at all.
    UNKNOWN = "unknown"


class Lifetime(NamedTuple):
    """When a group of pieces is needed: positions in the list of nodes; ``end`` is None for results."""

    name: str
    start: int
    end: int | None
    nbytes: int


class MemoryPlan(Shown):
    """The memory of one program.

    Attributes
    ----------
    lifetimes : dict of Entry to Lifetime
        For each group of pieces, under the entry that stands for it, when it is needed.
    dead_after : list of list of Entry
        For each node the groups that nobody needs after it.
    """

    lifetimes: dict[Entry, Lifetime]

    def __init__(
        self,
        lifetimes: dict[Entry, Lifetime],
        group: dict[Entry, Entry],
        exact: dict[Entry, Entry],
        overwritten: dict[Node, int],
        count: int,
    ) -> None:
        self.lifetimes, self._group, self._exact, self._overwritten = lifetimes, group, exact, overwritten
        self.dead_after: list[list[Entry]] = [[] for _ in range(count)]
        for key, life in lifetimes.items():
            if life.end is not None:
                self.dead_after[life.end].append(key)

    def group_of(self, value: Entry) -> Entry | None:
        """Return the group in which a value lies; None if all of it is given from outside."""
        return self._group.get(value)

    def is_exact(self, value: Entry) -> bool:
        """Return whether a value is known to lie in a piece of this program's own, each element once."""
        return value in self._exact

    def overwrites(self, node: Node) -> int | None:
        """Return which input's memory a node writes its result over, None if it needs memory of its own."""
        return self._overwritten.get(node)

    @property
    def peak_bytes(self) -> int:
        """Largest number of bytes of groups that are needed at the same time."""
        events: dict[int, int] = {}
        count = len(self.dead_after)
        for life in self.lifetimes.values():
            end = count if life.end is None else life.end
            events[life.start] = events.get(life.start, 0) + life.nbytes
            events[end + 1] = events.get(end + 1, 0) - life.nbytes
        peak = now = 0
        for position in sorted(events):
            now += events[position]
            peak = max(peak, now)
        return peak


class _Group:
    """Pieces that are given back together."""

    __slots__ = ("end", "joined_to", "key", "name", "nbytes", "start")

    def __init__(self, key: Entry, position: int, nbytes: int) -> None:
        self.key, self.name, self.start, self.nbytes = key, key[0].name, position, nbytes
        self.end: int | None = position
        self.joined_to: _Group | None = None

    def root(self) -> _Group:
        """Return the group that this one is part of now."""
        if self.joined_to is None:
            return self
        root = self
        while root.joined_to is not None:
            root = root.joined_to
        group = self
        while group is not root:  # the next search is shorter
            following = group.joined_to
            assert following is not None
            group.joined_to, group = root, following
        return root

    def take_in(self, other: _Group) -> None:
        """Make two groups one, which is needed as long as either."""
        mine, other = self.root(), other.root()
        if mine is other:
            return
        if other.start < mine.start:
            mine, other = other, mine
        other.joined_to = mine
        mine.nbytes += other.nbytes
        mine.end = None if mine.end is None or other.end is None else max(mine.end, other.end)


class _Planner:
    """A plan under construction."""

    def __init__(self, types: TypeTable, placement_of: Callable[[Node], Placement]) -> None:
        self.types, self.placement_of = types, placement_of
        #: For each value that may lie in memory of this program its group.
        self.group: dict[Entry, _Group] = {}
        #: For each value whose piece is certain that piece.
        self.exact: dict[Entry, Entry] = {}

    def add(self, node: Node, position: int) -> None:
        """Place the results of a node, and note that its inputs are needed here."""
        used = self.groups_of(node.inputs)
        for group in used:
            group.end = position
        if node.op is None or node.is_constant:
            return  # given from outside: never ours to write
        placement = self.placement_of(node)
        if placement is Placement.VIEW:
            source, result = node.inputs[0], (node, 0)
            if source in self.group:
                self.group[result] = self.group[source]
            if source in self.exact:
                self.exact[result] = self.exact[source]
            return
        for i in range(node.num_outputs):
            result = (node, i)
            group = self.group[result] = _Group(result, position, self.types[result].nbytes)
            if placement is Placement.FRESH:
                self.exact[result] = result
                continue
            for other in used:
                group.take_in(other)

    def groups_of(self, values: Sequence[Entry]) -> list[_Group]:
        """Return the groups in which some values lie, each once."""
        found: dict[_Group, None] = {}
        for value in values:
            group = self.group.get(value)
            if group is not None:
                found[group.root()] = None
        return list(found)

    def overwrite(self, node: Node, position: int, candidates: Sequence[int]) -> int | None:
        """Let a node write over an input that nobody needs after it; return which one."""
        result = (node, 0)
        for i in candidates:
            value = node.inputs[i]
            if value not in self.exact or self.types[value] != self.types[result]:
                continue
            group = self.group[value].root()
            others = self.groups_of([e for e in node.inputs if e != value])
            if group.end != position or group in others:  # still needed, or read in another order while it is written
                continue
            mine = self.group[result].root()
            mine.nbytes -= self.types[result].nbytes
            group.take_in(mine)
            self.exact[result] = self.exact[value]
            return i
        return None

    def groups(self) -> Iterator[_Group]:
        """Return all groups, in the order in which they are made."""
        return iter(dict.fromkeys(group.root() for group in self.group.values()))


def plan_memory(
    nodes: Sequence[Node],
    roots: Sequence[Entry],
    types: TypeTable,
    placement_of: Callable[[Node], Placement],
    may_overwrite: Callable[[Node], Sequence[int]],
) -> MemoryPlan:
    """Plan the memory of a program.

    Parameters
    ----------
    nodes : sequence of Node
        In the order in which they run.
    roots : sequence of Entry
        Results: they outlive the program.
    types : TypeTable
        Sizes.
    placement_of : callable
        Where the results of a node lie.
    may_overwrite : callable
        Which inputs, by number, a node could write its result over if nobody needed them any more.
    """
    planner = _Planner(types, placement_of)
    for position, node in enumerate(nodes):
        planner.add(node, position)
    for group in planner.groups_of(roots):
        group.end = None
    overwritten = {}
    for position, node in enumerate(nodes):  # only now is every last use known
        candidates = may_overwrite(node)
        chosen = planner.overwrite(node, position, candidates) if candidates else None
        if chosen is not None:
            overwritten[node] = chosen
    lifetimes = {g.key: Lifetime(g.name, g.start, g.end, g.nbytes) for g in planner.groups()}
    group_of = {value: group.root().key for value, group in planner.group.items()}
    return MemoryPlan(lifetimes, group_of, planner.exact, overwritten, len(nodes))
