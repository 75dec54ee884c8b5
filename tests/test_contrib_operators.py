"""Transforms, sketches, turned regions, events in time, layers of old versions: MXNet's numbers or the definition's."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.error import MXNetError

from .interop import contrib_cases

with numpy.load(contrib_cases.FACTS) as _stored:
    FACTS = dict(_stored)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values_and_gradients_are_mxnets(dtype: str) -> None:
    found = contrib_cases.results(mx, dtype)
    assert found.keys() == {name for name in FACTS if name.startswith(dtype)}
    for name, value in found.items():
        assert value.shape == FACTS[name].shape and value.dtype == dtype, name
        numpy.testing.assert_allclose(value, FACTS[name], rtol=2e-5, atol=2e-5, err_msg=name)


class Through(gluon.HybridBlock):
    """A net that is one function of its inputs."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def hybrid_forward(self, F, *inputs):
        return self.function(F, *inputs)


def both_ways(function, *inputs):
    """Return what a function gives line by line and hybridized, with the gradients of its inputs."""
    found = []
    for hybrid in (False, True):
        net = Through(function)
        if hybrid:
            net.hybridize()
        arrays = [nd.array(x, dtype=x.dtype) for x in inputs]
        for array in arrays:
            array.attach_grad()
        with autograd.record():
            y = net(*arrays)
        (y[0] if isinstance(y, list | tuple) else y).backward()
        found.append([y, *(a.grad for a in arrays)])
    return found


# --- Fourier transforms ---------------------------------------------------------------------------


def interleaved(spectrum):
    return numpy.stack([spectrum.real, spectrum.imag], -1).reshape(*spectrum.shape[:-1], -1)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(3, 7), (2, 1, 3, 8), (1, 1)])
def test_fft_has_real_and_imaginary_parts_side_by_side(shape: tuple[int, ...], dtype: str) -> None:
    x = numpy.random.default_rng(0).normal(size=shape).astype(dtype)
    y = nd.contrib.fft(nd.array(x, dtype=dtype))
    assert y.dtype == numpy.dtype(dtype) and y.shape == (*shape[:-1], 2 * shape[-1])
    tolerance = 1e-2 if dtype == "float16" else 1e-5
    expected = interleaved(numpy.fft.fft(x.astype("float64")))
    numpy.testing.assert_allclose(y.asnumpy(), expected, rtol=tolerance, atol=tolerance)
    back = nd.contrib.ifft(y) / shape[-1]
    numpy.testing.assert_allclose(back.asnumpy(), x, rtol=tolerance, atol=tolerance)


def test_ifft_is_the_real_part_and_not_divided_by_the_length() -> None:
    pairs = numpy.random.default_rng(0).normal(size=(2, 10)).astype("float32")  # of no real signal
    expected = 5 * numpy.fft.ifft(pairs[:, ::2] + 1j * pairs[:, 1::2]).real
    numpy.testing.assert_allclose(nd.contrib.ifft(nd.array(pairs)).asnumpy(), expected, rtol=1e-5, atol=1e-5)


def test_gradients_of_transforms_are_those_of_their_matrices() -> None:
    rng = numpy.random.default_rng(0)
    for name, n in (("fft", 5), ("ifft", 6)):
        function = getattr(nd.contrib, name)
        x, weights = nd.array(rng.normal(size=(1, n))), None
        matrix = function(nd.eye(n)).asnumpy()
        x.attach_grad()
        with autograd.record():
            y = function(x)
            weights = nd.array(rng.normal(size=y.shape))
            slope = autograd.grad((y * y * weights).sum(), x, create_graph=True)[0].sum()
        slope.backward()
        hessian = 2 * matrix @ numpy.diag(weights.asnumpy()[0]) @ matrix.T
        numpy.testing.assert_allclose(x.grad.asnumpy()[0], hessian.sum(axis=0), rtol=1e-4, atol=1e-4)


def test_transforms_of_no_rows_have_no_rows() -> None:
    with mx.util.np_shape(True):
        x = mx.np.zeros((0, 4)).as_nd_ndarray()
        assert nd.contrib.fft(x).shape == (0, 8) and nd.contrib.ifft(x).shape == (0, 2)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: nd.contrib.fft(nd.ones((2, 3, 4))), "2 or 4 axes, not 3"),
        (lambda: nd.contrib.ifft(nd.ones((2, 5))), "which holds real and imaginary parts, must be even, not 5"),
        (lambda: nd.contrib.fft(nd.ones((2, 4), dtype="int32")), "floating point types, not int32"),
        (lambda: sym.contrib.ifft(sym.var("x")).infer_shape(x=(2, 5)), "real and imaginary parts, must be even, not 5"),
    ],
)
def test_what_cannot_be_transformed_is_refused(call, told: str) -> None:
    with pytest.raises(MXNetError, match=told):
        call()


