"""The arena of ``static_alloc``: one block of memory for all values of a program, allocated once.

Every value has a place (an offset and a size) and a live range, from the line that computes the value to its last use.
Values may overlap in memory if their live ranges don't overlap. A call takes a free arena and returns it at the end, so
that threads and re-entrant calls never share an arena.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ..core.graph import TensorType

__all__ = ["Arena", "Place", "Workspaces", "aligned_bytes", "assign_offsets"]

#: The alignment of places, in bytes: the size of a cache line.
ALIGNMENT = 64


class Place(NamedTuple):
    """A value in the arena, with its type and its live range."""

    name: str
    type: TensorType
    start: int
    end: int


def assign_offsets(places: Sequence[Place]) -> tuple[list[int], int]:
    """Return the offset of each place and the size of the arena, in bytes.

    The strategy is best fit: each place takes the smallest free gap that is large enough. If there is no such gap, the
    arena grows.

    Parameters
    ----------
    places : sequence of Place
        The places, ordered by the start of their live ranges.

    Returns
    -------
    tuple of (list of int, int)
        The offsets, and the size of the arena, in bytes.
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
        elif gaps and sum(gaps[-1]) == total:  # the last gap ends at the arena's end and can grow
            offset, _ = gaps.pop()
            total = offset + size
        else:
            offset, total = total, total + size
        heapq.heappush(ending, (place.end, offset, size))
        offsets.append(offset)
    return offsets, total


def _with_gap(gaps: list[tuple[int, int]], offset: int, size: int) -> list[tuple[int, int]]:
    """Return the gaps after adding one, which is merged with adjacent gaps."""
    joined: list[tuple[int, int]] = []
    for start, length in sorted([*gaps, (offset, size)]):
        if joined and sum(joined[-1]) == start:
            joined[-1] = (joined[-1][0], joined[-1][1] + length)
        else:
            joined.append((start, length))
    return joined


def aligned_bytes(nbytes: int, xp: Any = numpy) -> Any:
    """Return an uninitialized array of bytes that starts at a multiple of :data:`ALIGNMENT`.

    The memory of a large NumPy array usually starts 16 bytes after the start of a cache line, so each load of a 64-byte
    vector reads two cache lines.

    Parameters
    ----------
    nbytes : int
        Number of bytes.
    xp : module
        NumPy or CuPy.

    Returns
    -------
    numpy.ndarray or cupy.ndarray
        The array, of uint8.
    """
    memory = xp.empty(nbytes + ALIGNMENT, xp.uint8)
    address = memory.ctypes.data if xp is numpy else memory.data.ptr
    first = -address % ALIGNMENT
    return memory[first : first + nbytes]


class Arena:
    """The places and views in an arena for a program's values, collected while the program is generated.

    Attributes
    ----------
    nbytes : int
        The size of the arena in bytes, which is set when the source code is generated.
    """

    nbytes: int

    def __init__(self) -> None:
        self.nbytes = 0
        self._places: list[Place] = []
        self._views: list[tuple[str, str]] = []
        self._known: dict[str, str] = {}

    def add(self, name: str, kind: TensorType, start: int, end: int) -> None:
        """Add a value to the arena, with its type and its live range.

        Parameters
        ----------
        name : str
            Name of the value.
        kind : TensorType
            Shape and element type of the value.
        start, end : int
            The number of the line that computes the value, and of the line that last uses it.
        """
        self._places.append(Place(name, kind, start, end))

    def add_name(self, name: str, old: str) -> None:
        """Add the name of a value that overwrites another value in the same memory.

        Parameters
        ----------
        name : str
            The new name.
        old : str
            Name of the overwritten value.
        """
        self._views.append((name, old))

    def add_view(self, expression: str, name: Callable[[], str]) -> str:
        """Return the name of a view of a value in the arena, and add the view unless an earlier call has added it.

        Parameters
        ----------
        expression : str
            The expression of the view.
        name : callable
            Function that returns a name for a new view.

        Returns
        -------
        str
            The name of the view.
        """
        if expression not in self._known:
            self._known[expression] = name()
            self._views.append((self._known[expression], expression))
        return self._known[expression]

    def lines(self, xp: Any, namespace: dict[str, Any], function: Callable[[str], str]) -> list[str]:
        """Return the lines that allocate the arena and create its places and views.

        Parameters
        ----------
        xp : module
            NumPy or CuPy.
        namespace : dict of str to object
            The global variables of the source code. This method adds the objects that the lines need.
        function : callable
            Function that returns the program's name for a function of the array module.

        Returns
        -------
        list of str
            The lines; empty if there are no places.
        """
        if not self._places:
            return []
        offsets, self.nbytes = assign_offsets(self._places)
        namespace["aligned_bytes"] = lambda nbytes: aligned_bytes(nbytes, xp)
        lines = [f"arena = aligned_bytes({self.nbytes})"]
        for place, offset in zip(self._places, offsets, strict=True):
            kind = place.type
            dtype = function(kind.dtype.name)
            piece = f"arena[{offset}:{offset + kind.nbytes}].view({dtype}).reshape({kind.shape})"
            lines.append(f"{place.name} = {piece}")
        return lines + [f"{name} = {expression}" for name, expression in self._views]


class Workspaces:
    """The arenas of a program, one for each simultaneous call.

    Parameters
    ----------
    with_arena : callable
        A function that allocates an arena and returns the version of the program's function that uses it.
    """

    def __init__(self, with_arena: Callable[[], Callable[..., Any]]) -> None:
        self._with_arena = with_arena
        self._free: list[Callable[..., Any]] = []

    @property
    def idle(self) -> list[Callable[..., Any]]:
        """The versions of the program's function whose arenas are free."""
        return list(self._free)

    def take(self) -> Callable[..., Any]:
        """Return a version of the program's function whose arena is free, and allocate an arena if none is free.

        Returns
        -------
        callable
            The function.
        """
        try:
            return self._free.pop()  # atomic: no two threads get the same function
        except IndexError:
            return self._with_arena()

    def wrap(self, wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        """Wrap every function that :meth:`take` returns from now on.

        Parameters
        ----------
        wrapper : callable
            Function that takes a program's function and returns a wrapper of this function.
        """
        with_arena = self._with_arena
        self._with_arena = lambda: wrapper(with_arena())
        self._free = [wrapper(run) for run in self._free]

    def give(self, run: Callable[..., Any]) -> None:
        """Mark the arena of a function as free, after the last use of the arena.

        Parameters
        ----------
        run : callable
            The function from :meth:`take`.
        """
        self._free.append(run)
