"""Operators that talk with the host when they run on a GPU: few, and each for a reason.

A program with one of them is not recorded as a CUDA graph. A value that is brought to the host has none yet while a
graph is recorded; and an array that is brought to the device would be read again by every launch, from memory of the
host that has long been used for something else. An operator says below its kernel whether it does.
"""

from __future__ import annotations

from ...core.node import Node

__all__ = ["trip_of"]


def trip_of(node: Node) -> str:
    """Return what a node has to do with the host, in words; empty if nothing.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> trip_of(Node(get_operator("_npx_nonzero"), "found"))
    '_npx_nonzero asks the device: the size of the result depends on values'
    >>> trip_of(Node(get_operator("take"), "taken", params={"mode": "clip"}))
    ''
    """
    op = node.op
    if op is None or op.name == "_constant":  # a program holds its constants already
        return ""
    asked, told = (
        reason if isinstance(reason, str) else reason(**op.complete(node.params))
        for reason in (op.asks_device, op.tells_device)
    )
    if asked:
        return f"{op.name} asks the device: {asked}"
    return f"{op.name} brings something to the device: {told}" if told else ""
