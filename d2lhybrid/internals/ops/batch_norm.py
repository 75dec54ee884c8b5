"""Batch normalization with the statistics of the batch in training, and with their moving averages in prediction.

Data are reshaped to ``(outer, channel, inner)``. The hidden outputs, means and reciprocal standard
deviations, are kept for the gradients and for the update of the moving statistics.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from ..core.infer import require
from ..core.operator import REQUIRED, Array, Operator, Training, operator
from .elementwise import at_least
from .nn import complete_parameter, require_float, require_uniform_type
from .norm_orders import differentiate_again

FAMILY = "normalization"
MEANINGS = {
    "gamma": "The scale of each channel, of shape ``(channels,)``.",
    "beta": "The shift of each channel, of shape ``(channels,)``.",
    "moving_mean": "The running mean, an auxiliary state.",
    "moving_var": "The running variance, an auxiliary state.",
    "eps": "The number that is added to the variance.",
    "momentum": "The fraction of the running statistics that is kept in each step.",
    "fix_gamma": "Whether every scale is 1, regardless of ``gamma``.",
    "use_global_stats": "Whether to use the running statistics in training, too.",
    "output_mean_var": "Whether to also return the mean and the reciprocal standard deviation of each channel.",
    "axis": "The axis of the channels, which may be negative.",
    "cudnn_off": "Ignored.",
    "min_calib_range": "Ignored.",
    "max_calib_range": "Ignored.",
    "_contrib_BatchNormWithReLU.data": "An array of any shape that has the axis ``axis``.",
}

# --- batch normalization -----------------------------------------------------------------------


def _by_channel(x: Any, axis: int) -> Any:
    """Return data in the shape ``(outer, channel, inner)``."""
    shape = x.shape
    axis %= len(shape)
    return x.reshape(math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :]))


def _parameter_type(dtype: Any) -> Any:
    """Return the element type of a layer's parameters, which is single precision for half-precision data."""
    return numpy.dtype(numpy.float32) if dtype == numpy.float16 else dtype


def _check_channel_axis(axis: int, rank: int) -> None:
    require(
        -rank <= axis < rank,
        f"channelAxis < dshape.ndim() ({axis if axis >= 0 else (axis + rank) % 2**64} vs. {rank}) : "
        f"Channel axis out of range: {axis}",
    )


def _normalize_batch(
    xp: Any,
    data: Any,
    gamma: Any,
    beta: Any,
    moving_mean: Any,
    moving_var: Any,
    eps: float,
    fix_gamma: bool,
    batch_statistics: bool,
    axis: int,
) -> tuple[Any, Any, Any, Any]:
    """Return the normalized data, the means, the reciprocal standard deviations, and the variances."""
    if gamma.shape != (data.shape[axis] if -data.ndim <= axis < data.ndim else None,):
        _batch_norm_shape(data.shape, gamma.shape, beta.shape, moving_mean.shape, moving_var.shape, axis=axis)
    dtype = _parameter_type(data.dtype)
    if gamma.dtype != dtype:
        _batch_norm_type(data.dtype, gamma.dtype, beta.dtype, moving_mean.dtype, moving_var.dtype)
    x = _by_channel(data, axis)
    if x.dtype != dtype:
        x = x.astype(dtype)
    if batch_statistics:
        n = dtype.type(x.shape[0] * x.shape[2])
        mean = xp.einsum("acb->c", x) / n
        y = x - mean[:, None]
        variance = xp.einsum("acb,acb->c", y, y) / n
        scale = 1 / xp.sqrt(variance + dtype.type(eps))
        factor = scale if fix_gamma else scale * gamma
        xp.multiply(y, factor[:, None], out=y)
        xp.add(y, beta[:, None], out=y)
    else:
        mean, variance = moving_mean.copy(), moving_var
        scale = 1 / xp.sqrt(moving_var + dtype.type(eps))
        factor = scale if fix_gamma else scale * gamma
        y = x * factor[:, None]
        xp.add(y, (beta - mean * factor)[:, None], out=y)
    return y.reshape(data.shape).astype(data.dtype, copy=False), mean, scale, variance


