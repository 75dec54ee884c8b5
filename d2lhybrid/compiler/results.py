"""What a program returns: memory that nobody else has, with its elements in the order of the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.node import Entry, Node
from ..device import backend
from .memory import MemoryPlan, Placement

if TYPE_CHECKING:
    from .numpy_writer import NumPyWriter

__all__ = ["results_text"]


def results_text(writer: NumPyWriter, plan: MemoryPlan) -> str:
    """Return the text of the results.

    What a caller gets may be written to: it is never memory of an argument, of a constant or of another output.
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
    """Return the text of an output; what is given and what outputs before it are may lie in the same memory."""
    node = entry[0]
    assert node.op is not None
    if node.is_constant or label in taken:
        return f"{label}.copy()" if writer.types[entry].shape else f"{writer.function('asarray')}({label}).copy()"
    if _is_turned(node):  # its elements lie in another order than its axes: callers get them in order
        label = f"{writer.function('ascontiguousarray')}({label})"
    elif not writer.types[entry].shape:  # NumPy's results without axes are no arrays
        label = f"{writer.function('asarray')}({label})"
    others = [*given, *taken]
    if others or not plan.is_exact(entry):
        writer.namespace["unshared"] = _unshared
        label = f"unshared({', '.join([label, *others])})"
    return label


def _homes(writer: NumPyWriter, entry: Entry) -> dict[Entry, None]:
    """Return the values that a value may be a view of, itself among them.

    Two views of what is given need not lie in it: a reshape on the way may have copied, and both lie in the copy.
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
    """Return whether a value is there before the program runs: an argument, or a constant."""
    node = entry[0]
    return entry in writer.given or node.op is None or node.is_constant


def _unshared(value: Any, *others: Any) -> Any:
    """Return a value as memory of its own: copied if it shares memory with others, or shows an element many times."""
    may_share = backend.module_of(value).may_share_memory
    if any(may_share(value, other) for other in others) or _repeats(value):
        return value.copy()
    return value


def _repeats(value: Any) -> bool:
    """Return whether elements of an array may be one in memory, so that a write into one changes others."""
    if value.base is None or value.flags.c_contiguous:
        return not getattr(value.flags, "writeable", True)
    return True


def _is_turned(node: Node) -> bool:
    """Return whether a value is a view of one whose axes lie in another order."""
    while node.op is not None and node.op.view:
        if node.op.view == "transpose":
            return True
        node = node.inputs[0][0]
    return False
