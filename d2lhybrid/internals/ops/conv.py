"""Convolution in one, two, and three dimensions.

All computations use the layout ``(batch, channel, ...)``. :mod:`~d2lhybrid.internals.ops.unfold` turns the windows of
an image into columns, so that a convolution is a product of matrices for each image, ``weight (filters × window) ·
columns (window × positions)``. The gradient with respect to the weight is the product of the output's gradient and the
transposed columns. The gradient with respect to the data is ``weightᵀ · gradient``, folded back into an image, or
another convolution if that is faster (:mod:`~d2lhybrid.internals.ops.polyphase`). As a forward operator, this data
gradient is the transposed convolution of :mod:`~d2lhybrid.internals.ops.deconv`.

Each of the three maps (convolution, data gradient, and weight gradient) is linear in each argument, and its gradients
are the other two maps. Therefore, all three maps can be differentiated any number of times.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal, Protocol

import numpy

from ..core.graph import TypeTable
from ..core.infer import require
from ..core.node import Node
from ..core.operator import REQUIRED, Array, Shape, operator
from . import flops, rules
from .nn import check_bias, complete_parameter, require_uniform_type
from .polyphase import adjoint_by_phases, phases_pay
from .unfold import Windows, chunks, columns_of, fold, pad_spatial, unfold, windows

FAMILY = "convolution"

# --- the three maps, on (batch, channel, ...) ----------------------------------------------------


def convolve(xp: Any, x: Any, weight: Any, w: Windows, groups: int) -> Any:
    """Return the cross-correlation of images with filters of shape ``(filters, channels / groups, *kernel)``."""
    n, filters = len(x), len(weight)
    y = xp.empty((n, filters, *w.output), x.dtype)
    positions = math.prod(w.output)
    matrix = weight.reshape(groups, filters // groups, -1)
    flat = y.reshape(n, groups, filters // groups, positions)
    if w.trivial:
        xp.matmul(matrix, x.reshape(n, groups, x.shape[1] // groups, positions), out=flat)
        return y
    for images, places, columns in columns_of(xp, x, w, groups):
        xp.matmul(matrix, columns, out=flat[images, :, :, places])
    return y


def convolve_weight_gradient(xp: Any, dy: Any, x: Any, w: Windows, groups: int) -> Any:
    """Return the gradient of :func:`convolve` with respect to the filters."""
    n, filters, channels = len(x), dy.shape[1], x.shape[1]
    positions = math.prod(w.output)
    total = None
    dy = dy.reshape(n, groups, filters // groups, positions)
    for part in _parts_of_weight_gradient(xp, dy, x, w):
        total = part if total is None else xp.add(total, part, out=total)
    shape = (filters, channels // groups, *w.kernel)
    return xp.zeros(shape, dy.dtype) if total is None else total.reshape(shape)


def _parts_of_weight_gradient(xp: Any, dy: Any, x: Any, w: Windows) -> Iterator[Any]:
    """Yield the weight gradients of some images each; the shape of dy is ``(batch, group, filter, position)``."""
    n, groups, filters, positions = dy.shape
    if groups == 1 and filters > positions:
        # For many filters and few positions, one large product is faster than many small products.
        steps = chunks(n, x.shape[1] * math.prod(w.kernel) * positions)
        for i in steps:
            piece = pad_spatial(xp, x[i : i + steps.step], w.pad)
            columns = unfold(xp, piece, w, batch_inside=True).reshape(-1, len(piece) * positions)
            heads = dy[i : i + steps.step, 0].transpose(1, 0, 2).reshape(filters, -1)
            yield xp.dot(heads, columns.T)
        return
    for images, places, columns in columns_of(xp, x, w, groups):
        yield xp.add.reduce(xp.matmul(dy[images, :, :, places], columns.swapaxes(2, 3)), axis=0)


def convolve_data_gradient(xp: Any, dy: Any, weight: Any, w: Windows, groups: int) -> Any:
    """Return the gradient of :func:`convolve` with respect to the images."""
    n, filters = dy.shape[:2]
    channels = weight.shape[1] * groups
    if not w.trivial and phases_pay(w, n, filters, channels, groups):
        return adjoint_by_phases(xp, dy, weight, w, groups)
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
    """Return data ``(batch, ..., channel)`` or weights ``(filter, ..., channel)`` with the channels on axis 1."""
    if _channels_lead(layout):
        return array
    last = array.ndim - 1
    return array.transpose(0, last, *range(1, last))


def _from_channels_first(xp: Any, array: Any, layout: str | None) -> Any:
    if _channels_lead(layout):
        return array
    return xp.ascontiguousarray(array.transpose(0, *range(2, array.ndim), 1))


def run_in_layout(xp: Any, function: Any, a: Any, b: Any, w: Windows, groups: int, layout: str | None) -> Any:
    """Run a convolution, or its data or weight gradient, on arrays of any layout."""
    dtype = a.dtype
    if dtype == numpy.float16 and xp is numpy:  # NumPy has no fast product of half-precision matrices
        single = run_in_layout(xp, function, a.astype(numpy.float32), b.astype(numpy.float32), w, groups, layout)
        return single.astype(dtype)
    if _library is not None and xp is numpy:
        y = _library.compute(function, a, b, w, groups, not _channels_lead(layout))
        if y is not None:
            return y
    a, b = _channels_first(a, layout), _channels_first(b, layout)
    return _from_channels_first(xp, function(xp, a, b, w, groups), layout)


class Library(Protocol):
    """The interface of a library that computes those convolutions and gradients for which NumPy is slower."""

    name: str

    def compute(self, function: Any, a: Any, b: Any, w: Windows, groups: int, last: bool) -> Any:
        """Return a convolution or one of its gradients for contiguous arrays, or None if NumPy must compute it.

        Parameters
        ----------
        function : callable
            :func:`convolve` or one of its gradients.
        a, b : numpy.ndarray
            The arguments of this function.
        w : Windows
            The windows of the convolution.
        groups : int
            The number of groups of channels.
        last : bool
            Whether the channels are the last axis of both arrays.
        """
        ...

    def computes(self, name: str, shapes: Sequence[Any], result: Any, dtype: Any, **attributes: Any) -> bool:
        """Return whether the library can compute a call to an operator with arrays of given shapes."""
        ...


#: The current library; see :func:`install_library`.
_library: Library | None = None


def install_library(library: Library | None) -> None:
    """Install a library for convolutions; ``None`` restores NumPy."""
    global _library
    _library = library


def library() -> Library | None:
    """Return the library that computes convolutions, or None if NumPy computes them."""
    return _library


def library_of(node: Node, types: TypeTable) -> str:
    """Return the name of the library that a node's kernel calls, or an empty string if NumPy computes the node."""
    if _library is None or node.op is None or node.op.family != FAMILY:
        return ""
    inputs, result = [types[entry] for entry in node.inputs], types[node, 0]
    here = _library.computes(node.op.name, [t.shape for t in inputs], result.shape, result.dtype, **node.params)
    return _library.name if here else ""


