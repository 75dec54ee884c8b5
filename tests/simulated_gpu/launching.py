"""How a call on device arrays is run: NumPy computes it on the device's memory, the result goes into new memory there.

While a stream is being captured, the call is computed once only to learn the shape of its result; what is recorded is
a function that computes it again from the memory's contents of that time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy

from . import arrays
from .machine import machine


def host(value: Any) -> Any:
    """Return an argument with the device's memory in place of device arrays; refuse what CuPy refuses."""
    if isinstance(value, arrays.ndarray):
        check_device(value)
        return value._view
    if isinstance(value, tuple | list):
        return type(value)(host(v) for v in value) if type(value) in (tuple, list) else value
    if isinstance(value, numpy.ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    return value


def check_device(array: arrays.ndarray) -> None:
    """Raise if an array is on another device than the current one."""
    current = machine().current
    if array._number != current:
        raise ValueError(
            f"The device where the array resides ({array._number}) is different from the current device ({current})."
            " Peer access is unavailable between these devices."
        )


def device_arrays(values: Iterable[Any]) -> Iterator[arrays.ndarray]:
    """Yield the device arrays among arguments."""
    for value in values:
        if isinstance(value, arrays.ndarray):
            yield value
        elif isinstance(value, tuple | list):
            yield from device_arrays(value)


def _leaves(value: Any) -> list[Any]:
    return [leaf for v in value for leaf in _leaves(v)] if isinstance(value, tuple | list) else [value]


class _Wrapper:
    """Makes device arrays out of a result of NumPy."""

    def __init__(self, parents: list[arrays.ndarray], keep_layout: bool) -> None:
        self.parents = parents
        self.keep_layout = keep_layout
        self.place = -1
        self.fresh: list[tuple[numpy.ndarray, int]] = []

    def wrap(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(self.wrap(v) for v in value)
        if isinstance(value, list):
            return [self.wrap(v) for v in value]
        self.place += 1
        if not isinstance(value, numpy.ndarray | numpy.generic):
            return value
        if isinstance(value, numpy.ndarray) and value.size:
            device = machine().owner(value.ctypes.data)
            if device is not None:
                return self._view_of(value)
        if value.dtype.kind not in "?biufc":
            raise ValueError(f"Unsupported dtype {value.dtype}")
        order = "F" if self.keep_layout and value.flags.f_contiguous and not value.flags.c_contiguous else "C"
        new = arrays.ndarray(value.shape, value.dtype, order=order)
        self.fresh.append((new._view, self.place))
        return new

    def _view_of(self, value: numpy.ndarray) -> arrays.ndarray:
        for parent in self.parents:
            if parent._view is value:
                return parent
        address = value.ctypes.data
        for parent in self.parents:
            memory = parent._memory
            if memory.ptr <= address < memory.ptr + max(memory.size, 1):
                return arrays.view_of(parent, value)
        raise AssertionError("a view of no argument")


def launch(
    compute: Callable[[], Any], parents: Iterable[arrays.ndarray] = (), keep_layout: bool = False, launches: int = 1
) -> Any:
    """Run or record a computation and return its result on the device."""
    with numpy.errstate(all="ignore"):
        result = compute()
    wrapper = _Wrapper(list(parents), keep_layout)
    wrapped = wrapper.wrap(result)
    if wrapper.fresh:
        capturing = machine().captures
        first: list[Any] | None = _leaves(result)

        def action() -> None:
            nonlocal first
            values = first or _leaves(compute())
            first = None
            for target, place in wrapper.fresh:
                numpy.copyto(target, values[place], casting="unsafe")

        if capturing:
            first = None
        machine().submit(action, launches=launches)
    return wrapped


def write(target: numpy.ndarray, compute: Callable[[], Any]) -> None:
    """Run or record a computation whose result goes into memory that is there."""
    machine().submit(lambda: numpy.copyto(target, compute(), casting="unsafe"))


def run_in_place(action: Callable[[], Any]) -> None:
    """Run or record something that writes into its arguments."""
    machine().submit(action)
