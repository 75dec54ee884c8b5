"""Convolution and pooling of MXNet before version 1.0, under the names that old programs and files use.

``Convolution_v1`` returns the same result as ``Convolution``. ``Pooling_v1`` differs from ``Pooling``: a maximum
includes the zeros of the padding, a mean divides by the size of the whole window at every position, and each of several
equal maxima gets the gradient.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

from ..core.infer import require
from ..core.operator import REQUIRED, Array, Shape, operator
from . import flops, rules
from .conv import convolution, layer_inputs, layer_type
from .nn import require_float
from .pool import Axis, collect, combine, spread
from .unfold import pad_spatial

FAMILY = "other"
MEANINGS = {
    "num_filter": "The number of filters.",
    "num_group": "The number of groups into which channels and filters are divided.",
    "no_bias": "Whether the layer has no bias.",
    "layout": 'The order of the axes, such as ``"NCHW"`` or ``"NHWC"``.',
    **dict.fromkeys(("workspace", "cudnn_tune", "cudnn_off"), "Ignored."),
}

# --- convolution --------------------------------------------------------------------------------------


@operator("Convolution_v1", threaded=True, fresh=True)
def convolution_v1(
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
    layout: Literal["NCDHW", "NCHW", "NDHWC", "NHWC"] | None = None,
):
    """Apply ``Convolution`` in two or three dimensions, under its name before MXNet 1.0.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, ...)``, or in the order of ``layout``.
    weight : array
        The filters, of shape ``(num_filter, channels / num_group, *kernel)``.
    bias : array, optional
        The bias, of shape ``(num_filter,)``.
    kernel, stride, dilate, pad : tuple of int
        The size of a filter, the stride, the distance between elements of a window, and the number of zeros at both
        ends, for each axis.

    Examples
    --------
    >>> x, weight = nd.array([[[[0, 1, 4], [9, 16, 25]]]]), nd.array([[[[1, -1]]]])
    >>> nd.Convolution_v1(x, weight, kernel=(1, 2), num_filter=1, no_bias=True)
    <BLANKLINE>
    [[[[-1. -3.]
       [-7. -9.]]]]
    <NDArray 1x1x2x2 @cpu(0)>
    """
    _check_dimensions(kernel)
    return convolution.kernel(
        xp, data, weight, bias, kernel=kernel, stride=stride, dilate=dilate, pad=pad, num_filter=num_filter,
        num_group=num_group, no_bias=no_bias, layout=layout,
    )  # fmt: skip


def _check_dimensions(kernel: Any) -> None:
    require(
        len(kernel) in (2, 3),
        f"param_.kernel.ndim() == 3U ({len(kernel)} vs. 3) : {len(kernel)}D convolution not supported",
    )


convolution_v1.names_outputs = True


@convolution_v1.infer_shape
def _(data, weight, bias=None, *, kernel, **attributes):
    _check_dimensions(kernel)
    rule = convolution.shape_rule
    assert rule is not None
    return rule(data, weight, bias, kernel=kernel, **attributes)


convolution_v1.infer_type(layer_type)
convolution_v1.flops(flops.convolution)
convolution_v1.input_names(layer_inputs)


@convolution_v1.gradient
def _(F, dy, y, data, weight, bias=None, *, needs, **attributes):
    rule = convolution.gradient_rule
    assert rule is not None
    return rule(F, dy, y, data, weight, bias, needs=needs, **attributes)


# --- pooling ------------------------------------------------------------------------------------------


def _counts(data: Any, kernel: Any, global_pool: bool, full: bool, stride: Any, pad: Any) -> list[int | None]:
    """Return the number of windows along each spatial axis, or None for an axis of unknown size."""
    rank = len(data)
    told = "Input data should be 4D in (batch, channel, y, x) Or 5D in (batch, channel, d, y, x)"
    require(rank >= 4, f"dshape.ndim() >= 4 ({rank} vs. 4) : {told}")
    require(rank <= 5, f"dshape.ndim() <= 5 ({rank} vs. 5) : {told}")
    if global_pool:
        return [1] * (rank - 2)
    require(
        len(kernel) in (2, 3),
        f"param_.kernel.ndim() == 3U ({len(kernel)} vs. 3) : {len(kernel)}D pooling not supported",
    )
    require(
        rank == len(kernel) + 2,
        f"dshape.ndim() == {len(kernel) + 2} ({rank} vs. {len(kernel) + 2}) : "
        f"Input data should be {len(kernel) + 2}D in (batch, channel, {'d, ' * (len(kernel) == 3)}y, x)",
    )
    for name, given in (("stride", stride), ("pad", pad)):
        require(
            not given or len(given) == len(kernel),
            f"param_.{name}.ndim() == param_.kernel.ndim() ({len(given)} vs. {len(kernel)}) : "
            f"{name} is {rules.format_shape(given)} and kernel {rules.format_shape(kernel)}",
        )
    require(
        min(kernel) > 0 and min(stride, default=1) > 0, f"kernel and stride must be positive, not {kernel} and {stride}"
    )
    counts: list[int | None] = []
    for i, (n, k) in enumerate(zip(data[2:], kernel, strict=True)):
        s, p = stride[i] if stride else 1, pad[i] if pad else 0
        require(
            n is None or k <= n + 2 * p,
            f"param_.kernel[{i}] <= dshape[{i + 2}] + 2 * param_.pad[{i}]: "
            f"kernel size ({k}) exceeds input ({n} padded to {(n or 0) + 2 * p})",
        )
        steps = None if n is None else n + 2 * p - k
        counts.append(None if steps is None else (-(-steps // s) if full else steps // s) + 1)
    return counts


@lru_cache(maxsize=1024)
def _windows(
    shape: Any, kernel: Any, global_pool: bool, full: bool, stride: Any, pad: Any
) -> tuple[tuple[Axis, ...], tuple[int, ...]]:
    """Return the windows along each axis of the padded data, and the padding."""
    counts = _counts(shape, kernel, global_pool, full, stride, pad)
    if global_pool:
        return tuple(Axis(i, n, 1, 0, n, 1) for i, n in enumerate(shape[2:], 2)), (0,) * len(counts)
    pad = pad or (0,) * len(kernel)
    return tuple(
        Axis(i + 2, kernel[i], stride[i] if stride else 1, 0, shape[i + 2] + 2 * pad[i], count or 0)
        for i, count in enumerate(counts)
    ), tuple(pad)


def _maxima(xp: Any, x: Any, axes: tuple[Axis, ...]) -> list[Any]:
    """Return the padded array, and the maxima after each axis."""
    steps = [x]
    for a in axes:
        steps.append(combine(xp, steps[-1], a, xp.maximum, -xp.inf))
    return steps


def _equal(xp: Any, x: Any, y: Any, a: Axis) -> Iterator[Any]:
    """Yield, for each position in a window, the mask of windows with a maximum at this position."""
    for elements, chosen in a.slabs():
        yield xp.equal(x[elements], y[chosen])


@operator("Pooling_v1", fresh=True)
def pooling_v1(
    xp,
    data: Array,
    kernel: Shape = (),
    pool_type: Literal["avg", "max", "sum"] = "max",
    global_pool: bool = False,
    pooling_convention: Literal["full", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
):
    """Return the maximum, mean, or sum of every window of an image, as MXNet did before version 1.0.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, y, x)`` or ``(batch, channel, d, y, x)``; on a CPU, MXNet supports only
        images with two spatial axes.
    kernel, stride, pad : tuple of int
        The size of the window, its stride (1 by default), and the number of zeros at both ends, for each axis. A
        maximum includes these zeros.
    pool_type : {"max", "avg", "sum"}
        The pooling function. A mean divides by the size of the whole window at every position.
    global_pool : bool
        Whether the window is the whole image.
    pooling_convention : {"valid", "full"}
        Whether the number of windows is rounded down or up.

    Examples
    --------
    >>> x = nd.array([[[[-1, -3], [-2, -4]]]])
    >>> nd.Pooling(x, kernel=(2, 1), pad=(1, 0), stride=(2, 1)).asnumpy().ravel()
    array([-1., -3., -2., -4.], dtype=float32)
    >>> nd.Pooling_v1(x, kernel=(2, 1), pad=(1, 0), stride=(2, 1)).asnumpy().ravel()
    array([0., 0., 0., 0.], dtype=float32)
    """
    require_float(data)
    axes, padding = _windows(data.shape, kernel, global_pool, pooling_convention == "full", stride, pad)
    x = pad_spatial(xp, data, padding)
    if pool_type == "max":
        y = _maxima(xp, x, axes)[-1]
    else:
        y = x
        for a in axes:
            y = combine(xp, y, a, xp.add, 0)
        if pool_type == "avg":
            y = y * _share(y, axes)
    return y.copy() if y is x or y.base is not None else y


def _share(x: Any, axes: tuple[Axis, ...]) -> Any:
    """Return the factor of a mean, which is 1 divided by the window's size, in the element type of the array."""
    return x.dtype.type(1 / math.prod(a.size for a in axes))


