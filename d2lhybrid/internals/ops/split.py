"""Operators that split an array along an axis: ``split`` and its NumPy versions.

The pieces are views. The gradient operator joins the gradients of the pieces, with zeros for pieces without a gradient.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

from ..core.infer import PartialShape, format_shape
from ..core.operator import REQUIRED, Array, Operator, Shape, operator
from . import rules

FAMILY = "shape"
MEANINGS = {
    "indices": "The start of each piece; the first number is 0.",
    "sections": "The number of pieces; if it is positive, ``indices`` is ignored.",
}


def _pieces(data: Any, cuts: tuple[int, ...], axis: int, squeeze: bool) -> Any:
    """Return the views between neighboring positions of ``cuts``."""
    before = (slice(None),) * axis
    if squeeze:
        result = [data[(*before, start)] for start in cuts[:-1]]
    else:
        result = [data[(*before, slice(a, b))] for a, b in itertools.pairwise(cuts)]
    return result[0] if len(result) == 1 else result


def _piece_shapes(shape: tuple[Any, ...], cuts: tuple[Any, ...], axis: int, squeeze: bool) -> list[PartialShape]:
    head, tail = shape[:axis], shape[axis + 1 :]
    if squeeze:
        return [head + tail] * (len(cuts) - 1)
    sizes = [None if None in (a, b) else b - a for a, b in itertools.pairwise(cuts)]
    return [(*head, size, *tail) for size in sizes]


def _all_gradients(F: Any, dy: Any, y: Any) -> list[Any]:
    return [F.zeros_like(value) if g is None else g for g, value in zip(dy, y, strict=True)]


# --- equal pieces --------------------------------------------------------------------------------


@functools.lru_cache(maxsize=1024)
def _even_cuts(
    shape: tuple[Any, ...], num_outputs: int, axis: int, squeeze: bool
) -> tuple[int, tuple[int | None, ...]]:
    """Return the axis as a non-negative number, and the positions of the cuts."""
    rank = len(shape)
    rules.require(axis < rank, f"param_.axis < dshape.ndim() ({axis} vs. {rank}) : ")
    place = axis + rank if axis < 0 else axis
    rules.require(place >= 0, f"i >= 0 && i < ndim(): index = {place} must be in range [0, {rank})")
    size = shape[place]
    if size is None:
        return place, (0, *[None] * num_outputs)
    rules.require(
        size % num_outputs == 0,
        f"dshape[real_axis] % param_.num_outputs == 0U ({size % num_outputs} vs. 0) : You are trying to "
        f"split the {place}-th axis of input tensor with shape {format_shape(shape)} into "
        f"num_outputs={num_outputs} evenly sized chunks, but this is not possible because "
        f"{num_outputs} does not evenly divide {size}",
    )
    rules.require(
        not squeeze or size == num_outputs,
        f"ishape[real_axis] == param_.num_outputs ({size} vs. {num_outputs}) : If squeeze axis is True, "
        "the size of the sliced axis must be the same as num_outputs. "
        f"Input shape={format_shape(shape)}, axis={axis}, num_outputs={num_outputs}.",
    )
    step = size // num_outputs
    return place, tuple(i * step for i in range(num_outputs + 1))


@operator("SliceChannel", "split", outputs=lambda num_outputs, **_: num_outputs)
def split(xp, data: Array, num_outputs: int = REQUIRED, axis: int = 1, squeeze_axis: bool = False):
    """Split an array into ``num_outputs`` equal pieces.

    Parameters
    ----------
    data : NDArray or Symbol
        The array to split, which has the axis ``axis``.
    num_outputs : int
        The number of pieces, which must divide the size of the axis.
    axis : int
        The axis to split, 1 by default; negative numbers count from the last axis.
    squeeze_axis : bool
        Whether to remove the axis, along which every piece must have size 1.
    """
    place, cuts = _even_cuts(data.shape, num_outputs, axis, squeeze_axis)
    return _pieces(data, cuts, place, squeeze_axis)  # type: ignore[arg-type]


split.names_outputs = True


@split.infer_shape
def _(data, *, num_outputs, axis, squeeze_axis):
    if data is None:
        return [None], [None] * num_outputs
    place, cuts = _even_cuts(data, num_outputs, axis, squeeze_axis)
    if squeeze_axis:  # then the size of the axis is known
        data = (*data[:place], num_outputs, *data[place + 1 :])
    return [data], _piece_shapes(data, cuts, place, squeeze_axis)


split.infer_type(lambda data, *, num_outputs, **_: ([data], [data] * num_outputs))
split.output_names(lambda num_outputs, **_: [f"output{i}" for i in range(num_outputs)])


@split.gradient
def _(F, dy, y, data, *, num_outputs, axis, squeeze_axis):
    if num_outputs == 1:
        return [F.reshape_like(dy, data)]
    parts = _all_gradients(F, dy, y)
    return [F.stack(*parts, axis=axis) if squeeze_axis else F.Concat(*parts, dim=axis)]


# --- pieces of any size ---------------------------------------------------------------------------


def _count(indices: tuple[int, ...], sections: int) -> int:
    return sections if sections > 0 else len(indices)


@functools.lru_cache(maxsize=1024)
def _cuts(size: int | None, indices: tuple[int, ...], sections: int, squeeze: bool) -> tuple[int | None, ...]:
    """Return the positions of the cuts; ``indices[0]`` is the start of the first piece."""
    if size is None:
        return (None,) * (sections + 1) if sections > 0 else (*indices, None)
    if sections > 0:  # the first pieces may have one more element
        small, longer = divmod(size, sections)
        return tuple(i * small + min(i, longer) for i in range(sections + 1))
    if not size:  # MXNet ignores the positions if the axis is empty
        return (0,) * (len(indices) + 1)
    cuts = (*indices, size)
    for i in range(len(indices)):
        start, end = cuts[i], cuts[i + 1]
        if i + 1 < len(indices):
            rules.require(start <= end, f"start <= end: start {start} is not less than end {end}for subarray {i}")
        rules.require(end <= size, f"end <= ishape[real_axis]: end {end} is no less than the size of the axis {size}")
        rules.require(start <= end, f"start < end: start {start} is not less than end {end}for subarray {i}")
        rules.require(
            not squeeze or end - start == 1,
            f"start + 1 == end ({start + 1} vs. {end}) : If squeeze axis is True, every piece must have size 1",
        )
    return cuts


def _splitter(names: tuple[str, ...], doc: str, fixed_axis: Any, join: Any) -> Operator:
    """Register a splitting operator; ``fixed_axis(rank)``, if not None, replaces the attribute ``axis``."""

    def axis_of(rank: int, axis: int) -> int:
        axis = axis if fixed_axis is None else fixed_axis(rank)
        rules.require(
            -rank <= axis < rank,
            f"axis < ndim && axis >= -ndim: axis {axis} exceeds the input dimension of {rank}",
        )
        return axis % rank

    def run(
        xp,
        data: Array,
        indices: Shape = REQUIRED,
        axis: int = 1,
        squeeze_axis: bool = False,
        sections: int = 0,
    ):
        place = axis_of(data.ndim, axis)
        cuts = _cuts(data.shape[place], indices, sections, squeeze_axis)
        return _pieces(data, cuts, place, squeeze_axis)  # type: ignore[arg-type]

    def rule(data, *, indices, axis, squeeze_axis, sections):
        if data is None:
            return [None], [None] * _count(indices, sections)
        place = axis_of(len(data), axis)
        cuts = _cuts(data[place], indices, sections, squeeze_axis)
        return [data], _piece_shapes(data, cuts, place, squeeze_axis)

    def gradient(F, dy, y, data, *, indices, axis, squeeze_axis, sections):
        if _count(indices, sections) == 1:
            return [F.reshape_like(dy, data)]
        return [join(F, _all_gradients(F, dy, y), data, axis, squeeze_axis)]

    run.__doc__ = doc
    op = operator(*names, outputs=lambda indices, sections, **_: _count(indices, sections))(run)
    op.infer_shape(rule)
    op.infer_type(lambda data, *, indices, sections, **_: ([data], [data] * _count(indices, sections)))
    op.gradient(gradient)
    op.names_inputs = True
    return op


def _join_split(F: Any, parts: list[Any], data: Any, axis: int, squeeze: bool) -> Any:
    return F.stack(*parts, axis=axis) if squeeze else F.Concat(*parts, dim=axis)


def _join_hsplit(F: Any, parts: list[Any], data: Any, axis: int, squeeze: bool) -> Any:
    if not squeeze:
        return F._npi_hstack(*parts)
    wide = F._npi_hsplit(data, indices=(), sections=len(parts))
    return F._npi_hstack(*[F.reshape_like(p, w) for p, w in zip(parts, wide, strict=True)])


def _join_dsplit(F: Any, parts: list[Any], data: Any, axis: int, squeeze: bool) -> Any:
    return _join_split(F, parts, data, 2, squeeze)


_splitter(
    ("_split_v2", "_npi_split"),
    """Split an array at given positions, or into nearly equal pieces.

    Parameters
    ----------
    data : NDArray or Symbol
        The array.
    indices : tuple of int
        The start of each piece; the first number is 0.
    axis : int
        The axis, 1 by default.
    squeeze_axis : bool
        Whether to remove the axis, along which every piece must have size 1.
    sections : int
        The number of pieces; if it is positive, ``indices`` is ignored.
    """,
    None,
    _join_split,
)
_splitter(
    ("_npi_hsplit",),
    "Split an array along its second axis, or along the only axis of a 1-D array.",
    lambda rank: min(rank - 1, 1),
    _join_hsplit,
)
_splitter(("_npi_dsplit",), "Split an array along its third axis.", lambda rank: 2, _join_dsplit)
