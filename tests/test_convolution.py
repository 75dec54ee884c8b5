"""Convolution and its transpose against their definitions, written as loops; and their derivatives."""

from __future__ import annotations

import itertools
import math

import derivatives as check
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d2lhybrid.error import MXNetError, ShapeError
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.internals.ops import polyphase
from d2lhybrid.internals.ops import unfold as unfolding
from d2lhybrid.internals.ops.unfold import fold, pad_spatial, unfold, windows

F = kernel_space(np)


def normal(*shape, seed=0):
    return np.random.default_rng(seed + sum(shape)).normal(size=shape)


# --- the definitions ---------------------------------------------------------------------------


def convolve_slowly(x, weight, bias, stride, dilate, pad, groups):
    """Return the convolution: one sum for each filter and position."""
    filters, per_group, *kernel = weight.shape
    padded = np.pad(x, [(0, 0), (0, 0), *((p, p) for p in pad)])
    sizes = [
        (n - (k - 1) * t - 1) // s + 1 for n, k, s, t in zip(padded.shape[2:], kernel, stride, dilate, strict=True)
    ]
    y = np.zeros((len(x), filters, *sizes))
    for n, f, *place in np.ndindex(y.shape):
        first = f // (filters // groups) * per_group
        for c, *offset in np.ndindex(per_group, *kernel):
            at = [o * s + i * t for o, s, i, t in zip(place, stride, offset, dilate, strict=True)]
            y[(n, f, *place)] += padded[(n, first + c, *at)] * weight[(f, c, *offset)]
    return y if bias is None else y + bias.reshape(-1, *[1] * len(kernel))


def deconvolve_slowly(x, weight, bias, stride, dilate, pad, adj, groups):
    """Return the transposed convolution: every element adds a filter to the output."""
    channels, per_group, *kernel = weight.shape
    sizes = [
        (n - 1) * s + (k - 1) * t + 1 + a
        for n, k, s, t, a in zip(x.shape[2:], kernel, stride, dilate, adj, strict=True)
    ]
    y = np.zeros((len(x), per_group * groups, *sizes))
    for n, c, *place in np.ndindex(x.shape):
        first = c // (channels // groups) * per_group
        for f, *offset in np.ndindex(per_group, *kernel):
            at = [o * s + i * t for o, s, i, t in zip(place, stride, offset, dilate, strict=True)]
            y[(n, first + f, *at)] += x[(n, c, *place)] * weight[(c, f, *offset)]
    y = y[(slice(None), slice(None), *(slice(p, m - p) for p, m in zip(pad, sizes, strict=True)))]
    return y if bias is None else y + bias.reshape(-1, *[1] * len(kernel))


# --- drawn cases -------------------------------------------------------------------------------


def several(draw, count, low, high):
    return tuple(draw(st.integers(low, high)) for _ in range(count))


@st.composite
def convolutions(draw, largest=7):
    """Draw arrays and attributes of a Convolution."""
    rank = draw(st.integers(1, 3))
    kernel = several(draw, rank, 1, 3 if rank < 3 else 2)
    stride, dilate = several(draw, rank, 1, 3), several(draw, rank, 1, 2)
    pad, groups = several(draw, rank, 0, 2), draw(st.integers(1, 3))
    least = [max(1, (k - 1) * t + 1 - 2 * p) for k, t, p in zip(kernel, dilate, pad, strict=True)]
    sizes = tuple(draw(st.integers(n, max(n, largest - rank))) for n in least)
    channels, filters = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    seed = draw(st.integers(0, 99))
    arrays = [
        normal(draw(st.integers(1, 2)), groups * channels, *sizes, seed=seed),
        normal(groups * filters, channels, *kernel, seed=seed),
    ]
    if draw(st.booleans()):
        arrays.append(normal(groups * filters, seed=seed))
    return arrays, {
        "kernel": kernel, "stride": stride, "dilate": dilate, "pad": pad, "num_filter": groups * filters,
        "num_group": groups, "no_bias": len(arrays) == 2,
    }  # fmt: skip


