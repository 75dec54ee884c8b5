"""Error function, gamma function and relatives against the standard library and by finite differences."""

import math

import numpy
import pytest

from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import get_operator
from d2lhybrid.internals.ops import special_functions as special

F = kernel_space(numpy)
EULER = 0.57721566490153286


@pytest.fixture(autouse=True)
def _silent():
    with numpy.errstate(all="ignore"):
        yield


def reference(function, x):
    """Apply a function of the standard library to the values of an array, in double precision."""
    return numpy.array([function(float(v)) for v in x])


def relative_error(value, expected):
    return numpy.max(numpy.abs(value.astype(float) - expected) / numpy.abs(expected))


def without_poles(low, high, count=4001):
    x = numpy.linspace(low, high, count)
    return x[x != numpy.round(x)]


# Units in the last place: 2.2e-16 in float64, 1.2e-7 in float32, 9.8e-4 in float16.
TOLERANCES = (("float64", 1e-14), ("float32", 5e-7), ("float16", 1e-3))


@pytest.mark.parametrize(("dtype", "tolerance"), TOLERANCES)
@pytest.mark.parametrize(
    ("low", "high"),
    [(-7, -3.8), (-4, -0.45), (-0.5, -1e-3), (1e-7, 1e-3), (1e-3, 0.5), (0.45, 4.1), (3.8, 7)],
)
def test_erf(dtype, tolerance, low, high):
    x = numpy.linspace(low, high, 4000).astype(dtype)
    x = x[numpy.abs(x) >= numpy.finfo(dtype).tiny]
    y = special.erf(numpy, x)
    assert y.dtype == dtype
    assert relative_error(y, reference(math.erf, x)) < tolerance
    assert numpy.abs(y).max() <= 1


def test_erf_special_values():
    for dtype in ("float32", "float64"):
        x = numpy.array([0.0, -0.0, math.inf, -math.inf, math.nan, 1e-300], dtype)
        y = special.erf(numpy, x)
        numpy.testing.assert_array_equal(y[:5], [0, 0, 1, -1, math.nan])
        assert math.copysign(1, y[1]) == -1
    assert y[5] == pytest.approx(2 / math.sqrt(math.pi) * 1e-300, rel=1e-15)


def test_erfinv_inverts_erf_and_erfc():
    x = numpy.concatenate([10.0 ** -numpy.arange(1.0, 300.0, 10.0), numpy.linspace(0.001, 0.999, 2001)])
    y = special.erfinv(numpy, x)
    # how far y is off follows from the residual and the slope of erf
    slope = 2 / math.sqrt(math.pi) * numpy.exp(-y * y)
    assert numpy.max(numpy.abs((reference(math.erf, y) - x) / slope / y)) < 1e-14
    small = 10.0 ** -numpy.arange(1.0, 16.0)
    x = 1 - small  # near 1 the complement says more than the value
    y = special.erfinv(numpy, x)
    slope = 2 / math.sqrt(math.pi) * numpy.exp(-y * y)
    assert numpy.max(numpy.abs((reference(math.erfc, y) - (1 - x)) / slope / y)) < 1e-14
    numpy.testing.assert_array_equal(special.erfinv(numpy, -x), -y)


def test_erfinv_in_single_precision_is_the_rounded_double():
    x = numpy.linspace(-0.9999999, 0.9999999, 2000, dtype="float32")
    y = special.erfinv(numpy, x)
    assert y.dtype == numpy.float32
    numpy.testing.assert_array_equal(y, special.erfinv(numpy, x.astype("float64")).astype("float32"))


def test_erfinv_special_values():
    y = special.erfinv(numpy, numpy.array([0.0, 1.0, -1.0, 1.5, -2.0, math.nan]))
    numpy.testing.assert_array_equal(y, [0, math.inf, -math.inf, math.nan, math.nan, math.nan])


RANGES = [(1e-3, 1), (1, 3), (3, 20), (20, 100), (100, 171), (-5.3, -0.001), (-20, -5), (-150, -20)]


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_gamma(low, high):
    x = without_poles(low, high)
    assert relative_error(special.gamma(numpy, x), reference(math.gamma, x)) < 2e-14
    x = x[(numpy.abs(x) < 30)].astype("float32")
    x = x[x != numpy.round(x)]
    y = special.gamma(numpy, x)
    assert y.dtype == numpy.float32
    expected = reference(math.gamma, x)
    normal = numpy.abs(expected) > 1e-37
    if normal.any():
        assert relative_error(y[normal], expected[normal]) < 1e-7


def test_gamma_of_integers_is_a_factorial():
    n = numpy.arange(1.0, 16.0)
    numpy.testing.assert_array_equal(special.gamma(numpy, n), [math.factorial(int(k) - 1) for k in n])
    integers = numpy.arange(1, 13, dtype="int32")
    numpy.testing.assert_array_equal(F.gamma(integers), [math.factorial(int(k) - 1) for k in integers])


