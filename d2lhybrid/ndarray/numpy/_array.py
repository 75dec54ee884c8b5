"""The array class of ``mx.np``, with NumPy's broadcasting, element types, scalars, and masks."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy

from ...error import MXNetError
from ...internals.core import tape
from ...internals.core.infer import format_shape
from ...internals.core.invoke import invoke
from ...internals.core.operator import get_operator
from ...internals.device import array_modules
from ...internals.frontends.legacy_operators import legacy_operator_error
from ...internals.frontends.numpy_dialect.elementwise import BINARY, Binary, is_number
from ...internals.frontends.numpy_dialect.methods import ArrayMethods, check_astype, refuse_legacy_methods
from ...internals.frontends.numpy_dialect.space import unsupported
from ...internals.support import clock
from ...internals.support.plugins import service
from ..ndarray import NDArray

__all__ = ["ndarray"]


class ndarray(ArrayMethods, NDArray):  # noqa: N801  NumPy's name  # pyright: ignore[reportIncompatibleMethodOverride]
    """A multi-dimensional array on a device, with NumPy's semantics.

    Functions of ``np``, such as ``np.array`` and ``np.zeros``, create arrays.
    """

    __slots__ = ()
    _legacy: bool = False

    # --- properties ----------------------------------------------------------------------------

    @property
    def dtype(self) -> numpy.dtype:
        """The element type."""
        return self._data.dtype

    def __len__(self) -> int:
        if not self._data.ndim:
            raise TypeError("len() of unsized object")
        return self._data.shape[0]

    def __hash__(self) -> int:
        error = NotImplementedError()
        error.add_note(
            "Arrays are mutable and therefore have no hash. Use id(x), or x.item() if x has a single element."
        )
        raise error

    def __str__(self) -> str:
        return str(array_modules.asnumpy(self._data))

    def __repr__(self) -> str:
        raw = array_modules.asnumpy(self._data)
        if raw.size or raw.shape == (0,):
            body = numpy.array2string(raw, separator=", ", prefix="array(", suffix=")")
        else:
            body = f"[], shape={raw.shape}"
        if raw.dtype.name in ("float32", "bool"):
            return f"array({body})"
        line, dtype = f"array({body},".rpartition("\n")[2], f"dtype={raw.dtype.name})"
        # As in NumPy, the repr contains element types that NumPy supports. MXNet appends other element types.
        named = raw.dtype.name not in ("float64", "int64")
        too_long = named and len(line) + len(dtype) + 1 > numpy.get_printoptions()["linewidth"]
        space = "\n" + " " * len("array(") if too_long else " "
        return f"array({body},{space}{dtype}"

    def __format__(self, specification: str) -> str:
        if not specification:
            return str(self)
        if self._data.ndim:
            raise TypeError(f"Cannot format {_qualified_name(self)} with format_spec")
        return format(self.item(), specification)

    # --- conversions ---------------------------------------------------------------------------

    def __bool__(self) -> bool:
        if self._data.size == 1:
            return bool(self.item())
        if self._data.size == 0:
            warnings.warn(
                "The truth value of an empty array is ambiguous. Returning False, but in future this will result in "
                "an error.",
                DeprecationWarning,
                stacklevel=2,
            )
            return False
        raise ValueError("The truth value of an ndarray with multiple elements is ambiguous.")

    __nonzero__ = __bool__

    def __float__(self) -> float:
        return float(self._only_element())

    def __int__(self) -> int:
        return int(self._only_element())

    def _only_element(self) -> Any:
        if self._data.size != 1:
            raise TypeError("only size-1 arrays can be converted to Python scalars")
        return self.item()

    def __round__(self, n: int = 0) -> Self:
        return self.round(n)

    def __floor__(self) -> Self:
        return self._space.call("_npi_floor", self)

    def __ceil__(self) -> Self:
        return self._space.call("_npi_ceil", self)

    def __trunc__(self) -> Self:
        return self._space.call("_npi_trunc", self)

    def item(self, *args: Any) -> Any:
        """Return an element as a Python number: the only element, or the element at an index.

        Parameters
        ----------
        *args : int
            The index: a flat index, or an index for each axis.

        Returns
        -------
        int, float or bool
            The element.
        """
        return array_modules.asnumpy(self._data).item(*args)

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers."""
        return array_modules.asnumpy(self._data).tolist()

    def astype(  # type: ignore[override]
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Self:
        """Return the array with another element type.

        Parameters
        ----------
        dtype : str or numpy dtype
            Element type of the result.
        order, casting, subok
            Arguments of NumPy's method. Only the defaults are supported.
        copy : bool
            Whether to copy even if the array already has this element type.

        Raises
        ------
        NotImplementedError, ValueError
            If another order, casting rule, or subclass option is requested.
        """
        check_astype(order, casting, subok)
        return super().astype(dtype, copy)

    def copy(self, order: str = "C") -> Self:
        """Return a copy of the array. Only the order ``"C"`` is supported."""
        if order != "C":
            raise NotImplementedError(f"ndarray.copy only supports order='C', while received {order}")
        return super().copy()

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(value, NDArray) and value._legacy:
            raise TypeError(f"Cannot assign {_qualified_name(value)} to {_qualified_name(self)}")
        super().__setitem__(key, value)

    def attach_grad(self, grad_req: str = "write") -> None:  # type: ignore[override]
        """Make this array a variable, so that ``backward`` writes the array's gradient to ``.grad``.

        Parameters
        ----------
        grad_req : {"write", "add", "null"}
            Whether each backward pass overwrites the gradient, adds to it, or computes none.
        """
        super().attach_grad(grad_req)

    def nonzero(self) -> tuple[Self, ...]:
        """Return the indices of the nonzero elements, with one array for each axis."""
        from ...internals.frontends.numpy_dialect.selection import nonzero

        return nonzero(self._space, self)

    def sort(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, axis: int | None = -1, kind: Any = None, order: Any = None
    ) -> None:
        """Sort the elements in ascending order along an axis, in place."""
        from ...internals.frontends.numpy_dialect.order import sort

        self[()] = sort(self._space, self, axis, kind, order)

    def broadcast_to(self, shape: Any) -> Self:
        """Return the array repeated along axes of size 1 and along new leading axes."""
        from ...internals.frontends.numpy_dialect.shapes import broadcast_to

        return broadcast_to(self._space, self, shape)

    # --- views of other shapes -------------------------------------------------------------------

    def reshape_view(self, *shape: Any, **kwargs: Any) -> Self:
        """Return a view with another shape, which may contain the special sizes of ``NDArray.reshape``."""
        result: Any = NDArray.reshape(self, *shape, **kwargs)
        return result

    # --- NumPy's functions on these arrays -----------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Call the ``mx.np`` function for a NumPy ufunc, such as ``np.exp(x)`` for ``numpy.exp(x)``."""
        return service("call_ufunc")(self, ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Call the ``mx.np`` function for a NumPy function, such as ``np.mean(x)`` for ``numpy.mean(x)``."""
        return service("call_function")(function, types, args, kwargs)

    # --- operators without a function for numbers ------------------------------------------------------

    def __matmul__(self, other: Any) -> Self:
        return self._space.call("_npi_matmul", self, other)

    def __rmatmul__(self, other: Any) -> Self:
        return self._space.call("_npi_matmul", other, self)

    def __imatmul__(self, other: Any) -> Self:
        return _assign(self, self.__matmul__(other))

    def __invert__(self) -> Self:
        return self._space.call("_npi_bitwise_not", self)

    def __abs__(self) -> Self:
        return self._space.call("_npi_absolute", self)


def _qualified_name(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__name__}"


# --- operators -----------------------------------------------------------------------------------------


def _binary(row: Binary) -> Callable[[Any, Any], Any]:
    """Create the method of an operator, with a fast path for arrays and a fast path for numbers."""
    ops: list[Any] = []

    def method(self: Any, other: Any) -> Any:
        if not ops:
            ops.extend((get_operator(row.arrays), get_operator(row.number)))
        if type(other) is ndarray:
            return invoke(ops[0], (self, other), {}, ndarray)
        if is_number(other):
            return invoke(ops[1], (self,), {"scalar": float(other)}, ndarray)
        raise unsupported(other)

    return method


def _reflected(row: Binary, legacy: str) -> Callable[[Any, Any], Any]:
    ops: list[Any] = []

    def method(self: Any, other: Any) -> Any:
        if not ops:
            ops.extend((get_operator(row.arrays), get_operator(row.reflected)))
        if type(other) is ndarray:
            return invoke(ops[0], (other, self), {}, ndarray)
        if is_number(other):
            return invoke(ops[1], (self,), {"scalar": float(other)}, ndarray)
        if isinstance(other, NDArray) and legacy:  # Python calls the subclass first if a legacy array is on the left
            raise legacy_operator_error(get_operator(legacy), legacy)
        raise unsupported(other)

    return method


def _assign(target: Any, result: Any) -> Any:
    """Write the result of an in-place operator into the array."""
    raw, value = target._data, result._data
    if value.shape != raw.shape:
        raise MXNetError(
            f"Shape inconsistent, Provided = {format_shape(raw.shape)}, inferred shape={format_shape(value.shape)}"
        )
    if value.dtype != raw.dtype:
        raise MXNetError(f"Type inconsistent, Provided = {raw.dtype.name}, inferred type = {value.dtype.name}")
    clock.note_write([raw])
    raw[...] = value
    clock.note_write([raw])
    target._tape = result._tape if result._tape is not None else target._tape
    return target


def _in_place(name: str, ufunc: str | None) -> Callable[[Any, Any], Any]:
    """Create an in-place method, which preserves the array's element type and memory."""
    compute = None if ufunc is None else getattr(numpy, ufunc)

    def method(self: Any, other: Any) -> Any:
        tape.check_in_place(self)
        raw = self._data
        if compute is not None and not tape.state.recording and raw.dtype.kind == "f":
            alike = type(other) is ndarray and other._data.dtype == raw.dtype and other._data.shape == raw.shape
            if alike or is_number(other):
                clock.note_write([raw])
                compute(raw, other._data if alike else float(other), out=raw)
                clock.note_write([raw])
                return self
        return _assign(self, getattr(self, name)(other))

    return method


# By method: the function of the dialect, the legacy operator that refuses these arrays, and NumPy's ufunc for x += y.
_OPERATORS = {
    "add": ("add", "broadcast_add", "add"),
    "sub": ("subtract", "broadcast_sub", "subtract"),
    "mul": ("multiply", "broadcast_mul", "multiply"),
    "truediv": ("true_divide", "broadcast_div", "divide"),
    "mod": ("mod", "broadcast_mod", None),
    "pow": ("power", "broadcast_power", ""),
    "and": ("bitwise_and", "", None),
    "or": ("bitwise_or", "", None),
    "xor": ("bitwise_xor", "", None),
}
_COMPARISONS = {
    "eq": "equal", "ne": "not_equal", "gt": "greater", "ge": "greater_equal", "lt": "less", "le": "less_equal",
}  # fmt: skip

for _name, (_function, _legacy_name, _ufunc) in _OPERATORS.items():
    setattr(ndarray, f"__{_name}__", _binary(BINARY[_function]))
    if _legacy_name:
        setattr(ndarray, f"__r{_name}__", _reflected(BINARY[_function], _legacy_name))
    if _ufunc != "":  # without a ufunc, x **= 2 means x = x ** 2
        setattr(ndarray, f"__i{_name}__", _in_place(f"__{_name}__", _ufunc))
for _name, _function in _COMPARISONS.items():
    setattr(ndarray, f"__{_name}__", _binary(BINARY[_function]))
ndarray.__module__ = __name__.partition(".")[0] + ".numpy"  # the public location
refuse_legacy_methods(ndarray, f"{ndarray.__module__}.ndarray", ("asscalar", "tostype"))
