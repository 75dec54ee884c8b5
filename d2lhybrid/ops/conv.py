"""Convolution and its transpose, in one, two and three dimensions.

All is done in the layout (batch, channel, ...): :mod:`~d2lhybrid.ops.unfold` turns the windows of
an image into columns, and then a convolution is a product of matrices,
``weight (filters × window) · columns (window × positions)``, for each image one. Its gradient with
respect to the weight is the product of the output's gradient with the transposed columns, the one
with respect to the data is ``weightᵀ · gradient``, folded back. The transposed convolution is that
last operation, used forward.

The three maps (convolve, its data gradient, its weight gradient) are linear in each argument and
each other's gradients, so they can be differentiated as often as one likes.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Literal

import numpy

from . import rules
from .nn import complete_parameter, require_uniform_type
from .registry import REQUIRED, Array, Shape, operator
from .rules import require
from .unfold import Windows, chunks, fold, pad_spatial, unfold, windows

# --- the three maps, on (batch, channel, ...) ----------------------------------------------------


def convolve(xp: Any, x: Any, weight: Any, w: Windows, groups: int) -> Any:
    """Return the cross-correlation of images with filters (filters, channels / groups, *kernel)."""
    n, filters = len(x), len(weight)
    y = xp.empty((n, filters, *w.output), x.dtype)
    positions = math.prod(w.output)
    matrix = weight.reshape(groups, filters // groups, -1)
    flat = y.reshape(n, groups, filters // groups, positions)
    if w.trivial:
        xp.matmul(matrix, x.reshape(n, groups, -1, positions), out=flat)
        return y
    steps = chunks(n, x.shape[1] * math.prod(w.kernel) * positions)
    for i in steps:
        piece = pad_spatial(xp, x[i : i + steps.step], w.pad)
        columns = unfold(xp, piece, w).reshape(len(piece), groups, -1, positions)
        xp.matmul(matrix, columns, out=flat[i : i + steps.step])
    return y


def convolve_weight_gradient(xp: Any, dy: Any, x: Any, w: Windows, groups: int) -> Any:
    """Return the gradient of :func:`convolve` with respect to the filters."""
    n, filters, channels = len(x), dy.shape[1], x.shape[1]
    positions = math.prod(w.output)
    total = None
    dy = dy.reshape(n, groups, filters // groups, positions)
    steps = chunks(n, channels * math.prod(w.kernel) * positions)
    for i in steps:
        piece = pad_spatial(xp, x[i : i + steps.step], w.pad)
        if groups == 1 and filters > positions:
            # Many filters, few positions: one large product instead of many small ones.
            columns = unfold(xp, piece, w, batch_inside=True).reshape(-1, len(piece) * positions)
            heads = dy[i : i + steps.step, 0].transpose(1, 0, 2).reshape(filters, -1)
            part = xp.dot(heads, columns.T)
        else:
            columns = unfold(xp, piece, w).reshape(len(piece), groups, -1, positions)
            part = xp.matmul(dy[i : i + steps.step], columns.swapaxes(2, 3))
            part = xp.add.reduce(part, axis=0)
        total = part if total is None else xp.add(total, part, out=total)
    shape = (filters, channels // groups, *w.kernel)
    return xp.zeros(shape, dy.dtype) if total is None else total.reshape(shape)


def convolve_data_gradient(xp: Any, dy: Any, weight: Any, w: Windows, groups: int) -> Any:
    """Return the gradient of :func:`convolve` with respect to the images."""
    n, filters = dy.shape[:2]
    channels = weight.shape[1] * groups
    positions = math.prod(w.output)
    matrix = weight.reshape(groups, filters // groups, -1).swapaxes(1, 2)
    dy = dy.reshape(n, groups, filters // groups, positions)
    sizes = tuple(m - 2 * p for m, p in zip(w.padded, w.pad, strict=True))
    if w.trivial:
        return xp.matmul(matrix, dy).reshape(n, channels, *sizes)
    dx = xp.empty((n, channels, *sizes), dy.dtype)
    steps = chunks(n, channels * math.prod(w.kernel) * positions)
    for i in steps:
        columns = xp.matmul(matrix, dy[i : i + steps.step])
        dx[i : i + steps.step] = fold(xp, columns.reshape(-1, channels, *w.kernel, *w.output), w)
    return dx


# --- layouts and half precision ------------------------------------------------------------------


def _channels_lead(layout: str | None) -> bool:
    return layout is None or layout[1] == "C"


def _channels_first(array: Any, layout: str | None) -> Any:
    """Return an array as (batch, channel, ...); weights (filter, ..., channel) alike."""
    if _channels_lead(layout):
        return array
    last = array.ndim - 1
    return array.transpose(0, last, *range(1, last))


def _from_channels_first(xp: Any, array: Any, layout: str | None) -> Any:
    if _channels_lead(layout):
        return array
    return xp.ascontiguousarray(array.transpose(0, *range(2, array.ndim), 1))


def _run(xp: Any, function: Any, a: Any, b: Any, w: Windows, groups: int, layout: str | None) -> Any:
    """Run one of the three maps on arrays of any layout."""
    dtype = a.dtype
    a, b = _channels_first(a, layout), _channels_first(b, layout)
    if dtype == numpy.float16 and xp is numpy:  # NumPy has no fast product of half-precision matrices
        a, b = a.astype(numpy.float32), b.astype(numpy.float32)
        return _from_channels_first(xp, function(xp, a, b, w, groups).astype(dtype), layout)
    return _from_channels_first(xp, function(xp, a, b, w, groups), layout)


def _spatial(shape: Any, layout: str | None) -> Any:
    return shape[2:] if _channels_lead(layout) else shape[1:-1]


def _channel_axis(kernel: Any, layout: str | None) -> int:
    return 1 if _channels_lead(layout) else len(kernel) + 1


def _shape(batch: Any, channels: Any, spatial: Any, layout: str | None) -> tuple[Any, ...]:
    if _channels_lead(layout):
        return (batch, channels, *spatial)
    return (batch, *spatial, channels)


# --- checks shared by both operators -------------------------------------------------------------

_AXES = {1: "x", 2: "y-x", 3: "d-y-x"}


def _check_attributes(kernel: Any, num_filter: int, num_group: int, **others: Any) -> None:
    words = {
        "stride": ("Stride", "stride"),
        "dilate": ("Dilate", "dilation"),
        "pad": ("Padding", "padding"),
        "adj": ("Adjustment", "adjustment"),
    }
    for name, given in others.items():
        first, second = words[name]
        require(
            not given or len(given) == len(kernel),
            f"param_.kernel.ndim() == param_.{name}.ndim() ({len(kernel)} vs. {len(given)}) : {first} must have "
            f"the same number of dimensions with kernel_size,but kernel_size is set to "
            f"{rules.format_shape(kernel)} while {second} is {rules.format_shape(given)}",
        )
    for name in ("stride", "dilate"):
        given = others[name] or (1,)
        require(
            math.prod(given) > 0, f"param_.{name}.Size() > 0U (0 vs. 0) : incorrect {name} size: {rules.format_shape(given)}"
        )
    require(
        num_filter % num_group == 0,
        f"param_.num_filter % param_.num_group == 0U ({num_filter % num_group} vs. 0) : "
        "output num_filter must divide group size",
    )


def _check_data(variable: str, data: Any, kernel: Any, num_group: int, channels: Any, channels_variable: str) -> None:
    rank = len(kernel) + 2
    require(
        len(data) == rank,
        f"{variable}.ndim() == {rank}U ({len(data)} vs. {rank}) : "
        f"Input data should be {rank}D in batch-num_filter-{_AXES.get(len(kernel), '...')}",
    )
    require(
        channels is None or channels % num_group == 0,
        f"{channels_variable}[1] % param_.num_group == 0U ({(channels or 0) % num_group} vs. 0) : "
        "input num_filter must divide group size",
    )


# --- convolution -----------------------------------------------------------------------------------


@operator("Convolution", "_npx_convolution")
def convolution(
    xp,
    data: Array,
    weight: Array,
    bias: Array | None = None,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: int = REQUIRED,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Literal["fastest", "limited_workspace", "off"] | None = None,
    cudnn_off: bool = False,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None = None,
):
    """Slide filters over images: cross-correlation, plus a bias per filter.

    Parameters
    ----------
    data : array
        Images (batch, channel, ...), or as ``layout`` says.
    weight : array
        Filters (num_filter, channels / num_group, *kernel); the channels come last where they do in
        the data.
    bias : array, optional
        Shape ``(num_filter,)``.
    kernel : tuple of int
        Size of a filter: one, two or three numbers.
    stride, dilate, pad : tuple of int
        Steps, distance between the elements of a window, zeros added at both ends.
    num_filter, num_group : int
        Number of filters; number of groups that channels and filters are divided into.
    no_bias : bool
        Whether there is no bias.
    layout : str, optional
        ``"NCHW"`` and its like, or ``"NHWC"``.
    workspace, cudnn_tune, cudnn_off
        Without effect.

    Examples
    --------
    >>> import numpy
    >>> x = numpy.arange(6.0).reshape(1, 1, 6)
    >>> convolution(numpy, x, numpy.array([[[1.0, 0.0, -1.0]]]), kernel=(3,), num_filter=1, no_bias=True)
    array([[[-2., -2., -2., -2.]]])
    """
    if data.dtype != weight.dtype or (bias is not None and data.dtype != bias.dtype):
        _layer_type(data.dtype, weight.dtype, *([] if bias is None else [bias.dtype]))
    w = _convolution_windows(
        data.shape, weight.shape, None if bias is None else bias.shape,
        kernel, stride, dilate, pad, num_filter, num_group, layout,
    )  # fmt: skip
    y = _run(xp, convolve, data, weight, w, num_group, layout)
    return y if bias is None else _add_bias(xp, y, bias, layout)


def _add_bias(xp: Any, y: Any, bias: Any, layout: str | None) -> Any:
    if _channels_lead(layout):
        bias = bias.reshape(-1, *(1,) * (y.ndim - 2))
    return xp.add(y, bias, out=y)


@lru_cache(maxsize=1024)
def _convolution_windows(
    data: Any, weight: Any, bias: Any, kernel: Any, stride: Any, dilate: Any, pad: Any,
    num_filter: int, num_group: int, layout: str | None,
) -> Windows:  # fmt: skip
    """Check the shapes of a call, once for all calls that are alike."""
    _convolution_shape(
        data, weight, bias, kernel=kernel, stride=stride, dilate=dilate, pad=pad,
        num_filter=num_filter, num_group=num_group, no_bias=bias is None, layout=layout,
    )  # fmt: skip
    return windows(_spatial(data, layout), kernel, stride, dilate, pad)


def _layer_type(*dtypes: Any, **attributes: Any) -> tuple[list[Any], list[Any]]:
    types = require_uniform_type("dtype", ("data", "weight", "bias"), *dtypes)
    return types, types[:1]


def _layer_inputs(*, no_bias: bool, **attributes: Any) -> list[str]:
    return ["data", "weight"] if no_bias else ["data", "weight", "bias"]


@convolution.infer_shape
def _convolution_shape(
    data, weight, bias=None, *, kernel, stride, dilate, pad, num_filter, num_group, no_bias, layout, **attributes
):
    _check_attributes(kernel, num_filter, num_group, stride=stride, dilate=dilate, pad=pad)
    parameters = [weight] if no_bias else [weight, bias]
    if data is None:
        return [data, *parameters], [None]
    channels = data[_channel_axis(kernel, layout)]
    _check_data("dshp", data, kernel, num_group, channels, "dshape")
    parameters[0] = complete_parameter(
        weight, _shape(num_filter, None if channels is None else channels // num_group, kernel, layout)
    )
    if not no_bias:
        parameters[1] = complete_parameter(bias, (num_filter,))
    output: list[int | None] = []
    for i, n in enumerate(_spatial(data, layout)):
        k = (kernel[i] - 1) * (dilate[i] if dilate else 1) + 1
        p, s = pad[i] if pad else 0, stride[i] if stride else 1
        require(
            n is None or k <= n + 2 * p,
            f"dilated_ksize_{'dyx'[i - len(kernel)]} <= AddPad(dshape[{i + 2}], param_.pad[{i}]) "
            f"({k} vs. {(n or 0) + 2 * p}) : kernel size exceed input",
        )
        output.append(None if n is None else (n + 2 * p - k) // s + 1)
    return [data, *parameters], [_shape(data[0], num_filter, output, layout)]


convolution.infer_type(_layer_type)
convolution.input_names(_layer_inputs)

_SETTINGS = ("kernel", "stride", "dilate", "pad", "num_filter", "num_group", "layout")


@convolution.gradient
def _(F, dy, y, data, weight, bias=None, *, needs, **attributes):
    settings = {name: attributes[name] for name in _SETTINGS}
    gradients = [
        F._backward_Convolution_data(dy, weight, data, **settings) if needs[0] else None,
        F._backward_Convolution_weight(dy, data, **settings) if needs[1] else None,
    ]
    if bias is not None:
        axis = _channel_axis(attributes["kernel"], attributes["layout"])
        gradients.append(F.sum(dy, axis=axis, exclude=True) if needs[2] else None)
    return gradients


@operator("_backward_Convolution_data")
def convolution_data_gradient(
    xp,
    dy: Array,
    weight: Array,
    data: Array,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: int = REQUIRED,
    num_group: int = 1,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None = None,
):
    """Gradient of Convolution with respect to the data (of which only the shape counts)."""
    w = windows(_spatial(data.shape, layout), kernel, stride, dilate, pad)
    return _run(xp, convolve_data_gradient, dy, weight, w, num_group, layout)


convolution_data_gradient.infer_shape(lambda dy, weight, data, **attributes: ([dy, weight, data], [data]))
convolution_data_gradient.infer_type(rules.same_type)


@convolution_data_gradient.gradient
def _(F, g, y, dy, weight, data, *, needs, **settings):
    return [
        F.Convolution(g, weight, no_bias=True, **settings) if needs[0] else None,
        F._backward_Convolution_weight(dy, g, **settings) if needs[1] else None,
        None,
    ]


@operator("_backward_Convolution_weight")
def convolution_weight_gradient(
    xp,
    dy: Array,
    data: Array,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: int = REQUIRED,
    num_group: int = 1,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None = None,
):
    """Gradient of Convolution with respect to the weight."""
    w = windows(_spatial(data.shape, layout), kernel, stride, dilate, pad)
    return _run(xp, convolve_weight_gradient, dy, data, w, num_group, layout)


@convolution_weight_gradient.infer_shape
def _(dy, data, *, kernel, num_filter, num_group, layout, **settings):
    channels = None if data is None else data[_channel_axis(kernel, layout)]
    shape = _shape(num_filter, None if channels is None else channels // num_group, kernel, layout)
    return [dy, data], [shape]


convolution_weight_gradient.infer_type(rules.same_type)


@convolution_weight_gradient.gradient
def _(F, g, y, dy, data, *, needs, **settings):
    return [
        F.Convolution(data, g, no_bias=True, **settings) if needs[0] else None,
        F._backward_Convolution_data(dy, g, data, **settings) if needs[1] else None,
    ]


# --- transposed convolution ------------------------------------------------------------------------


@operator("Deconvolution", "_npx_deconvolution")
def deconvolution(
    xp,
    data: Array,
    weight: Array,
    bias: Array | None = None,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    adj: Shape = (),
    target_shape: Shape = (),
    num_filter: int = REQUIRED,
    num_group: int = 1,
    workspace: int = 512,
    no_bias: bool = True,
    cudnn_tune: Literal["fastest", "limited_workspace", "off"] | None = None,
    cudnn_off: bool = False,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None = None,
):
    """Transposed convolution: every element of the data adds a scaled filter to the output.

    Parameters
    ----------
    data : array
        Images (batch, channel, ...), or as ``layout`` says.
    weight : array
        Filters (channels, num_filter / num_group, *kernel).
    bias : array, optional
        Shape ``(num_filter,)``.
    kernel, stride, dilate, pad : tuple of int
        As of the convolution that this one is the adjoint of.
    adj : tuple of int
        Sizes added to the end of the output; less than the stride.
    target_shape : tuple of int
        Sizes of the output; ``pad`` and ``adj`` then follow from it.
    num_filter, num_group : int
        Number of output channels, and of groups.
    no_bias : bool
        Whether there is no bias (there is none by default, other than in Convolution).
    layout : str, optional
        ``"NCHW"`` and its like, or ``"NHWC"``.
    workspace, cudnn_tune, cudnn_off
        Without effect.

    Examples
    --------
    >>> import numpy
    >>> x = numpy.array([[[1.0, 10.0]]])
    >>> deconvolution(numpy, x, numpy.array([[[1.0, 2.0, 3.0]]]), kernel=(3,), num_filter=1)
    array([[[ 1., 12., 23., 30.]]])
    """
    if data.dtype != weight.dtype or (bias is not None and data.dtype != bias.dtype):
        _layer_type(data.dtype, weight.dtype, *([] if bias is None else [bias.dtype]))
    w = _deconvolution_windows(
        data.shape, weight.shape, None if bias is None else bias.shape,
        kernel, stride, dilate, pad, adj, target_shape, num_filter, num_group, layout,
    )  # fmt: skip
    y = _run(xp, convolve_data_gradient, data, weight, w, num_group, layout)
    return y if bias is None else _add_bias(xp, y, bias, layout)


@lru_cache(maxsize=1024)
def _deconvolution_windows(
    data: Any, weight: Any, bias: Any, kernel: Any, stride: Any, dilate: Any, pad: Any, adj: Any,
    target_shape: Any, num_filter: int, num_group: int, layout: str | None,
) -> Windows:  # fmt: skip
    """Check the shapes of a call; return the windows of the convolution that goes the other way."""
    settings: dict[str, Any] = {
        "kernel": kernel, "stride": stride, "dilate": dilate, "pad": pad, "adj": adj,
        "target_shape": target_shape, "num_group": num_group, "layout": layout,
    }  # fmt: skip
    _, [output] = _deconvolution_shape(data, weight, bias, num_filter=num_filter, no_bias=bias is None, **settings)
    return _transposed_windows(data, output, **settings)


def _transposed_windows(
    data: Any, output: Any, *, kernel: Any, stride: Any, dilate: Any, pad: Any, layout: Any, **others: Any
) -> Windows:
    if others["target_shape"] and any(others["target_shape"]):
        sizes = _full_sizes(_spatial(data, layout), kernel, stride, dilate)
        pad = tuple((n - m + 1) // 2 for n, m in zip(sizes, others["target_shape"], strict=True))
    return windows(_spatial(output, layout), kernel, stride, dilate, pad)


def _full_sizes(spatial: Any, kernel: Any, stride: Any, dilate: Any) -> list[Any]:
    """Return the sizes of a transposed convolution's output without padding."""
    ones = (1,) * len(kernel)
    return [
        None if n is None else (n - 1) * s + (k - 1) * t + 1
        for n, k, s, t in zip(spatial, kernel, stride or ones, dilate or ones, strict=True)
    ]


