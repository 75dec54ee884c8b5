"""Reductions against NumPy on random shapes, axes and flags; their gradients by finite differences."""

from __future__ import annotations

import math

import derivatives as check
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from d2lhybrid.error import MXNetError, ShapeError
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import get_operator

F = kernel_space(np)
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

LEGACY = {
    "sum": np.sum,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
    "prod": np.prod,
    "nansum": np.nansum,
    "nanprod": np.nanprod,
    "_square_sum": lambda x, **how: np.sum(x * x, **how),
}
NUMPY = {
    "_np_sum": np.sum,
    "_npi_mean": np.mean,
    "_np_max": np.max,
    "_np_min": np.min,
    "_np_prod": np.prod,
    "_np_any": np.any,
    "_np_all": np.all,
}


@st.composite
def arrays(draw, min_dims=1, dtype="float64", min_size=1):
    """Draw an array of different numbers, none near 0, with up to four axes."""
    shape = tuple(draw(st.lists(st.integers(min_size, 4), min_size=min_dims, max_size=4)))
    seed = draw(st.integers(0, 2**32 - 1))
    size = math.prod(shape)
    values = np.random.default_rng(seed).permutation(np.linspace(0.3, 1.7, size) if size else [])
    signs = np.where(np.arange(size) % 2, -1, 1)
    return (values * signs).reshape(shape).astype(dtype)


@st.composite
def reductions(draw, min_dims=1, **how):
    """Draw an array with an axis argument and keepdims."""
    x = draw(arrays(min_dims, **how))
    kind = draw(st.sampled_from(["none", "int", "tuple"]))
    if kind == "none" or x.ndim == 0:
        axis = None
    else:
        numbers = st.integers(-x.ndim, x.ndim - 1)
        if kind == "int":
            axis = draw(numbers)
        else:
            axis = tuple(draw(st.lists(numbers, min_size=1, max_size=x.ndim, unique_by=lambda a: a % x.ndim)))
    return x, axis, draw(st.booleans())


def excluded(axis, ndim):
    given_axes = {a % ndim for a in ((axis,) if isinstance(axis, int) else axis)}
    return tuple(i for i in range(ndim) if i not in given_axes)


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEGACY)
@SETTINGS
@given(case=reductions(), exclude=st.booleans())
def test_legacy_reductions_are_numpys_but_for_the_scalar_shape(name, case, exclude):
    x, axis, keepdims = case
    axes = excluded(axis, x.ndim) if exclude and axis is not None else axis
    expected = np.asarray(LEGACY[name](x, axis=axes, keepdims=keepdims))
    attributes = {"axis": axis, "keepdims": keepdims, "exclude": exclude}
    result = getattr(F, name)(x, **attributes)
    assert result.shape == (expected.shape or (1,))
    np.testing.assert_allclose(result.reshape(expected.shape), expected, rtol=1e-12)
    check.check_rules(name, [x], attributes)


@pytest.mark.parametrize("name", NUMPY)
@SETTINGS
@given(case=reductions(min_dims=0))
def test_np_reductions_are_numpys(name, case):
    x, axis, keepdims = case
    expected = NUMPY[name](x, axis=axis, keepdims=keepdims)
    result = getattr(F, name)(x, axis=axis, keepdims=keepdims)
    assert np.shape(result) == np.shape(expected)
    np.testing.assert_allclose(result, expected, rtol=1e-12)
    check.check_rules(name, [x], {"axis": axis, "keepdims": keepdims})


