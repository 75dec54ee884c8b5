"""The softmax family, which converts numbers into probabilities along an axis."""

from __future__ import annotations

from typing import Any, Literal

import numpy

from ...error import MXNetError
from ..core.operator import Array, DType, operator
from . import rules
from .nn import require_float
from .portable import greatest

FAMILY = "activation"
MEANINGS = {
    "mode": "The axis along which results sum to 1: the last axis (``'instance'``), or axis 1 (``'channel'``).",
    "data": "An array of floats with at least one axis.",
    "softmax.use_length": "Whether the operator has the input ``length``.",
    "use_length": "Ignored; only ``softmax`` has an input ``length``.",
}


def _check_axis(axis: int, data: Any) -> None:
    if not -len(data) <= axis < len(data):
        raise MXNetError(
            f"Check failed: axis < ndim && axis >= -ndim: axis {axis} exceeds the input dimension of {len(data)}"
        )


def _prepared(xp: Any, data: Any, axis: int, temperature: float | None, dtype: Any) -> Any:
    """Return the logits after subtracting their maximum, in the element type of the computation."""
    if not -data.ndim <= axis < data.ndim:
        _check_axis(axis, data.shape)
    require_float(data)
    if dtype is not None and data.dtype != dtype:
        data = data.astype(dtype)
    if temperature is not None and temperature != 1.0:
        data = data / temperature
    return data - greatest(xp, data, axis) if data.size else data


def _sum_along(xp: Any, x: Any, axis: int) -> Any:
    if axis in (-1, x.ndim - 1):
        return xp.einsum("...i->...", x)[..., None]  # much faster than add.reduce for many short rows
    return xp.add.reduce(x, axis=axis, keepdims=True)


def softmax_of(xp: Any, data: Any, axis: int) -> Any:
    """Return the softmax along an axis; the results are positive and sum to 1.

    Examples
    --------
    >>> softmax_of(numpy, numpy.array([[0.0, 0.0]]), 1)
    array([[0.5, 0.5]])
    """
    e = xp.exp(_prepared(xp, data, axis, None, None))
    return xp.divide(e, _sum_along(xp, e, axis), out=e)


def _masked_softmax(xp: Any, data: Any, length: Any, axis: int, temperature: float | None) -> Any:
    if length.dtype.kind not in "iu":
        raise MXNetError(f"This operation only support integer types, not {length.dtype.name}")
    require_float(data)
    axis %= data.ndim
    rules.unify(length.shape, (*data.shape[:axis], *data.shape[axis + 1 :]))
    positions = xp.arange(data.shape[axis]).reshape(-1, *(1,) * (data.ndim - axis - 1))
    mask = positions < xp.expand_dims(length, axis)
    if temperature is not None:
        data = data / temperature
    nothing = data.dtype.type(0)
    most = greatest(xp, xp.where(mask, data, data.dtype.type(-numpy.inf)), axis) if data.size else nothing
    most = xp.where(xp.expand_dims(length, axis) > 0, most, nothing)
    e = xp.where(mask, xp.exp(xp.where(mask, data - most, nothing)), nothing)
    total = _sum_along(xp, e, axis)
    return xp.where(mask, e / (total + (total == 0)), nothing)  # 0 after the end, even for NaN


@operator("softmax", "_npx_softmax", fresh=True)
def softmax(
    xp,
    data: Array,
    length: Array | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: DType | None = None,
    use_length: bool | None = False,
):
    """Return the softmax ``exp(x) / Σ exp(x)`` along an axis.

    Parameters
    ----------
    data : array
        The logits, an array of floats with at least one axis.
    length : array of int, optional
        The number of valid elements along the axis, with ``use_length=True``; all other elements become 0.
    axis : int
        The axis along which the results sum to 1.
    temperature : float, optional
        The number by which the data are divided.
    dtype : str or dtype, optional
        The element type of the result and of the computation.

    Examples
    --------
    >>> nd.softmax(nd.array([[0, 0]]))
    <BLANKLINE>
    [[0.5 0.5]]
    <NDArray 1x2 @cpu(0)>
    """
    if use_length:
        if length is None:
            raise MXNetError(
                "Check failed: num_inputs == infered_num_inputs (1 vs. 2) : "
                "Operator softmax expects 2 inputs, but got 1 instead."
            )
        if dtype is not None:
            data = data.astype(dtype)
        _check_axis(axis, data.shape)
        return _masked_softmax(xp, data, length, axis, temperature)
    e = xp.exp(_prepared(xp, data, axis, temperature, dtype))
    return e / _sum_along(xp, e, axis)


@operator("softmin")
def softmin(
    xp,
    data: Array,
    axis: int = -1,
    temperature: float | None = None,
    dtype: DType | None = None,
    use_length: bool | None = False,
):
    """Return the softmax of the negative data.

    Examples
    --------
    >>> nd.softmin(nd.array([[5, 5]]))
    <BLANKLINE>
    [[0.5 0.5]]
    <NDArray 1x2 @cpu(0)>
    """
    e = xp.exp(_prepared(xp, -data, axis, temperature, dtype))
    return e / _sum_along(xp, e, axis)