def _with_variances(
    xp: Any,
    data: Any,
    gamma: Any,
    beta: Any,
    moving_mean: Any,
    moving_var: Any,
    eps: float,
    fix_gamma: bool,
    batch_statistics: bool,
) -> tuple[Any, Any, Any]:
    """Return the normalized data, the means, and the variances, for operators that return variances."""
    y, mean, _, variance = _normalize_batch(
        xp, data, gamma, beta, moving_mean, moving_var, eps, fix_gamma, batch_statistics, 1
    )
    return y, mean, variance if batch_statistics else variance.copy()


@operator(
    "BatchNorm",
    "_npx_batch_norm",
    outputs=3,
    visible_outputs=lambda output_mean_var, **attributes: 3 if output_mean_var else 1,
    aux=("moving_mean", "moving_var"),
    fresh=True,
)
def batch_norm(
    xp,
    data: Array,
    gamma: Array,
    beta: Array,
    moving_mean: Array,
    moving_var: Array,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    training: Training = False,
):
    """Apply batch normalization, ``(x - mean) / sqrt(var + eps) · gamma + beta``, to each channel.

    Parameters
    ----------
    data : array
        An array of any shape that has the axis ``axis``.
    gamma, beta, moving_mean, moving_var : array
        One number for each channel. Prediction uses the moving statistics, and the backward pass of a training step
        updates them.
    eps : float
        The number that is added to the variance.
    momentum : float
        The weight of the old moving statistics in an update.
    fix_gamma : bool
        Whether to set gamma to 1 and never update it.
    use_global_stats : bool
        Whether to use the moving statistics even in training.
    output_mean_var : bool
        Whether to also return the means and the *reciprocal standard deviations*, which have no gradient.
    axis : int
        The axis of the channels, which may be negative.
    cudnn_off, min_calib_range, max_calib_range
        Ignored.

    Examples
    --------
    >>> x, one, zero = nd.array([[1], [3]]), nd.ones((1,)), nd.zeros((1,))
    >>> with autograd.train_mode():
    ...     nd.BatchNorm(x, one, zero, zero, one, eps=0)
    <BLANKLINE>
    [[-1.]
     [ 1.]]
    <NDArray 2x1 @cpu(0)>
    """
    require_float(data)
    batch_statistics = training and not use_global_stats
    normalized = _normalize_batch(
        xp, data, gamma, beta, moving_mean, moving_var, eps, fix_gamma, batch_statistics, axis
    )
    return normalized[:3]


@operator(
    "_contrib_SyncBatchNorm",
    outputs=3,
    visible_outputs=lambda output_mean_var, **attributes: 3 if output_mean_var else 1,
    aux=("moving_mean", "moving_var"),
)
def sync_batch_norm(
    xp,
    data: Array,
    gamma: Array,
    beta: Array,
    moving_mean: Array,
    moving_var: Array,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    ndev: int = 1,
    key: str = REQUIRED,
    training: Training = False,
):
    """Apply batch normalization with statistics of the batches on all devices; only one device is supported.

    Parameters
    ----------
    data, gamma, beta, moving_mean, moving_var, eps, momentum, fix_gamma, use_global_stats
        As for BatchNorm, with the channels on axis 1.
    output_mean_var : bool
        Whether to also return the means and the variances (not reciprocal standard deviations). These outputs have no
        gradient.
    ndev : int
        The number of devices; only 1 is supported.
    key : str
        The name of the layer, which is the same on all devices.
    """
    require(ndev == 1, f"ndev == 1 ({ndev} vs. 1) : statistics over several devices are not supported")
    require_float(data)
    return _with_variances(
        xp, data, gamma, beta, moving_mean, moving_var, eps, fix_gamma, training and not use_global_stats
    )


