"""``ImageDetRecordIter``: MXNet's batches where nothing is left to chance; boxes follow their pictures where it is."""

import random
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid.io import box_changes, hue
from d2lhybrid.io.box_changes import CropSampler, Label

from .interop import box_cases

with numpy.load(box_cases.FACTS) as _stored:
    FACTS = {name: _stored[name] for name in _stored.files if name != "record"}


@pytest.fixture(scope="module")
def found():
    return box_cases.results(mx)


@pytest.mark.parametrize("name", FACTS)
def test_batches_are_mxnets(found, name):
    value, expected = found[name], FACTS[name]
    if value.dtype.kind != "U":
        numpy.testing.assert_allclose(value, expected, rtol=1e-6, atol=1e-5)
    elif name in box_cases.WRONG:
        assert str(value).startswith(str(expected).rstrip())
    else:
        assert list(value) == list(expected)


def test_nothing_more_is_found(found):
    assert set(found) == set(FACTS)


@pytest.fixture
def iterator(tmp_path):
    base: Any = box_cases.write_files(str(tmp_path)) | {"batch_size": 5}
    return lambda **settings: mx.io.ImageDetRecordIter(**base | settings)


# --- by chance ---------------------------------------------------------------------------------------


def _picture(rows=40, columns=60):
    """Return a picture that is bright where its two boxes are, and its label."""
    boxes = numpy.array([[0, 0.1, 0.2, 0.4, 0.6], [1, 0.5, 0.5, 0.9, 0.9]], "float32")
    pixels = numpy.zeros((rows, columns, 3), numpy.uint8)
    for kind, left, top, right, bottom in boxes:
        part = slice(round(top * rows), round(bottom * rows)), slice(round(left * columns), round(right * columns))
        pixels[part] = 100 + 100 * int(kind)
    return pixels, Label(numpy.array([2, 5], "float32"), boxes)


def _follow(pixels, label):
    """Whether each box holds its own brightness, and nothing else of it is outside."""
    rows, columns = pixels.shape[:2]
    y, x = ((numpy.arange(count) + 0.5) / count for count in (rows, columns))
    for kind, left, top, right, bottom in label.objects:
        inside = ((x > left) & (x < right))[None] & ((y > top) & (y < bottom))[:, None]
        bright = pixels[..., 0] == 100 + 100 * int(kind)
        edge = 1.5 * (rows + columns)  # one element around may be on the other side
        assert (inside & ~bright).sum() <= edge and (bright & ~inside).sum() <= edge
        assert (inside & bright).sum() > 0.5 * inside.sum()


@pytest.mark.parametrize("seed", range(20))
def test_boxes_follow_what_is_cut_out(seed):
    random.seed(seed)
    pixels, label = _picture(200, 300)
    sampler = CropSampler((0.3, 0.9), (0.5, 2.0), (0.1, 1.0), (0.0, 1.0), (0.5, 1.0), 50)
    part, kept = box_changes.cropped(pixels, label, [sampler], None)
    assert part.size < pixels.size and 1 <= len(kept.objects) <= 2
    _follow(part, kept)


@pytest.mark.parametrize("seed", range(10))
def test_boxes_follow_what_is_put_into_a_larger_picture(seed):
    random.seed(seed)
    pixels, label = _picture(200, 300)
    larger, kept = box_changes.padded(pixels, label, 3.0, 7)
    assert larger.shape[0] / larger.shape[1] == pytest.approx(2 / 3, abs=0.01)
    assert (larger == 7).any() == (larger.size > pixels.size)
    _follow(larger, kept)


def test_a_part_that_no_sampler_allows_is_not_cut_out():
    pixels, label = _picture()
    never = CropSampler((0.1, 0.2), (1.0, 1.0), (0.99, 1.0), (0.0, 1.0), (0.0, 1.0), 5)
    part, kept = box_changes.cropped(pixels, label, [never], None)
    assert part is pixels and kept is label
    always = CropSampler((0.9, 1.0), (0.5, 2.0), (0.0, 1.0), (0.0, 1.0), (0.0, 1.0), 5)
    assert box_changes.cropped(pixels, label, [never, always], 0.1)[0].size < pixels.size


def test_limits_of_samplers_hold():
    random.seed(0)
    _, label = _picture()
    sampler = CropSampler((0.2, 0.8), (0.5, 2.0), (0.3, 0.7), (0.0, 1.0), (0.0, 1.0), 1)
    boxes = [sampler.box(1.5) for _ in range(500)]
    for box in boxes:
        assert min(box) >= 0 and box[0] + box[2] <= 1 + 1e-9 and box[1] + box[3] <= 1 + 1e-9
        assert 0.2**2 * 0.99 <= box[2] * box[3] <= 0.8**2 * 1.01
    allowed = [box for box in boxes if sampler.allows(box, label.objects)]
    assert 0 < len(allowed) < len(boxes)
    for left, top, width, height in allowed:
        best = max(_overlap((left, top, left + width, top + height), row[1:]) for row in label.objects)
        assert best >= 0.3


