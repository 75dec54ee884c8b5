"""Arrays and an array module that stand in for other libraries, to test code that must work with any array module.

The arrays compute like NumPy's, but reject NumPy's functions, as CuPy's arrays do.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy

__all__ = ["ForeignArray", "ForeignModule", "from_foreign"]


class ForeignArray:
    """An array that works only with Python's operators, its methods, and the functions of its module."""

    __array_ufunc__ = None  # makes NumPy's functions reject it, and NumPy's scalars call its operators

    def __init__(self, data: numpy.ndarray) -> None:
        self._data = data

    def __array__(self, *args: Any, **kwargs: Any) -> numpy.ndarray:
        raise TypeError("Implicit conversion to a NumPy array is not allowed. Use the functions of `xp`.")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _wrapped(getattr(self._data, name))

    def __len__(self) -> int:
        return len(self._data)


def _operator(name: str) -> Any:
    compute = getattr(operator, name.strip("_").removeprefix("r") if name.startswith("__r") else name)

    def apply(self: ForeignArray, *others: Any) -> Any:
        mine, rest = from_foreign(self), [from_foreign(other) for other in others]
        return to_foreign(compute(*rest, mine) if name.startswith("__r") else compute(mine, *rest))

    return apply


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(ForeignArray, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(ForeignArray, f"__r{_name}__", _operator(f"__r{_name}__"))
for _name in ("neg", "pos", "abs", "lt", "le", "gt", "ge", "eq", "ne", "getitem"):
    setattr(ForeignArray, f"__{_name}__", _operator(f"__{_name}__"))


def to_foreign(value: Any) -> Any:
    """Return an array as a foreign array; return other objects unchanged."""
    return ForeignArray(value) if isinstance(value, numpy.ndarray) else value


def from_foreign(value: Any) -> Any:
    """Return foreign arrays, also in lists and tuples, as NumPy arrays; return other objects unchanged."""
    if isinstance(value, list | tuple):
        return type(value)(from_foreign(item) for item in value)
    return value._data if isinstance(value, ForeignArray) else value


def _wrapped(value: Any) -> Any:
    if not callable(value) or isinstance(value, type):
        return to_foreign(value)

    def call(*args: Any, **kwargs: Any) -> Any:
        for array in (*args, *kwargs.values()):
            if isinstance(array, numpy.ndarray):
                raise TypeError("Unsupported type <class 'numpy.ndarray'>")
        result = value(*map(from_foreign, args), **{key: from_foreign(item) for key, item in kwargs.items()})
        return to_foreign(result)

    return call


class ForeignModule:
    """A stand-in for an array module, with functions of foreign arrays.

    Examples
    --------
    >>> xp = ForeignModule()
    >>> from_foreign(xp.sqrt(ForeignArray(numpy.array([4.0, 9.0]))) + 1)
    array([3., 4.])
    >>> numpy.sqrt(ForeignArray(numpy.array([4.0])))
    Traceback (most recent call last):
        ...
    TypeError: operand 'ForeignArray' does not support ufuncs (__array_ufunc__=None)
    """

    def __getattr__(self, name: str) -> Any:
        return _wrapped(getattr(numpy, name))
