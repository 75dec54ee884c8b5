"""Normalization layers."""

from __future__ import annotations

from typing import Any

import numpy

from ..builder import Builder
from ..translations import translates
from ..values import Value


def _batch_norm(
    g: Builder,
    data: Value,
    gamma: Value,
    beta: Value,
    moving_mean: Value,
    moving_var: Value,
    *,
    eps: float,
    fix_gamma: bool,
    axis: int = 1,
    **attributes: Any,
) -> list[Value]:
    """Normalize with the moving statistics, which are the second and third outputs."""
    rank = g.rank(data)
    if fix_gamma:
        gamma = g.fill(gamma, 1, gamma.dtype)
    deviation = g.Sqrt(g.Add(moving_var, eps))
    further = [moving_mean, g.Reciprocal(deviation)]
    if axis % rank == 1 and data.dtype == gamma.dtype:
        return [g.BatchNormalization(data, gamma, beta, moving_mean, moving_var, epsilon=eps), *further]
    x = g.cast(data, gamma.dtype)
    scale = g.Div(gamma, deviation)
    shift = g.Sub(beta, g.Mul(moving_mean, scale))
    shape = [-1 if i == axis % rank else 1 for i in range(rank)]
    return [g.Add(g.Mul(x, g.Reshape(scale, shape)), g.Reshape(shift, shape)), *further]


translates("BatchNorm")(_batch_norm)


@translates("BatchNorm_v1")
@translates("_contrib_SyncBatchNorm")
def _(g: Builder, data: Value, gamma: Value, beta: Value, moving_mean: Value, moving_var: Value, **attributes: Any):
    """Translate BatchNorm, whose third output is the variance."""
    return [*_batch_norm(g, data, gamma, beta, moving_mean, moving_var, **attributes)[:2], moving_var]


@translates("_contrib_BatchNormWithReLU")
def batch_norm_with_relu(g: Builder, *inputs: Value, **attributes: Any) -> list[Value]:
    """Apply batch normalization, and then ReLU."""
    y, *further = _batch_norm(g, *inputs, **attributes)
    return [g.Relu(y), *further]


def _moments(g: Builder, x: Value, axes: list[int], eps: float) -> tuple[Value, Value, Value]:
    """Return the normalized values, the means, and the standard deviations."""
    mean = g.ReduceMean(x, axes, keepdims=1)
    off = g.Sub(x, mean)
    deviation = g.Sqrt(g.Add(g.ReduceMean(g.Mul(off, off), axes, keepdims=1), eps))
    return g.Div(off, deviation), mean, deviation


@translates("LayerNorm")
def layer_norm(
    g: Builder, data: Value, gamma: Value, beta: Value, *, axis: int, eps: float, output_mean_var: bool
) -> list[Value]:
    """Normalize the data along one axis."""
    rank = g.rank(data)
    axis %= rank
    if axis == rank - 1 and not output_mean_var:
        return [g.LayerNormalization(data, gamma, beta, axis=-1, epsilon=eps)]
    y, mean, deviation = _moments(g, data, [axis], eps)
    y = g.Add(g.Mul(y, g.channelwise(gamma, rank, axis)), g.channelwise(beta, rank, axis))
    places = len(g.shape_of(g.results[1]))
    if places == rank:
        return [y, mean, deviation]
    return [y, g.Squeeze(mean, [axis]), g.Squeeze(deviation, [axis])]


@translates("GroupNorm")
def group_norm(
    g: Builder, data: Value, gamma: Value, beta: Value, *, num_groups: int, eps: float, output_mean_var: bool
) -> list[Value]:
    """Normalize each group of channels. Each group has its own scale and shift."""
    rows = g.Reshape(data, [0, num_groups, -1])
    y, mean, deviation = _moments(g, rows, [2], eps)
    y = g.Add(g.Mul(y, g.reshape(gamma, (num_groups, 1))), g.reshape(beta, (num_groups, 1)))
    restored = g.Reshape(y, g.shape_vector(data))
    return [restored, g.Squeeze(mean, [2]), g.Squeeze(deviation, [2])]


@translates("InstanceNorm")
def instance_norm(g: Builder, data: Value, gamma: Value, beta: Value, *, eps: float) -> list[Value]:
    """Normalize each channel of each image by its own mean and variance."""
    rank = g.rank(data)
    if rank > 2:
        return [g.InstanceNormalization(data, gamma, beta, epsilon=eps)]
    y, mean, deviation = _moments(g, g.unsqueeze(data, [2]), [2], eps)
    y = g.Add(g.Mul(g.Squeeze(y, [2]), gamma), beta)
    return [y, g.Squeeze(mean, [2]), g.Squeeze(deviation, [2])]


@translates("L2Normalization")
def l2_normalization(g: Builder, data: Value, *, eps: float, mode: str) -> list[Value]:
    """Divide the data by the L2 norm over each example, over the channels, or over the positions."""
    rank = g.rank(data)
    axes = {"instance": list(range(1, rank)), "channel": [1], "spatial": list(range(2, rank))}[mode]
    squares = g.Mul(data, data)
    total = g.ReduceSum(squares, axes, keepdims=1) if axes else squares  # without axes, ONNX would sum over all axes
    length = g.Sqrt(g.Add(total, eps))
    return [g.Div(data, length), g.Reshape(length, [n or -1 for n in g.shape_of(g.results[1])])]


@translates("LRN")
def lrn(g: Builder, data: Value, *, alpha: float, beta: float, knorm: float, nsize: int) -> Value:
    """Return the local response normalization across channels."""
    if data.dtype == numpy.float64:
        return _lrn_in_parts(g, data, alpha, beta, knorm, nsize)
    return g.LRN(data, alpha=alpha, beta=beta, bias=knorm, size=nsize)


def _lrn_in_parts(g: Builder, x: Value, alpha: float, beta: float, knorm: float, nsize: int) -> Value:
    half = nsize // 2
    squares = g.Pad(g.Mul(x, x), [0, half, 0, 0, 0, half, 0, 0])
    channels = g.size(x, 1)
    total = g.all(g.Add, [g.slice(squares, 1, i, i + channels) for i in range(nsize)])
    return g.Div(x, g.Pow(g.Add(g.Mul(total, alpha / nsize), knorm), beta))
