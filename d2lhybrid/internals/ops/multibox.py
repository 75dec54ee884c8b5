"""The three operators of single-shot detection: anchors of a feature map, their targets, and detections."""

from __future__ import annotations

import math
from typing import Any

from ..core.infer import require
from ..core.operator import Array, Floats, operator
from . import rules
from .boxes import greedy_matches, overlaps, surviving
from .portable import constants

__all__ = ["multibox_detection", "multibox_prior", "multibox_target"]

FAMILY = "other"

#: The smallest overlap with which an anchor and a box can be matched.
_LEAST_OVERLAP = 1e-6

# --- anchors -------------------------------------------------------------------------------------------


def _anchor_sizes(sizes: Any, ratios: Any, height: int, width: int) -> list[tuple[float, float]]:
    """Return half the width and height of each anchor: all sizes with the first ratio, then the other ratios."""
    first = math.sqrt(ratios[0]) if ratios else 1.0
    kinds = [(size, first) for size in sizes] + [(sizes[0], math.sqrt(ratio)) for ratio in ratios[1:]]
    return [(size * height / width * ratio / 2, size / ratio / 2) for size, ratio in kinds]


@operator("_contrib_MultiBoxPrior", "_npx_multibox_prior", differentiable=False)
def multibox_prior(
    xp,
    data: Array,
    sizes: Floats = (1.0,),
    ratios: Floats = (1.0,),
    clip: bool = False,
    steps: Floats = (-1.0, -1.0),
    offsets: Floats = (0.5, 0.5),
):
    """Return anchor boxes of several sizes and ratios around each element of a feature map.

    Parameters
    ----------
    data : array
        A feature map ``(batch, channel, height, width)``, which determines the number and the element type of the
        anchors.
    sizes : tuple of float
        The sizes, as fractions of the image's height.
    ratios : tuple of float
        The ratios of width to height. The first ratio is combined with all sizes, and all other ratios with the first
        size.
    clip : bool
        Whether boxes are clipped to the image.
    steps : tuple of float
        The vertical and horizontal distance between centers, as fractions of the image. A value that is not positive
        means the distance between elements.
    offsets : tuple of float
        The vertical and horizontal position of a center within its step.

    Returns
    -------
    array
        The left, top, right, and bottom of each anchor as fractions of the image, of shape ``(1, anchor, 4)``.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.contrib.MultiBoxPrior(nd.zeros((1, 3, 1, 2)), sizes=(0.5,))
    <BLANKLINE>
    [[[0.125 0.25  0.375 0.75 ]
      [0.625 0.25  0.875 0.75 ]]]
    <NDArray 1x2x4 @cpu(0)>
    """
    height, width = data.shape[2:]
    step_y = steps[0] if steps[0] > 0 else 1 / height
    step_x = steps[1] if steps[1] > 0 else 1 / width
    dtype = data.dtype if data.dtype.kind == "f" else xp.float32
    y = ((xp.arange(height) + offsets[0]) * step_y)[:, None, None]
    x = ((xp.arange(width) + offsets[1]) * step_x)[:, None]
    half = _anchor_sizes(sizes, ratios, height, width)
    half_width, half_height = (constants(xp, [pair[i] for pair in half], "float64") for i in (0, 1))  # type: ignore[misc]
    sides = xp.broadcast_arrays(x - half_width, y - half_height, x + half_width, y + half_height)
    anchors = xp.stack(sides, axis=-1).reshape(1, -1, 4).astype(dtype)
    return xp.clip(anchors, 0, 1) if clip else anchors


multibox_prior.precision = "single"
multibox_prior.names_outputs = True


@multibox_prior.infer_shape
def _(data, *, sizes, ratios, **attributes):
    if data is None:
        return [None], [(1, None, 4)]
    require(
        len(data) == 4, f"the data of MultiBoxPrior must have the shape (batch, channel, height, width), not {data}"
    )
    require(len(sizes) > 0, "sizes must not be empty")
    area = None if data[2] is None or data[3] is None else data[2] * data[3]
    return [data], [(1, None if area is None else area * (len(sizes) + len(ratios[1:])), 4)]


