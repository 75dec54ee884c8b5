"""Operators that return a rectangular slice of an array: ``slice``, ``slice_axis``, ``slice_like``, and ``Crop``.

Kernels return views. The gradient operator of a slice returns zeros with the gradient in the slice. The gradient of
this gradient operator is the slice of the incoming gradient.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from ...error import ShapeError
from ..core.infer import PartialShape
from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules

FAMILY = "shape"
MEANINGS = {
    "shape_like": "The array that determines the shape.",
    "axes": "The axes to slice; all by default.",
    "data": "An array with at least one axis.",
    "slice_like.data": "The array to slice, whose sizes are at least those of ``shape_like`` along ``axes``.",
    "slice_axis.axis": "The axis to slice; negative numbers count from the last axis.",
    "slice_axis.begin": "The index of the first element; negative numbers count from the end of the axis.",
    "slice_axis.end": (
        "The index after the last element; negative numbers count from the end of the axis, and None is the end."
    ),
}

Index = tuple[slice, ...]


def _put_back(xp: Any, dy: Any, like: Any, index: Index) -> Any:
    """Return zeros in the shape of an array, with ``dy`` at ``index``."""
    result = xp.zeros(like.shape, dtype=dy.dtype)
    result[index] = dy
    return result


def _like_second(dy: PartialShape, like: PartialShape, **_: Any):
    """Apply the shape rule of the gradient of a slice, whose result has the shape of the second input."""
    return [dy, like], [like]


# --- slice ---------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=1024)
def _slice_index(begin: tuple[Any, ...], end: tuple[Any, ...], step: tuple[Any, ...] | None) -> Index:
    step = step or ()
    rules.require(
        len(begin) == len(end),
        f"param_begin.ndim() == param_end.ndim() ({len(begin)} vs. {len(end)}) : "
        "begin and end must have the same length",
    )
    rules.require(
        len(step) in (0, len(begin)),
        f"param_step.ndim() == param_begin.ndim() ({len(step)} vs. {len(begin)}) : "
        "step and begin must have the same length",
    )
    for i, s in enumerate(step):
        rules.require(s != 0, f"s != 0 (0 vs. 0) : slice op step[{i}] cannot be 0")
    return tuple(map(slice, begin, end, step or (None,) * len(begin)))


def _check_rank(index: Index, rank: int) -> None:
    rules.require(
        len(index) <= rank,
        f"param_begin.ndim() <= dshape.ndim() ({len(index)} vs. {rank}) : Slicing axis exceeds data dimensions",
    )


def _sliced_size(n: int | None, part: slice) -> int | None:
    if n is None:
        return None
    return len(range(*part.indices(n)))


@operator("slice", "crop", "_npx_slice", "_npi_slice")
def slice_array(xp, data: Array, begin: Shape = REQUIRED, end: Shape = REQUIRED, step: Shape | None = ()):
    """Return a slice of an array, ``data[begin[0]:end[0]:step[0], ...]``.

    Parameters
    ----------
    data : NDArray or Symbol
        The array to slice, with at least ``len(begin)`` axes.
    begin, end : tuple of int or None
        The start and the end of the slice along the first ``len(begin)`` axes. None means that the slice starts or
        ends where the axis does; negative numbers count from the end of the axis.
    step : tuple of int or None
        The distances between elements; negative numbers reverse the order.
    """
    index = _slice_index(begin, end, step)
    if len(index) > data.ndim:
        _check_rank(index, data.ndim)
    return data[index]


@slice_array.infer_shape
def _(data, *, begin, end, step):
    index = _slice_index(begin, end, step)
    if data is None:
        return [None], [None]
    _check_rank(index, len(data))
    sizes = [_sliced_size(n, part) for n, part in zip(data, index, strict=False)]
    return [data], [(*sizes, *data[len(sizes) :])]


slice_array.infer_type(rules.same_type)
slice_array.gradient(
    lambda F, dy, y, data, *, begin, end, step: [F._backward_slice(dy, data, begin=begin, end=end, step=step)]
)


@operator("_backward_slice")
def slice_backward(xp, dy: Array, like: Array, begin: Shape = REQUIRED, end: Shape = REQUIRED, step: Shape | None = ()):
    """Return the gradient of ``slice``: zeros, with ``dy`` in the slice."""
    return _put_back(xp, dy, like, _slice_index(begin, end, step))


slice_backward.infer_shape(_like_second)
slice_backward.infer_type(rules.type_of_first)
slice_backward.gradient(
    lambda F, dy, y, grad, like, *, begin, end, step: [F.slice(dy, begin=begin, end=end, step=step), None]
)

# --- slice_axis ----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def _axis_bounds(shape: tuple[Any, ...], axis: int, begin: int, end: int | None) -> tuple[int, Any, Any]:
    """Return the axis and both bounds; if the size of the axis is known, the bounds are counted from its start."""
    rank = len(shape)
    place = axis + rank if axis < 0 else axis
    rules.require(
        0 <= place < rank,
        "*axis < ishape.ndim() && *axis >= 0: Transformed axis must be smaller than the source ndim and "
        f"larger than zero! Recieved axis={axis}, src_ndim={rank}, transformed axis={place}",
    )
    size = shape[place]
    if size is None:
        return place, begin, end
    first = begin + size if begin < 0 else begin
    last = size if end is None else end + size if end < 0 else end
    rules.require(last <= size, f"*end <= axis_size: Invalid end for end={end} as axis_size is {size}")
    rules.require(first < last, f"(*begin < *end): Invalid begin, end, get begin={begin}, end={end}")
    rules.require(first >= 0, f"*begin >= 0: Invalid begin for begin={begin}")
    return place, first, last


@functools.lru_cache(maxsize=4096)
def _axis_index(shape: tuple[int, ...], axis: int, begin: int, end: int | None) -> Index:
    place, first, last = _axis_bounds(shape, axis, begin, end)
    return (slice(None),) * place + (slice(first, last),)


@operator("slice_axis")
def slice_axis(xp, data: Array, axis: int = REQUIRED, begin: int = REQUIRED, end: int | None = REQUIRED):
    """Return the elements from ``begin`` to ``end`` along one axis; ``end=None`` is the end of the axis."""
    return data[_axis_index(data.shape, axis, begin, end)]


@slice_axis.infer_shape
def _(data, *, axis, begin, end):
    if data is None:
        return [None], [None]
    place, first, last = _axis_bounds(data, axis, begin, end)
    size = None if data[place] is None else last - first
    return [data], [(*data[:place], size, *data[place + 1 :])]


slice_axis.infer_type(rules.same_type)
slice_axis.gradient(
    lambda F, dy, y, data, *, axis, begin, end: [F._backward_slice_axis(dy, data, axis=axis, begin=begin, end=end)]
)


@operator("_backward_slice_axis")
def slice_axis_backward(
    xp, dy: Array, like: Array, axis: int = REQUIRED, begin: int = REQUIRED, end: int | None = REQUIRED
):
    """Return the gradient of ``slice_axis``: zeros, with ``dy`` in the slice."""
    return _put_back(xp, dy, like, _axis_index(like.shape, axis, begin, end))


slice_axis_backward.infer_shape(_like_second)
slice_axis_backward.infer_type(rules.type_of_first)
slice_axis_backward.gradient(
    lambda F, dy, y, grad, like, *, axis, begin, end: [
        F.slice_axis(dy, axis=axis, begin=begin, end=end),
        None,
    ]
)

# --- slice_like ----------------------------------------------------------------------------------


def _like_axes(rank: int, other: int, axes: tuple[int, ...]) -> list[int]:
    """Return the axes to slice, as non-negative numbers."""
    if not axes:
        rules.require(
            rank == other,
            f"ishape.ndim() == from_shape.ndim() ({rank} vs. {other}) : By default slice_axis performs "
            f"slice on all axes, but ndim mismatch for inputs: {rank} vs. {other}",
        )
        return list(range(rank))
    places = [axis + rank if axis < 0 else axis for axis in axes]
    for place in places:
        rules.require(
            0 <= place < rank,
            f"ishape.ndim() > axis ({rank} vs. {place}) : Slice axis: {place} exceeds first input: {rank}",
        )
        rules.require(
            place < other,
            f"from_shape.ndim() > axis ({other} vs. {place}) : Slice axis: {place} exceeds second input: {other}",
        )
    return places


def _cut_like(data: tuple[Any, ...], shape_like: tuple[Any, ...], axes: tuple[int, ...] | None) -> tuple[Any, ...]:
    sizes = list(data)
    if axes is None:
        return data
    name = "axis" if axes else "i"
    for place in _like_axes(len(data), len(shape_like), axes):
        have, want = data[place], shape_like[place]
        rules.require(
            have is None or want is None or have >= want,
            f"ishape[{name}] >= from_shape[{name}] ({have} vs. {want}) : "
            f"Slice axis {place} with size {want}exceeds limit of input with size {have}",
        )
        sizes[place] = want
    return tuple(sizes)


@functools.lru_cache(maxsize=1024)
def _like_index(data: tuple[int, ...], shape_like: tuple[int, ...], axes: tuple[int, ...] | None) -> Index:
    return tuple(map(slice, _cut_like(data, shape_like, axes)))


@operator("slice_like")
def slice_like(xp, data: Array, shape_like: Array, axes: Shape = ()):
    """Return the first elements along ``axes``, as many as ``shape_like`` has; by default, along all axes."""
    return data[_like_index(data.shape, shape_like.shape, axes)]


@slice_like.infer_shape
def _(data, shape_like, *, axes):
    if data is None or shape_like is None:
        return [data, shape_like], [None]
    return [data, shape_like], [_cut_like(data, shape_like, axes)]


slice_like.infer_type(rules.type_of_first)
slice_like.gradient(lambda F, dy, y, data, shape_like, *, axes: [F._backward_slice_like(dy, data), None])


@operator("_backward_slice_like")
def slice_like_backward(xp, dy: Array, like: Array):
    """Return the gradient of ``slice_like``: zeros, with ``dy`` in the slice."""
    return _put_back(xp, dy, like, tuple(map(slice, dy.shape)))


slice_like_backward.infer_shape(_like_second)
slice_like_backward.infer_type(rules.type_of_first)
slice_like_backward.gradient(lambda F, dy, y, grad, like: [F.slice_like(dy, grad, axes=()), None])

# --- Crop ----------------------------------------------------------------------------------------


_SIDES = ("height", "width")


def _check_window(image: tuple[Any, ...], window: tuple[Any, ...], alone: bool) -> None:
    """Check that a window fits into an image; with ``alone``, attributes determine the size of the window."""
    for i, (side, n, have) in enumerate(zip(_SIDES, window, image[2:], strict=True)):
        if alone:
            rules.require(
                n >= 1,
                f"static_cast<int>(param_.h_w[{i}]) >= 1 ({n} vs. 1) : "
                f"the crop {side}(h_w[{i}]) should be larger than 1",
            )
            rules.require(
                have is None or n <= have,
                f"static_cast<int>(param_.h_w[{i}]) <= static_cast<int>(data_shape[{2 + i}]) ({n} vs. {have})"
                f" : the crop {side}(h_w[{i}]) should be less than the input data's {side}",
            )
        rules.require(
            n is None or have is None or have >= n,
            f"data_shape[{2 + i}] >= out_shape[{2 + i}] ({have} vs. {n}) : "
            f"data_shape'{side} should be larger than that of out_shape",
        )


def _check_offset(image: tuple[Any, ...], window: tuple[Any, ...], offset: tuple[int, ...]) -> None:
    for i, (side, n, have) in enumerate(zip(_SIDES, window, image[2:], strict=True)):
        if have is not None and n is not None:
            rules.require(
                offset[i] >= 0,
                f"static_cast<int>(param_.offset[{i}]) >= 0 ({offset[i]} vs. 0) : offset[{i}] should be larger than 0",
            )
            rules.require(
                offset[i] <= have - n,
                f"param_.offset[{i}] <= data_shape[{2 + i}]-out_shape[{2 + i}] "
                f"({offset[i]} vs. {have - n}) : "
                f"offset[{i}] should be less than the residual space of {side}",
            )


def _cropped(shapes: Sequence[PartialShape], offset: Any, h_w: Any, center_crop: bool) -> PartialShape:
    """Return the shape of the crop; if there is a second array, its shape replaces ``h_w``."""
    if len(shapes) not in (1, 2):
        raise ShapeError(f"Check failed: param_.num_args <= 2 ({len(shapes)} vs. 2) : Crop takes one or two arrays")
    image, alone = shapes[0], len(shapes) == 1
    if image is None:
        return None
    rules.require(
        len(image) == 4,
        f"data_shape.ndim() == 4U ({len(image)} vs. 4) : Input data should be 4D in batch-num_filter-y-x",
    )
    window: tuple[Any, ...] = tuple(h_w) if alone else (shapes[1] or (None,) * 4)[2:4]
    _check_window(image, window, alone)
    if not center_crop:
        _check_offset(image, window, offset)
    return (*image[:2], *window)


def _crop_index(image: tuple[int, ...], part: tuple[Any, ...], offset: tuple[int, ...], center: bool) -> Index:
    top, left = ((image[2] - part[2]) // 2, (image[3] - part[3]) // 2) if center else offset
    return slice(None), slice(None), slice(top, top + part[2]), slice(left, left + part[3])


@operator("Crop")
def crop(xp, *data: Array, offset: Shape = (0, 0), h_w: Shape = (0, 0), center_crop: bool = False):
    """Crop a batch of images to a window.

    Parameters
    ----------
    *data : NDArray or Symbol
        The images, of shape ``(batch, channel, height, width)``, and optionally a second array that determines the
        height and width of the window.
    offset : tuple of int
        The upper left corner of the window.
    h_w : tuple of int
        The height and width of the window if there is no second array.
    center_crop : bool
        Whether the window is at the center.
    """
    target = _cropped([a.shape for a in data], offset, h_w, center_crop)
    assert target is not None
    return data[0][_crop_index(data[0].shape, target, offset, center_crop)]


crop.names_outputs = True
crop.assumes_single = True


@crop.infer_shape
def _(*data, offset, h_w, center_crop, **_):
    return list(data), [_cropped(data, offset, h_w, center_crop)]


crop.infer_type(rules.type_of_first)


@crop.gradient
def _(F, dy, y, *data, offset, h_w, center_crop, **_):
    grad = F._backward_Crop(dy, data[0], offset=offset, center_crop=center_crop)
    return [grad] + [None] * (len(data) - 1)


@operator("_backward_Crop")
def crop_backward(xp, dy: Array, like: Array, offset: Shape = (0, 0), center_crop: bool = False):
    """Return the gradient of ``Crop``: zeros, with ``dy`` in the window."""
    return _put_back(xp, dy, like, _crop_index(like.shape, dy.shape, offset, center_crop))


crop_backward.infer_shape(_like_second)
crop_backward.infer_type(rules.type_of_first)
crop_backward.gradient(
    lambda F, dy, y, grad, like, *, offset, center_crop: [
        F.Crop(dy, grad, offset=offset, center_crop=center_crop),
        None,
    ]
)
