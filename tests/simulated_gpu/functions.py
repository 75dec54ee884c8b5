"""The functions of CuPy: those of NumPy, held to CuPy's arguments, and those that differ written out."""

from __future__ import annotations

import contextlib
import functools
import importlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy

from .arrays import ndarray, view_of, wrapped_index
from .cupy_api import API, checked_arguments, signature
from .launching import check_device, device_arrays, host, launch, run_in_place, write
from .machine import machine
from .ufuncs import ufunc

#: Functions that need values on the host: to know the shape of the result, or to check arguments.
SYNCHRONIZE = {
    *("nonzero", "argwhere", "flatnonzero", "compress", "extract", "place", "delete", "trim_zeros", "piecewise"),
    *("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "union1d", "intersect1d"),
    *("setdiff1d", "setxor1d", "bincount", "histogram", "histogram2d", "histogramdd", "average", "put", "choose"),
    *("nanmax", "nanmin", "select", "tril_indices", "triu_indices", "tril_indices_from", "triu_indices_from"),
    *("mask_indices", "roots", "array_equiv", "real_if_close"),
}

#: Functions that call a library whose calls CuPy does not let into a graph.
LIBRARIES = {
    **dict.fromkeys(("dot", "matmul", "tensordot", "inner", "vdot", "kron", "convolve", "correlate", "cov"), "cuBLAS"),
    **dict.fromkeys(("corrcoef", "polyfit", "polymul"), "cuBLAS"),
    **dict.fromkeys(("linalg.cholesky", "linalg.qr", "linalg.svd", "linalg.eigh", "linalg.eigvalsh"), "cuSOLVER"),
    **dict.fromkeys(("linalg.eig", "linalg.eigvals", "linalg.det", "linalg.slogdet", "linalg.pinv"), "cuSOLVER"),
    **dict.fromkeys(("linalg.inv", "linalg.solve", "linalg.lstsq", "linalg.matrix_rank"), "cuSOLVER"),
    **dict.fromkeys(("linalg.matmul", "linalg.matrix_power", "linalg.tensorsolve"), "cuBLAS"),
}

#: Functions that sort: Thrust waits for its results, which a capture does not allow.
SORTS = {
    *("sort", "argsort", "lexsort", "partition", "argpartition", "sort_complex", "msort", "median", "nanmedian"),
    *("percentile", "quantile", "isin", "in1d", "digitize"),
}

#: Functions with complex results, whatever their values.
ALWAYS_COMPLEX = {"linalg.eig", "linalg.eigvals"}

#: Functions whose answer is a value of Python that is known without the device.
KNOWN_ON_THE_HOST = {
    *("ndim", "size", "shape", "can_cast", "result_type", "promote_types", "common_type", "min_scalar_type"),
    *("iscomplexobj", "isrealobj", "isscalar", "may_share_memory", "shares_memory", "isfortran", "isdtype"),
    *("broadcast_shapes", "issubdtype", "base_repr", "binary_repr", "iterable", "byte_bounds"),
}

#: Functions that write into their first argument.
IN_PLACE = {"fill_diagonal", "put_along_axis", "putmask", "place", "put"}

#: Functions that keep the order of axes in memory.
KEEP_LAYOUT = {"asfortranarray", "copy", "empty_like", "zeros_like", "ones_like", "full_like", "transpose"}

#: Functions that take values of the host where others want device arrays.
TAKES_HOST_VALUES = {
    *("take", "percentile", "quantile", "nanpercentile", "pad", "tile", "roll", "transpose", "ix_", "r_", "c_"),
    *("kaiser", "delete", "unravel_index", "array_split", "split", "vsplit", "hsplit", "dsplit", "poly1d"),
}

#: Functions that take numbers of Python, too, where others want arrays of the device.
TAKES_NUMBERS = {
    *("isclose", "allclose", "real", "imag", "angle", "isreal", "iscomplex", "isposinf", "isneginf", "array_equal"),
    *("atleast_1d", "atleast_2d", "atleast_3d", "isscalar", "linspace", "diag", "nan_to_num", "interp", "eye", "tri"),
}

#: What NumPy calls differently.
RENAMED_ARGUMENTS = {"reshape": {"newshape": "shape"}, "clip": {"a_min": "a_min", "a_max": "a_max"}}
RENAMED = {"in1d": "isin", "row_stack": "vstack", "trapz": "trapezoid", "product": "prod", "round_": "round",
           "cumproduct": "cumprod", "sometrue": "any", "alltrue": "all"}  # fmt: skip

#: Arguments that have to be arrays of the device.
_ARRAY_NAMES = {"a", "x", "arr", "array", "ary", "m", "M", "condition", "x1", "x2", "b", "z", "v", "element"}


def _numpy_function(owner: str, name: str) -> Any:
    path = owner.removeprefix("cupy").strip(".")
    module = importlib.import_module(f"numpy.{path}") if path else numpy
    return getattr(module, RENAMED.get(name, name), None)


def make_function(owner: str, name: str) -> Callable[..., Any] | None:
    """Return the function of CuPy with a name, None if NumPy has nothing to compute it with."""
    compute = _numpy_function(owner, name)
    if compute is None:
        return None
    path = f"{owner.removeprefix('cupy').strip('.')}.{name}".strip(".")

    @functools.wraps(compute, updated=())
    def function(*args: Any, **kwargs: Any) -> Any:
        checked_arguments(owner, name, args, kwargs)
        return _call(path, compute, args, kwargs, API["modules"][owner][name]["arguments"])

    function.__module__ = owner
    return function


def _call(path: str, compute: Any, args: tuple[Any, ...], kwargs: dict[str, Any], arguments: str) -> Any:
    args, kwargs, out = _split_out(args, kwargs, arguments)
    args, kwargs, dtype = _split_dtype(path, args, kwargs, arguments)
    _refuse_host_values(path, args, kwargs, arguments)
    kwargs = {RENAMED_ARGUMENTS.get(path, {}).get(k, k): v for k, v in kwargs.items()}
    parents = list(device_arrays([*args, *kwargs.values()]))
    if path in KNOWN_ON_THE_HOST:
        return compute(*_unwrapped(args), **kwargs)
    if path in SYNCHRONIZE:
        machine().to_host(machine().device)
    if path in SORTS:
        machine().refuse_capture()
    if path in LIBRARIES:
        machine().refuse_library(LIBRARIES[path])
    if path in TAKES_HOST_VALUES:
        host_args = [host(a) if not isinstance(a, numpy.ndarray) else a for a in args]
        host_kwargs = {k: host(v) if not isinstance(v, numpy.ndarray) else v for k, v in kwargs.items()}
    else:
        host_args, host_kwargs = [host(a) for a in args], {k: host(v) for k, v in kwargs.items()}

    def run() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            result = compute(*host_args, **host_kwargs)
        return result if dtype is None else result.astype(dtype)

    if path in IN_PLACE:
        run_in_place(run)
        return None
    if path in ALWAYS_COMPLEX:
        run = functools.partial(_complex, run)
    if path.startswith("linalg."):
        run = functools.partial(_without_linalg_errors, run, host_args)
    if out is not None:
        check_device(out)
        if path == "dot" and not out._view.flags.c_contiguous:
            raise ValueError("Output array must be C-contiguous")
        write(out._view, run)
        return out
    return launch(run, parents, keep_layout=path in KEEP_LAYOUT)


def _complex(run: Callable[[], Any]) -> Any:
    """Return complex results where NumPy below 2.5 returns real ones if it can."""
    result = run()
    if not isinstance(result, tuple):
        return result.astype(numpy.result_type(result, numpy.complex64))
    return tuple(a.astype(numpy.result_type(a, numpy.complex64)) for a in result)


def _without_linalg_errors(run: Callable[[], Any], args: list[Any]) -> Any:
    """Return NaN where NumPy complains of the values: CuPy does not look at them."""
    for a in args:
        if isinstance(a, numpy.ndarray) and a.dtype == numpy.float16:
            raise TypeError("array type float16 is unsupported in linalg")
    try:
        return run()
    except numpy.linalg.LinAlgError as error:
        if not any(word in str(error) for word in ("ingular", "converge", "positive definite")):
            raise
        return numpy.full_like(args[-1], numpy.nan)


def _position(arguments: str, name: str) -> int | None:
    names = list(signature(arguments).parameters)
    return names.index(name) if name in names else None


def _split_out(args: tuple[Any, ...], kwargs: dict[str, Any], arguments: str) -> tuple[Any, dict[str, Any], Any]:
    kwargs = dict(kwargs)
    place = _position(arguments, "out")
    out = kwargs.pop("out", None)
    if place is not None and len(args) > place and not arguments.startswith("*"):
        out = args[place]
        args = (*args[:place], *args[place + 1 :])
        rest = list(signature(arguments).parameters)[place + 1 :]
        kwargs.update(zip(rest, args[place:], strict=False))
        args = args[:place]
    if isinstance(out, tuple):
        (out,) = out
    if out is not None and not isinstance(out, ndarray):
        raise TypeError(f"Unsupported type {type(out)}")
    return args, kwargs, out


def _split_dtype(
    path: str, args: tuple[Any, ...], kwargs: dict[str, Any], arguments: str
) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    """Take the dtype out of the arguments of functions that have none in NumPy."""
    if path not in ("argmax", "argmin", "nanargmax", "nanargmin", "corrcoef"):
        return args, kwargs, None
    place = _position(arguments, "dtype")
    if place is not None and len(args) > place:
        return args[:place] + args[place + 1 :], kwargs, args[place]
    return args, {k: v for k, v in kwargs.items() if k != "dtype"}, kwargs.get("dtype")


def _refuse_host_values(path: str, args: tuple[Any, ...], kwargs: dict[str, Any], arguments: str) -> None:
    for name, value in [*zip(signature(arguments).parameters, args, strict=False), *kwargs.items()]:
        if name not in _ARRAY_NAMES or isinstance(value, ndarray) or path in KNOWN_ON_THE_HOST:
            continue
        sequence = isinstance(value, list | tuple) and path not in TAKES_HOST_VALUES
        number = isinstance(value, numpy.generic | int | float | complex) and path not in TAKES_NUMBERS
        if sequence or number:
            raise TypeError(f"Unsupported type {type(value)}: {path}() wants an array of the device")


def _unwrapped(values: Any) -> list[Any]:
    return [v._view if isinstance(v, ndarray) else v for v in values]


# --- functions written out ------------------------------------------------------------------------


def array(
    obj: Any,
    dtype: Any = None,
    copy: bool = True,
    order: str = "K",
    subok: bool = False,
    ndmin: int = 0,
    *,
    blocking: bool = False,
) -> ndarray:
    if subok:
        raise NotImplementedError
    if isinstance(obj, ndarray):
        new = obj.copy(order) if obj._number != machine().current else obj
        new = new.astype(obj.dtype if dtype is None else dtype, order, copy=copy and new is obj)
    elif any(True for _ in device_arrays([obj])):
        if not all(isinstance(a, ndarray) for a in _flat(obj)):
            raise TypeError(_implicit())
        parents = list(device_arrays([obj]))
        hosts = host(obj)
        new = launch(lambda: numpy.array(hosts, dtype), parents)
    else:
        value = numpy.array(obj, dtype, order=order)  # pyright: ignore[reportCallIssue, reportArgumentType]
        new = ndarray(value.shape, value.dtype, order="F" if value.flags.fnc else "C")
        if value.size:
            machine().to_device(machine().devices[new._number])
            new._view[...] = value
    if ndmin > new.ndim:
        new = new.reshape((1,) * (ndmin - new.ndim) + new.shape)
    return new


def _implicit() -> str:
    from .arrays import _CONVERSION

    return _CONVERSION


def _flat(value: Any) -> list[Any]:
    return [leaf for v in value for leaf in _flat(v)] if isinstance(value, list | tuple) else [value]


def asarray(a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None, blocking: bool = False) -> ndarray:
    return array(a, dtype, bool(copy), order or "K")


def ascontiguousarray(a: Any, dtype: Any = None) -> ndarray:
    new = array(a, dtype, False, "C")
    return new.reshape(1) if new.ndim == 0 else new


def asnumpy(a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> numpy.ndarray:
    if isinstance(a, ndarray):
        return a.get(stream, order, out, blocking)
    return numpy.asarray(a, order=order)  # pyright: ignore[reportCallIssue, reportArgumentType]


def empty(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    return ndarray(shape, dtype, order=order)


def zeros(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    return _filled(ndarray(shape, dtype, order=order), 0)


def ones(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    return _filled(ndarray(shape, dtype, order=order), 1)


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> ndarray:
    if dtype is None:
        dtype = fill_value.dtype if isinstance(fill_value, ndarray) else numpy.array(fill_value).dtype
    new = ndarray(shape, dtype, order=order)
    copyto(new, fill_value, casting="unsafe")
    return new


def _filled(new: ndarray, value: Any) -> ndarray:
    if new.size:
        new.fill(value)
    return new


def empty_like(prototype: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None) -> ndarray:
    if subok is not None:
        raise TypeError("subok is not supported yet")
    if not isinstance(prototype, ndarray):
        raise TypeError(f"Unsupported type {type(prototype)}")
    like = numpy.empty_like(numpy.empty(0, prototype.dtype), shape=shape or prototype.shape) if shape else None
    if like is None:
        like = numpy.empty_like(prototype._view, order=order)  # pyright: ignore[reportCallIssue, reportArgumentType]
    return ndarray(like.shape, dtype or prototype.dtype, order="F" if like.flags.fnc else "C")


def zeros_like(a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None) -> ndarray:
    return _filled(empty_like(a, dtype, order, subok, shape), 0)


def ones_like(a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None) -> ndarray:
    return _filled(empty_like(a, dtype, order, subok, shape), 1)


def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> ndarray:
    new = empty_like(a, dtype, order, subok, shape)
    copyto(new, fill_value, casting="unsafe")
    return new


def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = None) -> None:
    if not isinstance(dst, ndarray):
        raise TypeError(f"Unsupported type {type(dst)}")
    check_device(dst)
    if isinstance(src, numpy.ndarray) and src.ndim:
        raise TypeError(f"Unsupported type {type(src)}")
    if isinstance(src, ndarray):
        check_device(src)
        dtype = src.dtype
    else:
        dtype = numpy.result_type(src, numpy.empty(0, dst.dtype)) if numpy.isscalar(src) else numpy.dtype(bool)
    if not numpy.can_cast(dtype, dst.dtype, casting):  # pyright: ignore[reportCallIssue, reportArgumentType]
        raise TypeError(f"Cannot cast {dtype!r} to {dst.dtype!r} in {casting} casting mode")
    value, view = host(src) if not isinstance(src, numpy.ndarray) else src.item(), dst._view
    if where is None:
        numpy.broadcast_shapes(numpy.shape(value), view.shape)
        run_in_place(lambda: numpy.copyto(view, value, casting="unsafe"))
    else:
        mask = host(where)
        run_in_place(lambda: numpy.copyto(view, value, casting="unsafe", where=mask.astype(bool)))


def take(a: Any, indices: Any, axis: Any = None, out: Any = None) -> ndarray:
    check_device(a)
    if isinstance(indices, ndarray):
        check_device(indices)
        found = indices._view
    elif numpy.isscalar(indices):
        found = numpy.asarray(indices)
    else:
        machine().to_device(machine().device)
        found = numpy.array(indices, int)
    view = a._view

    def run() -> Any:
        return numpy.take(view, found.astype(numpy.int64), axis=axis, mode="wrap")

    if out is None:
        return launch(run)
    if out.dtype != a.dtype:
        raise TypeError("Output dtype mismatch")
    write(out._view, run)
    return out


def _along_axis(a: ndarray, indices: ndarray, axis: int) -> Callable[[], tuple[Any, ...]]:
    view, places = a._view, indices._view

    def index() -> tuple[Any, ...]:
        shape = numpy.ones(view.ndim, int)
        parts: list[Any] = []
        for i, n in enumerate(view.shape):
            shape[:] = 1
            shape[i] = -1
            parts.append(places if i == axis % view.ndim else numpy.arange(n).reshape(shape))
        return wrapped_index(view, tuple(parts))

    return index


def take_along_axis(a: Any, indices: Any, axis: Any) -> ndarray:
    check_device(a)
    check_device(indices)
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if axis is None:
        a, axis = a.ravel(), 0
    if a.ndim != indices.ndim:
        raise ValueError("`indices` and `a` must have the same number of dimensions")
    index, view = _along_axis(a, indices, axis), a._view
    return launch(lambda: view[index()])


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    check_device(arr)
    check_device(indices)
    index, view = _along_axis(arr, indices, axis), arr._view
    source = host(values)

    def action() -> None:
        view[index()] = source

    run_in_place(action)


def repeat(a: Any, repeats: Any, axis: Any = None) -> ndarray:
    if isinstance(repeats, ndarray | numpy.ndarray):
        raise ValueError("cupy.ndarray cannot be specified as `repeats` argument.")
    view = host(a)
    return launch(lambda: numpy.repeat(view, repeats, axis))


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if (x is None) != (y is None):
        raise ValueError("Must provide both 'x' and 'y' or neither.")
    if x is None:
        return NAMESPACE["nonzero"](condition)
    if not isinstance(condition, ndarray):
        raise AttributeError(f"{type(condition).__name__!r} object has no attribute 'astype'")
    for value in (x, y):
        if not isinstance(value, ndarray | numpy.generic | int | float | complex):
            raise TypeError(f"Unsupported type {type(value)}")
    hosts = host([condition, x, y])
    return launch(lambda: numpy.where(hosts[0].astype(bool), hosts[1], hosts[2]))


def einsum(*operands: Any, **kwargs: Any) -> Any:
    wrong = set(kwargs) - {"dtype", "optimize"}
    if wrong:
        raise TypeError(f"Did not understand the following kwargs: {sorted(wrong)}")
    parents = list(device_arrays(operands))
    if len(parents) > 1 and isinstance(operands[0], str):
        inputs, arrow, output = operands[0].replace(" ", "").partition("->")
        letters = {c for c in inputs if c.isalpha()}
        if not arrow or letters - set(output):
            machine().refuse_library("cuBLAS")
    hosts = [host(o) for o in operands]
    return launch(lambda: numpy.einsum(*hosts, **kwargs), parents)


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    if num < 0:
        raise ValueError("linspace with num<0 is not supported")
    hosts = [host(v) for v in (start, stop)]
    if not all(numpy.isscalar(v) for v in (start, stop)):
        machine().to_host(machine().device)
    return launch(lambda: numpy.linspace(*hosts, num, endpoint, retstep, dtype, axis))


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> ndarray:
    if any(isinstance(v, ndarray) for v in (start, stop, step)):
        raise TypeError("Unsupported type <class 'cupy.ndarray'>")
    if stop is None:
        start, stop = 0, start
    return launch(lambda: numpy.arange(start, stop, step, dtype))


def concatenate(tup: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> ndarray:
    for a in tup:
        if not isinstance(a, ndarray):
            raise TypeError("Only cupy arrays can be concatenated")
    hosts = host(list(tup))

    def run() -> Any:
        return numpy.concatenate(hosts, axis, dtype=dtype, casting=casting)  # pyright: ignore

    if out is None:
        return launch(run)
    write(out._view, run)
    return out


def diag(v: Any, k: int = 0) -> ndarray:
    view = host(v)
    return launch(lambda: numpy.diag(view, k).copy())


def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> ndarray:
    view = host(x)

    def run() -> Any:
        return numpy.nan_to_num(view, nan=nan, posinf=posinf, neginf=neginf)

    if copy or not isinstance(x, ndarray):
        return launch(run)
    write(x._view, run)
    return x


def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    if max_work is not None:
        raise NotImplementedError("Only supported for `max_work` is `None`")
    return bool(numpy.may_share_memory(a._view, b._view)) and a.size > 0 and b.size > 0


def get_array_module(*args: Any) -> Any:
    import sys

    return sys.modules["cupy"] if any(isinstance(a, ndarray) for a in args) else numpy


def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None) -> ndarray:
    if a_min is None and a_max is None:
        raise ValueError("array_clip: must set either max or min")
    for value in (a_min, a_max):
        if value is not None and not isinstance(value, ndarray | numpy.generic | int | float):
            raise TypeError(f"Unsupported type {type(value)}")
    hosts = host([a, a_min, a_max])
    if out is None:
        return launch(lambda: numpy.clip(*hosts))
    write(out._view, lambda: numpy.clip(*hosts))
    return out


def check_sort_kind(kind: Any) -> None:
    if kind not in (None, "stable"):
        warnings.warn(f"'kind={kind}' is ignored: all of CuPy's sorts are stable", stacklevel=3)


def argsort(a: Any, axis: Any = -1, kind: Any = None) -> ndarray:
    check_sort_kind(kind)
    machine().refuse_capture()
    view = host(a)
    return launch(lambda: numpy.argsort(view, axis, kind="stable"))


def sort(a: Any, axis: Any = -1, kind: Any = None) -> ndarray:
    check_sort_kind(kind)
    machine().refuse_capture()
    view = host(a)
    return launch(lambda: numpy.sort(view, axis, kind="stable"))


def bincount(x: Any, weights: Any = None, minlength: Any = None) -> ndarray:
    if x.ndim > 1:
        raise ValueError("object too deep for desired array")
    if x.dtype.kind not in "iub" or x.dtype == numpy.uint64:
        raise TypeError("x must be int array")
    machine().to_host(machine().device)
    hosts = host([x, weights])
    return launch(lambda: numpy.bincount(*hosts, minlength=minlength or 0))


def transpose(a: Any, axes: Any = None) -> ndarray:
    return view_of(a, a._view.transpose(axes))


def broadcast_to(array: Any, shape: Any) -> ndarray:
    view = host(array)
    return launch(lambda: numpy.broadcast_to(view, shape), [array])


def broadcast_arrays(*args: Any) -> list[ndarray]:
    shape = numpy.broadcast_shapes(*(a.shape for a in args))
    return [a if a.shape == shape else broadcast_to(a, shape) for a in args]


def size(a: Any, axis: Any = None) -> int:
    return a.size if axis is None else a.shape[axis]


WRITTEN = {
    f.__name__: f
    for f in (
        *(array, asarray, ascontiguousarray, asnumpy, empty, zeros, ones, full, empty_like, zeros_like, ones_like),
        *(full_like, copyto, take, take_along_axis, put_along_axis, repeat, where, einsum, linspace, arange),
        *(concatenate, diag, nan_to_num, may_share_memory, get_array_module, clip, argsort, sort, bincount),
        *(transpose, broadcast_to, broadcast_arrays, size),
    )
} | {"asanyarray": asarray, "concat": concatenate, "shares_memory": may_share_memory}

#: What the module of CuPy holds, filled by :mod:`cupy_module`.
NAMESPACE: dict[str, Any] = {}


def checked(owner: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a written function that refuses the arguments that CuPy's has not."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        checked_arguments(owner, name, args, kwargs)
        return function(*args, **kwargs)

    return call


def _power(a: Any, b: Any, **kwargs: Any) -> Any:
    """Compute powers as inexactly as CUDA: float64 may be off by two units in the last place, even in ``3 ** 1``."""
    result = numpy.power(a, b, **kwargs)
    if getattr(result, "dtype", None) != numpy.float64:
        return result
    return numpy.where(abs(numpy.asarray(a)) == 1, result, numpy.nextafter(result, 0))


def _ufunc_computation(name: str) -> Any:
    return {"power": _power, "float_power": _power}.get(name) or getattr(numpy, name, None)


def fill_namespace(owner: str, space: dict[str, Any], further: dict[str, Any] | None = None) -> None:
    """Put everything that CuPy has in a module, and that can be computed here, into a dictionary."""
    for name, entry in API["modules"][owner].items():
        if further and name in further:
            space[name] = further[name]
        elif entry["kind"] == "ufunc":
            compute = _ufunc_computation(name)
            if compute is not None:
                space[name] = ufunc(name, entry, compute)
        elif entry["kind"] == "constant":
            space[name] = getattr(numpy, name, entry["value"])
        elif owner == "cupy" and name in WRITTEN:
            space[name] = checked(owner, name, WRITTEN[name])
        elif entry["kind"] == "class":
            value = getattr(numpy, name, None)
            if isinstance(value, type):
                space[name] = value
        elif entry["kind"] == "function" and "arguments" in entry:
            function = make_function(owner, name)
            if function is not None:
                space[name] = function


def ufunc_named(name: str) -> ufunc:
    """Return a ufunc of the module."""
    return NAMESPACE[name]


_METHOD_FUNCTIONS = {"round": "around", "max": "amax", "min": "amin"}


def call_method(name: str, array: ndarray, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the method of an array that is a function of the module."""
    entry = API["classes"]["cupy.ndarray"][name]
    checked_arguments("cupy.ndarray", name, (array, *args), kwargs)
    function = _METHOD_FUNCTIONS.get(name, name)
    bound = signature(entry["arguments"]).bind(array, *args, **kwargs)
    given = dict(list(bound.arguments.items())[1:])
    if name == "clip":
        given = {{"min": "a_min", "max": "a_max"}.get(k, k): v for k, v in given.items()}
        return clip(array, **given)
    if name in ("compress", "choose"):
        first = given.pop("condition" if name == "compress" else "choices")
        values = (first, array) if name == "compress" else (array, first)
        return NAMESPACE[name](*values, **given)
    if name == "put":
        given = {{"indices": "ind", "values": "v"}.get(k, k): v for k, v in given.items()}
    if name == "prod" and given.get("keepdims") is None:
        given.pop("keepdims", None)
    if name == "searchsorted":
        return NAMESPACE[name](array, **given)
    if name == "cumsum" or name == "cumprod":
        return NAMESPACE[name](array, **given)
    return NAMESPACE[function](array, **given)


def function_at(module: str | None, name: str) -> Any:
    """Return the function of CuPy for a function of NumPy, None if there is none."""
    parts = (module or "").split(".")[1:]
    found: Any = NAMESPACE
    for part in parts:
        found = vars(found[part]) if isinstance(found, dict) and part in found else None
        if found is None:
            return None
    with contextlib.suppress(KeyError):
        return found[name]
    return None
