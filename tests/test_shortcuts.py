"""What kernels leave out for speed changes no result: each short way beside the long one."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from d2lhybrid import autograd, nd
from d2lhybrid.internals.ops import boxes, conv, order, polyphase, portable, roi, special_functions, unfold
from d2lhybrid.internals.ops.unfold import windows

seeds = st.integers(0, 2**32 - 1)
FLOATS, INTEGERS = ("f2", "f4", "f8"), ("i1", "u1", "i4", "i8")


@given(seeds, st.sampled_from([*FLOATS, *INTEGERS]), st.sampled_from([2, 5, 100, 1000]), st.booleans(), st.booleans())
def test_the_first_in_order_are_those_of_all_in_order(
    seed: int, dtype: str, different: int, ascending: bool, strange: bool
) -> None:
    rng = numpy.random.default_rng(seed)
    shape = rng.integers(1, 4, rng.integers(1, 4))
    axis = int(rng.integers(len(shape)))
    shape[axis] = rng.integers(order.LONG, 200)
    info = numpy.iinfo(dtype) if dtype in INTEGERS else numpy.finfo(dtype)
    line = numpy.clip(rng.integers(-different // 2, different, shape), max(info.min, -1000), min(info.max, 1000))
    line = line.astype(dtype)
    if strange:  # what an element that was taken out is replaced by, too
        values = [info.min, info.max] + ([numpy.nan, numpy.inf, -numpy.inf] if dtype in FLOATS else [])
        line.flat[rng.integers(line.size, size=3)] = rng.choice(numpy.array(values, dtype), 3)
    count = int(rng.integers(2, shape[axis] // 3))
    got = order._first_of_order(numpy, line, axis, ascending, count)
    expected = order._order(numpy, line, axis, ascending)[(slice(None),) * axis + (slice(count),)]
    numpy.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "bool"])
def test_a_choice_by_bits_is_a_choice(dtype: str) -> None:
    rng = numpy.random.default_rng(0)
    shape = (portable._MANY // 64, 65)
    x, y = (rng.normal(size=shape).astype(dtype) for _ in range(2))
    if dtype in FLOATS:
        x[0, :4] = y[1, :4] = [numpy.nan, numpy.inf, -0.0, numpy.finfo(dtype).tiny]
    condition = rng.integers(0, 2, shape) != 0
    for a, b in ((x, y), (x.T[::-1].T, y), (x.reshape(-1)[::-1].reshape(shape), y[:, ::-1])):
        got, expected = portable.chosen(numpy, condition, a, b), numpy.where(condition, a, b)
        assert got.dtype == expected.dtype and got.tobytes() == expected.tobytes()


def test_a_choice_among_arrays_that_broadcast_is_a_choice() -> None:
    condition, x, y = (nd.random.normal(shape=shape) > 0 for shape in ((300, 1), (300, 400), (300, 400)))
    expected = numpy.where(condition.asnumpy() != 0, x.asnumpy(), y.asnumpy())
    numpy.testing.assert_array_equal(nd.where(condition.reshape(-1), x, y).asnumpy(), expected)


def surviving_one_by_one(rows: numpy.ndarray, classes: numpy.ndarray | None, threshold: float) -> list[bool]:
    """Non-maximum suppression as it is told: each box that stays takes away the later ones that it overlaps."""
    alive = [True] * len(rows)
    for i, box in enumerate(rows):
        for k in range(i + 1, len(rows)):
            near = boxes.overlaps(numpy, box, rows[k]) > threshold
            if alive[i] and near and (classes is None or classes[i] == classes[k]):
                alive[k] = False
    return alive


@pytest.mark.parametrize("pairs", [1, 50, 1 << 15])
@pytest.mark.parametrize("with_classes", [True, False])
def test_boxes_are_compared_many_at_a_time(pairs: int, with_classes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "_PAIRS", pairs)
    rng = numpy.random.default_rng(pairs)
    rows = numpy.concatenate([rng.random((3, 40, 2)), 1 + rng.random((3, 40, 2))], axis=-1)
    classes = rng.integers(0, 3, (3, 40)) if with_classes else None
    got = boxes.surviving(numpy, rows, classes, numpy.ones((3, 40), bool), 0.5)
    for i in range(3):
        own = None if classes is None else classes[i]
        assert got[i].tolist() == surviving_one_by_one(rows[i], own, 0.5)
    assert 3 < got.sum() < 117


@given(seeds, st.booleans())
def test_a_region_is_pooled_as_the_whole_image_behind_a_mask(seed: int, equal: bool) -> None:
    rng = numpy.random.default_rng(seed)
    n, channels, height, width = rng.integers(1, 4), rng.integers(1, 5), *rng.integers(1, 12, 2)
    image = rng.integers(0, 3, (n, channels, height, width)) if equal else rng.normal(size=(n, channels, height, width))
    data = nd.array(image)
    data.attach_grad()
    regions = numpy.concatenate([rng.integers(0, n, (5, 1)), rng.uniform(-4, 16, (5, 4))], axis=1)
    size = tuple(rng.integers(1, 5, 2).tolist())
    with autograd.record():
        y = nd.ROIPooling(data, nd.array(regions), pooled_size=size, spatial_scale=0.8)
    y.backward()
    corners = numpy.floor(regions[:, 1:].astype("f4") * numpy.float32(0.8) + numpy.float32(0.5))
    rows = roi._bins(numpy, corners[:, 1], corners[:, 3], size[0], height)
    columns = roi._bins(numpy, corners[:, 0], corners[:, 2], size[1], width)
    gradient = numpy.zeros_like(data.asnumpy())
    for r, p, q in numpy.ndindex(5, *size):
        of = int(regions[r, 0])
        for c in range(channels):
            inside = numpy.where(rows[r, p][:, None] & columns[r, q], data.asnumpy()[of, c], -numpy.inf)
            exists = inside.max() > -numpy.inf
            assert y.asnumpy()[r, c, p, q] == (inside.max() if exists else 0)
            if exists:
                gradient[(of, c, *numpy.unravel_index(inside.argmax(), inside.shape))] += 1
    numpy.testing.assert_array_equal(data.grad.asnumpy(), gradient)


@given(seeds)
def test_the_phases_of_a_convolution_are_its_gradient(seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    rank, groups, n = int(rng.integers(1, 4)), int(rng.integers(1, 4)), int(rng.integers(0, 3))
    kernel, stride, pad = (tuple(rng.integers(low, 6, rank).tolist()) for low in (1, 1, 0))
    dilate = tuple(int(rng.integers(1, 3)) if s == 1 else 1 for s in stride)
    fewest = [max(1, (k - 1) * d + 1 - 2 * p) for k, d, p in zip(kernel, dilate, pad, strict=True)]
    sizes = tuple(low + int(rng.integers(0, 6)) for low in fewest)
    w = windows(sizes, kernel, stride, dilate, pad)
    channels, filters = rng.integers(1, 4, 2)
    weight, dy = (
        rng.normal(size=(groups * filters, channels, *kernel)),
        rng.normal(size=(n, groups * filters, *w.output)),
    )
    x = rng.normal(size=(n, groups * channels, *sizes))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(polyphase, "ENOUGH", 0)
        folded = conv.convolve_data_gradient(numpy, dy, weight, w, groups)
        patch.setattr(polyphase, "ENOUGH", 1e300)
        patch.setattr(conv, "fold", None)
        got = conv.convolve_data_gradient(numpy, dy, weight, w, groups)
    assert got.shape == x.shape and got.flags.c_contiguous
    numpy.testing.assert_allclose(got, folded, rtol=1e-9, atol=1e-12)
    # The adjoint of a linear map: <convolve(x), dy> = <x, gradient(dy)>.
    inner = (conv.convolve(numpy, x, weight, w, groups) * dy).sum()
    numpy.testing.assert_allclose(inner, (x * got).sum(), rtol=1e-9, atol=1e-9)


def test_windows_with_gaps_that_move_by_more_than_one_are_folded() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(polyphase, "ENOUGH", 1e300)
        w = windows((9,), (3,), (2,), (2,), ())
        got = conv.convolve_data_gradient(
            numpy, numpy.array([[[1.0, 10.0, 100.0]]]), numpy.array([[[1.0, 2, 3]]]), w, 1
        )
    assert got.tolist() == [[[1, 0, 12, 0, 123, 0, 230, 0, 300]]]


@pytest.mark.parametrize("others", [[], [-0.5], [-1.0], [0.0], [40.0], [numpy.nan], [numpy.inf]])
def test_the_logarithm_of_gamma_does_not_depend_on_what_stands_beside_a_number(others: list[float]) -> None:
    x = numpy.array([0.1, 1.0, 2.5, 29.9])
    alone = special_functions.gammaln(numpy, x)
    numpy.testing.assert_array_equal(special_functions.gammaln(numpy, numpy.append(x, others))[: len(x)], alone)


@given(seeds, st.sampled_from([1, 40, 300]))
def test_an_image_is_convolved_band_by_band(seed: int, band: int) -> None:
    rng = numpy.random.default_rng(seed)
    rank, groups, n = rng.integers(1, 4), int(rng.integers(1, 3)), int(rng.integers(0, 3))
    kernel, stride, dilate, pad = (
        tuple(rng.integers(*ends, rank).tolist()) for ends in ((1, 4), (1, 4), (1, 3), (0, 3))
    )
    sizes = tuple(rng.integers(6, 10, rank).tolist())
    w = windows(sizes, kernel, stride, dilate, pad)
    channels, filters = rng.integers(1, 3, 2)
    x, weight = rng.normal(size=(n, groups * channels, *sizes)), rng.normal(size=(groups * filters, channels, *kernel))
    y = conv.convolve(numpy, x, weight, w, groups)
    gradient = conv.convolve_weight_gradient(numpy, y, x, w, groups)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unfold, "CHUNK", band)
        patch.setattr(unfold, "BAND", band)
        numpy.testing.assert_allclose(conv.convolve(numpy, x, weight, w, groups), y, atol=1e-12)
        got = conv.convolve_weight_gradient(numpy, y, x, w, groups)
    numpy.testing.assert_allclose(got, gradient, atol=1e-9)
