"""Pooling against its definition, written as loops; ties, paddings, conventions; its derivatives."""

from __future__ import annotations

import math

import derivatives as check
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from d2lhybrid import autograd, gluon, nd
from d2lhybrid.error import MXNetError
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import get_operator

F = kernel_space(np)
LOWEST = np.finfo("float64").min


def normal(*shape, seed=0):
    return np.random.default_rng(seed + sum(shape)).normal(size=shape)


# --- the definition ----------------------------------------------------------------------------


def windows_slowly(sizes, kernel, stride, pad, convention):
    """Iterate over windows: their place, their interval on each axis, and how many elements count."""
    rounded = math.ceil if convention == "full" else math.floor
    counts = [rounded((n + 2 * p - k) / s) + 1 for n, k, s, p in zip(sizes, kernel, stride, pad, strict=True)]
    for place in np.ndindex(*counts):
        starts = [o * s - p for o, s, p in zip(place, stride, pad, strict=True)]
        ends = [a + k for a, k in zip(starts, kernel, strict=True)]
        padded = math.prod(
            max(1, min(b, n + p) - max(a, -p)) for a, b, n, p in zip(starts, ends, sizes, pad, strict=True)
        )
        intervals = [(max(a, 0), max(min(b, n), 0)) for a, b, n in zip(starts, ends, sizes, strict=True)]
        inside = math.prod(max(1, b - a) for a, b in intervals)
        yield counts, place, tuple(slice(a, b) for a, b in intervals), padded, inside


def pool_slowly(x, kernel, stride, pad, pool_type, convention="valid", p_value=2, include_pad=True):
    """Return the pooled images."""
    result = None
    for counts, place, window, padded, inside in windows_slowly(x.shape[2:], kernel, stride, pad, convention):
        if result is None:
            result = np.zeros((*x.shape[:2], *counts))
        values = x[(slice(None), slice(None), *window)].reshape(*x.shape[:2], -1)
        target = (slice(None), slice(None), *place)
        if pool_type == "max":
            result[target] = values.max(axis=2, initial=LOWEST)
        elif pool_type == "lp":
            result[target] = np.power((values**p_value).sum(axis=2), 1 / p_value)
        else:
            size = (padded if include_pad else inside) if pool_type == "avg" else 1
            result[target] = values.sum(axis=2) / size
    return result


def first_maxima_slowly(x, dy, kernel, stride, pad, convention):
    """Return the gradient of max pooling: all to the first maximum, row by row."""
    dx = np.zeros_like(x)
    for _, place, window, _, _ in windows_slowly(x.shape[2:], kernel, stride, pad, convention):
        for n, c in np.ndindex(x.shape[:2]):
            values = x[(n, c, *window)]
            if values.size:
                first = np.unravel_index(values.argmax(), values.shape)
                at = tuple(w.start + i for w, i in zip(window, first, strict=True))
                dx[(n, c, *at)] += dy[(n, c, *place)]
    return dx


# --- drawn cases -------------------------------------------------------------------------------


@st.composite
def poolings(draw, pool_types=("max", "avg", "sum", "lp"), levels=None):
    """Draw an image and attributes; with ``levels``, of that many different numbers only."""
    rank = draw(st.integers(1, 3))
    kernel = tuple(draw(st.integers(1, 4 if rank < 3 else 2)) for _ in range(rank))
    stride = tuple(draw(st.integers(1, 3)) for _ in range(rank))
    pad = tuple(draw(st.integers(0, k - 1)) for k in kernel)
    sizes = tuple(
        draw(st.integers(max(1, k - 2 * p), max(1, k - 2 * p, 7 - rank))) for k, p in zip(kernel, pad, strict=True)
    )
    attributes = {
        "kernel": kernel, "stride": stride, "pad": pad, "pool_type": draw(st.sampled_from(pool_types)),
        "pooling_convention": draw(st.sampled_from(["valid", "full"])),
    }  # fmt: skip
    if attributes["pool_type"] == "lp":
        attributes["p_value"] = draw(st.integers(1, 3))
    if attributes["pool_type"] == "avg":
        attributes["count_include_pad"] = draw(st.booleans())
    x = normal(draw(st.integers(1, 2)), draw(st.integers(1, 2)), *sizes, seed=draw(st.integers(0, 99)))
    if levels:
        x = np.round(x * levels / 4)
    return (np.abs(x) + 0.1 if attributes["pool_type"] == "lp" else x), attributes


