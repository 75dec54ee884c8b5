"""Normalizations of each example: layer, group, instance, L2, and local response normalization.

Layer, group, and instance normalization apply the same functions to rows of data. They differ only in the choice of
rows. The hidden outputs, means and standard deviations, are kept for the gradients.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy

from ...error import ShapeError
from ..core.infer import require
from ..core.operator import REQUIRED, Array, Operator, operator
from . import rules
from .nn import require_float
from .norm_orders import differentiate_again
from .not_differentiable import not_differentiable

FAMILY = "normalization"

# --- layer, group, and instance normalization -------------------------------------------------------


def _normalize_rows(xp: Any, rows: Any, eps: float) -> tuple[Any, Any, Any]:
    """Return the rows (along the last axis) scaled to mean 0 and variance 1, the means, and the standard deviations."""
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
    fresh=True,
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
    """Apply layer normalization: scale to mean 0 and variance 1 along an axis, then multiply by gamma and add beta.

    Parameters
    ----------
    data : array
        An array of floats with at least one axis.
    gamma, beta : array
        The scale and the offset, one number for each position along the axis.
    axis : int
        The axis along which to normalize.
    eps : float
        The number that is added to the variance.
    output_mean_var : bool
        Whether to also return the means and the standard deviations, which have no gradient.

    Examples
    --------
    >>> nd.LayerNorm(nd.array([[1, 3]]), nd.ones((2,)), nd.zeros((2,)), eps=0)
    <BLANKLINE>
    [[-1.  1.]]
    <NDArray 1x2 @cpu(0)>
    """
    require_float(data)
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


layer_norm.precision = "single"
layer_norm.names_outputs = True


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
layer_norm.hidden_names = ("mean", "std")


@layer_norm.gradient
def _(F, dy, y, data, gamma, beta, *, axis, eps, **attributes):
    return list(F._backward_LayerNorm(dy[0], data, gamma, y[1], y[2], axis=axis, eps=eps))


def _column_sums(xp: Any, heads: Any, rows: Any) -> tuple[Any, Any]:
    """Return the sums of ``heads * rows`` and of ``heads`` over the rows.

    Many rows are summed in groups, because rounding errors grow with the length of a sum.
    """
    size = math.isqrt(len(rows))
    if size < 16:
        return xp.einsum("ri,ri->i", heads, rows), xp.einsum("ri->i", heads)
    whole = size * size
    a, b = (x[:whole].reshape(size, size, -1) for x in (heads, rows))
    product, plain = xp.einsum("gri,gri->gi", a, b).sum(axis=0), xp.einsum("gri->gi", a).sum(axis=0)
    product += xp.einsum("ri,ri->i", heads[whole:], rows[whole:])
    plain += xp.einsum("ri->i", heads[whole:])
    return product, plain


@operator("_backward_LayerNorm", outputs=3)
def layer_norm_gradient(
    xp, dy: Array, data: Array, gamma: Array, mean: Array, std: Array, axis: int = -1, eps: float = 1e-5
):
    """Return the gradients of LayerNorm with respect to data, gamma, and beta."""
    if data.dtype == numpy.float16:
        return _in_single(layer_norm_gradient, xp, dy, data, gamma, mean, std, axis=axis)
    last = axis in (-1, data.ndim - 1)
    if not last:
        dy, data, mean, std = (xp.moveaxis(a, axis, -1) for a in (dy, data, mean, std))
    normalized = (data - mean) / std
    heads, rows = dy.reshape(-1, len(gamma)), normalized.reshape(-1, len(gamma))
    d_gamma, d_beta = _column_sums(xp, heads, rows)
    dx = _rows_gradient(xp, dy * gamma, normalized, std)
    return dx if last else xp.ascontiguousarray(xp.moveaxis(dx, -1, axis)), d_gamma, d_beta


def _gradient_rule(dy, data, gamma, mean, std, **attributes):
    return [dy, data, gamma, mean, std], [data, gamma, gamma]


layer_norm_gradient.infer_shape(_gradient_rule)
layer_norm_gradient.infer_type(_gradient_rule)
differentiate_again("layer", layer_norm_gradient)


def _group_rows(shape: tuple[int, ...], num_groups: int) -> tuple[int, int, int]:
    """Return the shape ``(batch, group, elements of a group)``; NumPy couldn't infer -1 for an empty batch."""
    return shape[0], num_groups, math.prod(shape[1:]) // max(num_groups, 1)


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
    """Apply group normalization, which scales each group of channels of each example to mean 0 and variance 1.

    Parameters
    ----------
    data : array
        The data, of shape ``(batch, channel, ...)``.
    gamma, beta : array
        The scale and the offset, one number for each group.
    num_groups : int
        The number of groups into which the channels are divided.
    eps : float
        The number that is added to the variance.
    output_mean_var : bool
        Whether to also return the means and the standard deviations, which have no gradient.
    """
    require_float(data)
    _group_norm_shape(data.shape, gamma.shape, beta.shape, num_groups=num_groups)
    if data.dtype == numpy.float16:
        return _in_single(group_norm, xp, data, gamma, beta, num_groups=num_groups, eps=eps)
    y, mean, std = _normalize_rows(xp, data.reshape(_group_rows(data.shape, num_groups)), eps)
    y = y * gamma[:, None] + beta[:, None]
    return y.reshape(data.shape), mean[..., 0], std[..., 0]


