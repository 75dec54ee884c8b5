"""Special functions that NumPy and CuPy lack: the error function, the gamma function, and related functions.

All functions are computed on whole arrays, without a loop over elements, with formulas from *Abramowitz & Stegun,
Handbook of Mathematical Functions* (cited as A&S) and from W. J. Cody's rational approximations. Results are accurate
to a few units in the last place of the input's type. All types are computed in float64, except that ``erf`` computes
float32 and float16 in float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from .elementwise import at_least, at_most, in_double

__all__ = ["digamma", "erf", "erfinv", "gamma", "gammaln", "trigamma"]


def polynomial(coefficients: Sequence[float], x: Any) -> Any:
    """Evaluate a polynomial by Horner's method, with the coefficient of the highest power first.

    Examples
    --------
    >>> polynomial((1.0, 0.0, -2.0), numpy.array([3.0]))
    array([7.])
    """
    result = x * coefficients[0]
    result += coefficients[1]
    for coefficient in coefficients[2:]:
        result *= x
        result += coefficient
    return result


def _in_float64(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compute(xp: Any, x: Any) -> Any:
        if x.dtype == numpy.float64:
            return function(xp, x)
        return function(xp, x.astype(numpy.float64)).astype(x.dtype)

    compute.__doc__, compute.__name__ = function.__doc__, function.__name__
    return compute


# --- error function ------------------------------------------------------------------------------

# erf(x) = x · P(x²) / Q(x²) where |x| < 0.46875
_SMALL = (
    (1.85777706184603153e-1, 3.16112374387056560, 1.13864154151050156e2, 3.77485237685302021e2,
     3.20937758913846947e3),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3),
)  # fmt: skip
# erfc(x) = exp(-x²) · P(x) / Q(x) up to 4
_MIDDLE = (
    (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594, 6.61191906371416295e1,
     2.98635138197400131e2, 8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3,
     1.23033935479799725e3),
    (1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
     3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3),
)  # fmt: skip
# erfc(x) = exp(-x²) / x · (1/√π - P(1/x²) / (x² · Q(1/x²))) beyond 4
_LARGE = (
    (1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
     1.60837851487422766e-2, 6.58749161529837803e-4),
    (1.0, 2.56852019228982242, 1.87295284992346725, 5.27905102951428412e-1, 6.05183413124413191e-2,
     2.33520497626869185e-3),
)  # fmt: skip
_BORDER = 0.46875

# erf(x) = x · P(x²) / Q(x²) for all |x| < 3.9, to float32 accuracy
_SINGLE = (
    (2.0665784e-6, 2.8505726e-4, 3.7379824e-3, 5.2666958e-2, 1.8965785e-1, 1.1283791),
    (3.8270868e-5, 1.1572944e-3, 1.4913541e-2, 1.1381530e-1, 5.0141269e-1, 1.0),
)


def _ratio(pair: tuple[Sequence[float], Sequence[float]], x: Any) -> Any:
    return polynomial(pair[0], x) / polynomial(pair[1], x)


def _erfc_beyond_border(xp: Any, x: Any) -> Any:
    """Return the complementary error function of numbers of at least 0.46875."""
    inverse = 1 / (x * x)
    large = (1 / math.sqrt(math.pi) - inverse * _ratio(_LARGE, inverse)) / x
    return xp.exp(-x * x) * xp.where(x <= 4, _ratio(_MIDDLE, x), large)


def erf(xp: Any, x: Any) -> Any:
    """Return the error function, the integral of ``2/√π · exp(-t²)`` from 0 to x.

    In float64, the computation follows W. J. Cody, *Rational Chebyshev approximations for the error function*, Math.
    Comp. 23 (1969). In float32 and float16, the computation uses an approximation of ``erf(x) / x`` by a rational
    function of x², which was fitted by iteratively reweighted least squares. Its largest relative error is 1.7e-8.
    """
    if x.dtype == numpy.float64:
        size = at_most(xp, xp.abs(x), 6.0)  # erf(6) rounds to 1
        middle = 1 - xp.exp(-size * size) * _ratio(_MIDDLE, size)
        return xp.where(size < _BORDER, x * _ratio(_SMALL, size * size), xp.copysign(middle, x))
    if x.dtype != numpy.float32:
        return erf(xp, x.astype(numpy.float32)).astype(x.dtype)
    near = at_least(xp, at_most(xp, x, 3.9), -3.9)
    result = near * _ratio(_SINGLE, near * near)
    return at_least(xp, at_most(xp, result, 1.0), -1.0)


def erfinv(xp: Any, x: Any) -> Any:
    """Return the inverse of the error function on (-1, 1), -inf at -1, inf at 1, and NaN for all other numbers.

    Integers below -1 or above 1 become 0, because MXNet converts NaN to the integer 0.
    """
    if x.dtype.kind == "f":
        return _erfinv(xp, x)
    return xp.where((x > 1) | (x < -1), x.dtype.type(0), in_double(xp, _erfinv, x))


@_in_float64
def _erfinv(xp: Any, x: Any) -> Any:
    """Return ``erfinv`` of float64.

    The method starts from an approximation to three digits (S. Winitzki, *A handy approximation for the error function
    and its inverse*, 2008), followed by three steps of Halley's method, each of which triples the digits.
    """
    size = xp.abs(x)
    logarithm = xp.log((1 - size) * (1 + size))
    a = 0.147
    b = logarithm / 2 + 2 / (math.pi * a)
    y = xp.sqrt((-logarithm / a) / (b + xp.sqrt(b * b - logarithm / a)))
    for _ in range(3):
        # near 1, the difference of the complements loses no digits, in contrast to erf
        error = xp.where(y < _BORDER, y * _ratio(_SMALL, y * y) - size, (1 - size) - _erfc_beyond_border(xp, y))
        step = error * (math.sqrt(math.pi) / 2) * xp.exp(y * y)
        y = y - step / (1 + y * step)
    return xp.copysign(xp.where(size == 1, math.inf, y), x)


# --- gamma function ------------------------------------------------------------------------------

_SHIFT = 10  # from this number on, the asymptotic series have 16 digits

# Bernoulli numbers over 2k (2k - 1): Stirling's series, A&S 6.1.40
_STIRLING = (-3617 / 122400, 1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
# Bernoulli numbers over 2k: A&S 6.3.18
_DIGAMMA = (-3617 / 8160, 1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12)
# Bernoulli numbers: A&S 6.4.12
_TRIGAMMA = (-3617 / 510, 7 / 6, -691 / 2730, 5 / 66, -1 / 30, 1 / 42, -1 / 30, 1 / 6)


def _stirling_series(z: Any) -> Any:
    inverse = 1 / z
    return inverse * polynomial(_STIRLING, inverse * inverse)


def _sin_pi(xp: Any, x: Any) -> Any:
    """Return the sine of πx; the argument isn't rounded."""
    nearest = xp.rint(x)
    return xp.sin(math.pi * (x - nearest)) * (1 - 2 * xp.abs(xp.remainder(nearest, 2)))