pooling_v1.names_outputs = True


@pooling_v1.infer_shape
def _(data, *, kernel, global_pool, pooling_convention, stride, pad, pool_type):
    if data is None:
        return [None], [None]
    return [data], [(*data[:2], *_counts(data, kernel, global_pool, pooling_convention == "full", stride, pad))]


pooling_v1.infer_type(rules.same_type)


@pooling_v1.gradient
def _(F, dy, y, data, **attributes):
    return [F._backward_Pooling_v1(dy, data, **attributes)]


@operator("_backward_Pooling_v1", fresh=True)
def pooling_v1_gradient(
    xp,
    dy: Array,
    data: Array,
    kernel: Shape = (),
    pool_type: Literal["avg", "max", "sum"] = "max",
    global_pool: bool = False,
    pooling_convention: Literal["full", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
):
    """Return the gradient of Pooling_v1; each of several equal maxima gets the whole gradient."""
    axes, padding = _windows(data.shape, kernel, global_pool, pooling_convention == "full", stride, pad)
    if pool_type == "max":
        steps = _maxima(xp, pad_spatial(xp, data, padding), axes)
        for a in axes[::-1]:
            after = steps.pop()
            dy = spread(xp, dy, a, _equal(xp, steps[-1], after, a))
    else:
        dy = dy * _share(dy, axes) if pool_type == "avg" else dy
        for a in axes:
            dy = spread(xp, dy, a)
    return dy[(..., *(slice(p, p + n) for p, n in zip(padding, data.shape[2:], strict=True)))].copy()


pooling_v1_gradient.infer_shape(lambda dy, data, **attributes: ([dy, data], [data]))
pooling_v1_gradient.infer_type(rules.same_type)


@pooling_v1_gradient.gradient
def _(F, g, y, dy, data, **attributes):
    return [F._pooling_v1_at_maxima(g, data, **attributes), None]


@operator("_pooling_v1_at_maxima", fresh=True)
def pooling_v1_at_maxima(
    xp,
    values: Array,
    data: Array,
    kernel: Shape = (),
    pool_type: Literal["avg", "max", "sum"] = "max",
    global_pool: bool = False,
    pooling_convention: Literal["full", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
):
    """Pool values at the positions that Pooling_v1 selects; for maxima, sum the values at all equal maxima."""
    if pool_type != "max":
        return pooling_v1.kernel(xp, values, kernel, pool_type, global_pool, pooling_convention, stride, pad)
    axes, padding = _windows(data.shape, kernel, global_pool, pooling_convention == "full", stride, pad)
    steps, values = _maxima(xp, pad_spatial(xp, data, padding), axes), pad_spatial(xp, values, padding)
    for a, before, after in zip(axes, steps, steps[1:], strict=False):
        values = collect(xp, values, a, _equal(xp, before, after, a))
    return values


@pooling_v1_at_maxima.infer_shape
def _(values, data, **attributes):
    rule = pooling_v1.shape_rule
    assert rule is not None
    return [values, data], rule(data, **attributes)[1]


pooling_v1_at_maxima.infer_type(rules.same_type)


@pooling_v1_at_maxima.gradient
def _(F, g, y, values, data, **attributes):
    return [F._backward_Pooling_v1(g, data, **attributes), None]


pooling_v1_at_maxima.lenient = True  # the kernel would accept values of any shape for a global maximum
