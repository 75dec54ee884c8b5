"""Element-wise functions of ``np``, with a table and a factory for functions of one argument, and of two arguments.

A function of two arguments has three operators: for two arrays, for an array and a number, and for a
number and an array. If all arguments are numbers, NumPy computes the result, which is a Python number.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy

from .space import Array, Space, unsupported

__all__ = ["BINARY", "FUNCTIONS", "Binary", "binary_call", "is_number"]

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "x": "The input: an array or a number.",
    "x1": "The left operand: an array or a number.",
    "x2": "The right operand: an array or a number.",
    "a": "The input: an array or a number.",
    "a_min": "The lower limit, which replaces smaller values; None for no limit.",
    "a_max": "The upper limit, which replaces larger values; None for no limit.",
    "kwargs": "NumPy's ``where``, ``casting``, ``order``, ``dtype``, and ``subok``; only their defaults are supported.",
    "copy": "Whether to return a new array instead of writing the result into ``x``.",
    "nan": "The value that replaces NaN.",
    "posinf": "The value that replaces infinity; the largest number of the type by default.",
    "neginf": "The value that replaces negative infinity; the smallest number of the type by default.",
}

#: NumPy's keyword arguments of ufuncs, with the only supported values.
_KEYWORDS = {"where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True}


#: The most common types of numbers, for which a set lookup replaces a slower check.
_NUMBERS = frozenset({int, float, bool})


def is_number(value: Any) -> bool:
    """Return whether a value is a Python or NumPy number."""
    return type(value) in _NUMBERS or isinstance(value, (numbers.Number, numpy.bool_))


_CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")
_DTYPES = ("int8", "uint8", "int32", "int64", "float16", "float32", "float64")


def _makes_sense(key: str, value: Any) -> bool:
    """Return whether NumPy accepts this value of a keyword argument."""
    match key:
        case "casting":
            return value in _CASTINGS
        case "dtype":
            return value in _DTYPES or getattr(value, "__name__", "") in _DTYPES
        case "order":
            return isinstance(value, str)
        case "subok":
            return isinstance(value, bool)
    return True


def _check_keywords(name: str, kwargs: dict[str, Any]) -> None:
    for key, value in kwargs.items():
        if key not in _KEYWORDS:
            raise TypeError(f"{key} is an invalid keyword to function '{name}'")
        if value != _KEYWORDS[key]:
            if _makes_sense(key, value):
                raise NotImplementedError(f"{key}={value} is not implemented yet for operator {name}")
            raise TypeError(f"{key}={value} not understood for operator {name}")


# --- one argument ------------------------------------------------------------------------------------

#: Name -> the summary of the docstring. The operator is ``_npi_<name>``.
_UNARY = {
    "abs": "Return the absolute value of each element.",
    "absolute": "Return the absolute value of each element.",
    "arccos": "Return the inverse cosine of each element.",
    "arccosh": "Return the inverse hyperbolic cosine of each element.",
    "arcsin": "Return the inverse sine of each element.",
    "arcsinh": "Return the inverse hyperbolic sine of each element.",
    "arctan": "Return the inverse tangent of each element.",
    "arctanh": "Return the inverse hyperbolic tangent of each element.",
    "bitwise_not": "Return each element with all bits inverted.",
    "cbrt": "Return the cube root of each element.",
    "ceil": "Return the smallest integer not less than each element.",
    "cos": "Return the cosine of each element.",
    "cosh": "Return the hyperbolic cosine of each element.",
    "degrees": "Convert each element from radians to degrees.",
    "exp": "Return e to the power of each element.",
    "expm1": "Return ``exp(x) - 1``, computed accurately if ``x`` is near 0.",
    "fix": "Return each element rounded towards zero.",
    "floor": "Return the greatest integer not greater than each element.",
    "isfinite": "Return whether each element is neither infinite nor NaN.",
    "isinf": "Return whether each element is infinite.",
    "isnan": "Return whether each element is NaN.",
    "isneginf": "Return whether each element is negative infinity.",
    "isposinf": "Return whether each element is positive infinity.",
    "log": "Return the natural logarithm of each element.",
    "log10": "Return the logarithm to base 10 of each element.",
    "log1p": "Return ``log(1 + x)``, computed accurately if ``x`` is near 0.",
    "log2": "Return the logarithm to base 2 of each element.",
    "logical_not": "Return whether each element is zero.",
    "negative": "Return ``-x``.",
    "radians": "Convert each element from degrees to radians.",
    "reciprocal": "Return ``1 / x``.",
    "rint": "Round each element to the nearest integer.",
    "sign": "Return the sign of each element: -1, 0, or 1.",
    "sin": "Return the sine of each element.",
    "sinh": "Return the hyperbolic sine of each element.",
    "sqrt": "Return the square root of each element.",
    "square": "Return ``x * x``.",
    "tan": "Return the tangent of each element.",
    "tanh": "Return the hyperbolic tangent of each element.",
    "trunc": "Return the integer part of each element.",
}
#: The functions whose results are booleans.
_PREDICATES = {"isfinite", "isinf", "isnan", "isneginf", "isposinf", "logical_not"}
#: The functions that return floats for integers, in MXNet and in NumPy until 2.1.
_ROUND_TO_FLOATS = {"ceil", "fix", "floor", "trunc"}
#: Alternative name -> name.
_UNARY_ALIASES = {"fabs": "abs", "invert": "bitwise_not", "deg2rad": "radians", "rad2deg": "degrees"}


def _make_unary(name: str, operator: str, doc: str) -> Callable[..., Any]:
    on_numbers = numpy.trunc if name == "fix" else getattr(numpy, name)  # NumPy 2.5 deprecates numpy.fix

    def function(F: Space, x: Any, out: Any = None, **kwargs: Any) -> Array:
        if type(x) is F.array_class or F.is_array(x):
            if kwargs:
                _check_keywords(name, kwargs)
            if out is not None and name in _PREDICATES and F.eager and out.dtype != bool:
                raise TypeError("the `out` parameter should be a boolean array")
            return F.call(operator, x, out=out)
        if is_number(x):
            found = on_numbers(x).item()
            return float(found) if name in _ROUND_TO_FLOATS else found
        raise F.refuse(operator, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}\n\nThe argument is an array or a number."
    return function


def around(F: Space, x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Array:
    """Return the elements rounded to a number of decimal places.

    Raises
    ------
    TypeError
        If ``x`` is neither an array nor a number, or if a keyword argument is invalid.
    NotImplementedError
        If a valid keyword argument is not the default.
    """
    _check_keywords("around", kwargs)
    if is_number(x):
        return numpy.around(x, decimals).item()
    if not F.is_array(x):
        raise F.refuse("_npi_around", x)
    return F.call("_npi_around", x, decimals=decimals, out=out)


def nan_to_num(
    F: Space, x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None, **kwargs: Any
) -> Array:
    """Return an array, by default a copy, in which numbers replace NaN and infinities.

    Raises
    ------
    TypeError
        If ``x`` is neither an array nor a number, or if a keyword argument is invalid.
    NotImplementedError
        If a valid keyword argument is not the default.
    """
    _check_keywords("nan_to_num", kwargs)
    if is_number(x):
        return numpy.nan_to_num(x, copy, nan, posinf, neginf).item()
    if not F.is_array(x):
        raise F.refuse("_npi_nan_to_num", x)
    out = x if F.eager and not copy else None
    return F.call("_npi_nan_to_num", x, copy=copy, nan=nan, posinf=posinf, neginf=neginf, out=out)


def clip(F: Space, a: Any, a_min: Any, a_max: Any, out: Any = None) -> Array:
    """Return the array with each value outside of an interval replaced by the nearer end of the interval.

    Raises
    ------
    ValueError
        If ``a_min`` and ``a_max`` are None.
    """
    if a_min is None and a_max is None:
        raise ValueError("array_clip: must set either max or min")
    if is_number(a) and not F.is_array(a_min) and not F.is_array(a_max):
        return numpy.clip(a, a_min, a_max)
    low = float("-inf") if a_min is None else a_min
    high = float("inf") if a_max is None else a_max
    return F.call("_npi_clip", a, a_min=low, a_max=high, out=out)


# --- two arguments -----------------------------------------------------------------------------------


class Binary(NamedTuple):
    """The operators of an element-wise function of two arguments.

    Attributes
    ----------
    doc : str
        A description of the result.
    arrays : str
        The operator of two arrays.
    number : str
        The operator of an array and a number.
    reflected : str
        The operator of a number and an array.
    on_numbers : str
        NumPy's function for two numbers.
    """

    doc: str
    arrays: str
    number: str
    reflected: str
    on_numbers: str


def _row(name: str, doc: str, reflected: str | None = None) -> Binary:
    """Return the table row of a function whose operators have regular names."""
    scalar = f"_npi_{name}_scalar"
    return Binary(doc, f"_npi_{name}", scalar, scalar if reflected is None else f"_npi_{reflected}_scalar", name)


BINARY: dict[str, Binary] = {
    "add": _row("add", "Return ``x1 + x2``."),
    "arctan2": _row("arctan2", "Return the angle of the point (x2, x1) in radians.", "rarctan2"),
    "bitwise_and": _row("bitwise_and", "Return the bits that are set in both operands."),
    "bitwise_or": _row("bitwise_or", "Return the bits that are set in at least one operand."),
    "bitwise_xor": _row("bitwise_xor", "Return the bits that are set in exactly one operand."),
    "copysign": _row("copysign", "Return ``x1`` with the sign of ``x2``.", "rcopysign"),
    "equal": _row("equal", "Return ``x1 == x2``."),
    "greater": _row("greater", "Return ``x1 > x2``.", "less"),
    "greater_equal": _row("greater_equal", "Return ``x1 >= x2``.", "less_equal"),
    "hypot": _row("hypot", "Return ``sqrt(x1**2 + x2**2)``."),
    "lcm": _row("lcm", "Return the least common multiple of two integers."),
    "ldexp": _row("ldexp", "Return ``x1 * 2**x2``.", "rldexp"),
    "less": _row("less", "Return ``x1 < x2``.", "greater"),
    "less_equal": _row("less_equal", "Return ``x1 <= x2``.", "greater_equal"),
    "maximum": _row("maximum", "Return the larger of two values."),
    "minimum": _row("minimum", "Return the smaller of two values."),
    "mod": _row("mod", "Return the remainder, with the sign of the divisor.", "rmod"),
    "multiply": _row("multiply", "Return ``x1 * x2``."),
    "not_equal": _row("not_equal", "Return ``x1 != x2``."),
    "power": _row("power", "Return ``x1 ** x2``.", "rpower"),
    "subtract": _row("subtract", "Return ``x1 - x2``.", "rsubtract"),
    "true_divide": _row(
        "true_divide", "Return the quotient ``x1 / x2``, in floating point even for integers.", "rtrue_divide"
    ),
}
_BINARY_ALIASES = {"divide": "true_divide", "remainder": "mod"}


def binary_call(F: Space, row: Binary, x1: Any, x2: Any, out: Any = None) -> Array:
    """Call the operator for two arguments, at least one of which is an array, and return the result.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    """
    left, right = F.is_array(x1), F.is_array(x2)
    if left and right:
        return F.call(row.arrays, x1, x2, out=out)
    if left and is_number(x2):
        return F.call(row.number, x1, out=out, **F.number(x2, reflected=False))
    if right and is_number(x1):
        return F.call(row.reflected, x2, out=out, **F.number(x1, reflected=True))
    raise unsupported(x2 if left else x1)


def _make_binary(name: str, row: Binary) -> Callable[..., Any]:
    on_numbers = getattr(numpy, row.on_numbers)

    def function(F: Space, x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Array:
        if kwargs:
            _check_keywords(name, kwargs)
        if is_number(x1) and is_number(x2):
            return on_numbers(x1, x2).item()
        return binary_call(F, row, x1, x2, out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{row.doc}\n\nEach argument is an array or a number. Arrays are broadcast."
    return function


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _make_unary(name, f"_npi_{name}", doc) for name, doc in _UNARY.items()},
    **{name: _make_unary(name, f"_npi_{of}", _UNARY[of]) for name, of in _UNARY_ALIASES.items()},
    **{name: _make_binary(name, row) for name, row in BINARY.items()},
    **{name: _make_binary(name, BINARY[of]) for name, of in _BINARY_ALIASES.items()},
    "around": around,
    "round": around,
    "round_": around,
    "nan_to_num": nan_to_num,
    "clip": clip,
}
