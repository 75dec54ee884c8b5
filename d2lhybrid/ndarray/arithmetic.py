"""Python's arithmetic on arrays. Two arrays are broadcast. Separate operators combine an array and a number."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy

from ..internals.core.invoke import invoke, is_watched, prepare_write, wrap
from ..internals.core.operator import get_operator
from ..internals.device import array_modules
from ..internals.device.readiness import device_error
from ..internals.support import clock

__all__ = ["ARITHMETIC", "IN_PLACE", "add_arithmetic"]

_NUMBERS = (numbers.Number, numpy.bool_)


def _at_once(cls: Any, array: Any, ufunc: Any, number: Any, is_reversed: bool) -> Any:
    """Return the result of an operator that equals a NumPy function, or None if the call is observed."""
    raw = array._data
    if type(raw) is not numpy.ndarray or raw.dtype.kind != "f" or not raw.ndim or is_watched():
        return None
    try:
        raw = ufunc(float(number), raw) if is_reversed else ufunc(raw, float(number))
    except Exception:
        return None  # run the operator, which raises the right error
    return wrap(cls, raw, array._ctx)


def _binary(cls: Any, array_op: str, scalar_op: str, reverse: bool = False) -> Callable[[Any, Any], Any]:
    """Create an arithmetic method that calls one operator for two arrays and another for an array and a number."""
    of_arrays = of_number = ufunc = None  # looked up in the first call, when all operators are registered
    swapped = False

    def method(self: Any, other: Any) -> Any:
        nonlocal of_arrays, of_number, ufunc, swapped
        kind = type(other)
        if kind is cls:
            if of_arrays is None:
                of_arrays = get_operator(array_op)
            return invoke(of_arrays, (other, self) if reverse else (self, other), {}, cls)
        if kind is float or kind is int or isinstance(other, _NUMBERS):
            if of_number is None:
                of_number = get_operator(scalar_op)
                swapped = of_number.ufunc_reversed
                ufunc = getattr(numpy, of_number.ufunc_name or "", None)  # set last, because other threads read it
            if ufunc is not None and (found := _at_once(cls, self, ufunc, other, swapped)) is not None:
                return found
            return invoke(of_number, (self,), {"scalar": float(other)}, cls)  # type: ignore[arg-type]
        if isinstance(other, cls) and other._legacy == self._legacy:  # a sparse array, which has a dense result
            return invoke(get_operator(array_op), (other, self) if reverse else (self, other), {}, cls)
        raise TypeError(f"type {kind} not supported")

    return method


def _in_place(cls: Any, function: str, method_name: str) -> Callable[[Any, Any], Any]:
    """Create an in-place method, which preserves the array's element type and memory."""
    ufunc = getattr(numpy, function)

    def method(self: Any, other: Any) -> Any:
        prepare_write(self)
        raw = self._data
        if isinstance(other, cls):
            if misplaced := device_error(function, (self, other)):
                raise misplaced
            value = other._data
            if value.dtype != raw.dtype:
                from ..internals.ops.elementwise import check_same_dtype

                shape = numpy.broadcast_shapes(raw.shape, value.shape)
                if shape == raw.shape:
                    check_same_dtype(raw, value)
            shape = numpy.broadcast_shapes(raw.shape, value.shape)
            if shape != raw.shape:
                from ..internals.core.infer import unify

                unify(raw.shape, shape)
            compute = ufunc if type(raw) is numpy.ndarray else getattr(array_modules.module_of(raw), function)
            compute(raw, value, out=raw, casting="unsafe")
            clock.note_write([raw])
        elif isinstance(other, _NUMBERS):
            raw[...] = getattr(self, method_name)(other)._data  # the device of the result is the current device
            clock.note_write([raw])
        else:
            raise TypeError(f"type {type(other)} not supported")
        return self

    return method


#: The operator of two arrays and the operator of an array and a number, by method.
ARITHMETIC = {
    "add": ("broadcast_add", "_plus_scalar"),
    "radd": ("broadcast_add", "_plus_scalar"),
    "sub": ("broadcast_sub", "_minus_scalar"),
    "rsub": ("broadcast_sub", "_rminus_scalar"),
    "mul": ("broadcast_mul", "_mul_scalar"),
    "rmul": ("broadcast_mul", "_mul_scalar"),
    "truediv": ("broadcast_div", "_div_scalar"),
    "rtruediv": ("broadcast_div", "_rdiv_scalar"),
    "mod": ("broadcast_mod", "_mod_scalar"),
    "rmod": ("broadcast_mod", "_rmod_scalar"),
    "pow": ("broadcast_power", "_power_scalar"),
    "rpow": ("broadcast_power", "_rpower_scalar"),
    "eq": ("broadcast_equal", "_equal_scalar"),
    "ne": ("broadcast_not_equal", "_not_equal_scalar"),
    "gt": ("broadcast_greater", "_greater_scalar"),
    "ge": ("broadcast_greater_equal", "_greater_equal_scalar"),
    "lt": ("broadcast_lesser", "_lesser_scalar"),
    "le": ("broadcast_lesser_equal", "_lesser_equal_scalar"),
}
#: The function of NumPy and the method that computes the result, by in-place method.
IN_PLACE = {
    "iadd": ("add", "__add__"),
    "isub": ("subtract", "__sub__"),
    "imul": ("multiply", "__mul__"),
    "itruediv": ("divide", "__truediv__"),
    "imod": ("mod", "__mod__"),
}


def add_arithmetic(cls: Any) -> None:
    """Attach arithmetic, comparisons, and assignments such as ``+=`` to the array class."""
    for name, row in ARITHMETIC.items():
        setattr(cls, f"__{name}__", _binary(cls, *row, reverse=name.startswith("r")))
    for name, row in IN_PLACE.items():
        setattr(cls, f"__{name}__", _in_place(cls, *row))
