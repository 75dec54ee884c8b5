"""Element-wise mathematical operators of one array, in legacy MXNet and, if the operator is the same, in ``np``."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ..core.operator import get_operator
from . import special_functions
from .elementwise import unary


def _of(F: Any, value: Any, x: Any) -> Any:
    """Return a value that depends on x, with a gradient of zero, so that a second gradient isn't an error.

    As in MXNet, the gradient is zero. The value affects only gradients of gradients on the tape.
    """
    return F._identity_with_attr_like_rhs(value, x)


# --- signs and rounding --------------------------------------------------------------------------

#: The largest number below one half, by size of the type. With it instead of one half, 0.49999997 isn't rounded up.
_BELOW_HALF = {size: float(numpy.nextafter(t(0.5), t(0))) for size, t in
               ((2, numpy.float16), (4, numpy.float32), (8, numpy.float64))}  # fmt: skip


def round_half_away(xp: Any, x: Any) -> Any:
    """Round to the nearest integer, and halves away from zero."""
    if x.dtype.kind != "f":
        return x
    return xp.copysign(xp.floor(xp.abs(x) + _BELOW_HALF[x.dtype.itemsize]), x)


def round_half_down(xp: Any, x: Any) -> Any:
    """Return the nearest integers; halves are rounded down."""
    if x.dtype.kind != "f":
        return x
    below = xp.floor(x)
    return below + (x - below > 0.5)


unary(
    ("abs", "_sparse_abs"),
    "absolute",
    lambda F, dy, y, x: dy * F.sign(x),
    "Return the absolute value of each element.",
    integers=True,
    npi=("_npi_absolute", "_npi_abs"),
)
unary(
    ("sign", "_sparse_sign"),
    "sign",
    None,
    "Return the sign of each element, which is -1, 0, or 1.",
    integers=True,
    npi="_npi_sign",
)
unary(
    ("negative", "_sparse_negative"),
    "negative",
    lambda F, dy, y, x: -dy,
    "Return ``-x``.",
    integers=True,
    npi="_npi_negative",
)
unary(
    ("round", "_sparse_round"),
    round_half_away,
    None,
    "Return the integer nearest to each element; halves are rounded away from zero: ``round(-0.5)`` is -1.",
    integers=True,
    fresh=False,
)
unary(
    ("rint", "_sparse_rint"),
    round_half_down,
    None,
    "Return the integer nearest to each element; halves are rounded down: ``rint(0.5)`` is 0 and ``rint(-0.5)`` is -1.",
    integers=True,
    npi="_npi_rint",
    fresh=False,
)
unary(
    ("ceil", "_sparse_ceil"),
    "ceil",
    None,
    "Return the smallest integer that is not below each element.",
    npi="_npi_ceil",
)
unary(
    ("floor", "_sparse_floor"),
    "floor",
    None,
    "Return the largest integer that is not above each element.",
    npi="_npi_floor",
)
unary(("trunc", "_sparse_trunc"), "trunc", None, "Return the integer part of each element.", npi="_npi_trunc")
unary(("fix", "_sparse_fix"), "trunc", None, "Return the integer part of each element.", npi="_npi_fix")

# --- powers, exponentials, and logarithms ---------------------------------------------------------

unary(
    ("square", "_sparse_square"),
    lambda xp, x: xp.multiply(x, x),
    lambda F, dy, y, x: dy * x * 2,
    "Return ``x²``.",
    integers=True,
    npi="_npi_square",
    ufunc="square",
)
unary(
    ("sqrt", "_sparse_sqrt"),
    "sqrt",
    lambda F, dy, y, x: dy / (y * 2),
    "Return the square root of each element.",
    npi="_npi_sqrt",
)
unary(
    ("rsqrt", "_sparse_rsqrt"),
    lambda xp, x: 1 / xp.sqrt(x),
    lambda F, dy, y, x: dy * y / x * -0.5,
    "Return the reciprocal square root of each element, ``1 / √x``.",
).expression("one / root({0})")
unary(
    ("cbrt", "_sparse_cbrt"),
    "cbrt",
    lambda F, dy, y, x: dy / (y * y * 3),
    "Return the cube root of each element.",
    npi="_npi_cbrt",
)
unary(
    ("rcbrt",),
    lambda xp, x: 1 / xp.cbrt(x),
    lambda F, dy, y, x: dy * y / x * (-1 / 3),
    "Return the reciprocal cube root of each element.",
)
unary(
    ("reciprocal",),
    "reciprocal",
    lambda F, dy, y, x: -dy * y * y,
    "Return ``1 / x``.",
    npi="_npi_reciprocal",
)
unary(
    ("exp", "_sparse_exp"),
    "exp",
    lambda F, dy, y, x: dy * y,
    "Return e to the power of each element.",
    npi="_npi_exp",
)
unary(
    ("expm1", "_sparse_expm1"),
    "expm1",
    lambda F, dy, y, x: dy * (y + 1),
    "Return ``exp(x) - 1``, computed accurately if ``x`` is near 0.",
    npi="_npi_expm1",
)
unary(
    ("log", "_sparse_log"),
    "log",
    lambda F, dy, y, x: dy / x,
    "Return the natural logarithm of each element.",
    npi="_npi_log",
)
unary(
    ("log2", "_sparse_log2"),
    "log2",
    lambda F, dy, y, x: dy / x * (1 / math.log(2)),
    "Return the logarithm to base 2 of each element.",
    npi="_npi_log2",
)
unary(
    ("log10", "_sparse_log10"),
    "log10",
    lambda F, dy, y, x: dy / x * (1 / math.log(10)),
    "Return the logarithm to base 10 of each element.",
    npi="_npi_log10",
)
unary(
    ("log1p", "_sparse_log1p"),
    "log1p",
    lambda F, dy, y, x: dy / (x + 1),
    "Return ``log(1 + x)``, computed accurately if ``x`` is near 0.",
    npi="_npi_log1p",
)

# --- trigonometric and hyperbolic functions ------------------------------------------------------

unary(
    ("sin", "_sparse_sin"),
    "sin",
    lambda F, dy, y, x: dy * F.cos(x),
    "Return the sine of each element.",
    npi="_npi_sin",
)
unary(
    ("cos", "_sparse_cos"),
    "cos",
    lambda F, dy, y, x: -dy * F.sin(x),
    "Return the cosine of each element.",
    npi="_npi_cos",
)
unary(
    ("tan", "_sparse_tan"),
    "tan",
    lambda F, dy, y, x: dy * (y * y + 1),
    "Return the tangent of each element.",
    npi="_npi_tan",
)
unary(
    ("arcsin", "_sparse_arcsin"),
    "arcsin",
    lambda F, dy, y, x: dy / F.sqrt(1 - x * x),
    "Return the inverse sine of each element, between -π/2 and π/2.",
    npi="_npi_arcsin",
)
unary(
    ("arccos", "_sparse_arccos"),
    "arccos",
    lambda F, dy, y, x: -dy / F.sqrt(1 - x * x),
    "Return the inverse cosine of each element, between 0 and π.",
    npi="_npi_arccos",
)
unary(
    ("arctan", "_sparse_arctan"),
    "arctan",
    lambda F, dy, y, x: dy / (x * x + 1),
    "Return the inverse tangent of each element, between -π/2 and π/2.",
    npi="_npi_arctan",
)
unary(
    ("degrees", "_sparse_degrees"),
    lambda xp, x: x * (180 / math.pi),
    lambda F, dy, y, x: _of(F, dy * (180 / math.pi), x),
    "Convert radians to degrees.",
    npi="_npi_degrees",
)
unary(
    ("radians", "_sparse_radians"),
    lambda xp, x: x * (math.pi / 180),
    lambda F, dy, y, x: _of(F, dy * (math.pi / 180), x),
    "Convert degrees to radians.",
    npi="_npi_radians",
)
unary(
    ("sinh", "_sparse_sinh"),
    "sinh",
    lambda F, dy, y, x: dy * F.cosh(x),
    "Return the hyperbolic sine of each element.",
    npi="_npi_sinh",
)
unary(
    ("cosh", "_sparse_cosh"),
    "cosh",
    lambda F, dy, y, x: dy * F.sinh(x),
    "Return the hyperbolic cosine of each element.",
    npi="_npi_cosh",
)
unary(
    ("tanh", "_sparse_tanh"),
    "tanh",
    lambda F, dy, y, x: dy * ((1 - y) * (1 + y)),
    "Return the hyperbolic tangent of each element.",
    npi="_npi_tanh",
)
unary(
    ("arcsinh", "_sparse_arcsinh"),
    "arcsinh",
    lambda F, dy, y, x: dy / F.sqrt(x * x + 1),
    "Return the inverse hyperbolic sine of each element.",
    npi="_npi_arcsinh",
)
unary(
    ("arccosh", "_sparse_arccosh"),
    "arccosh",
    lambda F, dy, y, x: dy / F.sqrt((x - 1) * (x + 1)),
    "Return the inverse hyperbolic cosine of each element.",
    npi="_npi_arccosh",
)
unary(
    ("arctanh", "_sparse_arctanh"),
    "arctanh",
    lambda F, dy, y, x: dy / ((1 - x) * (1 + x)),
    "Return the inverse hyperbolic tangent of each element.",
    npi="_npi_arctanh",
)

# --- special functions ---------------------------------------------------------------------------

unary(
    ("erf", "_npx_erf"),
    special_functions.erf,
    lambda F, dy, y, x: dy * F.exp(-x * x) * (2 / math.sqrt(math.pi)),
    "Return the error function, which is the integral of ``2/√π · exp(-t²)`` from 0 to x.",
)
unary(
    ("erfinv", "_npx_erfinv"),
    special_functions.erfinv,
    lambda F, dy, y, x: dy * F.exp(y * y) * (math.sqrt(math.pi) / 2),
    "Return the inverse of the error function.",
    integers=True,
)
unary(
    ("gamma", "_npx_gamma", "_sparse_gamma"),
    special_functions.gamma,
    lambda F, dy, y, x: dy * y * F._digamma(x),
    "Return the gamma function, with ``gamma(n) = (n - 1)!``.",
)
unary(
    ("gammaln", "_npx_gammaln", "_sparse_gammaln"),
    special_functions.gammaln,
    lambda F, dy, y, x: dy * F._digamma(x),
    "Return the logarithm of the absolute value of the gamma function.",
)
unary(
    ("_digamma",),
    special_functions.digamma,
    lambda F, dy, y, x: dy * F._trigamma(x),
    "Return the derivative of ``gammaln``.",
)
# This operator has no gradient: third derivatives of the gamma function are not supported.
unary(("_trigamma",), special_functions.trigamma, None, "Return the second derivative of ``gammaln``.")

for _name in (
    "erfinv",
    "gamma",
    "gammaln",
    "arccos",
    "arcsin",
    "arctanh",
    "cosh",
    "exp",
    "expm1",
    "log",
    "log10",
    "log1p",
    "log2",
    "rcbrt",
    "reciprocal",
    "rsqrt",
    "sinh",
    "square",
    "tan",
):
    get_operator(_name).precision = "single"
