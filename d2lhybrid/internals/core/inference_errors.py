"""Errors of type inference, which name the node and the line of user code that created the node."""

from __future__ import annotations

import sys
from typing import Any

from ...error import MXNetError
from ..support.places import Place, user_place
from ..support.remedies import broadcasting, explain, mark, remember_place, source_line
from .node import Node

__all__ = ["located"]


def located(error: MXNetError, node: Node, given: list[Any]) -> MXNetError:
    """Return an error whose message names the node, with notes about the node's inputs and its line of user code.

    Parameters
    ----------
    error : MXNetError
        The error of the rule.
    node : Node
        The node for which inference failed.
    given : list
        Partial shapes or types of the node's inputs.

    Returns
    -------
    MXNetError
        The error to raise.
    """
    message = str(error).replace("Incompatible attr in node  at", f"Incompatible attr in node {node.name} at")
    if not message.startswith("Error in operator"):
        message = f"Error in operator {node.name}: {message}"
    told = MXNetError(message)  # users see MXNet's own class
    explain(told)
    assert node.op is not None
    inputs = ", ".join(
        f"{n.name} {'unknown' if g is None else g}" for (n, _), g in zip(node.inputs, given, strict=True)
    )
    told.add_note(f"in {node.op.name} {node.name!r} with inputs {inputs or 'none'}")
    instead = broadcasting(node.op.name, given)
    if instead is not None:
        mark(told, "broadcasting").add_note(instead)
    place = node.source
    if place is not None:
        # In a net of predefined layers, the traced line of user code is an earlier call of the net, not the call that
        # fails.
        if place.inside or place.written is not place:
            told.add_note(f"made by {source_line(*place.written)}")
        remember_place(told, place if place.inside else _call_that_failed(place))
    for note in getattr(error, "__notes__", []):
        told.add_note(note)
    return told


def _call_that_failed(traced: Place) -> Place:
    """Return the line of user code that runs now, combined with the layer calls of the earlier trace."""
    now = user_place(sys._getframe())
    return traced if now is None else Place(*now, now.function, traced.calls, inside=False)
