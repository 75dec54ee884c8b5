"""Operators that rearrange images: channels to pixels and back, windows to columns and back."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from ..core.infer import PartialShape, format_shape, known_size
from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules

FAMILY = "shape"
MEANINGS = {
    "data": "The image, or its columns.",
    "output_size": "The height and width of the image.",
    "kernel": "The size of a window along each axis of the image.",
    "stride": "The distance between neighboring windows along each axis; 1 by default.",
    "dilate": "The distance between elements of a window.",
    "pad": "The number of zeros at both ends of each axis.",
    "depth_to_space.data": (
        "The images, of shape ``(batch, channel, height, width)``; ``block_size**2`` divides the channels."
    ),
    "space_to_depth.data": (
        "The images, of shape ``(batch, channel, height, width)``; ``block_size`` divides height and width."
    ),
    "col2im.data": "The columns, of shape ``(batch, channel * prod(kernel), number of windows)``.",
}

# --- depth and space -----------------------------------------------------------------------------


def _check_image(data: PartialShape, block_size: int, title: str) -> None:
    if data is not None:
        rules.require(
            len(data) == 4,
            f"in_attrs->at(0).ndim() == 4 ({len(data)} vs. 4) : Operation {title} requires exactly 4D tensor",
        )
        for i in (1, 2, 3):
            rules.require(
                data[i] != 0,
                f"in_shape[{i}] != 0 (0 vs. 0) : Operation requires a 4D tensor. Size of dimension:{i} cannot be 0",
            )
    rules.require(block_size > 0, "block != 0 (0 vs. 0) : block_size must be a positive integer value")


def _divide(n: int | None, block: int, what: str, message: str) -> int | None:
    if n is None:
        return None
    rules.require(
        n % block == 0,
        f"{what} ({n % block} vs. 0) : Cannot perform Depth To Space operation on the specified tensor. {message}",
    )
    return n // block


def _depth_to_space_rule(data: PartialShape, *, block_size: int):
    _check_image(data, block_size, "Depth To Space")
    if data is None:
        return [None], [None]
    n, c, h, w = data
    depth = _divide(
        c,
        block_size**2,
        "in_shape[1] % (block * block) == 0",
        "Dimension:1(depth dimension) should be a multiple of 'block^2'",
    )
    return [data], [(n, depth, *(None if s is None else s * block_size for s in (h, w)))]


def _space_to_depth_rule(data: PartialShape, *, block_size: int):
    _check_image(data, block_size, "Space To Depth")
    if data is None:
        return [None], [None]
    n, c, *space = data
    small = [
        _divide(
            s,
            block_size,
            f"in_shape[{i + 2}] % block == 0",
            f"Dimension:{i + 2}({('1st', '2nd')[i]} Space dimension) should be a multiple of 'block' ",
        )
        for i, s in enumerate(space)
    ]
    return [data], [(n, None if c is None else c * block_size**2, *small)]


@operator("depth_to_space")
def depth_to_space(xp, data: Array, block_size: int = REQUIRED):
    """Rearrange groups of ``block_size**2`` channels into squares of pixels."""
    target = _depth_to_space_rule(data.shape, block_size=block_size)[1][0]
    n, c, h, w = data.shape
    b = block_size
    return data.reshape(n, b, b, c // (b * b), h, w).transpose(0, 3, 4, 1, 5, 2).reshape(target)


@operator("space_to_depth")
def space_to_depth(xp, data: Array, block_size: int = REQUIRED):
    """Rearrange squares of ``block_size**2`` pixels into channels."""
    target = _space_to_depth_rule(data.shape, block_size=block_size)[1][0]
    n, c, h, w = data.shape
    b = block_size
    return data.reshape(n, c, h // b, b, w // b, b).transpose(0, 3, 5, 1, 2, 4).reshape(target)


depth_to_space.names_inputs = True
depth_to_space.infer_shape(_depth_to_space_rule)
depth_to_space.infer_type(rules.same_type)
depth_to_space.gradient(lambda F, dy, y, data, *, block_size: [F.space_to_depth(dy, block_size=block_size)])
space_to_depth.names_inputs = True
space_to_depth.infer_shape(_space_to_depth_rule)
space_to_depth.infer_type(rules.same_type)
space_to_depth.gradient(lambda F, dy, y, data, *, block_size: [F.depth_to_space(dy, block_size=block_size)])

# --- windows and columns -------------------------------------------------------------------------


class _Windows:
    """The windows of an image with one, two, or three spatial axes."""

    def __init__(
        self,
        space: tuple[Any, ...],
        kernel: tuple[int, ...],
        stride: tuple[int, ...],
        dilate: tuple[int, ...],
        pad: tuple[int, ...],
    ) -> None:
        rank = len(kernel)
        rules.require(
            known_size(kernel) != 0,
            f"param.kernel.Size() > 0U (0 vs. 0) : incorrect kernel size: {format_shape(kernel)}",
        )
        rules.require(len(space) == rank, f"param.kernel.ndim() == dshape.ndim() - 2 ({rank} vs. {len(space)}) : ")
        self.kernel = kernel
        self.stride = stride or (1,) * rank
        self.dilate = dilate or (1,) * rank
        self.pad = pad or (0,) * rank
        self.padded = [None if n is None else n + 2 * p for n, p in zip(space, self.pad, strict=True)]
        self.counts: list[int | None] = []
        for n, k, s, d in zip(self.padded, kernel, self.stride, self.dilate, strict=True):
            reach = d * (k - 1) + 1
            rules.require(
                n is None or reach <= n,
                f"dilated_kernel_size <= pad_size ({reach} vs. {n}) : kernel size exceed input",
            )
            self.counts.append(None if n is None else (n - reach) // s + 1)

    @property
    def count(self) -> int | None:
        """The number of windows; None if it is unknown."""
        return known_size(self.counts)

    @property
    def interior(self) -> tuple[slice, ...]:
        """The index of the image inside the padded image."""
        return (slice(None), slice(None), *(slice(p, -p or None) for p in self.pad))

    def positions(self) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...]]]:
        """Yield each position in a window, and the strided slices of the elements at this position in all windows."""
        for position in itertools.product(*map(range, self.kernel)):
            seen = [
                slice(i * d, i * d + s * (m - 1) + 1, s)  # type: ignore[operator]
                for i, d, s, m in zip(position, self.dilate, self.stride, self.counts, strict=True)
            ]
            yield position, (slice(None), slice(None), *seen)


@operator("im2col")
def im2col(xp, data: Array, kernel: Shape = REQUIRED, stride: Shape = (), dilate: Shape = (), pad: Shape = ()):
    """Return the windows of a convolution as columns.

    Parameters
    ----------
    data : NDArray or Symbol
        The images, of shape ``(batch, channel, *space)``.
    kernel : tuple of int
        The size of a window along each axis in ``space``; one, two, or three numbers.
    stride, dilate, pad : tuple of int
        The stride, dilation, and padding of the convolution, for each axis.

    Returns
    -------
    NDArray or Symbol
        The columns, of shape ``(batch, channel * prod(kernel), number of windows)``.
    """
    n, c, *space = data.shape
    windows = _Windows(tuple(space), kernel, stride, dilate, pad)
    if any(windows.pad):
        image = xp.zeros((n, c, *windows.padded), dtype=data.dtype)
        image[windows.interior] = data
    else:
        image = data
    columns = xp.empty((n, c, *kernel, *windows.counts), dtype=data.dtype)
    for position, seen in windows.positions():
        columns[(slice(None), slice(None), *position)] = image[seen]
    return columns.reshape(n, c * known_size(kernel), windows.count)  # type: ignore[operator]


im2col.names_outputs = True


@im2col.infer_shape
def _(data, *, kernel, stride, dilate, pad):
    if data is None:
        return [None], [None]
    n, c, *space = data
    windows = _Windows(tuple(space), kernel, stride, dilate, pad)
    return [data], [(n, None if c is None else c * known_size(kernel), windows.count)]


im2col.infer_type(rules.same_type)
im2col.gradient(
    lambda F, dy, y, data, *, kernel, stride, dilate, pad: [
        F._backward_im2col(dy, data, kernel=kernel, stride=stride, dilate=dilate, pad=pad)
    ]
)


def _roll_back(xp: Any, columns: Any, space: tuple[int, ...], windows: _Windows) -> Any:
    """Add every element of the columns to the pixel from which it was copied."""
    n = columns.shape[0]
    entries = known_size(windows.kernel)
    assert entries is not None
    c = columns.shape[1] // entries
    folded = columns.reshape(n, c, *windows.kernel, *windows.counts)
    image = xp.zeros((n, c, *windows.padded), dtype=columns.dtype)
    for position, seen in windows.positions():
        image[seen] += folded[(slice(None), slice(None), *position)]
    return image[windows.interior]


@operator("_backward_im2col")
def im2col_backward(
    xp,
    dy: Array,
    like: Array,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
):
    """Return the gradient of ``im2col``, which adds columns to images."""
    space = like.shape[2:]
    return _roll_back(xp, dy, space, _Windows(space, kernel, stride, dilate, pad))


im2col_backward.infer_shape(lambda dy, like, **_: ([dy, like], [like]))
im2col_backward.infer_type(rules.type_of_first)
im2col_backward.gradient(
    lambda F, dy, y, grad, like, *, kernel, stride, dilate, pad: [
        F.im2col(dy, kernel=kernel, stride=stride, dilate=dilate, pad=pad),
        None,
    ]
)


def _col2im_rule(data: PartialShape, *, output_size: Any, kernel: Any, stride: Any, dilate: Any, pad: Any):
    windows = _Windows(output_size, kernel, stride, dilate, pad)
    if data is None:
        return [(None, None, windows.count)], [(None, None, *output_size)]
    n, rows, columns = data
    entries = known_size(kernel)
    assert entries is not None
    rules.require(
        rows is None or rows % entries == 0,
        f"dshape[1] % param.kernel.Size() == 0 ({(rows or 0) % entries} vs. 0) : "
        "the second dim of input shape should be multiples of kernel size",
    )
    rules.require(
        columns in (None, windows.count),
        f"dshape[2] == out_dim ({columns} vs. {windows.count}) : output size does not match convolution parameters",
    )
    return [(n, rows, windows.count)], [(n, None if rows is None else rows // entries, *output_size)]


@operator("col2im")
def col2im(
    xp,
    data: Array,
    output_size: Shape = REQUIRED,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
):
    """Add columns, as ``im2col`` returns them, to images of size ``output_size``; overlapping elements are summed."""
    _col2im_rule(data.shape, output_size=output_size, kernel=kernel, stride=stride, dilate=dilate, pad=pad)
    return _roll_back(xp, data, output_size, _Windows(output_size, kernel, stride, dilate, pad))


col2im.names_outputs = True
col2im.infer_shape(_col2im_rule)
col2im.infer_type(rules.same_type)
col2im.gradient(
    lambda F, dy, y, data, *, output_size, kernel, stride, dilate, pad: [
        F.im2col(dy, kernel=kernel, stride=stride, dilate=dilate, pad=pad)
    ]
)
