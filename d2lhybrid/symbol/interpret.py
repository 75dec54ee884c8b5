"""The reference interpreter: run a graph node by node.

Slow and obvious. Whatever the compiler does, its results must equal these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from .node import Entry, topological_order

__all__ = ["interpret"]


def interpret(
    roots: Sequence[Entry], values: dict[int, Any], training: bool = False, rng: Any = None, xp: Any = numpy
) -> list[Any]:
    """Return the values of entries.

    Parameters
    ----------
    roots : sequence of Entry
        What to compute.
    values : dict
        Values of the variables, by the id of their node.
    training : bool
        Whether layers behave as in training.
    rng : Generator, optional
        For operators that draw random numbers.
    xp : module
        NumPy or CuPy.
    """
    known: dict[tuple[int, int], Any] = {}
    for node in topological_order(roots):
        op = node.op
        if op is None:
            known[id(node), 0] = values[id(node)]
            continue
        extras: dict[str, Any] = {"training": training} if op.uses_training else {}
        if op.uses_generator:
            extras["rng"] = numpy.random.default_rng() if rng is None else rng
        arrays = op.arrange(node.params, [known[id(n), i] for n, i in node.inputs])
        result = op.kernel(xp, *arrays, **node.params, **extras)
        for i, value in enumerate(result if isinstance(result, tuple | list) else [result]):
            known[id(node), i] = value
    return [known[id(n), i] for n, i in roots]