multibox_prior.infer_type(rules.same_type)
multibox_prior.output_names(lambda **attributes: ["output"])

# --- targets ---------------------------------------------------------------------------------------------


def _existing(xp: Any, label: Any) -> Any:
    """Return whether each row of a label is a box. The first row with class -1 and all rows after it aren't boxes."""
    return xp.cumsum(label[..., 0] == -1, axis=1) == 0


def _offsets(xp: Any, anchors: Any, boxes: Any, variances: Any) -> Any:
    """Return the offsets, ``(..., 4)``, from the corners of anchors to the corners of boxes."""
    size, wanted = anchors[..., 2:] - anchors[..., :2], boxes[..., 2:] - boxes[..., :2]
    shift = (boxes[..., :2] + boxes[..., 2:]) * 0.5 - (anchors[..., :2] + anchors[..., 2:]) * 0.5
    growth = xp.log(xp.maximum(wanted, xp.finfo(wanted.dtype).tiny) / size)
    columns = [shift[..., i] / size[..., i] / variances[i] for i in (0, 1)]
    columns += [growth[..., i] / variances[2 + i] for i in (0, 1)]
    return xp.stack(columns, axis=-1)


def _hard_negatives(xp: Any, positive: Any, overlap: Any, cls_pred: Any, ratio: float, threshold: float) -> Any:
    """Return the anchors without a box for which the net's error is largest, ``ratio`` for each positive anchor."""
    count = positive.shape[1]
    candidate = ~positive & (overlap < threshold)
    shifted = cls_pred - cls_pred.max(axis=1, keepdims=True)
    background = xp.exp(shifted[:, 0]) / xp.exp(shifted).sum(axis=1)
    order = xp.argsort(xp.where(candidate, background, xp.inf), axis=1, kind="stable")
    rank = xp.argsort(order, axis=1, kind="stable")
    positives = positive.sum(axis=1, keepdims=True)
    wanted = xp.minimum((positives * ratio).astype(int), count - positives)
    return candidate & (rank < wanted)


@operator("_contrib_MultiBoxTarget", "_npx_multibox_target", outputs=3, differentiable=False)
def multibox_target(
    xp,
    anchor: Array,
    label: Array,
    cls_pred: Array,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: Floats = (0.1, 0.1, 0.2, 0.2),
):
    """Return the training targets of each anchor: the offset to its box, and the box's class.

    Parameters
    ----------
    anchor : array
        The corners of the anchors, of shape ``(1, anchor, 4)``.
    label : array
        The class and corners of each box, of shape ``(batch, box, 5 or more)``; the first row with class -1 and all
        rows after it aren't boxes.
    cls_pred : array
        The current predictions, which select the negative examples, of shape ``(batch, class, anchor)``.
    overlap_threshold : float
        The overlap above which an anchor is matched with a box. Each box is also matched with its best anchor.
    ignore_label : float
        The class in the result for anchors that are neither positive nor negative examples, and for all anchors of an
        image without boxes.
    negative_mining_ratio : float
        The number of negative examples for each positive example; all negative examples if not positive.
    negative_mining_thresh : float
        The overlap with a box below which an anchor can be a negative example.
    minimum_negative_samples : int
        Not used, as in MXNet.
    variances : tuple of float
        The divisors of the four offsets.

    Returns
    -------
    list of array
        The offsets and their mask, both of shape ``(batch, 4 · anchor)``, and the classes, of shape
        ``(batch, anchor)``, where 0 is the background.
    """
    anchors, boxes = anchor.reshape(-1, 4), label[..., 1:5]
    exists = _existing(xp, label)
    overlap = overlaps(xp, anchors[:, None], boxes[:, None])
    overlap = xp.where(exists[:, None], xp.where(overlap > 0, overlap, 0), -1)  # NaN matches nothing
    matched, _ = greedy_matches(xp, overlap, boxes.shape[1], _LEAST_OVERLAP)
    best, nearest = overlap.max(axis=2), overlap.argmax(axis=2)
    positive = matched >= 0
    if overlap_threshold > 0:
        near = ~positive & (best > overlap_threshold)
        matched, positive = xp.where(near, nearest, matched), positive | near
    any_box = exists[:, :1]
    if negative_mining_ratio > 0:
        negative = _hard_negatives(xp, positive, best, cls_pred, negative_mining_ratio, negative_mining_thresh)
    else:
        negative = ~positive
    places = xp.maximum(matched, 0)[..., None]
    classes = xp.take_along_axis(label[..., :1], places, axis=1)[..., 0] + 1
    classes = xp.where(positive, classes, xp.where(negative & any_box, 0, ignore_label))
    mask = xp.broadcast_to(positive[..., None], (*positive.shape, 4))
    offsets = xp.where(mask, _offsets(xp, anchors, xp.take_along_axis(boxes, places, axis=1), variances), 0)
    batch, dtype = len(label), anchor.dtype
    return [
        offsets.reshape(batch, -1).astype(dtype),
        mask.reshape(batch, -1).astype(dtype),
        classes.astype(dtype),
    ]