@deconvolution.infer_shape
def _deconvolution_shape(
    data, weight, bias=None, *,
    kernel, stride, dilate, pad, adj, target_shape, num_filter, num_group, no_bias, layout, **attributes
):  # fmt: skip
    _check_attributes(kernel, num_filter, num_group, stride=stride, dilate=dilate, pad=pad, adj=adj)
    parameters = [weight] if no_bias else [weight, bias]
    if data is None:
        return [data, *parameters], [None]
    channels = data[_channel_axis(kernel, layout)]
    _check_data("dshape", data, kernel, num_group, channels, "dshape_nchw")
    parameters[0] = complete_parameter(weight, _shape(channels, num_filter // num_group, kernel, layout))
    if not no_bias:
        parameters[1] = complete_parameter(bias, (num_filter,))
    sizes = _full_sizes(_spatial(data, layout), kernel, stride, dilate)
    if target_shape and any(target_shape):
        for n, m in zip(sizes, target_shape, strict=True):
            require(n is None or n >= m, f"o_pad[i] >= target_shape[i] ({n} vs. {m}) : too big target shape")
        sizes = list(target_shape)
    else:
        for i, n in enumerate(sizes):
            extra, step = adj[i] if adj else 0, stride[i] if stride else 1
            require(
                step > extra,
                f"param_.stride[{i}]-1 >= o_adj[{i}] ({step - 1} vs. {extra}) : "
                f"adj({'dyx'[i - len(kernel)]}) must be samller than stride[{i}]",
            )
            sizes[i] = None if n is None else n - 2 * (pad[i] if pad else 0) + extra
    return [data, *parameters], [_shape(data[0], num_filter, sizes, layout)]


deconvolution.infer_type(_layer_type)
deconvolution.input_names(_layer_inputs)

_TRANSPOSED_SETTINGS = (*_SETTINGS, "target_shape", "adj")


@deconvolution.gradient
def _(F, dy, y, data, weight, bias=None, *, needs, **attributes):
    settings = {name: attributes[name] for name in _TRANSPOSED_SETTINGS}
    gradients = [
        F._backward_Deconvolution_data(dy, weight, data, **settings) if needs[0] else None,
        F._backward_Deconvolution_weight(dy, data, **settings) if needs[1] else None,
    ]
    if bias is not None:
        axis = _channel_axis(attributes["kernel"], attributes["layout"])
        gradients.append(F.sum(dy, axis=axis, exclude=True) if needs[2] else None)
    return gradients


@operator("_backward_Deconvolution_data")
def deconvolution_data_gradient(
    xp,
    dy: Array,
    weight: Array,
    data: Array,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    adj: Shape = (),
    target_shape: Shape = (),
    num_filter: int = REQUIRED,
    num_group: int = 1,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None = None,
):
    """Gradient of Deconvolution with respect to the data: an ordinary convolution."""
    w = _transposed_windows(
        data.shape, dy.shape, kernel=kernel, stride=stride, dilate=dilate, pad=pad, layout=layout,
        target_shape=target_shape,
    )  # fmt: skip
    return _run(xp, convolve, dy, weight, w, num_group, layout)


deconvolution_data_gradient.infer_shape(lambda dy, weight, data, **attributes: ([dy, weight, data], [data]))
deconvolution_data_gradient.infer_type(rules.same_type)


@deconvolution_data_gradient.gradient
def _(F, g, y, dy, weight, data, *, needs, **settings):
    return [
        F.Deconvolution(g, weight, no_bias=True, **settings) if needs[0] else None,
        F._backward_Deconvolution_weight(dy, g, **settings) if needs[1] else None,
        None,
    ]


@operator("_backward_Deconvolution_weight")
def deconvolution_weight_gradient(
    xp,
    dy: Array,
    data: Array,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    adj: Shape = (),
    target_shape: Shape = (),
    num_filter: int = REQUIRED,
    num_group: int = 1,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None = None,
):
    """Gradient of Deconvolution with respect to the weight."""
    w = _transposed_windows(
        data.shape, dy.shape, kernel=kernel, stride=stride, dilate=dilate, pad=pad, layout=layout,
        target_shape=target_shape,
    )  # fmt: skip
    return _run(xp, convolve_weight_gradient, data, dy, w, num_group, layout)


@deconvolution_weight_gradient.infer_shape
def _(dy, data, *, kernel, num_filter, num_group, layout, **settings):
    channels = None if data is None else data[_channel_axis(kernel, layout)]
    return [dy, data], [_shape(channels, num_filter // num_group, kernel, layout)]


deconvolution_weight_gradient.infer_type(rules.same_type)


@deconvolution_weight_gradient.gradient
def _(F, g, y, dy, data, *, needs, **settings):
    return [
        F.Deconvolution(data, g, no_bias=True, **settings) if needs[0] else None,
        F._backward_Deconvolution_data(dy, g, data, **settings) if needs[1] else None,
    ]
