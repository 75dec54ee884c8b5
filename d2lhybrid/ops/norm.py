"""Normalisation: over a batch, a layer, groups or single examples; by length; across channels.

Batch normalisation treats data as (outer, channel, inner) and takes one mean and variance a
channel. Layer, group and instance normalisation all treat data as rows, and differ only in what a
row is. The hidden outputs, mean and scale, are kept for the gradients.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy

from ..errors import ShapeError
from . import rules
from .nn import complete_parameter, require_uniform_type
from .once import differentiable_once
from .registry import REQUIRED, Array, Operator, Training, operator
from .rules import require

# --- batch normalisation -----------------------------------------------------------------------


def _by_channel(x: Any, axis: int) -> Any:
    """Return data as (outer, channel, inner)."""
    shape = x.shape
    axis %= len(shape)
    return x.reshape(math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :]))


def _parameter_type(dtype: Any) -> Any:
    """Return the dtype of a layer's parameters: half-precision data have single-precision ones."""
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
) -> tuple[Any, Any, Any]:
    """Return the normalised data, the means and the reciprocal standard deviations."""
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
        scale = 1 / xp.sqrt(xp.einsum("acb,acb->c", y, y) / n + dtype.type(eps))
        factor = scale if fix_gamma else scale * gamma
        xp.multiply(y, factor[:, None], out=y)
        xp.add(y, beta[:, None], out=y)
    else:
        mean = moving_mean.copy()
        scale = 1 / xp.sqrt(moving_var + dtype.type(eps))
        factor = scale if fix_gamma else scale * gamma
        y = x * factor[:, None]
        xp.add(y, (beta - mean * factor)[:, None], out=y)
    return y.reshape(data.shape).astype(data.dtype, copy=False), mean, scale


