"""What all workers share: they read lines ``workload mode repetitions how`` and answer each with one line.

==============  =====================================================================================
``how``         the answer
==============  =====================================================================================
``throughput``  the seconds of all repetitions, the device synchronised at their end (the default)
``warm``        the seconds of one repetition, roughly: it is called for a while, so that caches are full and
                threads awake, and until nothing is compiled further; then the call since which that is so
``latency``     the seconds of all repetitions, the device synchronised after each
``prepare``     the seconds until the workload was built, compiled and warm
``build``       nothing of use: the net and its data are made, and nothing is compiled
``first``       the seconds of the first call, tracing and compiling included; then by how many bytes the
                process grew at most during it, and during the calls that warm up after it (see :func:`first_call`);
                then the seconds of the first ten calls
``launches``    per repetition: what the device ran, and how often the host ordered something
``cost``        estimated operations, and bytes read and written, of one repetition
==============  =====================================================================================

The answer is ``none`` for what a contender does not do, and ``failed`` with the reason for what went wrong.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import math
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

#: Calls before the clock runs: compilers need them, and so does the recording of a CUDA graph.
WARM_UP = 9
#: How long a process that stood still is called before the clock runs, in seconds. Others had its caches meanwhile, and
#: what it knows of how busy the machine is, is how busy they were.
WARM_SECONDS = 0.08
#: How long it is called at most before it counts as warm.
LONGEST = 60


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
        ``cost``, a function of no arguments, and ``begin``, another one: it compiles what the first call needs, and
        returns the function to be called; and ``since``, which returns the number of the call since which nothing is
        compiled further, and infinity before.
    synchronize : callable
        Waits for the device; called with what the function returned last.
    release : callable
        Gives memory back that nobody uses any more, for others need some.
    """
    print("ready", version, flush=True)
    server = _Server(build, synchronize, release)
    for line in sys.stdin:
        workload, mode, count, how = [*line.split(), "throughput"][:4]
        try:
            print(server.answer(workload, mode, int(count), how), flush=True)
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            print("failed", reason[:300], flush=True)


class _Server:
    """What is built, and what has been called."""

    def __init__(
        self, build: Callable[[str, str], Any], synchronize: Callable[[Any], Any], release: Callable[[], Any]
    ) -> None:
        self._build, self._synchronize, self._release = build, synchronize, release
        self._built: dict[tuple[str, str], Any] = {}
        self._ready: dict[tuple[str, str], Any] = {}

    def answer(self, workload: str, mode: str, count: int, how: str) -> Any:
        """Answer one line."""
        start = time.perf_counter()
        key, numbers = (workload, mode), ""
        if key not in self._ready:
            if how == "prepare":
                self._ready.clear()  # a worker that is told to prepare has one workload at a time
                self._release()
            run = self._built.pop(key) if key in self._built else self._build(workload, mode)
            if how == "build":
                self._built[key] = run
                return "none" if run is None else 0.0
            if run is not None:
                run, numbers = first_call(run, self._synchronize, self._release)
            self._ready[key] = run
        run = self._ready[key]
        if run is None:
            return "none"
        if how == "first":
            return numbers or "none"  # there is one first call
        if how == "prepare":
            return time.perf_counter() - start
        if how == "warm":
            return self._warmed(run)
        if how == "cost":
            return " ".join(str(number) for number in run.cost())
        if how == "launches":
            return launches(run, self._synchronize, count)
        return self._timed(run, count, how)

    def _warmed(self, run: Any) -> str:
        since = getattr(run, "since", lambda: 1)
        start = before = now = time.perf_counter()
        while now - start < WARM_SECONDS or (since() == math.inf and now - start < LONGEST):
            before = now
            self._synchronize(run())
            now = time.perf_counter()
        return f"{now - before} {since()}"

    def _timed(self, run: Any, count: int, how: str) -> float:
        result = None
        start = time.perf_counter()
        if how == "latency":
            for _ in range(count):
                self._synchronize(run())
        else:
            for _ in range(count):
                result = run()
            self._synchronize(result)
        return time.perf_counter() - start


# --- the first call ----------------------------------------------------------------------------


def first_call(run: Any, synchronize: Callable[[Any], Any], release: Callable[[], Any]) -> tuple[Any, str]:
    """Call a workload for the first time, and warm it up.

    Memory is the resident set of this process, by how much its peak is above what it was before the first call, when
    the libraries were loaded, and the net and its data were there. Pages of libraries that are touched only now count,
    what a compiler needs that runs as another process does not. Where the system does not tell, it is -1.

    Returns
    -------
    function
        What is to be called from now on.
    str
        Seconds of the first call, bytes during it, bytes during the later calls, seconds of the first ten calls.
    """
    release()
    give_memory_back()
    before, reset = resident_set()[0], reset_peak()
    start = time.perf_counter()
    begin = getattr(run, "begin", None)
    if begin is not None:
        run = begin()
    result = run()
    synchronize(result)
    seconds = time.perf_counter() - start
    first = resident_set()[1] - before if reset else -1
    reset = reset and reset_peak()
    for _ in range(WARM_UP):
        result = run()
    synchronize(result)
    ten = time.perf_counter() - start
    later = resident_set()[1] - before if reset else -1
    return run, f"{seconds} {first} {later} {ten}"


def resident_set() -> tuple[int, int]:
    """Return the bytes of memory that this process has now, and the most that it had; zeros if nobody knows."""
    try:
        with open("/proc/self/status", encoding="ascii") as lines:
            found = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith("Vm")}
    except OSError:
        return 0, 0
    return int(found.get("VmRSS", 0)) * 1024, int(found.get("VmHWM", 0)) * 1024


def reset_peak() -> bool:
    """Have the system forget the most that this process had; return whether it can."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as stream:
            stream.write("5")
    except OSError:
        return False
    return True


def give_memory_back() -> None:
    """Give back what the C library keeps of freed memory: growth into it would not be seen."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


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
