"""The arena of ``static_alloc``: one piece of memory for all values of a program, made once.

Every value has a place (an offset and a size) and a time (from the line that makes it to the last
that uses it); values whose times do not meet may have the same place. A call takes an arena that no
other call is using, and gives it back: threads and re-entrant calls never share one.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ..core.graph import TensorType

__all__ = ["Arena", "Place", "Workspaces", "assign_offsets"]

#: Places begin at multiples of this many bytes: the width of a cache line.
ALIGNMENT = 64


class Place(NamedTuple):
    """A value in the arena: its type, the first and the last line at which it is needed."""

    name: str
    type: TensorType
    start: int
    end: int


def assign_offsets(places: Sequence[Place]) -> tuple[list[int], int]:
    """Return an offset for each place, and the size of the whole.

    In the order of time, each place takes the smallest gap that is free and large enough, or grows
    the arena. Places must be ordered by their start.
    """
    gaps: list[tuple[int, int]] = []  # (offset, size), by offset
    ending: list[tuple[int, int, int]] = []  # (end, offset, size)
    offsets, total = [], 0
    for place in places:
        while ending and ending[0][0] < place.start:
            _, offset, size = heapq.heappop(ending)
            gaps = _with_gap(gaps, offset, size)
        size = -(-max(place.type.nbytes, 1) // ALIGNMENT) * ALIGNMENT
        fitting = [(gap[1], i) for i, gap in enumerate(gaps) if gap[1] >= size]
        if fitting:
            _, i = min(fitting)
            offset, free = gaps[i]
            gaps[i : i + 1] = [(offset + size, free - size)] if free > size else []
        elif gaps and sum(gaps[-1]) == total:  # the last gap reaches the end: grow it
            offset, _ = gaps.pop()
            total = offset + size
        else:
            offset, total = total, total + size
        heapq.heappush(ending, (place.end, offset, size))
        offsets.append(offset)
    return offsets, total


def _with_gap(gaps: list[tuple[int, int]], offset: int, size: int) -> list[tuple[int, int]]:
    """Return the gaps with one more, joined with its neighbours."""
    joined: list[tuple[int, int]] = []
    for start, length in sorted([*gaps, (offset, size)]):
        if joined and sum(joined[-1]) == start:
            joined[-1] = (joined[-1][0], joined[-1][1] + length)
        else:
            joined.append((start, length))
    return joined


def _aligned(nbytes: int, xp: Any) -> Any:
    """Return bytes that begin at a multiple of the alignment."""
    memory = xp.empty(nbytes + ALIGNMENT, xp.uint8)
    address = memory.ctypes.data if xp is numpy else memory.data.ptr
    first = -address % ALIGNMENT
    return memory[first : first + nbytes]


class Arena:
    """The places and views of a program, while it is written.

    Attributes
    ----------
    nbytes : int
        Size, once the text is written.
    """

    nbytes: int

    def __init__(self) -> None:
        self.nbytes = 0
        self._places: list[Place] = []
        self._views: list[tuple[str, str]] = []
        self._known: dict[str, str] = {}

    def add(self, name: str, kind: TensorType, start: int, end: int) -> None:
        """Add a value."""
        self._places.append(Place(name, kind, start, end))

    def add_name(self, name: str, old: str) -> None:
        """Add a second name for a value that is written over: the same memory, another meaning."""
        self._views.append((name, old))

    def add_view(self, expression: str, name: Callable[[], str]) -> str:
        """Add a view of values that are in the arena; return its name."""
        if expression not in self._known:
            self._known[expression] = name()
            self._views.append((self._known[expression], expression))
        return self._known[expression]

    def lines(self, xp: Any, namespace: dict[str, Any], function: Callable[[str], str]) -> list[str]:
        """Return the lines that make the arena, its places and their views; none if there are no places."""
        if not self._places:
            return []
        offsets, self.nbytes = assign_offsets(self._places)
        namespace["aligned_bytes"] = lambda nbytes: _aligned(nbytes, xp)
        lines = [f"arena = aligned_bytes({self.nbytes})"]
        for place, offset in zip(self._places, offsets, strict=True):
            kind = place.type
            dtype = function(kind.dtype.name)
            piece = f"arena[{offset}:{offset + kind.nbytes}].view({dtype}).reshape({kind.shape})"
            lines.append(f"{place.name} = {piece}")
        return lines + [f"{name} = {expression}" for name, expression in self._views]


class Workspaces:
    """One program with arenas: as many as were ever needed at the same time.

    Parameters
    ----------
    with_arena : callable
        Makes an arena, and returns the function that works in it.
    """

    def __init__(self, with_arena: Callable[[], Callable[..., Any]]) -> None:
        self._with_arena = with_arena
        self._free: list[Callable[..., Any]] = []

    @property
    def idle(self) -> list[Callable[..., Any]]:
        """The functions whose arenas nobody is using."""
        return list(self._free)

    def take(self) -> Callable[..., Any]:
        """Return the function with an arena that nobody else is using."""
        try:
            return self._free.pop()  # one step for Python: no two threads get the same one
        except IndexError:
            return self._with_arena()

    def wrap(self, wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        """Have a wrapper around every function that is taken from now on."""
        with_arena = self._with_arena
        self._with_arena = lambda: wrapper(with_arena())
        self._free = [wrapper(run) for run in self._free]

    def give(self, run: Callable[..., Any]) -> None:
        """Give back what was taken, when nothing in its arena is needed any more."""
        self._free.append(run)