multibox_target.precision = "single"
multibox_target.names_outputs = True
multibox_target.lenient = True


@multibox_target.infer_shape
def _(anchor, label, cls_pred, *, variances, **attributes):
    count = None
    if anchor is not None:
        require(
            len(anchor) == 3 and anchor[0] in (None, 1) and anchor[2] in (None, 4),
            f"anchor must have the shape (1, anchor, 4), not {anchor}",
        )
        count = anchor[1]
    if label is not None:
        require(
            len(label) == 3 and (label[2] is None or label[2] >= 5),
            f"label must have the shape (batch, box, 5 or more), not {label}",
        )
    if cls_pred is not None:
        require(len(cls_pred) == 3, f"cls_pred must have the shape (batch, class, anchor), not {cls_pred}")
        require(
            None in (count, cls_pred[2]) or count == cls_pred[2],
            f"axis 2 of cls_pred must have size {count}, the number of anchors, but the shape is {cls_pred}",
        )
    require(len(variances) == 4, f"variances must have 4 elements, not {len(variances)}")
    batch = None if label is None else label[0]
    flat = (batch, None if count is None else 4 * count)
    return [anchor, label, cls_pred], [flat, flat, (batch, count)]


multibox_target.infer_type(lambda *types, **attributes: (rules.same_type(*types)[0], rules.same_type(*types)[1] * 3))
multibox_target.output_names(lambda **attributes: ["loc_target", "loc_mask", "cls_target"])

# --- detections ------------------------------------------------------------------------------------------


def _moved(xp: Any, anchors: Any, offsets: Any, variances: Any, clip: bool) -> Any:
    """Return the corners of anchors after moving them by offsets."""
    size, center = anchors[:, 2:] - anchors[:, :2], (anchors[:, :2] + anchors[:, 2:]) / 2
    x, y = (offsets[..., i] * variances[i] * size[:, i] + center[:, i] for i in (0, 1))
    across, down = (xp.exp(offsets[..., 2 + i] * variances[2 + i]) * size[:, i] / 2 for i in (0, 1))
    corners = xp.stack([x - across, y - down, x + across, y + down], axis=-1)
    return xp.clip(corners, 0, 1) if clip else corners


