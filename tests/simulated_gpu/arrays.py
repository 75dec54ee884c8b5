"""``cupy.ndarray``: not an array of NumPy, and never one by accident."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy

from . import memory
from .machine import machine

_CONVERSION = (
    "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy array explicitly."
)


class Flags:
    """The flags of a device array; there is none for writing."""

    def __init__(self, c_contiguous: bool, f_contiguous: bool, owndata: bool) -> None:
        self.c_contiguous, self.f_contiguous, self.owndata = c_contiguous, f_contiguous, owndata

    @property
    def forc(self) -> bool:
        return self.c_contiguous or self.f_contiguous

    @property
    def fnc(self) -> bool:
        return self.f_contiguous and not self.c_contiguous

    def __getitem__(self, name: str) -> bool:
        return {
            "C_CONTIGUOUS": self.c_contiguous,
            "F_CONTIGUOUS": self.f_contiguous,
            "OWNDATA": self.owndata,
            "C": self.c_contiguous,
            "F": self.f_contiguous,
            "O": self.owndata,
        }[name]


def _functions() -> Any:
    from . import functions

    return functions


def _method(name: str) -> Any:
    """Return a method that is a function of the module with the same name."""

    def method(self: ndarray, *args: Any, **kwargs: Any) -> Any:
        return _functions().call_method(name, self, args, kwargs)

    method.__name__ = name
    return method


def _should_use_rop(x: Any, y: Any) -> bool:
    if getattr(y, "__array_ufunc__", Any) is None:
        return True
    return getattr(x, "__array_priority__", 0) < getattr(y, "__array_priority__", 0)


def _operator(name: str, swapped: bool = False) -> Any:
    def operate(self: ndarray, other: Any) -> Any:
        if not isinstance(other, ndarray):
            if _should_use_rop(self, other):
                return NotImplemented
            if name in _COMPARISONS and isinstance(other, numpy.ndarray) and other.ndim == 0:
                other = other.item()
            function = getattr(numpy, name)
            return function(other, self) if swapped else function(self, other)
        function = _functions().ufunc_named(name)
        return function(other, self) if swapped else function(self, other)

    return operate


def _in_place(name: str) -> Any:
    def operate(self: ndarray, other: Any) -> Any:
        return _functions().ufunc_named(name)(self, other, self)

    return operate


_COMPARISONS = {"less", "less_equal", "equal", "not_equal", "greater", "greater_equal"}


class ndarray:
    """An array in the memory of a device."""

    __slots__ = ("__weakref__", "_memory", "_number", "_view", "base")
    __array_priority__ = 100
    __hash__ = None  # pyright: ignore[reportAssignmentType]

    _view: numpy.ndarray
    _memory: memory.BaseMemory

    def __init__(
        self, shape: Any, dtype: Any = float, memptr: Any = None, strides: Any = None, order: str = "C"
    ) -> None:
        shape = (int(shape),) if numpy.isscalar(shape) else tuple(int(n) for n in shape)
        if any(n < 0 for n in shape):
            raise ValueError("Negative dimensions are not allowed")
        dtype = numpy.dtype(dtype)
        if dtype.kind not in "biufc" or dtype.itemsize > 16 or dtype.char in "gG":
            raise ValueError(f"Unsupported dtype {dtype}")
        size = int(numpy.prod(shape, dtype=object)) * dtype.itemsize
        if memptr is None:
            memptr = memory.alloc(size)
        self._memory = memptr.mem
        self._number = memptr.device_id
        self.base = None
        if size == 0:
            self._view = numpy.empty(shape, dtype)
            return
        if strides is None and order in ("F", "f"):
            strides = numpy.empty(shape, numpy.int8, order="F").strides
            strides = tuple(s * dtype.itemsize for s in strides)
        self._view = machine().devices[self._number].view(memptr.ptr, shape, dtype, strides)

    # --- what it is ---

    @property
    def shape(self) -> tuple[int, ...]:
        return self._view.shape

    @shape.setter
    def shape(self, new: Any) -> None:
        self._view = self._view.view()
        self._view.shape = new

    @property
    def dtype(self) -> numpy.dtype:
        return self._view.dtype

    @property
    def strides(self) -> tuple[int, ...]:
        return self._view.strides

    @property
    def size(self) -> int:
        return self._view.size

    @property
    def itemsize(self) -> int:
        return self._view.itemsize

    @property
    def nbytes(self) -> int:
        return self._view.nbytes

    @property
    def ndim(self) -> int:
        return self._view.ndim

    @property
    def device(self) -> Any:
        return self._memory.device

    @property
    def data(self) -> memory.MemoryPointer:
        if self.size == 0:
            return memory.MemoryPointer(self._memory, 0)
        return memory.MemoryPointer(self._memory, self._address() - self._memory.ptr)

    @property
    def flags(self) -> Flags:
        found = self._view.flags
        return Flags(found.c_contiguous, found.f_contiguous, self.base is None)

    @property
    def T(self) -> ndarray:
        return view_of(self, self._view.T)

    @property
    def mT(self) -> ndarray:
        return view_of(self, self._view.mT)

    @property
    def real(self) -> ndarray:
        return view_of(self, self._view.real) if self.dtype.kind == "c" else self

    @real.setter
    def real(self, value: Any) -> None:
        self.real[...] = value

    @property
    def imag(self) -> ndarray:
        return view_of(self, self._view.imag) if self.dtype.kind == "c" else _functions().zeros_like(self)

    @imag.setter
    def imag(self, value: Any) -> None:
        self.imag[...] = value

    @property
    def flat(self) -> Any:
        raise NotImplementedError("The stand-in does not model ndarray.flat.")

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        contiguous = self._view.flags.c_contiguous
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "data": (self.data.ptr, False),
            "strides": None if contiguous else self.strides,
            "stream": machine().stream_pointer() or 1,
            "version": 3,
        }

    def _address(self) -> int:
        return self._view.ctypes.data

    # --- to the host ---

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> numpy.ndarray:
        if out is not None:
            if not isinstance(out, numpy.ndarray):
                raise TypeError("Only numpy.ndarray can be obtained fromcupy.ndarray")
            if out.dtype != self.dtype:
                raise TypeError(f"{out.dtype} array cannot be obtained from {self.dtype} array")
            if out.shape != self.shape:
                raise ValueError(f"Shape mismatch. Expected shape: {out.shape}, actual shape: {self.shape}")
        if self.size == 0:
            return numpy.empty(self.shape, self.dtype) if out is None else out
        machine().to_host(machine().devices[self._number])
        if out is not None:
            out[...] = self._view
            return out
        if order.upper() == "A":
            order = "F" if self._view.flags.f_contiguous and not self._view.flags.c_contiguous else "C"
        return numpy.array(self._view, order=order)  # pyright: ignore[reportCallIssue, reportArgumentType]

    def set(self, arr: Any, stream: Any = None) -> None:
        if not isinstance(arr, numpy.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        if not (self._view.flags.c_contiguous or self._view.flags.f_contiguous):
            raise RuntimeError("Cannot set to non-contiguous array")
        machine().to_device(machine().devices[self._number])
        self._view[...] = arr

    def item(self) -> Any:
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.get().item()

    def tolist(self) -> Any:
        return self.get().tolist()

    def tobytes(self, order: str = "C") -> bytes:
        return self.get().tobytes(order)  # pyright: ignore[reportArgumentType]

    def dump(self, file: Any) -> None:
        self.get().dump(file)

    def dumps(self) -> bytes:
        return self.get().dumps()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(_CONVERSION)

    def __bool__(self) -> bool:
        if self.size == 0:
            warnings.warn("The truth value of an empty array is ambiguous.", DeprecationWarning, stacklevel=2)
            return False
        if self.size == 1:
            return bool(self.get())
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __bytes__(self) -> bytes:
        return bytes(self.get())

    def __repr__(self) -> str:
        return repr(self.get())

    def __str__(self) -> str:
        return str(self.get())

    def __format__(self, spec: str) -> str:
        return format(self.get(), spec)

    def __reduce__(self) -> Any:
        return _functions().array, (self.get(),)

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Any:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    # --- functions of NumPy ---

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        inout = inputs
        if "out" in kwargs:
            out = kwargs["out"]
            if len(out) != 1:
                raise ValueError("The 'out' parameter must have exactly one array value")
            inout += out
            kwargs["out"] = out[0]
        if method != "__call__":
            return NotImplemented
        found = _functions().NAMESPACE.get(function.__name__)
        if found is None:
            return NotImplemented
        for x in inout:
            if not isinstance(x, ndarray | numpy.ndarray | numpy.generic | int | float | complex):
                return NotImplemented
        if function.__name__ in _COMPARISONS:
            inputs = tuple(x.item() if isinstance(x, numpy.ndarray) and x.ndim == 0 else x for x in inputs)
        return found(*inputs, **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        found = _functions().function_at(function.__module__, function.__name__)
        if found is None or any(t not in (ndarray, numpy.ndarray) for t in types):
            return NotImplemented
        return found(*args, **kwargs)

    # --- copies and views ---

    def copy(self, order: str = "C") -> ndarray:
        if self._number != machine().current:
            new = ndarray(self.shape, self.dtype)
            source, target = self._view, new._view
            machine().submit(lambda: numpy.copyto(target, source))
            return new
        return self.astype(self.dtype, order, copy=True)

    def __copy__(self) -> ndarray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> ndarray:
        with self.device:
            return self.copy()

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = None, subok: Any = None, copy: bool = True
    ) -> ndarray:
        from .launching import check_device, launch

        if casting is not None:
            raise TypeError("casting is not supported yet")
        if subok is not None:
            raise TypeError("subok is not supported yet")
        dtype = numpy.dtype(dtype)
        flags = self._view.flags
        as_is = (
            order in ("K", "A", None) or (order == "C" and flags.c_contiguous) or (order == "F" and flags.f_contiguous)
        )
        if not copy and dtype == self.dtype and as_is:
            return self
        check_device(self)
        view = self._view
        return launch(lambda: view.astype(dtype, order or "K", copy=True), keep_layout=True)

    def view(self, dtype: Any = None, type: Any = None) -> ndarray:
        return view_of(self, self._view.view() if dtype is None else self._view.view(dtype))

    def reduced_view(self, dtype: Any = None) -> ndarray:
        return self.reshape(-1) if self._view.flags.c_contiguous else self

    def reshape(self, *shape: Any, order: str = "C", copy: Any = None) -> ndarray:
        from .launching import launch

        if len(shape) == 1 and isinstance(shape[0], tuple | list):
            shape = tuple(shape[0])
        shape = tuple(int(n) for n in shape)
        view = self._view
        if copy:
            return launch(lambda: view.reshape(shape, order=order).copy(), [self])  # pyright: ignore
        return launch(lambda: view.reshape(shape, order=order), [self])  # pyright: ignore

    def transpose(self, *axes: Any) -> ndarray:
        return view_of(self, self._view.transpose(*axes))

    def fill(self, value: Any) -> None:
        from .launching import check_device, write

        check_device(self)
        if isinstance(value, numpy.ndarray):
            if value.shape != ():
                raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
            value = value.item()
        if isinstance(value, ndarray):
            check_device(value)
            found = value._view
            write(self._view, lambda: found)
            return
        if not isinstance(value, numpy.generic | int | float | complex):
            raise TypeError(f"Unsupported type {type(value)}")
        write(self._view, lambda: value)

    # --- indexing ---

    def __getitem__(self, slices: Any) -> ndarray:
        from .launching import check_device, launch

        index, advanced, masks = prepared_index(self, slices)
        if not advanced:
            return view_of(self, self._view[index])
        check_device(self)
        if masks:
            machine().to_host(machine().device)
        view = self._view
        return launch(lambda: view[wrapped_index(view, index)])

    def __setitem__(self, slices: Any, value: Any) -> None:
        scatter(self, slices, value, "update")

    def scatter_add(self, slices: Any, value: Any) -> None:
        scatter(self, slices, value, "add")

    def scatter_max(self, slices: Any, value: Any) -> None:
        scatter(self, slices, value, "max")

    def scatter_min(self, slices: Any, value: Any) -> None:
        scatter(self, slices, value, "min")

    # --- operators ---

    __eq__ = _operator("equal")
    __ne__ = _operator("not_equal")
    __lt__ = _operator("less")
    __le__ = _operator("less_equal")
    __gt__ = _operator("greater")
    __ge__ = _operator("greater_equal")
    __add__, __radd__, __iadd__ = _operator("add"), _operator("add", True), _in_place("add")
    __sub__, __rsub__, __isub__ = _operator("subtract"), _operator("subtract", True), _in_place("subtract")
    __mul__, __rmul__, __imul__ = _operator("multiply"), _operator("multiply", True), _in_place("multiply")
    __truediv__, __rtruediv__ = _operator("true_divide"), _operator("true_divide", True)
    __itruediv__ = _in_place("true_divide")
    __floordiv__, __rfloordiv__ = _operator("floor_divide"), _operator("floor_divide", True)
    __ifloordiv__ = _in_place("floor_divide")
    __mod__, __rmod__, __imod__ = _operator("remainder"), _operator("remainder", True), _in_place("remainder")
    __divmod__, __rdivmod__ = _operator("divmod"), _operator("divmod", True)
    __pow__, __rpow__, __ipow__ = _operator("power"), _operator("power", True), _in_place("power")
    __lshift__, __rlshift__ = _operator("left_shift"), _operator("left_shift", True)
    __rshift__, __rrshift__ = _operator("right_shift"), _operator("right_shift", True)
    __ilshift__, __irshift__ = _in_place("left_shift"), _in_place("right_shift")
    __and__, __rand__, __iand__ = _operator("bitwise_and"), _operator("bitwise_and", True), _in_place("bitwise_and")
    __or__, __ror__, __ior__ = _operator("bitwise_or"), _operator("bitwise_or", True), _in_place("bitwise_or")
    __xor__, __rxor__, __ixor__ = _operator("bitwise_xor"), _operator("bitwise_xor", True), _in_place("bitwise_xor")

    def __matmul__(self, other: Any) -> Any:
        if not isinstance(other, ndarray) and _should_use_rop(self, other):
            return NotImplemented
        return _functions().NAMESPACE["matmul"](self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _functions().NAMESPACE["matmul"](other, self)

    def __neg__(self) -> Any:
        return _functions().ufunc_named("negative")(self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return _functions().ufunc_named("absolute")(self)

    def __invert__(self) -> Any:
        return _functions().ufunc_named("invert")(self)

    # --- methods that are functions, too ---

    sum, prod, mean, std, var = map(_method, ("sum", "prod", "mean", "std", "var"))
    max, min, argmax, argmin, ptp = map(_method, ("max", "min", "argmax", "argmin", "ptp"))
    all, any, cumsum, cumprod, nonzero = map(_method, ("all", "any", "cumsum", "cumprod", "nonzero"))
    take, put, choose, compress, repeat = map(_method, ("take", "put", "choose", "compress", "repeat"))
    argsort, argpartition, searchsorted = map(_method, ("argsort", "argpartition", "searchsorted"))
    clip, round, trace, diagonal, dot = map(_method, ("clip", "round", "trace", "diagonal", "dot"))
    ravel, squeeze, swapaxes = map(_method, ("ravel", "squeeze", "swapaxes"))

    def conj(self) -> ndarray:
        return _functions().ufunc_named("conjugate")(self) if self.dtype.kind == "c" else self

    conjugate = conj

    def flatten(self, order: str = "C") -> ndarray:
        from .launching import launch

        view = self._view
        return launch(lambda: view.flatten(order))  # pyright: ignore[reportArgumentType]

    def sort(self, axis: int = -1, kind: Any = None) -> None:
        from .launching import check_device, run_in_place

        check_device(self)
        _functions().check_sort_kind(kind)
        if self.ndim == 0:
            raise numpy.exceptions.AxisError("Sorting arrays with the rank of zero is not supported")
        machine().refuse_capture()
        view = self._view
        run_in_place(lambda: view.sort(axis=axis, kind="stable"))

    def partition(self, kth: Any, axis: int = -1) -> None:
        self.sort(axis)


@functools.cache
def _scatter_function(op: str) -> Any:
    return {
        "add": numpy.add,
        "sub": numpy.subtract,
        "max": numpy.maximum,
        "min": numpy.minimum,
        "and": numpy.bitwise_and,
        "or": numpy.bitwise_or,
        "xor": numpy.bitwise_xor,
    }[op]


def view_of(parent: ndarray, view: numpy.ndarray) -> ndarray:
    """Return a device array on memory of another one."""
    new = object.__new__(ndarray)
    if not view.flags.writeable:
        view = machine().devices[parent._number].view(
            view.ctypes.data, view.shape, view.dtype, view.strides
        ) if view.size else view.copy()  # fmt: skip
    new._view = view
    new._memory = parent._memory
    new._number = parent._number
    new.base = parent if parent.base is None else parent.base
    return new


# --- indices --------------------------------------------------------------------------------------


def prepared_index(array: ndarray, slices: Any) -> tuple[tuple[Any, ...], bool, bool]:
    """Return an index with host memory in place of arrays; whether there are arrays in it, whether masks."""
    from .launching import check_device

    found: list[Any] = []
    advanced = masks = False
    for s in slices if isinstance(slices, tuple) else (slices,):
        if s is None or s is Ellipsis or isinstance(s, slice):
            found.append(s)
            continue
        if not isinstance(s, ndarray):
            if numpy.isscalar(s) and not isinstance(s, bool | numpy.bool_):
                found.append(int(s))
                continue
            empty = isinstance(s, list | tuple) and numpy.size(s) == 0
            machine().to_device(machine().device)
            value = numpy.array(_no_device_arrays(s))
            if empty:
                value = value.astype(numpy.int32)
        else:
            check_device(s)
            value = s._view
        if value.dtype.kind not in "biu":
            raise IndexError(f"arrays used as indices must be of integer or boolean type. (actual: {value.dtype.type})")
        advanced = True
        masks |= value.dtype.kind == "b"
        found.append(value)
    if not any(s is Ellipsis for s in found):
        found.append(Ellipsis)
    return tuple(found), advanced, masks


def _no_device_arrays(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_no_device_arrays(v) for v in value]
    return value.item() if isinstance(value, ndarray) and value.ndim == 0 else value


def wrapped_index(view: numpy.ndarray, index: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return an index whose numbers are taken modulo the size: CuPy does not check them."""
    used = sum(
        0 if s is None or s is Ellipsis else s.ndim if isinstance(s, numpy.ndarray) and s.dtype.kind == "b" else 1
        for s in index
    )
    axis, found = 0, []
    for s in index:
        if s is None:
            found.append(s)
        elif s is Ellipsis:
            axis += view.ndim - used
            found.append(s)
        elif isinstance(s, numpy.ndarray) and s.dtype.kind == "b":
            axis += s.ndim
            found.append(s)
        elif isinstance(s, numpy.ndarray):
            if axis >= view.ndim:
                raise IndexError(f"too many indices for array: array is {view.ndim}-dimensional")
            found.append(numpy.mod(s.astype(numpy.int64), max(view.shape[axis], 1)))
            axis += 1
        else:
            found.append(s)
            axis += 1
    return tuple(found)


