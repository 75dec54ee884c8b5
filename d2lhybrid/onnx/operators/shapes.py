"""Operators that change shapes and move elements."""

from __future__ import annotations

from typing import Any

import numpy

from ...internals.core.operator import get_operator
from ...internals.ops.tiling import _np_widths
from ..builder import Builder
from ..translations import Untranslatable, translates
from ..values import Value

# --- reshape --------------------------------------------------------------------------------------


@translates("Reshape")
def reshape(g: Builder, data: Value, *, shape: Any, reverse: bool, target_shape: Any, keep_highest: bool) -> Value:
    """Reshape an array. MXNet's special sizes are resolved first, because ONNX only copies or infers a size."""
    if not data.is_static and shape and not reverse and all(n >= -1 for n in shape) and shape.count(-1) <= 1:
        copies = [i for i, n in enumerate(shape) if n == 0]
        if all(i < g.rank(data) for i in copies):
            return g.Reshape(data, list(shape))
    return g.reshape(data, g.shape)


@translates("_np_reshape", "_npx_reshape")
def np_reshape(g: Builder, a: Value, **attributes: Any) -> Value:
    """Reshape an array. The special sizes of ``npx.reshape`` are resolved first."""
    return g.reshape(a, g.shape)


@translates("reshape_like")
def reshape_like(g: Builder, lhs: Value, rhs: Value, **spans: Any) -> Value:
    """Reshape an array to the shape of another array, or a range of its axes to a range of the other array's axes."""
    if all(v is None for v in spans.values()):
        return g.reshape(lhs, g.shape) if g.results[0].is_static else g.Reshape(lhs, g.shape_vector(rhs))
    return g.reshape(lhs, g.shape)


@translates("Flatten")
def flatten(g: Builder, data: Value) -> Value:
    """Flatten all axes except the first axis."""
    return data if g.rank(data) == 2 else g.Flatten(data, axis=1)


@translates("expand_dims")
def expand_dims(g: Builder, data: Value, *, axis: int) -> Value:
    """Insert an axis of size 1."""
    return g.unsqueeze(data, [axis % (g.rank(data) + 1)])


@translates("squeeze", "_np_squeeze")
def squeeze(g: Builder, data: Value, *, axis: Any) -> Value:
    """Remove axes of size 1."""
    rank = g.rank(data)
    if rank == 0:  # a scalar has an axis 0 for this function of NumPy
        return data
    gone = [i for i, n in enumerate(data.shape or ()) if n == 1] if axis is None else [a % rank for a in axis]
    return g.squeeze(data, gone) if rank - len(gone) == len(g.shape) else g.reshape(data, g.shape)


@translates("shape_array")
def shape_array(g: Builder, data: Value) -> Value:
    """Return the shape of an array as a vector."""
    return g.shape_vector(data)


@translates("size_array")
def size_array(g: Builder, data: Value) -> Value:
    """Return the number of elements of an array as a vector with one element."""
    return g.Reshape(g.Size(data), [1])


@translates("_np_atleast_1d", "_np_atleast_2d", "_np_atleast_3d")
def at_least(g: Builder, *arys: Value) -> list[Value]:
    """Add axes of size 1 up to a minimum number of axes."""
    return [g.reshape(a, g.shape_of(r)) for a, r in zip(arys, g.results, strict=True)]


# --- axes -----------------------------------------------------------------------------------------


@translates("transpose", "_np_transpose")
def transpose(g: Builder, data: Value, *, axes: Any) -> Value:
    """Permute the axes of an array. Without ``axes``, reverse the order of the axes."""
    rank = g.rank(data)
    return g.transpose(data, [a % rank for a in axes] if axes else range(rank)[::-1])


@translates("SwapAxis")
def swap_axes(g: Builder, data: Value, *, dim1: int, dim2: int) -> Value:
    """Exchange two axes."""
    order = list(range(g.rank(data)))
    order[dim1], order[dim2] = order[dim2], order[dim1]
    return g.transpose(data, order)


@translates("_matrix_transpose")
def matrix_transpose(g: Builder, data: Value) -> Value:
    """Exchange the last two axes."""
    return g.swap_last(data)


@translates("_np_moveaxis")
def move_axis(g: Builder, a: Value, *, source: Any, destination: Any) -> Value:
    """Move axes to other indices."""
    rank = g.rank(a)
    places = numpy.moveaxis(numpy.empty((1,) * rank), source, destination).ndim
    pairs = sorted(zip([d % rank for d in destination], [s % rank for s in source], strict=True))
    order = [i for i in range(places) if i not in [s for _, s in pairs]]
    for target, origin in pairs:
        order.insert(target, origin)
    return g.transpose(a, order)


@translates("reverse", "_npi_flip")
def flip(g: Builder, data: Value, *, axis: Any) -> Value:
    """Reverse the order of the elements along axes."""
    axes = range(g.rank(data)) if axis is None else axis
    for place in axes:
        data = g.slice(data, place % g.rank(data), None, None, -1)
    return data