@operator(
    "BatchNorm_v1",
    outputs=3,
    visible_outputs=lambda output_mean_var, **attributes: 3 if output_mean_var else 1,
    aux=("moving_mean", "moving_var"),
    fresh=True,
)
def batch_norm_v1(
    xp,
    data: Array,
    gamma: Array,
    beta: Array,
    moving_mean: Array,
    moving_var: Array,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    training: Training = False,
):
    """Apply batch normalization as in MXNet before version 1.0, for old programs and files.

    Parameters
    ----------
    data, gamma, beta, moving_mean, moving_var, eps, momentum, fix_gamma, use_global_stats
        As for BatchNorm, with the channels on axis 1.
    output_mean_var : bool
        Whether to also return the means and the variances (not reciprocal standard deviations). These outputs have no
        gradient.

    Examples
    --------
    >>> x, one, zero = nd.array([[1], [3]]), nd.ones((1,)), nd.zeros((1,))
    >>> with autograd.train_mode():
    ...     nd.BatchNorm_v1(x, one, zero, moving_mean=zero, moving_var=one, eps=0, output_mean_var=True)[2]
    <BLANKLINE>
    [1.]
    <NDArray 1 @cpu(0)>
    """
    require_float(data)
    return _with_variances(
        xp, data, gamma, beta, moving_mean, moving_var, eps, fix_gamma, training and not use_global_stats
    )


batch_norm_v1.by_name = ("moving_mean", "moving_var")


@operator(
    "_contrib_BatchNormWithReLU",
    outputs=3,
    visible_outputs=lambda output_mean_var, **attributes: 3 if output_mean_var else 1,
    aux=("moving_mean", "moving_var"),
)
def batch_norm_with_relu(
    xp,
    data: Array,
    gamma: Array,
    beta: Array,
    moving_mean: Array,
    moving_var: Array,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    training: Training = False,
):
    """Apply BatchNorm and relu; the parameters are those of BatchNorm."""
    batch_statistics = training and not use_global_stats
    y, mean, scale, _ = _normalize_batch(
        xp, data, gamma, beta, moving_mean, moving_var, eps, fix_gamma, batch_statistics, axis
    )
    return at_least(xp, y, 0, out=y), mean, scale


def _batch_norm_shape(data, gamma, beta, moving_mean, moving_var, *, axis=1, **attributes):
    parameters = [gamma, beta, moving_mean, moving_var]
    if data is None:
        return [data, *parameters], [None, None, None]
    _check_channel_axis(axis, len(data))
    parameters = [complete_parameter(p, (data[axis],)) for p in parameters]
    return [data, *parameters], [data, parameters[0], parameters[0]]


def _batch_norm_type(data, *parameters, **attributes):
    if data is None:
        return [data, *parameters], [None, None, None]
    names = ("gamma", "beta", "moving_mean", "moving_var")
    expected = _parameter_type(data)
    require_uniform_type("dtype_param", ("data", *names), expected, *parameters)
    return [data, expected, expected, expected, expected], [data, expected, expected]


def _batch_norm_gradient(
    F: Any, dy: Any, mean: Any, scale: Any, data: Any, gamma: Any, training: bool, **attributes: Any
) -> Any:
    fix_gamma = attributes["fix_gamma"]
    gradients = F._backward_BatchNorm(
        dy,
        data,
        gamma,
        mean,
        scale,
        axis=attributes.get("axis", 1),
        eps=attributes["eps"],
        fix_gamma=fix_gamma,
        batch_statistics=training and not attributes["use_global_stats"],
    )
    return [gradients[0], None if fix_gamma else gradients[1], gradients[2], None, None]


def _update_moving(F, y, data, gamma, beta, moving_mean, moving_var, *, training, **attributes):
    variance = 1 / (y[2] * y[2]) - attributes["eps"]
    return _moved(y[1], variance, moving_mean, moving_var, training, **attributes)