# --- sketches -----------------------------------------------------------------------------------------


def test_a_sketch_adds_elements_with_their_signs_at_their_places() -> None:
    rng = numpy.random.default_rng(0)
    data, h, s = rng.normal(size=(2, 3, 1, 6)), rng.integers(0, 4, (1, 6)), rng.choice([-1.0, 1.0], (1, 6))
    expected = numpy.zeros((2, 3, 1, 4))
    for i in range(6):
        expected[..., h[0, i]] += data[..., i] * s[0, i]
    given = [nd.array(a, dtype="float64") for a in (data, h, s)]
    numpy.testing.assert_allclose(nd.contrib.count_sketch(*given, out_dim=4).asnumpy(), expected, atol=1e-12)


def test_the_gradient_of_a_sketch_is_read_at_the_places() -> None:
    rng = numpy.random.default_rng(0)
    data, h, s = (
        a.astype("float32")
        for a in (rng.normal(size=(3, 4)), rng.integers(0, 5, (1, 4)), [[1, -1, -1, 1]] * numpy.ones(1))
    )
    by_line, compiled = both_ways(lambda F, d, h, s: F.contrib.count_sketch(d, h, s, out_dim=5) ** 2, data, h, s)
    sketch = nd.contrib.count_sketch(*map(nd.array, (data, h, s)), out_dim=5).asnumpy()
    numpy.testing.assert_allclose(by_line[1].asnumpy(), 2 * sketch[:, h[0].astype(int)] * s, rtol=1e-6)
    for one, other in zip(by_line, compiled, strict=True):
        numpy.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
    assert not by_line[2].asnumpy().any() and not by_line[3].asnumpy().any()


@pytest.mark.parametrize("place", [5, -1, numpy.nan])
def test_a_place_outside_of_the_sketch_is_named(place: float) -> None:
    with pytest.raises(MXNetError, match=f"h contains {place:g}, but indices must be .* out_dim, which is 5"):
        nd.contrib.count_sketch(nd.ones((2, 2)), nd.array([[0, place]]), nd.ones((1, 2)), out_dim=5)


def test_the_tables_of_a_sketch_get_their_length_from_the_data() -> None:
    sketch = sym.contrib.count_sketch(sym.var("x"), sym.var("h", shape=(1, 0)), sym.var("s", shape=(1, 0)), out_dim=5)
    assert sketch.infer_shape(x=(3, 7)) == ([(3, 7), (1, 7), (1, 7)], [(3, 5)], [])
    with pytest.raises(MXNetError, match="the last axes of h, s, and data must have the same size"):
        sketch.infer_shape(x=(3, 7), h=(1, 6))


# --- turned regions -----------------------------------------------------------------------------------


