"""What the attributes of a variable say of its type: ``__shape__`` and ``__dtype__``, also those of a file."""

from __future__ import annotations

import functools
from typing import Any

import numpy

from ..core.node import Node
from ..errors import MXNetError
from ..formats.literals import read_int, read_shape
from ..support.dtypes import dtype_from_code
from ..util import np_shapes as shapes

__all__ = ["declared_dtype", "declared_shape"]


@functools.lru_cache(4096)
def _declared_shape(text: str, least: int) -> tuple[int | None, ...]:
    """Return the shape that a variable's ``__shape__`` says; smaller sizes are unknown, as 0 is without np_shape."""
    return tuple(n if n >= least else None for n in read_shape(text))


def declared_shape(node: Node) -> tuple[int | None, ...] | None:
    """Return the shape that the attributes of a variable say, None if they say nothing.

    Raises
    ------
    MXNetError
        If the attribute is no shape.
    """
    try:
        return _declared_shape(node.attrs["__shape__"], not shapes.np) if "__shape__" in node.attrs else None
    except ValueError as reason:
        raise _bad_attribute(node, "__shape__", node.attrs["__shape__"], reason) from None


def declared_dtype(node: Node) -> numpy.dtype | None:
    """Return the element type that the attributes of a variable say, None if they say nothing.

    Raises
    ------
    MXNetError
        If the attribute is no number of an element type.
    """
    text = node.attrs.get("__dtype__")
    try:
        code = -1 if text is None else read_int(text)
        return dtype_from_code(code) if code >= 0 else None
    except ValueError as reason:
        raise _bad_attribute(node, "__dtype__", text, reason) from None


def _bad_attribute(node: Node, attribute: str, text: Any, reason: ValueError) -> MXNetError:
    shown = text if len(text) <= 200 else f"{text[:200]}..."
    error = MXNetError(f"Invalid attribute {attribute} of the variable {node.name[:200]!r}: value='{shown}'")
    error.add_note(f"{reason}.")
    return error
