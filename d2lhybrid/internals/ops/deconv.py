"""The transposed convolution, which is the data gradient of a convolution as a forward operator.

Therefore, the gradient of a transposed convolution with respect to the data is an ordinary convolution. The gradient
with respect to the weight is the weight gradient of a convolution whose data and output are exchanged.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from ...error import ShapeError
from ..core.infer import require
from ..core.operator import REQUIRED, Array, Shape, operator
from . import flops, rules
from .conv import (
    CONVOLUTION_SETTINGS,
    add_bias,
    channel_axis,
    check_attributes,
    check_data,
    convolve,
    convolve_data_gradient,
    convolve_weight_gradient,
    full_shape,
    layer_inputs,
    layer_type,
    run_in_layout,
    spatial_sizes,
)
from .nn import check_bias, complete_parameter
from .unfold import Windows, windows

FAMILY = "convolution"


@operator("Deconvolution", "_npx_deconvolution", threaded=True, fresh=True)
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
    """Apply a transposed convolution, in which every element of the data adds a scaled filter to the output.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, ...)``, or in the order of ``layout``.
    weight : array
        The filters, of shape ``(channels, num_filter / num_group, *kernel)``.
    bias : array, optional
        The bias, of shape ``(num_filter,)``; required unless ``no_bias`` is true, as by default.
    kernel, stride, dilate, pad : tuple of int
        The size of the filters, and the stride, dilation, and padding of the convolution in the opposite
        direction, whose data gradient this operator computes.
    adj : tuple of int
        The number of elements, less than the stride, to add at the end of each axis of the output.
    target_shape : tuple of int
        The sizes of the output, which determine ``pad`` and ``adj``.
    num_filter, num_group : int
        The number of output channels, and the number of groups.
    no_bias : bool
        Whether the layer has no bias. The default is True, whereas Convolution has a bias by default.
    layout : str, optional
        The order of the axes, such as ``"NCHW"`` or ``"NHWC"``.
    workspace, cudnn_tune, cudnn_off
        Ignored.

    Examples
    --------
    >>> nd.Deconvolution(nd.array([[[1, 10]]]), nd.array([[[1, 2, 3]]]), kernel=(3,), num_filter=1)
    <BLANKLINE>
    [[[ 1. 12. 23. 30.]]]
    <NDArray 1x1x4 @cpu(0)>
    """
    check_bias("Deconvolution", bias, no_bias)
    if data.dtype != weight.dtype or (bias is not None and data.dtype != bias.dtype):
        layer_type(data.dtype, weight.dtype, *([] if bias is None else [bias.dtype]))
    w = _deconvolution_windows(
        data.shape, weight.shape, None if bias is None else bias.shape,
        kernel, stride, dilate, pad, adj, target_shape, num_filter, num_group, layout,
    )  # fmt: skip
    y = run_in_layout(xp, convolve_data_gradient, data, weight, w, num_group, layout)
    return y if bias is None else add_bias(xp, y, bias, layout)


@lru_cache(maxsize=1024)
def _deconvolution_windows(
    data: Any, weight: Any, bias: Any, kernel: Any, stride: Any, dilate: Any, pad: Any, adj: Any,
    target_shape: Any, num_filter: int, num_group: int, layout: str | None,
) -> Windows:  # fmt: skip
    """Check the shapes of a call and return the windows of the corresponding convolution."""
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
        sizes = _full_sizes(spatial_sizes(data, layout), kernel, stride, dilate)
        pad = tuple((n - m + 1) // 2 for n, m in zip(sizes, others["target_shape"], strict=True))
    return windows(spatial_sizes(output, layout), kernel, stride, dilate, pad)


def _full_sizes(spatial: Any, kernel: Any, stride: Any, dilate: Any) -> list[Any]:
    """Return the sizes of a transposed convolution's output before padding is removed."""
    ones = (1,) * len(kernel)
    return [
        None if n is None else (n - 1) * s + (k - 1) * t + 1
        for n, k, s, t in zip(spatial, kernel, stride or ones, dilate or ones, strict=True)
    ]


deconvolution.precision = "half"
deconvolution.names_outputs = True


