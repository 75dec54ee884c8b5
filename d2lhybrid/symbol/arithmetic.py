"""Python's arithmetic on legacy symbols, without broadcasting."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from ..error import MXNetError
from ..internals.core.operator import get_operator
from ..internals.support.remedies import with_remedy
from .compose import compose

__all__ = ["add_arithmetic"]


def _binary(
    cls: Any, array_op: str, hint: str, scalar_op: str, scalar_hint: str, reverse: bool = False
) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        if isinstance(other, cls):
            inputs = [other, self] if reverse else [self, other]
            return compose(get_operator(array_op), hint, inputs, {}, cls)
        if isinstance(other, numbers.Number) and not isinstance(other, complex):
            return compose(get_operator(scalar_op), scalar_hint, [self], {"scalar": _number(other)}, cls)
        error = TypeError(f"type {type(other)} not supported")
        raise with_remedy(error, "array" if hasattr(other, "_data") else "operand", self._legacy)

    return method


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        raise MXNetError(
            f"Invalid Parameter format for scalar expect double but value='{value}', in operator "
            f'_plus_scalar(name="", scalar="{value}")'
        )
    return value


_ARITHMETIC = {
    "add": ("elemwise_add", "_plus", "_plus_scalar", "_plusscalar"),
    "radd": ("elemwise_add", "_plus", "_plus_scalar", "_plusscalar"),
    "sub": ("elemwise_sub", "_minus", "_minus_scalar", "_minusscalar"),
    "rsub": ("elemwise_sub", "_minus", "_rminus_scalar", "_rminusscalar"),
    "mul": ("elemwise_mul", "_mul", "_mul_scalar", "_mulscalar"),
    "rmul": ("elemwise_mul", "_mul", "_mul_scalar", "_mulscalar"),
    "truediv": ("elemwise_div", "_div", "_div_scalar", "_divscalar"),
    "rtruediv": ("elemwise_div", "_div", "_rdiv_scalar", "_rdivscalar"),
    "mod": ("_mod", "_mod", "_mod_scalar", "_modscalar"),
    "rmod": ("_mod", "_mod", "_rmod_scalar", "_rmodscalar"),
    "pow": ("_power", "_power", "_power_scalar", "_powerscalar"),
    "rpow": ("_power", "_power", "_rpower_scalar", "_rpower_scalar"),
    "eq": ("_equal", "_equal", "_equal_scalar", "_equal_scalar"),
    "ne": ("_not_equal", "_not_equal", "_not_equal_scalar", "_not_equal_scalar"),
    "gt": ("_greater", "_greater", "_greater_scalar", "_greater_scalar"),
    "ge": ("_greater_equal", "_greater_equal", "_greater_equal_scalar", "_greater_equal_scalar"),
    "lt": ("_lesser", "_lesser", "_lesser_scalar", "_lesser_scalar"),
    "le": ("_lesser_equal", "_lesser_equal", "_lesser_equal_scalar", "_lesser_equal_scalar"),
}


def add_arithmetic(cls: Any) -> None:
    """Attach arithmetic and comparisons to the legacy symbol class."""
    for name, row in _ARITHMETIC.items():
        setattr(cls, f"__{name}__", _binary(cls, *row, reverse=name.startswith("r")))
    cls.__hash__ = None  # Python does this only for an __eq__ in the class body
