"""The writer of the default backend, which generates NumPy expressions, and allocates and frees memory on demand.

The lines of an operator with a lowering may overwrite dead values. For any other operator, the program calls the
operator's kernel. The results of a program are contiguous, and they alias neither each other nor other memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..core.codegen import PythonSource, Writer
from ..core.graph import TensorType, TypeTable
from ..core.node import Entry, Node
from ..device import array_modules
from ..ops.repeated import repeated
from .emitter import Emitter, Host, Lowering, overwritable_inputs
from .memory import MemoryPlan, Placement, plan_memory

if TYPE_CHECKING:
    from ..core.options import Options

__all__ = ["NumPyWriter"]

#: The smallest size, in bytes, of a value for which a ``del`` pays off; smaller values live until the function returns.
_MIN_BYTES_TO_FREE = 1 << 14


class NumPyWriter(Writer, Host):
    """A writer of one function that allocates memory on demand and frees the memory of a value after its last use."""

    plan: MemoryPlan

    def __init__(
        self, name: str, inputs: Sequence[Node | Entry], roots: Sequence[Entry], types: TypeTable, options: Options
    ) -> None:
        Host.__init__(self)
        Writer.__init__(self, name, inputs, roots, types, options)
        if options.inputs_in_order:
            self.in_order.update(self.parameters)
        self._known_types: dict[Node, tuple[list[TensorType], list[TensorType]]] = {}
        self._known_lowerings: dict[Node, Lowering | None] = {}
        self._members: dict[Entry | None, list[Entry]] | None = None
        self._leaving: set[Any] = set()
        self._frees = False

    def _types_of(self, node: Node) -> tuple[list[TensorType], list[TensorType]]:
        known = self._known_types.get(node)
        if known is None:
            inputs = [self.types[e] for e in node.inputs]
            known = self._known_types[node] = inputs, [self.types[node, i] for i in range(node.num_outputs)]
        return known

    def _lowering(self, node: Node) -> Lowering | None:
        if node not in self._known_lowerings:
            self._known_lowerings[node] = self.options.lowering_of(node, *self._types_of(node))
        return self._known_lowerings[node]

    def placement(self, node: Node) -> Placement:
        """Return the placement of a node's results.

        Parameters
        ----------
        node : Node
            The node.

        Returns
        -------
        Placement
            The placement.
        """
        op = node.op
        if op is not None and op.view:
            return Placement.VIEW
        fresh = self._lowering(node) is not None or (op is not None and op.fresh)
        return Placement.FRESH if fresh else Placement.UNKNOWN

    def _overwritable(self, node: Node) -> Sequence[int]:
        if node.op is None or node.num_outputs != 1:
            return ()
        types, results = self._types_of(node)
        return overwritable_inputs(node, types, results[0])

    def run(self) -> PythonSource:
        """Plan the memory, write and compile the function, and return the function's source."""
        self.plan = plan_memory(self.nodes, self.roots, self.types, self.placement, self._overwritable)
        self._frees = any(life.nbytes >= _MIN_BYTES_TO_FREE for life in self.plan.lifetimes.values())
        self._leaving = {self.plan.group_of(e) for e in self.roots[: self.options.num_leaving]}
        return super().run()

    def lines_before_return(self) -> list[str]:
        """Return no lines, because the return statement copies results that alias other memory."""
        return []

    def results(self) -> str:
        """Return the text of the function's results, which alias no other memory."""
        return _results_text(self, self.plan)

    def lines(self, node: Node, arguments: list[str], outs: list[str]) -> list[str]:
        """Return the lines of a node's lowering, or the call of the node's kernel."""
        lowering = self._lowering(node)
        if lowering is None:
            return super().lines(node, arguments, outs)
        assert node.op is not None
        if node.op.view:
            return self._view(node, lowering, arguments, outs)
        chosen = self.plan.overwrites(node)
        if chosen is not None:
            destination: str | None = arguments[chosen]
            if destination in self.in_order:
                self.in_order.add(outs[0])
            if destination in self.static:
                self.rename(outs[0], destination)
                destination = outs[0]
        else:
            for i, out in enumerate(outs):
                self.place(node, i, out)
            destination = outs[0] if outs[0] in self.static else None
        types, results = self._types_of(node)
        emit = Emitter(self, node, types, results, arguments, outs, destination)
        lowering(emit)
        return emit.lines

    def beside(self, value: float, wish: str, name: str, kind: TensorType) -> str:
        """Return the name of a number, or of an array filled with the number if NumPy is faster with two arrays."""
        if self.xp is numpy and name in self.in_order:
            return self.constant(repeated(value, kind.shape, kind.dtype), wish)
        return super().beside(value, wish, name, kind)

    def place(self, node: Node, output: int, name: str) -> None:
        """Do nothing, because each value is allocated when it is computed.

        A subclass assigns a place in an arena.

        Parameters
        ----------
        node : Node
            The node.
        output : int
            Index of the output.
        name : str
            Name of the value.
        """

    def keep_view(self, name: str, expression: str) -> str | None:
        """Return None, because this writer keeps no views between calls.

        A subclass may return the name of a view that is created once.

        Parameters
        ----------
        name : str
            Name of the value.
        expression : str
            The expression of the view.

        Returns
        -------
        str or None
            Name of the view; None if the view is created at every call.
        """
        return None

    def rename(self, name: str, old: str) -> None:
        """Do nothing. In a subclass, add another name for the memory of a value.

        Parameters
        ----------
        name : str
            The new name.
        old : str
            Name of the value.
        """

    def _view(self, node: Node, lowering: Lowering, arguments: list[str], outs: list[str]) -> list[str]:
        """Return the line that creates a view; empty if the view is created once with the arena."""
        types, results = self._types_of(node)
        assert node.op is not None
        emit = Emitter(self, node, types, results, arguments, outs)
        lowering(emit)
        reshapes = node.op.view == "reshape"
        if arguments[0] in self.in_order and reshapes:
            self.in_order.add(outs[0])
        is_copy = reshapes and arguments[0] not in self.in_order  # reshaping an array that isn't contiguous copies it
        if arguments[0] in self.static and not is_copy:
            [line] = emit.lines
            if known := self.keep_view(outs[0], line.partition(" = ")[2]):
                self.of[node, 0] = known
                return []
        return emit.lines

    def lines_after(self, node: Node) -> list[str]:
        """Return a ``del`` statement for the dead values that are large enough; empty if there are none."""
        freed = self._freed(self.plan, self.position) if self._frees else []
        return [f"del {', '.join(freed)}"] if freed else []

    def _freed(self, plan: MemoryPlan, position: int) -> list[str]:
        """Return the names of the values that are dead after a position and large enough for a ``del``."""
        dead = plan.dead_after[position]
        if not any(plan.lifetimes[group].nbytes >= _MIN_BYTES_TO_FREE for group in dead):
            return []
        if self._members is None:
            self._members = {}
            for node in self.nodes:
                for value in [(node, i) for i in range(node.num_outputs)]:
                    self._members.setdefault(plan.group_of(value), []).append(value)
        labels = [self.of[node, i] for group in dead for node, i in self._members[group]]
        return [label for label in labels if label not in self.static]