group_norm.precision = "single"
group_norm.names_outputs = True
group_norm.lenient = True


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
group_norm.hidden_names = ("mean", "std")


@group_norm.gradient
def _(F, dy, y, data, gamma, beta, *, num_groups, eps, **attributes):
    return list(F._backward_GroupNorm(dy[0], data, gamma, y[1], y[2], num_groups=num_groups, eps=eps))


@operator("_backward_GroupNorm", outputs=3)
def group_norm_gradient(
    xp, dy: Array, data: Array, gamma: Array, mean: Array, std: Array, num_groups: int = 1, eps: float = 1e-5
):
    """Return the gradients of GroupNorm with respect to data, gamma, and beta."""
    if data.dtype == numpy.float16:
        return _in_single(group_norm_gradient, xp, dy, data, gamma, mean, std, num_groups=num_groups)
    shape = _group_rows(data.shape, num_groups)
    heads, mean, std = dy.reshape(shape), mean[..., None], std[..., None]
    normalized = (data.reshape(shape) - mean) / std
    d_gamma, d_beta = xp.einsum("ngi,ngi->g", heads, normalized), xp.einsum("ngi->g", heads)
    dx = _rows_gradient(xp, heads * gamma[:, None], normalized, std)
    return dx.reshape(data.shape), d_gamma, d_beta


group_norm_gradient.infer_shape(_gradient_rule)
group_norm_gradient.infer_type(_gradient_rule)
differentiate_again("groups", group_norm_gradient)


@operator("InstanceNorm", outputs=3, visible_outputs=1)
def instance_norm(xp, data: Array, gamma: Array, beta: Array, eps: float = 0.001):
    """Apply instance normalization, which scales each channel of each example to mean 0 and variance 1.

    Parameters
    ----------
    data : array
        The data, of shape ``(batch, channel, ...)``.
    gamma, beta : array
        The scale and the offset, one number for each channel.
    eps : float
        The number that is added to the variance.
    """
    require_float(data)
    _instance_norm_shape(data.shape, gamma.shape, beta.shape, eps=eps)
    if data.dtype == numpy.float16:
        return _in_single(instance_norm, xp, data, gamma, beta, eps=eps)
    y, mean, std = _normalize_rows(xp, data.reshape(_group_rows(data.shape, data.shape[1])), eps)
    y = y * gamma[:, None] + beta[:, None]
    return y.reshape(data.shape), mean[..., 0], std[..., 0]


instance_norm.precision = "single"
instance_norm.lenient = True
instance_norm.names_outputs = True
instance_norm.hidden_names = ("mean", "var")
instance_norm.assumes_single = True


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
    return list(F._backward_InstanceNorm(dy[0], data, gamma, y[1], y[2], eps=eps))


