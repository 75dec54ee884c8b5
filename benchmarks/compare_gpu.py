"""A benchmark of d2lhybrid and its peers on a GPU, interleaved in one run: ``make bench-gpu``.

The benchmark needs a Python with CuPy, and with PyTorch and JAX for comparisons; it omits and names missing libraries.
Every contender with every precision is a separate process. For each workload, all processes compile at the same time;
then the rounds go through them in turn. The program writes ``RESULTS-GPU.md`` after every workload, so that results
survive a later failure. For a contender that fails, crashes, or takes too long, the table has the reason.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _gpu_report import EAGER, HYBRIDIZED, REDUCE_OVERHEAD, STATIC, TITLES, TORCH, Cell, Row, page

HERE = Path(__file__).resolve().parent
#: The total time limit in seconds; the program omits and names workloads that would begin later.
SECONDS = float(os.environ.get("SECONDS", "420"))
ROUNDS = int(os.environ.get("ROUNDS", "9"))
#: The duration of a block of calls, and the time limit to build, compile, and warm up, in seconds.
BLOCK, PATIENCE = 0.02, 90.0
#: Workloads that depend on the library for matrix products, and workloads without products, whose precision is fixed.
CHOOSING, WITHOUT_PRODUCTS = ("A", "C", "E", "A1024"), ("D", "D64M")


class Failed(Exception):
    """An error that a contender has no measured time; the message is the reason."""


@dataclass
class Worker:
    """A process that runs one contender's workloads, and restarts after a failure, which may corrupt its context."""

    script: str
    arguments: Sequence[str]
    mode: str
    environment: dict[str, str] = field(default_factory=dict)
    version: str = ""

    def __post_init__(self) -> None:
        self._process: Any = None
        self._lines: queue.Queue[str] = queue.Queue()
        self._errors: Any = None

    def start(self, patience: float) -> None:
        """Start the process unless it is running."""
        if self._process is not None and self._process.poll() is None:
            return
        self.stop()
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  open as long as the process runs
        self._lines = queue.Queue()
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / self.script), *self.arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self._errors, text=True,
            env={**os.environ, **self.environment, "PYTHONPATH": str(HERE.parent)},
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read, args=(self._process, self._lines), daemon=True)
        self._reader.start()
        answer = self._next(patience).split()
        if not answer or answer[0] != "ready":
            raise Failed(f"it did not start: {' '.join(answer)}")
        self.version = answer[1] if len(answer) > 1 else ""

    @staticmethod
    def _read(process: Any, lines: queue.Queue[str]) -> None:
        with process.stdout as stream:
            for line in stream:
                if _is_answer(line.split()):  # others are the libraries' own words
                    lines.put(line.strip())
        lines.put("")

    def _next(self, patience: float) -> str:
        try:
            line = self._lines.get(timeout=max(patience, 0.1))
        except queue.Empty:
            self.stop()
            raise Failed(f"no answer after {patience:.0f} seconds") from None
        if not line:
            raise Failed(self._last_words())
        return line

    def _last_words(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        said = [line.strip() for line in self._errors if line.strip()]
        return f"its process ended with status {code}" + (f": {said[-1][:200]}" if said else "")

    def ask(self, workload: str, count: int, how: str, patience: float) -> list[float]:
        """Return the numbers in a worker's answer; see ``_serving.py``."""
        self.start(patience)
        try:
            self._process.stdin.write(f"{workload} {self.mode} {count} {how}\n")
            self._process.stdin.flush()
        except OSError:
            raise Failed(self._last_words()) from None
        answer = self._next(patience)
        if answer.startswith("failed"):
            self.stop()
            raise Failed(answer.removeprefix("failed").strip())
        if answer == "none":
            raise Failed("not possible")
        return [float(number) for number in answer.split()]

    def stop(self) -> None:
        """End the process."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        self._reader.join()
        with contextlib.suppress(OSError):  # what was not sent yet is for nobody
            self._process.stdin.close()
        self._errors.close()
        self._process = None


def _is_answer(words: list[str]) -> bool:
    if not words or words[0] in ("ready", "none", "failed"):
        return bool(words)
    try:
        return all(float(word) >= 0 for word in words)
    except ValueError:
        return False


@dataclass
class Contender:
    """A contender, with its name in the tables; ``relaxed`` has the library's default precision.

    A separate process, ``counter``, counts launches, because CUPTI slows down later measurements in its process.
    """

    name: str
    worker: Worker
    relaxed: Worker | None = None

    def __post_init__(self) -> None:
        w = self.worker
        self.counter = Worker(w.script, w.arguments, w.mode, w.environment)

    @property
    def workers(self) -> list[Worker]:
        """All processes of the contender."""
        return [w for w in (self.worker, self.relaxed, self.counter) if w is not None]


def contenders(device: str) -> tuple[list[Contender], list[Contender]]:
    """Return the contenders, and d2lhybrid with each library for matrix products."""
    gpu = ["gpu"] if device == "gpu" else []

    def ours(mode: str, **environment: str) -> Worker:
        return Worker("_gluon_worker.py", ["d2lhybrid", *gpu], mode, environment)

    def torch(name: str, mode: str) -> Contender:
        threads = {"TORCHINDUCTOR_COMPILE_THREADS": "3"}  # several compile at the same time
        precise, relaxed = (
            Worker("_torch_worker.py", settings, mode, threads) for settings in ([*gpu, "fp32"], gpu)
        )  # fmt: skip
        return Contender(name, precise, relaxed)

    listed = [
        Contender(EAGER, ours("eager")),
        Contender(HYBRIDIZED, ours("hybridized")),
        Contender("d2lhybrid static_alloc", ours("static_alloc")),
        Contender(STATIC, ours("static")),
        torch(TORCH, "eager"),
        torch("PyTorch compile", "compile"),
        torch(REDUCE_OVERHEAD, "reduce-overhead"),
        Contender("JAX jit", Worker("_jax_worker.py", [*gpu, "fp32"], "jit"), Worker("_jax_worker.py", gpu, "jit")),
    ]
    choices = [
        Contender(f"{gemm}, {label}", ours(mode, D2LHYBRID_GPU_GEMM=gemm))
        for gemm in ("own", "cublas")
        for mode, label in (("hybridized", "single launches"), ("static", "static_alloc + static_shape"))
    ]
    return listed, choices if device == "gpu" else []


# --- measuring ---------------------------------------------------------------------------------


def measure(workload: str, listed: list[Contender], choices: list[Contender], until: float, device: str) -> Row:
    """Measure one workload: prepare all contenders, time them in turn, then count launches."""
    row = Row(workload, {c.name: Cell() for c in listed}, {c.name: Cell() for c in choices})
    cells = {**row.cells, **row.choices}
    both = [*listed, *choices]
    precise = [(cells[c.name], c.worker, "throughput") for c in both]
    relaxed = [
        (cells[c.name], c.relaxed, "own_settings")
        for c in listed
        if c.relaxed is not None and workload not in WITHOUT_PRODUCTS
    ]
    ready = _prepare(workload, [*precise, *relaxed], until)
    for _ in range(ROUNDS):
        if time.monotonic() > until:
            break
        for task in ready:
            _time(workload, task, "throughput")
            if task.kind == "throughput":
                _time(workload, task, "latency")
    if device == "gpu":
        _count(workload, [(cells[c.name], c.counter) for c in both if not cells[c.name].failure], until)
    for name in (HYBRIDIZED, STATIC):
        worker = next(c.worker for c in listed if c.name == name)
        if not row.nbytes and not cells[name].failure:
            try:
                flops, nbytes = worker.ask(workload, 1, "cost", 20)
                row.flops, row.nbytes = int(flops), int(nbytes)
            except Failed as reason:
                print(f"   no cost: {reason}")
    return row


@dataclass
class Task:
    """A worker that is ready, the cell for its times, and the number of calls in a block."""

    cell: Cell
    worker: Worker
    kind: str
    counts: dict[str, int]


def _prepare(workload: str, asked: Sequence[tuple[Cell, Worker, str]], until: float) -> list[Task]:
    """Build and compile all contenders at the same time; return the contenders that succeeded."""

    def one(cell: Cell, worker: Worker, kind: str) -> Task | None:
        try:
            patience = min(PATIENCE, max(until - time.monotonic(), 5.0))
            worker.ask(workload, 1, "prepare", patience)
        except Failed as reason:
            if kind == "throughput":
                cell.failure = str(reason)
            return None
        return Task(cell, worker, kind, {})

    with ThreadPoolExecutor(len(asked)) as pool:
        tasks = [task for task in pool.map(lambda arguments: one(*arguments), asked) if task is not None]
    for task in tasks:
        for how in ("throughput", "latency"):
            try:
                (seconds,) = task.worker.ask(workload, 3, how, 30)
                task.counts[how] = max(1, min(2000, int(BLOCK / max(seconds / 3, 1e-7))))
            except Failed as reason:
                task.cell.failure = task.cell.failure or str(reason)
    return [task for task in tasks if len(task.counts) == 2]


def _time(workload: str, task: Task, how: str) -> None:
    if task.cell.failure:
        return
    count = task.counts[how]
    try:
        (seconds,) = task.worker.ask(workload, count, how, 30)
    except Failed as reason:
        if task.kind == "throughput":
            task.cell.failure = str(reason)
        return
    getattr(task.cell, task.kind if how == "throughput" else how).append(seconds / count * 1e6)


def _count(workload: str, asked: Sequence[tuple[Cell, Worker]], until: float) -> None:
    """Count the launches of all contenders at the same time, without timing."""

    def one(cell: Cell, worker: Worker) -> None:
        try:
            worker.ask(workload, 1, "prepare", max(min(PATIENCE, until - time.monotonic()), 1))
            cell.device, cell.host = worker.ask(workload, 10, "launches", max(min(60, until - time.monotonic()), 1))
        except Failed as reason:
            print(f"   launches of {worker.arguments} {worker.mode} were not counted: {reason}")

    if asked:
        with ThreadPoolExecutor(len(asked)) as pool:
            list(pool.map(lambda arguments: one(*arguments), asked))


# --- all of it ---------------------------------------------------------------------------------


def find_limits(device: str) -> dict[str, Any]:
    command = [sys.executable, str(HERE / "_limits.py"), device]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode:
        raise SystemExit(f"The device cannot be measured: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def start_all(workers: Sequence[Worker]) -> dict[int, str]:
    """Start all workers at the same time; return the reasons for failures, by the worker's id."""

    def one(worker: Worker) -> str:
        try:
            worker.start(120)
        except Failed as reason:
            return str(reason)
        return ""

    with ThreadPoolExecutor(len(workers)) as pool:
        reasons = list(pool.map(one, workers))
    return {id(worker): reason for worker, reason in zip(workers, reasons, strict=True) if reason}


def no_gpu() -> str:
    """Return the reason why there is no GPU; empty if there is a GPU."""
    sys.path.insert(0, str(HERE.parent))
    try:
        import numpy  # noqa: F401  without it nothing of this package can be imported
    except ImportError as error:
        return f"{sys.executable} cannot import NumPy ({error}). Set PYTHON=/path/to/python to a Python that has CuPy."
    from d2lhybrid.context import Context
    from d2lhybrid.error import MXNetError
    from d2lhybrid.internals.device import array_modules

    try:
        array_modules.array_module(Context("gpu"))
    except MXNetError as error:
        return "; ".join([str(error), *getattr(error, "__notes__", [])])
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", choices=("gpu", "cpu"), default="gpu", help="cpu tests this program without a GPU")
    parser.add_argument("--output", type=Path, default=HERE / "RESULTS-GPU.md")
    parser.add_argument("--workloads", default=",".join(TITLES), help="some of %(default)s")
    options = parser.parse_args(arguments)
    if options.device == "gpu" and (reason := no_gpu()):
        print(f"make bench-gpu needs a GPU: {reason}", file=sys.stderr)
        return 2
    begin = time.monotonic()
    listed, choices = contenders(options.device)
    workers = [w for c in [*listed, *choices] for w in c.workers]
    limits = find_limits(options.device)
    try:
        missing = start_all([w for c in [*listed, *choices] for w in c.workers if w is not c.counter])
        notes = [f"{c.name} was not measured: {missing[id(c.worker)]}." for c in listed if id(c.worker) in missing]
        listed = [c for c in listed if id(c.worker) not in missing]
        for contender in listed:
            library = contender.name.split()[0]
            limits["versions"].setdefault(library, contender.worker.version)
        run(options, begin, listed, [c for c in choices if id(c.worker) not in missing], limits, notes)
    finally:
        for worker in workers:
            worker.stop()
    return 0


def run(
    options: Any, begin: float, listed: list[Contender], choices: list[Contender], limits: dict[str, Any],
    notes: list[str],
) -> None:  # fmt: skip
    """Measure the workloads in turn, and write the page after each."""
    rows: list[Row] = []
    date = str(datetime.date.today())
    wanted = options.workloads.split(",")
    for position, workload in enumerate(wanted):
        now = time.monotonic()
        if now - begin > SECONDS - 15:
            notes.append(
                f"These workloads were not measured, because {SECONDS:.0f} seconds had passed: "
                f"{', '.join(wanted[position:])}."
            )
            break
        chosen = choices if workload in CHOOSING else []
        row = measure(workload, listed, chosen, begin + SECONDS, options.device)
        rows.append(row)
        options.output.write_text(page(rows, limits, notes, date), encoding="utf-8")
        print(f"{workload}. {TITLES[workload]}: {time.monotonic() - now:.0f} seconds", flush=True)
        for name, cell in {**row.cells, **row.choices}.items():
            median = row.median(name)
            print(f"   {name:50s} " + (cell.failure if cell.failure or median is None else f"{median:12,.1f} us"))
    options.output.write_text(page(rows, limits, notes, date), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