_ATOMIC = {"add": "iuf", "sub": "iuf", "max": "iuf", "min": "iuf"}


def scatter(array: ndarray, slices: Any, value: Any, op: str) -> None:
    """Assign to, or combine with, the elements at an index."""
    from .launching import check_device, run_in_place

    check_device(array)
    index, advanced, masks = prepared_index(array, slices)
    if not advanced:
        target = view_of(array, array._view[index])
        if op != "update":
            _functions().ufunc_named(
                {"add": "add", "sub": "subtract", "max": "maximum", "min": "minimum"}[op]
            )(target, value, target)  # fmt: skip
        elif isinstance(value, ndarray):
            check_device(value)
            source = value._view
            while source.ndim and source.shape[0] == 1 and source.ndim > 0:
                source = source[0, ...]  # a view, also of one number: what is captured reads it when it runs
            numpy.broadcast_shapes(source.shape, target.shape)
            view = target._view
            run_in_place(lambda: numpy.copyto(view, source, casting="unsafe"))
        else:
            target.fill(value)
        return
    if masks:
        machine().to_host(machine().device)
    if op != "update" and not masks:
        _check_atomic(array.dtype, op)
    if isinstance(value, ndarray):
        check_device(value)
        source = value._view
    else:
        if not numpy.isscalar(value):
            machine().to_device(machine().device)
        source = numpy.array(_no_device_arrays(value), array.dtype)
    view = array._view

    def action() -> None:
        place = wrapped_index(view, index)
        if op == "update":
            view[place] = source.astype(view.dtype, copy=False)
        else:
            _scatter_function(op).at(view, place, source.astype(view.dtype, copy=False))

    run_in_place(action)


def _check_atomic(dtype: numpy.dtype, op: str) -> None:
    allowed = {"int32", "float32", "float64", "uint32", "uint64"} | ({"float16"} if op in ("add", "sub") else set())
    if dtype.name not in allowed:
        raise TypeError(f"scatter_{op} only supports {', '.join(sorted(allowed))}, as data type")