@pytest.mark.parametrize(("name", "function"), [("_npi_std", np.std), ("_npi_var", np.var)])
@SETTINGS
@given(case=reductions())
def test_np_spread_is_numpys(name, function, case):
    x, axis, keepdims = case
    expected = function(x, axis=axis, keepdims=keepdims)
    measure, mean = getattr(F, name)(x, axis=axis, keepdims=keepdims)
    np.testing.assert_allclose(measure, expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(mean, np.mean(x, axis=axis, keepdims=keepdims), atol=1e-12)


@SETTINGS
@given(case=reductions(), order=st.sampled_from([1, 2]))
def test_norm_is_numpys(case, order):
    x, axis, keepdims = case
    power = np.abs(x) ** order
    expected = np.asarray(np.sum(power, axis=axis, keepdims=keepdims) ** (1 / order))
    result = F.norm(x, ord=order, axis=axis, keepdims=keepdims)
    assert result.shape == (expected.shape or (1,))
    np.testing.assert_allclose(result.reshape(expected.shape), expected, rtol=1e-12)


@pytest.mark.parametrize(("name", "function"), [("argmax", np.argmax), ("argmin", np.argmin)])
@SETTINGS
@given(x=arrays(), data=st.data())
def test_positions_of_extremes(name, function, x, data):
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    keepdims = data.draw(st.booleans())
    expected = np.asarray(function(x, axis=axis, keepdims=keepdims))
    legacy = getattr(F, name)(x, axis=axis, keepdims=keepdims)
    assert legacy.dtype == x.dtype
    assert legacy.shape == (expected.shape or (1,))
    np.testing.assert_array_equal(legacy.reshape(expected.shape), expected)
    modern = getattr(F, f"_npi_{name}")(x, axis=axis, keepdims=keepdims)
    assert modern.dtype == np.int64
    np.testing.assert_array_equal(modern, expected)


@SETTINGS
@given(x=arrays(), data=st.data())
def test_running_sum(x, data):
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    np.testing.assert_allclose(F.cumsum(x, axis=axis), np.cumsum(x, axis=axis), rtol=1e-12, atol=1e-12)


def test_dtypes_stay_in_legacy_and_promote_in_np():
    x = np.array([[-3, -4]], "int32")
    assert F.mean(x).dtype == np.int32
    np.testing.assert_array_equal(F.mean(x), [-3])  # divided as C does
    assert F.sum(np.array([100, 100], "int8")) == -56
    assert F._npi_mean(x).dtype == np.float32
    assert F._np_sum(np.array([True, True])).dtype == np.int64
    assert F._np_sum(x, dtype="float64").dtype == np.float64
    half = np.full((300, 300), 0.1, "float16")
    np.testing.assert_allclose(F.sum(half, axis=0), 30, rtol=1e-3)  # accumulated in single precision


def test_empty_axes():
    x = np.ones((2, 3))
    np.testing.assert_array_equal(F.sum(x, axis=()), [6])
    np.testing.assert_array_equal(F._np_sum(x, axis=()), x)
    np.testing.assert_array_equal(F.sum(x, axis=(0, 1), exclude=True), x)


def test_empty_arrays():
    x = np.ones((0, 3))
    np.testing.assert_array_equal(F.sum(x), [0])
    np.testing.assert_array_equal(F._npi_mean(x, axis=0), [0, 0, 0])
    with pytest.raises(ShapeError, match="which has no identity"):
        F.max(x)


@pytest.mark.parametrize(
    ("axis", "message"),
    [
        (5, r"\(5 vs. 2\) : Reduction axis 5 Exceeds input dimensions \[2,3\]"),
        (-3, r"\(-1 vs. 0\) : Reduction axis \[-3\] Exceeds input dimensions \[2,3\]"),
        ((0, -2), r"\(0 vs. 0\) : Reduction axes have duplicates \[0,0\]"),
    ],
)
def test_wrong_axes(axis, message):
    for name in ("sum", "max", "_np_sum", "_npi_std"):
        with pytest.raises(ShapeError, match=message):
            getattr(F, name)(np.ones((2, 3)), axis=axis)
        op = get_operator(name)
        with pytest.raises(ShapeError, match=message):
            op.shape_rule((2, 3), **op.complete({"axis": axis}))


# --- gradients -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEGACY)
@settings(SETTINGS, max_examples=12)
@given(case=reductions(), exclude=st.booleans())
def test_legacy_gradients(name, case, exclude):
    x, axis, keepdims = case
    check.check_first_derivative(name, [x], {"axis": axis, "keepdims": keepdims, "exclude": exclude})


@pytest.mark.parametrize("name", ["_np_sum", "_npi_mean", "_np_max", "_np_min", "_np_prod"])
@settings(SETTINGS, max_examples=12)
@given(case=reductions(min_dims=0))
def test_np_gradients(name, case):
    x, axis, keepdims = case
    check.check_first_derivative(name, [x], {"axis": axis, "keepdims": keepdims})


SMOOTH = [
    ("sum", {"axis": (1,), "exclude": True}),
    ("mean", {"axis": 1}),
    ("mean", {"axis": ()}),
    ("max", {"axis": (0, 2), "keepdims": True}),
    ("prod", {"axis": 0}),
    ("nansum", {}),
    ("nanprod", {"axis": 2}),
    ("_square_sum", {"axis": (0, 1)}),
    ("norm", {}),
    ("norm", {"ord": 1, "axis": 0}),
    ("norm", {"axis": (0, 2), "keepdims": True}),
    ("moments", {"axes": (0, 2)}),
    ("moments", {"axes": (1,), "keepdims": True}),
    ("_np_sum", {"axis": ()}),
    ("_npi_mean", {"axis": (0, 2), "keepdims": True}),
    ("_np_prod", {"axis": 1}),
    ("_np_min", {}),
    ("_npi_std", {}),
    ("_npi_std", {"axis": (2,), "ddof": 1}),
    ("_npi_var", {"axis": (0, 2), "keepdims": True}),
    ("_np_cumsum", {}),
    ("_np_cumsum", {"axis": -2}),
]


@pytest.mark.parametrize(("name", "attributes"), SMOOTH)
def test_first_and_second_derivatives(name, attributes):
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    check.check_rules(name, [x], attributes)
    check.check_first_derivative(name, [x], attributes)
    check.check_second_derivative(name, [x], attributes)


def test_every_extreme_gets_the_gradient():
    x = np.array([3.0, 1.0, 3.0])
    (gradient,) = check.gradients("max", [x], {}, [np.ones(1)])
    np.testing.assert_array_equal(gradient, [1, 0, 1])


def test_nan_gets_no_gradient():
    x = np.array([np.nan, 2.0, 3.0])
    np.testing.assert_array_equal(check.gradients("nansum", [x], {}, [np.ones(1)])[0], [0, 1, 1])
    np.testing.assert_array_equal(check.gradients("nanprod", [x], {}, [np.ones(1)])[0], [0, 3, 2])


def test_deviation_of_equal_elements_has_gradient_zero():
    x = np.ones(3)
    np.testing.assert_array_equal(check.gradients("_npi_std", [x], {}, [np.array(1.0)])[0], [0, 0, 0])


# --- weighted averages, histograms, quantiles ----------------------------------------------------


@pytest.mark.parametrize(
    ("weights", "attributes"),
    [
        ((2, 3), {}),
        ((2, 3), {"axis": 1, "returned": True}),
        ((3,), {"axis": -1}),
        ((2,), {"axis": 0, "returned": True}),
        (None, {"axis": 1, "weighted": False}),
        (None, {"returned": True, "weighted": False}),
    ],
)
def test_average(weights, attributes):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3))
    w = None if weights is None else rng.uniform(0.5, 1.5, weights)
    inputs = [x] if w is None else [x, w]
    axis = attributes.get("axis")
    expected, total = np.average(x, axis=axis, weights=w, returned=True)
    mean, scale = F._npi_average(*inputs, **attributes)
    np.testing.assert_allclose(mean, expected)
    np.testing.assert_allclose(np.broadcast_to(scale, total.shape), total)
    check.check_rules("_npi_average", inputs, attributes)
    check.check_first_derivative("_npi_average", inputs, attributes)
    check.check_second_derivative("_npi_average", inputs, attributes)


