"""Prepared values: values in prediction mode that depend on parameters alone, and that are kept between calls."""

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
    """Return the parameters, and the nodes that depend on parameters alone.

    Parameters
    ----------
    graph : Graph
        The graph after all passes.

    Returns
    -------
    set of Node
        The nodes, whose values change only if a parameter changes; empty for a training graph.
    """
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
    """Return the values that depend on parameters alone and are inputs of a node that every call computes.

    Parameters
    ----------
    graph : Graph
        The graph after all passes.

    Returns
    -------
    tuple of Entry
        The values that ``prepare`` computes; empty for a training graph.
    """
    fixed = fixed_nodes(graph)
    if not fixed:
        return ()
    results = {n for n, _ in graph.roots}  # every call computes its outputs, because its caller may write into them
    found: dict[Entry, Entry] = {}
    for node in graph.nodes:
        if node.op is None or (node in fixed and node not in results):
            continue
        for child, i in node.inputs:
            if child in fixed and child.op is not None:
                found.setdefault((child, i), (child, i))
    # If a result has no other user, every call computes its node, and thus also the node's other outputs.
    again = {n for n, i in graph.roots if (n, i) not in found}
    return tuple(entry for entry in found.values() if entry[0] not in again)


def prepared_values(program: Program, raws: Sequence[Any]) -> tuple[Any, ...]:
    """Return the prepared values of a program, which are recomputed only if a parameter may have changed.

    Parameters
    ----------
    program : Program
        The compiled program.
    raws : sequence of array
        The inputs of the program, in order.

    Returns
    -------
    tuple of array
        The results of the program's ``prepare`` function; empty if the program has no such function.
    """
    if program.prepare is None:
        return ()
    parameters = raws[program.graph.num_data :]
    now = clock.stamp(parameters)  # before the values are read, so that the next call notices a concurrent write
    memory, times = program.prepared_values.get(program.prepare.text), None
    if memory is not None and now is not clock.SHARED and all(map(operator.is_, memory[1], parameters)):
        if memory[0] is now:
            return memory[2]
        times = clock.watch(parameters)
        if memory[3] == times:  # the write went into other arrays
            program.prepared_values[program.prepare.text] = (now, *memory[1:])
            return memory[2]
    times = times or clock.watch(parameters)
    prepare = program.prepare.function
    values = parallel.threads.run(prepare, *raws) if program.prepare.threaded else prepare(*raws)
    if program._recorded:
        values = _kept_in_place(values, None if memory is None else memory[2])
    program.prepared_values[program.prepare.text] = (now, tuple(parameters), values, times)  # one tuple: atomic
    return values


def _kept_in_place(values: Sequence[Any], places: Sequence[Any] | None) -> tuple[Any, ...]:
    """Write new values into the arrays of the first run, which a CUDA graph reads, and return these arrays."""
    if places is None:
        return tuple(value if value.base is None else value.copy() for value in values)
    for place, value in zip(places, values, strict=True):
        place[...] = value
    return tuple(places)
