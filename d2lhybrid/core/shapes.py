"""What is known of a shape, and how two who know something of it agree.

A partial shape is ``None`` (nothing known, not even the number of axes) or a tuple whose unknown sizes are ``None``.
The messages are MXNet's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import ShapeError

__all__ = ["PartialShape", "format_shape", "is_complete", "known_size", "require", "same", "unify", "unify_all"]

PartialShape = tuple[int | None, ...] | None


def format_shape(shape: PartialShape) -> str:
    """Write a shape as MXNet does: ``[2,3]``, unknown sizes as -1.

    Examples
    --------
    >>> format_shape((2, None))
    '[2,-1]'
    >>> format_shape(None)
    'None'
    """
    if shape is None:
        return "None"
    return "[" + ",".join("-1" if n is None else str(n) for n in shape) + "]"


def is_complete(shape: PartialShape) -> bool:
    """Return whether every size is known."""
    return shape is not None and None not in shape


def known_size(shape: Sequence[int | None]) -> int | None:
    """Return the number of elements, None if a size is unknown."""
    return None if None in shape else math.prod(shape)  # type: ignore[arg-type]


def require(condition: bool, message: str) -> None:
    """Raise :class:`ShapeError` with MXNet's ``Check failed`` prefix unless the condition holds."""
    if not condition:
        raise ShapeError(f"Check failed: {message}")


def unify(a: PartialShape, b: PartialShape) -> PartialShape:
    """Merge what is known of one shape from two sides.

    Raises
    ------
    ShapeError
        If they contradict each other.

    Examples
    --------
    >>> unify((2, None), (None, 3))
    (2, 3)
    >>> unify(None, (4,))
    (4,)
    """
    if a is None or b is None or a == b:
        return b if a is None else a
    if len(a) == len(b) and all(m is None or n is None or m == n for m, n in zip(a, b, strict=True)):
        return tuple(n if m is None else m for m, n in zip(a, b, strict=True))
    raise ShapeError(f"Shape inconsistent, Provided = {format_shape(a)}, inferred shape={format_shape(b)}")


def unify_all(values: Sequence[Any], merge: Callable[[Any, Any], Any] = unify) -> Any:
    """Merge several shapes that must be equal; name the one that is not.

    Raises
    ------
    ShapeError
        ``Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 1-th input: ...``
    """
    merged = None
    for i, value in enumerate(values):
        try:
            merged = merge(merged, value)
        except ShapeError:
            expected, got = (v if isinstance(v, str) else format_shape(v) for v in (merged, value))
            raise ShapeError(
                "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  "
                f"at {i}-th input: expected {expected}, got {got}"
            ) from None
    return merged


def same(*shapes: PartialShape, **attributes: Any) -> tuple[list[PartialShape], list[PartialShape]]:
    """All inputs and the single output have one shape."""
    shape = unify_all(shapes)
    return [shape] * len(shapes), [shape]
