"""The benchmark for GPUs: what it makes of measurements, and what it does when a contender fails."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import _gpu_report as report  # noqa: E402
import _serving as serving  # noqa: E402
import compare_gpu  # noqa: E402

sys.path.remove(str(BENCHMARKS))

LIMITS = {
    "device": "Some GPU",
    "flops_per_second": 50e12,
    "bytes_per_second": 4e12,
    "launch": 2e-6,
    "launch_and_wait": 6e-6,
    "graph_launch": 3e-6,
    "versions": {"CuPy": "14.2.0"},
}


def row(workload, flops=0, nbytes=0, **microseconds):
    names = {"eager": report.EAGER, "hybridized": report.HYBRIDIZED, "static": report.STATIC, "torch": report.TORCH,
             "reduced": report.REDUCE_OVERHEAD}  # fmt: skip
    cells = {names[name]: report.Cell([t, t, t], [2 * t]) for name, t in microseconds.items()}
    return report.Row(workload, cells, {}, flops, nbytes)


def reached(*rows):
    return [verdict.reached for verdict in report.verdicts({r.workload: r for r in rows}, LIMITS)]


def test_goals_that_are_reached_exactly():
    chain = report.CHAIN_BYTES / (0.8 * LIMITS["bytes_per_second"]) * 1e6
    assert reached(
        row("A", eager=50, static=10, reduced=10), row("C", torch=900, static=900), row("D64M", static=chain)
    ) == [True] * 4  # fmt: skip


def test_goals_that_are_missed():
    chain = report.CHAIN_BYTES / (0.79 * LIMITS["bytes_per_second"]) * 1e6
    assert reached(
        row("A", eager=49, static=10, reduced=9.9), row("C", torch=899, static=900), row("D64M", static=chain)
    ) == [False] * 4  # fmt: skip


def test_goals_that_were_not_measured():
    assert reached() == [None] * 4
    failed = row("A", eager=50, reduced=10)
    failed.cells[report.STATIC] = report.Cell(failure="out of memory")
    assert reached(failed, row("C", static=5)) == [None] * 4


def test_the_better_of_two_programs_counts_for_the_bandwidth():
    whole = report.CHAIN_BYTES / LIMITS["bytes_per_second"] * 1e6
    (*_, verdict) = report.verdicts({"D64M": row("D64M", hybridized=whole, static=2 * whole)}, LIMITS)
    assert verdict.reached and verdict.detail == f"D64M: {report.HYBRIDIZED} 4,000 GB/s of 4,000 GB/s, 100%"


def test_the_floor():
    assert report.floor(row("A", flops=50_000_000, nbytes=8), LIMITS) == pytest.approx(1 + 2)
    assert report.floor(row("A", flops=1, nbytes=40_000_000), LIMITS) == pytest.approx(10 + 2)
    assert report.floor(row("A"), LIMITS) is None


def test_the_page():
    full = row("A", flops=50_000_000, nbytes=8, eager=60, static=10)
    full.cells[report.EAGER].device, full.cells[report.EAGER].host = 7.0, 7.5
    full.cells[report.TORCH] = report.Cell(failure="RuntimeError: a | b")
    full.choices["own, single launches"] = report.Cell([12.0])
    text = report.page([full], LIMITS, ["JAX jit was not measured: no JAX."], "2030-01-01")
    assert "on 2030-01-01: Some GPU; CuPy 14.2.0." in text
    assert "JAX jit was not measured: no JAX." in text
    assert "| d2lhybrid eager | 60.0 | (60.0 to 60.0) | 6.00 | 120.0 |  |  | 7 | 7.5 | 20.00 |" in text
    assert "| PyTorch eager | RuntimeError: a \\| b | | | | | | | | |" in text
    assert "| own, single launches | 12.0 |  | 1.20 |  |  |  |  |  | 4.00 |" in text
    assert "5 times as fast as the eager MLP | reached | A: d2lhybrid eager 60.0 µs" in text
    assert "reduce-overhead') | not measured |" in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in tables} <= {3, 4, 11}


def test_launches_in_a_trace():
    def event(category, name):
        return {"cat": category, "name": name}

    trace = [
        event("kernel", "update"), event("kernel", "gemm"), event("gpu_memset", "Memset"), event("cpu_op", "relu"),
        event("cuda_runtime", "cudaGraphLaunch"), event("cuda_runtime", "cudaDeviceSynchronize"),
        event("cuda_driver", "cuLaunchKernel"), event("cuda_driver", "cuLaunchKernelEx"), {"name": "process_name"},
    ]  # fmt: skip
    assert serving.count_launches({"traceEvents": trace}) == {"device": 3, "host": 2}


# --- workers ---

WORKER = """
import os, sys, time
from _serving import serve