# --- broadcasting and repeating -------------------------------------------------------------------


@translates("broadcast_to", "broadcast_axis", "_npi_broadcast_to")
def broadcast_to(g: Builder, data: Value, **attributes: Any) -> Value:
    """Broadcast an array to a shape."""
    return g.expand(data, g.shape)


@translates("broadcast_like")
def broadcast_like(g: Builder, lhs: Value, rhs: Value, *, lhs_axes: Any, rhs_axes: Any) -> Value:
    """Broadcast an array to the shape of another array."""
    if lhs_axes is None and not g.results[0].is_static:
        return g.Expand(lhs, g.shape_vector(rhs))
    return g.expand(lhs, g.static_shape(g.results[0]))


@translates("_reduce_like")
def reduce_like(g: Builder, data: Value, like: Value) -> Value:
    """Sum over the axes along which ``like`` would be broadcast, so that the result has the shape of ``like``."""
    have, want = g.static_shape(data), g.static_shape(like)
    lead = len(have) - len(want)
    axes = [*range(lead), *(lead + i for i, n in enumerate(want) if n == 1 and have[lead + i] != 1)]
    return g.reshape(g.ReduceSum(data, axes, keepdims=0) if axes else data, want)


@translates("tile")
def tile(g: Builder, data: Value, *, reps: Any) -> Value:
    """Repeat the whole array along each axis."""
    missing = len(reps) - g.rank(data)
    x = g.unsqueeze(data, list(range(missing)))
    return g.Tile(x, [1] * -missing + list(reps))


@translates("repeat")
def repeat(g: Builder, data: Value, *, repeats: int, axis: int | None) -> Value:
    """Repeat each element along an axis."""
    if axis is None:
        x = g.Unsqueeze(g.Reshape(data, [-1]), [1])
        return g.Reshape(g.Tile(x, [1, repeats]), [-1])
    rank = g.rank(data)
    place = axis % rank
    counts = [1] * (rank + 1)
    counts[place + 1] = repeats
    return g.reshape(g.Tile(g.unsqueeze(data, [place + 1]), counts), g.shape)


@translates("Pad")
def pad(g: Builder, data: Value, *, mode: str, pad_width: Any, constant_value: float) -> Value:
    """Pad an array with a constant, with its edge values, or with its reflection."""
    widths = [*pad_width[::2], *pad_width[1::2]]
    if mode == "constant":
        return g.Pad(data, widths, constant_value)
    return g.Pad(data, widths, mode=mode)


@translates("_npi_pad")
def np_pad(g: Builder, data: Value, *, mode: str, reflect_type: str, **attributes: Any) -> Value:
    """Pad an array, as ``np.pad`` does in the same mode."""
    if mode in ("maximum", "minimum"):
        return _pad_with_extremes(g, data, mode, attributes["pad_width"])
    kernel = get_operator("_npi_pad").kernel
    if mode != "constant":
        return g.rearranged(data, lambda x: kernel(numpy, x, mode=mode, reflect_type=reflect_type, **attributes))
    widths = numpy.asarray(_pairs(attributes["pad_width"], g.rank(data)))
    return g.Pad(data, [int(n) for n in (*widths[:, 0], *widths[:, 1])], attributes["constant_value"])


def _pairs(pad_width: Any, rank: int) -> Any:
    """Return the two padding widths of each axis."""
    return numpy.array(_np_widths(pad_width, rank))


def _pad_with_extremes(g: Builder, x: Value, mode: str, pad_width: Any) -> Value:
    """Pad along each axis in turn with the minimum or maximum of each line."""
    for axis, (before, after) in enumerate(_pairs(pad_width, g.rank(x))):
        extreme = g.make("ReduceMax" if mode == "maximum" else "ReduceMin", [x, [axis]], keepdims=1)
        x = g.concat([*[extreme] * int(before), x, *[extreme] * int(after)], axis)
    return x


# --- rearrangements without an ONNX operator, in which the export computes the order -----------


def _rearranged(*names: str) -> None:
    for name in names:
        op = get_operator(name)

        def translation(g: Builder, data: Value, *, op: Any = op, **attributes: Any) -> Any:
            return g.rearranged(data, lambda x: op.kernel(numpy, x, **attributes))

        translates(name)(translation)


_rearranged(
    *("diag", "_np_diag", "_np_diagflat", "_np_diagonal", "_npi_tril", "_npi_rot90", "_np_roll"),
    *("_linalg_extractdiag", "_linalg_makediag", "_linalg_extracttrian", "_linalg_maketrian", "_triangular_part"),
    *("depth_to_space", "space_to_depth", "im2col"),
)


# --- slices ---------------------------------------------------------------------------------------


