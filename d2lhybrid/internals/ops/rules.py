"""Shape and type rules that operator families share.

A rule infers the types of outputs from the types of inputs, and completes the types of inputs from each other. Deferred
initialization uses these rules to determine the shape of a weight. Error messages are MXNet's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...error import ShapeError
from ..core.infer import PartialShape, format_shape, is_complete, known_size, require, same, same_type, unify, unify_all

__all__ = [
    "PartialShape",
    "broadcast",
    "broadcast_shape",
    "format_shape",
    "is_complete",
    "known_size",
    "normalize_axes",
    "reduced",
    "reduced_shape",
    "require",
    "same",
    "same_type",
    "type_of_first",
    "unify",
    "unify_all",
]

Rule = Callable[..., tuple[list[Any], list[Any]]]


def broadcast_shape(a: PartialShape, b: PartialShape) -> PartialShape:
    """Return the shape to which two shapes broadcast.

    Raises
    ------
    ShapeError
        If two sizes differ and neither is 1.

    Examples
    --------
    >>> broadcast_shape((2, 1), (3,))
    (2, 3)
    """
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    result: list[int | None] = []
    for m, n in zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True):
        if m == 1 or m == n:
            result.append(n)
        elif n == 1:
            result.append(m)
        elif m is None or n is None:
            result.append(n if m is None else m)
        else:
            raise ShapeError(
                "Check failed: l == 1 || r == 1: operands could not be broadcast together with "
                f"shapes {format_shape(a)} {format_shape(b)}"
            )
    return tuple(result)


def broadcast(*shapes: PartialShape, **attributes: Any) -> tuple[list[PartialShape], list[PartialShape]]:
    """Apply the shape rule of an operator whose output has the shape to which the inputs broadcast."""
    result: PartialShape = shapes[0]
    for shape in shapes[1:]:
        result = broadcast_shape(result, shape)
    return list(shapes), [result]


def normalize_axes(
    axis: int | Sequence[int] | None, ndim: int, exclude: bool = False, empty_means_all: bool = True
) -> tuple[int, ...]:
    """Return sorted non-negative axes, or with ``exclude`` all other axes.

    None means all axes. With ``empty_means_all``, as in legacy operators, ``()`` also means all axes.

    Raises
    ------
    ShapeError
        If an axis is out of range.

    Examples
    --------
    >>> normalize_axes(-1, 3)
    (2,)
    >>> normalize_axes((0,), 3, exclude=True)
    (1, 2)
    """
    if axis is None or (empty_means_all and axis == ()):
        axes = set(range(ndim))
        return () if exclude and axis is not None and axis != () else tuple(sorted(axes))
    given = (axis,) if isinstance(axis, int) else axis
    for a in given:
        if not -ndim <= a < ndim:
            raise ShapeError(f"Check failed: axis < ndim && axis >= -ndim: axis {a} exceeds input dimension {ndim}")
    axes = {a % ndim for a in given}
    return tuple(sorted(set(range(ndim)) - axes if exclude else axes))


def reduced_shape(
    shape: PartialShape, axes: tuple[int, ...], keepdims: bool, scalar_shape: tuple[int, ...] = (1,)
) -> PartialShape:
    """Return the shape after a reduction; ``scalar_shape`` is (1,) for legacy operators and () for np."""
    if shape is None:
        return None
    if keepdims:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes) or scalar_shape


def reduced(scalar_shape: tuple[int, ...] = (1,)) -> Rule:
    """Return the shape rule of a reduction with the attributes ``axis``, ``keepdims``, and optionally ``exclude``."""

    def rule(data: PartialShape, *, axis: Any = None, keepdims: bool = False, exclude: bool = False, **_: Any):
        if data is None:
            return [None], [None]
        axes = normalize_axes(axis, len(data), exclude, empty_means_all=scalar_shape == (1,))
        return [data], [reduced_shape(data, axes, keepdims, scalar_shape)]

    return rule


def type_of_first(*dtypes: numpy.dtype | None, **attributes: Any) -> tuple[list[Any], list[Any]]:
    """Apply the type rule of an operator whose output has the element type of the first input.

    Other inputs, such as indices and lengths, may have any element type.
    """
    return list(dtypes), [dtypes[0] if dtypes else None]
