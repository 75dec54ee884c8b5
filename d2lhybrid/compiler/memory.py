"""Memory plan: when each value is used last, and which memory may be written again.

Values that may share memory (a reshape and its input) form one *storage*; a storage lives from
the first of its values to the last use of any of them. An operator may write its result over an
input where the input's storage was made by the program and this is its last use; the two are one
storage then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..symbol.node import Entry, Node
from .graph import TypeTable
from .lowering import is_view

__all__ = ["FRESH", "Lifetime", "MemoryPlan", "makes_fresh", "plan_memory"]

Key = tuple[int, int]


#: Operators whose kernels always return memory of their own, never a view of an input. A test runs them all.
FRESH = frozenset(
    {
        "Convolution", "Deconvolution", "Pooling", "BatchNorm", "LayerNorm", "dot", "batch_dot", "_npi_matmul",
        "_np_dot", "softmax", "log_softmax", "Embedding", "Concat", "stack", "_backward_Convolution_data",
        "_backward_Convolution_weight", "_backward_Pooling", "_backward_relu", "sigmoid", "_convolution_batch_last",
        "_pooling_batch_last", "_dense_batch_last", "_bias_batch_last", "_backward_convolution_batch_last_data",
        "_backward_convolution_batch_last_weight", "_backward_pooling_batch_last", "_backward_bias_batch_last",
        "_backward_dense_batch_last_weight", "_fused",
    }
)  # fmt: skip


def makes_fresh(node: Node) -> bool:
    """Return whether a node's result is known to be memory of its own."""
    return node.op is not None and node.op.name in FRESH


class Lifetime(NamedTuple):
    """Where a storage lives: positions in the list of nodes; ``end`` is None for results."""

    name: str
    start: int
    end: int | None
    nbytes: int


class MemoryPlan:
    """Lifetimes of all storages of one program.

    Attributes
    ----------
    lifetimes : dict
        Storage key -> :class:`Lifetime`.
    dead_after : list of list of Key
        For each node the storages that nobody needs after it.
    """

    def __init__(
        self,
        lifetimes: dict[Key, Lifetime],
        storage: dict[Key, Key],
        owned: set[Key],
        overwritten: dict[int, int],
        count: int,
    ) -> None:
        self.lifetimes, self._storage, self._owned, self._overwritten = lifetimes, storage, owned, overwritten
        self.dead_after: list[list[Key]] = [[] for _ in range(count)]
        for key, life in lifetimes.items():
            if life.end is not None and key in owned:
                self.dead_after[life.end].append(key)

    def storage_of(self, entry: Entry) -> Key:
        """Return the storage that holds an entry."""
        key = (id(entry[0]), entry[1])
        return self._storage.get(key, key)

    def overwrites(self, node: Node) -> int | None:
        """Return which input's memory a node writes its result over, None if it needs memory of its own."""
        return self._overwritten.get(id(node))

    @property
    def peak_bytes(self) -> int:
        """Largest number of bytes of storages that live at the same time."""
        events: dict[int, int] = {}
        count = len(self.dead_after)
        for key, life in self.lifetimes.items():
            if key not in self._owned:
                continue
            end = count if life.end is None else life.end
            events[life.start] = events.get(life.start, 0) + life.nbytes
            events[end + 1] = events.get(end + 1, 0) - life.nbytes
        peak = now = 0
        for position in sorted(events):
            now += events[position]
            peak = max(peak, now)
        return peak


class _Storages:
    """Storages under construction: which values share memory, and from where to where it is needed."""

    def __init__(self, types: TypeTable) -> None:
        self.types = types
        self.joined: dict[Key, Key] = {}
        self.owned: set[Key] = set()
        self.start: dict[Key, int] = {}
        self.end: dict[Key, int | None] = {}
        self.name: dict[Key, str] = {}
        self.nbytes: dict[Key, int] = {}

    def find(self, key: Key) -> Key:
        while key in self.joined and self.joined[key] != key:
            key = self.joined[key]
        return key

    def add(self, node: Node, position: int, fresh: bool) -> None:
        """Add the values that a node makes: memory of their own, or what its inputs may lie in."""
        used = [self.find((id(n), i)) for n, i in node.inputs]
        for key in used:
            if key in self.start:
                self.end[key] = position
        if node.op is None or node.op.name == "_constant":
            return  # given from outside: never ours to write
        for i in range(node.num_outputs):
            key = (id(node), i)
            self.start[key], self.end[key], self.name[key] = position, position, node.name
            self.nbytes[key] = self.types[node, i].nbytes
            self.owned.add(key)
            if not fresh:
                for other in dict.fromkeys(used):
                    self._share(self.find(key), self.find(other), position, is_view(node))

    def _share(self, root: Key, other: Key, position: int, view: bool) -> None:
        """Join two storages; the oldest member stands for both."""
        if root == other:
            return
        if other not in self.start:  # an input or a constant: nobody may write to what shares it
            self.owned.discard(root)
            return
        self.joined[root] = other
        self.end[other] = position
        if not view:  # a kernel that may return a view, or a copy
            self.nbytes[other] += self.nbytes[root]
        if root not in self.owned:
            self.owned.discard(other)

    def overwrite(self, node: Node, position: int, candidates: Sequence[int]) -> int | None:
        """Let a node write over an input that nobody needs after it; return which one."""
        mine = (id(node), 0)
        for i in candidates:
            other = self.find((id(node.inputs[i][0]), node.inputs[i][1]))
            is_last_use = other in self.owned and self.end[other] == position
            if is_last_use and self.types[node.inputs[i]] == self.types[node, 0]:
                self.joined[mine] = other
                self.end[other] = self.end[mine]
                return i
        return None


def plan_memory(
    nodes: Sequence[Node],
    roots: Sequence[Entry],
    types: TypeTable,
    is_fresh: Callable[[Node], bool],
    may_overwrite: Callable[[Node], Sequence[int]],
) -> MemoryPlan:
    """Plan the storages of a program.

    Parameters
    ----------
    nodes : sequence of Node
        In the order in which they run.
    roots : sequence of Entry
        Results: they outlive the program.
    types : TypeTable
        Sizes.
    is_fresh : callable
        Whether a node's result is memory of its own; else it may share memory with its inputs.
    may_overwrite : callable
        Which inputs, by number, a node could write its result over if nobody needed them any more.
    """
    storages = _Storages(types)
    for position, node in enumerate(nodes):
        storages.add(node, position, is_fresh(node))
    for node, i in roots:
        key = storages.find((id(node), i))
        if key in storages.start:
            storages.end[key] = None
    overwritten = {}
    for position, node in enumerate(nodes):  # only now is every last use known
        candidates = may_overwrite(node)
        chosen = storages.overwrite(node, position, candidates) if candidates else None
        if chosen is not None:
            overwritten[id(node)] = chosen
    find, start = storages.find, storages.start
    live = {k: Lifetime(storages.name[k], start[k], storages.end[k], storages.nbytes[k]) for k in start if find(k) == k}
    return MemoryPlan(
        live, {k: find(k) for k in start}, {k for k in storages.owned if find(k) == k}, overwritten, len(nodes)
    )
