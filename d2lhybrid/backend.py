"""The array module behind each context: NumPy on the CPU, CuPy on a GPU.

This is the only module that imports CuPy, and it does so when the first GPU context is used.
"""

from __future__ import annotations

import contextlib
import functools
import random
import threading
from collections.abc import Iterator
from typing import Any

import numpy

from .context import Context
from .errors import MXNetError

__all__ = [
    "array_module",
    "asnumpy",
    "cuda_module",
    "empty_cache",
    "forget_devices",
    "generator",
    "gpu_memory_info",
    "has_gpu",
    "module_of",
    "nccl",
    "num_gpus",
    "seed",
    "separate_random_state",
    "stream_address",
    "synchronize",
    "to_context",
]


@functools.cache
def _cupy() -> Any:
    """Import CuPy and find a device, or raise one clear error."""
    try:
        import cupy  # pyright: ignore[reportMissingImports]
    except ImportError:
        error = MXNetError("GPU is not enabled")
        error.add_note(
            "CuPy is not installed. Install it with `pip install d2lhybrid[cuda12]` or `[cuda13]`, or use mx.cpu()."
        )
        raise error from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except Exception as reason:
        error = MXNetError("GPU is not enabled")
        error.add_note(f"CuPy is installed but finds no GPU driver ({reason}). Use mx.cpu().")
        raise error from None
    if count == 0:
        raise MXNetError("GPU is not enabled")
    return cupy


def has_gpu() -> bool:
    """Return whether CuPy and at least one GPU are there."""
    return num_gpus() > 0


def num_gpus() -> int:
    """Return the number of GPUs, 0 without CuPy or without a driver."""
    try:
        return _cupy().cuda.runtime.getDeviceCount()
    except MXNetError:
        return 0


def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """Return (free, total) bytes of a GPU."""
    with _device(Context("gpu", device_id)):
        return _cupy().cuda.runtime.memGetInfo()


def _device(context: Context) -> Any:
    cupy = _cupy()
    if context.device_id >= num_gpus():
        raise MXNetError(
            f"Check failed: device_id < num_gpus: {context} was asked for, but there are only {num_gpus()} GPUs"
        )
    return cupy.cuda.Device(context.device_id)


def array_module(context: Context) -> Any:
    """Return NumPy for a CPU context, CuPy (with its device made current) for a GPU.

    Raises
    ------
    MXNetError
        ``GPU is not enabled``, with what is missing as a note.
    """
    if context.device_typeid != 2:
        return numpy
    _device(context).use()
    return _cupy()


def module_of(array: Any) -> Any:
    """Return the array module of a raw array."""
    return numpy if isinstance(array, numpy.ndarray | numpy.generic) else _cupy()


def asnumpy(array: Any) -> numpy.ndarray:
    """Return a raw array as a NumPy array; the same object on the CPU."""
    return array if isinstance(array, numpy.ndarray) else _cupy().asnumpy(array)


def to_context(array: Any, context: Context) -> Any:
    """Return a raw array on a context: a copy if it changes device, else itself."""
    if context.device_typeid != 2:
        return asnumpy(array)
    with _device(context):
        return _cupy().asarray(array)


@functools.cache
def cuda_module(source: str) -> Any:
    """Compile a text in CUDA C, and return the module: ``get_function(name)`` gives its kernels.

    CuPy compiles with NVRTC, for each device when it is first used there, and keeps what it made on disk.
    """
    return _cupy().RawModule(code=source, options=("--std=c++17",))


def nccl() -> Any:
    """Return CuPy's wrapper of NCCL, None where there is no GPU or no NCCL."""
    try:
        module = _cupy().cuda.nccl
    except MXNetError:
        return None
    return module if module.available else None


def stream_address(context: Context) -> int:
    """Return the address of the stream that a GPU works through now."""
    return array_module(context).cuda.get_current_stream().ptr


def synchronize() -> None:
    """Wait until every GPU has finished what was started; the CPU has no queue."""
    if _cupy.cache_info().currsize:
        cupy = _cupy()
        for i in range(num_gpus()):
            with cupy.cuda.Device(i):
                cupy.cuda.runtime.deviceSynchronize()


def forget_devices() -> None:
    """Forget what is known of CuPy and its devices: the next use looks again."""
    _cupy.cache_clear()
    cuda_module.cache_clear()
    with _generators_lock:
        _generators.clear()


def empty_cache(context: Context) -> None:
    """Free the unused blocks of a GPU's memory pool."""
    if context.device_typeid == 2:
        with _device(context):
            _cupy().get_default_memory_pool().free_all_blocks()


# Random streams: one a context, so that what one device draws does not depend on another.

_generators: dict[Context, Any] = {}
_generators_lock = threading.Lock()
_base_seed: int | None = None


def generator(context: Context) -> Any:
    """Return the random generator of a context."""
    try:
        return _generators[context]
    except KeyError:
        pass
    with _generators_lock:
        if context not in _generators:
            start = random.SystemRandom().getrandbits(63) if _base_seed is None else _base_seed
            _generators[context] = _new_generator(context, (start, context.device_typeid, context.device_id))
        return _generators[context]


def _new_generator(context: Context, entropy: Any) -> Any:
    sequence = numpy.random.SeedSequence(entropy)
    if context.device_typeid == 2:
        array_module(context)
        return _cupy().random.default_rng(int(sequence.generate_state(1, numpy.uint64)[0]))
    return numpy.random.default_rng(sequence)


def seed(seed_state: int, context: Context | None = None) -> None:
    """Start the random stream of one context, or of all, anew."""
    global _base_seed
    with _generators_lock:
        if context is None:
            _base_seed = seed_state
            _generators.clear()
        else:
            _generators[context] = _new_generator(context, (seed_state, context.device_typeid, context.device_id))


@contextlib.contextmanager
def separate_random_state() -> Iterator[None]:
    """Draw from other random streams inside the scope: those of outside go on afterwards as if nothing had been."""
    global _base_seed
    with _generators_lock:
        kept = dict(_generators), _base_seed
        _generators.clear()
        _base_seed = None
    try:
        yield
    finally:
        with _generators_lock:
            _generators.clear()
            _generators.update(kept[0])
            _base_seed = kept[1]
