"""Processes that time workloads, and the list of contenders, for ``compare.py`` and the other benchmarks.

Peers are optional: real MXNet from ``make mxnet``, and the interpreters that environment variables name:

====================================  ===========================================
``D2LHYBRID_MXNET_PYTHON``            a Python with real MXNet 1.9.1
``D2LHYBRID_TORCH_PYTHON``            a Python with PyTorch
``D2LHYBRID_JAX_PYTHON``              a Python with JAX
``D2LHYBRID_ONNX_PYTHON``             a Python with onnx and onnxruntime (by default, this Python)
====================================  ===========================================
"""

from __future__ import annotations

import compileall
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "BASE", "HERE", "OURS", "PEERS", "Contender", "Failed", "Worker", "find_contenders", "find_workers",
    "thread_variables",
]  # fmt: skip

HERE = Path(__file__).resolve().parent
BASE = "d2lhybrid hybridized"
OURS = ["eager", "hybridized", "tier-0", "static", "c", "c+static", "onednn", "onednn+static", "onnxruntime"]
#: The variable that names the Python, the script, its arguments, its name in tables, and its modes.
PEERS = [
    ("D2LHYBRID_MXNET_PYTHON", "_gluon_worker.py", ["mxnet"], "MXNet", ["eager", "hybridized", "static"]),
    ("D2LHYBRID_TORCH_PYTHON", "_torch_worker.py", [], "PyTorch", ["eager", "trace", "compile"]),
    ("D2LHYBRID_JAX_PYTHON", "_jax_worker.py", [], "JAX", ["jit"]),
    ("D2LHYBRID_ONNX_PYTHON", "_onnx_worker.py", [], "ONNX Runtime", ["run", "bound"]),
]
#: The maximum time to wait for the threads of the previously timed process, in seconds.
REST = 0.2


def come_to_rest() -> None:
    """Wait a short time until only this process runs, if the system is Linux."""
    deadline, quiet = time.perf_counter() + REST, 0
    while quiet < 3 and time.perf_counter() < deadline:
        time.sleep(0.001)
        try:
            lines = Path("/proc/stat").read_text().splitlines()
        except OSError:
            return
        running = next((int(line.split()[1]) for line in lines if line.startswith("procs_running ")), 1)
        quiet = quiet + 1 if running <= 1 else 0


class Failed(Exception):
    """An error that a contender didn't answer; the message is the reason."""


class Worker:
    """A process that times workloads on demand."""

    def __init__(self, python: str, script: str, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [python, str(HERE / script), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {}), "PYTHONPATH": str(HERE.parent)},
        )  # fmt: skip
        assert self.process.stdout is not None
        answer = self.process.stdout.readline().split()
        if not answer or answer[0] != "ready":
            self.stop()
            raise OSError(f"{python} {script} did not start")
        self.version = answer[1] if len(answer) > 1 else "?"

    def ask(self, workload: str, mode: str, count: int, how: str) -> list[float] | None:
        """Return the numbers in a worker's answer (see ``_serving.py``), or None for an unsupported workload."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(f"{workload} {mode} {count} {how}\n")
            self.process.stdin.flush()
        except OSError:
            raise Failed(f"its process has ended with status {self.process.wait()}") from None
        answer = self.process.stdout.readline().strip()
        if answer.startswith("failed"):
            raise Failed(answer.removeprefix("failed").strip())
        if not answer:
            raise Failed(f"its process has ended with status {self.process.wait()}")
        return None if answer == "none" else [float(number) for number in answer.split()]

    def time(self, workload: str, mode: str, count: int) -> float | None:
        """Return the microseconds of one repetition, or None if the contender does not support the workload."""
        come_to_rest()
        try:
            answer = self.ask(workload, mode, count, "throughput")
        except Failed:
            return None
        return answer[0] / count * 1e6 if answer else None

    def pause(self) -> None:
        """Suspend the process, because its threads would otherwise spin for a while next to the next process."""
        if hasattr(signal, "SIGSTOP"):
            self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Resume the process."""
        if hasattr(signal, "SIGCONT"):
            self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End the process, even if it is suspended."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


@dataclass(frozen=True)
class Contender:
    """A contender: its name in the tables, the start of its process, and its mode."""

    name: str
    python: str
    script: str
    arguments: tuple[str, ...]
    mode: str

    def start(self, caches: Path) -> Worker:
        """Start a separate process with a separate cache folder for compiled code."""
        folder = caches / self.name.replace(" ", "-")
        environment = {name: str(folder / name) for name in ("XDG_CACHE_HOME", "TORCHINDUCTOR_CACHE_DIR")}
        return Worker(self.python, self.script, *self.arguments, environment=environment)

    @property
    def is_ours(self) -> bool:
        """Whether the contender is d2lhybrid, rather than a peer."""
        return self.arguments == ("d2lhybrid",)


def _found() -> list[tuple[Worker, list[Contender]]]:
    """Return a process for each library, and its contenders; print the missing libraries."""
    # pip compiled the peers' libraries to bytecode, so our first call must not include the compilation of modules.
    compileall.compile_dir(HERE.parent / "d2lhybrid", quiet=2)
    ours = Worker(sys.executable, "_gluon_worker.py", "d2lhybrid")
    by_hand = Worker(sys.executable, "_numpy_worker.py")
    hand = Contender(f"NumPy {by_hand.version} by hand", sys.executable, "_numpy_worker.py", (), "flat")
    modes = [Contender(f"d2lhybrid {m}", sys.executable, "_gluon_worker.py", ("d2lhybrid",), m) for m in OURS]
    found = [(ours, modes), (by_hand, [hand])]
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
            print(f"{title} isn't installed, so its rows are missing. Set {variable} to the path of its Python.")
            continue
        names = [f"{title} {worker.version} {mode}" for mode in modes]
        given = zip(names, modes, strict=True)
        found.append((worker, [Contender(name, python, script, tuple(arguments), mode) for name, mode in given]))
    return found


def find_contenders() -> list[Contender]:
    """Return all contenders that can run here."""
    listed = []
    for worker, contenders in _found():
        worker.stop()
        listed += contenders
    return listed


def find_workers() -> dict[str, tuple[Worker, str]]:
    """Return contender -> (worker, mode), with one process for all modes of a library."""
    return {contender.name: (worker, contender.mode) for worker, listed in _found() for contender in listed}


@contextlib.contextmanager
def thread_variables(variables: Mapping[str, str]) -> Iterator[None]:
    """Return a scope with some environment variables set, and without others that set numbers of threads."""
    kept = dict(os.environ)
    for name in [n for n in os.environ if n.endswith("_NUM_THREADS")]:
        del os.environ[name]
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)