@operator(
    "BatchNorm",
    "_npx_batch_norm",
    outputs=3,
    visible_outputs=lambda output_mean_var, **attributes: 3 if output_mean_var else 1,
    aux=("moving_mean", "moving_var"),
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
    """Batch normalisation ``(x - mean) / sqrt(var + eps) · gamma + beta``, one mean and variance a channel.

    Parameters
    ----------
    data : array
        Any shape.
    gamma, beta, moving_mean, moving_var : array
        One number a channel. The moving statistics are used in prediction; the backward pass of a
        training step updates them.
    eps : float
        Added to the variance.
    momentum : float
        Weight of the old moving statistics in an update.
    fix_gamma : bool
        Set gamma to 1 and leave it there.
    use_global_stats : bool
        Use the moving statistics in training, too.
    output_mean_var : bool
        Return the means and the *reciprocal standard deviations* as well.
    axis : int
        The axis of the channels.
    cudnn_off, min_calib_range, max_calib_range
        Without effect.

    Examples
    --------
    >>> x, one, zero = numpy.array([[1.0], [3.0]]), numpy.ones(1), numpy.zeros(1)
    >>> batch_norm(numpy, x, one, zero, zero, one, eps=0.0, training=True)[0]
    array([[-1.],
           [ 1.]])
    """
    batch_statistics = training and not use_global_stats
    return _normalize_batch(
        xp, data, gamma, beta, moving_mean, moving_var, eps, fix_gamma, batch_statistics, axis
    )


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
    """Batch normalisation with statistics shared by devices; on one device just BatchNorm.

    Parameters
    ----------
    data, gamma, beta, moving_mean, moving_var, eps, momentum, fix_gamma, use_global_stats, output_mean_var
        As for BatchNorm, with the channels on axis 1.
    ndev : int
        Number of devices; more than one is not supported.
    key : str
        Name of the layer, the same on all devices.
    """
    require(ndev == 1, f"ndev == 1 ({ndev} vs. 1) : statistics of several devices are not supported")
    batch_statistics = training and not use_global_stats
    return _normalize_batch(
        xp, data, gamma, beta, moving_mean, moving_var, eps, fix_gamma, batch_statistics, 1
    )


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
    """BatchNorm followed by relu; the parameters are those of BatchNorm."""
    batch_statistics = training and not use_global_stats
    y, mean, scale = _normalize_batch(
        xp, data, gamma, beta, moving_mean, moving_var, eps, fix_gamma, batch_statistics, axis
    )
    return xp.maximum(y, 0, out=y), mean, scale


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


def _batch_norm_gradient(F: Any, dy: Any, y: Any, data: Any, gamma: Any, training: bool, **attributes: Any) -> Any:
    fix_gamma = attributes["fix_gamma"]
    gradients = F._backward_BatchNorm(
        dy,
        data,
        gamma,
        y[1],
        y[2],
        axis=attributes.get("axis", 1),
        fix_gamma=fix_gamma,
        batch_statistics=training and not attributes["use_global_stats"],
    )
    return [gradients[0], None if fix_gamma else gradients[1], gradients[2], None, None]


def _update_moving(F, y, data, gamma, beta, moving_mean, moving_var, *, training, **attributes):
    if not training or attributes["use_global_stats"]:
        return {}
    old, eps = attributes["momentum"], attributes["eps"]
    variance = 1 / (y[2] * y[2]) - eps
    return {
        "moving_mean": moving_mean * old + y[1] * (1 - old),
        "moving_var": moving_var * old + variance * (1 - old),
    }


def _fix_gamma(F, y, data, gamma, *rest, fix_gamma, **attributes):
    return {"gamma": F.ones_like(gamma)} if fix_gamma else {}


def _finish_batch_norm(op: Operator) -> None:
    op.infer_shape(_batch_norm_shape)
    op.infer_type(_batch_norm_type)
    op.updates_in_backward(_update_moving)
    op.updates_in_forward(_fix_gamma)
    op.output_names(lambda output_mean_var, **_: ["output", "mean", "var"] if output_mean_var else ["output"])


for _op in (batch_norm, sync_batch_norm, batch_norm_with_relu):
    _finish_batch_norm(_op)


@batch_norm.gradient
def _(F, dy, y, data, gamma, beta, moving_mean, moving_var, *, training, **attributes):
    return _batch_norm_gradient(F, dy[0], y, data, gamma, training, **attributes)


@sync_batch_norm.gradient
def _(F, dy, y, data, gamma, beta, moving_mean, moving_var, *, training, **attributes):
    return _batch_norm_gradient(F, dy[0], y, data, gamma, training, **attributes)


@batch_norm_with_relu.gradient
def _(F, dy, y, data, gamma, beta, moving_mean, moving_var, *, training, **attributes):
    return _batch_norm_gradient(F, F._backward_relu(dy[0], y[0]), y, data, gamma, training, **attributes)


@operator("_backward_BatchNorm", outputs=3)
def batch_norm_gradient(
    xp,
    dy: Array,
    data: Array,
    gamma: Array,
    mean: Array,
    scale: Array,
    axis: int = 1,
    fix_gamma: bool = False,
    batch_statistics: bool = True,
):
    """Gradients of BatchNorm with respect to data, gamma and beta."""
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
differentiable_once(batch_norm_gradient)

# --- layer, group and instance normalisation -------------------------------------------------------


def _normalize_rows(xp: Any, rows: Any, eps: float) -> tuple[Any, Any, Any]:
    """Return rows (last axis) with mean 0 and variance 1, the means and the standard deviations."""
    n = rows.dtype.type(rows.shape[-1])
    mean = xp.einsum("...i->...", rows)[..., None] / n
    y = rows - mean
    std = xp.sqrt(xp.einsum("...i,...i->...", y, y)[..., None] / n + rows.dtype.type(eps))
    return xp.divide(y, std, out=y), mean, std


def _rows_gradient(xp: Any, heads: Any, normalized: Any, std: Any) -> Any:
    """Return the gradient of :func:`_normalize_rows` with respect to the rows."""
    n = heads.dtype.type(heads.shape[-1])
    dx = normalized * (xp.einsum("...i,...i->...", heads, normalized)[..., None] / n)
    xp.subtract(heads, dx, out=dx)
    xp.subtract(dx, xp.einsum("...i->...", heads)[..., None] / n, out=dx)
    return xp.divide(dx, std, out=dx)


def _in_single(op: Operator, xp: Any, *arrays: Any, **attributes: Any) -> Any:
    """Run an operator on half-precision arrays in single precision."""
    outputs = op(xp, *(a.astype(numpy.float32) for a in arrays), **attributes)
    return tuple(o.astype(numpy.float16) for o in outputs)


def _mean_std_names(output_mean_var: bool, **attributes: Any) -> list[str]:
    return ["output", "mean", "std"] if output_mean_var else ["output"]


@operator(
    "LayerNorm",
    "_npx_layer_norm",
    outputs=3,
    visible_outputs=lambda output_mean_var, **attributes: 3 if output_mean_var else 1,
)
def layer_norm(
    xp,
    data: Array,
    gamma: Array,
    beta: Array,
    axis: int = -1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
):
    """Layer normalisation: mean 0 and variance 1 along an axis, then ``· gamma + beta``.

    Parameters
    ----------
    data : array
        Any shape.
    gamma, beta : array
        One number for each place on the axis.
    axis : int
        The axis to normalise along.
    eps : float
        Added to the variance.
    output_mean_var : bool
        Return the means and the standard deviations as well.

    Examples
    --------
    >>> layer_norm(numpy, numpy.array([[1.0, 3.0]]), numpy.ones(2), numpy.zeros(2), eps=0.0)[0]
    array([[-1.,  1.]])
    """
    if gamma.shape != beta.shape or gamma.shape != data.shape[axis : axis + 1 or None]:
        _layer_norm_shape(data.shape, gamma.shape, beta.shape, axis=axis)
    if not data.dtype == gamma.dtype == beta.dtype:
        rules.same_type(data.dtype, gamma.dtype, beta.dtype)
    if data.dtype == numpy.float16:
        return _in_single(layer_norm, xp, data, gamma, beta, axis=axis, eps=eps)
    last = axis in (-1, data.ndim - 1)
    y, mean, std = _normalize_rows(xp, data if last else xp.moveaxis(data, axis, -1), eps)
    xp.multiply(y, gamma, out=y)
    xp.add(y, beta, out=y)
    if not last:
        y, mean, std = (xp.ascontiguousarray(xp.moveaxis(a, -1, axis)) for a in (y, mean, std))
    return y, mean, std


@layer_norm.infer_shape
def _layer_norm_shape(data, gamma, beta, *, axis, **attributes):
    if data is None:
        return [data, gamma, beta], [None, None, None]
    require(
        -len(data) <= axis < len(data),
        f"axis >= 0 && axis < dshape.ndim(): Channel axis out of range: axis={axis}",
    )
    axis %= len(data)
    gamma, beta = rules.unify(gamma, (data[axis],)), rules.unify(beta, (data[axis],))
    moments = (*data[:axis], 1, *data[axis + 1 :])
    return [data, gamma, beta], [data, moments, moments]


def _three_like_first(*dtypes, **attributes):
    types, [dtype] = rules.same_type(*dtypes)
    return types, [dtype, dtype, dtype]


layer_norm.infer_type(_three_like_first)
layer_norm.output_names(_mean_std_names)


@layer_norm.gradient
def _(F, dy, y, data, gamma, beta, *, axis, **attributes):
    return list(F._backward_LayerNorm(dy[0], data, gamma, y[1], y[2], axis=axis))


@operator("_backward_LayerNorm", outputs=3)
def layer_norm_gradient(xp, dy: Array, data: Array, gamma: Array, mean: Array, std: Array, axis: int = -1):
    """Gradients of LayerNorm with respect to data, gamma and beta."""
    if data.dtype == numpy.float16:
        return _in_single(layer_norm_gradient, xp, dy, data, gamma, mean, std, axis=axis)
    last = axis in (-1, data.ndim - 1)
    if not last:
        dy, data, mean, std = (xp.moveaxis(a, axis, -1) for a in (dy, data, mean, std))
    normalized = (data - mean) / std
    heads, rows = dy.reshape(-1, len(gamma)), normalized.reshape(-1, len(gamma))
    d_gamma, d_beta = xp.einsum("ri,ri->i", heads, rows), xp.einsum("ri->i", heads)
    dx = _rows_gradient(xp, dy * gamma, normalized, std)
    return dx if last else xp.ascontiguousarray(xp.moveaxis(dx, -1, axis)), d_gamma, d_beta


def _gradient_rule(dy, data, gamma, mean, std, **attributes):
    return [dy, data, gamma, mean, std], [data, gamma, gamma]


layer_norm_gradient.infer_shape(_gradient_rule)
layer_norm_gradient.infer_type(_gradient_rule)
differentiable_once(layer_norm_gradient)


@operator(
    "GroupNorm",
    outputs=3,
    visible_outputs=lambda output_mean_var, **attributes: 3 if output_mean_var else 1,
)
def group_norm(
    xp,
    data: Array,
    gamma: Array,
    beta: Array,
    num_groups: int = 1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
):
    """Group normalisation: each example's groups of channels get mean 0 and variance 1.

    Parameters
    ----------
    data : array
        (batch, channel, ...).
    gamma, beta : array
        Scale and offset, one number a group.
    num_groups : int
        Into how many groups the channels are divided.
    eps : float
        Added to the variance.
    output_mean_var : bool
        Return the means and the standard deviations as well.
    """
    _group_norm_shape(data.shape, gamma.shape, beta.shape, num_groups=num_groups)
    if data.dtype == numpy.float16:
        return _in_single(group_norm, xp, data, gamma, beta, num_groups=num_groups, eps=eps)
    y, mean, std = _normalize_rows(xp, data.reshape(len(data), num_groups, -1), eps)
    y = y * gamma[:, None] + beta[:, None]
    return y.reshape(data.shape), mean[..., 0], std[..., 0]


@group_norm.infer_shape
def _group_norm_shape(data, gamma, beta, *, num_groups, **attributes):
    if data is None:
        return [data, gamma, beta], [None, None, None]
    require(len(data) >= 3, f"dshape.ndim() >= 3U ({len(data)} vs. 3) : ")
    require(
        data[1] is None or data[1] % num_groups == 0,
        f"dshape[1] % num_groups == 0 ({(data[1] or 0) % num_groups} vs. 0) : "
        "# of channels must be divisible by # of groups",
    )
    gamma, beta = rules.unify(gamma, (num_groups,)), rules.unify(beta, (num_groups,))
    moments = (data[0], num_groups)
    return [data, gamma, beta], [data, moments, moments]


group_norm.infer_type(_three_like_first)
group_norm.output_names(_mean_std_names)


@group_norm.gradient
def _(F, dy, y, data, gamma, beta, *, num_groups, **attributes):
    return list(F._backward_GroupNorm(dy[0], data, gamma, y[1], y[2], num_groups=num_groups))


@operator("_backward_GroupNorm", outputs=3)
def group_norm_gradient(
    xp, dy: Array, data: Array, gamma: Array, mean: Array, std: Array, num_groups: int = 1
):
    """Gradients of GroupNorm with respect to data, gamma and beta."""
    if data.dtype == numpy.float16:
        return _in_single(group_norm_gradient, xp, dy, data, gamma, mean, std, num_groups=num_groups)
    shape = (len(data), num_groups, -1)
    heads, mean, std = dy.reshape(shape), mean[..., None], std[..., None]
    normalized = (data.reshape(shape) - mean) / std
    d_gamma, d_beta = xp.einsum("ngi,ngi->g", heads, normalized), xp.einsum("ngi->g", heads)
    dx = _rows_gradient(xp, heads * gamma[:, None], normalized, std)
    return dx.reshape(data.shape), d_gamma, d_beta


group_norm_gradient.infer_shape(_gradient_rule)
group_norm_gradient.infer_type(_gradient_rule)
differentiable_once(group_norm_gradient)


@operator("InstanceNorm", outputs=3, visible_outputs=1)
def instance_norm(xp, data: Array, gamma: Array, beta: Array, eps: float = 0.001):
    """Instance normalisation: each example's channels get mean 0 and variance 1.

    Parameters
    ----------
    data : array
        (batch, channel, ...).
    gamma, beta : array
        Scale and offset, one number a channel.
    eps : float
        Added to the variance.
    """
    _instance_norm_shape(data.shape, gamma.shape, beta.shape, eps=eps)
    if data.dtype == numpy.float16:
        return _in_single(instance_norm, xp, data, gamma, beta, eps=eps)
    y, mean, std = _normalize_rows(xp, data.reshape(*data.shape[:2], -1), eps)
    y = y * gamma[:, None] + beta[:, None]
    return y.reshape(data.shape), mean[..., 0], std[..., 0]


@instance_norm.infer_shape
def _instance_norm_shape(data, gamma, beta, *, eps):
    if data is None:
        return [data, gamma, beta], [None, None, None]
    require(
        len(data) >= 3,
        f"in_data[instance_norm: :kData].ndim() >= 3 ({len(data)} vs. 3) : "
        "InstanceNorm only supports input tensors of rank >= 3.",
    )
    gamma, beta = rules.unify(gamma, (data[1],)), rules.unify(beta, (data[1],))
    return [data, gamma, beta], [data, data[:2], data[:2]]


instance_norm.infer_type(_three_like_first)


@instance_norm.gradient
def _(F, dy, y, data, gamma, beta, *, eps):
    return list(F._backward_InstanceNorm(dy[0], data, gamma, y[1], y[2]))


@operator("_backward_InstanceNorm", outputs=3)
def instance_norm_gradient(xp, dy: Array, data: Array, gamma: Array, mean: Array, std: Array):
    """Gradients of InstanceNorm with respect to data, gamma and beta."""
    return group_norm_gradient(xp, dy, data, gamma, mean, std, data.shape[1])


instance_norm_gradient.infer_shape(_gradient_rule)
instance_norm_gradient.infer_type(_gradient_rule)
differentiable_once(instance_norm_gradient)

# --- by length, and across channels ----------------------------------------------------------------

_EXCLUDED = {"instance": (0,), "channel": None, "spatial": (0, 1)}


def _length_axes(mode: str, rank: int) -> tuple[int, ...]:
    return {"instance": tuple(range(1, rank)), "channel": (1,), "spatial": tuple(range(2, rank))}[mode]


def _check_length(mode: str, rank: int) -> None:
    require(
        mode == "instance" or rank >= 3,
        f"dshape.ndim() >= 3 ({rank} vs. 3) : At lease 3 dimensions required in {mode} mode",
    )


@operator("L2Normalization", outputs=2, visible_outputs=1)
def l2_normalization(
    xp, data: Array, eps: float = 1e-10, mode: Literal["channel", "instance", "spatial"] = "instance"
):
    """Divide by the Euclidean length ``sqrt(Σ x² + eps)``.

    Parameters
    ----------
    data : array
        (batch, ...), or (batch, channel, ...).
    eps : float
        Added to the sum of squares.
    mode : {"instance", "channel", "spatial"}
        Whether the sum is over an example, over the channels at each place, or over the places of
        each channel.

    Examples
    --------
    >>> l2_normalization(numpy, numpy.array([[3.0, 4.0]]))[0]
    array([[0.6, 0.8]])
    """
    _check_length(mode, data.ndim)
    squares = xp.add.reduce(data * data, axis=_length_axes(mode, data.ndim), keepdims=True)
    length = xp.sqrt(squares + data.dtype.type(eps))
    return data / length, length


@l2_normalization.infer_shape
def _(data, *, mode, **attributes):
    if data is None:
        return [None], [None, None]
    _check_length(mode, len(data))
    axes = _length_axes(mode, len(data))
    return [data], [data, tuple(1 if i in axes else n for i, n in enumerate(data))]


l2_normalization.infer_type(lambda data, **attributes: ([data], [data, data]))


@l2_normalization.gradient
def _(F, dy, y, data, *, mode, **attributes):
    y, length = y
    product = dy[0] * y
    if mode == "channel":
        along = F.sum(product, axis=1, keepdims=True)
    else:
        along = F.sum(product, axis=_EXCLUDED[mode], exclude=True, keepdims=True)
    dx = F.broadcast_div(dy[0] - F.broadcast_mul(y, along), length)
    # Second derivatives come through the length, too.
    return [dx if dy[1] is None else dx + F.broadcast_mul(y, dy[1])]


def _window_sum(xp: Any, x: Any, nsize: int) -> Any:
    """Sum over the neighbouring channels, ``nsize`` in all with the channel itself."""
    total = x.copy()
    for i in range(1, min((nsize - 1) // 2, x.shape[1] - 1) + 1):
        total[:, i:] += x[:, :-i]
        total[:, :-i] += x[:, i:]
    return total


@operator("LRN", outputs=2, visible_outputs=1)
def lrn(
    xp, data: Array, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0, nsize: int = REQUIRED
):
    """Local response normalisation ``x / (knorm + alpha / nsize · Σ x²)^beta``, the sum over channels nearby.

    Parameters
    ----------
    data : array
        Images (batch, channel, height, width).
    alpha, beta, knorm : float
        As in the formula.
    nsize : int
        How many neighbouring channels are summed over; odd.
    """
    if data.ndim != 4:
        _check_lrn(data.shape)
    base = knorm + (alpha / nsize) * _window_sum(xp, data * data, nsize)
    return data * base**-beta, base


def _check_lrn(data: Any) -> None:
    if len(data) != 4:
        raise ShapeError(
            f"Check failed: dim == ndim() (4 vs. {len(data)}) : "
            f"dimension do not match target dimension 4 vs {len(data)}"
        )


@lrn.infer_shape
def _(data, **attributes):
    if data is not None:
        _check_lrn(data)
    return [data], [data, data]


lrn.infer_type(lambda data, **attributes: ([data], [data, data]))


@lrn.gradient
def _(F, dy, y, data, *, alpha, beta, knorm, nsize):
    return [F._backward_LRN(dy[0], data, y[0], y[1], alpha=alpha, beta=beta, nsize=nsize)]


@operator("_backward_LRN")
def lrn_gradient(
    xp, dy: Array, data: Array, y: Array, base: Array, alpha: float = 1e-4, beta: float = 0.75, nsize: int = REQUIRED
):
    """Gradient of LRN with respect to the data."""
    return dy * base**-beta - data * (2 * alpha * beta / nsize) * _window_sum(xp, dy * y / base, nsize)


lrn_gradient.infer_shape(lambda dy, data, y, base, **attributes: ([dy, data, y, base], [data]))
lrn_gradient.infer_type(rules.same_type)
differentiable_once(lrn_gradient)
