"""Assignments as pure functions, which return a copy of an array with some elements replaced.

In a graph and on the tape, ``x[key] = value`` is a call of such an operator. The operator takes the old array and the
value and returns a new array, and gradients reach both inputs.
"""

from __future__ import annotations

from typing import Any

import numpy

from ...error import ShapeError
from ..core import trip_reasons as host_trips
from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules
from .index import integer_indices

FAMILY = "shape"
MEANINGS = {
    "indices": "The positions, with one row for each axis.",
    "begin": "The start of the slice along each axis.",
    "end": "The end of the slice along each axis.",
    "step": "The distances between the elements of the slice; 1 by default.",
    "old_tensor": "The array to copy, with at least one axis.",
    "index_vector": "The indices of the rows to replace, of shape ``(rows,)``.",
    "new_tensor": "The new rows, of shape ``(rows, *old_tensor.shape[1:])``.",
    "lhs": "The array to copy.",
    "rhs": "The new elements.",
    "scatter_nd.data": "The elements or slices to write, of shape ``indices.shape[1:] + shape[len(indices):]``.",
    "scatter_nd.indices": (
        "The positions, an array with at least two axes; row ``i`` contains indices along axis ``i`` of the result."
    ),
}

# --- slices -------------------------------------------------------------------------------------


def _key(begin: Any, end: Any, step: Any) -> tuple[slice, ...]:
    return tuple(map(slice, begin, end, step or (None,) * len(begin)))


def _part_shape(shape: tuple[int | None, ...], begin: Any, end: Any, step: Any) -> tuple[int | None, ...]:
    """Return the shape of a slice."""
    sizes = [
        None if n is None else len(range(*part.indices(n)))
        for n, part in zip(shape, _key(begin, end, step), strict=False)
    ]
    return (*sizes, *shape[len(sizes) :])


def _check_part(part: tuple[Any, ...], expected: tuple[Any, ...]) -> None:
    if part != expected:
        rules.unify(part, expected)


@operator("_slice_assign", "_crop_assign", "_npi_slice_assign")
def slice_assign(xp, lhs: Array, rhs: Array, begin: Shape = REQUIRED, end: Shape = REQUIRED, step: Shape = ()):
    """Return a copy of ``lhs`` in which ``rhs`` replaces the slice ``begin:end:step``."""
    result = lhs.copy()
    part = result[_key(begin, end, step)]
    _check_part(rhs.shape, part.shape)
    part[...] = rhs
    return result


slice_assign.lenient = True


@slice_assign.infer_shape
def _(lhs, rhs, *, begin, end, step):
    if lhs is None:
        return [lhs, rhs], [lhs]
    part = _part_shape(lhs, begin, end, step)
    return [lhs, rules.unify(rhs, part)], [lhs]


slice_assign.infer_type(rules.same_type)
slice_assign.gradient(
    lambda F, dy, y, lhs, rhs, *, begin, end, step: [
        F._slice_assign_scalar(dy, scalar=0.0, begin=begin, end=end, step=step),
        F.slice(dy, begin=begin, end=end, step=step),
    ]
)


@operator("_slice_assign_scalar", "_crop_assign_scalar", "_npi_slice_assign_scalar")
def slice_assign_scalar(
    xp,
    data: Array,
    scalar: float = 0.0,
    begin: Shape = REQUIRED,
    end: Shape = REQUIRED,
    step: Shape = (),
):
    """Return a copy of ``data`` in which a number replaces each element of the slice ``begin:end:step``."""
    result = data.copy()
    result[_key(begin, end, step)] = scalar
    return result


slice_assign_scalar.infer_shape(rules.same)
slice_assign_scalar.infer_type(rules.same_type)
slice_assign_scalar.gradient(
    lambda F, dy, y, data, *, scalar, begin, end, step: [
        F._slice_assign_scalar(dy, scalar=0.0, begin=begin, end=end, step=step)
    ]
)

# --- indices ------------------------------------------------------------------------------------


def _check_scatter(data: Any, indices: Any, shape: Any) -> None:
    valid = len(indices) > 1 and len(shape) >= indices[0] and data == (*indices[1:], *shape[indices[0] :])
    rules.require(
        valid,
        "valid: Invalid data, indices, and output shape combination for scatter_nd: "
        + ", ".join(rules.format_shape(tuple(s)) for s in (data, indices, shape)),
    )


