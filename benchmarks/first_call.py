"""How long the first call of a net takes, and what it costs in memory: appended to RESULTS.md.

The net is n x (Dense 64 + relu); its first call after ``hybridize()`` traces, runs all passes, generates and compiles.
Memory is the peak of what NumPy allocates during one call (``tracemalloc``), without inputs and parameters.
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

workloads: Any = importlib.import_module("_gluon_worker")
nd, nn = workloads.nd, workloads.nn

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
LAYERS = (50, 200, 800, 2500)


def tower(layers: int) -> Any:
    net = nn.HybridSequential()
    net.add(*[nn.Dense(64, activation="relu", in_units=64) for _ in range(layers)])
    net.initialize()
    return net


def first_call(layers: int) -> tuple[float, float, int]:
    """Return milliseconds of the first call and of a later one, and the number of nodes."""
    x = nd.ones((4, 64))
    first, later = [], []
    nodes = 0
    for _ in range(3):
        net = tower(layers)
        net.hybridize()
        start = time.perf_counter()
        net(x)
        first.append(1e3 * (time.perf_counter() - start))
        start = time.perf_counter()
        net(x)
        later.append(1e3 * (time.perf_counter() - start))
        nodes = len(net.programs[0].stages[0].graph.nodes)
    return min(first), statistics.median(later), nodes


def peak(run: Callable[[], Any]) -> int:
    """Return the bytes that one call needs at the same time, results included."""
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
    lines = ["## First call of n x (Dense 64 + relu), batch 4", ""]
    lines += ["| layers | nodes | first call, ms | ms per 1,000 nodes | a later call, ms |", "|--:|--:|--:|--:|--:|"]
    for layers in LAYERS:
        first, later, nodes = first_call(layers)
        row = f"| {layers:,} | {nodes:,} | {first:.1f} | {1e3 * first / nodes:.1f} | {later:.2f} |"
        print(row)
        lines.append(row)
    lines += ["", "## Memory of one call, kB", "", "| | eager | hybridized | static_alloc: arena | and beside it |",
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
