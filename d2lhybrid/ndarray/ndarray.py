"""The eager array, and functions that create arrays."""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

import numpy

from .. import autograd
from ..context import Context, context_of, cpu, current_context
from ..error import MXNetError, ShapeError
from ..internals.core import tape
from ..internals.core.invoke import invoke, is_watched, wrap
from ..internals.core.operator import get_operator
from ..internals.device import array_modules
from ..internals.formats.serialization import array_from_bytes, limits
from ..internals.support import clock
from ..internals.support.dtypes import as_dtype
from ..internals.support.plugins import service
from ..util import names_of_the_package
from .arithmetic import add_arithmetic
from .device_copy import DeviceCopy
from .indexing import get_item, set_item
from .methods import FluentMethods
from .numbers_of_c import (  # noqa: F401  programs import them from here
    _DTYPE_MX_TO_NP,
    _DTYPE_NP_TO_MX,
    _GRAD_REQ_MAP,
    _STORAGE_TYPE_CSR,
    _STORAGE_TYPE_DEFAULT,
    _STORAGE_TYPE_ID_TO_STR,
    _STORAGE_TYPE_ROW_SPARSE,
    _STORAGE_TYPE_STR_TO_ID,
    _STORAGE_TYPE_UNDEFINED,
)
from .one_element import OneElementArray

py_slice = slice  # MXNet's name for Python's slice, where an operator is called slice

__all__ = [
    "NDArray", "array", "empty", "from_dlpack", "from_numpy", "ones", "to_dlpack_for_read", "to_dlpack_for_write",
    "waitall", "zeros",
]  # fmt: skip


if TYPE_CHECKING:
    from .numpy._array import ndarray as np_ndarray

_Array = TypeVar("_Array", bound="NDArray")


