"""A benchmark of nets under the thread settings of containers, clusters, and environments.

A round times every mode under every setting in turn, each in a separate process. The program prints medians in
milliseconds, and the ratio to the fastest setting of the same mode with no more threads. It marks ratios above 1.3,
where the setting makes the mode unnecessarily slow.

    python benchmarks/thread_settings.py [workload ...] [--rounds 3] [--modes hybridized onednn c tier-0]
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import statistics
import sys
from typing import NamedTuple

from _workers import Worker, thread_variables

#: Workload of _gluon_worker.py -> number of repetitions in a measurement.
WORKLOADS = {"A": 2000, "B": 300, "C": 30, "E": 20, "mobilenet": 10, "resnet-18": 3, "small-resnet": 3}
#: The number of calls before timing, during which the default mode is recompiled.
CALLS_BEFORE = {"A": 9000, "B": 2500, "C": 300, "E": 400, "mobilenet": 400, "resnet-18": 30, "small-resnet": 30}
WORST = 1.3


class Setting(NamedTuple):
    """A setting, and the maximum number of threads of a product under the setting, for NumPy, and for oneDNN and C."""

    variables: dict[str, str]
    numpy: int
    others: int
    processors: int = 0


def settings(count: int) -> dict[str, Setting]:
    """Return the settings for a machine with ``count`` cores."""
    omp, blas, mkl = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"
    more = str(2 * count)
    found = {
        "none": Setting({}, count, count),
        "OMP=1": Setting({omp: "1"}, 1, 1),
        f"OMP={count}": Setting({omp: str(count)}, count, count),
        f"OMP={more}": Setting({omp: more}, count, count),
        "OPENBLAS=1": Setting({blas: "1"}, 1, count),
        f"OPENBLAS={count}": Setting({blas: str(count)}, count, count),
        "MKL=1": Setting({mkl: "1"}, count, count),
        "OMP=1 OPENBLAS=1": Setting({omp: "1", blas: "1"}, 1, 1),
        f"OMP={count} OPENBLAS={count}": Setting({omp: str(count), blas: str(count)}, count, count),
        f"OMP={count} OPENBLAS=1": Setting({omp: str(count), blas: "1"}, 1, count),
        f"OMP=1 OPENBLAS={count}": Setting({omp: "1", blas: str(count)}, count, 1),
        f"OMP={more} OPENBLAS={more}": Setting({omp: more, blas: more}, count, count),
    }
    if shutil.which("taskset"):
        found["one processor"] = Setting({}, 1, 1, 1)
        found[f"one processor, OMP={count}"] = Setting({omp: str(count)}, 1, 1, 1)
    return found


def start(setting: Setting) -> Worker:
    """Start a worker under a setting; with ``processors``, only on the first cores."""
    before = os.sched_getaffinity(0)
    if setting.processors:
        os.sched_setaffinity(0, sorted(before)[: setting.processors])
    try:
        with thread_variables(setting.variables):
            return Worker(sys.executable, "_gluon_worker.py", "d2lhybrid")
    finally:
        os.sched_setaffinity(0, before)


def measure(workload: str, mode: str, workers: dict[str, Worker], rounds: int) -> dict[str, float]:
    """Return setting -> median milliseconds of a workload in the mode."""
    times: dict[str, list[float]] = {name: [] for name in workers}
    for worker in workers.values():
        worker.time(workload, mode, CALLS_BEFORE[workload] if mode == "hybridized" else 3)
    for _ in range(rounds):
        for name, worker in workers.items():
            microseconds = worker.time(workload, mode, WORKLOADS[workload])
            if microseconds is not None:
                times[name].append(microseconds / 1000)
    return {name: statistics.median(values) for name, values in times.items() if values}


def ratios(found: dict[str, float], known: dict[str, Setting]) -> dict[str, float]:
    """Return setting -> ratio of its time to the time of the fastest setting with no more threads."""
    return {
        name: time / min(t for other, t in found.items() if _allows(known[name], known[other]))
        for name, time in found.items()
    }


def _allows(setting: Setting, other: Setting) -> bool:
    cores = (other.processors or math.inf) <= (setting.processors or math.inf)  # ONNX Runtime uses all cores
    return cores and other.numpy <= setting.numpy and other.others <= setting.others


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("workloads", nargs="*", help=f"some of {', '.join(WORKLOADS)}; by default, all of them")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--modes", nargs="+", default=["hybridized", "tier-0", "c", "onednn"])
    chosen = parser.parse_args()
    if unknown := set(chosen.workloads) - set(WORKLOADS):
        parser.error(f"no such workload: {', '.join(sorted(unknown))} (there are {', '.join(WORKLOADS)})")
    known = settings(len(os.sched_getaffinity(0)))
    print(
        f"load average: {os.getloadavg()[0]:.1f}; medians of {chosen.rounds} rounds in ms, and ratios to the fastest "
        "setting with no more threads\n"
    )
    for workload in chosen.workloads or WORKLOADS:
        workers = {name: start(setting) for name, setting in known.items()}
        table = {mode: measure(workload, mode, workers, chosen.rounds) for mode in chosen.modes}
        for worker in workers.values():
            worker.stop()
        print(f"{workload}\n   {'':24s}" + "".join(f"{mode:>22s}" for mode in chosen.modes))
        slower = {mode: ratios(times, known) for mode, times in table.items()}
        for name in known:
            cells = [
                f"{times[name]:9.3f} ms {slower[mode][name]:5.2f}{'!' if slower[mode][name] > WORST else ' '}"
                if name in times
                else "-"
                for mode, times in table.items()
            ]
            print(f"   {name:24s}" + "".join(f"{cell:>22s}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
