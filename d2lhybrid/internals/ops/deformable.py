"""Deformable convolution, in which every element of a window is read at an offset that another layer computes.

The elements that windows read, by bilinear interpolation, become columns (``_deformable_columns``), and the convolution
is a product of matrices. Version 1 reads zeros before the image, and the last row or column after the image. Version 2
multiplies the elements by a mask, and interpolates to zero within one element outside of the image.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from ..core.infer import require
from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules
from .conv import add_bias, check_attributes, check_data
from .nn import check_bias, complete_parameter, require_uniform_type
from .not_differentiable import not_differentiable
from .portable import add_at
from .unfold import Windows, windows

FAMILY = "convolution"
MEANINGS = {
    "kernel": "The height and width of a window.",
    "stride": "The strides of the windows; 1 by default.",
    "dilate": "The distance between elements of a window; 1 by default.",
    "pad": "The number of zeros at both ends of each spatial axis; 0 by default.",
    "num_filter": "The number of filters, which is the number of channels of the result.",
    "num_group": "The number of groups into which channels and filters are divided.",
    "no_bias": "Whether the layer has no bias.",
    "layout": "The order of the axes; only ``NCHW`` is supported.",
    "num_deformable_group": "The number of groups of channels with separate offsets.",
    "workspace": "Ignored.",
    "im2col_step": "Ignored.",
    "clamped": "Whether the operator is version 1, which has no mask.",
}


class _Corner(NamedTuple):
    """One of the four elements around every position that a window reads.

    Attributes
    ----------
    place : array
        The index of the element in its flattened image, 0 outside of the image, of shape ``(batch, group, window
        elements and positions)``.
    weight, by_row, by_column : array
        The weight of the element, 0 outside of the image, and its derivatives with respect to the row and the column of
        the position.
    """

    place: Any
    weight: Any
    by_row: Any
    by_column: Any


def _corners(xp: Any, data: Any, offset: Any, w: Windows, groups: int, clamped: bool) -> Iterator[_Corner]:
    """Yield the elements around the positions that windows read."""
    n, _, height, width = data.shape
    count = math.prod(w.kernel)
    offset = offset.reshape(n, groups, count, 2, *w.output)
    starts = []
    for axis in (0, 1):
        elements = xp.arange(w.kernel[axis]) * w.dilate[axis]
        positions = xp.arange(w.output[axis]) * w.stride[axis] - w.pad[axis]
        starts.append((elements[:, None] + positions).astype(offset.dtype))
    rows = xp.repeat(starts[0], w.kernel[1], axis=0)[:, :, None] + offset[:, :, :, 0]
    columns = xp.tile(starts[1], (w.kernel[0], 1))[:, None, :] + offset[:, :, :, 1]
    rows, columns = (x.reshape(n, groups, math.prod(x.shape[2:])) for x in (rows, columns))
    read = (rows >= 0) & (columns >= 0) if clamped else (rows > -1) & (columns > -1)
    read &= (rows < height) & (columns < width)
    moves_row, moves_column = read, read
    if clamped:
        moves_row, moves_column = read & (rows < height - 1), read & (columns < width - 1)
        rows, columns = xp.minimum(rows, height - 1), xp.minimum(columns, width - 1)
    top, left = xp.floor(rows), xp.floor(columns)
    zero = data.dtype.type(0)
    for down in (0, 1):
        for right in (0, 1):
            row, column = top + down, left + right
            inside = read & (row >= 0) & (column >= 0) & (row < height) & (column < width)
            place = xp.where(inside, row * width + column, 0).astype(int)
            across, along = 1 - xp.abs(columns - column), 1 - xp.abs(rows - row)
            yield _Corner(
                place,
                xp.where(inside, along * across, zero),
                xp.where(inside & moves_row, (2 * down - 1) * across, zero),
                xp.where(inside & moves_column, (2 * right - 1) * along, zero),
            )


def _grouped(data: Any, groups: int) -> Any:
    n, channels = data.shape[:2]
    return data.reshape(n, groups, channels // groups, math.prod(data.shape[2:]))


def _at(xp: Any, data: Any, place: Any) -> Any:
    """Return the elements at positions, as ``(batch, group, channel, positions)``."""
    n, groups, channels, _ = data.shape
    place = xp.broadcast_to(place[:, :, None], (n, groups, channels, place.shape[-1]))
    return xp.take_along_axis(data, place, axis=3)


# --- columns --------------------------------------------------------------------------------------


@operator("_deformable_columns", fresh=True)
def deformable_columns(
    xp,
    data: Array,
    offset: Array,
    mask: Array | None = None,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_deformable_group: int = 1,
    clamped: bool = True,
):
    """Return the elements that deformed windows read, as ``(batch, channels * window elements, height, width)``."""
    w = windows(data.shape[2:], kernel, stride, dilate, pad)
    values = _grouped(data, num_deformable_group)
    total: Any = None
    for corner in _corners(xp, data, offset, w, num_deformable_group, clamped):
        part = _at(xp, values, corner.place) * corner.weight[:, :, None]
        total = part if total is None else xp.add(total, part, out=total)
    if mask is not None:
        total = total * mask.reshape(len(data), num_deformable_group, 1, total.shape[-1])
    return total.reshape(len(data), data.shape[1] * math.prod(kernel), *w.output)


@deformable_columns.infer_shape
def _(data, offset, mask=None, *, kernel, stride, dilate, pad, num_deformable_group, clamped):
    given = [data, offset] if clamped else [data, offset, mask]
    if data is None:
        return given, [None]
    rows = None if data[1] is None else data[1] * math.prod(kernel)
    return given, [(data[0], rows, *_output(data, kernel, stride, dilate, pad))]


deformable_columns.infer_type(rules.same_type)


@deformable_columns.gradient
def _(F, dy, y, data, offset, mask=None, **attributes):
    given = [dy, data, offset] if mask is None else [dy, data, offset, mask]
    return list(F._backward_deformable_columns(*given, **attributes))


@operator("_backward_deformable_columns", fresh=True, outputs=lambda clamped, **_: 2 if clamped else 3)
def deformable_columns_gradient(
    xp,
    dy: Array,
    data: Array,
    offset: Array,
    mask: Array | None = None,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_deformable_group: int = 1,
    clamped: bool = True,
):
    """Return the gradients of deformed columns with respect to the data, the offsets, and the mask."""
    w = windows(data.shape[2:], kernel, stride, dilate, pad)
    n, groups = len(data), num_deformable_group
    values = _grouped(data, groups)
    places = math.prod(kernel) * math.prod(w.output)
    arriving = dy.reshape(*values.shape[:3], places)
    weights = None if mask is None else mask.reshape(n, groups, 1, places)
    weighted = arriving if weights is None else arriving * weights
    of_data = xp.zeros_like(values)
    of_rows: Any = 0
    of_columns: Any = 0
    of_mask: Any = 0
    images, grouped, channels = (xp.arange(size) for size in values.shape[:3])
    key = (images[:, None, None, None], grouped[:, None, None], channels[:, None])
    for corner in _corners(xp, data, offset, w, groups, clamped):
        read = _at(xp, values, corner.place)
        add_at(xp, of_data, (*key, corner.place[:, :, None]), weighted * corner.weight[:, :, None])
        slope = (weighted * read).sum(axis=2)
        rows, columns = slope * corner.by_row, slope * corner.by_column
        of_rows = of_rows + rows
        of_columns = of_columns + columns
        if mask is not None:
            of_mask = of_mask + (arriving * read).sum(axis=2) * corner.weight
    count = math.prod(kernel)
    both = xp.stack([part.reshape(n, groups, count, *w.output) for part in (of_rows, of_columns)], axis=3)
    results = [of_data.reshape(data.shape), both.reshape(offset.shape)]
    return results if mask is None else [*results, of_mask.reshape(mask.shape)]


deformable_columns_gradient.infer_shape(
    lambda dy, data, offset, mask=None, *, clamped, **_: (
        ([dy, data, offset], [data, offset]) if clamped else ([dy, data, offset, mask], [data, offset, mask])
    )
)
deformable_columns_gradient.infer_type(lambda *types, **_: (rules.same_type(*types)[0], rules.same_type(*types)[0][1:]))
not_differentiable(deformable_columns_gradient)


# --- the convolution ------------------------------------------------------------------------------


def _output(data: Any, kernel: Any, stride: Any, dilate: Any, pad: Any) -> list[int | None]:
    """Return the numbers of window positions."""
    output: list[int | None] = []
    for i, n in enumerate(data[2:]):
        extent = (kernel[i] - 1) * (dilate[i] if dilate else 1) + 1
        whole = None if n is None else n + 2 * (pad[i] if pad else 0)
        require(
            whole is None or extent <= whole,
            f"dilated_ksize <= padded size ({extent} vs. {whole}) : kernel size exceed input",
        )
        output.append(None if whole is None else (whole - extent) // (stride[i] if stride else 1) + 1)
    return output


def _rule(shapes: list[Any], masked: bool, **attributes: Any) -> tuple[list[Any], list[Any]]:
    """Return the completed shapes of data, offsets, mask, weight, and bias, and the shape of the result."""
    kernel, groups, filters = attributes["kernel"], attributes["num_group"], attributes["num_filter"]
    window = {name: attributes[name] for name in ("kernel", "stride", "dilate", "pad")}
    places = attributes["num_deformable_group"]
    require(len(kernel) == 2, f"param_.kernel.ndim() == 2U ({len(kernel)} vs. 2) : kernel must be (height, width)")
    check_attributes(kernel, filters, groups, stride=window["stride"], dilate=window["dilate"], pad=window["pad"])
    require(places > 0, f"num_deformable_group > 0 ({places} vs. 0) : num_deformable_group must be positive")
    data, offset, *rest = shapes
    weight_at = 1 if masked else 0
    if data is not None:
        check_data("dshape", data, kernel, groups, data[1], "dshape")
        require(
            data[1] is None or data[1] % places == 0,
            f"dshape[1] % num_deformable_group == 0U ({(data[1] or 0) % places} vs. 0) : "
            "input num_filter must divide deformable group size",
        )
        output = _output(data, **window)
        count = math.prod(kernel) * places
        offset = rules.unify(offset, (data[0], 2 * count, *output))
        if masked:
            rest[0] = rules.unify(rest[0], (data[0], count, *output))
        channels = None if data[1] is None else data[1] // groups
        rest[weight_at] = complete_parameter(rest[weight_at], (filters, channels, *kernel))
    if len(rest) > weight_at + 1:
        rest[weight_at + 1] = complete_parameter(rest[weight_at + 1], (filters,))
    result = None if data is None else (data[0], filters, *_output(data, **window))
    return [data, offset, *rest], [result]


def _convolve(xp: Any, columns: Any, weight: Any, bias: Any, groups: int) -> Any:
    n, _, height, width = columns.shape
    filters, rows = weight.shape[0], math.prod(weight.shape[1:])
    matrix = weight.reshape(groups, filters // groups, rows)
    y = xp.matmul(matrix, columns.reshape(n, groups, rows, height * width)).reshape(n, filters, height, width)
    return y if bias is None else add_bias(xp, y, bias, None)


def _gradient(F: Any, dy: Any, data: Any, offset: Any, mask: Any, weight: Any, bias: Any, clamped: bool, **a: Any):
    """Return the gradients of all inputs; those of the weight and the columns are matrix products."""
    groups = a["num_group"]
    names = ("kernel", "stride", "dilate", "pad", "num_deformable_group")
    window = {**{name: a[name] for name in names}, "clamped": clamped}
    given = [data, offset] if mask is None else [data, offset, mask]
    columns = F._deformable_columns(*given, **window)

    def stacked(x: Any) -> Any:  # (group, rows, batch, positions)
        return F.transpose(F.Reshape(x, shape=(0, -4, groups, -1, -3)), axes=(1, 2, 0, 3))

    own, arriving = stacked(columns), F.Reshape(stacked(dy), shape=(0, 0, -3))
    matrix = F.Reshape(F.Reshape(weight, shape=(0, -1)), shape=(-4, groups, -1, 0))
    of_weight = F.batch_dot(arriving, F.Reshape(own, shape=(0, 0, -3)), transpose_b=True)
    of_columns = F.reshape_like(F.batch_dot(matrix, arriving, transpose_a=True), own)
    of_columns = F.reshape_like(F.transpose(of_columns, axes=(2, 0, 1, 3)), columns)
    found = [*F._backward_deformable_columns(of_columns, *given, **window), F.reshape_like(of_weight, weight)]
    return found if bias is None else [*found, F.sum(dy, axis=1, exclude=True)]


@operator("_contrib_DeformableConvolution", threaded=True, fresh=True)
def deformable_convolution(
    xp,
    data: Array,
    offset: Array,
    weight: Array,
    bias: Array | None = None,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: int = REQUIRED,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    layout: Literal["NCDHW", "NCHW", "NCW"] | None = None,
):
    """Apply a convolution whose windows read elements at positions shifted by offsets.

    Parameters
    ----------
    data : NDArray or Symbol
        The images, of shape ``(batch, channel, height, width)``.
    offset : NDArray or Symbol
        The offsets in rows and columns, for each group of channels and each element of the window, of shape
        ``(batch, groups * elements * 2, result height, result width)``.
    weight, bias : NDArray or Symbol
        The filters, of shape ``(num_filter, channels / num_group, *kernel)``, and the bias, of shape ``(num_filter,)``.
    """
    check_bias("DeformableConvolution", bias, no_bias)
    require_uniform_type("dtype", ("data", "offset", "weight", "bias"), *_types(data, offset, weight, bias))
    given = [data, offset, weight] if bias is None else [data, offset, weight, bias]
    _rule(
        [a.shape for a in given], False, kernel=kernel, stride=stride, dilate=dilate, pad=pad, num_filter=num_filter,
        num_group=num_group, num_deformable_group=num_deformable_group,
    )  # fmt: skip
    columns = deformable_columns.kernel(xp, data, offset, None, kernel, stride, dilate, pad, num_deformable_group, True)
    return _convolve(xp, columns, weight, bias, num_group)


def _types(*arrays: Any) -> list[Any]:
    return [a.dtype for a in arrays if a is not None]


deformable_convolution.names_outputs = True
deformable_convolution.precision = "single"
deformable_convolution.infer_shape(lambda *shapes, **attributes: _rule(list(shapes), False, **attributes))
deformable_convolution.infer_type(rules.same_type)
deformable_convolution.input_names(
    lambda *, no_bias, **_: ["data", "offset", "weight"] if no_bias else ["data", "offset", "weight", "bias"]
)


@deformable_convolution.gradient
def _(F, dy, y, data, offset, weight, bias=None, **attributes):
    return _gradient(F, dy, data, offset, None, weight, bias, True, **attributes)


@operator("_contrib_ModulatedDeformableConvolution", threaded=True, fresh=True)
def modulated_deformable_convolution(
    xp,
    data: Array,
    offset: Array,
    mask: Array,
    weight: Array,
    bias: Array | None = None,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: int = REQUIRED,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    im2col_step: int = 64,
    layout: Literal["NCDHW", "NCHW", "NCW"] | None = None,
):
    """Apply a convolution whose windows read elements at positions shifted by offsets, weighted by a mask.

    Parameters
    ----------
    data, offset, weight, bias : NDArray or Symbol
        As for ``DeformableConvolution``.
    mask : NDArray or Symbol
        The weight of each element of a window, of shape ``(batch, groups * elements, result height, result width)``.
    """
    check_bias("ModulatedDeformableConvolution", bias, no_bias)
    require_uniform_type(
        "dtype", ("data", "offset", "mask", "weight", "bias"), *_types(data, offset, mask, weight, bias)
    )
    given = [data, offset, mask, weight] if bias is None else [data, offset, mask, weight, bias]
    _rule(
        [a.shape for a in given], True, kernel=kernel, stride=stride, dilate=dilate, pad=pad, num_filter=num_filter,
        num_group=num_group, num_deformable_group=num_deformable_group,
    )  # fmt: skip
    columns = deformable_columns.kernel(
        xp, data, offset, mask, kernel, stride, dilate, pad, num_deformable_group, False
    )
    return _convolve(xp, columns, weight, bias, num_group)


modulated_deformable_convolution.names_outputs = True
modulated_deformable_convolution.infer_shape(lambda *shapes, **attributes: _rule(list(shapes), True, **attributes))
modulated_deformable_convolution.infer_type(rules.same_type)
modulated_deformable_convolution.input_names(
    lambda *, no_bias, **_: ["data", "offset", "mask", "weight"] + ([] if no_bias else ["bias"])
)


@modulated_deformable_convolution.gradient
def _(F, dy, y, data, offset, mask, weight, bias=None, **attributes):
    return _gradient(F, dy, data, offset, mask, weight, bias, False, **attributes)