class NDArray(FluentMethods):
    """A multi-dimensional array on a device.

    Functions of ``nd``, such as :func:`array` and :func:`zeros`, create arrays.

    Attributes
    ----------
    _data : numpy.ndarray or cupy.ndarray
        The raw array.
    _ctx : Context
        The device of the array.
    _tape : tuple or None
        The (node, output index) of the array on the autograd tape.
    _places : array, tuple of array or None
        Positions of the stored values of a sparse array: see :mod:`~d2lhybrid.internals.ops.stored_places`. Dense
        arrays lack this attribute.
    """

    __slots__ = ("__weakref__", "_ctx", "_data", "_places", "_tape")
    __array_priority__: float = 1000.0
    _data: Any
    _ctx: Context
    _tape: Any
    _places: Any
    _legacy: bool = True

    def __init__(self, handle: Any = None, writable: bool = True) -> None:
        self._data = numpy.asarray(handle, dtype=numpy.float32) if handle is not None else None
        self._ctx = current_context()
        self._tape = None

    # --- properties ----------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return self._data.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._data.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self._data.size)

    @property
    def dtype(self) -> Any:
        """The element type as a NumPy scalar class (``numpy.float32``), not as a ``numpy.dtype``."""
        return self._data.dtype.type

    @property
    def context(self) -> Context:
        """The device of the array."""
        return self._ctx

    @property
    def ctx(self) -> Context:
        """The device of the array. This is an alias of ``context``."""
        return self._ctx

    @property
    def stype(self) -> str:
        """The storage type: ``"default"`` for this class, and another type for the classes of sparse arrays."""
        return "default"

    @property
    def handle(self) -> int:
        """An integer that identifies the raw array. In MXNet, this property is the handle of an object in C."""
        return id(self._data)

    @property
    def writable(self) -> bool:
        """Whether elements can be assigned: always True."""
        return True

    @property
    def T(self) -> Self:
        """A copy of the array with its axes in reverse order, or the array itself if there are fewer than two axes."""
        if self.ndim < 2:
            return self
        return invoke(get_operator("transpose"), (self,), {}, NDArray)

    def __len__(self) -> int:
        return self._data.shape[0]

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"\n{array_modules.asnumpy(self._data)!s}\n<{type(self).__name__} {shape} @{self._ctx}>"

    __str__ = __repr__

    def _repr_html_(self) -> str | None:
        return service("array_html")(self)

    def __bool__(self) -> bool:
        if self.size == 0:
            return False
        if self.size == 1:
            return bool(self.asnumpy().reshape(()))
        raise ValueError("The truth value of an NDArray with multiple elements is ambiguous.")

    __nonzero__ = __bool__

    def __hash__(self) -> int:
        return id(self) >> 4

    def __iter__(self) -> Iterator[Self]:
        if self.ndim == 0:
            # Raise here and not at the first item, so that `numpy.iterable` and Matplotlib treat the array as a number.
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        if isinstance(value, NDArray):
            value = array_modules.to_context(value._data, self._ctx)
        array_modules.use(self._ctx)
        return bool((self._data == value).any())

    def __getitem__(self, key: Any) -> Self:
        return get_item(self, key, self._legacy)

    def __setitem__(self, key: Any, value: Any) -> None:
        set_item(self, key, value, self._legacy)

    # --- conversions ---------------------------------------------------------------------------

    def asnumpy(self) -> numpy.ndarray:
        """Return a copy of the values as a NumPy array.

        As in older versions of NumPy, ``float`` and ``int`` accept a result with a single element, even if it has axes:
        ``float(x.asnumpy())``.

        Returns
        -------
        numpy.ndarray
            The values, in the host's memory.
        """
        raw = array_modules.asnumpy(self._data)
        if raw is self._data:
            raw = raw.copy()
        return raw.view(OneElementArray) if raw.size == 1 and raw.ndim else raw

    def asscalar(self) -> Any:
        """Return the only element as a NumPy scalar.

        Raises
        ------
        ValueError
            If the array has no element or several elements.
        """
        if self.size != 1:
            raise ValueError("The current array is not a scalar")
        return self.asnumpy().reshape(-1)[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray:
        raw = array_modules.asnumpy(self._data)
        if copy is not False:
            return numpy.array(raw, dtype=dtype, copy=True)
        if raw is self._data:
            clock.note_sharing(raw)
            raw = raw.view()
        return numpy.array(raw, dtype=dtype, copy=False)  # raises an error if a copy is required

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        mirrored = _MIRRORED.get(ufunc.__name__)
        if mirrored and method == "__call__" and not kwargs and not isinstance(inputs[0], NDArray):
            number = numpy.asarray(inputs[0])  # NumPy passes its scalars as arrays without axes
            if number.ndim == 0:  # ``numpy.float32(2) < x`` calls the method of ``x``, like ``2 < x``
                return getattr(inputs[1], mirrored)(number.item())
        if ufunc.__name__ not in _UFUNC_METHODS and "out" not in kwargs and not _are_on_tape(inputs):
            return getattr(ufunc, method)(*(v.asnumpy() if isinstance(v, NDArray) else v for v in inputs), **kwargs)
        for value in inputs:
            if isinstance(value, numpy.generic):
                continue
            if not isinstance(value, NDArray):
                raise TypeError(f"type {type(value)} not supported")
        operation = _UFUNC_METHODS.get(ufunc.__name__)
        if method != "__call__" or operation is None or len(inputs) != 2 or kwargs:
            call = f"numpy.{ufunc.__name__}{'' if method == '__call__' else f'.{method}'}"
            options = f" with {', '.join(kwargs)}" if kwargs else ""
            what = "an NDArray" if operation is not None or "out" in kwargs else "an NDArray that autograd records"
            raise TypeError(
                f"{call}{options} does not accept {what}. Call a function of mx.nd instead, or convert the array with "
                "x.asnumpy()"
            )
        left, right = inputs
        if isinstance(left, NDArray):
            return getattr(left, f"__{operation}__")(right)
        return getattr(right, f"__r{operation}__")(left.item())

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any:
        clock.note_sharing(self._data)
        return self._data.__dlpack__(*args, **kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._data.__dlpack_device__()

    def to_dlpack_for_read(self) -> Any:
        """Return a DLPack capsule that shares the array's memory."""
        return self.__dlpack__()

    def to_dlpack_for_write(self) -> Any:
        """Return a writable DLPack capsule that shares the array's memory."""
        return self.__dlpack__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.asnumpy(), self._ctx)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state of a pickle that MXNet wrote. A pickle by this package calls ``_rebuild`` instead."""
        saved = array_from_bytes(state["handle"]) if state.get("handle") is not None else None
        if saved is not None and saved.storage != "default":
            limits.check_expansion(saved.dense_bytes, saved.stored_bytes, "the dense form of the sparse array")
        values = None if saved is None else saved.to_dense()
        self._data, self._ctx, self._tape = values, cpu(), None
        if saved is None or values is None:
            return
        if saved.device_type == 2 and saved.device_id < array_modules.num_gpus():
            self._ctx = Context("gpu", saved.device_id)
            self._data = array_modules.to_context(values, self._ctx)

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def as_nd_ndarray(self) -> NDArray:
        """Return a legacy array that shares memory and the gradient graph with this array."""
        return self if type(self) is NDArray else _share(NDArray, self)

    def as_np_ndarray(self) -> np_ndarray:
        """Return an ``mx.np`` array that shares memory and the gradient graph with this array."""
        from .numpy._array import ndarray

        return self if type(self) is ndarray else _share(ndarray, self)

    def astype(self, dtype: Any, copy: bool = True) -> Self:
        """Return the values as an array with another element type.

        Parameters
        ----------
        dtype : str or numpy dtype
            The element type of the result.
        copy : bool
            Whether to return a copy even if the array already has this element type. If False, the method returns the
            array itself in this case.

        Returns
        -------
        NDArray
            An array of the same class, on the same device.
        """
        target = as_dtype(dtype)
        raw = self._data
        if not copy and target == raw.dtype:
            return self
        if type(raw) is numpy.ndarray and not is_watched():
            with contextlib.suppress(MemoryError):  # the operator raises a more detailed error
                raw = raw.copy() if target == raw.dtype else raw.astype(target)
                return wrap(type(self), raw, self._ctx)
        return invoke(get_operator("Cast"), (self,), {"dtype": target}, type(self))

    def copy(self) -> Self:
        """Return a copy of the array."""
        return self.copyto(self._ctx)

    @overload
    def copyto(self, other: Context) -> Self: ...
    @overload
    def copyto(self, other: _Array) -> _Array: ...
    def copyto(self, other: Any) -> Any:
        """Copy the values into another array, or into a new array on another device.

        Parameters
        ----------
        other : NDArray or Context
            The array to write to, which must have the same shape, or the device of the new array.

        Returns
        -------
        NDArray or False
            The array that holds the copy. A copy of an array to itself warns and returns False, as in MXNet.

        Raises
        ------
        MXNetError
            If ``other`` is an array whose shape differs from this array's shape.
        TypeError
            If ``other`` is neither an array nor a context.
        """
        if isinstance(other, Context):
            if other == self._ctx and tape.state.recording and tape.is_tracked(self):
                return invoke(get_operator("_copy"), (self,), {}, type(self))
            raw = array_modules.to_context(self._data, other)
            result = wrap(type(self), raw.copy() if raw is self._data else raw, other)
            if tape.state.recording and tape.is_tracked(self):
                result._tape = (DeviceCopy(self, other), 0)
            return result
        if not isinstance(other, NDArray):
            raise TypeError(f"copyto does not support type {type(other)}")
        if other is self:
            warnings.warn("You are attempting to copy an array to itself", RuntimeWarning, stacklevel=2)
            return False
        if other.shape != self.shape:
            from ..internals.core.infer import format_shape

            raise MXNetError(
                "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 0-th output: "
                f"expected {format_shape(self.shape)}, got {format_shape(other.shape)}"
            )
        set_item(other, Ellipsis, self, other._legacy)
        return other

    def as_in_context(self, context: Context) -> Self:
        """Return the array itself if it is on the device, or else a copy on the device.

        Parameters
        ----------
        context : Context
            The device of the result.

        Returns
        -------
        NDArray
            The array on the device.
        """
        return self if context == self._ctx else self.copyto(context)

    def as_in_ctx(self, ctx: Context) -> Self:
        """Return the array itself if it is on the device, or else a copy. This is an alias of :meth:`as_in_context`.

        Parameters
        ----------
        ctx : Context
            The device of the result.

        Returns
        -------
        NDArray
            The array on the device.
        """
        return self.as_in_context(ctx)

    def tostype(self, stype: str) -> NDArray:
        """Return a copy of the array with the given storage type. A sparse copy stores no zeros.

        Parameters
        ----------
        stype : {"default", "row_sparse", "csr"}
            The storage type of the result.

        Returns
        -------
        NDArray
            An array of the storage type.

        Raises
        ------
        MXNetError
            If there is no such storage type.
        """
        if stype not in ("default", "row_sparse", "csr"):
            get_operator("cast_storage").parse({"stype": stype})  # raises an error that lists the storage types
        if stype != "default":
            from .sparse import as_sparse

            return as_sparse(self, stype)
        return self.copy()

    def wait_to_read(self) -> None:
        """Wait until the array's device has finished all pending work."""
        array_modules.synchronize(self._ctx)

    # --- gradients -----------------------------------------------------------------------------

    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        """Make this array a variable, so that ``backward`` writes the array's gradient to ``.grad``.

        Parameters
        ----------
        grad_req : {"write", "add", "null"}
            Whether each backward pass overwrites the gradient, adds to it, or computes none.
        stype : str, optional
            The storage type of the gradient; by default, the array's storage type.
        """
        xp = array_modules.module_of(self._data)
        gradient = wrap(type(self), xp.zeros_like(self._data), self._ctx)
        autograd.mark_variables([self], [gradient if stype is None else gradient.tostype(stype)], grad_req)

    @property
    def grad(self) -> Self | Any:
        """The array that holds the gradient, or None if ``attach_grad`` was not called.

        The elements are zeros before the first ``backward``.
        """
        ref = self._tape
        return ref[0].grad if ref is not None and isinstance(ref[0], tape.Variable) else None

    @property
    def _fresh_grad(self) -> bool:
        ref = self._tape
        return ref is not None and isinstance(ref[0], tape.Variable) and ref[0].fresh

    @_fresh_grad.setter
    def _fresh_grad(self, fresh: bool) -> None:
        if self._tape is not None and isinstance(self._tape[0], tape.Variable):
            self._tape[0].fresh = fresh

    def detach(self) -> Self:
        """Return an array that shares memory with this array but is not part of the gradient graph."""
        return wrap(type(self), self._data, self._ctx)

    def backward(self, out_grad: Any = None, retain_graph: bool = False, train_mode: bool = True) -> None:
        """Compute the gradients of this array with respect to all variables from which it was computed.

        Parameters
        ----------
        out_grad : NDArray, optional
            The gradient with respect to this array; ones by default.
        retain_graph : bool
            Whether to keep the recorded operations for another backward pass.
        train_mode : bool
            Whether to run the backward pass in training mode.
        """
        autograd.backward([self], None if out_grad is None else [out_grad], retain_graph, train_mode)

    # --- views of other shapes -----------------------------------------------------------------

    def reshape(self, *shape: Any, **kwargs: Any) -> Self:
        """Return a view of the array with another shape.

        Parameters
        ----------
        *shape : int or tuple of int
            The new sizes. 0 copies a size, -1 stands for the inferred size, -2 copies the remaining sizes, -3 merges
            two sizes, and -4 splits a size.
        **kwargs
            ``shape``, the sizes as a keyword argument, and ``reverse``, whether to process the special sizes from right
            to left.

        Returns
        -------
        NDArray
            The view.

        Raises
        ------
        AssertionError
            If no shape is passed.
        MXNetError, ValueError
            If the number of elements differs.
        TypeError
            If another keyword argument is passed.
        """
        if len(shape) == 1 and isinstance(shape[0], tuple | list):
            shape = tuple(shape[0])
        elif not shape:
            shape = kwargs.pop("shape", ())
            if not shape:
                raise AssertionError("Shape must be provided.")
            shape = (shape,) if isinstance(shape, int) else tuple(shape)
        reverse = kwargs.pop("reverse", False)
        if kwargs:
            raise TypeError(
                f"Got unknown keywords in reshape: {', '.join(kwargs)}. "
                "Accepted keyword arguments are 'shape' and 'reverse'."
            )
        op = get_operator("Reshape")
        params = {"shape": tuple(int(n) for n in shape), **({"reverse": True} if reverse else {})}
        assert op.shape_rule is not None
        try:
            target = op.shape_rule(self.shape, **op.complete(params))[1][0]
        except ShapeError:
            self._refuse_size(params["shape"])
            raise
        return self._view_as(op, params, target)

    from .views import expand_dims, flatten, squeeze

    # MXNet doesn't document these methods, but other programs call them.

    def _at(self, idx: int) -> Self:
        """Return a view of row ``idx``."""
        return self[idx]

    def _slice(self, start: int | None, stop: int | None) -> Self:
        """Return a view of a slice of the rows."""
        return self[start:stop]

    def _full(self, value: Any) -> Self:
        """Set all elements to a value, and return the array."""
        self[:] = value
        return self

    def _sync_copyfrom(self, source_array: Any) -> None:
        """Copy values from an array-like object of the same shape."""
        values = numpy.asarray(source_array, dtype=self.dtype)
        if values.shape != self.shape:
            raise ValueError(f"Shape inconsistent: expected {values.shape} vs got {self.shape}")
        self[:] = values

    def _refuse_size(self, shape: tuple[int, ...]) -> None:
        """Raise MXNet's errors for a shape with another number of elements."""
        if min(shape) > 0 and (size := math.prod(shape)) > self.size:
            raise MXNetError(
                f"Check failed: shape_.Size() >= shape.Size() ({self.size} vs. {size}) : "
                "target shape size is larger than the current shape"
            )
        if all(n > 0 or n == -1 for n in shape) and shape.count(-1) < 2:
            raise ValueError(f"Cannot reshape array of size {self.size} into shape {shape}")

    def broadcast_to(self, shape: Any) -> Self:
        """Return the array repeated along axes of size 1 and along new leading axes.

        Parameters
        ----------
        shape : tuple of int
            The new shape.

        Returns
        -------
        NDArray
            The repeated array.

        Raises
        ------
        ValueError
            If a size differs from the new size and is not 1, or if the new shape has fewer axes than the array.
        """
        shape = tuple(shape)
        current = (1,) * (len(shape) - self.ndim) + self.shape
        if len(current) > len(shape) or any(m not in (1, n) for m, n in zip(current, shape, strict=True)):
            raise ValueError(
                "operands could not be broadcast together with remapped shapes[original->remapped]: "
                f"{self.shape} and requested shape {shape}"
            )
        array = self if current == self.shape else self.reshape(current)
        return invoke(get_operator("broadcast_to"), (array,), {"shape": shape}, type(self))

    def slice_assign(self, rhs: Any, begin: Any, end: Any, step: Any = ()) -> Self:
        """Return a copy of the array in which ``rhs`` replaces a slice.

        Parameters
        ----------
        rhs : NDArray
            The values of the slice.
        begin, end, step : tuple of int
            Start, end, and step of the slice along each axis.

        Returns
        -------
        NDArray
            An array of the same shape.
        """
        op = get_operator("_slice_assign")
        params = op.parse({"begin": begin, "end": end, "step": step or ()})
        return invoke(op, (self, rhs), params, type(self))

    def slice_assign_scalar(self, value: float, begin: Any, end: Any, step: Any = ()) -> Self:
        """Return a copy of the array in which a number replaces each element of a slice.

        Parameters
        ----------
        value : float
            The number.
        begin, end, step : tuple of int
            Start, end, and step of the slice along each axis.

        Returns
        -------
        NDArray
            An array of the same shape.
        """
        op = get_operator("_slice_assign_scalar")
        params = op.parse({"scalar": value, "begin": begin, "end": end, "step": step or ()})
        return invoke(op, (self,), params, type(self))

    def _view_as(self, op: Any, params: dict[str, Any], shape: tuple[int, ...]) -> Self:
        result = wrap(type(self), self._data.reshape(shape), self._ctx)
        if tape.state.recording and tape.is_tracked(self):
            from ..internals.core.invoke import OperatorCall

            result._tape = (OperatorCall(op, [self._tape], [self], params, [result._data], tape.state.training), 0)
        return result

    # --- arithmetic ----------------------------------------------------------------------------

    def __neg__(self) -> Self:
        return invoke(get_operator("_mul_scalar"), (self,), {"scalar": -1.0}, type(self))

    def __abs__(self) -> Self:
        return invoke(get_operator("abs"), (self,), {}, type(self))


add_arithmetic(NDArray)

#: NumPy's ufuncs with an equivalent operator. All other ufuncs receive the values as a NumPy array.
_UFUNC_METHODS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv",
    "remainder": "mod", "power": "pow",
}  # fmt: skip

