"""The protocol of all workers, which read lines ``workload mode repetitions how`` and answer each with one line.

==============  =====================================================================================
``how``         the answer
==============  =====================================================================================
``throughput``  the seconds of all repetitions, with a synchronization of the device at the end (the default)
``warm``        the approximate seconds of one repetition, after calls that fill caches and wake threads, and after
                all compilations; then the number of the first call without further compilations
``latency``     the seconds of all repetitions, with a synchronization of the device after each
``prepare``     the seconds until the workload was built, compiled, and warm
``build``       a placeholder, after creating the net and its data without compiling
``first``       the seconds of the first call, including tracing and compiling; then the maximum growth of the
                process, in bytes, during this call and during the warm-up calls after it (see :func:`first_call`);
                then the seconds of the first ten calls
``launches``    for each repetition, the number of operations on the device, and of launches by the host
``cost``        the estimated operations, and the bytes read and written, of one repetition
==============  =====================================================================================

The answer is ``none`` for an unsupported workload, and ``failed`` with the reason after an error.
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

#: The number of untimed calls that compilers and the recording of a CUDA graph need.
WARM_UP = 9
#: The duration of untimed calls after a process was suspended, in seconds. Meanwhile, other processes used its caches,
#: and its estimate of the machine's load is from their calls.
WARM_SECONDS = 0.08
#: The maximum duration of warm-up calls.
LONGEST = 60


def serve(
    version: str,
    build: Callable[[str, str], Any],
    synchronize: Callable[[Any], Any],
    release: Callable[[], Any] = gc.collect,
) -> None:
    """Answer the lines of standard input.

    Parameters
    ----------
    version : str
        Version of the library.
    build : callable
        ``(workload, mode) -> function`` to call once for each repetition, or None for an unsupported workload. The
        function may have attributes that are functions without arguments: ``cost``; ``begin``, which compiles for the
        first call and returns the function to call; and ``since``, which returns the number of the first call without
        further compilations, and infinity before that call.
    synchronize : callable
        Function that waits for the device; its argument is the function's last result.
    release : callable
        Function that frees unused memory for other processes.
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
    """The workloads that are built, and those that have been called."""

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

    Memory is the growth of this process's peak resident set since before the first call, when the libraries were
    loaded, and the net and its data existed. Pages of libraries that are first touched now count; the memory of
    compilers in other processes does not. The value is -1 if the system doesn't report it.

    Returns
    -------
    function
        Function to call from now on.
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
    """Return this process's current and peak resident set in bytes; zeros if unknown."""
    try:
        with open("/proc/self/status", encoding="ascii") as lines:
            found = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith("Vm")}
    except OSError:
        return 0, 0
    return int(found.get("VmRSS", 0)) * 1024, int(found.get("VmHWM", 0)) * 1024


def reset_peak() -> bool:
    """Reset the system's record of this process's peak memory; return whether this is possible."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as stream:
            stream.write("5")
    except OSError:
        return False
    return True


def give_memory_back() -> None:
    """Return the C library's freed memory to the system, because growth into this memory would be invisible."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


# --- counting launches -------------------------------------------------------------------------

#: Categories of device operations in a trace of PyTorch's profiler.
ON_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
#: Prefixes of the calls with which a host launches work.
ORDERS = tuple(f"{cu}{what}" for cu in ("cuda", "cu") for what in ("Launch", "GraphLaunch", "Memcpy", "Memset"))


def launches(run: Callable[[], Any], synchronize: Callable[[Any], Any], count: int) -> str:
    """Return the number of kernels, copies, and fills on the device, and of launches by the host, for each repetition.

    PyTorch's profiler records CUPTI's events, which cover all work of a process on its GPU, whichever library launches
    the work. So the counts of all contenders are comparable.
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
    """Count the device's operations and the host's launches in a trace in Chrome's format.

    A launch by CUDA's runtime calls the driver, and some profilers record both; the larger number counts.
    """
    runtime, driver, device = 0, 0, 0
    for event in trace["traceEvents"]:
        category, name = event.get("cat", ""), event.get("name", "")
        device += category in ON_DEVICE
        if name.startswith(ORDERS):
            runtime += category == "cuda_runtime"
            driver += category == "cuda_driver"
    return Counter(device=device, host=max(runtime, driver))
