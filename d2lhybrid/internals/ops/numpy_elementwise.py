"""The element-wise operators of MXNet's ``np`` that differ from legacy operators.

Arithmetic of arrays with different types follows NumPy with one exception, as in MXNet: an integer array gets the
type of a floating-point operand. The quotient of integers is float32. Operators that also exist in legacy MXNet
are in the files of the legacy operators, under two names (:mod:`.unary`, :mod:`.binary`, :mod:`.comparison`).
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy

from ...error import MXNetError, ShapeError
from ..core.operator import Array, operator
from . import rules
from .binary import modulo, power_of_integers
from .comparison import require_same_type
from .elementwise import (
    Kernel,
    Rule,
    check_same_dtype,
    declare_ufunc,
    in_double,
    in_integers,
    kernel_of,
    reduce_like,
    scalar_operand,
    with_input_names,
)

FAMILY = "elementwise"

_FLOAT32 = numpy.dtype(numpy.float32)

# --- arithmetic with promotion -------------------------------------------------------------------


@functools.cache
def common_dtype(a: numpy.dtype, b: numpy.dtype) -> numpy.dtype:
    """Return the common element type of two ``mx.np`` arrays.

    Examples
    --------
    >>> common_dtype(numpy.dtype("int64"), numpy.dtype("float32"))
    dtype('float32')
    >>> common_dtype(numpy.dtype("int8"), numpy.dtype("int32"))
    dtype('int32')
    """
    if (a.kind == "f") != (b.kind == "f"):
        return a if a.kind == "f" else b
    return numpy.promote_types(a, b)


@operator("_backward_npi_broadcast")
def backward_broadcast(xp, data: Array, like: Array):
    """Return the gradient of an operand: ``data``, summed to the shape of ``like`` and cast to the type of ``like``.

    An integer operand that is combined with a floating-point operand has a gradient of zeros, as in MXNet.
    """
    if like.dtype.kind != "f" and data.dtype.kind == "f":
        return xp.zeros_like(like)
    data = reduce_like(xp, data, like)
    return data if data.dtype == like.dtype else data.astype(like.dtype)


backward_broadcast.infer_shape(lambda data, like: ([data, like], [like]))
backward_broadcast.identity = "same type"
backward_broadcast.infer_type(lambda data, like: ([data, like], [like]))
backward_broadcast.gradient(
    lambda F, dy, y, data, like: [F._backward_cast(F._npi_add(F.zeros_like(data), dy), data), None]
)


def _gradients(vjp: tuple[Rule | None, Rule | None]) -> Rule:
    def rule(F, dy, y, lhs, rhs, *, needs=(True, True)):
        return [
            F._backward_npi_broadcast(partial(F, dy, y, lhs, rhs), operand) if wanted and partial else None
            for wanted, partial, operand in zip(needs, vjp, (lhs, rhs), strict=True)
        ]

    return rule


def _promoted(lhs: numpy.dtype | None, rhs: numpy.dtype | None) -> tuple[list[Any], list[Any]]:
    return [lhs, rhs], [None if lhs is None or rhs is None else common_dtype(lhs, rhs)]


def _quotient_type(lhs: numpy.dtype | None, rhs: numpy.dtype | None) -> tuple[list[Any], list[Any]]:
    (common,) = _promoted(lhs, rhs)[1]
    return [lhs, rhs], [common if common is None or common.kind == "f" else _FLOAT32]


def arithmetic(
    name: str,
    function: Kernel | str,
    vjp: tuple[Rule, Rule],
    doc: str,
    integers: Kernel | None = None,
    result_type: Rule = _promoted,
) -> None:
    """Register a binary operator that broadcasts shapes and promotes element types.

    Parameters
    ----------
    name : str
        The name of the operator, such as ``_npi_add``.
    function : callable or str
        The function ``function(xp, a, b)``, or the name of a NumPy function.
    vjp : pair of callables
        The gradients ``vjp(F, dy, y, a, b)`` of the left and the right operand, in the shape of ``dy``.
    doc : str
        A sentence that becomes the documentation.
    integers : callable, optional
        The function ``integers(xp, a, b)`` that replaces ``function`` if the operands' common type isn't a float type.
    result_type : callable
        The type rule, a function of the element types of both operands; by default, the result has their common type.
    """
    compute = kernel_of(function)

    def run(xp, lhs: Array, rhs: Array):
        if lhs.dtype is not rhs.dtype and lhs.dtype != rhs.dtype:
            dtype = common_dtype(lhs.dtype, rhs.dtype)
            lhs, rhs = lhs.astype(dtype), rhs.astype(dtype)
        if integers is not None and lhs.dtype.kind != "f":
            return integers(xp, lhs, rhs)
        return compute(xp, lhs, rhs)

    run.__doc__ = doc
    op = operator(name, elementwise=True, fresh=True)(run)
    op.infer_shape(rules.broadcast)
    op.infer_type(result_type)
    declare_ufunc(op, function)
    op.gradient(_gradients(vjp))


def _quotient_of_integers(xp, a, b):
    return xp.true_divide(a.astype(_FLOAT32), b.astype(_FLOAT32))


def _power_of_integers(xp, a, b):
    return a | ~b if a.dtype.kind == "b" else power_of_integers(xp, a, b)


def _like(F, a, y):
    return F._npi_add(F.zeros_like(y), a)  # in the element type of the result: an unsigned 0 - 1 would wrap around


def _log_in_floats(F, a, y):
    return F._npi_log(_like(F, a, y))  # the logarithm of integers would be integers


arithmetic(
    "_npi_add",
    "add",
    (lambda F, dy, y, a, b: dy, lambda F, dy, y, a, b: dy),
    "Return the sum of two arrays, element by element.",
)
arithmetic(
    "_npi_subtract",
    "subtract",
    (lambda F, dy, y, a, b: dy, lambda F, dy, y, a, b: -dy),
    "Return the difference of two arrays, element by element.",
)
arithmetic(
    "_npi_multiply",
    "multiply",
    (lambda F, dy, y, a, b: F._npi_multiply(dy, b), lambda F, dy, y, a, b: F._npi_multiply(dy, a)),
    "Return the product of two arrays, element by element.",
)
arithmetic(
    "_npi_true_divide",
    "divide",
    (
        lambda F, dy, y, a, b: F._npi_true_divide(dy, b),
        lambda F, dy, y, a, b: -F._npi_true_divide(dy * y, b),
    ),
    "Return the quotient of two arrays, element by element, in float32 for integers.",
    integers=_quotient_of_integers,
    result_type=_quotient_type,
)
arithmetic(
    "_npi_mod",
    modulo,
    (
        lambda F, dy, y, a, b: F._of_floats(dy, a),
        lambda F, dy, y, a, b: F._of_floats(-F._npi_multiply(dy, F._npi_floor(F._npi_true_divide(a, b))), b),
    ),
    "Return the remainder, with the sign of the divisor; 0 where the divisor is 0.",
    integers=kernel_of("remainder"),
)
arithmetic(
    "_npi_power",
    "power",
    (
        lambda F, dy, y, a, b: F._npi_multiply(
            F._npi_multiply(dy, b), F._npi_power(a, F._npi_add(F.zeros_like(y), b) - 1)
        ),
        lambda F, dy, y, a, b: F._npi_multiply(dy * y, _log_in_floats(F, a, y)),
    ),
    "Return the first array to the power of the second, element by element.",
    integers=_power_of_integers,
)

# In contrast to legacy MXNet, the quotient of an array and a number never has an integer element type.


def _true_divide_scalar(name: str, vjp: Rule, doc: str, is_reversed: bool = False) -> None:
    compute = kernel_of("divide", is_reversed)

    def run(xp, data: Array, scalar: float = 1.0, is_int: bool = True):
        return compute(xp, data if data.dtype.kind == "f" else data.astype(_FLOAT32), scalar)

    run.__doc__ = doc
    op = operator(name, elementwise=True, fresh=True)(run)
    op.infer_shape(rules.same)
    op.infer_type(lambda data, **_: ([data], [data if data is None or data.kind == "f" else _FLOAT32]))
    op.gradient(lambda F, dy, y, data, *, scalar, is_int: [vjp(F, dy, y, data, scalar)])
    declare_ufunc(op, "divide", is_reversed)
    if not is_reversed:
        op.neutral = 1.0


_true_divide_scalar(
    "_npi_true_divide_scalar",
    lambda F, dy, y, x, s: dy / s,
    "Return ``x / scalar``, in float32 for integers.",
)
_true_divide_scalar(
    "_npi_rtrue_divide_scalar",
    lambda F, dy, y, x, s: F._npi_true_divide(-dy * y, x),
    "Return ``scalar / x``, in float32 for integers.",
    is_reversed=True,
)

# --- functions of two numbers of one element type -------------------------------------------------------


def of_one_dtype(
    name: str,
    function: Kernel | str,
    vjp: tuple[Rule | None, Rule | None] | None,
    doc: str,
    inputs: tuple[str, str] = ("lhs", "rhs"),
    integers: Kernel | None = None,
    floats_only: bool = False,
) -> None:
    """Register a binary operator that broadcasts and requires two arrays of the same element type."""
    check = require_same_type if floats_only else check_same_dtype
    compute = kernel_of(function)

    def run(xp, lhs: Array, rhs: Array):
        if lhs.dtype is not rhs.dtype:
            check(lhs, rhs)
        if lhs.dtype.kind == "f":
            return compute(xp, lhs, rhs)
        if floats_only:
            raise ShapeError("Check failed: common::is_float(in_attrs->at(0)): Do not support `int` as input.")
        return (integers or compute)(xp, lhs, rhs)

    run.__doc__ = doc
    op = operator(name, differentiable=vjp is not None, elementwise=True, fresh=True)(with_input_names(run, *inputs))
    op.infer_shape(rules.broadcast)
    op.infer_type(rules.same_type)
    declare_ufunc(op, function)
    if vjp is not None:
        op.gradient(_gradients(vjp))


def _ldexp(xp, a, b):
    return a * xp.exp2(b)


def _on_integers(function: Kernel | str) -> Kernel:
    compute = kernel_of(function)
    return lambda xp, a, b: in_double(xp, compute, a, b)


def _sign_bit(F, x):
    return F._npi_rcopysign_scalar(x, scalar=1.0)


of_one_dtype(
    "_npi_hypot",
    "hypot",
    (lambda F, dy, y, a, b: dy * F.broadcast_div(a, y), lambda F, dy, y, a, b: dy * F.broadcast_div(b, y)),
    "Return the hypotenuse ``√(x1² + x2²)`` of a right triangle.",
    inputs=("x1", "x2"),
    floats_only=True,
)
of_one_dtype(
    "_npi_arctan2",
    "arctan2",
    (
        lambda F, dy, y, a, b: dy * F.broadcast_div(b, F.broadcast_add(a * a, b * b)),
        lambda F, dy, y, a, b: -dy * F.broadcast_div(a, F.broadcast_add(a * a, b * b)),
    ),
    "Return the angle of the point (x2, x1), between -π and π.",
    inputs=("x1", "x2"),
    floats_only=True,
)
of_one_dtype(
    "_npi_copysign",
    "copysign",
    (lambda F, dy, y, a, b: dy * F.broadcast_mul(_sign_bit(F, a), _sign_bit(F, b)), None),
    "Return the first array with the signs of the second.",
    integers=_on_integers("copysign"),
)
of_one_dtype(
    "_npi_ldexp",
    _ldexp,
    (
        lambda F, dy, y, a, b: dy * F.broadcast_mul(F.ones_like(y), F._rpower_scalar(b, scalar=2.0)),
        lambda F, dy, y, a, b: dy * y * math.log(2),
    ),
    "Return ``x1 · 2^x2``.",
    integers=_on_integers(_ldexp),
)
scalar_operand(
    (),
    "arctan2",
    lambda F, dy, y, x, s: dy * s / (x * x + s * s),
    "Return the angle of the point (scalar, x), between -π and π.",
    integers=_on_integers("arctan2"),
    npi="_npi_arctan2_scalar",
)
scalar_operand(
    (),
    "arctan2",
    lambda F, dy, y, x, s: dy * (-s) / (x * x + s * s),
    "Return the angle of the point (x, scalar), between -π and π.",
    integers=lambda xp, x, s: in_double(xp, kernel_of("arctan2"), s, x),
    npi="_npi_rarctan2_scalar",
    is_reversed=True,
)
scalar_operand(
    (),
    "copysign",
    lambda F, dy, y, x, s: dy * _sign_bit(F, x) * math.copysign(1, s),
    "Return x with the sign of a number.",
    integers=_on_integers("copysign"),
    npi="_npi_copysign_scalar",
)
scalar_operand(
    (),
    "copysign",
    None,
    "Return a number with the signs of x.",
    integers=lambda xp, x, s: in_double(xp, kernel_of("copysign"), s, x),
    npi="_npi_rcopysign_scalar",
    is_reversed=True,
)
scalar_operand(
    (),
    lambda xp, x, s: x * 2.0**s,
    lambda F, dy, y, x, s: dy * 2.0**s,
    "Return ``x · 2^scalar``.",
    integers=lambda xp, x, s: in_double(xp, _ldexp, x, s),
    npi="_npi_ldexp_scalar",
)
scalar_operand(
    (),
    lambda xp, x, s: s * xp.exp2(x),
    lambda F, dy, y, x, s: dy * y * math.log(2),
    "Return ``scalar · 2^x``.",
    integers=lambda xp, x, s: in_double(xp, _ldexp, s, x),
    npi="_npi_rldexp_scalar",
)

# --- integers and bits ---------------------------------------------------------------------------


def _require_integers(x: Any) -> None:
    if x.dtype.kind not in "iub":
        kinds = " || ".join(
            f"in_attrs->at(0) == mshadow::k{name}" for name in ("Int64", "Int32", "Int8", "Uint8", "Bool")
        )
        raise MXNetError(f"Check failed: {kinds}: Only supports integer types.")


def _bits(name: str, ufunc: str, doc: str) -> None:
    def run(xp, data: Array, scalar: float = 1.0, is_int: bool = True):
        _require_integers(data)
        number = in_integers(scalar, data.dtype)
        return getattr(xp, ufunc)(data, number)

    def of_two(xp, x, y):
        _require_integers(x)
        return getattr(xp, ufunc)(x, y)

    of_one_dtype(f"_npi_{name}", of_two, None, doc.format("two arrays"))
    run.__doc__ = doc.format("an array and a number")
    op = operator(f"_npi_{name}_scalar", differentiable=False, elementwise=True)(run)
    op.infer_shape(rules.same)
    op.infer_type(rules.same_type)


_bits("bitwise_and", "bitwise_and", "Return the bitwise and of {}.")
_bits("bitwise_or", "bitwise_or", "Return the bitwise or of {}.")
_bits("bitwise_xor", "bitwise_xor", "Return the bitwise exclusive or of {}.")
_bits("lcm", "lcm", "Return the least common multiple of the integers in {}.")


@operator("_npi_bitwise_not", differentiable=False, elementwise=True)
def bitwise_not(xp, x: Array):
    """Return the bitwise complement of integers, or the logical not of booleans."""
    if x.dtype.kind == "f":
        raise MXNetError(f"This operation only support integer types, not {x.dtype.name}")
    return xp.bitwise_not(x)


# --- rounding and replacing ----------------------------------------------------------------------


@operator("_npi_around", differentiable=False, elementwise=True)
def around(xp, x: Array, decimals: int = 0):
    """Round to a number of decimal places; halves are rounded to the even neighbor."""
    return xp.around(x, decimals)


@operator("_npi_nan_to_num", elementwise=True)
def nan_to_num(
    xp,
    data: Array,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
):
    """Replace NaN and infinities with numbers, by default 0 and the largest finite numbers."""
    return xp.nan_to_num(data, nan=nan, posinf=posinf, neginf=neginf)


nan_to_num.names_inputs = True
nan_to_num.gradient(lambda F, dy, y, data, **_: [F._npi_where_rscalar(F._npi_isfinite(data), dy, scalar=0.0)])
for _op in (bitwise_not, around, nan_to_num):
    _op.infer_shape(rules.same)
    _op.infer_type(rules.same_type)
