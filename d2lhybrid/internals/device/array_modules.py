"""The array module of each context: NumPy for the CPU, CuPy for a GPU.

This is the only module that imports CuPy. It imports CuPy when the first GPU context is used.

Every thread has a current device in CUDA, on which kernels run and memory is allocated. Code that uses a context makes
the device of this context current, with :func:`use`, :func:`array_module`, or :func:`module_of`. Afterwards, the device
remains current, because restoring the previous device would double the cost of the switch in every call of an operator.
A program that calls CuPy directly on several devices must set the device of each block: ``with cupy.cuda.Device(1):``.

Only :func:`synchronize`, :func:`asnumpy`, and copies to the host wait for a device.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from ...context import Context
from ...error import MXNetError
from ..support.locks import new_lock
from ..support.machine import in_browser
from ..support.scopes import Scope, Switches
from .heap import return_freed_memory

__all__ = [
    "array_module",
    "asnumpy",
    "cuda_module",
    "drawing_from",
    "empty",
    "empty_cache",
    "forget_devices",
    "generator",
    "gpu_memory_info",
    "has_gpu",
    "is_out_of_memory",
    "module_of",
    "nccl",
    "num_gpus",
    "out_of_memory",
    "random_state",
    "refuse_devices",
    "seed",
    "separate_random_state",
    "separate_streams",
    "spawn_seed",
    "stream_address",
    "synchronize",
    "to_context",
    "use",
    "with_memory",
]

#: The first version of CuPy with NumPy 2's type promotion.
OLDEST_CUPY = 14

#: The IDs of the devices that this process has used.
_used: set[int] = set()
#: The reason why this process must not use any device, which becomes a note of the error; empty if it may use devices.
_refused = ""


# --- finding CuPy and its devices --------------------------------------------------------------


@functools.cache
def _cupy() -> Any:
    """Import CuPy, check that it finds a device, and return the module.

    Raises
    ------
    MXNetError
        If CuPy or a GPU is missing: ``GPU is not enabled``, with the reason as a note.
    """
    if in_browser():
        raise _not_enabled("Python cannot use a GPU in a browser. Use mx.cpu().")
    if _refused:
        raise _not_enabled(_refused)
    try:
        import cupy  # pyright: ignore[reportMissingImports]
    except ImportError as reason:
        if isinstance(reason, ModuleNotFoundError) and reason.name == "cupy":
            raise _not_enabled(
                f"CuPy is not installed. Install it with {_how_to_install()}. Alternatively, use mx.cpu()."
            ) from None
        raise _not_enabled(_broken(reason)) from None
    except Exception as reason:  # a CuPy that is incomplete or incompatible with NumPy raises errors of many types
        raise _not_enabled(_broken(reason)) from None
    version = str(getattr(cupy, "__version__", ""))
    if version.partition(".")[0].isdigit() and int(version.partition(".")[0]) < OLDEST_CUPY:
        raise _not_enabled(
            f"CuPy {version} is too old: version {OLDEST_CUPY} or newer is required. "
            f"Install a newer version with {_how_to_install()}. Alternatively, use mx.cpu()."
        )
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except Exception as reason:
        raise _not_enabled(_no_driver(reason)) from None
    if count == 0:
        raise _not_enabled(
            "CuPy is installed but finds no GPU. Check whether CUDA_VISIBLE_DEVICES hides the GPU, or use mx.cpu()."
        )
    return cupy


def _not_enabled(note: str) -> MXNetError:
    error = MXNetError("GPU is not enabled")
    error.add_note(note)
    return error


def _how_to_install() -> str:
    """Return the install commands for both versions of CUDA."""
    from ..support.install_commands import extra_command

    return f"`{extra_command('cuda12')}` (CUDA 12) or `{extra_command('cuda13')}` (CUDA 13)"


def _broken(reason: Exception) -> str:
    lines = [line.strip() for line in str(reason).splitlines() if line.strip(" =-")]
    said = lines[-1] if lines else type(reason).__name__
    return (
        f"CuPy is installed but cannot be imported ({said}). Install only the CuPy package for your version of CUDA: "
        f"{_how_to_install()}. Alternatively, use mx.cpu()."
    )


def _no_driver(reason: Exception) -> str:
    if "InsufficientDriver" in str(reason):
        return (
            "CuPy is installed but finds no GPU driver, or a driver that is too old for CuPy's version of CUDA "
            f"({reason}). Run `nvidia-smi` to see the driver's version of CUDA, and install CuPy for this version: "
            f"{_how_to_install()}. Alternatively, use mx.cpu()."
        )
    return f"CuPy is installed but cannot use a GPU ({reason}). Run `nvidia-smi` to check the driver, or use mx.cpu()."


def has_gpu() -> bool:
    """Return whether CuPy and at least one GPU are available."""
    return num_gpus() > 0


def num_gpus() -> int:
    """Return the number of GPUs, which is 0 without CuPy or without a driver."""
    try:
        return _cupy().cuda.runtime.getDeviceCount()
    except MXNetError:
        return 0


def forget_devices() -> None:
    """Forget CuPy, its devices, and their random streams, so that the next use searches again (for tests)."""
    _cupy.cache_clear()
    cuda_module.cache_clear()
    _used.clear()
    with _generators_lock:
        for context in [c for c in _generators if c.device_typeid == 2]:
            del _generators[context]


def refuse_devices(note: str) -> None:
    """Disable GPUs in this process, such as a forked child, which can't use the CUDA state of its parent.

    Parameters
    ----------
    note : str
        The alternative, as a sentence that becomes a note of the error.
    """
    global _refused
    _refused = note
    forget_devices()


# --- the device that is current ----------------------------------------------------------------


def _activate(device_id: int) -> Any:
    """Make a device current in this thread, and return CuPy."""
    cupy = _cupy()
    try:
        cupy.cuda.runtime.setDevice(device_id)
    except Exception as reason:
        raise _no_such_device(cupy, device_id, reason) from None
    if device_id not in _used:
        _first_use(cupy, device_id)
    return cupy


def _no_such_device(cupy: Any, device_id: int, reason: Exception) -> MXNetError:
    count = cupy.cuda.runtime.getDeviceCount()
    if 0 <= device_id < count:
        error = MXNetError(f"Check failed: e == cudaSuccess || e == cudaErrorCudartUnloading: CUDA: {reason}")
        error.add_note(f"gpu({device_id}) exists but cannot be used. Run `nvidia-smi` for details.")
        return error
    error = MXNetError("Check failed: e == cudaSuccess || e == cudaErrorCudartUnloading: CUDA: invalid device ordinal")
    names = [_device_name(cupy, i) for i in range(count)]
    found = ", ".join(f"gpu({i}) ({name})" for i, name in enumerate(names))
    error.add_note(f"gpu({device_id}) does not exist. This machine has {found or 'no GPU'}.")
    return error


def _device_name(cupy: Any, device_id: int) -> str:
    name = cupy.cuda.runtime.getDeviceProperties(device_id)["name"]
    return name.decode() if isinstance(name, bytes) else str(name)


def _first_use(cupy: Any, device_id: int) -> None:
    """Reserve a percentage of the GPU's memory for other processes, if MXNet's environment variable is set."""
    reserve = os.environ.get("MXNET_GPU_MEM_POOL_RESERVE")
    if reserve is not None:
        try:
            fraction = 1 - float(reserve) / 100
            cupy.get_default_memory_pool().set_limit(fraction=fraction)
        except ValueError:
            raise MXNetError(
                f"MXNET_GPU_MEM_POOL_RESERVE must be a percentage from 0 to 100, not {reserve!r}"
            ) from None
    _used.add(device_id)


def use(context: Context) -> None:
    """Make the device of a GPU context current in this thread; a CPU context changes nothing."""
    if context.device_typeid == 2:
        _activate(context.device_id)


def array_module(context: Context) -> Any:
    """Return NumPy for a CPU context, or CuPy for a GPU context, whose device becomes current.

    Raises
    ------
    MXNetError
        If CuPy or a GPU is missing (``GPU is not enabled``, with the reason as a note), or if the device doesn't exist.
    """
    if context.device_typeid != 2:
        return numpy
    return _activate(context.device_id)


def module_of(array: Any) -> Any:
    """Return the array module of a raw array; the device of a GPU array becomes current."""
    if isinstance(array, numpy.ndarray | numpy.generic):
        return numpy
    return _activate(array.device.id)


def synchronize(context: Context | None = None) -> None:
    """Wait until a GPU or, by default, every GPU in use has finished all work; for a CPU, return immediately."""
    if context is not None:
        if context.device_typeid == 2:
            _activate(context.device_id).cuda.runtime.deviceSynchronize()
    elif _used:
        cupy = _cupy()
        for i in sorted(_used):
            cupy.cuda.Device(i).synchronize()


# --- copies ------------------------------------------------------------------------------------


def asnumpy(array: Any) -> numpy.ndarray:
    """Return a raw array as a NumPy array; an array on the CPU is returned unchanged."""
    return array if isinstance(array, numpy.ndarray) else module_of(array).asnumpy(array)


def to_context(array: Any, context: Context) -> Any:
    """Return a raw array on a context, as a copy if the array is on another device.

    The device of a GPU context is current afterwards. If there is a GPU, a copy on ``cpu_pinned`` is in page-locked
    memory, from which a GPU reads faster.

    Parameters
    ----------
    array : numpy.ndarray or cupy.ndarray
        The raw array.
    context : Context
        The target context.

    Returns
    -------
    numpy.ndarray or cupy.ndarray
        The array on the context.
    """
    if context.device_typeid == 2:
        try:
            return _to_device(array, context.device_id)
        except MemoryError as error:
            if not is_out_of_memory(error):
                raise
            failure = error
        try:
            return with_memory(lambda: _to_device(array, context.device_id), context, failure)
        except MXNetError as error:
            error.add_note(f"while copying an array of shape {tuple(array.shape)} and type {array.dtype} to {context}")
            raise
    if context.device_typeid == 3 and has_gpu():
        return _to_pinned(array, context.device_id)
    return asnumpy(array)


def _to_device(array: Any, device_id: int) -> Any:
    cupy = _activate(device_id)
    if isinstance(array, cupy.ndarray) and array.device.id != device_id:
        array = module_of(array).ascontiguousarray(array)  # CuPy copies only contiguous arrays between devices
        _activate(device_id)
    return cupy.asarray(array)


def empty(shape: tuple[int, ...], dtype: Any, context: Context) -> Any:
    """Return an uninitialized raw array on a context.

    Parameters
    ----------
    shape : tuple of int
        Shape of the array.
    dtype : numpy.dtype
        Element type of the array.
    context : Context
        Device of the array.

    Returns
    -------
    numpy.ndarray or cupy.ndarray
        The array, whose elements have arbitrary values.
    """
    if context.device_typeid == 3 and has_gpu():
        return _empty_pinned(shape, dtype, context.device_id)
    return array_module(context).empty(shape, dtype)


def _to_pinned(array: Any, device_id: int) -> numpy.ndarray:
    result = _empty_pinned(array.shape, array.dtype, device_id)
    result[...] = asnumpy(array)
    return result


def _empty_pinned(shape: tuple[int, ...], dtype: Any, device_id: int) -> numpy.ndarray:
    import cupyx  # pyright: ignore[reportMissingImports]

    _activate(device_id if device_id < num_gpus() else 0)
    return numpy.empty(shape, dtype) if 0 in shape else cupyx.empty_pinned(shape, dtype)


# --- memory ------------------------------------------------------------------------------------


def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """Return the free and the total memory of a GPU, in bytes.

    Memory that this process has freed counts as used while the memory pool keeps it. :func:`empty_cache` releases this
    memory.
    """
    return _activate(device_id).cuda.runtime.memGetInfo()


def empty_cache(context: Context) -> None:
    """Release the unused blocks of a GPU's memory pool or, for a CPU, the freed memory that this process keeps."""
    if context.device_typeid == 2:
        cupy = _activate(context.device_id)
        cupy.get_default_memory_pool().free_all_blocks()
        cupy.get_default_pinned_memory_pool().free_all_blocks()
    else:
        return_freed_memory()


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an exception means that GPU memory is exhausted."""
    name = type(error).__name__
    if name == "CUDARuntimeError":
        return getattr(error, "status", None) == 2  # cudaErrorMemoryAllocation
    return name == "OutOfMemoryError" or "STATUS_ALLOC_FAILED" in str(error)


def out_of_memory(error: BaseException, context: Context) -> MXNetError:
    """Return MXNet's error for exhausted GPU memory, with notes about the use of the memory and about remedies.

    Parameters
    ----------
    error : BaseException
        The error of CuPy or CUDA.
    context : Context
        The context of the GPU.

    Returns
    -------
    MXNetError
        The error to raise.
    """
    cupy = _activate(context.device_id)
    free, total = cupy.cuda.runtime.memGetInfo()
    pool = cupy.get_default_memory_pool()
    arrays, held = pool.used_bytes(), pool.total_bytes()
    result = MXNetError("cudaMalloc retry failed: out of memory")
    result.add_note(
        f"{context}: {error}\n"
        f"Free memory: {_gib(free)} of {_gib(total)}. This process holds {_gib(held)}, including {_gib(arrays)} for "
        "arrays."
    )
    result.add_note(
        "Use smaller batches, or delete references to arrays. A list of losses, for example, keeps the tape of each "
        "loss: append loss.asscalar() instead. To see other processes on the GPU, run `nvidia-smi`. To release memory "
        f"that this process holds but does not use, call mx.{context}.empty_cache()."
    )
    return result


def _gib(size: int) -> str:
    return f"{size / 2**30:.2f} GiB" if size >= 2**30 // 10 else f"{size / 2**20:.1f} MiB"


def with_memory(run: Callable[[], Any], context: Context, error: BaseException) -> Any:
    """Empty the memory pool of a GPU and repeat a call that failed because memory was exhausted.

    Parameters
    ----------
    run : callable
        The call that failed.
    context : Context
        The context of the call.
    error : BaseException
        The exception, which is raised again if it isn't about memory. The caller must have dropped the partial results
        of the call.

    Returns
    -------
    object
        The result of the call.

    Raises
    ------
    MXNetError
        If memory is still exhausted. The notes contain the amounts of used memory, and remedies.
    """
    if not is_out_of_memory(error):
        raise error
    empty_cache(context)
    try:
        return run()
    except Exception as second:
        if not is_out_of_memory(second):
            raise
        explained = out_of_memory(second, context)
    raise explained


# --- generated kernels -------------------------------------------------------------------------


@functools.cache
def cuda_module(source: str) -> Any:
    """Compile CUDA C source code and return the module, whose ``get_function(name)`` returns kernels.

    CuPy compiles the code with NVRTC when a device first uses the module, and caches the binaries on disk.
    """
    return _cupy().RawModule(code=source, options=("--std=c++17",))


def nccl() -> Any:
    """Return CuPy's wrapper of NCCL, or None without a GPU or NCCL."""
    try:
        return _nccl(_cupy())
    except MXNetError:
        return None


