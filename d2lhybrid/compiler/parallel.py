"""Which programs work in several threads: those with a product, or another use of linear algebra, that is large."""

from __future__ import annotations

import math

from ..core.graph import TypeTable
from ..core.node import Node
from ..device.threads import SMALLEST, SMALLEST_ARRAY
from .costs import flops_of, is_counted

__all__ = ["is_threaded"]


def is_threaded(node: Node, types: TypeTable) -> bool:
    """Return whether a node's kernel may work in several threads for arrays as large as these.

    Parameters
    ----------
    node : Node
        What is asked about.
    types : TypeTable
        Shapes and dtypes of its inputs and outputs.
    """
    if node.op is None or not node.op.threaded:
        return False
    sizes = [math.prod(types[e].shape) for e in (*node.inputs, (node, 0))]
    least = sorted(sizes)[-2:]
    # No product takes more multiplications than there are pairs of elements of its two largest arrays.
    if 2 * math.prod(least) + max(sizes) < 2 * SMALLEST and max(sizes) < SMALLEST_ARRAY:
        return False
    if is_counted(node):
        return flops_of(node, types) >= 2 * SMALLEST
    return any(types[e].size >= SMALLEST_ARRAY for e in node.inputs)
