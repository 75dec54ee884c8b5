"""Operators that repeat or pad an array: tile, repeat, and pad."""

from __future__ import annotations

import functools
from typing import Any, Literal

from ...error import MXNetError, ShapeError
from ...util import is_np_shape
from ..core.infer import PartialShape, known_size
from ..core.operator import REQUIRED, Array, Pairs, Shape, operator
from . import rules
from .create import inference_failed, legacy_shape

FAMILY = "shape"
MEANINGS = {
    "data": "An array of any shape and element type.",
    "reps": "The number of repetitions along each axis; a shorter tuple applies to the last axes.",
    "repeats": "The number of repetitions of each element, at least 0.",
    "axis": "The axis along which elements are repeated, which may be negative; None for the flattened array.",
}

# --- tile ----------------------------------------------------------------------------------------


def _aligned(shape: tuple[Any, ...], reps: tuple[int, ...]) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """Return the shape and the repetitions with equal lengths; leading ones are added to the shorter tuple."""
    missing = len(reps) - len(shape)
    return (1,) * missing + shape, (1,) * -missing + reps


def _times(n: int | None, m: int | None) -> int | None:
    return 0 if 0 in (n, m) else None if n is None or m is None else n * m


def _tile_rule(data: PartialShape, *, reps: tuple[int, ...]):
    for r in reps:
        rules.require(r >= 0, f"dim_size >= -1 ({r} vs. -1) : shape dim size must be >= -1, while received {r}")
    if data is None:
        return [None], [None]
    shape, times = _aligned(data, reps)
    return [data], [tuple(_times(n, r) for n, r in zip(shape, times, strict=True))]