@operator("_backward_InstanceNorm", outputs=3)
def instance_norm_gradient(xp, dy: Array, data: Array, gamma: Array, mean: Array, std: Array, eps: float = 0.001):
    """Return the gradients of InstanceNorm with respect to data, gamma, and beta."""
    return group_norm_gradient(xp, dy, data, gamma, mean, std, data.shape[1])


instance_norm_gradient.infer_shape(_gradient_rule)
instance_norm_gradient.infer_type(_gradient_rule)
differentiate_again("groups", instance_norm_gradient)

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
def l2_normalization(xp, data: Array, eps: float = 1e-10, mode: Literal["channel", "instance", "spatial"] = "instance"):
    """Divide the data by their Euclidean norm ``sqrt(Σ x² + eps)``.

    Parameters
    ----------
    data : array
        The data, of shape ``(batch, ...)`` or ``(batch, channel, ...)``.
    eps : float
        The number that is added to the sum of squares.
    mode : {"instance", "channel", "spatial"}
        Whether the sum is over an example, over the channels at each position, or over the positions of
        each channel.

    Examples
    --------
    >>> nd.L2Normalization(nd.array([[3, 4]]))
    <BLANKLINE>
    [[0.6 0.8]]
    <NDArray 1x2 @cpu(0)>
    """
    require_float(data)
    _check_length(mode, data.ndim)
    squares = xp.add.reduce(data * data, axis=_length_axes(mode, data.ndim), keepdims=True)
    length = xp.sqrt(squares + data.dtype.type(eps))
    return data / length, length


l2_normalization.precision = "single"
l2_normalization.names_outputs = True
l2_normalization.hidden_names = ("norm",)


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
    # The gradient depends on the norm, so second derivatives propagate through the norm, too.
    return [dx if dy[1] is None else dx + F.broadcast_mul(y, dy[1])]


def _window_sum(xp: Any, x: Any, nsize: int) -> Any:
    """Return the sum over ``nsize`` neighboring channels around each channel."""
    total = x.copy()
    for i in range(1, min((nsize - 1) // 2, x.shape[1] - 1) + 1):
        total[:, i:] += x[:, :-i]
        total[:, :-i] += x[:, i:]
    return total


def _inverse_power(xp: Any, base: Any, beta: float) -> Any:
    """Return ``base**-beta``. For 0.75, AlexNet's exponent, square roots are much faster."""
    if beta != 0.75:
        return base**-beta
    root = xp.sqrt(base)
    return 1 / (root * xp.sqrt(root))


@operator("LRN", outputs=2, visible_outputs=1)
def lrn(xp, data: Array, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0, nsize: int = REQUIRED):
    """Apply local response normalization, ``x / (knorm + alpha / nsize · Σ x²)^beta``; ``Σ`` is over nearby channels.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, height, width)``.
    alpha, beta, knorm : float
        The factor of the sum of squares, the exponent, and the constant that is added to the sum.
    nsize : int
        The number of neighboring channels in the sum, an odd number.
    """
    require_float(data)
    if data.ndim != 4:
        _check_lrn(data.shape)
    base = knorm + (alpha / nsize) * _window_sum(xp, data * data, nsize)
    return data * _inverse_power(xp, base, beta), base


def _check_lrn(data: Any) -> None:
    if len(data) != 4:
        raise ShapeError(
            f"Check failed: dim == ndim() (4 vs. {len(data)}) : "
            f"dimension do not match target dimension 4 vs {len(data)}"
        )


lrn.precision = "single"
lrn.names_outputs = True
lrn.hidden_names = ("tmp_norm",)


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
    xp,
    dy: Array,
    data: Array,
    y: Array,
    base: Array,
    alpha: float = 1e-4,
    beta: float = 0.75,
    nsize: int = REQUIRED,
):
    """Return the gradient of LRN with respect to the data."""
    return dy * _inverse_power(xp, base, beta) - data * (2 * alpha * beta / nsize) * _window_sum(
        xp, dy * y / base, nsize
    )


lrn_gradient.infer_shape(lambda dy, data, y, base, **attributes: ([dy, data, y, base], [data]))
lrn_gradient.infer_type(rules.same_type)
not_differentiable(lrn_gradient)
