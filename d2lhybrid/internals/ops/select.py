"""Operators that select by a condition or a class: ``where``, boolean masks, and one-hot vectors."""

from __future__ import annotations

from typing import Any

import numpy

from ...error import ShapeError
from ..core import trip_reasons as host_trips
from ..core.operator import REQUIRED, Array, DType, Operator, operator
from . import portable, rules
from .index import integer_indices

FAMILY = "shape"
MEANINGS = {
    "indices": "The class of each vector, an array of any shape; fractions are truncated.",
    "depth": "The number of classes, which is the length of each vector; at least 0.",
    "on_value": "The value at the position of the class.",
    "off_value": "The value at all other positions.",
    "index": "The mask, of shape ``(rows,)``, which is nonzero for rows to keep.",
    "data": "The array whose rows, the slices along the first axis, are selected.",
    "axis": "The axis of the rows; only 0 is supported.",
    "x": "An array of any shape.",
}

# --- one-hot vectors ----------------------------------------------------------------------------


@operator("one_hot", "_npx_one_hot", differentiable=False)
def one_hot(
    xp,
    indices: Array,
    depth: int = REQUIRED,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: DType = "float32",
):
    """Return vectors with ``on_value`` at the index, if it is in range, and ``off_value`` at all other positions."""
    _check_depth(depth)
    dtype = numpy.dtype(dtype)
    flat = integer_indices(indices).reshape(-1)
    size = flat.size * depth
    result = xp.full(size, off_value, dtype) if off_value else xp.zeros(size, dtype)
    if size:
        # Every row is written exactly once. For an index out of range, the write doesn't change the row.
        inside = xp.minimum(xp.maximum(flat, 0), depth - 1)
        hit = inside == flat
        value = hit if (on_value, off_value) == (1, 0) else xp.where(hit, on_value, off_value)
        result[inside + xp.arange(0, size, depth)] = value
    return result.reshape((*indices.shape, depth))


def _check_depth(depth: int) -> None:
    rules.require(depth >= 0, f"*depth >= 0 ({depth} vs. 0) : Dimension size, depth, must be a non-negative integer")


@one_hot.infer_shape
def _(indices, *, depth, **_):
    _check_depth(depth)
    return [indices], [None if indices is None else (*indices, depth)]


one_hot.infer_type(lambda indices, *, dtype, **_: ([indices], [numpy.dtype(dtype)]))


@operator("_onehot_encode", differentiable=False)
def onehot_encode(xp, lhs: Array, rhs: Array):
    """Return an array with the shape of ``rhs`` whose rows are the one-hot vectors of the indices in ``lhs``.

    ``one_hot`` replaces this operator.
    """
    columns = xp.arange(rhs.shape[-1])
    return (integer_indices(lhs)[:, None] == columns).astype(rhs.dtype)


onehot_encode.infer_shape(lambda lhs, rhs: ([lhs, rhs], [rhs]))
onehot_encode.infer_type(lambda lhs, rhs: ([lhs, rhs], [rhs]))

# --- where --------------------------------------------------------------------------------------


def _check_where(condition: Any, x: Any, y: Any) -> None:
    if x != y or (condition != x and len(condition) != 1):
        raise ShapeError("Operator where inferring shapes failed.")
    if condition != x:
        rules.require(
            condition[0] == x[0],
            f"(*in_attrs)[0].Size() == static_cast<size_t>(tshape[0]) ({condition[0]} vs. {x[0]}) : ",
        )


def _check_dtypes(x: Any, y: Any) -> None:
    if x.dtype != y.dtype:
        raise ShapeError(
            "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 1-th input: "
            f"expected {x.dtype.name}, got {y.dtype.name}"
        )


@operator("where", "_sparse_where")
def where(xp, condition: Array, x: Array, y: Array):
    """Return ``x`` where the condition is nonzero, and ``y`` elsewhere; a 1-D condition selects whole rows.

    Parameters
    ----------
    condition : array
        The condition, which is true where it is nonzero.
    x : array
        The elements for a true condition.
    y : array
        The elements for a false condition.
    """
    _check_dtypes(x, y)
    _check_where(condition.shape, x.shape, y.shape)
    if condition.ndim != x.ndim:
        condition = condition.reshape((-1,) + (1,) * (x.ndim - 1))
    return portable.chosen(xp, condition != 0, x, y)


where.precision = "widest"


@where.infer_shape
def _(condition, x, y):
    shape = rules.unify_all([x, y])
    if shape is None:
        return [condition, x, y], [None]
    if condition is not None and rules.is_complete(shape) and rules.is_complete(condition):
        _check_where(condition, shape, shape)
    return [condition, shape, shape], [shape]


@where.infer_input_shapes
def _(outputs, condition, x, y):
    shape = rules.unify_all([outputs[0], x, y])
    return [condition, shape, shape]


def _where_types(condition, *values, **_):
    values, [result] = rules.same_type(*values)
    return [condition, *values], [result]


where.infer_type(_where_types)


@where.gradient
def _(F, dy, y, condition, x, otherwise):
    zeros = F.zeros_like(dy)
    return [None, F.where(condition, dy, zeros), F.where(condition, zeros, dy)]


