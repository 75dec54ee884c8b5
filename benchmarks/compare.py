"""d2lhybrid against its peers on the lessons' workloads, all interleaved in one run.

Each contender runs in a process of its own; the rounds go through all of them in turn, so that a
slow moment of the machine hits everybody. Printed are medians in microseconds, and ratios to the
hybridized net. Peers are optional: real MXNet where ``make mxnet`` has put it (or the Python named
in ``D2LHYBRID_MXNET_PYTHON``), PyTorch with the Python named in ``D2LHYBRID_TORCH_PYTHON``.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
ROUNDS = 15
TITLES = {
    "A": "MLP 512-256-128-2, batch 1, forward",
    "B": "LeNet, batch 16, forward",
    "C": "LeNet training step, batch 64",
    "D": "12 element-wise operators, 1M elements",
    "E": "MLP 784-512-512-10 training step, batch 256",
    "F": "50 x (Dense 64 + relu), batch 1, forward",
}
REPETITIONS = {"A": 300, "B": 50, "C": 8, "D": 5, "E": 6, "F": 50}


class Worker:
    """A process that times workloads on demand."""

    def __init__(self, python: str, script: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [python, str(HERE / script), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert self.process.stdout is not None
        answer = self.process.stdout.readline().split()
        if not answer or answer[0] != "ready":
            raise OSError(f"{python} {script} did not start")
        self.version = answer[1] if len(answer) > 1 else "?"

    def time(self, workload: str, mode: str, count: int) -> float:
        """Return the microseconds of one repetition."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{workload} {mode} {count}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline()) / count * 1e6


def find_workers() -> dict[str, tuple[Worker, str]]:
    """Return contender -> (worker, mode)."""
    ours = Worker(sys.executable, "_gluon_worker.py", "d2lhybrid")
    contenders = {f"d2lhybrid {mode}": (ours, mode) for mode in ("eager", "hybridized")}
    mxnet = os.environ.get("D2LHYBRID_MXNET_PYTHON") or str(HERE.parent / ".venv-mxnet" / "bin" / "python")
    try:
        worker = Worker(mxnet, "_gluon_worker.py", "mxnet")
        contenders.update(
            {f"MXNet {worker.version} {mode}": (worker, mode) for mode in ("eager", "hybridized", "static")}
        )
    except OSError:
        print("Real MXNet is not here (`make mxnet` installs it where its wheels run): left out.")
    torch = os.environ.get("D2LHYBRID_TORCH_PYTHON")
    try:
        if not torch:
            raise OSError
        worker = Worker(torch, "_torch_worker.py")
        contenders[f"PyTorch {worker.version} eager"] = (worker, "eager")
    except OSError:
        print("PyTorch is not here (name its Python in D2LHYBRID_TORCH_PYTHON): left out.")
    return contenders


def main() -> None:
    contenders = find_workers()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, NumPy {numpy.__version__}"
    )
    print(f"medians of {ROUNDS} interleaved rounds\n")
    for workload, title in TITLES.items():
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(ROUNDS):
            for name, (worker, mode) in contenders.items():
                times[name].append(worker.time(workload, mode, REPETITIONS[workload]))
        base = statistics.median(times["d2lhybrid hybridized"])
        print(f"{workload}. {title}")
        for name, values in times.items():
            median = statistics.median(values)
            low, high = sorted(values)[ROUNDS // 4], sorted(values)[-ROUNDS // 4]
            print(f"   {name:28s} {median:10.1f} us   ({low:.1f} to {high:.1f})   {median / base:6.2f} x")


if __name__ == "__main__":
    main()