#: The method of the array on the right that equals a comparison by NumPy.
_MIRRORED = {
    "equal": "__eq__", "not_equal": "__ne__",
    "less": "__gt__", "less_equal": "__ge__", "greater": "__lt__", "greater_equal": "__le__",
}  # fmt: skip


def _share(cls: Any, array: NDArray) -> Any:
    result = wrap(cls, array._data, array._ctx)
    result._tape = array._tape
    return result


def _rebuild(cls: Any, raw: numpy.ndarray, ctx: Context) -> Any:
    if ctx.device_typeid == 2 and ctx.device_id >= array_modules.num_gpus():
        ctx = cpu()
    return wrap(cls, array_modules.to_context(raw, ctx), ctx)


# --- creation ------------------------------------------------------------------------------------


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """Return a new array with the values of an array-like object.

    Parameters
    ----------
    source_array : array-like
        The values: an NDArray, a NumPy array, nested lists of numbers, a number, or a SciPy CSR matrix. The result has
        the storage type of a sparse source.
    ctx : Context, optional
        Device of the new array; the current device by default.
    dtype : str or numpy dtype, optional
        Element type; by default, the element type of an NDArray or a SciPy matrix, and float32 for all other sources
        (even for a float64 NumPy array).

    Returns
    -------
    NDArray
        An array with its own memory.

    Raises
    ------
    TypeError
        If ``source_array`` is not array-like.

    Examples
    --------
    >>> array([[1, 2], [3, 4]])
    <BLANKLINE>
    [[1. 2.]
     [3. 4.]]
    <NDArray 2x2 @cpu(0)>
    """
    ctx = current_context() if ctx is None else ctx
    if isinstance(source_array, NDArray):
        target = source_array._data.dtype if dtype is None else as_dtype(dtype)
        raw = array_modules.to_context(source_array._data, ctx)
        cls = NDArray if source_array.stype == "default" else type(source_array)
        copied = wrap(cls, raw.astype(target, copy=raw is source_array._data), ctx)
        if cls is not NDArray:
            copied._places = getattr(source_array, "_places", None)
        return copied
    if type(source_array).__module__.startswith("scipy.sparse"):
        from .sparse import array as sparse_array

        return sparse_array(source_array, ctx, dtype)
    target = as_dtype(dtype)
    try:
        values = _to_numpy(source_array)
        if values.dtype.kind in "iu" and target.kind in "iu":
            raw = values.astype(target)  # wraps around, as in C
        elif values.dtype.kind in "SUO":
            raw = values.astype(target)  # strings of numbers, and convertible values
        else:
            raw = numpy.array(values, dtype=target)
    except (ValueError, TypeError):
        raise TypeError("source_array must be array like object") from None
    return wrap(NDArray, array_modules.to_context(raw, ctx), ctx)


