"""A stand-in for CuPy on machines without a GPU, for tests only.

``with simulated_gpu() as gpu:`` makes ``import cupy`` give a module with CuPy's names, arguments, types and errors,
whose arrays live in memory that is pretended to be that of a device: NumPy computes, CUDA kernels are compiled by the
system's C++ compiler, streams can be captured into graphs, memory pools hand out freed memory again. So the GPU half of
the package runs in every test run, and what CuPy would refuse is refused. ``gpu.devices[0]`` counts: ``launches``,
``transfers_to_host``, ``transfers_to_device``, ``synchronizations``.

Compiled kernels are kept in the system's folder for temporary files (``d2lhybrid-simulated-gpu-…``), which may be
deleted at any time. ``record_cupy_api.py`` writes ``cupy_api.json``: the names, arguments and types of a CuPy.

What it cannot show: speed; races between threads, blocks or streams (everything runs at once and in order); how the
device rounds, and how its libraries order their sums; limits of registers; whether NVRTC takes a source that g++
takes; and everything in CuPy that nobody has modelled here, which raises ``NotImplementedError``.
"""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator

from d2lhybrid.internals.compiler import backends
from d2lhybrid.internals.compiler.backends import cublas as package_cublas
from d2lhybrid.internals.device import array_modules

from . import cupy_module, memory
from .cublas import SimulatedCublas
from .machine import CUDARuntimeError, Machine, SimulatedDevice, switched_on

__all__ = ["CUDARuntimeError", "Machine", "SimulatedDevice", "simulated_gpu"]


@contextlib.contextmanager
def simulated_gpu(devices: int = 2, memory_size: int = 64 << 20, reverse: bool = False) -> Iterator[Machine]:
    """Pretend that there are GPUs.

    Parameters
    ----------
    devices : int
        How many.
    memory_size : int
        Bytes that each of them has.
    reverse : bool
        Run the blocks of a grid, and the threads of a block, from the last to the first: a kernel that relies on
        their order gives other results.
    """
    with switched_on(Machine(devices, memory_size, reverse)) as machine:
        memory.start()
        found = cupy_module.modules()
        before = {name: module for name, module in sys.modules.items() if _is_cupy(name)}
        for name in before:
            del sys.modules[name]
        sys.modules.update(found)
        array_modules.forget_devices()
        library, find_library = SimulatedCublas(), package_cublas.find_library
        package_cublas.find_library = lambda: library
        machine.cublas = library
        try:
            yield machine
        finally:
            package_cublas.find_library = find_library
            package_cublas._handles.clear()
            backends.get_backend.cache_clear()  # it was found available
            array_modules.forget_devices()
            for name in [n for n in sys.modules if _is_cupy(n)]:
                del sys.modules[name]
            sys.modules.update(before)
            gc.collect()
            memory.stop()


def _is_cupy(name: str) -> bool:
    return name.partition(".")[0] in ("cupy", "cupyx")
