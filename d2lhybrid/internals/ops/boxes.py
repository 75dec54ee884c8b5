"""Operators on boxes for object detection: overlap, suppression, matching, and offsets.

A box is four numbers: its corners (left, top, right, bottom), or its center with its width and height.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy

from ..core.infer import require
from ..core.operator import REQUIRED, Array, operator
from . import rules
from .index import bounded_indices, integer_indices
from .not_differentiable import not_differentiable

__all__ = ["greedy_matches", "overlaps", "surviving"]

FAMILY = "other"

#: The largest number of pairs of boxes that one operation compares.
_PAIRS = 1 << 15
#: The number of boxes in a block in NumPy. The boxes of a block are only compared with each other and with later boxes.
_BLOCK = 64

# --- arithmetic that the operators share ------------------------------------------------------------


def _as_corners(xp: Any, boxes: Any, layout: str) -> Any:
    """Return boxes as the coordinates of their corners."""
    if layout == "corner":
        return boxes
    half = boxes[..., 2:] / 2
    return xp.concatenate([boxes[..., :2] - half, boxes[..., :2] + half], axis=-1)


def _as_centers(xp: Any, boxes: Any) -> Any:
    """Return the centers and sizes of boxes whose corners are known."""
    low, high = boxes[..., :2], boxes[..., 2:]
    return xp.concatenate([(low + high) / 2, high - low], axis=-1)


def _areas(xp: Any, boxes: Any, layout: str) -> Any:
    """Return the areas of boxes; a box with reversed corners has area 0."""
    sides = boxes[..., 2:] - boxes[..., :2] if layout == "corner" else boxes[..., 2:]
    return xp.where((sides < 0).any(axis=-1), 0, sides[..., 0] * sides[..., 1])


def _stacked(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape ``(stack, rows, columns)``, whose first axis merges all leading axes, even if one has size 0."""
    return math.prod(shape[:-2]), *shape[-2:]


def overlaps(xp: Any, left: Any, right: Any, layout: str = "corner") -> Any:
    """Return the intersection over union (IoU) of boxes, whose leading axes are broadcast.

    Examples
    --------
    >>> import numpy
    >>> overlaps(numpy, numpy.array([0.0, 0, 2, 2]), numpy.array([[1.0, 0, 3, 2], [5, 5, 6, 6]]))
    array([0.33333333, 0.        ])
    """
    a, b = _as_corners(xp, left, layout), _as_corners(xp, right, layout)
    if layout == "center":  # MXNet compares in this order, which matters if a corner is NaN
        a, b = b, a
    low, high = xp.where(a > b, a, b)[..., :2], xp.where(a < b, a, b)[..., 2:]
    sides = xp.where(high > low, high - low, 0)
    common = sides[..., 0] * sides[..., 1]
    union = _areas(xp, left, layout) + _areas(xp, right, layout) - common
    apart = common <= 0
    return xp.where(apart, 0, common / xp.where(apart, 1, union)).astype(left.dtype)


def greedy_matches(xp: Any, scores: Any, steps: int, threshold: float) -> tuple[Any, Any]:
    """Match rows with columns: repeatedly pair the free row and column with the largest score above a threshold.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.
    scores : array
        The score of each pair, of shape ``(batch, row, column)``.
    steps : int
        The maximum number of pairs in each example of the batch.
    threshold : float
        The limit that the score of a pair must exceed.

    Returns
    -------
    tuple of array
        The column of each row and the row of each column; -1 for a row or column without a match.

    Examples
    --------
    >>> import numpy
    >>> greedy_matches(numpy, numpy.array([[[0.5, 0.6], [0.1, 0.2], [0.3, 0.4]]]), 2, 1e-12)
    (array([[ 1, -1,  0]]), array([[2, 0]]))
    """
    batch, rows, columns = scores.shape
    row_match, column_match = xp.full((batch, rows), -1), xp.full((batch, columns), -1)
    each, row_numbers, column_numbers = xp.arange(batch), xp.arange(rows), xp.arange(columns)
    remaining = xp.where(scores > threshold, scores, -xp.inf)
    for _ in range(min(steps, rows, columns) if scores.size else 0):
        best = remaining.reshape(batch, -1).argmax(axis=1)
        row, column = best // columns, best % columns
        found = (remaining[each, row, column] > -xp.inf)[:, None]
        in_row = found & (row_numbers == row[:, None])
        in_column = found & (column_numbers == column[:, None])
        row_match = xp.where(in_row, column[:, None], row_match)
        column_match = xp.where(in_column, row[:, None], column_match)
        remaining = xp.where(in_row[:, :, None] | in_column[:, None, :], -xp.inf, remaining)
    return row_match, column_match


