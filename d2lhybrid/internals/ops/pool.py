"""Pooling, which computes the maximum, the mean, the sum, or a norm of every window of an image.

A window is a product of intervals, so pooling processes one axis after the other. Along an axis with window size k,
pooling combines k slabs: the first elements of all windows, the second elements, and so on. No window is copied.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from ...error import MXNetError
from ..core.infer import require
from ..core.operator import Array, Shape, operator
from . import rules
from .nn import require_float
from .portable import constants, greatest

FAMILY = "pooling"

Slices = tuple[slice, ...]


class Axis(NamedTuple):
    """The windows along one axis of an array.

    Attributes
    ----------
    axis : int
        The index of the axis.
    size, stride, pad : int
        The size of the window, its stride, and the number of elements before the edge that the first window covers.
    length, positions : int
        The number of elements, and the number of windows.
    """

    axis: int
    size: int
    stride: int
    pad: int
    length: int
    positions: int

    @property
    def inside(self) -> bool:
        """Whether all windows are inside the array."""
        return self.pad == 0 and (self.positions - 1) * self.stride + self.size <= self.length

    @property
    def tiles(self) -> bool:
        """Whether every element is in exactly one window."""
        apart = self.stride == self.size or self.positions == 1
        return apart and self.inside and self.positions * self.size == self.length

    @property
    def whole(self) -> bool:
        """Whether there is only one window, which is the whole axis."""
        return self.size == self.length and self.pad == 0

    def slabs(self) -> Iterator[tuple[Slices, Slices]]:
        """Yield, for each position in a window, the slices of the elements at this position and of their windows."""
        before = (slice(None),) * self.axis
        for i in range(self.size):
            start = i - self.pad
            first = max(0, -(start // self.stride))
            last = min(self.positions - 1, (self.length - 1 - start) // self.stride)
            if first <= last:
                elements = slice(start + first * self.stride, start + last * self.stride + 1, self.stride)
                yield (*before, elements), (*before, slice(first, last + 1))

    def sizes(self, include_pad: bool) -> list[int]:
        """Return the number of elements of each window, with or without padding."""
        low, high = (-self.pad, self.length + self.pad) if include_pad else (0, self.length)
        starts = [o * self.stride - self.pad for o in range(self.positions)]
        return [max(1, min(s + self.size, high) - max(s, low)) for s in starts]


# --- one axis at a time -----------------------------------------------------------------------------


def combine(xp: Any, x: Any, a: Axis, function: Any, start: Any) -> Any:
    """Combine the elements of each window along one axis with a function."""
    if a.inside:
        slabs = [x[elements] for elements, _ in a.slabs()]
        if a.size == 1:
            return slabs[0]
        result = function(slabs[0], slabs[1])
        for slab in slabs[2:]:
            function(result, slab, out=result)
        return result
    result = xp.full((*x.shape[: a.axis], a.positions, *x.shape[a.axis + 1 :]), start, x.dtype)
    for elements, chosen in a.slabs():
        target = result[chosen]
        function(target, x[elements], out=target)
    return result


def spread(xp: Any, dy: Any, a: Axis, masks: Iterator[Any] | None = None) -> Any:
    """Add each window's value to the window's elements, or only to those where the masks are true."""
    shape = (*dy.shape[: a.axis], a.length, *dy.shape[a.axis + 1 :])
    if a.tiles:
        dx = xp.empty(shape, dy.dtype)
        if masks is None and a.whole:
            dx[...] = dy
            return dx
        for elements, _ in a.slabs():
            if masks is None:
                dx[elements] = dy
            else:
                xp.multiply(dy, next(masks), out=dx[elements])
        return dx
    dx = xp.zeros(shape, dy.dtype)
    for elements, chosen in a.slabs():
        target = dx[elements]
        xp.add(target, dy[chosen] if masks is None else dy[chosen] * next(masks), out=target)
    return dx


def collect(xp: Any, x: Any, a: Axis, masks: Iterator[Any]) -> Any:
    """Sum the elements of each window where the masks are true; this is the gradient of :func:`spread`."""
    result = xp.zeros((*x.shape[: a.axis], a.positions, *x.shape[a.axis + 1 :]), x.dtype)
    for elements, chosen in a.slabs():
        target = result[chosen]
        xp.add(target, x[elements] * next(masks), out=target)
    return result


def _first_maxima(xp: Any, x: Any, y: Any, a: Axis) -> Iterator[Any]:
    """Yield, for each position in a window, the mask of windows whose first maximum is at this position.

    The memory of a mask is reused for the next mask.
    """
    found = None
    for i, (elements, chosen) in enumerate(a.slabs()):
        if a.inside and i == a.size - 1 and found is not None:
            yield xp.logical_not(found)  # every window has a maximum
        elif a.inside and found is None:
            found = xp.equal(x[elements], y)
            yield found
        else:
            if found is None:
                found = xp.zeros(y.shape, bool)
            known = found[chosen]
            mask = xp.greater(xp.equal(x[elements], y[chosen]), known)
            yield mask
            xp.logical_or(known, mask, out=known)


# --- pooling, and its gradient -----------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _window_size(axes: tuple[Axis, ...], include_pad: bool) -> int | None:
    """Return the number of elements of every window, or None if windows differ in size."""
    sizes = [set(a.sizes(include_pad)) for a in axes]
    return math.prod(s.pop() for s in sizes) if all(len(s) == 1 for s in sizes) else None


def _divide(xp: Any, x: Any, axes: tuple[Axis, ...], include_pad: bool) -> Any:
    """Divide the sums of windows by the number of elements of each window."""
    size = _window_size(axes, include_pad)
    if size is not None:
        return x / x.dtype.type(size)
    for a in axes:
        sizes = constants(xp, a.sizes(include_pad), x.dtype)
        x = x / sizes.reshape(-1, *(1,) * (x.ndim - a.axis - 1))
    return x


_ROOTS: dict[int, tuple[Callable[..., Any], Callable[..., Any]]] = {
    1: (lambda xp, x: x, lambda xp, x: x),
    2: (lambda xp, x: x * x, lambda xp, x: xp.sqrt(x)),
    3: (lambda xp, x: x * x * x, lambda xp, x: xp.cbrt(x)),
}


def _sum(xp: Any, x: Any, axes: tuple[Axis, ...]) -> Any:
    if all(a.whole for a in axes):
        return xp.add.reduce(x, axis=tuple(a.axis for a in axes), keepdims=True)
    for a in axes:
        x = combine(xp, x, a, xp.add, 0)
    return x


def _maxima(xp: Any, x: Any, axes: tuple[Axis, ...]) -> list[Any]:
    """Return the array, and the maxima after each axis.

    NaN is ignored, as in MXNet, because ``value > maximum`` is false for NaN.
    """
    lowest = xp.finfo(x.dtype).min
    steps = [x]
    for a in axes:
        steps.append(combine(xp, steps[-1], a, xp.fmax, lowest))
    return steps


@operator("Pooling", "_npx_pooling", fresh=True)
def pooling(
    xp,
    data: Array,
    kernel: Shape = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None = None,
):
    """Return the maximum, mean, sum, or p-norm of every window of an image.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, channel, ...)``, or in the order of ``layout``.
    kernel, stride, pad : tuple of int
        The size of the window, its stride (1 by default), and the number of elements that are added at both ends, for
        each axis.
    pool_type : {"max", "avg", "sum", "lp"}
        The pooling function. A maximum never includes the padding.
    global_pool : bool
        Whether the window is the whole image.
    pooling_convention : {"valid", "full", "same"}
        The number of windows: rounded down, rounded up, or the number of elements divided by the stride and rounded up.
        ``"same"`` supports only one spatial axis without padding.
    p_value : {1, 2, 3}, optional
        The order of the norm for ``"lp"``.
    count_include_pad : bool, optional
        Whether a mean includes the padding, True by default.
    layout : str, optional
        The order of the axes, such as ``"NCHW"`` or ``"NHWC"``.
    cudnn_off
        Ignored.

    Examples
    --------
    >>> x = nd.array([[[1, 3, 2, 0]]])
    >>> nd.Pooling(x, kernel=(2,), stride=(2,), pool_type="max")
    <BLANKLINE>
    [[[3. 2.]]]
    <NDArray 1x1x2 @cpu(0)>
    >>> nd.Pooling(x, kernel=(2,), stride=(2,), pool_type="avg")
    <BLANKLINE>
    [[[2. 1.]]]
    <NDArray 1x1x2 @cpu(0)>
    """
    require_float(data)
    axes = _axes(data.shape, kernel, global_pool, pooling_convention, stride, pad, layout)
    if pool_type == "max":
        if all(a.whole for a in axes):
            return greatest(xp, data, tuple(a.axis for a in axes))
        y = _maxima(xp, data, axes)[-1]
    elif pool_type == "lp":
        power, root = _ROOTS[_check_p(p_value)]
        y = root(xp, _sum(xp, power(xp, data), axes))
    else:
        y = _sum(xp, data, axes)
        if pool_type == "avg":
            y = _divide(xp, y, axes, count_include_pad is not False)
    return y if y.base is None else y.copy()  # with windows of one element, y is a view of the data


def _check_p(p_value: int | None) -> int:
    require(p_value is not None, "param.p_value.has_value(): ")
    if p_value not in _ROOTS:
        raise MXNetError(f"p value of {p_value} is not supported yet...")
    return p_value


# --- shapes ------------------------------------------------------------------------------------------

_MEANINGS = {1: "(batch, channel, x)", 2: "(batch, channel, y, x)", 3: "(batch, channel, d, y, x)"}


def _window_counts(
    data: Any, kernel: Any, global_pool: bool, convention: str, stride: Any, pad: Any, layout: str | None
) -> list[int | None]:
    """Return the number of windows along each spatial axis, None if the size is unknown."""
    rank = len(data)
    require(
        rank >= 3,
        f"dshape.ndim() >= 3 ({rank} vs. 3) : Input data should be  3D in (batch, channel, x) "
        "Or 4D in (batch, channel, y, x)  Or 5D in (batch, channel, d, y, x)",
    )
    if global_pool:
        return [1] * (rank - 2)
    require(
        len(kernel) in _MEANINGS,
        f"param.kernel.ndim() == 3U ({len(kernel)} vs. 3) : {len(kernel)}D pooling not supported",
    )
    require(
        rank == len(kernel) + 2,
        f"dshape.ndim() == {len(kernel) + 2}U ({rank} vs. {len(kernel) + 2}) : "
        f"Input data should be {len(kernel) + 2}D in {_MEANINGS[len(kernel)]}",
    )
    if convention == "same":
        require(
            rank == 3,
            f"dshape.ndim() == 3U ({rank} vs. 3) : Input data should be 3D in (batch, channel, x). "
            "Currently 'same' supports Max Pooling 1-D",
        )
        require(not any(pad or ()), "Same pooling convention disables the use of pad parameter.")
        pad = ()  # MXNet requires three zeros for any number of axes
    for given in (stride, pad):
        require(
            not given or len(given) == len(kernel),
            f"i >= 0 && i < ndim(): index = {len(given)} must be in range [0, {len(given)})",
        )
    first = 2 if layout is None or layout[1] == "C" else 1
    counts: list[int | None] = []
    for i, k in enumerate(kernel):
        n, s, p = data[first + i], stride[i] if stride else 1, pad[i] if pad else 0
        if n is None:
            counts.append(None)
            continue
        require(
            k <= n + 2 * p,
            f"param.kernel[{i}] <= dshape_nchw[{i + 2}] + 2 * param.pad[{i}]: "
            f"kernel size ({k}) exceeds input ({n} padded to {n + 2 * p})",
        )
        require(p < k, f"pad_l[{i}] < kernel[{i}] ({p} vs. {k}) : ")
        steps = n + 2 * p - k
        if convention == "same":
            counts.append(-(-n // s))
        else:
            counts.append((-(-steps // s) if convention == "full" else steps // s) + 1)
    return counts


@lru_cache(maxsize=1024)
def _axes(
    shape: tuple[int, ...],
    kernel: Any,
    global_pool: bool,
    convention: str,
    stride: Any,
    pad: Any,
    layout: str | None,
) -> tuple[Axis, ...]:
    """Return the windows along each axis. The last axis comes first, because the first maximum is found along it."""
    counts = _window_counts(shape, kernel, global_pool, convention, stride, pad, layout)
    first = 2 if layout is None or layout[1] == "C" else 1
    axes = []
    for i, count in enumerate(counts):
        n = shape[first + i]
        if global_pool:
            axes.append(Axis(first + i, n, 1, 0, n, 1))
        else:
            axes.append(Axis(first + i, kernel[i], stride[i] if stride else 1, pad[i] if pad else 0, n, count or 0))
    return tuple(axes)


pooling.names_outputs = True


@pooling.infer_shape
def _(data, *, kernel, global_pool, pooling_convention, stride, pad, layout, **attributes):
    if data is None:
        return [None], [None]
    counts = _window_counts(data, kernel, global_pool, pooling_convention, stride, pad, layout)
    if layout is None or layout[1] == "C":
        return [data], [(*data[:2], *counts)]
    return [data], [(data[0], *counts, data[-1])]


pooling.infer_type(rules.same_type)


@pooling.gradient
def _(F, dy, y, data, **attributes):
    return [F._backward_Pooling(dy, data, y, **attributes)]


@operator("_backward_Pooling", fresh=True)
def pooling_gradient(
    xp,
    dy: Array,
    data: Array,
    y: Array,
    kernel: Shape = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None = None,
):
    """Return the gradient of Pooling; the first of several equal maxima in a window gets the whole gradient."""
    axes = _axes(data.shape, kernel, global_pool, pooling_convention, stride, pad, layout)
    if pool_type == "max" and global_pool:
        shape = data.shape
        length = math.prod(a.length for a in axes)
        flat = (shape[0], length, shape[-1]) if axes[0].axis == 1 else (*shape[:2], length)
        is_largest = data.reshape(flat) == y.reshape(*(1 if i == axes[0].axis else n for i, n in enumerate(flat)))
        first = xp.argmax(is_largest, axis=axes[0].axis).reshape(y.shape)
        places = xp.arange(length).reshape(*(a.length for a in axes), *(1,) * (2 - axes[0].axis))
        return xp.multiply(dy, first == places)
    if pool_type == "max":
        # The first maximum of a window is in the first row that contains the maximum.
        steps = _maxima(xp, data, axes[::-1])
        for a in axes:
            after = steps.pop()
            dy = spread(xp, dy, a, _first_maxima(xp, steps[-1], after, a))
        return dy
    power = _check_p(p_value) if pool_type == "lp" else 1
    if pool_type == "avg":
        dy = _divide(xp, dy, axes, count_include_pad is not False)
    elif power != 1:
        dy = dy / (y ** (power - 1) + (y == 0))
    for a in axes:
        dy = spread(xp, dy, a)
    return dy if power == 1 else dy * data ** (power - 1)


pooling_gradient.infer_shape(lambda dy, data, y, **attributes: ([dy, data, y], [data]))
pooling_gradient.infer_type(rules.same_type)


@pooling_gradient.gradient
def _(F, g, y, dy, data, pooled, **attributes):
    if attributes["pool_type"] == "max":
        return [F._pooling_at_maxima(g, data, **attributes), None, None]
    if attributes["pool_type"] == "lp":
        raise MXNetError("The second derivative of Pooling with pool_type='lp' is not supported")
    return [F.Pooling(g, **attributes), None, None]


@operator("_pooling_at_maxima")
def pooling_at_maxima(
    xp,
    values: Array,
    data: Array,
    kernel: Shape = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None = None,
):
    """Return the values at the position of each window's first maximum in the data."""
    axes = _axes(data.shape, kernel, global_pool, pooling_convention, stride, pad, layout)[::-1]
    steps = _maxima(xp, data, axes)
    for a, before, after in zip(axes, steps, steps[1:], strict=False):
        values = collect(xp, values, a, _first_maxima(xp, before, after, a))
    return values


@pooling_at_maxima.infer_shape
def _(values, data, **attributes):
    rule = pooling.shape_rule
    assert rule is not None
    return [values, data], rule(data, **attributes)[1]


pooling_at_maxima.infer_type(rules.same_type)


@pooling_at_maxima.gradient
def _(F, g, y, values, data, **attributes):
    return [F._backward_Pooling(g, data, F.Pooling(data, **attributes), **attributes), None]