@operator("_contrib_MultiBoxDetection", "_npx_multibox_detection", differentiable=False)
def multibox_detection(
    xp,
    cls_prob: Array,
    loc_pred: Array,
    anchor: Array,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: Floats = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
):
    """Return the detected boxes: anchors moved by offsets, with their most probable class, after suppression.

    Parameters
    ----------
    cls_prob : array
        The probabilities, of shape ``(batch, class, anchor)``, the background first.
    loc_pred : array
        The offsets, of shape ``(batch, 4 · anchor)``.
    anchor : array
        The corners of the anchors, of shape ``(1, anchor, 4)``.
    clip : bool
        Whether boxes are clipped to the image.
    threshold : float
        The probability below which a box is background.
    background_id : int
        Not used, as in MXNet; class 0 is the background.
    nms_threshold : float
        The overlap above which only the most probable box of a class remains. If the number isn't between 0 and 1, all
        boxes remain.
    force_suppress : bool
        Whether boxes suppress boxes of other classes, too.
    variances : tuple of float
        The factors of the four offsets.
    nms_topk : int
        The number of boxes with the highest probability that take part; all boxes if not positive.

    Returns
    -------
    array
        The class, probability, and corners of each box, of shape ``(batch, anchor, 6)``. The class of a suppressed box
        is -1, and missing rows are filled with -1.
    """
    batch, _, count = cls_prob.shape
    score, which = cls_prob[:, 1:].max(axis=1), cls_prob[:, 1:].argmax(axis=1)
    found = score >= threshold
    corners = _moved(xp, anchor.reshape(-1, 4), loc_pred.reshape(batch, count, 4), variances, clip)
    rows = xp.concatenate([which[..., None], score[..., None], corners], axis=-1).astype(cls_prob.dtype)
    rows = xp.where(found[..., None], rows, rows.dtype.type(-1))
    packed = xp.argsort(~found, axis=1, kind="stable")  # the detected boxes come first and keep their order
    rows, found = xp.take_along_axis(rows, packed[..., None], axis=1), xp.take_along_axis(found, packed, axis=1)
    if not 0 < nms_threshold <= 1:
        return rows
    order = xp.argsort(xp.where(found, -rows[..., 1], xp.inf), axis=1, kind="stable")
    most = nms_topk if 0 < nms_topk < count else count
    # A box that doesn't take part keeps its row, without its class.
    looked_at = found & (xp.arange(count) < most)
    rows = xp.where(looked_at[..., None], xp.take_along_axis(rows, order[..., None], axis=1), rows)
    classes = None if force_suppress else rows[:, :most, 0]
    stays = surviving(xp, rows[:, :most, 2:], classes, looked_at[:, :most], nms_threshold, inclusive=True)
    rows[:, :most, 0] = xp.where(stays, rows[:, :most, 0], -1)
    rows[:, most:, 0] = -1
    return rows


multibox_detection.precision = "single"
multibox_detection.names_outputs = True
multibox_detection.lenient = True


@multibox_detection.infer_shape
def _(cls_prob, loc_pred, anchor, *, variances, **attributes):
    for shape, axes, what in ((cls_prob, 3, "cls_prob"), (loc_pred, 2, "loc_pred"), (anchor, 3, "anchor")):
        require(shape is None or len(shape) == axes, f"{what} must have {axes} axes, but its shape is {shape}")
    require(len(variances) == 4, f"variances must have 4 elements, not {len(variances)}")
    require(
        cls_prob is None or cls_prob[1] is None or cls_prob[1] > 1,
        f"axis 1 of cls_prob must contain at least 2 classes, but the shape is {cls_prob}",
    )
    if cls_prob is None:
        return [cls_prob, loc_pred, anchor], [None]
    batch, _, count = cls_prob
    same = anchor is None or None in (count, anchor[1]) or anchor[1] == count
    require(same, f"axis 2 of cls_prob and axis 1 of anchor must have the same size: {cls_prob=}, {anchor=}")
    loc_pred = rules.unify(loc_pred, (batch, None if count is None else 4 * count))
    anchor = rules.unify(anchor, (1, count, 4))
    return [cls_prob, loc_pred, anchor], [(batch, count, 6)]


multibox_detection.infer_type(rules.same_type)
