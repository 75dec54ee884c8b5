"""Arithmetic of two arrays, and of an array and a number, in legacy MXNet.

``elemwise_add`` requires equal shapes, ``broadcast_add`` broadcasts sizes of 1, and ``_plus_scalar`` takes a
number. MXNet's ``np`` also has the operators of an array and a number, under other names.
"""

from __future__ import annotations

import math

import numpy

from ..core.operator import Array, get_operator, operator
from . import rules
from .elementwise import at_least, at_most, binary, check_same_dtype, in_double, kernel_of, scalar_operand

FAMILY = "elementwise"
MEANINGS = {
    "args": "One or more arrays, all of the same shape and element type.",
}

# --- functions that need more than one ufunc -----------------------------------------------------


def modulo(xp, a, b):
    """Return the remainder with the sign of the divisor, or 0 where the divisor is 0."""
    remainder = xp.remainder(a, b)
    return xp.where(xp.equal(b, 0), remainder.dtype.type(0), remainder)


def divide_integers(xp, a, b):
    """Return the quotient of integers, truncated towards zero as in C."""
    quotient = xp.floor_divide(a, b)
    return quotient + ((quotient < 0) & (quotient * b != a))


def power_of_integers(xp, a, b):
    """Return the integer power; with a negative exponent, the result is 0 unless the base is 1 or -1."""
    return in_double(xp, _whole_power, a, b)


def _whole_power(xp, a, b):
    # CUDA's pow may be 2 ulp off, even for pow(3, 1), and truncation would then give 2.
    power = xp.power(a, b)
    if isinstance(b, numpy.generic):  # CuPy's where takes no NumPy scalar
        return power if float(b) < 0 else xp.rint(power)
    return xp.where(b < 0, power, xp.rint(power))


def hypot_of_integers(xp, a, b):
    """Return the integer part of the hypotenuse ``sqrt(a**2 + b**2)``."""
    return in_double(xp, _whole_hypot, a, b)


def _whole_hypot(xp, a, b):
    # An inexact result must not be truncated: the hypotenuse of 3 and 4 is 5, not 4.
    length = xp.hypot(a, b)
    nearest = xp.rint(length)
    return xp.where(nearest * nearest == a * a + b * b, nearest, length)


# --- two arrays ----------------------------------------------------------------------------------

