"""Arithmetic and comparisons of two arrays, and of an array and a number, for all families of operators."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ..builder import Builder
from ..translations import translates
from ..values import Value

Function = Callable[[Builder, Value, Value], Value]

# --- functions of two values with the same element type -------------------------------------------


def _onnx(op_type: str) -> Function:
    return lambda g, a, b: g.make(op_type, [a, b])


def _quotient(g: Builder, a: Value, b: Value) -> Value:
    """Return the quotient. For integers, return 0 where the divisor is 0, because runtimes would abort."""
    if a.dtype.kind == "f":
        return g.Div(a, b)
    nothing = g.Equal(b, 0)
    return g.Where(nothing, g.value(0, a.dtype), g.Div(a, g.Where(nothing, g.value(1, b.dtype), b)))


def _remainder(g: Builder, a: Value, b: Value) -> Value:
    """Return the remainder with the sign of the divisor, or 0 where the divisor is 0."""
    nothing = g.Equal(b, 0)
    divisor = g.Where(nothing, g.value(1, b.dtype), b)
    if a.dtype.kind == "f":
        rest = g.Mod(a, divisor, fmod=1)
        other_sign = g.And(g.Not(g.Equal(rest, 0)), g.Xor(g.Less(rest, 0), g.Less(divisor, 0)))
        rest = g.Where(other_sign, g.Add(rest, divisor), rest)
    else:
        rest = g.Mod(a, divisor, fmod=0)
    return g.Where(nothing, g.value(0, a.dtype), rest)


def _in_double(function: Function) -> Function:
    """Return a function that computes integers in float64 and truncates the result."""

    def run(g: Builder, a: Value, b: Value) -> Value:
        if a.dtype.kind == "f":
            return function(g, a, b)
        return g.cast(function(g, g.cast(a, numpy.float64), g.cast(b, numpy.float64)), a.dtype)

    return run


def _hypotenuse(g: Builder, a: Value, b: Value) -> Value:
    """Return the hypotenuse, computed from the ratio of the sides, because squares of large numbers would overflow."""
    a, b = g.Abs(a), g.Abs(b)
    longer, shorter = g.Max(a, b), g.Min(a, b)
    ratio = g.Where(g.Equal(longer, 0), longer, g.Div(shorter, longer))
    length = g.Mul(longer, g.Sqrt(g.Add(g.Mul(ratio, ratio), 1)))
    return g.Where(g.Or(g.IsInf(a), g.IsInf(b)), g.value(math.inf, a.dtype), length)


def _is_negative(g: Builder, x: Value) -> Value:
    """Return whether the sign is negative, including -0."""
    return g.Or(g.Less(x, 0), g.Less(g.Reciprocal(x), 0))


def _angle(g: Builder, y: Value, x: Value) -> Value:
    """Return the angle of a point, from -π to π. If both coordinates are infinite, return the angle of a diagonal."""
    far = g.And(g.IsInf(x), g.IsInf(y))
    x, y = g.Where(far, g.Sign(x), x), g.Where(far, g.Sign(y), y)
    half_turn = g.Where(_is_negative(g, y), g.value(-math.pi, x.dtype), g.value(math.pi, x.dtype))
    origin = g.And(g.Equal(x, 0), g.Equal(y, 0))
    slope = g.Where(origin, y, g.Div(y, x))
    return g.Add(g.Atan(slope), g.Where(_is_negative(g, x), half_turn, g.value(0, x.dtype)))


def _copy_sign(g: Builder, a: Value, b: Value) -> Value:
    return g.Mul(g.Abs(a), g.Where(_is_negative(g, b), g.value(-1, a.dtype), g.value(1, a.dtype)))


def _scale_by_power(g: Builder, a: Value, b: Value) -> Value:
    return g.Mul(a, g.Pow(g.value(2, a.dtype), b))


def _logical(op_type: str) -> Function:
    return lambda g, a, b: g.make(op_type, [g.cast(a, bool), g.cast(b, bool)])


def _not_equal(g: Builder, a: Value, b: Value) -> Value:
    return g.Not(g.Equal(a, b))


def _bitwise(bits: str, truths: str) -> Function:
    return lambda g, a, b: g.make(truths if a.dtype.kind == "b" else bits, [a, b])


_POWER = _in_double(_onnx("Pow"))

#: Names of operators on two arrays, on an array and a number, and on a number and an array; and the function.
_ARITHMETIC: tuple[tuple[str, str, str, Function], ...] = (
    (
        "elemwise_add broadcast_add _npi_add _grad_add",
        "_plus_scalar _npi_add_scalar _scatter_plus_scalar",
        "",
        _onnx("Add"),
    ),
    (
        "elemwise_sub broadcast_sub _npi_subtract",
        "_minus_scalar _npi_subtract_scalar _scatter_minus_scalar",
        "_rminus_scalar _npi_rsubtract_scalar",
        _onnx("Sub"),
    ),
    ("elemwise_mul broadcast_mul _npi_multiply", "_mul_scalar _npi_multiply_scalar", "", _onnx("Mul")),
    (
        "elemwise_div broadcast_div _scatter_elemwise_div _npi_true_divide",
        "_div_scalar _npi_true_divide_scalar",
        "_rdiv_scalar _npi_rtrue_divide_scalar",
        _quotient,
    ),
    (
        "_mod broadcast_mod _npi_mod",
        "_mod_scalar _npi_mod_scalar",
        "_rmod_scalar _npi_rmod_scalar",
        _remainder,
    ),
    (
        "_power broadcast_power _npi_power",
        "_power_scalar _npi_power_scalar",
        "_rpower_scalar _npi_rpower_scalar",
        _POWER,
    ),
    ("_maximum broadcast_maximum", "_maximum_scalar", "", _onnx("Max")),
    ("_minimum broadcast_minimum", "_minimum_scalar", "", _onnx("Min")),
    ("_hypot broadcast_hypot _npi_hypot", "_hypot_scalar", "", _in_double(_hypotenuse)),
    ("_npi_arctan2", "_npi_arctan2_scalar", "_npi_rarctan2_scalar", _in_double(_angle)),
    ("_npi_copysign", "_npi_copysign_scalar", "_npi_rcopysign_scalar", _in_double(_copy_sign)),
    ("_npi_ldexp", "_npi_ldexp_scalar", "_npi_rldexp_scalar", _in_double(_scale_by_power)),
    ("_npi_bitwise_and", "_npi_bitwise_and_scalar", "", _bitwise("BitwiseAnd", "And")),
    ("_npi_bitwise_or", "_npi_bitwise_or_scalar", "", _bitwise("BitwiseOr", "Or")),
    ("_npi_bitwise_xor", "_npi_bitwise_xor_scalar", "", _bitwise("BitwiseXor", "Xor")),
)

#: Legacy name, ``np`` name, and function. The result is a boolean, which is cast if the operator returns a number.
_COMPARISONS: tuple[tuple[str, str, Function], ...] = (
    ("equal", "equal", _onnx("Equal")),
    ("not_equal", "not_equal", _not_equal),
    ("greater", "greater", _onnx("Greater")),
    ("greater_equal", "greater_equal", _onnx("GreaterOrEqual")),
    ("lesser", "less", _onnx("Less")),
    ("lesser_equal", "less_equal", _onnx("LessOrEqual")),
    ("logical_and", "", _logical("And")),
    ("logical_or", "", _logical("Or")),
    ("logical_xor", "", _logical("Xor")),
)


def _with_number(g: Builder, data: Value, scalar: float, is_int: bool) -> tuple[Value, Value]:
    """Return an array and a number with a common element type, by the rule of operators with numbers."""
    if data.dtype.kind == "f":
        return data, g.value(scalar, data.dtype)
    if not is_int:
        return g.cast(data, numpy.float64), g.value(scalar, numpy.float64)
    if data.dtype.kind == "b":
        data = g.cast(data, numpy.int64)
    return data, g.array(numpy.array(numpy.int64(scalar).astype(data.dtype)))


def _arithmetic(function: Function) -> tuple[Any, Any, Any]:
    """Return the translations for two arrays, for an array and a number, and for a number and an array."""

    def arrays(g: Builder, lhs: Value, rhs: Value) -> Value:
        if g.dtype.kind in "fiu" or lhs.dtype != rhs.dtype:
            lhs, rhs = g.cast(lhs, g.dtype), g.cast(rhs, g.dtype)
        return function(g, lhs, rhs)

    def operands(g: Builder, data: Value, scalar: float, is_int: bool) -> tuple[Value, Value]:
        a, b = _with_number(g, data, scalar, is_int)
        if a.dtype.kind != "f" and g.dtype.kind == "f":  # true_divide
            a, b = g.cast(a, g.dtype), g.cast(b, g.dtype)
        return a, b

    def number(g: Builder, data: Value, *, scalar: float, is_int: bool = True) -> Value:
        return function(g, *operands(g, data, scalar, is_int))

    def reversed_number(g: Builder, data: Value, *, scalar: float, is_int: bool = True) -> Value:
        a, b = operands(g, data, scalar, is_int)
        return function(g, b, a)

    return arrays, number, reversed_number


def _comparison(function: Function) -> tuple[Any, Any]:
    def arrays(g: Builder, lhs: Value, rhs: Value) -> Value:
        return function(g, lhs, rhs)

    def number(g: Builder, data: Value, *, scalar: float, is_int: bool = True) -> Value:
        return function(g, *_with_number(g, data, scalar, is_int))

    return arrays, number


for _arrays, _numbers, _reversed, _function in _ARITHMETIC:
    for _names, _translation in zip((_arrays, _numbers, _reversed), _arithmetic(_function), strict=True):
        translates(*_names.split())(_translation)
for _legacy, _np, _function in _COMPARISONS:
    _two, _number = _comparison(_function)
    translates(f"_{_legacy}", f"broadcast_{_legacy}", *([f"_npi_{_np}"] if _np else []))(_two)
    translates(f"_{_legacy}_scalar", *([f"_npi_{_np}_scalar"] if _np else []))(_number)


@translates("add_n")
def add_n(g: Builder, *args: Value) -> Value:
    """Return the element-wise sum of the arrays."""
    return g.all(g.Add, args)
