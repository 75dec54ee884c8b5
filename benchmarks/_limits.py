"""A measurement of a machine's limits, printed as one line of JSON; compare_gpu.py passes ``gpu`` or ``cpu``.

Each limit is the rate of the fastest of several runs. The bytes of a copy are the bytes read plus the bytes written.
"""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy


def fastest(run: Callable[[], Any], synchronize: Callable[[], Any], count: int, rounds: int = 5) -> float:
    """Return the seconds of one call in the fastest of several rounds of ``count`` calls."""
    run()
    synchronize()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            run()
        synchronize()
        times.append(time.perf_counter() - start)
    return min(times) / count


def on_gpu(size: int = 8192, nbytes: int = 1 << 30) -> dict[str, Any]:
    """Measure a product of matrices of ``size`` rows and columns, a copy of ``nbytes``, and launches."""
    import cupy  # pyright: ignore[reportMissingImports]

    runtime = cupy.cuda.runtime
    stream = cupy.cuda.Stream(non_blocking=True)  # the null stream cannot be captured
    with stream:
        a, b = (cupy.random.default_rng(i).standard_normal((size, size), dtype=cupy.float32) for i in range(2))
        product = cupy.empty_like(a)
        source, target = (cupy.zeros(nbytes, cupy.uint8) for _ in range(2))
        empty = cupy.RawModule(code='extern "C" __global__ void empty(int nothing) {}').get_function("empty")

        def launch() -> None:
            empty((1,), (1,), (numpy.int32(0),))

        launch()
        stream.synchronize()
        stream.begin_capture()
        launch()
        graph = stream.end_capture()

        def copy() -> None:
            runtime.memcpyAsync(
                target.data.ptr, source.data.ptr, nbytes, runtime.memcpyDeviceToDevice, stream.ptr
            )  # fmt: skip

        def launch_and_wait() -> None:
            launch()
            stream.synchronize()

        wait = stream.synchronize
        gemm = fastest(lambda: cupy.matmul(a, b, out=product), wait, 5)
        moved = fastest(copy, wait, 10)
        one, waited = fastest(launch, wait, 2000), fastest(launch_and_wait, wait, 500)
        replay = fastest(graph.launch, wait, 2000)
    name = runtime.getDeviceProperties(0)["name"]
    return {
        "device": name.decode() if isinstance(name, bytes) else str(name),
        "flops_per_second": 2 * size**3 / gemm,
        "bytes_per_second": 2 * nbytes / moved,
        "launch": one,
        "launch_and_wait": waited,
        "graph_launch": replay,
        "versions": {
            "driver": _driver(),
            "CUDA": _cuda(runtime.runtimeGetVersion()),
            "CUDA of the driver": _cuda(runtime.driverGetVersion()),
            "CuPy": cupy.__version__,
        },
    }


def _cuda(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def _driver() -> str:
    if shutil.which("nvidia-smi") is None:
        return "?"
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0].strip() if done.stdout.strip() else "?"


def on_cpu() -> dict[str, Any]:
    """Return the limits of the CPU, where a call of an empty function replaces a launch, to try the benchmark."""
    size, nbytes = 1024, 1 << 28
    a = numpy.random.default_rng(0).standard_normal((size, size), dtype=numpy.float32)
    product = numpy.empty_like(a)
    source, target = (numpy.ones(nbytes, numpy.uint8) for _ in range(2))

    def nothing() -> None:
        return None

    gemm = fastest(lambda: numpy.matmul(a, a, out=product), nothing, 2)
    moved = fastest(lambda: numpy.copyto(target, source), nothing, 2)
    call = fastest(nothing, nothing, 2000)
    return {
        "device": f"{platform.machine()} CPU",
        "flops_per_second": 2 * size**3 / gemm,
        "bytes_per_second": 2 * nbytes / moved,
        "launch": call,
        "launch_and_wait": call,
        "graph_launch": call,
        "versions": {},
    }


if __name__ == "__main__":
    limits = on_gpu() if "gpu" in sys.argv[1:] else on_cpu()
    limits["versions"] |= {"Python": platform.python_version(), "NumPy": numpy.__version__}
    print(json.dumps(limits))
