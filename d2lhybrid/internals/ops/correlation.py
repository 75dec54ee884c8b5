"""The correlation of two images, which measures how well the neighborhoods of their points match, as in FlowNet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.infer import require
from ..core.operator import Array, operator
from . import rules
from .not_differentiable import not_differentiable
from .unfold import fold, pad_spatial, unfold, windows

FAMILY = "convolution"


def _displacements(max_displacement: int, stride2: int) -> list[tuple[int, int]]:
    """Return all displacements ``(down, right)`` of the second image, row by row."""
    radius = max_displacement // stride2
    steps = [i * stride2 for i in range(-radius, radius + 1)]
    return [(down, right) for down in steps for right in steps]


def _counts(data: Any, kernel_size: int, max_displacement: int, stride1: int, pad_size: int) -> list[int | None]:
    """Return the height and width of the result."""
    border = max_displacement + (kernel_size - 1) // 2
    counts: list[int | None] = []
    for n in data[2:]:
        size = None if n is None else n + 2 * pad_size - 2 * border
        require(size is None or size > 0, "top_height_ >= 1U : Correlation cannot be done with current settings.")
        counts.append(None if size is None else -(-size // stride1))
    return counts


def _pairs(
    xp: Any,
    data1: Any,
    data2: Any,
    kernel_size: int,
    max_displacement: int,
    stride1: int,
    stride2: int,
    pad: int,
) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield the windows of both images, ``(batch, channel, window, ..., position)``, for each displacement.

    Yields
    ------
    tuple
        The slices, down and right, of both padded images from which the windows are taken, and the windows.
    """
    height, width = (n or 0 for n in _counts(data1.shape, kernel_size, max_displacement, stride1, pad))
    w = _windows(height, width, kernel_size, stride1)
    first, second = (pad_spatial(xp, x, (pad, pad)) for x in (data1, data2))
    here = _part(w, max_displacement, max_displacement)
    windows1 = unfold(xp, xp.ascontiguousarray(first[here]), w)
    for down, right in _displacements(max_displacement, stride2):
        there = _part(w, max_displacement + down, max_displacement + right)
        yield here, there, windows1, unfold(xp, xp.ascontiguousarray(second[there]), w)


def _windows(height: int, width: int, kernel_size: int, stride: int) -> Any:
    sizes = ((height - 1) * stride + kernel_size, (width - 1) * stride + kernel_size)
    return windows(sizes, (kernel_size,) * 2, (stride,) * 2, (), ())


def _part(w: Any, top: int, left: int) -> tuple[Any, ...]:
    height, width = w.padded
    return (slice(None), slice(None), slice(top, top + height), slice(left, left + width))


@operator("Correlation")
def correlation(
    xp,
    data1: Array,
    data2: Array,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
):
    """Compare windows of one image with displaced windows of another image.

    Parameters
    ----------
    data1, data2 : array
        The images, of shape ``(batch, channel, height, width)``.
    kernel_size : int
        The size of the windows, an odd number.
    max_displacement, stride2 : int
        The largest vertical and horizontal displacement, and the distance between displacements; each displacement is a
        channel of the result.
    stride1 : int
        The distance between neighboring windows, vertically and horizontally.
    pad_size : int
        The number of zeros around both images.
    is_multiply : bool
        Whether to use the mean product instead of the mean absolute difference.
    """
    settings = (kernel_size, max_displacement, stride1, stride2, pad_size)
    planes = []
    for _, _, a, b in _pairs(xp, data1, data2, *settings):
        if is_multiply:
            planes.append(xp.einsum("ncijhw,ncijhw->nhw", a, b))
        else:
            planes.append(xp.add.reduce(xp.abs(a - b), axis=(1, 2, 3)))
    return xp.stack(planes, axis=1) / data1.dtype.type(kernel_size**2 * data1.shape[1])


correlation.precision = "widest"
correlation.names_outputs = True
correlation.lenient = True


@correlation.infer_shape
def _(data1, data2, *, kernel_size, max_displacement, stride1, stride2, pad_size, **attributes):
    shape = rules.unify_all([data1, data2])
    if shape is None:
        return [data1, data2], [None]
    require(len(shape) == 4, f"dshape1.ndim() == 4U ({len(shape)} vs. 4) : data should be a 4D tensor")
    channels = len(_displacements(max_displacement, stride2))
    counts = _counts(shape, kernel_size, max_displacement, stride1, pad_size)
    return [shape, shape], [(shape[0], channels, *counts)]


correlation.hidden_in_mxnet = 2
correlation.infer_type(rules.same_type)
correlation.gradient(lambda F, dy, y, a, b, **attributes: list(F._backward_Correlation(dy, a, b, **attributes)))


@operator("_backward_Correlation", outputs=2)
def correlation_gradient(
    xp,
    dy: Array,
    data1: Array,
    data2: Array,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
):
    """Return the gradients of Correlation with respect to both images."""
    settings = (kernel_size, max_displacement, stride1, stride2, pad_size)
    w = _windows(dy.shape[2], dy.shape[3], kernel_size, stride1)
    shape = (*data1.shape[:2], *(n + 2 * pad_size for n in data1.shape[2:]))
    first, second = xp.zeros(shape, dy.dtype), xp.zeros(shape, dy.dtype)
    dy = dy / dy.dtype.type(kernel_size**2 * data1.shape[1])
    for i, (here, there, a, b) in enumerate(_pairs(xp, data1, data2, *settings)):
        heads = dy[:, i, None, None, None]
        if is_multiply:
            d_a, d_b = heads * b, heads * a
        else:
            d_a = xp.where(a >= b, heads, -heads)  # in MXNet, equal elements count as greater
            d_b = -d_a
        first[here] += fold(xp, d_a, w)
        second[there] += fold(xp, d_b, w)
    inner = (slice(None), slice(None), *(slice(pad_size, pad_size + n) for n in data1.shape[2:]))
    return xp.ascontiguousarray(first[inner]), xp.ascontiguousarray(second[inner])


correlation_gradient.infer_shape(lambda dy, a, b, **attributes: ([dy, a, b], [a, b]))
correlation_gradient.infer_type(lambda dy, a, b, **attributes: ([dy, a, b], [a, b]))
not_differentiable(correlation_gradient)