def _results_text(writer: NumPyWriter, plan: MemoryPlan) -> str:
    """Return the text of the results.

    A caller may write into results, so they never alias an argument, a constant, or another output.
    """
    parts = []
    taken: list[tuple[str, set[Entry]]] = []
    for position, (node, i) in enumerate(writer.roots):
        label = writer.of[node, i]
        open_order = writer.options.inputs_in_order and label not in writer.in_order and node.op is not None
        result = label
        if open_order and writer.types[node, i].shape:
            result = f"{writer.function('ascontiguousarray')}({writer.copies_in_order.get(label, label)})"
        if position < writer.num_outputs and node.op is not None:
            homes = _homes(writer, (node, i))
            given = [writer.of[home] for home in homes if _is_given(writer, home)]
            own = {home for home in homes if not _is_given(writer, home)}
            before = [name for name, others in taken if not own.isdisjoint(others)]
            result = _output(writer, (node, i), result, plan, given, before)
            taken.append((label, own))
        parts.append(result)
    return ", ".join(parts) + ("," if len(parts) == 1 else "") if parts else "()"


def _output(writer: NumPyWriter, entry: Entry, label: str, plan: MemoryPlan, given: list[str], taken: list[str]) -> str:
    """Return the text of an output, which is copied if it may alias `given` values or earlier outputs."""
    node = entry[0]
    assert node.op is not None
    if node.is_constant or label in taken:
        return f"{label}.copy()" if writer.types[entry].shape else f"{writer.function('asarray')}({label}).copy()"
    if _is_turned(node):  # callers get contiguous arrays
        label = f"{writer.function('ascontiguousarray')}({label})"
    elif not writer.types[entry].shape:  # NumPy returns 0-d results as scalars
        label = f"{writer.function('asarray')}({label})"
    others = [*given, *taken]
    if others or not plan.is_exact(entry):
        writer.namespace["unshared"] = _unshared
        label = f"unshared({', '.join([label, *others])})"
    return label


def _homes(writer: NumPyWriter, entry: Entry) -> dict[Entry, None]:
    """Return the values of which a value may be a view, including itself.

    Two views need not alias the argument from which they were made: a reshape may have copied the argument, and both
    may be views of the copy.
    """
    found = {entry: None}
    stack = [entry]
    while stack:
        home = stack.pop()
        placement = Placement.FRESH if _is_given(writer, home) else writer.placement(home[0])
        if placement is Placement.FRESH:
            continue
        inputs = home[0].inputs[:1] if placement is Placement.VIEW else home[0].inputs
        for child in inputs:
            if child not in found:
                found[child] = None
                stack.append(child)
    return found


def _is_given(writer: NumPyWriter, entry: Entry) -> bool:
    """Return whether a value is an argument or a constant, which exists before the program runs."""
    node = entry[0]
    return entry in writer.given or node.op is None or node.is_constant


def _unshared(value: Any, *others: Any) -> Any:
    """Return a value that owns its memory, as a copy if the value aliases other values or repeats an element."""
    may_share = array_modules.module_of(value).may_share_memory
    if any(may_share(value, other) for other in others) or _repeats(value):
        return value.copy()
    return value


def _repeats(value: Any) -> bool:
    """Return whether elements of an array may share memory, so that a write into one element changes others."""
    if value.base is None or value.flags.c_contiguous:
        return not getattr(value.flags, "writeable", True)
    return True


def _is_turned(node: Node) -> bool:
    """Return whether a value is a transposed view."""
    while node.op is not None and node.op.view:
        if node.op.view == "transpose":
            return True
        node = node.inputs[0][0]
    return False
