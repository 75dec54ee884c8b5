"""Memory plan: when each value is used last, and which memory may be written again.

Values that may share memory (a reshape and its input) form one *storage*; a storage lives from
the first of its values to the last use of any of them. A value can be overwritten in place where
its storage was made by the program, nobody outside holds it, and this is its last use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..symbol.node import Entry, Node
from .graph import TypeTable

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

    def __init__(self, lifetimes: dict[Key, Lifetime], storage: dict[Key, Key], owned: set[Key], count: int) -> None:
        self.lifetimes, self._storage, self._owned = lifetimes, storage, owned
        self.dead_after: list[list[Key]] = [[] for _ in range(count)]
        for key, life in lifetimes.items():
            if life.end is not None and key in owned:
                self.dead_after[life.end].append(key)

    def storage_of(self, entry: Entry) -> Key:
        """Return the storage that holds an entry."""
        key = (id(entry[0]), entry[1])
        return self._storage.get(key, key)

    def may_overwrite(self, entry: Entry, position: int) -> bool:
        """Return whether the node at a position may write over one of its inputs."""
        key = self.storage_of(entry)
        return key in self._owned and self.lifetimes[key].end == position

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


def plan_memory(
    nodes: Sequence[Node], roots: Sequence[Entry], types: TypeTable, is_fresh: Callable[[Node], bool]
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
    """
    storage: dict[Key, Key] = {}
    owned: set[Key] = set()
    start: dict[Key, int] = {}
    end: dict[Key, int | None] = {}
    name: dict[Key, str] = {}
    nbytes: dict[Key, int] = {}

    def find(key: Key) -> Key:
        while key in storage and storage[key] != key:
            key = storage[key]
        return key

    for position, node in enumerate(nodes):
        used = [find((id(n), i)) for n, i in node.inputs]
        for key in used:
            if key in start:
                end[key] = position
        if node.op is None or node.op.name == "_constant":
            continue  # given from outside: never ours to write
        fresh = is_fresh(node)
        for i in range(node.num_outputs):
            key = (id(node), i)
            start[key], end[key], name[key] = position, position, node.name
            nbytes[key] = types[node, i].nbytes
            if fresh:
                owned.add(key)
                continue
            owned.add(key)
            for other in dict.fromkeys(used):
                # One storage for all that may share: the oldest member stands for it.
                root, joined = find(key), find(other)
                if root == joined:
                    continue
                if joined not in start:  # an input or a constant: nobody may write to what shares it
                    owned.discard(root)
                    continue
                storage[root] = joined
                end[joined] = position
                nbytes[joined] += nbytes[root]
                if root not in owned:
                    owned.discard(joined)
    for node, i in roots:
        key = find((id(node), i))
        if key in start:
            end[key] = None
    live = {k: Lifetime(name[k], start[k], end[k], nbytes[k]) for k in start if find(k) == k}
    return MemoryPlan(live, {k: find(k) for k in start}, {k for k in owned if find(k) == k}, len(nodes))
