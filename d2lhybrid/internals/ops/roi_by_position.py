"""The position-sensitive pooling of regions in R-FCN, and its deformable version.

A region is a row ``(image index, x1, y1, x2, y2)`` in the coordinates of the input image; its corners are rounded. A
region is divided into parts, and part ``(p, q)`` of result channel ``c`` reads channel ``(c * group_size + g) *
group_size + h``, where ``(g, h)`` is the group of the part. The value of a part is a sum of elements with weights for
rows and columns, so two matrix products compute one part of all regions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..core.infer import require
from ..core.operator import REQUIRED, Array, operator
from . import rules
from .not_differentiable import not_differentiable
from .roi import images_of, only_there

FAMILY = "pooling"
MEANINGS = {
    "rois": "The regions, of shape ``(number, 5)``: image, x1, y1, x2, y2.",
    "spatial_scale": "The size of ``data`` divided by the size of the image to which the coordinates refer.",
    "output_dim": "The number of channels of the result.",
    "pooled_size": "The number of parts in each direction.",
    "part_size": "The number of rows, and of columns, of ``trans``; 0 for the number of parts.",
    "sample_per_part": "The number of points along each side of a part.",
    "trans_std": "The number by which the offsets in ``trans`` are multiplied.",
    "no_trans": "Whether to ignore the offsets.",
}


class _Part(NamedTuple):
    """The elements that one part of every region reads.

    Attributes
    ----------
    place : (int, int)
        The row and column of the part.
    channels : array
        The channel of the data for each channel of the result.
    down, across : array
        The weights of rows and columns, of shape ``(region, class, element)``; ``down`` includes the divisors of means.
    """

    place: tuple[int, int]
    channels: Any
    down: Any
    across: Any


def _corners(xp: Any, data: Any, rois: Any, scale: float, offset: float) -> tuple[Any, Any, Any, Any]:
    """Return the left and top edges of regions, and their widths and heights."""
    rounded = xp.trunc(rois[:, 1:] + xp.copysign(rois.dtype.type(0.5), rois[:, 1:]))  # halves away from zero
    kind = data.dtype.type
    x1, y1 = (rounded[:, i] * kind(scale) - kind(offset) for i in (0, 1))
    x2, y2 = ((rounded[:, i] + kind(1)) * kind(scale) - kind(offset) for i in (2, 3))
    return x1, y1, xp.maximum(x2 - x1, kind(0.1)), xp.maximum(y2 - y1, kind(0.1))


def _group(part: int, parts: int, groups: int) -> int:
    return min(part * groups // parts, groups - 1)


def _channels(xp: Any, place: tuple[int, int], parts: int, groups: int, count: int) -> Any:
    down, across = (_group(p, parts, groups) for p in place)
    return (xp.arange(count) * groups + down) * groups + across


def _read(xp: Any, data: Any, image: Any, part: _Part) -> Any:
    """Return the values that a part reads in every region, as ``(region, channel)``."""
    regions, classes, _ = part.down.shape
    planes = data[image[:, None], part.channels]
    planes = planes.reshape(regions, classes, len(part.channels) // classes, *planes.shape[2:])
    rows = xp.matmul(part.down[:, :, None, None], planes)[..., 0, :]  # (region, class, channel of it, column)
    return xp.matmul(rows, part.across[..., None])[..., 0].reshape(regions, len(part.channels))


def _spread(xp: Any, total: Any, heads: Any, image: Any, part: _Part) -> None:
    """Add the contribution of a part to the gradient of the data; each region contributes to its image."""
    regions, classes, height = part.down.shape
    count, width = len(part.channels), part.across.shape[-1]
    heads = heads.reshape(regions, classes, count // classes, 1, 1)
    planes = heads * part.down[:, :, None, :, None] * part.across[:, :, None, None, :]
    planes = planes.reshape(regions, count * height * width)
    of_image = (image == xp.arange(len(total))[:, None]).astype(planes.dtype)
    sums = xp.matmul(of_image, planes)
    total[:, part.channels] += sums.reshape(len(total), count, height, width)


def _result(data: Any, rois: Any, output_dim: int, pooled_size: int, group_size: int) -> tuple[Any, ...]:
    """Check the shapes and return the shape of the result."""
    if data is not None:
        require(len(data) == 4, f"dshape.ndim() == 4U ({len(data)} vs. 4) : data should be a 4D tensor")
        needed = output_dim * group_size**2
        require(
            data[1] is None or data[1] >= needed,
            f"dshape[1] >= output_dim * group_size * group_size ({data[1]} vs. {needed}) : data has too few channels",
        )
    if rois is not None:
        require(
            len(rois) == 2 and rois[1] in (None, 5),
            "bshape.ndim() == 2U : bbox should be a 2D tensor of shape [batch, 5]",
        )
    return (None if rois is None else rois[0], output_dim, pooled_size, pooled_size)


# --- means of whole elements -----------------------------------------------------------------------


def _elements(xp: Any, start: Any, extent: Any, part: int, parts: int, length: int) -> tuple[Any, Any]:
    """Return the mask of the elements of an axis that a part of each region contains, and their number."""
    step = extent / extent.dtype.type(parts)
    first = xp.clip(xp.floor(extent.dtype.type(part) * step + start), 0, length)
    last = xp.clip(xp.ceil(extent.dtype.type(part + 1) * step + start), 0, length)
    places = xp.arange(length, dtype=first.dtype)
    chosen = (places >= first[:, None]) & (places < last[:, None])
    return chosen.astype(extent.dtype)[:, None], xp.where(last > first, last - first, 0)  # none for NaN


def _whole_parts(xp: Any, data: Any, rois: Any, scale: float, count: int, parts: int, groups: int) -> Iterator[_Part]:
    left, top, width, height = _corners(xp, data, rois, scale, 0.0)
    for p in range(parts):
        rows, n_rows = _elements(xp, top, height, p, parts, data.shape[2])
        for q in range(parts):
            columns, n_columns = _elements(xp, left, width, q, parts, data.shape[3])
            number = xp.maximum(n_rows * n_columns, 1)[:, None, None]
            yield _Part((p, q), _channels(xp, (p, q), parts, groups, count), rows / number, columns)


@operator("_contrib_PSROIPooling", threaded=True, fresh=True)
def psroi_pooling(
    xp,
    data: Array,
    rois: Array,
    spatial_scale: float = REQUIRED,
    output_dim: int = REQUIRED,
    pooled_size: int = REQUIRED,
    group_size: int = 0,
):
    """Divide each region of interest into parts, and return the mean of each part from its own channels.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, output_dim * group_size * group_size, height, width)``.
    group_size : int
        The number of groups in each direction, each with its own channels; 0 for the number of parts.

    Examples
    --------
    >>> data = nd.array([[[[1, 2], [3, 4]]]])
    >>> nd.contrib.PSROIPooling(data, nd.array([[0, 0, 0, 1, 1]]), spatial_scale=1, output_dim=1, pooled_size=1)
    <BLANKLINE>
    [[[[2.5]]]]
    <NDArray 1x1x1x1 @cpu(0)>
    """
    y = xp.empty((len(rois), output_dim, pooled_size, pooled_size), data.dtype)
    image, there = images_of(xp, rois, len(data))
    for part in _whole_parts(xp, data, rois, spatial_scale, output_dim, pooled_size, group_size or pooled_size):
        y[:, :, part.place[0], part.place[1]] = _read(xp, data, image, part)
    return only_there(xp, there, y)


@psroi_pooling.infer_shape
def _(data, rois, *, spatial_scale, output_dim, pooled_size, group_size):
    return [data, rois], [_result(data, rois, output_dim, pooled_size, group_size or pooled_size)]


psroi_pooling.names_outputs = psroi_pooling.lenient = True
psroi_pooling.infer_type(rules.same_type)


@psroi_pooling.gradient
def _(F, dy, y, data, rois, **attributes):
    return [F._backward_PSROIPooling(dy, data, rois, **attributes), None]


@operator("_backward_PSROIPooling", threaded=True, fresh=True)
def psroi_pooling_gradient(
    xp,
    dy: Array,
    data: Array,
    rois: Array,
    spatial_scale: float = REQUIRED,
    output_dim: int = REQUIRED,
    pooled_size: int = REQUIRED,
    group_size: int = 0,
):
    """Return the gradient of PSROIPooling with respect to the images."""
    total = xp.zeros_like(data)
    image, there = images_of(xp, rois, len(data))
    dy = only_there(xp, there, dy)
    for part in _whole_parts(xp, data, rois, spatial_scale, output_dim, pooled_size, group_size or pooled_size):
        _spread(xp, total, dy[:, :, part.place[0], part.place[1]], image, part)
    return total


psroi_pooling_gradient.infer_shape(lambda dy, data, rois, **_: ([dy, data, rois], [data]))
psroi_pooling_gradient.infer_type(lambda dy, data, rois, **_: ([dy, data, rois], [data]))
not_differentiable(psroi_pooling_gradient)


# --- means of points between elements, moved by offsets --------------------------------------------


class _Points(NamedTuple):
    """The sampling points of one axis in a part, for every region and class.

    Attributes
    ----------
    weights, slopes : array
        The weights of the elements, of shape ``(region, class, element)``, and their derivatives with respect to the
        position of the points.
    count : array
        The number of points inside the image, of shape ``(region, class)``.
    """

    weights: Any
    slopes: Any
    count: Any


def _points(xp: Any, start: Any, step: Any, samples: int, length: int) -> _Points:
    kind = start.dtype
    position = start[..., None] + xp.arange(samples, dtype=kind) * step[:, None, None]
    inside = ((position >= -0.5) & (position <= length - 0.5)).astype(kind)
    position = xp.clip(position, 0, length - 1)
    before, after = xp.floor(position), xp.ceil(position)
    part = (position - before)[..., None]
    places = xp.arange(length, dtype=kind)
    low, high = ((edge[..., None] == places).astype(kind) * inside[..., None] for edge in (before, after))
    return _Points(((1 - part) * low + part * high).sum(axis=2), (high - low).sum(axis=2), inside.sum(axis=2))


class _Moved(NamedTuple):
    """A moved part, and the values for the gradients of its offsets."""

    part: _Part
    cell: tuple[int, int]
    by_x: _Part
    by_y: _Part


def _moved_parts(xp: Any, data: Any, rois: Any, trans: Any, a: dict[str, Any]) -> Iterator[_Moved]:
    """Yield every part, with the weights that give the derivatives with respect to its offsets."""
    kind = data.dtype.type
    parts, samples = a["pooled_size"], a["sample_per_part"]
    cells = a["part_size"] or parts
    left, top, width, height = _corners(xp, data, rois, a["spatial_scale"], 0.5)
    wide, tall = width / kind(parts), height / kind(parts)
    classes = 1 if trans is None else trans.shape[1] // 2
    for p in range(parts):
        for q in range(parts):
            cell = (p * cells // parts, q * cells // parts)
            x, y = (kind(q) * wide + left)[:, None], (kind(p) * tall + top)[:, None]
            if trans is not None:
                moves = trans[:, :, cell[0], cell[1]].reshape(len(rois), classes, 2) * kind(a["trans_std"])
                x, y = x + moves[:, :, 0] * width[:, None], y + moves[:, :, 1] * height[:, None]
            columns = _points(xp, x, wide / kind(samples), samples, data.shape[3])
            rows = _points(xp, y, tall / kind(samples), samples, data.shape[2])
            number = xp.maximum(rows.count * columns.count, 1)[..., None]
            channels = _channels(xp, (p, q), parts, a["group_size"], a["output_dim"])
            down = rows.weights / number
            scale = kind(a["trans_std"])
            yield _Moved(
                _Part((p, q), channels, down, columns.weights),
                cell,
                _Part((p, q), channels, down * (scale * width)[:, None, None], columns.slopes),
                _Part((p, q), channels, rows.slopes / number * (scale * height)[:, None, None], columns.weights),
            )


@operator("_contrib_DeformablePSROIPooling", threaded=True, fresh=True)
def deformable_psroi_pooling(
    xp,
    data: Array,
    rois: Array,
    trans: Array | None = None,
    spatial_scale: float = REQUIRED,
    output_dim: int = REQUIRED,
    group_size: int = REQUIRED,
    pooled_size: int = REQUIRED,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: float = 0.0,
    no_trans: bool = False,
):
    """Divide each region of interest into parts shifted by offsets, and return the mean of points in each part.

    Parameters
    ----------
    data : array
        The images, of shape ``(batch, output_dim * group_size * group_size, height, width)``.
    trans : array, optional
        The horizontal and vertical offsets, of shape ``(number, 2 * classes, part_size, part_size)``, which are
        multiplied by ``trans_std`` and the size of the region.
    group_size : int
        The number of groups in each direction, each with its own channels.

    Examples
    --------
    >>> data, rois = nd.array([[[[1, 2], [3, 4]]]]), nd.array([[0, 0, 0, 1, 1]])
    >>> nd.contrib.DeformablePSROIPooling(
    ...     data, rois, no_trans=True, spatial_scale=1, output_dim=1, group_size=1, pooled_size=1, sample_per_part=2
    ... )
    <BLANKLINE>
    [[[[1.75]]]]
    <NDArray 1x1x1x1 @cpu(0)>
    """
    y = xp.empty((len(rois), output_dim, pooled_size, pooled_size), data.dtype)
    image, there = images_of(xp, rois, len(data))
    a = {"spatial_scale": spatial_scale, "output_dim": output_dim, "group_size": group_size, "trans_std": trans_std}
    a |= {"pooled_size": pooled_size, "part_size": part_size, "sample_per_part": sample_per_part}
    for moved in _moved_parts(xp, data, rois, None if no_trans else trans, a):
        p, q = moved.part.place
        y[:, :, p, q] = _read(xp, data, image, moved.part)
    return only_there(xp, there, y)


deformable_psroi_pooling.names_outputs = deformable_psroi_pooling.lenient = True
deformable_psroi_pooling.hidden_in_mxnet = 1  # the number of points of each part
deformable_psroi_pooling.infer_type(rules.same_type)
deformable_psroi_pooling.input_names(
    lambda *, no_trans, **_: ["data", "rois"] if no_trans else ["data", "rois", "trans"]
)


@deformable_psroi_pooling.infer_shape
def _(data, rois, trans=None, *, output_dim, group_size, pooled_size, part_size, no_trans, **attributes):
    y = _result(data, rois, output_dim, pooled_size, group_size)
    if no_trans:
        return [data, rois], [y]
    cells = part_size or pooled_size
    trans = rules.unify(trans, (y[0], None, cells, cells))
    require(
        trans is None or trans[1] is None or (trans[1] > 0 and trans[1] % 2 == 0 and output_dim % (trans[1] // 2) == 0),
        f"output_dim % (tshape[1] / 2) == 0 : axis 1 of trans must have twice as many elements as there are classes, "
        f"whose number must divide {output_dim=}, but the shape of trans is {trans}",
    )
    return [data, rois, trans], [y]


@deformable_psroi_pooling.gradient
def _(F, dy, y, data, rois, trans=None, **attributes):
    given = [dy, data, rois] if trans is None else [dy, data, rois, trans]
    found = F._backward_DeformablePSROIPooling(*given, **attributes)
    return [found, None] if trans is None else [found[0], None, found[1]]


@operator(
    "_backward_DeformablePSROIPooling", outputs=lambda no_trans, **_: 1 if no_trans else 2, threaded=True, fresh=True
)
def deformable_psroi_pooling_gradient(
    xp,
    dy: Array,
    data: Array,
    rois: Array,
    trans: Array | None = None,
    spatial_scale: float = REQUIRED,
    output_dim: int = REQUIRED,
    group_size: int = REQUIRED,
    pooled_size: int = REQUIRED,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: float = 0.0,
    no_trans: bool = False,
):
    """Return the gradients of DeformablePSROIPooling with respect to the images and the offsets."""
    image, there = images_of(xp, rois, len(data))
    dy = only_there(xp, there, dy)
    of_data, of_trans = xp.zeros_like(data), None if no_trans else xp.zeros_like(trans)
    a = {"spatial_scale": spatial_scale, "output_dim": output_dim, "group_size": group_size, "trans_std": trans_std}
    a |= {"pooled_size": pooled_size, "part_size": part_size, "sample_per_part": sample_per_part}
    for moved in _moved_parts(xp, data, rois, None if no_trans else trans, a):
        heads = dy[:, :, moved.part.place[0], moved.part.place[1]]
        _spread(xp, of_data, heads, image, moved.part)
        if of_trans is None:
            continue
        classes = of_trans.shape[1] // 2
        for axis, by in enumerate((moved.by_x, moved.by_y)):
            slopes = (heads * _read(xp, data, image, by)).reshape(len(rois), classes, output_dim // classes).sum(axis=2)
            of_trans[:, axis::2, moved.cell[0], moved.cell[1]] += slopes
    return of_data if of_trans is None else [of_data, of_trans]


deformable_psroi_pooling_gradient.infer_shape(
    lambda dy, data, rois, trans=None, *, no_trans, **_: (
        ([dy, data, rois], [data]) if no_trans else ([dy, data, rois, trans], [data, trans])
    )
)
deformable_psroi_pooling_gradient.infer_type(
    lambda dy, data, rois, trans=None, *, no_trans, **_: (
        ([dy, data, rois], [data]) if no_trans else ([dy, data, rois, trans], [data, trans])
    )
)
not_differentiable(deformable_psroi_pooling_gradient)
