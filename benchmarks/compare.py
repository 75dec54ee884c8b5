"""A benchmark of d2lhybrid and its peers on the lessons' workloads, interleaved in one run.

Each contender runs each workload in a separate process. Two processes at a time create their nets. Then each makes its
first call, one after the other. Then the rounds go through all processes in turn, so that a slow moment of the machine
affects all contenders. Processes that are not timed are suspended (``SIGSTOP``), because threads spin for a while
before they sleep, and would take a core from the next process. Before its measurement, a process makes calls for a
while; the measurement has as many calls as fit into a twentieth of a second. After ``ROUNDS`` rounds, up to ``MORE``
rounds follow for the default and for the contenders that are nearly as fast as the fastest one: on a noisy machine, the
smallest of several medians of few rounds would be too small. The program prints medians in microseconds, and ratios to
the hybridized net. Unless workloads are named, it writes ``RESULTS.md`` next to this file:

    python benchmarks/compare.py [workload ...]

Peers are optional; ``_workers.py`` finds them, and ``_check_peers.py`` checks that their nets are the same. The
environment variables ``ROUNDS`` and ``MORE`` set the numbers of rounds. After ``SECONDS`` seconds, the remaining
workloads have fewer rounds.
"""

from __future__ import annotations

import datetime
import math
import os
import platform
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
from _calibration import Calibration
from _report import Cell, Row, page, table_of
from _workers import BASE, HERE, Contender, Failed, Worker, find_contenders, find_workers

from d2lhybrid.internals.compiler.vectors import lacks_avx512

__all__ = ["BASE", "HERE", "TITLES", "ZOO", "Worker", "find_workers", "main", "measure"]

ROUNDS = int(os.environ.get("ROUNDS", "9"))
#: The time in seconds after which a row has fewer rounds, so that slow machines also finish.
SECONDS, FEW = float(os.environ.get("SECONDS", "780")), 4
#: The number of further rounds for contenders whose median is at most ``CLOSE`` times the smallest one, and the time in
#: seconds that these rounds take in a row.
MORE, CLOSE, MORE_SECONDS = int(os.environ.get("MORE", "30")), 1.5, 20.0
#: The duration of a contender's measurement in each round, in seconds; one repetition may take longer.
VISIT = 0.05
TITLES = {
    "A": "MLP 512-256-128-2, batch 1, forward",
    "B": "LeNet, batch 16, forward",
    "C": "LeNet training step, batch 64",
    "D": "12 element-wise operators, 1M elements",
    "D2": "12 cheap element-wise operators (D with a subtraction for each tanh), 1M elements",
    "E": "MLP 784-512-512-10 training step, batch 256",
    "F": "50 x (Dense 64 + relu), batch 1, forward",
}
#: Larger nets of a course: the same Gluon program for d2lhybrid and MXNet, the same layers in PyTorch and JAX, and our
#: exported file for ONNX Runtime.
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
#: The number of processes that load their libraries and create their nets at the same time.
AT_ONCE = 2


def measure(
    workload: str, contenders: Sequence[Contender], caches: Path, calibration: Calibration, until: float
) -> Row:
    """Measure one workload: start and build all contenders, make their first calls, then time them in turn."""
    row = Row(workload, {**TITLES, **ZOO}[workload], {contender.name: Cell() for contender in contenders})
    started: dict[str, Worker] = {}

    def start(contender: Contender) -> None:
        try:
            worker = started[contender.name] = contender.start(caches)
            if worker.ask(workload, contender.mode, 1, "build") is None:
                started.pop(contender.name).stop()
            else:
                worker.pause()
        except (Failed, OSError) as reason:
            row.cells[contender.name].failure = str(reason)

    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(start, contenders))
        ready = [c for c in contenders if c.name in started and not row.cells[c.name].failure]
        for contender in ready:
            _first(workload, contender, started[contender.name], row.cells[contender.name])
        for number in range(ROUNDS):
            if number >= FEW and time.perf_counter() > until:
                break
            calibration.spin()
            for contender in ready:
                _time(workload, contender, started[contender.name], row.cells[contender.name])
        close = [contender for contender in ready if contender.name in names_of_close(row)]
        began = time.perf_counter()
        for _ in range(MORE):
            if time.perf_counter() > began + MORE_SECONDS:
                break
            calibration.spin()
            for contender in close:
                _time(workload, contender, started[contender.name], row.cells[contender.name])
    finally:
        for worker in started.values():
            worker.stop()
    return row