def test_gamma_special_values():
    x = numpy.array([0.0, -0.0, -1.0, -20.0, 172.0, 1e300, math.inf, -math.inf, math.nan])
    expected = [math.inf, -math.inf, math.nan, math.nan, math.inf, math.inf, math.inf, math.nan, math.nan]
    numpy.testing.assert_array_equal(special.gamma(numpy, x), expected)


@pytest.mark.parametrize(("low", "high"), [*RANGES, (171, 1e4), (1e4, 1e15)])
def test_gammaln(low, high):
    x = without_poles(low, high)
    expected = reference(math.lgamma, x)
    # near 1 and 2, where it is zero, it is exact to the same absolute error
    assert numpy.max(numpy.abs(special.gammaln(numpy, x) - expected) / (1 + numpy.abs(expected))) < 1e-14
    x = x.astype("float32")
    x = x[x != numpy.round(x)]
    y = special.gammaln(numpy, x)
    expected = reference(math.lgamma, x)
    assert y.dtype == numpy.float32
    assert not len(x) or numpy.max(numpy.abs(y - expected) / (1e-6 + numpy.abs(expected))) < 1e-7


def test_gammaln_special_values():
    x = numpy.array([1.0, 2.0, 0.0, -1.0, -7.0, math.inf, -math.inf, math.nan])
    expected = [0, 0, math.inf, math.inf, math.inf, math.inf, math.inf, math.nan]
    numpy.testing.assert_array_equal(special.gammaln(numpy, x), expected)


def test_digamma_of_integers_and_halves():
    n = numpy.arange(1.0, 60.0)
    harmonic = numpy.array([math.fsum(1 / k for k in range(1, int(m))) for m in n])
    numpy.testing.assert_allclose(special.digamma(numpy, n), harmonic - EULER, rtol=3e-15, atol=3e-15)
    odd = numpy.array([math.fsum(2 / (2 * k - 1) for k in range(1, int(m))) for m in n])
    halves = odd - EULER - 2 * math.log(2)
    numpy.testing.assert_allclose(special.digamma(numpy, n - 0.5), halves, rtol=1e-14, atol=3e-15)
    # reflection: ψ(1/2 - n) = ψ(1/2 + n)
    numpy.testing.assert_allclose(special.digamma(numpy, 0.5 - n[:-1]), halves[1:], rtol=1e-13)


@pytest.mark.parametrize(
    ("function", "integral"),
    [(special.digamma, special.gammaln), (special.trigamma, special.digamma)],
)
@pytest.mark.parametrize(("low", "high"), [(0.3, 9), (9, 11), (11, 200), (-6.4, -0.2)])
def test_derivatives_by_finite_differences(function, integral, low, high):
    x = numpy.linspace(low, high, 501)
    x = x[numpy.abs(x - numpy.round(x)) > 0.1] if low < 0 else x
    h = 1e-3
    # central differences of order four
    slope = (
        8 * (integral(numpy, x + h) - integral(numpy, x - h))
        - (integral(numpy, x + 2 * h) - integral(numpy, x - 2 * h))
    ) / (12 * h)
    numpy.testing.assert_allclose(function(numpy, x), slope, rtol=1e-6, atol=1e-8)
    single = function(numpy, x.astype("float32"))
    assert single.dtype == numpy.float32
    exact = function(numpy, x.astype("float32").astype("float64"))
    numpy.testing.assert_array_equal(single, exact.astype("float32"))


def test_trigamma_of_integers():
    n = numpy.arange(1.0, 60.0)
    expected = math.pi**2 / 6 - numpy.array([math.fsum(1 / k**2 for k in range(1, int(m))) for m in n])
    numpy.testing.assert_allclose(special.trigamma(numpy, n), expected, rtol=1e-13)


@pytest.mark.parametrize("name", ["erf", "erfinv", "gamma", "gammaln", "_digamma"])
def test_gradient_rules_by_finite_differences(name):
    op = get_operator(name)
    x = numpy.linspace(0.15, 0.85, 29)
    y = op(numpy, x)
    (gradient,) = op.gradient_rule(F, numpy.ones_like(x), y, x)
    h = 1e-6
    slope = (op(numpy, x + h) - op(numpy, x - h)) / (2 * h)
    numpy.testing.assert_allclose(gradient, slope, rtol=1e-7)


@pytest.mark.parametrize("name", ["erf", "erfinv", "gamma", "gammaln", "_digamma", "_trigamma"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_scalars_and_empty_arrays_and_the_input_is_left_alone(name, dtype):
    op = get_operator(name)
    for x in (numpy.array(0.5, dtype), numpy.zeros((2, 0), dtype), numpy.full((2, 3), 0.5, dtype)):
        before = x.copy()
        y = numpy.asarray(op(numpy, x))
        assert y.shape == x.shape and y.dtype == x.dtype
        numpy.testing.assert_array_equal(x, before)
