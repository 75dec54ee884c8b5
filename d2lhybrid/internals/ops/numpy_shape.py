"""NumPy's operators that move axes, rotate, roll, broadcast, copy, or resize arrays, or ensure a number of axes."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy

from ...error import ShapeError
from ..core import trip_reasons as host_trips
from ..core.infer import PartialShape, format_shape
from ..core.operator import REQUIRED, Array, Operator, Shape, operator
from . import rules
from .shape import permuted_shape, swapped_shape

FAMILY = "shape"

# --- a minimum number of axes ----------------------------------------------------------------------


def _at_least(names: tuple[str, ...], promote: Any, doc: str) -> Operator:
    """Register an operator that gives each of its inputs a minimum number of axes."""

    def run(xp, *arys: Array):
        results = [a.reshape(promote(a.shape)) for a in arys]
        return results[0] if len(results) == 1 else results

    run.__doc__ = doc
    op = operator(*names, outputs=lambda num_args=1, **_: num_args)(run)
    op.infer_shape(lambda *arys, **_: (list(arys), [None if a is None else promote(a) for a in arys]))
    op.infer_type(lambda *arys, **_: (list(arys), list(arys)))

    def gradient(F, dy, y, *arys, **_):
        parts = [dy] if len(arys) == 1 else dy
        return [None if g is None else F.reshape_like(g, a) for g, a in zip(parts, arys, strict=True)]

    op.gradient(gradient)
    return op


def at_least_1d(shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a shape, extended to at least one axis."""
    return shape or (1,)


