"""Estimates of a node's arithmetic and memory traffic from shapes alone.

A multiplication and an addition count as two operations. Matrix products and convolutions are counted exactly, by rules
in the modules of their kernels. Reductions count as one operation for each element of their first input. All other
operators count as one operation for each element of their visible outputs, which is exact for an addition and too low
for a ``tanh`` or a softmax. Views and constants cost nothing.

The number of bytes assumes that every input is read once and every output is written once. Caches, in-place results,
and the internals of kernels change the actual traffic, but the estimate suffices to compare two programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..core.graph import TypeTable
from ..core.node import Node

__all__ = ["bytes_of", "flops_by_line", "flops_of", "is_counted", "total_cost"]


def _is_free(node: Node) -> bool:
    return node.op is None or node.is_constant or node.is_view


def is_counted(node: Node) -> bool:
    """Return whether a node computes products, whose operations are counted exactly."""
    return node.op is not None and node.op.flops_rule is not None


def flops_of(node: Node, types: TypeTable) -> int:
    """Return the estimated number of floating-point operations of a node.

    Parameters
    ----------
    node : Node
        The node.
    types : TypeTable
        Shapes and element types of the node's inputs and outputs.
    """
    if node.op is None or _is_free(node):
        return 0
    inputs = [types[e] for e in node.inputs]
    if node.op.flops_rule is not None:
        return node.op.flops_rule(types[node, 0], *inputs, **node.op.complete(node.params))
    body = node.params.get("body")
    if node.op.name == "_fused" and body is not None:
        return sum(flops_of(member, types) for member in body.nodes)
    if node.op.reduces and inputs:
        return inputs[0].size
    return sum(types[node, i].size for i in range(node.num_visible_outputs))


#: The functions of generated lines that compute products.
_PRODUCT = re.compile(r"\b(dot|matmul|einsum|tensordot)(_\d+)?\(")


def flops_by_line(node: Node, types: TypeTable, lines: Sequence[str]) -> list[int]:
    """Return the estimated number of operations in each generated line of a node.

    The operations of a product belong to the line that computes the product, not to the lines that copy its inputs.

    Parameters
    ----------
    node : Node
        The node.
    types : TypeTable
        Shapes and element types.
    lines : sequence of str
        The node's lines in the generated program.

    Returns
    -------
    list of int
        The operations of each line.
    """
    total = flops_of(node, types)
    found = [0] * len(lines)
    product = next((i for i, line in enumerate(lines) if _PRODUCT.search(line)), 0)
    found[product] = total
    if node.op is not None and node.op.name == "FullyConnected" and product + 2 == len(lines):  # then the bias
        found[product:] = [total - types[node, 0].size, types[node, 0].size]
    return found


def bytes_of(node: Node, types: TypeTable) -> int:
    """Return the number of bytes that a node reads and writes, including hidden outputs.

    Parameters
    ----------
    node : Node
        The node.
    types : TypeTable
        The types of the node's inputs and outputs.

    Returns
    -------
    int
        The number of bytes.
    """
    if _is_free(node):
        return 0
    return sum(types[e].nbytes for e in node.inputs) + sum(types[node, i].nbytes for i in range(node.num_outputs))


def total_cost(nodes: Iterable[Node], types: TypeTable) -> tuple[int, int]:
    """Return the total numbers of operations and bytes of several nodes.

    Parameters
    ----------
    nodes : iterable of Node
        The nodes.
    types : TypeTable
        The types of the nodes' inputs and outputs.

    Returns
    -------
    tuple of (int, int)
        The number of operations, and the number of bytes.
    """
    flops = moved = 0
    for node in nodes:
        flops += flops_of(node, types)
        moved += bytes_of(node, types)
    return flops, moved
