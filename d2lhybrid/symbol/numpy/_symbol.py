"""The symbol of ``np``, with NumPy's broadcasting and indices that become nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy

from ...internals.core.operator import get_operator
from ...internals.frontends.numpy_dialect.elementwise import BINARY, binary_call
from ...internals.frontends.numpy_dialect.methods import ArrayMethods, check_astype, refuse_legacy_methods
from ...internals.support.remedies import with_remedy
from ..symbol import Group, Symbol, compose

__all__ = ["_Symbol"]


class _Symbol(ArrayMethods, Symbol):  # pyright: ignore[reportIncompatibleMethodOverride]
    """One or several outputs of a graph of ``np`` operators.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> x = sym.var("x").as_np_ndarray()
    >>> (x + 1)[0].mean()
    <_Symbol mean...>
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]
    _legacy: bool = False

    def __len__(self) -> int:
        if len(self._entries) == 1:
            raise with_remedy(TypeError(f"{self} is not a list and does not support len()."), "len", False)
        return len(self._entries)

    def __iter__(self) -> Iterator[Self]:
        if len(self._entries) == 1:
            raise with_remedy(TypeError(f"'{self}' is not iterable."), "iter", False)
        return iter(self._separate())

    def __getitem__(self, index: Any) -> Self:
        """Return a symbol for a part of the array, or one of several outputs.

        Raises
        ------
        IndexError
            If the index is neither an integer, a slice, nor a tuple of these.
        """
        if len(self._entries) > 1:
            return self._output(index)
        if isinstance(index, tuple):
            return _index_axes(self, index)
        if isinstance(index, slice):
            bounds = {"begin": index.start, "end": index.stop}
            attributes: dict[str, Any] = {k: [None] if v is None else v for k, v in bounds.items()}
            return self._space.call("_npi_slice", self, **attributes, step=index.step)
        if isinstance(index, int | numpy.integer):
            part = self._space.call("_npi_slice", self, begin=[index], end=[index + 1])
            return self._space.call("_npx_reshape", part, newshape=(_DROP, _REST))
        raise _bad_index(index)

    def _output(self, index: Any) -> Self:
        if isinstance(index, slice):
            return Group([type(self)([e]) for e in self._entries[index]])
        if not isinstance(index, int | numpy.integer):
            raise TypeError(f"indices of symbol group must be integers or slices, not {type(index)}")
        if not -len(self._entries) <= index < len(self._entries):
            raise IndexError("list index out of range")
        return type(self)([self._entries[index]])

    def __setitem__(self, index: Any, value: Any) -> None:
        raise with_remedy(NotImplementedError(), "[]=", False)

    def __itruediv__(self, other: Any) -> Self:
        raise with_remedy(NotImplementedError(), "__itruediv__", False)

    __idiv__ = __itruediv__

    def astype(  # type: ignore[override]
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Self:
        """Return a symbol for the same values with another element type.

        Raises
        ------
        NotImplementedError, ValueError
            If another order, casting rule, or subclass option is requested.
        """
        check_astype(order, casting, subok)
        return compose(get_operator("Cast"), "cast", [self], {"dtype": dtype}, type(self))

    def __abs__(self) -> Self:
        return self.abs()  # type: ignore[attr-defined]  refuses, as in MXNet


# Codes of the reshape operator: keep an axis, drop an axis of size 1, keep all remaining axes.
_KEEP, _DROP, _REST = -2, -3, -4


def _index_axes(symbol: Any, index: tuple[Any, ...]) -> Any:
    if not index:
        return symbol
    begin, end, step, codes = [], [], [], []
    for one in index:
        if isinstance(one, int | numpy.integer):
            direction = 1 if one >= 0 else -1
            begin.append(one)
            end.append(one + direction)
            step.append(direction)
            codes.append(_DROP)
        elif isinstance(one, slice):
            begin.append(one.start)
            end.append(one.stop)
            step.append(one.step)
            codes.append(_KEEP)
        else:
            raise _bad_index(index)
    part = symbol._space.call("_npi_slice", symbol, begin=begin, end=end, step=step)
    return symbol._space.call("_npx_reshape", part, newshape=(*codes, _REST))


def _bad_index(index: Any) -> IndexError:
    error = IndexError(f"Only integer, slice, or tuple of these types are supported! Received key={index}")
    return with_remedy(error, "['name']" if isinstance(index, str) else "[]", False)


# The function of the dialect, by method. A sum with the number on the left becomes a sum with the number on the right.
_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide", "mod": "mod", "pow": "power",
    "eq": "equal", "ne": "not_equal", "gt": "greater", "ge": "greater_equal", "lt": "less", "le": "less_equal",
}  # fmt: skip
_REFLECTED = ("sub", "mul", "truediv", "mod", "pow")
# The operator names in the errors of legacy operators that refuse a symbol of this class.
_LEGACY = {"add": "_Plus", "sub": "_Minus", "mul": "_Mul", "truediv": "_Div", "mod": "_Mod", "pow": "_Power"}


def _forward(function: str) -> Callable[[Any, Any], Any]:
    row = BINARY[function]

    def method(self: Any, other: Any) -> Any:
        if isinstance(other, Symbol):
            return self._space.call(row.arrays, self, other)
        return binary_call(self._space, row, self, other)

    return method


def _backward(name: str, function: str) -> Callable[[Any, Any], Any]:
    row = BINARY[function]

    def method(self: Any, other: Any) -> Any:
        if isinstance(other, Symbol):  # Python calls the subclass first if a legacy symbol is on the left
            from ...internals.frontends.legacy_operators import legacy_operator_error

            raise legacy_operator_error(get_operator("elemwise_add"), _LEGACY[name])
        if name not in _REFLECTED:
            return binary_call(self._space, row, self, other)
        return binary_call(self._space, row, other, self)

    return method


for _name, _function in _OPERATORS.items():
    setattr(_Symbol, f"__{_name}__", _forward(_function))
    if _name in _LEGACY:
        setattr(_Symbol, f"__r{_name}__", _backward(_name, _function))
_Symbol.__hash__ = None  # type: ignore[assignment]  setting __eq__ afterwards would bring it back
_Symbol.__module__ = __name__.rpartition(".")[0]
refuse_legacy_methods(_Symbol, "_Symbol")