def at_least_2d(shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a shape, extended to at least two axes; new axes come first."""
    return (1,) * (2 - len(shape)) + shape


def at_least_3d(shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a shape, extended to at least three axes: ``(n,)`` becomes ``(1, n, 1)``."""
    if len(shape) >= 3:
        return shape
    return (*at_least_2d(shape), 1)


_at_least(("_np_atleast_1d",), at_least_1d, "Return each array with at least one axis.")
_at_least(("_np_atleast_2d",), at_least_2d, "Return each array with at least two axes.")
_at_least(("_np_atleast_3d",), at_least_3d, "Return each array with at least three axes.")

# --- moving, rotating, rolling ---------------------------------------------------------------------


@functools.lru_cache(maxsize=1024)
def _moved(rank: int, source: tuple[int, ...], destination: tuple[int, ...]) -> tuple[int, ...]:
    """Return the permutation that moves the axes ``source`` to the positions ``destination``."""
    rules.require(
        len(source) == len(destination),
        f"param.source.ndim() == param.destination.ndim() ({len(source)} vs. {len(destination)}) : "
        "source and destination not equal.",
    )
    for what, axes in (("source", source), ("destination", destination)):
        for axis in axes:
            rules.require(-rank <= axis < rank, f"static_cast<size_t>(param.{what}[i]) < ndim ({axis} vs. {rank}) : ")
        places = [axis % rank for axis in axes]
        repeated = next((p for p in places if places.count(p) > 1), None)
        rules.require(
            repeated is None,
            f"real_{what[:3]}[i] != real_{what[:3]}[j] ({repeated} vs. {repeated}) : "
            f"repeated axis in `{what}` argument",
        )
    first = [axis % rank for axis in source]
    order = [axis for axis in range(rank) if axis not in first]
    for place, axis in sorted(zip((d % rank for d in destination), first, strict=True)):
        order.insert(place, axis)
    return tuple(order)


@operator("_np_moveaxis")
def np_moveaxis(xp, a: Array, source: Shape = REQUIRED, destination: Shape = REQUIRED):
    """Move axes to new positions; all other axes keep their order."""
    return a.transpose(_moved(a.ndim, source, destination))


@np_moveaxis.infer_shape
def _(a, *, source, destination):
    return [a], [None if a is None else permuted_shape(a, _moved(len(a), source, destination))]


np_moveaxis.infer_type(rules.same_type)
np_moveaxis.gradient(
    lambda F, dy, y, a, *, source, destination: [F._np_moveaxis(dy, source=destination, destination=source)]
)


def _rotation_plane(rank: int, axes: tuple[int, ...] | None) -> tuple[int, int]:
    a, b = (0, 1) if axes is None else axes
    for axis in (a, b):
        rules.require(-rank <= axis < rank, f"i >= 0 && i < ndim(): index = {axis} must be in range [0, {rank})")
    a, b = a % rank, b % rank
    rules.require(a != b, f"real_axes[0] != real_axes[1] ({a} vs. {b}) : axes have duplicates {format_shape(axes)}")
    return a, b


@operator("_npi_rot90")
def np_rot90(xp, data: Array, k: int = 1, axes: Shape | None = None):
    """Rotate ``k`` times by 90 degrees in the plane of two axes, by default the first two."""
    return data if k % 4 == 0 else xp.rot90(data, k, _rotation_plane(data.ndim, axes))


np_rot90.names_inputs = True


@np_rot90.infer_shape
def _(data, *, k, axes):
    if data is None or k % 4 == 0:  # as in MXNet, the axes are not checked if nothing is rotated
        return [data], [data]
    a, b = _rotation_plane(len(data), axes)
    return ([data], [data]) if k % 2 == 0 else swapped_shape(data, dim1=a, dim2=b)


np_rot90.infer_type(rules.same_type)
np_rot90.gradient(lambda F, dy, y, data, *, k, axes: [F._npi_rot90(dy, k=-k, axes=axes)])


def _check_roll(data: PartialShape, shift: tuple[int, ...] | None, axis: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the shifts, one for each axis."""
    if shift is None or (axis is None and len(shift) != 1):
        raise ShapeError("shift must be an int.")
    if axis is None:
        return shift
    for a in axis:
        if data is not None and not -len(data) <= a < len(data):
            raise ShapeError(
                f"Check failed: axes[axes.ndim() - 1] < ndim ({a} vs. {len(data)}) : "
                f"axis {a} Exceeds input dimensions {format_shape(data)}"
            )
    return shift * len(axis) if len(shift) == 1 else shift


@operator("_np_roll")
def np_roll(xp, data: Array, shift: Shape | None = None, axis: Shape | None = None):
    """Shift elements cyclically, along axes or in the flattened array."""
    shifts = _check_roll(data.shape, shift, axis)
    return xp.roll(data, shifts[0]) if axis is None else xp.roll(data, shifts, axis)


np_roll.names_inputs = True


@np_roll.infer_shape
def _(data, *, shift, axis):
    _check_roll(data, shift, axis)
    return [data], [data]


np_roll.infer_type(rules.same_type)
np_roll.gradient(lambda F, dy, y, data, *, shift, axis: [F._np_roll(dy, shift=tuple(-s for s in shift), axis=axis)])

# --- broadcasting and copying ---------------------------------------------------------------------


def _stretched(array: PartialShape, shape: tuple[int, ...]) -> tuple[int | None, ...]:
    """Return the target shape, in which the size of the array replaces -2."""
    if -2 not in shape:
        return shape
    before = (1,) * (len(shape) - len(array or ()))
    own = (*before, *array) if array is not None else (None,) * len(shape)
    return tuple(m if n == -2 else n for m, n in zip(own, shape, strict=False))


def _broadcast_to_rule(array: PartialShape, *, shape: tuple[int, ...]):
    if array is None:
        return [None], [_stretched(None, shape)]
    rules.require(
        len(array) <= len(shape),
        f"ishape.ndim() <= param.shape.ndim() ({len(array)} vs. {len(shape)}) : "
        f"shape {format_shape(array)} is not broadcastable to {format_shape(shape)}",
    )
    rules.require(
        all(m in (None, 1, n) or n == -2 for m, n in zip(array[::-1], shape[::-1], strict=False)),
        "ishape[j] == pshape[i] || ishape[j] == 1: "
        f"shape {format_shape(array)} is not broadcastable to {format_shape(shape)}",
    )
    return [array], [_stretched(array, shape)]


@operator("_npi_broadcast_to")
def np_broadcast_to(xp, array: Array, shape: Shape = ()):
    """Broadcast an array to ``shape``, in which -2 means the size of the array's axis."""
    try:
        return xp.broadcast_to(array, _stretched(array.shape, shape))
    except ValueError:
        _broadcast_to_rule(array.shape, shape=shape)
        raise


np_broadcast_to.infer_shape(_broadcast_to_rule)
np_broadcast_to.infer_type(rules.same_type)
np_broadcast_to.identity = "same type"
np_broadcast_to.gradient(lambda F, dy, y, array, *, shape: [F._reduce_like(dy, array)])


@operator("_np_copy")
def np_copy(xp, a: Array):
    """Copy an array."""
    return a.copy()


np_copy.infer_shape(rules.same)
np_copy.infer_type(rules.same_type)
np_copy.identity = "always"
np_copy.gradient(lambda F, dy, y, a: [dy])


# --- resizing ----------------------------------------------------------------------------------------


@operator("_npi_resize")
def np_resize(xp, a: Array, new_shape: Shape = REQUIRED):
    """Return an array in another shape, filled with repeated copies of its elements in order.

    If the array has no elements, the result is filled with zeros.
    """
    size = math.prod(new_shape)
    flat = a.ravel()
    if not flat.size:
        return xp.zeros(new_shape, a.dtype)
    return xp.concatenate([flat] * max(1, -(-size // flat.size)))[:size].reshape(new_shape)


np_resize.infer_shape(lambda a, *, new_shape: ([a], [tuple(new_shape)]))
np_resize.infer_type(rules.same_type)
np_resize.gradient(lambda F, dy, y, a, *, new_shape: [F._backward_npi_resize(dy, a)])


@operator("_backward_npi_resize")
def backward_resize(xp, dy: Array, a: Array):
    """Return the sum of the gradients of all copies of each element."""
    if not a.size:
        return xp.zeros_like(a)
    missing = -dy.size % a.size
    flat = xp.concatenate([dy.ravel(), xp.zeros(missing, dy.dtype)])
    return flat.reshape(-1, a.size).sum(axis=0).reshape(a.shape)


backward_resize.infer_shape(lambda dy, a: ([dy, a], [a]))
backward_resize.infer_type(lambda dy, a: ([dy, a], [a]))


@backward_resize.gradient
def _(F, dy, y, grad, a):
    return [F._resize_like(dy, grad), None]


@operator("_resize_like")
def resize_like(xp, a: Array, shape_like: Array):
    """Return the elements in the shape of another array with the same number of elements."""
    return np_resize.kernel(xp, a, shape_like.shape)


resize_like.infer_shape(lambda a, shape_like: ([a, shape_like], [shape_like]))
resize_like.infer_type(lambda a, shape_like: ([a, shape_like], [a]))
resize_like.gradient(lambda F, dy, y, a, shape_like: [F._backward_npi_resize(dy, a), None])


@operator("_npi_share_memory", differentiable=False)
def np_share_memory(xp, a: Array, b: Array):
    """Return whether two arrays may share memory, as a boolean array of shape ()."""
    return xp.asarray(bool(xp.may_share_memory(a, b)))


np_share_memory.infer_shape(lambda a, b: ([a, b], [()]))
np_share_memory.tells_device = host_trips.ANSWER
np_share_memory.infer_type(lambda a, b: ([a, b], [numpy.dtype(bool)]))
