"""Puts the modules together that stand for ``cupy`` and ``cupyx``."""

from __future__ import annotations

import contextlib
import types
from typing import Any

import numpy

from . import arrays, devices, functions, kernels, memory, nccl, randoms, special, streams
from .cupy_api import API, VERSION
from .machine import machine
from .ufuncs import ufunc


class _Module(types.ModuleType):
    """A module that says what it misses: a name that CuPy has not, or one that nobody has modelled yet."""

    def __getattr__(self, name: str) -> Any:
        if name in API["modules"].get(self.__name__, {}):
            raise NotImplementedError(f"The stand-in for CuPy does not model {self.__name__}.{name} yet.")
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def _module(name: str, space: dict[str, Any]) -> types.ModuleType:
    module = _Module(name)
    for key, value in space.items():
        setattr(module, key, value)
    module.__path__ = []  # pyright: ignore[reportAttributeAccessIssue]
    return module


def _filled(owner: str, further: dict[str, Any] | None = None) -> dict[str, Any]:
    space: dict[str, Any] = {}
    functions.fill_namespace(owner, space, further)
    return space


def _get_device_id() -> int:
    return machine().current


def _cuda() -> dict[str, types.ModuleType]:
    runtime = devices.runtime_module(API["modules"]["cupy.cuda.runtime"])
    memory_names = {
        n: getattr(memory, n)
        for n in API["modules"]["cupy.cuda.memory"]
        if hasattr(memory, n) and n not in ("annotations",)
    }
    memory_module = _module("cupy.cuda.memory", memory_names)
    stream_module = _module(
        "cupy.cuda.stream",
        {n: getattr(streams, n) for n in ("Stream", "ExternalStream", "Event", "get_current_stream")},
    )
    function_module = _module("cupy.cuda.function", {"Function": kernels.Function, "Module": kernels.Module})
    compiler_module = _module("cupy.cuda.compiler", {"CompileException": kernels.CompileException})
    cuda_names: dict[str, Any] = {
        "Device": devices.Device,
        "get_device_id": _get_device_id,
        "is_available": lambda: bool(machine().devices),
        "Stream": streams.Stream,
        "ExternalStream": streams.ExternalStream,
        "Event": streams.Event,
        "Graph": streams.Graph,
        "get_current_stream": streams.get_current_stream,
        "get_elapsed_time": streams.get_elapsed_time,
        "alloc": memory.alloc,
        "alloc_pinned_memory": memory.alloc_pinned_memory,
        "BaseMemory": memory.BaseMemory,
        "Memory": memory.Memory,
        "UnownedMemory": memory.UnownedMemory,
        "MemoryPointer": memory.MemoryPointer,
        "MemoryPool": memory.MemoryPool,
        "PinnedMemoryPointer": memory.PinnedMemoryPointer,
        "PinnedMemoryPool": memory.PinnedMemoryPool,
        "set_allocator": memory.set_allocator,
        "get_allocator": memory.get_allocator,
        "using_allocator": memory.using_allocator,
        "Function": kernels.Function,
        "Module": kernels.Module,
        "runtime": runtime,
        "memory": memory_module,
        "stream": stream_module,
        "function": function_module,
        "compiler": compiler_module,
    }
    found = {
        f"cupy.cuda.{m.__name__.rpartition('.')[2]}": m for m in cuda_names.values() if isinstance(m, types.ModuleType)
    }
    found["cupy.cuda.nccl"] = nccl.nccl_module()  # it has to be imported: ``import cupy`` leaves it out
    for name in cuda_names:
        assert name in API["modules"]["cupy.cuda"] or name in ("memory", "stream", "function"), name
    found["cupy.cuda"] = _module("cupy.cuda", cuda_names)
    return found


@contextlib.contextmanager
def _errstate(**kwargs: Any) -> Any:
    functions.checked_arguments("cupyx", "errstate", (), kwargs)
    yield


def modules() -> dict[str, types.ModuleType]:
    """Return the modules by their names in ``sys.modules``."""
    found = _cuda()
    linalg = _filled("cupy.linalg", {"LinAlgError": numpy.linalg.LinAlgError})
    found["cupy.linalg"] = _module("cupy.linalg", linalg)
    found["cupy.fft"] = _module("cupy.fft", _filled("cupy.fft"))
    found["cupy.random"] = randoms.random_module()
    found["cupy.random"].__class__ = _Module
    strided = {"as_strided": _as_strided}
    found["cupy.lib.stride_tricks"] = _module("cupy.lib.stride_tricks", strided)
    found["cupy.lib"] = _module("cupy.lib", {"stride_tricks": found["cupy.lib.stride_tricks"]})
    further = {
        "ndarray": arrays.ndarray,
        "ufunc": ufunc,
        "RawKernel": kernels.RawKernel,
        "RawModule": kernels.RawModule,
        "get_default_memory_pool": memory.get_default_memory_pool,
        "get_default_pinned_memory_pool": memory.get_default_pinned_memory_pool,
        "is_available": lambda: bool(machine().devices),
        "newaxis": None,
        "linalg": found["cupy.linalg"],
        "fft": found["cupy.fft"],
        "random": found["cupy.random"],
        "cuda": found["cupy.cuda"],
        "lib": found["cupy.lib"],
    }
    functions.NAMESPACE.clear()
    functions.NAMESPACE.update(_filled("cupy", further))
    cupy = _module("cupy", functions.NAMESPACE)
    cupy.__version__ = VERSION  # pyright: ignore[reportAttributeAccessIssue]
    found["cupy"] = cupy
    special_module = _module("cupyx.scipy.special", special.namespace())
    scipy = _module("cupyx.scipy", {"special": special_module})
    found |= {"cupyx.scipy.special": special_module, "cupyx.scipy": scipy}
    found["cupyx"] = _module("cupyx", {
        "scatter_add": lambda a, slices, value: a.scatter_add(slices, value),
        "scatter_max": lambda a, slices, value: a.scatter_max(slices, value),
        "scatter_min": lambda a, slices, value: a.scatter_min(slices, value),
        "empty_pinned": memory.empty_pinned,
        "rsqrt": special.rsqrt(),
        "errstate": _errstate,
        "scipy": scipy,
    })  # fmt: skip
    return found


def _as_strided(x: Any, shape: Any = None, strides: Any = None) -> arrays.ndarray:
    shape = x.shape if shape is None else tuple(shape)
    strides = x.strides if strides is None else tuple(strides)
    if 0 in shape:
        return arrays.ndarray(shape, x.dtype)
    new = machine().devices[x._number].view(x.data.ptr, shape, x.dtype, strides)
    return arrays.view_of(x, new)