@operator("scatter_nd")
def scatter_nd(xp, data: Array, indices: Array, shape: Shape = REQUIRED):
    """Return an array of zeros with the elements or slices of ``data`` at ``[indices[0], indices[1], ...]``."""
    _check_scatter(data.shape, indices.shape, shape)
    result = xp.zeros(shape, data.dtype)
    result[tuple(integer_indices(indices))] = data
    return result


@scatter_nd.infer_shape
def _(data, indices, *, shape):
    if indices is not None and rules.is_complete(indices):
        if data is None and len(indices) > 1:
            data = (*indices[1:], *shape[indices[0] :])
        elif rules.is_complete(data):
            _check_scatter(data, indices, shape)
    return [data, indices], [tuple(shape)]


scatter_nd.infer_type(rules.type_of_first)
scatter_nd.gradient(lambda F, dy, y, data, indices, *, shape: [F.gather_nd(dy, indices), None])


@operator("_scatter_set_nd", "_npi_scatter_set_nd")
def scatter_set_nd(xp, lhs: Array, rhs: Array, indices: Array, shape: Shape = REQUIRED):
    """Return a copy of ``lhs`` with ``rhs`` at ``[indices[0], indices[1], ...]``."""
    _check_scatter(rhs.shape, indices.shape, lhs.shape)
    result = lhs.copy()
    result[tuple(integer_indices(indices))] = rhs
    return result


scatter_set_nd.lenient = True
scatter_set_nd.infer_shape(
    lambda lhs, rhs, indices, *, shape: ([lhs, rhs, indices], [tuple(shape) if lhs is None else lhs])
)


@scatter_set_nd.infer_type
def _(lhs, rhs, indices, **_):
    [lhs, rhs], [result] = rules.same_type(lhs, rhs)
    return [lhs, rhs, indices], [result]


scatter_set_nd.gradient(
    lambda F, dy, y, lhs, rhs, indices, *, shape: [
        F._scatter_set_nd(dy, F.zeros_like(rhs), indices, shape=shape),
        F.gather_nd(dy, indices),
        None,
    ]
)


def _check_copy(old: Any, index: Any, new: Any) -> None:
    if len(index) != 1 or len(old) != len(new) or old[1:] != new[1:] or index != new[:1]:
        names = ("old_tensor", "index_vector", "new_tensor")
        shapes = [f"{n} {rules.format_shape(tuple(s))}" for n, s in zip(names, (old, index, new), strict=True)]
        raise ShapeError(
            f"Check failed: the shapes of the inputs of index_copy do not match: {', '.join(shapes)}. index_vector "
            "must be 1-D. new_tensor must have one row for each index, and the same row shape as old_tensor."
        )


@operator("_contrib_index_copy")
def index_copy(xp, old_tensor: Array, index_vector: Array, new_tensor: Array):
    """Return a copy of ``old_tensor`` with the rows of ``new_tensor`` at the indices."""
    _check_copy(old_tensor.shape, index_vector.shape, new_tensor.shape)
    result = old_tensor.copy()
    result[integer_indices(index_vector)] = new_tensor
    return result


index_copy.lenient = True
index_copy.infer_shape(lambda old, index, new: ([old, index, new], [old]))


@index_copy.infer_type
def _(old, index, new):
    [old, new], [result] = rules.same_type(old, new)
    return [old, index, new], [result]


index_copy.gradient(
    lambda F, dy, y, old, index, new: [
        F._contrib_index_copy(dy, index, F.zeros_like(new)),
        None,
        F.take(dy, index, axis=0, mode="wrap"),  # the kernel has rejected indices that are out of range
    ]
)


@operator("fill_element_0index")
def fill_element_0index(xp, lhs: Array, mhs: Array, rhs: Array):
    """Return a copy of the matrix ``lhs`` with ``lhs[i, rhs[i]] = mhs[i]``; columns out of range are ignored.

    Parameters
    ----------
    lhs : array
        The matrix to copy, of shape ``(rows, columns)``.
    mhs : array
        The new element of each row, of shape ``(rows,)``.
    rhs : array
        The column of the element to replace in each row, of shape ``(rows,)``; fractions are truncated.
    """
    hit = integer_indices(rhs)[:, None] == xp.arange(lhs.shape[1])
    return xp.where(hit, mhs[:, None], lhs)


fill_element_0index.infer_shape(
    lambda lhs, mhs, rhs: (
        [lhs, *(lhs[:1] if s is None and lhs is not None else s for s in (mhs, rhs))],
        [lhs],
    )
)
fill_element_0index.infer_type(lambda lhs, mhs, rhs: ([lhs, mhs, rhs], [lhs]))


