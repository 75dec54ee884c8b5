"""Element-wise functions of one array."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ..builder import Builder
from ..translations import translates
from ..values import Value

__all__ = ["real"]


def real(g: Builder, x: Value) -> Value:
    """Convert a value to a floating-point type. Integers become float64."""
    return x if x.dtype.kind == "f" else g.cast(x, numpy.float64)


# --- functions that ONNX has --------------------------------------------------------------------

#: ONNX's operators for functions of floating-point numbers, by operator (``_npi_...`` variants are included).
_REAL = {
    "ceil": "Ceil",
    "floor": "Floor",
    "sqrt": "Sqrt",
    "reciprocal": "Reciprocal",
    "exp": "Exp",
    "log": "Log",
    "sin": "Sin",
    "cos": "Cos",
    "tan": "Tan",
    "arcsin": "Asin",
    "arccos": "Acos",
    "arctan": "Atan",
    "sinh": "Sinh",
    "cosh": "Cosh",
    "tanh": "Tanh",
    "arcsinh": "Asinh",
    "arccosh": "Acosh",
    "arctanh": "Atanh",
    "erf": "Erf",
    "sigmoid": "Sigmoid",
}
#: ONNX's operators for functions that preserve integer types, by operator.
_ANY = {"abs": "Abs", "sign": "Sign", "negative": "Neg", "relu": "Relu"}
_NUMPY_NAMES = {"abs": "_npi_absolute", "sigmoid": "_npx_sigmoid", "relu": "_npx_relu"}
_NO_NUMPY = {"erf"}


def _both(name: str) -> tuple[str, ...]:
    return (name,) if name in _NO_NUMPY else (name, _NUMPY_NAMES.get(name, f"_npi_{name}"))


def _function(op_type: str, prepare: Callable[[Builder, Value], Value] = real) -> Callable[..., Value]:
    def translation(g: Builder, data: Value) -> Value:
        return g.make(op_type, [prepare(g, data)])

    return translation


for _name, _op_type in _REAL.items():
    translates(*_both(_name))(_function(_op_type))
for _name, _op_type in _ANY.items():
    translates(*_both(_name))(_function(_op_type, lambda g, x: x))

# --- formulas -------------------------------------------------------------------------------------


@translates(
    *("_copy", "_copyto", "BlockGrad", "make_loss", "_np_copy", "_contrib_gradientmultiplier", "MakeLoss"),
    *("_identity_with_attr_like_rhs", "_written"),
)
def identity(g: Builder, data: Value, *others: Value, **attributes: Any) -> Value:
    """Return the input unchanged."""
    return data


@translates("_npx_constraint_check")
def constraint_check(g: Builder, data: Value, *, msg: str) -> Value:
    """Return whether all elements are true. Unlike the operator, a model cannot raise an error."""
    return g.cast(g.ReduceMin(g.cast(data, numpy.int32), keepdims=0), bool)


@translates("square", "_npi_square")
def square(g: Builder, data: Value) -> Value:
    """Return ``x²``."""
    return g.Mul(data, data)


@translates("rsqrt")
def rsqrt(g: Builder, data: Value) -> Value:
    """Return ``1 / √x``."""
    return g.Reciprocal(g.Sqrt(real(g, data)))


def _cube_root(g: Builder, x: Value) -> Value:
    return g.Mul(g.Sign(x), g.Pow(g.Abs(x), 1 / 3))


@translates("cbrt", "_npi_cbrt")
def cbrt(g: Builder, data: Value) -> Value:
    """Return the cube root of each element."""
    return _cube_root(g, real(g, data))


@translates("rcbrt")
def rcbrt(g: Builder, data: Value) -> Value:
    """Return the reciprocal of each element's cube root."""
    return g.Reciprocal(_cube_root(g, real(g, data)))


@translates("expm1", "_npi_expm1")
def expm1(g: Builder, data: Value) -> Value:
    """Return ``exp(x) - 1`` as ``tanh(x / 2) · (exp(x) + 1)``, which is accurate near 0."""
    x = real(g, data)
    return g.Mul(g.Tanh(g.Mul(x, 0.5)), g.Add(g.Exp(x), 1))


@translates("log1p", "_npi_log1p")
def log1p(g: Builder, data: Value) -> Value:
    """Return ``log(1 + x)``, with a correction near 0 for the rounding error of the sum."""
    x = real(g, data)
    y = g.Add(x, 1)
    logarithm = g.Log(y)
    corrected = g.Mul(logarithm, g.Div(x, g.Sub(y, 1)))
    return g.Where(g.Greater(x, 1), logarithm, g.Where(g.Equal(y, 1), x, corrected))


@translates("log2", "_npi_log2")
def log2(g: Builder, data: Value) -> Value:
    """Return the base-2 logarithm of each element."""
    return g.Mul(g.Log(real(g, data)), 1 / math.log(2))


@translates("log10", "_npi_log10")
def log10(g: Builder, data: Value) -> Value:
    """Return the base-10 logarithm of each element."""
    return g.Mul(g.Log(real(g, data)), 1 / math.log(10))


