"""Region proposals of a two-stage detector: anchors moved by the net's predictions, in order of probability.

Except for ``exp``, results are bitwise identical to those of MXNet, which computes in single precision and divides by 2
in double precision. Therefore, the same boxes remain even if rounding errors determine the selection.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...error import MXNetError
from ..core import trip_reasons as host_trips
from ..core.infer import require
from ..core.operator import Array, Floats, operator
from . import rules
from .portable import constants, values_on_host

__all__ = ["multi_proposal", "proposal"]

FAMILY = "other"

_single = numpy.float32

_SCALES, _RATIOS = (4.0, 8.0, 16.0, 32.0), (0.5, 1.0, 2.0)

# --- boxes -------------------------------------------------------------------------------------------


def _anchors(scales: Any, ratios: Any, stride: int) -> list[list[float]]:
    """Return the left, top, right, and bottom of the anchors at the first element, by ratio, then by scale.

    Examples
    --------
    >>> _anchors((1.0, 2.0), (1.0,), 16)
    [[0.0, -8.0], [0.0, -8.0], [15.0, 23.0], [15.0, 23.0]]
    """
    one, half, rows = _single(1), _single(0.5), []
    centre = _single(0.5 * (stride - 1))
    for ratio in map(_single, ratios):
        across = numpy.floor(numpy.sqrt(numpy.floor(_single(stride * stride) / ratio)) + half)
        for scale in map(_single, scales):
            width = across * scale
            height = numpy.floor(width / scale * ratio + half) * scale
            x, y = half * (width - one), half * (height - one)
            rows.append([float(side) for side in (centre - x, centre - y, centre + x, centre + y)])
    return [list(side) for side in zip(*rows, strict=True)]


def _shifted(xp: Any, sides: list[list[float]], height: int, width: int, stride: int) -> list[Any]:
    """Return the four sides of the anchors of all elements, each as ``(height, width, anchor)``."""
    x = (xp.arange(width, dtype="float32") * stride)[:, None]
    y = (xp.arange(height, dtype="float32") * stride)[:, None, None]
    shape = (height, width, len(sides[0]))
    return [
        xp.broadcast_to(constants(xp, side, "float32") + shift, shape)  # type: ignore[arg-type]
        for side, shift in zip(sides, (x, y, x, y), strict=True)
    ]


def _halved(xp: Any, centre: Any, size: Any, sign: int) -> Any:
    return (centre.astype("float64") + sign * 0.5 * (size.astype("float64") - 1)).astype("float32")


def _moved(xp: Any, sides: list[Any], offsets: Any, corners: bool) -> list[Any]:
    """Return the sides of anchors after moving them by offsets ``(4, height, width, anchor)``."""
    if corners:
        return [side + offset for side, offset in zip(sides, offsets, strict=True)]
    moved: list[Any] = [None] * 4
    for axis in (0, 1):
        size = sides[2 + axis] - sides[axis] + 1
        centre = offsets[axis] * size + _halved(xp, sides[axis], size, 1)
        size = xp.exp(offsets[2 + axis]) * size
        moved[axis], moved[2 + axis] = _halved(xp, centre, size, -1), _halved(xp, centre, size, 1)
    return moved


def _stays(xp: Any, boxes: Any, threshold: float, most: int) -> Any:
    """Return the positions of at most ``most`` boxes that remain after suppression by more probable boxes."""
    low, high = boxes[:, :2], boxes[:, 2:4]
    sides = high - low + 1
    area = sides[:, 0] * sides[:, 1]
    threshold = boxes.dtype.type(threshold)
    alive, kept, i = xp.ones(len(boxes), bool), [], 0
    while len(kept) < most:
        kept.append(i)
        common = xp.maximum(xp.minimum(high[i + 1 :], high[i]) - xp.maximum(low[i + 1 :], low[i]) + 1, 0)
        common = common[:, 0] * common[:, 1]
        with numpy.errstate(divide="ignore", invalid="ignore"):  # a box with reversed corners may have an area of 0
            alive[i + 1 :] &= ~(common / (area[i] + area[i + 1 :] - common) > threshold)
        step = int(xp.argmax(alive[i + 1 :])) if i + 1 < len(boxes) else 0
        i += 1 + step
        if i >= len(boxes) or not alive[i]:
            break
    return xp.asarray(kept)


# --- one image -------------------------------------------------------------------------------------------


def _elements(size: Any) -> int:
    """Return the number of the feature map's elements inside the image; 0 if the image's size is NaN, as in MXNet."""
    return max(int(size), 0) if math.isfinite(size) else 0


def _of_image(xp: Any, score: Any, offsets: Any, info: Any, sides: list[Any], settings: dict[str, Any]) -> Any:
    """Return the proposals of an image, of shape ``(number, 5)``: the sides and the score of each.

    Parameters
    ----------
    score, offsets : array
        The scores and offsets, of shapes ``(height, width, anchor)`` and ``(4, height, width, anchor)``.
    info : array
        The height and width of the image, and its scale factor.
    """
    stride, most = settings["feature_stride"], settings["rpn_post_nms_top_n"]
    height, width = score.shape[:2]
    image_height, image_width, scale = map(_single, info)
    real = _elements(image_height / _single(stride)), _elements(image_width / _single(stride))
    for there, needed, name in ((height, real[0], "height"), (width, real[1], "width")):
        if there < needed:
            raise MXNetError(f"Check failed: {name} >= real_{name} ({there} vs. {needed}) : {there} {needed}")
    limits = (image_width - _single(1), image_height - _single(1)) * 2
    moved = _moved(xp, sides, offsets, settings["iou_loss"])
    boxes = xp.stack([xp.maximum(xp.fmin(side, limit), 0) for side, limit in zip(moved, limits, strict=True)], axis=-1)
    score = xp.array(score)
    score[real[0] :], score[:, real[1] :] = -1, -1  # outside of the image
    least = _single(settings["rpn_min_size"]) * scale
    small = (boxes[..., 2:] - boxes[..., :2] + 1 < least).any(axis=-1)
    grown = boxes + constants(xp, [-least / _single(2)] * 2 + [least / _single(2)] * 2, "float32")  # type: ignore[list-item]
    boxes = xp.where(small[..., None], grown, boxes).reshape(-1, 4)
    score = xp.where(small, score.dtype.type(-1), score).reshape(-1)

    looked_at = settings["rpn_pre_nms_top_n"] if settings["rpn_pre_nms_top_n"] > 0 else len(score)
    order = xp.argsort(-score, kind="stable")[:looked_at]
    rows = xp.concatenate([boxes[order], score[order, None]], axis=1)
    kept = _stays(xp, rows, settings["threshold"], min(most, len(rows)))
    return rows[kept[xp.arange(most) % len(kept)]] if most else rows[:0]


def _proposals(xp: Any, cls_prob: Any, bbox_pred: Any, im_info: Any, settings: dict[str, Any]) -> list[Any]:
    """Return the regions of all images and their scores."""
    batch, channels, height, width = cls_prob.shape
    count, scales, ratios = channels // 2, settings.pop("scales"), settings.pop("ratios")
    if count != len(scales) * len(ratios):
        product = f"({count} vs. {len(scales) * len(ratios)})"
        raise MXNetError(f"Check failed: num_anchors == param_.ratios.ndim() * param_.scales.ndim() {product} : ")
    sides = _shifted(
        xp, _anchors(scales, ratios, settings["feature_stride"]), height, width, settings["feature_stride"]
    )
    scores = cls_prob[:, count : 2 * count].transpose(0, 2, 3, 1)
    offsets = bbox_pred[:, : 4 * count].reshape(batch, count, 4, height, width).transpose(0, 2, 3, 4, 1)
    rows = [
        _of_image(xp, score, offset, info, sides, settings)
        for score, offset, info in zip(scores, offsets, values_on_host(im_info), strict=True)
    ]
    images = [xp.full((len(found), 1), i, "float32") for i, found in enumerate(rows)]
    regions = [xp.concatenate([image, found[:, :4]], axis=1) for image, found in zip(images, rows, strict=True)]
    return [xp.concatenate(regions), xp.concatenate([found[:, 4:] for found in rows])]


# --- the operators ---------------------------------------------------------------------------------------


def _visible(*, output_score: bool, **attributes: Any) -> int:
    return 2 if output_score else 1


@operator("_contrib_Proposal", outputs=2, visible_outputs=_visible, differentiable=False)
def proposal(
    xp,
    cls_prob: Array,
    bbox_pred: Array,
    im_info: Array,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: Floats = _SCALES,
    ratios: Floats = _RATIOS,
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
):
    """Return the regions of an image that may contain an object: moved anchors, most probable first, with few overlaps.

    Parameters
    ----------
    cls_prob : array
        The background scores of all anchors, then their object scores, of shape ``(1, 2 · anchor, height, width)``.
    bbox_pred : array
        The offsets of each anchor, of shape ``(1, 4 · anchor, height, width)``.
    im_info : array
        The height and width of the image, and its scale factor, of shape ``(1, 3)``.
    rpn_pre_nms_top_n : int
        The number of boxes with the highest scores that take part; all boxes if not positive.
    rpn_post_nms_top_n : int
        The number of results. If fewer boxes remain, the result repeats them, starting with the first.
    threshold : float
        The largest intersection over union with a more probable box at which a box remains.
    rpn_min_size : int
        The smallest width and height in the unscaled image. Smaller boxes get the lowest score and are enlarged by this
        size.
    scales, ratios : tuple of float
        The sizes of anchors relative to the stride, and the ratios of height to width.
    feature_stride : int
        The distance in the image between neighboring elements of the feature map.
    output_score : bool
        Whether to also return the scores.
    iou_loss : bool
        Whether the offsets are distances in pixels for the four sides, instead of changes of center and size.

    Returns
    -------
    array, or list of array
        The index of the image, and the left, top, right, and bottom of each region, of shape ``(region, 5)``; with
        ``output_score`` also the scores, of shape ``(region, 1)``.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> score, offsets = nd.array([0.1, 0.2, 0.9, 0.8]).reshape((1, 2, 1, 2)), nd.zeros((1, 4, 1, 2))
    >>> image = nd.array([[16, 32, 1]])
    >>> nd.contrib.Proposal(score, offsets, image, scales=(1,), ratios=(1,), rpn_post_nms_top_n=2)
    <BLANKLINE>
    [[ 0.  0.  0. 15. 15.]
     [ 0. 16.  0. 31. 15.]]
    <NDArray 2x5 @cpu(0)>
    """
    if len(cls_prob) != 1:
        raise MXNetError(
            f"Check failed: in_data[proposal: :kClsProb].shape_[0] == 1 ({len(cls_prob)} vs. 1) : Sorry, multiple "
            "images each device is not implemented."
        )
    settings = {
        "rpn_pre_nms_top_n": rpn_pre_nms_top_n, "rpn_post_nms_top_n": rpn_post_nms_top_n, "threshold": threshold,
        "rpn_min_size": rpn_min_size, "scales": scales, "ratios": ratios, "feature_stride": feature_stride,
        "iou_loss": iou_loss,
    }  # fmt: skip
    return _proposals(xp, cls_prob, bbox_pred, im_info, settings)


@operator("_contrib_MultiProposal", outputs=2, visible_outputs=_visible, differentiable=False)
def multi_proposal(
    xp,
    cls_prob: Array,
    bbox_pred: Array,
    im_info: Array,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: Floats = _SCALES,
    ratios: Floats = _RATIOS,
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
):
    """Return the regions of several images that may contain an object, in order of the images.

    Parameters
    ----------
    cls_prob, bbox_pred, im_info : array
        As for :func:`proposal`, with a row for each image.
    rpn_pre_nms_top_n, rpn_post_nms_top_n : int
        For each image, the number of anchors that take part, which have the highest scores, and the number of results.
    threshold : float
        The largest intersection over union with a more probable box at which a box remains.
    rpn_min_size : int
        The smallest width and height in the unscaled image.
    scales, ratios : tuple of float
        The sizes of anchors relative to the stride, and the ratios of height to width.
    feature_stride : int
        The distance in the image between neighboring elements of the feature map.
    output_score : bool
        Whether to also return the scores.
    iou_loss : bool
        Whether the offsets are distances in pixels for the four sides, instead of changes of center and size.

    Returns
    -------
    array, or list of array
        The regions, of shape ``(image · region, 5)``; with ``output_score`` also the scores, of shape ``(image ·
        region, 1)``.
    """
    settings = {
        "rpn_pre_nms_top_n": rpn_pre_nms_top_n, "rpn_post_nms_top_n": rpn_post_nms_top_n, "threshold": threshold,
        "rpn_min_size": rpn_min_size, "scales": scales, "ratios": ratios, "feature_stride": feature_stride,
        "iou_loss": iou_loss,
    }  # fmt: skip
    return _proposals(xp, cls_prob, bbox_pred, im_info, settings)


def _shapes(cls_prob: Any, bbox_pred: Any, im_info: Any, *, rpn_post_nms_top_n: int, **attributes: Any) -> Any:
    """Return the shapes of the inputs, and the number of images."""
    require(
        rpn_post_nms_top_n >= 0,
        f"dim_size_is_known(*it): Shape dim size cannot be a negative value {rpn_post_nms_top_n}",
    )
    if cls_prob is None:
        return [cls_prob, bbox_pred, im_info], None
    axes = len(cls_prob)
    require(axes == 4, f"i >= 0 && i < ndim(): index = {min(axes, 3)} must be in range [0, {axes})")
    batch, channels, *sizes = cls_prob
    bbox_pred = rules.unify(bbox_pred, (batch, None if channels is None else 2 * channels, *sizes))
    im_info = rules.unify(im_info, (batch, 3))
    return [cls_prob, bbox_pred, im_info], batch


@proposal.infer_shape
def _(cls_prob, bbox_pred, im_info, **attributes):
    inputs, _ = _shapes(cls_prob, bbox_pred, im_info, **attributes)
    return inputs, [(attributes["rpn_post_nms_top_n"], 5), (attributes["rpn_post_nms_top_n"], 1)]


@multi_proposal.infer_shape
def _(cls_prob, bbox_pred, im_info, **attributes):
    inputs, batch = _shapes(cls_prob, bbox_pred, im_info, **attributes)
    count = None if batch is None else batch * attributes["rpn_post_nms_top_n"]
    return inputs, [(count, 5), (count, 1)]


def _types(*types: Any, **attributes: Any) -> Any:
    for other in (t for t in types if t is not None and numpy.dtype(t) != numpy.float32):
        flags = "in_type->at(i) == mshadow: :default_type_flag || in_type->at(i) == -1"
        raise MXNetError(f"Check failed: {flags}: Unsupported data type {other}")
    single = numpy.dtype("float32")
    return [single] * 3, [single] * 2


for _op in (proposal, multi_proposal):
    _op.lenient = True
    _op.precision, _op.names_outputs, _op.names_inputs = "widest", True, True
    _op.infer_type(_types)
    _op.output_names(lambda output_score, **attributes: ["output", "score"] if output_score else ["output"])
    _op.hidden_names = ("score",)
    _op.asks_device = "the number of remaining boxes determines when the operator ends"
    _op.tells_device = host_trips.TABLE
