"""Conversions between multi-dimensional indices and positions in the flattened array."""

from __future__ import annotations

from typing import Any

import numpy

from ..core.operator import Array, Shape, operator
from . import rules

FAMILY = "shape"
MEANINGS = {
    "axes": "The axes whose indices to return; all by default.",
    "data": "An array of any shape, of which only the shape matters.",
}

_INT64 = numpy.dtype(numpy.int64)


@operator("_contrib_index_array", differentiable=False)
def index_array(xp, data: Array, axes: Shape | None = None):
    """Return the index of every element of ``data`` along a new last axis, as int64, for all axes or only ``axes``."""
    grids = xp.indices(data.shape, dtype=numpy.int64)
    chosen = range(data.ndim) if axes is None else axes
    if not chosen:
        return xp.empty((*data.shape, 0), dtype=numpy.int64)
    return xp.stack([grids[a] for a in chosen], axis=-1)


index_array.names_outputs = True
index_array.infer_shape(
    lambda data, *, axes: (
        [data],
        [None if data is None else (*data, len(data if axes is None else axes))],
    )
)
index_array.infer_type(lambda data, **_: ([data], [_INT64]))


def _whole(xp: Any, data: Any) -> Any:
    return xp.trunc(data) if data.dtype.kind == "f" else data


def _ravel_sizes(shape: Any) -> tuple[int, ...]:
    rules.require(bool(shape), "shape.ndim() > 0 (-1 vs. 0) : Empty shape parameter for unravel operator.")
    return tuple(shape)


@operator("_ravel_multi_index", "ravel_multi_index", differentiable=False)
def ravel_multi_index(xp, data: Array, shape: Shape | None = None):
    """Return flat positions: each column of ``data`` is a multi-dimensional index into an array of shape ``shape``.

    Fractional indices are truncated.

    Parameters
    ----------
    data : array
        The indices, of shape ``(number of axes of shape, n)``.
    shape : tuple of int
        The shape of the array that the indices refer to.
    """
    sizes = _ravel_sizes(shape)
    _check_ravel_input(data.shape, sizes)
    result = _whole(xp, data[0])
    for size, row in zip(sizes[1:], data[1:], strict=True):  # the first size isn't needed and may be -1
        result = _whole(xp, result * data.dtype.type(size) + row)
    return result


def _check_ravel_input(data: Any, shape: Any) -> None:
    rules.require(
        data[0] in (None, len(shape)),
        f"(*in_attrs)[0][0] == shape.ndim() ({data[0]} vs. {len(shape)}) : "
        "First dimension of input of ravel operator does not match shape parameter dimension.",
    )


ravel_multi_index.names_inputs = True


@ravel_multi_index.infer_shape
def _(data, *, shape):
    if data is None:
        return [None], [None]
    _check_ravel_input(data, _ravel_sizes(shape))
    return [data], [data[1:]]


ravel_multi_index.infer_type(rules.same_type)


@operator("_unravel_index", "unravel_index", differentiable=False)
def unravel_index(xp, data: Array, shape: Shape | None = None):
    """Return the multi-dimensional indices of flat positions in an array of shape ``shape``, along a new first axis.

    Fractional positions are truncated.

    Parameters
    ----------
    data : array
        The flat positions, an array of any shape.
    shape : tuple of int
        The shape of the array that the positions refer to.
    """
    parts = []
    rest = _whole(xp, data)
    for size in reversed(_ravel_sizes(shape)[1:]):
        if data.dtype.kind == "f":
            whole = xp.trunc(rest / size).astype(data.dtype)
        else:
            whole = (rest - xp.fmod(rest, size)) // size  # rounded towards zero, as in C
        parts.append(rest - whole * data.dtype.type(size))
        rest = whole
    return xp.stack([rest, *reversed(parts)])


unravel_index.names_inputs = True


@unravel_index.infer_shape
def _(data, *, shape):
    return [data], [None if data is None else (len(_ravel_sizes(shape)), *data)]


unravel_index.infer_type(rules.same_type)