@operator("log_softmax", "_npx_log_softmax", fresh=True)
def log_softmax(
    xp,
    data: Array,
    axis: int = -1,
    temperature: float | None = None,
    dtype: DType | None = None,
    use_length: bool | None = False,
):
    """Return the logarithm of the softmax along an axis, computed without overflow.

    Examples
    --------
    >>> nd.log_softmax(nd.array([[1000, 0]]))
    <BLANKLINE>
    [[    0. -1000.]]
    <NDArray 1x2 @cpu(0)>
    """
    x = _prepared(xp, data, axis, temperature, dtype)
    return x - xp.log(_sum_along(xp, xp.exp(x), axis))


def _softmax_shape(data, length=None, *, axis, use_length=False, **attributes):
    if data is None:
        return [data, length] if use_length else [data], [None]
    _check_axis(axis, data)
    if use_length:
        axis %= len(data)
        length = rules.unify(length, (*data[:axis], *data[axis + 1 :]))
        return [data, length], [data]
    return [data], [data]


def _softmax_type(data, *length, dtype, **attributes):
    return [data, *length], [data if dtype is None else numpy.dtype(dtype)]


@operator("_cast_like")
def cast_like(xp, data: Array, like: Array):
    """Return an array in the element type of another array."""
    return data.astype(like.dtype)


cast_like.infer_shape(lambda data, like: ([data, like], [data]))
cast_like.identity = "same type"
cast_like.infer_type(lambda data, like: ([data, like], [like]))
cast_like.gradient(lambda F, dy, y, data, like: [F._cast_like(dy, data), None])


def _softmax_gradient(F: Any, dy: Any, y: Any, data: Any, axis: int, temperature: Any, dtype: Any) -> Any:
    weighted = dy * y
    total = F.sum(weighted, axis=axis, keepdims=True)
    dx = weighted - F.broadcast_mul(y, total)
    return _finish(F, dx, data, temperature, dtype)


def _finish(F: Any, dx: Any, data: Any, temperature: float | None, dtype: Any) -> Any:
    if temperature is not None and temperature != 1.0:
        dx = dx * (1.0 / temperature)
    return dx if dtype is None else F._cast_like(dx, data)


for _op in (softmax, softmin, log_softmax):
    _op.infer_shape(_softmax_shape)
    _op.infer_type(_softmax_type)


softmax.precision = "single"
softmax.names_outputs = True


@softmax.input_names
def _(*, use_length, **attributes):
    return ["data", "length"] if use_length else ["data"]


@softmax.gradient
def _(F, dy, y, data, *length, axis, temperature, dtype, use_length):
    if not use_length:
        return [_softmax_gradient(F, dy, y, data, axis, temperature, dtype)]
    counts, nothing = (
        F._greater_scalar(y, scalar=0.0),
        F.zeros_like(y),
    )  # dy may be NaN elsewhere
    dx = _softmax_gradient(F, F.where(counts, dy, nothing), y, data, axis, temperature, None)
    return [_finish(F, F.where(counts, dx, nothing), data, None, dtype), None]


softmin.precision = "single"
softmin.names_outputs = True
softmin.names_inputs = False


@softmin.gradient
def _(F, dy, y, data, *, axis, temperature, dtype, use_length):
    return [-_softmax_gradient(F, dy, y, data, axis, temperature, dtype)]


log_softmax.precision = "single"
log_softmax.names_inputs = True


@log_softmax.gradient
def _(F, dy, y, data, *, axis, temperature, dtype, use_length):
    total = F.sum(dy, axis=axis, keepdims=True)
    return [_finish(F, dy - F.broadcast_mul(F.exp(y), total), data, temperature, dtype)]


@operator("SoftmaxActivation")
def softmax_activation(xp, data: Array, mode: Literal["channel", "instance"] = "instance"):
    """Return the softmax over the last axis (``"instance"``) or over the channels on axis 1.

    Examples
    --------
    >>> nd.SoftmaxActivation(nd.zeros((1, 2)))
    <BLANKLINE>
    [[0.5 0.5]]
    <NDArray 1x2 @cpu(0)>
    """
    return softmax_of(xp, data, 1 if mode == "channel" else -1)


softmax_activation.precision = "single"
softmax_activation.names_outputs = True
softmax_activation.names_inputs = False
softmax_activation.infer_shape(rules.same)
softmax_activation.infer_type(rules.same_type)


@softmax_activation.gradient
def _(F, dy, y, data, *, mode):
    # MXNet 1.9 sums over axis 1 in both modes, which is wrong if an instance has several axes.
    return [_softmax_gradient(F, dy, y, data, 1 if mode == "channel" else -1, None, None)]