def spatial_sizes(shape: Any, layout: str | None) -> Any:
    """Return the sizes of the spatial axes of a shape, given its layout."""
    return shape[2:] if _channels_lead(layout) else shape[1:-1]


def channel_axis(kernel: Any, layout: str | None) -> int:
    """Return the index of the channel axis in a layout."""
    return 1 if _channels_lead(layout) else len(kernel) + 1


def full_shape(batch: Any, channels: Any, spatial: Any, layout: str | None) -> tuple[Any, ...]:
    """Return the shape of an array from its batch size, channels, and spatial sizes, in the order of a layout."""
    if _channels_lead(layout):
        return (batch, channels, *spatial)
    return (batch, *spatial, channels)


# --- checks shared by both operators -------------------------------------------------------------

_AXES = {1: "x", 2: "y-x", 3: "d-y-x"}


def check_attributes(kernel: Any, num_filter: int, num_group: int, **others: Any) -> None:
    """Check that the attributes of a convolution are consistent.

    Raises
    ------
    ShapeError
        If a check fails, with MXNet's message.
    """
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
            f"param_.kernel.ndim() == param_.{name}.ndim() ({len(kernel)} vs. {len(given)}) : "
            f"{first} must have the same number of dimensions with kernel_size,but kernel_size is set to "
            f"{rules.format_shape(kernel)} while {second} is {rules.format_shape(given)}",
        )
    for name in ("stride", "dilate"):
        given = others[name] or (1,)
        require(
            math.prod(given) > 0,
            f"param_.{name}.Size() > 0U (0 vs. 0) : incorrect {name} size: {rules.format_shape(given)}",
        )
    require(
        num_filter % num_group == 0,
        f"param_.num_filter % param_.num_group == 0U ({num_filter % num_group} vs. 0) : "
        "output num_filter must divide group size",
    )