def _overlap(a, b):
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    common = max(across, 0) * max(down, 0)
    return common / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common)


def test_colours_change_in_hue_lightness_and_saturation():
    pixels = numpy.random.default_rng(0).integers(0, 256, (8, 9, 3), dtype=numpy.uint8)
    assert abs(hue.colours_changed(pixels, 0, 0, 0, 0) - pixels.astype(int)).max() == 0
    there = hue.to_rgb(hue.to_hls(pixels)).astype(int)
    assert numpy.median(abs(there - pixels)) <= 1  # hues are cut to whole numbers, as in MXNet
    red = numpy.array([[[200, 0, 0]]], "uint8")
    assert hue.colours_changed(red, 60, 0, 0, 0).tolist() == [[[0, 200, 0]]]
    assert hue.colours_changed(red, 0, -255, 0, 0).tolist() == [[[100, 100, 100]]]
    assert hue.colours_changed(red, 0, 0, 255, 0).tolist() == [[[255, 255, 255]]]
    assert hue.colours_changed(red, 0, 0, 0, 0.5).tolist() == [[[255, 0, 0]]]


def test_everything_at_once_gives_batches_of_one_shape(iterator):
    random.seed(0)
    batches = iterator(
        rand_mirror_prob=0.5, rand_pad_prob=0.5, max_pad_scale=2, rand_crop_prob=0.8, num_crop_sampler=2,
        min_crop_scales=(0.3, 0.5), max_crop_aspect_ratios=2, min_crop_aspect_ratios=0.5, crop_emit_mode="overlap",
        max_random_hue=18, random_hue_prob=0.5, max_random_contrast=0.5, random_contrast_prob=0.5, shuffle=True,
        inter_method=10,
    )  # fmt: skip
    seen = set()
    for _ in range(10):
        for batch in batches:
            assert batch.data[0].shape == (5, 3, 16, 24)
            for row in batch.label[0].asnumpy():
                numbers = row[4 : 4 + int(row[3])]
                boxes = numbers[4:].reshape(-1, 6)[:, 1:5]
                assert (row[4 + int(row[3]) :] == -1).all() and len(boxes)
                assert (boxes >= 0).all() and (boxes <= 1).all() and (boxes[:, 2:] > boxes[:, :2]).all()
                seen.add(numbers.size)
        batches.reset()
    assert len(seen) > 2


def test_wrong_settings_and_labels_are_refused(iterator):
    for settings, message in (
        ({"crop_emit_mode": "none"}, "crop_emit_mode"),
        ({"resize_mode": "none"}, "resize_mode"),
        ({"inter_method": 7}, "invalid inter_method"),
        ({"data_shape": (4, 8, 8)}, "1 or 3 channels"),
        ({"min_crop_overlaps": 0.5, "max_crop_overlaps": 0.2}, "min_crop_overlaps and max_crop_overlaps"),
        ({"max_crop_scales": 1.5}, "max_crop_scales"),
        ({"colour": 3}, "has no argument colour"),
        ({"aug_seq": "aug_default"}, "supports only aug_seq='det_aug_default', not aug_seq='aug_default'"),
    ):
        with pytest.raises(mx.MXNetError, match=message):
            iterator(**settings)
    for numbers, message in (
        ([2, 5, 1], "label_width >= 7"),
        ([1, 5, 0, 0, 0, 1, 1], "header_width >= 2"),
        ([2, 4, 0, 0, 1, 1, 1], "object_width_ >= 5"),
        ([2, 5, 0, 0, 0, 1, 1, 1], "% object_width_ == 0"),
        ([20, 5, 0, 0, 0, 1, 1], "% object_width_ == 0"),
        ([numpy.nan, 5, 0, 0, 0, 1, 1], "begin with two finite numbers"),
        ([2, numpy.inf, 0, 0, 0, 1, 1], "begin with two finite numbers"),
        ([-1e30, 5, 0, 0, 0, 1, 1], "header_width >= 2"),
    ):
        with pytest.raises(mx.MXNetError, match=message):
            Label.of(numpy.array(numbers, "float32"))


def test_a_picture_of_one_line_keeps_one():
    line = numpy.zeros((1, 400, 3), numpy.uint8)
    assert box_changes.resized(line, 16, 24, "fit", 1).shape == (1, 24, 3)


def test_a_mean_is_made_and_read(iterator, tmp_path):
    path = str(tmp_path / "mean.bin")
    plain = next(iterator()).data[0].asnumpy()
    for _ in range(2):  # made, and read
        values = next(iterator(mean_img=path)).data[0].asnumpy()
        numpy.testing.assert_allclose(values, plain - plain.mean(axis=0), atol=1e-3)
    with pytest.raises(mx.MXNetError, match="must contain exactly one array"):
        iterator(mean_img=path, data_shape=(3, 8, 8))
