"""Layers with weights (fully connected, convolution, transposed convolution), and pooling."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...internals.ops.pool import Axis
from ..builder import Builder
from ..translations import Untranslatable, translates
from ..values import Value


@translates("FullyConnected")
def fully_connected(
    g: Builder,
    data: Value,
    weight: Value,
    bias: Value | None = None,
    *,
    num_hidden: int,
    no_bias: bool,
    flatten: bool,
) -> Value:
    """Return ``data · weightᵀ + bias``."""
    if flatten:
        rank = g.rank(data)
        x = g.Flatten(data, axis=1) if rank > 2 else g.unsqueeze(data, [1]) if rank == 1 else data
        if bias is not None and not no_bias and data.dtype.kind == "f":
            return g.Gemm(x, weight, bias, transB=1)
    else:
        x = data
    product = g.MatMul(x, g.swap_last(weight))
    return product if bias is None or no_bias else g.Add(product, bias)


# --- layouts --------------------------------------------------------------------------------------


def _channels_last(layout: str | None) -> bool:
    return layout is not None and layout[-1] == "C"


def _to_channels_first(g: Builder, x: Value) -> Value:
    return g.move_axis(x, -1, 1)


def _from_channels_first(g: Builder, x: Value, rank: int) -> Value:
    return g.make("Transpose", [x], perm=[0, *range(2, rank), 1])


def _all_axes(given: Any, count: int, default: int) -> list[int]:
    return list(given) if given else [default] * count


# --- convolution ----------------------------------------------------------------------------------


@translates("Convolution")
def convolution(
    g: Builder,
    data: Value,
    weight: Value,
    bias: Value | None = None,
    *,
    kernel: Any,
    stride: Any,
    dilate: Any,
    pad: Any,
    num_group: int,
    layout: str | None,
    **attributes: Any,
) -> Value:
    """Return a convolution. A channel axis at the end is moved to the second position, as ONNX requires."""
    count = len(kernel)
    last = _channels_last(layout)
    if last:
        data, weight = _to_channels_first(g, data), _to_channels_first(g, weight)
    result = g.Conv(
        data,
        weight,
        bias,
        kernel_shape=list(kernel),
        strides=_all_axes(stride, count, 1),
        dilations=_all_axes(dilate, count, 1),
        pads=_all_axes(pad, count, 0) * 2,
        group=num_group,
    )
    return _from_channels_first(g, result, count + 2) if last else result


@translates("Deconvolution")
def deconvolution(
    g: Builder,
    data: Value,
    weight: Value,
    bias: Value | None = None,
    *,
    kernel: Any,
    stride: Any,
    dilate: Any,
    pad: Any,
    adj: Any,
    target_shape: Any,
    num_group: int,
    layout: str | None,
    **attributes: Any,
) -> Value:
    """Return a transposed convolution. ``adj`` becomes ONNX's output padding."""
    count = len(kernel)
    last = _channels_last(layout)
    strides, dilations = _all_axes(stride, count, 1), _all_axes(dilate, count, 1)
    begin, extra = _all_axes(pad, count, 0), _all_axes(adj, count, 0)
    if target_shape and any(target_shape):
        sizes = [g.size(data, i + (1 if last else 2)) for i in range(count)]
        full = [(n - 1) * s + d * (k - 1) + 1 for n, s, d, k in zip(sizes, strides, dilations, kernel, strict=True)]
        begin = [(n - m + 1) // 2 for n, m in zip(full, target_shape, strict=True)]
        extra = [m - (n - 2 * b) for n, m, b in zip(full, target_shape, begin, strict=True)]
    end = list(begin)
    for i, (more, s) in enumerate(zip(extra, strides, strict=True)):
        if more >= s:  # ONNX's output padding must be less than the stride
            end[i], extra[i] = end[i] - more, 0
    if last:
        data, weight = _to_channels_first(g, data), _to_channels_first(g, weight)
    result = g.ConvTranspose(
        data, weight, bias, kernel_shape=list(kernel), strides=strides, dilations=dilations, pads=begin + end,
        output_padding=extra if any(extra) else None, group=num_group,
    )  # fmt: skip
    return _from_channels_first(g, result, count + 2) if last else result


# --- pooling --------------------------------------------------------------------------------------


@translates("Pooling")
def pooling(
    g: Builder,
    data: Value,
    *,
    kernel: Any,
    pool_type: str,
    global_pool: bool,
    pooling_convention: str,
    stride: Any,
    pad: Any,
    p_value: int | None,
    count_include_pad: bool | None,
    layout: str | None,
    **attributes: Any,
) -> Value:
    """Return the maximum, mean, sum, or Lp norm of windows of images, or of whole images."""
    rank = g.rank(data)
    last = _channels_last(layout)
    if 0 in g.shape and None not in g.shape:  # ONNX Runtime cannot pool images without channels
        return g.array(numpy.zeros(g.shape, data.dtype))
    if global_pool:
        axes = list(range(1, rank - 1)) if last else list(range(2, rank))
        return _whole_images(g, data, axes, pool_type, p_value)
    first = 1 if last else 2
    sizes = g.shape_of(data)[first : first + len(kernel)]
    counts = g.shape[first : first + len(kernel)]
    x = _to_channels_first(g, data) if last else data
    windows = _Windows(kernel, stride, pad[: len(kernel)], sizes, counts, pooling_convention != "valid")
    result = windows.pool(g, x, pool_type, p_value, count_include_pad is not False)
    return _from_channels_first(g, result, rank) if last else result


def _whole_images(g: Builder, x: Value, axes: list[int], pool_type: str, p_value: int | None) -> Value:
    if pool_type == "lp":
        return _root(g, g.ReduceSum(_power(g, x, p_value), axes, keepdims=1), p_value)
    if axes[0] == 2 and pool_type in ("max", "avg") and x.dtype == numpy.float32:
        return g.GlobalMaxPool(x) if pool_type == "max" else g.GlobalAveragePool(x)
    return g.make({"max": "ReduceMax", "avg": "ReduceMean", "sum": "ReduceSum"}[pool_type], [x, axes], keepdims=1)


def _power(g: Builder, x: Value, p: int | None) -> Value:
    return x if p == 1 else g.Mul(x, x) if p == 2 else g.Mul(g.Mul(x, x), x)


def _root(g: Builder, x: Value, p: int | None) -> Value:
    if p == 3:
        return g.Mul(g.Sign(x), g.Pow(g.Abs(x), 1 / 3))
    return x if p == 1 else g.Sqrt(x)


class _Windows:
    """The windows over images, and the additional padding that the last windows need."""

    def __init__(self, kernel: Any, stride: Any, pad: Any, sizes: Any, counts: Any, beyond: bool) -> None:
        count = len(kernel)
        self.kernel, self.strides = list(kernel), _all_axes(stride, count, 1)
        self.begin = _all_axes(pad, count, 0)
        self.sizes, self.counts = sizes, counts
        self.end = list(self.begin)
        if not beyond:
            return
        if None in (*sizes, *counts):
            raise Untranslatable(
                "pooling_convention='full' and 'same' require a known image size: make only the batch size dynamic"
            )
        for i, (n, m) in enumerate(zip(sizes, counts, strict=True)):
            needed = (m - 1) * self.strides[i] + self.kernel[i] - n - self.begin[i]
            self.end[i] = max(self.begin[i], needed)

    @property
    def beyond(self) -> bool:
        """Whether the last window extends beyond the padding (the conventions "full" and "same")."""
        return self.end != self.begin

    @property
    def outside(self) -> bool:
        """Whether the last window begins after the padding, which ONNX Runtime doesn't support."""
        return any(e >= k for e, k in zip(self.end, self.kernel, strict=True))

    def pool(self, g: Builder, x: Value, pool_type: str, p_value: int | None, include_pad: bool) -> Value:
        """Return the pooled images."""
        end = self.end
        if self.outside:  # the area after the padding becomes a part of the images
            more = [e - b for e, b in zip(self.end, self.begin, strict=True)]
            nothing = float(numpy.finfo(x.dtype).min) if pool_type == "max" else 0.0
            x, end = g.Pad(x, [0] * (2 + len(more)) + [0, 0, *more], nothing), self.begin
        settings = {"kernel_shape": self.kernel, "strides": self.strides, "pads": self.begin + end}
        if pool_type == "max":
            return g.MaxPool(x, **settings)
        if pool_type == "avg" and not self.outside and (not include_pad or not self.beyond):
            return g.AveragePool(x, **settings, count_include_pad=int(include_pad))
        values = _power(g, x, p_value) if pool_type == "lp" else x
        total = g.Mul(g.AveragePool(values, **settings, count_include_pad=1), float(math.prod(self.kernel)))
        if pool_type == "lp":
            return _root(g, total, p_value)
        return total if pool_type == "sum" else g.Div(total, g.array(self._counted(include_pad).astype(x.dtype)))

    def _counted(self, include_pad: bool) -> Any:
        """Return the number of elements of the image (and of counted padding) in each window."""
        result = numpy.ones((1,) * len(self.kernel))
        for i, window in enumerate(zip(self.kernel, self.strides, self.begin, self.sizes, self.counts, strict=True)):
            sizes = numpy.array(Axis(i, *window).sizes(include_pad))
            result = result * sizes.reshape([-1 if j == i else 1 for j in range(len(self.kernel))])
        return result
