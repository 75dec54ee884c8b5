"""The memory plan of a program: the placement of values, the liveness of memory, and its reuse.

A *value* is an entry, that is, one output of a node. A *piece* is memory that one line of the program allocates. A
piece has the name of the value for which it was allocated. According to its :class:`Placement`, a value owns a piece or
is a view of its first input, or the placement is unknown because a kernel decides at run time. All pieces that one
value may alias form a *group*. The pieces of a group are freed together, after the last use of any value in them.

An operator may overwrite an input with its result if the input's group is dead afterwards, and if the input is known to
contain each element of one piece of this program exactly once. The result is then another value in the same piece.
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
    """The placement of a node's results: in new memory, as a view of the first input, or unknown."""

    #: Each result owns a piece.
    FRESH = "fresh"
    #: The result is a view of the first input, reshaped or transposed, with each element exactly once.
    VIEW = "view"
    #: Each result is a new piece or a view of any input, in which elements may be repeated or missing.
    UNKNOWN = "unknown"


class Lifetime(NamedTuple):
    """The live range of a group, as positions in the list of nodes; ``end`` is None for results of the program."""

    name: str
    start: int
    end: int | None
    nbytes: int


class MemoryPlan(Shown):
    """The plan that assigns the values of one program to memory.

    Attributes
    ----------
    lifetimes : dict of Entry to Lifetime
        The live range of each group of pieces, by the entry that represents it.
    dead_after : list of list of Entry
        For each node, the groups that are dead after this node.
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
        """Return the entry that represents the group of pieces that a value may alias.

        Parameters
        ----------
        value : Entry
            The value.

        Returns
        -------
        Entry or None
            The entry that represents the group; None if the value only aliases arguments and constants.
        """
        return self._group.get(value)

    def is_exact(self, value: Entry) -> bool:
        """Return whether a value is known to contain each element of one piece of memory exactly once.

        Parameters
        ----------
        value : Entry
            The value.

        Returns
        -------
        bool
            Whether the value covers a piece exactly.
        """
        return value in self._exact

    def overwrites(self, node: Node) -> int | None:
        """Return the index of the input that a node overwrites with its result.

        Parameters
        ----------
        node : Node
            The node.

        Returns
        -------
        int or None
            The index; None if the node needs new memory.
        """
        return self._overwritten.get(node)

    @property
    def peak_bytes(self) -> int:
        """The largest number of bytes that are live at the same time."""
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
    """A group: pieces that are freed together."""

    __slots__ = ("end", "joined_to", "key", "name", "nbytes", "start")

    def __init__(self, key: Entry, position: int, nbytes: int) -> None:
        self.key, self.name, self.start, self.nbytes = key, key[0].name, position, nbytes
        self.end: int | None = position
        self.joined_to: _Group | None = None

    def root(self) -> _Group:
        """Return the group into which this group has been merged."""
        if self.joined_to is None:
            return self
        root = self
        while root.joined_to is not None:
            root = root.joined_to
        group = self
        while group is not root:  # path compression
            following = group.joined_to
            assert following is not None
            group.joined_to, group = root, following
        return root

    def take_in(self, other: _Group) -> None:
        """Merge another group into this one, which then covers the live ranges of both."""
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
        #: The group of each value that may be in memory of this program.
        self.group: dict[Entry, _Group] = {}
        #: The piece of each value, if it is known.
        self.exact: dict[Entry, Entry] = {}

    def add(self, node: Node, position: int) -> None:
        """Place the results of a node, and extend the live ranges of its inputs to its position."""
        used = self.groups_of(node.inputs)
        for group in used:
            group.end = position
        if node.op is None or node.is_constant:
            return  # arguments and constants are never overwritten
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
        """Return the groups of some values, without duplicates."""
        found: dict[_Group, None] = {}
        for value in values:
            group = self.group.get(value)
            if group is not None:
                found[group.root()] = None
        return list(found)

    def overwrite(self, node: Node, position: int, candidates: Sequence[int]) -> int | None:
        """Let a node overwrite an input that is dead after it, and return the index of this input."""
        result = (node, 0)
        for i in candidates:
            value = node.inputs[i]
            if value not in self.exact or self.types[value] != self.types[result]:
                continue
            group = self.group[value].root()
            others = self.groups_of([e for e in node.inputs if e != value])
            if group.end != position or group in others:  # the input is live, or it is also read in another order
                continue
            mine = self.group[result].root()
            mine.nbytes -= self.types[result].nbytes
            group.take_in(mine)
            self.exact[result] = self.exact[value]
            return i
        return None

    def groups(self) -> Iterator[_Group]:
        """Return all groups, in the order of allocation."""
        return iter(dict.fromkeys(group.root() for group in self.group.values()))


def plan_memory(
    nodes: Sequence[Node],
    roots: Sequence[Entry],
    types: TypeTable,
    placement_of: Callable[[Node], Placement],
    may_overwrite: Callable[[Node], Sequence[int]],
) -> MemoryPlan:
    """Assign memory to each value of a program, and plan when memory is reused.

    Parameters
    ----------
    nodes : sequence of Node
        The nodes in the order in which they run.
    roots : sequence of Entry
        The results, which outlive the program.
    types : TypeTable
        The sizes of values.
    placement_of : callable
        A function that returns the placement of a node's results.
    may_overwrite : callable
        A function that returns the indices of the inputs that a node could overwrite if they were dead.

    Returns
    -------
    MemoryPlan
        The plan.
    """
    planner = _Planner(types, placement_of)
    for position, node in enumerate(nodes):
        planner.add(node, position)
    for group in planner.groups_of(roots):
        group.end = None
    overwritten = {}
    for position, node in enumerate(nodes):  # the first loop has found all last uses
        candidates = may_overwrite(node)
        chosen = planner.overwrite(node, position, candidates) if candidates else None
        if chosen is not None:
            overwritten[node] = chosen
    lifetimes = {g.key: Lifetime(g.name, g.start, g.end, g.nbytes) for g in planner.groups()}
    group_of = {value: group.root().key for value, group in planner.group.items()}
    return MemoryPlan(lifetimes, group_of, planner.exact, overwritten, len(nodes))
