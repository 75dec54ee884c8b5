"""The methods that ``np.ndarray`` and ``_Symbol`` share, and the legacy methods that they disable."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Self

from ..fluent import FLUENT_METHODS
from . import elementwise, order, reduction, registered, selection, shapes
from .space import Space

__all__ = ["ArrayMethods", "check_astype", "refuse_legacy_methods"]


class ArrayMethods:
    """The methods that ``np.ndarray`` and ``_Symbol`` share, which call the functions of ``np``."""

    __slots__ = ()
    _space: Space

    @property
    def T(self) -> Self:
        """The array with its axes in reverse order."""
        return registered.transpose(self._space, self)

    def all(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Self:
        """Return whether all elements along axes are true."""
        return registered.all(self._space, self, axis, keepdims, out)

    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Self:
        """Return whether at least one element along axes is true."""
        return registered.any(self._space, self, axis, keepdims, out)

    def argmax(self, axis: int | None = None, out: Any = None) -> Self:
        """Return the index of the largest element along an axis, or in the flattened array."""
        return reduction.argmax(self._space, self, axis, out)

    def argmin(self, axis: int | None = None, out: Any = None) -> Self:
        """Return the index of the smallest element along an axis, or in the flattened array."""
        return reduction.argmin(self._space, self, axis, out)

    def argsort(self, axis: int | None = -1, kind: Any = None, order: Any = None) -> Self:
        """Return the indices that would sort the array along an axis, as int64."""
        return _argsort(self._space, self, axis, kind, order)

    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> Self:
        """Return the array with each value outside of an interval replaced by the nearer end of the interval."""
        return elementwise.clip(self._space, self, min, max, out)

    def cumsum(self, axis: int | None = None, dtype: Any = None, out: Any = None) -> Self:
        """Return the cumulative sums along an axis, or of the flattened array."""
        return registered.cumsum(self._space, self, axis, dtype, out)

    def dot(self, b: Any, out: Any = None) -> Self:
        """Return the dot product of this array and another array."""
        return registered.dot(self._space, self, b, out)

    def flatten(self, order: str = "C") -> Self:
        """Return the elements as a 1-D array."""
        return self.reshape(-1, order=order)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Self:
        """Return the largest element along axes."""
        return registered.max(self._space, self, axis, keepdims, out)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Self:
        """Return the mean along axes."""
        return reduction.mean(self._space, self, axis, dtype, out, keepdims)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Self:
        """Return the smallest element along axes."""
        return registered.min(self._space, self, axis, keepdims, out)

    def prod(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Self:
        """Return the product along axes."""
        return registered.prod(self._space, self, axis, dtype, out, keepdims)

    def repeat(self, repeats: int, axis: int | None = None) -> Self:
        """Return an array with each element repeated."""
        return registered.repeat(self._space, self, repeats, axis)

    def reshape(self, *shape: Any, **kwargs: Any) -> Self:
        """Return the array in another shape: ``x.reshape(2, -1)`` or ``x.reshape((2, -1))``.

        Raises
        ------
        TypeError
            If no shape is passed, or if a keyword argument other than ``order`` is passed.
        NotImplementedError
            If the order is not ``C``.
        """
        order = kwargs.pop("order", "C")
        if kwargs:
            raise TypeError(f"{next(iter(kwargs))} is an invalid keyword argument for this function")
        if order != "C":
            raise NotImplementedError(f"only supports C-order, while received {order}")
        if not shape:
            raise TypeError("reshape() takes exactly 1 argument (0 given)")
        if len(shape) == 1 and isinstance(shape[0], tuple | list):
            shape = tuple(shape[0])
        return self._reshape(shape)

    def _reshape(self, shape: tuple[Any, ...]) -> Self:
        return registered.reshape(self._space, self, shape, "C")

    def round(self, decimals: int = 0, out: Any = None, **kwargs: Any) -> Self:
        """Return the elements rounded to a number of decimal places."""
        return elementwise.around(self._space, self, decimals, out, **kwargs)

    def squeeze(self, axis: Any = None) -> Self:
        """Return the array without all or some of its axes of size 1."""
        return registered.squeeze(self._space, self, axis)

    def std(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False) -> Self:
        """Return the standard deviation along axes."""
        return reduction.std(self._space, self, axis, dtype, out, ddof, keepdims)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Self:
        """Return the sum along axes."""
        return registered.sum(self._space, self, axis, dtype, keepdims, None, out)

    def swapaxes(self, axis1: int, axis2: int) -> Self:
        """Return the array with two axes exchanged."""
        return shapes.swapaxes(self._space, self, axis1, axis2)

    def take(self, indices: Any, axis: int | None = None, mode: str = "raise") -> Self:
        """Return the elements at indices along an axis, or in the flattened array."""
        return selection.take(self._space, self, indices, axis, mode)

    def transpose(self, *axes: Any) -> Self:
        """Return the array with its axes in another order, by default in reverse order."""
        if not axes or axes[0] is None:
            order = None
        else:
            order = tuple(axes[0]) if isinstance(axes[0], tuple | list) else axes
        return registered.transpose(self._space, self, order)

    def var(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False) -> Self:
        """Return the variance along axes."""
        return reduction.var(self._space, self, axis, dtype, out, ddof, keepdims)

    def __neg__(self) -> Self:
        row = elementwise.BINARY["multiply"]
        return self._space.call(row.number, self, **self._space.number(-1.0, reflected=True))


_argsort = order.argsort


def check_astype(order: str, casting: str, subok: bool) -> None:
    """Raise MXNet's error if an argument of NumPy's ``astype`` has a value that MXNet doesn't support.

    Raises
    ------
    NotImplementedError
        If `order` is neither ``"K"`` nor ``"C"``.
    ValueError
        If `casting` is not ``"unsafe"``, or if `subok` is false.
    """
    if order not in ("K", "C"):
        raise NotImplementedError("order must be either 'K' or 'C'")
    if casting != "unsafe":
        raise ValueError("casting must be equal to 'unsafe'")
    if not subok:
        raise ValueError("subok must be equal to True")


def _replacement(name: str) -> str:
    """Return the call that replaces a legacy method: a function of the dialect, or the method of the legacy array."""
    for place, module in (("np", "numpy"), ("npx", "numpy_extension")):
        if hasattr(importlib.import_module(f"d2lhybrid.{module}"), name):
            return f"{place}.{name}(x)"
    return f"x.as_nd_ndarray().{name}()"


def _refusal(name: str, owner: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        error = AttributeError(f"{owner} object has no attribute {name}")
        error.add_note(f"Only legacy arrays have this method. Write {_replacement(name)} instead.")
        raise error

    method.__name__ = method.__qualname__ = name
    method.__doc__ = "Raise an error, because only legacy arrays have this method."
    return method


def refuse_legacy_methods(cls: type, owner: str, further: tuple[str, ...] = ()) -> None:
    """Replace the fluent methods that a class inherits from its legacy base with methods that raise an error.

    The error message uses `owner` as the name of the class.
    """
    own = {name for base in cls.__mro__[:-1] if base in (cls, ArrayMethods) for name in vars(base)}
    for name in (*FLUENT_METHODS, *further):
        if name not in own:
            setattr(cls, name, _refusal(name, owner))
