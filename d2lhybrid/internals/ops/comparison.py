"""Comparisons and logical operators.

In legacy MXNet, results are 1 or 0 in the type of the input. In MXNet's ``np``, results are booleans. All gradients
are zero.
"""

from __future__ import annotations

from typing import Any

import numpy

from ...error import ShapeError
from ..core.operator import Array, operator
from . import rules
from .elementwise import binary, scalar_operand, unary, with_scalar

__all__ = ["require_same_type"]

FAMILY = "elementwise"


def require_same_type(lhs: Any, rhs: Any) -> None:
    """Raise MXNet's error if two arrays of an ``np`` operator have different element types.

    Raises
    ------
    ShapeError
        If the element types differ: ``Type inconsistent, Provided = float32, inferred type = int32``.
    """
    if lhs.dtype != rhs.dtype:
        raise ShapeError(f"Type inconsistent, Provided = {lhs.dtype.name}, inferred type = {rhs.dtype.name}")


def _to_boolean(*dtypes: numpy.dtype | None, **_: Any) -> tuple[list[Any], list[Any]]:
    return rules.same_type(*dtypes)[0], [numpy.dtype(bool)]


def _legacy(name: str, camel: str, ufunc: str, words: str) -> None:
    """Register a comparison in the three legacy dialects."""

    def compute(xp, a, b):
        return getattr(xp, ufunc)(a, b).astype(a.dtype)

    binary(
        (f"_{name}", f"_{camel}"),
        (f"broadcast_{name}",),
        compute,
        None,
        f"Return 1 where {words.format('the first array', 'the second array')}, and 0 elsewhere.",
    )
    scalar_operand(
        (f"_{name}_scalar", f"_{camel.replace('_', '')}Scalar"),
        compute,
        None,
        f"Return 1 where {words.format('x', '``scalar``')}, and 0 elsewhere.",
    )


def _numpy(name: str, ufunc: str, words: str) -> None:
    """Register a comparison in MXNet's ``np``, for two arrays, and for an array and a number."""

    def run(xp, lhs: Array, rhs: Array):
        if lhs.dtype is not rhs.dtype:
            require_same_type(lhs, rhs)
        return getattr(xp, ufunc)(lhs, rhs)

    def run_scalar(xp, data: Array, scalar: float = 1.0, is_int: bool = True):
        if data.dtype.kind != "f":  # 0.3 can't be rounded to a truth value
            data, scalar = with_scalar(data, scalar, is_int and data.dtype.kind != "b")
        return getattr(xp, ufunc)(data, scalar)

    for suffix, kernel, operands, rule in (
        ("", run, ("the first array", "the second array"), rules.broadcast),
        ("_scalar", run_scalar, ("x", "``scalar``"), rules.same),
    ):
        kernel.__doc__ = f"Return True where {words.format(*operands)}, and False elsewhere."
        op = operator(f"_npi_{name}{suffix}", differentiable=False, elementwise=True, fresh=True)(kernel)
        op.infer_shape(rule)
        op.infer_type(_to_boolean)
        op.names_inputs = True


_COMPARISONS = (
    # legacy name, name in old files, name in np and of NumPy's function, description
    ("equal", "Equal", "equal", "{} equals {}"),
    ("not_equal", "Not_Equal", "not_equal", "{} differs from {}"),
    ("greater", "Greater", "greater", "{} is greater than {}"),
    ("greater_equal", "Greater_Equal", "greater_equal", "{} is greater than or equal to {}"),
    ("lesser", "Lesser", "less", "{} is less than {}"),
    ("lesser_equal", "Lesser_Equal", "less_equal", "{} is less than or equal to {}"),
)
for _name, _camel, _ufunc, _words in _COMPARISONS:
    _legacy(_name, _camel, _ufunc, _words)
    _numpy(_ufunc, _ufunc, _words)
for _name, _camel, _words in (
    ("logical_and", "Logical_And", "both {} and {} are nonzero"),
    ("logical_or", "Logical_Or", "{} or {} is nonzero"),
    ("logical_xor", "Logical_Xor", "exactly one of {} and {} is nonzero"),
):
    _legacy(_name, _camel, _name, _words)

# --- tests of one array --------------------------------------------------------------------------

unary(
    ("logical_not",),
    lambda xp, x: xp.logical_not(x).astype(x.dtype),
    None,
    "Return 1 where x is 0, and 0 elsewhere.",
    integers=True,
)
for _name, _words in (
    ("isnan", "is NaN"),
    ("isinf", "is infinite"),
    ("isfinite", "is a finite number"),
):
    unary(
        (f"_contrib_{_name}",),
        lambda xp, x, name=_name: getattr(xp, name)(x).astype(x.dtype),
        None,
        f"Return 1 where x {_words}, and 0 elsewhere.",
        integers=True,
    )


def _numpy_question(name: str, function: Any, words: str) -> None:
    def run(xp, x: Array):
        return function(xp, x)

    run.__doc__ = f"Return True where x {words}, and False elsewhere."
    op = operator(f"_npi_{name}", differentiable=False, elementwise=True, fresh=True)(run)
    op.infer_shape(rules.same)
    op.infer_type(_to_boolean)


_numpy_question("logical_not", lambda xp, x: xp.logical_not(x), "is 0")
_numpy_question("isnan", lambda xp, x: xp.isnan(x), "is NaN")
_numpy_question("isinf", lambda xp, x: xp.isinf(x), "is infinite")
_numpy_question("isfinite", lambda xp, x: xp.isfinite(x), "is a finite number")
_numpy_question("isposinf", lambda xp, x: xp.equal(x, numpy.inf), "is positive infinity")
_numpy_question("isneginf", lambda xp, x: xp.equal(x, -numpy.inf), "is negative infinity")