def _moved(mean, variance, moving_mean, moving_var, training, *, momentum, use_global_stats, **attributes):
    if not training or use_global_stats:
        return {}
    return {
        "moving_mean": moving_mean * momentum + mean * (1 - momentum),
        "moving_var": moving_var * momentum + variance * (1 - momentum),
    }


def _fix_gamma(F, y, data, gamma, *rest, fix_gamma, **attributes):
    return {"gamma": F.ones_like(gamma)} if fix_gamma else {}


def _finish_batch_norm(op: Operator) -> None:
    op.infer_shape(_batch_norm_shape)
    op.lenient = True
    op.infer_type(_batch_norm_type)
    op.updates_in_backward(_update_moving)
    op.updates_in_forward(_fix_gamma)
    op.output_names(lambda output_mean_var, **_: ["output", "mean", "var"] if output_mean_var else ["output"])
    op.hidden_names = ("mean", "var")


batch_norm_with_relu.hidden_in_mxnet = 1
for _op in (batch_norm, sync_batch_norm, batch_norm_v1, batch_norm_with_relu):
    _finish_batch_norm(_op)


batch_norm.names_outputs = True


@batch_norm.gradient
def _(F, dy, y, data, gamma, beta, moving_mean, moving_var, *, training, **attributes):
    return _batch_norm_gradient(F, dy[0], y[1], y[2], data, gamma, training, **attributes)


sync_batch_norm.precision = "single"
sync_batch_norm.names_outputs = True


def _gradient_by_variances(F, dy, y, data, gamma, beta, moving_mean, moving_var, *, training, eps, **attributes):
    return _batch_norm_gradient(F, dy[0], y[1], F.rsqrt(y[2] + eps), data, gamma, training, eps=eps, **attributes)


def _move_to_variances(F, y, data, gamma, beta, moving_mean, moving_var, *, training, **attributes):
    return _moved(y[1], y[2], moving_mean, moving_var, training, **attributes)


for _op in (sync_batch_norm, batch_norm_v1):
    _op.gradient(_gradient_by_variances)
    _op.updates_in_backward(_move_to_variances)


@batch_norm_with_relu.gradient
def _(F, dy, y, data, gamma, beta, moving_mean, moving_var, *, training, **attributes):
    return _batch_norm_gradient(F, F._backward_relu(dy[0], y[0]), y[1], y[2], data, gamma, training, **attributes)


@operator("_backward_BatchNorm", outputs=3)
def batch_norm_gradient(
    xp,
    dy: Array,
    data: Array,
    gamma: Array,
    mean: Array,
    scale: Array,
    axis: int = 1,
    eps: float = 0.001,
    fix_gamma: bool = False,
    batch_statistics: bool = True,
):
    """Return the gradients of BatchNorm with respect to data, gamma, and beta."""
    dtype = mean.dtype
    heads, x = _by_channel(dy, axis), _by_channel(data, axis)
    if x.dtype != dtype:
        heads, x = heads.astype(dtype), x.astype(dtype)
    centred = x - mean[:, None]
    d_beta = xp.einsum("acb->c", heads)
    d_gamma = xp.einsum("acb,acb->c", heads, centred) * scale
    factor = scale if fix_gamma else scale * gamma
    dx = heads * factor[:, None]
    if batch_statistics:
        n = dtype.type(x.shape[0] * x.shape[2])
        xp.multiply(centred, (factor * scale * d_gamma / n)[:, None], out=centred)
        xp.subtract(dx, centred, out=dx)
        xp.subtract(dx, (factor * d_beta / n)[:, None], out=dx)
    return dx.reshape(data.shape).astype(data.dtype, copy=False), d_gamma, d_beta


batch_norm_gradient.infer_shape(
    lambda dy, data, gamma, mean, scale, **attributes: ([dy, data, gamma, mean, scale], [data, gamma, gamma])
)
batch_norm_gradient.infer_type(
    lambda dy, data, gamma, mean, scale, **attributes: ([dy, data, gamma, mean, scale], [data, gamma, gamma])
)
differentiate_again("batch", batch_norm_gradient)
