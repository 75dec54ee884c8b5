"""d2lhybrid against its peers on the lessons' workloads, all interleaved in one run.

Each contender runs in a process of its own; the rounds go through all of them in turn, so that a
slow moment of the machine hits everybody. Before a turn, the machine comes to rest: threads that have
computed spin for a while before they sleep (OpenBLAS's for a tenth of a second), and would take a
processor from whoever comes next. Printed are medians in microseconds, and ratios to the
hybridized net; ``RESULTS.md`` is written beside this file. Peers are optional: real MXNet where
``make mxnet`` has put it, or the Pythons named in the environment:

====================================  ===========================================
``D2LHYBRID_MXNET_PYTHON``            a Python with real MXNet 1.9.1
``D2LHYBRID_TORCH_PYTHON``            one with PyTorch
``D2LHYBRID_JAX_PYTHON``              one with JAX
``D2LHYBRID_ONNX_PYTHON``             one with onnx and onnxruntime (by default, this one)
====================================  ===========================================
"""

from __future__ import annotations

import datetime
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
ROUNDS = int(os.environ.get("ROUNDS", "15"))
#: The nets of the zoo take longer, and are steadier.
ZOO_ROUNDS = -(-ROUNDS // 2)
TITLES = {
    "A": "MLP 512-256-128-2, batch 1, forward",
    "B": "LeNet, batch 16, forward",
    "C": "LeNet training step, batch 64",
    "D": "12 element-wise operators, 1M elements",
    "E": "MLP 784-512-512-10 training step, batch 256",
    "F": "50 x (Dense 64 + relu), batch 1, forward",
}
#: Nets that a course goes on to: the same Gluon program for us and for MXNet, the same layers in PyTorch, and for ONNX
#: Runtime the file that we export. ``torch.compile`` takes a minute a net: only where D2LHYBRID_COMPILE_ZOO is set.
ZOO = {
    "convolution": "One convolution 3x3, 64 to 64 channels, with ReLU, 8x64x56x56, forward",
    "resnet-18": "ResNet-18, 1x3x224x224, forward",
    "mobilenet": "MobileNet 0.25, 1x3x224x224, forward",
    "squeezenet": "SqueezeNet 1.1, 1x3x224x224, forward",
    "vgg-11": "VGG-11, 1x3x224x224, forward",
    "generator": "DCGAN's generator, batch 8, forward",
    "lstm": "LSTM language model, 35 steps, batch 16, 128 units, forward",
    "transformer": "Transformer block, 8x64x128, forward",
    "small-resnet": "Small ResNet (16 to 32 channels), 32x3x32x32, training step",
    "generator-training": "DCGAN's generator, batch 8, training step",
    "lstm-training": "LSTM language model, training step",
    "transformer-training": "Transformer block, training step",
}
REPETITIONS = {"A": 300, "B": 50, "C": 8, "D": 5, "E": 6, "F": 50}
BASE = "d2lhybrid hybridized"


#: How long to wait for the threads of whoever was timed before, at most, in seconds.
REST = 0.2


def come_to_rest() -> None:
    """Wait until nothing runs but this process, where the system tells (Linux), and not for long."""
    deadline, quiet = time.perf_counter() + REST, 0
    while quiet < 3 and time.perf_counter() < deadline:
        time.sleep(0.002)
        try:
            lines = Path("/proc/stat").read_text().splitlines()
        except OSError:
            return
        running = next((int(line.split()[1]) for line in lines if line.startswith("procs_running ")), 1)
        quiet = quiet + 1 if running <= 1 else 0


class Worker:
    """A process that times workloads on demand."""

    def __init__(self, python: str, script: str, *arguments: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
        self.process = subprocess.Popen(
            [python, str(HERE / script), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        assert self.process.stdout is not None
        answer = self.process.stdout.readline().split()
        if not answer or answer[0] != "ready":
            raise OSError(f"{python} {script} did not start")
        self.version = answer[1] if len(answer) > 1 else "?"

    def time(self, workload: str, mode: str, count: int) -> float | None:
        """Return the microseconds of one repetition, None if the contender cannot do it."""
        assert self.process.stdin is not None and self.process.stdout is not None
        come_to_rest()
        self.process.stdin.write(f"{workload} {mode} {count}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        return None if answer.startswith("failed") or answer in ("", "none") else float(answer) / count * 1e6


#: Variable that names the Python, script, its arguments, what it is called, its modes.
PEERS = [
    ("D2LHYBRID_MXNET_PYTHON", "_gluon_worker.py", ["mxnet"], "MXNet", ["eager", "hybridized", "static"]),
    ("D2LHYBRID_TORCH_PYTHON", "_torch_worker.py", [], "PyTorch", ["eager", "trace", "compile"]),
    ("D2LHYBRID_JAX_PYTHON", "_jax_worker.py", [], "JAX", ["jit"]),
    ("D2LHYBRID_ONNX_PYTHON", "_onnx_worker.py", [], "ONNX Runtime", ["run", "bound"]),
]
OURS = ["eager", "hybridized", "static", "c", "c+static", "onednn", "onednn+static", "onnxruntime"]


def find_workers() -> dict[str, tuple[Worker, str]]:
    """Return contender -> (worker, mode)."""
    ours = Worker(sys.executable, "_gluon_worker.py", "d2lhybrid")
    contenders = {f"d2lhybrid {mode}": (ours, mode) for mode in OURS}
    by_hand = Worker(sys.executable, "_numpy_worker.py")
    contenders[f"NumPy {by_hand.version} by hand"] = (by_hand, "flat")
    defaults = {
        "D2LHYBRID_MXNET_PYTHON": str(HERE.parent / ".venv-mxnet" / "bin" / "python"),
        "D2LHYBRID_ONNX_PYTHON": sys.executable,
    }
    for variable, script, arguments, title, modes in PEERS:
        python = os.environ.get(variable) or defaults.get(variable, "")
        try:
            if not python:
                raise OSError
            worker = Worker(python, script, *arguments)
        except OSError:
            print(f"{title} is not here (name its Python in {variable}): left out.")
            continue
        contenders.update({f"{title} {worker.version} {mode}": (worker, mode) for mode in modes})
    return contenders


def main() -> None:
    contenders = find_workers()
    machine = (
        f"{platform.machine()}, {_processor()}, {len(os.sched_getaffinity(0))} cores, "
        f"Python {platform.python_version()}, NumPy {numpy.__version__}"
    )
    load = os.getloadavg()[0]
    print(f"{machine}; load before: {load:.1f}\nmedians of {ROUNDS} interleaved rounds\n")
    report = [
        "# How fast", "",
        f"Written by `make bench` on {datetime.date.today()}: {machine}. The load of the machine was {load:.1f} when "
        f"it began. Microseconds, medians of {ROUNDS} rounds ({ZOO_ROUNDS} for the nets at the end) that go through "
        "all contenders in turn, in brackets the quartiles; the last column is the ratio to `d2lhybrid hybridized` "
        "(above 1: slower than it).", "",
    ]  # fmt: skip
    for workload, title in {**TITLES, **ZOO}.items():
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(ROUNDS if workload in TITLES else ZOO_ROUNDS):
            for name, (worker, mode) in contenders.items():
                microseconds = worker.time(workload, mode, REPETITIONS.get(workload, 3))
                if microseconds is not None:
                    times[name].append(microseconds)
        base = statistics.median(times[BASE])
        print(f"{workload}. {title}")
        report += [f"## {workload}. {title}", "", "| | µs | | ratio |", "|---|--:|---|--:|"]
        for name, values in times.items():
            if not values:
                continue
            median = statistics.median(values)
            low, _, high = statistics.quantiles(values, n=4)
            print(f"   {name:30s} {median:10.1f} us   ({low:.1f} to {high:.1f})   {median / base:6.2f} x")
            report.append(f"| {name} | {median:,.1f} | ({low:,.1f} to {high:,.1f}) | {median / base:.2f} |")
        report.append("")
    (HERE / "RESULTS.md").write_text("\n".join(report))


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.processor())


if __name__ == "__main__":
    main()
