"""Functions of NumPy that have changed since MXNet 1.9.1 are here as they were; all numbers are those of MXNet."""

import inspect

import numpy
import pytest

from d2lhybrid import np, npx
from d2lhybrid.numpy import former_numpy


@pytest.fixture(autouse=True)
def _numpy_semantics():
    npx.set_np()
    yield
    npx.reset_np()


X, Y = [1.0, 2, 3, 3], [0.0, 1, 1, 2]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_edges_of_a_grid_are_float64_as_its_counts_are(dtype):
    x, y = np.array(X, dtype=dtype), np.array(Y, dtype=dtype)
    counts, *edges = np.histogram2d(x, y, [2, 3])
    assert [counts.asnumpy().tolist(), edges[0].asnumpy().tolist()] == [[[1, 0, 0], [0, 2, 1]], [1, 2, 3]]
    assert {value.dtype for value in (counts, *edges)} == {numpy.dtype("float64")}
    for sample in ((x, y), [x, y], np.stack([x, y]).T):
        counts, edges = np.histogramdd(sample, 2)
        assert counts.asnumpy().tolist() == [[1, 0], [0, 3]]
        assert type(edges) is list and {edge.dtype for edge in edges} == {numpy.dtype("float64")}


def test_edges_that_are_given_keep_their_type():
    edges = np.array([0.0, 1, 4])
    assert np.histogram2d(np.array(X), np.array(Y), [edges, edges])[1].dtype == numpy.float32


def test_bins_of_whole_numbers_may_be_narrower_than_one():
    edges = np.histogram_bin_edges(np.array([0, 1, 2, 2], dtype="int32"), "auto").asnumpy()
    assert edges.tolist() == pytest.approx([0, 2 / 3, 4 / 3, 2])
    assert np.histogram_bin_edges(np.array([0, 1, 2, 2], dtype="int32"), 2).asnumpy().tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
def test_quantiles_are_float64_but_for_those_that_are_elements(dtype):
    table = np.array([[1, 2], [3, 4], [0, 1], [2, 0]], dtype=dtype)
    between = np.nanquantile(table, 0.3, axis=0)
    assert between.dtype == numpy.float64 and between.asnumpy().tolist() == pytest.approx([0.9, 0.9], rel=1e-12)
    assert np.nanpercentile(table, 30, axis=0, method="midpoint").asnumpy().tolist() == [0.5, 0.5]
    for method in ("lower", "higher", "nearest", "inverted_cdf", "closest_observation"):
        assert np.nanpercentile(table, np.array([30, 60]), axis=0, method=method).dtype == dtype
    assert np.nanquantile(np.array(X), numpy.float32(0.3), method="linear") == pytest.approx(1.9)


def test_a_place_is_not_rounded_to_the_type_in_which_it_is_given():
    values = np.array([1, 2.5, 3, 5, 0])
    assert np.nanquantile(values, numpy.float32(0.4), method="inverted_cdf") == 2.5


@pytest.mark.parametrize("values", [[[1, 2], [3, 4]], [1, 2, 3, 4]])
def test_membership_is_told_in_a_flat_array(values):
    assert np.in1d(np.array(values), np.array([1, 4])).asnumpy().tolist() == [True, False, False, True]
    assert np.in1d(ar1=np.array(values), ar2=[1, 4], invert=True).asnumpy().tolist() == [False, True, True, False]


def test_membership_of_one_number_is_an_array_of_one():
    assert np.in1d(3, np.array([1, 4])).asnumpy().tolist() == [False]


@pytest.mark.parametrize("given", [{"bias": True}, {"ddof": 1}, {"ddof": None}])
def test_what_cancels_in_a_correlation_is_taken_with_a_warning_at_the_line(given):
    with pytest.warns(DeprecationWarning, match="Omit both arguments") as caught:
        found = np.corrcoef(np.array(X), np.array(Y), **given)
    assert caught[0].filename == __file__
    assert found.asnumpy()[0, 1] == pytest.approx(0.85280287)


@pytest.mark.parametrize("name", ["nanpercentile", "nanquantile"])
def test_the_old_name_of_a_method_is_taken_with_a_warning_at_the_line(name):
    with pytest.warns(DeprecationWarning, match=name) as caught:
        assert getattr(np, name)(np.array(X), 0.5, interpolation="higher") == (2 if name == "nanpercentile" else 3)
    assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning), pytest.raises(TypeError, match="pass only one of the two arguments"):
        getattr(np, name)(np.array(X), 0.5, method="lower", interpolation="higher")
    with pytest.warns(DeprecationWarning), pytest.raises(ValueError, match="nonsense"):
        getattr(np, name)(np.array(X), 0.5, interpolation="nonsense")


def test_densities_have_two_names_of_which_one_is_given():
    x, y = np.array(X), np.array(Y)
    expected = np.histogram2d(x, y, 2, density=True)[0].asnumpy().tolist()
    assert expected == [[0.25, 0], [0, 0.75]]
    assert np.histogram2d(x, y, 2, None, True)[0].asnumpy().tolist() == expected
    assert np.histogram2d(x, y, 2, normed=False)[0].asnumpy().tolist() == [[1, 0], [0, 3]]
    for function in (lambda **named: np.histogram2d(x, y, 2, **named), lambda **named: np.histogramdd((x, y), **named)):
        with pytest.raises(TypeError, match="old name of density"):
            function(normed=False, density=True)


def test_zeros_at_the_ends_go_in_the_order_of_mxnets_parameters():
    values = np.array([0, 0, 1, 0, 2, 0])
    assert np.trim_zeros(values).asnumpy().tolist() == [1, 0, 2]
    assert np.trim_zeros(values, "b").asnumpy().tolist() == [0, 0, 1, 0, 2]
    if "axis" in inspect.signature(numpy.trim_zeros).parameters:
        table = np.array([[0, 0, 0], [0, 1, 0]])
        assert np.trim_zeros(table, axis=1).asnumpy().tolist() == [[0], [1]]


def test_help_of_these_functions_shows_no_annotations():
    for name in former_numpy.__all__:
        assert "Any" not in str(inspect.signature(getattr(np, name)))