@st.composite
def deconvolutions(draw):
    """Draw arrays and attributes of a Deconvolution."""
    rank = draw(st.integers(1, 3))
    kernel, stride = several(draw, rank, 1, 3 if rank < 3 else 2), several(draw, rank, 1, 3)
    dilate, groups = several(draw, rank, 1, 2), draw(st.integers(1, 2))
    adj = tuple(draw(st.integers(0, s - 1)) for s in stride)
    sizes = several(draw, rank, 1, 4 if rank < 3 else 2)
    full = [(n - 1) * s + (k - 1) * t + 1 + a for n, s, k, t, a in zip(sizes, stride, kernel, dilate, adj, strict=True)]
    pad = tuple(draw(st.integers(0, min(2, (n - 1) // 2))) for n in full)
    channels, filters = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    seed = draw(st.integers(0, 99))
    arrays = [
        normal(draw(st.integers(1, 2)), groups * channels, *sizes, seed=seed),
        normal(groups * channels, filters, *kernel, seed=seed),
    ]
    if draw(st.booleans()):
        arrays.append(normal(groups * filters, seed=seed))
    return arrays, {
        "kernel": kernel, "stride": stride, "dilate": dilate, "pad": pad, "adj": adj,
        "num_filter": groups * filters, "num_group": groups, "no_bias": len(arrays) == 2,
    }  # fmt: skip


def geometry(attributes, *names):
    return [attributes[name] for name in (*names, "num_group")]


def bias_of(arrays):
    return arrays[2] if len(arrays) == 3 else None


# --- values ------------------------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(convolutions())
def test_convolution_is_what_its_definition_says(case):
    arrays, attributes = case
    expected = convolve_slowly(*arrays[:2], bias_of(arrays), *geometry(attributes, "stride", "dilate", "pad"))
    np.testing.assert_allclose(F.Convolution(*arrays, **attributes), expected, rtol=1e-10, atol=1e-12)
    check.check_rules("Convolution", arrays, attributes)


@settings(max_examples=80, deadline=None)
@given(deconvolutions())
def test_deconvolution_is_what_its_definition_says(case):
    arrays, attributes = case
    expected = deconvolve_slowly(*arrays[:2], bias_of(arrays), *geometry(attributes, "stride", "dilate", "pad", "adj"))
    np.testing.assert_allclose(F.Deconvolution(*arrays, **attributes), expected, rtol=1e-10, atol=1e-12)
    check.check_rules("Deconvolution", arrays, attributes)


@settings(max_examples=30, deadline=None)
@given(convolutions(), st.integers(1, 200))
def test_large_batches_are_done_piece_by_piece(case, piece):
    (x, weight, *_), attributes = case
    attributes["no_bias"] = True
    x = np.concatenate([x, 2 * x, 3 * x])
    names = ("kernel", "stride", "dilate", "pad", "num_filter", "num_group")
    settings_ = {name: attributes[name] for name in names}

    def everything():
        y = F.Convolution(x, weight, **attributes)
        dx = F._backward_Convolution_data(y, weight, x, **settings_)
        return y, dx, F._backward_Convolution_weight(y, x, **settings_)

    at_once = everything()
    before, unfolding.CHUNK = unfolding.CHUNK, piece
    try:
        for whole, pieces in zip(at_once, everything(), strict=True):
            np.testing.assert_allclose(pieces, whole, rtol=1e-10, atol=1e-12)
    finally:
        unfolding.CHUNK = before


@pytest.mark.parametrize("layout, order", [("NHWC", (0, 2, 3, 1)), ("NDHWC", (0, 2, 3, 4, 1))])
@pytest.mark.parametrize("name", ["Convolution", "Deconvolution"])
def test_channels_may_come_last(name, layout, order):
    rank = len(order) - 2
    kernel = (3, 2, 2)[:rank]
    x, bias = normal(2, 4, *(5, 4, 3)[:rank]), normal(6)
    weight = normal(*((6, 2) if name == "Convolution" else (4, 3)), *kernel)
    attributes = {"kernel": kernel, "num_filter": 6, "num_group": 2, "stride": (2,) * rank, "no_bias": False}
    expected = getattr(F, name)(x, weight, bias, **attributes).transpose(order)
    arrays = [x.transpose(order), weight.transpose(order), bias]
    attributes["layout"] = layout
    y = getattr(F, name)(*arrays, **attributes)
    np.testing.assert_allclose(y, expected, rtol=1e-12)
    assert y.flags.c_contiguous
    check.check_rules(name, arrays, attributes)
    check.check_first_derivative(name, [np.ascontiguousarray(a) for a in arrays], attributes)


@pytest.mark.parametrize("target", [(7, 7), (6, 6), (5, 6), (4, 5)])
def test_deconvolution_finds_the_padding_for_a_target_shape(target):
    x, weight = normal(1, 2, 3, 3), normal(2, 3, 3, 3)
    attributes = {"kernel": (3, 3), "stride": (2, 2), "num_filter": 3}
    whole = F.Deconvolution(x, weight, **attributes)
    y = F.Deconvolution(x, weight, target_shape=target, **attributes)
    rows, columns = ((7 - n + 1) // 2 for n in target)
    assert y.shape == (1, 3, *target)
    np.testing.assert_allclose(y, whole[:, :, rows : rows + target[0], columns : columns + target[1]])
    check.check_first_derivative("Deconvolution", [x, weight], {**attributes, "target_shape": target})


@pytest.mark.parametrize(
    ("kernel", "stride", "pad", "sizes"),
    [((1,), (1,), (1,), (0,)), ((1, 1), (1, 1), (1, 1), (0, 0)), ((1, 3), (1, 1), (1, 0), (0, 4)),
     ((2, 2), (2, 2), (2, 1), (0, 2))],
)  # fmt: skip
@pytest.mark.parametrize("enough", [1, 1 << 30])  # the two ways to compute it
def test_padding_may_leave_nothing_of_a_deconvolution(kernel, stride, pad, sizes, enough, monkeypatch):
    monkeypatch.setattr(polyphase, "ENOUGH", enough)
    x, weight = normal(1, 3, *(2,) * len(kernel)), normal(3, 4, *kernel)
    attributes = {"kernel": kernel, "stride": stride, "pad": pad, "num_filter": 4, "no_bias": True}
    assert F.Deconvolution(x, weight, **attributes).shape == (1, 4, *sizes)
    check.check_first_derivative("Deconvolution", [x, weight], attributes)


def test_half_precision_is_computed_in_single():
    x, weight, bias = (a.astype("float16") for a in (normal(1, 2, 4, 4), normal(3, 2, 3, 3), normal(3)))
    y = F.Convolution(x, weight, bias, kernel=(3, 3), num_filter=3)
    single = F.Convolution(*(a.astype("float32") for a in (x, weight)), None, kernel=(3, 3), num_filter=3, no_bias=True)
    assert y.dtype == np.float16
    np.testing.assert_allclose(y, single.astype("float16") + bias[:, None, None], rtol=2e-3)


@pytest.mark.parametrize("size", [1, 3])
def test_an_empty_batch(size):
    x, weight = np.zeros((0, 2, 5, 5)), normal(3, 2, size, size)
    attributes = {"kernel": (size, size), "num_filter": 3}
    y = F.Convolution(x, weight, no_bias=True, **attributes)
    assert y.shape == (0, 3, 6 - size, 6 - size)
    assert F._backward_Convolution_data(y, weight, x, **attributes).shape == x.shape
    assert not F._backward_Convolution_weight(y, x, **attributes).any()


# --- derivatives -------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(convolutions(largest=5))
def test_gradient_of_convolution(case):
    check.check_first_derivative("Convolution", *case, rtol=1e-5, atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(deconvolutions())
def test_gradient_of_deconvolution(case):
    check.check_first_derivative("Deconvolution", *case, rtol=1e-5, atol=1e-6)


def test_gradient_with_more_filters_than_positions():
    arrays = [normal(2, 2, 3, 3), normal(9, 2, 2, 2), normal(9)]
    check.check_first_derivative("Convolution", arrays, {"kernel": (2, 2), "num_filter": 9})


@pytest.mark.parametrize(
    "name, attributes",
    [
        ("Convolution", {"kernel": (2,), "stride": (2,), "pad": (1,), "num_filter": 2}),
        ("Convolution", {"kernel": (2, 1), "dilate": (2, 1), "num_group": 2, "num_filter": 2}),
        ("Deconvolution", {"kernel": (2,), "stride": (2,), "adj": (1,), "num_filter": 2}),
        ("Deconvolution", {"kernel": (2, 1), "stride": (2, 1), "target_shape": (4, 2), "num_filter": 2}),
    ],
)
def test_second_derivatives(name, attributes):
    kernel, groups = attributes["kernel"], attributes.get("num_group", 1)
    x = normal(1, 2, *(3, 2)[: len(kernel)])
    check.check_second_derivative(name, [x, normal(2, 2 // groups, *kernel)], {**attributes, "no_bias": True})


@settings(max_examples=40, deadline=None)
@given(convolutions())
def test_folding_is_the_adjoint_of_unfolding(case):
    (x, *_), attributes = case
    w = windows(x.shape[2:], *(attributes[n] for n in ("kernel", "stride", "dilate", "pad")))
    columns = unfold(np, pad_spatial(np, x, w.pad), w)
    assert columns.shape == (*x.shape[:2], *w.kernel, *w.output)
    other = normal(*columns.shape)
    np.testing.assert_allclose((columns * other).sum(), (x * fold(np, other, w)).sum(), rtol=1e-9, atol=1e-9)
    inside = unfold(np, pad_spatial(np, x, w.pad), w, batch_inside=True)
    order = (1, *range(2, 2 + len(w.kernel)), 0, *range(2 + len(w.kernel), columns.ndim))
    np.testing.assert_array_equal(inside, columns.transpose(order))


# --- shapes and messages -----------------------------------------------------------------------


def complete(name, *shapes, **attributes):
    op = get_operator(name)
    return op.shape_rule(*shapes, **op.complete(op.parse(attributes)))


def test_shapes_of_parameters_follow_from_the_data():
    attributes = {"kernel": (3, 3), "num_filter": 4}
    assert complete("Convolution", (None, 3, None, 8), None, None, **attributes) == (
        [(None, 3, None, 8), (4, 3, 3, 3), (4,)], [(None, 4, None, 6)],
    )  # fmt: skip
    assert complete("Convolution", (None, None, 9, 8), None, None, **attributes) == (
        [(None, None, 9, 8), (4, None, 3, 3), (4,)], [(None, 4, 7, 6)],
    )  # fmt: skip
    assert complete("Convolution", None, (4, 3, 3, 3), None, **attributes) == (
        [None, (4, 3, 3, 3), None],
        [None],
    )
    assert complete("Deconvolution", (2, 6, 9, 8), None, None, num_group=2, no_bias=False, **attributes) == (
        [(2, 6, 9, 8), (6, 2, 3, 3), (4,)], [(2, 4, 11, 10)],
    )  # fmt: skip
    assert complete("Deconvolution", (2, 9, 8, 6), None, layout="NHWC", **attributes) == (
        [(2, 9, 8, 6), (6, 3, 3, 4)], [(2, 11, 10, 4)],
    )  # fmt: skip


@pytest.mark.parametrize(
    "shapes, attributes, message",
    [
        (
            [(1, 1, 4, 4), (1, 1, 5, 5), (1,)], {"kernel": (5, 5), "num_filter": 1},
            "Check failed: dilated_ksize_y <= AddPad(dshape[2], param_.pad[0]) (5 vs. 4) : "
            "kernel size exceed input",
        ),
        (
            [(1, 4, 4), (1, 1, 3, 3), (1,)], {"kernel": (3, 3), "num_filter": 1},
            "Check failed: dshp.ndim() == 4U (3 vs. 4) : Input data should be 4D in batch-num_filter-y-x",
        ),
        (
            [(1, 1, 4, 4), (2, 1, 3, 3), (1,)], {"kernel": (3, 3), "num_filter": 1},
            "Shape inconsistent, Provided = [2,1,3,3], inferred shape=(1,1,3,3)",
        ),
        (
            [(1, 1, 4), (1, 1, 3), (2,)], {"kernel": (3,), "num_filter": 1},
            "Shape inconsistent, Provided = [2], inferred shape=(1,)",
        ),
        (
            [(1, 3, 4), (2, 1, 3), (2,)], {"kernel": (3,), "num_filter": 2, "num_group": 2},
            "Check failed: dshape[1] % param_.num_group == 0U (1 vs. 0) : "
            "input num_filter must divide group size",
        ),
        (
            [(1, 1, 4, 4), (1, 1, 3, 3), (1,)], {"kernel": (3, 3), "num_filter": 1, "stride": (2,)},
            "Check failed: param_.kernel.ndim() == param_.stride.ndim() (2 vs. 1) : Stride must have "
            "the same number of dimensions with kernel_size,"
            "but kernel_size is set to [3,3] while stride is [2]",
        ),
        (
            [(1, 1, 4), (1, 1, 3)], {"kernel": (3,), "num_filter": 1},
            "Check failed: num_inputs == infered_num_inputs (2 vs. 3) : "
            "Operator Convolution expects 3 inputs, but got 2 instead.",
        ),
    ],
)  # fmt: skip
def test_messages_of_convolution(shapes, attributes, message):
    with pytest.raises(MXNetError) as caught:
        F.Convolution(*(np.ones(s, "float32") for s in shapes), **attributes)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "attributes, message",
    [
        (
            {"target_shape": (8, 8)},
            "Check failed: o_pad[i] >= target_shape[i] (7 vs. 8) : too big target shape",
        ),
        (
            {"adj": (2, 2)},
            "Check failed: param_.stride[0]-1 >= o_adj[0] (1 vs. 2) : adj(y) must be samller than stride[0]",
        ),
    ],
)
def test_messages_of_deconvolution(attributes, message):
    with pytest.raises(ShapeError) as caught:
        F.Deconvolution(
            np.ones((1, 1, 3, 3)),
            np.ones((1, 1, 3, 3)),
            kernel=(3, 3),
            stride=(2, 2),
            num_filter=1,
            **attributes,
        )
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["Convolution", "Deconvolution"])
def test_mixed_types_are_refused(name):
    with pytest.raises(ShapeError, match=r"Expected 'float64' v\.s\. given 'float32' at 'weight'"):
        getattr(F, name)(np.ones((1, 1, 4)), np.ones((1, 1, 3), "float32"), kernel=(3,), num_filter=1, no_bias=True)


def test_pieces_cover_a_batch():
    for count, size in itertools.product((0, 1, 5, 64), (1, unfolding.CHUNK // 3, 10 * unfolding.CHUNK)):
        steps = unfolding.chunks(count, size)
        assert len(steps) == math.ceil(count / steps.step)
        assert steps.step == 1 or steps.step * size <= unfolding.CHUNK