@fill_element_0index.gradient
def _(F, dy, y, lhs, mhs, rhs):
    nothing = F.zeros_like(dy)
    filled = F.fill_element_0index(nothing, F.ones_like(mhs), rhs)  # 0 in rows whose column is out of range
    return [F.fill_element_0index(dy, F.zeros_like(mhs), rhs), F.sum(F.where(filled, dy, nothing), axis=1), None]


# --- boolean masks ------------------------------------------------------------------------------


def _check_mask(data: Any, mask: Any, start_axis: int) -> None:
    rules.require(
        data.shape[start_axis : start_axis + mask.ndim] == mask.shape,
        f"mshape[i] == dshape[i + start_axis]: the shape {rules.format_shape(mask.shape)} of mask must equal the "
        f"sizes of data from axis {start_axis} on, but the shape of data is {rules.format_shape(data.shape)}",
    )


def _mask_key(data: Any, mask: Any, start_axis: int) -> tuple[Any, ...]:
    """Return the index that selects the elements of a mask over the axes that start with ``start_axis``."""
    start_axis = start_axis % max(data.ndim, 1)
    _check_mask(data, mask, start_axis)
    return (slice(None),) * start_axis + (mask != 0,)


@operator("_npi_boolean_mask_assign_scalar")
def boolean_mask_assign_scalar(xp, data: Array, mask: Array, value: float = 0.0, start_axis: int = 0):
    """Return a copy of ``data`` with the number ``value`` wherever the mask is nonzero."""
    start_axis = start_axis % max(data.ndim, 1)
    _check_mask(data, mask, start_axis)
    behind = data.ndim - start_axis - mask.ndim
    return xp.where(mask.reshape(mask.shape + (1,) * behind) != 0, numpy.float64(value).astype(data.dtype), data)


boolean_mask_assign_scalar.infer_shape(lambda data, mask, **_: ([data, mask], [data]))
boolean_mask_assign_scalar.infer_type(rules.type_of_first)
boolean_mask_assign_scalar.gradient(
    lambda F, dy, y, data, mask, *, value, start_axis: [
        F._npi_boolean_mask_assign_scalar(dy, mask, value=0.0, start_axis=start_axis),
        None,
    ]
)


@operator("_npi_boolean_mask_assign_tensor")
def boolean_mask_assign_tensor(xp, data: Array, mask: Array, value: Array, start_axis: int = 0):
    """Return a copy of ``data`` with the elements of ``value`` wherever the mask is nonzero.

    On a GPU, the host waits for the mask, which determines the position of each element.
    """
    result = data.copy()
    result[_mask_key(data, mask, start_axis)] = value
    return result


boolean_mask_assign_tensor.infer_shape(lambda data, mask, value, **_: ([data, mask, value], [data]))
boolean_mask_assign_tensor.asks_device = host_trips.MASK
boolean_mask_assign_tensor.infer_type(rules.type_of_first)
boolean_mask_assign_tensor.gradient(
    lambda F, dy, y, data, mask, value, *, start_axis: [
        F._npi_boolean_mask_assign_scalar(dy, mask, value=0.0, start_axis=start_axis),
        None,
        F._backward_mask_assign_value(dy, mask, value, start_axis=start_axis),
    ]
)


@operator("_backward_mask_assign_value")
def backward_mask_assign_value(xp, grad: Array, mask: Array, value: Array, start_axis: int = 0):
    """Return the gradient of an assignment by mask with respect to the assigned values, which may be broadcast.

    On a GPU, the host waits for the mask, which determines the position of each element.
    """
    taken = grad[_mask_key(grad, mask, start_axis)]
    lead = taken.ndim - value.ndim
    repeated = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(value.shape) if n == 1 and taken.shape[lead + i] != 1
    )
    return taken.sum(axis=repeated).reshape(value.shape)


backward_mask_assign_value.infer_shape(lambda grad, mask, value, **_: ([grad, mask, value], [value]))
backward_mask_assign_value.asks_device = host_trips.MASK
backward_mask_assign_value.infer_type(rules.type_of_first)
backward_mask_assign_value.gradient(
    lambda F, dy, y, grad, mask, value, *, start_axis: [
        F._npi_boolean_mask_assign_tensor(F.zeros_like(grad), mask, dy, start_axis=start_axis),
        None,
        None,
    ]
)