# --- overlap ------------------------------------------------------------------------------------------


@operator("_contrib_box_iou", differentiable=False)
def box_iou(xp, lhs: Array, rhs: Array, format: Literal["corner", "center"] = "corner"):
    """Return the intersection over union of each box of one array with each box of another array.

    Parameters
    ----------
    lhs, rhs : array
        The boxes. The last axis holds the four elements of each box.
    format : {'corner', 'center'}
        Whether the four elements of a box are the coordinates of two opposite corners, or the center's coordinates, the
        width, and the height.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.contrib.box_iou(nd.array([[0, 0, 2, 2]]), nd.array([[1, 0, 3, 2], [5, 5, 6, 6]]))
    <BLANKLINE>
    [[0.33333334 0.        ]]
    <NDArray 1x2 @cpu(0)>
    """
    others = (1,) * (rhs.ndim - 1)
    return overlaps(xp, lhs.reshape(*lhs.shape[:-1], *others, 4), rhs, format)


box_iou.precision = "widest"


box_iou.lenient = True


@box_iou.infer_shape
def _(lhs, rhs, *, format):
    for name, shape in (("lhs", lhs), ("rhs", rhs)):
        require(
            shape is None or (len(shape) > 0 and shape[-1] in (None, 4)),
            f"the last axis of {name} must have size 4, but the shape is {shape}",
        )
    if lhs is None or rhs is None:
        return [lhs, rhs], [None]
    return [lhs, rhs], [(*lhs[:-1], *rhs[:-1])]


box_iou.infer_type(rules.same_type)

# --- suppression ----------------------------------------------------------------------------------------