def _interleaved(shape: tuple[int, ...], times: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape ``(r0, n0, r1, n1, ...)``, in which an axis for the copies precedes every axis."""
    return tuple(size for pair in zip(times, shape, strict=True) for size in pair)


@functools.lru_cache(maxsize=1024)
def _tile_plan(shape: tuple[int, ...], reps: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the shapes of three arrays: with separate axes for copies, with the copies, and merged."""
    target = _tile_rule(shape, reps=reps)[1][0]
    sizes, times = _aligned(shape, reps)
    return _interleaved(sizes, (1,) * len(times)), _interleaved(sizes, times), target


@operator("tile", "_npi_tile")
def tile(xp, data: Array, reps: Shape = REQUIRED):
    """Repeat the whole array ``reps[i]`` times along axis i; 0 is valid only with ``mx.util.np_shape``."""
    apart, copied, target = _tile_plan(data.shape, reps)
    if 0 in reps and not is_np_shape():
        raise inference_failed("tile", legacy_shape(target), reps=reps)
    result = xp.empty(copied, dtype=data.dtype)
    result[...] = data.reshape(apart)
    return result.reshape(target)


@tile.infer_shape
def _(data, *, reps):
    (data,), (target,) = _tile_rule(data, reps=reps)
    if 0 in reps and not is_np_shape():  # 0 is an unknown size
        target = None if target is None else tuple(n or None for n in target)
    return [data], [target]


tile.names_inputs = True
tile.infer_type(rules.same_type)
tile.gradient(lambda F, dy, y, data, *, reps: [F._backward_tile(dy, data, reps=reps)])


@operator("_backward_tile")
def tile_backward(xp, dy: Array, like: Array, reps: Shape = REQUIRED):
    """Return the sum of the gradients of the copies that ``tile`` creates."""
    shape, times = _aligned(like.shape, reps)
    folded = dy.reshape(_interleaved(shape, times))
    return xp.add.reduce(folded, axis=tuple(range(0, 2 * len(times), 2))).reshape(like.shape)


tile_backward.infer_shape(lambda dy, like, **_: ([dy, like], [like]))
tile_backward.infer_type(rules.type_of_first)
tile_backward.gradient(lambda F, dy, y, grad, like, *, reps: [F.tile(dy, reps=reps), None])

# --- repeat --------------------------------------------------------------------------------------


def _repeat_axis(rank: int, axis: int) -> int:
    rules.require(-rank <= axis < rank, f"axis >= 0 && axis < ndims: axis = {axis} out of bounds")
    return axis % rank


def _repeat_rule(data: PartialShape, *, repeats: int, axis: int | None):
    rules.require(repeats >= 0, f"*repeats >= 0 ({repeats} vs. 0) : repeats cannot be a negative number")
    if axis is None:
        return [data], [(_times(None if data is None else known_size(data), repeats),)]
    if repeats == 0:
        return [data], [(0,)]
    if data is None:
        return [None], [None]
    place = _repeat_axis(len(data), axis)
    return [data], [(*data[:place], _times(data[place], repeats), *data[place + 1 :])]


@operator("repeat", "_np_repeat")
def repeat(xp, data: Array, repeats: int = REQUIRED, axis: int | None = None):
    """Repeat each element ``repeats`` times along an axis; without ``axis``, flatten the array first.

    The result of 0 repetitions has the shape ``(0,)``, regardless of the axis.
    """
    if repeats == 0:
        return xp.empty((0,), data.dtype)
    if not data.ndim:  # NumPy accepts axis 0 of a 0-D array
        _repeat_rule(data.shape, repeats=repeats, axis=axis)
    try:
        return data.repeat(repeats, axis)
    except ValueError:
        _repeat_rule(data.shape, repeats=repeats, axis=axis)
        raise


repeat.names_inputs = True
repeat.infer_shape(_repeat_rule)
repeat.infer_type(rules.same_type)
repeat.gradient(lambda F, dy, y, data, *, repeats, axis: [F._backward_repeat(dy, data, repeats=repeats, axis=axis)])


@operator("_backward_repeat")
def repeat_backward(xp, dy: Array, like: Array, repeats: int = REQUIRED, axis: int | None = None):
    """Return the sum of the gradients of the copies that ``repeat`` creates."""
    if repeats == 0:
        return xp.zeros(like.shape, dy.dtype)
    if axis is None:
        folded, place = dy.reshape(like.size, repeats), 1
    else:
        place = axis % like.ndim + 1
        folded = dy.reshape(*like.shape[:place], repeats, *like.shape[place:])
    return xp.add.reduce(folded, axis=place).reshape(like.shape)


repeat_backward.infer_shape(lambda dy, like, **_: ([dy, like], [like]))
repeat_backward.infer_type(rules.type_of_first)
repeat_backward.gradient(
    lambda F, dy, y, grad, like, *, repeats, axis: [F.repeat(dy, repeats=repeats, axis=axis), None]
)

# --- padding -------------------------------------------------------------------------------------

Widths = tuple[tuple[int, int], ...]


@functools.lru_cache(maxsize=1024)
def _interior(shape: tuple[int, ...], widths: Widths) -> tuple[slice, ...]:
    """Return the index of the original elements inside the padded array."""
    return tuple(slice(before, before + n) for n, (before, _) in zip(shape, widths, strict=True))


def _padded_shape(shape: PartialShape, widths: Widths) -> PartialShape:
    if shape is None:
        return None
    return tuple(None if n is None else n + sum(w) for n, w in zip(shape, widths, strict=True))


def _pad(xp: Any, data: Any, widths: Widths, mode: str, value: float) -> Any:
    if mode != "constant":
        return xp.pad(data, widths, mode)
    shape = _padded_shape(data.shape, widths)
    result = xp.full(shape, value, dtype=data.dtype) if value else xp.zeros(shape, dtype=data.dtype)
    result[_interior(data.shape, widths)] = data
    return result


def _slab(rank: int, axis: int, start: int | None, stop: int | None, step: int = 1) -> tuple[slice, ...]:
    index = [slice(None)] * rank
    index[axis] = slice(start, stop, step)
    return tuple(index)


def _fold(xp: Any, dy: Any, axis: int, before: int, after: int, mode: str) -> Any:
    """Return the gradient of padding along one axis.

    Padded elements are copies, so their gradients are added to those of the original elements. The originals are the
    border element (edge), or the mirror image without (reflect) or with (symmetric) the border element.
    """
    rank, stop = dy.ndim, dy.shape[axis] - after
    inner = dy[_slab(rank, axis, before, stop)]
    if mode == "constant":
        return inner
    inner = inner.copy()
    size = stop - before
    head, tail = dy[_slab(rank, axis, 0, before)], dy[_slab(rank, axis, stop, None)]
    if mode == "edge":
        inner[_slab(rank, axis, 0, 1)] += xp.add.reduce(head, axis=axis, keepdims=True)
        inner[_slab(rank, axis, size - 1, size)] += xp.add.reduce(tail, axis=axis, keepdims=True)
        return inner
    skip = 1 if mode == "reflect" else 0
    if before > size - skip or after > size - skip:
        raise MXNetError(
            f"The gradient of {mode} padding requires widths of at most {size - skip} on axis {axis}, not {before} and "
            f"{after}."
        )
    reverse = _slab(rank, axis, None, None, -1)
    inner[_slab(rank, axis, skip, skip + before)] += head[reverse]
    inner[_slab(rank, axis, size - skip - after, size - skip)] += tail[reverse]
    return inner


def _pad_backward(xp: Any, dy: Any, widths: Widths, mode: str) -> Any:
    for axis, (before, after) in enumerate(widths):
        if before or after:
            dy = _fold(xp, dy, axis, before, after, mode)
    return dy


def _legacy_widths(data: PartialShape, pad_width: tuple[int, ...], mode: str) -> Widths:
    """Check that the legacy operator supports the widths, and return the widths as pairs."""
    widths = tuple(zip(pad_width[::2], pad_width[1::2], strict=False))
    if data is None:
        return widths
    if len(data) not in (4, 5):
        raise ShapeError("Current implementation only supports 4-D or 5-D input.")
    if len(pad_width) != 2 * len(data):
        raise ShapeError("Input shape vs padding spec mismatch.")
    if any(pad_width[:4]):
        raise ShapeError("Current implementation expects padding on the first two axes to be zero.")
    if min(pad_width) < 0:
        raise ShapeError(f"Padding sizes must not be negative, but pad_width is {pad_width}.")
    if mode == "reflect" and any(n is not None and max(w) >= n for n, w in zip(data, widths, strict=True)):
        raise ShapeError(
            "Current implementation of reflection padding only supports padding sizes smaller than the input size."
        )
    return widths


@operator("Pad", "pad")
def pad(
    xp,
    data: Array,
    mode: Literal["constant", "edge", "reflect"] = REQUIRED,
    pad_width: Shape = REQUIRED,
    constant_value: float = 0.0,
):
    """Pad the spatial axes of images, in a 4-D or 5-D array.

    Parameters
    ----------
    data : NDArray or Symbol
        The array, of shape ``(batch, channel, ..., height, width)``.
    mode : {'constant', 'edge', 'reflect'}
        The content of the padding: a number, copies of the border, or a mirror image.
    pad_width : tuple of int
        The widths ``(before_0, after_0, before_1, ...)``; the first four must be 0.
    constant_value : float
        The value of the padding for ``'constant'``.
    """
    return _pad(xp, data, _legacy_widths(data.shape, pad_width, mode), mode, constant_value)


pad.names_outputs = True


@pad.infer_shape
def _(data, *, mode, pad_width, constant_value):
    return [data], [_padded_shape(data, _legacy_widths(data, pad_width, mode))]


pad.infer_type(rules.same_type)
pad.gradient(
    lambda F, dy, y, data, *, mode, pad_width, constant_value: [F._backward_Pad(dy, mode=mode, pad_width=pad_width)]
)


@operator("_backward_Pad")
def pad_backward(xp, dy: Array, mode: str = REQUIRED, pad_width: Shape = REQUIRED):
    """Return the gradient of ``Pad``: the gradient of each copy in the padding is added to that of the original."""
    return _pad_backward(xp, dy, _legacy_widths(None, pad_width, mode), mode)


@pad_backward.infer_shape
def _(dy, *, mode, pad_width):
    widths = tuple((-a, -b) for a, b in _legacy_widths(None, pad_width, mode))
    return [dy], [_padded_shape(dy, widths)]


pad_backward.infer_type(rules.same_type)
pad_backward.gradient(
    lambda F, dy, y, grad, *, mode, pad_width: [F.Pad(dy, mode=mode, pad_width=pad_width, constant_value=0.0)]
)


def _np_widths(pad_width: Any, rank: int | None) -> Widths | None:
    """Return one pair of widths for each axis, from NumPy's forms of ``pad_width``."""
    if isinstance(pad_width, int):
        pad_width = ((pad_width, pad_width),)
    elif pad_width and all(isinstance(w, int) for w in pad_width):
        pad_width = ((pad_width[0], pad_width[-1]),)
    try:
        widths = tuple((int(w[0]), int(w[-1])) for w in pad_width)
    except (TypeError, ValueError, IndexError):
        raise MXNetError(
            f"Invalid Parameter format for pad_width expect tuple of <Shape(tuple)> but value='{pad_width}'"
        ) from None
    if rank is None:
        return None if len(widths) == 1 else widths
    if len(widths) == 1:
        widths *= rank
    rules.require(
        len(widths) == rank,
        f"pad_width.ndim() == ndim ({len(widths)} vs. {rank}) : pad_width must have one pair for each axis",
    )
    rules.require(all(n >= 0 for w in widths for n in w), "index can't contain negative values")
    return widths


@operator("_npi_pad")
def np_pad(
    xp,
    data: Array,
    pad_width: Pairs = REQUIRED,
    mode: Literal["constant", "edge", "maximum", "minimum", "reflect", "symmetric"] = "constant",
    constant_value: float = 0.0,
    reflect_type: str = "even",
):
    """Pad an array along its axes.

    Parameters
    ----------
    data : ndarray
        The array to pad, of any shape.
    pad_width : tuple
        The widths ``((before_0, after_0), (before_1, after_1), ...)``, or one pair for all axes.
    mode : str
        The content of the padding: a number (``'constant'``), copies of the border (``'edge'``), a mirror image without
        or with the border element (``'reflect'``, ``'symmetric'``), or the largest or smallest element along the axis
        (``'maximum'``, ``'minimum'``).
    constant_value : float
        The value of the padding for ``'constant'``.
    reflect_type : str
        The type of reflection; only ``'even'`` is supported.
    """
    widths = _np_widths(pad_width, data.ndim)
    assert widths is not None
    return _pad(xp, data, widths, mode, constant_value)


np_pad.names_inputs = True


@np_pad.infer_shape
def _(data, *, pad_width, mode, constant_value, reflect_type):
    widths = _np_widths(pad_width, None if data is None else len(data))
    if data is None:
        return [None if widths is None else (None,) * len(widths)], [None]
    assert widths is not None
    return [data], [_padded_shape(data, widths)]


np_pad.infer_type(rules.same_type)
np_pad.gradient(
    lambda F, dy, y, data, *, pad_width, mode, constant_value, reflect_type: [
        F._backward_npi_pad(dy, pad_width=pad_width, mode=mode)
    ]
)


@operator("_backward_npi_pad")
def np_pad_backward(xp, dy: Array, pad_width: Pairs = REQUIRED, mode: str = "constant"):
    """Return the gradient of ``np.pad``: the gradient of each copy in the padding is added to that of the original."""
    if mode in ("maximum", "minimum"):
        raise MXNetError(f"np.pad with mode '{mode}' has no gradient.")
    widths = _np_widths(pad_width, dy.ndim)
    assert widths is not None
    return _pad_backward(xp, dy, widths, mode)


@np_pad_backward.infer_shape
def _(dy, *, pad_width, mode):
    if dy is None:
        return [None], [None]
    widths = _np_widths(pad_width, len(dy))
    assert widths is not None
    return [dy], [_padded_shape(dy, tuple((-a, -b) for a, b in widths))]


np_pad_backward.infer_type(rules.same_type)
np_pad_backward.gradient(lambda F, dy, y, grad, *, pad_width, mode: [F._npi_pad(dy, pad_width=pad_width, mode=mode)])
