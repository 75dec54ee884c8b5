"""The few functions of cuBLAS that are called by their C names, on the memory of the simulated devices."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy

from .machine import SimulatedDevice, machine

__all__ = ["SimulatedCublas"]

SUCCESS, NOT_INITIALIZED, INVALID_VALUE = 0, 1, 7


def _address(value: Any) -> int:
    """Return an address that was given as ctypes passes one; a bare number would be cut to 32 bits."""
    if not isinstance(value, ctypes.c_void_p | ctypes.c_size_t):
        raise ctypes.ArgumentError(f"Simulated GPU: an address must be a c_void_p, not {type(value).__name__}")
    return value.value or 0


def _integer(value: Any) -> int:
    if isinstance(value, ctypes.c_int | ctypes.c_int64 | ctypes.c_longlong):
        value = value.value
    if not isinstance(value, int) or not -(1 << 31) <= value < 1 << 31:
        raise ctypes.ArgumentError(f"Simulated GPU: {value!r} is no int of 32 bits")
    return value


def _stride(value: Any) -> int:
    if not isinstance(value, ctypes.c_longlong | ctypes.c_int64):
        raise ctypes.ArgumentError("Simulated GPU: a stride must be a c_longlong")
    return value.value


def _scalar(value: Any, kind: Any) -> float:
    """Return the number behind a pointer to the host's memory."""
    found = getattr(value, "_obj", None)
    if found is None and hasattr(value, "contents"):
        found = value.contents
    if not isinstance(found, kind):
        raise ctypes.ArgumentError(f"Simulated GPU: alpha and beta must be pointers to {kind.__name__}")
    return found.value


class _Handle:
    def __init__(self) -> None:
        self.device = machine().current
        self.stream = 0
        self.workspace = 0


class SimulatedCublas:
    """What a loaded ``libcublas`` is to ctypes.

    Attributes
    ----------
    calls : list of str
        The products that were asked for.
    """

    def __init__(self) -> None:
        self.calls: list[str] = []
        self._handles: dict[int, _Handle] = {}

    def cublasCreate_v2(self, handle: Any) -> int:
        machine().refuse_capture()
        number = 0xC0B1A500 + len(self._handles)
        handle._obj.value = number
        self._handles[number] = _Handle()
        return SUCCESS

    def cublasDestroy_v2(self, handle: Any) -> int:
        machine().refuse_capture()
        return SUCCESS if self._handles.pop(_address(handle), None) else NOT_INITIALIZED

    def cublasGetVersion_v2(self, handle: Any, version: Any) -> int:
        version._obj.value = 130000
        return SUCCESS

    def cublasSetStream_v2(self, handle: Any, stream: Any) -> int:
        found = self._handles.get(_address(handle))
        if found is None:
            return NOT_INITIALIZED
        found.stream, found.workspace = _address(stream), 0
        return SUCCESS

    def cublasSetWorkspace_v2(self, handle: Any, workspace: Any, size: Any) -> int:
        found = self._handles.get(_address(handle))
        if found is None:
            return NOT_INITIALIZED
        address = _address(workspace)
        if address % 256 or not machine().devices[found.device].is_held(address):
            return INVALID_VALUE
        found.workspace = address
        return SUCCESS

    def cublasSetMathMode(self, handle: Any, mode: Any) -> int:
        return SUCCESS if _address(handle) in self._handles and _integer(mode) >= 0 else NOT_INITIALIZED

    def cublasSgemm_v2(self, handle: Any, *arguments: Any) -> int:
        return self._gemm("cublasSgemm", handle, numpy.dtype("float32"), ctypes.c_float, arguments)

    def cublasDgemm_v2(self, handle: Any, *arguments: Any) -> int:
        return self._gemm("cublasDgemm", handle, numpy.dtype("float64"), ctypes.c_double, arguments)

    def cublasSgemmStridedBatched(self, handle: Any, *arguments: Any) -> int:
        return self._batched("cublasSgemmStridedBatched", handle, numpy.dtype("float32"), ctypes.c_float, arguments)

    def cublasDgemmStridedBatched(self, handle: Any, *arguments: Any) -> int:
        return self._batched("cublasDgemmStridedBatched", handle, numpy.dtype("float64"), ctypes.c_double, arguments)

    def _gemm(self, name: str, handle: Any, dtype: Any, kind: Any, arguments: tuple[Any, ...]) -> int:
        turn_a, turn_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc = arguments
        none = ctypes.c_longlong(0)
        batched = (turn_a, turn_b, m, n, k, alpha, a, lda, none, b, ldb, none, beta, c, ldc, none, 1)
        return self._batched(name, handle, dtype, kind, batched)

    def _batched(self, name: str, handle: Any, dtype: Any, kind: Any, arguments: tuple[Any, ...]) -> int:
        turn_a, turn_b, m, n, k, alpha, a, lda, step_a, b, ldb, step_b, beta, c, ldc, step_c, count = arguments
        turn_a, turn_b, m, n, k, lda, ldb, ldc, count = map(_integer, (turn_a, turn_b, m, n, k, lda, ldb, ldc, count))
        found = self._handles.get(_address(handle))
        if found is None:
            return NOT_INITIALIZED
        if (
            min(m, n, k, count) < 0
            or lda < max(1, k if turn_a else m)
            or ldb < max(1, n if turn_b else k)
            or ldc < max(1, m)
        ):
            return INVALID_VALUE
        first, second = _scalar(alpha, kind), _scalar(beta, kind)
        device = machine().devices[found.device]
        view = _viewer(device, dtype, count)
        at, bt = view(a, (k, m) if turn_a else (m, k), lda, step_a), view(b, (n, k) if turn_b else (k, n), ldb, step_b)
        target = view(c, (m, n), ldc, step_c)
        if turn_a:
            at = at.swapaxes(1, 2)
        if turn_b:
            bt = bt.swapaxes(1, 2)

        def run() -> None:
            product = dtype.type(first) * numpy.matmul(at, bt)
            target[...] = product if second == 0 else product + dtype.type(second) * target

        capturing = found.stream in machine().captures
        if capturing and not found.workspace:
            machine().refuse_capture()  # cuBLAS would allocate
        if machine().current != found.device:
            return INVALID_VALUE
        machine().submit(run, found.stream)
        self.calls.append(name)
        return SUCCESS


def _viewer(device: SimulatedDevice, dtype: numpy.dtype, count: int) -> Callable[..., numpy.ndarray]:
    """Return a function that shows matrices which lie in columns, as arrays of three axes."""

    def view(address: Any, shape: tuple[int, int], leading: int, step: Any) -> numpy.ndarray:
        place, size = _address(address), dtype.itemsize
        if not device.contains(place) or not device.is_held(place):
            raise RuntimeError(f"Simulated GPU: a matrix at {place:#x} is no memory of the device that anybody holds.")
        strides = (_stride(step) * size, size, leading * size)
        last = sum(max(n - 1, 0) * s for n, s in zip((count, *shape), strides, strict=True))
        if not device.is_held(place + last):
            raise RuntimeError("Simulated GPU: a matrix ends behind the memory that it lies in.")
        return device.view(place, (count, *shape), dtype, strides)

    return view
