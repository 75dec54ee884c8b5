"""A benchmark of the time and memory of a net's first call, appended to RESULTS.md.

The net is n x (Dense 64 + relu). Its first call after ``hybridize()`` traces, runs all passes, generates code, and
compiles. Rounds go through all contenders in turn, each in a separate process (see ``compare.py``); the results are
medians. Memory is the peak of NumPy's allocations during one call (``tracemalloc``), without inputs and parameters.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.argv = [sys.argv[0], "d2lhybrid"]

from _workers import BASE, Worker, find_workers  # noqa: E402

workloads: Any = importlib.import_module("_gluon_worker")
nd = workloads.nd

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
LAYERS = (50, 200, 800, 2500)
ROUNDS = 5
#: Prefixes of the contenders' names.
CONTENDERS = ("d2lhybrid hybridized", "MXNet", "JAX")


def first_calls(layers: int, workers: dict[str, tuple[Worker, str]]) -> dict[str, float]:
    """Return contender -> median milliseconds of ``hybridize()`` with the first call."""
    times: dict[str, list[float]] = {name: [] for name in workers}
    for _ in range(ROUNDS):
        for name, (worker, mode) in workers.items():
            microseconds = worker.time(f"first-{layers}", mode, 1)
            if microseconds is not None:
                times[name].append(microseconds / 1000)
    return {name: statistics.median(values) for name, values in times.items() if values}


def later_call(layers: int) -> tuple[float, int]:
    """Return the milliseconds of a later call, and the number of nodes."""
    run = workloads.first_call(layers, "hybridized")
    run()
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run.net(nd.ones((4, 64)))
        seconds.append(time.perf_counter() - start)
    return 1e3 * statistics.median(seconds), len(run.net.programs[0].stages[0].graph.nodes)


def peak(run: Callable[[], Any]) -> int:
    """Return the peak memory of one call in bytes, including results."""
    for _ in range(3):
        run()
    tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    result = run()
    after = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    del result
    return after - before


def main() -> None:
    found = find_workers()
    workers = {name: found[name] for name in found if name.startswith(CONTENDERS) and "eager" not in name}
    lines = ["## First call to n x (Dense 64 + relu), batch 4, ms", ""]
    lines += [f"| layers | nodes | {' | '.join(workers)} | d2lhybrid, per 1,000 nodes | d2lhybrid, later call |"]
    lines += ["|" + "--:|" * (len(workers) + 4)]
    for layers in LAYERS:
        times, (later, nodes) = first_calls(layers, workers), later_call(layers)
        cells = [f"{times[name]:,.1f}" if name in times else "" for name in workers]
        row = f"| {layers:,} | {nodes:,} | {' | '.join(cells)} | {1e3 * times[BASE] / nodes:.1f} | {later:.2f} |"
        print(row, flush=True)
        lines.append(row)
    lines += ["", "## Peak memory of one call, kB", "",
              "| workload | eager | hybridized | static_alloc, arena | static_alloc, other memory |",
              "|---|--:|--:|--:|--:|"]  # fmt: skip
    for name in "BD":
        eager, hybridized = (peak(workloads.WORKLOADS[name](mode)) for mode in ("eager", "hybridized"))
        run = workloads.WORKLOADS[name]("static")
        beside = peak(run)
        arena = net_of(run).programs[0].forward.arena_bytes
        row = f"| {name} | {eager / 1e3:,.0f} | {hybridized / 1e3:,.0f} | {arena / 1e3:,.0f} | {beside / 1e3:,.0f} |"
        print(row)
        lines.append(row)
    with RESULTS.open("a") as results:
        results.write("\n".join([*lines, ""]))


def net_of(run: Callable[[], Any]) -> Any:
    """Return the net that a workload calls."""
    return next(c.cell_contents for c in run.__closure__ or () if hasattr(c.cell_contents, "hybridize"))


if __name__ == "__main__":
    main()