def check_data(variable: str, data: Any, kernel: Any, num_group: int, channels: Any, channels_variable: str) -> None:
    """Check that the data has the right number of axes, and a number of channels that is divisible by ``num_group``.

    Raises
    ------
    ShapeError
        If a check fails, with MXNet's message.
    """
    rank = len(kernel) + 2
    require(
        len(data) == rank,
        f"{variable}.ndim() == {rank}U ({len(data)} vs. {rank}) : "
        f"Input data should be {rank}D in batch-num_filter-{_AXES.get(len(kernel), '...')}",
    )
    require(channels != 0, f"{channels_variable}[1] > 0 (0 vs. 0) : the data must have at least one channel")
    require(
        channels is None or channels % num_group == 0,
        f"{channels_variable}[1] % param_.num_group == 0U ({(channels or 0) % num_group} vs. 0) : "
        "input num_filter must divide group size",
    )


# --- convolution -----------------------------------------------------------------------------------


@operator("Convolution", "_npx_convolution", threaded=True, fresh=True)
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
    """Return the cross-correlation of images with filters, plus a bias for each filter.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, ...)``, or in the order of ``layout``.
    weight : array
        The filters, of shape ``(num_filter, channels / num_group, *kernel)``. If the channels are the last axis of the
        data, they are also the last axis of the filters.
    bias : array, optional
        The bias, of shape ``(num_filter,)``; required unless ``no_bias`` is true.
    kernel : tuple of int
        The size of a filter: one, two, or three numbers.
    stride, dilate, pad : tuple of int
        The stride, the distance between elements of a window, and the number of zeros at both ends, for each axis.
    num_filter, num_group : int
        The number of filters, and the number of groups into which channels and filters are divided.
    no_bias : bool
        Whether the layer has no bias.
    layout : str, optional
        The order of the axes, such as ``"NCHW"`` or ``"NHWC"``.
    workspace, cudnn_tune, cudnn_off
        Ignored.

    Examples
    --------
    >>> x, weight, bias = nd.array([[[0, 1, 4, 9, 16]]]), nd.array([[[1, 0, -1]]]), nd.array([0.5])
    >>> nd.Convolution(x, weight, bias, kernel=(3,), num_filter=1)
    <BLANKLINE>
    [[[ -3.5  -7.5 -11.5]]]
    <NDArray 1x1x3 @cpu(0)>
    """
    check_bias("Convolution", bias, no_bias)
    if data.dtype != weight.dtype or (bias is not None and data.dtype != bias.dtype):
        layer_type(data.dtype, weight.dtype, *([] if bias is None else [bias.dtype]))
    w = _convolution_windows(
        data.shape, weight.shape, None if bias is None else bias.shape,
        kernel, stride, dilate, pad, num_filter, num_group, layout,
    )  # fmt: skip
    y = run_in_layout(xp, convolve, data, weight, w, num_group, layout)
    return y if bias is None else add_bias(xp, y, bias, layout)


def add_bias(xp: Any, y: Any, bias: Any, layout: str | None) -> Any:
    """Add the bias of each channel to an array that was just computed."""
    if _channels_lead(layout):
        bias = bias.reshape(-1, *(1,) * (y.ndim - 2))
    return xp.add(y, bias, out=y)


@lru_cache(maxsize=1024)
def _convolution_windows(
    data: Any, weight: Any, bias: Any, kernel: Any, stride: Any, dilate: Any, pad: Any,
    num_filter: int, num_group: int, layout: str | None,
) -> Windows:  # fmt: skip
    """Check the shapes of a call and return its windows, from a cache."""
    _convolution_shape(
        data, weight, bias, kernel=kernel, stride=stride, dilate=dilate, pad=pad,
        num_filter=num_filter, num_group=num_group, no_bias=bias is None, layout=layout,
    )  # fmt: skip
    return windows(spatial_sizes(data, layout), kernel, stride, dilate, pad)


def layer_type(*dtypes: Any, **attributes: Any) -> tuple[list[Any], list[Any]]:
    """Apply the type rule of convolutions, by which all inputs and the output have the same element type."""
    types = require_uniform_type("dtype", ("data", "weight", "bias"), *dtypes)
    return types, types[:1]


def layer_inputs(*, no_bias: bool, **attributes: Any) -> list[str]:
    """Return the names of the inputs of a convolution."""
    return ["data", "weight"] if no_bias else ["data", "weight", "bias"]