class Run:
    def __call__(self):
        print("a library says something")
        print("2026-11-22 12:00 and something else")
        return 5
    def cost(self):
        return 12, 34

def build(workload, mode):
    if workload == "fails":
        raise ValueError("this\\nis why")
    if workload == "dies":
        print("the last words", file=sys.stderr)
        os._exit(3)
    if workload == "sleeps":
        time.sleep(60)
    return None if workload == "lacks" else Run()

if "unable" in sys.argv:
    sys.exit("no such library")
serve("1.2", build, lambda result: None)
"""


@pytest.fixture
def worker(tmp_path, monkeypatch):
    (tmp_path / "worker.py").write_text(WORKER)
    monkeypatch.setenv("PYTHONPATH", str(BENCHMARKS))
    started = []

    def start(*arguments):
        made = compare_gpu.Worker(str(tmp_path / "worker.py"), arguments, "mode")
        monkeypatch.setattr(compare_gpu, "HERE", BENCHMARKS)
        started.append(made)
        return made

    # The script finds _serving beside itself, as the others do.
    (tmp_path / "_serving.py").write_text((BENCHMARKS / "_serving.py").read_text("utf-8"), "utf-8")
    yield start
    for made in started:
        made.stop()


def test_a_worker_answers(worker):
    one = worker()
    (seconds,) = one.ask("A", 1, "prepare", 30)
    assert seconds > 0 and one.version == "1.2"
    assert one.ask("A", 3, "throughput", 30)[0] > 0 and one.ask("A", 3, "latency", 30)[0] > 0
    assert one.ask("A", 1, "cost", 30) == [12, 34]


@pytest.mark.parametrize(
    ("workload", "patience", "reason"),
    [
        ("fails", 30, "ValueError: this is why"),
        ("dies", 30, "its process ended with status 3: the last words"),
        ("sleeps", 1, "no answer after 1 seconds"),
        ("lacks", 30, "not possible"),
    ],
)
def test_a_worker_that_fails_says_why_and_goes_on(worker, workload, patience, reason):
    one = worker()
    one.start(30)
    with pytest.raises(compare_gpu.Failed) as caught:
        one.ask(workload, 1, "prepare", patience)
    assert str(caught.value) == reason
    assert one.ask("A", 1, "throughput", 30)[0] > 0


def test_a_worker_that_does_not_start(worker):
    one = worker("unable")
    reasons = compare_gpu.start_all([one])
    assert reasons == {id(one): "its process ended with status 1: no such library"}


def test_failures_become_cells(worker):
    listed = [compare_gpu.Contender(name, worker()) for name in (report.HYBRIDIZED, report.STATIC)]
    found = compare_gpu.measure("fails", listed, [], float("inf"), "cpu")
    assert [cell.failure for cell in found.cells.values()] == ["ValueError: this is why"] * 2
    assert found.cells[report.STATIC].throughput == []
    found = compare_gpu.measure("A", listed, [], float("inf"), "cpu")
    cell = found.cells[report.STATIC]
    assert len(cell.throughput) == len(cell.latency) == compare_gpu.ROUNDS and not cell.failure
    assert (found.flops, found.nbytes) == (12, 34)
    assert cell.device is cell.host is None
    for contender in listed:
        contender.counter.stop()


def test_launches_that_cannot_be_counted_are_left_out(worker, capsys):
    cell, counter = report.Cell([1.0]), worker()
    compare_gpu._count("fails", [(cell, counter)], float("inf"))
    assert cell.device is None and not cell.failure
    assert "were not counted: ValueError: this is why" in capsys.readouterr().out


def test_no_gpu_is_said_in_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(compare_gpu, "no_gpu", lambda: "GPU is not enabled; CuPy is not installed.")
    assert compare_gpu.main([]) == 2
    assert capsys.readouterr().err == "make bench-gpu needs a GPU: GPU is not enabled; CuPy is not installed.\n"


def test_every_workload_is_run_by_every_worker():
    for name in ("_gluon_worker.py", "_torch_worker.py", "_jax_worker.py"):
        text = (BENCHMARKS / name).read_text("utf-8")
        missing = [workload for workload in report.TITLES if f'    "{workload}": lambda' not in text]
        assert not missing, name
