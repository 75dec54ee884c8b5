"""Operators on axes: insert, remove, permute, reverse, rotate. None of them moves an element in
memory where the array module can return a view.
"""

from __future__ import annotations

import functools
from typing import Any

from ..errors import ShapeError
from . import rules
from .registry import REQUIRED, Array, Operator, Shape, operator
from .rules import PartialShape, format_shape

# --- inserting and removing axes of size 1 -------------------------------------------------------


def _inserted(shape: tuple[Any, ...], axis: int) -> tuple[Any, ...]:
    rank = len(shape)
    place = axis + rank + 1 if axis < 0 else axis
    if not 0 <= place <= rank:
        raise ShapeError(
            "Check failed: axis >= 0 && axis <= indim: "
            f"axis must be in the range [{-rank}, {rank}] ({axis} provided)"
        )
    return (*shape[:place], 1, *shape[place:])


@operator("expand_dims", "_npi_expand_dims")
def expand_dims(xp, data: Array, axis: int = REQUIRED):
    """Insert an axis of size 1 at position ``axis``."""
    return data.reshape(_inserted(data.shape, axis))


expand_dims.infer_shape(lambda data, *, axis: ([data], [None if data is None else _inserted(data, axis)]))
expand_dims.infer_type(rules.same_type)
expand_dims.gradient(lambda F, dy, y, data, *, axis: [F.reshape_like(dy, data)])


@functools.lru_cache(maxsize=1024)
def _squeezed(shape: PartialShape, axis: tuple[int, ...] | None, scalar_shape: tuple[int, ...]) -> PartialShape:
    """Return the shape without the named axes of size 1, or without all of them."""
    if shape is None:
        return None
    if axis is None:
        if None in shape:
            return None  # an unknown size may be 1: then its axis goes
        return tuple(n for n in shape if n != 1) or scalar_shape
    gone: set[int] = set()
    for a in axis:
        place = a + len(shape) if a < 0 else a
        rules.require(
            0 <= place < len(shape),
            f"axes[i] < dndim ({a} vs. {len(shape)}) : "
            f"axis {a} is out of bounds for array of dimension {len(shape)}",
        )
        rules.require(place not in gone, "oshape[axes[i]] != -1 (-1 vs. -1) : duplicate value in axis")
        rules.require(
            shape[place] in (1, None),
            f"dshape[axes[i]] == 1 ({shape[place]} vs. 1) : "
            f"cannot select an axis to squeeze out which has size={shape[place]} not equal to one",
        )
        gone.add(place)
    return tuple(n for i, n in enumerate(shape) if i not in gone) or scalar_shape


def _squeeze_rule(scalar_shape: tuple[int, ...]) -> Any:
    def rule(data: PartialShape, *, axis: tuple[int, ...] | None):
        target = _squeezed(data, axis, scalar_shape)
        if data is not None and axis is not None:
            gone = {a % len(data) for a in axis}
            data = tuple(1 if i in gone else n for i, n in enumerate(data))
        return [data], [target]

    return rule


@operator("squeeze")
def squeeze(xp, data: Array, axis: Shape | None = None):
    """Remove axes of size 1: those named by ``axis``, or all; one axis always stays."""
    return data.reshape(_squeezed(data.shape, axis, (1,)))


@operator("_np_squeeze")
def np_squeeze(xp, a: Array, axis: Shape | None = None):
    """Remove axes of size 1: those named by ``axis``, or all."""
    return a.reshape(_squeezed(a.shape, axis, ()))


squeeze.infer_shape(_squeeze_rule((1,)))
np_squeeze.infer_shape(lambda a, *, axis: _squeeze_rule(())(a, axis=axis))
for _op in (squeeze, np_squeeze):
    _op.infer_type(rules.same_type)
    _op.gradient(lambda F, dy, y, data, *, axis: [F.reshape_like(dy, data)])


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
    """Return the shape with at least one axis."""
    return shape or (1,)


