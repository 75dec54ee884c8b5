"""What follows from parameters alone, in prediction: found in a graph, computed once, kept between calls."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..support import clock
from . import parallel
from .node import Entry, Node

if TYPE_CHECKING:
    from .graph import Graph
    from .pipeline import Program

__all__ = ["fixed_nodes", "prepared_entries", "prepared_values"]


def fixed_nodes(graph: Graph) -> set[Node]:
    """Return what stays until a parameter changes, in prediction: parameters, and what follows from them alone."""
    changing = {update.variable for update in graph.updates}
    fixed = {n for n in graph.inputs[graph.num_data :] if n not in changing}
    if not fixed or graph.training:
        return set()
    for node in graph.nodes:
        if node.op is None or not node.op.pure or node.op.uses_generator or not node.inputs:
            continue
        if all(n in fixed or n.is_constant for n, _ in node.inputs) and any(n in fixed for n, _ in node.inputs):
            fixed.add(node)
    return fixed


def prepared_entries(graph: Graph) -> tuple[Entry, ...]:
    """Return the values that follow from parameters alone, and are used by something that does not."""
    fixed = fixed_nodes(graph)
    if not fixed:
        return ()
    results = {n for n, _ in graph.roots}  # these belong to the caller, and are made anew
    found: dict[Entry, Entry] = {}
    for node in graph.nodes:
        if node.op is None or (node in fixed and node not in results):
            continue
        for child, i in node.inputs:
            if child in fixed and child.op is not None:
                found.setdefault((child, i), (child, i))
    # A result that nothing else reads is computed by the program, and with it all other outputs of its node.
    again = {n for n, i in graph.roots if (n, i) not in found}
    return tuple(entry for entry in found.values() if entry[0] not in again)


def prepared_values(program: Program, raws: Sequence[Any]) -> tuple[Any, ...]:
    """Return what depends on parameters alone: computed again only if a parameter may have changed.

    Parameters
    ----------
    program : Program
        Whose ``prepare`` is to be run.
    raws : sequence of array
        The inputs of the program, in order.
    """
    if program.prepare is None:
        return ()
    parameters = raws[program.graph.num_data :]
    now = clock.stamp(parameters)  # read before the values: a write that comes in between is seen the next time
    memory, times = program.prepared_values.get(program.prepare.text), None
    if memory is not None and now is not clock.SHARED and all(map(operator.is_, memory[1], parameters)):
        if memory[0] is now:
            return memory[2]
        times = clock.watch(parameters)
        if memory[3] == times:  # somebody has written, into other arrays
            program.prepared_values[program.prepare.text] = (now, *memory[1:])
            return memory[2]
    times = times or clock.watch(parameters)
    prepare = program.prepare.function
    values = parallel.threads.run(prepare, *raws) if program.prepare.threaded else prepare(*raws)
    if program._recorded:
        values = _kept_in_place(values, None if memory is None else memory[2])
    program.prepared_values[program.prepare.text] = (now, tuple(parameters), values, times)  # one tuple, set at once
    return values


def _kept_in_place(values: Sequence[Any], places: Sequence[Any] | None) -> tuple[Any, ...]:
    """Return values in the places where a recording reads them: those of the first time, which are no views."""
    if places is None:
        return tuple(value if value.base is None else value.copy() for value in values)
    for place, value in zip(places, values, strict=True):
        place[...] = value
    return tuple(places)