def slowly(x, attributes):
    return pool_slowly(
        x, attributes["kernel"], attributes["stride"], attributes["pad"], attributes["pool_type"],
        attributes["pooling_convention"], attributes.get("p_value", 2),
        attributes.get("count_include_pad", True),
    )  # fmt: skip


# --- values ------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(poolings())
def test_pooling_is_what_its_definition_says(case):
    x, attributes = case
    y = F.Pooling(x, **attributes)
    np.testing.assert_allclose(y, slowly(x, attributes), rtol=1e-10, atol=1e-12)
    check.check_rules("Pooling", [x], attributes)


@settings(max_examples=40, deadline=None)
@given(poolings())
def test_channels_may_come_last(case):
    x, attributes = case
    rank = x.ndim - 2
    order = (0, *range(2, x.ndim), 1)
    layout = {1: "NWC", 2: "NHWC", 3: "NDHWC"}[rank]
    last = np.ascontiguousarray(x.transpose(order))
    y, expected = F.Pooling(last, layout=layout, **attributes), F.Pooling(x, **attributes)
    np.testing.assert_allclose(y, expected.transpose(order), rtol=1e-12)
    dy = normal(*y.shape)
    first = np.ascontiguousarray(dy.transpose(0, rank + 1, *range(1, rank + 1)))
    dx = F._backward_Pooling(dy, last, y, layout=layout, **attributes)
    expected = F._backward_Pooling(first, x, expected, **attributes)
    np.testing.assert_allclose(dx, expected.transpose(order), rtol=1e-12)
    check.check_rules("Pooling", [last], {**attributes, "layout": layout})


@pytest.mark.parametrize("layout, axes", [(None, (2, 3)), ("NHWC", (1, 2))])
@pytest.mark.parametrize("pool_type, reduce", [("max", np.max), ("avg", np.mean), ("sum", np.sum)])
def test_global_pooling_takes_the_whole_image(layout, axes, pool_type, reduce):
    x = normal(2, 3, 4, 5)
    attributes = {"global_pool": True, "pool_type": pool_type, "layout": layout}
    np.testing.assert_allclose(F.Pooling(x, **attributes), reduce(x, axis=axes, keepdims=True))
    ignored = {"kernel": (2, 2), "stride": (2, 2), "pad": (1, 1)}
    np.testing.assert_array_equal(F.Pooling(x, **attributes, **ignored), F.Pooling(x, **attributes))
    check.check_first_derivative("Pooling", [x], attributes)


def test_windows_of_one_element_are_a_copy():
    x = normal(1, 1, 3, 3)
    y = F.Pooling(x, kernel=(1, 1))
    np.testing.assert_array_equal(y, x)
    assert not np.shares_memory(x, y)


def test_the_padding_is_never_the_maximum():
    x = np.full((1, 1, 2, 2), -5.0)
    y = F.Pooling(x, kernel=(2, 2), pad=(1, 1))
    assert (y == -5).all()


def test_a_window_outside_the_image():
    x = np.arange(4.0).reshape(1, 1, 4)
    attributes = {"kernel": (1,), "stride": (2,), "pooling_convention": "full"}
    assert F.Pooling(x, pool_type="avg", **attributes).tolist() == [[[0, 2, 0]]]
    assert F.Pooling(x, **attributes).tolist() == [[[0, 2, LOWEST]]]


# --- derivatives -------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(poolings(pool_types=("max",), levels=6))
def test_the_first_of_equal_maxima_gets_the_gradient(case):
    x, attributes = case
    y = F.Pooling(x, **attributes)
    dy = normal(*y.shape)
    names = ("kernel", "stride", "pad", "pooling_convention")
    expected = first_maxima_slowly(x, dy, *(attributes[n] for n in names))
    np.testing.assert_allclose(F._backward_Pooling(dy, x, y, **attributes), expected, rtol=1e-12, atol=1e-12)


def test_global_maxima_that_are_equal():
    x = np.ones((1, 2, 2, 2))
    dx = F._backward_Pooling(np.full((1, 2, 1, 1), 3.0), x, np.ones((1, 2, 1, 1)), global_pool=True)
    assert dx.tolist() == [[[[3, 0], [0, 0]]] * 2]


@settings(max_examples=40, deadline=None)
@given(poolings())
def test_gradient(case):
    x, attributes = case
    assume(F.Pooling(x, **attributes).min() > LOWEST)  # windows outside the image spoil the differences
    check.check_first_derivative("Pooling", [x], attributes, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "attributes",
    [
        {"kernel": (2, 2), "stride": (2, 2)},
        {"kernel": (2, 2), "pad": (1, 0)},
        {"kernel": (2, 2), "pool_type": "avg"},
        {"global_pool": True, "pool_type": "sum"},
        {"global_pool": True},
    ],
)
def test_second_derivative(attributes):
    check.check_second_derivative("Pooling", [normal(1, 2, 4, 2)], attributes)