def test_a_region_that_is_not_turned_is_one_of_roi_align() -> None:
    data = nd.array(numpy.random.default_rng(0).random((2, 3, 9, 8)))
    corners, centres = nd.array([[1, 1, 2, 7, 6]]), nd.array([[1, 4, 4, 6, 4, 0]])
    straight = nd.contrib.ROIAlign(data, corners, pooled_size=(2, 3), spatial_scale=1, sample_ratio=2)
    turned = nd.contrib.RROIAlign(data, centres, pooled_size=(2, 3), spatial_scale=1, sampling_ratio=2)
    numpy.testing.assert_allclose(turned.asnumpy(), straight.asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("ratio", [-1, 2])
def test_each_element_gets_what_turned_regions_took_of_it(ratio: int) -> None:
    rng = numpy.random.default_rng(0)
    rois = numpy.array(contrib_cases.TURNED, "float32")
    rois[:, 0] = 0
    settings = {"pooled_size": (2, 3), "spatial_scale": 0.1, "sampling_ratio": ratio}
    heads = rng.random((len(rois), 1, 2, 3)).astype("float32")
    by_line, compiled = both_ways(
        lambda F, d, r, h: F.contrib.RROIAlign(d, r, **settings) * h,
        rng.random((1, 1, 7, 6)).astype("float32"), rois, heads,
    )  # fmt: skip
    taken = nd.contrib.RROIAlign(nd.eye(42).reshape((1, 42, 7, 6)), nd.array(rois), **settings).asnumpy()
    expected = numpy.einsum("rcpq,rpq->c", taken, heads[:, 0]).reshape(1, 1, 7, 6)
    numpy.testing.assert_allclose(by_line[1].asnumpy(), expected, rtol=1e-5, atol=1e-6)
    for one, other in zip(by_line, compiled, strict=True):
        numpy.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


def test_many_regions_are_pooled_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from d2lhybrid.internals.ops import unfold

    data, rois = nd.array(numpy.random.default_rng(0).random((2, 3, 7, 6))), nd.array(contrib_cases.TURNED)
    settings = {"pooled_size": (2, 3), "spatial_scale": 0.1}

    def pooled() -> list[numpy.ndarray]:
        data.attach_grad()
        with autograd.record():
            y = nd.contrib.RROIAlign(data, rois, **settings)
        y.backward()
        return [y.asnumpy(), data.grad.asnumpy()]

    at_once = pooled()
    monkeypatch.setattr(unfold, "CHUNK", 1)
    for one, other in zip(at_once, pooled(), strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


# --- events in time -----------------------------------------------------------------------------------


def events(dtype: str = "float64") -> list[numpy.ndarray]:
    rng = numpy.random.default_rng(0)
    given = [rng.random((2, 3)) + 0.5, rng.random(3), rng.random(3) + 0.5, rng.random((2, 3)), rng.random((2, 4)) + 0.1]
    given += [rng.integers(0, 3, (2, 4)), numpy.array([4.0, 2.0]), numpy.array([9.0, 7.0])]
    return [a.astype("int32" if a.dtype.kind == "i" else dtype) for a in given]


def test_a_hawkes_process_without_excitation_is_a_poisson_process() -> None:
    given = events()
    given[1][:] = 0
    likelihood, _ = nd.contrib.hawkesll(*(nd.array(a, dtype=a.dtype) for a in given))
    lda, marks = given[0], given[5]
    for i, n in enumerate((4, 2)):
        expected = numpy.log(lda[i, marks[i, :n]]).sum() - lda[i].sum() * given[7][i]
        numpy.testing.assert_allclose(likelihood.asnumpy()[i], expected)


def test_events_in_two_parts_are_as_likely_as_at_once() -> None:
    """The state at the end of the first part is that at the beginning of the second."""
    given = events()
    lda, alpha, beta, state, lags, marks, _, _ = (nd.array(a, dtype=a.dtype) for a in given)
    times = given[4].cumsum(axis=1)
    count = nd.array([2, 2], dtype="float64")
    middle, end = (times[:, 1] + times[:, 2]) / 2, times[:, 3] + 1
    whole, last = nd.contrib.hawkesll(lda, alpha, beta, state, lags, marks, count * 2, nd.array(end, dtype="float64"))
    first, between = nd.contrib.hawkesll(lda, alpha, beta, state, lags, marks, count, nd.array(middle, dtype="float64"))
    rest = numpy.stack([times[:, 2] - middle, given[4][:, 3]], axis=1)
    second, after = nd.contrib.hawkesll(
        lda, alpha, beta, between, nd.array(rest, dtype="float64"), marks[:, 2:], count,
        nd.array(end - middle, dtype="float64"),
    )  # fmt: skip
    numpy.testing.assert_allclose((first + second).asnumpy(), whole.asnumpy())
    numpy.testing.assert_allclose(after.asnumpy(), last.asnumpy())


def test_likelihoods_are_the_same_hybridized() -> None:
    by_line, compiled = both_ways(lambda F, *given: F.contrib.hawkesll(*given), *events("float32"))
    for one, other in zip([*by_line[0], *by_line[1:]], [*compiled[0], *compiled[1:]], strict=True):
        numpy.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
    assert all(by_line[i].asnumpy().any() for i in (1, 2, 3, 4, 5, 8))


def test_shapes_of_parameters_follow_from_the_events() -> None:
    names = ["lda", "alpha", "beta", "state", "lags", "marks", "valid_length", "max_time"]
    process = sym.contrib.hawkesll(*map(sym.var, names))
    arguments, results, _ = process.infer_shape(lags=(2, 4), alpha=(3,))
    assert arguments == [(2, 3), (3,), (3,), (2, 3), (2, 4), (2, 4), (2,), (2,)] and results == [(2,), (2, 3)]
    assert process.infer_type(lda="float64")[0][5] == numpy.int32


@pytest.mark.parametrize(
    ("changed", "value", "told"),
    [
        (
            5,
            [[0, 1, 3, 0], [0, 0, 0, 0]],
            "marks contains 3, but each mark must be at least 0 and less than K = 3,",
        ),
        (
            5,
            [[0, 1, -1, 0], [0, 0, 0, 0]],
            "marks contains -1, but each mark must be at least 0 and less than K = 3,",
        ),
        (6, [5, 2], "valid_length contains 5, but each row of lags has 4 events"),
    ],
)
def test_marks_and_lengths_that_do_not_exist_are_named(changed: int, value: list, told: str) -> None:
    given = events()
    given[changed] = numpy.array(value, given[changed].dtype)
    with pytest.raises(MXNetError, match=told):
        nd.contrib.hawkesll(*(nd.array(a, dtype=a.dtype) for a in given))


def test_marks_beyond_the_length_may_be_anything() -> None:
    given = events()
    expected = nd.contrib.hawkesll(*(nd.array(a, dtype=a.dtype) for a in given))[0].asnumpy()
    given[5][1, 2:], given[4][1, 2:] = -7, numpy.nan
    assert (nd.contrib.hawkesll(*(nd.array(a, dtype=a.dtype) for a in given))[0].asnumpy() == expected).all()


def test_marks_are_integers() -> None:
    given = events()
    given[5] = given[5].astype("float64")
    with pytest.raises(MXNetError, match="marks must have the element type int32 in hawkesll, not float64"):
        nd.contrib.hawkesll(*(nd.array(a, dtype=a.dtype) for a in given))


# --- layers of old versions ---------------------------------------------------------------------------


def test_a_window_beyond_the_image_has_no_maximum() -> None:
    y = nd.Pooling_v1(nd.ones((1, 1, 5, 5)), kernel=(1, 1), stride=(5, 3), pooling_convention="full").asnumpy()
    assert y.tolist() == [[[[1, 1, -numpy.inf], [-numpy.inf] * 3]]]  # as in MXNet


def test_both_gradients_of_a_dilated_old_convolution_are_the_new_ones() -> None:
    """With steps and gaps MXNet's gradient of the data is another one."""
    rng = numpy.random.default_rng(0)
    given = [rng.random(s).astype("float32") for s in ((2, 3, 7, 6), (4, 3, 3, 2), (4,))]
    settings = {"kernel": (3, 2), "num_filter": 4, "stride": (2, 2), "dilate": (2, 2), "pad": (1, 1)}
    old = both_ways(lambda F, *a: F.Convolution_v1(*a, **settings), *given)
    new = both_ways(lambda F, *a: F.Convolution(*a, **settings), *given)
    for one, other in zip(old[0] + old[1], new[0] + new[1], strict=True):
        numpy.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-5)


def test_old_layers_are_nodes_of_their_own_in_files() -> None:
    x = sym.Pooling_v1(sym.Convolution_v1(sym.var("x"), kernel=(2, 2), num_filter=3, name="c"), kernel=(2, 2), name="p")
    loaded = sym.load_json(x.tojson())
    assert loaded.list_arguments() == ["x", "c_weight", "c_bias"] and '"op": "Pooling_v1"' in x.tojson()
    assert loaded.infer_shape(x=(1, 2, 5, 5))[:2] == ([(1, 2, 5, 5), (3, 2, 2, 2), (3,)], [(1, 3, 3, 3)])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: nd.Pooling_v1(nd.ones((1, 1, 5, 5)), kernel=(6, 2)), r"kernel size \(6\) exceeds input \(5 padded"),
        (lambda: nd.Pooling_v1(nd.ones((1, 1, 5)), kernel=(2,)), "Input data should be 4D"),
        (lambda: nd.Pooling_v1(nd.ones((1, 1, 5, 5))), "0D pooling not supported"),
        (lambda: nd.Convolution_v1(nd.ones((1, 1, 5)), nd.ones((1, 1, 2)), kernel=(2,), num_filter=1, no_bias=True),
         "1D convolution not supported"),
        (lambda: nd.Pooling_v1(nd.ones((1, 1, 5, 5)), kernel=(2, 2), pool_type="lp"), "Invalid Input: 'lp'"),
    ],
)  # fmt: skip
def test_what_old_layers_never_took_is_refused(call, told: str) -> None:
    with pytest.raises(MXNetError, match=told):
        call()
