"""A benchmark of the lesson's nets in four frameworks: the first call, and calls after a hundred others.

``python benchmarks/four_frameworks.py`` writes the data of side_by_side(timing=True). Every contender runs in a
separate process on one thread, with its interpreter from ``make others``. Run the benchmark on an otherwise idle
machine; it also records the load.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from d2lhybrid.internals.pictures.others.timing import PATH  # noqa: E402  of this repository, wherever it is started

#: Name -> worker with its arguments, its mode without compilation, and its mode with compilation.
CONTENDERS = {
    "gluon": (["_gluon_worker.py", "d2lhybrid"], "eager", "hybridized"),
    "torch": (["_torch_worker.py"], "eager", "compile"),
    "jax": (["_jax_worker.py"], "", "jit"),
    "tensorflow": (["_tensorflow_worker.py"], "eager", "function"),
}
NETS = ("A", "B")
#: The number of rounds of a hundred calls, and the number of processes for the first call. The minimum counts, because
#: other programs make times longer, never shorter.
ROUNDS, CALLS, PROCESSES = 9, 100, 3


def measured(worker: list[str], python: str, net: str, mode: str) -> tuple[str, dict[str, float]]:
    """Return the version, and the seconds of the first call and of a call after the hundredth."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {
            "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
            "TORCHINDUCTOR_CACHE_DIR": cache, "TORCHINDUCTOR_COMPILE_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3",
            "CUDA_VISIBLE_DEVICES": "",
        }  # fmt: skip
        process = subprocess.Popen(
            [python, "-W", "ignore", *worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment, cwd=ROOT / "benchmarks", stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with process:
            assert process.stdin is not None and process.stdout is not None
            version = process.stdout.readline().split()[-1].partition("+")[0]

            def ask(count: int, how: str) -> list[float]:
                print(net, mode, count, how, file=process.stdin, flush=True)
                return [float(number) for number in process.stdout.readline().split()]  # type: ignore[union-attr]

            if worker[0] == "_torch_worker.py" and mode == "compile":  # header files that are compiled once for all
                print("tiny", mode, 1, "first", file=process.stdin, flush=True)
                process.stdout.readline()
            first = ask(1, "first")[0]
            ask(CALLS, "latency")
            later = min(ask(CALLS, "latency")[0] / CALLS for _ in range(ROUNDS))
            process.stdin.close()
    return version, {"first": first, "later": later}


def machine() -> str:
    """Return a description of this machine."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
        name = next(line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} processors, Python {platform.python_version()}"


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("torch", "jax", "tensorflow"):
        parser.add_argument(
            f"--{name}", default=str(ROOT / f".venv-others-{name}" / "bin" / "python"), metavar="PYTHON"
        )
    options = parser.parse_args()
    nets: dict[str, Any] = {}
    versions: dict[str, str] = {}
    load = os.getloadavg()[0]
    for net in NETS:
        nets[net] = {}
        for name, (worker, eager, compiled) in CONTENDERS.items():
            python = getattr(options, name, sys.executable)
            runs = [measured(worker, python, net, compiled) for _ in range(PROCESSES)]
            versions[name] = runs[0][0]
            found = {how: min(run[how] for _, run in runs) for how in ("first", "later")}
            if eager:
                found["eager"] = measured(worker, python, net, eager)[1]["later"]
            nets[net][name] = {how: float(f"{seconds:.3g}") for how, seconds in found.items()}
            print(net, name, nets[net][name], flush=True)
    data = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(), "machine": machine(), "load": round(load, 1),
        "versions": versions,
        "nets": nets,
    }  # fmt: skip
    PATH.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
