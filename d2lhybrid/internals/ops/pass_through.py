"""Operators that return their input but change its gradient or its element type.

This file also contains ``zeros_like`` and ``ones_like``, which copy a shape and an element type.
"""

from __future__ import annotations

from typing import Literal

import numpy

from ..core.operator import REQUIRED, Array, DType, Operator, operator
from ..core.sparse_rows import LookedUp
from . import rules
from .elementwise import unary
from .unary import round_half_away

FAMILY = "elementwise"
MEANINGS = {
    "scalar": "The number by which the gradient is multiplied.",
    "is_int": "Whether the factor is an integer.",
    "stype": "The storage type of the result.",
    "indices": "The indices of the rows to keep.",
    "num_outputs": "The number of arrays to convert.",
    "cast_narrow": "Whether to choose the narrowest element type instead of the widest.",
    "data": "An array of any shape.",
    "cast_storage.data": (
        "An array of any shape for ``stype='default'``, a matrix for ``'csr'``, and at least one axis for "
        "``'row_sparse'``."
    ),
    "_sparse_retain.data": "An array with at least one axis.",
    "amp_multicast.data": "The arrays to convert, of any shapes; integer arrays are returned unchanged.",
}

# --- the gradient --------------------------------------------------------------------------------

# These kernels may return their input, because callers of kernels ensure that results share no memory.
unary(
    ("_copy", "identity"),
    lambda xp, x: x,
    lambda F, dy, y, x: dy,
    "Return a copy of an array.",
    integers=True,
    fresh=False,
    identity="always",
)
unary(
    ("_copyto", "_npi_copyto"),
    lambda xp, x: x,
    lambda F, dy, y, x: dy,
    "Return a copy of an array, which ``copyto`` writes into another array.",
    integers=True,
    fresh=False,
    identity="always",
)
unary(
    ("BlockGrad", "stop_gradient", "_sparse_stop_gradient"),
    lambda xp, x: x,
    None,
    "Return the values of an array as a constant: no gradient flows back.",
    integers=True,
    fresh=False,
    identity="always",
)
make_loss: Operator = unary(
    ("make_loss", "_sparse_make_loss"),
    lambda xp, x: x,
    lambda F, dy, y, x: F.ones_like(x),
    "Mark an array as a loss: its gradient is 1, and the incoming gradient is ignored.",
    integers=True,
    fresh=False,
    identity="always",
)
make_loss.output_names(lambda **_: ["loss"])
make_loss.is_loss = make_loss.names_outputs = True
make_loss.precision = "single"
make_loss.names_inputs = False
unary(
    ("_contrib_round_ste", "_sparse__contrib_round_ste"),
    round_half_away,
    lambda F, dy, y, x: dy,
    "Round with the straight-through estimator: the gradient is that of the identity.",
    integers=True,
    fresh=False,
)
unary(
    ("_contrib_sign_ste", "_sparse__contrib_sign_ste"),
    "sign",
    lambda F, dy, y, x: dy,
    "Return the sign with the straight-through estimator: the gradient is that of the identity.",
    integers=True,
)


@operator("cast_storage", "_sparse_cast_storage", elementwise=True)
def cast_storage(xp, data: Array, stype: Literal["csr", "default", "row_sparse"] = REQUIRED):
    """Return an array in another storage type; in a graph, all arrays are dense.

    Examples
    --------
    >>> nd.cast_storage(nd.ones((2, 2)), stype="csr").stype
    'csr'
    """
    return data


cast_storage.identity = "always"
cast_storage.names_inputs = True
cast_storage.infer_shape(rules.same)
cast_storage.infer_type(rules.same_type)
cast_storage.gradient(lambda F, dy, y, data, **_: [dy])


