"""What all workers share: they read lines ``workload mode repetitions how`` and answer each with one line.

==============  =====================================================================================
``how``         the answer
==============  =====================================================================================
``throughput``  the seconds of all repetitions, the device synchronised at their end (the default)
``latency``     the seconds of all repetitions, the device synchronised after each
``prepare``     the seconds until the workload was built, compiled and warm
``launches``    per repetition: what the device ran, and how often the host ordered something
``cost``        estimated operations, and bytes read and written, of one repetition
==============  =====================================================================================

The answer is ``none`` for what a contender does not do, and ``failed`` with the reason for what went wrong.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

#: Calls before the clock runs: compilers need them, and so does the recording of a CUDA graph.
WARM_UP = 5


def serve(
    version: str,
    build: Callable[[str, str], Any],
    synchronize: Callable[[Any], Any],
    release: Callable[[], Any] = gc.collect,
) -> None:
    """Answer the lines of the standard input.

    Parameters
    ----------
    version : str
        What is run.
    build : callable
        ``(workload, mode) -> function`` to be called once for each repetition, None for what is left out. It may carry
        ``cost``, a function of no arguments.
    synchronize : callable
        Waits for the device; called with what the function returned last.
    release : callable
        Gives memory back that nobody uses any more, for others need some.
    """
    print("ready", version, flush=True)
    ready: dict[tuple[str, str], Any] = {}
    for line in sys.stdin:
        workload, mode, count, how = [*line.split(), "throughput"][:4]
        try:
            print(_answer(ready, workload, mode, int(count), how, build, synchronize, release), flush=True)
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            print("failed", reason[:300], flush=True)


def _answer(
    ready: dict[tuple[str, str], Any],
    workload: str,
    mode: str,
    count: int,
    how: str,
    build: Callable[[str, str], Any],
    synchronize: Callable[[Any], Any],
    release: Callable[[], Any],
) -> Any:
    start = time.perf_counter()
    if (workload, mode) not in ready:
        if how == "prepare":
            ready.clear()  # a worker that is told to prepare has one workload at a time
            release()
        run = build(workload, mode)
        if run is not None:
            for _ in range(WARM_UP):
                result = run()
            synchronize(result)
        ready[workload, mode] = run
    run = ready[workload, mode]
    if run is None:
        return "none"
    if how == "prepare":
        return time.perf_counter() - start
    if how == "cost":
        return " ".join(str(number) for number in run.cost())
    if how == "launches":
        return launches(run, synchronize, count)
    result = None
    start = time.perf_counter()
    if how == "latency":
        for _ in range(count):
            synchronize(run())
    else:
        for _ in range(count):
            result = run()
        synchronize(result)
    return time.perf_counter() - start


# --- counting launches -------------------------------------------------------------------------

#: Categories of a trace of PyTorch's profiler: what the device did.
ON_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
#: Beginnings of calls by which a host orders work.
ORDERS = tuple(f"{cu}{what}" for cu in ("cuda", "cu") for what in ("Launch", "GraphLaunch", "Memcpy", "Memset"))


def launches(run: Callable[[], Any], synchronize: Callable[[Any], Any], count: int) -> str:
    """Return kernels, copies and fills that the device ran, and calls of the host, per repetition.

    PyTorch's profiler writes down what CUPTI sees, and CUPTI sees all that a process does on its GPU, whichever library
    orders it; so it counts for every contender alike.
    """
    import torch  # pyright: ignore[reportMissingImports]

    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    for _ in range(2):  # the first recording starts CUPTI, and may miss what it was started for
        with torch.profiler.profile(activities=activities) as profiler:
            for _ in range(count):
                result = run()
            synchronize(result)
            if torch.cuda.is_available():
                torch.cuda.synchronize()
    handle, path = tempfile.mkstemp(suffix=".json")
    os.close(handle)
    try:
        profiler.export_chrome_trace(path)
        with open(path, encoding="utf-8") as stream:
            counted = count_launches(json.load(stream))
    finally:
        os.remove(path)
    return f"{counted['device'] / count} {counted['host'] / count}"


def count_launches(trace: dict[str, Any]) -> Counter[str]:
    """Count in a trace (Chrome's format) what the device did and what the host ordered.

    A launch of CUDA's runtime calls the driver's, and some profilers write both down: the larger of the two counts.
    """
    runtime, driver, device = 0, 0, 0
    for event in trace["traceEvents"]:
        category, name = event.get("cat", ""), event.get("name", "")
        device += category in ON_DEVICE
        if name.startswith(ORDERS):
            runtime += category == "cuda_runtime"
            driver += category == "cuda_driver"
    return Counter(device=device, host=max(runtime, driver))