@translates("slice")
def slice_part(g: Builder, data: Value, *, begin: Any, end: Any, step: Any) -> Value:
    """Return a slice along several axes, by Python's rules."""
    steps = step or (None,) * len(begin)
    for axis, bounds in enumerate(zip(begin, end, steps, strict=True)):
        if bounds[:2] != (None, None) or bounds[2] not in (None, 1):
            data = g.slice(data, axis, *bounds)
    return data


@translates("slice_axis")
def slice_axis(g: Builder, data: Value, *, axis: int, begin: int, end: int | None) -> Value:
    """Return a slice along one axis."""
    return g.slice(data, axis % g.rank(data), begin, end)


@translates("slice_like")
def slice_like(g: Builder, data: Value, shape_like: Value, *, axes: Any) -> Value:
    """Return the leading slice of an array with the sizes of another array."""
    for axis in axes or range(g.rank(data)):
        place = axis % g.rank(data)
        data = g.slice(data, place, 0, g.size(shape_like, place))
    return data


@translates("Crop")
def crop(g: Builder, *data: Value, offset: Any, h_w: Any, center_crop: bool) -> Value:
    """Crop a window from images, at an offset or in the center."""
    image, window = data[0], g.shape[2:]
    for i, n in enumerate(window):
        if n is None:
            raise Untranslatable("the size of the window must be known: make only the batch size dynamic")
        start = (g.size(data[0], 2 + i) - n) // 2 if center_crop else offset[i]
        image = g.slice(image, 2 + i, start, start + n)
    return image


@translates("SliceChannel")
def split(g: Builder, data: Value, *, num_outputs: int, axis: int, squeeze_axis: bool) -> Any:
    """Split an array into equal parts."""
    place = axis % g.rank(data)
    pieces = (
        [data]
        if num_outputs == 1
        else g.make("Split", [data], outputs=num_outputs, axis=place, num_outputs=num_outputs)
    )
    return [g.Squeeze(p, [place]) for p in pieces] if squeeze_axis else pieces


def _split(axis_for: Any) -> Any:
    def translation(g: Builder, data: Value, *, indices: Any, axis: int, squeeze_axis: bool, sections: int) -> Any:
        rank = g.rank(data)
        place = axis_for(rank, axis) % rank
        if sections > 0:
            n = g.size(data, place)
            small, longer = divmod(n, sections)
            starts = [i * small + min(i, longer) for i in range(sections)]
        else:
            starts = list(indices)
        ends = [*starts[1:], None]
        pieces = [g.slice(data, place, a, b) for a, b in zip(starts, ends, strict=True)]
        return [g.squeeze(p, [place]) for p in pieces] if squeeze_axis else pieces

    return translation


translates("_split_v2")(_split(lambda rank, axis: axis))
translates("_npi_hsplit")(_split(lambda rank, axis: min(rank - 1, 1)))
translates("_npi_dsplit")(_split(lambda rank, axis: 2))

# --- joining --------------------------------------------------------------------------------------


@translates("Concat", "_rnn_param_concat")
def concat(g: Builder, *data: Value, dim: int) -> Value:
    """Concatenate arrays along an axis."""
    return g.concat(data, dim)


@translates("_npi_concatenate")
def concatenate(g: Builder, *data: Value, axis: int | None) -> Value:
    """Concatenate arrays along an axis, or after flattening if there is no axis."""
    if axis is None:
        return g.concat([g.Reshape(x, [-1]) for x in data], 0)
    return g.concat(data, axis)


@translates("stack", "_npi_stack")
def stack(g: Builder, *data: Value, axis: int) -> Value:
    """Stack arrays along a new axis."""
    place = axis % (g.rank(data[0]) + 1)
    return g.concat([g.unsqueeze(x, [place]) for x in data], place)


def _at_least(g: Builder, x: Value, rank: int) -> Value:
    return g.unsqueeze(x, list(range(rank - g.rank(x))))


@translates("_npi_vstack")
def vstack(g: Builder, *data: Value) -> Value:
    """Stack arrays along the first axis. Vectors become rows."""
    return g.concat([_at_least(g, x, 2) for x in data], 0)


@translates("_npi_hstack")
def hstack(g: Builder, *data: Value, dim: int) -> Value:
    """Stack arrays along the second axis, or vectors along their only axis."""
    wide = [_at_least(g, x, 1) for x in data]
    return g.concat(wide, min(g.rank(wide[0]) - 1, 1))


@translates("_npi_dstack")
def dstack(g: Builder, *data: Value, dim: int) -> Value:
    """Stack arrays along the third axis."""
    deep = [x if g.rank(x) > 2 else g.unsqueeze(_at_least(g, x, 2), [2]) for x in data]
    return g.concat(deep, 2)


@translates("_npi_column_stack")
def column_stack(g: Builder, *data: Value) -> Value:
    """Stack vectors as columns."""
    wide = [x if g.rank(x) > 1 else g.unsqueeze(_at_least(g, x, 1), [1]) for x in data]
    return g.concat(wide, 1)