@operator("_sparse_retain")
def sparse_retain(xp, data: Array, indices: Array):
    """Return an array in which all rows except those at the indices are zero.

    Invalid row indices are ignored, as in MXNet.

    Examples
    --------
    >>> x = nd.array([[1, 2], [3, 4], [5, 6]]).tostype("row_sparse")
    >>> nd.sparse.retain(x, nd.array([0, 2])).asnumpy()
    array([[1., 2.],
           [0., 0.],
           [5., 6.]], dtype=float32)
    """
    count = data.shape[0]
    rows = indices.astype("int64")
    named = xp.zeros(count + 1, dtype=bool)
    named[xp.where((rows >= 0) & (rows < count), rows, count)] = True  # the last element is for invalid rows
    return xp.where(named[:count].reshape(-1, *[1] * (data.ndim - 1)), data, data.dtype.type(0))


sparse_retain.infer_shape(lambda data, indices, **_: ([data, indices], [data]))
sparse_retain.infer_type(rules.type_of_first)
sparse_retain.gradient(lambda F, dy, y, data, indices: [F._sparse_retain(dy, indices), None])
sparse_retain.looks_up = lambda **_: LookedUp(0, 1, "retained")


@operator("_contrib_gradientmultiplier", elementwise=True)
def gradient_multiplier(xp, data: Array, scalar: float = 1.0, is_int: bool = True):
    """Return the array unchanged; its gradient is multiplied by a number (-1 reverses the gradient)."""
    return data


gradient_multiplier.identity = "always"
gradient_multiplier.infer_shape(rules.same)
gradient_multiplier.infer_type(rules.same_type)
gradient_multiplier.gradient(lambda F, dy, y, data, *, scalar, is_int: [dy * scalar])


@operator("_identity_with_attr_like_rhs", elementwise=True)
def identity_with_attr_like_rhs(xp, lhs: Array, rhs: Array):
    """Return the first array; the second array determines the first array's shape and type if these are unknown."""
    return lhs


identity_with_attr_like_rhs.identity = "always"
identity_with_attr_like_rhs.lenient = True
identity_with_attr_like_rhs.infer_shape(rules.same)
identity_with_attr_like_rhs.infer_type(rules.same_type)
identity_with_attr_like_rhs.gradient(lambda F, dy, y, lhs, rhs: [dy, None])


@operator("_written", elementwise=True)
def written(xp, value: Array, variable: Array):
    """Return the value that an operator has written into a variable; its gradient is that of the variable."""
    return value


written.identity = "always"
written.lenient = True
written.infer_shape(rules.same)
written.infer_type(rules.same_type)
written.gradient(lambda F, dy, y, value, variable: [None, dy])


@operator("_NoGradient", differentiable=False)
def no_gradient(xp):
    """Return a placeholder for a gradient that is zero."""
    return xp.zeros((1,), numpy.float32)


no_gradient.infer_shape(lambda: ([], [(1,)]))
no_gradient.infer_type(lambda: ([], [numpy.dtype(numpy.float32)]))


@operator("_of_floats")
def of_floats(xp, dy: Array, like: Array):
    """Return ``dy`` if ``like`` has a floating-point element type, and zeros otherwise."""
    return dy if like.dtype.kind == "f" else xp.zeros_like(dy)


of_floats.infer_shape(lambda dy, like: ([dy, like], [dy]))
of_floats.infer_type(rules.type_of_first)
of_floats.gradient(lambda F, dy, y, head, like: [F._of_floats(dy, like), None])


# --- constants in an array's shape ---------------------------------------------------------------

unary(
    ("zeros_like", "_sparse_zeros_like"),
    lambda xp, x: xp.zeros_like(x),
    None,
    "Return zeros with the shape and element type of an array.",
    integers=True,
)
unary(
    ("ones_like",),
    lambda xp, x: xp.ones_like(x),
    None,
    "Return ones with the shape and element type of an array.",
    integers=True,
)

# --- the element type -----------------------------------------------------------------------------------


def _to_dtype(xp, data, dtype):
    return data if data.dtype == dtype else data.astype(dtype)