def names_of_close(row: Row) -> set[str]:
    """Return the names of the default and of the contenders that are nearly as fast as the fastest one of a row."""
    medians = {name: cell.median for name, cell in row.cells.items()}
    known = {name: median for name, median in medians.items() if median is not None}
    return {name for name, median in known.items() if name == BASE or median <= CLOSE * min(known.values())}


def _first(workload: str, contender: Contender, worker: Worker, cell: Cell) -> None:
    worker.resume()
    try:
        answer = worker.ask(workload, contender.mode, 1, "first")
        assert answer is not None
        cell.first, cell.growth, cell.later_growth, cell.ten = answer
    except Failed as reason:
        cell.failure = str(reason)
    worker.pause()


def _time(workload: str, contender: Contender, worker: Worker, cell: Cell) -> None:
    if cell.failure:
        return
    worker.resume()
    try:
        warm = worker.ask(workload, contender.mode, 1, "warm")
        assert warm is not None
        cell.since = int(warm[1]) if math.isfinite(warm[1]) else -1
        count = max(round(VISIT / warm[0]), 1)
        answer = worker.ask(workload, contender.mode, count, "throughput")
        assert answer is not None
        cell.times.append(answer[0] / count * 1e6)
    except Failed as reason:
        cell.failure = str(reason)
    worker.pause()


def prepare(contenders: Sequence[Contender], caches: Path) -> None:
    """Compile a function of one operator with ``torch.compile``, to prepare header files and checks for all nets."""
    for contender in contenders:
        if contender.script == "_torch_worker.py" and contender.mode == "compile":
            worker = contender.start(caches)
            try:
                worker.ask("tiny", contender.mode, 1, "first")
            except Failed as reason:
                print(f"{contender.name} fails: {reason}")
            worker.stop()


def main(workloads: Sequence[str] = ()) -> None:
    """Measure the given workloads, or measure all and write the results."""
    if unknown := set(workloads) - {*TITLES, *ZOO}:
        raise SystemExit(f"No such workload: {', '.join(sorted(unknown))} (there are {', '.join([*TITLES, *ZOO])})")
    machine = (
        f"{platform.machine()}, {_processor()}, {len(os.sched_getaffinity(0))} cores, "
        f"Python {platform.python_version()}, NumPy {numpy.__version__}"
    )
    calibration, start = Calibration(), time.perf_counter()
    contenders = find_contenders()
    print(f"{machine}\nmedians of {ROUNDS} interleaved rounds\n")
    rows = []
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        prepare(contenders, Path(folder))
        for workload in workloads or [*TITLES, *ZOO]:
            rows.append(measure(workload, contenders, Path(folder), calibration, start + SECONDS))
            print("\n".join([f"{workload}. {rows[-1].title}", *table_of(rows[-1], plain=True), ""]), flush=True)
    short = [row.workload for row in rows if len(row.cells[BASE].times) < ROUNDS]
    minutes = (time.perf_counter() - start) / 60
    began = (
        f"Written by `make bench` on {datetime.date.today()}: {machine}. Times are medians in microseconds, with the "
        f"quartiles in parentheses. Each of {ROUNDS} rounds measures all contenders in turn. Up to {MORE} further "
        f"rounds measure the default, and the contenders whose median is at most {CLOSE} times the fastest median. The "
        f"measurement took {minutes:.1f} minutes."
        + (
            f" Because the time limit was reached, these workloads had at least {FEW} rounds, but fewer than {ROUNDS}: "
            f"{', '.join(short)}."
            if short
            else ""
        )
    )
    print(calibration.sentence())
    if not workloads:
        (HERE / "RESULTS.md").write_text(page(rows, began, calibration.sentence()))


def _processor() -> str:
    name = _processor_name()
    if platform.machine() not in ("x86_64", "AMD64"):
        return name
    # The vector instructions decide which library is fastest, so the default chooses another backend.
    return f"{name} ({'without' if lacks_avx512() else 'with'} AVX-512)"


def _processor_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.processor())


if __name__ == "__main__":
    # If this process ends, suspended processes must end, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    main(sys.argv[1:])