binary(
    ("elemwise_add", "_plus", "_Plus", "_add", "_sparse_elemwise_add"),
    ("broadcast_add", "broadcast_plus", "_sparse_broadcast_add", "_sparse_broadcast_plus"),
    "add",
    (lambda F, dy, y, a, b: dy, lambda F, dy, y, a, b: dy),
    "Return the sum of two arrays, element by element.",
)
get_operator("elemwise_add").names_outputs = True
binary(
    ("elemwise_sub", "_minus", "_Minus", "_sub", "_sparse_elemwise_sub"),
    ("broadcast_sub", "broadcast_minus", "_sparse_broadcast_sub", "_sparse_broadcast_minus"),
    "subtract",
    (lambda F, dy, y, a, b: dy, lambda F, dy, y, a, b: -dy),
    "Return the difference of two arrays, element by element.",
)
binary(
    ("elemwise_mul", "_mul", "_Mul", "_sparse_elemwise_mul"),
    ("broadcast_mul", "_sparse_broadcast_mul"),
    "multiply",
    (lambda F, dy, y, a, b: F.broadcast_mul(dy, b), lambda F, dy, y, a, b: F.broadcast_mul(dy, a)),
    "Return the product of two arrays, element by element.",
)
binary(
    ("elemwise_div", "_div", "_Div", "_sparse_elemwise_div"),
    ("broadcast_div", "_sparse_broadcast_div"),
    "divide",
    (lambda F, dy, y, a, b: F.broadcast_div(dy, b), lambda F, dy, y, a, b: -F.broadcast_div(dy * y, b)),
    "Return the quotient of two arrays, element by element, truncated for integers.",
    integers=divide_integers,
)
binary(
    ("_scatter_elemwise_div",),
    (),
    "divide",
    (lambda F, dy, y, a, b: F.broadcast_div(dy, b), lambda F, dy, y, a, b: -F.broadcast_div(dy * y, b)),
    "Return the quotient of two arrays, element by element. MXNet uses this operator for sparse arrays.",
    integers=divide_integers,
)
binary(
    ("_mod", "_Mod"),
    ("broadcast_mod",),
    modulo,
    (
        lambda F, dy, y, a, b: F._of_floats(dy, a),
        lambda F, dy, y, a, b: F._of_floats(-dy * F.floor(F.broadcast_div(a, b)), b),
    ),
    "Return the remainder, with the sign of the divisor; 0 where the divisor is 0.",
    integers=kernel_of("remainder"),
)
binary(
    ("_power", "_Power"),
    ("broadcast_power",),
    "power",
    (
        lambda F, dy, y, a, b: F.broadcast_mul(dy, b) * F.broadcast_power(a, b - 1),
        lambda F, dy, y, a, b: F.broadcast_mul(dy * y, F.log(a)),
    ),
    "Return the first array to the power of the second, element by element.",
    integers=power_of_integers,
)
binary(
    ("_maximum", "_Maximum"),
    ("broadcast_maximum", "_npi_maximum"),
    "maximum",
    (
        lambda F, dy, y, a, b: dy * F.broadcast_greater_equal(a, b),
        lambda F, dy, y, a, b: dy * F.broadcast_lesser(a, b),
    ),
    "Return the larger of two numbers, element by element.",
)
binary(
    ("_minimum", "_Minimum"),
    ("broadcast_minimum", "_npi_minimum"),
    "minimum",
    (
        lambda F, dy, y, a, b: dy * F.broadcast_lesser_equal(a, b),
        lambda F, dy, y, a, b: dy * F.broadcast_greater(a, b),
    ),
    "Return the smaller of two numbers, element by element.",
)
binary(
    ("_hypot", "_Hypot"),
    ("broadcast_hypot",),
    "hypot",
    (
        lambda F, dy, y, a, b: dy * F.broadcast_div(a, y),
        lambda F, dy, y, a, b: dy * F.broadcast_div(b, y),
    ),
    "Return the hypotenuse ``√(a² + b²)`` of a right triangle.",
    integers=hypot_of_integers,
)
binary(
    ("_grad_add",),
    (),
    "add",
    (lambda F, dy, y, a, b: dy, lambda F, dy, y, a, b: dy),
    "Return the sum of two gradients of one array.",
)

# --- any number of arrays ------------------------------------------------------------------------


@operator("add_n", "ElementWiseSum", "_sparse_add_n", "_sparse_ElementWiseSum", elementwise=True)
def add_n(xp, *args: Array):
    """Return the sum of any number of arrays of the same shape.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.add_n(nd.ones(2), nd.ones(2), nd.ones(2)).asnumpy()
    array([3., 3.], dtype=float32)
    """
    for other in args[1:]:
        check_same_dtype(args[0], other)
    rules.unify_all([a.shape for a in args])
    if len(args) == 1:
        return args[0]
    total = xp.add(args[0], args[1])
    for other in args[2:]:
        total += other
    return total


add_n.precision = "widest"
add_n.infer_shape(rules.same)
add_n.infer_type(rules.same_type)
add_n.gradient(lambda F, dy, y, *args, **_: [dy] * len(args))

# --- an array and a number -----------------------------------------------------------------------


def _log(number: float) -> float:
    if number > 0:
        return math.log(number)
    return -math.inf if number == 0 else math.nan