@translates("degrees", "_npi_degrees")
def degrees(g: Builder, data: Value) -> Value:
    """Convert radians to degrees."""
    return g.Mul(real(g, data), 180 / math.pi)


@translates("radians", "_npi_radians")
def radians(g: Builder, data: Value) -> Value:
    """Convert degrees to radians."""
    return g.Mul(real(g, data), math.pi / 180)


# --- rounding -------------------------------------------------------------------------------------


@translates("trunc", "_npi_trunc", "fix", "_npi_fix")
def trunc(g: Builder, data: Value) -> Value:
    """Return the integer part of each element."""
    x = real(g, data)
    return g.Mul(g.Sign(x), g.Floor(g.Abs(x)))


@translates("round")
def round_half_away(g: Builder, data: Value) -> Value:
    """Round elements to the nearest integer, with halves rounded away from 0.

    The translation adds the number just below 0.5, because adding 0.5 would round 0.49999997 to 1.
    """
    if data.dtype.kind != "f":
        return data
    below_half = float(numpy.nextafter(data.dtype.type(0.5), data.dtype.type(0)))
    return g.Mul(g.Sign(data), g.Floor(g.Add(g.Abs(data), below_half)))


@translates("rint", "_npi_rint")
def round_half_down(g: Builder, data: Value) -> Value:
    """Round elements to the nearest integer, with halves rounded down."""
    if data.dtype.kind != "f":
        return data
    below = g.Floor(data)
    return g.Add(below, g.cast(g.Greater(g.Sub(data, below), 0.5), data.dtype))


@translates("_npi_around")
def around(g: Builder, x: Value, *, decimals: int) -> Value:
    """Round elements to ``decimals`` decimal places, with halves rounded to even."""
    if x.dtype.kind != "f":
        x = g.cast(x, numpy.float64)
    scale = 10.0**decimals
    return g.Div(g.Round(g.Mul(x, scale)), scale) if decimals else g.Round(x)


@translates("_contrib_round_ste")
def round_ste(g: Builder, data: Value) -> Value:
    """Return ``round(data)``. The straight-through operator differs from ``round`` only in its gradient."""
    return round_half_away(g, data)


@translates("_contrib_sign_ste")
def sign_ste(g: Builder, data: Value) -> Value:
    """Return ``sign(data)``. The straight-through operator differs from ``sign`` only in its gradient."""
    return g.Sign(data)


# --- predicates -----------------------------------------------------------------------------------


@translates("logical_not", "_npi_logical_not")
def logical_not(g: Builder, data: Value) -> Value:
    """Return whether each element is zero."""
    return g.Equal(data, 0)


def _never(g: Builder, x: Value) -> Value:
    return g.fill(x, 0, bool)


@translates("_contrib_isnan", "_npi_isnan")
def isnan(g: Builder, x: Value) -> Value:
    """Return whether each element is NaN."""
    return g.IsNaN(x) if x.dtype.kind == "f" else _never(g, x)


def _infinite(**signs: int) -> Callable[[Builder, Value], Value]:
    def translation(g: Builder, x: Value) -> Value:
        return g.IsInf(x, **signs) if x.dtype.kind == "f" else _never(g, x)

    return translation


translates("_contrib_isinf", "_npi_isinf")(_infinite())
translates("_npi_isposinf")(_infinite(detect_negative=0))
translates("_npi_isneginf")(_infinite(detect_positive=0))


@translates("_contrib_isfinite", "_npi_isfinite")
def isfinite(g: Builder, x: Value) -> Value:
    """Return whether each element is neither NaN nor infinite."""
    return g.Not(g.Or(isnan(g, x), _infinite()(g, x)))


@translates("_npi_nan_to_num")
def nan_to_num(g: Builder, data: Value, *, copy: bool, nan: float, posinf: float | None, neginf: float | None) -> Value:
    """Replace NaN and infinities with numbers."""
    if data.dtype.kind != "f":
        return data
    limits = numpy.finfo(data.dtype)
    data = g.Where(g.IsNaN(data), g.value(nan, data.dtype), data)
    highest, lowest = (
        (float(limits.max) if posinf is None else posinf),
        (float(limits.min) if neginf is None else neginf),
    )
    data = g.Where(g.IsInf(data, detect_negative=0), g.value(highest, data.dtype), data)
    return g.Where(g.IsInf(data, detect_positive=0), g.value(lowest, data.dtype), data)


# --- types ----------------------------------------------------------------------------------------


@translates("Cast", "amp_cast", "_cast_like", "_backward_cast")
def cast(g: Builder, data: Value, *others: Value, **attributes: Any) -> Value:
    """Convert an array to another element type."""
    return g.cast(data, g.dtype)


@translates("amp_multicast")
def amp_multicast(g: Builder, *data: Value, **attributes: Any) -> list[Value]:
    """Convert all arrays to one element type."""
    return [g.cast(x, result.dtype) for x, result in zip(data, g.results, strict=True)]


@translates("_npi_bitwise_not")
def bitwise_not(g: Builder, x: Value) -> Value:
    """Invert all bits of each element."""
    return g.Not(x) if x.dtype.kind == "b" else g.Sub(g.Neg(x), 1)
