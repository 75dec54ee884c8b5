"""A benchmark of nets next to busy processes, with and without the limit on threads.

:mod:`d2lhybrid.internals.compiler.threads` sets the limit.

A round times every contender in turn, alone, and next to one, two, and three processes that only count. The program
prints medians in milliseconds, and the slowdown relative to the same contender on the quiet machine. Contenders are
d2lhybrid with its limit, d2lhybrid with ``D2LHYBRID_THREADS=off``, d2lhybrid with one thread, and real MXNet if it is
installed. The results are valid only on an otherwise idle machine, so the program prints the initial load.

    python benchmarks/busy_machine.py [workload ...] [--rounds 3] [--beside 0 1 2 3]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from _workers import HERE, Worker, thread_variables

#: Workload of _gluon_worker.py -> description, and number of repetitions in a measurement.
WORKLOADS = {
    "A": ("MLP 512-256-128-2, batch 1, forward", 2000),
    "B": ("LeNet, batch 16, forward", 300),
    "C": ("LeNet training step, batch 64", 30),
    "E": ("MLP 784-512-512-10 training step, batch 256", 20),
    "mobilenet": ("MobileNet 0.25, forward", 10),
    "resnet-18": ("ResNet-18, forward", 3),
    "small-resnet": ("small ResNet training step, 32 images", 3),
}
SECONDS_TO_SETTLE = 0.6


def find_workers() -> dict[str, Worker]:
    """Return contender -> worker."""
    kinds = {"with the limit": {}, "without": {"D2LHYBRID_THREADS": "off"}, "one thread": {"OPENBLAS_NUM_THREADS": "1"}}
    workers = {}
    for name, variables in kinds.items():
        with thread_variables(variables):
            workers[name] = Worker(sys.executable, "_gluon_worker.py", "d2lhybrid")
    python = os.environ.get("D2LHYBRID_MXNET_PYTHON") or str(HERE.parent / ".venv-mxnet" / "bin" / "python")
    with contextlib.suppress(OSError), thread_variables({}):
        workers["MXNet"] = Worker(python, "_gluon_worker.py", "mxnet")
    return workers


@contextlib.contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Return a scope in which processes that only count run next to this process."""
    processes = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def measure(workload: str, workers: dict[str, Worker], beside: list[int], rounds: int) -> dict[tuple[str, int], float]:
    """Return the median milliseconds of a workload, for each contender and number of busy processes."""
    times: dict[tuple[str, int], list[float]] = {}
    repetitions = WORKLOADS[workload][1]
    for _ in range(rounds):
        for count in beside:
            with busy_processes(count):
                for name, worker in workers.items():
                    # A program notices a change of the load after a moment, so the first calls don't count.
                    end = time.perf_counter() + SECONDS_TO_SETTLE
                    while time.perf_counter() < end:
                        worker.time(workload, "hybridized", 1)
                    microseconds = worker.time(workload, "hybridized", repetitions)
                    if microseconds is not None:
                        times.setdefault((name, count), []).append(microseconds / 1000)
    return {key: statistics.median(values) for key, values in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("workloads", nargs="*", help=f"some of {', '.join(WORKLOADS)}; by default, all of them")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--beside", type=int, nargs="+", default=[0, 1, 2, 3], help="numbers of busy processes")
    chosen = parser.parse_args()
    if unknown := set(chosen.workloads) - set(WORKLOADS):
        parser.error(f"no such workload: {', '.join(sorted(unknown))} (there are {', '.join(WORKLOADS)})")
    workers = find_workers()
    print(f"load before: {os.getloadavg()[0]:.1f}; medians of {chosen.rounds} rounds in milliseconds\n")
    for workload in chosen.workloads or WORKLOADS:
        found = measure(workload, workers, chosen.beside, chosen.rounds)
        print(f"{workload}. {WORKLOADS[workload][0]}")
        print(f"   {'':16s}" + "".join(f"{f'{n} busy' if n else 'idle':>22s}" for n in chosen.beside))
        for name in workers:
            row = [found.get((name, n)) for n in chosen.beside]
            cells = [f"{t:9.3f} ms {t / row[0]:6.1f} x" if t and row[0] else "-" for t in row]
            print(f"   {name:16s}" + "".join(f"{cell:>22s}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