@deconvolution.infer_shape
def _deconvolution_shape(
    data, weight, bias=None, *,
    kernel, stride, dilate, pad, adj, target_shape, num_filter, num_group, no_bias, layout, **attributes
):  # fmt: skip
    check_attributes(kernel, num_filter, num_group, stride=stride, dilate=dilate, pad=pad, adj=adj)
    parameters = [weight] if no_bias else [weight, bias]
    if data is None:
        return [data, *parameters], [None]
    channels = data[channel_axis(kernel, layout)]
    check_data("dshape", data, kernel, num_group, channels, "dshape_nchw")
    parameters[0] = complete_parameter(weight, full_shape(channels, num_filter // num_group, kernel, layout))
    if not no_bias:
        parameters[1] = complete_parameter(bias, (num_filter,))
    sizes = _full_sizes(spatial_sizes(data, layout), kernel, stride, dilate)
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
            if sizes[i] is not None and sizes[i] < 0:
                raise ShapeError(
                    f"Check failed: dim_size >= -1 ({sizes[i]} vs. -1) : shape dim size must be >= -1, while received "
                    f"{sizes[i]}: the padding is larger than the output"
                )
    return [data, *parameters], [full_shape(data[0], num_filter, sizes, layout)]


deconvolution.infer_type(layer_type)


@deconvolution.flops
def _(result, data, weight, *bias, no_bias, **_):
    return 2 * data.size * flops.per_filter(weight) + result.size * (bool(bias) and not no_bias)


deconvolution.input_names(layer_inputs)

_SETTINGS = (*CONVOLUTION_SETTINGS, "target_shape", "adj")


@deconvolution.gradient
def _(F, dy, y, data, weight, bias=None, *, needs, **attributes):
    settings = {name: attributes[name] for name in _SETTINGS}
    gradients = [
        F._backward_Deconvolution_data(dy, weight, data, **settings) if needs[0] else None,
        F._backward_Deconvolution_weight(dy, data, **settings) if needs[1] else None,
    ]
    if bias is not None:
        axis = channel_axis(attributes["kernel"], attributes["layout"])
        gradients.append(F.sum(dy, axis=axis, exclude=True) if needs[2] else None)
    return gradients


@operator("_backward_Deconvolution_data", threaded=True)
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
    """Return the gradient of Deconvolution with respect to the data, which is an ordinary convolution."""
    w = _transposed_windows(
        data.shape, dy.shape, kernel=kernel, stride=stride, dilate=dilate, pad=pad, layout=layout,
        target_shape=target_shape,
    )  # fmt: skip
    return run_in_layout(xp, convolve, dy, weight, w, num_group, layout)


deconvolution_data_gradient.infer_shape(lambda dy, weight, data, **attributes: ([dy, weight, data], [data]))
deconvolution_data_gradient.infer_type(rules.same_type)


@deconvolution_data_gradient.gradient
def _(F, g, y, dy, weight, data, *, needs, **settings):
    return [
        F.Deconvolution(g, weight, no_bias=True, **settings) if needs[0] else None,
        F._backward_Deconvolution_weight(dy, g, **settings) if needs[1] else None,
        None,
    ]


@operator("_backward_Deconvolution_weight", threaded=True)
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
    """Return the gradient of Deconvolution with respect to the weight."""
    w = _transposed_windows(
        data.shape, dy.shape, kernel=kernel, stride=stride, dilate=dilate, pad=pad, layout=layout,
        target_shape=target_shape,
    )  # fmt: skip
    return run_in_layout(xp, convolve_weight_gradient, data, dy, w, num_group, layout)


@deconvolution_weight_gradient.infer_shape
def _(dy, data, *, kernel, num_filter, num_group, layout, **settings):
    channels = None if data is None else data[channel_axis(kernel, layout)]
    return [dy, data], [full_shape(channels, num_filter // num_group, kernel, layout)]


deconvolution_weight_gradient.infer_type(rules.same_type)


@deconvolution_weight_gradient.gradient
def _(F, g, y, dy, data, *, needs, **settings):
    return [
        F.Deconvolution(data, g, no_bias=True, **settings) if needs[0] else None,
        F._backward_Deconvolution_data(dy, g, data, **settings) if needs[1] else None,
    ]
