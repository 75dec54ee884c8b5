"""Operators that insert and remove axes of size 1, and that permute and reverse axes.

The kernels return views if the array module can, so that no element is copied.
"""

from __future__ import annotations

import functools
from typing import Any

from ...error import ParameterError, ShapeError
from ..core.infer import PartialShape, format_shape
from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules

FAMILY = "shape"
MEANINGS = {
    "axes": "The input axis for each axis of the result; by default, the order of the axes is reversed.",
    "dim1": "One of the axes to exchange; negative numbers count from the last axis.",
    "dim2": "The other axis to exchange; negative numbers count from the last axis.",
    "data": "An array of any shape and element type.",
    "expand_dims.axis": "The index of the new axis in the result; negative numbers count from the result's last axis.",
    "squeeze.axis": "The axes to remove, which must have size 1; by default, all axes of size 1.",
    "reverse.axis": (
        "The axes along which the order of elements is reversed; negative numbers count from the last axis."
    ),
}

# --- inserting and removing axes of size 1 -------------------------------------------------------


def _inserted(shape: tuple[Any, ...], axis: int) -> tuple[Any, ...]:
    rank = len(shape)
    place = axis + rank + 1 if axis < 0 else axis
    if not 0 <= place <= rank:
        raise ShapeError(
            f"Check failed: axis >= 0 && axis <= indim: axis must be in the range [{-rank}, {rank}] ({axis} provided)"
        )
    return (*shape[:place], 1, *shape[place:])


@operator("expand_dims", "_npi_expand_dims")
def expand_dims(xp, data: Array, axis: int = REQUIRED):
    """Insert an axis of size 1 at position ``axis``."""
    return data.reshape(_inserted(data.shape, axis))


expand_dims.infer_shape(lambda data, *, axis: ([data], [None if data is None else _inserted(data, axis)]))
expand_dims.infer_type(rules.same_type)
expand_dims.view = "reshape"
expand_dims.gradient(lambda F, dy, y, data, *, axis: [F.reshape_like(dy, data)])


@functools.lru_cache(maxsize=1024)
def _squeezed(shape: PartialShape, axis: tuple[int, ...] | None, scalar_shape: tuple[int, ...]) -> PartialShape:
    """Return the shape without the axes of size 1 in `axis`, or without any axes of size 1 for None."""
    if shape is None:
        return None
    if axis is None:
        if None in shape:
            return None  # an axis of unknown size is removed if the size is 1
        return tuple(n for n in shape if n != 1) or scalar_shape
    if not shape and not scalar_shape and len(axis) == 1:  # as in older NumPy, a scalar counts as a vector
        rules.require(
            axis[0] in (0, -1),
            f"axes[0] == 0 || axes[0] == -1: axis {axis[0]} is out of bounds of array of dimension 0",
        )
        return ()
    gone: set[int] = set()
    for a in axis:
        place = a + len(shape) if a < 0 else a
        rules.require(
            0 <= place < len(shape),
            f"axes[i] < dndim ({a} vs. {len(shape)}) : axis {a} is out of bounds for array of dimension {len(shape)}",
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
            gone = {a % max(len(data), 1) for a in axis}
            data = tuple(1 if i in gone else n for i, n in enumerate(data))
        return [data], [target]

    return rule


@operator("squeeze")
def squeeze(xp, data: Array, axis: Shape | None = None):
    """Remove the axes of size 1 in ``axis``, by default all axes of size 1; at least one axis remains."""
    return data.reshape(_squeezed(data.shape, axis, (1,)))


@operator("_np_squeeze")
def np_squeeze(xp, a: Array, axis: Shape | None = None):
    """Remove the axes of size 1 in ``axis``, by default all axes of size 1."""
    return a.reshape(_squeezed(a.shape, axis, ()))


squeeze.names_inputs = True
squeeze.infer_shape(_squeeze_rule((1,)))
np_squeeze.infer_shape(lambda a, *, axis: _squeeze_rule(())(a, axis=axis))
for _op in (squeeze, np_squeeze):
    _op.view = "reshape"
    _op.infer_type(rules.same_type)
    _op.gradient(lambda F, dy, y, data, *, axis: [F.reshape_like(dy, data)])


# --- permuting axes ------------------------------------------------------------------------------


def permuted_shape(shape: PartialShape, order: tuple[int, ...]) -> PartialShape:
    """Return the shape after a permutation of the axes."""
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
        rank == len(axes),
        f"std: :max(shp.ndim(), out_shp.ndim()) == param.axes.ndim() ({rank} vs. {len(axes)}) : ",
    )
    rules.require(all(-rank <= a < rank for a in axes), "param.axes[i] < static_cast<int64_t>(shp.ndim()): ")
    rules.require(
        len({a % rank for a in axes}) == rank,
        f"Repeated axis in transpose. param.axes = {format_shape(axes)}",
    )
    return [data], [permuted_shape(data, axes)]


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
                -rank <= n < rank,
                f"axes[i] >= 0 && axes[i] < ndim: axes[{i}]={n} exceeds the range [0, {rank})",
            )
        distinct = len({n % rank for n in axes})
        if distinct != rank:
            raise ParameterError(
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
transpose.view = np_transpose.view = "transpose"
transpose.gradient(lambda F, dy, y, data, *, axes: [F.transpose(dy, axes=_inverse(axes)) if axes else F.transpose(dy)])
np_transpose.infer_shape(_np_transpose_rule)
np_transpose.infer_type(rules.same_type)
np_transpose.gradient(
    lambda F, dy, y, a, *, axes: [F._np_transpose(dy, axes=_inverse(axes)) if axes else F._np_transpose(dy)]
)


def swapped_shape(data: PartialShape, *, dim1: int, dim2: int):
    """Apply the shape rule of ``SwapAxis``.

    Raises
    ------
    ShapeError
        If an axis is out of range.
    """
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
        swapped_shape(data.shape, dim1=dim1, dim2=dim2)
        raise


swap_axes.names_outputs = True
swap_axes.infer_shape(swapped_shape)
swap_axes.infer_type(rules.same_type)
swap_axes.gradient(lambda F, dy, y, data, *, dim1, dim2: [F.SwapAxis(dy, dim1=dim1, dim2=dim2)])


# --- reversing -----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=1024)
def _flip_index(rank: int, axis: tuple[int, ...] | None) -> tuple[slice, ...]:
    """Return the index that reverses the given axes, or all axes for None."""
    index = [slice(None)] * rank
    for a in range(rank) if axis is None else axis:
        if not -rank <= a < rank:
            raise ShapeError(
                f"Check failed: axis < ishape.ndim() ({a} vs. {rank}) : "
                f"axis {a} is out of bounds for array of dimension {rank}"
            )
        index[a] = slice(None, None, -1) if index[a].step is None else slice(None)  # two reversals cancel
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
    """Reverse the order of the elements along the axes ``axis``, or along all axes if ``axis`` is None."""
    return data[_flip_index(data.ndim, axis)]


for _op in (flip, np_flip):
    _op.infer_shape(_flip_rule)
    _op.infer_type(rules.same_type)
flip.names_inputs = True
flip.gradient(lambda F, dy, y, data, *, axis: [F.reverse(dy, axis=axis)])
np_flip.names_inputs = True
np_flip.gradient(lambda F, dy, y, data, *, axis: [F._npi_flip(dy, axis=axis)])