def _is_pole(xp: Any, x: Any) -> Any:
    return (x < 0) & (x == xp.floor(x))


def _gamma_of_positive(xp: Any, x: Any) -> Any:
    """Return the gamma function of positive numbers by Stirling's formula.

    Numbers below 10 use the recurrence Γ(x) = Γ(x + 10) / (x (x+1) ⋯ (x+9)).
    """
    small = x < _SHIFT
    product = xp.where(small, x, 1.0)
    for k in range(1, _SHIFT):
        product *= xp.where(small, x + k, 1.0)
    z = xp.where(small, x + _SHIFT, x)
    half_power = z ** (z / 2 - 0.25)  # the square root of the power, which doesn't overflow before the result does
    value = half_power * xp.exp(-z) * half_power * xp.exp(_stirling_series(z)) * math.sqrt(2 * math.pi)
    value = xp.where(x > 172, math.inf, value / product)
    factorial = (x == xp.floor(x)) & (value < 1e13)
    return xp.where(factorial, xp.rint(value), value)


@_in_float64
def gamma(xp: Any, x: Any) -> Any:
    """Return the gamma function: ``gamma(n) = (n - 1)!`` for positive integers, and NaN for negative integers.

    The computation uses Stirling's series A&S 6.1.40, the recurrence 6.1.15, and the reflection formula 6.1.17 in the
    form ``Γ(x) Γ(-x) = -π / (x sin πx)``, whose argument -x is exact.
    """
    negative = x < 0
    positive = _gamma_of_positive(xp, xp.where(negative, -x, x))
    reflected = -math.pi / (x * _sin_pi(xp, x) * positive)
    return xp.where(negative, xp.where(_is_pole(xp, x), math.nan, reflected), positive)