@functools.cache
def _nccl(cupy: Any) -> Any:
    """Return CuPy's submodule for NCCL, which ``import cupy`` doesn't import."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # CuPy warns if the library is missing, but the caller handles this case
        module = importlib.import_module(f"{cupy.__name__}.cuda.nccl")
    return module if module.available else None


def stream_address(context: Context) -> int:
    """Return the address of the current stream of a GPU."""
    return array_module(context).cuda.get_current_stream().ptr


# --- random streams: one per context, so that devices draw independently -----------------------

_generators: dict[Context, Any] = {}
_generators_lock = new_lock()
_base_seed: int | None = None
#: The generator that a thread uses instead of a context's generator, and the separate streams of a thread with their
#: seed.
_lent = Switches(generator=None, streams=None, seed=None)


def generator(context: Context) -> Any:
    """Return the random generator of a context, or the generator that replaces it in this thread."""
    lent = _lent.generator
    if lent is not None:
        return lent
    if context.device_typeid == 2:  # a CuPy generator draws on the device on which it was created
        _activate(context.device_id)
    own = _lent.streams
    generators, base = (_generators, _base_seed) if own is None else (own, _lent.seed)
    try:
        return generators[context]
    except KeyError:
        pass
    with _generators_lock:
        if context not in generators:
            start = random.SystemRandom().getrandbits(63) if base is None else base
            generators[context] = _new_generator(context, (start, context.device_typeid, context.device_id))
        return generators[context]


def _new_generator(context: Context, entropy: Any) -> Any:
    sequence = numpy.random.SeedSequence(entropy)
    if context.device_typeid == 2:
        return array_module(context).random.default_rng(int(sequence.generate_state(1, numpy.uint64)[0]))
    return numpy.random.default_rng(sequence)


def seed(seed_state: int, context: Context | None = None) -> None:
    """Seed the random stream of one context or, by default, the streams of all contexts.

    Parameters
    ----------
    seed_state : int
        The number from which the streams start.
    context : Context, optional
        The context whose stream is seeded; all contexts by default.
    """
    global _base_seed
    own = _lent.streams
    generators = _generators if own is None else own
    with _generators_lock:
        if context is None:
            if own is None:
                _base_seed = seed_state
            else:
                _lent.seed = seed_state
            generators.clear()
        else:
            generators[context] = _new_generator(context, (seed_state, context.device_typeid, context.device_id))


def spawn_seed() -> numpy.random.SeedSequence:
    """Return a seed for a new random stream. The seed differs between calls, and is reproducible after :func:`seed`.

    A call doesn't change the stream of the CPU, so the next numbers of this stream don't depend on the number of calls.
    """
    return generator(Context("cpu", 0)).bit_generator.seed_seq.spawn(1)[0]


def separate_streams(seed_state: int) -> Scope:
    """Return a scope in which this thread draws from separate random streams that start with a seed."""
    return Scope(_lent, generator=None, streams={}, seed=seed_state)


def random_state(generator: Any) -> Any:
    """Return the state of a generator for :func:`drawing_from`; None for a GPU's generator, which exposes no state."""
    return generator.bit_generator.state if isinstance(generator, numpy.random.Generator) else None


def drawing_from(state: Any) -> Scope:
    """Return a scope in which this thread repeats the draws that a generator made from a recorded state on."""
    bits = getattr(numpy.random, state["bit_generator"])()
    bits.state = state
    return Scope(_lent, generator=numpy.random.Generator(bits))


@contextlib.contextmanager
def separate_random_state() -> Iterator[None]:
    """Return a scope that uses separate random streams and leaves the outer streams unchanged."""
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