def _to_numpy(source: Any) -> numpy.ndarray:
    if isinstance(source, list | tuple) and any(isinstance(s, NDArray) for s in source):
        return numpy.array([s.asnumpy() if isinstance(s, NDArray) else s for s in source])
    if source is None:
        return numpy.array(numpy.nan)
    values = numpy.asarray(source)
    if values.dtype.kind not in "biufSUO":
        raise TypeError("not numbers")
    return values


def empty(shape: Any, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """Return an array whose elements are not initialized. To create sparse arrays, call ``nd.empty`` with ``stype``.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    ctx : Context, optional
        The device; the current device by default.
    dtype : str or type, optional
        The element type; float32 by default.

    Returns
    -------
    NDArray
        An array with arbitrary elements.
    """
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    ctx = current_context() if ctx is None else context_of(ctx)
    return wrap(NDArray, array_modules.empty(shape, as_dtype(dtype), ctx), ctx)


def _filled(name: str) -> Callable[..., NDArray]:
    def make(shape: Any, ctx: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        op = get_operator(name)
        where = context_of(ctx)
        dtype = "float32" if dtype is None else numpy.dtype(dtype).name
        attributes = {"dtype": dtype, "ctx": where, "shape": shape}
        if kwargs:  # symbols use name, attr, __layout__ ...
            attributes.update((k, v) for k, v in kwargs.items() if k not in ("name", "attr") and not k.startswith("__"))
        params = op.parse(attributes)
        if not params["shape"] or not all(params["shape"]):
            op.kernel(numpy, **params)  # raises an error for empty and scalar shapes in legacy mode
        return invoke(op, (), params, NDArray, out, where)

    return make


_zeros, _ones = _filled("_zeros"), _filled("_ones")


def zeros(shape: Any, ctx: Context | None = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """Return an array of zeros. To create sparse arrays, call ``nd.zeros`` with ``stype``.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    ctx : Context, optional
        The device; the current device by default.
    dtype : str or type, optional
        The element type; float32 by default.
    **kwargs
        ``out``, the array to write to. ``name`` and ``attr`` are ignored.

    Returns
    -------
    NDArray
        A new array of zeros, or ``out``.
    """
    return _zeros(shape, ctx, dtype, **kwargs)


def ones(shape: Any, ctx: Context | None = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """Return an array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    ctx : Context, optional
        The device; the current device by default.
    dtype : str or type, optional
        The element type; float32 by default.
    **kwargs
        ``out``, the array to write to. ``name`` and ``attr`` are ignored.

    Returns
    -------
    NDArray
        A new array of ones, or ``out``.
    """
    return _ones(shape, ctx, dtype, **kwargs)


def from_numpy(ndarray: numpy.ndarray, zero_copy: bool = True, array_cls: Any = NDArray) -> NDArray:
    """Return an NDArray with the values and the element type of a NumPy array.

    If ``zero_copy`` is True, both arrays share memory. The NumPy array becomes read-only, so that only the NDArray can
    modify the shared memory.

    Parameters
    ----------
    ndarray : numpy.ndarray
        The values.
    zero_copy : bool
        Whether to share the memory.
    array_cls : type
        The class of a result that shares memory: ``nd.NDArray`` or ``np.ndarray``. A copy is always an ``nd.NDArray``.

    Returns
    -------
    NDArray
        An array on the CPU.

    Raises
    ------
    ValueError
        If ``zero_copy`` is True and the array is not C-contiguous.
    """
    if not zero_copy:
        return array(ndarray, dtype=ndarray.dtype)
    if not ndarray.flags["C_CONTIGUOUS"]:
        raise ValueError("Only c-contiguous arrays are supported for zero-copy")
    as_dtype(ndarray.dtype)
    clock.note_foreign(ndarray)
    if not ndarray.flags.writeable and ndarray.base is None:
        ndarray.flags.writeable = True  # another NDArray may share the memory already
    shared = ndarray.view(numpy.ndarray)
    ndarray.flags.writeable = False  # as in MXNet, only the NDArray may modify the memory from here on
    return wrap(array_cls, shared, cpu())


def _are_on_tape(values: tuple[Any, ...]) -> bool:
    """Return whether autograd is recording and a value is on the tape, so that its conversion would lose gradients."""
    return autograd.is_recording() and any(isinstance(v, NDArray) and tape.is_tracked(v) for v in values)


class _Capsule:
    """An object with ``__dlpack__`` that wraps a bare capsule, for ``numpy.from_dlpack``."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        try:
            import ctypes
        except ImportError:  # in a browser, without native libraries or a GPU
            return (1, 0)
        find = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
        pointer = find(("PyCapsule_GetPointer", ctypes.pythonapi))(self._capsule, b"dltensor")
        return tuple((ctypes.c_int32 * 2).from_address(pointer + ctypes.sizeof(ctypes.c_void_p)))


class _Writable:
    """A writable view of an array's memory, as in MXNet."""

    def __init__(self, raw: numpy.ndarray) -> None:
        self._raw = raw  # keeps the memory alive
        self.__array_interface__ = {**raw.__array_interface__, "data": (raw.__array_interface__["data"][0], False)}


def from_dlpack(dlpack: Any) -> NDArray:
    """Return an NDArray that shares memory with a DLPack capsule, or with an object that provides a capsule.

    Parameters
    ----------
    dlpack : capsule or object with ``__dlpack__``
        The source of the memory.

    Returns
    -------
    NDArray
        An array on the device of the memory.
    """
    source = dlpack if hasattr(dlpack, "__dlpack__") else _Capsule(dlpack)
    if source.__dlpack_device__()[0] == 2:
        ctx = Context("gpu", source.__dlpack_device__()[1])
        raw = array_modules.array_module(ctx).from_dlpack(source)
    else:
        ctx, raw = cpu(), numpy.from_dlpack(source)
        if source is not dlpack and not raw.flags.writeable:  # NumPy makes arrays from bare capsules read-only
            raw = numpy.asarray(_Writable(raw))
    clock.note_foreign(raw)
    return wrap(NDArray, raw, ctx)


def to_dlpack_for_read(data: NDArray) -> Any:
    """Return a DLPack capsule that shares an array's memory.

    Parameters
    ----------
    data : NDArray
        The array.

    Returns
    -------
    PyCapsule
        The capsule.
    """
    return data.to_dlpack_for_read()


def to_dlpack_for_write(data: NDArray) -> Any:
    """Return a writable DLPack capsule that shares an array's memory.

    Parameters
    ----------
    data : NDArray
        The array.

    Returns
    -------
    PyCapsule
        The capsule.
    """
    return data.to_dlpack_for_write()


def waitall() -> None:
    """Wait until all devices have finished all pending work."""
    array_modules.synchronize()


if not TYPE_CHECKING:
    _of_the_package = names_of_the_package(__name__)

    def __getattr__(name: str) -> Any:
        if name in ("DLPackHandle", "NDArrayHandle"):  # Types of ctypes, which may be missing in a browser
            from .. import base

            return getattr(base, name)
        return _of_the_package(name)
