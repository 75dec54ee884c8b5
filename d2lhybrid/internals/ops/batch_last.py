"""Convolution, pooling, and dense layers with the batch as the *last* axis: ``(C, H, W, N)``.

Only the compiler's layout pass creates these operators, which replace the operators with the batch as the first axis.
With the batch as the last axis, a convolution multiplies long, contiguous rows, pooling computes the maximum of
contiguous slabs, and a bias is added to whole rows.

The convolution copies only *half* an im2col, the sliding window along W. The window along H is then
an overlapping view of this buffer, which ``matmul`` treats as a batch of matrices. The weight gradient uses the same
buffer.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from ..core.operator import REQUIRED, Array, Shape, operator
from . import flops, rules

__all__ = ["convolution_size", "hw", "pooling_size", "windows_of"]

FAMILY = "convolution"


def convolution_size(size: int, kernel: int, stride: int, pad: int, dilate: int = 1) -> int:
    """Return the length of an axis after a convolution."""
    return (size + 2 * pad - dilate * (kernel - 1) - 1) // stride + 1


def pooling_size(size: int, kernel: int, stride: int, pad: int, full: bool) -> int:
    """Return the length of an axis after pooling; ``full`` rounds up."""
    span = size + 2 * pad - kernel
    return (-(-span // stride) if full else span // stride) + 1


def _view(xp: Any, base: Any, shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """Return an overlapping view of a contiguous array; in NumPy, ``ndarray`` is the fastest constructor."""
    if xp is numpy:
        return numpy.ndarray(shape, base.dtype, base, 0, strides)
    return xp.lib.stride_tricks.as_strided(base, shape, strides)


def _padded(xp: Any, x: Any, pad: tuple[int, int]) -> Any:
    if pad == (0, 0):
        return xp.ascontiguousarray(x)
    (ph, pw), (c, h, w, n) = pad, x.shape
    result = xp.zeros((c, h + 2 * ph, w + 2 * pw, n), x.dtype)
    result[:, ph : ph + h, pw : pw + w] = x
    return result


def _windows(xp: Any, x: Any, kernel: int, stride: int) -> Any:
    """Return the half im2col of a padded array: (H, C, KW, OW * N)."""
    c, h, w, n = x.shape
    count = (w - kernel) // stride + 1
    item = x.itemsize
    source = _view(xp, x, (h, c, kernel, count, n), (w * n * item, h * w * n * item, n * item, stride * n * item, item))
    buffer = xp.empty((h, c, kernel, count * n), x.dtype)
    buffer.reshape(h, c, kernel, count, n)[...] = source
    return buffer


def windows_of(xp: Any, data: Any, kernel: int, stride: int, pad: tuple[int, int]) -> Any:
    """Return the windows of an image along W (half an im2col)."""
    return _windows(xp, _padded(xp, data, pad), kernel, stride)


def _columns(xp: Any, buffer: Any, kernel: int, stride: int) -> Any:
    """Return the im2col matrices as an overlapping view: (OH, KH * C * KW, OW * N)."""
    h, c, kw, length = buffer.shape
    count = (h - kernel) // stride + 1
    item = buffer.itemsize
    row = c * kw * length * item
    return _view(xp, buffer, (count, kernel * c * kw, length), (stride * row, length * item, item))


def hw(values: tuple[int, ...], default: int) -> tuple[int, int]:
    """Return a pair of values for height and width; for an empty tuple, both values are the default."""
    return (values[0], values[1]) if values else (default, default)


# --- convolution -------------------------------------------------------------------------------


@operator("_convolution_batch_last", outputs=2, visible_outputs=1, threaded=True, fresh=True)
def convolution(xp, data: Array, matrix: Array, kernel: Shape = REQUIRED, stride: Shape = (), pad: Shape = ()):
    """Return the 2-D convolution of data with the layout ``(C, H, W, N)``.

    The weights are a matrix ``(O, KH * C * KW)``, which a prediction program packs once. The second, hidden output
    contains the windows of the data along W, which the weight gradient uses.
    """
    (kh, kw), (sh, sw) = kernel, hw(stride, 1)
    buffer = windows_of(xp, data, kw, sw, hw(pad, 0))
    columns = _columns(xp, buffer, kh, sh)
    oh, _, length = columns.shape
    o, n = matrix.shape[0], data.shape[3]
    result = xp.empty((o, oh, length), buffer.dtype)
    xp.matmul(matrix, columns, out=result.transpose(1, 0, 2))
    return result.reshape(o, oh, length // n, n), buffer


@convolution.infer_shape
def _(data, matrix, *, kernel, stride, pad):
    if not (rules.is_complete(data) and rules.is_complete(matrix)):
        return [data, matrix], [None, None]
    (c, h, w, n), (kh, kw) = data, kernel
    (sh, sw), (ph, pw) = hw(stride, 1), hw(pad, 0)
    oh, ow = convolution_size(h, kh, sh, ph), convolution_size(w, kw, sw, pw)
    return [data, matrix], [(matrix[0], oh, ow, n), (h + 2 * ph, c, kw, ow * n)]


convolution.infer_type(lambda *dtypes, **_: (list(dtypes), [dtypes[0]] * 2))
convolution.flops(flops.convolution)


@convolution.gradient
def _(F, dy, y, data, matrix, *, kernel, stride, pad, needs):
    gradient = dy[0]
    to_data, to_weight = F._backward_convolution_batch_last_data, F._backward_convolution_batch_last_weight
    return [
        to_data(gradient, matrix, data, kernel=kernel, stride=stride, pad=pad) if needs[0] else None,
        to_weight(gradient, y[1], matrix, kernel=kernel, stride=stride) if needs[1] else None,
    ]


@operator("_backward_convolution_batch_last_weight", differentiable=False, threaded=True, fresh=True)
def convolution_weight_gradient(
    xp, dy: Array, buffer: Array, matrix: Array, kernel: Shape = REQUIRED, stride: Shape = ()
):
    """Return the gradient of the weights, a sum of one matrix product for each row of the output."""
    columns = _columns(xp, buffer, kernel[0], hw(stride, 1)[0])
    oh, _, length = columns.shape
    rows = xp.ascontiguousarray(dy).reshape(matrix.shape[0], oh, length).transpose(1, 2, 0)
    return xp.add.reduce(xp.matmul(columns, rows), axis=0).T


convolution_weight_gradient.infer_shape(lambda dy, buffer, matrix, **_: ([dy, buffer, matrix], [matrix]))
convolution_weight_gradient.infer_type(rules.type_of_first)
convolution_weight_gradient.flops(flops.convolution_weight_gradient)


@operator("_backward_convolution_batch_last_data", differentiable=False, threaded=True, fresh=True)
def convolution_data_gradient(
    xp, dy: Array, matrix: Array, data: Array, kernel: Shape = REQUIRED, stride: Shape = (), pad: Shape = ()
):
    """Return the gradient of the data, from one matrix product for each row of the kernel and shifted additions."""
    (kh, kw), (sh, sw), (ph, pw) = kernel, hw(stride, 1), hw(pad, 0)
    c, h, w, n = data.shape
    height, width = h + 2 * ph, w + 2 * pw
    o, oh, ow, _ = dy.shape
    rows = xp.ascontiguousarray(dy).reshape(o, oh, ow * n).transpose(1, 0, 2)
    kernels = matrix.reshape(o, kh, c * kw).transpose(1, 2, 0)
    buffer = xp.empty((height, c * kw, ow * n), dy.dtype)
    buffer.fill(0)
    xp.matmul(kernels[0], rows, out=buffer[: (oh - 1) * sh + 1 : sh])
    for i in range(1, kh):
        buffer[i : i + (oh - 1) * sh + 1 : sh] += xp.matmul(kernels[i], rows)
    pieces = buffer.reshape(height, c, kw, ow, n)
    if pw == 0 and sw == 1:
        result = xp.empty((c, height, width, n), dy.dtype)
        result[:, :, :ow] = pieces[:, :, 0].transpose(1, 0, 2, 3)
        result[:, :, ow:] = 0
    else:
        result = xp.zeros((c, height, width, n), dy.dtype)
        result[:, :, : (ow - 1) * sw + 1 : sw] = pieces[:, :, 0].transpose(1, 0, 2, 3)
    by_row = result.transpose(1, 0, 2, 3)
    for j in range(1, kw):
        by_row[:, :, j : j + (ow - 1) * sw + 1 : sw] += pieces[:, :, j]
    return result[:, ph : ph + h, pw : pw + w]


convolution_data_gradient.infer_shape(lambda dy, matrix, data, **_: ([dy, matrix, data], [data]))
convolution_data_gradient.infer_type(rules.type_of_first)
convolution_data_gradient.flops(flops.convolution_data_gradient)

# --- bias, dense -------------------------------------------------------------------------------


@operator("_bias_batch_last", fresh=True)
def bias(xp, data: Array, vector: Array):
    """Add a value to each channel of data with the layout ``(C, ..., N)``."""
    return data + vector.reshape(vector.shape + (1,) * (data.ndim - 1))


bias.infer_shape(lambda data, vector: ([data, vector], [data]))
bias.infer_type(rules.same_type)
bias.expression("{0} + {1}")
bias.family = "elementwise"


@bias.gradient
def _(F, dy, y, data, vector):
    return [dy, F._backward_bias_batch_last(dy)]


@operator("_backward_bias_batch_last", differentiable=False, fresh=True)
def bias_gradient(xp, dy: Array):
    """Return the gradient of the bias, which is the sum of ``dy`` over all axes except the channels."""
    return xp.add.reduce(xp.ascontiguousarray(dy).reshape(dy.shape[0], math.prod(dy.shape[1:])), axis=1)


bias_gradient.infer_shape(lambda dy: ([dy], [None if dy is None else dy[:1]]))
bias_gradient.infer_type(rules.same_type)
bias_gradient.family = "reduction"
bias_gradient.reduces = True


@operator("_dense_batch_last", threaded=True, fresh=True)
def dense(xp, data: Array, weight: Array):
    """Return ``weight · data`` for data whose last axis is the batch; all other axes are the features."""
    return xp.dot(weight, xp.ascontiguousarray(data).reshape(weight.shape[1], -1))


@dense.infer_shape
def _(data, weight):
    if data is None or weight is None:
        return [data, weight], [None]
    return [data, weight], [(weight[0], data[-1])]


dense.infer_type(rules.same_type)
dense.family = "linear"
dense.flops(lambda y, data, weight: 2 * y.size * weight.shape[1])


@dense.gradient
def _(F, dy, y, data, weight, *, needs):
    return [
        F.reshape_like(F.dot(weight, dy, transpose_a=True), data) if needs[0] else None,
        F._backward_dense_batch_last_weight(dy, data) if needs[1] else None,
    ]


@operator("_backward_dense_batch_last_weight", differentiable=False, threaded=True, fresh=True)
def dense_weight_gradient(xp, dy: Array, data: Array):
    """Return the gradient of the weights of ``_dense_batch_last``."""
    return xp.dot(dy, xp.ascontiguousarray(data).reshape(-1, data.shape[-1]).T)


@dense_weight_gradient.infer_shape
def _(dy, data):
    if dy is None or data is None or None in data:
        return [dy, data], [None]
    return [dy, data], [(dy[0], rules.known_size(data[:-1]))]


dense_weight_gradient.infer_type(rules.same_type)
dense_weight_gradient.family = "linear"
dense_weight_gradient.flops(lambda y, dy, data: 2 * y.size * dy.shape[-1])

# --- pooling -----------------------------------------------------------------------------------


def _fits(size: int, kernel: int, stride: int, pad: int) -> bool:
    """Return whether windows of size two at stride two cover the image without overlap."""
    return kernel == stride == 2 and pad == 0 and size % 2 == 0


def _slabs(xp: Any, x: Any, kernel: Any, stride: Any, pad: Any, full: bool, fill: float) -> tuple[list[Any], int, int]:
    """Return the elements at every position of the window, as strided views, and the size of the output."""
    (kh, kw), (sh, sw), (ph, pw) = kernel, stride, pad
    c, h, w, n = x.shape
    oh, ow = pooling_size(h, kh, sh, ph, full), pooling_size(w, kw, sw, pw, full)
    height, width = max((oh - 1) * sh + kh, h + ph), max((ow - 1) * sw + kw, w + pw)
    if (height, width) != (h, w):
        wide = xp.full((c, height, width, n), fill, x.dtype)
        wide[:, ph : ph + h, pw : pw + w] = x
        x = wide
    slabs = [x[:, i : i + (oh - 1) * sh + 1 : sh, j : j + (ow - 1) * sw + 1 : sw] for i in range(kh) for j in range(kw)]
    return slabs, oh, ow


@operator("_pooling_batch_last", fresh=True)
def pooling(
    xp,
    data: Array,
    kernel: Shape = (),
    pool_type: str = "max",
    stride: Shape = (),
    pad: Shape = (),
    full: bool = False,
):
    """Return the maximum, average, or sum over windows of data ``(C, H, W, N)``; averages include the padding."""
    (kh, kw), (sh, sw), (ph, pw) = hw(kernel, 1), hw(stride, 1), hw(pad, 0)
    _, h, w, _ = data.shape
    join = xp.fmax if pool_type == "max" else xp.add
    if _fits(h, kh, sh, ph) and _fits(w, kw, sw, pw):
        rows = join(data[:, 0::2], data[:, 1::2])
        result = join(rows[:, :, 0::2], rows[:, :, 1::2])
    else:
        fill = xp.finfo(data.dtype).min if pool_type == "max" else 0.0
        slabs, _, _ = _slabs(xp, data, (kh, kw), (sh, sw), (ph, pw), full, fill)
        result = join(slabs[0], slabs[1]) if len(slabs) > 1 else slabs[0].copy()
        for slab in slabs[2:]:
            join(result, slab, out=result)
    if pool_type == "avg":
        result *= data.dtype.type(1.0 / (kh * kw))
    return result


@pooling.infer_shape
def _(data, *, kernel, pool_type, stride, pad, full):
    if not rules.is_complete(data):
        return [data], [None]
    (kh, kw), (sh, sw), (ph, pw), (c, h, w, n) = hw(kernel, 1), hw(stride, 1), hw(pad, 0), data
    return [data], [(c, pooling_size(h, kh, sh, ph, full), pooling_size(w, kw, sw, pw, full), n)]


pooling.infer_type(rules.same_type)
pooling.family = "pooling"


@pooling.gradient
def _(F, dy, y, data, *, kernel, pool_type, stride, pad, full):
    return [
        F._backward_pooling_batch_last(
            dy, data, y, kernel=kernel, pool_type=pool_type, stride=stride, pad=pad, full=full
        )
    ]


@operator("_backward_pooling_batch_last", differentiable=False, fresh=True)
def pooling_gradient(
    xp, dy: Array, data: Array, y: Array, kernel: Shape = (), pool_type: str = "max", stride: Shape = (),
    pad: Shape = (), full: bool = False,
):  # fmt: skip
    """Return the gradient of pooling; the first of equal maxima in a window, row by row, gets the whole gradient."""
    (kh, kw), (sh, sw), (ph, pw) = hw(kernel, 1), hw(stride, 1), hw(pad, 0)
    c, h, w, n = data.shape
    if pool_type == "max" and _fits(h, kh, sh, ph) and _fits(w, kw, sw, pw):
        return _max_of_two_by_two(xp, dy, data)
    if pool_type == "avg":
        dy = dy * data.dtype.type(1.0 / (kh * kw))
    _, oh, ow, _ = dy.shape
    height, width = max((oh - 1) * sh + kh, h + ph), max((ow - 1) * sw + kw, w + pw)
    wide = xp.zeros((c, height, width, n), dy.dtype)
    slabs: list[Any] = []
    if pool_type == "max":
        slabs, _, _ = _slabs(xp, data, (kh, kw), (sh, sw), (ph, pw), full, xp.finfo(data.dtype).min)
    taken = None
    for position in range(kh * kw):
        i, j = divmod(position, kw)
        part = dy
        if pool_type == "max":
            mask = slabs[position] == y
            if taken is None:
                taken = mask
            else:
                mask = mask > taken
                taken = taken | mask
            part = dy * mask
        wide[:, i : i + (oh - 1) * sh + 1 : sh, j : j + (ow - 1) * sw + 1 : sw] += part
    return wide[:, ph : ph + h, pw : pw + w]


def _max_of_two_by_two(xp: Any, dy: Any, data: Any) -> Any:
    """Return the gradient of 2 x 2 maxima, along W first, so that ties go to the first element in row order."""
    left, right = data[:, :, 0::2], data[:, :, 1::2]
    wide = xp.fmax(left, right)  # ignores NaN
    is_left = xp.equal(left, wide)
    is_top = xp.equal(wide[:, 0::2], xp.fmax(wide[:, 0::2], wide[:, 1::2]))
    xp.multiply(dy, is_top, out=wide[:, 0::2])
    xp.subtract(dy, wide[:, 0::2], out=wide[:, 1::2])
    result = xp.empty(data.shape, dy.dtype)
    xp.multiply(wide, is_left, out=result[:, :, 0::2])
    xp.subtract(wide, result[:, :, 0::2], out=result[:, :, 1::2])
    return result


pooling_gradient.infer_shape(lambda dy, data, y, **_: ([dy, data, y], [data]))
pooling_gradient.infer_type(rules.type_of_first)
pooling_gradient.family = "pooling"