def at_least_2d(shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the shape with at least two axes; new ones come first."""
    return (1,) * (2 - len(shape)) + shape


def at_least_3d(shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the shape with at least three axes: ``(n,)`` becomes ``(1, n, 1)``."""
    if len(shape) >= 3:
        return shape
    return (*at_least_2d(shape), 1)


_at_least(("_np_atleast_1d",), at_least_1d, "Give each array at least one axis.")
_at_least(("_np_atleast_2d",), at_least_2d, "Give each array at least two axes.")
_at_least(("_np_atleast_3d",), at_least_3d, "Give each array at least three axes.")

# --- permuting axes ------------------------------------------------------------------------------


def _permuted(shape: PartialShape, order: tuple[int, ...]) -> PartialShape:
    return None if shape is None else tuple(shape[a] for a in order)


def _inverse(order: tuple[int, ...]) -> tuple[int, ...]:
    """Return the permutation that undoes ``order``."""
    rank = len(order)
    inverse = [0] * rank
    for place, axis in enumerate(order):
        inverse[axis % rank] = place
    return tuple(inverse)


def _transpose_rule(data: PartialShape, *, axes: tuple[int, ...] | None):
    if data is None:
        return [None], [(None,) * len(axes) if axes else None]
    if not axes:
        return [data], [data[::-1]]
    rank = len(data)
    rules.require(
        rank == len(axes), f"std: :max(shp.ndim(), out_shp.ndim()) == param.axes.ndim() ({rank} vs. {len(axes)}) : "
    )
    rules.require(all(-rank <= a < rank for a in axes), "param.axes[i] < static_cast<int64_t>(shp.ndim()): ")
    rules.require(len({a % rank for a in axes}) == rank, f"Repeated axis in transpose. param.axes = {format_shape(axes)}")
    return [data], [_permuted(data, axes)]


def _np_transpose_rule(a: PartialShape, *, axes: tuple[int, ...] | None):
    if a is not None and axes:
        rank = len(a)
        rules.require(
            rank == len(axes),
            f"ndim == param.axes.ndim() ({rank} vs. {len(axes)}) : The number of axes does not match the "
            f"dimension of the tensor. axes = {format_shape(axes)}, input tensor shape = {format_shape(a)}",
        )
        for i, n in enumerate(axes):
            rules.require(
                -rank <= n < rank, f"axes[i] >= 0 && axes[i] < ndim: axes[{i}]={n} exceeds the range [0, {rank})"
            )
        distinct = len({n % rank for n in axes})
        if distinct != rank:
            raise ValueError(
                f"Check failed: axes_set.size() == axes.ndim() ({distinct} vs. {rank}) : "
                f"Repeated axis in transpose. param.axes = {format_shape(axes)}"
            )
    return _transpose_rule(a, axes=axes)


@operator("transpose")
def transpose(xp, data: Array, axes: Shape = ()):
    """Permute the axes; without ``axes``, reverse their order."""
    try:
        return data.transpose(axes) if axes else data.transpose()
    except ValueError:
        _transpose_rule(data.shape, axes=axes)
        raise


@operator("_np_transpose")
def np_transpose(xp, a: Array, axes: Shape | None = None):
    """Permute the axes; without ``axes``, reverse their order."""
    try:
        return a.transpose(axes) if axes else a.transpose()
    except ValueError:
        _np_transpose_rule(a.shape, axes=axes)
        raise


transpose.infer_shape(_transpose_rule)
transpose.infer_type(rules.same_type)
transpose.gradient(lambda F, dy, y, data, *, axes: [F.transpose(dy, axes=_inverse(axes)) if axes else F.transpose(dy)])
np_transpose.infer_shape(_np_transpose_rule)
np_transpose.infer_type(rules.same_type)
np_transpose.gradient(
    lambda F, dy, y, a, *, axes: [F._np_transpose(dy, axes=_inverse(axes)) if axes else F._np_transpose(dy)]
)


def _swap_rule(data: PartialShape, *, dim1: int, dim2: int):
    if data is None:
        return [None], [None]
    rank = len(data)
    for number, axis in ((1, dim1), (2, dim2)):
        if not -rank <= axis < rank:
            raise ShapeError(
                f"axis{number}: Check failed: axis{number} >= 0 && axis{number} < shape0.ndim(): "
                f"axis {axis} is out of bounds for array of ndim {rank}"
            )
    sizes = list(data)
    sizes[dim1], sizes[dim2] = sizes[dim2], sizes[dim1]
    return [data], [tuple(sizes)]


@operator("SwapAxis", "swapaxes", "_npi_swapaxes")
def swap_axes(xp, data: Array, dim1: int = 0, dim2: int = 0):
    """Exchange two axes."""
    try:
        return data.swapaxes(dim1, dim2)
    except ValueError:
        _swap_rule(data.shape, dim1=dim1, dim2=dim2)
        raise


swap_axes.infer_shape(_swap_rule)
swap_axes.infer_type(rules.same_type)
swap_axes.gradient(lambda F, dy, y, data, *, dim1, dim2: [F.SwapAxis(dy, dim1=dim1, dim2=dim2)])


@functools.lru_cache(maxsize=1024)
def _moved(rank: int, source: tuple[int, ...], destination: tuple[int, ...]) -> tuple[int, ...]:
    """Return the permutation that moves the axes ``source`` to the places ``destination``."""
    rules.require(
        len(source) == len(destination),
        f"param.source.ndim() == param.destination.ndim() ({len(source)} vs. {len(destination)}) : "
        "source and destination not equal.",
    )
    for what, axes in (("source", source), ("destination", destination)):
        for axis in axes:
            rules.require(
                -rank <= axis < rank, f"static_cast<size_t>(param.{what}[i]) < ndim ({axis} vs. {rank}) : "
            )
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
    """Move axes to new places; the others keep their order."""
    return a.transpose(_moved(a.ndim, source, destination))


@np_moveaxis.infer_shape
def _(a, *, source, destination):
    return [a], [None if a is None else _permuted(a, _moved(len(a), source, destination))]


np_moveaxis.infer_type(rules.same_type)
np_moveaxis.gradient(
    lambda F, dy, y, a, *, source, destination: [F._np_moveaxis(dy, source=destination, destination=source)]
)

# --- reversing, rotating, rolling -----------------------------------------------------------------


@functools.lru_cache(maxsize=1024)
def _flip_index(rank: int, axis: tuple[int, ...] | None) -> tuple[slice, ...]:
    """Return the index that reverses the named axes, all of them for None."""
    index = [slice(None)] * rank
    for a in range(rank) if axis is None else axis:
        if not -rank <= a < rank:
            raise ShapeError(
                f"Check failed: axis < ishape.ndim() ({a} vs. {rank}) : "
                f"axis {a} is out of bounds for array of dimension {rank}"
            )
        index[a] = slice(None, None, -1)
    return tuple(index)


def _flip_rule(data: PartialShape, *, axis: tuple[int, ...] | None):
    if data is not None:
        _flip_index(len(data), axis)
    return [data], [data]


@operator("reverse", "flip")
def flip(xp, data: Array, axis: Shape = REQUIRED):
    """Reverse the order of the elements along the axes ``axis``."""
    return data[_flip_index(data.ndim, axis)]


@operator("_npi_flip")
def np_flip(xp, data: Array, axis: Shape | None = REQUIRED):
    """Reverse the order of the elements along the axes ``axis``, or along all."""
    return data[_flip_index(data.ndim, axis)]


for _op in (flip, np_flip):
    _op.infer_shape(_flip_rule)
    _op.infer_type(rules.same_type)
flip.gradient(lambda F, dy, y, data, *, axis: [F.reverse(dy, axis=axis)])
np_flip.gradient(lambda F, dy, y, data, *, axis: [F._npi_flip(dy, axis=axis)])


def _rotation_plane(rank: int, axes: tuple[int, ...] | None) -> tuple[int, int]:
    a, b = (0, 1) if axes is None else axes
    for axis in (a, b):
        rules.require(
            -rank <= axis < rank, f"i >= 0 && i < ndim(): index = {axis} must be in range [0, {rank})"
        )
    a, b = a % rank, b % rank
    rules.require(a != b, f"real_axes[0] != real_axes[1] ({a} vs. {b}) : axes have duplicates {format_shape(axes)}")
    return a, b


@operator("_npi_rot90")
def np_rot90(xp, data: Array, k: int = 1, axes: Shape | None = None):
    """Rotate by ``k`` quarter turns in the plane of two axes, the first two by default."""
    return xp.rot90(data, k, _rotation_plane(data.ndim, axes))


@np_rot90.infer_shape
def _(data, *, k, axes):
    if data is None:
        return [None], [None]
    a, b = _rotation_plane(len(data), axes)
    return ([data], [data]) if k % 2 == 0 else _swap_rule(data, dim1=a, dim2=b)


np_rot90.infer_type(rules.same_type)
np_rot90.gradient(lambda F, dy, y, data, *, k, axes: [F._npi_rot90(dy, k=-k, axes=axes)])


@operator("_np_roll")
def np_roll(xp, data: Array, shift: Shape | None = None, axis: Shape | None = None):
    """Shift elements along axes; what leaves at one end comes in at the other."""
    _roll_rule(data.shape, shift=shift, axis=axis)
    if axis is None:
        return xp.roll(data, shift[0])
    return xp.roll(data, shift * len(axis) if len(shift) == 1 else shift, axis)


@np_roll.infer_shape
def _roll_rule(data, *, shift, axis):
    rules.require(shift is not None, "param.shift.has_value(): roll needs a shift")
    if axis is None:
        if len(shift) != 1:
            raise ShapeError("shift must be an int.")
    elif data is not None:
        for a in axis:
            rules.require(
                -len(data) <= a < len(data),
                f"axes[axes.ndim() - 1] < ndim ({a} vs. {len(data)}) : "
                f"axis {a} Exceeds input dimensions {format_shape(data)}",
            )
    return [data], [data]


np_roll.infer_type(rules.same_type)
np_roll.gradient(
    lambda F, dy, y, data, *, shift, axis: [F._np_roll(dy, shift=tuple(-s for s in shift), axis=axis)]
)

# --- stretching and copying -----------------------------------------------------------------------


def _broadcast_to_rule(array: PartialShape, *, shape: tuple[int, ...]):
    if array is None:
        return [None], [shape]
    rules.require(
        len(array) <= len(shape),
        f"ishape.ndim() <= param.shape.ndim() ({len(array)} vs. {len(shape)}) : "
        f"shape {format_shape(array)} is not broadcastable to {format_shape(shape)}",
    )
    rules.require(
        all(m in (None, 1, n) for m, n in zip(array[::-1], shape[::-1], strict=False)),
        "ishape[j] == pshape[i] || ishape[j] == 1: "
        f"shape {format_shape(array)} is not broadcastable to {format_shape(shape)}",
    )
    return [array], [shape]


@operator("_npi_broadcast_to")
def np_broadcast_to(xp, array: Array, shape: Shape = ()):
    """Stretch sizes of 1, and add axes in front, until the array has the shape ``shape``."""
    try:
        return xp.broadcast_to(array, shape)
    except ValueError:
        _broadcast_to_rule(array.shape, shape=shape)
        raise


np_broadcast_to.infer_shape(_broadcast_to_rule)
np_broadcast_to.infer_type(rules.same_type)
np_broadcast_to.gradient(lambda F, dy, y, array, *, shape: [F._reduce_like(dy, array)])


@operator("_np_copy")
def np_copy(xp, a: Array):
    """Copy an array."""
    return a.copy()


np_copy.infer_shape(rules.same)
np_copy.infer_type(rules.same_type)
np_copy.gradient(lambda F, dy, y, a: [dy])


@operator("_npi_share_memory", differentiable=False)
def np_share_memory(xp, a: Array, b: Array):
    """Whether two arrays may share memory, as a boolean array of shape ()."""
    return xp.asarray(bool(xp.may_share_memory(a, b)))


np_share_memory.infer_shape(lambda a, b: ([a, b], [()]))
np_share_memory.infer_type(lambda a, b: ([a, b], [rules.numpy.dtype(bool)]))