def surviving(
    xp: Any, boxes: Any, classes: Any, alive: Any, threshold: float, layout: str = "corner", inclusive: bool = False
) -> Any:
    """Return whether each box remains after suppression.

    From the first box to the last, each remaining box suppresses the later boxes that it overlaps.

    Parameters
    ----------
    boxes : array
        The boxes, of shape ``(batch, box, 4)``, in order of decreasing score.
    classes : array or None
        The classes, of shape ``(batch, box)``; boxes of different classes don't suppress each other.
    alive : array
        Whether each box takes part in the suppression, of shape ``(batch, box)``.
    threshold : float
        The IoU above which a box is suppressed; with ``inclusive``, an equal IoU suffices.

    Examples
    --------
    >>> import numpy
    >>> boxes = numpy.array([[[0.0, 0, 2, 2], [0, 0, 2, 1.9], [5, 5, 6, 6]]])
    >>> surviving(numpy, boxes, None, numpy.ones((1, 3), bool), 0.5)
    array([[ True, False,  True]])
    """
    alive = alive.copy()
    batch, count = alive.shape
    most = max(_PAIRS // max(batch * count, 1), 1)  # boxes that are compared with all others at once
    if xp is numpy:
        most = min(most, _BLOCK)
    for start in range(0, count - 1, most):
        some = slice(start, min(start + most, count - 1))
        if xp is numpy and not alive[:, some].any():  # on a GPU, reading this costs more than the work
            continue
        overlap = overlaps(xp, boxes[:, some, None], boxes[:, None, start + 1 :], layout)
        hit = overlap >= threshold if inclusive else overlap > threshold
        if classes is not None:
            hit &= classes[:, some, None] == classes[:, None, start + 1 :]
        if xp is numpy:
            for image, hits in zip(alive[:, start:], hit, strict=True):
                image[:] = _without_hit(image, hits)
            continue
        spared = ~hit
        for i in range(some.start, some.stop):
            alive[:, i + 1 :] &= spared[:, i - start, i - start :] | ~alive[:, i : i + 1]
    return alive


def _without_hit(alive: Any, hits: Any) -> Any:
    """Return whether each box of one image remains after suppression by earlier boxes.

    The bits of a Python integer represent the boxes, so that one operation removes all boxes that one box suppresses.

    Parameters
    ----------
    alive : numpy.ndarray
        Whether each box remains, of shape ``(box,)``.
    hits : numpy.ndarray
        Whether each of the first boxes overlaps each later box too much, of shape ``(first, box - 1)``. Elements for
        earlier boxes are ignored.

    Examples
    --------
    >>> _without_hit(numpy.array([True, True, True]), numpy.array([[True, False], [True, True]])).tolist()
    [True, False, True]
    """
    width = -(-hits.shape[1] // 8)
    rows = numpy.packbits(hits, axis=1, bitorder="little").tobytes()
    bits = int.from_bytes(numpy.packbits(alive, bitorder="little").tobytes(), "little")
    for i in range(len(hits)):
        if bits >> i & 1:
            bits &= ~(int.from_bytes(rows[i * width : (i + 1) * width], "little") >> i << i + 1)
    whole = numpy.frombuffer(bits.to_bytes(width + 1, "little"), numpy.uint8)
    return numpy.unpackbits(whole, count=len(alive), bitorder="little").astype(bool)


def _rows_at(xp: Any, rows: Any, places: Any) -> Any:
    """Return the rows of ``(batch, row, element)`` at positions ``(batch, position)``."""
    return xp.take_along_axis(rows, places[..., None], axis=1)


def _check_places(width: int | None, coord_start: int, score_index: int) -> None:
    """Raise MXNet's error if the position of an element in a row is negative or too large."""
    require(
        score_index >= 0,
        f"score_index >= 0 && score_index < width_elem: {score_index} out of range: (0, {width})",
    )
    require(
        coord_start >= 0,
        f"coord_start >= 0 && coord_end < width_elem: ({coord_start}, {coord_start + 3}) out of range:: (0, {width})",
    )


@operator("_contrib_box_nms", "_contrib_box_non_maximum_suppression", outputs=2, visible_outputs=1)
def box_nms(
    xp,
    data: Array,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: Literal["corner", "center"] = "corner",
    out_format: Literal["corner", "center"] = "corner",
):
    """Apply non-maximum suppression: of several boxes that overlap, keep the box with the highest score.

    Parameters
    ----------
    data : array
        The boxes, of shape ``(..., box, element)``: a row for each box, with its score, four coordinates, and
        optionally its class.
    overlap_thresh : float
        The largest IoU with a box of higher score at which a box remains.
    valid_thresh : float
        The score that a box must exceed to take part.
    topk : int
        The number of boxes with the highest scores that take part; all boxes if negative. With 0, the result is
        the data, as in MXNet.
    coord_start, score_index, id_index : int
        The positions of the first coordinate, the score, and the class in a row; a negative number for no class.
    background_id : int
        The class of boxes that don't take part, if `id_index` isn't negative.
    force_suppress : bool
        Whether boxes suppress boxes of other classes, too.
    in_format, out_format : {'corner', 'center'}
        The formats of the coordinates in the data and in the result. As in MXNet, a box whose first coordinate is
        negative isn't converted.

    Notes
    -----
    The rows of the remaining boxes come first, in order of decreasing score. All other rows are filled with -1. The
    hidden second output contains the index in the data for each row, or -1.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> rows = nd.array([[0, 0.6, 0, 0, 2, 2], [0, 0.9, 0, 0, 2, 1.9], [1, 0.4, 5, 5, 6, 6]])
    >>> nd.contrib.box_nms(rows)
    <BLANKLINE>
    [[ 0.   0.9  0.   0.   2.   1.9]
     [ 1.   0.4  5.   5.   6.   6. ]
     [-1.  -1.  -1.  -1.  -1.  -1. ]]
    <NDArray 3x6 @cpu(0)>
    """
    _check_places(data.shape[-1], coord_start, score_index)
    rows = data.reshape(_stacked(data.shape))
    count = rows.shape[1]
    if topk == 0:
        return [data.copy(), xp.zeros(data.shape[:-1], xp.int64) + xp.arange(count)]
    score = rows[..., score_index]
    valid = score > valid_thresh
    if id_index >= 0:
        valid = valid & (rows[..., id_index] != background_id)
    order = xp.argsort(xp.where(valid, -score, xp.inf), axis=1, kind="stable")
    ordered = _rows_at(xp, rows, order)
    alive = xp.take_along_axis(valid, order, axis=1)
    if topk > 0:
        alive = alive & (xp.arange(count) < topk)
    looked_at = min(count, topk) if topk > 0 else count
    boxes = ordered[:, :looked_at, coord_start : coord_start + 4]
    classes = None
    if id_index >= 0 and not force_suppress:
        classes = integer_indices(ordered[:, :looked_at, id_index])  # 1.5 is class 1, as in MXNet
    alive[:, :looked_at] = surviving(xp, boxes, classes, alive[:, :looked_at], overlap_thresh, in_format)
    kept = xp.argsort(~alive, axis=1, kind="stable")  # the remaining boxes, in their order
    there = xp.take_along_axis(alive, kept, axis=1)
    result = xp.where(there[..., None], _rows_at(xp, ordered, kept), data.dtype.type(-1))
    if in_format != out_format:
        moved = result[..., coord_start : coord_start + 4]
        moved = _as_centers(xp, moved) if out_format == "center" else _as_corners(xp, moved, "center")
        turned = result[..., coord_start : coord_start + 1] >= 0
        result[..., coord_start : coord_start + 4] = xp.where(turned, moved, result[..., coord_start : coord_start + 4])
    index = xp.where(there, xp.take_along_axis(order, kept, axis=1), -1)
    return [result.reshape(data.shape), index.reshape(data.shape[:-1])]


box_nms.precision = "widest"


@box_nms.infer_shape
def _(data, *, coord_start, score_index, id_index, **attributes):
    if data is not None:
        require(len(data) >= 2, f"the data of box_nms must have at least 2 axes, not {len(data)}")
        width = data[-1]
        _check_places(width, coord_start, score_index)
        require(
            width is None or max(coord_start + 4, score_index + 1, id_index + 1) <= width,
            f"the last axis of data has size {width}, which is too small for {coord_start=}, {score_index=}, and "
            f"{id_index=}",
        )
    return [data], [data, None if data is None else data[:-1]]


box_nms.infer_type(lambda data, **attributes: ([data], [data, "int64"]))
box_nms.output_names(lambda **attributes: ["output0"])
box_nms.hidden_names = ("output1",)


@box_nms.gradient
def _(F, dy, y, data, *, coord_start, in_format, out_format, **attributes):
    formats = {"in_format": in_format, "out_format": out_format}
    return [F._backward_contrib_box_nms(dy[0], data, y[1], coord_start=coord_start, **formats)]


@operator("_backward_contrib_box_nms")
def box_nms_gradient(
    xp,
    dy: Array,
    data: Array,
    index: Array,
    coord_start: int = 2,
    in_format: Literal["corner", "center"] = "corner",
    out_format: Literal["corner", "center"] = "corner",
):
    """Return the gradient of box_nms: the gradient of each remaining row, at the row's position in the data."""
    heads = dy.reshape(_stacked(dy.shape))
    places = index.reshape(heads.shape[:2])
    there = places >= 0
    if in_format != out_format:
        first, last = heads[..., coord_start : coord_start + 2], heads[..., coord_start + 2 : coord_start + 4]
        # The rows of the two matrices of the conversion become columns.
        moved = [first / 2 - last, first / 2 + last] if out_format == "center" else [first + last, (last - first) / 2]
        moved = xp.concatenate([heads[..., :coord_start], *moved, heads[..., coord_start + 4 :]], axis=-1)
        left = data.reshape(heads.shape)[..., coord_start]
        turned = xp.take_along_axis(left, xp.maximum(places, 0), axis=1) >= 0
        heads = xp.where(turned[..., None], moved, heads)
    batch, count, width = heads.shape
    # An additional row gets the gradients of rows that don't exist. Each other row is written once.
    total = xp.zeros((batch, count + 1, width), dy.dtype)
    target = xp.where(there, places, count)
    xp.put_along_axis(total, xp.broadcast_to(target[..., None], heads.shape), heads, axis=1)
    return xp.ascontiguousarray(total[:, :count]).reshape(dy.shape)


box_nms_gradient.infer_shape(lambda dy, data, index, **attributes: ([dy, data, index], [dy]))
box_nms_gradient.infer_type(rules.type_of_first)
not_differentiable(box_nms_gradient)

# --- matching -----------------------------------------------------------------------------------------------


@operator("_contrib_bipartite_matching", outputs=2, differentiable=False)
def bipartite_matching(xp, data: Array, is_ascend: bool = False, threshold: float = REQUIRED, topk: int = -1):
    """Match rows with columns; the best pair is matched first.

    Parameters
    ----------
    data : array
        The scores of pairs, of shape ``(..., row, column)``.
    is_ascend : bool
        Whether the pair with the smallest score is the best, instead of the pair with the largest.
    threshold : float
        The limit that the score of a pair must exceed or, with `is_ascend`, must not reach.
    topk : int
        The matching ends when more than this number of pairs exist, as in MXNet; no limit if not positive.

    Returns
    -------
    list of array
        The column of each row and the row of each column; -1 for a row or column without a match.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> rows, columns = nd.contrib.bipartite_matching(nd.array([[0.5, 0.6], [0.1, 0.2], [0.3, 0.4]]), threshold=1e-12)
    >>> rows.asnumpy(), columns.asnumpy()
    (array([ 1., -1.,  0.], dtype=float32), array([2., 0.], dtype=float32))
    """
    scores = data.reshape(_stacked(data.shape))
    scores, threshold = (-scores, -threshold) if is_ascend else (scores, threshold)
    steps = topk + 1 if topk > 0 else max(scores.shape[1:])
    row_match, column_match = greedy_matches(xp, scores, steps, threshold)
    leading = data.shape[:-2]
    return [
        row_match.reshape(*leading, data.shape[-2]).astype(data.dtype),
        column_match.reshape(*leading, data.shape[-1]).astype(data.dtype),
    ]


@bipartite_matching.infer_shape
def _(data, **attributes):
    if data is None:
        return [data], [None, None]
    require(len(data) >= 2, f"the data of bipartite_matching must have at least 2 axes, not {len(data)}")
    return [data], [data[:-1], (*data[:-2], data[-1])]


bipartite_matching.infer_type(lambda data, **attributes: ([data], [data, data]))
bipartite_matching.output_names(lambda **attributes: ["output0", "output1"])

# --- offsets from one box to another -------------------------------------------------------------------------


@operator("_contrib_box_encode", outputs=2, differentiable=False)
def box_encode(xp, samples: Array, matches: Array, anchors: Array, refs: Array, means: Array, stds: Array):
    """Return the offsets from anchors to their matched boxes, as targets for a detector.

    Parameters
    ----------
    samples : array
        1 for each anchor with a box, of shape ``(batch, anchor)``; other anchors get no offset.
    matches : array
        The index of each anchor's box, of shape ``(batch, anchor)``.
    anchors, refs : array
        The corners of the anchors and the boxes, of shapes ``(batch, anchor, 4)`` and ``(batch, box, 4)``.
    means, stds : array
        The means that are subtracted from the offsets, and the standard deviations by which the offsets are divided, of
        shape ``(4,)``.

    Returns
    -------
    list of array
        The offsets, and the mask that is 1 for anchors with an offset, both of shape ``(batch, anchor, 4)``.
    """
    matched = _as_centers(xp, _rows_at(xp, refs, bounded_indices(xp, matches, refs.shape[1], "clip")))
    anchors = _as_centers(xp, anchors)
    there = (samples > 0.5)[..., None]
    shift = (matched[..., :2] - anchors[..., :2]) / anchors[..., 2:]
    with numpy.errstate(divide="ignore", invalid="ignore"):
        growth = xp.log(matched[..., 2:] / anchors[..., 2:])
    offsets = (xp.concatenate([shift, growth], axis=-1) - means) / stds
    masks = xp.broadcast_to(there, offsets.shape)
    return [xp.where(masks, offsets, 0).astype(anchors.dtype), masks.astype(anchors.dtype)]


box_encode.lenient = True


@box_encode.infer_shape
def _(samples, matches, anchors, refs, means, stds):
    if anchors is not None:
        samples = matches = rules.unify_all([samples, matches, anchors[:-1]])
    four = rules.unify_all([means, stds, (4,)])
    return [samples, matches, anchors, refs, four, four], [anchors, anchors]


box_encode.infer_type(lambda *types: (rules.same_type(*types)[0], rules.same_type(*types)[1] * 2))
box_encode.output_names(lambda **attributes: ["output0", "output1"])


@operator("_contrib_box_decode", differentiable=False)
def box_decode(
    xp,
    data: Array,
    anchors: Array,
    std0: float = 1.0,
    std1: float = 1.0,
    std2: float = 1.0,
    std3: float = 1.0,
    clip: float = -1.0,
    format: Literal["corner", "center"] = "center",
):
    """Return the corners of boxes from anchors and offsets, as the inverse of :func:`box_encode`.

    Parameters
    ----------
    data : array
        The offsets, of shape ``(batch, anchor, 4)``.
    anchors : array
        The anchors, of shape ``(1, anchor, 4)``.
    std0, std1, std2, std3 : float
        The factors of the four offsets.
    clip : float
        The largest logarithm of the factor by which a size grows; no limit if not positive.
    format : {'corner', 'center'}
        Whether the anchors are corners ``(x1, y1, x2, y2)``, or centers and sizes ``(x, y, width, height)``.
    """
    anchors = _as_centers(xp, anchors) if format == "corner" else anchors
    size = anchors[..., 2:]
    # The caller's numbers remain on the host: columns are computed one at a time, so that nothing is copied to a GPU.
    x = data[..., 0] * std0 * size[..., 0] + anchors[..., 0]
    y = data[..., 1] * std1 * size[..., 1] + anchors[..., 1]
    growth = [data[..., 2] * std2, data[..., 3] * std3]
    if clip > 0:
        growth = [xp.minimum(g, clip) for g in growth]
    across, down = (xp.exp(g) * size[..., i] / 2 for i, g in enumerate(growth))
    return xp.stack([x - across, y - down, x + across, y + down], axis=-1).astype(data.dtype)


box_decode.lenient = True


@box_decode.infer_shape
def _(data, anchors, **attributes):
    if data is not None:
        require(
            len(data) == 3 and data[2] in (None, 4),
            f"the data of box_decode must have the shape (batch, anchor, 4), not {data}",
        )
        anchors = rules.unify(anchors, (1, data[1], 4))
    return [data, anchors], [data]


box_decode.infer_type(rules.same_type)
