"""Operators that broadcast axes of size 1, as binary operators do."""

from __future__ import annotations

from typing import Any

from ...error import ShapeError
from ..core.infer import PartialShape, format_shape
from ..core.operator import Array, Shape, operator
from . import rules

FAMILY = "shape"
MEANINGS = {
    "size": "The new size of each axis in ``axis``.",
    "lhs": "The array to broadcast, whose axes of size 1 can change.",
    "rhs": "The array that determines the sizes of the result; its values don't matter.",
    "lhs_axes": "The axes of ``lhs`` to broadcast; by default, all axes.",
    "rhs_axes": "The axes of ``rhs`` that determine the sizes; by default, all axes.",
    "broadcast_to.data": "The array to broadcast, whose axes of size 1 can change.",
    "broadcast_to.shape": "The shape of the result; 0 keeps the size of ``data``.",
    "broadcast_axis.data": "The array to broadcast, of size 1 along ``axis``.",
    "broadcast_axis.axis": "The axes to broadcast, which must not be negative.",
}


def _check(condition: bool, message: str) -> None:
    if not condition:
        raise ShapeError(f"Check failed: {message}")


def _stretched(data: tuple[int | None, ...], target: tuple[int | None, ...], a: str, b: str) -> PartialShape:
    """Check that a shape broadcasts to another shape with the same number of axes, and return the other shape.

    ``a`` and ``b`` are the names of the two shapes in MXNet's messages.
    """
    _check(
        len(data) == len(target),
        f"{a}.ndim() == {b}.ndim() ({len(data)} vs. {len(target)}) : "
        f"Operand of shape {format_shape(data)} cannot be broadcasted to {format_shape(target)}",
    )
    b = b.replace("param.shape", "oshape")
    for m, n in zip(data, target, strict=True):
        _check(
            m is None or n is None or m in (1, n),
            f"{a}[i] == {b}[i] || {a}[i] == 1: "
            f"Array cannot be broadcasted from {format_shape(data)} to {format_shape(target)}",
        )
    return target


# --- to a given shape ----------------------------------------------------------------------------


def _shape_to(data: PartialShape, shape: tuple[int, ...]) -> PartialShape:
    if data is None:
        return None
    if len(data) == len(shape):  # 0 keeps the size
        shape = tuple(n or m for m, n in zip(data, shape, strict=True))  # type: ignore[misc]
    return _stretched(data, shape, "ishape", "param.shape")


@operator("broadcast_to")
def broadcast_to(xp, data: Array, shape: Shape = ()):
    """Broadcast an array to a shape with the same number of axes; a size of 0 keeps the array's size.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.broadcast_to(nd.array([[1, 2]]), shape=(3, 0)).asnumpy()
    array([[1., 2.],
           [1., 2.],
           [1., 2.]], dtype=float32)
    """
    return xp.broadcast_to(data, _shape_to(data.shape, shape))


@broadcast_to.infer_shape
def _(data, *, shape):
    target = _shape_to(data, shape)
    if target is not None:  # a negative size is unknown
        target = tuple(None if n is not None and n < 0 else n for n in target)
    return [data], [target]


broadcast_to.gradient(lambda F, dy, y, data, *, shape: [F._reduce_like(dy, data)])


# --- along given axes ----------------------------------------------------------------------------


def _shape_along(data: PartialShape, axis: tuple[int, ...], size: tuple[int, ...]) -> PartialShape:
    _check(len(axis) == len(size), f"param.axis.ndim() == param.size.ndim() ({len(axis)} vs. {len(size)}) : ")
    if data is None:
        return None
    shape = list(data)
    for i, n in zip(axis, size, strict=True):
        _check(0 <= i < len(data), f"i >= 0 && i < ndim(): index = {i} must be in range [0, {len(data)})")
        _check(
            shape[i] in (None, 1),
            f"oshape[param.axis[i]] == 1U ({shape[i]} vs. 1) : Broadcasting axis must have size 1",
        )
        shape[i] = n
    return tuple(shape)


@operator("broadcast_axis", "broadcast_axes")
def broadcast_axis(xp, data: Array, axis: Shape = (), size: Shape = ()):
    """Broadcast the axes ``axis``, which have size 1, to the sizes ``size``."""
    return xp.broadcast_to(data, _shape_along(data.shape, axis, size))


broadcast_axis.infer_shape(lambda data, *, axis, size: ([data], [_shape_along(data, axis, size)]))
broadcast_axis.gradient(lambda F, dy, y, data, *, axis, size: [F._reduce_like(dy, data)])


# --- to the shape of another array ---------------------------------------------------------------


def _shape_like(lhs: PartialShape, rhs: PartialShape, lhs_axes: Any, rhs_axes: Any) -> PartialShape:
    if lhs is None or rhs is None:
        return None
    if lhs_axes is None or rhs_axes is None:
        return _stretched(lhs, rhs, "lhs_shape", "rhs_shape")
    _check(
        len(lhs_axes) == len(rhs_axes),
        "rhs_axes.ndim() == lhs_axes.ndim(): Input_axis and other_axis size does not match",
    )
    _check(len(lhs_axes) > 0, "lhs_axes.ndim() > 0: Empty axes tuple is not allowed")
    shape = list(lhs)
    for i, j in zip(lhs_axes, rhs_axes, strict=True):
        (i,) = rules.normalize_axes(i, len(lhs))
        (j,) = rules.normalize_axes(j, len(rhs))
        _check(
            shape[i] in (None, 1),
            f"lhs_shape[copyfrom] == 1: Input axis {i} at dimension {i} cannot be broadcasted to {rhs[j]}",
        )
        shape[i] = rhs[j]
    return tuple(shape)


@operator("broadcast_like")
def broadcast_like(xp, lhs: Array, rhs: Array, lhs_axes: Shape | None = None, rhs_axes: Shape | None = None):
    """Broadcast the axes of size 1 of the first array to the sizes of the second array.

    With ``lhs_axes`` and ``rhs_axes``, only the axes ``lhs_axes`` are broadcast, to the sizes of ``rhs_axes``.
    """
    if lhs.shape == rhs.shape and lhs_axes is None:
        return lhs
    return xp.broadcast_to(lhs, _shape_like(lhs.shape, rhs.shape, lhs_axes, rhs_axes))


broadcast_like.infer_shape(
    lambda lhs, rhs, *, lhs_axes, rhs_axes: ([lhs, rhs], [_shape_like(lhs, rhs, lhs_axes, rhs_axes)])
)
broadcast_like.gradient(lambda F, dy, y, lhs, rhs, *, lhs_axes, rhs_axes: [F._reduce_like(dy, lhs), None])


for _op in (broadcast_to, broadcast_axis, broadcast_like):
    _op.infer_type(rules.type_of_first)
    _op.identity = "same type"
