"""The benchmark's own programs run on a GPU: what they measure is for a real one."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

import d2lhybrid as mx

BENCHMARKS = Path(__file__).resolve().parent.parent.parent / "benchmarks"


@pytest.fixture
def program(gpu: Any, monkeypatch: Any) -> Any:
    """Import a program as it is when it is started with these arguments."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))

    def imported(name: str, *arguments: str) -> Any:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        spec = importlib.util.spec_from_file_location(f"benchmark{name}", BENCHMARKS / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return imported


def test_the_limits_of_the_device(program):
    limits = program("_limits", "gpu").on_gpu(size=64, nbytes=1 << 12)
    numbers = [limits[k] for k in ("flops_per_second", "bytes_per_second", "launch", "launch_and_wait", "graph_launch")]
    assert all(n > 0 for n in numbers)
    assert limits["device"] and {"driver", "CUDA", "CUDA of the driver", "CuPy"} == limits["versions"].keys()


MODES = ["eager", "hybridized", "static_alloc", "static"]
#: Operations of one product with every weight; multiplied by the batch, and by 3 where gradients are taken.
FLOPS = {"A": 2 * (512 * 256 + 256 * 128 + 128 * 2), "F": 2 * 50 * 64 * 64,
         "E": 3 * 256 * 2 * (784 * 512 + 512 * 512 + 512 * 10)}  # fmt: skip


def check(worker: Any, workload: str, mode: str) -> None:
    """Run a workload often enough for a CUDA graph to be recorded."""
    run = worker.build(workload, mode)
    for _ in range(4):
        result = run()
    worker.release()
    if mode == "hybridized":
        flops, nbytes = run.cost()
        assert flops == pytest.approx(FLOPS.get(workload, flops), rel=0.35)
        assert flops > 0 and nbytes > 0
    if result is not None:
        assert result.context == mx.gpu()


@pytest.mark.parametrize(("workload", "mode"), [("E", "eager"), *[(w, m) for w in ("A", "F") for m in MODES]])
def test_our_workloads(program, workload, mode):
    worker = program("_gluon_worker", "d2lhybrid", "gpu")
    assert mx.gpu() == worker.CONTEXT
    check(worker, workload, mode)


@pytest.mark.gpu
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("workload", ["B", "C", "D", "D64M", "E", "A64", "A1024", "C512"])
def test_our_large_workloads(program, gpu, workload, mode):
    if gpu is not None:
        pytest.skip("a pretended GPU takes minutes for it")
    worker = program("_gluon_worker", "d2lhybrid", "gpu")
    check(worker, workload, mode)
