"""``cupy.ufunc``: the types that CuPy's accept, computed by NumPy's."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy

from . import arrays
from .launching import check_device, launch, write
from .machine import machine

_WEAK = {float: numpy.dtype("float64"), complex: numpy.dtype("complex128"), int: numpy.dtype("int64")}
_KINDS = "bui fc"


class _Scalar:
    """A scalar argument: its dtype, and its Python type if it bends to the arrays' dtype."""

    def __init__(self, value: Any) -> None:
        self.value = value
        kind = type(value)
        self.weak = kind if kind in _WEAK else None
        if kind is bool:
            self.dtype = numpy.dtype(bool)
        elif self.weak is not None:
            self.dtype = numpy.dtype("uint64") if kind is int and value >= 1 << 63 else _WEAK[kind]
        elif isinstance(value, numpy.generic):
            self.dtype = value.dtype
        else:
            raise TypeError(f"Unsupported type {kind}")


def _argument(value: Any) -> Any:
    if isinstance(value, arrays.ndarray):
        check_device(value)
        return value
    return _Scalar(value)


def _kind(dtype: numpy.dtype) -> int:
    return {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}[dtype.kind]


class ufunc:
    """A function that works element by element."""

    def __init__(self, public_name: str, entry: dict[str, Any], compute: Callable[..., Any]) -> None:
        self.__name__ = self.name = entry["name"]
        self._public_name = public_name
        self.nin: int = entry["nin"]
        self.nout: int = entry["nout"]
        self.nargs = self.nin + self.nout
        self.types: list[str] = entry["types"]
        self._scatter = entry["scatter"]
        self._casting = entry["casting"]
        self._compute = compute
        self._loops = [tuple(tuple(numpy.dtype(c) for c in part) for part in types.split("->")) for types in self.types]
        self._guess = functools.cache(self._guess_loop)

    def __repr__(self) -> str:
        return f"<ufunc '{self.name}'>"

    # --- types ---

    def _guess_loop(self, dtypes: tuple[Any, ...], weak: tuple[Any, ...]) -> Any:
        for loop in self._loops:
            for have, bends, want in zip(dtypes, weak, loop[0], strict=True):
                if numpy.can_cast(have, want):
                    continue
                if not bends:
                    break
                try:
                    if numpy.result_type(bends(0), want) != want:
                        break
                except TypeError:
                    break
            else:
                return loop
        return None

    def _loop_for(self, inputs: list[Any], dtype: Any) -> Any:
        if dtype is not None:
            found = next((x for x in self._loops if all(t == dtype for t in x[1])), None)
            wrong: Any = dtype
        else:
            dtypes = tuple(x.dtype for x in inputs)
            weak = tuple(x.weak if isinstance(x, _Scalar) else None for x in inputs)
            strong = [_kind(x.dtype) for x in inputs if not isinstance(x, _Scalar)]
            scalars = [_kind(x.dtype) for x in inputs if isinstance(x, _Scalar)]
            if not (strong and scalars and max(strong) >= max(scalars)):
                weak = (None,) * len(inputs)
            found = self._guess(dtypes, weak)
            wrong = dtypes
        if found is None:
            raise TypeError(f"Wrong type ({wrong}) of arguments for {self.name}")
        return found

    # --- the call ---

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        where = kwargs.pop("_where", None)
        dtype = kwargs.pop("dtype", None)
        casting = kwargs.pop("casting", self._casting)
        if kwargs:
            raise TypeError(f"Wrong arguments {kwargs}")
        if not self.nin <= len(args) <= self.nargs:
            raise TypeError(
                f"Wrong number of arguments for {self.name!r}. It must be either {self.nin} or {self.nargs}"
                f" (with outputs), but given {len(args)}."
            )
        outs = self._outputs(args[self.nin :], out)
        inputs = [_argument(a) for a in args[: self.nin]]
        for o in outs:
            if o is not None:
                if not isinstance(o, arrays.ndarray):
                    raise TypeError(f"Unsupported type {type(o)}")
                check_device(o)
        in_types, out_types = self._loop_for(inputs, None if dtype is None else numpy.dtype(dtype))
        compute = self._computation(inputs, in_types, out_types, where)
        if all(o is None for o in outs):
            return launch(compute)
        return self._into(outs, compute, out_types, casting, inputs)

    def _outputs(self, positional: tuple[Any, ...], out: Any) -> list[Any]:
        if out is not None and positional:
            raise ValueError("Cannot specify 'out' as both a positional and keyword argument")
        if out is None:
            found = list(positional)
        elif isinstance(out, tuple):
            if len(out) != self.nout:
                raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
            found = list(out)
        elif self.nout != 1:
            raise ValueError("'out' must be a tuple of arrays")
        else:
            found = [out]
        return found + [None] * (self.nout - len(found))

    def _computation(self, inputs: list[Any], in_types: Any, out_types: Any, where: Any) -> Callable[[], Any]:
        hosts = [
            numpy.array(x.value).astype(t) if isinstance(x, _Scalar) and x.weak is None else
            numpy.array(x.value, t) if isinstance(x, _Scalar) else x._view
            for x, t in zip(inputs, in_types, strict=True)
        ]  # fmt: skip

        def compute() -> Any:
            result = self._compute(*(h.astype(t, copy=False) for h, t in zip(hosts, in_types, strict=True)))
            if self.nout == 1:
                return numpy.asarray(result).astype(out_types[0], copy=False)
            return tuple(numpy.asarray(r).astype(t, copy=False) for r, t in zip(result, out_types, strict=True))

        if where is not None:
            raise NotImplementedError("The stand-in does not model _where.")
        return compute

    def _into(
        self, outs: list[Any], compute: Callable[[], Any], out_types: Any, casting: str, inputs: list[Any]
    ) -> Any:
        shape = numpy.broadcast_shapes(*(() if isinstance(x, _Scalar) else x.shape for x in inputs))
        results = []
        for i, (o, t) in enumerate(zip(outs, out_types, strict=True)):
            if o is None:
                o = arrays.ndarray(shape, t)
            if numpy.broadcast_shapes(shape, o.shape) != o.shape:
                raise ValueError("Out shape is mismatched")
            if not numpy.can_cast(t, o.dtype, casting):
                raise TypeError(
                    f"output (typecode {t.char!r}) could not be coerced to provided output parameter (typecode"
                    f" {o.dtype.char!r}) according to the casting rule {casting!r}"
                )
            write(o._view, compute if self.nout == 1 else lambda i=i: compute()[i])
            results.append(o)
        return results[0] if self.nout == 1 else tuple(results)

    # --- methods: only those that CuPy has ---

    def outer(self, A: Any, B: Any, **kwargs: Any) -> Any:
        from .functions import array

        A, B = array(A), array(B)
        return self(A.reshape(A.shape + (1,) * B.ndim), B.reshape((1,) * A.ndim + B.shape), **kwargs)

    def at(self, a: Any, indices: Any, b: Any = None) -> None:
        if self._scatter is None:
            raise NotImplementedError(f"`{self.name}.at` is not supported yet")
        arrays.scatter(a, indices, b, self._scatter)

    def reduce(self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        if self.name == "cupy_add":
            return array.sum(axis, dtype, out, keepdims)
        if self.name == "cupy_multiply":
            return array.prod(axis, dtype, out, keepdims)
        raise NotImplementedError(f"`{self.name}.reduce` is not supported yet")

    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        if self.name == "cupy_add":
            return array.cumsum(axis, dtype, out)
        if self.name == "cupy_multiply":
            return array.cumprod(axis, dtype, out)
        raise NotImplementedError(f"`{self.name}.accumulate` is not supported yet")

    def reduceat(self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        if self.name == "cupy_add":
            machine()
            return launch(lambda: numpy.add.reduceat(array._view, indices._view, axis, dtype))
        raise NotImplementedError(f"`{self.name}.reduceat` is not supported yet")
