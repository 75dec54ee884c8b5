"""The writer for ``static_alloc``, which keeps the values of a function in one arena between calls.

With ``static_shape``, views of the arena are created only once, too, and on a GPU, the launches of a function may be
recorded in a CUDA graph.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.codegen import Body, PythonSource
from ..core.graph import TensorType, TypeTable
from ..core.node import Entry, Node
from .arena import Arena, Workspaces
from .numpy_writer import NumPyWriter

if TYPE_CHECKING:
    from ..core.options import Options

__all__ = ["Recordable", "StaticSource", "StaticWriter"]


class Recordable(NamedTuple):
    """The properties of a generated function on which the recording of its GPU launches depends.

    Attributes
    ----------
    used : tuple of int
        The indices of the arguments that the function reads.
    changing : frozenset of int
        The indices of the arguments that change with every call.
    num_leaving : int
        The number of leading results that a caller may keep.
    nodes : tuple of Node
        The nodes that the function evaluates.
    nbytes : int
        The total size, in bytes, of the changing arguments that the function reads and of the results that a caller may
        keep.
    """

    used: tuple[int, ...]
    changing: frozenset[int]
    num_leaving: int
    nodes: tuple[Node, ...]
    nbytes: int


class StaticSource(PythonSource):
    """A generated function whose values are in an arena.

    Attributes
    ----------
    recorder : callable or None
        The function that returns a version of the generated function that records its launches on a GPU; None if
        launches aren't recorded.
    """

    arena_bytes: int

    def __init__(
        self, *given: Any, allocation: Sequence[str], arena_bytes: int,
        recorder: Callable[[Callable[..., Any]], Callable[..., Any]] | None,
    ) -> None:  # fmt: skip
        self.allocation, self.arena_bytes, self.recorder = list(allocation), arena_bytes, recorder
        super().__init__(*given)

    def made(self) -> Callable[..., Any]:
        """Return the compiled function, which takes a free arena for each call if it uses an arena."""
        make, recorder = self.namespace.get("with_arena", lambda: self.namespace[self.name]), self.recorder
        if recorder is not None:
            self.workspaces = Workspaces(lambda: recorder(make()))  # each arena has its own recordings
        elif self.allocation:
            self.workspaces = Workspaces(make)
        return self.namespace[self.name] if self.workspaces is None else self.run_once

    def run_once(self, *arguments: Any) -> Any:
        """Run the function in a free arena, and release the arena.

        Results in the arena are valid until the next call.

        Parameters
        ----------
        *arguments : array
            The arguments.

        Returns
        -------
        tuple of array
            The results.
        """
        assert self.workspaces is not None
        run = self.workspaces.take()
        results = run(*arguments)
        self.workspaces.give(run)
        return results

    @property
    def launches(self) -> str:  # type: ignore[override]
        """A description of the CUDA graph's state; empty if the launches aren't recorded in a CUDA graph."""
        if self.workspaces is None:
            return ""
        return next((getattr(run, "state", "") for run in self.workspaces.idle), "")

    def __str__(self) -> str:
        if not self.allocation:
            return self.text
        lines = ["def with_arena():", *(f"    {line}" for line in self.allocation), ""]
        lines += [f"    {line}" for line in self.text.splitlines()]
        return "\n".join([*lines, "", f"    return {self.name}", ""])


class StaticWriter(NumPyWriter):
    """A writer of functions whose values are in an arena."""

    def __init__(
        self, name: str, inputs: Sequence[Node | Entry], roots: Sequence[Entry], types: TypeTable, options: Options
    ) -> None:
        super().__init__(name, inputs, roots, types, options)
        self.arena: Arena = Arena()

    def scratch(self, wish: str, kind: TensorType) -> str:
        """Return the name of a workspace in the arena for one node."""
        name = self.names.get(wish)
        self.arena.add(name, kind, self.position, self.position)
        self.static.add(name)
        self.in_order.add(name)
        return name

    def static_view(self, wish: str, expression: str) -> str | None:
        """Return the name of a view that is created once with the arena, or None without ``static_shape``."""
        if not self.options.static_shape:
            return None
        return self.arena.add_view(expression, lambda: self.names.get(wish))

    def place(self, node: Node, output: int, name: str) -> None:
        """Assign a place in the arena to a value that the caller can't keep."""
        group = self.plan.group_of((node, output))
        if group is None or group in self._leaving or not self.types[node, output].shape:
            return
        end = self.plan.lifetimes[group].end
        self.arena.add(name, self.types[node, output], self.position, len(self.nodes) if end is None else end)
        self.static.add(name)
        self.in_order.add(name)

    def keep_view(self, name: str, expression: str) -> str | None:
        """Return the name of a view that is created once with the arena. Nodes with equal views share one view.

        Parameters
        ----------
        name : str
            Name of the value.
        expression : str
            The expression of the view.

        Returns
        -------
        str or None
            Name of the view; None without ``static_shape``.
        """
        if not self.options.static_shape:
            return None
        known = self.arena.add_view(expression, lambda: name)
        self.static.add(known)
        return known

    def rename(self, name: str, old: str) -> None:
        """Add another name for a place in the arena."""
        self.static.add(name)
        self.arena.add_name(name, old)

    def source(self, text: str, line_nodes: dict[int, Node], body: Body) -> StaticSource:
        """Return the compiled source code of the function and of the lines that allocate its arena."""
        allocation = self.arena.lines(self.xp, self.namespace, self.function)
        recorder = self.options.recorder and functools.partial(self.options.recorder, self._recordable(body))
        return StaticSource(
            self.name, text, self.namespace, line_nodes, self.plan, self.uses_generator, self.of,
            allocation=allocation, arena_bytes=self.arena.nbytes, recorder=recorder,
        )  # fmt: skip

    def _recordable(self, body: Body) -> Recordable:
        words = set(re.findall(r"\w+", "\n".join(text for text, _ in body)))
        arguments = [*self.parameters, *(["rng"] if self.uses_generator else [])]
        used = tuple(i for i, label in enumerate(arguments) if label in words)
        changing = self.options.changing.intersection(used)
        leaving = self.roots[: self.options.num_leaving]
        copied = [self.types[self.inputs[i]].nbytes for i in changing] + [self.types[e].nbytes for e in leaving]
        nodes = tuple({node: node for _, node in body if node is not None}.values())
        return Recordable(used, self.options.changing, self.options.num_leaving, nodes, sum(copied))