def test_no_second_derivative_of_norms():
    x = np.abs(normal(1, 1, 2, 2)) + 1
    with pytest.raises(MXNetError, match="second derivative of Pooling"):
        check.check_second_derivative("Pooling", [x], {"kernel": (2, 2), "pool_type": "lp", "p_value": 2})


# --- shapes and messages -----------------------------------------------------------------------


def complete(shape, **attributes):
    op = get_operator("Pooling")
    return op.shape_rule(shape, **op.complete(op.parse(attributes)))


def test_shapes_of_partly_known_images():
    assert complete((None, 3, None, 5), global_pool=True)[1] == [(None, 3, 1, 1)]
    assert complete((None, 3, 2, 5), global_pool=True, layout="NHWC")[1] == [(None, 1, 1, 5)]
    assert complete((None, 3, None, 5), kernel=(2, 2))[1] == [(None, 3, None, 4)]
    assert complete((1, 1, 6, 6), kernel=(3, 3), stride=(2, 2), pooling_convention="full")[1] == [(1, 1, 3, 3)]
    assert complete(None, kernel=(2, 2)) == ([None], [None])


@pytest.mark.parametrize(
    "shape, attributes, message",
    [
        (
            (1, 1, 4, 4), {"kernel": (5, 5)},
            "Check failed: param.kernel[0] <= dshape_nchw[2] + 2 * param.pad[0]: "
            "kernel size (5) exceeds input (4 padded to 4)",
        ),
        ((1, 1, 4, 4), {"kernel": (2, 2), "pad": (2, 2)}, "Check failed: pad_l[0] < kernel[0] (2 vs. 2) : "),
        (
            (1, 1, 4, 4), {"kernel": (2,)},
            "Check failed: dshape.ndim() == 3U (4 vs. 3) : Input data should be 3D in (batch, channel, x)",
        ),
        (
            (4, 4), {"kernel": (2, 2)},
            "Check failed: dshape.ndim() >= 3 (2 vs. 3) : Input data should be  3D in (batch, channel, x) "
            "Or 4D in (batch, channel, y, x)  Or 5D in (batch, channel, d, y, x)",
        ),
        ((1, 1, 4, 4), {}, "Check failed: param.kernel.ndim() == 3U (0 vs. 3) : 0D pooling not supported"),
        ((1, 1, 4, 4), {"kernel": (2, 2), "pool_type": "lp"}, "Check failed: param.p_value.has_value(): "),
        (
            (1, 1, 4, 4), {"kernel": (2, 2), "pool_type": "lp", "p_value": 4},
            "p value of 4 is not supported yet...",
        ),
    ],
)  # fmt: skip
def test_messages(shape, attributes, message):
    with pytest.raises(MXNetError) as caught:
        F.Pooling(np.ones(shape), **attributes)
    assert str(caught.value) == message


def test_integers_are_refused():
    with pytest.raises(MXNetError, match="only support floating point types, not int32"):
        F.Pooling(np.ones((1, 1, 2, 2), "int32"), kernel=(2, 2))


@pytest.mark.parametrize("flags", [None, {}, {"static_alloc": True}, {"backend": "c"}, {"backend": "onednn"}], ids=str)
@pytest.mark.parametrize("batch", [1, 64])
def test_a_maximum_leaves_out_what_is_not_a_number(flags, batch):
    """MXNet 1.9.1 gives 5, 7 and 2, and the gradients to the same elements."""
    nan = float("nan")
    image = [[nan, 1, 2, 3], [4, 5, 6, 7], [nan, 2, 1, 1], [1, nan, nan, 2]]
    x = nd.array(np.tile(np.array(image, "float32"), (batch, 1, 1, 1)))
    net = gluon.nn.MaxPool2D(2, 2)
    if flags is not None:
        try:
            net.hybridize(**flags)
        except MXNetError as error:
            pytest.skip(str(error))
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    assert y[-1].asnumpy().ravel().tolist() == [5, 7, 2, 2]
    assert x.grad[-1].asnumpy().ravel().nonzero()[0].tolist() == [5, 7, 9, 15]
    assert net(x)[0].asnumpy().ravel().tolist() == [5, 7, 2, 2]