@operator("Cast", "cast", "_npi_cast", "_npx_cast", elementwise=True)
def cast(xp, data: Array, dtype: DType = REQUIRED):
    """Convert an array to another element type; floats are truncated to integers.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.cast(nd.array([1.7, -1.7]), dtype="int32").asnumpy()
    array([ 1, -1], dtype=int32)
    """
    return _to_dtype(xp, data, dtype)


#: The element types that casts of mixed precision change.
_MIXED = (numpy.dtype(numpy.float16), numpy.dtype(numpy.float32))


@operator("amp_cast", elementwise=True)
def amp_cast(xp, data: Array, dtype: DType = REQUIRED):
    """Convert an array of half or single precision, for mixed precision; all other types remain unchanged."""
    return _to_dtype(xp, data, dtype) if data.dtype in _MIXED else data


@operator("_backward_cast", elementwise=True)
def backward_cast(xp, grad: Array, like: Array):
    """Return the gradient of a cast: the incoming gradient, cast to the element type of the input ``like``."""
    return _to_dtype(xp, grad, like.dtype)


@operator("_at_least_single", elementwise=True)
def at_least_single(xp, data: Array):
    """Convert an array of half precision to single precision; all other element types remain unchanged."""
    return data.astype(numpy.float32) if data.dtype == numpy.float16 else data


for _op in (cast, amp_cast, backward_cast, at_least_single):
    _op.identity = "same type"
backward_cast.infer_shape(rules.same)
backward_cast.infer_type(lambda grad, like: ([grad, like], [like]))
backward_cast.gradient(lambda F, dy, y, grad, like: [F._backward_cast(dy, grad), None])


at_least_single.infer_shape(rules.same)
at_least_single.infer_type(
    lambda data: ([data], [numpy.dtype(numpy.float32) if data is not None and data == numpy.float16 else data])
)
at_least_single.gradient(lambda F, dy, y, data: [F._backward_cast(dy, data)])


@cast.infer_type
def _(data, *, dtype):
    return [data], [numpy.dtype(dtype)]


@amp_cast.infer_type
def _(data, *, dtype):
    return [data], [data if data is None or data not in _MIXED else numpy.dtype(dtype)]


def _cast_back(op: Operator) -> None:
    op.infer_shape(rules.same)
    op.gradient(lambda F, dy, y, data, *, dtype: [F._backward_cast(dy, data)])


_cast_back(cast)
_cast_back(amp_cast)


@operator("amp_multicast", outputs=lambda num_outputs, **_: num_outputs)
def amp_multicast(xp, *data: Array, num_outputs: int = REQUIRED, cast_narrow: bool = False):
    """Convert arrays of half and single precision to single precision or, with ``cast_narrow``, to half precision."""
    types = _in_common([a.dtype for a in data], cast_narrow)
    return tuple(_to_dtype(xp, a, dtype) for a, dtype in zip(data, types, strict=True))


def _in_common(dtypes: list[numpy.dtype], narrow: bool) -> list[numpy.dtype]:
    """Return element types, with one type for all that mixed precision changes: the widest, or the narrowest."""
    choose = min if narrow else max
    common = choose((d for d in dtypes if d in _MIXED), key=lambda dtype: dtype.itemsize, default=None)
    return [common if common is not None and d in _MIXED else d for d in dtypes]


amp_multicast.input_names(lambda num_outputs, **_: [f"data_{i}" for i in range(num_outputs)])
amp_multicast.infer_shape(lambda *shapes, **_: (list(shapes), list(shapes)))


@amp_multicast.infer_type
def _(*dtypes, num_outputs, cast_narrow, **_):
    if any(dtype is None for dtype in dtypes):  # float64 == None in NumPy
        return list(dtypes), [d if d is not None and d not in _MIXED else None for d in dtypes]
    return list(dtypes), _in_common(list(dtypes), cast_narrow)


@amp_multicast.gradient
def _(F, dy, y, *data, num_outputs, cast_narrow, **_):
    return [F._backward_cast(g, x) for g, x in zip(dy if num_outputs > 1 else [dy], data, strict=True)]