def test_average_needs_fitting_weights():
    with pytest.raises(ShapeError, match="Axis must be specified when shapes of a and weights differ"):
        F._npi_average(np.ones((2, 3)), np.ones(3))
    with pytest.raises(MXNetError, match="expects 2 inputs, but got 1 instead"):
        F._npi_average(np.ones((2, 3)))


@SETTINGS
@given(x=arrays(), count=st.integers(1, 6))
def test_histogram(x, count):
    counts, edges = F._histogram(x, bin_cnt=count, range=(-1.5, 1.5))
    np.testing.assert_allclose(edges, np.histogram(x, count, (-1.5, 1.5))[1], atol=1e-7)
    expected, _ = np.histogram(x, edges)
    np.testing.assert_array_equal(counts, expected)
    again, _ = F._histogram(x, edges)
    np.testing.assert_array_equal(again, expected)


@SETTINGS
@given(case=reductions(), data=st.data())
def test_percentile(case, data):
    x, axis, keepdims = case
    method = data.draw(st.sampled_from(["linear", "lower", "higher", "midpoint", "nearest"]))
    how = {"axis": axis, "keepdims": keepdims}
    expected = np.percentile(x, [10, 50], method=method, **how)
    if method == "nearest":  # MXNet rounds halves up, NumPy to even
        count = math.prod(x.shape[a] for a in (range(x.ndim) if axis is None else np.atleast_1d(axis)))
        up = [math.modf(q / 100 * (count - 1))[0] >= 0.5 for q in (10, 50)]
        ways = zip((10, 50), ("higher" if one else "lower" for one in up), strict=True)
        expected = np.stack([np.percentile(x, q, method=way, **how) for q, way in ways])
    result = F._npi_percentile(x, np.array([10.0, 50.0]), interpolation=method, **how)
    np.testing.assert_allclose(result, expected)
    np.testing.assert_allclose(F._npi_percentile(x, q_scalar=50.0, interpolation=method, **how), expected[1])


def test_cross_entropy():
    rng = np.random.default_rng(0)
    inputs = [rng.normal(size=(3, 4)), np.array([0, 3, 1])]
    x, label = inputs
    expected = -np.log((np.exp(x) / np.exp(x).sum(1, keepdims=True))[np.arange(3), label]).sum()
    np.testing.assert_allclose(F.softmax_cross_entropy(x, label), [expected])
    check.check_first_derivative("softmax_cross_entropy", inputs, {})
    check.check_second_derivative("softmax_cross_entropy", inputs, {})


@pytest.mark.parametrize("degree", [0, 1, 3])
def test_polynomials(degree):
    rng = np.random.default_rng(0)
    inputs = [rng.normal(size=degree + 1), rng.normal(size=(2, 2))]
    np.testing.assert_allclose(F._npi_polyval(*inputs), np.polyval(*inputs))
    check.check_rules("_npi_polyval", inputs, {})
    check.check_first_derivative("_npi_polyval", inputs, {})
    check.check_second_derivative("_npi_polyval", inputs, {})
