"""Attributes that are NaN, infinite or None, with the answers of real MXNet 1.9.1."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd, np, sym

from .indices.answers import make_block
from .indices.judge import backends

INF, NAN = numpy.inf, numpy.nan
NONE: Any = None  # where the signature says that it is refused

# Code -> what MXNet returned for [-1, 0, 2, 0.5], and the gradient of its sum.
NOT_FINITE = {
    "F.LeakyReLU(a, slope=nan)": ([NAN, NAN, 2, 0.5], [NAN, NAN, 1, 1]),
    "F.LeakyReLU(a, slope=inf)": ([-INF, NAN, 2, 0.5], [INF, INF, 1, 1]),
    "F.LeakyReLU(a, slope=-inf)": ([INF, NAN, 2, 0.5], [-INF, -INF, 1, 1]),
    "F.LeakyReLU(a, act_type='elu', slope=nan)": ([NAN, NAN, 2, 0.5], [NAN, NAN, 1, 1]),
    "F.LeakyReLU(a, act_type='elu', slope=inf)": ([-INF, NAN, 2, 0.5], [INF, INF, 1, 1]),
    "F.clip(a, nan, 1)": ([-1, 0, 1, 0.5], [1, 1, 0, 1]),
    "F.clip(a, 0, nan)": ([0, 0, 2, 0.5], [0, 1, 1, 1]),
    "F.clip(a, nan, nan)": ([-1, 0, 2, 0.5], [1, 1, 1, 1]),
    "F.smooth_l1(a, scalar=inf)": ([1, NAN, 2, 0.5], [-1, NAN, 1, 1]),
    "F.smooth_l1(a, scalar=1e30)": ([1, NAN, 2, 0.5], [-1, NAN, 1, 1]),
    "F.smooth_l1(a, scalar=0)": ([0, 0, 0, 0], [0, 0, 0, 0]),
}


@pytest.mark.parametrize("code", NOT_FINITE)
@pytest.mark.parametrize("hybridize", [False, *backends()])
def test_a_number_that_is_none(code, hybridize):
    net = make_block(mx, code.replace("nan", "numpy.nan").replace("inf", "numpy.inf"))
    if hybridize:
        net.hybridize(backend=hybridize)
    x = nd.array([-1, 0, 2, 0.5])
    x.attach_grad()
    y = x
    with numpy.errstate(all="ignore"):
        for _ in range(2):
            with autograd.record():
                y = net(x)
            y.backward()
    right, gradient = NOT_FINITE[code]
    numpy.testing.assert_array_equal(y.asnumpy(), right)
    numpy.testing.assert_array_equal(x.grad.asnumpy(), gradient)


# Lengths 2: what follows them is 0, NaN in the row or not; a length of 0 leaves nothing.
ROWS = {
    (INF, 0, 1): [NAN, NAN, 0],
    (NAN, 0, 1): [NAN, NAN, 0],
    (-INF, -INF, 1): [NAN, NAN, 0],
    (-INF, 0, NAN): [0, 1, 0],
    (0, 1, INF): [0.26894143, 0.7310586, 0],
}


@pytest.mark.parametrize("hybridize", [False, *backends()])
@pytest.mark.parametrize("row", ROWS)
def test_a_softmax_with_lengths_is_zero_beyond_them(row, hybridize):
    net = make_block(mx, "F.softmax(a, b, use_length=True)")
    if hybridize:
        net.hybridize(backend=hybridize)
    with numpy.errstate(all="ignore"):
        y = net(nd.array([row, row]), nd.array([2, 0], dtype="int32")).asnumpy()
    numpy.testing.assert_allclose(y, [ROWS[row], [0, 0, 0]], rtol=1e-6)


@pytest.mark.parametrize("hybridize", [False, *backends()])
@pytest.mark.parametrize("size", [1, 4000])
def test_nan_in_a_row_makes_the_row_nan(size, hybridize):
    # MXNet's oneDNN build gives [NaN, 0] and [-89.7, NaN] here; along other axes and in float64 it gives NaN, too.
    for code, row in (("F.softmax(a)", [INF, 0]), ("F.log_softmax(a)", [0, NAN])):
        net = make_block(mx, code)
        if hybridize:
            net.hybridize(backend=hybridize)
        with numpy.errstate(all="ignore"):
            assert numpy.isnan(net(nd.array([row] * size)).asnumpy()).all()


def test_shapes_that_are_none_are_shapes_of_which_nothing_is_known():
    x, y = nd.array([[1, 2, 3], [4, 5, 6]]), nd.zeros((2, 2))
    texts: list[Any] = [None, "None"]
    for none in texts:
        for same in (nd.tile(x, reps=none), nd.slice_like(x, y, axes=none), nd.Dropout(x, axes=none)):
            assert same.asnumpy().tolist() == x.asnumpy().tolist()
        assert nd.broadcast_axis(x, axis=none, size=none).shape == (2, 3)
        assert nd.Reshape(x, shape=(3, 2), target_shape=none).shape == (3, 2)
        image = x.reshape((1, 1, 2, 3))
        assert nd.contrib.AdaptiveAvgPooling2D(image, output_size=none).asnumpy().tolist() == [[[[3.5]]]]
        deconvolved = nd.Deconvolution(
            nd.ones((1, 1, 3, 3)), nd.ones((1, 1, 2, 2)), num_filter=1, kernel=(2, 2), target_shape=none
        )
        assert deconvolved.asnumpy()[0, 0].tolist() == [[1, 2, 2, 1], [2, 4, 4, 2], [2, 4, 4, 2], [1, 2, 2, 1]]
    a, b = sym.Variable("a"), sym.Variable("b")
    cut = sym.load_json(sym.slice_like(a, b, axes=NONE).tojson())
    assert cut.infer_shape(a=(2, 3), b=(2, 2))[1] == [(2, 3)]
    for refused in (lambda: nd.transpose(x, axes=(NONE,)), lambda: nd.space_to_depth(x, block_size=NONE)):
        with pytest.raises(mx.MXNetError):
            refused()


def test_an_element_type_of_none_is_that_of_numpy():
    x = nd.array([[1, 2, 3], [4, 5, 6]])
    for y in (
        nd.cast(x, dtype=NONE), nd.one_hot(nd.array([0, 1]), 3, dtype=NONE), nd.argsort(x, dtype=NONE),
        nd.topk(x, dtype=NONE), nd.softmax(x, dtype=NONE), nd.log_softmax(x, dtype=NONE), nd.softmin(x, dtype=NONE),
        nd.cumsum(x, dtype=NONE), nd.random.uniform(shape=(2,), dtype=NONE), nd.random.normal(shape=(2,), dtype=NONE),
    ):  # fmt: skip
        assert y.dtype == numpy.float64
    assert nd.Embedding(nd.array([0]), x, 2, 3).dtype == numpy.float32
    assert sym.cast(sym.Variable("a"), dtype=NONE).infer_type(a="float32")[1] == [numpy.float64]
    assert sym.softmax(sym.Variable("a"), dtype=NONE).infer_type(a="float32")[1] == [numpy.float64]
    for y in (nd.softmax(x), mx.npx.softmax(x.as_np_ndarray(), dtype=NONE), nd.zeros((2,), dtype=NONE)):
        assert y.dtype == numpy.float32


def test_axes_that_are_reversed_twice_are_as_before():
    x = nd.array([[1, 2, 3], [4, 5, 6]])
    assert nd.flip(x, axis=(0, 0)).asnumpy().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert nd.flip(x, axis=(0, 1, 0)).asnumpy().tolist() == [[3, 2, 1], [6, 5, 4]]
    assert nd.flip(x, axis=(1, 1, 1)).asnumpy().tolist() == [[3, 2, 1], [6, 5, 4]]
    assert np.flip(x.as_np_ndarray(), (0, 0)).asnumpy().tolist() == [[1, 2, 3], [4, 5, 6]]


def test_a_histogram_of_a_range_without_width_is_one_wide():
    counts, edges = nd.histogram(nd.array([0, 0.25, 3]), bins=2, range=(0, 0))
    assert (counts.asnumpy().tolist(), edges.asnumpy().tolist()) == ([0, 2], [-0.5, 0, 0.5])
    assert np.histogram(np.arange(5), bins=2, range=(0, 0))[1].asnumpy().tolist() == [-0.5, 0, 0.5]


#: Values, their type, the number of bins, the range, and MXNet's counts and edges.
HISTOGRAMS = [
    ([1, 2, 3, 4, 5, 5], "float16", 3, None, [2, 1, 3], [1, 2.333984375, 3.666015625, 5]),
    ([3, 3, 3], "float16", 7, None, [0, 0, 0, 3, 0, 0, 0],
     [2.5, 2.642578125, 2.78515625, 2.927734375, 3.072265625, 3.21484375, 3.357421875, 3.5]),
    ([1, 2, 3, 4, 5, 5], "float32", 3, None, [2, 1, 3], [1, 2.3333332538604736, 3.6666667461395264, 5]),
    ([1, 2, 3, 4, 5, 5], "int32", 7, (0, 5), [0, 0, 1, 1, 0, 1, 3], [0, 0, 1, 2, 2, 3, 4, 5]),
    ([-1.0], "float64", 3, (-2.0383950287635715, 10.96160497123643), [1, 0, 0],
     [-2.0383950287635715, 2.294938304569762, 6.628271637903096, 10.961604971236431]),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:range is not specified")
@pytest.mark.parametrize(("values", "dtype", "bins", "limits", "counts", "edges"), HISTOGRAMS)
def test_edges_of_a_histogram_are_rounded_once(values, dtype, bins, limits, counts, edges):
    found = nd.histogram(nd.array(values, dtype=dtype), bins, limits)
    assert [a.asnumpy().tolist() for a in found] == [counts, edges]


@pytest.mark.parametrize("value", [numpy.nan, numpy.inf])
@pytest.mark.filterwarnings("ignore:range is not specified")
def test_a_histogram_of_what_is_not_finite_has_no_range(value):
    with pytest.raises(ValueError, match=r"autodetected range of \[.*\] is not finite"):
        nd.histogram(nd.array([1, value]), 2)
    assert nd.histogram(nd.array([0, value, 1, 2]), 2, (0, 2))[0].asnumpy().tolist() == [1, 2]


def test_the_nearest_quantile_of_a_middle_is_the_one_above():
    six = np.array([1.0, 2, 3, 4, 5, 6]).reshape(2, 3)
    assert float(np.quantile(six, 0.5, interpolation="nearest")) == 4
    assert float(np.quantile(np.array([1.0, 2, 3]), 0.25, interpolation="nearest")) == 2
    assert float(np.quantile(np.array([1.0, 2, 3]), 0.75, interpolation="nearest")) == 3
    many = np.percentile(six, np.array([10.0, 30, 50, 70, 90]), interpolation="nearest")
    assert many.asnumpy().tolist() == [2, 3, 4, 5, 6]
    rows = np.percentile(six, np.array([25.0, 75]), axis=1, keepdims=True, interpolation="nearest")
    assert rows.asnumpy().tolist() == [[[2], [5]], [[3], [6]]]


def test_a_tuple_holds_neither_nan_nor_infinity():
    for value in (NAN, INF, -INF):
        with pytest.raises(mx.MXNetError, match=r"Invalid Parameter format for sizes expect tuple of <float>"):
            nd.contrib.MultiBoxPrior(nd.zeros((1, 1, 2, 2)), sizes=(value,))
        with pytest.raises(mx.MXNetError, match=r"Invalid Parameter format for mean"):
            nd.image.normalize(nd.zeros((1, 2, 2)), mean=(value,), std=(1,))
