"""The lines of user code behind a node or a generated line, also after fusion, layout, and differentiation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from ..core.codegen import PythonSource
from ..core.node import Node
from ..core.pipeline import Program
from ..support.places import Place

__all__ = ["generated_lines", "of_its_origin", "places_of", "together"]

_T = TypeVar("_T")


def places_of(node: Node, known: dict[str, tuple[Place, ...]]) -> tuple[Place, ...]:
    """Return the lines of user code behind a node, including the lines of all nodes that it replaces.

    Parameters
    ----------
    node : Node
        Node of any stage.
    known : dict
        Cache of the lines by node name; a node from a pass has the lines of its original.
    """
    members = getattr(node.params.get("body"), "nodes", ())
    found = tuple(dict.fromkeys(n.source for n in (node, *members) if n.source is not None))
    if found:
        known[node.name] = found
        return found
    return of_its_origin(node.name, known)


def of_its_origin(name: str, known: Mapping[str, tuple[_T, ...]]) -> tuple[_T, ...]:
    """Return the value in `known` for the longest prefix of a node's name, the name of its original; empty if unknown.

    Examples
    --------
    >>> of_its_origin("exp0_fwd_sqrt", {"exp0": ("line 3",)})
    ('line 3',)
    """
    while name:
        if name in known:
            return known[name]
        name = name.rpartition("_")[0]
    return ()


def generated_lines(program: Program) -> Iterator[tuple[PythonSource, int, tuple[Place, ...]]]:
    """Yield each line of a program's functions that computes a node, with the corresponding lines of user code."""
    known: dict[str, tuple[Place, ...]] = {}
    for stage in program.stages[:1]:
        for node in stage.graph.nodes:
            places_of(node, known)
    for function in (f for f in (program.forward, program.backward) if f is not None):
        for number, node in sorted(function.line_nodes.items()):
            yield function, number, places_of(node, known)


def together(groups: Iterable[tuple[Place, ...]]) -> list[list[Place]]:
    """Return the groups of lines of user code that share a generated line.

    Examples
    --------
    >>> a, b, c = (Place("net.py", line) for line in (3, 4, 5))
    >>> [[place.line for place in lines] for lines in together([(a,), (b, c), (c,)])]
    [[3], [4, 5]]
    """
    found: list[dict[Place, None]] = []
    for places in groups:
        mine = dict.fromkeys(places)
        for other in [one for one in found if any(place in one for place in places)]:
            found.remove(other)
            mine |= other
        if mine:
            found.append(mine)
    return sorted((sorted(lines, key=_place) for lines in found), key=lambda lines: _place(lines[0]))


def _place(place: Place) -> tuple[str, int]:
    return place.file, place.line