convolution.precision = "half"
convolution.names_outputs = True


@convolution.infer_shape
def _convolution_shape(
    data,
    weight,
    bias=None,
    *,
    kernel,
    stride,
    dilate,
    pad,
    num_filter,
    num_group,
    no_bias,
    layout,
    **attributes,
):
    check_attributes(kernel, num_filter, num_group, stride=stride, dilate=dilate, pad=pad)
    parameters = [weight] if no_bias else [weight, bias]
    if data is None:
        return [data, *parameters], [None]
    channels = data[channel_axis(kernel, layout)]
    check_data("dshp", data, kernel, num_group, channels, "dshape")
    parameters[0] = complete_parameter(
        weight, full_shape(num_filter, None if channels is None else channels // num_group, kernel, layout)
    )
    if not no_bias:
        parameters[1] = complete_parameter(bias, (num_filter,))
    output: list[int | None] = []
    for i, n in enumerate(spatial_sizes(data, layout)):
        k = (kernel[i] - 1) * (dilate[i] if dilate else 1) + 1
        p, s = pad[i] if pad else 0, stride[i] if stride else 1
        require(
            n is None or k <= n + 2 * p,
            f"dilated_ksize_{'dyx'[i - len(kernel)]} <= AddPad(dshape[{i + 2}], param_.pad[{i}]) "
            f"({k} vs. {(n or 0) + 2 * p}) : kernel size exceed input",
        )
        output.append(None if n is None else (n + 2 * p - k) // s + 1)
    return [data, *parameters], [full_shape(data[0], num_filter, output, layout)]


convolution.infer_type(layer_type)
convolution.flops(flops.convolution)
convolution.input_names(layer_inputs)

CONVOLUTION_SETTINGS = ("kernel", "stride", "dilate", "pad", "num_filter", "num_group", "layout")


@convolution.gradient
def _(F, dy, y, data, weight, bias=None, *, needs, **attributes):
    settings = {name: attributes[name] for name in CONVOLUTION_SETTINGS}
    gradients = [
        F._backward_Convolution_data(dy, weight, data, **settings) if needs[0] else None,
        F._backward_Convolution_weight(dy, data, **settings) if needs[1] else None,
    ]
    if bias is not None:
        axis = channel_axis(attributes["kernel"], attributes["layout"])
        gradients.append(F.sum(dy, axis=axis, exclude=True) if needs[2] else None)
    return gradients


@operator("_backward_Convolution_data", threaded=True, fresh=True)
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
    """Return the gradient of Convolution with respect to the data; ``data`` determines only the result's shape."""
    w = windows(spatial_sizes(data.shape, layout), kernel, stride, dilate, pad)
    return run_in_layout(xp, convolve_data_gradient, dy, weight, w, num_group, layout)


convolution_data_gradient.infer_shape(lambda dy, weight, data, **attributes: ([dy, weight, data], [data]))
convolution_data_gradient.infer_type(rules.same_type)
convolution_data_gradient.flops(flops.convolution_data_gradient)


@convolution_data_gradient.gradient
def _(F, g, y, dy, weight, data, *, needs, **settings):
    return [
        F.Convolution(g, weight, no_bias=True, **settings) if needs[0] else None,
        F._backward_Convolution_weight(dy, g, **settings) if needs[1] else None,
        None,
    ]


@operator("_backward_Convolution_weight", threaded=True, fresh=True)
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
    """Return the gradient of Convolution with respect to the weight."""
    w = windows(spatial_sizes(data.shape, layout), kernel, stride, dilate, pad)
    return run_in_layout(xp, convolve_weight_gradient, dy, data, w, num_group, layout)


@convolution_weight_gradient.infer_shape
def _(dy, data, *, kernel, num_filter, num_group, layout, **settings):
    channels = None if data is None else data[channel_axis(kernel, layout)]
    shape = full_shape(num_filter, None if channels is None else channels // num_group, kernel, layout)
    return [dy, data], [shape]


convolution_weight_gradient.infer_type(rules.same_type)
convolution_weight_gradient.flops(flops.convolution_weight_gradient)


@convolution_weight_gradient.gradient
def _(F, g, y, dy, data, *, needs, **settings):
    return [
        F.Convolution(data, g, no_bias=True, **settings) if needs[0] else None,
        F._backward_Convolution_data(dy, g, data, **settings) if needs[1] else None,
    ]
