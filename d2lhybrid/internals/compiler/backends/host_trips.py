"""Operators that exchange data with the host when they run on a GPU, and the reasons for these exchanges.

A program with such an operator can't be captured as a CUDA graph. During the capture, values that the host reads don't
exist yet, and a replay would copy from host memory that has been reused. An operator declares below its kernel whether
it exchanges data with the host.
"""

from __future__ import annotations

from ...core.node import Node

__all__ = ["trip_of"]


def trip_of(node: Node) -> str:
    """Return a sentence about a node's data exchange with the host.

    Parameters
    ----------
    node : Node
        The node.

    Returns
    -------
    str
        The sentence; empty if the node exchanges no data.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> trip_of(Node(get_operator("_npx_nonzero"), "found"))
    '_npx_nonzero reads from the device: the size of the result depends on values'
    >>> trip_of(Node(get_operator("take"), "taken", params={"mode": "clip"}))
    ''
    """
    op = node.op
    if op is None or op.name == "_constant":  # constants are on the device
        return ""
    asked, told = (
        reason if isinstance(reason, str) else reason(**op.complete(node.params))
        for reason in (op.asks_device, op.tells_device)
    )
    if asked:
        return f"{op.name} reads from the device: {asked}"
    return f"{op.name} copies to the device: {told}" if told else ""