scalar_operand(
    ("_plus_scalar", "_PlusScalar"),
    "add",
    lambda F, dy, y, x, s: dy,
    "Return ``x + scalar``.",
    npi="_npi_add_scalar",
    neutral=-0.0,
)
scalar_operand(
    ("_minus_scalar", "_MinusScalar"),
    "subtract",
    lambda F, dy, y, x, s: dy,
    "Return ``x - scalar``.",
    npi="_npi_subtract_scalar",
    neutral=0.0,
)
scalar_operand(
    ("_rminus_scalar", "_RMinusScalar"),
    "subtract",
    lambda F, dy, y, x, s: -dy,
    "Return ``scalar - x``.",
    npi="_npi_rsubtract_scalar",
    is_reversed=True,
)
scalar_operand(
    ("_mul_scalar", "_MulScalar"),
    "multiply",
    lambda F, dy, y, x, s: dy * s,
    "Return ``x * scalar``.",
    npi="_npi_multiply_scalar",
    neutral=1.0,
)
scalar_operand(
    ("_div_scalar", "_DivScalar"),
    "divide",
    lambda F, dy, y, x, s: dy / s,
    "Return ``x / scalar``, truncated for integers.",
    integers=divide_integers,
    neutral=1.0,
)
scalar_operand(
    ("_rdiv_scalar", "_RDivScalar"),
    "divide",
    lambda F, dy, y, x, s: -dy * y / x,
    "Return ``scalar / x``, truncated for integers.",
    integers=lambda xp, x, s: divide_integers(xp, s, x),
    is_reversed=True,
)
scalar_operand(
    ("_mod_scalar", "_ModScalar"),
    lambda xp, x, s: xp.remainder(x, s) if s else xp.zeros_like(x),
    lambda F, dy, y, x, s: F._of_floats(dy, x),
    "Return ``x % scalar``, with the sign of the divisor; 0 where the divisor is 0.",
    npi="_npi_mod_scalar",
)
scalar_operand(
    ("_rmod_scalar", "_RModScalar"),
    lambda xp, x, s: modulo(xp, s, x),
    lambda F, dy, y, x, s: F._of_floats(-dy * F.floor(F._rdiv_scalar(x, scalar=s)), x),
    "Return ``scalar % x``, with the sign of the divisor; 0 where the divisor is 0.",
    npi="_npi_rmod_scalar",
)
scalar_operand(
    ("_power_scalar", "_PowerScalar"),
    "power",
    lambda F, dy, y, x, s: dy * F._power_scalar(x, scalar=s - 1) * s,
    "Return ``x ** scalar``.",
    integers=power_of_integers,
    npi="_npi_power_scalar",
    neutral=1.0,
)
scalar_operand(
    ("_rpower_scalar", "_RPowerScalar"),
    "power",
    lambda F, dy, y, x, s: dy * y * _log(s),
    "Return ``scalar ** x``.",
    integers=lambda xp, x, s: power_of_integers(xp, s, x),
    npi="_npi_rpower_scalar",
    is_reversed=True,
)
scalar_operand(
    ("_maximum_scalar", "_MaximumScalar", "_npi_maximum_scalar"),
    at_least,
    lambda F, dy, y, x, s: dy * F._greater_equal_scalar(x, scalar=s),
    "Return the larger of x and a number.",
    integers=kernel_of("maximum"),
    ufunc="maximum",
)
scalar_operand(
    ("_minimum_scalar", "_MinimumScalar", "_npi_minimum_scalar"),
    at_most,
    lambda F, dy, y, x, s: dy * F._lesser_equal_scalar(x, scalar=s),
    "Return the smaller of x and a number.",
    integers=kernel_of("minimum"),
    ufunc="minimum",
)
scalar_operand(
    ("_hypot_scalar", "_HypotScalar", "_npi_hypot_scalar"),
    "hypot",
    lambda F, dy, y, x, s: dy * x / y,
    "Return the hypotenuse ``√(x² + scalar²)`` of a right triangle.",
    integers=hypot_of_integers,
)
scalar_operand(
    ("_scatter_plus_scalar",),
    "add",
    lambda F, dy, y, x, s: dy,
    "Return ``x + scalar``. MXNet uses this operator for sparse arrays.",
)
scalar_operand(
    ("_scatter_minus_scalar",),
    "subtract",
    lambda F, dy, y, x, s: dy,
    "Return ``x - scalar``. MXNet uses this operator for sparse arrays.",
)

for _name in (
    "_hypot",
    "_hypot_scalar",
    "_power",
    "_power_scalar",
    "_rdiv_scalar",
    "_rpower_scalar",
    "broadcast_hypot",
    "broadcast_power",
):
    get_operator(_name).precision = "single"