@operator("_npi_where")
def npi_where(xp, condition: Array, x: Array, y: Array):
    """Return ``x`` where the condition is nonzero, and ``y`` elsewhere; all three arrays broadcast."""
    _check_dtypes(x, y)
    return portable.chosen(xp, condition != 0, x, y)


npi_where.infer_shape(lambda condition, x, y: rules.broadcast(condition, x, y))
npi_where.infer_type(_where_types)


@npi_where.gradient
def _(F, dy, y, condition, x, otherwise):
    zeros = F.zeros_like(dy)
    return [
        None,
        F._reduce_like(F._npi_where(condition, dy, zeros), x),
        F._reduce_like(F._npi_where(condition, zeros, dy), otherwise),
    ]


def _where_scalar(name: str, array_first: bool, doc: str) -> Operator:
    """Register ``where`` of an array and a number."""

    def number_last(xp, condition: Array, y: Array, scalar: float = 0.0):
        return xp.where(condition != 0, y, y.dtype.type(scalar))

    def number_first(xp, condition: Array, x: Array, scalar: float = 0.0):
        return xp.where(condition != 0, x.dtype.type(scalar), x)

    run = number_last if array_first else number_first
    run.__doc__ = doc
    op = operator(name)(run)
    op.infer_shape(rules.broadcast)
    op.infer_type(_where_types)

    @op.gradient
    def _(F, dy, y, condition, array, *, scalar):
        zeros = F.zeros_like(dy)
        chosen = (dy, zeros) if array_first else (zeros, dy)
        return [None, F._reduce_like(F._npi_where(condition, *chosen), array)]

    return op


_where_scalar(
    "_npi_where_rscalar", True, "Return the array's elements where the condition is not zero, and a number elsewhere."
)
_where_scalar(
    "_npi_where_lscalar", False, "Return a number where the condition is not zero, and the array's elements elsewhere."
)


@operator("_npi_where_scalar2", differentiable=False)
def where_scalar2(xp, condition: Array, x: float = 0.0, y: float = 0.0):
    """Return the number ``x`` where the condition is nonzero, and the number ``y`` elsewhere, as float32."""
    return xp.where(condition != 0, numpy.float32(x), numpy.float32(y))


where_scalar2.infer_shape(lambda condition, **_: ([condition], [condition]))
where_scalar2.infer_type(lambda condition, **_: ([condition], [numpy.dtype(numpy.float32)]))

# --- boolean masks ------------------------------------------------------------------------------


def _check_mask(data: Any, index: Any, axis: int) -> None:
    rules.require(axis == 0, f"axis == 0 ({axis} vs. 0) : Not supported yet")
    rules.require(len(index) == 1, f"index.shape().ndim() == 1U ({len(index)} vs. 1) : Index array must be 1D.")
    rules.require(
        None in (data[0], index[0]) or data[0] == index[0],
        f"data.shape()[axis] == idx.shape()[0] ({data[0]} vs. {index[0]}) : ",
    )


@operator("_contrib_boolean_mask", "_npi_boolean_mask")
def boolean_mask(xp, data: Array, index: Array, axis: int = 0):
    """Return the rows of ``data`` at which ``index`` is nonzero.

    On a GPU, the host waits for the number of rows.
    """
    _check_mask(data.shape, index.shape, axis)
    return data[index != 0]


@boolean_mask.infer_shape
def _(data, index, *, axis):
    if data is None:
        return [data, index], [None]
    index = data[:1] if index is None else index
    _check_mask(data, index, axis)
    return [data, index], [(None, *data[1:])]  # the number of rows depends on values


boolean_mask.asks_device = host_trips.SIZE
boolean_mask.infer_type(rules.type_of_first)
boolean_mask.gradient(
    lambda F, dy, y, data, index, *, axis: [
        F._backward_contrib_boolean_mask(dy, data, index, axis=axis),
        None,
    ]
)


@operator("_backward_contrib_boolean_mask")
def backward_boolean_mask(xp, grad: Array, data: Array, index: Array, axis: int = 0):
    """Return the gradient of ``boolean_mask``: zeros, with rows of ``grad`` at the positions that the mask selected.

    On a GPU, the host waits for CuPy, which counts the rows.
    """
    result = xp.zeros(data.shape, grad.dtype)
    result[index != 0] = grad
    return result


backward_boolean_mask.infer_shape(lambda grad, data, index, **_: ([grad, data, index], [data]))
backward_boolean_mask.asks_device = host_trips.SIZE
backward_boolean_mask.infer_type(rules.type_of_first)
backward_boolean_mask.gradient(
    lambda F, dy, y, grad, data, index, *, axis: [F._contrib_boolean_mask(dy, index, axis=axis), None, None]
)


@operator("_npx_nonzero", "_npi_nonzero", differentiable=False)
def nonzero(xp, x: Array):
    """Return the indices of the nonzero elements as int64, with one row for each element.

    On a GPU, the host waits for the number of nonzero elements.
    """
    if not x.ndim:
        x = x.reshape(1)
    return xp.stack(xp.nonzero(x), axis=1).astype(numpy.int64, copy=False)


nonzero.infer_shape(lambda x: ([x], [None if x is None else (None, max(len(x), 1))]))
nonzero.asks_device = host_trips.SIZE
nonzero.infer_type(lambda x: ([x], [numpy.dtype(numpy.int64)]))
