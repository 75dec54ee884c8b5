"""Functions that recognize activation functions in a graph."""

from __future__ import annotations

from ...core.node import Node

__all__ = ["is_relu"]


def is_relu(node: Node) -> bool:
    """Return whether a node is a ReLU, as a separate operator or as an ``Activation``.

    Parameters
    ----------
    node : Node
        The node.

    Returns
    -------
    bool
        Whether the node is a ReLU.
    """
    return node.op is not None and (node.op.name in ("relu", "_npx_relu") or node.params.get("act_type") == "relu")
