"""Groups of nodes that one call of a block created, and the selection of the groups that get a frame."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..core.node import Node
from .graph_model import GraphGroup

__all__ = ["Call", "calls_of_names", "make_groups"]

#: The maximum number of operators directly in a group; a larger group is divided into groups of this size.
MAX_DIRECT, SLICE = 600, 100


class Call(NamedTuple):
    """A call of a block.

    Attributes
    ----------
    key : str
        Name of the block in its parent.
    kind : str
        Class of the block.
    number : int
        Number of the call of this block, from 1.
    """

    key: str
    kind: str = ""
    number: int = 1

    @property
    def text(self) -> str:
        """The key, with the number of the call from the second call on.

        Examples
        --------
        >>> Call("cell").text, Call("cell", "Dense", 2).text
        ('cell', 'cell (call 2)')
        """
        return self.key if self.number == 1 else f"{self.key} (call {self.number})"


Path = tuple[Call, ...]


def make_groups(
    paths: Sequence[Path], operators: Sequence[bool], backward: Sequence[bool], users: Mapping[int, Sequence[int]]
) -> tuple[dict[str, GraphGroup], list[str]]:
    """Return the groups that get a frame, and the innermost group of each node.

    Groups with fewer than two operators, and groups around a single group, are omitted. Nodes
    of the backward pass have separate groups. Groups with very many operators are divided.

    Parameters
    ----------
    paths : sequence of tuple of Call
        Calls of blocks around each node.
    operators : sequence of bool
        Whether each node is an operator; of the other nodes, only kept values belong to a group.
    backward : sequence of bool
        Whether each node belongs to the backward pass.
    users : mapping of int to sequence of int
        The users of each value that the forward function kept, by the value's index. The value belongs to the innermost
        group around all of its users.
    """
    count: Counter[tuple[bool, Path]] = Counter()
    for path, is_operator, late in zip(paths, operators, backward, strict=True):
        if is_operator:
            count.update((late, path[: depth + 1]) for depth in range(len(path)))
    kept: dict[tuple[bool, Path], str] = {}
    groups: dict[str, GraphGroup] = {}
    places = []
    both = any(backward) and not all(late for late, is_op in zip(backward, operators, strict=True) if is_op)
    inner = _only_children(count)
    for path, is_operator, late in zip(paths, operators, backward, strict=True):
        place, skipped = "", []
        for depth in range(len(path) if is_operator else 0):
            key = (late, path[: depth + 1])
            skipped.append(path[depth].text)
            if count[key] < 2 or key in inner:
                continue
            if key not in kept:
                label = ".".join(skipped)
                name = f"{place or ('backward' if late and both else '')}/{label}"
                kept[key] = name
                title = f"{label} (backward)" if late and both and not place else label
                groups[name] = GraphGroup(name, title, path[depth].kind, place)
            place, skipped = kept[key], []
        places.append(place)
    for i, its_users in users.items():
        places[i] = _around([places[user] for user in its_users], groups)
    _slice(groups, places, operators)
    return groups, places


def _around(places: Sequence[str], groups: dict[str, GraphGroup]) -> str:
    """Return the innermost group around all of some groups."""
    common: list[str] | None = None
    for place in places:
        chain: list[str] = []
        while place:
            chain.insert(0, place)
            place = groups[place].parent
        pairs = zip(chain if common is None else common, chain, strict=False)
        common = [a for a, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs)]
    return common[-1] if common else ""


def _slice(groups: dict[str, GraphGroup], places: list[str], operators: Sequence[bool]) -> None:
    """Divide groups that directly contain very many operators into groups of consecutive operators."""
    count = Counter(place for place, is_operator in zip(places, operators, strict=True) if is_operator)
    seen: Counter[str] = Counter()
    for i, place in enumerate(places):
        if not operators[i] or count[place] <= MAX_DIRECT:
            continue
        first = seen[place] // SLICE * SLICE + 1
        seen[place] += 1
        label = f"operators {first}–{min(first + SLICE - 1, count[place])}"
        name = f"{place}/{label}"
        groups.setdefault(name, GraphGroup(name, label, "", place))
        places[i] = name


def _only_children(count: Counter[tuple[bool, Path]]) -> set[tuple[bool, Path]]:
    """Return the groups that contain a single group and nothing else."""
    largest: dict[tuple[bool, Path], int] = {}
    for (late, path), number in count.items():
        if len(path) > 1:
            parent = (late, path[:-1])
            largest[parent] = max(largest.get(parent, 0), number)
    return {parent for parent, number in largest.items() if count[parent] == number}


def calls_of_names(nodes: Sequence[Node]) -> list[Path]:
    """Return the groups of each node, derived from its name: ``net0_dense0_fwd`` is in ``dense0`` in ``net0``.

    Only graphs from files and symbols that were not traced from a block need these groups. A part of a name becomes a
    group if at least two operators, but not all, have names that are the same up to and including this part.
    """
    operators = [node for node in nodes if node.op is not None]
    count: Counter[tuple[str, ...]] = Counter()
    for node in operators:
        parts = tuple(part for part in node.name.split("_") if part)[:-1]
        count.update(parts[: depth + 1] for depth in range(len(parts)))
    result: list[Path] = []
    for node in nodes:
        parts = tuple(part for part in node.name.split("_") if part)[:-1] if node.op is not None else ()
        path: list[Call] = []
        skipped: list[str] = []
        for depth in range(len(parts)):
            skipped.append(parts[depth])
            number = count[parts[: depth + 1]]
            if number == len(operators):
                skipped = []
            elif number >= 2:
                path.append(Call("_".join(skipped)))
                skipped = []
        result.append(tuple(path))
    return result