@_in_float64
def gammaln(xp: Any, x: Any) -> Any:
    """Return the logarithm of the absolute value of the gamma function; at the poles, the result is infinity.

    The computation uses the logarithm of :func:`gamma` up to 30, Stirling's series A&S 6.1.41 above 30, and the
    reflection formula for negative numbers.
    """
    size = xp.abs(x)
    positive = xp.log(_gamma_of_positive(xp, xp.minimum(size, 30.0)))
    if xp is not numpy or not numpy.all(size < 30):  # on a GPU, reading this costs more than the work
        series = (size - 0.5) * (xp.log(size) - 1) + (0.5 * math.log(2 * math.pi) - 0.5) + _stirling_series(size)
        positive = xp.where(size < 30, positive, series)
    if xp is numpy and numpy.all(x > 0):
        return positive
    reflected = math.log(math.pi) - xp.log(xp.abs(x * _sin_pi(xp, x))) - positive
    return xp.where(x < 0, xp.where(_is_pole(xp, x), math.inf, reflected), positive)


@_in_float64
def digamma(xp: Any, x: Any) -> Any:
    """Return the derivative of the logarithm of the gamma function; at the poles, the result is infinity.

    The computation uses the asymptotic series A&S 6.3.18, recurrence 6.3.5, and reflection 6.3.7 in the form
    ``ψ(x) = ψ(-x) - π / tan πx - 1/x``.
    """
    size = xp.abs(x)
    small = size < _SHIFT
    total = xp.zeros_like(size)
    for k in range(_SHIFT):
        total += xp.where(small, 1 / (size + k), 0.0)
    z = xp.where(small, size + _SHIFT, size)
    inverse = 1 / (z * z)
    positive = xp.log(z) - 0.5 / z - inverse * polynomial(_DIGAMMA, inverse) - total
    reflected = positive - math.pi / xp.tan(math.pi * (x - xp.rint(x))) - 1 / x
    value = xp.where(x < 0, reflected, positive)
    return xp.where((x == 0) | _is_pole(xp, x), math.inf, value)


@_in_float64
def trigamma(xp: Any, x: Any) -> Any:
    """Return the derivative of :func:`digamma`; at the poles, the result is infinity.

    The computation uses the asymptotic series A&S 6.4.12, recurrence 6.4.6, and reflection 6.4.7 in the form
    ``ψ'(x) + ψ'(-x) = (π / sin πx)² + 1/x²``.
    """
    size = xp.abs(x)
    small = size < _SHIFT
    total = xp.zeros_like(size)
    for k in range(_SHIFT):
        term = 1 / (size + k)
        total += xp.where(small, term * term, 0.0)
    z = xp.where(small, size + _SHIFT, size)
    inverse = 1 / (z * z)
    positive = 1 / z + inverse / 2 + inverse / z * polynomial(_TRIGAMMA, inverse) + total
    sine = _sin_pi(xp, x)
    reflected = (math.pi / sine) ** 2 + 1 / (x * x) - positive
    value = xp.where(x < 0, reflected, positive)
    return xp.where((x == 0) | _is_pole(xp, x), math.inf, value)
